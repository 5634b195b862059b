//! Payoffs that a player can force by pure play.

use super::frontier::Frontier;
use crate::error::Error;
use crate::game::{
    ByPlayer, GameError, Outcome, Payoff, PayoffRanks, Player, Rules, State, StateSpace,
    big_rational,
};
use crate::induction::{Grid, StageGame};
use crate::matrix_game::Payoffs;
use crate::solution::{Solution, Solver};
use crate::work::WorkError;

/// The payoff that each player can force from every state by pure play.
///
/// These are the pure security levels. Where A's and B's agree, the state is *deterministic*: both
/// players have pure optimal strategies, which may be announced. Only payoffs are compared, without
/// rounding. A bid of 0, where it is legal, is repeated until the opponent bids otherwise: it
/// forces at most the payoff of infinite plays.
///
/// *Complexity.* O(states) if [more points never hurt](Rules::is_monotone); else O(states
/// · bids²) byte comparisons.
///
/// ```
/// use pencil_tennis::analysis::ForcedPlay;
/// use pencil_tennis::Rules;
///
/// let forced = ForcedPlay::new(&Rules::tennis(), [4, 4])?;
/// assert_eq!(forced.value("3:3@-2".parse()?)?, Some((-1).into()));
/// assert_eq!(forced.value("4:3@-2".parse()?)?, None, "the article's example needs mixed strategies");
/// assert_eq!(forced.bounds("4:3@-2".parse()?)?, [(-1).into(), 1.into()]);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ForcedPlay {
    rules: Rules,
    space: StateSpace,
    ranks: PayoffRanks,
    /// The rank of the payoff that each player can force, from that player's side.
    forced: ByPlayer<Grid<u8>>,
}

impl ForcedPlay {
    pub const MEMORY_LIMIT: u64 = Solver::MEMORY_LIMIT;

    pub fn new(rules: &Rules, points: [u32; 2]) -> Result<Self, Error> {
        Self::limited(rules, points, Self::MEMORY_LIMIT)
    }

    /// As [`Self::new`] for points on both sides, with another memory limit in bytes.
    pub fn within(rules: &Rules, points: [u32; 2], memory_limit: u64) -> Result<Self, Error> {
        GameError::check_points(points, u32::MAX)?;
        Self::limited(rules, points, memory_limit)
    }

    fn limited(rules: &Rules, points: [u32; 2], memory_limit: u64) -> Result<Self, Error> {
        rules.check_even_handed("forced play")?;
        // Two tables of a byte a state.
        let [a, b] = points.map(|points| u64::from(points) + 1);
        let bytes = (2 * rules.positions() as u64).saturating_mul(a.saturating_mul(b));
        WorkError::check_memory(
            || format!("a game of {}:{} points", points[0], points[1]),
            bytes,
            memory_limit,
        )?;
        if let Some(points) = points.into_iter().find(|&points| points > Solver::MOST_POINTS) {
            return Err(GameError::TooManyPoints { points, most: Solver::MOST_POINTS }.into());
        }
        let ranks = PayoffRanks::new(rules.scoring());
        let own_rank = |player: Player, outcome: Outcome| ranks.seen_by(player, ranks.of(outcome));
        let space = StateSpace::new(rules, points);
        let table = |player: Player| {
            let out = Outcome::out_ends(player).map(|outcome| own_rank(player, outcome));
            Grid::new(rules.field(), player.own_first(space.points()), 0, out)
        };
        let mut forced = ByPlayer::new(table);
        if rules.is_monotone() {
            for player in Player::BOTH {
                let [_, opponent] = player.own_first(space.points());
                let frontier = Frontier::new(rules, &ranks, player, opponent);
                space
                    .states()
                    .map(|state| state.seen_by(player))
                    .for_each(|view| forced[player].set(view, frontier.rank(view)));
            }
            return Ok(Self { rules: *rules, space, ranks, forced });
        }
        for total in 0..=space.layers() {
            for state in space.layer(total) {
                for player in Player::BOTH {
                    let table = &mut forced[player];
                    let view = state.seen_by(player);
                    // Two legal bids of 0 repeat the state for ever.
                    table.set(view, own_rank(player, rules.end_at(state.ball.position())));
                    if rules.outcome(state).is_none() {
                        let rank =
                            maximin(&StageGame::new(table, rules, player, state), ranks.highest());
                        table.set(view, rank);
                    }
                }
            }
        }
        Ok(Self { rules: *rules, space, ranks, forced })
    }

    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    pub const fn points(&self) -> [u32; 2] {
        self.space.points()
    }

    /// The distinct payoffs to A, falling.
    pub fn payoffs(&self) -> impl DoubleEndedIterator<Item = Payoff> {
        self.ranks.payoffs().iter().rev().copied()
    }

    /// All states, by A's points, then B's, then the ball.
    pub fn states(&self) -> impl ExactSizeIterator<Item = State> + use<> {
        self.space.states()
    }

    /// The payoffs that A can force and that B can hold A to by pure play.
    pub fn bounds(&self, state: State) -> Result<[Payoff; 2], GameError> {
        self.space.check(state)?;
        let rank = |player: Player| {
            self.ranks.seen_by(player, self.forced[player].get(state.seen_by(player)))
        };
        Ok(Player::BOTH.map(|player| self.ranks.payoffs()[usize::from(rank(player))]))
    }

