//! From bodies to rigs: the world with all that stands on it, and one for everything that floats
//! freely.

use std::collections::HashSet;

use elbowroom_motion::body::{Freedom, FreedomKind, Hold, Joint, JointId, Part, Rig, Skeleton};

use super::built::{Built, Variable};
use super::keys;
use super::masks::{self, Masked};
use super::model::Model;
use super::tree::Files;
use crate::error::Fault;
use crate::odd::LEFT_OUT;
use crate::robot::adjacent::{self, Link};
use crate::text::counted;

/// Where a body went: which rig, and which joint of it.
pub(super) type Home = (usize, u32);

/// Makes the rigs; the first is the world's, unless nothing is in it.
pub(super) fn assemble(
    model: &Model,
    built: Built,
    files: &Files,
    notes: &mut Vec<String>,
) -> Result<Vec<Rig>, Fault> {
    let homes = homes(&built);
    let count = homes.iter().map(|(rig, _)| rig + 1).max().unwrap_or(1);
    let mut joints: Vec<Vec<Joint>> = vec![Vec::new(); count];
    for (body, &(rig, _)) in built.bodies.iter().zip(&homes) {
        let parent = body.parent.map(|parent| homes[parent]);
        let parent = parent.filter(|(of, _)| *of == rig).map(|(_, joint)| JointId(joint));
        joints[rig].push(Joint { name: body.name.clone(), parent, rest: body.rest });
    }
    let mut rigs = Vec::with_capacity(count);
    for (index, joints) in joints.into_iter().enumerate() {
        let name = if index == 0 { model.name().to_owned() } else { joints[0].name.clone() };
        let skeleton = Skeleton::new(joints).map_err(|error| Fault::whole(error.to_string()))?;
        rigs.push(Rig::new(name, skeleton));
    }
    for variable in &built.variables {
        let (rig, joint) = homes[variable.body];
        rigs[rig].freedoms.push(freedom(variable, joint));
    }
    allow(model, &built, &homes, &mut rigs, notes);
    keys::read(model, &built.variables, &homes, &mut rigs, files)?;
    for shape in built.shapes {
        let (rig, joint) = homes[shape.body];
        rigs[rig].parts.push(Part { hold: Hold::Rigid(JointId(joint)), ..shape.part });
    }
    if rigs.len() > 1 && rigs[0].parts.is_empty() && rigs[0].freedoms.is_empty() {
        rigs.remove(0);
    }
    for rig in &rigs {
        rig.validate().map_err(|error| Fault::whole(error.to_string()))?;
    }
    if rigs.iter().all(|rig| rig.parts.is_empty()) {
        notes.push("no shape of the model can touch anything".to_owned());
    }
    Ok(rigs)
}

fn homes(built: &Built) -> Vec<Home> {
    let mut floats = vec![false; built.bodies.len()];
    for variable in &built.variables {
        floats[variable.body] |= variable.kind == FreedomKind::Free;
    }
    let mut homes: Vec<Home> = Vec::with_capacity(built.bodies.len());
    let mut sizes = vec![0_u32];
    for (index, body) in built.bodies.iter().enumerate() {
        let rig = match body.parent {
            Some(parent) if !floats[index] => homes[parent].0,
            Some(_) => {
                sizes.push(0);
                sizes.len() - 1
            }
            None => 0,
        };
        homes.push((rig, sizes[rig]));
        sizes[rig] += 1;
    }
    homes
}

fn freedom(variable: &Variable, joint: u32) -> Freedom {
    Freedom {
        name: variable.name.clone(),
        joint: JointId(joint),
        kind: variable.kind,
        axis: variable.axis,
        anchor: variable.anchor,
        range: variable.range,
        mimic: None,
    }
}

