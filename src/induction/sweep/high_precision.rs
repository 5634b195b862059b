//! Proved bounds of one state in more bits than a machine word has.

use dashu_int::IBig;

use super::precise_standstill::PreciseStandstill;
use crate::bounds::{BOUND_BITS, Rounding};
use crate::game::Outcome;
use crate::game::{ByPlayer, Payoff, Player, State};
use crate::induction::tables::{Grid, Order, StageGame, Tables};
use crate::matrix_game::proof::multiprecision::{
    self, LongNumbers, MultiprecisionGame, MultiprecisionStrategy, Precision,
};
use crate::matrix_game::{Candidate, Simplex};
use crate::work::{Parts, Threads, Watch, WorkError, unwatched};

struct BigTables {
    /// For each player, the index of a state from that player's view.
    indices: ByPlayer<Grid<u32>>,
    secured: ByPlayer<LongNumbers>,
    widest: IBig,
}

/// Guard bits: widths grow by a few units a turn, and a game has at most some thousand turns.
const GUARD_BITS: usize = 24;

/// Proves a lower and an upper bound of `target`'s value to A, of width about 2^−`bits`, from the
/// sweep's bases, or from new ones where it kept none. Returns them with the number of bits of
/// their unit.
///
/// Every state below `target` is refined and proved. The bounds are valid however little refinement
/// achieves.
pub(crate) fn bounds(
    solved: &Tables,
    target: State,
    bits: usize,
    threads: &Threads,
    watch: &mut Watch<'_>,
) -> Result<([IBig; 2], usize), WorkError> {
    let scale = i64::from(BOUND_BITS) - i64::from(solved.scale.exponent);
    let precision = Precision { payoffs: bits + GUARD_BITS, weights: bits + GUARD_BITS + 8, scale };
    let order =
        Order { space: solved.order.space.with_points([target.a, target.b]), ..solved.order };
    let mut tables = BigTables::new(solved, order, precision.payoffs);
    // In products of long numbers: the entries of the stage game.
    let work = |state: &State| f64::from(state.a + 1) * f64::from(state.b + 1);
    let mut parts =
        Parts::new(watch, order.solved_up_to(order.space.layers()).map(|state| work(&state)).sum());
    for total in 1..=order.space.layers() {
        let states: Vec<State> = order.solved(total).collect();
        let done = states.iter().map(work).sum();
        let solve =
            |simplex: &mut Simplex, &state: &State| tables.solve(solved, simplex, state, precision);
        let found = threads.map(&states, solve);
        for (state, mut secured) in states.into_iter().zip(found) {
            if order.is_self_mirrored(state) {
                // Each player may use the other's strategy. Both bounds are valid; the better is a
                // unit or two narrower.
                let better = secured.a.max(secured.b);
                secured = ByPlayer { a: better.clone(), b: better };
            }
            if let Some(mirror) = order.image(state) {
                tables.store(mirror, secured.clone().exchanged());
            }
            tables.store(state, secured);
        }
        parts.done(done)?;
    }
    let secured = |player| tables.secured[player].get(tables.index(player, target));
    Ok(([secured(Player::A).clone(), -secured(Player::B)], precision.payoffs))
}

impl BigTables {
    fn new(solved: &Tables, order: Order, payoff_bits: usize) -> Self {
        let rules = &solved.rules;
        let states = order.space.len() as u32;
        let indices = ByPlayer::new(|player| {
            Grid::numbered(
                rules.field(),
                player.own_first(order.space.points()),
                [states, states + 1],
            )
        });
        let secured = ByPlayer::new(|player| {
            let payoff = |outcome| floor(rules.scoring().payoff(outcome), player, payoff_bits);
            let mut numbers = vec![IBig::ZERO; states as usize];
            numbers.extend(Outcome::out_ends(player).map(payoff));
            LongNumbers::new(numbers, payoff_bits.saturating_sub(solved.scale.exponent as usize))
        });
        let mut tables = Self { indices, secured, widest: IBig::ZERO };
        for state in order.space.layer(0) {
            if let Some(outcome) = rules.outcome(state) {
                let secured = ByPlayer::new(|player| {
                    floor(rules.scoring().payoff(outcome), player, payoff_bits)
                });
                tables.store(state, secured);
            }
        }
        tables
    }

