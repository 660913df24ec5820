//! Models that share a pattern, against models that were built by themselves: balls that are dented
//! again in every frame, closed and with holes, with vertices that become one and triangles that
//! lose their area in some frames.

use std::sync::Arc;

use elbowroom::internal::model::MeshTopology;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{ContactKind, QueryOptions, is_inside, profile, query, solids};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Mesh, Pose};
use elbowroom_testkit::random::Random;
use glam::DVec3;

/// A ball with each vertex moved by waves: the same for the same place.
fn dented(random: &mut Random, ball: &Mesh, size: f64, place: DVec3, by: f64) -> Vec<DVec3> {
    let mut wave = || DVec3::from_array([0; 3].map(|_| random.uniform(-15.0, 15.0)));
    let waves = [wave(), wave(), wave()];
    let dent = |v: &DVec3| DVec3::from_array(waves.map(|wave| (wave.dot(*v)).sin())) * by;
    ball.vertices().iter().map(|v| (*v + dent(v)) * size + place).collect()
}

/// How often each kind was met, how many models were closed and open, and how many of the closed
/// ones met themselves.
#[derive(Debug, Default)]
struct Met {
    kinds: [u32; 6],
    closed: u32,
    open: u32,
    meeting: u32,
}

fn compare(random: &mut Random, meshes: [&Mesh; 2], met: &mut Met) {
    let patterns = meshes.map(|mesh| Arc::new(MeshTopology::new(mesh.clone())));
    let workspace = &mut Workspace::default();
    for frame in 0..40 {
        let sizes = [random.uniform(0.2, 1.2), random.uniform(0.6, 1.2)];
        let place = DVec3::new(random.uniform(0.0, 2.5), random.uniform(0.0, 0.2), 0.1);
        let by = [0.02, 0.05, 0.25][frame % 3];
        let mut points = [0, 1].map(|own| {
            let place = if own == 0 { place } else { DVec3::ZERO };
            dented(random, meshes[own], sizes[own], place, by)
        });
        if frame % 5 == 4 {
            // Two corners become one: what was an edge is none, and two triangles are without area.
            let [a, b, _] = meshes[0].triangles()[7];
            points[0][a as usize] = points[0][b as usize];
        }
        let kept = [0, 1].map(|own| patterns[own].model(points[own].clone()).unwrap());
        let anew = [0, 1].map(|own| {
            let triangles = meshes[own].triangles().to_vec();
            Model::new(Mesh::new(points[own].clone(), triangles).unwrap())
        });
        let turn = Pose::from_translation(DVec3::new(0.0, 0.1 * (frame % 2) as f64, 0.0));
        let (here, there) = (Pose::IDENTITY, turn.unwrap());
        let mut ask =
            |[a, b]: &[Model; 2], what: &QueryOptions| query(a, &here, b, &there, what, workspace);
        let all = QueryOptions::ALL.solid();
        // The kind alone first: what more is asked leaves behind what it has worked out.
        assert_eq!(
            ask(&kept, &QueryOptions::KIND.solid()),
            ask(&anew, &QueryOptions::KIND.solid())
        );
        let reply = ask(&kept, &all);
        assert_eq!(reply, ask(&anew, &all), "frame {frame}");
        met.kinds[reply.kind.unwrap() as usize] += 1;
        let [(a, b), (c, d)] = [&kept, &anew].map(|[a, b]| (a, b));
        let both = [solids(a, &here, b, &there, workspace), solids(c, &here, d, &there, workspace)];
        assert_eq!(both[0], both[1]);
        for (kept, anew) in kept.iter().zip(&anew) {
            let known = profile(kept, workspace);
            assert_eq!(known, profile(anew, workspace));
            let count = if known.certainty.is_exact() { &mut met.closed } else { &mut met.open };
            *count += 1;
            met.meeting += u32::from(known.closed.is_some_and(|closed| closed.meeting > 0));
            for _ in 0..20 {
                let mut along = || random.uniform(-1.2, 1.2);
                let point = DVec3::new(along(), along(), along());
                let inside = is_inside(anew, &here, point, workspace);
                assert_eq!(is_inside(kept, &here, point, workspace), inside, "{point}");
            }
        }
    }
}

#[test]
fn models_of_a_pattern_are_as_if_built_by_themselves() {
    let mut random = Random::new(7);
    let ball = elbowroom_make::icosphere(2);
    let fine = elbowroom_make::icosphere(3);
    let holed = Mesh::new(ball.vertices().to_vec(), ball.triangles()[5..].to_vec()).unwrap();
    // Every triangle with corners of its own: only equal places hold it together.
    let apart: Vec<DVec3> = (0..ball.triangles().len()).flat_map(|i| ball.triangle(i)).collect();
    let count = apart.len() as u32 / 3;
    let torn =
        Mesh::new(apart, (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).unwrap();
    let mut met = Met::default();
    for meshes in
        [[&ball, &fine], [&ball, &ball], [&holed, &fine], [&holed, &holed], [&torn, &ball]]
    {
        compare(&mut random, meshes, &mut met);
    }
    let Met { kinds, closed, open, meeting } = met;
    println!("{kinds:?}, {closed} closed, {open} open, {meeting} that meet themselves");
    for kind in [ContactKind::Clear, ContactKind::Crossing, ContactKind::Containment] {
        assert!(kinds[kind as usize] > 10, "{kind:?}: {kinds:?}");
    }
    assert!(closed > 100 && open > 100 && meeting > 5, "{closed} {open} {meeting}");
}
