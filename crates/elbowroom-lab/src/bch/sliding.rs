//! Someone walks up to someone else until a structure says that they may touch: how far apart are
//! the bodies then?

use elbowroom::internal::traverse::Workspace;
use elbowroom_motion::footprint::{Look, SlideShape, SlideWork, slide};
use glam::DVec2;

use super::bodies::Bodies;
use super::cases::{Case, start};
use super::structures::Made;
use crate::random::Random;

/// Cases in which the meshes meet, and how far the first may go until then.
pub(super) struct Slides<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) cases: Vec<Case>,
    /// To the contact of the meshes, by case.
    pub(super) exact: Vec<f64>,
}

impl<'a> Slides<'a> {
    /// As many as are asked for, all of which collide.
    pub(super) fn new(bodies: &'a Bodies, full: &[Made], count: usize) -> Self {
        let mut random = Random::new(0xf6_0001);
        let (mut cases, mut exact) = (Vec::new(), Vec::new());
        let mut work = SlideWork::default();
        while cases.len() < count {
            let case = start(bodies, &mut random);
            if let Some(way) = way(full, &case, None, &mut work).filter(|&way| way > 0.0) {
                cases.push(case);
                exact.push(way);
            }
        }
        Self { bodies, cases, exact }
    }

    /// How far apart the meshes are where a structure stops, to a level, by case.
    pub(super) fn distances(&self, made: &[Made], level: Option<u32>) -> Vec<f64> {
        let (mut work, mut workspace) = (SlideWork::default(), Workspace::default());
        let distance = |case: &Case| {
            // A structure that misses what meets has not stopped it; it would be seen as an
            // infinite distance.
            way(made, case, level, &mut work).map_or(f64::INFINITY, |way| {
                case.moved(DVec2::X * way).distance(self.bodies, &mut workspace)
            })
        };
        self.cases.iter().map(distance).collect()
    }

    /// The distance of the meshes at which discs of one radius around the roots stop, by case.
    /// `None` if the meshes met before.
    pub(super) fn with_discs(&self, radius: f64) -> Vec<Option<f64>> {
        let mut workspace = Workspace::default();
        let stops = self.cases.iter().zip(&self.exact).map(|(case, &exact)| {
            let apart = case.at_b.translation() - case.at_a.translation();
            let room = 4.0 * radius * radius - apart.y * apart.y;
            let way = apart.x - room.max(0.0).sqrt();
            let stops = room >= 0.0 && way <= exact;
            stops.then(|| case.moved(DVec2::X * way.max(0.0)).distance(self.bodies, &mut workspace))
        });
        stops.collect()
    }

    /// How far apart the roots are when the meshes meet, by case.
    pub(super) fn root_distances(&self) -> Vec<f64> {
        let apart = |(case, &way): (&Case, &f64)| {
            let moved = case.moved(DVec2::X * way);
            moved.at_a.translation().distance(moved.at_b.translation())
        };
        self.cases.iter().zip(&self.exact).map(apart).collect()
    }
}

/// How far the first body of a case may go along x.
pub(super) fn way(
    made: &[Made],
    case: &Case,
    level: Option<u32>,
    work: &mut SlideWork,
) -> Option<f64> {
    let look = Look { level, ..Look::default() };
    let (a, b): (SlideShape, SlideShape) = (made[case.a].shape(), made[case.b].shape());
    slide(a, &case.at_a, b, &case.at_b, DVec2::X, &look, work)
}
