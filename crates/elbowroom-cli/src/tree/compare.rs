//! Two files: every kind is asked what the engine is asked, and has to answer as it does.

use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::query::{CollisionRequest, Verdict, Want, collide};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Model, Pose};
use elbowroom_io::rate::{self, USUAL_FPS};
use elbowroom_motion::space_time::{self, Placed, Trace, Tracked};
use elbowroom_papers::bch::{GroundErrorKind, seen_from_above};
use elbowroom_papers::cab::CabHierarchy;
use elbowroom_papers::grammar::{Family, Front, Intersection};
use glam::{DAffine3, DMat3, DVec3};

use super::built::{Built, Planted, timed};
use super::kind::{Kind, Sort, Start};
use super::subject::{Body, Subject};
use crate::actors::up;
use crate::frames::Frames;
use crate::messages::Refusal;
use crate::save::refusal;

/// The questions.
pub(super) struct Asked {
    pub(super) poses: Vec<Pose>,
    pub(super) frames: Option<Frames>,
    pub(super) fps: Option<f64>,
}

/// Kinds of one sort, side by side.
pub(super) struct Comparison {
    pub(super) sort: Sort,
    pub(super) questions: usize,
    /// In how many of them the engine finds a contact, and how many pairs it finds.
    pub(super) contacts: usize,
    pub(super) pairs: u64,
    /// The engine first.
    pub(super) rows: Vec<Row>,
    /// What was left out, and why.
    pub(super) notes: Vec<String>,
    /// Answers that are not the engine's.
    pub(super) differences: Vec<String>,
}

/// What a kind did.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) build_secs: f64,
    pub(super) query_secs: f64,
    /// Of all questions together; `None` for the engine, which tests four volumes at a time.
    pub(super) work: Option<Work>,
    /// In how many questions it did not say clear.
    pub(super) not_clear: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    pub(super) visited: u64,
    pub(super) primitives: u64,
    pub(super) by_family: Vec<(Family, u64)>,
}

impl Work {
    fn of<Pair>(found: &[Intersection<Pair>]) -> Self {
        let sum = |of: &dyn Fn(&Intersection<Pair>) -> u64| found.iter().map(of).sum();
        let by_family = Family::EVERY.map(|family| (family, sum(&|it| it.tally.of_family(family))));
        Self {
            visited: sum(&Intersection::nodes_visited),
            primitives: sum(&|it| it.tally.primitives),
            by_family: by_family.into_iter().filter(|(_, tests)| *tests > 0).collect(),
        }
    }
}

type Pairs = Vec<[u32; 2]>;
type Found = Vec<Intersection<[u32; 2]>>;

/// Compares the kinds of every sort that there are.
pub(super) fn all(
    subjects: [&Subject; 2],
    trees: [&[Planted]; 2],
    asked: &Asked,
    repeat: u32,
) -> Result<Vec<Comparison>, Refusal> {
    let mut comparisons = Vec::new();
    for sort in Sort::ALL {
        let [a, b] = trees.map(|of| of.iter().filter(move |it| it.named.sort() == sort));
        let pairs: Vec<(&Planted, &Planted)> = a.zip(b).collect();
        if pairs.is_empty() {
            continue;
        }
        comparisons.push(match sort {
            Sort::Meshes => meshes(subjects, &pairs, asked, repeat)?,
            Sort::Links => links(subjects, &pairs, asked, repeat)?,
            Sort::Motions => motions(subjects, &pairs, asked, repeat)?,
        });
    }
    Ok(comparisons)
}

impl Comparison {
    fn new(sort: Sort, truth: &[Pairs], engine: Row) -> Self {
        Self {
            sort,
            questions: truth.len(),
            contacts: truth.iter().filter(|pairs| !pairs.is_empty()).count(),
            pairs: truth.iter().map(|pairs| pairs.len() as u64).sum(),
            rows: vec![engine],
            notes: Vec::new(),
            differences: Vec::new(),
        }
    }

