//! Models in the modelling language, as the states that play can come to.

mod checkpoint;
mod resumed;

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use hashbrown::HashMap;
use num_rational::BigRational;
use num_traits::Zero;
use prism_model::{
    Choice, Choices, Instance, LanguageError, Model, ModelKind, Probability, PropertyFile, State,
    Value, VariableType,
};

use super::explicit::{self, ExplicitModel, ModelType, Probabilities, ROUNDED, RewardStructure};
use crate::Error;
use crate::atomic_file::read_whole;
use crate::error::ModelError;
use crate::work::{CheckpointKind, Checkpointing, Threads, WorkError, setters};

pub use checkpoint::ExplorationCheckpoint;
use checkpoint::{PartialModel, digest};

/// A callback that hears how many states have been found so far, and may cancel.
pub type StatesFound<'w> = dyn FnMut(u64) -> ControlFlow<()> + 'w;

/// So many combinations of values are looked at for initial states that a formula describes.
const MOST_COMBINATIONS: u64 = 100_000_000;

/// Progress is reported, and cancelling asked for, after this many states and successors.
const SUCCESSORS_A_REPORT: u64 = 10_000;

/// The most states that threads expand before what they found is added to the model: enough for
/// each to have work, and few enough that what waits stays in a cache (with 4,096 states one thread
/// took a fifth longer).
const STATES_A_BATCH: usize = 256;

/// Threads begin with no further state of a batch once they have found this many successors, for
/// the same reason.
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
    /// Reads a model in the modelling language, gives its constants values, and explores it on one
    /// thread ([`Exploration::read`]).
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
    pub fn explore(
        file: &str,
        instance: &Instance,
        memory_limit: u64,
        found: &mut StatesFound<'_>,
    ) -> Result<Self, Error> {
        Exploration::within(memory_limit).threads(1).explore(file, instance, found)
    }
}

/// A callback for checkpoints.
type WriteCheckpoint<'k> = dyn FnMut(&ExplorationCheckpoint<'_>) + Send + 'k;

/// How a model in the modelling language is explored: on how many threads, within how much memory,
/// with which checkpoints.
///
/// The model is the same for any number of threads, and however often the exploration was
/// interrupted.
#[derive(Debug)]
pub struct Exploration<'k> {
    threads: Option<usize>,
    memory_limit: u64,
    probabilities: Probabilities,
    checkpoint: Option<Checkpointing<WriteCheckpoint<'k>>>,
    resumed: Option<ExplorationCheckpoint<'static>>,
}

impl<'k> Exploration<'k> {
    /// An exploration on all threads of the machine that takes this many bytes at most.
    pub fn within(memory_limit: u64) -> Self {
        Self {
            threads: None,
            memory_limit,
            probabilities: Probabilities::Exact,
            checkpoint: None,
            resumed: None,
        }
    }

