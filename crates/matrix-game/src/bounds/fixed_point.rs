//! Values that are fixed points: of games in which some ends repeat them.

use super::{Bounds, Side};

/// Proved bounds of the value of a game in which some ends repeat it.
///
/// `f(t)`, the value if a repetition has value `t`, is nondecreasing and 1-Lipschitz; endless
/// repetition pays `e`. Then
///
/// * `f(t) ≥ t` with `t ≤ e`, or `f(t) > t`, proves that the value is at least `t`;
/// * `t ≤ v` proves `f(t) ≤ v`, since the value `v` satisfies `v = f(v)`.
///
/// Upper bounds are symmetric (proofs: `paper/proofs.md`). The fixed points are an interval, and
/// the value is `e` clamped to it.
pub struct FixedPoint<F> {
    /// Computes a proved bound of `f(t)` on a side.
    evaluate: F,
    /// The integers next to `e`.
    endless: Bounds,
    pub bounds: Bounds,
}

/// The number of bits: every round but the last at least halves the distance.
const MOST_ROUNDS: usize = 70;

/// A step that leaves less than this share is repeated; otherwise halving is faster.
const RARE: i64 = 16;

/// The error of evaluations, in units.
const CLOSE: i64 = 16;

impl<E, F: FnMut(i64, Side) -> Result<i64, E>> FixedPoint<F> {
    pub const fn new(bounds: Bounds, endless: Bounds, evaluate: F) -> Self {
        Self { evaluate, endless, bounds }
    }

    /// Narrows the bounds to a width of `close` units, or as far as evaluations allow.
    pub fn narrow(&mut self, close: i64) -> Result<(), E> {
        let close = close.max(CLOSE);
        // The bound on the side of endless repetition where the value lies is known first.
        let endless = self.endless;
        let raised = self.prove(endless.lower, Side::Lower)?;
        let lowered = (!raised || self.bounds.lower == endless.lower)
            && self.prove(endless.upper, Side::Upper)?;
        if !raised && !lowered {
            return self.surround(endless.lower);
        }
        let first = if lowered { Side::Upper } else { Side::Lower };
        for _ in 0..MOST_ROUNDS {
            let distance = self.bounds.width();
            if distance <= close {
                return Ok(());
            }
            // Repetition is rare in large games: then a step of the iteration gains nearly
            // everything, and the value is next to it.
            let gained = self.follow(first)?;
            let bound = first.bound(self.bounds);
            let beyond = match first {
                Side::Lower => bound + close,
                Side::Upper => bound - close,
            };
            let found = gained < distance / RARE && self.prove(beyond, first.other())?;
            if !found {
                self.follow(first.other())?;
            }
            if self.bounds.width() < distance / RARE {
                continue;
            }
            let Bounds { lower: below, upper: above } = self.bounds;
            let middle = below + (above - below) / 2;
            if !self.prove(middle, Side::Lower)? && !self.prove(middle, Side::Upper)? {
                return self.surround(middle);
            }
        }
        Ok(())
    }

    /// Replaces a bound by its `f`; returns the gain.
    fn follow(&mut self, side: Side) -> Result<i64, E> {
        let bound = side.bound(self.bounds);
        let next = (self.evaluate)(bound, side)?;
        self.narrow_to(next, side);
        Ok((side.bound(self.bounds) - bound).abs())
    }

    /// Raises the lower bound, or lowers the upper one, to `f(t)`, if that proves one; tells
    /// whether it does.
    fn prove(&mut self, t: i64, side: Side) -> Result<bool, E> {
        let value = (self.evaluate)(t, side)?;
        let proved = match side {
            Side::Lower => value > t || (value == t && t <= self.endless.lower),
            Side::Upper => value < t || (value == t && t >= self.endless.upper),
        };
        if proved {
            self.narrow_to(value, side);
        }
        Ok(proved)
    }

    fn narrow_to(&mut self, value: i64, side: Side) {
        let bound = side.bound_mut(&mut self.bounds);
        if side.is_closer(&value, bound) {
            *bound = value;
        }
    }

