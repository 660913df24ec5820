//! Whether moving corners meet at all, without any rounding.
//!
//! Whether a vertex is in a face, or two edges meet, at a time t follows from the signs of some
//! polynomials in t: the determinant, which must be zero, and cross products. Between the roots of
//! these no sign changes, and what is closed begins at a root or at time 0; so signs at time 0 and
//! at the roots decide. A root is known as a polynomial without double roots and an interval that
//! holds one of them: one change of sign of the Bernstein coefficients tells so (Descartes). The
//! sign of another polynomial there is zero if the greatest common divisor of both has the root,
//! too; else the interval is halved until the Bernstein coefficients of the other have one sign.
//!
//! All numbers are dyadic and without limit: slow, and always right.

use std::array::from_fn;

use super::Moving;
use crate::internal::exact::Sign;
use crate::internal::exact::dyadic::Dyadic;

/// Coefficients of 1, t, t², t³.
#[derive(Clone, Debug)]
struct Polynomial([Dyadic; 4]);

/// A vector of them.
type Moved = [Polynomial; 3];

// Never inlined: four numbers without limit each, in vectors of three and products of those, made
// one function of thousands of steps that took three seconds to compile.
impl Polynomial {
    #[inline(never)]
    fn linear(start: f64, end: f64) -> Self {
        let start = Dyadic::from(start);
        let way = &Dyadic::from(end) - &start;
        Self([start, way, Dyadic::ZERO, Dyadic::ZERO])
    }

    /// The degree; nothing for zero.
    fn degree(&self) -> Option<usize> {
        (0..4).rev().find(|&i| self.0[i].sign() != Sign::Zero)
    }

    #[inline(never)]
    fn minus(&self, other: &Self) -> Self {
        Self(from_fn(|i| &self.0[i] - &other.0[i]))
    }

    #[inline(never)]
    fn plus(&self, other: &Self) -> Self {
        Self(from_fn(|i| &self.0[i] + &other.0[i]))
    }

    /// Of a degree of at most three in all.
    #[inline(never)]
    fn times(&self, other: &Self) -> Self {
        Self(from_fn(|i| {
            (0..=i).fold(Dyadic::ZERO, |sum, j| &sum + &(&self.0[j] * &other.0[i - j]))
        }))
    }

    #[inline(never)]
    fn scaled(&self, factor: &Dyadic) -> Self {
        Self(from_fn(|i| &self.0[i] * factor))
    }

    /// Times a power of t, as long as it has room.
    fn raised(&self, by: usize) -> Self {
        Self(from_fn(|i| if i < by { Dyadic::ZERO } else { self.0[i - by].clone() }))
    }

    fn derivative(&self) -> Self {
        let [_, b, c, d] = &self.0;
        Self([b.clone(), c * &Dyadic::from(2), d * &Dyadic::from(3), Dyadic::ZERO])
    }

    /// Quotient and remainder of a division by what is not zero, times some number that is not
    /// zero.
    fn divided(&self, by: &Self) -> (Self, Self) {
        let (mut quotient, mut rest) = (Self(from_fn(|_| Dyadic::ZERO)), self.clone());
        let Some(low) = by.degree() else { return (quotient, rest) };
        let one = Self(from_fn(|i| if i == 0 { Dyadic::ONE } else { Dyadic::ZERO }));
        while let Some(high) = rest.degree()
            && high >= low
        {
            let (lead, top) = (&by.0[low], rest.0[high].clone());
            quotient = quotient.scaled(lead).plus(&one.scaled(&top).raised(high - low));
            rest = rest.scaled(lead).minus(&by.scaled(&top).raised(high - low));
            // What cancels is zero by construction, and no longer counts.
            rest.0[high] = Dyadic::ZERO;
        }
        (quotient, rest)
    }

    /// The greatest common divisor, times some number.
    fn common(&self, other: &Self) -> Self {
        let (mut p, mut q) = (self.clone(), other.clone());
        while q.degree().is_some() {
            let (_, rest) = p.divided(&q);
            (p, q) = (q, rest);
        }
        p
    }

    /// The roots without repetition.
    fn simple(&self) -> Self {
        let common = self.common(&self.derivative());
        if common.degree() == Some(0) { self.clone() } else { self.divided(&common).0 }
    }

