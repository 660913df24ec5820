//! What a query about two motions costs, by tree, by brute force and over all offsets.
//!
//!     cargo bench -p elbowroom --bench motion [-- PART OF A TABLE'S NAME]
//!
//! Tables: *long* (queries as in the paper's second experiment: 14 walks of 42 s, 100,000 random
//! poses and offsets of one of two), *short* (51 clips of 2 s), *offsets* (all start offsets of two
//! walks of 45 s), *sequence* (20 clips as one), *length* (walks from 2 s to an hour). Walks are
//! seeded and turn at random; with the captured data present *long* and *short* run on it as well.
//! Every way gives the same answers, and that is asserted. Times are the best of interleaved
//! rounds.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "numbers of samples are small"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::volume::Family;
use elbowroom_motion::space_time::{
    BetweenSamples, Config, Kind, OffsetSet, Placed, Sample, Trace, Tracked, Workspace, collide,
    collide_brute, collide_counted, offsets_brute, offsets_into,
};
use elbowroom_papers::mobb::Sequence;
use elbowroom_testkit::data::{self, mocap};
use elbowroom_testkit::motion::pace;
use elbowroom_testkit::random::Random;
use glam::DVec2;

/// The best time of each of several ways, in nanoseconds, rounds interleaved: other work on the
/// machine only adds to a round.
fn interleaved(rounds: usize, ways: &mut [Box<dyn FnMut() + '_>]) -> Vec<f64> {
    let mut times = vec![f64::INFINITY; ways.len()];
    for _ in 0..rounds {
        for (way, time) in ways.iter_mut().zip(&mut times) {
            let start = Instant::now();
            way();
            *time = time.min(start.elapsed().as_nanos() as f64);
        }
    }
    times
}

fn walks(count: usize, seconds: f64, radius: f64, seed: u64) -> Vec<Trace> {
    let mut random = Random::new(seed);
    let one = |_| {
        let walk = pace(&mut random, (30.0 * seconds) as usize, 1.0 / 30.0, 1.3, 5.0);
        let samples: Vec<Sample> =
            walk.samples.iter().map(|&[x, y, _]| Sample::new(x, y, radius)).collect();
        Trace::new(&samples, 1.0 / 30.0).expect("a walk")
    };
    (0..count).map(one).collect()
}

fn captures(folder: &str, radius: f64) -> Option<Vec<Trace>> {
    let shared = data::shared_dir()?;
    let trace = |capture: &mocap::Capture| {
        let samples: Vec<Sample> =
            capture.roots.iter().step_by(4).map(|&[x, _, z]| Sample::new(z, x, radius)).collect();
        Trace::new(&samples, 1.0 / 30.0).expect("a capture")
    };
    Some(mocap::load(&shared, folder).iter().map(trace).collect())
}

struct Ask {
    a: usize,
    b: usize,
    at: Placed,
}

/// Random poses of one of two motions, so that about `share` of the queries collide: the spread is
/// sought by halving.
fn questions(traces: &[Trace], count: usize, share: f64) -> (Vec<Ask>, f64) {
    let clips: Vec<Tracked> = tracked(traces, Kind::Mobb);
    let (mut near, mut far) = (0.0, 200.0);
    let mut made = (Vec::new(), 0.0);
    for _ in 0..12 {
        let spread = 0.5 * (near + far);
        let mut random = Random::new(7);
        let asks: Vec<Ask> = (0..count)
            .map(|_| {
                let (a, b) = (random.below(clips.len() as u64), random.below(clips.len() as u64));
                let late = traces[a as usize].seconds();
                let shift =
                    DVec2::new(random.uniform(-spread, spread), random.uniform(-spread, spread));
                let at = Planar::from_angle(random.uniform(-3.2, 3.2), shift).expect("a place");
                // As far as the motions last: some never meet in time.
                let start = random.uniform(-1.2 * late, 1.2 * late);
                Ask { a: a as usize, b: b as usize, at: Placed::new(at, start).expect("a start") }
            })
            .collect();
        let hit = |ask: &&Ask| {
            collide(&clips[ask.a], &Placed::ORIGIN, &clips[ask.b], &ask.at, &mut Workspace::new())
        };
        let hits = asks.iter().step_by(10).filter(hit).count() as f64 / (count as f64 / 10.0);
        if hits > share {
            near = spread;
        } else {
            far = spread;
        }
        made = (asks, hits);
    }
    made
}

fn tracked(traces: &[Trace], kind: Kind) -> Vec<Tracked> {
    let make = |trace: &Trace| Tracked::new(trace.clone(), Config::paper(kind)).expect("a clip");
    traces.iter().map(make).collect()
}

fn queries(name: &str, traces: &[Trace], count: usize) {
    let (asks, _) = questions(traces, count, 0.2);
    let frames: usize = traces.iter().map(Trace::len).sum();
    println!(
        "\n{name}: {} motions of {} samples in the mean, {count} queries",
        traces.len(),
        frames / traces.len()
    );
    println!(
        "{:16} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "way", "ns/query", "2-D", "3-D", "samples", "hits"
    );
    let kinds: Vec<(Kind, Vec<Tracked>)> =
        Kind::ALL.into_iter().map(|kind| (kind, tracked(traces, kind))).collect();
    let clips = &kinds[0].1;
    let hits = std::cell::RefCell::new(vec![0_usize; kinds.len() + 2]);
    let mut ways: Vec<Box<dyn FnMut()>> = Vec::new();
    for (place, (_, clips)) in kinds.iter().enumerate() {
        let (asks, hits) = (&asks, &hits);
        let mut workspace = Workspace::new();
        ways.push(Box::new(move || {
            let hit = |ask: &&Ask| {
                collide_counted(
                    &clips[ask.a],
                    &Placed::ORIGIN,
                    &clips[ask.b],
                    &ask.at,
                    &mut workspace,
                )
                .0
            };
            hits.borrow_mut()[place] = asks.iter().filter(hit).count();
        }));
    }
    let (asks_ref, hits_ref) = (&asks, &hits);
    let mut workspace = Workspace::new();
    ways.push(Box::new(move || {
        let hit = |ask: &&Ask| {
            collide(&clips[ask.a], &Placed::ORIGIN, &clips[ask.b], &ask.at, &mut workspace)
        };
        hits_ref.borrow_mut()[6] = asks_ref.iter().filter(hit).count();
    }));
    let workspace = Workspace::new();
    ways.push(Box::new(move || {
        let hit = |ask: &&Ask| {
            collide_brute(&clips[ask.a], &Placed::ORIGIN, &clips[ask.b], &ask.at, &workspace)
        };
        hits_ref.borrow_mut()[7] = asks_ref.iter().filter(hit).count();
    }));
    let times = interleaved(9, &mut ways);
    drop(ways);
    let hits = hits.into_inner();
    assert!(hits.iter().all(|&h| h == hits[0]), "{hits:?}");
    for (place, time) in times.iter().enumerate() {
        let per = time / count as f64;
        match kinds.get(place) {
            Some((kind, clips)) => {
                let mut tally = elbowroom::internal::traverse::Tally::default();
                let mut workspace = Workspace::new();
                for ask in &asks {
                    tally += collide_counted(
                        &clips[ask.a],
                        &Placed::ORIGIN,
                        &clips[ask.b],
                        &ask.at,
                        &mut workspace,
                    )
                    .1;
                }
                let each = |tests: u64| tests as f64 / count as f64;
                println!(
                    "{:16} {per:9.1} {:9.2} {:9.2} {:9.2} {:9}",
                    kind.name(),
                    each(tally.of_family(Family::TimeBox)),
                    each(tally.of_family(Family::TimeObb)),
                    each(tally.primitives),
                    hits[place]
                );
            }
            None => println!(
                "{:16} {per:9.1} {:>39}",
                ["circles", "brute force"][place - 6],
                hits[place]
            ),
        }
    }
}

fn offsets(name: &str, traces: &[Trace], spread: f64) {
    println!("\n{name}: all start offsets, {} samples", traces[0].len());
    println!(
        "{:>12} {:>12} {:>14} {:>10} {:>8} {:>8} {:>10}",
        "circles us", "brute us", "each offset us", "moving us", "x brute", "x each", "intervals"
    );
    let mut random = Random::new(9);
    let mut worst = f64::INFINITY;
    for round in 0..6 {
        let (a, b) = (&traces[round % traces.len()], &traces[(round + 3) % traces.len()]);
        let clips = tracked(&[a.clone(), b.clone()], Kind::Mobb);
        let shift = DVec2::new(random.uniform(-spread, spread), random.uniform(-spread, spread));
        let at = Planar::from_angle(random.uniform(-3.2, 3.2), shift).expect("a place");
        let (mut one, mut two) = (OffsetSet::default(), OffsetSet::default());
        let (mut space, mut other) = (Workspace::new(), Workspace::new());
        let (mut third, mut fourth, mut three) =
            (Workspace::new(), Workspace::new(), OffsetSet::default());
        let linear = Config { between: BetweenSamples::Linear, ..Config::default() };
        let moving =
            [a, b].map(|trace| Tracked::new(trace.clone(), linear).expect("a good configuration"));
        let (na, nb) = (a.len() as i64, b.len() as i64);
        let times = interleaved(
            7,
            &mut [
                Box::new(|| {
                    offsets_into(
                        &clips[0],
                        &Planar::IDENTITY,
                        &clips[1],
                        &at,
                        &mut space,
                        &mut one,
                    );
                }),
                Box::new(|| {
                    offsets_brute(
                        &clips[0],
                        &Planar::IDENTITY,
                        &clips[1],
                        &at,
                        &mut other,
                        &mut two,
                    );
                }),
                Box::new(|| {
                    for k in 1 - nb..na {
                        let later = Placed::new(at, k as f64 * a.dt()).expect("a start");
                        black_box(collide(
                            &clips[0],
                            &Placed::ORIGIN,
                            &clips[1],
                            &later,
                            &mut third,
                        ));
                    }
                }),
                Box::new(|| {
                    let [a, b] = &moving;
                    offsets_into(a, &Planar::IDENTITY, b, &at, &mut fourth, &mut three);
                }),
            ],
        );
        assert_eq!(one, two);
        worst = worst.min(times[1] / times[0]);
        println!(
            "{:12.1} {:12.1} {:14.1} {:10.1} {:8.1} {:8.1} {:10}",
            times[0] / 1e3,
            times[1] / 1e3,
            times[2] / 1e3,
            times[3] / 1e3,
            times[1] / times[0],
            times[2] / times[0],
            one.len()
        );
    }
    println!("least ratio to brute force {worst:.2}");
}

fn lengths() {
    println!("\nlength: a query (ns) and all offsets (us) by the length of both walks");
    println!(
        "{:>8} {:>9} {:>9} {:>9} {:>9} {:>12} {:>12}",
        "seconds", "circles", "MOBB", "1 level", "brute", "offsets us", "brute us"
    );
    for seconds in [2.0, 5.0, 10.0, 42.0, 120.0, 600.0, 3600.0] {
        let traces = walks(4, seconds, 0.4, 5);
        let count = if seconds > 500.0 { 400 } else { 4_000 };
        let (asks, _) = questions(&traces, count, 0.2);
        let mobb = tracked(&traces, Kind::Mobb);
        let one = tracked(&traces, Kind::ALL[0]);
        let mut spaces = vec![Workspace::new(); 4];
        let [s0, s1, s2, s3] = &mut spaces[..] else { unreachable!() };
        let times = interleaved(
            5,
            &mut [
                Box::new(|| {
                    for q in &asks {
                        black_box(collide(&mobb[q.a], &Placed::ORIGIN, &mobb[q.b], &q.at, s0));
                    }
                }),
                Box::new(|| {
                    for q in &asks {
                        black_box(collide_counted(
                            &mobb[q.a],
                            &Placed::ORIGIN,
                            &mobb[q.b],
                            &q.at,
                            s1,
                        ));
                    }
                }),
                Box::new(|| {
                    for q in &asks {
                        black_box(collide_counted(
                            &one[q.a],
                            &Placed::ORIGIN,
                            &one[q.b],
                            &q.at,
                            s2,
                        ));
                    }
                }),
                Box::new(|| {
                    for q in &asks {
                        black_box(collide_brute(
                            &mobb[q.a],
                            &Placed::ORIGIN,
                            &mobb[q.b],
                            &q.at,
                            s3,
                        ));
                    }
                }),
            ],
        );
        let at = asks[0].at.at();
        let (mut x, mut y) = (OffsetSet::default(), OffsetSet::default());
        let [s0, s1, ..] = &mut spaces[..] else { unreachable!() };
        let brute_too = seconds < 700.0;
        let all = interleaved(
            3,
            &mut [
                Box::new(|| offsets_into(&mobb[0], &Planar::IDENTITY, &mobb[1], &at, s0, &mut x)),
                Box::new(|| {
                    if brute_too {
                        offsets_brute(&mobb[0], &Planar::IDENTITY, &mobb[1], &at, s1, &mut y);
                    }
                }),
            ],
        );
        let per = |t: f64| t / count as f64;
        let brute = if brute_too { format!("{:.1}", all[1] / 1e3) } else { "not run".to_owned() };
        println!(
            "{seconds:8} {:9.1} {:9.1} {:9.1} {:9.1} {:12.1} {brute:>12}",
            per(times[0]),
            per(times[1]),
            per(times[2]),
            per(times[3]),
            all[0] / 1e3
        );
    }
}

/// Sequences of 20 clips of two seconds: merged, rebuilt, and clip by clip.
fn sequences() {
    let clips: Vec<Arc<Tracked>> =
        tracked(&walks(51, 2.1, 0.5, 4), Kind::Mobb).into_iter().map(Arc::new).collect();
    let mut random = Random::new(12);
    let mut chain = || {
        let mut chain = Sequence::new();
        let (mut end, mut heading) = (DVec2::ZERO, 0.0);
        let mut parts = Vec::new();
        for _ in 0..20 {
            let clip = &clips[random.below(51) as usize];
            heading += random.uniform(-0.8, 0.8);
            let turn = Planar::from_angle(heading, DVec2::ZERO).expect("an angle");
            let shift = end - turn.apply(clip.trace().sample(0).center);
            let at = Planar::from_angle(heading, shift).expect("a place");
            end = at.apply(clip.trace().sample(clip.trace().len() - 1).center);
            parts.push((clip.clone(), at));
            chain.push(clip.clone(), at).expect("clips of one rate");
        }
        (chain, parts)
    };
    let chains: Vec<_> = (0..14).map(|_| chain()).collect();
    let traces: Vec<Trace> =
        chains.iter().map(|(chain, _)| chain.trace().expect("a trace")).collect();
    let wholes = tracked(&traces, Kind::Mobb);
    let (asks, _) = questions(&traces, 20_000, 0.2);
    let mut spaces = vec![Workspace::new(); 4];
    let [s0, s1, s2, s3] = &mut spaces[..] else { unreachable!() };
    let hits = std::cell::RefCell::new([0; 4]);
    let count = |way: usize, hit: usize| hits.borrow_mut()[way] = hit;
    let times = interleaved(
        5,
        &mut [
            Box::new(|| {
                let hit =
                    |q: &&Ask| chains[q.a].0.collide(&Placed::ORIGIN, &chains[q.b].0, &q.at, s0);
                count(0, asks.iter().filter(hit).count());
            }),
            Box::new(|| {
                let hit =
                    |q: &&Ask| collide(&wholes[q.a], &Placed::ORIGIN, &wholes[q.b], &q.at, s1);
                count(1, asks.iter().filter(hit).count());
            }),
            Box::new(|| {
                let hit = |q: &&Ask| {
                    collide_counted(&wholes[q.a], &Placed::ORIGIN, &wholes[q.b], &q.at, s2).0
                };
                count(2, asks.iter().filter(hit).count());
            }),
            Box::new(|| {
                let hit = |q: &&Ask| {
                    let dt = 1.0 / 30.0;
                    let mut first = 0;
                    chains[q.a].1.iter().any(|(x, at)| {
                        let here = Placed::new(*at, first as f64 * dt).expect("a start");
                        first += x.trace().len();
                        let mut second = 0;
                        chains[q.b].1.iter().any(|(y, then)| {
                            let start = q.at.start() + second as f64 * dt;
                            second += y.trace().len();
                            let there = Placed::new(q.at.at().after(then), start).expect("a start");
                            collide(x, &here, y, &there, s3)
                        })
                    })
                };
                count(3, asks.iter().filter(hit).count());
            }),
            Box::new(|| {
                for (_, parts) in &chains {
                    let mut chain = Sequence::new();
                    for (clip, at) in parts {
                        chain.push(clip.clone(), *at).expect("clips of one rate");
                    }
                    black_box(&chain);
                }
            }),
            Box::new(|| {
                for trace in &traces {
                    black_box(Tracked::new(trace.clone(), Config::default()).expect("a clip"));
                }
            }),
        ],
    );
    let hits = hits.into_inner();
    assert!(hits[0] == hits[1] && hits[1] == hits[2], "{hits:?}");
    println!("\nsequence: 20 clips of 63 samples, 20,000 queries, {} collide", hits[0]);
    println!("{:34} {:>9}", "way", "ns");
    let names = ["merged, a query", "rebuilt, circles", "rebuilt, MOBB tree", "clip by clip"];
    for (name, time) in names.iter().zip(&times) {
        println!("{name:34} {:9.1}", time / asks.len() as f64);
    }
    println!("{:34} {:9.1}", "merging 20 clips", times[4] / chains.len() as f64);
    println!("{:34} {:9.1}", "building the whole anew", times[5] / chains.len() as f64);
}

fn main() {
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    let asked = |name: &str| name.contains(wanted.as_str());
    if asked("long") {
        queries("long, made walks, r 0.5 m", &walks(14, 42.0, 0.5, 1), 100_000);
        if let Some(traces) = captures("long", 0.5) {
            queries("long, captured, r 0.5 m", &traces, 100_000);
        }
    }
    if asked("short") {
        queries("short, made walks, r 1.85 m", &walks(51, 2.1, 1.85, 2), 100_000);
        if let Some(traces) = captures("short", 1.85) {
            queries("short, captured, r 1.85 m", &traces, 100_000);
        }
    }
    if asked("offsets") {
        offsets("offsets, made walks, r 0.4 m", &walks(8, 45.0, 0.4, 3), 10.0);
        offsets("offsets, made walks, r 1.85 m", &walks(8, 45.0, 1.85, 3), 10.0);
        offsets("offsets, made walks, r 0.01 m", &walks(8, 45.0, 0.01, 3), 3.0);
        if let Some(traces) = captures("long", 0.4) {
            offsets("offsets, captured, r 0.4 m", &traces, 4.0);
        }
    }
    if asked("sequence") {
        sequences();
    }
    if asked("length") {
        lengths();
    }
}