    /// Proves bounds next to `middle`, an approximate fixed point.
    fn surround(&mut self, middle: i64) -> Result<(), E> {
        for side in Side::BOTH {
            let mut distance = CLOSE;
            loop {
                let t = match side {
                    Side::Lower => middle - distance,
                    Side::Upper => middle + distance,
                };
                let is_closer = side.is_closer(&t, &side.bound(self.bounds));
                if !is_closer || self.prove(t, side)? {
                    break;
                }
                distance *= 4;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(f: impl Fn(f64) -> f64, tolerance: f64) -> Bounds {
        let evaluate = |t: i64, side: Side| {
            let value = f(t as f64);
            Ok::<_, ()>(match side {
                Side::Lower => (value - tolerance).floor() as i64,
                Side::Upper => (value + tolerance).ceil() as i64,
            })
        };
        let mut point =
            FixedPoint::new(Bounds::new(-1 << 50, 1 << 50), Bounds::default(), evaluate);
        point.narrow(0).unwrap();
        point.bounds
    }

    fn assert_around(value: f64, within: f64, bounds: Bounds) {
        let Bounds { lower, upper } = bounds;
        assert!(
            lower as f64 <= value && value <= upper as f64,
            "{value} is not in {lower}..={upper}"
        );
        assert!((upper - lower) as f64 <= within, "{lower}..={upper} is wide");
    }

    #[test]
    fn contractions_are_narrowed_to_their_rounding() {
        for slope in [0.0, 1e-9, 0.3, 0.9, 0.999] {
            for value in [-7e13, -12_345.0, 3.0, 8e14] {
                let tolerance = 1.0;
                assert_around(
                    value,
                    40.0 + 20.0 * tolerance / (1.0 - slope),
                    bounds(|t| value + slope * (t - value), tolerance),
                );
            }
        }
    }

    /// Every number is a fixed point: `e` decides, and within its bounds nothing is proved.
    #[test]
    fn of_the_identity_a_repetition_for_ever_decides() {
        for endless in
            [Bounds::new(-7, -7), Bounds::new(0, 0), Bounds::new(12, 12), Bounds::new(-3, 4)]
        {
            let Bounds { lower, upper } = endless;
            let identity =
                || FixedPoint::new(Bounds::new(-100, 100), endless, |t, _| Ok::<_, ()>(t));
            for t in [lower - 5, lower, lower + 1, upper - 1, upper, upper + 5] {
                let (raised, lowered) = (t <= lower, t >= upper);
                let mut point = identity();
                assert_eq!(
                    (point.prove(t, Side::Lower).unwrap(), point.prove(t, Side::Upper).unwrap()),
                    (raised, lowered),
                    "{t} beside {endless:?}"
                );
                let expected =
                    Bounds::new(if raised { t } else { -100 }, if lowered { t } else { 100 });
                assert_eq!(point.bounds, expected, "{t} beside {endless:?}");
            }
            let mut point = identity();
            point.narrow(0).unwrap();
            assert_eq!(point.bounds, endless);
        }
    }

    #[test]
    fn what_an_evaluation_loses_is_not_lost() {
        let mut point = FixedPoint::new(Bounds::new(-9, 9), Bounds::new(0, 0), |t, side| {
            Ok::<_, ()>(if side == Side::Upper { t + 3 } else { t - 3 })
        });
        for side in Side::BOTH {
            assert_eq!((point.follow(side), point.bounds), (Ok(0), Bounds::new(-9, 9)));
        }
    }

    #[test]
    fn bounds_around_a_repetition_for_ever_are_found_at_once() {
        let mut evaluations = 0;
        let mut point =
            FixedPoint::new(Bounds::new(-1 << 50, 1 << 50), Bounds::default(), |t: i64, side| {
                evaluations += 1;
                Ok::<_, ()>(t / 2 + if side == Side::Upper { 1 } else { -1 })
            });
        point.narrow(0).unwrap();
        assert_around(0.0, 64.0, point.bounds);
        assert!(evaluations <= 4, "{evaluations}");
    }

    #[test]
    fn bounds_only_become_narrower() {
        let mut point = FixedPoint::new(Bounds::new(-100, 100), Bounds::new(0, 0), |t: i64, _| {
            Ok::<_, ()>(t / 2)
        });
        for (t, expected) in [
            (-8, Bounds::new(-4, 100)),
            (-60, Bounds::new(-4, 100)),
            (8, Bounds::new(-4, 4)),
            (60, Bounds::new(-4, 4)),
        ] {
            point.prove(t, Side::Lower).unwrap();
            point.prove(t, Side::Upper).unwrap();
            assert_eq!(point.bounds, expected, "{t}");
        }
    }

    #[test]
    fn of_many_fixed_points_the_one_nearest_to_0_counts() {
        for (from, to, nearest) in [(-5e9, 7e9, 0.0), (4e9, 7e9, 4e9), (-5e9, -3e9, -3e9)] {
            assert_around(nearest, 64.0, bounds(|t| t.clamp(from, to), 0.0));
        }
    }
}
