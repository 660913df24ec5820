//! A warm refit and a warm question of soft meshes allocate nothing.

use elbowroom::internal::model::DeformableBvh;
use elbowroom::internal::query::{Want, collide_deformable};
use elbowroom::internal::traverse::Workspace;
use elbowroom_make::bumpy_sphere;
use glam::DVec3;

use crate::counter::Region;

#[test]
fn a_warm_refit_and_a_warm_question_allocate_nothing() {
    let mesh = bumpy_sphere(12, 0.1, 3);
    let mut model = DeformableBvh::new(&mesh).expect("few");
    let other = model.clone();
    let mut workspace = Workspace::default();
    let (mut points, mut quiet) = (mesh.vertices().to_vec(), 0);
    for round in 0..6 {
        let shift = DVec3::new(0.2 * f64::from(round % 3), 0.1, 0.0);
        points.iter_mut().zip(mesh.vertices()).for_each(|(point, &rest)| *point = rest + shift);
        let region = Region::new();
        model.refit(&points).expect("finite");
        model.refit_with(|out| out.copy_from_slice(&points)).expect("finite");
        let mut contacts = 0;
        for ask in [Want::Any, Want::Count] {
            contacts +=
                u32::from(collide_deformable(&model, &other, ask, &mut workspace).is_contact());
        }
        let change = region.change();
        assert_eq!(contacts, 2);
        if round >= 3 {
            assert_eq!(change.allocations + change.reallocations, 0, "round {round}");
            quiet += 1;
        }
    }
    assert_eq!(quiet, 3);
}
