//! Properties: probability and reward operators, and their filters.

use std::fmt;

use crate::error::{LanguageError, refuse};
use crate::expression::{Expression, ExpressionKind};
use crate::value::Value;

/// A probability or an expected reward that a coalition can guarantee, or whether it keeps a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    /// The players who aim together.
    pub coalition: Coalition,
    /// The number, or the bound it is compared with.
    pub relation: Relation,
    /// The aim of nature, which chooses uncertain probabilities: `min` in `Pmaxmin=?`. Unstated, it
    /// is against the coalition, or against the bound.
    pub nature: Direction,
    /// The quantity.
    pub quantity: Quantity,
}

/// The players who maximise or minimise together, against all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coalition {
    /// No coalition is named, as for models with one player.
    Unnamed,
    /// All players: `<<*>>`.
    All,
    /// Some players.
    Players(Vec<PlayerName>),
}

/// A player in a coalition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerName {
    /// Counted from 1.
    Number(usize),
    /// By name.
    Name(String),
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// The aim of the coalition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `max`
    Maximise,
    /// `min`
    Minimise,
    /// Neither, as in `P=?`.
    Unstated,
}

impl Direction {
    /// The aim of an opponent.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Maximise => Self::Minimise,
            Self::Minimise => Self::Maximise,
            Self::Unstated => Self::Unstated,
        }
    }
}

/// The question about a quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The number: `max=?`.
    Query(Direction),
    /// Whether a bound holds: `>=0.5`.
    Bound(Comparison, Expression),
}

/// The comparison with a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// A probability or a reward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The probability of a path.
    Probability(Path),
    /// An expected reward.
    Reward {
        /// The rewards that count.
        structure: Structure,
        /// The part of play whose rewards count.
        of: Rewarded,
    },
}

/// A condition on infinite plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Path {
    /// `hold` lasts until `reach`.
    Until {
        /// What has to last.
        hold: Expression,
        /// What has to be reached.
        reach: Expression,
        /// Whether play that never reaches `reach` counts, too, while `hold` lasts.
        endless: Endless,
        /// The bound of steps, if there is one.
        steps: Option<StepBound>,
    },
    /// `hold` lasts until, and where, `release` holds, or for ever: `release R hold`.
    Release {
        /// What ends the duty.
        release: Expression,
        /// What has to last, including the state where `release` holds.
        hold: Expression,
        /// The bound of steps, if there is one.
        steps: Option<StepBound>,
    },
    /// The next state satisfies a formula.
    Next(Expression),
}

/// Whether a play that never ends satisfies a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endless {
    /// It does, as with `G` and `W`.
    Counts,
    /// It does not, as with `F` and `U`.
    Fails,
}

/// A bound of the number of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepBound {
    /// `<=k`
    AtMost(Expression),
    /// `<k`
    Less(Expression),
    /// `=k`
    Exactly(Expression),
    /// `[j,k]`
    Between(Box<[Expression; 2]>),
}

/// A reward structure in a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Structure {
    /// The only one.
    Only,
    /// By name.
    Named(String),
    /// By number, counted from 1.
    Number(usize),
}

/// The part of play whose rewards count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rewarded {
    /// Before a target.
    Until {
        /// The target.
        target: Expression,
        /// What missing it pays.
        missed: Missed,
    },
    /// Of this many steps: `C<=k`.
    Steps(StepBound),
    /// Of the state after this many steps: `I=k`.
    Instant(Expression),
}

/// The reward of a play that misses its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missed {
    /// Infinitely much: `F`.
    Infinite,
    /// As much as was collected: `Fc`, and `C` without a target.
    Collected,
}

/// A property for several states, and their results taken together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// How results are taken together.
    pub operation: FilterOperation,
    /// The property.
    pub property: Expression,
    /// The states; all if there is no formula.
    pub states: Option<Expression>,
}

/// How a filter takes results together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterOperation {
    /// `forall`, `&`
    ForAll,
    /// `exists`, `|`
    Exists,
    /// `min`
    Minimum,
    /// `max`
    Maximum,
    /// `sum`, `+`
    Sum,
    /// `avg`
    Average,
    /// `count`
    Count,
    /// `first`
    First,
    /// `state`
    State,
    /// `range`
    Range,
    /// `print`, `printall`: the result of the initial states
    Print,
}

type Map<'m> = &'m mut dyn FnMut(&Expression) -> Result<Expression, LanguageError>;

