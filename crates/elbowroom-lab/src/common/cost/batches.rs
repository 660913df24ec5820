//! The packed tree's kernels alone: full batches, on a few blocks that stay in the cache.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::array::from_fn;
use std::hint::black_box;

use elbowroom::Mesh;
use elbowroom::internal::arch::{Block, F32xN, Kernel, PackedTriangle, SimdLevel, run};
use elbowroom::internal::exact::{Plane, TriangleTransform, pack_triangle, relate_batch};
use elbowroom::internal::model::Model;
use elbowroom::internal::volume::obb_batch::{BoxTransform, WorkItems, separate_batch};
use glam::DVec3;

use super::fit::Costs;
use crate::random::Random;
use crate::rounds::Rounds;

/// Batches in one go.
const BATCHES: usize = 512;

/// Seconds of one test of two boxes and of one of two triangles, each a sixteenth of a batch.
pub(super) fn measure(rounds: usize) -> Costs {
    let head = elbowroom_make::monkey_head(5);
    let mut random = Random::new(81);
    let blocks = blocks(&head);
    let (turn, step) = (random.rotation(), DVec3::new(1.1, 0.2, -0.3));
    let mut pick = |count: usize| random.below(count as u64) as usize;
    let units: Vec<[[usize; 4]; 2]> =
        (0..BATCHES).map(|_| [(); 2].map(|()| from_fn(|_| pick(blocks.len())))).collect();
    let records: Vec<PackedTriangle> =
        (0..256).map(|i| pack_triangle(head.triangle(i % head.triangles().len()))).collect();
    let ids: Vec<[[u32; 16]; 2]> =
        (0..BATCHES).map(|_| [(); 2].map(|()| from_fn(|_| pick(records.len()) as u32))).collect();
    let frame = BoxTransform::new(turn, step, 1e-5);
    let transform = TriangleTransform::new(turn, step, 16.0);
    let level = SimdLevel::best();
    let mut boxes = || {
        for _ in 0..16 {
            black_box(run(level, Boxes { blocks: &blocks, units: &units, frame: &frame }));
        }
    };
    let mut triangles = || {
        for _ in 0..16 {
            black_box(run(
                level,
                Triangles { records: &records, ids: &ids, transform: &transform },
            ));
        }
    };
    let taken = Rounds::run(rounds, &mut [&mut boxes, &mut triangles]);
    let one = |contestant: usize| taken.secs(contestant).median / (16 * BATCHES * 16) as f64;
    Costs { volume: one(0), primitive: one(1) }
}

/// Some full blocks of a packed tree.
fn blocks(mesh: &Mesh) -> Vec<Block> {
    let model = Model::new(mesh.clone());
    let Some(packed) = model.packed() else { return Vec::new() };
    let block = |index: usize| -> Option<Block> {
        let mut block = [[0.0; 4]; 16];
        for lane in 0..4 {
            let (small, _) = packed.volume(index, lane)?;
            let axes = small.axes.into_iter().flat_map(|axis| axis.to_array());
            let numbers = axes.chain(small.centre.to_array()).chain(small.half.to_array());
            for (row, number) in block.iter_mut().zip(numbers) {
                row[lane] = number;
            }
        }
        Some(Block(block))
    };
    (0..packed.blocks()).filter_map(block).take(48).collect()
}

struct Boxes<'a> {
    blocks: &'a [Block],
    units: &'a [[[usize; 4]; 2]],
    frame: &'a BoxTransform,
}

impl Kernel for Boxes<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<W: F32xN>(self) -> u32 {
        let mut met = 0;
        for [singles, nodes] in self.units {
            for first in (0..16).step_by(W::LANES) {
                let at = |of: &[usize; 4], u: usize| &self.blocks[of[(first / 4 + u) % 4]];
                let units = WorkItems {
                    singles: from_fn(|u| at(singles, u)),
                    lanes: from_fn(|u| u as u32),
                    nodes: from_fn(|u| at(nodes, u)),
                };
                let found = separate_batch::<W>(&units, [self.frame; 4], true);
                met += W::bits(W::without(found.present, found.apart)).count_ones();
            }
        }
        met
    }
}

struct Triangles<'a> {
    records: &'a [PackedTriangle],
    ids: &'a [[[u32; 16]; 2]],
    transform: &'a TriangleTransform,
}

impl Kernel for Triangles<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<W: F32xN>(self) -> u32 {
        let (mut met, mut plane) = (0, Plane::default());
        for [a, b] in self.ids {
            let found =
                relate_batch::<W>([self.records; 2], [a, b], 16, self.transform, &mut plane);
            met += found.crossing.count_ones() + found.unsure.count_ones();
        }
        met
    }
}
