//! Contacts merged over time: who was in whom, from when to when, and where it was worst.
//!
//! A shot has thousands of contacts and a handful of problems. Two objects, or two parts of one
//! object, that meet in frames that follow each other are one *incident*, also if they let go of
//! each other for a moment: a gap of up to a number of examined frames joins. Frames are given in
//! order, one by one ([`Incidents::frame`]); what is open is held until its gap is too long, what
//! is finished is kept until the end, when all are ranked.
//!
//! What is worse is decided by the first of these that differs: contact before touching before
//! being near; how deep, where it was measured; the [`ContactKind`], the stronger first; the length
//! of the curve of contact, where it was asked for; how many pairs of triangles meet; how near. Of
//! two frames that are equally bad, the earlier is the worst; of two incidents, the one that begins
//! earlier comes first, then by their objects.
//!
//! Invariants: every contact is in exactly one incident. What comes out follows from what was given
//! alone, and a builder that was [taken apart](Incidents::state) and [put
//! together](Incidents::resume) goes on as if nothing had happened. Memory grows with incidents,
//! not with frames: a series is thinned when it has [`MOST_BEATS`] entries.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use glam::DVec3;

use super::contact::{Meeting, PartPair};
use super::object::ObjectId;
use elbowroom::internal::math::sort::{many_by, many_by_key};
use elbowroom::internal::query::{ContactKind, Inside, Through};

/// The most entries that a series has. Even, so that it can be halved.
pub const MOST_BEATS: usize = 1024;

/// The contact of two objects in one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sighting {
    /// The frame.
    pub frame: u32,
    /// The kind of contact.
    pub kind: ContactKind,
    /// The object that is a part of the other, if one is.
    pub inside: Option<Inside>,
    /// Whether that is but likely.
    pub is_estimate: bool,
    /// A bound of how far the compared shapes reach beyond the true ones.
    pub bound: f64,
    /// The number of pairs of triangles that meet.
    pub triangle_pairs: u64,
    /// The number of these pairs that cross.
    pub crossing_pairs: u64,
    /// The penetration depth, if measured.
    pub depth: Option<f64>,
    /// Whether the depth and the volume are but likely.
    pub depth_is_estimate: bool,
    /// The volume of what is in both, where it was measured.
    pub volume: Option<f64>,
    /// The length of the curve of contact, if measured.
    pub length: Option<f64>,
    /// The distance, if measured.
    pub distance: Option<f64>,
    /// The point of contact, or else the deepest point, if known.
    pub point: Option<DVec3>,
    /// A unit vector from the first towards the second there.
    pub normal: Option<DVec3>,
    /// The parts that meet the most.
    pub parts: Option<(u32, u32)>,
    /// For an object with itself: the number of these pairs of triangles that already meet at
    /// rest.
    pub at_rest: u64,
}

impl Sighting {
    /// A sighting of a meeting that was found in a frame.
    pub fn new(meeting: &Meeting) -> Self {
        let (place, overlap) = (meeting.place.as_deref(), meeting.overlap.as_deref());
        let deepest = overlap.and_then(|overlap| overlap.deepest).map(|[point, _]| point);
        Self {
            frame: meeting.frame,
            kind: meeting.kind,
            inside: meeting.inside,
            is_estimate: !meeting.certainty.is_exact(),
            bound: if meeting.certainty.is_exact() { 0.0 } else { meeting.bound },
            triangle_pairs: meeting.triangle_pairs(),
            crossing_pairs: meeting.crossing,
            depth: overlap.map(|overlap| overlap.depth),
            depth_is_estimate: overlap.is_some_and(|overlap| !overlap.is_certain()),
            // What rounding alone may have made is nothing.
            volume: overlap.map(|overlap| {
                if overlap.volume.abs() <= overlap.volume_error { 0.0 } else { overlap.volume }
            }),
            length: place.map(|place| place.length),
            distance: meeting.distance,
            point: place.map(|place| place.point).or(deepest),
            normal: place.map(|place| place.normal),
            parts: meeting.parts.first().map(|pair| (pair.a, pair.b)),
            at_rest: meeting.at_rest,
        }
    }

