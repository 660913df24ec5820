//! §4.2, Table 2, Diagram 1: many monkey heads fall together.
//!
//! The paper drops two thousand heads and gives the whole time of detection, 71.8 ms with AABB
//! trees and 34.5 ms with SBBK, and a diagram of the gain over the number of heads, which is said
//! to grow. Here generated heads fall at a fixed density, so that each has as many neighbours
//! whatever their number; the broad phase is the same for all trees.

use std::hint::black_box;
use std::sync::Arc;

use elbowroom::internal::model::Model;
use elbowroom::internal::query::{BodyId, CollisionRequest, World};
use elbowroom::internal::traverse::{Path, Rule, Workspace};
use elbowroom::{Aabb, Mesh, Pose};
use elbowroom_motion::body::Rig;
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::Layers;
use elbowroom_papers::sbbk::{HybridWorld, collide_layered};
use glam::{DMat3, DQuat, DVec3};

use super::scene::{COUNT, aabb, layered, sbbk, sound};
use crate::data::{SUZANNE, at_rest, without};
use crate::random::Random;
use crate::rounds::Least;
use crate::{Absent, Cell, Claim, Context, Report, Table, Verdict};

/// Room for each head: a cube of this edge. A head is about 2 wide.
const ROOM: f64 = 2.6;
/// Above this number of heads, all pairs are too many.
const ALL_PAIRS: usize = 500;
/// Few heads say little, and are gone in microseconds: there are as many scenes of them as make
/// this many heads together.
const TOGETHER: usize = 1000;
/// This number of heads takes minutes.
const MANY: usize = 2000;

pub(crate) fn run(context: &Context) -> Report {
    let (counts, frames, rounds): (&[usize], u32, usize) = if context.quick {
        (&[10, 30, 90], 2, 5)
    } else {
        (&[10, 50, 200, 1000, 2000, 5000], 3, 3)
    };
    let head = elbowroom_make::monkey_head(5);
    let rows = measure(context, &head, counts, frames, rounds);
    let mut report = Report {
        charts: Vec::new(),
        id: "sbbk-monkeys",
        title: "Monkey heads that fall together".to_owned(),
        what: format!(
            "The paper drops two thousand monkey heads. Here up to {} generated heads of {} triangles fall together at a fixed density, {frames} \
             frames, with trees of one topology: boxes along the axes; a ball at the root and boxes below; SBBK; and SBBK with a front kept for each \
             pair of heads whose boxes overlap. In one table all heads look the same way, so that all volumes are in one frame, as after a \
             refit; in the other every head is turned and tumbles.",
            counts[counts.len() - 1],
            head.triangles().len()
        ),
        tables: vec![table(&rows, false), table(&rows, true), table_of_work(&rows)],
        claims: vec![
            halved("SBBK-T2-monkeys", &rows, if context.quick { 90 } else { 2000 }),
            growing("SBBK-D1-growth", &rows),
        ],
        notes: vec![format!(
            "Without a broad phase every pair of heads is a query, and nearly all of them end at the roots. The column of all pairs is for up to {ALL_PAIRS} heads."
        )],
    };
    match context.data.rig(SUZANNE).and_then(|rig| suzanne(&rig, &head)) {
        Ok(real) => {
            let counts: &[usize] = if context.quick { &[10, 30] } else { &[10, 200, 2000] };
            add_real(&mut report, &real, &measure(context, &real, counts, frames, rounds));
        }
        Err(why) => report.notes.push(without("Suzanne", &why)),
    }
    report
}

/// Heads of one shape, all numbers of them.
fn measure(
    context: &Context,
    head: &Mesh,
    counts: &[usize],
    frames: u32,
    rounds: usize,
) -> Vec<Row> {
    context.progress.ahead(2 * counts.len() as u64);
    let mut rows = Vec::new();
    for is_turned in [false, true] {
        for &count in counts {
            context.progress.message(&format!("{count} heads"));
            // Many heads are many pairs, whose times even out by themselves.
            let rounds = if count >= MANY { rounds.min(2) } else { rounds };
            rows.push(Row::measure(head, count, is_turned, frames, rounds));
            context.progress.inc(1);
        }
    }
    rows
}

