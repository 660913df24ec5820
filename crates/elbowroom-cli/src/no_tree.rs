//! `elbowroom tree` in a program that was built without it: says how to come by it.

use crate::messages;
use crate::outcome::Outcome;

/// Build the papers' hierarchies from files (not in this build: it is without the feature `papers`)
#[derive(Debug, clap::Args)]
pub(crate) struct TreeArgs {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

pub(crate) fn run(args: &TreeArgs) -> Outcome {
    messages::error("this program was built without the papers' hierarchies");
    let again = [&["tree".to_owned()], &*args.words].concat().join(" ");
    messages::hint(&format!("build it with the feature `papers`: cargo run --release -- {again}"));
    Outcome::BadInput
}
