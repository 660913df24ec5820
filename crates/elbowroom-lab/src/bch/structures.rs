//! The paper's seven structures, made and asked alike.

use std::ops::ControlFlow;

use elbowroom::internal::bvh::{NodeId, Tree};
use elbowroom::internal::exact::{PlacedTriangle, Relation, relate};
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::traverse::{Judge, Path, Workspace, pair};
use elbowroom::{Mesh, Pose};
use elbowroom_motion::footprint::{
    BoxParts, BoxWork, Boxes, Cut, Footprint, FootprintConfig, Look, Nearness, Parts, SlideShape,
    Work, ask_boxes, ask_counted,
};
use glam::DVec2;

use super::bodies::Bodies;
use super::cases::{Case, upright};

/// One kind of structure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) of: Of,
}

/// The parts that the structure holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    Circles(Parts, Cut),
    /// Circles around projected triangles, and these in the leaves.
    Triangles,
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
    Kind { name: "BCH projected", of: Of::Triangles },
    Kind { name: "single cylinder", of: Of::Circles(Parts::Whole, Cut::Centroid) },
    Kind { name: "OBB full", of: Of::Boxes(BoxParts::Full) },
    Kind { name: "OBB contour", of: Of::Boxes(BoxParts::Contour) },
    Kind { name: "OBB projected", of: Of::Boxes(BoxParts::Projected) },
];

/// A structure around one posed mesh.
pub(super) enum Made {
    Circles(Box<Footprint>),
    Triangles(Box<Footprint>, Box<Mesh>),
    Boxes(Box<Boxes>),
}

/// Memory and counts of both.
#[derive(Clone, Debug, Default)]
pub(super) struct Works {
    circles: Work,
    boxes: BoxWork,
    workspace: Workspace,
    triangles: (u64, u64),
}

impl Works {
    /// Pairs of volumes that were compared, and pairs of triangles or segments.
    pub(super) fn counts(&self) -> (u64, u64) {
        let (volumes, leaves) = self.triangles;
        (self.circles.tests + self.boxes.tests + volumes, self.boxes.leaf_tests + leaves)
    }
}

impl Kind {
    /// With the paper's threshold of 1 cm. `None` if the mesh has no boxes, which no posed mesh is
    /// without.
    pub(super) fn make(&self, mesh: &Mesh) -> Option<Made> {
        match self.of {
            Of::Circles(parts, cut) => {
                let config = FootprintConfig { parts, cut, ..FootprintConfig::default() };
                Some(Made::Circles(Box::new(Footprint::of_mesh(mesh, &config))))
            }
            Of::Triangles => {
                let config =
                    FootprintConfig { parts: Parts::Triangles, ..FootprintConfig::default() };
                let level = mesh.vertices().iter().map(|p| p.truncate().extend(0.0)).collect();
                let flat = Box::new(mesh.with_vertices(level).ok()?);
                Some(Made::Triangles(Box::new(Footprint::of_mesh(mesh, &config)), flat))
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
            Self::Circles(footprint) | Self::Triangles(footprint, _) => footprint.tree(),
            Self::Boxes(boxes) => boxes.tree(),
        }
    }

    pub(super) fn shape(&self) -> SlideShape<'_> {
        match self {
            Self::Circles(footprint) | Self::Triangles(footprint, _) => {
                SlideShape::Circles(footprint)
            }
            Self::Boxes(boxes) => SlideShape::Boxes(boxes),
        }
    }

    /// The centre of the volume around all, from above.
    pub(super) fn center(&self) -> DVec2 {
        match self {
            Self::Circles(footprint) | Self::Triangles(footprint, _) => footprint.whole().center,
            Self::Boxes(boxes) => boxes.column()[NodeId::ROOT].center.truncate(),
        }
    }

    pub(super) fn circles(&self) -> Option<&Footprint> {
        match self {
            Self::Circles(footprint) | Self::Triangles(footprint, _) => Some(footprint),
            Self::Boxes(_) => None,
        }
    }

    pub(super) fn boxes(&self) -> Option<&Boxes> {
        match self {
            Self::Circles(_) | Self::Triangles(..) => None,
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
        (Made::Triangles(a, mesh_a), Made::Triangles(b, mesh_b)) => {
            let sides = [upright(at_a), upright(at_b)];
            let there = at_a.inverse().after(at_b);
            let Works { workspace, triangles: tests, .. } = works;
            let mut judge = Exact { a, b, meshes: [mesh_a, mesh_b], sides: &sides, there, tests };
            let path = Path { level: look.level, ..Path::default() };
            return pair(a.tree(), b.tree(), path, &mut judge, workspace).is_break();
        }
        _ => Nearness::MayTouch,
    };
    nearness == Nearness::MayTouch
}

/// Circles around projected triangles, which are decided exactly in the leaves, as the paper does
/// and OBB trees do.
struct Exact<'a> {
    a: &'a Footprint,
    b: &'a Footprint,
    meshes: [&'a Mesh; 2],
    sides: &'a [Pose; 2],
    /// The second body seen from the first.
    there: Planar,
    tests: &'a mut (u64, u64),
}

impl Judge for Exact<'_> {
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        self.tests.0 += 1;
        let (a, b) = (&self.a.column()[a], &self.b.column()[b]);
        // More than rounding can lose of bodies of some metres.
        let reach = a.radius + b.radius + 1e-12;
        self.there.apply(b.center).distance_squared(a.center) <= reach * reach
    }

    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.a.column()[a].radius >= self.b.column()[b].radius
    }

    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()> {
        let [first, second] = self.meshes;
        let [at_a, at_b] = self.sides;
        for &i in self.a.tree().members(a) {
            let placed = PlacedTriangle::new(at_a, first.triangle(i as usize));
            for &j in self.b.tree().members(b) {
                self.tests.1 += 1;
                let other = PlacedTriangle::new(at_b, second.triangle(j as usize));
                if relate(&placed, &other) != Relation::Apart {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
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
    ask_counted(a, at_a, b, at_b, look, work)
}

/// The discs of all leaves.
pub(super) fn leaf_discs(footprint: &Footprint) -> Vec<(DVec2, f64)> {
    let tree = footprint.tree();
    let disc = |node: NodeId| {
        let circle = &footprint.column()[node];
        (circle.center, circle.radius)
    };
    tree.nodes().filter(|&node| tree.is_leaf(node)).map(disc).collect()
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
