//! Which family encloses the nodes of which level.
//!
//! ```text
//!   level 0        ●            sphere     from level 0     far pairs are thrown out at the least cost
//!   level 1       □ □           AABB       from level 1
//!   level 2      □ □ □ □
//!   level 3     ⬡ ⬡ ⬡ ⬡ …       18-DOP     from level 3     few get here, and fewer get through
//! ```
//!
//! Source: Liu, Wang and Yang, *A three-layer hybrid bounding volume hierarchy for collision
//! detection* (2017), whose tree is the one that is drawn, and the hybrids it compares itself with.
//! The paper sets the levels at which layers begin by hand; so do these constructors, and
//! [`choose`](elbowroom_papers::sbbk::choose) finds them from the geometry.

use std::fmt;

use elbowroom::internal::volume::Family;

/// The most layers that a tree may have.
pub const MOST_LAYERS: usize = 8;

/// A sequence of families by level. The root is level 0, and the last layer goes on for ever.
///
/// A leaf belongs to the last layer, on whatever level it is: below it there is nothing that could
/// make good what a loose shape lets through.
///
/// ```
/// use elbowroom_papers::sbbk::Layers;
/// use elbowroom::internal::volume::Family;
///
/// let sbbk = Layers::sbbk(18, 1, 5)?;
/// assert_eq!(sbbk.family_at(0), Family::Sphere);
/// assert_eq!(sbbk.family_at(4), Family::Aabb);
/// assert_eq!(sbbk.family_at(40), Family::Kdop18);
/// assert_eq!(sbbk.to_string(), "sphere, aabb from 1, 18-dop from 5");
///
/// let error = Layers::new([(Family::Aabb, 0), (Family::Cylinder, 3)]).unwrap_err();
/// assert!(error.to_string().contains("layer 1"));
/// # Ok::<(), elbowroom_papers::sbbk::LayersError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layers {
    runs: Vec<(Family, u32)>,
}

impl Layers {
    /// Layers of a family each, with the level at which each begins: the first at 0, and each below
    /// the one before.
    ///
    /// # Errors
    /// Names the layer that begins where it cannot or whose family does not go with the others; or
    /// says that there is no layer, or more than eight.
    pub fn new(runs: impl IntoIterator<Item = (Family, u32)>) -> Result<Self, LayersError> {
        // One more than may be, so that a source without end is noticed as well.
        let runs: Vec<(Family, u32)> = runs.into_iter().take(MOST_LAYERS + 1).collect();
        if runs.is_empty() {
            return Err(LayersErrorKind::Empty.into());
        }
        if runs.len() > MOST_LAYERS {
            return Err(LayersErrorKind::TooMany.into());
        }
        let mut least = 0;
        for (layer, &(family, level)) in runs.iter().enumerate() {
            if matches!(family, Family::Cylinder | Family::TimeBox | Family::TimeObb) {
                return Err(LayersErrorKind::Family { layer, family }.into());
            }
            if level < least || layer == 0 && level > 0 {
                return Err(LayersErrorKind::Level { layer, level, least }.into());
            }
            least = level.saturating_add(1);
        }
        Ok(Self { runs })
    }

    /// Layers that are known to begin where they may.
    pub(crate) fn known<const N: usize>(runs: [(Family, u32); N]) -> Self {
        Self { runs: runs.into() }
    }

    /// One family throughout.
    ///
    /// # Errors
    /// If it is the cylinder, or of motions.
    pub fn single(family: Family) -> Result<Self, LayersError> {
        Self::new([(family, 0)])
    }

    /// Sphere, AABB, k-DOP: the paper's own. Every layer can follow a body that deforms. The paper
    /// does not say what k is; 18 is a good choice.
    ///
    /// # Errors
    /// If k is not 14, 18, 24 or 26, or the levels do not ascend from 1.
    pub fn sbbk(k: u32, aabb_from: u32, kdop_from: u32) -> Result<Self, LayersError> {
        Self::new([(Family::Sphere, 0), (Family::Aabb, aabb_from), (kdop(k)?, kdop_from)])
    }

