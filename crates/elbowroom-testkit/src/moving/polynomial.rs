//! Polynomials with integer coefficients, their real roots, and the sign of one at a root of
//! another.
//!
//! Roots are isolated by the sequence of Sturm (*Mémoire sur la résolution des équations
//! numériques*, 1829) and halving.

use dashu_int::IBig;
use dashu_int::ops::Gcd;

/// The coefficients, the constant one first; the last one is not zero. None are the zero
/// polynomial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Polynomial(Vec<IBig>);

/// n/2^k.
#[derive(Clone, Debug)]
pub(super) struct Time {
    above: IBig,
    power: usize,
}

impl Time {
    pub(super) const ZERO: Self = Self { above: IBig::ZERO, power: 0 };
    pub(super) const ONE: Self = Self { above: IBig::ONE, power: 0 };

    fn middle(low: &Self, high: &Self) -> Self {
        let power = low.power.max(high.power);
        let above = (&low.above << (power - low.power)) + (&high.above << (power - high.power));
        Self { above, power: power + 1 }
    }

    /// Rounded; numbers that come out of 60 halvings are nearly exact.
    pub(super) fn rounded(&self) -> f64 {
        let excess = self.power.saturating_sub(60);
        let above = i128::try_from(&self.above >> excess).unwrap_or(i128::MAX);
        above as f64 / (1_u64 << (self.power - excess)) as f64
    }
}

/// A root of a polynomial without double roots: the only one above the first time and up to the
/// second. Both are the same if it is that.
#[derive(Clone, Debug)]
pub(super) struct Root {
    of: Polynomial,
    pub(super) low: Time,
    pub(super) high: Time,
}

fn sign(value: &IBig) -> i32 {
    i32::from(*value > IBig::ZERO) - i32::from(*value < IBig::ZERO)
}

