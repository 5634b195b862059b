//! Explorations that go on from a checkpoint. What it says is found again, and compared, before the
//! exploration ends.

use std::borrow::Cow;
use std::sync::Mutex;

use num_rational::BigRational;
use num_traits::{One, Zero};
use prism_model::{Choice, LanguageError, Probability, VariableType};

use super::checkpoint::{ExplorationCheckpoint, PartialModel, digest, refusal};
use super::{
    BYTES_OF_CHOICE, BYTES_OF_REWARD, BYTES_OF_SUCCESSOR, Expansion, Explorer, Loop,
    STATES_A_BATCH, Watched, bytes_of_number, in_file, values_of,
};
use crate::Error;
use crate::error::ModelError;
use crate::model_checking::explicit::{self, ModelType};
use crate::work::Threads;

/// Numbers that are given to things in the order in which these occur.
struct Numbering {
    /// The number of things that have occurred.
    count: u32,
}

impl Numbering {
    /// Whether a number is one that was given, or the next one.
    fn gives(&mut self, number: u32) -> bool {
        if number == self.count {
            self.count += 1;
        }
        number < self.count
    }
}

/// Checks that states, probabilities and actions have the numbers that an exploration gives them,
/// and occur.
fn check_numbers(partial: &PartialModel, initial: usize) -> Result<(), ModelError> {
    let PartialModel { states, model } = partial;
    let mut of_states = Numbering { count: initial as u32 };
    let mut of_probabilities = Numbering { count: 0 };
    let mut of_actions = Numbering { count: 0 };
    for choices in &model.choices {
        for choice in choices {
            for &action in &choice.actions {
                if !of_actions.gives(action) {
                    return Err(refusal("has actions in another order than they are found in"));
                }
            }
            for &(probability, successor) in &choice.to {
                if !of_probabilities.gives(probability) || !of_states.gives(successor) {
                    return Err(refusal(
                        "has states or probabilities in another order than they are found in",
                    ));
                }
            }
        }
    }
    let counts =
        [of_states.count as usize, of_probabilities.count as usize, of_actions.count as usize];
    if counts != [states.len(), model.probabilities.len(), model.actions.len()] {
        return Err(refusal("has a state, probability or action that nothing leads to"));
    }
    Ok(())
}

/// Whether a stored reward is the one that was found; none is stored of 0.
fn is_reward(stored: Option<&BigRational>, found: &BigRational) -> bool {
    stored.map_or(found.is_zero(), |stored| stored == found)
}

