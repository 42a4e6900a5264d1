//! Strict JSON with positions: every error has its line and column.
//!
//! The reader is our own for three reasons: a number that is a name must keep its digits (no float in between), a key
//! that comes twice must be seen and not overwritten, and each record must know its line. A test holds it to another
//! reader's opinion of what JSON is.

use std::borrow::Cow;

use karat_data::LineProblem;
use karat_data::problem::quote;
use memchr::{memchr_iter, memchr2, memrchr};

use super::cell::Cell;
use super::refusal::Refusal;

/// How deep objects and arrays may lie in one another.
const DEEPEST: usize = 128;

/// Where and why a text is not JSON, or not what was expected of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// Line, from 1.
    pub line: u64,
    /// Column in bytes, from 1.
    pub column: usize,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// What to do.
    pub remedy: &'static str,
    /// Whether the text ends where more was expected.
    cut_off: bool,
}

impl Fault {
    /// Whether the text may only have been cut off here.
    pub fn is_cut_off(&self) -> bool {
        self.cut_off
    }

    /// As what is wrong with the file.
    pub fn refusal(self) -> Refusal {
        let found = format!("{} at column {}", self.found, self.column);
        Refusal::line(self.line, LineProblem::new("JSON", self.expected, found, self.remedy))
    }
}

/// A text and how far it was read.
pub struct Json<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Lines are counted when somebody asks: this line begins at or before this place.
    counted: (u64, usize),
}

const COMPLETE: &str = "the file is truncated or damaged here; write it again";
const SYNTAX: &str = "correct the JSON; `python3 -m json.tool FILE` shows the same place";

impl<'a> Json<'a> {
    /// Reads this text.
    ///
    /// # Errors
    /// It is not UTF-8.
    pub fn new(bytes: &'a [u8]) -> Result<Json<'a>, Fault> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut json = Json { bytes, at: 0, counted: (1, 0) };
        if let Err(error) = std::str::from_utf8(bytes) {
            json.at = error.valid_up_to();
            let found = format!("the byte 0x{:02x}", json.bytes.get(json.at).copied().unwrap_or(0));
            return Err(json.fault("UTF-8", found, "save the file as UTF-8, for example with `iconv -t UTF-8`"));
        }
        Ok(json)
    }

    /// The line it has come to.
    pub fn line(&mut self) -> u64 {
        let (line, from) = self.counted;
        if self.at > from {
            self.counted = (line + memchr_iter(b'\n', &self.bytes[from..self.at]).count() as u64, self.at);
        }
        self.counted.0
    }

    /// A fault at the place it has come to.
    pub fn fault(&mut self, expected: impl Into<String>, found: impl Into<String>, remedy: &'static str) -> Fault {
        let line = self.line();
        let start = memrchr(b'\n', &self.bytes[..self.at]).map_or(0, |feed| feed + 1);
        Fault {
            line,
            column: self.at - start + 1,
            expected: expected.into(),
            found: found.into(),
            remedy,
            cut_off: false,
        }
    }

    /// That the text ends where something else was expected.
    fn end(&mut self, expected: &str, found: &str) -> Fault {
        Fault { cut_off: true, ..self.fault(expected, found, COMPLETE) }
    }

    /// That something else stands here than was expected.
    pub fn unexpected(&mut self, expected: &str) -> Fault {
        match self.bytes.get(self.at) {
            None => self.end(expected, "the end of the file"),
            Some(_) => {
                let rest = &self.bytes[self.at..];
                let end = rest.iter().position(|byte| b" \t\r\n,:]}".contains(byte)).unwrap_or(rest.len()).max(1);
                let found = quote(&rest[..end.min(40)]);
                self.fault(expected, found, SYNTAX)
            }
        }
    }