    /// Takes a kind's answers down. Exact ones have to be the truth, bounds must not be clear
    /// against it.
    fn add(&mut self, (a, b): (&Planted, &Planted), truth: &[Pairs], (found, secs): (Found, f64)) {
        let name = a.named.name;
        for (question, (found, truth)) in found.iter().zip(truth).enumerate() {
            let is_right = match found.verdict {
                Verdict::MayTouch => true,
                Verdict::Clear => truth.is_empty(),
                Verdict::Contact => found.pairs == *truth,
            };
            if !is_right {
                let (said, pairs) = (found.pairs.len(), truth.len());
                self.differences.push(format!(
                    "{name} answers question {question} otherwise than the engine: {said} pairs of {} against {pairs}",
                    self.sort.pairs()
                ));
            }
        }
        self.rows.push(Row {
            name,
            build_secs: a.build_secs + b.build_secs,
            query_secs: secs,
            work: Some(Work::of(&found)),
            not_clear: found.iter().filter(|it| !it.is_clear()).count(),
        });
    }
}

/// The numbers of two triangles.
fn numbered(found: &Intersection) -> Intersection<[u32; 2]> {
    let pairs = found.pairs.iter().map(|pair| [pair.a, pair.b]).collect();
    Intersection::new(found.verdict, pairs, found.tally)
}

fn meshes(
    [a, b]: [&Subject; 2],
    trees: &[(&Planted, &Planted)],
    asked: &Asked,
    repeat: u32,
) -> Result<Comparison, Refusal> {
    let mesh = |it: &Subject| {
        let mesh = it.mesh.clone();
        mesh.ok_or_else(|| refusal(&it.path, "has no mesh", "name a mesh"))
    };
    let (first, second) = (mesh(a)?, mesh(b)?);
    let build = || (Model::new(first.clone()), Model::new(second.clone()));
    let ((one, two), build_secs) = timed(repeat, build);
    let (question, mut workspace) = (CollisionRequest::default(), Workspace::default());
    let mut one_at = |pose: &Pose| {
        let answer = collide(&one, &Pose::IDENTITY, &two, pose, &question, &mut workspace);
        answer.pairs.iter().map(|pair| [pair.a, pair.b]).collect()
    };
    let (truth, query_secs): (Vec<Pairs>, f64) =
        timed(repeat, || asked.poses.iter().map(&mut one_at).collect());
    let not_clear = truth.iter().filter(|pairs| !pairs.is_empty()).count();
    let engine = Row { name: "engine", build_secs, query_secs, work: None, not_clear };
    let mut comparison = Comparison::new(Sort::Meshes, &truth, engine);
    let ground = ground(b, &asked.poses);
    for &(a, b) in trees {
        let found = match (&a.tree, &b.tree) {
            (Built::Triangles(first), Built::Triangles(second)) => timed(repeat, || {
                let one = |pose| numbered(&first.intersect(&Pose::IDENTITY, second, pose));
                asked.poses.iter().map(one).collect()
            }),
            (Built::Layers(first), Built::Layers(second)) => timed(repeat, || {
                let mut front = front(&a.named.kind);
                let one = |pose: &Pose| {
                    numbered(&match &mut front {
                        Some(front) => first.intersect_from(front, &Pose::IDENTITY, second, pose),
                        None => first.intersect(&Pose::IDENTITY, second, pose),
                    })
                };
                asked.poses.iter().map(one).collect()
            }),
            (Built::Circles(first), Built::Circles(second)) => {
                let ground = match &ground {
                    Ok(ground) => ground,
                    Err(why) if a.named.is_asked => {
                        let hint = "turn the second mesh about the vertical only, or leave out bch";
                        return Err(Refusal { problems: vec![why.clone()], hint: hint.to_owned() });
                    }
                    Err(why) => {
                        comparison.notes.push(format!("{} is left out: {why}", a.named.name));
                        continue;
                    }
                };
                timed(repeat, || {
                    let one = |at| first.intersect(&Planar::IDENTITY, second, at, None);
                    ground.iter().map(one).collect()
                })
            }
            _ => continue,
        };
        comparison.add((a, b), &truth, found);
    }
    Ok(comparison)
}

fn front(kind: &Kind) -> Option<Front> {
    match kind {
        Kind::Layers(_, Start::Front) => Some(Front::default()),
        Kind::Layers(_, Start::KeptFront) => Some(Front::default().without_raising()),
        _ => None,
    }
}

