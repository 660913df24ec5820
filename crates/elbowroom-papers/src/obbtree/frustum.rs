//! What can be seen: triangles inside, outside and across a view frustum.
//!
//! A frustum is the convex hull of eight corners, in exact arithmetic on their coordinates; so it
//! need not be a pyramid's stump, and that four rounded corners hardly ever lie in one plane does
//! no harm. A triangle is decided exactly: *inside* if its corners are not beyond any facet,
//! *outside* if it has no point in common with the hull, else *crossing*. Touching from outside is
//! crossing.
//!
//! Nodes are decided by their boxes, outside only when certain and inside only when certain, so
//! whole subtrees are kept or dropped unseen and the answer is still that of looking at every
//! triangle. This is the extension to view frusta that Gottschalk, Lin and Manocha (1996, section
//! 8) propose: a separating direction of a box and a frustum is a face normal of either or the
//! cross product of an edge of each.

mod camera;
mod lens;

use std::ops::ControlFlow;

use glam::DVec3;

use self::camera::Sight as _;
use camera::Camera;
use elbowroom::internal::bvh::{Column, NodeId};
use elbowroom::internal::exact::{PlacedTriangle, Relation, Sign, orient3d, relate, side};
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::model::{Model, with_column};
use elbowroom::internal::traverse::{Look, Seen, Tally, Workspace, single};
use elbowroom::internal::volume::{Obb, Spatial};
use lens::Lens;

/// The place of an object relative to a frustum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// All of it is within, boundary included.
    Inside,
    /// The object is wholly outside.
    Outside,
    /// Part of it is within, or it touches, or it is too close to tell (which happens to boxes
    /// only).
    Crossing,
}

/// The convex hull of eight points in the world.
///
/// ```
/// use elbowroom::Pose;
/// use elbowroom_papers::obbtree::{Frustum, View};
/// use elbowroom_motion::crowd::camera::Camera;
/// use glam::DVec3;
///
/// let camera = Camera { eye: DVec3::ZERO, forward: -DVec3::Z, ..Camera::default() };
/// let frustum = Frustum::of_camera(&camera)?;
/// let far_left = [-DVec3::X, DVec3::Y, DVec3::Z].map(|p| p + DVec3::new(-90.0, 0.0, -10.0));
/// let here = Pose::IDENTITY;
/// assert_eq!(frustum.classify_triangle(&here, far_left), View::Outside);
/// assert_eq!(frustum.classify_triangle(&here, far_left.map(|p| p + DVec3::X * 90.0)), View::Inside);
/// # Ok::<(), elbowroom_papers::obbtree::FrustumError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Frustum {
    corners: [DVec3; 8],
    /// Corners of triangles that cover the boundary, counter-clockwise seen from outside.
    facets: Vec<[usize; 3]>,
    /// One facet for each plane of the boundary: its places in `facets`.
    planes: Vec<usize>,
}

impl Frustum {
    /// A frustum from eight corners in any order.
    ///
    /// # Errors
    /// Names the coordinate that is not finite or the corner that is inside the hull of the others;
    /// or if all lie in one plane.
    pub fn new(corners: [DVec3; 8]) -> Result<Self, FrustumError> {
        for (corner, point) in corners.iter().enumerate() {
            if let Some(axis) = (0..3).find(|&axis| !point[axis].is_finite()) {
                let value = point[axis];
                return Err(FrustumErrorKind::NonFinite { corner, axis, value }.into());
            }
        }
        let facets = facets(&corners);
        if facets.is_empty() {
            return Err(FrustumErrorKind::Flat.into());
        }
        if let Some(corner) = (0..8).find(|i| !facets.iter().any(|facet| facet.contains(i))) {
            return Err(FrustumErrorKind::NotConvex { corner }.into());
        }
        let planes = distinct_planes(&corners, &facets);
        Ok(Self { corners, facets, planes })
    }

    /// The frustum that a camera sees.
    ///
    /// # Errors
    /// If a number of the camera makes no sense, or the frustum is so thin that rounding leaves
    /// nothing of it.
    pub fn of_camera(camera: &Camera) -> Result<Self, FrustumError> {
        Self::new(camera.corners()?)
    }

    /// The corners, as given.
    pub fn corners(&self) -> [DVec3; 8] {
        self.corners
    }

    /// The place of a triangle, which may be degenerate, relative to the frustum. Exact.
    pub fn classify_triangle(&self, placement: &Pose, triangle: [DVec3; 3]) -> View {
        let triangle = PlacedTriangle::new(placement, triangle);
        let facet = |&[i, j, k]: &[usize; 3]| {
            let corners = [self.corners[i], self.corners[j], self.corners[k]];
            PlacedTriangle::new(&Pose::IDENTITY, corners)
        };
        let mut within = [true; 3];
        for &plane in &self.planes {
            let plane = facet(&self.facets[plane]);
            let beyond =
                [3, 4, 5].map(|p| orient3d(&plane, &triangle, [0, 1, 2, p]) == Sign::Positive);
            if beyond == [true; 3] {
                return View::Outside;
            }
            within = std::array::from_fn(|i| within[i] && !beyond[i]);
        }
        if within == [true; 3] {
            return View::Inside;
        }
        // With no corner within, it meets the hull only if it meets the boundary.
        let meets = || self.facets.iter().any(|f| relate(&facet(f), &triangle) != Relation::Apart);
        if within.contains(&true) || meets() { View::Crossing } else { View::Outside }
    }

    /// The place of a box in the world relative to the frustum: inside and outside only if that is
    /// certain.
    pub fn classify_box(&self, volume: &Obb) -> View {
        Lens::new(self, &Pose::IDENTITY, volume.farthest()).view(volume)
    }
}

