//! What a structure takes in memory, to build and to refit, for each triangle.

use std::hint::black_box;

use elbowroom::{Aabb, Mesh};
use glam::DVec3;

use super::super::OWN;
use super::super::structure::{KINDS, PACKED};
use super::super::turns::{Secs, Turns};
use crate::{Axis, Bar, Cell, Chart, Claim, Marks, Table};
use elbowroom_papers::grammar::thread_secs;

/// One mesh under all structures.
pub(super) struct Built {
    name: &'static str,
    triangles: usize,
    /// By kind, a triangle.
    bytes: Vec<f64>,
    /// Building is what is asked; following is a refit, nothing where there is none.
    turns: Turns,
}

impl Built {
    fn nanos(&self, kind: usize, part: fn(Secs) -> f64) -> f64 {
        1e9 * self.turns.of(kind, part).median / self.triangles as f64
    }

    fn build(&self, kind: usize) -> f64 {
        self.nanos(kind, |secs| secs.ask)
    }

    fn refit(&self, kind: usize) -> Option<f64> {
        KINDS[kind].is_refitted().then(|| self.nanos(kind, |secs| secs.follow))
    }
}

pub(super) fn measure(quick: bool) -> Vec<Built> {
    let models: Vec<(&'static str, Mesh)> = if quick {
        vec![
            ("head", elbowroom_make::monkey_head(5)),
            ("ring", elbowroom_make::wrinkled_torus(24, 16)),
        ]
    } else {
        vec![
            ("head", elbowroom_make::monkey_head(5)),
            ("person", elbowroom_make::person()),
            ("ring", elbowroom_make::wrinkled_torus(100, 100)),
            ("ground", elbowroom_make::landscape(123, 100, 3)),
        ]
    };
    models.into_iter().map(|(name, mesh)| of(name, &mesh, if quick { 1 } else { 5 })).collect()
}

fn of(name: &'static str, mesh: &Mesh, rounds: usize) -> Built {
    let bytes = KINDS.iter().map(|kind| kind.make(mesh).bytes_per_triangle()).collect();
    let Aabb { min: low, max: high } = mesh.bounds();
    let size = (high - low).max_element();
    let wave = |p: DVec3| p + DVec3::Y * (0.05 * size * libm::sin(6.0 * p.x / size));
    let moved: Vec<DVec3> = mesh.vertices().iter().map(|&p| wave(p)).collect();
    let mut soft: Vec<_> = KINDS.iter().map(|kind| kind.make_soft(mesh)).collect();
    let turns = Turns::run(rounds, KINDS.len(), |kind| {
        let start = thread_secs();
        black_box(KINDS[kind].make(mesh));
        let built = thread_secs();
        if KINDS[kind].is_refitted() {
            KINDS[kind].follow(&mut soft[kind], &moved);
        }
        Secs { ask: built - start, follow: thread_secs() - built }
    });
    Built { name, triangles: mesh.triangles().len(), bytes, turns }
}

pub(super) fn table(built: &[Built]) -> Table {
    let mut table = Table::new(
        "Memory, building and refitting, for each triangle",
        ["model", "triangles", "structure", "bytes", "time to build, ns", "time to refit, ns"],
    );
    for one in built {
        for (kind, structure) in KINDS.iter().enumerate() {
            table.row([
                one.name.into(),
                one.triangles.into(),
                structure.name.into(),
                one.bytes[kind].into(),
                one.build(kind).into(),
                Cell::from(one.refit(kind)),
            ]);
        }
    }
    table
}

/// Names with numbers, of the largest model.
fn shown(built: &[Built], of: impl Fn(&Built, usize) -> Option<f64>) -> String {
    let Some(one) = built.last() else { return String::new() };
    let words: Vec<String> = KINDS
        .iter()
        .enumerate()
        .filter_map(|(kind, structure)| Some(format!("{} {:.0}", structure.name, of(one, kind)?)))
        .collect();
    format!("{}: {}", one.name, words.join(", "))
}

pub(super) fn memory(built: &[Built]) -> Claim {
    let below = |one: &Built| {
        let packed = one.bytes[PACKED];
        one.bytes
            .iter()
            .enumerate()
            .filter(|&(kind, bytes)| kind != PACKED && *bytes < packed)
            .count()
    };
    let most = built.iter().map(below).max().unwrap_or(0);
    Claim { gate: false, ..Claim::gate("COMMON-families-memory", "A packed tree, its triangles within, is the smallest of all but spheres, or within a fifth of it.") }
        .paper(OWN)
        .ours(format!("bytes a triangle, {}; at most {most} structures are smaller", shown(built, |one, kind| Some(one.bytes[kind]))))
        .holds_if(built.iter().all(|one| {
            (2..KINDS.len()).all(|kind| one.bytes[PACKED] <= 1.2 * one.bytes[kind])
        }))
        .why("Four boxes in f32 a block, and several triangles a leaf: fewer boxes, each half the size.")
}

pub(super) fn build(built: &[Built]) -> Claim {
    let faster =
        |one: &Built| (0..KINDS.len()).all(|kind| one.build(PACKED) <= 1.2 * one.build(kind));
    Claim::timed(
        "COMMON-families-build",
        "A packed tree is built sooner than any other, or within a fifth of it.",
    )
    .paper(OWN)
    .ours(format!("ns a triangle, {}", shown(built, |one, kind| Some(one.build(kind)))))
    .holds_if(built.iter().all(faster))
    .why("Its boxes are fitted to groups, not to every triangle, and cuts are found in bins.")
}

pub(super) fn refit(built: &[Built]) -> Claim {
    let is_cheap = |one: &Built| {
        let [aabb, packed] = [one.refit(2), Some(one.build(PACKED))];
        aabb.zip(packed).is_some_and(|(refit, build)| 10.0 * refit < build)
    };
    Claim::timed(
        "COMMON-families-refit",
        "Refitting boxes along the axes takes less than a tenth of building a packed tree anew.",
    )
    .paper(OWN)
    .ours(format!(
        "ns a triangle to refit, {}; packed OBB is built anew",
        shown(built, Built::refit)
    ))
    .holds_if(built.iter().all(is_cheap))
}

pub(super) fn charts(built: &[Built]) -> Vec<Chart> {
    let groups: Vec<String> = KINDS.iter().map(|kind| kind.name.to_owned()).collect();
    let bars = |of: &dyn Fn(&Built, usize) -> Option<f64>| Marks::Bars {
        groups: groups.clone(),
        bars: built
            .iter()
            .map(|one| Bar::ours(one.name, (0..KINDS.len()).map(|kind| of(one, kind)).collect()))
            .collect(),
    };
    let chart = |name, title: &str, y: Axis, marks, timed| Chart {
        name,
        title: title.to_owned(),
        x: Axis::linear("structure"),
        y,
        marks,
        timed,
    };
    vec![
        chart(
            "memory",
            "Memory",
            Axis::linear("bytes a triangle"),
            bars(&|one, kind| Some(one.bytes[kind])),
            false,
        ),
        chart(
            "build",
            "Building",
            Axis::log("time, ns a triangle"),
            bars(&|one, kind| Some(one.build(kind))),
            true,
        ),
        chart("refit", "Refitting", Axis::log("time, ns a triangle"), bars(&Built::refit), true),
    ]
}
