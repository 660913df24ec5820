//! FBX in a build without it: says how to come by it.

use std::path::Path;

use crate::document::{Document, ReadOptions};
use crate::error::{Fault, ParseError};

/// Refuses every file.
///
/// # Errors
/// Always: says how to build what reads it.
pub fn parse(
    _bytes: &[u8],
    _folder: Option<&Path>,
    _options: &ReadOptions,
) -> Result<Document, ParseError> {
    let message = "this program reads no FBX; build it with the feature `fbx`, which is there without --no-default-features, or convert the file to .glb";
    Err(Fault::whole(message).in_text(&[]))
}
