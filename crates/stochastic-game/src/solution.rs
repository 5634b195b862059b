//! Solved games.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::sync::OnceLock;

use num_rational::BigRational;

use super::best_payoffs::{BestPayoff, BestPayoffs};
use super::explore::{Cells, Indexed};
use super::model::{GameRules, NumberedGame, NumberedState, Scale, StochasticGame};
use super::proof::StochasticCheckpoint;
#[cfg(feature = "files")]
use super::proof::digest;
use super::sweep::{Reached, StateSolver, Strategies, probabilities};
use super::values::StochasticProof;
use crate::bounds::{Bounds, Enclosure, FixedPointScale};
use crate::error::StochasticGameError;

/// A solved game: proved bounds of the value of every state, and strategies that secure them.
///
/// A state of a [`StochasticGame`] is its number, which [`place`](StochasticGame::place) finds by
/// its name.
///
/// In a recursive game a value may be approached and not attained: a player gets the best payoff
/// with every probability below 1, and by no strategy with probability 1. The bounds of such a
/// state are those of the value, and its strategies secure less: [`secured`](Self::secured) has
/// what they prove.
#[derive(Debug)]
pub struct StochasticSolution<G: GameRules = StochasticGame> {
    pub(super) proof: StochasticProof<G>,
    /// The bits by which the unit is finer than what is known before solving.
    finer: u32,
    pub(super) limits: Limits,
    /// Found when it is asked for.
    best_payoffs: OnceLock<Option<BestPayoffs>>,
}

/// The supports of A's and B's strategies, rising, with probabilities.
type ChosenActions = [Vec<(usize, f64)>; 2];

/// Bounds farther apart than 2^20 of the 2^61 units of the largest payoff are not due to rounding.
pub(crate) const WIDE_UNITS: i64 = 1 << 20;

impl StochasticSolution {
    /// The stage game of a state: what A wins on average by each pair of actions, from the middles
    /// of the successors' bounds; nature chooses uncertain probabilities by these. Rows are A's
    /// actions; there are none at an end.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](super::StochasticGameFault::UnknownState).
    pub fn matrix(&self, state: usize) -> Result<Vec<Vec<f64>>, StochasticGameError> {
        let game = self.game();
        let state = game.state(state)?.number();
        let scale = FixedPointScale { exponent: self.proof.exponent };
        let middle = |state: u32| scale.middle(self.bounds()[state as usize]);
        let entry = |a, b| {
            let cell = game.cell(state, a, b);
            let outcomes = cell.outcomes_by_nature(middle);
            let sum: f64 =
                outcomes.iter().map(|outcome| outcome.weight as f64 * middle(outcome.state)).sum();
            (sum + cell.reward as f64) / cell.denominator as f64
        };
        let [rows, columns] = game.sizes(state);
        Ok((0..rows).map(|a| (0..columns).map(|b| entry(a, b)).collect()).collect())
    }

    /// The average loss of each of A's actions against B's strategy, compared with the best one,
    /// and of each of B's against A's; 0 where the difference may be due to the width of the
    /// bounds.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](super::StochasticGameFault::UnknownState).
    pub fn losses(&self, state: usize) -> Result<[Vec<f64>; 2], StochasticGameError> {
        let (matrix, [x, y]) = (self.matrix(state)?, self.strategies(&state)?);
        let largest =
            matrix.iter().flatten().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
        // Sums of so many products round by some units in the last place.
        let noise = self.widest_enclosure().max(8.0 * f64::EPSILON * largest);
        let columns = matrix.first().map_or(0, Vec::len);
        let a = matrix.iter().map(|row| y.iter().map(|&(b, share)| share * row[b]).sum()).collect();
        let b = (0..columns)
            .map(|b| -x.iter().map(|&(a, share)| share * matrix[a][b]).sum::<f64>())
            .collect();
        Ok([a, b].map(|payoffs: Vec<f64>| {
            let best = payoffs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            payoffs
                .into_iter()
                .map(|payoff| if best - payoff <= noise { 0.0 } else { best - payoff })
                .collect()
        }))
    }

