//! Models as they are written.

use std::cell::Cell;

use crate::error::{LanguageError, Position, quoted, refuse};
use crate::expression::{DEEPEST, Expression, ExpressionKind, PartCount, for_each_operand};
use crate::lexer::{Sign, TokenKind};
use crate::parser::{Grammar, Parser};

/// The kinds of models that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelKind {
    /// All players choose at once (`csg`).
    ConcurrentGame,
    /// Each state belongs to a player (`smg`).
    TurnBasedGame,
    /// One player chooses everywhere (`mdp`).
    DecisionProcess,
    /// Nobody chooses (`dtmc`).
    Chain,
}

/// A model.
#[derive(Clone, Debug)]
pub struct Model {
    /// The kind, by the keyword at the beginning; a decision process without one.
    pub kind: ModelKind,
    /// Constants.
    pub constants: Vec<ConstantDeclaration>,
    /// Formulas: abbreviations of expressions.
    pub formulas: Vec<NamedExpression>,
    /// Labels: truth values of states.
    pub labels: Vec<NamedExpression>,
    /// Variables of no module.
    pub globals: Vec<VariableDeclaration>,
    /// Modules, in their order; renamed copies are written out.
    pub modules: Vec<Module>,
    /// Reward structures.
    pub rewards: Vec<RewardDeclaration>,
    /// The formula of the initial states, if there is one.
    pub initial: Option<Expression>,
    /// The players, in their order.
    pub players: Vec<PlayerDeclaration>,
}

/// The types of constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantType {
    /// `int`
    Integer,
    /// `double`: any number
    Number,
    /// `bool`
    Truth,
}

/// A constant.
#[derive(Clone, Debug)]
pub struct ConstantDeclaration {
    /// Its name.
    pub name: String,
    /// Its type.
    pub of: ConstantType,
    /// Its value; a constant without one gets it from outside.
    pub value: Option<Expression>,
    /// Its place.
    pub at: Position,
}

/// A formula or a label.
#[derive(Clone, Debug)]
pub struct NamedExpression {
    /// Its name.
    pub name: String,
    /// Its meaning.
    pub expression: Expression,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct VariableDeclaration {
    /// Its name.
    pub name: String,
    /// Its values.
    pub range: DeclaredRange,
    /// Its value at the beginning; the least one if there is none.
    pub initial: Option<Expression>,
    /// Its place.
    pub at: Position,
}

/// The values of a variable.
#[derive(Clone, Debug)]
pub enum DeclaredRange {
    /// `[low..high]`
    Integers(Expression, Expression),
    /// `bool`
    Truth,
}

/// A module.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
    pub name: String,
    /// Its variables.
    pub variables: Vec<VariableDeclaration>,
    /// Its commands.
    pub commands: Vec<Command>,
}

/// A command: where its guard holds, one of its updates may happen.
#[derive(Clone, Debug)]
pub struct Command {
    /// Its actions; none if it is unlabelled. In concurrent games a player's own comes first.
    pub actions: Vec<String>,
    /// Its guard.
    pub guard: Expression,
    /// Its updates.
    pub updates: Vec<Update>,
    /// Its place.
    pub at: Position,
}

/// An update of variables.
#[derive(Clone, Debug)]
pub struct Update {
    /// Its probability; 1 if none is written.
    pub probability: Option<UpdateProbability>,
    /// New values of some variables.
    pub assignments: Vec<Assignment>,
}

/// The probability of an update.
#[derive(Clone, Debug)]
pub enum UpdateProbability {
    /// A number.
    Known(Expression),
    /// The least and the largest number that it may be: `[0.1,0.3]`.
    Between(Box<[Expression; 2]>),
}

impl UpdateProbability {
    /// Whether it may differ between states.
    pub(crate) fn has_variable(&self) -> bool {
        match self {
            Self::Known(number) => number.has_variable(),
            Self::Between(limits) => limits.iter().any(Expression::has_variable),
        }
    }

    /// The probability with each of its expressions replaced.
    pub(crate) fn map(
        &self,
        mut map: impl FnMut(&Expression) -> Result<Expression, LanguageError>,
    ) -> Result<Self, LanguageError> {
        Ok(match self {
            Self::Known(number) => Self::Known(map(number)?),
            Self::Between(limits) => Self::Between(Box::new([map(&limits[0])?, map(&limits[1])?])),
        })
    }
}

