//! A primal-dual interior-point method for games in sequence form: S. Mehrotra: On the
//! implementation of a primal-dual interior point method. SIAM Journal on Optimization 2 (1992).
//!
//! A's plan `x` and B's plan `y` are optimal if there are values `p` of A's decisions and `q` of
//! B's, such that
//!
//! ```text
//! E x = e,   Eᵀp − U y = z ≥ 0,   x ≥ 0,   x∘z = 0      (E, e: the weights of a decision's actions sum to its parent's weight)
//! F y = f,   Uᵀx − Fᵀq = w ≥ 0,   y ≥ 0,   y∘w = 0      (U: payoffs to A)
//! ```
//!
//! that is, if each plan consists of best responses to the other. A step is Newton's for `x∘z =
//! y∘w = μ`, with `μ` on its way to 0. Its equations are symmetric and quasi-definite, and change
//! in the diagonal alone from step to step. Where both players know much of what was done, they are
//! nearly those of a tree, and elimination is cheap: the number of steps, some twenty to fifty,
//! hardly depends on the game.

use std::ops::ControlFlow;

use super::best_strategy::BestStrategy;
use super::elimination::Pair;
use super::factorization::{Entry, Factorization};
use super::sequence_game::SequenceGame;
use crate::game::{ByPlayer, Player};
use crate::work::Threads;

/// Added to the diagonal, with the sign of its block. Sums of terms up to its reciprocal lose as
/// much to rounding as it has, about the square root of a double's precision; ten times that keeps
/// the signs of the pivots. With 1e-9 the method failed at widths of 1e-7; with 1e-8 to 1e-6 it
/// reached 1e-15.
const REGULARIZATION: f64 = 1e-7;

/// The share of the way to the boundary that a step goes.
const STEP_SHARE: f64 = 0.99;

/// Refinements of a solution, which take out most of the regularization; more did not save a step.
const REFINEMENTS: usize = 2;

/// The run ends after this many steps that do not halve the width.
const MOST_IDLE_STEPS: u32 = 20;

/// Both players' iterates, strictly inside the polyhedra of plans.
#[derive(Debug)]
pub(crate) struct InteriorPoint {
    layout: Layout,
    equations: Equations,
    iterate: ByPlayer<Iterate>,
}

/// The numbers of unknowns of the equations: A's sequences, B's sequences, A's and B's flow
/// constraints.
#[derive(Clone, Copy, Debug)]
struct Layout {
    sequences: ByPlayer<usize>,
    /// A player's decisions, and one more for the empty sequence.
    constraints: ByPlayer<usize>,
}

impl Layout {
    fn sequence(&self, player: Player) -> usize {
        match player {
            Player::A => 0,
            Player::B => self.sequences.a,
        }
    }

    fn constraint(&self, player: Player) -> usize {
        let first = self.sequences.a + self.sequences.b;
        match player {
            Player::A => first,
            Player::B => first + self.constraints.a,
        }
    }

    fn unknowns(&self) -> usize {
        self.constraint(Player::B) + self.constraints.b
    }
}

/// Newton's equations. Signs are those of the symmetric matrix: B's payoffs and values are negated.
#[derive(Debug)]
struct Equations {
    /// By unknowns: the entries off the diagonal.
    matrix: Vec<Entry>,
    factors: Factorization,
    /// By unknowns: the sign of the diagonal block.
    signs: Vec<f64>,
    /// By unknowns, without the regularization.
    diagonal: Vec<f64>,
}

/// A player's plan, values and slacks.
#[derive(Clone, Debug)]
struct Iterate {
    plan: Vec<f64>,
    /// The payoff to the player that the best response at each own decision wins at most; first
    /// that of the whole game.
    values: Vec<f64>,
    /// By sequences: how much less than the value they win.
    slacks: Vec<f64>,
}

/// The change of an iterate.
struct Direction {
    plan: Vec<f64>,
    values: Vec<f64>,
    slacks: Vec<f64>,
}

/// Receives the progress of the method, and may cancel it.
pub(crate) trait Listener {
    /// Breaks to cancel.
    fn check_cancel(&mut self) -> ControlFlow<()>;

    /// Receives the best plans so far, after every step.
    fn on_step(&mut self, best: &ByPlayer<BestStrategy>);
}

/// A function may cancel the method, and ignores its plans.
impl<F: FnMut() -> ControlFlow<()>> Listener for F {
    fn check_cancel(&mut self) -> ControlFlow<()> {
        self()
    }

