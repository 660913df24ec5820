//! A front kept over time: the answers are those from the roots, whatever the objects do.

mod cut;
mod drawn;
mod growth;
mod many;
mod walks;
