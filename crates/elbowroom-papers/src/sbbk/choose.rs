//! Which families, and from which levels on: chosen from the geometry.
//!
//! What a family is worth on a level depends on how many pairs get there and on how many it lets
//! through. Both are counted: for every family a tree of that family alone is traversed at some
//! poses. Then
//!
//! ```text
//!   best(ℓ, f)  =  min over g of  best(ℓ − 1, g)  +  visits(ℓ, g)·cost(f)  +  refits·nodes(ℓ)·refit(f)
//! ```
//!
//! is the least that the levels down to ℓ cost if f is the family of ℓ, where visits(ℓ, g) are the
//! pairs that get to level ℓ through volumes of g: what a level lets through is nearly what its own
//! volumes let through, whatever is above them, since volumes shrink from level to level. With the
//! pairs of triangles that the last family leaves, the cheapest sequence of families follows, in
//! levels × families² × layers steps.
//!
//! Such a sequence is found for every number of layers. All are then tried, and so are trees of one
//! family and the paper's hybrids; what is really cheapest at these poses, by the same costs, is
//! the answer. So it is never worse than one of those.
//!
//! A layer is not for nothing: pairs that go from one to the next change stacks, and each stack's
//! loop starts again. Every layer beyond the first therefore adds [`LAYER`] to the cost. Without
//! that, six layers were chosen for a landscape that took 14 % longer than one (bench `refit`,
//! section *queries*).
//!
//! Source: Liu, Wang and Yang, *A three-layer hybrid bounding volume hierarchy for collision
//! detection* (2017), who set levels by hand and call this their future work.

use std::ops::ControlFlow;

use glam::{DQuat, DVec3};

use crate::sbbk::HybridTree;
use crate::sbbk::Spaces;
use crate::sbbk::cost::Costs;
use crate::sbbk::{LayeredPairs, LeafJudge, layered};
use crate::sbbk::{Layers, MOST_LAYERS};
use elbowroom::internal::bvh::{NodeId, Tree};
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::math::random::Random;
use elbowroom::internal::traverse::{Judge, Path, Tally, Workspace, pair};
use elbowroom::internal::volume::Family;

/// The purpose of layers: sample poses, the rate of refits, and costs.
#[derive(Clone, Copy, Debug)]
pub struct Purpose<'a> {
    /// Sample poses of the first and the second model.
    pub placements: &'a [[Pose; 2]],
    /// The number of refits of a model for each query; 0 for rigid ones.
    pub refits: f64,
    /// The costs of tests.
    pub costs: Costs,
    /// The families to choose from.
    pub families: &'a [Family],
}

/// The families that follow a body that deforms.
pub const SOFT: [Family; 6] =
    [Family::Sphere, Family::Aabb, Family::Kdop14, Family::Kdop18, Family::Kdop24, Family::Kdop26];

/// All families that can be layers.
pub const RIGID: [Family; 7] = [
    Family::Sphere,
    Family::Aabb,
    Family::Obb,
    Family::Kdop14,
    Family::Kdop18,
    Family::Kdop24,
    Family::Kdop26,
];

/// Layers that were chosen, and what for.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The cheapest.
    pub layering: Layers,
    /// The cost of a query and its share of refits, in nanoseconds, at the sample poses.
    pub cost: f64,
    /// All that were tried, with their costs.
    pub tried: Vec<(Layers, f64)>,
}

/// What a layer beyond the first adds to the cost of a query, as a share of it.
const LAYER: f64 = 0.015;

