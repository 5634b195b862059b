//! Properties: probability and reward operators, their filters, and files of them.

use std::fmt;

use crate::error::{LanguageError, Position, quoted, refuse};
use crate::expression::{Expression, ExpressionKind};
use crate::lexer::{Sign, TokenKind};
use crate::model::{ConstantDeclaration, NamedExpression};
use crate::parser::{Parser, Reads};
use crate::value::Value;

/// A probability or an expected reward that a coalition can guarantee, or whether it keeps a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    /// The players who aim together.
    pub coalition: Coalition,
    /// The number, or the bound it is compared with.
    pub relation: Relation,
    /// The aim of nature, which chooses uncertain probabilities: `min` in `Pmaxmin=?`. Unstated, it
    /// is against the coalition, or against the bound.
    pub nature: Direction,
    /// The quantity.
    pub quantity: Quantity,
}

/// The players who maximise or minimise together, against all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coalition {
    /// No coalition is named, as for models with one player.
    Unnamed,
    /// All players: `<<*>>`.
    All,
    /// Some players.
    Players(Vec<PlayerName>),
}

/// A player in a coalition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerName {
    /// Counted from 1.
    Number(usize),
    /// By name.
    Name(String),
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// The aim of the coalition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `max`
    Maximise,
    /// `min`
    Minimise,
    /// Neither, as in `P=?`.
    Unstated,
}

impl Direction {
    /// The aim of an opponent.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Maximise => Self::Minimise,
            Self::Minimise => Self::Maximise,
            Self::Unstated => Self::Unstated,
        }
    }
}

/// The aims of the coalition and of nature, which chooses uncertain probabilities.
#[derive(Clone, Copy)]
struct Directions {
    of_players: Direction,
    of_nature: Direction,
}

impl Directions {
    const UNSTATED: Self = Self { of_players: Direction::Unstated, of_nature: Direction::Unstated };

    /// The aims by the word behind the operator: that of the coalition, then that of nature.
    fn of_word(word: &str) -> Option<Self> {
        let (players, nature) = word.split_at_checked(3)?;
        let direction = |word: &str| match word {
            "max" => Some(Direction::Maximise),
            "min" => Some(Direction::Minimise),
            _ => None,
        };
        let of_nature = if nature.is_empty() { Direction::Unstated } else { direction(nature)? };
        Some(Self { of_players: direction(players)?, of_nature })
    }
}

/// The question about a quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The number: `max=?`.
    Query(Direction),
    /// Whether a bound holds: `>=0.5`.
    Bound(Comparison, Expression),
}

/// The comparison with a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// A probability or a reward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The probability of a path.
    Probability(Path),
    /// An expected reward.
    Reward {
        /// The rewards that count.
        structure: Structure,
        /// The part of play whose rewards count.
        of: Rewarded,
    },
}

/// A condition on infinite plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Path {
    /// `hold` lasts until `reach`.
    Until {
        /// What has to last.
        hold: Expression,
        /// What has to be reached.
        reach: Expression,
        /// Whether play that never reaches `reach` counts, too, while `hold` lasts.
        endless: Endless,
        /// The bound of steps, if there is one.
        steps: Option<StepBound>,
    },
    /// `hold` lasts until, and where, `release` holds, or for ever: `release R hold`.
    Release {
        /// What ends the duty.
        release: Expression,
        /// What has to last, including the state where `release` holds.
        hold: Expression,
        /// The bound of steps, if there is one.
        steps: Option<StepBound>,
    },
    /// The next state satisfies a formula.
    Next(Expression),
}

/// Whether a play that never ends satisfies a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endless {
    /// It does, as with `G` and `W`.
    Counts,
    /// It does not, as with `F` and `U`.
    Fails,
}

/// A bound of the number of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepBound {
    /// `<=k`
    AtMost(Expression),
    /// `<k`
    Less(Expression),
    /// `=k`
    Exactly(Expression),
    /// `[j,k]`
    Between(Box<[Expression; 2]>),
}

