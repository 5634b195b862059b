//! Certificates of solved games, which include the game, or the digest of a game given by rules.

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

use dashu_int::IBig;
use num_bigint::BigInt;
use num_traits::{One, Signed};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::approached;
use super::value_bound::{ValueBound, ValueComparison};
use crate::best_payoffs::BestPayoffs;
use crate::bounds::Bounds;
use crate::cycles::{LongState, LongWeights};
use crate::error::{Error, StochasticGameError, StochasticGameFault};
use crate::excerpt::sentence;
use crate::explore::{Cells, Explored, Indexed, PlayerExchange, RuleRow};
use crate::gate::{Claims, Gate, NO_STRATEGY, Number, Passed, Units};
use crate::matrix_game::DyadicStrategy;
use crate::matrix_game::exact::integer;
use crate::model::{
    GameRules, Node, NumberedGame, StochasticGame, exact_number, given, object, text, write_line,
};
use crate::published::Published;
use crate::sweep::{Reached, StateSolver};
use crate::values::StochasticProof;

const FORMAT: &str = "stochastic-game-proof";

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The finest unit of version 1 is 2^−this.
const MOST_EXPONENT: u32 = 126;

/// The finest unit and weight of version 2 is 2^−this: strategies of as many bits prove bounds of
/// purgatory with seven floors, and no number in a check takes more than a few KB.
const MOST_LONG_EXPONENT: u32 = 1 << 14;

/// The units of a certificate, and its limit.
#[derive(Clone, Copy)]
struct Format {
    units: Units,
    /// Bounds are within ±2^this.
    bound_bits: u32,
}

/// The integers of a version, bounds and weights alike.
trait Digits: Clone + Default {
    /// Their sums and products.
    type Sum: Number + From<Self>;

    fn read(digits: &str) -> Option<Self>;
}

/// Version 1.
impl Digits for i64 {
    type Sum = i128;

    fn read(digits: &str) -> Option<Self> {
        digits.parse().ok()
    }
}

/// Version 2.
impl Digits for BigInt {
    type Sum = Self;

    fn read(digits: &str) -> Option<Self> {
        // The library reads underscores, too.
        let mut unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits).bytes();
        (digits.len() <= LONGEST_NUMBER && unsigned.all(|byte| byte.is_ascii_digit()))
            .then(|| digits.parse().ok())?
    }
}

/// The most characters of a number in version 2: more than its largest bound has.
const LONGEST_NUMBER: usize = 10_000;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    exponent: u32,
    /// The weights of a strategy sum to 2^this, in version 2 alone; 62 in version 1.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    weight_exponent: Option<u32>,
    states: usize,
    /// A bound of the values at the starts, and whether all keep it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    bound: Option<String>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    holds: Option<bool>,
    /// The digest of a game by rules; otherwise the game follows.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
}

impl Header {
    /// The numbers of the version that the fields belong to.
    fn format(&self) -> Option<Format> {
        let Self { version, exponent, weight_exponent, .. } = *self;
        let format = match (version, weight_exponent) {
            (1, None) => Format { units: Units { exponent, weight_exponent: 62 }, bound_bits: 62 },
            (2, Some(weight_exponent)) => Format {
                units: Units { exponent, weight_exponent },
                bound_bits: exponent.saturating_add(62),
            },
            _ => return None,
        };
        let most = if version == 1 { MOST_EXPONENT } else { MOST_LONG_EXPONENT };
        (self.format == FORMAT && exponent.max(weight_exponent.unwrap_or(0)) <= most)
            .then_some(format)
    }
}

impl Header {
    /// The bound of a verdict, and whether it is said to hold.
    fn bound(&self) -> Result<Option<(ValueBound, bool)>, StochasticGameError> {
        let (text, holds) = match (&self.bound, self.holds) {
            (None, None) => return Ok(None),
            (Some(text), Some(holds)) => (text, holds),
            _ => {
                return Err(refuse(
                    "the first line has a bound without a verdict, or a verdict without a bound",
                ));
            }
        };
        let digits = text.trim_start_matches(['<', '=', '>']);
        let comparison: ValueComparison = text[..text.len() - digits.len()].parse()?;
        let number = exact_number(digits)?.to_rational();
        Ok(Some((ValueBound { comparison, number }, holds)))
    }
}

/// The proof of a state: bounds in units, and weights by the numbers of actions.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct StateProof {
    lower: String,
    upper: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    a: Vec<(u32, String)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    b: Vec<(u32, String)>,
}

