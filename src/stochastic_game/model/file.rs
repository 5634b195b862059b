//! Games as text: JSON Lines, one state a line. `docs/games.md` describes the form.

use std::io::{self, BufRead, Write};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use super::builder::{Cell, StochasticGameBuilder};
use super::game::StochasticGame;
use super::kind::Kind;
use super::number::exact_number;
use super::numbered::{CellView, Outcome};
use crate::error::{Error, Quoted, StochasticGameError, StochasticGameFault};
use crate::excerpt::sentence;
use crate::work::WorkError;

/// The name of the format, in its first line.
const FORMAT: &str = "stochastic-game";

/// The version of the format.
const VERSION: u32 = 1;

/// The longest line, in bytes: more than any state of a game that can be solved has.
const LONGEST_LINE: u64 = 1 << 30;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    kind: String,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    discount: Option<String>,
    start: Vec<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct StateLine {
    id: String,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    a: Option<Vec<String>>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    b: Option<Vec<String>>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    endless: Option<String>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    cells: Option<Vec<Vec<CellText>>>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct CellText {
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    reward: Option<String>,
    to: Vec<(String, String)>,
}

/// A line that is not what it should be.
pub(crate) fn text(reason: impl Into<String>) -> StochasticGameFault {
    StochasticGameFault::Text { reason: reason.into() }
}

/// A field that may be missing, but not `null`.
pub(crate) fn given<'d, D: Deserializer<'d>, T: Deserialize<'d>>(field: D) -> Result<Option<T>, D::Error> {
    T::deserialize(field).map(Some)
}

/// The object of a line; a list of its fields is none.
pub(crate) fn object<T: DeserializeOwned>(
    line: &[u8],
    unreadable: impl FnOnce(&serde_json::Error) -> StochasticGameFault,
) -> Result<T, StochasticGameFault> {
    if !line.trim_ascii_start().starts_with(b"{") {
        return Err(text("expected a JSON object in every line, in braces"));
    }
    serde_json::from_slice(line).map_err(|error| unreadable(&error))
}

/// The message of a line that is no such object.
fn unreadable(error: &serde_json::Error) -> StochasticGameFault {
    let message = error.to_string();
    let message = sentence(&message.split(" at line ").next().unwrap_or_default());
    let column = error.column();
    if error.is_eof() {
        return text("the line ends too early; expected one JSON object in a line");
    }
    let hint = if message.contains("expected a string") {
        "; numbers are written as strings, such as \"1/2\""
    } else if message.contains("tuple of size 2") {
        "; what may follow is written in pairs of a probability and a state"
    } else {
        ""
    };
    text(format!("{message} (column {column}){hint}"))
}

impl StochasticGame {
    /// The reward and the probabilities of a cell as the rules give them, undiscounted.
    fn written_cell(&self, cell: &CellView<'_>) -> (BigRational, Vec<(BigRational, usize)>) {
        let denominator = BigInt::from(cell.denominator);
        let share = |weight: BigInt| BigRational::new(weight, denominator.clone());
        let outcome = |outcome: &Outcome| (share(outcome.weight.into()) / &self.discount, outcome.state as usize);
        (share(cell.reward.into()), cell.outcomes.iter().map(outcome).collect())
    }

    /// Reads a game from JSON Lines, line by line; `docs/games.md` describes the form.
    ///
    /// ```
    /// use pencil_tennis::stochastic_game::{Kind, StochasticGame};
    ///
    /// let text = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}
    /// {"id":"win","value":"1"}
    /// {"id":"hit","value":"0"}
    /// {"id":"s","a":["hide","run"],"b":["wait","throw"],"endless":"0","cells":[
    /// [{"to":[["1","s"]]},{"to":[["1","win"]]}],[{"to":[["1","win"]]},{"to":[["7/8","hit"],["1/8","s"]]}]]}"#;
    /// // One state, one line.
    /// let text = text.replace("[\n", "[");
    /// let game = StochasticGame::read(text.as_bytes())?;
    /// assert_eq!((game.kind(), game.len()), (Kind::Recursive, 3));
    /// let refused = StochasticGame::read(text.replace("7/8", "6/8").as_bytes()).unwrap_err();
    /// assert_eq!(
    ///     refused.to_string(),
    ///     "line 4: state `s`: `run` against `throw`: the probabilities sum to 7/8; expected exactly 1"
    /// );
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    ///
    /// # Errors
    /// A [`StochasticGameError`] that names the line and the state.
    pub fn read(input: impl BufRead) -> Result<Self, StochasticGameError> {
        read_lines(input, |_| Ok(()))
    }

    /// The same within a limit on memory, in bytes: a game that takes more when it is solved is refused while it is read.
    ///
    /// *Memory.* As [`StochasticGameBuilder::memory`] says.
    ///
    /// # Errors
    /// Those of [`read`](Self::read); [`WorkError::Memory`].
    pub fn read_within(input: impl BufRead, memory_limit: u64) -> Result<Self, Error> {
        read_lines(input, |builder| {
            let what = || format!("a game of more than {} states", builder.states());
            Ok(WorkError::check_memory(what, builder.memory(), memory_limit)?)
        })
    }

