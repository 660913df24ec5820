//! How the bounding cylinder hierarchy of a body is made, and how deep it is gone down.

use clap::ValueEnum;
use elbowroom_motion::footprint::{Cut, FootprintConfig, Outline, Parts};

use crate::messages::{Refusal, short};
use crate::units::Length;

/// The least and the greatest radius at which a cylinder is not cut any more, in metres.
const THRESHOLDS: [f64; 2] = [1e-3, 10.0];

/// What is said of the cylinders.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(super) struct CircleArgs {
    /// Cylinders smaller than this radius are not cut any more: 5mm, or 0.005 in metres [default:
    /// 1cm]
    ///
    /// The threshold of the bounding cylinder hierarchy (BCH) of Stüvel and others, 1 cm as in the
    /// paper. Only pieces of a contour are cut to it: the triangles of --parts triangles stay
    /// whole.
    #[arg(long, value_name = "LENGTH", value_parser = parse_threshold, allow_hyphen_values = true)]
    threshold: Option<f64>,

    /// Where a group is cut in two, across the longer side of the box around it [default:
    /// centroid]
    #[arg(long, value_enum, value_name = "WHERE")]
    split: Option<Split>,

    /// What the cylinders are put around, as the body looks from above
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Around::Contour)]
    parts: Around,

    /// Before meshes are compared, go down to this level of cylinders only; the answer is the same
    ///
    /// Otherwise to the smallest. A level below the smallest is the same as all of them.
    #[arg(long, value_name = "N", conflicts_with_all = ["no_exact", "stand"])]
    pub(super) level: Option<u32>,
}

/// Where a group is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Split {
    /// At the centroid of its segments by length, or of its triangles' corners (as in the paper)
    #[default]
    Centroid,
    /// At the centroid of the area that its segments enclose
    Area,
    /// In the centre of the box
    #[value(alias = "center")]
    Centre,
    /// At the centroid, across the direction of largest covariance instead of the longer side
    Covariance,
}

/// What cylinders are put around.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Around {
    /// Segments of the contour, cut down to the threshold (as in the paper)
    #[default]
    Contour,
    /// The contour, found as the union of all projected triangles (as in the paper; slower)
    Union,
    /// The contour without holes: what the outer rings enclose counts as body
    Outline,
    /// All projected triangles, each whole
    Triangles,
    /// The whole body: a single cylinder
    Single,
}

impl CircleArgs {
    /// Refuses options without an effect.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let parts = self.parts_name();
        let is_whole = self.parts == Around::Single;
        let idle = match self {
            Self { threshold: Some(_), parts: Around::Triangles | Around::Single, .. } => {
                "--threshold is how far the pieces of a contour are cut"
            }
            Self { split: Some(_), .. } if is_whole => "--split is where groups are cut",
            Self { level: Some(_), .. } if is_whole => "--level is how deep a tree is gone down",
            _ => return Ok(()),
        };
        Err(Refusal {
            problems: vec![format!("{idle}, and --parts {parts} has none")],
            hint: "leave it out, or give --parts contour".to_owned(),
        })
    }

    pub(super) fn threshold(&self) -> f64 {
        self.threshold.unwrap_or(FootprintConfig::default().threshold)
    }

    pub(super) fn footprints(&self) -> FootprintConfig {
        let parts = match self.parts {
            Around::Contour | Around::Union | Around::Outline => Parts::Contour,
            Around::Triangles => Parts::Triangles,
            Around::Single => Parts::Whole,
        };
        let cut = match self.split.unwrap_or_default() {
            Split::Centroid => Cut::Centroid,
            Split::Area => Cut::Area,
            Split::Centre => Cut::Center,
            Split::Covariance => Cut::Covariance,
        };
        let holes = self.parts != Around::Outline;
        let is_union = self.parts == Around::Union;
        let outline = if is_union { Outline::Union } else { Outline::Silhouette };
        FootprintConfig { parts, cut, threshold: self.threshold(), holes, outline }
    }

    /// Whether they are those of the paper.
    pub(super) fn is_usual(&self) -> bool {
        self.footprints() == FootprintConfig::default() && self.level.is_none()
    }

    pub(super) fn parts_name(&self) -> &'static str {
        match self.parts {
            Around::Contour => "contour",
            Around::Union => "union",
            Around::Outline => "outline",
            Around::Triangles => "triangles",
            Around::Single => "single",
        }
    }

    pub(super) fn split_name(&self) -> &'static str {
        match self.split.unwrap_or_default() {
            Split::Centroid => "centroid",
            Split::Area => "area",
            Split::Centre => "centre",
            Split::Covariance => "covariance",
        }
    }

    /// For people.
    pub(super) fn words(&self) -> String {
        let depth = self.level.map(|level| format!(", down to level {level} before meshes"));
        format!(
            "around {}, cut at the {}, threshold {} m{}",
            match self.parts {
                Around::Contour => "the contour",
                Around::Union => "the contour by union",
                Around::Outline => "the outline",
                Around::Triangles => "projected triangles",
                Around::Single => "the whole body",
            },
            self.split_name(),
            short(self.threshold()),
            depth.unwrap_or_default()
        )
    }
}

fn parse_threshold(text: &str) -> Result<f64, String> {
    let [least, most] = THRESHOLDS;
    let threshold = crate::units::parse_length(text).ok().map(Length::metres);
    let threshold = threshold.filter(|threshold| (least..=most).contains(threshold));
    threshold
        .ok_or_else(|| "give a radius of 1mm to 10m, such as 5mm, or 0.005 in metres".to_owned())
}
