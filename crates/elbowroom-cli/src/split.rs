//! `--split`: what one file is.

use std::path::Path;

use clap::ValueEnum;
use elbowroom::Mesh;
use elbowroom_io::{Split, split};

use crate::messages::{Refusal, count};

/// How files are split into objects, as it was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SplitArg {
    /// Each set of triangles that hang together by vertices with equal coordinates
    Shells,
    /// The objects (o) of an OBJ, or its groups (g) if it has none; the solids of a text STL
    Groups,
    /// One object
    None,
}

/// What was typed, or what people expect: the objects of an OBJ are objects, and any other mesh is
/// one.
pub(crate) fn wanted(typed: Option<SplitArg>) -> Split {
    match typed {
        Some(SplitArg::Shells) => Split::Shells,
        Some(SplitArg::Groups) => Split::Groups,
        Some(SplitArg::None) => Split::None,
        None => Split::Objects,
    }
}

/// An option that does not go with `--split`.
pub(crate) fn refused(other: &str, hint: &str) -> Refusal {
    Refusal {
        problems: vec![format!("--split cannot be used with {other}")],
        hint: hint.to_owned(),
    }
}

/// A single object: how to check it against itself.
pub(crate) fn alone(name: &str, file: &Path, meshes: &[&Mesh]) -> Refusal {
    let shells: usize = meshes.iter().map(|mesh| split::shell_count(mesh)).sum();
    let file = file.display();
    let by_shells = if shells > 1 {
        format!(
            "; `elbowroom check {file} --split shells` checks its {} against each other",
            count(shells as u64, "shell")
        )
    } else {
        String::new()
    };
    Refusal {
        problems: vec![format!("{name}: is the only object, and it takes two to touch")],
        hint: format!(
            "name what it could touch: `elbowroom check {file} OTHER.obj`; --self compares it with itself{by_shells}"
        ),
    }
}
