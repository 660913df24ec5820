//! Contact masks: which shapes can touch by `contype` and `conaffinity`.
//!
//! Two shapes can touch if a bit of the one's `contype` is in the other's `conaffinity`. A rig says
//! which of its joints may touch, not which shapes: two bodies may touch if none of their shapes
//! can touch in the simulator. Where some can and others cannot, all are compared.

use std::collections::{BTreeMap, BTreeSet};

use super::built::Shape;
use crate::limits::JOINED_PAIRS;

/// The contact masks of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mask {
    /// `contype`.
    pub(super) own: u32,
    /// `conaffinity`.
    pub(super) meets: u32,
}

impl Mask {
    pub(super) const NONE: Self = Self { own: 0, meets: 0 };
    pub(super) const ALL: Self = Self { own: u32::MAX, meets: u32::MAX };

    /// Whether two shapes can touch.
    fn can_touch(self, other: Self) -> bool {
        self.own & other.meets != 0 || other.own & self.meets != 0
    }
}

/// The most kinds of bodies that are told apart, by the masks of their shapes.
const KINDS: usize = 256;

/// What the masks of shapes say about pairs of bodies.
#[derive(Default)]
pub(super) struct Masked {
    /// Pairs of bodies of which no shapes can touch, lower first.
    pub(super) apart: Vec<(usize, usize)>,
    /// Pairs of bodies of which some shapes can touch and others cannot.
    pub(super) mixed: usize,
}

/// `None` if there are too many masks or pairs to say.
pub(super) fn masked(shapes: &[Shape]) -> Option<Masked> {
    let mut of_body: BTreeMap<usize, BTreeSet<Mask>> = BTreeMap::new();
    for shape in shapes {
        of_body.entry(shape.body).or_default().insert(shape.mask);
    }
    let all: BTreeSet<Mask> = of_body.values().flatten().copied().collect();
    let mut kinds: BTreeMap<BTreeSet<Mask>, Vec<usize>> = BTreeMap::new();
    for (body, masks) in of_body {
        kinds.entry(masks).or_default().push(body);
    }
    if all.len() > KINDS || kinds.len() > KINDS {
        return None;
    }
    let kinds: Vec<_> = kinds.into_iter().collect();
    let mut found = Masked::default();
    for (index, (masks, bodies)) in kinds.iter().enumerate() {
        for (other_masks, others) in &kinds[index..] {
            let mut pairs = masks.iter().flat_map(|a| other_masks.iter().map(|b| a.can_touch(*b)));
            let first = pairs.next().unwrap_or(true);
            let is_mixed = pairs.any(|pair| pair != first);
            let is_same = std::ptr::eq(bodies, others);
            let count = if is_same {
                bodies.len() * (bodies.len() - 1) / 2
            } else {
                bodies.len().saturating_mul(others.len())
            };
            if is_mixed {
                found.mixed = found.mixed.saturating_add(count);
            } else if !first {
                if found.apart.len().saturating_add(count) > JOINED_PAIRS {
                    return None;
                }
                for (at, &a) in bodies.iter().enumerate() {
                    let others = if is_same { &bodies[at + 1..] } else { others };
                    found.apart.extend(others.iter().map(|&b| (a.min(b), a.max(b))));
                }
            }
        }
    }
    Some(found)
}
