//! Where results go: files by the endings of their names, and streams that are written while the work goes on.
//!
//! Text that can be written frame by frame is ([`ndjson`], [`csv`]); what cannot ([`parquet`]) is spooled beside the file as rows and made at the end,
//! of the whole or of as much as there is. So memory does not grow with frames, and what was written can be cut back to the last whole frame that
//! is on record ([`tape`]).

mod csv;
mod ndjson;
#[cfg(feature = "parquet")]
mod parquet;
mod rows;
mod tape;

use std::io;
use std::path::{Path, PathBuf};

use crate::account::Account;
use crate::args::CheckArgs;
use crate::cast::Cast;
use crate::record::Mark;
use crate::report::FrameReport;
use crate::save::refusal;
use crate::words::Refusal;

/// A form that is written while the work goes on.
pub(crate) trait Stream {
    /// What was found in the next frame.
    fn frame(&mut self, cast: &Cast, report: &FrameReport) -> io::Result<()>;

    /// Hands all that was written to the system, and says how long its files are.
    fn settle(&mut self) -> io::Result<Vec<Mark>>;

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
}

const ENDINGS: &str = ".html, .json, .ndjson, .csv or .parquet";

impl Targets {
    /// What was asked for.
    ///
    /// # Errors
    /// If a file cannot be written so, or something was asked for that nobody writes.
    pub(crate) fn new(args: &CheckArgs) -> Result<Self, Refusal> {
        let form = match (args.json, args.ndjson, args.quiet) {
            (true, ..) => Form::Json,
            (_, true, _) => Form::Ndjson,
            (.., true) => Form::Nothing,
            _ => Form::Table,
        };
        let mut files = Vec::new();
        for path in &args.outputs {
            if files.iter().any(|(_, other)| other == path) {
                return Err(refusal(path, "is named twice", "name each file once"));
            }
            if is_read(path, args) {
                let hint = "name another file to write";
                return Err(refusal(path, "is read, and cannot be written as well", hint));
            }
            files.push((kind(path)?, path.clone()));
        }
        let targets = Self { form, files };
        if args.triangles && !targets.lists_triangles() {
            return Err(Refusal {
                problems: vec!["--triangles lists triangles in JSON only".to_owned()],
                hint:
                    "say --json, --ndjson, -o x.json or -o x.ndjson as well; --help tells of them"
                        .to_owned(),
            });
        }
        if args.resume {
            targets.check_resumable()?;
        }
        Ok(targets)
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
                problems: vec![format!("{what} not written so that --resume could go on with it")],
                hint: "write -o x.ndjson, x.csv, x.parquet or x.html alone".to_owned(),
            }),
        }
    }

    /// Opens what is written while the work goes on, anew or cut back to where it was.
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
            let told = told(path);
            match kind {
                Kind::Json | Kind::Html => {}
                Kind::Ndjson => {
                    streams.push(Box::new(ndjson::Ndjson::open(cast, path, marks).map_err(told)?));
                }
                Kind::Csv => {
                    let stream = csv::Csv::open(path, is_continuous, marks);
                    streams.push(Box::new(stream.map_err(told)?));
                }
                #[cfg(feature = "parquet")]
                Kind::Parquet => {
                    let stream = parquet::Parquet::open(path, is_continuous, marks);
                    streams.push(Box::new(stream.map_err(told)?));
                }
                #[cfg(not(feature = "parquet"))]
                Kind::Parquet => {}
            }
        }
        Ok(streams)
    }
}

fn kind(path: &Path) -> Result<Kind, Refusal> {
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

/// Whether a file is one of those that are read.
fn is_read(path: &Path, args: &CheckArgs) -> bool {
    let same = |other: &PathBuf| {
        let whole = |path: &Path| path.canonicalize().ok();
        path == other || (whole(path).is_some() && whole(path) == whole(other))
    };
    args.files.iter().chain(&args.poses).any(same)
}

/// The file beside one that holds something else of the same run: `x.incidents.csv`.
fn beside(path: &Path, what: &str) -> PathBuf {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    path.with_extension(format!("{what}.{ending}"))
}
