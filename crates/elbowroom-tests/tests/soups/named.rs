//! The papers' trees over triangles by their names: every family, recipe, rule, layering and front,
//! one after the other, against all pairs of triangles.

use elbowroom_papers::grammar::{Family, Front, Intersection, Path, Rule};
use elbowroom_papers::obbtree::{self, ObbTree};
use elbowroom_papers::sbbk::{self, HybridTree, LayerChoice};
use elbowroom_testkit::soups::Kind;

use crate::for_each_pair;
use crate::truth::{Scene, elsewhere, meeting, swapped};

const RULES: [Rule; 3] = [Rule::Larger, Rule::First, Rule::Both];

/// The tree of the paper, that of its authors' program, and both with every family.
fn recipes() -> Vec<obbtree::Config> {
    let bases = [obbtree::Config::paper(), obbtree::Config::rapid()];
    let others = bases.iter().flat_map(|base| Family::ALL.map(|it| base.with_family(it)));
    bases.into_iter().chain(others).collect()
}

/// Counts what was met, and checks the answers that both structures give.
#[derive(Default)]
struct Met {
    rounds: usize,
    pairs: usize,
    clear: usize,
    visited: u64,
}

impl Met {
    fn check(&mut self, found: &Intersection, truth: &[elbowroom::internal::query::TrianglePair]) {
        assert_eq!(found.pairs, truth);
        assert_eq!((found.is_contact(), found.is_clear()), (!truth.is_empty(), truth.is_empty()));
        assert!(found.nodes_visited() > 0);
        self.visited += found.nodes_visited();
    }

    fn round(&mut self, truth: usize) -> usize {
        self.rounds += 1;
        self.pairs += truth;
        self.clear += usize::from(truth == 0);
        self.rounds - 1
    }

    /// Every one of the configurations had its turn, on soups that meet and on such as do not.
    fn end(&self, configurations: usize) {
        let Self { rounds, pairs, clear, visited } = *self;
        println!("{rounds} pairs of soups, {clear} of them clear; {pairs} pairs met; {visited}");
        // A tenth of the suite, as each instruction set has it, is more than all configurations.
        assert!(rounds >= configurations, "{rounds} rounds, {configurations} configurations");
        assert!(pairs > rounds && 20 * clear > rounds, "{pairs} {clear} of {rounds}");
        assert!(visited > 3 * rounds as u64, "{visited}");
    }
}

#[test]
fn obb_trees() {
    let (recipes, mut met) = (recipes(), Met::default());
    for_each_pair(0x0bb7, 1, 40, |kind: Kind, pair, _| {
        let scene = Scene::new(pair);
        let truth = meeting(pair, &scene);
        let round = met.round(truth.len());
        let config = recipes[round % recipes.len()];
        let [a, b] = [&scene.a, &scene.b].map(|mesh| ObbTree::build(mesh.clone(), &config));
        let (here, there) = (&scene.place_a, &scene.place_b);
        println!("{kind:?}, {config:?}");
        met.check(&a.intersect(here, &b, there), &truth);
        for rule in RULES {
            let path = Path { rule, level: None };
            met.check(&b.intersect_by(path, there, &a, here), &swapped(&truth));
        }
        // Trees of different families meet as well.
        let other = recipes[(round * 7 + 3) % recipes.len()];
        let other = ObbTree::build(scene.b.clone(), &other);
        met.check(&a.intersect(here, &other, there), &truth);
    });
    met.end(recipes.len());
}

#[test]
fn hybrid_trees() {
    let (named, mut met) = (LayerChoice::named(), Met::default());
    for_each_pair(0x5bb4, 1, 40, |kind: Kind, pair, _| {
        let scene = Scene::new(pair);
        let truth = meeting(pair, &scene);
        let round = met.round(truth.len());
        let (name, layers) = &named[round % named.len()];
        let rule = RULES[round % RULES.len()];
        let config = sbbk::Config { layers: layers.clone(), rule, ..sbbk::Config::paper() };
        println!("{kind:?}, {name}, {rule:?}");
        let [mut a, mut b] =
            [&scene.a, &scene.b].map(|mesh| HybridTree::build(elsewhere(mesh), &config));
        let (here, there) = (&scene.place_a, &scene.place_b);
        let mut fronts = [Front::default(), Front::default().without_raising()];
        // From elsewhere, where the fronts begin, to where they are asked.
        for front in &mut fronts {
            let start = a.intersect_from(front, here, &b, there);
            assert_eq!(start.pairs, a.intersect(here, &b, there).pairs);
        }
        a.refit(scene.a.vertices()).expect("as many vertices");
        b.refit(scene.b.vertices()).expect("as many vertices");
        met.check(&a.intersect(here, &b, there), &truth);
        met.check(&b.intersect(there, &a, here), &swapped(&truth));
        for front in &mut fronts {
            for _ in 0..3 {
                met.check(&a.intersect_from(front, here, &b, there), &truth);
            }
        }
    });
    met.end(named.len());
}
