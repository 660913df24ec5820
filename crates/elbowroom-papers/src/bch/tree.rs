//! The bounding cylinder hierarchy by name.

use elbowroom::Mesh;
use elbowroom_motion::Planar;
use elbowroom_motion::footprint::{Footprint, FootprintConfig, Look, Nearness, Work, ask_counted};

/// The bounding cylinder hierarchy of Stüvel and others: circles around the contour of a character
/// seen from above, under a binary tree. The vertical is z.
///
/// An answer at any level is a bound: *clear* is certain, *may touch* is not. Production crowds run on
/// the same [`Footprint`], four circles at a time.
///
/// ```
/// use elbowroom_motion::Planar;
/// use elbowroom_papers::bch::CylinderHierarchy;
/// use glam::DVec2;
///
/// let ball = CylinderHierarchy::build(&elbowroom_make::icosphere(8), &Default::default());
/// let beside = Planar::from_angle(0.5, DVec2::new(2.05, 0.0))?;
/// let here = Planar::IDENTITY;
/// let (may_touch, tests) = ball.may_touch(&here, &ball, &beside, None);
/// assert!(!may_touch && tests >= 1);
/// # Ok::<(), elbowroom_motion::PlanarError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CylinderHierarchy {
    footprint: Footprint,
}

impl CylinderHierarchy {
    /// A hierarchy over a posed mesh. The default configuration is the paper's: contour segments, cut
    /// at the centroid, down to 1 cm.
    pub fn build(mesh: &Mesh, config: &FootprintConfig) -> Self {
        Self { footprint: Footprint::of_mesh(mesh, config) }
    }

    /// Whether two characters may touch, down to a level (0 is the single cylinder, `None` all
    /// levels), and how many pairs of circles were tested. `false` is certain.
    pub fn may_touch(
        &self,
        at: &Planar,
        other: &Self,
        other_at: &Planar,
        level: Option<u32>,
    ) -> (bool, u64) {
        let (look, mut work) = (Look { level, margin: 0.0 }, Work::default());
        let nearness =
            ask_counted(&self.footprint, at, &other.footprint, other_at, &look, &mut work);
        (nearness == Nearness::MayTouch, work.tests)
    }

    /// The circles, as crowds use them.
    pub fn footprint(&self) -> &Footprint {
        &self.footprint
    }
}
