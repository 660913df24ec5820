//! What a step of a crowd takes: `cargo bench -p elbowroom --bench crowd [--features parallel] [--
//! people [section]]`.
//!
//! Our men and women walk every which way, placed on a grid with jitter, so that they stand as
//! densely as said and mix as they go. A step moves everybody by a 60th of a second and asks who
//! may touch. Times are of the thread's own processor time, medians over steps; with threads, by
//! the clock. Sections: details, exact characters, growth, threads.

#[path = "common/clock.rs"]
mod clock;

use std::f64::consts::PI;
use std::hint::black_box;
#[cfg(feature = "parallel")]
use std::time::Instant;

use clock::thread_secs;
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::traverse::Workspace;
use elbowroom_make::body::{female, male};
use elbowroom_motion::body::Rig;
use elbowroom_motion::crowd::{
    Bodies, Crowd, CrowdConfig, Detail, Member, Performer, Skinned, Verdict, between,
};
use elbowroom_motion::footprint::FootprintConfig;
use elbowroom_motion::space_time::Taking;
use elbowroom_testkit::random::Random;
use glam::{DVec2, DVec3};

const FRAME: f64 = 1.0 / 60.0;

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let people: usize = words.next().and_then(|word| word.parse().ok()).unwrap_or(10_000);
    let only = words.next();
    let is_meant = |section: &str| only.as_ref().is_none_or(|only| only == section);
    let rigs = [male(), female()];
    if is_meant("details") {
        details(&rigs, people);
    }
    if is_meant("exact") {
        exact(&rigs);
    }
    if is_meant("growth") {
        growth(&rigs);
    }
    #[cfg(feature = "parallel")]
    if is_meant("threads") {
        threads(&rigs, people);
    }
}

/// Two who walk, one who stands, one who waves.
fn cast(rigs: &[Rig; 2]) -> Vec<Performer<'_>> {
    let play = |rig: usize, clip: usize| {
        let (rig, taking) = (&rigs[rig], Taking::default());
        Performer::in_place(rig, &rig.clips[clip], &taking, FootprintConfig::default())
            .expect("a clip")
    };
    vec![play(0, 0), play(1, 0), play(0, 6), play(1, 7)]
}

/// People on their way.
struct Walkers {
    walkers: Vec<(DVec2, f64, f64)>,
    time: f64,
}

impl Walkers {
    /// This many people at this many a square metre.
    fn new(count: usize, density: f64) -> Self {
        let mut random = Random::new(count as u64);
        let (spacing, side) = (1.0 / density.sqrt(), count.isqrt() + 1);
        let walker = |k: usize| {
            let cell = DVec2::new((k % side) as f64, (k / side) as f64);
            let jitter = DVec2::new(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3));
            let at = (cell - 0.5 * side as f64 + jitter) * spacing;
            (at, random.uniform(-PI, PI), random.uniform(0.0, 5.0))
        };
        Self { walkers: (0..count).map(walker).collect(), time: 0.0 }
    }

    /// A frame later.
    fn step(&mut self) {
        self.time += FRAME;
        for (k, (at, heading, _)) in self.walkers.iter_mut().enumerate() {
            if k % 4 < 2 {
                *at += 1.3 * FRAME * DVec2::from_angle(*heading);
            }
        }
    }

    fn members(&self) -> impl Iterator<Item = (u32, Member)> + '_ {
        self.walkers.iter().enumerate().map(|(k, &(at, heading, phase))| {
            let at = Planar::from_angle(heading, at).expect("a place");
            (k as u32, Member { performer: (k % 4) as u32, at, time: self.time + phase })
        })
    }

    fn put(&self, crowd: &mut Crowd<'_>, members: &mut Vec<(u32, Member)>) -> f64 {
        members.clear();
        members.extend(self.members());
        let start = thread_secs();
        for &(id, member) in &*members {
            crowd.set(id, member).expect("a member");
        }
        thread_secs() - start
    }
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Lets everything be made that a second of clip needs.
fn warm(crowd: &mut Crowd<'_>, walkers: &Walkers, detail: &Detail) {
    for k in 0..64 {
        for (id, member) in walkers.members() {
            let time = member.time + f64::from(k) / 30.0;
            crowd.set(id, Member { time, ..member }).expect("a member");
        }
        crowd.pairs(detail);
        if crowd.counts().made + crowd.counts().posed == 0 && k > 32 {
            break;
        }
    }
}

