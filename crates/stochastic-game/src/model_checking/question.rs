//! Questions with answers that are proved: numbers within bounds, and whether bounds hold.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use num_rational::BigRational;
use num_traits::{One, Zero};
use prism_model::{
    BinaryOperator, Coalition, Comparison, Direction, Expression, ExpressionKind, Filter,
    FilterOperation, Function, Operator, Relation, UnaryOperator, Value,
};

use super::explicit::ExplicitModel;
use super::names::{in_property, refuse};
use super::product::Aim;
use super::property::{operator_of, read};
use crate::Error;
use crate::best_payoffs::KnownByGraph;
use crate::error::ModelError;
use crate::player::Player;
use crate::work::unwatched;
use crate::{
    BestPayoff, StochasticGame, StochasticGameFault, StochasticSolution, ValueBound,
    ValueComparison,
};

/// A property that asks for a number, or whether something holds: operators with bounds, joined by
/// `!`, `&`, `|`, `=>`, `<=>`, compared, computed with, or filtered.
///
/// ```
/// use stochastic_game::model_checking::Question;
///
/// let question: Question = "<<1>>P>=0.5 [ F s=3 ] & !(<<2>>R{\"time\"}<=3 [ C<=5 ])".parse()?;
/// # Ok::<(), stochastic_game::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    expression: Expression,
}

impl FromStr for Question {
    type Err = ModelError;

    fn from_str(text: &str) -> Result<Self, ModelError> {
        Ok(Self { expression: read(text)? })
    }
}

impl From<Expression> for Question {
    fn from(expression: Expression) -> Self {
        Self { expression }
    }
}

/// Whether something holds, as far as it is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is proved to hold.
    True,
    /// It is proved not to hold.
    False,
    /// The proved bounds of the values leave it open.
    Undecided,
}

impl Verdict {
    fn of(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }

    fn negated(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Undecided => Self::Undecided,
        }
    }

    /// Both hold.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::False, _) | (_, Self::False) => Self::False,
            (Self::True, Self::True) => Self::True,
            _ => Self::Undecided,
        }
    }

    /// One of both holds.
    fn or(self, other: Self) -> Self {
        self.negated().and(other.negated()).negated()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::True => "true",
            Self::False => "false",
            Self::Undecided => "undecided",
        })
    }
}

/// A bound of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A number.
    Finite(BigRational),
    /// Infinitely much, as a reward can be.
    Infinite,
}

impl PartialOrd for Bound {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bound {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Finite(first), Self::Finite(second)) => first.cmp(second),
            (Self::Finite(_), Self::Infinite) => Ordering::Less,
            (Self::Infinite, Self::Finite(_)) => Ordering::Greater,
            (Self::Infinite, Self::Infinite) => Ordering::Equal,
        }
    }
}

/// Proved bounds of a value; equal if it is known exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// At most the value.
    pub lower: Bound,
    /// At least the value.
    pub upper: Bound,
}

impl Interval {
    fn exactly(number: BigRational) -> Self {
        Self { lower: Bound::Finite(number.clone()), upper: Bound::Finite(number) }
    }

    /// The verdict on a comparison with another value.
    ///
    /// Bounds are secured by strategies, so that one that meets the number decides: a coalition
    /// whose strategy secures at least the number does attain it.
    fn compared(&self, comparison: Comparison, other: &Self) -> Verdict {
        let (holds, fails) = match comparison {
            Comparison::AtLeast => (self.lower >= other.upper, self.upper < other.lower),
            Comparison::Greater => (self.lower > other.upper, self.upper <= other.lower),
            Comparison::AtMost => (self.upper <= other.lower, self.lower > other.upper),
            Comparison::Less => (self.upper < other.lower, self.lower >= other.upper),
        };
        match (holds, fails) {
            (true, _) => Verdict::True,
            (_, true) => Verdict::False,
            _ => Verdict::Undecided,
        }
    }

    fn equals(&self, other: &Self) -> Verdict {
        if self.lower == self.upper && self == other {
            Verdict::True
        } else if self.upper < other.lower || other.upper < self.lower {
            Verdict::False
        } else {
            Verdict::Undecided
        }
    }

    /// The smallest interval around both.
    fn joined(&self, other: &Self) -> Self {
        Self {
            lower: self.lower.clone().min(other.lower.clone()),
            upper: self.upper.clone().max(other.upper.clone()),
        }
    }

