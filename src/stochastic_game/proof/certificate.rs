//! The proof of a solved game as a file, and its check.
//!
//! The check knows the game and nothing of how it was solved: a few lines of arithmetic are written here once more, on purpose.

use std::io::{self, BufRead, Write};

use num_bigint::BigInt;
use num_rational::BigRational;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::bounds::{Bounds, Enclosure};
use crate::error::{GameFault, StochasticGameError};
use crate::excerpt::sentence;
use crate::matrix_game::DyadicStrategy;
use crate::stochastic_game::model::Kind;
use crate::stochastic_game::model::StochasticGame;
use crate::stochastic_game::model::{CellView, NumberedGame};
use crate::stochastic_game::model::{given, object, text};
use crate::stochastic_game::solution::StochasticSolution;

/// The name of the format, in its first line.
const FORMAT: &str = "stochastic-game-proof";

/// The version of the format.
const VERSION: u32 = 1;

/// Bounds are within ±2^this, so that no sum overflows.
const MOST_BITS: u32 = 62;

/// Units are not finer than 2^−this.
const MOST_EXPONENT: u32 = 126;

/// The first line.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    format: String,
    version: u32,
    pub(crate) exponent: u32,
    pub(crate) states: usize,
    /// Of a game that rules in code give again; else the game follows.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub(crate) digest: Option<String>,
}

impl Header {
    pub(crate) fn new(exponent: u32, states: usize, digest: Option<String>) -> Self {
        Self { format: FORMAT.to_owned(), version: VERSION, exponent, states, digest }
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write_line(self, out)
    }
}

/// The proof of a state: bounds in units, and weights out of 2⁶² by the numbers of actions.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StateProof {
    lower: String,
    upper: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    a: Vec<(u32, String)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    b: Vec<(u32, String)>,
}

impl StateProof {
    pub(crate) fn new(Bounds { lower, upper }: Bounds, weights: [&[(u32, u64)]; 2]) -> Self {
        let [a, b] = weights.map(|strategy| strategy.iter().map(|&(action, weight)| (action, weight.to_string())).collect());
        Self { lower: lower.to_string(), upper: upper.to_string(), a, b }
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write_line(self, out)
    }
}

fn write_line(line: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

impl StochasticSolution {
    /// Writes a certificate: the game, and for every state its bounds and the weights of both strategies, which prove them.
    /// `docs/games.md` describes it.
    ///
    /// # Errors
    /// Those of the system.
    pub fn write_certificate(&self, out: &mut dyn Write) -> io::Result<()> {
        Header::new(self.scale().exponent, self.game().len(), None).write(out)?;
        self.game().write(out)?;
        self.write_proofs(out)
    }

    /// The lines of all states, in their order.
    pub(crate) fn write_proofs(&self, out: &mut dyn Write) -> io::Result<()> {
        for (state, bounds) in self.bounds().iter().enumerate() {
            StateProof::new(*bounds, self.weights_at(state)).write(out)?;
        }
        Ok(())
    }
}

/// A game whose bounds a certificate proves.
#[derive(Clone, Debug)]
pub struct StochasticProof {
    game: StochasticGame,
    exponent: u32,
    bounds: Vec<Bounds>,
}

impl StochasticProof {
    /// Whether a file begins as a certificate of this kind does.
    pub fn is_begun_by(bytes: &[u8]) -> bool {
        bytes.starts_with(format!("{{\"format\":\"{FORMAT}\"").as_bytes())
    }

    /// Reads a certificate and checks it, without trusting the solver.
    ///
    /// ```
    /// use pencil_tennis::stochastic_game::{StochasticGame, StochasticProof, StochasticSolver};
    ///
    /// let text = r#"{"format":"stochastic-game","version":1,"kind":"discounted","discount":"1/2","start":["s"]}
    /// {"id":"s","a":["x"],"b":["y"],"cells":[[{"reward":"1","to":[["1","s"]]}]]}"#;
    /// let solution = StochasticSolver::new(StochasticGame::read(text.as_bytes())?).solve()?;
    /// let mut certificate = Vec::new();
    /// solution.write_certificate(&mut certificate)?;
    /// let proof = StochasticProof::verify(&certificate[..])?;
    /// assert_eq!(proof.enclosure_at(0), solution.enclosure("s")?);
    /// assert!((proof.enclosure_at(0).middle() - 2.0).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A sentence, with the line or the state.
    pub fn verify(mut input: impl BufRead) -> Result<Self, StochasticGameError> {
        let refuse = |reason: &str| StochasticGameError::new(text(reason));
        let mut lines = Vec::new();
        let header = read_header(&mut input, &mut lines)?;
        if header.digest.is_some() {
            return Err(refuse(
                "the certificate is of a game that rules in code give again; `RulesProof` of the library checks it",
            ));
        }
        lines.clear();
        for _ in 0..=header.states {
            read_line(&mut input, &mut lines)?;
        }
        let game = StochasticGame::read(lines.as_slice())?;
        if game.len() != header.states {
            return Err(refuse("the game has not as many states as the certificate says"));
        }
        let bounds = Check::read(&game, header.exponent, &mut input, &mut lines)?;
        lines.clear();
        if read_line(&mut input, &mut lines).is_ok() {
            return Err(refuse("the certificate goes on behind its end"));
        }
        Ok(Self { game, exponent: header.exponent, bounds })
    }

    /// The game.
    pub const fn game(&self) -> &StochasticGame {
        &self.game
    }

    /// Proved bounds of the value of a state by its number.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn enclosure_at(&self, state: usize) -> Enclosure {
        Enclosure::from_integers(self.bounds[state], self.exponent)
    }

    /// The largest width of the bounds of any state, rounded up.
    pub fn widest_enclosure(&self) -> f64 {
        (0..self.bounds.len()).map(|state| self.enclosure_at(state).width()).fold(0.0, f64::max)
    }
}

