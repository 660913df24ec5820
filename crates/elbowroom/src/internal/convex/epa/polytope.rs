//! A polytope of triangles that grows by one corner at a time.
//!
//! A new corner replaces the faces that it sees by a fan from it to their rim. Faces in whose plane
//! it lies, to rounding, count as seen: else the fan would have triangles without area where the
//! corner continues an edge. All memory is here, so that a query allocates nothing.
//!
//! Invariants: the surface is closed, each edge joins two faces that run along it in opposite ways;
//! what a failed growth leaves is what was before it.

use glam::DVec3;

/// The most corners. Polytopes of ordinary shapes need some ten to thirty.
pub(super) const MOST: usize = 128;

/// A closed surface of triangles has 2V − 4 faces (Euler).
const FACES: usize = 2 * MOST;

/// A point of the set of differences, at unit scale, and where it comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) a: DVec3,
    pub(super) b: DVec3,
    pub(super) at: DVec3,
}

#[derive(Clone, Copy)]
struct Face {
    /// Counter-clockwise from outside.
    corners: [u16; 3],
    /// The faces across the edges, each from a corner to the next.
    across: [u16; 3],
    normal: DVec3,
    /// The least that a corner reaches along the normal.
    offset: f64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Free,
    /// On the surface.
    Kept,
    /// On the surface, seen by the new corner.
    Seen,
    /// Of the fan that may come in the place of what is seen.
    Fan,
}

/// An edge of the rim, as the face that goes has it, and the face beyond.
#[derive(Clone, Copy)]
struct Edge {
    from: u16,
    to: u16,
    beyond: u16,
}

pub(super) struct Polytope {
    corners: [Corner; MOST],
    len: usize,
    faces: [Face; FACES],
    /// No face beyond this one was ever used.
    used: usize,
}

const NOWHERE: Corner = Corner { a: DVec3::ZERO, b: DVec3::ZERO, at: DVec3::ZERO };

const NOTHING: Face = Face {
    corners: [0; 3],
    across: [0; 3],
    normal: DVec3::ZERO,
    offset: f64::INFINITY,
    state: State::Free,
};

impl Polytope {
    /// A tetrahedron, whichever way round; none if a face has no area.
    pub(super) fn new([p, q, r, s]: [Corner; 4]) -> Option<Self> {
        let volume = (q.at - p.at).cross(r.at - p.at).dot(s.at - p.at);
        let mut corners = [NOWHERE; MOST];
        // The fourth corner is to be behind the first three.
        corners[..4].copy_from_slice(&if volume > 0.0 { [p, r, q, s] } else { [p, q, r, s] });
        let mut out = Self { corners, len: 4, faces: [NOTHING; FACES], used: 4 };
        let faces: [([u16; 3], [u16; 3]); 4] = [
            ([0, 1, 2], [1, 2, 3]),
            ([1, 0, 3], [0, 3, 2]),
            ([2, 1, 3], [0, 1, 3]),
            ([0, 2, 3], [0, 2, 1]),
        ];
        for (index, (corners, across)) in faces.into_iter().enumerate() {
            out.faces[index] = out.face(corners, across)?;
        }
        Some(out)
    }

    /// How many corners there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The face nearest to the origin, or the one that the origin is farthest beyond.
    pub(super) fn nearest(&self) -> usize {
        let mut best = (0, f64::INFINITY);
        for (index, face) in self.faces[..self.used].iter().enumerate() {
            if face.state == State::Kept && face.offset < best.1 {
                best = (index, face.offset);
            }
        }
        best.0
    }

    pub(crate) fn normal(&self, face: usize) -> DVec3 {
        self.faces[face].normal
    }

    pub(super) fn offset(&self, face: usize) -> f64 {
        self.faces[face].offset
    }

