//! The family of games: field, motion and scoring.

use std::fmt;
use std::str::FromStr;

use super::{Ball, GameError, Motion, Outcome, Payoff, Player, Scoring, State};

/// The rules of one game of the family that Tennis, Footsteps and Oshi-Zumo belong to.
///
/// In every turn both players bid at the same time; the higher bid moves the ball, equal bids leave it,
/// and both bids are spent. The game ends when the ball leaves the field or both accounts are empty.
///
/// ```
/// use pencil_tennis::{Outcome, Rules, State};
///
/// let rules = Rules::tennis();
/// let state: State = "5:0@-1".parse()?;
/// let after = rules.play(state, 1, 0)?;
/// assert_eq!(after, "4:0@1".parse()?);
/// assert_eq!(rules.outcome("0:0@2".parse()?), Some(Outcome::LiesWithB));
/// assert_eq!(rules.to_string(), "field 2 motion net scoring two-one");
/// assert_eq!("field 2 motion net scoring two-one".parse(), Ok(rules));
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    field: u8,
    motion: Motion,
    scoring: Scoring,
    min_bid: u8,
}

impl Rules {
    /// The largest half-width of a field.
    pub const LARGEST_FIELD: u32 = 99;

    /// Rules with `field` positions on either side of the net.
    ///
    /// # Errors
    /// [`GameError::FieldSize`] unless `field` is in `1..=`[`Self::LARGEST_FIELD`].
    pub fn new(field: u32, motion: Motion, scoring: Scoring) -> Result<Self, GameError> {
        if field == 0 || field > Self::LARGEST_FIELD {
            return Err(GameError::FieldSize { field, largest: Self::LARGEST_FIELD });
        }
        Ok(Self { field: field as u8, motion, scoring, min_bid: 1 })
    }

    /// Tennis: field 2, over the net, two points for hitting out and one for lying on the other side.
    pub fn tennis() -> Self {
        Self { field: 2, motion: Motion::Net, scoring: Scoring::two_one(), min_bid: 1 }
    }

    /// Footsteps as commonly played: field 2, one step at a time, only reaching an end wins.
    pub fn footsteps() -> Self {
        Self { field: 2, motion: Motion::Step, scoring: Scoring::out_only(), min_bid: 1 }
    }

    /// Oshi-Zumo with minimum bid 1: one step at a time; with empty accounts the side on which the wrestler stands loses.
    ///
    /// # Errors
    /// [`GameError::FieldSize`] as for [`Rules::new`]. The literature plays with `field` 3.
    pub fn oshi_zumo(field: u32) -> Result<Self, GameError> {
        Self::new(field, Motion::Step, Scoring::win_loss())
    }

    /// The same game with other payoffs.
    #[must_use]
    pub const fn with_scoring(self, scoring: Scoring) -> Self {
        Self { scoring, ..self }
    }

    /// The half-width of the field: the ball is inside at `-field..=field`.
    pub const fn field(&self) -> i32 {
        self.field as i32
    }

    /// The number of positions inside the field.
    pub const fn positions(&self) -> usize {
        2 * self.field as usize + 1
    }

    /// The motion of the ball when it is hit.
    pub const fn motion(&self) -> Motion {
        self.motion
    }

    /// The smallest bid of a player who has points left.
    pub const fn min_bid(&self) -> u32 {
        self.min_bid as u32
    }

    /// The payoffs of the ends.
    pub const fn scoring(&self) -> &Scoring {
        &self.scoring
    }

    /// Checks that the ball of `state` is inside the field.
    ///
    /// # Errors
    /// [`GameError::BallOutside`].
    #[inline]
    pub fn check(&self, state: State) -> Result<(), GameError> {
        let ball = state.ball.position();
        if ball.abs() > self.field() {
            return Err(GameError::BallOutside { ball, field: self.field() });
        }
        Ok(())
    }

    /// Whether both players are in the same position: the state is its own mirror image and the scoring antisymmetric. Its value
    /// is 0 then, whatever the rest of the game is like.
    ///
    /// ```
    /// use pencil_tennis::Rules;
    ///
    /// assert!(Rules::tennis().is_even("50:50@0".parse()?));
    /// assert!(!Rules::tennis().is_even("50:50@1".parse()?));
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn is_even(&self, state: State) -> bool {
        self.scoring.is_antisymmetric() && state == state.mirrored()
    }

    /// The state after a turn; its ball is one beyond the field when it was hit out.
    ///
    /// # Errors
    /// [`GameError::BallOutside`], [`GameError::GameOver`] when the game has ended, [`GameError::BidIllegal`] for either bid.
    #[inline]
    pub fn play(&self, state: State, bid_a: u32, bid_b: u32) -> Result<State, GameError> {
        if self.outcome(state).is_some() {
            return Err(GameError::GameOver { state });
        }
        self.check(state)?;
        self.check_bid(Player::A, bid_a, state.a)?;
        self.check_bid(Player::B, bid_b, state.b)?;
        Ok(self.next(state, bid_a, bid_b))
    }

    /// The state after a turn of legal bids in a game that has not ended.
    pub(crate) fn next(&self, state: State, bid_a: u32, bid_b: u32) -> State {
        State::new(state.a - bid_a, state.b - bid_b, Ball::at(self.moved(state.ball.position(), bid_a, bid_b)))
    }

    /// The next position of a ball at `position` under two bids; `±(field + 1)` is out.
    pub(crate) fn moved(&self, position: i32, bid_a: u32, bid_b: u32) -> i32 {
        match bid_a.cmp(&bid_b) {
            std::cmp::Ordering::Greater => self.motion.hit(position, Player::A),
            std::cmp::Ordering::Equal => position,
            std::cmp::Ordering::Less => self.motion.hit(position, Player::B),
        }
    }

    /// The outcome of the game, or `None` while it continues.
    #[inline]
    pub fn outcome(&self, state: State) -> Option<Outcome> {
        let ball = state.ball.position();
        if ball > self.field() {
            return Some(Outcome::OutByA);
        }
        if ball < -self.field() {
            return Some(Outcome::OutByB);
        }
        if state.a > 0 || state.b > 0 {
            return None;
        }
        Some(match ball.signum() {
            1 => Outcome::LiesWithB,
            0 => Outcome::Draw,
            _ => Outcome::LiesWithA,
        })
    }

    /// The payoff to A at an ended state, or `None` while the game continues.
    pub fn payoff(&self, state: State) -> Option<Payoff> {
        self.outcome(state).map(|outcome| self.scoring.payoff(outcome))
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::tennis()
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, motion, scoring, .. } = self;
        write!(f, "field {field} motion {motion} scoring {scoring}")
    }
}

impl FromStr for Rules {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Self, GameError> {
        let unreadable = || GameError::RulesSyntax { text: text.trim().to_owned() };
        let words: Vec<&str> = text.split_whitespace().collect();
        let ["field", field, "motion", motion, "scoring", scoring] = words[..] else {
            return Err(unreadable());
        };
        Self::new(field.parse().map_err(|_| unreadable())?, motion.parse()?, scoring.parse()?)
    }
}
