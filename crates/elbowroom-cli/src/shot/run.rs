//! The frames of a shot, shared out among the cores.

use std::num::NonZero;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use elbowroom::query::Mode;
use elbowroom::scene::{Between, Content, Finder, Meeting, SceneError, Seek, Stage};

use super::ShotPlan;
use crate::args::Touching;
use crate::between::Passing;
use crate::check::{Contact, Findings};
use crate::examine::{MOST_LISTED, PartTouch, Touch};
use crate::meaning::{Meaning, Place, Wanted};
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::words::{Refusal, grouped};

/// The most contacts that are kept. One takes some 300 bytes, and 24 more for each pair of parts: with two million, that is about 1 GB.
const MOST_CONTACTS: usize = 2_000_000;

/// So many frames are taken at once: enough that a stage that moves on finds its memory warm.
const BATCH: usize = 8;

/// What was found in one frame.
struct FrameFound {
    frame: u32,
    pairs_examined: u64,
    meetings: Vec<Meeting>,
    /// What comes together before the next frame that is examined, if it was asked for.
    passings: Vec<elbowroom::scene::Passing>,
}

/// What all cores work at.
struct Desk<'a> {
    plan: &'a ShotPlan,
    frames: Vec<u32>,
    next: AtomicUsize,
    /// Contacts and listed pairs so far.
    contacts: AtomicUsize,
    listed: AtomicUsize,
    /// Somebody has failed: there will be no result.
    is_over: AtomicBool,
    progress: Mutex<Progress>,
}

/// The next frame, and what looks between.
#[derive(Default)]
struct Ahead {
    stage: Stage,
    between: Between,
}

/// Why there is no result.
enum Failure {
    Frame(u32, SceneError),
    TooMany(String, &'static str),
}

/// Examines all frames.
///
/// # Errors
/// If a frame cannot be posed, or more is found than there should be memory for.
pub(crate) fn check(plan: &ShotPlan, quiet: bool) -> Result<Findings, (Outcome, Refusal)> {
    let frames: Vec<u32> = plan.frames.iter().collect();
    let desk = Desk {
        plan,
        next: AtomicUsize::new(0),
        contacts: AtomicUsize::new(0),
        listed: AtomicUsize::new(0),
        is_over: AtomicBool::new(false),
        progress: Mutex::new(Progress::of_frames(frames.len() as u64, quiet)),
        frames,
    };
    let workers = workers(plan, desk.frames.len());
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(|| desk.work())).collect();
        threads.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
    });
    let mut found = Vec::with_capacity(desk.frames.len());
    let mut failures = Vec::new();
    for result in results {
        match result {
            Ok(Ok(part)) => found.extend(part),
            Ok(Err(failure)) => failures.push(failure),
            // A panic is a fault of ours, and goes on as one.
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
    desk.progress.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
    if let Some(failure) = first(failures) {
        return Err(failure.told());
    }
    found.sort_unstable_by_key(|found: &FrameFound| found.frame);
    Ok(findings(plan, found))
}

/// One for each core; a sequence is read frame after frame, by one.
fn workers(plan: &ShotPlan, frames: usize) -> usize {
    let is_read =
        |object: &elbowroom::scene::Object| matches!(object.content, Content::Vertices(_));
    if plan.scene.objects().iter().any(is_read) {
        return 1;
    }
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    cores.min(frames.div_ceil(BATCH)).max(1)
}

impl Desk<'_> {
    fn work(&self) -> Result<Vec<FrameFound>, Failure> {
        let result = self.batches();
        if result.is_err() {
            self.is_over.store(true, Ordering::Relaxed);
        }
        result
    }

    fn batches(&self) -> Result<Vec<FrameFound>, Failure> {
        let most_listed = if self.plan.triangles { MOST_LISTED as usize } else { 0 };
        let touching = self.plan.touching == Touching::Count;
        let Wanted { mode, clearance, places, depth } = self.plan.wanted;
        let mut finder = Finder::new(Seek {
            mode,
            clearance: clearance.unwrap_or_default(),
            touching,
            most_listed,
            places,
            through: places && mode == Mode::Solid,
            depth,
        });
        let mut stage = Stage::new();
        let mut ahead = Ahead::default();
        let mut done = Vec::new();
        loop {
            let start = self.next.fetch_add(BATCH, Ordering::Relaxed);
            let Some(rest) = self.frames.get(start..) else { return Ok(done) };
            if rest.is_empty() || self.is_over.load(Ordering::Relaxed) {
                return Ok(done);
            }
            for (place, &frame) in rest[..rest.len().min(BATCH)].iter().enumerate() {
                let mut found = self.frame(frame, &mut stage, &mut finder)?;
                if let (true, Some(&next)) = (self.plan.continuous, rest.get(place + 1)) {
                    let scene = &self.plan.scene;
                    let is_set = scene.at(next, &mut ahead.stage);
                    is_set.map_err(|error| Failure::Frame(next, error))?;
                    found.passings =
                        ahead.between.find(scene, &stage, &ahead.stage, &found.meetings);
                    self.count(found.passings.len())?;
                }
                done.push(found);
            }
        }
    }

    fn frame(
        &self,
        frame: u32,
        stage: &mut Stage,
        finder: &mut Finder,
    ) -> Result<FrameFound, Failure> {
        let scene = &self.plan.scene;
        scene.at(frame, stage).map_err(|error| Failure::Frame(frame, error))?;
        let found = finder.find(scene, stage);
        let meetings = found.meetings.clone();
        self.count(meetings.len())?;
        let pairs: usize = meetings.iter().map(|meeting| meeting.triangles.len()).sum();
        let listed = self.listed.fetch_add(pairs, Ordering::Relaxed);
        if self.plan.triangles && (found.is_cut || listed + pairs > MOST_LISTED as usize) {
            let most = grouped(MOST_LISTED);
            let what = format!("there are more than {most} pairs of triangles to be listed");
            return Err(Failure::TooMany(what, "leave out --triangles, and they are only counted"));
        }
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).advance(1);
        let passings = Vec::new();
        Ok(FrameFound { frame, pairs_examined: found.pairs_examined, meetings, passings })
    }
}