/// A reward structure in a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Structure {
    /// The only one.
    Only,
    /// By name.
    Named(String),
    /// By number, counted from 1.
    Number(usize),
}

/// The part of play whose rewards count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rewarded {
    /// Before a target.
    Until {
        /// The target.
        target: Expression,
        /// What missing it pays.
        missed: Missed,
    },
    /// Of this many steps: `C<=k`.
    Steps(StepBound),
    /// Of the state after this many steps: `I=k`.
    Instant(Expression),
}

/// The reward of a play that misses its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missed {
    /// Infinitely much: `F`.
    Infinite,
    /// As much as was collected: `Fc`, and `C` without a target.
    Collected,
}

/// A property for several states, and their results taken together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// How results are taken together.
    pub operation: FilterOperation,
    /// The property.
    pub property: Expression,
    /// The states; all if there is no formula.
    pub states: Option<Expression>,
}

/// How a filter takes results together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterOperation {
    /// `forall`, `&`
    ForAll,
    /// `exists`, `|`
    Exists,
    /// `min`
    Minimum,
    /// `max`
    Maximum,
    /// `sum`, `+`
    Sum,
    /// `avg`
    Average,
    /// `count`
    Count,
    /// `first`
    First,
    /// `state`
    State,
    /// `range`
    Range,
    /// `print`, `printall`: the result of the initial states
    Print,
}

const FILTERS: [(&str, FilterOperation); 12] = [
    ("forall", FilterOperation::ForAll),
    ("exists", FilterOperation::Exists),
    ("min", FilterOperation::Minimum),
    ("max", FilterOperation::Maximum),
    ("sum", FilterOperation::Sum),
    ("avg", FilterOperation::Average),
    ("count", FilterOperation::Count),
    ("first", FilterOperation::First),
    ("state", FilterOperation::State),
    ("range", FilterOperation::Range),
    ("print", FilterOperation::Print),
    ("printall", FilterOperation::Print),
];

type Map<'m> = &'m mut dyn FnMut(&Expression) -> Result<Expression, LanguageError>;

impl Operator {
    /// The operator with each of its formulas replaced.
    pub(crate) fn map(&self, map: Map<'_>) -> Result<Self, LanguageError> {
        let relation = match &self.relation {
            Relation::Query(direction) => Relation::Query(*direction),
            Relation::Bound(comparison, threshold) => Relation::Bound(*comparison, map(threshold)?),
        };
        let quantity = match &self.quantity {
            Quantity::Probability(Path::Next(formula)) => {
                Quantity::Probability(Path::Next(map(formula)?))
            }
            Quantity::Probability(Path::Until { hold, reach, endless, steps }) => {
                Quantity::Probability(Path::Until {
                    hold: map(hold)?,
                    reach: map(reach)?,
                    endless: *endless,
                    steps: mapped_bound(steps.as_ref(), map)?,
                })
            }
            Quantity::Probability(Path::Release { release, hold, steps }) => {
                Quantity::Probability(Path::Release {
                    release: map(release)?,
                    hold: map(hold)?,
                    steps: mapped_bound(steps.as_ref(), map)?,
                })
            }
            Quantity::Reward { structure, of } => {
                let of = match of {
                    Rewarded::Until { target, missed } => {
                        Rewarded::Until { target: map(target)?, missed: *missed }
                    }
                    Rewarded::Steps(bound) => Rewarded::Steps(bound.map(map)?),
                    Rewarded::Instant(number) => Rewarded::Instant(map(number)?),
                };
                Quantity::Reward { structure: structure.clone(), of }
            }
        };
        Ok(Self { coalition: self.coalition.clone(), relation, nature: self.nature, quantity })
    }
}

impl Operator {
    /// The formulas about states in the operator.
    pub fn formulas(&self) -> Vec<&Expression> {
        match &self.quantity {
            Quantity::Probability(Path::Next(formula)) => vec![formula],
            Quantity::Probability(Path::Until { hold, reach, .. }) => vec![hold, reach],
            Quantity::Probability(Path::Release { release, hold, .. }) => vec![release, hold],
            Quantity::Reward { of: Rewarded::Until { target, .. }, .. } => vec![target],
            Quantity::Reward { .. } => Vec::new(),
        }
    }

