//! A warm question about depth allocates nothing where surfaces cross: the workspace is the caller's.

use std::alloc::System;

use elbowroom::descend::Workspace;
use elbowroom::query::{amount, deepest};
use elbowroom::{Model, Placement};
use glam::DVec3;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[test]
fn a_warm_question_about_depth_allocates_nothing() {
    let models =
        [elbowroom_make::icosphere(8), elbowroom_make::wrinkled_torus(24, 16)].map(Model::new);
    let mut workspace = Workspace::default();
    let (here, mut asked) = (Placement::IDENTITY, 0);
    for step in 1..9 {
        let along = DVec3::new(0.125 * f64::from(step), 0.0625, 0.25);
        let there = Placement::from_translation(along).expect("finite");
        let mut ask = || {
            let [a, b] = &models;
            let depth = deepest(a, &here, b, &there, None, &mut workspace);
            let common = amount(a, &here, b, &there, &mut workspace);
            assert!(depth.lower > 0.0 && common.volume > 0.0);
        };
        ask();
        let region = Region::new(ALLOCATOR);
        ask();
        assert_eq!(region.change().allocations, 0, "{step}");
        asked += 1;
    }
    assert_eq!(asked, 8);
}
