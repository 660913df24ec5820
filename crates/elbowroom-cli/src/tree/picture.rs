//! Trees to look at: a few levels side by side, or all of them with a slider; two files as a chart.
//!
//! Volumes are drawn as wires over the mesh, seen obliquely from above. Of motions, time goes up.
//! Nothing is fetched; without a script the page shows every root.

use elbowroom_motion::space_time::Trace;
use elbowroom_papers::grammar::{Family, LevelNode};
use glam::{DVec2, DVec3};

use super::Findings;
use super::built::{Built, Planted};
use super::compare::{Comparison, Row};
use super::kind::Sort;
use super::subject::Subject;
use super::text::secs;
use crate::actors::up;
use crate::messages::{count, grouped};
use crate::output::picture::{Anchor, Axis, Frame, LEFT, Picture, RIGHT, Svg, WIDTH};

/// Levels whose cut has more nodes are not drawn: nothing could be told apart.
const MOST_NODES: usize = 600;
/// Nor side by side, where there is less room.
const FEWER_NODES: usize = 130;
/// Levels that stand side by side.
const PANELS: usize = 4;
/// Triangles of a mesh that are drawn.
const MOST_TRIANGLES: usize = 1500;
const HEIGHT: f64 = 240.0;
const TALL: f64 = 420.0;
const GAP: f64 = 14.0;

