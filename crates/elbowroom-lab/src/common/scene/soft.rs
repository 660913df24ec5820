//! Bodies that deform where they stand, so that all volumes are in one frame.

use elbowroom::{Aabb, Mesh, Pose};
use glam::DVec3;

use super::rigid::walking;
use super::{Asked, Scene};

fn soft(name: &'static str, meshes: Vec<Mesh>, frames: Vec<Vec<Vec<DVec3>>>) -> Scene {
    let asks = (0..frames.len())
        .map(|frame| Asked { bodies: [0, 1], at: [Pose::IDENTITY; 2], frame })
        .collect();
    Scene { frames, ..Scene::rigid(name, meshes, asks) }
}

/// A woman and a man who pass each other, near enough to brush.
pub(super) fn people(quick: bool) -> Scene {
    let count = if quick { 4 } else { 24 };
    let meshes = vec![walking(0, 0.0), walking(1, 0.0)];
    let frames = (0..count).map(|frame| {
        let share = f64::from(frame) / f64::from(count);
        let (she, he) = (walking(0, share), walking(1, 0.5 + 0.4 * share));
        let forth = |&p: &DVec3| p + DVec3::Y * (0.5 - share);
        // He is turned about.
        let back = |&p: &DVec3| DVec3::new(0.42 - p.x, share - 0.5 - p.y, p.z);
        let [she, he] = [she, he].map(|mesh| mesh.vertices().to_vec());
        vec![she.iter().map(forth).collect(), he.iter().map(back).collect()]
    });
    let frames = frames.collect();
    soft("two people, skinned", meshes, frames)
}

/// Two meshes beside each other, through which waves run.
fn waves(name: &'static str, mesh: &Mesh, apart: DVec3, count: u32) -> Scene {
    let Aabb { min: low, max: high } = mesh.bounds();
    let size = (high - low).max_element();
    let moved = |frame: u32, shift: DVec3| -> Vec<DVec3> {
        let wave = |x: f64| libm::sin(6.0 * x / size + 0.4 * f64::from(frame)) * 0.06 * size;
        mesh.vertices().iter().map(|&p| p + shift + DVec3::new(0.0, wave(p.x), wave(p.z))).collect()
    };
    let frames: Vec<Vec<Vec<DVec3>>> =
        (0..count).map(|frame| vec![moved(frame, DVec3::ZERO), moved(frame + 5, apart)]).collect();
    let meshes = vec![mesh.clone(), mesh.clone()];
    soft(name, meshes, frames)
}

pub(super) fn heads(quick: bool) -> Scene {
    let head = elbowroom_make::monkey_head(5);
    waves("two heads, soft", &head, DVec3::new(1.5, 0.3, 0.2), if quick { 3 } else { 12 })
}

pub(super) fn rings(quick: bool) -> Scene {
    let ring = if quick {
        elbowroom_make::wrinkled_torus(24, 16)
    } else {
        elbowroom_make::wrinkled_torus(100, 100)
    };
    waves("two rings, soft", &ring, DVec3::new(1.1, 0.2, 0.3), if quick { 3 } else { 12 })
}