/// All triples of corners that have no corner beyond their plane; none if all are in one plane.
fn facets(corners: &[DVec3; 8]) -> Vec<[usize; 3]> {
    let mut facets = Vec::new();
    for i in 0..8 {
        for j in i + 1..8 {
            for k in j + 1..8 {
                let sides = corners.map(|p| side([corners[i], corners[j], corners[k], p]));
                match (sides.contains(&Sign::Positive), sides.contains(&Sign::Negative)) {
                    (false, true) => facets.push([i, j, k]),
                    (true, false) => facets.push([i, k, j]),
                    _ => {}
                }
            }
        }
    }
    facets
}

/// The first facet in each plane.
fn distinct_planes(corners: &[DVec3; 8], facets: &[[usize; 3]]) -> Vec<usize> {
    let mut planes: Vec<usize> = Vec::new();
    for (place, facet) in facets.iter().enumerate() {
        let is_in = |&other: &usize| {
            let plane = facets[other].map(|i| corners[i]);
            facet.iter().all(|&i| side([plane[0], plane[1], plane[2], corners[i]]) == Sign::Zero)
        };
        if !planes.iter().any(is_in) {
            planes.push(place);
        }
    }
    planes
}

/// The triangles of a model that a frustum shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Culled {
    /// The triangles that are inside, in order.
    pub inside: Vec<u32>,
    /// The triangles that cross the boundary or touch it from outside, in order.
    pub crossing: Vec<u32>,
    /// The work that was done.
    pub tally: Tally,
}

/// Sorts the triangles of a placed model by how they stand to a frustum; what is not listed is
/// outside. The lists are those that [`Frustum::classify_triangle`] gives for each triangle.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom_papers::obbtree::{Frustum, cull};
/// use elbowroom_motion::crowd::camera::Camera;
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let frustum = Frustum::of_camera(&Camera::default())?;
/// let ahead = DVec3::new(0.0, 0.0, -5.0);
/// let vertices = vec![ahead, ahead + DVec3::X, ahead + DVec3::Y, ahead + DVec3::X * 90.0, -ahead];
/// let model = Model::new(Mesh::new(vertices, vec![[0, 1, 2], [0, 2, 3], [4, 4, 4]])?);
/// let seen = cull(&model, &Pose::IDENTITY, &frustum, &mut Workspace::default());
/// assert_eq!((seen.inside, seen.crossing), (vec![0], vec![1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cull(
    model: &Model,
    placement: &Pose,
    frustum: &Frustum,
    workspace: &mut Workspace,
) -> Culled {
    let lens = Lens::new(frustum, placement, model.reach());
    with_column!(model.columns(), column => {
        let mut culler =
            Culler { model, placement, column, frustum, lens, culled: Culled::default() };
        // The culler never breaks.
        let _ = single(model.tree(), &mut culler, workspace);
        let mut culled = culler.culled;
        culled.inside.sort_unstable();
        culled.crossing.sort_unstable();
        culled
    })
}

struct Culler<'a, V> {
    model: &'a Model,
    placement: &'a Pose,
    column: &'a Column<V>,
    frustum: &'a Frustum,
    lens: Lens,
    culled: Culled,
}

impl<V: Spatial> Look for Culler<'_, V> {
    fn look(&mut self, node: NodeId) -> Seen {
        self.culled.tally.count_volume(V::FAMILY);
        match self.lens.view(&self.column[node].boxed()) {
            View::Inside => Seen::Everything,
            View::Outside => Seen::Nothing,
            View::Crossing => Seen::Perhaps,
        }
    }

    fn everything(&mut self, node: NodeId) -> ControlFlow<()> {
        self.culled.inside.extend_from_slice(self.model.tree().members(node));
        ControlFlow::Continue(())
    }

    fn leaf(&mut self, leaf: NodeId) -> ControlFlow<()> {
        let model = self.model;
        let run = model.tree().run(leaf);
        let mut place = run.start;
        while place < run.end {
            let copies = &model.tree().order()[place..place + model.runs().length(place)];
            self.culled.tally.primitives += 1;
            let corners = model.mesh().triangle(copies[0] as usize);
            match self.frustum.classify_triangle(self.placement, corners) {
                View::Inside => self.culled.inside.extend_from_slice(copies),
                View::Crossing => self.culled.crossing.extend_from_slice(copies),
                View::Outside => {}
            }
            place += copies.len();
        }
        ControlFlow::Continue(())
    }
}

elbowroom::declare_error! {
    /// Why a frustum was refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct FrustumError;

    /// What was wrong with a frustum or a camera.
    #[derive(Clone, Debug, PartialEq)]
    pub enum FrustumErrorKind {
        /// A coordinate of a corner is NaN or infinite.
        #[error(
            "{} of the frustum's corner {corner} is {value}, which is not finite",
            ["x", "y", "z"][*axis]
        )]
        NonFinite {
            /// The corner, counted from 0.
            corner: usize,
            /// 0, 1 or 2 for x, y or z.
            axis: usize,
            /// The coordinate.
            value: f64,
        },
        /// A corner is inside the hull of the others.
        #[error("corner {corner} of the frustum is inside the hull of the others")]
        NotConvex {
            /// The corner, counted from 0.
            corner: usize,
        },
        /// All corners lie in one plane.
        #[error("all corners of the frustum lie in one plane, so nothing can be inside")]
        Flat,
        /// A number of a camera makes no sense.
        #[error("the camera's {field} must be {wanted}")]
        BadCamera {
            /// The field.
            field: &'static str,
            /// The value that it should have.
            wanted: &'static str,
        },
    }
}