/// The real head, in the place of the generated one and as large, so that it falls at the same
/// density.
fn suzanne(rig: &Rig, generated: &Mesh) -> Result<Mesh, Absent> {
    let real = elbowroom_make::join(&at_rest(rig)?);
    let of = |mesh: &Mesh| {
        let Aabb { min: low, max: high } = mesh.bounds();
        (0.5 * (low + high), (high - low).length())
    };
    let ((from, size), (to, wanted)) = (of(&real), of(generated));
    let vertices = real.vertices().iter().map(|&p| to + (p - from) * (wanted / size)).collect();
    Mesh::new(vertices, real.triangles().to_vec())
        .map_err(|error| Absent::new(format!("{}: {error}", rig.name)))
}

fn add_real(report: &mut Report, real: &Mesh, rows: &[Row]) {
    let titled =
        |table: Table| Table { title: format!("Suzanne herself. {}", table.title), ..table };
    report.tables.extend([table(rows, false), table(rows, true), table_of_work(rows)].map(titled));
    report.claims.extend([
        halved("SBBK-T2-suzanne", rows, rows[rows.len() - 1].count),
        growing("SBBK-D1-suzanne", rows),
    ]);
    report.notes.push(format!(
        "The real head has {} triangles and is as large as the generated one.",
        real.triangles().len()
    ));
}

/// The trees that are compared.
const NAMES: [&str; 5] = ["AABB", "S-AABB", "SBBK", "SBBK, fronts", "packed OBB"];
const AABB: usize = 0;
const S_AABB: usize = 1;
const SBBK: usize = 2;
const FRONTS: usize = 3;
const PACKED: usize = 4;

fn layering(tree: usize) -> Layers {
    match tree {
        AABB => aabb(),
        S_AABB => sound(Layers::s_aabb(1)),
        _ => sbbk(),
    }
}

/// One number of heads.
struct Row {
    count: usize,
    is_turned: bool,
    /// Of all scenes together.
    frames: u32,
    /// Pairs of boxes that overlap, of layered and of packed trees, pairs that touch and pairs
    /// that balls at the roots tell apart, over all frames.
    examined: [u64; 2],
    touching: u64,
    rejected: u64,
    /// Volume tests and triangle tests, by tree.
    work: [[u64; 2]; 5],
    least: Least,
    /// Time AABB/SBBK where all pairs are asked.
    all_pairs: Option<f64>,
}

/// Where heads are, and how they move.
struct Falling {
    start: DVec3,
    velocity: DVec3,
    turn: DMat3,
    spin: DVec3,
}

impl Falling {
    fn all(count: usize, scene: usize, is_turned: bool) -> Vec<Self> {
        let mut random = Random::new((count + 10_000 * scene) as u64);
        let half = 0.5 * ROOM * libm::cbrt(count as f64);
        let one = |_| Self {
            start: random.point(-half, half),
            velocity: random.point(-1.0, 1.0),
            turn: if is_turned { random.rotation() } else { DMat3::IDENTITY },
            spin: if is_turned { random.point(-2.0, 2.0) } else { DVec3::ZERO },
        };
        (0..count).map(one).collect()
    }

    fn at(&self, frame: u32) -> Pose {
        let time_secs = f64::from(frame) / 60.0;
        let fallen = DVec3::Y * (-0.5 * 9.81 * time_secs * time_secs);
        let place = self.start + self.velocity * time_secs + fallen;
        if self.spin == DVec3::ZERO {
            return Pose::new(self.turn, place).expect("a rotation");
        }
        // Square roots alone, whose bits are the same everywhere.
        let half = 0.5 * time_secs * self.spin;
        let turn = DQuat::from_xyzw(half.x, half.y, half.z, 1.0).normalize();
        Pose::from_quat(turn * DQuat::from_mat3(&self.turn), place).expect("a rotation")
    }
}

