//! Seeded damage to files, for the tests that read them.

/// SplitMix64: enough chance to break files with, and the same on every machine.
pub struct Chance(pub u64);

impl Chance {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }
}

/// Bytes that mean something to a reader.
pub const PIECES: &[&[u8]] = &[
    b" ",
    b"\t",
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"#",
    b"\n#",
    b"\0",
    b"nan",
    b"inf",
    b"-inf",
    b"1e400",
    b"-",
    b"+",
    b".",
    b"e",
    b"0x",
    b",",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xa0",
    b"\x85",
    b"\xc2\xa0",
    b"\x0b",
    b"\x0c",
    b"\x1c",
    b"\x7f",
    b" Q0 ",
    b"1 Q0 d 1 1 t\n",
    b"1 0 d 1\n",
    b"999999999999999999999999",
    b"0.00000000000000000000001",
    b"\x1f\x8b",
    b"\x28\xb5\x2f\xfd",
    b"BZh91AY",
    b"\xfd7zXZ\0",
    b"ustar",
];

/// A file, damaged; `other` lends pieces.
pub fn mutate(bytes: &[u8], other: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut out = bytes.to_vec();
    let times = 1 + chance.below(4) * chance.below(4);
    for _ in 0..times {
        let at = chance.below(out.len() + 1);
        let length = chance.below(1 + chance.0 as usize % 200);
        let end = (at + length).min(out.len());
        match chance.below(12) {
            0..=2 if at < out.len() => out[at] ^= 1 << chance.below(8),
            3 if at < out.len() => out[at] = chance.next() as u8,
            4..=6 => drop(out.splice(at..at, chance.pick(PIECES).iter().copied())),
            7 => drop(out.drain(at..end)),
            8 => {
                // A piece of the file again, elsewhere: duplicates, topics that come back.
                let copy = out[at..end].to_vec();
                let to = chance.below(out.len() + 1);
                drop(out.splice(to..to, copy));
            }
            9 => {
                let from = chance.below(other.len() + 1);
                let to = (from + length).min(other.len());
                drop(out.splice(at..end, other[from..to].iter().copied()));
            }
            10 if chance.below(4) == 0 => out.truncate(at),
            11 if chance.below(8) == 0 => drop(out.splice(0..0, chance.pick(PIECES).iter().copied())),
            _ => {
                // Two lines change places.
                let mut lines: Vec<Vec<u8>> = out.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
                if lines.len() > 1 && out.len() < 50_000 {
                    let (a, b) = (chance.below(lines.len()), chance.below(lines.len()));
                    lines.swap(a, b);
                    out = lines.concat();
                }
            }
        }
    }
    out
}
