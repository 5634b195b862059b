//! Properties of any bytes read as a table file.
//!
//! A table file states bounds, it does not prove them: what was altered and has fitting checksums
//! may be wrong, but not impossible. The fuzz target `fuzz/fuzz_targets/tables.rs` includes this
//! file.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use pencil_tennis::matrix_game::DyadicStrategy;
use pencil_tennis::{
    Bounds, Error, MethodError, Player, Rules, Solution, Solver, TableFile, WorkError, certificate,
    unwatched,
};

/// Games with more states are read, but nothing is solved in them, so that an input takes some
/// milliseconds.
const MOST_STATES: u64 = 400;

/// The memory that a solve may take which goes on from a checkpoint.
const MEMORY: u64 = 16 << 20;

/// Reads tables from one place, which is written again for every input: a table file is read where
/// it lies.
pub(crate) struct Reader {
    path: PathBuf,
}

impl Reader {
    /// A reader whose inputs lie in a file of this name in the folder for temporary files.
    pub(crate) fn new(name: &str) -> Self {
        Self {
            path: std::env::temp_dir().join(format!("pencil-tennis-{name}-{}", std::process::id())),
        }
    }

    /// Takes the bytes as a table file, as they are and with fitting checksums; returns how many of
    /// the two were accepted.
    ///
    /// # Panics
    /// When what is accepted is impossible or is written in other bytes; when a refusal is not what
    /// refusals are.
    pub(crate) fn check(&self, bytes: &[u8]) -> usize {
        let mut fitting = bytes.to_vec();
        let _ = fit(&mut fitting);
        [bytes, &fitting].into_iter().filter(|table| self.is_sound(table)).count()
    }

    fn open(&self, bytes: &[u8]) -> Result<TableFile, Error> {
        fs::write(&self.path, bytes).expect("room for a small file");
        TableFile::open(&self.path)
    }

    fn is_sound(&self, bytes: &[u8]) -> bool {
        let table = match self.open(bytes) {
            Ok(table) => table,
            Err(error) => return refused(&error),
        };
        let [a, b] = table.points();
        let states = (u64::from(a) + 1) * (u64::from(b) + 1) * table.rules().positions() as u64;
        let small = states <= MOST_STATES;
        if !table.is_finished() {
            return small && Self::can_resume(table);
        }
        let solution = match table.into_solution() {
            Ok(solution) => solution,
            Err(error) => return refused(&error),
        };
        if !small {
            return true;
        }
        let whole = assert_possible(&solution);
        // Whatever a table says, a certificate written from it proves nothing false.
        if let Err(error) =
            certificate::verify(&solution.certificate(&mut unwatched).expect("nobody cancels"))
        {
            assert!(error.to_string().starts_with("the certificate is not valid: "), "{error}");
        }
        if whole {
            let mut written = Vec::new();
            solution.write_table(&mut written).expect("memory takes everything");
            let read = self
                .open(&written)
                .and_then(TableFile::into_solution)
                .expect("what was written is read");
            for state in solution.states() {
                assert_eq!(solution.enclosure(state), read.enclosure(state), "{state}");
            }
            let mut again = Vec::new();
            read.write_table(&mut again).expect("memory takes everything");
            assert!(written == again, "what was written is read, and written in other bytes");
        }
        whole
    }