    /// Goes past blanks and returns what follows them.
    pub fn peek(&mut self) -> Option<u8> {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    /// Goes past blanks and this byte, if it follows.
    pub fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// Where it has come to, to come back to.
    pub fn mark(&self) -> (usize, (u64, usize)) {
        (self.at, self.counted)
    }

    /// Comes back.
    pub fn back(&mut self, mark: (usize, (u64, usize))) {
        (self.at, self.counted) = mark;
    }

    /// An object: `member` is called with each key and must read its value.
    ///
    /// # Errors
    /// It is not an object, or `member` fails.
    pub fn object(
        &mut self,
        mut member: impl FnMut(&mut Json<'a>, Cow<'a, [u8]>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if !self.take(b'{') {
            return Err(self.unexpected("an object ({...})"));
        }
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("a key in quotation marks"));
            }
            let key = self.string()?;
            if !self.take(b':') {
                return Err(self.unexpected("':' after a key"));
            }
            member(self, key)?;
            if self.take(b'}') {
                return Ok(());
            }
            if !self.take(b',') {
                return Err(self.unexpected("',' or '}' in an object"));
            }
        }
    }

    /// An array: `element` is called at each element and must read it.
    ///
    /// # Errors
    /// It is not an array, or `element` fails.
    pub fn array(&mut self, mut element: impl FnMut(&mut Json<'a>) -> Result<(), Fault>) -> Result<(), Fault> {
        if !self.take(b'[') {
            return Err(self.unexpected("an array ([...])"));
        }
        if self.take(b']') {
            return Ok(());
        }
        loop {
            element(self)?;
            if self.take(b']') {
                return Ok(());
            }
            if !self.take(b',') {
                return Err(self.unexpected("',' or ']' in an array"));
            }
        }
    }

    /// Elements of one array, or values one after another.
    ///
    /// # Errors
    /// `element` fails, or the array is broken.
    pub fn each(&mut self, mut element: impl FnMut(&mut Json<'a>) -> Result<(), Fault>) -> Result<(), Fault> {
        if self.peek() == Some(b'[') {
            return self.array(element);
        }
        while self.peek().is_some() {
            element(self)?;
        }
        Ok(())
    }

    /// Any value as a cell: objects and arrays are gone past.
    ///
    /// # Errors
    /// It is not JSON.
    pub fn cell(&mut self) -> Result<Cell<'a>, Fault> {
        match self.peek() {
            Some(b'"') => self.string().map(Cell::Text),
            Some(b'{') => self.skip(0).map(|()| Cell::Other("an object")),
            Some(b'[') => self.skip(0).map(|()| Cell::Other("an array")),
            Some(b'-' | b'0'..=b'9' | b'N' | b'I') => self.number(),
            _ => {
                for (word, cell) in
                    [("null", Cell::Missing), ("true", Cell::Other("true")), ("false", Cell::Other("false"))]
                {
                    if self.word(word) {
                        return Ok(cell);
                    }
                }
                Err(self.unexpected("a value"))
            }
        }
    }

    /// Goes past a value of any depth.
    fn skip(&mut self, depth: usize) -> Result<(), Fault> {
        if depth > DEEPEST {
            let remedy = "this is neither a run nor judgements; check that it is the right file";
            return Err(self.fault(format!("at most {DEEPEST} levels"), "a deeper one", remedy));
        }
        match self.peek() {
            Some(b'{') => self.object(|json, _| json.skip(depth + 1)),
            Some(b'[') => self.array(|json| json.skip(depth + 1)),
            _ => self.cell().map(drop),
        }
    }

    /// Whether this word stands here; then goes past it.
    fn word(&mut self, word: &str) -> bool {
        let rest = &self.bytes[self.at..];
        let there =
            rest.starts_with(word.as_bytes()) && !rest.get(word.len()).is_some_and(|next| next.is_ascii_alphanumeric());
        self.at += if there { word.len() } else { 0 };
        there
    }

    /// A number, as it is written. Python's NaN and Infinity are not JSON, but they occur, and what reads the number
    /// has better words for them than "not JSON".
    fn number(&mut self) -> Result<Cell<'a>, Fault> {
        for (word, value) in [("NaN", f64::NAN), ("Infinity", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY)] {
            if self.word(word) {
                return Ok(Cell::Float(value));
            }
        }
        let rest = &self.bytes[self.at..];
        let digits = |from: usize| rest[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let start = usize::from(rest.first() == Some(&b'-'));
        let whole = digits(start);
        let mut end = start + whole;
        let mut right = whole == 1 || (whole > 1 && rest[start] != b'0');
        if right && rest.get(end) == Some(&b'.') {
            let places = digits(end + 1);
            right = places > 0;
            end += 1 + places;
        }
        if right && matches!(rest.get(end), Some(b'e' | b'E')) {
            end += 1 + usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
            let power = digits(end);
            right = power > 0;
            end += power;
        }
        if !right || rest.get(end).is_some_and(|&next| next.is_ascii_alphanumeric() || next == b'.') {
            return Err(self.unexpected("a number as JSON has it, such as 12, 0.5 or 1e-3"));
        }
        self.at += end;
        Ok(Cell::Number(Cow::Borrowed(&rest[..end])))
    }

    /// A string.
    fn string(&mut self) -> Result<Cow<'a, [u8]>, Fault> {
        let open = self.at;
        self.at += 1;
        let mut text: Cow<'a, [u8]> = Cow::Borrowed(&[]);
        loop {
            let rest = &self.bytes[self.at..];
            let Some(end) = memchr2(b'"', b'\\', rest) else {
                self.at = open;
                return Err(self.end("a closing quotation mark", "none"));
            };
            let part = &rest[..end];
            if let Some(control) = part.iter().position(|&byte| byte < 0x20) {
                self.at += control;
                let found = format!("the control character 0x{:02x} in a string", part[control]);
                return Err(self.fault("text", found, "write it as an escape, such as \\n or \\t"));
            }
            if text.is_empty() {
                text = Cow::Borrowed(part);
            } else {
                text.to_mut().extend_from_slice(part);
            }
            self.at += end;
            if self.bytes.get(self.at) == Some(&b'"') {
                self.at += 1;
                return Ok(text);
            }
            let character = self.escape()?;
            text.to_mut().extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let plain = match self.bytes.get(self.at + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return Err(self.unexpected("an escape such as \\n, \\\" or \\u00e9")),
        };
        self.at += 2;
        Ok(plain)
    }

    /// `\u` and four digits; two of them for a character beyond the first 65,536.
    fn unicode(&mut self) -> Result<char, Fault> {
        let unit = |from: usize| {
            let digits = self.bytes.get(from..from + 6)?.strip_prefix(b"\\u")?;
            let text = std::str::from_utf8(digits).ok().filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()))?;
            u16::from_str_radix(text, 16).ok()
        };
        let (first, second) = (unit(self.at), unit(self.at + 6));
        let units = [first, second.filter(|_| first.is_some_and(|unit| (0xd800..0xdc00).contains(&unit)))];
        match char::decode_utf16(units.into_iter().flatten()).next() {
            Some(Ok(character)) => {
                self.at += 6 * character.len_utf16();
                Ok(character)
            }
            _ => Err(self.unexpected("an escape of four hexadecimal digits that is a character")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &[u8]) -> Result<(), Fault> {
        let mut json = Json::new(text)?;
        json.cell()?;
        if json.peek().is_some() {
            return Err(json.unexpected("the end"));
        }
        Ok(())
    }

    #[test]
    fn strings_are_unescaped_and_numbers_keep_their_digits() {
        let mut json = Json::new(br#"["a\u00e9\ud83d\ude00\n\"", 12345678901234567890, -0.50e+2]"#).unwrap();
        let mut cells = Vec::new();
        json.array(|json| json.cell().map(|cell| cells.push(cell))).unwrap();
        assert_eq!(cells[0], Cell::Text("aé😀\n\"".as_bytes().into()));
        assert_eq!(cells[1], Cell::Number(b"12345678901234567890"[..].into()));
        assert_eq!(cells[2], Cell::Number(b"-0.50e+2"[..].into()));
    }

    #[test]
    fn faults_say_their_place() {
        let fault = whole(b"{\"a\": 1,\n \"b\": 01}").unwrap_err();
        assert_eq!((fault.line, fault.column, fault.found.as_str()), (2, 7, "\"01\""));
        let fault = whole(b"{\"a\": \"x").unwrap_err();
        assert_eq!((fault.line, fault.column, fault.remedy), (1, 7, COMPLETE));
        let fault = whole(b"{\n\"a\": \"\xff\"}").unwrap_err();
        assert_eq!((fault.line, fault.column, fault.found.as_str()), (2, 7, "the byte 0xff"));
        let deep = "[".repeat(1 << 20);
        assert_eq!(whole(deep.as_bytes()).unwrap_err().found, "a deeper one");
    }

    /// serde_json knows what JSON is. It declines numbers too large for a float, which are names here, and we read NaN.
    #[test]
    fn what_is_json_is_what_another_reader_takes_for_it() {
        let seeds: [&[u8]; 4] = [
            br#"{"1": {"d1": 2.5, "d\u00e92": -1e-3}, "2": {}}"#,
            br#"[{"qid": "1", "n": null, "t": true}, {"x": [1, [2, {"y": "\"\\\/\b\f\n\r\t"}]]}]"#,
            b"\"\xc3\xa9\xf0\x9f\x98\x80\"",
            b" -0.0e+10 ",
        ];
        let mut agreed = (0, 0);
        for seed in seeds {
            for at in 0..seed.len() {
                for byte in (0..=255u8).step_by(1) {
                    let mut text = seed.to_vec();
                    text[at] = byte;
                    let theirs = serde_json::from_slice::<serde_json::Value>(&text);
                    let ours = whole(&text);
                    let too_large = theirs.as_ref().is_err_and(|error| error.to_string().contains("out of range"));
                    if too_large || text.windows(3).any(|three| three == b"NaN") {
                        continue;
                    }
                    assert_eq!(
                        ours.is_ok(),
                        theirs.is_ok(),
                        "{:?}: {ours:?} {theirs:?}",
                        String::from_utf8_lossy(&text)
                    );
                    *(if ours.is_ok() { &mut agreed.0 } else { &mut agreed.1 }) += 1;
                }
            }
        }
        assert!(agreed.0 > 1000 && agreed.1 > 10_000, "{agreed:?}");
    }
}
