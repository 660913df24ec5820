//! How large the least of some functions can be on a simplex, from their values at its corners.
//!
//! A convex function is at most what its values at the corners make of it in between. So the least
//! of several convex functions is nowhere above
//!
//! ```text
//!   max over weights λ of the corners   min over functions k   Σᵢ λᵢ dᵢₖ
//! ```
//!
//! which is the value of the matrix game d (von Neumann, *Zur Theorie der Gesellschaftsspiele*,
//! 1928). Every mixture μ of the functions bounds it from above by the largest Σₖ dᵢₖ μₖ of any
//! corner, and the best mixture is found in a square part of d (Shapley and Snow, *Basic solutions
//! of discrete games*, 1950): so all parts of one, two and three rows are tried.
//!
//! Invariant: the bound is that of a mixture that was found, so it holds whatever rounding did to
//! the finding.

/// How many functions are kept for a simplex.
pub(super) const MOST: usize = 5;

/// Values of functions at the corners: a row for each corner.
pub(super) type Values<const N: usize> = [[f64; MOST]; N];

/// An upper bound, and the weights of the corners between which it is to be looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound<const N: usize> {
    pub(super) most: f64,
    pub(super) weights: [f64; N],
    /// What the functions are at least there, if they are as the corners say.
    pub(super) least: f64,
}

/// An upper bound by the best single one of the first `count` functions; `count` is at least one.
pub(super) fn bound_simply<const N: usize>(values: &Values<N>, count: usize) -> f64 {
    let most = |k: usize| values.iter().fold(f64::NEG_INFINITY, |most, row| most.max(row[k]));
    (0..count).map(most).fold(f64::INFINITY, f64::min)
}

/// An upper bound by mixtures of the first `count` functions; `count` is at least one.
pub(super) fn bound<const N: usize>(values: &Values<N>, count: usize) -> Bound<N> {
    let most = bound_simply(values, count);
    let mut bound = Bound { most, weights: [0.0; N], least: f64::NEG_INFINITY };
    let (columns, count) = useful(values, count);
    let columns = &columns[..count];
    bound.corners(values, columns);
    for (at, &k) in columns.iter().enumerate() {
        for &l in &columns[at + 1..] {
            bound.pairs(values, columns, [k, l]);
        }
    }
    for (at, &k) in columns.iter().enumerate() {
        for (next, &l) in columns.iter().enumerate().skip(at + 1) {
            for &m in &columns[next + 1..] {
                bound.triples(values, columns, [k, l, m]);
            }
        }
    }
    bound
}

/// The functions that are less than each other one at some corner, and how many they are: the
/// others bound nothing. Of equals, the first.
fn useful<const N: usize>(values: &Values<N>, count: usize) -> ([usize; MOST], usize) {
    let (mut columns, mut useful) = ([0; MOST], 0);
    for k in 0..count {
        let is_useless = (0..count).any(|l| {
            let is_below = values.iter().all(|row| row[l] <= row[k]);
            l != k && is_below && (l < k || values.iter().any(|row| row[l] < row[k]))
        });
        if !is_useless {
            columns[useful] = k;
            useful += 1;
        }
    }
    (columns, useful)
}

impl<const N: usize> Bound<N> {
    /// Takes the function `new` into account, one of `count`: the best parts of the game are those
    /// known before, or have its column.
    pub(super) fn improve(&mut self, values: &Values<N>, new: usize, count: usize) {
        let (columns, count) = useful(values, count);
        let columns = &columns[..count];
        if !columns.contains(&new) {
            return;
        }
        let known = self.weights;
        self.least = f64::NEG_INFINITY;
        self.weigh(values, columns, known);
        let most = values.iter().fold(f64::NEG_INFINITY, |most, row| most.max(row[new]));
        self.most = self.most.min(most);
        self.corners(values, columns);
        let others = || columns.iter().copied().filter(|&k| k != new);
        for k in others() {
            self.pairs(values, columns, [k, new]);
        }
        for k in others() {
            for l in others().filter(|&l| l > k) {
                self.triples(values, columns, [k, l, new]);
            }
        }
    }

    /// Tries each corner by itself.
    fn corners(&mut self, values: &Values<N>, columns: &[usize]) {
        for i in 0..N {
            let mut weights = [0.0; N];
            weights[i] = 1.0;
            self.weigh(values, columns, weights);
        }
    }

    /// Tries weights of corners.
    fn weigh(&mut self, values: &Values<N>, columns: &[usize], weights: [f64; N]) {
        let sum = |k: usize| {
            values.iter().zip(weights).fold(0.0, |sum, (row, weight)| sum + weight * row[k])
        };
        let least = columns.iter().map(|&k| sum(k)).fold(f64::INFINITY, f64::min);
        if least > self.least {
            (self.least, self.weights) = (least, weights);
        }
    }

