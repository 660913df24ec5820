//! Runs the built program in a directory of its own.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use elbowroom::Mesh;
use tempfile::TempDir;

/// A directory with files in it, gone when dropped.
pub(crate) struct Desk {
    directory: TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory for the test's files");
        Self { directory }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, bytes).expect("the test's file can be written");
        path
    }

    pub(crate) fn put_obj(&self, name: &str, mesh: &Mesh) -> PathBuf {
        self.put(name, obj(mesh))
    }

    /// The program, ready to run in this directory.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
        command.current_dir(self.path()).args(arguments);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        Run::from(self.command(arguments).output().expect("the program runs"))
    }
}

/// How a run ended and what it said.
#[derive(Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Self {
            code: output.status.code().expect("not ended by a signal"),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

impl Run {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).expect("stdout is one JSON object")
    }

    /// The JSON, which keeps the schema of that name.
    #[track_caller]
    pub(crate) fn checked(&self, schema: &str) -> serde_json::Value {
        let json = self.json();
        keeps_schema(&json, schema);
        json
    }
}

/// A schema is a promise: everything that is printed or written keeps it.
#[track_caller]
pub(crate) fn keeps_schema(json: &serde_json::Value, name: &str) {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
    let schema = fs::read_to_string(format!("{docs}/{name}.schema.json"));
    let schema = serde_json::from_str(&schema.expect("the schema is beside its page"));
    let schema = jsonschema::validator_for(&schema.expect("JSON")).expect("a schema");
    let faults: Vec<String> = schema.iter_errors(json).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?} in {json}");
}

/// A capture of someone who walks along z by 5 cm a frame, at 30 frames a second; metres, Y up. The
/// head ends at an offset from its joint.
pub(crate) fn walk(frames: usize, head: &str) -> String {
    let mut text = format!(
        "HIERARCHY\nROOT Hips\n{{\n  OFFSET 0 0 0\n  \
         CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n  \
         JOINT Head\n  {{\n    OFFSET 0 0.7 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n    \
         End Site\n    {{\n      OFFSET {head}\n    }}\n  }}\n}}\n"
    );
    writeln!(text, "MOTION\nFrames: {frames}\nFrame Time: 0.0333333333").expect("a string");
    for frame in 0..frames {
        // The head is turned, so that no frame is a rest pose.
        writeln!(text, "0 1 {} 0 0 0 0 0 20", 0.05 * frame as f64).expect("a string");
    }
    text
}

/// The text of an OBJ file; f64 is written with as many digits as it takes to read it back.
pub(crate) fn obj(mesh: &Mesh) -> String {
    let mut text = String::new();
    for v in mesh.vertices() {
        writeln!(text, "v {} {} {}", v.x, v.y, v.z).expect("strings take what is written");
    }
    for t in mesh.triangles() {
        let [a, b, c] = t.map(|corner| corner + 1);
        writeln!(text, "f {a} {b} {c}").expect("strings take what is written");
    }
    text
}

/// A pose without rotation, as the pose file has it.
pub(crate) fn shift(x: f64, y: f64, z: f64) -> String {
    format!("[[1,0,0,{x}],[0,1,0,{y}],[0,0,1,{z}],[0,0,0,1]]")
}
