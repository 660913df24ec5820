//! Clips and frames as rows of named columns. Lengths are in cm, areas in cm², volumes in cm³.

use elbowroom_motion::metrics::set::{Dimension, FIGURES, Figure};
use elbowroom_motion::metrics::{Caps, ClipSummary, PairFrame, legacy};

use crate::output::rows::Type::{Number, Text, Whole};
use crate::output::rows::{Cell, Columns};

/// The unit of lengths.
pub(super) const UNIT: &str = "cm";

/// Centimetres in a metre.
const CENTIMETRES: f64 = 100.0;

/// The first of the figures in the columns of a clip.
pub(super) const FIRST_FIGURE: usize = 7;

/// The column that says why a clip was not scored.
pub(super) const ERROR: usize = CLIPS.len() - 1;

/// A row for each two bodies of a clip; of a body with itself, both names are the same.
pub(super) const CLIPS: Columns = &[
    ("clip", Text),
    ("a", Text),
    ("b", Text),
    ("frames", Whole),
    ("contact_frames", Whole),
    ("crossing_frames", Whole),
    ("estimated_frames", Whole),
    ("share_contact", Number),
    ("share_crossing", Number),
    ("depth_mean", Number),
    ("depth_mean_crossing", Number),
    ("depth_max", Number),
    ("volume_mean", Number),
    ("volume_mean_crossing", Number),
    ("volume_max", Number),
    ("distance_min", Number),
    ("incidents", Number),
    ("depth_max_upper", Number),
    ("volume_error_max", Number),
    ("incident_frames", Whole),
    ("longest_incident", Whole),
    ("worst_frame", Whole),
    ("caps", Whole),
    ("cap_length_max", Number),
    ("edges_left_open", Whole),
    ("legacy_inside_a", Number),
    ("legacy_inside_b", Number),
    ("legacy_non_collision", Number),
    ("legacy_contact", Number),
    ("legacy_vertex_depth", Number),
    ("legacy_voxels_ab", Number),
    ("legacy_voxels_ba", Number),
    ("unit", Text),
    ("error", Text),
];

/// A row for each two bodies and frame.
pub(super) const FRAMES: Columns = &[
    ("clip", Text),
    ("a", Text),
    ("b", Text),
    ("frame", Whole),
    ("contact", Whole),
    ("crossing", Whole),
    ("depth", Number),
    ("depth_upper", Number),
    ("volume", Number),
    ("volume_error", Number),
    ("area_a", Number),
    ("area_b", Number),
    ("distance", Number),
    ("certainty", Text),
    ("legacy_inside_a", Number),
    ("legacy_inside_b", Number),
    ("legacy_vertex_depth", Number),
    ("legacy_voxels_ab", Number),
    ("legacy_voxels_ba", Number),
    ("unit", Text),
];

/// What papers report of a frame instead, in metres.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Legacy {
    pub(super) a: legacy::InOther,
    pub(super) b: legacy::InOther,
    pub(super) voxels: [Option<f64>; 2],
}

/// The means of what papers report, over the frames of a clip.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LegacyMeans {
    frames: u64,
    sums: [f64; 7],
    has_voxels: bool,
}

/// Whose row it is.
#[derive(Clone, Copy)]
pub(super) struct Who<'a> {
    pub(super) clip: &'a str,
    pub(super) a: &'a str,
    pub(super) b: &'a str,
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

fn whole(value: u64) -> Cell {
    Cell::Whole(i64::try_from(value).unwrap_or(i64::MAX))
}

fn number(value: Option<f64>) -> Cell {
    value.map_or(Cell::Empty, Cell::Number)
}

fn power(metres: f64, dimension: i32) -> f64 {
    metres * CENTIMETRES.powi(dimension)
}

/// A figure of a clip in the units of tables.
fn figure(figure: &Figure, clip: &ClipSummary) -> Cell {
    let dimension = match figure.dimension {
        Dimension::None => 0,
        Dimension::Length => 1,
        Dimension::Volume => 3,
    };
    number((figure.of)(clip).map(|value| power(value, dimension)))
}

impl Legacy {
    fn depth(&self) -> f64 {
        self.a.depth.max(self.b.depth)
    }
}

