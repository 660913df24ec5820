//! The head of a monkey.
//!
//! As many triangles as the monkey of a well-known modelling program, of which the experiments of
//! Liu, Wang and Yang (SBBK, 2017) drop two thousand: round, with ears, hollows and a snout. This
//! one is drawn by us, and no two seeds are the same animal.

use elbowroom::Mesh;
use glam::DVec3;

use crate::random::Random;
use crate::surface::{Piece, Recipe, Shape, Solid, skin_of};

/// A closed head some 2 m wide from ear to ear around the origin, which looks along +z, with about
/// 968 triangles.
///
/// ```
/// let head = elbowroom_make::monkey_head(5);
/// assert!(head.seams().is_manifold() && head.triangles().len() > 900);
/// ```
pub fn monkey_head(seed: u64) -> Mesh {
    let mut random = Random::new(seed);
    let mut about = |size: f64| size * random.uniform(0.9, 1.1);
    let ball =
        |centre: [f64; 3], half: [f64; 3]| Shape::Ball { centre: centre.into(), half: half.into() };
    let (skull, snout, ear, brow) = (about(0.78), about(0.42), about(0.32), about(0.13));
    let (jaw, eye, chin) = (about(0.25), about(0.16), about(-0.62));
    let nose = 0.62 + snout * 0.55;
    let pieces = vec![
        Piece::add(ball([0.0, 0.2, -0.05], [skull, 0.75, 0.75]), 0.1),
        Piece::add(ball([0.0, -0.35, 0.42], [1.15 * snout, 0.34, snout]), 0.2),
        Piece::add(ball([0.0, chin + 0.1, 0.5], [jaw, 0.2, 0.25]), 0.12),
        // Ears stand off the head and are hollow in front.
        Piece::add(ball([0.95, 0.2, -0.1], [ear, 0.36, 0.12]), 0.12),
        Piece::carve(ball([0.98, 0.2, 0.05], [0.62 * ear, 0.24, 0.11]), 0.05),
        Piece::add(
            Shape::Cone {
                ends: [DVec3::new(0.05, 0.38, 0.64), DVec3::new(0.42, 0.42, 0.5)],
                radii: [brow, 0.8 * brow],
            },
            0.08,
        ),
        Piece::carve(ball([0.27, 0.2, 0.78], [eye, 0.85 * eye, 0.2]), 0.06),
        Piece::add(ball([0.27, 0.2, 0.58], [0.8 * eye, 0.7 * eye, 0.12]), 0.02),
        Piece::carve(ball([0.09, -0.2, nose + 0.2], [0.055, 0.05, 0.12]), 0.04),
        Piece::carve(ball([0.0, -0.48, 0.42 + snout], [0.6 * snout, 0.035, 0.12]), 0.04),
    ];
    let solid = Solid::new(pieces, f64::NEG_INFINITY);
    let importance = |p: DVec3| if p.z > 0.4 { 3.0 } else { 1.0 };
    let recipe = Recipe { step: 0.035, triangles: 968, importance: &importance, hold: 0.002 };
    let skin = skin_of(&solid, &recipe);
    crate::mesh(skin.vertices, skin.triangles)
}
