//! Which structure wins where, and whether the library's own choice is it.
//!
//! Scenes against questions: whether two bodies touch, all pairs of triangles, the distance, bodies
//! that deform in every frame, joined links, small steps over time, people on a floor. On every
//! field of the map all structures that can answer the question do, in turns; the answers are the
//! same, and the fastest wins. For each question a claim says whether what the library takes when
//! nothing is said wins, or is within a fifth of what does.

mod floor;
mod linked;
mod rigid;
mod soft;
mod steps;

use super::OWN;
use super::turns::{Secs, Turns};
use crate::report::grouped;
use crate::{Axis, Cell, Chart, Claim, Context, Marks, Report, Table, Verdict};

/// How much longer than the winner's a time may be that counts as one with it.
const CLOSE: f64 = 1.2;

/// The contests of some questions: quick or not.
type Run = fn(bool) -> Vec<Contest>;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Whether,
    Pairs,
    Distance,
    Deforming,
    Linked,
    Steps,
    StepsPairs,
    Floor,
}

impl Asked {
    const ALL: [Self; 8] = [
        Self::Whether,
        Self::Pairs,
        Self::Distance,
        Self::Deforming,
        Self::Linked,
        Self::Steps,
        Self::StepsPairs,
        Self::Floor,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Whether => "whether they touch",
            Self::Pairs => "all pairs",
            Self::Distance => "distance",
            Self::Deforming => "deforming, all pairs",
            Self::Linked => "joined links",
            Self::Steps => "small steps, whether",
            Self::StepsPairs => "small steps, all pairs",
            Self::Floor => "people on a floor",
        }
    }

    fn id(self) -> &'static str {
        match self {
            Self::Whether => "COMMON-map-whether",
            Self::Pairs => "COMMON-map-pairs",
            Self::Distance => "COMMON-map-distance",
            Self::Deforming => "COMMON-map-deforming",
            Self::Linked => "COMMON-map-linked",
            Self::Steps => "COMMON-map-steps",
            Self::StepsPairs => "COMMON-map-steps-pairs",
            Self::Floor => "COMMON-map-floor",
        }
    }

    /// What the library takes when nothing is said.
    fn own(self) -> &'static str {
        match self {
            Self::Whether | Self::Pairs => "the packed tree of `Model::new`",
            Self::Distance => "the packed tree of `Model::new`, nearest first",
            Self::Deforming => "`model::DeformableBvh`, as a scene keeps skins",
            Self::Linked => "`Keep::default()`, boxes along the world's axes",
            Self::Steps => "`query::intersects_again`, the packed tree with a witness",
            Self::StepsPairs => "the packed tree from the root, without a front",
            Self::Floor => "footprints of contours first, then packed trees",
        }
    }
}

/// One field of the map.
struct Contest {
    asked: Asked,
    scene: &'static str,
    names: Vec<&'static str>,
    turns: Turns,
    /// By its place among the names: what the library takes when nothing is said.
    own: usize,
    /// How many answers are those of the first contestant, and how many there are; then how many
    /// found a contact.
    equal: [u64; 2],
    contacts: u64,
}

impl Contest {
    fn ranked(&self) -> Vec<usize> {
        self.turns.ranked(Secs::both)
    }

    fn winner(&self) -> usize {
        self.ranked()[0]
    }

    /// The second's time over the winner's; `None` if there is no second.
    fn lead(&self) -> Option<(usize, f64)> {
        let ranked = self.ranked();
        let second = *ranked.get(1)?;
        Some((second, self.turns.ratio(second, ranked[0], Secs::both).median))
    }

    /// The library's own over the winner's.
    fn own_ratio(&self) -> f64 {
        self.turns.ratio(self.own, self.winner(), Secs::both).median
    }
}

pub(crate) fn run(context: &Context) -> Report {
    let quick = context.quick;
    let parts: [(&str, Run); 5] = [
        ("rigid bodies", rigid::contests),
        ("bodies that deform", soft::contests),
        ("links", linked::contests),
        ("small steps", steps::contests),
        ("people on a floor", floor::contests),
    ];
    context.progress.ahead(parts.len() as u64 + 1);
    let mut contests = Vec::new();
    for (name, part) in parts {
        context.progress.message(name);
        contests.extend(part(quick));
        context.progress.inc(1);
    }
    context.progress.message("layers that are chosen");
    let chosen = soft::chosen(quick);
    context.progress.inc(1);
    let mut claims = vec![answers(&contests)];
    claims.extend(Asked::ALL.map(|asked| own(&contests, asked)));
    claims.push(soft::claim(&chosen));
    Report {
        id: "common-map",
        title: "Which structure wins where".to_owned(),
        what: "On every field of a map of scenes and questions, all structures that can answer do so in turns, with equal answers. Times include what goes before a question: a \
               refit, or building anew where there is none; boxes of links that are put around them; a footprint that is asked before the mesh."
            .to_owned(),
        tables: vec![table(&contests), places(&contests), soft::table(&chosen)],
        charts: vec![chart(&contests)],
        claims,
        notes: vec![
            "Structures within a few hundredths of each other may change places from run to run.".to_owned(),
            "Distances are asked on the small form of each scene: readable trees take long over large ones.".to_owned(),
            "Footprints are made before the clock starts, as they are once for many questions.".to_owned(),
            "Spheres side by side are what a tree of spheres has at its roots, so that one test decides.".to_owned(),
        ],
    }
}

