//! Fronts of pairs of nodes, while models move and jump.

use elbowroom::Pose;
use elbowroom::internal::query::{CollisionRequest, Want};
use elbowroom::internal::traverse::{Path, Rule, Workspace};
use elbowroom_papers::grammar::Front;
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::{collide_layered, collide_layered_again};
use glam::{DQuat, DVec3};

use super::Part;
use crate::random::Random;
use crate::sbbk::scene::{COUNT, layered, sbbk};
use crate::{Cell, Claim, Table};
use elbowroom_papers::grammar::thread_secs;

const RULES: [(Rule, &str); 2] = [(Rule::Larger, "larger"), (Rule::Both, "both")];

/// Also how many visits it takes to the first contact, front over root, by rule.
pub(super) fn run(quick: bool, drawn: [u64; 2]) -> (Part, [f64; 2]) {
    let mesh = if quick {
        elbowroom_make::torus(0.8, 0.35, 20, 12)
    } else {
        elbowroom_make::monkey_head(5)
    };
    let model = layered(&mesh, &sbbk());
    let steps = steps(&model, quick);
    let jumps = [true, false].map(|is_raised| Walk::run(&model, quick, is_raised));
    let hits = hits(&model, quick);
    let until = [0, 1].map(|rule: usize| hits[rule].front as f64 / hits[rule].root as f64);
    let part = Part {
        tables: vec![table_of_steps(&steps), table_of_jumps(&jumps), table_of_hits(&hits)],
        claims: vec![saves(&steps, drawn), jumping(&jumps)],
    };
    (part, until)
}

/// Visits along a path, by the size of its steps.
struct Steps {
    rule: &'static str,
    step: f64,
    frames: u32,
    root: u64,
    front: u64,
    contacts: u64,
    size: u64,
    /// Seconds of all frames but the first, from the root and from the front.
    secs: [f64; 2],
}

/// Past each other and through each other, turning.
fn place(way: f64) -> Pose {
    let turn = DQuat::from_xyzw(0.3 * way, 0.2, 0.1 - 0.2 * way, 1.0).normalize();
    Pose::from_quat(turn, DVec3::new(2.6 - way, 0.3, 0.2 + 0.1 * way)).expect("finite")
}

/// By square roots alone, whose bits are the same everywhere.
fn small_turn(half: DVec3) -> DQuat {
    DQuat::from_xyzw(half.x, half.y, half.z, 1.0).normalize()
}

fn steps(model: &HybridTree, quick: bool) -> Vec<Steps> {
    // The size of a step and how many there are: small ones go a part of the way, where the two
    // meet.
    let sizes: &[(f64, u32)] = if quick {
        &[(0.004, 300), (0.02, 200), (0.1, 52), (0.5, 10), (1.5, 3)]
    } else {
        &[
            (0.001, 400),
            (0.002, 400),
            (0.005, 400),
            (0.01, 400),
            (0.02, 260),
            (0.05, 104),
            (0.1, 52),
            (0.2, 26),
            (0.5, 10),
            (1.0, 5),
            (2.0, 3),
        ]
    };
    let mut all = Vec::new();
    for (rule, name) in RULES {
        all.extend(sizes.iter().map(|&(step, frames)| {
            let row = Steps {
                rule: name,
                step,
                frames,
                root: 0,
                front: 0,
                contacts: 0,
                size: 0,
                secs: [0.0; 2],
            };
            row.walked(model, rule, if quick { 1 } else { 5 })
        }));
    }
    all
}

impl Steps {
    fn walked(mut self, model: &HybridTree, rule: Rule, rounds: usize) -> Self {
        // The whole way is 5.2 long.
        let start = 0.5 * (5.2 - f64::from(self.frames) * self.step).max(0.0);
        let question = CollisionRequest { path: Path { rule, level: None }, ..COUNT };
        let mut workspace = Workspace::default();
        // Rounds are alike but for the clock; of each frame the least time counts.
        let mut least = vec![[f64::INFINITY; 2]; self.frames as usize];
        for _ in 0..rounds {
            let mut front = Front::default();
            (self.root, self.front, self.contacts, self.size) = (0, 0, 0, 0);
            for frame in 0..=self.frames {
                let (a, b) = (Pose::IDENTITY, place(start + f64::from(frame) * self.step));
                let (root, root_secs) =
                    timed(|| collide_layered(model, &a, model, &b, &question, &mut workspace));
                let (again, front_secs) = timed(|| {
                    collide_layered_again(
                        model,
                        &a,
                        model,
                        &b,
                        &question,
                        &mut front,
                        &mut workspace,
                    )
                });
                assert_eq!(root.count(), again.count(), "contacts from the front");
                self.contacts += u64::from(root.is_contact());
                // The first frame has no front yet.
                if frame > 0 {
                    self.root += root.tally.volumes();
                    self.front += again.tally.volumes();
                    self.size += front.len() as u64;
                    let [by_root, by_front] = &mut least[frame as usize - 1];
                    (*by_root, *by_front) = (by_root.min(root_secs), by_front.min(front_secs));
                }
            }
        }
        self.secs = [0, 1].map(|way: usize| least.iter().map(|secs| secs[way]).sum());
        self
    }
}

