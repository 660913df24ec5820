//! The report as one page that opens by itself: no script, no network, charts and pictures within.
//!
//! Charts are images of their own, so that the styles of one do not reach into another, and each
//! follows the reader's light or dark.

mod parts;

use std::fmt::Write;

use self::parts::{escaped, picture, prose as set, section_body};
use super::book::{self, Book, Chapter, Tally, VERDICTS};
use super::number::duration;
use super::prose;

const STYLE: &str = include_str!("style.css");

/// The page.
pub(super) fn page(book: &Book) -> String {
    let mut out = String::with_capacity(1 << 20);
    let title = prose::TITLE;
    out.extend([
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
    ]);
    push!(out, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n");
    out.push_str("<div class=\"page\">\n");
    contents(&mut out, book);
    out.push_str("<main>\n");
    opening(&mut out, book);
    summary(&mut out, book);
    for chapter in &book.chapters {
        told(&mut out, book, chapter);
    }
    out.push_str("</main>\n</div>\n</body>\n</html>\n");
    out
}

/// What there is, and where.
fn contents(out: &mut String, book: &Book) {
    out.push_str(
        "<nav aria-label=\"Contents\">\n<b><a href=\"#top\">elbowroom lab report</a></b>\n",
    );
    out.push_str("<a href=\"#verdicts\">Verdicts</a>\n<a href=\"#how\">How to read this</a>\n");
    for chapter in &book.chapters {
        let name = escaped(chapter.paper.name);
        push!(out, "<b><a href=\"#{}\">{name}</a></b>\n", anchor(chapter));
        for section in &chapter.sections {
            let (id, title) = (section.experiment.id, escaped(section.experiment.title));
            push!(out, "<a href=\"#{id}\">{title}</a>\n");
        }
    }
    out.push_str("</nav>\n");
}

fn anchor(chapter: &Chapter) -> String {
    chapter.paper.prefix.to_lowercase()
}

fn opening(out: &mut String, book: &Book) {
    push!(out, "<header id=\"top\">\n<h1>{}</h1>\n", prose::TITLE);
    push!(out, "<p class=\"lead\">{}</p>\n", escaped(prose::OPENING));
    for line in prose::made(book) {
        push!(out, "<p class=\"meta\">{}</p>\n", set(&line));
    }
    out.push_str("</header>\n");
}

/// The matrix of verdicts, and how to read it.
fn summary(out: &mut String, book: &Book) {
    out.push_str("<section>\n<h2 id=\"verdicts\">Verdicts</h2>\n");
    push!(out, "<p>{}</p>\n", escaped(&prose::in_all(book)));
    out.push_str("<div class=\"scroll\"><table class=\"matrix\">\n<thead><tr><th>Paper</th>");
    for verdict in VERDICTS {
        push!(out, "<th class=\"n\">{}</th>", book::name(verdict));
    }
    out.push_str("<th>Each claim</th></tr></thead>\n<tbody>\n");
    for chapter in &book.chapters {
        matrix_row(out, book, chapter);
    }
    out.push_str("</tbody></table></div>\n<h3 id=\"how\">How to read this</h3>\n");
    for paragraph in prose::HOW.into_iter().chain([prose::COLUMNS]) {
        push!(out, "<p>{}</p>\n", set(paragraph));
    }
    out.push_str("<p class=\"legend\">");
    for verdict in VERDICTS {
        push!(out, "<span>{} {}</span>", chip(verdict), escaped(prose::meaning(verdict)));
    }
    out.push_str("</p>\n</section>\n");
}

fn matrix_row(out: &mut String, book: &Book, chapter: &Chapter) {
    let entries = book.entries(chapter);
    let tally: Tally = book::tally(entries.iter().map(book::Entry::verdict));
    push!(out, "<tr><td><a href=\"#{}\">{}</a></td>", anchor(chapter), escaped(chapter.paper.name));
    for count in tally {
        push!(
            out,
            "<td class=\"n\">{}</td>",
            if count == 0 { "–".to_owned() } else { count.to_string() }
        );
    }
    out.push_str("<td><div class=\"cells\">");
    for entry in &entries {
        let (verdict, id) = (entry.verdict(), entry.id);
        let class = parts::class(verdict);
        let title = format!("{id}: {} ({})", entry.says, book::name(verdict));
        let title = escaped(&title);
        let sign = book::sign(verdict);
        let place = format!(" href=\"#{id}\"");
        let href = if entry.decided.is_some() { place.as_str() } else { "" };
        push!(out, "<a class=\"cell {class}\"{href} title=\"{title}\">{sign}</a>");
    }
    out.push_str("</div></td></tr>\n");
}

fn chip(verdict: Option<elbowroom_lab::Verdict>) -> String {
    let (class, sign, name) = (parts::class(verdict), book::sign(verdict), book::name(verdict));
    format!("<span class=\"chip {class}\">{sign} {name}</span>")
}

/// A paper: what it did, pictures, and its experiments.
fn told(out: &mut String, book: &Book, chapter: &Chapter) {
    let paper = chapter.paper;
    push!(out, "<section>\n<h2 id=\"{}\">{}</h2>\n", anchor(chapter), escaped(paper.title));
    if !paper.authors.is_empty() {
        push!(
            out,
            "<p class=\"by\">{}, {}. Here: {}.</p>\n",
            escaped(paper.authors),
            escaped(paper.appeared),
            paper.name
        );
    }
    out.push_str("<dl class=\"told\">\n");
    for (name, text) in prose::introduction(paper) {
        push!(out, "<dt>{name}</dt><dd>{}</dd>\n", set(text));
    }
    out.push_str("</dl>\n");
    undecided(out, book, chapter);
    for drawn in &chapter.pictures {
        picture(out, drawn);
    }
    for section in &chapter.sections {
        let e = section.experiment;
        push!(out, "<h3 id=\"{}\">{}</h3>\n<p class=\"meta\">", e.id, escaped(e.title));
        push!(out, "{} · <code>elbowroom lab run {}</code>", escaped(e.place), e.id);
        push!(out, " · took {}</p>\n", duration(section.secs));
        section_body(out, section);
    }
    out.push_str("</section>\n");
}

/// What the paper says that was not examined.
fn undecided(out: &mut String, book: &Book, chapter: &Chapter) {
    let entries = book.entries(chapter);
    let open: Vec<_> = entries.iter().filter(|entry| entry.decided.is_none()).collect();
    if open.is_empty() {
        return;
    }
    out.push_str("<details><summary>Not decided here <span>");
    push!(out, "({})</span></summary>\n<ul class=\"notes\">\n", open.len());
    for entry in open {
        let (id, place) = (entry.id, escaped(entry.place));
        push!(out, "<li><span class=\"id\">{id}</span>, {place}: {}</li>\n", escaped(entry.says));
    }
    out.push_str("</ul></details>\n");
}