    fn on_step(&mut self, _: &ByPlayer<BestStrategy>) {}
}

impl InteriorPoint {
    /// The method's start: plans that lead to all parts of the tree alike. `None` if the factors
    /// take more memory than so many bytes. Breaks if `check_cancel` does.
    pub(crate) fn new<G: SequenceGame>(
        game: &G,
        bytes: u64,
        check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Self>> {
        let layout = Layout {
            sequences: ByPlayer::new(|player| game.sequences(player)),
            constraints: ByPlayer::new(|player| game.decisions(player).len() + 1),
        };
        let matrix = matrix(game, &layout);
        let Some(factors) = Factorization::new(layout.unknowns(), &matrix, bytes, check_cancel)?
        else {
            return ControlFlow::Continue(None);
        };
        let mut signs = vec![1.0; layout.unknowns()];
        signs[layout.sequence(Player::B)..][..layout.sequences.b].fill(-1.0);
        signs[layout.constraint(Player::A)..][..layout.constraints.a].fill(-1.0);
        let diagonal = vec![0.0; layout.unknowns()];
        let iterate = ByPlayer::new(|player| Iterate::new(game, player));
        ControlFlow::Continue(Some(Self {
            layout,
            equations: Equations { matrix, factors, signs, diagonal },
            iterate,
        }))
    }

    /// The number of iterations of regret minimisation that are likely to take as long as this
    /// method.
    pub(crate) fn iterations(&self) -> u64 {
        /// Most games take between 15 and 75 steps.
        const STEPS: u64 = 50;
        /// Passes over the factor and over the matrix, each with two products an entry, when a step
        /// solves its equations six times.
        const PASSES: u64 = 12;

        let Equations { matrix, factors, .. } = &self.equations;
        let step = factors.operations + PASSES * (factors.entries() + matrix.len() as u64);
        // Both players' expected payoffs, flow constraints and updates: products like those of a
        // step. Six sides of liar's dice took 60 steps in the time of 3,500 iterations; this is
        // 3,000.
        let iteration = 2 * matrix.len() as u64;
        STEPS * step / iteration.max(1)
    }

    /// Takes steps until the best plans secure bounds that are at most `width` apart, in payoffs,
    /// or gain no more. Breaks if the listener does.
    pub(crate) fn narrow<G: SequenceGame>(
        &mut self,
        game: &G,
        width: f64,
        best: &mut ByPlayer<BestStrategy>,
        threads: &Threads,
        listener: &mut dyn Listener,
    ) -> ControlFlow<()> {
        let mut payoffs = Vec::new();
        let mut narrowest = f64::INFINITY;
        let mut idle = 0;
        while idle < MOST_IDLE_STEPS {
            listener.check_cancel()?;
            self.step(&mut || listener.check_cancel())?;
            // Doubles are exhausted.
            if !self.gap().is_finite() {
                break;
            }
            for player in Player::BOTH {
                let plan = game.realised(player, &self.iterate[player].plan);
                let secured = game.secured(player, &plan, threads, &mut payoffs);
                best[player].offer(secured, &self.iterate[player].plan);
            }
            listener.on_step(best);
            let now = BestStrategy::width(best);
            if now <= width {
                break;
            }
            idle += 1;
            if now < narrowest / 2.0 {
                narrowest = now;
                idle = 0;
            }
        }
        ControlFlow::Continue(())
    }

    /// A step of predictor and corrector. Breaks if `check_cancel` does.
    pub(crate) fn step(
        &mut self,
        check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for player in Player::BOTH {
            let first = self.layout.sequence(player);
            let Iterate { plan, slacks, .. } = &self.iterate[player];
            let sign = f64::from(player.direction());
            let entries = &mut self.equations.diagonal[first..first + plan.len()];
            for ((entry, weight), slack) in entries.iter_mut().zip(plan).zip(slacks) {
                *entry = sign * slack / weight;
            }
        }
        self.equations.factorize(check_cancel)?;
        let residual = self.residual();
        let gap = self.gap();
        // The predictor aims at the boundary.
        let targets = self
            .iterate
            .as_ref()
            .map(|iterate| iterate.products().map(|product| -product).collect::<Vec<f64>>());
        let predictor = self.direction(&residual, &targets);
        let length = self.longest_step(&predictor).min(1.0);
        let share = self.gap_after(&predictor, length) / gap;
        // Mehrotra's rule: the more the predictor gains, the less the corrector stays in the
        // middle.
        let centre = share.powi(3) * gap;
        let targets = ByPlayer::new(|player| {
            let Direction { plan, slacks, .. } = &predictor[player];
            let products = self.iterate[player].products().zip(plan).zip(slacks);
            products
                .map(|((product, weight), slack)| centre - product - weight * slack)
                .collect::<Vec<f64>>()
        });
        let corrector = self.direction(&residual, &targets);
        let length = (STEP_SHARE * self.longest_step(&corrector)).min(1.0);
        for player in Player::BOTH {
            self.iterate[player].advance(&corrector[player], length);
        }
        ControlFlow::Continue(())
    }

    /// The mean product of weights and slacks.
    fn gap(&self) -> f64 {
        let sum: f64 = self.iterate.iter().map(|iterate| iterate.products().sum::<f64>()).sum();
        sum / (self.layout.sequences.a + self.layout.sequences.b) as f64
    }

    fn gap_after(&self, direction: &ByPlayer<Direction>, length: f64) -> f64 {
        let mut sum = 0.0;
        for player in Player::BOTH {
            let mut after = self.iterate[player].clone();
            after.advance(&direction[player], length);
            sum += after.products().sum::<f64>();
        }
        sum / (self.layout.sequences.a + self.layout.sequences.b) as f64
    }

    /// The length of a step to the boundary.
    fn longest_step(&self, direction: &ByPlayer<Direction>) -> f64 {
        let mut longest = f64::INFINITY;
        for player in Player::BOTH {
            let Iterate { plan, slacks, .. } = &self.iterate[player];
            longest = longest.min(longest_step(plan, &direction[player].plan));
            longest = longest.min(longest_step(slacks, &direction[player].slacks));
        }
        longest
    }

    /// The residual of the linear equations at the iterates, by unknowns.
    fn residual(&self) -> Vec<f64> {
        let mut unknowns = vec![0.0; self.layout.unknowns()];
        for player in Player::BOTH {
            let Iterate { plan, values, .. } = &self.iterate[player];
            let sign = f64::from(player.direction());
            unknowns[self.layout.sequence(player)..][..plan.len()].copy_from_slice(plan);
            for (unknown, value) in
                unknowns[self.layout.constraint(player)..].iter_mut().zip(values)
            {
                *unknown = sign * value;
            }
        }
        let mut residual = vec![0.0; unknowns.len()];
        for player in Player::BOTH {
            residual[self.layout.constraint(player)] = 1.0;
            let sign = f64::from(player.direction());
            let slacks = &self.iterate[player].slacks;
            for (number, slack) in residual[self.layout.sequence(player)..].iter_mut().zip(slacks) {
                *number = sign * slack;
            }
        }
        subtract_product(&self.equations.matrix, &unknowns, &mut residual);
        residual
    }

    /// Newton's direction: it removes the residual, and changes the products of weights and slacks
    /// by the targets.
    fn direction(&self, residual: &[f64], targets: &ByPlayer<Vec<f64>>) -> ByPlayer<Direction> {
        let mut right = residual.to_vec();
        for player in Player::BOTH {
            let sign = f64::from(player.direction());
            let entries = &mut right[self.layout.sequence(player)..];
            for ((number, target), weight) in
                entries.iter_mut().zip(&targets[player]).zip(&self.iterate[player].plan)
            {
                *number += sign * target / weight;
            }
        }
        let solution = self.equations.solve(&right);
        ByPlayer::new(|player| {
            let Iterate { plan, values, slacks } = &self.iterate[player];
            let sign = f64::from(player.direction());
            let plan_change = solution[self.layout.sequence(player)..][..plan.len()].to_vec();
            let value_change = solution[self.layout.constraint(player)..][..values.len()].iter();
            let mut slack_change = targets[player].clone();
            for (((target, slack), weight), change) in
                slack_change.iter_mut().zip(slacks).zip(plan).zip(&plan_change)
            {
                *target = (*target - slack * change) / weight;
            }
            Direction {
                plan: plan_change,
                values: value_change.map(|value| sign * value).collect(),
                slacks: slack_change,
            }
        })
    }
}

impl Equations {
    fn factorize(&mut self, check_cancel: &mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<()> {
        let mut regularized = self.diagonal.clone();
        for (entry, sign) in regularized.iter_mut().zip(&self.signs) {
            *entry += REGULARIZATION * sign;
        }
        // Without rounding, no pivot is smaller.
        self.factors.factorize(&regularized, REGULARIZATION, check_cancel)
    }

    /// Solves the equations without the regularization, by refinement, as far as doubles let it.
    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut solution = self.factors.solve(right);
        for _ in 0..REFINEMENTS {
            let correction = self.factors.solve(&self.missing(right, &solution));
            advance(&mut solution, &correction, 1.0);
        }
        solution
    }

