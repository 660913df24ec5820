//! A closed mesh by itself: where it meets itself, and which sides of its triangles are within.
//!
//! 1. Every pair of triangles that have more in common than the corner or edge that they share.
//! 2. Triangles that are in no such pair, joined over edges that they have for themselves: one probe tells the winding
//!    number before all of them.
//! 3. The others are looked at segment by segment ([`fan`](super::fan)): their edges, and what those that cross have in
//!    common.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::body::Body;
use super::fan::{Fans, Member, winding_towards};
use super::line::{Face, Line};
use crate::internal::bvh::{Column, NodeId, Tree};
use crate::internal::exact::{
    PlacedTriangle, Relation, Sign, meets_segment, orient3d, relate, turn,
};
use crate::internal::geom::Parts;
use crate::internal::math::pose::Pose;
use crate::internal::model::{Model, Seen, Sides, with_column};
use crate::internal::traverse::{Judge, Rule, SelfJudge, Workspace, within};
use crate::internal::volume::{Meet, Rigid};
use crate::interrupt::hold;

/// Which sides of a closed model's triangles are within it; worked out once a model.
pub(crate) fn sides<'a>(model: &'a Model, workspace: &mut Workspace) -> &'a Sides {
    model.sides(|| work_out(model, workspace))
}

fn work_out(model: &Model, workspace: &mut Workspace) -> Sides {
    let body = Body::new(model, &Pose::IDENTITY);
    let count = body.shell.corners.len();
    let mut sides =
        Sides { before: vec![None; count], seen: vec![Seen::default(); count], ..Sides::default() };
    find_partners(&body, &mut sides, workspace);
    number_patches(&body, &mut sides, workspace);
    let seen = look_around(&body, &sides, workspace);
    for (triangle, around) in sides.seen.iter_mut().enumerate() {
        match sides.before[triangle] {
            Some(before) => *around = Seen::around(before),
            None => *around = seen[triangle],
        }
    }
    sides.components = components(&body, &sides.seen);
    sides
}

/// A vertex of each part of the surface, and what is next to the whole part.
fn components(body: &Body, seen: &[Seen]) -> Vec<(u32, Seen)> {
    let shell = body.shell;
    let mut parts = shell.joined(body.model.mesh().vertices().len());
    let mut around: BTreeMap<u32, Seen> = BTreeMap::new();
    for triangle in shell.faces() {
        let root = parts.root(shell.corners[triangle as usize][0]);
        around.entry(root).or_default().add(seen[triangle as usize]);
    }
    around.into_iter().collect()
}

fn find_partners(body: &Body, sides: &mut Sides, workspace: &mut Workspace) {
    let model = body.model;
    let space = Rigid::common(model.reach(), model.reach(), 0.0);
    let (tree, columns) = model.any_tree();
    with_column!(columns, column => {
        let mut own = Own { body, tree, column, space: (&space).into(), sides, met: 0 };
        // The judge never breaks.
        let _ = within(tree, Rule::Larger, &mut own, workspace);
    });
    sides.crossing.sort_unstable();
    for partners in sides.partners.values_mut() {
        partners.sort_unstable();
    }
}

/// What a pair of triangles takes, in lists that grow by doubling.
const MET: usize = 32;

struct Own<'a, V: Meet> {
    body: &'a Body<'a>,
    tree: &'a Tree,
    column: &'a Column<V>,
    space: V::Space,
    sides: &'a mut Sides,
    /// How many pairs were found.
    met: usize,
}

impl<V: Meet> Own<'_, V> {
    fn test(&mut self, first: u32, second: u32) {
        let shell = self.body.shell;
        if shell.flat[first as usize] || shell.flat[second as usize] {
            return;
        }
        let Some(relation) = meet_beyond_shared(self.body, first, second) else { return };
        self.met += 1;
        hold(self.met, MET);
        self.sides.partners.entry(first).or_default().push(second);
        self.sides.partners.entry(second).or_default().push(first);
        if relation == Relation::Crossing {
            self.sides.crossing.push([first.min(second), first.max(second)]);
        }
    }
}

