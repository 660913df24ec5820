//! Contacts, incidents and what is between frames as rows of named columns, for tables of any kind.
//! The columns are always the same; what was not asked for is empty.

use elbowroom_motion::scene::{Incident, Meeting};
use serde::{Deserialize, Serialize};

use crate::result::between::what;
use crate::result::cast::Cast;
use crate::result::frame::Passing;
use crate::result::incident::{inside, worst_parts};
use crate::result::options;

use Type::{Number, Text, Whole};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Whole,
    Number,
    Text,
}

/// One value. Whole numbers come before others, so that they are read back as such.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Cell {
    Empty,
    Whole(i64),
    Number(f64),
    Text(String),
}

/// Names and types of the columns of a table.
pub(crate) type Columns = &'static [(&'static str, Type)];

pub(crate) const CONTACTS: Columns = &[
    ("frame", Whole),
    ("time", Number),
    ("a", Text),
    ("b", Text),
    ("kind", Text),
    ("triangle_pairs", Whole),
    ("crossing_pairs", Whole),
    ("part_a", Text),
    ("part_b", Text),
    ("distance", Number),
    ("inside", Text),
    ("through", Text),
    ("certainty", Text),
    ("x", Number),
    ("y", Number),
    ("z", Number),
    ("normal_x", Number),
    ("normal_y", Number),
    ("normal_z", Number),
    ("length", Number),
    ("regions", Whole),
    ("depth", Number),
    ("depth_upper", Number),
    ("depth_x", Number),
    ("depth_y", Number),
    ("depth_z", Number),
    ("volume", Number),
    ("volume_error", Number),
    ("area_a", Number),
    ("area_b", Number),
    ("depth_certainty", Text),
    ("unit", Text),
];

pub(crate) const INCIDENTS: Columns = &[
    ("rank", Whole),
    ("a", Text),
    ("b", Text),
    ("kind", Text),
    ("first", Whole),
    ("last", Whole),
    ("worst", Whole),
    ("frames", Whole),
    ("first_time", Number),
    ("last_time", Number),
    ("worst_time", Number),
    ("triangle_pairs", Whole),
    ("crossing_pairs", Whole),
    ("part_a", Text),
    ("part_b", Text),
    ("distance", Number),
    ("inside", Text),
    ("through", Text),
    ("depth", Number),
    ("volume", Number),
    ("length", Number),
    ("x", Number),
    ("y", Number),
    ("z", Number),
    ("normal_x", Number),
    ("normal_y", Number),
    ("normal_z", Number),
    ("unit", Text),
];

pub(crate) const BETWEEN: Columns = &[
    ("frame", Number),
    ("time", Number),
    ("a", Text),
    ("b", Text),
    ("what", Text),
    ("x", Number),
    ("y", Number),
    ("z", Number),
    ("part_a", Text),
    ("part_b", Text),
    ("unit", Text),
];

fn whole(value: u64) -> Cell {
    // More pairs than fit are more than can be.
    Cell::Whole(i64::try_from(value).unwrap_or(i64::MAX))
}

fn number(value: Option<f64>) -> Cell {
    value.map_or(Cell::Empty, Cell::Number)
}

fn text(value: Option<&str>) -> Cell {
    value.map_or(Cell::Empty, |text| Cell::Text(text.to_owned()))
}

fn vector(value: Option<[f64; 3]>) -> [Cell; 3] {
    [0, 1, 2].map(|axis| number(value.map(|vector| vector[axis])))
}

fn names(cast: &Cast, a: usize, b: usize) -> [Cell; 2] {
    [a, b].map(|object| Cell::Text(cast.entries[object].name.clone()))
}

/// The parts of two objects by name, if they are told apart.
fn parts(cast: &Cast, (a, b): (usize, usize), pair: Option<(u32, u32)>) -> [Cell; 2] {
    let name = |object: usize, part: u32| {
        text(cast.entries[object].parts.get(part as usize).map(String::as_str))
    };
    match pair {
        Some((i, j)) => [name(a, i), name(b, j)],
        None => [Cell::Empty, Cell::Empty],
    }
}

