//! Two closed surfaces, and all that can be seen where they meet and where they do not.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::fan::{Fans, Member, Ring};
use super::line::Line;
use super::own::Own;
use super::{Body, Clear, Solids, winding_of_vertex};
use crate::internal::exact::{PlacedTriangle, Relation, Sign, orient3d, side};
use crate::internal::math::sort::many_by_key;
use crate::internal::model::Seen;
use crate::internal::query::collide::{Known, TrianglePair, visit};
use crate::internal::traverse::Workspace;
use crate::interrupt::hold;

/// What a pair of triangles takes, in lists that grow by doubling.
const MET: usize = 32;

/// Which triangles of two surfaces meet.
pub(crate) struct Meeting<'a> {
    pub(crate) bodies: [Body<'a>; 2],
    /// For each surface: the other's triangles that each triangle meets, sorted.
    pub(crate) met_by: [HashMap<u32, Vec<u32>>; 2],
    pub(super) crossing: Vec<[u32; 2]>,
}

impl<'a> Meeting<'a> {
    /// Finds all pairs that meet, of triangles with area. `None` if two triangles cross that
    /// `are_enough` accepts.
    pub(crate) fn find(
        bodies: [Body<'a>; 2],
        known: Known,
        mut are_enough: impl FnMut(u32, u32) -> bool,
        workspace: &mut Workspace,
    ) -> Option<Self> {
        let [a, b] = bodies;
        let mut meeting = Self { bodies, met_by: Default::default(), crossing: Vec::new() };
        let mut met = 0;
        let take = |pair: TrianglePair| {
            if a.shell.flat[pair.a as usize] || b.shell.flat[pair.b as usize] {
                return ControlFlow::Continue(());
            }
            if pair.relation == Relation::Crossing {
                if are_enough(pair.a, pair.b) {
                    return ControlFlow::Break(());
                }
                meeting.crossing.push([pair.a, pair.b]);
            }
            met += 1;
            hold(met, MET);
            meeting.met_by[0].entry(pair.a).or_default().push(pair.b);
            meeting.met_by[1].entry(pair.b).or_default().push(pair.a);
            ControlFlow::Continue(())
        };
        let flow = match known {
            Some(pairs) => pairs.iter().copied().try_for_each(take),
            None => visit(a.model, a.pose, b.model, b.pose, workspace, take),
        };
        for met in meeting.met_by.iter_mut().flat_map(HashMap::values_mut) {
            met.sort_unstable();
        }
        flow.is_continue().then_some(meeting)
    }

    /// Looks everywhere until all three parts have been seen.
    pub(super) fn regions(&self, owns: [Own; 2], workspace: &mut Workspace) -> Solids {
        let mut look = Look {
            meeting: self,
            owns,
            fans: Fans::new(&self.bodies, &owns),
            seen: Solids::default(),
        };
        // A break says that everything has been seen.
        let _ = look.everywhere(workspace);
        look.seen
    }
}

struct Look<'a> {
    meeting: &'a Meeting<'a>,
    owns: [Own<'a>; 2],
    fans: Fans<'a>,
    seen: Solids,
}

impl Look<'_> {
    fn everywhere(&mut self, workspace: &mut Workspace) -> ControlFlow<()> {
        if self.meeting.met_by[0].is_empty() {
            return self.all_apart(workspace);
        }
        for &[a, b] in &self.meeting.crossing {
            self.around_crossing([(0, a), (1, b)], workspace)?;
        }
        for own in 0..2 {
            let [body, other] = [self.meeting.bodies[own], self.meeting.bodies[1 - own]];
            let mut clear = Clear::new(body, other, &self.meeting.met_by[own]);
            self.apart(own, &mut clear, workspace)?;
            self.at_edges(own, &mut clear, workspace)?;
            self.at_own_crossings(own, workspace)?;
        }
        ControlFlow::Continue(())
    }

