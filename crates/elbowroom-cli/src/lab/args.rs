//! The command line of `elbowroom lab`, as it was typed.

use std::path::PathBuf;

use clap::Subcommand;

/// Repeat the experiments of the five papers, with a verdict on each claim
#[derive(Debug, clap::Args)]
pub(crate) struct LabArgs {
    #[command(subcommand)]
    pub(crate) command: LabCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LabCommand {
    /// List the experiments
    List,
    Run(LabRunArgs),
    Report(LabReportArgs),
}

const LAB_EXAMPLES: &str = "\
Examples:
  elbowroom lab list                         all experiments, by name
  elbowroom lab run obbtree-table1           the operations of the box test,
                                             counted
  elbowroom lab run all --quick --json       all experiments in small, for
                                             programs
  elbowroom lab report --quick               all experiments in small, as a page

Exit code: 0 every claim that has to hold holds, 1 one does not, 2 bad usage, 3
incomplete.";

/// Run experiments, and print their tables and a verdict on each claim
///
/// Counts are the same in every run. Claims about time are marked, and never change the exit code.
#[derive(Debug, clap::Args)]
#[command(after_help = LAB_EXAMPLES)]
pub(crate) struct LabRunArgs {
    /// Experiments, by their names in `lab list`; `all` for every one
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,

    /// Make smaller runs, which decide the same claims in seconds
    #[arg(long)]
    pub(crate) quick: bool,

    /// Print one JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,

    /// Folder of real bodies, which some experiments use beside generated ones
    ///
    /// By default that of `ELBOWROOM_DATA`, else ../shared/data.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}

const LAB_REPORT_EXAMPLES: &str = "\
Examples:
  elbowroom lab report --quick               all in small, in some minutes:
                                             lab-report/index.html
  elbowroom lab report -o docs/lab           all in full
  elbowroom lab report --only CAB            one paper
  elbowroom lab report --only obbtree-fig5   one experiment

Exit code: 0 every claim that has to hold holds, 1 one does not, 2 bad usage, 3
incomplete.";

/// Run all experiments, and write a page with the papers' numbers beside ours and all verdicts
///
/// Writes index.html, which needs no other file, charts/ and pictures/, report.json for programs,
/// and a summary: README.md for a code host, and verdicts.json. Results are cached, so that an
/// interrupted report continues; they are valid for the same program, machine and data only.
#[derive(Debug, clap::Args)]
#[command(after_help = LAB_REPORT_EXAMPLES)]
pub(crate) struct LabReportArgs {
    /// Make smaller runs, which decide the same claims in minutes
    #[arg(long)]
    pub(crate) quick: bool,

    /// Folder to write to; it is made if needed, and files in it are overwritten
    #[arg(short, long, value_name = "DIR", default_value = "lab-report")]
    pub(crate) output: PathBuf,

    /// Folder of real bodies, which some experiments use beside generated ones
    ///
    /// By default that of `ELBOWROOM_DATA`, else ../shared/data.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,

    /// Run everything again, without cached results
    #[arg(long)]
    pub(crate) fresh: bool,

    /// One paper or one experiment, by its name in `lab list`; can be repeated
    #[arg(long, value_name = "PAPER|ID")]
    pub(crate) only: Vec<String>,

    /// Folder of cached results
    ///
    /// By default elbowroom/lab in the system's cache folder, else .cache in DIR.
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
}
