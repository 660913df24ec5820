//! The built-in scene: a few of our own people who walk two seconds and bump into each other.

use std::sync::Arc;

use elbowroom::body::Rig;
use elbowroom::scene::{
    Actor, Axes, Content, Motion, Object, Path, Playback, Repeat, Scene, Step, Timing, Whereabouts,
};
use elbowroom_make::body::{Gait, Move, female, male};
use glam::DVec3;

use super::Read;
use crate::args::CheckArgs;

/// Who walks from where to where, in metres on the floor (x, z), within the two seconds.
const WAYS: [(&str, bool, [f64; 2], [f64; 2]); 4] = [
    ("Ann", false, [-1.3, 0.0], [1.3, 0.1]),
    ("Bob", true, [1.35, 0.28], [-1.25, 0.12]),
    ("Cleo", false, [0.2, -1.9], [0.3, 0.7]),
    ("Dan", true, [-0.6, -1.5], [-0.5, 1.1]),
];

const SECONDS: f64 = 2.0;

/// The scene, where its objects come from, and what people should know.
pub(super) fn scene(args: &CheckArgs) -> Result<Read, String> {
    let (man, woman) = (Arc::new(male()), Arc::new(female()));
    let objects = WAYS.iter().map(|(name, is_man, from, to)| {
        let rig = if *is_man { &man } else { &woman };
        let actor = walker(rig, *from, *to)?;
        let mut object = Object::new(*name, Content::Actor(actor));
        object.with_itself = args.with_itself;
        Ok(object)
    });
    let objects = objects.collect::<Result<Vec<_>, String>>()?;
    let fps = args.fps.unwrap_or(30.0);
    #[expect(clippy::cast_sign_loss, reason = "the rate is above 0")]
    let timing = Timing { fps, first: 0, last: (SECONDS * fps + 1e-6) as u32 };
    let scene = Scene::new(timing, objects, &[]).map_err(|error| error.to_string())?;
    let note = "no files given, so this checks four generated people who walk for two seconds; \
                `elbowroom check --help` shows how to check yours";
    Ok((scene, vec![None; WAYS.len()], vec![note.to_owned()]))
}

fn walker(rig: &Arc<Rig>, from: [f64; 2], to: [f64; 2]) -> Result<Actor, String> {
    let step = |time_secs, [x, z]: [f64; 2]| Step {
        time_secs,
        position: DVec3::new(x, 0.0, z),
        heading: None,
    };
    let path = Path::new(&[step(0.0, from), step(SECONDS, to)], Axes::Y_UP)?;
    let gait = Gait::of(&rig.skeleton, Move::Walk).ok_or("our own people can walk")?;
    let stride = gait.velocity.length() * gait.clip.seconds();
    Ok(Actor {
        motion: Motion::Clip(Playback::new(Arc::new(gait.clip), Repeat::Loop)),
        whereabouts: Whereabouts::Walk { path: Arc::new(path), scale: 1.0, stride: Some(stride) },
        ..Actor::new(Arc::clone(rig))
    })
}
