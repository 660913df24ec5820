//! §6: sequences of motions, asked about with trees that are merged from the clips' own.

use std::cell::RefCell;
use std::sync::Arc;

use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::space_time::{Config, Placed, Tracked, Workspace, collide};
use elbowroom_papers::mobb::Sequence;

use super::clips::{Origin, Step, short};
use super::paper::FPS;
use super::queries::{Draw, Query, SHARE, shift_for};
use crate::random::Random;
use crate::report::grouped;
use crate::rounds::{Least, Rounds};
use crate::{Claim, Context, Report, Table, Verdict};

/// Sequences, and clips in each: some 42 s.
const SEQUENCES: usize = 14;
const CLIPS: usize = 20;
const SECS: f64 = 42.0;

pub(crate) fn run(context: &Context) -> Report {
    let motions = short(context);
    let mut table = Table::new(
        "Twenty clips one after the other, 14 such sequences",
        [
            "motions",
            "samples, mean",
            "queries",
            "collisions",
            "differ",
            "merge time (µs)",
            "rebuild time (µs)",
            "merged time (µs)",
            "rebuilt time (µs)",
            "clip by clip time (µs)",
            "one clip more time (ns)",
        ],
    );
    let mut claims = Vec::new();
    motions.each(context, |origin, steps| {
        let run = Run::new(context, origin, steps);
        run.add_to(&mut table);
        claims.push(run.same());
        claims.push(run.merge());
    });
    Report {
        charts: Vec::new(),
        id: "mobb-merge",
        title: "Sequences of motions with merged trees".to_owned(),
        what: "The paper leaves it to the future: motions that follow each other should be asked about with trees merged bottom-up from the motions' own, not \
               motion by motion. Here 14 seeded sequences of twenty short motions are asked about in three ways: with merged trees, with a tree grown anew over all \
               samples, and every motion of one against every motion of the other. Random queries as in Table 2. Times are the thread's own."
            .to_owned(),
        tables: vec![table],
        claims,
        notes: motions.notes,
    }
}

/// The motions of a sequence, and where each stands.
type Parts = Vec<(usize, Planar)>;

struct Run {
    origin: Origin,
    samples: f64,
    queries: usize,
    hits: usize,
    differ: usize,
    /// Seconds to make all sequences: merged, rebuilt, one clip more.
    made: [f64; 3],
    /// Merged, rebuilt, clip by clip.
    asked: Least,
}

fn sequence(clips: &[Arc<Tracked>], parts: &Parts) -> Sequence {
    let mut sequence = Sequence::new();
    for &(clip, at) in parts {
        // All have one sampling time, and few samples.
        if sequence.push(clips[clip].clone(), at).is_err() {
            break;
        }
    }
    sequence
}

fn rebuilt(sequence: &Sequence) -> Option<Tracked> {
    sequence.trace().ok().and_then(|trace| Tracked::new(trace, Config::default()).ok())
}

/// Clips at random, each where the last one led to, around the origin.
fn parts(steps: &[Step], random: &mut Random) -> Parts {
    let mut at = Planar::IDENTITY;
    let mut parts: Parts = (0..CLIPS)
        .map(|_| {
            let step = random.below(steps.len() as u64) as usize;
            let here = at;
            at = at.after(&steps[step].exit);
            (step, here)
        })
        .collect();
    let middle = parts.iter().map(|(_, at)| at.translation()).sum::<glam::DVec2>() / CLIPS as f64;
    if let Ok(back) = Planar::new(1.0, 0.0, -middle) {
        for (_, at) in &mut parts {
            *at = back.after(at);
        }
    }
    parts
}

impl Run {
    fn new(context: &Context, origin: Origin, steps: &[Step]) -> Self {
        let grow =
            |step: &Step| Tracked::new(step.trace.clone(), Config::default()).ok().map(Arc::new);
        let clips: Vec<Arc<Tracked>> = steps.iter().filter_map(grow).collect();
        let mut random = Random::new(0x5e9);
        let all: Vec<Parts> = (0..SEQUENCES).map(|_| parts(steps, &mut random)).collect();
        let merged: Vec<Sequence> = all.iter().map(|parts| sequence(&clips, parts)).collect();
        let whole: Vec<Tracked> = merged.iter().filter_map(rebuilt).collect();
        let traces: Vec<_> = whole.iter().map(|motion| motion.trace().clone()).collect();
        let delay = SECS / 0.83;
        let draw = Draw { shift: shift_for(&traces, delay, SHARE), delay, on_grid: false };
        let queries = draw.queries(SEQUENCES, if context.quick { 500 } else { 20_000 }, 0x5e9);
        let made = making(context, &clips, &all);
        let (answers, asked) = asking(context, &queries, &clips, &all, &merged, &whole);
        let samples = traces.iter().map(|trace| trace.len() as f64).sum::<f64>() / SEQUENCES as f64;
        let hits = answers.iter().filter(|answer| answer[1]).count();
        let differ = answers.iter().filter(|a| a[0] != a[1] || a[2] != a[1]).count();
        Self { origin, samples, queries: queries.len(), hits, differ, made, asked }
    }

    fn add_to(&self, table: &mut Table) {
        let a_query = |method| 1e6 * self.asked.secs(method) / self.queries as f64;
        let each = |place: usize| 1e6 * self.made[place] / SEQUENCES as f64;
        table.row([
            self.origin.name().into(),
            self.samples.into(),
            self.queries.into(),
            self.hits.into(),
            self.differ.into(),
            each(0).into(),
            each(1).into(),
            a_query(0).into(),
            a_query(1).into(),
            a_query(2).into(),
            (1e3 * each(2)).into(),
        ]);
    }