    /// The operator with a variable wherever a formula stands that equals another one.
    ///
    /// # Errors
    /// None that a resolved operator could have.
    pub fn replaced(&self, formula: &Expression, variable: usize) -> Result<Self, LanguageError> {
        self.map(&mut |part| {
            let is_formula = part == formula;
            Ok(if is_formula {
                Expression::leaf(part.at, ExpressionKind::Variable(variable))
            } else {
                part.clone()
            })
        })
    }
}

/// A bound, if there is one, with each of its numbers replaced.
fn mapped_bound(
    bound: Option<&StepBound>,
    map: Map<'_>,
) -> Result<Option<StepBound>, LanguageError> {
    match bound {
        Some(bound) => Ok(Some(bound.map(map)?)),
        None => Ok(None),
    }
}

impl StepBound {
    fn map(&self, map: Map<'_>) -> Result<Self, LanguageError> {
        Ok(match self {
            Self::AtMost(number) => Self::AtMost(map(number)?),
            Self::Less(number) => Self::Less(map(number)?),
            Self::Exactly(number) => Self::Exactly(map(number)?),
            Self::Between(numbers) => {
                Self::Between(Box::new([map(&numbers[0])?, map(&numbers[1])?]))
            }
        })
    }

    /// Whether it bounds the steps from below, too.
    pub const fn has_least(&self) -> bool {
        matches!(self, Self::Exactly(_) | Self::Between(_))
    }

    /// The least number of steps; 0 without one.
    ///
    /// # Errors
    /// A number that is not whole, or below 0.
    pub fn least(&self) -> Result<u64, LanguageError> {
        match self {
            Self::AtMost(_) | Self::Less(_) => Ok(0),
            Self::Exactly(number) => steps(number),
            Self::Between(numbers) => steps(&numbers[0]),
        }
    }

    /// The most steps.
    ///
    /// # Errors
    /// A bound that is no whole number, or below 0.
    pub fn most(&self) -> Result<u64, LanguageError> {
        match self {
            Self::AtMost(number) | Self::Exactly(number) => steps(number),
            Self::Between(numbers) => steps(&numbers[1]),
            Self::Less(number) => match steps(number)?.checked_sub(1) {
                Some(most) => Ok(most),
                None => refuse(number.at, "fewer than 0 is no number of steps"),
            },
        }
    }
}

/// The whole number of an expression whose names are resolved.
///
/// # Errors
/// Any other value.
pub fn steps(number: &Expression) -> Result<u64, LanguageError> {
    match number.as_constant() {
        Some(Value::Integer(steps @ 0..)) => Ok(*steps as u64),
        Some(value) => refuse(
            number.at,
            format!("{value} is no number of steps; expected a whole number from 0"),
        ),
        None => refuse(number.at, "it is no constant; expected a number of steps"),
    }
}

impl Filter {
    pub(crate) fn map(&self, map: Map<'_>) -> Result<Self, LanguageError> {
        let states = match &self.states {
            Some(states) => Some(map(states)?),
            None => None,
        };
        Ok(Self { operation: self.operation, property: map(&self.property)?, states })
    }
}

const NOT_ONE_OPERATOR: &str = "temporal operators are combined (LTL), which is not supported; expected one of F, G, X, U, R and W around formulas about single states";

impl Parser {
    /// Whether a probability or reward operator, or one that is not supported, begins here.
    pub(crate) fn sees_operator(&self) -> bool {
        let TokenKind::Name(name) = self.peek() else { return false };
        match &**name {
            // Functions, too.
            "max" | "min" => *self.peek_second() != TokenKind::Sign(Sign::Open),
            "P" | "R" | "S" | "E" | "A" | "F" | "G" | "X" | "U" | "W" => true,
            name => name
                .strip_prefix(['P', 'R'])
                .is_some_and(|rest| Directions::of_word(rest).is_some()),
        }
    }

