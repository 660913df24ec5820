//! What a joint's name says.
//!
//! `mixamorig:LeftForeArm`, `lradius`, `J_Bip_L_LowerArm`, `lowerarm.l` and `Elbow_L` are one bone.
//! A name is cut into words at namespaces, separators, humps and digits; a word for a side is taken
//! out; what is left is looked up among the words that the CMU skeletons (both the original's and
//! Biovision's), Mixamo, VRM, Unity, Blender, Biped and the glTF samples use. Names that mean a
//! control and not a bone are no synonyms.
//!
//! Some words mean different bones in different skeletons: a Mixamo leg is a shin, a glTF sample's
//! leg is a thigh. Those are told apart where all names of a skeleton are known, in `roles`.

/// Left or right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Side {
    Left,
    Right,
}

/// A part of a body, or a word that may mean several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Bone {
    Hips,
    /// The root of everything, which is the hips in some skeletons.
    Root,
    Spine,
    Neck,
    Head,
    /// A joint between hips and thigh that does not move.
    HipJoint,
    /// The collar bone; or the upper arm, where nothing else is.
    Shoulder,
    /// The upper arm; or all of an arm, numbered.
    Arm,
    UpperArm,
    Forearm,
    Hand,
    /// The shin; or all of a leg, numbered.
    Leg,
    Thigh,
    Shin,
    Foot,
    Toe,
    Thumb,
    Index,
    Middle,
    Ring,
    Little,
}

impl Bone {
    pub(super) const FINGERS: [Self; 5] =
        [Self::Thumb, Self::Index, Self::Middle, Self::Ring, Self::Little];
}

/// Whether names are those of a body with arms and legs on both sides.
pub(crate) fn has_limbs<'n>(names: impl Iterator<Item = &'n str>) -> bool {
    let mut limbs = [false; 4];
    for Meaning { side, bone, .. } in names.map(meaning) {
        let (Some(side), Some(bone)) = (side, bone) else { continue };
        let limb = match bone {
            Bone::Shoulder | Bone::Arm | Bone::UpperArm | Bone::Forearm | Bone::Hand => 0,
            Bone::Leg | Bone::Thigh | Bone::Shin | Bone::Foot => 2,
            _ => continue,
        };
        limbs[limb + usize::from(side == Side::Left)] = true;
    }
    limbs == [true; 4]
}

/// What a name says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Meaning {
    pub(super) side: Option<Side>,
    /// None for what is no bone that we know.
    pub(super) bone: Option<Bone>,
    /// All words but that for the side, for bones that two skeletons share and we do not know.
    pub(super) words: String,
}

/// Words of what steers a body and is no bone of it, or ends one.
const CONTROLS: &[&str] = &[
    "ik",
    "fk",
    "control",
    "ctrl",
    "pole",
    "target",
    "slot",
    "roll",
    "twist",
    "end",
    "tip",
    "nub",
    "site",
    "helper",
    "socket",
    "metacarpal",
];

/// Words that say nothing.
const FILLERS: &[&str] = &[
    "mixamorig",
    "bip",
    "biped",
    "valve",
    "valvebiped",
    "j",
    "b",
    "c",
    "jnt",
    "joint",
    "bone",
    "bn",
    "def",
    "org",
    "skeleton",
    "armature",
    "character",
    "base",
    "cc",
    "sk",
    "rig",
];

/// Bones by the words that name them, written together.
const SYNONYMS: &[(Bone, &[&str])] = &[
    (Bone::Hips, &["hips", "hip", "pelvis", "cog"]),
    (Bone::HipJoint, &["hipjoint"]),
    (Bone::Root, &["root"]),
    (
        Bone::Spine,
        &[
            "spine",
            "chest",
            "upperchest",
            "torso",
            "abdomen",
            "lowerback",
            "upperback",
            "thorax",
            "waist",
            "ribcage",
            "lowerspine",
            "upperspine",
            "middlespine",
            "belly",
            "stomach",
        ],
    ),
    (Bone::Neck, &["neck", "lowerneck", "upperneck"]),
    (Bone::Head, &["head", "skull"]),
    (Bone::Shoulder, &["shoulder", "clavicle", "collar", "collarbone"]),
    (Bone::Arm, &["arm"]),
    (Bone::UpperArm, &["upperarm", "uparm", "humerus"]),
    (Bone::Forearm, &["forearm", "lowerarm", "loarm", "radius", "ulna", "elbow"]),
    (Bone::Hand, &["hand", "wrist", "palm", "fist"]),
    (Bone::Leg, &["leg"]),
    (Bone::Thigh, &["upleg", "upperleg", "thigh", "femur"]),
    (Bone::Shin, &["shin", "calf", "lowerleg", "loleg", "tibia", "fibula", "knee"]),
    (Bone::Foot, &["foot", "ankle"]),
    (Bone::Toe, &["toe", "toes", "ball", "toebase"]),
    (Bone::Thumb, &["thumb"]),
    (Bone::Index, &["index"]),
    (Bone::Middle, &["middle"]),
    (Bone::Ring, &["ring"]),
    (Bone::Little, &["little", "pinky", "pinkie"]),
];

