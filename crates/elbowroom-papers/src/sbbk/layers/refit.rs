//! Refitting a layer from the bottom up.
//!
//! A [`Plan`] is made once a tree. For each slot of a layer it says which children are in the same
//! layer, and which vertices belong to children that are not, each vertex once: so the lowest nodes
//! of a layer are fitted to their vertices and the others merged, and no layer has to wait for
//! another. The lists of a layer together are not much longer than the mesh has vertices, or three
//! a leaf.
//!
//! First come the volumes around vertices, then those above others: slots stand in the tree's
//! order, so that walking them backwards is bottom-up, and what is below a node is one run of
//! the column. With the feature `parallel` such runs are refitted side by side; each volume is
//! worked out from the same numbers in the same way, so nothing depends on how many threads there
//! are.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::ops::Range;

use glam::DVec3;

use crate::sbbk::layers::{LayerPlace, Layers};
use crate::sbbk::refit::Refit;
use elbowroom::internal::arch::{F64x4, F64x4Kernel, SimdLevel, run_f64x4};
use elbowroom::internal::bvh::topology::{NodeId, Tree};
use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::volume::Fit;

/// How one layer is refitted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    steps: Vec<Step>,
    /// The vertices, in the order of the slots that read them.
    lists: Vec<u32>,
    /// The slots without children in this layer, and those with, ascending. Apart, because a
    /// processor cannot guess which is next.
    bottoms: Vec<u32>,
    uppers: Vec<u32>,
    /// Runs of slots with all that is below them in the layer.
    #[cfg(feature = "parallel")]
    runs: Vec<Range<u32>>,
    /// The slots that are in none of them.
    #[cfg(feature = "parallel")]
    heads: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    /// The slot of the first child in this layer.
    child: u32,
    /// How many children are in this layer: 0, 1 or 2, side by side.
    children: u32,
    /// The vertices of the others, as a run of the lists.
    first: u32,
    count: u32,
}

/// The plans of all layers.
pub(super) fn plans(
    layering: &Layers,
    tree: &Tree,
    mesh: &Mesh,
    places: &[LayerPlace],
) -> Vec<Plan> {
    let mut plans = vec![Plan::default(); layering.runs().len()];
    // Which node a vertex was last listed for.
    let mut listed = vec![u32::MAX; mesh.vertices().len()];
    for node in tree.nodes() {
        let layer = places[node.index()].layer;
        let plan = &mut plans[layer as usize];
        let is_here = |child: &NodeId| places[child.index()].layer == layer;
        let (here, elsewhere): (Vec<NodeId>, Vec<NodeId>) = match tree.children(node) {
            None => (Vec::new(), vec![node]),
            Some(children) => children.into_iter().partition(is_here),
        };
        let first = plan.lists.len();
        for &other in &elsewhere {
            for &triangle in tree.members(other) {
                for corner in mesh.triangles()[triangle as usize] {
                    if std::mem::replace(&mut listed[corner as usize], node.0) != node.0 {
                        plan.lists.push(corner);
                    }
                }
            }
        }
        plan.steps.push(Step {
            child: here.first().map_or(0, |child| places[child.index()].slot),
            children: here.len() as u32,
            first: first as u32,
            count: (plan.lists.len() - first) as u32,
        });
    }
    for plan in &mut plans {
        let slots = 0..plan.steps.len() as u32;
        let is_bottom = |&slot: &u32| plan.steps[slot as usize].children == 0;
        (plan.bottoms, plan.uppers) = slots.partition(is_bottom);
        #[cfg(feature = "parallel")]
        plan.part();
    }
    plans
}

/// Volumes that can be refitted, with the memory for it.
#[derive(Clone, Debug)]
#[expect(private_bounds, reason = "only the families here can be refitted")]
pub struct Refitted<V: Refit> {
    volumes: Vec<V>,
    rows: V::Rows,
}

#[expect(private_bounds, reason = "only the families here can be refitted")]
impl<V: Refit> Refitted<V> {
    pub(super) fn empty() -> Self {
        Self { volumes: Vec::new(), rows: V::Rows::default() }
    }

