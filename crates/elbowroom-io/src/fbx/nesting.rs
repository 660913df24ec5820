//! How deep the records of an FBX nest: the library ends at
//! [`FBX_NESTING`](crate::limits::FBX_NESTING) without saying why.

/// The levels of records, as far as the file can be followed; in text those with braces, which may
/// hold one level more.
pub(super) fn levels(bytes: &[u8]) -> usize {
    if bytes.starts_with(b"Kaydara FBX Binary") { in_binary(bytes) } else { in_text(bytes) }
}

/// Braces that are open at once, outside of quotes and comments.
fn in_text(bytes: &[u8]) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    let (mut quoted, mut comment) = (false, false);
    for &byte in bytes {
        match byte {
            b'\n' => comment = false,
            _ if comment => {}
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b';' => comment = true,
            b'{' => {
                open += 1;
                most = most.max(open);
            }
            b'}' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    most
}

/// Records that are open at once. Each begins with where it ends, how many values it has, how many
/// bytes these take and the length of its name; from version 7500 on the first three have 64 bits.
fn in_binary(bytes: &[u8]) -> usize {
    const VERSION: usize = 23;
    let number = |at: usize, size: usize| -> Option<usize> {
        let bytes = bytes.get(at..at.checked_add(size)?)?;
        let value = bytes.iter().rev().fold(0_u64, |sum, &byte| sum << 8 | u64::from(byte));
        usize::try_from(value).ok()
    };
    let size = if number(VERSION, 4).is_some_and(|version| version >= 7500) { 8 } else { 4 };
    let (mut at, mut ends, mut most) = (VERSION + 4, Vec::new(), 0);
    while let (Some(end), Some(values), Some(name)) =
        (number(at, size), number(at + 2 * size, size), number(at + 3 * size, 1))
    {
        let inside = (at + 3 * size + 1).saturating_add(name).saturating_add(values);
        if end == 0 {
            // The end of a list of records.
            let Some(after) = ends.pop() else { break };
            at = after;
        } else if inside < end && end <= bytes.len() {
            ends.push(end);
            at = inside;
        } else if inside == end {
            at = end;
        } else {
            break;
        }
        most = most.max(ends.len());
    }
    // The innermost holds no other.
    most + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_followed_outside_of_quotes_and_comments() {
        assert_eq!(levels(b"A: {\n B: \"{{{\" { }\n ; {{{\n C: { D: {} }\n}\n"), 3);
        assert_eq!(levels(b""), 0);
    }

    #[test]
    fn binary_records_are_followed() {
        // Each holds the next, and a null record behind it.
        let mut record = Vec::new();
        for _ in 0..5 {
            let mut around = record.clone();
            if !around.is_empty() {
                around.extend([0; 13]);
            }
            record = vec![0; 13];
            record[12] = 1;
            record.push(b'A');
            record.extend(around);
        }
        let mut bytes = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
        bytes.extend(7400_u32.to_le_bytes());
        let start = bytes.len();
        bytes.extend(record);
        // Ends are counted from the start of the file, and each is a null record before that around
        // it.
        let whole = bytes.len();
        for level in 0..5 {
            let end = u32::try_from(whole - 13 * level).unwrap();
            bytes[start + 14 * level..start + 14 * level + 4].copy_from_slice(&end.to_le_bytes());
        }
        assert_eq!(levels(&bytes), 5);
    }
}
