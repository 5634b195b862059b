//! Games as arrays.

use std::collections::HashMap;
use std::time::Instant;

use num_rational::{BigRational, Ratio};
use num_traits::Zero;
use numpy::ndarray::Array2;
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pencil_tennis::WorkError;
use pencil_tennis::stochastic_game::{CellTable, Kind, StochasticGameBuilder, StochasticGameError};
use pyo3::prelude::*;

use crate::errors::{Error, OrRaise};
use crate::explorer::begun;
use crate::progress::{BETWEEN_LOOKS, abandonable, guarded, released};
use crate::shares::{ADVICE, EXACTLY, FINE_BITS, bits_beside, dyadic, fine_double, normalised};
use crate::stochastic_game::PyStochasticGame;

/// Numbers of an array: integers, doubles, or numerators and denominators.
#[derive(FromPyObject)]
pub(crate) enum Numbers<'py> {
    Whole(PyReadonlyArray1<'py, i64>),
    Doubles(PyReadonlyArray1<'py, f64>),
    Fractions((PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>)),
}

/// The same, where they lie.
enum Slices<'a> {
    Whole(&'a [i64]),
    Doubles(&'a [f64]),
    Fractions(&'a [i64], &'a [i64]),
}

impl Numbers<'_> {
    fn slices(&self) -> PyResult<Slices<'_>> {
        Ok(match self {
            Self::Whole(numbers) => Slices::Whole(numbers.as_slice()?),
            Self::Doubles(numbers) => Slices::Doubles(numbers.as_slice()?),
            Self::Fractions((numerators, denominators)) => {
                Slices::Fractions(numerators.as_slice()?, denominators.as_slice()?)
            }
        })
    }
}

impl Slices<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Whole(numbers) => numbers.len(),
            Self::Doubles(numbers) => numbers.len(),
            Self::Fractions(numerators, denominators) => numerators.len().min(denominators.len()),
        }
    }

    /// A number, rounded to a multiple of 2^-`bits` if it is a double that is finer.
    fn reward(&self, index: usize, bits: u32) -> Result<Ratio<i64>, String> {
        match self {
            Self::Whole(numbers) => Ok(numbers[index].into()),
            Self::Fractions(numerators, denominators) if denominators[index] > 0 => {
                Ok(Ratio::new(numerators[index], denominators[index]))
            }
            Self::Fractions(..) => Err("a denominator is not positive".to_owned()),
            Self::Doubles(numbers) => {
                let number = numbers[index];
                let unit = f64::from(bits).exp2();
                // The numerator has to fit: large numbers have few bits behind the point.
                let bits = (0..=bits)
                    .rev()
                    .find(|&bits| number.abs() * f64::from(bits).exp2() < 2_f64.powi(62));
                let bits = bits.filter(|_| number.is_finite() && unit.is_finite());
                let bits =
                    bits.ok_or_else(|| format!("{number} is no finite number up to 2^61"))?;
                Ok(dyadic((number * f64::from(bits).exp2()).round() as i64, bits))
            }
        }
    }

    /// A number, exactly.
    fn value(&self, index: usize) -> Result<BigRational, String> {
        if let Self::Doubles(numbers) = self {
            return BigRational::from_float(numbers[index])
                .ok_or_else(|| format!("{} is no finite number", numbers[index]));
        }
        let number = self.reward(index, 0)?;
        Ok(BigRational::new_raw((*number.numer()).into(), (*number.denom()).into()))
    }
}