/// The bits by which the numbers of version 2 are longer than those of version 1.
#[derive(Clone, Copy)]
struct LongerBy {
    weights: usize,
    bounds: usize,
}

impl StateProof {
    fn new(bounds: Bounds, weights: [&[(u32, u64)]; 2], longer: LongerBy) -> Self {
        // Only where numbers get longer they take the time of long ones.
        let text = |number: i64, bits: usize| {
            if bits == 0 { number.to_string() } else { (IBig::from(number) << bits).to_string() }
        };
        let weight = |&(action, weight): &(u32, u64)| (action, text(weight as i64, longer.weights));
        let [a, b] = weights.map(|strategy| strategy.iter().map(weight).collect());
        let [lower, upper] = [bounds.lower, bounds.upper].map(|bound| text(bound, longer.bounds));
        Self { lower, upper, a, b }
    }

    fn long(state: &LongState, longer: LongerBy) -> Self {
        let LongState { weight_bits, finer, sides } = state;
        let bits = longer.weights + DyadicStrategy::WHOLE_BITS as usize - weight_bits;
        let shift = longer.bounds - finer;
        let [lower, upper] = [0, 1].map(|side| (&sides[side].0 << shift).to_string());
        let weight = |(action, weight): &(u32, IBig)| (*action, (weight << bits).to_string());
        let [a, b] = [0, 1].map(|side| sides[side].1.iter().map(weight).collect());
        Self { lower, upper, a, b }
    }
}

impl StochasticProof<StochasticGame> {
    /// Reads a certificate that includes its game, and checks it without trusting the solver.
    ///
    /// ```
    /// use stochastic_game::{StochasticGame, StochasticProof, StochasticSolver};
    ///
    /// let text = r#"{"format":"stochastic-game","version":1,"kind":"discounted","discount":"1/2","start":["s"]}
    /// {"id":"s","a":["x"],"b":["y"],"cells":[[{"reward":"1","to":[["1","s"]]}]]}"#;
    /// let solution = StochasticSolver::new(StochasticGame::read(text.as_bytes())?).solve()?;
    /// let mut certificate = Vec::new();
    /// solution.write_certificate(&mut certificate)?;
    /// let proof = StochasticProof::verify(&certificate[..])?;
    /// assert_eq!(proof.enclosure(&0)?, solution.enclosure(&0)?);
    /// assert!((proof.enclosure(&0)?.middle() - 2.0).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A sentence, with the line or the state.
    pub fn verify(mut input: impl BufRead) -> Result<Self, StochasticGameError> {
        let ((header, format), mut game) = (read_header(&mut input)?, Vec::new());
        if header.digest.is_some() {
            return Err(refuse(
                "the certificate is of a game that rules in code give again; `StochasticProof::verify_by` of the library checks it",
            ));
        }
        for _ in 0..=header.states {
            read_line(&mut input, &mut game)?;
        }
        // A file of a game may begin so; in the middle of a certificate the other checkers refuse
        // it.
        if game.starts_with(BYTE_ORDER_MARK) {
            return Err(refuse("a byte-order mark stands before the game"));
        }
        let game = StochasticGame::read(game.as_slice())?;
        if game.title().or(game.description()).is_some() || !game.texts.pictures.is_empty() {
            return Err(refuse(
                "the game has a title, a description or a picture; a certificate has none",
            ));
        }
        if game.len() != header.states {
            return Err(refuse("the game has not as many states as the certificate says"));
        }
        Self::read(
            Indexed::Written { rules: game, access: StochasticGame::ACCESS },
            &header,
            format,
            input,
        )
    }
}

