//! Workload files: meshes, queries, bodies; little-endian, nothing aligned.
//!
//! ```text
//! NAME.mesh    u32 vertices, u32 triangles, f64 × 3 a vertex, u32 × 3 a triangle
//! NAME.q       u32 meshes, each u32 length and its name, u32 queries,
//!              each u32 first mesh, u32 second mesh, first pose, second pose
//! NAME.bodies  u32 bodies, each a pose; all have the first mesh of NAME.q
//! pose         f64 × 9 rotation by rows, f64 × 3 translation
//! ```
//!
//! The vertices of all workloads are f32 numbers, so that engines of either precision see the same
//! mesh.

use std::fs;
use std::io::{Error, ErrorKind, Result};
use std::path::Path;

/// Points, and triangles that name them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Points.
    pub vertices: Vec<[f64; 3]>,
    /// The corners of each triangle.
    pub triangles: Vec<[u32; 3]>,
}

/// Where an object stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// The rotation matrix, row by row.
    pub rotation: [f64; 9],
    /// The shift, after the rotation.
    pub translation: [f64; 3],
}

/// Two placed meshes: do they meet?
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Query {
    /// Which meshes.
    pub meshes: [u32; 2],
    /// Where they stand.
    pub poses: [Pose; 2],
}

/// All that an engine needs to play a workload.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Workload {
    /// The names of its meshes.
    pub names: Vec<String>,
    /// The meshes.
    pub meshes: Vec<Mesh>,
    /// The queries.
    pub queries: Vec<Query>,
    /// Bodies, all of the first mesh; most workloads have none.
    pub bodies: Vec<Pose>,
}

impl Workload {
    /// Reads a workload of a directory, and the meshes it names.
    ///
    /// # Errors
    /// If a file is missing, ends too early, goes on too long or names a mesh that is not there.
    pub fn read(directory: &Path, name: &str) -> Result<Self> {
        let mut queries = Reader::open(directory, name, "q")?;
        let mut workload = Self::default();
        for _ in 0..queries.count()? {
            let length = queries.count()?;
            let bytes = queries.take(length)?.to_vec();
            let mesh = String::from_utf8(bytes).map_err(|_| queries.bad("a mesh's name"))?;
            workload.meshes.push(Mesh::read(directory, &mesh)?);
            workload.names.push(mesh);
        }
        for _ in 0..queries.count()? {
            let meshes = [queries.u32()?, queries.u32()?];
            if meshes.iter().any(|&mesh| mesh as usize >= workload.meshes.len()) {
                return Err(queries.bad("a query's mesh"));
            }
            workload.queries.push(Query { meshes, poses: [queries.pose()?, queries.pose()?] });
        }
        queries.end()?;
        if directory.join(format!("{name}.bodies")).exists() {
            let mut bodies = Reader::open(directory, name, "bodies")?;
            for _ in 0..bodies.count()? {
                workload.bodies.push(bodies.pose()?);
            }
            bodies.end()?;
        }
        Ok(workload)
    }

    /// Writes the workload and its meshes.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, directory: &Path, name: &str) -> Result<()> {
        let mut bytes = Vec::new();
        put(&mut bytes, self.names.len());
        for (mesh_name, mesh) in self.names.iter().zip(&self.meshes) {
            put(&mut bytes, mesh_name.len());
            bytes.extend_from_slice(mesh_name.as_bytes());
            mesh.write(directory, mesh_name)?;
        }
        put(&mut bytes, self.queries.len());
        for query in &self.queries {
            query.meshes.iter().for_each(|mesh| bytes.extend(mesh.to_le_bytes()));
            query.poses.iter().for_each(|pose| pose.put(&mut bytes));
        }
        fs::write(directory.join(format!("{name}.q")), bytes)?;
        if !self.bodies.is_empty() {
            let mut bytes = Vec::new();
            put(&mut bytes, self.bodies.len());
            self.bodies.iter().for_each(|pose| pose.put(&mut bytes));
            fs::write(directory.join(format!("{name}.bodies")), bytes)?;
        }
        Ok(())
    }

    /// A number that differs, all but surely, where any bit of the workload differs (FNV-1a,
    /// Fowler, Noll and Vo, 1991).
    pub fn digest(&self) -> u64 {
        let mut bytes = Vec::new();
        for mesh in &self.meshes {
            mesh.put(&mut bytes);
        }
        for query in &self.queries {
            query.meshes.iter().for_each(|mesh| bytes.extend(mesh.to_le_bytes()));
            query.poses.iter().for_each(|pose| pose.put(&mut bytes));
        }
        self.bodies.iter().for_each(|pose| pose.put(&mut bytes));
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }
}

