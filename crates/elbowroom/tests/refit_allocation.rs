//! A warm refit and a warm query on layers allocate nothing.

use std::alloc::System;

use elbowroom::Placement;
use elbowroom::descend::Workspace;
use elbowroom::model::Layered;
use elbowroom::query::{Ask, Question, ask_layered};
use elbowroom::tree::{Config, Layering};
use elbowroom::volume::Family;
use glam::{DQuat, DVec3};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[test]
fn a_warm_refit_and_a_warm_query_allocate_nothing() {
    let here = Placement::IDENTITY;
    let turned = Placement::from_quat(DQuat::from_rotation_y(0.3), DVec3::X * 0.9).expect("rigid");
    let mut quiet = 0;
    for layering in [
        Layering::sbbk(18, 1, 4),
        Layering::sbbk(26, 2, 5),
        Layering::hbbcd(1, 4),
        Layering::single(Family::Aabb),
        Layering::single(Family::Sphere),
        Layering::single(Family::Kdop14),
    ] {
        let layering = layering.expect("good layers");
        let mesh = elbowroom_make::icosphere(8);
        let mut model = Layered::new(mesh.clone(), &layering, &Config::default());
        let other = model.clone();
        let mut workspace = Workspace::default();
        let mut moved = mesh.vertices().to_vec();
        for round in 0..4 {
            for p in &mut moved {
                p.z *= 0.9;
            }
            let region = Region::new(ALLOCATOR);
            model.refit(&moved).expect("finite");
            let mut contacts = 0;
            for place in [&here, &turned] {
                for ask in [Ask::Whether, Ask::Count] {
                    let question = Question { ask, ..Question::default() };
                    let answer =
                        ask_layered(&model, place, &other, &here, &question, &mut workspace);
                    contacts += u32::from(answer.is_contact());
                }
            }
            let change = region.change();
            assert_eq!(contacts, 4, "{layering}");
            if round > 0 {
                assert_eq!(change.allocations, 0, "{layering}, round {round}");
                quiet += 1;
            }
        }
    }
    assert_eq!(quiet, 6 * 3);
}
