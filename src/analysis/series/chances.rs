//! Winning probabilities at every score of a match.

use num_traits::Zero;

use super::Score;
use crate::bounds::{Bounds, Enclosure, FixedPoint, Side};
use crate::error::{Error, SeriesError};
use crate::game::{GameError, Outcome, Payoff, Rules, Scoring};

pub(super) const EXPONENT: u32 = 60;

pub(super) const HALF: i64 = 1 << (EXPONENT - 1);

/// Bounds of A's winning probability at every score, when both players play optimally or one plays
/// a best response.
#[derive(Clone, Debug)]
pub(super) struct SeriesChances {
    pub(super) rules: Rules,
    pub(super) points: [u32; 2],
    pub(super) to: u32,
    /// The bounds, less one half, at the known scores.
    known: Vec<Option<Bounds>>,
}

impl SeriesChances {
    pub(super) fn new(rules: &Rules, points: [u32; 2], to: u32) -> Self {
        Self { rules: *rules, points, to, known: vec![None; 2 * (to * to) as usize] }
    }

    pub(super) const fn alternates(&self) -> bool {
        self.points[0] != self.points[1]
    }

    pub(super) const fn exchange(&self) -> Exchange {
        if self.alternates() { Exchange::Alternates } else { Exchange::ChangesNothing }
    }

    /// The index of an undecided score. With even accounts their exchange makes no difference.
    pub(super) fn index(&self, score: Score) -> usize {
        let exchanged = usize::from(score.exchanged && self.alternates());
        (score.a as usize * self.to as usize + score.b as usize) * 2 + exchanged
    }

    pub(super) fn set(&mut self, score: Score, bounds: Bounds) {
        let index = self.index(score);
        self.known[index] = Some(bounds);
    }

    pub(super) fn bounds(&self, score: Score) -> Option<Bounds> {
        if score.a >= self.to {
            return Some(Bounds::new(HALF, HALF));
        }
        if score.b >= self.to {
            return Some(Bounds::new(-HALF, -HALF));
        }
        self.known[self.index(score)]
    }

    /// Bounds of A's winning probability. O(1).
    ///
    /// # Errors
    /// [`SeriesError::Outside`] for a decided score.
    pub(super) fn enclosure(&self, score: Score) -> Result<Enclosure, Error> {
        self.check(score)?;
        let Bounds { lower, upper } = self.bounds(score).ok_or_else(|| self.outside(score))?;
        Ok(Enclosure::proved(Bounds::new(lower + HALF, upper + HALF), EXPONENT))
    }

    pub(super) fn check(&self, score: Score) -> Result<(), Error> {
        if score.a < self.to && score.b < self.to { Ok(()) } else { Err(self.outside(score)) }
    }

    pub(super) fn outside(&self, score: Score) -> Error {
        Error::Series(SeriesError::Outside { score: score.to_string(), to: self.to })
    }

    pub(super) fn share(&self) -> f64 {
        let of_scores = self.to * self.to * if self.alternates() { 2 } else { 1 };
        self.known.iter().flatten().count() as f64 / f64::from(of_scores)
    }

    /// The scores with the accounts as given, in backward order: every game raises the total or
    /// repeats the score. Of equal totals those with more points of A come first.
    pub(super) fn backward(&self) -> impl Iterator<Item = Score> + use<> {
        let last = self.to - 1;
        (0..=2 * last).rev().flat_map(move |total| {
            (total.saturating_sub(last)..=total.min(last)).map(move |b| Score::new(total - b, b))
        })
    }

    pub(super) const fn points_at(&self, score: Score) -> [u32; 2] {
        let [a, b] = self.points;
        if score.exchanged { [b, a] } else { [a, b] }
    }

    /// The rules of the next game: a repetition of the score pays `repeated`, other ends the `pick`
    /// of their bounds. Lower bounds of the payoffs give a lower bound of the value.
    pub(super) fn game(
        &self,
        score: Score,
        pick: impl Fn(Bounds) -> i64,
        repeated: i64,
    ) -> Result<Rules, GameError> {
        let payoffs = self.successor_bounds(score).map(|next| next.map_or(repeated, &pick));
        Ok(self.rules.with_scoring(Scoring::new(|outcome| {
            Payoff::new(payoffs[outcome.index()], 1 << EXPONENT)
        })?))
    }

