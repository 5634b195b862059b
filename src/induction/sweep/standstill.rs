//! Solves states that two bids of 0 repeat.

use crate::bounds::{Bounds, FixedPoint, Rounding};
use crate::game::{ByPlayer, Outcome, Player, SecuredBounds, State};
use crate::induction::tables::{Method, Tables};
use crate::matrix_game::{
    DyadicStrategy, EnclosedMatrix, EnclosedSimplex, Payoffs, ProvedPair, ROUNDING_UNITS,
};

/// Solves one state after another, with reused buffers.
///
/// `f(t)`, the value of the stage game whose entry for two zero bids is `t`, is nondecreasing and
/// 1-Lipschitz; the value of the state is the payoff of infinite plays clamped to the fixed points
/// of `f` (`docs/theory-tennis.md`). Strategies that are optimal for some `t` are judged by their
/// security levels when repeated until the state is left, which do not depend on `t`.
#[derive(Debug, Default)]
pub(super) struct StandstillSolver {
    simplex: EnclosedSimplex,
    matrix: EnclosedMatrix,
    expectations: Vec<i128>,
}

/// A gap, in units, above what rounding leaves (some hundred units a turn) and far below the half
/// of 62 bits that an approached value leaves.
const LOST_DIGITS: i128 = 1 << 20;

/// Stops the search: the bounds are close enough.
struct CloseEnough;

impl StandstillSolver {
    pub(super) fn solve(&mut self, tables: &Tables, state: State, pair: &mut ProvedPair) {
        let Self { simplex, matrix, expectations } = self;
        let tolerance = tables.widest + ROUNDING_UNITS;
        let enclosed = tables.enclosed_stage(state);
        let is_self_mirrored = tables.order.is_self_mirrored(state);
        let mut best: ByPlayer<(i64, DyadicStrategy)> =
            ByPlayer::new(|_| (i64::MIN, DyadicStrategy::default()));
        let payoffs = |rounding| {
            Outcome::EACH
                .map(|end| tables.scale.rounded(tables.rules.scoring().payoff(end), rounding))
                .into_iter()
        };
        let [lowest, highest] = [payoffs(Rounding::Down).min(), payoffs(Rounding::Up).max()]
            .map(Option::unwrap_or_default);
        let endless = Bounds::of_secured(|player| tables.endless(player, state));
        let mut point = FixedPoint::new(Bounds::new(lowest, highest), endless, |repeated, side| {
            matrix.fill(enclosed.size(), |row, column| {
                if row + column == 0 {
                    Bounds::new(repeated, repeated)
                } else {
                    enclosed.bounds(row, column)
                }
            });
            let solved = if tables.method == Method::Lp {
                simplex.solve_by_programmes(matrix)
            } else {
                simplex.solve(matrix)
            };
            for (player, strategy) in Player::BOTH.into_iter().zip(&solved.strategies) {
                let secured = tables.secures(player, state, strategy, expectations);
                if secured > best[player].0 {
                    best[player] = (secured, strategy.clone());
                }
            }
            if is_self_mirrored {
                // Each player's strategy serves the other as well.
                let better = if best.b.0 > best.a.0 { Player::B } else { Player::A };
                best[better.opponent()] = best[better].clone();
            }
            let gap = -(i128::from(best.a.0) + i128::from(best.b.0));
            if gap <= i128::from(tolerance) {
                Err(CloseEnough)
            } else {
                Ok(side.bound(solved.bounds))
            }
        });
        // Bounds that are not close are proved all the same.
        let (Ok(()) | Err(CloseEnough)) = point.narrow(0);
        let gap = -(i128::from(best.a.0) + i128::from(best.b.0));
        if gap > LOST_DIGITS {
            for player in Player::BOTH {
                let Some(strategy) = leaving_rarely(tables, state, player) else { continue };
                let secured = tables.secures(player, state, &strategy, expectations);
                if secured > best[player].0 {
                    best[player] = (secured, strategy);
                }
            }
            if is_self_mirrored {
                let better = if best.b.0 > best.a.0 { Player::B } else { Player::A };
                best[better.opponent()] = best[better].clone();
            }
        }
        pair.bounds = Bounds::of_secured(|player| best[player].0);
        pair.strategies = best.map(|(_, strategy)| strategy).into_array();
    }
}

/// The strategy that bids 0 with all weights but one, and with that one the bid that wins most
/// against 0; `None` where 0 is the only bid.
///
/// Where a player's value is the limit of strategies that leave the state ever more rarely, it
/// secures the value but for a unit: against a bid of 0 only the bid that leaves counts, against
/// any other bid hardly more than the bid of 0. The fixed point in rounded numbers is found to half
/// of their digits there, since the stage game's value meets the repetition's without crossing it.
fn leaving_rarely(tables: &Tables, state: State, player: Player) -> Option<DyadicStrategy> {
    let stage = tables.secured_stage(player, state);
    let best = (1..stage.rows()).max_by_key(|&row| stage.entry(row, 0))?;
    let mut strategy = DyadicStrategy::default();
    strategy.assign([(0, DyadicStrategy::WHOLE as i64 - 1), (best as u32, 1)].into_iter());
    Some(strategy)
}
