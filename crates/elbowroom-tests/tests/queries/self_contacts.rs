//! One mesh against itself: neighbours against the rational oracle, meshes against brute force,
//! every tree against every other, and real meshes.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use elbowroom::internal::arch::SimdLevel;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::exact::{relate_neighbours, share_a_corner};
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{
    Neighbours, Want, collide_self, intersects_self, self_triangle_pairs, visit_self,
};
use elbowroom::internal::traverse::packed::{Bodies, Hits, Stacks, Wanted, descend_self};
use elbowroom::internal::traverse::relative::RelativePose;
use elbowroom::internal::traverse::{Tally, Workspace};
use elbowroom::internal::volume::Family;
use elbowroom::{Mesh, Pose, Relation};
use elbowroom_make as make;
use elbowroom_testkit::brute::Soup;
use elbowroom_testkit::oracle::{self, PlainPose, meet_beyond_shared};
use elbowroom_testkit::random::Random;
use elbowroom_testkit::{data, nasty};
use elbowroom_tests::common::{mesh, plain};
use glam::DVec3;

type Plain = [[f64; 3]; 3];

/// What the oracle says of two triangles, as far as it counts.
fn truth(a: &Plain, b: &Plain, neighbours: Neighbours) -> oracle::Relation {
    let share = a.iter().any(|p| b.contains(p));
    let counts = match neighbours {
        Neighbours::Decide => meet_beyond_shared(a, b),
        Neighbours::Skip => !share,
        Neighbours::Count => true,
    };
    if counts {
        oracle::relation(a, &PlainPose::IDENTITY, b, &PlainPose::IDENTITY)
    } else {
        oracle::Relation::Apart
    }
}

fn decided(a: &Plain, b: &Plain) -> oracle::Relation {
    let [a, b] = [a, b].map(|t| t.map(DVec3::from_array));
    match relate_neighbours(a, b) {
        Relation::Apart => oracle::Relation::Apart,
        Relation::Touching => oracle::Relation::Touching,
        Relation::Crossing => oracle::Relation::Crossing,
    }
}

/// Lattice triangles that share none to three corners, most in special positions, many degenerate.
fn lattice_pair(random: &mut Random, half: i64, shared: usize) -> (Plain, Plain) {
    let mut point = || std::array::from_fn(|_| random.range(-half, half) as f64);
    let (mut a, mut b): (Plain, Plain) =
        (std::array::from_fn(|_| point()), std::array::from_fn(|_| point()));
    b[..shared].copy_from_slice(&a[..shared]);
    if random.one_in(3) {
        // All in one plane, the flattest classes of all.
        for p in a.iter_mut().chain(&mut b) {
            p[2] = p[0] - p[1];
        }
    }
    random.shuffle(&mut a);
    random.shuffle(&mut b);
    (a, b)
}

#[test]
fn neighbours_are_decided_as_by_the_oracle() {
    let mut random = Random::new(5);
    let mut met: BTreeMap<(usize, oracle::Relation), u32> = BTreeMap::new();
    let (mut degenerate, mut skipped) = (0, 0);
    for round in 0..24_000 {
        let (half, shared) = ([1, 2, 4, 9][round / 4 % 4], round % 4);
        let (a, b) = lattice_pair(&mut random, half, shared);
        let expected = truth(&a, &b, Neighbours::Decide);
        assert_eq!(decided(&a, &b), expected, "{a:?} {b:?}");
        assert_eq!(decided(&b, &a), expected, "{b:?} {a:?}");
        *met.entry((shared, expected)).or_default() += 1;
        degenerate += u32::from(a[0] == a[1] || a[1] == a[2] || a[2] == a[0]);
        let share = a.iter().any(|p| b.contains(p));
        skipped += u32::from(share && expected == oracle::Relation::Apart);
    }
    println!("{met:?}, {degenerate} degenerate");
    assert!(degenerate > 500 && skipped > 4000, "{degenerate} {skipped}");
    for shared in 0..4 {
        for relation in [oracle::Relation::Apart, oracle::Relation::Touching] {
            let count = met.get(&(shared, relation)).copied().unwrap_or(0);
            assert!(count > 100, "{shared} {relation:?}: {count}");
        }
    }
    for shared in [0, 1] {
        assert!(met[&(shared, oracle::Relation::Crossing)] > 100, "{shared}");
    }
}

