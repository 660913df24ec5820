//! The frames of a shot, shared out among the cores, and given away in order.
//!
//! Each core takes some frames that follow each other at a time. What it finds waits until all
//! frames before it were given away; no thread runs farther ahead than a window, so that the
//! results that wait are bounded whatever the frames cost. A frame that cannot be posed is told of
//! and does not keep the others.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use elbowroom::internal::query::Mode;
use elbowroom::interrupt::Interrupted;
use elbowroom_motion::scene::{
    Between, Content, Finder, Found, Meeting, ObjectId, Rest, Seek, Stage,
};

use crate::args::{self, Touching};
use crate::check::refit;
use crate::check::report::{Halt, How, Taker};
use crate::messages::{self, Refusal, count, grouped};
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::result::frame::{Ended, FrameReport, Passing};
use crate::result::options::Wanted;
use crate::result::plan::Plan;

/// Frames that a thread takes at once: enough that a stage that moves on finds its memory warm.
const BATCH: usize = 8;

/// Batches that a core may be ahead of what was given away.
const AHEAD: usize = 4;

/// How much is found in a frame at most.
#[derive(Clone, Copy)]
struct Limits {
    /// Contacts.
    contacts: usize,
    /// Pairs of triangles in lists; a list that is shared counts once.
    listed: usize,
}

/// A contact takes some 200 bytes, and some 300 as an incident; one that shares what is known of
/// copies 24. A short command line can ask for far more: 100,000 copies of one file meet in 5
/// billion pairs. A pair of triangles takes 12 bytes.
const LIMITS: Limits = Limits { contacts: 10_000_000, listed: 20_000_000 };

/// Frames are not examined ahead while this many contacts and pairs of triangles wait to be given
/// away, some 200 MB.
const MOST_WAITING: usize = 1_000_000;

/// How long to wait before looking whether to stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// What was found in one frame.
#[derive(Default)]
struct FrameFound {
    frame: u32,
    found: Found,
    /// What comes together before the next frame that is examined, if it was asked for.
    passings: Vec<elbowroom_motion::scene::Passing>,
    /// Why there is nothing, if the frame could not be posed.
    unreadable: Option<String>,
    /// Why the work cannot go on.
    refused: Option<Refusal>,
}

impl FrameFound {
    /// How many contacts and pairs of triangles it holds.
    fn weight(&self) -> usize {
        let of_one = |meeting: &Meeting| 1 + meeting.parts.len() + meeting.triangles.len() / 8;
        self.found.meetings.iter().map(of_one).sum()
    }
}

/// What all cores work at.
struct Desk<'a> {
    plan: &'a Plan,
    how: How<'a>,
    limits: Limits,
    next: AtomicUsize,
    /// How many objects were compared with those after them.
    done: Arc<AtomicU64>,
    /// How many frames from the first were given away, and who waits for more.
    given: Mutex<usize>,
    more: Condvar,
    window: usize,
    /// How much waits to be given away, as [`FrameFound::weight`] has it.
    waiting: AtomicUsize,
    /// The taker has ended.
    is_over: AtomicBool,
}

/// Examines all frames, and gives them away in order.
///
/// # Errors
/// If more is found than there should be memory for, or the taker has ended.
pub(crate) fn check(plan: &Plan, how: &How<'_>, taker: &mut Taker<'_>) -> Result<Ended, Halt> {
    check_within(LIMITS, plan, how, taker)
}

