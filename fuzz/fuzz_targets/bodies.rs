//! Meshes and placements from bytes.
//!
//! Each coordinate is either from the whole range of f64 or, mostly, from a small grid, so that
//! degenerate positions are as likely as general ones.
#![allow(dead_code, reason = "each target uses some of it")]

use elbowroom::{Mesh, Pose};
use elbowroom_testkit::brute::Soup;
use elbowroom_testkit::oracle::PlainPose;
use glam::{DMat3, DQuat, DVec3};
use libfuzzer_sys::arbitrary::{Result, Unstructured};

pub fn coordinate(bytes: &mut Unstructured) -> Result<f64> {
    let grid = f64::from(bytes.int_in_range(-3_i8..=3)?);
    Ok(match bytes.int_in_range(0_u8..=15)? {
        0 => {
            let any = f64::from_bits(bytes.arbitrary()?);
            if any.is_finite() { any } else { grid }
        }
        1 | 2 => grid.next_up(),
        3 => grid * 1e300,
        4 => grid * 1e-300,
        _ => grid,
    })
}

pub fn point(bytes: &mut Unstructured) -> Result<[f64; 3]> {
    Ok([coordinate(bytes)?, coordinate(bytes)?, coordinate(bytes)?])
}

/// One to a dozen triangles on three to a dozen vertices.
pub fn soup(bytes: &mut Unstructured) -> Result<Soup> {
    let count = bytes.int_in_range(3..=12_u32)?;
    let mut vertices = Vec::new();
    for _ in 0..count {
        vertices.push(point(bytes)?);
    }
    let mut triangles = Vec::new();
    for _ in 0..bytes.int_in_range(1..=12)? {
        let mut corner = || bytes.int_in_range(0..=count - 1);
        triangles.push([corner()?, corner()?, corner()?]);
    }
    Ok(Soup { vertices, triangles })
}

pub fn mesh(soup: &Soup) -> Mesh {
    let vertices = soup.vertices.iter().map(|&v| DVec3::from_array(v)).collect();
    Mesh::new(vertices, soup.triangles.clone()).expect("finite and in range")
}

/// A random rotation and shift; only the shift, or nothing, where the numbers make none.
pub fn placement(bytes: &mut Unstructured) -> Result<Pose> {
    let ([x, y, z], w, shift) = (point(bytes)?, coordinate(bytes)?, point(bytes)?);
    let shift = DVec3::from_array(shift);
    let turned = Pose::from_quat(DQuat::from_xyzw(x, y, z, w), shift);
    Ok(turned.or_else(|_| Pose::from_translation(shift)).unwrap_or_default())
}

pub fn pose(placement: &Pose) -> PlainPose {
    let rows: DMat3 = placement.rotation().transpose();
    PlainPose { r: rows.to_cols_array_2d(), t: placement.translation().to_array() }
}
