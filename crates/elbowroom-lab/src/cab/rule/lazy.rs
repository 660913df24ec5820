//! Refitting only as deep as a query goes.
//!
//! Source: Larsson and Akenine-Möller, *Collision detection for continuously deforming bodies*,
//! 2001, as the paper cites it.

use std::sync::Arc;

use elbowroom_papers::cab::{ArticulatedBody, CabAxis, CabHierarchy, RefitMethod};
use elbowroom_papers::cab::{Workspace, candidates_between};
use glam::DVec3;

use super::Part;
use crate::cab::scene::Scene;
use crate::{Claim, Context, Table};

/// Far enough that chains which hang side by side never meet, near enough that they might.
const APART: DVec3 = DVec3::new(8.0, 0.0, 0.0);

pub(super) fn run(context: &Context) -> Part {
    let frames = if context.quick { 200 } else { 4001 };
    let mut table = Table::new(
        "Inner boxes refitted on demand, of all inner boxes, when one chain is asked about against the other",
        ["scene", "AABB*", "OBB", "CAB"],
    );
    let scenes = [("braided", 4, DVec3::ZERO), ("loose", 2, DVec3::ZERO), ("apart", 2, APART)];
    let shares = scenes.map(|(name, number, apart)| {
        let keeps =
            [RefitMethod::AabbCorners, RefitMethod::Covariance, RefitMethod::Cab(CabAxis::Longest)];
        let shares = keeps.map(|keep| share(Scene::of_table(number), keep, apart, frames));
        table.row([name.into(), shares[0].into(), shares[1].into(), shares[2].into()]);
        shares
    });
    let [braided, _, apart] = shares;
    let claim = Claim::gate(
        "CAB-S2-lazy",
        "Refitting only as deep as needed gives nothing where all boxes overlap, as those of AABBs around a braid do.",
    )
    .paper("said, without numbers")
    .ours(format!(
        "of the inner AABBs {:.0} % are refitted in the braid, {:.0} % on chains that are apart",
        100.0 * braided[0],
        100.0 * apart[0]
    ))
    .holds_if(braided[0] > 0.95 && apart[0] < 0.5)
    .why(
        "An aligned box is made from the links below it, so one at the top needs no others; an oriented one is merged from the two below it, so \
         that chains near each other need all, and chains apart are told apart by one aligned box.",
    );
    Part { tables: vec![table], claims: vec![claim] }
}

/// The share of inner boxes that are refitted on demand.
fn share(scene: Scene, keep: RefitMethod, apart: DVec3, frames: usize) -> f64 {
    let body = |body: &Arc<ArticulatedBody>| CabHierarchy::new(Arc::clone(body), keep);
    let [mut a, mut b] = scene.bodies.each_ref().map(body);
    let inner = [&a, &b].map(|body| body.articulation().links().len() as u64 - 1);
    let leaves: u64 = [&a, &b].map(|body| body.articulation().links().len() as u64).iter().sum();
    // Oriented boxes have one more around all, made every time.
    let leaves = leaves + if keep.is_oriented() { 2 } else { 0 };
    let mut room = Workspace::new();
    let (mut refitted, mut all) = (0_u64, 0_u64);
    for [first, mut second] in scene.frames.take(frames) {
        for joint in &mut second {
            joint.translation += apart;
        }
        a.update_lazily(&first).expect("generated poses are rigid");
        b.update_lazily(&second).expect("generated poses are rigid");
        candidates_between(&mut a, &mut b, &mut room);
        refitted += a.work().boxes_refitted + b.work().boxes_refitted - leaves;
        all += inner[0] + inner[1];
    }
    refitted as f64 / all.max(1) as f64
}
