//! A question about clips can end in an exact answer, and the short way to it leaves nothing out.

use elbowroom::Pose;
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::query;
use elbowroom_make::body::{female, male};
use elbowroom_motion::crowd::{Performer, Refining, refine};
use elbowroom_motion::footprint::FootprintConfig;
use elbowroom_motion::space_time::{Placed, Taking, Workspace};
use elbowroom_testkit::random::Random;
use glam::{DMat3, DVec2, DVec3};

#[test]
fn refined_answers_are_those_of_all_meshes() {
    let (man, woman) = (male(), female());
    let taking = Taking { fps: Some(4.0), ..Taking::default() };
    let perform = |rig, clip: usize| {
        let rig: &elbowroom_motion::body::Rig = rig;
        Performer::new(rig, &rig.clips[clip], &taking, FootprintConfig::default()).expect("a clip")
    };
    let cast = [perform(&man, 0), perform(&woman, 0), perform(&woman, 1)];
    let mut random = Random::new(21);
    let mut workspace = Workspace::new();
    let (mut meetings, mut cleared, mut compared, mut none) = (0, 0, 0, 0);
    for round in 0..24 {
        let (a, b) = (&cast[round % 3], &cast[(round / 3) % 3]);
        let mut place = || {
            let at = DVec2::new(random.uniform(-0.9, 0.9), random.uniform(-0.9, 0.9));
            let planar = Planar::from_angle(random.uniform(-4.0, 4.0), at).expect("a place");
            // On the grid of samples, and off it.
            let start = if round % 2 == 0 { 0.25 } else { random.uniform(-0.5, 0.5) };
            Placed::new(planar, start).expect("a start")
        };
        let (pa, pb) = (place(), place());
        let expected = by_force(a, &pa, b, &pb);
        for level in [Some(0), Some(4), None] {
            let refining = Refining { level, first_only: false };
            let refined = refine(a, &pa, b, &pb, &refining, &mut workspace).expect("near");
            let found: Vec<_> =
                refined.meetings.iter().map(|m| (m.samples[0], m.samples[1])).collect();
            assert_eq!(found, expected, "round {round}, level {level:?}");
            assert!(refined.meetings.iter().all(|meeting| meeting.from < meeting.to));
            assert_eq!(refined.disks, refined.cleared + refined.compared);
            cleared += refined.cleared;
            compared += refined.compared;
            let swapped = refine(b, &pb, a, &pa, &refining, &mut workspace).expect("near");
            let mut swapped: Vec<_> =
                swapped.meetings.iter().map(|m| (m.samples[1], m.samples[0])).collect();
            swapped.sort_unstable();
            assert_eq!(swapped, expected);
        }
        let first = Refining { level: None, first_only: true };
        let first = refine(a, &pa, b, &pb, &first, &mut workspace).expect("near");
        assert_eq!(first.meetings.len(), expected.len().min(1));
        meetings += expected.len();
        none += u32::from(expected.is_empty());
    }
    assert!(
        meetings > 30 && cleared > 50 && compared > 50 && none > 2,
        "{meetings} {cleared} {compared} {none}"
    );
}

/// The meshes of all samples that are held at a common moment.
fn by_force(a: &Performer<'_>, pa: &Placed, b: &Performer<'_>, pb: &Placed) -> Vec<(u32, u32)> {
    let upright = |placed: &Placed| {
        let (cos, sin) = placed.at().turn();
        let turn =
            DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
        Pose::new(turn, placed.at().translation().extend(0.0)).expect("a turn")
    };
    let (at_a, at_b) = (upright(pa), upright(pb));
    let mut pairs = Vec::new();
    let dt = a.tracked().trace().dt();
    for i in 0..a.tracked().trace().len() {
        for j in 0..b.tracked().trace().len() {
            let ahead = (pa.start() - pb.start()) + (i as f64 - j as f64) * dt;
            if ahead.abs() >= dt * (1.0 - 1e-9) {
                continue;
            }
            if query::intersects(a.posed(i).model(), &at_a, b.posed(j).model(), &at_b) {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    pairs
}
