//! Floor 7: the questions about meshes.

mod batch;
mod ccd;
mod clearance;
pub mod collector;
pub mod collide;
pub mod contact;
mod contacts;
mod deformable;
mod depth;
mod distance;
mod duplicate;
mod near;
mod options;
mod overlap;
mod packed;
mod point;
mod ray;
mod region;
mod self_contacts;
mod solid;
mod through;
mod winding;
mod witness;
pub mod world;

pub use batch::{Placed, collide_pairs};
pub use ccd::{
    CcdOptions, Feature, RigidMotion, RigidMotionError, RigidMotionErrorKind, Steps, SweptMesh,
    TimeOfImpact, contacts_self, contacts_swept, time_of_impact, time_of_impact_rigid,
    time_of_impact_self, time_of_impact_swept,
};
pub use clearance::{NearPair, all_nearer, is_nearer, nearest_counted};
pub use collide::Known;
pub use collide::{
    CollisionRequest, CollisionResult, TrianglePair, Verdict, Want, collide, intersects,
    triangle_pairs, visit,
};
pub use contact::point_of_triangles;
pub use contact::{ContactPoint, contact, contact_of_triangles};
pub use contacts::query_known;
pub use contacts::{ContactKind, Contacts, Inside, Spot, query};
pub use deformable::{collide_deformable, collide_deformable_on, intersects_deformable};
pub use depth::{
    DeepestPoint, MinimumTranslation, Penetration, PenetrationSite, Separation,
    minimum_translation, penetration, separation,
};
pub use distance::{ClosestPoints, distance, distance_again};
pub use duplicate::is_duplicate;
pub use options::{Mode, QueryOptions};
pub use overlap::{Overlap, OverlapAreas, overlap};
pub use point::{ClosestPoint, nearest, nearest_all};
pub use ray::{Ray, RayError, RayErrorKind, RayHit, cast_all, cast_nearest};
pub use region::{Curve, Region, regions, regions_of};
pub use self_contacts::{
    Neighbours, collide_self, intersects_self, self_triangle_pairs, visit_self,
};
pub use solid::{Certainty, ClosedProfile, Doubt, SolidProfile, Solids, profile, solids};
pub use through::through_known;
pub use through::{Through, through};
pub use winding::{Winding, is_inside, winding, windings};
pub use witness::{Witness, intersects_again};
pub use world::{BodyContacts, BodyId, NoSuchBody, Step, World};
