//! Two costs, and how they are fitted to times.

/// Seconds of a test of volumes, and of one of triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Costs {
    pub(super) volume: f64,
    pub(super) primitive: f64,
}

impl Costs {
    /// What this many tests of each take.
    pub(super) fn of(self, [volumes, primitives]: [f64; 2]) -> f64 {
        volumes * self.volume + primitives * self.primitive
    }

    /// Those with which the relative errors have the least squares; none is below zero. Nothing
    /// without times.
    pub(super) fn fitted(times: &[([f64; 2], f64)]) -> Option<Self> {
        let (mut vv, mut vp, mut pp, mut v1, mut p1) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for &([volumes, primitives], secs) in times {
            let (v, p) = (volumes / secs, primitives / secs);
            vv += v * v;
            vp += v * p;
            pp += p * p;
            v1 += v;
            p1 += p;
        }
        let determinant = vv * pp - vp * vp;
        if determinant > 1e-9 * vv * pp {
            let volume = (v1 * pp - p1 * vp) / determinant;
            let primitive = (p1 * vv - v1 * vp) / determinant;
            if volume >= 0.0 && primitive >= 0.0 {
                return Some(Self { volume, primitive });
            }
        }
        // One of them alone, whichever leaves the smaller error.
        let only_volumes = (vv > 0.0).then(|| Self { volume: v1 / vv, primitive: 0.0 });
        let only_primitives = (pp > 0.0).then(|| Self { volume: 0.0, primitive: p1 / pp });
        let error = |costs: &Self| {
            let one = |&(tests, secs): &([f64; 2], f64)| (costs.of(tests) / secs - 1.0).powi(2);
            times.iter().map(one).sum::<f64>()
        };
        let both = [only_volumes, only_primitives].into_iter().flatten();
        both.min_by(|a, b| error(a).total_cmp(&error(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::Costs;

    #[test]
    fn costs_are_found_again() {
        let costs = Costs { volume: 3e-9, primitive: 5e-8 };
        let tests = [[100.0, 3.0], [2000.0, 900.0], [50.0, 50.0]];
        let times = tests.map(|tests| (tests, costs.of(tests)));
        let found = Costs::fitted(&times).expect("three times");
        assert!((found.volume / costs.volume - 1.0).abs() < 1e-6);
        assert!((found.primitive / costs.primitive - 1.0).abs() < 1e-6);
        assert_eq!(Costs::fitted(&[]), None);
        let without = [([10.0, 0.0], 1.0), ([20.0, 0.0], 2.0)];
        assert_eq!(Costs::fitted(&without), Some(Costs { volume: 0.1, primitive: 0.0 }));
    }
}
