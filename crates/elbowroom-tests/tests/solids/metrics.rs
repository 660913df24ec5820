//! The metrics of interpenetration against closed forms, and what they must not depend on.

use std::f64::consts::PI;

use elbowroom::{Mesh, Model};
use elbowroom_make::{cuboid, icosphere, join};
use elbowroom_motion::metrics::{
    Body, Caps, ClipBuilder, Dissected, PairFrame, face_labels, legacy, measure,
};
use glam::DVec3;

fn moved(mesh: &Mesh, by: DVec3) -> Mesh {
    mesh.with_vertices(mesh.vertices().iter().map(|&v| v + by).collect()).expect("finite")
}

fn of(a: &Mesh, b: &Mesh) -> PairFrame {
    let [a, b] = [a, b].map(|mesh| Body::new(mesh).at(mesh.vertices()).expect("finite"));
    measure(&a, &b, true)
}

fn holds(frame: &PairFrame, depth: f64) {
    let overlap = &frame.overlap;
    assert!(overlap.depth <= depth && depth <= overlap.depth_upper, "{depth}: {overlap:?}");
}

/// Each triangle cut into four, on the same surface.
fn subdivided(mesh: &Mesh) -> Mesh {
    let mut points = mesh.vertices().to_vec();
    let mut middle = |a: u32, b: u32| {
        points.push(0.5 * points[a as usize] + 0.5 * points[b as usize]);
        points.len() as u32 - 1
    };
    let mut triangles = Vec::new();
    for &[a, b, c] in mesh.triangles() {
        // Middles of one edge are equal bit for bit, and are merged as solids.
        let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
        triangles.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    Mesh::new(points, triangles).expect("a finer mesh")
}

#[test]
fn the_lens_of_two_spheres_converges_with_order_two() {
    let apart = 1.25;
    let high = 1.0 - 0.5 * apart;
    // Two caps of a sphere of radius 1.
    let exact = [2.0 * PI * high * high * (3.0 - high) / 3.0, 2.0 * PI * high, 2.0 - apart];
    let errors = [8, 16, 32].map(|frequency| {
        let ball = icosphere(frequency);
        // Turned, so that the meshes are not each other's mirror image.
        let other = ball.vertices().iter().map(|v| DVec3::new(v.y, v.z, v.x)).collect();
        let other = moved(&ball.with_vertices(other).expect("finite"), apart * DVec3::X);
        let frame = of(&ball, &other);
        assert!(frame.contact && frame.crossing && frame.certainty().is_exact());
        let overlap = frame.overlap;
        assert!(overlap.volume_error < 1e-9 && overlap.depth_upper - overlap.depth < 1e-3);
        let depth = 0.5 * (overlap.depth + overlap.depth_upper);
        let found = [overlap.volume, 0.5 * (overlap.areas[0] + overlap.areas[1]), depth];
        [0, 1, 2].map(|i| (found[i] - exact[i]).abs() / exact[i])
    });
    for figure in [0, 1] {
        for pair in errors.windows(2) {
            let order = (pair[0][figure] / pair[1][figure]).log2();
            assert!((1.8..2.2).contains(&order), "figure {figure}: {errors:?}");
        }
    }
    // The depth is found between bounds that are 10⁻⁴ of the size apart.
    assert!(errors[0][2] < 0.01 && errors[2][2] < 1e-3, "{errors:?}");
}

#[test]
fn boxes_have_closed_forms() {
    let cube = cuboid(DVec3::splat(0.5));
    let crossing = of(&cube, &moved(&cube, DVec3::new(0.75, 0.125, 0.0625)));
    assert!(crossing.contact && crossing.crossing && crossing.distance.is_none());
    holds(&crossing, 0.25);
    let volume = 0.25 * 0.875 * 0.9375;
    assert!((crossing.overlap.volume - volume).abs() <= crossing.overlap.volume_error);
    let area = 0.875 * 0.9375 + 0.25 * (0.875 + 0.9375);
    for found in crossing.overlap.areas {
        assert!((found - area).abs() < 1e-12, "{found}");
    }
    let touching = of(&cube, &moved(&cube, DVec3::new(1.0, 0.25, 0.0)));
    assert!(touching.contact && !touching.crossing);
    assert_eq!((touching.overlap.depth_upper, touching.overlap.volume), (0.0, 0.0));
    let apart = of(&cube, &moved(&cube, DVec3::new(1.5, 0.25, 0.0)));
    assert!(!apart.contact && !apart.crossing);
    assert_eq!(apart.distance, Some(0.5));
    // Wholly inside: the surfaces do not meet, and the interiors do.
    let inside = of(&cuboid(DVec3::splat(0.125)), &cube);
    assert!(!inside.contact && inside.crossing);
    assert_eq!(inside.distance, Some(0.375));
    // No boundary is in the middle of the large cube.
    holds(&inside, 0.375);
    assert!((inside.overlap.volume - 0.25_f64.powi(3)).abs() <= inside.overlap.volume_error);
    let same = of(&cube, &cube);
    assert!((same.overlap.volume - 1.0).abs() <= same.overlap.volume_error);
    holds(&same, 0.5);
}

#[test]
fn a_rod_through_a_plate_has_closed_forms() {
    let (side, thick) = (0.5, 0.25);
    let rod = cuboid(DVec3::new(0.5 * side, 0.5 * side, 4.0));
    let plate = cuboid(DVec3::new(3.0, 3.0, 0.5 * thick));
    let frame = of(&rod, &plate);
    assert!((frame.overlap.volume - side * side * thick).abs() <= frame.overlap.volume_error);
    let [of_rod, of_plate] = frame.overlap.areas;
    assert!((of_rod - 4.0 * side * thick).abs() < 1e-12, "{of_rod}");
    assert!((of_plate - 2.0 * side * side).abs() < 1e-12, "{of_plate}");
    holds(&frame, 0.5 * side.max(thick));
}

#[test]
fn a_body_moved_by_known_steps_has_a_known_clip() {
    let cube = cuboid(DVec3::splat(0.5));
    let body = Body::new(&cube);
    let still = body.at(cube.vertices()).expect("finite");
    let mut clip = ClipBuilder::new(0);
    for step in 0..9 {
        // From 1.25 to 0.75 and back, by eighths: the cubes meet in the five frames in the middle.
        let x = 0.75 + 0.125 * f64::from((4_i32 - step).abs());
        let other = moved(&cube, DVec3::new(x, 0.0, 0.0));
        clip.push(&measure(&still, &body.at(other.vertices()).expect("finite"), true));
    }
    let clip = clip.finish();
    assert_eq!((clip.frames, clip.contact_frames, clip.crossing_frames), (9, 5, 3));
    assert_eq!((clip.incidents, clip.longest_incident, clip.worst_frame), (1, 5, Some(4)));
    assert_eq!((clip.distance, clip.estimated_frames), (Some(0.0), 0));
    let volume = 0.25 + 2.0 * 0.125;
    assert!((clip.volume.all - volume / 9.0).abs() < 1e-12);
    assert!((clip.volume.crossing.expect("crossings") - volume / 3.0).abs() < 1e-12);
    assert!((clip.volume.max - 0.25).abs() <= clip.volume_error);
    assert!(clip.depth.max <= 0.25 && 0.25 <= clip.depth_upper);
}

/// Two waved balls that are no mirror images.
fn waved() -> [Mesh; 2] {
    let ball = icosphere(7);
    let wave = |phase: f64| {
        let place = |v: &DVec3| {
            let waves = DVec3::new((5.0 * v.y + phase).sin(), (4.0 * v.z).sin(), (6.0 * v.x).cos());
            *v + 0.05 * waves
        };
        ball.with_vertices(ball.vertices().iter().map(place).collect()).expect("finite")
    };
    [wave(0.0), moved(&wave(1.0), DVec3::new(1.4, 0.1, 0.2))]
}

#[test]
fn nothing_depends_on_the_order_of_the_arguments() {
    let [a, b] = waved();
    let (there, back) = (of(&a, &b), of(&b, &a));
    assert!(there.crossing);
    let exchanged = {
        let mut frame = back;
        frame.overlap.areas.reverse();
        frame.overlap.deepest = there.overlap.deepest;
        frame
    };
    assert_eq!(exchanged, there);
    assert_eq!(back.overlap.deepest, there.overlap.deepest);
    let far = moved(&b, DVec3::X);
    let (there, back) = (of(&a, &far), of(&far, &a));
    assert!(there.distance.is_some_and(|distance| distance > 0.0));
    assert_eq!((back.distance, back.contact), (there.distance, there.contact));
}

#[test]
fn nothing_depends_on_how_the_surface_is_cut_into_triangles() {
    let [a, b] = waved();
    let before = of(&a, &b);
    let mut turned: Vec<[u32; 3]> = a.triangles().iter().map(|&[p, q, r]| [q, r, p]).collect();
    turned.reverse();
    let reordered = Mesh::new(a.vertices().to_vec(), turned).expect("the same triangles");
    let mut compared = 0;
    for other in [reordered, subdivided(&a)] {
        let after = of(&other, &b);
        assert_eq!((after.contact, after.crossing), (before.contact, before.crossing));
        let (x, y) = (&after.overlap, &before.overlap);
        // Middles of edges are rounded, so the surface itself moves by that much.
        let rounding = 1e-12;
        let error = x.volume_error + y.volume_error + rounding;
        assert!((x.volume - y.volume).abs() <= error, "{x:?}, {y:?}");
        assert!(x.depth <= y.depth_upper + rounding && y.depth <= x.depth_upper + rounding);
        for side in [0, 1] {
            assert!((x.areas[side] - y.areas[side]).abs() < 1e-11, "{x:?}, {y:?}");
        }
        compared += 1;
    }
    assert_eq!(compared, 2);
}

#[test]
fn nothing_depends_on_the_thread() {
    let [a, b] = waved();
    let expected = of(&a, &b);
    let found = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| of(&a, &b))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect::<Vec<_>>()
    });
    assert_eq!(found, vec![expected; 4]);
}

