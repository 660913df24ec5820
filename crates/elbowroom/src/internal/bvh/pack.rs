//! A packed tree from a grown one.
//!
//! Four boxes of a block are a node's grandchildren, or so: its two children, of which the one with
//! the largest surface is replaced by its own two until there are four. Small subtrees become
//! leaves. Boxes take their axes from the grown tree's and are measured again.

use std::collections::VecDeque;

use glam::DVec3;

use super::column::Column;
use super::packed::{ChildRef, Island, Packed, empty_block, set_lane};
use super::topology::{NodeId, Tree};
use crate::internal::exact::pack_triangle;
use crate::internal::geom::Aabb;
use crate::internal::geom::mesh::Mesh;
use crate::internal::volume::{SmallObb, Spatial};

/// The greatest number of triangles of a subtree that becomes a leaf.
const LEAF: usize = 2;

impl Packed {
    /// Packs a binary tree over a mesh. `None` if the mesh is too large for f32 (see
    /// [`Packed::LARGEST`]).
    ///
    /// # Panics
    /// If the tree and the column are not of this mesh.
    pub fn from_grown<V: Spatial>(mesh: &Mesh, tree: &Tree, column: &Column<V>) -> Option<Self> {
        let mut packed = Self::begin(mesh, mesh.bounds())?;
        let mut packer = Packer { mesh, tree, column, packed: &mut packed };
        packer.run();
        Some(packed.finished())
    }

    /// An empty tree around the middle of a mesh's bounds.
    pub(crate) fn begin(mesh: &Mesh, Aabb { min: low, max: high }: Aabb) -> Option<Self> {
        let main = Island::begin(low, high, mesh.vertices().iter().copied());
        let extent = (high - main.origin).max(main.origin - low);
        let fits = extent.max_element() <= Self::LARGEST
            && main.origin.abs().max_element() <= Self::FARTHEST
            && mesh.triangles().len() < ChildRef::RECORDS;
        fits.then(|| Self {
            blocks: Vec::new(),
            records: Vec::with_capacity(mesh.triangles().len()),
            ids: Vec::with_capacity(mesh.triangles().len()),
            starts: Vec::new(),
            islands: vec![main],
        })
    }

    /// With reaches that are bounds whatever was lost in their sums.
    pub(crate) fn finished(mut self) -> Self {
        for island in &mut self.islands {
            island.reach = island.reach.next_up();
        }
        self
    }

    /// Appends records for triangles of which copies stand side by side; how many there are.
    pub(crate) fn push_records(&mut self, mesh: &Mesh, triangles: &[u32]) -> usize {
        let before = self.records.len();
        for &triangle in triangles {
            let corners = mesh.triangle(triangle as usize);
            let last = self.ids.last().filter(|_| self.records.len() > before);
            if last.is_some_and(|&last| are_copies(mesh.triangle(last as usize), corners)) {
                self.share_record();
            } else {
                if !self.starts.is_empty() {
                    self.starts.push(self.ids.len() as u32 + 1);
                }
                self.records.push(pack_triangle(corners));
            }
            self.ids.push(triangle);
        }
        self.records.len() - before
    }

    /// The next id goes to the last record.
    fn share_record(&mut self) {
        if self.starts.is_empty() {
            self.starts = (0..=self.ids.len() as u32).collect();
        }
        *self.starts.last_mut().expect("there is an end of the last record") += 1;
    }
}

/// Whether two triangles have the same corners, in any order.
fn are_copies(a: [DVec3; 3], b: [DVec3; 3]) -> bool {
    let [p, q, r] = a;
    [[p, q, r], [p, r, q], [q, p, r], [q, r, p], [r, p, q], [r, q, p]].contains(&b)
}

struct Packer<'a, V> {
    mesh: &'a Mesh,
    tree: &'a Tree,
    column: &'a Column<V>,
    packed: &'a mut Packed,
}