    /// Compares the severity of two sightings: `Greater` is worse. The frame does not matter.
    pub fn compare(&self, other: &Self) -> Ordering {
        let class = |kind: ContactKind| kind.min(ContactKind::Crossing);
        let or_none = |value: Option<f64>| value.unwrap_or(0.0);
        // Without a distance they may be anywhere, so a contact with one is nearer.
        let near = |value: Option<f64>| -value.unwrap_or(f64::INFINITY);
        class(self.kind)
            .cmp(&class(other.kind))
            .then(or_none(self.depth).total_cmp(&or_none(other.depth)))
            .then(self.kind.cmp(&other.kind))
            .then(or_none(self.length).total_cmp(&or_none(other.length)))
            .then(self.triangle_pairs.cmp(&other.triangle_pairs))
            .then(near(self.distance).total_cmp(&near(other.distance)))
    }
}

/// One entry of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beat {
    /// The frame.
    pub frame: u32,
    /// The penetration depth, if measured.
    pub depth: Option<f64>,
    /// The number of pairs of triangles that meet.
    pub triangle_pairs: u64,
}

impl Beat {
    fn is_worse_than(&self, other: &Self) -> bool {
        let depth = |beat: &Self| beat.depth.unwrap_or(0.0);
        let order = depth(self).total_cmp(&depth(other));
        order.then(self.triangle_pairs.cmp(&other.triangle_pairs)).is_gt()
    }
}

/// Two objects that meet over some time.
#[derive(Clone, Debug, PartialEq)]
pub struct Incident {
    /// The object that comes first in the scene.
    pub a: ObjectId,
    /// The other; the same for one that meets itself.
    pub b: ObjectId,
    /// The first frame in which they meet.
    pub first: u32,
    /// The last one.
    pub last: u32,
    /// The number of examined frames in contact, from the first to the last.
    pub frames: u64,
    /// The frame in which it is worst.
    pub worst: Sighting,
    /// The object that goes right through the other in any frame, if asked for.
    pub through: Through,
    /// The parts that meet, with pairs of triangles added up over all frames: the most first once
    /// it is finished.
    pub parts: Vec<PartPair>,
    /// The course of the incident: one entry for each frame, or the worst of every `series_every`
    /// frames.
    pub series: Vec<Beat>,
    /// The number of frames for each entry of the series.
    pub series_every: u32,
}

impl Incident {
    fn new(meeting: &Meeting) -> Self {
        let mut new = Self {
            a: meeting.a,
            b: meeting.b,
            first: meeting.frame,
            last: meeting.frame,
            frames: 0,
            worst: Sighting::new(meeting),
            through: meeting.through,
            parts: Vec::new(),
            series: Vec::new(),
            series_every: 1,
        };
        new.add(meeting);
        new
    }

    fn add(&mut self, meeting: &Meeting) {
        let sighting = Sighting::new(meeting);
        self.last = sighting.frame;
        self.through.a_through_b |= meeting.through.a_through_b;
        self.through.b_through_a |= meeting.through.b_through_a;
        if sighting.compare(&self.worst).is_gt() {
            self.worst = sighting;
        }
        for part in &meeting.parts {
            match self.parts.binary_search_by_key(&(part.a, part.b), |sum| (sum.a, sum.b)) {
                Ok(place) => {
                    self.parts[place].touching += part.touching;
                    self.parts[place].crossing += part.crossing;
                }
                Err(place) => self.parts.insert(place, *part),
            }
        }
        let Sighting { frame, depth, triangle_pairs, .. } = sighting;
        self.beat(Beat { frame, depth, triangle_pairs });
    }

    /// Puts an entry at the end of the series, or merges it with the last.
    fn beat(&mut self, beat: Beat) {
        let begins = self.frames.is_multiple_of(u64::from(self.series_every));
        self.frames += 1;
        match self.series.last_mut() {
            Some(last) if !begins => {
                if beat.is_worse_than(last) {
                    *last = beat;
                }
            }
            _ => {
                if self.series.len() == MOST_BEATS {
                    self.thin();
                }
                self.series.push(beat);
            }
        }
    }

    /// Leaves the worse of every two entries.
    fn thin(&mut self) {
        for place in 0..self.series.len() / 2 {
            let (first, second) = (self.series[2 * place], self.series[2 * place + 1]);
            self.series[place] = if second.is_worse_than(&first) { second } else { first };
        }
        self.series.truncate(self.series.len() / 2);
        self.series_every = self.series_every.saturating_mul(2);
    }

    fn finished(mut self) -> Self {
        // Stable, so that equals stay in the order of the parts.
        many_by_key(&mut self.parts, |pair| std::cmp::Reverse(pair.touching + pair.crossing));
        self
    }
}