/// A ball without the triangles around its upper pole.
fn bowl() -> Mesh {
    let ball = icosphere(6);
    let kept = ball.triangles().iter().copied();
    let kept = kept.filter(|t| t.iter().all(|&at| ball.vertices()[at as usize].y < 0.95)).collect();
    Mesh::new(ball.vertices().to_vec(), kept).expect("a part of a mesh")
}

#[test]
fn caps_close_what_is_open() {
    let bowl = bowl();
    let caps = Caps::of(&bowl);
    assert_eq!((caps.loops.len(), caps.left_open), (1, 0));
    assert!(caps.loops[0].edges >= 5 && caps.loops[0].length > 0.0 && caps.loops[0].area > 0.0);
    let block = cuboid(DVec3::new(2.0, 0.5, 2.0));
    let beside = Body::new(&block).at(block.vertices()).expect("finite");
    let open = Body::new(&bowl).at(bowl.vertices()).expect("finite");
    let open = measure(&open, &beside, false);
    assert!(open.crossing && !open.certainty().is_exact());
    let body = Body::capped(&bowl);
    assert_eq!(body.caps(), Some(&caps));
    let capped = measure(&body.at(bowl.vertices()).expect("finite"), &beside, false);
    assert!(capped.certainty().is_exact());
    // The hole is above the block: what is in it is what is in it of the whole ball.
    let ball = icosphere(6);
    let whole = measure(&Model::new(ball), &beside, false);
    let error = capped.overlap.volume_error + whole.overlap.volume_error;
    assert!((capped.overlap.volume - whole.overlap.volume).abs() <= error);
    // An edge of the hole that is cut into two leaves the cap where it was.
    let fine = subdivided(&bowl);
    let finer = Caps::of(&fine);
    assert_eq!((finer.loops.len(), finer.loops[0].edges), (1, 2 * caps.loops[0].edges));
    assert!((finer.loops[0].area - caps.loops[0].area).abs() < 1e-12);
    let model = Body::capped(&fine).at(fine.vertices()).expect("finite");
    assert!(model.solid_profile().certainty.is_exact());
}

