//! Table files that say something else than the solver wrote, with checksums that fit:
//! `docs/table-format.md`, read once more.
//!
//! The tests of the command line include this file, too.

/// A state: points of A and B, and the ball.
pub(crate) type Position = (u32, u32, i32);

/// The bytes of a table file, and where its parts lie.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) bytes: Vec<u8>,
    /// The states that occur, in their order.
    pub(crate) states: Vec<Position>,
    /// The first byte behind the bounds, the bases and the index, where their checksums stand.
    ends: [usize; 3],
}

/// The bytes of the header without its checksum.
const HEADER: usize = 120;

/// Where the header has the method, the flag for strategies, the layers and the count of states in
/// which a player randomises.
pub(crate) const METHOD: usize = 106;
pub(crate) const STRATEGIES: usize = 107;
pub(crate) const LAYERS: usize = 108;
pub(crate) const COUNT: usize = 112;

impl Table {
    /// Takes a file apart that the solver wrote.
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        let [field, most_a, most_b, layers] =
            [12, 18, 22, 108].map(|offset| u32_at(&bytes, offset));
        let (field, mirrored) = (field as i32, bytes[17] == 1);
        let mut states = Vec::new();
        for total in 1..=layers {
            for a in total.saturating_sub(most_b)..=total.min(most_a) {
                for ball in -field..=field {
                    let b = total - a;
                    let image =
                        mirrored && b <= most_a && a <= most_b && (a < b || (a == b && ball > 0));
                    if !image {
                        states.push((a, b, ball));
                    }
                }
            }
        }
        let bounds = HEADER + 4 + 16 * states.len();
        let mut bases = bounds + 4;
        for _ in states.iter().filter(|(a, b, _)| a + b + 1 >= layers) {
            bases += 2 + 4 * usize::from(u16_at(&bytes, bases));
        }
        let index = bases + 4 + 8 * states.len();
        Self { bytes, states, ends: [bounds, bases, index] }
    }

    fn number(&self, state: Position) -> usize {
        self.states.iter().position(|&other| other == state).expect("a state of the file")
    }

    /// The bounds of a state.
    pub(crate) fn bounds(&self, state: Position) -> [i64; 2] {
        let offset = HEADER + 4 + 16 * self.number(state);
        [offset, offset + 8].map(|offset| {
            i64::from_le_bytes(*self.bytes[offset..].first_chunk().expect("eight bytes"))
        })
    }

    pub(crate) fn set_bounds(&mut self, state: Position, bounds: [i64; 2]) {
        let offset = HEADER + 4 + 16 * self.number(state);
        for (offset, bound) in [offset, offset + 8].into_iter().zip(bounds) {
            self.bytes[offset..offset + 8].copy_from_slice(&bound.to_le_bytes());
        }
    }

    /// The bases that are there: states, and where the size of each stands.
    pub(crate) fn bases(&self) -> Vec<(Position, usize)> {
        let layers = u32_at(&self.bytes, 108);
        let mut offset = self.ends[0] + 4;
        let kept = self.states.iter().filter(|(a, b, _)| a + b + 1 >= layers);
        kept.map(|&state| {
            let start = offset;
            offset += 2 + 4 * usize::from(u16_at(&self.bytes, offset));
            (state, start)
        })
        .collect()
    }

    fn has_strategies(&self) -> bool {
        self.bytes[STRATEGIES] == 1
    }

    /// Where the index says, counted from the first, where the strategies of a state begin.
    fn index(&self, state: Position) -> usize {
        self.ends[1] + 4 + 8 * self.number(state)
    }

    /// The bytes with another entry in the index and a checksum of the index that fits.
    pub(crate) fn with_index(mut self, state: Position, start: u64) -> Vec<u8> {
        let index = self.index(state);
        self.bytes[index..index + 8].copy_from_slice(&start.to_le_bytes());
        let [_, bases, end] = self.ends;
        let checksum = crc32fast::hash(&self.bytes[bases + 4..end]).to_le_bytes();
        self.bytes[end..end + 4].copy_from_slice(&checksum);
        self.bytes
    }

    /// Where the index says that the record of a state begins.
    pub(crate) fn start(&self, state: Position) -> u64 {
        let index = self.index(state);
        u64::from_le_bytes(*self.bytes[index..].first_chunk().expect("eight bytes"))
    }

    /// The bytes of the record of a state, with its checksum.
    pub(crate) fn record_length(&self, state: Position) -> usize {
        let [begin, _, end] = self.record(state);
        end + 4 - begin
    }

    /// The bytes of all strategies and their checksums.
    pub(crate) fn strategies(&self) -> usize {
        self.bytes.len() - self.ends[2] - 4
    }

    /// The offsets of A's and B's strategy of a state and of the checksum behind them.
    fn record(&self, state: Position) -> [usize; 3] {
        let index = self.index(state);
        let start = u64::from_le_bytes(*self.bytes[index..].first_chunk().expect("eight bytes"));
        let a = self.ends[2] + 4 + start as usize;
        let after = |offset: usize| offset + 2 + 10 * usize::from(u16_at(&self.bytes, offset));
        [a, after(a), after(after(a))]
    }

    /// The offsets of the weights of A or B (0 or 1) at a state.
    pub(crate) fn weights(&self, state: Position, player: usize) -> Vec<usize> {
        let offset = self.record(state)[player];
        (0..usize::from(u16_at(&self.bytes, offset))).map(|bid| offset + 2 + 10 * bid + 2).collect()
    }

    /// The bytes with checksums that fit.
    pub(crate) fn sealed(mut self) -> Vec<u8> {
        let [bounds, bases, index] = self.ends;
        let mut parts = vec![(0, HEADER), (HEADER + 4, bounds), (bounds + 4, bases)];
        if self.has_strategies() {
            parts.push((bases + 4, index));
            parts.extend(self.states.iter().map(|&state| {
                let [begin, _, end] = self.record(state);
                (begin, end)
            }));
        }
        for (begin, end) in parts {
            let checksum = crc32fast::hash(&self.bytes[begin..end]).to_le_bytes();
            self.bytes[end..end + 4].copy_from_slice(&checksum);
        }
        self.bytes
    }
}

pub(crate) fn u16_at(bytes: &[u8], offset: usize) -> u16 {
    u16::from_le_bytes(*bytes[offset..].first_chunk().expect("two bytes"))
}

fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes(*bytes[offset..].first_chunk().expect("four bytes"))
}
