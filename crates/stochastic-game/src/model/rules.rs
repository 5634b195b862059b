//! Games by rules in code.

use std::fmt::Debug;
use std::hash::Hash;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::game::StochasticGame;
use super::kind::Kind;
use crate::player::Player;

/// The rules of a two-player zero-sum game with simultaneous moves, in code, for games with too
/// many states for a [`StochasticGame`](crate::StochasticGame).
///
/// Rules are functions: asked again, they give the same answer. A
/// [`StochasticSolver`](crate::StochasticSolver) explores the states that the
/// starts reach, asks about each a second time, and solves them;
/// [`StochasticGame::from_rules`](crate::StochasticGame::from_rules) writes them
/// down. A state about which the second answer differs is refused by its name: of the payoff of an
/// end, and of the rewards, the weights and the successors of other states, a digest of 32 bits is
/// compared, which another answer has by accident once in 4 billion times. (A
/// [ranked](crate::RankedRules) game asks about a sample of states again.)
///
/// ```
/// use stochastic_game::{GameRules, Outcomes, StochasticSolver, Node};
///
/// /// Matching pennies for some rounds: A wins a point where both show the same side. The player who is ahead in the end wins.
/// struct Pennies {
///     rounds: u8,
/// }
///
/// impl GameRules for Pennies {
///     /// The rounds left, and A's points less B's.
///     type State = (u8, i8);
///
///     fn starts(&self) -> Vec<Self::State> {
///         vec![(self.rounds, 0)]
///     }
///
///     fn node(&self, &(rounds, lead): &Self::State) -> Node {
///         match rounds {
///             0 => Node::over(lead.signum()),
///             _ => Node::Choose { a: 2, b: 2 },
///         }
///     }
///
///     fn after(&self, &(rounds, lead): &Self::State, a: usize, b: usize, outcomes: &mut Outcomes<Self::State>) {
///         outcomes.to((rounds - 1, if a == b { lead + 1 } else { lead - 1 }));
///     }
///
///     /// A lead of B is A's lead with the players exchanged, and one of them showing the other side.
///     fn canonical(&self, (rounds, lead): Self::State) -> (Self::State, bool) {
///         ((rounds, lead.abs()), lead < 0)
///     }
/// }
///
/// let solution = StochasticSolver::new(Pennies { rounds: 3 }).solve()?;
/// assert_eq!(solution.len(), 6, "of ten states");
/// // A, who is ahead after the first round, loses if both rounds that follow are lost.
/// assert_eq!(solution.enclosure(&(2, 1))?.middle(), 0.5);
/// assert_eq!(solution.enclosure(&(2, -1))?.middle(), -0.5);
/// assert_eq!(solution.strategies(&(2, 1))?, [[(0, 0.5), (1, 0.5)], [(0, 0.5), (1, 0.5)]]);
/// solution.check_symmetry(100)?;
/// # Ok::<(), stochastic_game::Error>(())
/// ```
pub trait GameRules: Sync {
    /// Everything that matters for the rest of play.
    type State: Clone + Eq + Hash + Debug + Send + Sync;

    /// The states where play starts, at least one.
    fn starts(&self) -> Vec<Self::State>;

    /// An end, or the numbers of both players' actions.
    fn node(&self, state: &Self::State) -> Node;

    /// Gives the outcomes of a pair of actions, each counted from 0.
    fn after(&self, state: &Self::State, a: usize, b: usize, outcomes: &mut Outcomes<Self::State>);

    /// How play ends; [`Kind::Acyclic`] by default. Verified, not trusted.
    fn kind(&self) -> Kind {
        Kind::Acyclic
    }

    /// The factor of every successor's value in a discounted game.
    fn discount(&self) -> BigRational {
        BigRational::one()
    }

    /// A whole number that bounds each player's payoff from any state, rewards and end together;
    /// `None` if unknown. Verified, not trusted.
    ///
    /// It chooses the unit of an acyclic game's bounds, in place of the rewards and ends that are
    /// found. A ranked game needs it.
    fn payoff_bound(&self) -> Option<u64> {
        None
    }

    /// A's payoff of infinite plays through this state, in a recursive game.
    fn endless(&self, _state: &Self::State) -> BigRational {
        BigRational::zero()
    }

    /// The representative of the state's symmetry class, and whether it swaps the players (which
    /// negates the value).
    ///
    /// States in one symmetry class are solved once, and actions are those of the representative.
    /// [`check_symmetry`](crate::StochasticSolution::check_symmetry) looks for
    /// mistakes. Where play can return, swapped players are ignored.
    fn canonical(&self, state: Self::State) -> (Self::State, bool) {
        (state, false)
    }

    /// A perfect hash: a unique index below [`index_limit`](Self::index_limit) for each canonical
    /// state. It replaces hashing, which dominates the time of large games.
    fn index(&self, _state: &Self::State) -> usize {
        0
    }

    /// One more than the largest [`index`](Self::index); 0 without indices, so that states are
    /// hashed. Takes four bytes for each index.
    fn index_limit(&self) -> usize {
        0
    }

    /// A unique name of a state, for errors and files.
    fn name(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }

    /// A unique name of a player's action at a state.
    fn action_name(&self, _state: &Self::State, _player: Player, action: usize) -> String {
        action.to_string()
    }

    /// The accessors of a written game; `None` for other rules.
    #[doc(hidden)]
    fn written() -> Option<Written<Self>>
    where
        Self: Sized,
    {
        None
    }
}

/// The accessors of rules that are a written game: the game itself, and the state of a number.
pub(crate) type Written<G> = (fn(&G) -> &StochasticGame, fn(usize) -> <G as GameRules>::State);

/// A state of a game: an end, or a matrix of actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// The game is over, and A receives this.
    Over(BigRational),
    Choose {
        /// The number of A's actions, at least 1; 1 where only B or chance moves.
        a: usize,
        /// The number of B's actions, at least 1.
        b: usize,
    },
}

impl Node {
    /// An end with an integer payoff to A.
    pub fn over(payoff: impl Into<BigInt>) -> Self {
        Self::Over(BigRational::from_integer(payoff.into()))
    }
}

/// Collects the outcome of a pair of actions: successors, by chance, and a reward.
#[derive(Clone, Debug)]
pub struct Outcomes<S> {
    pub(crate) states: Vec<(u64, S)>,
    pub(crate) reward: (i64, u64),
}

impl<S> Outcomes<S> {
    pub(crate) const fn new() -> Self {
        Self { states: Vec::new(), reward: (0, 1) }
    }

    pub(crate) fn clear(&mut self) {
        self.states.clear();
        self.reward = (0, 1);
    }

    /// Adds a certain successor.
    pub fn to(&mut self, state: S) {
        self.by_chance(1, state);
    }

    /// Adds a random successor: its probability is this weight's share of all weights of the cell,
    /// which sum to at most 2^62.
    pub fn by_chance(&mut self, weight: u64, state: S) {
        if weight > 0 {
            self.states.push((weight, state));
        }
    }

    /// Sets A's immediate reward, an integer.
    pub const fn reward(&mut self, reward: i64) {
        self.reward = (reward, 1);
    }

    /// Sets A's immediate reward, a fraction with a positive denominator.
    pub const fn reward_fraction(&mut self, numerator: i64, denominator: u64) {
        self.reward = (numerator, denominator);
    }
}
