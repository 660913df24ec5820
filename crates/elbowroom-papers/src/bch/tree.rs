//! The bounding cylinder hierarchy by name.

use elbowroom::Mesh;
use elbowroom::internal::volume::{Cylinder, Family};
use elbowroom_motion::Planar;
use elbowroom_motion::footprint::{Footprint, FootprintConfig, Look, Nearness, Work, ask_counted};

use crate::grammar::{Intersection, LevelBound, LevelShape, Levels, Tally, Verdict};

/// The bounding cylinder hierarchy of Stüvel and others: circles around the contour of a character
/// seen from above, under a binary tree. The vertical is z.
///
/// An answer at any level is a bound: *clear* is certain, *may touch* is not. Production crowds run
/// on the same [`Footprint`], four circles at a time.
///
/// ```
/// use elbowroom_motion::Planar;
/// use elbowroom_papers::bch::{Config, CylinderHierarchy};
/// use glam::DVec2;
///
/// let ball = CylinderHierarchy::build(&elbowroom_make::icosphere(8), &Config::paper());
/// let beside = Planar::from_angle(0.5, DVec2::new(2.05, 0.0))?;
/// let found = ball.intersect(&Planar::IDENTITY, &ball, &beside, None);
/// assert!(found.is_clear() && found.nodes_visited() >= 1);
/// # Ok::<(), elbowroom_motion::PlanarError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CylinderHierarchy {
    footprint: Footprint,
}

impl CylinderHierarchy {
    /// A hierarchy over a posed mesh.
    pub fn build(mesh: &Mesh, config: &FootprintConfig) -> Self {
        Self { footprint: Footprint::of_mesh(mesh, config) }
    }

    /// Whether two characters may touch, down to a level (0 is the single cylinder, `None` all
    /// levels), with the number of pairs of circles that were tested. *Clear* is certain; there is
    /// no
    /// *contact*, and no pairs are listed.
    pub fn intersect(
        &self,
        at: &Planar,
        other: &Self,
        other_at: &Planar,
        level: Option<u32>,
    ) -> Intersection<[u32; 2]> {
        let (look, mut work) = (Look { level, margin: 0.0 }, Work::default());
        let nearness =
            ask_counted(&self.footprint, at, &other.footprint, other_at, &look, &mut work);
        let mut tally = Tally::default();
        tally.count_volumes(Family::Cylinder, work.tests);
        let verdict = match nearness {
            Nearness::Clear => Verdict::Clear,
            Nearness::MayTouch => Verdict::MayTouch,
        };
        Intersection::new(verdict, Vec::new(), tally)
    }

    /// The circles node by node, as cylinders as high as the body.
    pub fn levels(&self) -> Levels {
        let (low, high) = self.footprint.height();
        Levels::of(self.footprint.tree(), |node| {
            let circle = Cylinder { low, high, ..self.footprint.column()[node] };
            Some(LevelBound {
                family: Family::Cylinder,
                area: std::f64::consts::PI * circle.radius * circle.radius,
                bytes: size_of::<Cylinder>(),
                shape: LevelShape::Cylinder(circle),
            })
        })
    }

    /// The circles, as crowds use them.
    pub fn footprint(&self) -> &Footprint {
        &self.footprint
    }
}
