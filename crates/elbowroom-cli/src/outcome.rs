//! How the program ends.

use std::process::ExitCode;

/// What the exit code says; the numbers are part of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All was examined and nothing found, or the user asked not to be told by the exit code.
    Clean = 0,
    /// All was examined, and there are contacts.
    Contacts = 1,
    /// Nothing was examined: the input or the command line is bad.
    BadInput = 2,
    /// Something is missing from the result.
    Incomplete = 3,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(outcome as u8)
    }
}