/// Layered trees, or the packed trees of the engine.
enum Bodies {
    HybridTree(Box<HybridWorld>),
    Packed(Box<World>),
}

/// A world of heads.
struct Heads<'a> {
    bodies: Bodies,
    ids: Vec<BodyId>,
    falling: &'a [Falling],
}

impl<'a> Heads<'a> {
    fn layered(model: &Arc<HybridTree>, falling: &'a [Falling], with_fronts: bool) -> Self {
        let mut world = if with_fronts { HybridWorld::with_fronts() } else { HybridWorld::new() };
        let ids = falling.iter().map(|head| world.add(Arc::clone(model), head.at(0))).collect();
        Self { bodies: Bodies::HybridTree(Box::new(world)), ids, falling }
    }

    fn packed(model: &Arc<Model>, falling: &'a [Falling]) -> Self {
        let mut world = World::new();
        let ids = falling.iter().map(|head| world.add(Arc::clone(model), head.at(0))).collect();
        Self { bodies: Bodies::Packed(Box::new(world)), ids, falling }
    }

    /// One frame: pairs examined, pairs that touch, tests.
    fn fall(&mut self, frame: u32, question: &CollisionRequest) -> [u64; 4] {
        for (&id, head) in self.ids.iter().zip(self.falling) {
            let place = head.at(frame);
            match &mut self.bodies {
                Bodies::HybridTree(world) => world.set_pose(id, place),
                Bodies::Packed(world) => world.set_pose(id, place),
            }
            .expect("nobody goes");
        }
        let step = match &mut self.bodies {
            Bodies::HybridTree(world) => world.step(question),
            Bodies::Packed(world) => world.step(question),
        };
        [step.examined, step.touching.len() as u64, step.tally.volumes(), step.tally.primitives]
    }
}

/// The sums of some scenes.
fn fall_all(scenes: &mut [Heads], frames: u32, question: &CollisionRequest) -> [u64; 4] {
    let mut sums = [0; 4];
    for scene in scenes {
        for frame in 0..frames {
            let found = scene.fall(frame, question);
            sums.iter_mut().zip(found).for_each(|(sum, more)| *sum += more);
        }
    }
    sums
}

impl Row {
    fn measure(head: &Mesh, count: usize, is_turned: bool, frames: u32, rounds: usize) -> Self {
        // A quick run has few frames and one scene.
        let scenes = if frames > 2 { TOGETHER.div_ceil(count) } else { 1 };
        let falling: Vec<Vec<Falling>> =
            (0..scenes).map(|scene| Falling::all(count, scene, is_turned)).collect();
        let models = [0, 1, 2].map(|tree| Arc::new(layered(head, &layering(tree))));
        let packed = Arc::new(Model::new(head.clone()));
        let mut worlds = [0, 1, 2, 3, 4].map(|tree: usize| {
            let world = |scene| match tree {
                PACKED => Heads::packed(&packed, scene),
                _ => Heads::layered(&models[tree.min(SBBK)], scene, tree == FRONTS),
            };
            falling.iter().map(Vec::as_slice).map(world).collect::<Vec<Heads>>()
        });
        let found = worlds.each_mut().map(|scenes| fall_all(scenes, frames, &COUNT));
        assert!(found.iter().all(|sums| sums[1] == found[0][1]), "all trees find the same");
        let [examined, touching, ..] = found[0];
        let roots = CollisionRequest { path: Path { rule: Rule::Larger, level: Some(0) }, ..COUNT };
        let kept = fall_all(&mut worlds[S_AABB], frames, &roots)[1];
        let mut falls = worlds.each_mut().map(|scenes| {
            move |step: usize| {
                let (scene, frame) = (step / frames as usize, step as u32 % frames);
                black_box(scenes[scene].fall(frame, &COUNT));
            }
        });
        let mut contestants = falls.each_mut().map(|fall| fall as &mut dyn FnMut(usize));
        let least = Least::run(rounds, scenes * frames as usize, &mut contestants);
        let all_pairs = (count <= ALL_PAIRS).then(|| all_pairs(&models, &falling, rounds));
        let work = found.map(|sums| [sums[2], sums[3]]);
        Self {
            count,
            is_turned,
            frames: frames * scenes as u32,
            examined: [examined, found[PACKED][0]],
            touching,
            rejected: examined - kept,
            work,
            least,
            all_pairs,
        }
    }
}