    /// The Bernstein coefficients over the time from 0 to 1, three times each.
    fn bernstein(&self) -> Bernstein {
        let [a, b, c, d] = &self.0;
        let three = Dyadic::from(3);
        let a = a * &three;
        let second = &a + b;
        let third = &(&second + b) + c;
        let last = &(&a + &(b * &three)) + &(&(c * &three) + &(d * &three));
        Bernstein([a, second, third, last])
    }
}

/// Coefficients over a part of the time.
#[derive(Clone, Debug)]
struct Bernstein([Dyadic; 4]);

impl Bernstein {
    /// Both halves, eight times larger.
    fn halves(&self) -> [Self; 2] {
        let two = Dyadic::from(2);
        let [a, b, c, d] = &self.0;
        let (ab, bc, cd) = (a + b, b + c, c + d);
        let (abc, bcd) = (&ab + &bc, &bc + &cd);
        let middle = &abc + &bcd;
        let eight = |x: &Dyadic| &(&(x * &two) * &two) * &two;
        let four = |x: &Dyadic| &(x * &two) * &two;
        [
            Self([eight(a), four(&ab), &abc * &two, middle.clone()]),
            Self([middle, &bcd * &two, four(&cd), eight(d)]),
        ]
    }

    /// How often the sign changes from coefficient to coefficient.
    fn changes(&self) -> usize {
        let mut last = Sign::Zero;
        let mut changes = 0;
        for sign in self.0.iter().map(Dyadic::sign).filter(|&sign| sign != Sign::Zero) {
            changes += usize::from(last != Sign::Zero && last != sign);
            last = sign;
        }
        changes
    }

    fn first(&self) -> Sign {
        self.0[0].sign()
    }

    fn last(&self) -> Sign {
        self.0[3].sign()
    }

    /// The sign of all coefficients, if they have one.
    fn sign(&self) -> Option<Sign> {
        let first = self.first();
        self.0.iter().all(|c| c.sign() == first).then_some(first)
    }
}

/// Which halves lead to a part of the time.
type Way = Vec<usize>;

/// A root of a polynomial without double ones: the end of a part of the time, or the only one
/// within.
struct Root<'a> {
    of: &'a Polynomial,
    way: Way,
    /// At the end of the part.
    is_end: bool,
}

fn part(of: &Polynomial, way: &[usize]) -> Bernstein {
    way.iter().fold(of.bernstein(), |whole, &half| whole.halves()[half].clone())
}

/// The roots after time 0 until time 1; one that ends several parts is told several times.
fn roots(of: &Polynomial) -> Vec<Root<'_>> {
    let mut found = Vec::new();
    let mut waiting: Vec<(Way, Bernstein)> = vec![(Vec::new(), of.bernstein())];
    while let Some((way, here)) = waiting.pop() {
        let is_end = here.last() == Sign::Zero;
        if is_end {
            found.push(Root { of, way: way.clone(), is_end });
        }
        // A root at an end is none within; what is within is told by the changes alone where no end
        // is one.
        let is_clean = !is_end && here.first() != Sign::Zero;
        match here.changes() {
            0 => {}
            1 if is_clean => found.push(Root { of, way, is_end: false }),
            _ => {
                for (half, part) in here.halves().into_iter().enumerate() {
                    let mut longer = way.clone();
                    longer.push(half);
                    waiting.push((longer, part));
                }
            }
        }
    }
    found
}

impl Root<'_> {
    /// The sign of a polynomial here.
    fn sign(&self, of: &Polynomial) -> Sign {
        let mut other = part(of, &self.way);
        if self.is_end {
            return other.last();
        }
        if of.degree().is_none() {
            return Sign::Zero;
        }
        let mut own = part(self.of, &self.way);
        let common = self.of.common(of);
        let within = part(&common, &self.way);
        // It divides a polynomial with a single root here, and has it if it changes its sign.
        if within.first() != within.last() {
            return Sign::Zero;
        }
        loop {
            if let Some(sign) = other.sign() {
                return sign;
            }
            let [left, right] = own.halves();
            let half = if left.last() == Sign::Zero {
                // The root is in the middle.
                return other.halves()[0].last();
            } else {
                usize::from(left.first() == left.last())
            };
            own = if half == 0 { left } else { right };
            other = other.halves()[half].clone();
        }
    }
}

