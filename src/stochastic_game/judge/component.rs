//! A component of a game against a policy: what is claimed of the policy's values there passes the gate, or is dropped.

use dashu_int::IBig;
use num_bigint::BigInt;

use crate::bounds::Bounds;
use crate::error::StochasticGameError;
use crate::game::Player;
use crate::matrix_game::DyadicStrategy;
use crate::matrix_game::exact::big_integer;
use crate::stochastic_game::cycles::{LongClaims, PolicyClaim, Side, Weights, tighten};
use crate::stochastic_game::gate::{Claims, Gate, Members, Number, Promise, Units};
use crate::stochastic_game::model::StochasticGame;

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
struct OneSide<'c, T> {
    members: Members<'c>,
    bounds: &'c [T],
    outside: &'c [Bounds],
    finer: u32,
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
    /// Narrows bounds of the policy's values by a claim, if it passes the gate.
    pub(super) fn narrow(&self, bounds: &mut [Bounds], claim: &PolicyClaim) {
        let side = Side::of(self.player);
        let counted = |claimed: &[i64]| claimed.iter().map(|&bound| i128::from(bound)).collect::<Vec<i128>>();
        let (side, claimed, checked) = match claim {
            PolicyClaim::Secured(claimed) => (side, claimed, self.check_secured(&counted(claimed), 0)),
            PolicyClaim::Conceded { bounds: claimed, actions } => {
                (side.other(), claimed, self.check_conceded(&counted(claimed), actions, 0))
            }
        };
        if checked.is_ok() {
            bounds.iter_mut().zip(claimed).for_each(|(own, &bound)| {
                tighten(own, side, bound);
            });
        }
    }

    /// The same by claims in longer numbers.
    pub(super) fn narrow_by_long(&self, bounds: &mut [Bounds], claims: &LongClaims, finer: usize) {
        let side = Side::of(self.player);
        let counted = |claimed: &[IBig]| claimed.iter().map(big_integer).collect::<Vec<BigInt>>();
        if self.check_secured(&counted(&claims.secured), finer as u32).is_ok() {
            tighten_by_long(bounds, side, &claims.secured, finer);
        }
        if let Some((claimed, actions)) = &claims.conceded
            && self.check_conceded(&counted(claimed), actions, finer as u32).is_ok()
        {
            tighten_by_long(bounds, side.other(), claimed, finer);
        }
    }

    /// Checks bounds that every policy and every opponent keep.
    pub(super) fn check_any_policy(&self, bounds: &[Bounds]) -> Result<(), StochasticGameError> {
        let side = Side::of(self.player);
        let of = |side: Side| bounds.iter().map(|&bounds| i128::from(side.bound(bounds))).collect::<Vec<i128>>();
        self.check_secured(&of(side), 0)?;
        self.check_conceded(&of(side.other()), &vec![0; bounds.len()], 0)
    }

    /// Checks that the policy secures bounds of its player.
    pub(super) fn check_secured<T: Number>(&self, bounds: &[T], finer: u32) -> Result<(), StochasticGameError> {
        let claims = self.claims(bounds, finer);
        let mut gate = Gate::new(self.game, self.units(finer));
        for (place, &state) in self.states.iter().enumerate() {
            let promise = Promise { state: state as usize, player: self.player, bound: bounds[place].clone() };
            gate.check_security(&promise, &self.weights[place], &claims)?;
        }
        gate.check_waiting_of(self.player, self.states, |place| &self.weights[place], &claims)
    }

    /// Checks that the opponent's actions secure bounds of the opponent against the policy.
    pub(super) fn check_conceded<T: Number>(&self, bounds: &[T], actions: &[u32], finer: u32) -> Result<(), StochasticGameError> {
        let (claims, opponent) = (self.claims(bounds, finer), self.player.opponent());
        let mut gate = Gate::new(self.game, self.units(finer));
        for (place, &state) in self.states.iter().enumerate() {
            let promise = Promise { state: state as usize, player: opponent, bound: bounds[place].clone() };
            gate.check_reply(&promise, actions[place], &self.weights[place], &claims)?;
        }
        gate.check_waiting_reply(opponent, self.states, actions, |place| &self.weights[place], &claims)
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
    for (own, bound) in bounds.iter_mut().zip(claimed) {
        if let Ok(bound) = i64::try_from(side.rounding().shift(bound.clone(), finer)) {
            tighten(own, side, bound);
        }
    }
}
