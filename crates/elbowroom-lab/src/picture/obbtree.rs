//! Scenes of `OBBTree` (Gottschalk, Lin and Manocha, 1996).

use std::collections::BTreeSet;

use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::internal::volume::{Aabb, Cylinder, Family, Obb, Sphere};
use elbowroom::{Mesh, Pose};
use elbowroom_make::{Pipes, lat_long_sphere, pipes, torus as ring, wrinkled_torus};
use glam::{DMat3, DVec2, DVec3};

use super::canvas::{Canvas, Color, Ink};
use super::lens::{Camera, Lens, sine};
use super::pick::{Grown, color, tinted};
use super::stage::{Shape, Stage, Tint};
use super::text::{STRIP, above};
use super::{WHOLE, ink};
use crate::Context;

/// The three trees that are compared.
struct Trees {
    obb: Grown<Obb>,
    aabb: Grown<Aabb>,
    sphere: Grown<Sphere>,
}

const FAMILIES: [Family; 3] = [Family::Obb, Family::Aabb, Family::Sphere];
const NAMES: [&str; 3] = ["OBB", "AABB", "SPHERE"];

impl Trees {
    fn new(mesh: &Mesh) -> Self {
        let aabb = Grown::new(mesh);
        Self { obb: Grown::new(mesh), sphere: Grown::over(&aabb, mesh), aabb }
    }

    fn level(&self, family: usize, wanted: u32) -> Vec<Shape> {
        match family {
            0 => self.obb.level(wanted),
            1 => self.aabb.level(wanted),
            _ => self.sphere.level(wanted),
        }
    }
}

/// The corners of all that is drawn.
fn room(mesh: &Mesh, trees: &Trees, levels: &[u32], families: &[usize]) -> Vec<DVec3> {
    let mut all = mesh.vertices().to_vec();
    for &family in families {
        let shapes = levels.iter().flat_map(|&level| trees.level(family, level));
        all.extend(shapes.flat_map(|shape| shape.points()));
    }
    all
}

/// Figure 9: levels of three trees over a torus.
pub(super) fn torus(_: &Context, canvas: &mut Canvas) -> String {
    let mesh = ring(1.0, 0.4, 120, 48);
    let trees = Trees::new(&mesh);
    let levels = [1, 2, 3, 4, 5, 6];
    let camera = Camera::y_up(24.0, 46.0);
    let all = room(&mesh, &trees, &levels, &[0, 1, 2]);
    for (place, cell) in WHOLE.grid(levels.len(), NAMES.len()).into_iter().enumerate() {
        let (family, level) = (place / levels.len(), levels[place % levels.len()]);
        let lens = Lens::fitted(&camera, all.iter().copied(), cell.below(STRIP), 2.0);
        let mut stage = Stage::new(canvas, lens);
        stage.solid(&mesh, ink::STONE);
        let tint = Tint::new(color(FAMILIES[family]), if level < 3 { 0.16 } else { 0.3 }, 1.0);
        stage.volumes(&tinted(trees.level(family, level), tint));
        canvas.clip(cell);
        above(canvas, cell, &format!("{} {level}", NAMES[family]));
    }
    format!(
        "Levels 1 to 6 of three trees over a torus of {} triangles: oriented boxes, boxes along the axes, and balls over the tree of the \
         latter. On each level there are as many volumes in each row. Made with tree::grow, Fit::Triangles and tree::Column::fitted.",
        mesh.triangles().len()
    )
}

/// The picture of the wrinkled torus of §7, larger.
pub(super) fn wrinkled(_: &Context, canvas: &mut Canvas) -> String {
    let mesh = wrinkled_torus(160, 64);
    let trees = Trees::new(&mesh);
    let camera = Camera::y_up(20.0, 40.0);
    let all = room(&mesh, &trees, &[5, 8], &[0, 1]);
    for (place, cell) in WHOLE.grid(2, 2).into_iter().enumerate() {
        let (family, level) = (place % 2, [5, 8][place / 2]);
        let lens = Lens::fitted(&camera, all.iter().copied(), cell.below(STRIP), 6.0);
        let mut stage = Stage::new(canvas, lens);
        stage.solid(&mesh, ink::STONE);
        let tint = Tint::new(color(FAMILIES[family]), 0.34, if level > 6 { 0.8 } else { 1.1 });
        stage.volumes(&tinted(trees.level(family, level), tint));
        canvas.clip(cell);
        above(canvas, cell, &format!("{} LEVEL {level}", NAMES[family]));
    }
    format!(
        "A wrinkled torus of {} triangles under 32 and under 256 boxes: oriented ones lie along the skin, those along the axes overlap where it runs \
         aslant. Made with tree::grow, Fit::Triangles.",
        mesh.triangles().len()
    )
}

