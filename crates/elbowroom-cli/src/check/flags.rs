//! Options of `check` that have no say over what was given: they are refused, never passed over.

use crate::args::CheckArgs;
use crate::messages::Refusal;

fn refusal(problem: String, hint: &str) -> Refusal {
    Refusal { problems: vec![problem], hint: hint.to_owned() }
}

/// The first option that was given.
fn first<'a>(options: &[(bool, &'a str)]) -> Option<&'a str> {
    options.iter().find(|(is_given, _)| *is_given).map(|(_, name)| *name)
}

/// Plain meshes have no clips, and move only by poses.
///
/// # Errors
/// Names the option that is about what they do not have.
pub(crate) fn check_plain(args: &CheckArgs) -> Result<(), Refusal> {
    let of_motion = [
        (args.clip.is_some(), "--clip"),
        (args.fps.is_some(), "--fps"),
        (args.frames.is_some(), "--frames"),
    ];
    if let Some(option) = first(&of_motion) {
        return Err(match args.poses {
            Some(_) => refusal(
                format!(
                    "{option} cannot be used with --poses, whose poses are examined one by one"
                ),
                "shorten the list of poses, or describe what moves in a scene file: `poses = \"p.json\"`",
            ),
            None => refusal(
                format!(
                    "{option} is for files with motion, and plain meshes (OBJ, STL, PLY, OFF) have none"
                ),
                "leave it out, or name a file with motion beside them",
            ),
        });
    }
    if args.refit.is_some() {
        return Err(refusal(
            "--refit needs links of robots or meshes of characters, and plain meshes have none"
                .to_owned(),
            "leave it out",
        ));
    }
    if args.rest.is_some() {
        return Err(refusal(
            "--rest needs objects that are compared with themselves, and there are none".to_owned(),
            "leave it out; plain meshes have no rest pose",
        ));
    }
    if args.continuous && args.poses.is_none() {
        return Err(between_none(", --poses"));
    }
    Ok(())
}

/// One frame has no next one.
///
/// # Errors
/// If it is to be looked between frames and there is one.
pub(crate) fn check_frames(args: &CheckArgs, frames: usize) -> Result<(), Refusal> {
    if args.continuous && frames < 2 { Err(between_none("")) } else { Ok(()) }
}

fn between_none(more: &str) -> Refusal {
    refusal(
        "--continuous examines the time between frames, and there is only one frame".to_owned(),
        &format!("leave it out, or name something that moves: a clip, a sequence{more}"),
    )
}

/// What is built in has no files about which anything could be said.
///
/// # Errors
/// Names the option that is about files.
pub(crate) fn check_built_in(args: &CheckArgs) -> Result<(), Refusal> {
    let of_files = [
        (args.clip.is_some(), "--clip"),
        (args.read.units.is_some(), "--units"),
        (args.read.up.is_some(), "--up"),
        (args.read.allow_outside, "--allow-outside"),
        (!args.read.packages.is_empty(), "--packages"),
    ];
    match first(&of_files) {
        Some(option) => Err(refusal(
            format!("{option} needs files, and none is named"),
            "name files to check, or leave it out to check the built-in scene",
        )),
        None => Ok(()),
    }
}

/// A report that is shown was made with options of its own.
///
/// # Errors
/// Names an option of a check.
pub(crate) fn check_shown(args: &CheckArgs) -> Result<(), Refusal> {
    let of_checks = [
        (args.poses.is_some(), "--poses"),
        (args.clip.is_some(), "--clip"),
        (args.fps.is_some(), "--fps"),
        (args.frames.is_some(), "--frames"),
        (args.with_itself, "--self"),
        (args.rest.is_some(), "--rest"),
        (args.solid, "--solid"),
        (args.clearance.is_some(), "--clearance"),
        (args.report_unit.is_some(), "--report-unit"),
        (args.places, "--where"),
        (args.continuous, "--continuous"),
        (args.depth, "--depth"),
        (args.refit.is_some(), "--refit"),
        (args.counts, "--counts"),
        (args.touching != crate::args::Touching::Count, "--touching"),
        (args.json, "--json"),
        (args.ndjson, "--ndjson"),
        (!args.outputs.is_empty(), "--output"),
        (args.resume, "--resume"),
        (args.triangles, "--triangles"),
        (args.threads.is_some(), "--threads"),
        (args.read.units.is_some(), "--units"),
        (args.read.up.is_some(), "--up"),
        (args.read.allow_outside, "--allow-outside"),
        (!args.read.packages.is_empty(), "--packages"),
    ];
    match first(&of_checks) {
        Some(option) => Err(refusal(
            format!("{option} is for a check, and this only shows a report"),
            "name the files to check instead of the report",
        )),
        None => Ok(()),
    }
}
