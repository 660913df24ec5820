//! Two placed triangles of any finite coordinates against the rational oracle, both ways round.
#![no_main]

mod bodies;

use elbowroom::Relation;
use elbowroom::internal::exact::{PlacedTriangle, relate};
use elbowroom_testkit::oracle;
use glam::DVec3;
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;

fn check(bytes: &mut Unstructured) -> Result<()> {
    let mut triangle = || Ok([bodies::point(bytes)?, bodies::point(bytes)?, bodies::point(bytes)?]);
    let (a, b) = (triangle()?, triangle()?);
    let (place_a, place_b) = (bodies::placement(bytes)?, bodies::placement(bytes)?);
    let truth = match oracle::relation(&a, &bodies::pose(&place_a), &b, &bodies::pose(&place_b)) {
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
