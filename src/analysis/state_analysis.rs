//! One state of a solved game with its strategies.

use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::analysis::ForcedPlay;
use crate::bounds::Enclosure;
use crate::error::Error;
use crate::game::{ByPlayer, Player, State, big_rational};
use crate::matrix_game::{Payoffs, Refined, Uniqueness};
use crate::solution::{BidStrategy, Digits, Solution, StateEquilibrium};

/// One state of a solution in full; with the feature `serde` the JSON object `STATE` of the command
/// line.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "`exact` is a fraction, the rows of `matrix` are A's bids, payoffs are to A"
)]
pub struct StateAnalysis {
    pub state: State,
    /// The value to A, the double nearest to the middle of its bounds.
    pub value: f64,
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub bounds: Enclosure,
    pub proved: bool,
    pub exact: Option<String>,
    pub irrational: bool,
    /// Whether both players have pure optimal strategies, here and later.
    pub deterministic: bool,
    pub unique: ByPlayer<Option<bool>>,
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub strategies: ByPlayer<Vec<BidProbability>>,
    pub matrix: Vec<Vec<f64>>,
    /// The payoff of every legal bid against the other's strategy.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub bids: ByPlayer<Vec<BidPayoff>>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub digits: Option<Digits>,
    /// The rule that refined the strategies, `dresher`, on request.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub refined: Option<&'static str>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub refinement: Option<ByPlayer<Refined>>,
}

impl StateAnalysis {
    pub fn new(solution: &Solution, state: State) -> Result<Self, Error> {
        Self::of(solution, &solution.equilibrium(state)?)
    }

    pub fn refined(solution: &Solution, state: State) -> Result<Self, Error> {
        let refined = solution.refined(state)?;
        let mut analysis = Self::of(solution, &refined)?;
        analysis.refined = Some("dresher");
        analysis.refinement = Some(refined.refined);
        Ok(analysis)
    }

    fn of(solution: &Solution, equilibrium: &StateEquilibrium) -> Result<Self, Error> {
        let state = equilibrium.state;
        // The solution's own strategies prove the narrower bounds.
        let enclosure = solution.enclosure(state)?;
        let game = solution.stage_game(state)?;
        let matrix = (0..game.rows())
            .map(|row| (0..game.columns()).map(|column| game.entry(row, column)).collect())
            .collect();
        let uniqueness = solution.uniqueness(state)?;
        Ok(Self {
            state,
            value: equilibrium.value,
            bounds: enclosure,
            proved: solution.is_proved(),
            exact: solution.exact_value(state)?.map(|exact| exact.to_string()),
            irrational: solution.is_irrational(state)?,
            deterministic: is_deterministic(solution, equilibrium, &enclosure, uniqueness)?,
            unique: ByPlayer::from(uniqueness).map(is_unique),
            strategies: BidProbability::of_state(solution, equilibrium)?,
            matrix,
            bids: BidPayoff::all(solution, equilibrium)?,
            digits: None,
            refined: None,
            refinement: None,
        })
    }
}

const fn is_unique(uniqueness: Uniqueness) -> Option<bool> {
    match uniqueness {
        Uniqueness::Unique => Some(true),
        Uniqueness::Several => Some(false),
        Uniqueness::Unknown => None,
    }
}

/// Whether a state has pure optimal strategies, here and later. Only if the state's strategies are
/// pure and its value is a payoff, its successors are examined.
fn is_deterministic(
    solution: &Solution,
    equilibrium: &StateEquilibrium,
    enclosure: &Enclosure,
    uniqueness: [Uniqueness; 2],
) -> Result<bool, Error> {
    let state = equilibrium.state;
    let mixed = [&equilibrium.a, &equilibrium.b].map(|strategy| strategy.probabilities().len() > 1);
    if uniqueness
        .into_iter()
        .zip(mixed)
        .any(|(uniqueness, mixed)| mixed && uniqueness == Uniqueness::Unique)
    {
        return Ok(false);
    }
    let rules = *solution.rules();
    if !rules.scoring().payoffs().iter().any(|&payoff| enclosure.contains(&big_rational(payoff))) {
        return Ok(false);
    }
    Ok(ForcedPlay::new(&rules, [state.a, state.b])?.value(state)?.is_some())
}

