//! What chains, hands, helicopters, heads, pipes and crowds promise.

use elbowroom::internal::model::Model;
use elbowroom::internal::query::{Neighbours, self_triangle_pairs, triangle_pairs};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Aabb, Mesh, Pose};
use elbowroom_motion::body::{Freedom, Poser, Rig, SkeletonPose};
use glam::DVec3;

use crate::*;

fn volume(mesh: &Mesh) -> f64 {
    let parts = (0..mesh.triangles().len()).map(|i| {
        let [a, b, c] = mesh.triangle(i);
        a.dot(b.cross(c)) / 6.0
    });
    parts.sum()
}

fn assert_solid(name: &str, mesh: &Mesh) {
    let seams = mesh.seams();
    assert!(seams.is_closed() && seams.is_manifold() && seams.is_oriented(), "{name}: {seams:?}");
    assert_eq!(seams.degenerate, 0, "{name}");
    assert!(volume(mesh) > 0.0, "{name}: {}", volume(mesh));
}

fn own_contacts(mesh: &Mesh) -> usize {
    let model = Model::new(mesh.clone());
    let (pairs, tally) = self_triangle_pairs(&model, Neighbours::Skip, &mut Workspace::default());
    assert!(tally.volumes() > 100, "{tally:?}");
    pairs.len()
}

/// The parts of a rig in a pose.
fn posed(rig: &Rig, pose: &SkeletonPose) -> Vec<Mesh> {
    let mut poser = Poser::new();
    let mut points = Vec::new();
    (0..rig.parts.len())
        .map(|part| {
            rig.posed(pose, part, &mut poser, &mut points);
            Mesh::new(points.clone(), rig.parts[part].mesh.triangles().to_vec()).unwrap()
        })
        .collect()
}

fn touching_parts(meshes: &[Mesh]) -> Vec<(usize, usize)> {
    let models: Vec<Model> = meshes.iter().map(|mesh| Model::new(mesh.clone())).collect();
    let mut found = Vec::new();
    for a in 0..models.len() {
        for b in a + 1..models.len() {
            let (first, second) = (&models[a], &models[b]);
            if !triangle_pairs(first, &Pose::IDENTITY, second, &Pose::IDENTITY).is_empty() {
                found.push((a, b));
            }
        }
    }
    found
}

fn assert_loops(rig: &Rig) {
    for clip in &rig.clips {
        let [mut first, mut last] = [rig.rest_pose(), rig.rest_pose()];
        clip.sample(0.0, &mut first);
        clip.sample(clip.seconds(), &mut last);
        assert_eq!(first, last, "{}", clip.name());
        let mut between = rig.rest_pose();
        clip.sample(0.37 * clip.seconds(), &mut between);
        assert_ne!(between, first, "{}", clip.name());
    }
    assert!(!rig.clips.is_empty());
}

#[test]
fn chains_hang_straight_without_touching_and_swing() {
    let mut met = 0;
    for link in [Link::Convex, Link::Hull, Link::Braid, Link::Ring] {
        for aspect in [3.0, 6.0] {
            let rig = chain(&Chain { link, aspect, ..Chain::default() });
            rig.validate().unwrap();
            assert_loops(&rig);
            assert_eq!((rig.parts.len(), rig.freedoms.len(), rig.allowed.len()), (8, 8, 7));
            assert_solid("link", &rig.parts[0].mesh);
            if link != Link::Braid {
                assert_eq!(own_contacts(&rig.parts[0].mesh), 0, "{link:?}");
            }
            let straight = posed(&rig, &rig.rest_pose());
            assert_eq!(touching_parts(&straight), [], "{link:?} {aspect}");
            // A chain of eight is eight lengths long.
            let Aabb { min: low, max: high } = crate::join(&straight).bounds();
            assert!((high.y - low.y - 2.4).abs() < 0.1, "{link:?}: {low} {high}");
            met += 1;
        }
    }
    assert_eq!(met, 8);
}

#[test]
fn rings_pass_through_each_other() {
    let rig = chain(&Chain { link: Link::Ring, ..Chain::default() });
    let rings = posed(&rig, &rig.rest_pose());
    // The wire of each ring runs through the hole of the next: along the axis their spans overlap
    // by more than two wires.
    for pair in rings.windows(2) {
        let low = pair[0].bounds().min;
        let high = pair[1].bounds().max;
        assert!(high.y - low.y > 0.01, "{low} {high}");
    }
    // Pulled across, they catch.
    let moved = Pose::from_translation(DVec3::new(0.0, -0.02, 0.0)).unwrap();
    let [a, b] = [0, 1].map(|i| Model::new(rings[i].clone()));
    assert!(!triangle_pairs(&a, &Pose::IDENTITY, &b, &moved).is_empty());
}

