//! Layers chosen by the clock.
//!
//! [`choose`] goes by counts and a table of costs, and gives the same answer everywhere. What a
//! test costs differs, though, from scene to scene (how soon a test ends, what is in the caches)
//! and from machine to machine. Here the cheapest few of what it tried are run, and the fastest
//! wins.
//!
//! Every query is timed by itself, the candidates take turns, and of each query the least time
//! counts, so that other programs disturb little. Even so, **the answer may differ from run to
//! run**: which layers are chosen, never what queries say.

use std::hint::black_box;
use std::time::Instant;

use crate::sbbk::Layers;
use crate::sbbk::collide_layered;
use crate::sbbk::{Choice, HybridTree, Purpose, choose, refit_cost};
use elbowroom::internal::math::sort::many_by;
use elbowroom::internal::query::{CollisionRequest, Want};
use elbowroom::internal::traverse::Workspace;

/// The number of cheapest candidates that are run.
const SHORTLIST: usize = 8;
/// The number of runs of each.
const ROUNDS: usize = 9;

/// Chooses layers as [`choose`] does, and then by the clock among the cheapest few. Not
/// deterministic: two that are about as fast may win in turns. The costs of the choice are
/// nanoseconds as measured, with the refits as the purpose's table has them.
///
/// ```
/// use elbowroom_papers::sbbk::{Costs, HybridTree, Purpose, RIGID, sample_placements};
/// use elbowroom_papers::sbbk::choose_by_clock;
/// use elbowroom_papers::sbbk::Layers;
/// use elbowroom::internal::bvh::Config;
/// use elbowroom::internal::volume::Family;
/// use elbowroom::Mesh;
/// use glam::DVec3;
///
/// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z], vec![[0, 1, 2], [0, 1, 3]])?;
/// let model = HybridTree::new(mesh, &Layers::single(Family::Aabb)?, &Config::default());
/// let placements = sample_placements(&model, &model, 8, true);
/// let costs = Costs::default();
/// let purpose = Purpose { placements: &placements, refits: 0.0, costs, families: &RIGID };
/// let choice = choose_by_clock(&model, &model, &purpose).expect("there are placements");
/// assert!(choice.tried.iter().all(|&(_, nanos)| choice.cost <= nanos));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn choose_by_clock(a: &HybridTree, b: &HybridTree, purpose: &Purpose) -> Option<Choice> {
    let tried = timed(a, b, purpose, shortlist(choose(a, b, purpose)?.tried));
    let (layering, cost) = tried.iter().min_by(|x, y| x.1.total_cmp(&y.1))?.clone();
    Some(Choice { layering, cost, tried })
}

/// The cheapest by the table, each once.
fn shortlist(mut tried: Vec<(Layers, f64)>) -> Vec<Layers> {
    many_by(&mut tried, |x, y| x.1.total_cmp(&y.1));
    let mut list: Vec<Layers> = Vec::new();
    for (layering, _) in tried {
        if list.len() < SHORTLIST && !list.contains(&layering) {
            list.push(layering);
        }
    }
    list
}

/// Nanoseconds of a query with each.
fn timed(
    a: &HybridTree,
    b: &HybridTree,
    purpose: &Purpose,
    list: Vec<Layers>,
) -> Vec<(Layers, f64)> {
    let question = CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
    let mut workspace = Workspace::default();
    let models: Vec<[HybridTree; 2]> =
        list.iter().map(|layering| [a, b].map(|model| model.with_layering(layering))).collect();
    let mut least = vec![vec![f64::INFINITY; purpose.placements.len()]; models.len()];
    for _ in 0..ROUNDS {
        for ([a, b], least) in models.iter().zip(&mut least) {
            for ([pose_a, pose_b], least) in purpose.placements.iter().zip(least) {
                let start = Instant::now();
                black_box(collide_layered(a, pose_a, b, pose_b, &question, &mut workspace));
                *least = least.min(start.elapsed().as_secs_f64());
            }
        }
    }
    let nanos = models.iter().zip(&least).map(|([a, b], least)| {
        1e9 * least.iter().sum::<f64>() / least.len() as f64 + refit_cost(a, b, purpose)
    });
    list.into_iter().zip(nanos).collect()
}
