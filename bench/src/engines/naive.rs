//! Every triangle against every other, exactly: what all the rest saves work on.

use elbowroom::Mesh;
use elbowroom::internal::exact::{PlacedTriangle, Relation, relate};
use elbowroom_bench_protocol::files::Workload;
use elbowroom_bench_protocol::play::{Player, Ready, Tests};

use super::Placed;
use crate::Failure;

pub(super) struct Naive {
    meshes: Vec<Mesh>,
    queries: Vec<Placed>,
    triangles: u64,
    tests: u64,
}

impl Naive {
    pub(super) fn new(workload: &Workload) -> Result<Self, Failure> {
        Ok(Self {
            meshes: workload.meshes.iter().map(super::mesh).collect::<Result<_, _>>()?,
            queries: super::placed(workload)?,
            triangles: super::triangles(workload),
            tests: 0,
        })
    }

    /// Counts pairs that meet, up to a most.
    fn count(&mut self, query: usize, most: u64) -> u64 {
        let ([a, b], [place_a, place_b]) = &self.queries[query];
        let (a, b) = (&self.meshes[*a], &self.meshes[*b]);
        let second: Vec<PlacedTriangle> =
            (0..b.triangles().len()).map(|j| PlacedTriangle::new(place_b, b.triangle(j))).collect();
        let mut found = 0;
        for i in 0..a.triangles().len() {
            let first = PlacedTriangle::new(place_a, a.triangle(i));
            for other in &second {
                self.tests += 1;
                found += u64::from(relate(&first, other) != Relation::Apart);
                if found == most {
                    return found;
                }
            }
        }
        found
    }
}

impl Player for Naive {
    fn ready(&self) -> Ready {
        Ready { triangles: self.triangles, bytes: None }
    }

    fn queries(&self) -> usize {
        self.queries.len()
    }

    fn boolean(&mut self, query: usize) -> Option<bool> {
        Some(self.count(query, 1) > 0)
    }

    fn all(&mut self, query: usize) -> Option<u64> {
        Some(self.count(query, u64::MAX))
    }

    fn world(&mut self) -> Option<u64> {
        None
    }

    fn build(&mut self) -> Option<(f64, u64)> {
        None
    }

    fn tests(&mut self) -> Tests {
        Tests { volumes: 0, triangles: std::mem::take(&mut self.tests) }
    }
}