    fn finite(&self) -> Option<[&BigRational; 2]> {
        match self {
            Self { lower: Bound::Finite(lower), upper: Bound::Finite(upper) } => {
                Some([lower, upper])
            }
            _ => None,
        }
    }
}

/// The answer to a question in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The number asked for lies in an interval.
    Number(Interval),
    /// Whether it holds.
    Verdict {
        /// What is proved.
        verdict: Verdict,
        /// Of a single operator with a bound, the interval of its value.
        value: Option<Interval>,
    },
}

impl Answer {
    fn verdict(verdict: Verdict) -> Self {
        Self::Verdict { verdict, value: None }
    }

    /// Whether the proved bounds leave a verdict open, which narrower ones may decide.
    pub fn is_undecided(&self) -> bool {
        matches!(self, Self::Verdict { verdict: Verdict::Undecided, .. })
    }

    /// The value, if it is proved exactly.
    fn exact_value(&self) -> Option<Value> {
        match self {
            Self::Number(interval) => {
                interval.exact().map(|number| Value::of_number(number.clone()))
            }
            Self::Verdict { verdict: Verdict::True, .. } => Some(Value::Truth(true)),
            Self::Verdict { verdict: Verdict::False, .. } => Some(Value::Truth(false)),
            Self::Verdict { verdict: Verdict::Undecided, .. } => None,
        }
    }

    fn of_value(value: &Value) -> Self {
        match (value.truth(), value.number()) {
            (Some(truth), _) => Self::verdict(Verdict::of(truth)),
            (None, number) => Self::Number(Interval::exactly(number.unwrap_or_default())),
        }
    }
}

/// Solves games for [`ExplicitModel::answers`].
pub type Solve<'s> = dyn FnMut(StochasticGame) -> Result<StochasticSolution, Error> + 's;

impl ExplicitModel {
    /// The answers to a question in the states where play starts, in their order. Each operator is
    /// a game that `solve` solves, unless the graph of the game proves that the value is 1 or 0.
    ///
    /// A bound such as `<<1>>P>=0.5` says that the coalition has a strategy with which it holds
    /// whatever the others do; without a coalition, as for decision processes, that it holds
    /// whatever is chosen.
    ///
    /// # Errors
    /// Those of [`game`](Self::game) and `solve`; a nested bound that is undecided at a state where
    /// it matters.
    pub fn answers(
        &self,
        question: &Question,
        memory_limit: u64,
        solve: &mut Solve<'_>,
    ) -> Result<Vec<Answer>, Error> {
        self.answers_by(Numbers::Shortest, question, memory_limit, solve)
    }

    fn answers_by(
        &self,
        numbers: Numbers,
        question: &Question,
        memory_limit: u64,
        solve: &mut Solve<'_>,
    ) -> Result<Vec<Answer>, Error> {
        let resolved = self.resolve(&question.expression)?;
        let starts = self.initial.clone();
        Asking { model: self, memory_limit, numbers, solve }.answers(&resolved, &starts)
    }

    /// The answer for all states where play starts: a verdict holds if it does in all of them; an
    /// interval contains all values.
    ///
    /// # Errors
    /// As [`answers`](Self::answers).
    pub fn answer(
        &self,
        question: &Question,
        memory_limit: u64,
        solve: &mut Solve<'_>,
    ) -> Result<Answer, Error> {
        joined(self.answers_by(Numbers::Shortest, question, memory_limit, solve)?)
    }

    /// As [`answer`](Self::answer), but `solve` solves the game of every number, also of one that
    /// the graph proves: its certificate can be written.
    ///
    /// # Errors
    /// As [`answers`](Self::answers).
    pub fn answer_by_games(
        &self,
        question: &Question,
        memory_limit: u64,
        solve: &mut Solve<'_>,
    ) -> Result<Answer, Error> {
        joined(self.answers_by(Numbers::Solved, question, memory_limit, solve)?)
    }

    /// The bound that a question compares with a value, if it is a single operator with a bound,
    /// and none is nested.
    ///
    /// # Errors
    /// Unknown names; a bound that is no constant.
    pub fn bound(&self, question: &Question) -> Result<Option<ValueBound>, Error> {
        let resolved = self.resolve(&question.expression)?;
        let Some(operator) = operator_of(&resolved) else { return Ok(None) };
        let Relation::Bound(comparison, number) = &operator.relation else { return Ok(None) };
        if operator.formulas().into_iter().any(Expression::has_operator) {
            return Ok(None);
        }
        let Some(number) = number.as_constant().and_then(Value::number) else {
            return Ok(refuse("the bound of an operator is no constant number")?);
        };
        let comparison = match comparison {
            Comparison::Less => ValueComparison::Less,
            Comparison::AtMost => ValueComparison::AtMost,
            Comparison::Greater => ValueComparison::Greater,
            Comparison::AtLeast => ValueComparison::AtLeast,
        };
        Ok(Some(ValueBound { comparison, number }))
    }

