//! The policy of a traversal of packed trees: how deep it goes before it is broad, when nodes are
//! prefetched, and when queued pairs of triangles are tested.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use super::Wanted;

/// The number of batches after which a query for one hit counts as long. Like a query for all hits
/// from the beginning, it then pops the next items, if a whole batch of them waits, before it
/// pushes the results of the last ones, so that one batch does not wait for the end of the other. A
/// short query, which often ends with its first hit, goes straight down.
///
/// That popping ahead pays is measured (`docs/notes/engine-limits.md`, *Tried*); no record compares
/// other numbers of batches.
const LONG: u32 = 32;

/// The number of batches after which a query has visited more than the nearer caches hold, if the
/// trees have that much: it then prefetches nodes that it has popped ahead, and records in the
/// queue. Prefetching what is in the cache already costs a twentieth of the time.
///
/// What fetching gains and costs is measured (`docs/notes/engine-limits.md`, *One stack* and
/// *Tried*); no record compares other numbers of batches.
const VAST: u32 = 2048;

/// The number of blocks of 256 bytes (a megabyte) that the nearer caches do not hold. No record
/// compares other sizes.
pub(super) const MANY_BLOCKS: usize = 4096;

/// The number of narrow steps after which nothing was found straight below, and the traversal must
/// search everywhere: in whole batches, which are less work for each pair.
///
/// Heads that meet need ten steps and people eleven (`docs/notes/engine-limits.md`, *Straight
/// down*); no record compares other limits.
const STRAIGHT: u32 = 24;

/// The number of pairs of records that are tested together when one hit is enough. With one or
/// eight instead of six, queries about ground took 6 to 12 % longer (`docs/notes/engine-limits.md`,
/// *Tried*).
const EAGER_PAIRS: usize = 6;

/// The rule for when queued pairs of records are tested.
#[derive(Clone, Copy)]
pub(super) struct Flush {
    /// None if there are fewer.
    pub(super) enough: usize,
    /// The number of pairs that stay in the queue.
    pub(super) kept: usize,
    /// Whether only whole sixteens are worth while.
    pub(super) in_sixteens: bool,
}

/// How what a step found is pushed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PushOrder {
    /// As it was found.
    Found,
    /// Of each item the nearest last: the same on lanes of any number.
    EachItem,
    /// The two nearest last.
    Two,
}

/// The traversal policy: chosen by the requested result and the number of steps so far.
#[derive(Clone, Copy)]
pub(super) struct Policy {
    /// The number of batches after which the policy is chosen again.
    pub(super) until: u32,
    pub(super) order: PushOrder,
    /// Whether items are popped before what the last ones left is pushed.
    pub(super) is_ahead: bool,
    /// Whether nodes and records are fetched.
    pub(super) is_vast: bool,
    pub(super) flush: Flush,
}

impl Policy {
    pub(super) fn after(
        batches: u32,
        wanted: Wanted,
        may_be_narrow: bool,
        has_many_blocks: bool,
    ) -> Self {
        let eager = Flush { enough: EAGER_PAIRS, kept: 0, in_sixteens: false };
        let short = Self {
            until: LONG,
            order: PushOrder::EachItem,
            is_ahead: false,
            is_vast: false,
            flush: eager,
        };
        if wanted == Wanted::Any && may_be_narrow && batches < STRAIGHT {
            return Self { until: STRAIGHT, order: PushOrder::Two, ..short };
        }
        // A hit is worth more than full lanes if only one is wanted, as long as it may be near.
        if wanted != Wanted::All && batches < LONG {
            return short;
        }
        let is_vast = has_many_blocks && batches >= VAST;
        // Also where nothing changes any more, it is time to look at an interrupt.
        let until = if batches < VAST { VAST } else { batches.wrapping_add(VAST) };
        // Of a vast query the last pairs are still being fetched.
        let (enough, kept) = if is_vast { (64, 16) } else { (16, 0) };
        let flush = Flush { enough, kept, in_sixteens: true };
        Self { until, order: PushOrder::Found, is_ahead: true, is_vast, flush }
    }

    #[inline(always)]
    pub(super) fn is_narrow(&self) -> bool {
        self.order == PushOrder::Two
    }
}
