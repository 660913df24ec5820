//! The one timeline of a shot: when the motions of its files begin and end, and at which rates.
//!
//! Key times of glTF and FBX are absolute: time 0 of a clip is time 0 of the shot, whenever its
//! first key is, so that two files of one shot stay in step. Numbered files are frames of the shot:
//! number n is shown at n / fps seconds. An archive begins with its `first_frame`, 0 unless it
//! gives another. Before its first frame and after its last everything holds still.
//!
//! The shot is examined at the highest rate that a file has. Files of other rates are matched by
//! time. Vertices over time whose file has no rate get that of the shot.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use elbowroom_motion::body::Clip;
use elbowroom_motion::scene::{Actor, Content, Motion, Object, Repeat, Sequence, Whereabouts};

use crate::rate::{USUAL_FPS, rate};
use crate::sequence::VertexFrames;

/// The motion of an object of a shot, and its time.
#[derive(Clone, Debug, PartialEq)]
pub struct Plays {
    /// The name of its clip; `None` for vertices over time.
    pub clip: Option<String>,
    /// The frames per second, if its file gives a rate or its keys show one.
    pub fps: Option<f64>,
    /// The beginning and the end, in seconds of the file's time.
    pub span: [f64; 2],
}

/// Something that may make a result mean something else than it seems to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The topic, in one word: `clip`, `rate`, `time` or `objects`.
    pub kind: &'static str,
    /// The finding, and what to do.
    pub text: String,
}

/// What is known of the motions so far.
pub(super) struct Timeline {
    asked_fps: Option<f64>,
    pub(super) plays: Vec<Option<Plays>>,
    pub(super) doubts: Vec<Doubt>,
    /// Whose keys are at no even rate.
    pub(super) uneven: Vec<String>,
    /// Vertices over time: which object, its name, its first number and how many frames it has.
    sequences: Vec<(usize, String, i64, usize)>,
}

impl Timeline {
    pub(super) fn new(asked_fps: Option<f64>) -> Self {
        let (plays, doubts, uneven, sequences) = Default::default();
        Self { asked_fps, plays, doubts, uneven, sequences }
    }

    pub(super) fn doubt(&mut self, kind: &'static str, text: String) {
        self.doubts.push(Doubt { kind, text });
    }

    /// Vertices over time, as the next object. When they are shown is known in the end.
    pub(super) fn sequence(&mut self, path: &Path, frames: VertexFrames) -> Sequence {
        let (first, count) = (frames.first_number(), frames.span_len());
        let fps = frames.fps();
        // A single frame is a mesh at rest.
        self.plays.push((count > 1).then_some(Plays { clip: None, fps, span: [0.0; 2] }));
        if count > 1 {
            let name = path.display().to_string();
            self.sequences.push((self.plays.len() - 1, name, first, count));
        }
        Sequence::new(Box::new(frames), fps.unwrap_or(USUAL_FPS))
    }

    /// Puts all on the timeline; gives when the earliest motion begins and the latest ends, and the
    /// rate of the shot.
    pub(super) fn settle(
        &mut self,
        objects: &mut [Object],
        notes: &mut Vec<String>,
    ) -> (Option<[f64; 2]>, Option<f64>) {
        let highest = self.plays.iter().flatten().filter_map(|plays| plays.fps).reduce(f64::max);
        let fps = self.asked_fps.or(highest);
        let usual = fps.unwrap_or(USUAL_FPS);
        self.compare_rates(fps, objects);
        for (index, _, first, count) in &self.sequences {
            let own = self.plays[*index].as_ref().and_then(|plays| plays.fps).unwrap_or(usual);
            let span = [*first as f64 / own, (*first as f64 + (*count - 1) as f64) / own];
            if let Some(plays) = &mut self.plays[*index] {
                plays.span = span;
            }
            if let Content::Vertices(sequence) = &mut objects[*index].content {
                (sequence.fps, sequence.start_secs) = (own, span[0]);
            }
        }
        let assumed = format!("{usual} frames per second are assumed; set another rate with --fps");
        if self.asked_fps.is_none() {
            let uneven = self.uneven.iter();
            notes.extend(uneven.map(|whose| format!("{whose} have no even rate; {assumed}")));
            if let (None, Some((_, name, ..))) = (highest, self.sequences.first()) {
                notes.push(format!("{name}: the file gives no frame rate; {assumed}"));
            }
        }
        let spans = || self.plays.iter().flatten().map(|plays| plays.span);
        let span = spans().reduce(|[a, b], [c, d]| [a.min(c), b.max(d)]);
        self.compare_spans(objects);
        (span, fps)
    }

