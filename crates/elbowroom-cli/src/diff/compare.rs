//! Which incidents of two reports are the same thing, and how it changed.

use std::collections::BTreeMap;

use super::clock::Clock;
use super::report::{Incident, Report};

/// What became of an incident, the more urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    New,
    Worse,
    NotExamined,
    Better,
    Gone,
    Same,
}

impl Verdict {
    pub(super) const ALL: [Self; 6] =
        [Self::New, Self::Worse, Self::NotExamined, Self::Better, Self::Gone, Self::Same];

    /// In words.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Worse => "worse",
            Self::NotExamined => "not examined",
            Self::Better => "better",
            Self::Gone => "gone",
            Self::Same => "same",
        }
    }
}

/// What one report says of something that happens: one incident or several close in time.
#[derive(Clone, Debug)]
pub(super) struct Episode<'a> {
    /// The worst comes first.
    pub(super) incidents: Vec<&'a Incident>,
    /// How long it lasts: each examined frame in contact counts with its step.
    pub(super) lasts: f64,
}

/// Something that happens in one of the reports, or in both.
#[derive(Clone, Debug)]
pub(super) struct Change<'a> {
    pub(super) verdict: Verdict,
    pub(super) old: Option<Episode<'a>>,
    pub(super) new: Option<Episode<'a>>,
    /// What changed, in words; of what was not examined, why not.
    pub(super) why: Vec<String>,
}

impl Change<'_> {
    /// The worst incident, of the new report if it has one.
    pub(super) fn worst(&self) -> &Incident {
        let episode = self.new.as_ref().or(self.old.as_ref());
        episode.map_or_else(|| unreachable!("it is in one of the two"), Episode::worst)
    }
}

/// How strong a kind of contact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Near,
    Touching,
    Interiors,
}

fn strength(kind: &str) -> Strength {
    match kind {
        "clearance" => Strength::Near,
        "touching" => Strength::Touching,
        _ => Strength::Interiors,
    }
}

impl<'a> Episode<'a> {
    fn new(mut incidents: Vec<&'a Incident>, clock: &Clock) -> Self {
        incidents.sort_by_key(|incident| incident.rank);
        let frames: u64 = incidents.iter().map(|incident| incident.frames).sum();
        // Shots of one frame have no step, and everything in them lasts equally long.
        let step = if clock.step() > 0.0 { clock.step() } else { 1.0 };
        Self { incidents, lasts: frames as f64 * step }
    }

    pub(super) fn worst(&self) -> &'a Incident {
        self.incidents[0]
    }

    pub(super) fn first(&self) -> u32 {
        self.incidents.iter().map(|incident| incident.first).min().unwrap_or_default()
    }

    pub(super) fn last(&self) -> u32 {
        self.incidents.iter().map(|incident| incident.last).max().unwrap_or_default()
    }

    pub(super) fn frames(&self) -> u64 {
        self.incidents.iter().map(|incident| incident.frames).sum()
    }

    fn strength(&self) -> Strength {
        let all = self.incidents.iter().map(|incident| strength(&incident.kind));
        all.max().unwrap_or(Strength::Near)
    }

    /// The largest of a measure; `None` if an incident has none.
    pub(super) fn largest(&self, of: fn(&Incident) -> Option<f64>) -> Option<f64> {
        let all: Option<Vec<f64>> = self.incidents.iter().map(|incident| of(incident)).collect();
        all?.into_iter().reduce(f64::max)
    }
}

/// Who meets: objects in the order of their names, and with `--self` the parts.
type Key<'a> = [&'a str; 4];

fn key(incident: &Incident) -> Key<'_> {
    let (a, b) = (incident.a.as_str(), incident.b.as_str());
    match (a == b, incident.parts.as_slice()) {
        (true, [parts]) => {
            let (c, d) = (parts.a.as_str(), parts.b.as_str());
            [a, b, c.min(d), c.max(d)]
        }
        _ => [a.min(b), a.max(b), "", ""],
    }
}

/// An incident on the common axis of time.
struct Span<'a> {
    from: f64,
    to: f64,
    is_new: bool,
    incident: &'a Incident,
}

/// What changed, the most urgent first, then by rank. Measures that differ by no more than a part
/// of the larger are the same.
pub(super) fn changes<'a>(old: &'a Report, new: &'a Report, tolerance: f64) -> Vec<Change<'a>> {
    let by_time = old.time_range.is_some() && new.time_range.is_some();
    let clocks = [old.clock(by_time), new.clock(by_time)];
    let slack = f64::max(
        f64::from(old.gap.saturating_add(1)) * clocks[0].step(),
        f64::from(new.gap.saturating_add(1)) * clocks[1].step(),
    );
    let mut spans: BTreeMap<Key<'_>, Vec<Span<'_>>> = BTreeMap::new();
    for (report, clock, is_new) in [(old, &clocks[0], false), (new, &clocks[1], true)] {
        for incident in &report.incidents {
            let (from, to) = (clock.at(incident.first), clock.at(incident.last));
            spans.entry(key(incident)).or_default().push(Span { from, to, is_new, incident });
        }
    }
    let mut changes = Vec::new();
    for (_, mut spans) in spans {
        spans.sort_by(|a, b| a.from.total_cmp(&b.from).then(a.is_new.cmp(&b.is_new)));
        for episode in episodes(&spans, slack) {
            let of = |is_new: bool| {
                let of_it = episode.iter().filter(|span| span.is_new == is_new);
                let incidents: Vec<&Incident> = of_it.map(|span| span.incident).collect();
                let clock = &clocks[usize::from(is_new)];
                (!incidents.is_empty()).then(|| Episode::new(incidents, clock))
            };
            changes.push(judged((old, new), &clocks, of(false), of(true), tolerance));
        }
    }
    changes.sort_by_key(|change| (change.verdict, change.worst().rank));
    changes
}

