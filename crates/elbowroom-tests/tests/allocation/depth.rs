//! A warm question about depth allocates nothing where surfaces cross: the workspace is the
//! caller's.

use elbowroom::Pose;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{overlap, penetration};
use elbowroom::internal::traverse::Workspace;
use glam::DVec3;

use crate::counter::Region;

#[test]
fn a_warm_question_about_depth_allocates_nothing() {
    let models =
        [elbowroom_make::icosphere(8), elbowroom_make::wrinkled_torus(24, 16)].map(Model::new);
    let mut workspace = Workspace::default();
    let (here, mut asked) = (Pose::IDENTITY, 0);
    for step in 1..9 {
        let along = DVec3::new(0.125 * f64::from(step), 0.0625, 0.25);
        let there = Pose::from_translation(along).expect("finite");
        let mut ask = || {
            let [a, b] = &models;
            let depth = penetration(a, &here, b, &there, None, &mut workspace);
            let common = overlap(a, &here, b, &there, &mut workspace);
            assert!(depth.lower > 0.0 && common.volume > 0.0);
        };
        ask();
        let region = Region::new();
        ask();
        assert_eq!(region.change().allocations, 0, "{step}");
        asked += 1;
    }
    assert_eq!(asked, 8);
}
