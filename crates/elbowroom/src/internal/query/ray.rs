//! What a ray meets.
//!
//! A ray is the segment between two points of the world; exactness starts at their f64 coordinates.
//! It meets a triangle if the two have a point in common, decided exactly, with the ray as the
//! degenerate triangle that it is. So nothing slips through between two triangles that share an
//! edge, and touching counts. Where along the ray it happens is a rounded number, within 4
//! roundings of the exact one however thin the triangle is; which triangles are met is not rounded
//! at all.
//!
//! To the tree the ray is a box without thickness (Gottschalk, Lin and Manocha, 1996, call it a fat
//! ray), so every volume that has a box around it can be tested. The nearest hit needs one thing
//! more: no fraction of the ray before it enters a node's box can be that of a hit below. A node
//! whose box is entered after the best hit so far is passed over.
//!
//! Why passing over is safe: the exact point of a hit is in the triangle, so within the box grown
//! by the space's slack, and the fraction at which the ray enters the grown box is a lower bound of
//! the exact fraction; less a few roundings, of the computed one. Every query computes the same
//! number, so nearest agrees with the first of all to the last bit.

mod segment;

use std::ops::ControlFlow;

use glam::DVec3;

use crate::internal::bvh::{Column, NodeId};
use crate::internal::exact::{PlacedTriangle, Relation, first_fraction, orient3d, relate};
use crate::internal::math::pose::Pose;
use crate::internal::math::sort::many_by;
use crate::internal::model::{Model, with_column};
use crate::internal::traverse::{Look, Seen, Tally, Workspace, single};
use crate::internal::volume::{Fit, Meet, Obb, Rigid, Spatial};
pub use segment::{Ray, RayError, RayErrorKind};

/// A triangle that a ray meets.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RayHit {
    /// The triangle.
    pub triangle: u32,
    /// The position of the first common point between the ray's beginning (0) and its end (1).
    pub fraction: f64,
    /// The first common point.
    pub point: DVec3,
}

/// All triangles of a placed model that a ray meets, by fraction and then by number; and the work
/// that was done.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::internal::query::{Ray, cast_all};
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let square = vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
/// let model = Model::new(Mesh::new(square, vec![[0, 1, 2], [0, 2, 3]])?);
/// // Through the edge that both triangles share.
/// let ray = Ray::new(DVec3::new(0.5, 0.5, 3.0), DVec3::new(0.5, 0.5, -1.0))?;
/// let (hits, _) = cast_all(&model, &Pose::IDENTITY, &ray, &mut Workspace::default());
/// assert_eq!(hits.iter().map(|hit| hit.triangle).collect::<Vec<_>>(), [0, 1]);
/// assert_eq!((hits[0].fraction, hits[0].point), (0.75, DVec3::new(0.5, 0.5, 0.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_all(
    model: &Model,
    pose: &Pose,
    ray: &Ray,
    workspace: &mut Workspace,
) -> (Vec<RayHit>, Tally) {
    let (mut hits, tally) = cast(model, pose, ray, Want::All, workspace);
    many_by(&mut hits, order);
    (hits, tally)
}

/// The first triangle of a placed model that a ray meets, the lowest number if several are met at
/// once: the same as the first of [`cast_all`]. And the counts of tests.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::internal::query::{Ray, cast_nearest};
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
/// let here = Pose::IDENTITY;
/// let down = Ray::towards(DVec3::new(0.25, 0.25, 9.0), -DVec3::Z, &model, &here)?;
/// let (hit, _) = cast_nearest(&model, &here, &down, &mut Workspace::default());
/// assert_eq!(hit.map(|hit| hit.triangle), Some(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_nearest(
    model: &Model,
    pose: &Pose,
    ray: &Ray,
    workspace: &mut Workspace,
) -> (Option<RayHit>, Tally) {
    let (hits, tally) = cast(model, pose, ray, Want::Nearest, workspace);
    (hits.first().copied(), tally)
}

fn order(a: &RayHit, b: &RayHit) -> std::cmp::Ordering {
    a.fraction.total_cmp(&b.fraction).then(a.triangle.cmp(&b.triangle))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    All,
    Nearest,
}

