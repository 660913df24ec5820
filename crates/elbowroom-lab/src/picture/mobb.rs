//! Scenes of MOBB: motions on the ground as disks over time, under boxes of space-time. Time is up.

use std::f64::consts::TAU;

use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::space_time::{
    Config, Kind, Placed, Reach, Sample, Taking, Trace, Tracked, Up, Workspace, contacts,
};
use glam::{DVec2, DVec3};

use super::canvas::{Canvas, Color, Ink, Window};
use super::hull::Hull;
use super::lens::{Camera, Lens};
use super::pick::nodes;
use super::stage::{Shape, Stage, Tint};
use super::text::{GREY, STRIP, above};
use super::{WHOLE, ink};
use crate::Context;

/// As wide as a person.
const RADIUS: f64 = 0.35;
/// As the paper samples.
const FPS: f64 = 30.0;

/// A captured motion of some length.
const CAPTURE: &str = "mocap/long/69_06.bvh.gz";

/// Someone who wanders: a steady pace, a heading that swings, hips that sway.
fn wander(seconds: f64, from: DVec2, heading: f64, swings: [f64; 2]) -> Trace {
    const PACE: f64 = 1.15;
    let mut at = from;
    let samples: Vec<Sample> = (0..super::whole(seconds * FPS))
        .map(|sample| {
            let time = sample as f64 / FPS;
            let turned = heading
                + swings[0] * libm::sin(0.42 * time)
                + swings[1] * libm::sin(0.9 * time + 1.0);
            let ahead = DVec2::new(libm::cos(turned), libm::sin(turned));
            at += ahead * (PACE / FPS);
            let hips = at + ahead.perp() * (0.03 * libm::sin(TAU * 0.9 * time));
            Sample::new(hips.x, hips.y, RADIUS)
        })
        .collect();
    Trace::new(&samples, 1.0 / FPS).expect("finite samples")
}

/// A captured motion where there is one, its first seconds.
fn captured(context: &Context, seconds: f64) -> Option<Trace> {
    let rig = context.data.rig(CAPTURE).ok()?;
    let taking = Taking {
        up: Up::Y,
        reach: Reach::Fixed(RADIUS),
        fps: Some(FPS),
        skip: 1,
        ..Taking::default()
    };
    let trace = Trace::from_clip(&rig.skeleton, rig.clips.first()?, &taking).ok()?;
    let samples: Vec<Sample> = trace
        .samples()
        .enumerate()
        .filter(|(i, _)| (*i as f64) < seconds * FPS)
        .map(|(_, s)| s)
        .collect();
    Trace::new(&samples, trace.dt()).ok()
}

/// The skin of all disks of a motion.
fn tube(trace: &Trace, metres_a_second: f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    const AROUND: u32 = 32;
    let mut points = Vec::new();
    for (place, sample) in trace.samples().enumerate() {
        let height = place as f64 * trace.dt() * metres_a_second;
        points.extend((0..AROUND).map(|i| {
            let angle = TAU * f64::from(i) / f64::from(AROUND);
            let out = DVec2::new(libm::cos(angle), libm::sin(angle)) * sample.radius;
            (sample.center + out).extend(height)
        }));
    }
    let rings = (points.len() as u32 / AROUND).saturating_sub(1);
    let triangles = (0..rings * AROUND).flat_map(|i| {
        let (ring, at) = (i / AROUND * AROUND, i % AROUND);
        let next = ring + (at + 1) % AROUND;
        [[i, next, next + AROUND], [i, next + AROUND, i + AROUND]]
    });
    let mut triangles: Vec<[u32; 3]> = triangles.collect();
    // The last disk closes it.
    let top = rings * AROUND;
    triangles.extend((1..AROUND - 1).map(|i| [top, top + i, top + i + 1]));
    (points, triangles)
}

