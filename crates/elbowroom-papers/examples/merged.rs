//! Merged motion trees: the trees of short clips combined into the tree of a sequence, beside a
//! tree that is built anew over the whole.
//!
//!     cargo run -p elbowroom-papers --example merged

use std::sync::Arc;

use elbowroom::internal::math::random::Random;
use elbowroom_motion::Planar;
use elbowroom_motion::space_time::{
    Config, Kind, Placed, Sample, Trace, TraceError, Tracked, Workspace, collide_counted,
};
use elbowroom_papers::mobb::Sequence;
use glam::DVec2;

const RATE: f64 = 30.0;

/// A clip of a walk that turns by so much, in two seconds.
fn clip(turn: f64, kind: Kind) -> Result<Arc<Tracked>, TraceError> {
    let mut at = DVec2::ZERO;
    let mut samples = Vec::new();
    for k in 0..60 {
        samples.push(Sample { center: at, radius: 0.3 });
        at += DVec2::from_angle(turn * f64::from(k) / 60.0) * (1.3 / RATE);
    }
    Ok(Arc::new(Tracked::new(Trace::new(&samples, 1.0 / RATE)?, Config::paper(kind))?))
}

/// Clips by chance, each from where the one before ends.
fn wander(random: &mut Random, kind: Kind) -> Result<Sequence, Box<dyn std::error::Error>> {
    let turns = [-1.2, -0.4, 0.0, 0.4, 1.2];
    let clips = turns.iter().map(|&turn| clip(turn, kind)).collect::<Result<Vec<_>, _>>()?;
    let mut sequence = Sequence::new();
    let (mut heading, mut at) = (random.uniform(0.0, 6.0), DVec2::ZERO);
    at += 8.0 * DVec2::new(random.uniform(0.0, 1.0), random.uniform(0.0, 1.0));
    for _ in 0..16 {
        let which = random.index(clips.len());
        let clip = &clips[which];
        let place = Planar::from_angle(heading, at)?;
        at = place.apply(clip.trace().sample(clip.trace().len() - 1).center);
        heading += turns[which];
        sequence.push(Arc::clone(clip), place)?;
    }
    Ok(sequence)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{:>12}  boxes made      box tests         sample tests       collide", "");
    println!("{:>12}  merged anew     merged anew       merged anew", "");
    let (here, mut workspace) = (Placed::ORIGIN, Workspace::new());
    for kind in [Kind::Mobb, Kind::Umobb, Kind::MobbThenUmobb, Kind::UmobbThenMobb] {
        let mut random = Random::new(7);
        let (mut made, mut tests, mut hits) = ([0; 2], [[0; 2]; 2], 0);
        for _ in 0..200 {
            let both = [wander(&mut random, kind)?, wander(&mut random, kind)?];
            let (hit, merged) = both[0].collide_counted(&here, &both[1], &here);
            let config = Config::paper(kind);
            let [a, b] =
                [Tracked::new(both[0].trace()?, config)?, Tracked::new(both[1].trace()?, config)?];
            let (expected, anew) = collide_counted(&a, &here, &b, &here, &mut workspace);
            assert_eq!(hit, expected);
            hits += u32::from(hit);
            made[0] += both[0].tree().made() + both[1].tree().made();
            made[1] += (a.tree().len() + b.tree().len()) as u64;
            for (sum, tally) in tests.iter_mut().zip([merged, anew]) {
                *sum = [sum[0] + tally.volumes(), sum[1] + tally.primitives];
            }
        }
        let [[merged, samples], [anew, of_anew]] = tests;
        println!(
            "{:>12} {:>7} {:>6} {merged:>9} {anew:>6} {samples:>11} {of_anew:>6}  {hits:>6} of 200",
            kind.name(),
            made[0],
            made[1],
        );
    }
    Ok(())
}