    /// Whether a certificate that was checked is of this game, with the same names, and proves
    /// exactly these bounds and approached values. Otherwise the file that was read is not the one
    /// that was to be written.
    #[cfg(feature = "files")]
    pub fn agrees_with(&self, proof: &StochasticProof) -> bool {
        let is_approached_alike = |state| {
            let best_payoffs = proof.best_payoffs.as_ref();
            self.approached_payoff(state) == best_payoffs.and_then(|best| best.approached(state))
        };
        is_same_game(self.game(), proof.game())
            && self.proof.has_bounds_of(proof)
            && (0..self.game().len()).all(is_approached_alike)
    }
}

/// Whether two games differ in nothing but title, description and pictures.
#[cfg(feature = "files")]
fn is_same_game(one: &StochasticGame, other: &StochasticGame) -> bool {
    let is_same_state =
        |state| one.name(state) == other.name(state) && one.actions(state) == other.actions(state);
    // The digest has all numbers, and no name.
    one.len() == other.len()
        && one.starts() == other.starts()
        && one.digest(Scale::default()) == other.digest(Scale::default())
        && (0..one.len()).all(is_same_state)
}

/// The limits that kept a solve from narrower bounds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    /// The width beyond which bounds were to be narrowed, in payoffs.
    pub(super) width: f64,
    pub(super) has_ended_early: bool,
}

impl<G: GameRules> StochasticSolution<G> {
    pub(super) const fn new(
        game: Indexed<G>,
        scale: Scale,
        finer: u32,
        reached: Reached,
        limits: Limits,
    ) -> Self {
        let proof = StochasticProof {
            game,
            exponent: scale.exponent,
            reached,
            verdict: None,
            best_payoffs: None,
        };
        Self { proof, finer, limits, best_payoffs: OnceLock::new() }
    }

    pub const fn game(&self) -> &G {
        self.proof.game()
    }

