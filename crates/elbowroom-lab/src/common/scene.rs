//! The scenes: those of the papers, each as meshes and as questions about two of them.
//!
//! | scene | from | bodies |
//! |---|---|---|
//! | concentric spheres, spheres side by side | `OBBTree`, Figures 5 and 6 | turned |
//! | a ring in pipes, a ring on ground | `OBBTree`, Table 3 | turned |
//! | a heap of heads, a helicopter and a ball | SBBK | turned; in one frame |
//! | two people on a floor | BCH | turned about the vertical |
//! | two people who walk, heads and rings through which waves run | SBBK, soft bodies | deform, in one frame |
//! | chains, a hand with a ball | CAB, Tables 2 and 5 | rigid links, in pairs whose boxes overlap |
//!
//! Invariant: the same questions in the same order, whatever is asked.

mod linked;
mod rigid;
mod soft;

use elbowroom::internal::math::planar::Planar;
use elbowroom::{Mesh, Pose};
use glam::DVec3;

use crate::Context;
use crate::data::without;

/// Meshes and questions about them.
pub(super) struct Scene {
    pub(super) name: &'static str,
    pub(super) meshes: Vec<Mesh>,
    /// In the order of their frames.
    pub(super) asks: Vec<Asked>,
    /// By frame and mesh, where the vertices are; empty where nothing deforms.
    frames: Vec<Vec<Vec<DVec3>>>,
    /// The questions' poses on the floor, z up, where bodies stand on one.
    pub(super) floor: Vec<[Planar; 2]>,
}

/// A question about two meshes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) bodies: [usize; 2],
    pub(super) at: [Pose; 2],
    frame: usize,
}

/// A frame: where vertices are, none if they stay, and what is asked then.
pub(super) struct Moment<'a> {
    pub(super) vertices: &'a [Vec<DVec3>],
    pub(super) asks: &'a [Asked],
}

impl Scene {
    fn rigid(name: &'static str, meshes: Vec<Mesh>, asks: Vec<Asked>) -> Self {
        Self { name, meshes, asks, frames: Vec::new(), floor: Vec::new() }
    }

    /// Whether its meshes deform.
    pub(super) fn is_soft(&self) -> bool {
        !self.frames.is_empty()
    }

    /// Frame after frame.
    pub(super) fn moments(&self) -> impl Iterator<Item = Moment<'_>> {
        let of_frame = |asks: &'_ [Asked]| asks.first().map_or(0, |asked| asked.frame);
        self.asks.chunk_by(|a, b| a.frame == b.frame).map(move |asks| Moment {
            vertices: self.frames.get(of_frame(asks)).map_or(&[], Vec::as_slice),
            asks,
        })
    }

    pub(super) fn frames(&self) -> &[Vec<Vec<DVec3>>] {
        &self.frames
    }

    pub(super) fn triangles(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.triangles().len()).sum()
    }
}

impl Asked {
    fn new(bodies: [usize; 2], at: [Pose; 2]) -> Self {
        Self { bodies, at, frame: 0 }
    }

    /// The second body in a place, the first where it is.
    fn there(bodies: [usize; 2], place: Pose) -> Self {
        Self::new(bodies, [Pose::IDENTITY, place])
    }
}

/// All that are generated.
pub(super) fn all(quick: bool) -> Vec<Scene> {
    let mut scenes = bodies(quick);
    scenes.extend(deforming(quick));
    scenes
}

/// Those whose bodies are rigid.
pub(super) fn bodies(quick: bool) -> Vec<Scene> {
    vec![
        rigid::concentric(quick),
        rigid::beside(quick),
        rigid::ring_in_pipes(quick),
        rigid::ring_on_ground(quick),
        rigid::heads(quick, &elbowroom_make::monkey_head(5), "heap of heads"),
        rigid::helicopter_and_ball(quick),
        rigid::people(quick),
        linked::chains(quick),
        linked::hand(quick),
    ]
}

/// People on a floor, most of them apart.
pub(super) fn crowd(quick: bool) -> Scene {
    rigid::crowd(quick, "people in a square", [0.3, 2.0])
}

/// People on a floor, close together.
pub(super) fn queue(quick: bool) -> Scene {
    rigid::crowd(quick, "people in a queue", [0.3, 0.7])
}

/// Those whose bodies deform.
pub(super) fn deforming(quick: bool) -> Vec<Scene> {
    vec![soft::people(quick), soft::heads(quick), soft::rings(quick)]
}

/// Those of real bodies, and what to say of those that are not there.
pub(super) fn real(context: &Context) -> (Vec<Scene>, Vec<String>) {
    let (mut scenes, mut notes) = (Vec::new(), Vec::new());
    match rigid::real_heads(context) {
        Ok(scene) => scenes.push(scene),
        Err(why) => notes.push(without("Suzanne", &why)),
    }
    match rigid::real_people(context) {
        Ok(scene) => scenes.push(scene),
        Err(why) => notes.push(without("real people", &why)),
    }
    (scenes, notes)
}