/// How two triangles of one surface relate, if they have more in common than the corner or edge that they share.
pub(super) fn meet_beyond_shared(body: &Body, first: u32, second: u32) -> Option<Relation> {
    let [p, q] = [first, second].map(|triangle| body.shell.corners[triangle as usize]);
    let shared: Vec<u32> = p.into_iter().filter(|corner| q.contains(corner)).collect();
    let (t, u) = (body.placed(first), body.placed(second));
    let others = |own: [u32; 3]| own.into_iter().filter(|corner| !shared.contains(corner));
    match shared[..] {
        [] => Some(relate(&t, &u)).filter(|&relation| relation != Relation::Apart),
        [_] => {
            // If two corners are strictly on one side of the other triangle's plane, so is all but the shared one.
            let leaves = |plane, other, corners: [u32; 3]| {
                let mut signs = (0..3)
                    .filter(|&i| !shared.contains(&corners[i]))
                    .map(|i| orient3d(plane, other, [0, 1, 2, 3 + i]));
                let sign = signs.next();
                sign != Some(Sign::Zero) && signs.next() == sign
            };
            if leaves(&t, &u, q) || leaves(&u, &t, p) {
                return None;
            }
            // What is common is convex and holds the shared corner: if there is more, it reaches an opposite side.
            let opposite = |own: [u32; 3]| {
                let mut ends = others(own);
                Some(body.placed_segment([ends.next()?, ends.next()?]))
            };
            let meets = |triangle: &PlacedTriangle, segment: Option<PlacedTriangle>| {
                segment.is_some_and(|segment| meets_segment(triangle, &segment))
            };
            (meets(&t, opposite(q)) || meets(&u, opposite(p))).then(|| relate(&t, &u))
        }
        [from, to] => {
            let (a, b) = (others(p).next()?, others(q).next()?);
            are_folded(body, [from, to], a, b).then_some(Relation::Touching)
        }
        _ => Some(Relation::Touching),
    }
}

/// Whether two triangles on one edge are in one plane and on the same side of it.
fn are_folded(body: &Body, [from, to]: [u32; 2], a: u32, b: u32) -> bool {
    let [from, to, a, b] = [from, to, a, b].map(|v| body.model.mesh().vertices()[v as usize]);
    let [first, second] = [a, b].map(|apex| PlacedTriangle::new(&Pose::IDENTITY, [from, to, apex]));
    if orient3d(&first, &second, [0, 1, 2, 5]) != Sign::Zero {
        return false;
    }
    (0..3).any(|axis| {
        let [own, other] = [a, b].map(|apex| turn(axis, [from, to, apex]));
        own == other && own != Sign::Zero
    })
}

impl<V: Meet> Judge for Own<'_, V> {
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        self.column[a].may_meet(&self.column[b], &self.space)
    }

    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.column[a].reach() >= self.column[b].reach()
    }

    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()> {
        for &first in self.tree.members(a) {
            for &second in self.tree.members(b) {
                self.test(first, second);
            }
        }
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        unreachable!("no level limit was set")
    }
}

impl<V: Meet> SelfJudge for Own<'_, V> {
    fn leaf(&mut self, leaf: NodeId) -> ControlFlow<()> {
        let members = self.tree.members(leaf);
        for (place, &first) in members.iter().enumerate() {
            for &second in &members[place + 1..] {
                self.test(first, second);
            }
        }
        ControlFlow::Continue(())
    }
}

