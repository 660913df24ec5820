//! Boxes as columns of f32, tested many at a time.
//!
//! The map from f64 to f32 is the same for all boxes and never decreases on any axis. Such a map
//! cannot pull overlapping intervals apart, whatever it rounds: if a ≤ b then f(a) ≤ f(b). So
//! nothing has to be rounded outward, and *apart* in f32 is apart in f64; what overlaps in f32 is
//! compared again in f64. The map puts the scene into −1..1 first, so that f32 resolves 2⁻²⁴ of it
//! wherever it stands.
//!
//! The columns end in boxes that overlap nothing, so that every chunk is full; the loop over a
//! chunk has no branch, and compilers make vector instructions of it.

use std::ops::Range;

use glam::DVec3;

use crate::internal::volume::Aabb;

/// The number of boxes that are tested at once.
const CHUNK: usize = 8;

/// A map of coordinates to f32 that never decreases.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Blur {
    center: DVec3,
    scale: DVec3,
}

impl Blur {
    /// For all that lies in a box.
    pub(super) fn new(scene: &Aabb) -> Self {
        // Halved, so that the difference of any two numbers is finite.
        let half = (0.5 * scene.max - 0.5 * scene.min).max(DVec3::splat(f64::MIN_POSITIVE));
        Self { center: 0.5 * (0.5 * scene.min + 0.5 * scene.max), scale: half.recip() }
    }

    #[inline]
    fn point(&self, point: DVec3) -> [f32; 3] {
        // Each operation rounds to the nearest and so keeps the order.
        ((0.5 * point - self.center) * self.scale).to_array().map(|x| x as f32)
    }

    #[inline]
    pub(super) fn window(&self, bounds: &Aabb) -> Window {
        Window { low: self.point(bounds.min), high: self.point(bounds.max) }
    }
}

/// A box in f32.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) low: [f32; 3],
    pub(super) high: [f32; 3],
}

/// Boxes in f32, column by column, each with its number.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    low: [Vec<f32>; 3],
    high: [Vec<f32>; 3],
    ids: Vec<u32>,
}

impl Columns {
    /// Takes the boxes instead of those before.
    pub(super) fn fill(&mut self, boxes: impl Iterator<Item = (u32, Window)>) {
        self.ids.clear();
        for column in self.low.iter_mut().chain(&mut self.high) {
            column.clear();
        }
        for (id, window) in boxes {
            self.ids.push(id);
            for axis in 0..3 {
                self.low[axis].push(window.low[axis]);
                self.high[axis].push(window.high[axis]);
            }
        }
        let padded = self.ids.len() + CHUNK;
        for axis in 0..3 {
            self.low[axis].resize(padded, f32::INFINITY);
            self.high[axis].resize(padded, f32::NEG_INFINITY);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    #[inline]
    pub(super) fn id(&self, place: usize) -> u32 {
        self.ids[place]
    }

    #[inline]
    pub(super) fn window(&self, place: usize) -> Window {
        Window {
            low: [0, 1, 2].map(|axis| self.low[axis][place]),
            high: [0, 1, 2].map(|axis| self.high[axis][place]),
        }
    }

    /// Whether the box at a place begins after the window ends, on the first axis.
    #[inline]
    fn begins_after(&self, place: usize, window: &Window) -> bool {
        self.low[0][place] > window.high[0]
    }

    /// Which of a chunk of boxes overlap the window: one bit each.
    #[expect(clippy::needless_bitwise_bool, reason = "a branch could not be made vectors of")]
    #[inline]
    fn hits(&self, start: usize, window: &Window) -> u32 {
        let chunk = |column: &[f32]| -> [f32; CHUNK] {
            std::array::from_fn(|i| column[start..start + CHUNK][i])
        };
        let mut flags = [u32::MAX; CHUNK];
        for axis in 0..3 {
            let (low, high) = (chunk(&self.low[axis]), chunk(&self.high[axis]));
            for i in 0..CHUNK {
                let meets = (low[i] <= window.high[axis]) & (window.low[axis] <= high[i]);
                flags[i] &= u32::from(meets).wrapping_neg();
            }
        }
        let mut bits = 0;
        for (i, flag) in flags.iter().enumerate() {
            bits |= flag & 1 << i;
        }
        bits
    }

    /// The places in a range whose boxes overlap the window.
    #[inline]
    pub(super) fn scan(&self, range: Range<usize>, window: &Window, mut found: impl FnMut(usize)) {
        let mut start = range.start;
        while start < range.end {
            let mut hits = self.hits(start, window);
            if range.end - start < CHUNK {
                hits &= (1 << (range.end - start)) - 1;
            }
            while hits != 0 {
                found(start + hits.trailing_zeros() as usize);
                hits &= hits - 1;
            }
            start += CHUNK;
        }
    }

    /// The places from one on, in columns that are sorted by their low ends on the first axis.
    #[inline]
    pub(super) fn sweep(&self, from: usize, window: &Window, mut found: impl FnMut(usize)) {
        let mut start = from;
        while start < self.len() && !self.begins_after(start, window) {
            let mut hits = self.hits(start, window);
            while hits != 0 {
                found(start + hits.trailing_zeros() as usize);
                hits &= hits - 1;
            }
            start += CHUNK;
        }
    }
}
