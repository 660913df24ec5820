//! The crowd of Table 1: agents who choose the next motion by trying some.
//!
//! Every agent has a motion under way and one planned behind it. When the planned one begins, the
//! agent seeks the next: tries motions at random at the place to which the planned one leads, and
//! takes the first that stays within the field and collides with none of the motions which others
//! nearby have under way or planned. If there is none among these tries, the last one within the
//! field is taken, as a person in a crowd must go somewhere. Every such test is a query; all are
//! recorded, so that each method answers the same.
//!
//! Whether two motions overlap in time is part of a query: some half of them end there, as in the
//! paper. No agent is asked about whose motion begins farther away than a grid over the field would
//! find. The paper says nothing of such a grid, but of its queries that overlap in time four in
//! nine pass the roots' boxes, and among all agents of the field only one in ten would.

use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::space_time::{Placed, Tracked, Workspace, collide};
use glam::DVec2;

use super::clips::Step;
use super::paper::RADIUS;
use super::queries::Query;
use crate::random::Random;

/// The field in metres.
const FIELD: DVec2 = DVec2::new(40.0, 30.0);
pub(super) const AGENTS: usize = 100;
const TRIES: usize = 12;

/// How large agents are, and how far they look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) radius: f64,
    /// Whose motion begins farther away than this is not asked about, in metres.
    pub(super) near: f64,
}

impl Scale {
    /// As the paper prints it.
    pub(super) const PRINTED: Self = Self { radius: RADIUS, near: 9.0 };
    /// With the printed radius taken for the diameter, so that a hundred agents have room to move.
    pub(super) const ROOMY: Self = Self { radius: 0.5 * RADIUS, near: 7.0 };
    /// As wide as a person who walks.
    pub(super) const PERSON: Self = Self { radius: 0.4, near: 5.0 };
}

/// A motion that an agent has begun or will begin.
#[derive(Clone, Copy, Debug)]
struct Plan {
    step: usize,
    placed: Placed,
    end: f64,
    exit: Planar,
}

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Crowd {
    pub(super) queries: Vec<Query>,
    /// Motions chosen.
    pub(super) chosen: u64,
    /// Motions taken although none tried was free.
    pub(super) forced: u64,
}

struct Run<'a> {
    steps: &'a [Step],
    motions: &'a [Tracked],
    near: f64,
    agents: Vec<[Plan; 2]>,
    random: Random,
    workspace: Workspace,
    crowd: Crowd,
}

/// Simulates this many seconds.
pub(super) fn simulate(steps: &[Step], motions: &[Tracked], near: f64, secs: f64) -> Crowd {
    let mut run = Run {
        steps,
        motions,
        near,
        agents: Vec::new(),
        random: Random::new(0xc20a_d100),
        workspace: Workspace::new(),
        crowd: Crowd::default(),
    };
    for place in 0..AGENTS {
        let agent = run.enter(place);
        run.agents.push(agent);
    }
    while let Some((agent, _)) = run.next().filter(|&(_, now)| now < secs) {
        run.advance(agent);
    }
    run.crowd
}

impl Run<'_> {
    /// The agents begin on a grid, each at another moment of their first motion.
    fn enter(&mut self, place: usize) -> [Plan; 2] {
        let (column, row) = (place % 12, place / 12);
        let at = DVec2::new(3.3 * column as f64 + 1.85, 3.3 * row as f64 + 1.85);
        let angle = self.random.uniform(-3.0, 3.0);
        let at = Planar::from_angle(angle, at).unwrap_or(Planar::IDENTITY);
        let step = self.pick();
        let begun = self.random.uniform(0.0, 1.0) * self.secs(step);
        let under_way = self.plan(step, at, -begun);
        let step = self.pick();
        [under_way, self.plan(step, under_way.exit, under_way.end)]
    }

    /// Who begins the planned motion next, and when.
    fn next(&self) -> Option<(usize, f64)> {
        let ends = self.agents.iter().map(|[under_way, _]| under_way.end).enumerate();
        ends.min_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    fn advance(&mut self, agent: usize) {
        let [_, begun] = self.agents[agent];
        let next = self.choose(agent, &begun);
        self.agents[agent] = [begun, next];
    }

    fn choose(&mut self, agent: usize, before: &Plan) -> Plan {
        self.crowd.chosen += 1;
        let mut last = None;
        for _ in 0..TRIES {
            let step = self.pick();
            let plan = self.plan(step, before.exit, before.end);
            if !stays(&plan) {
                continue;
            }
            if self.is_free(agent, &plan) {
                return plan;
            }
            last = Some(plan);
        }
        self.crowd.forced += 1;
        // Who is cornered turns around.
        last.unwrap_or_else(|| {
            let middle = 0.5 * FIELD - before.exit.translation();
            let angle = libm::atan2(middle.y, middle.x);
            let at = Planar::from_angle(angle, before.exit.translation());
            let step = self.pick();
            self.plan(step, at.unwrap_or(before.exit), before.end)
        })
    }

    /// Whether a motion collides with none of the others': asked until one does.
    fn is_free(&mut self, agent: usize, plan: &Plan) -> bool {
        for other in (0..self.agents.len()).filter(|&other| other != agent) {
            for theirs in self.agents[other] {
                let apart = plan.placed.at().translation() - theirs.placed.at().translation();
                if apart.length() > self.near {
                    continue;
                }
                let query =
                    Query { a: plan.step, pa: plan.placed, b: theirs.step, pb: theirs.placed };
                self.crowd.queries.push(query);
                let (a, b) = (&self.motions[query.a], &self.motions[query.b]);
                if collide(a, &query.pa, b, &query.pb, &mut self.workspace) {
                    return false;
                }
            }
        }
        true
    }

    fn pick(&mut self) -> usize {
        self.random.below(self.steps.len() as u64) as usize
    }

    /// How long a motion is: its last sample is the first of the next.
    fn secs(&self, step: usize) -> f64 {
        let trace = &self.steps[step].trace;
        (trace.len() - 1) as f64 * trace.dt()
    }

    fn plan(&self, step: usize, at: Planar, start: f64) -> Plan {
        let placed = Placed::new(at, start).unwrap_or(Placed::ORIGIN);
        let exit = at.after(&self.steps[step].exit);
        Plan { step, placed, end: start + self.secs(step), exit }
    }
}

fn stays(plan: &Plan) -> bool {
    let end = plan.exit.translation();
    (0.0..=FIELD.x).contains(&end.x) && (0.0..=FIELD.y).contains(&end.y)
}