pub(crate) fn contact(cast: &Cast, contact: &Meeting) -> Vec<Cell> {
    let (a, b, frame) = (contact.a.index(), contact.b.index(), contact.frame);
    let (place, overlap) = (contact.place.as_deref(), contact.overlap.as_deref());
    let certainty = options::certainty_words(&cast.wanted, contact);
    let depth_certainty = overlap.map(options::depth_certainty);
    let deepest = overlap.and_then(|overlap| overlap.deepest).map(|[point, _]| point.to_array());
    let most = contact.parts.first().map(|pair| (pair.a, pair.b));
    let mut row = Vec::with_capacity(CONTACTS.len());
    row.extend([whole(frame.into()), number(cast.time(frame as usize))]);
    row.extend(names(cast, a, b));
    row.push(text(Some(contact.kind.name())));
    row.extend([whole(contact.triangle_pairs()), whole(contact.crossing)]);
    row.extend(parts(cast, (a, b), most));
    row.push(number(contact.distance));
    row.push(text(inside(contact.inside)));
    row.push(text(options::through(contact.through)));
    row.push(text(certainty.as_deref()));
    row.extend(vector(place.map(|place| place.point.to_array())));
    row.extend(vector(place.map(|place| place.normal.to_array())));
    row.push(number(place.map(|place| place.length)));
    row.push(place.and_then(|place| place.regions).map_or(Cell::Empty, whole));
    row.push(number(overlap.map(|overlap| overlap.depth)));
    row.push(number(overlap.map(|overlap| overlap.depth_upper)));
    row.extend(vector(deepest));
    row.push(number(overlap.map(|overlap| overlap.volume)));
    row.push(number(overlap.map(|overlap| overlap.volume_error)));
    row.extend([0, 1].map(|side| number(overlap.map(|overlap| overlap.areas[side]))));
    row.push(text(depth_certainty.as_deref()));
    row.push(text(cast.unit.name().as_deref()));
    debug_assert_eq!(row.len(), CONTACTS.len());
    row
}

pub(crate) fn incident(cast: &Cast, index: usize, incident: &Incident) -> Vec<Cell> {
    let worst = &incident.worst;
    let (a, b) = (incident.a.index(), incident.b.index());
    let frames = [incident.first, incident.last, worst.frame];
    let mut row = Vec::with_capacity(INCIDENTS.len());
    row.push(whole(index as u64 + 1));
    row.extend(names(cast, a, b));
    row.push(text(Some(worst.kind.name())));
    row.extend(frames.map(|frame| Cell::Whole(i64::from(frame))));
    row.push(whole(incident.frames));
    row.extend(frames.map(|frame| number(cast.time(frame as usize))));
    row.extend([whole(worst.triangle_pairs), whole(worst.crossing_pairs)]);
    let names = worst_parts(cast, incident);
    row.extend([0, 1].map(|side| text(names.map(|names| names[side]))));
    row.push(number(worst.distance));
    row.push(text(inside(worst.inside)));
    row.push(text(options::through(incident.through)));
    row.extend([worst.depth, worst.volume, worst.length].map(number));
    row.extend(vector(worst.point.map(|point| point.to_array())));
    row.extend(vector(worst.normal.map(|normal| normal.to_array())));
    row.push(text(cast.unit.name().as_deref()));
    debug_assert_eq!(row.len(), INCIDENTS.len());
    row
}

pub(crate) fn passing(cast: &Cast, passing: &Passing) -> Vec<Cell> {
    let mut row = Vec::with_capacity(BETWEEN.len());
    let time = cast.fps.map(|fps| (passing.frame - cast.zero as f64) / fps);
    row.extend([Cell::Number(passing.frame), number(time)]);
    row.extend(names(cast, passing.a, passing.b));
    row.push(text(Some(what(passing))));
    row.extend(vector(Some(passing.point)));
    row.extend(parts(cast, (passing.a, passing.b), passing.parts.first().copied()));
    row.push(text(cast.unit.name().as_deref()));
    debug_assert_eq!(row.len(), BETWEEN.len());
    row
}
