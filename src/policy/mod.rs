//! Policies: how players bid at every state.

#![expect(
    missing_docs,
    reason = "plain accessors and fields are documented by their names and types"
)]

mod behaviour;
mod builder;
mod standstill;

use crate::error::{BidsFault, Error, PolicyError};
use crate::game::{ByPlayer, GameError, Player, Rules, State, StateSpace};
use crate::matrix_game::DyadicStrategy;
use crate::solution::{BidStrategy, Solution, Solver, StateEquilibrium};
use crate::work::{Parts, Stop, Watch, WorkError, unwatched};

pub(crate) use self::behaviour::BehaviourStrategy;
pub use self::builder::{PolicyBuilder, PolicyNumbers};
pub(crate) use self::standstill::{Standstill, play_out};

/// For every state of a game a distribution over the legal bids, for one player or for both.
///
/// Probabilities are integer multiples of 2⁻⁶² that sum to 1 exactly, so that the value of a policy
/// can be *proved*, like the values of a [`Solution`]. Other probabilities are rounded: each is off
/// by at most 2⁻⁶², except the likeliest of a state, which absorbs the others' double-precision
/// rounding. With an empty account the only bid is 0.
///
/// ```
/// use pencil_tennis::{Player, Policy, Rules, unwatched};
///
/// // A bids in proportion to 1, 1/2, 1/3, …; the policy does not cover B.
/// let timid = Policy::from_weights(&Rules::tennis(), [4, 4], &[Player::A], &mut unwatched, |_state, _player, weights| {
///     for (bid, weight) in (1..).zip(weights) {
///         *weight = 1.0 / f64::from(bid);
///     }
/// })?;
/// assert_eq!(timid.probability("3:4@0".parse()?, Player::A, 1)?, 6.0 / 11.0);
/// assert!(timid.probability("3:4@0".parse()?, Player::B, 1).is_err());
///
/// // The same policy in B's place, where the ball 1 corresponds to −1 for A.
/// let both = timid.completed_by_mirror()?;
/// assert_eq!(both.probability("4:3@0".parse()?, Player::B, 1)?, 6.0 / 11.0);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    pub(crate) space: StateSpace,
    players: ByPlayer<Option<BehaviourStrategy>>,
}

impl Policy {
    /// The tolerance of the sum of a state's probabilities in a file: 50 probabilities with eight
    /// decimals, or as 32-bit floats, stay well within it, a missing bid rarely does.
    pub const SUM_TOLERANCE: f64 = 1e-6;

    pub const MEMORY_LIMIT: u64 = 8 << 30;

    /// The uniform policy of both players.
    pub fn uniform(rules: &Rules, points: [u32; 2]) -> Result<Self, Error> {
        let space = checked_space(rules, points)?;
        Self::by_states(space, &Player::BOTH, &mut unwatched, |strategy, state, player| {
            strategy.push_alike(space.legal_bids(state.points(player)));
            Ok(())
        })
    }

    /// Both players' optimal strategies. Those that were not kept are recomputed.
    ///
    /// # Errors
    /// [`WorkError::Cancelled`].
    pub fn optimal(solution: &Solution, watch: &mut Watch<'_>) -> Result<Self, WorkError> {
        let stop = Stop::new(watch);
        let all = solution.states().len() as f64;
        let equilibria = solution.equilibria().enumerate();
        let until_stopped =
            equilibria.take_while(|(index, _)| stop.tell(*index as f64 / all).is_continue());
        let policy =
            Self::of_equilibria(solution, until_stopped.map(|(_, equilibrium)| equilibrium));
        if stop.is_asked() { Err(WorkError::Cancelled) } else { Ok(policy) }
    }

