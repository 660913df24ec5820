//! The paper's seven structures, made and asked alike.

use elbowroom::Mesh;
use elbowroom::footprint::{
    BoxParts, BoxWork, Boxes, Cut, Footprint, FootprintConfig, Look, Nearness, Parts, Shape, Work,
    ask, ask_boxes,
};
use elbowroom::math::planar::Planar;
use elbowroom::tree::Tree;

use super::bodies::Bodies;
use super::cases::Case;

/// One kind of structure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) of: Of,
}

/// What it is made of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    Circles(Parts, Cut),
    Boxes(BoxParts),
}

/// By their place in [`KINDS`].
pub(super) const CONTOUR: usize = 0;
pub(super) const CENTRE: usize = 1;
pub(super) const PROJECTED: usize = 2;
pub(super) const SINGLE: usize = 3;
pub(super) const FULL_BOXES: usize = 4;
pub(super) const CONTOUR_BOXES: usize = 5;
pub(super) const PROJECTED_BOXES: usize = 6;

/// All seven, as in Figure 3.
pub(super) const KINDS: [Kind; 7] = [
    Kind { name: "BCH contour", of: Of::Circles(Parts::Contour, Cut::Centroid) },
    Kind { name: "BCH contour (centre)", of: Of::Circles(Parts::Contour, Cut::Center) },
    Kind { name: "BCH projected", of: Of::Circles(Parts::Triangles, Cut::Centroid) },
    Kind { name: "single cylinder", of: Of::Circles(Parts::Whole, Cut::Centroid) },
    Kind { name: "OBB full", of: Of::Boxes(BoxParts::Full) },
    Kind { name: "OBB contour", of: Of::Boxes(BoxParts::Contour) },
    Kind { name: "OBB projected", of: Of::Boxes(BoxParts::Projected) },
];

/// A structure around one posed mesh.
pub(super) enum Made {
    Circles(Box<Footprint>),
    Boxes(Box<Boxes>),
}

/// Memory and counts of both.
#[derive(Clone, Debug, Default)]
pub(super) struct Works {
    circles: Work,
    boxes: BoxWork,
}

impl Works {
    /// Pairs of volumes that were compared, and pairs of triangles or segments.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.circles.tests + self.boxes.tests, self.boxes.leaf_tests)
    }
}

impl Kind {
    /// With the paper's threshold of 1 cm. Nothing if the mesh has no boxes, which no posed mesh is without.
    pub(super) fn make(&self, mesh: &Mesh) -> Option<Made> {
        match self.of {
            Of::Circles(parts, cut) => {
                let config = FootprintConfig { parts, cut, ..FootprintConfig::default() };
                Some(Made::Circles(Box::new(Footprint::of_mesh(mesh, &config))))
            }
            Of::Boxes(parts) => Boxes::of_mesh(mesh, parts).ok().map(Box::new).map(Made::Boxes),
        }
    }

    /// Around every pose.
    pub(super) fn make_all(&self, bodies: &Bodies) -> Vec<Made> {
        bodies.poses.iter().filter_map(|posed| self.make(&posed.mesh)).collect()
    }
}

impl Made {
    pub(super) fn tree(&self) -> &Tree {
        match self {
            Self::Circles(footprint) => footprint.tree(),
            Self::Boxes(boxes) => boxes.tree(),
        }
    }

    pub(super) fn shape(&self) -> Shape<'_> {
        match self {
            Self::Circles(footprint) => Shape::Circles(footprint),
            Self::Boxes(boxes) => Shape::Boxes(boxes),
        }
    }

    pub(super) fn circles(&self) -> Option<&Footprint> {
        match self {
            Self::Circles(footprint) => Some(footprint),
            Self::Boxes(_) => None,
        }
    }

    pub(super) fn boxes(&self) -> Option<&Boxes> {
        match self {
            Self::Circles(_) => None,
            Self::Boxes(boxes) => Some(boxes),
        }
    }
}

/// Whether two structures of one kind say that the bodies of a case may touch.
pub(super) fn may_touch(made: &[Made], case: &Case, look: &Look, works: &mut Works) -> bool {
    let Case { a, b, at_a, at_b } = case;
    let nearness = match (&made[*a], &made[*b]) {
        (Made::Circles(a), Made::Circles(b)) => {
            ask_circles(a, at_a, b, at_b, look, &mut works.circles)
        }
        (Made::Boxes(a), Made::Boxes(b)) => ask_boxes(a, at_a, b, at_b, look, &mut works.boxes),
        _ => Nearness::MayTouch,
    };
    nearness == Nearness::MayTouch
}

/// One circle against one, in f64, as boxes are asked: what the paper compares.
pub(super) fn ask_circles(
    a: &Footprint,
    at_a: &Planar,
    b: &Footprint,
    at_b: &Planar,
    look: &Look,
    work: &mut Work,
) -> Nearness {
    ask(a, at_a, b, at_b, look, work)
}

/// The mean of some numbers.
pub(super) fn mean(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0_u32);
    for number in numbers {
        sum += number;
        count += 1;
    }
    sum / f64::from(count.max(1))
}

/// Mean, median and standard deviation.
pub(super) fn spread_of(mut numbers: Vec<f64>) -> (f64, f64, f64) {
    let middle = mean(numbers.iter().copied());
    let deviation = mean(numbers.iter().map(|x| (x - middle) * (x - middle))).sqrt();
    (middle, median(&mut numbers), deviation)
}

/// The middle one of some numbers, or half-way between the middle two.
pub(super) fn median(numbers: &mut [f64]) -> f64 {
    if numbers.is_empty() {
        return f64::NAN;
    }
    numbers.sort_unstable_by(f64::total_cmp);
    let half = numbers.len() / 2;
    if numbers.len() % 2 == 1 { numbers[half] } else { 0.5 * (numbers[half - 1] + numbers[half]) }
}
