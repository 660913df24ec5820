//! Completions and pages for `man`.

use crate::desk::Desk;

#[test]
fn shells_are_told_of_every_command() {
    let desk = Desk::new();
    let mut met = 0;
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = desk.run(&["completions", shell]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{shell}");
        assert!(run.out.contains("check") && run.out.contains("resume"), "{shell}");
        met += 1;
    }
    assert_eq!(met, 5);
    assert_eq!(desk.run(&["completions", "dos"]).code, 2);
}

#[test]
fn every_command_has_a_page() {
    let desk = Desk::new();
    let run = desk.run(&["man", "pages/man1"]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
    let page = |name: &str| std::fs::read_to_string(desk.path().join("pages/man1").join(name));
    assert!(page("elbowroom.1").is_ok_and(|text| text.contains("elbowroom")));
    let check = page("elbowroom-check.1").expect("a page");
    assert!(check.contains("Exit code") && check.contains("ndjson"), "{check}");
    desk.put("taken", "");
    assert_eq!(desk.run(&["man", "taken"]).code, 2);
}