    setters! {
        /// Explores on this many threads.
        #[must_use]
        threads(threads: usize) => threads = Some(threads);

        /// How [`read`](Self::read) takes the probabilities of a command:
        /// [exact](Probabilities::Exact) unless given, or [normalised](Probabilities::Normalised).
        #[must_use]
        probabilities(probabilities: Probabilities) => probabilities = probabilities;

        /// Sets a callback for checkpoints, called at most once in this interval, and when the
        /// exploration is cancelled; once it was called, or a checkpoint is resumed, also when all
        /// states are found. No checkpoint has a part of the states where play starts.
        #[must_use]
        on_checkpoint(every: Duration, write: impl FnMut(&ExplorationCheckpoint<'_>) + Send + 'k) =>
            checkpoint = Some(Checkpointing::new(every, Box::new(write)));

        /// Resumes a checkpoint of the same model, with the same constants. Before the exploration
        /// ends, all that the checkpoint says is found again on all threads, and compared.
        #[must_use]
        resume(checkpoint: ExplorationCheckpoint<'static>) => resumed = Some(checkpoint);
    }

    /// Reads a model in the modelling language, gives its constants values, and
    /// [explores](Self::explore) it. Properties may have the constants, formulas and labels of a
    /// file of properties.
    ///
    /// # Errors
    /// [`ModelError::File`] with the line, or for [nearest](Probabilities::Nearest) probabilities,
    /// which are printed ones of an export; those of [`explore`](Self::explore).
    pub fn read(
        self,
        file: &Path,
        properties: Option<&PropertyFile>,
        constants: &[(String, Value)],
        found: &mut StatesFound<'_>,
    ) -> Result<ExplicitModel, Error> {
        let name = file.display().to_string();
        let unread = |error: io::Error| ModelError::File {
            file: name.clone(),
            line: None,
            reason: format!("it cannot be read: {error}"),
        };
        let no_text = |_| {
            io::Error::new(
                io::ErrorKind::InvalidData,
                "it is no text in UTF-8; expected a file saved as UTF-8",
            )
        };
        let text = read_whole(file, MOST_BYTES)
            .and_then(|bytes| String::from_utf8(bytes).map_err(no_text))
            .map_err(unread)?;
        let model = Model::read(&text).map_err(|error| in_file(&name, &error))?;
        let mut instance =
            Instance::new(&model, properties, constants).map_err(|error| in_file(&name, &error))?;
        match self.probabilities {
            Probabilities::Exact => {}
            Probabilities::Normalised => instance = instance.normalised(),
            Probabilities::Nearest => {
                let reason = "nearest probabilities are for an export, MODEL.tra; expected exact or normalised for a model in the language";
                return Ok(ModelError::in_file(&name, 0, reason.to_owned())?);
            }
        }
        self.explore(&name, &instance, found)
    }

    /// Finds all states that play can come to. A state without a choice gets a loop, and the label
    /// `deadlock`.
    ///
    /// `found` hears on the calling thread how many states have been found so far; how many there
    /// are is known only at the end.
    ///
    /// # Errors
    /// [`ModelError::File`] with the line of a command that is malformed in a state;
    /// [`ModelError::Checkpoint`] for a checkpoint of another model, or one that says what is not
    /// found again; [`WorkError::Memory`]; [`WorkError::ThreadCount`]; [`WorkError::Cancelled`].
    pub fn explore(
        self,
        file: &str,
        instance: &Instance,
        found: &mut StatesFound<'_>,
    ) -> Result<ExplicitModel, Error> {
        let Self { threads, memory_limit, probabilities: _, checkpoint, resumed } = self;
        let threads = Threads::start(Threads::checked(threads)?)?;
        let mut explorer = Explorer::new(file, instance);
        let kept = checkpoint.map(|checkpoint| Kept {
            checkpoint,
            model: digest(instance),
            is_any: resumed.is_some(),
        });
        let mut watched = Watched { memory_limit, found, kept };
        explorer.find_initial_states(&mut watched)?;
        let stored = match resumed {
            Some(checkpoint) => explorer.resume(checkpoint)?,
            None => 0,
        };
        let mut since_report = 0;
        while explorer.partial.expanded() < explorer.partial.states.len() {
            since_report += explorer.expand_batch(&threads)?;
            if since_report >= SUCCESSORS_A_REPORT {
                since_report = 0;
                watched.report(&explorer)?;
            }
        }
        explorer.check_memory(memory_limit)?;
        if stored < explorer.partial.states.len() {
            watched.keep_whole(&explorer);
        }
        explorer.find_again(stored, &threads, &mut watched)?;
        Ok(explorer.finish())
    }
}

/// The callbacks of an exploration.
struct Watched<'w, 'k> {
    memory_limit: u64,
    found: &'w mut StatesFound<'k>,
    kept: Option<Kept<'w>>,
}

struct Kept<'k> {
    checkpoint: Checkpointing<WriteCheckpoint<'k>>,
    /// The digest of the model.
    model: [u8; 32],
    /// Whether there is a checkpoint: one was resumed or written.
    is_any: bool,
}

impl Watched<'_, '_> {
    /// Checks the memory, reports progress, keeps what is found, and stops where that is asked for.
    fn report(&mut self, explorer: &Explorer<'_>) -> Result<(), Error> {
        let answer = self.count(explorer);
        let kind = if answer.is_err() { CheckpointKind::Last } else { CheckpointKind::Periodic };
        self.keep(explorer, kind);
        answer
    }

    /// Checks the memory, reports progress, and stops where that is asked for.
    fn count(&mut self, explorer: &Explorer<'_>) -> Result<(), Error> {
        explorer.check_memory(self.memory_limit)?;
        match (self.found)(explorer.partial.states.len() as u64) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(WorkError::Cancelled.into()),
        }
    }

    fn keep(&mut self, explorer: &Explorer<'_>, kind: CheckpointKind) {
        let Some(kept) = &mut self.kept else { return };
        let Kept { checkpoint, model, is_any } = kept;
        if checkpoint.takes(kind) {
            checkpoint.write(|write| {
                *is_any = true;
                write(&explorer.checkpoint(*model));
            });
        }
    }

    /// Completes the checkpoint, if there is one: without any, finding all states again takes less
    /// than the interval.
    fn keep_whole(&mut self, explorer: &Explorer<'_>) {
        if self.kept.as_ref().is_some_and(|kept| kept.is_any) {
            self.keep(explorer, CheckpointKind::Last);
        }
    }
}

