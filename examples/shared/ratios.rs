//! Tennis with large accounts as a game of ratios: cells, strategies of B in shares, and what they
//! concede.

use std::error::Error;

use num_traits::ToPrimitive;
use pencil_tennis::{Ball, Rules, State};
use rayon::prelude::*;

/// Bounds are multiples of 2^-32, and the weights of a strategy sum to about 2^24: their products
/// have less than 63 bits.
pub(crate) const UNIT: f64 = (1_u64 << 32) as f64;
pub(crate) const WEIGHT: f64 = (1_u64 << 24) as f64;

/// The ratios of A's account to B's reach from 1/12 to 12.
const MOST_RATIO: f64 = 12.0;

/// Differences of exponentials are raised by more than their error, logarithms by this part of a
/// step, for the same reason.
const ERROR: f64 = 1e-12;
const MARGIN: f64 = 1e-7;

/// The bids `from..to` of B with this weight each.
#[derive(Clone, Copy)]
pub(crate) struct Bids {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) weight: i64,
}

/// Upper bounds of A's payoff, and strategies of B that prove them.
///
/// Cell `c` stands for all states in which A's account is at most `e^((c − middle)/steps)` times
/// B's. Bid `i` is the share `1 − e^(−i/steps)` of B's account, so that it raises the ratio by `i`
/// cells.
pub(crate) struct Ratios {
    /// The ball after a hit of A and of B, by ball. Balls count from the end beyond A's last field.
    pub(crate) hits: Vec<[usize; 2]>,
    /// A's payoffs with the ball out at A's end and at B's, in units.
    pub(crate) ends: [i64; 2],
    pub(crate) steps: usize,
    pub(crate) middle: usize,
    /// The bounds, by ball inside the field and cell, in units.
    pub(crate) bounds: Vec<Vec<i64>>,
    /// The strategies, by ball and cell; at first there are none.
    pub(crate) strategies: Vec<Vec<Vec<Bids>>>,
}

/// Sums of the bounds with one ball over ranges of cells. Below the first cell its bound serves,
/// above the last one A's best payoff.
pub(crate) struct Sums {
    up_to: Vec<i64>,
    below: i64,
    above: i64,
}

impl Sums {
    fn new(bounds: &[i64], above: i64) -> Self {
        let sums = bounds.iter().scan(0, |sum, bound| {
            *sum += bound;
            Some(*sum)
        });
        Self { up_to: [0].into_iter().chain(sums).collect(), below: bounds[0], above }
    }

    /// The payoff of an end, everywhere.
    fn constant(payoff: i64) -> Self {
        Self { up_to: vec![0], below: payoff, above: payoff }
    }

    fn up_to(&self, cell: i64) -> i64 {
        let last = self.up_to.len() as i64 - 1;
        if cell < 0 {
            cell * self.below
        } else {
            self.up_to[cell.min(last) as usize] + (cell - last).max(0) * self.above
        }
    }

    /// The sum over the cells `kept + from..kept + to`.
    fn over(&self, kept: i64, [from, to]: [usize; 2]) -> i64 {
        self.up_to(kept + to as i64) - self.up_to(kept + from as i64)
    }
}

impl Ratios {
    /// A's best payoff bounds everything.
    pub(crate) fn new(rules: &Rules, steps: usize) -> Result<Self, Box<dyn Error>> {
        let field = rules.field();
        let at =
            |ball: i32| -> Result<State, Box<dyn Error>> { Ok(State::new(2, 2, Ball::new(ball)?)) };
        let after = |ball: i32, [a, b]: [u32; 2]| -> Result<usize, Box<dyn Error>> {
            Ok((rules.play(at(ball)?, a, b)?.ball.position() + field + 1) as usize)
        };
        let end = |ball: i32| -> Result<i64, Box<dyn Error>> {
            let payoff = rules
                .payoff(at(ball)?)
                .and_then(|payoff| payoff.to_f64())
                .ok_or("an end without a payoff")?;
            Ok((payoff * UNIT).ceil() as i64)
        };
        let hits = (-field..=field).map(|ball| Ok([after(ball, [2, 1])?, after(ball, [1, 2])?]));
        let hits: Vec<_> = hits.collect::<Result<_, Box<dyn Error>>>()?;
        let ends = [end(-field - 1)?, end(field + 1)?];
        let middle = (MOST_RATIO.ln() * steps as f64) as usize;
        let bounds = vec![vec![ends[1]; 2 * middle + 1]; hits.len()];
        let strategies = vec![vec![Vec::new(); 2 * middle + 1]; hits.len()];
        Ok(Self { hits, ends, steps, middle, bounds, strategies })
    }

    pub(crate) fn cells(&self) -> usize {
        2 * self.middle + 1
    }

    /// The bound in a cell, by ball in the field from A's last one on.
    pub(crate) fn bound(&self, ball: usize, cell: usize) -> f64 {
        self.bounds[ball][cell] as f64 / UNIT
    }

