//! Scalar against vector instructions: the same answers, the same steps, and what lanes give.
//!
//! The reference is the readable tree of oriented boxes, one f64 test at a time. The packed tree is
//! descended on every instruction set that the machine has, and on sixteen lanes of plain Rust,
//! which take the steps of AVX-512 on any machine; those are not timed. Triangles that f32 is
//! unsure of are decided exactly in all of them.

use std::hint::black_box;
use std::ops::ControlFlow;

use elbowroom::internal::arch::{SimdLevel, run as run_on, run_plain_sixteen};
use elbowroom::internal::bvh::Config;
use elbowroom::internal::exact::{PlacedTriangle, relate};
use elbowroom::internal::model::Model;
use elbowroom::internal::query::collide;
use elbowroom::internal::traverse::packed::{Bodies, Hits, Stacks, Wanted, descent};
use elbowroom::internal::traverse::relative::RelativePose;
use elbowroom::internal::traverse::{Tally, Workspace};
use elbowroom::{Aabb, Mesh, Pose, Relation};

use super::OWN;
use super::scene::{self, Scene};
use super::turns::{Secs, Turns};
use crate::report::grouped;
use crate::sbbk::scene::COUNT;
use crate::{Axis, Bar, Chart, Claim, Context, Marks, Report, Table};
use elbowroom_papers::grammar::thread_secs;

/// What a traversal runs on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lanes {
    Of(SimdLevel),
    PlainSixteen,
}

fn levels() -> Vec<SimdLevel> {
    SimdLevel::ALL.into_iter().filter(|level| level.is_here()).collect()
}

fn name(level: SimdLevel) -> &'static str {
    match level {
        SimdLevel::Portable => "portable, 4 lanes",
        SimdLevel::Avx2 => "AVX2, 8 lanes",
        SimdLevel::Avx512 => "AVX-512, 16 lanes",
    }
}

pub(crate) fn run(context: &Context) -> Report {
    let scenes = scene::bodies(context.quick);
    context.progress.ahead(scenes.len() as u64);
    let rows: Vec<Row> = scenes
        .iter()
        .map(|scene| {
            context.progress.message(scene.name);
            let row = Row::measure(scene, if context.quick { 1 } else { 9 });
            context.progress.inc(1);
            row
        })
        .collect();
    let absent: Vec<&str> =
        SimdLevel::ALL.into_iter().filter(|level| !level.is_here()).map(name).collect();
    let mut notes = vec![
        "On four lanes of plain Rust the compiler uses what every machine has (SSE2 on x86-64), so portable is not scalar.".to_owned(),
    ];
    if !absent.is_empty() {
        notes.push(format!(
            "Not on this machine, and so not timed: {}. The steps of sixteen lanes are compared all the same.",
            absent.join(", ")
        ));
    }
    Report {
        id: "common-lanes",
        title: "Scalar against vector instructions".to_owned(),
        what: "The scenes of rigid bodies, asked for all pairs of triangles that meet: by the readable tree of oriented boxes, in f64 and one test at a time, and by \
               the packed tree on every instruction set of the machine."
            .to_owned(),
        tables: vec![table(&rows)],
        charts: vec![chart(&rows)],
        claims: vec![same(&rows), gain(&rows)],
        notes,
    }
}

/// What a traversal did: its tally, its hits in their order as one number, and what came of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Done {
    tally: Tally,
    digest: u64,
    touching: u64,
    crossing: u64,
}

/// Two packed models in their places.
struct Placed<'a> {
    models: [&'a Model; 2],
    at: &'a [Pose; 2],
    /// How far both meshes reach from their own origins together.
    reach: f64,
}

/// Decides what f32 is unsure of, and notes all.
struct Noted<'a> {
    placed: &'a Placed<'a>,
    done: Done,
}

