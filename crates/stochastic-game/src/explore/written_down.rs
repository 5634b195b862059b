//! Writes down a game by rules as an explicit one.

use std::ops::ControlFlow;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::canonical_state::PlayerExchange;
use super::explored::Explored;
use super::packed_state::PackedState;
use super::rule_row::RuleRow;
use crate::error::{Error, StochasticGameError};
use crate::model::{CellTable, GameRules, Kind, Node, NumberedGame, StochasticGame};
use crate::player::Player;

impl StochasticGame {
    /// Writes down the game of some rules: all states that its starts reach, in canonical form
    /// where that exchanges no players; up to [`MEMORY_LIMIT`](Self::MEMORY_LIMIT) of memory.
    ///
    /// # Errors
    /// A fault of the rules, with the name of the state.
    ///
    /// ```
    /// use stochastic_game::{GameRules, Kind, Outcomes, StochasticGame, Node};
    ///
    /// /// Hide or run: B has one snowball, and throws it or waits.
    /// struct Snowball;
    ///
    /// impl GameRules for Snowball {
    ///     type State = &'static str;
    ///
    ///     fn starts(&self) -> Vec<&'static str> {
    ///         vec!["hidden"]
    ///     }
    ///
    ///     fn kind(&self) -> Kind {
    ///         Kind::Recursive
    ///     }
    ///
    ///     fn node(&self, state: &&'static str) -> Node {
    ///         match *state {
    ///             "hidden" => Node::Choose { a: 2, b: 2 },
    ///             "home" => Node::over(1),
    ///             _ => Node::over(0),
    ///         }
    ///     }
    ///
    ///     fn after(&self, _: &&'static str, a: usize, b: usize, outcomes: &mut Outcomes<&'static str>) {
    ///         outcomes.to([["hidden", "home"], ["home", "hit"]][a][b]);
    ///     }
    ///
    ///     fn name(&self, state: &&'static str) -> String {
    ///         (*state).to_owned()
    ///     }
    /// }
    ///
    /// let game = StochasticGame::from_rules(Snowball)?;
    /// let names: Vec<&str> = game.states().map(|state| state.name()).collect();
    /// assert_eq!(names, ["hidden", "home", "hit"]);
    /// # Ok::<(), stochastic_game::Error>(())
    /// ```
    pub fn from_rules<R: GameRules>(rules: R) -> Result<Self, Error> {
        let explored =
            Explored::new(rules, PlayerExchange::Forbidden, Self::MEMORY_LIMIT, &mut |_| {
                ControlFlow::Continue(())
            })?;
        Ok(Self::from_explored(&explored)?)
    }

    /// Writes down explored states, whose canonical forms exchange no players.
    pub(crate) fn from_explored<R: GameRules>(
        explored: &Explored<R>,
    ) -> Result<Self, StochasticGameError> {
        let rules = &explored.rules;
        let discount = (rules.kind() == Kind::Discounted).then(|| rules.discount());
        let mut builder = Self::builder(rules.kind(), discount)?;
        let mut names = vec![String::new(); explored.numbers()];
        for (number, state) in explored.states() {
            names[number] = rules.name(state);
        }
        let mut row = RuleRow::default();
        for (number, state) in explored.states() {
            let name = &names[number];
            let (rows, columns) = match explored.node(number)? {
                Node::Over(value) => {
                    builder.end(name, value)?;
                    continue;
                }
                Node::Choose { a, b } => (a, b),
            };
            let mut cells = CellTable::default();
            explored.cells(number, [rows, columns], &mut row, |[_, b], cell| {
                let share = |parts: BigInt| BigRational::new(parts, cell.denominator.into());
                for outcome in cell.outcomes {
                    cells.follow(
                        &share(outcome.weight.into()),
                        &names[PackedState(outcome.state).number()],
                    );
                }
                cells.push(&share(cell.reward.into()));
                if b + 1 == columns {
                    cells.end_row();
                }
            })?;
            let actions = [(Player::A, rows), (Player::B, columns)].map(|(player, actions)| {
                (0..actions)
                    .map(|action| rules.action_name(state, player, action))
                    .collect::<Vec<String>>()
            });
            builder.state(name, [&actions[0], &actions[1]], rules.endless(state), &cells)?;
        }
        for start in &explored.starts {
            builder.start(&names[start.number()])?;
        }
        builder.finish()
    }
}
