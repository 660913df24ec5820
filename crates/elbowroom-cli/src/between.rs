//! What comes together between two frames: the checks of it, and the words for it.
//!
//! From frame to frame vertices move in straight lines. What is told begins between two frames that were examined, or in the later one; whether the two
//! objects still meet there tells what stays from what got through.

use std::io::{self, Write};

use elbowroom::broad::Support;
use elbowroom::query::{Continuous, Steps, Swept, first_contact_swept};
use elbowroom::volume::Aabb;
use glam::DVec3;
use serde::Serialize;

use crate::args::{CheckArgs, Touching};
use crate::cast::Cast;
use crate::check::{Contact, Findings};
use crate::plan::Plan;
use crate::words::{Refusal, count, printable, short};

/// Two objects that come together between frames.
#[derive(Clone, Debug)]
pub(crate) struct Passing {
    /// A fractional frame, no later than the contact.
    pub(crate) frame: f64,
    pub(crate) a: usize,
    pub(crate) b: usize,
    /// Whether they meet in the next frame that was examined.
    pub(crate) stays: bool,
    pub(crate) point: DVec3,
    /// The parts that come together, the earliest first; none where parts are not told apart.
    pub(crate) parts: Vec<(u32, u32)>,
}

impl Findings {
    /// Whether something comes together between frames.
    pub(crate) fn has_passings(&self) -> bool {
        self.between.as_ref().is_some_and(|passings| !passings.is_empty())
    }
}

/// What cannot be asked together.
///
/// # Errors
/// If touching is not to count: between frames things touch first, and then they may be through.
pub(crate) fn check_args(args: &CheckArgs) -> Result<(), Refusal> {
    if args.continuous && args.touching == Touching::Ignore {
        let problem =
            "--continuous tells when things first touch, and --touching ignore leaves touching out";
        return Err(Refusal {
            problems: vec![problem.to_owned()],
            hint: "say one of them".to_owned(),
        });
    }
    Ok(())
}

/// What the object that moves comes together with, between the frames of plain meshes.
pub(crate) fn of_plain(plan: &Plan, contacts: &[Contact]) -> Vec<Passing> {
    let Some(mover) = plan.mover() else { return Vec::new() };
    let meets = |frame: usize, a: usize, b: usize| {
        let key = |contact: &Contact| (contact.frame, contact.a, contact.b);
        contacts.binary_search_by_key(&(frame, a, b), key).is_ok()
    };
    let points = |object: usize, frame: usize| -> Vec<DVec3> {
        let place = plan.placement(object, frame);
        plan.objects[object].model.mesh().vertices().iter().map(|&p| place.apply(p)).collect()
    };
    let bounds: Vec<Aabb> = (0..plan.objects.len())
        .map(|i| Support::of_mesh(plan.objects[i].model.mesh()).placed(&plan.objects[i].rest))
        .collect();
    let (asked, mut steps, mut all) = (Continuous::default(), Steps::default(), Vec::new());
    let mut still: Vec<Option<Swept>> = vec![None; plan.objects.len()];
    let mut moving = Swept::new(plan.objects[mover].model.mesh().clone());
    let mut before = points(mover, 0);
    for frame in 1..plan.frames() {
        let after = points(mover, frame);
        if moving.set(&before, &after).is_err() {
            continue;
        }
        let (min, max) = moving.bounds();
        for other in (0..plan.objects.len()).filter(|&other| other != mover) {
            let (a, b) = (mover.min(other), mover.max(other));
            let bounds = &bounds[other];
            let is_near = min.cmple(bounds.max).all() && bounds.min.cmple(max).all();
            if !is_near || meets(frame - 1, a, b) {
                continue;
            }
            let rest = still[other].get_or_insert_with(|| {
                let mut swept = Swept::new(plan.objects[other].model.mesh().clone());
                let points = points(other, 0);
                // Points that were examined before are finite.
                let _ = swept.set(&points, &points);
                swept
            });
            let since = first_contact_swept(rest, &moving, &asked, &mut steps);
            all.extend(since.map(|since| Passing {
                frame: (frame - 1) as f64 + since.time,
                a,
                b,
                stays: meets(frame, a, b),
                point: 0.5 * (since.points[0] + since.points[1]),
                parts: Vec::new(),
            }));
        }
        before = after;
    }
    all
}

/// A passing, for programs.
#[derive(Serialize)]
pub(crate) struct PassingEntry<'a> {
    frame: f64,
    a: &'a str,
    b: &'a str,
    /// `passes` if the two do not meet in the next frame, `begins` if they do.
    what: &'static str,
    point: [f64; 3],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartEntry<'a>>,
}

#[derive(Serialize)]
struct PartEntry<'a> {
    a: &'a str,
    b: &'a str,
}

fn what(passing: &Passing) -> &'static str {
    if passing.stays { "begins" } else { "passes" }
}

pub(crate) fn entries<'a>(cast: &'a Cast, all: &[Passing]) -> Vec<PassingEntry<'a>> {
    let entry = |passing: &Passing| {
        let (a, b) = (&cast.entries[passing.a], &cast.entries[passing.b]);
        let part =
            |&(i, j): &(u32, u32)| PartEntry { a: &a.parts[i as usize], b: &b.parts[j as usize] };
        PassingEntry {
            frame: passing.frame,
            a: &a.name,
            b: &b.name,
            what: what(passing),
            point: passing.point.to_array(),
            parts: passing.parts.iter().map(part).collect(),
        }
    };
    all.iter().map(entry).collect()
}

/// So many pairs of parts are named in a line; the JSON has all.
const PARTS_SHOWN: usize = 2;

/// A line for each, for people.
pub(crate) fn write(
    out: &mut impl Write,
    cast: &Cast,
    names: &[String],
    all: &[Passing],
) -> io::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let cells = |passing: &Passing| {
        [
            format!("{:.3}", passing.frame),
            names[passing.a].clone(),
            names[passing.b].clone(),
            what(passing).to_owned(),
            passing.point.to_array().map(short).join(" "),
            parts(cast, passing),
        ]
    };
    let head = ["between frames", "a", "b", "what", "point", "parts"].map(str::to_owned);
    let rows: Vec<[String; 6]> = std::iter::once(head).chain(all.iter().map(cells)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..6).map(|column| width(column).unwrap_or_default()).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    writeln!(out)
}

fn parts(cast: &Cast, passing: &Passing) -> String {
    let (a, b) = (&cast.entries[passing.a].parts, &cast.entries[passing.b].parts);
    let name = |&(i, j): &(u32, u32)| {
        format!("{}–{}", printable(&a[i as usize]), printable(&b[j as usize]))
    };
    let text = passing.parts.iter().take(PARTS_SHOWN).map(name).collect::<Vec<_>>().join(", ");
    match passing.parts.len().saturating_sub(PARTS_SHOWN) {
        0 => text,
        more => format!("{text}, {more} more"),
    }
}

/// How many there are, in words.
pub(crate) fn summary(all: &[Passing]) -> String {
    let passing = all.iter().filter(|passing| !passing.stays).count() as u64;
    match (all.len() as u64, passing) {
        (0, _) => "nothing comes together between frames".to_owned(),
        (all, passing) => {
            let begin = format!("{} between frames", count(all, "beginning"));
            if passing == 0 { begin } else { format!("{begin}, {passing} unseen by any frame") }
        }
    }
}
