//! A helicopter whose rotors turn.
//!
//! A stand-in for the helicopter onto which a ball falls in the experiments of Liu, Wang and Yang
//! (SBBK, 2017): large flat parts, thin ones, hollows between skids and belly. Hull and skids are
//! one closed skin; each rotor is a soup of closed pieces.

use std::f64::consts::TAU;

use elbowroom::Mesh;
use elbowroom_motion::body::{FreedomKind, Local, Rig};
use glam::{DQuat, DVec3};

use crate::random::Random;
use crate::rigid::{Links, about, turning};
use crate::surface::{Piece, Recipe, Shape, Solid, skin_of};
use crate::{cuboid, join};

/// A helicopter about 8 m long that stands on y = 0 and looks along +z: the parts `hull`, `rotor`
/// and `tail rotor`, hinges for the rotors, and the clip `spin`. The seed varies cabin, tail and
/// the number of blades.
///
/// ```
/// let chopper = elbowroom_make::helicopter(3);
/// assert_eq!(chopper.parts.len(), 3);
/// assert!(chopper.parts[0].mesh.seams().is_manifold());
/// ```
pub fn helicopter(seed: u64) -> Rig {
    let mut random = Random::new(seed);
    let cabin = random.uniform(0.9, 1.1);
    let tail = random.uniform(5.0, 5.8);
    let blades = crate::whole(random.uniform(2.0, 6.0)) as u32;
    let mut links = Links::new("helicopter");
    let hull = links.add("hull".into(), None, Local::IDENTITY, hull(cabin, tail));
    let mast = Local::from_translation(DVec3::new(0.0, 2.75, 0.0));
    let rotor = links.add("rotor".into(), Some(hull), mast, rotor(blades, 3.7, 0.16));
    let boom = Local::from_rotation_translation(
        about(DVec3::Z, 0.25 * TAU),
        DVec3::new(-0.28, 2.35, -tail - 0.05),
    );
    let small = links.add("tail rotor".into(), Some(hull), boom, rotor_small());
    for (name, joint) in [("rotor", rotor), ("tail rotor", small)] {
        links.free(name.into(), joint, FreedomKind::Hinge, DVec3::Y, None);
    }
    let mut rig = links.rig();
    // A blade takes the place of the next in one period; keys must be closer than half a turn.
    let spin = |turns: f64| move |time: f64| -> DQuat { about(DVec3::Y, TAU * turns * time) };
    let (slow, fast) = (spin(2.0), spin(6.0));
    rig.clips = vec![turning(&rig, "spin", 1.0, &[(rotor, &slow), (small, &fast)])];
    rig
}

fn rotor_small() -> Mesh {
    rotor(2, 0.85, 0.07)
}

/// Blades of this length around a hub, turning about y.
fn rotor(blades: u32, length: f64, width: f64) -> Mesh {
    let moved = |mesh: &Mesh, turn: DQuat, by: DVec3| {
        let vertices = mesh.vertices().iter().map(|&p| turn * (p + by)).collect();
        crate::mesh(vertices, mesh.triangles().to_vec())
    };
    let hub = cuboid(DVec3::new(width, 0.5 * width, width));
    // Longer than wide by cells, so that a blade is not one needle of two triangles a side.
    let blade = strip(0.5 * length, width, 0.02);
    let mut pieces = vec![hub];
    for index in 0..blades {
        let turn = about(DVec3::Y, TAU * f64::from(index) / f64::from(blades));
        // Beside the hub with a gap, so that the pieces are apart.
        pieces.push(moved(&blade, turn, DVec3::new(0.5 * length + 1.6 * width, 0.0, 0.0)));
    }
    join(&pieces)
}

/// A long flat box along x, cut into eight.
fn strip(half_length: f64, half_width: f64, half_height: f64) -> Mesh {
    const CUTS: u32 = 8;
    let mut vertices = vec![DVec3::new(half_length, 0.0, 0.0)];
    for cut in (0..=CUTS).rev() {
        let x = half_length * (2.0 * f64::from(cut) / f64::from(CUTS) - 1.0);
        for (y, z) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            vertices.push(DVec3::new(x, y * half_height, z * half_width));
        }
    }
    vertices.push(DVec3::new(-half_length, 0.0, 0.0));
    crate::mesh(vertices, crate::sheet::between_poles(CUTS + 1, 4))
}

fn hull(cabin: f64, tail: f64) -> Mesh {
    let ball = |centre: [f64; 3], half: [f64; 3], fillet: f64| {
        Piece::add(Shape::Ball { centre: centre.into(), half: half.into() }, fillet)
    };
    let rod = |from: [f64; 3], to: [f64; 3], radii: [f64; 2], fillet: f64| {
        Piece::add(Shape::Cone { ends: [from.into(), to.into()], radii }, fillet)
    };
    let pieces = vec![
        ball([0.0, 1.35, 0.7], [0.8 * cabin, 0.85, 1.6 * cabin], 0.1),
        // Engine, boom, fin, stabiliser.
        ball([0.0, 2.0, -0.3], [0.5, 0.42, 1.1], 0.25),
        rod([0.0, 1.6, -0.8], [0.0, 1.9, -tail], [0.34, 0.14], 0.3),
        rod([0.0, 1.9, -tail + 0.1], [0.0, 2.75, -tail - 0.35], [0.12, 0.1], 0.15),
        rod([0.0, 1.85, -tail + 0.9], [0.95, 1.85, -tail + 0.8], [0.1, 0.09], 0.1),
        rod([0.0, 2.2, 0.0], [0.0, 2.5, 0.0], [0.16, 0.1], 0.2),
        // Skid and its struts.
        rod([0.85, 0.1, -0.7], [0.85, 0.1, 1.9], [0.1, 0.1], 0.05),
        rod([0.4, 0.8, 1.1], [0.85, 0.12, 1.2], [0.1, 0.1], 0.08),
        rod([0.4, 0.8, 0.0], [0.85, 0.12, -0.1], [0.1, 0.1], 0.08),
    ];
    let solid = Solid::new(pieces, 0.0);
    let recipe = Recipe { step: 0.06, triangles: 3600, importance: &|_| 1.0, hold: 0.002 };
    let skin = skin_of(&solid, &recipe);
    crate::mesh(skin.vertices, skin.triangles)
}
