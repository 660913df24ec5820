//! `elbowroom crowd --stand A B`: how close two bodies may stand before they touch, by every
//! method.
//!
//! The first slides straight towards the second until they meet; what is left between their places
//! is how close they may stand. Both hold the first pose of the clip in which they stand.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::io::{self, Write};

use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::crowd::{Detail, Performer};
use elbowroom_motion::footprint::{BoxParts, Boxes, Look, SlideWork, slide};
use glam::DVec2;
use serde::Serialize;
use serde_json::Serializer;

use super::cast::Cast;
use super::method::Method;
use crate::messages::Refusal;
use crate::output::json_format::Shallow;
use crate::warnings::{self, LeftOutArgs, Warning};

const SCHEMA_VERSION: u32 = 1;
/// From where the first comes, in metres; no one reaches so far.
const FAR: f64 = 50.0;
/// Headings of either that the mean is taken over.
const HEADINGS: u32 = 16;
/// How they stand: the first comes along x, and these are the headings of both.
const WAYS: [(&str, f64, f64); 4] = [
    ("face to face", 0.0, PI),
    ("side by side", FRAC_PI_2, FRAC_PI_2),
    ("in a queue", 0.0, 0.0),
    ("back to back", PI, 0.0),
];

/// How close, by all methods.
#[derive(Debug, Serialize)]
pub(super) struct Stand {
    schema_version: u32,
    elbowroom_version: &'static str,
    /// Of all lengths.
    unit: &'static str,
    bodies: [String; 2],
    clips: [String; 2],
    /// Whether all of both bodies was read.
    complete: bool,
    warnings: Vec<Warning>,
    ways: [&'static str; 4],
    methods: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    /// Metres between their places, one for each way.
    apart: [f64; 4],
    /// Over all headings.
    mean: f64,
    most: f64,
}

impl Stand {
    /// The first and the last body of a cast, by methods.
    pub(super) fn new(
        cast: &Cast,
        (methods, has_clip): &(Vec<Method>, bool),
        (warnings, left_out): (Vec<Warning>, LeftOutArgs),
    ) -> Result<Self, Refusal> {
        let performers = cast.performers()?;
        // Each walks, then stands.
        let way = usize::from(!has_clip);
        let (first, second) = (&performers[way], &performers[performers.len() - 2 + way]);
        let names = [0, cast.characters.len() - 1].map(|index| cast.characters[index].name.clone());
        let rows = methods.iter().filter_map(|method| Row::new(method, first, second));
        Ok(Self {
            schema_version: SCHEMA_VERSION,
            elbowroom_version: env!("CARGO_PKG_VERSION"),
            unit: "m",
            bodies: names,
            clips: [first, second].map(|performer| performer.clip().name().to_owned()),
            complete: warnings::missing(&warnings, left_out.allow_left_out).is_none(),
            warnings,
            ways: WAYS.map(|way| way.0),
            methods: rows.collect(),
        })
    }

    pub(super) fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    pub(super) fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        let mut serializer = Serializer::with_formatter(&mut *out, Shallow::default());
        self.serialize(&mut serializer)?;
        writeln!(out)
    }

    pub(super) fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let [a, b] = &self.bodies;
        let [clip_a, clip_b] = &self.clips;
        writeln!(
            out,
            "How close {a} (clip {clip_a:?}) and {b} (clip {clip_b:?}) may stand: metres between their places"
        )?;
        write!(out, "  {:14}", "method")?;
        for way in self.ways {
            write!(out, "  {way:>12}")?;
        }
        writeln!(out, "  {:>12}  {:>12}", "mean", "most")?;
        for row in &self.methods {
            write!(out, "  {:14}", row.name)?;
            for apart in row.apart {
                write!(out, "  {apart:>12.3}")?;
            }
            writeln!(out, "  {:>12.3}  {:>12.3}", row.mean, row.most)?;
        }
        writeln!(
            out,
            "  Mean and most are over {HEADINGS} × {HEADINGS} headings. Levels are bounds, never below exact; disks are not."
        )
    }
}

impl Row {
    /// Nothing for methods that ask about more than two.
    fn new(method: &Method, first: &Performer<'_>, second: &Performer<'_>) -> Option<Self> {
        let mut asked = Asked::new(&method.detail, first, second)?;
        let apart = WAYS.map(|(_, a, b)| asked.apart(a, b));
        let (mut sum, mut most) = (0.0, 0.0_f64);
        for (i, j) in (0..HEADINGS).flat_map(|i| (0..HEADINGS).map(move |j| (i, j))) {
            let [a, b] = [i, j].map(|k| TAU * f64::from(k) / f64::from(HEADINGS));
            let apart = asked.apart(a, b);
            sum += apart;
            most = most.max(apart);
        }
        let mean = sum / f64::from(HEADINGS * HEADINGS);
        Some(Self { name: method.name.clone(), apart, mean, most })
    }
}

/// Two bodies as a method sees them.
enum Asked<'a> {
    Disks(f64),
    Circles([&'a Performer<'a>; 2], Look, SlideWork),
    Meshes(Box<[Boxes; 2]>, SlideWork),
}

impl<'a> Asked<'a> {
    fn new(detail: &Detail, first: &'a Performer<'a>, second: &'a Performer<'a>) -> Option<Self> {
        let circles = |level| Look { level, margin: 0.0 };
        match *detail {
            Detail::Disk(radius) => Some(Self::Disks(radius)),
            Detail::Level(level) => {
                Some(Self::Circles([first, second], circles(Some(level)), SlideWork::default()))
            }
            Detail::Full => {
                Some(Self::Circles([first, second], circles(None), SlideWork::default()))
            }
            Detail::Exact => {
                let boxes = |performer: &Performer<'_>| {
                    Boxes::of_mesh(performer.posed(0).mesh(), BoxParts::Full).ok()
                };
                let both = [boxes(first)?, boxes(second)?];
                Some(Self::Meshes(Box::new(both), SlideWork::default()))
            }
            Detail::Camera { .. } | Detail::Density { .. } | Detail::Budget { .. } => None,
        }
    }

    /// Metres between the places of both when they meet, the first coming along x.
    fn apart(&mut self, heading_a: f64, heading_b: f64) -> f64 {
        let at = |heading: f64, x: f64| {
            // A heading of a table, near the origin.
            Planar::from_angle(heading, DVec2::new(x, 0.0)).unwrap_or_default()
        };
        let (a, b) = (at(heading_a, -FAR), at(heading_b, 0.0));
        let way = match self {
            Self::Disks(radius) => return 2.0 * *radius,
            Self::Circles([first, second], look, work) => {
                let [first, second] = [first, second].map(|body| body.posed(0).footprint());
                slide(first, &a, second, &b, DVec2::X, look, work)
            }
            Self::Meshes(boxes, work) => {
                let [first, second] = &**boxes;
                slide(first, &a, second, &b, DVec2::X, &Look::default(), work)
            }
        };
        // Who never meets on the way may stand in one place.
        way.map_or(0.0, |way| (FAR - way).max(0.0))
    }
}
