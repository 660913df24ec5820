//! Skins: joints and inverse binds, each pair of lists once however many parts share it.

use elbowroom_motion::body::{JointId, Skin};
use glam::DAffine3;
use serde_json::{Value, json};

use super::WriteError;
use super::bin::{Bin, Use, single};

#[derive(Default)]
pub(super) struct Skins {
    written: Vec<Value>,
    /// What was written, by the first node of its rig.
    known: Vec<(usize, Vec<JointId>, Vec<DAffine3>)>,
}

impl Skins {
    /// The number of a skin whose joints begin at node `first`.
    pub(super) fn add(
        &mut self,
        skin: &Skin,
        first: usize,
        bin: &mut Bin,
        rig: &str,
    ) -> Result<usize, WriteError> {
        let same = |(node, joints, binds): &(usize, Vec<JointId>, Vec<DAffine3>)| {
            *node == first && joints == skin.joints() && binds == skin.inverse_binds()
        };
        if let Some(index) = self.known.iter().position(same) {
            return Ok(index);
        }
        let place = format!("inverse binds of {rig:?}");
        let mut matrices = Vec::new();
        for bind in skin.inverse_binds() {
            let columns = [bind.matrix3.x_axis, bind.matrix3.y_axis, bind.matrix3.z_axis];
            for (column, last) in columns.into_iter().zip([0.0; 3]) {
                matrices.extend([column.x, column.y, column.z, last]);
            }
            let origin = bind.translation;
            matrices.extend([origin.x, origin.y, origin.z, 1.0]);
        }
        let matrices: Vec<f32> =
            matrices.into_iter().map(|value| single(value, &place)).collect::<Result<_, _>>()?;
        let matrices = bin.floats("MAT4", Use::Data, &matrices, false);
        let joints: Vec<usize> = skin.joints().iter().map(|joint| first + joint.index()).collect();
        self.written.push(json!({ "joints": joints, "inverseBindMatrices": matrices }));
        self.known.push((first, skin.joints().to_vec(), skin.inverse_binds().to_vec()));
        Ok(self.written.len() - 1)
    }

    pub(super) fn written(&self) -> &[Value] {
        &self.written
    }
}
