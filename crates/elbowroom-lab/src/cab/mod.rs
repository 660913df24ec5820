//! Schmidl, Walker and Lin, *CAB: fast update of OBB trees for collision detection between
//! articulated bodies*, Journal of Graphics Tools, 2004.

mod measure;
mod paper;
pub(crate) mod rule;
pub(crate) mod scene;
pub(crate) mod table1;
pub(crate) mod table2;
pub(crate) mod table3;
pub(crate) mod table4;
pub(crate) mod table5;
mod tables;
pub(crate) mod together;
