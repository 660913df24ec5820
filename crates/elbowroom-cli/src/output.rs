//! Where results go: files by the endings of their names, and streams that are written while the
//! work goes on.
//!
//! Text that can be written frame by frame is ([`ndjson`], [`csv`]); what cannot ([`parquet`]) is
//! spooled beside the file as rows and made at the end, of the whole or of as much as there is. So
//! memory does not grow with frames, and what was written can be cut back to the last whole frame
//! that is on record ([`tape`]).

pub(crate) mod base64;
mod csv;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod json_format;
mod ndjson;
#[cfg(feature = "parquet")]
mod parquet;
pub(crate) mod picture;
pub(crate) mod rows;
pub(crate) mod table;
mod tape;

use std::io;
use std::path::{Path, PathBuf};

use elbowroom_io::opened;
use serde::{Deserialize, Serialize};

use crate::args::CheckArgs;
use crate::messages::Refusal;
use crate::result::cast::Cast;
use crate::result::frame::FrameReport;
use crate::result::totals::Account;
use crate::save::{self, refusal};

/// What had been written of an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// The output, as it was named.
    pub(crate) path: String,
    /// The name of the file while it was written, beside its place.
    pub(crate) part: String,
    pub(crate) bytes: u64,
    /// A checksum of these bytes.
    pub(crate) sum: u64,
}

/// The place of the record of an output.
pub(crate) fn path_beside(output: &Path) -> PathBuf {
    let mut path = output.as_os_str().to_owned();
    path.push(".progress");
    path.into()
}

/// Whether a name is that of a table of rows.
pub(crate) fn is_table(path: &Path) -> bool {
    matches!(kind(path), Ok(Kind::Csv | Kind::Parquet))
}

/// Writes a table of rows, as the ending of its name says; facts about it where there is a place
/// for them.
pub(crate) fn write_table(
    path: &Path,
    columns: rows::Columns,
    facts: &[(&str, String)],
    rows: &mut dyn Iterator<Item = io::Result<Vec<rows::Cell>>>,
) -> io::Result<()> {
    #[cfg(feature = "parquet")]
    if matches!(kind(path), Ok(Kind::Parquet)) {
        return parquet::write(path, columns, facts, rows);
    }
    let _ = facts;
    csv::write(path, columns, rows)
}

/// Reads the columns of a table that was written as Parquet.
#[cfg(feature = "parquet")]
pub(crate) use parquet::read as read_table;

/// Reads no table: this program was built without Parquet.
#[cfg(not(feature = "parquet"))]
pub(crate) fn read_table(_: &Path, _: rows::Columns) -> io::Result<Vec<Vec<rows::Cell>>> {
    Err(io::Error::other("cannot be read: this program was built without the feature parquet"))
}

/// A form that is written while the work goes on.
pub(crate) trait Stream {
    /// What was found in the next frame.
    fn frame(&mut self, cast: &Cast, report: &FrameReport) -> io::Result<()>;

    /// Hands all that was written to the system, and says how long its files are.
    fn settle(&mut self) -> io::Result<Vec<Mark>>;

    /// Lets what was written stay however the run ends: it is on record.
    fn keep(&mut self);

    /// Writes what comes at the end: of the whole, or of as much as there is.
    fn end(&mut self, cast: &Cast, account: &Account) -> io::Result<()>;

    /// Takes away what was written.
    fn discard(&mut self);
}

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Table,
    Json,
    Ndjson,
    Nothing,
}

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Json,
    Ndjson,
    Csv,
    Parquet,
    Html,
}

/// All that is to be written.
#[derive(Clone, Debug)]
pub(crate) struct Targets {
    pub(crate) form: Form,
    pub(crate) files: Vec<(Kind, PathBuf)>,
    is_continuous: bool,
}

const ENDINGS: &str = ".html, .json, .ndjson, .csv or .parquet";

impl Targets {
    /// What was asked for.
    ///
    /// # Errors
    /// If a file cannot be written so, or a format was asked for that is not written.
    pub(crate) fn new(args: &CheckArgs) -> Result<Self, Refusal> {
        let form = match (args.json, args.ndjson, args.quiet) {
            (true, ..) => Form::Json,
            (_, true, _) => Form::Ndjson,
            (.., true) => Form::Nothing,
            _ => Form::Table,
        };
        let mut files = Vec::new();
        for path in &args.outputs {
            files.push((kind(path)?, path.clone()));
        }
        let targets = Self { form, files, is_continuous: args.continuous };
        if args.triangles && !targets.lists_triangles() {
            return Err(Refusal {
                problems: vec![
                    "--triangles lists triangles in JSON only, and no output is JSON".to_owned(),
                ],
                hint: "add --json, --ndjson, -o x.json or -o x.ndjson; `elbowroom check --help` describes them".to_owned(),
            });
        }
        if args.resume {
            targets.check_resumable()?;
        }
        // These will be read, and are compared by identity like all others.
        args.files.iter().chain(&args.poses).for_each(|path| opened::note(path));
        targets.check_places()?;
        Ok(targets)
    }

    /// All files that may be written, companions and records among them, and beside which output.
    fn paths(&self) -> Vec<(PathBuf, &Path)> {
        let mut paths = Vec::new();
        for (kind, path) in &self.files {
            let mut add = |beside: PathBuf| paths.push((beside, path.as_path()));
            add(path.clone());
            if matches!(kind, Kind::Csv | Kind::Parquet) {
                add(beside(path, "incidents"));
                if self.is_continuous {
                    add(beside(path, "between"));
                }
            }
        }
        if let Some((_, first)) = self.files.first().filter(|_| self.is_resumable()) {
            paths.push((path_beside(first), first));
        }
        paths
    }