/// A fault of a model as one of its file.
pub(super) fn in_file(file: &str, error: &prism_model::LanguageError) -> ModelError {
    let reason = format!("column {}: {}", error.at.column, error.reason);
    ModelError::File { file: file.to_owned(), line: Some(error.at.line.into()), reason }
}

/// Choices, labels, values and rewards of a state: they depend on the state alone, so any thread
/// can find them.
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
        let values = values_of(instance, state);
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

/// The choice that a state without one gets: every player has the same action.
struct Loop {
    action: &'static str,
    players: usize,
}

impl ExplicitModel {
    fn loop_of_deadlock(&self) -> Loop {
        let players = if self.kind == ModelType::Concurrent { self.players } else { 1 };
        Loop { action: if players > 1 { "-" } else { "" }, players }
    }

    /// The name of an action of the language, or of none.
    fn name_of_action<'i>(&self, instance: &'i Instance, action: Option<usize>) -> &'i str {
        match action {
            Some(action) if self.kind != ModelType::Chain => &instance.action_names()[action],
            _ if self.kind == ModelType::Concurrent => "-",
            _ => "",
        }
    }
}

/// The values of a state's variables.
fn values_of(instance: &Instance, state: &[i32]) -> Vec<Value> {
    let mut values = Vec::with_capacity(state.len());
    for (variable, &stored) in instance.variables_of_states().iter().zip(state) {
        values.push(match variable.of {
            VariableType::Truth => Value::Truth(stored != 0),
            VariableType::Integers { .. } => Value::Integer(stored.into()),
        });
    }
    values
}

