//! Bodies of rigid links that are joined, under boxes that follow their motion.
//!
//! A robot, a hand or a chain is a set of rigid meshes, [`Link`]s, each fixed to a joint. An
//! [`ArticulatedBody`] is the binary tree over them, cut at the joints; a [`CabHierarchy`] is one
//! body's boxes in one frame, refitted from the bottom up when the body moves, in one of six ways
//! ([`RefitMethod`]). [`between`] two bodies, [`within`] one, or [`against`] a world, pairs of
//! links whose boxes do not tell them apart are asked about exactly, on the packed trees of their
//! meshes. How [`depth`] is told where links are convex, `depth.rs` says.
//!
//! In the house's grammar: the primitives are links, the shape family is the aligned or the
//! oriented box, the tree is given by the joints, and it stops at one link. What is new is that the
//! column of boxes is rewritten every frame.
//!
//! The tree: a group of links is cut at the joint that leaves the most even numbers of links on its
//! two sides, the nearest to the root of equal ones; branches of one joint are gathered in order,
//! by halves, so that a cut may fall between them. So every group is one piece of the body or
//! branches of one joint, and n links are about log n deep.
//!
//! Parameters: [`Config::paper`] takes the longest axis and the tolerance of parallel axes, 10⁻⁵;
//! [`RefitMethod`] has the paper's baselines and the sum of both axes. [`CabHierarchy::intersect`]
//! and [`CabHierarchy::self_intersect`] give the answer that all papers share, [`between`] and its
//! like more of it.
//!
//! Source: Schmidl, Walker and Lin, *CAB: fast update of OBB trees for collision detection between
//! articulated bodies*, 2004. `rule.rs` says how its rule is mended; how joints with several
//! branches are binarised, the paper leaves open.
//!
//! Invariants: a box holds the exact geometry of its links, and an inner box holds both boxes below
//! it, so the oriented ways ask the same exact queries. What touches is the same for all ways, and
//! that of asking about every pair of links. Nothing is allocated in a warm update or question, but
//! for listed triangles.

mod allowed;
mod ask;
pub mod batch;
mod boxes;
mod candidates;
mod config;
mod cut;
mod depth;
mod error;
mod hierarchy;
mod keep;
mod leaf;
mod link;
mod merge;
mod rule;
mod scene;
mod work;

pub use allowed::Allowed;
pub use ask::{
    Found, LinkContact, LinkQuestion, Workspace, against, between, decide_against, decide_between,
    decide_within, within,
};
pub use candidates::{candidates_against, candidates_between, candidates_within};
pub use config::Config;
pub use depth::{LinkDepth, depth};
pub use error::{ArticulatedBodyError, ArticulatedBodyErrorKind};
pub use hierarchy::{CabHierarchy, LinkPlace};
pub use keep::{CabAxis, RefitMethod};
pub use link::{ArticulatedBody, Link};
pub use scene::LinkBoxes;
pub use work::Work;
