//! The same questions on packed trees.
//!
//! The packed descent finds pairs of triangles that cross for certain, and pairs that f32 cannot tell; those are
//! decided exactly, from the meshes themselves. So the answer is that of the readable trees, bit for bit;
//! only the tally differs, and which pair is found first.

use std::ops::ControlFlow;

use glam::{DMat3, DVec3};

use super::collide::{Answer, Ask, Question, TrianglePair, Verdict};
use crate::arch::Level;
use crate::descend::burst::{Bodies, Hits, descend_packed};
use crate::descend::{Path, Workspace};
use crate::exact::{PlacedTriangle, Relation, Sight, relate};
use crate::math::placement::Placement;
use crate::model::Model;
use crate::tree::Packed;
use crate::volume::burst::Frame;

/// Half the distance from 1 to the next number, in f32 and f64.
const U32: f64 = 1.0 / (1_u64 << 24) as f64;
const U64: f64 = 1.0 / (1_u64 << 53) as f64;

/// Answers on packed trees, if both models have one and the question is not about the readable ones.
pub(super) fn ask(
    a: &Model,
    place_a: &Placement,
    b: &Model,
    place_b: &Placement,
    question: &Question,
    workspace: &mut Workspace,
) -> Option<Answer> {
    let (packed_a, packed_b) = (a.packed()?, b.packed()?);
    if question.path != Path::default() || question.margin > 0.0 {
        return None;
    }
    let sides = Sides { a, place_a, b, place_b };
    let mut answer = Answer::default();
    let Some(bodies) = sides.bodies(packed_a, packed_b) else { return Some(answer) };
    workspace.found.clear();
    let mut contacts = Contacts {
        sides,
        ask: question.ask,
        packed: [packed_a, packed_b],
        answer: &mut answer,
        found: &mut workspace.found,
    };
    let mut tally = crate::descend::Tally::default();
    // A broken descent has found what was asked for.
    let _ = descend_packed(&bodies, Level::best(), &mut contacts, &mut workspace.stacks, &mut tally);
    answer.tally = tally;
    workspace.found.sort_unstable();
    answer.pairs.extend(workspace.found.iter().map(|&key| unpack(key)));
    Some(answer)
}

#[derive(Clone, Copy)]
struct Sides<'a> {
    a: &'a Model,
    place_a: &'a Placement,
    b: &'a Model,
    place_b: &'a Placement,
}

impl<'a> Sides<'a> {
    /// How the two trees stand to each other; nothing if balls around them are apart.
    fn bodies(&self, a: &'a Packed, b: &'a Packed) -> Option<Bodies<'a>> {
        let (turn_a, turn_b) = (self.place_a.rotation(), self.place_b.rotation());
        let (back_a, back_b) = (turn_a.inverse(), turn_b.inverse());
        let step = self.place_b.translation() - self.place_a.translation();
        let between = step + turn_b * b.origin - turn_a * a.origin;
        let deviation = self.place_a.deviation() + self.place_b.deviation();
        let size = |v: DVec3| v.abs().element_sum();
        let far = size(a.origin) + size(b.origin) + size(step);
        let apart = between.length() * (1.0 - 4.0 * deviation) - 64.0 * U64 * far;
        // The axes of boxes are orthonormal to f32 rounding only.
        if apart > (a.reach + b.reach) * (1.0 + 16.0 * U32) {
            return None;
        }
        let slack = (64.0 * U32 + 4.0 * deviation) * (a.reach + b.reach + size(between))
            + 64.0 * U64 * far;
        let frame = |back: DMat3, turn: DMat3, step: DVec3| Frame::new(back * turn, back * step, slack);
        let reach = self.a.reach() + self.b.reach() + size(step);
        Some(Bodies {
            a,
            b,
            a_in_b: frame(back_b, turn_a, -between),
            b_in_a: frame(back_a, turn_b, between),
            sight: Sight::new(back_a * turn_b, back_a * step, reach),
        })
    }
}

/// Collects contacts between records.
struct Contacts<'a> {
    sides: Sides<'a>,
    ask: Ask,
    packed: [&'a Packed; 2],
    answer: &'a mut Answer,
    found: &'a mut Vec<u64>,
}

impl Contacts<'_> {
    #[cold]
    fn decide(&self, a: u32, b: u32) -> Relation {
        let Sides { a: model_a, place_a, b: model_b, place_b } = self.sides;
        let [packed_a, packed_b] = self.packed;
        let placed = |model: &Model, placement, id: u32| {
            PlacedTriangle::new(placement, model.mesh().triangle(id as usize))
        };
        relate(
            &placed(model_a, place_a, packed_a.triangles(a)[0]),
            &placed(model_b, place_b, packed_b.triangles(b)[0]),
        )
    }
}

impl Hits for Contacts<'_> {
    #[inline]
    fn hit(&mut self, a: u32, b: u32, is_certain: bool) -> ControlFlow<()> {
        let relation = if is_certain { Relation::Crossing } else { self.decide(a, b) };
        if relation == Relation::Apart {
            return ControlFlow::Continue(());
        }
        self.answer.verdict = Verdict::Contact;
        let [copies_a, copies_b] = [self.packed[0].triangles(a), self.packed[1].triangles(b)];
        let counted = match self.ask {
            Ask::Whether | Ask::First => 1,
            Ask::Count | Ask::All => copies_a.len() as u64 * copies_b.len() as u64,
        };
        if relation == Relation::Crossing {
            self.answer.crossing += counted;
        } else {
            self.answer.touching += counted;
        }
        match self.ask {
            Ask::Whether => ControlFlow::Break(()),
            Ask::First => {
                self.found.push(pack(copies_a[0], copies_b[0], relation));
                ControlFlow::Break(())
            }
            Ask::Count => ControlFlow::Continue(()),
            Ask::All => {
                for &a in copies_a {
                    self.found.extend(copies_b.iter().map(|&b| pack(a, b, relation)));
                }
                ControlFlow::Continue(())
            }
        }
    }
}

/// Sorts as the pair does. A packed tree has fewer than 2²⁸ triangles.
#[inline]
fn pack(a: u32, b: u32, relation: Relation) -> u64 {
    u64::from(a) << 32 | u64::from(b) << 1 | u64::from(relation == Relation::Crossing)
}

fn unpack(key: u64) -> TrianglePair {
    let relation = if key & 1 == 1 { Relation::Crossing } else { Relation::Touching };
    TrianglePair { a: (key >> 32) as u32, b: key as u32 >> 1, relation }
}
