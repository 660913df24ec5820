//! Which bodies may touch, and which are to, by the `<contact>` of a model.

use std::collections::HashMap;

use super::Builder;
use crate::error::Fault;
use crate::mjcf::tree::{Element, check_attributes};

impl Builder<'_> {
    /// The pairs of bodies that may touch in the model itself.
    pub(super) fn excludes(&mut self, root: &Element) -> Result<(), Fault> {
        for exclude in root.children("contact").flat_map(|contact| contact.children("exclude")) {
            check_attributes(exclude, self.files)?;
            let mut bodies = [0; 2];
            for (body, attribute) in bodies.iter_mut().zip(["body1", "body2"]) {
                let name = exclude.attribute(attribute).unwrap_or_default();
                *body = *self.names.get(name).ok_or_else(|| {
                    self.files.fault(
                        exclude.place,
                        format!("<exclude> names the body {name:?}, which does not exist"),
                    )
                })?;
            }
            self.built.excluded.push((bodies[0], bodies[1]));
        }
        Ok(())
    }

    /// The pairs of bodies that may touch in an attached model. A pair that is not in the attached
    /// part excludes nothing here.
    pub(super) fn attached_excludes(&mut self, root: &Element, prefix: &str, suffix: &str) {
        for exclude in root.children("contact").flat_map(|contact| contact.children("exclude")) {
            let bodies = ["body1", "body2"].map(|attribute| {
                let name = exclude.attribute(attribute).unwrap_or_default();
                self.names.get(&format!("{prefix}{name}{suffix}")).copied()
            });
            if let [Some(a), Some(b)] = bodies {
                self.built.excluded.push((a, b));
            }
        }
    }

    /// The bodies of shapes that are to touch. A pair of shapes that are not there is passed over:
    /// nothing can touch.
    pub(super) fn pairs(
        &mut self,
        root: &Element,
        prefix: &str,
        suffix: &str,
    ) -> Result<(), Fault> {
        let shapes = self.built.shapes.iter();
        let body_of: HashMap<&str, usize> =
            shapes.map(|shape| (shape.part.name.as_str(), shape.body)).collect();
        let pairs = || root.children("contact").flat_map(|contact| contact.children("pair"));
        pairs().try_for_each(|pair| check_attributes(pair, self.files))?;
        let bodies: Vec<_> = pairs()
            .filter_map(|pair| {
                let [a, b] = ["geom1", "geom2"].map(|geom| {
                    let name = format!("{prefix}{}{suffix}", pair.attribute(geom)?);
                    body_of.get(name.as_str()).copied()
                });
                Some((a?, b?))
            })
            .collect();
        self.built.paired.extend(bodies);
        Ok(())
    }
}
