//! Every error points at its place and says what to do.

use elbowroom_io::scene_file::Outline;
use elbowroom_io::{ReadOptions, read_scene};
use proptest::prelude::*;

use super::common::{CUBE, Folder, example};

/// A scene file, the line and column of its fault, and words that the message has.
pub(crate) const FAULTS: [(&str, (usize, usize), &str); 36] = [
    ("", (1, 1), "nothing is in the scene"),
    ("fps = 30\n", (1, 1), "nothing is in the scene"),
    ("fps = = 3\n", (1, 7), "this is not TOML"),
    ("fps = 30\nfsp = 2\n", (2, 1), "a scene has no `fsp`; is it `fps`?"),
    ("fps = 0\n", (1, 7), "`fps` is 0; give a number above 0"),
    ("fps = -1.5\n", (1, 7), "`fps` is -1.5"),
    ("fps = nan\n", (1, 7), "a finite number"),
    ("fps = 'x'\n", (1, 7), "`fps` is a number, not a value of the kind string"),
    ("frames = 0\n", (1, 10), "there has to be one at least"),
    ("frames = [5, 3]\n", (1, 10), "backwards"),
    ("frames = [5]\n", (1, 10), "[first, last]"),
    ("frames = [-1, 3]\n", (1, 11), "a whole number from 0"),
    ("up = 'w'\n", (1, 6), "\"x\", \"y\" or \"z\""),
    ("units = 'miles'\n", (1, 9), "metres in a unit"),
    ("units = 0\n", (1, 9), "metres in a unit"),
    ("allow = [['a']]\n", (1, 10), "two names"),
    ("allow = ['a']\n", (1, 10), "a list of pairs"),
    ("[model]\nfile = 'x'\n", (1, 1), "write [[model]] above each"),
    ("[[model]]\nname = 'x'\n", (1, 1), "[[model]] needs `file`"),
    ("[[model]]\nfile = 'x'\nclip = 'y'\n", (3, 1), "[[model]] has no `clip`"),
    ("[[model]]\nfile = 3\n", (2, 8), "`file` is text in quotes, not a value of the kind integer"),
    ("[[model]]\nfile = ''\n", (2, 8), "`file` is empty"),
    ("[[model]]\nfile = 'x'\nposition = [1, 2]\n", (3, 12), "[x, y, z], three numbers"),
    ("[[model]]\nfile = 'x'\nposition = [1, 2, 'z']\n", (3, 19), "a number"),
    ("[[model]]\nfile = 'x'\nscale = 0\n", (3, 9), "`scale` is 0"),
    ("[[model]]\nfile = 'x'\nrotation = [0, 0, 0, 0]\n", (3, 12), "not all of them 0"),
    (
        "[[model]]\nfile = 'x'\nheading = 1\nrotation = [0, 0, 0, 1]\n",
        (4, 12),
        "one of them is enough",
    ),
    ("[[character]]\nfile = 'x'\nloop = 1\n", (3, 8), "true or false"),
    ("[[character]]\nfile = 'x'\nspeed = 0\n", (3, 9), "give a number above 0"),
    ("[[character]]\nfile = 'x'\nclip = 'a'\nmotion = 'b'\n", (1, 1), "use one of them"),
    ("[[character]]\nfile = 'x'\nmotion = { fiel = 'b' }\n", (3, 12), "is it `file`?"),
    ("[[character]]\nfile = 'x'\nvalues = []\n", (3, 10), "`values` is empty"),
    ("[[crowd]]\ncharacters = ['make:man']\n", (1, 1), "[[crowd]] needs `trajectories`"),
    ("[[crowd]]\ntrajectories = 'x'\n", (1, 1), "[[crowd]] needs `characters`"),
    (
        "[[crowd]]\ntrajectories = 'x'\ncharacters = ['a']\nseed = -1\n",
        (4, 8),
        "a whole number from 0",
    ),
    (
        "[[crowd]]\ntrajectories = 'x'\ncharacters = ['a']\nrotation = [0,0,0,1]\n",
        (4, 1),
        "no `rotation`",
    ),
];

#[test]
fn texts_that_are_wrong_by_themselves() {
    let mut met = 0;
    for (text, place, words) in FAULTS {
        let trouble = Outline::parse(text).expect_err(text);
        assert_eq!(trouble.place(text), place, "{text}: {}", trouble.message());
        assert!(trouble.message().contains(words), "{text}: {}", trouble.message());
        met += 1;
    }
    assert_eq!(met, 36);
}

