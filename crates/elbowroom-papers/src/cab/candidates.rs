//! Pairs of links whose boxes do not tell them apart: what is left for exact queries.

use std::ops::ControlFlow;

use glam::DVec3;

use crate::cab::allowed::Allowed;
use crate::cab::ask::Workspace;
use crate::cab::boxes::{Apart, Kept, View, slack};
use crate::cab::hierarchy::{CabHierarchy, Sides, axis_bounds};
use crate::cab::work::Work;
use elbowroom::internal::bvh::NodeId;
use elbowroom::internal::query::World;
use elbowroom::internal::traverse;
use elbowroom::internal::traverse::{Judge, Look, Path, Rule, Seen, SelfJudge, pair, single};
use elbowroom::internal::volume::Aabb;

/// The pairs of links of two bodies that may touch, in order, and the work that finding them took,
/// apart from what was refitted. [`between`](crate::cab::between) goes on from here.
pub fn candidates_between<'w>(
    a: &mut CabHierarchy,
    b: &mut CabHierarchy,
    workspace: &'w mut Workspace,
) -> (&'w [(u32, u32)], Work) {
    let Workspace { descent, candidates, margin, .. } = workspace;
    let margin = *margin;
    candidates.clear();
    // Halved, so that the step between bodies at the two ends of the world does not overflow.
    let shift = 2.0 * (0.5 * b.origin() - 0.5 * a.origin());
    let mut tests = 0;
    let [links_a, links_b] = [&*a, &*b].map(|body| body.placements().len() as u32);
    if let (Some(gate_a), Some(gate_b)) = (a.gate(), b.gate()) {
        tests += 1;
        let size = Kept::far(&gate_a) + Kept::far(&gate_b) + shift.abs().element_sum();
        if gate_a.is_apart(&gate_b, shift, slack(size, false) + margin) {
            return (candidates, Work { box_tests: tests, ..Work::default() });
        }
    }
    macro_rules! descend {
        ($a:expr, $b:expr) => {{
            let (tree_a, tree_b) = ($a.tree(), $b.tree());
            let shift_size = shift.abs().element_sum();
            let mut judge =
                Pairs { a: $a, b: $b, shift, shift_size, margin, tests, found: candidates };
            // It never breaks off.
            let _ = pair(tree_a, tree_b, Path::default(), &mut judge, descent);
            tests = judge.tests;
        }};
    }
    match (a.sides(), b.sides()) {
        (Sides::Aligned(a), Sides::Aligned(b)) => descend!(a, b),
        (Sides::Aligned(a), Sides::Oriented(b)) => descend!(a, b),
        (Sides::Oriented(a), Sides::Aligned(b)) => descend!(a, b),
        (Sides::Oriented(a), Sides::Oriented(b)) => descend!(a, b),
        _ => candidates.extend((0..links_a).flat_map(|i| (0..links_b).map(move |j| (i, j)))),
    }
    candidates.sort_unstable();
    (candidates, Work { box_tests: tests, ..Work::default() })
}

/// The pairs of links of one body that may touch though they are not allowed to, the lower number
/// first, in order. [`within`](crate::cab::within) goes on from here.
///
/// # Panics
/// If what is allowed is of a body with fewer links.
pub fn candidates_within<'w>(
    a: &mut CabHierarchy,
    allowed: &Allowed,
    workspace: &'w mut Workspace,
) -> (&'w [(u32, u32)], Work) {
    let Workspace { descent, candidates, margin, .. } = workspace;
    let margin = *margin;
    candidates.clear();
    let links = a.placements().len() as u32;
    let mut tests = 0;
    macro_rules! descend {
        ($view:expr) => {{
            let tree = $view.tree();
            let mut judge = Own { view: $view, allowed, margin, tests: 0, found: candidates };
            // It never breaks off.
            let _ = traverse::within(tree, Rule::default(), &mut judge, descent);
            tests = judge.tests;
        }};
    }
    match a.sides() {
        Sides::Aligned(view) => descend!(view),
        Sides::Oriented(view) => descend!(view),
        Sides::None => {
            let pairs = (0..links).flat_map(|i| (i + 1..links).map(move |j| (i, j)));
            candidates.extend(pairs.filter(|&(i, j)| !allowed.has(i, j)));
        }
    }
    candidates.sort_unstable();
    (candidates, Work { box_tests: tests, ..Work::default() })
}

/// The pairs of links and bodies of a world, by their
/// [numbers](elbowroom::internal::query::BodyId::number), that may touch, in order. Bodies of the
/// world count as boxes along its axes. [`against`](crate::cab::against) continues from here.
pub fn candidates_against<'w>(
    a: &mut CabHierarchy,
    world: &World,
    workspace: &'w mut Workspace,
) -> (&'w [(u32, u32)], Work) {
    let Workspace { descent, candidates, bodies, margin, .. } = workspace;
    let margin = *margin;
    candidates.clear();
    let (origin, links) = (a.origin(), a.placements().len() as u32);
    let mut tests = 0;
    macro_rules! descend {
        ($view:expr, $bounds:expr) => {{
            let mut view = $view;
            view.need(NodeId::ROOT);
            let whole: Aabb = $bounds(view.volume(NodeId::ROOT));
            world.broad().near(&outward(&whole, origin).grown(margin), bodies);
            let tree = view.tree();
            let mut judge =
                Obstacle { view, body: 0, bounds: whole, margin, tests: 0, found: candidates };
            for &body in bodies.iter() {
                let Some(bounds) = world.broad().get(body) else { continue };
                (judge.body, judge.bounds) = (body, outward(bounds, -origin));
                // It never breaks off.
                let _ = single(tree, &mut judge, descent);
            }
            tests = judge.tests;
        }};
    }
    match a.sides() {
        Sides::Aligned(view) => descend!(view, |bounds: &Aabb| *bounds),
        Sides::Oriented(view) => descend!(view, axis_bounds),
        Sides::None => {
            let numbers = || world.bodies().map(|body| body.number() as u32);
            candidates.extend((0..links).flat_map(|link| numbers().map(move |body| (link, body))));
        }
    }
    candidates.sort_unstable();
    (candidates, Work { box_tests: tests, ..Work::default() })
}