    /// The number of states where play starts.
    pub fn starts(&self) -> usize {
        self.initial.len()
    }

    /// A model with a further label, and the variable that stands for it in formulas.
    fn with_label(&self, truths: &[bool]) -> (Self, usize) {
        let mut model = self.clone();
        let label = model.labels.len() as u32;
        model.labels.push(format!("nested {label}"));
        for (holds, &truth) in model.holds.iter_mut().zip(truths) {
            if truth {
                holds.push(label);
            }
        }
        let variable = model.variables.len() + label as usize;
        (model, variable)
    }
}

/// The answer for all states, from those of each.
fn joined(answers: Vec<Answer>) -> Result<Answer, Error> {
    let mut answers = answers.into_iter();
    let Some(mut all) = answers.next() else {
        return Ok(refuse("the model has no state where play starts")?);
    };
    for answer in answers {
        all = match (all, answer) {
            (Answer::Number(first), Answer::Number(second)) => {
                Answer::Number(first.joined(&second))
            }
            (Answer::Verdict { verdict: first, .. }, Answer::Verdict { verdict: second, .. }) => {
                Answer::verdict(first.and(second))
            }
            _ => {
                return Ok(refuse("it is a number at one state and a truth value at another")?);
            }
        };
    }
    Ok(all)
}

/// Where numbers come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// The graph where it proves them, and solved games.
    Shortest,
    /// Solved games alone.
    Solved,
}

struct Asking<'m, 's, 'f> {
    model: &'m ExplicitModel,
    memory_limit: u64,
    numbers: Numbers,
    solve: &'s mut Solve<'f>,
}

