//! Training games that begin in the middle of the game.

use super::counted_rng::CountedRng;
use super::options::LearnerOptions;
use crate::game::{Ball, State, StateSpace};

/// The distribution of training starts in the middle of the game.
#[derive(Clone, Debug)]
pub(super) struct Starts {
    share: f64,
    lowest: u32,
    field: i32,
    /// The cumulative weights of all pairs of accounts, in order. Empty when all games start with
    /// full accounts.
    sums: Vec<u32>,
    width: u32,
}

impl Starts {
    pub(super) fn new(space: StateSpace, options: &LearnerOptions) -> Self {
        let [points, _] = space.points();
        // The article's 10 to 40 of 50 points.
        let (lowest, highest) = (points.div_ceil(5), 4 * points / 5);
        let (lowest, highest) = (lowest, highest.max(lowest));
        let mut sums = Vec::new();
        if options.middle > 0.0 {
            let mut sum = 0;
            for a in lowest..=highest {
                for b in lowest..=highest {
                    // Integers in proportion to 1 / (1 + difference), within a thousandth; with 200
                    // points their sum has 30 bits.
                    sum += if options.close { 1_000_000 / (1 + a.abs_diff(b)) } else { 1 };
                    sums.push(sum);
                }
            }
        }
        Self {
            share: options.middle,
            lowest,
            field: space.field(),
            sums,
            width: highest - lowest + 1,
        }
    }

    /// A state from the middle of the game; `None` for a game that starts with full accounts.
    #[inline]
    pub(super) fn draw(&self, rng: &mut CountedRng) -> Option<State> {
        if self.sums.is_empty() || rng.share() >= self.share {
            return None;
        }
        let ticket = rng.below(self.sums[self.sums.len() - 1]);
        let pair = self.sums.partition_point(|&sum| sum <= ticket) as u32;
        let ball = rng.below(2 * self.field as u32 + 1) as i32 - self.field;
        Some(State::new(
            self.lowest + pair / self.width,
            self.lowest + pair % self.width,
            Ball::at(ball),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::Starts;
    use crate::agents::LearnerOptions;
    use crate::agents::counted_rng::CountedRng;
    use crate::game::{Rules, StateSpace};

    /// Of 60,000 starts with 50 points, the number in the middle of the game, and the number with
    /// equal accounts among these.
    fn counts(options: &LearnerOptions) -> (f64, f64) {
        let starts = Starts::new(StateSpace::new(&Rules::tennis(), [50, 50]), options);
        let mut rng = CountedRng::resumed(1, 0);
        let (mut middle, mut equal) = (0.0, 0.0);
        for _ in 0..60_000 {
            let Some(state) = starts.draw(&mut rng) else { continue };
            let inside = (-2..=2).contains(&state.ball.position());
            assert!(
                (10..=40).contains(&state.a) && (10..=40).contains(&state.b) && inside,
                "{state}"
            );
            middle += 1.0;
            equal += f64::from(u32::from(state.a == state.b));
        }
        (middle, equal)
    }

    #[test]
    fn the_middle_is_ten_to_forty_of_fifty() {
        let usual = LearnerOptions::default();
        assert_eq!(counts(&usual), (0.0, 0.0));
        // Four standard errors of 60,000 trials of an even chance, and of 30,000 trials of a chance
        // of 1 in 31.
        let (middle, equal) = counts(&LearnerOptions { middle: 0.5, ..usual });
        assert!(
            (middle - 30_000.0).abs() < 4.0 * 122.5 && (equal - 30_000.0 / 31.0).abs() < 4.0 * 30.6,
            "{middle}, {equal}"
        );
        // 31 pairs of weight 1, and 2 · (31 − d) pairs of weight 1 / (1 + d) for every difference
        // d.
        let all: f64 = 31.0
            + (1..=30).map(|d| 2.0 * (31.0 - f64::from(d)) / (1.0 + f64::from(d))).sum::<f64>();
        let share = 31.0 / all;
        let (middle, equal) = counts(&LearnerOptions { middle: 1.0, close: true, ..usual });
        assert_eq!(middle, 60_000.0);
        assert!(
            (equal / middle - share).abs() < 4.0 * (share * (1.0 - share) / 60_000.0).sqrt(),
            "{equal}"
        );
    }
}
