//! The work: every pair of objects at every frame.

use std::collections::HashMap;
use std::rc::Rc;

use elbowroom::Relation;
use elbowroom::descend::Workspace;
use elbowroom::query::{self, Ask, Question};
use serde::Serialize;

use crate::args::Touching;
use crate::plan::Plan;
use crate::progress::Progress;

/// What was found, and how much was examined to find it.
#[derive(Debug)]
pub(crate) struct Findings {
    pub(crate) frames_examined: u64,
    /// Pairs of objects, counted once per frame.
    pub(crate) pairs_examined: u64,
    /// By frame, then by the first object, then by the second.
    pub(crate) contacts: Vec<Contact>,
}

/// Two objects that have a point in common, in one frame.
#[derive(Debug)]
pub(crate) struct Contact {
    pub(crate) frame: usize,
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) touch: Touch,
}

/// How two objects meet.
#[derive(Clone, Debug)]
pub(crate) struct Touch {
    pub(crate) kind: Kind,
    pub(crate) triangle_pairs: u64,
    /// Those among them that cross.
    pub(crate) crossing_pairs: u64,
    /// All of them in order, if they were asked for; shared by the frames of a pair that never moves.
    pub(crate) triangles: Option<Rc<[[u32; 2]]>>,
}

/// How two surfaces meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// No pair of triangles crosses.
    Touching,
    /// Some pair does.
    Crossing,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Touching => "touching",
            Self::Crossing => "crossing",
        }
    }
}

/// Examines all that is planned.
pub(crate) fn check(plan: &Plan, quiet: bool) -> Findings {
    let pairs: Vec<_> = plan.pairs().collect();
    let frames = plan.frames();
    let pairs_examined = pairs.len() as u64 * frames as u64;
    let mut progress = Progress::new(pairs_examined, quiet);
    // Pairs that never move are examined once, and their answer holds in every frame.
    let mut still: HashMap<usize, Option<Touch>> = HashMap::new();
    let mut contacts = Vec::new();
    let mut workspace = Workspace::default();
    for frame in 0..frames {
        for (index, &(a, b)) in pairs.iter().enumerate() {
            let touch = match still.get(&index) {
                Some(known) => known.clone(),
                None => examine(plan, frame, (a, b), &mut workspace),
            };
            if frame == 0 && plan.is_still((a, b)) {
                still.insert(index, touch.clone());
            }
            contacts.extend(touch.map(|touch| Contact { frame, a, b, touch }));
            progress.step();
        }
    }
    progress.finish();
    Findings { frames_examined: frames as u64, pairs_examined, contacts }
}

fn examine(
    plan: &Plan,
    frame: usize,
    (a, b): (usize, usize),
    workspace: &mut Workspace,
) -> Option<Touch> {
    // Listing the pairs is left out where nobody asked for them: copies of copies can make millions.
    let ask = if plan.triangles { Ask::All } else { Ask::Count };
    let mut answer = query::ask(
        &plan.objects[a].model,
        &plan.placement(a, frame),
        &plan.objects[b].model,
        &plan.placement(b, frame),
        &Question { ask, ..Question::default() },
        workspace,
    );
    if plan.touching == Touching::Ignore {
        answer.touching = 0;
        answer.pairs.retain(|pair| pair.relation == Relation::Crossing);
    }
    if answer.count() == 0 {
        return None;
    }
    Some(Touch {
        kind: if answer.crossing > 0 { Kind::Crossing } else { Kind::Touching },
        triangle_pairs: answer.count(),
        crossing_pairs: answer.crossing,
        triangles: plan
            .triangles
            .then(|| answer.pairs.iter().map(|pair| [pair.a, pair.b]).collect()),
    })
}