impl Asking<'_, '_, '_> {
    /// The answers to an expression whose names are resolved, in some states.
    fn answers(&mut self, expression: &Expression, states: &[u32]) -> Result<Vec<Answer>, Error> {
        if !expression.has_operator() {
            return self.values(expression, states);
        }
        match &expression.kind {
            ExpressionKind::Operator(operator) => self.operator(operator, states),
            ExpressionKind::Filter(filter) => self.filter(filter, states),
            ExpressionKind::Unary(operator, operand) => {
                let operands = self.answers(operand, states)?;
                operands.iter().map(|operand| Ok(negated(*operator, operand)?)).collect()
            }
            ExpressionKind::Binary(operator, operands) if *operator != BinaryOperator::Power => {
                let first = self.answers(&operands[0], states)?;
                let second = self.answers(&operands[1], states)?;
                let pairs = first.into_iter().zip(second);
                pairs.map(|(first, second)| Ok(combined(*operator, &first, &second)?)).collect()
            }
            ExpressionKind::Call(function @ (Function::Minimum | Function::Maximum), operands) => {
                let mut best: Option<Vec<Answer>> = None;
                for operand in operands {
                    let next = self.answers(operand, states)?;
                    best = Some(match best {
                        None => next,
                        Some(best) => {
                            let pairs = best.iter().zip(&next);
                            pairs
                                .map(|(first, second)| extreme(*function, first, second))
                                .collect::<Result<_, ModelError>>()?
                        }
                    });
                }
                Ok(best.unwrap_or_default())
            }
            _ => self.exactly(expression, states),
        }
    }

    /// The answers to any other function of operators, whose values have to be known exactly.
    fn exactly(&mut self, expression: &Expression, states: &[u32]) -> Result<Vec<Answer>, Error> {
        let operands: Vec<&Expression> = match &expression.kind {
            ExpressionKind::Call(_, operands) => operands.iter().collect(),
            ExpressionKind::Binary(_, operands) => operands.iter().collect(),
            ExpressionKind::Conditional(parts) => parts.iter().collect(),
            _ => return Ok(refuse("a property stands where it is not supported")?),
        };
        let mut columns = Vec::with_capacity(operands.len());
        for operand in operands {
            columns.push(self.answers(operand, states)?.into_iter());
        }
        let mut answers = Vec::with_capacity(states.len());
        for _ in states {
            let mut values = Vec::with_capacity(columns.len());
            for column in &mut columns {
                let Some(value) = column.next().as_ref().and_then(Answer::exact_value) else {
                    let reason = "a function takes a value that is not known exactly; expected ! & | => <=> comparisons + - * / min max";
                    return Ok(refuse(reason)?);
                };
                values.push(Expression::constant(expression.at, value));
            }
            let kind = match (&expression.kind, <[Expression; 2]>::try_from(values.clone())) {
                (ExpressionKind::Call(function, _), _) => ExpressionKind::Call(*function, values),
                (ExpressionKind::Binary(operator, _), Ok(pair)) => {
                    ExpressionKind::Binary(*operator, Box::new(pair))
                }
                (_, _) => match <[Expression; 3]>::try_from(values) {
                    Ok(parts) => ExpressionKind::Conditional(Box::new(parts)),
                    Err(_) => return Ok(refuse("a property stands where it is not supported")?),
                },
            };
            let nothing: &[Value] = &[];
            let applied =
                Expression::node(expression.at, kind).and_then(|applied| applied.evaluate(nothing));
            answers.push(Answer::of_value(&applied.map_err(|error| in_property(&error))?));
        }
        Ok(answers)
    }

    fn values(&self, expression: &Expression, states: &[u32]) -> Result<Vec<Answer>, Error> {
        let mut answers = Vec::with_capacity(states.len());
        for &state in states {
            answers.push(Answer::of_value(&self.model.value(expression, state as usize)?));
        }
        Ok(answers)
    }

    fn operator(&mut self, operator: &Operator, states: &[u32]) -> Result<Vec<Answer>, Error> {
        let nested = operator.formulas().into_iter().find(|formula| formula.has_operator());
        if let Some(nested) = nested.cloned() {
            return self.nested(operator, &nested, states);
        }
        let mut threshold = None;
        let direction = match &operator.relation {
            Relation::Query(direction) => *direction,
            Relation::Bound(comparison, number) => {
                let Some(number) = number.as_constant().and_then(Value::number) else {
                    return Ok(refuse("the bound of an operator is no constant number")?);
                };
                let is_lower = matches!(comparison, Comparison::AtLeast | Comparison::Greater);
                threshold = Some((*comparison, Interval::exactly(number)));
                // The coalition does what it can for the bound; without one, all choices are
                // against it.
                if is_lower == (operator.coalition != Coalition::Unnamed) {
                    Direction::Maximise
                } else {
                    Direction::Minimise
                }
            }
        };
        if let Some(answers) = self.by_graph(operator, states)? {
            return Ok(answers);
        }
        self.model.check_nature(operator)?;
        // Of a bound that has to hold whatever is chosen, nature is against it, too.
        let is_for_all = threshold.is_some() && operator.coalition == Coalition::Unnamed;
        let nature = if is_for_all { direction } else { operator.nature };
        let aim = Aim { coalition: &operator.coalition, direction, nature };
        let mut intervals = self.intervals(&aim, operator, states, threshold.as_ref())?;
        let Some((comparison, threshold)) = threshold else {
            return Ok(intervals.drain(..).map(Answer::Number).collect());
        };
        let mut answers = Vec::with_capacity(intervals.len());
        for value in intervals {
            answers.push(Answer::Verdict {
                verdict: value.compared(comparison, &threshold),
                value: Some(value),
            });
        }
        Ok(answers)
    }

    /// The answers to a bound at 0 or 1 that the graph decides.
    fn by_graph(
        &self,
        operator: &Operator,
        states: &[u32],
    ) -> Result<Option<Vec<Answer>>, ModelError> {
        let Relation::Bound(comparison, threshold) = &operator.relation else { return Ok(None) };
        let is_one = match threshold.as_constant().and_then(Value::integer) {
            Some(0) => false,
            Some(1) => true,
            _ => return Ok(None),
        };
        let verdicts = self.model.decided_by_graph(
            &operator.coalition,
            &operator.quantity,
            *comparison,
            is_one,
        )?;
        let of_states = |verdicts: Vec<Verdict>| {
            states.iter().map(|&state| Answer::verdict(verdicts[state as usize])).collect()
        };
        Ok(verdicts.map(of_states))
    }

    /// The bounds of a quantity in some states; exact values where the bounds leave a comparison
    /// open.
    fn intervals(
        &mut self,
        aim: &Aim<'_>,
        operator: &Operator,
        states: &[u32],
        threshold: Option<&(Comparison, Interval)>,
    ) -> Result<Vec<Interval>, Error> {
        let mut is_infinite = vec![false; states.len()];
        loop {
            let finite: Vec<u32> = states
                .iter()
                .zip(&is_infinite)
                .filter(|(_, infinite)| !**infinite)
                .map(|(&state, _)| state)
                .collect();
            if finite.is_empty() {
                return Ok(vec![
                    Interval { lower: Bound::Infinite, upper: Bound::Infinite };
                    states.len()
                ]);
            }
            let game = match self.model.game_of(aim, &operator.quantity, &finite, self.memory_limit)
            {
                Ok(game) => game,
                Err(error) => {
                    mark_infinite(error, states, &mut is_infinite)?;
                    continue;
                }
            };
            let known = match self.numbers {
                Numbers::Shortest => game.known_by_graph(),
                Numbers::Solved => KnownByGraph::Nothing,
            };
            let game = match known {
                // A value that is approached and not attained does not decide a bound.
                KnownByGraph::Starts(best)
                    if (threshold.is_none() || best.iter().all(BestPayoff::is_attained)) =>
                {
                    // Of a reward, another kind of game, nothing is proved so: no start is
                    // infinite.
                    return Ok(best
                        .into_iter()
                        .map(|best| Interval::exactly(best.payoff))
                        .collect());
                }
                KnownByGraph::Smaller(smaller) => *smaller,
                KnownByGraph::Starts(_) | KnownByGraph::Nothing => game,
            };
            let starts: Vec<usize> = game.starts().iter().map(|&start| start as usize).collect();
            let solution = (self.solve)(game)?;
            let mut bounds = Vec::with_capacity(starts.len());
            let mut is_open = false;
            for start in &starts {
                // A bound holds if a strategy secures it: a value that is approached and not
                // attained does not decide it.
                let bounds_of_start = if threshold.is_some() {
                    solution.secured(start)?
                } else {
                    solution.enclosure(start)?
                };
                let [lower, upper] = bounds_of_start.fractions();
                let interval =
                    Interval { lower: Bound::Finite(lower), upper: Bound::Finite(upper) };
                is_open |= threshold.is_some_and(|(comparison, number)| {
                    interval.compared(*comparison, number) == Verdict::Undecided
                });
                bounds.push(interval);
            }
            if is_open {
                let exact = solution.exact(<StochasticSolution>::EXACT_BITS, &mut unwatched)?;
                for (interval, start) in bounds.iter_mut().zip(&starts) {
                    let is_attained = match solution.best_payoff(start)? {
                        Some(best) => best.is_attained(),
                        // A value that rests on one that is approached may be approached itself.
                        None => solution.approached_states() == 0,
                    };
                    if let Some(value) = exact.value(start)?.filter(|_| is_attained) {
                        *interval = Interval::exactly(value);
                    }
                }
            }
            let mut bounds = bounds.into_iter();
            let all = is_infinite.iter().map(|&infinite| {
                let bounds = if infinite { None } else { bounds.next() };
                bounds.unwrap_or(Interval { lower: Bound::Infinite, upper: Bound::Infinite })
            });
            return Ok(all.collect());
        }
    }

    /// Decides a nested property in all states, and asks again with a label in its place.
    fn nested(
        &mut self,
        operator: &Operator,
        nested: &Expression,
        states: &[u32],
    ) -> Result<Vec<Answer>, Error> {
        let all: Vec<u32> = (0..self.model.choices.len() as u32).collect();
        let answers = self.answers(nested, &all)?;
        let mut truths = Vec::with_capacity(all.len());
        for (state, answer) in answers.iter().enumerate() {
            truths.push(match answer {
                Answer::Verdict { verdict: Verdict::True, .. } => true,
                Answer::Verdict { verdict: Verdict::False, .. } => false,
                Answer::Verdict { verdict: Verdict::Undecided, .. } => {
                    return Ok(refuse(format!(
                        "its nested property is undecided at state {state}"
                    ))?);
                }
                Answer::Number(_) => {
                    return Ok(refuse("its nested property is a number; expected true or false")?);
                }
            });
        }
        let (model, variable) = self.model.with_label(&truths);
        let replaced = operator.replaced(nested, variable).map_err(|error| in_property(&error))?;
        Asking {
            model: &model,
            memory_limit: self.memory_limit,
            numbers: self.numbers,
            solve: &mut *self.solve,
        }
        .operator(&replaced, states)
    }

    fn filter(&mut self, filter: &Filter, states: &[u32]) -> Result<Vec<Answer>, Error> {
        if filter.operation == FilterOperation::Print {
            return self.answers(&filter.property, states);
        }
        let mut among = Vec::new();
        for state in 0..self.model.choices.len() {
            let is_among = match &filter.states {
                Some(formula) => self.model.truth(formula, state)?,
                None => true,
            };
            if is_among {
                among.push(state as u32);
            }
        }
        if among.is_empty() {
            return Ok(refuse("no state satisfies the filter")?);
        }
        if filter.operation == FilterOperation::State && among.len() > 1 {
            return Ok(refuse(format!("{} states satisfy the filter; expected one", among.len()))?);
        }
        if filter.operation == FilterOperation::First {
            among.truncate(1);
        }
        let answers = self.answers(&filter.property, &among)?;
        let result = filtered(filter.operation, &answers)?;
        Ok(vec![result; states.len()])
    }
}

