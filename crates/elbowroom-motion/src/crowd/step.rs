//! One question to a crowd, from cells to meshes.
//!
//! ```text
//!   cells ──▶ whole circles ──▶ footprints, each pair to its level ──▶ meshes, where asked
//! ```
//!
//! Each stage is a list, each item of which is worked on by itself: on one thread or on several, in
//! any order, the same comes out. What differs from call to call (which footprints and meshes have
//! to be made first) is counted before it is shared out.

use glam::{DVec2, DVec3};

use super::between::by_parts;
use super::crowd::{Bodies, Crowd, Slot};
use super::detail::{Counts, Detail, Near, Verdict};
use super::pool::{Body, Pool};
use super::role::Role;
use super::{PartContact, upright};
use crate::footprint::{Look, Nearness, Work, ask};
use elbowroom::internal::math::sort::digits_by_key;
use elbowroom::internal::query;
use elbowroom::internal::query::{CollisionRequest, Want};
use elbowroom::internal::traverse::Workspace;

/// The number of pairs after which a budget is checked.
const GROUP: usize = 64;

/// All circles.
const ALL: u32 = u32::MAX;

/// Memory that is kept from call to call.
#[derive(Debug, Default)]
pub(super) struct Step {
    pub(super) found: Vec<Near>,
    sorting: Vec<Near>,
    pub(super) counts: Counts,
    /// Circles around everybody, in the order of the grid.
    circles: Vec<Circle>,
    /// By slot, where density matters.
    crowding: Vec<u32>,
    candidates: Vec<Candidate>,
    /// What has to be made: performer and interval or sample.
    absent: Vec<(u32, u32)>,
    work: Work,
    workspace: Workspace,
}

#[derive(Clone, Copy, Debug)]
struct Circle {
    center: DVec2,
    radius: f64,
    slot: u32,
    id: u32,
}

/// Two whose whole circles meet.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// The one with the smaller id first.
    slots: [u32; 2],
    ids: [u32; 2],
    /// The level on which the pair is compared.
    level: u32,
    tests: u32,
    /// Squared, from the eye to the nearer one.
    distance: f64,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Clear,
    MayTouch,
    /// The circles do not clear them, and their meshes are to be compared.
    Wanted,
    Touching,
}

