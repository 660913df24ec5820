//! Bodies that are new in every frame: what is asked of them is worked out where it matters and
//! nowhere else, and says what it says of models that were built by themselves and had everything
//! worked out before.

use std::sync::Arc;

use elbowroom::internal::model::{MeshTopology, Model};
use elbowroom::internal::query::{
    Certainty, Neighbours, Overlap, Penetration, SolidProfile, Solids, overlap, penetration,
    profile, self_triangle_pairs, solids, triangle_pairs,
};
use elbowroom::internal::traverse::Workspace;
use elbowroom::interrupt::Interrupt;
use elbowroom::{Mesh, Pose};
use elbowroom_make::{icosphere, join};
use glam::DVec3;

const HERE: Pose = Pose::IDENTITY;

/// A trunk, and balls that reach into it or into each other.
fn limbed(frequency: u32) -> Mesh {
    let limb = |at: DVec3, size: f64| {
        let ball = icosphere(frequency.div_ceil(2));
        let moved = ball.vertices().iter().map(|&v| v * size + at).collect();
        ball.with_vertices(moved).unwrap()
    };
    let limbs = [
        limb(DVec3::new(0.9, 0.2, 0.1), 0.35),
        limb(DVec3::new(-0.9, 0.25, 0.0), 0.35),
        limb(DVec3::new(-1.2, 0.1, 0.1), 0.2),
        limb(DVec3::new(0.1, 0.1, 0.05), 0.3),
    ];
    join(&[icosphere(frequency), join(&limbs)])
}

/// A ball that lacks every so manieth triangle.
fn holed(frequency: u32) -> Mesh {
    let ball = icosphere(frequency);
    let kept = ball.triangles().iter().enumerate().filter(|(at, _)| at % 29 != 5);
    let kept = kept.map(|(_, triangle)| *triangle).collect();
    Mesh::new(ball.vertices().to_vec(), kept).unwrap()
}

/// A body as it is in a frame, dented by waves and moved along x.
fn posed(mesh: &Mesh, frame: usize, by: f64, along: f64) -> Vec<DVec3> {
    let time = 0.7 * frame as f64;
    let place = |v: &DVec3| {
        let (x, y, z) = (5.0 * v.y + time, 4.0 * v.z, 6.0 * v.x - time);
        let p = *v + by * DVec3::new(x.sin(), y.sin(), z.cos());
        DVec3::new(0.5 * p.x + along, 0.9 * p.y, 0.4 * p.z)
    };
    mesh.vertices().iter().map(place).collect()
}

/// All that is asked about two bodies.
#[derive(Debug, PartialEq)]
struct Said {
    solids: Solids,
    depth: Penetration,
    amount: Overlap,
}

impl Said {
    fn of([a, b]: [&Model; 2], workspace: &mut Workspace) -> Self {
        Self {
            solids: solids(a, &HERE, b, &HERE, workspace),
            depth: penetration(a, &HERE, b, &HERE, None, workspace),
            amount: overlap(a, &HERE, b, &HERE, workspace),
        }
    }
}

/// A model built by itself, with all worked out before anything is asked: as it was done once.
fn thorough(mesh: &Mesh, points: &[DVec3]) -> (Model, SolidProfile) {
    let model = Model::new(Mesh::new(points.to_vec(), mesh.triangles().to_vec()).unwrap());
    let profile = profile(&model, &mut Workspace::default());
    (model, profile)
}

/// How many triangles meet others of their mesh, found by another way.
fn meeting(model: &Model) -> usize {
    let (pairs, _) = self_triangle_pairs(model, Neighbours::Decide, &mut Workspace::default());
    let flat = |t: u32| {
        let [a, b, c] = model.mesh().triangle(t as usize);
        (b - a).cross(c - a) == DVec3::ZERO
    };
    let pairs = pairs.iter().filter(|pair| !flat(pair.a) && !flat(pair.b));
    let mut met: Vec<u32> = pairs.flat_map(|pair| [pair.a, pair.b]).collect();
    met.sort_unstable();
    met.dedup();
    met.len()
}

#[derive(Debug, Default)]
struct Met {
    overlaps: u32,
    clear: u32,
    estimates: u32,
    exact: u32,
    meeting: usize,
    buried: usize,
    welded: u32,
}

