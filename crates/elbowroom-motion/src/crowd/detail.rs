//! The level of detail of a crowd query, and its result.

use glam::DVec3;

/// The level of detail of a crowd query.
///
/// All but [`Detail::Disk`] are bounds: who is not listed does not touch. A closer look lists
/// fewer; [`Detail::Exact`] lists those whose meshes touch.
///
/// Where each member has a level of its own, a pair is compared on the *finer* one: what is near
/// the eye must not be judged by how far away its neighbour is. That costs little, because
/// neighbours are about as far away as each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Detail {
    /// Everybody is a disk of this radius around their place, as in most crowd simulations. **Not a
    /// bound**: bodies reach farther. For comparison.
    Disk(f64),
    /// Circles down to this level; 0 is the one around the whole body.
    Level(u32),
    /// All circles.
    Full,
    /// All circles, then the meshes.
    Exact,
    /// By the apparent size of circles from an eye.
    Camera {
        /// Where the eye is; z is up.
        eye: DVec3,
        /// Levels are gone down until all circles look smaller than this, radius over distance:
        /// 0.01 is 1 cm at 1 m.
        angle: f64,
        /// Pairs of which one is nearer than this are decided by their meshes; 0 for none.
        exact_within: f64,
    },
    /// By the number of others nearby, in either direction: fine in dense places, where bodies
    /// squeeze past each other, or coarse there, where nothing is seen.
    Density {
        /// The level of who is alone.
        sparse: u32,
        /// The level for members with at least a number of neighbours.
        dense: u32,
        /// How many. Between none and these, levels go evenly. Neighbours are those in the cell of
        /// the grid and the eight around it.
        neighbours: u32,
    },
    /// As much as a number of tests allows: pairs are gone through from the nearest to the eye to
    /// the farthest, those of the same distance by their ids. All circles until the circle tests
    /// are spent, then only the whole circles; then meshes for the nearest that may touch.
    ///
    /// A budget is counted and not timed, so that it always has the same result;
    /// [`Crowd::tests_within`](super::Crowd::tests_within) turns seconds into tests. It is checked
    /// after every 64 pairs, and may be exceeded by what these need.
    Budget {
        /// Where the eye is; z is up.
        eye: DVec3,
        /// How many circle tests beyond one for each pair.
        tests: u64,
        /// How many pairs of meshes.
        exact: u64,
    },
}

/// Two who are not clear of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Near {
    /// The ids of the two members, the smaller first.
    pub ids: [u32; 2],
    /// The verdict on the pair.
    pub verdict: Verdict,
}

/// The verdict on two members that are not clear of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Circles meet, on this level or, without one, at the leaves.
    MayTouch {
        /// The level of the circles.
        level: Option<u32>,
    },
    /// The meshes touch.
    Touching,
}

/// The counts of the last query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pairs whose disks or whole circles meet, or nearly: what the broad phase left.
    pub broad: u64,
    /// Circle tests after it: pairs of whole circles, and of blocks of up to eight circles below
    /// them (single ones where a footprint could not be packed).
    pub tests: u64,
    /// Pairs whose circles did not clear them, on their level.
    pub near: u64,
    /// Pairs of which boxes around clusters showed that they are clear, where bodies are skinned.
    pub boxed: u64,
    /// Pairs of meshes that were compared.
    pub exact: u64,
    /// Meshes that were made: skinned, with their trees.
    pub posed: u64,
    /// Footprints that were made.
    pub made: u64,
}