/// Marks the states where a reward is infinite.
///
/// # Errors
/// Any other error.
fn mark_infinite(error: Error, states: &[u32], is_infinite: &mut [bool]) -> Result<(), Error> {
    let mut marked = false;
    if let Error::StochasticGame(fault) = &error
        && let StochasticGameFault::Infinite { player: Player::A, states: names } = fault.fault()
    {
        for (state, infinite) in states.iter().zip(is_infinite) {
            if !*infinite && names.contains(&state.to_string()) {
                *infinite = true;
                marked = true;
            }
        }
    }
    if marked { Ok(()) } else { Err(error) }
}

fn filtered(operation: FilterOperation, answers: &[Answer]) -> Result<Answer, ModelError> {
    match operation {
        FilterOperation::First | FilterOperation::State | FilterOperation::Print => {
            Ok(answers[0].clone())
        }
        FilterOperation::ForAll | FilterOperation::Exists => {
            let is_all = operation == FilterOperation::ForAll;
            let mut verdict = Verdict::of(is_all);
            for answer in answers {
                let single = verdict_of(answer)?;
                verdict = if is_all { verdict.and(single) } else { verdict.or(single) };
            }
            Ok(Answer::verdict(verdict))
        }
        FilterOperation::Count => {
            let mut certain = 0;
            let mut possible = 0;
            for answer in answers {
                let verdict = verdict_of(answer)?;
                certain += i64::from(verdict == Verdict::True);
                possible += i64::from(verdict != Verdict::False);
            }
            let bound = |count: i64| Bound::Finite(BigRational::from_integer(count.into()));
            Ok(Answer::Number(Interval { lower: bound(certain), upper: bound(possible) }))
        }
        FilterOperation::Minimum | FilterOperation::Maximum | FilterOperation::Range => {
            let mut all = answers[0].clone();
            for answer in &answers[1..] {
                all = match operation {
                    FilterOperation::Minimum => extreme(Function::Minimum, &all, answer)?,
                    FilterOperation::Maximum => extreme(Function::Maximum, &all, answer)?,
                    _ => Answer::Number(number_of(&all)?.joined(&number_of(answer)?)),
                };
            }
            Ok(all)
        }
        FilterOperation::Sum | FilterOperation::Average => {
            let mut sum = Answer::Number(Interval::exactly(BigRational::zero()));
            for answer in answers {
                sum = combined(BinaryOperator::Add, &sum, answer)?;
            }
            let count = BigRational::from_integer(answers.len().into());
            match operation {
                FilterOperation::Average => combined(
                    BinaryOperator::Divide,
                    &sum,
                    &Answer::Number(Interval::exactly(count)),
                ),
                _ => Ok(sum),
            }
        }
    }
}

