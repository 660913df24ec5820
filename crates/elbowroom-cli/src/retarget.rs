//! Motions of one file on the characters of another, by the names of their joints.
//!
//! What is assumed is what a scene file assumes: a rest pose in front of mocap is left out, the
//! root's motion over the floor is scaled by the ratio of the legs' lengths, and both are said.

use std::path::{Path, PathBuf};

use elbowroom_io::clip_choice::default_clip;
use elbowroom_io::rate::rate_or_usual;
use elbowroom_io::{Document, ReadOptions, Source, Units, retarget};
use elbowroom_motion::body::{Clip, Retarget, RetargetConfig, Rig, SkeletonPose};

use crate::load::{self, What};
use crate::messages::{Refusal, short};
use crate::save::refusal;
use crate::time_arg::MomentArgs;

/// The switches of a motion from another file.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Motion from another file")]
pub(crate) struct MotionArgs {
    /// Play the motion of another file, such as mocap (.bvh); joints are matched by name
    #[arg(long, value_name = "FILE")]
    pub(crate) motion: Option<PathBuf>,

    /// Factor of the motion over the floor [default: the ratio of the legs' lengths]
    ///
    /// 1 keeps the distances between people who were captured together.
    #[arg(long, value_name = "FACTOR", requires = "motion", value_parser = parse_scale)]
    pub(crate) root_scale: Option<f64>,

    /// Keep the first frame of mocap even if it is only a rest pose put in front
    #[arg(long, requires = "motion")]
    pub(crate) keep_rest_frame: bool,
}

fn parse_scale(text: &str) -> Result<f64, String> {
    let scale = text.parse().ok().filter(|scale: &f64| scale.is_finite() && *scale > 0.0);
    scale.ok_or_else(|| "give a number above 0, such as 1 or 0.93".to_owned())
}

