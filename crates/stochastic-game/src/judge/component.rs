//! A component of a game against a policy: what is claimed of the policy's values there passes the
//! gate, or is dropped.

use dashu_int::IBig;
use num_bigint::BigInt;

use crate::bounds::Bounds;
use crate::cycles::{LongClaims, MARGINS, PolicyClaim, Side, Weights, tighten};
use crate::error::StochasticGameError;
use crate::gate::{Claims, Gate, Members, Number, Promise, Units};
use crate::matrix_game::DyadicStrategy;
use crate::matrix_game::exact::big_integer;
use crate::model::StochasticGame;
use crate::player::Player;

pub(super) struct JudgedComponent<'c> {
    pub(super) game: &'c StochasticGame,
    /// Rising.
    pub(super) states: &'c [u32],
    pub(super) exponent: u32,
    /// The bounds of the policy's values outside.
    pub(super) outside: &'c [Bounds],
    /// The policy's player.
    pub(super) player: Player,
    /// The policy's weights at the states.
    pub(super) weights: &'c [Weights],
}

/// A bound of every state, and both of those outside, in a unit that is 2^`finer` times as fine.
pub(super) struct OneSide<'c, T> {
    pub(super) members: Members<'c>,
    pub(super) bounds: &'c [T],
    pub(super) outside: &'c [Bounds],
    pub(super) finer: u32,
}

impl<T: Number> Claims<T> for OneSide<'_, T> {
    fn bounds(&self, state: usize) -> [T; 2] {
        if let Some(place) = self.members.place(state as u32) {
            // Only the bound of the player whose claim is checked is read.
            return [self.bounds[place].clone(), self.bounds[place].clone()];
        }
        let Bounds { lower, upper } = self.outside[state];
        [lower, upper].map(|bound| T::from(bound) << self.finer)
    }
}