fn timed<T>(call: impl FnOnce() -> T) -> (T, f64) {
    let start = thread_secs();
    let result = call();
    (result, thread_secs() - start)
}

fn table_of_steps(steps: &[Steps]) -> Table {
    let mut table = Table::new(
        "Visits over the size of a step (the models are 2 wide)",
        [
            "rule",
            "step",
            "frames",
            "touch",
            "visits root",
            "visits front",
            "front/root",
            "mean size of the front",
            "time, µs a frame, root",
            "time, µs a frame, front",
            "time front/root",
        ],
    );
    for row in steps {
        table.row([
            row.rule.into(),
            row.step.into(),
            row.frames.into(),
            row.contacts.into(),
            row.root.into(),
            row.front.into(),
            Cell::Number(row.front as f64 / row.root as f64),
            Cell::Number(row.size as f64 / f64::from(row.frames)),
            Cell::Number(1e6 * row.secs[0] / f64::from(row.frames)),
            Cell::Number(1e6 * row.secs[1] / f64::from(row.frames)),
            Cell::Number(row.secs[1] / row.secs[0].max(1e-9)),
        ]);
    }
    table
}

fn saves(steps: &[Steps], [root, front]: [u64; 2]) -> Claim {
    let ratio = |row: &Steps| row.front as f64 / row.root as f64;
    let small = steps.iter().filter(|row| row.step <= 0.02);
    let saves = small.clone().all(|row| ratio(row) < 1.0);
    let (low, high) =
        small.fold((f64::MAX, 0.0_f64), |(l, h), row| (l.min(ratio(row)), h.max(ratio(row))));
    let largest: Vec<String> = steps
        .chunk_by(|x, y| x.rule == y.rule)
        .filter_map(|rows| rows.last())
        .map(|row| format!("{:.2}", ratio(row)))
        .collect();
    Claim::gate("SBBK-F34-front", "Starting from last frame's front saves visits.")
        .paper("16 → 13")
        .ours(format!(
            "{root} → {front} on the drawn tree; front/root {low:.2}–{high:.2} for steps up to a hundredth of a model's width, {} for the largest",
            largest.join(" and ")
        ))
        .holds_if([root, front] == [16, 13] && saves)
        .why("What is saved is what is above the front; the larger the step, the more of the front is in the wrong place.")
}

/// A random walk with jumps.
struct Walk {
    is_raised: bool,
    frames: u64,
    jumps: u64,
    contacts: u64,
    equal: u64,
    /// Visits root and front: in a frame after a jump, and in the others.
    after: [u64; 2],
    others: [u64; 2],
    worst: f64,
    largest: usize,
    last: usize,
}

impl Walk {
    fn run(model: &HybridTree, quick: bool, is_raised: bool) -> Self {
        let frames = if quick { 400 } else { 4000 };
        let mut walk = Self {
            is_raised,
            frames,
            jumps: 0,
            contacts: 0,
            equal: 0,
            after: [0; 2],
            others: [0; 2],
            worst: 0.0,
            largest: 0,
            last: 0,
        };
        let mut front = Front::default();
        if !is_raised {
            front = front.without_raising();
        }
        let (mut random, mut workspace) = (Random::new(77), Workspace::default());
        let (mut at, mut turn) = (DVec3::X * 1.8, DQuat::IDENTITY);
        for frame in 0..frames {
            let is_jump = random.below(50) == 0;
            let reach = if is_jump { 3.0 } else { 0.02 };
            at = if is_jump { DVec3::ZERO } else { at } + random.point(-reach, reach);
            turn = (small_turn(random.point(-reach, reach)) * turn).normalize();
            let (here, there) = (Pose::IDENTITY, Pose::from_quat(turn, at).expect("finite"));
            let question = CollisionRequest { want: Want::All, ..COUNT };
            let root = collide_layered(model, &here, model, &there, &question, &mut workspace);
            let again = collide_layered_again(
                model,
                &here,
                model,
                &there,
                &question,
                &mut front,
                &mut workspace,
            );
            walk.jumps += u64::from(is_jump);
            walk.contacts += u64::from(root.is_contact());
            walk.equal += u64::from(root.pairs == again.pairs);
            let visits = [root.tally.volumes(), again.tally.volumes()];
            let sums = if is_jump { &mut walk.after } else { &mut walk.others };
            if frame > 0 {
                *sums = [sums[0] + visits[0], sums[1] + visits[1]];
                walk.worst = walk.worst.max(visits[1] as f64 / visits[0] as f64);
            }
            walk.largest = walk.largest.max(front.len());
        }
        walk.last = front.len();
        walk
    }
}

