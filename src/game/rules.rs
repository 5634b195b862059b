//! The family of games that are solved by the same induction.

use std::cmp::Ordering;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::{Ball, GameError, Motion, Outcome, Payoff, Player, Scoring, State};

/// The rules of one game of the family that Tennis, Footsteps and Oshi-Zumo belong to.
///
/// In every turn both players bid at the same time; the higher bid moves the ball, equal bids leave
/// it, and both bids are spent. The smallest bid is 1 or, [if asked for](Self::with_min_bid), 0.
/// The game ends when the ball leaves the field or both accounts are empty.
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
    favoured: Option<Player>,
}

impl Rules {
    pub const LARGEST_FIELD: i32 = 99;

    /// Rules with `field` positions on either side of the net.
    ///
    /// # Errors
    /// [`GameError::FieldSize`] beyond [`Self::LARGEST_FIELD`].
    pub fn new(field: i32, motion: Motion, scoring: Scoring) -> Result<Self, GameError> {
        if !(1..=Self::LARGEST_FIELD).contains(&field) {
            return Err(GameError::FieldSize { field, largest: Self::LARGEST_FIELD });
        }
        Ok(Self { field: field as u8, motion, scoring, ..Self::tennis() })
    }

    /// Tennis: field 2, over the net, two points for hitting out, one for the ball on the other
    /// side.
    pub fn tennis() -> Self {
        Self {
            field: 2,
            motion: Motion::Net,
            scoring: Scoring::two_one(),
            min_bid: 1,
            favoured: None,
        }
    }

    /// Footsteps as commonly played: field 2, one step at a time; only reaching an end wins.
    pub fn footsteps() -> Self {
        Self { motion: Motion::Step, scoring: Scoring::out_only(), ..Self::tennis() }
    }

    /// Oshi-Zumo with smallest bid 1: one step at a time; once both accounts are empty, the side on
    /// which the wrestler stands loses. The literature plays with `field` 3. Fails as
    /// [`Rules::new`].
    pub fn oshi_zumo(field: i32) -> Result<Self, GameError> {
        Self::new(field, Motion::Step, Scoring::win_loss())
    }

    /// The game with smallest bid 0 or 1 for players who have points left.
    ///
    /// Two bids of 0 repeat the state; a player without points bids 0. An infinite play is decided
    /// where the ball lies, as if everything were spent. Most published experiments play Oshi-Zumo
    /// like this.
    ///
    /// # Errors
    /// [`GameError::MinBid`] for any other number.
    ///
    /// ```
    /// use pencil_tennis::Rules;
    ///
    /// let rules = Rules::oshi_zumo(3)?.with_min_bid(0)?;
    /// assert_eq!(rules.legal_bids(2), 0..=2);
    /// assert_eq!(rules.play("2:1@1".parse()?, 0, 0)?, "2:1@1".parse()?);
    /// assert_eq!(rules.to_string(), "field 3 motion step scoring win-loss min-bid 0");
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub const fn with_min_bid(self, min_bid: u32) -> Result<Self, GameError> {
        match min_bid {
            0 | 1 => Ok(Self { min_bid: min_bid as u8, ..self }),
            _ => Err(GameError::MinBid { min_bid }),
        }
    }

    /// The game in favour of one player, who may bid 0 and hits on ties; the other's smallest bid
    /// is 1.
    ///
    /// If only the favoured player has points left, bids of 0 take the ball out: the game is over.
    /// Such games bound others from above or below (`docs/limit.md`):
    /// [`Solver::limit`](crate::Solver::limit).
    ///
    /// # Errors
    /// [`GameError::ZeroBids`], if the smallest bid is 0: play could go on for ever.
    ///
    /// ```
    /// use pencil_tennis::{Outcome, Player, Rules};
    ///
    /// let rules = Rules::tennis().favouring(Player::A)?;
    /// assert_eq!(rules.play("2:1@-1".parse()?, 0, 1)?, "2:0@-2".parse()?);
    /// assert_eq!(rules.play("2:2@-1".parse()?, 1, 1)?, "1:1@1".parse()?);
    /// assert_eq!(rules.outcome("2:0@-2".parse()?), Some(Outcome::OutByA));
    /// assert_eq!(rules.to_string(), "field 2 motion net scoring two-one favouring A");
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub const fn favouring(self, player: Player) -> Result<Self, GameError> {
        if self.min_bid == 0 {
            return Err(GameError::ZeroBids { wanted: "a game in favour of a player" });
        }
        Ok(Self { favoured: Some(player), ..self })
    }

    pub const fn favoured(&self) -> Option<Player> {
        self.favoured
    }

    /// Rejects rules that allow bids of 0 with points left, where `wanted` is not defined.
    pub(crate) const fn check_bids_spend(&self, wanted: &'static str) -> Result<(), GameError> {
        if self.min_bid == 0 {
            Err(GameError::ZeroBids { wanted })
        } else {
            self.check_even_handed(wanted)
        }
    }

