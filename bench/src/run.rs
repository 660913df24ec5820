//! A run: which workloads and engines, then rounds, verdicts, table and record.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use elbowroom_bench_protocol::files::Workload;

use crate::Failure;
use crate::definition::{Definition, Expected, Question, Work};
use crate::engine::{Engine, NAMES, Playing};
use crate::machine::Machine;
use crate::record::Report;
use crate::rivals::{Field, Kit};
use crate::rounds::{Effort, take_turns};
use crate::verdict::Outcome;

/// What to run and how thoroughly.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// Workload files to use instead of the bench's own, where they have the name.
    #[arg(long, value_name = "DIR")]
    workloads: Option<PathBuf>,
    /// One round, without the slowest engines and the largest meshes; leaves no record.
    #[arg(long)]
    quick: bool,
    /// Only workloads whose name begins so, such as W3; may be given again. Leaves no record.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Only these engines beside ours, with commas between. Leaves no record.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    engines: Vec<String>,
    /// How many rounds; 5, or 1 in a quick run.
    #[arg(long)]
    rounds: Option<usize>,
    /// Use only rivals that are installed.
    #[arg(long)]
    no_install: bool,
    /// Write the record into this directory, whatever was run.
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
}

impl Options {
    fn effort(&self) -> Effort {
        let usual = if self.quick { 1 } else { 5 };
        Effort {
            rounds: self.rounds.unwrap_or(usual),
            least: if self.quick { 0.02 } else { 0.1 },
            patience: 20.0,
        }
    }

    fn wants_work(&self, work: &Work) -> bool {
        self.only.is_empty() || self.only.iter().any(|start| work.name.starts_with(start))
    }

    fn wants_engine(&self, name: &str) -> bool {
        name == "ours"
            || self.engines.is_empty()
            || self.engines.iter().any(|wanted| wanted == name)
    }

    /// Where the record goes, if there is to be one.
    fn record_directory(&self, root: &Path) -> Option<PathBuf> {
        let is_whole = !self.quick && self.only.is_empty() && self.engines.is_empty();
        self.record.clone().or_else(|| is_whole.then(|| root.join("records")))
    }
}

/// The bench's own directory.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Where the bench builds and writes: beside what cargo builds.
fn work_directory() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| root().join("target")).join("bench")
}

/// Runs the definitions; false if ours gave a wrong answer.
pub(crate) fn run(options: &Options) -> Result<bool, Failure> {
    if let Some(unknown) = options.engines.iter().find(|name| !NAMES.contains(&name.as_str())) {
        return Err(Failure::new(format!("no engine {unknown}; there are {}", NAMES.join(", "))));
    }
    let root = root();
    let definitions = Definition::read_all(&root.join("definitions"))?;
    let kit = Kit { root: root.clone(), work: work_directory(), may_install: !options.no_install };
    let mut bench = Bench {
        options,
        own: kit.work.join("own"),
        field: kit.field(&needed(&definitions, options))?,
        report: Report::new(Machine::look(&root)),
    };
    fs::create_dir_all(&bench.own)?;
    bench.report.absent = bench.field.absent.iter().map(|(n, why)| format!("{n}: {why}")).collect();
    for definition in &definitions {
        for work in definition.works(options.quick).filter(|work| options.wants_work(work)) {
            bench.play(definition, work)?;
        }
    }
    if bench.report.outcomes.is_empty() {
        return Err(Failure::new("there is no such workload; definitions/ has them all"));
    }
    bench.weigh(&kit);
    let report = bench.report;
    print!("{}", report.markdown());
    if let Some(directory) = options.record_directory(&root) {
        let path = report.write(&directory)?;
        eprintln!("record: {}", path.display());
    }
    Ok(report.complaints().is_empty())
}

/// The engines that any of the workloads asks for.
fn needed(definitions: &[Definition], options: &Options) -> Vec<&'static str> {
    let asked = |name: &&'static str| {
        definitions.iter().any(|definition| {
            definition
                .works(options.quick)
                .filter(|work| options.wants_work(work))
                .any(|work| definition.engines(work, options.quick).contains(name))
        })
    };
    NAMES.into_iter().filter(|name| options.wants_engine(name)).filter(asked).collect()
}

struct Bench<'a> {
    options: &'a Options,
    /// Where our own workloads are written.
    own: PathBuf,
    field: Field,
    report: Report,
}

