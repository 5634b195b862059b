//! Models in the modelling language, as the states that play can come to.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use hashbrown::HashMap;
use num_rational::BigRational;
use num_traits::Zero;
use prism_model::{
    Choice, Choices, Instance, LanguageError, Model, ModelKind, Probability, PropertyFile, State, Value, VariableType,
};

use super::explicit::{self, ExplicitModel, ModelType, RewardStructure};
use crate::Error;
use crate::atomic_file::read_whole;
use crate::error::ModelError;
use crate::work::{Threads, WorkError, setters};

/// A callback that is told how many states have been found so far, and may cancel.
pub type StatesFound<'w> = dyn FnMut(u64) -> ControlFlow<()> + 'w;

/// So many combinations of values are looked at for initial states that a formula describes.
const MOST_COMBINATIONS: u64 = 100_000_000;

/// Progress is reported, and cancelling asked for, after this many states and successors.
const SUCCESSORS_A_REPORT: u64 = 10_000;

/// The most states that threads expand before what they found is added to the model: enough for each to have work, and few enough
/// that what waits stays in a cache (with 4,096 states one thread took a fifth longer).
const STATES_A_BATCH: usize = 256;

/// Threads begin with no further state of a batch once they have found this many successors, for the same reason.
const SUCCESSORS_A_BATCH: u64 = 10_000;

/// Smaller batches are not worth waking threads for.
const STATES_WORTH_SHARING: usize = 32;

/// Bytes of a state beside its variables, labels and choices: its place in the table, vectors.
const BYTES_OF_STATE: u64 = 200;

/// Bytes of a choice, and of a successor.
const BYTES_OF_CHOICE: u64 = 80;
const BYTES_OF_SUCCESSOR: u64 = 8;

/// Bytes of a probability that no other one equals, and of a reward, beside long digits.
const BYTES_OF_PROBABILITY: u64 = 300;
const BYTES_OF_REWARD: u64 = 120;

/// The bytes of the digits of a number.
fn bytes_of_number(number: &BigRational) -> u64 {
    (number.numer().bits() + number.denom().bits()) / 8
}

/// The longest model that is read.
const MOST_BYTES: u64 = 1 << 24;

/// Whether a file is a model in the modelling language, by the ending of its name.
pub fn is_model_text(file: &Path) -> bool {
    const ENDINGS: [&str; 5] = ["prism", "nm", "pm", "csg", "smg"];
    file.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
}

impl ExplicitModel {
    /// Reads a model in the modelling language, gives its constants values, and explores it on one thread
    /// ([`Exploration::read`]).
    ///
    /// # Errors
    /// As for [`Exploration::read`].
    pub fn read_text(
        file: &Path,
        properties: Option<&PropertyFile>,
        constants: &[(String, Value)],
        memory_limit: u64,
        found: &mut StatesFound<'_>,
    ) -> Result<Self, Error> {
        Exploration::within(memory_limit).threads(1).read(file, properties, constants, found)
    }

    /// Explores a model in the modelling language on one thread ([`Exploration::explore`]).
    ///
    /// # Errors
    /// As for [`Exploration::explore`].
    pub fn explore(file: &str, instance: &Instance, memory_limit: u64, found: &mut StatesFound<'_>) -> Result<Self, Error> {
        Exploration::within(memory_limit).threads(1).explore(file, instance, found)
    }
}

/// How a model in the modelling language is explored: on how many threads, within how much memory.
///
/// The model is the same for any number of threads.
#[derive(Clone, Debug)]
pub struct Exploration {
    threads: Option<usize>,
    memory_limit: u64,
}

impl Exploration {
    /// An exploration on all threads of the machine that takes this many bytes at most.
    pub fn within(memory_limit: u64) -> Self {
        Self { threads: None, memory_limit }
    }

    setters! {
        /// Explores on this many threads.
        #[must_use]
        threads(threads: usize) => threads = Some(threads);
    }

    /// Reads a model in the modelling language, gives its constants values, and [explores](Self::explore) it. Properties may have
    /// the constants, formulas and labels of a file of properties.
    ///
    /// # Errors
    /// [`ModelError::File`] with the line; those of [`explore`](Self::explore).
    pub fn read(
        &self,
        file: &Path,
        properties: Option<&PropertyFile>,
        constants: &[(String, Value)],
        found: &mut StatesFound<'_>,
    ) -> Result<ExplicitModel, Error> {
        let name = file.display().to_string();
        let unread =
            |error: io::Error| ModelError::File { file: name.clone(), line: None, reason: format!("it cannot be read: {error}") };
        let no_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8; expected a file saved as UTF-8");
        let text = read_whole(file, MOST_BYTES).and_then(|bytes| String::from_utf8(bytes).map_err(no_text)).map_err(unread)?;
        let model = Model::read(&text).map_err(|error| in_file(&name, &error))?;
        let instance = Instance::new(&model, properties, constants).map_err(|error| in_file(&name, &error))?;
        self.explore(&name, &instance, found)
    }