fn verdict_of(answer: &Answer) -> Result<Verdict, ModelError> {
    match answer {
        Answer::Verdict { verdict, .. } => Ok(*verdict),
        Answer::Number(_) => refuse("a number stands where a truth value is expected"),
    }
}

fn number_of(answer: &Answer) -> Result<Interval, ModelError> {
    match answer {
        Answer::Number(interval) => Ok(interval.clone()),
        Answer::Verdict { .. } => refuse("a truth value stands where a number is expected"),
    }
}

fn negated(operator: UnaryOperator, operand: &Answer) -> Result<Answer, ModelError> {
    match operator {
        UnaryOperator::Not => Ok(Answer::verdict(verdict_of(operand)?.negated())),
        UnaryOperator::Minus => {
            let zero = Answer::Number(Interval::exactly(BigRational::zero()));
            combined(BinaryOperator::Subtract, &zero, operand)
        }
    }
}

fn extreme(function: Function, first: &Answer, second: &Answer) -> Result<Answer, ModelError> {
    let (first, second) = (number_of(first)?, number_of(second)?);
    Ok(Answer::Number(match function {
        Function::Minimum => {
            Interval { lower: first.lower.min(second.lower), upper: first.upper.min(second.upper) }
        }
        _ => {
            Interval { lower: first.lower.max(second.lower), upper: first.upper.max(second.upper) }
        }
    }))
}