    fn same(&self) -> Claim {
        let id = self.origin.id(["MOBB-S6-same", "MOBB-S6-cmu-same"]);
        Claim::gate(id, "Merged trees answer as the whole motion does.")
            .paper("future work")
            .ours(format!(
                "{} queries, {} collisions: {} differ between merged, rebuilt and clip by clip",
                grouped(self.queries as u64),
                grouped(self.hits as u64),
                self.differ
            ))
            .holds_if(self.differ == 0 && self.hits > 0)
    }

    fn merge(&self) -> Claim {
        let id = self.origin.id(["MOBB-S6-merge", "MOBB-S6-cmu-merge"]);
        let (apart, rebuilt) = (self.asked.ratio(2, 0), self.asked.ratio(0, 1));
        let cheaper = self.made[1] / self.made[0].max(1e-12);
        Claim::timed(id, "Sequences should be asked about with merged trees: faster than clip by clip, within 1.5 times of a tree grown anew, and far cheaper to make.")
            .paper("future work")
            .ours(format!(
                "clip by clip takes {apart:.1} times as long as merged trees, merged ones {rebuilt:.2} times as long as rebuilt ones; merging is {cheaper:.0} times as fast as rebuilding"
            ))
            .verdict(match (apart > 1.0 && cheaper > 5.0, rebuilt <= 1.5) {
                (true, true) => Verdict::Holds,
                (true, false) => Verdict::HoldsWithAnotherNumber,
                _ => Verdict::DoesNotHold,
            })
            .why("Both are asked about by flat circles. Those of a sequence are around the clips' own, two or three to a run of 16 samples, so that they are somewhat larger than circles around the samples.")
    }
}

/// Seconds to merge all sequences, to grow trees over their samples, and to add one clip to each.
fn making(context: &Context, clips: &[Arc<Tracked>], all: &[Parts]) -> [f64; 3] {
    let merged: Vec<Sequence> = all.iter().map(|parts| sequence(clips, parts)).collect();
    let begun: Vec<Sequence> =
        all.iter().map(|parts| sequence(clips, &parts[..CLIPS - 1].to_vec())).collect();
    let rounds = if context.quick { 1 } else { 21 };
    let mut merge =
        || all.iter().for_each(|parts| drop(std::hint::black_box(sequence(clips, parts))));
    let mut rebuild = || merged.iter().for_each(|whole| drop(std::hint::black_box(rebuilt(whole))));
    let mut copy = || begun.iter().for_each(|some| drop(std::hint::black_box(some.clone())));
    let mut more = || {
        for (some, parts) in begun.iter().zip(all) {
            let (mut some, (clip, at)) = (some.clone(), parts[CLIPS - 1]);
            // The same clip was there before.
            let _ = some.push(clips[clip].clone(), at);
            std::hint::black_box(some);
        }
    };
    let rounds = Rounds::run(rounds, &mut [&mut merge, &mut rebuild, &mut copy, &mut more]);
    let secs = |place| rounds.secs(place).median;
    [secs(0), secs(1), (secs(3) - secs(2)).max(0.0)]
}

/// Answers and times: merged, rebuilt, clip by clip.
fn asking(
    context: &Context,
    queries: &[Query],
    clips: &[Arc<Tracked>],
    all: &[Parts],
    merged: &[Sequence],
    whole: &[Tracked],
) -> (Vec<[bool; 3]>, Least) {
    let workspace = RefCell::new(Workspace::new());
    let by_merged =
        |q: &Query| merged[q.a].collide(&q.pa, &merged[q.b], &q.pb, &mut workspace.borrow_mut());
    let by_whole =
        |q: &Query| collide(&whole[q.a], &q.pa, &whole[q.b], &q.pb, &mut workspace.borrow_mut());
    let laid: Vec<Vec<(usize, Planar, usize)>> =
        all.iter().map(|parts| in_time(clips, parts)).collect();
    let by_clip = |q: &Query| {
        laid[q.a].iter().any(|&(a, at, first)| {
            let pa = later(&q.pa, &at, first);
            laid[q.b].iter().any(|&(b, at, first)| {
                collide(
                    &clips[a],
                    &pa,
                    &clips[b],
                    &later(&q.pb, &at, first),
                    &mut workspace.borrow_mut(),
                )
            })
        })
    };
    let answers = queries.iter().map(|q| [by_merged(q), by_whole(q), by_clip(q)]).collect();
    let batch = |batch: usize| &queries[batch * 100..((batch + 1) * 100).min(queries.len())];
    let mut methods: [&mut dyn FnMut(usize); 3] = [
        &mut |n| batch(n).iter().for_each(|q| _ = std::hint::black_box(by_merged(q))),
        &mut |n| batch(n).iter().for_each(|q| _ = std::hint::black_box(by_whole(q))),
        &mut |n| batch(n).iter().for_each(|q| _ = std::hint::black_box(by_clip(q))),
    ];
    let rounds = if context.quick { 1 } else { 5 };
    (answers, Least::run(rounds, queries.len().div_ceil(100), &mut methods))
}

/// Clips with the numbers of their first samples.
fn in_time(clips: &[Arc<Tracked>], parts: &Parts) -> Vec<(usize, Planar, usize)> {
    let mut first = 0;
    let place = |&(clip, at): &(usize, Planar)| {
        let here = first;
        first += clips[clip].trace().len();
        (clip, at, here)
    };
    parts.iter().map(place).collect()
}

/// Where and when a clip of a placed sequence is.
fn later(placed: &Placed, at: &Planar, first: usize) -> Placed {
    let start = placed.start() + first as f64 * (1.0 / FPS);
    Placed::new(placed.at().after(at), start).unwrap_or(*placed)
}