    fn index(&self, player: Player, state: State) -> usize {
        self.indices[player].get(state.seen_by(player)) as usize
    }

    fn store(&mut self, state: State, ByPlayer { a, b }: ByPlayer<IBig>) {
        let gap = -(&a + &b);
        if gap > self.widest {
            self.widest = gap;
        }
        for (player, number) in [(Player::A, a), (Player::B, b)] {
            let index = self.index(player, state);
            self.secured[player].set(index, number);
        }
    }

    fn solve(
        &self,
        solved: &Tables,
        simplex: &mut Simplex,
        state: State,
        precision: Precision,
    ) -> ByPlayer<IBig> {
        let games = Player::BOTH.map(|player| {
            let indices = StageGame::new(&self.indices[player], &solved.rules, player, state);
            MultiprecisionGame { indices, numbers: &self.secured[player], repeated: None }
        });
        if solved.rules.min_bid() == 0 {
            let infinite_payoff =
                solved.rules.scoring().payoff(solved.rules.end_at(state.ball.position()));
            let endless = ByPlayer::new(|player| floor(infinite_payoff, player, precision.payoffs));
            let waiting = vec![(0, IBig::ONE << precision.weights)];
            let secured = ByPlayer::new(|player| {
                games[player as usize].secures_until_left(&waiting, &endless[player], precision)
            });
            return PreciseStandstill { solved, state, games, endless, precision, secured }
                .solve(simplex, &self.widest);
        }
        let [row_game, column_game] = games;
        let game = solved.two_way_stage(state);
        let known = solved.kept_basis(state).and_then(|basis| simplex.equalise(&game, &basis));
        let Candidate { pair, basis, factorisation, .. } = match known {
            Some(candidate) => candidate,
            None => simplex.find(&game, &mut unwatched),
        };
        let [row, column]: [MultiprecisionStrategy; 2] = match factorisation {
            Some(factorisation) => multiprecision::equalise(
                basis,
                factorisation,
                pair,
                &row_game,
                &column_game,
                precision,
            ),
            None => [&pair.row, &pair.column]
                .map(|strategy| multiprecision::from_probabilities(strategy, precision)),
        };
        ByPlayer {
            a: row_game.secures(&row, precision),
            b: column_game.secures(&column, precision),
        }
    }
}

/// The largest multiple of 2^−bits not above the payoff of an end to a player.
fn floor(payoff: Payoff, player: Player, bits: usize) -> IBig {
    let payoff = payoff * i64::from(player.direction());
    Rounding::Down.quotient(IBig::from(*payoff.numer()) << bits, (*payoff.denom()).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::solution::Solver;
    use crate::work::unwatched;

    /// Rounding in a whole game stays below the requested precision, and the bounds contain the
    /// known value.
    #[test]
    fn bounds_are_as_close_as_was_asked_for() {
        let solution = Solver::new(&Rules::tennis()).points([9, 9]).solve().unwrap();
        let threads = Threads::start(1).unwrap();
        for (state, numerator, denominator) in [("7:6@1", 46, 41), ("7:8@1", -47, 83)] {
            for bits in [32, 60, 300] {
                let target = state.parse().unwrap();
                let ([lower, upper], payoff_bits) =
                    bounds(solution.tables(), target, bits, &threads, &mut unwatched).unwrap();
                let exact = IBig::from(numerator) << payoff_bits;
                assert!(
                    &lower * denominator <= exact && exact <= &upper * denominator,
                    "{state} at {bits} bits"
                );
                assert!(
                    upper - lower < IBig::ONE << (payoff_bits - bits),
                    "{state} at {bits} bits"
                );
            }
        }
    }
}
