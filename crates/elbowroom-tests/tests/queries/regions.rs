//! Contact regions: names of corners against the rational oracle, curves against closed forms, and
//! what must not change them.

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

use elbowroom::internal::exact::{Common, Corner, PlacedTriangle};
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{Region, regions, regions_of, triangle_pairs};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Aabb, Mesh, Pose, Relation};
use elbowroom_make as make;
use elbowroom_testkit::oracle::{PlainPose, common_corners};
use elbowroom_testkit::random::Random;
use elbowroom_testkit::{data, nasty};
use elbowroom_tests::common::{mesh, placement};
use glam::{DMat3, DQuat, DVec3};

const HERE: Pose = Pose::IDENTITY;

type Plain = [[f64; 3]; 3];

fn at(shift: DVec3) -> Pose {
    Pose::from_translation(shift).unwrap()
}

fn placed(axis: DVec3, angle: f64, shift: DVec3) -> Pose {
    Pose::new(DMat3::from_axis_angle(axis.normalize(), angle), shift).unwrap()
}

fn find(a: &Model, place_a: &Pose, b: &Model, place_b: &Pose) -> Vec<Region> {
    regions(a, place_a, b, place_b, &mut Workspace::default())
}

/// What holds of all regions, whatever they are; and swapping the models changes nothing but signs.
fn check(a: &Model, place_a: &Pose, b: &Model, place_b: &Pose) -> Vec<Region> {
    let found = find(a, place_a, b, place_b);
    let pairs = triangle_pairs(a, place_a, b, place_b);
    let count: u64 = found.iter().map(|region| region.touching + region.crossing).sum();
    assert_eq!(count, pairs.len() as u64, "every pair is in one region");
    for region in &found {
        assert!(region.point.is_finite() && region.length.is_finite() && region.area.is_finite());
        assert!((region.normal.length() - 1.0).abs() < 1e-12, "{}", region.normal);
        assert!(region.low.cmple(region.point).all() && region.point.cmple(region.high).all());
        assert!(!region.triangles_a.is_empty() && region.triangles_a.is_sorted());
        assert!(!region.triangles_b.is_empty() && region.triangles_b.is_sorted());
        let points = region.curves.iter().flat_map(|curve| &curve.points);
        assert!(points.clone().all(|p| p.is_finite()));
        assert!(region.curves.iter().all(|curve| curve.points.len() >= 2));
        for &point in points {
            assert!(region.low.cmple(point).all() && point.cmple(region.high).all());
        }
    }
    let mut shuffled = pairs.clone();
    Random::new(pairs.len() as u64).shuffle(&mut shuffled);
    assert!(regions_of(a, place_a, b, place_b, &shuffled) == found, "the order of pairs counts");
    let mut turned = find(b, place_b, a, place_a);
    let no_order = a.mesh() == b.mesh() && place_a == place_b;
    for region in turned.iter_mut().filter(|_| !no_order) {
        std::mem::swap(&mut region.triangles_a, &mut region.triangles_b);
        region.normal = -region.normal;
    }
    assert!(turned == found, "swapped: {} regions, not {}", turned.len(), found.len());
    found
}

fn assert_loops(found: &[Region]) {
    for region in found {
        assert!(region.length > 0.0 && !region.curves.is_empty());
        assert!(region.curves.iter().all(|curve| curve.is_closed), "an open end");
    }
}

fn names(found: &Common) -> Option<Vec<u32>> {
    let mask = |corner: &Corner| {
        let a: u32 = corner.a.corners().map(|i| 1 << i).sum();
        let b: u32 = corner.b.corners().map(|i| 8 << i).sum();
        a | b
    };
    let mut names: Vec<u32> = match found {
        Common::Nothing => Vec::new(),
        Common::Point(corner) => vec![mask(corner)],
        Common::Segment(ends) => ends.iter().map(mask).collect(),
        Common::Area(outline) => outline.sides().iter().flatten().map(mask).collect(),
        Common::Degenerate => return None,
    };
    names.sort_unstable();
    if let Common::Area(outline) = found {
        assert!(names.chunks(2).all(|two| two[0] == two[1]), "each corner is on two sides");
        assert!((3..=6).contains(&outline.sides().len()));
        names.dedup();
    }
    Some(names)
}