/// Weights of A and of B.
pub(crate) type Weights = [Vec<(u32, u64)>; 2];

/// Adds a line to those read so far.
pub(crate) fn read_line(input: &mut impl BufRead, lines: &mut Vec<u8>) -> Result<(), StochasticGameError> {
    let refuse = |reason: &str| StochasticGameError::new(text(reason));
    let read = input.read_until(b'\n', lines).map_err(|error| refuse(&format!("it cannot be read: {error}")))?;
    if read == 0 { Err(refuse("the certificate ends too early")) } else { Ok(()) }
}

/// The object of a line of a certificate.
pub(crate) fn read_object<T: DeserializeOwned>(line: &[u8]) -> Result<T, StochasticGameError> {
    let malformed = |error: &_| text(format!("the certificate is not as described: {}", sentence(error)));
    object(line, malformed).map_err(StochasticGameError::new)
}

/// Reads the first line.
pub(crate) fn read_header(input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<Header, StochasticGameError> {
    read_line(input, line)?;
    let header: Header = read_object(line)?;
    if header.format != FORMAT || header.version != VERSION || header.exponent > MOST_EXPONENT {
        return Err(StochasticGameError::new(text("the first line is not that of a certificate of version 1")));
    }
    Ok(header)
}

fn refuse_state(game: &StochasticGame, state: usize, reason: &str) -> StochasticGameError {
    StochasticGameError::of_state(game.name(state), GameFault::Text { reason: reason.to_owned() })
}

/// Bounds and weights of a state with so many actions, or of an end, if they are what they have to be.
pub(crate) fn read_proof(sizes: Option<[usize; 2]>, proof: &StateProof) -> Option<(Bounds, Weights)> {
    let bound = |text: &str| text.parse::<i64>().ok().filter(|bound| bound.unsigned_abs() <= 1 << MOST_BITS);
    let bounds = Bounds::new(bound(&proof.lower)?, bound(&proof.upper)?);
    let Some([a, b]) = sizes else {
        return (proof.a.is_empty() && proof.b.is_empty()).then(|| (bounds, Weights::default()));
    };
    let strategy = |written: &[(u32, String)], actions: usize| {
        let strategy: Vec<(u32, u64)> =
            written.iter().map(|(action, weight)| Some((*action, weight.parse().ok()?))).collect::<Option<_>>()?;
        let rising = strategy.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let legal = strategy.iter().all(|&(action, weight)| (action as usize) < actions && weight > 0);
        let sum: u128 = strategy.iter().map(|&(_, weight)| u128::from(weight)).sum();
        (rising && legal && sum == u128::from(DyadicStrategy::WHOLE)).then_some(strategy)
    };
    Some((bounds, [strategy(&proof.a, a)?, strategy(&proof.b, b)?]))
}

/// The bound of a cell as its player counts it: what is won at least, in whole units.
pub(crate) fn cell_worth(cell: &CellView<'_>, player: usize, exponent: u32, of: impl Fn(u32) -> Bounds) -> Option<i128> {
    let sign = if player == 0 { 1 } else { -1 };
    let paid = BigInt::from(cell.reward * sign) << exponent;
    let later = cell.outcomes.iter().map(|outcome| {
        let bounds = of(outcome.state);
        let bound = if player == 0 { i128::from(bounds.lower) } else { -i128::from(bounds.upper) };
        i128::from(outcome.weight) * bound
    });
    // At most 2^62 times 2^62 in all.
    let sum = i128::try_from(paid + later.sum::<i128>()).ok()?;
    Some(sum.div_euclid(i128::from(cell.denominator))).filter(|worth| worth.unsigned_abs() <= 1 << 63)
}

/// Whether a player's weights win at least the bound against every action of the other; `worth` is that of the cell of the
/// player's and the other's action.
pub(crate) fn secures(
    bounds: Bounds,
    player: usize,
    weights: &[(u32, u64)],
    others: usize,
    worth: impl Fn(usize, usize) -> Option<i128>,
) -> bool {
    let bound = if player == 0 { i128::from(bounds.lower) } else { -i128::from(bounds.upper) };
    (0..others).all(|other| {
        let mut sum = 0;
        for &(own, weight) in weights {
            let Some(worth) = worth(own as usize, other) else { return false };
            sum += i128::from(weight) * worth;
        }
        sum >= bound << DyadicStrategy::WHOLE_BITS
    })
}

/// The check of a certificate.
pub(crate) struct Check<'c> {
    game: &'c StochasticGame,
    exponent: u32,
    bounds: &'c [Bounds],
    weights: &'c [Weights],
}

