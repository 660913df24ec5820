use elbowroom_testkit::random::Random;

use super::*;

fn point(random: &mut Random, size: f64) -> DVec2 {
    DVec2::new(random.unit(), random.unit()) * size
}

fn near(contour: &Contour, point: DVec2) -> bool {
    contour.contains(point) || contour.segments().any(|edge| gap(point, edge) <= contour.margin())
}

#[test]
fn a_frame_keeps_its_hole() {
    let corner = |size: f64, k: usize| {
        size * [DVec2::NEG_ONE, DVec2::new(1.0, -1.0), DVec2::ONE, DVec2::new(-1.0, 1.0)][k]
    };
    let points: Vec<DVec2> = (0..8).map(|k| corner(if k < 4 { 2.0 } else { 1.0 }, k % 4)).collect();
    let side = |k: u32| [[k, (k + 1) % 4, 4 + k], [(k + 1) % 4, 4 + (k + 1) % 4, 4 + k]];
    let triangles: Vec<[u32; 3]> = (0..4).flat_map(side).collect();
    for contour in [Contour::of(&points, &triangles), Contour::of_all(&points, &triangles)] {
        assert_eq!(contour.rings().len(), 2);
        assert!(contour.strays().is_empty());
        assert!((contour.area() - 12.0).abs() < 1e-6);
        assert!(!contour.contains(DVec2::ZERO) && contour.contains(DVec2::new(1.5, 0.0)));
        let filled = contour.filled();
        assert!((filled.area() - 16.0).abs() < 1e-6 && filled.contains(DVec2::ZERO));
    }
}

#[test]
fn copies_change_nothing() {
    let points = [DVec2::ZERO, DVec2::X, DVec2::Y, DVec2::ZERO, DVec2::X, DVec2::Y];
    let once = Contour::of(&points, &[[0, 1, 2]]);
    let often = [[0, 1, 2], [3, 4, 5], [0, 4, 2], [2, 1, 0], [5, 4, 3]];
    assert_eq!(Contour::of(&points, &often), once);
    assert_eq!(Contour::of_all(&points, &often), once);
}

#[test]
fn what_has_no_area_is_kept_as_strays() {
    // A curtain, a point, and a curtain on the edge of a square.
    let curtain = [DVec2::ZERO, DVec2::X, DVec2::ZERO, DVec2::X];
    let contour = Contour::of(&curtain, &[[0, 1, 2], [1, 2, 3]]);
    assert!(contour.rings().is_empty());
    assert_eq!(contour.strays().len(), 1);
    let point = Contour::of(&[DVec2::ONE], &[[0, 0, 0]]);
    assert_eq!((point.rings().len(), point.strays().len()), (0, 1));
    let square = [DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y, DVec2::X * 3.0];
    let faces = [[0, 1, 2], [0, 2, 3]];
    let hung = [[0, 1, 2], [0, 2, 3], [0, 1, 1]];
    assert_eq!(Contour::of(&square[..4], &hung), Contour::of(&square[..4], &faces));
    let out = Contour::of(&square, &[[0, 1, 2], [0, 2, 3], [0, 4, 4]]);
    assert_eq!((out.rings().len(), out.strays().len()), (1, 1));
}

#[test]
fn heaps_of_triangles_lie_within_their_contour() {
    let mut random = Random::new(5);
    let (mut points_seen, mut strays) = (0, 0);
    for round in 0..300 {
        let count = 3 + round % 40;
        let size = 10_f64.powi(round % 7 - 3);
        let mut points: Vec<DVec2> = (0..count).map(|_| point(&mut random, size)).collect();
        // Needles, copies, and points in line.
        let needle = points[0] + 1e-9 * point(&mut random, size);
        points.extend([needle, points[1], 0.5 * points[0] + 0.5 * points[1]]);
        let corner = |random: &mut Random| random.below(points.len() as u64) as u32;
        let triangles: Vec<[u32; 3]> =
            (0..count).map(|_| std::array::from_fn(|_| corner(&mut random))).collect();
        let loops = Contour::of(&points, &triangles);
        let all = Contour::of_all(&points, &triangles);
        assert!((loops.area() - all.area()).abs() <= 1e-6 * size * size, "round {round}");
        strays += loops.strays().len();
        for corners in &triangles {
            let [p, q, r] = corners.map(|corner| points[corner as usize]);
            for _ in 0..10 {
                let (u, v) = (random.unit(), random.unit());
                let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
                let point = p + u * (q - p) + v * (r - p);
                assert!(near(&loops, point) && near(&all, point), "round {round}: {point}");
                points_seen += 1;
            }
        }
    }
    assert!(points_seen > 60_000 && strays > 100, "{points_seen} {strays}");
}
