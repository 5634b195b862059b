//! Models whose constants have values: variables, commands and rewards with all names resolved.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::mem;

use num_rational::BigRational;
use num_traits::Zero;

use crate::choices::Choice;
use crate::error::{LanguageError, Position, quoted, refuse};
use crate::expression::{Expression, Meaning, PartCount, Scope, expected_one_of, next_variables};
use crate::guard::{Guard, GuardTree};
use crate::model::{
    Command, ConstantDeclaration, ConstantType, DeclaredRange, Model, ModelKind, NamedExpression,
    UpdateProbability, VariableDeclaration,
};
use crate::probability::Probability;
use crate::property_file::PropertyFile;
use crate::value::Value;
use crate::variable::{State, StateValues, Variable, VariableType};

#[derive(Debug)]
pub(crate) struct ResolvedModule {
    pub(crate) name: String,
    pub(crate) commands: Vec<ResolvedCommand>,
    /// The player who chooses its unlabelled commands or, in a concurrent game, its actions.
    pub(crate) owner: Option<usize>,
}

#[derive(Debug)]
pub(crate) struct ResolvedCommand {
    pub(crate) actions: Vec<usize>,
    pub(crate) guard: Guard,
    pub(crate) updates: Vec<ResolvedUpdate>,
    /// The probabilities of its updates, if they are the same in every state.
    pub(crate) known: Option<Vec<Probability>>,
    pub(crate) at: Position,
}

#[derive(Debug)]
pub(crate) struct ResolvedUpdate {
    pub(crate) probability: Option<UpdateProbability>,
    pub(crate) assignments: Vec<ResolvedAssignment>,
}

#[derive(Debug)]
pub(crate) struct ResolvedAssignment {
    pub(crate) variable: usize,
    pub(crate) value: Expression,
    /// The variables whose values after the step it needs.
    pub(crate) needs: Vec<usize>,
    pub(crate) at: Position,
}

/// A reward structure.
#[derive(Debug)]
pub struct ResolvedReward {
    /// Its name, if it has one.
    pub name: Option<String>,
    items: Vec<ResolvedItem>,
}

#[derive(Debug)]
struct ResolvedItem {
    actions: Option<Vec<usize>>,
    guard: Guard,
    reward: Expression,
}

/// A model whose constants have values.
pub struct Instance {
    pub(crate) kind: ModelKind,
    pub(crate) variables: Vec<Variable>,
    pub(crate) modules: Vec<ResolvedModule>,
    /// By module, the guards of its commands.
    pub(crate) guards: Vec<GuardTree>,
    pub(crate) actions: Vec<String>,
    /// By action, the player who chooses it.
    pub(crate) action_owners: Vec<Option<usize>>,
    /// By action of a command, the number of modules that have it: they take it together alone.
    pub(crate) modules_with_action: Vec<usize>,
    players: Vec<String>,
    labels: Vec<(String, Expression)>,
    rewards: Vec<ResolvedReward>,
    start: State,
    initial: Option<Expression>,
    names: Definitions,
    /// Numbers of actions by their names.
    action_numbers: HashMap<String, usize>,
    parts: PartCount,
    /// Whether probabilities that nearly sum to 1 are divided by their sum.
    pub(crate) is_normalised: bool,
}

/// All combinations of the values of some variables, in order.
pub struct Candidates {
    /// By variable, the least and the largest value; empty where there is one state alone.
    ranges: Vec<[i32; 2]>,
    next: Option<State>,
}

impl Iterator for Candidates {
    type Item = State;

    fn next(&mut self) -> Option<State> {
        let state = self.next.take()?;
        let grows =
            (0..self.ranges.len()).rev().find(|&index| state[index] < self.ranges[index][1]);
        if let Some(index) = grows {
            let mut next = state.clone();
            next[index] += 1;
            for later in index + 1..next.len() {
                next[later] = self.ranges[later][0];
            }
            self.next = Some(next);
        }
        Some(state)
    }
}

/// The constants, formulas and labels of a model and its properties, and names of properties.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// `None` where a constant has no value.
    constants: HashMap<String, Option<Value>>,
    /// Constants whose values are not computed yet.
    unfinished: HashMap<String, Expression>,
    variables: HashMap<String, usize>,
    formulas: HashMap<String, Expression>,
    labels: BTreeMap<String, Expression>,
    properties: HashMap<String, Expression>,
}

