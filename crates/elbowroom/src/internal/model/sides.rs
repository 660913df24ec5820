//! Which sides of a closed mesh's triangles are within it, as far as queries have asked.
//!
//! Where a surface does not meet itself, all triangles that hang together have the same winding
//! number on the side of their normals, and one more behind. Where it does, parts of one triangle
//! may differ.
//!
//! Most questions are about a small part of a surface, and a body that deforms is asked few of them
//! before it is another one. So nothing is computed before a query needs it, and what was is kept:
//! which triangles meet others leaf by leaf of the tree, winding numbers patch by patch, what is
//! next to triangles that meet others one by one. All of it follows from the mesh alone, so that it
//! does not matter who has asked what before, or on which thread.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::internal::exact::Relation;
use crate::internal::traverse::Workspace;
use crate::interrupt::hold_more;

/// What is known of a closed mesh's own triangles, each on its own.
#[derive(Debug)]
pub(crate) struct Sides {
    /// By triangle: one of the states below, or the winding number before one that meets no other.
    states: Vec<AtomicI32>,
    /// By triangle that meets others: what lies next to it, as bits; zero where that is not known.
    seen: Vec<AtomicU8>,
    known: Mutex<Known>,
    /// The partners of those that have none.
    none: Arc<Partners>,
}

/// Where a triangle meets others of its own mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Not computed yet.
    Unknown,
    /// The triangle has no area, and is no part of the surface.
    Flat,
    /// The triangle meets others in more than what they share.
    Meets,
    /// The triangle meets no other; the winding number before it is not known.
    Clean,
    /// The triangle meets no other, and this is the winding number before it.
    Numbered(i32),
}

const UNKNOWN: i32 = i32::MIN;
const FLAT: i32 = i32::MIN + 1;
const MEETS: i32 = i32::MIN + 2;
const CLEAN: i32 = i32::MIN + 3;

/// What a partner takes, in lists that grow by doubling.
const MET: usize = 16;

/// What takes more room than a number, and the memory of those who work it out.
#[derive(Debug, Default)]
pub(crate) struct Known {
    partners: HashMap<u32, Arc<Partners>>,
    /// Of how many triangles it is known whether they meet others.
    examined: usize,
    /// How many those are, each counted on both sides.
    met: usize,
    /// By triangle: whether it was come by in a walk, by the number of that walk.
    pub(crate) marks: Vec<u32>,
    pub(crate) walk: u32,
    pub(crate) workspace: Workspace,
}

/// The triangles that a triangle meets, other than in a corner or edge that they share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Partners {
    /// All of them, in order.
    pub(crate) all: Vec<u32>,
    /// Those that cross it, in order.
    pub(crate) crossing: Vec<u32>,
}

/// Whether something next to a surface is within the solid, and whether something is without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) inside: bool,
    pub(crate) outside: bool,
}

impl Known {
    /// Ends the work if there is no room for a number of further partners. Call it before keeping
    /// any of them.
    pub(crate) fn make_room(&mut self, partners: usize) {
        self.met += partners;
        hold_more(self.met, partners, MET);
    }
}

impl Partners {
    /// Notes how another triangle relates; whether they meet.
    pub(crate) fn add(&mut self, other: u32, relation: Relation) -> bool {
        if relation != Relation::Apart {
            self.all.push(other);
        }
        if relation == Relation::Crossing {
            self.crossing.push(other);
        }
        relation != Relation::Apart
    }

    pub(crate) fn sort(&mut self) {
        self.all.sort_unstable();
        self.crossing.sort_unstable();
    }
}

impl Seen {
    pub(crate) fn add(&mut self, other: Self) {
        self.inside |= other.inside;
        self.outside |= other.outside;
    }

    /// Both sides of a triangle with this winding number before it.
    pub(crate) fn around(before: i32) -> Self {
        Self { inside: before >= 0, outside: before <= 0 }
    }

    /// Whether there is no more to see.
    pub(crate) fn is_all(self) -> bool {
        self.inside && self.outside
    }
}

impl Sides {
    /// Of a mesh of which some triangles are without area.
    pub(super) fn new(flat: &[bool]) -> Self {
        let state = |&is_flat: &bool| AtomicI32::new(if is_flat { FLAT } else { UNKNOWN });
        Self {
            states: flat.iter().map(state).collect(),
            seen: flat.iter().map(|_| AtomicU8::new(0)).collect(),
            known: Mutex::default(),
            none: Arc::default(),
        }
    }

    /// What is known of a triangle.
    #[inline]
    pub(crate) fn state(&self, triangle: u32) -> State {
        // A number stands for itself, and what it refers to is behind the lock.
        match self.states[triangle as usize].load(Ordering::Relaxed) {
            UNKNOWN => State::Unknown,
            FLAT => State::Flat,
            MEETS => State::Meets,
            CLEAN => State::Clean,
            number => State::Numbered(number),
        }
    }

    /// Keeps the winding number before a triangle that meets no other.
    pub(crate) fn set_number(&self, triangle: u32, number: i32) {
        self.states[triangle as usize].store(number, Ordering::Relaxed);
    }

    /// What lies next to a triangle that meets others, if that is known.
    pub(crate) fn seen(&self, triangle: u32) -> Option<Seen> {
        let bits = self.seen[triangle as usize].load(Ordering::Relaxed);
        (bits != 0).then_some(Seen { inside: bits & 1 != 0, outside: bits & 2 != 0 })
    }

    /// Keeps what lies next to a triangle that meets others.
    pub(crate) fn set_seen(&self, triangle: u32, seen: Seen) {
        let bits = u8::from(seen.inside) | u8::from(seen.outside) << 1 | 4;
        self.seen[triangle as usize].store(bits, Ordering::Relaxed);
    }

    /// The lock that a computation holds. A computation that was interrupted left nothing half
    /// done.
    pub(crate) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps which triangles one meets, which was not known before.
    pub(crate) fn set_partners(&self, known: &mut Known, triangle: u32, partners: Partners) {
        let state = if partners.all.is_empty() { CLEAN } else { MEETS };
        if !partners.all.is_empty() {
            known.partners.insert(triangle, Arc::new(partners));
        }
        known.examined += 1;
        self.states[triangle as usize].store(state, Ordering::Relaxed);
    }

    /// The partners of a triangle of which they are known.
    pub(crate) fn partners_in(&self, known: &Known, triangle: u32) -> Arc<Partners> {
        Arc::clone(known.partners.get(&triangle).unwrap_or(&self.none))
    }

    /// The partners of a triangle that has none.
    pub(crate) fn none(&self) -> Arc<Partners> {
        Arc::clone(&self.none)
    }

    /// Of how many triangles it is known whether they meet others.
    pub(super) fn examined(&self) -> usize {
        self.known().examined
    }
}