    /// Reads an operator with its coalition.
    pub(crate) fn operator(&mut self) -> Result<Expression, LanguageError> {
        let at = self.at();
        let coalition = self.coalition()?;
        let at_name = self.at();
        let name = self.name("Pmax=?, Pmin=?, Rmax=? or Rmin=?")?;
        let mut structure = Structure::Only;
        let mut directions = match &*name {
            "P" | "R" => Directions::UNSTATED,
            "max" | "min" => {
                return refuse(
                    at_name,
                    "it asks for equilibria, which are not zero-sum and not supported",
                );
            }
            "F" | "G" | "X" | "U" | "W" => return refuse(at_name, NOT_ONE_OPERATOR),
            _ => match name.strip_prefix(['P', 'R']).and_then(Directions::of_word) {
                Some(directions) => directions,
                None => {
                    let known = "expected Pmax=?, Pmin=?, R{\"…\"}max=? or R{\"…\"}min=?, or a bound such as P>=0.5";
                    return refuse(at_name, format!("{} is not supported; {known}", quoted(&name)));
                }
            },
        };
        let is_reward = name.starts_with('R');
        if name == "R" {
            structure = self.structure()?;
            if let TokenKind::Name(word) = self.peek()
                && let Some(stated) = Directions::of_word(word)
            {
                directions = stated;
                self.advance();
            }
        }
        let Directions { of_players: direction, of_nature: nature } = directions;
        let relation = self.relation(direction)?;
        if relation == Relation::Query(Direction::Unstated) && coalition != Coalition::Unnamed {
            let reason = format!(
                "{name}=? does not say whether the coalition maximises; expected {name}max=? or {name}min=?"
            );
            return refuse(at_name, reason);
        }
        self.expect(Sign::OpenSquare)?;
        let quantity = if is_reward {
            Quantity::Reward { structure, of: self.rewarded()? }
        } else {
            Quantity::Probability(self.path()?)
        };
        if matches!(self.peek(), TokenKind::Name(name) if matches!(&**name, "U" | "W" | "R" | "F" | "G" | "X"))
        {
            return refuse(self.at(), NOT_ONE_OPERATOR);
        }
        if self.sees(Sign::OpenCurly) {
            return refuse(self.at(), "a filter in braces is not supported; expected filter(…)");
        }
        self.expect(Sign::CloseSquare)?;
        Expression::node(
            at,
            ExpressionKind::Operator(Box::new(Operator { coalition, relation, nature, quantity })),
        )
    }

    fn relation(&mut self, direction: Direction) -> Result<Relation, LanguageError> {
        if self.takes(Sign::Query) {
            return Ok(Relation::Query(direction));
        }
        let at = self.at();
        let Some(comparison) = self.comparison() else {
            return self.unexpected("`=?` or a bound such as `>=0.5`");
        };
        if direction != Direction::Unstated {
            return refuse(
                at,
                "it asks whether a bound holds, and says max or min; expected P>=0.5 or Pmax=?",
            );
        }
        // A bracket begins the path, so that the bound is no comparison.
        let threshold = self.expression()?;
        Ok(Relation::Bound(comparison, threshold))
    }

    fn comparison(&mut self) -> Option<Comparison> {
        let known = [
            (Sign::AtMost, Comparison::AtMost),
            (Sign::AtLeast, Comparison::AtLeast),
            (Sign::Less, Comparison::Less),
            (Sign::Greater, Comparison::Greater),
        ];
        known.into_iter().find(|(sign, _)| self.takes(*sign)).map(|(_, comparison)| comparison)
    }

