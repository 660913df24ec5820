//! With `--exact`: where disks collide, the bodies are asked.

use std::path::Path;

use elbowroom_io::{Document, rate};
use elbowroom_motion::body::{Clip, Retarget, RetargetConfig, Rig};
use elbowroom_motion::crowd::{Performer, Refining, SkinMeeting, refine};
use elbowroom_motion::footprint::FootprintConfig;
use elbowroom_motion::space_time::{Taking, Workspace};

use super::side::Side;
use crate::actors::{body_of, up};
use crate::messages::Refusal;
use crate::save::refusal;

/// What a motion moves, and how its samples are taken.
#[derive(Debug)]
pub(super) struct Flesh {
    rig: Rig,
    clip: Clip,
    taking: Taking,
    /// What the reader of a lent body noted.
    pub(super) notes: Vec<String>,
    /// Whether the body is the one of `--body`.
    pub(super) is_lent: bool,
}

/// What the bodies say.
#[derive(Debug)]
pub(super) struct Skins {
    /// In order of time; samples one after the other as one.
    pub(super) contacts: Vec<Touch>,
    /// Pairs of samples whose disks collide, how many of them the footprints cleared, and how many
    /// had their meshes compared.
    pub(super) disks: u64,
    pub(super) cleared: u64,
    pub(super) compared: u64,
}

/// A time during which two bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touch {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) first: [u32; 2],
    pub(super) last: [u32; 2],
}

impl Flesh {
    /// A character with a skin of its own.
    pub(super) fn own(rig: &Rig, clip: &Clip, taking: &Taking) -> Self {
        Self {
            rig: rig.clone(),
            clip: clip.clone(),
            taking: *taking,
            notes: Vec::new(),
            is_lent: false,
        }
    }

    /// A bare motion on the body that was named.
    pub(super) fn lent(
        body: Option<&str>,
        path: &Path,
        mover: (&Document, &Rig, &Clip),
        taking: &Taking,
    ) -> Result<Self, Refusal> {
        let Some(name) = body else {
            let hint = "name a body for it: --body make:man, make:woman, or a file";
            return Err(refusal(path, "holds a motion without a skin", hint));
        };
        let (document, rig, clip) = mover;
        let body = body_of(name)?;
        let alone = Rig { parts: Vec::new(), clips: vec![clip.clone()], ..rig.clone() };
        let alone = Document { rigs: vec![alone], ..document.clone() };
        let hint = "name another body with --body";
        let refuse = |error: &dyn std::fmt::Display| refusal(path, &error.to_string(), hint);
        let moved = alone.to_metres().map_err(|error| refuse(&error))?;
        let moved = moved.turned(body.up).map_err(|error| refuse(&error))?;
        let (skeleton, clip) = (&moved.rigs[0].skeleton, &moved.rigs[0].clips[0]);
        // People stay as far from each other as they were captured.
        let config = RetargetConfig { root_scale: Some(1.0), ..RetargetConfig::default() };
        let retarget = Retarget::new(skeleton, &body.rig.skeleton, &config);
        let retarget = retarget.map_err(|error| refuse(&error))?;
        let fps = rate::rate(clip).map_or(30.0, |rate| rate.fps).clamp(30.0, 240.0);
        let clip = retarget.clip(clip, fps).map_err(|error| refuse(&error))?;
        let taking = Taking { up: up(body.up), scale: 1.0, ..*taking };
        Ok(Self { rig: body.rig, clip, taking, notes: body.notes, is_lent: true })
    }

    fn perform(&self) -> Result<Performer<'_>, String> {
        Performer::new(&self.rig, &self.clip, &self.taking, FootprintConfig::default())
            .map_err(|error| error.to_string())
    }
}

impl Skins {
    pub(super) fn new(sides: &[Side; 2], level: Option<u32>) -> Result<Option<Self>, String> {
        let [a, b] = sides;
        let (Some(flesh_a), Some(flesh_b)) = (&a.flesh, &b.flesh) else { return Ok(None) };
        let (first, second) = (flesh_a.perform()?, flesh_b.perform()?);
        let refining = Refining { level, first_only: false };
        let mut workspace = Workspace::new();
        let refined = refine(&first, &a.placed, &second, &b.placed, &refining, &mut workspace)
            .map_err(|error| error.to_string())?;
        let mut contacts: Vec<Touch> = Vec::new();
        for meeting in &refined.meetings {
            match contacts.last_mut().filter(|last| goes_on(last, meeting)) {
                Some(last) => {
                    last.to = last.to.max(meeting.to);
                    last.last = meeting.samples;
                }
                None => contacts.push(Touch {
                    from: meeting.from,
                    to: meeting.to,
                    first: meeting.samples,
                    last: meeting.samples,
                }),
            }
        }
        let (disks, cleared, compared) = (refined.disks, refined.cleared, refined.compared);
        Ok(Some(Self { contacts, disks, cleared, compared }))
    }

    /// Seconds during which they touch.
    pub(super) fn seconds(&self) -> f64 {
        self.contacts.iter().map(|contact| contact.to - contact.from).sum()
    }
}

/// Whether no sample of either lies between.
fn goes_on(last: &Touch, next: &SkinMeeting) -> bool {
    last.last.iter().zip(next.samples).all(|(&before, after)| after <= before + 1)
}
