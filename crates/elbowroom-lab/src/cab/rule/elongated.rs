//! What links and joints the rule is good for: long ones, bent about an axis across them.

use glam::DMat3;

use super::Part;
use super::elbow::{Elbow, about_x, about_z, slender};
use crate::{Claim, Context, Table, Verdict};

const ASPECTS: [f64; 7] = [6.0, 5.0, 4.0, 3.0, 2.0, 1.5, 1.0];
const TWISTS: [f64; 7] = [0.0, 15.0, 30.0, 45.0, 60.0, 75.0, 90.0];

pub(super) fn run(_: &Context) -> Part {
    let mut shapes = Table::new(
        "Over the shape of the links: volume CAB/covariance, mean over bends from 5° to 175°",
        ["length / width", "mean", "largest"],
    );
    let by_aspect = ASPECTS.map(|aspect| {
        let (mean, most) = bends(&mut Elbow::new([slender(aspect); 2]), DMat3::IDENTITY);
        shapes.row([aspect.into(), mean.into(), most.into()]);
        mean
    });
    let mut twisted = Table::new(
        "Over the twist of the forearm, links 6 : 2 : 1, the same",
        ["twist, °", "mean", "largest"],
    );
    let flat = glam::DVec3::new(6.0, 2.0, 1.0);
    let by_twist = TWISTS.map(|twist| {
        let (mean, most) = bends(&mut Elbow::new([flat; 2]), about_x(twist));
        twisted.row([twist.into(), mean.into(), most.into()]);
        mean
    });
    let [long, cube] = [by_aspect[0], by_aspect[6]];
    let largest = by_twist.into_iter().fold(0.0, f64::max);
    let verdict = match (cube > long, largest > by_twist[0]) {
        (true, true) => Verdict::Holds,
        (false, false) => Verdict::DoesNotHold,
        _ => Verdict::HoldsWithAnotherNumber,
    };
    let claim = Claim::gate(
        "CAB-S3-elongated",
        "The rule needs elongated links that are bent about an axis across them.",
    )
    .paper("an assumption, without numbers")
    .ours(format!(
        "volume CAB/covariance {long:.2} for links of 6:1, {cube:.2} for cubes; flat links {:.2} without a twist, {largest:.2} at the worst",
        by_twist[0]
    ))
    .verdict(verdict)
    .why("Of two equal cubes none of the axes is longest for a reason, and covariance is no better than it must be.");
    Part { tables: vec![shapes, twisted], claims: vec![claim] }
}

/// Mean and largest ratio of volumes over all bends, with the forearm twisted about itself.
fn bends(elbow: &mut Elbow, twist: DMat3) -> (f64, f64) {
    let (mut sum, mut most, mut count) = (0.0, 0.0_f64, 0.0);
    for degrees in (5..=175).step_by(5) {
        elbow.bend(DMat3::IDENTITY, about_z(f64::from(degrees)) * twist);
        let ratio = elbow.volume_ratio();
        (sum, most, count) = (sum + ratio, most.max(ratio), count + 1.0);
    }
    (sum / count, most)
}
