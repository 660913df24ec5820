//! Floor 6: the footprint of a body on the floor, as a tree of circles.
//!
//! People who stand on one floor are told apart by what they look like from above. A [`Footprint`]
//! is a tree of vertical cylinders around the contour of a posed mesh, or around its projected
//! triangles. As long as bodies turn about the vertical and shift, the circles only move. A
//! question may be limited to a level: *clear* is certain at every level, and *may touch* is closer
//! the deeper it looks.
//!
//! Source: Stüvel, Magnenat-Thalmann, Thalmann, Egges and van der Stappen, *Hierarchical structures
//! for collision checking between virtual characters*, 2014: the bounding cylinder hierarchy (BCH).
//!
//! Invariants: every circle holds all that is below it, rounding included; where two footprints are
//! clear, the meshes that they were made of do not meet, at whatever heights. A body within the
//! ring of another is found.

mod ask;
mod boxes;
mod circles;
mod descent;
mod packed;
mod segments;
mod slide;
mod sweep;
mod triangles;
mod within;

use glam::{DVec2, DVec3};

pub use ask::{Look, Nearness, Work, ask, ask_counted, ask_on};
pub use boxes::{BoxParts, BoxWork, Boxes, ask_boxes};
use circles::Circles;
use packed::Packed;
use segments::Segments;
pub use slide::{SlideShape, SlideWork, slide};
use triangles::Projected;
use within::Mark;

use elbowroom::internal::bvh::{Column, Tree, grow};
use elbowroom::internal::geom::Contour;
use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::volume::Cylinder;

/// What the circles enclose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Parts {
    /// Pieces of the contour, down to the threshold.
    #[default]
    Contour,
    /// Every triangle, as it looks from above.
    Triangles,
    /// The whole body: one cylinder.
    Whole,
}

/// The place where a group is cut, across the longer side of its box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cut {
    /// At the mean of its segments, by length, or of the triangles' corners.
    #[default]
    Centroid,
    /// At the centroid of the area that its segments enclose, as the paper says of a whole contour;
    /// an open piece of one is closed through the mean of its segments. Where there is next to
    /// no area, and of triangles, as [`Centroid`](Self::Centroid).
    Area,
    /// In the middle of the box.
    Center,
    /// At the mean, across the direction in which it spreads most.
    Covariance,
}

/// How the contour of a body is found. It is the same but for rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Outline {
    /// From the edges between what faces up and what faces down: of a closed body some hundred.
    #[default]
    Silhouette,
    /// As the union of all projected triangles, as the paper has it.
    Union,
}

/// Configuration of a footprint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootprintConfig {
    /// What the circles enclose.
    pub parts: Parts,
    /// The place where groups are cut.
    pub cut: Cut,
    /// Contours are cut until circles are smaller than this; longer segments are halved.
    pub threshold: f64,
    /// Whether holes count as room. Without them a body within a ring touches it.
    pub holes: bool,
    /// How the contour is found.
    pub outline: Outline,
}

impl FootprintConfig {
    /// As the paper has it: segments of the contour, by the union of all projected triangles, cut
    /// through their centroid until circles are smaller than 1 cm. The lengths of the mesh are
    /// metres.
    pub const fn paper() -> Self {
        Self {
            parts: Parts::Contour,
            cut: Cut::Centroid,
            threshold: 0.01,
            holes: true,
            outline: Outline::Union,
        }
    }
}

impl Default for FootprintConfig {
    /// The paper's choice with a threshold of 1 cm, but from silhouettes: the same contour, sooner.
    fn default() -> Self {
        Self { outline: Outline::Silhouette, ..Self::paper() }
    }
}

/// A body as it looks from above, under circles. The vertical is z.
///
/// ```
/// use elbowroom_motion::footprint::{Footprint, FootprintConfig, Look, Nearness, Work, ask};
/// use elbowroom::internal::math::planar::Planar;
/// use glam::DVec2;
///
/// let ball = Footprint::of_mesh(&elbowroom_make::icosphere(8), &FootprintConfig::default());
/// let near = Planar::from_angle(0.5, DVec2::new(2.05, 0.0))?;
/// let here = Planar::IDENTITY;
/// let all = ask(&ball, &here, &ball, &near, &Look::default(), &mut Work::default());
/// let wider = Look { level: Some(0), margin: 0.1 };
/// let whole = ask(&ball, &here, &ball, &near, &wider, &mut Work::default());
/// assert_eq!((all, whole), (Nearness::Clear, Nearness::MayTouch));
/// # Ok::<(), elbowroom::internal::math::planar::PlanarError>(())
/// ```
#[derive(Clone, Debug)]
// What every question reads comes first, in a line of its own.
#[repr(C, align(64))]
pub struct Footprint {
    packed: Packed,
    circles: Circles,
    marks: Vec<Mark>,
    contour: Option<Contour>,
    height: (f64, f64),
    tree: Tree,
    column: Column<Cylinder>,
}