/// The poses as seen from above, if all stand upright.
fn ground(subject: &Subject, poses: &[Pose]) -> Result<Vec<Planar>, String> {
    let up = up(subject.up);
    let stood = |p: DVec3| up.ground(p).extend(up.height(p));
    // The axes in their new order: a permutation, so that nothing is rounded.
    let turn = DMat3::from_cols(stood(DVec3::X), stood(DVec3::Y), stood(DVec3::Z));
    let one = |(index, pose): (usize, &Pose)| {
        let rotation = turn * pose.rotation() * turn.transpose();
        let turned = Pose::new(rotation, stood(pose.translation()));
        let pose = turned.map_err(|error| format!("pose {index}: {error}"))?;
        seen_from_above(&pose).map_err(|error| match error.kind() {
            GroundErrorKind::Tilts => format!("pose {index} tilts"),
            _ => format!("pose {index} {error}"),
        })
    };
    poses.iter().enumerate().map(one).collect()
}

/// At which times the bodies are asked about; one moment at rest if nothing moves.
fn times(bodies: [&Body; 2], asked: &Asked) -> Vec<Option<f64>> {
    let clips = || bodies.iter().filter_map(|body| body.clip.as_ref());
    let rates = clips().filter_map(|clip| rate::rate(clip).map(|rate| rate.fps));
    let fps = asked.fps.unwrap_or_else(|| rates.reduce(f64::max).unwrap_or(USUAL_FPS));
    if let Some(frames) = asked.frames {
        let numbers = (0..frames.len()).filter_map(|place| frames.get(place));
        return numbers.map(|frame| Some(f64::from(frame) / fps)).collect();
    }
    let spans = clips().map(|clip| rate::frame_span(clip.start(), clip.end(), fps));
    let Some((first, last)) = spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
        return vec![None];
    };
    let frames = std::iter::successors(Some(first), |frame| Some(frame + 1.0));
    frames.take_while(|frame| *frame <= last).map(|frame| Some(frame / fps)).collect()
}

fn links(
    [a, b]: [&Subject; 2],
    trees: &[(&Planted, &Planted)],
    asked: &Asked,
    repeat: u32,
) -> Result<Comparison, Refusal> {
    let (Some(one), Some(two)) = (&a.body, &b.body) else { return Err(no_links(a)) };
    if asked.poses.len() > 1 || asked.poses[0] != Pose::IDENTITY {
        let hint =
            "say --frames for bodies of links, or --kind obbtree and others for their meshes";
        let what = "--poses moves meshes and motions, and these are bodies of links".to_owned();
        return Err(Refusal { problems: vec![what], hint: hint.to_owned() });
    }
    let times = times([one, two], asked);
    let frame = |time: &Option<f64>| [one.joints(*time), two.joints(*time)];
    let joints: Vec<[Vec<DAffine3>; 2]> = times.iter().map(frame).collect();
    let Some((first, second)) = trees.first() else { return Err(no_links(a)) };
    let (truth, query_secs) = every_pair([&first.tree, &second.tree], &joints, a, repeat)?;
    let not_clear = truth.iter().filter(|pairs| !pairs.is_empty()).count();
    let engine = Row { name: "engine", build_secs: 0.0, query_secs, work: None, not_clear };
    let mut comparison = Comparison::new(Sort::Links, &truth, engine);
    for &(a, b) in trees {
        let (Built::Links(first), Built::Links(second)) = (&a.tree, &b.tree) else { continue };
        let (mut first, mut second) = (first.clone(), second.clone());
        let found = timed(repeat, || {
            let one = |[of_a, of_b]: &[Vec<DAffine3>; 2]| {
                // They were placed so before, for the truth.
                let _ = (first.update(of_a), second.update(of_b));
                first.intersect(&mut second)
            };
            joints.iter().map(one).collect()
        });
        comparison.add((a, b), &truth, found);
    }
    Ok(comparison)
}

fn no_links(subject: &Subject) -> Refusal {
    refusal(&subject.path, "has no links", "name a robot, or a character with a skin")
}

