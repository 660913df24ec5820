//! Rigs in a pose, as a mesh: what every format can hold.
//!
//! A vertex is rounded where it is posed and nowhere else: units and axes are changed before. A
//! part that is not moved at all keeps its numbers.

use elbowroom::Mesh;
use elbowroom_io::{Axis, Document, MeshOut};
use elbowroom_motion::body::{
    Hold, Joint, JointId, Local, Part, Poser, Rig, Skeleton, SkeletonPose,
};
use glam::{DAffine3, DVec3};

use crate::messages::Refusal;
use crate::time_arg::MomentArgs;

/// Rigs, and a pose for each.
#[derive(Clone, Debug)]
pub(crate) struct Still {
    pub(crate) document: Document,
    pub(crate) poses: Vec<SkeletonPose>,
}

impl Still {
    /// All rigs at rest.
    pub(crate) fn at_rest(document: Document) -> Self {
        let poses = document.rigs.iter().map(Rig::rest_pose).collect();
        Self { document, poses }
    }

    /// This in metres.
    pub(crate) fn in_metres(mut self) -> Result<Self, Refusal> {
        let factor = self.document.units.metres_per_unit;
        for local in self.poses.iter_mut().flat_map(|pose| &mut pose.locals) {
            local.translation *= factor;
        }
        self.document = self.document.to_metres().map_err(|error| refused(&error))?;
        Ok(self)
    }

    /// This with another axis up.
    pub(crate) fn turned(mut self, axis: Axis) -> Result<Self, Refusal> {
        // The joint that turns stands behind the others, where a pose says nothing and so leaves it
        // at rest.
        self.document = self.document.turned(axis).map_err(|error| refused(&error))?;
        Ok(self)
    }

    /// Puts every rig that has the clip where it is at a moment; says which.
    pub(crate) fn set(&mut self, moment: &MomentArgs) -> Result<String, Refusal> {
        let mut said = String::new();
        let clips = moment.clips(&self.document.rigs)?;
        for (clip, pose) in clips.iter().zip(&mut self.poses) {
            let Some(clip) = clip else { continue };
            let time = moment.time_in(clip)?;
            clip.sample(time, pose);
            said = moment.words(clip, time);
        }
        Ok(said)
    }

    /// Every part as it stands.
    pub(crate) fn mesh(&self) -> Result<MeshOut, Refusal> {
        let mut out = MeshOut::default();
        let mut posing = Posing::default();
        let many = self.document.rigs.len() > 1;
        for (rig, pose) in self.document.rigs.iter().zip(&self.poses) {
            posing.set(rig, pose);
            for (index, part) in rig.parts.iter().enumerate() {
                let name =
                    if many { format!("{}/{}", rig.name, part.name) } else { part.name.clone() };
                let points = posing.part(rig, index);
                out.add(&name, points, part.mesh.triangles()).map_err(|error| refused(&error))?;
            }
        }
        if out.triangles().is_empty() {
            return Err(no_mesh());
        }
        Ok(out)
    }

    /// One rig that cannot move, a part for each part.
    pub(crate) fn rig(&self, name: &str) -> Result<Rig, Refusal> {
        let joint = Joint { name: name.to_owned(), parent: None, rest: Local::IDENTITY };
        let skeleton = Skeleton::new(vec![joint]).map_err(|error| refused(&error))?;
        let mut still = Rig::new(name, skeleton);
        let mut posing = Posing::default();
        for (rig, pose) in self.document.rigs.iter().zip(&self.poses) {
            posing.set(rig, pose);
            for (index, part) in rig.parts.iter().enumerate() {
                let points = posing.part(rig, index).to_vec();
                let mesh = Mesh::new(points, part.mesh.triangles().to_vec())
                    .map_err(|error| refused(&error))?;
                still.parts.push(Part::new(&*part.name, mesh, Hold::Rigid(JointId(0))));
            }
        }
        if still.parts.is_empty() { Err(no_mesh()) } else { Ok(still) }
    }
}

fn refused(error: &dyn std::error::Error) -> Refusal {
    let hint = "the numbers of the file are too large; give a smaller unit with --units".to_owned();
    Refusal { problems: vec![error.to_string()], hint }
}

fn no_mesh() -> Refusal {
    Refusal {
        problems: vec!["there is no mesh in the file, only joints".to_owned()],
        hint: "play the motion on a character: `elbowroom pose CHARACTER --motion MOTION -o OUT`"
            .to_owned(),
    }
}

/// Finds where vertices are, with the same memory from part to part.
#[derive(Default)]
pub(crate) struct Posing {
    poser: Poser,
    points: Vec<DVec3>,
}

impl Posing {
    pub(crate) fn set(&mut self, rig: &Rig, pose: &SkeletonPose) {
        self.poser.set(rig, pose);
    }

    /// The vertices of a part in the pose that was set.
    pub(crate) fn part<'a>(&'a mut self, rig: &'a Rig, index: usize) -> &'a [DVec3] {
        let part = &rig.parts[index];
        // Multiplying by one and adding zero would lose the sign of zeros.
        if let Hold::Rigid(joint) = part.hold
            && part.morphs.is_empty()
            && self.poser.world()[joint.index()] == DAffine3::IDENTITY
        {
            return part.mesh.vertices();
        }
        self.poser.part(rig, index, &mut self.points);
        &self.points
    }
}
