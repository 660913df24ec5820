//! Two placed triangles of any finite coordinates against the rational oracle, both ways round.
//!
//! The bytes choose each coordinate either from the whole range of f64 or, mostly, from a small grid, so
//! that degenerate positions are as likely as general ones.
#![no_main]

use elbowroom::exact::{PlacedTriangle, relate};
use elbowroom::{Placement, Relation};
use elbowroom_testkit::oracle::{self, Pose};
use glam::{DMat3, DQuat, DVec3};
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;

fn coordinate(bytes: &mut Unstructured) -> Result<f64> {
    let grid = f64::from(bytes.int_in_range(-3_i8..=3)?);
    Ok(match bytes.int_in_range(0_u8..=7)? {
        0 => {
            let any = f64::from_bits(bytes.arbitrary()?);
            if any.is_finite() { any } else { grid }
        }
        1 => grid.next_up(),
        2 => grid * 1e300,
        3 => grid * 1e-300,
        _ => grid,
    })
}

fn triangle(bytes: &mut Unstructured) -> Result<[[f64; 3]; 3]> {
    let mut corners = [[0.0; 3]; 3];
    for corner in &mut corners {
        for value in corner {
            *value = coordinate(bytes)?;
        }
    }
    Ok(corners)
}

fn placement(bytes: &mut Unstructured) -> Result<Placement> {
    let mut numbers = [0.0; 7];
    for number in &mut numbers {
        *number = coordinate(bytes)?;
    }
    let [x, y, z, w, rest @ ..] = numbers;
    let shift = DVec3::from_array(rest);
    let turned = Placement::from_quat(DQuat::from_xyzw(x, y, z, w), shift);
    Ok(turned.or_else(|_| Placement::from_translation(shift)).unwrap_or_default())
}

fn pose(placement: &Placement) -> Pose {
    let rows: DMat3 = placement.rotation().transpose();
    Pose { r: rows.to_cols_array_2d(), t: placement.translation().to_array() }
}

fn check(bytes: &mut Unstructured) -> Result<()> {
    let (a, b) = (triangle(bytes)?, triangle(bytes)?);
    let (place_a, place_b) = (placement(bytes)?, placement(bytes)?);
    let truth = match oracle::relation(&a, &pose(&place_a), &b, &pose(&place_b)) {
        oracle::Relation::Apart => Relation::Apart,
        oracle::Relation::Touching => Relation::Touching,
        oracle::Relation::Crossing => Relation::Crossing,
    };
    let first = PlacedTriangle::new(&place_a, a.map(DVec3::from_array));
    let second = PlacedTriangle::new(&place_b, b.map(DVec3::from_array));
    assert_eq!(relate(&first, &second), truth);
    assert_eq!(relate(&second, &first), truth);
    Ok(())
}

fuzz_target!(|bytes: &[u8]| {
    // Too few bytes make no pair.
    let _ = check(&mut Unstructured::new(bytes));
});