    /// Reads the coalition in front of an operator, if there is one.
    fn coalition(&mut self) -> Result<Coalition, LanguageError> {
        if !self.takes(Sign::CoalitionOpen) {
            return Ok(Coalition::Unnamed);
        }
        if self.takes(Sign::Times) {
            self.expect(Sign::CoalitionClose)?;
            return Ok(Coalition::All);
        }
        let mut players = Vec::new();
        while !self.takes(Sign::CoalitionClose) {
            if !players.is_empty() {
                if self.sees(Sign::Colon) {
                    let reason = "it asks for equilibria between coalitions, which are not zero-sum and not supported";
                    return refuse(self.at(), reason);
                }
                self.expect(Sign::Comma)?;
            }
            let at = self.at();
            let player = match self.peek().clone() {
                TokenKind::Number(number) => match Value::of_number(*number) {
                    Value::Integer(player @ 1..) => PlayerName::Number(player as usize),
                    other => {
                        return refuse(
                            at,
                            format!(
                                "the coalition has a player {other}; players are counted from 1"
                            ),
                        );
                    }
                },
                TokenKind::Name(name) => PlayerName::Name(name),
                TokenKind::End => return refuse(at, "the coalition lacks its `>>`"),
                _ => return self.unexpected("a player"),
            };
            self.advance();
            if players.contains(&player) {
                return refuse(at, format!("the player {player} stands twice in the coalition"));
            }
            players.push(player);
        }
        Ok(Coalition::Players(players))
    }

    fn structure(&mut self) -> Result<Structure, LanguageError> {
        if !self.takes(Sign::OpenCurly) {
            return Ok(Structure::Only);
        }
        let at = self.at();
        let structure = match self.advance() {
            TokenKind::Text(name) => Structure::Named(name),
            TokenKind::Number(number) => match Value::of_number(*number) {
                Value::Integer(number @ 1..) => Structure::Number(number as usize),
                other => {
                    return refuse(
                        at,
                        format!("{other} is no reward structure; they are counted from 1"),
                    );
                }
            },
            _ => {
                let reason = "a reward structure is named in quotation marks or by its number: R{\"time\"}max=?, R{1}max=?";
                return refuse(at, reason);
            }
        };
        self.expect(Sign::CloseCurly)?;
        Ok(structure)
    }

    /// Reads a bound of steps such as `<=3`, `[2,3]` or `=3`, if there is one.
    fn step_bound(&mut self) -> Result<Option<StepBound>, LanguageError> {
        let at = self.at();
        if self.takes(Sign::OpenSquare) {
            let least = self.sum()?;
            self.expect(Sign::Comma)?;
            let most = self.sum()?;
            self.expect(Sign::CloseSquare)?;
            return Ok(Some(StepBound::Between(Box::new([least, most]))));
        }
        if self.takes(Sign::Equal) {
            return Ok(Some(StepBound::Exactly(self.sum_without_minus()?)));
        }
        match self.comparison() {
            None => Ok(None),
            Some(Comparison::AtMost) => Ok(Some(StepBound::AtMost(self.sum_without_minus()?))),
            Some(Comparison::Less) => Ok(Some(StepBound::Less(self.sum_without_minus()?))),
            Some(Comparison::Greater | Comparison::AtLeast) => {
                let reason = "a bound of steps from below alone is not supported; expected <=k, <k, [j,k] or =k";
                refuse(at, reason)
            }
        }
    }

    /// Reads the content of an operator that stands in brackets once more.
    fn in_brackets<T>(
        &mut self,
        read: fn(&mut Self) -> Result<T, LanguageError>,
    ) -> Result<T, LanguageError> {
        self.expect(Sign::Open)?;
        let inside = self.nested(read)?;
        self.expect(Sign::Close)?;
        Ok(inside)
    }

