//! Thousands of bodies with one skeleton, refitted side by side.
//!
//! What differs from body to body are the rotations of its joints and where it stands; skeleton,
//! boxes of the links and the tree over them are shared. So the structure is examined once
//! ([`Plan`]), and sixteen bodies go through it together, one a lane, a [`Block`]: forward
//! kinematics, the boxes of the links, and the inner boxes of the tree from below. Nothing branches
//! on a pose; where bodies differ, both ways are worked out and one is chosen.
//!
//! ```text
//!   Poses    block · joint · x y z w          · 16 bodies         Strip: 16 numbers, a line of the cache
//!   Boxes    block · node  · centre axes half · 16 bodies
//! ```
//!
//! The inner boxes are those of Schmidl, Walker and Lin, *CAB: fast update of OBB trees for
//! collision detection between articulated bodies*, 2004: `cab` says how, and where we differ. They
//! can be seen block by block while they are in the cache ([`refit_each`]) or be written out
//! ([`refit`]).
//!
//! All of it is f32, around an origin of each body's own that is f64: so it does not matter how
//! large the world is. Every box is as much larger as rounding may need
//! (docs/notes/batch-bounds.md): a link's box contains the exact link box under the exact pose, an
//! inner box contains the two boxes below it. Every instruction set and any number of threads
//! give the same bits.
//!
//! ```
//! use elbowroom_papers::cab::batch::{BatchLeaf, Plan, Poses, BatchWorkspace, refit_each};
//! use elbowroom_motion::body::{Joint, JointId, Local, Skeleton};
//! use elbowroom::internal::volume::Obb;
//! use glam::{DMat3, DQuat, DVec3};
//!
//! let joint = |name: &str, parent| Joint {
//!     name: name.into(),
//!     parent,
//!     rest: Local::from_translation(DVec3::X),
//! };
//! let skeleton = Skeleton::new(vec![joint("upper", None), joint("lower", Some(JointId(0)))])?;
//! let bone = Obb { center: 0.5 * DVec3::X, axes: DMat3::IDENTITY, half: DVec3::new(0.5, 0.1, 0.1) };
//! let leaves = [JointId(0), JointId(1)].map(|joint| BatchLeaf { joint, shape: bone });
//! let plan = Plan::new(&skeleton, &leaves)?;
//!
//! let mut poses = Poses::new(&plan, 100);
//! for body in 0..100 {
//!     poses.place(body, DVec3::new(1e6 + body as f64, 0.0, 0.0), DQuat::IDENTITY);
//!     poses.turn(body, JointId(1), DQuat::from_rotation_z(0.02 * body as f64));
//! }
//! let mut widest: f64 = 0.0;
//! refit_each(&plan, &poses, &mut BatchWorkspace::new(), |block| {
//!     for lane in 0..block.len() {
//!         widest = widest.max(block.obb(plan.root(), lane).half.max_element());
//!     }
//! });
//! assert!((1.0..1.01).contains(&widest));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]
#![expect(
    clippy::needless_range_loop,
    reason = "kernels number axes together, and iterators would not always be unrolled"
)]

mod boxes;
mod cab;
mod error;
mod links;
mod place;
mod plan;
mod poses;
mod slack;

pub use boxes::{Block, BoxStrips, Boxes};
pub use error::{BatchError, BatchErrorKind};
pub use plan::{BatchLeaf, Merge, Plan};
pub use poses::Poses;

use elbowroom::internal::arch::{F32xN, Kernel, SimdLevel, run};
use place::Frame;

/// The number of bodies in a block, side by side.
pub const BLOCK: usize = 16;

/// The memory of a refit. Keep it: a warm one allocates nothing.
#[derive(Clone, Debug)]
pub struct BatchWorkspace {
    #[doc(hidden)]
    pub level: SimdLevel,
    frames: Vec<Frame>,
    boxes: Vec<BoxStrips>,
}

impl Default for BatchWorkspace {
    fn default() -> Self {
        Self::new()
    }
}

