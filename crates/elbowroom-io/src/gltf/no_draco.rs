//! In place of the decoder of Draco in a build without the feature `draco`.

use crate::error::Fault;

use super::accessor::Accessors;
use super::schema::{Draco, Primitive};

/// Refuses a compressed primitive, and says what to do.
pub(super) fn supply(
    _: &Draco,
    _: &Primitive,
    _: &Accessors<'_>,
    place: &str,
) -> Result<(), Fault> {
    Err(Fault::whole(format!(
        "{place} is compressed with Draco, which this build does not read; export with mesh compression off, or build with the feature \"draco\""
    )))
}