impl Step {
    pub(super) fn run<'a>(
        &mut self,
        crowd: &Crowd<'a>,
        pool: &mut Pool<'a>,
        detail: &Detail,
        parallel: bool,
    ) {
        self.counts = Counts::default();
        self.candidates.clear();
        if let Detail::Disk(radius) = *detail {
            // The larger of NaN and zero is zero.
            self.disks(crowd, radius.max(0.0));
        } else {
            self.make_footprints(crowd, parallel);
            self.gather(crowd);
            self.broad(crowd, detail);
            self.circles(crowd, detail, parallel);
            match crowd.bodies {
                Bodies::Shared => self.shared_meshes(crowd, parallel),
                Bodies::Skinned => self.skinned_meshes(crowd, pool, parallel),
            }
        }
        self.list();
    }

    /// Everybody is a disk around their place.
    fn disks(&mut self, crowd: &Crowd<'_>, radius: f64) {
        self.circles.clear();
        self.circles.extend(crowd.grid.order().iter().map(|&(_, slot)| {
            let Slot { id, ref member, .. } = crowd.slots[slot as usize];
            Circle { center: member.at.translation(), radius, slot, id }
        }));
        self.meet(crowd, 2.0 * radius);
        for candidate in &mut self.candidates {
            (candidate.level, candidate.state) = (0, State::MayTouch);
        }
    }

    /// Makes footprints that are not there yet.
    fn make_footprints(&mut self, crowd: &Crowd<'_>, parallel: bool) {
        self.absent.clear();
        for &(_, slot) in crowd.grid.order() {
            let Slot { span, member, .. } = crowd.slots[slot as usize];
            if !crowd.roles[member.performer as usize].is_made(span as usize) {
                self.absent.push((member.performer, span));
            }
        }
        self.absent.sort_unstable();
        self.absent.dedup();
        self.counts.made = self.absent.len() as u64;
        each(&mut self.absent, parallel, &mut (), |(), &mut (performer, span)| {
            crowd.roles[performer as usize].span(span as usize);
        });
    }

    /// Whole circles where they stand.
    fn gather(&mut self, crowd: &Crowd<'_>) {
        const U: f64 = f64::EPSILON;
        self.circles.clear();
        self.circles.extend(crowd.grid.order().iter().map(|&(_, slot)| {
            let Slot { id, span, ref member, .. } = crowd.slots[slot as usize];
            let span = crowd.roles[member.performer as usize].span(span as usize);
            let at = &member.at;
            // More than a question about two footprints allows for: docs/notes/volume-slack.md.
            let size = 4.0 * crowd.reach + at.translation().abs().element_sum();
            let slack = size * 256.0 * U + 32.0 * crowd.reach * at.deviation();
            let radius = span.radius * (1.0 + 8.0 * U) + slack + f64::MIN_POSITIVE;
            Circle { center: at.apply(span.center), radius, slot, id }
        }));
    }

    /// Finds the candidates and the levels for them.
    fn broad(&mut self, crowd: &Crowd<'_>, detail: &Detail) {
        self.meet(crowd, 2.0 * crowd.reach);
        if matches!(detail, Detail::Density { .. }) {
            self.count_neighbours(crowd);
        }
        let crowding = &self.crowding;
        for candidate in &mut self.candidates {
            let levels = candidate.slots.map(|slot| level_of(crowd, slot, detail, crowding));
            candidate.level = levels[0].max(levels[1]);
            if let Detail::Camera { eye, .. } | Detail::Budget { eye, .. } = detail {
                let distances = candidate.slots.map(|slot| distance_squared(crowd, slot, *eye));
                candidate.distance = distances[0].min(distances[1]);
            }
        }
        if matches!(detail, Detail::Budget { .. }) {
            self.candidates
                .sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.ids.cmp(&b.ids)));
        }
    }

    /// All pairs whose whole circles meet and whose distance is within the limit. The limit is
    /// needed because a whole circle may reach beyond the searched cells; the list would then
    /// depend on the borders of cells.
    fn meet(&mut self, crowd: &Crowd<'_>, apart: f64) {
        let (circles, candidates) = (&self.circles, &mut self.candidates);
        // A heading may stretch a body by a billionth.
        let limit = apart * (1.0 + 1e-8);
        let stand = |slot: u32| crowd.slots[slot as usize].member.at.translation();
        crowd.grid.neighbours(apart, |place, others| {
            let own = &circles[place];
            for other in &circles[others] {
                let reach = own.radius + other.radius;
                if (other.center - own.center).length_squared() <= reach * reach {
                    if stand(own.slot).distance_squared(stand(other.slot)) > limit * limit {
                        continue;
                    }
                    let (a, b) = if own.id < other.id { (own, other) } else { (other, own) };
                    candidates.push(Candidate::new([a.slot, b.slot], [a.id, b.id]));
                }
            }
        });
        self.counts.broad = candidates.len() as u64;
    }

    /// How many others are in the cell of each and the eight around it.
    fn count_neighbours(&mut self, crowd: &Crowd<'_>) {
        self.crowding.clear();
        self.crowding.resize(crowd.slots.len(), 0);
        let (crowding, order) = (&mut self.crowding, crowd.grid.order());
        crowd.grid.neighbours(0.0, |place, others| {
            crowding[order[place].1 as usize] += others.len() as u32;
            for other in &order[others] {
                crowding[other.1 as usize] += 1;
            }
        });
    }

    /// Compares footprints.
    fn circles(&mut self, crowd: &Crowd<'_>, detail: &Detail, parallel: bool) {
        let Self { candidates, work, counts, .. } = self;
        let look = |work: &mut Work, candidate: &mut Candidate| candidate.look(crowd, work);
        each(candidates, parallel, work, look);
        counts.tests = candidates.iter().map(|candidate| u64::from(candidate.tests)).sum();
        match *detail {
            Detail::Exact => want(candidates, u64::MAX, f64::INFINITY),
            Detail::Camera { exact_within, .. } => {
                // The larger of NaN and zero is zero.
                let within = exact_within.max(0.0);
                if within > 0.0 {
                    want(candidates, u64::MAX, within * within);
                }
            }
            Detail::Budget { tests, exact, .. } => {
                let mut left = tests;
                for group in candidates.chunks_mut(GROUP) {
                    if left == 0 {
                        break;
                    }
                    each(group, parallel, work, |work, candidate| {
                        candidate.tests = 0;
                        if candidate.state == State::MayTouch {
                            candidate.level = ALL;
                            candidate.look(crowd, work);
                        }
                    });
                    let spent: u64 = group.iter().map(|c| u64::from(c.tests)).sum();
                    counts.tests += spent;
                    left = left.saturating_sub(spent);
                }
                want(candidates, exact, f64::INFINITY);
            }
            _ => {}
        }
        counts.near = candidates.iter().filter(|c| c.state != State::Clear).count() as u64;
    }

    /// Compares the meshes of those who are wanted, as they are kept.
    fn shared_meshes(&mut self, crowd: &Crowd<'_>, parallel: bool) {
        self.absent.clear();
        for candidate in self.candidates.iter().filter(|c| c.state == State::Wanted) {
            self.counts.exact += 1;
            for slot in candidate.slots {
                let Slot { sample, member, .. } = crowd.slots[slot as usize];
                let performer = &crowd.roles[member.performer as usize].performer;
                if !performer.is_posed(sample as usize) {
                    self.absent.push((member.performer, sample));
                }
            }
        }
        self.absent.sort_unstable();
        self.absent.dedup();
        self.counts.posed = self.absent.len() as u64;
        each(&mut self.absent, parallel, &mut (), |(), &mut (performer, sample)| {
            crowd.roles[performer as usize].performer.posed(sample as usize).model();
        });
        each(&mut self.candidates, parallel, &mut self.workspace, |workspace, candidate| {
            if candidate.state == State::Wanted {
                candidate.decide(crowd, workspace);
            }
        });
    }

    /// Compares the wanted meshes, with characters that are skinned for it.
    fn skinned_meshes<'a>(&mut self, crowd: &Crowd<'a>, pool: &mut Pool<'a>, parallel: bool) {
        let wanted = |candidate: &&Candidate| candidate.state == State::Wanted;
        let slots = self.candidates.iter().filter(wanted).flat_map(|candidate| candidate.slots);
        pool.pose(crowd, slots, parallel);
        for candidate in &mut self.candidates {
            if candidate.state != State::Wanted {
                continue;
            }
            let [a, b] = candidate.slots;
            let bodies = pool.body(crowd, a).zip(pool.body(crowd, b));
            let may_meet = |(a, b): (&Body<'_>, &Body<'_>)| {
                a.character.bounds().may_meet(b.character.bounds())
            };
            if !bodies.is_none_or(may_meet) {
                candidate.state = State::Clear;
                self.counts.boxed += 1;
                continue;
            }
            pool.want(crowd, a);
            pool.want(crowd, b);
            self.counts.exact += 1;
        }
        self.counts.posed = pool.skin(parallel);
        let pool = &*pool;
        each(&mut self.candidates, parallel, &mut self.workspace, |workspace, candidate| {
            let [a, b] = candidate.slots;
            let (State::Wanted, Some(a), Some(b)) =
                (candidate.state, pool.skinned(crowd, a), pool.skinned(crowd, b))
            else {
                return;
            };
            let answer = query::collide_deformable(a.model(), b.model(), Want::Any, workspace);
            candidate.state = if answer.is_contact() { State::Touching } else { State::Clear };
        });
    }

    /// Where two touch, by the regions of their joints.
    pub(super) fn between(&mut self, roles: &[Role<'_>], a: &Slot, b: &Slot) -> Vec<PartContact> {
        let (Ok(place_a), Ok(place_b)) = (upright(&a.member.at), upright(&b.member.at)) else {
            return Vec::new();
        };
        let [(model_a, joints_a), (model_b, joints_b)] = [a, b].map(|slot| {
            let role = &roles[slot.member.performer as usize];
            (role.performer.posed(slot.sample as usize).model(), role.joints())
        });
        let question = CollisionRequest::default();
        let answer =
            query::collide(model_a, &place_a, model_b, &place_b, &question, &mut self.workspace);
        by_parts(&answer.pairs, joints_a, joints_b, |pair| {
            query::contact(model_a, &place_a, model_b, &place_b, pair).point
        })
    }

    /// Writes down what was found.
    fn list(&mut self) {
        self.found.clear();
        for candidate in &self.candidates {
            let level = (candidate.level != ALL).then_some(candidate.level);
            let verdict = match candidate.state {
                State::Clear => continue,
                State::MayTouch | State::Wanted => Verdict::MayTouch { level },
                State::Touching => Verdict::Touching,
            };
            self.found.push(Near { ids: candidate.ids, verdict });
        }
        let key = |near: &Near| u64::from(near.ids[0]) << 32 | u64::from(near.ids[1]);
        digits_by_key(&mut self.found, &mut self.sorting, u64::MAX, key);
    }
}