fn check_within(
    limits: Limits,
    plan: &Plan,
    how: &How<'_>,
    taker: &mut Taker<'_>,
) -> Result<Ended, Halt> {
    if plan.outside.is_some() {
        return Ok(Ended::Whole);
    }
    // What comes together on the way to the first frame is asked of the one before.
    let first = if plan.continuous { how.from.saturating_sub(1) } else { how.from };
    let left = plan.frames.len().saturating_sub(first);
    let workers = workers(plan, how, left);
    let desk = Desk {
        plan,
        how: *how,
        limits,
        next: AtomicUsize::new(first),
        done: Arc::default(),
        given: Mutex::new(first),
        more: Condvar::new(),
        window: workers * BATCH * AHEAD,
        waiting: AtomicUsize::new(0),
        is_over: AtomicBool::new(false),
    };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (desk, sender) = (&desk, sender.clone());
            scope.spawn(move || desk.work(&sender));
        }
        // The channel closes when the last worker is gone.
        drop(sender);
        let ended = desk.give(first, &receiver, taker);
        desk.call_off();
        ended
    })
}

/// One for each core, or as many as were asked for; files of a sequence are read one after the
/// other.
fn workers(plan: &Plan, how: &How<'_>, frames: usize) -> usize {
    let is_read = |object: &elbowroom_motion::scene::Object| match &object.content {
        Content::Vertices(sequence) => {
            !sequence.source.lock().unwrap_or_else(PoisonError::into_inner).is_at_hand()
        }
        _ => false,
    };
    if plan.scene.objects().iter().any(is_read) {
        return 1;
    }
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    how.threads.unwrap_or_else(cores).min(frames.div_ceil(BATCH)).max(1)
}

/// What is told with the next frame.
struct Before {
    frame: u32,
    passings: Vec<elbowroom_motion::scene::Passing>,
}

/// The next frame, and what looks between.
#[derive(Default)]
struct Ahead {
    stage: Stage,
    between: Between,
}

/// Calls the others off if its thread panics: they would wait for its frame for ever.
struct Watch<'a>(&'a Desk<'a>);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.call_off();
        }
    }
}

