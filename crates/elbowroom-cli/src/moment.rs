//! Which moment of a motion: the switches, and what they mean for a rig.
//!
//! Times count from the beginning of a clip, whatever its first key says; frames from 0, at the clip's own rate unless another is said.

use std::path::Path;

use elbowroom::body::{Clip, Rig};

use crate::rate;
use crate::save::refusal;
use crate::words::{Refusal, count, short};

/// The switches.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Which moment")]
pub(crate) struct MomentArgs {
    /// The clip, by its name or its number as `info` lists them [default: the first]
    #[arg(long, value_name = "NAME|N")]
    pub(crate) clip: Option<String>,

    /// Seconds from the beginning of the clip
    #[arg(long, value_name = "S", conflicts_with = "frame", allow_negative_numbers = true)]
    pub(crate) time: Option<f64>,

    /// A frame of the clip or of the sequence, from 0
    #[arg(long, value_name = "N")]
    pub(crate) frame: Option<usize>,

    /// Frames a second [default: the rate on which the clip's keys lie]
    #[arg(long, value_name = "RATE", value_parser = crate::units::parse_rate)]
    pub(crate) fps: Option<f64>,
}

impl MomentArgs {
    /// Whether a moment of a clip is asked for, rather than the rest pose.
    pub(crate) fn is_asked(&self) -> bool {
        self.clip.is_some() || self.time.is_some() || self.frame.is_some()
    }

    /// The clip that is meant; none if the rig has none of that name.
    pub(crate) fn clip_of<'a>(&self, rig: &'a Rig) -> Option<&'a Clip> {
        let Some(wanted) = &self.clip else { return rig.clips.first() };
        let named = |clip: &&Clip| clip.name() == wanted;
        let alike = |clip: &&Clip| clip.name().eq_ignore_ascii_case(wanted);
        let numbered = || wanted.parse().ok().and_then(|number: usize| rig.clips.get(number));
        let clips = || rig.clips.iter();
        clips().find(named).or_else(|| clips().find(alike)).or_else(numbered)
    }

    /// The clip of each rig; at least one has it.
    pub(crate) fn clips<'a>(&self, rigs: &'a [Rig]) -> Result<Vec<Option<&'a Clip>>, Refusal> {
        let clips: Vec<Option<&Clip>> = rigs.iter().map(|rig| self.clip_of(rig)).collect();
        if clips.iter().any(Option::is_some) {
            return Ok(clips);
        }
        let known: Vec<String> = rigs
            .iter()
            .flat_map(|rig| &rig.clips)
            .map(|clip| format!("{:?}", clip.name()))
            .collect();
        let shown = known.iter().take(12).cloned().collect::<Vec<_>>().join(", ");
        let (problem, hint) = match &self.clip {
            _ if known.is_empty() => (
                "there is no clip in the file, and so no moment of one".to_owned(),
                "leave out --clip, --time and --frame for the rest pose".to_owned(),
            ),
            Some(clip) => (
                format!("there is no clip {clip:?}"),
                format!("there are {shown}; or say a number"),
            ),
            None => ("there is no clip".to_owned(), format!("there are {shown}")),
        };
        Err(Refusal { problems: vec![problem], hint })
    }

    /// The first rig that has the clip, and the clip; `path` is the file that they are from.
    pub(crate) fn first<'a>(
        &self,
        path: &Path,
        rigs: &'a [Rig],
    ) -> Result<(&'a Rig, &'a Clip), Refusal> {
        let clips = self.clips(rigs)?;
        let found = rigs.iter().zip(clips).find_map(|(rig, clip)| Some((rig, clip?)));
        found.ok_or_else(|| refusal(path, "holds no clip", "name a file with a motion"))
    }

    /// The time in a clip that is meant.
    pub(crate) fn time_in(&self, clip: &Clip) -> Result<f64, Refusal> {
        let (name, seconds) = (clip.name(), clip.seconds());
        if let Some(frame) = self.frame {
            let fps = self.rate_of(clip)?;
            let frames = rate::frames(seconds, fps);
            if frame >= frames {
                let frames = count(frames as u64, "frame");
                return Err(Refusal {
                    problems: vec![format!(
                        "there is no frame {frame} in the clip {name:?}: it has {frames} at {} a second",
                        short(fps)
                    )],
                    hint: "frames count from 0; `elbowroom info` lists the clips".to_owned(),
                });
            }
            return Ok((clip.start() + frame as f64 / fps).min(clip.end()));
        }
        let time = self.time.unwrap_or(0.0);
        // A time that was copied from a rounded length is the end.
        if !(-1e-9..=seconds + 5e-3).contains(&time) {
            return Err(Refusal {
                problems: vec![format!(
                    "{time} s is not within the clip {name:?}, which takes {seconds:.3} s"
                )],
                hint: "times count from the beginning of the clip".to_owned(),
            });
        }
        Ok((clip.start() + time).min(clip.end()))
    }

    /// Frames a second of a clip: as said, or as its keys say.
    pub(crate) fn rate_of(&self, clip: &Clip) -> Result<f64, Refusal> {
        self.fps.or_else(|| rate::rate(clip).map(|rate| rate.fps)).ok_or_else(|| Refusal {
            problems: vec![format!(
                "the keys of the clip {:?} are at no even rate, so its frames are not known",
                clip.name()
            )],
            hint: "say frames a second with --fps".to_owned(),
        })
    }
}
