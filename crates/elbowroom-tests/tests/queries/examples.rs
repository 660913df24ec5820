//! Every example program runs, ends well and says something. `cargo test --workspace` builds them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Longer ones are not first programs.
const MOST_LINES: usize = 40;

fn examples() -> Vec<(String, PathBuf)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for krate in ["elbowroom", "elbowroom-motion", "elbowroom-papers"] {
        let Ok(folder) = crates.join(krate).join("examples").read_dir() else { continue };
        for entry in folder {
            let path = entry.expect("readable").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            found.push((name, path));
        }
    }
    found.sort();
    found
}

#[test]
fn examples_run() {
    let program = std::env::current_exe().expect("a path");
    let built = program.parent().and_then(Path::parent).expect("in deps").join("examples");
    let examples = examples();
    for (name, source) in &examples {
        let lines = std::fs::read_to_string(source).expect("readable").lines().count();
        assert!(lines <= MOST_LINES, "{name} has {lines} lines");
        let example = built.join(name).with_extension(std::env::consts::EXE_EXTENSION);
        assert!(example.exists(), "{name} is not built: cargo build --workspace --examples");
        let run = Command::new(&example).output().expect("it starts");
        assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
        assert!(!run.stdout.is_empty(), "{name} prints nothing");
    }
    assert!(examples.len() >= 19, "{}", examples.len());
}