impl Scope for Definitions {
    fn name(&self, name: &str) -> Option<Meaning<'_>> {
        if let Some(value) = self.constants.get(name) {
            return Some(value.clone().map_or(Meaning::Undefined, Meaning::Constant));
        }
        if let Some(&variable) = self.variables.get(name) {
            return Some(Meaning::Variable(variable));
        }
        self.unfinished.get(name).or_else(|| self.formulas.get(name)).map(Meaning::Formula)
    }

    fn label(&self, label: &str) -> Option<Meaning<'_>> {
        self.labels.get(label).or_else(|| self.properties.get(label)).map(Meaning::Formula)
    }

    fn known(&self, of_labels: bool) -> Vec<String> {
        let mut known: Vec<String> = if of_labels {
            self.labels.keys().chain(self.properties.keys()).cloned().collect()
        } else {
            self.variables
                .keys()
                .chain(self.formulas.keys())
                .chain(self.constants.keys())
                .cloned()
                .collect()
        };
        known.sort_unstable();
        known
    }
}

impl Definitions {
    /// The definitions of properties without a model.
    ///
    /// # Errors
    /// A malformed constant; a value for a constant that is unknown.
    pub fn of_properties(
        file: &PropertyFile,
        constants: &[(String, Value)],
    ) -> Result<Self, LanguageError> {
        let mut definitions = Self::default();
        definitions.properties(file);
        let declared: Vec<&ConstantDeclaration> = file.constants.iter().collect();
        definitions.constants(&declared, constants)?;
        Ok(definitions)
    }

    fn properties(&mut self, file: &PropertyFile) {
        self.formulas(&file.formulas);
        self.labels(&file.labels);
        for property in &file.properties {
            if let (Some(name), Ok(expression)) = (&property.name, &property.property) {
                self.properties.insert(name.clone(), expression.clone());
            }
        }
    }