impl Hits for Noted<'_> {
    fn wanted(&self) -> Wanted {
        Wanted::All
    }

    fn hit(&mut self, a: u32, b: u32, is_certain: bool) -> ControlFlow<()> {
        let Self { placed, done } = self;
        for word in [a, b, u32::from(is_certain)] {
            done.digest = (done.digest ^ u64::from(word)).wrapping_mul(0x0100_0000_01B3);
        }
        let [first, second] = [(0, a), (1, b)].map(|(side, record)| {
            placed.models[side].packed().map_or(&[][..], |packed| packed.triangles(record))
        });
        let triangle = |side: usize, of: &[u32]| {
            let mesh = placed.models[side].mesh();
            PlacedTriangle::new(&placed.at[side], mesh.triangle(of[0] as usize))
        };
        let relation = if is_certain {
            Relation::Crossing
        } else {
            relate(&triangle(0, first), &triangle(1, second))
        };
        let copies = (first.len() * second.len()) as u64;
        match relation {
            Relation::Apart => {}
            Relation::Crossing => done.crossing += copies,
            Relation::Touching => done.touching += copies,
        }
        ControlFlow::Continue(())
    }
}

impl Placed<'_> {
    /// Nothing is done where balls around the two are apart.
    fn descend(&self, lanes: Lanes, stacks: &mut Stacks) -> Done {
        let Some(bodies) = self.bodies() else { return Done::default() };
        let mut noted = Noted { placed: self, done: Done::default() };
        let mut tally = Tally::default();
        let kernel = descent(&bodies, &mut noted, stacks, &mut tally);
        // It never breaks off.
        let _ = match lanes {
            Lanes::Of(level) => run_on(level, kernel),
            Lanes::PlainSixteen => run_plain_sixteen(kernel),
        };
        Done { tally, ..noted.done }
    }

    fn bodies(&self) -> Option<Bodies<'_>> {
        let [a, b] = self.models;
        let (packed_a, packed_b) = (a.packed()?, b.packed()?);
        let relative = RelativePose::new(&self.at[0], &self.at[1])?;
        let main = relative.frames(&packed_a.islands()[0], &packed_b.islands()[0], 0.0)?;
        Some(Bodies {
            a: packed_a,
            b: packed_b,
            relative,
            main,
            transform: relative.triangle_transform(self.reach),
        })
    }
}

fn reach(mesh: &Mesh) -> f64 {
    let Aabb { min: low, max: high } = mesh.bounds();
    low.abs().max(high.abs()).element_sum()
}

/// A scene.
struct Row {
    name: &'static str,
    questions: usize,
    /// Traversals that are those of the portable lanes, and of how many; and answers that are those
    /// of the reference.
    same: [u64; 2],
    right: u64,
    reference: Tally,
    packed: Tally,
    /// The reference, then the levels.
    turns: Turns,
}

impl Row {
    fn measure(scene: &Scene, rounds: usize) -> Self {
        let packed: Vec<Model> = scene.meshes.iter().cloned().map(Model::new).collect();
        let readable: Vec<Model> = scene
            .meshes
            .iter()
            .map(|mesh| Model::with_config(mesh.clone(), &Config::default()))
            .collect();
        let (levels, mut stacks) = (levels(), Stacks::default());
        let mut workspace = Workspace::default();
        // Before the clock starts: a model knows it.
        let reaches: Vec<f64> = scene.meshes.iter().map(reach).collect();
        let placed: Vec<Placed> = scene
            .asks
            .iter()
            .map(|asked| Placed {
                models: asked.bodies.map(|body| &packed[body]),
                at: &asked.at,
                reach: asked.bodies.iter().map(|&body| reaches[body]).sum(),
            })
            .collect();
        let mut row = Self {
            name: scene.name,
            questions: placed.len(),
            same: [0; 2],
            right: 0,
            reference: Tally::default(),
            packed: Tally::default(),
            turns: Turns::run(1, 0, |_| Secs::default()),
        };
        for (asked, placed) in scene.asks.iter().zip(&placed) {
            let first = placed.descend(Lanes::Of(SimdLevel::Portable), &mut stacks);
            let others = levels.iter().map(|&level| Lanes::Of(level)).chain([Lanes::PlainSixteen]);
            for lanes in others.skip(1) {
                row.same[0] += u64::from(placed.descend(lanes, &mut stacks) == first);
                row.same[1] += 1;
            }
            let [a, b] = asked.bodies.map(|body| &readable[body]);
            let [at_a, at_b] = &asked.at;
            let truth = collide(a, at_a, b, at_b, &COUNT, &mut workspace);
            row.right +=
                u64::from([first.touching, first.crossing] == [truth.touching, truth.crossing]);
            row.reference += truth.tally;
            row.packed += first.tally;
        }
        row.turns = Turns::run(rounds, 1 + levels.len(), |contestant| {
            let start = thread_secs();
            for (asked, placed) in scene.asks.iter().zip(&placed) {
                if contestant == 0 {
                    let [a, b] = asked.bodies.map(|body| &readable[body]);
                    let [at_a, at_b] = &asked.at;
                    black_box(collide(a, at_a, b, at_b, &COUNT, &mut workspace));
                } else {
                    black_box(placed.descend(Lanes::Of(levels[contestant - 1]), &mut stacks));
                }
            }
            Secs { ask: thread_secs() - start, follow: 0.0 }
        });
        row
    }

