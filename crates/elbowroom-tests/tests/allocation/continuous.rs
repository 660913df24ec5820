//! A warm step and a warm query of the first contact allocate nothing.

use elbowroom::Pose;
use elbowroom::internal::query::{
    CcdOptions, Neighbours, RigidMotion, Steps, SweptMesh, time_of_impact_rigid,
    time_of_impact_self, time_of_impact_swept,
};
use glam::DVec3;

use crate::counter::Region;

#[test]
fn a_warm_step_allocates_nothing() {
    let mesh = elbowroom_make::icosphere(8);
    let shifted = |by: DVec3| -> Vec<DVec3> { mesh.vertices().iter().map(|&p| p + by).collect() };
    let (away, beyond) = (shifted(DVec3::X * 4.0), shifted(DVec3::X * -4.0));
    let [mut a, mut b] = [0; 2].map(|_| SweptMesh::new(mesh.clone()));
    let [mut body, mut other] = [0; 2].map(|_| SweptMesh::new(mesh.clone()));
    let (asked, mut steps) = (CcdOptions::default(), Steps::default());
    let still = RigidMotion::new(Pose::IDENTITY);
    let from = Pose::from_translation(DVec3::X * 5.0).expect("finite");
    let flying = RigidMotion::new(from).travelling(DVec3::X * -9.0).expect("finite");
    let flying = flying.turning(DVec3::Y, 2.0, from.translation()).expect("an axis");
    let mut quiet = 0;
    for round in 0..4 {
        let region = Region::new();
        b.set(&away, &beyond).expect("finite");
        a.advance(mesh.vertices()).expect("finite");
        let first = time_of_impact_swept(&a, &b, &asked, &mut steps);
        let own = time_of_impact_self(&b, Neighbours::Skip, &asked, &mut steps);
        let rigid =
            time_of_impact_rigid(&mut body, &still, &mut other, &flying, &asked, &mut steps);
        let change = region.change();
        assert!(first.is_some() && own.is_none() && rigid.is_some(), "{first:?} {own:?} {rigid:?}");
        if round > 0 {
            assert_eq!(change.allocations, 0, "round {round}");
            quiet += 1;
        }
    }
    assert_eq!(quiet, 3);
}
