//! What lies around a segment: the wedges between the triangles on it.
//!
//! ```text
//!          \ A   3 |                 seen along the segment: triangles of both surfaces end on it or go
//!        2  \      | B               through it, as half-planes; between two of them is a wedge.
//!     -------+-----+----  B          Turning around the segment, each half-plane adds one to the winding number
//!        1         |   4             of its surface or takes one away.
//!                  | A
//! ```
//!
//! Every part of space that two surfaces enclose between them has a face, every face has a side,
//! and every side is a segment of one of three kinds: a part of an edge, or of what two triangles
//! have in common where they cross. So looking around all such segments finds every part, whatever
//! lies in one plane with whatever else. A segment is cut wherever a triangle begins, ends or goes
//! through; within a part, the middle speaks for it.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use super::body::Body;
use super::line::{Face, Line, Place, Spot};
use super::own::Own;
use super::probe::Probe;
use crate::internal::exact::{Dyadic, Point, Sign, Vector};
use crate::internal::math::sort::many_by;
use crate::internal::traverse::Workspace;
use crate::interrupt::checkpoint;

/// A triangle of one of the bodies.
pub(super) type Member = (usize, u32);

/// One or two bodies, and what has been worked out of them.
pub(super) struct Fans<'a> {
    bodies: &'a [Body<'a>],
    owns: &'a [Own<'a>],
    faces: HashMap<Member, Rc<Face>>,
}

/// What is around a part of a segment.
pub(super) struct Ring {
    /// The triangles there.
    pub(super) members: Vec<Member>,
    /// The winding numbers of the bodies in each wedge.
    pub(super) wedges: Vec<[i32; 2]>,
}

/// One half-plane, or several that are the same.
struct Spoke {
    direction: Vector,
    /// What is added to the winding number of each body.
    jumps: [i32; 2],
    /// The winding number behind the spoke, where it is known.
    behind: [Option<i32>; 2],
}

impl<'a> Fans<'a> {
    pub(super) fn new(bodies: &'a [Body<'a>], owns: &'a [Own<'a>]) -> Self {
        Self { bodies, owns, faces: HashMap::new() }
    }

    pub(super) fn face(&mut self, member: Member) -> Rc<Face> {
        let bodies = self.bodies;
        let make = || Rc::new(Face::new(bodies[member.0].corners(member.1)));
        Rc::clone(self.faces.entry(member).or_insert_with(make))
    }

    /// The edge between two vertices of a body.
    pub(super) fn edge(&self, body: usize, [from, to]: [u32; 2]) -> Line {
        Line::between(self.bodies[body].corner(from), &self.bodies[body].corner(to))
    }

    /// Shows what is around each part of a segment. All triangles that meet it, other than in its
    /// ends, must be `around`. Winding numbers of bodies that do not meet the segment may be
    /// known.
    pub(super) fn look(
        &mut self,
        line: &Line,
        around: &[Member],
        known: [Option<i32>; 2],
        workspace: &mut Workspace,
        mut show: impl FnMut(&Ring) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let faces: Vec<(Member, Rc<Face>)> =
            around.iter().map(|&member| (member, self.face(member))).collect();
        let cuts = line.cut(faces.iter().map(|(_, face)| &**face));
        for ends in cuts.windows(2) {
            checkpoint();
            let middle = Spot::new(line.at(&ends[0].between(&ends[1])));
            let (members, spokes) = self.spokes(line, &faces, &middle);
            let wedges = self.wedges(line, &middle.point, &spokes, known, workspace);
            show(&Ring { members, wedges })?;
        }
        ControlFlow::Continue(())
    }

    /// The half-planes at a point of the line, in the order in which a turn around the line comes
    /// to them.
    fn spokes(
        &self,
        line: &Line,
        faces: &[(Member, Rc<Face>)],
        middle: &Spot,
    ) -> (Vec<Member>, Vec<Spoke>) {
        let (mut members, mut spokes) = (Vec::new(), Vec::new());
        for (member, face) in faces {
            checkpoint();
            let Some(place) = face.place(middle) else { continue };
            members.push(*member);
            // Turning towards this direction, one comes to the triangle from behind.
            let ahead = face.normal.cross(&line.way);
            let (mut forth, mut back) = (true, true);
            if let Place::Edge(corner) = place {
                let third = face.corners[(corner + 2) % 3].minus(&face.corners[corner]);
                forth = ahead.dot(&third).sign() == Sign::Positive;
                back = !forth;
            }
            if back {
                spokes.push(self.spoke(*member, ahead.negated(), 1));
            }
            if forth {
                spokes.push(self.spoke(*member, ahead, -1));
            }
        }
        (members, merged(spokes, &line.way))
    }

    fn spoke(&self, (body, triangle): Member, direction: Vector, jump: i32) -> Spoke {
        let before = self.owns[body].before(triangle);
        let (mut jumps, mut behind) = ([0; 2], [None; 2]);
        jumps[body] = jump;
        behind[body] = before.map(|before| before + i32::from(jump > 0));
        Spoke { direction, jumps, behind }
    }

    /// The winding numbers after each spoke; of one wedge, if there is no spoke.
    fn wedges(
        &self,
        line: &Line,
        middle: &Point,
        spokes: &[Spoke],
        known: [Option<i32>; 2],
        workspace: &mut Workspace,
    ) -> Vec<[i32; 2]> {
        let mut wedges = vec![[0; 2]; spokes.len().max(1)];
        for (index, body) in self.bodies.iter().enumerate() {
            let is_here = spokes.iter().any(|spoke| spoke.jumps[index] != 0);
            let from_spoke =
                spokes.iter().enumerate().find_map(|(at, spoke)| Some((at, spoke.behind[index]?)));
            let (start, number) = match (from_spoke, known[index]) {
                (Some(told), _) => told,
                (None, Some(number)) if !is_here => (0, number),
                _ => (0, winding_within(body, line, middle, spokes, workspace)),
            };
            let mut number = number;
            for step in 0..wedges.len() {
                let at = (start + step) % wedges.len();
                if step > 0 {
                    number += spokes[at].jumps[index];
                }
                wedges[at][index] = number;
            }
        }
        wedges
    }
}

