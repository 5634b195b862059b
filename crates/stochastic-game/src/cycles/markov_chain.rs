//! A Markov chain in floating point, and its expected total rewards.

use std::ops::ControlFlow;

use super::cycle::CheckCancel;
use super::elimination::{Elimination, Uncollected};

/// The steps from a state of a chain whose states are numbered from 0, and its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Transitions<T = f64> {
    /// The states that follow, with their probabilities; one may be there twice.
    pub(super) steps: Vec<(u32, T)>,
    /// The probability that the chain ends: 1 less the others, but not computed so.
    pub(super) ends: T,
}

impl<T> Transitions<T> {
    /// The number of steps of a chain.
    pub(super) fn count(chain: &[Self]) -> usize {
        chain.iter().map(|follows| follows.steps.len()).sum()
    }
}

/// The relative residual at which a system counts as solved: the next step corrects the rest.
const PRECISION: f64 = 1e-10;

/// A system with a larger residual was not solved.
const UNSOLVED: f64 = 1e-2;

/// Elimination that creates more steps than this for each one of the chain, and more than some 128
/// states can have, takes longer than a restart or two of iterations, which are tried first: few
/// chains with that many ways are long ones.
const CHEAP_FILL: usize = 4;
const SMALL_CHEAP_FILL: usize = 1 << 14;

/// The relative residual to which those iterations have to come, or elimination goes on: no more
/// than rounding leaves of a chain that ends after a few hundred turns.
const ROUNDED: f64 = 1e-13;

/// They go on while each restart divides the residual by at least this much: five restarts are
/// enough then, and the last one gains nothing but rounding.
const GAIN: f64 = 1e3;

/// The number of Krylov directions: each takes a number for every state, and a product with all
/// others.
const DIRECTIONS: usize = 30;

/// The most restarts.
const RESTARTS: usize = 25;

/// A chain that is asked for the totals of several payments. One elimination serves them all.
#[derive(Debug)]
pub(super) struct MarkovChain {
    steps: Vec<Transitions>,
    elimination: Option<Elimination<f64>>,
}

impl MarkovChain {
    pub(super) fn new(steps: Vec<Transitions>) -> Self {
        Self { steps, elimination: None }
    }

