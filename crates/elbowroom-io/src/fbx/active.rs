//! The animation stack that an FBX file marks as active.
//!
//! The mark is a property of the file's document, `ActiveAnimStackName`, which `ufbx` does not pass
//! on unless it keeps the whole file in memory a second time. So the bytes are searched for it. A
//! wrong guess does no harm: a name that no stack has means that there is no mark.

/// The property's name.
const NAME: &[u8] = b"ActiveAnimStackName";

/// The document stands before all objects, behind the header and a thumbnail.
const SEARCHED: usize = 1 << 20;

/// The type, the type's label, the flags and the value follow the name.
const VALUE: usize = 3;

/// The name of the active stack; `None` if the file does not mark one.
pub(super) fn stack_name(bytes: &[u8]) -> Option<&[u8]> {
    let head = &bytes[..bytes.len().min(SEARCHED)];
    let at = head.windows(NAME.len()).position(|window| window == NAME)?;
    let rest = &head[at + NAME.len()..];
    let name = if rest.first() == Some(&b'"') { quoted(&rest[1..])? } else { counted(rest)? };
    (!name.is_empty()).then_some(name)
}

/// The value in a text file: `"KString", "", "", "Take 001"` up to the end of the line.
fn quoted(rest: &[u8]) -> Option<&[u8]> {
    let line = rest.split(|&byte| byte == b'\n').next()?;
    // Every other piece between quotes is a value.
    line.split(|&byte| byte == b'"').skip(1).step_by(2).nth(VALUE)
}

/// The value in a binary file: strings, each `S`, its length in four bytes, and its letters.
fn counted(mut rest: &[u8]) -> Option<&[u8]> {
    for field in 0..=VALUE {
        let (head, tail) = rest.split_at_checked(5)?;
        let [b'S', length @ ..] = head else { return None };
        let length = u32::from_le_bytes(length.try_into().ok()?) as usize;
        let (text, behind) = tail.split_at_checked(length)?;
        if field == VALUE {
            return Some(text);
        }
        rest = behind;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_files_are_read() {
        let text = b"P: \"ActiveAnimStackName\", \"KString\", \"\", \"\", \"Take 001\"\r\n\"x\"";
        assert_eq!(stack_name(text), Some(&b"Take 001"[..]));
        let mut binary = b"....ActiveAnimStackName".to_vec();
        for field in ["KString", "", "", "mixamo.com"] {
            binary.push(b'S');
            binary.extend((field.len() as u32).to_le_bytes());
            binary.extend(field.as_bytes());
        }
        assert_eq!(stack_name(&binary), Some(&b"mixamo.com"[..]));
        // However it is cut, there is an answer or none.
        for length in 0..binary.len() {
            assert_eq!(stack_name(&binary[..length]), None);
        }
        let empty = b"P: \"ActiveAnimStackName\", \"KString\", \"\", \"\", \"\"\n";
        assert_eq!(stack_name(empty), None);
        assert_eq!(stack_name(b"nothing of the kind"), None);
    }
}