/// A new value of a variable.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The variable.
    pub variable: String,
    /// Its value.
    pub value: Expression,
    /// Its place.
    pub at: Position,
}

/// A reward structure.
#[derive(Clone, Debug)]
pub struct RewardDeclaration {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its rewards.
    pub items: Vec<RewardItem>,
}

/// A reward of states, or of transitions.
#[derive(Clone, Debug)]
pub struct RewardItem {
    /// The actions of transitions, empty for `[]`; `None` for a reward of states.
    pub actions: Option<Vec<String>>,
    /// The states.
    pub guard: Expression,
    /// The reward.
    pub reward: Expression,
}

/// A player.
#[derive(Clone, Debug)]
pub struct PlayerDeclaration {
    /// The name.
    pub name: String,
    /// The modules whose commands the player chooses.
    pub modules: Vec<String>,
    /// The actions that the player chooses.
    pub actions: Vec<String>,
    /// The place.
    pub at: Position,
}

/// A module that is a copy of another one with other names.
struct Renaming {
    index: usize,
    name: String,
    of: String,
    names: Vec<(String, String)>,
    at: Position,
}

impl Model {
    /// Reads a model.
    ///
    /// # Errors
    /// The first place that is not in the language, or of a kind that is not supported.
    pub fn read(text: &str) -> Result<Self, LanguageError> {
        let mut parser = Parser::new(text, Grammar::Model)?;
        let mut model = Self {
            kind: ModelKind::DecisionProcess,
            constants: Vec::new(),
            formulas: Vec::new(),
            labels: Vec::new(),
            globals: Vec::new(),
            modules: Vec::new(),
            rewards: Vec::new(),
            initial: None,
            players: Vec::new(),
        };
        let mut renamings = Vec::new();
        let mut has_kind = false;
        while *parser.peek() != TokenKind::End {
            let at = parser.at();
            let TokenKind::Name(word) = parser.peek().clone() else {
                return parser.unexpected(PART);
            };
            if OTHER_KINDS.contains(&&*word) {
                let reason = format!(
                    "models of the kind {word} are not supported; expected csg, smg, mdp or dtmc"
                );
                return refuse(at, reason);
            }
            if let Some(kind) = ModelKind::of_keyword(&word) {
                if has_kind {
                    return refuse(at, "the kind of the model stands there twice");
                }
                has_kind = true;
                model.kind = kind;
                parser.advance();
                continue;
            }
            match &*word {
                "const" => model.constants.push(parser.constant()?),
                "formula" => model.formulas.push(parser.formula()?),
                "label" => model.labels.push(parser.label()?),
                "global" => {
                    parser.advance();
                    model.globals.push(parser.variable()?);
                }
                "module" => match parser.module(model.modules.len() + renamings.len())? {
                    ModulePart::Module(module) => model.modules.push(module),
                    ModulePart::Renaming(renaming) => renamings.push(renaming),
                },
                "rewards" => model.rewards.push(parser.rewards()?),
                "init" => {
                    parser.advance();
                    if model.initial.replace(parser.expression()?).is_some() {
                        return refuse(at, "the initial states stand there twice");
                    }
                    parser.expect_word("endinit")?;
                }
                "player" => model.players.push(parser.player()?),
                "system" => {
                    return refuse(at, "process algebra (system … endsystem) is not supported");
                }
                "observables" | "observable" => {
                    return refuse(at, "partial observation is not supported");
                }
                "invariant" => return refuse(at, "invariants of clocks are not supported"),
                _ => return parser.unexpected(PART),
            }
        }
        if model.modules.is_empty() {
            return refuse(parser.at(), "the model has no module");
        }
        model.write_out(renamings)?;
        Ok(model)
    }

    /// Replaces renamed modules by copies of the modules that they name.
    fn write_out(&mut self, renamings: Vec<Renaming>) -> Result<(), LanguageError> {
        let parts = Cell::new(PartCount::default());
        for renaming in renamings {
            let Some(original) = self.modules.iter().find(|module| module.name == renaming.of)
            else {
                let reason = format!("there is no module {} before this one", quoted(&renaming.of));
                return refuse(renaming.at, reason);
            };
            let renamer =
                Renamer { names: &renaming.names, formulas: &self.formulas, parts: &parts };
            let copy = renamer.module(original, &renaming)?;
            self.modules.insert(renaming.index.min(self.modules.len()), copy);
        }
        let mut names: Vec<&str> = self.modules.iter().map(|module| module.name.as_str()).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => refuse(
                Position { line: 1, column: 1 },
                format!("two modules are called {}", quoted(pair[0])),
            ),
            None => Ok(()),
        }
    }
}