    /// Where two triangles of one surface cross that the other surface meets.
    fn at_own_crossings(&mut self, own: usize, workspace: &mut Workspace) -> ControlFlow<()> {
        let met = &self.meeting.met_by[own];
        let mut firsts: Vec<u32> = met.keys().copied().collect();
        firsts.sort_unstable();
        for first in firsts {
            let partners = self.owns[own].partners(first);
            let after = partners.crossing.iter().filter(|&&second| second > first);
            for &second in after.filter(|second| met.contains_key(second)) {
                self.around_crossing([(own, first), (own, second)], workspace)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Surfaces that do not meet: each part is wholly inside the other or wholly outside.
    fn all_apart(&mut self, workspace: &mut Workspace) -> ControlFlow<()> {
        for own in 0..2 {
            let [body, other] = [self.meeting.bodies[own], self.meeting.bodies[1 - own]];
            let mut parts = body.shell.joined(body.model.mesh().vertices().len());
            for (root, around) in self.next_to(own, body.shell.faces(), |vertex| parts.root(vertex))
            {
                let number = winding_of_vertex(&other, &body, root, workspace);
                self.note(own, around, number)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// What is next to parts of a surface, by the representative of each part. Of each part,
    /// triangles are examined until both inside and outside have been seen.
    fn next_to(
        &self,
        own: usize,
        faces: impl Iterator<Item = u32>,
        mut root_of: impl FnMut(u32) -> u32,
    ) -> Vec<(u32, Seen)> {
        let shell = self.meeting.bodies[own].shell;
        let mut around: HashMap<u32, Seen> = HashMap::new();
        for triangle in faces {
            let root = root_of(shell.corners[triangle as usize][0]);
            let seen = around.entry(root).or_default();
            if !seen.is_all() {
                seen.add(self.owns[own].seen(triangle));
            }
        }
        let mut roots: Vec<(u32, Seen)> = around.into_iter().collect();
        many_by_key(&mut roots, |&(root, _)| root);
        roots
    }

    /// Notes what is next to a surface of one's own where the other's winding number is known.
    fn note(&mut self, own: usize, around: Seen, other: i32) -> ControlFlow<()> {
        for in_own in [(around.inside, true), (around.outside, false)] {
            if let (true, inside) = in_own {
                let in_both = if own == 0 { (inside, other > 0) } else { (other > 0, inside) };
                self.seen.note(in_both.0, in_both.1);
            }
        }
        self.go_on()
    }

    fn go_on(&self) -> ControlFlow<()> {
        if self.seen.is_all() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Triangles that the other surface does not meet.
    fn apart(
        &mut self,
        own: usize,
        clear: &mut Clear,
        workspace: &mut Workspace,
    ) -> ControlFlow<()> {
        let met = &self.meeting.met_by[own];
        let faces = self.meeting.bodies[own].shell.faces().filter(|t| !met.contains_key(t));
        for (root, around) in self.next_to(own, faces, |vertex| clear.root(vertex)) {
            let number = clear.number(root, workspace);
            self.note(own, around, number)?;
        }
        ControlFlow::Continue(())
    }

    /// The edges of triangles that the other surface meets.
    fn at_edges(
        &mut self,
        own: usize,
        clear: &mut Clear,
        workspace: &mut Workspace,
    ) -> ControlFlow<()> {
        let (body, sides) = (self.meeting.bodies[own], self.owns[own]);
        let met = self.meeting.met_by[own].keys();
        let mut edges: Vec<u32> = met.flat_map(|&t| body.shell.edges_of[t as usize]).collect();
        edges.sort_unstable();
        edges.dedup();
        for edge in edges {
            let ends = body.shell.edges[edge as usize];
            let others = clear.met.get(&edge).cloned().unwrap_or_default();
            let mut known = [None; 2];
            if others.is_empty() {
                let number = clear.number(ends[0], workspace);
                known[1 - own] = Some(number);
                let numbers = body.shell.on_edge(edge).iter().map(|&t| sides.before(t));
                if let Some(numbers) = numbers.collect::<Option<Vec<i32>>>() {
                    for before in numbers {
                        self.note(own, Seen::around(before), number)?;
                    }
                    continue;
                }
            }
            if !others.is_empty() && self.is_within_facet(own, edge, &others) {
                continue;
            }
            let mut around: Vec<Member> =
                sides.on_edge(edge).into_iter().map(|t| (own, t)).collect();
            around.extend(others.iter().map(|&t| (1 - own, t)));
            let line = self.fans.edge(own, ends);
            self.look(&line, &around, known, workspace)?;
        }
        ControlFlow::Continue(())
    }

    /// Whether an edge lies within a flat piece of a surface, so that nothing changes along it: it
    /// parts two clean triangles in one plane, and the other surface passes it in points only
    /// or lies in that plane as well.
    fn is_within_facet(&self, own: usize, edge: u32, others: &[u32]) -> bool {
        let [body, other] = [self.meeting.bodies[own], self.meeting.bodies[1 - own]];
        let ends = body.shell.edges[edge as usize];
        let &[first, second] = body.shell.on_edge(edge) else { return false };
        if [first, second].iter().any(|&t| self.owns[own].before(t).is_none()) {
            return false;
        }
        let apex = |t: u32| body.shell.corners[t as usize].into_iter().find(|v| !ends.contains(v));
        let (Some(apex), Some(opposite)) = (apex(first), apex(second)) else { return false };
        if side([ends[0], ends[1], apex, opposite].map(|v| body.vertex(v))) != Sign::Zero {
            return false;
        }
        let corners =
            PlacedTriangle::new(body.pose, [ends[0], ends[1], apex].map(|v| body.vertex(v)));
        others.iter().all(|&t| {
            let plane = other.placed(t);
            let is_on = |corner| orient3d(&plane, &corners, [0, 1, 2, corner]) == Sign::Zero;
            !(is_on(3) && is_on(4)) || is_on(5)
        })
    }

    /// What two triangles have in common that cross.
    fn around_crossing(
        &mut self,
        [first, second]: [Member; 2],
        workspace: &mut Workspace,
    ) -> ControlFlow<()> {
        let (face, other) = (self.fans.face(first), self.fans.face(second));
        let Some(line) = Line::common(&face, &other) else { return ControlFlow::Continue(()) };
        let around = self.around_both(first, second);
        self.look(&line, &around, [None; 2], workspace)
    }

    /// The triangles that may meet what two of them have in common.
    fn around_both(&self, first: Member, second: Member) -> Vec<Member> {
        let met =
            |(own, t): Member| self.meeting.met_by[own].get(&t).map_or(&[][..], Vec::as_slice);
        if first.0 == second.0 {
            let own = first.0;
            let ours = self.owns[own].on_both(first.1, second.1).into_iter().map(|t| (own, t));
            let theirs = met(first).iter().filter(|t| met(second).binary_search(t).is_ok());
            return ours.chain(theirs.map(|&t| (1 - own, t))).collect();
        }
        let mut around = vec![first, second];
        for ((own, t), other) in [(first, second), (second, first)] {
            let partners = self.owns[own].partners(t);
            let beside = partners.all.iter().filter(|&t| met(other).binary_search(t).is_ok());
            around.extend(beside.map(|&t| (own, t)));
        }
        around
    }

    fn look(
        &mut self,
        line: &Line,
        around: &[Member],
        known: [Option<i32>; 2],
        workspace: &mut Workspace,
    ) -> ControlFlow<()> {
        let seen = &mut self.seen;
        self.fans.look(line, around, known, workspace, |ring: &Ring| {
            for [a, b] in &ring.wedges {
                seen.note(*a > 0, *b > 0);
            }
            if seen.is_all() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }
}