/// A bid of a mixed strategy, its probability, and that as a fraction where it is known.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BidProbability {
    pub bid: u32,
    pub probability: f64,
    pub exact: Option<String>,
}

impl BidProbability {
    pub(super) fn of_state(
        solution: &Solution,
        equilibrium: &StateEquilibrium,
    ) -> Result<ByPlayer<Vec<Self>>, Error> {
        let exact = solution.exact(equilibrium.state)?;
        Ok(ByPlayer::new(|player| {
            let strategy = equilibrium.strategy(player);
            // Fractions belong to the solver's usual strategies. With a smallest bid of 0 they are
            // computed separately and may differ.
            let is_close = |(bid, share): &(u32, BigRational)| {
                share
                    .to_f64()
                    .is_some_and(|share| (share - strategy.probability(*bid)).abs() < 1e-9)
            };
            let is_same =
                |exact: &[_]| solution.rules().min_bid() > 0 || exact.iter().all(is_close);
            let is_changed = equilibrium.refined[player] == Refined::Changed;
            let exact = exact.as_ref().map(|exact| &exact.strategies[player]);
            let Some(exact) = exact.filter(|exact| !is_changed && is_same(exact)) else {
                return strategy.into();
            };
            let known = |(bid, probability): &(u32, BigRational)| Self {
                bid: *bid,
                probability: strategy.probability(*bid),
                exact: Some(probability.to_string()),
            };
            exact.iter().map(known).collect()
        }))
    }
}

impl From<(u32, f64)> for BidProbability {
    fn from((bid, probability): (u32, f64)) -> Self {
        Self { bid, probability, exact: None }
    }
}

impl From<&BidStrategy> for Vec<BidProbability> {
    fn from(strategy: &BidStrategy) -> Self {
        strategy.probabilities().map(Into::into).collect()
    }
}

/// A legal bid with its payoff against the other player's optimal strategy.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct BidPayoff {
    pub bid: u32,
    /// A's expected payoff if both play optimally afterwards.
    pub value: f64,
    /// The player's loss by this bid: at least 0, and 0 for a best bid.
    pub loss: f64,
}

/// Smaller losses, as shares of the largest payoff, are rounding noise.
const ROUNDING: f64 = 1e-13;

impl BidPayoff {
    /// All legal bids of both players, rising, against an equilibrium of the solution.
    ///
    /// ```
    /// use pencil_tennis::analysis::BidPayoff;
    ///
    /// let solution = pencil_tennis::solve(4)?;
    /// let payoffs = BidPayoff::all(&solution, &solution.equilibrium("4:3@-2".parse()?)?)?;
    /// assert_eq!((payoffs.b[1].bid, payoffs.b[1].value), (2, 1.0));
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn all(
        solution: &Solution,
        equilibrium: &StateEquilibrium,
    ) -> Result<ByPlayer<Vec<Self>>, Error> {
        let state = equilibrium.state;
        let game = solution.stage_game(state)?;
        let [lowest_a, lowest_b] =
            [state.a, state.b].map(|points| solution.rules().lowest_bid(points));
        let entry = |bid_a: u32, bid_b: u32| {
            game.entry((bid_a - lowest_a) as usize, (bid_b - lowest_b) as usize)
        };
        let entries =
            (0..game.rows()).flat_map(|row| (0..game.columns()).map(move |column| (row, column)));
        let scale =
            entries.fold(0.0, |most: f64, (row, column)| most.max(game.entry(row, column).abs()));
        Ok(ByPlayer::new(|player| {
            let replies = equilibrium.strategy(player.opponent());
            let payoff = |bid: u32| {
                let against = |reply: u32| {
                    if player == Player::A { entry(bid, reply) } else { entry(reply, bid) }
                };
                let value = replies
                    .probabilities()
                    .map(|(reply, probability)| probability * against(reply))
                    .sum();
                let loss = f64::from(player.direction()) * (equilibrium.value - value);
                Self { bid, value, loss: if loss > ROUNDING * scale { loss } else { 0.0 } }
            };
            solution.rules().legal_bids(state.points(player)).map(payoff).collect()
        }))
    }
}
