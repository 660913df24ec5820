//! Circles that move with a clip, instead of a new tree for every pose.
//!
//! One tree of triangles is cut up once. Each node has a centre at every key and goes in a straight line from key to key; its radius
//! between two keys is what its vertices need at all frames of that time. Where vertices go in straight lines between frames, as they do for
//! contact in time, their distance to the centre is convex in time and largest at a frame: what holds at frames holds between them.

use elbowroom::body::Rig;
use elbowroom::footprint::area::union_of_discs;
use elbowroom::footprint::{Footprint, FootprintConfig, Parts};
use elbowroom::geom::circle::smallest_circle;
use elbowroom::tree::{NodeId, Tree};
use elbowroom_make::body::{Gait, Move, female, male};
use glam::DVec2;

use crate::bch::bodies::{flat, posed_mesh};
use crate::bch::structures::mean;
use crate::claim::Verdict;
use crate::random::Random;
use crate::report::Table;
use crate::{Claim, Context};

/// Frames a second.
const FPS: f64 = 30.0;
/// Levels of the tree that moves.
const LEVELS: u32 = 7;
/// Centre and radius in f32.
const CIRCLE_BYTES: f64 = 12.0;
/// Where its children are.
const LINK_BYTES: f64 = 4.0;

/// A clip, frame by frame, from above.
struct Film {
    frames: Vec<Vec<DVec2>>,
    triangles: Vec<[u32; 3]>,
    /// Of a tree for every pose: nodes, and the area of the leaf discs of projected triangles.
    nodes: f64,
    areas: Vec<f64>,
    tree: Tree,
}

pub(super) fn run(context: &Context) -> (Table, Claim) {
    context.progress.message("clips");
    let moves: &[Move] =
        if context.quick { &[Move::Walk] } else { &[Move::Walk, Move::StepLeft, Move::TurnLeft, Move::Idle] };
    let rigs = if context.quick { vec![female()] } else { vec![female(), male()] };
    let films: Vec<Film> = rigs
        .iter()
        .flat_map(|rig| moves.iter().filter_map(|&motion| Film::new(rig, motion, context.quick)))
        .collect();
    let mut table = Table::new(
        "A moving BCH over whole clips, beside one for every pose at 30 poses a second",
        ["frames a key", "bytes a second over one for every pose", "area over one for every pose", "points looked at", "points outside"],
    );
    let mut rows = Vec::new();
    for stride in [1_usize, 2, 4, 8] {
        let moving: Vec<Moving> = films.iter().map(|film| Moving::new(film, stride)).collect();
        let bytes = mean(moving.iter().map(|moving| moving.bytes));
        let area = mean(moving.iter().map(|moving| moving.area));
        let looked: u64 = moving.iter().map(|moving| moving.looked).sum();
        let outside: u64 = moving.iter().map(|moving| moving.outside).sum();
        table.row([stride.into(), bytes.into(), area.into(), looked.into(), outside.into()]);
        rows.push((stride, bytes, area, outside));
    }
    let smaller = rows.iter().all(|row| row.1 < 1.0);
    let bound = rows.iter().all(|row| row.3 == 0);
    let show: Vec<String> =
        rows.iter().map(|(stride, bytes, area, _)| format!("{bytes:.3} of the bytes and {area:.2} of the area with a key every {stride} frames")).collect();
    let claim = Claim::gate("BCH-S6-clip", "Cylinders that move over a whole clip store less than a BCH for every pose, and allow to interpolate.")
        .paper("future work")
        .ours(format!("{}; {} at random times between frames", show.join("; "), if bound { "a bound" } else { "no bound" }))
        .why(format!("The moving tree has {} levels of circles around whole groups of triangles, where that of a pose ends at 1 cm; its circles stay with parts of the body, so what lies between two keys has a meaning.", LEVELS + 1))
        .verdict(match (smaller, bound) {
            (true, true) => Verdict::Holds,
            _ => Verdict::DoesNotHold,
        });
    (table, claim)
}

