//! The list of experiments.

use std::fmt;

use crate::{Context, Report, bch, cab, common, draw, mobb, obbtree, sbbk};

/// A table, figure or section of a paper that can be run, or one of our own that goes beyond them.
#[derive(Clone, Copy)]
pub struct Experiment {
    /// Paper and place: `obbtree-table1`.
    pub id: &'static str,
    /// The subject of the experiment.
    pub title: &'static str,
    /// The paper's short name.
    pub paper: &'static str,
    /// Where in the paper.
    pub place: &'static str,
    run: fn(&Context) -> Report,
}

impl Experiment {
    /// Runs it.
    pub fn run(&self, context: &Context) -> Report {
        let mut report = (self.run)(context);
        report.charts.extend(draw::of(&report));
        report
    }
}

impl fmt::Debug for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Experiment").field(&self.id).finish()
    }
}

/// Every experiment, paper by paper, in the order of its pages; ours come last.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "obbtree-fits",
        title: "Fitting boxes and growing trees",
        paper: "OBBTree",
        place: "§4",
        run: obbtree::fits::run,
    },
    Experiment {
        id: "obbtree-table1",
        title: "Operations of the box test",
        paper: "OBBTree",
        place: "Table 1, §5, §7",
        run: obbtree::table1::run,
    },
    Experiment {
        id: "obbtree-table2",
        title: "Ways to test two boxes",
        paper: "OBBTree",
        place: "Table 2, §5, §7.1",
        run: obbtree::table2::run,
    },
    Experiment {
        id: "obbtree-tightness",
        title: "Tightness over diameter",
        paper: "OBBTree",
        place: "§6, Figures 3 and 4",
        run: obbtree::tightness::run,
    },
    Experiment {
        id: "obbtree-fig5",
        title: "Parallel close proximity: concentric spheres",
        paper: "OBBTree",
        place: "Figure 5, §6",
        run: obbtree::fig5::run,
    },
    Experiment {
        id: "obbtree-fig6",
        title: "Point close proximity: spheres side by side",
        paper: "OBBTree",
        place: "Figure 6, §6",
        run: obbtree::fig6::run,
    },
    Experiment {
        id: "obbtree-fig9",
        title: "Tightness of boxes around a torus, level by level",
        paper: "OBBTree",
        place: "Figure 9, §6",
        run: obbtree::fig9::run,
    },
    Experiment {
        id: "obbtree-close",
        title: "Close models: where oriented boxes gain, and what their tests cost",
        paper: "OBBTree",
        place: "§1, §3, §6, §7",
        run: obbtree::close::run,
    },
    Experiment {
        id: "obbtree-memory",
        title: "Memory of a tree",
        paper: "OBBTree",
        place: "§7",
        run: obbtree::memory::run,
    },
    Experiment {
        id: "obbtree-table3",
        title: "Simulations: pipes in pipes, a torus around a stalagmite",
        paper: "OBBTree",
        place: "Table 3, §7",
        run: obbtree::table3::run,
    },
    Experiment {
        id: "obbtree-torpedo",
        title: "A torpedo that rests among rollers",
        paper: "OBBTree",
        place: "Figure 7, §7.2",
        run: obbtree::torpedo::run,
    },
    Experiment {
        id: "obbtree-extend",
        title: "View frusta, curves and surfaces",
        paper: "OBBTree",
        place: "§8",
        run: obbtree::extend::run,
    },
    Experiment {
        id: "cab-rule",
        title: "The rule for two joined boxes",
        paper: "CAB",
        place: "§2, §3",
        run: cab::rule::run,
    },
    Experiment {
        id: "cab-table1",
        title: "Two chains of convex links, 3:1",
        paper: "CAB",
        place: "Table 1",
        run: cab::table1::run,
    },
    Experiment {
        id: "cab-table2",
        title: "Two chains of convex links, 6:1",
        paper: "CAB",
        place: "Table 2",
        run: cab::table2::run,
    },
    Experiment {
        id: "cab-table3",
        title: "Two chains of hollow links, 6:1",
        paper: "CAB",
        place: "Table 3",
        run: cab::table3::run,
    },
    Experiment {
        id: "cab-table4",
        title: "Two braided chains of convex links, 6:1",
        paper: "CAB",
        place: "Table 4",
        run: cab::table4::run,
    },
    Experiment {
        id: "cab-table5",
        title: "A hand that plays with a ball",
        paper: "CAB",
        place: "Table 5",
        run: cab::table5::run,
    },
    Experiment {
        id: "cab-tables",
        title: "Tables 1 to 5 together",
        paper: "CAB",
        place: "Tables 1–5, §4",
        run: cab::together::run,
    },
    Experiment {
        id: "sbbk-families",
        title: "Families of volumes, alone and in layers",
        paper: "SBBK",
        place: "§2, §3.1, §5",
        run: sbbk::families::run,
    },
    Experiment {
        id: "sbbk-descent",
        title: "Descending one tree at a time, or both at once",
        paper: "SBBK",
        place: "§3.2",
        run: sbbk::descent::run,
    },
    Experiment {
        id: "sbbk-front",
        title: "Starting where the last descent stopped",
        paper: "SBBK",
        place: "§3.2, Figures 3 and 4",
        run: sbbk::front::run,
    },
    Experiment {
        id: "sbbk-helicopter",
        title: "A ball that falls onto a helicopter",
        paper: "SBBK",
        place: "§4.1, Table 1, Figures 6 and 7",
        run: sbbk::helicopter::run,
    },
    Experiment {
        id: "sbbk-monkeys",
        title: "Monkey heads that fall together",
        paper: "SBBK",
        place: "§4.2, Table 2, Diagram 1",
        run: sbbk::monkeys::run,
    },
    Experiment {
        id: "bch-fig3",
        title: "Making and asking seven structures",
        paper: "BCH",
        place: "Figure 3, §3, §4",
        run: bch::fig3::run,
    },
    Experiment {
        id: "bch-fig6a",
        title: "How close characters come",
        paper: "BCH",
        place: "Figure 6a, §5, §7",
        run: bch::fig6a::run,
    },
    Experiment {
        id: "bch-fig6b",
        title: "How close characters come, by level",
        paper: "BCH",
        place: "Figure 6b, §4.2, §5.1",
        run: bch::fig6b::run,
    },
    Experiment {
        id: "bch-table1",
        title: "Radii and volumes",
        paper: "BCH",
        place: "Table 1, Figure 7",
        run: bch::table1::run,
    },
    Experiment {
        id: "bch-beyond",
        title: "Other cuts, finer meshes, slices and clips",
        paper: "BCH",
        place: "§3.1, §4.2, §6, §7",
        run: bch::beyond::run,
    },
    Experiment {
        id: "mobb-axis",
        title: "How boxes are fitted",
        paper: "MOBB",
        place: "§3.1, §4, §5, Figures 5 and 6",
        run: mobb::axis::run,
    },
    Experiment {
        id: "mobb-nmin",
        title: "How many samples a leaf should have",
        paper: "MOBB",
        place: "§3.1, Figure 4",
        run: mobb::nmin::run,
    },
    Experiment {
        id: "mobb-table1",
        title: "Short motions in a crowd",
        paper: "MOBB",
        place: "Table 1, §3, Figure 1",
        run: mobb::table1::run,
    },
    Experiment {
        id: "mobb-table2",
        title: "Long motions, placed at random",
        paper: "MOBB",
        place: "Table 2",
        run: mobb::table2::run,
    },
    Experiment {
        id: "mobb-length",
        title: "Cost against the length of the motions",
        paper: "MOBB",
        place: "§6",
        run: mobb::length::run,
    },
    Experiment {
        id: "mobb-merge",
        title: "Sequences of motions with merged trees",
        paper: "MOBB",
        place: "§6",
        run: mobb::merge::run,
    },
    Experiment {
        id: "common-families",
        title: "Every family on every scene",
        paper: "Common ground",
        place: "families",
        run: common::families::run,
    },
    Experiment {
        id: "common-cost",
        title: "The cost equation",
        paper: "Common ground",
        place: "cost",
        run: common::cost::run,
    },
    Experiment {
        id: "common-growth",
        title: "Growth with size",
        paper: "Common ground",
        place: "growth",
        run: common::growth::run,
    },
    Experiment {
        id: "common-lanes",
        title: "Scalar against vector instructions",
        paper: "Common ground",
        place: "lanes",
        run: common::lanes::run,
    },
    Experiment {
        id: "common-map",
        title: "Which structure wins where",
        paper: "Common ground",
        place: "map",
        run: common::map::run,
    },
];

/// The experiment of this name.
pub fn find(id: &str) -> Option<&'static Experiment> {
    EXPERIMENTS.iter().find(|experiment| experiment.id == id)
}
