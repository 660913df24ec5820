//! What is drawn through a lens: surfaces, volumes around them, lines and a shadow on the ground.
//!
//! Surfaces are opaque and drawn first. Volumes are translucent: the farthest first, and of each
//! the edges behind, the faces that look towards the eye, and the edges before. What is flat is
//! drawn in the order of the calls.

use std::f64::consts::TAU;

use elbowroom::internal::volume::{Cylinder, Sphere};
use elbowroom::{Mesh, Pose};
use glam::{DVec2, DVec3};

use super::canvas::{Canvas, Color, FINE, Ink, Seen, spans};
use super::hull::Hull;
use super::lens::Lens;

/// Around a circle.
const SECTORS: usize = 72;

/// A shape to be drawn around something.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Hull(Hull),
    Ball(Sphere),
}

impl Shape {
    fn middle(&self) -> DVec3 {
        match self {
            Self::Hull(hull) => hull.middle(),
            Self::Ball(ball) => ball.center,
        }
    }

    /// Points that show how far it reaches.
    pub(super) fn points(&self) -> Vec<DVec3> {
        match self {
            Self::Hull(hull) => hull.corners.clone(),
            Self::Ball(ball) => [DVec3::X, DVec3::Y, DVec3::Z]
                .into_iter()
                .flat_map(|axis| [1.0, -1.0].map(|sign| ball.center + axis * (sign * ball.radius)))
                .collect(),
        }
    }
}

/// How a volume is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tint {
    pub(super) color: Color,
    /// How much a face covers.
    pub(super) fill: f32,
    /// The width of edges, in pixels.
    pub(super) line: f64,
}

impl Tint {
    pub(super) fn new(color: Color, fill: f32, line: f64) -> Self {
        Self { color, fill, line }
    }
}

/// A surface that stands somewhere.
pub(super) struct Body<'a> {
    pub(super) points: Vec<DVec3>,
    pub(super) triangles: &'a [[u32; 3]],
    pub(super) color: Color,
}

impl<'a> Body<'a> {
    pub(super) fn new(mesh: &'a Mesh, place: &Pose, color: Color) -> Self {
        let points = mesh.vertices().iter().map(|&point| place.apply(point)).collect();
        Self { points, triangles: mesh.triangles(), color }
    }
}

/// A canvas, seen through a lens.
pub(super) struct Stage<'a> {
    pub(super) canvas: &'a mut Canvas,
    pub(super) lens: Lens,
}

impl<'a> Stage<'a> {
    pub(super) fn new(canvas: &'a mut Canvas, lens: Lens) -> Self {
        canvas.clip(lens.window);
        Self { canvas, lens }
    }

    /// The surface of a mesh, as the smooth shape that its triangles stand for.
    pub(super) fn solid(&mut self, mesh: &Mesh, color: Color) {
        self.surface(mesh.vertices(), mesh.triangles(), |_| color);
    }

    /// A surface whose triangles have colours of their own.
    pub(super) fn surface(
        &mut self,
        points: &[DVec3],
        triangles: &[[u32; 3]],
        color: impl Fn(usize) -> Color,
    ) {
        let lens = self.lens;
        let seen: Vec<Seen> = points.iter().map(|&point| lens.see(point)).collect();
        let corner = |i: u32| points[i as usize];
        let turn = |[a, b, c]: [u32; 3]| (corner(b) - corner(a)).cross(corner(c) - corner(a));
        let mut normals = vec![DVec3::ZERO; points.len()];
        for &triangle in triangles {
            let normal = turn(triangle);
            for i in triangle {
                normals[i as usize] += normal;
            }
        }
        let (lamp, up) = (lens.lamp(), lens.up());
        for (place, &triangle) in triangles.iter().enumerate() {
            let flat = turn(triangle).normalize_or_zero();
            let toward = lens.towards_eye(corner(triangle[0]));
            // Seen from behind, a surface is lit from there.
            let side = if flat.dot(toward) < 0.0 { -1.0 } else { 1.0 };
            let normals = triangle.map(|i| normals[i as usize].normalize_or(flat));
            let color = color(place);
            let lit = |weights: [f64; 3]| {
                let normal =
                    normals[0] * weights[0] + normals[1] * weights[1] + normals[2] * weights[2];
                let normal = normal.normalize_or(flat) * side;
                let light = 0.44 + 0.46 * normal.dot(lamp).max(0.0) + 0.14 * normal.dot(up);
                color.map(|part| (part * light as f32).clamp(0.0, 1.0))
            };
            self.canvas.triangle(&triangle.map(|i| seen[i as usize]), lit);
        }
    }

