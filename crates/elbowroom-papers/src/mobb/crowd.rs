//! A crowd that chooses its clips by generate and test.
//!
//! Agents wander over a rectangle. Whenever a clip of one ends, what may follow in the graph is
//! tried in a random order: a candidate that stays on the rectangle and collides with none of the
//! others' current clips is taken. If all collide, the one that does so last is taken, and counted
//! as forced. It is the application in which the paper counts its tests. All is seeded: the same
//! seed gives the same crowd, whatever the kind of the trees, because their answers are the same.
//!
//! Source: Sung, Chenney and Gleicher, *Detecting collisions in graph-driven motion synthesis*,
//! section 5. The paper does not say what an agent does that finds no free clip; with its radius of
//! 1.85 m, a hundred disks cover nine tenths of its ground.

use glam::DVec2;

use crate::mobb::graph::Graph;
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::math::random::Random;
use elbowroom::internal::traverse::Tally;
use elbowroom_motion::space_time::contacts::first_contact;
use elbowroom_motion::space_time::query::{Placed, Workspace, collide_counted};

/// A crowd to be simulated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crowd {
    /// The number of agents.
    pub agents: usize,
    /// The rectangle, from (0, 0), in metres.
    pub size: DVec2,
    /// The duration, in seconds.
    pub seconds: f64,
    /// The seed of what is random.
    pub seed: u64,
}

impl Default for Crowd {
    /// The paper's: 100 agents on 30 × 40 m for two minutes.
    fn default() -> Self {
        Self { agents: 100, size: DVec2::new(30.0, 40.0), seconds: 120.0, seed: 1 }
    }
}

/// A clip that an agent took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The agent.
    pub agent: usize,
    /// The clip of the graph.
    pub clip: usize,
    /// The place and the start.
    pub placed: Placed,
    /// Whether it collides, because nothing free was found.
    pub is_forced: bool,
}

/// A query that an agent asked: its candidate against another's clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    /// The candidate.
    pub candidate: (usize, Placed),
    /// The other's clip.
    pub other: (usize, Placed),
}

/// The course of a simulated crowd, with its queries.
#[derive(Clone, Debug, Default)]
pub struct Wandered {
    /// Clips that were taken, in order of time.
    pub steps: Vec<Step>,
    /// Queries of two clips.
    pub queries: u64,
    /// The number of queries that collide.
    pub hits: u64,
    /// The number of queries that were clear at the roots: by time or by the first boxes.
    pub clear_at_root: u64,
    /// Candidates that were tried.
    pub candidates: u64,
    /// Tests in all queries.
    pub tally: Tally,
    /// The queries themselves, in order, so that they can be asked again.
    pub asked: Vec<Asked>,
}

struct Agent {
    clip: usize,
    placed: Placed,
    ends: f64,
}

impl Crowd {
    /// Runs it on the clips of a graph.
    pub fn wander(&self, graph: &Graph, workspace: &mut Workspace) -> Wandered {
        let mut run = Run {
            crowd: self,
            graph,
            random: Random::new(self.seed),
            agents: Vec::with_capacity(self.agents),
            out: Wandered::default(),
        };
        run.enter();
        while let Some(agent) = run.next(self.seconds) {
            run.choose(agent, workspace);
        }
        run.out
    }
}

struct Run<'a> {
    crowd: &'a Crowd,
    graph: &'a Graph,
    random: Random,
    agents: Vec<Agent>,
    out: Wandered,
}

