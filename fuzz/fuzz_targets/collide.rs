//! Two small meshes of any finite coordinates under any placements, trees of every family: the
//! pairs that brute force finds.
#![no_main]

mod bodies;

use elbowroom::Relation;
use elbowroom::internal::bvh::{Config, Failed, Split};
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, collide};
use elbowroom::internal::traverse::{Path, Rule, Workspace};
use elbowroom::internal::volume::{Family, Fit};
use elbowroom_testkit::brute::all_pairs;
use elbowroom_testkit::oracle;
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;

fn config(bytes: &mut Unstructured) -> Result<Config> {
    Ok(Config {
        family: *bytes.choose(&Family::ALL)?,
        fit: *bytes.choose(&[Fit::Vertices, Fit::Triangles, Fit::Hull, Fit::Dito14])?,
        split: *bytes.choose(&[
            Split::Mean,
            Split::AreaMean,
            Split::Median,
            Split::Sah { bins: 4 },
        ])?,
        by_spread: bytes.arbitrary()?,
        failed: *bytes.choose(&[Failed::NextAxis, Failed::Halve])?,
        leaf: bytes.int_in_range(1..=3)?,
    })
}

fn check(bytes: &mut Unstructured) -> Result<()> {
    let (config_a, config_b) = (config(bytes)?, config(bytes)?);
    let rule = *bytes.choose(&[Rule::Larger, Rule::First, Rule::Both])?;
    let (place_a, place_b) = (bodies::placement(bytes)?, bodies::placement(bytes)?);
    let (a, b) = (bodies::soup(bytes)?, bodies::soup(bytes)?);
    let model_a = Model::with_config(bodies::mesh(&a), &config_a);
    let model_b = Model::with_config(bodies::mesh(&b), &config_b);
    model_a.validate().expect("the first tree keeps its promises");
    model_b.validate().expect("the second tree keeps its promises");
    let question =
        CollisionRequest { path: Path { rule, level: None }, ..CollisionRequest::default() };
    let found =
        collide(&model_a, &place_a, &model_b, &place_b, &question, &mut Workspace::default()).pairs;
    let truth = all_pairs(&a, &bodies::pose(&place_a), &b, &bodies::pose(&place_b));
    let truth: Vec<(u32, u32, bool)> =
        truth.into_iter().map(|(i, j, r)| (i, j, r == oracle::Relation::Crossing)).collect();
    let found: Vec<(u32, u32, bool)> =
        found.iter().map(|p| (p.a, p.b, p.relation == Relation::Crossing)).collect();
    assert_eq!(found, truth, "{config_a:?} {config_b:?}");
    // The same on trees for vector instructions, one built from the mesh and one from a grown tree.
    let packed = [Model::new(bodies::mesh(&a)), Model::packed_from(bodies::mesh(&b), &config_b)];
    let whole = CollisionRequest::default();
    let found =
        collide(&packed[0], &place_a, &packed[1], &place_b, &whole, &mut Workspace::default())
            .pairs;
    let found: Vec<(u32, u32, bool)> =
        found.iter().map(|p| (p.a, p.b, p.relation == Relation::Crossing)).collect();
    assert_eq!(found, truth, "packed, {config_b:?}");
    Ok(())
}

fuzz_target!(|bytes: &[u8]| {
    // Too few bytes make no meshes.
    let _ = check(&mut Unstructured::new(bytes));
});