fn bone_of(words: &str) -> Option<Bone> {
    SYNONYMS.iter().find(|(_, all)| all.contains(&words)).map(|&(bone, _)| bone)
}

fn side_of(word: &str) -> Option<Side> {
    match word {
        "l" | "left" | "lft" => Some(Side::Left),
        "r" | "right" | "rgt" | "rt" => Some(Side::Right),
        _ => None,
    }
}

/// The lower-case words of a name, without digits.
fn words(name: &str) -> Vec<String> {
    let own = name.rsplit([':', '|']).next().unwrap_or(name);
    let letters: Vec<char> = own.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut begins = true;
    for (i, &letter) in letters.iter().enumerate() {
        if !letter.is_alphabetic() {
            begins = true;
            continue;
        }
        let after_lower = i > 0 && letters[i - 1].is_lowercase();
        let before_lower = letters.get(i + 1).is_some_and(|next| next.is_lowercase());
        // `ForeArm` has a hump at A; `LHip` at H, since L is a word of its own.
        if letter.is_uppercase() && (after_lower || before_lower) {
            begins = true;
        }
        match words.last_mut() {
            Some(word) if !begins => word.extend(letter.to_lowercase()),
            _ => words.push(letter.to_lowercase().collect()),
        }
        begins = false;
    }
    words
}

/// What a joint's name says.
pub(super) fn meaning(name: &str) -> Meaning {
    let mut words = words(name);
    // `LHipJoint` is no `LHip`: here alone the joint says something.
    let is_hip_joint = words.windows(2).any(|pair| pair == ["hip", "joint"]);
    words.retain(|word| !FILLERS.contains(&word.as_str()) || (is_hip_joint && word == "joint"));
    let mut side = None;
    if let Some(place) = words.iter().position(|word| side_of(word).is_some()) {
        side = side_of(&words.remove(place));
    }
    if side.is_none()
        && let Some((found, place, rest)) = hidden_side(&words)
    {
        side = Some(found);
        words[place] = rest;
    }
    let bone = bone_of_words(&words, side);
    Meaning { side, bone, words: words.concat() }
}

/// A side that is the first letter of a bone's word, as in `lfemur`.
fn hidden_side(words: &[String]) -> Option<(Side, usize, String)> {
    let (place, word) = words.iter().enumerate().next()?;
    if bone_of(&words.concat()).is_some() || bone_of(word).is_some() {
        return None;
    }
    let side = side_of(word.get(..1)?)?;
    let rest = word.get(1..)?;
    let is_bone = bone_of(rest).is_some() || rest == "fingers";
    is_bone.then(|| (side, place, rest.to_owned()))
}

fn bone_of_words(words: &[String], side: Option<Side>) -> Option<Bone> {
    let is_control = |word: &String| CONTROLS.contains(&word.as_str());
    // The first bone of a thumb is called a metacarpal by some.
    let of_thumb = words.iter().any(|word| word == "thumb");
    if words.iter().any(|word| is_control(word) && !(of_thumb && word == "metacarpal")) {
        return None;
    }
    let finger = |word: &String| bone_of(word).filter(|bone| Bone::FINGERS.contains(bone));
    if let Some(finger) = words.iter().find_map(finger)
        && words.iter().all(|word| is_of_finger(word))
    {
        return Some(finger);
    }
    match (bone_of(&words.concat())?, side) {
        (Bone::Hips, Some(_)) => Some(Bone::Thigh),
        (Bone::HipJoint, None) => Some(Bone::Hips),
        (bone, _) => Some(bone),
    }
}

