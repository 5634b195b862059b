//! The exact value of a state that two bids of 0 repeat: a fraction, or proved irrational.

use dashu_base::{Abs, SquareRoot};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::stage_solver::EXACT_PIVOTS;
use crate::bounds::Bounds;
use crate::game::Player;
use crate::induction::tables::{ExactResult, ExactStage, rational};
use crate::matrix_game::exact::{self, ExactEquilibrium, ExactPayoffs, ExactStrategy};
use crate::matrix_game::{Basis, Matrix, Simplex};
use crate::work::unwatched;

/// Solves a state whose value lies within these bounds, if the relevant successors are known
/// exactly.
///
/// `f(t)` is the value of the stage game in which a repetition has value `t`; the value of the
/// state is the fixed point of `f` nearest to the payoff of infinite plays. Strategies that are
/// optimal for the fixed point `v` secure it, except for a player who gets more than the payoff of
/// infinite plays and waits for ever (`docs/theory-tennis.md`).
pub(super) fn solve(stage: &mut ExactStage<'_>, bounds: Bounds) -> Option<ExactResult> {
    let rules = &stage.tables.rules;
    let endless = rational(rules.scoring().payoff(rules.end_at(stage.state.ball.position())));
    let at_endless = solve_at(stage, &endless)?;
    let value = value_of(&at_endless);
    if value == endless {
        return Some(at_endless.into());
    }
    // The player who gets more than the payoff of infinite plays.
    let gainer = if value > endless { Player::A } else { Player::B };
    let [below, above] = [bounds.lower - 1, bounds.upper + 1].map(|bound| stage.units(bound));
    // Where a repetition does not matter, the value is the same for nearby values of it, also for
    // one slightly worse than `v` for the player who gets more than the payoff of infinite plays.
    // With that one, waiting for ever, which may be optimal at `v`, is not.
    let [near, far] = gainer.own_first([&below, &above]);
    let leaving = solve_at(stage, near)?;
    let basis = leaving.basis.clone();
    let leaving_value = value_of(&leaving);
    let at_value = solve_at(stage, &leaving_value)?;
    if value_of(&at_value) == leaving_value {
        let [of_a, of_b] = gainer.own_first([leaving, at_value]);
        return Some(ExactEquilibrium { column: of_b.column, ..of_a }.into());
    }
    on_a_basis(stage, [&below, &above]).or_else(|| on_one_side(stage, &basis, near, far, gainer))
}

/// Solves a state if one basis is optimal for all values of a repetition between two numbers that
/// enclose the state's value.
fn on_a_basis(stage: &mut ExactStage<'_>, ends: [&RBig; 2]) -> Option<ExactResult> {
    let bases = [solve_at(stage, ends[0])?.basis, solve_at(stage, ends[1])?.basis];
    let (basis, values) = bases.into_iter().find_map(|basis| {
        let values = fixed_points(stage, &basis, ends)?;
        Some((basis, values))
    })?;
    let FixedPoints::Rational(values) = values else { return Some(ExactResult::Irrational) };
    let mut values = values.into_iter().filter(|value| ends[0] <= value && value <= ends[1]);
    // Neither player may wait for ever.
    let leaves = |strategy: &ExactStrategy| waits(strategy) < RBig::ONE;
    let is_proved = |found: &ExactEquilibrium, value| {
        value_of(found) == value && leaves(&found.row) && leaves(&found.column)
    };
    values
        .find_map(|value| solve_on(stage, &value, &basis).filter(|found| is_proved(found, value)))
        .map(ExactResult::from)
}

/// Solves a state if a basis is optimal from `near`, on the side of the payoff of infinite plays,
/// up to the state's value.
///
/// A basis that is optimal at both ends is optimal between them, so that `f(t) − t` has one sign
/// from `near` up to the first fixed point `v`: each `t` before `v` is secured by the `gainer`, who
/// gets more than the payoff of infinite plays, and `f(v) = v` secures `v` to the other. Where
/// the basis makes the first player wait for ever at `v`, the value is approached by strategies
/// that leave the state ever more rarely, and no strategy attains it.
fn on_one_side(
    stage: &mut ExactStage<'_>,
    basis: &Basis,
    near: &RBig,
    far: &RBig,
    gainer: Player,
) -> Option<ExactResult> {
    let away = near + near - far;
    let FixedPoints::Rational(values) = fixed_points(stage, basis, [&away, near])? else {
        return None;
    };
    let value = match gainer {
        Player::A => values.into_iter().filter(|value| value > near).min(),
        Player::B => values.into_iter().filter(|value| value < near).max(),
    }?;
    let found = solve_on(stage, &value, basis).filter(|found| value_of(found) == value)?;
    let [waiter, _] = gainer.own_first([&found.row, &found.column]);
    let waiting = waits(waiter);
    Some(if waiting < RBig::ONE { found.into() } else { ExactResult::Approached(value) })
}

