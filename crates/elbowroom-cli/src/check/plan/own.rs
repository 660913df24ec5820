//! What is asked about objects that are compared with themselves, and shots of which there is
//! nothing to examine.

use elbowroom_motion::body::{Part, Primitive};
use elbowroom_motion::scene::{Content, Motion, ObjectId, Repeat, Scene, Timing, Whereabouts};

use super::Plan;
use crate::args::{CheckArgs, Rest};
use crate::frames::Frames;
use crate::messages::{Refusal, count, printable};

/// Objects that a note names.
const NAMED: usize = 3;

fn ids(scene: &Scene) -> impl Iterator<Item = ObjectId> {
    (0..scene.objects().len() as u32).map(ObjectId)
}

/// Whether what meets at rest counts; `None` if no object is compared with itself.
///
/// # Errors
/// If it is asked for where no rest pose has a say.
pub(super) fn rest(args: &CheckArgs, scene: &Scene) -> Result<Option<Rest>, Refusal> {
    let refused = |problem: &str, hint: &str| {
        Err(Refusal { problems: vec![problem.to_owned()], hint: hint.to_owned() })
    };
    let is_any = scene.objects().iter().any(|object| object.with_itself);
    match args.rest {
        Some(_) if !is_any => refused(
            "--rest needs objects that are compared with themselves, and there are none",
            "add --self, or `self = true` in a scene file",
        ),
        Some(Rest::Ignore) if args.continuous => refused(
            "--continuous finds contacts that begin between frames, and --rest ignore could leave them out",
            "use one of them",
        ),
        Some(Rest::Ignore) if !ids(scene).any(|object| scene.leaves_rest(object)) => refused(
            "--rest ignore leaves out what meets in the rest pose, and no object that is compared with itself ever leaves this pose",
            "leave out --rest to report what meets in this pose",
        ),
        rest => Ok(is_any.then(|| rest.unwrap_or_default())),
    }
}

/// How many pairs of parts are not compared, of objects that are compared with themselves.
pub(super) fn left_out(scene: &Scene) -> u64 {
    let own = ids(scene).filter(|id| scene.objects()[id.index()].with_itself);
    own.map(|id| {
        let parts = scene.parts(id).len() as u64;
        let all = parts * parts.saturating_sub(1) / 2;
        all.saturating_sub(scene.own_pairs(id))
    })
    .sum()
}

/// A line on objects that were to be compared with themselves and have no parts to compare.
pub(super) fn left_out_note(scene: &Scene) -> Option<String> {
    let is_out =
        |id: &ObjectId| scene.objects()[id.index()].with_itself && scene.own_pairs(*id) == 0;
    let out: Vec<ObjectId> = ids(scene).filter(is_out).collect();
    let names = out.iter().take(NAMED).map(|id| printable(&scene.objects()[id.index()].name));
    let names = names.collect::<Vec<_>>().join(", ");
    let more = out.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(", {more} more") } else { String::new() };
    (!out.is_empty()).then(|| {
        format!("not compared with themselves, because all their parts are neighbours, joined or allowed to touch: {names}{more}")
    })
}

/// Whether something begins again and again, and has no last frame.
pub(super) fn is_endless(scene: &Scene) -> bool {
    let is_endless = |object: &elbowroom_motion::scene::Object| match &object.content {
        Content::Actor(actor) => {
            matches!(&actor.motion, Motion::Clip(playback) if playback.repeat == Repeat::Loop)
        }
        Content::Vertices(sequence) => sequence.repeat == Repeat::Loop,
        Content::Still { .. } | Content::Moving { .. } => false,
    };
    scene.objects().iter().any(is_endless)
}

/// Why none of some frames is one of the shot, if so.
pub(super) fn outside(scene: &Scene, timing: Timing, frames: Frames) -> Option<String> {
    let [first, last, _] = frames.range();
    let is_outside = first > timing.last || last < timing.first;
    if !is_outside || is_endless(scene) {
        return None;
    }
    let own = match (timing.first, timing.last) {
        (only, last) if only == last => format!("frame {only} only"),
        (first, last) => format!("frames {first} to {last}"),
    };
    Some(format!("--frames asks for {first} to {last}, and the shot has {own}"))
}

/// Whether an object consists of half-spaces.
fn is_plane(object: &elbowroom_motion::scene::Object) -> bool {
    let Content::Actor(actor) = &object.content else { return false };
    let is_one = |part: &Part| matches!(part.primitive, Some((_, Primitive::HalfSpace)));
    actor.rig.parts.iter().all(is_one)
}

impl Plan {
    /// Why there was no pair to examine.
    pub(crate) fn nothing_examined(&self) -> String {
        if let Some(reason) = &self.outside {
            return reason.clone();
        }
        let walks = |object: &elbowroom_motion::scene::Object| {
            matches!(&object.content, Content::Actor(actor)
                if matches!(actor.whereabouts, Whereabouts::Walk { .. }))
        };
        match self.scene.objects() {
            [only] => {
                let parts = count(self.scene.parts(ObjectId(0)).len() as u64, "part");
                let name = printable(&only.name);
                format!(
                    "the {parts} of {name} are neighbours on its surface, joined, or allowed to touch"
                )
            }
            objects if objects.iter().any(walks) => {
                "no frame has two objects that are not allowed to touch".to_owned()
            }
            objects if objects.iter().all(is_plane) => {
                "planes are not compared with planes".to_owned()
            }
            _ => "every pair of objects is allowed to touch".to_owned(),
        }
    }
}
