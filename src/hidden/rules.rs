//! Games by rules in code.

use std::collections::HashMap;
use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::{BigRational, Ratio};

use super::tree::GameTree;
use crate::error::HiddenError;
use crate::game::{ByPlayer, Player};

/// The rules of a game with hidden information. [`GameTree::from_rules`] builds its tree.
///
/// A player's information set is what the player did and observed, in order. Own actions are
/// recorded without being observed, so that both players have perfect recall.
///
/// ```
/// use pencil_tennis::Player;
/// use pencil_tennis::hidden::{HiddenRules, HiddenSolver, Move, Observations, Turn};
///
/// /// Matching pennies; two heads pay A double.
/// struct Pennies;
///
/// impl HiddenRules for Pennies {
///     /// The payoff, after the pennies were shown.
///     type State = Option<i64>;
///
///     fn start(&self) -> Self::State {
///         None
///     }
///
///     fn turn(&self, shown: &Self::State) -> Turn {
///         let pennies = || vec!["heads".to_owned(), "tails".to_owned()];
///         match *shown {
///             None => Turn::Both { a: pennies(), b: pennies() },
///             Some(payoff) => Turn::end(payoff),
///         }
///     }
///
///     fn after(&self, _: &Self::State, chosen: Move, _: &mut Observations) -> Self::State {
///         let Move::Both { a, b } = chosen else { unreachable!("both players move at once") };
///         Some([[2, -1], [-1, 1]][a][b])
///     }
/// }
///
/// let solution = HiddenSolver::from_rules(&Pennies)?.solve()?;
/// let bounds = solution.enclosure();
/// assert!(bounds.lower() <= 0.2 && 0.2 <= bounds.upper());
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
pub trait HiddenRules {
    /// All that the rules need to know, also what players do not see.
    type State: PartialEq;

    /// The state before the first move.
    fn start(&self) -> Self::State;

    /// Who moves in a state, or how the game has ended.
    fn turn(&self, state: &Self::State) -> Turn;

    /// The state after a move, which has the kind of the state's turn. Says what the players
    /// observe of it.
    fn after(
        &self,
        state: &Self::State,
        chosen: Move,
        observations: &mut Observations,
    ) -> Self::State;
}

/// Who moves in a state. Actions have distinct names without spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The game is over; the payoff is A's.
    End(Ratio<i64>),
    /// Chance moves, with probabilities in proportion to these weights.
    Chance(Vec<u32>),
    /// One player moves.
    Player(Player, Vec<String>),
    /// Both players move at the same time.
    Both { a: Vec<String>, b: Vec<String> },
}

impl Turn {
    /// The end of a game, with a whole payoff to A.
    pub fn end(payoff: i64) -> Self {
        Self::End(payoff.into())
    }

    /// The turn of a player with actions of these names.
    pub fn of(player: Player, actions: &[&str]) -> Self {
        Self::Player(player, actions.iter().map(|&action| action.to_owned()).collect())
    }
}

/// A move, as places in the lists of the [`Turn`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// An outcome of chance.
    Chance(usize),
    /// An action of the player who moves.
    Action(usize),
    /// Actions of both players.
    Both { a: usize, b: usize },
}

/// What the players observe of a move: words without spaces, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observations(ByPlayer<Vec<String>>);

impl Observations {
    /// A player observes something.
    pub fn tell(&mut self, player: Player, what: impl Into<String>) {
        self.0[player].push(what.into());
    }

    /// Both players observe something.
    pub fn tell_both(&mut self, what: impl Into<String>) {
        let what = what.into();
        self.tell(Player::A, what.clone());
        self.tell(Player::B, what);
    }
}

impl GameTree {
    /// Builds the tree of a game, with at most [`NODE_LIMIT`](Self::NODE_LIMIT) nodes.
    ///
    /// # Errors
    /// Those of [`from_rules_within`](Self::from_rules_within).
    pub fn from_rules<R: HiddenRules>(rules: &R) -> Result<Self, HiddenError> {
        Self::from_rules_within(rules, Self::NODE_LIMIT)
    }

    /// Builds the tree of a game with at most so many nodes. The rules are asked everything twice.
    ///
    /// Information sets are named by what the player did and observed, such as `K pass bet`;
    /// `(start)` before anything.
    ///
    /// # Errors
    /// [`HiddenError::Contradiction`] if the rules answer in two ways; [`HiddenError::Observation`]
    /// for an observation or the name of an action with a space; [`HiddenError::TooLarge`]; other
    /// errors of [`GameTreeBuilder`](super::GameTreeBuilder).
    pub fn from_rules_within<R: HiddenRules>(
        rules: &R,
        node_limit: usize,
    ) -> Result<Self, HiddenError> {
        let builder = Self::builder().node_limit(node_limit);
        let mut unfolding = Unfolding { rules, builder, nodes: 0, histories: Histories::default() };
        // The last is the next node in prefix order.
        let mut open = vec![Pending::State(rules.start(), ByPlayer::new(|_| Histories::NOTHING))];
        while let Some(pending) = open.pop() {
            unfolding.add(pending, &mut open)?;
        }
        unfolding.builder.finish()
    }
}