#[test]
fn hands_have_sixteen_links_that_bend() {
    let rig = hand(1);
    rig.validate().unwrap();
    assert_loops(&rig);
    assert_eq!(rig.parts.len(), 16);
    for part in &rig.parts {
        assert_solid(&part.name, &part.mesh);
        assert_eq!(own_contacts(&part.mesh), 0, "{}", part.name);
    }
    let allowed: Vec<(usize, usize)> =
        rig.allowed.iter().map(|&(a, b)| (a as usize, b as usize)).collect();
    let open = posed(&rig, &rig.rest_pose());
    let touching = touching_parts(&open);
    assert!(touching.iter().all(|pair| allowed.contains(pair)), "{touching:?}");
    let bent = |freedom: &Freedom| if freedom.name.ends_with("spread") { 0.0 } else { 1.0 };
    let values: Vec<f64> = rig.freedoms.iter().map(bent).collect();
    let fist = rig.pose_of(&values).unwrap();
    let closed = crate::join(&posed(&rig, &fist)).bounds();
    let straight = crate::join(&open).bounds();
    assert!(closed.max.y < straight.max.y - 0.04 && closed.max.z > straight.max.z + 0.02);
}

#[test]
fn helicopters_are_closed_and_their_rotors_clear_the_hull() {
    let mut blades = Vec::new();
    for seed in 0..3 {
        let rig = helicopter(seed);
        rig.validate().unwrap();
        assert_loops(&rig);
        for part in &rig.parts {
            assert_solid(&part.name, &part.mesh);
        }
        let hull = &rig.parts[0].mesh;
        assert!((3400..3700).contains(&hull.triangles().len()));
        assert_eq!(own_contacts(hull), 0);
        for frame in 0..12 {
            let mut pose = rig.rest_pose();
            rig.clips[0].sample(f64::from(frame) / 12.0, &mut pose);
            assert_eq!(touching_parts(&posed(&rig, &pose)), [], "seed {seed}, frame {frame}");
        }
        blades.push(rig.parts[1].mesh.triangles().len());
    }
    blades.dedup();
    assert!(blades.len() > 1, "{blades:?}");
}

#[test]
fn heads_are_closed_and_every_seed_is_another() {
    for seed in 0..6 {
        let head = monkey_head(seed);
        assert_solid("head", &head);
        assert_eq!(own_contacts(&head), 0, "seed {seed}");
        let count = head.triangles().len();
        assert!((940..=968).contains(&count), "{count}");
        let Aabb { min: low, max: high } = head.bounds();
        assert!(low.x == -high.x && (0.9..1.5).contains(&high.x), "{low} {high}");
    }
    assert_ne!(monkey_head(1), monkey_head(2));
    assert_eq!(monkey_head(1), monkey_head(1));
}

#[test]
fn pipes_are_closed_and_keep_apart() {
    for seed in 0..4 {
        let tangle = pipes(&Pipes { seed, cells: 8, ..Pipes::default() });
        assert_solid("pipes", &tangle);
        assert!(tangle.triangles().len() > 5000, "{}", tangle.triangles().len());
        assert_eq!(own_contacts(&tangle), 0, "seed {seed}");
        let Aabb { min: low, max: high } = tangle.bounds();
        assert!(low.min_element() > -4.0 && high.max_element() < 4.0, "{low} {high}");
    }
    // About as many as the authors' own.
    let many = Pipes { cells: 24, pipes: 120, longest: 100, ..Pipes::default() };
    let count = pipes(&many).triangles().len();
    assert!(count > 100_000, "{count}");
}

#[test]
fn walkers_enter_walk_and_leave() {
    let corridor = Ground::Corridor { length: 20.0, width: 4.0 };
    for ground in [Crowd::default().ground, corridor] {
        let what = Crowd { people: 80, ground, ..Crowd::default() };
        let walkers = crowd(&what);
        assert_eq!(walkers, crowd(&what));
        assert_eq!(walkers.len(), 80);
        let mut met = 0;
        for walker in &walkers {
            assert!(walker.at(walker.enters - 0.01).is_none());
            assert!(walker.at(walker.leaves() + 0.01).is_none());
            assert!((1.0..1.7).contains(&walker.speed), "{}", walker.speed);
            let mut time = walker.enters + 0.05;
            while let (Some(a), Some(b)) = (walker.at(time), walker.at(time + 0.1)) {
                let way = b.place - a.place;
                assert!((way.length() / 0.1 / walker.speed - 1.0).abs() < 0.02, "{}", way.length());
                let ahead = DVec3::new(libm::sin(a.heading), 0.0, libm::cos(a.heading));
                assert!(way.normalize().dot(ahead) > 0.99);
                assert!((0.0..1.0).contains(&a.phase) && a.place.y == 0.0);
                let reach = match ground {
                    Ground::Plaza { radius } => a.place.length() / radius,
                    Ground::Corridor { length, width } => {
                        (a.place.x.abs() / length).max(a.place.z.abs() / width) * 2.0
                    }
                };
                assert!(reach < 1.001, "{reach}");
                time += 0.5;
                met += 1;
            }
        }
        assert!(met > 1000, "{met}");
    }
}
