//! The frames of a shot, shared out among the cores, and given away in order.
//!
//! Each core takes some frames that follow each other at a time. What it finds waits until all frames before it were given away; nobody runs farther
//! ahead than a window, so that what waits is bounded whatever the frames cost. A frame that cannot be posed is told of and does not keep
//! the others.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use elbowroom::internal::query::Mode;
use elbowroom::interrupt::Interrupted;
use elbowroom_motion::scene::{Between, Content, Finder, Meeting, ObjectId, Rest, Seek, Stage};

use crate::args::{self, Touching};
use crate::check::finding::{Contact, Passing, Touch};
use crate::check::options::{Meaning, Place, Wanted};
use crate::check::plan::Plan;
use crate::check::report::{Ended, FrameReport, Halt, How, Taker};
use crate::messages::{self, Refusal, grouped};
use crate::outcome::Outcome;
use crate::progress::Progress;

/// So many frames are taken at once: enough that a stage that moves on finds its memory warm.
const BATCH: usize = 8;

/// So many batches a core may be ahead of what was given away.
const AHEAD: usize = 4;

/// The most pairs of triangles that are listed in a frame. They take 12 bytes each, and are copied once or twice.
const MOST_LISTED_HERE: usize = 10_000_000;

/// Frames are not examined ahead while so many contacts and pairs of triangles wait to be given away, some 200 MB.
const MOST_WAITING: usize = 1_000_000;

/// How long to wait before looking whether to stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// What was found in one frame.
#[derive(Default)]
struct FrameFound {
    frame: u32,
    pairs_examined: u64,
    part_pairs_examined: u64,
    rest_left_out: u64,
    meetings: Vec<Meeting>,
    /// What comes together before the next frame that is examined, if it was asked for.
    passings: Vec<elbowroom_motion::scene::Passing>,
    /// Whether there were more pairs of triangles than can be listed.
    is_cut: bool,
    /// Why there is nothing, if the frame could not be posed.
    unreadable: Option<String>,
    /// Why the work cannot go on.
    refused: Option<Refusal>,
}

impl FrameFound {
    /// How many contacts and pairs of triangles it holds.
    fn weight(&self) -> usize {
        let of_one = |meeting: &Meeting| 1 + meeting.parts.len() + meeting.triangles.len() / 8;
        self.meetings.iter().map(of_one).sum()
    }

    fn empty(frame: u32) -> Self {
        Self { frame, ..Self::default() }
    }
}

/// What all cores work at.
struct Desk<'a> {
    plan: &'a Plan,
    how: How<'a>,
    next: AtomicUsize,
    /// How many frames from the first were given away, and who waits for more.
    given: Mutex<usize>,
    more: Condvar,
    window: usize,
    /// How much waits to be given away, as [`FrameFound::weight`] has it.
    waiting: AtomicUsize,
    /// Nobody takes frames any more.
    is_over: AtomicBool,
}