    /// Finds all states that play can come to. A state without a choice gets a loop, and the label `deadlock`.
    ///
    /// `found` hears on the calling thread how many states have been found so far; how many there are is known only at the end.
    ///
    /// # Errors
    /// [`ModelError::File`] with the line of a command that is malformed in a state; [`WorkError::Memory`];
    /// [`WorkError::ThreadCount`]; [`WorkError::Cancelled`].
    pub fn explore(&self, file: &str, instance: &Instance, found: &mut StatesFound<'_>) -> Result<ExplicitModel, Error> {
        let threads = Threads::start(Threads::checked(self.threads)?)?;
        let mut explorer = Explorer::new(file, instance);
        explorer.find_initial_states(self.memory_limit, found)?;
        let mut since_report = 0;
        while explorer.model.choices.len() < explorer.states.len() {
            since_report += explorer.expand_batch(&threads)?;
            if since_report >= SUCCESSORS_A_REPORT {
                since_report = 0;
                explorer.report(self.memory_limit, found)?;
            }
        }
        explorer.check_memory(self.memory_limit)?;
        Ok(explorer.finish())
    }
}

/// A fault of a model as one of its file.
pub(super) fn in_file(file: &str, error: &prism_model::LanguageError) -> ModelError {
    let reason = format!("column {}: {}", error.at.column, error.reason);
    ModelError::File { file: file.to_owned(), line: Some(error.at.line.into()), reason }
}

/// Choices, labels, values and rewards of a state: they depend on the state alone, so any thread can find them.
struct Expansion {
    choices: Choices,
    /// The labels that hold.
    holds: Vec<u32>,
    values: Vec<Value>,
    /// By reward structure.
    rewards: Vec<StateRewards>,
}

/// The rewards of a state in one structure.
struct StateRewards {
    of_state: BigRational,
    of_choices: Vec<BigRational>,
}

impl Expansion {
    fn of(instance: &Instance, state: &[i32]) -> Result<Self, LanguageError> {
        let choices = instance.choices(state)?;
        let mut holds = Vec::new();
        for (label, (_, formula)) in (0_u32..).zip(instance.labels_with_formulas()) {
            if instance.holds_in(formula, state)? {
                holds.push(label);
            }
        }
        let mut values = Vec::with_capacity(state.len());
        for (variable, &stored) in instance.variables_of_states().iter().zip(state) {
            values.push(match variable.of {
                VariableType::Truth => Value::Truth(stored != 0),
                VariableType::Integers { .. } => Value::Integer(stored.into()),
            });
        }
        let structures = instance.reward_structures().len();
        let mut rewards = Vec::with_capacity(structures);
        for structure in 0..structures {
            let of_state = instance.state_reward(structure, state)?;
            let mut of_choices = Vec::with_capacity(choices.choices.len());
            for choice in &choices.choices {
                of_choices.push(instance.choice_reward(structure, state, choice)?);
            }
            rewards.push(StateRewards { of_state, of_choices });
        }
        Ok(Self { choices, holds, values, rewards })
    }

    /// The number of successors of all choices.
    fn successors(&self) -> u64 {
        self.choices.choices.iter().map(|choice| choice.to.len() as u64).sum()
    }
}

struct Explorer<'i> {
    file: String,
    instance: &'i Instance,
    states: Vec<State>,
    numbers: HashMap<State, u32>,
    probabilities: HashMap<Probability, u32>,
    action_names: HashMap<String, u32>,
    deadlock: u32,
    deadlocks: usize,
    bytes: u64,
    model: ExplicitModel,
}

impl<'i> Explorer<'i> {
    fn new(file: &str, instance: &'i Instance) -> Self {
        let kind = match instance.kind() {
            ModelKind::ConcurrentGame => ModelType::Concurrent,
            ModelKind::TurnBasedGame => ModelType::TurnBased,
            ModelKind::DecisionProcess => ModelType::DecisionProcess,
            ModelKind::Chain => ModelType::Chain,
        };
        let players = instance.player_names().len().max(1);
        let mut model = ExplicitModel::without_states(kind, file.to_owned(), players);
        model.player_names = instance.player_names().to_vec();
        model.variables = instance.variables_of_states().iter().map(|variable| variable.name.clone()).collect();
        model.labels = instance.labels_with_formulas().iter().map(|(name, _)| name.clone()).collect();
        let deadlock = model.labels.len() as u32;
        model.labels.push("deadlock".to_owned());
        model.labels.push("init".to_owned());
        model.definitions = instance.definitions().clone();
        for structure in instance.reward_structures() {
            model.rewards.push(RewardStructure { name: structure.name.clone(), ..RewardStructure::default() });
        }
        Self {
            file: file.to_owned(),
            instance,
            states: Vec::new(),
            numbers: HashMap::new(),
            probabilities: HashMap::new(),
            action_names: HashMap::new(),
            deadlock,
            deadlocks: 0,
            bytes: 0,
            model,
        }
    }