struct Explorer<'i> {
    file: String,
    instance: &'i Instance,
    partial: PartialModel,
    numbers: HashMap<State, u32>,
    probabilities: HashMap<Probability, u32>,
    action_names: HashMap<String, u32>,
    deadlock: u32,
    deadlocks: usize,
    bytes: u64,
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
        model.variables =
            instance.variables_of_states().iter().map(|variable| variable.name.clone()).collect();
        model.labels =
            instance.labels_with_formulas().iter().map(|(name, _)| name.clone()).collect();
        let deadlock = model.labels.len() as u32;
        model.labels.push("deadlock".to_owned());
        model.labels.push("init".to_owned());
        model.definitions = instance.definitions().clone();
        if instance.is_normalised() {
            model.assumptions.push(format!(
                "where the probabilities of a command sum to 1 but for rounding, they are divided by their sum{ROUNDED}"
            ));
        }
        for structure in instance.reward_structures() {
            model.rewards.push(RewardStructure {
                name: structure.name.clone(),
                ..RewardStructure::default()
            });
        }
        Self {
            file: file.to_owned(),
            instance,
            partial: PartialModel { states: Vec::new(), model },
            numbers: HashMap::new(),
            probabilities: HashMap::new(),
            action_names: HashMap::new(),
            deadlock,
            deadlocks: 0,
            bytes: 0,
        }
    }

    /// Finds the states where play starts.
    fn find_initial_states(&mut self, watched: &mut Watched<'_, '_>) -> Result<(), Error> {
        let instance = self.instance;
        let candidates = instance
            .initial_candidates(MOST_COMBINATIONS)
            .map_err(|error| in_file(&self.file, &error))?;
        for (number, state) in (1_u64..).zip(candidates) {
            if instance.is_initial(&state).map_err(|error| in_file(&self.file, &error))? {
                let number = self.number_of(state);
                self.partial.model.initial.push(number);
            }
            if number % SUCCESSORS_A_REPORT == 0 {
                watched.count(self)?;
            }
        }
        if self.partial.model.initial.is_empty() {
            instance.refuse_no_initial_state().map_err(|error| in_file(&self.file, &error))?;
        }
        Ok(())
    }

    fn check_memory(&self, memory_limit: u64) -> Result<(), WorkError> {
        let count = self.partial.states.len();
        WorkError::check_memory(
            || format!("a model of {count} states or more"),
            self.bytes,
            memory_limit,
        )
    }

    fn number_of(&mut self, state: State) -> u32 {
        if let Some(&number) = self.numbers.get(&state) {
            return number;
        }
        self.bytes += BYTES_OF_STATE + 40 * state.len() as u64;
        let number = self.partial.states.len() as u32;
        self.partial.states.push(state.clone());
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
        self.partial.model.probabilities.push(probability.clone());
        self.probabilities.insert(probability, next);
        next
    }

    fn action(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.action_names.get(name) {
            return number;
        }
        let number = self.partial.model.actions.len() as u32;
        self.partial.model.actions.push(name.to_owned());
        self.action_names.insert(name.to_owned(), number);
        number
    }

    /// Expands the next states and adds them to the model in their order, so that states get the
    /// same numbers for any number of threads. Returns the number of states and successors that
    /// were added.
    ///
    /// # Errors
    /// The fault of the first malformed state.
    fn expand_batch(&mut self, threads: &Threads) -> Result<u64, Error> {
        let first = self.partial.model.choices.len();
        let waiting = &self.partial.states[first..];
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
        let alone = Threads::alone();
        let threads = if batch.len() >= STATES_WORTH_SHARING { threads } else { &alone };
        let expansions = threads.run(&Mutex::default(), batch.iter().enumerate(), expand);
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
        let Expansion { choices: Choices { owner, choices }, mut holds, values, rewards } =
            expansion;
        for (structure, of_structure) in rewards.into_iter().enumerate() {
            if !of_structure.of_state.is_zero() {
                self.bytes += BYTES_OF_REWARD + bytes_of_number(&of_structure.of_state);
                self.partial.model.rewards[structure].states.insert(number, of_structure.of_state);
            }
            for (choice, reward) in (0_u32..).zip(of_structure.of_choices) {
                if !reward.is_zero() {
                    self.bytes += BYTES_OF_REWARD + bytes_of_number(&reward);
                    self.partial.model.rewards[structure].choices.insert([number, choice], reward);
                }
            }
        }
        if choices.is_empty() {
            holds.push(self.deadlock);
            self.deadlocks += 1;
        }
        self.add_choices(number, choices);
        self.bytes += 4 * holds.len() as u64;
        self.partial.model.holds.push(holds);
        self.partial.model.values.push(values);
        if self.partial.model.kind != ModelType::Concurrent {
            self.partial.model.owners.push(owner as u32);
        }
    }

    fn add_choices(&mut self, number: u32, choices: Vec<Choice>) {
        let is_deadlock = choices.is_empty();
        let mut added = Vec::with_capacity(choices.len().max(1));
        for choice in choices {
            let mut actions = Vec::new();
            for action in &choice.steps[0].actions {
                let name = self.partial.model.name_of_action(self.instance, *action);
                actions.push(self.action(name));
            }
            self.bytes += BYTES_OF_CHOICE + BYTES_OF_SUCCESSOR * choice.to.len() as u64;
            let mut to = Vec::with_capacity(choice.to.len());
            for (successor, probability) in choice.to {
                let probability = self.probability(probability);
                to.push((probability, self.number_of(successor)));
            }
            added.push(explicit::Choice { line: 0, actions, to });
        }
        if is_deadlock {
            let Loop { action, players } = self.partial.model.loop_of_deadlock();
            let waits = self.action(action);
            let certain = self.probability(Probability::one());
            added.push(explicit::Choice {
                line: 0,
                actions: vec![waits; players],
                to: vec![(certain, number)],
            });
        }
        self.partial.model.choices.push(added);
    }

    fn finish(mut self) -> ExplicitModel {
        let init = self.deadlock + 1;
        for &state in &self.partial.model.initial {
            self.partial.model.holds[state as usize].push(init);
        }
        if self.deadlocks > 0 {
            let states = if self.deadlocks == 1 {
                "one state".to_owned()
            } else {
                format!("{} states", self.deadlocks)
            };
            self.partial.model.assumptions.push(format!("{states} without a choice got a loop"));
        }
        self.sort();
        self.partial.model.tell_choices_apart(self.action_names);
        self.partial.model
    }

    /// Numbers the states by the values of their variables, as the model checker does, so that a
    /// state has the same number in both.
    fn sort(&mut self) {
        let mut order: Vec<u32> = (0..self.partial.states.len() as u32).collect();
        order.sort_unstable_by(|&first, &second| {
            self.partial.states[first as usize].cmp(&self.partial.states[second as usize])
        });
        let mut places = vec![0; order.len()];
        for (place, &state) in order.iter().enumerate() {
            places[state as usize] = place as u32;
        }
        let model = &mut self.partial.model;
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
            rewards.states = states
                .into_iter()
                .map(|(state, reward)| (places[state as usize], reward))
                .collect();
            let choices = std::mem::take(&mut rewards.choices);
            let renumbered = choices
                .into_iter()
                .map(|([state, choice], reward)| ([places[state as usize], choice], reward));
            rewards.choices = renumbered.collect();
        }
    }
}

/// The items of a list in another order.
fn in_order<T: Default>(order: &[u32], items: &mut [T]) -> Vec<T> {
    order.iter().map(|&place| std::mem::take(&mut items[place as usize])).collect()
}
