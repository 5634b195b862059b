//! Reading a table file.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::format::{Header, MAGIC, refusal, refusal_at};
use super::named;
use super::proof::prove_by_strategies;
use super::stored::{StoredTable, Strategies};
use super::write::last_layers;
use crate::bounds::Bounds;
use crate::error::Error;
use crate::game::{Rules, Secured, StateSpace};
use crate::induction::{LayerBases, LayerCheckpoint, Method, Order, Packed, Seconds, Tables, Task};
use crate::solution::{Solution, Solver, kept_strategies};
use crate::work::{Threads, Watch, WorkError};

/// A table file that has been opened and whose header has been checked.
///
/// It holds a [`Solution`], or the layers that a solve had finished when it wrote a [checkpoint](Solver::on_checkpoint).
/// The format is described, and promised to stay readable, in `docs/table-format.md`.
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
    input: Summed,
    header: Header,
}

impl TableFile {
    /// Whether a file begins as a table file does; `false` where it cannot be read.
    pub fn is_table(path: impl AsRef<Path>) -> bool {
        let mut begin = [0; MAGIC.len()];
        File::open(path).is_ok_and(|mut file| file.read_exact(&mut begin).is_ok()) && begin == MAGIC
    }

    /// Opens a file and checks its header.
    ///
    /// # Errors
    /// [`crate::TableFileError::Refused`] when it cannot be read or is no table file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        Self::read_header(path).map_err(|error| named(error, path))
    }

    fn read_header(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(|error| unreadable(&error))?;
        let length = file.metadata().map_err(|error| unreadable(&error))?.len();
        let mut input = Summed { input: BufReader::new(file), length, sum: crc32fast::Hasher::new() };
        let header = input.take::<{ Header::BYTES }>()?;
        // What is no table file at all is told so, rather than that its checksum is wrong.
        let read = Header::read(&header);
        if read.is_ok() {
            input.end_part("header")?;
        }
        Ok(Self { path: path.to_owned(), input, header: read? })
    }

    /// The rules of the game.
    pub const fn rules(&self) -> &Rules {
        &self.header.task.rules
    }

    /// The points A and B start with.
    pub const fn points(&self) -> [u32; 2] {
        self.header.task.points
    }

    /// Whether the file has the whole game, not only the layers up to a checkpoint.
    pub const fn is_finished(&self) -> bool {
        let [a, b] = self.points();
        self.header.layers_done == a + b
    }

    pub(in crate::solution) const fn task(&self) -> Task {
        self.header.task
    }

    /// Reads the bounds of all states; strategies are read from the file when they are asked for.
    ///
    /// The bounds are stored, not [proved](Solution::is_proved), until [`Solution::prove`] has proved them: a file can say
    /// anything.
    ///
    /// The memory limit is [`Solver::MEMORY_LIMIT`].
    ///
    /// # Errors
    /// [`crate::TableFileError::Refused`] when the file is damaged or not [finished](Self::is_finished),
    /// [`crate::WorkError::Memory`].
    pub fn into_solution(self) -> Result<Solution, Error> {
        let path = self.path.clone();
        self.read_solution().map_err(|error| named(error, &path))
    }

    fn read_solution(mut self) -> Result<Solution, Error> {
        if !self.is_finished() {
            let [a, b] = self.points();
            let done = self.header.layers_done;
            return Err(refusal(format!("it is a checkpoint at {done} of {} points; go on from it with --resume", a + b)));
        }
        let mut tables = self.read_tables(Solver::MEMORY_LIMIT)?;
        tables.strategies = None;
        let path = self.path.clone();
        let strategies = if self.header.task.keep_strategies { Some(self.into_strategies(tables.order)?) } else { None };
        let stored = Some(Arc::new(StoredTable { path, strategies }));
        Ok(Solution { tables, seconds: Seconds::default(), threads: None, stored })
    }

    /// Reads everything that a sweep needs to continue, and proves it if there are strategies.
    pub(in crate::solution) fn into_tables(self, memory_limit: u64, watch: &mut Watch<'_>) -> Result<Tables, Error> {
        let path = self.path.clone();
        self.read_proved(memory_limit, watch).map_err(|error| named(error, &path))
    }

    fn read_proved(mut self, memory_limit: u64, watch: &mut Watch<'_>) -> Result<Tables, Error> {
        let mut tables = self.read_tables(memory_limit)?;
        if tables.strategies.is_some() {
            let layers_done = self.header.layers_done;
            let order = tables.order;
            let strategies = self.into_strategies(order)?;
            let mut packed = Packed::default();
            for state in (1..=layers_done).flat_map(|total| order.solved(total)) {
                packed.clear();
                for strategy in strategies.read(state)? {
                    packed.push(strategy.weights());
                }
                tables.keep(state, &packed);
            }
            let threads = Threads::start(Threads::checked(None)?)?;
            let missing = |state| refusal_at(state, "there are no strategies");
            prove_by_strategies(&tables, |state| kept_strategies(&tables, state).ok_or_else(|| missing(state)), &threads, watch)?;
            tables.proved = true;
        }
        Ok(tables)
    }

    /// The sweep with its bounds and bases.
    fn read_tables(&mut self, memory_limit: u64) -> Result<Tables, Error> {
        let Header { task, layers_done, randomised } = self.header;
        let [a, b] = task.points;
        // A header may claim anything; what the file has room for is checked before memory is taken for it.
        let bytes = Solver::memory_of(&task);
        WorkError::check_memory(|| format!("a game of {a}:{b} points"), bytes, memory_limit)?;
        let order = Order { space: StateSpace::new(&task.rules, task.points), mirrored: task.mirrored };
        let solved = || (1..=layers_done).flat_map(|total| order.solved(total));
        // Reading would come to the same, but with the memory of a large game for a small file.
        if (order.states_up_to(layers_done) / 2).saturating_mul(16) > self.input.length {
            return Err(too_short());
        }
        let mut tables = Tables::new(task, None);
        tables.proved = layers_done == 0;
        let largest = tables.scale.ceil(task.rules.scoring().magnitude());
        for state in solved() {
            let [lower, upper] = [self.input.i64()?, self.input.i64()?];
            // Between equal accounts with the ball on the net, the value of a symmetric game is 0.
            let own_image = task.mirrored && state == state.mirrored();
            if lower > upper || lower < -largest || upper > largest || (own_image && (lower > 0 || upper < 0)) {
                return Err(refusal_at(state, "the bounds are impossible"));
            }
            tables.store(state, Secured::from_bounds(Bounds::new(lower, upper)));
        }
        self.input.end_part("bounds")?;
        let mut bases: [LayerBases; 2] = Default::default();
        let mut basis = Vec::new();
        for total in last_layers(layers_done) {
            bases.swap(0, 1);
            bases[0].reset(order, total);
            for state in order.solved(total) {
                let size = self.input.u16()?;
                // Warm starts look at the first bids of a neighbour; linear programmes and states that may repeat themselves
                // leave no bases.
                if size == 0 && task.method == Method::Simplex && task.rules.min_bid() > 0 {
                    return Err(refusal_at(state, "the basis is impossible"));
                }
                basis.clear();
                basis.push(size);
                for points in [state.a, state.b] {
                    let first = basis.len();
                    for _ in 0..size {
                        let bid = self.input.u16()?;
                        let legal = order.space.legal_bids(points).contains(&bid.into());
                        if !legal || basis[first..].last().is_some_and(|&last| last >= bid) {
                            return Err(refusal_at(state, "the basis is impossible"));
                        }
                        basis.push(bid);
                    }
                }
                bases[0].set(order, state, &basis);
            }
        }
        self.input.end_part("bases")?;
        tables.bases.clone_from(&bases);
        tables.checkpoint = LayerCheckpoint { layers_done, randomised, bases };
        if !task.keep_strategies && self.input.rest()? > 0 {
            return Err(refusal("something follows its end"));
        }
        Ok(tables)
    }

    /// The strategies, which are left in the file.
    fn into_strategies(mut self, order: Order) -> Result<Strategies, Error> {
        let mut starts = vec![u64::MAX; order.space.len()];
        for state in (1..=self.header.layers_done).flat_map(|total| order.solved(total)) {
            starts[order.space.index(state)] = self.input.u64()?;
        }
        self.input.end_part("index")?;
        let begin = self.input.position()?;
        Ok(Strategies::new(self.input.input, begin, self.input.length, order, starts))
    }
}