    /// The width to aim at: twice the widest bounds that an end of the next game leads to.
    pub(super) fn close(&self, score: Score) -> i64 {
        let widths = self
            .successor_bounds(score)
            .into_iter()
            .flatten()
            .map(|bounds| bounds.upper - bounds.lower);
        2 * widths.max().unwrap_or(0)
    }

    /// The bounds after every end; `None` where the score is repeated.
    fn successor_bounds(&self, score: Score) -> [Option<Bounds>; 5] {
        Outcome::EACH.map(|outcome| {
            let won = self.rules.scoring().payoff(outcome);
            if won.is_zero() {
                return None;
            }
            // Surplus points count as exactly enough.
            let points = won.to_integer().unsigned_abs().min(u64::from(self.to)) as u32;
            let next = score.exchanged();
            let next = if won > Payoff::zero() {
                Score { a: next.a + points, ..next }
            } else {
                Score { b: next.b + points, ..next }
            };
            // Later scores have been solved; an unknown one gets the trivial bounds.
            Some(self.bounds(next).unwrap_or(Bounds::new(-HALF, HALF)))
        })
    }
}

/// What exchanging the accounts does to a score.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Exchange {
    /// Nothing: the accounts are even.
    ChangesNothing,
    /// Every game exchanges the accounts, which are uneven.
    Alternates,
    /// As [`Self::Alternates`], at a score whose mirror image has the accounts exchanged.
    Mirrors,
}

/// Bounds of the winning probability at a score, less one half, with the accounts as given and
/// exchanged, as `close` as evaluations allow. `value` gives the lower or the upper bound of the
/// next game for a value of its repetition. A match that never ends counts as half a win for both.
pub(super) fn fixed_point<E>(
    score: Score,
    exchange: Exchange,
    close: i64,
    mut value: impl FnMut(Score, i64, Side) -> Result<i64, E>,
) -> Result<[Bounds; 2], E> {
    let exchanged = score.exchanged();
    let mut point =
        FixedPoint::new(Bounds::new(-HALF, HALF), Bounds::default(), |repeated, side| {
            // A repetition also exchanges alternating accounts.
            let inner = match exchange {
                Exchange::ChangesNothing => repeated,
                Exchange::Alternates | Exchange::Mirrors => value(exchanged, repeated, side)?,
            };
            value(score, inner, side)
        });
    point.narrow(close)?;
    let bounds = point.bounds;
    Ok(match exchange {
        Exchange::ChangesNothing => [bounds; 2],
        Exchange::Mirrors => [bounds, bounds.mirrored()],
        Exchange::Alternates => [
            bounds,
            Bounds::new(
                value(exchanged, bounds.lower, Side::Lower)?,
                value(exchanged, bounds.upper, Side::Upper)?,
            ),
        ],
    })
}

pub(super) fn in_units(enclosure: Enclosure, side: Side) -> i64 {
    // Payoffs are at most one half, so that the game's unit is finer.
    let shift = (enclosure.unit_exponent() - EXPONENT).min(i128::BITS - 1);
    let bound = side.bound(enclosure.integers());
    side.rounding().shift(i128::from(bound), shift as usize) as i64
}

pub(super) const fn middle(Bounds { lower, upper }: Bounds) -> i64 {
    i64::midpoint(lower, upper)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_a_game_are_rounded_outward() {
        for number in -40_i64..=40 {
            let bounds = Bounds::new(number, number + 100);
            let eighths = |side: Side| {
                8 * in_units(Enclosure::proved(bounds, EXPONENT + 3), side) - side.bound(bounds)
            };
            assert!(
                (-7..=0).contains(&eighths(Side::Lower)) && (0..=7).contains(&eighths(Side::Upper)),
                "{number}/8"
            );
        }
    }

    #[test]
    fn a_unit_that_is_far_too_fine_leaves_the_sign() {
        let enclosure = |number| Enclosure::proved(Bounds::new(number, number), EXPONENT + 500);
        assert_eq!(Side::BOTH.map(|side| in_units(enclosure(i64::MAX), side)), [0, 1]);
        assert_eq!(Side::BOTH.map(|side| in_units(enclosure(i64::MIN), side)), [-1, 0]);
    }
}
