//! The structures of the papers: layered trees, fronts, articulated bodies, batches, Bézier
//! patches, frusta.

mod articulated;
mod as_printed;
mod batch;
mod bezier;
mod by_name;
mod front;
mod front_real;
mod frustum;
mod layers;
mod layers_known;
mod levels;