impl Check<'_> {
    /// Reads the lines of all states and checks them; returns their bounds.
    pub(crate) fn read(
        game: &StochasticGame,
        exponent: u32,
        input: &mut impl BufRead,
        line: &mut Vec<u8>,
    ) -> Result<Vec<Bounds>, StochasticGameError> {
        let (mut bounds, mut weights) = (Vec::new(), Vec::new());
        for state in 0..game.len() {
            line.clear();
            read_line(input, line)?;
            let proof: StateProof = read_object(line)?;
            let sizes = game.actions(state).map(|actions| actions.map(<[_]>::len));
            let own =
                read_proof(sizes, &proof).ok_or_else(|| refuse_state(game, state, "numbers or weights are not as described"))?;
            bounds.push(own.0);
            weights.push(own.1);
        }
        Check { game, exponent, bounds: &bounds, weights: &weights }.run()?;
        Ok(bounds)
    }

    fn run(&self) -> Result<(), StochasticGameError> {
        for state in 0..self.game.len() {
            let refuse = |reason: &str| refuse_state(self.game, state, reason);
            let Bounds { lower, upper } = self.bounds[state];
            if let Some(value) = self.game.end_value(state) {
                let value = value * self.unit();
                if BigRational::from_integer(lower.into()) > value || BigRational::from_integer(upper.into()) < value {
                    return Err(refuse("the value of this end is not within its bounds"));
                }
                continue;
            }
            if !self.is_secured(state, 0) {
                return Err(refuse("A's weights do not secure the lower bound"));
            }
            if !self.is_secured(state, 1) {
                return Err(refuse("B's weights do not secure the upper bound"));
            }
        }
        for player in [0, 1] {
            if let Some(state) = self.kept(player) {
                let reason = "play can be kept here for ever, where the bound is better than what endless play pays";
                return Err(refuse_state(self.game, state, reason));
            }
        }
        Ok(())
    }

    /// The units in 1.
    fn unit(&self) -> BigRational {
        BigRational::from_integer(BigInt::from(1) << self.exponent)
    }

    /// The numbers of the actions of both players.
    fn sizes(&self, state: usize) -> [usize; 2] {
        self.game.actions(state).map_or([0, 0], |actions| actions.map(<[_]>::len))
    }

    fn cell(&self, state: usize, player: usize, own: usize, other: usize) -> CellView<'_> {
        if player == 0 { self.game.cell(state, own, other) } else { self.game.cell(state, other, own) }
    }

    /// Whether a player's weights win at least the bound against every action of the other.
    fn is_secured(&self, state: usize, player: usize) -> bool {
        let worth = |own: usize, other: usize| {
            cell_worth(&self.cell(state, player, own, other), player, self.exponent, |next| self.bounds[next as usize])
        };
        secures(self.bounds[state], player, &self.weights[state][player], self.sizes(state)[1 - player], worth)
    }

    /// A state where the other player can keep play for ever, against the weights, among states whose bound is better than what
    /// endless play pays.
    fn kept(&self, player: usize) -> Option<usize> {
        if self.game.kind() != Kind::Recursive {
            // Play ends, or is discounted: the game was checked for that when it was read.
            return None;
        }
        let is_better = |state: usize| {
            let endless = self.game.endless(state) * self.unit();
            let Bounds { lower, upper } = self.bounds[state];
            if player == 0 {
                BigRational::from_integer(lower.into()) > endless
            } else {
                BigRational::from_integer(upper.into()) < endless
            }
        };
        let mut inside: Vec<bool> =
            (0..self.game.len()).map(|state| self.game.end_value(state).is_none() && is_better(state)).collect();
        loop {
            let mut left = false;
            for state in 0..inside.len() {
                let stays = |other: usize| {
                    self.weights[state][player].iter().all(|&(own, _)| {
                        let cell = self.cell(state, player, own as usize, other);
                        cell.outcomes.iter().all(|outcome| inside[outcome.state as usize])
                    })
                };
                if inside[state] && !(0..self.sizes(state)[1 - player]).any(stays) {
                    inside[state] = false;
                    left = true;
                }
            }
            if !left {
                return inside.iter().position(|&inside| inside);
            }
        }
    }
}