/// Chooses the layers with which two models are cheapest to compare. Their topologies are kept;
/// their present layers do not matter. `None` if there is no pose or no family to choose from.
///
/// ```
/// use elbowroom_papers::sbbk::{Costs, HybridTree, Purpose, SOFT, choose, sample_placements};
/// use elbowroom_papers::sbbk::Layers;
/// use elbowroom::internal::bvh::Config;
/// use elbowroom::internal::volume::Family;
/// use elbowroom::Mesh;
/// use glam::DVec3;
///
/// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z], vec![[0, 1, 2], [0, 1, 3]])?;
/// let model = HybridTree::new(mesh, &Layers::single(Family::Aabb)?, &Config::default());
/// let placements = sample_placements(&model, &model, 8, false);
/// let costs = Costs::default();
/// let purpose = Purpose { placements: &placements, refits: 2.0, costs, families: &SOFT };
/// let choice = choose(&model, &model, &purpose).expect("there are placements");
/// let chosen = model.with_layering(&choice.layering);
/// assert!(choice.tried.iter().all(|&(_, cost)| choice.cost <= cost) && chosen.validate().is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn choose(a: &HybridTree, b: &HybridTree, purpose: &Purpose) -> Option<Choice> {
    if purpose.placements.is_empty() {
        return None;
    }
    let mut workspace = Workspace::default();
    let census: Vec<Census> = purpose
        .families
        .iter()
        .filter_map(|&family| Census::of(a, b, family, purpose, &mut workspace))
        .collect();
    let mut candidates: Vec<Layers> = Vec::new();
    candidates.extend(sequences(&census, purpose, [a.tree(), b.tree()]));
    candidates.extend(census.iter().filter_map(|one| Layers::single(one.family).ok()));
    candidates.extend(hand_made(purpose.families));
    let tried: Vec<(Layers, f64)> = candidates
        .into_iter()
        .map(|layering| {
            let cost = cost(a, b, &layering, purpose, &mut workspace);
            (layering, cost)
        })
        .collect();
    let (layering, cost) = tried.iter().min_by(|x, y| x.1.total_cmp(&y.1))?.clone();
    Some(Choice { layering, cost, tried })
}

/// The paper's hybrids of the families that may be chosen, with layers that begin where they often
/// do.
fn hand_made(families: &[Family]) -> Vec<Layers> {
    let mut made = Vec::new();
    for k in [14, 18, 24, 26] {
        made.extend([2, 4, 6, 8].into_iter().filter_map(|from| Layers::sbbk(k, 1, from).ok()));
        made.extend([3, 6].into_iter().filter_map(|from| Layers::aabb_kdop(k, from).ok()));
    }
    made.extend([Layers::s_aabb(1), Layers::s_obb(1), Layers::s_obb(3)].into_iter().flatten());
    made.extend([Layers::hbbcd(1, 2), Layers::hbbcd(1, 4)].into_iter().flatten());
    made.retain(|layering| layering.runs().iter().all(|(family, _)| families.contains(family)));
    made
}

/// What queries with these layers cost at the poses of the purpose, each, with their share of
/// refits: by the tests that are really made.
fn cost(
    a: &HybridTree,
    b: &HybridTree,
    layering: &Layers,
    purpose: &Purpose,
    workspace: &mut Workspace,
) -> f64 {
    let (a, b) = (a.with_layering(layering), b.with_layering(layering));
    let mut sum = 0.0;
    for [pose_a, pose_b] in purpose.placements {
        let spaces = Spaces::new(pose_a, a.reach(), pose_b, b.reach(), 0.0);
        let mut tally = Tally::default();
        let mut leaves = Leaves { a: a.tree(), b: b.tree(), pairs: 0 };
        let trees = (a.layered_tree(), b.layered_tree());
        let path = Path::default();
        let _ = layered(trees, &spaces, path, &mut leaves, &mut tally, workspace);
        tally.primitives = leaves.pairs;
        sum += purpose.costs.of(&tally, spaces.is_shifted());
    }
    let more = 1.0 + LAYER * (layering.runs().len() - 1) as f64;
    more * sum / purpose.placements.len() as f64 + refit_cost(&a, &b, purpose)
}