fn details(rigs: &[Rig; 2], people: usize) {
    println!("{people} people at 2 per square metre, ms a step");
    println!(
        "{:>22} {:>7} {:>7} {:>8} {:>9} {:>8} {:>7}",
        "detail", "set", "pairs", "broad", "tests", "near", "exact"
    );
    let mut crowd = Crowd::new(cast(rigs), &CrowdConfig::default());
    let mut walkers = Walkers::new(people, 2.0);
    warm(&mut crowd, &walkers, &Detail::Full);
    warm(&mut crowd, &Walkers::new(people.min(2000), 2.0), &Detail::Exact);
    let eye = DVec3::new(0.0, 0.0, 1.7);
    let camera = |exact_within| Detail::Camera { eye, angle: 0.01, exact_within };
    let budget = Detail::Budget { eye, tests: 50_000, exact: 200 };
    let kinds = [
        ("disk 0.25 m", Detail::Disk(0.25)),
        ("level 0", Detail::Level(0)),
        ("level 2", Detail::Level(2)),
        ("level 5", Detail::Level(5)),
        ("level 9", Detail::Level(9)),
        ("all circles", Detail::Full),
        ("camera", camera(0.0)),
        ("camera, exact < 10 m", camera(10.0)),
        ("density", Detail::Density { sparse: 9, dense: 4, neighbours: 30 }),
        ("budget", budget),
        ("exact, shared meshes", Detail::Exact),
    ];
    let (mut members, mut times) = (Vec::new(), vec![(Vec::new(), Vec::new()); kinds.len()]);
    let mut counts = vec![(0, 0, 0, 0); kinds.len()];
    for _ in 0..15 {
        for (kind, (_, detail)) in kinds.iter().enumerate() {
            walkers.step();
            times[kind].0.push(walkers.put(&mut crowd, &mut members));
            let start = thread_secs();
            black_box(crowd.pairs(detail));
            times[kind].1.push(thread_secs() - start);
            let c = crowd.counts();
            counts[kind] = (c.broad, c.tests, c.near, c.exact);
        }
    }
    for (kind, (name, _)) in kinds.iter().enumerate() {
        let (broad, tests, near, exact) = counts[kind];
        println!(
            "{name:>22} {:>7.2} {:>7.2} {broad:>8} {tests:>9} {near:>8} {exact:>7}",
            1e3 * median(&mut times[kind].0),
            1e3 * median(&mut times[kind].1)
        );
    }
}

/// A thousand characters, exactly: from shared meshes, skinned where boxes meet, and all skinned.
fn exact(rigs: &[Rig; 2]) {
    const PEOPLE: usize = 1000;
    println!(
        "\n{PEOPLE} people of 2,850 triangles, exactly, ms a step; contacts: all pairs of triangles, by part"
    );
    println!(
        "{:>7} {:>9} | {:>7} | {:>7} {:>9} {:>9} {:>8} {:>8} | {:>9} {:>9} {:>9}",
        "per m2",
        "touching",
        "shared",
        "lazy",
        "contacts",
        "together",
        "compared",
        "skinned",
        "us a pose",
        "us a skin",
        "us a pair"
    );
    for density in [1.5, 2.0, 2.5, 3.0] {
        let config = |bodies| CrowdConfig { bodies, ..CrowdConfig::default() };
        let mut shared = Crowd::new(cast(rigs), &config(Bodies::Shared));
        let mut lazy = Crowd::new(cast(rigs), &config(Bodies::Skinned));
        let mut walkers = Walkers::new(PEOPLE, density);
        warm(&mut shared, &walkers, &Detail::Exact);
        warm(&mut lazy, &walkers, &Detail::Exact);
        let one = rigs.each_ref().map(|rig| Skinned::new(rig).expect("a character"));
        let mut all: Vec<Skinned<'_>> = (0..PEOPLE).map(|k| one[k % 2].clone()).collect();
        let (mut members, mut workspace) = (Vec::new(), Workspace::default());
        let mut times = vec![Vec::new(); 5];
        let (mut touching, mut compared, mut skinned) = (0_u32, 0, 0);
        for _ in 0..11 {
            walkers.step();
            for (crowd, times) in [&mut shared, &mut lazy].into_iter().zip(&mut times) {
                let set = walkers.put(crowd, &mut members);
                let start = thread_secs();
                black_box(crowd.pairs(&Detail::Exact));
                times.push(set + thread_secs() - start);
            }
            let (counts, near) = (lazy.counts(), shared.pairs(&Detail::Exact).to_vec());
            (compared, skinned) = (counts.exact, counts.posed);
            // Everybody, as if they all had to be drawn.
            let performers: Vec<_> = shared.performers().collect();
            let mut poses = rigs.each_ref().map(Rig::rest_pose);
            let start = thread_secs();
            for (character, (_, member)) in all.iter_mut().zip(&members) {
                let performer = performers[member.performer as usize];
                let (sample, pose) =
                    (performer.sample_at(member.time), &mut poses[member.performer as usize % 2]);
                performer.pose(sample, pose);
                character.pose(pose, &performer.world_from_rig(sample, &member.at));
            }
            times[2].push(thread_secs() - start);
            let start = thread_secs();
            for character in &mut all {
                character.skin().expect("finite");
            }
            times[3].push(thread_secs() - start);
            let start = thread_secs();
            touching = 0;
            for near in near.iter().filter(|near| near.verdict == Verdict::Touching) {
                let [a, b] = near.ids.map(|id| id as usize);
                let (left, right) = all.split_at_mut(b);
                touching += 1;
                black_box(between(&mut left[a], &mut right[0], &mut workspace).expect("finite"));
            }
            times[4].push(thread_secs() - start);
        }
        let [shared, lazy, pose, skin, contacts] =
            [0, 1, 2, 3, 4].map(|i| 1e3 * median(&mut times[i]));
        let each = 1e3 / PEOPLE as f64;
        println!(
            "{density:>7.1} {touching:>9} | {shared:>7.2} | {lazy:>7.2} {contacts:>9.2} {:>9.2} {compared:>8} {skinned:>8} | {:>9.1} {:>9.1} {:>9.1}",
            lazy + contacts,
            pose * each,
            skin * each,
            1e3 * contacts / f64::from(touching.max(1)),
        );
    }
}

