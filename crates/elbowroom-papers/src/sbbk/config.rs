//! Which layers a hybrid tree has, by the names of the paper, and how it is grown and descended.

use crate::grammar::{self, Family, Rule};
use crate::sbbk::Layers;
use crate::sbbk::{HybridTree, Purpose, RIGID, SOFT, choose, sample_placements};
use elbowroom::Mesh;

/// Poses of a tree against itself by which layers are chosen.
const SAMPLES: usize = 8;
/// The greatest number of triangles of a choice. Of larger meshes, this many, evenly spaced, stand
/// for all: their upper levels are as large, and a choice grows trees of every family.
const MOST_TRIANGLES: usize = 1 << 13;

/// Where the layers come from.
#[derive(Clone, Debug, PartialEq)]
pub enum LayerChoice {
    /// Set by hand, as in the paper.
    ByHand(Layers),
    /// The cheapest against the tree itself, nearby: the paper's future work.
    Auto {
        /// How many times the mesh is refitted for each query; 0 if it is rigid.
        refits: f64,
    },
}

impl LayerChoice {
    /// The layers that have names, each with its name: the paper's own, those that it compares
    /// itself with, `auto` for rigid meshes, and trees of one family.
    ///
    /// The paper sets boundary levels by hand and does not print them. Here k is 18, and boxes
    /// begin at level 1: the root alone is a ball.
    pub fn named() -> Vec<(&'static str, Self)> {
        let (ball, aabb) = (Family::Sphere, Family::Aabb);
        let mut all = vec![
            ("sbbk", Self::sbbk()),
            ("hbbcd", Self::ByHand(Layers::known([(ball, 0), (aabb, 1), (Family::Obb, 4)]))),
            ("s-aabb", Self::ByHand(Layers::known([(ball, 0), (aabb, 1)]))),
            ("s-obb", Self::ByHand(Layers::known([(ball, 0), (Family::Obb, 1)]))),
            ("aabb-kdop", Self::ByHand(Layers::known([(aabb, 0), (Family::Kdop18, 3)]))),
            ("auto", Self::Auto { refits: 0.0 }),
        ];
        let single = |family| (Family::name(family), Self::ByHand(Layers::known([(family, 0)])));
        all.extend(RIGID.map(single));
        all
    }

    fn sbbk() -> Self {
        Self::ByHand(Layers::known([(Family::Sphere, 0), (Family::Aabb, 1), (Family::Kdop18, 5)]))
    }
}

/// How a hybrid tree is made and how two are descended.
///
/// ```
/// use elbowroom_papers::grammar::{Family, Rule};
/// use elbowroom_papers::sbbk::{Config, HybridTree, Layers};
///
/// let ball = elbowroom_make::icosphere(6);
/// let paper = HybridTree::build(ball.clone(), &Config::paper());
/// assert_eq!(paper.layering().to_string(), "sphere, aabb from 1, 18-dop from 5");
/// let finer = Config::paper().with_layers(Layers::sbbk(26, 2, 6)?);
/// assert_eq!(HybridTree::build(ball, &finer).layering().family_at(9), Family::Kdop26);
/// assert_eq!(finer.rule, Rule::Both);
/// # Ok::<(), elbowroom_papers::sbbk::LayersError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Which family on which level.
    pub layers: LayerChoice,
    /// How the topology is grown; its family is the one that groups are cut by.
    pub grow: grammar::Config,
    /// Which node of a pair gives way to its children.
    pub rule: Rule,
}

impl Config {
    /// Sphere, AABB from level 1, 18-DOP from level 5; both nodes of a pair give way at once.
    pub fn paper() -> Self {
        Self { layers: LayerChoice::sbbk(), grow: grammar::Config::default(), rule: Rule::Both }
    }

    /// A configuration with other layers.
    #[must_use]
    pub fn with_layers(self, layers: Layers) -> Self {
        Self { layers: LayerChoice::ByHand(layers), ..self }
    }

    /// A configuration with the layers that are cheapest if each query comes with this number of
    /// refits.
    #[must_use]
    pub fn auto(self, refits: f64) -> Self {
        Self { layers: LayerChoice::Auto { refits }, ..self }
    }

    /// A configuration with another rule of traversal.
    #[must_use]
    pub fn with_rule(self, rule: Rule) -> Self {
        Self { rule, ..self }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::paper()
    }
}

impl HybridTree {
    /// Of a mesh.
    pub fn build(mesh: Mesh, config: &Config) -> Self {
        let tree = match &config.layers {
            LayerChoice::ByHand(layers) => Self::new(mesh, layers, &config.grow),
            LayerChoice::Auto { refits } => {
                let boxes = Layers::known([(Family::Aabb, 0)]);
                Self::new(mesh, &boxes, &config.grow).with_cheapest(*refits)
            }
        };
        tree.with_rule(config.rule)
    }

    /// A tree of the same mesh and topology with layers as chosen.
    #[must_use]
    pub fn with_choice(&self, layers: &LayerChoice) -> Self {
        match layers {
            LayerChoice::ByHand(layers) => self.with_layering(layers),
            LayerChoice::Auto { refits } => self.with_cheapest(*refits),
        }
    }

    /// The tree with the layers that are cheapest against itself, nearby, if each query comes
    /// with this number of refits.
    fn with_cheapest(&self, refits: f64) -> Self {
        let few = self.few();
        let few = few.as_ref().unwrap_or(self);
        let is_rigid = refits == 0.0;
        let placements = sample_placements(few, few, SAMPLES, is_rigid);
        let families: &[Family] = if is_rigid { &RIGID } else { &SOFT };
        let costs = crate::sbbk::Costs::default();
        let purpose = Purpose { placements: &placements, refits, costs, families };
        let choice = choose(few, few, &purpose);
        choice.map_or_else(|| self.clone(), |choice| self.with_layering(&choice.layering))
    }

    /// A tree over some of the triangles of a large mesh; `None` if it is small.
    fn few(&self) -> Option<Self> {
        let triangles = self.mesh().triangles();
        let every = triangles.len().div_ceil(MOST_TRIANGLES);
        let some = triangles.iter().step_by(every.max(1)).copied().collect();
        let mesh = Mesh::new(self.mesh().vertices().to_vec(), some).ok().filter(|_| every > 1)?;
        Some(Self::new(mesh, self.layering(), &grammar::Config::default()))
    }
}
