//! Which modules a source file names.
//!
//! Comments and literals are blanked out in place; then every path that begins with `crate`,
//! `super` or `self` is read, with the braces of a `use`. That is all that is needed, because a
//! path that begins otherwise leads into another crate or down into a module's own children.
//!
//! Not seen: what a macro makes of parts, and names that come from a glob.

/// What a file says about modules.
pub(crate) struct Source {
    /// The paths that it names, from the crate's root.
    pub(crate) paths: Vec<Named>,
    /// The child modules that exist in tests alone.
    pub(crate) tests: Vec<String>,
}

/// A path from the crate's root.
pub(crate) struct Named {
    pub(crate) names: Vec<String>,
    pub(crate) line: usize,
}

/// Reads a file; `module` is the path of its module from the crate's root.
pub(crate) fn read(text: &str, module: &[String]) -> Source {
    let tokens = tokens(&blank(text));
    let mut reader = Reader {
        tokens: &tokens,
        at: 0,
        module: module.to_vec(),
        source: Source { paths: Vec::new(), tests: Vec::new() },
    };
    reader.read();
    reader.source
}

/// A name or a sign, and its line.
struct Token {
    text: String,
    line: usize,
}

/// Replaces comments and literals by spaces.
fn blank(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'/' if bytes[at..].starts_with(b"//") => end_of_line(&bytes, at),
            b'/' if bytes[at..].starts_with(b"/*") => end_of_block(&bytes, at),
            b'"' => end_of_string(&bytes, at),
            b'\'' => end_of_character(text, at),
            b'r' if at == 0 || !is_name(bytes[at - 1]) || bytes[at - 1] == b'b' => {
                end_of_raw_string(&bytes, at)
            }
            _ => at + 1,
        };
        if end > at + 1 {
            for byte in &mut bytes[at..end] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
        at = end;
    }
    bytes
}

fn is_name(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

fn end_of_line(bytes: &[u8], start: usize) -> usize {
    bytes[start..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |n| start + n)
}

/// Comments nest.
fn end_of_block(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0_usize);
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    at
}

fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// A lifetime ends where it begins.
fn end_of_character(text: &str, start: usize) -> usize {
    let mut characters = text[start + 1..].char_indices();
    match (characters.next(), characters.next()) {
        (Some((_, '\\')), Some((at, escaped))) => {
            let from = start + 1 + at + escaped.len_utf8();
            text[from..].find('\'').map_or(text.len(), |n| from + n + 1)
        }
        (Some(_), Some((at, '\''))) => start + 1 + at + 1,
        _ => start + 1,
    }
}

/// A raw identifier, and any other name, ends where it begins.
fn end_of_raw_string(bytes: &[u8], start: usize) -> usize {
    let hashes = bytes[start + 1..].iter().take_while(|&&byte| byte == b'#').count();
    let open = start + 1 + hashes;
    if bytes.get(open) != Some(&b'"') {
        return start + 1;
    }
    let mut close = vec![b'"'];
    close.resize(1 + hashes, b'#');
    let rest = &bytes[open + 1..];
    let length = rest.windows(close.len()).position(|window| window == close);
    length.map_or(bytes.len(), |n| open + 1 + n + close.len())
}

fn tokens(code: &[u8]) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < code.len() {
        let start = at;
        at += 1;
        match code[start] {
            b'\n' => line += 1,
            byte if byte.is_ascii_whitespace() => {}
            byte if is_name(byte) => {
                while at < code.len() && is_name(code[at]) {
                    at += 1;
                }
                let text = String::from_utf8_lossy(&code[start..at]).into_owned();
                tokens.push(Token { text, line });
            }
            b':' if code.get(at) == Some(&b':') => {
                at += 1;
                tokens.push(Token { text: "::".to_owned(), line });
            }
            byte => tokens.push(Token { text: char::from(byte).to_string(), line }),
        }
    }
    tokens
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    /// Where the reader is.
    module: Vec<String>,
    source: Source,
}

impl Reader<'_> {
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &token.text)
    }

    fn are(&self, texts: &[&str]) -> bool {
        texts.iter().enumerate().all(|(i, text)| self.text(self.at + i) == *text)
    }

    /// Reads up to the brace that closes what the reader is in, or to the end.
    fn read(&mut self) {
        while self.at < self.tokens.len() {
            let after_path = self.at > 0 && ["::", "."].contains(&self.text(self.at - 1));
            if self.are(&["#", "[", "cfg", "(", "test", ")", "]"]) {
                self.at += 7;
                self.skip_item();
            } else if self.text(self.at) == "mod" && self.text(self.at + 2) == "{" {
                self.module.push(self.text(self.at + 1).to_owned());
                self.at += 3;
                self.read();
                self.module.pop();
            } else if self.text(self.at) == "{" {
                self.at += 1;
                self.read();
            } else if self.text(self.at) == "}" {
                self.at += 1;
                return;
            } else if !after_path && self.text(self.at + 1) == "::" && self.is_start() {
                self.path();
            } else {
                self.at += 1;
            }
        }
    }

    fn is_start(&self) -> bool {
        ["crate", "super", "self"].contains(&self.text(self.at))
    }

    /// Skips an item that is for tests alone.
    fn skip_item(&mut self) {
        let mut depth = 0;
        while self.at < self.tokens.len() {
            if depth == 0 && self.text(self.at) == "mod" {
                self.source.tests.push(self.text(self.at + 1).to_owned());
            }
            match self.text(self.at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            let is_end = depth == 0 && [";", "}"].contains(&self.text(self.at));
            self.at += 1;
            if is_end && self.text(self.at) != ";" {
                return;
            }
        }
    }

    /// Reads a path that begins with `crate`, `super` or `self`.
    fn path(&mut self) {
        let mut names = Vec::new();
        if self.text(self.at) != "crate" {
            names.clone_from(&self.module);
        }
        while self.is_start() && self.text(self.at + 1) == "::" {
            if self.text(self.at) == "super" {
                names.pop();
            }
            self.at += 2;
        }
        self.tree(names);
    }

    /// Reads what follows a prefix: names, and braces with more of them.
    fn tree(&mut self, mut names: Vec<String>) {
        let line = self.tokens.get(self.at).map_or(0, |token| token.line);
        loop {
            match self.text(self.at) {
                "{" => {
                    self.at += 1;
                    while !["}", ""].contains(&self.text(self.at)) {
                        if self.text(self.at) == "," {
                            self.at += 1;
                        } else {
                            self.tree(names.clone());
                        }
                    }
                    self.at += 1;
                    return;
                }
                // All that the prefix has, or the prefix itself.
                "*" | "self" => {}
                name => names.push(name.to_owned()),
            }
            self.at += 1;
            if self.text(self.at) != "::" || self.text(self.at + 1) == "<" {
                break;
            }
            self.at += 1;
        }
        if self.text(self.at) == "as" {
            self.at += 2;
        }
        self.source.paths.push(Named { names, line });
    }
}
