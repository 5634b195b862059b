//! Reads properties.

use crate::error::{LanguageError, quoted, refuse};
use crate::expression::{Expression, ExpressionKind};
use crate::lexer::{Sign, TokenKind};
use crate::parser::{Grammar, Parser};
use crate::property::{
    Coalition, Comparison, Direction, Endless, Filter, FilterOperation, Missed, Operator, Path,
    PlayerName, Quantity, Relation, Rewarded, StepBound, Structure,
};
use crate::value::Value;

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
    let mut parser = Parser::new(text, Grammar::Property)?;
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
    let mut parser = Parser::new(text, Grammar::Model)?;
    let expression = parser.expression()?;
    if *parser.peek() != TokenKind::End {
        return parser.unexpected("the end");
    }
    let nothing: &[Value] = &[];
    expression.evaluate(nothing)
}