/// Numbers that need more than f64: every class of nasty pairs, brought to a common corner.
#[test]
fn nasty_neighbours_are_decided_as_by_the_oracle() {
    let mut random = Random::new(6);
    let (mut met, mut beyond) = (0, 0);
    for class in nasty::Class::ALL {
        for _ in 0..150 {
            let case = nasty::generate(class, &mut random);
            let (a, mut b) = (case.a, case.b);
            for shared in 0..3 {
                b[shared] = a[(shared + 1) % 3];
                let expected = truth(&a, &b, Neighbours::Decide);
                assert_eq!(decided(&a, &b), expected, "{class:?} {a:?} {b:?}");
                met += 1;
                beyond += u32::from(expected != oracle::Relation::Apart);
            }
        }
    }
    assert!(met > 3000 && beyond > met / 5, "{met} {beyond}");
}

fn brute(mesh: &Mesh, neighbours: Neighbours) -> Vec<(u32, u32, oracle::Relation)> {
    let plain = |i: usize| mesh.triangle(i).map(|v| v.to_array());
    let mut pairs = Vec::new();
    for i in 0..mesh.triangles().len() {
        for j in i + 1..mesh.triangles().len() {
            let relation = truth(&plain(i), &plain(j), neighbours);
            if relation != oracle::Relation::Apart {
                pairs.push((i as u32, j as u32, relation));
            }
        }
    }
    pairs
}

fn models(mesh: &Mesh) -> Vec<Model> {
    let config = Config::default();
    vec![
        Model::new(mesh.clone()),
        Model::packed_from(mesh.clone(), &Config { leaf: 4, ..config }),
        Model::with_config(mesh.clone(), &config),
        Model::with_config(mesh.clone(), &Config { leaf: 3, ..config.with_family(Family::Aabb) }),
    ]
}