/// Compares frames of two bodies with what is built by itself; in some, two corners become one.
fn compare(meshes: [&Mesh; 2], by: f64, met: &mut Met) {
    let patterns = meshes.map(|mesh| Arc::new(MeshTopology::new(mesh.clone())));
    let workspace = &mut Workspace::default();
    for (frame, along) in [0.95, 0.8, 0.5, 0.2, 2.5, 0.9, 0.0].into_iter().enumerate() {
        let mut points = [posed(meshes[0], frame, by, 0.0), posed(meshes[1], frame + 3, by, along)];
        if frame % 3 == 2 {
            // What was an edge is none, and its triangles are without area.
            let [a, b, _] = meshes[0].triangles()[frame];
            points[0][a as usize] = points[0][b as usize];
            // Corners that are far from each other come to one place.
            let last = meshes[1].triangles()[meshes[1].triangles().len() - 1];
            points[1][last[0] as usize] = points[1][meshes[1].triangles()[0][1] as usize];
            met.welded += 1;
        }
        let kept = [0, 1].map(|own| patterns[own].model(points[own].clone()).unwrap());
        let [(a, of_a), (b, of_b)] = [0, 1].map(|own| thorough(meshes[own], &points[own]));
        let said = Said::of([&kept[0], &kept[1]], workspace);
        assert_eq!(said, Said::of([&a, &b], workspace), "frame {frame}");
        // A later query for the rest gets what a query for all at once gets.
        for (kept, known) in kept.iter().zip([of_a, of_b]) {
            assert_eq!(profile(kept, workspace), known, "frame {frame}");
            if let Some(closed) = known.closed {
                assert_eq!(closed.meeting, meeting(kept), "frame {frame}");
                met.meeting += closed.meeting;
                met.buried += closed.buried;
            }
        }
        let Penetration { lower, upper, certainty, .. } = said.depth;
        assert!(lower <= upper, "frame {frame}: {lower} {upper}");
        met.overlaps += u32::from(said.solids.both);
        met.clear += u32::from(!said.solids.both);
        met.exact += u32::from(certainty == Certainty::Exact);
        met.estimates += u32::from(certainty != Certainty::Exact);
    }
}

#[test]
fn what_is_worked_out_when_asked_is_what_is_worked_out_before() {
    let mut met = Met::default();
    let (ball, limbed, holed) = (icosphere(9), limbed(8), holed(9));
    for (meshes, by) in [
        ([&ball, &ball], 0.03),
        ([&ball, &limbed], 0.03),
        ([&limbed, &limbed], 0.02),
        ([&ball, &ball], 0.2),
        ([&holed, &ball], 0.03),
        ([&holed, &holed], 0.03),
    ] {
        compare(meshes, by, &mut met);
    }
    println!("{met:?}");
    let Met { overlaps, clear, estimates, exact, meeting, buried, welded } = met;
    assert!(overlaps > 20 && clear > 4 && estimates > 10 && exact > 10 && welded == 12);
    assert!(meeting > 1000 && buried > 100);
}

/// Two bodies, and how many of their triangles were looked at on account of meeting themselves.
fn examined(frequency: u32, along: f64, ask: impl Fn([&Model; 2], &mut Workspace)) -> [usize; 3] {
    let mesh = icosphere(frequency);
    let pattern = Arc::new(MeshTopology::new(mesh.clone()));
    let [a, b] = [(0, 0.0), (4, along)]
        .map(|(frame, along)| pattern.model(posed(&mesh, frame, 0.02, along)).unwrap());
    ask([&a, &b], &mut Workspace::default());
    let pairs = triangle_pairs(&a, &HERE, &b, &HERE).len();
    [pairs, a.self_examined() + b.self_examined(), 2 * mesh.triangles().len()]
}

