//! Floor 7: the questions about meshes.

mod amount;
mod batch;
mod bezier;
mod choose;
mod clearance;
mod coherent;
mod collide;
mod contact;
mod continuous;
mod depth;
mod distance;
mod duplicate;
mod frustum;
mod layered;
mod near;
mod one;
mod packed;
mod point;
mod ray;
mod region;
mod soft;
mod solid;
mod through;
mod winding;
mod within;
mod witness;
mod world;

pub use amount::{Amount, Areas, amount};
pub use batch::{Placed, ask_pairs, ask_placements};
pub use bezier::{
    BezierError, BezierErrorKind, BezierPatch, Closeness, Near, Nearness, PatchQuestion, Rectangle,
    meet_patches,
};
pub use choose::choose_by_clock;
pub use clearance::{NearPair, all_nearer, is_nearer, nearest_counted};
pub use coherent::{Coherent, ask_layered_again};
pub(crate) use collide::Known;
pub use collide::{Answer, Ask, Question, TrianglePair, Verdict, ask, collide, touches, visit};
pub(crate) use contact::point_of_triangles;
pub use contact::{Contact, contact, contact_of_triangles};
pub use continuous::{
    Continuous, Feature, Motion, MotionError, MotionErrorKind, Since, Steps, Swept, contacts_self,
    contacts_swept, first_contact, first_contact_rigid, first_contact_self, first_contact_swept,
};
pub use depth::{
    Deepest, Depth, DepthSite, Separation, Translation, deepest, separation, translation,
};
pub use distance::{Nearest, distance, distance_again};
pub use duplicate::is_duplicate;
pub use frustum::{Camera, Culled, Frustum, FrustumError, FrustumErrorKind, View, cull};
pub use layered::{ask_layered, collide_layered, touches_layered};
pub(crate) use one::query_known;
pub use one::{Inside, Kind, Mode, Query, Reply, Spot, query};
pub use point::{NearestPoint, nearest, nearest_all};
pub use ray::{Ray, RayError, RayErrorKind, RayHit, cast_all, cast_nearest};
pub use region::{Curve, Region, regions, regions_of};
pub use soft::{ask_soft, ask_soft_on, collide_soft, touches_soft};
pub use solid::{Certainty, ClosedProfile, Doubt, Profile, Solids, profile, solids};
pub(crate) use through::through_known;
pub use through::{Through, through};
pub use winding::{Winding, is_inside, winding, windings};
pub use within::{Neighbours, ask_self, collide_self, touches_self, visit_self};
pub use witness::{Witness, touches_again};
pub use world::{BodyId, LayeredWorld, NoSuchBody, RefitError, Step, Touching, World};
