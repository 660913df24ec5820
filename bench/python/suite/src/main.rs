//! Writes the conformance suite as lines of JSON: `elbowroom-suite SUITE.jsonl`.

use std::fs::File;
use std::io::{BufWriter, Error, Write};

use elbowroom_testkit::conformance::{export, load};

fn main() -> Result<(), Error> {
    let file =
        std::env::args().nth(1).ok_or_else(|| Error::other("usage: elbowroom-suite FILE"))?;
    let mut to = BufWriter::new(File::create(file)?);
    export(&load(), &mut to)?;
    to.flush()
}