    /// Computes the constants, with values from outside for some of them.
    fn constants(
        &mut self,
        declared: &[&ConstantDeclaration],
        given: &[(String, Value)],
    ) -> Result<(), LanguageError> {
        if let Some((name, _)) =
            given.iter().find(|(name, _)| declared.iter().all(|constant| constant.name != *name))
        {
            let at = Position { line: 1, column: 1 };
            let mut known: Vec<&str> =
                declared.iter().map(|constant| constant.name.as_str()).collect();
            known.sort_unstable();
            return refuse(
                at,
                format!("there is no constant {}; {}", quoted(name), expected_one_of(&known)),
            );
        }
        for constant in declared {
            if let Some(value) = &constant.value {
                self.unfinished.insert(constant.name.clone(), value.clone());
            }
        }
        for constant in declared {
            if let Some((_, value)) = given.iter().find(|(name, _)| *name == constant.name) {
                self.set(constant, value.clone())?;
            } else if constant.value.is_none() {
                self.constants.insert(constant.name.clone(), None);
            }
        }
        let mut parts = PartCount::default();
        for constant in declared {
            if self.constants.contains_key(&constant.name) {
                continue;
            }
            let Some(value) = &constant.value else { continue };
            let resolved = value.resolve_counted(self, &mut parts);
            match resolved {
                Ok(resolved) => {
                    let nothing: &[Value] = &[];
                    let value = resolved.evaluate_constant(nothing)?;
                    self.set(constant, value)?;
                }
                // A constant that needs one without a value has none.
                Err(_) if self.needs_undefined(value) => {
                    self.constants.insert(constant.name.clone(), None);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Whether an expression has, perhaps through other constants, one that has no value.
    fn needs_undefined(&self, expression: &Expression) -> bool {
        let mut open = Vec::new();
        expression.names(&mut open);
        let mut seen = HashSet::new();
        while let Some(name) = open.pop() {
            match (self.constants.get(&name), self.unfinished.get(&name)) {
                (Some(None), _) => return true,
                (None, Some(definition)) if seen.insert(name) => definition.names(&mut open),
                _ => {}
            }
        }
        false
    }

    fn set(&mut self, constant: &ConstantDeclaration, value: Value) -> Result<(), LanguageError> {
        let (fits, expected) = match constant.of {
            ConstantType::Integer => (value.integer().is_some(), "a whole number"),
            ConstantType::Number => (value.truth().is_none(), "a number"),
            ConstantType::Truth => (value.truth().is_some(), "true or false"),
        };
        if !fits {
            let reason =
                format!("the constant {} is {value}; expected {expected}", quoted(&constant.name));
            return refuse(constant.at, reason);
        }
        self.constants.insert(constant.name.clone(), Some(value));
        Ok(())
    }

    fn formulas(&mut self, formulas: &[NamedExpression]) {
        for NamedExpression { name, expression } in formulas {
            self.formulas.insert(name.clone(), expression.clone());
        }
    }

    fn labels(&mut self, labels: &[NamedExpression]) {
        for NamedExpression { name, expression } in labels {
            self.labels.insert(name.clone(), expression.clone());
        }
    }

    /// The value of an expression without variables.
    fn constant(&self, expression: &Expression) -> Result<Value, LanguageError> {
        let nothing: &[Value] = &[];
        expression.resolve(self)?.evaluate_constant(nothing)
    }
}

impl Instance {
    /// Gives constants their values, and resolves all names. Constants, labels and formulas of the
    /// properties are known, too.
    ///
    /// # Errors
    /// A constant, variable, command or player that is malformed, or whose names are unknown.
    pub fn new(
        model: &Model,
        properties: Option<&PropertyFile>,
        constants: &[(String, Value)],
    ) -> Result<Self, LanguageError> {
        let mut names = Definitions::default();
        names.formulas(&model.formulas);
        names.labels(&model.labels);
        let mut declared: Vec<&ConstantDeclaration> = model.constants.iter().collect();
        if let Some(file) = properties {
            declared.extend(&file.constants);
            names.properties(file);
        }
        names.constants(&declared, constants)?;

        let mut instance = Self {
            kind: model.kind,
            variables: Vec::new(),
            modules: Vec::new(),
            guards: Vec::new(),
            actions: Vec::new(),
            action_owners: Vec::new(),
            modules_with_action: Vec::new(),
            players: model.players.iter().map(|player| player.name.clone()).collect(),
            labels: Vec::new(),
            rewards: Vec::new(),
            start: Box::new([]),
            initial: None,
            names,
            action_numbers: HashMap::new(),
            parts: PartCount::default(),
            is_normalised: false,
        };
        let of_modules = model.modules.iter().flat_map(|module| &module.variables);
        let all: Vec<&VariableDeclaration> = model.globals.iter().chain(of_modules).collect();
        instance.variables(&all)?;
        instance.modules(model)?;
        instance.players(model)?;
        instance.rewards(model)?;
        let labels: Vec<(String, Expression)> = instance
            .names
            .labels
            .iter()
            .map(|(name, label)| (name.clone(), label.clone()))
            .collect();
        for (name, label) in labels {
            // A label of the properties may need a constant that has no value; nobody has asked for
            // it yet.
            if let Ok(resolved) = instance.resolve_own(&label) {
                instance.labels.push((name, resolved));
            }
        }
        if let Some(initial) = &model.initial {
            instance.initial = Some(instance.resolve_own(initial)?);
        }
        instance.weigh_constants();
        Ok(instance)
    }

    /// Weighs the updates of the commands whose probabilities are the same in every state. Those
    /// that are no distribution are refused in the states that enable the command.
    fn weigh_constants(&mut self) {
        let mut modules = mem::take(&mut self.modules);
        for command in modules.iter_mut().flat_map(|module| &mut module.commands) {
            let mut probabilities =
                command.updates.iter().filter_map(|update| update.probability.as_ref());
            if !probabilities.any(UpdateProbability::has_variable) {
                command.known = self.probabilities(&[], command).ok();
            }
        }
        self.modules = modules;
    }

    fn variables(&mut self, declared: &[&VariableDeclaration]) -> Result<(), LanguageError> {
        let mut start = Vec::new();
        for variable in declared {
            let name = variable.name.clone();
            let of = match &variable.range {
                DeclaredRange::Truth => VariableType::Truth,
                DeclaredRange::Integers(low, high) => {
                    let [low, high] = [self.bound(low)?, self.bound(high)?];
                    if low > high {
                        let reason =
                            format!("the range of {} is empty: {low} to {high}", quoted(&name));
                        return refuse(variable.at, reason);
                    }
                    VariableType::Integers { low, high }
                }
            };
            let initial = match &variable.initial {
                None => of.bounds()[0],
                Some(initial) => {
                    let value = self.names.constant(initial)?;
                    let Some(stored) = of.stored(&value) else {
                        let reason = format!(
                            "{} begins at {value}, which is outside of its range",
                            quoted(&name)
                        );
                        return refuse(initial.at, reason);
                    };
                    stored
                }
            };
            let is_known =
                self.names.constants.contains_key(&name) || self.names.formulas.contains_key(&name);
            if is_known || self.names.variables.insert(name.clone(), self.variables.len()).is_some()
            {
                return refuse(variable.at, format!("the name {} is taken already", quoted(&name)));
            }
            self.variables.push(Variable { name, of });
            start.push(initial);
        }
        self.start = start.into_boxed_slice();
        Ok(())
    }

    fn bound(&self, expression: &Expression) -> Result<i32, LanguageError> {
        let value = self.names.constant(expression)?;
        match value.integer().and_then(|whole| i32::try_from(whole).ok()) {
            Some(bound) => Ok(bound),
            None => refuse(
                expression.at,
                format!("the bound of a range is {value}; expected a whole number of 32 bits"),
            ),
        }
    }

    fn modules(&mut self, model: &Model) -> Result<(), LanguageError> {
        for module in &model.modules {
            let mut resolved =
                ResolvedModule { name: module.name.clone(), commands: Vec::new(), owner: None };
            let mut alphabet = BTreeSet::new();
            for command in &module.commands {
                let command = self.command(command)?;
                alphabet.extend(command.actions.iter().copied());
                resolved.commands.push(command);
            }
            self.modules_with_action.resize(self.actions.len(), 0);
            for action in alphabet {
                self.modules_with_action[action] += 1;
            }
            let guards: Vec<&Guard> =
                resolved.commands.iter().map(|command| &command.guard).collect();
            self.guards.push(GuardTree::new(&guards));
            self.modules.push(resolved);
        }
        Ok(())
    }

    fn command(&mut self, command: &Command) -> Result<ResolvedCommand, LanguageError> {
        if command.actions.len() > 1 && self.kind != ModelKind::ConcurrentGame {
            return refuse(
                command.at,
                "a command has several actions; only in concurrent games (csg) it may",
            );
        }
        let actions = command.actions.iter().map(|action| self.action(action)).collect();
        let mut updates = Vec::new();
        for update in &command.updates {
            let probability = match &update.probability {
                Some(probability) => Some(probability.map(|number| self.resolve_own(number))?),
                None => None,
            };
            let mut assignments = Vec::new();
            for assignment in &update.assignments {
                let Some(&variable) = self.names.variables.get(&assignment.variable) else {
                    return refuse(
                        assignment.at,
                        format!("there is no variable {}", quoted(&assignment.variable)),
                    );
                };
                let value = self.resolve_own(&assignment.value)?;
                let mut needs = Vec::new();
                next_variables(&value, &mut needs);
                if !needs.is_empty() && self.kind != ModelKind::ConcurrentGame {
                    return refuse(
                        assignment.at,
                        "only updates of concurrent games (csg) see values after the step",
                    );
                }
                assignments.push(ResolvedAssignment { variable, value, needs, at: assignment.at });
            }
            updates.push(ResolvedUpdate { probability, assignments });
        }
        Ok(ResolvedCommand {
            actions,
            guard: Guard::new(self.resolve_own(&command.guard)?, &self.variables),
            updates,
            known: None,
            at: command.at,
        })
    }

    /// The number of an action, which it gets where it occurs first.
    fn action(&mut self, name: &str) -> usize {
        if let Some(&known) = self.action_numbers.get(name) {
            return known;
        }
        let number = self.actions.len();
        self.action_numbers.insert(name.to_owned(), number);
        self.actions.push(name.to_owned());
        self.action_owners.push(None);
        number
    }

    /// Resolves the names of an expression of the model, and counts its parts.
    fn resolve_own(&mut self, expression: &Expression) -> Result<Expression, LanguageError> {
        expression.resolve_counted(&self.names, &mut self.parts)
    }

    fn players(&mut self, model: &Model) -> Result<(), LanguageError> {
        let is_game = matches!(self.kind, ModelKind::ConcurrentGame | ModelKind::TurnBasedGame);
        if is_game && model.players.is_empty() {
            return refuse(
                Position { line: 1, column: 1 },
                "a game needs players; expected player NAME … endplayer",
            );
        }
        if let Some(player) = model.players.first().filter(|_| !is_game) {
            return refuse(player.at, "only games (csg, smg) have players");
        }
        let mut module_numbers = HashMap::new();
        for (number, module) in self.modules.iter().enumerate() {
            module_numbers.insert(module.name.clone(), number);
        }
        let mut names = HashSet::new();
        for (number, player) in model.players.iter().enumerate() {
            if !names.insert(&player.name) {
                return refuse(
                    player.at,
                    format!("the player {} stands there twice", quoted(&player.name)),
                );
            }
            for name in &player.modules {
                let Some(&module) = module_numbers.get(name) else {
                    return refuse(player.at, format!("there is no module {}", quoted(name)));
                };
                if self.modules[module].owner.replace(number).is_some() {
                    return refuse(
                        player.at,
                        format!("the module {} belongs to two players", quoted(name)),
                    );
                }
            }
            for name in &player.actions {
                let Some(&action) = self.action_numbers.get(name) else {
                    return refuse(player.at, format!("there is no action {}", quoted(name)));
                };
                if self.action_owners[action].replace(number).is_some() {
                    return refuse(
                        player.at,
                        format!("the action {} belongs to two players", quoted(name)),
                    );
                }
            }
        }
        if self.kind == ModelKind::ConcurrentGame {
            self.own_actions()?;
        }
        Ok(())
    }

    /// In a concurrent game the first action of a command in a player's module is the player's.
    fn own_actions(&mut self) -> Result<(), LanguageError> {
        for module in &self.modules {
            let Some(owner) = module.owner else { continue };
            for command in &module.commands {
                let Some(&action) = command.actions.first() else {
                    return refuse(command.at, "a command of a player's module lacks its action");
                };
                if self.action_owners[action].replace(owner).is_some_and(|other| other != owner) {
                    return refuse(
                        command.at,
                        format!(
                            "the action {} belongs to two players",
                            quoted(&self.actions[action])
                        ),
                    );
                }
            }
        }
        for module in &self.modules {
            for command in &module.commands {
                if let Some(&action) =
                    command.actions.iter().find(|&&action| self.action_owners[action].is_none())
                {
                    return refuse(
                        command.at,
                        format!(
                            "the action {} belongs to no player",
                            quoted(&self.actions[action])
                        ),
                    );
                }
                let mut owners: Vec<_> =
                    command.actions.iter().map(|&action| self.action_owners[action]).collect();
                owners.sort_unstable();
                if owners.windows(2).any(|pair| pair[0] == pair[1]) {
                    return refuse(command.at, "two actions of a command belong to one player");
                }
            }
        }
        Ok(())
    }

    fn rewards(&mut self, model: &Model) -> Result<(), LanguageError> {
        for declared in &model.rewards {
            let mut items = Vec::new();
            for item in &declared.items {
                let mut actions = None;
                if let Some(names) = &item.actions {
                    // An action that no command has pays nothing; it needs a number all the same.
                    actions = Some(names.iter().map(|name| self.action(name)).collect());
                }
                let guard = Guard::new(self.resolve_own(&item.guard)?, &self.variables);
                let reward = self.resolve_own(&item.reward)?;
                items.push(ResolvedItem { actions, guard, reward });
            }
            self.rewards.push(ResolvedReward { name: declared.name.clone(), items });
        }
        Ok(())
    }

    /// [Divides](crate::normalised) the probabilities of every command by their sum where that is 1
    /// but for rounding. Other programs, which calculate in doubles,
    /// take such decimals as they are; here they are refused unless this is asked for.
    #[must_use]
    pub fn normalised(mut self) -> Self {
        self.is_normalised = true;
        self.weigh_constants();
        self
    }

    /// Whether probabilities are [divided by their sum](Self::normalised).
    pub fn is_normalised(&self) -> bool {
        self.is_normalised
    }

    /// The kind of the model.
    pub fn kind(&self) -> ModelKind {
        self.kind
    }

    /// Writes everything on which states, choices, labels and rewards depend, with all names
    /// resolved and the values of constants, in a fixed order: two instances that write the same
    /// have the same states. The form is that of `Debug`.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write_resolved(&self, out: &mut impl fmt::Write) -> fmt::Result {
        write!(
            out,
            "{:?}",
            (self.kind, &self.variables, &self.modules, &self.actions, &self.action_owners)
        )?;
        write!(
            out,
            "{:?}",
            (&self.modules_with_action, &self.players, &self.labels, &self.rewards)
        )?;
        write!(out, "{:?}", (&self.start, &self.initial))?;
        if self.is_normalised { write!(out, "normalised") } else { Ok(()) }
    }

    /// The constants, formulas and labels.
    pub fn definitions(&self) -> &Definitions {
        &self.names
    }

    /// The variables, in the order of their values in states.
    pub fn variables_of_states(&self) -> &[Variable] {
        &self.variables
    }

    /// The names of the players of a game, in their order.
    pub fn player_names(&self) -> &[String] {
        &self.players
    }

    /// The names of all actions, by their numbers.
    pub fn action_names(&self) -> &[String] {
        &self.actions
    }

    /// The labels of the model and its properties.
    pub fn labels_with_formulas(&self) -> &[(String, Expression)] {
        &self.labels
    }

    /// The reward structures.
    pub fn reward_structures(&self) -> &[ResolvedReward] {
        &self.rewards
    }

    /// Resolves the names of an expression, such as a property.
    ///
    /// # Errors
    /// An unknown name.
    pub fn resolve(&self, expression: &Expression) -> Result<Expression, LanguageError> {
        expression.resolve(&self.names)
    }

    /// The values of a state.
    pub fn values<'i>(&'i self, state: &'i [i32]) -> StateValues<'i> {
        StateValues { variables: &self.variables, state, next: &[] }
    }

    pub(crate) fn values_after<'i>(
        &'i self,
        state: &'i [i32],
        next: &'i [Option<i32>],
    ) -> StateValues<'i> {
        StateValues { variables: &self.variables, state, next }
    }

    /// The state as text, such as `(x=1,done=true)`.
    pub fn describe(&self, state: &[i32]) -> String {
        let values = self.variables.iter().zip(state);
        let texts: Vec<String> = values
            .map(|(variable, &stored)| format!("{}={}", variable.name, variable.of.value(stored)))
            .collect();
        format!("({})", texts.join(","))
    }

    /// The value of an expression whose names are resolved, in a state.
    ///
    /// # Errors
    /// Operands that an operator does not take; the message names the state.
    pub fn value_in(&self, expression: &Expression, state: &[i32]) -> Result<Value, LanguageError> {
        expression.evaluate(&self.values(state)).map_err(|error| self.in_state(&error, state))
    }

    pub(crate) fn in_state(&self, error: &LanguageError, state: &[i32]) -> LanguageError {
        LanguageError::new(error.at, format!("in state {}: {}", self.describe(state), error.reason))
    }

    /// Whether a formula whose names are resolved holds in a state.
    ///
    /// # Errors
    /// As [`value_in`](Self::value_in); a number.
    pub fn holds_in(&self, expression: &Expression, state: &[i32]) -> Result<bool, LanguageError> {
        match self.value_in(expression, state)? {
            Value::Truth(truth) => Ok(truth),
            other => refuse(expression.at, format!("a formula is {other}; expected true or false")),
        }
    }

    /// Whether a guard holds in a state.
    ///
    /// # Errors
    /// As [`holds_in`](Self::holds_in).
    pub(crate) fn is_met(&self, guard: &Guard, state: &[i32]) -> Result<bool, LanguageError> {
        guard.possible_in(state).map_or(Ok(false), |condition| self.holds_in(condition, state))
    }

    pub(crate) fn number_in(
        &self,
        expression: &Expression,
        state: &[i32],
    ) -> Result<BigRational, LanguageError> {
        let value = self.value_in(expression, state)?;
        match value.number() {
            Some(number) => Ok(number),
            None => refuse(expression.at, format!("a formula is {value}; expected a number")),
        }
    }

    /// The states where play starts.
    ///
    /// # Errors
    /// More than `most` states to look at; no state that satisfies the formula.
    pub fn initial_states(&self, most: u64) -> Result<Vec<State>, LanguageError> {
        let mut states = Vec::new();
        for state in self.initial_candidates(most)? {
            if self.is_initial(&state)? {
                states.push(state);
            }
        }
        if states.is_empty() { self.refuse_no_initial_state() } else { Ok(states) }
    }

    /// The states among which those where play starts are: all combinations of values if the model
    /// has `init … endinit`, else one.
    ///
    /// # Errors
    /// More than `most` states.
    pub fn initial_candidates(&self, most: u64) -> Result<Candidates, LanguageError> {
        let Some(formula) = &self.initial else {
            return Ok(Candidates { ranges: Vec::new(), next: Some(self.start.clone()) });
        };
        let ranges: Vec<[i32; 2]> =
            self.variables.iter().map(|variable| variable.of.bounds()).collect();
        let sizes =
            ranges.iter().map(|[low, high]| (i64::from(*high) - i64::from(*low) + 1) as u64);
        let count = sizes.fold(1_u64, u64::saturating_mul);
        if count > most {
            let reason = format!(
                "{count} states would have to be looked at for the initial ones; at most {most} are"
            );
            return refuse(formula.at, reason);
        }
        let first = ranges.iter().map(|[low, _]| *low).collect();
        Ok(Candidates { ranges, next: Some(first) })
    }

    /// Whether play starts in a state that is one of the [candidates](Self::initial_candidates).
    ///
    /// # Errors
    /// As [`holds_in`](Self::holds_in).
    pub fn is_initial(&self, state: &[i32]) -> Result<bool, LanguageError> {
        match &self.initial {
            Some(formula) => self.holds_in(formula, state),
            None => Ok(true),
        }
    }

    /// The error of a model in which no state is an initial one.
    ///
    /// # Errors
    /// Always.
    pub fn refuse_no_initial_state<T>(&self) -> Result<T, LanguageError> {
        let at =
            self.initial.as_ref().map_or(Position { line: 1, column: 1 }, |formula| formula.at);
        refuse(at, "no state is an initial one")
    }

    /// The reward of a state for each step there.
    ///
    /// # Errors
    /// As [`value_in`](Self::value_in).
    pub fn state_reward(
        &self,
        structure: usize,
        state: &[i32],
    ) -> Result<BigRational, LanguageError> {
        let mut sum = BigRational::zero();
        for item in self.rewards[structure].items.iter().filter(|item| item.actions.is_none()) {
            if self.is_met(&item.guard, state)? {
                sum += self.number_in(&item.reward, state)?;
            }
        }
        Ok(sum)
    }

    /// The reward of a choice in a state, beside that of the state.
    ///
    /// # Errors
    /// As [`value_in`](Self::value_in).
    pub fn choice_reward(
        &self,
        structure: usize,
        state: &[i32],
        choice: &Choice,
    ) -> Result<BigRational, LanguageError> {
        let mut sum = BigRational::zero();
        for item in &self.rewards[structure].items {
            let Some(actions) = &item.actions else { continue };
            let mut share = BigRational::zero();
            for step in &choice.steps {
                if self.pays(actions, &step.actions) {
                    share += &step.share;
                }
            }
            if !share.is_zero() && self.is_met(&item.guard, state)? {
                sum += share * self.number_in(&item.reward, state)?;
            }
        }
        Ok(sum)
    }

    /// Whether a reward of these actions is paid for a step.
    fn pays(&self, paid: &[usize], taken: &[Option<usize>]) -> bool {
        if self.kind == ModelKind::ConcurrentGame {
            // Without actions it is paid for all.
            return paid.iter().all(|&action| taken.contains(&Some(action)));
        }
        match paid {
            [] => taken == [None],
            _ => paid.iter().any(|&action| taken == [Some(action)]),
        }
    }
}