/// The corners of what two triangles have in common are named as the oracle names them.
#[test]
fn corners_are_named_as_by_the_oracle() {
    let mut random = Random::new(21);
    let (mut degenerate, mut met) = (0, BTreeMap::<(&str, usize), u32>::new());
    let mut cases: Vec<(Plain, PlainPose, Plain, PlainPose)> = Vec::new();
    for class in nasty::Class::ALL {
        for _ in 0..150 {
            let case = nasty::generate(class, &mut random);
            cases.push((case.a, case.pose_a, case.b, case.pose_b));
        }
    }
    for round in 0..12_000 {
        let mut point = |flat: bool| {
            let [x, y, z]: [f64; 3] = std::array::from_fn(|_| random.range(-2, 2) as f64);
            [x, y, if flat { x - y } else { z }]
        };
        let mut triangle = || std::array::from_fn(|_| point(round % 3 == 0));
        cases.push((triangle(), PlainPose::IDENTITY, triangle(), PlainPose::IDENTITY));
    }
    for (a, pose_a, b, pose_b) in &cases {
        let places = [placement(pose_a), placement(pose_b)];
        let triangles = [
            PlacedTriangle::new(&places[0], a.map(DVec3::from_array)),
            PlacedTriangle::new(&places[1], b.map(DVec3::from_array)),
        ];
        let found = elbowroom::internal::exact::intersection(&triangles[0], &triangles[1]);
        let Some(found_names) = names(&found) else {
            degenerate += 1;
            continue;
        };
        assert_eq!(found_names, common_corners(a, pose_a, b, pose_b), "{a:?} {b:?} {found:?}");
        let back =
            names(&elbowroom::internal::exact::intersection(&triangles[1], &triangles[0])).unwrap();
        let mut turned: Vec<u32> =
            back.iter().map(|name| name >> 3 | name << 3 & 0b11_1000).collect();
        turned.sort_unstable();
        assert_eq!(turned, found_names);
        let kind = match found {
            Common::Nothing => "nothing",
            Common::Point(_) => "point",
            Common::Segment(_) => "segment",
            _ => "area",
        };
        *met.entry((kind, found_names.len())).or_default() += 1;
    }
    println!("{met:?}, {degenerate} degenerate");
    assert!(degenerate > 1000);
    for kind in [("point", 1), ("segment", 2), ("area", 3), ("area", 4), ("area", 5), ("area", 6)] {
        assert!(met.get(&kind).is_some_and(|&count| count > 10), "{kind:?}: {met:?}");
    }
}

/// Two unit spheres whose centres are 1 apart cross in a circle of radius √¾: one loop, nearer and
/// nearer to it.
#[test]
fn crossing_spheres_meet_in_a_circle() {
    let exact = TAU * 0.75_f64.sqrt();
    let turned = placed(DVec3::new(1.0, 2.0, 3.0), 0.7, DVec3::new(0.6, 0.0, 0.8));
    let mut last = f64::INFINITY;
    for frequency in [4, 8, 16, 32] {
        let sphere = Model::new(make::icosphere(frequency));
        let found = check(&sphere, &HERE, &sphere, &turned);
        assert_eq!((found.len(), found[0].curves.len()), (1, 1), "{frequency}");
        assert_loops(&found);
        let off = (found[0].length - exact).abs() / exact;
        assert!(off < 0.6 * last && found[0].length < exact, "{frequency}: {off}");
        assert!(found[0].normal.dot(DVec3::new(0.6, 0.0, 0.8)) > 1.0 - 0.1 / f64::from(frequency));
        last = off;
    }
    assert!(last < 2e-3, "{last}");
}

/// A ring and a rod through it: the rod goes through the ring's tube, in at one side and out at the
/// other.
#[test]
fn a_rod_through_a_ring() {
    let ring = Model::new(make::torus(2.0, 0.5, 96, 48));
    let rod = Model::new(make::cylinder(DVec3::ZERO, DVec3::new(0.0, 6.0, 0.0), 0.05, 24));
    for (down, side) in [(DVec3::ZERO, 1.0), (DVec3::new(0.0, -6.0, 0.0), -1.0)] {
        // One end is in the tube, the other outside: one loop.
        let shift = DVec3::new(2.0, 0.0, 0.01) + down;
        let found = check(&ring, &HERE, &rod, &at(shift));
        assert_eq!((found.len(), found[0].curves.len()), (1, 1));
        assert_loops(&found);
        assert!((found[0].length - TAU * 0.05).abs() < 0.01, "{}", found[0].length);
        assert!(found[0].normal.y * side > 0.9, "{}", found[0].normal);
    }
    let found = check(&ring, &HERE, &rod, &at(DVec3::new(2.0, -3.0, 0.01)));
    assert_eq!(found.len(), 2);
    assert_loops(&found);
    // Through the hole there is nothing.
    assert_eq!(check(&ring, &HERE, &rod, &at(DVec3::new(0.0, -3.0, 0.0))), []);
}

