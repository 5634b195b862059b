//! The states of a game in Python, found by asking its rules, and the game that they make.

use std::collections::HashMap;
use std::str::FromStr;
use std::time::{Duration, Instant};

use num_integer::Integer;
use num_rational::{BigRational, Ratio};
use num_traits::{One, Signed, ToPrimitive, Zero};
use pencil_tennis::stochastic_game::{
    CellTable, Exact, Kind, StochasticGame, StochasticGameBuilder,
};
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

use crate::errors::{Error, OrRaise};
use crate::memory;
use crate::progress::abandonable;
use crate::rules_table::{CanonicalState, Cell, PyRulesTable, RulesTable};
use crate::shares::{
    ADVICE, EXACTLY, TOLERANCE, bits_beside, dyadic, fine_fraction, is_dyadic, near_one, normalised,
};
use crate::stochastic_game::PyStochasticGame;

/// The most actions of a player at a state, so that an iterator without an end is noticed.
const MOST_ACTIONS: usize = 1 << 22;

/// The most states that may follow a pair of actions, so that a mapping without an end is noticed.
const MOST_SUCCESSORS: usize = 1 << 22;

/// The bytes that a cell of a state takes while the state is solved, see
/// [`StochasticGameBuilder::memory`].
const BYTES_A_CELL: u64 = 800;

/// The bytes of a cell in a table, and of each of its successors.
const BYTES_A_TABLE_CELL: usize = size_of::<Cell>();
const BYTES_A_TABLE_SUCCESSOR: usize = size_of::<(u64, u32, bool)>();

/// The numerators and denominators that rules in code may have.
const FINEST: i128 = 1 << 62;

const BETWEEN_REPORTS: Duration = Duration::from_millis(200);

/// The fractions that are remembered: rules name most of theirs once.
const REMEMBERED: usize = 4096;

/// A number of the rules, exactly.
#[derive(Clone)]
enum Number {
    Small(Ratio<i64>),
    Large(BigRational),
}

impl Number {
    fn exact(&self) -> Exact {
        match self {
            Self::Small(number) => (*number).into(),
            Self::Large(number) => number.into(),
        }
    }

    fn rational(&self) -> BigRational {
        match self {
            Self::Small(number) => {
                BigRational::new_raw((*number.numer()).into(), (*number.denom()).into())
            }
            Self::Large(number) => number.clone(),
        }
    }

    fn of(number: &BigRational) -> Self {
        match (number.numer().to_i64(), number.denom().to_i64()) {
            (Some(numerator), Some(denominator)) => {
                Self::Small(Ratio::new_raw(numerator, denominator))
            }
            _ => Self::Large(number.clone()),
        }
    }

    fn is_zero(&self) -> bool {
        matches!(self, Self::Small(number) if number.is_zero())
    }

    fn is_negative(&self) -> bool {
        match self {
            Self::Small(number) => number.is_negative(),
            Self::Large(number) => number.is_negative(),
        }
    }

    /// Whether it is a multiple of 2^-`bits`.
    fn has_bits(&self, bits: u32) -> bool {
        matches!(self, Self::Small(number) if is_dyadic(number, bits))
    }

    /// The numerator and the denominator, where they fit.
    fn parts(&self) -> Option<(i128, i128)> {
        let Self::Small(number) = self else { return None };
        Some(((*number.numer()).into(), (*number.denom()).into()))
    }
}

/// The kinds of the numbers that are given for probabilities.
struct Shares {
    are_whole: bool,
    has_floats: bool,
}

impl Shares {
    /// Looks at one more number, before it is taken exactly.
    fn observe(&mut self, share: &Bound<'_, PyAny>) -> PyResult<()> {
        if share.is_exact_instance_of::<PyInt>() {
            return Ok(());
        }
        let py = share.py();
        if share.is_instance_of::<PyFloat>() {
            self.has_floats = true;
            self.are_whole = false;
        } else if let Some(dtype) = share.getattr_opt(intern!(py, "dtype"))? {
            let kind: String = dtype.getattr(intern!(py, "kind"))?.extract()?;
            self.has_floats |= kind == "f";
            self.are_whole &= kind == "i" || kind == "u";
        } else {
            self.are_whole = false;
        }
        Ok(())
    }
}