    fn missing(&self, right: &[f64], solution: &[f64]) -> Vec<f64> {
        let mut missing = right.to_vec();
        for ((missing, entry), number) in missing.iter_mut().zip(&self.diagonal).zip(solution) {
            *missing -= entry * number;
        }
        subtract_product(&self.matrix, solution, &mut missing);
        missing
    }
}

impl Iterate {
    /// A plan in which a sequence's weight is in proportion to the number of sequences that begin
    /// with it; slacks are 1, the scale of payoffs.
    fn new<G: SequenceGame>(game: &G, player: Player) -> Self {
        let decisions = game.decisions(player);
        let mut sizes = vec![1.0; game.sequences(player)];
        for (number, decision) in decisions.iter().enumerate().rev() {
            let size: f64 = sizes[decision.sequences()].iter().sum();
            for parent in game.parents(player, number) {
                sizes[parent] += size;
            }
        }
        let mut plan = vec![1.0; sizes.len()];
        for (number, decision) in decisions.iter().enumerate() {
            let whole: f64 = game.parents(player, number).map(|parent| plan[parent]).sum();
            let size: f64 = sizes[decision.sequences()].iter().sum();
            for sequence in decision.sequences() {
                plan[sequence] = whole * sizes[sequence] / size;
            }
        }
        Self { values: vec![0.0; decisions.len() + 1], slacks: vec![1.0; plan.len()], plan }
    }

