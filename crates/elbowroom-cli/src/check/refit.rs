//! `--refit`: how the boxes over links are kept; `--counts`: what finding took.

use clap::ValueEnum;
use elbowroom_motion::scene::{FindWork, Finder, ObjectId, Scene, Seek};
use serde::{Deserialize, Serialize};

use crate::args::CheckArgs;
use crate::messages::{Refusal, grouped};

/// A way to keep the boxes over links. Every way leads to the same findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Refit {
    /// No hierarchy, but a box along the world's axes around each link (the default): no other way was faster by more than noise
    #[default]
    Auto,
    /// CAB of Schmidl, Walker and Lin: oriented boxes along the longest axes of their children
    Cab,
    /// CAB along the sum of both axes where they point nearly the same way
    CabSum,
    /// Oriented boxes along the covariance of their children's corners
    Obb,
    /// Boxes along the world's axes around the turned box of each link
    Aabb,
    /// Boxes along the world's axes around all vertices of each link
    AabbVertices,
}

impl Refit {
    /// As it is typed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Cab => "cab",
            Self::CabSum => "cab-sum",
            Self::Obb => "obb",
            Self::Aabb => "aabb",
            Self::AabbVertices => "aabb-vertices",
        }
    }

    /// What finds meetings with boxes that are kept so.
    #[cfg(feature = "papers")]
    pub(crate) fn finder(self, seek: Seek) -> Finder {
        use elbowroom_papers::cab::{CabAxis, LinkBoxes, RefitMethod};
        let method = match self {
            Self::Auto => return Finder::new(seek),
            Self::Cab => RefitMethod::Cab(CabAxis::Longest),
            Self::CabSum => RefitMethod::Cab(CabAxis::Sum),
            Self::Obb => RefitMethod::Covariance,
            Self::Aabb => RefitMethod::AabbCentre,
            Self::AabbVertices => RefitMethod::AabbVertices,
        };
        Finder::new(seek).with_candidates(Box::new(LinkBoxes::new(method)))
    }

    /// Without the papers' structures there is the one way, and others are refused before.
    #[cfg(not(feature = "papers"))]
    #[expect(clippy::unused_self, reason = "with the papers' structures it says which")]
    pub(crate) fn finder(self, seek: Seek) -> Finder {
        Finder::new(seek)
    }
}

/// Refuses a way to keep boxes where there is nothing to keep them over.
///
/// # Errors
/// If no object has two links or parts at least, or the program was built without the papers' structures.
pub(crate) fn check(args: &CheckArgs, scene: &Scene) -> Result<(), Refusal> {
    let Some(refit) = args.refit else { return Ok(()) };
    if !cfg!(feature = "papers") && refit != Refit::Auto {
        return Err(Refusal {
            problems: vec![format!("--refit {} is not in this build", refit.name())],
            hint: "build with the feature `papers`, or leave it out: the findings are the same"
                .to_owned(),
        });
    }
    let mut objects = (0..scene.objects().len() as u32).map(ObjectId);
    if objects.any(|object| scene.pieces(object) > 1) {
        return Ok(());
    }
    Err(Refusal {
        problems: vec![
            "--refit is about boxes over the links of a robot or the meshes of a character, and no \
             object has more than one"
                .to_owned(),
        ],
        hint:
            "leave it out: a skin is one mesh whatever its joints, and rigid nodes of a glTF are \
               objects of their own, unless a scene file names it as a character"
                .to_owned(),
    })
}

/// What finding took, summed over frames.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct WorkSum {
    pub(crate) box_tests: Option<u64>,
    pub(crate) link_pairs: u64,
    pub(crate) pairs_left: u64,
    pub(crate) triangle_tests: Option<u64>,
}

impl WorkSum {
    /// With one more frame.
    pub(crate) fn plus(sum: Option<Self>, work: FindWork) -> Self {
        let none =
            Self { box_tests: Some(0), link_pairs: 0, pairs_left: 0, triangle_tests: Some(0) };
        let sum = sum.unwrap_or(none);
        let both = |a: Option<u64>, b: Option<u64>| a.zip(b).map(|(a, b)| a + b);
        Self {
            box_tests: both(sum.box_tests, work.box_tests),
            link_pairs: sum.link_pairs + work.piece_pairs,
            pairs_left: sum.pairs_left + work.pairs_left,
            triangle_tests: both(sum.triangle_tests, work.triangle_tests),
        }
    }

    /// For people.
    pub(crate) fn words(&self, refit: Refit) -> String {
        let known = |tests: Option<u64>, what: &str| match tests {
            Some(tests) => format!("{} {what} tests", grouped(tests)),
            None => format!("{what} tests not counted"),
        };
        format!(
            "boxes kept by {}: {} pairs of links, {}, {} pairs left, {}",
            refit.name(),
            grouped(self.link_pairs),
            known(self.box_tests, "box"),
            grouped(self.pairs_left),
            known(self.triangle_tests, "triangle")
        )
    }
}
