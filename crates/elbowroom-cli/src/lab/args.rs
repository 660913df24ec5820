//! The command line of `elbowroom lab`, as it was typed.

use std::path::PathBuf;

use clap::Subcommand;

/// Run the experiments of the papers behind this program, and see which of their claims hold
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
  elbowroom lab list                         which there are
  elbowroom lab run obbtree-table1           the operations of the box test, counted
  elbowroom lab run all --quick --json       everything in little time, for programs
  elbowroom lab report --quick               everything in little time, as a page

Exit code: 0 every claim that has to hold does, 1 one does not, 2 bad usage, 3 incomplete.";

/// Run experiments: the tables, and a verdict on every claim
///
/// Counts are the same in every run. Claims that the clock decides are marked, and never change the exit
/// code.
#[derive(Debug, clap::Args)]
#[command(after_help = LAB_EXAMPLES)]
pub(crate) struct LabRunArgs {
    /// Paper and place, as `lab list` names them; `all` for every one
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,

    /// Smaller runs that decide the same claims in seconds
    #[arg(long)]
    pub(crate) quick: bool,

    /// Print one JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,

    /// Folder of real bodies, which some experiments take beside the generated ones [default: that of `ELBOWROOM_DATA`, else ../shared/data]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}

const LAB_REPORT_EXAMPLES: &str = "\
Examples:
  elbowroom lab report --quick               everything small, in some minutes: lab-report/index.html
  elbowroom lab report -o docs/lab           everything in full
  elbowroom lab report --only CAB            one paper
  elbowroom lab report --only obbtree-fig5   one experiment

Exit code: 0 every claim that has to hold does, 1 one does not, 2 bad usage, 3 incomplete.";

/// Run every experiment, and write a page of all that came out: the papers' numbers beside ours, a verdict on every claim
///
/// Writes index.html, which opens by itself, charts/ and pictures/, report.json for programs, and a
/// summary: README.md for a code host, and verdicts.json. Results are kept, so that an interrupted
/// report goes on; they count for this very program, machine and data only.
#[derive(Debug, clap::Args)]
#[command(after_help = LAB_REPORT_EXAMPLES)]
pub(crate) struct LabReportArgs {
    /// Smaller runs that decide the same claims in little time
    #[arg(long)]
    pub(crate) quick: bool,

    /// The folder to write to; it is made if it is not there, and what is in it is written over
    #[arg(short, long, value_name = "DIR", default_value = "lab-report")]
    pub(crate) output: PathBuf,

    /// Folder of real bodies, which some experiments take beside the generated ones [default: that of `ELBOWROOM_DATA`, else ../shared/data]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,

    /// Run everything again, whatever was kept
    #[arg(long)]
    pub(crate) fresh: bool,

    /// One paper or one experiment, as `lab list` names them; may be said several times
    #[arg(long, value_name = "PAPER|ID")]
    pub(crate) only: Vec<String>,

    /// Where results are kept [default: elbowroom/lab in the system's folder for such things, else .cache in DIR]
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
}
