//! Traversal of two trees of moving boxes, or of one with itself: the pair that begins to overlap
//! first is visited first.

use super::super::self_contacts::Neighbours;
use super::TimeOfImpact;
use super::swept::SweptMesh;
use crate::internal::bvh::NodeId;
use crate::internal::exact::{Approach, Impact, Moving, neighbours_meet, triangles_meet};
use crate::internal::math::sort::many_by_key;
use crate::interrupt::checkpoint;

/// What a traversal needs to remember; kept, it allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    waiting: Vec<Waiting>,
    /// How many pairs of boxes and of triangles the last query compared.
    pub boxes: u64,
    /// Pairs of triangles.
    pub triangles: u64,
}

/// Two nodes that overlap from a time on.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    from: f64,
    a: NodeId,
    b: NodeId,
}

/// What is done with contacts.
enum Take {
    /// The first is kept.
    First(Option<TimeOfImpact>),
    /// All are.
    All(Vec<TimeOfImpact>),
}

/// A traversal on its way.
struct Descent<'a> {
    a: &'a SweptMesh,
    b: &'a SweptMesh,
    approach: Approach,
    /// By how much boxes are wider than what is in them.
    margin: f64,
    /// Of one mesh with itself.
    within: Option<Neighbours>,
    take: Take,
}

pub(super) fn first(
    a: &SweptMesh,
    b: &SweptMesh,
    approach: &Approach,
    steps: &mut Steps,
) -> Option<TimeOfImpact> {
    match run(a, b, approach, None, Take::First(None), steps) {
        Take::First(found) => found,
        Take::All(_) => None,
    }
}

pub(super) fn all(
    a: &SweptMesh,
    b: &SweptMesh,
    approach: &Approach,
    steps: &mut Steps,
) -> Vec<TimeOfImpact> {
    listed(run(a, b, approach, None, Take::All(Vec::new()), steps))
}

pub(super) fn first_within(
    mesh: &SweptMesh,
    neighbours: Neighbours,
    approach: &Approach,
    steps: &mut Steps,
) -> Option<TimeOfImpact> {
    match run(mesh, mesh, approach, Some(neighbours), Take::First(None), steps) {
        Take::First(found) => found,
        Take::All(_) => None,
    }
}

pub(super) fn all_within(
    mesh: &SweptMesh,
    neighbours: Neighbours,
    approach: &Approach,
    steps: &mut Steps,
) -> Vec<TimeOfImpact> {
    listed(run(mesh, mesh, approach, Some(neighbours), Take::All(Vec::new()), steps))
}

fn listed(take: Take) -> Vec<TimeOfImpact> {
    let mut all = match take {
        Take::First(found) => found.into_iter().collect(),
        Take::All(all) => all,
    };
    many_by_key(&mut all, |since| (since.a, since.b));
    all
}

fn run(
    a: &SweptMesh,
    b: &SweptMesh,
    approach: &Approach,
    within: Option<Neighbours>,
    take: Take,
    steps: &mut Steps,
) -> Take {
    // Coordinates are subtracted: a rounding of the largest each, and some more.
    let lost = 8.0 * f64::EPSILON * a.reach().max(b.reach());
    let margin = approach.offset + approach.delta + lost;
    let mut descent = Descent { a, b, approach: *approach, margin, within, take };
    steps.waiting.clear();
    (steps.boxes, steps.triangles) = (0, 0);
    descent.offer(NodeId::ROOT, NodeId::ROOT, steps);
    while let Some(waiting) = steps.waiting.pop() {
        checkpoint();
        if descent.is_late(waiting.from) {
            continue;
        }
        if descent.open(waiting, steps) {
            break;
        }
    }
    descent.take
}