fn cast(
    model: &Model,
    pose: &Pose,
    ray: &Ray,
    want: Want,
    workspace: &mut Workspace,
) -> (Vec<RayHit>, Tally) {
    with_column!(model.columns(), column => {
        let mut caster = Caster::new(model, pose, column, ray, want);
        // The caster never breaks.
        let _ = single(model.tree(), &mut caster, workspace);
        (caster.hits, caster.tally)
    })
}

struct Caster<'a, V> {
    model: &'a Model,
    pose: &'a Pose,
    column: &'a Column<V>,
    ray: &'a Ray,
    want: Want,
    /// The ray as a box, in the world, and the world in the model's frame.
    thin: Obb,
    space: Rigid,
    /// The ray's beginning and way in the model's frame, and what must be added to boxes there.
    begin: DVec3,
    way: DVec3,
    growth: f64,
    /// At most one if only the nearest is wanted.
    hits: Vec<RayHit>,
    tally: Tally,
}

impl<'a, V: Spatial> Caster<'a, V> {
    fn new(
        model: &'a Model,
        pose: &'a Pose,
        column: &'a Column<V>,
        ray: &'a Ray,
        want: Want,
    ) -> Self {
        let space = Rigid::new(pose, model.reach(), &Pose::IDENTITY, ray.reach(), 0.0);
        let begin = space.apply(ray.from);
        Self {
            model,
            pose,
            column,
            ray,
            want,
            thin: Obb::of_triangles(&[[ray.from, ray.to, ray.to]], Fit::Vertices),
            space,
            begin,
            way: space.apply(ray.to) - begin,
            // Both ends and the box are within the slack of the truth.
            growth: 4.0 * space.slack,
            hits: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// A lower bound of the fraction at which the ray is first in the box.
    fn entry(&self, node: &Obb) -> f64 {
        let turn = node.axes.transpose();
        let (begin, way) = (turn * (self.begin - node.center), turn * self.way);
        let mut entry = 0.0_f64;
        for axis in 0..3 {
            let wall = -(node.half[axis] + self.growth).copysign(way[axis]);
            // Without a way along this axis, or beyond f64, it says nothing: NaN is never the
            // larger.
            entry =
                entry.max(if way[axis] == 0.0 { 0.0 } else { (wall - begin[axis]) / way[axis] });
        }
        // Some roundings here and those of the fraction, of numbers that matter only if at most 1.
        entry - 4e-15
    }

    fn test(&mut self, place: usize) {
        let triangle = self.model.tree().order()[place];
        let corners = self.model.mesh().triangle(triangle as usize);
        let first = PlacedTriangle::new(self.pose, corners);
        let (from, to) = (self.ray.from, self.ray.to);
        let second = PlacedTriangle::new(&Pose::IDENTITY, [from, to, to]);
        self.tally.primitives += 1;
        if relate(&first, &second) == Relation::Apart {
            return;
        }
        let sides = [3, 4].map(|end| orient3d(&first, &second, [0, 1, 2, end]));
        let fraction = first_fraction([from, to], (self.pose, corners), sides);
        let point = self.ray.at(fraction);
        for &triangle in &self.model.tree().order()[place..place + self.model.runs().length(place)]
        {
            self.found(RayHit { triangle, fraction, point });
        }
    }

    fn found(&mut self, hit: RayHit) {
        if self.want == Want::Nearest
            && let Some(best) = self.hits.first_mut()
        {
            if order(&hit, best).is_lt() {
                *best = hit;
            }
        } else {
            self.hits.push(hit);
        }
    }
}

impl<V: Spatial> Look for Caster<'_, V> {
    fn look(&mut self, node: NodeId) -> Seen {
        let node = self.column[node].boxed();
        if self.want == Want::Nearest
            && let Some(best) = self.hits.first()
            && self.entry(&node) > best.fraction
        {
            return Seen::Nothing;
        }
        self.tally.count_volume(V::FAMILY);
        if node.may_meet(&self.thin, &self.space) { Seen::Perhaps } else { Seen::Nothing }
    }

    fn everything(&mut self, _: NodeId) -> ControlFlow<()> {
        unreachable!("a ray never meets everything")
    }

    fn leaf(&mut self, leaf: NodeId) -> ControlFlow<()> {
        let run = self.model.tree().run(leaf);
        let mut place = run.start;
        while place < run.end {
            self.test(place);
            place += self.model.runs().length(place);
        }
        ControlFlow::Continue(())
    }
}
