//! Soups whose vertices move in straight lines: no contact is missed, and what is listed without
//! one is nearer than the tolerance.

use elbowroom::internal::exact::{
    Moving, PlacedTriangle, Relation, edges_ever_meet, relate, vertex_ever_meets_face,
};
use elbowroom::internal::query::{
    CcdOptions, Steps, SweptMesh, contacts_swept, time_of_impact_swept,
};
use elbowroom::{Mesh, Pose};
use glam::DVec3;

use crate::for_each_pair;
use crate::truth::Scene;

fn moving(mesh: &Mesh, end: &[DVec3], triangle: usize) -> [Moving; 3] {
    mesh.triangles()[triangle]
        .map(|vertex| Moving { start: mesh.vertices()[vertex as usize], end: end[vertex as usize] })
}

/// Whether two moving triangles ever meet: at the start, or first at a corner and a face or at two
/// edges. Exact.
fn ever_meet(a: &[Moving; 3], b: &[Moving; 3]) -> bool {
    let here = Pose::IDENTITY;
    let [first, second] =
        [a, b].map(|corners| PlacedTriangle::new(&here, corners.map(|corner| corner.start)));
    let corner_meets = |corners: &[Moving; 3], face: &[Moving; 3]| {
        corners.iter().any(|&corner| vertex_ever_meets_face(corner, *face))
    };
    let edges = |corners: &[Moving; 3]| [0, 1, 2].map(|i| [corners[i], corners[(i + 1) % 3]]);
    relate(&first, &second) != Relation::Apart
        || corner_meets(a, b)
        || corner_meets(b, a)
        || edges(a).iter().any(|&e| edges(b).iter().any(|&f| edges_ever_meet(e, f)))
}

#[test]
fn no_contact_is_missed() {
    let (mut met, mut apart, mut listed, mut round) = (0, 0, 0, 0);
    for_each_pair(0x0c0d, 4, 10, |kind, pair, random| {
        let scene = Scene::new(pair);
        let size = 0.7 * kind.size();
        let mut end = |mesh: &Mesh| -> Vec<DVec3> {
            let step = DVec3::from_array(std::array::from_fn(|_| random.uniform(-size, size)));
            let own = random.one_in(2);
            let mut off = || if own { random.uniform(-0.1, 0.1) * size } else { 0.0 };
            mesh.vertices().iter().map(|&v| v + step + DVec3::new(off(), off(), off())).collect()
        };
        let (end_a, end_b) = (end(&scene.a), end(&scene.b));
        let [mut a, mut b] = [&scene.a, &scene.b].map(|mesh| SweptMesh::new(mesh.clone()));
        a.advance(&end_a).expect("as many vertices");
        b.advance(&end_b).expect("as many vertices");
        let timing = CcdOptions::default();
        let (mut steps, largest) = (Steps::default(), a.size().max(b.size()));
        let found = contacts_swept(&a, &b, &timing, &mut steps);
        let first = time_of_impact_swept(&a, &b, &timing, &mut steps);
        assert_eq!(first.is_some(), !found.is_empty(), "{kind:?}, {pair:?}");
        let earliest = found.iter().map(|since| since.time).fold(f64::INFINITY, f64::min);
        assert!(first.is_none_or(|first| first.time <= earliest), "{kind:?}, {pair:?}");
        for i in 0..scene.a.triangles().len() {
            for j in 0..scene.b.triangles().len() {
                let pair_of = (moving(&scene.a, &end_a, i), moving(&scene.b, &end_b, j));
                let truth = ever_meet(&pair_of.0, &pair_of.1);
                let since = found.iter().find(|since| (since.a, since.b) == (i as u32, j as u32));
                assert!(!truth || since.is_some(), "{kind:?}: {i} and {j} missed, {pair:?}");
                if let Some(since) = since.filter(|_| !truth) {
                    let bound = 2.0 * timing.delta * largest;
                    assert!(since.separation <= bound, "{kind:?}: {since:?} {bound}");
                }
                met += usize::from(truth);
                apart += usize::from(!truth);
            }
        }
        listed += found.len();
        round += 1;
    });
    println!("{met} pairs of triangles ever meet, {listed} were listed, {apart} do not");
    assert!(met > 2 * round && apart > 4 * round && listed >= met, "{met} {listed} {apart}");
}
