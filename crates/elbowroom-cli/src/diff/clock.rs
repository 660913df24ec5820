//! When frames are: by the seconds of the files, or by the number of the frame.

/// Maps frames of a report to moments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    frames: [u32; 2],
    start: f64,
    /// Between two frames of neighbouring numbers.
    per_frame: f64,
    /// Every how many frames one is examined.
    every: u32,
}

impl Clock {
    /// By time if there is one.
    pub(super) fn new([first, last, every]: [u32; 3], time: Option<[f64; 2]>) -> Self {
        let count = f64::from(last - first);
        let (start, per_frame) = match time {
            Some([from, to]) if count > 0.0 => (from, (to - from) / count),
            Some([from, _]) => (from, 0.0),
            None => (f64::from(first), 1.0),
        };
        Self { frames: [first, last], start, per_frame, every }
    }

    pub(super) fn at(&self, frame: u32) -> f64 {
        self.start + (f64::from(frame) - f64::from(self.frames[0])) * self.per_frame
    }

    /// Between two frames that are examined.
    pub(super) fn step(&self) -> f64 {
        self.per_frame * f64::from(self.every)
    }

    /// From the first frame to the last.
    pub(super) fn range(&self) -> [f64; 2] {
        self.frames.map(|frame| self.at(frame))
    }
}
