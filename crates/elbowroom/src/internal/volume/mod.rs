//! Floor 3: shapes that enclose, one family a file.
//!
//! A volume knows how to fit triangles, how to merge from two children and how to be looked at.
//! Where two of them stand is not its business: a [`Rigid`] space carries that, prepared once a
//! query, and [`Meet`] decides in it. Volumes only cull, so every one rounds outward: it contains
//! what it was fitted to in exact arithmetic, and *apart* is only said when it is certain.

use std::fmt::Debug;

use glam::{DMat3, DVec3};

pub mod aabb;
pub mod aabb8;
pub mod cylinder;
mod dito;
pub mod fit;
pub mod gap;
pub mod kdop;
pub mod mixed;
pub mod obb;
pub mod obb_batch;
pub mod round;
mod sat;
mod small;
pub mod space;
pub mod sphere;
pub mod time_box;
pub mod time_obb;
pub mod time_space;

pub use aabb::Aabb;
pub use cylinder::Cylinder;
pub use fit::Fit;
pub use kdop::{Kdop, Kdop14, Kdop18, Kdop24, Kdop26};
pub use mixed::Mirrored;
pub use obb::Obb;
pub use sat::{ObbPair, separated};
pub use small::SmallObb;
pub use space::Rigid;
pub use sphere::Sphere;
pub use time_box::TimeBox;
pub use time_obb::TimeObb;
pub use time_space::TimeSpace;

/// Which shape: the name under which tests are tallied and configurations choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// [`Sphere`].
    Sphere,
    /// [`Aabb`].
    Aabb,
    /// [`Obb`].
    Obb,
    /// [`Kdop14`].
    Kdop14,
    /// [`Kdop18`].
    Kdop18,
    /// [`Kdop24`].
    Kdop24,
    /// [`Kdop26`].
    Kdop26,
    /// [`Cylinder`].
    Cylinder,
    /// [`TimeBox`]: of motions, not of points in space.
    TimeBox,
    /// [`TimeObb`]: of motions, not of points in space.
    TimeObb,
}

impl Family {
    /// Every family of points in space: those that triangles can be fitted with.
    pub const ALL: [Self; 8] = [
        Self::Sphere,
        Self::Aabb,
        Self::Obb,
        Self::Kdop14,
        Self::Kdop18,
        Self::Kdop24,
        Self::Kdop26,
        Self::Cylinder,
    ];

    /// Every family, those of motions included, in the order of its number.
    pub const EVERY: [Self; Self::COUNT] = [
        Self::Sphere,
        Self::Aabb,
        Self::Obb,
        Self::Kdop14,
        Self::Kdop18,
        Self::Kdop24,
        Self::Kdop26,
        Self::Cylinder,
        Self::TimeBox,
        Self::TimeObb,
    ];

    /// How many families there are, those of motions included.
    pub const COUNT: usize = Self::ALL.len() + 2;

    /// Whether it looks the same from several sides, so that it has no longest axis of its own.
    pub fn is_round(self) -> bool {
        matches!(self, Self::Sphere | Self::Cylinder)
    }

    /// The name in tables and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Aabb => "aabb",
            Self::Obb => "obb",
            Self::Kdop14 => "14-dop",
            Self::Kdop18 => "18-dop",
            Self::Kdop24 => "24-dop",
            Self::Kdop26 => "26-dop",
            Self::Cylinder => "cylinder",
            Self::TimeBox => "time box",
            Self::TimeObb => "time obb",
        }
    }
}

/// A shape that encloses: what every hierarchy needs of it.
pub trait Volume: Clone + Debug + Send + Sync + 'static {
    /// The name.
    const FAMILY: Family;

    /// Encloses two volumes, and so all that they enclose.
    #[must_use]
    fn merged(&self, other: &Self) -> Self;

    /// The radius of the volume along its longest direction: what "the larger" goes by when one of
    /// two is to be descended.
    fn reach(&self) -> f64;
}

/// A volume of points in space, which can be fitted to triangles. (Those of motions, in space and
/// time, are not.)
pub trait Spatial: Volume {
    /// Encloses triangles, which may be degenerate; at least one. Families with one way to fit pay
    /// no heed to `fit`.
    fn of_triangles(triangles: &[[DVec3; 3]], fit: Fit) -> Self;

    /// Whether a point lies in the volume, boundary included, up to the rounding of this very test:
    /// a point that it was fitted to always does.
    fn contains(&self, point: DVec3) -> bool;

    /// Surface area. Never NaN; infinite where it overflows.
    fn area(&self) -> f64;

    /// The directions to split along, as orthonormal columns, longest first.
    fn axes(&self) -> DMat3;

    /// The direction in which the fit found most spread, which need not be the longest.
    fn principal(&self) -> DVec3 {
        self.axes().x_axis
    }

    /// An oriented box around the volume, for tests between families that have none of their own.
    fn boxed(&self) -> Obb;

    /// Bounds the sum of the coordinates' magnitudes of its points, to rounding: what a [`Rigid`]
    /// space has to know of an object whose volumes were merged and so reach beyond its
    /// vertices.
    fn farthest(&self) -> f64;
}

/// Two families that can be tested against each other, in a kind of space: [`Rigid`], unless
/// another is named.
///
/// ```
/// use elbowroom::Pose;
/// use elbowroom::internal::volume::{Fit, Meet, Obb, Rigid, Spatial, Sphere};
/// use glam::DVec3;
///
/// let triangles = [[DVec3::ZERO, DVec3::X, DVec3::Y]];
/// let plate = Obb::of_triangles(&triangles, Fit::default());
/// let ball = Sphere::of_triangles(&triangles, Fit::default());
/// // The coordinates of either object add up to at most 1.
/// let above = Pose::from_translation(DVec3::Z)?;
/// let apart = |margin| Rigid::new(&Pose::IDENTITY, 1.0, &above, 1.0, margin);
/// assert!(!plate.may_meet(&plate, &apart(0.5)) && plate.may_meet(&plate, &apart(1.0)));
/// assert!(!plate.may_meet(&ball, &apart(0.2)) && plate.may_meet(&ball, &apart(0.3)));
/// # Ok::<(), elbowroom::PoseError>(())
/// ```
pub trait Meet<Other: Volume = Self, In = Rigid>: Volume {
    /// What a query prepares once from where the two stand.
    type Space: for<'a> From<&'a In>;

    /// False only if this volume and the other, which stands in this one's frame as the space says,
    /// are certainly farther apart than the space's margin.
    fn may_meet(&self, other: &Other, space: &Self::Space) -> bool;
}
