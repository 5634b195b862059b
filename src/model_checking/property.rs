//! Zero-sum properties of a coalition, in the syntax of PRISM-games.

use std::fmt;
use std::str::FromStr;

use num_traits::ToPrimitive;

use super::expression::{Expression, NOT_ONE_OPERATOR, Reader, Token, Value, refuse};
use crate::error::{ModelError, Quoted};

/// A question about a model: which probability, or which expected reward, a coalition of players can guarantee.
///
/// ```
/// use pencil_tennis::model_checking::Property;
///
/// let property: Property = "<<1>>Pmax=? [ F s1=3 & t<=1 ]".parse()?;
/// let equilibria = "<<1:2>>max=? (P[F s1=3] + P[F s2=3])".parse::<Property>();
/// assert!(equilibria.unwrap_err().to_string().contains("equilibria"));
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub(super) coalition: Coalition,
    pub(super) direction: Direction,
    pub(super) measure: Measure,
}

/// The players who maximise or minimise together, against all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Coalition {
    /// No coalition is named, as for models with one player.
    Unnamed,
    /// All players: `<<*>>`.
    All,
    Players(Vec<PlayerName>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayerName {
    /// Counted from 1.
    Number(usize),
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
pub(super) enum Direction {
    Maximise,
    Minimise,
    /// `P=?`, which fits a model where nobody chooses.
    Unstated,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// 1 where `hold` lasts until `reach`, else 0. Play that never reaches `reach` while `hold` lasts pays 1 if `weak`.
    Until {
        hold: Expression,
        reach: Expression,
        weak: bool,
        steps: Option<u64>,
    },
    /// 1 where the next state satisfies a formula.
    Next(Expression),
    Reward {
        structure: Structure,
        of: Rewarded,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Structure {
    Only,
    Named(String),
    /// Counted from 1.
    Number(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rewarded {
    /// The total reward before a target; `missed_is_infinite` if play may never reach it.
    Until { target: Expression, missed_is_infinite: bool },
    /// The total reward of this many steps.
    Steps(u64),
    /// The reward of the state after this many steps.
    Instant(u64),
}

impl FromStr for Property {
    type Err = ModelError;

    fn from_str(text: &str) -> Result<Self, ModelError> {
        let mut reader = Reader::new(text.trim().trim_end_matches(';'))?;
        let coalition = coalition(&mut reader)?;
        let Some(Token::Name(operator)) = reader.next() else {
            return reader.unexpected("Pmax=?, Pmin=?, Rmax=? or Rmin=?");
        };
        let (direction, structure) = aim(&mut reader, &operator)?;
        if !reader.takes("=?") {
            return refuse("it asks whether a bound holds; expected `=?`, which gives the number");
        }
        if direction == Direction::Unstated && coalition != Coalition::Unnamed {
            return refuse(format!(
                "{operator}=? does not say whether the coalition maximises; expected {operator}max=? or {operator}min=?"
            ));
        }
        reader.expect("[")?;
        let is_reward = operator.starts_with('R');
        let measure = if is_reward { Measure::Reward { structure, of: rewarded(&mut reader)? } } else { path(&mut reader)? };
        if matches!(reader.peek(), Some(Token::Name(name)) if matches!(&**name, "U" | "W" | "R" | "F" | "G" | "X")) {
            return refuse(NOT_ONE_OPERATOR);
        }
        reader.expect("]")?;
        match reader.next() {
            None => Ok(Self { coalition, direction, measure }),
            Some(token) => {
                refuse(format!("{} stands after its end; one property is solved at a time", Quoted(&token.to_string())))
            }
        }
    }
}

/// Reads the rest of an operator after its name, such as `{"time"}max`, up to the `=?`.
fn aim(reader: &mut Reader, operator: &str) -> Result<(Direction, Structure), ModelError> {
    match operator {
        "Pmax" | "Rmax" => Ok((Direction::Maximise, Structure::Only)),
        "Pmin" | "Rmin" => Ok((Direction::Minimise, Structure::Only)),
        "P" => Ok((Direction::Unstated, Structure::Only)),
        "R" => {
            let structure = structure(reader)?;
            let direction = if reader.takes_name("max") {
                Direction::Maximise
            } else if reader.takes_name("min") {
                Direction::Minimise
            } else {
                Direction::Unstated
            };
            Ok((direction, structure))
        }
        "max" | "min" => refuse("it asks for equilibria, which are not zero-sum and not supported"),
        _ => {
            refuse(format!("{} is not supported; expected Pmax=?, Pmin=?, R{{\"…\"}}max=? or R{{\"…\"}}min=?", Quoted(operator)))
        }
    }
}

/// Reads the coalition in front of an operator, if there is one.
fn coalition(reader: &mut Reader) -> Result<Coalition, ModelError> {
    if !reader.takes("<<") {
        return Ok(Coalition::Unnamed);
    }
    if reader.takes("*") {
        reader.expect(">>")?;
        return Ok(Coalition::All);
    }
    let mut players = Vec::new();
    while !reader.takes(">>") {
        if !players.is_empty() {
            if reader.takes(":") {
                return refuse("it asks for equilibria between coalitions, which are not zero-sum and not supported");
            }
            reader.expect(",")?;
        }
        let player = match reader.next() {
            Some(Token::Number(number)) => match number.to_usize().filter(|&player| player > 0 && number.is_integer()) {
                Some(player) => PlayerName::Number(player),
                None => return refuse(format!("the coalition has a player {number}; players are counted from 1")),
            },
            Some(Token::Name(name)) => PlayerName::Name(name),
            Some(token) => return refuse(format!("{} stands where a player is expected", Quoted(&token.to_string()))),
            None => return refuse("the coalition lacks its `>>`"),
        };
        if players.contains(&player) {
            return refuse(format!("the player {player} stands twice in the coalition"));
        }
        players.push(player);
    }
    Ok(Coalition::Players(players))
}

fn structure(reader: &mut Reader) -> Result<Structure, ModelError> {
    if !reader.takes("{") {
        return Ok(Structure::Only);
    }
    let name = reader.next();
    let number = name.as_ref().and_then(Token::whole);
    let structure = match (name, number) {
        (Some(Token::Label(name)), _) => Structure::Named(name),
        (_, Some(number @ 1..)) => Structure::Number(number as usize),
        _ => return refuse("a reward structure is named in quotation marks or by its number: R{\"time\"}max=?, R{1}max=?"),
    };
    reader.expect("}")?;
    Ok(structure)
}

/// Reads a bound such as `<=3`, if there is one.
fn steps(reader: &mut Reader) -> Result<Option<u64>, ModelError> {
    let strict = reader.takes("<");
    if !strict && !reader.takes("<=") {
        if matches!(reader.peek(), Some(Token::Sign("[" | "=" | ">" | ">="))) {
            return refuse("a bound of steps from below or between two numbers is not supported; expected <=k or <k");
        }
        return Ok(None);
    }
    let bound = reader.next();
    match (&bound, bound.as_ref().and_then(Token::whole)) {
        (_, Some(steps)) if !strict || steps > 0 => Ok(Some(steps - u64::from(strict))),
        (Some(Token::Number(number)), _) if number.is_integer() => refuse(format!("{number} is no number of steps")),
        (Some(token), _) => refuse(format!(
            "{} stands where a number of steps is expected; constants are written out",
            Quoted(&token.to_string())
        )),
        (None, _) => refuse("it ends where a number of steps is expected"),
    }
}

fn path(reader: &mut Reader) -> Result<Measure, ModelError> {
    let constant = |truth| Expression::Constant(Value::Truth(truth));
    if reader.takes_name("X") {
        return Ok(Measure::Next(Expression::read(reader)?));
    }
    if reader.takes_name("F") {
        let (steps, reach) = (steps(reader)?, Expression::read(reader)?);
        return Ok(Measure::Until { hold: constant(true), reach, weak: false, steps });
    }
    if reader.takes_name("G") {
        let (steps, hold) = (steps(reader)?, Expression::read(reader)?);
        return Ok(Measure::Until { hold, reach: constant(false), weak: true, steps });
    }
    let first = Expression::read(reader)?;
    let Some(Token::Name(operator)) = reader.next() else { return refuse("a path formula needs one of F, G, X, U, R and W") };
    if !matches!(&*operator, "U" | "W" | "R") {
        return refuse(format!("{} stands where U, R or W is expected", Quoted(&operator)));
    }
    let (steps, second) = (steps(reader)?, Expression::read(reader)?);
    Ok(match &*operator {
        // a R b: b lasts until, and where, a holds, or for ever.
        "R" => {
            let both = Expression::Apply("&".to_owned(), vec![first, second.clone()]);
            Measure::Until { hold: second, reach: both, weak: true, steps }
        }
        "W" => Measure::Until { hold: first, reach: second, weak: true, steps },
        _ => Measure::Until { hold: first, reach: second, weak: false, steps },
    })
}

fn rewarded(reader: &mut Reader) -> Result<Rewarded, ModelError> {
    let Some(Token::Name(operator)) = reader.next() else { return refuse("a reward needs F, C, C<=k or I=k in brackets") };
    match &*operator {
        "F" | "Fc" if matches!(reader.peek(), Some(Token::Sign("<" | "<="))) => {
            refuse("a reward until a target takes no bound of steps; expected C<=k")
        }
        "F" => Ok(Rewarded::Until { target: Expression::read(reader)?, missed_is_infinite: true }),
        "Fc" => Ok(Rewarded::Until { target: Expression::read(reader)?, missed_is_infinite: false }),
        "C" => match steps(reader)? {
            Some(steps) => Ok(Rewarded::Steps(steps)),
            None => Ok(Rewarded::Until { target: Expression::Constant(Value::Truth(false)), missed_is_infinite: false }),
        },
        "I" => {
            reader.expect("=")?;
            let steps = reader.next().as_ref().and_then(Token::whole);
            steps.map_or_else(|| refuse("I= needs a number of steps"), |steps| Ok(Rewarded::Instant(steps)))
        }
        "S" => refuse("long-run averages are not supported"),
        "F0" => refuse("F0 is not supported; expected F (infinite where the target is missed) or Fc (what is collected)"),
        _ => refuse(format!("{} is not supported for rewards; expected F, Fc, C, C<=k or I=k", Quoted(&operator))),
    }
}