    /// Whether files have different rates, or one has a rate and another none.
    fn compare_rates(&mut self, fps: Option<f64>, objects: &[Object]) {
        let named = self.plays.iter().zip(objects);
        let mut rates: Vec<(f64, &str)> = Vec::new();
        for (plays, object) in named {
            let Some(own) = plays.as_ref().and_then(|plays| plays.fps) else { continue };
            if rates.iter().all(|(known, _)| (known / own - 1.0).abs() > 1e-6) {
                rates.push((own, &object.name));
            }
        }
        let Some(fps) = fps else { return };
        let mut found = Vec::new();
        if rates.len() > 1 {
            let shown = |rate: f64| (1e3 * rate).round() / 1e3;
            let list: Vec<String> =
                rates.iter().map(|(rate, name)| format!("{} ({name})", shown(*rate))).collect();
            found.push(format!(
                "files have different frame rates: {}; {} frames per second are examined, matched by time. \
                 Of vertices over time the nearest frame is shown, others are interpolated",
                list.join(", "),
                shown(fps)
            ));
        }
        for (index, name, ..) in &self.sequences {
            if self.plays[*index].as_ref().is_some_and(|plays| plays.fps.is_none())
                && (!rates.is_empty() || self.asked_fps.is_some())
                && self.plays.iter().flatten().count() > 1
            {
                found.push(format!(
                    "{name}: the file gives no frame rate, and {fps} per second is assumed as for the \
                     others; another rate can be given in a scene file"
                ));
            }
        }
        self.doubts.extend(found.into_iter().map(|text| Doubt { kind: "rate", text }));
        self.doubts.extend(below_rates(fps, &self.plays, objects, "--fps"));
    }

    /// Whether two motions have no moment in common.
    fn compare_spans(&mut self, objects: &[Object]) {
        self.doubts.extend(apart(&self.plays, objects));
    }
}

/// Whether frames are examined at a lower rate than a motion has.
fn below_rates(
    fps: f64,
    plays: &[Option<Plays>],
    objects: &[Object],
    option: &str,
) -> Option<Doubt> {
    let own = |plays: &Option<Plays>| plays.as_ref().and_then(|plays| plays.fps);
    // Of those who walk, the way says where they are, and the clip how their arms swing.
    let walks = |object: &Object| {
        matches!(
            &object.content,
            Content::Actor(Actor { whereabouts: Whereabouts::Walk { .. }, .. })
        )
    };
    let rates = plays.iter().zip(objects).filter(|(_, object)| !walks(object));
    let rates = rates.filter_map(|(plays, object)| Some((own(plays)?, object)));
    let (rate, object) = rates.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (rate > fps * (1.0 + 1e-6)).then(|| Doubt {
        kind: "rate",
        text: format!(
            "{fps} frames a second are examined, and {} has {rate}: what happens between is not seen; \
             give {option} {rate}, or look between frames with --continuous",
            object.name
        ),
    })
}

