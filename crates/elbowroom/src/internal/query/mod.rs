//! Floor 7: the questions about meshes.

mod amount;
mod batch;
mod clearance;
pub mod collector;
pub mod collide;
pub mod contact;
mod continuous;
mod depth;
mod distance;
mod duplicate;
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
pub mod world;

pub use amount::{Overlap, OverlapAreas, amount};
pub use batch::{Placed, ask_pairs, ask_placements};
pub use clearance::{NearPair, all_nearer, is_nearer, nearest_counted};
pub use collide::Known;
pub use collide::{Answer, Question, TrianglePair, Verdict, Want, ask, collide, touches, visit};
pub use contact::point_of_triangles;
pub use contact::{ContactPoint, contact, contact_of_triangles};
pub use continuous::{
    CcdOptions, Feature, RigidMotion, RigidMotionError, RigidMotionErrorKind, Steps, SweptMesh,
    TimeOfImpact, contacts_self, contacts_swept, first_contact, first_contact_rigid,
    first_contact_self, first_contact_swept,
};
pub use depth::{
    DeepestPoint, MinimumTranslation, Penetration, PenetrationSite, Separation, deepest,
    separation, translation,
};
pub use distance::{ClosestPoints, distance, distance_again};
pub use duplicate::is_duplicate;
pub use one::query_known;
pub use one::{ContactKind, Contacts, Inside, Mode, QueryOptions, Spot, query};
pub use point::{ClosestPoint, nearest, nearest_all};
pub use ray::{Ray, RayError, RayErrorKind, RayHit, cast_all, cast_nearest};
pub use region::{Curve, Region, regions, regions_of};
pub use soft::{ask_soft, ask_soft_on, collide_soft, touches_soft};
pub use solid::{Certainty, ClosedProfile, Doubt, SolidProfile, Solids, profile, solids};
pub use through::through_known;
pub use through::{Through, through};
pub use winding::{Winding, is_inside, winding, windings};
pub use within::{Neighbours, ask_self, collide_self, touches_self, visit_self};
pub use witness::{Witness, touches_again};
pub use world::{BodyContacts, BodyId, NoSuchBody, Step, World};
