//! Does a tree keep what it promises? Tests ask after every operation.

use std::fmt;

use super::column::Column;
use super::source::Source;
use super::topology::{NodeId, Tree};
use crate::internal::volume::Volume;

/// A promise that is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The order is not a permutation of the source's primitives.
    Order,
    /// The column has not one volume a node.
    Column,
    /// The children of a node do not cut its run in two, are not after it or not one level below.
    Children(NodeId),
    /// A node's volume does not contain one of its primitives.
    Outside {
        /// The node.
        node: NodeId,
        /// The primitive.
        primitive: u32,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order => write!(f, "the order is not a permutation of the primitives"),
            Self::Column => write!(f, "the column has not one volume a node"),
            Self::Children(node) => {
                write!(f, "the children of node {} do not partition it", node.0)
            }
            Self::Outside { node, primitive } => {
                write!(f, "the volume of node {} does not contain primitive {primitive}", node.0)
            }
        }
    }
}

impl std::error::Error for Fault {}

/// Checks that the order is a permutation, that children partition their parents and that every
/// volume contains the primitives below it.
///
/// # Errors
/// The first fault.
pub fn validate<V: Volume>(
    tree: &Tree,
    column: &Column<V>,
    source: &impl Source<V>,
) -> Result<(), Fault> {
    check_topology(tree, source.count())?;
    if column.volumes().len() != tree.len() {
        return Err(Fault::Column);
    }
    for node in tree.nodes() {
        let stray = tree.members(node).iter().find(|&&i| !source.is_within(i, &column[node]));
        if let Some(&primitive) = stray {
            return Err(Fault::Outside { node, primitive });
        }
    }
    Ok(())
}

/// Checks that the order is a permutation of the primitives and that children partition their
/// parents.
pub fn check_topology(tree: &Tree, count: usize) -> Result<(), Fault> {
    check_order(tree, count)?;
    let mut reached = 1;
    for node in tree.nodes() {
        if let Some(children) = tree.children(node) {
            check_children(tree, node, children)?;
            reached += 2;
        }
    }
    if reached == tree.len() { Ok(()) } else { Err(Fault::Children(NodeId::ROOT)) }
}

fn check_order(tree: &Tree, count: usize) -> Result<(), Fault> {
    let mut met = vec![false; count];
    for &primitive in tree.order() {
        match met.get_mut(primitive as usize) {
            Some(met) if !*met => *met = true,
            _ => return Err(Fault::Order),
        }
    }
    let whole = tree.members(NodeId::ROOT).len() == count && tree.order().len() == count;
    if whole { Ok(()) } else { Err(Fault::Order) }
}

fn check_children(tree: &Tree, node: NodeId, [left, right]: [NodeId; 2]) -> Result<(), Fault> {
    let in_order = left > node && right.index() < tree.len();
    let good = in_order && {
        let (whole, left_run, right_run) = (tree.run(node), tree.run(left), tree.run(right));
        left_run.start == whole.start
            && left_run.end == right_run.start
            && right_run.end == whole.end
            && !left_run.is_empty()
            && !right_run.is_empty()
            && [left, right].iter().all(|&child| tree.level(child) == tree.level(node) + 1)
    };
    if good { Ok(()) } else { Err(Fault::Children(node)) }
}