impl<G: GameRules> StochasticProof<G> {
    /// Writes the certificate of a game's bounds, with a verdict if there is one, and of best
    /// payoffs that are approached and not attained; strategies that were not kept are recomputed.
    pub(crate) fn write(
        &self,
        verdict: Option<(&ValueBound, bool)>,
        best: Option<&BestPayoffs>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let Self { game, exponent, reached, .. } = self;
        let long = reached.published.long();
        let most = |size: fn(&LongState) -> usize, least: usize| {
            long.values().map(size).fold(least, usize::max)
        };
        let bits = most(|state| state.weight_bits, DyadicStrategy::WHOLE_BITS as usize);
        let longer = LongerBy {
            weights: bits - DyadicStrategy::WHOLE_BITS as usize,
            bounds: most(|state| state.finer, 0),
        };
        let digest = game.explored().map(digest).transpose().map_err(io::Error::other)?;
        let weight_exponent = (!long.is_empty()).then_some(bits as u32);
        let (version, exponent) =
            (1 + u32::from(!long.is_empty()), exponent + longer.bounds as u32);
        let header = Header {
            format: FORMAT.to_owned(),
            version,
            exponent,
            weight_exponent,
            states: game.len(),
            bound: verdict.map(|(bound, _)| bound.to_string()),
            holds: verdict.map(|(_, holds)| holds),
            digest,
        };
        write_line(out, &header)?;
        match game.cells() {
            Cells::Written(written) => {
                if header.digest.is_none() {
                    written.write(out)?;
                }
                self.write_states(written, 0..game.len() as u32, longer, out)?;
            }
            Cells::Explored(explored) => {
                self.write_states(explored, explored.levels().into_iter().flatten(), longer, out)?;
            }
        }
        best.map_or(Ok(()), |best| approached::write(best, out))
    }

    fn write_states<N: NumberedGame>(
        &self,
        game: &N,
        states: impl Iterator<Item = u32>,
        longer: LongerBy,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (bounds, long) = (self.reached.published.bounds(), self.reached.published.long());
        let mut solver = StateSolver::default();
        for state in states {
            let proof = match long.get(&state) {
                Some(state) => StateProof::long(state, longer),
                None => {
                    let weights = self
                        .weights(game, state as usize, &mut solver)
                        .map_err(io::Error::other)?;
                    StateProof::new(bounds[state as usize], weights, longer)
                }
            };
            write_line(out, &proof)?;
        }
        Ok(())
    }

    /// Reads a certificate with the digest of its game, and checks it by the rules, without
    /// trusting the solver; up to [`StochasticGame::MEMORY_LIMIT`] of memory.
    ///
    /// ```
    /// use stochastic_game::{GameRules, Node, Outcomes, StochasticProof, StochasticSolver};
    ///
    /// /// Matching pennies for this many rounds, each of which A wins or nobody.
    /// struct Pennies(u8);
    ///
    /// impl GameRules for Pennies {
    ///     type State = u8;
    ///
    ///     fn starts(&self) -> Vec<u8> {
    ///         vec![self.0]
    ///     }
    ///
    ///     fn node(&self, &rounds: &u8) -> Node {
    ///         if rounds == 0 { Node::over(0) } else { Node::Choose { a: 2, b: 2 } }
    ///     }
    ///
    ///     fn after(&self, rounds: &u8, a: usize, b: usize, outcomes: &mut Outcomes<u8>) {
    ///         outcomes.to(rounds - 1);
    ///         outcomes.reward(i64::from(a == b));
    ///     }
    /// }
    ///
    /// let mut certificate = Vec::new();
    /// StochasticSolver::new(Pennies(3)).solve()?.write_certificate(&mut certificate)?;
    /// let proof = StochasticProof::verify_by(Pennies(3), &certificate[..])?;
    /// assert_eq!(proof.enclosure(&3)?.middle(), 1.5);
    /// assert!(StochasticProof::verify_by(Pennies(4), &certificate[..]).is_err(), "another game");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A sentence, with the state; those of
    /// [`StochasticSolver::solve`](crate::StochasticSolver::solve) for faulty
    /// rules; any certificate that includes its game.
    pub fn verify_by(rules: G, mut input: impl BufRead) -> Result<Self, Error> {
        let (header, format) = read_header(&mut input)?;
        let embedded =
            || refuse("the certificate has the game in it; `StochasticProof::verify` checks it");
        let expected = header.digest.as_ref().ok_or_else(embedded)?;
        let explored = Explored::new(
            rules,
            PlayerExchange::Allowed,
            StochasticGame::MEMORY_LIMIT,
            &mut |_| ControlFlow::Continue(()),
        )?;
        if explored.len() != header.states || digest(&explored)? != *expected {
            return Err(refuse("the certificate is of another game, or of other rules").into());
        }
        Ok(Self::read(Indexed::new(explored)?, &header, format, input)?)
    }