const PART: &str = "a part of a model: const, formula, label, global, module, rewards, init, player, or the kind csg, smg, mdp or dtmc";

/// The keywords of kinds that are not supported.
const OTHER_KINDS: [&str; 12] = [
    "ctmc",
    "stochastic",
    "ctmdp",
    "pta",
    "tptg",
    "pomdp",
    "popta",
    "ipomdp",
    "lts",
    "stpg",
    "ismg",
    "posg",
];

impl ModelKind {
    fn of_keyword(word: &str) -> Option<Self> {
        match word {
            "csg" | "icsg" => Some(Self::ConcurrentGame),
            "smg" => Some(Self::TurnBasedGame),
            "mdp" | "imdp" | "nondeterministic" => Some(Self::DecisionProcess),
            "dtmc" | "idtmc" | "probabilistic" => Some(Self::Chain),
            _ => None,
        }
    }
}

enum ModulePart {
    Module(Module),
    Renaming(Renaming),
}

impl Parser {
    pub(crate) fn constant(&mut self) -> Result<ConstantDeclaration, LanguageError> {
        self.expect_word("const")?;
        let of = if self.takes_word("double") {
            ConstantType::Number
        } else if self.takes_word("bool") {
            ConstantType::Truth
        } else {
            self.takes_word("int");
            ConstantType::Integer
        };
        let at = self.at();
        let name = self.name("the name of a constant")?;
        let value = if self.takes(Sign::Equal) { Some(self.expression()?) } else { None };
        self.expect(Sign::Semicolon)?;
        Ok(ConstantDeclaration { name, of, value, at })
    }

    pub(crate) fn formula(&mut self) -> Result<NamedExpression, LanguageError> {
        self.expect_word("formula")?;
        let name = self.name("the name of a formula")?;
        self.expect(Sign::Equal)?;
        let expression = self.expression()?;
        self.expect(Sign::Semicolon)?;
        Ok(NamedExpression { name, expression })
    }

    pub(crate) fn label(&mut self) -> Result<NamedExpression, LanguageError> {
        self.expect_word("label")?;
        let TokenKind::Text(name) = self.peek().clone() else {
            return self.unexpected("a label in quotation marks");
        };
        self.advance();
        self.expect(Sign::Equal)?;
        let expression = self.expression()?;
        self.expect(Sign::Semicolon)?;
        Ok(NamedExpression { name, expression })
    }

    fn variable(&mut self) -> Result<VariableDeclaration, LanguageError> {
        let at = self.at();
        let name = self.name("the name of a variable")?;
        self.expect(Sign::Colon)?;
        let range = if self.takes_word("bool") {
            DeclaredRange::Truth
        } else if self.takes(Sign::OpenSquare) {
            let low = self.expression()?;
            self.expect(Sign::Dots)?;
            let high = self.expression()?;
            self.expect(Sign::CloseSquare)?;
            DeclaredRange::Integers(low, high)
        } else if self.sees_word("clock") {
            return refuse(
                self.at(),
                "clocks are not supported; expected bool or a range such as [0..5]",
            );
        } else if self.sees_word("int") {
            return refuse(
                self.at(),
                "a variable without bounds is not supported; expected bool or a range such as [0..5]",
            );
        } else {
            return self.unexpected("bool or a range such as [0..5]");
        };
        let initial = if self.takes_word("init") { Some(self.expression()?) } else { None };
        self.expect(Sign::Semicolon)?;
        Ok(VariableDeclaration { name, range, initial, at })
    }

    fn module(&mut self, index: usize) -> Result<ModulePart, LanguageError> {
        self.expect_word("module")?;
        let at = self.at();
        let name = self.name("the name of a module")?;
        if self.takes(Sign::Equal) {
            let of = self.name("the name of a module")?;
            self.expect(Sign::OpenSquare)?;
            let mut names = Vec::new();
            while !self.takes(Sign::CloseSquare) {
                if !names.is_empty() {
                    self.expect(Sign::Comma)?;
                }
                let from = self.name("a name")?;
                self.expect(Sign::Equal)?;
                names.push((from, self.name("a name")?));
            }
            self.expect_word("endmodule")?;
            return Ok(ModulePart::Renaming(Renaming { index, name, of, names, at }));
        }
        let mut module = Module { name, variables: Vec::new(), commands: Vec::new() };
        while !self.takes_word("endmodule") {
            if self.sees(Sign::OpenSquare) {
                module.commands.push(self.command()?);
            } else if self.sees_word("invariant") {
                return refuse(self.at(), "invariants of clocks are not supported");
            } else if matches!(self.peek(), TokenKind::Name(_)) {
                module.variables.push(self.variable()?);
            } else {
                return self
                    .unexpected("a variable, a command that begins with `[`, or `endmodule`");
            }
        }
        Ok(ModulePart::Module(module))
    }

