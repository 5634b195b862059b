//! Best responses to policies of Tennis, with proved bounds.

use super::layers::{best_end, rounded_down, sweep};
use crate::bounds::{Bounds, Enclosure, FixedPointScale, Rounding, Side};
use crate::error::Error;
use crate::game::{Outcome, Player, Rules, State, StateSpace};
use crate::induction::{Approximate, Grid, StageGame};
use crate::matrix_game::{BestReply, DyadicStrategy};
use crate::policy::Policy;
use crate::work::{Threads, Watch, unwatched};

/// A best response to one player's policy, with its value at every state: backward induction with
/// exact sums.
///
/// Values are rounded once a state, so that [`value`](Self::value) encloses the best-response value
/// against the policy's stored probabilities (multiples of 2⁻⁶²). Where the smallest bid is 0, a
/// reply of 0 is repeated as long as the policy bids 0 as well: its value is the mean over the
/// policy's other bids, or the payoff of infinite plays if there are none.
///
/// *Complexity.* O(states · bids²), once; a policy that makes few bids takes less.
///
/// ```
/// use pencil_tennis::analysis::BestResponse;
/// use pencil_tennis::{Player, Policy, Rules, unwatched};
///
/// let rules = Rules::tennis();
/// let uniform = Policy::uniform(&rules, [10, 10])?;
/// let response = BestResponse::new(&rules, &uniform, Player::A, &mut unwatched)?;
/// let value = response.value("10:10@0".parse()?)?;
/// assert!((value.middle() - 1420361.0 / 725760.0).abs() < 1e-15);
/// assert_eq!(response.bid("10:10@0".parse()?)?, 1);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BestResponse {
    rules: Rules,
    space: StateSpace,
    scale: FixedPointScale,
    responder: Player,
    /// The most that the policy's owner can be paid, rounded up.
    best_end: i64,
    /// The policy's guaranteed payoff, rounded in one direction, to its owner.
    secured: Grid<i64>,
    /// The best reply at every state, the lowest among equals.
    replies: Vec<u16>,
}

