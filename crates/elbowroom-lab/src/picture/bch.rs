//! Scenes of BCH (Stüvel and others, 2014): people from above, under circles that are cylinders.

use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::volume::Cylinder;
use elbowroom::{Mesh, Pose};
use elbowroom_make::body::Move;
use elbowroom_motion::footprint::{
    BoxParts, Boxes, Footprint, FootprintConfig, Look, Parts, SlideWork, slide,
};
use elbowroom_papers::bch::{Sliced, Slices};
use glam::{DMat3, DVec2, DVec3};

use super::canvas::{Canvas, Color, Ink};
use super::hull::Hull;
use super::lens::{Camera, Lens};
use super::people::People;
use super::pick::nodes;
use super::stage::{Body, Shape, Stage, Tint, ring};
use super::text::{STRIP, above};
use super::{WHOLE, ink};
use crate::Context;

/// The paper's levels, and the leaves.
const LEVELS: [u32; 4] = [0, 3, 6, 9];

/// The circles of a level as cylinders as high as the body.
fn cylinders(footprint: &Footprint, level: u32) -> Vec<Cylinder> {
    let (low, high) = footprint.height();
    nodes(footprint.tree(), level)
        .map(|node| Cylinder { low, high, ..footprint.column()[node] })
        .collect()
}

/// Circles, placed on the ground.
fn placed(circles: Vec<Cylinder>, at: &Planar) -> Vec<Cylinder> {
    circles.into_iter().map(|c| Cylinder { center: at.apply(c.center), ..c }).collect()
}

fn shapes(circles: &[Cylinder], tint: Tint) -> Vec<(Shape, Tint)> {
    circles.iter().map(|circle| (Shape::Hull(Hull::of_cylinder(circle)), tint)).collect()
}

/// A body that walks out.
fn walker(context: &Context) -> (People, Mesh, Footprint) {
    let people = People::new(context);
    let mesh = people.posed(0, Move::Walk, 0.0);
    let footprint = Footprint::of_mesh(&mesh, &FootprintConfig::default());
    (people, mesh, footprint)
}

/// A body from above: what it covers, and its outline.
pub(super) fn outlined(
    stage: &mut Stage,
    footprint: &Footprint,
    at: &Planar,
    color: Color,
    width: f64,
) {
    let Some(contour) = footprint.contour() else { return };
    let rings: Vec<Vec<DVec2>> =
        contour.rings().iter().map(|ring| ring.iter().map(|&p| at.apply(p)).collect()).collect();
    stage.area(&rings, color, 0.85);
    for ring in &rings {
        let points: Vec<DVec3> = ring.iter().map(|p| p.extend(0.0)).collect();
        stage.path(&points, true, width, &Ink::new(ink::DARK, 1.0));
    }
}

/// Figure 2: the outline of a body and the circles of each level.
pub(super) fn outline(context: &Context, canvas: &mut Canvas) -> String {
    let (people, _, footprint) = walker(context);
    let room: Vec<DVec3> = ring(footprint.whole()).iter().map(|p| p.extend(0.0)).collect();
    let mut counts = Vec::new();
    for (cell, level) in WHOLE.grid(4, 2).into_iter().zip([0, 1, 2, 3, 4, 6, 8, 10]) {
        let circles = cylinders(&footprint, level);
        let lens = Lens::fitted(&Camera::map(), room.iter().copied(), cell.below(STRIP), 5.0);
        let mut stage = Stage::new(canvas, lens);
        outlined(&mut stage, &footprint, &Planar::IDENTITY, ink::STONE, 1.2);
        for circle in &circles {
            stage.circle(circle, &Tint::new(ink::CYLINDER, 0.14, 1.0));
        }
        counts.push(circles.len().to_string());
        canvas.clip(cell);
        above(canvas, cell, &format!("LEVEL {level}"));
    }
    format!(
        "A walker seen from above: what the body covers, its outline, and the circles around the outline on levels 0, 1, 2, 3, 4, 6, 8 and 10, {} of them, cut until they \
         are smaller than 1 cm. {}. Made with footprint::Footprint.",
        counts.join(", "),
        people.whose()
    )
}