/// Whether probabilities sum to exactly 1.
fn sums_to_one(successors: &[(Number, Bound<'_, PyAny>)]) -> bool {
    let mut sum = Some(Ratio::<i128>::zero());
    for (share, _) in successors {
        sum = match (sum, share.parts()) {
            // Products of 63 bits fit.
            (Some(sum), Some((numerator, denominator)))
                if sum.denom().max(&sum.numer().abs()) < &FINEST =>
            {
                Some(sum + Ratio::new_raw(numerator, denominator))
            }
            _ => None,
        };
    }
    match sum {
        Some(sum) => sum.is_one(),
        None => successors.iter().map(|(share, _)| share.rational()).sum::<BigRational>().is_one(),
    }
}

/// Whether a tuple that should be a state is one of pairs of a state and a probability: nobody
/// means that as a state.
///
/// A pair of integers, such as a place on a board, is no such pair.
fn are_shares(tuple: &Bound<'_, PyTuple>) -> bool {
    let mut sum = 0.0;
    for pair in tuple.iter_borrowed() {
        let Ok(pair) = pair.cast::<PyTuple>() else { return false };
        let Ok(share) = pair.get_borrowed_item(1) else { return false };
        if pair.len() != 2 || share.is_instance_of::<PyInt>() || share.is_instance_of::<PyString>()
        {
            return false;
        }
        match share.extract::<f64>() {
            Ok(share) if share >= 0.0 => sum += share,
            _ => return false,
        }
    }
    (sum - 1.0_f64).abs() <= TOLERANCE
}

/// The reward of a pair of actions, and its successors with their probabilities, none of them 0.
struct CellOutcome<'py> {
    reward: Number,
    successors: Vec<(Number, Bound<'py, PyAny>)>,
}

/// Numbers the states of an object with rules as they are found.
#[pyclass(module = "pencil_tennis._native", name = "Explorer")]
pub(crate) struct PyExplorer {
    methods: Methods,
    /// The state of each number; where the players are exchanged there, the first that was found.
    states: Py<PyList>,
    /// The actions of both players at the states that were asked about; None at an end.
    actions: Py<PyList>,
    /// The numbers of canonical states, and of those with exchanged players.
    numbers: [Py<PyDict>; 2],
    most_states: usize,
    exchange: Exchange,
    /// Whether exploring ended at a state with exchanged players.
    is_stopped: bool,
    remembered: HashMap<usize, (Py<PyAny>, Number)>,
    /// The bits behind the point of probabilities that are divided by their sum.
    bits: u32,
    /// Whether floats that do not sum to exactly 1 are refused.
    is_exact: bool,
    /// The pairs of actions whose probabilities were divided by their sum, floats all of them.
    normalised: u64,
}

/// What becomes of a state that `canonical` gives with exchanged players.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exchange {
    /// One number stands for the state and for the canonical one: in tables of acyclic games.
    Merged,
    /// States of one canonical form have one number, and another one with exchanged players: in
    /// written games.
    Apart,
    /// The state is canonical itself: in tables of games that are not acyclic.
    Ignored,
    /// Exploring ends with an error at the first such state, because a table can merge it.
    Refused,
}

impl FromStr for Exchange {
    type Err = PyErr;

    fn from_str(name: &str) -> PyResult<Self> {
        match name {
            "merged" => Ok(Self::Merged),
            "apart" => Ok(Self::Apart),
            "ignored" => Ok(Self::Ignored),
            "refused" => Ok(Self::Refused),
            _ => Err(Error::new_err(format!(
                "exchanged players are {name:?}; expected merged, apart, ignored or refused"
            ))),
        }
    }
}

/// The methods of the object.
struct Methods {
    turn: Py<PyAny>,
    after: Py<PyAny>,
    reward: Option<Py<PyAny>>,
    endless: Option<Py<PyAny>>,
    canonical: Option<Py<PyAny>>,
    index: Option<Py<PyAny>>,
}

/// A state at which players choose: their actions, what infinite plays pay, and the cells row by
/// row.
struct Choice<'py> {
    actions: [Vec<Bound<'py, PyAny>>; 2],
    endless: Number,
}

#[pymethods]
impl PyExplorer {
    /// `exchange` says what becomes of states with exchanged players ("merged", "apart", "ignored",
    /// "refused"), `exact` that floats which do not sum to exactly 1 are refused.
    #[new]
    #[pyo3(signature = (game, most_states, exchange, discount=None, exact=false))]
    fn new(
        game: &Bound<'_, PyAny>,
        most_states: usize,
        exchange: &str,
        discount: Option<BigRational>,
        exact: bool,
    ) -> PyResult<Self> {
        let py = game.py();
        let method = |name: &str| game.getattr_opt(name).map(|method| method.map(Bound::unbind));
        let methods = Methods {
            turn: game.getattr("turn")?.unbind(),
            after: game.getattr("after")?.unbind(),
            reward: method("reward")?,
            endless: method("endless")?,
            canonical: method("canonical")?,
            index: method("index")?,
        };
        let list = || PyList::empty(py).unbind();
        let dict = || PyDict::new(py).unbind();
        Ok(Self {
            methods,
            states: list(),
            actions: list(),
            numbers: [dict(), dict()],
            most_states,
            exchange: exchange.parse()?,
            is_stopped: false,
            remembered: HashMap::new(),
            bits: bits_beside(discount.as_ref()),
            is_exact: exact,
            normalised: 0,
        })
    }

    /// The pairs of actions, of those that were asked about, whose floats were divided by their
    /// sum.
    #[getter]
    const fn normalised(&self) -> u64 {
        self.normalised
    }

    /// Whether exploring ended at a state with exchanged players.
    #[getter]
    const fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// The states by their numbers.
    #[getter]
    fn states(&self, py: Python<'_>) -> Py<PyList> {
        self.states.clone_ref(py)
    }

    /// The actions by the numbers of the states.
    #[getter]
    fn actions(&self, py: Python<'_>) -> Py<PyList> {
        self.actions.clone_ref(py)
    }

    /// The numbers of canonical states, and of those with exchanged players.
    #[getter]
    fn numbers(&self, py: Python<'_>) -> (Py<PyDict>, Py<PyDict>) {
        let [canonical, exchanged] = &self.numbers;
        (canonical.clone_ref(py), exchanged.clone_ref(py))
    }

    /// The state that it is like, and whether the players are exchanged there.
    fn canonical<'py>(&self, state: Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, bool)> {
        let Some(canonical) = &self.methods.canonical else { return Ok((state, false)) };
        let answer = canonical.bind(state.py()).call1((&state,))?;
        if let Ok(pair) = answer.cast::<PyTuple>()
            && pair.len() == 2
        {
            return Ok((pair.get_item(0)?, pair.get_item(1)?.is_truthy()?));
        }
        let expected = "expected a pair of a state and whether the players are exchanged";
        Err(Error::new_err(format!(
            "`canonical` gives {} at {}; {expected}",
            shown(&answer),
            shown(&state)
        )))
    }

    /// The number of a state that may be new, and whether the players are exchanged there.
    fn enter(&mut self, state: Bound<'_, PyAny>) -> PyResult<CanonicalState> {
        if self.methods.canonical.is_none() {
            return Ok((self.number(&self.numbers[0], &state, &state)?, false));
        }
        let (canonical, exchanged) = self.canonical(state.clone())?;
        if !exchanged {
            return Ok((self.number(&self.numbers[0], &canonical, &canonical)?, false));
        }
        match self.exchange {
            Exchange::Merged => Ok((self.number(&self.numbers[0], &canonical, &canonical)?, true)),
            Exchange::Apart => Ok((self.number(&self.numbers[1], &canonical, &state)?, false)),
            Exchange::Ignored => Ok((self.number(&self.numbers[0], &state, &state)?, false)),
            Exchange::Refused => {
                self.is_stopped = true;
                Err(Error::new_err(format!("the players are exchanged at {}", shown(&state))))
            }
        }
    }

    /// The reward of a pair of actions, and the states that may follow with their probabilities,
    /// none of them 0.
    fn outcome<'py>(
        &mut self,
        state: Bound<'py, PyAny>,
        a: Bound<'py, PyAny>,
        b: Bound<'py, PyAny>,
    ) -> PyResult<(BigRational, Vec<(BigRational, Bound<'py, PyAny>)>)> {
        let CellOutcome { reward, successors } = self.cell_outcome(&state, &a, &b)?;
        Ok((
            reward.rational(),
            successors.into_iter().map(|(share, state)| (share.rational(), state)).collect(),
        ))
    }

    /// Asks about all states that these starts reach, and makes a game of them.
    fn game(
        &mut self,
        py: Python<'_>,
        kind: &str,
        discount: Option<BigRational>,
        starts: Vec<u32>,
        memory_limit: u64,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<PyStochasticGame> {
        let mut builder = begun(kind, discount)?;
        for start in starts {
            builder.start(&start.to_string()).or_raise()?;
        }
        self.visit(py, tell, |explorer, number, state| {
            let name = number.to_string();
            match explorer.turn(state, memory_limit)? {
                Err(value) => builder.end(&name, value.rational()).or_raise()?,
                Ok(Choice { actions: [a, b], endless }) => {
                    let mut cells = CellTable::default();
                    for row in &a {
                        for column in &b {
                            let CellOutcome { reward, successors } =
                                explorer.cell_outcome(state, row, column)?;
                            for (share, successor) in successors {
                                cells.follow(
                                    share.exact(),
                                    explorer.enter(successor)?.0.to_string(),
                                );
                            }
                            cells.push(reward.exact());
                        }
                        cells.end_row();
                        state.py().check_signals()?;
                    }
                    let [a, b] = [names(state, &a)?, names(state, &b)?];
                    builder.state(&name, [&a, &b], endless.rational(), &cells).or_raise()?;
                }
            }
            builder.check_memory(memory_limit).or_raise()
        })?;
        Ok(PyStochasticGame::new(abandonable(py, || builder.finish())?.or_raise()?))
    }

    /// Asks about all states that these starts reach, and makes a table of rules.
    fn table(
        &mut self,
        py: Python<'_>,
        kind: &str,
        discount: BigRational,
        starts: Vec<CanonicalState>,
        memory_limit: u64,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<PyRulesTable> {
        let known = self.states.bind(py).len();
        if let Some((start, _)) = starts.iter().find(|(start, _)| *start as usize >= known) {
            return Err(Error::new_err(format!("there is no state `{start}`")));
        }
        let mut table = RulesTable::new(kind.parse().or_raise()?, discount, starts);
        let mut bytes = 0;
        self.visit(py, tell, |explorer, number, state| {
            let turn = explorer.turn(state, memory_limit)?;
            if let Some(index) = &explorer.methods.index {
                table.index(whole(&index.bind(state.py()).call1((state,))?, state)?);
            }
            let Choice { actions: [a, b], endless } = match turn {
                Err(value) => {
                    table.end(value.rational());
                    return Ok(());
                }
                Ok(choice) => choice,
            };
            let mut cells = Vec::with_capacity(a.len() * b.len());
            for row in &a {
                for column in &b {
                    let outcome = explorer.cell_outcome(state, row, column)?;
                    let mut successors = Vec::with_capacity(outcome.successors.len());
                    for (share, successor) in outcome.successors {
                        successors.push((share, explorer.enter(successor)?));
                    }
                    bytes +=
                        (BYTES_A_TABLE_CELL + BYTES_A_TABLE_SUCCESSOR * successors.len()) as u64;
                    cells.push(weighed(&outcome.reward, &successors, state)?);
                }
            }
            memory::check_within(bytes, memory_limit, || {
                format!("the first {} states of the game alone", number + 1)
            })?;
            table.state([a.len(), b.len()], endless.rational(), cells);
            Ok(())
        })?;
        Ok(PyRulesTable::new(table))
    }
}

impl PyExplorer {
    /// Visits every state, also those that the visits find.
    fn visit<'py>(
        &mut self,
        py: Python<'py>,
        tell: Option<Py<PyAny>>,
        mut visitor: impl FnMut(&mut Self, usize, &Bound<'py, PyAny>) -> PyResult<()>,
    ) -> PyResult<()> {
        let states = self.states.clone_ref(py).into_bound(py);
        let report = |done: usize| {
            tell.as_ref().map_or(Ok(()), |tell| tell.call1(py, (done, states.len())).map(|_| ()))
        };
        let (mut number, mut reported) = (0, Instant::now());
        while number < states.len() {
            visitor(self, number, &states.get_item(number)?)?;
            number += 1;
            py.check_signals()?;
            if states.len() > self.most_states {
                let expected = "expected a larger `most_states`, or a smaller game";
                let asked = format!("{number} of them were asked about");
                return Err(Error::new_err(format!(
                    "the game has more than {} states; {asked}; {expected}",
                    self.most_states
                )));
            }
            if tell.is_some() && reported.elapsed() > BETWEEN_REPORTS {
                reported = Instant::now();
                report(number)?;
            }
        }
        report(number)
    }

    /// The actions of a state and what infinite plays pay there, or the payoff of an end.
    fn turn<'py>(
        &mut self,
        state: &Bound<'py, PyAny>,
        memory_limit: u64,
    ) -> PyResult<Result<Choice<'py>, Number>> {
        let py = state.py();
        let answer = self.methods.turn.bind(py).call1((state,))?;
        let Ok(pair) = answer.cast::<PyTuple>() else {
            if answer.is_none() {
                let expected = "expected a pair of lists of actions, or at an end its payoff: is a `return` missing?";
                return Err(Error::new_err(format!(
                    "`turn` gives None at {}; {expected}",
                    shown(state)
                )));
            }
            if answer.is_instance_of::<PyList>() {
                let expected = "expected a tuple of A's and of B's actions, such as `return a_actions, b_actions`";
                return Err(Error::new_err(format!(
                    "`turn` gives the list {} at {}; {expected}",
                    shown(&answer),
                    shown(state)
                )));
            }
            self.actions.bind(py).append(py.None())?;
            return Ok(Err(self.exactly(&answer, || format!("the value of {}", shown(state)))?));
        };
        if pair.len() != 2 {
            let expected = "expected a pair of lists of actions, or a number";
            return Err(Error::new_err(format!(
                "`turn` gives {} at {}; {expected}",
                shown(&answer),
                shown(state)
            )));
        }
        let actions = [listed(state, &pair.get_item(0)?)?, listed(state, &pair.get_item(1)?)?];
        let cells = actions
            .iter()
            .map(|list| list.len() as u64)
            .product::<u64>()
            .saturating_mul(BYTES_A_CELL);
        if cells > memory_limit {
            let [a, b] = [&actions[0], &actions[1]].map(Vec::len);
            let message = format!(
                "state {}: {a} times {b} cells would take {cells} bytes of memory",
                shown(state)
            );
            return Err(Error::new_err(format!("{message}, above the limit of {memory_limit}")));
        }
        self.actions
            .bind(py)
            .append((PyList::new(py, &actions[0])?, PyList::new(py, &actions[1])?))?;
        let endless = match &self.methods.endless {
            Some(endless) => {
                let paid = endless.bind(py).call1((state,))?;
                self.exactly(&paid, || format!("what endless play pays at {}", shown(state)))?
            }
            None => Number::Small(Ratio::zero()),
        };
        Ok(Ok(Choice { actions, endless }))
    }

    /// Asks the rules about a pair of actions.
    fn cell_outcome<'py>(
        &mut self,
        state: &Bound<'py, PyAny>,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
    ) -> PyResult<CellOutcome<'py>> {
        static MAPPING: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let py = state.py();
        let after = self.methods.after.bind(py).call1((state, a, b))?;
        let refuse = |expected: &str| {
            let pair = format!("{} against {}", shown(a), shown(b));
            Error::new_err(format!(
                "`after` gives {} at {}, {pair}; {expected}",
                shown(&after),
                shown(state)
            ))
        };
        let mut given = Vec::new();
        // Pairs are collected first: numbers and states run code of the rules.
        let is_certain = if let Ok(shares) = after.cast_exact::<PyDict>() {
            given.extend(shares.iter());
            false
        } else if let Ok(tuple) = after.cast_exact::<PyTuple>() {
            if are_shares(tuple) {
                return Err(refuse(
                    "expected a list of such pairs, or a dict; a state of pairs is [(state, 1)]",
                ));
            }
            true
        } else if after.is_exact_instance_of::<PyInt>() || after.is_exact_instance_of::<PyString>()
        {
            // A state, as most often.
            true
        } else if let Ok(pairs) = after.cast::<PyList>() {
            given.reserve(pairs.len());
            for pair in pairs {
                let no_pairs = || {
                    refuse(
                        "expected pairs of a state and its probability; a single state is a tuple",
                    )
                };
                if pair.is_instance_of::<PyString>()
                    || pair.len().map_err(|error| unless_interrupted(py, error, no_pairs))? != 2
                {
                    return Err(no_pairs());
                }
                given.push((pair.get_item(0)?, pair.get_item(1)?));
            }
            false
        } else if after.is_instance(MAPPING.import(py, "collections.abc", "Mapping")?)? {
            // A cast to `PyMapping` would ask the same, but drop a Ctrl-C that comes meanwhile.
            for pair in after.call_method0(intern!(py, "items"))?.try_iter()? {
                given.push(pair?.extract()?);
                if given.len() > MOST_SUCCESSORS {
                    let message = format!(
                        "state {}: there are more than {MOST_SUCCESSORS} states that follow",
                        shown(state)
                    );
                    return Err(Error::new_err(message));
                }
                py.check_signals()?;
            }
            false
        } else if after.is_none() {
            return Err(refuse("expected the state that follows: is a `return` missing?"));
        } else if after.hasattr(intern!(py, "__next__"))? {
            return Err(refuse(
                "expected the state that follows, or a list of pairs of states and probabilities",
            ));
        } else {
            true
        };
        let mut successors = Vec::with_capacity(given.len().max(1));
        if is_certain {
            successors.push((Number::Small(Ratio::one()), after.clone()));
        } else {
            let mut shares = Shares { are_whole: true, has_floats: false };
            for (successor, share) in given {
                shares.observe(&share)?;
                let share =
                    self.exactly(&share, || format!("a probability at {}", shown(state)))?;
                if !share.is_zero() {
                    successors.push((share, successor));
                }
            }
            self.distribute(&shares, &mut successors, || {
                format!(
                    "state {}, {} against {}: the probabilities",
                    shown(state),
                    shown(a),
                    shown(b)
                )
            })?;
        }
        let reward = match &self.methods.reward {
            Some(reward) => {
                let paid = reward.bind(py).call1((state, a, b))?;
                if paid.is_none() {
                    Number::Small(Ratio::zero())
                } else {
                    self.exactly(&paid, || format!("the reward at {}", shown(state)))?
                }
            }
            None => Number::Small(Ratio::zero()),
        };
        Ok(CellOutcome { reward, successors })
    }

    /// Divides probabilities by their sum where they are integers, or floats within the tolerance
    /// of 1.
    fn distribute(
        &mut self,
        shares: &Shares,
        successors: &mut [(Number, Bound<'_, PyAny>)],
        words: impl Fn() -> String,
    ) -> PyResult<()> {
        // The builder names what is negative or missing.
        if successors.is_empty() || successors.iter().any(|(share, _)| share.is_negative()) {
            return Ok(());
        }
        let is_one = sums_to_one(successors);
        if is_one
            && (!shares.has_floats || successors.iter().all(|(share, _)| share.has_bits(self.bits)))
        {
            return Ok(());
        }
        if shares.has_floats {
            let fine: Vec<i128> =
                successors.iter().map(|(share, _)| fine_fraction(&share.rational())).collect();
            match normalised(&fine, self.bits) {
                _ if self.is_exact => {}
                Some(Err(index)) => {
                    let (share, _) = &successors[index];
                    let share = share.rational().to_f64().unwrap_or(f64::NAN);
                    let message = format!(
                        "{} have {share}, below 2^-{}; expected integer weights",
                        words(),
                        self.bits
                    );
                    return Err(Error::new_err(message));
                }
                Some(Ok(parts)) => {
                    self.normalised += 1;
                    for ((share, _), part) in successors.iter_mut().zip(parts) {
                        *share = Number::Small(dyadic(part, self.bits));
                    }
                    return Ok(());
                }
                None => {}
            }
        }
        let sum: BigRational = successors.iter().map(|(share, _)| share.rational()).sum();
        if shares.are_whole {
            for (share, _) in successors.iter_mut() {
                *share = Number::of(&(share.rational() / &sum));
            }
            return Ok(());
        }
        let advice = if shares.has_floats && self.is_exact { EXACTLY } else { ADVICE };
        Err(Error::new_err(format!("{} sum to {}; {advice}", words(), near_one(&sum))))
    }

    /// A number of the rules; the words say which, if it is none.
    fn exactly(
        &mut self,
        number: &Bound<'_, PyAny>,
        words: impl Fn() -> String,
    ) -> PyResult<Number> {
        static FRACTION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        static FUNCTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = number.py();
        if number.is_exact_instance_of::<PyInt>()
            && let Ok(small) = number.extract::<i64>()
            && small != i64::MIN
        {
            return Ok(Number::Small(small.into()));
        }
        let class = FRACTION.import(py, "fractions", "Fraction")?;
        let is_fraction = number.get_type().is(class);
        if let Some((_, known)) =
            self.remembered.get(&(number.as_ptr() as usize)).filter(|_| is_fraction)
        {
            return Ok(known.clone());
        }
        let converted = if is_fraction
            || number.is_exact_instance_of::<PyFloat>() && number.extract::<f64>()?.is_finite()
        {
            None
        } else {
            let function = FUNCTION.get_or_try_init(py, || {
                py.import("pencil_tennis._shares")
                    .and_then(|shares| shares.getattr("fraction"))
                    .map(Bound::unbind)
            })?;
            let refused = |error: PyErr| {
                if error.is_instance_of::<Error>(py) {
                    Error::new_err(format!(
                        "{} is {}; expected a finite number",
                        words(),
                        shown(number)
                    ))
                } else {
                    error
                }
            };
            Some(function.bind(py).call1((number, "")).map_err(refused)?)
        };
        let converted = converted.as_ref().unwrap_or(number);
        let [numerator, denominator] = if converted.is_exact_instance_of::<PyFloat>() {
            converted.call_method0(intern!(py, "as_integer_ratio"))?.extract()?
        } else {
            [
                converted.getattr(intern!(py, "numerator"))?,
                converted.getattr(intern!(py, "denominator"))?,
            ]
        };
        let exact = match (numerator.extract::<i64>(), denominator.extract::<i64>()) {
            // Python's fractions are in lowest terms.
            (Ok(numerator), Ok(denominator)) if numerator != i64::MIN => {
                Number::Small(Ratio::new_raw(numerator, denominator))
            }
            _ => Number::Large(BigRational::new(numerator.extract()?, denominator.extract()?)),
        };
        if is_fraction {
            if self.remembered.len() >= REMEMBERED {
                self.remembered.clear();
            }
            // The reference keeps the address from being that of another number.
            self.remembered
                .insert(number.as_ptr() as usize, (number.clone().unbind(), exact.clone()));
        }
        Ok(exact)
    }

    /// The number of a state, by its key.
    fn number(
        &self,
        numbers: &Py<PyDict>,
        key: &Bound<'_, PyAny>,
        state: &Bound<'_, PyAny>,
    ) -> PyResult<u32> {
        let py = key.py();
        let numbers = numbers.bind(py);
        let known = numbers.get_item(key).map_err(|error| {
            if error.is_instance_of::<PyTypeError>(py) {
                let expected = "expected something that can be hashed, such as a tuple";
                PyTypeError::new_err(format!("{} is no state; {expected}", shown(state)))
            } else {
                error
            }
        })?;
        if let Some(number) = known {
            return number.extract();
        }
        let states = self.states.bind(py);
        let number = states.len() as u32;
        numbers.set_item(key, number)?;
        states.append(state)?;
        Ok(number)
    }
}

/// Begins a game of a kind.
pub(crate) fn begun(kind: &str, discount: Option<BigRational>) -> PyResult<StochasticGameBuilder> {
    let kind: Kind = kind.parse().or_raise()?;
    match discount {
        Some(discount) if kind != Kind::Discounted => Err(Error::new_err(format!(
            "a game of kind `{kind}` has the discount {discount}; expected kind `discounted`"
        ))),
        discount => StochasticGame::builder(kind, discount).or_raise(),
    }
}

/// A cell with integer weights, as rules have it.
fn weighed(
    reward: &Number,
    successors: &[(Number, CanonicalState)],
    state: &Bound<'_, PyAny>,
) -> PyResult<Cell> {
    let too_fine = || {
        let expected = "expected numerators and denominators up to 2^62";
        Error::new_err(format!(
            "state {}: a probability or a reward is too fine; {expected}",
            shown(state)
        ))
    };
    let mut common = 1_i128;
    let mut parts = Vec::with_capacity(successors.len());
    for (share, successor) in successors {
        let (numerator, denominator) = share.parts().ok_or_else(too_fine)?;
        common = common.lcm(&denominator);
        if common > FINEST {
            return Err(too_fine());
        }
        parts.push((numerator, denominator, *successor));
    }
    let sum: i128 =
        parts.iter().map(|(numerator, denominator, _)| numerator * (common / denominator)).sum();
    if sum != common || parts.iter().any(|(numerator, ..)| numerator.is_negative()) {
        let shares: Vec<String> =
            successors.iter().map(|(share, _)| share.rational().to_string()).collect();
        let message = format!("{shares:?} are no probabilities; expected a sum of exactly 1");
        return Err(Error::new_err(format!("state {}: {message}", shown(state))));
    }
    let weights = parts.iter().map(|(numerator, denominator, (state, exchanged))| {
        ((numerator * (common / denominator)) as u64, *state, *exchanged)
    });
    let (numerator, denominator) =
        reward.parts().filter(|&(n, d)| n.abs() <= FINEST && d <= FINEST).ok_or_else(too_fine)?;
    Ok((weights.collect(), numerator as i64, denominator as u64))
}

/// The actions of a player, unlike each other.
fn listed<'py>(
    state: &Bound<'py, PyAny>,
    actions: &Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let py = state.py();
    let refuse = |words: String| Error::new_err(format!("state {}: {words}", shown(state)));
    let given = actions.try_iter();
    let no_list = || refuse(format!("{} are no actions; expected a list", shown(actions)));
    let given = given.map_err(|error| unless_interrupted(py, error, no_list))?;
    let list = given.take(MOST_ACTIONS + 1).collect::<PyResult<Vec<_>>>()?;
    if list.len() > MOST_ACTIONS {
        return Err(refuse(format!("there are more than {MOST_ACTIONS} actions")));
    }
    let unlike = PyDict::new(py);
    for action in &list {
        let unhashed = || {
            refuse(format!("{} are no actions; expected some that can be hashed", shown(actions)))
        };
        unlike.set_item(action, ()).map_err(|error| unless_interrupted(py, error, unhashed))?;
    }
    if unlike.len() < list.len() {
        return Err(refuse(format!("two actions are equal: {}", shown(actions))));
    }
    Ok(list)
}

