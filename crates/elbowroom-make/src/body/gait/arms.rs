//! What the arms do.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

use super::super::flesh::ARM_SLOPE;
use super::Move;
use super::puppet::Moment;
use super::turns::{about, degrees, pitch, roll};

/// The names of the joints of the arms, left and right.
const ARMS: [[&str; 4]; 2] = [
    ["LeftArm", "LeftForeArm", "LeftHand", "LeftHandIndex1"],
    ["RightArm", "RightForeArm", "RightHand", "RightHandIndex1"],
];

/// The angles of one arm; all zero is straight and level to the side, palm down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arms {
    /// Down from level.
    drop: f64,
    /// Forward, once it is down.
    swing: f64,
    /// Of the upper arm about its own length, so that the elbow points outward.
    twist: f64,
    /// Of the elbow.
    bend: f64,
    /// Of the forearm about its own length: the thumb turns up, then out.
    palm: f64,
    /// Of the fingers.
    curl: f64,
}

impl Arms {
    /// What an arm does at a phase.
    pub(super) fn at(motion: Move, side: usize, phase: f64) -> Self {
        let hanging = Self {
            drop: degrees(81.0),
            swing: degrees(3.0),
            twist: 0.0,
            bend: degrees(14.0),
            palm: degrees(8.0),
            curl: degrees(22.0),
        };
        let (sin, cos) = (libm::sin(TAU * phase), libm::cos(TAU * phase));
        let forward = if side == 0 { -cos } else { cos };
        match motion {
            Move::Walk => Self {
                swing: degrees(2.0 + 22.0 * forward),
                bend: degrees(22.0 + 12.0 * forward),
                ..hanging
            },
            Move::Back => {
                Self { swing: degrees(3.0 - 9.0 * forward), bend: degrees(20.0), ..hanging }
            }
            Move::Wave if side == 1 => {
                // Two strokes of the hand to one breath.
                let stroke = libm::sin(2.0 * TAU * phase);
                Self {
                    drop: degrees(8.0),
                    swing: degrees(0.0),
                    twist: degrees(78.0),
                    bend: degrees(92.0 + 22.0 * stroke),
                    palm: degrees(10.0),
                    curl: degrees(4.0),
                }
            }
            Move::Talk => {
                let beat = libm::sin(2.0 * TAU * phase + f64::from(side as u32));
                let slow = if side == 0 { sin } else { cos };
                Self {
                    drop: degrees(72.0),
                    swing: degrees(14.0 + 6.0 * slow),
                    twist: degrees(14.0 * slow),
                    bend: degrees(72.0 + 12.0 * beat),
                    palm: degrees(35.0 + 15.0 * slow),
                    curl: degrees(14.0 + 8.0 * beat),
                }
            }
            _ => Self { bend: degrees(14.0 + 2.0 * sin), ..hanging },
        }
    }

    /// Turns the joints of an arm that hangs on a chest.
    pub(super) fn set(&self, moment: &mut Moment, side: usize, chest: DQuat) {
        // Angles are written for the left arm; the right one is its mirror image.
        let mirror = if side == 0 { 1.0 } else { -1.0 };
        let [cos, sin] = ARM_SLOPE;
        let along = DVec3::new(cos * mirror, -sin, 0.0);
        let hinge = along.cross(DVec3::Z);
        let lowered = self.drop - std::f64::consts::FRAC_PI_4;
        let upper = chest
            * pitch(self.swing)
            * roll(-mirror * lowered)
            * about(along, -mirror * self.twist);
        let bent = upper * about(hinge, self.bend);
        let fore = bent * about(along, -mirror * self.palm * 0.5);
        let hand = bent * about(along, -mirror * self.palm);
        let [arm, forearm, wrist, fingers] = ARMS[side];
        moment.set(arm, upper);
        moment.set(forearm, fore);
        moment.set(wrist, hand);
        moment.set(fingers, hand * roll(-mirror * self.curl));
    }
}
