//! A closed mesh by itself: where it meets itself, and which sides of its triangles are within.
//!
//! 1. A triangle's *partners*: all that have more in common with it than the corner or edge that
//!    they share. They are found for all triangles of a leaf at once, in the leaves that are near.
//! 2. Triangles without partners, joined over edges that they have for themselves: one probe tells
//!    the winding number before all of them.
//! 3. The others are examined segment by segment ([`fan`](super::fan)): their edges, those of their
//!    partners, and what they have in common with those that cross them.
//!
//! Nothing is worked out before it is asked for, and what was is kept with the model ([`Sides`]).

use std::ops::ControlFlow;
use std::sync::Arc;

use glam::DVec3;

use super::body::Body;
use super::fan::{Fans, Member, Ring, winding_towards};
use super::line::{Face, Line};
use crate::internal::bvh::DeformableTree;
use crate::internal::exact::{Relation, meets_segment, relate_neighbours};
use crate::internal::math::pose::Pose;
use crate::internal::model::{DeformableBvh, Known, Partners, Seen, Sides, State};
use crate::internal::traverse::Workspace;
use crate::internal::traverse::deformable::single::{Within, leaves};
use crate::interrupt::checkpoint;

/// The greatest number of triangles around a corner that are examined.
const MOST_AROUND: usize = 32;

/// A closed surface and what is known of it by itself, wherever it stands.
#[derive(Clone, Copy)]
pub(crate) struct Own<'a> {
    body: Body<'a>,
    sides: &'a Sides,
}

impl<'a> Own<'a> {
    pub(crate) fn new(body: &Body<'a>) -> Self {
        // How it is placed says nothing about what it is.
        Self { body: Body { pose: &Pose::IDENTITY, ..*body }, sides: body.model.sides() }
    }

    /// The winding number before a triangle, on the side of its normal. `None` if the surface meets
    /// itself there, or the triangle is without area.
    pub(crate) fn before(&self, triangle: u32) -> Option<i32> {
        match self.sides.state(triangle) {
            State::Numbered(number) => return Some(number),
            State::Meets | State::Flat => return None,
            State::Clean | State::Unknown => {}
        }
        let known = &mut self.sides.known();
        self.examine(known, triangle);
        match self.sides.state(triangle) {
            State::Clean => Some(self.number_patch(known, triangle)),
            State::Numbered(number) => Some(number),
            State::Meets | State::Flat | State::Unknown => None,
        }
    }

    /// Whether a triangle certainly bounds the solid: it is within behind, and not before.
    pub(crate) fn is_boundary(&self, triangle: u32) -> bool {
        self.before(triangle) == Some(0)
    }

    /// Whether a triangle meets others in more than what they share.
    pub(crate) fn meets_others(&self, triangle: u32) -> bool {
        if self.sides.state(triangle) == State::Unknown {
            self.examine(&mut self.sides.known(), triangle);
        }
        self.sides.state(triangle) == State::Meets
    }

    /// The triangles that a triangle meets in more than what they share.
    pub(crate) fn partners(&self, triangle: u32) -> Arc<Partners> {
        if self.meets_others(triangle) {
            self.sides.partners_in(&self.sides.known(), triangle)
        } else {
            self.sides.none()
        }
    }

    /// What lies next to a triangle.
    pub(crate) fn seen(&self, triangle: u32) -> Seen {
        if let Some(before) = self.before(triangle) {
            return Seen::around(before);
        }
        if self.sides.state(triangle) == State::Flat {
            return Seen::default();
        }
        let known = self.sides.seen(triangle);
        known.unwrap_or_else(|| {
            let seen = self.look_around(triangle);
            self.sides.set_seen(triangle, seen);
            seen
        })
    }

