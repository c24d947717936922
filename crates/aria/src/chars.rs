//! Character classes that the snapshot format defines by JavaScript's rules.

/// JavaScript's `\s`: what the format collapses and trims.
pub(crate) fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\u{B}' | '\u{C}' | '\r' | ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200A}' | '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}' | '\u{3000}' | '\u{FEFF}'
    )
}

/// Zero-width space and soft hyphen: a matter of line breaking, not text.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}' | '\u{AD}')
}