/// Figure 1: cylinders around a body.
pub(super) fn body(context: &Context, canvas: &mut Canvas) -> String {
    let (people, mesh, footprint) = walker(context);
    let room = Hull::of_cylinder(&cylinders(&footprint, 0)[0]).corners;
    for (place, (cell, level)) in WHOLE.grid(4, 1).into_iter().zip(LEVELS).enumerate() {
        let camera = Camera::z_up(38.0, 22.0);
        let lens = Lens::fitted(&camera, room.iter().copied(), cell.below(STRIP), 24.0);
        let mut stage = Stage::new(canvas, lens);
        let floor = footprint.height().0;
        let body = Body::new(&mesh, &Pose::IDENTITY, ink::SKIN);
        stage.bodies(&[body], |p| p.truncate().extend(floor), 5);
        // Finer, the more there are.
        let (fill, line) = [(0.16, 1.1), (0.16, 1.1), (0.06, 0.36), (0.03, 0.06)][place];
        let tint = Tint::new(ink::CYLINDER, fill, line);
        stage.volumes(&shapes(&cylinders(&footprint, level), tint));
        canvas.clip(cell);
        above(canvas, cell, &format!("LEVEL {level}"));
    }
    format!(
        "The same walker under cylinders: levels 0, 3, 6 and 9. They stand on the outline, so that from level 6 on they are a curtain around what the body covers. {}. \
         Made with footprint::Footprint.",
        people.whose()
    )
}

/// Beyond the paper: slabs of height.
pub(super) fn slabs(context: &Context, canvas: &mut Canvas) -> String {
    let (people, mesh, footprint) = walker(context);
    let (low, high) = footprint.height();
    let heights: Vec<f64> = [0.26, 0.5, 0.68, 0.84].map(|share| low + share * (high - low)).into();
    let Ok(slices) = Slices::new(&heights) else { return String::new() };
    let sliced = Sliced::of_mesh(&mesh, &slices, &FootprintConfig::default());
    let room = Hull::of_cylinder(&cylinders(&footprint, 0)[0]).corners;
    let views = [
        ("ONE CYLINDER", None),
        ("SLABS, LEVEL 0", Some(0)),
        ("SLABS, LEVEL 1", Some(1)),
        ("SLABS, LEVEL 3", Some(3)),
    ];
    for (cell, (name, level)) in WHOLE.grid(4, 1).into_iter().zip(views) {
        let camera = Camera::z_up(38.0, 16.0);
        let lens = Lens::fitted(&camera, room.iter().copied(), cell.below(STRIP), 8.0);
        let mut stage = Stage::new(canvas, lens);
        let body = Body::new(&mesh, &Pose::IDENTITY, ink::SKIN);
        stage.bodies(&[body], |p| p.truncate().extend(low), 5);
        let tint = Tint::new(ink::CYLINDER, 0.16, 1.1);
        let circles = match level {
            None => cylinders(&footprint, 0),
            Some(level) => sliced.slabs().iter().flat_map(|slab| cylinders(slab, level)).collect(),
        };
        stage.volumes(&shapes(&circles, tint));
        canvas.clip(cell);
        above(canvas, cell, name);
    }
    format!(
        "One cylinder, and cylinders around slabs of height, each around what the body covers between two heights: legs, hands and head take the room that they need where they are. {}. \
         Made with footprint::Sliced.",
        people.whose()
    )
}

/// A pose on the ground in space.
pub(super) fn upright(at: &Planar) -> Pose {
    let (cos, sin) = at.turn();
    let turn = DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
    Pose::new(turn, at.translation().extend(0.0)).unwrap_or(Pose::IDENTITY)
}