#[test]
fn only_triangles_near_the_overlap_are_looked_at() {
    let all = |both: [&Model; 2], workspace: &mut Workspace| {
        let said = Said::of(both, workspace);
        assert!(said.depth.certainty.is_exact());
    };
    let whether = |[a, b]: [&Model; 2], workspace: &mut Workspace| {
        assert!(solids(a, &HERE, b, &HERE, workspace).is_crossing());
    };
    for frequency in [14, 28, 40] {
        // Bodies that are clear of each other: a leaf of each, for which side is out.
        let [pairs, looked_at, _] = examined(frequency, 3.0, all);
        assert!(pairs == 0 && looked_at <= 16, "{pairs}: {looked_at}");
        // Whether they overlap: a leaf of each, or a few more.
        let [pairs, looked_at, _] = examined(frequency, 0.9, whether);
        assert!(pairs > 20 && looked_at > 0 && looked_at <= 64, "{pairs}: {looked_at}");
        // How deep and how much, where little is in both: some for each pair that meets.
        let [pairs, looked_at, count] = examined(frequency, 0.95, all);
        println!("shallow: {looked_at} of {count} for {pairs} pairs");
        assert!(pairs > 20 && looked_at <= 12 * pairs && 6 * looked_at < count);
        // Where much is, still not what is far from it.
        let [pairs, looked_at, count] = examined(frequency, 0.6, all);
        println!("deep: {looked_at} of {count} for {pairs} pairs");
        assert!(pairs > 20 && 4 * looked_at < 3 * count);
    }
}

#[test]
fn threads_that_ask_about_one_body_get_the_same() {
    let mesh = limbed(10);
    let pattern = Arc::new(MeshTopology::new(mesh.clone()));
    let model = |frame, along| pattern.model(posed(&mesh, frame, 0.02, along)).unwrap();
    for frame in 0..3 {
        let others: Vec<Model> = (0..4).map(|i| model(frame + i, 0.5 + 0.1 * i as f64)).collect();
        let alone: Vec<Said> = others
            .iter()
            .map(|other| Said::of([&model(frame, 0.0), other], &mut Workspace::default()))
            .collect();
        // All ask about one model at once, of which nothing is known yet.
        let shared = model(frame, 0.0);
        let said: Vec<Said> = std::thread::scope(|scope| {
            let ask = |other| {
                let shared = &shared;
                scope.spawn(move || Said::of([shared, other], &mut Workspace::default()))
            };
            let asked: Vec<_> = others.iter().map(ask).collect();
            asked.into_iter().map(|asked| asked.join().unwrap()).collect()
        });
        assert_eq!(said, alone);
        assert!(alone.iter().all(|said| said.solids.both && said.depth.lower > 0.0));
    }
}

#[test]
fn what_is_broken_off_leaves_nothing_half_known() {
    let mesh = limbed(5);
    let pattern = Arc::new(MeshTopology::new(mesh.clone()));
    let [a, b] = [(0, 0.0), (4, 0.7)]
        .map(|(frame, along)| pattern.model(posed(&mesh, frame, 0.02, along)).unwrap());
    let expected = Said::of([&a.clone(), &b.clone()], &mut Workspace::default());
    let fresh = || {
        [(0, 0.0), (4, 0.7)]
            .map(|(frame, along)| pattern.model(posed(&mesh, frame, 0.02, along)).unwrap())
    };
    // The models are asked again, with what was found before they were broken off.
    let ([a, b], mut workspace) = (fresh(), Workspace::default());
    let (mut interrupted, mut patience) = (0, 0);
    while Interrupt::after(patience).run(|| Said::of([&a, &b], &mut workspace)).is_err() {
        interrupted += 1;
        patience += 1 + patience / 3;
    }
    assert!(interrupted > 10, "{interrupted}");
    assert_eq!(Said::of([&a, &b], &mut workspace), expected);
}

#[test]
fn vertices_that_no_triangle_names_may_be_missing() {
    let ball = icosphere(4);
    let mut vertices = ball.vertices().to_vec();
    vertices.extend([DVec3::splat(9.0), DVec3::splat(8.0)]);
    let padded = Mesh::new(vertices, ball.triangles().to_vec()).unwrap();
    let pattern = Arc::new(MeshTopology::new(padded.clone()));
    let moved = |mesh: &Mesh| mesh.vertices().iter().map(|&v| v + 0.3 * DVec3::X).collect();
    let workspace = &mut Workspace::default();
    let whole = pattern.model(padded.vertices().to_vec()).unwrap();
    let [with, without] = [&padded, &ball].map(|mesh| pattern.model(moved(mesh)).unwrap());
    let said = Said::of([&whole, &with], workspace);
    assert_eq!(said, Said::of([&whole, &without], workspace));
    assert!(said.solids.is_crossing() && said.depth.certainty.is_exact());
}
