//! A warm step of a crowd allocates nothing.

use elbowroom::internal::math::planar::Planar;
use elbowroom_make::body::male;
use elbowroom_motion::crowd::{Bodies, Crowd, CrowdConfig, Detail, Member, Performer};
use elbowroom_motion::footprint::FootprintConfig;
use elbowroom_motion::space_time::Taking;
use glam::{DVec2, DVec3};

use crate::counter::{Region, on_one_thread};

#[test]
fn a_warm_step_allocates_nothing() {
    on_one_thread(step);
}

fn step() {
    let man = male();
    let taking = Taking { fps: Some(10.0), ..Taking::default() };
    let eye = DVec3::new(0.0, 0.0, 5.0);
    let details = [
        Detail::Disk(0.3),
        Detail::Level(3),
        Detail::Full,
        Detail::Exact,
        Detail::Camera { eye, angle: 0.01, exact_within: 4.0 },
        Detail::Density { sparse: 2, dense: 7, neighbours: 6 },
        Detail::Budget { eye, tests: 5_000, exact: 20 },
    ];
    let mut quiet = 0;
    let kinds = [Bodies::Shared, Bodies::Skinned];
    for bodies in kinds {
        let walk = Performer::in_place(&man, &man.clips[0], &taking, FootprintConfig::default());
        let config = CrowdConfig { bodies, ..CrowdConfig::default() };
        let mut crowd = Crowd::new(vec![walk.expect("a clip")], &config);
        // The same steps again and again: soon everything has been there.
        for round in 0..3 {
            for step in 0..15 {
                let region = Region::new();
                let time = 0.1 * f64::from(step);
                for id in 0..150 {
                    let (row, column) = (f64::from(id / 15), f64::from(id % 15));
                    let sway = 0.2 * (time + column).sin();
                    let at = DVec2::new(0.55 * column + time * (row - 5.0), 0.6 * row + sway);
                    let at = Planar::from_angle(row + time, at).expect("a place");
                    crowd.set(id, Member { performer: 0, at, time: time + row }).expect("a member");
                }
                let mut listed = 0;
                for detail in &details {
                    listed += crowd.pairs(detail).len();
                    let change = region.change();
                    let count = change.allocations + change.reallocations;
                    assert!(round < 2 || count == 0, "step {step}, {bodies:?}, {detail:?}");
                }
                assert!(listed > 100, "{listed}");
                quiet += u32::from(round == 2);
            }
        }
    }
    assert_eq!(quiet, 15 * kinds.len() as u32);
}