    /// The number of canonical states, ends included.
    pub fn len(&self) -> usize {
        self.proof.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The canonical states with the proved bounds of their values, by number: that of a written
    /// game, the index of the rules, or the order of discovery.
    pub fn states(&self) -> impl Iterator<Item = (G::State, Enclosure)> {
        self.proof
            .game
            .states()
            .map(|(number, state)| (state, self.enclosed(NumberedState::canonical(number))))
    }

    /// The double nearest to the middle of the bounds of a state's value.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](super::StochasticGameFault::UnknownState) if the
    /// starts do not reach the state.
    pub fn value(&self, state: &G::State) -> Result<f64, StochasticGameError> {
        Ok(self.enclosure(state)?.middle())
    }

    /// Proved bounds of the value of a state.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](super::StochasticGameFault::UnknownState) if the
    /// starts do not reach the state.
    pub fn enclosure(&self, state: &G::State) -> Result<Enclosure, StochasticGameError> {
        Ok(self.enclosed(self.proof.game.find(state)?))
    }

    /// Proved bounds of the value of a state that the strategies secure, as a certificate has them:
    /// the lower one A's, the upper one B's. They are those of [`enclosure`](Self::enclosure),
    /// unless the value is approached and not attained.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](super::StochasticGameFault::UnknownState) if the
    /// starts do not reach the state.
    pub fn secured(&self, state: &G::State) -> Result<Enclosure, StochasticGameError> {
        self.proof.secured(state)
    }

    /// The best payoff that play can still reach from a state, if a player gets it almost surely or
    /// limit-surely. That is the value, proved by the possible successors alone.
    ///
    /// `None` in games that are not recursive, and in the largest ones, where the search takes too
    /// long.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](super::StochasticGameFault::UnknownState) if the
    /// starts do not reach the state.
    ///
    /// ```
    /// use stochastic_game::{CellTable, Certainty, Kind, StochasticGame, StochasticSolver};
    ///
    /// // Hide or run: who hides for ever does not win, and who runs may run into the only snowball.
    /// let payoff = |value: i32| num_rational::BigRational::from_integer(value.into());
    /// let mut game = StochasticGame::builder(Kind::Recursive, None)?;
    /// let mut cells = CellTable::default();
    /// for row in [["s", "win"], ["win", "hit"]] {
    ///     for successor in row {
    ///         cells.follow(1, successor);
    ///         cells.push(0);
    ///     }
    ///     cells.end_row();
    /// }
    /// game.state("s", [&["hide", "run"], &["wait", "throw"]], payoff(0), &cells)?;
    /// game.end("win", payoff(1))?;
    /// game.end("hit", payoff(0))?;
    /// game.start("s")?;
    /// let solution = StochasticSolver::new(game.finish()?).solve()?;
    /// let state = solution.game().place("s")?;
    /// assert_eq!(solution.best_payoff(&state)?.expect("known").certainty, Certainty::LimitSure);
    /// assert_eq!(solution.enclosure(&state)?.width(), 0.0);
    /// assert!(solution.secured(&state)?.lower() < 1.0);
    /// # Ok::<(), stochastic_game::Error>(())
    /// ```
    pub fn best_payoff(&self, state: &G::State) -> Result<Option<BestPayoff>, StochasticGameError> {
        let state = self.proof.game.find(state)?;
        Ok(self.best_payoffs().and_then(|best| best.at(state.number)))
    }

    /// The number of states whose values are approached and not attained.
    pub fn approached_states(&self) -> usize {
        self.best_payoffs().map_or(0, BestPayoffs::approached_states)
    }

    /// The value of a state by its number, if it is approached and not attained.
    pub(super) fn approached_payoff(&self, state: usize) -> Option<BigRational> {
        self.best_payoffs().and_then(|best| best.approached(state))
    }

    fn best_payoffs(&self) -> Option<&BestPayoffs> {
        let found = self.best_payoffs.get_or_init(|| match self.proof.game.cells() {
            Cells::Written(game) => BestPayoffs::of(game),
            Cells::Explored(_) => None,
        });
        found.as_ref()
    }

    /// The bounds of a state's value.
    pub(super) fn enclosed(&self, state: NumberedState) -> Enclosure {
        self.proof.enclosed_with(self.best_payoffs(), state)
    }

    /// A's and B's strategies at a state: the numbers of the actions in the support, rising, with
    /// their probabilities; empty at an end. They have 62 bits; where longer ones prove the bounds,
    /// these are in the certificate. Actions are those of the canonical state.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](super::StochasticGameFault::UnknownState) if the
    /// starts do not reach the state; a fault for inconsistent rules.
    pub fn strategies(&self, state: &G::State) -> Result<ChosenActions, StochasticGameError> {
        let state = self.proof.game.find(state)?;
        let strategies = match self.proof.game.cells() {
            Cells::Written(game) => self
                .proof
                .weights(game, state.number, &mut StateSolver::default())?
                .map(probabilities),
            Cells::Explored(explored) => self
                .proof
                .weights(explored, state.number, &mut StateSolver::default())?
                .map(probabilities),
        };
        Ok(state.pair(strategies))
    }

    pub(crate) const fn scale(&self) -> Scale {
        Scale { exponent: self.proof.exponent }
    }

    pub(crate) fn bounds(&self) -> &[Bounds] {
        self.proof.reached.published.bounds()
    }

    /// The whole solution as a checkpoint, which leaves a solver nothing to do. The strategies of
    /// an acyclic game by rules are recomputed.
    ///
    /// # Errors
    /// A fault for inconsistent rules.
    pub fn checkpoint(&self) -> Result<StochasticCheckpoint<'_>, StochasticGameError> {
        let mut checkpoint = StochasticCheckpoint::of_reached(0, &self.proof.reached, None);
        let game = match self.proof.game.cells() {
            Cells::Written(game) => game.digest(self.scale()),
            Cells::Explored(explored) => {
                if checkpoint.strategies.is_none() {
                    let (mut strategies, mut solver) =
                        (Strategies::new(explored.numbers()), StateSolver::default());
                    for (state, _) in explored.states() {
                        strategies.set(state, self.proof.weights(explored, state, &mut solver)?);
                    }
                    checkpoint.strategies = Some(Cow::Owned(strategies));
                }
                explored.digest(self.scale())
            }
        };
        // Tells how the unit of the bounds is found again.
        checkpoint.game = game.wrapping_add(self.finer.into());
        Ok(checkpoint)
    }

