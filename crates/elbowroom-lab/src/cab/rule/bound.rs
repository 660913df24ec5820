//! The rule gives an orthonormal frame, and a box that contains both children.

use glam::{DMat3, DVec3};

use super::Part;
use super::elbow::{Elbow, about_z};
use crate::random::Random;
use crate::report::grouped;
use crate::{Claim, Context, Table};

/// A kind of elbow: half extents and the turn of the forearm.
type Make = fn(&mut Random) -> ([DVec3; 2], DMat3);

const KINDS: [(&str, Make); 6] = [
    ("random", |random| (any(random), random.rotation())),
    ("straight", |random| (any(random), about_z(180.0))),
    ("folded", |random| (any(random), DMat3::IDENTITY)),
    ("nearly parallel", |random| {
        let [a, b] = any(random);
        ([a, b], about_z(random.uniform(-0.5, 0.5) + 180.0 * random.below(2) as f64))
    }),
    ("zero length", |random| ([DVec3::ZERO, random.point(0.1, 2.0)], random.rotation())),
    ("flat", |random| {
        let [a, b] = any(random);
        ([a * DVec3::new(1.0, 1.0, 0.0), b * DVec3::new(1.0, 0.0, 1.0)], random.rotation())
    }),
];

fn any(random: &mut Random) -> [DVec3; 2] {
    [random.point(0.1, 2.0), random.point(0.1, 2.0)]
}

pub(super) fn run(context: &Context) -> Part {
    let count = if context.quick { 100 } else { 2000 };
    let mut random = Random::new(32);
    let mut table = Table::new(
        "Elbows of every kind",
        ["kind", "elbows", "orthonormal", "all 16 corners inside", "farthest from orthonormal"],
    );
    let (mut all, mut good) = (0, 0);
    for (name, make) in KINDS {
        let (mut square, mut inside, mut worst) = (0_u64, 0_u64, 0.0_f64);
        for _ in 0..count {
            let (halves, forearm) = make(&mut random);
            let mut elbow = Elbow::new(halves);
            elbow.bend(random.rotation(), forearm);
            let axes = elbow.boxes()[0].axes;
            let off = axes.transpose() * axes - DMat3::IDENTITY;
            let off = off.to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            worst = worst.max(off);
            square += u64::from(off < 1e-14);
            inside += u64::from(elbow.body().validate().is_ok());
        }
        all += 2 * count;
        good += square + inside;
        table.row([name.into(), count.into(), square.into(), inside.into(), worst.into()]);
    }
    let claim = Claim::gate(
        "CAB-S3-bound",
        "The rule of two axes gives an orthonormal frame and a box that contains both children.",
    )
    .paper("axes count as parallel from a cosine of 1 − 10⁻⁵")
    .ours(format!(
        "{} of {} checks on random, straight, folded, nearly parallel, zero-length and flat links",
        grouped(good),
        grouped(all)
    ))
    .holds_if(good == all);
    Part { tables: vec![table], claims: vec![claim] }
}
