//! Pins that are pressed into the holes of washers: wide parts that are all nearly as deep, where
//! bounds are hard to close. They are as near to each other as is promised, and hold against
//! sampling.

use std::f64::consts::TAU;

use elbowroom::internal::model::Model;
use elbowroom::internal::query::{Penetration, nearest, penetration};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Aabb, Mesh, Pose};
use glam::{DQuat, DVec3};

const SIDES: u32 = 64;

/// A prism of this many sides, or with a second radius a tube; `turn` in sides.
fn tube(outer: f64, inner: Option<f64>, [low, high]: [f64; 2], turn: f64) -> Mesh {
    let mut vertices = Vec::new();
    let mut ring = |radius: f64, z: f64| {
        let first = vertices.len() as u32;
        for side in 0..SIDES {
            let (sin, cos) = (TAU * (f64::from(side) + turn) / f64::from(SIDES)).sin_cos();
            vertices.push(DVec3::new(radius * cos, radius * sin, z));
        }
        first
    };
    let [a, b] = [low, high].map(|z| ring(outer, z));
    // Without a hole, the inner rings are a point each, many times.
    let [c, d] = [low, high].map(|z| ring(inner.unwrap_or(0.0), z));
    let mut triangles = Vec::new();
    for k in 0..SIDES {
        let l = (k + 1) % SIDES;
        triangles.extend([[a + k, a + l, b + l], [a + k, b + l, b + k]]);
        if inner.is_some() {
            triangles.extend([[c + k, d + l, c + l], [c + k, d + k, d + l]]);
            triangles.extend([[b + k, b + l, d + l], [a + k, c + l, a + l]]);
            triangles.extend([[b + k, d + l, d + k], [a + k, c + k, c + l]]);
        } else {
            triangles.extend([[b + k, b + l, d], [a + l, a + k, c]]);
        }
    }
    Mesh::new(vertices, triangles).expect("a mesh")
}

fn smaller(a: &Model, b: &Model) -> f64 {
    let size = |model: &Model| {
        let Aabb { min: low, max: high } = model.mesh().bounds();
        (high - low).length()
    };
    size(a).min(size(b))
}

fn ask(a: &Model, b: &Model, place: &Pose) -> Penetration {
    let here = Pose::IDENTITY;
    let found = penetration(a, &here, b, place, None, &mut Workspace::default());
    let gap = (found.upper - found.lower) / smaller(a, b);
    assert!(gap <= 1.001e-4 && !found.is_loose, "{gap}: {found:?}");
    assert!(found.certainty.is_exact());
    found
}

/// The deepest of many points of a pin's side in the middle of a washer's height; the boundary is
/// that of the hole.
fn sampled(pin: &Model, washer: &Model, (radius, z): (f64, f64), turn: f64) -> f64 {
    let (mut most, mut workspace) = (0.0_f64, Workspace::default());
    for side in 0..SIDES {
        let corner = |k: u32| {
            let (sin, cos) = (TAU * (f64::from(side + k) + turn) / f64::from(SIDES)).sin_cos();
            DVec3::new(radius * cos, radius * sin, z)
        };
        for part in 0..16 {
            let point = corner(0).lerp(corner(1), f64::from(part) / 16.0);
            let here = Pose::IDENTITY;
            let near = nearest(washer, &here, point, f64::INFINITY, &mut workspace).expect("near");
            most = most.max(near.distance);
        }
    }
    assert!(most > 0.0 && pin.mesh().triangles().len() == 4 * SIDES as usize);
    most
}

#[test]
fn bounds_of_pins_in_washers_are_as_near_as_promised() {
    let mut met = 0;
    for (radius, length) in [(5.0, 40.0), (2.0, 6.0)] {
        for overlap in [0.005, 0.02, 0.05, 0.2] {
            for turn in [0.0, 0.3, 0.5] {
                let middle = 0.4 * length;
                let pin = Model::new(tube(radius, None, [0.0, length], turn));
                let rise = [middle, middle + 3.0];
                let hole = tube(2.4 * radius, Some(radius - overlap), rise, 0.0);
                let washer = Model::new(hole);
                let found = ask(&pin, &washer, &Pose::IDENTITY);
                let sample = sampled(&pin, &washer, (radius, middle + 1.5), turn);
                assert!(sample <= found.upper * (1.0 + 1e-9), "{sample} {found:?}");
                let tolerance = 1.01e-4 * smaller(&pin, &washer);
                assert!(sample >= found.lower - tolerance, "{sample} {found:?}");
                if turn == 0.0 {
                    // Corner against corner.
                    assert!(found.lower <= overlap * (1.0 + 1e-9) && overlap <= found.upper);
                }
                met += 1;
            }
        }
    }
    assert_eq!(met, 24);
}

#[test]
fn bounds_of_pins_that_stand_askew_are_as_near_as_promised() {
    let pin = Model::new(tube(5.0, None, [-20.0, 20.0], 0.0));
    let washer = Model::new(tube(12.0, Some(4.95), [-1.5, 1.5], 0.0));
    for (angle, shift) in [(0.01, 0.0), (0.1, 0.02), (0.4, 0.3)] {
        let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 0.5).normalize(), angle);
        let place = Pose::from_quat(turn, DVec3::new(shift, 0.5 * shift, shift));
        let found = ask(&pin, &washer, &place.expect("a placement"));
        assert!(found.lower > 0.04, "{found:?}");
    }
}
