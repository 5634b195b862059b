use super::payoff_matrix::PayoffMatrix;
use super::tree::{PlayerTree, Tree};
use crate::bounds::Enclosure;
use crate::game::{ByPlayer, Player};
use crate::work::Threads;

/// Updates the regrets and probabilities of a decision's bids by their payoffs, and returns the decision's payoff.
///
/// Predictive CFR+ (Farina, Kroer and Sandholm 2021): regrets are clipped at 0, and play is as if the last came once more.
fn update(bids: &mut [f64], regrets: &mut [f64], yields: &[f64]) -> f64 {
    let mean: f64 = bids.iter().zip(yields).map(|(bid, payoff)| bid * payoff).sum();
    let mut sum = 0.0;
    for ((bid, regret), &payoff) in bids.iter_mut().zip(regrets).zip(yields) {
        let instant = payoff - mean;
        *regret = (*regret + instant).max(0.0);
        *bid = (*regret + instant).max(0.0);
        sum += *bid;
    }
    let even = 1.0 / bids.len() as f64;
    for bid in bids {
        *bid = if sum > 0.0 { *bid / sum } else { even };
    }
    mean
}

/// The iterations to prove, and the widths there, which decide when to stop. A resumed run needs them to stop where an
/// uninterrupted one does.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Proofs {
    next: u64,
    pub(super) widths: Widths,
}

/// Widths of proved bounds, in payoffs; infinite before the first proof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Widths {
    pub(super) last: f64,
    /// The narrowest, but for later ones that are hardly narrower.
    pub(super) narrowest: f64,
    /// The iteration of the narrowest.
    pub(super) iteration: u64,
}

impl Default for Widths {
    fn default() -> Self {
        Self { last: f64::INFINITY, narrowest: f64::INFINITY, iteration: 0 }
    }
}

impl Proofs {
    /// The fewest iterations before the stopping rule applies, however slowly a game begins.
    const PATIENCE: u64 = 1 << 12;

    /// The proofs of a run that has come to this iteration, with the widths so far; without these a proof is due at once.
    pub(super) fn new(iteration: u64, widths: Widths) -> Self {
        let mut proofs = Self { next: 0, widths };
        // The iteration itself is proved again if it was: the same bounds as before.
        if let Some(before) = iteration.checked_sub(1) {
            proofs.are_due(before);
        }
        proofs
    }

    /// Whether the next proof is due. Proofs, each as costly as an iteration, stay a small part of the work.
    pub(super) fn are_due(&mut self, iteration: u64) -> bool {
        let are_due = iteration >= self.next || self.widths.last == f64::INFINITY;
        while self.next <= iteration {
            self.next += self.next / 8 + 4;
        }
        are_due
    }

    pub(super) fn note(&mut self, iteration: u64, bounds: Enclosure) {
        let width = bounds.width();
        self.widths.last = width;
        if width < 0.875 * self.widths.narrowest {
            (self.widths.narrowest, self.widths.iteration) = (width, iteration);
        }
    }

    /// Whether four times the iterations narrowed the bounds by less than an eighth: it gains more until doubles
    /// are exhausted (even CFR+, which is slower, at 10:8 needs sixteen times the iterations for two fifths).
    pub(super) fn have_ended(&self, iteration: u64) -> bool {
        iteration >= Self::PATIENCE && iteration / 4 >= self.widths.iteration
    }
}

#[derive(Clone, Debug)]
pub(super) struct RegretMinimiser {
    /// For every sequence the bid's probability at its decision.
    pub(super) bids: Vec<f64>,
    pub(super) regrets: Vec<f64>,
    /// For every sequence the weighted sum of the realisation plans played so far.
    pub(super) average: Vec<f64>,
    plan: Vec<f64>,
}

