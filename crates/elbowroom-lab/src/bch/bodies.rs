//! The bodies: men and women in poses of daily life, upright, with the root joint over the origin.
//!
//! The paper posed a man and a woman of some 2,850 triangles by 200 random frames of captured
//! walking, turning, side-stepping and idling. Here a man and a woman are generated, closed, of the
//! same size and heights, and moved by gaits that go by rule; and where real ones are at hand, the
//! man and woman of `MakeHuman`, of 2,849 and 2,850 triangles, are moved by CMU's captures of the
//! same kinds of motion, and stand in 200 frames from all of CMU's captures, jumps and basketball
//! among them.

use std::sync::OnceLock;

use elbowroom::Mesh;
use elbowroom::internal::model::Model;
use elbowroom_make::body::{Gait, Move, female, male};
use elbowroom_motion::body::{Poser, Retarget, RetargetConfig, Rig, SkeletonPose};
use glam::DVec3;

use crate::Context;
use crate::data::{Absent, Data};
use crate::mobb::CAPTURED_SHORT;
use crate::random::Random;

/// Real bodies, by their place in the folder of data: first the woman, as in the paper's tables.
pub(crate) const CAPTURED_BODIES: [&str; 2] =
    ["characters/mh_female2850_cmu.glb", "characters/mh_male2850_cmu.glb"];

/// Two hundred poses from captures of all kinds.
const ASSORTED: &str = "mocap/poses200.json.gz";

/// What generated people do.
const MOVES: [Move; 7] = [
    Move::Walk,
    Move::Back,
    Move::TurnLeft,
    Move::TurnRight,
    Move::StepLeft,
    Move::StepRight,
    Move::Idle,
];

/// Where bodies are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Generated,
    /// Walking, turning, side-stepping, idling.
    Captured,
    /// Whatever people do.
    Assorted,
}

