//! Queries on meshes: contacts, regions, distance, rays, self-contacts, time of impact.

mod contact;
mod continuous;
mod continuous_meshes;
mod distance;
mod examples;
mod front;
mod interrupt;
mod query;
mod rays;
mod regions;
mod self_contacts;