/// Who meets whom: two objects, and of one object which of its parts.
type Key = (ObjectId, ObjectId, Option<(u32, u32)>);

fn key(a: ObjectId, b: ObjectId, parts: &[PartPair]) -> Key {
    let own = parts.first().filter(|_| a == b).map(|pair| (pair.a, pair.b));
    (a, b, own)
}

/// An incident that may go on.
#[derive(Clone, Debug, PartialEq)]
pub struct Open {
    /// The incident so far.
    pub incident: Incident,
    /// The number of frames that were examined before its last one.
    pub last_step: u64,
}

/// All that a builder holds, to be kept and gone on with later.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The number of examined frames.
    pub steps: u64,
    /// Incidents that may continue, by their objects.
    pub open: Vec<Open>,
    /// Finished incidents, in the order of their ends.
    pub finished: Vec<Incident>,
}

/// Merges contacts to incidents, frame by frame.
///
/// ```
/// use elbowroom::internal::query::ContactKind;
/// use elbowroom_motion::scene::{ContactSummary, Incidents, Meeting, ObjectId};
///
/// let meeting = |frame, crossing| {
///     let kind = ContactKind::Crossing;
///     let contact = ContactSummary { kind, crossing, ..ContactSummary::default() };
///     Meeting { frame, a: ObjectId(0), b: ObjectId(1), contact: contact.into() }
/// };
/// let mut incidents = Incidents::new(1);
/// incidents.frame(&[meeting(10, 4)]);
/// incidents.frame(&[]);
/// incidents.frame(&[meeting(12, 9)]);
/// incidents.frame(&[]);
/// incidents.frame(&[]);
/// incidents.frame(&[meeting(15, 2)]);
/// let ranked = incidents.finish();
/// let times: Vec<_> = ranked.iter().map(|i| (i.first, i.worst.frame, i.last)).collect();
/// assert_eq!(times, [(10, 12, 12), (15, 15, 15)]);
/// ```
#[derive(Clone, Debug)]
pub struct Incidents {
    gap: u32,
    steps: u64,
    open: BTreeMap<Key, Open>,
    finished: Vec<Incident>,
}

impl Incidents {
    /// An empty collection. A gap of up to `gap` examined frames joins contacts into one incident.
    pub fn new(gap: u32) -> Self {
        Self::resume(gap, State::default())
    }

    /// Goes on from where another was taken apart.
    pub fn resume(gap: u32, state: State) -> Self {
        let key = |Open { incident, .. }: &Open| key(incident.a, incident.b, &incident.parts);
        let open = state.open.into_iter().map(|open| (key(&open), open)).collect();
        Self { gap, steps: state.steps, open, finished: state.finished }
    }

    /// All that it holds.
    pub fn state(&self) -> State {
        State {
            steps: self.steps,
            open: self.open.values().cloned().collect(),
            finished: self.finished.clone(),
        }
    }

    /// The number of incidents so far.
    pub fn len(&self) -> usize {
        self.open.len() + self.finished.len()
    }

    /// Whether nothing was seen.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The contacts of the next examined frame; of a frame without any, too, or one that could not
    /// be read: those are what gaps are made of.
    pub fn frame<'a>(&mut self, meetings: impl IntoIterator<Item = &'a Meeting>) {
        let step = self.steps;
        self.steps += 1;
        for meeting in meetings {
            let key = key(meeting.a, meeting.b, &meeting.parts);
            if let Some(open) = self.open.get_mut(&key) {
                open.incident.add(meeting);
                open.last_step = step;
            } else {
                let incident = Incident::new(meeting);
                self.open.insert(key, Open { incident, last_step: step });
            }
        }
        let gap = u64::from(self.gap);
        let over = self.open.extract_if(.., |_, open| step - open.last_step > gap);
        self.finished.extend(over.map(|(_, open)| open.incident.finished()));
    }

    /// All incidents, the worst first.
    pub fn finish(self) -> Vec<Incident> {
        let mut all = self.finished;
        all.extend(self.open.into_values().map(|open| open.incident.finished()));
        let order =
            |incident: &Incident| (incident.first, key(incident.a, incident.b, &incident.parts));
        many_by(&mut all, |p, q| q.worst.compare(&p.worst).then(order(p).cmp(&order(q))));
        all
    }
}