impl Origin {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Generated => "generated bodies",
            Self::Captured => "MakeHuman bodies in CMU poses",
            Self::Assorted => "MakeHuman bodies in 200 assorted CMU poses",
        }
    }

    /// One of three names of a claim.
    pub(super) fn id(self, names: [&'static str; 3]) -> &'static str {
        names[self as usize]
    }
}

/// Someone in a pose; z is up.
pub(super) struct Posed {
    pub(super) mesh: Mesh,
    pub(super) model: Model,
    /// 0 is the woman, 1 the man.
    pub(super) who: usize,
}

/// Both bodies in many poses.
pub(super) struct Bodies {
    pub(super) origin: Origin,
    pub(super) poses: Vec<Posed>,
}

impl Bodies {
    /// Every origin that there is, and what to say of those that are not there.
    pub(super) fn all(context: &Context) -> (Vec<Self>, Vec<String>) {
        // The paper takes a hundred of each.
        let each = if context.quick { 6 } else { 100 };
        context.progress.message("posing");
        let mut all = vec![Self::generated(each)];
        let mut notes = Vec::new();
        match Self::captured(context.data, each, if context.quick { 4 } else { usize::MAX }) {
            Ok(bodies) => all.push(bodies),
            Err(why) => notes.push(crate::data::without("real bodies and captured poses", &why)),
        }
        match Self::assorted(context.data, each) {
            Ok(bodies) => all.push(bodies),
            Err(why) => notes.push(crate::data::without("assorted poses", &why)),
        }
        (all, notes)
    }

    /// Moved by rule.
    pub(super) fn generated(each: usize) -> Self {
        let mut random = Random::new(0xbc40_0001);
        let mut poses = Vec::new();
        for (who, rig) in people().iter().enumerate() {
            let gaits: Vec<Gait> =
                MOVES.iter().filter_map(|&motion| Gait::of(&rig.skeleton, motion)).collect();
            poses.extend((0..each).filter_map(|_| {
                let clip = &gaits[random.below(gaits.len() as u64) as usize].clip;
                let mut pose = rig.rest_pose();
                clip.sample(clip.start() + random.uniform(0.0, clip.seconds()), &mut pose);
                posed(rig, &pose, who).ok()
            }));
        }
        Self { origin: Origin::Generated, poses }
    }

    /// Moved by captures, the first of them, this many.
    fn captured(data: &dyn Data, each: usize, clips: usize) -> Result<Self, Absent> {
        let rigs = CAPTURED_BODIES.map(|name| data.rig(name));
        let names = CAPTURED_SHORT.iter().take(clips);
        let captures: Vec<Rig> = names
            .map(|name| data.rig(&format!("mocap/short/{name}.bvh.gz")))
            .collect::<Result<_, _>>()?;
        let mut random = Random::new(0xbc40_0002);
        let mut poses = Vec::new();
        for (who, rig) in rigs.into_iter().enumerate() {
            let rig = rig?;
            for _ in 0..each {
                let capture = &captures[random.below(captures.len() as u64) as usize];
                let absent =
                    |why: &dyn std::fmt::Display| Absent::new(format!("{}: {why}", capture.name));
                let clip = capture.clips.first().ok_or_else(|| absent(&"has no clip"))?;
                let config = RetargetConfig::default();
                let retarget = Retarget::new(&capture.skeleton, &rig.skeleton, &config)
                    .map_err(|error| absent(&error))?;
                let mut pose = capture.rest_pose();
                // Captures begin with a rest pose, one key long.
                let skip = (4.0 / 120.0_f64).min(0.5 * clip.seconds());
                clip.sample(clip.start() + random.uniform(skip, clip.seconds()), &mut pose);
                poses.push(posed(&rig, &retarget.pose(&pose), who)?);
            }
        }
        Ok(Self { origin: Origin::Captured, poses })
    }

    /// In the poses of a list, the first half of it for the woman and the second for the man.
    fn assorted(data: &dyn Data, each: usize) -> Result<Self, Absent> {
        let rigs = CAPTURED_BODIES.map(|name| data.rig(name));
        let stills = data.stills(ASSORTED)?;
        let (hers, his) = stills.split_at(stills.len() / 2);
        let mut poses = Vec::new();
        for (who, (rig, stills)) in rigs.into_iter().zip([hers, his]).enumerate() {
            let rig = rig?;
            for still in stills.iter().take(each) {
                poses.push(posed(&rig, &still.pose(&rig)?, who)?);
            }
        }
        Ok(Self { origin: Origin::Assorted, poses })
    }

    /// Whether what counts decide has to hold: a few cases, or real bodies, need not be like the
    /// paper's.
    pub(super) fn has_to_hold(&self, context: &Context) -> bool {
        !context.quick && self.origin == Origin::Generated
    }

    pub(super) fn len(&self) -> usize {
        self.poses.len()
    }

    /// Those of the woman, or of the man.
    pub(super) fn of(&self, who: usize) -> impl Iterator<Item = &Posed> {
        self.poses.iter().filter(move |posed| posed.who == who)
    }
}

/// The generated woman and man, who take a while to make.
pub(crate) fn people() -> &'static [Rig; 2] {
    static PEOPLE: OnceLock<[Rig; 2]> = OnceLock::new();
    PEOPLE.get_or_init(|| [female(), male()])
}

/// All parts of a rig in a pose as one mesh, z up, the root joint over the origin.
pub(super) fn posed(rig: &Rig, pose: &SkeletonPose, who: usize) -> Result<Posed, Absent> {
    let mesh = posed_mesh(rig, pose)?;
    Ok(Posed { model: Model::new(mesh.clone()), mesh, who })
}

/// Without a tree.
pub(crate) fn posed_mesh(rig: &Rig, pose: &SkeletonPose) -> Result<Mesh, Absent> {
    let mut world = Vec::new();
    rig.skeleton.world(pose, &mut world);
    let root = world.first().map_or(DVec3::ZERO, |joint| joint.translation);
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let mut poser = Poser::default();
    for (part, shape) in rig.parts.iter().enumerate() {
        let first = vertices.len() as u32;
        let mut points = Vec::new();
        rig.posed(pose, part, &mut poser, &mut points);
        vertices.extend(points.iter().map(|p| DVec3::new(p.x - root.x, root.z - p.z, p.y)));
        triangles.extend(shape.mesh.triangles().iter().map(|t| t.map(|corner| corner + first)));
    }
    Mesh::new(vertices, triangles).map_err(|error| Absent::new(format!("{}: {error}", rig.name)))
}