    /// The value of a deterministic state; `None` where a player has to randomise.
    pub fn value(&self, state: State) -> Result<Option<Payoff>, GameError> {
        let [lower, upper] = self.bounds(state)?;
        Ok((lower == upper).then_some(lower))
    }

    /// The pure maximin bids, rising. O(bids²). Such a bid in every turn secures the player's
    /// [bound](Self::bounds) at the start. At an ended state the only "bid" is 0.
    ///
    /// ```
    /// use pencil_tennis::analysis::ForcedPlay;
    /// use pencil_tennis::{Player, Rules};
    ///
    /// let forced = ForcedPlay::new(&Rules::tennis(), [3, 3])?;
    /// // With a bid of 3 the ball would lie on B's side at the end, and not be out.
    /// assert_eq!(forced.forcing_bids(Player::A, "3:1@1".parse()?)?, [1, 2]);
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn forcing_bids(&self, player: Player, state: State) -> Result<Vec<u32>, Error> {
        self.space.check(state)?;
        let table = &self.forced[player];
        let promised = table.get(state.seen_by(player));
        let bids = self.rules.legal_bids(state.points(player));
        if self.rules.outcome(state).is_some() {
            return Ok(bids.collect());
        }
        let game = StageGame::new(table, &self.rules, player, state);
        // Two bids of 0 can repeat for ever.
        let endless =
            self.ranks.seen_by(player, self.ranks.of(self.rules.end_at(state.ball.position())));
        let keeps = |row: usize, bid: u32| {
            row_minimum(&game, row) >= promised && (bid > 0 || !game.repeats || endless >= promised)
        };
        Ok(bids.enumerate().filter(|&(row, bid)| keeps(row, bid)).map(|(_, bid)| bid).collect())
    }

    /// Whether pure play secures the value of the game for a player, by the solution's bounds or
    /// exact value; `None` where these do not decide.
    ///
    /// ```
    /// use pencil_tennis::analysis::ForcedPlay;
    /// use pencil_tennis::{Player, Rules};
    ///
    /// let forced = ForcedPlay::new(&Rules::tennis(), [10, 10])?;
    /// let solution = pencil_tennis::solve(10)?;
    /// assert_eq!(forced.attains(Player::A, &solution, "4:3@-2".parse()?)?, Some(false));
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn attains(
        &self,
        player: Player,
        solution: &Solution,
        state: State,
    ) -> Result<Option<bool>, Error> {
        let bounds = self.bounds(state)?;
        let promised = big_rational(ByPlayer::from(bounds)[player]);
        if let Some(value) = solution.exact_value(state)? {
            return Ok(Some(value == promised));
        }
        let [lower, upper] = solution.enclosure(state)?.fractions();
        // No player can force more than the value, so that a bound on one side suffices.
        let (reached, missed) = match player {
            Player::A => (upper <= promised, lower > promised),
            Player::B => (lower >= promised, upper < promised),
        };
        // Where both pure security levels agree, they are the value, even if it is no multiple of
        // the bounds' unit.
        let meets = bounds[0] == bounds[1];
        Ok(if reached || meets { Some(true) } else { missed.then_some(false) })
    }
}

fn row_minimum(game: &impl Payoffs<u8>, row: usize) -> u8 {
    let mut smallest = u8::MAX;
    game.walk_row(row, |run| smallest = run.iter().copied().fold(smallest, u8::min));
    smallest
}

/// The largest row minimum, at most `most`. A row is skipped if the first entry of a run does not
/// exceed the best so far.
fn maximin(game: &impl Payoffs<u8>, most: u8) -> u8 {
    let mut best = 0;
    for row in 0..game.rows() {
        let mut promising = true;
        game.walk_row(row, |run| promising &= run[0] > best);
        if promising {
            best = best.max(row_minimum(game, row));
            if best == most {
                break;
            }
        }
    }
    best
}

/// The numbers of states whose value pure play attains for both players, one, or none. The first
/// five numbers sum to the number of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "`unknown` where the bounds do not tell; for `proved` see `Solution::is_proved`"
)]
pub struct PureComparison {
    pub both: usize,
    pub a_alone: usize,
    pub b_alone: usize,
    pub neither: usize,
    pub unknown: usize,
    pub proved: bool,
}

impl PureComparison {
    /// Compares pure play with a solution of the same game.
    pub fn new(forced: &ForcedPlay, solution: &Solution) -> Result<Self, Error> {
        let mut counts = Self { proved: solution.is_proved(), ..Self::default() };
        for state in forced.states() {
            let [a, b] = [
                forced.attains(Player::A, solution, state)?,
                forced.attains(Player::B, solution, state)?,
            ];
            *match (a, b) {
                (Some(true), Some(true)) => &mut counts.both,
                (Some(true), Some(false)) => &mut counts.a_alone,
                (Some(false), Some(true)) => &mut counts.b_alone,
                (Some(false), Some(false)) => &mut counts.neither,
                (None, _) | (_, None) => &mut counts.unknown,
            } += 1;
        }
        Ok(counts)
    }
}
