//! A torpedo, and the rollers that it rests among.
//!
//! The OBB tree's authors turned a torpedo on the pivot of a submarine's storage room (Gottschalk,
//! Lin and Manocha, `OBBTree`, 1996, Figure 7). Their models are not published; these have their
//! sizes in triangles and what the text tells of them: a long smooth hull that rests among rollers
//! along its length.
//!
//! ```text
//!        ______________________________________
//!     |\/                                      \
//!     |/\______________________________________/      +x
//!        )( )( )( )( )( )( )( )( )( )( )( )( )(       rollers, hollow as the hull is round
//!       ========================================      rails
//!                       (____)                        turntable
//!                        |  |
//! ```
//!
//! The rollers' hollows have the hull's own radius, so that the two lie against each other along
//! sixteen arcs.

use elbowroom::Mesh;
use glam::DVec3;

use crate::circle::on_circle;
use crate::sheet::between_poles;
use crate::{cuboid, cylinder, join, torus};

/// Half the length, in metres, and the radius: as torpedoes of 21 inches are.
const HALF_LENGTH: f64 = 2.9;
const RADIUS: f64 = 0.2665;
/// How long nose and tail are.
const NOSE: f64 = 0.2;
const TAIL: f64 = 0.6;
/// Rings of nose, straight hull and tail, and strips around.
const RINGS: [u32; 3] = [12, 63, 16];
const SECTORS: u32 = 26;

/// How far the rollers' axes are below the hull's axis, and half a roller's length.
const DROP: f64 = 0.36;
const HALF_ROLLER: f64 = 0.15;
const ROLLERS: u32 = 16;
/// Where along the hull the first and the last roller are: both below its straight part.
const FIRST: f64 = -2.25;
const LAST: f64 = 2.68;

/// A torpedo of 4,780 triangles, 5.8 m long, along the x axis with its nose towards +x.
pub fn torpedo() -> Mesh {
    let profile = profile();
    let mut vertices = vec![DVec3::X * HALF_LENGTH];
    for &[x, radius] in &profile {
        vertices.extend(ring(SECTORS).map(|[y, z]| DVec3::new(x, radius * y, radius * z)));
    }
    vertices.push(DVec3::NEG_X * HALF_LENGTH);
    let hull = crate::mesh(vertices, between_poles(profile.len() as u32, SECTORS));
    // Their tips stay within the hull's radius, clear of rollers.
    let fin = [DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z].map(|way| {
        let half = DVec3::new(0.12, 0.006, 0.006) + 0.069 * way.abs();
        moved(&cuboid(half), DVec3::NEG_X * (HALF_LENGTH - 0.14) + 0.175 * way)
    });
    let [up, down, left, right] = fin;
    join(&[hull, up, down, left, right])
}

/// What the torpedo rests on, in the torpedo's own frame: 44,920 triangles. The hull's axis is the
/// axis of the rollers' hollows; lowered by a millimetre, the torpedo cuts into each of them.
///
/// The authors' model has one triangle more, but a closed surface has an even number.
pub fn torpedo_pivot() -> Mesh {
    let mut parts = Vec::new();
    let roller = roller();
    for i in 0..ROLLERS {
        let x = FIRST + (LAST - FIRST) * f64::from(i) / f64::from(ROLLERS - 1);
        let middle = DVec3::new(x, -DROP, 0.0);
        parts.push(moved(&roller, middle));
        parts.push(cylinder(middle - 0.24 * DVec3::Z, middle + 0.24 * DVec3::Z, 0.02, 12));
        for side in [-0.22, 0.22] {
            let bracket = cuboid(DVec3::new(0.03, 0.12, 0.015));
            parts.push(moved(&bracket, middle + DVec3::new(0.0, -0.08, side)));
        }
    }
    for side in [-0.22, 0.22] {
        let rail = cuboid(DVec3::new(2.75, 0.05, 0.04));
        parts.push(moved(&rail, DVec3::new(0.0, -DROP - 0.24, side)));
    }
    parts.push(moved(&torus(0.9, 0.1, 48, 24), DVec3::NEG_Y * (DROP + 0.38)));
    parts.push(cylinder(DVec3::NEG_Y * 1.9, DVec3::NEG_Y * (DROP + 0.28), 0.3, 120));
    join(&parts)
}