#[test]
fn a_box_through_a_plate() {
    let plate = Model::new(make::cuboid(DVec3::new(5.0, 5.0, 0.5)));
    let bolt = Model::new(make::cuboid(DVec3::new(1.0, 0.5, 4.0)));
    let place = placed(DVec3::Z, 0.3, DVec3::new(0.1, 0.2, 0.05));
    let found = check(&plate, &HERE, &bolt, &place);
    assert_eq!(found.len(), 2, "the way in and the way out");
    assert_loops(&found);
    for region in &found {
        assert_eq!((region.curves.len(), region.touching), (1, 0));
        assert!((region.length - 6.0).abs() < 1e-12, "{}", region.length);
        assert!(region.normal.z.abs() > 1.0 - 1e-12 && region.normal.z * region.point.z > 0.0);
        assert!((region.point.z.abs() - 0.5).abs() < 1e-12);
        assert!(region.high.z - region.low.z < 1e-12);
    }
}

/// Aligned boxes that overlap by half: four sides lie on each other, in a band between two squares.
#[test]
fn aligned_boxes_that_overlap_by_half() {
    let cube = Model::new(make::cuboid(DVec3::ONE));
    let found = check(&cube, &HERE, &cube, &at(DVec3::X));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].crossing, found[0].curves.len()), (0, 2));
    assert_loops(&found);
    assert_eq!((found[0].length, found[0].area), (16.0, 8.0));
    assert!(found[0].normal.abs_diff_eq(DVec3::X, 1e-12), "{}", found[0].normal);
    assert_eq!((found[0].low, found[0].high), (DVec3::new(0.0, -1.0, -1.0), DVec3::ONE));

    // One on the other, face to face: an area, its outline and the way up.
    let found = check(&cube, &HERE, &cube, &at(DVec3::new(0.5, 0.25, 2.0)));
    assert_eq!((found.len(), found[0].curves.len()), (1, 1));
    assert_eq!((found[0].length, found[0].area), (6.5, 2.625));
    assert_eq!((found[0].normal, found[0].point), (DVec3::Z, DVec3::new(0.25, 0.125, 1.0)));
    assert!(found[0].curves[0].is_closed);

    // Edge to edge, and corner to corner.
    let found = check(&cube, &HERE, &cube, &at(DVec3::new(2.0, 2.0, 0.5)));
    assert_eq!((found.len(), found[0].length, found[0].area), (1, 1.5, 0.0));
    assert!(!found[0].curves[0].is_closed);
    assert!(found[0].normal.abs_diff_eq(DVec3::new(1.0, 1.0, 0.0).normalize(), 1e-12));
    let found = check(&cube, &HERE, &cube, &at(DVec3::splat(2.0)));
    assert_eq!((found.len(), found[0].curves.len(), found[0].point), (1, 0, DVec3::ONE));
    assert!(found[0].normal.abs_diff_eq(DVec3::ONE.normalize(), 1e-12), "{}", found[0].normal);

    // The same box: all of its surface.
    let found = check(&cube, &HERE, &cube, &HERE);
    assert_eq!((found.len(), found[0].length, found[0].area), (1, 0.0, 24.0));
}

/// Two feet on one large triangle are two places, and stay so however the floor is cut.
#[test]
fn regions_do_not_depend_on_how_a_floor_is_cut() {
    let feet = make::join(&[
        moved(&make::cuboid(DVec3::new(0.5, 0.2, 0.1)), DVec3::new(0.0, -1.0, 0.1)),
        moved(&make::cuboid(DVec3::new(0.5, 0.2, 0.1)), DVec3::new(0.25, 1.0, 0.1)),
    ]);
    let feet = Model::new(feet);
    for cuts in [1_u32, 2, 7, 16] {
        let floor = Model::new(flat_grid(cuts, 8.0));
        let found = check(&floor, &HERE, &feet, &HERE);
        assert_eq!(found.len(), 2, "{cuts}");
        for region in &found {
            assert!((region.area - 0.4).abs() < 1e-12 && (region.length - 2.8).abs() < 1e-12);
            assert_eq!((region.curves.len(), region.curves[0].is_closed), (1, true), "{cuts}");
            assert!(region.normal.abs_diff_eq(DVec3::Z, 1e-12));
            assert!((region.point.y.abs() - 1.0).abs() < 1e-9);
        }
    }
}