    /// The volumes, by slot.
    #[inline]
    pub fn as_slice(&self) -> &[V] {
        &self.volumes
    }

    /// The volume of a slot.
    pub fn get(&self, slot: usize) -> Option<&V> {
        self.volumes.get(slot)
    }

    /// Fits each volume to triangles.
    pub(super) fn fit<'a>(
        &mut self,
        mesh: &Mesh,
        members: impl Iterator<Item = &'a [u32]>,
        fit: Fit,
    ) {
        let mut triangles = Vec::new();
        self.volumes.clear();
        self.volumes.extend(members.map(|members| {
            triangles.clear();
            triangles.extend(members.iter().map(|&i| mesh.triangle(i as usize)));
            V::of_triangles(&triangles, fit)
        }));
    }

    /// Refits as the plan says.
    pub(super) fn refit(&mut self, plan: &Plan, vertices: &[DVec3], reach: f64, level: SimdLevel) {
        let level = if V::WIDE { level } else { SimdLevel::Portable };
        run_f64x4(level, Prepare::<V> { rows: &mut self.rows, vertices, reach });
        if self.volumes.len() != plan.steps.len()
            && let Some(filler) = plan.filler()
        {
            let any = V::around(&self.rows, vertices, filler);
            self.volumes.resize(plan.steps.len(), any);
        }
        let frame = Frame { plan, rows: &self.rows, vertices, level };
        frame.all(&mut self.volumes);
    }
}

/// The least and the greatest number of slots for one thread: some five microseconds of work at
/// least.
#[cfg(feature = "parallel")]
const SHARE: std::ops::RangeInclusive<usize> = 1024..=4096;

#[cfg(feature = "parallel")]
impl Plan {
    /// Finds runs of slots that need nothing outside of them, in one walk: a run may end where all
    /// that is below its slots has ended.
    fn part(&mut self) {
        let ends = self.ends();
        let mut start = 0;
        while start < ends.len() {
            let (mut end, mut closed) = (start + 1, start);
            let mut below = ends[start];
            while below - start <= *SHARE.end() {
                if end == below {
                    closed = end;
                }
                if end == ends.len() || closed - start >= *SHARE.start() {
                    break;
                }
                below = below.max(ends[end]);
                end += 1;
            }
            if closed == start {
                self.heads.push(start as u32);
                start += 1;
            } else {
                self.runs.push(start as u32..closed as u32);
                start = closed;
            }
        }
    }

    /// For each slot, where what is below it in the layer ends.
    fn ends(&self) -> Vec<usize> {
        let mut ends = vec![0; self.steps.len()];
        for (slot, step) in self.steps.iter().enumerate().rev() {
            let last = (step.child + step.children).wrapping_sub(1) as usize;
            ends[slot] = match step.children {
                0 => slot + 1,
                _ => ends[step.child as usize].max(ends[last]),
            };
        }
        ends
    }
}

impl Plan {
    /// Some list that is not empty; nothing for a layer without nodes.
    fn filler(&self) -> Option<&[u32]> {
        (!self.lists.is_empty()).then(|| &self.lists[..1])
    }
}

/// Works out the rows.
struct Prepare<'a, V: Refit> {
    rows: &'a mut V::Rows,
    vertices: &'a [DVec3],
    reach: f64,
}

impl<V: Refit> F64x4Kernel for Prepare<'_, V> {
    #[inline(always)]
    fn run<F: F64x4>(self) {
        V::prepare(self.rows, self.vertices, self.reach);
    }
}

/// What a refit knows while it runs.
struct Frame<'a, V: Refit> {
    plan: &'a Plan,
    rows: &'a V::Rows,
    vertices: &'a [DVec3],
    level: SimdLevel,
}