impl Run<'_> {
    /// Puts all agents anywhere; the first clip of each began within its length before time 0, so
    /// that they do not end together.
    fn enter(&mut self) {
        for agent in 0..self.crowd.agents {
            let clip = self.random.index(self.graph.clips().len());
            let size = self.crowd.size;
            let place = DVec2::new(
                size.x * self.random.uniform(0.0, 1.0),
                size.y * self.random.uniform(0.0, 1.0),
            );
            let angle = (2.0 * self.random.uniform(0.0, 1.0) - 1.0) * std::f64::consts::PI;
            let trace = self.graph.clips()[clip].clip.trace();
            // The place is where the clip begins, wherever it was captured.
            let turn = Planar::from_angle(angle, DVec2::ZERO).unwrap_or_default();
            let shift = place - turn.apply(trace.sample(0).center);
            let at = Planar::from_angle(angle, shift).unwrap_or_default();
            let steps = (self.random.uniform(0.0, 1.0) * trace.len() as f64).floor();
            let start = -steps * trace.dt();
            let placed = Placed::new(at, start).unwrap_or(Placed::ORIGIN);
            self.take(agent, clip, placed, false);
        }
    }

    fn take(&mut self, agent: usize, clip: usize, placed: Placed, is_forced: bool) {
        let ends = placed.start() + self.graph.clips()[clip].clip.trace().seconds();
        let next = Agent { clip, placed, ends };
        match self.agents.get_mut(agent) {
            Some(place) => *place = next,
            None => self.agents.push(next),
        }
        self.out.steps.push(Step { agent, clip, placed, is_forced });
    }

    /// Whose clip ends first, if before the end; the lower number of several.
    fn next(&self, seconds: f64) -> Option<usize> {
        let ends = |&k: &usize| self.agents[k].ends;
        let first = (0..self.agents.len()).min_by(|x, y| ends(x).total_cmp(&ends(y)))?;
        (self.agents[first].ends < seconds).then_some(first)
    }

    fn choose(&mut self, agent: usize, workspace: &mut Workspace) {
        let Agent { clip, placed, ends } = self.agents[agent];
        let mut order: Vec<usize> = (0..self.graph.following(clip).len()).collect();
        for k in (1..order.len()).rev() {
            order.swap(k, self.random.index(k + 1));
        }
        // What collides last, or leaves the rectangle least.
        let mut second: Option<(f64, usize, Placed)> = None;
        for edge in order {
            let edge = self.graph.following(clip)[edge];
            let at = placed.at().after(&edge.at).tidied();
            let Ok(candidate) = Placed::new(at, ends) else { continue };
            self.out.candidates += 1;
            let outside = self.outside(edge.to, &at);
            let rank = if outside > 0.0 {
                -outside
            } else {
                match self.collision(agent, edge.to, &candidate, workspace) {
                    None => return self.take(agent, edge.to, candidate, false),
                    Some(time) => time.max(0.0),
                }
            };
            if second.is_none_or(|(best, ..)| rank > best) {
                second = Some((rank, edge.to, candidate));
            }
        }
        if let Some((_, clip, candidate)) = second {
            // Who would leave the rectangle turns round where he stands.
            let candidate = self.turned_back(clip, candidate);
            self.take(agent, clip, candidate, true);
        }
    }

    /// How far the end of a clip is outside the rectangle.
    fn outside(&self, clip: usize, at: &Planar) -> f64 {
        let trace = self.graph.clips()[clip].clip.trace();
        let end = at.apply(trace.sample(trace.len() - 1).center);
        (end - end.clamp(DVec2::ZERO, self.crowd.size)).length()
    }

    fn turned_back(&self, clip: usize, placed: Placed) -> Placed {
        let at = placed.at();
        if self.outside(clip, &at) == 0.0 {
            return placed;
        }
        let begin = self.graph.clips()[clip].clip.trace().sample(0).center;
        let (cos, sin) = at.turn();
        let turned = DVec2::new(sin * begin.y - cos * begin.x, -(sin * begin.x + cos * begin.y));
        let here = at.apply(begin).clamp(DVec2::ZERO, self.crowd.size);
        let back = Planar::new(-cos, -sin, here - turned);
        back.ok().and_then(|back| Placed::new(back, placed.start()).ok()).unwrap_or(placed)
    }

    /// The time when a candidate first collides with another agent's clip. `None` if it is free.
    /// Stops at the first agent that it collides with.
    fn collision(
        &mut self,
        agent: usize,
        clip: usize,
        candidate: &Placed,
        workspace: &mut Workspace,
    ) -> Option<f64> {
        let clips = self.graph.clips();
        let mine = &clips[clip].clip;
        for (other, theirs) in self.agents.iter().enumerate() {
            if other == agent {
                continue;
            }
            let (there, placed) = (&clips[theirs.clip].clip, &theirs.placed);
            let (hit, tally) = collide_counted(mine, candidate, there, placed, workspace);
            let out = &mut self.out;
            out.queries += 1;
            out.hits += u64::from(hit);
            out.clear_at_root += u64::from(!hit && tally.volumes() <= 1 && tally.primitives == 0);
            out.tally += tally;
            out.asked.push(Asked { candidate: (clip, *candidate), other: (theirs.clip, *placed) });
            if hit {
                return first_contact(mine, candidate, there, placed, workspace);
            }
        }
        None
    }
}
