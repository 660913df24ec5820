//! Oriented boxes instead of circles, around the same parts: what the footprint is measured
//! against.
//!
//! A tree of oriented boxes can be put around the triangles of a posed mesh, around its contour, or
//! around all its triangles as they look from above. The flat ones lie at height 0 and are compared
//! as boxes in space are, with segments as triangles whose last corners are one; so does the paper,
//! which had no flat boxes at hand.
//!
//! Source: Stüvel, Magnenat-Thalmann, Thalmann, Egges and van der Stappen, *Hierarchical structures
//! for collision checking between virtual characters*, 2014, §3.2. Here two segments are separated
//! by their distance, which a contour's own error is added to, and a body within a ring of another
//! is found.
//!
//! Invariants: a tree around triangles, in space or flat, answers exactly; one around contours is a
//! bound: where it says clear, the meshes do not meet, at whatever heights. So does every level of
//! all three.

use std::ops::ControlFlow;

use glam::{DMat3, DVec2, DVec3};

use super::slide::{SlideShape, SlideWork, touches_flat};
use super::{Look, Nearness};
use elbowroom::internal::bvh::{Column, Config, NodeId, Tree, Triangles, grow};
use elbowroom::internal::exact::{PlacedTriangle, Relation, gap, relate};
use elbowroom::internal::geom::Contour;
use elbowroom::internal::geom::mesh::{Mesh, MeshError};
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::traverse::{Judge, Path, Rule, Workspace, pair};
use elbowroom::internal::volume::{Meet, Obb, Rigid, Volume};

/// What the oriented boxes enclose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoxParts {
    /// The triangles where they are: exact, heights included.
    #[default]
    Full,
    /// The segments of the contour, at whatever height.
    Contour,
    /// Every triangle as it looks from above, at whatever height.
    Projected,
}

/// A body under oriented boxes. The vertical is z.
///
/// ```
/// use elbowroom_motion::footprint::{BoxParts, BoxWork, Boxes, Look, Nearness, ask_boxes};
/// use elbowroom::internal::math::planar::Planar;
/// use glam::DVec2;
///
/// let ball = elbowroom_make::icosphere(8);
/// let near = Planar::from_angle(0.5, DVec2::new(2.005, 0.0))?;
/// for parts in [BoxParts::Full, BoxParts::Contour, BoxParts::Projected] {
///     let boxes = Boxes::of_mesh(&ball, parts)?;
///     let ask = |look| ask_boxes(&boxes, &Planar::IDENTITY, &boxes, &near, &look, &mut BoxWork::default());
///     assert_eq!(ask(Look::default()), Nearness::Clear);
///     assert_eq!(ask(Look { level: Some(0), ..Look::default() }), Nearness::MayTouch);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Boxes {
    parts: BoxParts,
    /// What is in the leaves.
    mesh: Mesh,
    tree: Tree,
    column: Column<Obb>,
    contour: Option<Contour>,
    reach: f64,
}

impl Boxes {
    /// Boxes of triangles over points.
    ///
    /// # Errors
    /// If a point is not finite, a triangle names a point that is not there, or there are none.
    pub fn new(
        points: &[DVec3],
        triangles: &[[u32; 3]],
        parts: BoxParts,
    ) -> Result<Self, MeshError> {
        Self::of_mesh(&Mesh::new(points.to_vec(), triangles.to_vec())?, parts)
    }

    /// Boxes of a posed mesh, built like the trees of the paper's program ([`Config::rapid`]).
    ///
    /// # Errors
    /// If the contour has more segments than a mesh may have triangles.
    pub fn of_mesh(mesh: &Mesh, parts: BoxParts) -> Result<Self, MeshError> {
        let flat = || -> Vec<DVec2> { mesh.vertices().iter().map(|p| p.truncate()).collect() };
        let (mesh, contour) = match parts {
            BoxParts::Full => (mesh.clone(), None),
            BoxParts::Projected => {
                let level = flat().iter().map(|p| p.extend(0.0)).collect();
                (Mesh::new(level, mesh.triangles().to_vec())?, None)
            }
            BoxParts::Contour => {
                let contour = Contour::of(&flat(), mesh.triangles());
                (as_triangles(&contour)?, Some(contour))
            }
        };
        let (tree, column) = grow(&Triangles::new(&mesh, &Config::rapid()));
        let reach = mesh.vertices().iter().map(|p| p.abs().element_sum()).fold(0.0, f64::max);
        Ok(Self { parts, mesh, tree, column, contour, reach })
    }

