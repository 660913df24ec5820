//! The raw bytes behind a file: its binary chunk, data URIs and files beside it.
//!
//! A URI that names a file is decoded (`%20`) and then taken as a path below the folder of the
//! glTF. One that is absolute, has a scheme or climbs out of the folder with `..` is refused,
//! unless the caller allows it: a downloaded model has no business reading elsewhere. Of a
//! file no more is read than the buffer says it has.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use crate::bytes::check_file;
use crate::document::ReadOptions;
use crate::error::Fault;
use crate::odd::too_large;
use crate::text::{grouped, quote};

use super::schema::{Buffer, Root};

/// All buffers of a file, each with exactly the length that it declares.
pub(super) fn load<'a>(
    root: &Root,
    chunk: Option<&'a [u8]>,
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Vec<Cow<'a, [u8]>>, Fault> {
    let mut left = options.max_decoded_bytes;
    let mut loaded = Vec::new();
    for (index, buffer) in root.buffers.iter().enumerate() {
        if buffer.is_stand_in() {
            loaded.push(Cow::Borrowed(&[][..]));
            continue;
        }
        let bytes = match &buffer.uri {
            None => Cow::Borrowed(chunk.filter(|_| index == 0).ok_or_else(|| no_bytes(index))?),
            Some(uri) => {
                left = left
                    .checked_sub(buffer.byte_length as u64)
                    .ok_or_else(|| too_large(options.max_decoded_bytes))?;
                Cow::Owned(fetch(index, buffer, uri, folder, options)?)
            }
        };
        loaded.push(exact(index, buffer, bytes)?);
    }
    Ok(loaded)
}

/// Cuts off padding; a buffer that is shorter than it says is an error.
fn exact<'a>(index: usize, buffer: &Buffer, bytes: Cow<'a, [u8]>) -> Result<Cow<'a, [u8]>, Fault> {
    if bytes.len() < buffer.byte_length {
        let [said, held] = [buffer.byte_length, bytes.len()].map(|n| grouped(n as u64));
        return Err(Fault::whole(format!(
            "buffer {index} states {said} bytes but holds {held}; it is truncated: copy or export it again"
        )));
    }
    Ok(match bytes {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..buffer.byte_length]),
        Cow::Owned(mut bytes) => {
            bytes.truncate(buffer.byte_length);
            Cow::Owned(bytes)
        }
    })
}

fn no_bytes(index: usize) -> Fault {
    Fault::whole(format!(
        "buffer {index} has neither a URI nor a binary chunk behind it; export the file again as GLB, without mesh compression"
    ))
}

fn fetch(
    index: usize,
    buffer: &Buffer,
    uri: &str,
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Vec<u8>, Fault> {
    let shown = quote(uri.as_bytes());
    if let Some(data) = uri.strip_prefix("data:") {
        let encoded = data.split_once(',').filter(|(kind, _)| kind.ends_with(";base64"));
        return encoded.and_then(|(_, text)| decode_base64(text.as_bytes())).ok_or_else(|| {
            Fault::whole(format!(
                "the data URI {shown} of buffer {index} is not base64; export the file again as GLB"
            ))
        });
    }
    let Some(folder) = folder else {
        return Err(Fault::whole(format!(
            "buffer {index} lies in the file {shown}; read the glTF by its path, or pack it as GLB"
        )));
    };
    let below = relative(uri, options.allow_outside).ok_or_else(|| {
        Fault::whole(format!(
            "buffer {index} names {shown}, which is not a file below the folder of the glTF; put it beside the glTF, or pack it as GLB"
        ))
    })?;
    read_file(&folder.join(below), buffer.byte_length)
        .map_err(|why| Fault::whole(format!("buffer {index} names {shown}, which {why}")))
}

fn read_file(path: &Path, length: usize) -> Result<Vec<u8>, String> {
    check_file(path).map_err(|error| format!("cannot be read: {}", error.message()))?;
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| format!("cannot be read: {error}"))?;
    file.take(length as u64)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("cannot be read: {error}"))?;
    Ok(bytes)
}

/// The path that a URI means, if it stays below its folder or `outside` is allowed.
fn relative(uri: &str, outside: bool) -> Option<PathBuf> {
    // A scheme is letters before a colon; one letter is a drive.
    let scheme = uri.split_once(':').is_some_and(|(before, _)| !before.contains('/'));
    let path = PathBuf::from(percent_decoded(uri)?);
    let mut depth = 0_i32;
    for component in path.components() {
        match component {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir => depth -= 1,
            Component::Prefix(_) | Component::RootDir => depth = i32::MIN / 2,
        }
        if depth < 0 && !outside {
            return None;
        }
    }
    (!scheme && !path.as_os_str().is_empty()).then_some(path)
}

fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = tail.first_chunk::<2>().and_then(|two| std::str::from_utf8(two).ok());
        let code = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        (bytes, rest) = match code {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                (bytes, &tail[2..])
            }
            // Exporters forget to encode; what is no code stands for itself.
            _ => {
                bytes.push(*first);
                (bytes, tail)
            }
        };
    }
    // Backslashes separate folders on some systems only: the same file must mean the same
    // everywhere.
    let text = String::from_utf8(bytes).ok()?;
    (!text.contains(['\\', '\0'])).then_some(text)
}

/// RFC 4648, with or without padding; `None` if there is anything else in it.
pub(super) fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    let end = text.iter().rposition(|&byte| byte != b'=').map_or(0, |last| last + 1);
    let mut bytes = Vec::with_capacity(end / 4 * 3 + 2);
    for group in text[..end].chunks(4) {
        if group.len() == 1 {
            return None;
        }
        let mut bits = 0_u32;
        for &digit in group {
            bits = bits << 6 | base64_digit(digit)?;
        }
        bits <<= 6 * (4 - group.len());
        bytes.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    Some(bytes)
}

fn base64_digit(byte: u8) -> Option<u32> {
    let digit = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_every_length() {
        let cases =
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmE", "fooba")];
        for (text, bytes) in cases {
            assert_eq!(decode_base64(text.as_bytes()).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        assert_eq!(decode_base64(b"+/+/").unwrap(), [0xfb, 0xff, 0xbf]);
        for bad in ["A", "AAAAA", "A A=", "=AAA", "ab\u{e9}"] {
            assert_eq!(decode_base64(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn paths_stay_below_the_folder() {
        for good in ["a.bin", "a/b.bin", "a/../b.bin", "./a.bin", "a%20b.bin", "50%.bin"] {
            assert!(relative(good, false).is_some(), "{good}");
        }
        assert_eq!(relative("a%20b.bin", false).unwrap(), Path::new("a b.bin"));
        let bad = [
            "../a.bin",
            "a/../../b.bin",
            "/etc/passwd",
            "%2e%2e/a",
            "a/%2e%2e/../b",
            "..\\a",
            "",
            "http://a/b",
            "file:a",
        ];
        for bad in bad {
            assert_eq!(relative(bad, false), None, "{bad}");
        }
        assert!(relative("../a.bin", true).is_some());
        assert_eq!(relative("http://a/b", true), None);
    }
}
