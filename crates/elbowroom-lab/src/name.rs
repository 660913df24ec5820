//! Names of experiments, claims and charts that come back from a file.
//!
//! Where they are made they are part of the program, `&'static str`; what is read is kept for as
//! long as the program runs, each name once. There are a few hundred of them.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Deserializer};

/// A name. Serde takes a `&str` in a struct for borrowed from the input; under another name it asks
/// [`kept`].
pub(crate) type Name = &'static str;

/// Reads a name and keeps it.
pub(crate) fn kept<'de, D: Deserializer<'de>>(from: D) -> Result<Name, D::Error> {
    static NAMES: Mutex<BTreeSet<Name>> = Mutex::new(BTreeSet::new());
    let text = String::deserialize(from)?;
    // A set that someone left while adding to it is still a set of names.
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(name) = names.get(text.as_str()) {
        return Ok(name);
    }
    let name: Name = Box::leak(text.into_boxed_str());
    names.insert(name);
    Ok(name)
}
