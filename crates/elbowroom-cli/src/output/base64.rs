//! Bytes as letters that a page can hold: base64 (RFC 4648, section 4), for the shot in a report
//! and for drawings in the lab's.

/// The letters, with `=` at the end.
pub(crate) fn base64(bytes: &[u8]) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let mut number = 0;
        for place in 0..3 {
            number = number << 8 | u32::from(three.get(place).copied().unwrap_or(0));
        }
        for place in 0..4 {
            let letter = LETTERS[(number >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= three.len() { letter } else { b'=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_as_others_read_it() {
        let text = |bytes: &[u8]| String::from_utf8(base64(bytes)).expect("letters");
        let said = [&b""[..], b"f", b"fo", b"foo", b"foob", b"\xff\xfe\xfd"].map(text);
        assert_eq!(said, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "//79"]);
    }
}
