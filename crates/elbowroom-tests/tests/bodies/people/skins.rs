//! The skins: topology, size, weights.

use elbowroom::internal::model::Model;
use elbowroom::internal::query::{Neighbours, self_triangle_pairs};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Aabb, Mesh};
use elbowroom_make::body::{Build, standing};
use elbowroom_motion::body::{Hold, Rig, Skin};
use glam::DVec3;

use super::{both, posed};

fn skin(rig: &Rig) -> &Skin {
    match &rig.parts[0].hold {
        Hold::Skinned(skin) => skin,
        Hold::Rigid(_) => panic!("{} has no skin", rig.name),
    }
}

fn volume(mesh: &Mesh) -> f64 {
    (0..mesh.triangles().len())
        .map(|i| {
            let [a, b, c] = mesh.triangle(i);
            a.dot(b.cross(c)) / 6.0
        })
        .sum()
}

/// How many pieces the mesh is in.
fn pieces(mesh: &Mesh) -> usize {
    let mut piece: Vec<usize> = (0..mesh.vertices().len()).collect();
    loop {
        let mut changed = false;
        for triangle in mesh.triangles() {
            let least = triangle.iter().map(|&v| piece[v as usize]).min().unwrap_or(0);
            for &v in triangle {
                changed |= piece[v as usize] != least;
                piece[v as usize] = least;
            }
        }
        if !changed {
            piece.sort_unstable();
            piece.dedup();
            return piece.len();
        }
    }
}

fn own_contacts(mesh: Mesh) -> (usize, u64) {
    let (pairs, tally) =
        self_triangle_pairs(&Model::new(mesh), Neighbours::Skip, &mut Workspace::default());
    (pairs.len(), tally.volumes() + tally.primitives)
}

#[test]
fn skins_are_closed_manifolds_of_the_size_and_height_asked_for() {
    let slim = Build { height: 1.6, girth: 0.7, ..Build::FEMALE };
    let stout = Build { height: 1.95, girth: 1.4, ..Build::MALE };
    let fine = Build { triangles: 6000, ..Build::FEMALE };
    // Thinning once made an edge of four triangles in the mirror plane of this one.
    let round = Build { girth: 1.4, ..Build::FEMALE };
    let others = [slim, stout, fine, round].map(|build| build.rig());
    let mut met = 0;
    for (rig, height, triangles) in [
        (&both()[0], 1.88, 2850.0),
        (&both()[1], 1.74, 2850.0),
        (&others[0], 1.6, 2850.0),
        (&others[1], 1.95, 2850.0),
        (&others[2], 1.74, 6000.0),
        (&others[3], 1.74, 2850.0),
    ] {
        rig.validate().unwrap();
        let mesh = &rig.parts[0].mesh;
        let seams = mesh.seams();
        assert!(seams.is_closed() && seams.is_manifold() && seams.is_oriented(), "{seams:?}");
        assert_eq!((pieces(mesh), seams.degenerate), (1, 0));
        // A sphere with no handles: V - E + F = 2.
        let (v, e, f) = (mesh.vertices().len(), seams.edges, mesh.triangles().len());
        assert_eq!(v + f, e + 2);
        assert!((f as f64 / triangles - 1.0).abs() < 0.03, "{f} triangles, not {triangles}");
        let Aabb { min: low, max: high } = mesh.bounds();
        assert!((high.y - low.y - height).abs() < 1e-3 && low.y.abs() < 1e-9, "{low} {high}");
        // Slim and stout people of one height differ by a factor of three.
        let litres = 1000.0 * volume(mesh) / height.powi(3);
        assert!((7.0..22.0).contains(&litres), "{litres} litres for each cubed metre of height");
        let (pairs, tested) = own_contacts(mesh.clone());
        assert!(pairs == 0 && tested > 1000, "{pairs} pairs meet, {tested} tests");
        met += 1;
    }
    assert_eq!(met, 6);
}

#[test]
fn both_sides_are_the_same_to_the_last_bit() {
    for rig in both() {
        let bits = |p: &DVec3, sign: f64| [sign * p.x + 0.0, p.y, p.z].map(f64::to_bits);
        let vertices = rig.parts[0].mesh.vertices();
        let mut here: Vec<_> = vertices.iter().map(|p| bits(p, 1.0)).collect();
        let mut there: Vec<_> = vertices.iter().map(|p| bits(p, -1.0)).collect();
        here.sort_unstable();
        there.sort_unstable();
        assert_eq!(here, there);
        assert!(here.len() > 1400);
    }
}

#[test]
fn every_vertex_hangs_on_up_to_four_joints_and_every_limb_moves_some() {
    let fleshy = [
        "Hips",
        "LowerBack",
        "Spine",
        "Spine1",
        "Neck1",
        "Head",
        "LeftUpLeg",
        "LeftLeg",
        "LeftFoot",
        "LeftToeBase",
        "LeftArm",
        "LeftForeArm",
        "LeftHand",
        "LeftHandIndex1",
        "LThumb",
        "RightUpLeg",
        "RightLeg",
        "RightFoot",
        "RightToeBase",
        "RightArm",
        "RightForeArm",
        "RightHand",
        "RightHandIndex1",
        "RThumb",
    ];
    for rig in both() {
        let skin = skin(rig);
        let mut led = vec![0; rig.skeleton.len()];
        for vertex in 0..rig.parts[0].mesh.vertices().len() as u32 {
            let influences = skin.influences(vertex);
            assert!((1..=4).contains(&influences.len()));
            let sum: f64 = influences.iter().map(|i| f64::from(i.weight)).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{sum}");
            led[skin.dominant(vertex).index()] += 1;
        }
        for name in fleshy {
            let joint = rig.skeleton.find(name).unwrap();
            assert!(led[joint.index()] >= 8, "{} moves {} vertices", name, led[joint.index()]);
        }
    }
}

#[test]
fn at_rest_arms_are_level_and_legs_apart_and_nothing_meets_itself() {
    for rig in both() {
        for joint in rig.skeleton.joints() {
            assert_eq!(joint.rest.rotation, glam::DQuat::IDENTITY, "{}", joint.name);
        }
        let points = posed(rig, &rig.rest_pose());
        let mesh = &rig.parts[0].mesh;
        let (low, high) = points
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)));
        // Span is about height.
        let top = mesh.bounds().max;
        assert!(((high.x - low.x) / top.y - 1.0).abs() < 0.06, "{low} {high}");
        let at_rest = Mesh::new(points, mesh.triangles().to_vec()).unwrap();
        let (pairs, tested) = own_contacts(at_rest);
        assert!(pairs == 0 && tested > 1000, "{pairs} pairs meet, {tested} tests");
    }
}

#[test]
fn standing_people_are_as_tall_as_asked_for_with_arms_down() {
    for (rig, height) in both().iter().zip([1.88, 1.74]) {
        let points = posed(rig, &standing(&rig.skeleton).unwrap());
        let top = points.iter().map(|p| p.y).fold(0.0, f64::max);
        assert!((top - height).abs() < 0.01, "{top}");
        let hand = rig.skeleton.find("LeftHand").unwrap();
        let lowest = (0..points.len() as u32)
            .filter(|&v| skin(rig).dominant(v) == hand)
            .map(|v| points[v as usize].y)
            .fold(f64::INFINITY, f64::min);
        assert!(lowest < 0.5 * height, "{lowest}");
    }
}
