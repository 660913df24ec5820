//! §3: what the trees answer is what the samples say; Figure 1: the same place at another time.

use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::space_time::{
    Config, Kind, Placed, Sample, Trace, Workspace, collide, collide_counted,
};
use elbowroom_testkit::motion::{self as brute, Motion};
use glam::DVec2;

use super::paper::FPS;
use super::queries::{Query, grown};
use crate::report::grouped;
use crate::{Claim, Context};

/// All methods and the flat circles, both orders of the motions, against every pair of samples.
pub(super) fn exact(context: &Context, traces: &[Trace], queries: &[Query]) -> Claim {
    let mut workspace = Workspace::new();
    let trees = Kind::ALL.map(|kind| grown(traces, Config::paper(kind)));
    let (mut asked, mut hits, mut wrong) = (0_u64, 0_u64, 0_u64);
    // Long motions against each other by brute force are the dear part.
    let step = (queries.len() / if context.quick { 300 } else { 3000 }).max(1);
    for q in queries.iter().step_by(step) {
        let truth = brute::collide(&plain(&traces[q.a], &q.pa), &plain(&traces[q.b], &q.pb), false);
        hits += u64::from(truth);
        for motions in &trees {
            let (a, b) = (&motions[q.a], &motions[q.b]);
            let answers = [
                collide_counted(a, &q.pa, b, &q.pb, &mut workspace).0,
                collide_counted(b, &q.pb, a, &q.pa, &mut workspace).0,
                collide(a, &q.pa, b, &q.pb, &mut workspace),
                collide(b, &q.pb, a, &q.pa, &mut workspace),
            ];
            asked += answers.len() as u64;
            wrong += answers.iter().filter(|&&answer| answer != truth).count() as u64;
        }
    }
    let each = asked / (4 * Kind::ALL.len() as u64);
    Claim::gate("MOBB-S3-exact", "The trees answer as the samples do: on and off the grid of samples, in either order.")
        .paper("invariant")
        .ours(format!(
            "{} answers to {} queries, {} of them collisions: {wrong} differ from brute force",
            grouped(asked),
            grouped(each),
            grouped(hits)
        ))
        .holds_if(wrong == 0 && hits > 0 && hits < each)
        .why(
            "A node's time must reach to the end of its last sample's hold. The printed condition lets the times of the two samples differ; its own text \
             says that they may not.",
        )
}

fn plain(trace: &Trace, placed: &Placed) -> Motion {
    let samples = trace.samples().map(|s| [s.center.x, s.center.y, s.radius]).collect();
    let (cos, sin) = placed.at().turn();
    Motion {
        turn: [cos, sin],
        shift: placed.at().translation().to_array(),
        start: placed.start(),
        ..Motion::new(samples, trace.dt())
    }
}

/// Two walks that cross: at once they collide, later they do not.
pub(super) fn crossing() -> Claim {
    let walk: Vec<Sample> = (0..180).map(|k| Sample::new(0.045 * f64::from(k), 0.0, 0.4)).collect();
    let across = Planar::new(0.0, 1.0, DVec2::new(4.0, -4.0)).unwrap_or(Planar::IDENTITY);
    let mut collides = [0_u32; 2];
    for kind in Kind::ALL {
        let motions =
            Trace::new(&walk, 1.0 / FPS).map(|trace| grown(&[trace], Config::paper(kind)));
        let Ok(motions) = motions else { continue };
        let walk = &motions[0];
        for (start, count) in [0.0, 1.5].into_iter().zip(&mut collides) {
            let placed = Placed::new(across, start).unwrap_or(Placed::ORIGIN);
            let hit =
                collide_counted(walk, &Placed::ORIGIN, walk, &placed, &mut Workspace::new()).0;
            *count += u32::from(hit);
        }
    }
    let methods = Kind::ALL.len() as u32;
    Claim::gate("MOBB-F1-crossing", "Crossing the same place at another time is no collision.")
        .paper("invariant")
        .ours(format!(
            "walks of 1.35 m/s with disks of 0.4 m that cross: at once they collide by {} of {methods} methods, 1.5 s apart by {}",
            collides[0], collides[1]
        ))
        .holds_if(collides == [methods, 0])
}
