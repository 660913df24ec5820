//! A warm question about distance allocates nothing: the workspace is the caller's.

use elbowroom::Pose;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{distance, distance_again, is_nearer, nearest};
use elbowroom::internal::traverse::Workspace;
use glam::{DQuat, DVec3};

use crate::counter::Region;

#[test]
fn a_warm_question_about_distance_allocates_nothing() {
    let models =
        [elbowroom_make::icosphere(8), elbowroom_make::wrinkled_torus(24, 16)].map(Model::new);
    let mut workspace = Workspace::default();
    let (here, mut asked, mut met) = (Pose::IDENTITY, 0, 0);
    for step in 0..12 {
        let along = DVec3::X * (0.4 * f64::from(step));
        let turn = DQuat::from_rotation_z(0.3 * f64::from(step));
        let there = Pose::from_quat(turn, along).expect("rigid");
        let mut last = None;
        let mut ask = || {
            let [a, b] = &models;
            let found = distance(a, &here, b, &there, f64::INFINITY, &mut workspace);
            let again = distance_again(a, &here, b, &there, 9.0, &mut last, &mut workspace);
            assert_eq!(found, again);
            let is_near = is_nearer(a, &here, b, &there, 0.3, &mut workspace);
            assert_eq!(is_near, found.is_some_and(|found| found.distance <= 0.3));
            assert!(nearest(a, &there, along, f64::INFINITY, &mut workspace).is_some());
            found.is_some_and(|found| found.distance == 0.0)
        };
        ask();
        let region = Region::new();
        met += u32::from(ask());
        assert_eq!(region.change().allocations, 0, "{step}");
        asked += 1;
    }
    assert!(asked == 12 && met > 2 && met < 10, "{asked} {met}");
}