/// Examines all frames, and gives them away in order.
///
/// # Errors
/// If more is found than there should be memory for, or nobody takes it.
pub(crate) fn check(plan: &Plan, how: &How<'_>, taker: &mut Taker<'_>) -> Result<Ended, Halt> {
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
        next: AtomicUsize::new(first),
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

/// One for each core, or as many as were asked for; files of a sequence are read one after the other.
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
    /// Nobody takes frames any more. Said under the lock, so that whoever is about to wait hears it.
    fn call_off(&self) {
        let _given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_over.store(true, Ordering::Relaxed);
        self.more.notify_all();
    }

    /// Examines batches until there are no more, or nobody wants them.
    fn work(&self, sender: &Sender<(usize, FrameFound)>) {
        let _watch = Watch(self);
        let mut finder = Finder::new(self.seek());
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
        let Wanted { mode, clearance, places, depth } = self.plan.cast.wanted;
        Seek {
            mode,
            clearance: clearance.unwrap_or_default(),
            touching: self.plan.cast.touching == Touching::Count,
            most_listed: if self.plan.triangles { MOST_LISTED_HERE } else { 0 },
            places,
            through: places && mode == Mode::Solid,
            depth,
            rest: match self.plan.cast.own {
                Some(args::Rest::Ignore) => Rest::Ignore,
                _ => Rest::Count,
            },
        }
    }

    /// Waits until a frame is within the window. The earliest batch that is not done always is, so that somebody goes on.
    fn wait_for(&self, start: usize) {
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let is_far = |given: &mut usize| {
            start >= *given + self.window && !self.is_over.load(Ordering::Relaxed)
        };
        drop(self.more.wait_while(given, is_far).unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits while too much is to be given away. Whoever has the next frame that is given away does not wait.
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
        let unreadable = scene.at(frame, stage).err().map(|error| error.to_string());
        if unreadable.is_some() {
            return FrameFound { unreadable, ..FrameFound::empty(frame) };
        }
        let found = finder.find(scene, stage);
        FrameFound {
            frame,
            pairs_examined: found.pairs_examined,
            part_pairs_examined: found.part_pairs_examined,
            rest_left_out: found.rest_left_out,
            meetings: found.meetings.clone(),
            passings: Vec::new(),
            is_cut: found.is_cut,
            unreadable,
            refused: None,
        }
    }

    /// A frame in which more meets than there is memory for.
    fn no_room(&self, frame: u32, finder: &Finder) -> FrameFound {
        let name = |object: ObjectId| self.plan.scene.objects()[object.index()].name.as_str();
        let pair = finder.interrupted_at().map(|(a, b)| [name(a), name(b)]);
        let refused = Some(messages::no_room(Some(frame), pair));
        FrameFound { refused, ..FrameFound::empty(frame) }
    }

    /// What comes together before the next frame. If that cannot be posed, it will be told of by itself.
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
            Ok(()) => ahead.between.find(scene, stage, &ahead.stage, &found.meetings),
            Err(_) => Vec::new(),
        }
    }

    /// What a worker sends next; nothing when all are gone. Looks now and then whether to stop: a caller
    /// may have to be asked on this thread.
    fn next_found(&self, receiver: &Receiver<(usize, FrameFound)>) -> Option<(usize, FrameFound)> {
        loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok(found) => return Some(found),
                Err(RecvTimeoutError::Timeout) => {
                    self.how.stop.look();
                }
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// Gives frames away in order, until there are no more or somebody says stop.
    fn give(
        &self,
        first: usize,
        receiver: &Receiver<(usize, FrameFound)>,
        taker: &mut Taker<'_>,
    ) -> Result<Ended, Halt> {
        let count = self.plan.frames.len();
        let mut progress = Progress::of_frames((count - first.min(count)) as u64, self.how.quiet);
        let mut waiting = BTreeMap::new();
        let mut next = first;
        let mut before: Option<FrameFound> = None;
        while let Some((place, found)) = self.next_found(receiver) {
            waiting.insert(place, found);
            while let Some(found) = waiting.remove(&next) {
                if self.how.stop.is_set() {
                    return Ok(Ended::Interrupted);
                }
                self.waiting.fetch_sub(found.weight(), Ordering::Relaxed);
                if let Some(refusal) = found.refused {
                    return Err(Halt::Refused(Outcome::Incomplete, refusal));
                }
                self.check_listed(&found)?;
                if next >= self.how.from {
                    taker(self.report(&found, before.as_ref()))?;
                }
                next += 1;
                before = Some(found).filter(|_| self.plan.continuous);
                progress.advance(1);
            }
            *self.given.lock().unwrap_or_else(PoisonError::into_inner) = next;
            self.more.notify_all();
        }
        progress.finish();
        Ok(if next == count.max(first) { Ended::Whole } else { Ended::Interrupted })
    }

    fn check_listed(&self, found: &FrameFound) -> Result<(), Halt> {
        if !(self.plan.triangles && found.is_cut) {
            return Ok(());
        }
        let most = grouped(MOST_LISTED_HERE as u64);
        let frame = found.frame;
        let problem =
            format!("frame {frame}: there are more than {most} pairs of triangles to list");
        let hint = "leave out --triangles to count them only".to_owned();
        Err(Halt::Refused(Outcome::Incomplete, Refusal { problems: vec![problem], hint }))
    }

    fn report(&self, found: &FrameFound, before: Option<&FrameFound>) -> FrameReport {
        let contact = |meeting: &Meeting| Contact {
            frame: found.frame as usize,
            a: meeting.a.index(),
            b: meeting.b.index(),
            touch: Arc::new(touch(meeting, self.plan)),
        };
        let between = before.filter(|_| found.unreadable.is_none());
        FrameReport {
            frame: found.frame as usize,
            pairs_examined: found.pairs_examined,
            part_pairs_examined: found.part_pairs_examined,
            rest_left_out: found.rest_left_out,
            contacts: found.meetings.iter().map(contact).collect(),
            between: between.map(|before| since(before, found)).unwrap_or_default(),
            unreadable: found.unreadable.clone(),
        }
    }
}

/// What comes together from one frame to the next, by fractional frames.
fn since(before: &FrameFound, found: &FrameFound) -> Vec<Passing> {
    let (from, to) = (f64::from(before.frame), f64::from(found.frame));
    // Of an object with itself, it is the same two parts that stay.
    let parts = |met: &Meeting| met.parts.first().map(|pair| (pair.a, pair.b));
    let stays = |passing: &elbowroom_motion::scene::Passing| {
        let own = passing.parts.first().map(|pair| (pair.a, pair.b));
        found.meetings.iter().any(|met| {
            (met.a, met.b) == (passing.a, passing.b) && (met.a != met.b || parts(met) == own)
        })
    };
    let passing = |passing: &elbowroom_motion::scene::Passing| Passing {
        frame: from + (to - from) * passing.time,
        a: passing.a.index(),
        b: passing.b.index(),
        stays: stays(passing),
        point: passing.point.to_array(),
        parts: passing.parts.iter().map(|part| (part.a, part.b)).collect(),
    };
    before.passings.iter().map(passing).collect()
}

fn touch(meeting: &Meeting, plan: &Plan) -> Touch {
    let is_asked = plan.cast.wanted != Wanted::default();
    let has_more = !meeting.certainty.is_exact() || meeting.inside.is_some();
    let meaning = (is_asked || has_more).then(|| Box::new(meaning(meeting, &plan.cast.wanted)));
    Touch {
        kind: meeting.kind,
        meaning,
        triangle_pairs: meeting.touching + meeting.crossing,
        crossing_pairs: meeting.crossing,
        parts: meeting.parts.as_slice().into(),
        at_rest: meeting.at_rest,
        triangles: plan
            .triangles
            .then(|| meeting.triangles.iter().map(|pair| [pair.a, pair.b]).collect()),
    }
}

fn meaning(meeting: &Meeting, wanted: &Wanted) -> Meaning {
    let is_estimate = !meeting.certainty.is_exact();
    let place = meeting.place.map(|place| Place {
        point: place.point,
        normal: place.normal,
        length: place.length,
        regions: Some(place.regions),
    });
    Meaning {
        inside: meeting.inside,
        through: meeting.through,
        certainty: (wanted.is_solid() || is_estimate).then_some(meeting.certainty),
        bound: Some(meeting.bound).filter(|bound| is_estimate && *bound > 0.0),
        distance: meeting.distance,
        place,
        overlap: meeting.overlap,
    }
}
