//! Links of articulated bodies: the pairs that are asked about when boxes around links have done
//! what they can.

use elbowroom_papers::cab::{CabAxis, CabHierarchy, RefitMethod};
use elbowroom_papers::cab::{Workspace, candidates_between};

use super::{Asked, Scene};
use crate::cab::scene::Scene as Linked;

pub(super) fn chains(quick: bool) -> Scene {
    pairs("chains, link by link", Linked::of_table(2), if quick { 40 } else { 400 })
}

pub(super) fn hand(quick: bool) -> Scene {
    pairs("hand and ball, link by link", Linked::of_table(5), if quick { 40 } else { 400 })
}

/// The pairs of links of two bodies whose boxes overlap, in some frames of a scene.
fn pairs(name: &'static str, linked: Linked, frames: usize) -> Scene {
    let keep = RefitMethod::Cab(CabAxis::Longest);
    let [mut a, mut b] = linked.bodies.each_ref().map(|body| CabHierarchy::new(body.clone(), keep));
    let links = |body: &CabHierarchy| -> Vec<_> {
        body.articulation().links().iter().map(|link| link.model.mesh().clone()).collect()
    };
    let mut meshes = links(&a);
    let first = meshes.len();
    meshes.extend(links(&b));
    let (mut asks, mut workspace) = (Vec::new(), Workspace::new());
    // Frames that follow each other are alike.
    for joints in linked.frames.step_by(15).take(frames) {
        for (body, joints) in [&mut a, &mut b].into_iter().zip(&joints) {
            body.update(joints).expect("generated poses are rigid");
        }
        let (candidates, _) = candidates_between(&mut a, &mut b, &mut workspace);
        asks.extend(candidates.iter().map(|&(i, j)| {
            let at = [a.placements()[i as usize], b.placements()[j as usize]];
            Asked::new([i as usize, first + j as usize], at)
        }));
    }
    Scene::rigid(name, meshes, asks)
}