impl Descent<'_> {
    /// Whether what begins at a time cannot be the first.
    fn is_late(&self, from: f64) -> bool {
        matches!(&self.take, Take::First(Some(best)) if from >= best.time)
    }

    /// From when on two nodes overlap, if they do before the end.
    fn overlap(&self, a: NodeId, b: NodeId, steps: &mut Steps) -> Option<Waiting> {
        steps.boxes += 1;
        let from = self.a.at(a).meets_from(self.b.at(b), self.margin)?;
        (!self.is_late(from)).then_some(Waiting { from, a, b })
    }

    fn offer(&self, a: NodeId, b: NodeId, steps: &mut Steps) {
        let found = if self.within.is_some() && a == b {
            Some(Waiting { from: 0.0, a, b })
        } else {
            self.overlap(a, b, steps)
        };
        steps.waiting.extend(found);
    }

    /// Looks at two nodes' children, or decides their triangles; whether nothing can be earlier
    /// than what was found.
    fn open(&mut self, waiting: Waiting, steps: &mut Steps) -> bool {
        let Waiting { a, b, .. } = waiting;
        let (first, second) = (self.a.tree().children(a), self.b.tree().children(b));
        if self.within.is_some() && a == b {
            match first {
                None => return self.decide(waiting, steps),
                Some([left, right]) => {
                    self.offer(left, left, steps);
                    self.offer(right, right, steps);
                    self.offer(left, right, steps);
                }
            }
            return false;
        }
        let opens_first = match (first, second) {
            (None, None) => return self.decide(waiting, steps),
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(_), Some(_)) => self.a.at(a).extent() >= self.b.at(b).extent(),
        };
        let pairs = match (opens_first, first, second) {
            (true, Some([left, right]), _) => [(left, b), (right, b)],
            (_, _, Some([left, right])) => [(a, left), (a, right)],
            _ => return false,
        };
        let [one, other] = pairs.map(|(a, b)| self.overlap(a, b, steps));
        // What is popped first begins first.
        match (one, other) {
            (Some(one), Some(other)) if one.from < other.from => {
                steps.waiting.extend([other, one]);
            }
            _ => steps.waiting.extend(one.into_iter().chain(other)),
        }
        false
    }

    fn decide(&mut self, waiting: Waiting, steps: &mut Steps) -> bool {
        let (first, second) = (self.a.tree().run(waiting.a), self.b.tree().run(waiting.b));
        let is_one = self.within.is_some() && waiting.a == waiting.b;
        for i in first {
            let others = if is_one { i + 1..second.end } else { second.clone() };
            for j in others {
                steps.triangles += 1;
                let pair = [self.a.tree().order()[i], self.b.tree().order()[j]];
                let pair = if self.within.is_some() && pair[1] < pair[0] {
                    [pair[1], pair[0]]
                } else {
                    pair
                };
                if self.test(pair, waiting.from) {
                    return true;
                }
            }
        }
        false
    }

    /// Tests two triangles; whether nothing can be earlier than what was found.
    fn test(&mut self, pair: [u32; 2], from: f64) -> bool {
        let corners = [self.a.corners(pair[0]), self.b.corners(pair[1])];
        if let Take::First(Some(best)) = &self.take {
            self.approach.until = best.time;
        }
        let Some(impact) = self.impact(pair, &corners, from) else { return false };
        let since = TimeOfImpact::new(pair, &corners, &impact);
        match &mut self.take {
            Take::All(all) => {
                all.push(since);
                false
            }
            Take::First(best) => {
                if best.is_none_or(|best| since.time < best.time) {
                    *best = Some(since);
                }
                since.time == 0.0
            }
        }
    }

    fn impact(&self, pair: [u32; 2], corners: &[[Moving; 3]; 2], from: f64) -> Option<Impact> {
        let [a, b] = *corners;
        match self.within {
            Some(neighbours) if self.are_neighbours(pair, corners) => match neighbours {
                Neighbours::Skip => None,
                Neighbours::Decide | Neighbours::Count => neighbours_meet(a, b, &self.approach),
            },
            _ => triangles_meet(a, b, from, &self.approach),
        }
    }

    /// Whether two triangles of one mesh have a corner in common: by number, or by place at both
    /// ends.
    fn are_neighbours(&self, pair: [u32; 2], [a, b]: &[[Moving; 3]; 2]) -> bool {
        let named = pair.map(|i| self.a.mesh().triangles()[i as usize]);
        (0..3).any(|i| (0..3).any(|j| named[0][i] == named[1][j] || a[i] == b[j]))
    }
}