impl Explorer<'_> {
    pub(super) fn checkpoint(&self, model: [u8; 32]) -> ExplorationCheckpoint<'_> {
        ExplorationCheckpoint {
            model,
            partial: Cow::Borrowed(&self.partial),
            initial: self.partial.model.initial.len(),
        }
    }

    /// Goes on from a checkpoint where only the states are found in which play starts; returns how
    /// many of its states are expanded. These have to be [found again](Self::find_again).
    pub(super) fn resume(
        &mut self,
        checkpoint: ExplorationCheckpoint<'static>,
    ) -> Result<usize, ModelError> {
        if checkpoint.model != digest(self.instance) {
            return Err(refusal(
                "is of another model, or of other constants, labels or reading of probabilities",
            ));
        }
        let initial = checkpoint.initial;
        let partial = checkpoint.partial.into_owned();
        if partial.states.get(..initial) != Some(&self.partial.states[..]) {
            return Err(refusal("says that play starts elsewhere"));
        }
        check_numbers(&partial, initial)?;
        let PartialModel { states, model } = partial;
        let expanded = model.choices.len();
        for state in states.into_iter().skip(initial) {
            if !self.is_within_ranges(&state) {
                return Err(refusal("has a state outside of the ranges of the variables"));
            }
            let next = self.partial.states.len();
            if self.number_of(state) as usize != next {
                return Err(refusal("has a state twice"));
            }
        }
        for (next, probability) in (0..).zip(model.probabilities) {
            if self.probability(probability) != next {
                return Err(refusal("has a probability twice"));
            }
        }
        for (next, action) in (0..).zip(&model.actions) {
            if self.action(action) != next {
                return Err(refusal("has an action twice"));
            }
        }
        if expanded > 0 && model.rewards.len() != self.partial.model.rewards.len() {
            return Err(refusal("has other reward structures"));
        }
        for (rewards, stored) in self.partial.model.rewards.iter_mut().zip(model.rewards) {
            rewards.states = stored.states;
            rewards.choices = stored.choices;
        }
        if self.partial.model.kind != ModelType::Concurrent {
            self.partial.model.owners = model.owners;
        }
        self.partial.model.choices = model.choices;
        self.partial.model.holds = model.holds;
        for number in 0..expanded {
            let values = values_of(self.instance, &self.partial.states[number]);
            self.partial.model.values.push(values);
            self.count_stored(number);
        }
        Ok(expanded)
    }

    fn is_within_ranges(&self, state: &[i32]) -> bool {
        let variables = self.instance.variables_of_states();
        let mut is_within = state.len() == variables.len();
        for (variable, value) in variables.iter().zip(state) {
            is_within &= match variable.of {
                VariableType::Truth => (0..=1).contains(value),
                VariableType::Integers { low, high } => (low..=high).contains(value),
            };
        }
        is_within
    }

    /// Counts the bytes of a stored state, and whether it is a deadlock.
    fn count_stored(&mut self, number: usize) {
        let model = &self.partial.model;
        let (holds, choices, state) = (&model.holds[number], &model.choices[number], number as u32);
        self.bytes += 4 * holds.len() as u64;
        for choice in choices {
            self.bytes += BYTES_OF_CHOICE + BYTES_OF_SUCCESSOR * choice.to.len() as u64;
        }
        for rewards in &model.rewards {
            let of_choices = (0..choices.len() as u32)
                .filter_map(|choice| rewards.choices.get(&[state, choice]));
            for reward in of_choices.chain(rewards.states.get(&state)) {
                self.bytes += BYTES_OF_REWARD + bytes_of_number(reward);
            }
        }
        if holds.last() == Some(&self.deadlock) {
            self.deadlocks += 1;
        }
    }

    /// Expands the first states again, which a checkpoint had, and compares.
    ///
    /// # Errors
    /// [`ModelError::Checkpoint`] for the first state of which the checkpoint says something else;
    /// the fault of a malformed state.
    pub(super) fn find_again(
        &self,
        stored: usize,
        threads: &Threads,
        watched: &mut Watched<'_, '_>,
    ) -> Result<(), Error> {
        for first in (0..stored).step_by(STATES_A_BATCH) {
            let batch = first..stored.min(first + STATES_A_BATCH);
            let compared = threads
                .run(&Mutex::default(), batch, |(): &mut (), number| self.is_found_again(number));
            for (number, is_same) in (first..).zip(compared) {
                if !is_same.map_err(|error| in_file(&self.file, &error))? {
                    let state = self.instance.describe(&self.partial.states[number]);
                    return Err(
                        refusal(format!("says of state {state} what the model does not")).into()
                    );
                }
            }
            watched.count(self)?;
        }
        Ok(())
    }

    /// Whether a stored state has the owner, labels, rewards and choices that the model gives it.
    fn is_found_again(&self, number: usize) -> Result<bool, LanguageError> {
        let expansion = Expansion::of(self.instance, &self.partial.states[number])?;
        let model = &self.partial.model;
        let choices = &expansion.choices.choices;
        let mut holds = expansion.holds;
        if choices.is_empty() {
            holds.push(self.deadlock);
        }
        let is_of_owner =
            model.owners.get(number).is_none_or(|&owner| owner as usize == expansion.choices.owner);
        if !is_of_owner || holds != model.holds[number] || !self.has_choices(number, choices) {
            return Ok(false);
        }
        let state = number as u32;
        for (stored, found) in model.rewards.iter().zip(&expansion.rewards) {
            if !is_reward(stored.states.get(&state), &found.of_state) {
                return Ok(false);
            }
            for (choice, reward) in (0..).zip(&found.of_choices) {
                if !is_reward(stored.choices.get(&[state, choice]), reward) {
                    return Ok(false);
                }
            }
            // The loop of a deadlock has no reward.
            if choices.is_empty() && stored.choices.contains_key(&[state, 0]) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn has_choices(&self, number: usize, choices: &[Choice]) -> bool {
        let stored = &self.partial.model.choices[number];
        if choices.is_empty() {
            return matches!(&stored[..], [only] if self.is_loop(number, only));
        }
        stored.len() == choices.len()
            && stored.iter().zip(choices).all(|(stored, found)| self.is_choice(stored, found))
    }

    /// Whether a stored choice is the loop of a deadlock.
    fn is_loop(&self, number: usize, stored: &explicit::Choice) -> bool {
        let model = &self.partial.model;
        let Loop { action, players } = model.loop_of_deadlock();
        let [(probability, successor)] = stored.to[..] else { return false };
        let is_certain = matches!(&model.probabilities[probability as usize], Probability::Known(share) if share.is_one());
        let waits = |&stored: &u32| model.actions[stored as usize] == action;
        is_certain
            && successor as usize == number
            && stored.actions.len() == players
            && stored.actions.iter().all(waits)
    }

    fn is_choice(&self, stored: &explicit::Choice, found: &Choice) -> bool {
        let PartialModel { states, model } = &self.partial;
        let actions = &found.steps[0].actions;
        if stored.actions.len() != actions.len() || stored.to.len() != found.to.len() {
            return false;
        }
        for (&stored, &found) in stored.actions.iter().zip(actions) {
            if model.actions[stored as usize] != model.name_of_action(self.instance, found) {
                return false;
            }
        }
        for (&(probability, state), (successor, share)) in stored.to.iter().zip(&found.to) {
            if states[state as usize] != *successor
                || model.probabilities[probability as usize] != *share
            {
                return false;
            }
        }
        true
    }
}