/// The fixed points of a basis.
enum FixedPoints {
    Rational(Vec<RBig>),
    Irrational,
}

/// The values that a repetition has on a basis that is optimal for two values of it; `None` if it
/// is not, or if a repetition does not matter.
///
/// On a basis all probabilities and expectations are rational functions of `t` with linear
/// numerators and a common linear denominator: a basis that is optimal at both ends, with
/// denominators of one sign, is optimal between them. There `f(t + s) = v + s p / (1 + s c)`, if
/// `f(t) = v` and `p` is the probability that both repeat the state, and the fixed point is the
/// root of a quadratic equation with rational coefficients: rational if and only if the
/// discriminant is a square.
fn fixed_points(
    stage: &mut ExactStage<'_>,
    basis: &Basis,
    ends: [&RBig; 2],
) -> Option<FixedPoints> {
    let below = solve_on(stage, ends[0], basis)?;
    let above = solve_on(stage, ends[1], basis)?;
    let value_below = value_of(&below);
    let [far, gained] = [ends[1] - ends[0], value_of(&above) - &value_below];
    let repeats = waits(&below.row) * waits(&below.column);
    if repeats == RBig::ZERO
        || repeats == RBig::ONE
        || gained.is_zero()
        || (gained < RBig::ZERO) != (far < RBig::ZERO)
    {
        return None;
    }
    let bend = (&far * &repeats / gained - RBig::ONE) / far;
    // bend · s² + slope · s = missing
    let missing = value_below - ends[0];
    let slope = RBig::ONE - repeats - &bend * &missing;
    let roots = if bend == RBig::ZERO {
        vec![missing / slope]
    } else {
        let Some(root) = square_root(&(&slope * &slope + &bend * &missing * RBig::from(4))) else {
            return Some(FixedPoints::Irrational);
        };
        let twice = bend * RBig::from(2);
        vec![(&root - &slope) / &twice, (-root - slope) / twice]
    };
    Some(FixedPoints::Rational(roots.into_iter().map(|root| root + ends[0]).collect()))
}

/// Solves the stage game in which a repetition has this value.
fn solve_at(stage: &mut ExactStage<'_>, repetition: &RBig) -> Option<ExactEquilibrium> {
    stage.set_repetition(repetition);
    let bounds = |row, column| stage.bounds(row, column);
    let approximate = Matrix::of_middles(stage.size(), bounds(0, 0).lower, bounds);
    exact::solve(stage, Simplex::new().find(&approximate, &mut unwatched).basis, EXACT_PIVOTS).ok()
}

/// As [`solve_at`], if this basis is optimal.
fn solve_on(
    stage: &mut ExactStage<'_>,
    repetition: &RBig,
    basis: &Basis,
) -> Option<ExactEquilibrium> {
    stage.set_repetition(repetition);
    exact::solve(stage, basis, 1).ok()
}

fn value_of(found: &ExactEquilibrium) -> RBig {
    found.value.clone().canonicalize()
}

fn waits(strategy: &ExactStrategy) -> RBig {
    strategy
        .probabilities()
        .find(|(bid, _)| *bid == 0)
        .map_or(RBig::ZERO, |(_, probability)| probability)
}

fn square_root(square: &RBig) -> Option<RBig> {
    if *square < RBig::ZERO {
        return None;
    }
    // In lowest terms, so that both terms must be squares.
    let root = |term: UBig| Some(term.sqrt()).filter(|root| root * root == term);
    let numerator = root(square.numerator().clone().abs().try_into().ok()?)?;
    Some(RBig::from_parts(IBig::from(numerator), root(square.denominator().clone())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_squares_have_roots() {
        for (square, expected) in [
            ((9, 4_u32), Some((3, 2_u32))),
            ((0, 1), Some((0, 1))),
            ((3, 5), None),
            ((12, 5), None),
            ((-4, 9), None),
        ] {
            let fraction = |(numerator, denominator): (i32, u32)| {
                RBig::from_parts(numerator.into(), denominator.into())
            };
            assert_eq!(square_root(&fraction(square)), expected.map(fraction), "{square:?}");
        }
    }
}