impl Desk<'_> {
    /// Counts contacts that are to be kept.
    fn count(&self, more: usize) -> Result<(), Failure> {
        let contacts = self.contacts.fetch_add(more, Ordering::Relaxed);
        if contacts + more <= MOST_CONTACTS {
            return Ok(());
        }
        let most = grouped(MOST_CONTACTS as u64);
        let what = format!("there are more than {most} contacts, too many to keep");
        Err(Failure::TooMany(what, "check fewer objects or fewer --frames at once"))
    }
}

/// The failure to tell of, the same in every run as far as can be: that of the earliest frame.
fn first(failures: Vec<Failure>) -> Option<Failure> {
    failures.into_iter().min_by_key(|failure| match failure {
        Failure::Frame(frame, _) => *frame,
        Failure::TooMany(..) => u32::MAX,
    })
}

impl Failure {
    fn told(self) -> (Outcome, Refusal) {
        match self {
            Self::Frame(_, error) => {
                let problems = vec![error.to_string()];
                let hint = "nothing was printed; mend the file, or leave these --frames out";
                (Outcome::BadInput, Refusal { problems, hint: hint.to_owned() })
            }
            Self::TooMany(problem, what_to_do) => {
                let hint = format!("nothing was printed; {what_to_do}");
                (Outcome::Incomplete, Refusal { problems: vec![problem], hint })
            }
        }
    }
}

fn findings(plan: &ShotPlan, found: Vec<FrameFound>) -> Findings {
    let frames_examined = found.len() as u64;
    let pairs_examined = found.iter().map(|found| found.pairs_examined).sum();
    let between = plan.continuous.then(|| between(&found));
    let mut contacts = Vec::new();
    for FrameFound { frame, meetings, .. } in found {
        contacts.extend(meetings.into_iter().map(|meeting| Contact {
            frame: frame as usize,
            a: meeting.a.index(),
            b: meeting.b.index(),
            touch: Rc::new(touch(&meeting, plan)),
        }));
    }
    Findings { frames_examined, pairs_examined, contacts, between }
}

/// What comes together between frames, by fractional frames.
fn between(found: &[FrameFound]) -> Vec<Passing> {
    let mut all = Vec::new();
    for pair in found.windows(2) {
        let (from, to) = (f64::from(pair[0].frame), f64::from(pair[1].frame));
        let stays = |a, b| pair[1].meetings.iter().any(|met| (met.a, met.b) == (a, b));
        all.extend(pair[0].passings.iter().map(|passing| Passing {
            frame: from + (to - from) * passing.time,
            a: passing.a.index(),
            b: passing.b.index(),
            stays: stays(passing.a, passing.b),
            point: passing.point,
            parts: passing.parts.iter().map(|part| (part.a, part.b)).collect(),
        }));
    }
    all
}

fn touch(meeting: &Meeting, plan: &ShotPlan) -> Touch {
    let parts = meeting.parts.iter().map(|pair| PartTouch {
        a: pair.a,
        b: pair.b,
        triangle_pairs: pair.touching + pair.crossing,
    });
    let meaning =
        (plan.wanted != Wanted::default()).then(|| Box::new(meaning(meeting, &plan.wanted)));
    Touch {
        kind: meeting.kind,
        meaning,
        triangle_pairs: meeting.touching + meeting.crossing,
        crossing_pairs: meeting.crossing,
        parts: parts.collect(),
        triangles: plan
            .triangles
            .then(|| meeting.triangles.iter().map(|pair| [pair.a, pair.b]).collect()),
    }
}

fn meaning(meeting: &Meeting, wanted: &Wanted) -> Meaning {
    let place = meeting.place.map(|place| Place {
        point: place.point,
        normal: place.normal,
        length: place.length,
        regions: Some(place.regions),
    });
    Meaning {
        inside: meeting.inside,
        through: meeting.through,
        certainty: wanted.is_solid().then_some(meeting.certainty),
        distance: meeting.distance,
        place,
        overlap: meeting.overlap,
    }
}