/// Every two heads are asked about, in one frame.
fn all_pairs(models: &[Arc<HybridTree>; 3], falling: &[Vec<Falling>], rounds: usize) -> f64 {
    let places: Vec<Vec<Pose>> =
        falling.iter().map(|scene| scene.iter().map(|head| head.at(0)).collect()).collect();
    let mut workspaces = [Workspace::default(), Workspace::default()];
    let ask_all = |model: &HybridTree, scene: &[Pose], workspace: &mut Workspace| {
        for (place, a) in scene.iter().enumerate() {
            for b in &scene[place + 1..] {
                black_box(collide_layered(model, a, model, b, &COUNT, workspace));
            }
        }
    };
    let [first, second] = &mut workspaces;
    let mut boxes = |scene: usize| ask_all(&models[AABB], &places[scene], first);
    let mut layers = |scene: usize| ask_all(&models[SBBK], &places[scene], second);
    Least::run(rounds, places.len(), &mut [&mut boxes, &mut layers]).ratio(0, 1)
}

fn table(rows: &[Row], is_turned: bool) -> Table {
    let title = if is_turned {
        "Heads that tumble: times of detection, broad phase included"
    } else {
        "Heads that look one way: times of detection, broad phase included"
    };
    let mut table = Table::new(title, ["heads"]);
    table.columns.extend(NAMES.map(|name| format!("time, ms a frame, {name}")));
    table.columns.extend(
        ["time AABB/SBBK", "time AABB/S-AABB", "time SBBK/packed OBB", "time AABB/SBBK, all pairs"]
            .map(str::to_owned),
    );
    for row in rows.iter().filter(|row| row.is_turned == is_turned) {
        let mut cells: Vec<Cell> = vec![row.count.into()];
        let millis = |tree| 1e3 * row.least.secs(tree) / f64::from(row.frames);
        cells.extend((0..NAMES.len()).map(|tree| Cell::Number(millis(tree))));
        cells.extend([SBBK, S_AABB].map(|tree| Cell::Number(row.least.ratio(AABB, tree))));
        cells.push(Cell::Number(row.least.ratio(SBBK, PACKED)));
        cells.push(row.all_pairs.into());
        table.row(cells);
    }
    table
}

fn table_of_work(rows: &[Row]) -> Table {
    let mut table = Table::new(
        "Work over all frames",
        [
            "heads",
            "turned",
            "pairs of boxes",
            "pairs of boxes, packed",
            "apart at the balls",
            "touch",
        ],
    );
    let names =
        ["N_v", "N_p"].iter().flat_map(|n| NAMES.iter().map(move |name| format!("{n} {name}")));
    table.columns.extend(names);
    for row in rows {
        let mut cells: Vec<Cell> =
            vec![row.count.into(), if row.is_turned { "yes" } else { "no" }.into()];
        cells
            .extend([row.examined[0], row.examined[1], row.rejected, row.touching].map(Cell::from));
        cells.extend(
            [0, 1].into_iter().flat_map(|kind| row.work.map(|work| Cell::Count(work[kind]))),
        );
        table.row(cells);
    }
    table
}

