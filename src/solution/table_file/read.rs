//! Reads table files and checkpoints.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::named;
use super::proof::prove_by_strategies;
use super::stored::{FORMAT, Header, StoredTable, damaged, record_end, refusal, refusal_at};
use super::write::last_layers;
use crate::bounds::Bounds;
use crate::error::Error;
use crate::game::{Rules, State, StateSpace};
use crate::induction::{Bases, LayerCheckpoint, Method, Order, Seconds, Tables};
use crate::solution::{BidStrategy, Solution, Solver, kept_strategies};
use crate::work::{Threads, Watch};
use stochastic_game::internal::sealed::{SealFault, SealedReader};

/// A table file that has been opened and whose header has been checked.
///
/// It holds a [`Solution`], or the finished layers of a [checkpoint](Solver::on_checkpoint).
/// `docs/table-format.md` describes the format, which stays readable.
///
/// ```
/// use pencil_tennis::TableFile;
///
/// let path = std::env::temp_dir().join("pencil-tennis-table-example");
/// pencil_tennis::solve(12)?.write_table(std::fs::File::create(&path)?)?;
/// let file = TableFile::open(&path)?;
/// assert!(file.is_finished() && file.points() == [12, 12]);
/// let solution = file.into_solution()?;
/// assert_eq!(solution.value("12:12@0".parse()?)?, 0.0);
/// # drop(solution);
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    input: SealedReader<File>,
    length: u64,
    pub(in crate::solution) header: Header,
}

impl TableFile {
    /// Whether a file begins as a table file does; `false` where it cannot be read.
    pub fn is_table(path: impl AsRef<Path>) -> bool {
        let mut begin = [0; FORMAT.magic.len()];
        File::open(path).is_ok_and(|mut file| file.read_exact(&mut begin).is_ok())
            && begin == FORMAT.magic
    }

    /// Opens a file and checks its header.
    ///
    /// # Errors
    /// [`Error::TableFile`] when it cannot be read or is no table file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        named(path, || {
            let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
            let (length, file) = opened.map_err(|error| refusal(error.to_string()))?;
            let (header, input) = begin(file)?;
            Ok(Self { path: path.to_owned(), input, length, header })
        })
    }

    pub const fn rules(&self) -> &Rules {
        &self.header.task.rules
    }

    pub const fn points(&self) -> [u32; 2] {
        self.header.task.points
    }

    /// Whether the file holds the whole game, not only a checkpoint's layers.
    pub const fn is_finished(&self) -> bool {
        let [a, b] = self.points();
        self.header.layers_done == a + b
    }

    /// Reads the bounds of all states; strategies are read on demand.
    ///
    /// The bounds of a file are not [proved](Solution::is_proved) before [`Solution::prove`] is
    /// called. The memory limit is [`Solver::MEMORY_LIMIT`].
    ///
    /// # Errors
    /// [`Error::TableFile`] when the file is damaged or not [finished](Self::is_finished).
    pub fn into_solution(mut self) -> Result<Solution, Error> {
        named(&self.path.clone(), || {
            if !self.is_finished() {
                let [a, b] = self.points();
                let done = self.header.layers_done;
                return Err(refusal(format!(
                    "it is a checkpoint at {done} of {} points; go on from it with --resume",
                    a + b
                )));
            }
            let mut tables =
                self.header.read_tables(&mut self.input, self.length, Solver::MEMORY_LIMIT)?;
            tables.strategies = None;
            let stored = Some(Arc::new(self.into_stored(tables.order)?));
            Ok(Solution { tables, seconds: Seconds::default(), threads: None, stored })
        })
    }

    /// Reads everything that a sweep needs to continue, and proves it if there are strategies.
    pub(in crate::solution) fn into_tables(
        mut self,
        memory_limit: u64,
        watch: &mut Watch<'_>,
    ) -> Result<Tables, Error> {
        named(&self.path.clone(), || {
            let mut tables = self.header.read_tables(&mut self.input, self.length, memory_limit)?;
            if let Some(kept) = &mut tables.strategies {
                let (order, layers_done) = (tables.order, self.header.layers_done);
                let stored = self.into_stored(order)?;
                for state in order.solved_up_to(layers_done) {
                    kept.set(
                        order.space.index(state),
                        stored.read(state)?.each_ref().map(BidStrategy::weights),
                    );
                }
                let threads = Threads::start(Threads::checked(None)?)?;
                let strategies =
                    |state| kept_strategies(&tables, state).map_or_else(|| stored.read(state), Ok);
                prove_by_strategies(&tables, strategies, &threads, watch)?;
                tables.proved = true;
            }
            Ok(tables)
        })
    }

    /// The file of which all but the records was read. Records follow one another without a gap, in
    /// the order of the index, up to the end of the file.
    fn into_stored(mut self, order: Order) -> Result<StoredTable, Error> {
        let mut records = Vec::new();
        if self.header.task.keep_strategies {
            let mut starts = Vec::new();
            for state in order.solved_up_to(self.header.layers_done) {
                starts.push((state, self.input.u64().map_err(damaged)?));
            }
            end_part(&mut self.input, "index")?;
            let begin = self.input.place().map_err(damaged)?;
            let length =
                self.length.checked_sub(begin).ok_or_else(|| damaged(SealFault::TooShort))?;
            records = self.records(order, &starts, begin, length)?;
        }
        let begin = self.input.place().map_err(damaged)?;
        Ok(StoredTable { path: self.path, input: Mutex::new(self.input), begin, order, records })
    }

    /// The places of all records, of `length` bytes together, behind `begin`.
    fn records(
        &mut self,
        order: Order,
        starts: &[(State, u64)],
        begin: u64,
        length: u64,
    ) -> Result<Vec<[u64; 2]>, Error> {
        let mut records = vec![[0; 2]; order.space.len()];
        let mut last = None;
        let ends = starts.iter().skip(1).map(|&(_, start)| start).chain([length]);
        for (&(state, start), end) in starts.iter().zip(ends) {
            if start >= length {
                return Err(refusal("its index points beyond its end"));
            }
            if start >= end || (last.is_none() && start > 0) {
                return Err(refusal_at(state, "its index is out of order"));
            }
            records[order.space.index(state)] = [start, end];
            last = Some(start);
        }
        // Only the last record shows whether the file goes on after it.
        if let Some(start) = last {
            self.input.seek(begin + start).map_err(damaged)?;
            let end = record_end(&mut self.input).map_err(damaged)?;
            if end != begin + length {
                return Err(damaged(if end < begin + length {
                    SealFault::Longer
                } else {
                    SealFault::TooShort
                }));
            }
            self.input.seek(begin).map_err(damaged)?;
        }
        Ok(records)
    }
}

