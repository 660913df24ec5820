//! Which moment of a motion: the switches, and what they mean for a rig.
//!
//! Times are those of the file: a clip whose first key is at 1 s is at rest in its first moment
//! before. Frame n is at n / fps seconds of the same time, so that the numbers are those of
//! `check`.

use std::path::Path;

use elbowroom_io::clip_choice::{clip_list, default_clip, find_clip, length, why_default};
use elbowroom_io::rate::{self, USUAL_FPS};
use elbowroom_motion::body::{Clip, Rig};

use crate::messages::{Refusal, short};
use crate::save::refusal;

/// The switches.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Time")]
pub(crate) struct MomentArgs {
    /// Clip with this name, part of a name, or number in `elbowroom info`
    ///
    /// By default the one that the file marks as active, else the longest.
    #[arg(long, value_name = "NAME|N")]
    pub(crate) clip: Option<String>,

    /// Time in seconds, on the timeline of the file's keys
    #[arg(long, value_name = "S", conflicts_with = "frame", allow_negative_numbers = true)]
    pub(crate) time: Option<f64>,

    /// Frame of the clip or the sequence, numbered as by `check`: frame 0 is at time 0 of the file
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) frame: Option<i64>,

    /// Frames per second [default: the rate of the file, or that of the clip's keys, or 30]
    #[arg(long, value_name = "RATE", value_parser = crate::units::parse_rate)]
    pub(crate) fps: Option<f64>,
}

impl MomentArgs {
    /// Whether a moment of a clip is asked for, rather than the rest pose.
    pub(crate) fn is_asked(&self) -> bool {
        self.clip.is_some() || self.time.is_some() || self.frame.is_some()
    }

    /// The clip that is meant; none if the rig has no such clip.
    fn clip_of<'a>(&self, rig: &'a Rig) -> Result<Option<&'a Clip>, Refusal> {
        let index = match &self.clip {
            Some(wanted) => find_clip(&rig.clips, wanted).map_err(|problem| Refusal {
                problems: vec![format!("the clip {problem}")],
                hint: clip_list(&rig.clips),
            })?,
            None => default_clip(&rig.clips),
        };
        Ok(index.map(|index| &rig.clips[index]))
    }

    /// The clip of each rig; at least one has it.
    pub(crate) fn clips<'a>(&self, rigs: &'a [Rig]) -> Result<Vec<Option<&'a Clip>>, Refusal> {
        let clips: Vec<Option<&Clip>> =
            rigs.iter().map(|rig| self.clip_of(rig)).collect::<Result<_, _>>()?;
        if clips.iter().any(Option::is_some) {
            return Ok(clips);
        }
        let known = || rigs.iter().flat_map(|rig| &rig.clips);
        let (problem, hint) = match &self.clip {
            Some(clip) if known().next().is_some() => {
                (format!("there is no clip {clip:?}"), clip_list(known()))
            }
            _ => (
                "there is no clip in the file, and so no moment of one".to_owned(),
                if self.is_asked() {
                    "leave out --clip, --time and --frame for the rest pose".to_owned()
                } else {
                    "name a file with a clip, or write a single mesh, such as .obj".to_owned()
                },
            ),
        };
        Err(Refusal { problems: vec![problem], hint })
    }

    /// Which clips are taken, where none was asked for and there are several.
    pub(crate) fn choice_notes(&self, rigs: &[Rig]) -> Vec<String> {
        let note = |rig: &Rig| {
            let index = default_clip(&rig.clips).filter(|_| rig.clips.len() > 1)?;
            let clip = &rig.clips[index];
            let (name, long, why) = (clip.name(), length(clip), why_default(&rig.clips, index));
            let list = clip_list(&rig.clips);
            Some(format!(
                "the clip {name:?} ({long}) is used, {why}; --clip chooses another: {list}"
            ))
        };
        if self.clip.is_some() { Vec::new() } else { rigs.iter().filter_map(note).collect() }
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

    /// The time of a clip that is meant: its first key unless another is asked for.
    pub(crate) fn time_in(&self, clip: &Clip) -> Result<f64, Refusal> {
        let (name, start, end) = (clip.name(), clip.start(), clip.end());
        if let Some(frame) = self.frame {
            let (fps, _) = self.rate_of(clip);
            let (first, last) = rate::frame_span(start, end, fps);
            if !(first..=last).contains(&(frame as f64)) {
                return Err(Refusal {
                    problems: vec![format!(
                        "there is no frame {frame} in the clip {name:?}: it has the frames {first} to {last} at {} per second",
                        short(fps)
                    )],
                    hint: "frame 0 is at time 0 of the file; `elbowroom info` lists the clips"
                        .to_owned(),
                });
            }
            return Ok((frame as f64 / fps).clamp(start, end));
        }
        let Some(time) = self.time else { return Ok(start) };
        // A time that was copied from a rounded length is the end. Before its first key a clip
        // holds still.
        if !(start.min(0.0) - 1e-9..=end + 5e-3).contains(&time) {
            return Err(Refusal {
                problems: vec![format!(
                    "{time} s is not within the clip {name:?}, which is from {start:.3} s to {end:.3} s"
                )],
                hint: "times are those of the file's keys; `elbowroom info` lists the clips"
                    .to_owned(),
            });
        }
        Ok(time.clamp(start, end))
    }

    /// Frames a second of a clip, and whether they are assumed: as given, as its file or its keys
    /// say, or the usual rate.
    pub(crate) fn rate_of(&self, clip: &Clip) -> (f64, bool) {
        let known = self.fps.or_else(|| rate::rate(clip).map(|rate| rate.fps));
        (known.unwrap_or(USUAL_FPS), known.is_none())
    }

    /// The moment of a clip in words.
    pub(crate) fn words(&self, clip: &Clip, time: f64) -> String {
        let name = clip.name();
        match (self.frame, self.rate_of(clip)) {
            (Some(frame), (fps, true)) => format!(
                "{name:?} at {time:.3} s, frame {frame} at {fps} per second (assumed, its keys are uneven)"
            ),
            (Some(frame), (fps, false)) => {
                format!("{name:?} at {time:.3} s, frame {frame} at {} per second", short(fps))
            }
            (None, _) => format!("{name:?} at {time:.3} s"),
        }
    }
}