impl Desk<'_> {
    /// The taker has ended. Set under the lock, so that a thread that is about to wait sees it.
    fn call_off(&self) {
        let _given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_over.store(true, Ordering::Relaxed);
        self.more.notify_all();
    }

    /// Examines batches until there are no more, or the taker has ended.
    fn work(&self, sender: &Sender<(usize, FrameFound)>) {
        let _watch = Watch(self);
        let refit = self.plan.cast.refit;
        let mut finder = refit::finder(refit, self.seek()).counting(Arc::clone(&self.done));
        let mut stage = Stage::new();
        let mut ahead = Ahead::default();
        loop {
            let start = self.next.fetch_add(BATCH, Ordering::Relaxed);
            if start >= self.plan.frames.len() {
                return;
            }
            self.wait_for(start);
            for place in start..start + BATCH {
                let Some(frame) = self.plan.frames.get(place) else { return };
                self.wait_for_room(place);
                if self.is_over.load(Ordering::Relaxed) {
                    return;
                }
                let examined = self.how.stop.run(|| {
                    let mut found = self.frame(frame, &mut stage, &mut finder);
                    if self.plan.continuous && found.unreadable.is_none() {
                        found.passings = self.passings(place, &stage, &found, &mut ahead);
                    }
                    found
                });
                let found = match examined {
                    Ok(found) => found,
                    Err(Interrupted::Full) => self.no_room(frame, &finder),
                    // A frame that was cut short was not examined.
                    Err(Interrupted::Raised) => {
                        self.call_off();
                        return;
                    }
                };
                self.waiting.fetch_add(found.weight(), Ordering::Relaxed);
                if sender.send((place, found)).is_err() {
                    return;
                }
            }
        }
    }

    fn seek(&self) -> Seek {
        let Wanted { mode, clearance, places, depth, triangles } = self.plan.cast.wanted;
        Seek {
            mode,
            clearance,
            touching: self.plan.cast.touching == Touching::Count,
            parts: self.plan.cast.has_parts(),
            most_meetings: self.limits.contacts,
            most_listed: if triangles { self.limits.listed } else { 0 },
            places,
            through: places && mode == Mode::Solid,
            depth,
            rest: match self.plan.cast.own {
                Some(args::Rest::Ignore) => Rest::Ignore,
                _ => Rest::Count,
            },
        }
    }

    /// Waits until a frame is within the window. The earliest batch that is not done always is, so
    /// that one thread always goes on.
    fn wait_for(&self, start: usize) {
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let is_far = |given: &mut usize| {
            start >= *given + self.window && !self.is_over.load(Ordering::Relaxed)
        };
        drop(self.more.wait_while(given, is_far).unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits while too much is to be given away. The thread that has the next frame that is given
    /// away does not wait.
    fn wait_for_room(&self, place: usize) {
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |given: &mut usize| {
            place > *given
                && self.waiting.load(Ordering::Relaxed) > MOST_WAITING
                && !self.is_over.load(Ordering::Relaxed)
        };
        drop(self.more.wait_while(given, is_full).unwrap_or_else(PoisonError::into_inner));
    }

    fn frame(&self, frame: u32, stage: &mut Stage, finder: &mut Finder) -> FrameFound {
        let scene = &self.plan.scene;
        if let Err(error) = scene.at(frame, stage) {
            let unreadable = Some(error.to_string());
            return FrameFound { frame, unreadable, ..FrameFound::default() };
        }
        let found = finder.find(scene, stage);
        let refused = self.too_much(frame, &found);
        FrameFound { frame, found, refused, ..FrameFound::default() }
    }

    fn name(&self, object: ObjectId) -> &str {
        &self.plan.scene.objects()[object.index()].name
    }

    /// A frame in which more meets than there is memory for.
    fn no_room(&self, frame: u32, finder: &Finder) -> FrameFound {
        let pair = finder.interrupted_at().map(|(a, b)| [self.name(a), self.name(b)]);
        let refused = Some(messages::no_room(self.plan.cast.moves.then_some(frame), pair));
        FrameFound { frame, refused, ..FrameFound::default() }
    }

    /// Why there is more in a frame than can be kept, if there is.
    fn too_much(&self, frame: u32, found: &Found) -> Option<Refusal> {
        let when = if self.plan.cast.moves { format!("frame {frame}: ") } else { String::new() };
        if found.is_full {
            let most = grouped(self.limits.contacts as u64);
            let problem = format!("{when}there are more than {most} contacts, too many to keep");
            let hint = "check fewer objects at once".to_owned();
            return Some(Refusal { problems: vec![problem], hint });
        }
        let (a, b) = found.cut?;
        let met = found.meetings.iter().find(|met| (met.a, met.b) == (a, b))?;
        let pairs = count(met.triangle_pairs(), "pair");
        let before = match self.limits.listed.saturating_sub(met.triangles.len()) {
            0 => String::new(),
            listed => format!(" after {} of others", grouped(listed as u64)),
        };
        let (a, b, most) = (self.name(a), self.name(b), grouped(self.limits.listed as u64));
        let problem = format!(
            "{when}{a} and {b} meet in {pairs} of triangles{before}, and at most {most} can be listed"
        );
        let hint = "leave out --triangles, and they are only counted".to_owned();
        Some(Refusal { problems: vec![problem], hint })
    }

    /// What comes together before the next frame. If that cannot be posed, it will be told of by
    /// itself.
    fn passings(
        &self,
        place: usize,
        stage: &Stage,
        found: &FrameFound,
        ahead: &mut Ahead,
    ) -> Vec<elbowroom_motion::scene::Passing> {
        let scene = &self.plan.scene;
        let Some(next) = self.plan.frames.get(place + 1) else { return Vec::new() };
        match scene.at(next, &mut ahead.stage) {
            Ok(()) => ahead.between.find(scene, stage, &ahead.stage, &found.found.meetings),
            Err(_) => Vec::new(),
        }
    }

    /// What a worker sends next; nothing when all are gone. Looks now and then whether to stop: a
    /// caller may have to be asked on this thread.
    fn next_found(
        &self,
        receiver: &Receiver<(usize, FrameFound)>,
        progress: &mut Progress,
    ) -> Option<(usize, FrameFound)> {
        loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok(found) => return Some(found),
                Err(RecvTimeoutError::Timeout) => {
                    self.how.stop.look();
                    if self.is_single() {
                        progress.reach(self.done.load(Ordering::Relaxed));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// Whether there is one frame only, of which objects are shown as they are done.
    fn is_single(&self) -> bool {
        self.plan.frames.len() == 1
    }

    /// Gives frames away in order, until there are no more or a stop is requested.
    fn give(
        &self,
        first: usize,
        receiver: &Receiver<(usize, FrameFound)>,
        taker: &mut Taker<'_>,
    ) -> Result<Ended, Halt> {
        let count = self.plan.frames.len();
        let mut progress = if self.is_single() {
            Progress::of_objects(self.plan.scene.objects().len() as u64, self.how.quiet)
        } else {
            Progress::of_frames((count - first.min(count)) as u64, self.how.quiet)
        };
        let mut waiting = BTreeMap::new();
        let mut next = first;
        let mut before: Option<Before> = None;
        while let Some((place, found)) = self.next_found(receiver, &mut progress) {
            waiting.insert(place, found);
            while let Some(found) = waiting.remove(&next) {
                if self.how.stop.is_set() {
                    return Ok(Ended::Interrupted);
                }
                self.waiting.fetch_sub(found.weight(), Ordering::Relaxed);
                if let Some(refusal) = found.refused {
                    return Err(Halt::Refused(Outcome::Incomplete, refusal));
                }
                let (report, kept) = self.report(found, before.as_ref());
                if next >= self.how.from {
                    taker(report)?;
                }
                next += 1;
                before = kept;
                if !self.is_single() {
                    progress.advance(1);
                }
            }
            *self.given.lock().unwrap_or_else(PoisonError::into_inner) = next;
            self.more.notify_all();
        }
        progress.finish();
        Ok(if next == count.max(first) { Ended::Whole } else { Ended::Interrupted })
    }

    /// What is given away of a frame, and what is kept of it for the next one.
    fn report(
        &self,
        mut found: FrameFound,
        before: Option<&Before>,
    ) -> (FrameReport, Option<Before>) {
        let passings = std::mem::take(&mut found.passings);
        let kept = self.plan.continuous.then_some(Before { frame: found.frame, passings });
        let between = before.filter(|_| found.unreadable.is_none());
        let between = between.map(|before| self.since(before, &found)).unwrap_or_default();
        let FrameFound { frame, found, unreadable, .. } = found;
        (FrameReport { frame: frame as usize, found, between, unreadable }, kept)
    }

    /// What comes together from one frame to the next, by fractional frames.
    fn since(&self, before: &Before, found: &FrameFound) -> Vec<Passing> {
        let (from, to) = (f64::from(before.frame), f64::from(found.frame));
        let has_parts = self.plan.cast.has_parts();
        let passing = |passing: &elbowroom_motion::scene::Passing| Passing {
            frame: from + (to - from) * passing.time,
            a: passing.a.index(),
            b: passing.b.index(),
            stays: stays(passing, &found.found.meetings),
            point: passing.point.to_array(),
            parts: passing
                .parts
                .iter()
                .filter(|_| has_parts)
                .map(|part| (part.a, part.b))
                .collect(),
        };
        before.passings.iter().map(passing).collect()
    }
}

/// Whether what came together meets in the next frame; of an object with itself, the same parts.
fn stays(passing: &elbowroom_motion::scene::Passing, meetings: &[Meeting]) -> bool {
    let pair = (passing.a, passing.b);
    let own = passing.parts.first().map(|pair| (pair.a, pair.b));
    let parts = |met: &Meeting| met.parts.first().map(|pair| (pair.a, pair.b));
    let first = meetings.partition_point(|met| (met.a, met.b) < pair);
    let mut met = meetings[first..].iter().take_while(|met| (met.a, met.b) == pair);
    met.any(|met| met.a != met.b || parts(met) == own)
}

#[cfg(test)]
mod tests;