/// Whether two motions have no moment in common.
fn apart(plays: &[Option<Plays>], objects: &[Object]) -> Option<Doubt> {
    let moving: Vec<(usize, [f64; 2])> = plays
        .iter()
        .enumerate()
        .filter_map(|(index, plays)| Some((index, plays.as_ref()?.span)))
        .filter(|(_, [from, to])| to > from)
        .collect();
    let earliest = moving.iter().min_by(|a, b| a.1[1].total_cmp(&b.1[1]));
    let latest = moving.iter().max_by(|a, b| a.1[0].total_cmp(&b.1[0]));
    if let (Some(&(a, [from, to])), Some(&(b, [later, end]))) = (earliest, latest)
        && to < later
    {
        let (a, b) = (&objects[a].name, &objects[b].name);
        let text = format!(
            "{a} moves from {from:.3} s to {to:.3} s and {b} from {later:.3} s to {end:.3} s, never at \
                 once: key times are those of the files. If both should begin together, write a \
                 scene file with `start`"
        );
        return Some(Doubt { kind: "time", text });
    }
    None
}

/// What the objects of a scene file play. The span of what goes round is that of its first round.
pub(crate) fn plays_of(objects: &[Object]) -> Vec<Option<Plays>> {
    // A crowd shares few clips.
    let mut rates: HashMap<*const Clip, Option<f64>> = HashMap::new();
    let mut plays = |object: &Object| match &object.content {
        Content::Actor(actor) => match &actor.motion {
            Motion::Clip(playback) => {
                let clip = &playback.clip;
                let own = || rate(clip).map(|rate| rate.fps);
                let fps = *rates.entry(Arc::as_ptr(clip)).or_insert_with(own);
                let end = playback.start_secs + clip.seconds() / playback.speed;
                let span = [playback.start_secs, end];
                Some(Plays { clip: Some(clip.name().to_owned()), fps, span })
            }
            Motion::Rest | Motion::Pose(_) | Motion::Poses(_) => None,
        },
        Content::Vertices(sequence) => {
            let mut source =
                sequence.source.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let frames = source.as_mut().frames();
            let end = sequence.start_secs + (frames - 1) as f64 / sequence.fps;
            let span = [sequence.start_secs, end];
            (frames > 1).then_some(Plays { clip: None, fps: Some(sequence.fps), span })
        }
        Content::Still { .. } | Content::Moving { .. } => None,
    };
    objects.iter().map(&mut plays).collect()
}

/// What is doubtful about the times and rates of what a scene file describes: other rates than the
/// scene's of vertices over time (clips are interpolated), motions that are sampled too rarely, and
/// such that have no moment in common.
pub(crate) fn scene_doubts(
    given: Option<f64>,
    fps: f64,
    plays: &[Option<Plays>],
    objects: &[Object],
) -> Vec<Doubt> {
    let mut found: Vec<(f64, &str)> = Vec::new();
    for (plays, object) in plays.iter().zip(objects) {
        let Some(Plays { clip, fps: Some(own), .. }) = plays else { continue };
        let differs = |known: f64| (known / own - 1.0).abs() > 1e-6;
        if clip.is_none() && differs(fps) && found.iter().all(|&(known, _)| differs(known)) {
            found.push((*own, &object.name));
        }
    }
    let list: Vec<String> = found.iter().map(|(rate, name)| format!("{rate} ({name})")).collect();
    let who = if given.is_some() { "the scene file asks for" } else { "no `fps` is given, and" };
    let text = format!(
        "{who} {fps} frames per second, but files have other rates: {}; they are matched by time. Of vertices \
         over time the nearest frame is shown, others are interpolated",
        list.join(", ")
    );
    let differ = (!list.is_empty()).then_some(Doubt { kind: "rate", text });
    let below = below_rates(fps, plays, objects, "`fps` =");
    // What goes round, as crowds do, has no end.
    let goes_round = |object: &Object| match &object.content {
        Content::Actor(actor) => {
            matches!(&actor.motion, Motion::Clip(playback) if playback.repeat == Repeat::Loop)
        }
        Content::Vertices(sequence) => sequence.repeat == Repeat::Loop,
        _ => false,
    };
    let is_endless = objects.iter().any(goes_round);
    let apart = apart(plays, objects).filter(|_| !is_endless);
    [differ, below, apart].into_iter().flatten().collect()
}
