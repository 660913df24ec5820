//! Writes the conformance suite as lines of JSON, and elbowroom's answers to it.
//!
//! ```text
//! elbowroom-conformance export SUITE.jsonl     every scene, its meshes and its questions
//! elbowroom-conformance answer ANSWERS.jsonl   `id` and `answers`, in the order of the questions; null is no answer
//! ```

use elbowroom_testkit::conformance::{Scene, answer, export, load};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Error, Write};
use std::process::ExitCode;

// The engine is the test's own, so that there is one place where the library's answers are plugged
// in.
#[path = "../../../../crates/elbowroom-tests/tests/exact/conformance/ours.rs"]
#[allow(unreachable_pub)]
mod ours;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["export", file] => write(file, |to| export(&load(), to)),
        ["answer", file] => write(file, |to| answers(&load(), to)),
        _ => Err(Error::other("usage: elbowroom-conformance export|answer FILE")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("elbowroom-conformance: {error}");
            ExitCode::from(2)
        }
    }
}

fn write(
    file: &str,
    what: impl FnOnce(&mut BufWriter<File>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut to = BufWriter::new(File::create(file)?);
    what(&mut to)?;
    to.flush()
}

fn answers(scenes: &[Scene], to: &mut impl Write) -> Result<(), Error> {
    let mut engine = ours::Ours::default();
    for (id, scene) in scenes.iter().enumerate() {
        let mut given = Vec::with_capacity(scene.questions.len());
        for (question, _) in &scene.questions {
            given.push(answer(&mut engine, scene, question).map_or(Value::Null, |a| a.value()));
        }
        writeln!(to, "{}", json!({"id": id, "answers": given}))?;
    }
    Ok(())
}
