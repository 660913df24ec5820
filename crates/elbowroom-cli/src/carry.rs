//! Motions of one file on the characters of another, by the names of their joints.

use std::path::Path;

use elbowroom::body::{Clip, Pose, Retarget, RetargetConfig, Rig};
use elbowroom_io::{Document, ReadOptions};

use crate::load::{self, What};
use crate::moment::MomentArgs;
use crate::rate;
use crate::save::refusal;
use crate::words::{Refusal, count};

/// Keys a second where those of the motion are at no even rate.
const USUAL_FPS: f64 = 30.0;

/// Reads a file with joints.
///
/// # Errors
/// If it is bad, or holds frames or ways.
pub(crate) fn read(path: &Path, options: &ReadOptions) -> Result<Document, Refusal> {
    let bad = |problem: String| Refusal {
        problems: vec![problem],
        hint: "nothing was written; --help says what is read".to_owned(),
    };
    match load::load(path, options).map_err(bad)?.what {
        What::Document(document, _) => Ok(document),
        What::Frames(_) => {
            let hint = "`elbowroom convert` writes one with --frame";
            Err(refusal(path, "has frames, but no joints to pose", hint))
        }
        What::Ways(_) => {
            Err(refusal(path, "holds trajectories, and no body", "name a character or robot"))
        }
    }
}

/// A way to carry motions over for every rig that has one; at least one has.
fn retargets(
    path: &Path,
    source: &Rig,
    rigs: &[Rig],
    notes: &mut Vec<String>,
) -> Result<Vec<Option<Retarget>>, Refusal> {
    let mut problem = String::from("there is nothing to move");
    let mut carry = |rig: &Rig| {
        let retarget = Retarget::new(&source.skeleton, &rig.skeleton, &RetargetConfig::default());
        match &retarget {
            Ok(retarget) => notes.push(format!(
                "{} of {:?} follow the motion, {} keep their rest",
                count(retarget.matched().len() as u64, "joint"),
                rig.name,
                retarget.only_in_target().len()
            )),
            Err(error) => problem = error.to_string(),
        }
        retarget.ok()
    };
    let all: Vec<Option<Retarget>> = rigs.iter().map(&mut carry).collect();
    if all.iter().any(Option::is_some) {
        return Ok(all);
    }
    let hint = "rename joints as mocap names them: Hips, LeftUpLeg, LeftLeg";
    Err(refusal(path, &problem, hint))
}

/// Poses the rigs as the motion is at a moment; says which.
pub(crate) fn pose(
    rigs: &[Rig],
    poses: &mut [Pose],
    path: &Path,
    (moment, options): (&MomentArgs, &ReadOptions),
    notes: &mut Vec<String>,
) -> Result<String, Refusal> {
    let motion = read(path, options)?;
    let (source, clip) = moment.first(path, &motion.rigs)?;
    let time = moment.time_in(clip)?;
    let mut from = source.rest_pose();
    clip.sample(time, &mut from);
    let carried = retargets(path, source, rigs, notes)?;
    for (retarget, pose) in carried.iter().zip(poses) {
        if let Some(retarget) = retarget {
            pose.locals = retarget.pose(&from).locals;
        }
    }
    Ok(format!("{:?} at {:.3} s", clip.name(), time - clip.start()))
}

/// Gives the rigs the motions of a file as clips, before their own.
pub(crate) fn clips(
    document: &mut Document,
    path: &Path,
    (fps, options): (Option<f64>, &ReadOptions),
    notes: &mut Vec<String>,
) -> Result<(), Refusal> {
    let motion = read(path, options)?;
    let Some(source) = motion.rigs.iter().find(|rig| !rig.clips.is_empty()) else {
        return Err(refusal(path, "holds no clip", "name a file with a motion"));
    };
    let carried = retargets(path, source, &document.rigs, notes)?;
    let stem = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = stem.split('.').next().unwrap_or_default();
    for (retarget, rig) in carried.iter().zip(&mut document.rigs) {
        let Some(retarget) = retarget else { continue };
        let mut new = Vec::new();
        for clip in &source.clips {
            let fps = fps.or_else(|| rate::rate(clip).map(|rate| rate.fps)).unwrap_or(USUAL_FPS);
            let name = if source.clips.len() == 1 { stem } else { clip.name() };
            let carried = retarget
                .clip(clip, fps)
                .and_then(|carried| Clip::new(name.to_owned(), carried.tracks().to_vec()));
            new.push(carried.map_err(|error| {
                refusal(path, &error.to_string(), "say fewer frames a second with --fps")
            })?);
        }
        new.append(&mut rig.clips);
        rig.clips = new;
    }
    Ok(())
}
