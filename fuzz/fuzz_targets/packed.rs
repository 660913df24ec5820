//! A stored tree in which bytes were changed, with its sum as it was or made right again: an error,
//! or a tree that can be asked.
#![no_main]

mod bodies;

use elbowroom::Pose;
use elbowroom::internal::bvh::Packed;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, collide};
use elbowroom::internal::traverse::Workspace;
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;

fn check(bytes: &mut Unstructured) -> Result<()> {
    let mesh = bodies::mesh(&bodies::soup(bytes)?);
    let Some(packed) = Packed::build(&mesh) else {
        return Ok(());
    };
    let mut stored = packed.to_bytes(&mesh);
    let again = Packed::from_bytes(&stored, &mesh).expect("what was stored can be read");
    assert_eq!(again.to_bytes(&mesh), stored);
    let changes = bytes.int_in_range(1..=8)?;
    for _ in 0..changes {
        let at = bytes.choose_index(stored.len())?;
        stored[at] = bytes.arbitrary()?;
    }
    if bytes.arbitrary()? {
        stored.truncate(bytes.choose_index(stored.len())?);
    }
    let is_forged: bool = bytes.arbitrary()?;
    if is_forged && stored.len() >= 8 {
        let body = stored.len() - 8;
        let sum = Packed::sum_of(&stored[..body]).to_le_bytes();
        stored[body..].copy_from_slice(&sum);
    }
    if let Ok(packed) = Packed::from_bytes(&stored, &mesh) {
        let model = Model::from_packed(mesh, packed);
        let (here, question) = (Pose::IDENTITY, CollisionRequest::default());
        collide(&model, &here, &model, &here, &question, &mut Workspace::default());
    }
    Ok(())
}

fuzz_target!(|bytes: &[u8]| {
    // Too few bytes make no mesh.
    let _ = check(&mut Unstructured::new(bytes));
});