/// The answer of a binary operator: Kleene's logic of three values, and the arithmetic of
/// intervals.
fn combined(
    operator: BinaryOperator,
    first: &Answer,
    second: &Answer,
) -> Result<Answer, ModelError> {
    use BinaryOperator as Op;
    let comparison = match operator {
        Op::Less => Some(Comparison::Less),
        Op::AtMost => Some(Comparison::AtMost),
        Op::Greater => Some(Comparison::Greater),
        Op::AtLeast => Some(Comparison::AtLeast),
        _ => None,
    };
    if let Some(comparison) = comparison {
        return Ok(Answer::verdict(number_of(first)?.compared(comparison, &number_of(second)?)));
    }
    match operator {
        Op::And => Ok(Answer::verdict(verdict_of(first)?.and(verdict_of(second)?))),
        Op::Or => Ok(Answer::verdict(verdict_of(first)?.or(verdict_of(second)?))),
        Op::Implies => Ok(Answer::verdict(verdict_of(first)?.negated().or(verdict_of(second)?))),
        Op::IfAndOnlyIf => Ok(Answer::verdict(same(verdict_of(first)?, verdict_of(second)?))),
        Op::Equal | Op::NotEqual => {
            let equal = match (first, second) {
                (Answer::Number(first), Answer::Number(second)) => first.equals(second),
                _ => same(verdict_of(first)?, verdict_of(second)?),
            };
            Ok(Answer::verdict(if operator == Op::Equal { equal } else { equal.negated() }))
        }
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide => {
            let (first, second) = (number_of(first)?, number_of(second)?);
            let (Some(first), Some(second)) = (first.finite(), second.finite()) else {
                return refuse(format!(
                    "`{}` does not take a value that is infinite",
                    operator.text()
                ));
            };
            arithmetic(operator, first, second).map(Answer::Number)
        }
        _ => refuse(format!("`{}` is not supported between operators", operator.text())),
    }
}

fn same(first: Verdict, second: Verdict) -> Verdict {
    match (first, second) {
        (Verdict::Undecided, _) | (_, Verdict::Undecided) => Verdict::Undecided,
        _ => Verdict::of(first == second),
    }
}

fn arithmetic(
    operator: BinaryOperator,
    first: [&BigRational; 2],
    second: [&BigRational; 2],
) -> Result<Interval, ModelError> {
    let zero = BigRational::zero();
    let divides = operator == BinaryOperator::Divide;
    if divides && *second[0] <= zero && *second[1] >= zero {
        return refuse("a divisor may be 0");
    }
    // The extremes of a sum, difference, product or quotient are at corners.
    let mut corners = Vec::with_capacity(4);
    for one in first {
        for other in second {
            corners.push(match operator {
                BinaryOperator::Add => one + other,
                BinaryOperator::Subtract => one - other,
                BinaryOperator::Multiply => one * other,
                _ => one * (BigRational::one() / other),
            });
        }
    }
    corners.sort_unstable();
    let upper = corners.pop().unwrap_or_default();
    let lower = corners.into_iter().next().unwrap_or_default();
    Ok(Interval { lower: Bound::Finite(lower), upper: Bound::Finite(upper) })
}

/// Printed bounds have at most this many significant digits, more than a double.
const MOST_DIGITS: usize = 20;

impl Interval {
    /// Both bounds as decimals, the lower one rounded down and the upper one up; `Infinity` without
    /// a bound.
    pub fn decimals(&self) -> [String; 2] {
        [decimal(&self.lower, BigRational::floor), decimal(&self.upper, BigRational::ceil)]
    }

    /// The value, if both bounds are the same number.
    pub fn exact(&self) -> Option<&BigRational> {
        self.finite().filter(|[lower, upper]| lower == upper).map(|[value, _]| value)
    }
}