/// The winding number before all triangles that meet no other, patch by patch.
fn number_patches(body: &Body, sides: &mut Sides, workspace: &mut Workspace) {
    let shell = body.shell;
    let mut patches = Parts::new(shell.corners.len());
    let is_clean = |triangle: u32| !sides.partners.contains_key(&triangle);
    for (edge, &[from, to]) in shell.edges.iter().enumerate() {
        // Only where both go on with the same side up; elsewhere they may have different numbers before them.
        if let &[a, b] = shell.on_edge(edge as u32)
            && is_clean(a)
            && is_clean(b)
            && runs_along(shell.corners[a as usize], from, to)
                != runs_along(shell.corners[b as usize], from, to)
        {
            patches.join(a, b);
        }
    }
    for triangle in shell.faces() {
        if sides.partners.contains_key(&triangle) {
            continue;
        }
        let root = patches.root(triangle);
        // The smallest of a patch is its root, so its number is known before it is needed.
        let number = match sides.before[root as usize] {
            Some(number) => number,
            None => before(body, root, workspace),
        };
        sides.before[triangle as usize] = Some(number);
    }
}

/// Whether a triangle runs through its edge from the first to the second vertex.
fn runs_along([a, b, c]: [u32; 3], from: u32, to: u32) -> bool {
    [[a, b], [b, c], [c, a]].contains(&[from, to])
}

/// The winding number before the middle of a triangle that meets no other there.
pub(super) fn before(body: &Body, triangle: u32, workspace: &mut Workspace) -> i32 {
    let face = Face::new(body.corners(triangle));
    let [a, b, c] = &face.corners;
    let (first, second) = (b.minus(a).balanced(), c.minus(a).balanced());
    winding_towards(body, &face.centroid(), [&face.normal.balanced(), &first, &second], workspace)
}

/// What lies next to the triangles that meet others.
fn look_around(body: &Body, sides: &Sides, workspace: &mut Workspace) -> Vec<Seen> {
    let shell = body.shell;
    let mut seen = vec![Seen::default(); shell.corners.len()];
    if sides.partners.is_empty() {
        return seen;
    }
    let (bodies, all_sides) = ([*body], [sides]);
    let mut fans = Fans::new(&bodies, &all_sides);
    let mut note = |fans: &mut Fans, line: &Line, around: &[Member]| {
        // Nothing breaks it off.
        let _ = fans.look(line, around, [None; 2], workspace, |ring| {
            let mut here = Seen::default();
            for [number, _] in &ring.wedges {
                here.add(Seen { inside: *number > 0, outside: *number <= 0 });
            }
            for &(_, triangle) in &ring.members {
                seen[triangle as usize].add(here);
            }
            ControlFlow::Continue(())
        });
    };
    let mut edges: Vec<u32> =
        sides.partners.keys().flat_map(|&triangle| shell.edges_of[triangle as usize]).collect();
    edges.sort_unstable();
    edges.dedup();
    for edge in edges {
        let line = fans.edge(0, shell.edges[edge as usize]);
        let around: Vec<Member> =
            on_edge(body, sides, edge).into_iter().map(|triangle| (0, triangle)).collect();
        note(&mut fans, &line, &around);
    }
    for &[first, second] in &sides.crossing {
        let (face, other) = (fans.face((0, first)), fans.face((0, second)));
        if let Some(line) = Line::common(&face, &other) {
            let around: Vec<Member> =
                on_both(sides, first, second).into_iter().map(|triangle| (0, triangle)).collect();
            note(&mut fans, &line, &around);
        }
    }
    seen
}

/// The triangles of a surface that meet one of its edges other than in an end.
pub(super) fn on_edge(body: &Body, sides: &Sides, edge: u32) -> Vec<u32> {
    let segment = body.placed_segment(body.shell.edges[edge as usize]);
    let own = body.shell.on_edge(edge);
    let mut around: Vec<u32> = own.iter().flat_map(|&t| sides.partners(t)).copied().collect();
    around.sort_unstable();
    around.dedup();
    around.retain(|&t| !own.contains(&t) && meets_segment(&body.placed(t), &segment));
    around.extend(own);
    around
}

/// The triangles of a surface that may meet what two of them have in common where they cross.
pub(super) fn on_both(sides: &Sides, first: u32, second: u32) -> Vec<u32> {
    let mut around = vec![first, second];
    let others = sides.partners(second);
    // Both lists are sorted.
    let is_both = |t: &&u32| **t != second && others.binary_search(t).is_ok();
    around.extend(sides.partners(first).iter().filter(is_both));
    around
}
