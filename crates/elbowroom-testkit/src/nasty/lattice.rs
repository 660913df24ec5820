//! Lattice pairs: triangles with small integer corners in a special position.
//!
//! Coordinates stay below 100 in size, so that shifting, turning by signed permutations and scaling
//! by powers of two are exact, and the determinants below cannot overflow.

use super::{Class, PairCase};
use crate::oracle::Relation;
use crate::random::Random;

type Point = [i64; 3];
type Triangle = [Point; 3];

/// A pair of one of the lattice classes.
pub(super) fn pair(class: Class, random: &mut Random) -> PairCase {
    let (mut a, mut b, known) = match class {
        Class::Grid => grid(random),
        Class::SharedVertex => shared_vertex(random),
        Class::SharedEdge => shared_edge(random),
        Class::CoplanarTilted => coplanar_tilted(random),
        Class::CoplanarAxis => coplanar_axis(random),
        Class::SegmentTriangle => segment_triangle(random),
        Class::PointTriangle => point_triangle(random),
        Class::SegmentSegment => segment_segment(random),
        Class::Identical => identical(random),
        Class::EdgeOnEdge => edge_on_edge(random),
        Class::VertexOnFace => vertex_on_face(random),
        Class::Known => known_relation(random),
        other => unreachable!("{other:?} is not a lattice class"),
    };
    random.shuffle(&mut a);
    random.shuffle(&mut b);
    let float = |t: Triangle| t.map(|p| p.map(|x| x as f64));
    PairCase::unplaced(float(a), float(b), known)
}

type Made = (Triangle, Triangle, Option<Relation>);

fn point(random: &mut Random, half: i64) -> Point {
    std::array::from_fn(|_| random.range(-half, half))
}

fn triangle(random: &mut Random, half: i64) -> Triangle {
    std::array::from_fn(|_| point(random, half))
}

fn add(p: Point, q: Point) -> Point {
    std::array::from_fn(|k| p[k] + q[k])
}

fn scale(p: Point, by: i64) -> Point {
    p.map(|x| x * by)
}

/// Which side of the plane of `t` the point is on, by the sign of the result; zero for every point
/// if `t` is degenerate.
fn side(t: &Triangle, p: Point) -> i64 {
    let from = |q: Point| add(q, scale(t[0], -1));
    let (u, v, w) = (from(t[1]), from(t[2]), from(p));
    let normal: Point = std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        u[i] * v[j] - u[j] * v[i]
    });
    (0..3).map(|k| normal[k] * w[k]).sum()
}

/// A triangle with corners in multiples of 4 and a lattice point in its relative interior.
fn with_inner_point(random: &mut Random) -> (Triangle, Point) {
    let t = triangle(random, 3).map(|p| scale(p, 4));
    let weights = *random.choice(&[[2, 1, 1], [1, 2, 1], [1, 1, 2]]);
    let inner = std::array::from_fn(|k| (0..3).map(|i| weights[i] * t[i][k]).sum::<i64>() / 4);
    (t, inner)
}

fn grid(random: &mut Random) -> Made {
    let mut t = || std::array::from_fn(|_| std::array::from_fn(|_| random.range(0, 2)));
    (t(), t(), None)
}

fn shared_vertex(random: &mut Random) -> Made {
    let a = triangle(random, 4);
    let mut b = triangle(random, 4);
    b[0] = a[0];
    (a, b, None)
}

fn shared_edge(random: &mut Random) -> Made {
    let a = triangle(random, 4);
    let b = [a[1], a[0], point(random, 4)];
    // Two planes meet in the line of the edge only; if they are one plane, or a triangle is
    // degenerate, all is flat.
    (a, b, Some(Relation::Touching))
}

fn coplanar_tilted(random: &mut Random) -> Made {
    let (origin, u, v) = (point(random, 3), point(random, 3), point(random, 3));
    let mut t = || {
        std::array::from_fn(|_| {
            let (i, j) = (random.range(-3, 3), random.range(-3, 3));
            add(origin, add(scale(u, i), scale(v, j)))
        })
    };
    (t(), t(), None)
}