/// A file that is summed while it is read, part by part.
#[derive(Debug)]
struct Summed {
    input: BufReader<File>,
    length: u64,
    sum: crc32fast::Hasher,
}

impl Summed {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes).map_err(|error| unreadable(&error))?;
        self.sum.update(&bytes);
        Ok(bytes)
    }

    fn u16(&mut self) -> Result<u16, Error> {
        Ok(u16::from_le_bytes(self.take()?))
    }

    fn u64(&mut self) -> Result<u64, Error> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    fn i64(&mut self) -> Result<i64, Error> {
        Ok(i64::from_le_bytes(self.take()?))
    }

    /// Reads the checksum of the part that ends here and compares it.
    fn end_part(&mut self, name: &str) -> Result<(), Error> {
        let sum = std::mem::take(&mut self.sum).finalize();
        let stated = u32::from_le_bytes(self.take()?);
        self.sum = crc32fast::Hasher::new();
        if stated == sum { Ok(()) } else { Err(refusal(format!("the checksum of its {name} is wrong"))) }
    }

    fn position(&mut self) -> Result<u64, Error> {
        self.input.stream_position().map_err(|error| unreadable(&error))
    }

    /// The number of bytes that follow.
    fn rest(&mut self) -> Result<u64, Error> {
        Ok(self.length.saturating_sub(self.position()?))
    }
}

fn too_short() -> Error {
    refusal("it ends too early")
}

/// The system's error about a file as one of this crate.
pub(super) fn unreadable(error: &io::Error) -> Error {
    if error.kind() == io::ErrorKind::UnexpectedEof { too_short() } else { refusal(error.to_string()) }
}

pub(super) fn seek(input: &mut BufReader<File>, place: u64) -> Result<(), Error> {
    input.seek(SeekFrom::Start(place)).map(|_| ()).map_err(|error| unreadable(&error))
}