fn moved(mesh: &Mesh, by: DVec3) -> Mesh {
    mesh.with_vertices(mesh.vertices().iter().map(|&v| v + by).collect()).unwrap()
}

fn flat_grid(cuts: u32, size: f64) -> Mesh {
    let mut vertices = Vec::new();
    for i in 0..=cuts {
        for j in 0..=cuts {
            let place = |k: u32| size * (f64::from(k) / f64::from(cuts) - 0.5);
            vertices.push(DVec3::new(place(i), place(j), 0.0));
        }
    }
    let mut faces = Vec::new();
    for i in 0..cuts {
        for j in 0..cuts {
            let p = i * (cuts + 1) + j;
            faces.extend([[p, p + cuts + 1, p + cuts + 2], [p, p + cuts + 2, p + 1]]);
        }
    }
    Mesh::new(vertices, faces).unwrap()
}

/// General position: all curves of closed meshes are closed, at any size and anywhere.
#[test]
fn curves_of_closed_meshes_are_closed() {
    let mut random = Random::new(3);
    let (mut loops, mut met, mut pairs) = (0, 0, 0);
    let shapes = [
        make::icosphere(6),
        make::bumpy_sphere(10, 0.2, 5),
        make::torus(1.0, 0.35, 24, 16),
        make::cuboid(DVec3::new(0.9, 0.7, 0.8)),
        make::monkey_head(2).welded(),
    ];
    for (i, first) in shapes.iter().enumerate() {
        for second in &shapes[i..] {
            for scale in [1.0, 1e-6, 1e6] {
                let mut unit = || random.uniform(-1.0, 1.0);
                let axis = DVec3::new(unit(), unit(), unit());
                let shift = DVec3::new(unit(), unit(), unit()) * scale;
                let scaled = |mesh: &Mesh| {
                    let vertices = mesh.vertices().iter().map(|&v| v * scale).collect();
                    Model::new(mesh.with_vertices(vertices).unwrap())
                };
                let far =
                    if random.one_in(3) { DVec3::new(1e5, -3e4, 7e4) * scale } else { DVec3::ZERO };
                let (a, b) = (scaled(first), scaled(second));
                let place = placed(axis, 2.0 * unit_angle(&mut random), shift + far);
                let found = check(&a, &at(far), &b, &place);
                assert_loops(&found);
                met += usize::from(!found.is_empty());
                loops += found.iter().map(|region| region.curves.len()).sum::<usize>();
                pairs += found.iter().map(|r| r.touching + r.crossing).sum::<u64>();
                assert!(found.iter().all(|region| region.touching == 0));
            }
        }
    }
    println!("{met} of 45 meet in {loops} loops of {pairs} pairs");
    assert!(met > 30 && loops > 40 && pairs > 4000, "{met} {loops} {pairs}");
}

fn unit_angle(random: &mut Random) -> f64 {
    random.uniform(0.0, PI)
}

/// Rigid motion of both changes nothing but roundings.
#[test]
fn regions_move_with_the_models() {
    let (a, b) = (Model::new(make::torus(1.0, 0.4, 32, 20)), Model::new(make::icosphere(7)));
    let between = placed(DVec3::new(0.3, 1.0, 0.2), 0.4, DVec3::new(0.8, 0.3, 0.2));
    let here = find(&a, &HERE, &b, &between);
    for (angle, far) in [(1.0, 0.0), (2.0, 1e3), (0.5, 1e6)] {
        let turn = DQuat::from_axis_angle(DVec3::new(1.0, 1.0, 0.5).normalize(), angle);
        let shift = DVec3::new(far, -far, 0.5 * far);
        let whole = Pose::from_quat(turn, shift).unwrap();
        let moved =
            Pose::new(whole.rotation() * between.rotation(), whole.apply(between.translation()));
        let there = find(&a, &whole, &b, &moved.unwrap());
        assert_eq!(there.len(), here.len());
        let slack = 1e-12 * (1.0 + far);
        for (x, y) in here.iter().zip(&there) {
            assert!((x.length - y.length).abs() < 1e3 * slack, "{} {}", x.length, y.length);
            assert!(whole.apply(x.point).distance(y.point) < 1e4 * slack);
            assert!((whole.rotation() * x.normal).distance(y.normal) < 1e4 * slack);
        }
    }
}

