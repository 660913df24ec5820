//! Figure 6a: how close two characters come before a structure says that they may touch.

use elbowroom_motion::footprint::{Footprint, FootprintConfig, Look, SlideWork, slide};
use glam::DVec2;

use super::bodies::Bodies;
use super::cases::turned;
use super::sliding::Slides;
use super::structures::{
    CONTOUR, CONTOUR_BOXES, FULL_BOXES, KINDS, Made, PROJECTED_BOXES, SINGLE, mean, spread_of,
};
use crate::claim::Verdict;
use crate::report::Table;
use crate::{Axis, Chart, Claim, Context, Marks, Report, Spread};

/// Threshold radii, in metres.
const THRESHOLDS: [f64; 6] = [0.0025, 0.005, 0.01, 0.02, 0.04, 0.08];
/// Radii of discs that do not know of poses: 0.25 and 0.40 are the literature's.
const RADII: [f64; 7] = [0.20, 0.25, 0.30, 0.35, 0.40, 0.45, 0.50];
/// What is slid, in the order of the tables.
const SLID: [usize; 5] = [SINGLE, CONTOUR, CONTOUR_BOXES, PROJECTED_BOXES, FULL_BOXES];

pub(crate) fn run(context: &Context) -> Report {
    let (all, mut notes) = Bodies::all(context);
    let (mut tables, mut charts, mut claims) = (Vec::new(), Vec::new(), Vec::new());
    for bodies in &all {
        context.progress.message(bodies.origin.name());
        let measured = Measured::of(bodies, context);
        tables.extend([measured.distances(), measured.thresholds(), measured.radii()]);
        charts.push(measured.chart());
        let gate = bodies.has_to_hold(context);
        claims.push(measured.order());
        let rest = [measured.threshold(), measured.radius(), measured.fixed()];
        claims.extend(rest.map(|claim| Claim { gate, ..claim }));
    }
    notes.push("Bodies are not moved in steps: the way to the first contact is worked out, for circles, boxes and triangles alike. A distance is that of the meshes in space, so a foot under a hand is far from it.".into());
    Report {
        charts,
        id: "bch-fig6a",
        title: "How close characters come".into(),
        what: "One character in the origin slides along x towards another at (2, y), |y| ≤ 0.5, both turned at random, in cases in which the meshes meet; where a structure first says that they may touch, the least distance of the meshes is measured.".into(),
        tables,
        claims,
        notes,
    }
}

struct Measured<'a> {
    bodies: &'a Bodies,
    cases: usize,
    /// By structure, in the order of [`SLID`]: metres.
    distances: Vec<Vec<f64>>,
    /// BCH over OBB distance, by threshold: mean of the difference, and nodes.
    thresholds: Vec<(f64, f64, f64)>,
    /// By radius: how many contacts are missed, and the mean distance of the meshes where it stops
    /// in time.
    radii: Vec<(f64, usize, f64)>,
    /// Half of the largest distance of roots of meshes that touch; and the largest radius around a
    /// root.
    largest: (f64, f64),
    constructed: f64,
}

impl<'a> Measured<'a> {
    fn of(bodies: &'a Bodies, context: &Context) -> Self {
        let made: Vec<Vec<Made>> = SLID.iter().map(|&kind| KINDS[kind].make_all(bodies)).collect();
        let count = if context.quick { 16 } else { 500 };
        let slides = Slides::new(bodies, &made[4], count);
        let distances: Vec<Vec<f64>> =
            made.iter().map(|made| slides.distances(made, None)).collect();
        let exact = |boxes: &[f64], circles: &[f64]| {
            mean(circles.iter().zip(boxes).map(|(circle, of_box)| circle - of_box))
        };
        let thresholds = THRESHOLDS.iter().map(|&threshold| {
            context.progress.message("thresholds");
            let config = FootprintConfig { threshold, ..FootprintConfig::default() };
            let circles = |mesh| Made::Circles(Box::new(Footprint::of_mesh(mesh, &config)));
            let made: Vec<Made> = bodies.poses.iter().map(|posed| circles(&posed.mesh)).collect();
            let stops = slides.distances(&made, None);
            let nodes = mean(made.iter().map(|made| made.tree().len() as f64));
            (threshold, exact(&distances[2], &stops), nodes)
        });
        let radii = RADII.iter().map(|&radius| {
            let stops = slides.with_discs(radius);
            let missed = stops.iter().filter(|stop| stop.is_none()).count();
            (radius, missed, mean(stops.into_iter().flatten()))
        });
        let apart = slides.root_distances().into_iter().fold(0.0, f64::max);
        let reach = |mesh: &elbowroom::Mesh| {
            mesh.vertices().iter().map(|p| p.truncate().length()).fold(0.0, f64::max)
        };
        let widest = bodies.poses.iter().map(|posed| reach(&posed.mesh)).fold(0.0, f64::max);
        Self {
            bodies,
            cases: count,
            thresholds: thresholds.collect(),
            radii: radii.collect(),
            largest: (0.5 * apart, widest),
            constructed: constructed(bodies, &made[4]),
            distances,
        }
    }