/// Whether signs tell of contact at time 0 or at a root of one of some polynomials. The first must
/// be zero for it.
fn ever(all: &[&Polynomial], meets: impl Fn(&dyn Fn(&Polynomial) -> Sign) -> bool) -> bool {
    if meets(&|of| of.0[0].sign()) {
        return true;
    }
    let all = if all[0].degree().is_some() { &all[..1] } else { all };
    all.iter().filter(|of| of.degree().is_some()).any(|of| {
        let simple = of.simple();
        roots(&simple).iter().any(|root| meets(&|of| root.sign(of)))
    })
}

fn moved(corner: &Moving) -> Moved {
    from_fn(|axis| Polynomial::linear(corner.start[axis], corner.end[axis]))
}

fn minus(a: &Moved, b: &Moved) -> Moved {
    from_fn(|axis| a[axis].minus(&b[axis]))
}

fn cross(a: &Moved, b: &Moved) -> Moved {
    from_fn(|axis| {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        a[i].times(&b[j]).minus(&a[j].times(&b[i]))
    })
}

fn dot(a: &Moved, b: &Moved) -> Polynomial {
    a[0].times(&b[0]).plus(&a[1].times(&b[1])).plus(&a[2].times(&b[2]))
}

/// Whether the origin is on a segment, whose cross product is given.
fn holds_origin(
    [start, end]: [&Moved; 2],
    turn: &Moved,
    sign: &dyn Fn(&Polynomial) -> Sign,
) -> bool {
    let is_across = |axis: usize| {
        let (start, end) = (sign(&start[axis]), sign(&end[axis]));
        start == Sign::Zero || start != end
    };
    turn.iter().all(|turn| sign(turn) == Sign::Zero) && (0..3).all(is_across)
}

/// Whether a sign is another or zero.
fn agrees(sign: Sign, with: Sign) -> bool {
    sign == Sign::Zero || sign == with
}

pub(super) fn vertex_ever_meets_face(vertex: &Moving, face: &[Moving; 3]) -> bool {
    let p = moved(vertex);
    let f = face.each_ref().map(|corner| minus(&moved(corner), &p));
    let turns: [Moved; 3] = from_fn(|i| cross(&f[i], &f[(i + 1) % 3]));
    let det = dot(&turns[0], &f[2]);
    let normal = cross(&minus(&f[1], &f[0]), &minus(&f[2], &f[0]));
    let mut all = vec![&det];
    all.extend(turns.iter().chain(&f).flatten().chain(&normal));
    ever(&all, |sign| {
        if sign(&det) != Sign::Zero {
            return false;
        }
        match (0..3).find(|&axis| sign(&normal[axis]) != Sign::Zero) {
            Some(axis) => turns.iter().all(|t| agrees(sign(&t[axis]), sign(&normal[axis]))),
            None => (0..3).any(|i| holds_origin([&f[i], &f[(i + 1) % 3]], &turns[i], sign)),
        }
    })
}

pub(super) fn edges_ever_meet(a: &[Moving; 2], b: &[Moving; 2]) -> bool {
    let ([a, b], [p, q]) = (a.each_ref().map(moved), b.each_ref().map(moved));
    let (d, e, step) = (minus(&b, &a), minus(&q, &p), minus(&p, &a));
    let normal = cross(&d, &e);
    let det = dot(&normal, &step);
    let parts = [cross(&step, &e), cross(&step, &d)];
    let rests = parts.each_ref().map(|part| minus(&normal, part));
    // Each corner with the other edge, for edges on one line.
    let ends = [(&a, &p, &q), (&b, &p, &q), (&p, &a, &b), (&q, &a, &b)]
        .map(|(corner, start, end)| [minus(start, corner), minus(end, corner)]);
    let turns = ends.each_ref().map(|[start, end]| cross(start, end));
    let mut all = vec![&det];
    all.extend(parts.iter().chain(&rests).chain(&turns).chain(ends.iter().flatten()).flatten());
    all.extend(&normal);
    ever(&all, |sign| {
        if sign(&det) != Sign::Zero {
            return false;
        }
        match (0..3).find(|&axis| sign(&normal[axis]) != Sign::Zero) {
            Some(axis) => {
                let side = sign(&normal[axis]);
                parts.iter().chain(&rests).all(|part| agrees(sign(&part[axis]), side))
            }
            None => ends.iter().zip(&turns).any(|([s, e], turn)| holds_origin([s, e], turn, sign)),
        }
    })
}
