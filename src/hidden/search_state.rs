//! The state of a search as a part of checkpoints: regret minimisation under way, and the best
//! strategies so far. Checkpoints add which game it is; `HiddenCheckpoint` has the bytes.

use std::io::{self, Write};

use super::finder::best_strategy::BestStrategy;
use super::finder::regret::{LearnerNumbers, Mismatch, RegretMinimisers};
use super::finder::schedule::Widths;
use super::finder::sequence_game::SequenceGame;
use super::learning::Learning;
use crate::game::{ByPlayer, Player};
use stochastic_game::internal::sealed::{SealFault, SealedReader, SealedWriter};

/// More iterations than any run has: 13 days at a million in a second.
const MOST_ITERATIONS: u64 = 1 << 40;

/// The numbers that a player has for each sequence: the action's probability, its regret, and its
/// weight in the average.
const NUMBERS: u64 = 3;

/// The state of an interrupted search, which belongs to one game.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SearchState {
    pub(crate) iterations: u64,
    pub(crate) widths: Widths,
    pub(crate) numbers: ByPlayer<LearnerNumbers<Vec<f64>>>,
    pub(crate) best: ByPlayer<BestStrategy>,
}

/// The numbers of doubles that follow the first part of a state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lengths {
    pub(crate) sequences: ByPlayer<u64>,
    /// Of the best strategies so far; 0 before the first.
    pub(crate) strategies: ByPlayer<u64>,
}

impl Lengths {
    /// Checks that a file of this many bytes may hold the numbers, before memory is taken for them.
    pub(crate) fn check(&self, file_bytes: u64) -> Result<(), Mismatch> {
        let mut count = Some(0_u64);
        for player in Player::BOTH {
            let learner = self.sequences[player].checked_mul(NUMBERS);
            let numbers = learner.and_then(|learner| learner.checked_add(self.strategies[player]));
            count = count.zip(numbers).and_then(|(count, numbers)| count.checked_add(numbers));
        }
        if count.is_none_or(|count| count > file_bytes / 8) {
            return Err("its size does not fit its header".to_owned());
        }
        Ok(())
    }
}

impl SearchState {
    pub(crate) fn of(learning: &Learning) -> Self {
        Self {
            iterations: learning.minimisers.iterations,
            widths: learning.widths,
            numbers: learning.minimisers.numbers().map(|numbers| numbers.map(<[f64]>::to_vec)),
            best: learning.best.clone(),
        }
    }

    /// The search of this game as it was.
    ///
    /// # Errors
    /// In a sentence, for numbers that are not those of this game.
    pub(crate) fn into_learning<G: SequenceGame>(self, form: &G) -> Result<Learning, Mismatch> {
        for player in Player::BOTH {
            let count = self.best[player].weights.len();
            if count != 0 && count != form.sequences(player) {
                return Err(format!("a strategy of {player} has {count} numbers"));
            }
        }
        let minimisers = RegretMinimisers::resumed(form, self.iterations, self.numbers)?;
        Ok(Learning { minimisers, best: self.best, widths: self.widths })
    }

    /// Writes the rest of the first part, which may begin with the game, and the part of the
    /// numbers.
    pub(crate) fn write(&self, out: &mut SealedWriter<impl Write>) -> io::Result<()> {
        let Widths { last, narrowest, iteration } = self.widths;
        out.numbers([self.iterations, last.to_bits(), narrowest.to_bits(), iteration])?;
        for player in Player::BOTH {
            let best = &self.best[player];
            out.numbers([
                self.numbers[player][0].len() as u64,
                best.weights.len() as u64,
                best.secures.to_bits(),
            ])?;
        }
        out.end_part()?;
        for player in Player::BOTH {
            for numbers in self.numbers[player].iter().chain([&self.best[player].weights]) {
                out.numbers(numbers.iter().copied())?;
            }
        }
        out.end_part()
    }

    /// Reads and checks the rest of a file of this many bytes.
    ///
    /// # Errors
    /// In a sentence, with the fault.
    pub(crate) fn read(input: &mut SealedReader<&[u8]>, file_bytes: u64) -> Result<Self, Mismatch> {
        let mut state =
            Self { iterations: input.u64()?, widths: widths(input)?, ..Self::default() };
        let mut lengths = Lengths::default();
        for player in Player::BOTH {
            lengths.sequences[player] = input.u64()?;
            lengths.strategies[player] = input.u64()?;
            state.best[player].secures = double(input)?;
        }
        input.end_part()?;
        state.check()?;
        lengths.check(file_bytes)?;
        for player in Player::BOTH {
            state.read_learner(player, &lengths, input)?;
            state.read_strategy(player, &lengths, input)?;
        }
        input.end_part()?;
        input.end()?;
        Ok(state)
    }

    /// Checks all but the numbers by sequences.
    pub(crate) fn check(&self) -> Result<(), Mismatch> {
        if self.iterations > MOST_ITERATIONS {
            return Err(format!(
                "it claims {} iterations; expected at most {MOST_ITERATIONS}",
                self.iterations
            ));
        }
        if self.widths.iteration > self.iterations {
            return Err("its narrowest bounds come after its last iteration".to_owned());
        }
        let payoffs =
            [self.widths.last, self.widths.narrowest, self.best.a.secures, self.best.b.secures];
        if payoffs.iter().any(|payoff| payoff.is_nan()) {
            return Err("a width or payoff in it is no number".to_owned());
        }
        Ok(())
    }

    pub(crate) fn read_learner(
        &mut self,
        player: Player,
        lengths: &Lengths,
        input: &mut SealedReader<&[u8]>,
    ) -> Result<(), Mismatch> {
        for numbers in &mut self.numbers[player] {
            *numbers = finite(input, lengths.sequences[player])?;
        }
        Ok(())
    }

    pub(crate) fn read_strategy(
        &mut self,
        player: Player,
        lengths: &Lengths,
        input: &mut SealedReader<&[u8]>,
    ) -> Result<(), Mismatch> {
        self.best[player].weights = finite(input, lengths.strategies[player])?;
        Ok(())
    }
}

/// A double by its bits.
pub(crate) fn double(input: &mut SealedReader<&[u8]>) -> Result<f64, SealFault> {
    input.u64().map(f64::from_bits)
}

pub(crate) fn widths(input: &mut SealedReader<&[u8]>) -> Result<Widths, SealFault> {
    Ok(Widths { last: double(input)?, narrowest: double(input)?, iteration: input.u64()? })
}

fn finite(input: &mut SealedReader<&[u8]>, count: u64) -> Result<Vec<f64>, Mismatch> {
    let mut numbers = Vec::new();
    for _ in 0..count {
        let number = double(input)?;
        if !number.is_finite() {
            return Err("a number in it is not finite".to_owned());
        }
        numbers.push(number);
    }
    Ok(numbers)
}