/// Reads a file with joints.
///
/// # Errors
/// If it is bad, or holds frames or trajectories.
pub(crate) fn read(path: &Path, options: &ReadOptions) -> Result<Document, Refusal> {
    let bad = |problem: String| Refusal {
        problems: vec![problem],
        hint: "nothing was written; --help lists the formats".to_owned(),
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

/// A file of motions, read for some characters.
pub(crate) struct Carrier<'a> {
    args: &'a MotionArgs,
    path: &'a Path,
    motion: Document,
}

impl<'a> Carrier<'a> {
    /// Reads the motion file, if one is given, in the unit and axes of the characters.
    ///
    /// What is said about the characters' unit and axes does not hold for it: like a scene file, it
    /// guesses its unit from the skeleton.
    pub(crate) fn new(
        args: &'a MotionArgs,
        options: &ReadOptions,
        characters: &Document,
        notes: &mut Vec<String>,
    ) -> Result<Option<Self>, Refusal> {
        let Some(path) = args.motion.as_deref() else { return Ok(None) };
        let skip_rest_frame = !args.keep_rest_frame;
        let options = ReadOptions { units: None, up: None, skip_rest_frame, ..options.clone() };
        let mut motion = read(path, &options)?;
        let shown = path.display();
        let (metres, axis) = (motion.units.metres_per_unit, motion.up.axis);
        if motion.units.source == Source::Assumed {
            notes.push(format!(
                "{shown}: the file does not state its unit; {} m is assumed, which makes its skeleton nearest to 1.7 m",
                short(metres)
            ));
        }
        let about_reading = |note: &&String| !note.contains("--units") && !note.contains("--up");
        let others = motion.notes.iter().filter(about_reading);
        notes.extend(others.map(|note| format!("{shown}: {note}")));
        // A unit of the characters instead of the metre.
        let metres_per_unit = metres / characters.units.metres_per_unit;
        motion.units = Units { metres_per_unit, ..motion.units };
        let fitted = motion.to_metres().and_then(|motion| {
            if axis == characters.up.axis { Ok(motion) } else { motion.turned(characters.up.axis) }
        });
        let hint = "the numbers of the file are too large; name another motion";
        let motion = fitted.map_err(|error| refusal(path, &error.to_string(), hint))?;
        Ok(Some(Self { args, path, motion }))
    }

    /// A way to carry motions over for every rig that has one; at least one has.
    fn retargets(
        &self,
        source: &Rig,
        rigs: &[Rig],
        notes: &mut Vec<String>,
    ) -> Result<Vec<Option<Retarget>>, Refusal> {
        let mut problem = String::from("no character can take the motion");
        let root_scale = self.args.root_scale;
        let config = RetargetConfig { root_scale, ..RetargetConfig::default() };
        let mut carry = |rig: &Rig| {
            let retarget = Retarget::new(&source.skeleton, &rig.skeleton, &config);
            match &retarget {
                Ok(found) => {
                    let note =
                        retarget::note(found, &rig.name, root_scale.is_some(), "--root-scale 1");
                    notes.push(format!("{}: {note}", self.path.display()));
                }
                Err(error) => problem = error.to_string(),
            }
            retarget.ok()
        };
        let all: Vec<Option<Retarget>> = rigs.iter().map(&mut carry).collect();
        if all.iter().any(Option::is_some) {
            return Ok(all);
        }
        let hint = "rename joints as mocap names them: Hips, LeftUpLeg, LeftLeg";
        Err(refusal(self.path, &problem, hint))
    }

    /// Poses the rigs as the motion is at a moment; says which.
    pub(crate) fn pose(
        &self,
        rigs: &[Rig],
        poses: &mut [SkeletonPose],
        moment: &MomentArgs,
        notes: &mut Vec<String>,
    ) -> Result<String, Refusal> {
        notes.extend(moment.choice_notes(&self.motion.rigs));
        let (source, clip) = moment.first(self.path, &self.motion.rigs)?;
        let time = moment.time_in(clip)?;
        let mut from = source.rest_pose();
        clip.sample(time, &mut from);
        let carried = self.retargets(source, rigs, notes)?;
        for (retarget, pose) in carried.iter().zip(poses) {
            if let Some(retarget) = retarget {
                pose.locals = retarget.pose(&from).locals;
            }
        }
        Ok(moment.words(clip, time))
    }

    /// Gives the rigs the motions as clips, before their own; the default one of them is active.
    /// They have `keys` a second, else at least as many as the motion: sampling them at other times
    /// loses nothing.
    pub(crate) fn clips(
        &self,
        rigs: &mut [Rig],
        moment: &MomentArgs,
        keys: Option<f64>,
        notes: &mut Vec<String>,
    ) -> Result<(), Refusal> {
        let path = self.path;
        let Some(source) = self.motion.rigs.iter().find(|rig| !rig.clips.is_empty()) else {
            return Err(refusal(path, "holds no clip", "name a file with a motion"));
        };
        notes.extend(moment.choice_notes(std::slice::from_ref(source)));
        let carried = self.retargets(source, rigs, notes)?;
        let stem = path.file_name().unwrap_or_default().to_string_lossy();
        let stem = stem.split('.').next().unwrap_or_default();
        let played = default_clip(&source.clips);
        for (retarget, rig) in carried.iter().zip(rigs) {
            let Some(retarget) = retarget else { continue };
            let mut new = Vec::new();
            for (index, clip) in source.clips.iter().enumerate() {
                let own = rate_or_usual(clip).max(moment.fps.unwrap_or(0.0));
                let fps = keys.unwrap_or(own);
                let name = if source.clips.len() == 1 { stem } else { clip.name() };
                let carried = retarget
                    .clip(clip, fps)
                    .and_then(|carried| Clip::new(name.to_owned(), carried.tracks().to_vec()));
                let carried = carried.map_err(|error| {
                    refusal(path, &error.to_string(), "give fewer frames per second with --fps")
                })?;
                let carried = clip.fps().map_or(carried.clone(), |fps| carried.with_fps(fps));
                new.push(carried.with_active(Some(index) == played));
            }
            let own = std::mem::take(&mut rig.clips);
            new.extend(own.into_iter().map(|clip| clip.with_active(false)));
            rig.clips = new;
        }
        Ok(())
    }
}