/// Figure 5: two concentric spheres, cut open.
pub(super) fn spheres(_: &Context, canvas: &mut Canvas) -> String {
    const GAP: f64 = 0.08;
    // Off the vertices, through which the plane z = 0 goes.
    const CUT: f64 = 0.013;
    let inner = lat_long_sphere(61, 96);
    let outer = grown_by(&inner, 1.0 + GAP);
    let trees = [Trees::new(&inner), Trees::new(&outer)];
    let inks = [ink::OBB, ink::AABB];
    let whole = |r: f64| [DVec3::new(-r, -r, 0.0), DVec3::new(r, r, 0.0)];
    let corner = [DVec3::new(0.36, 0.36, 0.0), DVec3::new(1.0, 0.97, 0.0)];
    for (place, cell) in WHOLE.grid(3, 2).into_iter().enumerate() {
        let (family, row) = (place % 3, place / 3);
        let (level, room) = [(6, whole(1.3)), (9, corner)][row];
        let lens = Lens::fitted(&Camera::map(), room, cell.below(STRIP), 4.0);
        let mut stage = Stage::new(canvas, lens);
        for (tree, color) in trees.iter().zip(inks) {
            for shape in tree.level(family, level) {
                section(&mut stage, &shape, CUT, color);
            }
        }
        for radius in [1.0, 1.0 + GAP] {
            let circle = Cylinder::infinite(DVec2::ZERO, radius);
            stage.circle(&circle, &Tint::new(ink::DARK, 0.0, 1.6));
        }
        canvas.clip(cell);
        above(canvas, cell, &format!("{} LEVEL {level}", NAMES[family]));
    }
    format!(
        "A sphere in another, {GAP} apart, cut open: volumes of the inner one are orange, of the outer one blue. Above level 6, below a part of level 9. Oriented boxes \
         are flat and soon part the spheres; boxes along the axes and balls still overlap where the skin runs aslant. Made with tree::grow."
    )
}

fn grown_by(mesh: &Mesh, by: f64) -> Mesh {
    let vertices = mesh.vertices().iter().map(|&p| p * by).collect();
    mesh.with_vertices(vertices).expect("a larger mesh is a mesh")
}

/// What a plane cuts out of a shape.
fn section(stage: &mut Stage, shape: &Shape, height: f64, color: Color) {
    let ring = match shape {
        Shape::Hull(hull) => hull.section(height).iter().map(|p| p.truncate()).collect(),
        Shape::Ball(ball) => {
            let off = height - ball.center.z;
            let square = ball.radius * ball.radius - off * off;
            if square <= 0.0 {
                return;
            }
            super::stage::ring(&Cylinder::infinite(ball.center.truncate(), square.sqrt()))
        }
    };
    if ring.len() >= 3 {
        stage.area(std::slice::from_ref(&ring), color, 0.22);
        let points: Vec<DVec3> = ring.iter().map(|p| p.extend(0.0)).collect();
        stage.path(&points, true, 1.0, &Ink::new(color, 0.9));
    }
}

/// §7: two tangles of pipes in each other.
pub(super) fn tangles(_: &Context, canvas: &mut Canvas) -> String {
    let of = |seed| pipes(&Pipes { cells: 8, pipes: 14, longest: 34, seed, ..Pipes::default() });
    let [first, second] = [of(3), of(5)].map(Model::new);
    let ([sin, cos], [tilt, flat]) = (sine(31.0), sine(17.0));
    let turn = DMat3::from_cols(
        DVec3::new(cos, sin * tilt, sin * flat),
        DVec3::new(0.0, flat, -tilt),
        DVec3::new(-sin, cos * tilt, cos * flat),
    );
    let there = Pose::new(turn, DVec3::new(4.6, 1.2, -2.4)).expect("a rotation");
    let here = Pose::IDENTITY;
    let pairs = query::triangle_pairs(&first, &here, &second, &there);
    let moved: Vec<DVec3> =
        second.mesh().vertices().iter().map(|&point| there.apply(point)).collect();
    let all: Vec<DVec3> = first.mesh().vertices().iter().chain(&moved).copied().collect();
    let lens = Lens::fitted(&Camera::y_up(-28.0, 22.0), all.iter().copied(), WHOLE, 26.0);
    let mut stage = Stage::new(canvas, lens);
    let [of_first, of_second]: [BTreeSet<usize>; 2] = [
        pairs.iter().map(|pair| pair.a as usize).collect(),
        pairs.iter().map(|pair| pair.b as usize).collect(),
    ];
    let paint = |set: &BTreeSet<usize>, i: usize, other: Color| {
        if set.contains(&i) { ink::CONTACT } else { other }
    };
    let (a, b) = (first.mesh(), second.mesh());
    stage.surface(a.vertices(), a.triangles(), |i| paint(&of_first, i, ink::STONE));
    stage.surface(&moved, b.triangles(), |i| paint(&of_second, i, ink::SECOND));
    format!(
        "Two tangles of pipes, {} and {} triangles, pushed into each other; the triangles of the {} pairs that meet are red. Generated by \
         elbowroom-make, found by query::collide.",
        a.triangles().len(),
        b.triangles().len(),
        pairs.len()
    )
}
