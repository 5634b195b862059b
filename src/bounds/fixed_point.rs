//! The fixed point of a game that may repeat itself.

use super::Bounds;

/// The value of a game in which some ends repeat it, as a fixed point between proved bounds.
///
/// `f(t)` is the value when a repetition has the value `t`: it never decreases, and grows no faster than `t`. A game that is
/// repeated for ever has the value `e`. Then
///
/// * `f(t) ≥ t` with `t ≤ e`, or `f(t) > t`, proves that the value is at least `t`;
/// * the value `v` satisfies `v = f(v)`, so that `t ≤ v` proves `f(t) ≤ v`.
///
/// Both hold for upper bounds with all signs turned. (`docs/theory.md` has the proofs.) The fixed points are an interval, and the
/// value is `e` clamped to it.
pub(crate) struct FixedPoint<F> {
    /// Proved bounds of `f(t)`: asked for the lower one with `false`, for the upper one with `true`.
    evaluate: F,
    /// The integers next to what endless repetition is worth.
    endless: Bounds,
    /// Proved bounds of the fixed point.
    pub(crate) bounds: Bounds,
}

/// More rounds than bits in the bounds: each at least halves the distance or is the last.
const MOST_ROUNDS: usize = 70;

/// A step that leaves less than one part in this many is followed by another; otherwise halving is faster.
const RARE: i64 = 16;

/// An evaluation misses by a few units, which is all that can be asked for.
const CLOSE: i64 = 16;

impl<E, F: FnMut(i64, bool) -> Result<i64, E>> FixedPoint<F> {
    /// Nothing is known but that the value is within `bounds`, as endless repetition is, which is worth a number within
    /// `endless`.
    pub(crate) const fn new(bounds: Bounds, endless: Bounds, evaluate: F) -> Self {
        Self { evaluate, endless, bounds }
    }

    /// Narrows the bounds until they are `close` units apart, or as close as evaluations allow.
    pub(crate) fn narrow(&mut self, close: i64) -> Result<(), E> {
        let close = close.max(CLOSE);
        // The bound that is known first, on the side of endless repetition where the value lies.
        let endless = self.endless;
        let raised = self.raise(endless.lower)?;
        let lowered = (!raised || self.bounds.lower == endless.lower) && self.lower(endless.upper)?;
        if !raised && !lowered {
            return self.surround(endless.lower);
        }
        let first = lowered;
        for _ in 0..MOST_ROUNDS {
            let distance = self.distance();
            if distance <= close {
                return Ok(());
            }
            // Repetition is rare in large games: then a step of the iteration gains nearly all there is to gain, and the value is
            // next to it.
            let gained = self.follow(first)?;
            let bound = self.bounds.side(first);
            let found = gained < distance / RARE && if first { self.raise(bound - close)? } else { self.lower(bound + close)? };
            if !found {
                self.follow(!first)?;
            }
            if self.distance() < distance / RARE {
                continue;
            }
            let Bounds { lower: below, upper: above } = self.bounds;
            let middle = below + (above - below) / 2;
            if !self.raise(middle)? && !self.lower(middle)? {
                return self.surround(middle);
            }
        }
        Ok(())
    }

    fn distance(&self) -> i64 {
        self.bounds.upper - self.bounds.lower
    }

    /// One step of the iteration: what holds for the value holds for `f` of the bound.
    ///
    /// Returns how much it gained.
    fn follow(&mut self, upper: bool) -> Result<i64, E> {
        let bound = self.bounds.side(upper);
        let next = (self.evaluate)(bound, upper)?;
        let next = if upper { next.min(bound) } else { next.max(bound) };
        *if upper { &mut self.bounds.upper } else { &mut self.bounds.lower } = next;
        Ok((next - bound).abs())
    }

    /// Whether `t` is proved to be a lower bound; it becomes one then.
    fn raise(&mut self, t: i64) -> Result<bool, E> {
        let value = (self.evaluate)(t, false)?;
        let proved = value > t || (value == t && t <= self.endless.lower);
        if proved {
            self.bounds.lower = self.bounds.lower.max(value);
        }
        Ok(proved)
    }

    /// Whether `t` is proved to be an upper bound; it becomes one then.
    fn lower(&mut self, t: i64) -> Result<bool, E> {
        let value = (self.evaluate)(t, true)?;
        let proved = value < t || (value == t && t >= self.endless.upper);
        if proved {
            self.bounds.upper = self.bounds.upper.min(value);
        }
        Ok(proved)
    }