    /// Whether a solve that goes on from a checkpoint comes to an end.
    fn can_resume(checkpoint: TableFile) -> bool {
        let solver =
            Solver::new(&Rules::tennis()).resume(checkpoint).threads(1).memory_limit(MEMORY);
        match solver.on_progress(|_| ControlFlow::Continue(())).solve() {
            Ok(solution) => {
                assert_possible(&solution);
                true
            }
            Err(error) => refused(&error),
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether all strategies are there; that they and the bounds are possible is asserted.
fn assert_possible(solution: &Solution) -> bool {
    let mut whole = true;
    for state in solution.states() {
        let Bounds { lower, upper } = solution.enclosure(state).expect("a state of it").integers();
        assert!(lower <= upper, "{state}: [{lower}, {upper}]");
        let equilibrium = match solution.equilibrium(state) {
            Ok(equilibrium) => equilibrium,
            Err(error) => {
                whole = refused(&error);
                continue;
            }
        };
        for player in Player::BOTH {
            let legal = solution.rules().legal_bids(state.points(player));
            let mut sum = 0_u128;
            for (bid, weight) in equilibrium.strategy(player).weights() {
                assert!(legal.contains(&bid) && weight > 0, "{player} at {state} bids {bid}");
                sum += u128::from(weight);
            }
            let ended = solution.rules().outcome(state).is_some();
            assert!(ended || sum == u128::from(DyadicStrategy::WHOLE), "{player} at {state}");
        }
    }
    whole
}

/// Asserts that a refusal is the kind of sentence that it has to be; `false`.
fn refused(error: &Error) -> bool {
    let is_of_file = matches!(error, Error::TableFile { path, .. } if !path.as_os_str().is_empty());
    assert!(
        is_of_file
            || matches!(
                error,
                Error::Work(WorkError::Memory { .. }) | Error::Method(MethodError::Missing { .. })
            ),
        "{error}"
    );
    false
}

/// Writes fitting checksums as far as the bytes have the form of `docs/table-format.md`, which is
/// read here once more; `None` where they end.
fn fit(bytes: &mut [u8]) -> Option<()> {
    const HEADER: usize = 120;
    let mut parts = Parts { bytes, begin: 0, offset: 0 };
    parts.offset = HEADER;
    parts.end()?;
    let number = |bytes: &[u8], offset: usize| {
        Some(u32::from_le_bytes(*bytes.get(offset..)?.first_chunk()?))
    };
    let field = number(parts.bytes, 12).filter(|&field| field < 100)?;
    let [most_a, most_b] = [number(parts.bytes, 18)?, number(parts.bytes, 22)?];
    let mirror = *parts.bytes.get(17)? == 1;
    let strategies = *parts.bytes.get(107)? == 1;
    let layers = number(parts.bytes, 108)?;
    if most_a > 50 || most_b > 50 || layers > most_a + most_b {
        return None;
    }
    let states = |total: u32| {
        let accounts = (total.saturating_sub(most_b)..=total.min(most_a)).map(|a| (a, total - a));
        let solved = |(a, b): (u32, u32)| {
            if !mirror || b > most_a || a > most_b || a > b {
                2 * field as usize + 1
            } else if a == b {
                field as usize + 1
            } else {
                0
            }
        };
        accounts.map(solved).sum::<usize>()
    };
    let all: usize = (1..=layers).map(states).sum();
    parts.offset += 16 * all;
    parts.end()?;
    for _ in 0..(layers.saturating_sub(1).max(1)..=layers).map(states).sum() {
        parts.offset += 2 + 4 * usize::from(parts.u16()?);
    }
    parts.end()?;
    if strategies {
        parts.offset += 8 * all;
        parts.end()?;
        for _ in 0..all {
            for _ in 0..2 {
                parts.offset += 2 + 10 * usize::from(parts.u16()?);
            }
            parts.end()?;
        }
    }
    Some(())
}

/// The parts of a table file, each of which ends with a checksum.
struct Parts<'b> {
    bytes: &'b mut [u8],
    begin: usize,
    offset: usize,
}

impl Parts<'_> {
    fn u16(&self) -> Option<u16> {
        Some(u16::from_le_bytes(*self.bytes.get(self.offset..)?.first_chunk()?))
    }

    /// Writes the checksum of the part that ends at this place.
    fn end(&mut self) -> Option<()> {
        let checksum = crc32fast::hash(self.bytes.get(self.begin..self.offset)?).to_le_bytes();
        self.bytes.get_mut(self.offset..self.offset + 4)?.copy_from_slice(&checksum);
        self.offset += 4;
        self.begin = self.offset;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Reader, fit};
    use crate::fuzzing::{alter, corpus, feed, mutate};

    #[test]
    fn the_corpus_of_the_fuzzer_is_possible_or_refused() {
        let reader = Reader::new("tables-corpus");
        feed("tables", 8, |bytes| reader.check(bytes));
    }

    #[test]
    fn altered_tables_are_possible_or_refused() {
        let reader = Reader::new("tables-altered");
        alter("tables", 12, |bytes| reader.check(bytes));
    }

    #[test]
    #[ignore = "a fuzzer: as long as you like"]
    fn mutated_tables_are_possible_or_refused() {
        let reader = Reader::new("tables-mutated");
        mutate("tables", |bytes| reader.check(bytes));
    }

    /// The checksums of what the solver wrote are what they should be, by the description of the
    /// format.
    #[test]
    fn checksums_are_where_the_description_says() {
        for (name, bytes) in corpus("tables") {
            if !name.starts_with("refused") && !name.starts_with("found") {
                let mut fitting = bytes.clone();
                fit(&mut fitting).expect("all parts are there");
                assert!(fitting == bytes, "{name}");
            }
        }
    }

    /// The bounds of every state that the solver wrote contain its exact value.
    #[test]
    fn the_bounds_of_solved_tables_contain_the_values() {
        use pencil_tennis::{Solver, TableFile};

        let reader = Reader::new("tables-true");
        for (name, bytes) in corpus("tables") {
            if name.starts_with("refused")
                || name.starts_with("found")
                || name.starts_with("checkpoint")
            {
                continue;
            }
            let read =
                reader.open(&bytes).and_then(TableFile::into_solution).expect("a whole table");
            let [a, b] = read.points();
            let exact = Solver::new(read.rules())
                .points([a, b])
                .threads(1)
                .exact(usize::MAX)
                .solve()
                .expect("a small game");
            for state in read.states() {
                let value = exact
                    .exact_value(state)
                    .expect("a state")
                    .expect("a small game is solved exactly");
                assert!(
                    read.enclosure(state).expect("a state").contains(&value),
                    "{name} at {state}"
                );
            }
        }
    }
}