/// The links that may touch what is within a box of the world, in order, each with the number that
/// is given for it.
pub(super) fn candidates_within_box<'w>(
    a: &mut CabHierarchy,
    bounds: &Aabb,
    body: u32,
    workspace: &'w mut Workspace,
) -> (&'w [(u32, u32)], Work) {
    let Workspace { descent, candidates, margin, .. } = workspace;
    let margin = *margin;
    candidates.clear();
    let (bounds, links) = (outward(bounds, -a.origin()), a.placements().len() as u32);
    let mut tests = 0;
    macro_rules! descend {
        ($view:expr) => {{
            let tree = $view.tree();
            let mut judge =
                Obstacle { view: $view, body, bounds, margin, tests: 0, found: candidates };
            // It never breaks off.
            let _ = single(tree, &mut judge, descent);
            tests = judge.tests;
        }};
    }
    match a.sides() {
        Sides::Aligned(view) => descend!(view),
        Sides::Oriented(view) => descend!(view),
        Sides::None => candidates.extend((0..links).map(|link| (link, body))),
    }
    candidates.sort_unstable();
    (candidates, Work { box_tests: tests, ..Work::default() })
}

/// A box moved, and so much larger that it holds what it held.
pub(super) fn outward(bounds: &Aabb, shift: DVec3) -> Aabb {
    let room = slack(Kept::far(bounds) + shift.abs().element_sum(), false);
    Aabb { min: bounds.min + shift - room, max: bounds.max + shift + room }
}

/// Two bodies.
struct Pairs<'a, A, B> {
    a: View<'a, A>,
    b: View<'a, B>,
    shift: DVec3,
    shift_size: f64,
    margin: f64,
    tests: u64,
    found: &'a mut Vec<(u32, u32)>,
}

impl<A: Kept + Apart<B>, B: Kept> Judge for Pairs<'_, A, B> {
    #[inline]
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        self.a.need(a);
        self.b.need(b);
        self.tests += 1;
        let are_leaves = self.a.tree().is_leaf(a) && self.b.tree().is_leaf(b);
        let slack =
            slack(self.a.far(a) + self.b.far(b) + self.shift_size, are_leaves) + self.margin;
        !self.a.volume(a).is_apart(self.b.volume(b), self.shift, slack)
    }

    #[inline]
    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.a.volume(a).reach() >= self.b.volume(b).reach()
    }

    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()> {
        self.found.push((self.a.link(a), self.b.link(b)));
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// One body with itself.
struct Own<'a, V> {
    view: View<'a, V>,
    allowed: &'a Allowed,
    margin: f64,
    tests: u64,
    found: &'a mut Vec<(u32, u32)>,
}

impl<V: Kept + Apart<V>> Judge for Own<'_, V> {
    #[inline]
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        let tree = self.view.tree();
        let are_leaves = tree.is_leaf(a) && tree.is_leaf(b);
        if are_leaves && self.allowed.has(self.view.link(a), self.view.link(b)) {
            return false;
        }
        self.view.need(a);
        self.view.need(b);
        self.tests += 1;
        let slack = slack(self.view.far(a) + self.view.far(b), are_leaves) + self.margin;
        !self.view.volume(a).is_apart(self.view.volume(b), DVec3::ZERO, slack)
    }

    #[inline]
    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.view.volume(a).reach() >= self.view.volume(b).reach()
    }

    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()> {
        let (a, b) = (self.view.link(a), self.view.link(b));
        self.found.push((a.min(b), a.max(b)));
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<V: Kept + Apart<V>> SelfJudge for Own<'_, V> {
    fn leaf(&mut self, _: NodeId) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// One body and one box.
struct Obstacle<'a, V> {
    view: View<'a, V>,
    body: u32,
    bounds: Aabb,
    margin: f64,
    tests: u64,
    found: &'a mut Vec<(u32, u32)>,
}

impl<V: Kept + Apart<Aabb>> Look for Obstacle<'_, V> {
    #[inline]
    fn look(&mut self, node: NodeId) -> Seen {
        self.view.need(node);
        self.tests += 1;
        let size = self.view.far(node) + Kept::far(&self.bounds);
        let slack = slack(size, self.view.tree().is_leaf(node)) + self.margin;
        if self.view.volume(node).is_apart(&self.bounds, DVec3::ZERO, slack) {
            Seen::Nothing
        } else {
            Seen::Perhaps
        }
    }

    fn everything(&mut self, _: NodeId) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn leaf(&mut self, leaf: NodeId) -> ControlFlow<()> {
        self.found.push((self.view.link(leaf), self.body));
        ControlFlow::Continue(())
    }
}
