use crate::bounds::{Bounds, FixedPoint, Rounding};
use crate::game::{ByPlayer, Outcome, Player, State};
use crate::induction::tables::{Method, Tables};
use crate::matrix_game::{DyadicStrategy, EnclosedMatrix, EnclosedSimplex, ProvedPair, ROUNDING_UNITS};

/// Solves one state after another, with reused buffers.
///
/// `f(t)`, the value of the stage game whose entry for two zero bids is `t`, is nondecreasing and 1-Lipschitz; the value of the
/// state is the payoff of infinite plays clamped to the fixed points of `f` (`docs/theory.md`). Strategies that are optimal for
/// some `t` are judged by their security levels when repeated until the state is left, which do not depend on `t`.
#[derive(Debug, Default)]
pub(super) struct StandstillSolver {
    simplex: EnclosedSimplex,
    matrix: EnclosedMatrix,
    expectations: Vec<i128>,
}

/// Stops the search: the bounds are close enough.
struct Close;

impl StandstillSolver {
    pub(super) fn solve(&mut self, tables: &Tables, state: State, pair: &mut ProvedPair) {
        let Self { simplex, matrix, expectations } = self;
        let tolerance = tables.widest + ROUNDING_UNITS;
        let enclosed = tables.enclosed_stage(state);
        let is_self_mirrored = tables.order.is_self_mirrored(state);
        let mut best: ByPlayer<(i64, DyadicStrategy)> = ByPlayer::new(|_| (i64::MIN, DyadicStrategy::default()));
        let payoffs =
            |rounding| Outcome::EACH.map(|end| tables.scale.rounded(tables.rules.scoring().payoff(end), rounding)).into_iter();
        let [lowest, highest] = [payoffs(Rounding::Down).min(), payoffs(Rounding::Up).max()].map(Option::unwrap_or_default);
        let endless = Bounds::of_secured(|player| tables.endless(player, state));
        let mut point = FixedPoint::new(Bounds::new(lowest, highest), endless, |repeated, upper| {
            matrix.fill(enclosed.size(), |row, column| {
                if row + column == 0 { Bounds::new(repeated, repeated) } else { enclosed.bounds(row, column) }
            });
            let solved = if tables.method == Method::Lp { simplex.solve_by_programmes(matrix) } else { simplex.solve(matrix) };
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
            if gap <= i128::from(tolerance) { Err(Close) } else { Ok(solved.bounds.side(upper)) }
        });
        // Bounds that are not close are proved all the same.
        let (Ok(()) | Err(Close)) = point.narrow(0);
        pair.bounds = Bounds::of_secured(|player| best[player].0);
        pair.strategies = best.map(|(_, strategy)| strategy).into_array();
    }
}