const STYLE: &str = "\
.mesh{fill:none;stroke:#9ca3af;stroke-width:.5;stroke-opacity:.7}
.way{fill:none;stroke:#374151;stroke-width:1.2}
.sphere,.aabb,.obb,.kdop,.cylinder{fill:none;stroke-width:.9;stroke-linejoin:round}
.sphere{stroke:#d97706}.aabb{stroke:#2563eb}.obb{stroke:#15803d}.kdop{stroke:#9333ea}.cylinder{stroke:#0f766e}
.engine{fill:#374151}.tests{fill:#2563eb;fill-opacity:.75}.time{fill:#d97706;fill-opacity:.85}
@media(prefers-color-scheme:dark){
.mesh{stroke:#6b7280}.way{stroke:#c3c8d1}
.sphere{stroke:#ffb454}.aabb{stroke:#7aa2ff}.obb{stroke:#4ade80}.kdop{stroke:#c084fc}.cylinder{stroke:#2dd4bf}
.engine{fill:#c3c8d1}.tests{fill:#7aa2ff}.time{fill:#ffb454}
}
";

/// The text of the file.
pub(super) fn file(findings: &Findings, picture: Picture) -> String {
    let title = title(findings);
    if !findings.comparisons.is_empty() {
        return picture.file(&title, chart(findings, &title));
    }
    match picture {
        Picture::Svg => levels(findings, &title, false).0,
        Picture::Html => {
            let (svg, last) = levels(findings, &title, true);
            picture.file(&title, svg).replace("</body>", &slider(last, findings.level))
        }
    }
}

fn title(findings: &Findings) -> String {
    let names: Vec<&str> = findings.subjects.iter().map(|it| &*it.name).collect();
    names.join(" and ")
}

/// The slider, and what it does.
fn slider(last: u32, level: Option<u32>) -> String {
    let at = level.unwrap_or(0).min(last);
    format!(
        "<p style=\"font:16px system-ui,sans-serif;text-align:center;position:sticky;bottom:0\"><label>level <input \
         id=\"level\" type=\"range\" min=\"0\" max=\"{last}\" value=\"{at}\" style=\"width:min(60vw,32em)\"> \
         <output id=\"shown\"></output></label></p>\n<script>\n\
         const slider=document.getElementById('level'),shown=document.getElementById('shown');\n\
         function show(){{for(const g of document.querySelectorAll('[data-level]'))\
         g.style.display=+g.dataset.level===Math.min(+slider.value,+g.dataset.last)?'':'none';\
         shown.textContent=slider.value}}\n\
         slider.addEventListener('input',show);show();\n</script>\n</body>"
    )
}

/// The trees of one file, and the deepest level that is drawn.
fn levels(findings: &Findings, title: &str, has_slider: bool) -> (String, u32) {
    let (subject, trees) = (&findings.subjects[0], &findings.trees[0]);
    let mut svg = Svg::new(STYLE);
    svg.text("title", LEFT, 30.0, Anchor::Start, title);
    let (mut y, mut deepest) = (44.0, 0);
    let across = if has_slider { 2 } else { 1 };
    for row in trees.chunks(across) {
        for (place, tree) in row.iter().enumerate() {
            let most = if has_slider { MOST_NODES } else { FEWER_NODES };
            let drawn = drawn(tree, findings.level, most);
            deepest = deepest.max(drawn.last().copied().unwrap_or(0));
            let width = (WIDTH - LEFT - RIGHT) / across as f64;
            let x = LEFT + place as f64 * width;
            svg.text("head", x, y + 20.0, Anchor::Start, &head(tree));
            let frame = Frame { x, y: y + 28.0, width: width - GAP, height: TALL };
            if has_slider {
                slides(&mut svg, frame, subject, tree, &drawn);
            } else {
                panels(&mut svg, frame, subject, tree, &some_of(&drawn));
            }
        }
        y += 28.0 + if has_slider { TALL + 24.0 } else { HEIGHT + 40.0 };
    }
    (svg.finish(WIDTH, y + 12.0, title), deepest)
}

fn head(tree: &Planted) -> String {
    let nodes = count(tree.levels.nodes().len() as u64, "node");
    format!("{}: {nodes}, {}", tree.named.name, count(tree.rows.len() as u64, "level"))
}

/// The levels that can be drawn, or the one that was asked for.
fn drawn(tree: &Planted, level: Option<u32>, most: usize) -> Vec<u32> {
    let last = tree.levels.deepest();
    let is_small = |level: &u32| tree.levels.cut(*level).count() <= most;
    match level {
        Some(level) => vec![level.min(last)],
        None => (0..=last).filter(is_small).collect(),
    }
}

/// A few of them, the first and the last among them.
fn some_of(drawn: &[u32]) -> Vec<u32> {
    let last = drawn.len().saturating_sub(1);
    if last < PANELS {
        return drawn.to_vec();
    }
    (0..PANELS).map(|place| drawn[place * last / (PANELS - 1)]).collect()
}

fn panels(svg: &mut Svg, frame: Frame, subject: &Subject, tree: &Planted, levels: &[u32]) {
    let width = frame.width / PANELS as f64;
    let view = View::new(subject, tree, width - GAP, HEIGHT);
    for (place, &level) in levels.iter().enumerate() {
        let at = DVec2::new(frame.x + place as f64 * width, frame.y + 18.0);
        svg.text("label", at.x, frame.y + 12.0, Anchor::Start, &label(tree, level));
        backdrop(svg, &view, at, subject, tree);
        volumes(svg, &view, at, tree, level);
    }
}

fn slides(svg: &mut Svg, frame: Frame, subject: &Subject, tree: &Planted, levels: &[u32]) {
    let view = View::new(subject, tree, frame.width, frame.height - 20.0);
    let at = DVec2::new(frame.x, frame.y + 18.0);
    backdrop(svg, &view, at, subject, tree);
    let last = levels.last().copied().unwrap_or(0);
    for &level in levels {
        svg.begin_level(level, last);
        svg.text("label", at.x, frame.y + 12.0, Anchor::Start, &label(tree, level));
        volumes(svg, &view, at, tree, level);
        svg.end();
    }
}

fn label(tree: &Planted, level: u32) -> String {
    let volumes = count(tree.levels.cut(level).count() as u64, "volume");
    format!("level {level}: {volumes}")
}

/// The mesh, or the way of a motion.
fn backdrop(svg: &mut Svg, view: &View, at: DVec2, subject: &Subject, tree: &Planted) {
    if let (Built::Motion(_), Some(trace)) = (&tree.tree, &subject.trace) {
        svg.path("way", way(trace).map(|point| view.place(at, point)));
        return;
    }
    let Some(mesh) = &subject.mesh else { return };
    let step = mesh.triangles().len().div_ceil(MOST_TRIANGLES).max(1);
    let triangles = (0..mesh.triangles().len()).step_by(step).map(|index| {
        let [p, q, r] = mesh.triangle(index).map(|p| view.place(at, stood(subject, p)));
        [p, q, r, p]
    });
    svg.paths("mesh", triangles);
}

fn volumes(svg: &mut Svg, view: &View, at: DVec2, tree: &Planted, level: u32) {
    let is_flat = is_upright(tree);
    for class in ["sphere", "aabb", "obb", "kdop", "cylinder"] {
        let bounds = tree.levels.cut(level).filter_map(|node| node.bound);
        let wires = bounds.filter(|bound| class_of(bound.family) == class);
        let wires = wires.flat_map(|bound| bound.shape.wires());
        let place = |point: DVec3| view.place(at, if is_flat { point } else { view.stood(point) });
        svg.paths(class, wires.map(|wire| wire.into_iter().map(place).collect::<Vec<_>>()));
    }
}

fn class_of(family: Family) -> &'static str {
    match family {
        Family::Sphere => "sphere",
        Family::Aabb | Family::TimeBox => "aabb",
        Family::Obb | Family::TimeObb => "obb",
        Family::Cylinder => "cylinder",
        Family::Kdop14 | Family::Kdop18 | Family::Kdop24 | Family::Kdop26 => "kdop",
    }
}

/// Whether its volumes have z up already.
fn is_upright(tree: &Planted) -> bool {
    matches!(tree.tree, Built::Circles(_) | Built::Motion(_))
}

fn way(trace: &Trace) -> impl Iterator<Item = DVec3> + '_ {
    trace.samples().enumerate().map(|(k, it)| it.center.extend(k as f64 * trace.dt()))
}

fn stood(subject: &Subject, point: DVec3) -> DVec3 {
    let up = up(subject.up);
    up.ground(point).extend(up.height(point))
}

/// From the world, z up, to a panel.
struct View {
    low: DVec2,
    scale: f64,
    /// What heights are multiplied by: of motions, time is as long as the ground is wide.
    stretch: f64,
    size: DVec2,
    up: elbowroom_motion::space_time::Up,
}

impl View {
    fn new(subject: &Subject, tree: &Planted, width: f64, height: f64) -> Self {
        let root = |node: &LevelNode| node.bound.map(|bound| bound.shape.around().corners());
        let corners = tree.levels.nodes().first().and_then(root).unwrap_or_default();
        let mut view = Self {
            low: DVec2::ZERO,
            scale: 1.0,
            stretch: 1.0,
            size: DVec2::new(width, height),
            up: up(subject.up),
        };
        let points = corners.map(|p| if is_upright(tree) { p } else { view.stood(p) });
        let low = points.into_iter().reduce(DVec3::min).unwrap_or_default();
        let high = points.into_iter().reduce(DVec3::max).unwrap_or_default();
        if tree.named.sort() == Sort::Motions {
            let across = (high - low).truncate().length().max(1e-9);
            view.stretch = across / (high.z - low.z).max(1e-9);
        }
        let flat = points.map(|point| view.flat(point));
        let least = flat.into_iter().reduce(DVec2::min).unwrap_or_default();
        let most = flat.into_iter().reduce(DVec2::max).unwrap_or_default();
        let extent = (most - least).max(DVec2::splat(1e-30));
        view.scale = (view.size / extent).min_element();
        view.low = 0.5 * (least + most) - 0.5 * view.size / view.scale;
        view
    }

    fn stood(&self, point: DVec3) -> DVec3 {
        self.up.ground(point).extend(self.up.height(point))
    }

    /// As an eye sees it that stands 35° to the left of the x axis, and 20° above.
    fn flat(&self, point: DVec3) -> DVec2 {
        let p = point * DVec3::new(1.0, 1.0, self.stretch);
        let right = DVec3::new(-0.573_576, 0.819_152, 0.0);
        let up = DVec3::new(-0.280_166, -0.196_175, 0.939_693);
        DVec2::new(p.dot(right), p.dot(up))
    }

    fn place(&self, at: DVec2, point: DVec3) -> (f64, f64) {
        let p = self.scale * (self.flat(point) - self.low);
        (at.x + p.x, at.y + self.size.y - p.y)
    }
}

const ROW: f64 = 20.0;
const NAMES: f64 = 150.0;
const MIDDLE: f64 = 540.0;

/// Two files: what each kind tests, and how long that takes.
fn chart(findings: &Findings, title: &str) -> String {
    let mut svg = Svg::new(STYLE);
    svg.text("title", LEFT, 30.0, Anchor::Start, title);
    let mut y = 44.0;
    for comparison in &findings.comparisons {
        y = bars(&mut svg, y, comparison);
    }
    svg.finish(WIDTH, y + 12.0, title)
}

fn bars(svg: &mut Svg, y: f64, comparison: &Comparison) -> f64 {
    let questions = count(comparison.questions as u64, "question");
    let head = format!("{questions}, {} with contact", grouped(comparison.contacts as u64));
    svg.text("head", LEFT, y + 20.0, Anchor::Start, &head);
    svg.text("label", NAMES, y + 42.0, Anchor::Start, "pairs of nodes visited (blue)");
    svg.text(
        "label",
        MIDDLE,
        y + 42.0,
        Anchor::Start,
        "CPU time of all questions (orange; grey: the engine)",
    );
    let top = y + 50.0;
    let height = ROW * comparison.rows.len() as f64;
    let visited = |row: &Row| row.work.as_ref().map_or(0.0, |work| work.visited as f64);
    let room = MIDDLE - NAMES - 70.0;
    let tests = Axis::fit(true, comparison.rows.iter().map(visited), true);
    let tests = tests.on(NAMES, NAMES + room);
    let times = Axis::fit(true, comparison.rows.iter().map(|row| 1e3 * row.query_secs), true);
    let times = times.on(MIDDLE, MIDDLE + room);
    let frame = |x: f64| Frame { x, y: top, width: room, height };
    tests.draw_below(svg, frame(NAMES), "");
    times.draw_below(svg, frame(MIDDLE), "milliseconds");
    for (row, place) in comparison.rows.iter().zip(0..) {
        let y = top + ROW * f64::from(place);
        svg.text("label", NAMES - 8.0, y + 14.0, Anchor::End, row.name);
        let mut bar = |axis: &Axis, value: f64, class: &str, text: &str| {
            let end = axis.find(value).unwrap_or_else(|| axis.base());
            let width = (end - axis.base()).max(0.0);
            svg.rect(class, Frame { x: axis.base(), y: y + 3.0, width, height: ROW - 6.0 });
            svg.text("label", end + 5.0, y + 14.0, Anchor::Start, text);
        };
        if let Some(work) = &row.work {
            bar(&tests, work.visited as f64, "tests", &grouped(work.visited));
        }
        let class = if row.work.is_none() { "engine" } else { "time" };
        bar(&times, 1e3 * row.query_secs, class, &secs(row.query_secs));
    }
    top + height + 52.0
}
