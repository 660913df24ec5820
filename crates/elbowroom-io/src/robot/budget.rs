//! How much a small file may grow to when it names one mesh many times.

use elbowroom::Mesh;

/// What is left of the bytes that may be decoded.
pub(crate) struct Budget {
    left: u64,
    whole: u64,
}

impl Budget {
    pub(crate) fn new(bytes: u64) -> Self {
        Self { left: bytes, whole: bytes }
    }

    /// Takes what a mesh needs.
    ///
    /// # Errors
    /// A sentence that says how much is allowed.
    pub(crate) fn take(&mut self, mesh: &Mesh) -> Result<(), String> {
        let bytes = 24 * mesh.vertices().len() as u64 + 12 * mesh.triangles().len() as u64;
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(format!(
                "brings the decoded meshes to more than {}; split the model, or allow more with --max-size",
                crate::limits::size(self.whole)
            )),
        }
    }
}