impl Candidate {
    fn new(slots: [u32; 2], ids: [u32; 2]) -> Self {
        Self { slots, ids, level: ALL, tests: 0, distance: 0.0, state: State::Clear }
    }

    /// Compares the footprints down to the level.
    fn look(&mut self, crowd: &Crowd<'_>, work: &mut Work) {
        let [a, b] = self.slots.map(|slot| &crowd.slots[slot as usize]);
        let footprint = |slot: &Slot| {
            let role = &crowd.roles[slot.member.performer as usize];
            &role.span(slot.span as usize).footprint
        };
        let level = (self.level != ALL).then_some(self.level);
        let look = Look { level, ..Look::default() };
        (work.tests, work.batches) = (0, 0);
        let said = ask(footprint(a), &a.member.at, footprint(b), &b.member.at, &look, work);
        // The whole circles were compared, too.
        self.tests = (1 + work.tests + work.batches) as u32;
        self.state = match said {
            Nearness::Clear => State::Clear,
            Nearness::MayTouch => State::MayTouch,
        };
    }

    /// Compares the meshes.
    fn decide(&mut self, crowd: &Crowd<'_>, workspace: &mut Workspace) {
        let [a, b] = self.slots.map(|slot| &crowd.slots[slot as usize]);
        let model = |slot: &Slot| {
            let performer = &crowd.roles[slot.member.performer as usize].performer;
            performer.posed(slot.sample as usize).model()
        };
        // What was set has been tried; and what cannot be decided may touch.
        let (Ok(place_a), Ok(place_b)) = (upright(&a.member.at), upright(&b.member.at)) else {
            return;
        };
        let question = CollisionRequest { want: Want::Any, ..CollisionRequest::default() };
        let answer = query::collide(model(a), &place_a, model(b), &place_b, &question, workspace);
        self.state = if answer.is_contact() { State::Touching } else { State::Clear };
    }
}