impl RegretMinimiser {
    fn new(player_tree: &PlayerTree) -> Self {
        let mut bids = vec![1.0; player_tree.sequences];
        for decision in &player_tree.decisions {
            bids[decision.sequences()].fill(1.0 / f64::from(decision.bids));
        }
        let zeros = vec![0.0; player_tree.sequences];
        let mut minimiser = Self { bids, regrets: zeros.clone(), average: zeros.clone(), plan: zeros };
        minimiser.realise(player_tree);
        minimiser
    }

    pub(super) fn realise(&mut self, player_tree: &PlayerTree) {
        self.plan[0] = 1.0;
        for (number, decision) in player_tree.decisions.iter().enumerate() {
            let whole: f64 = player_tree.parents(number).map(|sequence| self.plan[sequence]).sum();
            for sequence in decision.sequences() {
                self.plan[sequence] = whole * self.bids[sequence];
            }
        }
    }

    fn learn(&mut self, player_tree: &PlayerTree, yields: &mut [f64], iteration: u64) {
        for (number, decision) in player_tree.decisions.iter().enumerate().rev() {
            let sequences = decision.sequences();
            let (bids, regrets) = (&mut self.bids[sequences.clone()], &mut self.regrets[sequences.clone()]);
            let mean = update(bids, regrets, &yields[sequences]);
            for sequence in player_tree.parents(number) {
                yields[sequence] += mean;
            }
        }
        self.realise(player_tree);
        let weight = (iteration as f64) * (iteration as f64);
        for (sum, share) in self.average.iter_mut().zip(&self.plan) {
            *sum += weight * share;
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct RegretMinimisers {
    pub(super) iterations: u64,
    pub(super) both: ByPlayer<RegretMinimiser>,
    yields: Vec<f64>,
}

impl RegretMinimisers {
    pub(super) fn new(tree: &Tree) -> Self {
        let both = ByPlayer::new(|player| RegretMinimiser::new(&tree.player_trees[player]));
        Self { iterations: 0, both, yields: Vec::new() }
    }

    pub(super) fn averages(&self) -> ByPlayer<&[f64]> {
        self.both.as_ref().map(|minimiser| &minimiser.average[..])
    }

    pub(super) fn bids(&self) -> ByPlayer<&[f64]> {
        self.both.as_ref().map(|minimiser| &minimiser.bids[..])
    }

    /// Runs one iteration: `first` updates against the other's strategy, then the other against the new one.
    pub(super) fn iterate(&mut self, first: Player, tree: &Tree, matrix: &PayoffMatrix, threads: &Threads) {
        self.iterations += 1;
        let payoffs = tree.ranks.doubles();
        for player in [first, first.opponent()] {
            let player_tree = &tree.player_trees[player];
            let sign = f64::from(player.direction());
            let payoffs = std::array::from_fn(|rank| payoffs.get(rank).map_or(0.0, |payoff| sign * payoff));
            matrix.expected_payoffs(player, &self.both[player.opponent()].plan, payoffs, threads, &mut self.yields);
            self.both[player].learn(player_tree, &mut self.yields, self.iterations);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Bounds;

    /// A run whose bounds narrow for a while, as doubles let them: where it stops, and the widths after every iteration.
    fn run(begun: u64, widths: Widths) -> (u64, Vec<Widths>) {
        let (mut proofs, mut heard) = (Proofs::new(begun, widths), Vec::new());
        for iteration in begun.. {
            if proofs.are_due(iteration) {
                let width = (1_i64 << 40) / (iteration + 1).min(3_000) as i64;
                proofs.note(iteration, Enclosure::proved(Bounds::new(0, width), 60));
                if proofs.have_ended(iteration) {
                    return (iteration, heard);
                }
            }
            heard.push(proofs.widths);
        }
        unreachable!("it ends")
    }

    /// From wherever a run is resumed, it stops at the same iteration.
    #[test]
    fn a_resumed_run_stops_where_an_uninterrupted_one_does() {
        let (end, heard) = run(0, Widths::default());
        assert!((9_000..16_000).contains(&end), "{end}");
        for (iteration, &widths) in (0..).zip(&heard) {
            assert_eq!(run(iteration, widths).0, end, "resumed at {iteration}");
        }
    }
}