    /// What the boxes enclose.
    pub fn parts(&self) -> BoxParts {
        self.parts
    }

    /// The contents of the leaves: triangles, flat ones, or segments as triangles whose last
    /// corners are one.
    pub fn leaves(&self) -> &Mesh {
        &self.mesh
    }

    /// The tree under the boxes.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The boxes, by node of the tree.
    pub fn column(&self) -> &Column<Obb> {
        &self.column
    }

    /// The contour, if the boxes were put around one.
    pub fn contour(&self) -> Option<&Contour> {
        self.contour.as_ref()
    }

    /// How far what is in the leaves may be from the body.
    pub(super) fn margin(&self) -> f64 {
        self.contour.as_ref().map_or(0.0, Contour::margin)
    }

    /// Bounds the sum of all coordinates' magnitudes.
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }
}

/// Segments as triangles of two different corners.
fn as_triangles(contour: &Contour) -> Result<Mesh, MeshError> {
    let ends = || contour.segments().flatten().map(|p| p.extend(0.0));
    let count = ends().count() as u32 / 2;
    Mesh::new(ends().collect(), (0..count).map(|k| [2 * k, 2 * k + 1, 2 * k + 1]).collect())
}

/// Memory that questions use while they run, and how much was compared so far.
#[derive(Clone, Debug, Default)]
pub struct BoxWork {
    workspace: Workspace,
    slide: SlideWork,
    /// Pairs of boxes that were compared.
    pub tests: u64,
    /// Pairs of triangles or segments that were.
    pub leaf_tests: u64,
}

/// Whether two bodies on one floor are clear of each other, by oriented boxes. Down to the leaves,
/// [`Nearness::MayTouch`] means for triangles that they meet (or are within the margin), in space
/// or as seen from above. Bodies whose boxes enclose different parts are compared from above.
pub fn ask_boxes(
    a: &Boxes,
    at_a: &Planar,
    b: &Boxes,
    at_b: &Planar,
    look: &Look,
    work: &mut BoxWork,
) -> Nearness {
    // These numbers are equal in either order of the bodies.
    if order(at_a) > order(at_b) {
        return ask_boxes(b, at_b, a, at_a, look, work);
    }
    if a.parts != b.parts {
        let (a, b) = (SlideShape::Boxes(a), SlideShape::Boxes(b));
        let touches = touches_flat(a, at_a, b, at_b, look, &mut work.slide);
        return if touches { Nearness::MayTouch } else { Nearness::Clear };
    }
    let sides = [upright(at_a), upright(at_b)];
    let margin = look.margin.max(0.0) + a.margin() + b.margin();
    let space = Rigid::new(&sides[0], a.reach, &sides[1], b.reach, margin);
    let BoxWork { workspace, tests, leaf_tests, .. } = work;
    let mut leaves = Leaves { a, b, sides: &sides, space, tests, leaf_tests };
    let path = Path { rule: Rule::Larger, level: look.level };
    let meets = pair(&a.tree, &b.tree, path, &mut leaves, workspace).is_break();
    if meets || is_within(a, at_a, b, at_b) || is_within(b, at_b, a, at_a) {
        Nearness::MayTouch
    } else {
        Nearness::Clear
    }
}

/// Something that tells two poses apart.
pub(super) fn order(at: &Planar) -> [u64; 4] {
    let (cos, sin) = at.turn();
    [at.translation().x, at.translation().y, cos, sin].map(f64::to_bits)
}

/// The pose in space. A rotation that is as far from one as a planar pose may be is rescaled to
/// length 1 first.
pub(super) fn upright(at: &Planar) -> Pose {
    let place = |at: &Planar| {
        let (cos, sin) = at.turn();
        let turn =
            DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
        Pose::new(turn, at.translation().extend(0.0))
    };
    place(at).or_else(|_| place(&at.tidied())).expect("a turn of length 1 is a rotation")
}

/// Whether a ring of the first lies in the second's area, where their contours are clear of each
/// other.
fn is_within(inner: &Boxes, at_inner: &Planar, outer: &Boxes, at_outer: &Planar) -> bool {
    let (Some(ours), Some(theirs)) = (&inner.contour, &outer.contour) else { return false };
    encloses(theirs, at_outer, ours, at_inner)
}