/// The scenes in the order in which they come first.
fn scenes(contests: &[Contest]) -> Vec<&'static str> {
    let mut scenes: Vec<&'static str> = Vec::new();
    for contest in contests {
        if !scenes.contains(&contest.scene) {
            scenes.push(contest.scene);
        }
    }
    scenes
}

fn table(contests: &[Contest]) -> Table {
    let mut table = Table::new(
        "Who wins",
        [
            "question",
            "scene",
            "contestants",
            "answers",
            "contacts",
            "winner by time",
            "second by time",
            "time, second over winner",
            "time, the library's own over winner",
        ],
    );
    for contest in contests {
        let lead = contest.lead();
        table.row([
            contest.asked.name().into(),
            contest.scene.into(),
            contest.names.len().into(),
            contest.equal[1].into(),
            contest.contacts.into(),
            contest.names[contest.winner()].into(),
            Cell::from(lead.map(|(second, _)| contest.names[second])),
            Cell::from(lead.map(|(_, ratio)| ratio)),
            contest.own_ratio().into(),
        ]);
    }
    table
}

/// How often each wins, and how far behind it is else.
fn places(contests: &[Contest]) -> Table {
    let mut table = Table::new(
        "Every contestant on every field",
        ["question", "scene", "contestant", "time over the winner's, median (range)"],
    );
    for contest in contests {
        let winner = contest.winner();
        for (contestant, &name) in contest.names.iter().enumerate() {
            table.row([
                contest.asked.name().into(),
                contest.scene.into(),
                name.into(),
                contest.turns.ratio(contestant, winner, Secs::both).show(2).into(),
            ]);
        }
    }
    table
}

fn chart(contests: &[Contest]) -> Chart {
    let rows = scenes(contests);
    let field = |scene: &str, asked: Asked| {
        let found = contests.iter().find(|one| one.scene == scene && one.asked == asked);
        found.map_or_else(
            || ("–".to_owned(), String::new()),
            |one| {
                let lead = one.lead().map_or(String::new(), |(_, ratio)| format!("{ratio:.1} ×"));
                (one.names[one.winner()].to_owned(), lead)
            },
        )
    };
    let cells = rows.iter().map(|scene| Asked::ALL.map(|asked| field(scene, asked)).to_vec());
    Chart {
        name: "winners",
        title: "Which structure wins where, and how many times as long the second takes".to_owned(),
        x: Axis::linear("question"),
        y: Axis::linear("scene"),
        marks: Marks::Map {
            columns: Asked::ALL.map(|asked| asked.name().to_owned()).to_vec(),
            cells: cells.collect(),
            rows: rows.iter().map(|&scene| scene.to_owned()).collect(),
        },
        timed: true,
    }
}

fn answers(contests: &[Contest]) -> Claim {
    let [equal, all] = [0, 1].map(|i: usize| contests.iter().map(|one| one.equal[i]).sum::<u64>());
    let contacts: u64 = contests.iter().map(|one| one.contacts).sum();
    Claim::gate("COMMON-map-answers", "On every field of the map all contestants give the same answers.")
        .paper(OWN)
        .ours(format!(
            "{} of {} answers on {} fields are those of the first contestant; {} of its own find a contact",
            grouped(equal),
            grouped(all),
            contests.len(),
            grouped(contacts)
        ))
        .holds_if(equal == all && contacts > 0 && all > contacts)
}

fn own(contests: &[Contest], asked: Asked) -> Claim {
    let fields: Vec<&Contest> = contests.iter().filter(|one| one.asked == asked).collect();
    let close = fields.iter().filter(|one| one.own_ratio() <= CLOSE).count();
    let won = fields.iter().filter(|one| one.winner() == one.own).count();
    let behind: Vec<String> = fields
        .iter()
        .filter(|one| one.own_ratio() > CLOSE)
        .map(|one| format!("{}: {:.2} × {}", one.scene, one.own_ratio(), one.names[one.winner()]))
        .collect();
    let verdict = match close {
        all if all == fields.len() => Verdict::Holds,
        some if 2 * some >= fields.len() => Verdict::HoldsWithAnotherNumber,
        _ => Verdict::DoesNotHold,
    };
    Claim::timed(
        asked.id(),
        &format!(
            "{}: the library's own choice, {}, wins or is within a fifth.",
            asked.name(),
            asked.own()
        ),
    )
    .paper(OWN)
    .ours(format!(
        "wins {won} of {} fields, within a fifth on {close}{}",
        fields.len(),
        if behind.is_empty() { String::new() } else { format!("; behind: {}", behind.join(", ")) }
    ))
    .verdict(verdict)
}

/// Times of one contestant, and seconds of nothing else.
fn asking(mut ask: impl FnMut()) -> Secs {
    let start = elbowroom_papers::grammar::thread_secs();
    ask();
    Secs { ask: elbowroom_papers::grammar::thread_secs() - start, follow: 0.0 }
}