/// Every tree, every amount that can be asked for, against one list.
fn assert_all_agree(
    mesh: &Mesh,
    neighbours: Neighbours,
    expected: &[(u32, u32, oracle::Relation)],
) {
    let mut workspace = Workspace::default();
    for model in models(mesh) {
        let (pairs, tally) = self_triangle_pairs(&model, neighbours, &mut workspace);
        assert_eq!(plain(&pairs), expected, "{neighbours:?}");
        assert!(tally.volumes() + tally.primitives > 0 || mesh.triangles().len() == 1);
        let count = collide_self(&model, Want::Count, neighbours, &mut workspace);
        assert_eq!((count.count(), count.pairs.len()), (expected.len() as u64, 0));
        let crossing = expected.iter().filter(|p| p.2 == oracle::Relation::Crossing).count();
        assert_eq!(count.crossing, crossing as u64);
        let whether = collide_self(&model, Want::Any, neighbours, &mut workspace);
        assert_eq!(whether.is_contact(), !expected.is_empty());
        let first = collide_self(&model, Want::First, neighbours, &mut workspace);
        assert_eq!(first.pairs.len(), usize::from(!expected.is_empty()));
        assert!(plain(&first.pairs).iter().all(|pair| expected.contains(pair)));
        let mut shown = Vec::new();
        let flow = visit_self(&model, neighbours, &mut workspace, |pair| {
            shown.push(pair);
            if shown.len() == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((shown.len(), flow.is_break()), (expected.len().min(7), expected.len() >= 7));
        assert!(plain(&shown).iter().all(|pair| expected.contains(pair)));
    }
}

const ALL: [Neighbours; 3] = [Neighbours::Decide, Neighbours::Skip, Neighbours::Count];

#[test]
fn soups_of_lattice_triangles_are_as_by_brute_force() {
    let mut random = Random::new(7);
    let mut met = [0; 3];
    for (half, triangles) in [(1, 30), (2, 60), (4, 120), (3, 7), (2, 2), (1, 1)] {
        let mut vertices: Vec<DVec3> = Vec::new();
        for _ in 0..triangles {
            vertices.push(DVec3::from_array([(); 3].map(|()| random.range(-half, half) as f64)));
        }
        let count = vertices.len() as u64;
        let mut faces: Vec<[u32; 3]> =
            (0..triangles).map(|_| [(); 3].map(|()| random.below(count) as u32)).collect();
        faces.extend_from_within(..faces.len() / 4);
        let mesh = Mesh::new(vertices, faces).unwrap();
        for (k, neighbours) in ALL.into_iter().enumerate() {
            let expected = brute(&mesh, neighbours);
            met[k] += expected.len();
            assert_all_agree(&mesh, neighbours, &expected);
        }
    }
    println!("{met:?}");
    assert!(met[0] > 1000 && met[1] > 200 && met[2] > 2000, "{met:?}");
}

/// Every triangle with corners of its own, as formats without indices have it.
fn unwelded(mesh: &Mesh) -> Mesh {
    let vertices = (0..mesh.triangles().len()).flat_map(|i| mesh.triangle(i)).collect();
    let faces = (0..mesh.triangles().len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(vertices, faces).unwrap()
}

#[test]
fn closed_shapes_meet_themselves_nowhere() {
    let person = make::body::male().parts[0].mesh.clone();
    let shapes = [
        make::cuboid(DVec3::new(1.0, 2.0, 3.0)),
        make::icosphere(12),
        make::lat_long_sphere(17, 30),
        make::torus(1.0, 0.3, 40, 20),
        make::capsule(DVec3::ZERO, DVec3::Y, 0.3, 8, 20),
        make::cylinder(DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0), 0.5, 24),
        make::bumpy_sphere(16, 0.1, 3),
        make::wrinkled_torus(80, 40),
        person,
    ];
    let mut neighbours_met = 0;
    for shape in shapes {
        for mesh in [unwelded(&shape), shape] {
            let model = Model::new(mesh.clone());
            let first =
                collide_self(&model, Want::First, Neighbours::Decide, &mut Workspace::default());
            assert!(!intersects_self(&model), "{}: {:?}", mesh.triangles().len(), first.pairs);
            let count =
                collide_self(&model, Want::Count, Neighbours::Count, &mut Workspace::default());
            neighbours_met += count.count();
        }
    }
    assert!(neighbours_met > 100_000, "{neighbours_met}");
}

#[test]
fn folds_are_found_where_they_are() {
    // A strip of squares, flat; then its last square folded back onto the one before.
    let strip = |last: f64| {
        let mut vertices = Vec::new();
        for x in [0.0, 1.0, 2.0, 3.0, last] {
            vertices.extend([DVec3::new(x, 0.0, 0.0), DVec3::new(x, 1.0, 0.0)]);
        }
        let squares: Vec<[u32; 4]> =
            (0..4).map(|i| [2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1]).collect();
        Mesh::from_polygons(vertices, squares.iter().map(<[u32; 4]>::as_slice)).unwrap()
    };
    assert!(!intersects_self(&Model::new(strip(4.0))));
    let folded = strip(2.5);
    let (pairs, _) = self_triangle_pairs(
        &Model::new(folded.clone()),
        Neighbours::Decide,
        &mut Workspace::default(),
    );
    let expected = brute(&folded, Neighbours::Decide);
    assert_eq!(plain(&pairs), expected);
    assert!(
        !pairs.is_empty() && pairs.iter().all(|p| p.a >= 4 && p.relation == Relation::Touching)
    );
    for scale in [1e-6, 1e6, 1e-150, 1e150] {
        for shift in [0.0, 1e9] {
            let vertices = folded.vertices().iter().map(|&v| (v + shift) * scale).collect();
            let model = Model::new(folded.with_vertices(vertices).unwrap());
            let (again, _) =
                self_triangle_pairs(&model, Neighbours::Decide, &mut Workspace::default());
            assert_eq!(again, pairs, "{scale} {shift}");
        }
    }
}

/// What a traversal finds, until it is enough.
struct Noted {
    hits: Vec<(u32, u32, bool)>,
    enough: usize,
}

impl Hits for Noted {
    fn wanted(&self) -> Wanted {
        if self.enough == 1 { Wanted::First } else { Wanted::All }
    }

    fn hit(&mut self, a: u32, b: u32, is_certain: bool) -> ControlFlow<()> {
        self.hits.push((a, b, is_certain));
        if self.hits.len() == self.enough {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Every instruction set takes the same steps, and meets every pair of records once.
#[test]
fn descents_take_the_same_steps_on_every_level() {
    let ring = make::wrinkled_torus(24, 16);
    let mut faces = ring.triangles().to_vec();
    faces.extend_from_within(..faces.len() / 3);
    let copies = Mesh::new(ring.vertices().to_vec(), faces).unwrap();
    let mut met = 0;
    for mesh in [copies, make::bumpy_sphere(9, 0.2, 7), make::person(), make::icosphere(1)] {
        let model = Model::new(mesh);
        let packed = model.packed().unwrap();
        let relative = RelativePose::new(&Pose::IDENTITY, &Pose::IDENTITY).unwrap();
        let main = &packed.islands()[0];
        let main = relative.frames(main, main, 0.0).unwrap();
        let bodies = Bodies {
            a: packed,
            b: packed,
            relative,
            main,
            transform: relative.triangle_transform(100.0),
        };
        for enough in [usize::MAX, 17, 1] {
            let descend = |level: SimdLevel| {
                let mut noted = Noted { hits: Vec::new(), enough };
                let (mut stacks, mut tally) = (Stacks::default(), Tally::default());
                let flow = descend_self(&bodies, level, &mut noted, &mut stacks, &mut tally);
                (flow.is_break(), noted.hits, tally)
            };
            let first = descend(SimdLevel::Portable);
            for level in SimdLevel::ALL.into_iter().filter(|level| level.is_here()) {
                assert!(descend(level) == first, "{level:?} differs from Portable");
            }
            let mut pairs: Vec<_> = first.1.iter().map(|&(a, b, _)| (a.min(b), a.max(b))).collect();
            pairs.sort_unstable();
            let count = pairs.len();
            pairs.dedup();
            assert!(pairs.len() == count && pairs.iter().all(|(a, b)| a < b));
            met += count;
        }
    }
    assert!(met > 10_000, "{met}");
}

/// A mesh against itself by every pair of triangles whose boxes overlap, without a tree.
fn plainly(mesh: &Mesh) -> Vec<(u32, u32)> {
    let corners: Vec<_> = (0..mesh.triangles().len()).map(|i| mesh.triangle(i)).collect();
    let bounds: Vec<_> =
        corners.iter().map(|&[p, q, r]| (p.min(q).min(r), p.max(q).max(r))).collect();
    let mut order: Vec<usize> = (0..corners.len()).collect();
    order.sort_by(|&i, &j| bounds[i].0.x.total_cmp(&bounds[j].0.x));
    let mut found = Vec::new();
    for (place, &i) in order.iter().enumerate() {
        for &j in order[place + 1..].iter().take_while(|&&j| bounds[j].0.x <= bounds[i].1.x) {
            let overlap =
                bounds[i].0.cmple(bounds[j].1).all() && bounds[j].0.cmple(bounds[i].1).all();
            if overlap && relate_neighbours(corners[i], corners[j]) != Relation::Apart {
                found.push((i.min(j) as u32, i.max(j) as u32));
            }
        }
    }
    found.sort_unstable();
    found
}

/// Real meshes: the packed tree finds what a sweep without any tree finds, and what is known of
/// them.
#[test]
fn real_meshes() {
    let Some(shared) = data::shared_dir() else { return data::skip_note("real_meshes") };
    let names = [
        "manifold_self_intersectA.obj.gz",
        "manifold_self_intersectB.obj.gz",
        "suzanne.obj",
        "spot.obj.gz",
        "bunny_7k.obj.gz",
        "hand_closed.obj.gz",
        "teapot.obj",
        "trimesh_tube.obj",
    ];
    let mut workspace = Workspace::default();
    let mut meet = BTreeMap::new();
    for name in names {
        let soup: Soup = data::obj(&shared.join("meshes").join(name));
        let model = Model::new(mesh(&soup));
        let answer = collide_self(&model, Want::All, Neighbours::Decide, &mut workspace);
        let found: Vec<_> = answer.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
        assert_eq!(found, plainly(model.mesh()), "{name}");
        let (skipped, _) = self_triangle_pairs(&model, Neighbours::Skip, &mut workspace);
        let by_neighbours = answer
            .pairs
            .iter()
            .filter(|p| {
                let [a, b] = [p.a, p.b].map(|i| model.mesh().triangle(i as usize));
                share_a_corner(a, b)
            })
            .count();
        assert_eq!(skipped.len() + by_neighbours, found.len(), "{name}");
        println!(
            "{name}: {} triangles, {} touch, {} cross; {by_neighbours} by neighbours",
            soup.triangles.len(),
            answer.touching,
            answer.crossing
        );
        meet.insert(name, (answer.crossing, by_neighbours));
    }
    assert!(meet["manifold_self_intersectA.obj.gz"].0 > 0);
    assert!(meet["manifold_self_intersectB.obj.gz"].0 > 0);
}
