//! The choices of a state and where they lead.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet};

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::choices::{Choice, Choices, LabelledStep};
use crate::error::{LanguageError, quoted, refuse};
use crate::instance::{Instance, ResolvedCommand, ResolvedUpdate};
use crate::model::{ModelKind, UpdateProbability};
use crate::probability::{Probability, is_nearly_one, normalised};
use crate::variable::State;

/// A step's commands, one from each module that moves.
struct Step<'i> {
    action: Option<usize>,
    module: usize,
    commands: Vec<&'i ResolvedCommand>,
}

/// The enabled commands of a module that have a certain action.
struct ModuleCommands<'i> {
    module: usize,
    commands: Vec<&'i ResolvedCommand>,
}

/// In one state at most this many combinations of commands, and of updates of all commands taken
/// together, are looked at.
const MOST_COMBINATIONS: usize = 1_000_000;

/// In one state at most this many pairs of a joint action and a command are looked at.
const MOST_PAIRS: usize = 100_000_000;

impl Instance {
    /// The choices of a state.
    ///
    /// # Errors
    /// Values outside of a variable's range, probabilities that do not sum to 1, choices of several
    /// players in a turn-based game, joint actions without a command; the message names the state.
    pub fn choices(&self, state: &[i32]) -> Result<Choices, LanguageError> {
        let mut enabled: Vec<Vec<&ResolvedCommand>> = Vec::with_capacity(self.modules.len());
        for (module, guards) in self.modules.iter().zip(&self.guards) {
            let mut commands = Vec::new();
            for number in guards.possible_in(state) {
                let command = &module.commands[number];
                if self.is_met(&command.guard, state)? {
                    commands.push(command);
                }
            }
            enabled.push(commands);
        }
        if self.kind == ModelKind::ConcurrentGame {
            let choices = self.joint_choices(state, &enabled)?;
            return Ok(Choices { owner: 0, choices });
        }
        let steps = self.steps(state, &enabled)?;
        let owner = self.owner(state, &steps)?;
        let mut choices = Vec::with_capacity(steps.len());
        let mut looked_at = 0;
        for step in &steps {
            let label = LabelledStep { share: BigRational::one(), actions: vec![step.action] };
            choices.push(Choice {
                steps: vec![label],
                to: self.outcomes(state, &step.commands, &mut looked_at)?,
            });
        }
        if self.kind == ModelKind::Chain && choices.len() > 1 {
            if choices
                .iter()
                .flat_map(|choice| &choice.to)
                .any(|(_, probability)| probability.least() != probability.most())
            {
                let state = self.describe(state);
                let reason = "chance takes one of several commands, and a probability is an interval; expected one command";
                return refuse(steps[0].commands[0].at, format!("in state {state}: {reason}"));
            }
            choices = vec![mixed(choices)];
        }
        Ok(Choices { owner, choices })
    }

