//! Legs, torso and head apart: a BCH for each slab of heights.

use elbowroom::internal::traverse::Workspace;
use elbowroom_motion::footprint::{Footprint, FootprintConfig, Look, Parts, SlideWork, slide};
use elbowroom_papers::bch::area::union_of_discs;
use elbowroom_papers::bch::{Sliced, Slices};
use glam::DVec2;

use crate::bch::bodies::Bodies;
use crate::bch::cases::Case;
use crate::bch::sliding::Slides;
use crate::bch::structures::{CONTOUR, FULL_BOXES, KINDS, leaf_discs, mean};
use crate::claim::Verdict;
use crate::report::Table;
use crate::{Claim, Context};

/// Where legs end and where the head begins, in metres above the floor.
const CUTS: [f64; 2] = [0.85, 1.45];

pub(super) fn run(bodies: &Bodies, context: &Context) -> (Table, Claim) {
    context.progress.message("slices");
    let (count, every) = if context.quick { (12, 6) } else { (500, 10) };
    let made = [CONTOUR, FULL_BOXES].map(|kind| KINDS[kind].make_all(bodies));
    let slides = Slides::new(bodies, &made[1], count);
    let slices = Slices::new(&CUTS).unwrap_or_default();
    let sliced: Vec<Sliced> = bodies
        .poses
        .iter()
        .map(|posed| Sliced::of_mesh(&posed.mesh, &slices, &FootprintConfig::default()))
        .collect();
    let (mut work, mut workspace) = (SlideWork::default(), Workspace::default());
    let (mut late, mut apart) = (0, Vec::new());
    for (case, &exact) in slides.cases.iter().zip(&slides.exact) {
        let way = way(&sliced[case.a], &sliced[case.b], case, &mut work);
        late += usize::from(way > exact + 1e-9);
        apart.push(case.moved(DVec2::X * way.min(exact)).distance(bodies, &mut workspace));
    }
    let (sliced, one) = (mean(apart), mean(slides.distances(&made[0], None)));
    let volume = volume(bodies, &slices, every);
    let mut table = Table::new(
        "One BCH over all heights, and one each for legs, torso and head",
        ["structure", "mesh distance where they stop, mean, cm", "volume over that of one BCH"],
    );
    table.row(["one BCH".into(), (100.0 * one).into(), 1.0.into()]);
    let name = format!("cut at {} and {} m", CUTS[0], CUTS[1]);
    table.row([name.into(), (100.0 * sliced).into(), volume.into()]);
    let claim = Claim::gate("BCH-S6-slices", "A BCH for each slice of height fits more closely.")
        .paper("future work")
        .ours(format!(
            "volume {volume:.2} of that of one BCH; bodies stop {:.2} cm apart instead of {:.2} cm; {late} of {count} stop too late",
            100.0 * sliced,
            100.0 * one
        ))
        .verdict(match (volume < 1.0 && sliced < one, late) {
            (true, 0) => Verdict::Holds,
            _ => Verdict::DoesNotHold,
        });
    (table, claim)
}

/// How far the first body of a case may go until slabs of the same heights touch. What is cut at
/// one height is in the slabs above and below, so slabs that only have a height in common need not
/// be compared.
fn way(a: &Sliced, b: &Sliced, case: &Case, work: &mut SlideWork) -> f64 {
    let mut way = f64::INFINITY;
    for first in a.slabs() {
        for second in b.slabs() {
            let ((low_a, high_a), (low_b, high_b)) = (first.height(), second.height());
            if high_a.min(high_b) - low_a.max(low_b) > 1e-6 {
                let look = Look::default();
                let here = slide(first, &case.at_a, second, &case.at_b, DVec2::X, &look, work);
                way = way.min(here.unwrap_or(f64::INFINITY));
            }
        }
    }
    way
}

/// The volume of all slabs over that of the whole, by leaf discs of projected triangles as in Table
/// 1: the mean over some poses.
fn volume(bodies: &Bodies, slices: &Slices, every: usize) -> f64 {
    let config = FootprintConfig { parts: Parts::Triangles, ..FootprintConfig::default() };
    let volume = |footprint: &Footprint| {
        let (low, high) = footprint.height();
        union_of_discs(&leaf_discs(footprint)) * (high - low)
    };
    mean(bodies.poses.iter().step_by(every).map(|posed| {
        let slabs = Sliced::of_mesh(&posed.mesh, slices, &config);
        let whole = Footprint::of_mesh(&posed.mesh, &config);
        slabs.slabs().iter().map(volume).sum::<f64>() / volume(&whole)
    }))
}
