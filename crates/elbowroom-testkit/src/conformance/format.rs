//! The JSON of a file of cases, checked.

use super::expect::{Expect, ExpectAlone};
use super::recipe::Recipe;
use super::{Body, Scene, Variant, vary};
use crate::cases::format::Placement;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    about: String,
    cases: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    /// Why the answers are what they are.
    why: String,
    a: Recipe,
    #[serde(default)]
    pose_a: Placement,
    b: Option<Recipe>,
    #[serde(default)]
    pose_b: Placement,
    expect: serde_json::Value,
    /// Variants beyond the usual ones, which need coordinates that allow them.
    #[serde(default)]
    also: Vec<Variant>,
    /// Usual variants that this case does not allow.
    #[serde(default)]
    not: Vec<Variant>,
}

/// The cases of one file, each with its variants; errors name the file and the case.
pub(super) fn parse(theme: &str, text: &str) -> Result<Vec<Vec<Scene>>, String> {
    let file: File = serde_json::from_str(text).map_err(|e| format!("{theme}.json: {e}"))?;
    if file.about.is_empty() {
        return Err(format!("{theme}.json: \"about\" is empty"));
    }
    let case = |value: serde_json::Value| {
        let name = value["name"].as_str().unwrap_or("without a name").to_string();
        let entry: Result<Entry, _> = serde_json::from_value(value);
        let made = entry.map_err(|e| e.to_string()).and_then(|entry| entry.scenes(theme));
        made.map_err(|problem| format!("{theme}.json, case \"{name}\": {problem}"))
    };
    file.cases.into_iter().map(case).collect()
}

impl Entry {
    /// The case and its variants.
    fn scenes(self, theme: &str) -> Result<Vec<Scene>, String> {
        if self.name.is_empty() || self.why.is_empty() {
            return Err("\"name\" and \"why\" must not be empty".to_string());
        }
        let wanted: Vec<Variant> = Variant::usual(self.b.is_some())
            .iter()
            .filter(|variant| !self.not.contains(variant))
            .chain(&self.also)
            .copied()
            .collect();
        let a = Body {
            mesh: self.a.checked().map_err(|e| format!("a: {e}"))?,
            pose: self.pose_a.pose().map_err(|e| format!("pose_a: {e}"))?,
        };
        let pose = self.pose_b.pose().map_err(|e| format!("pose_b: {e}"))?;
        let b = self.b.map(Recipe::checked).transpose().map_err(|e| format!("b: {e}"))?;
        let b = b.map(|mesh| Body { mesh, pose });
        let questions = if b.is_some() {
            let expect: Expect = serde_json::from_value(self.expect).map_err(|e| e.to_string())?;
            expect.questions(reach(&a).max(b.as_ref().map_or(0.0, reach)))?
        } else {
            let expect: ExpectAlone =
                serde_json::from_value(self.expect).map_err(|e| e.to_string())?;
            expect.questions()
        };
        let (case, why, variant) = (self.name, self.why, Variant::Plain);
        let plain = Scene { theme: theme.to_string(), case, variant, why, a, b, questions };
        let mut scenes = vec![plain];
        for variant in wanted {
            let varied = vary::vary(&scenes[0], variant);
            scenes.push(varied.ok_or_else(|| format!("{variant:?} would round a coordinate"))?);
        }
        Ok(scenes)
    }
}

/// The largest coordinate of a placed mesh, without regard to sign.
fn reach(body: &Body) -> f64 {
    let placed = body.mesh.baked(&body.pose);
    placed.vertices.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()))
}