impl JudgedComponent<'_> {
    /// Narrows bounds of the policy's values by a claim, if it passes the gate; returns whether it
    /// does.
    ///
    /// Two of nature's choices may be equally good to a unit, so that a claim by one of them misses
    /// the other by rounding: where probabilities are uncertain, the claim is moved outward by the
    /// first of some margins with which it passes.
    pub(super) fn narrow(&self, bounds: &mut [Bounds], claim: &PolicyClaim) -> bool {
        let margins = if self.game.nature().is_some() { &MARGINS[..] } else { &[0] };
        margins.iter().any(|&margin| self.narrow_by_moved(bounds, claim, margin))
    }

    /// Narrows bounds by a claim that is moved outward by `margin` units, if it passes the gate.
    fn narrow_by_moved(&self, bounds: &mut [Bounds], claim: &PolicyClaim, margin: i64) -> bool {
        let secured_side = Side::from(self.player);
        let (side, claimed) = match claim {
            PolicyClaim::Secured(claimed) => (secured_side, claimed),
            PolicyClaim::Conceded { bounds: claimed, .. } => (secured_side.other(), claimed),
        };
        let outward = if side.is_upper() { margin } else { -margin };
        let moved: Vec<i64> = claimed.iter().map(|bound| bound.saturating_add(outward)).collect();
        let counted: Vec<i128> = moved.iter().map(|&bound| bound.into()).collect();
        let checked = match claim {
            PolicyClaim::Secured(_) => self.check_secured(&counted, 0),
            PolicyClaim::Conceded { actions, .. } => self.check_conceded(&counted, actions, 0),
        };
        if checked.is_ok() {
            for (known, bound) in bounds.iter_mut().zip(moved) {
                tighten(known, side, bound);
            }
        }
        checked.is_ok()
    }

    /// Narrows bounds by claims in longer numbers; returns whether both sides are claimed, and all
    /// claims pass.
    pub(super) fn narrow_by_long(
        &self,
        bounds: &mut [Bounds],
        claims: &LongClaims,
        finer: usize,
    ) -> bool {
        let side = Side::from(self.player);
        let counted = |claimed: &[IBig]| claimed.iter().map(big_integer).collect::<Vec<BigInt>>();
        let is_secured = self.check_secured(&counted(&claims.secured), finer as u32).is_ok();
        if is_secured {
            tighten_by_long(bounds, side, &claims.secured, finer);
        }
        let Some((claimed, actions)) = &claims.conceded else { return false };
        let is_conceded = self.check_conceded(&counted(claimed), actions, finer as u32).is_ok();
        if is_conceded {
            tighten_by_long(bounds, side.other(), claimed, finer);
        }
        is_secured && is_conceded
    }

    /// Checks bounds that every policy and every opponent keep.
    pub(super) fn check_any_policy(&self, bounds: &[Bounds]) -> Result<(), StochasticGameError> {
        let side = Side::from(self.player);
        let of = |side: Side| {
            bounds.iter().map(|&bounds| i128::from(side.bound(bounds))).collect::<Vec<i128>>()
        };
        self.check_secured(&of(side), 0)?;
        self.check_conceded(&of(side.other()), &vec![0; bounds.len()], 0)
    }

    /// Checks that the policy secures bounds of its player.
    pub(super) fn check_secured<T: Number>(
        &self,
        bounds: &[T],
        finer: u32,
    ) -> Result<(), StochasticGameError> {
        let claims = self.claims(bounds, finer);
        let mut gate = Gate::new(self.game, self.units(finer));
        for (place, &state) in self.states.iter().enumerate() {
            let promise = Promise {
                state: state as usize,
                player: self.player,
                bound: bounds[place].clone(),
            };
            gate.check_security(&promise, &self.weights[place], &claims)?;
        }
        gate.check_waiting_of(self.player, self.states, |place| &self.weights[place], &claims)
    }

    /// Checks that the opponent's actions secure bounds of the opponent against the policy.
    pub(super) fn check_conceded<T: Number>(
        &self,
        bounds: &[T],
        actions: &[u32],
        finer: u32,
    ) -> Result<(), StochasticGameError> {
        let (claims, opponent) = (self.claims(bounds, finer), self.player.opponent());
        let mut gate = Gate::new(self.game, self.units(finer));
        for (place, &state) in self.states.iter().enumerate() {
            let promise =
                Promise { state: state as usize, player: opponent, bound: bounds[place].clone() };
            gate.check_reply(&promise, actions[place], &self.weights[place], &claims)?;
        }
        gate.check_waiting_reply(
            opponent,
            self.states,
            actions,
            |place| &self.weights[place],
            &claims,
        )
    }

    fn claims<'c, T>(&'c self, bounds: &'c [T], finer: u32) -> OneSide<'c, T> {
        OneSide { members: Members(self.states), bounds, outside: self.outside, finer }
    }

    const fn units(&self, finer: u32) -> Units {
        Units { exponent: self.exponent + finer, weight_exponent: DyadicStrategy::WHOLE_BITS }
    }
}

