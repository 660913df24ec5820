//! The report that a check without files writes by itself, so that a first-time user has something
//! to look at.
//!
//! It is never worth a failure: where the folder cannot be written to, or something else lies
//! there, that is said and the answer stands.

use std::path::Path;

use crate::args::CheckArgs;
use crate::messages::{self, count};
use crate::save;

/// Where it goes: the folder in which the program was called.
const NAME: &str = "elbowroom-report.html";

/// Whether there is to be one: nothing was named, neither to read nor to write, and a person reads
/// what is printed.
pub(crate) fn is_wanted(args: &CheckArgs) -> bool {
    let is_for_people = !(args.json || args.ndjson || args.quiet);
    args.files.is_empty() && args.outputs.is_empty() && is_for_people
}

/// Writes it, unless something else lies there.
pub(crate) fn write(page: &[u8]) {
    let path = Path::new(NAME);
    match std::fs::read(path) {
        Ok(bytes) if !super::is_report(&bytes) => {
            messages::note(&format!(
                "{NAME} exists and is not a report, so no report was written; name another file with -o FILE.html"
            ));
            return;
        }
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            messages::note(&format!(
                "{NAME} exists and cannot be read, so no report was written: {error}"
            ));
            return;
        }
        _ => {}
    }
    match save::write(path, page) {
        Ok(()) => {
            let size = count(page.len().div_ceil(1000) as u64, "kilobyte");
            messages::note(&format!(
                "wrote {NAME} ({size}): open it in a browser, or with `elbowroom view {NAME}`"
            ));
        }
        Err(failure) => messages::note(&format!("no report was written: {}", failure.text())),
    }
}
