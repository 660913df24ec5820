//! Which axis is taken, and how near it is to the principal one.

use glam::{DMat3, DVec3};

use super::Part;
use super::elbow::{Elbow, about_z, slender};
use crate::rounds::Spread;
use crate::{Claim, Context, Table};

/// Lengths of the forearm, of the upper arm's.
const SHARES: [f64; 4] = [0.4, 0.6, 0.8, 1.0];

pub(super) fn run(_: &Context) -> Part {
    let (switches, asked, right) = switches();
    let (curve, ratios) = curve();
    let claim = Claim::gate(
        "CAB-S3-axis",
        "The longest child axis for small angles and the endpoint vector for large ones are close to the principal axis.",
    )
    .paper("Figure 1b; no numbers")
    .ours(format!(
        "the endpoint vector is taken exactly where cos θ < shorter/(2·longer), in {right} of {asked} elbows; volume CAB/covariance {} over θ \
         for links of 6:1",
        ratios.show(2)
    ))
    .holds_if(asked > 500 && right == asked && ratios.median < 1.3)
    .why("For equal links the switch is at 60°; median and range of the volumes, degree by degree.");
    Part { tables: vec![switches, curve], claims: vec![claim] }
}

/// Where the rule goes over from a child's axis to the endpoint vector, and in how many of how many
/// elbows that is where it should.
fn switches() -> (Table, u64, u64) {
    let mut table = Table::new(
        "Where the endpoint vector takes over",
        ["forearm / upper arm", "first θ, °", "acos(shorter / 2 longer), °"],
    );
    let (mut asked, mut right) = (0, 0);
    for share in SHARES {
        let mut elbow = Elbow::new([slender(6.0), slender(6.0 * share)]);
        let mut first = None;
        for step in 1..360 {
            // Between whole and half degrees, so that no angle is at the switch.
            let degrees = 0.5 * f64::from(step) + 0.1;
            elbow.bend(DMat3::IDENTITY, about_z(degrees));
            let forearm = about_z(degrees) * DVec3::X;
            let end = (DVec3::X - share * forearm).normalize();
            let long = elbow.boxes()[0].axes.x_axis;
            let takes_end = long.dot(end).abs() > long.dot(DVec3::X).abs();
            if takes_end && first.is_none() {
                first = Some(degrees);
            }
            asked += 1;
            right += u64::from(takes_end == (forearm.x < 0.5 * share));
        }
        table.row([share.into(), first.into(), libm::acos(0.5 * share).to_degrees().into()]);
    }
    (table, asked, right)
}

/// Angle to the covariance axis and volume over the bend, for equal links of 6:1; the volumes for
/// every degree.
fn curve() -> (Table, Spread) {
    let mut table = Table::new(
        "Links of 6:1, over the angle between them",
        ["θ, °", "angle to the covariance axis, °", "volume CAB/covariance"],
    );
    let mut elbow = Elbow::new([slender(6.0); 2]);
    let mut ratios = Vec::new();
    for degrees in 1..180_u32 {
        elbow.bend(DMat3::IDENTITY, about_z(f64::from(degrees)));
        let [cab, covariance, _] = elbow.boxes();
        let axes = [cab, covariance].map(|b| b.axes.col(longest(b.half)));
        let ratio = elbow.volume_ratio();
        ratios.push(ratio);
        if degrees % 15 == 0 {
            let angle = libm::acos(axes[0].dot(axes[1]).abs().min(1.0)).to_degrees();
            table.row([degrees.into(), angle.into(), ratio.into()]);
        }
    }
    (table, Spread::of(ratios))
}

fn longest(half: DVec3) -> usize {
    [0, 1, 2].into_iter().fold(0, |best, i| if half[i] > half[best] { i } else { best })
}