#[test]
fn a_frame_needs_all_its_vertices() {
    let cube = cuboid(DVec3::ONE);
    let body = Body::new(&cube);
    let few = body.at(&cube.vertices()[1..]).expect_err("one is missing").to_string();
    assert!(few.contains("7 vertices, and the mesh has 8"), "{few}");
    let mut points = cube.vertices().to_vec();
    points[3].y = f64::NAN;
    assert!(body.at(&points).is_err());
}

/// Three cubes in a row, and the label of each triangle; with their common faces, or without.
fn row(with_walls: bool) -> (Mesh, Vec<u32>) {
    let cube = cuboid(DVec3::splat(0.5));
    let row = join(&[0.0, 1.0, 2.0].map(|x| moved(&cube, x * DVec3::X)));
    let labels: Vec<u32> = (0..row.triangles().len() as u32).map(|at| at / 12).collect();
    if with_walls {
        return (row, labels);
    }
    let is_wall = |triangle: &[u32; 3]| {
        let x = triangle.map(|at| row.vertices()[at as usize].x);
        [0.5, 1.5].iter().any(|&wall| x.iter().all(|&x| x == wall))
    };
    let kept = row.triangles().iter().zip(labels).filter(|(triangle, _)| !is_wall(triangle));
    let (triangles, labels): (Vec<_>, Vec<_>) = kept.map(|(t, label)| (*t, label)).unzip();
    (Mesh::new(row.vertices().to_vec(), triangles).expect("a part of a mesh"), labels)
}