fn decimal(bound: &Bound, round: fn(&BigRational) -> BigRational) -> String {
    let Bound::Finite(number) = bound else { return "Infinity".to_owned() };
    let whole_digits = number.trunc().to_integer().magnitude().to_string().len();
    let places = MOST_DIGITS.saturating_sub(whole_digits);
    let scale = BigRational::from_integer(num_bigint::BigInt::from(10).pow(places as u32));
    let scaled = round(&(number * &scale)).to_integer();
    let sign = if scaled.sign() == num_bigint::Sign::Minus { "-" } else { "" };
    let digits = format!("{:0>width$}", scaled.magnitude().to_string(), width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quarters(lower: i64, upper: i64) -> Interval {
        let bound = |count: i64| Bound::Finite(BigRational::new(count.into(), 4.into()));
        Interval { lower: bound(lower), upper: bound(upper) }
    }

    /// A number of two quarters, compared with intervals around it, at it, and beside it.
    #[test]
    fn a_comparison_is_decided_only_where_all_numbers_of_the_interval_agree() {
        use Comparison::{AtLeast, AtMost, Greater, Less};
        use Verdict::{False, True, Undecided};
        for (lower, upper, verdicts) in [
            // In the order of the comparisons: >=, >, <=, <.
            (1, 3, [Undecided; 4]),
            (2, 3, [True, Undecided, Undecided, False]),
            (1, 2, [Undecided, False, True, Undecided]),
            (2, 2, [True, False, True, False]),
            (3, 4, [True, True, False, False]),
            (0, 1, [False, False, True, True]),
        ] {
            for (comparison, verdict) in [AtLeast, Greater, AtMost, Less].into_iter().zip(verdicts)
            {
                let found = quarters(lower, upper).compared(comparison, &quarters(2, 2));
                assert_eq!(found, verdict, "{lower}/4 to {upper}/4 {comparison:?} 2/4");
            }
        }
        let infinite = Interval { lower: Bound::Infinite, upper: Bound::Infinite };
        assert_eq!(infinite.compared(Comparison::AtLeast, &quarters(9, 9)), True);
        assert_eq!(infinite.compared(Comparison::AtMost, &quarters(9, 9)), False);
        assert_eq!(quarters(1, 3).equals(&quarters(2, 2)), Undecided);
        assert_eq!(quarters(2, 2).equals(&quarters(2, 2)), True);
        assert_eq!(quarters(3, 4).equals(&quarters(2, 2)), False);
    }

    #[test]
    fn verdicts_are_joined_as_in_kleenes_logic() {
        use Verdict::{False, True, Undecided};
        for (first, second, and, or) in [
            (True, True, True, True),
            (True, Undecided, Undecided, True),
            (True, False, False, True),
            (Undecided, Undecided, Undecided, Undecided),
            (Undecided, False, False, Undecided),
            (False, False, False, False),
        ] {
            for [first, second] in [[first, second], [second, first]] {
                assert_eq!((first.and(second), first.or(second)), (and, or), "{first} {second}");
            }
        }
        assert_eq!([True, False, Undecided].map(Verdict::negated), [False, True, Undecided]);
    }

    #[test]
    fn arithmetic_of_intervals_encloses_all_results() {
        let minus = quarters(-4, 8);
        let plus = quarters(2, 4);
        let [minus, plus] = [minus.finite().expect("numbers"), plus.finite().expect("numbers")];
        for (operator, lower, upper) in [
            (BinaryOperator::Add, -2, 12),
            (BinaryOperator::Subtract, -8, 6),
            (BinaryOperator::Multiply, -4, 8),
            (BinaryOperator::Divide, -8, 16),
        ] {
            assert_eq!(
                arithmetic(operator, minus, plus).expect("a result"),
                quarters(lower, upper),
                "{operator:?}"
            );
        }
        assert!(arithmetic(BinaryOperator::Divide, plus, minus).is_err());
    }

    #[test]
    fn decimals_are_rounded_outward() {
        let third = BigRational::new(1.into(), 3.into());
        let minus_third = -third.clone();
        assert_eq!(
            Interval::exactly(third).decimals(),
            ["0.3333333333333333333", "0.3333333333333333334"]
        );
        assert_eq!(
            Interval::exactly(minus_third).decimals(),
            ["-0.3333333333333333334", "-0.3333333333333333333"]
        );
        assert_eq!(quarters(-10, 2).decimals(), ["-2.5", "0.5"]);
    }
}
