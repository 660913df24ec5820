//! The term of updates, `N_u`·`C_u`: what a refit costs for each volume, measured on one body,
//! predicts that of others.

use elbowroom::internal::volume::Family;

use super::super::scene::Scene;
use super::super::stand::Stand;
use super::super::structure::{KINDS, Kind};
use super::super::turns::Turns;
use crate::rounds::Spread;
use crate::sbbk::scene::COUNT;
use crate::{Claim, Table, Verdict};

/// One structure that is refitted, on one scene.
pub(super) struct Followed {
    name: &'static str,
    scene: &'static str,
    /// Volumes that are put around moved vertices, in all frames.
    volumes: u64,
    secs: f64,
    /// From the cost on the first scene; nothing there.
    predicted: Option<f64>,
}

pub(super) fn measure(scenes: &[Scene], rounds: usize) -> Vec<Followed> {
    let kinds: Vec<Kind> = KINDS.into_iter().filter(Kind::is_refitted).collect();
    let mut costs = vec![None; kinds.len()];
    let mut followed = Vec::new();
    // The heads come first: the cost is theirs.
    let (heads, others): (Vec<&Scene>, Vec<&Scene>) =
        scenes.iter().partition(|scene| scene.name.contains("heads"));
    for scene in heads.into_iter().chain(others) {
        let mut stands: Vec<Stand> = kinds.iter().map(|&kind| Stand::new(scene, kind)).collect();
        let turns = Turns::run(rounds, stands.len(), |kind| stands[kind].time(&COUNT));
        for (index, kind) in kinds.iter().enumerate() {
            let nodes = stands[index].made.iter().filter_map(|made| made.layered());
            let nodes: u64 = nodes.map(|layered| layered.tree().len() as u64).sum();
            let volumes = nodes * scene.frames().len() as u64;
            let secs = turns.of(index, |secs| secs.follow).median;
            let one = secs / volumes as f64;
            let predicted = costs[index].map(|cost: f64| cost / one);
            costs[index].get_or_insert(one);
            followed.push(Followed {
                name: kind.name,
                scene: scene.name,
                volumes,
                secs,
                predicted,
            });
        }
    }
    followed
}

pub(super) fn table(followed: &[Followed]) -> Table {
    let mut table = Table::new(
        "Following moved vertices: N_u volumes",
        [
            "scene",
            "structure",
            "N_u",
            "time, ns a volume",
            "time predicted from the heads' over measured",
        ],
    );
    for one in followed {
        table.row([
            one.scene.into(),
            one.name.into(),
            one.volumes.into(),
            (1e9 * one.secs / one.volumes as f64).into(),
            one.predicted.into(),
        ]);
    }
    table
}

pub(super) fn claim(followed: &[Followed]) -> Claim {
    let ratios: Vec<f64> = followed.iter().filter_map(|one| one.predicted).collect();
    let good = ratios.iter().filter(|ratio| super::CLOSE.contains(*ratio)).count();
    let spread = if ratios.is_empty() { String::new() } else { Spread::of(ratios.clone()).show(2) };
    let nanos = |family: Family| {
        let one = followed.iter().find(|one| one.name == name_of(family));
        one.map_or(f64::NAN, |one| 1e9 * one.secs / one.volumes as f64)
    };
    Claim::timed("COMMON-cost-update", "One cost a volume predicts what a refit of another body takes within 25 %.")
        .paper("N_u·C_u")
        .ours(format!(
            "{good} of {} within 25 %; predicted over measured {spread}; ns a volume on the heads: sphere {:.0}, AABB {:.1}, 18-DOP {:.1}",
            ratios.len(),
            nanos(Family::Sphere),
            nanos(Family::Aabb),
            nanos(Family::Kdop18)
        ))
        .verdict(match good {
            all if all == ratios.len() => Verdict::Holds,
            most if 2 * most >= ratios.len() => Verdict::HoldsWithAnotherNumber,
            _ => Verdict::DoesNotHold,
        })
        .why("A refit visits every volume and has no early end.")
}

fn name_of(family: Family) -> &'static str {
    match family {
        Family::Sphere => "sphere",
        Family::Kdop18 => "18-DOP",
        _ => "AABB",
    }
}
