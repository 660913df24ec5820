//! A character with a clip, posed sample by sample where it is asked for.
//!
//! Invariants: the disk of a sample holds the posed body, seen from above, with a billionth to spare for rounding; z is up, and the ground's axes
//! are those of the trace.

use std::sync::OnceLock;

use glam::DVec3;

use crate::body::{Clip, Poser, Rig};
use crate::footprint::{Footprint, FootprintConfig};
use crate::geom::mesh::Mesh;
use crate::model::Model;
use crate::motion::{Config, Reach, Sample, Taking, Trace, TraceError, TraceErrorKind, Tracked};

/// What a disk is enlarged by, for each unit of its own numbers: far above what poses and placements lose to rounding.
const SPARE: f64 = 1e-9;

/// A character and what it does.
///
/// ```
/// use elbowroom::crowd::Performer;
/// use elbowroom::footprint::FootprintConfig;
/// use elbowroom::motion::Taking;
///
/// let man = elbowroom_make::body::male();
/// let walk = Performer::new(&man, &man.clips[0], &Taking::default(), FootprintConfig::default())?;
/// let sample = walk.tracked().trace().sample(5);
/// assert!((0.2..1.2).contains(&sample.radius));
/// let (low, high) = walk.posed(5).footprint().height();
/// assert!(low < 0.1 && high > 1.7);
/// # Ok::<(), elbowroom::motion::TraceError>(())
/// ```
#[derive(Debug)]
pub struct Performer<'a> {
    rig: &'a Rig,
    clip: &'a Clip,
    taking: Taking,
    footprints: FootprintConfig,
    tracked: Tracked,
    posed: Vec<OnceLock<Posed>>,
}

/// A character at one moment: all its parts in one mesh, z up.
#[derive(Debug)]
pub struct Posed {
    mesh: Mesh,
    footprint: Footprint,
    model: OnceLock<Model>,
}

impl Posed {
    /// Its skin.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// How it looks from above.
    pub fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// Its skin with a tree, made when first asked.
    pub fn model(&self) -> &Model {
        self.model.get_or_init(|| Model::new(self.mesh.clone()))
    }
}

impl<'a> Performer<'a> {
    /// A character of which every part counts. The disks always reach to the farthest vertex.
    ///
    /// # Errors
    /// As [`Trace::from_rig`], and if the rig has no triangles.
    ///
    /// # Panics
    /// If the rig does not [`validate`](Rig::validate).
    pub fn new(
        rig: &'a Rig,
        clip: &'a Clip,
        taking: &Taking,
        footprints: FootprintConfig,
    ) -> Result<Self, TraceError> {
        if rig.parts.iter().all(|part| part.mesh.triangles().is_empty()) {
            return Err(TraceErrorKind::NoTriangles.into());
        }
        let taking = Taking { reach: Reach::Farthest, ..*taking };
        let trace = Trace::from_rig(rig, clip, &taking)?;
        let roomy = |sample: Sample| {
            let size = sample.center.abs().element_sum() + sample.radius;
            Sample { radius: sample.radius + SPARE * size, ..sample }
        };
        let samples: Vec<Sample> = trace.samples().map(roomy).collect();
        let trace = Trace::new(&samples, trace.dt())?;
        let posed = (0..trace.len()).map(|_| OnceLock::new()).collect();
        let config = Config { touching: true, ..Config::default() };
        let tracked = Tracked::new(trace, config)?;
        Ok(Self { rig, clip, taking, footprints, tracked, posed })
    }

    /// Its disks and their trees.
    pub fn tracked(&self) -> &Tracked {
        &self.tracked
    }

    /// The body of a sample, posed when first asked.
    ///
    /// # Panics
    /// If there is no such sample.
    pub fn posed(&self, sample: usize) -> &Posed {
        self.posed[sample].get_or_init(|| {
            let mesh = self.mesh(self.taking.moment(self.clip, sample));
            let footprint = Footprint::of_mesh(&mesh, &self.footprints);
            Posed { mesh, footprint, model: OnceLock::new() }
        })
    }

    fn mesh(&self, seconds: f64) -> Mesh {
        let (mut pose, mut poser) = (self.rig.rest_pose(), Poser::new());
        self.clip.sample(seconds, &mut pose);
        poser.set(self.rig, &pose);
        let (mut points, mut triangles, mut part) = (Vec::new(), Vec::new(), Vec::new());
        for (index, of) in self.rig.parts.iter().enumerate() {
            poser.part(self.rig, index, &mut part);
            let first = points.len() as u32;
            let up = self.taking.up;
            let upright = |&p: &DVec3| up.ground(p).extend(up.height(p)) * self.taking.scale;
            points.extend(part.iter().map(upright));
            triangles.extend(of.mesh.triangles().iter().map(|t| t.map(|corner| corner + first)));
        }
        Mesh::new(points, triangles).expect("what a trace was taken of is finite")
    }
}
