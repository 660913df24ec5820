//! What the library says of two motions.

use std::ops::Add;

use elbowroom_motion::space_time::{
    BetweenSamples, Contact, Interval, NearestApproach, OffsetSet, Tests, Workspace,
    contacts_counted, nearest_approach, offsets, offsets_by_tree,
};

use super::method::{Counts, Method};
use super::side::Side;
use super::skins::Skins;
use crate::messages::Refusal;

/// Everything that is told, in whatever form.
#[derive(Debug)]
pub(super) struct Findings {
    /// In order of time, none empty.
    pub(super) contacts: Vec<Contact>,
    /// `None` if there is no common moment.
    pub(super) nearest: Option<NearestApproach>,
    pub(super) offsets: Option<Offsets>,
    /// With `--exact`.
    pub(super) skins: Option<Skins>,
    /// What finding contacts and offsets took.
    pub(super) counts: Counts,
    /// Distance of the disks over time, for the picture and no answer.
    pub(super) gaps: Vec<(f64, f64)>,
}

/// Start offsets of the second motion.
#[derive(Debug)]
pub(super) struct Offsets {
    /// How much later the second starts as they are.
    pub(super) now: f64,
    pub(super) collides_now: bool,
    /// What was asked about.
    pub(super) from: f64,
    pub(super) to: f64,
    /// Those within the range, cut to it.
    pub(super) intervals: Vec<Interval>,
    /// The first free offset from now on, minus now.
    pub(super) smallest_wait: f64,
    pub(super) nearest_free: f64,
}

impl Offsets {
    /// Seconds of the range in which they collide.
    pub(super) fn seconds(&self) -> f64 {
        self.intervals.iter().map(|interval| interval.to - interval.from).fold(0.0, f64::add)
    }
}

impl Findings {
    /// Offsets are found if a range of them is asked for.
    pub(super) fn new(
        sides: &[Side; 2],
        method: Method,
        range: Option<(Option<f64>, Option<f64>)>,
    ) -> Result<Self, Refusal> {
        let [a, b] = sides;
        let (mut workspace, by) = (Workspace::new(), method.structure());
        let (contacts, tests) =
            contacts_counted(&a.motion, &a.placed, &b.motion, &b.placed, by, &mut workspace);
        let nearest = nearest_approach(&a.motion, &a.placed, &b.motion, &b.placed, &mut workspace);
        let mut counts = Counts::new(method, sides, tests);
        let mut told = None;
        if let Some(range) = range {
            let (set, tests) = offset_set(sides, method, &mut workspace)?;
            counts.offsets = tests;
            told = Some(offsets_of(sides, range, &set));
        }
        Ok(Self { contacts, nearest, offsets: told, skins: None, counts, gaps: gaps(sides) })
    }

    /// Whether nothing meets, as closely as was asked.
    pub(super) fn is_clear(&self) -> bool {
        self.skins.as_ref().map_or(self.contacts.is_empty(), |skins| skins.contacts.is_empty())
    }

    /// Seconds during which they collide.
    pub(super) fn seconds(&self) -> f64 {
        self.contacts.iter().map(|contact| contact.to - contact.from).fold(0.0, f64::add)
    }
}

/// All start offsets by a method, and what they took where that is counted.
fn offset_set(
    sides: &[Side; 2],
    method: Method,
    workspace: &mut Workspace,
) -> Result<(OffsetSet, Option<Tests>), Refusal> {
    let [a, b] = sides;
    let (at_a, at_b) = (a.placed.at(), b.placed.at());
    if method == Method::Circles {
        return Ok((offsets(&a.motion, &at_a, &b.motion, &at_b, workspace), None));
    }
    let by_tree = offsets_by_tree(&a.motion, &at_a, &b.motion, &at_b, workspace);
    let (set, tests) = by_tree.ok_or_else(|| Refusal {
        problems: vec![format!(
            "the offsets of clips with different rates are found on circles only, not by --method {}",
            method.name()
        )],
        hint: "say one rate for both with --fps, or leave out --method or --offsets".to_owned(),
    })?;
    Ok((set, Some(tests)))
}

fn offsets_of(
    sides: &[Side; 2],
    (from, to): (Option<f64>, Option<f64>),
    set: &OffsetSet,
) -> Offsets {
    let [a, b] = sides;
    let now = b.placed.start() - a.placed.start();
    // Outside of these, one is over before the other begins.
    let from = from.unwrap_or(-b.trace().seconds());
    let to = to.unwrap_or(a.trace().seconds()).max(from);
    let within = set.intervals().filter_map(|interval| {
        let cut = Interval { from: interval.from.max(from), to: interval.to.min(to) };
        (cut.from < cut.to).then_some(cut)
    });
    Offsets {
        now,
        collides_now: set.contains(now),
        from,
        to,
        intervals: within.collect(),
        smallest_wait: set.smallest_wait(now) - now,
        nearest_free: set.nearest_free(now),
    }
}

/// The distance of the disks at every sample of either, while both are under way.
fn gaps(sides: &[Side; 2]) -> Vec<(f64, f64)> {
    let [a, b] = sides;
    let is_linear = a.motion.config().between == BetweenSamples::Linear;
    let ([from_a, to_a], [from_b, to_b]) = (a.span(), b.span());
    let (from, to) = (from_a.max(from_b), to_a.min(to_b));
    let mut times: Vec<f64> = Vec::new();
    for side in sides {
        let (start, dt) = (side.placed.start(), side.trace().dt());
        times.extend((0..side.trace().len()).map(|k| start + k as f64 * dt));
    }
    times.push(to.next_down());
    times.retain(|&time| (from..to).contains(&time));
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    let gap = |&time: &f64| {
        let (p, q) = (a.at(time, is_linear)?, b.at(time, is_linear)?);
        Some((time, p.center.distance(q.center) - p.radius - q.radius))
    };
    times.iter().filter_map(gap).collect()
}
