//! Characters: rigs, and the motion that each plays.

use std::sync::Arc;

use elbowroom_motion::body::{Clip, Retarget, RetargetConfig, Rig};
use elbowroom_motion::scene::{Actor, Content, Motion, Object, Playback, Whereabouts};

use super::{Builder, entry_name, named, repeat};
use crate::clip_choice::{self, clip_list, default_clip, why_default};
use crate::error::ReadError;
use crate::rate::rate_or_usual;
use crate::retarget;
use crate::scene_file::Trouble;
use crate::scene_file::fields::Said;
use crate::scene_file::outline::{Act, Character, MotionFile, Play};

impl Builder<'_> {
    pub(super) fn character(&mut self, character: &Character) -> Result<(), Trouble> {
        let name = entry_name(character.name.as_ref(), &character.source.file);
        let (path, rigs) = self.rigs(&character.source)?;
        let whereabouts = Whereabouts::Fixed(self.world_from_rig(&character.place));
        for (name, rig) in named(&name, &rigs) {
            self.doubt_whole(&name, &path, rig, character.with_itself);
            let motion = self.motion(character, rig)?;
            let actor = Actor {
                rig: Arc::clone(rig),
                parts: None,
                motion,
                whereabouts: whereabouts.clone(),
            };
            let object = Object::new(name, Content::Actor(actor));
            self.add(object, &path, character.with_itself, &character.span)?;
        }
        Ok(())
    }

    fn motion(&mut self, character: &Character, rig: &Arc<Rig>) -> Result<Motion, Trouble> {
        let clip = match &character.act {
            Act::Unsaid => match &rig.clips[..] {
                [] => return Ok(Motion::Rest),
                [only] => Arc::new(only.clone()),
                clips => {
                    let mut moving = clips.iter().filter(|clip| clip.moves());
                    let list = clip_list(clips);
                    // An empty take beside the motion is no choice.
                    let (Some(only), None) = (moving.next(), moving.next()) else {
                        let message = format!("give the `clip` to play, or \"\" for none; {list}");
                        return Err(Trouble::new(&character.source.file.span, message));
                    };
                    let (file, name) = (&character.source.file.value, only.name());
                    self.loader.notes.push(format!(
                        "{file}: the clip {name:?} is played, the only one that moves; {list}"
                    ));
                    Arc::new(only.clone())
                }
            },
            Act::Clip(name) if name.value.is_empty() => return Ok(Motion::Rest),
            Act::Clip(name) => Arc::new(find_clip(rig, name)?.clone()),
            Act::Motion(motion) => self.retargeted(motion, rig)?,
            Act::Values(values) => {
                let Play { start, speed, repeats } = character.play;
                if start.is_some() || speed != 1.0 || repeats {
                    let message = "`start`, `speed` and `loop` are for clips; `values` has a list for each frame from frame 0";
                    return Err(Trouble::new(&values.span, message));
                }
                let pose = |row: &Vec<f64>| rig.pose_of(row);
                let poses = values.value.iter().map(pose).collect::<Result<Vec<_>, _>>();
                let poses = poses.map_err(|error| Trouble::new(&values.span, error.to_string()))?;
                self.lasts(0.0, (poses.len() - 1) as f64 / self.fps());
                return Ok(Motion::Poses(poses));
            }
        };
        // Time 0 of the clip is at `start`, wherever its first key is.
        let Play { start, speed, .. } = character.play;
        let start = start.unwrap_or(0.0);
        let [first_key, last_key] = [clip.start(), clip.end()].map(|secs| start + secs / speed);
        if last_key > first_key {
            self.lasts(first_key, last_key);
        }
        let repeat = repeat(character.play);
        Ok(Motion::Clip(Playback { clip, start_secs: first_key, speed, repeat }))
    }

    /// A motion of another file, carried over to a rig.
    fn retargeted(&mut self, motion: &MotionFile, rig: &Arc<Rig>) -> Result<Arc<Clip>, Trouble> {
        let at = |error: &dyn std::error::Error| Trouble::new(&motion.file.span, error.to_string());
        let path = self.path(&motion.file)?;
        let name = motion.clip.as_ref().map(|clip| clip.value.clone()).unwrap_or_default();
        let scale = motion.root_scale.map(f64::to_bits);
        let key = (path.clone(), name, Arc::as_ptr(rig), scale, motion.keep_rest_frame);
        if let Some(known) = self.motions.get(&key) {
            return Ok(Arc::clone(known));
        }
        let unread =
            |error: ReadError| Trouble::of_file(&motion.file.span, &path, error.to_string());
        let rigs = self.loader.motions(&path, !motion.keep_rest_frame).map_err(unread)?;
        let mover = rigs.iter().find(|rig| !rig.clips.is_empty()).ok_or_else(|| {
            Trouble::new(&motion.file.span, format!("{} holds no motion", path.display()))
        })?;
        let clip = if let Some(name) = &motion.clip {
            find_clip(mover, name)?
        } else {
            let index = default_clip(&mover.clips).unwrap_or(0);
            if mover.clips.len() > 1 {
                let (name, why) = (mover.clips[index].name(), why_default(&mover.clips, index));
                let (shown, list) = (path.display(), clip_list(&mover.clips));
                self.loader
                    .notes
                    .push(format!("{shown}: the clip {name:?} is played, {why}; {list}"));
            }
            &mover.clips[index]
        };
        let config = RetargetConfig { root_scale: motion.root_scale, ..RetargetConfig::default() };
        let retarget =
            Retarget::new(&mover.skeleton, &rig.skeleton, &config).map_err(|e| at(&e))?;
        let given = motion.root_scale.is_some();
        self.loader.notes.push(format!(
            "{}: {}",
            path.display(),
            retarget::note(&retarget, &rig.name, given, "`root_scale = 1`")
        ));
        let clip = Arc::new(retarget.clip(clip, rate_or_usual(clip)).map_err(|e| at(&e))?);
        self.motions.insert(key, Arc::clone(&clip));
        Ok(clip)
    }
}

pub(in crate::scene_file) fn find_clip<'r>(
    rig: &'r Rig,
    name: &Said<String>,
) -> Result<&'r Clip, Trouble> {
    let found = clip_choice::find_clip(&rig.clips, &name.value);
    let found = found.map_err(|problem| Trouble::new(&name.span, format!("the clip {problem}")))?;
    found.map(|index| &rig.clips[index]).ok_or_else(|| {
        let message = format!("no clip is called {:?}; {}", name.value, clip_list(&rig.clips));
        Trouble::new(&name.span, message)
    })
}
