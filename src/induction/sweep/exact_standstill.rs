//! The exact value of a state that two bids of 0 repeat, where it is a fraction.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::bounds::Bounds;
use crate::induction::tables::{ExactStage, rational};
use crate::matrix_game::exact::{ExactEquilibrium, ExactPayoffs, ExactSolution, big_rational};

/// The stage game in fractions; what two bids of 0 lead to is entered again and again.
struct Repeated {
    rows: Vec<Vec<BigRational>>,
    endless: BigRational,
}

/// Solves a state whose value lies within these bounds, if all that follows is known exactly, and its value is that of endless
/// play or one in which a repetition does not count.
///
/// A value in which it does solves a quadratic equation, and is hardly ever a fraction.
pub(super) fn solve(stage: &ExactStage<'_>, Bounds { lower, upper }: Bounds) -> Option<ExactEquilibrium> {
    let entry = |row, column| {
        if row + column == 0 { Some(BigRational::zero()) } else { stage.exact(row, column).map(big_rational) }
    };
    let row = |row| (0..stage.columns()).map(|column| entry(row, column)).collect();
    let rows = (0..stage.rows()).map(row).collect::<Option<_>>()?;
    let lying = stage.rules.scoring().payoff(stage.rules.end_at(stage.state.ball.position()));
    let mut game = Repeated { rows, endless: big_rational(&rational(lying)) };
    let at_endless = game.solve(&game.endless.clone())?;
    if *at_endless.value() == game.endless {
        return game.proved(&at_endless, &at_endless);
    }
    // Where a repetition does not count, the value is the same for any worth of it nearby, also for one that is a little worse
    // than the value for who gets more than endless play: then waiting, which may be as good as leaving for the value itself, is
    // not.
    let more = *at_endless.value() > game.endless;
    let worse = BigRational::new(if more { lower - 1 } else { upper + 1 }.into(), BigInt::one() << stage.exponent);
    let leaving = game.solve(&worse)?;
    let at_value = game.solve(leaving.value())?;
    if more { game.proved(&leaving, &at_value) } else { game.proved(&at_value, &leaving) }
}

impl Repeated {
    /// The solution for a repetition worth `t`.
    fn solve(&mut self, t: &BigRational) -> Option<ExactSolution> {
        self.rows[0][0] = t.clone();
        ExactSolution::new(&self.rows).ok()
    }

    /// The equilibrium of A's strategy in one solution and B's in another, if they have the same value and prove it by what they
    /// secure.
    fn proved(&self, of_a: &ExactSolution, of_b: &ExactSolution) -> Option<ExactEquilibrium> {
        let value = of_a.value();
        let (row, column): (Vec<_>, Vec<_>) = (of_a.row_strategy().collect(), of_b.column_strategy().collect());
        let columns: Vec<Vec<BigRational>> =
            (0..column.len()).map(|place| self.rows.iter().map(|row| row[place].clone()).collect()).collect();
        let proved = value == of_b.value()
            && self.replies(&row, &self.rows).all(|worth| worth >= *value)
            && self.replies(&column, &columns).all(|worth| worth <= *value);
        proved.then(|| ExactEquilibrium { column: of_b.equilibrium().column.clone(), ..of_a.equilibrium().clone() })
    }

    /// The worth to A of every reply to a strategy that is kept to until the state is left, by its rows.
    fn replies<'r>(
        &'r self,
        strategy: &'r [&BigRational],
        rows: &'r [Vec<BigRational>],
    ) -> impl Iterator<Item = BigRational> + 'r {
        let worth = move |reply: usize, skipped: usize| {
            let terms = strategy.iter().zip(rows).skip(skipped);
            terms.map(|(share, row)| *share * &row[reply]).sum::<BigRational>()
        };
        (0..rows[0].len()).map(move |reply| match BigRational::one() - strategy[0] {
            _ if reply > 0 => worth(reply, 0),
            leaves if leaves.is_zero() => self.endless.clone(),
            leaves => worth(0, 1) / leaves,
        })
    }
}
