//! Hashes of what is made: they are equal on every system. A change of a shape or a gait on purpose
//! changes them.

use elbowroom::Mesh;
use elbowroom_make::monkey_head;
use elbowroom_motion::body::Clip;

use super::both;

/// Fowler, Noll and Vo's hash, 64 bits, the variant 1a.
fn hash(words: impl Iterator<Item = u64>) -> u64 {
    words.flat_map(u64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn of_mesh(mesh: &Mesh) -> u64 {
    let places = mesh.vertices().iter().flat_map(|p| p.to_array().map(f64::to_bits));
    let corners = mesh.triangles().iter().flat_map(|t| t.map(u64::from));
    hash(places.chain(corners))
}

fn of_clips(clips: &[Clip]) -> u64 {
    let values = clips.iter().flat_map(Clip::tracks).flat_map(|track| &track.values);
    hash(values.map(|value| value.to_bits()))
}

#[test]
fn shapes_and_gaits_are_the_same_bits_everywhere() {
    let found: Vec<(u64, u64)> = both()
        .iter()
        .map(|rig| (of_mesh(&rig.parts[0].mesh), of_clips(&rig.clips)))
        .chain([(of_mesh(&monkey_head(1)), 0)])
        .collect();
    let expected = [
        (0xc7df_d848_81af_ed82, 0x097a_d8de_4a2b_68a2),
        (0xeac3_e266_18ba_d88d, 0xe53f_2905_e07e_aaa4),
        (0x2d85_31f0_538c_4310, 0),
    ];
    assert_eq!(found, expected, "found {found:#x?}");
}