    /// Tries a mixture of functions.
    fn mix(&mut self, values: &Values<N>, columns: &[usize], mixture: &[f64]) {
        let most = values.iter().fold(f64::NEG_INFINITY, |most, row| {
            let sum = columns.iter().zip(mixture).fold(0.0, |sum, (&k, part)| sum + part * row[k]);
            most.max(sum)
        });
        self.most = self.most.min(most);
    }

    fn is_open(&self) -> bool {
        self.most > self.least
    }

    fn pairs(&mut self, values: &Values<N>, columns: &[usize], [k, l]: [usize; 2]) {
        for i in 0..N {
            for j in i + 1..N {
                let (a, b, c, d) = (values[i][k], values[i][l], values[j][k], values[j][l]);
                let sum = (a - b) + (d - c);
                let (part, weight) = ((d - b) / sum, (d - c) / sum);
                // A sum of zero gives NaN or infinity.
                let is_fraction = |x: f64| (0.0..=1.0).contains(&x);
                if self.is_open() && is_fraction(part) && is_fraction(weight) {
                    self.mix(values, &[k, l], &[part, 1.0 - part]);
                    let mut weights = [0.0; N];
                    (weights[i], weights[j]) = (weight, 1.0 - weight);
                    self.weigh(values, columns, weights);
                }
            }
        }
    }

    fn triples(&mut self, values: &Values<N>, columns: &[usize], part: [usize; 3]) {
        for i in 0..N {
            for j in i + 1..N {
                for m in j + 1..N {
                    self.triple(values, columns, [i, j, m], part);
                }
            }
        }
    }

    fn triple(
        &mut self,
        values: &Values<N>,
        columns: &[usize],
        rows: [usize; 3],
        part: [usize; 3],
    ) {
        if !self.is_open() {
            return;
        }
        let square = rows.map(|i| part.map(|k| values[i][k]));
        let turned = [0, 1, 2].map(|k| [0, 1, 2].map(|i| square[i][k]));
        if let (Some(weight), Some(mixture)) = (alike(turned), alike(square)) {
            self.mix(values, &part, &mixture);
            let mut weights = [0.0; N];
            for (i, part) in rows.into_iter().zip(weight) {
                weights[i] = part;
            }
            self.weigh(values, columns, weights);
        }
    }
}

/// Weights with which three rows have the same sum, if all are positive.
fn alike([p, q, r]: [[f64; 3]; 3]) -> Option<[f64; 3]> {
    let (u, v) = ([0, 1, 2].map(|k| p[k] - q[k]), [0, 1, 2].map(|k| p[k] - r[k]));
    let across = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let sum = across[0] + across[1] + across[2];
    let parts = across.map(|x| x / sum);
    parts.iter().all(|part| (0.0..=1.0).contains(part)).then_some(parts)
}

#[cfg(test)]
mod tests {
    use elbowroom_testkit::random::Random;

    use super::*;

    /// By many weights.
    fn sampled<const N: usize>(values: &Values<N>, count: usize, random: &mut Random) -> f64 {
        let mut best = f64::NEG_INFINITY;
        for _ in 0..2000 {
            let raw: [f64; N] = std::array::from_fn(|_| -random.unit().max(1e-12).ln());
            let sum: f64 = raw.iter().sum();
            let at = |k: usize| (0..N).map(|i| raw[i] / sum * values[i][k]).sum::<f64>();
            best = best.max((0..count).map(at).fold(f64::INFINITY, f64::min));
        }
        best
    }

    #[test]
    fn the_bound_holds_and_is_sharp() {
        let mut random = Random::new(11);
        let mut sharp = 0;
        for round in 0..600 {
            let count = 1 + round % MOST;
            let values: Values<3> = std::array::from_fn(|_| std::array::from_fn(|_| random.unit()));
            let found = bound(&values, count);
            let seen = sampled(&values, count, &mut random);
            assert!(found.most >= seen - 1e-12, "{values:?}");
            sharp += usize::from(found.most - found.least < 1e-12);
            // The values, one function after the other.
            let mut grown = bound(&values, 1);
            for k in 1..count {
                grown.improve(&values, k, k + 1);
            }
            assert!((grown.most - found.most).abs() < 1e-12, "{values:?}");
            assert!((grown.least - found.least).abs() < 1e-12, "{values:?}");
        }
        assert_eq!(sharp, 600);
        for round in 0..200 {
            let count = 1 + round % MOST;
            let values: Values<4> = std::array::from_fn(|_| std::array::from_fn(|_| random.unit()));
            let found = bound(&values, count);
            assert!(found.most >= sampled(&values, count, &mut random) - 1e-12, "{values:?}");
        }
    }
}