impl LegacyMeans {
    pub(super) fn add(&mut self, frame: &Legacy) {
        self.frames += 1;
        let [ab, ba] = frame.voxels;
        self.has_voxels = self.has_voxels || self.frames == 1;
        self.has_voxels &= ab.is_some() && ba.is_some();
        let is_inside = frame.a.inside + frame.b.inside > 0;
        let values = [
            frame.a.share(),
            frame.b.share(),
            frame.a.non_collision().min(frame.b.non_collision()),
            f64::from(u8::from(is_inside)),
            power(frame.depth(), 1),
            power(ab.unwrap_or_default(), 3),
            power(ba.unwrap_or_default(), 3),
        ];
        for (sum, value) in self.sums.iter_mut().zip(values) {
            *sum += value;
        }
    }

    fn cells(&self) -> [Cell; 7] {
        let is_there = |at: usize| self.frames > 0 && (at < 5 || self.has_voxels);
        let mean = |at: usize| is_there(at).then(|| self.sums[at] / self.frames as f64);
        [0, 1, 2, 3, 4, 5, 6].map(|at| number(mean(at)))
    }
}

/// The row of a clip.
pub(super) fn clip(
    who: Who<'_>,
    clip: &ClipSummary,
    caps: &[&Caps],
    legacy: &LegacyMeans,
) -> Vec<Cell> {
    let mut row = vec![text(who.clip), text(who.a), text(who.b)];
    row.extend(
        [clip.frames, clip.contact_frames, clip.crossing_frames, clip.estimated_frames].map(whole),
    );
    row.extend(FIGURES.iter().map(|it| figure(it, clip)));
    row.push(Cell::Number(power(clip.depth_upper, 1)));
    row.push(Cell::Number(power(clip.volume_error, 3)));
    row.extend([clip.incident_frames, clip.longest_incident].map(whole));
    row.push(clip.worst_frame.map_or(Cell::Empty, whole));
    let loops = || caps.iter().flat_map(|caps| &caps.loops);
    let longest = loops().map(|it| it.length).fold(0.0, f64::max);
    if caps.is_empty() {
        row.extend([Cell::Empty, Cell::Empty, Cell::Empty]);
    } else {
        row.extend([whole(loops().count() as u64), Cell::Number(power(longest, 1))]);
        row.push(whole(caps.iter().map(|caps| caps.left_open as u64).sum()));
    }
    row.extend(legacy.cells());
    row.extend([text(UNIT), Cell::Empty]);
    debug_assert_eq!(row.len(), CLIPS.len());
    row
}

/// The row of a clip that was not scored.
pub(super) fn failed(name: &str, why: &str) -> Vec<Cell> {
    let mut row = vec![Cell::Empty; CLIPS.len()];
    (row[0], row[ERROR]) = (text(name), text(why));
    row
}

/// The row of a frame.
pub(super) fn frame(
    who: Who<'_>,
    at: u32,
    frame: &PairFrame,
    legacy: Option<&Legacy>,
) -> Vec<Cell> {
    let mut row = vec![text(who.clip), text(who.a), text(who.b), whole(u64::from(at))];
    row.extend([frame.contact, frame.crossing].map(|is| whole(u64::from(is))));
    let overlap = &frame.overlap;
    row.extend([overlap.depth, overlap.depth_upper].map(|it| Cell::Number(power(it, 1))));
    row.extend([overlap.volume, overlap.volume_error].map(|it| Cell::Number(power(it, 3))));
    row.extend(overlap.areas.map(|it| Cell::Number(power(it, 2))));
    row.push(number(frame.distance.map(|it| power(it, 1))));
    row.push(text(if frame.certainty().is_exact() { "exact" } else { "estimate" }));
    row.extend([
        number(legacy.map(|it| it.a.share())),
        number(legacy.map(|it| it.b.share())),
        number(legacy.map(|it| power(it.depth(), 1))),
    ]);
    row.extend(
        [0, 1].map(|at| number(legacy.and_then(|it| it.voxels[at]).map(|volume| power(volume, 3)))),
    );
    row.push(text(UNIT));
    debug_assert_eq!(row.len(), FRAMES.len());
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_stand_where_they_are_looked_for() {
        let columns = &CLIPS[FIRST_FIGURE..FIRST_FIGURE + FIGURES.len()];
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, FIGURES.map(|figure| figure.name));
        assert_eq!(CLIPS[ERROR].0, "error");
        let who = Who { clip: "c", a: "a", b: "b" };
        let row = clip(who, &ClipSummary::default(), &[], &LegacyMeans::default());
        assert_eq!(row.len(), CLIPS.len());
        assert_eq!(frame(who, 0, &PairFrame::default(), None).len(), FRAMES.len());
    }
}
