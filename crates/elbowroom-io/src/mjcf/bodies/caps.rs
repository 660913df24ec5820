//! Bounds on what a small file grows to by copies and attached models.

use super::{At, Builder};
use crate::error::Fault;
use crate::limits::{self, MJCF_NAME_BYTES, MJCF_SEARCHED, ROBOT_THINGS};
use crate::mjcf::tree::Element;

impl Builder<'_> {
    pub(super) fn check_count(&self, element: &Element) -> Result<(), Fault> {
        let built = &self.built;
        let things = built.bodies.len() + built.shapes.len() + built.variables.len() + self.copies;
        if things <= ROBOT_THINGS {
            return Ok(());
        }
        let message =
            format!("more than {ROBOT_THINGS} bodies, joints, shapes and copies; split the model");
        Err(self.files.fault(element.place, message))
    }

    /// A name within prefixes and suffixes. Long ones on many copies would outgrow any memory.
    pub(super) fn full_name(
        &mut self,
        name: &str,
        element: &Element,
        at: &At<'_>,
    ) -> Result<String, Fault> {
        self.count_name_bytes(at.prefix.len() + name.len() + at.suffix.len(), element)?;
        Ok(format!("{}{name}{}", at.prefix, at.suffix))
    }

    pub(super) fn count_name_bytes(
        &mut self,
        bytes: usize,
        element: &Element,
    ) -> Result<(), Fault> {
        self.name_bytes += bytes;
        if self.name_bytes <= MJCF_NAME_BYTES {
            return Ok(());
        }
        let most = limits::size(MJCF_NAME_BYTES as u64);
        let message = format!("the names of the model take more than {most}; shorten them");
        Err(self.files.fault(element.place, message))
    }

    /// Counts visited elements: copies and attached models can make them far more than the file
    /// has.
    pub(super) fn search(&mut self, elements: usize, element: &Element) -> Result<(), Fault> {
        self.searched += elements;
        if self.searched <= MJCF_SEARCHED {
            return Ok(());
        }
        let message = "too much is copied or attached too often; split the model";
        Err(self.files.fault(element.place, message))
    }
}