    /// Checks the lines of all states, in the integers of the version, then claims of best payoffs
    /// and the verdict.
    fn read(
        game: Indexed<G>,
        header: &Header,
        format: Format,
        mut input: impl BufRead,
    ) -> Result<Self, StochasticGameError> {
        let bound = header.bound()?;
        let published = if header.version == 1 {
            let (bounds, passed) = checked::<i64, _>(&game, format, &mut input)?;
            Published::all(
                bounds.into_iter().map(|[lower, upper]| Bounds::new(lower, upper)).collect(),
                passed,
            )
        } else {
            let (bounds, passed) = checked::<BigInt, _>(&game, format, &mut input)?;
            // In the unit of the certificate; the weights are of no more use.
            let long = |bounds: [BigInt; 2]| {
                let sides = bounds.map(|bound| (integer(&bound), LongWeights::new()));
                LongState { weight_bits: 0, finer: 0, sides }
            };
            Published::all_long(bounds.into_iter().map(long), passed)
        };
        let reached = Reached { solved: 0, published, strategies: None };
        let best_payoffs = read_best_payoffs(&game, &mut input)?;
        let proof =
            Self { game, exponent: format.units.exponent, reached, verdict: None, best_payoffs };
        let Some((bound, holds)) = bound else { return Ok(proof) };
        if proof.keeps(&bound)? == Some(holds) {
            return Ok(Self { verdict: Some((bound, holds)), ..proof });
        }
        let said = if holds { "keep" } else { "break" };
        Err(refuse(&format!(
            "the bounds do not prove that the values at the starts {said} the bound {bound}"
        )))
    }
}

/// The bounds that the lines of a certificate claim, by the numbers of states.
struct ClaimedLines<T>(Vec<[T; 2]>);

impl<T: Digits> Claims<T::Sum> for ClaimedLines<T> {
    fn bounds(&self, state: usize) -> [T::Sum; 2] {
        self.0[state].clone().map(T::Sum::from)
    }
}

/// The weights of A and of B by the numbers of actions.
type Weights<T> = [Vec<(u32, T)>; 2];

/// The bounds of all states, with the receipt of their lines.
fn checked<T: Digits, G: GameRules>(
    game: &Indexed<G>,
    format: Format,
    input: &mut impl BufRead,
) -> Result<(Vec<[T; 2]>, Passed), StochasticGameError> {
    let (claims, passed) = match game.cells() {
        Cells::Written(written) => {
            let mut claims = ClaimedLines(vec![<[T; 2]>::default(); written.numbers()]);
            let mut all = Vec::with_capacity(written.len());
            for state in 0..written.len() {
                all.push(read_state(written, state, format, input, &mut claims)?);
            }
            let mut gate = Gate::new(written, format.units);
            let secured = gate.check_states(all.iter().map(mixtures).enumerate(), &claims)?;
            let states: Vec<u32> = (0..written.len() as u32).collect();
            let passed =
                gate.check_waiting(&states, |state| mixtures(&all[state]), &claims, secured)?;
            (claims, passed)
        }
        Cells::Explored(explored) => {
            let mut claims = ClaimedLines(vec![<[T; 2]>::default(); explored.numbers()]);
            let mut gate = Gate::new(explored, format.units);
            let mut passed = None;
            for state in explored.levels().into_iter().flatten() {
                let weights = read_state(explored, state as usize, format, input, &mut claims)?;
                passed = Some(gate.check_alone(state as usize, mixtures(&weights), &claims)?);
            }
            (claims, passed.ok_or_else(|| refuse("the game has no states"))?)
        }
    };
    Ok((claims.0, passed))
}

/// The claims of best payoffs behind the proofs of the states, checked; `None` if the certificate
/// ends there.
fn read_best_payoffs<G: GameRules>(
    game: &Indexed<G>,
    input: &mut impl BufRead,
) -> Result<Option<BestPayoffs>, StochasticGameError> {
    let goes_on = || refuse("the certificate goes on behind its end");
    let mut first = Vec::new();
    if read_line(input, &mut first).is_err() {
        return Ok(None);
    }
    // Games that are explored state by state have no cycles, and values that strategies attain.
    let Cells::Written(game) = game.cells() else { return Err(goes_on()) };
    if !approached::is_begun_by(&first) {
        return Err(goes_on());
    }
    let best = approached::read(game, &first, &mut *input)?;
    if read_line(input, &mut Vec::new()).is_ok() {
        return Err(goes_on());
    }
    Ok(Some(best))
}

fn mixtures<T>(weights: &Weights<T>) -> [&[(u32, T)]; 2] {
    weights.each_ref().map(Vec::as_slice)
}

