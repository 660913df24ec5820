//! Near pairs on binary trees, of any family.
//!
//! Volumes are asked whether they may be within the limit, as their margin; when the limit has
//! shrunk enough for the answers to differ, they are asked with the new one. The search begins with
//! a triangle of each that lies farthest towards the other.

use std::ops::ControlFlow;

use glam::DVec3;

use super::{Glimpse, Seek, Shape, Side, gap_of};
use crate::internal::bvh::NodeId;
use crate::internal::exact::Gap;
use crate::internal::geom::Aabb;
use crate::internal::geom::mesh::Mesh;
use crate::internal::math::pose::Pose;
use crate::internal::model::{Columns, Model};
use crate::internal::query::collide::{Alike, AsBoxes, Cull};
use crate::internal::traverse::{Judge, Path, Workspace, pair};
use crate::internal::volume::Rigid;

/// Shows a seeker what is within its limit.
pub(super) fn seek(
    sides: &[Side; 2],
    seeker: &mut dyn Seek,
    workspace: &mut Workspace,
) -> ControlFlow<()> {
    let made = sides.each_ref().map(|side| match side.shape {
        Shape::Model(_) => None,
        // A mesh of one point is sound wherever a point is finite.
        Shape::Point(point, _) => Mesh::new(vec![point], vec![[0; 3]]).ok().map(Model::new),
    });
    let [Some(a), Some(b)] = [0, 1].map(|i| match sides[i].shape {
        Shape::Model(model) => Some(model),
        Shape::Point(..) => made[i].as_ref(),
    }) else {
        return ControlFlow::Continue(());
    };
    let places = [sides[0].pose, sides[1].pose];
    begin(sides, [a, b], seeker)?;
    macro_rules! by_family {
        ($($family:ident),*) => {
            match (a.columns(), b.columns()) {
                $((Columns::$family(x), Columns::$family(y)) => {
                    let cull = |space: &Rigid| Alike::new(x, y, space);
                    Search::new(sides, [a, b], places, cull, seeker).run(workspace)
                })*
                (x, y) => {
                    let cull = |space: &Rigid| AsBoxes::new(x, y, space);
                    Search::new(sides, [a, b], places, cull, seeker).run(workspace)
                }
            }
        };
    }
    by_family!(Sphere, Aabb, Obb, Kdop14, Kdop18, Kdop24, Kdop26, Cylinder)
}

/// Shows one pair of triangles, which should be near.
fn begin(sides: &[Side; 2], models: [&Model; 2], seeker: &mut dyn Seek) -> ControlFlow<()> {
    let middles = [0, 1].map(|i| {
        let Aabb { min: low, max: high } = models[i].mesh().bounds();
        sides[i].pose.apply(0.5 * low + 0.5 * high)
    });
    let towards = |i: usize, way: DVec3| {
        let way = sides[i].pose.rotation().transpose() * way;
        let mesh = models[i].mesh();
        let reach = |t: usize| mesh.triangle(t).map(|p| p.dot(way)).into_iter().fold(0.0, f64::max);
        (0..mesh.triangles().len()).max_by(|&s, &t| reach(s).total_cmp(&reach(t))).unwrap_or(0)
    };
    let way = (middles[1] - middles[0]).normalize_or_zero();
    let (i, j) = (towards(0, way) as u32, towards(1, -way) as u32);
    match gap_of(sides, i, j) {
        Some(gap) if gap.distance > seeker.limit() => ControlFlow::Continue(()),
        gap => {
            // It will come again, with its copies; what is known now is the distance.
            match seeker.glimpse(0.0, gap.map_or(0.0, |gap| gap.distance)) {
                Glimpse::Enough => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }
    }
}

struct Search<'a, F, C> {
    sides: &'a [Side<'a>; 2],
    models: [&'a Model; 2],
    places: [&'a Pose; 2],
    make: F,
    cull: C,
    /// The limit that volumes are asked with.
    margin: f64,
    seeker: &'a mut dyn Seek,
    copies: [Vec<u32>; 2],
}

impl<'a, F: Fn(&Rigid) -> C, C: Cull> Search<'a, F, C> {
    fn new(
        sides: &'a [Side<'a>; 2],
        models: [&'a Model; 2],
        places: [&'a Pose; 2],
        make: F,
        seeker: &'a mut dyn Seek,
    ) -> Self {
        let margin = margin(seeker);
        let cull = make(&space(models, places, margin));
        Self { sides, models, places, make, cull, margin, seeker, copies: Default::default() }
    }

    fn run(mut self, workspace: &mut Workspace) -> ControlFlow<()> {
        let [a, b] = self.models.map(Model::tree);
        pair(a, b, Path::default(), &mut self, workspace)
    }

    fn shrink(&mut self) {
        let margin = margin(self.seeker);
        if margin < 0.9 * self.margin {
            self.margin = margin;
            self.cull = (self.make)(&space(self.models, self.places, margin));
        }
    }

    fn look(&mut self, i: usize, j: usize) -> ControlFlow<()> {
        for (side, place) in [i, j].into_iter().enumerate() {
            let model = self.models[side];
            let run = place..place + model.runs().length(place);
            self.copies[side].clear();
            self.copies[side].extend_from_slice(&model.tree().order()[run]);
            self.copies[side].sort_unstable();
        }
        let [a, b] = &self.copies;
        let gap = gap_of(self.sides, a[0], b[0]);
        if gap.is_none_or(|gap| gap.distance <= self.seeker.limit()) {
            self.seeker.found(a, b, gap)?;
            self.shrink();
        }
        ControlFlow::Continue(())
    }
}

/// What the limit is in exact distances; and finite, as volumes want it.
fn margin(seeker: &dyn Seek) -> f64 {
    (seeker.limit() * (1.0 + 2.0 * Gap::RELATIVE)).min(f64::MAX)
}

fn space([a, b]: [&Model; 2], [pose_a, pose_b]: [&Pose; 2], margin: f64) -> Rigid {
    Rigid::new(pose_a, a.reach(), pose_b, b.reach(), margin)
}

impl<F: Fn(&Rigid) -> C, C: Cull> Judge for Search<'_, F, C> {
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        self.cull.may_meet(a, b)
    }

    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.cull.is_first_larger(a, b)
    }

    fn leaves(&mut self, leaf_a: NodeId, leaf_b: NodeId) -> ControlFlow<()> {
        let [a, b] = self.models;
        let (run_a, run_b) = (a.tree().run(leaf_a), b.tree().run(leaf_b));
        let mut i = run_a.start;
        while i < run_a.end {
            let mut j = run_b.start;
            while j < run_b.end {
                self.look(i, j)?;
                j += b.runs().length(j);
            }
            i += a.runs().length(i);
        }
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        unreachable!("no level limit was set")
    }
}