fn halved(id: &'static str, rows: &[Row], wanted: usize) -> Claim {
    let row = |is_turned: bool| {
        rows.iter().find(move |row| row.count == wanted && row.is_turned == is_turned)
    };
    let ratio = |is_turned, first, second| {
        row(is_turned).map_or(f64::NAN, |row| row.least.ratio(first, second))
    };
    let [straight, turned] = [false, true].map(|is_turned| ratio(is_turned, AABB, SBBK));
    let [fronts, turned_fronts] = [false, true].map(|is_turned| ratio(is_turned, SBBK, FRONTS));
    let share = |is_turned, kind: usize| {
        row(is_turned)
            .map_or(f64::NAN, |row| row.work[SBBK][kind] as f64 / row.work[AABB][kind] as f64)
    };
    let [packed, turned_packed] = [false, true].map(|is_turned| ratio(is_turned, SBBK, PACKED));
    let verdict = match straight.min(turned) {
        near if near >= 1.8 => Verdict::Holds,
        more if more > 1.0 => Verdict::HoldsWithAnotherNumber,
        _ => Verdict::DoesNotHold,
    };
    Claim::timed(id, "Two thousand falling heads take half the time.")
        .paper("71.8/34.5 = 2.08")
        .ours(format!(
            "time AABB/SBBK of {wanted} heads: {straight:.2} in one frame, {turned:.2} turned; of the volume tests SBBK makes {:.2} and {:.2}, of the triangle tests {:.2} and {:.2}; time SBBK without fronts over \
             SBBK with: {fronts:.2} and {turned_fronts:.2}; over packed OBB trees: {packed:.2} and {turned_packed:.2}",
            share(false, 0),
            share(true, 0),
            share(false, 1),
            share(true, 1),
        ))
        .verdict(verdict)
        .why(
            "The gain is that of 18-DOPs at the bottom, which leave fewer volume tests and fewer triangle tests; those of turned 18-DOPs cost more each. Fronts leave fewer \
             visits, but each of them costs more than a step through a stack.",
        )
}

fn growing(id: &'static str, rows: &[Row]) -> Claim {
    let curve = |is_turned: bool| -> Vec<f64> {
        let rows = rows.iter().filter(|row| row.is_turned == is_turned);
        rows.map(|row| row.least.ratio(AABB, SBBK)).collect()
    };
    let grows = |ratios: &[f64]| {
        // Within 5 %, which is what the clock leaves open.
        ratios.is_sorted_by(|before, after| *after >= 0.95 * before)
            && ratios[ratios.len() - 1] > 1.1 * ratios[0]
    };
    let shown = |ratios: &[f64]| {
        ratios.iter().map(|ratio| format!("{ratio:.2}")).collect::<Vec<_>>().join(", ")
    };
    let [straight, turned] = [false, true].map(curve);
    let all: Vec<f64> =
        rows.iter().filter(|row| !row.is_turned).filter_map(|row| row.all_pairs).collect();
    let shares = rows.iter().map(|row| row.rejected as f64 / row.examined[0].max(1) as f64);
    let (low, high) =
        shares.fold((f64::MAX, 0.0_f64), |(low, high), share| (low.min(share), high.max(share)));
    Claim::timed(id, "The gain grows with the number of objects.")
        .paper("11 % at 2 objects to 52 % at 2,000; the curve is lost")
        .ours(format!(
            "time AABB/SBBK from {} to {} heads: {} in one frame, {} turned; asked about all pairs: {}; balls at the roots part {:.0}–{:.0} % of the pairs whose boxes \
             overlap",
            rows[0].count,
            rows[rows.len() - 1].count,
            shown(&straight),
            shown(&turned),
            shown(&all),
            100.0 * low,
            100.0 * high,
        ))
        .holds_if(grows(&straight) && grows(&turned))
        .why(
            "At a fixed density every head has as many neighbours whatever their number, and far pairs never leave the broad phase; so the gain is that of one \
             pair.",
        )
}