    /// Writes the game as it is read, numbers in lowest terms.
    ///
    /// ```
    /// use pencil_tennis::stochastic_game::StochasticGame;
    ///
    /// let text = r#"{"format":"stochastic-game","version":1,"kind":"discounted","discount":"9/10","start":["s"]}
    /// {"id":"s","a":["x"],"b":["y","z"],"cells":[[{"reward":"1/3","to":[["1","s"]]},{"to":[["1/2","s"],["1/2","t"]]}]]}
    /// {"id":"t","value":"-5"}
    /// "#;
    /// let mut written = Vec::new();
    /// StochasticGame::read(text.as_bytes())?.write(&mut written)?;
    /// assert_eq!(String::from_utf8(written)?, text);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of the system.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            kind: self.kind().to_string(),
            discount: (self.kind() == Kind::Discounted).then(|| self.discount().to_string()),
            start: self.starts().iter().map(|&start| self.name(start as usize).to_owned()).collect(),
        };
        write_line(out, &header)?;
        for state in 0..self.len() {
            write_line(out, &self.state_line(state))?;
        }
        Ok(())
    }

    fn state_line(&self, state: usize) -> StateLine {
        let id = self.name(state).to_owned();
        let empty = StateLine { id, value: None, a: None, b: None, endless: None, cells: None };
        let Some([a, b]) = self.actions(state) else {
            return StateLine { value: self.end_value(state).map(ToString::to_string), ..empty };
        };
        let cell = |row: usize, column: usize| {
            let (reward, outcomes) = self.written_cell(&self.cell(state, row, column));
            let to = outcomes.iter().map(|(probability, next)| (probability.to_string(), self.name(*next).to_owned()));
            CellText { reward: (!reward.is_zero()).then(|| reward.to_string()), to: to.collect() }
        };
        let endless = self.endless(state);
        StateLine {
            endless: (self.kind() == Kind::Recursive || !endless.is_zero()).then(|| endless.to_string()),
            cells: Some((0..a.len()).map(|row| (0..b.len()).map(|column| cell(row, column)).collect()).collect()),
            a: Some(a.iter().map(ToString::to_string).collect()),
            b: Some(b.iter().map(ToString::to_string).collect()),
            ..empty
        }
    }
}

/// Reads a game line by line, and has the states so far checked after each.
fn read_lines<E: From<StochasticGameError>>(
    mut input: impl BufRead,
    check: impl Fn(&StochasticGameBuilder) -> Result<(), E>,
) -> Result<StochasticGame, E> {
    let mut builder = None;
    let (mut number, mut line) = (0, Vec::new());
    loop {
        number += 1;
        line.clear();
        let at = |fault| StochasticGameError::from(fault).in_line(number);
        let length = io::Read::take(&mut input, LONGEST_LINE).read_until(b'\n', &mut line);
        match length {
            Err(error) => return Err(at(text(format!("it cannot be read: {error}"))).into()),
            Ok(0) => break,
            Ok(length) if length as u64 == LONGEST_LINE => return Err(at(text("the line is too long")).into()),
            Ok(_) => {}
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let Some(builder) = builder.as_mut() else {
            builder = Some(read_header(&line, number).map_err(|error| error.in_line(number))?);
            continue;
        };
        read_state(&line, number, builder).map_err(|error| error.in_line(number))?;
        check(builder)?;
    }
    let empty = || StochasticGameError::from(text("the file is empty; expected a line that says format and kind"));
    Ok(builder.ok_or_else(empty)?.finish()?)
}

fn write_line(out: &mut dyn Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

fn read_header(line: &[u8], number: u64) -> Result<StochasticGameBuilder, StochasticGameError> {
    let refuse = StochasticGameError::from;
    let header: Header = object(line, unreadable).map_err(refuse)?;
    if header.format != FORMAT {
        return Err(refuse(text(format!("the format is {}; expected `{FORMAT}`", Quoted(&header.format)))));
    }
    if header.version != VERSION {
        return Err(refuse(text(format!("the format has version {}; only version {VERSION} is known", header.version))));
    }
    let kind: Kind = header.kind.parse()?;
    let discount = |reason: &str| refuse(StochasticGameFault::Discount { reason: reason.to_owned() });
    let mut builder = match (kind, &header.discount) {
        (Kind::Discounted, Some(discount)) => StochasticGameBuilder::discounted(exact_number(discount).map_err(refuse)?)?,
        (Kind::Discounted, None) => return Err(discount("a discounted game has a discount; expected one such as \"9/10\"")),
        (_, Some(_)) => return Err(discount("there is a discount; expected kind discounted")),
        (kind, None) => StochasticGameBuilder::new(kind),
    };
    builder.line = number;
    for start in &header.start {
        builder.start(start)?;
    }
    Ok(builder)
}

fn read_state(line: &[u8], number: u64, builder: &mut StochasticGameBuilder) -> Result<(), StochasticGameError> {
    let state: StateLine = object(line, unreadable)?;
    builder.line = number;
    let refuse = |fault| StochasticGameError::from(fault).in_state(&state.id);
    match (&state.value, &state.a, &state.b, &state.cells) {
        (Some(value), None, None, None) if state.endless.is_none() => {
            builder.end(&state.id, exact_number(value).map_err(refuse)?)
        }
        (None, Some(a), Some(b), Some(cells)) => {
            let endless = state.endless.as_deref().map_or_else(|| Ok(BigRational::zero()), exact_number).map_err(refuse)?;
            let mut parsed = Vec::with_capacity(cells.len());
            for row in cells {
                parsed.push(row.iter().map(read_cell).collect::<Result<Vec<_>, _>>().map_err(refuse)?);
            }
            builder.state(&state.id, [a, b], endless, &parsed)
        }
        _ => Err(refuse(text("expected either `value`, or `a`, `b` and `cells`"))),
    }
}

fn read_cell(cell: &CellText) -> Result<Cell, StochasticGameFault> {
    let probability = |text: &str| if text == "1" { Ok(BigRational::one()) } else { exact_number(text) };
    let to = cell
        .to
        .iter()
        .map(|(share, state)| Ok((probability(share)?, state.clone())))
        .collect::<Result<_, StochasticGameFault>>()?;
    let reward = cell.reward.as_deref().map_or_else(|| Ok(BigRational::zero()), exact_number)?;
    Ok(Cell { reward, to })
}