    fn path(&mut self) -> Result<Path, LanguageError> {
        let at = self.at();
        if self.brackets_hold_all() {
            return self.in_brackets(Self::path);
        }
        if self.takes_word("X") {
            return Ok(Path::Next(self.expression()?));
        }
        if self.takes_word("F") {
            let steps = self.step_bound()?;
            let hold = Expression::constant(at, Value::Truth(true));
            return Ok(Path::Until {
                hold,
                reach: self.expression()?,
                endless: Endless::Fails,
                steps,
            });
        }
        if self.takes_word("G") {
            let steps = self.step_bound()?;
            let reach = Expression::constant(at, Value::Truth(false));
            return Ok(Path::Until {
                hold: self.expression()?,
                reach,
                endless: Endless::Counts,
                steps,
            });
        }
        let first = self.expression()?;
        let operator = match self.peek() {
            TokenKind::Name(name) if matches!(&**name, "U" | "W" | "R") => name.clone(),
            TokenKind::Sign(Sign::CloseSquare) | TokenKind::End => {
                return refuse(at, "a path formula needs one of F, G, X, U, R and W");
            }
            _ => return self.unexpected("U, R or W"),
        };
        self.advance();
        let at_steps = self.at();
        let steps = self.step_bound()?;
        if operator != "U" && steps.as_ref().is_some_and(StepBound::has_least) {
            return refuse(at_steps, "W and R take no least number of steps; expected <=k or <k");
        }
        let second = self.expression()?;
        Ok(match &*operator {
            "R" => Path::Release { release: first, hold: second, steps },
            "W" => Path::Until { hold: first, reach: second, endless: Endless::Counts, steps },
            _ => Path::Until { hold: first, reach: second, endless: Endless::Fails, steps },
        })
    }

    fn rewarded(&mut self) -> Result<Rewarded, LanguageError> {
        let at = self.at();
        if self.brackets_hold_all() {
            return self.in_brackets(Self::rewarded);
        }
        let TokenKind::Name(operator) = self.peek().clone() else {
            return self.unexpected("F, Fc, C, C<=k or I=k in brackets");
        };
        self.advance();
        match &*operator {
            "F" | "Fc" => {
                if self.step_bound()?.is_some() {
                    return refuse(
                        at,
                        "a reward until a target takes no bound of steps; expected C<=k",
                    );
                }
                let missed = if operator == "F" { Missed::Infinite } else { Missed::Collected };
                Ok(Rewarded::Until { target: self.expression()?, missed })
            }
            "C" => Ok(match self.step_bound()? {
                Some(bound) if bound.has_least() => {
                    return refuse(
                        at,
                        "a collected reward takes no least number of steps; expected C<=k or C<k",
                    );
                }
                Some(bound) => Rewarded::Steps(bound),
                None => {
                    let target = Expression::constant(at, Value::Truth(false));
                    Rewarded::Until { target, missed: Missed::Collected }
                }
            }),
            "I" => {
                self.expect(Sign::Equal)?;
                Ok(Rewarded::Instant(self.expression()?))
            }
            "S" => refuse(at, "long-run averages are not supported"),
            "F0" => {
                let reason = "F0 is not supported; expected F (infinite where the target is missed) or Fc (what is collected)";
                refuse(at, reason)
            }
            _ => {
                let known = "expected F, Fc, C, C<=k or I=k";
                refuse(at, format!("{} is not supported for rewards; {known}", quoted(&operator)))
            }
        }
    }

    /// Reads `filter(operation, property, states)`.
    pub(crate) fn filter(&mut self) -> Result<Expression, LanguageError> {
        let at = self.at();
        self.expect_word("filter")?;
        self.expect(Sign::Open)?;
        let at_operation = self.at();
        let name = match self.advance() {
            TokenKind::Name(name) => name,
            TokenKind::Sign(Sign::And) => "forall".to_owned(),
            TokenKind::Sign(Sign::Or) => "exists".to_owned(),
            TokenKind::Sign(Sign::Plus) => "sum".to_owned(),
            other => other.to_string(),
        };
        let Some((_, operation)) = FILTERS.into_iter().find(|(known, _)| *known == name) else {
            let known = FILTERS.map(|(known, _)| known).join(", ");
            return refuse(
                at_operation,
                format!("{} is not supported in a filter; expected one of {known}", quoted(&name)),
            );
        };
        self.expect(Sign::Comma)?;
        let property = self.expression()?;
        let states = if self.takes(Sign::Comma) { Some(self.expression()?) } else { None };
        self.expect(Sign::Close)?;
        Expression::node(
            at,
            ExpressionKind::Filter(Box::new(Filter { operation, property, states })),
        )
    }
}

