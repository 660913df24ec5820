//! Joints of bodies, which become joint variables.

use elbowroom_motion::body::FreedomKind;
use glam::DVec3;

use super::{At, Builder};
use crate::error::Fault;
use crate::mjcf::built::Variable;
use crate::mjcf::model::Model;
use crate::mjcf::orient;
use crate::mjcf::tree::{Element, check_attributes};

impl Builder<'_> {
    pub(super) fn joint(&mut self, element: &Element, at: &At<'_>) -> Result<(), Fault> {
        if at.body == 0 {
            return Err(self.files.fault(
                element.place,
                "a joint of the world, which does not move; put it into a body",
            ));
        }
        check_attributes(element, self.files)?;
        let defaults = &at.model.defaults;
        let class = defaults.class_of(element, at.class, self.files)?;
        let free = element.tag == "freejoint";
        let lookup = |name: &str| {
            if free { None } else { defaults.value(element, class, name) }
        };
        let kind = self.freedom_kind(element, at, lookup("type").map(|(kind, _)| kind), free)?;
        let axis = orient::vector(&lookup, "axis", self.files)?.unwrap_or(DVec3::Z);
        let axis = axis.try_normalize().ok_or_else(|| {
            self.files.fault(element.place, "the axis of this joint has no direction")
        })?;
        let anchor = orient::vector(&lookup, "pos", self.files)?.unwrap_or(DVec3::ZERO);
        let (reference, range) = self.range(element, &lookup, kind, at.model)?;
        let name = match element.attribute("name") {
            Some(name) => self.full_name(name, element, at)?,
            None => format!("joint {}", self.built.variables.len()),
        };
        let here = at.body_from_here.affine();
        self.built.variables.push(Variable {
            name,
            body: at.body,
            kind,
            axis: here.transform_vector3(axis),
            anchor: here.transform_point3(anchor),
            range,
            reference,
        });
        Ok(())
    }
    /// How a joint moves its body.
    fn freedom_kind(
        &self,
        element: &Element,
        at: &At<'_>,
        stated: Option<&str>,
        free: bool,
    ) -> Result<FreedomKind, Fault> {
        let kind = match stated.unwrap_or(if free { "free" } else { "hinge" }) {
            "hinge" => FreedomKind::Hinge,
            "slide" => FreedomKind::Slide,
            "ball" => FreedomKind::Ball,
            "free" => FreedomKind::Free,
            other => {
                return Err(self.files.fault(
                    element.place,
                    format!("joint type {other:?} is none of hinge, slide, ball and free"),
                ));
            }
        };
        if kind == FreedomKind::Free && self.built.bodies[at.body].parent != Some(0) {
            return Err(self.files.fault(
                element.place,
                "a free joint below another body; only bodies of the world float freely",
            ));
        }
        Ok(kind)
    }

    /// The value at which the body stands as placed, and the range of values, counted from it.
    fn range(
        &self,
        element: &Element,
        lookup: orient::Lookup<'_, '_>,
        kind: FreedomKind,
        model: &Model,
    ) -> Result<(f64, Option<(f64, f64)>), Fault> {
        let compiler = &model.compiler;
        let angle =
            |value: f64| if kind == FreedomKind::Slide { value } else { compiler.radians(value) };
        let reference =
            orient::exactly::<1>(lookup, "ref", self.files)?.map_or(0.0, |[value]| angle(value));
        let limited = match lookup("limited").map(|(value, _)| value) {
            Some("true") => true,
            Some("false") => false,
            _ => compiler.auto_limits,
        };
        let range = orient::exactly::<2>(lookup, "range", self.files)?
            .filter(|_| limited && kind != FreedomKind::Free)
            .map(|[low, high]| (angle(low) - reference, angle(high) - reference));
        if range.is_some_and(|(low, high)| low > high) {
            return Err(self
                .files
                .fault(element.place, "the range of this joint ends before it begins"));
        }
        Ok((reference, range))
    }
}