/// A refusal in place of an error of the rules, but not of Ctrl-C.
fn unless_interrupted(py: Python<'_>, error: PyErr, refusal: impl FnOnce() -> PyErr) -> PyErr {
    if error.is_instance_of::<PyKeyboardInterrupt>(py) { error } else { refusal() }
}

/// The names of actions.
fn names(state: &Bound<'_, PyAny>, actions: &[Bound<'_, PyAny>]) -> PyResult<Vec<String>> {
    let name = |action: &Bound<'_, PyAny>| {
        let text = action.str()?;
        text.to_str().map(str::to_owned).map_err(|_| {
            let action = shown(action);
            Error::new_err(format!(
                "state {}: the name of the action {action} is no text in Unicode",
                shown(state)
            ))
        })
    };
    actions.iter().map(name).collect()
}

/// The number that the rules have for a state.
fn whole(index: &Bound<'_, PyAny>, state: &Bound<'_, PyAny>) -> PyResult<usize> {
    let py = state.py();
    let function = py.import("pencil_tennis._game")?.getattr("whole")?;
    function.call1((index, format!("the index of {}", shown(state)), 0, 1_u64 << 32))?.extract()
}

/// An object as messages show it.
fn shown(object: &Bound<'_, PyAny>) -> String {
    /// The characters of a long one.
    const MOST: usize = 200;
    let text = object.repr().map_or_else(
        |_| "an object without a representation".to_owned(),
        |text| text.to_string_lossy().into(),
    );
    text.chars().take(MOST).collect()
}