impl Mesh {
    /// Reads a mesh of a directory.
    ///
    /// # Errors
    /// If the file is missing, ends too early or goes on too long.
    pub fn read(directory: &Path, name: &str) -> Result<Self> {
        let mut reader = Reader::open(directory, name, "mesh")?;
        let (vertices, triangles) = (reader.count()?, reader.count()?);
        let mut mesh = Self::default();
        for _ in 0..vertices {
            mesh.vertices.push([reader.f64()?, reader.f64()?, reader.f64()?]);
        }
        for _ in 0..triangles {
            mesh.triangles.push([reader.u32()?, reader.u32()?, reader.u32()?]);
        }
        reader.end()?;
        Ok(mesh)
    }

    fn write(&self, directory: &Path, name: &str) -> Result<()> {
        let mut bytes = Vec::new();
        self.put(&mut bytes);
        fs::write(directory.join(format!("{name}.mesh")), bytes)
    }

    fn put(&self, bytes: &mut Vec<u8>) {
        put(bytes, self.vertices.len());
        put(bytes, self.triangles.len());
        self.vertices.iter().flatten().for_each(|x| bytes.extend(x.to_le_bytes()));
        self.triangles.iter().flatten().for_each(|i| bytes.extend(i.to_le_bytes()));
    }
}

impl Pose {
    fn put(&self, bytes: &mut Vec<u8>) {
        let numbers = self.rotation.iter().chain(&self.translation);
        numbers.for_each(|x| bytes.extend(x.to_le_bytes()));
    }
}

fn put(bytes: &mut Vec<u8>, count: usize) {
    bytes.extend((count as u32).to_le_bytes());
}

/// The bytes of a file that are still to be read.
struct Reader {
    path: String,
    bytes: Vec<u8>,
    at: usize,
}

impl Reader {
    fn open(directory: &Path, name: &str, kind: &str) -> Result<Self> {
        let path = directory.join(format!("{name}.{kind}"));
        let shown = path.display().to_string();
        let bytes = fs::read(&path).map_err(|e| Error::new(e.kind(), format!("{shown}: {e}")))?;
        Ok(Self { path: shown, bytes, at: 0 })
    }

    fn bad(&self, what: &str) -> Error {
        let text = format!("{}: {what} is wrong at byte {}", self.path, self.at);
        Error::new(ErrorKind::InvalidData, text)
    }

    fn take(&mut self, length: usize) -> Result<&[u8]> {
        if length > self.bytes.len() - self.at {
            return Err(self.bad("the length"));
        }
        self.at += length;
        Ok(&self.bytes[self.at - length..self.at])
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn f64(&mut self) -> Result<f64> {
        Ok(f64::from_le_bytes(self.array()?))
    }

    fn count(&mut self) -> Result<usize> {
        Ok(self.u32()? as usize)
    }

    fn pose(&mut self) -> Result<Pose> {
        let mut pose = Pose::default();
        for number in pose.rotation.iter_mut().chain(&mut pose.translation) {
            *number = f64::from_le_bytes(self.array()?);
        }
        Ok(pose)
    }

    fn end(&self) -> Result<()> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(self.bad("the length")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let pose = Pose {
            rotation: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            translation: [0.1, 0.2, 0.3],
        };
        let mesh = Mesh { vertices: vec![[0.5, 1.0, -2.0]; 3], triangles: vec![[0, 1, 2]] };
        let written = Workload {
            names: vec!["one".into(), "two".into()],
            meshes: vec![mesh.clone(), mesh],
            queries: vec![Query { meshes: [0, 1], poses: [pose; 2] }],
            bodies: vec![pose; 2],
        };
        let directory =
            std::env::temp_dir().join(format!("elbowroom-bench-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        written.write(&directory, "all").unwrap();
        let read = Workload::read(&directory, "all").unwrap();
        assert_eq!((&read, read.digest()), (&written, written.digest()));

        let path = directory.join("all.q");
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let error = Workload::read(&directory, "all").unwrap_err();
        assert!(error.to_string().contains("all.q"), "{error}");
        fs::remove_dir_all(&directory).unwrap();
    }
}