/// Weights that are divided by their sum.
#[derive(FromPyObject)]
pub(crate) enum Weights<'py> {
    Whole(PyReadonlyArray1<'py, i64>),
    Doubles(PyReadonlyArray1<'py, f64>),
}

/// Adds the probabilities of a cell in lowest terms, and says whether they were divided by their
/// sum.
fn shares(weights: &[f64], bits: u32, shares: &mut Vec<Ratio<i64>>) -> Result<bool, String> {
    if let Some(weight) = weights.iter().find(|weight| !(weight.is_finite() && **weight >= 0.0)) {
        return Err(format!("{weight} is no probability"));
    }
    let fine: Vec<i128> = weights.iter().map(|&weight| fine_double(weight)).collect();
    let unit = f64::from(bits).exp2();
    if fine.iter().sum::<i128>() == 1 << FINE_BITS
        && weights.iter().all(|weight| (weight * unit).fract() == 0.0)
    {
        shares.extend(weights.iter().map(|weight| dyadic((weight * unit) as i64, bits)));
        return Ok(false);
    }
    match normalised(&fine, bits) {
        None => Err(format!("the probabilities sum to {}; {ADVICE}", weights.iter().sum::<f64>())),
        Some(Err(index)) => Err(format!(
            "the probability {} is below 2^-{bits}; expected integer weights",
            weights[index]
        )),
        Some(Ok(parts)) => {
            shares.extend(parts.iter().map(|&part| dyadic(part, bits)));
            Ok(true)
        }
    }
}

/// As `shares`, of integers.
fn whole_shares(weights: &[i64], shares: &mut Vec<Ratio<i64>>) -> Result<(), String> {
    if let Some(weight) = weights.iter().find(|weight| **weight < 0) {
        return Err(format!("the weight {weight} is negative"));
    }
    let sum = weights.iter().map(|&weight| i128::from(weight)).sum::<i128>();
    match i64::try_from(sum) {
        Ok(0) => Err("the weights sum to 0; expected a positive one".to_owned()),
        Ok(sum) => {
            shares.extend(weights.iter().map(|&weight| Ratio::new(weight, sum)));
            Ok(())
        }
        Err(_) => Err("the weights sum to more than 63 bits".to_owned()),
    }
}

/// A game of arrays, where they lie.
struct Arrays<'a> {
    sizes: &'a [i64],
    values: Slices<'a>,
    ranges: &'a [i64],
    successors: &'a [i64],
    /// The weights, in one of both lists.
    whole: &'a [i64],
    doubles: &'a [f64],
    rewards: Option<Slices<'a>>,
    /// The bits behind the point of doubles.
    bits: u32,
    pays_endless: bool,
    /// Whether floats that do not sum to exactly 1 are refused.
    is_exact: bool,
}

/// The sentence that refuses arrays, or the library's error.
enum Refusal {
    Words(String),
    Library(pencil_tennis::Error),
    Raised(PyErr),
}

impl From<StochasticGameError> for Refusal {
    fn from(error: StochasticGameError) -> Self {
        Self::Library(error.into())
    }
}

impl From<WorkError> for Refusal {
    fn from(error: WorkError) -> Self {
        Self::Library(error.into())
    }
}

impl From<PyErr> for Refusal {
    fn from(raised: PyErr) -> Self {
        Self::Raised(raised)
    }
}