impl Bench<'_> {
    /// All questions of a workload.
    fn play(&mut self, definition: &Definition, work: &Work) -> Result<(), Failure> {
        let (directory, workload) = self.find(&work.name)?;
        let digest = format!("{:016x}", workload.digest());
        let known = work.expected.iter().find(|expected| expected.digest == digest);
        let set = known.map_or("unknown", |expected| expected.set.as_str()).to_owned();
        let named = definition.engines(work, self.options.quick);
        let taking_part = |engine: &&Engine| named.contains(&engine.name);
        let mut players = Vec::new();
        for engine in self.field.engines.iter().filter(taking_part) {
            eprintln!("{}: {} gets ready", work.name, engine.name);
            match engine.start(&directory, &work.name) {
                Ok(player) => players.push(player),
                Err(failure) => self.report.notes.push(format!("{}: {failure}", work.name)),
            }
        }
        self.note_bytes(&work.name, &players);
        for &question in &work.questions {
            eprintln!("{}: {}", work.name, question.word());
            let names = [work.name.clone(), set.clone(), digest.clone()];
            let effort = self.options.effort();
            let turns = take_turns(&mut players, question, effort, &mut self.report.notes);
            let size = size(&workload, question);
            let outcome = Outcome::new(names, question, size, known, turns);
            self.report.outcomes.push(Outcome { aside: definition.aside, ..outcome });
        }
        let family = work.name.split('_').next().unwrap_or(&work.name).to_owned();
        self.report.titles.insert(family, definition.title.clone());
        Ok(())
    }

    /// The workload's files: those given, or our own, written again.
    fn find(&self, name: &str) -> Result<(PathBuf, Workload), Failure> {
        if let Some(given) = &self.options.workloads {
            if given.join(format!("{name}.q")).exists() {
                return Ok((given.clone(), Workload::read(given, name)?));
            }
            eprintln!("{name}: not in {}, so it is our own", given.display());
        }
        let made = crate::scenes::make(name)
            .ok_or_else(|| Failure::new(format!("no rule makes the workload {name}")))?;
        made.write(&self.own, name)?;
        Ok((self.own.clone(), made))
    }

    fn note_bytes(&mut self, work: &str, players: &[Playing]) {
        for player in players {
            if let Some(bytes) = player.ready.bytes {
                let each = bytes as f64 / player.ready.triangles as f64;
                self.report.bytes.entry(work.to_owned()).or_default().insert(player.name, each);
            }
        }
    }

    /// Bytes of our models and parry's, which other programs measure, for every mesh that was
    /// built.
    fn weigh(&mut self, kit: &Kit) {
        let builds: Vec<String> = self
            .report
            .outcomes
            .iter()
            .filter(|outcome| outcome.question == Question::Build.word())
            .map(|outcome| outcome.workload.clone())
            .collect();
        for name in builds {
            if let Err(failure) = self.weigh_one(kit, &name) {
                self.report.notes.push(format!("bytes of {name}: {failure}"));
            }
        }
    }

    fn weigh_one(&mut self, kit: &Kit, name: &str) -> Result<(), Failure> {
        let given = self.options.workloads.as_ref();
        let given = given.filter(|given| given.join(format!("{name}.q")).exists());
        let directory = given.unwrap_or(&self.own).clone();
        let workload = Workload::read(&directory, name)?;
        let (Some(mesh), Some(first)) = (workload.names.first(), workload.meshes.first()) else {
            return Ok(());
        };
        let each = |bytes: f64| bytes / first.triangles.len() as f64;
        let mut entries = BTreeMap::new();
        let ours = numbers(&kit.model_bytes()?, &directory, mesh)?;
        entries.insert("ours", each(ours[0]));
        entries.insert("ours: mesh", each(ours[1]));
        if self.field.engines.iter().any(|engine| engine.name == "parry-f32") {
            let parry = numbers(&kit.parry("parry-bytes")?, &directory, mesh)?;
            entries.insert("parry-f32", each(parry[0]));
            entries.insert("parry-f64", each(parry[1]));
        }
        self.report.bytes.entry(name.to_owned()).or_default().append(&mut entries);
        Ok(())
    }
}

/// How many things a question is about.
fn size(workload: &Workload, question: Question) -> usize {
    match question {
        Question::Boolean | Question::All | Question::Distance => workload.queries.len(),
        Question::World => workload.bodies.len(),
        Question::Build => workload.meshes.first().map_or(0, |mesh| mesh.triangles.len()),
    }
}

/// The two numbers that a program prints about a mesh.
fn numbers(program: &Path, directory: &Path, mesh: &str) -> Result<[f64; 2], Failure> {
    let output = Command::new(program).arg(directory).arg(mesh).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    <[f64; 2]>::try_from(numbers)
        .map_err(|_| Failure::new(format!("{} printed {text:?}", program.display())))
}

/// Writes our own workloads.
pub(crate) fn make_all(directory: &Path) -> Result<(), Failure> {
    fs::create_dir_all(directory)?;
    for definition in Definition::read_all(&root().join("definitions"))? {
        for work in definition.works(false) {
            if let Some(workload) = crate::scenes::make(&work.name) {
                workload.write(directory, &work.name)?;
                println!("{}: {} queries", work.name, workload.queries.len());
            }
        }
    }
    Ok(())
}

/// Counts a directory's workloads with our reference engine and prints them as definitions have
/// them.
pub(crate) fn digest_all(directory: &Path) -> Result<(), Failure> {
    let reference = Engine {
        name: "reference",
        command: vec![
            std::env::current_exe()?.display().to_string(),
            "play".to_owned(),
            "reference".to_owned(),
        ],
    };
    for definition in Definition::read_all(&root().join("definitions"))? {
        for work in definition.works(false) {
            let is_asked = work.questions != [Question::Build];
            if !is_asked || !directory.join(format!("{}.q", work.name)).exists() {
                continue;
            }
            let digest = format!("{:016x}", Workload::read(directory, &work.name)?.digest());
            let mut player = reference.start(directory, &work.name)?;
            let mut sum = |question: Question| -> Result<u64, Failure> {
                let asked = work.questions.contains(&question);
                let reply = if asked { player.ask(question, 0.0)? } else { None };
                Ok(reply.map_or(0, |reply| reply.answers.iter().sum()))
            };
            let expected = Expected {
                set: "?".to_owned(),
                digest,
                touching: sum(Question::Boolean)?,
                pairs: sum(Question::All)?,
                world: sum(Question::World)?,
                distance: Some(sum(Question::Distance)?),
            };
            println!("{}: {expected:?}", work.name);
        }
    }
    Ok(())
}
