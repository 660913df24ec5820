//! One pair of objects: do they meet, how, and in which triangles? Pairs of triangles are counted first; what the objects are to each
//! other, and where, is found out only where somebody asks, but for duplicates: those cost nothing to refuse.
//!
//! The same file given many times is the same model in the same place, and copies meet others as the
//! first of them does. So a contact of copies is found once and shared. Pairs that are clear
//! are not remembered: there may be far more of them than memory for them, and they are told apart soon.
//!
//! Invariant: what is remembered or listed is bounded by the contacts and by [`MOST_LISTED`].

use std::collections::HashMap;
use std::sync::Arc;

use elbowroom::Relation;
use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::internal::query::{Answer, ContactKind, Contacts, QueryOptions, Question, Want};
use elbowroom::internal::traverse::Workspace;
use elbowroom_motion::scene::{Content, PenetrationSummary};

use crate::args::Touching;
use crate::check::finding::Touch;
use crate::check::options::{Meaning, Place, Wanted};
use crate::check::plan::Plan;
use crate::messages::{self, Refusal, count, grouped};

/// The most pairs of triangles that are kept for listing. They take 8 bytes each, and up to 36 while they
/// are found: with 50 million, that is less than 2 GB. A small file can ask for far more: 60,000
/// equal faces meet 60,000 others in 3.6 billion pairs.
pub(crate) const MOST_LISTED: u64 = 50_000_000;

/// The most pairs of triangles that are put together to regions. They take some 500 bytes each while that is done.
const MOST_IN_REGIONS: u64 = 2_000_000;

/// Two objects, the one given first on the command line before the other.
pub(crate) type Pair = (usize, usize);

/// Examines pairs, and remembers what copies share.
pub(crate) struct Examiner<'a> {
    plan: &'a Plan,
    copies: Copies,
    /// How copies of two objects touch, by the first copies of them.
    known: HashMap<Pair, Arc<Touch>>,
    most_listed: u64,
    listed: u64,
    workspace: Workspace,
    /// What was examined last.
    last: Option<Pair>,
}

impl<'a> Examiner<'a> {
    pub(crate) fn new(plan: &'a Plan, most_listed: u64) -> Self {
        Self {
            plan,
            copies: Copies::new(plan),
            known: HashMap::new(),
            most_listed,
            listed: 0,
            workspace: Workspace::default(),
            last: None,
        }
    }

    /// The first object that is the same model at rest in the same place.
    pub(crate) fn original(&self, object: usize) -> usize {
        self.copies.original[object]
    }

    /// What was learnt about the object that moves does not hold from here on; nor do lists take room that are not kept.
    pub(crate) fn begin_frame(&mut self, keeps: bool, listed_at_rest: u64) {
        self.known.clear();
        if !keeps {
            self.listed = listed_at_rest;
        }
    }

    /// How many pairs of triangles are listed.
    pub(crate) fn listed(&self) -> u64 {
        self.listed
    }

    /// How a pair meets in a frame, if it does.
    ///
    /// # Errors
    /// If it would take too much memory to list the triangles.
    pub(crate) fn touch(
        &mut self,
        frame: usize,
        (a, b): Pair,
    ) -> Result<Option<Arc<Touch>>, Refusal> {
        let key = (self.original(a), self.original(b));
        if let Some(known) = self.known.get(&key) {
            return Ok(Some(Arc::clone(known)));
        }
        self.last = Some((a, b));
        let touch = self.examine(frame, (a, b))?.map(Arc::new);
        if let Some(touch) = &touch
            && (self.copies.is_copied[key.0] || self.copies.is_copied[key.1])
        {
            self.known.insert(key, Arc::clone(touch));
        }
        Ok(touch)
    }

    fn examine(&mut self, frame: usize, pair: Pair) -> Result<Option<Touch>, Refusal> {
        let lists = self.plan.triangles;
        let ignores = self.plan.cast.touching == Touching::Ignore;
        let room = self.most_listed - self.listed;
        // Listing is left out where nobody asked for it, and where it is not certain that there is room
        // the pairs are counted first.
        let fits = self.most_pairs(pair) <= room;
        let mut answer = self.ask(frame, pair, if lists && fits { Want::All } else { Want::Count });
        let found = if ignores { answer.crossing } else { answer.count() };
        let Some((kind, meaning)) = self.judge(frame, pair, &answer) else { return Ok(None) };
        if lists && !fits {
            // Also those that are left out afterwards are found and take room until then.
            if answer.count() > room {
                return Err(self.too_many(pair, answer.count()));
            }
            answer = self.ask(frame, pair, Want::All);
        }
        if ignores {
            answer.pairs.retain(|pair| pair.relation == Relation::Crossing);
        }
        self.listed += answer.pairs.len() as u64;
        Ok(Some(Touch {
            kind,
            meaning,
            triangle_pairs: found,
            crossing_pairs: answer.crossing,
            parts: Box::new([]),
            at_rest: 0,
            triangles: lists.then(|| answer.pairs.iter().map(|pair| [pair.a, pair.b]).collect()),
        }))
    }

