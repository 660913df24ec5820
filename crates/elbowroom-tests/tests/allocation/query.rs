//! A warm query allocates nothing: the workspace is the caller's.

use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, Want, collide};
use elbowroom::internal::traverse::{Path, Rule, Workspace};
use elbowroom::internal::volume::Family;
use elbowroom_testkit::cases::{self, Case};
use elbowroom_tests::common;

use crate::counter::Region;

fn is_ordinary(case: &Case) -> bool {
    let vertices = case.a.vertices.iter().chain(&case.b.vertices).flatten();
    let shifts = case.pose_a.t.iter().chain(&case.pose_b.t);
    vertices.chain(shifts).all(|x| *x == 0.0 || (1e-20..1e20).contains(&x.abs()))
}

#[test]
fn a_warm_query_allocates_nothing() {
    let mut workspace = Workspace::default();
    let (mut queries, mut contacts) = (0, 0);
    for family in Family::ALL {
        let config = Config::default().with_family(family);
        for case in cases::load() {
            // Numbers beyond 256 bits need a heap, whatever the query.
            if !is_ordinary(&case) {
                continue;
            }
            let model = |soup| Model::with_config(common::mesh(soup), &config);
            let (a, b) = (model(&case.a), model(&case.b));
            let (place_a, place_b) =
                (common::placement(&case.pose_a), common::placement(&case.pose_b));
            for rule in [Rule::Larger, Rule::Both] {
                for wanted in [Want::Any, Want::Count] {
                    let question = CollisionRequest {
                        want: wanted,
                        path: Path { rule, level: None },
                        margin: 0.0,
                    };
                    collide(&a, &place_a, &b, &place_b, &question, &mut workspace);
                    let region = Region::new();
                    let answer = collide(&a, &place_a, &b, &place_b, &question, &mut workspace);
                    let change = region.change();
                    assert_eq!(change.allocations, 0, "{}, {family:?}, {wanted:?}", case.name);
                    queries += 1;
                    contacts += u32::from(answer.is_contact());
                }
            }
        }
    }
    assert!(queries > 3000 && contacts > 1500, "{queries} {contacts}");
}
