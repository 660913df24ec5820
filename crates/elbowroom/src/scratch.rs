//! Memory that queries use while they run, one per thread.
//!
//! A query takes the memory of its thread and puts it back when it ends. A query inside of a
//! visitor of another one finds none and makes its own; one that unwinds (an interrupt) leaves none
//! behind.

use std::cell::Cell;

use crate::internal::query::Steps;
use crate::internal::traverse::Workspace;

/// Memory for every kind of query.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) workspace: Workspace,
    pub(crate) steps: Steps,
}

thread_local! {
    static KEPT: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// Runs a query with the memory of this thread.
pub(crate) fn with<T>(query: impl FnOnce(&mut Scratch) -> T) -> T {
    let mut scratch = KEPT.take().unwrap_or_default();
    let result = query(&mut scratch);
    KEPT.set(Some(scratch));
    result
}

/// Runs a query with the workspace of this thread.
pub(crate) fn workspace<T>(query: impl FnOnce(&mut Workspace) -> T) -> T {
    with(|scratch| query(&mut scratch.workspace))
}