    /// What two objects are to each other, given how many pairs of triangles meet; nothing if that is not to be reported.
    fn judge(
        &mut self,
        frame: usize,
        pair: Pair,
        answer: &Answer,
    ) -> Option<(ContactKind, Option<Box<Meaning>>)> {
        let wanted = self.plan.cast.wanted;
        let meets = answer.count() > 0;
        let counts = answer.crossing > 0 || (meets && self.plan.cast.touching == Touching::Count);
        if wanted == Wanted::default() {
            return counts.then(|| (self.kind(frame, pair, answer), None));
        }
        if !wanted.is_solid() && !counts && (meets || wanted.clearance.is_none()) {
            return None;
        }
        let shows_regions = wanted.places && meets;
        let has_few = answer.count() <= MOST_IN_REGIONS;
        let mut query =
            QueryOptions::KIND.mode(wanted.mode).within(wanted.clearance.unwrap_or_default());
        query.through = wanted.places && wanted.is_solid();
        query.regions = shows_regions && has_few;
        // Of too many pairs, one says where.
        query.distance = shows_regions && !has_few;
        query.penetration = wanted.depth;
        let reply = self.query(frame, pair, &query);
        let kind = reply.kind.filter(|&kind| kind > ContactKind::Clear)?;
        if kind == ContactKind::Touching && !counts {
            return None;
        }
        Some((kind, Some(Box::new(meaning(&reply, &wanted, meets)))))
    }

    /// What two surfaces are to each other that meet.
    fn kind(&mut self, frame: usize, pair: Pair, answer: &Answer) -> ContactKind {
        let (a, b) = (self.plan.model(pair.0), self.plan.model(pair.1));
        let [place_a, place_b] = [pair.0, pair.1].map(|object| self.plan.placement(object, frame));
        if query::is_duplicate(a, place_a, b, place_b, &mut self.workspace) {
            ContactKind::Duplicate
        } else if answer.crossing > 0 {
            ContactKind::Crossing
        } else {
            ContactKind::Touching
        }
    }

    fn query(&mut self, frame: usize, (a, b): Pair, query: &QueryOptions) -> Contacts {
        query::query(
            self.plan.model(a),
            self.plan.placement(a, frame),
            self.plan.model(b),
            self.plan.placement(b, frame),
            query,
            &mut self.workspace,
        )
    }

    fn ask(&mut self, frame: usize, (a, b): Pair, ask: Want) -> Answer {
        query::ask(
            self.plan.model(a),
            self.plan.placement(a, frame),
            self.plan.model(b),
            self.plan.placement(b, frame),
            &Question { ask, ..Question::default() },
            &mut self.workspace,
        )
    }

    /// As many as there are, if every triangle met every other.
    fn most_pairs(&self, (a, b): Pair) -> u64 {
        let triangles = |object: usize| self.plan.model(object).mesh().triangles().len();
        (triangles(a) as u64).saturating_mul(triangles(b) as u64)
    }

    /// The pair that was examined last took too much memory.
    pub(crate) fn no_room(&self) -> Refusal {
        let name = |object: usize| self.plan.scene.objects()[object].name.as_str();
        messages::no_room(None, self.last.map(|(a, b)| [name(a), name(b)]))
    }

    fn too_many(&self, (a, b): Pair, pairs: u64) -> Refusal {
        let [a, b] = [a, b].map(|object| &self.plan.scene.objects()[object].name);
        let pairs = count(pairs, "pair");
        let before = match self.listed {
            0 => String::new(),
            listed => format!(" after {} of others", grouped(listed)),
        };
        let most = grouped(self.most_listed);
        Refusal {
            problems: vec![format!(
                "{a} and {b} meet in {pairs} of triangles{before}, and at most {most} can be listed"
            )],
            hint: "nothing was printed; leave out --triangles to count them only".to_owned(),
        }
    }
}

fn meaning(reply: &Contacts, wanted: &Wanted, meets: bool) -> Meaning {
    let longest = reply.regions.first();
    let place = reply.spot.map(|spot| Place {
        point: spot.point,
        normal: spot.normal,
        length: longest.map_or(0.0, |region| region.length),
        // Without a region where they meet, none was made.
        regions: (longest.is_some() || !meets).then_some(reply.regions.len() as u64),
    });
    let distance = if meets { Some(0.0) } else { reply.distance };
    Meaning {
        inside: reply.inside.filter(|_| reply.kind == Some(ContactKind::Containment)),
        through: reply.through,
        certainty: wanted.is_solid().then_some(reply.certainty),
        bound: None,
        distance: distance.filter(|_| wanted.clearance.is_some()),
        place,
        overlap: reply
            .penetration
            .zip(reply.overlap)
            .map(|(depth, amount)| PenetrationSummary::new(&depth, &amount)),
    }
}

/// Which objects are the same model in the same place.
struct Copies {
    /// For each object the first such object, which may be itself.
    original: Vec<usize>,
    /// Whether another object has this one as its original.
    is_copied: Vec<bool>,
}

impl Copies {
    fn new(plan: &Plan) -> Self {
        let mut first: HashMap<(*const Model, [u64; 12]), usize> = HashMap::new();
        let mut is_copied = vec![false; plan.scene.objects().len()];
        let mut original_of = |object: usize| {
            // What moves is like nothing else.
            let Content::Still { model, place } = &plan.scene.objects()[object].content else {
                return object;
            };
            let mut bits = [0; 12];
            let numbers = place.rotation().to_cols_array().into_iter();
            let numbers = numbers.chain(place.translation().to_array());
            bits.iter_mut().zip(numbers).for_each(|(bits, number)| *bits = number.to_bits());
            let original = *first.entry((Arc::as_ptr(model), bits)).or_insert(object);
            is_copied[original] |= original != object;
            original
        };
        let original = (0..plan.scene.objects().len()).map(&mut original_of).collect();
        Self { original, is_copied }
    }
}