    /// Volumes, the farthest first.
    pub(super) fn volumes(&mut self, shapes: &[(Shape, Tint)]) {
        let mut order: Vec<(f64, usize)> = shapes
            .iter()
            .enumerate()
            .map(|(place, (shape, _))| (self.lens.see(shape.middle()).near, place))
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, place) in order {
            let (shape, tint) = &shapes[place];
            match shape {
                Shape::Hull(hull) => self.hull(hull, tint),
                Shape::Ball(ball) => self.ball(ball, tint),
            }
        }
    }

    fn hull(&mut self, hull: &Hull, tint: &Tint) {
        let lens = self.lens;
        let is_front: Vec<bool> = (0..hull.faces.len())
            .map(|face| {
                let corner = hull.corners[hull.faces[face][0]];
                hull.normal(face).dot(lens.towards_eye(corner)) > 0.0
            })
            .collect();
        let draw = |stage: &mut Self, want_front: bool| {
            for edge in &hull.edges {
                let [one, other] = edge.faces.map(|face| is_front[face]);
                if (one || other) == want_front && (edge.is_sharp || one != other) {
                    let cover = if want_front { 0.95 } else { 0.22 };
                    let width = if want_front { tint.line } else { 0.7 * tint.line };
                    let ends = edge.ends.map(|end| hull.corners[end]);
                    stage.line(ends, width, &Ink::new(tint.color, cover));
                }
            }
        };
        draw(self, false);
        for (face, ring) in hull.faces.iter().enumerate().filter(|(face, _)| is_front[*face]) {
            let corners: Vec<Seen> =
                ring.iter().map(|&corner| lens.see_before(hull.corners[corner])).collect();
            let light = hull.normal(face).dot(lens.lamp()).max(0.0) as f32;
            let color =
                tint.color.map(|part| part * (0.78 + 0.3 * light)).map(|part| part.min(1.0));
            self.canvas.face(&corners, &Ink::new(color, tint.fill));
        }
        draw(self, true);
    }

    /// The half of a ball that looks towards the eye, as rings around the line of sight, and its
    /// rim.
    fn ball(&mut self, ball: &Sphere, tint: &Tint) {
        const RINGS: usize = 6;
        let lens = self.lens;
        let toward = lens.towards_eye(ball.center);
        let side = toward.any_orthonormal_vector();
        let across = toward.cross(side);
        // From nearby less than half of a ball is seen.
        let sine = lens.distance(ball.center).map_or(0.0, |far| (ball.radius / far).min(0.9));
        let widest = libm::acos(sine);
        let point = |ring: usize, sector: usize| {
            let from_pole = widest * ring as f64 / RINGS as f64;
            let angle = TAU * sector as f64 / SECTORS as f64;
            let out = side * libm::cos(angle) + across * libm::sin(angle);
            ball.center + (toward * libm::cos(from_pole) + out * libm::sin(from_pole)) * ball.radius
        };
        for ring in 0..RINGS {
            // Thicker where one looks along the skin.
            let rim = ring as f32 / RINGS as f32;
            let fill = tint.fill * (0.7 + 0.9 * rim * rim * rim);
            for sector in 0..SECTORS {
                let corners = [
                    (ring, sector),
                    (ring + 1, sector),
                    (ring + 1, sector + 1),
                    (ring, sector + 1),
                ];
                let corners = corners.map(|(ring, sector)| point(ring, sector));
                let normal = (corners[1] - ball.center) / ball.radius;
                let light = normal.dot(lens.lamp()).max(0.0) as f32;
                let color = tint.color.map(|part| (part * (0.78 + 0.3 * light)).min(1.0));
                let first = usize::from(ring == 0);
                let seen: Vec<Seen> =
                    corners[first..].iter().map(|&corner| lens.see_before(corner)).collect();
                self.canvas.face(&seen, &Ink::new(color, fill));
            }
        }
        for sector in 0..SECTORS {
            let ends = [point(RINGS, sector), point(RINGS, sector + 1)];
            self.line(ends, tint.line, &Ink::new(tint.color, 0.95));
        }
    }

    /// A line of this width in pixels, before what it lies on.
    pub(super) fn line(&mut self, ends: [DVec3; 2], width: f64, ink: &Ink) {
        let ends = ends.map(|end| self.lens.see_before(end));
        self.canvas.line(ends, width * FINE as f64, ink);
    }

    /// Lines from point to point, and back to the first if it is closed.
    pub(super) fn path(&mut self, points: &[DVec3], is_closed: bool, width: f64, ink: &Ink) {
        for pair in points.windows(2) {
            self.line([pair[0], pair[1]], width, ink);
        }
        if let (true, [first, .., last]) = (is_closed, points) {
            self.line([*last, *first], width, ink);
        }
    }

    /// Rings in the plane z = 0 with all that is within, seen from above.
    pub(super) fn area(&mut self, rings: &[Vec<DVec2>], color: Color, cover: f32) {
        let see = |point: &DVec2| self.lens.see(point.extend(0.0)).at;
        let rings: Vec<Vec<DVec2>> =
            rings.iter().map(|ring| ring.iter().map(see).collect()).collect();
        self.canvas.rings(&rings, color, cover);
    }

    /// The rim of a circle in the plane z = 0, and what is within, seen from above.
    pub(super) fn circle(&mut self, circle: &Cylinder, tint: &Tint) {
        let ring = ring(circle);
        if tint.fill > 0.0 {
            self.area(std::slice::from_ref(&ring), tint.color, tint.fill);
        }
        let points: Vec<DVec3> = ring.iter().map(|point| point.extend(0.0)).collect();
        self.path(&points, true, tint.line, &Ink::new(tint.color, 0.95));
    }

    /// Bodies, their points placed, and below them their soft shadow, straight down to where
    /// `floor` puts a point.
    pub(super) fn bodies(
        &mut self,
        bodies: &[Body],
        floor: impl Fn(DVec3) -> DVec3,
        softness: usize,
    ) {
        self.shadow(bodies, floor, softness);
        for body in bodies {
            self.surface(&body.points, body.triangles, |_| body.color);
        }
    }

    fn shadow(&mut self, bodies: &[Body], floor: impl Fn(DVec3) -> DVec3, softness: usize) {
        let lens = self.lens;
        let window = lens.window;
        let mut mask = vec![0.0_f32; window.width * window.height];
        let corner = DVec2::new(window.x as f64, window.y as f64);
        let clip = [0, window.width, 0, window.height];
        for body in bodies {
            let below = |&p: &DVec3| lens.see(floor(p)).at / FINE as f64 - corner;
            let flat: Vec<DVec2> = body.points.iter().map(below).collect();
            for triangle in body.triangles {
                spans(&triangle.map(|i| flat[i as usize]), clip, |y, from, to| {
                    let row = y * window.width;
                    mask[row + from.min(to)..row + to].fill(1.0);
                });
            }
        }
        for _ in 0..2 {
            blur(&mut mask, window.width, softness);
            mask = transposed(&mask, window.width);
            blur(&mut mask, window.height, softness);
            mask = transposed(&mask, window.height);
        }
        self.canvas.veil(window, [0.05, 0.06, 0.09], |pixel| 0.34 * mask[pixel]);
    }
}

/// The rim of a circle.
pub(super) fn ring(circle: &Cylinder) -> Vec<DVec2> {
    let point = |sector: usize| {
        let angle = TAU * sector as f64 / SECTORS as f64;
        circle.center + DVec2::new(libm::cos(angle), libm::sin(angle)) * circle.radius
    };
    (0..SECTORS).map(point).collect()
}

/// The mean of this many to either side, row by row.
fn blur(mask: &mut [f32], width: usize, reach: usize) {
    let mut before = vec![0.0; width + 1];
    for row in mask.chunks_exact_mut(width) {
        for (i, &value) in row.iter().enumerate() {
            before[i + 1] = before[i] + value;
        }
        for (i, value) in row.iter_mut().enumerate() {
            let (from, to) = (i.saturating_sub(reach), (i + reach + 1).min(width));
            *value = (before[to] - before[from]) / (2 * reach + 1) as f32;
        }
    }
}

fn transposed(mask: &[f32], width: usize) -> Vec<f32> {
    let height = mask.len() / width.max(1);
    (0..mask.len()).map(|i| mask[i % height.max(1) * width + i / height.max(1)]).collect()
}