    /// Computes the expected total from each state if a visit pays `pays`: the solution of v = pays
    /// + P v, up to a small relative error. `None` if the chain hardly ends.
    ///
    /// By elimination, or where that would take longer by GMRES with restarts (Saad and Schultz
    /// 1986), which comes as close as any polynomial in P of its number of steps does.
    pub(super) fn collected(
        &mut self,
        pays: &[f64],
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<Vec<f64>>> {
        let steps = &self.steps;
        if self.elimination.is_none() {
            let cheap = SMALL_CHEAP_FILL.max(CHEAP_FILL * Transitions::count(steps));
            match Elimination::within(cheap, steps, check_cancel)? {
                Ok(elimination) => self.elimination = Some(elimination),
                Err(Uncollected::Endless) => return ControlFlow::Continue(None),
                Err(Uncollected::Filled) => {
                    if let Some(values) = iterated(steps, pays, check_cancel)? {
                        return finite(values);
                    }
                    match Elimination::new(steps, check_cancel)? {
                        Ok(elimination) => self.elimination = Some(elimination),
                        Err(Uncollected::Endless) => return ControlFlow::Continue(None),
                        Err(Uncollected::Filled) => return restarted(steps, pays, check_cancel),
                    }
                }
            }
        }
        match &self.elimination {
            Some(elimination) => finite(elimination.totals(pays)),
            None => ControlFlow::Continue(None),
        }
    }
}

/// Totals, if none is beyond the largest double.
fn finite(values: Vec<f64>) -> ControlFlow<(), Option<Vec<f64>>> {
    ControlFlow::Continue(values.iter().all(|value| value.is_finite()).then_some(values))
}

/// The totals by as many iterations as are sensible at all.
fn restarted(
    chain: &[Transitions],
    pays: &[f64],
    check_cancel: &mut CheckCancel<'_>,
) -> ControlFlow<(), Option<Vec<f64>>> {
    let (mut values, whole) = (vec![0.0; pays.len()], norm(pays));
    for _ in 0..RESTARTS {
        let rest = residual(chain, pays, &values);
        if norm(&rest) <= whole * PRECISION {
            return ControlFlow::Continue(Some(values));
        }
        if approach(chain, &rest, whole * PRECISION, &mut values, check_cancel)?.is_none() {
            return ControlFlow::Continue(None);
        }
    }
    let is_solved = norm(&residual(chain, pays, &values)) <= whole * UNSOLVED;
    ControlFlow::Continue(is_solved.then_some(values))
}

/// The totals by few iterations, as far as rounding lets them come; `None` if those do not suffice.
fn iterated(
    chain: &[Transitions],
    pays: &[f64],
    check_cancel: &mut CheckCancel<'_>,
) -> ControlFlow<(), Option<Vec<f64>>> {
    let whole = norm(pays);
    let mut values = vec![0.0; pays.len()];
    if whole == 0.0 {
        return ControlFlow::Continue(Some(values));
    }
    let (mut rest, mut size) = (pays.to_vec(), whole);
    loop {
        let mut closer = values.clone();
        if approach(chain, &rest, whole * f64::EPSILON, &mut closer, check_cancel)?.is_none() {
            return ControlFlow::Continue(None);
        }
        rest = residual(chain, pays, &closer);
        let before = std::mem::replace(&mut size, norm(&rest));
        if size < before {
            values = closer;
        }
        if !(size > 0.0 && size * GAIN <= before) {
            let is_solved = size.min(before) <= whole * ROUNDED;
            return ControlFlow::Continue(is_solved.then_some(values));
        }
    }
}

/// What values still miss: pays − (v − P v).
fn residual(chain: &[Transitions], pays: &[f64], values: &[f64]) -> Vec<f64> {
    pays.iter().zip(apply(chain, values)).map(|(pays, value)| pays - value).collect()
}

/// v − P v.
fn apply(chain: &[Transitions], values: &[f64]) -> Vec<f64> {
    let later = |steps: &[(u32, f64)]| {
        steps.iter().map(|&(to, probability)| probability * values[to as usize]).sum::<f64>()
    };
    values.iter().zip(chain).map(|(value, follows)| value - later(&follows.steps)).collect()
}

/// Adds the best combination of some directions to the values; `None` where numbers are too large.
fn approach(
    chain: &[Transitions],
    residual: &[f64],
    goal: f64,
    values: &mut [f64],
    check_cancel: &mut CheckCancel<'_>,
) -> ControlFlow<(), Option<()>> {
    let length = norm(residual);
    let mut directions: Vec<Vec<f64>> = vec![residual.iter().map(|entry| entry / length).collect()];
    // The remaining triangle of the Hessenberg matrix, column by column, and the remaining
    // right-hand side.
    let (mut triangle, mut turns, mut right) =
        (Vec::<Vec<f64>>::new(), Vec::<(f64, f64)>::new(), vec![length]);
    while triangle.len() < DIRECTIONS && right[triangle.len()].abs() > goal {
        check_cancel()?;
        let mut image = apply(chain, &directions[triangle.len()]);
        let mut column: Vec<f64> = Vec::with_capacity(directions.len() + 1);
        for direction in &directions {
            let share: f64 = direction.iter().zip(&image).map(|(one, other)| one * other).sum();
            for (image, entry) in image.iter_mut().zip(direction) {
                *image -= share * entry;
            }
            column.push(share);
        }
        for (place, &(cosine, sine)) in turns.iter().enumerate() {
            let (one, other) = (column[place], column[place + 1]);
            (column[place], column[place + 1]) =
                (cosine * one + sine * other, cosine * other - sine * one);
        }
        let (diagonal, below) = (column[triangle.len()], norm(&image));
        let size = diagonal.hypot(below);
        if size == 0.0 || !size.is_finite() {
            return ControlFlow::Continue(None);
        }
        let (cosine, sine) = (diagonal / size, below / size);
        column[triangle.len()] = size;
        turns.push((cosine, sine));
        let rest = right[triangle.len()];
        right[triangle.len()] = cosine * rest;
        right.push(-sine * rest);
        triangle.push(column);
        if below <= size * f64::EPSILON {
            break;
        }
        directions.push(image.iter().map(|entry| entry / below).collect());
    }
    for place in (0..triangle.len()).rev() {
        let share = right[place] / triangle[place][place];
        for earlier in 0..place {
            right[earlier] -= share * triangle[place][earlier];
        }
        for (value, entry) in values.iter_mut().zip(&directions[place]) {
            *value += share * entry;
        }
    }
    ControlFlow::Continue(Some(()))
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|entry| entry * entry).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cycles::elimination::STEPS_A_LOOK;