impl Arrays<'_> {
    fn states(&self) -> usize {
        self.sizes.len() / 2
    }

    /// Checks the lengths, and that indices rise.
    fn check(&self, starts: &[i64]) -> Result<(), String> {
        let states = self.states();
        if self.values.len() != states {
            return Err(format!(
                "there are {} values of {states} states; expected one for each",
                self.values.len()
            ));
        }
        for (state, pair) in self.sizes.chunks_exact(2).enumerate() {
            if pair.iter().any(|&size| size < 0) || (pair[0] == 0) != (pair[1] == 0) {
                let expected = "expected two positive numbers, or 0 and 0 at an end";
                return Err(format!(
                    "state {state}: {} and {} actions are not possible; {expected}",
                    pair[0], pair[1]
                ));
            }
        }
        let cells = self.sizes.chunks_exact(2);
        let cells = cells
            .fold(0, |cells: u128, pair| cells.saturating_add(pair[0] as u128 * pair[1] as u128));
        if self.ranges.len() as u128 != cells + 1 {
            let message = format!("there are {} row pointers of {cells} cells", self.ranges.len());
            return Err(format!("{message}; expected {}", cells + 1));
        }
        if let Some(rewards) =
            self.rewards.as_ref().filter(|rewards| rewards.len() as u128 != cells)
        {
            return Err(format!(
                "there are {} rewards of {cells} cells; expected one for each",
                rewards.len()
            ));
        }
        let weights = self.whole.len().max(self.doubles.len());
        let successors = self.successors.len();
        if weights != successors {
            return Err(format!(
                "there are {weights} probabilities of {successors} successors; expected one for each"
            ));
        }
        if let Some(start) = starts.iter().find(|start| !(0..states as i64).contains(*start)) {
            return Err(format!(
                "the start {start} is no state; expected 0 to {}",
                states as i64 - 1
            ));
        }
        let rises = self.ranges.windows(2).all(|pair| pair[0] <= pair[1]);
        if !rises || self.ranges[0] != 0 || self.ranges[self.ranges.len() - 1] != successors as i64
        {
            return Err(format!(
                "the row pointers do not rise from 0 to {successors}, the number of successors"
            ));
        }
        Ok(())
    }

    /// Adds a cell, whose probabilities are collected in `probabilities`, and says whether they were
    /// divided by their sum.
    fn add(
        &self,
        cell: usize,
        probabilities: &mut Vec<Ratio<i64>>,
        cells: &mut CellTable<'_>,
    ) -> Result<bool, String> {
        let range = self.ranges[cell] as usize..self.ranges[cell + 1] as usize;
        probabilities.clear();
        if range.is_empty() {
            return Err("there is no successor".to_owned());
        }
        let is_normalised = if self.doubles.is_empty() {
            whole_shares(&self.whole[range.clone()], probabilities)?;
            false
        } else {
            shares(&self.doubles[range.clone()], self.bits, probabilities)?
        };
        if is_normalised && self.is_exact {
            let sum: f64 = self.doubles[range].iter().sum();
            return Err(format!(
                "the probabilities sum to {sum}, or are finer than 2^-{}; {EXACTLY}",
                self.bits
            ));
        }
        for (&share, &next) in probabilities.iter().zip(&self.successors[range]) {
            let states = self.states();
            let number = u32::try_from(next).ok().filter(|&number| (number as usize) < states);
            let number = number.ok_or_else(|| {
                format!("the successor {next} is no state; expected 0 to {}", states - 1)
            })?;
            if !share.is_zero() {
                cells.follow_number(share, number);
            }
        }
        let reward = self
            .rewards
            .as_ref()
            .map_or(Ok(Ratio::zero()), |rewards| rewards.reward(cell, self.bits));
        cells.push(reward.map_err(|words| format!("the reward {words}"))?);
        Ok(is_normalised)
    }

    /// Adds all states to a game, and counts the cells whose probabilities were divided by their
    /// sum.
    fn build(
        &self,
        builder: &mut StochasticGameBuilder,
        starts: &[i64],
        memory_limit: u64,
    ) -> Result<u64, Refusal> {
        self.check(starts).map_err(Refusal::Words)?;
        let most = self.sizes.iter().copied().max().unwrap_or(0) as usize;
        let actions: Vec<String> = (0..most).map(|action| action.to_string()).collect();
        builder.name_by_number(self.states())?;
        for start in starts {
            builder.start(&start.to_string())?;
        }
        let mut normalised = 0;
        let (mut cell, mut probabilities, mut checked) = (0, Vec::new(), Instant::now());
        let mut cells = CellTable::default();
        for (state, pair) in self.sizes.chunks_exact(2).enumerate() {
            if checked.elapsed() > BETWEEN_LOOKS {
                checked = Instant::now();
                // The method itself would be shorter, but has one lifetime.
                Python::attach(|py| {
                    py.check_signals()?;
                    Ok::<(), PyErr>(())
                })?;
            }
            let [a, b] = [pair[0] as usize, pair[1] as usize];
            let refuse = |words: String| Refusal::Words(format!("state {state}: {words}"));
            let counts = a == 0 || self.pays_endless;
            let value = if counts {
                self.values.value(state).map_err(refuse)?
            } else {
                BigRational::zero()
            };
            if a == 0 {
                builder.end(&state.to_string(), value)?;
                continue;
            }
            cells.clear();
            for row in 0..a {
                for column in 0..b {
                    let added = self.add(cell, &mut probabilities, &mut cells);
                    let is_normalised = added
                        .map_err(|words| refuse(format!("{row} against {column}: {words}")))?;
                    normalised += u64::from(is_normalised);
                    cell += 1;
                }
                cells.end_row();
            }
            builder.state(&state.to_string(), [&actions[..a], &actions[..b]], value, &cells)?;
            builder.check_memory(memory_limit)?;
        }
        Ok(normalised)
    }
}