    /// Rejects rules that favour a player, where `wanted` is not defined.
    pub(crate) const fn check_even_handed(&self, wanted: &'static str) -> Result<(), GameError> {
        if self.favoured.is_some() { Err(GameError::Favoured { wanted }) } else { Ok(()) }
    }

    /// Whether mirror images of states have opposite values.
    ///
    /// ```
    /// use pencil_tennis::{Player, Rules};
    ///
    /// assert!(Rules::tennis().is_antisymmetric());
    /// assert!(!Rules::tennis().favouring(Player::A)?.is_antisymmetric());
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn is_antisymmetric(&self) -> bool {
        self.favoured.is_none() && self.scoring.is_antisymmetric()
    }

    /// Whether neither a point more nor a ball farther from a player's own end ever hurts that
    /// player.
    ///
    /// So it is where the scoring [is ordered](Scoring::is_ordered) and nobody is favoured:
    /// whatever is bid from the better state as from the worse one leads to a better state again,
    /// or to a better end.
    ///
    /// ```
    /// use pencil_tennis::{Player, Rules, Scoring};
    ///
    /// assert!(Rules::tennis().is_monotone());
    /// assert!(!Rules::tennis().favouring(Player::A)?.is_monotone());
    /// let lying_wins_most: Scoring = "1,2,0,-2,-1".parse()?;
    /// assert!(!Rules::tennis().with_scoring(lying_wins_most).is_monotone());
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn is_monotone(&self) -> bool {
        self.favoured.is_none() && self.scoring.is_ordered()
    }

    #[must_use]
    pub const fn with_scoring(self, scoring: Scoring) -> Self {
        Self { scoring, ..self }
    }

    pub const fn field(&self) -> i32 {
        self.field as i32
    }

    pub const fn positions(&self) -> usize {
        2 * self.field as usize + 1
    }

    /// The positions of the ball inside the field, from A's end to B's.
    pub fn balls(&self) -> impl DoubleEndedIterator<Item = Ball> + use<> {
        (-self.field()..=self.field()).map(Ball::at)
    }

    pub const fn motion(&self) -> Motion {
        self.motion
    }

    pub const fn min_bid(&self) -> u32 {
        self.min_bid as u32
    }

    pub const fn scoring(&self) -> &Scoring {
        &self.scoring
    }

    #[inline]
    pub fn check(&self, state: State) -> Result<(), GameError> {
        let ball = state.ball.position();
        if self.is_inside(ball) {
            Ok(())
        } else {
            Err(GameError::BallOutside { ball, field: self.field() })
        }
    }

    /// The bids an account allows: `1..=account`, or `0..=0` when it is empty; `0..=account` where
    /// the smallest bid is 0. A player whom the rules [favour](Self::favouring) may also bid 0.
    #[inline]
    pub fn legal_bids(&self, account: u32) -> RangeInclusive<u32> {
        self.lowest_bid(account)..=account
    }

    #[inline]
    pub fn lowest_bid(&self, account: u32) -> u32 {
        account.min(self.min_bid())
    }

    #[inline]
    pub(crate) fn lowest_bid_of(&self, player: Player, account: u32) -> u32 {
        if self.favoured() == Some(player) { 0 } else { self.lowest_bid(account) }
    }

    /// Checks that `player`, whose account holds `account`, may bid `bid`.
    ///
    /// # Errors
    /// [`GameError::BidIllegal`] when the bid is not one of the [legal ones](Self::legal_bids).
    #[inline]
    pub fn check_bid(&self, player: Player, bid: u32, account: u32) -> Result<(), GameError> {
        check_bid(player, bid, self.lowest_bid_of(player, account)..=account)
    }

    /// Whether the state is its own mirror image under an antisymmetric scoring. Its value is
    /// then 0.
    ///
    /// ```
    /// use pencil_tennis::Rules;
    ///
    /// assert!(Rules::tennis().is_even("50:50@0".parse()?));
    /// assert!(!Rules::tennis().is_even("50:50@1".parse()?));
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn is_even(&self, state: State) -> bool {
        self.is_antisymmetric() && state == state.mirrored()
    }

    /// The successor of a state; its ball is one beyond the field when it was hit out.
    ///
    /// # Errors
    /// [`GameError::GameOver`] at an ended state, [`GameError::BidIllegal`] for either bid.
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

    /// The successor after legal bids in a game that has not ended.
    pub(crate) fn next(&self, state: State, bid_a: u32, bid_b: u32) -> State {
        State::new(
            state.a - bid_a,
            state.b - bid_b,
            Ball::at(self.after(state.ball.position(), bid_a.cmp(&bid_b))),
        )
    }

    /// The next position of a ball, where `bids` compares A's bid with B's; `±(field + 1)` is out.
    pub(crate) const fn after(&self, position: i32, bids: Ordering) -> i32 {
        match bids {
            Ordering::Greater => self.motion.hit(position, Player::A),
            Ordering::Equal => match self.favoured {
                Some(player) => self.motion.hit(position, player),
                None => position,
            },
            Ordering::Less => self.motion.hit(position, Player::B),
        }
    }