    /// Both players' strategies from the solution's
    /// [`refined_equilibria`](Solution::refined_equilibria).
    ///
    /// # Errors
    /// [`PolicyError::Distribution`] at the first state that `refined`, from another solution,
    /// lacks.
    ///
    /// ```
    /// use pencil_tennis::{Player, Policy, unwatched};
    ///
    /// let solution = pencil_tennis::solve(5)?;
    /// let refined = solution.refined_equilibria(&mut unwatched)?;
    /// let policy = Policy::refined(&solution, &refined)?;
    /// assert!((policy.probability("5:5@2".parse()?, Player::A, 2)? - 1.0 / 6.0).abs() < 1e-15);
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn refined(solution: &Solution, refined: &[StateEquilibrium]) -> Result<Self, Error> {
        let space = StateSpace::new(solution.rules(), solution.points());
        Self::by_states(space, &Player::BOTH, &mut unwatched, |strategy, state, player| {
            let equilibrium =
                refined.get(space.index(state)).filter(|equilibrium| equilibrium.state == state);
            let legal = space.legal_bids(state.points(player));
            match equilibrium.map(|equilibrium| equilibrium.strategy(player)) {
                Some(mixture) if mixture.weights().all(|(bid, _)| legal.contains(&bid)) => {
                    strategy.push(mixture.weights());
                }
                _ => {
                    let reason = BidsFault::NotRefined;
                    return Err(PolicyError::Distribution { player, state, reason }.into());
                }
            }
            Ok(())
        })
    }

    /// Both players' quantal response: a bid with expected loss `c` against the optimal opponent
    /// has weight `exp(−precision · c)`.
    ///
    /// Precision 0 gives the uniform policy; a larger one makes costly errors rarer. Optimal bids
    /// are equally likely. `exp` is the system's, so that machines may differ in last bits. O(bids
    /// · support) for every state.
    ///
    /// *Source.* The logit response of *Quantal response equilibria for normal form games*, Games
    /// and Economic Behavior 10 (1995), to the optimal opponent rather than to one who errs alike.
    ///
    /// # Errors
    /// [`PolicyError::Precision`] for a precision that is negative or not finite.
    pub(crate) fn quantal_response(solution: &Solution, precision: f64) -> Result<Self, Error> {
        if !(precision.is_finite() && precision >= 0.0) {
            return Err(PolicyError::Precision { precision: precision.to_string() }.into());
        }
        let space = StateSpace::new(solution.rules(), solution.points());
        Self::by_shares(space, &Player::BOTH, &mut unwatched, |state, player, weights| {
            for (weight, (_, loss)) in weights.iter_mut().zip(solution.bid_losses(state, player)?) {
                *weight = (-precision * loss).exp();
            }
            Ok(())
        })
    }

    pub(crate) fn pure(space: StateSpace, player: Player, bid: impl Fn(State) -> u32) -> Self {
        let mut strategy = BehaviourStrategy::new(space);
        space.states().for_each(|state| strategy.push_certain(bid(state)));
        let mut players = ByPlayer::default();
        players[player] = Some(strategy);
        Self { space, players }
    }

    fn of_equilibria(
        solution: &Solution,
        equilibria: impl Iterator<Item = StateEquilibrium>,
    ) -> Self {
        let space = StateSpace::new(solution.rules(), solution.points());
        let mut players = ByPlayer::new(|_| BehaviourStrategy::new(space));
        // A solution with more points for A begins with the same states.
        for equilibrium in equilibria.take(space.len()) {
            for player in Player::BOTH {
                players[player].push(equilibrium.strategy(player).weights());
            }
        }
        Self { space, players: players.map(Some) }
    }

    /// The policy of `players` with probabilities in proportion to weights: counts, scores, or
    /// probabilities.
    ///
    /// `weights` is called for every state and player with the weights of the legal bids, rising
    /// and all 0, to fill in; with `points` left, bid `k` is at place `k − 1`, or `k` where the
    /// smallest bid is 0. States come by A's points, then B's, then the ball, first for one player,
    /// then for the other, without empty accounts.
    ///
    /// # Errors
    /// [`PolicyError::Distribution`] for weights that are negative, not finite, or all 0.
    pub fn from_weights(
        rules: &Rules,
        points: [u32; 2],
        players: &[Player],
        watch: &mut Watch<'_>,
        mut weights: impl FnMut(State, Player, &mut [f64]),
    ) -> Result<Self, Error> {
        let weights = |state, player, shares: &mut [f64]| {
            weights(state, player, shares);
            Ok(())
        };
        Self::by_shares(checked_space(rules, points)?, players, watch, weights)
    }