/// A node to add, with both players' histories there.
enum Pending<S> {
    State(S, ByPlayer<u32>),
    /// B's part of simultaneous moves; A's action is chosen.
    SecondMove {
        state: Rc<S>,
        a: usize,
        a_name: String,
        actions: Vec<String>,
        histories: ByPlayer<u32>,
    },
}

struct Unfolding<'r, R> {
    rules: &'r R,
    builder: super::GameTreeBuilder,
    nodes: usize,
    histories: Histories,
}

impl<R: HiddenRules> Unfolding<'_, R> {
    fn add(
        &mut self,
        pending: Pending<R::State>,
        open: &mut Vec<Pending<R::State>>,
    ) -> Result<(), HiddenError> {
        self.nodes += 1;
        let begin = open.len();
        match pending {
            Pending::State(state, histories) => self.add_state(state, histories, open)?,
            Pending::SecondMove { state, a, a_name, actions, histories } => {
                self.decide(Player::B, &actions, histories)?;
                for (b, b_name) in actions.iter().enumerate() {
                    let mut after = histories;
                    after.a = self.histories.after(after.a, &a_name, self.nodes)?;
                    after.b = self.histories.after(after.b, b_name, self.nodes)?;
                    open.push(self.follow(&state, Move::Both { a, b }, after)?);
                }
            }
        }
        // The first action's node comes next.
        open[begin..].reverse();
        Ok(())
    }

    fn add_state(
        &mut self,
        state: R::State,
        histories: ByPlayer<u32>,
        open: &mut Vec<Pending<R::State>>,
    ) -> Result<(), HiddenError> {
        let turn = self.rules.turn(&state);
        if turn != self.rules.turn(&state) {
            return Err(HiddenError::Contradiction { node: self.nodes });
        }
        match turn {
            Turn::End(payoff) => {
                let [numerator, denominator] = [*payoff.numer(), *payoff.denom()].map(BigInt::from);
                self.builder.end_exactly(BigRational::new(numerator, denominator))
            }
            Turn::Chance(weights) => {
                let sum: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
                let probability =
                    |&weight: &u32| BigRational::new(weight.into(), sum.max(1).into());
                let probabilities: Vec<BigRational> = weights.iter().map(probability).collect();
                self.builder.chance(&probabilities)?;
                for index in 0..weights.len() {
                    open.push(self.follow(&state, Move::Chance(index), histories)?);
                }
                Ok(())
            }
            Turn::Player(player, actions) => {
                self.decide(player, &actions, histories)?;
                for (index, action) in actions.iter().enumerate() {
                    let mut after = histories;
                    after[player] = self.histories.after(after[player], action, self.nodes)?;
                    open.push(self.follow(&state, Move::Action(index), after)?);
                }
                Ok(())
            }
            Turn::Both { a, b } => {
                self.decide(Player::A, &a, histories)?;
                let state = Rc::new(state);
                for (index, name) in a.into_iter().enumerate() {
                    open.push(Pending::SecondMove {
                        state: state.clone(),
                        a: index,
                        a_name: name,
                        actions: b.clone(),
                        histories,
                    });
                }
                Ok(())
            }
        }
    }

    fn decide(
        &mut self,
        player: Player,
        actions: &[String],
        histories: ByPlayer<u32>,
    ) -> Result<(), HiddenError> {
        let name = self.histories.name(histories[player]);
        self.builder.decision(player, &name, actions)
    }

    /// The node after a move, with what the players observed of it.
    fn follow(
        &mut self,
        state: &R::State,
        chosen: Move,
        mut histories: ByPlayer<u32>,
    ) -> Result<Pending<R::State>, HiddenError> {
        let mut observations = Observations::default();
        let next = self.rules.after(state, chosen, &mut observations);
        let mut again = Observations::default();
        let next_again = self.rules.after(state, chosen, &mut again);
        if observations != again || next != next_again {
            return Err(HiddenError::Contradiction { node: self.nodes });
        }
        for player in Player::BOTH {
            for observed in &observations.0[player] {
                histories[player] =
                    self.histories.after(histories[player], observed, self.nodes)?;
            }
        }
        Ok(Pending::State(next, histories))
    }
}

/// What a player did and observed: a tree of words, in which a history is the number of its last
/// word.
#[derive(Debug, Default)]
struct Histories {
    /// The earlier history and the last word of history 1, 2, ….
    words: Vec<(u32, String)>,
    numbers: HashMap<(u32, String), u32>,
}

impl Histories {
    const NOTHING: u32 = 0;
    /// The name of the history without words.
    const START: &str = "(start)";

    fn after(&mut self, history: u32, word: &str, node: usize) -> Result<u32, HiddenError> {
        // Words with spaces would give two histories one name.
        if word.is_empty() || word == Self::START || word.contains(char::is_whitespace) {
            return Err(HiddenError::Observation { node, text: word.to_owned() });
        }
        let key = (history, word.to_owned());
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(number);
        }
        self.words.push(key.clone());
        let number = self.words.len() as u32;
        self.numbers.insert(key, number);
        Ok(number)
    }

    /// The words of a history, in order.
    fn name(&self, mut history: u32) -> String {
        let mut words = Vec::new();
        while history != Self::NOTHING {
            let (before, word) = &self.words[history as usize - 1];
            words.push(word.as_str());
            history = *before;
        }
        words.reverse();
        if words.is_empty() { Self::START.to_owned() } else { words.join(" ") }
    }
}