/// A query's share of the refits of two models.
pub(crate) fn refit_cost(a: &HybridTree, b: &HybridTree, purpose: &Purpose) -> f64 {
    let volumes = a.layers().columns().iter().chain(b.layers().columns());
    let refit: f64 = volumes
        .map(|column| column.len() as f64 * purpose.costs.refit[column.family() as usize])
        .sum();
    if purpose.refits > 0.0 { purpose.refits * refit } else { 0.0 }
}

/// Counts the pairs of triangles that would be tested.
struct Leaves<'a> {
    a: &'a Tree,
    b: &'a Tree,
    pairs: u64,
}

impl LeafJudge for Leaves<'_> {
    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()> {
        self.pairs += (self.a.members(a).len() * self.b.members(b).len()) as u64;
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// How a tree of one family fares, per query.
struct Census {
    family: Family,
    /// The pairs that get to each level: turned against each other, and parallel.
    visits: Vec<[f64; 2]>,
    /// Pairs of triangles that are left.
    primitives: f64,
}

impl Census {
    /// Nothing for a family that cannot be a layer.
    fn of(
        a: &HybridTree,
        b: &HybridTree,
        family: Family,
        purpose: &Purpose,
        workspace: &mut Workspace,
    ) -> Option<Self> {
        let layering = Layers::single(family).ok()?;
        let (a, b) = (a.with_layering(&layering), b.with_layering(&layering));
        let share = 1.0 / purpose.placements.len() as f64;
        let mut census = Self { family, visits: Vec::new(), primitives: 0.0 };
        for [pose_a, pose_b] in purpose.placements {
            let spaces = Spaces::new(pose_a, a.reach(), pose_b, b.reach(), 0.0);
            let mut counter = Counter {
                pairs: LayeredPairs { a: a.layered_tree(), b: b.layered_tree(), spaces: &spaces },
                share,
                census: &mut census,
            };
            let _ = pair(a.tree(), b.tree(), Path::default(), &mut counter, workspace);
        }
        Some(census)
    }

    /// The cost of testing with a family what comes to a level through this one.
    fn cost(&self, level: usize, family: Family, costs: &Costs) -> f64 {
        let [turned, shifted] = self.visits.get(level).copied().unwrap_or_default();
        turned * costs.test(family, false) + shifted * costs.test(family, true)
    }
}

/// Counts who gets to which level: that of the lower one of two.
struct Counter<'a> {
    pairs: LayeredPairs<'a>,
    share: f64,
    census: &'a mut Census,
}

