//! Skeletons, skins and clips, and the people of `elbowroom-make`.

mod body;
mod body_bounds;
mod people;
