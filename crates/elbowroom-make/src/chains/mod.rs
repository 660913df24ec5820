//! Two chains that meet now and then, frame by frame.
//!
//! The experiments of Schmidl, Walker and Lin (CAB: fast update of OBB trees for collision
//! detection between articulated bodies, 2004) are on two chains of eight links: convex links three
//! and six times as long as wide, links like the hull of a boat, and a braid. The motions are lost.
//! Ours are simulated from a seed (`rope.rs`): chains on hands that swing them, and chains wound
//! around each other. Sizes, gaps and speeds are chosen so that about as many boxes overlap as in
//! the paper.
//!
//! ```text
//!      o (========) o (========) o     o joint, (========) link
//! ```
//!
//! Links of all chains are equally thick, so one that is six times as long as wide is twice as long
//! as one of 3:1. The paper counts all pairs of links, neighbours among them, and has hardly any
//! false alarms: the boxes of its neighbours did not overlap. Nor do these: links end before their
//! joints, and a joint bends little. Rods, not ellipsoids, because the paper's axis-aligned boxes
//! of all vertices are nearly as large as those of eight corners.
//!
//! Invariants: the same seed gives the same bits on every system; joints stay together to the last
//! bits, whatever the motion.

mod rope;

use elbowroom::Mesh;
use elbowroom_motion::body::{FreedomKind, Local, Rig};
use glam::{DAffine3, DVec3};

use crate::chain::{Link, shaped};
use crate::lat_long_sphere;
use crate::rigid::Links;
use rope::Ropes;

/// Links of one chain.
pub const CHAIN_LINKS: usize = 8;

/// How wide every link is, in metres.
const WIDTH: f64 = 0.1;
/// From the end of a link to its joint, times how slender the link is: a long link sits nearer to
/// its joints. Measured against the paper's numbers of axis-aligned boxes that overlap, most of
/// which are those of neighbours.
const GAP: f64 = 0.075;
/// How high a hull reaches, in halves of its width: the sine of three sectors of 32, where the rim
/// meets a line of vertices.
const RIM: f64 = 0.555_570_233_019_602_2;
/// How high its floor lies.
const FLOOR: f64 = -0.6;

/// The motion of two chains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Play {
    /// Each swings from a hand of its own, and now and then one sweeps through the other.
    #[default]
    Loose,
    /// Wound around each other, always close, touching here and there.
    Braided,
}

/// The measures of two chains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chains {
    /// The shape of their links: [`Link::Convex`] or [`Link::Hull`].
    pub link: Link,
    /// The ratio of length to width of the links, from 2 to 20.
    pub aspect: f64,
    /// The motion.
    pub play: Play,
    /// The seed of the motion.
    pub seed: u64,
}

impl Default for Chains {
    fn default() -> Self {
        Self { link: Link::Convex, aspect: 6.0, play: Play::Loose, seed: 1 }
    }
}

/// One of two equal chains, and where the joints of both are, frame after frame.
///
/// The rig has one part a link, each on a joint of its own, and no clip. The frames never end; each
/// is `world_from_joint` of the first chain and of the second.
///
/// ```
/// use elbowroom_make::{Chains, chains};
///
/// let (chain, frames) = chains(&Chains::default());
/// assert_eq!(chain.parts.len(), 8);
/// for [first, second] in frames.take(3) {
///     assert!(first[0].translation.x < second[0].translation.x);
/// }
/// ```
///
/// # Panics
/// If the aspect is not from 2 to 20, or the links are neither convex nor hulls.
pub fn chains(what: &Chains) -> (Rig, ChainFrames) {
    assert!((2.0..=20.0).contains(&what.aspect), "links {} times as long as wide", what.aspect);
    let length = WIDTH * what.aspect;
    let pitch = length + 2.0 * GAP / what.aspect;
    let mesh = link(what.link, pitch, length);
    let mut links = Links::new("chain");
    for index in 0..CHAIN_LINKS as u32 {
        let offset = if index == 0 { 0.0 } else { -pitch };
        let rest = Local::from_translation(DVec3::new(0.0, offset, 0.0));
        let joint = links.add(format!("link{index}"), index.checked_sub(1), rest, mesh.clone());
        links.free(format!("joint{index}"), joint, FreedomKind::Ball, DVec3::X, None);
    }
    (links.rig(), ChainFrames(Ropes::new(what.play, pitch, WIDTH, what.seed)))
}

/// The joints of two chains, frame after frame, without end: see [`chains`].
#[derive(Clone, Debug)]
pub struct ChainFrames(Ropes);

impl Iterator for ChainFrames {
    type Item = [[DAffine3; CHAIN_LINKS]; 2];

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.0.step())
    }
}

/// A link between two joints, in the frame of the upper one.
fn link(link: Link, pitch: f64, length: f64) -> Mesh {
    let (wide, long) = (0.5 * WIDTH, 0.5 * length);
    let middle = DVec3::new(0.0, -0.5 * pitch, 0.0);
    let half = DVec3::new(wide, long, wide);
    match link {
        Link::Convex => shaped(&lat_long_sphere(20, 32), |p| middle + half * rod(p)),
        Link::Hull => shaped(&lat_long_sphere(20, 32), |p| middle + half * dented(rod(p))),
        _ => panic!("two chains are of convex links or of hulls, not {link:?}"),
    }
}

/// From a ball to a rod along y with round edges.
fn rod(p: DVec3) -> DVec3 {
    let root = |c: f64| c.sqrt().sqrt();
    let out = (p.x * p.x + p.z * p.z).sqrt();
    let grown = if out > 0.0 { root(out) / out } else { 0.0 };
    DVec3::new(p.x * grown, root(p.y.abs()).copysign(p.y), p.z * grown)
}

/// From a rod to the hull of a boat: what is above [`RIM`] is folded in.
fn dented(p: DVec3) -> DVec3 {
    let out = (p.x * p.x + p.z * p.z).sqrt();
    let above = p.z - RIM * out;
    if above <= 0.0 {
        return p;
    }
    // The highest line of the rod becomes the floor.
    DVec3::new(p.x, p.y, RIM * out - above * (RIM - FLOOR) / (1.0 - RIM))
}
