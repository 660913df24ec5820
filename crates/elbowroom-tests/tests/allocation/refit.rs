//! A warm refit and a warm query on layers allocate nothing.

use elbowroom::Pose;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::query::{CollisionRequest, Want};
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::Family;
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::Layers;
use elbowroom_papers::sbbk::collide_layered;
use glam::{DQuat, DVec3};

use crate::counter::{Region, on_one_thread};

#[test]
fn a_warm_refit_and_a_warm_query_allocate_nothing() {
    on_one_thread(refit_and_ask);
}

fn refit_and_ask() {
    let here = Pose::IDENTITY;
    let turned = Pose::from_quat(DQuat::from_rotation_y(0.3), DVec3::X * 0.9).expect("rigid");
    let mut quiet = 0;
    for layering in [
        Layers::sbbk(18, 1, 4),
        Layers::sbbk(26, 2, 5),
        Layers::hbbcd(1, 4),
        Layers::single(Family::Aabb),
        Layers::single(Family::Sphere),
        Layers::single(Family::Kdop14),
    ] {
        let layering = layering.expect("good layers");
        let mesh = elbowroom_make::icosphere(8);
        let mut model = HybridTree::new(mesh.clone(), &layering, &Config::default());
        let other = model.clone();
        let mut workspace = Workspace::default();
        let mut moved = mesh.vertices().to_vec();
        for round in 0..4 {
            for p in &mut moved {
                p.z *= 0.9;
            }
            let region = Region::new();
            model.refit(&moved).expect("finite");
            let mut contacts = 0;
            for place in [&here, &turned] {
                for ask in [Want::Any, Want::Count] {
                    let question = CollisionRequest { want: ask, ..CollisionRequest::default() };
                    let answer =
                        collide_layered(&model, place, &other, &here, &question, &mut workspace);
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
