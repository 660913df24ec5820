//! The frames of a clip in a few numbers.
//!
//! Two means are commonly taken for each other: that over all frames, and that over the frames that
//! cross. Both are here, by name. Sums go in the order of the frames.

use super::frame::PairFrame;

/// What a clip comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClipSummary {
    /// The number of frames.
    pub frames: u64,
    /// The number of frames in which the surfaces meet.
    pub contact_frames: u64,
    /// The number of frames in which the interiors meet.
    pub crossing_frames: u64,
    /// The number of frames whose answers on solids are estimates.
    pub estimated_frames: u64,
    /// Depths, by their lower bounds.
    pub depth: Means,
    /// The largest upper bound of a depth.
    pub depth_upper: f64,
    /// Volumes.
    pub volume: Means,
    /// The largest bound of the rounding error of a volume.
    pub volume_error: f64,
    /// The smallest distance over all frames: zero if the surfaces meet in any. `None` if it was
    /// not measured.
    pub distance: Option<f64>,
    /// The number of incidents: runs of frames with contact or crossing.
    pub incidents: u64,
    /// The number of frames of the longest incident, from its first to its last.
    pub longest_incident: u64,
    /// The number of frames of all incidents together.
    pub incident_frames: u64,
    /// The frame of the deepest point, counted from 0; of the largest volume if no depth is above
    /// zero.
    pub worst_frame: Option<u64>,
}

/// A quantity over the frames of a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Means {
    /// The mean over all frames.
    pub all: f64,
    /// The mean over the frames that cross; `None` if there are none.
    pub crossing: Option<f64>,
    /// The largest.
    pub max: f64,
}

impl ClipSummary {
    /// The share of frames in which the surfaces meet; `None` if there are no frames.
    pub fn share_contact(&self) -> Option<f64> {
        (self.frames > 0).then(|| self.contact_frames as f64 / self.frames as f64)
    }

    /// The share of frames in which the interiors meet; `None` if there are no frames.
    pub fn share_crossing(&self) -> Option<f64> {
        (self.frames > 0).then(|| self.crossing_frames as f64 / self.frames as f64)
    }
}

/// Takes the frames of a clip in order.
#[derive(Clone, Debug)]
pub struct ClipBuilder {
    summary: ClipSummary,
    sums: [f64; 2],
    gap: u64,
    /// The first and the last frame of the incident that may go on.
    open: Option<[u64; 2]>,
    apart: Option<f64>,
}

impl ClipBuilder {
    /// A clip without frames. An incident goes on over gaps of up to this number of frames.
    pub fn new(gap: u32) -> Self {
        let (summary, gap) = (ClipSummary::default(), u64::from(gap));
        Self { summary, sums: [0.0; 2], gap, open: None, apart: None }
    }

    /// Adds the next frame.
    pub fn push(&mut self, frame: &PairFrame) {
        let (at, summary) = (self.summary.frames, &mut self.summary);
        summary.frames += 1;
        summary.contact_frames += u64::from(frame.contact);
        summary.crossing_frames += u64::from(frame.crossing);
        summary.estimated_frames += u64::from(!frame.certainty().is_exact());
        let overlap = &frame.overlap;
        let worst = (summary.depth.max, summary.volume.max);
        if (overlap.depth, overlap.volume) > worst {
            summary.worst_frame = Some(at);
        }
        summary.depth.max = summary.depth.max.max(overlap.depth);
        summary.depth_upper = summary.depth_upper.max(overlap.depth_upper);
        summary.volume.max = summary.volume.max.max(overlap.volume);
        summary.volume_error = summary.volume_error.max(overlap.volume_error);
        self.sums[0] += overlap.depth;
        self.sums[1] += overlap.volume;
        let distance = if frame.contact { Some(0.0) } else { frame.distance };
        self.apart = match (self.apart, distance) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        if frame.contact || frame.crossing {
            self.meet(at);
        }
    }

    fn meet(&mut self, at: u64) {
        self.open = match self.open {
            Some([first, last]) if at - last <= self.gap + 1 => Some([first, at]),
            _ => {
                self.close();
                Some([at, at])
            }
        };
    }

    fn close(&mut self) {
        let Some([first, last]) = self.open.take() else { return };
        let length = last - first + 1;
        self.summary.incidents += 1;
        self.summary.incident_frames += length;
        self.summary.longest_incident = self.summary.longest_incident.max(length);
    }

    /// What all frames come to.
    pub fn finish(mut self) -> ClipSummary {
        self.close();
        let mut summary = self.summary;
        let over = |count: u64, sum: f64| (count > 0).then(|| sum / count as f64);
        for (means, sum) in [&mut summary.depth, &mut summary.volume].into_iter().zip(self.sums) {
            means.all = over(summary.frames, sum).unwrap_or_default();
            means.crossing = over(summary.crossing_frames, sum);
        }
        summary.distance = self.apart;
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::PenetrationSummary;

    fn frame(depth: f64) -> PairFrame {
        let overlap = PenetrationSummary { depth, volume: 2.0 * depth, ..Default::default() };
        let crossing = depth > 0.0;
        let distance = (!crossing).then_some(0.5);
        PairFrame { contact: crossing, crossing, overlap, distance }
    }

    #[test]
    fn means_are_never_mixed() {
        let mut clip = ClipBuilder::new(1);
        for depth in [0.0, 1.0, 0.0, 3.0, 0.0, 0.0, 2.0, 0.0] {
            clip.push(&frame(depth));
        }
        let clip = clip.finish();
        assert_eq!((clip.share_contact(), clip.share_crossing()), (Some(0.375), Some(0.375)));
        assert_eq!(clip.depth, Means { all: 0.75, crossing: Some(2.0), max: 3.0 });
        assert_eq!(clip.volume, Means { all: 1.5, crossing: Some(4.0), max: 6.0 });
        assert_eq!((clip.incidents, clip.longest_incident, clip.incident_frames), (2, 3, 4));
        assert_eq!((clip.worst_frame, clip.distance), (Some(3), Some(0.0)));
    }

    #[test]
    fn without_a_crossing_there_is_no_mean_over_crossings() {
        let mut clip = ClipBuilder::new(0);
        clip.push(&frame(0.0));
        let clip = clip.finish();
        assert_eq!(clip.depth, Means { all: 0.0, crossing: None, max: 0.0 });
        assert_eq!((clip.worst_frame, clip.distance, clip.incidents), (None, Some(0.5), 0));
        assert_eq!(ClipBuilder::new(0).finish().share_contact(), None);
    }
}