    fn by_shares(
        space: StateSpace,
        players: &[Player],
        watch: &mut Watch<'_>,
        mut shares: impl FnMut(State, Player, &mut [f64]) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let mut buffer = Vec::new();
        Self::by_states(space, players, watch, |strategy, state, player| {
            let account = state.points(player);
            if account == 0 {
                strategy.push_certain(0);
                return Ok(());
            }
            buffer.clear();
            buffer.resize(space.legal_bids(account).count(), 0.0);
            shares(state, player, &mut buffer)?;
            let refuse = |reason| PolicyError::Distribution { player, state, reason };
            Ok(strategy.push_shares(space.lowest_bid(account), &buffer).map_err(refuse)?)
        })
    }

    /// Calls `push` to append the distribution of every state, for one player after the other.
    fn by_states(
        space: StateSpace,
        players: &[Player],
        watch: &mut Watch<'_>,
        mut push: impl FnMut(&mut BehaviourStrategy, State, Player) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let mut policy = Self { space, players: ByPlayer::default() };
        let mut parts = Parts::new(watch, (players.len() * space.len()) as f64);
        for &player in players {
            let mut strategy = BehaviourStrategy::new(space);
            for state in space.states() {
                if state.b == 0 && state.ball.position() == -space.field() {
                    parts.done(space.len() as f64 / f64::from(space.points()[0] + 1))?;
                }
                push(&mut strategy, state, player)?;
            }
            policy.players[player] = Some(strategy);
        }
        Ok(policy)
    }

    /// The policy of `players` with these weights out of [`DyadicStrategy::WHOLE`], as
    /// [`Self::weights`] gives them: `weights` is called for every state of one player, then of the
    /// other, for bids with positive probability, rising.
    ///
    /// # Errors
    /// [`PolicyError::Distribution`] for bids that do not rise or are illegal, and for weights of 0
    /// or of another sum.
    ///
    /// ```
    /// use pencil_tennis::{Player, Policy, Rules};
    ///
    /// let uniform = Policy::uniform(&Rules::tennis(), [8, 8])?;
    /// let weights = |state, player| uniform.weights(state, player).into_iter().flatten().collect();
    /// let copy = Policy::from_integer_weights(&Rules::tennis(), [8, 8], &Player::BOTH, weights)?;
    /// assert_eq!(copy, uniform);
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn from_integer_weights(
        rules: &Rules,
        points: [u32; 2],
        players: &[Player],
        mut weights: impl FnMut(State, Player) -> Vec<(u32, u64)>,
    ) -> Result<Self, Error> {
        Self::by_states(
            checked_space(rules, points)?,
            players,
            &mut unwatched,
            |strategy, state, player| {
                let given = BidStrategy::checked(
                    weights(state, player),
                    rules.legal_bids(state.points(player)),
                );
                let given = given.ok_or_else(|| {
                    let reason = BidsFault::Weights;
                    PolicyError::Distribution { player, state, reason }
                })?;
                strategy.push(given.weights());
                Ok(())
            },
        )
    }

    pub const fn points(&self) -> [u32; 2] {
        self.space.points()
    }

    pub const fn field(&self) -> i32 {
        self.space.field()
    }

    pub fn min_bid(&self) -> u32 {
        self.space.lowest_bid(1)
    }

    pub fn covers(&self, player: Player) -> bool {
        self.players[player].is_some()
    }

    /// All states, by A's points, then B's, then the ball.
    pub fn states(&self) -> impl ExactSizeIterator<Item = State> + use<> {
        self.space.states()
    }

    /// The bids with positive probability, rising, and their weights out of
    /// [`DyadicStrategy::WHOLE`].
    pub fn weights(
        &self,
        state: State,
        player: Player,
    ) -> Result<impl ExactSizeIterator<Item = (u32, u64)>, Error> {
        Ok(self.checked(player, state)?.weights(state))
    }

    /// The bids with positive probability, rising, and their probabilities.
    pub fn probabilities(
        &self,
        state: State,
        player: Player,
    ) -> Result<impl ExactSizeIterator<Item = (u32, f64)>, Error> {
        Ok(self.weights(state, player)?.map(|(bid, weight)| (bid, probability(weight))))
    }

    /// The probability of one bid; 0 for one outside the support or illegal.
    pub fn probability(&self, state: State, player: Player, bid: u32) -> Result<f64, Error> {
        Ok(self
            .probabilities(state, player)?
            .find(|&(played, _)| played == bid)
            .map_or(0.0, |(_, probability)| probability))
    }