/// Pairs that the file excludes, and pairs that are joined.
fn allow(model: &Model, built: &Built, homes: &[Home], rigs: &mut [Rig], notes: &mut Vec<String>) {
    let mut between_rigs = 0;
    for &(a, b) in &built.excluded {
        let ((rig_a, a), (rig_b, b)) = (homes[a], homes[b]);
        if rig_a == rig_b {
            rigs[rig_a].allowed.push((a.min(b), a.max(b)));
        } else {
            between_rigs += 1;
        }
    }
    if between_rigs > 0 {
        notes
            .push(format!("{between_rigs} excluded pairs of bodies that float apart are not kept"));
    }
    allow_masked(built, homes, rigs, notes);
    let filters_parents = !model.has_off("filterparent");
    let mut has_parts = vec![false; built.bodies.len()];
    built.shapes.iter().for_each(|shape| has_parts[shape.body] = true);
    let mut moves = vec![false; built.bodies.len()];
    built.variables.iter().for_each(|variable| moves[variable.body] = true);
    let mut links: Vec<Vec<Link>> = rigs.iter().map(|_| Vec::new()).collect();
    for (body, &(rig, _)) in homes.iter().enumerate() {
        let parent = built.bodies[body].parent.map(|parent| homes[parent]);
        links[rig].push(Link {
            parent: parent.filter(|home| home.0 == rig).map(|home| home.1 as usize),
            moves: moves[body],
            has_parts: has_parts[body],
            // What stands on the world touches it, and so does all if joined bodies count.
            is_world: body == 0 || !filters_parents,
        });
    }
    for (rig, links) in rigs.iter_mut().zip(links) {
        match adjacent::pairs(&links) {
            Some(pairs) => rig.allowed.extend(pairs),
            None => notes.push(
                "too many bodies are welded together; their pairs are not allowed to touch"
                    .to_owned(),
            ),
        }
        rig.allowed.sort_unstable();
        rig.allowed.dedup();
    }
    let is_kept_apart = |&&(a, b): &&(usize, usize)| {
        let ((rig_a, a), (rig_b, b)) = (homes[a], homes[b]);
        rig_a == rig_b && rigs[rig_a].allowed.binary_search(&(a.min(b), a.max(b))).is_ok()
    };
    if let lost @ 1.. = built.paired.iter().filter(is_kept_apart).count() {
        let pairs = counted(lost, "pair", "pairs");
        notes.push(format!(
            "{pairs} of shapes (<pair>) of joined or excluded bodies, which may touch here, {LEFT_OUT}"
        ));
    }
}

/// Pairs of which no shapes can touch by their contact masks, but for those that a `<pair>` names.
fn allow_masked(built: &Built, homes: &[Home], rigs: &mut [Rig], notes: &mut Vec<String>) {
    let Some(Masked { apart, mixed }) = masks::masked(&built.shapes) else {
        notes.push(
            "there are too many contact masks, which are not kept; all shapes are compared"
                .to_owned(),
        );
        return;
    };
    let paired: HashSet<(usize, usize)> =
        built.paired.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    let (mut kept, mut between_rigs) = (0, 0);
    for pair in apart.into_iter().filter(|pair| !paired.contains(pair)) {
        let ((rig_a, a), (rig_b, b)) = (homes[pair.0], homes[pair.1]);
        if rig_a == rig_b {
            rigs[rig_a].allowed.push((a.min(b), a.max(b)));
            kept += 1;
        } else {
            between_rigs += 1;
        }
    }
    let rows = [
        (kept, "may touch by the contact masks of their shapes (contype, conaffinity)"),
        (
            mixed,
            "with shapes that can touch by their contact masks and shapes that cannot: all are compared",
        ),
        (
            between_rigs,
            "that cannot touch by their contact masks, but float apart: compared all the same",
        ),
    ];
    let rows = rows.into_iter().filter(|(count, _)| *count > 0);
    notes.extend(rows.map(|(count, what)| {
        format!("{} {what}", counted(count, "pair of bodies", "pairs of bodies"))
    }));
}