/// x and radius of the hull's rings, from the nose.
fn profile() -> Vec<[f64; 2]> {
    let share = |i: u32, n: u32| f64::from(i + 1) / f64::from(n);
    let [nose, straight, tail] = RINGS;
    let front = HALF_LENGTH - NOSE;
    let back = TAIL - HALF_LENGTH;
    let mut profile = Vec::new();
    profile.extend((0..nose).map(|i| {
        // A quarter of an ellipse.
        let angle = share(i, nose) * std::f64::consts::FRAC_PI_2;
        [front + NOSE * libm::cos(angle), RADIUS * libm::sin(angle)]
    }));
    profile.extend((0..straight).map(|i| [front + (back - front) * share(i, straight), RADIUS]));
    profile.extend((0..tail).map(|i| {
        let along = share(i, tail);
        [back - TAIL * along, RADIUS * (1.0 - 0.65 * along * along)]
    }));
    profile
}

/// A roller around the z axis, of 2,560 triangles.
fn roller() -> Mesh {
    const RINGS: u32 = 32;
    const SECTORS: u32 = 40;
    let mut vertices = vec![DVec3::Z * HALF_ROLLER];
    for i in 0..RINGS {
        let z = HALF_ROLLER * (1.0 - 2.0 * f64::from(i) / f64::from(RINGS - 1));
        let radius = DROP - (RADIUS * RADIUS - z * z).sqrt();
        vertices.extend(ring(SECTORS).map(|[x, y]| DVec3::new(radius * x, radius * y, z)));
    }
    vertices.push(DVec3::NEG_Z * HALF_ROLLER);
    crate::mesh(vertices, between_poles(RINGS, SECTORS))
}

fn ring(sectors: u32) -> impl Iterator<Item = [f64; 2]> {
    (0..sectors).map(move |sector| on_circle(sector, sectors).into())
}

fn moved(mesh: &Mesh, by: DVec3) -> Mesh {
    let vertices = mesh.vertices().iter().map(|&v| v + by).collect();
    crate::mesh(vertices, mesh.triangles().to_vec())
}

#[cfg(test)]
mod tests {
    use elbowroom::Pose;
    use elbowroom::internal::model::Model;
    use elbowroom::internal::query;

    use super::*;

    #[test]
    fn they_are_as_large_as_the_originals_and_closed() {
        for (mesh, triangles) in [(torpedo(), 4780), (torpedo_pivot(), 44_920)] {
            assert_eq!(mesh.triangles().len(), triangles);
            let seams = mesh.seams();
            assert!(seams.is_closed() && seams.is_manifold(), "{seams:?}");
            let area = |i| {
                let [a, b, c] = mesh.triangle(i);
                0.5 * (b - a).cross(c - a).length()
            };
            let least = (0..triangles).map(area).fold(f64::INFINITY, f64::min);
            assert!(least > 1e-7, "{least}");
            let volume = |i| {
                let [a, b, c] = mesh.triangle(i);
                a.dot(b.cross(c)) / 6.0
            };
            assert!((0..triangles).map(volume).sum::<f64>() > 0.4);
        }
    }

    #[test]
    fn it_rests_on_every_roller_and_on_nothing_else() {
        let (thing, pivot) = (Model::new(torpedo()), Model::new(torpedo_pivot()));
        let here = Pose::IDENTITY;
        let lowered = |by: f64| {
            let place = Pose::from_translation(DVec3::NEG_Y * by).expect("finite");
            query::triangle_pairs(&pivot, &here, &thing, &place)
        };
        assert!(lowered(-0.001).is_empty());
        let rests = lowered(0.001);
        assert!(rests.len() > 16 * 8, "{}", rests.len());
        // A roller, an axle and two brackets are 2,632 triangles.
        let mut met = [0; ROLLERS as usize];
        for pair in rests {
            let (roller, part) = (pair.a / 2632, pair.a % 2632);
            assert!(part < 2560, "{pair:?}");
            met[roller as usize] += 1;
        }
        assert!(met.iter().all(|&n| n >= 4), "{met:?}");
    }
}