    /// Draws a bid by 64 random bits, with exactly its probability. O(log bids).
    pub fn draw(&self, state: State, player: Player, bits: u64) -> Result<u32, Error> {
        Ok(self.checked(player, state)?.draw(state, bits))
    }

    /// The mirrored policy: A's bids at a state become B's at its mirror image, and vice versa.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let space = self.space.mirrored();
        let exchanged = |strategy: &BehaviourStrategy| {
            let mut image = BehaviourStrategy::new(space);
            space.states().for_each(|state| image.push(strategy.weights(state.mirrored())));
            image
        };
        Self {
            space,
            players: self
                .players
                .as_ref()
                .exchanged()
                .map(|strategy| strategy.as_ref().map(exchanged)),
        }
    }

    /// Completes a policy of one player by its mirror image, which is sensible where the scoring is
    /// antisymmetric. A policy of both players is returned unchanged.
    ///
    /// # Errors
    /// [`PolicyError::Mirror`] when A and B have different points.
    pub fn completed_by_mirror(self) -> Result<Self, Error> {
        if self.players.iter().all(Option::is_some) {
            return Ok(self);
        }
        let [a, b] = self.space.points();
        if a != b {
            return Err(PolicyError::Mirror { a, b }.into());
        }
        let images = self.mirrored().players;
        let players = ByPlayer { a: self.players.a.or(images.a), b: self.players.b.or(images.b) };
        Ok(Self { space: self.space, players })
    }

    pub fn only(&self, player: Player) -> Result<Self, Error> {
        let mut players = ByPlayer::default();
        players[player] = Some(self.behaviour(player)?.clone());
        Ok(Self { space: self.space, players })
    }

    /// The policy in which A bids as in `a` and B as in `b`.
    ///
    /// # Errors
    /// [`PolicyError::OtherGame`] for different points or fields.
    pub fn joined(a: &Self, b: &Self) -> Result<Self, Error> {
        b.check_space(a.space)?;
        let players = ByPlayer {
            a: Some(a.behaviour(Player::A)?.clone()),
            b: Some(b.behaviour(Player::B)?.clone()),
        };
        Ok(Self { space: a.space, players })
    }

    pub(crate) fn check_game(&self, rules: &Rules, points: [u32; 2]) -> Result<(), Error> {
        self.check_space(StateSpace::new(rules, points))
    }

    fn check_space(&self, game: StateSpace) -> Result<(), Error> {
        if self.space == game {
            return Ok(());
        }
        let (min_bid, game_min_bid) = (self.min_bid(), game.lowest_bid(1));
        if min_bid != game_min_bid {
            return Err(PolicyError::OtherBids { min_bid, game_min_bid }.into());
        }
        let ([a, b], [game_a, game_b]) = (self.space.points(), game.points());
        Err(PolicyError::OtherGame {
            a,
            b,
            field: self.space.field(),
            game_a,
            game_b,
            game_field: game.field(),
        }
        .into())
    }

    pub fn check(&self, state: State) -> Result<(), Error> {
        Ok(self.space.check(state)?)
    }

    pub(crate) fn behaviour(&self, player: Player) -> Result<&BehaviourStrategy, Error> {
        self.players[player].as_ref().ok_or(PolicyError::LacksPlayer { player }.into())
    }

    fn checked(&self, player: Player, state: State) -> Result<&BehaviourStrategy, Error> {
        let strategy = self.behaviour(player)?;
        self.check(state)?;
        Ok(strategy)
    }
}

/// The states of a game whose policies fit in memory.
pub(crate) fn checked_space(rules: &Rules, points: [u32; 2]) -> Result<StateSpace, Error> {
    rules.check_even_handed("a policy")?;
    GameError::check_points(points, Solver::MOST_POINTS)?;
    let space = StateSpace::new(rules, points);
    let [a, b] = points;
    // Ten bytes for every legal bid of both players and eight for every state; points have 16 bits
    // and positions 8.
    let bids = u64::from(a) + u64::from(b) + 2;
    let bytes = (space.len() as u64).saturating_mul(5 * bids + 16);
    WorkError::check_memory(
        || format!("a policy for {a}:{b} points"),
        bytes,
        Policy::MEMORY_LIMIT,
    )?;
    Ok(space)
}

pub(crate) fn probability(weight: u64) -> f64 {
    weight as f64 / DyadicStrategy::WHOLE as f64
}