impl Film {
    fn new(rig: &Rig, motion: Move, quick: bool) -> Option<Self> {
        let gait = Gait::of(&rig.skeleton, motion)?;
        let (mut frames, mut nodes, mut areas) = (Vec::new(), Vec::new(), Vec::new());
        let (mut tree, mut triangles) = (None, Vec::new());
        let triangle_config = FootprintConfig { parts: Parts::Triangles, ..FootprintConfig::default() };
        let secs = if quick { 0.3 } else { gait.clip.seconds() };
        let mut time = 0.0;
        while time <= secs {
            let mut pose = rig.rest_pose();
            gait.clip.sample(gait.clip.start() + time, &mut pose);
            let mesh = posed_mesh(rig, &pose).ok()?;
            let projected = Footprint::of_mesh(&mesh, &triangle_config);
            areas.push(covered(&projected));
            nodes.push(Footprint::of_mesh(&mesh, &FootprintConfig::default()).tree().len() as f64);
            frames.push(flat(&mesh));
            triangles = mesh.triangles().to_vec();
            tree.get_or_insert_with(|| projected.tree().clone());
            time += 1.0 / FPS;
        }
        Some(Self { frames, triangles, nodes: mean(nodes), areas, tree: tree? })
    }

    /// The vertices of a node, each once.
    fn vertices(&self, node: NodeId) -> Vec<u32> {
        let members = self.tree.members(node).iter();
        let mut all: Vec<u32> = members.flat_map(|&id| self.triangles[id as usize]).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// What a moving tree costs and covers.
struct Moving {
    bytes: f64,
    area: f64,
    looked: u64,
    outside: u64,
}

impl Moving {
    fn new(film: &Film, stride: usize) -> Self {
        let last = film.frames.len() - 1;
        let mut keys: Vec<usize> = (0..last).step_by(stride).collect();
        keys.push(last);
        let mut random = Random::new(0xc11b);
        let nodes: Vec<NodeId> = film.tree.nodes().filter(|&node| film.tree.level(node) <= LEVELS).collect();
        let is_last = |node: NodeId| film.tree.level(node) == LEVELS || film.tree.is_leaf(node);
        let mut discs: Vec<Vec<(DVec2, f64)>> = vec![Vec::new(); film.frames.len()];
        let (mut looked, mut outside) = (0, 0);
        for &node in &nodes {
            let vertices = film.vertices(node);
            let at = |frame: usize| -> Vec<DVec2> {
                vertices.iter().map(|&vertex| film.frames[frame][vertex as usize]).collect()
            };
            let centers: Vec<DVec2> = keys.iter().map(|&key| smallest_circle(&at(key)).0).collect();
            for (window, ends) in keys.windows(2).zip(centers.windows(2)) {
                let center = |time: f64| {
                    ends[0].lerp(ends[1], (time - window[0] as f64) / (window[1] - window[0]) as f64)
                };
                let farthest = |frame: usize| {
                    let middle = center(frame as f64);
                    at(frame).iter().map(|p| p.distance(middle)).fold(0.0, f64::max)
                };
                // A few roundings of a metre.
                let radius = (window[0]..=window[1]).map(farthest).fold(0.0, f64::max) + 1e-12;
                if is_last(node) {
                    for frame in window[0]..window[1] {
                        discs[frame].push((center(frame as f64), radius));
                    }
                }
                // Somewhere between two frames, where vertices go straight.
                let frame = window[0] + random.below((window[1] - window[0]) as u64) as usize;
                let share = random.uniform(0.0, 1.0);
                let (from, to) = (at(frame), at(frame + 1));
                for (p, q) in from.iter().zip(&to) {
                    looked += 1;
                    let gone = p.lerp(*q, share).distance(center(frame as f64 + share));
                    outside += u64::from(gone > radius);
                }
            }
        }
        discs.pop();
        let area = mean(discs.iter().zip(&film.areas).map(|(discs, one)| union_of_discs(discs) / one));
        let per_pose = film.nodes * (CIRCLE_BYTES + LINK_BYTES) * film.frames.len() as f64;
        let moving = nodes.len() as f64 * (CIRCLE_BYTES * keys.len() as f64 + LINK_BYTES);
        Self { bytes: moving / per_pose, area, looked, outside }
    }
}

fn covered(footprint: &Footprint) -> f64 {
    let tree = footprint.tree();
    let leaves = tree.nodes().filter(|&node| tree.is_leaf(node));
    let discs: Vec<(DVec2, f64)> = leaves
        .map(|node| (footprint.column()[node].center, footprint.column()[node].radius))
        .collect();
    union_of_discs(&discs)
}
