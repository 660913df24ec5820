//! Sample tests by the outcome of a query, and what the mix of outcomes does to their ratio.
//!
//! A query that is clear by the roots tests no sample in any method. One that is clear below them
//! tests all samples of the common time with one box, and few or none in a tree: there the tree
//! gains. One that collides ends at the first pair found, with one box as in a tree, and in a tree
//! it has gone down to a leaf at least: there it gains little. So the ratio of two methods says as
//! much about the mix as about the methods, and the paper prints no mix. But it prints two counts
//! that depend on it, those of one box and of the tree, and two equations give the two shares at
//! which our counts by outcome would add up to the printed ones.

use super::measure::{self, Measured, ONE_LEVEL_STRIDES, Outcome, STRIDES};
use super::paper::{MOBB, ONE_LEVEL, Row};
use crate::{Cell, Claim, Context, Table, Verdict};

/// Shares of queries that pass the roots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mix {
    pub(super) clear: f64,
    pub(super) colliding: f64,
}

impl Mix {
    pub(super) fn at_root(&self) -> f64 {
        1.0 - self.clear - self.colliding
    }
}

impl Measured {
    /// The mix that was asked.
    pub(super) fn mix(&self) -> Mix {
        let share = |outcome: Outcome| {
            self.by_outcome[ONE_LEVEL][outcome as usize].queries as f64 / self.queries as f64
        };
        Mix { clear: share(Outcome::Clear), colliding: share(Outcome::Colliding) }
    }

    /// Sample tests a query that is clear below the roots, and one that collides.
    fn means(&self, method: usize) -> [f64; 2] {
        [Outcome::Clear, Outcome::Colliding]
            .map(|outcome| self.by_outcome[method][outcome as usize].mean_samples())
    }

    /// Sample tests a query at another mix of outcomes.
    pub(super) fn samples_at(&self, method: usize, mix: Mix) -> f64 {
        let [clear, colliding] = self.means(method);
        mix.clear * clear + mix.colliding * colliding
    }

    /// How many times fewer samples a method tests than one box as the paper has it, at a mix.
    pub(super) fn fewer_at(&self, method: usize, mix: Mix) -> f64 {
        self.samples_at(ONE_LEVEL, mix) / self.samples_at(method, mix).max(1e-9)
    }

    /// The mix at which one box and the tree would test as many samples as the paper prints; where
    /// that would need less than no collisions, the mix without any at which one box does.
    pub(super) fn implied(&self, paper: &[Row; 6]) -> Mix {
        let ([o, f], [c, l]) = (self.means(ONE_LEVEL), self.means(MOBB));
        let [one, tree] = [ONE_LEVEL, MOBB].map(|method| paper[method].tests[2]);
        let determinant = o * l - f * c;
        let mix = Mix {
            clear: (one * l - f * tree) / determinant,
            colliding: (o * tree - c * one) / determinant,
        };
        if mix.colliding >= 0.0 && mix.clear >= 0.0 {
            mix
        } else {
            Mix { clear: one / o, colliding: 0.0 }
        }
    }
}

/// How many times fewer samples a tree tests than one box: as asked, and at the mix that the
/// paper's counts imply.
pub(super) fn fewer(
    context: &Context,
    id: &'static str,
    wanted: f64,
    measured: &Measured,
    paper: &[Row; 6],
) -> Claim {
    let (asked, implied) = (measured.mix(), measured.implied(paper));
    let [tree, tree_then] = [asked, implied].map(|mix| measured.fewer_at(MOBB, mix));
    let [strides, strides_then] = [asked, implied].map(|mix| measured.fewer_at(STRIDES, mix));
    let [one, printed] = [ONE_LEVEL, MOBB].map(|method| paper[method].tests[2]);
    let one_box = measured.samples_at(ONE_LEVEL_STRIDES, asked);
    let claim = Claim::gate(id, &format!("A tree tests at least {wanted} times fewer samples than one box."))
        .paper(format!("{one} → {printed}, {:.0} times fewer", one / printed))
        .ours(format!(
            "leaves in strides {strides:.1} times fewer with {:.1} % colliding, {strides_then:.1} with the {:.1} % that the printed counts imply; leaves as in the paper {tree:.1} and \
             {tree_then:.1}; one box with strides tests {:.1} times fewer than without",
            100.0 * asked.colliding,
            100.0 * implied.colliding,
            measured.samples_at(ONE_LEVEL, asked) / one_box.max(1e-9)
        ))
        .verdict(match (tree >= wanted || tree_then >= wanted, strides >= wanted) {
            (true, true) => Verdict::Holds,
            (true, false) | (false, true) => Verdict::HoldsWithAnotherNumber,
            (false, false) => Verdict::DoesNotHold,
        })
        .why(
            "A query that collides ends at its first pair with one box as well, so that only clear ones gain much; and those that pass the roots are near each other for long, because \
             disks of 1.85 m are wider than the way of a short motion and fill the room in which long ones were captured. In strides one pair of samples speaks for its neighbours.",
        );
    // A few thousand queries are too few for a ratio of rare tests.
    Claim { gate: !context.quick, ..claim }
}

/// Sample tests by outcome, and at several mixes.
pub(super) fn tables(name: &str, measured: &Measured, paper: &[Row; 6]) -> [Table; 2] {
    [by_outcome(name, measured), by_mix(name, measured, paper)]
}

fn by_outcome(name: &str, measured: &Measured) -> Table {
    let mut table = Table::new(
        &format!("Sample tests a query by its outcome, {name}"),
        ["method", "clear by the roots", "clear below", "colliding", "all"],
    );
    let mix = measured.mix();
    table.row([
        "share of the queries".into(),
        mix.at_root().into(),
        mix.clear.into(),
        mix.colliding.into(),
        Cell::Missing,
    ]);
    for method in 0..=ONE_LEVEL_STRIDES {
        let [root, ..] = measured.by_outcome[method];
        let [clear, colliding] = measured.means(method);
        table.row([
            measure::name(method).into(),
            root.mean_samples().into(),
            clear.into(),
            colliding.into(),
            measured.tests(method)[2].into(),
        ]);
    }
    table
}

fn by_mix(name: &str, measured: &Measured, paper: &[Row; 6]) -> Table {
    let mut table = Table::new(
        &format!("Fewer sample tests than one box, by the mix of outcomes, {name}"),
        ["mix", "clear below", "colliding", "1 level", "MOBB", "fewer", "strides", "fewer"],
    );
    let asked = measured.mix();
    let passing = asked.clear + asked.colliding;
    let mixes = [
        ("as asked", asked),
        ("as the printed counts imply", measured.implied(paper)),
        ("no collisions", Mix { clear: passing, colliding: 0.0 }),
        ("collisions alone", Mix { clear: 0.0, colliding: passing }),
    ];
    for (what, mix) in mixes {
        let samples = |method| measured.samples_at(method, mix);
        table.row([
            what.into(),
            mix.clear.into(),
            mix.colliding.into(),
            samples(ONE_LEVEL).into(),
            samples(MOBB).into(),
            measured.fewer_at(MOBB, mix).into(),
            samples(STRIDES).into(),
            measured.fewer_at(STRIDES, mix).into(),
        ]);
    }
    table
}
