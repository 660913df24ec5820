//! What holds for whatever a reader of rigs accepts: it validates, it poses, and it can be written
//! unless a number is too large for f32.

use std::path::Path;

use elbowroom_io::{Document, ParseError, ReadOptions, glb_out};
use elbowroom_motion::body::Poser;

pub fn check(
    parse: fn(&[u8], Option<&Path>, &ReadOptions) -> Result<Document, ParseError>,
    bytes: &[u8],
) {
    let options = ReadOptions { max_decoded_bytes: 16 << 20, ..ReadOptions::default() };
    let document = match parse(bytes, None, &options) {
        Ok(document) => document,
        Err(error) => {
            assert!(!error.message().is_empty());
            return;
        }
    };
    let mut poser = Poser::new();
    let mut out = Vec::new();
    for rig in &document.rigs {
        rig.validate().expect("what a reader hands out is sound");
        let mut pose = rig.rest_pose();
        for clip in &rig.clips {
            clip.sample(clip.start() + 0.4 * clip.seconds(), &mut pose);
        }
        for part in 0..rig.parts.len() {
            rig.posed(&pose, part, &mut poser, &mut out);
        }
    }
    if let Ok(written) = glb_out::to_bytes(&document.rigs) {
        elbowroom_io::gltf::parse(&written, None, &ReadOptions::default())
            .expect("what is written can be read");
    }
}