#[test]
fn what_only_the_files_show() {
    let folder = Folder::new();
    folder.put("cube.obj", CUBE);
    folder.put("bad.obj", "v 0 0 0\nf 1 2 3\n");
    folder.put("empty.csv", "id,frame,x,y\n");
    folder.put(
        "skeleton.bvh",
        "HIERARCHY\nROOT a {\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION\nFrames: 0\nFrame Time: 1\n",
    );
    folder.put("poses.json", "[[1,2]]");
    let man = "[[character]]\nfile = 'make:man'\n";
    let cases = [
        ("[[model]]\nfile = 'none.obj'\n".to_owned(), (2, 8), "there is no file"),
        ("[[model]]\nfile = 'bad.obj'\n".to_owned(), (2, 8), "bad.obj:2: "),
        ("[[model]]\nfile = 'cube.xyz'\n".to_owned(), (2, 8), "there is no file"),
        ("[[model]]\nfile = 'skeleton.bvh'\n".to_owned(), (2, 8), "holds no mesh"),
        ("[[model]]\nfile = 'make:dragon'\n".to_owned(), (2, 8), "there are make:man"),
        (
            "[[model]]\nfile = 'cube.obj'\nposes = 'poses.json'\n".to_owned(),
            (3, 9),
            "pose 0: 2 numbers",
        ),
        ("[[model]]\nfile = 'cloth.####.obj'\n".to_owned(), (2, 8), "cloth.####.obj"),
        (
            "[[model]]\nfile = 'cube.obj'\n[[model]]\nfile = 'cube.obj'\n".to_owned(),
            (3, 1),
            "the name \"cube\" is taken",
        ),
        (
            man.to_owned(),
            (2, 8),
            "give the `clip` to play, or \"\" for none; there are 9 clips: 0 \"walk\"",
        ),
        (
            format!("{man}clip = 'fly'\n"),
            (3, 8),
            "no clip is called \"fly\"; there are 9 clips: 0 \"walk\"",
        ),
        (format!("{man}motion = 'none.bvh'\n"), (3, 10), "there is no file"),
        (format!("{man}motion = 'cube.obj'\n"), (3, 10), "holds no motion"),
        (
            format!("{man}motion = {{ file = 'make:woman', clip = 'fly' }}\n"),
            (3, 40),
            "no clip is called \"fly\"",
        ),
        (format!("{man}values = [1]\n"), (3, 10), "the freedoms take 0"),
        (
            format!("allow = [['man', 'cup']]\n{man}clip = 'walk'\n"),
            (1, 18),
            "nothing is called so",
        ),
        (format!("allow = [['mam', 'man']]\n{man}clip = 'walk'\n"), (1, 11), "is it \"man\"?"),
        (
            "[[crowd]]\ntrajectories = 'empty.csv'\ncharacters = ['make:man']\n".to_owned(),
            (2, 16),
            "empty.csv",
        ),
        ("[[model]]\nfile = 'cube.obj'\nscale = 1e200\n".to_owned(), (1, 1), "beyond all numbers"),
    ];
    let count = cases.len();
    for (text, place, words) in cases {
        let error = folder.read(&text).map(|_| ()).expect_err(&text);
        assert_eq!(error.place(), Some(place), "{text}: {error}");
        assert!(error.message().contains(words), "{text}: {error}");
        let start = format!("scene.toml:{}:{}: ", place.0, place.1);
        assert!(error.to_string().contains(&start), "{error}");
    }
    assert_eq!(count, 18);
}

#[test]
fn names_that_lead_out_are_refused() {
    let folder = Folder::new();
    folder.put("cube.obj", CUBE);
    let mut met = 0;
    for name in
        ["../cube.obj", "/etc/passwd", "a/../../cube.obj", "..\\\\cube.obj", "../c.####.obj"]
    {
        let path = folder.put("inner/scene.toml", format!("[[model]]\nfile = \"{name}\"\n"));
        let error = read_scene(&path, &ReadOptions::default()).map(|_| ()).expect_err(name);
        assert!(error.message().contains("leads out of the folder"), "{error}");
        assert!(error.message().contains("--allow-outside"), "{error}");
        met += 1;
    }
    assert_eq!(met, 5);
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_are_refused() {
    let folder = Folder::new();
    folder.put("cube.obj", CUBE);
    let path = folder.put("inner/scene.toml", "[[model]]\nfile = 'link.obj'\n");
    std::os::unix::fs::symlink("../cube.obj", folder.path().join("inner/link.obj")).unwrap();
    let error = read_scene(&path, &ReadOptions::default()).map(|_| ()).unwrap_err();
    assert!(error.message().contains("leads out of the folder"), "{error}");
    // Within the folder a link is as good as a file.
    folder.put("inner/own.obj", CUBE);
    std::fs::remove_file(folder.path().join("inner/link.obj")).unwrap();
    std::os::unix::fs::symlink("own.obj", folder.path().join("inner/link.obj")).unwrap();
    assert!(read_scene(&path, &ReadOptions::default()).is_ok());
}

#[test]
fn files_that_are_no_scene_files() {
    let folder = Folder::new();
    let options = ReadOptions::default();
    let error = |path: &std::path::Path| read_scene(path, &options).map(|_| ()).unwrap_err();
    let absent = error(&folder.path().join("none.toml"));
    assert!(absent.to_string().contains("none.toml: no such file"), "{absent}");
    assert!(error(folder.path()).message().contains("directory"));
    let latin = folder.put("latin.toml", b"# caf\xe9\nfps = 1\n");
    assert!(error(&latin).message().contains("line 1 is not UTF-8"));
    let deep = folder.put("deep.toml", format!("a = {}", "[".repeat(100_000)));
    assert!(error(&deep).message().contains("nest deeper than 80"));
    let marked = folder.put("marked.toml", "\u{feff}fps = 0\n");
    assert_eq!(error(&marked).place(), Some((1, 7)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Any text gives an outline or an error within it.
    #[test]
    fn any_text(text in "[\\[\\]a-z= '\"\\.0-9\\n{},#é-]{0,80}") {
        if let Err(trouble) = Outline::parse(&text) {
            let (line, column) = trouble.place(&text);
            prop_assert!(line >= 1 && column >= 1 && line <= text.lines().count() + 1);
        }
    }

    /// The example with a piece cut out and another put in.
    #[test]
    fn spoiled_examples(at in 0_usize..1200, length in 0_usize..40, put in "[\\[\\]a-z= '\"0-9\\n]{0,8}") {
        let mut text = example();
        let start = (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        let end = (start + length).min(text.len());
        let end = (end..=text.len()).find(|&i| text.is_char_boundary(i)).unwrap_or(text.len());
        text.replace_range(start..end, &put);
        let _ = Outline::parse(&text);
    }
}