    /// Finds out which others a triangle meets, and with it all that are in a leaf.
    fn examine(&self, known: &mut Known, triangle: u32) {
        if self.sides.state(triangle) != State::Unknown {
            return;
        }
        let search = Search { own: self, known };
        match self.body.model.deformable_bvh().and_then(DeformableBvh::side) {
            Some(side) => {
                let leaf = side.tree.leaf_of(triangle);
                let members = side.tree.numbers_of(leaf);
                let bounds = members.iter().map(|&t| self.boxed(t).bounds).reduce(around);
                let within = Within::new(&side, bounds.unwrap_or_default());
                let mut stack = std::mem::take(&mut search.known.workspace.blocks);
                let mut near = Vec::new();
                let _ = leaves(
                    &side,
                    &mut stack,
                    |boxes| within.may_meet(boxes),
                    |leaf| {
                        near.push(leaf);
                        ControlFlow::Continue(())
                    },
                );
                search.known.workspace.blocks = stack;
                search.leaf(side.tree, leaf, &near);
            }
            // There is no tree: every triangle may be a partner.
            None => search.alone(triangle),
        }
    }

    fn boxed(&self, triangle: u32) -> Boxed {
        let [p, q, r] = self.body.model.mesh().triangle(triangle as usize);
        Boxed { corners: [p, q, r], bounds: (p.min(q).min(r), p.max(q).max(r)) }
    }

    /// Whether it is known of the triangles of a leaf whom they meet.
    fn is_examined(&self, members: &[u32]) -> bool {
        let mut faces = members.iter().filter(|&&t| !self.is_flat(t));
        faces.next().is_some_and(|&first| self.sides.state(first) != State::Unknown)
    }

    fn is_flat(&self, triangle: u32) -> bool {
        self.body.shell.flat[triangle as usize]
    }

    /// The winding number before a triangle without partners, and before all that hang together
    /// with it of which it is known that they have none.
    fn number_patch(&self, known: &mut Known, triangle: u32) -> i32 {
        let shell = self.body.shell;
        known.marks.resize(shell.corners.len(), 0);
        known.walk += 1;
        known.marks[triangle as usize] = known.walk;
        let (mut patch, mut next, mut number) = (vec![triangle], 0, None);
        while let Some(&here) = patch.get(next) {
            checkpoint();
            next += 1;
            for &edge in &shell.edges_of[here as usize] {
                let Some(other) = self.goes_on(here, edge) else { continue };
                let mark = &mut known.marks[other as usize];
                match self.sides.state(other) {
                    State::Numbered(before) => number = Some(before),
                    State::Clean if *mark != known.walk => {
                        *mark = known.walk;
                        patch.push(other);
                    }
                    _ => {}
                }
            }
        }
        let number = number.unwrap_or_else(|| before(&self.body, triangle, &mut known.workspace));
        for triangle in patch {
            self.sides.set_number(triangle, number);
        }
        number
    }

    /// The triangle on the other side of an edge, if both go on with the same side up; elsewhere
    /// they may have different numbers before them.
    fn goes_on(&self, here: u32, edge: u32) -> Option<u32> {
        let shell = self.body.shell;
        let &[a, b] = shell.on_edge(edge) else { return None };
        let other = if a == here { b } else { a };
        let [from, to] = shell.edges[edge as usize];
        let runs = [here, other].map(|t| runs_along(shell.corners[t as usize], from, to));
        (runs[0] != runs[1]).then_some(other)
    }

    /// What lies next to a triangle that meets others: what is around the segments on it, until
    /// both has been seen.
    fn look_around(&self, triangle: u32) -> Seen {
        let shell = self.body.shell;
        let mut seen = Seen::default();
        let edges = shell.edges_of[triangle as usize];
        // On an edge of a triangle that meets no other there is nothing but the triangles that have
        // it.
        let beside = edges.iter().flat_map(|&edge| shell.on_edge(edge));
        for before in beside.filter_map(|&other| self.before(other)) {
            seen.add(Seen::around(before));
        }
        let corners = shell.corners[triangle as usize];
        for before in corners.iter().filter_map(|&corner| self.before_at(triangle, corner)) {
            seen.add(Seen::around(before));
        }
        if !seen.is_all() {
            // A break says that both has been seen.
            let _ = self.look_along(triangle, &mut seen);
        }
        seen
    }

