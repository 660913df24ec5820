//! Circles that move with a clip, instead of a new tree for every pose.

use elbowroom_make::body::{Gait, Move};
use elbowroom_motion::body::Rig;
use elbowroom_motion::footprint::{Footprint, FootprintConfig, Parts};
use elbowroom_papers::bch::area::union_of_discs;
use elbowroom_papers::bch::{Animated, AnimatedConfig};
use glam::DVec3;

use crate::bch::bodies::{people, posed_mesh};
use crate::bch::structures::{leaf_discs, mean};
use crate::claim::Verdict;
use crate::random::Random;
use crate::report::Table;
use crate::{Claim, Context};

/// Poses a second.
const FPS: f64 = 30.0;
/// Of both kinds of trees, in metres: circles around groups of triangles that move cannot be much
/// smaller than what they lose between keys.
const THRESHOLD: f64 = 0.04;
/// Centre and radius in f32, as circles that move have them.
const CIRCLE_BYTES: f64 = 12.0;
/// Where the children of a node are.
const LINK_BYTES: f64 = 4.0;

/// A clip, pose by pose.
struct Film {
    poses: Vec<Vec<DVec3>>,
    triangles: Vec<[u32; 3]>,
    /// Of a tree around the contour of every pose: bytes, down to this threshold and to the
    /// paper's.
    bytes: [f64; 2],
    /// The area of the leaf discs of all projected triangles, by pose.
    areas: Vec<f64>,
}

pub(super) fn run(context: &Context) -> (Table, Claim) {
    context.progress.message("clips");
    let moves: &[Move] = if context.quick {
        &[Move::Walk]
    } else {
        &[Move::Walk, Move::StepLeft, Move::TurnLeft, Move::Idle]
    };
    let rigs = if context.quick { &people()[..1] } else { &people()[..] };
    let films: Vec<Film> = rigs
        .iter()
        .flat_map(|rig| moves.iter().filter_map(|&motion| Film::new(rig, motion, context.quick)))
        .collect();
    let mut table = Table::new(
        "Circles that move over whole clips, beside a BCH for every pose at 30 poses a second",
        [
            "poses a key",
            "bytes over a BCH for every pose, 4 cm",
            "bytes over a BCH for every pose, 1 cm",
            "area over projected triangles of the pose",
            "corners looked at",
            "corners outside",
        ],
    );
    let mut rows = Vec::new();
    for poses_per_key in [1, 2, 4, 8, 16] {
        let all: Vec<Moving> =
            films.iter().filter_map(|film| Moving::new(film, poses_per_key)).collect();
        let bytes = [0, 1].map(|kind| mean(all.iter().map(|moving| moving.bytes[kind])));
        let area = mean(all.iter().map(|moving| moving.area));
        let looked: u64 = all.iter().map(|moving| moving.looked).sum();
        let outside: u64 = all.iter().map(|moving| moving.outside).sum();
        table.row([
            poses_per_key.into(),
            bytes[0].into(),
            bytes[1].into(),
            area.into(),
            looked.into(),
            outside.into(),
        ]);
        rows.push((poses_per_key, bytes, area, outside));
    }
    let smaller = rows.iter().any(|(_, bytes, ..)| bytes[0] < 1.0);
    let bound = rows.iter().all(|&(.., outside)| outside == 0);
    let show: Vec<String> = rows
        .iter()
        .map(|(poses, bytes, area, _)| {
            format!("{:.2} and {:.2}, area {area:.2}, with {poses} poses a key", bytes[0], bytes[1])
        })
        .collect();
    let claim = Claim::gate("BCH-S6-clip", "Cylinders that move over a whole clip store less than a BCH for every pose, and allow to interpolate.")
        .paper("future work")
        .ours(format!(
            "bytes over those of a BCH for every pose, of 4 and of 1 cm, and area over that of a pose's triangles: {}; {} at random times between poses",
            show.join("; "),
            if bound { "a bound" } else { "no bound" }
        ))
        .why("Circles that move are around groups of triangles, the inner ones too, which a contour has none of; so beside a BCH of the same threshold they do not pay.")
        .verdict(match (smaller, bound) {
            (true, true) => Verdict::Holds,
            _ => Verdict::DoesNotHold,
        });
    // Whether it pays is the paper's hope; that it is a bound has to hold.
    (table, Claim { gate: !bound, ..claim })
}

impl Film {
    fn new(rig: &Rig, motion: Move, quick: bool) -> Option<Self> {
        let gait = Gait::of(&rig.skeleton, motion)?;
        let (mut poses, mut nodes, mut areas) = (Vec::new(), [Vec::new(), Vec::new()], Vec::new());
        let mut triangles = Vec::new();
        let around = |parts, threshold| FootprintConfig { parts, threshold, ..Default::default() };
        let secs = if quick { 0.6 } else { gait.clip.seconds() };
        let mut time = 0.0;
        while time <= secs {
            let mut pose = rig.rest_pose();
            gait.clip.sample(gait.clip.start() + time, &mut pose);
            let mesh = posed_mesh(rig, &pose).ok()?;
            let projected = Footprint::of_mesh(&mesh, &around(Parts::Triangles, THRESHOLD));
            areas.push(union_of_discs(&leaf_discs(&projected)));
            for (nodes, threshold) in nodes.iter_mut().zip([THRESHOLD, 0.01]) {
                let contour = Footprint::of_mesh(&mesh, &around(Parts::Contour, threshold));
                nodes.push(contour.tree().len() as f64 * (CIRCLE_BYTES + LINK_BYTES));
            }
            poses.push(mesh.vertices().to_vec());
            triangles = mesh.triangles().to_vec();
            time += 1.0 / FPS;
        }
        let bytes = nodes.map(|nodes| nodes.iter().sum());
        Some(Self { poses, triangles, bytes, areas })
    }
}

/// What circles that move cost and cover.
struct Moving {
    bytes: [f64; 2],
    area: f64,
    looked: u64,
    outside: u64,
}

impl Moving {
    fn new(film: &Film, poses_per_key: usize) -> Option<Self> {
        let poses: Vec<&[DVec3]> = film.poses.iter().map(|pose| &pose[..]).collect();
        let config = AnimatedConfig { poses_per_key, threshold: THRESHOLD };
        let animated = Animated::new(&poses, &film.triangles, &config).ok()?;
        let bytes = animated.bytes() as f64 + LINK_BYTES * animated.tree().len() as f64;
        let at_poses = (0..poses.len()).map(|pose| animated.at(pose as f64));
        let area = mean(
            at_poses.zip(&film.areas).map(|(there, one)| union_of_discs(&leaf_discs(&there)) / one),
        );
        let mut random = Random::new(0xc11b);
        let (mut looked, mut outside) = (0, 0);
        for _ in 0..20 {
            let pose = random.below(poses.len() as u64 - 1) as usize;
            let share = random.uniform(0.0, 1.0);
            let there = animated.at(pose as f64 + share);
            let tree = there.tree();
            for leaf in tree.nodes().filter(|&node| tree.is_leaf(node)) {
                let circle = &there.column()[leaf];
                let corners = tree.members(leaf).iter().flat_map(|&id| film.triangles[id as usize]);
                for corner in corners {
                    // Vertices go straight from pose to pose.
                    let [p, q] = [pose, pose + 1].map(|k| poses[k][corner as usize].truncate());
                    looked += 1;
                    outside += u64::from(p.lerp(q, share).distance(circle.center) > circle.radius);
                }
            }
        }
        Some(Self { bytes: film.bytes.map(|every| bytes / every), area, looked, outside })
    }
}