/// Marks the first `count` pairs that may touch, within a distance (squared), for comparison of
/// their meshes.
fn want(candidates: &mut [Candidate], count: u64, within: f64) {
    let mut left = count;
    for candidate in candidates {
        if left > 0 && candidate.state == State::MayTouch && candidate.distance <= within {
            candidate.state = State::Wanted;
            left -= 1;
        }
    }
}

/// The level that a detail gives to a member.
fn level_of(crowd: &Crowd<'_>, slot: u32, detail: &Detail, crowding: &[u32]) -> u32 {
    match *detail {
        Detail::Level(level) => level,
        Detail::Disk(_) | Detail::Budget { .. } => 0,
        Detail::Full => ALL,
        Detail::Exact => crowd.exact_level.unwrap_or(ALL),
        Detail::Camera { eye, angle, .. } => {
            let Slot { span, member, .. } = crowd.slots[slot as usize];
            let size = angle * distance_squared(crowd, slot, eye).sqrt();
            let role = &crowd.roles[member.performer as usize];
            // No circle is smaller than what is no number.
            role.span(span as usize).level_below(size).unwrap_or(ALL)
        }
        Detail::Density { sparse, dense, neighbours } => {
            let (sparse, dense) = (i64::from(sparse), i64::from(dense));
            let count = i64::from(crowding[slot as usize].min(neighbours));
            let between = (dense - sparse) * count / i64::from(neighbours.max(1));
            u32::try_from(sparse + between).unwrap_or(ALL)
        }
    }
}

fn distance_squared(crowd: &Crowd<'_>, slot: u32, eye: DVec3) -> f64 {
    let place = crowd.slots[slot as usize].member.at.translation();
    place.extend(0.0).distance_squared(eye)
}

/// Does something to each item, here or on rayon's threads, with memory for each thread.
#[cfg(feature = "parallel")]
pub(super) fn each<T: Send, W: Default + Send>(
    items: &mut [T],
    parallel: bool,
    memory: &mut W,
    act: impl Fn(&mut W, &mut T) + Sync,
) {
    use rayon::prelude::*;
    if parallel {
        items
            .par_iter_mut()
            .with_min_len(16)
            .for_each_init(W::default, |memory, item| act(memory, item));
    } else {
        for item in items {
            act(memory, item);
        }
    }
}

/// Does something to each item.
#[cfg(not(feature = "parallel"))]
pub(super) fn each<T, W>(items: &mut [T], _: bool, memory: &mut W, act: impl Fn(&mut W, &mut T)) {
    for item in items {
        act(memory, item);
    }
}
