//! One state, as scripts read it.

use num_rational::BigRational;
use num_traits::ToPrimitive;
use serde::Serialize;

use super::BoundsReport;
use crate::analysis::ForcedPlay;
use crate::bounds::Enclosure;
use crate::error::Error;
use crate::game::{ByPlayer, State, big_rational};
use crate::matrix_game::{Payoffs, Refined, Uniqueness};
use crate::solution::{BidStrategy, RefinedEquilibrium, Solution, StateEquilibrium};

/// One state of a solution: the JSON object `STATE` of the command line.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct StateReport {
    /// The state as `POINTS_A:POINTS_B@BALL`.
    pub state: String,
    /// The value to A: the double nearest to the middle of its bounds.
    pub value: f64,
    /// Guaranteed bounds of the value, if they are [proved](Self::proved).
    #[serde(flatten)]
    pub bounds: BoundsReport,
    /// Whether the bounds are proved: see [`Solution::is_proved`].
    pub proved: bool,
    /// The exact value as a fraction, where it is known.
    pub exact: Option<String>,
    /// Whether the value is proved to be no fraction: see [`Solution::is_irrational`].
    pub irrational: bool,
    /// Whether neither player needs to randomise, neither here nor later.
    pub deterministic: bool,
    /// True where a player's optimal strategy of this turn is the only one, false where there are others, null where that could
    /// not be decided.
    pub unique: ByPlayer<Option<bool>>,
    /// A's bids with positive probability.
    pub a: Vec<BidReport>,
    /// B's bids with positive probability.
    pub b: Vec<BidReport>,
    /// The stage matrix: rows are A's bids rising, columns B's, payoffs to A.
    pub matrix: Vec<Vec<f64>>,
    /// Bounds to as many decimals as were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digits: Option<DigitsReport>,
    /// The rule by which the strategies were refined, if that was asked for: `dresher`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refined: Option<String>,
    /// The result for either player's strategy, if that was asked for: `unchanged`, `changed`, or `kept` where none was found
    /// that gains more and secures as much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refinement: Option<ByPlayer<&'static str>>,
}

/// Guaranteed bounds as decimal numbers, with as many decimals as were asked for.
#[derive(Clone, Debug, Serialize)]
pub struct DigitsReport {
    /// A number not above the value.
    pub lower: String,
    /// The value to nearest, `null` where the bounds leave that open.
    pub value: Option<String>,
    /// A number not below the value.
    pub upper: String,
}

/// A bid and how often it is made.
#[derive(Clone, Debug, Serialize)]
pub struct BidReport {
    /// The bid.
    pub bid: u32,
    /// Its probability.
    pub probability: f64,
    /// The probability as an exact fraction, where it is known.
    pub exact: Option<String>,
}

impl StateReport {
    /// The report of one state.
    ///
    /// # Errors
    /// As for [`Solution::check`].
    pub fn new(solution: &Solution, state: State) -> Result<Self, Error> {
        let equilibrium = solution.equilibrium(state)?;
        Self::of(solution, &RefinedEquilibrium { equilibrium, a: Refined::Unchanged, b: Refined::Unchanged })
    }

    /// The report of one state with the strategies of [`Solution::refined`].
    ///
    /// # Errors
    /// As for [`Solution::refined`].
    pub fn refined(solution: &Solution, state: State) -> Result<Self, Error> {
        let refined = solution.refined(state)?;
        let mut report = Self::of(solution, &refined)?;
        report.refined = Some("dresher".to_owned());
        report.refinement = Some(ByPlayer { a: refined.a, b: refined.b }.map(|refined| match refined {
            Refined::Unchanged => "unchanged",
            Refined::Changed => "changed",
            Refined::Kept => "kept",
        }));
        Ok(report)
    }

    fn of(solution: &Solution, RefinedEquilibrium { equilibrium, a, b }: &RefinedEquilibrium) -> Result<Self, Error> {
        let state = equilibrium.state;
        // The solution's own strategies prove the narrower bounds.
        let enclosure = solution.enclosure(state)?;
        let game = solution.stage_game(state)?;
        let matrix = (0..game.rows()).map(|row| (0..game.columns()).map(|column| game.entry(row, column)).collect()).collect();
        let uniqueness = solution.uniqueness(state)?;
        let exact = solution.exact(state)?;
        let (exact_a, exact_b) = exact.as_ref().map_or((None, None), |exact| (Some(&exact.a), Some(&exact.b)));
        // Fractions are known of the usual strategies.
        let [exact_a, exact_b] =
            [(exact_a, a), (exact_b, b)].map(|(exact, &refined)| exact.filter(|_| refined != Refined::Changed));
        // With a smallest bid of 0 they were found by themselves, and may be others.
        let is_same = |strategy: &BidStrategy, exact: &[(u32, BigRational)]| {
            let close = |(bid, share): &(u32, BigRational)| {
                share.to_f64().is_some_and(|share| (share - strategy.probability(*bid)).abs() < 1e-9)
            };
            solution.rules().min_bid() > 0 || exact.iter().all(close)
        };
        let exact_a = exact_a.filter(|exact| is_same(&equilibrium.a, exact));
        let exact_b = exact_b.filter(|exact| is_same(&equilibrium.b, exact));
        Ok(Self {
            state: state.to_string(),
            value: equilibrium.value,
            bounds: enclosure.into(),
            proved: solution.is_proved(),
            exact: solution.exact_value(state)?.map(|exact| exact.to_string()),
            irrational: solution.is_irrational(state)?,
            deterministic: is_deterministic(solution, equilibrium, &enclosure, uniqueness)?,
            unique: ByPlayer::from(uniqueness).map(is_unique),
            a: BidReport::list(&equilibrium.a, exact_a),
            b: BidReport::list(&equilibrium.b, exact_b),
            matrix,
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

/// Whether pure play decides a state.
///
/// What it decides is a payoff, and who forces it has a pure optimal strategy; where the value is no payoff, or the only optimal
/// strategy is mixed, no states have to be worked out.
fn is_deterministic(
    solution: &Solution,
    equilibrium: &StateEquilibrium,
    enclosure: &Enclosure,
    uniqueness: [Uniqueness; 2],
) -> Result<bool, Error> {
    let state = equilibrium.state;
    let mixed = [&equilibrium.a, &equilibrium.b].map(|strategy| strategy.probabilities().len() > 1);
    if uniqueness.into_iter().zip(mixed).any(|(uniqueness, mixed)| mixed && uniqueness == Uniqueness::Unique) {
        return Ok(false);
    }
    let rules = *solution.rules();
    if !rules.scoring().payoffs().iter().any(|&payoff| enclosure.contains(&big_rational(payoff))) {
        return Ok(false);
    }
    Ok(ForcedPlay::new(&rules, [state.a, state.b])?.value(state)?.is_some())
}

impl BidReport {
    /// The exact strategy if it is known, else the one in integer weights.
    pub(super) fn list(strategy: &BidStrategy, exact: Option<&Vec<(u32, BigRational)>>) -> Vec<Self> {
        if let Some(exact) = exact {
            let report = |(bid, probability): &(u32, BigRational)| Self {
                bid: *bid,
                probability: strategy.probability(*bid),
                exact: Some(probability.to_string()),
            };
            return exact.iter().map(report).collect();
        }
        strategy.probabilities().map(|(bid, probability)| Self { bid, probability, exact: None }).collect()
    }
}
