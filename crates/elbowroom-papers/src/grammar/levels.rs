//! A hierarchy node by node and level by level: what a table tells of it and a picture shows.
//!
//! All five structures are listed in the same way. A [`LevelNode`] has its place in the tree and
//! the volume that bounds it, as a [`LevelShape`] that can be measured and drawn; a [`LevelRow`]
//! sums up a level.
//!
//! ```text
//!   level 0        ┌───────┐       a level is a cut through the tree: the nodes at that distance
//!   level 1     ┌──┴─┐   ┌─┴──┐    from the root. Leaves higher up are not counted again below,
//!   level 2    ┌┴┐  ┌┴┐  leaf      but are drawn, so that a picture always shows the whole model.
//! ```
//!
//! *Tightness* is the τ of the OBBTree paper (section 6), the farthest that a volume reaches from
//! what it bounds, measured as the volume's thickness: its smallest width. On a smooth surface
//! halving the diameter of the nodes quarters it for oriented boxes and halves it for spheres and
//! aligned boxes.

mod polytope;
mod shape;

use elbowroom::internal::bvh::{NodeId, Tree};
use elbowroom::internal::volume::Family;

pub use polytope::face_between;
pub use shape::{LevelShape, Listed, Slabs};

/// The greatest number of pairs of siblings that are measured on a level. On levels with more, this
/// many, evenly spaced, stand for all: a shared volume takes microseconds, and there are as many
/// pairs as primitives.
const MOST_SIBLINGS: usize = 128;

/// The nodes of a hierarchy, in the order of its tree: parents before children.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    nodes: Vec<LevelNode>,
}

/// One node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelNode {
    /// How far it is from the root.
    pub level: u32,
    /// The number of its parent; `None` for the root.
    pub parent: Option<u32>,
    /// Whether it has no children.
    pub is_leaf: bool,
    /// How many primitives are below it: triangles, links, pieces of a contour or samples.
    pub primitives: u32,
    /// What bounds it; `None` where a structure keeps no volume, as below the root of a tree of
    /// one level.
    pub bound: Option<LevelBound>,
}

/// The volume of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelBound {
    /// The family.
    pub family: Family,
    /// The surface area; of a cylinder, which has no ends, the area of its circle.
    pub area: f64,
    /// How many bytes it takes in the structure.
    pub bytes: usize,
    /// The shape of the volume, to be drawn.
    pub shape: LevelShape,
}

/// A level in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelRow {
    /// How far from the root.
    pub level: u32,
    /// The nodes.
    pub nodes: usize,
    /// Those without children.
    pub leaves: usize,
    /// The families of its volumes with how many of each, in the order of [`Family`].
    pub families: Vec<(Family, usize)>,
    /// The mean thickness of its volumes; `None` if there is none, or one has no end.
    pub tightness: Option<f64>,
    /// The sum of the areas of its volumes; `None` as for the tightness.
    pub area: Option<f64>,
    /// The share of the smaller sibling's volume that lies in the other one too, as a mean over
    /// the pairs of siblings that have a volume and are of one kind; `None` if there is no
    /// such pair.
    pub overlap: Option<f64>,
    /// Bytes of its nodes and volumes.
    pub bytes: usize,
}

impl Levels {
    /// Lists a tree; `bound` says what bounds a node.
    pub fn of(tree: &Tree, mut bound: impl FnMut(NodeId) -> Option<LevelBound>) -> Self {
        let mut parents = vec![None; tree.len()];
        for node in tree.nodes() {
            for child in tree.children(node).into_iter().flatten() {
                parents[child.index()] = Some(node.0);
            }
        }
        let listed = |node: NodeId| LevelNode {
            level: tree.level(node),
            parent: parents[node.index()],
            is_leaf: tree.is_leaf(node),
            primitives: tree.run(node).len() as u32,
            bound: bound(node),
        };
        Self { nodes: tree.nodes().map(listed).collect() }
    }

    /// All nodes, parents before children.
    pub fn nodes(&self) -> &[LevelNode] {
        &self.nodes
    }

    /// The deepest level.
    pub fn deepest(&self) -> u32 {
        self.nodes.iter().map(|node| node.level).max().unwrap_or(0)
    }

    /// The nodes of a level and the leaves above it: together they bound the whole model. Empty
    /// below the deepest level.
    pub fn cut(&self, level: u32) -> impl Iterator<Item = &LevelNode> {
        let is_there = level <= self.deepest();
        let is_shown = move |node: &&LevelNode| {
            is_there && (node.level == level || node.is_leaf && node.level < level)
        };
        self.nodes.iter().filter(is_shown)
    }

    /// Every level in numbers, from the root down.
    pub fn rows(&self) -> Vec<LevelRow> {
        let mut by_level = vec![Vec::new(); self.deepest() as usize + 1];
        for (index, node) in self.nodes.iter().enumerate() {
            by_level[node.level as usize].push(index);
        }
        by_level.iter().zip(0..).map(|(nodes, level)| self.row(level, nodes)).collect()
    }

    fn row(&self, level: u32, nodes: &[usize]) -> LevelRow {
        let listed = || nodes.iter().map(|&index| &self.nodes[index]);
        let bounds = || listed().filter_map(|node| node.bound.as_ref());
        let count = bounds().count();
        let known = |sum: f64| (count > 0 && sum.is_finite()).then_some(sum);
        let families = Family::ALL.into_iter().chain([Family::TimeBox, Family::TimeObb]);
        let families = families.map(|it| (it, bounds().filter(|bound| bound.family == it).count()));
        let thickness: f64 = bounds().map(|bound| bound.shape.thickness()).sum();
        LevelRow {
            level,
            nodes: nodes.len(),
            leaves: listed().filter(|node| node.is_leaf).count(),
            families: families.filter(|(_, count)| *count > 0).collect(),
            tightness: known(thickness).map(|sum| sum / count as f64),
            area: known(bounds().map(|bound| bound.area).sum()),
            overlap: self.overlap(nodes),
            bytes: nodes.len() * Tree::NODE_BYTES + bounds().map(|b| b.bytes).sum::<usize>(),
        }
    }

    /// Siblings stand side by side.
    fn overlap(&self, nodes: &[usize]) -> Option<f64> {
        let every = (nodes.len() / 2).div_ceil(MOST_SIBLINGS).max(1);
        let pairs = nodes.chunks_exact(2).step_by(every);
        let share = |pair: &[usize]| {
            let [a, b] = [pair[0], pair[1]].map(|index| self.nodes[index].bound);
            let (a, b) = (a?.shape, b?.shape);
            let least = a.volume().min(b.volume());
            let shared = a.shared(&b).filter(|_| least > 0.0 && least.is_finite())?;
            Some((shared / least).clamp(0.0, 1.0))
        };
        let shares: Vec<f64> = pairs.filter_map(share).collect();
        (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
    }
}

impl LevelBound {
    /// Of a volume of points in space.
    pub fn of<V: Listed>(volume: &V) -> Self {
        let (shape, area) = (volume.shape(), volume.area());
        Self { family: V::FAMILY, area, bytes: size_of::<V>(), shape }
    }
}
