//! Surfaces of solids whose area, volume and shape are known.

use elbowroom::Mesh;
use glam::DVec3;

use super::*;

fn ball(centre: [f64; 3], half: [f64; 3]) -> Shape {
    Shape::Ball { centre: centre.into(), half: half.into() }
}

fn recipe(triangles: usize) -> Recipe<'static> {
    Recipe { step: 0.05, triangles, importance: &|_| 1.0, hold: 0.002 }
}

fn made(solid: &Solid, triangles: usize) -> Mesh {
    let soup = skin_of(solid, &recipe(triangles));
    crate::mesh(soup.vertices, soup.triangles)
}

fn volume(mesh: &Mesh) -> f64 {
    let parts = (0..mesh.triangles().len()).map(|i| {
        let [a, b, c] = mesh.triangle(i);
        a.dot(b.cross(c)) / 6.0
    });
    parts.sum()
}

#[test]
fn a_ball_stays_a_ball_however_few_triangles_are_left() {
    let solid = Solid::new(vec![Piece::add(ball([0.0; 3], [1.0; 3]), 0.1)], f64::NEG_INFINITY);
    for (triangles, share) in [(4000, 0.005), (400, 0.02), (100, 0.08)] {
        let mesh = made(&solid, triangles);
        let seams = mesh.seams();
        assert!(seams.is_closed() && seams.is_manifold(), "{seams:?}");
        assert!(mesh.triangles().len().abs_diff(triangles) <= 2, "{}", mesh.triangles().len());
        let smooth = 4.0 / 3.0 * std::f64::consts::PI;
        assert!((volume(&mesh) / smooth - 1.0).abs() < share, "{}", volume(&mesh));
        for vertex in mesh.vertices() {
            assert!((vertex.length() - 1.0).abs() < 2.0 * share, "{vertex}");
        }
    }
}

#[test]
fn a_floor_cuts_and_a_carving_digs() {
    let whole = Piece::add(ball([0.0; 3], [1.0; 3]), 0.1);
    let half = made(&Solid::new(vec![whole.clone()], 0.0), 600);
    let low = half.bounds().min;
    assert!(low.y.abs() < 0.02, "{low}");
    assert!((volume(&half) / 2.094 - 1.0).abs() < 0.03, "{}", volume(&half));

    let hollow = Piece::carve(ball([0.0, 1.0, 0.0], [0.5; 3]), 0.02);
    let dented = made(&Solid::new(vec![whole, hollow], f64::NEG_INFINITY), 800);
    let bottom = DVec3::new(0.0, 0.5, 0.0);
    let nearest = dented.vertices().iter().map(|p| p.distance(bottom)).fold(1.0, f64::min);
    let highest = dented.bounds().max.y;
    assert!(nearest < 0.15 && highest < 0.93, "{nearest} {highest}");
    assert!(dented.seams().is_manifold());
}

#[test]
fn limbs_follow_their_keys_and_never_overshoot() {
    let key = |at: f64, wide: f64| Key {
        at,
        centre: [0.0, 0.0],
        wide: [wide, wide],
        deep: [wide, 2.0 * wide],
        square: 0.0,
    };
    let keys = [key(0.0, 0.2), key(0.3, 0.5), key(0.5, 0.5), key(1.0, 0.1)];
    let limb = Loft::new(DVec3::ZERO, [DVec3::Y, DVec3::X, DVec3::Z], &keys);
    let mut met = 0;
    for key in &keys {
        let middle = DVec3::new(0.0, key.at, 0.0);
        for (out, width) in [(DVec3::X, 1.0), (DVec3::Z, 1.0), (DVec3::NEG_Z, 2.0)] {
            let distance = limb.distance(middle + out * (width * key.wide[0]));
            assert!(distance.abs() < 1e-12, "{distance}");
            met += 1;
        }
    }
    assert_eq!(met, 12);
    for step in 1..100 {
        let at = f64::from(step) / 100.0;
        assert!(limb.distance(DVec3::new(0.5 + 1e-9, at, 0.0)) > 0.0, "{at}");
        assert!(limb.distance(DVec3::new(0.1 - 1e-9, at, 0.0)) < 0.0, "{at}");
    }
}

#[test]
fn blocks_that_are_passed_over_hold_no_surface() {
    let pieces = vec![
        Piece::add(ball([0.0; 3], [0.4, 1.0, 0.3]), 0.1),
        Piece::add(
            Shape::Cone {
                ends: [DVec3::new(0.2, 0.3, 0.0), DVec3::new(1.2, 0.8, 0.1)],
                radii: [0.12, 0.08],
            },
            0.05,
        ),
    ];
    let solid = Solid::new(pieces, -0.9);
    let grid = Grid::half_around(&solid, 0.05);
    let (passed, met) = grid.signs_agree(&solid);
    assert!(passed > 1000 && met > 1000, "{passed} points passed over, {met} sampled");
}

#[test]
fn mirrors_join_in_the_plane() {
    let vertices = vec![DVec3::ZERO, DVec3::Y, DVec3::X];
    let whole = mirrored(&Soup { vertices, triangles: vec![[0, 2, 1]] });
    assert_eq!(whole.vertices.len(), 4);
    assert_eq!(whole.triangles, [[0, 2, 1], [0, 1, 3]]);
}