    /// Halves the steps. A cell between two has bound and strategy of the upper one.
    pub(crate) fn halve(&mut self) {
        let cells = 2 * self.cells() - 1;
        let finer = |bids: &Bids| Bids {
            from: 2 * bids.from,
            to: 2 * bids.to,
            weight: (bids.weight + 1) / 2,
        };
        for (bounds, strategies) in self.bounds.iter_mut().zip(&mut self.strategies) {
            *bounds = (0..cells).map(|cell| bounds[cell.div_ceil(2)]).collect();
            *strategies = (0..cells)
                .map(|cell| strategies[cell.div_ceil(2)].iter().map(finer).collect())
                .collect();
        }
        (self.steps, self.middle) = (2 * self.steps, 2 * self.middle);
    }

    /// Forgets the bounds, which the strategies alone can then prove anew.
    pub(crate) fn without_bounds(mut self) -> Self {
        self.bounds.iter_mut().for_each(|bounds| bounds.fill(self.ends[1]));
        self
    }

    /// By ball, the ends included.
    pub(crate) fn sums(&self) -> Vec<Sums> {
        let inside = self.bounds.iter().map(|bounds| Sums::new(bounds, self.ends[1]));
        [Sums::constant(self.ends[0])]
            .into_iter()
            .chain(inside)
            .chain([Sums::constant(self.ends[1])])
            .collect()
    }

    /// The cells to which A's replies 0, 1, … lead, at most `most` of them: after reply `j`, the
    /// share of B's account that is bid `j`, play goes to cell `kept[j] + i` if B bids `i`.
    pub(crate) fn kept(&self, cell: usize, most: usize) -> Vec<i64> {
        let steps = self.steps as f64;
        let ratio = ((cell as f64 - self.middle as f64) / steps).exp();
        let share = |reply: usize| 1.0 - (-(reply as f64) / steps).exp();
        let left =
            (1..most).map(|reply| ratio - share(reply) + ERROR).take_while(|&left| left > 0.0);
        let kept =
            left.map(|left| (left.ln() * steps + MARGIN).floor() as i64 + 1 + self.middle as i64);
        [cell as i64].into_iter().chain(kept).collect()
    }

    /// The sum of weighted bounds to which a reply of A leads.
    pub(crate) fn reply(
        [hit, missed]: [&Sums; 2],
        kept: &[i64],
        reply: usize,
        strategy: &[Bids],
    ) -> i64 {
        let sum = |&Bids { from, to, weight }: &Bids| {
            let above = (reply + 1).clamp(from, to);
            weight * (hit.over(kept[reply], [from, above]) + missed.over(kept[reply], [above, to]))
        };
        strategy.iter().map(sum).sum()
    }

    /// A's best replies to a strategy, one among the bids of each part of it, and what they secure,
    /// in units, rounded up. Nothing where there is no strategy.
    pub(crate) fn best_replies(
        sums: [&Sums; 2],
        kept: &[i64],
        strategy: &[Bids],
    ) -> Vec<(i64, usize)> {
        if strategy.is_empty() {
            return Vec::new();
        }
        let total: i64 =
            strategy.iter().map(|bids| bids.weight * (bids.to - bids.from) as i64).sum();
        let payoff =
            |reply: usize| (-(-Self::reply(sums, kept, reply, strategy)).div_euclid(total), reply);
        // A reply between two parts costs more than the highest bid of the lower one, and hits no
        // more.
        let parts = strategy.iter().map(|bids| bids.from..bids.to.min(kept.len()));
        std::iter::once(0..1).chain(parts).filter_map(|part| part.map(payoff).max()).collect()
    }

    /// One turn with the strategies that are there: better bounds. Returns the largest gain, in
    /// units.
    pub(crate) fn sweep(&mut self) -> i64 {
        let sums = self.sums();
        let better = |cell: usize| -> Vec<Option<i64>> {
            let strategies = self.strategies.iter().map(|cells| &cells[cell]);
            let kept = self
                .kept(cell, strategies.clone().flatten().map(|bids| bids.to).max().unwrap_or(1));
            let best = |(strategy, balls): (&Vec<Bids>, &[usize; 2])| {
                let replies = Self::best_replies(balls.map(|ball| &sums[ball]), &kept, strategy);
                replies.into_iter().map(|(payoff, _)| payoff).max()
            };
            strategies.zip(&self.hits).map(best).collect()
        };
        let better: Vec<_> = (0..self.cells()).into_par_iter().map(better).collect();
        let mut gain = 0;
        for (cell, better) in better.into_iter().enumerate() {
            for (bounds, better) in self.bounds.iter_mut().zip(better) {
                let Some(better) = better else { continue };
                gain = gain.max(bounds[cell] - better);
                bounds[cell] = bounds[cell].min(better);
            }
        }
        gain
    }
}
