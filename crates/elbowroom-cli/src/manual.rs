//! Completions for shells and pages for `man`, made from the same definitions that parse the
//! command line.

use std::io::{self, Write};
use std::path::PathBuf;

use clap_complete::Shell;

use crate::messages;
use crate::outcome::Outcome;

const COMPLETIONS: &str = "\
Examples:
  elbowroom completions bash \\
    > ~/.local/share/bash-completion/completions/elbowroom
  elbowroom completions zsh > ~/.zfunc/_elbowroom
  elbowroom completions fish > ~/.config/fish/completions/elbowroom.fish";

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = COMPLETIONS)]
pub(crate) struct CompletionsArgs {
    /// Shell to write for
    #[arg(value_enum)]
    shell: Shell,
}

/// Write man pages, one for each command
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  elbowroom man ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// Folder to write to; it is made if needed
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(crate) fn completions(args: &CompletionsArgs, mut program: clap::Command) -> Outcome {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut program, "elbowroom", &mut text);
    // A reader who has seen enough is not an error.
    let _ = io::stdout().write_all(&text);
    Outcome::Clean
}

pub(crate) fn man(args: &ManArgs, program: clap::Command) -> Outcome {
    let written = std::fs::create_dir_all(&args.folder)
        .and_then(|()| clap_mangen::generate_to(program, &args.folder));
    match written {
        Ok(()) => Outcome::Clean,
        Err(error) => {
            messages::error(&format!("{}: could not be written: {error}", args.folder.display()));
            messages::hint("name a folder that can be written to");
            Outcome::BadInput
        }
    }
}