/// The way on the ground, and the axis of time.
fn ground(stage: &mut Stage, trace: &Trace, height: f64) {
    let way: Vec<DVec3> = trace.samples().map(|sample| sample.center.extend(0.0)).collect();
    stage.path(&way, false, 1.4, &Ink::through(GREY, 0.8));
    if let Some(&end) = way.last() {
        stage.line([end, end + DVec3::Z * height], 0.7, &Ink::through(GREY, 0.45));
    }
}

/// Draws one motion with the boxes of a level.
fn draw(stage: &mut Stage, tracked: &Tracked, level: u32, metres_a_second: f64, paint: Color) {
    let trace = tracked.trace();
    let (points, triangles) = tube(trace, metres_a_second);
    stage.surface(&points, &triangles, |_| paint);
    stage.volumes(&boxes(tracked, level, metres_a_second));
}

fn boxes(tracked: &Tracked, level: u32, metres_a_second: f64) -> Vec<(Shape, Tint)> {
    let fill = if level < 2 { 0.12 } else { 0.18 };
    let of_node = |node| {
        if let Some(column) = tracked.upright() {
            let hull = Hull::of_time_box(&column[node], metres_a_second);
            return Some((Shape::Hull(hull), Tint::new(ink::TIME, fill, 1.0)));
        }
        let scale = metres_a_second / tracked.config().time_scale;
        let hull = Hull::of_time_obb(&tracked.free()?[node], scale);
        Some((Shape::Hull(hull), Tint::new(ink::OBB, fill, 1.0)))
    };
    nodes(tracked.tree(), level).filter_map(of_node).collect()
}

/// Figures 1 and 3: a motion and the boxes of each level, upright and leaning.
pub(super) fn levels(context: &Context, canvas: &mut Canvas) -> String {
    const SECONDS: f64 = 16.0;
    let real = captured(context, SECONDS);
    let whose = if real.is_some() { "A captured motion" } else { "Someone who wanders by rule" };
    let trace = real.unwrap_or_else(|| wander(SECONDS, DVec2::ZERO, 0.3, [1.5, 0.8]));
    let (low, high) = extent(&trace);
    let metres_a_second = 1.7 * (high - low).max_element() / trace.seconds();
    let kinds =
        [Kind::Mobb, Kind::Umobb].map(|kind| Tracked::new(trace.clone(), Config::paper(kind)).ok());
    let height = trace.seconds() * metres_a_second;
    let shown = [0, 1, 2, 3, 4];
    let room: Vec<DVec3> = kinds
        .iter()
        .flatten()
        .flat_map(|tracked| shown.iter().flat_map(|&level| boxes(tracked, level, metres_a_second)))
        .flat_map(|(shape, _)| shape.points())
        .collect();
    for (place, cell) in WHOLE.grid(shown.len(), 2).into_iter().enumerate() {
        let (row, level) = (place / shown.len(), shown[place % shown.len()]);
        let Some(tracked) = &kinds[row] else { continue };
        let lens =
            Lens::fitted(&Camera::z_up(30.0, 20.0), room.iter().copied(), cell.below(STRIP), 4.0);
        let mut stage = Stage::new(canvas, lens);
        ground(&mut stage, &trace, height);
        draw(&mut stage, tracked, level, metres_a_second, ink::STONE);
        canvas.clip(cell);
        above(canvas, cell, &format!("{} {level}", ["MOBB", "UMOBB"][row]));
    }
    format!(
        "{whose}, {:.0} s of it: disks of {RADIUS} m over time, which is up, the way on the ground in grey, and the boxes of levels 0 to 4. Above, upright boxes, flat in time; below, boxes that \
         lean with the motion. Made with motion::Tracked, Kind::Mobb and Kind::Umobb.",
        trace.seconds()
    )
}

fn extent(trace: &Trace) -> (DVec2, DVec2) {
    trace.samples().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), sample| {
        (low.min(sample.center), high.max(sample.center))
    })
}

