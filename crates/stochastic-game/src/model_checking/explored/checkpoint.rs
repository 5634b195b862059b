//! Checkpoints of explorations: the states found so far, with what follows those that were
//! expanded.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::str::FromStr;

use num_rational::BigRational;
use num_traits::Zero;
use prism_model::{Instance, Probability, State};
use sha2::{Digest, Sha256};

use crate::error::ModelError;
use crate::model_checking::explicit::{Choice, ExplicitModel, ModelType, RewardStructure};
use crate::sealed::{Format, SealFault, SealedReader, SealedWriter};

const FORMAT: Format =
    Format { magic: *b"PTSTATES", versions: [1, 1], name: "a checkpoint of a model's states" };

/// The states of a model in the modelling language that are found so far, from which an
/// [`Exploration`](crate::model_checking::Exploration) goes on to the same model.
///
/// A checkpoint that is read is not trusted: before a resumed exploration ends, it expands the
/// stored states again, on all threads, and compares. However often it was interrupted, it does so
/// once, and need not look up successors.
///
/// # Format
///
/// Integers are little-endian; a text is its length (4) and UTF-8; a list is its length (4) and its
/// items.
///
/// | bytes | content |
/// | --- | --- |
/// | 8, 4 | `PTSTATES`, the version 1 |
/// | 32 | SHA-256 of the model with all names resolved and the values of its constants ([`Instance::write_resolved`]) |
/// | 8 × 7 | the numbers of variables, of reward structures, of probabilities, of actions, of states where play starts, of all states, of expanded states |
/// | 4 | CRC-32 of everything before |
/// | texts | the probabilities, such as `1/3` or `[1/4,1/2]`, then the names of the actions |
/// | 4 a variable | the values of each state's variables |
/// | each expanded state | its owner (4); its labels, a list of numbers (4); its choices, a list, each with a list of actions (4) and one of successors: the number of the probability, and of the state (4 each); for each reward structure a text for the state and one for each choice, empty for 0 |
/// | 4 | CRC-32 of this part |
#[derive(Clone, Debug)]
pub struct ExplorationCheckpoint<'e> {
    /// The digest of the model.
    pub(super) model: [u8; 32],
    pub(super) partial: Cow<'e, PartialModel>,
    /// The number of states where play starts, which come first.
    pub(super) initial: usize,
}

/// States in the order in which they were found. The first ones are expanded: the model has their
/// choices, labels and rewards.
#[derive(Clone, Debug)]
pub(super) struct PartialModel {
    pub(super) states: Vec<State>,
    pub(super) model: ExplicitModel,
}

impl PartialModel {
    /// The number of states that are expanded.
    pub(super) fn expanded(&self) -> usize {
        self.model.choices.len()
    }
}

/// The digest of all on which the states of a model depend.
pub(super) fn digest(instance: &Instance) -> [u8; 32] {
    struct Hashed(Sha256);

    impl fmt::Write for Hashed {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.update(text);
            Ok(())
        }
    }

    let mut hashed = Hashed(Sha256::new());
    // Hashing does not fail.
    let _ = instance.write_resolved(&mut hashed);
    hashed.0.finalize().into()
}

pub(super) fn refusal(reason: impl Into<String>) -> ModelError {
    ModelError::Checkpoint { reason: reason.into() }
}

impl From<SealFault> for ModelError {
    fn from(fault: SealFault) -> Self {
        refusal(fault.to_string())
    }
}

impl ExplorationCheckpoint<'_> {
    /// The number of states found so far.
    pub fn states(&self) -> u64 {
        self.partial.states.len() as u64
    }

    /// The number of states whose successors are found.
    pub fn expanded(&self) -> u64 {
        self.partial.expanded() as u64
    }

    /// Writes the checkpoint. To survive a crash, write a new file and rename it.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let PartialModel { states, model } = &*self.partial;
        let variables = states.first().map_or(0, |state| state.len());
        let mut out = SealedWriter::new(BufWriter::new(out), &FORMAT, FORMAT.versions[1])?;
        out.put(self.model)?;
        let counts = [
            variables,
            model.rewards.len(),
            model.probabilities.len(),
            model.actions.len(),
            self.initial,
        ];
        out.numbers(counts.map(|count| count as u64))?;
        out.numbers([self.states(), self.expanded()])?;
        out.end_part()?;
        for probability in &model.probabilities {
            put_text(&mut out, &probability.to_string())?;
        }
        for action in &model.actions {
            put_text(&mut out, action)?;
        }
        for state in states {
            out.numbers(state.iter().copied())?;
        }
        for state in 0..model.choices.len() {
            put_expanded(&mut out, model, state)?;
        }
        out.end_part()
    }
}

fn put_text<W: Write>(out: &mut SealedWriter<W>, text: &str) -> io::Result<()> {
    out.numbers([text.len() as u32])?;
    out.put(text)
}

fn put_reward<W: Write>(out: &mut SealedWriter<W>, reward: Option<&BigRational>) -> io::Result<()> {
    let text = reward.map_or(String::new(), BigRational::to_string);
    put_text(out, &text)
}

fn put_list<W: Write>(out: &mut SealedWriter<W>, numbers: &[u32]) -> io::Result<()> {
    out.numbers([numbers.len() as u32])?;
    out.numbers(numbers.iter().copied())
}