/// Reads the line of a state: stores its bounds as claims, and returns its weights.
fn read_state<N: NumberedGame, T: Digits>(
    game: &N,
    state: usize,
    format: Format,
    input: &mut impl BufRead,
    claims: &mut ClaimedLines<T>,
) -> Result<Weights<T>, StochasticGameError> {
    let mut line = Vec::new();
    read_line(input, &mut line)?;
    let proof: StateProof = read_object(&line)?;
    let is_end = matches!(game.node(state)?, Node::Over(_));
    let fault =
        || game.refuse(state, StochasticGameFault::Claim { reason: NO_STRATEGY.to_owned() });
    claims.0[state] = read_bounds(format, &proof).ok_or_else(fault)?;
    if is_end {
        let has_strategies = !(proof.a.is_empty() && proof.b.is_empty());
        return if has_strategies { Err(fault()) } else { Ok(Weights::default()) };
    }
    read_weights(&proof).ok_or_else(fault)
}

/// The bounds of a state as numbers, if they have no more bits than the format allows.
fn read_bounds<T: Digits>(format: Format, proof: &StateProof) -> Option<[T; 2]> {
    let power = |exponent: u32| T::Sum::one() << exponent;
    let bound = |digits: &str| {
        T::read(digits)
            .filter(|bound| T::Sum::from(bound.clone()).abs() <= power(format.bound_bits))
    };
    Some([bound(&proof.lower)?, bound(&proof.upper)?])
}

/// The weights of a state as numbers; the gate tells whether they are strategies.
fn read_weights<T: Digits>(proof: &StateProof) -> Option<Weights<T>> {
    let strategy = |written: &[(u32, String)]| -> Option<Vec<(u32, T)>> {
        written.iter().map(|(action, weight)| Some((*action, T::read(weight)?))).collect()
    };
    Some([strategy(&proof.a)?, strategy(&proof.b)?])
}

pub(super) fn refuse(reason: &str) -> StochasticGameError {
    text(reason).into()
}

/// Adds a line to those read so far.
pub(super) fn read_line(
    input: &mut impl BufRead,
    lines: &mut Vec<u8>,
) -> Result<(), StochasticGameError> {
    let read = input
        .read_until(b'\n', lines)
        .map_err(|error| refuse(&format!("it cannot be read: {error}")))?;
    if read == 0 { Err(refuse("the certificate ends too early")) } else { Ok(()) }
}

/// The object of a line of a certificate.
pub(super) fn read_object<'l, T: Deserialize<'l>>(
    line: &'l [u8],
) -> Result<T, StochasticGameError> {
    let malformed = |error: &serde_json::Error| {
        if error.is_eof() {
            return text(
                "a line of the certificate ends too early; expected one JSON object in a line",
            );
        }
        text(format!("the certificate is not as described: {}", sentence(error)))
    };
    Ok(object(line, malformed)?)
}

fn read_header(input: &mut impl BufRead) -> Result<(Header, Format), StochasticGameError> {
    let mut line = Vec::new();
    read_line(input, &mut line)?;
    let header: Header = read_object(&line)?;
    let format = header
        .format()
        .ok_or_else(|| refuse("the first line is not that of a certificate of version 1 or 2"))?;
    Ok((header, format))
}

/// The SHA-256 in hexadecimal of a game by rules, over the bytes that `docs/game-format.md`
/// specifies.
pub(crate) fn digest<R: GameRules>(explored: &Explored<R>) -> Result<String, StochasticGameError> {
    let mut hasher = Sha256::new();
    let rules = &explored.rules;
    hasher.update(format!("game {} {} {}\n", rules.kind(), rules.discount(), explored.len()));
    for start in &explored.starts {
        hasher.update(start.0.to_le_bytes());
    }
    let mut row = RuleRow::default();
    for (number, state) in explored.states() {
        hasher.update((number as u64).to_le_bytes());
        match explored.node(number)? {
            Node::Over(value) => hasher.update(format!("end {value}\n")),
            Node::Choose { a, b } => {
                hasher.update(format!("state {a} {b} {}\n", rules.endless(state)));
                explored.cells(number, [a, b], &mut row, |_, cell| {
                    hasher.update((cell.outcomes.len() as u64).to_le_bytes());
                    hasher.update(cell.denominator.to_le_bytes());
                    hasher.update(cell.reward.to_le_bytes());
                    for outcome in cell.outcomes {
                        hasher.update(outcome.weight.to_le_bytes());
                        hasher.update(outcome.state.to_le_bytes());
                    }
                })?;
            }
        }
    }
    Ok(format!("{:x}", hasher.finalize()))
}