    /// The steps of modules on their own, and of those that take an action together.
    fn steps<'i>(
        &self,
        state: &[i32],
        enabled: &[Vec<&'i ResolvedCommand>],
    ) -> Result<Vec<Step<'i>>, LanguageError> {
        let mut steps = Vec::new();
        for (module, commands) in enabled.iter().enumerate() {
            for &command in commands.iter().filter(|command| command.actions.is_empty()) {
                steps.push(Step { action: None, module, commands: vec![command] });
            }
        }
        let mut by_action: BTreeMap<usize, Vec<ModuleCommands<'i>>> = BTreeMap::new();
        for (module, commands) in enabled.iter().enumerate() {
            for &command in commands {
                let Some(&action) = command.actions.first() else { continue };
                let takers = by_action.entry(action).or_default();
                match takers.last_mut().filter(|last| last.module == module) {
                    Some(last) => last.commands.push(command),
                    None => takers.push(ModuleCommands { module, commands: vec![command] }),
                }
            }
        }
        for (action, takers) in by_action {
            if takers.len() < self.modules_with_action[action] {
                // Another module has the action, and cannot take it here.
                continue;
            }
            let mut combinations: Vec<Vec<&ResolvedCommand>> = vec![Vec::new()];
            for taker in &takers {
                if steps.len() + combinations.len().saturating_mul(taker.commands.len())
                    > MOST_COMBINATIONS
                {
                    return self.refuse_combinations(state, taker.commands[0]);
                }
                let mut longer = Vec::with_capacity(combinations.len() * taker.commands.len());
                for combination in &combinations {
                    for &command in &taker.commands {
                        longer.push(combination.iter().copied().chain([command]).collect());
                    }
                }
                combinations = longer;
            }
            let module = takers[0].module;
            steps.extend(combinations.into_iter().map(|commands| Step {
                action: Some(action),
                module,
                commands,
            }));
        }
        Ok(steps)
    }

    fn refuse_combinations<T>(
        &self,
        state: &[i32],
        command: &ResolvedCommand,
    ) -> Result<T, LanguageError> {
        let state = self.describe(state);
        refuse(
            command.at,
            format!("in state {state}: commands have more than {MOST_COMBINATIONS} combinations"),
        )
    }

    /// Refuses a state whose joint actions, each of which is held against all enabled commands,
    /// would take too long to look at.
    ///
    /// # Errors
    /// Names the first enabled command if there are more than [`MOST_COMBINATIONS`] joint actions
    /// or [`MOST_PAIRS`] pairs.
    fn refuse_many_joint_actions(
        &self,
        state: &[i32],
        first: &ResolvedCommand,
        joint_actions: usize,
        commands: usize,
    ) -> Result<(), LanguageError> {
        if joint_actions > MOST_COMBINATIONS {
            return self.refuse_combinations(state, first);
        }
        if joint_actions.saturating_mul(commands) <= MOST_PAIRS {
            return Ok(());
        }
        let state = self.describe(state);
        let pairs = format!(
            "{joint_actions} joint actions beside {commands} commands are more than {MOST_PAIRS} pairs"
        );
        refuse(first.at, format!("in state {state}: {pairs}"))
    }

    /// The player who chooses among the steps of a turn-based game.
    fn owner(&self, state: &[i32], steps: &[Step<'_>]) -> Result<usize, LanguageError> {
        if self.kind != ModelKind::TurnBasedGame {
            return Ok(0);
        }
        let mut owner = None;
        for step in steps {
            let step_owner = match step.action {
                Some(action) => self.action_owners[action],
                None => self.modules[step.module].owner,
            };
            if step_owner.is_some() && owner.is_some() && step_owner != owner {
                let state = self.describe(state);
                let reason = format!(
                    "in state {state}: two players choose at once; expected a turn-based game"
                );
                return refuse(step.commands[0].at, reason);
            }
            owner = owner.or(step_owner);
        }
        match (owner, steps) {
            (None, [first, _, ..]) => {
                let state = self.describe(state);
                refuse(
                    first.commands[0].at,
                    format!("in state {state}: the choices belong to no player"),
                )
            }
            _ => Ok(owner.unwrap_or(0)),
        }
    }

    /// The outcomes of commands that are taken together; adds the number of combinations of their
    /// updates to those that were looked at in the state.
    fn outcomes(
        &self,
        state: &[i32],
        commands: &[&ResolvedCommand],
        looked_at: &mut usize,
    ) -> Result<Vec<(State, Probability)>, LanguageError> {
        let mut weighted = Vec::with_capacity(commands.len());
        let mut count = 1_usize;
        for command in commands {
            let updates = self.weighted_updates(state, command)?;
            count = count.saturating_mul(updates.len());
            if *looked_at + count > MOST_COMBINATIONS {
                return self.refuse_combinations(state, command);
            }
            weighted.push(updates);
        }
        *looked_at += count;
        let mut outcomes: BTreeMap<State, Probability> = BTreeMap::new();
        let mut indices = vec![0; weighted.len()];
        loop {
            let mut probability: Option<Probability> = None;
            let mut updates = Vec::with_capacity(indices.len());
            for (alternatives, &index) in weighted.iter().zip(&indices) {
                let (share, update) = &alternatives[index];
                // Products of fractions are most of the work, and those with 1 are known.
                match &mut probability {
                    Some(probability) if !share.least().is_one() => *probability *= share,
                    None if !share.least().is_one() => probability = Some(share.clone()),
                    _ => {}
                }
                updates.push(*update);
            }
            let probability = probability.unwrap_or_else(Probability::one);
            let next = self.updated(state, &updates)?;
            add(&mut outcomes, next, probability);
            if !advance(&mut indices, &weighted) {
                return Ok(outcomes.into_iter().collect());
            }
        }
    }

    /// The updates of a command that may happen, with their probabilities.
    fn weighted_updates<'i>(
        &self,
        state: &[i32],
        command: &'i ResolvedCommand,
    ) -> Result<Vec<(Probability, &'i ResolvedUpdate)>, LanguageError> {
        let probabilities = match &command.known {
            Some(known) => known.clone(),
            None => self.probabilities(state, command)?,
        };
        let weighted = probabilities.into_iter().zip(&command.updates);
        Ok(weighted.filter(|(probability, _)| !probability.most().is_zero()).collect())
    }

    /// The probabilities of the updates of a command in a state, which is not looked at if they are
    /// constants.
    ///
    /// # Errors
    /// A number that is no probability; a sum that is not 1.
    pub(crate) fn probabilities(
        &self,
        state: &[i32],
        command: &ResolvedCommand,
    ) -> Result<Vec<Probability>, LanguageError> {
        let mut probabilities = Vec::with_capacity(command.updates.len());
        let mut sums = [BigRational::zero(), BigRational::zero()];
        for update in &command.updates {
            let probability = match &update.probability {
                Some(probability) => self.probability(probability, command, state)?,
                None => Probability::one(),
            };
            sums[0] += probability.least();
            sums[1] += probability.most();
            probabilities.push(probability);
        }
        let one = BigRational::one();
        let [least, most] = &sums;
        if self.is_normalised && least == most {
            let known: Vec<BigRational> =
                probabilities.iter().map(|probability| probability.least().clone()).collect();
            if let Some(normalised) = normalised(&known) {
                return Ok(normalised.into_iter().map(Probability::Known).collect());
            }
        }
        if *least <= one && one <= *most {
            return Ok(probabilities);
        }
        self.refuse_sum(state, command, &sums)
    }

    /// Refuses a command whose probabilities do not sum to 1, by the least and the largest sum.
    fn refuse_sum<T>(
        &self,
        state: &[i32],
        command: &ResolvedCommand,
        sums: &[BigRational; 2],
    ) -> Result<T, LanguageError> {
        let [least, most] = sums;
        let state = self.describe(state);
        let found = format!("in state {state}: the probabilities of the command sum to {least}");
        let reason = if least < most {
            format!("{found} at least and {most} at most; expected 1 between them")
        } else if is_nearly_one(least) {
            format!("{found}; expected 1; if they are normalised, they are divided by their sum")
        } else {
            format!("{found}; expected 1")
        };
        refuse(command.at, reason)
    }

    /// The probability of an update of a command in a state.
    fn probability(
        &self,
        probability: &UpdateProbability,
        command: &ResolvedCommand,
        state: &[i32],
    ) -> Result<Probability, LanguageError> {
        match probability {
            UpdateProbability::Known(number) => {
                let number = self.number_in(number, state)?;
                if number.is_negative() {
                    let state = self.describe(state);
                    return refuse(
                        command.at,
                        format!("in state {state}: a probability is {number}; expected 0 to 1"),
                    );
                }
                Ok(Probability::Known(number))
            }
            UpdateProbability::Between(limits) => {
                let [least, most] =
                    [self.number_in(&limits[0], state)?, self.number_in(&limits[1], state)?];
                let is_ordered = least.is_positive() && least <= most && most <= BigRational::one();
                let is_impossible = least.is_zero() && most.is_zero();
                if !(is_ordered || is_impossible) {
                    let state = self.describe(state);
                    let expected = "expected two numbers above 0 and up to 1, the first at most as large as the second";
                    return refuse(
                        command.at,
                        format!("in state {state}: a probability is [{least},{most}]; {expected}"),
                    );
                }
                Ok(Probability::between(least, most))
            }
        }
    }

    /// The state after some updates.
    fn updated(&self, state: &[i32], updates: &[&ResolvedUpdate]) -> Result<State, LanguageError> {
        let mut next: Vec<Option<i32>> = state.iter().copied().map(Some).collect();
        let mut open = Vec::new();
        for assignment in updates.iter().flat_map(|update| &update.assignments) {
            if next[assignment.variable].take().is_none() {
                let name = quoted(&self.variables[assignment.variable].name);
                return refuse(
                    assignment.at,
                    format!(
                        "in state {}: {name} gets two values in one step",
                        self.describe(state)
                    ),
                );
            }
            open.push(assignment);
        }
        // A value that needs others after the step waits for them.
        while !open.is_empty() {
            let mut waiting = Vec::new();
            let before = open.len();
            for assignment in open {
                if assignment.needs.iter().any(|&needed| next[needed].is_none()) {
                    waiting.push(assignment);
                    continue;
                }
                let values = self.values_after(state, &next);
                let value = assignment
                    .value
                    .evaluate(&values)
                    .map_err(|error| self.in_state(&error, state))?;
                let variable = &self.variables[assignment.variable];
                let Some(stored) = variable.of.stored(&value) else {
                    let name = quoted(&variable.name);
                    let reason = format!(
                        "in state {}: {name} would be {value}, which is outside of its range",
                        self.describe(state)
                    );
                    return refuse(assignment.at, reason);
                };
                next[assignment.variable] = Some(stored);
            }
            if waiting.len() == before {
                let state = self.describe(state);
                return refuse(
                    waiting[0].at,
                    format!("in state {state}: values after the step need each other"),
                );
            }
            open = waiting;
        }
        Ok(next.into_iter().flatten().collect())
    }

    /// The joint actions of a concurrent game.
    fn joint_choices(
        &self,
        state: &[i32],
        enabled: &[Vec<&ResolvedCommand>],
    ) -> Result<Vec<Choice>, LanguageError> {
        let moves = self.moves(enabled);
        let count = moves.iter().map(Vec::len).fold(1, usize::saturating_mul);
        let commands: usize = enabled.iter().map(Vec::len).sum();
        if let Some(first) = enabled.iter().flatten().next() {
            self.refuse_many_joint_actions(state, first, count, commands)?;
        }
        let mut choices: Vec<Choice> = Vec::new();
        let mut looked_at = 0;
        let mut indices = vec![0; moves.len()];
        loop {
            let joint: Vec<Option<usize>> = moves
                .iter()
                .zip(&indices)
                .map(|(player_moves, &index)| player_moves[index])
                .collect();
            if let Some(commands) = self.taken_together(state, enabled, &joint)? {
                let label = LabelledStep { share: BigRational::one(), actions: joint };
                choices.push(Choice {
                    steps: vec![label],
                    to: self.outcomes(state, &commands, &mut looked_at)?,
                });
            }
            if !advance(&mut indices, &moves) {
                break;
            }
        }
        self.check_complete(state, enabled, &choices)?;
        Ok(choices)
    }

    /// Each player's actions in a state; waiting, if there is none.
    fn moves(&self, enabled: &[Vec<&ResolvedCommand>]) -> Vec<Vec<Option<usize>>> {
        let mut moves: Vec<Vec<Option<usize>>> = vec![Vec::new(); self.player_names().len()];
        let mut seen = HashSet::new();
        for (module, commands) in self.modules.iter().zip(enabled) {
            let Some(owner) = module.owner else { continue };
            for command in commands {
                let action = command.actions.first().copied();
                if seen.insert(action) {
                    moves[owner].push(action);
                }
            }
        }
        for player_moves in &mut moves {
            if player_moves.is_empty() {
                player_moves.push(None);
            }
        }
        moves
    }

    /// The commands that a joint action triggers, at most one of each module; `None` if there are
    /// none, or if a player's module has none for the player's action.
    fn taken_together<'i>(
        &self,
        state: &[i32],
        enabled: &[Vec<&'i ResolvedCommand>],
        joint: &[Option<usize>],
    ) -> Result<Option<Vec<&'i ResolvedCommand>>, LanguageError> {
        let mut commands: Vec<&ResolvedCommand> = Vec::new();
        let mut is_covered: Vec<bool> = joint.iter().map(Option::is_none).collect();
        for (module, module_commands) in self.modules.iter().zip(enabled) {
            let applies = |command: &&ResolvedCommand| {
                command.actions.iter().all(|&action| joint.contains(&Some(action)))
            };
            let applicable: Vec<&ResolvedCommand> =
                module_commands.iter().copied().filter(applies).collect();
            if let Some(owner) = module.owner {
                is_covered[owner] |= applicable
                    .iter()
                    .any(|command| command.actions.first().copied() == joint[owner]);
            }
            // A command that names more of the actions has precedence over one with the same first
            // action, and any over an unlabelled one.
            let is_overruled = |command: &ResolvedCommand| {
                applicable.iter().any(|other| {
                    other.actions.len() > command.actions.len()
                        && (command.actions.is_empty()
                            || other.actions.first() == command.actions.first())
                })
            };
            let mut left = applicable.iter().copied().filter(|&command| !is_overruled(command));
            let taken = left.next();
            if let Some(second) = left.next() {
                let name = quoted(&module.name);
                let reason = format!(
                    "in state {}: the module {name} has two commands for one joint action",
                    self.describe(state)
                );
                return refuse(second.at, reason);
            }
            commands.extend(taken);
        }
        let is_whole = is_covered.into_iter().all(|is_covered| is_covered);
        Ok(if is_whole && !commands.is_empty() { Some(commands) } else { None })
    }

    /// Checks that every pair of actions that occur has a choice, for all players.
    fn check_complete(
        &self,
        state: &[i32],
        enabled: &[Vec<&ResolvedCommand>],
        choices: &[Choice],
    ) -> Result<(), LanguageError> {
        let mut count = 1_usize;
        for player in 0..self.player_names().len() {
            let mut actions: Vec<Option<usize>> =
                choices.iter().map(|choice| choice.steps[0].actions[player]).collect();
            actions.sort_unstable();
            actions.dedup();
            count = count.saturating_mul(actions.len());
        }
        match enabled.iter().flatten().next() {
            Some(command) if count != choices.len() => {
                let state = self.describe(state);
                let found = choices.len();
                let reason = format!(
                    "in state {state}: {found} of {count} joint actions have commands; expected all"
                );
                refuse(command.at, reason)
            }
            _ => Ok(()),
        }
    }
}