/// Reads one property; a semicolon may end it.
///
/// # Errors
/// The first place that is not in the language, or of a kind that is not supported.
pub fn read_property(text: &str) -> Result<Expression, LanguageError> {
    let mut parser = Parser::new(text, Reads::Property)?;
    let property = parser.expression()?;
    parser.takes(Sign::Semicolon);
    match parser.peek() {
        TokenKind::End => Ok(property),
        token => {
            refuse(parser.at(), format!("{token} stands after its end; expected one property"))
        }
    }
}

/// Reads the value of a constant, such as `0.1`, `1/3` or `true`.
///
/// # Errors
/// A text that is no expression, or has names.
pub fn read_value(text: &str) -> Result<Value, LanguageError> {
    let mut parser = Parser::new(text, Reads::Model)?;
    let expression = parser.expression()?;
    if *parser.peek() != TokenKind::End {
        return parser.unexpected("the end");
    }
    let nothing: &[Value] = &[];
    expression.evaluate(nothing)
}

/// A file of properties.
#[derive(Clone, Debug, Default)]
pub struct PropertyFile {
    /// Its constants.
    pub constants: Vec<ConstantDeclaration>,
    /// Its labels.
    pub labels: Vec<NamedExpression>,
    /// Its formulas.
    pub formulas: Vec<NamedExpression>,
    /// Its properties.
    pub properties: Vec<FileProperty>,
}

/// A property in a file.
#[derive(Clone, Debug)]
pub struct FileProperty {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The place where it begins.
    pub at: Position,
    /// The text.
    pub text: String,
    /// What was read, or why it was not: one property that is not supported does not prevent the
    /// others.
    pub property: Result<Expression, LanguageError>,
}

impl PropertyFile {
    /// Reads a file.
    ///
    /// # Errors
    /// A text that cannot be split into words and signs, or a malformed constant, label or formula.
    /// A malformed property is kept as such.
    pub fn read(text: &str) -> Result<Self, LanguageError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut parser = Parser::new(text, Reads::Property)?;
        let mut file = Self::default();
        while *parser.peek() != TokenKind::End {
            match parser.peek().clone() {
                TokenKind::Sign(Sign::Semicolon) => {
                    parser.advance();
                }
                TokenKind::Name(word) if word == "const" => file.constants.push(parser.constant()?),
                TokenKind::Name(word) if word == "label" => file.labels.push(parser.label()?),
                TokenKind::Name(word) if word == "formula" => file.formulas.push(parser.formula()?),
                _ => file.properties.push(parser.file_property(text)),
            }
        }
        Ok(file)
    }
}

impl Parser {
    fn file_property(&mut self, text: &str) -> FileProperty {
        let mut name = None;
        if let TokenKind::Text(label) = self.peek().clone()
            && *self.peek_second() == TokenKind::Sign(Sign::Colon)
        {
            name = Some(label);
            self.advance();
            self.advance();
        }
        let at = self.at();
        let from = self.token().bytes.start;
        let property = self.with_fresh_depth(Self::expression);
        if property.is_err() {
            let read_to = self.at();
            self.rewind(at);
            self.skip_property(read_to);
        }
        FileProperty {
            name,
            at,
            text: text[from..self.end_of_last().max(from)].to_owned(),
            property,
        }
    }

    /// Skips a malformed property, which was read up to a place: to a semicolon or to a line that
    /// begins outside of brackets, but not before that place, so that no part of a file is read
    /// again and again.
    fn skip_property(&mut self, read_to: Position) {
        let mut brackets = 0_i64;
        loop {
            match self.advance() {
                TokenKind::End | TokenKind::Sign(Sign::Semicolon) => return,
                TokenKind::Sign(Sign::Open | Sign::OpenSquare | Sign::OpenCurly) => brackets += 1,
                TokenKind::Sign(Sign::Close | Sign::CloseSquare | Sign::CloseCurly) => {
                    brackets -= 1;
                }
                _ => {}
            }
            if brackets <= 0 && self.at().line > self.line_of_last() && self.at() >= read_to {
                return;
            }
        }
    }
}