impl<V: Spatial> Packer<'_, V> {
    /// Island by island, so that their blocks stand side by side.
    fn run(&mut self) {
        let mut islands = VecDeque::from([(NodeId::ROOT, 0)]);
        while let Some((node, island)) = islands.pop_front() {
            self.packed.islands[island].root = self.packed.blocks.len() as u32;
            self.pack_island(node, island, &mut islands);
        }
    }

    fn pack_island(
        &mut self,
        root: NodeId,
        island: usize,
        islands: &mut VecDeque<(NodeId, usize)>,
    ) {
        self.packed.blocks.push(empty_block());
        let mut waiting = vec![(root, self.packed.blocks.len() - 1)];
        while let Some((node, block)) = waiting.pop() {
            for (lane, child) in self.four_below(node).into_iter().flatten().enumerate() {
                let volume = self.fit(child, island);
                let below = if self.is_leaf(child) {
                    self.leaf(child, island)
                } else if let Some(own) = self.own_island(child, island) {
                    islands.push_back((child, own));
                    ChildRef::island(own)
                } else {
                    self.packed.blocks.push(empty_block());
                    let below = self.packed.blocks.len() - 1;
                    waiting.push((child, below));
                    ChildRef::block(below)
                };
                self.packed.islands[island].hold(volume.reach());
                set_lane(&mut self.packed.blocks[block], lane, &volume, below);
            }
        }
    }

    /// A new island for a node that is small beside the one that it would be in.
    fn own_island(&mut self, node: NodeId, island: usize) -> Option<usize> {
        let members = self.tree.members(node);
        if members.len() < Island::LEAST {
            return None;
        }
        let corners = || members.iter().flat_map(|&triangle| self.mesh.triangle(triangle as usize));
        let (low, high) = corners()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
                (low.min(p), high.max(p))
            });
        let size = (0.5 * high - 0.5 * low).max_element();
        let is_small = size < Island::SMALLER * self.packed.islands[island].reach;
        is_small.then(|| {
            self.packed.islands.push(Island::begin(low, high, corners()));
            self.packed.islands.len() - 1
        })
    }

    fn is_leaf(&self, node: NodeId) -> bool {
        self.tree.is_leaf(node) || self.tree.members(node).len() <= LEAF
    }

    /// Up to four nodes that together hold what a node holds.
    fn four_below(&self, node: NodeId) -> [Option<NodeId>; 4] {
        let mut four = [Some(node), None, None, None];
        for filled in 1..4 {
            let widest = (0..filled)
                .filter(|&i| four[i].is_some_and(|node| !self.is_leaf(node)))
                .max_by(|&i, &j| self.area(four[i]).total_cmp(&self.area(four[j])));
            let Some(i) = widest else { break };
            let children = four[i].and_then(|node| self.tree.children(node));
            let [left, right] = children.expect("a node that is no leaf has children");
            four[i] = Some(left);
            four[filled] = Some(right);
        }
        four
    }

    fn area(&self, node: Option<NodeId>) -> f64 {
        node.map_or(0.0, |node| self.column[node].area())
    }

    fn fit(&self, node: NodeId, island: usize) -> SmallObb {
        let members = self.tree.members(node);
        let origin = self.packed.islands[island].origin;
        let points = members
            .iter()
            .flat_map(|&triangle| self.mesh.triangle(triangle as usize))
            .map(|corner| corner - origin);
        SmallObb::of_points(self.column[node].boxed().axes, points)
    }

    /// Appends a leaf's records. A leaf of the grown tree may hold more than one of ours can: what
    /// cannot be cut apart.
    fn leaf(&mut self, node: NodeId, island: usize) -> ChildRef {
        let members = self.tree.members(node).to_vec();
        let first = self.packed.records.len();
        let count = self.packed.push_records(self.mesh, &members);
        self.chain((node, island), first, count)
    }

    /// A leaf of a number of packed triangles, or a chain of blocks with leaves of the same box.
    fn chain(&mut self, (node, island): (NodeId, usize), first: usize, count: usize) -> ChildRef {
        if count <= ChildRef::MOST {
            return ChildRef::leaf(first, count);
        }
        let volume = self.fit(node, island);
        let quarter = count.div_ceil(4);
        self.packed.blocks.push(empty_block());
        let block = self.packed.blocks.len() - 1;
        let mut start = first;
        for lane in 0..4 {
            let taken = quarter.min(first + count - start);
            if taken == 0 {
                break;
            }
            let below = self.chain((node, island), start, taken);
            set_lane(&mut self.packed.blocks[block], lane, &volume, below);
            start += taken;
        }
        ChildRef::block(block)
    }
}
