//! A Markov chain in floating point, and what is collected on its way.

use crate::matrix_game::Lu;

/// A chain whose states are numbered from 0; where the probabilities of a state sum to less than 1, it ends with the rest.
#[derive(Debug, Default)]
pub(crate) struct MarkovChain {
    /// The end of each state's steps.
    ends: Vec<usize>,
    /// The states that follow, with their probabilities; one may be there twice.
    steps: Vec<(u32, f64)>,
}

/// What is left of the residual when a system counts as solved: the next step corrects the rest.
const PRECISION: f64 = 1e-10;

/// A system whose residual is still this large was not solved.
const UNSOLVED: f64 = 1e-2;

/// Systems of so many states are solved by elimination, which is faster there and does not mind how long a chain lingers.
const ELIMINATED: usize = 64;

/// What is missing from a sum of probabilities by more than this is not what rounding leaves.
const LEAK: f64 = 1e-14;

/// Directions that are kept: each takes the memory of a number for every state, and a product with all others.
const DIRECTIONS: usize = 30;

/// Restarts, at most.
const RESTARTS: usize = 25;

impl MarkovChain {
    pub(crate) fn clear(&mut self) {
        self.ends.clear();
        self.steps.clear();
    }

    /// Adds a step of the state that is being described.
    pub(crate) fn step(&mut self, to: u32, probability: f64) {
        self.steps.push((to, probability));
    }

    /// Ends the description of a state.
    pub(crate) fn end_state(&mut self) {
        self.ends.push(self.steps.len());
    }

    /// What is collected from each state on if a visit pays `pays`: the solution of v = pays + P v, up to a small part of it.
    /// `None` where the chain hardly ends.
    ///
    /// By GMRES with restarts (Saad and Schultz 1986), which comes as close as any polynomial in P of its number of steps does, so
    /// that it needs no more steps than the chain takes until it has ended with some certainty, and far fewer where it lingers.
    pub(crate) fn collected(&self, pays: &[f64]) -> Option<Vec<f64>> {
        if pays.len() <= ELIMINATED {
            return self.eliminated(pays);
        }
        let mut values = vec![0.0; pays.len()];
        let mut residual = pays.to_vec();
        let whole = norm(pays);
        for _ in 0..RESTARTS {
            if norm(&residual) <= whole * PRECISION {
                return Some(values);
            }
            self.approach(&residual, whole * PRECISION, &mut values)?;
            self.apply(&values, &mut residual);
            for (residual, pays) in residual.iter_mut().zip(pays) {
                *residual = pays - *residual;
            }
        }
        (norm(&residual) <= whole * UNSOLVED).then_some(values)
    }

    /// The same by elimination.
    fn eliminated(&self, pays: &[f64]) -> Option<Vec<f64>> {
        let (mut lu, count) = (Lu::default(), pays.len());
        // With probabilities that are rounded, the system of a chain without an end may have a solution.
        if !self.comes_to_an_end() {
            return None;
        }
        let is_regular = lu.factorise(count, |matrix| {
            matrix.resize(count * count, 0.0);
            let mut begin = 0;
            for (state, &end) in self.ends.iter().enumerate() {
                matrix[state * count + state] += 1.0;
                for &(to, probability) in &self.steps[begin..end] {
                    matrix[state * count + to as usize] -= probability;
                }
                begin = end;
            }
        });
        let (mut values, mut scratch) = (pays.to_vec(), Vec::new());
        is_regular.then(|| lu.solve(&mut values, &mut scratch))?;
        values.iter().all(|value| value.is_finite()).then_some(values)
    }

    /// Whether the chain comes to an end from every state.
    fn comes_to_an_end(&self) -> bool {
        let steps = |state: usize| &self.steps[if state == 0 { 0 } else { self.ends[state - 1] }..self.ends[state]];
        let whole = |state: usize| steps(state).iter().map(|(_, probability)| probability).sum::<f64>();
        let mut ending: Vec<bool> = (0..self.ends.len()).map(|state| whole(state) < 1.0 - LEAK).collect();
        loop {
            let mut changed = false;
            for state in 0..ending.len() {
                if !ending[state] && steps(state).iter().any(|&(to, probability)| probability > 0.0 && ending[to as usize]) {
                    (ending[state], changed) = (true, true);
                }
            }
            if !changed {
                return ending.into_iter().all(|ending| ending);
            }
        }
    }

    /// v − P v.
    fn apply(&self, values: &[f64], image: &mut [f64]) {
        let mut begin = 0;
        for ((image, value), &end) in image.iter_mut().zip(values).zip(&self.ends) {
            let later: f64 = self.steps[begin..end].iter().map(|&(to, probability)| probability * values[to as usize]).sum();
            (*image, begin) = (value - later, end);
        }
    }

    /// Adds the best combination of some directions to the values.
    fn approach(&self, residual: &[f64], goal: f64, values: &mut [f64]) -> Option<()> {
        let length = norm(residual);
        let mut directions: Vec<Vec<f64>> = vec![residual.iter().map(|entry| entry / length).collect()];
        // The triangle that remains of the Hessenberg matrix, column by column, and what remains of the right-hand side.
        let (mut triangle, mut turns, mut right) = (Vec::<Vec<f64>>::new(), Vec::<(f64, f64)>::new(), vec![length]);
        while triangle.len() < DIRECTIONS && right[triangle.len()].abs() > goal {
            let mut image = vec![0.0; values.len()];
            self.apply(directions.last()?, &mut image);
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
                (column[place], column[place + 1]) = (cosine * one + sine * other, cosine * other - sine * one);
            }
            let (diagonal, below) = (column[triangle.len()], norm(&image));
            let size = diagonal.hypot(below);
            if size == 0.0 || !size.is_finite() {
                return None;
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
        Some(())
    }
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|entry| entry * entry).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A gambler wins a coin with 2/5 and loses one with 3/5: until 0 or 100 coins are left, with n of them, he plays
    /// 5 n − 500 ((3/2)^n − 1)/((3/2)^100 − 1) times.
    #[test]
    fn a_gamblers_games_are_counted() {
        let mut chain = MarkovChain::default();
        for coins in 1..100_u32 {
            for (to, probability) in [(coins + 1, 0.4), (coins - 1, 0.6)] {
                if (1..100).contains(&to) {
                    chain.step(to - 1, probability);
                }
            }
            chain.end_state();
        }
        let games = chain.collected(&[1.0; 99]).expect("he ends");
        for (coins, games) in (1..).zip(games) {
            let power = |n: i32| 1.5_f64.powi(n) - 1.0;
            let expected = 5.0 * f64::from(coins) - 500.0 * power(coins) / power(100);
            assert!((games / expected - 1.0).abs() < 1e-6, "{coins}: {games}");
        }
    }

    #[test]
    fn a_chain_that_never_ends_collects_nothing_that_is_known() {
        let mut chain = MarkovChain::default();
        for to in [1, 0] {
            chain.step(to, 1.0);
            chain.end_state();
        }
        assert_eq!(chain.collected(&[1.0, 1.0]), None);
    }
}
