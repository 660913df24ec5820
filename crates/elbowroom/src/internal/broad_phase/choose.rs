//! Which structure for which scene: a rule made of measurements.
//!
//! Nanoseconds a box and step, sorted pairs included, by `cargo bench -p elbowroom --bench broad`
//! on a Xeon. Boxes overlap two others each, unless it says otherwise:
//!
//! | scene | moved | tree | sweep | grid |
//! |---|---|---|---|---|
//! | cube of 100 | all | 153 | **86** | 108 |
//! | cube of 300 | all | 176 | 114 | **103** |
//! | cube of 1,000 | all | 356 | 156 | **119** |
//! | cube of 10,000 | all | 525 | 507 | **202** |
//! | cube of 10,000 | a quarter | 281 | 500 | **195** |
//! | cube of 10,000 | 1/16 | **89** | 516 | 198 |
//! | cube of 10,000 | 1/1000 | **6** | 507 | 193 |
//! | cube of 100,000 | all | 1,004 | 2,219 | **256** |
//! | cube of 100,000, ten near each | all | 1,185 | 3,875 | **399** |
//! | cube of 100,000, hardly any near | all | 618 | 440 | **103** |
//! | one huge among 100,000 | all | 976 | 2,349 | **344** |
//! | line of 1,000 | all | 222 | **69** | 73 |
//! | 20 clusters far apart, 1,000 | all | 212 | **67** | 77 |
//! | sizes over three decades, 1,000, eleven near | all | 644 | **235** | 519 |
//! | sizes over three decades, 100,000, 74 near | all | **4,018** | 8,190 | 6,827 |
//!
//! So: a tree when few move; else a sweep when few boxes are abreast of each other; else a grid,
//! unless there would have to be many.

use super::grid::grids_for;
use crate::internal::volume::{Aabb, Volume};

/// How overlapping boxes are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The method that [`choose`] takes, chosen again at each call.
    #[default]
    Auto,
    /// A dynamic tree: boxes that have not moved cost next to nothing.
    Tree,
    /// All boxes in order along one axis.
    Sweep,
    /// Cells, in several sizes where the boxes are of several sizes.
    Grid,
}

impl Method {
    /// The three structures.
    pub const ALL: [Self; 3] = [Self::Tree, Self::Sweep, Self::Grid];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Tree => "tree",
            Self::Sweep => "sweep",
            Self::Grid => "grid",
        }
    }
}

/// What the choice goes by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scene {
    /// How many boxes there are.
    pub boxes: usize,
    /// How many of them are new or have moved since the pairs were last asked for.
    pub moved: usize,
    /// The axis along which a sweep should go.
    pub axis: usize,
    /// How many others a box meets along that axis, by a sample.
    pub abreast: f64,
    /// How many grids hold the boxes.
    pub grids: usize,
    /// Around all boxes.
    pub bounds: Aabb,
}

/// The number of sampled boxes that estimate how many overlap along the axis. No record compares
/// other values.
const SAMPLE: usize = 24;

impl Scene {
    /// Looks at boxes, in time linear in their number.
    pub(super) fn of(boxes: &[Aabb], ids: &[u32], moved: usize) -> Self {
        let all = || ids.iter().map(|&id| &boxes[id as usize]);
        let bounds = all().fold(Aabb::of_points(&[]), |bounds, more| bounds.merged(more));
        let bounds = if ids.is_empty() { Aabb::of_points(&[glam::DVec3::ZERO]) } else { bounds };
        let grids = grids_for(all());
        let mut scene =
            Self { boxes: ids.len(), moved, axis: 0, abreast: f64::INFINITY, grids, bounds };
        // Every n-th box against every n-th other: a sample of a square has to be thin.
        let stride = ids.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<&Aabb> = all().step_by(stride).collect();
        for axis in 0..3 {
            let mut met = 0;
            for (i, a) in sample.iter().enumerate() {
                met += sample[i + 1..]
                    .iter()
                    .filter(|b| a.min[axis] <= b.max[axis] && b.min[axis] <= a.max[axis])
                    .count();
            }
            let abreast = met as f64 * 2.0 / sample.len().max(1) as f64 * stride as f64;
            if abreast < scene.abreast {
                (scene.abreast, scene.axis) = (abreast, axis);
            }
        }
        scene
    }
}

/// Whether few enough boxes have moved to decide for a tree: a moving box costs a tree some ten
/// times what a grid costs for any box.
pub(super) fn is_little(moved: usize, boxes: usize) -> bool {
    moved <= boxes / 12
}

/// The structure that finds all pairs of a scene the soonest, as measured.
pub fn choose(scene: &Scene) -> Method {
    if is_little(scene.moved, scene.boxes) {
        return Method::Tree;
    }
    // A box costs a sweep about 60 ns and 0.7 ns for each other abreast of it on one side, and a
    // grid about 90 ns a level. Trees pay where boxes have too many sizes for a grid.
    let most_abreast = 30 * scene.grids * scene.grids;
    if scene.boxes < 150 || scene.abreast < most_abreast as f64 {
        Method::Sweep
    } else if scene.grids < 4 {
        Method::Grid
    } else {
        Method::Tree
    }
}