    /// The corners of the faces in the plane of one, this among them.
    pub(super) fn in_plane_of(&self, face: usize) -> impl Iterator<Item = [Corner; 3]> + '_ {
        // A thin triangle knows its plane to less than this, but then a thick one has the nearest
        // point.
        const SAME: f64 = 1e-9;
        let Face { normal, offset, .. } = self.faces[face];
        self.faces[..self.used]
            .iter()
            .filter(move |other| {
                let near = other.offset - offset <= SAME && other.normal.dot(normal) >= 1.0 - SAME;
                other.state == State::Kept && near
            })
            .map(|other| other.corners.map(|corner| self.corners[usize::from(corner)]))
    }

    /// Puts a corner that a face sees into the surface; says whether it could.
    pub(super) fn add(&mut self, corner: Corner, seen: usize, rounding: f64) -> bool {
        // Where planes are known badly, another idea of what is seen may give a sound rim.
        [rounding, 0.0, 1e3 * rounding].into_iter().any(|margin| self.try_add(corner, seen, margin))
    }

    fn try_add(&mut self, corner: Corner, seen: usize, margin: f64) -> bool {
        self.corners[self.len] = corner;
        let mut rim = [Edge { from: 0, to: 0, beyond: 0 }; FACES];
        let edges = self.look(corner.at, seen, margin, &mut rim);
        let done = self.close(&rim[..edges]);
        for face in &mut self.faces[..self.used] {
            face.state = match face.state {
                State::Fan | State::Seen if done == (face.state == State::Fan) => State::Kept,
                State::Fan | State::Seen => State::Free,
                other => other,
            };
        }
        self.len += usize::from(done);
        done
    }

    /// Marks what a point sees, beginning with a face, and collects the rim; says how long that is.
    fn look(&mut self, point: DVec3, seen: usize, margin: f64, rim: &mut [Edge; FACES]) -> usize {
        let (mut waiting, mut count) = ([0_u16; FACES], 1);
        waiting[0] = seen as u16;
        self.faces[seen].state = State::Seen;
        let mut edges = 0;
        while count > 0 {
            count -= 1;
            let Face { corners, across, .. } = self.faces[usize::from(waiting[count])];
            for i in 0..3 {
                let beyond = &mut self.faces[usize::from(across[i])];
                if beyond.state == State::Seen {
                    continue;
                }
                if beyond.normal.dot(point) - beyond.offset >= -margin {
                    beyond.state = State::Seen;
                    waiting[count] = across[i];
                    count += 1;
                } else {
                    let (from, to) = (corners[i], corners[(i + 1) % 3]);
                    rim[edges] = Edge { from, to, beyond: across[i] };
                    edges += 1;
                }
            }
        }
        edges
    }

    /// Closes the hole by a fan from the newest corner; changes nothing unless the rim is one
    /// simple ring and every triangle has an area.
    fn close(&mut self, rim: &[Edge]) -> bool {
        const NONE: u16 = u16::MAX;
        let apex = self.len as u16;
        if rim.len() < 3 || rim.len() > self.free() {
            return false;
        }
        // By the corner at which it begins: where on the rim, and in which place its face will be.
        let (mut starts, mut places) = ([NONE; MOST], [0_u16; FACES]);
        let mut free = 0;
        for (index, edge) in rim.iter().enumerate() {
            if starts[usize::from(edge.from)] != NONE {
                return false;
            }
            starts[usize::from(edge.from)] = index as u16;
            while self.faces[free].state != State::Free {
                free += 1;
            }
            places[index] = free as u16;
            free += 1;
        }
        if !is_one_ring(rim, &starts) {
            return false;
        }
        for (index, edge) in rim.iter().enumerate() {
            let next = places[usize::from(starts[usize::from(edge.to)])];
            let Some(face) = self.face([edge.from, edge.to, apex], [edge.beyond, next, NONE])
            else {
                return false;
            };
            let place = usize::from(places[index]);
            self.faces[place] = Face { state: State::Fan, ..face };
            self.used = self.used.max(place + 1);
        }
        for (index, edge) in rim.iter().enumerate() {
            let next = places[usize::from(starts[usize::from(edge.to)])];
            self.faces[usize::from(next)].across[2] = places[index];
            let beyond = &mut self.faces[usize::from(edge.beyond)];
            for i in 0..3 {
                if beyond.corners[i] == edge.to && beyond.corners[(i + 1) % 3] == edge.from {
                    beyond.across[i] = places[index];
                }
            }
        }
        true
    }

    fn free(&self) -> usize {
        self.faces.iter().filter(|face| face.state == State::Free).count()
    }

    fn face(&self, corners: [u16; 3], across: [u16; 3]) -> Option<Face> {
        let [p, q, r] = corners.map(|corner| self.corners[usize::from(corner)].at);
        let (along, side) = (q - p, r - p);
        let area = along.cross(side);
        let least = 4.0 * f64::EPSILON * along.length() * side.length();
        let length = area.length();
        if length.is_nan() || length <= least {
            return None;
        }
        let normal = area / length;
        let offset = normal.dot(p).min(normal.dot(q)).min(normal.dot(r));
        Some(Face { corners, across, normal, offset, state: State::Kept })
    }
}

/// Whether following a rim from edge to edge comes back after all of it.
fn is_one_ring(rim: &[Edge], starts: &[u16; MOST]) -> bool {
    let mut at = 0;
    for step in 1..=rim.len() {
        at = match starts[usize::from(rim[at].to)] {
            u16::MAX => return false,
            next => usize::from(next),
        };
        if at == 0 {
            return step == rim.len();
        }
    }
    false
}