impl Header {
    /// Reads the bounds and the bases that follow the header, of `length` bytes altogether.
    fn read_tables(
        self,
        input: &mut SealedReader<impl Read>,
        length: u64,
        memory_limit: u64,
    ) -> Result<Tables, Error> {
        let Self { task, layers_done, randomised } = self;
        // A forged header may claim anything; it is compared with the file's length before memory
        // is taken.
        Solver::check_memory(&task, memory_limit)?;
        let order =
            Order { space: StateSpace::new(&task.rules, task.points), mirrored: task.mirrored };
        // Rejects a small file before taking the memory of a large game.
        if (order.states_up_to(layers_done) / 2).saturating_mul(16) > length {
            return Err(damaged(SealFault::TooShort));
        }
        let mut tables = Tables::new(task, None);
        tables.proved = layers_done == 0;
        let largest = tables.scale.ceil(task.rules.scoring().magnitude());
        for state in order.solved_up_to(layers_done) {
            let [lower, upper] = [(); 2].map(|()| input.take().map(i64::from_le_bytes));
            let (lower, upper) = (lower.map_err(damaged)?, upper.map_err(damaged)?);
            // A state that is its own mirror image has value 0.
            let own_image = task.mirrored && state == state.mirrored();
            if lower > upper
                || lower < -largest
                || upper > largest
                || (own_image && (lower > 0 || upper < 0))
            {
                return Err(refusal_at(state, "the bounds are impossible"));
            }
            tables.widest = tables.widest.max(upper - lower);
            tables.store(state, Bounds::new(lower, upper));
        }
        end_part(input, "bounds")?;
        let mut bases = Bases::new();
        for state in last_layers(layers_done).flat_map(|total| order.solved(total)) {
            let size = input.take().map(u16::from_le_bytes).map_err(damaged)?;
            // Linear programmes and states that may repeat leave no bases; a simplex leaves one,
            // from which warm starts read.
            let leaves_basis = task.method != Method::Lp && task.rules.min_bid() > 0;
            if (size > 0) != leaves_basis {
                return Err(refusal_at(
                    state,
                    format!("the basis is not one that the method {} leaves", task.method),
                ));
            }
            let mut basis = Vec::new();
            for points in [state.a, state.b] {
                let first = basis.len();
                for _ in 0..size {
                    let bid = input.take().map(u16::from_le_bytes).map_err(damaged)?;
                    let legal = order.space.legal_bids(points).contains(&bid.into());
                    if !legal || basis[first..].last().is_some_and(|&last| last >= bid) {
                        return Err(refusal_at(state, "the basis is impossible"));
                    }
                    basis.push(bid);
                }
            }
            bases.insert(state, basis);
        }
        end_part(input, "bases")?;
        tables.bases.clone_from(&bases);
        tables.checkpoint = LayerCheckpoint { layers_done, randomised, bases };
        if !task.keep_strategies {
            input.end().map_err(damaged)?;
        }
        Ok(tables)
    }
}

/// Reads the header of a table file.
fn begin<R: Read>(input: R) -> Result<(Header, SealedReader<R>), Error> {
    let mut input = SealedReader::new(input, &FORMAT).map_err(damaged)?;
    let header = input.take::<{ Header::BYTES }>().map_err(damaged)?;
    end_part(&mut input, "header")?;
    Ok((Header::read(&header)?, input))
}

/// Reads a table file without strategies from memory.
#[cfg(any(test, feature = "mpi"))]
pub(in crate::solution) fn read_tables(file: &[u8], memory_limit: u64) -> Result<Tables, Error> {
    let (header, mut input) = begin(file)?;
    header.read_tables(&mut input, file.len() as u64, memory_limit)
}

/// Compares the checksum of the part that ends here.
fn end_part(input: &mut SealedReader<impl Read>, name: &str) -> Result<(), Error> {
    input.end_part().map_err(|fault| match fault {
        SealFault::Checksum => refusal(format!("the checksum of its {name} is wrong")),
        other => damaged(other),
    })
}