    /// The winding number before a triangle near one of its corners, if one that meets no other
    /// tells.
    ///
    /// Nothing but the triangles that have the corner is near it, if one of them meets no other.
    /// From there to this one, over edges of two, the number is the same as long as none meets
    /// another that has the corner.
    pub(crate) fn before_at(&self, triangle: u32, corner: u32) -> Option<i32> {
        let edges = self.body.shell.edges_of[triangle as usize];
        edges.into_iter().find_map(|edge| self.turn_around(triangle, corner, edge))
    }

    /// Takes the number over while going around the corner over an edge.
    fn turn_around(&self, triangle: u32, corner: u32, mut edge: u32) -> Option<i32> {
        let shell = self.body.shell;
        let has_corner = |edge: u32| shell.edges[edge as usize].contains(&corner);
        let mut here = triangle;
        for _ in 0..MOST_AROUND {
            let is_free = |other: &u32| !shell.corners[*other as usize].contains(&corner);
            if !has_corner(edge) || !self.partners(here).all.iter().all(is_free) {
                return None;
            }
            here = self.goes_on(here, edge)?;
            if let Some(before) = self.before(here) {
                return Some(before);
            }
            let edges = shell.edges_of[here as usize].into_iter();
            edge = edges.filter(|&other| other != edge).find(|&other| has_corner(other))?;
        }
        None
    }