    fn means(&self) -> Vec<f64> {
        self.distances.iter().map(|all| mean(all.iter().copied())).collect()
    }

    fn distances(&self) -> Table {
        let title = format!(
            "Least distance of the meshes where they stop, {} cases, {}",
            self.cases,
            self.bodies.origin.name()
        );
        let mut table = Table::new(
            &title,
            [
                "structure",
                "mean, cm",
                "median, cm",
                "deviation, cm",
                "largest, cm",
                "paper's mean, cm",
            ],
        );
        let paper = [Some(20.0), Some(5.0), Some(4.0), None, Some(0.0)];
        for ((&kind, all), paper) in SLID.iter().zip(&self.distances).zip(paper) {
            let (middle, median, deviation) = spread_of(all.clone());
            let largest = all.iter().copied().fold(0.0, f64::max);
            let cells = [middle, median, deviation, largest].map(|metres| (100.0 * metres).into());
            let [middle, median, deviation, largest] = cells;
            table.row([KINDS[kind].name.into(), middle, median, deviation, largest, paper.into()]);
        }
        table
    }

    /// The figure itself.
    fn chart(&self) -> Chart {
        let spread = |(&kind, all): (&usize, &Vec<f64>)| {
            let all: Vec<f64> = all.iter().map(|metres| 100.0 * metres).collect();
            Spread::of(KINDS[kind].name, &all)
        };
        Chart {
            name: self.bodies.origin.id(["distances", "distances-cmu", "distances-cmu200"]),
            title: format!(
                "Least distance of the meshes where they stop: {}",
                self.bodies.origin.name()
            ),
            x: Axis::linear(""),
            y: Axis::linear("cm"),
            marks: Marks::Boxes(SLID.iter().zip(&self.distances).filter_map(spread).collect()),
            timed: false,
        }
    }

    fn thresholds(&self) -> Table {
        let title = format!("What the threshold radius costs, {}", self.bodies.origin.name());
        let mut table =
            Table::new(&title, ["threshold, cm", "BCH − OBB contour, cm, mean", "nodes, mean"]);
        for &(threshold, more, nodes) in &self.thresholds {
            table.row([(100.0 * threshold).into(), (100.0 * more).into(), nodes.into()]);
        }
        table
    }

    fn radii(&self) -> Table {
        let title = format!(
            "Discs of one radius around the root, {} contacts, {}",
            self.cases,
            self.bodies.origin.name()
        );
        let mut table = Table::new(
            &title,
            [
                "radius, m",
                "contacts missed",
                "mean distance of the meshes where it stops in time, cm",
            ],
        );
        for &(radius, missed, distance) in &self.radii {
            table.row([radius.into(), missed.into(), (100.0 * distance).into()]);
        }
        table
    }

    fn order(&self) -> Claim {
        let id =
            self.bodies.origin.id(["BCH-F6a-order", "BCH-F6a-cmu-order", "BCH-F6a-cmu200-order"]);
        let means = self.means();
        let holds =
            means[0] > means[1] && means[1] > means[2] && means[2] > 1e-3 && means[4] < 1e-6;
        let close = (0.10..0.30).contains(&means[0])
            && (0.025..0.075).contains(&means[1])
            && means[4] < 1e-6;
        Claim::gate(id, "Characters may come much closer than with one cylinder: single > BCH contour > OBB contour > full = 0.")
            .paper("20, 5, 4, 0 cm")
            .ours(format!("{:.1}, {:.2}, {:.2}, {:.0e} cm", 100.0 * means[0], 100.0 * means[1], 100.0 * means[2], 100.0 * means[4]))
            .verdict(match (holds, close) {
                (true, true) => Verdict::Holds,
                (true, false) => Verdict::HoldsWithAnotherNumber,
                _ => Verdict::DoesNotHold,
            })
    }