    /// Refuses outputs, companions among them, that are read, are named twice or cannot be
    /// written. Asked before anything is read, and again when all files are known.
    ///
    /// # Errors
    /// Names the file and what to do.
    pub(crate) fn check_places(&self) -> Result<(), Refusal> {
        let mut taken: Vec<(PathBuf, &Path)> = Vec::new();
        for (path, output) in self.paths() {
            let real = real(&path);
            if let Some((_, other)) = taken.iter().find(|(taken, _)| *taken == real) {
                let what = if path == output && path == **other {
                    "is named twice".to_owned()
                } else {
                    format!("would be written for {} and for {}", other.display(), output.display())
                };
                return Err(refusal(&path, &what, "give each output a name of its own"));
            }
            taken.push((real, output));
            save::check_outputs([path.as_path()])?;
        }
        Ok(())
    }

    /// Removes what killed runs left beside the outputs.
    pub(crate) fn sweep(&self) {
        for (path, _) in self.paths() {
            save::sweep(&path);
            #[cfg(feature = "parquet")]
            save::sweep(&parquet::rows_of(&path));
        }
    }

    fn lists_triangles(&self) -> bool {
        let is_json = |(kind, _): &(Kind, PathBuf)| matches!(kind, Kind::Json | Kind::Ndjson);
        matches!(self.form, Form::Json | Form::Ndjson) || self.files.iter().any(is_json)
    }

    /// Whether all contacts have to be kept.
    pub(crate) fn keeps(&self) -> bool {
        self.form == Form::Json || self.files.iter().any(|(kind, _)| *kind == Kind::Json)
    }

    /// Whether an interrupted run can be gone on with.
    pub(crate) fn is_resumable(&self) -> bool {
        !self.files.is_empty() && self.check_resumable().is_ok()
    }

    fn check_resumable(&self) -> Result<(), Refusal> {
        let what = match self.form {
            Form::Json => Some("--json is".to_owned()),
            Form::Ndjson => Some("--ndjson is".to_owned()),
            _ => {
                let whole = self.files.iter().find(|(kind, _)| *kind == Kind::Json);
                whole.map(|(_, path)| format!("{} is", path.display()))
            }
        };
        match what {
            None => Ok(()),
            Some(what) => Err(Refusal {
                problems: vec![format!(
                    "{what} written at the end only, so --resume cannot continue it"
                )],
                hint: "write -o x.ndjson, x.csv, x.parquet or x.html alone".to_owned(),
            }),
        }
    }

    /// Opens what is written while the work goes on: new, or cut back to where it was.
    ///
    /// # Errors
    /// Says which file cannot be opened.
    pub(crate) fn open(
        &self,
        cast: &Cast,
        is_continuous: bool,
        marks: Option<&[Mark]>,
    ) -> Result<Vec<Box<dyn Stream>>, String> {
        let mut streams: Vec<Box<dyn Stream>> = Vec::new();
        let told = |path: &Path| {
            let path = path.display().to_string();
            move |error: io::Error| format!("{path}: could not be written: {error}")
        };
        if self.form == Form::Ndjson {
            let stream = ndjson::Ndjson::to_stdout(cast);
            streams.push(Box::new(stream.map_err(told(Path::new("stdout")))?));
        }
        for (kind, path) in &self.files {
            let stream = open(*kind, path, cast, is_continuous, marks).map_err(told(path))?;
            streams.extend(stream);
        }
        Ok(streams)
    }
}

/// Opens what is written frame by frame; nothing of a kind that is written at the end.
pub(crate) fn open(
    kind: Kind,
    path: &Path,
    cast: &Cast,
    is_continuous: bool,
    marks: Option<&[Mark]>,
) -> io::Result<Option<Box<dyn Stream>>> {
    Ok(match kind {
        Kind::Ndjson => Some(Box::new(ndjson::Ndjson::open(cast, path, marks)?)),
        Kind::Csv => Some(Box::new(csv::Csv::open(path, is_continuous, marks)?)),
        #[cfg(feature = "parquet")]
        Kind::Parquet => Some(Box::new(parquet::Parquet::open(path, is_continuous, marks)?)),
        _ => None,
    })
}

pub(crate) fn kind(path: &Path) -> Result<Kind, Refusal> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        _ if path.is_dir() => Err(refusal(path, "is a directory", "name a file to write in it")),
        Some("json") => Ok(Kind::Json),
        Some("ndjson" | "jsonl") => Ok(Kind::Ndjson),
        Some("csv") => Ok(Kind::Csv),
        Some("parquet") if cfg!(feature = "parquet") => Ok(Kind::Parquet),
        Some("parquet") => {
            let hint = "build it with the feature `parquet`, or write .csv";
            Err(refusal(path, "this program was built without Parquet", hint))
        }
        Some("html" | "htm") => Ok(Kind::Html),
        Some(other) => {
            let what = format!("ends in .{other}, which is not written");
            Err(refusal(path, &what, &format!("let the name end in {ENDINGS}")))
        }
        None => Err(refusal(path, "has no ending", &format!("let the name end in {ENDINGS}"))),
    }
}

/// A file by a name that does not depend on links and dots on the way to it.
fn real(path: &Path) -> PathBuf {
    let beside = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(beside).unwrap_or_else(|| path.to_owned())
}

/// The file beside one that holds something else of the same run: `x.incidents.csv`.
pub(crate) fn beside(path: &Path, what: &str) -> PathBuf {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    path.with_extension(format!("{what}.{ending}"))
}