impl<V: Refit> Frame<'_, V> {
    /// All of the column.
    #[cfg(feature = "parallel")]
    fn all(&self, volumes: &mut [V]) {
        let Plan { runs, heads, .. } = self.plan;
        if runs.len() < 2 {
            return self.run(volumes, 0);
        }
        self.side_by_side(volumes, 0, runs);
        run_f64x4(self.level, Heads { frame: self, volumes, slots: heads });
    }

    /// All of the column.
    #[cfg(not(feature = "parallel"))]
    fn all(&self, volumes: &mut [V]) {
        self.run(volumes, 0);
    }

    /// Runs of slots, of which none needs another; the part of the column begins at a slot and
    /// holds them.
    #[cfg(feature = "parallel")]
    fn side_by_side(&self, volumes: &mut [V], base: usize, runs: &[Range<u32>]) {
        match runs {
            [] => {}
            [only] => {
                let (start, end) = (only.start as usize, only.end as usize);
                self.run(&mut volumes[start - base..end - base], start);
            }
            _ => {
                let (first, second) = runs.split_at(runs.len() / 2);
                let cut = second[0].start as usize;
                let (left, right) = volumes.split_at_mut(cut - base);
                rayon::join(
                    || self.side_by_side(left, base, first),
                    || self.side_by_side(right, cut, second),
                );
            }
        }
    }

    /// One slot after another.
    fn run(&self, volumes: &mut [V], base: usize) {
        run_f64x4(self.level, Pass { frame: self, volumes, base });
    }

    /// The volume around a slot's own vertices.
    #[inline(always)]
    fn around<F: F64x4>(&self, step: Step) -> V {
        let list = &self.plan.lists[step.first as usize..(step.first + step.count) as usize];
        V::around_on::<F>(self.rows, self.vertices, list)
    }

    /// The volume of a slot whose children in the layer are done.
    #[inline(always)]
    fn above<F: F64x4>(&self, step: Step, children: &[V]) -> V {
        let merged = match children {
            [left, right] => left.joined_on::<F>(right),
            [only, ..] => only.clone(),
            [] => return self.around::<F>(step),
        };
        if step.count == 0 { merged } else { merged.joined_on::<F>(&self.around::<F>(step)) }
    }
}

/// The slots above all runs.
#[cfg(feature = "parallel")]
struct Heads<'a, 'b, V: Refit> {
    frame: &'a Frame<'b, V>,
    volumes: &'a mut [V],
    slots: &'a [u32],
}

#[cfg(feature = "parallel")]
impl<V: Refit> F64x4Kernel for Heads<'_, '_, V> {
    #[inline(always)]
    fn run<F: F64x4>(self) {
        for &slot in self.slots.iter().rev() {
            let step = self.frame.plan.steps[slot as usize];
            let children = step.child as usize..(step.child + step.children) as usize;
            self.volumes[slot as usize] = self.frame.above::<F>(step, &self.volumes[children]);
        }
    }
}

/// A run of a column. K-DOPs name their lanes; of the others a compiler makes registers of the
/// width that it is told, and smallest and largest are the same in all.
struct Pass<'a, 'b, V: Refit> {
    frame: &'a Frame<'b, V>,
    volumes: &'a mut [V],
    base: usize,
}

impl<V: Refit> F64x4Kernel for Pass<'_, '_, V> {
    #[inline(always)]
    fn run<F: F64x4>(self) {
        let Pass { frame, volumes, base } = self;
        let Plan { steps, bottoms, uppers, .. } = frame.plan;
        let run = base as u32..(base + volumes.len()) as u32;
        for &slot in within(bottoms, &run) {
            volumes[slot as usize - base] = frame.around::<F>(steps[slot as usize]);
        }
        for &slot in within(uppers, &run).iter().rev() {
            let step = steps[slot as usize];
            let first = step.child as usize - base;
            let children = &volumes[first..first + step.children as usize];
            volumes[slot as usize - base] = frame.above::<F>(step, children);
        }
    }
}

/// Those of ascending slots that are in a run.
fn within<'a>(slots: &'a [u32], run: &Range<u32>) -> &'a [u32] {
    let first = slots.partition_point(|&slot| slot < run.start);
    let end = slots.partition_point(|&slot| slot < run.end);
    &slots[first..end]
}