    fn threshold(&self) -> Claim {
        let id = self.bodies.origin.id([
            "BCH-F6a-threshold",
            "BCH-F6a-cmu-threshold",
            "BCH-F6a-cmu200-threshold",
        ]);
        let rises = self.thresholds.is_sorted_by(|(_, a, _), (_, b, _)| a <= b);
        let shares: Vec<f64> =
            self.thresholds.iter().map(|(radius, more, _)| more / radius).collect();
        let of_order = shares.iter().all(|share| (0.2..=3.0).contains(share));
        let show: Vec<String> = self
            .thresholds
            .iter()
            .map(|(radius, more, _)| format!("{:.2} at {:.2}", 100.0 * more, 100.0 * radius))
            .collect();
        Claim::gate(id, "What the BCH stays away more than the boxes around the contour reflects its threshold radius.")
            .paper("1 cm at 1 cm")
            .ours(format!("cm more at a threshold in cm: {}", show.join(", ")))
            .verdict(match (rises, of_order) {
                (true, true) => Verdict::Holds,
                (true, false) => Verdict::HoldsWithAnotherNumber,
                _ => Verdict::DoesNotHold,
            })
    }

    fn radius(&self) -> Claim {
        let id =
            self.bodies.origin.id(["BCH-S5-radius", "BCH-S5-cmu-radius", "BCH-S5-cmu200-radius"]);
        let of = |radius: f64| self.radii.iter().find(|(r, ..)| (r - radius).abs() < 1e-9);
        let missed = of(0.25).map_or(0, |&(_, missed, _)| missed);
        let wide = of(0.40).map_or(f64::NAN, |&(.., distance)| distance);
        let wider = of(0.50).map_or(f64::NAN, |&(.., distance)| distance);
        let single = self.means()[0];
        Claim::gate(id, "A radius of 0.25 m misses contacts, and much more than 0.40 m wastes room.")
            .paper("0.25 and 0.40 m")
            .ours(format!(
                "0.25 m misses {missed} of {} contacts; where a disc stops them in time, the meshes are {:.1} cm apart with 0.40 m, {:.1} cm with 0.50 m, and {:.1} cm with the smallest cylinder of the pose",
                self.cases, 100.0 * wide, 100.0 * wider, 100.0 * single
            ))
            .holds_if(missed > 0 && wider > wide)
    }

    fn fixed(&self) -> Claim {
        let id = self.bodies.origin.id(["BCH-S7-fixed", "BCH-S7-cmu-fixed", "BCH-S7-cmu200-fixed"]);
        let (half, widest) = self.largest;
        let misses = |&(_, missed, _): &(f64, usize, f64)| missed > 0;
        let random = self.radii.iter().filter(|radius| misses(radius)).count();
        Claim::gate(id, "A fixed radius that does not know of the pose must miss contacts in a dense crowd.")
            .paper("in words")
            .ours(format!(
                "the pose that reaches farthest reaches {widest:.3} m from the root; two of it, farthest points together, touch with their roots {:.3} m apart, so every radius below {:.3} m misses that; of random contacts, every radius below {half:.3} m misses some, among them {random} of {} that were tried",
                2.0 * self.constructed, self.constructed, RADII.len()
            ))
            .holds_if(self.constructed > 0.999 * widest && half > 0.25)
    }
}

/// Half of the distance of the roots where two bodies, of the pose that reaches farthest, touch
/// with their farthest points.
fn constructed(bodies: &Bodies, full: &[Made]) -> f64 {
    let farthest = |pose: usize| {
        let vertices = bodies.poses[pose].mesh.vertices().iter();
        vertices
            .map(|p| p.truncate())
            .max_by(|p, q| p.length_squared().total_cmp(&q.length_squared()))
            .unwrap_or(DVec2::ZERO)
    };
    let widest = (0..bodies.len())
        .max_by(|&a, &b| farthest(a).length_squared().total_cmp(&farthest(b).length_squared()));
    let Some(pose) = widest else { return 0.0 };
    let point = farthest(pose);
    let angle = libm::atan2(point.y, point.x);
    let at_a = turned(-angle, DVec2::ZERO);
    let at_b = turned(std::f64::consts::PI - angle, DVec2::new(4.0, 0.0));
    let shape = full[pose].shape();
    let way =
        slide(shape, &at_a, shape, &at_b, DVec2::X, &Look::default(), &mut SlideWork::default());
    way.map_or(0.0, |way| 0.5 * (4.0 - way))
}
