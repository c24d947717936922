//! What a command printed, as a terminal would leave it: escape sequences act, they are not read.
//!
//! Nothing is dropped: the pieces joined are the text, so that the page holds what the log holds.

use std::ops::Range;

/// A run of a command's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Text to read.
    Shown(&'a str),
    /// An escape sequence, a control character, or what a carriage return wrote over.
    Unseen(&'a str),
}

/// Cuts an output into runs to show and runs to keep out of sight (ECMA-48: CSI, OSC and other strings, two-byte
/// escapes). A progress bar that rewrites its line by carriage returns shows its last state.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut cuts = Cuts(Vec::new());
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        // What stands before the last carriage return that has text behind it was overwritten. Where the later text is
        // shorter a terminal would leave a rest of the earlier; nobody wants to read that.
        let body = line.trim_end_matches(['\r', '\n']);
        let start = at + body.rfind('\r').map_or(0, |sign| sign + 1);
        cuts.add(false, at..start);
        at = start;
        while let Some(sign) = text[at..end].find(|sign: char| sign.is_control() && sign != '\n' && sign != '\t') {
            cuts.add(true, at..at + sign);
            at += sign;
            let length = control(&text[at..end]);
            cuts.add(false, at..at + length);
            at += length;
        }
        cuts.add(true, at..end);
        at = end;
    }
    let piece = |(shown, range): (bool, Range<usize>)| {
        if shown { Piece::Shown(&text[range]) } else { Piece::Unseen(&text[range]) }
    };
    cuts.0.into_iter().map(piece).collect()
}

/// Whether to show, and which bytes; neighbours of one kind are one.
struct Cuts(Vec<(bool, Range<usize>)>);

impl Cuts {
    fn add(&mut self, shown: bool, range: Range<usize>) {
        match self.0.last_mut() {
            _ if range.is_empty() => {}
            Some((kind, last)) if *kind == shown => last.end = range.end,
            _ => self.0.push((shown, range)),
        }
    }
}

/// The length in bytes of the control at the start of `text`: a whole escape sequence, or one character.
fn control(text: &str) -> usize {
    let mut signs = text.char_indices();
    let (_, first) = signs.next().expect("called at a control character");
    let kind = if first == '\u{1b}' { signs.next().map(|(_, sign)| sign) } else { None };
    let end = |(at, sign): (usize, char)| at + sign.len_utf8();
    match kind {
        // Parameters and intermediates, then one final byte. A sequence that is cut off or malformed ends before what
        // cannot be part of it.
        Some('[') => match signs.find(|(_, sign)| !matches!(sign, ' '..='?')) {
            Some((at, sign @ '@'..='~')) => at + sign.len_utf8(),
            Some((at, _)) => at,
            None => text.len(),
        },
        // Strings (titles, links) up to BEL or ESC \; one that never ends takes its line.
        Some(']' | 'P' | 'X' | '^' | '_') => {
            let mut before = ' ';
            for (at, sign) in signs {
                match sign {
                    '\u{7}' | '\u{9c}' => return end((at, sign)),
                    '\\' if before == '\u{1b}' => return end((at, sign)),
                    _ => before = sign,
                }
            }
            text.len()
        }
        // Intermediates and a final byte: ESC ( B.
        Some(' '..='/') => signs
            .find(|(_, sign)| !matches!(sign, ' '..='/'))
            .map_or(text.len(), |(at, sign)| if sign.is_ascii_graphic() { at + 1 } else { at }),
        Some(sign) if sign.is_ascii_graphic() => 1 + sign.len_utf8(),
        _ => first.len_utf8(),
    }
}