fn put_expanded<W: Write>(
    out: &mut SealedWriter<W>,
    model: &ExplicitModel,
    state: usize,
) -> io::Result<()> {
    let choices = &model.choices[state];
    out.numbers([model.owners.get(state).copied().unwrap_or_default()])?;
    put_list(out, &model.holds[state])?;
    out.numbers([choices.len() as u32])?;
    for choice in choices {
        put_list(out, &choice.actions)?;
        out.numbers([choice.to.len() as u32])?;
        for &(probability, successor) in &choice.to {
            out.numbers([probability, successor])?;
        }
    }
    let number = state as u32;
    for rewards in &model.rewards {
        put_reward(out, rewards.states.get(&number))?;
        for choice in 0..choices.len() as u32 {
            put_reward(out, rewards.choices.get(&[number, choice]))?;
        }
    }
    Ok(())
}

impl ExplorationCheckpoint<'static> {
    /// Reads and checks a checkpoint, and leaves the input right behind it.
    ///
    /// # Errors
    /// [`ModelError::Checkpoint`] with the fault.
    pub fn read(input: impl Read + Seek) -> Result<Self, ModelError> {
        let mut input = Input { sealed: SealedReader::new(input, &FORMAT)? };
        let model = input.sealed.take()?;
        let mut counts = [0; 7];
        for count in &mut counts {
            *count = input.sealed.u64()?;
        }
        input.sealed.end_part()?;
        let [variables, structures, probabilities, actions, initial, states, expanded] = counts;
        // Without variables there is one state.
        let most = if variables == 0 { 1 } else { u32::MAX.into() };
        if initial > states || expanded > states || states > most {
            return Err(refusal("has numbers of states that contradict each other"));
        }
        let mut partial = PartialModel {
            states: Vec::new(),
            model: ExplicitModel::without_states(ModelType::TurnBased, String::new(), 0),
        };
        for _ in 0..probabilities {
            partial.model.probabilities.push(input.probability()?);
        }
        for _ in 0..actions {
            partial.model.actions.push(input.text()?);
        }
        for _ in 0..states {
            partial.states.push(input.state(variables)?);
        }
        for number in 0..expanded {
            input.expanded(number as u32, structures, &mut partial)?;
        }
        input.sealed.end_part()?;
        let end = input.sealed.place()?;
        input.sealed.seek(end)?;
        Ok(Self { model, partial: Cow::Owned(partial), initial: initial as usize })
    }
}

struct Input<R> {
    sealed: SealedReader<R>,
}

impl<R: Read> Input<R> {
    fn text(&mut self) -> Result<String, ModelError> {
        let length = self.sealed.u32()?;
        let bytes = self.sealed.bytes(length.into())?;
        String::from_utf8(bytes).map_err(|_| refusal("has a text that is not in UTF-8"))
    }

    fn list(&mut self) -> Result<Vec<u32>, ModelError> {
        let mut numbers = Vec::new();
        for _ in 0..self.sealed.u32()? {
            numbers.push(self.sealed.u32()?);
        }
        Ok(numbers)
    }

    fn state(&mut self, variables: u64) -> Result<State, ModelError> {
        let mut values = Vec::new();
        for _ in 0..variables {
            values.push(i32::from_le_bytes(self.sealed.take()?));
        }
        Ok(values.into_boxed_slice())
    }

    fn probability(&mut self) -> Result<Probability, ModelError> {
        let text = self.text()?;
        let Some(limits) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else {
            return Ok(Probability::Known(number(&text)?));
        };
        let (least, most) =
            limits.split_once(',').ok_or_else(|| refusal("has a probability that is malformed"))?;
        Ok(Probability::Between([number(least)?, number(most)?]))
    }

    fn reward(&mut self) -> Result<BigRational, ModelError> {
        let text = self.text()?;
        if text.is_empty() { Ok(BigRational::zero()) } else { number(&text) }
    }

    /// Reads what the next state has, and checks that it names nothing that is not there.
    fn expanded(
        &mut self,
        state: u32,
        structures: u64,
        partial: &mut PartialModel,
    ) -> Result<(), ModelError> {
        let PartialModel { states, model } = partial;
        model.owners.push(self.sealed.u32()?);
        model.holds.push(self.list()?);
        let mut choices = Vec::new();
        for _ in 0..self.sealed.u32()? {
            let actions = self.list()?;
            if actions.iter().any(|&action| action as usize >= model.actions.len()) {
                return Err(refusal("has a choice with an action that it does not name"));
            }
            let mut to = Vec::new();
            for _ in 0..self.sealed.u32()? {
                let (probability, successor) = (self.sealed.u32()?, self.sealed.u32()?);
                if probability as usize >= model.probabilities.len()
                    || successor as usize >= states.len()
                {
                    return Err(refusal("has a successor that it does not have"));
                }
                to.push((probability, successor));
            }
            choices.push(Choice { line: 0, actions, to });
        }
        for structure in 0..structures as usize {
            let of_state = self.reward()?;
            // Only as many as the file has texts for.
            if structure == model.rewards.len() {
                model.rewards.push(RewardStructure::default());
            }
            let rewards = &mut model.rewards[structure];
            if !of_state.is_zero() {
                rewards.states.insert(state, of_state);
            }
            for choice in 0..choices.len() as u32 {
                let reward = self.reward()?;
                if !reward.is_zero() {
                    rewards.choices.insert([state, choice], reward);
                }
            }
        }
        model.choices.push(choices);
        Ok(())
    }
}

fn number(text: &str) -> Result<BigRational, ModelError> {
    BigRational::from_str(text).map_err(|_| refusal("has a number that is malformed"))
}