/// The engine on every pair of links, frame by frame.
fn every_pair(
    trees: [&Built; 2],
    joints: &[[Vec<DAffine3>; 2]],
    subject: &Subject,
    repeat: u32,
) -> Result<(Vec<Pairs>, f64), Refusal> {
    let [Built::Links(a), Built::Links(b)] = trees else { return Err(no_links(subject)) };
    let (mut a, mut b) = (a.clone(), b.clone());
    let mut workspace = Workspace::default();
    let question = CollisionRequest { want: Want::Any, ..CollisionRequest::default() };
    let mut run = || -> Result<Vec<Pairs>, String> {
        let mut truth = Vec::with_capacity(joints.len());
        for [of_a, of_b] in joints {
            a.update(of_a).map_err(|error| error.to_string())?;
            b.update(of_b).map_err(|error| error.to_string())?;
            let mut pairs = Pairs::new();
            for (i, (one, at)) in placed(&a).enumerate() {
                for (j, (two, there)) in placed(&b).enumerate() {
                    if collide(one, at, two, there, &question, &mut workspace).is_contact() {
                        pairs.push([i as u32, j as u32]);
                    }
                }
            }
            truth.push(pairs);
        }
        Ok(truth)
    };
    let (truth, secs) = timed(repeat, &mut run);
    let bad = |problem: String| refusal(&subject.path, &problem, "ask about other --frames");
    Ok((truth.map_err(bad)?, secs))
}

fn placed(body: &CabHierarchy) -> impl Iterator<Item = (&Model, &Pose)> {
    let models = body.articulation().links().iter().map(|link| &*link.model);
    models.zip(body.placements())
}

fn motions(
    [a, b]: [&Subject; 2],
    trees: &[(&Planted, &Planted)],
    asked: &Asked,
    repeat: u32,
) -> Result<Comparison, Refusal> {
    let ground = ground(b, &asked.poses).map_err(|why| Refusal {
        problems: vec![why],
        hint: "motions are on the ground: turn the second one about the vertical only".to_owned(),
    })?;
    let there: Vec<Placed> = ground.into_iter().map(Placed::at_rest).collect();
    let tracked = |it: &Subject| {
        let trace: Option<&Trace> = it.trace.as_ref();
        let trace = trace.ok_or_else(|| refusal(&it.path, "holds no motion", "name a capture"))?;
        Tracked::new(trace.clone(), space_time::Config::default())
            .map_err(|error| refusal(&it.path, &error.to_string(), "mend the file"))
    };
    let ((one, two), build_secs) = timed(repeat, || (tracked(a), tracked(b)));
    let (one, two) = (one?, two?);
    let mut workspace = space_time::Workspace::new();
    let (collide, query_secs): (Vec<bool>, f64) = timed(repeat, || {
        let one = |at| space_time::collide(&one, &Placed::ORIGIN, &two, at, &mut workspace);
        there.iter().map(one).collect()
    });
    let not_clear = collide.iter().filter(|hit| **hit).count();
    let engine = Row { name: "engine", build_secs, query_secs, work: None, not_clear };
    // The engine says whether; which samples, all kinds have to agree about.
    let pairs = |at: &Placed| {
        let mut workspace = space_time::Workspace::new();
        let (origin, (one, two)) = (Placed::ORIGIN, (&one, &two));
        let pairs = space_time::colliding_samples(one, &origin, two, at, &mut workspace);
        pairs.into_iter().map(|(i, j)| [i, j]).collect()
    };
    let truth: Vec<Pairs> = there.iter().map(pairs).collect();
    let mut comparison = Comparison::new(Sort::Motions, &truth, engine);
    for (question, (pairs, hit)) in truth.iter().zip(&collide).enumerate() {
        if pairs.is_empty() == *hit {
            let what = format!("the engine answers question {question} of motions in two ways");
            comparison.differences.push(what);
        }
    }
    for &(a, b) in trees {
        let (Built::Motion(first), Built::Motion(second)) = (&a.tree, &b.tree) else { continue };
        let found = timed(repeat, || {
            let one = |at| first.intersect(&Placed::ORIGIN, second, at);
            there.iter().map(one).collect()
        });
        comparison.add((a, b), &truth, found);
    }
    Ok(comparison)
}
