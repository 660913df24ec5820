//! The solid of a figure: its sections and lumps as one smooth field.

use glam::DVec3;

use super::figure::{Figure, Lump};
use crate::surface::{Key, Loft, Piece, Shape, Solid};

/// The cosine and sine of how far the arms hang down in the pose in which the skin is drawn.
pub(super) const ARM_SLOPE: [f64; 2] = [std::f64::consts::FRAC_1_SQRT_2; 2];
/// No thigh comes nearer to the plane between the legs.
const BETWEEN_THIGHS: f64 = 0.007;

/// A figure filled out.
pub(super) struct Flesh {
    /// All of it.
    pub(super) solid: Solid,
    /// The left arm alone, and the trunk alone: which of the two a point belongs to.
    pub(super) arm: Piece,
    /// See `arm`.
    pub(super) trunk: Piece,
}

/// From the shoulder along the arm, across it upwards, and forward.
pub(super) fn arm_frame() -> [DVec3; 3] {
    let [cos, sin] = ARM_SLOPE;
    [DVec3::new(cos, -sin, 0.0), DVec3::new(sin, cos, 0.0), DVec3::Z]
}

/// Fills a figure out, `girth` times as stout as drawn.
pub(super) fn flesh(figure: &Figure, girth: f64) -> Flesh {
    let more = girth - 1.0;
    let trunk = Piece::add(Shape::Loft(trunk(figure, more)), 0.01);
    let arm = Piece::add(Shape::Loft(arm(figure, more)), 0.035);
    let mut pieces = vec![trunk.clone(), Piece::add(Shape::Loft(leg(figure, more)), 0.045)];
    pieces.extend(figure.trunk_lumps.iter().map(|lump| add(lump, 1.0 + 0.6 * more)));
    pieces.extend(figure.trunk_rods.iter().map(rod));
    pieces.push(arm.clone());
    pieces.push(Piece::add(Shape::Loft(hand(figure)), 0.012));
    pieces.extend(thumb(figure));
    pieces.push(Piece::add(Shape::Loft(foot(figure)), 0.03));
    pieces.push(Piece::add(Shape::Loft(head(figure)), 0.025));
    pieces.extend(figure.hair.iter().map(|lump| add(lump, 1.0)));
    pieces.extend(figure.face_lumps.iter().map(|lump| add(lump, 1.0)));
    pieces.push(rod(&figure.nose));
    pieces.extend(
        figure
            .hollows
            .iter()
            .map(|&(centre, half, fillet)| Piece::carve(ball(centre, half, 1.0), fillet)),
    );
    Flesh { solid: Solid::new(pieces, 0.0), arm, trunk }
}

fn ball(centre: [f64; 3], half: [f64; 3], scale: f64) -> Shape {
    Shape::Ball { centre: DVec3::from(centre), half: DVec3::from(half) * scale }
}

fn add(&(centre, half, fillet): &Lump, scale: f64) -> Piece {
    Piece::add(ball(centre, half, scale), fillet)
}

fn rod(&(from, to, radii, fillet): &super::figure::Rod) -> Piece {
    Piece::add(Shape::Cone { ends: [DVec3::from(from), DVec3::from(to)], radii }, fillet)
}

/// An upright limb on the middle plane: height along the axis, x across, z forward.
fn upright(sections: &[[f64; 6]], stout: impl Fn(f64) -> f64) -> Loft {
    let keys: Vec<Key> = sections
        .iter()
        .map(|&[at, z, half, front, back, square]| {
            let wide = half * stout(at);
            // Bellies grow forward, more than backs grow backward.
            let (front, back) = (front * stout(at) * stout(at).sqrt(), back * stout(at));
            Key { at, centre: [0.0, z], wide: [wide, wide], deep: [front, back], square }
        })
        .collect();
    Loft::new(DVec3::ZERO, [DVec3::Y, DVec3::X, DVec3::Z], &keys)
}

fn trunk(figure: &Figure, more: f64) -> Loft {
    let waist = figure.back[0][1];
    let reach = figure.back[2][1] - waist;
    // All of it at the waist, hardly any at the neck.
    upright(figure.trunk, |at| {
        let from = (at - waist) / reach;
        1.0 + more * (1.0 - 0.75 * from * from).max(0.2)
    })
}

fn head(figure: &Figure) -> Loft {
    upright(figure.head, |_| 1.0)
}

fn leg(figure: &Figure, more: f64) -> Loft {
    let stout = 1.0 + 0.6 * more;
    let keys: Vec<Key> = figure
        .leg_rings
        .iter()
        .map(|&[at, x, z, out, inward, front, back]| Key {
            at,
            centre: [x, z],
            wide: [out * stout, (inward * stout).min(x - BETWEEN_THIGHS)],
            deep: [front * stout, back * stout],
            square: 0.0,
        })
        .collect();
    Loft::new(DVec3::ZERO, [DVec3::Y, DVec3::X, DVec3::Z], &keys)
}

/// From heel to toe; the part below the floor is cut off.
fn foot(figure: &Figure) -> Loft {
    let keys: Vec<Key> = figure
        .foot
        .iter()
        .map(|&[at, x, out, inward, top]| Key {
            at,
            centre: [x, 0.0],
            wide: [out, inward],
            deep: [top, 0.02],
            square: 0.35,
        })
        .collect();
    Loft::new(DVec3::ZERO, [DVec3::Z, DVec3::X, DVec3::Y], &keys)
}

fn along_arm(figure: &Figure, start: f64, sections: &[[f64; 5]], stout: f64, square: f64) -> Loft {
    let [along, up, forward] = arm_frame();
    let keys: Vec<Key> = sections
        .iter()
        .map(|&[at, above, below, front, back]| Key {
            at: start + at,
            centre: [0.0, 0.0],
            wide: [above * stout, below * stout],
            deep: [front * stout, back * stout],
            square,
        })
        .collect();
    Loft::new(DVec3::from(figure.shoulder), [along, up, forward], &keys)
}

fn arm(figure: &Figure, more: f64) -> Loft {
    along_arm(figure, 0.0, figure.arm_rings, 1.0 + 0.6 * more, 0.0)
}

fn hand(figure: &Figure) -> Loft {
    along_arm(figure, figure.arm[0] + figure.arm[1], figure.hand, 1.0, 0.3)
}

fn thumb(figure: &Figure) -> Vec<Piece> {
    let [along, up, forward] = arm_frame();
    let wrist = DVec3::from(figure.shoulder) + along * (figure.arm[0] + figure.arm[1]);
    let at = |[far, out, _]: [f64; 3]| wrist + along * far + forward * out - up * 0.008;
    let [root, middle, tip] = figure.thumb;
    [[root, middle], [middle, tip]]
        .map(|[from, to]| {
            let cone = Shape::Cone { ends: [at(from), at(to)], radii: [from[2], to[2]] };
            Piece::add(cone, 0.006)
        })
        .to_vec()
}