impl Footprint {
    /// A footprint of a posed mesh.
    pub fn of_mesh(mesh: &Mesh, config: &FootprintConfig) -> Self {
        Self::new(mesh.vertices(), mesh.triangles(), config)
    }

    /// A footprint of triangles over finite points, at least one.
    ///
    /// # Panics
    /// If there are no triangles, or one names a point that is not there.
    pub fn new(points: &[DVec3], triangles: &[[u32; 3]], config: &FootprintConfig) -> Self {
        Self::with_margin(points, triangles, config, 0.0)
    }

    /// Of a body that moves: a bound of all its poses and of what is between them, where every
    /// point goes in a straight line from each pose to the next. Poses are samples of a clip,
    /// or of an interval of it.
    ///
    /// ```
    /// use elbowroom_motion::footprint::{Footprint, FootprintConfig};
    /// use glam::DVec3;
    ///
    /// let ball = elbowroom_make::icosphere(4);
    /// let shifted: Vec<DVec3> = ball.vertices().iter().map(|p| p + 3.0 * DVec3::X).collect();
    /// let config = FootprintConfig { threshold: 0.1, ..FootprintConfig::default() };
    /// let swept = Footprint::of_poses(&[ball.vertices(), &shifted], ball.triangles(), &config);
    /// assert!((swept.whole().radius - 2.5).abs() < 0.1);
    /// ```
    ///
    /// # Panics
    /// If there are no poses or no triangles, poses differ in their number of points, or a triangle
    /// names a point that is not there.
    pub fn of_poses(poses: &[&[DVec3]], triangles: &[[u32; 3]], config: &FootprintConfig) -> Self {
        let is_alike = poses.windows(2).all(|pair| pair[0].len() == pair[1].len());
        assert!(is_alike, "poses of different meshes");
        let flat: Vec<Vec<DVec2>> = poses.iter().map(|points| seen_from_above(points)).collect();
        let heights = poses.iter().map(|points| height(points, triangles));
        let height = heights.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        Self::build(&flat, triangles, config, 0.0, height.expect("the footprint of no pose"))
    }

    /// A footprint of triangles whose points may be off by a margin.
    pub fn with_margin(
        points: &[DVec3],
        triangles: &[[u32; 3]],
        config: &FootprintConfig,
        margin: f64,
    ) -> Self {
        let height = height(points, triangles);
        Self::build(&[seen_from_above(points)], triangles, config, margin, height)
    }

    fn build(
        poses: &[Vec<DVec2>],
        triangles: &[[u32; 3]],
        config: &FootprintConfig,
        margin: f64,
        height: (f64, f64),
    ) -> Self {
        assert!(!triangles.is_empty(), "the footprint of nothing");
        let mut contour = None;
        let (tree, column) = match config.parts {
            Parts::Contour => {
                let (outline, off) = sweep::outline(poses, triangles, config);
                let outline = if config.holes { outline } else { outline.filled() };
                let grown = grow(&Segments::new(&outline, config, margin + off));
                contour = Some(outline);
                grown
            }
            Parts::Triangles => grow(&Projected::new(poses, triangles, Some(config.cut), margin)),
            Parts::Whole => grow(&Projected::new(poses, triangles, None, margin)),
        };
        Self::of_circles(tree, column, contour, height)
    }

    #[doc(hidden)]
    pub fn of_circles(
        tree: Tree,
        column: Column<Cylinder>,
        contour: Option<Contour>,
        height: (f64, f64),
    ) -> Self {
        let mut circles = Circles::new(&tree, &column);
        let packed = Packed::new(&mut circles);
        let marks = contour.as_ref().map(within::marks).unwrap_or_default();
        Self { packed, circles, marks, contour, height, tree, column }
    }

    /// The tree under the circles.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The circles, as cylinders without ends, by node of the tree.
    pub fn column(&self) -> &Column<Cylinder> {
        &self.column
    }

    /// The contour, if the circles were put around one.
    pub fn contour(&self) -> Option<&Contour> {
        self.contour.as_ref()
    }

    /// The circle around everything.
    pub fn whole(&self) -> &Cylinder {
        &self.column.volumes()[0]
    }

    /// Lowest and highest z of the body.
    pub fn height(&self) -> (f64, f64) {
        self.height
    }
}

#[doc(hidden)]
pub fn seen_from_above(points: &[DVec3]) -> Vec<DVec2> {
    points.iter().map(|point| point.truncate()).collect()
}

/// Lowest and highest corner.
pub fn height(points: &[DVec3], triangles: &[[u32; 3]]) -> (f64, f64) {
    let heights = triangles.as_flattened().iter().map(|&corner| points[corner as usize].z);
    heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), z| (low.min(z), high.max(z)))
}