    /// Reads a list of actions in square brackets.
    fn actions(&mut self) -> Result<Vec<String>, LanguageError> {
        self.expect(Sign::OpenSquare)?;
        let mut actions = Vec::new();
        while !self.takes(Sign::CloseSquare) {
            if !actions.is_empty() {
                self.expect(Sign::Comma)?;
            }
            actions.push(self.name("an action")?);
        }
        Ok(actions)
    }

    fn command(&mut self) -> Result<Command, LanguageError> {
        let at = self.at();
        let actions = self.actions()?;
        let guard = self.expression()?;
        self.expect(Sign::Arrow)?;
        let mut updates = vec![self.update()?];
        while self.takes(Sign::Plus) {
            updates.push(self.update()?);
        }
        self.expect(Sign::Semicolon)?;
        Ok(Command { actions, guard, updates, at })
    }

    fn update(&mut self) -> Result<Update, LanguageError> {
        if self.takes(Sign::OpenSquare) {
            let least = self.expression()?;
            self.expect(Sign::Comma)?;
            let most = self.expression()?;
            self.expect(Sign::CloseSquare)?;
            self.expect(Sign::Colon)?;
            let probability = UpdateProbability::Between(Box::new([least, most]));
            return Ok(Update { probability: Some(probability), assignments: self.assignments()? });
        }
        if self.sees_assignments() {
            return Ok(Update { probability: None, assignments: self.assignments()? });
        }
        let probability = self.expression()?;
        self.expect(Sign::Colon)?;
        Ok(Update {
            probability: Some(UpdateProbability::Known(probability)),
            assignments: self.assignments()?,
        })
    }

    /// Whether assignments, or `true` alone, begin here rather than a probability.
    fn sees_assignments(&self) -> bool {
        if self.sees_word("true") {
            return true;
        }
        self.sees(Sign::Open) && self.assigns_after_bracket()
    }

    fn assignments(&mut self) -> Result<Vec<Assignment>, LanguageError> {
        if self.takes_word("true") {
            return Ok(Vec::new());
        }
        let mut assignments = Vec::new();
        loop {
            self.expect(Sign::Open)?;
            let at = self.at();
            let variable = self.name("a variable")?;
            self.expect(Sign::Prime)?;
            self.expect(Sign::Equal)?;
            let value = self.expression()?;
            self.expect(Sign::Close)?;
            assignments.push(Assignment { variable, value, at });
            if !self.takes(Sign::And) {
                return Ok(assignments);
            }
        }
    }

    fn rewards(&mut self) -> Result<RewardDeclaration, LanguageError> {
        self.expect_word("rewards")?;
        let mut name = None;
        if let TokenKind::Text(text) = self.peek().clone() {
            self.advance();
            name = Some(text);
        }
        let mut items = Vec::new();
        while !self.takes_word("endrewards") {
            let actions = if self.sees(Sign::OpenSquare) { Some(self.actions()?) } else { None };
            let guard = self.expression()?;
            self.expect(Sign::Colon)?;
            let reward = self.expression()?;
            self.expect(Sign::Semicolon)?;
            items.push(RewardItem { actions, guard, reward });
        }
        Ok(RewardDeclaration { name, items })
    }

    fn player(&mut self) -> Result<PlayerDeclaration, LanguageError> {
        self.expect_word("player")?;
        let at = self.at();
        let name = self.name("the name of a player")?;
        let mut player = PlayerDeclaration { name, modules: Vec::new(), actions: Vec::new(), at };
        while !self.takes_word("endplayer") {
            if !player.modules.is_empty() || !player.actions.is_empty() {
                self.expect(Sign::Comma)?;
            }
            if self.sees(Sign::OpenSquare) {
                player.actions.extend(self.actions()?);
            } else {
                player.modules.push(self.name("a module, an action in brackets, or `endplayer`")?);
            }
        }
        Ok(player)
    }
}