/// Tightens bounds of a side by those in a unit that is 2^`finer` times as fine, rounded outward.
fn tighten_by_long(bounds: &mut [Bounds], side: Side, claimed: &[IBig], finer: usize) {
    for (known, bound) in bounds.iter_mut().zip(claimed) {
        if let Ok(bound) = i64::try_from(side.rounding().shift(bound.clone(), finer)) {
            tighten(known, side, bound);
        }
    }
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::*;

    const ONE: i64 = 1 << 40;

    /// A stays, or goes for 1; B may send A back or let it go. Infinite plays pay 0.
    const DOOR: &str = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}
        {"id":"out","value":"1"}
        {"id":"s","a":["stay","go"],"b":["block","open"],"cells":[[{"to":[["1","s"]]},{"to":[["1","s"]]}],[{"to":[["1/2","s"],["1/2","out"]]},{"to":[["1","out"]]}]]}"#;

    /// Checks a bound of a policy of A that goes with this weight, and one that B's action leaves.
    fn checks(goes: u64, secured: i64, action: u32, conceded: i64) -> [bool; 2] {
        let game = StochasticGame::read(DOOR.as_bytes()).unwrap();
        let state = game.place("s").unwrap() as u32;
        let mut outside = vec![Bounds::default(); game.len()];
        outside[game.place("out").unwrap()] = Bounds::new(ONE, ONE);
        let weights: Weights = [(0, DyadicStrategy::WHOLE - goes), (1, goes)]
            .into_iter()
            .filter(|&(_, weight)| weight > 0)
            .collect();
        let judged = JudgedComponent {
            game: &game,
            states: &[state],
            exponent: 40,
            outside: &outside,
            player: Player::A,
            weights: &[weights],
        };
        [
            judged.check_secured(&[i128::from(secured)], 0).is_ok(),
            judged.check_conceded(&[i128::from(conceded)], &[action], 0).is_ok(),
        ]
    }

    #[test]
    fn a_policy_that_goes_is_worth_all_and_no_unit_more() {
        let (block, open) = (0, 1);
        for goes in [DyadicStrategy::WHOLE, DyadicStrategy::WHOLE / 3] {
            assert_eq!(checks(goes, ONE, block, ONE), [true, true]);
            assert_eq!(checks(goes, ONE + 1, block, ONE - 1), [false, false]);
            assert_eq!(checks(goes, ONE, open, ONE - 1), [true, false]);
        }
    }

    #[test]
    fn a_policy_that_waits_is_worth_what_waiting_pays() {
        assert_eq!(checks(0, 0, 0, 0), [true, true]);
        // Every turn keeps these bounds, too; but play never ends.
        assert_eq!(checks(0, 1, 0, -1), [false, false]);
    }

    /// B ends the game for 1 or for 2. The claim of either action is checked by that action.
    #[test]
    fn an_action_leaves_what_it_pays_itself() {
        let text = r#"{"format":"stochastic-game","version":1,"kind":"acyclic","start":["s"]}
            {"id":"one","value":"1"}
            {"id":"two","value":"2"}
            {"id":"s","a":["x"],"b":["low","high"],"cells":[[{"to":[["1","one"]]},{"to":[["1","two"]]}]]}"#;
        let game = StochasticGame::read(text.as_bytes()).unwrap();
        let place = |name: &str| game.place(name).unwrap();
        let mut outside = vec![Bounds::default(); game.len()];
        for (name, value) in [("one", ONE), ("two", 2 * ONE)] {
            outside[place(name)] = Bounds::new(value, value);
        }
        let judged = JudgedComponent {
            game: &game,
            states: &[place("s") as u32],
            exponent: 40,
            outside: &outside,
            player: Player::A,
            weights: &[vec![(0, DyadicStrategy::WHOLE)]],
        };
        let (low, high) = (0, 1);
        let is_conceded = |action: u32, bound: i64| {
            judged.check_conceded(&[i128::from(bound)], &[action], 0).is_ok()
        };
        assert!(is_conceded(low, ONE) && !is_conceded(low, ONE - 1));
        assert!(is_conceded(high, 2 * ONE) && !is_conceded(high, 2 * ONE - 1));
    }

    /// Nature leads to 1 with a probability from 1/4 to 3/4, and else to 0, and is against the
    /// policy.
    #[test]
    fn nature_is_against_the_policy() {
        let text = r#"{"format":"stochastic-game","version":1,"kind":"acyclic","nature":"B","start":["s"]}
            {"id":"zero","value":"0"}
            {"id":"one","value":"1"}
            {"id":"s","a":["x"],"b":["y"],"cells":[[{"to":[["[1/4,3/4]","one"],["[1/4,3/4]","zero"]]}]]}"#;
        let uncertain = StochasticGame::read(text.as_bytes()).unwrap();
        for (player, value, more) in [(Player::A, ONE / 4, 1), (Player::B, 3 * ONE / 4, -1)] {
            let game = uncertain.with_nature(player.opponent());
            let place = |name: &str| game.place(name).unwrap();
            let mut outside = vec![Bounds::default(); game.len()];
            outside[place("one")] = Bounds::new(ONE, ONE);
            let judged = JudgedComponent {
                game: &game,
                states: &[place("s") as u32],
                exponent: 40,
                outside: &outside,
                player,
                weights: &[vec![(0, DyadicStrategy::WHOLE)]],
            };
            let is_secured = |bound: i64| judged.check_secured(&[i128::from(bound)], 0).is_ok();
            let is_conceded =
                |bound: i64| judged.check_conceded(&[i128::from(bound)], &[0], 0).is_ok();
            assert!(is_secured(value) && !is_secured(value + more));
            assert!(is_conceded(value) && !is_conceded(value - more));
        }
    }
}