    /// Sphere, AABB, OBB, for rigid bodies.
    ///
    /// # Errors
    /// If the levels do not ascend from 1.
    pub fn hbbcd(aabb_from: u32, obb_from: u32) -> Result<Self, LayersError> {
        Self::new([(Family::Sphere, 0), (Family::Aabb, aabb_from), (Family::Obb, obb_from)])
    }

    /// Sphere, AABB.
    ///
    /// # Errors
    /// If the boxes begin at level 0.
    pub fn s_aabb(aabb_from: u32) -> Result<Self, LayersError> {
        Self::new([(Family::Sphere, 0), (Family::Aabb, aabb_from)])
    }

    /// Sphere, OBB.
    ///
    /// # Errors
    /// If the boxes begin at level 0.
    pub fn s_obb(obb_from: u32) -> Result<Self, LayersError> {
        Self::new([(Family::Sphere, 0), (Family::Obb, obb_from)])
    }

    /// AABB, k-DOP.
    ///
    /// # Errors
    /// If k is not 14, 18, 24 or 26, or the k-DOPs begin at level 0.
    pub fn aabb_kdop(k: u32, kdop_from: u32) -> Result<Self, LayersError> {
        Self::new([(Family::Aabb, 0), (kdop(k)?, kdop_from)])
    }

    /// The layers: family and first level.
    pub fn runs(&self) -> &[(Family, u32)] {
        &self.runs
    }

    /// The layer that inner nodes of a level belong to.
    pub fn layer_at(&self, level: u32) -> usize {
        self.runs.partition_point(|&(_, first)| first <= level) - 1
    }

    /// The family of the inner nodes of a level.
    pub fn family_at(&self, level: u32) -> Family {
        self.runs[self.layer_at(level)].0
    }

    /// The last layer, to which all leaves belong.
    pub fn last(&self) -> usize {
        self.runs.len() - 1
    }
}

impl fmt::Display for Layers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (layer, (family, level)) in self.runs.iter().enumerate() {
            match layer {
                0 => write!(f, "{}", family.name())?,
                _ => write!(f, ", {} from {level}", family.name())?,
            }
        }
        Ok(())
    }
}

fn kdop(k: u32) -> Result<Family, LayersError> {
    match k {
        14 => Ok(Family::Kdop14),
        18 => Ok(Family::Kdop18),
        24 => Ok(Family::Kdop24),
        26 => Ok(Family::Kdop26),
        _ => Err(LayersErrorKind::Directions { k }.into()),
    }
}

elbowroom::declare_error! {
    /// Why layers were refused.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct LayersError;

    /// What was wrong with layers, which count from 0.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum LayersErrorKind {
        /// There is no layer.
        #[error("there is no layer; give at least one, from level 0")]
        Empty,
        /// There are more than eight.
        #[error("there are more than {MOST_LAYERS} layers; join some")]
        TooMany,
        /// The first layer does not begin at level 0, or another not below the one before.
        #[error("layer {layer} begins at level {level}{}", level_rule(*least))]
        Level {
            /// The layer.
            layer: usize,
            /// Where it begins.
            level: u32,
            /// Where it may begin at the earliest; the first layer, only there.
            least: u32,
        },
        /// The family cannot be tested against the others.
        #[error(
            "layer {layer} is of the family {}, which is not tested against the others; use \
             balls, boxes or k-DOPs",
            family.name()
        )]
        Family {
            /// The layer.
            layer: usize,
            /// The family.
            family: Family,
        },
        /// There is no such k-DOP.
        #[error("there is no {k}-DOP; k is one of 14, 18, 24 and 26")]
        Directions {
            /// How many planes it would have.
            k: u32,
        },
    }
}

/// Where a layer may begin, as the end of a sentence.
fn level_rule(least: u32) -> String {
    if least == 0 {
        "; the first must begin at level 0".into()
    } else {
        format!(", but not before level {least} it can: each has to begin below the one before")
    }
}
