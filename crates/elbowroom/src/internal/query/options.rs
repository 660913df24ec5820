//! What a query is asked: surfaces or solids, and how much is to be found out.

/// What meshes stand for: surfaces or solids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mode {
    /// Surfaces: boundaries are compared, and a mesh wholly inside another one does not touch it.
    #[default]
    Surface,
    /// Solids: what the meshes enclose, the points with a winding number above one half.
    Solid,
}

/// Options of a query: what to find out about two models. The default finds only whether the
/// surfaces intersect; fewer options are faster.
///
/// ```
/// use elbowroom::{Mode, QueryOptions};
///
/// let options = QueryOptions::KIND.solid().within(0.005).regions();
/// assert_eq!((options.mode, options.clearance), (Mode::Solid, 0.005));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that may be asked for")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct QueryOptions {
    /// Whether the meshes stand for their surfaces or for the solids that they enclose.
    pub mode: Mode,
    /// With more than zero, models that do not intersect are also compared with this distance.
    /// Negative or NaN, it counts as zero.
    pub clearance: f64,
    /// The kind of contact.
    pub kind: bool,
    /// Which of the two goes right through the other, if they cross.
    pub through: bool,
    /// The distance, also beyond the clearance.
    pub distance: bool,
    /// The regions in which they meet, with their curves.
    pub regions: bool,
    /// All pairs of triangles that meet.
    pub pairs: bool,
    /// Penetration depth and overlap volume, as solids, if they have a point in common.
    pub penetration: bool,
}

impl QueryOptions {
    /// Options for the kind of contact only.
    pub const KIND: Self = Self {
        mode: Mode::Surface,
        clearance: 0.0,
        kind: true,
        through: false,
        distance: false,
        regions: false,
        pairs: false,
        penetration: false,
    };

    /// Options for everything.
    pub const ALL: Self = Self {
        through: true,
        distance: true,
        regions: true,
        pairs: true,
        penetration: true,
        ..Self::KIND
    };

    /// Sets the mode: surfaces or solids.
    #[must_use]
    pub const fn mode(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }

    /// Compares the solids that the meshes enclose.
    #[must_use]
    pub const fn solid(self) -> Self {
        Self { mode: Mode::Solid, ..self }
    }

    /// Also compares the distance with a clearance.
    #[must_use]
    pub const fn within(self, clearance: f64) -> Self {
        Self { clearance, ..self }
    }

    /// Also finds the kind of contact.
    #[must_use]
    pub const fn kind(self) -> Self {
        Self { kind: true, ..self }
    }

    /// Also finds which model goes through which.
    #[must_use]
    pub const fn through(self) -> Self {
        Self { through: true, ..self }
    }

    /// Also measures the distance.
    #[must_use]
    pub const fn distance(self) -> Self {
        Self { distance: true, ..self }
    }

    /// Also finds the regions of contact.
    #[must_use]
    pub const fn regions(self) -> Self {
        Self { regions: true, ..self }
    }

    /// Also lists the pairs of triangles that meet.
    #[must_use]
    pub const fn pairs(self) -> Self {
        Self { pairs: true, ..self }
    }

    /// Also measures penetration depth and overlap volume.
    #[must_use]
    pub const fn penetration(self) -> Self {
        Self { penetration: true, ..self }
    }
}