/// Spokes in order, and those in one direction as one.
fn merged(mut spokes: Vec<Spoke>, way: &Vector) -> Vec<Spoke> {
    let Some(first) = spokes.first().map(|spoke| spoke.direction.clone()) else { return spokes };
    let turn = |a: &Vector, b: &Vector| way.dot(&a.cross(b)).sign();
    // Which quarter: the first direction, up to half a turn, the opposite direction, beyond.
    let quarter = |direction: &Vector| match turn(&first, direction) {
        Sign::Positive => 1,
        Sign::Negative => 3,
        Sign::Zero if first.dot(direction).sign() == Sign::Positive => 0,
        Sign::Zero => 2,
    };
    many_by(&mut spokes, |a, b| {
        let (a, b) = (&a.direction, &b.direction);
        quarter(a).cmp(&quarter(b)).then_with(|| turn(b, a).cmp(&Sign::Zero))
    });
    let mut merged: Vec<Spoke> = Vec::with_capacity(spokes.len());
    for spoke in spokes {
        match merged.last_mut() {
            Some(last)
                if quarter(&last.direction) == quarter(&spoke.direction)
                    && turn(&last.direction, &spoke.direction) == Sign::Zero =>
            {
                for body in 0..2 {
                    last.jumps[body] += spoke.jumps[body];
                    last.behind[body] = last.behind[body].or(spoke.behind[body]);
                }
            }
            _ => merged.push(spoke),
        }
    }
    merged
}

/// The winding number in the wedge after the first spoke.
fn winding_within(
    body: &Body,
    line: &Line,
    middle: &Point,
    spokes: &[Spoke],
    workspace: &mut Workspace,
) -> i32 {
    let way = line.way.balanced();
    let (main, side) = match spokes {
        [] => (Vector([1, 0, 0].map(Dyadic::from)), Vector([0, 1, 0].map(Dyadic::from))),
        [first, others @ ..] => {
            let first = &first.direction;
            let second = others.first().map(|second| &second.direction);
            // Between two spokes less than half a turn apart their sums are; else, a quarter turn
            // on is.
            match second {
                Some(second) if way.dot(&first.cross(second)).sign() == Sign::Positive => {
                    (first.balanced().plus(&second.balanced()), second.balanced())
                }
                _ => (way.cross(first).balanced(), first.balanced()),
            }
        }
    };
    let third = if spokes.is_empty() { Vector([0, 0, 1].map(Dyadic::from)) } else { way };
    winding_towards(body, middle, [&main, &side, &third], workspace)
}

/// The winding number on the side of a point that lies in the direction of the first vector, as
/// long as positive multiples of the second and any of the third may be added to it.
///
/// The directions tried are on a curve of which no plane through the origin has more than two
/// points, so that there is always one that runs into no edge.
pub(super) fn winding_towards(
    body: &Body,
    origin: &Point,
    [main, side, third]: [&Vector; 3],
    workspace: &mut Workspace,
) -> i32 {
    let mut step = 1;
    loop {
        let way = main
            .times(&Dyadic::from(64))
            .plus(&side.times(&Dyadic::from(step)))
            .plus(&third.times(&Dyadic::from(step * step)));
        let found = Probe::new(origin.clone(), &way).follow(body, workspace);
        if !found.grazes {
            return found.number;
        }
        step += 1;
    }
}
