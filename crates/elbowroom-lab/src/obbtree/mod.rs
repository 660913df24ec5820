//! Gottschalk, Lin and Manocha, *OBBTree: a hierarchical structure for rapid interference
//! detection*, SIGGRAPH 1996.

pub(crate) mod close;
pub(crate) mod curve;
pub(crate) mod extend;
mod farthest;
pub(crate) mod fig5;
pub(crate) mod fig6;
pub(crate) mod fig9;
pub(crate) mod fits;
mod grown;
pub(crate) mod memory;
pub(crate) mod table1;
pub(crate) mod table2;
pub(crate) mod table3;
pub(crate) mod tightness;
pub(crate) mod torpedo;