impl Operator {
    /// The operator with each of its formulas replaced.
    pub(crate) fn map(&self, map: Map<'_>) -> Result<Self, LanguageError> {
        let relation = match &self.relation {
            Relation::Query(direction) => Relation::Query(*direction),
            Relation::Bound(comparison, threshold) => Relation::Bound(*comparison, map(threshold)?),
        };
        let quantity = match &self.quantity {
            Quantity::Probability(Path::Next(formula)) => {
                Quantity::Probability(Path::Next(map(formula)?))
            }
            Quantity::Probability(Path::Until { hold, reach, endless, steps }) => {
                Quantity::Probability(Path::Until {
                    hold: map(hold)?,
                    reach: map(reach)?,
                    endless: *endless,
                    steps: mapped_bound(steps.as_ref(), map)?,
                })
            }
            Quantity::Probability(Path::Release { release, hold, steps }) => {
                Quantity::Probability(Path::Release {
                    release: map(release)?,
                    hold: map(hold)?,
                    steps: mapped_bound(steps.as_ref(), map)?,
                })
            }
            Quantity::Reward { structure, of } => {
                let of = match of {
                    Rewarded::Until { target, missed } => {
                        Rewarded::Until { target: map(target)?, missed: *missed }
                    }
                    Rewarded::Steps(bound) => Rewarded::Steps(bound.map(map)?),
                    Rewarded::Instant(number) => Rewarded::Instant(map(number)?),
                };
                Quantity::Reward { structure: structure.clone(), of }
            }
        };
        Ok(Self { coalition: self.coalition.clone(), relation, nature: self.nature, quantity })
    }
}

impl Operator {
    /// The formulas about states in the operator.
    pub fn formulas(&self) -> Vec<&Expression> {
        match &self.quantity {
            Quantity::Probability(Path::Next(formula)) => vec![formula],
            Quantity::Probability(Path::Until { hold, reach, .. }) => vec![hold, reach],
            Quantity::Probability(Path::Release { release, hold, .. }) => vec![release, hold],
            Quantity::Reward { of: Rewarded::Until { target, .. }, .. } => vec![target],
            Quantity::Reward { .. } => Vec::new(),
        }
    }

    /// The operator with a variable wherever a formula stands that equals another one.
    ///
    /// # Errors
    /// None that a resolved operator could have.
    pub fn replaced(&self, formula: &Expression, variable: usize) -> Result<Self, LanguageError> {
        self.map(&mut |part| {
            let is_formula = part == formula;
            Ok(if is_formula {
                Expression::leaf(part.at, ExpressionKind::Variable(variable))
            } else {
                part.clone()
            })
        })
    }
}

/// A bound, if there is one, with each of its numbers replaced.
fn mapped_bound(
    bound: Option<&StepBound>,
    map: Map<'_>,
) -> Result<Option<StepBound>, LanguageError> {
    match bound {
        Some(bound) => Ok(Some(bound.map(map)?)),
        None => Ok(None),
    }
}

impl StepBound {
    fn map(&self, map: Map<'_>) -> Result<Self, LanguageError> {
        Ok(match self {
            Self::AtMost(number) => Self::AtMost(map(number)?),
            Self::Less(number) => Self::Less(map(number)?),
            Self::Exactly(number) => Self::Exactly(map(number)?),
            Self::Between(numbers) => {
                Self::Between(Box::new([map(&numbers[0])?, map(&numbers[1])?]))
            }
        })
    }

    /// Whether it bounds the steps from below, too.
    pub const fn has_least(&self) -> bool {
        matches!(self, Self::Exactly(_) | Self::Between(_))
    }

    /// The least number of steps; 0 without one.
    ///
    /// # Errors
    /// A number that is not whole, or below 0.
    pub fn least(&self) -> Result<u64, LanguageError> {
        match self {
            Self::AtMost(_) | Self::Less(_) => Ok(0),
            Self::Exactly(number) => steps(number),
            Self::Between(numbers) => steps(&numbers[0]),
        }
    }

    /// The most steps.
    ///
    /// # Errors
    /// A bound that is no whole number, or below 0.
    pub fn most(&self) -> Result<u64, LanguageError> {
        match self {
            Self::AtMost(number) | Self::Exactly(number) => steps(number),
            Self::Between(numbers) => steps(&numbers[1]),
            Self::Less(number) => match steps(number)?.checked_sub(1) {
                Some(most) => Ok(most),
                None => refuse(number.at, "fewer than 0 is no number of steps"),
            },
        }
    }
}

/// The whole number of an expression whose names are resolved.
///
/// # Errors
/// Any other value.
pub fn steps(number: &Expression) -> Result<u64, LanguageError> {
    match number.as_constant() {
        Some(Value::Integer(steps @ 0..)) => Ok(*steps as u64),
        Some(value) => refuse(
            number.at,
            format!("{value} is no number of steps; expected a whole number from 0"),
        ),
        None => refuse(number.at, "it is no constant; expected a number of steps"),
    }
}

impl Filter {
    pub(crate) fn map(&self, map: Map<'_>) -> Result<Self, LanguageError> {
        let states = match &self.states {
            Some(states) => Some(map(states)?),
            None => None,
        };
        Ok(Self { operation: self.operation, property: map(&self.property)?, states })
    }
}
