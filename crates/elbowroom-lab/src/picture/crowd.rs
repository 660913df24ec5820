//! People together: a crowd from above, and where two of them meet.

use elbowroom::Mesh;
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::Cylinder;
use elbowroom_make::body::{Move, Sex};
use elbowroom_make::{Crowd, Ground, crowd};
use elbowroom_motion::footprint::{Footprint, FootprintConfig, Look, Nearness, Work, ask};
use glam::{DVec2, DVec3};

use super::bch::{outlined, upright};
use super::canvas::{Canvas, Color, Ink, Window};
use super::lens::{Camera, Lens};
use super::people::People;
use super::stage::{Body, Stage, Tint};
use super::text::{STRIP, above};
use super::{WHOLE, ink};
use crate::Context;

/// Samples of a walk.
const PHASES: usize = 12;

/// A body in a sample of its walk.
struct Posed {
    model: Model,
    footprint: Footprint,
}

impl Posed {
    fn new(mesh: Mesh) -> Self {
        let footprint = Footprint::of_mesh(&mesh, &FootprintConfig::default());
        Self { model: Model::new(mesh), footprint }
    }
}

/// How near a person is to the nearest other; each implies those before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Near {
    Alone,
    Circles,
    Outlines,
    Meshes,
}

impl Near {
    fn of(a: &Posed, at_a: &Planar, b: &Posed, at_b: &Planar) -> Self {
        let mut work = Work::default();
        let mut is_clear = |level| {
            let look = Look { level, ..Look::default() };
            ask(&a.footprint, at_a, &b.footprint, at_b, &look, &mut work) == Nearness::Clear
        };
        if is_clear(Some(0)) {
            Self::Alone
        } else if is_clear(None) {
            Self::Circles
        } else if query::intersects(&a.model, &upright(at_a), &b.model, &upright(at_b)) {
            Self::Meshes
        } else {
            Self::Outlines
        }
    }

    fn color(self) -> Color {
        match self {
            Self::Alone => ink::STONE,
            Self::Circles => ink::AABB,
            Self::Outlines => ink::OBB,
            Self::Meshes => ink::CONTACT,
        }
    }
}

/// A crowd in a corridor.
pub(super) fn corridor(context: &Context, canvas: &mut Canvas) -> String {
    let people = People::new(context);
    let posed: Vec<Posed> = (0..2 * PHASES)
        .map(|i| people.posed(i / PHASES, Move::Walk, (i % PHASES) as f64 / PHASES as f64))
        .map(Posed::new)
        .collect();
    let ground = Ground::Corridor { length: 19.0, width: 11.0 };
    let walkers = crowd(&Crowd { people: 340, ground, seconds: 42.0, seed: 4 });
    let standing = walkers.iter().filter_map(|walker| {
        let stand = walker.at(30.0)?;
        let phase = super::whole(stand.phase * PHASES as f64).min(PHASES - 1);
        let who = usize::from(walker.sex == Sex::Male) * PHASES + phase;
        // A heading is to the left of +z, which is −y here.
        let at =
            Planar::from_angle(stand.heading, DVec2::new(stand.place.x, -stand.place.z)).ok()?;
        Some((who, at))
    });
    let standing: Vec<(usize, Planar)> = standing.collect();
    let mut nearness = vec![Near::Alone; standing.len()];
    let mut pairs = [0; 4];
    for (i, (a, at_a)) in standing.iter().enumerate() {
        for (j, (b, at_b)) in standing.iter().enumerate().skip(i + 1) {
            if at_a.translation().distance(at_b.translation()) < 3.0 {
                let near = Near::of(&posed[*a], at_a, &posed[*b], at_b);
                pairs[near as usize] += 1;
                nearness[i] = nearness[i].max(near);
                nearness[j] = nearness[j].max(near);
            }
        }
    }
    let room = [DVec3::new(-9.5, -5.7, 0.0), DVec3::new(9.5, 5.7, 0.0)];
    let lens = Lens::fitted(&Camera::map(), room, WHOLE, 4.0);
    let mut stage = Stage::new(canvas, lens);
    for ((who, at), near) in standing.iter().zip(&nearness) {
        let whole = posed[*who].footprint.whole();
        let circle = Cylinder { center: at.apply(whole.center), ..*whole };
        let color = if *near == Near::Alone { ink::CYLINDER } else { near.color() };
        stage.circle(&circle, &Tint::new(color, 0.1, 0.9));
    }
    for ((who, at), near) in standing.iter().zip(&nearness) {
        outlined(&mut stage, &posed[*who].footprint, at, near.color(), 0.8);
    }
    format!(
        "{} people in a corridor from above, each with the circle around them. Blue: circles overlap, but outlines are clear ({} pairs); orange: outlines meet, but the bodies do not ({}); red: \
         bodies meet ({}). {}. Found by footprint::ask and query::intersects.",
        standing.len(),
        pairs[1],
        pairs[2],
        pairs[3],
        people.whose()
    )
}

