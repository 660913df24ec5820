//! MOBB trees with what the paper prints and the default leaves out: one partner a sample, and
//! upright boxes where free ones hardly lean. Against a literal reading, sample by sample.

use elbowroom_motion::Planar;
use elbowroom_motion::space_time::{Partners, TraceErrorKind};
use elbowroom_papers::grammar::Family;
use elbowroom_papers::mobb::{Config, Kind, Leaf, MobbTree, Placed, Question, Sample, Trace};
use elbowroom_testkit::random::Random;
use glam::DVec2;

/// A motion, its step and its start: numbers of few bits, so that times are exact.
struct Motion {
    samples: Vec<Sample>,
    dt: f64,
    start: f64,
    shift: DVec2,
}

impl Motion {
    fn new(random: &mut Random, dt: f64) -> Self {
        let (mut at, mut way) = (DVec2::ZERO, DVec2::X);
        let count = random.range(1, 60);
        let samples = (0..count).map(|_| {
            way = DVec2::from_angle(random.uniform(-0.5, 0.5)).rotate(way);
            at += way * random.uniform(0.0, 3.0 * dt);
            Sample::new(at.x, at.y, random.uniform(0.1, 0.3))
        });
        let samples = samples.collect();
        let start = random.range(-40, 40) as f64 / 64.0;
        let shift = DVec2::new(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
        Self { samples, dt, start, shift }
    }

    fn at_pace(mut self, pace: f64) -> Self {
        for sample in &mut self.samples {
            sample.center *= pace;
        }
        self
    }

    fn tree(&self, config: Config) -> MobbTree {
        MobbTree::with_config(Trace::new(&self.samples, self.dt).unwrap(), config).unwrap()
    }

    fn placed(&self) -> Placed {
        Placed::new(Planar::from_angle(0.0, self.shift).unwrap(), self.start).unwrap()
    }

    fn time(&self, sample: usize) -> f64 {
        self.start + sample as f64 * self.dt
    }

    /// The sample from the time closest to but not after a moment: m(o) of the paper.
    fn at(&self, moment: f64) -> Option<usize> {
        let sample = (0..self.samples.len()).rev().find(|&k| self.time(k) <= moment)?;
        // The last one is held as long as the others.
        (moment < self.time(sample + 1)).then_some(sample)
    }
}

fn meet(a: &Motion, i: usize, b: &Motion, j: usize) -> bool {
    let (p, q) = (a.samples[i], b.samples[j]);
    let (apart, reach) = ((p.center + a.shift) - (q.center + b.shift), p.radius + q.radius);
    apart.x * apart.x + apart.y * apart.y < reach * reach
}

/// Equation 1: at the time of each sample of the first, from when both have begun.
fn as_printed(a: &Motion, b: &Motion) -> Vec<[u32; 2]> {
    let begin = a.start.max(b.start);
    let moments = (0..a.samples.len()).filter(|&i| a.time(i) >= begin);
    let partners = moments.filter_map(|i| b.at(a.time(i)).map(|j| (i, j)));
    partners.filter(|&(i, j)| meet(a, i, b, j)).map(|(i, j)| [i as u32, j as u32]).collect()
}

#[test]
fn one_partner_a_sample_is_the_printed_condition() {
    let mut random = Random::new(0x0b8);
    let all = Question { partners: Partners::AtItsTime, ..Question::default() };
    let (mut met, mut one_sided, mut spared, mut halved) = ([0; 2], 0, 0, 0);
    for round in 0..300 {
        let steps = [[1.0, 1.0], [1.0, 0.5], [0.25, 1.0], [0.75, 0.5]][round % 4];
        let [a, b] = steps.map(|step| Motion::new(&mut random, step / 16.0));
        let (expected, back) = (as_printed(&a, &b), as_printed(&b, &a));
        met[usize::from(!expected.is_empty())] += 1;
        one_sided += usize::from(expected.is_empty() != back.is_empty());
        for kind in Kind::ALL {
            for leaf in [Leaf::Every, Leaf::Stride] {
                let config = Config { leaf, n_min: 1 + round % 12, ..Config::paper(kind) };
                let (one, two) = (a.tree(config), b.tree(config));
                let (here, there) = (a.placed(), b.placed());
                let found = one.intersect_by(all, &here, &two, &there);
                assert_eq!(found.pairs, expected, "{kind:?}, {leaf:?}, round {round}");
                assert_eq!(two.intersect_by(all, &there, &one, &here).pairs, back, "{kind:?}");
                let first = one.intersect_by(Question::paper(), &here, &two, &there);
                assert_eq!(first.is_contact(), !expected.is_empty());
                assert!(first.pairs.iter().all(|pair| expected.contains(pair)));
                let both = one.intersect(&here, &two, &there);
                assert!(expected.iter().all(|pair| both.pairs.contains(pair)));
                spared += usize::from(both.pairs.len() > expected.len());
                let [fewer, more] = [found, both].map(|it| it.tally.primitives);
                assert!(leaf == Leaf::Stride || fewer <= more);
                halved += usize::from(fewer < more);
            }
        }
    }
    println!("{met:?} met, {one_sided} one-sided, {spared} and {halved} of 3,600 differ");
    assert!(met.iter().all(|&count| count >= 40), "{met:?}");
    assert!(one_sided >= 3 && spared >= 400 && halved >= 800, "{one_sided} {spared} {halved}");
}

#[test]
fn boxes_that_hardly_lean_are_tested_as_upright_ones() {
    let mut random = Random::new(0x0b9);
    let tolerances = [0.0, 0.2, 0.45, 1.0];
    let mut flat = [0; 4];
    let mut free = [0; 4];
    let mut met = 0;
    for round in 0..200 {
        let step = [1.0, 0.5][round % 2] / 16.0;
        // From all but standing, when boxes are nearly upright, to running, when their tops are.
        let pace = [0.1, 0.3, 1.0, 3.0][round % 4];
        let [a, b] = [(); 2].map(|()| Motion::new(&mut random, step).at_pace(pace));
        let (here, there) = (a.placed(), b.placed());
        let ask = |config: Config| a.tree(config).intersect(&here, &b.tree(config), &there);
        let mobb = ask(Config::paper(Kind::Mobb));
        met += usize::from(mobb.is_contact());
        for (k, aligned) in tolerances.into_iter().enumerate() {
            for kind in [Kind::Umobb, Kind::MobbThenUmobb, Kind::UmobbThenMobb] {
                let found = ask(Config { aligned, ..Config::paper(kind) });
                assert_eq!(found.pairs, mobb.pairs, "{kind:?}, {aligned}, round {round}");
                flat[k] += found.tally.of_family(Family::TimeBox);
                free[k] += found.tally.of_family(Family::TimeObb);
                // No box leans by more than the half of a right angle from both axes.
                assert!(aligned < 1.0 || found.tally == mobb.tally, "{kind:?}, round {round}");
            }
        }
    }
    println!("{met} met; upright {flat:?}, free {free:?}");
    assert!(met >= 30 && flat.is_sorted_by(|x, y| x < y), "{met} {flat:?}");
    assert!(free.is_sorted_by(|x, y| x > y) && free[3] == 0, "{free:?}");
}

#[test]
fn a_tolerance_is_the_sine_of_an_angle() {
    for aligned in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        let trace = Trace::new(&[Sample::new(0.0, 0.0, 1.0)], 0.1).unwrap();
        let config = Config { aligned, ..Config::paper(Kind::Umobb) };
        let error = MobbTree::with_config(trace, config).unwrap_err();
        assert!(matches!(error.kind(), TraceErrorKind::Sine { .. }), "{error}");
        assert!(error.to_string().contains("from 0 to 1"), "{error}");
    }
}