    fn collected_unless_stopped(
        chain: &[Transitions],
        pays: &[f64],
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<Vec<f64>>> {
        MarkovChain::new(chain.to_vec()).collected(pays, check_cancel)
    }

    /// The totals of a chain that nobody interrupts.
    fn collected(chain: &[Transitions], pays: &[f64]) -> Option<Vec<f64>> {
        collected_unless_stopped(chain, pays, &mut || ControlFlow::Continue(()))
            .continue_value()
            .flatten()
    }

    fn iterated_at_once(chain: &[Transitions], pays: &[f64]) -> Option<Vec<f64>> {
        iterated(chain, pays, &mut || ControlFlow::Continue(())).continue_value().flatten()
    }

    /// A chain of this many states from each of which every one may follow: elimination follows
    /// some cube of them.
    fn whole_chain(states: u32) -> Vec<Transitions> {
        let share = 1.0 / f64::from(states + 1);
        let steps: Vec<(u32, f64)> = (0..states).map(|next| (next, share)).collect();
        vec![Transitions { steps, ends: share }; states as usize]
    }

    #[test]
    fn elimination_and_iteration_end_when_they_are_asked_to() {
        let (chain, pays) = (whole_chain(120), [1.0; 120]);
        let mut looks = 0;
        let mut count = || {
            looks += 1;
            ControlFlow::Continue(())
        };
        // Every state is left with 1/121 a turn.
        let turns = collected_unless_stopped(&chain, &pays, &mut count).continue_value().flatten();
        assert!((turns.expect("it ends")[0] - 121.0).abs() < 1e-9);
        assert!(looks >= 120_usize.pow(3) / 3 / (STEPS_A_LOOK + 120), "{looks} looks");

        let mut stop = || ControlFlow::Break(());
        assert!(collected_unless_stopped(&chain, &pays, &mut stop).is_break());
        let mut values = vec![0.0; 120];
        assert!(approach(&chain, &pays, 0.0, &mut values, &mut stop).is_break());
    }

    /// A gambler wins a coin with 2/5 and loses one with 3/5, until 0 or 100 coins are left.
    fn gambler() -> Vec<Transitions> {
        let follows = |coins: u32| {
            let inside = [(coins + 1, 0.4), (coins - 1, 0.6)]
                .into_iter()
                .filter(|(to, _)| (1..100).contains(to));
            let steps = inside.map(|(to, probability)| (to - 1, probability)).collect();
            Transitions {
                steps,
                ends: if coins == 1 { 0.6 } else { 0.4 * f64::from(u8::from(coins == 99)) },
            }
        };
        (1..100).map(follows).collect()
    }

    /// With n coins he comes to 100 with p = ((3/2)^n − 1)/((3/2)^100 − 1), and plays 5 n − 500 p
    /// times. One elimination answers both.
    #[test]
    fn a_gamblers_games_and_his_luck_are_counted() {
        let mut chain = MarkovChain::new(gambler());
        let mut asked = |pays: &[f64]| {
            let found = chain.collected(pays, &mut || ControlFlow::Continue(()));
            (found.continue_value().flatten().expect("he ends"), chain.elimination.is_some())
        };
        let (games, is_eliminated) = asked(&[1.0; 99]);
        assert!(is_eliminated);
        let mut last = [0.0; 99];
        last[98] = 0.4;
        let (luck, _) = asked(&last);
        for (coins, (games, luck)) in (1..).zip(games.into_iter().zip(luck)) {
            let power = |n: i32| 1.5_f64.powi(n) - 1.0;
            let expected = power(coins) / power(100);
            assert!((luck / expected - 1.0).abs() < 1e-12, "{coins}: {luck}");
            let expected = 5.0 * f64::from(coins) - 500.0 * expected;
            assert!((games / expected - 1.0).abs() < 1e-12, "{coins}: {games}");
        }
    }

    /// Each of 2,000 states leads to ten others, which fills: totals are chosen first, and pays are
    /// what they leave.
    #[test]
    fn a_chain_with_many_ways_is_solved_by_few_iterations() {
        const STATES: usize = 2_000;
        // Steps of 1, 7, 49, … states all around: no order of elimination keeps them few.
        let ways: Vec<usize> =
            std::iter::successors(Some(1), |way| Some(way * 7 % STATES)).take(10).collect();
        let chain: Vec<Transitions> = (0..STATES)
            .map(|state| {
                let next = |way: &usize| (((state + way) % STATES) as u32, 0.08);
                Transitions { steps: ways.iter().map(next).collect(), ends: 0.2 }
            })
            .collect();
        let totals: Vec<f64> =
            (0..STATES).map(|state| 1.0 + (state * state % 1_009) as f64).collect();
        let pays = apply(&chain, &totals);
        let few = iterated_at_once(&chain, &pays).expect("the chain ends soon");
        for found in [few, collected(&chain, &pays).expect("the chain ends soon")] {
            for (found, total) in found.iter().zip(&totals) {
                assert!((found / total - 1.0).abs() < 1e-11, "{found} {total}");
            }
        }
        assert_eq!(collected(&chain, &[0.0; STATES]), Some(vec![0.0; STATES]));
    }

    /// Along a line of 1,000 states, pays of the one end reach the other after 999 iterations.
    #[test]
    fn a_long_line_is_left_to_elimination() {
        let chain: Vec<Transitions> = (0..1_000)
            .map(|state| match state {
                999 => Transitions { steps: Vec::new(), ends: 1.0 },
                _ => Transitions { steps: vec![(state + 1, 1.0)], ends: 0.0 },
            })
            .collect();
        let mut pays = vec![0.0; 1_000];
        pays[999] = 1.0;
        assert_eq!(iterated_at_once(&chain, &pays), None);
        assert_eq!(collected(&chain, &pays), Some(vec![1.0; 1_000]));
    }

    #[test]
    fn a_chain_that_never_ends_collects_nothing_that_is_known() {
        let chain = [1, 0].map(|to| Transitions { steps: vec![(to, 1.0)], ends: 0.0 });
        assert_eq!(collected(&chain, &[1.0, 1.0]), None);
    }

    /// From state n the chain returns to the first one or goes on, each with 1/2; at the last it
    /// ends instead with 2^−40. The expected visits of the last state are 2^40 from everywhere, and
    /// after n states the first has been visited 2^n times for one arrival: 2^40 (2^(n + 1) − 1)
    /// steps in all.
    #[test]
    fn however_rarely_a_chain_ends_its_steps_are_counted() {
        const COINS: u32 = 50;
        let mut chain: Vec<Transitions> = (0..COINS)
            .map(|state| Transitions { steps: vec![(0, 0.5), (state + 1, 0.5)], ends: 0.0 })
            .collect();
        chain
            .push(Transitions { steps: vec![(0, 1.0 - 0.5_f64.powi(40))], ends: 0.5_f64.powi(40) });
        let steps = collected(&chain, &[1.0; COINS as usize + 1]).expect("it ends")[0];
        let expected = 40.0_f64.exp2() * (f64::from(COINS + 1).exp2() - 1.0);
        assert!((steps / expected - 1.0).abs() < 1e-12, "{steps}");
    }
}