/// The motion, moved so that it is at a point half-way.
fn through(trace: &Trace, point: DVec2) -> Trace {
    let shift = point - trace.sample(trace.len() / 2).center;
    let at = Planar::new(1.0, 0.0, shift).unwrap_or_default();
    trace.placed(&at).unwrap_or_else(|_| trace.clone())
}

/// Two motions that cross, and when they collide.
pub(super) fn crossing(_: &Context, canvas: &mut Canvas) -> String {
    const SECONDS: f64 = 9.0;
    // Both are near the middle half-way.
    let traces = [
        through(&wander(SECONDS, DVec2::ZERO, 0.15, [0.5, 0.2]), DVec2::new(0.15, 0.0)),
        through(&wander(SECONDS, DVec2::ZERO, 1.95, [0.35, -0.3]), DVec2::new(-0.1, 0.2)),
    ];
    let tracked =
        traces.each_ref().map(|trace| Tracked::new(trace.clone(), Config::paper(Kind::Mobb)));
    let [Ok(a), Ok(b)] = tracked else { return String::new() };
    let found = contacts(&a, &Placed::ORIGIN, &b, &Placed::ORIGIN, &mut Workspace::new());
    let metres_a_second = 0.85;
    let height = SECONDS * metres_a_second;
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for trace in &traces {
        let (from, to) = extent(trace);
        (low, high) = (low.min(from), high.max(to));
    }
    let room: Vec<DVec3> =
        [low - RADIUS, high + RADIUS, DVec2::new(low.x, high.y), DVec2::new(high.x, low.y)]
            .into_iter()
            .flat_map(|p| [p.extend(0.0), p.extend(height)])
            .collect();
    let left = Window { width: 620, ..WHOLE };
    let right = Window { x: 620, width: 340, ..WHOLE };
    let lens =
        Lens::fitted(&Camera::z_up(34.0, 22.0), room.iter().copied(), left.below(STRIP), 10.0);
    let mut stage = Stage::new(canvas, lens);
    let collides = |place: usize| {
        let time = place as f64 / FPS;
        found.iter().any(|contact| contact.from <= time && time < contact.to)
    };
    let inks = [ink::STONE, ink::SECOND];
    for (trace, color) in traces.iter().zip(inks) {
        ground(&mut stage, trace, height);
        let (points, triangles) = tube(trace, metres_a_second);
        let paint = |i: usize| if collides(i / 64) { ink::CONTACT } else { color };
        stage.surface(&points, &triangles, paint);
    }
    let mut shapes = boxes(&a, 3, metres_a_second);
    let mut others = boxes(&b, 3, metres_a_second);
    for (_, tint) in &mut others {
        tint.color = ink::CYLINDER;
    }
    shapes.append(&mut others);
    stage.volumes(&shapes);
    let lens = Lens::fitted(
        &Camera::map(),
        room.iter().map(|p| p.truncate().extend(0.0)),
        right.below(STRIP),
        10.0,
    );
    let mut stage = Stage::new(canvas, lens);
    for (trace, color) in traces.iter().zip(inks) {
        for (place, sample) in trace.samples().enumerate().step_by(6) {
            let color = if collides(place) { ink::CONTACT } else { color };
            let circle =
                elbowroom::internal::volume::Cylinder::infinite(sample.center, sample.radius);
            stage.circle(&circle, &Tint { color, fill: 0.35, line: 0.9 });
        }
    }
    for (window, words) in [(left, "SPACE AND TIME"), (right, "FROM ABOVE")] {
        canvas.clip(window);
        above(canvas, window, words);
    }
    let when: Vec<String> = found
        .iter()
        .map(|contact| format!("from {:.1} to {:.1} s", contact.from, contact.to))
        .collect();
    format!(
        "Two who wander cross each other's way and collide {}: red. On the left time is up, with the boxes of level 3; on the right every sixth disk from above. Made with motion::Tracked and \
         motion::contacts.",
        when.join(" and ")
    )
}