/// What one more costs.
fn growth(rigs: &[Rig; 2]) {
    println!("\ngrowth at 2 per square metre, ns a person: all circles, exact from shared meshes");
    println!(
        "{:>8} {:>7} {:>8} {:>8} {:>9} {:>16}",
        "people", "set", "circles", "exact", "touching", "ns a touching"
    );
    for people in [1_000, 3_000, 10_000, 30_000, 100_000] {
        let mut crowd = Crowd::new(cast(rigs), &CrowdConfig::default());
        let mut walkers = Walkers::new(people, 2.0);
        warm(&mut crowd, &Walkers::new(people.min(2000), 2.0), &Detail::Exact);
        let (mut members, mut times) = (Vec::new(), vec![Vec::new(); 3]);
        let mut touching = 0;
        for round in 0..7 {
            walkers.step();
            let set = walkers.put(&mut crowd, &mut members);
            let start = thread_secs();
            black_box(crowd.pairs(&Detail::Full));
            let full = thread_secs() - start;
            let start = thread_secs();
            touching = crowd.pairs(&Detail::Exact).len();
            let exact = thread_secs() - start;
            // The first sorts everybody from nothing.
            if round > 0 {
                [set, full, exact].into_iter().zip(&mut times).for_each(|(t, times)| times.push(t));
            }
        }
        let [set, full, exact] = [0, 1, 2].map(|i| 1e9 * median(&mut times[i]));
        let each = 1.0 / people as f64;
        println!(
            "{people:>8} {:>7.0} {:>8.0} {:>8.0} {touching:>9} {:>16.0}",
            set * each,
            full * each,
            exact * each,
            (exact - full) / touching as f64
        );
    }
}

/// On one thread and on two, by the clock.
#[cfg(feature = "parallel")]
fn threads(rigs: &[Rig; 2], people: usize) {
    println!("\n{people} people on threads, ms a step by the clock");
    let mut crowd = Crowd::new(cast(rigs), &CrowdConfig::default());
    let mut walkers = Walkers::new(people, 2.0);
    warm(&mut crowd, &walkers, &Detail::Exact);
    let mut members = Vec::new();
    for (name, detail) in [("all circles", Detail::Full), ("exact", Detail::Exact)] {
        let mut times = vec![Vec::new(); 3];
        for _ in 0..11 {
            walkers.step();
            walkers.put(&mut crowd, &mut members);
            let start = Instant::now();
            black_box(crowd.pairs(&detail));
            times[0].push(start.elapsed().as_secs_f64());
            for threads in [1, 2] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                pool.expect("threads").install(|| {
                    let start = Instant::now();
                    black_box(crowd.pairs_parallel(&detail));
                    times[threads].push(start.elapsed().as_secs_f64());
                });
            }
        }
        let [none, one, two] = [0, 1, 2].map(|i| 1e3 * median(&mut times[i]));
        println!("{name:>22}: none {none:.2}, one {one:.2}, two {two:.2}, {:.2} times", none / two);
    }
}