/// A game of arrays: the numbers of both players' actions, 0 and 0 at an end; the values of ends,
/// elsewhere the payoffs of infinite plays; for every cell, state by state and row by row, the
/// range of its successors and weights, and its reward.
///
/// The number of cells whose probabilities were divided by their sum is beside it. Nobody else may
/// write into the arrays meanwhile: other threads run.
#[pyfunction]
pub(crate) fn game_from_arrays(
    py: Python<'_>,
    kind: &str,
    discount: Option<BigRational>,
    starts: Vec<i64>,
    sizes: PyReadonlyArray2<'_, i64>,
    values: Numbers<'_>,
    ranges: PyReadonlyArray1<'_, i64>,
    successors: PyReadonlyArray1<'_, i64>,
    weights: Weights<'_>,
    rewards: Option<Numbers<'_>>,
    memory_limit: u64,
    exact: bool,
) -> PyResult<(PyStochasticGame, u64)> {
    let bits = bits_beside(discount.as_ref());
    let mut builder = begun(kind, discount)?;
    if sizes.shape()[1] != 2 {
        return Err(Error::new_err(format!(
            "the numbers of actions have {} columns; expected 2",
            sizes.shape()[1]
        )));
    }
    let (whole, doubles) = match &weights {
        Weights::Whole(weights) => (weights.as_slice()?, &[][..]),
        Weights::Doubles(weights) => (&[][..], weights.as_slice()?),
    };
    let arrays = Arrays {
        sizes: sizes.as_slice()?,
        values: values.slices()?,
        ranges: ranges.as_slice()?,
        successors: successors.as_slice()?,
        whole,
        doubles,
        rewards: rewards.as_ref().map(Numbers::slices).transpose()?,
        bits,
        is_exact: exact,
        pays_endless: kind.parse::<Kind>().or_raise()? == Kind::Recursive,
    };
    match released(py, || arrays.build(&mut builder, &starts, memory_limit))? {
        Ok(normalised) => {
            let game = abandonable(py, || builder.finish())?.or_raise()?;
            Ok((PyStochasticGame::new(game), normalised))
        }
        Err(Refusal::Words(words)) => Err(Error::new_err(words)),
        Err(Refusal::Library(error)) => Err(error).or_raise(),
        Err(Refusal::Raised(raised)) => Err(raised),
    }
}

/// The numbers of a state, so that the lengths of arrays fit.
const MOST_COLUMNS: usize = 1 << 20;

/// Numbers rows of integers in the order in which they are met.
#[pyclass(module = "pencil_tennis._native", name = "RowNumbers")]
pub(crate) struct PyRowNumbers {
    columns: usize,
    numbers: HashMap<Box<[i64]>, i64>,
    rows: Vec<i64>,
}

#[pymethods]
impl PyRowNumbers {
    #[new]
    fn new(columns: usize) -> PyResult<Self> {
        if !(1..=MOST_COLUMNS).contains(&columns) {
            return Err(Error::new_err(format!(
                "a state has {columns} numbers; expected 1 to {MOST_COLUMNS}"
            )));
        }
        Ok(Self { columns, numbers: HashMap::new(), rows: Vec::new() })
    }

    fn __len__(&self) -> usize {
        self.numbers.len()
    }

    /// The numbers of rows, some of which may be new.
    fn number<'py>(
        &mut self,
        rows: PyReadonlyArray2<'py, i64>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let py = rows.py();
        if rows.shape()[1] != self.columns {
            let message =
                format!("a state has {} numbers; expected {}", rows.shape()[1], self.columns);
            return Err(Error::new_err(message));
        }
        guarded(|| {
            let mut row_numbers = Vec::with_capacity(rows.shape()[0]);
            for row in rows.as_slice()?.chunks_exact(self.columns.max(1)) {
                let known = self.numbers.get(row).copied();
                row_numbers.push(known.unwrap_or_else(|| {
                    let number = self.numbers.len() as i64;
                    self.numbers.insert(row.into(), number);
                    self.rows.extend_from_slice(row);
                    number
                }));
            }
            Ok(row_numbers.into_pyarray(py))
        })
    }

    /// The number of a row that was found.
    fn find(&self, row: Vec<i64>) -> Option<i64> {
        self.numbers.get(row.as_slice()).copied()
    }

    /// The rows by number, from one on.
    fn rows<'py>(&self, py: Python<'py>, first: usize) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let begin = first.saturating_mul(self.columns).min(self.rows.len());
        let rows = self.rows[begin..].to_vec();
        let shape = [rows.len().checked_div(self.columns).unwrap_or_default(), self.columns];
        Ok(Array2::from_shape_vec(shape, rows)
            .map_err(|error| Error::new_err(error.to_string()))?
            .into_pyarray(py))
    }
}
