//! `elbowroom lab` in a program that was built without it: says how to come by it.

use crate::messages;
use crate::outcome::Outcome;

/// Repeat the experiments of the five papers (not in this build, which lacks the feature `lab`)
#[derive(Debug, clap::Args)]
pub(crate) struct LabArgs {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

pub(crate) fn run(args: &LabArgs) -> Outcome {
    messages::error("this program was built without the lab");
    let again = [&["lab".to_owned()], &*args.words].concat().join(" ");
    messages::hint(&format!("build it with the feature `lab`: cargo run --release -- {again}"));
    Outcome::BadInput
}