    fn look_along(&self, triangle: u32, seen: &mut Seen) -> ControlFlow<()> {
        let shell = self.body.shell;
        let (bodies, owns) = ([self.body], [*self]);
        let mut fans = Fans::new(&bodies, &owns);
        let workspace = &mut Workspace::default();
        let mut look = |fans: &mut Fans, line: &Line, around: Vec<u32>| {
            let around: Vec<Member> = around.into_iter().map(|triangle| (0, triangle)).collect();
            fans.look(line, &around, [None; 2], workspace, |ring| show(ring, triangle, seen))
        };
        let partners = self.partners(triangle);
        for &other in &partners.crossing {
            let (face, beside) = (fans.face((0, triangle)), fans.face((0, other)));
            if let Some(line) = Line::common(&face, &beside) {
                look(&mut fans, &line, self.on_both(triangle, other))?;
            }
        }
        let all = [triangle].into_iter().chain(partners.all.iter().copied());
        let mut edges: Vec<u32> = all.flat_map(|t| shell.edges_of[t as usize]).collect();
        edges.sort_unstable();
        edges.dedup();
        for edge in edges {
            let around = self.on_edge(edge);
            if around.contains(&triangle) {
                let line = fans.edge(0, shell.edges[edge as usize]);
                look(&mut fans, &line, around)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The triangles of a surface that meet one of its edges other than in an end.
    pub(super) fn on_edge(&self, edge: u32) -> Vec<u32> {
        let segment = self.body.placed_segment(self.body.shell.edges[edge as usize]);
        let own = self.body.shell.on_edge(edge);
        let mut around: Vec<u32> = own.iter().flat_map(|&t| self.partners(t).all.clone()).collect();
        around.sort_unstable();
        around.dedup();
        around.retain(|&t| !own.contains(&t) && meets_segment(&self.body.placed(t), &segment));
        around.extend(own);
        around
    }

    /// The triangles of a surface that may meet what two of them have in common where they cross.
    pub(super) fn on_both(&self, first: u32, second: u32) -> Vec<u32> {
        let mut around = vec![first, second];
        let (mine, others) = (self.partners(first), self.partners(second));
        // Both lists are sorted.
        let is_both = |t: &&u32| **t != second && others.all.binary_search(t).is_ok();
        around.extend(mine.all.iter().filter(is_both));
        around
    }
}

/// Notes what is around a part of a segment, if a triangle is there.
fn show(ring: &Ring, triangle: u32, seen: &mut Seen) -> ControlFlow<()> {
    if ring.members.contains(&(0, triangle)) {
        for [number, _] in &ring.wedges {
            seen.add(Seen { inside: *number > 0, outside: *number <= 0 });
        }
    }
    if seen.is_all() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// The box around two.
fn around(a: (DVec3, DVec3), b: (DVec3, DVec3)) -> (DVec3, DVec3) {
    (a.0.min(b.0), a.1.max(b.1))
}

/// A triangle in a box.
#[derive(Clone, Copy)]
struct Boxed {
    corners: [DVec3; 3],
    bounds: (DVec3, DVec3),
}

impl Boxed {
    /// How two triangles with area relate, if they have more in common than the corner or edge that
    /// they share.
    fn relate(&self, other: &Self) -> Relation {
        let ((low, high), (below, above)) = (self.bounds, other.bounds);
        if low.cmpgt(above).any() || high.cmplt(below).any() {
            return Relation::Apart;
        }
        checkpoint();
        relate_neighbours(self.corners, other.corners)
    }
}

/// Finds partners.
struct Search<'a, 'b> {
    own: &'b Own<'a>,
    known: &'b mut Known,
}

impl Search<'_, '_> {
    /// Of all triangles of a leaf, given the leaves that are near.
    fn leaf(self, tree: &DeformableTree, leaf: usize, near: &[usize]) {
        let own = self.own;
        let members = tree.numbers_of(leaf);
        let mut found = vec![Partners::default(); members.len()];
        let faces: Vec<Boxed> = members.iter().map(|&t| own.boxed(t)).collect();
        for &other in near {
            let others = tree.numbers_of(other);
            // Of a leaf that has been examined it is known whom its triangles meet.
            if other != leaf && own.is_examined(others) {
                for &second in others {
                    self.take_over(members, second, &mut found);
                }
                continue;
            }
            for (at, &second) in others.iter().enumerate().filter(|&(_, &t)| !own.is_flat(t)) {
                let face = if other == leaf { faces[at] } else { own.boxed(second) };
                // Of two of one leaf each is asked about once.
                let most = if other == leaf { at } else { members.len() };
                for place in (0..most).filter(|&place| !own.is_flat(members[place])) {
                    let relation = faces[place].relate(&face);
                    let is_met = found[place].add(second, relation);
                    if is_met && other == leaf {
                        found[at].add(members[place], relation);
                    }
                }
            }
        }
        self.known.make_room(found.iter().map(|partners| partners.all.len()).sum());
        for (&triangle, mut partners) in members.iter().zip(found) {
            partners.sort();
            if !own.is_flat(triangle) {
                own.sides.set_partners(self.known, triangle, partners);
            }
        }
    }

    /// What a triangle has found out about some others.
    fn take_over(&self, members: &[u32], second: u32, found: &mut [Partners]) {
        let sides = self.own.sides;
        if sides.state(second) != State::Meets {
            return;
        }
        let partners = sides.partners_in(self.known, second);
        for (&first, found) in members.iter().zip(found) {
            if partners.all.binary_search(&first).is_ok() {
                found.all.push(second);
            }
            if partners.crossing.binary_search(&first).is_ok() {
                found.crossing.push(second);
            }
        }
    }

    /// Of one triangle, among all of them.
    fn alone(self, triangle: u32) {
        let own = self.own;
        let mut partners = Partners::default();
        for other in own.body.shell.faces().filter(|&other| other != triangle) {
            checkpoint();
            partners.add(other, own.boxed(triangle).relate(&own.boxed(other)));
        }
        self.known.make_room(partners.all.len());
        own.sides.set_partners(self.known, triangle, partners);
    }
}

/// Whether a triangle runs through its edge from the first to the second vertex.
fn runs_along([a, b, c]: [u32; 3], from: u32, to: u32) -> bool {
    [[a, b], [b, c], [c, a]].contains(&[from, to])
}

/// The winding number before the middle of a triangle that meets no other there.
fn before(body: &Body, triangle: u32, workspace: &mut Workspace) -> i32 {
    let face = Face::new(body.corners(triangle));
    let [a, b, c] = &face.corners;
    let (first, second) = (b.minus(a).balanced(), c.minus(a).balanced());
    winding_towards(body, &face.centroid(), [&face.normal.balanced(), &first, &second], workspace)
}