#[test]
fn parts_that_are_not_neighbours_are_compared() {
    for with_walls in [true, false] {
        let (mesh, labels) = row(with_walls);
        let body = Dissected::new(&mesh, &labels).expect("three parts");
        assert_eq!((body.labels().collect::<Vec<_>>(), body.pairs()), (vec![0, 1, 2], 1));
        let rest = body.measure(mesh.vertices()).expect("finite");
        assert!(!rest.contact && !rest.crossing && rest.certainty.is_exact());
        // The last cube folds back into the first, by a quarter.
        let fold = |(at, v): (usize, &DVec3)| if at < 16 { *v } else { *v - 1.25 * DVec3::X };
        let folded: Vec<DVec3> = mesh.vertices().iter().enumerate().map(fold).collect();
        let found = body.measure(&folded).expect("finite");
        assert!(found.contact && found.crossing && found.certainty.is_exact());
        assert_eq!(found.deepest, Some([0, 2]));
        assert!((found.volume - 0.25).abs() <= found.volume_error, "{found:?}");
        assert!(found.depth <= 0.25 && 0.25 <= found.depth_upper, "{found:?}");
    }
    assert_eq!(face_labels(&[[0, 1, 2], [0, 1, 3]], &[7, 4, 7, 5]), [7, 4]);
}

#[test]
fn voxels_of_a_surface_vanish_and_the_volume_does_not() {
    let (large, small) = (icosphere(20), icosphere(20));
    let small = small.vertices().iter().map(|v| *v * 0.6 + DVec3::X * 1.2).collect();
    let small = Mesh::new(small, large.triangles().to_vec()).expect("finite");
    let [a, b] = [large, small].map(Model::new);
    let exact = a.overlap(&b).volume;
    let found = [0.2, 0.1, 0.05, 0.025].map(|pitch| {
        let [there, back] = [(&a, &b), (&b, &a)].map(|(a, b)| legacy::surface_voxels(a, b, pitch));
        (there.expect("few"), back.expect("few"))
    });
    // Each halving of the pitch halves the volume, about; and the order of the meshes matters.
    for pair in found.windows(2) {
        let ratio = pair[1].0 / pair[0].0;
        assert!((0.3..0.75).contains(&ratio), "{found:?}");
    }
    assert!(found[3].0 < 0.3 * exact && found[0].0 > 0.7 * exact, "{exact}: {found:?}");
    assert!(found.iter().all(|(there, back)| there != back), "{found:?}");
    assert_eq!(legacy::surface_voxels(&a, &b, 1e-6), None);
}

#[test]
fn depth_to_the_nearest_vertex_is_never_less() {
    let cube = cuboid(DVec3::splat(0.5));
    let fine = subdivided(&subdivided(&cube));
    let [a, b] = [fine, moved(&cube, DVec3::new(0.75, 0.125, 0.0625))].map(Model::new);
    let found = legacy::vertices_in(&a, &b);
    assert!(0 < found.inside && found.inside < found.vertices);
    assert!((found.share() + found.non_collision() - 1.0).abs() < 1e-15);
    assert!(found.depth > a.penetration(&b).upper, "{found:?}");
    assert_eq!(legacy::vertices_in(&Model::new(moved(&cube, DVec3::X * 9.0)), &b).inside, 0);
}