/// Runs of spans with no more than a slack between them; they are sorted by where they begin.
fn episodes<'s, 'a>(spans: &'s [Span<'a>], slack: f64) -> Vec<&'s [Span<'a>]> {
    // The times of frames are rounded.
    let slack = slack * (1.0 + 1e-9);
    let mut all = Vec::new();
    let (mut start, mut end) = (0, f64::NEG_INFINITY);
    for (i, span) in spans.iter().enumerate() {
        if i > start && span.from - end > slack {
            all.push(&spans[start..i]);
            start = i;
            end = f64::NEG_INFINITY;
        }
        end = end.max(span.to);
    }
    if start < spans.len() {
        all.push(&spans[start..]);
    }
    all
}

fn judged<'a>(
    (old_report, new_report): (&Report, &Report),
    clocks: &[Clock; 2],
    old: Option<Episode<'a>>,
    new: Option<Episode<'a>>,
    tolerance: f64,
) -> Change<'a> {
    let (verdict, why) = match (&old, &new) {
        (Some(old), Some(new)) => {
            let worst = old.worst();
            let keeps_mesh = [&worst.a, &worst.b]
                .iter()
                .all(|name| old_report.triangles(name) == new_report.triangles(name));
            match (compared(old, new, tolerance, keeps_mesh), outside(old, new_report, clocks)) {
                // Nothing is better because the new check ended before it.
                ((verdict, _), Some(why)) if verdict != Verdict::Worse => {
                    (Verdict::NotExamined, vec![why])
                }
                (compared, _) => compared,
            }
        }
        (Some(old), None) => match unseen(old, new_report, clocks) {
            Some(why) => (Verdict::NotExamined, vec![why]),
            None => (Verdict::Gone, Vec::new()),
        },
        _ => (Verdict::New, Vec::new()),
    };
    Change { verdict, old, new, why }
}

/// How the same thing changed.
fn compared(
    old: &Episode<'_>,
    new: &Episode<'_>,
    tolerance: f64,
    keeps_mesh: bool,
) -> (Verdict, Vec<String>) {
    // Positive where the new one is worse.
    let mut differences = Vec::new();
    if new.strength() != old.strength() {
        let is_worse = new.strength() > old.strength();
        differences.push((is_worse, if is_worse { "stronger" } else { "weaker" }));
    }
    let mut compare = |old: f64, new: f64, words: [&'static str; 2]| {
        if (new - old).abs() > tolerance * old.abs().max(new.abs()) {
            let is_worse = new > old;
            differences.push((is_worse, words[usize::from(!is_worse)]));
        }
    };
    let both = |of: fn(&Incident) -> Option<f64>| old.largest(of).zip(new.largest(of));
    let pairs: fn(&Incident) -> Option<f64> = |incident| Some(incident.triangle_pairs as f64);
    if let Some((old, new)) = both(|incident| incident.depth) {
        compare(old, new, ["deeper", "shallower"]);
    } else if let Some((old, new)) = both(|incident| incident.length) {
        compare(old, new, ["longer curve", "shorter curve"]);
    } else if let Some((old, new)) = both(pairs).filter(|_| keeps_mesh) {
        compare(old, new, ["more triangles", "fewer triangles"]);
    }
    // Of surfaces that meet it is 0; nearer is worse.
    if let Some((old, new)) = both(|incident| incident.distance.map(|distance| -distance)) {
        compare(old, new, ["nearer", "farther"]);
    }
    compare(old.lasts, new.lasts, ["lasts longer", "ends sooner"]);
    let verdict = match differences.iter().map(|(is_worse, _)| *is_worse).max() {
        Some(true) => Verdict::Worse,
        Some(false) => Verdict::Better,
        None => Verdict::Same,
    };
    (verdict, differences.into_iter().map(|(_, word)| word.to_owned()).collect())
}

/// Why the new check could not have found it; `None` if it could.
fn unseen(old: &Episode<'_>, new: &Report, clocks: &[Clock; 2]) -> Option<String> {
    let worst = old.worst();
    if let Some(name) = [&worst.a, &worst.b].into_iter().find(|name| !new.has(name)) {
        return Some(format!("no object {name}"));
    }
    if worst.a == worst.b && new.rest.is_none() {
        return Some("without --self".to_owned());
    }
    if let Some(why) = outside(old, new, clocks) {
        return Some(why);
    }
    let [old_step, new_step] = clocks.map(|clock| clock.step());
    let is_sparser = old_step > 0.0 && new_step > old_step * (1.0 + 1e-6);
    is_sparser.then(|| "fewer frames examined".to_owned())
}

/// Which frames of it the new check did not examine; `None` if it examined all of its time.
fn outside(old: &Episode<'_>, new: &Report, [old_clock, new_clock]: &[Clock; 2]) -> Option<String> {
    let [from, to] = [old.first(), old.last()].map(|frame| old_clock.at(frame));
    let rounding = 1e-6 * new_clock.step().max(old_clock.step());
    let [start, end] = new_clock.range();
    let end = match new.interrupted_after {
        Some(frame) => u32::try_from(frame).map_or(f64::NEG_INFINITY, |frame| new_clock.at(frame)),
        None => end,
    };
    if from < start - rounding || to > end + rounding {
        return Some("frames outside of the new check".to_owned());
    }
    let is_in = |frame: u32| (from - rounding..=to + rounding).contains(&new_clock.at(frame));
    let frame = new.unreadable().find(|&frame| is_in(frame))?;
    Some(format!("frame {frame} could not be read"))
}
