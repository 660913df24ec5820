//! Pictures of the papers' scenes and of the hierarchies over them, drawn by code of our own.
//!
//! A [`Sketch`] is a picture that can be drawn: a scene, its real trees, and how to look at them.
//! Volumes are those that queries test, taken from the library's trees. Surfaces are opaque
//! triangles with a depth for each sample; volumes are translucent, with their edges; nine
//! samples make a pixel. The ground is transparent, so that a picture stands on light pages and on
//! dark ones.
//!
//! ```
//! use elbowroom_lab::{Context, NoData, SKETCHES, Silent};
//!
//! let torus = SKETCHES.iter().find(|sketch| sketch.name == "obbtree-torus").expect("in the list");
//! let picture = torus.draw(&Context { quick: true, progress: &Silent, data: &NoData });
//! assert!(picture.png.starts_with(b"\x89PNG") && picture.png.len() < 150_000);
//! ```
//!
//! Invariants: the same scene gives the same bytes on every system: f64 and f32 arithmetic in a
//! fixed order, sines from one library in plain Rust, one thread, one deflate. Real bodies come
//! through [`Data`](crate::Data); without them generated ones stand in, and the caption says which.

mod bch;
mod cab;
mod canvas;
mod crowd;
mod file;
mod hull;
mod lens;
mod mobb;
mod obbtree;
mod people;
mod pick;
mod sbbk;
mod stage;
mod text;

use std::fmt;

use crate::Context;
use canvas::{Canvas, Color, Window};

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// A name for its file: `obbtree-torus`.
    pub name: &'static str,
    /// The paper's short name, as an experiment has it.
    pub paper: &'static str,
    /// What is on it.
    pub title: String,
    /// What is seen, and what it was made with.
    pub caption: String,
    /// Pixels from left to right and from top to bottom.
    pub size: [u32; 2],
    /// The file.
    pub png: Vec<u8>,
}

/// A picture that can be drawn.
#[derive(Clone, Copy)]
pub struct Sketch {
    /// A name for its file.
    pub name: &'static str,
    /// The paper's short name, as an experiment has it; `elbowroom` where there is none.
    pub paper: &'static str,
    /// What is on it.
    pub title: &'static str,
    draw: fn(&Context, &mut Canvas) -> String,
}

impl Sketch {
    /// Draws it.
    ///
    /// # Panics
    /// Never: the file is written to memory, and its size is fixed.
    pub fn draw(&self, context: &Context) -> Picture {
        let mut canvas = Canvas::new([WIDTH, HEIGHT]);
        let caption = (self.draw)(context, &mut canvas);
        let size = [WIDTH, HEIGHT].map(|n| n as u32);
        let png = file::png(size, &canvas.pixels()).expect("memory takes every byte");
        Picture {
            name: self.name,
            paper: self.paper,
            title: self.title.to_owned(),
            caption,
            size,
            png,
        }
    }
}

impl fmt::Debug for Sketch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sketch").field(&self.name).finish()
    }
}

/// Of every picture, in pixels.
const WIDTH: usize = 960;
const HEIGHT: usize = 600;

/// All of it.
const WHOLE: Window = Window { x: 0, y: 0, width: WIDTH, height: HEIGHT };

/// Colours that are told apart on white and on black.
mod ink {
    use super::Color;

    pub(super) const OBB: Color = [0.90, 0.45, 0.10];
    pub(super) const AABB: Color = [0.16, 0.47, 0.84];
    pub(super) const SPHERE: Color = [0.13, 0.62, 0.42];
    pub(super) const KDOP: Color = [0.58, 0.34, 0.78];
    pub(super) const CYLINDER: Color = [0.05, 0.58, 0.62];
    pub(super) const CAB: Color = [0.80, 0.24, 0.38];
    pub(super) const TIME: Color = [0.24, 0.45, 0.86];
    /// Surfaces: the first, a second one, and people.
    pub(super) const STONE: Color = [0.90, 0.89, 0.87];
    pub(super) const SECOND: Color = [0.60, 0.72, 0.88];
    pub(super) const SECOND_LINE: Color = [0.25, 0.42, 0.70];
    pub(super) const SKIN: Color = [0.93, 0.76, 0.65];
    /// What meets.
    pub(super) const CONTACT: Color = [0.88, 0.16, 0.16];
    /// Outlines.
    pub(super) const DARK: Color = [0.30, 0.31, 0.35];
}

/// A number that is not negative, without what is behind its point.
#[expect(clippy::cast_sign_loss, reason = "callers pass no negative numbers; a cast holds at 0")]
fn whole(number: f64) -> usize {
    number as usize
}

const fn sketch(
    paper: &'static str,
    name: &'static str,
    title: &'static str,
    draw: fn(&Context, &mut Canvas) -> String,
) -> Sketch {
    Sketch { name, paper, title, draw }
}

/// Every picture, paper by paper.
pub const SKETCHES: &[Sketch] = &[
    sketch(
        "OBBTree",
        "obbtree-torus",
        "Boxes, boxes along the axes and balls close in on a torus",
        obbtree::torus,
    ),
    sketch("OBBTree", "obbtree-wrinkled", "A wrinkled torus under boxes", obbtree::wrinkled),
    sketch("OBBTree", "obbtree-spheres", "Concentric spheres, cut open", obbtree::spheres),
    sketch("OBBTree", "obbtree-pipes", "Two tangles of pipes", obbtree::tangles),
    sketch("CAB", "cab-chain", "A chain under boxes, two ways", cab::chain),
    sketch("CAB", "cab-hand", "A hand under boxes, two ways", cab::hand),
    sketch("SBBK", "sbbk-head", "A monkey's head under layers of volumes", sbbk::head),
    sketch("SBBK", "sbbk-helicopter", "A helicopter, a ball and their front", sbbk::helicopter),
    sketch("SBBK", "sbbk-monkeys", "Heads that fall together", sbbk::monkeys),
    sketch("BCH", "bch-outline", "A walker from above under circles", bch::outline),
    sketch("BCH", "bch-body", "A walker under cylinders", bch::body),
    sketch("BCH", "bch-slabs", "Cylinders around slabs of height", bch::slabs),
    sketch("BCH", "bch-close", "As close as each structure lets two people come", bch::close),
    sketch("MOBB", "mobb-levels", "A motion in space and time under boxes", mobb::levels),
    sketch("MOBB", "mobb-crossing", "Two motions that cross", mobb::crossing),
    sketch("elbowroom", "crowd-corridor", "A crowd from above", crowd::corridor),
    sketch("elbowroom", "people-contact", "Where two people meet", crowd::contact),
];