impl Polynomial {
    pub(super) fn new(mut coefficients: Vec<IBig>) -> Self {
        while coefficients.last().is_some_and(IBig::is_zero) {
            coefficients.pop();
        }
        Self(coefficients)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn degree(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    pub(super) fn plus(&self, other: &Self, factor: i32) -> Self {
        let of = |p: &Self, i: usize| p.0.get(i).cloned().unwrap_or(IBig::ZERO);
        let length = self.0.len().max(other.0.len());
        Self::new((0..length).map(|i| of(self, i) + of(other, i) * factor).collect())
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self(Vec::new());
        }
        let mut product = vec![IBig::ZERO; self.0.len() + other.0.len() - 1];
        for (i, p) in self.0.iter().enumerate() {
            for (j, q) in other.0.iter().enumerate() {
                product[i + j] += p * q;
            }
        }
        Self::new(product)
    }

    pub(super) fn sign_at(&self, time: &Time) -> i32 {
        let degree = self.degree();
        let mut power = IBig::ONE;
        let mut sum = IBig::ZERO;
        for (i, coefficient) in self.0.iter().enumerate() {
            sum += (coefficient * &power) << (time.power * (degree - i));
            power *= &time.above;
        }
        sign(&sum)
    }

    fn derivative(&self) -> Self {
        Self::new(self.0.iter().enumerate().skip(1).map(|(i, c)| c * IBig::from(i)).collect())
    }

    /// Divided by what all coefficients have in common, which is above zero.
    fn reduced(self) -> Self {
        let common = self.0.iter().fold(IBig::ZERO, |common, c| {
            if common.is_zero() {
                if *c < IBig::ZERO { -c } else { c.clone() }
            } else if c.is_zero() {
                common
            } else {
                IBig::from((&common).gcd(c))
            }
        });
        if common.is_zero() {
            return self;
        }
        Self(self.0.into_iter().map(|c| c / &common).collect())
    }

    /// The remainder of a division, times something above zero.
    fn remainder(&self, by: &Self) -> Self {
        let (lead, degree) = (&by.0[by.degree()], by.degree());
        let (size, flip) = if *lead < IBig::ZERO { (-lead, -1) } else { (lead.clone(), 1) };
        let mut rest = self.clone();
        while !rest.is_zero() && rest.degree() >= degree {
            let (top, shift) = (rest.0[rest.degree()].clone() * flip, rest.degree() - degree);
            let mut next: Vec<IBig> = rest.0.iter().map(|c| c * &size).collect();
            for (i, c) in by.0.iter().enumerate() {
                next[i + shift] -= c * &top;
            }
            rest = Self::new(next);
        }
        rest.reduced()
    }

    fn common(&self, other: &Self) -> Self {
        let (mut p, mut q) = (self.clone(), other.clone());
        while !q.is_zero() {
            let rest = p.remainder(&q);
            (p, q) = (q, rest);
        }
        p.reduced()
    }

    /// The quotient of a division that leaves nothing, times something.
    fn quotient(&self, by: &Self) -> Self {
        let (mut rest, mut quotient) = (self.clone(), vec![IBig::ZERO; self.0.len()]);
        let lead = by.0[by.degree()].clone();
        while !rest.is_zero() && rest.degree() >= by.degree() {
            let (top, shift) = (rest.0[rest.degree()].clone(), rest.degree() - by.degree());
            for coefficient in &mut quotient {
                *coefficient *= &lead;
            }
            quotient[shift] += &top;
            let mut next: Vec<IBig> = rest.0.iter().map(|c| c * &lead).collect();
            for (i, c) in by.0.iter().enumerate() {
                next[i + shift] -= c * &top;
            }
            rest = Self::new(next);
        }
        assert!(rest.is_zero(), "a common divisor divides");
        Self::new(quotient).reduced()
    }

    /// The polynomial with the roots of this one, each once.
    fn simple(&self) -> Self {
        let common = self.common(&self.derivative());
        if common.degree() == 0 { self.clone() } else { self.quotient(&common) }
    }

    /// How many roots a polynomial without double ones has above a time and up to another.
    fn roots_between(&self, low: &Time, high: &Time) -> usize {
        let mut sequence = vec![self.clone(), self.derivative()];
        while let [.., p, q] = &sequence[..]
            && !q.is_zero()
        {
            let rest = p.remainder(q);
            sequence.push(Self(rest.0.into_iter().map(|c| -c).collect()));
        }
        let changes = |time: &Time| {
            let signs = sequence.iter().map(|p| p.sign_at(time)).filter(|&s| s != 0);
            let signs: Vec<i32> = signs.collect();
            signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
        };
        changes(low) - changes(high)
    }

    /// The roots above 0 and up to 1.
    pub(super) fn roots(&self) -> Vec<Root> {
        let mut found = Vec::new();
        if self.degree() == 0 {
            return found;
        }
        let simple = self.simple();
        let mut waiting = vec![(Time::ZERO, Time::ONE)];
        while let Some((low, high)) = waiting.pop() {
            match simple.roots_between(&low, &high) {
                0 => {}
                1 => found.push(Root { of: simple.clone(), low, high }),
                _ => {
                    let middle = Time::middle(&low, &high);
                    waiting.push((low, middle.clone()));
                    waiting.push((middle, high));
                }
            }
        }
        found
    }
}

impl Root {
    fn halve(&mut self) {
        if self.of.sign_at(&self.high) == 0 {
            self.low = self.high.clone();
            return;
        }
        let middle = Time::middle(&self.low, &self.high);
        if self.of.roots_between(&self.low, &middle) == 1 {
            self.high = middle;
        } else {
            self.low = middle;
        }
    }

    /// Halves its interval until it is 2^-60 long.
    pub(super) fn refine(&mut self) {
        while self.low.power.max(self.high.power) < 60 && !self.is_exact() {
            self.halve();
        }
    }

    fn is_exact(&self) -> bool {
        self.low.power == self.high.power && self.low.above == self.high.above
    }

    /// The sign of a polynomial here.
    pub(super) fn sign(&self, of: &Polynomial) -> i32 {
        if of.degree() == 0 || self.is_exact() {
            return of.sign_at(&self.high);
        }
        let common = self.of.common(of);
        if common.degree() > 0 && common.roots_between(&self.low, &self.high) == 1 {
            return 0;
        }
        let (mut here, simple) = (self.clone(), of.simple());
        while !here.is_exact()
            && (simple.roots_between(&here.low, &here.high) > 0 || simple.sign_at(&here.low) == 0)
        {
            here.halve();
        }
        of.sign_at(&here.high)
    }
}
