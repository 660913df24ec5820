//! A warm front allocates nothing: neither when it grows as far as before, nor when it is raised.

use elbowroom::Pose;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, Want};
use elbowroom::internal::traverse::{Path, Rule};
use elbowroom::internal::volume::Family;
use elbowroom_papers::sbbk::Coherent;
use glam::DVec3;

use crate::counter::Region;

#[test]
fn a_warm_front_allocates_nothing() {
    let (mut queries, mut contacts) = (0, 0);
    for family in [Family::Sphere, Family::Aabb, Family::Obb, Family::Kdop26] {
        for rule in [Rule::Larger, Rule::Both] {
            let config = Config::default().with_family(family);
            let model = Model::with_config(elbowroom_make::icosphere(3), &config);
            let mut pair = Coherent::new(model.clone(), model);
            let question = CollisionRequest {
                want: Want::Count,
                path: Path { rule, level: None },
                margin: 0.0,
            };
            // In, out, and far away, twice: the second time it is warm.
            for round in 0..2 {
                let region = Region::new();
                for step in -60..=60_i32 {
                    let x = 1.5 + 0.02 * f64::from(step.abs());
                    let there = Pose::from_translation(DVec3::new(x, 0.1, 0.2));
                    let answer = pair.ask(&Pose::IDENTITY, &there.expect("finite"), &question);
                    queries += 1;
                    contacts += u32::from(answer.is_contact());
                }
                let change = region.change();
                assert!(round == 0 || change.allocations + change.reallocations == 0, "{family:?}");
            }
        }
    }
    assert!(queries == 1936 && contacts > 400, "{queries} {contacts}");
}