    /// Times over that of the widest lanes.
    fn ratio(&self, contestant: usize) -> crate::rounds::Spread {
        self.turns.ratio(contestant, levels().len(), Secs::both)
    }
}

fn contestants() -> Vec<&'static str> {
    let mut names = vec!["readable OBB, scalar"];
    names.extend(levels().into_iter().map(name));
    names
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(
        "Scalar and lanes: tests, and times over those of the widest lanes",
        [
            "scene",
            "questions",
            "N_v readable",
            "N_v packed",
            "N_p readable",
            "N_p packed",
            "time, µs a question, widest lanes",
        ],
    );
    let names = contestants();
    let others = names.len() - 1;
    table
        .columns
        .extend(names[..others].iter().map(|name| format!("time over the widest lanes', {name}")));
    for row in rows {
        let mut cells = vec![
            row.name.into(),
            row.questions.into(),
            row.reference.volumes().into(),
            row.packed.volumes().into(),
            row.reference.primitives.into(),
            row.packed.primitives.into(),
            (1e6 * row.turns.of(others, Secs::both).median / row.questions as f64).into(),
        ];
        cells.extend((0..others).map(|contestant| row.ratio(contestant).show(2).into()));
        table.row(cells);
    }
    table
}

fn chart(rows: &[Row]) -> Chart {
    let bars = contestants().into_iter().enumerate().map(|(contestant, name)| {
        Bar::ours(name, rows.iter().map(|row| Some(row.ratio(contestant).median)).collect())
    });
    Chart {
        name: "lanes",
        title: "What lanes give".to_owned(),
        x: Axis::linear("scene"),
        y: Axis::log("time over that of the widest lanes"),
        marks: Marks::Bars {
            groups: rows.iter().map(|row| row.name.to_owned()).collect(),
            bars: bars.collect(),
        },
        timed: true,
    }
}

fn same(rows: &[Row]) -> Claim {
    let sum = |of: fn(&Row) -> u64| rows.iter().map(of).sum::<u64>();
    let (same, all) = (sum(|row| row.same[0]), sum(|row| row.same[1]));
    let (right, questions) = (sum(|row| row.right), sum(|row| row.questions as u64));
    Claim::gate(
        "COMMON-lanes-same",
        "Every instruction set takes the same steps to the same hits in the same order, and all answers are those of the scalar tree.",
    )
    .paper(OWN)
    .ours(format!(
        "{} of {} descents, sixteen lanes of plain Rust among them, are those of the portable lanes; {} of {} answers are the scalar tree's",
        grouped(same),
        grouped(all),
        grouped(right),
        grouped(questions)
    ))
    .holds_if(same == all && right == questions && questions >= 50)
    .why("Lanes are filled in one order whatever their number, and no kernel rounds otherwise than another.")
}

fn gain(rows: &[Row]) -> Claim {
    let last = levels().len();
    let of = |contestant: usize| {
        crate::rounds::Spread::of(rows.iter().map(|row| row.ratio(contestant).median).collect())
    };
    let names = contestants();
    let words: Vec<String> = (0..last)
        .map(|contestant| format!("{} {}", names[contestant], of(contestant).show(1)))
        .collect();
    Claim::timed("COMMON-lanes-gain", "Lanes answer at least five times as soon as the scalar tree, on every scene.")
        .paper(OWN)
        .ours(format!(
            "time over that of {}, median and range over the scenes: {}",
            names[last],
            words.join("; ")
        ))
        .holds_if(of(0).low >= 5.0)
        .why("Four boxes a node in f32 and sixteen tests a batch; wider lanes do the same steps in fewer instructions.")
}
