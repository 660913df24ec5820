//! Options of `convert` that have no say over what is read or written: they are refused, never
//! passed over.

use super::ConvertArgs;
use crate::messages::Refusal;
use crate::save::{MeshKind, Target};

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// Trajectories.
    Ways,
    /// Vertices over time.
    Frames,
    Rigs,
    Scene,
}

/// Whether a target holds all frames.
fn holds_all(target: &Target) -> bool {
    matches!(target, Target::Npz | Target::Numbered(_))
}

/// Whether a target can be written as text or not.
pub(crate) fn has_text(target: &Target) -> bool {
    let kind = match target {
        Target::Mesh(kind) => *kind,
        Target::Numbered(numbered) => numbered.kind,
        Target::Glb | Target::Npz | Target::Csv => return false,
    };
    matches!(kind, MeshKind::Stl | MeshKind::Ply)
}

/// What a target does not hold, whatever is read.
///
/// # Errors
/// Names the option.
pub(crate) fn check_target(target: &Target, (ascii, to_up): (bool, bool)) -> Result<(), Refusal> {
    if ascii && !has_text(target) {
        return Err(refusal("--ascii is for .stl and .ply, and has no say over other formats"));
    }
    if to_up && *target == Target::Glb {
        return Err(refusal("--to-up cannot be used with .glb, because glTF has Y up"));
    }
    Ok(())
}

fn refusal(problem: &str) -> Refusal {
    Refusal { problems: vec![problem.to_owned()], hint: "leave it out".to_owned() }
}

/// Refuses what would be passed over.
///
/// # Errors
/// Names the option, and what it is for.
pub(super) fn check(args: &ConvertArgs, input: Input, target: &Target) -> Result<(), Refusal> {
    check_target(target, (args.save.ascii, args.to_up.is_some()))?;
    let (moment, has_motion) = (&args.moment, args.motion.motion.is_some());
    let (is_rigs, is_all) = (input == Input::Rigs, holds_all(target));
    let is_posed = moment.time.is_some() || moment.frame.is_some();
    let takes_fps = match input {
        Input::Ways => true,
        Input::Frames => is_all,
        Input::Rigs => is_all || moment.frame.is_some() || has_motion,
        Input::Scene => false,
    };
    let no_frame = input == Input::Ways || is_all;
    let options: [(bool, bool, &str); 7] = [
        (has_motion, is_rigs, "--motion is for characters"),
        (
            has_motion,
            *target == Target::Glb || is_all || is_posed,
            "--motion needs --frame or --time, because a single mesh is written",
        ),
        (moment.clip.is_some(), is_rigs, "--clip is for files with clips"),
        (moment.time.is_some(), is_rigs, "--time is for files with clips; --frame chooses a frame"),
        (moment.frame.is_some(), !no_frame, "--frame is for a single mesh, and all is written"),
        (moment.fps.is_some(), takes_fps, "--fps is for frames, and none is written or chosen"),
        (
            args.to_up.is_some(),
            matches!(input, Input::Rigs | Input::Frames),
            "--to-up is for bodies; trajectories are seen from above, and scenes have `up`",
        ),
    ];
    let passed_over = options.iter().find(|(is_given, is_taken, _)| *is_given && !is_taken);
    passed_over.map_or(Ok(()), |(.., problem)| Err(refusal(problem)))
}
