//! Whether two triangles that cross bound their solids, without knowing all about both surfaces.
//!
//! Where a surface meets itself and what is next to each of its triangles is some work to find out ([`own`](super::own)), and of a body that is new in every frame it
//! would be for one question. There one triangle mostly says enough: if no other of its surface meets it, the number before it is the same all over it, and one probe
//! tells. After a few that do not bound, it is better to know all; and so it is of models that stay.

use std::ops::ControlFlow;

use super::body::Body;
use super::own::{before, meet_beyond_shared, sides};
use crate::internal::bvh::{Column, NodeId, Tree};
use crate::internal::math::pose::Pose;
use crate::internal::model::with_column;
use crate::internal::traverse::{Look, Seen, Workspace, single};
use crate::internal::volume::{Fit, Meet, Obb, Rigid, Spatial};

/// The greatest number of pairs that are tested one by one.
const MOST: u32 = 8;

/// Two bodies, and the number of pairs of their triangles that may still be tested.
pub(super) struct Bounding<'a> {
    bodies: [Body<'a>; 2],
    left: u32,
    workspace: Workspace,
}

impl<'a> Bounding<'a> {
    pub(super) fn new(bodies: [Body<'a>; 2]) -> Self {
        // How they are placed says nothing about what they are.
        let bodies = bodies.map(|body| Body { pose: &Pose::IDENTITY, ..body });
        Self { bodies, left: MOST, workspace: Workspace::default() }
    }

    /// Whether a triangle of each certainly bounds its solid with all of its area. Not if that would take too long to find out.
    pub(super) fn are_both(&mut self, triangles: [u32; 2]) -> bool {
        let Self { bodies, left, workspace } = self;
        let is_new = |body: &Body| body.model.is_shaped() && body.model.known_sides().is_none();
        if bodies.iter().any(is_new) {
            if *left == 0 {
                return false;
            }
            *left -= 1;
        }
        bodies.iter().zip(triangles).all(|(body, triangle)| {
            if is_new(body) {
                !meets_another(body, triangle, workspace) && before(body, triangle, workspace) == 0
            } else {
                sides(body.model, workspace).is_boundary(triangle)
            }
        })
    }
}

/// Whether a triangle meets another of its own surface in more than what they share.
fn meets_another(body: &Body, triangle: u32, workspace: &mut Workspace) -> bool {
    let model = body.model;
    let corners = model.mesh().triangle(triangle as usize);
    let around = Obb::of_triangles(&[corners], Fit::Vertices);
    let space = Rigid::common(model.reach(), model.reach(), 0.0);
    let (tree, columns) = model.any_tree();
    with_column!(columns, column => {
        let mut look = Beside { body, triangle, tree, column, around, space };
        single(tree, &mut look, workspace).is_break()
    })
}

struct Beside<'a, V> {
    body: &'a Body<'a>,
    triangle: u32,
    tree: &'a Tree,
    column: &'a Column<V>,
    around: Obb,
    space: Rigid,
}

impl<V: Spatial> Look for Beside<'_, V> {
    fn look(&mut self, node: NodeId) -> Seen {
        let met = self.column[node].boxed().may_meet(&self.around, &self.space);
        if met { Seen::Perhaps } else { Seen::Nothing }
    }

    fn everything(&mut self, _: NodeId) -> ControlFlow<()> {
        unreachable!("a triangle never meets everything for certain")
    }

    fn leaf(&mut self, leaf: NodeId) -> ControlFlow<()> {
        let flat = &self.body.shell.flat;
        let others = self.tree.members(leaf).iter().filter(|&&other| other != self.triangle);
        for &other in others.filter(|&&other| !flat[other as usize]) {
            if meet_beyond_shared(self.body, self.triangle, other).is_some() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}
