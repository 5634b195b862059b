//! One state after the other against a policy, by bounds of the successors.

use super::component::OneSide;
use crate::bounds::Bounds;
use crate::cycles::Side;
use crate::error::StochasticGameError;
use crate::gate::{Gate, Members, Promise, Units};
use crate::matrix_game::DyadicStrategy;
use crate::model::StochasticGame;
use crate::player::Player;

/// Judges the choices of a policy, each at a state alone. Its buffers are kept from state to state,
/// of which large games have millions.
pub(super) struct StateJudge<'g> {
    game: &'g StochasticGame,
    /// The policy's player.
    player: Player,
    exponent: u32,
    gate: Gate<'g, StochasticGame, i128>,
    /// The lower and the upper bound of the choice's payoff against each reply, times the sum of
    /// its weights.
    payoffs: Vec<[i128; 2]>,
}

/// The opponent's best reply by a side's bounds, and what it leaves to A.
struct BestReply {
    action: u32,
    bound: i64,
}

impl<'g> StateJudge<'g> {
    /// Bounds are in units of 2^−`exponent`.
    pub(super) fn new(game: &'g StochasticGame, player: Player, exponent: u32) -> Self {
        let units = Units { exponent, weight_exponent: DyadicStrategy::WHOLE_BITS };
        Self { game, player, exponent, gate: Gate::new(game, units), payoffs: Vec::new() }
    }

    /// Bounds of the policy's value at a state to which play cannot return, by those of all
    /// successors.
    ///
    /// # Errors
    /// The gate's refusal, with the state.
    pub(super) fn value(
        &mut self,
        state: u32,
        weights: &[(u32, u64)],
        values: &[Bounds],
    ) -> Result<Bounds, StochasticGameError> {
        let (player, side) = (self.player, Side::from(self.player));
        self.sum_up(state as usize, weights, values);
        let secured = self.best_reply(side).bound;
        let conceded = self.best_reply(side.other());

        let states = [state];
        let claims =
            |bound| OneSide { members: Members(&states), bounds: bound, outside: values, finer: 0 };
        let (bound, opponents) = ([i128::from(secured)], [i128::from(conceded.bound)]);
        let promise = Promise { state: state as usize, player, bound: bound[0] };
        self.gate.check_security(&promise, weights, &claims(&bound))?;
        self.gate.check_waiting_of(player, &states, |_| weights, &claims(&bound))?;

        let promise =
            Promise { state: state as usize, player: player.opponent(), bound: opponents[0] };
        let actions = [conceded.action];
        self.gate.check_reply(&promise, conceded.action, weights, &claims(&opponents))?;
        self.gate.check_waiting_reply(
            player.opponent(),
            &states,
            &actions,
            |_| weights,
            &claims(&opponents),
        )?;

        Ok(match side {
            Side::Lower => Bounds::new(secured, conceded.bound),
            Side::Upper => Bounds::new(conceded.bound, secured),
        })
    }

    /// The bound that the choice at a state secures the policy's player, if play goes on from every
    /// successor, even the state itself, with a value within these bounds.
    ///
    /// # Errors
    /// The gate's refusal, with the state.
    pub(super) fn secured(
        &mut self,
        state: u32,
        weights: &[(u32, u64)],
        values: &[Bounds],
    ) -> Result<i64, StochasticGameError> {
        self.sum_up(state as usize, weights, values);
        let bound = self.best_reply(Side::from(self.player)).bound;
        let claims = OneSide { members: Members(&[]), bounds: &[], outside: values, finer: 0 };
        let promise =
            Promise { state: state as usize, player: self.player, bound: i128::from(bound) };
        self.gate.check_security(&promise, weights, &claims)?;
        Ok(bound)
    }

    /// Sums up what the choice pays against each reply.
    fn sum_up(&mut self, state: usize, weights: &[(u32, u64)], values: &[Bounds]) {
        let replies = self.game.sizes(state)[usize::from(self.player == Player::A)];
        self.payoffs.clear();
        self.payoffs.resize(replies, [0; 2]);
        for &(action, weight) in weights {
            for (reply, payoff) in self.payoffs.iter_mut().enumerate() {
                let [a, b] = match self.player {
                    Player::A => [action as usize, reply],
                    Player::B => [reply, action as usize],
                };
                // Nature, if it chooses, does so for each bound by that bound of the successors.
                let cell =
                    self.game.cell(state, a, b).bounds(self.exponent, |next| values[next as usize]);
                payoff[0] += i128::from(weight) * i128::from(cell.lower);
                payoff[1] += i128::from(weight) * i128::from(cell.upper);
            }
        }
    }

    /// The first best reply by the bounds of a side.
    fn best_reply(&self, side: Side) -> BestReply {
        let mut best = 0;
        for reply in 1..self.payoffs.len() {
            let [payoff, known] = [reply, best].map(|reply| self.payoffs[reply][side.index()]);
            let is_better = match self.player {
                Player::A => payoff < known,
                Player::B => payoff > known,
            };
            if is_better {
                best = reply;
            }
        }
        let bound = side
            .rounding()
            .shift(self.payoffs[best][side.index()], DyadicStrategy::WHOLE_BITS as usize);
        BestReply { action: best as u32, bound: bound as i64 }
    }
}