    /// `middle` is a fixed point as far as evaluations can tell: bounds as near to it as can be proved.
    fn surround(&mut self, middle: i64) -> Result<(), E> {
        for upper in [false, true] {
            let mut distance = CLOSE;
            loop {
                let Bounds { lower: below, upper: above } = self.bounds;
                let outside = if upper { middle + distance >= above } else { middle - distance <= below };
                if outside || if upper { self.lower(middle + distance)? } else { self.raise(middle - distance)? } {
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

    /// The bounds for a function on units that is known within `tolerance`.
    fn bounds(f: impl Fn(f64) -> f64, tolerance: f64) -> Bounds {
        let evaluate = |t: i64, upper: bool| {
            let value = f(t as f64);
            Ok::<_, ()>(if upper { (value + tolerance).ceil() as i64 } else { (value - tolerance).floor() as i64 })
        };
        let mut point = FixedPoint::new(Bounds::new(-1 << 50, 1 << 50), Bounds::default(), evaluate);
        point.narrow(0).unwrap();
        point.bounds
    }

    fn assert_around(value: f64, within: f64, Bounds { lower, upper }: Bounds) {
        assert!(lower as f64 <= value && value <= upper as f64, "{value} is not in {lower}..={upper}");
        assert!((upper - lower) as f64 <= within, "{lower}..={upper} is wide");
    }

    #[test]
    fn contractions_are_narrowed_to_their_rounding() {
        for slope in [0.0, 1e-9, 0.3, 0.9, 0.999] {
            for value in [-7e13, -12_345.0, 3.0, 8e14] {
                let tolerance = 1.0;
                assert_around(value, 40.0 + 20.0 * tolerance / (1.0 - slope), bounds(|t| value + slope * (t - value), tolerance));
            }
        }
    }

    /// Of the identity every number is a fixed point. A repetition for ever is worth e, so that a number below e is proved to be
    /// a lower bound only, and one above e an upper bound only; where e is known within bounds, neither is proved between them.
    #[test]
    fn of_the_identity_a_repetition_for_ever_decides() {
        for endless in [Bounds::new(-7, -7), Bounds::new(0, 0), Bounds::new(12, 12), Bounds::new(-3, 4)] {
            let Bounds { lower, upper } = endless;
            let identity = || FixedPoint::new(Bounds::new(-100, 100), endless, |t, _| Ok::<_, ()>(t));
            for t in [lower - 5, lower, lower + 1, upper - 1, upper, upper + 5] {
                let (raised, lowered) = (t <= lower, t >= upper);
                let mut point = identity();
                assert_eq!((point.raise(t).unwrap(), point.lower(t).unwrap()), (raised, lowered), "{t} beside {endless:?}");
                let expected = Bounds::new(if raised { t } else { -100 }, if lowered { t } else { 100 });
                assert_eq!(point.bounds, expected, "{t} beside {endless:?}");
            }
            let mut point = identity();
            point.narrow(0).unwrap();
            assert_eq!(point.bounds, endless);
        }
    }

    /// An evaluation that is rounded far outward proves nothing, and takes nothing back.
    #[test]
    fn what_an_evaluation_loses_is_not_lost() {
        let mut point =
            FixedPoint::new(Bounds::new(-9, 9), Bounds::new(0, 0), |t, upper| Ok::<_, ()>(if upper { t + 3 } else { t - 3 }));
        for upper in [false, true] {
            assert_eq!((point.follow(upper), point.bounds), (Ok(0), Bounds::new(-9, 9)));
        }
    }

    /// Where play is worth what a repetition for ever is, neither is proved to be more; a few evaluations next to it are enough.
    #[test]
    fn bounds_around_a_repetition_for_ever_are_found_at_once() {
        let mut evaluations = 0;
        let mut point = FixedPoint::new(Bounds::new(-1 << 50, 1 << 50), Bounds::default(), |t: i64, upper| {
            evaluations += 1;
            Ok::<_, ()>(t / 2 + if upper { 1 } else { -1 })
        });
        point.narrow(0).unwrap();
        assert_around(0.0, 64.0, point.bounds);
        assert!(evaluations <= 4, "{evaluations}");
    }

    /// A bound that is proved once is not given up for one that is proved later and is worse.
    #[test]
    fn bounds_only_become_narrower() {
        let mut point = FixedPoint::new(Bounds::new(-100, 100), Bounds::new(0, 0), |t: i64, _| Ok::<_, ()>(t / 2));
        for (t, expected) in
            [(-8, Bounds::new(-4, 100)), (-60, Bounds::new(-4, 100)), (8, Bounds::new(-4, 4)), (60, Bounds::new(-4, 4))]
        {
            point.raise(t).unwrap();
            point.lower(t).unwrap();
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