/// Moves to the next combination of places in some lists, the last list fastest; false after the
/// last combination.
fn advance<T>(indices: &mut [usize], lists: &[Vec<T>]) -> bool {
    match (0..indices.len()).rev().find(|&list| indices[list] + 1 < lists[list].len()) {
        Some(list) => {
            indices[list] += 1;
            indices[list + 1..].fill(0);
            true
        }
        None => false,
    }
}

/// Adds a probability to that of a successor.
fn add(outcomes: &mut BTreeMap<State, Probability>, next: State, probability: Probability) {
    match outcomes.entry(next) {
        Entry::Vacant(entry) => {
            entry.insert(probability);
        }
        Entry::Occupied(mut entry) => *entry.get_mut() += &probability,
    }
}

/// The choice of a chain: chance takes each command with the same probability.
fn mixed(choices: Vec<Choice>) -> Choice {
    let share = BigRational::new(1.into(), choices.len().into());
    let mut steps = Vec::new();
    let mut outcomes: BTreeMap<State, Probability> = BTreeMap::new();
    for choice in choices {
        steps.extend(
            choice
                .steps
                .into_iter()
                .map(|step| LabelledStep { share: &step.share * &share, ..step }),
        );
        for (state, mut probability) in choice.to {
            probability *= &Probability::Known(share.clone());
            add(&mut outcomes, state, probability);
        }
    }
    Choice { steps, to: outcomes.into_iter().collect() }
}