impl BestResponse {
    /// The best response of `responder` to the other player's part of `policy`.
    ///
    /// # Errors
    /// [`crate::PolicyError::LacksPlayer`]; [`crate::PolicyError::OtherGame`] for a policy with
    /// another field.
    pub fn new(
        rules: &Rules,
        policy: &Policy,
        responder: Player,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Error> {
        Self::rounded(rules, policy, responder, Rounding::Down, &Threads::alone(), watch)
    }

    /// The other player's best response, if both policies and the game are symmetric.
    pub(super) fn mirrored(&self) -> Self {
        let replies = self
            .space
            .states()
            .map(|state| self.replies[self.space.index(state.mirrored())])
            .collect();
        Self { responder: self.responder.opponent(), replies, ..self.clone() }
    }

    /// The lower or the upper bound of A's mean payoff from a start, rounded outward.
    /// [`Self::value`] is wider: its other bound allows for all rounding.
    pub(super) fn bound(
        rules: &Rules,
        policy: &Policy,
        responder: Player,
        start: State,
        side: Side,
    ) -> Result<Enclosure, Error> {
        let owner = responder.opponent();
        // The owner's own payoff has the other sign where the owner is B.
        let side = if owner == Player::A { side } else { side.other() };
        let rounding = side.rounding();
        let response =
            Self::rounded(rules, policy, responder, rounding, &Threads::alone(), &mut unwatched)?;
        response.space.check(start)?;
        let secured = response.secured.get(start.seen_by(owner));
        let bound = if owner == Player::A { secured } else { -secured };
        Ok(Enclosure::proved(Bounds::new(bound, bound), response.scale.exponent))
    }

    /// The best response with security levels rounded in one direction.
    pub(super) fn rounded(
        rules: &Rules,
        policy: &Policy,
        responder: Player,
        rounding: Rounding,
        threads: &Threads,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Error> {
        let owner = responder.opponent();
        let strategy = policy.behaviour(owner)?;
        let points = policy.points();
        policy.check_game(rules, points)?;
        let scale = rules.scoring().scale();
        let space = StateSpace::new(rules, points);
        let payoff = |outcome: Outcome| {
            let payoff = rules.scoring().payoff_to(owner, outcome);
            if rounding == Rounding::Down { scale.floor(payoff) } else { scale.ceil(payoff) }
        };
        let secured = Grid::new(
            rules.field(),
            owner.own_first(points),
            0,
            Outcome::out_ends(owner).map(payoff),
        );
        let mut known = (Approximate::new(&secured), secured, vec![0; space.len()]);
        let respond = |(approximate, secured, _): &(Approximate, Grid<i64>, Vec<u16>),
                       best: &mut BestReply,
                       state: State| {
            if let Some(outcome) = rules.outcome(state) {
                return (0, payoff(outcome));
            }
            let game = StageGame::new(secured, rules, owner, state);
            let endless = || payoff(rules.end_at(state.ball.position()));
            let doubles = approximate.stage(rules, owner, state);
            let (reply, least) = game.best_reply(
                &doubles,
                approximate.range(),
                strategy.weights(state),
                rounding,
                endless,
                best,
            );
            let conceded = rounding.shift(least, DyadicStrategy::WHOLE_BITS as usize) as i64;
            ((reply + game.lowest_reply) as u16, conceded)
        };
        sweep(
            space,
            threads,
            watch,
            &mut known,
            respond,
            |(approximate, secured, replies), state, (reply, conceded)| {
                replies[space.index(state)] = reply;
                secured.set(state.seen_by(owner), conceded);
                approximate.set(state.seen_by(owner), conceded);
            },
        )?;
        let (_, secured, replies) = known;
        let best_end = best_end(rules, owner);
        Ok(Self { rules: *rules, space, scale, responder, best_end, secured, replies })
    }

    pub const fn responder(&self) -> Player {
        self.responder
    }

    pub const fn points(&self) -> [u32; 2] {
        self.space.points()
    }

    /// Bounds of A's mean payoff from a state when the responder plays this best response. O(1).
    pub fn value(&self, state: State) -> Result<Enclosure, Error> {
        self.space.check(state)?;
        Ok(Enclosure::proved(self.bounds(state), self.scale.exponent))
    }

    /// The best bid at a state, the lowest among equals; 0 at an ended state. O(1).
    pub fn bid(&self, state: State) -> Result<u32, Error> {
        self.space.check(state)?;
        Ok(self.reply(state))
    }

    pub fn policy(&self) -> Policy {
        Policy::pure(self.space, self.responder, |state| self.reply(state))
    }

    pub(crate) fn reply(&self, state: State) -> u32 {
        u32::from(self.replies[self.space.index(state)])
    }

    pub(crate) fn bounds(&self, state: State) -> Bounds {
        let owner = self.responder.opponent();
        // Each turn that changes the state rounds by less than a unit, and the start once more.
        let rounded = self.rules.most_turns(state) + 1;
        rounded_down(owner, self.secured.get(state.seen_by(owner)), rounded, self.best_end)
    }
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;

    use super::*;

    #[test]
    fn bounds_stay_within_the_payoffs() {
        let rules = Rules::tennis().with_scoring("1/3,1/7,0,-1/7,-1/3".parse().unwrap());
        let uniform = Policy::uniform(&rules, [6, 6]).unwrap();
        let [lowest, highest] = [-1, 1].map(|sign| BigRational::new(sign.into(), 3.into()));
        for responder in Player::BOTH {
            let response = BestResponse::new(&rules, &uniform, responder, &mut unwatched).unwrap();
            let unit =
                BigRational::new(1.into(), num_bigint::BigInt::from(1) << response.scale.exponent);
            let mut reached = 0;
            for state in (0..=12).flat_map(|total| response.space.layer(total)) {
                let [lower, upper] = response.value(state).unwrap().fractions();
                // A third is no multiple of the unit.
                assert!(
                    &lowest - &unit < lower && upper < &highest + &unit,
                    "{state}: {lower} {upper}"
                );
                reached += usize::from(upper > highest || lower < lowest);
            }
            assert!(reached > 0, "no state is worth all there is");
        }
    }

    #[test]
    fn of_equally_good_bids_the_lowest_is_the_response() {
        let rules = Rules::tennis();
        let uniform = Policy::uniform(&rules, [6, 6]).unwrap();
        let response = |player, state: &str| {
            BestResponse::new(&rules, &uniform, player, &mut unwatched)
                .unwrap()
                .bid(state.parse().unwrap())
        };
        assert_eq!(response(Player::A, "6:0@2"), Ok(1));
        assert_eq!(response(Player::B, "0:6@-2"), Ok(1));
    }
}