fn table_of_jumps(walks: &[Walk; 2]) -> Table {
    let mut table = Table::new(
        "Random walks with jumps",
        [
            "front",
            "frames",
            "jumps",
            "touch",
            "equal answers",
            "front/root after a jump",
            "front/root else",
            "worst frame",
            "largest front",
            "last front",
        ],
    );
    for walk in walks {
        let ratio = |[root, front]: [u64; 2]| Cell::Number(front as f64 / root as f64);
        table.row([
            if walk.is_raised { "raised" } else { "never raised" }.into(),
            walk.frames.into(),
            walk.jumps.into(),
            walk.contacts.into(),
            walk.equal.into(),
            ratio(walk.after),
            ratio(walk.others),
            walk.worst.into(),
            walk.largest.into(),
            walk.last.into(),
        ]);
    }
    table
}

fn jumping([raised, kept]: &[Walk; 2]) -> Claim {
    let equal = [raised, kept].iter().all(|walk| walk.equal == walk.frames);
    let ratio = |[root, front]: [u64; 2]| front as f64 / root as f64;
    Claim::gate("SBBK-F34-jump", "The front stays right however far the objects jump.")
        .paper("no figure")
        .ours(format!(
            "{} answers of {} frames with {} jumps are those from the root; visits front/root after a jump {:.2}, up to {:.0} in one frame; \
             never raised, the front only grows, to {} pairs, and front/root is {:.2}",
            raised.equal + kept.equal,
            raised.frames + kept.frames,
            2 * raised.jumps,
            ratio(raised.after),
            raised.worst,
            kept.last,
            ratio(kept.others),
        ))
        .holds_if(equal && kept.last == kept.largest && raised.jumps > 0)
        .why("Any cut of the tree of pairs gives the same pairs of leaves. How good a cut is, is another matter.")
}

/// Visits until the first contact is found.
struct Hits {
    rule: &'static str,
    frames: u64,
    root: u64,
    front: u64,
}

fn hits(model: &HybridTree, quick: bool) -> Vec<Hits> {
    let frames = if quick { 60 } else { 400 };
    let rows = RULES.into_iter().map(|(rule, name)| {
        let mut row = Hits { rule: name, frames: 0, root: 0, front: 0 };
        let (mut front, mut workspace) = (Front::default(), Workspace::default());
        let question =
            CollisionRequest { want: Want::Any, path: Path { rule, level: None }, margin: 0.0 };
        for frame in 0..frames {
            let way = 0.8 + 2.0 * f64::from(frame) / f64::from(frames);
            let (here, there) = (Pose::IDENTITY, place(way));
            let root = collide_layered(model, &here, model, &there, &question, &mut workspace);
            let again = collide_layered_again(
                model,
                &here,
                model,
                &there,
                &question,
                &mut front,
                &mut workspace,
            );
            if root.is_contact() && frame > 0 {
                row.frames += 1;
                row.root += root.tally.volumes();
                row.front += again.tally.volumes();
            }
        }
        row
    });
    rows.collect()
}

fn table_of_hits(hits: &[Hits]) -> Table {
    let mut table = Table::new(
        "Visits until the first contact: a stack from the root, and the front, deepest first",
        ["rule", "frames that touch", "visits root", "visits front", "front/root"],
    );
    for row in hits {
        table.row([
            row.rule.into(),
            row.frames.into(),
            row.root.into(),
            row.front.into(),
            Cell::Number(row.front as f64 / row.root as f64),
        ]);
    }
    table
}