/// Figure 6: as close as each structure lets two people come.
pub(super) fn close(context: &Context, canvas: &mut Canvas) -> String {
    let people = People::new(context);
    let meshes = [people.posed(0, Move::Walk, 0.05), people.posed(1, Move::Walk, 0.55)];
    let start = Planar::from_angle(0.4, DVec2::new(-2.5, 0.1)).unwrap_or_default();
    let other = Planar::from_angle(2.6, DVec2::ZERO).unwrap_or_default();
    let of = |parts| {
        let config = FootprintConfig { parts, ..FootprintConfig::default() };
        meshes.each_ref().map(|mesh| Footprint::of_mesh(mesh, &config))
    };
    let [a, b] = of(Parts::Contour);
    let full = meshes.each_ref().map(|mesh| Boxes::of_mesh(mesh, BoxParts::Full).ok());
    let [Some(full_a), Some(full_b)] = full else { return String::new() };
    let mut work = SlideWork::default();
    let mut way = |level: u32| {
        let look = Look { level: Some(level), ..Look::default() };
        slide(&a, &start, &b, &other, DVec2::X, &look, &mut work).unwrap_or(0.0)
    };
    let ways = [way(0), way(3), way(30)];
    let exact = slide(
        &full_a,
        &start,
        &full_b,
        &other,
        DVec2::X,
        &Look::default(),
        &mut SlideWork::default(),
    );
    let stops = [
        (ways[0], 0, "ONE CYLINDER"),
        (ways[1], 3, "BCH, LEVEL 3"),
        (ways[2], 9, "BCH, ALL LEVELS"),
        (exact.unwrap_or(ways[2]), 99, "MESHES"),
    ];
    let near = |way: f64| {
        let (cos, sin) = start.turn();
        Planar::new(cos, sin, start.translation() + DVec2::X * way).unwrap_or_default()
    };
    // As wide as the first case, so that all are of one scale.
    let first = near(ways[0]);
    let room: Vec<DVec3> = placed(cylinders(&a, 0), &first)
        .iter()
        .chain(&placed(cylinders(&b, 0), &other))
        .flat_map(|circle| Hull::of_cylinder(circle).corners)
        .collect();
    for (place, cell) in WHOLE.grid(4, 1).into_iter().enumerate() {
        let (way, level, name) = stops[place];
        let at = near(way);
        let middle = DVec3::X * (0.5 * (way - ways[0]));
        let room: Vec<DVec3> = room.iter().map(|&p| p + middle).collect();
        let mut above_half = cell.below(STRIP);
        above_half.height = 360;
        let lens = Lens::fitted(&Camera::z_up(20.0, 14.0), room.iter().copied(), above_half, 4.0);
        let mut stage = Stage::new(canvas, lens);
        let bodies = [
            Body::new(&meshes[0], &upright(&at), ink::SKIN),
            Body::new(&meshes[1], &upright(&other), ink::SECOND),
        ];
        stage.bodies(&bodies, |p| p.truncate().extend(0.0), 4);
        let mut map = cell;
        (map.y, map.height) = (cell.y + STRIP + 360, cell.height - STRIP - 360);
        let lens =
            Lens::fitted(&Camera::map(), room.iter().map(|p| p.truncate().extend(0.0)), map, 4.0);
        let mut stage = Stage::new(canvas, lens);
        outlined(&mut stage, &a, &at, ink::SKIN, 1.0);
        outlined(&mut stage, &b, &other, ink::SECOND, 1.0);
        if level < 99 {
            for circle in placed(cylinders(&a, level), &at)
                .iter()
                .chain(&placed(cylinders(&b, level), &other))
            {
                stage.circle(circle, &Tint::new(ink::CYLINDER, 0.08, 0.9));
            }
        }
        canvas.clip(cell);
        above(canvas, cell, name);
    }
    let closer = |way: f64| 100.0 * (way - ways[0]);
    format!(
        "One walks up to the other until a structure says stop: one cylinder each, BCH to level 3, BCH to its leaves, and the meshes. Each time they come closer: by {:.0}, {:.0} and {:.0} cm \
         than with one cylinder. Below, the same from above. {}. Made with footprint::slide.",
        closer(stops[1].0),
        closer(stops[2].0),
        closer(stops[3].0),
        people.whose()
    )
}