    fn products(&self) -> impl Iterator<Item = f64> {
        self.plan.iter().zip(&self.slacks).map(|(weight, slack)| weight * slack)
    }

    fn advance(&mut self, direction: &Direction, length: f64) {
        advance(&mut self.plan, &direction.plan, length);
        advance(&mut self.values, &direction.values, length);
        advance(&mut self.slacks, &direction.slacks, length);
    }
}

fn advance(numbers: &mut [f64], changes: &[f64], length: f64) {
    for (number, change) in numbers.iter_mut().zip(changes) {
        *number += length * change;
    }
}

/// The length of a step after which the first positive number is 0.
fn longest_step(numbers: &[f64], changes: &[f64]) -> f64 {
    let mut longest = f64::INFINITY;
    for (number, change) in numbers.iter().zip(changes) {
        if *change < 0.0 {
            longest = longest.min(-number / change);
        }
    }
    longest
}

/// Subtracts the product with a symmetric matrix whose diagonal is 0.
fn subtract_product(matrix: &[Entry], numbers: &[f64], result: &mut [f64]) {
    for &Entry { pair: Pair { one, other }, number } in matrix {
        result[one as usize] -= number * numbers[other as usize];
        result[other as usize] -= number * numbers[one as usize];
    }
}

/// The entries of Newton's equations off the diagonal: flow constraints and payoffs.
fn matrix<G: SequenceGame>(game: &G, layout: &Layout) -> Vec<Entry> {
    let mut matrix = Vec::new();
    for player in Player::BOTH {
        let sequence = layout.sequence(player) as u32;
        let constraint = layout.constraint(player) as u32;
        matrix.push(Entry { pair: Pair { one: sequence, other: constraint }, number: 1.0 });
        for (number, decision) in game.decisions(player).iter().enumerate() {
            let row = constraint + 1 + number as u32;
            for parent in game.parents(player, number) {
                matrix.push(Entry {
                    pair: Pair { one: sequence + parent as u32, other: row },
                    number: -1.0,
                });
            }
            for child in decision.sequences() {
                matrix.push(Entry {
                    pair: Pair { one: sequence + child as u32, other: row },
                    number: 1.0,
                });
            }
        }
    }
    let first_of_b = layout.sequence(Player::B) as u32;
    for of_a in 0..layout.sequences.a {
        for (of_b, payoff) in game.leaves(Player::A, of_a) {
            let pair = Pair { one: of_a as u32, other: first_of_b + of_b as u32 };
            matrix.push(Entry { pair, number: -payoff });
        }
    }
    matrix
}