impl BatchWorkspace {
    /// Empty, for the best instructions of this machine.
    pub fn new() -> Self {
        Self::with_level(SimdLevel::best())
    }

    /// Empty, for instructions up to a level.
    pub fn with_level(level: SimdLevel) -> Self {
        Self { level, frames: Vec::new(), boxes: Vec::new() }
    }
}

/// Refits all bodies and calls a visitor block by block, while the boxes are still in the cache.
///
/// # Panics
/// If the poses were not made for this plan.
pub fn refit_each(
    plan: &Plan,
    poses: &Poses,
    workspace: &mut BatchWorkspace,
    visit: impl FnMut(Block<'_>),
) {
    poses.check(plan);
    workspace.boxes.resize(plan.nodes(), BoxStrips::ZERO);
    workspace.frames.resize(plan.frames(), Frame::ZERO);
    let BatchWorkspace { level, frames, boxes } = workspace;
    run(*level, Each { plan, poses, frames, boxes, visit });
}

/// Refits all bodies and writes their boxes out. `boxes` takes the size it needs.
///
/// # Panics
/// If the poses were not made for this plan.
pub fn refit(plan: &Plan, poses: &Poses, workspace: &mut BatchWorkspace, boxes: &mut Boxes) {
    poses.check(plan);
    boxes.fit(plan, poses);
    workspace.frames.resize(plan.frames(), Frame::ZERO);
    let BatchWorkspace { level, frames, .. } = workspace;
    let blocks = boxes.blocks_mut();
    run(*level, All { plan, poses, frames, first: 0, blocks });
}

/// Refits all boxes, as [`refit`], on the threads of the current rayon pool, with the same bits.
/// Threads take some memory of their own in every call.
///
/// # Panics
/// If the poses were not made for this plan.
#[cfg(feature = "parallel")]
pub fn refit_parallel(plan: &Plan, poses: &Poses, boxes: &mut Boxes) {
    use rayon::prelude::*;

    /// Blocks a task: some 2,000 boxes of a person each, so that neither tasks nor their memory
    /// count.
    const TASK: usize = 8;

    poses.check(plan);
    boxes.fit(plan, poses);
    let level = SimdLevel::best();
    boxes.blocks_mut().par_chunks_mut(TASK * plan.nodes()).enumerate().for_each_init(
        || vec![Frame::ZERO; plan.frames()],
        |frames, (task, blocks)| {
            run(level, All { plan, poses, frames, first: TASK * task, blocks });
        },
    );
}

struct Each<'a, F> {
    plan: &'a Plan,
    poses: &'a Poses,
    frames: &'a mut [Frame],
    boxes: &'a mut [BoxStrips],
    visit: F,
}

impl<F: FnMut(Block<'_>)> Kernel for Each<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<W: F32xN>(mut self) {
        for index in 0..self.poses.blocks() {
            refit_block::<W>(self.plan, self.poses, index, self.frames, self.boxes);
            (self.visit)(self.poses.view(index, self.boxes));
        }
    }
}

struct All<'a> {
    plan: &'a Plan,
    poses: &'a Poses,
    frames: &'a mut [Frame],
    /// Which block comes first.
    first: usize,
    blocks: &'a mut [BoxStrips],
}

impl Kernel for All<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: F32xN>(self) {
        for (index, boxes) in self.blocks.chunks_exact_mut(self.plan.nodes()).enumerate() {
            refit_block::<W>(self.plan, self.poses, self.first + index, self.frames, boxes);
        }
    }
}

#[inline(always)]
fn refit_block<W: F32xN>(
    plan: &Plan,
    poses: &Poses,
    block: usize,
    frames: &mut [Frame],
    boxes: &mut [BoxStrips],
) {
    place::stand::<W>(plan, poses.joints(block), frames);
    place::leaves::<W>(plan, frames, boxes);
    cab::refit::<W>(plan, frames, boxes);
}
