//! Where two models meet: regions, with the curve in which the surfaces cross.
//!
//! A *region* is a connected piece of the points that two surfaces have in common: the loop where
//! an arm goes through a wall, the area on which a box rests, the point of a needle. It does not
//! depend on how the surfaces are cut into triangles: two feet on one large triangle are two
//! regions, and so are the way in and the way out of a bolt through a plate.
//!
//! Each pair of triangles that meet has a point, a segment or a polygon in common, whose corners
//! are known by name ([`intersection`](crate::internal::exact::intersection())): by the corner,
//! edge or inside of either mesh's triangle that they are in, on vertices welded where they are
//! equal bit for bit. Pairs that have a named corner in common are in one region. So regions and
//! curves are put together exactly, whatever the rounding of their points; those are rounded once
//! for each name.
//!
//! The *curve* of a region is made of
//!
//! - the segments of pairs of triangles that are not in one plane, each once, however many pairs
//!   have it;
//! - the outline of the areas in which triangles of one plane overlap: the sides of the common
//!   polygons, but for those that an even number of polygons have, which are inside the area (as is
//!   the edge at which such areas meet at an angle). A segment of the first kind that is a side of
//!   such a polygon counts as the area's.
//!
//! It is a set of polylines, cut where more or fewer than two segments meet. Where two closed
//! surfaces cross in general position there is no such point, and all of it is closed loops. An end
//! that no other segment names is joined to another such end at the same rounded point, if there is
//! one: meshes that are not joined by their vertices cross in curves that are not joined by name.
//!
//! A degenerate triangle takes part in regions, but adds nothing to a curve: what it has in common
//! with the other mesh its neighbours have, too.
//!
//! Invariants: nothing is NaN or infinite. Swapping the models changes no bit but the sign of
//! normals, and which list of triangles is which: the two are brought into an order of their own
//! before anything is computed. (A model and itself at the same place have no order: then the
//! normal is the same, too.)

mod curve;
mod measure;
mod pieces;

use std::cmp::Ordering;

use glam::DVec3;

use super::collide::{TrianglePair, collide};
use super::{CollisionRequest, Want};
use crate::internal::math::pose::Pose;
use crate::internal::math::sort::many_by;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;
use pieces::{Pieces, Sides};

/// A connected piece of what two surfaces have in common.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Region {
    /// The triangles of the first mesh that take part, in ascending order.
    pub triangles_a: Vec<u32>,
    /// The triangles of the second mesh.
    pub triangles_b: Vec<u32>,
    /// The number of pairs of triangles that touch.
    pub touching: u64,
    /// The number of pairs of triangles that cross.
    pub crossing: u64,
    /// A point of the region in the world: the one nearest to the middle of its area, if it has an
    /// area, else of its curve.
    pub point: DVec3,
    /// A unit vector from the first model towards the second: the mean of the difference of the
    /// two surfaces' normals along the region, so that of a surface against which the other
    /// lies. The second, moved that way, leaves the first, if the normals of both point
    /// outward. Where they cancel out, that of the first pair's `contact`.
    pub normal: DVec3,
    /// The curve in which the surfaces cross or touch, in the world.
    pub curves: Vec<Curve>,
    /// The length of the curve.
    pub length: f64,
    /// The area in which the surfaces lie on each other.
    pub area: f64,
    /// The lower corner of an axis-aligned box around the region.
    pub low: DVec3,
    /// The upper corner.
    pub high: DVec3,
}

/// A polyline.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Curve {
    /// The points, at least two. The first is not repeated at the end of a closed one.
    pub points: Vec<DVec3>,
    /// Whether the last point is joined to the first.
    pub is_closed: bool,
}