/// Lattice soups: everything degenerate at once, and nothing panics, is NaN or depends on order.
#[test]
fn degenerate_contacts_are_sane() {
    let mut random = Random::new(8);
    let (mut met, mut pairs, mut areas) = (0, 0, 0);
    for round in 0..120 {
        let mut soup = || {
            let half = 1 + round % 3;
            let vertices: Vec<DVec3> = (0..12)
                .map(|_| DVec3::from_array([(); 3].map(|()| random.range(-half, half) as f64)))
                .collect();
            let faces = (0..10).map(|_| [(); 3].map(|()| random.below(12) as u32)).collect();
            Mesh::new(vertices, faces).unwrap()
        };
        let (mut a, mut b) = (soup(), soup());
        for scale in [1.0, 1e-300, 1e300, 3e-324] {
            let scaled = |mesh: &Mesh| {
                mesh.with_vertices(mesh.vertices().iter().map(|&v| v * scale).collect()).unwrap()
            };
            let (x, y) = (Model::new(scaled(&a)), Model::new(scaled(&b)));
            let found = check(&x, &HERE, &y, &HERE);
            met += found.len();
            pairs += found.iter().map(|r| r.touching + r.crossing).sum::<u64>();
            areas += found.iter().filter(|region| region.area > 0.0).count();
        }
        std::mem::swap(&mut a, &mut b);
    }
    println!("{met} regions of {pairs} pairs, {areas} with an area");
    assert!(met > 800 && pairs > 10_000 && areas > 10, "{met} {pairs} {areas}");
}

/// Real heads and people, which are neither closed nor in general position.
#[test]
fn real_meshes() {
    let Some(shared) = data::shared_dir() else { return data::skip_note("real_meshes") };
    let centred = |name: &str| {
        let mesh = mesh(&data::obj(&shared.join("meshes").join(name)));
        let Aabb { min: low, max: high } = mesh.bounds();
        Model::new(moved(&mesh, -0.5 * (low + high)))
    };
    let (head, cow) = (centred("suzanne.obj"), centred("spot.obj.gz"));
    let mut met = 0;
    let mut random = Random::new(77);
    for (a, b) in [(&head, &head), (&head, &cow), (&cow, &cow)] {
        for _ in 0..8 {
            let mut unit = || random.uniform(-1.0, 1.0);
            let axis = DVec3::new(unit(), unit(), unit());
            let place = placed(axis, 3.0 * unit(), DVec3::new(unit(), unit(), unit()) * 0.8);
            let found = check(a, &HERE, b, &place);
            met += usize::from(!found.is_empty());
            // The cow is closed, but for seams that welding undoes.
            if std::ptr::eq(a, &raw const cow) {
                assert_loops(&found);
            }
        }
        // A copy of itself: the whole surface.
        let own = check(a, &HERE, a, &HERE);
        assert!(own.iter().map(|region| region.area).sum::<f64>() > 0.0);
    }
    assert!(met >= 20, "{met}");
}

#[test]
fn only_what_crosses() {
    // A box on a floor that it also goes through with one spike: the caller may ask for the
    // crossing pairs alone.
    let floor = Model::new(flat_grid(1, 8.0));
    let spike = make::cylinder(DVec3::new(0.1, 0.2, 1.0), DVec3::new(0.1, 0.2, -1.0), 0.1, 12);
    let block = moved(&make::cuboid(DVec3::ONE), DVec3::Z);
    let thing = Model::new(make::join(&[block, spike]));
    let all = triangle_pairs(&floor, &HERE, &thing, &HERE);
    let crossing: Vec<_> =
        all.iter().copied().filter(|pair| pair.relation == Relation::Crossing).collect();
    assert!(crossing.len() < all.len());
    let found = regions_of(&floor, &HERE, &thing, &HERE, &crossing);
    assert_eq!((found.len(), found[0].touching, found[0].area), (1, 0, 0.0));
    assert!(found[0].curves.iter().all(|curve| curve.is_closed));
    assert_eq!(regions_of(&floor, &HERE, &thing, &HERE, &[]), []);
}