impl Judge for Counter<'_> {
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        let level = self.pairs.a.tree.level(a).max(self.pairs.b.tree.level(b)) as usize;
        let visits = &mut self.census.visits;
        if visits.len() <= level {
            visits.resize(level + 1, [0.0; 2]);
        }
        visits[level][usize::from(self.pairs.spaces.is_shifted())] += self.share;
        self.pairs.may_meet(a, b)
    }

    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.pairs.is_first_larger(a, b)
    }

    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()> {
        let (a, b) = (self.pairs.a.tree.members(a), self.pairs.b.tree.members(b));
        self.census.primitives += (a.len() * b.len()) as f64 * self.share;
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The best way down to a level with a family and a number of layers.
#[derive(Clone, Copy, Debug)]
struct Way {
    cost: f64,
    /// The family of the level above, by its place in the census.
    above: usize,
}

/// The cheapest sequence of families for each number of layers, by the model above; nothing without
/// a census.
fn sequences(census: &[Census], purpose: &Purpose, trees: [&Tree; 2]) -> Vec<Layers> {
    let levels = census.iter().map(|one| one.visits.len()).max().unwrap_or(0);
    if levels == 0 {
        return Vec::new();
    }
    let nodes = nodes_by_level(trees);
    let own = |level: usize, f: usize| {
        let refit = purpose.costs.refit[census[f].family as usize];
        let moved = purpose.refits * nodes.get(level).copied().unwrap_or(0.0);
        if moved > 0.0 { moved * refit } else { 0.0 }
    };
    let none = Way { cost: f64::INFINITY, above: 0 };
    // By level, number of layers less one, and family.
    let mut ways = vec![vec![[none; MOST_LAYERS]; census.len()]; levels];
    for f in 0..census.len() {
        let cost = census[f].cost(0, census[f].family, &purpose.costs) + own(0, f);
        ways[0][f][0] = Way { cost, above: f };
    }
    for level in 1..levels {
        for f in 0..census.len() {
            for g in 0..census.len() {
                let step = census[g].cost(level, census[f].family, &purpose.costs) + own(level, f);
                let more = usize::from(f != g);
                for layers in more..MOST_LAYERS {
                    let cost = ways[level - 1][g][layers - more].cost + step;
                    if cost < ways[level][f][layers].cost {
                        ways[level][f][layers] = Way { cost, above: g };
                    }
                }
            }
        }
    }
    let last = &ways[levels - 1];
    let total = |f: usize, layers: usize| {
        last[f][layers].cost + census[f].primitives * purpose.costs.primitive
    };
    let ends = (0..MOST_LAYERS).filter_map(|layers| {
        let best = (0..census.len()).min_by(|&f, &g| total(f, layers).total_cmp(&total(g, layers)));
        best.filter(|&f| total(f, layers) < f64::INFINITY).map(|f| (f, layers))
    });
    ends.filter_map(|(f, layers)| Layers::new(traced(&ways, census, f, layers)).ok()).collect()
}

/// The runs of the way that ends with a family and a number of layers less one.
fn traced(
    ways: &[Vec<[Way; MOST_LAYERS]>],
    census: &[Census],
    mut f: usize,
    mut layers: usize,
) -> Vec<(Family, u32)> {
    let mut runs = Vec::new();
    for level in (0..ways.len()).rev() {
        let above = ways[level][f][layers].above;
        if level == 0 || above != f {
            runs.push((census[f].family, level as u32));
        }
        layers -= usize::from(above != f);
        f = above;
    }
    runs.reverse();
    runs
}

/// How many nodes both trees have on each level.
fn nodes_by_level(trees: [&Tree; 2]) -> Vec<f64> {
    let mut nodes = Vec::new();
    for tree in trees {
        for node in tree.nodes() {
            let level = tree.level(node) as usize;
            if nodes.len() <= level {
                nodes.resize(level + 1, 0.0);
            }
            nodes[level] += 1.0;
        }
    }
    nodes
}

/// Places at which two models are entangled, touching or near: the same ones every time. Turned
/// against each other, or not, as bodies are that deform where they stand.
pub fn sample_placements(
    a: &HybridTree,
    b: &HybridTree,
    count: usize,
    is_turned: bool,
) -> Vec<[Pose; 2]> {
    let (middle_a, middle_b) = (a.bounds().center(), b.bounds().center());
    let apart = a.bounds().half().length() + b.bounds().half().length();
    let mut numbers = Numbers(Random::new(0x5bb4));
    let places = (0..count).filter_map(|index| {
        let turn = if is_turned { numbers.rotation() } else { DQuat::IDENTITY };
        // From well within each other to hardly touching.
        let share = 0.15 + 0.6 * (index as f64 + 0.5) / count as f64;
        let step = numbers.rotation() * DVec3::X * (share * apart);
        let place = Pose::from_quat(turn, middle_a + step - turn * middle_b).ok()?;
        Some([Pose::IDENTITY, place])
    });
    places.collect()
}

struct Numbers(Random);

impl Numbers {
    /// In −1 to 1.
    fn next(&mut self) -> f64 {
        self.0.bits() as f64 / (1_u64 << 63) as f64 - 1.0
    }

    /// Even over all rotations: a point of the unit ball in four dimensions.
    fn rotation(&mut self) -> DQuat {
        loop {
            let q = DQuat::from_xyzw(self.next(), self.next(), self.next(), self.next());
            if (0.01..1.0).contains(&q.length_squared()) {
                return q.normalize();
            }
        }
    }
}