    /// Finds the states where play starts.
    fn find_initial_states(&mut self, memory_limit: u64, found: &mut StatesFound<'_>) -> Result<(), Error> {
        let instance = self.instance;
        let candidates = instance.initial_candidates(MOST_COMBINATIONS).map_err(|error| in_file(&self.file, &error))?;
        for (number, state) in (1_u64..).zip(candidates) {
            if instance.is_initial(&state).map_err(|error| in_file(&self.file, &error))? {
                let number = self.number_of(state);
                self.model.initial.push(number);
            }
            if number % SUCCESSORS_A_REPORT == 0 {
                self.report(memory_limit, found)?;
            }
        }
        if self.model.initial.is_empty() {
            instance.refuse_no_initial_state().map_err(|error| in_file(&self.file, &error))?;
        }
        Ok(())
    }

    /// Checks the memory, reports progress, and stops where that is asked for.
    fn report(&self, memory_limit: u64, found: &mut StatesFound<'_>) -> Result<(), Error> {
        self.check_memory(memory_limit)?;
        match found(self.states.len() as u64) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(WorkError::Cancelled.into()),
        }
    }

    fn check_memory(&self, memory_limit: u64) -> Result<(), WorkError> {
        let count = self.states.len();
        WorkError::check_memory(|| format!("a model of {count} states or more"), self.bytes, memory_limit)
    }

    fn number_of(&mut self, state: State) -> u32 {
        if let Some(&number) = self.numbers.get(&state) {
            return number;
        }
        self.bytes += BYTES_OF_STATE + 40 * state.len() as u64;
        let number = self.states.len() as u32;
        self.states.push(state.clone());
        self.numbers.insert(state, number);
        number
    }

    fn probability(&mut self, probability: Probability) -> u32 {
        let next = self.probabilities.len() as u32;
        if let Some(&number) = self.probabilities.get(&probability) {
            return number;
        }
        let long = [probability.least(), probability.most()].map(bytes_of_number);
        self.bytes += BYTES_OF_PROBABILITY + 2 * long.iter().sum::<u64>();
        self.model.probabilities.push(probability.clone());
        self.probabilities.insert(probability, next);
        next
    }

    fn action(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.action_names.get(name) {
            return number;
        }
        let number = self.model.actions.len() as u32;
        self.model.actions.push(name.to_owned());
        self.action_names.insert(name.to_owned(), number);
        number
    }

    /// Expands the next states and adds them to the model in their order, so that states get the same numbers for any number of
    /// threads. Returns the number of states and successors that were added.
    ///
    /// # Errors
    /// The fault of the first malformed state.
    fn expand_batch(&mut self, threads: &Threads) -> Result<u64, Error> {
        let first = self.model.choices.len();
        let waiting = &self.states[first..];
        let batch = &waiting[..waiting.len().min(STATES_A_BATCH)];
        let instance = self.instance;
        let successors = AtomicU64::new(0);
        // The first state is always expanded, so that every batch makes progress.
        let expand = |(): &mut (), (place, state): (usize, &State)| {
            if place > 0 && successors.load(Ordering::Relaxed) >= SUCCESSORS_A_BATCH {
                return None;
            }
            let expansion = Expansion::of(instance, state);
            if let Ok(expansion) = &expansion {
                successors.fetch_add(expansion.successors(), Ordering::Relaxed);
            }
            Some(expansion)
        };
        let is_shared = batch.len() >= STATES_WORTH_SHARING;
        let expansions = threads.run(is_shared, &Mutex::default(), batch.iter().enumerate(), expand);
        let mut added = 0;
        for (number, expansion) in (first..).zip(expansions) {
            // Those behind a state that was left out are expanded again.
            let Some(expansion) = expansion else { break };
            let expansion = expansion.map_err(|error| in_file(&self.file, &error))?;
            added += 1 + expansion.successors();
            self.add(number as u32, expansion);
        }
        Ok(added)
    }

    /// Adds a state's labels, rewards and choices to the model.
    fn add(&mut self, number: u32, expansion: Expansion) {
        let Expansion { choices: Choices { owner, choices }, mut holds, values, rewards } = expansion;
        for (structure, own) in rewards.into_iter().enumerate() {
            if !own.of_state.is_zero() {
                self.bytes += BYTES_OF_REWARD + bytes_of_number(&own.of_state);
                self.model.rewards[structure].states.insert(number, own.of_state);
            }
            for (choice, reward) in (0_u32..).zip(own.of_choices) {
                if !reward.is_zero() {
                    self.bytes += BYTES_OF_REWARD + bytes_of_number(&reward);
                    self.model.rewards[structure].choices.insert([number, choice], reward);
                }
            }
        }
        if choices.is_empty() {
            holds.push(self.deadlock);
            self.deadlocks += 1;
        }
        self.add_choices(number, choices);
        self.bytes += 4 * holds.len() as u64;
        self.model.holds.push(holds);
        self.model.values.push(values);
        if self.model.kind != ModelType::Concurrent {
            self.model.owners.push(owner as u32);
        }
    }

    fn add_choices(&mut self, number: u32, choices: Vec<Choice>) {
        let is_deadlock = choices.is_empty();
        let mut own = Vec::with_capacity(choices.len().max(1));
        for choice in choices {
            let mut actions = Vec::new();
            for action in &choice.steps[0].actions {
                let is_named = self.model.kind != ModelType::Chain;
                let name = match action.filter(|_| is_named) {
                    Some(action) => &self.instance.action_names()[action],
                    None if self.model.kind == ModelType::Concurrent => "-",
                    None => "",
                };
                actions.push(self.action(name));
            }
            self.bytes += BYTES_OF_CHOICE + BYTES_OF_SUCCESSOR * choice.to.len() as u64;
            let mut to = Vec::with_capacity(choice.to.len());
            for (successor, probability) in choice.to {
                let probability = self.probability(probability);
                to.push((probability, self.number_of(successor)));
            }
            own.push(explicit::Choice { line: 0, actions, to });
        }
        if is_deadlock {
            let players = if self.model.kind == ModelType::Concurrent { self.model.players } else { 1 };
            let waits = self.action(if players > 1 { "-" } else { "" });
            let certain = self.probability(Probability::one());
            own.push(explicit::Choice { line: 0, actions: vec![waits; players], to: vec![(certain, number)] });
        }
        self.model.choices.push(own);
    }

    fn finish(mut self) -> ExplicitModel {
        let init = self.deadlock + 1;
        for &state in &self.model.initial {
            self.model.holds[state as usize].push(init);
        }
        if self.deadlocks > 0 {
            let states = if self.deadlocks == 1 { "one state".to_owned() } else { format!("{} states", self.deadlocks) };
            self.model.assumptions.push(format!("{states} without a choice got a loop"));
        }
        self.sort();
        self.model.tell_choices_apart(self.action_names);
        self.model
    }

    /// Numbers the states by the values of their variables, as the model checker does, so that a state has the same number in both.
    fn sort(&mut self) {
        let mut order: Vec<u32> = (0..self.states.len() as u32).collect();
        order.sort_unstable_by(|&first, &second| self.states[first as usize].cmp(&self.states[second as usize]));
        let mut places = vec![0; order.len()];
        for (place, &state) in order.iter().enumerate() {
            places[state as usize] = place as u32;
        }
        let model = &mut self.model;
        model.choices = in_order(&order, &mut model.choices);
        model.values = in_order(&order, &mut model.values);
        model.holds = in_order(&order, &mut model.holds);
        if !model.owners.is_empty() {
            model.owners = in_order(&order, &mut model.owners);
        }
        for (_, next) in model.choices.iter_mut().flatten().flat_map(|choice| &mut choice.to) {
            *next = places[*next as usize];
        }
        for state in &mut model.initial {
            *state = places[*state as usize];
        }
        model.initial.sort_unstable();
        for rewards in &mut model.rewards {
            let states = std::mem::take(&mut rewards.states);
            rewards.states = states.into_iter().map(|(state, reward)| (places[state as usize], reward)).collect();
            let choices = std::mem::take(&mut rewards.choices);
            let renumbered = choices.into_iter().map(|([state, choice], reward)| ([places[state as usize], choice], reward));
            rewards.choices = renumbered.collect();
        }
    }
}

/// The items of a list in another order.
fn in_order<T: Default>(order: &[u32], items: &mut [T]) -> Vec<T> {
    order.iter().map(|&place| std::mem::take(&mut items[place as usize])).collect()
}
