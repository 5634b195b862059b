//! The states of a written game, as its callers see them.

use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::game::StochasticGame;
use super::numbered::{CellView, Outcome};
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::player::Player;

/// A state of a [`StochasticGame`], from [`StochasticGame::state`] or
/// [`StochasticGame::states`].
#[derive(Clone, Copy)]
pub struct StateView<'g> {
    game: &'g StochasticGame,
    /// A state of the game.
    number: usize,
}

/// The reward and the successors once both players chose an action.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Turn<'g> {
    /// A's reward.
    pub reward: BigRational,
    pub successors: Vec<Successor<'g>>,
}

/// A state that chance may pick after a turn.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Successor<'g> {
    pub state: StateView<'g>,
    /// Where the probability is uncertain, that of one choice which nature has.
    pub probability: BigRational,
    /// The least and the largest probability; `None` where it is known.
    pub limits: Option<[BigRational; 2]>,
}

impl fmt::Debug for StateView<'_> {
    /// Without the game, which may have millions of states.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("StateView")
            .field("number", &self.number)
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}

impl<'g> StateView<'g> {
    /// A number that is known to be a state's.
    pub(super) const fn new(game: &'g StochasticGame, number: usize) -> Self {
        Self { game, number }
    }

    pub const fn number(self) -> usize {
        self.number
    }

    pub fn name(self) -> &'g str {
        self.game.name(self.number)
    }

    /// The names of A's and B's actions; `None` at an end.
    pub fn actions(self) -> Option<[&'g [Box<str>]; 2]> {
        self.game.actions(self.number)
    }

    /// The value of an end; `None` for other states.
    pub fn end_value(self) -> Option<&'g BigRational> {
        self.game.end_value(self.number)
    }

    /// The payoff of infinite plays through this state.
    pub fn endless(self) -> &'g BigRational {
        self.game.endless(self.number)
    }

    /// The picture in the game's file: lines of text.
    pub fn picture(self) -> Option<&'g str> {
        self.game.picture(self.number)
    }

    /// The reward and the successors after A's and B's actions, which are given by their numbers.
    ///
    /// # Errors
    /// [`StochasticGameFault::End`], [`StochasticGameFault::ActionUnknown`].
    pub fn turn(self, actions: [usize; 2]) -> Result<Turn<'g>, StochasticGameError> {
        Ok(self.turn_of(&self.cell(actions)?))
    }

    /// The turn of one of the state's cells.
    pub(super) fn turn_of(self, cell: &CellView<'_>) -> Turn<'g> {
        let mut successors = Vec::with_capacity(cell.outcomes.len());
        for (index, &Outcome { weight, state }) in cell.outcomes.iter().enumerate() {
            let limits = cell
                .uncertain
                .as_ref()
                .map(|uncertain| uncertain.limits[index])
                .filter(|[least, most]| least < most);
            successors.push(Successor {
                state: Self { number: state as usize, ..self },
                probability: self.probability(cell, weight),
                limits: limits.map(|limits| limits.map(|limit| self.probability(cell, limit))),
            });
        }
        let reward = BigRational::new(cell.reward.into(), BigInt::from(cell.denominator));
        Turn { reward, successors }
    }

    /// Draws the successor of A's and B's actions by 64 random bits.
    ///
    /// # Errors
    /// The errors of [`turn`](Self::turn).
    pub fn draw(self, actions: [usize; 2], bits: u64) -> Result<Self, StochasticGameError> {
        let number = self.cell(actions)?.draw(bits);
        Ok(Self { number, ..self })
    }

    /// The names of A's and B's actions of these numbers. Hidden: for records of plays.
    ///
    /// # Errors
    /// The errors of [`turn`](Self::turn).
    #[doc(hidden)]
    pub fn chosen(self, actions: [usize; 2]) -> Result<[&'g str; 2], StochasticGameError> {
        let Some(names) = self.actions() else {
            return Err(StochasticGameFault::End { name: self.name().to_owned() }.into());
        };
        let mut chosen = [""; 2];
        for player in Player::BOTH {
            let (action, names) = (actions[player as usize], names[player as usize]);
            let Some(name) = names.get(action) else {
                return Err(StochasticGameFault::ActionUnknown {
                    player,
                    action: action.to_string(),
                    name: self.name().to_owned(),
                    known: format!("expected 0 to {}", names.len() - 1),
                }
                .into());
            };
            chosen[player as usize] = name;
        }
        Ok(chosen)
    }

    /// The probability that a weight of the cell stands for: cells of a discounted game have
    /// weights times the discount.
    fn probability(self, cell: &CellView<'_>, weight: u64) -> BigRational {
        BigRational::new(weight.into(), cell.denominator.into()) / self.game.discount()
    }

    pub(super) fn cell(self, actions: [usize; 2]) -> Result<CellView<'g>, StochasticGameError> {
        self.chosen(actions)?;
        let [a, b] = actions;
        Ok(self.game.cell(self.number, a, b))
    }
}
