//! Chunks on many threads, and put together in their order: the same tree, bit for bit, as from
//! one.
//!
//! A thread builds a chunk as if it were the first of all; when it is appended, what its boxes say
//! of blocks and records below them is moved up by as many as are there already. A batch at a time,
//! so that little is held twice.

use rayon::prelude::*;

use super::chunk::{Root, Workspace};
use super::top::Place;
use super::{Builder, Chunks};
use crate::internal::bvh::packed::{ChildRef, Packed};

/// Fewer chunks are built sooner than shared out. No record compares other values.
const LEAST: usize = 4;
/// The number of chunks held at a time. No record compares other values.
const BATCH: usize = 256;

/// Whether there are enough chunks, and threads.
pub(super) fn is_worthwhile(chunks: usize) -> bool {
    chunks >= LEAST && rayon::current_num_threads() > 1
}

/// All chunks; `island` makes what is to be an island of its own.
pub(super) fn build(
    builder: &Builder,
    chunks: &Chunks,
    packed: &mut Packed,
    island: &mut impl FnMut(usize, &Place, &mut Packed) -> Root,
) -> Vec<Root> {
    let mut roots = Vec::with_capacity(chunks.places.len());
    for batch in chunks.places.chunks(BATCH) {
        let build = |workspace: &mut Workspace, place: &Place| {
            let mut part = Packed::nothing();
            let root = match place.island {
                None => Some(builder.build_chunk(chunks, place, workspace, &mut part)),
                Some(_) => None,
            };
            (part, root)
        };
        let parts: Vec<(Packed, Option<Root>)> =
            batch.par_iter().map_init(Workspace::default, build).collect();
        for (place, (part, root)) in batch.iter().zip(parts) {
            match (place.island, root) {
                (Some(node), _) => roots.push(island(node, place, packed)),
                (None, Some(root)) => {
                    let below = packed.moved(root.below);
                    packed.append(part);
                    roots.push(Root { below, ..root });
                }
                (None, None) => unreachable!("a chunk that is no island has been built"),
            }
        }
    }
    roots
}

impl Packed {
    fn nothing() -> Self {
        let (blocks, records, ids) = (Vec::new(), Vec::new(), Vec::new());
        Self { blocks, records, ids, starts: Vec::new(), islands: Vec::new() }
    }

    /// What is below a box of a part that comes next.
    fn moved(&self, below: ChildRef) -> ChildRef {
        if below == ChildRef::NOTHING {
            below
        } else if let Some(block) = below.as_block() {
            ChildRef::block(block + self.blocks.len())
        } else {
            let records = below.records();
            ChildRef::leaf(records.start as usize + self.records.len(), records.len())
        }
    }

    fn append(&mut self, mut part: Self) {
        for block in &mut part.blocks {
            for below in &mut block.0[15] {
                *below = f32::from_bits(self.moved(ChildRef(below.to_bits())).0);
            }
        }
        let ids = self.ids.len() as u32;
        if self.starts.is_empty() && !part.starts.is_empty() {
            self.starts = (0..=ids).collect();
        }
        if !part.starts.is_empty() {
            self.starts.extend(part.starts[1..].iter().map(|start| start + ids));
        } else if !self.starts.is_empty() {
            self.starts.extend((1..=part.ids.len() as u32).map(|count| count + ids));
        }
        self.blocks.append(&mut part.blocks);
        self.records.append(&mut part.records);
        self.ids.append(&mut part.ids);
    }
}
