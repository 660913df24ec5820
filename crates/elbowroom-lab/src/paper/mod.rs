//! The papers, and what each of them says.
//!
//! A [`Paper`] has a short introduction (what it did, what is lost of it, how it is rebuilt here)
//! and its [`Row`]s: everything that it says and that can be looked into, one sentence each. Each
//! row is given a verdict by a [`Claim`](crate::Claim) of the same name in some experiment.
//! Experiments may check more than that, the same claim on real bodies for one; such claims have
//! other names.

mod bch;
mod cab;
mod common;
mod mobb;
mod obbtree;
mod sbbk;

/// A paper, and what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    /// The short name, as experiments give it: `OBBTree`.
    pub name: &'static str,
    /// What the names of its claims begin with: `OBB`.
    pub prefix: &'static str,
    /// The title.
    pub title: &'static str,
    /// Who wrote it; empty where we did.
    pub authors: &'static str,
    /// Where and when it appeared.
    pub appeared: &'static str,
    /// What the paper did.
    pub did: &'static str,
    /// What of it is lost.
    pub lost: &'static str,
    /// What stands in its place, and what has changed since.
    pub rebuilt: &'static str,
    /// What the paper says, claim by claim.
    pub rows: &'static [Row],
}

/// One thing that a paper says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Paper, place, subject: `OBB-T1-counts`.
    pub id: &'static str,
    /// Where the paper says it.
    pub place: &'static str,
    /// In one sentence.
    pub says: &'static str,
}

impl Row {
    const fn new(id: &'static str, place: &'static str, says: &'static str) -> Self {
        Self { id, place, says }
    }
}

/// The five papers in the order in which this library came to them, then what none of them
/// compares.
pub const PAPERS: &[Paper] =
    &[obbtree::PAPER, cab::PAPER, sbbk::PAPER, bch::PAPER, mobb::PAPER, common::PAPER];

/// Everything that the papers say, in their order.
///
/// ```
/// let places: Vec<&str> = elbowroom_lab::rows().filter(|row| row.id == "OBB-T1-counts").map(|row| row.place).collect();
/// assert_eq!(places, ["Table 1"]);
/// ```
pub fn rows() -> impl Iterator<Item = &'static Row> {
    PAPERS.iter().flat_map(|paper| paper.rows)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn rows_belong_to_their_paper_and_have_names_of_their_own() {
        let mut ids = BTreeSet::new();
        for paper in PAPERS {
            for row in paper.rows {
                assert_eq!(row.id.split('-').next(), Some(paper.prefix), "{}", row.id);
                assert!(ids.insert(row.id), "{} is there twice", row.id);
                assert!(!row.place.is_empty() && !row.says.is_empty(), "{}", row.id);
            }
        }
        assert_eq!(ids.len(), 128);
    }
}
