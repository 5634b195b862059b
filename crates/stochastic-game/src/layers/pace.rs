//! The pace of the work, by which layers are cut into pieces.

/// The approximate interval between reports of long work.
const REPORT_SECONDS: f64 = 0.5;

/// The batches of the first piece, before any measurement.
const FIRST_BATCHES: usize = 64;

/// A piece has at most this many times the work of the largest before it, so that items that are
/// slower than the measured ones delay a report no longer than this.
const GROWTH: f64 = 8.0;

pub(super) struct Pace {
    seconds_a_unit: f64,
    /// The work of the largest piece.
    largest: f64,
}

impl Pace {
    /// The pace before any measurement.
    pub(super) const fn new(seconds_a_unit: f64) -> Self {
        Self { seconds_a_unit, largest: 0.0 }
    }

    /// The number of items, given by their work, that make the next piece: whole batches, unless
    /// none is left.
    pub(super) fn cut(&self, works: &[f64], a_batch: usize) -> usize {
        let (mut count, mut work) = (0, 0.0);
        for batch in works.chunks(a_batch) {
            let next = work + batch.iter().sum::<f64>();
            let is_long = next * self.seconds_a_unit > REPORT_SECONDS;
            let is_unlike = next > GROWTH * self.largest && count >= FIRST_BATCHES * a_batch;
            if count > 0 && (is_long || is_unlike) {
                break;
            }
            work = next;
            count += batch.len();
        }
        count
    }

    pub(super) const fn expected(&self, work: f64) -> f64 {
        work * self.seconds_a_unit
    }

    pub(super) const fn measure(&mut self, work: f64, seconds: f64) {
        self.seconds_a_unit = seconds / work.max(f64::MIN_POSITIVE);
        self.largest = self.largest.max(work);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_takes_about_as_long_as_the_interval_between_reports() {
        let mut pace = Pace::new(1e-9);
        let works = vec![1.0; 100_000];
        assert_eq!(pace.cut(&works, 4), FIRST_BATCHES * 4, "nothing is measured");
        pace.measure(256.0, 256.0 * 1e-3);
        assert_eq!(pace.cut(&works, 4), 500);
        assert_eq!(pace.cut(&works[..300], 4), 300);
        pace.measure(500.0, 500.0 * 1e-6);
        assert_eq!(pace.cut(&works, 4), 4_000, "items that are faster than before");
        pace.measure(1.0, 2.0);
        assert_eq!(pace.cut(&works, 4), 4, "at least a batch");
    }
}
