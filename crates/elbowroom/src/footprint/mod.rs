//! Floor 6: the footprint of a body on the floor, as a tree of circles.
//!
//! People who stand on one floor are told apart by what they look like from above. A [`Footprint`] is a tree of vertical
//! cylinders around the contour of a posed mesh, or around its projected triangles. As long as bodies turn about the
//! vertical and shift, the circles only move. A question may be limited to a level: *clear* is certain at every
//! level, and *may touch* is closer the deeper it looks.
//!
//! Source: Stüvel, Magnenat-Thalmann, Thalmann, Egges and van der Stappen, *Hierarchical structures for collision
//! checking between virtual characters*, 2014: the bounding cylinder hierarchy (BCH).
//!
//! Invariants: every circle holds all that is below it, rounding included; where two footprints are clear, the meshes that
//! they were made of do not meet, at whatever heights. A body within the ring of another is found.

pub mod area;
mod ask;
mod boxes;
mod circles;
mod segments;
mod slide;
mod triangles;

use glam::{DVec2, DVec3};

pub use ask::{Look, Nearness, Work, ask};
pub use boxes::{BoxParts, BoxWork, Boxes, ask_boxes};
use circles::Circles;
use segments::Segments;
pub use slide::{Shape, SlideWork, slide};
use triangles::Projected;

use crate::geom::Contour;
use crate::geom::mesh::Mesh;
use crate::tree::{Column, Tree, grow};
use crate::volume::Cylinder;

/// What the circles are put around.
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

/// Where a group is cut, across the longer side of the box around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cut {
    /// At the mean of its segments, by length; of triangles' corners.
    #[default]
    Centroid,
    /// In the middle of the box.
    Center,
    /// At the mean, across the direction in which it spreads most.
    Covariance,
}

/// How a footprint is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootprintConfig {
    /// What the circles are put around.
    pub parts: Parts,
    /// Where groups are cut.
    pub cut: Cut,
    /// Contours are cut until circles are smaller than this; longer segments are halved.
    pub threshold: f64,
    /// Whether holes count as room. Without them a body within a ring touches it.
    pub holes: bool,
}

impl Default for FootprintConfig {
    /// The paper's choice, with a threshold of 1 cm.
    fn default() -> Self {
        Self { parts: Parts::Contour, cut: Cut::Centroid, threshold: 0.01, holes: true }
    }
}

/// A body as it looks from above, under circles. The vertical is z.
///
/// ```
/// use elbowroom::footprint::{Footprint, FootprintConfig, Look, Nearness, Work, ask};
/// use elbowroom::math::planar::Planar;
/// use glam::DVec2;
///
/// let ball = Footprint::of_mesh(&elbowroom_make::icosphere(8), &FootprintConfig::default());
/// let near = Planar::from_angle(0.5, DVec2::new(2.05, 0.0))?;
/// let here = Planar::IDENTITY;
/// let all = ask(&ball, &here, &ball, &near, &Look::default(), &mut Work::default());
/// let wider = Look { level: Some(0), margin: 0.1 };
/// let whole = ask(&ball, &here, &ball, &near, &wider, &mut Work::default());
/// assert_eq!((all, whole), (Nearness::Clear, Nearness::MayTouch));
/// # Ok::<(), elbowroom::math::planar::PlanarError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Footprint {
    tree: Tree,
    column: Column<Cylinder>,
    circles: Circles,
    contour: Option<Contour>,
    height: (f64, f64),
    reach: f64,
}

impl Footprint {
    /// Of a posed mesh.
    pub fn of_mesh(mesh: &Mesh, config: &FootprintConfig) -> Self {
        Self::new(mesh.vertices(), mesh.triangles(), config)
    }

    /// Of triangles over finite points, at least one.
    ///
    /// # Panics
    /// If there are no triangles, or one names a point that is not there.
    pub fn new(points: &[DVec3], triangles: &[[u32; 3]], config: &FootprintConfig) -> Self {
        assert!(!triangles.is_empty(), "the footprint of nothing");
        let flat: Vec<DVec2> = points.iter().map(|point| point.truncate()).collect();
        let heights = triangles.iter().flatten().map(|&corner| points[corner as usize].z);
        let height = heights
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), z| (low.min(z), high.max(z)));
        let mut contour = None;
        let (tree, column) = match config.parts {
            Parts::Contour => {
                let outline = Contour::of(&flat, triangles);
                let outline = if config.holes { outline } else { outline.filled() };
                let grown = grow(&Segments::new(&outline, config));
                contour = Some(outline);
                grown
            }
            Parts::Triangles => grow(&Projected::new(&flat, triangles, config.cut)),
            Parts::Whole => {
                let whole = Projected::new(&flat, triangles, config.cut);
                grow(&whole.uncut())
            }
        };
        let circles = Circles::new(&tree, &column);
        let used = triangles.iter().flatten().map(|&corner| flat[corner as usize]);
        let reach = used.map(|p| p.x.abs() + p.y.abs()).fold(0.0, f64::max);
        // Circles reach farther than what they are put around.
        let round = column.volumes().iter().map(|c| c.center.abs().element_sum() + c.radius);
        let reach = round.fold(reach, f64::max);
        Self { tree, column, circles, contour, height, reach }
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