/// Whether a ring of one contour begins in the area of another.
pub(super) fn encloses(outer: &Contour, at_outer: &Planar, inner: &Contour, at: &Planar) -> bool {
    let (cos, sin) = at_outer.turn();
    let is_in = |p: DVec2| {
        let p = at.apply(p) - at_outer.translation();
        outer.contains(DVec2::new(cos * p.x + sin * p.y, cos * p.y - sin * p.x))
    };
    inner.rings().iter().any(|ring| is_in(ring[0]))
        || inner.strays().iter().any(|stray| is_in(stray[0]))
}

/// Tells boxes apart, and what is in the leaves.
struct Leaves<'a> {
    a: &'a Boxes,
    b: &'a Boxes,
    sides: &'a [Pose; 2],
    space: Rigid,
    tests: &'a mut u64,
    leaf_tests: &'a mut u64,
}

impl Leaves<'_> {
    fn meet(&mut self, i: u32, j: u32) -> bool {
        *self.leaf_tests += 1;
        let (first, second) = (self.a.mesh.triangle(i as usize), self.b.mesh.triangle(j as usize));
        if self.a.contour.is_some() {
            let second = second.map(|p| self.space.apply(p));
            let [p, q, r, s] = [first[0], first[1], second[0], second[1]].map(DVec3::truncate);
            return segments_meet([p, q], [r, s], self.space.allowance());
        }
        let [at_a, at_b] = self.sides;
        let placed = (PlacedTriangle::new(at_a, first), PlacedTriangle::new(at_b, second));
        if self.space.margin > 0.0 {
            let limit = self.space.margin * (1.0 + 2.0 * elbowroom::internal::exact::Gap::RELATIVE);
            return gap(&placed.0, &placed.1).is_none_or(|gap| gap.distance <= limit);
        }
        relate(&placed.0, &placed.1) != Relation::Apart
    }
}

impl Judge for Leaves<'_> {
    #[inline]
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        *self.tests += 1;
        self.a.column[a].may_meet(&self.b.column[b], &self.space)
    }

    #[inline]
    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.a.column[a].reach() >= self.b.column[b].reach()
    }

    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()> {
        let (a, b) = (self.a.tree.members(a), self.b.tree.members(b));
        let meets = a.iter().any(|&i| b.iter().any(|&j| self.meet(i, j)));
        if meets { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// Whether two segments may be within a distance of each other.
fn segments_meet([p, q]: [DVec2; 2], [r, s]: [DVec2; 2], distance: f64) -> bool {
    let (first, second) = (q - p, s - r);
    let parts = |from: DVec2, along: DVec2, x: DVec2, y: DVec2| {
        along.perp_dot(x - from) * along.perp_dot(y - from) < 0.0
    };
    // Where they cross, no end need be near; where a sign is wrong, an end is.
    if parts(p, first, r, s) && parts(r, second, p, q) {
        return true;
    }
    let is_apart = |x: DVec2, from: DVec2, along: DVec2| {
        let length = along.length_squared();
        let share =
            if length > 0.0 { ((x - from).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
        // Beyond what can be squared nothing is apart for certain.
        (x - from - share * along).length_squared() > distance * distance
    };
    let ends = [(p, r, second), (q, r, second), (r, p, first), (s, p, first)];
    !ends.iter().all(|&(x, from, along)| is_apart(x, from, along))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_cross_touch_and_part() {
        let v = DVec2::new;
        let cross = [v(0.0, 0.0), v(2.0, 2.0)];
        assert!(segments_meet(cross, [v(0.0, 2.0), v(2.0, 0.0)], 1e-12));
        assert!(segments_meet(cross, [v(2.0, 2.0), v(3.0, 0.0)], 1e-12));
        assert!(!segments_meet(cross, [v(3.0, 3.0), v(4.0, 4.0)], 1.0));
        assert!(segments_meet(cross, [v(3.0, 3.0), v(4.0, 4.0)], 1.42));
        assert!(!segments_meet(cross, [v(0.0, 1.0), v(0.0, 2.0)], 0.7));
        assert!(segments_meet(cross, [v(0.0, 1.0), v(0.0, 2.0)], 0.71));
        let point = [v(1.0, 1.0); 2];
        assert!(segments_meet(cross, point, 1e-12) && segments_meet(point, point, 0.0));
        assert!(!segments_meet(point, [v(1.0, 1.1); 2], 0.05));
    }
}