/// Replaces names in a copy of a module.
struct Renamer<'m> {
    names: &'m [(String, String)],
    formulas: &'m [NamedExpression],
    /// The parts of all copies that were looked at: formulas within formulas may double them each
    /// time.
    parts: &'m Cell<PartCount>,
}

impl Renamer<'_> {
    fn name(&self, name: &str) -> String {
        let renamed = self.names.iter().find(|(from, _)| from == name);
        renamed.map_or(name, |(_, to)| to).to_owned()
    }

    fn module(&self, original: &Module, renaming: &Renaming) -> Result<Module, LanguageError> {
        let mut module = original.clone();
        module.name.clone_from(&renaming.name);
        for variable in &mut module.variables {
            let name = self.name(&variable.name);
            if name == variable.name {
                let reason = format!(
                    "the variable {} needs another name in the copy of its module",
                    quoted(&name)
                );
                return refuse(renaming.at, reason);
            }
            variable.name = name;
            if let DeclaredRange::Integers(low, high) = &mut variable.range {
                *low = self.expression(low, 0)?;
                *high = self.expression(high, 0)?;
            }
            if let Some(initial) = &mut variable.initial {
                *initial = self.expression(initial, 0)?;
            }
        }
        for command in &mut module.commands {
            for action in &mut command.actions {
                *action = self.name(action);
            }
            command.guard = self.expression(&command.guard, 0)?;
            for update in &mut command.updates {
                if let Some(probability) = &mut update.probability {
                    *probability = probability.map(|number| self.expression(number, 0))?;
                }
                for assignment in &mut update.assignments {
                    assignment.variable = self.name(&assignment.variable);
                    assignment.value = self.expression(&assignment.value, 0)?;
                }
            }
        }
        Ok(module)
    }

    /// Counts a part; refuses too many and those that are too deep.
    fn count(&self, expression: &Expression, depth: u32) -> Result<(), LanguageError> {
        let mut parts = self.parts.get();
        parts.add(expression.at)?;
        self.parts.set(parts);
        if depth > DEEPEST {
            return refuse(
                expression.at,
                "the expression is nested too deeply, or has a formula that contains itself",
            );
        }
        Ok(())
    }

    /// Replaces names in an expression; of a formula in its content, if that has any of them.
    fn expression(&self, expression: &Expression, depth: u32) -> Result<Expression, LanguageError> {
        self.count(expression, depth)?;
        let inside = |operand: &Expression| self.expression(operand, depth + 1);
        let kind = match &expression.kind {
            ExpressionKind::Name(name) => {
                let formula = self.formulas.iter().find(|formula| formula.name == *name);
                match formula {
                    Some(formula) if self.changes(&formula.expression, depth)? => {
                        return inside(&formula.expression);
                    }
                    Some(_) => expression.kind.clone(),
                    None => ExpressionKind::Name(self.name(name)),
                }
            }
            ExpressionKind::Primed(name) => ExpressionKind::Primed(self.name(name)),
            ExpressionKind::Unary(operator, operand) => {
                ExpressionKind::Unary(*operator, Box::new(inside(operand)?))
            }
            ExpressionKind::Binary(operator, operands) => ExpressionKind::Binary(
                *operator,
                Box::new([inside(&operands[0])?, inside(&operands[1])?]),
            ),
            ExpressionKind::Conditional(parts) => ExpressionKind::Conditional(Box::new([
                inside(&parts[0])?,
                inside(&parts[1])?,
                inside(&parts[2])?,
            ])),
            ExpressionKind::Call(function, operands) => ExpressionKind::Call(
                *function,
                operands.iter().map(inside).collect::<Result<_, _>>()?,
            ),
            other => other.clone(),
        };
        Expression::node(expression.at, kind)
    }

    /// Whether an expression has any of the names, or a formula that does.
    fn changes(&self, expression: &Expression, depth: u32) -> Result<bool, LanguageError> {
        self.count(expression, depth)?;
        if let ExpressionKind::Name(name) | ExpressionKind::Primed(name) = &expression.kind {
            return match self.formulas.iter().find(|formula| formula.name == *name) {
                Some(formula) => self.changes(&formula.expression, depth + 1),
                None => Ok(self.names.iter().any(|(from, _)| from == name)),
            };
        }
        let mut operands = Vec::new();
        for_each_operand(&expression.kind, |operand| operands.push(operand));
        for operand in operands {
            if self.changes(operand, depth + 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
