//! What comes together between two frames: the checks of it, and the words for it.
//!
//! From frame to frame vertices move in straight lines. What is told begins between two frames that were examined, or in the later one; whether the two
//! objects still meet there tells what stays from what got through.

use std::io::{self, Write};

use elbowroom::internal::query::{CcdOptions, Steps, SweptMesh, first_contact_swept};
use elbowroom::internal::volume::Aabb;
use glam::DVec3;
use serde::Serialize;

use crate::check::cast::Cast;
use crate::check::finding::{Contact, Passing};
use crate::check::plan::Plan;
use crate::measure;
use crate::messages::{count, fitted, grouped};

/// The ways of the object that moves among plain meshes, from frame to frame.
pub(crate) struct Ways<'a> {
    plan: &'a Plan,
    mover: usize,
    bounds: Vec<Aabb>,
    still: Vec<Option<SweptMesh>>,
    moving: SweptMesh,
    steps: Steps,
}

impl<'a> Ways<'a> {
    pub(crate) fn new(plan: &'a Plan, mover: usize) -> Self {
        let objects = 0..plan.scene.objects().len();
        Self {
            plan,
            mover,
            bounds: objects.map(|object| plan.bounds(object, 0)).collect(),
            still: vec![None; plan.scene.objects().len()],
            moving: SweptMesh::new(plan.model(mover).mesh().clone()),
            steps: Steps::default(),
        }
    }

    fn points(&self, object: usize, frame: usize) -> Vec<DVec3> {
        let place = self.plan.placement(object, frame);
        let vertices = self.plan.model(object).mesh().vertices();
        vertices.iter().map(|&point| place.apply(point)).collect()
    }

    /// What comes together on the way to a frame, given the contacts of the one before and of it, in order.
    pub(crate) fn step(
        &mut self,
        frame: usize,
        before: &[Contact],
        after: &[Contact],
    ) -> Vec<Passing> {
        let (mover, asked) = (self.mover, CcdOptions::default());
        let (start, end) = (self.points(mover, frame - 1), self.points(mover, frame));
        if self.moving.set(&start, &end).is_err() {
            return Vec::new();
        }
        let (min, max) = self.moving.bounds();
        let mut all = Vec::new();
        for other in (0..self.plan.scene.objects().len()).filter(|&other| other != mover) {
            let (a, b) = (mover.min(other), mover.max(other));
            let bounds = &self.bounds[other];
            let is_near = min.cmple(bounds.max).all() && bounds.min.cmple(max).all();
            if !is_near || meets(before, a, b) {
                continue;
            }
            if self.still[other].is_none() {
                let mut swept = SweptMesh::new(self.plan.model(other).mesh().clone());
                let points = self.points(other, 0);
                // Points that were examined before are finite.
                let _ = swept.set(&points, &points);
                self.still[other] = Some(swept);
            }
            let Some(rest) = &self.still[other] else { continue };
            let since = first_contact_swept(rest, &self.moving, &asked, &mut self.steps);
            all.extend(since.map(|since| Passing {
                frame: (frame - 1) as f64 + since.time,
                a,
                b,
                stays: meets(after, a, b),
                point: (0.5 * (since.points[0] + since.points[1])).to_array(),
                parts: Vec::new(),
            }));
        }
        all
    }
}

/// Whether two objects are among the contacts of a frame.
fn meets(contacts: &[Contact], a: usize, b: usize) -> bool {
    contacts.binary_search_by_key(&(a, b), |contact| (contact.a, contact.b)).is_ok()
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

pub(crate) fn what(passing: &Passing) -> &'static str {
    if passing.stays { "begins" } else { "passes" }
}

impl<'a> PassingEntry<'a> {
    pub(crate) fn of(cast: &'a Cast, passing: &Passing) -> Self {
        let (a, b) = (&cast.entries[passing.a], &cast.entries[passing.b]);
        let part =
            |&(i, j): &(u32, u32)| PartEntry { a: &a.parts[i as usize], b: &b.parts[j as usize] };
        Self {
            frame: passing.frame,
            a: &a.name,
            b: &b.name,
            what: what(passing),
            point: passing.point,
            parts: passing.parts.iter().map(part).collect(),
        }
    }
}

/// So many pairs of parts are named in a line; the JSON has all.
const PARTS_SHOWN: usize = 2;

/// A line for each, for people.
pub(crate) fn write(
    out: &mut impl Write,
    cast: &Cast,
    names: &[String],
    (all, more): (&[Passing], u64),
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
            measure::point(&cast.unit, passing.point.into()),
            parts(cast, passing),
        ]
    };
    let point = cast.unit.name().map_or("point".to_owned(), |unit| format!("point ({unit})"));
    let head = ["between frames", "a", "b", "what", &point, "parts"].map(str::to_owned);
    let rows: Vec<[String; 6]> = std::iter::once(head).chain(all.iter().map(cells)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..6).map(|column| width(column).unwrap_or_default()).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    if more > 0 {
        writeln!(out, "{} more; --top 0 shows all", grouped(more))?;
    }
    writeln!(out)
}

fn parts(cast: &Cast, passing: &Passing) -> String {
    let (a, b) = (&cast.entries[passing.a].parts, &cast.entries[passing.b].parts);
    let name =
        |&(i, j): &(u32, u32)| format!("{}–{}", fitted(&a[i as usize]), fitted(&b[j as usize]));
    let text = passing.parts.iter().take(PARTS_SHOWN).map(name).collect::<Vec<_>>().join(", ");
    match passing.parts.len().saturating_sub(PARTS_SHOWN) {
        0 => text,
        more => format!("{text}, {more} more"),
    }
}

/// How many there are, and how many of them no frame shows, in words.
pub(crate) fn summary(all: u64, unseen: u64) -> String {
    if all == 0 {
        return "no contact begins between frames".to_owned();
    }
    let begin = format!("{} between frames", count(all, "beginning"));
    if unseen == 0 { begin } else { format!("{begin}, {unseen} seen in no frame") }
}
