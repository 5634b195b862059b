//! Where training games start.

use super::chance::Chance;
use super::court::Court;
use super::options::LearnerOptions;

/// Full accounts and the ball on the net, or a state from the middle of the game.
#[derive(Clone, Debug)]
pub(super) struct Starts {
    full: (u32, u32, usize),
    share: f64,
    lowest: u32,
    places: u32,
    /// For both accounts, rising: the running sum of their weights. Empty when all games start with full accounts.
    sums: Vec<u32>,
    width: u32,
}

impl Starts {
    pub(super) fn new(court: &Court, options: &LearnerOptions) -> Self {
        let points = court.points;
        // The article's 10 to 40 of 50 points.
        let (lowest, highest) = (points.div_ceil(5), 4 * points / 5);
        let (lowest, highest) = (lowest, highest.max(lowest));
        let mut sums = Vec::new();
        if options.middle > 0.0 {
            let mut sum = 0;
            for a in lowest..=highest {
                for b in lowest..=highest {
                    // Integers in proportion to 1 / (1 + difference), the least of which is not 0 for any account that fits into memory.
                    sum += if options.close { 1000 / (1 + a.abs_diff(b)) + 1 } else { 1 };
                    sums.push(sum);
                }
            }
        }
        Self {
            full: (points, points, court.net()),
            share: options.middle,
            lowest,
            places: court.places() as u32,
            sums,
            width: highest - lowest + 1,
        }
    }

    /// The accounts of A and B and the place of the ball.
    #[inline]
    pub(super) fn draw(&self, chance: &mut Chance) -> (u32, u32, usize) {
        if self.sums.is_empty() || chance.share() >= self.share {
            return self.full;
        }
        let ticket = chance.below(self.sums[self.sums.len() - 1]);
        let pair = self.sums.partition_point(|&sum| sum <= ticket) as u32;
        let place = chance.below(self.places) as usize;
        (self.lowest + pair / self.width, self.lowest + pair % self.width, place)
    }
}