/// The regions in which two placed models meet, the longest curve first.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::query;
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// // A needle of three faces through one large triangle.
/// let floor = Mesh::new(vec![DVec3::ZERO, DVec3::X * 9.0, DVec3::Y * 9.0], vec![[0, 1, 2]])?;
/// let corners = [[1.0, 1.0, 2.0], [3.0, 1.0, 2.0], [1.0, 3.0, 2.0], [1.0, 1.0, -2.0]];
/// let faces = vec![[0, 3, 1], [1, 3, 2], [2, 3, 0], [0, 1, 2]];
/// let needle = Mesh::new(corners.map(DVec3::from_array).to_vec(), faces)?;
/// let (floor, needle) = (Model::new(floor), Model::new(needle));
/// let here = Pose::IDENTITY;
/// let regions = query::regions(&floor, &here, &needle, &here, &mut Workspace::default());
/// assert_eq!((regions.len(), regions[0].curves.len()), (1, 1));
/// assert!(regions[0].curves[0].is_closed);
/// assert!((regions[0].length - (2.0 + 2_f64.sqrt())).abs() < 1e-12);
/// assert!(regions[0].normal.z > 0.9);
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
pub fn regions(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    workspace: &mut Workspace,
) -> Vec<Region> {
    let question = CollisionRequest { want: Want::All, ..CollisionRequest::default() };
    let answer = collide(a, pose_a, b, pose_b, &question, workspace);
    regions_of(a, pose_a, b, pose_b, &answer.pairs)
}

/// The regions of some pairs of triangles that `collide` found, such as those that cross. Their
/// order does not matter, and pairs that do not meet are left out.
///
/// # Panics
/// If there are no such triangles.
pub fn regions_of(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    pairs: &[TrianglePair],
) -> Vec<Region> {
    let turned = order((a, pose_a), (b, pose_b)) == Ordering::Greater;
    let (mut pairs, mut sides) = (pairs.to_vec(), Sides { a, pose_a, b, pose_b });
    if turned {
        sides = Sides { a: b, pose_a: pose_b, b: a, pose_b: pose_a };
        for pair in &mut pairs {
            std::mem::swap(&mut pair.a, &mut pair.b);
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut regions = assemble(&sides, &pairs);
    for region in regions.iter_mut().filter(|_| turned) {
        std::mem::swap(&mut region.triangles_a, &mut region.triangles_b);
        // Adding zero leaves no negative zeros.
        region.normal = -region.normal + DVec3::ZERO;
    }
    regions
}

/// The regions of ordered pairs of ordered models.
fn assemble(sides: &Sides, pairs: &[TrianglePair]) -> Vec<Region> {
    let mut pieces = Pieces::new(sides, pairs);
    let segments = curve::segments(&mut pieces);
    let (numbers, count) = pieces.region_numbers();
    let mut regions = vec![Region::default(); count];
    let mut members = vec![Vec::new(); count];
    for (place, piece) in pieces.list.iter().enumerate() {
        let number = numbers[piece.nodes[0] as usize] as usize;
        members[number].push(place);
    }
    let mut lines = vec![Vec::new(); count];
    for line in curve::trace(&segments, pieces.points.len()) {
        lines[numbers[line.nodes[0] as usize] as usize].push(line);
    }
    for ((region, members), lines) in regions.iter_mut().zip(&members).zip(&lines) {
        measure::fill(region, sides, &pieces, members, lines);
    }
    many_by(&mut regions, |x, y| {
        let by_point = || {
            let coordinates = x.point.to_array().into_iter().zip(y.point.to_array());
            coordinates.map(|(x, y)| x.total_cmp(&y)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
        };
        y.length.total_cmp(&x.length).then(y.area.total_cmp(&x.area)).then_with(by_point)
    });
    regions
}

/// An order of placed models that depends on nothing but themselves.
fn order((a, pose_a): (&Model, &Pose), (b, pose_b): (&Model, &Pose)) -> Ordering {
    let numbers = |place: &Pose| {
        let mut all = [0.0; 12];
        all[..3].copy_from_slice(&place.translation().to_array());
        all[3..].copy_from_slice(&place.rotation().to_cols_array());
        all
    };
    let compare = |x: &f64, y: &f64| x.total_cmp(y);
    let by_place = || {
        numbers(pose_a).iter().zip(&numbers(pose_b)).map(|(x, y)| compare(x, y)).find(|o| o.is_ne())
    };
    let by_vertex = || {
        let (mut x, mut y) = (a.mesh().vertices().iter(), b.mesh().vertices().iter());
        std::iter::from_fn(|| Some((x.next()?, y.next()?)))
            .flat_map(|(p, q)| [(p.x, q.x), (p.y, q.y), (p.z, q.z)])
            .map(|(x, y)| x.total_cmp(&y))
            .find(|o| o.is_ne())
    };
    by_place().or_else(by_vertex).unwrap_or_else(|| a.mesh().triangles().cmp(b.mesh().triangles()))
}
