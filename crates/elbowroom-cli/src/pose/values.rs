//! Joint values from the command line.

use elbowroom_motion::body::{Freedom, FreedomKind, Rig};

use crate::bake::Still;
use crate::messages::Refusal;

/// Poses one rig by values of all its joint variables, or of some with the others at rest.
pub(super) fn set(
    still: &mut Still,
    values: &[f64],
    single: &[String],
    name: Option<&str>,
    notes: &mut Vec<String>,
) -> Result<String, Refusal> {
    let index = robot(&still.document.rigs, name)?;
    let rig = &still.document.rigs[index];
    let mut all = if values.is_empty() { at_rest(rig) } else { values.to_vec() };
    for text in single {
        set_one(rig, text, &mut all)?;
    }
    let pose = rig.pose_of(&all).map_err(|error| {
        refused(
            error.to_string(),
            "`elbowroom info --all` lists the joint variables in their order",
        )
    })?;
    notes.extend(beyond(rig, &all));
    let weights = std::mem::take(&mut still.poses[index].weights);
    still.poses[index] = elbowroom_motion::body::SkeletonPose { weights, ..pose };
    Ok(format!("{:?} at the values given", rig.name))
}

fn refused(problem: String, hint: &str) -> Refusal {
    Refusal { problems: vec![problem], hint: hint.to_owned() }
}

/// The rig that is meant: the one of that name, or the only one with joint variables.
fn robot(rigs: &[Rig], name: Option<&str>) -> Result<usize, Refusal> {
    let able = || rigs.iter().enumerate().filter(|(_, rig)| rig.values_len() > 0);
    let names = able().map(|(_, rig)| format!("{:?}", rig.name)).collect::<Vec<_>>().join(", ");
    let wanted = name.map(|name| able().find(|(_, rig)| rig.name == name));
    match wanted {
        Some(Some((index, _))) => Ok(index),
        _ if names.is_empty() => Err(refused(
            "there are no joint variables in the file".to_owned(),
            "only robots (MJCF, URDF) have them; a character is posed by a --clip",
        )),
        Some(None) => {
            let name = name.unwrap_or_default();
            Err(refused(
                format!("no rig {name:?} has joint variables"),
                &format!("there are {names}"),
            ))
        }
        None if able().count() > 1 => Err(refused(
            "several rigs in the file have joint variables".to_owned(),
            &format!("choose one with --rig: {names}"),
        )),
        None => Ok(able().next().map_or(0, |(index, _)| index)),
    }
}

/// The values of the rest pose.
fn at_rest(rig: &Rig) -> Vec<f64> {
    let mut values = Vec::new();
    for freedom in rig.freedoms.iter().filter(|freedom| freedom.mimic.is_none()) {
        let rest = &rig.skeleton.joints()[freedom.joint.index()].rest;
        match freedom.kind {
            FreedomKind::Hinge | FreedomKind::Slide => values.push(0.0),
            FreedomKind::Ball => values.extend([0.0, 0.0, 0.0, 1.0]),
            FreedomKind::Free => {
                values.extend(rest.translation.to_array());
                values.extend(rest.rotation.to_array());
            }
        }
    }
    values
}

/// Each variable that has values of its own, and where they begin.
fn own(rig: &Rig) -> impl Iterator<Item = (usize, &Freedom)> {
    let mut next = 0;
    rig.freedoms.iter().filter(|freedom| freedom.mimic.is_none()).map(move |freedom| {
        let first = next;
        next += freedom.kind.width();
        (first, freedom)
    })
}

/// `joint=value`, or `joint=x,y,z,w` for one with several.
fn set_one(rig: &Rig, text: &str, all: &mut [f64]) -> Result<(), Refusal> {
    let Some((name, numbers)) = text.split_once('=') else {
        return Err(refused(format!("--set {text}: no value"), "write it like --set elbow=0.5"));
    };
    let numbers: Option<Vec<f64>> = numbers
        .split(',')
        .map(|number| number.trim().parse().ok().filter(|v: &f64| v.is_finite()))
        .collect();
    let Some(numbers) = numbers else {
        return Err(refused(
            format!("--set {text}: not a finite number"),
            "write it like --set elbow=0.5",
        ));
    };
    let joint_name = |freedom: &Freedom| &rig.skeleton.joints()[freedom.joint.index()].name;
    let found = own(rig)
        .find(|(_, freedom)| freedom.name == name)
        .or_else(|| own(rig).find(|(_, freedom)| joint_name(freedom) == name));
    let Some((first, freedom)) = found else {
        let follows =
            rig.freedoms.iter().find(|freedom| freedom.name == name).and_then(|f| f.mimic);
        if let Some(leader) = follows.and_then(|mimic| rig.freedoms.get(mimic.of)) {
            let problem = format!("--set {text}: {name:?} follows {:?}", leader.name);
            return Err(refused(problem, "set that one"));
        }
        let names: Vec<&str> =
            own(rig).take(12).map(|(_, freedom)| freedom.name.as_str()).collect();
        let hint = format!("there are {}; `elbowroom info --all` lists all", names.join(", "));
        return Err(refused(format!("--set {text}: there is no joint variable {name:?}"), &hint));
    };
    let width = freedom.kind.width();
    if numbers.len() != width {
        let problem = format!("--set {text}: {} values, but {name:?} takes {width}", numbers.len());
        return Err(refused(problem, "a hinge or slide takes 1, a ball 4, a free joint 7"));
    }
    all[first..first + width].copy_from_slice(&numbers);
    Ok(())
}

/// Values that are out of their range.
fn beyond(rig: &Rig, all: &[f64]) -> Vec<String> {
    let outside = own(rig).filter_map(|(first, freedom)| {
        let (low, high) = freedom.range.filter(|_| freedom.kind.width() == 1)?;
        let value = *all.get(first)?;
        (value < low || value > high).then(|| {
            format!("{:?} is at {value}, outside its range of {low} to {high}", freedom.name)
        })
    });
    outside.collect()
}