    /// The width of the widest bounds, rounded up.
    pub fn widest_enclosure(&self) -> f64 {
        self.proof.widest_with(self.best_payoffs())
    }

    /// The first of the states with the widest bounds.
    pub fn widest_state(&self) -> Option<G::State> {
        let width = |(_, enclosure): &(G::State, Enclosure)| {
            enclosure.integers().upper - enclosure.integers().lower
        };
        self.states().min_by_key(|state| Reverse(width(state))).map(|(state, _)| state)
    }

    /// The number of states in which the strategies found randomise.
    ///
    /// # Errors
    /// A fault for inconsistent rules.
    pub fn randomised_states(&self) -> Result<usize, StochasticGameError> {
        let mut count = 0;
        for (state, _) in self.states() {
            count +=
                usize::from(self.strategies(&state)?.iter().any(|strategy| strategy.len() > 1));
        }
        Ok(count)
    }

    /// The SHA-256 of a game by rules in hexadecimal, as in its certificate; `docs/game-format.md`
    /// specifies the bytes. `None` for a written game, which its certificate includes.
    ///
    /// # Errors
    /// A fault for inconsistent rules.
    #[cfg(feature = "files")]
    pub fn digest(&self) -> Result<Option<String>, StochasticGameError> {
        self.proof.game.explored().map(digest).transpose()
    }

    /// Writes a certificate of whether the values at all starts keep a bound, which their proved
    /// bounds decide: a certificate of the values whose first line has the bound and the verdict.
    ///
    /// # Errors
    /// The writer's errors; a sentence if the bounds do not decide it; a fault for inconsistent
    /// rules.
    ///
    /// ```
    /// use stochastic_game::{StochasticGame, StochasticProof, StochasticSolver, ValueBound, ValueComparison};
    ///
    /// let text = r#"{"format":"stochastic-game","version":1,"kind":"discounted","discount":"1/2","start":["s"]}
    /// {"id":"s","a":["x"],"b":["y"],"cells":[[{"reward":"1","to":[["1","s"]]}]]}"#;
    /// let solution = StochasticSolver::new(StochasticGame::read(text.as_bytes())?).solve()?;
    /// let bound = ValueBound { comparison: ValueComparison::Greater, number: num_rational::BigRational::from_integer(1.into()) };
    /// let mut certificate = Vec::new();
    /// solution.write_verdict(&bound, &mut certificate)?;
    /// let proof = StochasticProof::verify(&certificate[..])?;
    /// assert_eq!(proof.verdict(), Some((&bound, true)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "files")]
    pub fn write_verdict(
        &self,
        bound: &super::ValueBound,
        out: &mut dyn std::io::Write,
    ) -> std::io::Result<()> {
        let holds = self.proof.keeps(bound).map_err(std::io::Error::other)?;
        let undecided = || {
            std::io::Error::other(format!(
                "the proved bounds do not decide whether the value is {bound}"
            ))
        };
        self.proof.write(Some((bound, holds.ok_or_else(undecided)?)), self.best_payoffs(), out)
    }

    /// Writes a certificate: the game, or the digest of one by rules, and for every state its
    /// bounds and the weights of both strategies, which prove them; where values are approached and
    /// not attained, witnesses of that, too. [`StochasticProof`](super::StochasticProof) checks it;
    /// `docs/game-format.md` describes it.
    ///
    /// The strategies of an acyclic game by rules are recomputed.
    ///
    /// # Errors
    /// The writer's errors; a fault for inconsistent rules.
    #[cfg(feature = "files")]
    pub fn write_certificate(&self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        self.proof.write(None, self.best_payoffs(), out)
    }
}