/// Two people who meet, where they do, and how deep.
pub(super) fn contact(context: &Context, canvas: &mut Canvas) -> String {
    let people = People::new(context);
    let meshes = [people.posed(0, Move::Walk, 0.05), people.posed(1, Move::Walk, 0.55)];
    let at = [
        Planar::from_angle(1.2, DVec2::new(-0.21, 0.0)),
        Planar::from_angle(4.1, DVec2::new(0.25, 0.06)),
    ];
    let places = at.map(|at| upright(&at.unwrap_or_default()));
    let models = meshes.each_ref().map(|mesh| Model::new(mesh.clone()));
    let mut workspace = Workspace::default();
    let [a, b] = &models;
    let regions = query::regions(a, &places[0], b, &places[1], &mut workspace);
    let depth = query::penetration(a, &places[0], b, &places[1], None, &mut workspace);
    let points = [0, 1].map(|who: usize| -> Vec<DVec3> {
        meshes[who].vertices().iter().map(|&p| places[who].apply(p)).collect()
    });
    let is_deeper = depth.a_in_b.lower >= depth.b_in_a.lower;
    let site = if is_deeper { depth.a_in_b.site } else { depth.b_in_a.site };
    let inks = [ink::SKIN, ink::SECOND];
    let left = Window { width: 400, ..WHOLE };
    let right = Window { x: 400, width: 560, ..WHOLE };
    let all: Vec<DVec3> = points.iter().flatten().copied().collect();
    let camera = Camera::z_up(15.0, 10.0);
    let lens = Lens::fitted(&camera, all.iter().copied(), left.below(STRIP), 16.0);
    let mut stage = Stage::new(canvas, lens);
    let bodies = [0, 1].map(|who: usize| Body::new(&meshes[who], &places[who], inks[who]));
    stage.bodies(&bodies, |p| p.truncate().extend(0.0), 6);
    let lines = |stage: &mut Stage, width: f64| {
        for curve in regions.iter().flat_map(|region| &region.curves) {
            stage.path(&curve.points, curve.is_closed, width, &Ink::through(ink::CONTACT, 1.0));
        }
    };
    lines(&mut stage, 2.4);
    // Only what is around the contact, the second one cut away to wires.
    let (low, high) = regions
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), r| (a.min(r.low), b.max(r.high)));
    if low.is_finite() {
        let room = DVec3::splat(0.06);
        let near = [low - room, high + room];
        let lens = Lens::fitted(&camera, near, right.below(STRIP), 10.0);
        let mut stage = Stage::new(canvas, lens);
        stage.surface(&points[0], meshes[0].triangles(), |_| inks[0]);
        let wire = Ink { color: ink::SECOND_LINE, cover: 0.9, hidden: 0.3 };
        for triangle in meshes[1].triangles() {
            let corners = triangle.map(|i| points[1][i as usize]);
            for (i, from) in corners.into_iter().enumerate() {
                let to = corners[(i + 1) % 3];
                // Each edge once, from the triangle in which it runs upward.
                if (from.z, from.x, from.y) < (to.z, to.x, to.y) {
                    stage.line([from, to], 0.7, &wire);
                }
            }
        }
        lines(&mut stage, 2.6);
        if let Some(site) = site {
            let ink = Ink::through(ink::DARK, 1.0);
            stage.line([site.point, site.foot], 3.0, &ink);
            // A square at the point itself.
            let step = (site.foot - site.point) * 0.06;
            stage.line([site.point - step, site.point + step], 12.0, &ink);
        }
    }
    for (window, words) in [(left, "TWO PEOPLE"), (right, "WHERE THEY MEET")] {
        canvas.clip(window);
        above(canvas, window, words);
    }
    format!(
        "Two people who walk into each other. Red: the curves in which their skins cross, {} regions; on the right the second body is drawn as wires, and the dark line is the shortest way out for the deepest point, {:.1} cm. \
         {}. Found by query::regions and query::penetration.",
        regions.len(),
        100.0 * depth.lower,
        people.whose()
    )
}
