//! A hand of sixteen rigid links.
//!
//! A palm and five fingers of three links each: the articulated hand of the CAB experiments, of
//! which only the number of links is known. Links are closed and overlap at the joints, as capsules
//! do; links of different fingers do not touch while the hand is open.

use std::f64::consts::TAU;

use elbowroom::Mesh;
use elbowroom_motion::body::{FreedomKind, Local, Rig};
use glam::{DQuat, DVec3};

use crate::random::Random;
use crate::rigid::{Links, about, turning};
use crate::{capsule, lat_long_sphere};

/// Name, root on the palm, lean about z, lengths of the three links, radius: metres, for a hand 19
/// cm long.
type Finger = (&'static str, [f64; 3], f64, [f64; 3], f64);

const FINGERS: [Finger; 5] = [
    ("thumb", [0.038, 0.03, 0.008], -0.85, [0.042, 0.034, 0.028], 0.0105),
    ("index", [0.031, 0.094, 0.0], -0.1, [0.043, 0.027, 0.021], 0.0085),
    ("middle", [0.0095, 0.098, 0.0], -0.02, [0.047, 0.03, 0.022], 0.0088),
    ("ring", [-0.0115, 0.094, 0.0], 0.06, [0.043, 0.028, 0.022], 0.0083),
    ("little", [-0.031, 0.085, 0.0], 0.16, [0.034, 0.021, 0.019], 0.0075),
];
const BONES: [&str; 3] = ["root", "middle", "tip"];
/// How far a joint of a finger bends in a fist.
const FIST: f64 = 1.4;

/// A right hand with its wrist at the origin, fingers along +y, palm towards +z: 16 closed parts,
/// hinges that bend every finger (and spread it at its root), and the clip `grasp`. The seed varies
/// the lengths by some percent.
///
/// ```
/// let hand = elbowroom_make::hand(1);
/// assert_eq!((hand.parts.len(), hand.freedoms.len()), (16, 20));
/// ```
pub fn hand(seed: u64) -> Rig {
    let mut links = Links::new("hand");
    let bends = grow(&mut links, None, Local::IDENTITY, seed);
    let mut rig = links.rig();
    let grasps: Vec<_> = bends
        .iter()
        .map(|&(_, share)| {
            move |time: f64| -> DQuat {
                let closed = 0.5 - 0.5 * libm::cos(TAU * time / 4.0);
                about(DVec3::X, FIST * share * closed)
            }
        })
        .collect();
    let turns: Vec<(u32, &dyn Fn(f64) -> DQuat)> = bends
        .iter()
        .zip(&grasps)
        .map(|(&(link, _), grasp)| (link, grasp as &dyn Fn(f64) -> DQuat))
        .collect();
    rig.clips = vec![turning(&rig, "grasp", 4.0, &turns)];
    rig
}

/// Adds a hand to what is there; gives the links that bend, and the share of a fist's bend that
/// each makes.
pub(crate) fn grow(
    links: &mut Links,
    parent: Option<u32>,
    rest: Local,
    seed: u64,
) -> Vec<(u32, f64)> {
    let mut random = Random::new(seed);
    let palm = links.add("palm".into(), parent, rest, palm());
    let mut bends = Vec::new();
    for (name, root, lean, lengths, radius) in FINGERS {
        let mut parent = palm;
        let mut place = Local::from_rotation_translation(about(DVec3::Z, lean), DVec3::from(root));
        for (bone, length) in BONES.into_iter().zip(lengths) {
            let length = length * random.uniform(0.96, 1.04);
            let end = DVec3::new(0.0, length, 0.0);
            let mesh = capsule(DVec3::ZERO, end, radius, 3, 12);
            let link = links.add(format!("{name} {bone}"), Some(parent), place, mesh);
            let bend = (-0.2, FIST + 0.2);
            links.free(format!("{name} {bone}"), link, FreedomKind::Hinge, DVec3::X, Some(bend));
            if bone == "root" {
                let spread = Some((-0.2, 0.2));
                links.free(format!("{name} spread"), link, FreedomKind::Hinge, DVec3::Z, spread);
            }
            bends.push((link, if name == "thumb" { 0.45 } else { 1.0 }));
            parent = link;
            place = Local::from_translation(end);
        }
    }
    bends
}

/// A cushion from the wrist to the roots of the fingers.
fn palm() -> Mesh {
    let ball = lat_long_sphere(12, 20);
    let vertices = ball.vertices().iter().map(|p| {
        // Square roots make a ball boxy; a palm is narrower at the wrist.
        let [x, y, z] = p.to_array().map(|c| c.abs().sqrt().copysign(c));
        let wide = 0.034 + 0.006 * y;
        DVec3::new(wide * x, 0.046 + 0.044 * y, 0.013 * z)
    });
    crate::mesh(vertices.collect(), ball.triangles().to_vec())
}
