//! Bodies that deform in every frame, and layers that are chosen for them.

use elbowroom::internal::bvh::Config;
use elbowroom::internal::volume::Family;
use elbowroom::{Mesh, Pose};
use elbowroom_papers::sbbk::Layers;
use elbowroom_papers::sbbk::{Costs, HybridTree, Purpose, SOFT, choose};

use super::super::OWN;
use super::super::scene::{self, Scene};
use super::super::stand::{Counted, Stand};
use super::super::structure::{KEPT, KINDS, Kind, Made};
use super::super::turns::{Secs, Turns};
use super::{Asked, CLOSE, Contest};
use crate::sbbk::scene::{COUNT, sound};
use crate::{Claim, Table};

/// All kinds, and what a scene keeps.
fn kinds() -> Vec<Kind> {
    KINDS.into_iter().chain([KEPT]).collect()
}

fn equal(counted: &[Counted]) -> [u64; 2] {
    let same = counted.iter().flat_map(|one| one.pairs.iter().zip(&counted[0].pairs));
    let all = counted.iter().map(|one| one.pairs.len() as u64).sum();
    [same.filter(|(a, b)| a == b).count() as u64, all]
}

pub(super) fn contests(quick: bool) -> Vec<Contest> {
    let rounds = if quick { 1 } else { 7 };
    scene::deforming(quick)
        .iter()
        .map(|scene| {
            let kinds = kinds();
            let mut stands: Vec<Stand> =
                kinds.iter().map(|&kind| Stand::new(scene, kind)).collect();
            let counted: Vec<Counted> =
                stands.iter_mut().map(|stand| stand.count(&COUNT)).collect();
            let turns = Turns::run(rounds, stands.len(), |kind| stands[kind].time(&COUNT));
            Contest {
                asked: Asked::Deforming,
                scene: scene.name,
                names: kinds.iter().map(|kind| kind.name).collect(),
                turns,
                own: kinds.len() - 1,
                equal: equal(&counted),
                contacts: counted[0].contacts(),
            }
        })
        .collect()
}

/// Chosen layers beside those of one family and SBBK, on one scene.
pub(super) struct Chosen {
    scene: &'static str,
    layering: Layers,
    names: Vec<&'static str>,
    /// The chosen one first.
    turns: Turns,
    equal: [u64; 2],
}

impl Chosen {
    fn of(scene: &Scene, rounds: usize) -> Option<Self> {
        // As they stand in the first frame.
        let first = scene.frames().first()?;
        let standing = scene.meshes.iter().zip(first);
        let meshes: Vec<Mesh> = standing
            .map(|(mesh, points)| mesh.with_vertices(points.clone()).ok())
            .collect::<Option<_>>()?;
        let aabb = sound(Layers::single(Family::Aabb));
        let config = Config::default().with_family(Family::Aabb);
        let layered = |mesh: &Mesh| HybridTree::new(mesh.clone(), &aabb, &config);
        let [a, b] = [layered(&meshes[0]), layered(&meshes[1])];
        let placements = [[Pose::IDENTITY; 2]];
        let costs = Costs::default();
        let purpose = Purpose { placements: &placements, refits: 1.0, costs, families: &SOFT };
        let layering = choose(&a, &b, &purpose)?.layering;
        let made = scene.meshes.iter().map(|mesh| {
            let tree = HybridTree::new(mesh.clone(), &layering, &config);
            Made::HybridTree(Box::new(tree))
        });
        let others: Vec<Kind> = kinds().into_iter().filter(Kind::is_layered).collect();
        let mut stands = vec![Stand::with(scene, KEPT, made.collect())];
        stands.extend(others.iter().map(|&kind| Stand::new(scene, kind)));
        let counted: Vec<Counted> = stands.iter_mut().map(|stand| stand.count(&COUNT)).collect();
        let turns = Turns::run(rounds, stands.len(), |kind| stands[kind].time(&COUNT));
        let names = ["chosen"].into_iter().chain(others.iter().map(|kind| kind.name)).collect();
        Some(Self { scene: scene.name, layering, names, turns, equal: equal(&counted) })
    }

    /// The best of the others.
    fn rival(&self) -> usize {
        let ranked = self.turns.ranked(Secs::both);
        ranked.into_iter().find(|&contestant| contestant != 0).unwrap_or(0)
    }

    fn ratio(&self) -> f64 {
        self.turns.ratio(0, self.rival(), Secs::both).median
    }
}

pub(super) fn chosen(quick: bool) -> Vec<Chosen> {
    let rounds = if quick { 1 } else { 7 };
    scene::deforming(quick).iter().filter_map(|scene| Chosen::of(scene, rounds)).collect()
}

pub(super) fn table(chosen: &[Chosen]) -> Table {
    let mut table = Table::new(
        "Layers chosen from the geometry, against the best layers by hand",
        ["scene", "chosen", "answers", "best by hand, by time", "time, chosen over best by hand"],
    );
    for one in chosen {
        table.row([
            one.scene.into(),
            one.layering.to_string().into(),
            one.equal[1].into(),
            one.names[one.rival()].into(),
            one.ratio().into(),
        ]);
    }
    table
}

pub(super) fn claim(chosen: &[Chosen]) -> Claim {
    let words: Vec<String> = chosen
        .iter()
        .map(|one| format!("{}: {:.2} × {}", one.scene, one.ratio(), one.names[one.rival()]))
        .collect();
    let is_right = chosen.iter().all(|one| one.equal[0] == one.equal[1]);
    Claim::timed(
        "COMMON-map-choose",
        "Layers that `model::choose` finds for bodies that deform are the fastest of all layers, or within a fifth.",
    )
    .paper(OWN)
    .ours(words.join("; "))
    .holds_if(is_right && chosen.iter().all(|one| one.ratio() <= CLOSE))
    .why("It goes by counts in the first frame and by costs that were measured once.")
}