    pub(crate) const fn is_inside(&self, position: i32) -> bool {
        position.unsigned_abs() <= self.field as u32
    }

    /// The outcome of the game, or `None` while it continues.
    #[inline]
    pub fn outcome(&self, state: State) -> Option<Outcome> {
        let ball = state.ball.position();
        match self.favoured {
            Some(player)
                if self.is_inside(ball)
                    && state.points(player.opponent()) == 0
                    && state.points(player) > 0 =>
            {
                Some(Outcome::out_ends(player)[0])
            }
            _ => {
                (!self.is_inside(ball) || (state.a == 0 && state.b == 0)).then(|| self.end_at(ball))
            }
        }
    }

    /// The outcome of a ball that is out, or that lies at `position` when nothing more is spent.
    pub(crate) const fn end_at(&self, position: i32) -> Outcome {
        match (self.is_inside(position), position.signum()) {
            (false, 1) => Outcome::OutByA,
            (false, _) => Outcome::OutByB,
            (true, 1) => Outcome::LiesWithB,
            (true, 0) => Outcome::Draw,
            (true, _) => Outcome::LiesWithA,
        }
    }

    /// The most turns from a state on that change the state.
    pub(crate) fn most_turns(&self, state: State) -> u32 {
        // Every turn that changes the state spends a point, with smallest bid 1 one from each
        // account that has any.
        if self.min_bid == 0 { state.a + state.b } else { state.a.max(state.b) }
    }

    /// The payoff to A at an ended state, or `None` while the game continues.
    pub fn payoff(&self, state: State) -> Option<Payoff> {
        self.outcome(state).map(|outcome| self.scoring.payoff(outcome))
    }
}

#[inline]
pub(crate) fn check_bid(
    player: Player,
    bid: u32,
    legal: RangeInclusive<u32>,
) -> Result<(), GameError> {
    if legal.contains(&bid) {
        Ok(())
    } else {
        Err(GameError::BidIllegal { player, bid, lowest: *legal.start(), highest: *legal.end() })
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::tennis()
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, motion, scoring, min_bid, favoured } = self;
        write!(f, "field {field} motion {motion} scoring {scoring}")?;
        match favoured {
            Some(player) => write!(f, " favouring {player}"),
            None if *min_bid == 1 => Ok(()),
            None => write!(f, " min-bid {min_bid}"),
        }
    }
}

impl FromStr for Rules {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Self, GameError> {
        let unreadable = || GameError::RulesSyntax { text: text.trim().to_owned() };
        let words: Vec<&str> = text.split_whitespace().collect();
        let (words, min_bid, favoured) = match &words[..] {
            [words @ .., "min-bid", min_bid] => (words, *min_bid, None),
            [words @ .., "favouring", player] => (words, "1", Some(player.parse()?)),
            words => (words, "1", None),
        };
        let ["field", field, "motion", motion, "scoring", scoring] = words[..] else {
            return Err(unreadable());
        };
        let field = field.parse().map_err(|_| unreadable())?;
        let min_bid = min_bid.parse().map_err(|_| unreadable())?;
        let rules = Self::new(field, motion.parse()?, scoring.parse()?)?.with_min_bid(min_bid)?;
        favoured.map_or(Ok(rules), |player| rules.favouring(player))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::codec::RulesCode;

    #[test]
    fn the_smallest_bid_is_part_of_the_rules_in_text_and_bytes() {
        for rules in [Rules::tennis(), Rules::footsteps(), Rules::oshi_zumo(3).unwrap()] {
            let zero = rules.with_min_bid(0).unwrap();
            assert_ne!(zero, rules);
            assert_eq!(zero.with_min_bid(1), Ok(rules));
            for rules in [rules, zero] {
                assert_eq!(rules.to_string().parse(), Ok(rules));
                assert_eq!(RulesCode::of(&rules).decode().unwrap(), rules);
            }
        }
        let refusal = |text: &str| text.parse::<Rules>().unwrap_err().to_string();
        assert_eq!(
            refusal("field 2 motion net scoring two-one min-bid 2"),
            "a smallest bid of 2 is not possible; expected 0 or 1"
        );
        assert!(refusal("field 2 motion net scoring two-one min-bid").contains("are no rules"));
    }

    #[test]
    fn with_a_smallest_bid_of_0_nothing_need_be_spent() {
        let rules = Rules::tennis().with_min_bid(0).unwrap();
        let state: State = "2:0@1".parse().unwrap();
        assert_eq!(rules.play(state, 0, 0), Ok(state));
        assert_eq!(rules.play(state, 1, 0), Ok("1:0@2".parse().unwrap()));
        let refusal = |bid| rules.check_bid(Player::A, bid, 1).unwrap_err().to_string();
        assert_eq!(refusal(2), "A cannot bid 2: with 1 point left bids are 0 and 1");
        assert!(Rules::tennis().play(state, 0, 0).is_err());
    }
}