fn coplanar_axis(random: &mut Random) -> Made {
    let axis = random.below(3) as usize;
    let level = random.range(-3, 3);
    let mut a = triangle(random, 4);
    let mut b = triangle(random, 4);
    for p in a.iter_mut().chain(&mut b) {
        p[axis] = level;
    }
    (a, b, None)
}

/// Two ends and a third corner on the segment between them.
fn segment(random: &mut Random, from: Point, to: Point) -> Triangle {
    let middle = std::array::from_fn(|k| i64::midpoint(from[k], to[k]));
    let on_it = (0..3).all(|k| (from[k] + to[k]) % 2 == 0);
    let third = match random.below(3) {
        0 => from,
        1 if on_it => middle,
        _ => to,
    };
    [from, to, third]
}

fn segment_triangle(random: &mut Random) -> Made {
    let (t, inner) = with_inner_point(random);
    let anywhere = point(random, 8);
    let aim = *random.choice(&[inner, t[0], inner, anywhere]);
    let direction = point(random, 3);
    let (ahead, behind) = (random.range(0, 3), random.range(0, 3));
    let s = segment(random, add(aim, scale(direction, ahead)), add(aim, scale(direction, -behind)));
    let pierces = aim == inner && ahead > 0 && behind > 0 && side(&t, add(aim, direction)) != 0;
    (t, s, pierces.then_some(Relation::Crossing))
}

fn point_triangle(random: &mut Random) -> Made {
    let (t, inner) = with_inner_point(random);
    let (far, near) = (point(random, 8), point(random, 2));
    let p = *random.choice(&[inner, t[0], far, near]);
    let known = (p == inner || p == t[0]).then_some(Relation::Touching);
    (t, [p; 3], known)
}

fn segment_segment(random: &mut Random) -> Made {
    let mut through_origin = || {
        let (d, ahead, behind) = (point(random, 2), random.range(0, 3), random.range(0, 3));
        segment(random, scale(d, ahead), scale(d, -behind))
    };
    let (a, mut b) = (through_origin(), through_origin());
    // Both contain the origin, and two segments through one point lie in one plane.
    let mut known = Some(Relation::Touching);
    if random.one_in(3) {
        let shift = point(random, 1);
        b = b.map(|p| add(p, shift));
        known = None;
    }
    (a, b, known)
}

fn identical(random: &mut Random) -> Made {
    let a = triangle(random, 4);
    (a, a, Some(Relation::Touching))
}

fn edge_on_edge(random: &mut Random) -> Made {
    let (middle, along, across) = (point(random, 3), point(random, 3), point(random, 3));
    let a = [add(middle, along), add(middle, scale(along, -1)), point(random, 5)];
    let b = [add(middle, across), add(middle, scale(across, -1)), point(random, 5)];
    (a, b, None)
}

fn vertex_on_face(random: &mut Random) -> Made {
    let (t, inner) = with_inner_point(random);
    let b = [inner, point(random, 8), point(random, 8)];
    let (p, q) = (side(&t, b[1]), side(&t, b[2]));
    let stays_on_one_side = p.signum() * q.signum() == 1;
    (t, b, stays_on_one_side.then_some(Relation::Touching))
}

fn known_relation(random: &mut Random) -> Made {
    loop {
        let (t, inner) = with_inner_point(random);
        if random.one_in(2) {
            // The centroid of b is the inner point of t, so the relative interiors meet there.
            let (d, e) = (point(random, 3), point(random, 3));
            let ahead = scale(d, -1);
            let b = [
                add(inner, scale(d, 2)),
                add(inner, add(ahead, e)),
                add(inner, add(ahead, scale(e, -1))),
            ];
            if b.iter().any(|&p| side(&t, p) != 0) {
                return (t, b, Some(Relation::Crossing));
            }
        } else {
            let b = triangle(random, 8);
            let sides = b.map(|p| side(&t, p).signum());
            if sides == [1; 3] || sides == [-1; 3] {
                return (t, b, Some(Relation::Apart));
            }
        }
    }
}