/// Whether a word may be in the name of a finger's bone.
fn is_of_finger(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "hand",
        "finger",
        "phalanx",
        "prox",
        "proximal",
        "int",
        "intermediate",
        "dist",
        "distal",
        "metacarpal",
        "f",
    ];
    WORDS.contains(&word) || bone_of(word).is_some_and(|bone| Bone::FINGERS.contains(&bone))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &str) -> (Option<Side>, Option<Bone>) {
        let Meaning { side, bone, .. } = meaning(name);
        (side, bone)
    }

    #[test]
    fn every_convention_is_understood() {
        let (l, r) = (Some(Side::Left), Some(Side::Right));
        let cases: &[(Option<Side>, Bone, &[&str])] = &[
            (l, Bone::Forearm, &["mixamorig:LeftForeArm", "lradius", "J_Bip_L_LowerArm"]),
            (l, Bone::Forearm, &["lowerarm.l", "leftLowerArm", "Bip01 L Forearm", "Elbow_L"]),
            (l, Bone::Forearm, &["mixamorig1:LeftForeArm", "LowerArm.L", "DEF-forearm.L"]),
            (r, Bone::Thigh, &["RightUpLeg", "rfemur", "thigh_r", "Bip01 R Thigh", "RightHip"]),
            (r, Bone::Thigh, &["rightUpperLeg", "J_Bip_R_UpperLeg", "UpperLeg.R"]),
            (l, Bone::HipJoint, &["LHipJoint", "lhipjoint"]),
            (None, Bone::Hips, &["Hips", "hips", "pelvis", "mixamorig:Hips", "b_Hip_01"]),
            (None, Bone::Hips, &["J_Bip_C_Hips", "Character|Hips", "hip_joint"]),
            (None, Bone::Spine, &["LowerBack", "Spine1", "upperChest", "thorax", "Abdomen"]),
            (None, Bone::Spine, &["Skeleton_torso_joint_1", "b_Spine01_02", "spine.001"]),
            (None, Bone::Neck, &["Neck1", "lowerneck", "neck_joint_2"]),
            (None, Bone::Head, &["Head", "mixamorig:Head", "head"]),
            (l, Bone::Shoulder, &["LeftShoulder", "lclavicle", "shoulder.L", "clavicle_l"]),
            (r, Bone::Arm, &["RightArm", "arm_joint_R_1", "Skeleton_arm_joint_R__2_"]),
            (r, Bone::UpperArm, &["rhumerus", "upperarm_r", "rightUpperArm"]),
            (l, Bone::Leg, &["LeftLeg", "leg_joint_L_1", "b_LeftLeg01_015"]),
            (l, Bone::Shin, &["ltibia", "calf_l", "leftLowerLeg", "Shin.L", "LeftKnee"]),
            (r, Bone::Foot, &["RightFoot", "foot.r", "Ankle_R", "rfoot"]),
            (r, Bone::Toe, &["RightToeBase", "rtoes", "toes.r", "ball_r"]),
            (l, Bone::Hand, &["LeftHand", "lwrist", "hand_l", "Palm.L"]),
            (l, Bone::Thumb, &["LThumb", "LeftHandThumb1", "leftThumbMetacarpal", "lthumb"]),
            (
                r,
                Bone::Index,
                &["RightHandIndex2", "index_01_r", "rightIndexProximal", "f_index.01.R"],
            ),
            (r, Bone::Little, &["RightHandPinky3", "rightLittleDistal", "little_intPhalanx_R"]),
        ];
        let mut checked = 0;
        for &(side, bone, names) in cases {
            for name in names {
                assert_eq!(said(name), (side, Some(bone)), "{name}: {:?}", meaning(name));
                checked += 1;
            }
        }
        assert_eq!(checked, 83);
    }

    #[test]
    fn controls_and_strangers_are_no_bones() {
        let names = [
            "IK-foot.l",
            "kneeIK.l",
            "control-toe-roll.l",
            "PoleTarget.L",
            "handslot.l",
            "Tail1",
            "HeadTop_End",
            "index_tip_L",
            "ring_metacarpal_L",
            "",
            "___",
            "42",
            "Weapon",
            "ärmel",
            "LeftFingerBase",
        ];
        for name in names {
            assert_eq!(meaning(name).bone, None, "{name}");
        }
        assert_eq!(meaning("LeftFingerBase").words, meaning("l_finger_base").words);
    }
}
