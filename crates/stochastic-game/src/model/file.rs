//! Games as JSON Lines, one state a line; `docs/game-format.md` describes the format.

use std::borrow::Cow;
use std::io::{self, BufRead, Write};

use num_rational::BigRational;
use num_traits::Zero;
use serde::{Deserialize, Deserializer, Serialize};

use super::builder::{CellTable, StochasticGameBuilder};
use super::game::StochasticGame;
use super::kind::Kind;
use super::number::Exact;
use super::state_view::{StateView, Turn};
use super::written_number::exact_number;
use crate::error::{Error, LineFault, StochasticGameError, StochasticGameFault};
use crate::excerpt::sentence;
use crate::player::Player;
use crate::work::Threads;

const FORMAT: &str = "stochastic-game";

const VERSION: u32 = 1;

/// The longest line in bytes: longer than any state of a solvable game.
const LONGEST_LINE: u64 = 1 << 30;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    kind: String,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    discount: Option<String>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    nature: Option<String>,
    start: Vec<String>,
    #[serde(default, deserialize_with = "given", skip_serializing)]
    title: Option<Box<str>>,
    #[serde(default, deserialize_with = "given", skip_serializing)]
    description: Option<Box<str>>,
}

/// The least bytes that a thread parses at a stretch, and the bytes parsed before their states are
/// added.
const PIECE: usize = 1 << 16;
const BATCH: usize = 1 << 22;

/// The most parsing threads: adding the states takes a third of the time on one thread.
const MOST_THREADS: usize = 4;

/// The byte order mark, which some editors write at the beginning of a file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct StateLine<'l> {
    #[serde(borrow)]
    id: Text<'l>,
    #[serde(borrow, default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    value: Option<Text<'l>>,
    #[serde(borrow, default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    a: Option<Vec<Text<'l>>>,
    #[serde(borrow, default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    b: Option<Vec<Text<'l>>>,
    #[serde(borrow, default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    endless: Option<Text<'l>>,
    #[serde(borrow, default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    cells: Option<Vec<Vec<CellText<'l>>>>,
    #[serde(borrow, default, deserialize_with = "given", skip_serializing)]
    picture: Option<Text<'l>>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct CellText<'l> {
    #[serde(borrow, default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    reward: Option<Text<'l>>,
    #[serde(borrow)]
    to: Vec<(Text<'l>, Text<'l>)>,
}

/// A string of a line, copied only if it has escapes.
#[derive(Deserialize, Serialize)]
struct Text<'l>(#[serde(borrow)] Cow<'l, str>);

impl AsRef<str> for Text<'_> {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// A state of a line, in numbers.
struct Parsed<'l> {
    id: Text<'l>,
    /// The value of an end, or the payoff of infinite plays.
    number: BigRational,
    /// A's and B's; `None` at an end.
    actions: Option<[Vec<Text<'l>>; 2]>,
    cells: CellTable<'l>,
    picture: Option<Text<'l>>,
}

/// The fault of a malformed line.
pub(crate) fn text(reason: impl Into<String>) -> StochasticGameFault {
    StochasticGameFault::Text { reason: reason.into() }
}

/// A field that may be missing, but not `null`.
pub(crate) fn given<'d, D: Deserializer<'d>, T: Deserialize<'d>>(
    field: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(field).map(Some)
}

/// Parses the object of a line; rejects a list of its fields.
pub(crate) fn object<'l, T: Deserialize<'l>>(
    line: &'l [u8],
    unreadable: impl FnOnce(&serde_json::Error) -> StochasticGameFault,
) -> Result<T, StochasticGameFault> {
    if !line.trim_ascii_start().starts_with(b"{") {
        return Err(LineFault::NoObject.into());
    }
    serde_json::from_slice(line).map_err(|error| unreadable(&error))
}

/// The fault of a line that is no such object, with the field.
fn unreadable(line: &[u8], error: &serde_json::Error) -> StochasticGameFault {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let column = error.column();
    if error.is_eof() {
        return LineFault::Ends.into();
    }
    let field = field_before(&String::from_utf8_lossy(&line[..column.min(line.len())]));
    if let Some(fault) = wrong_field(message, column) {
        return fault.into();
    }
    let Some((found, expected)) =
        message.strip_prefix("invalid type: ").and_then(|rest| rest.rsplit_once(", expected "))
    else {
        let pairs = message.contains("tuple of size 2");
        let hint = if pairs {
            "; what may follow is written in pairs of a probability and a state"
        } else {
            ""
        };
        return LineFault::Json { reason: message.to_owned(), column, hint }.into();
    };
    let named = |word: &str| match word {
        "sequence" | "a sequence" => "a list".to_owned(),
        "a tuple of size 2" => "a pair".to_owned(),
        "map" => "an object".to_owned(),
        // A cell in brackets is read field by field, the reward first.
        "a string" if field == "cells" => "an object".to_owned(),
        word => word.replace("struct CellText", "an object"),
    };
    let is_number = ["integer", "floating point"].iter().any(|kind| found.starts_with(kind));
    let hint = match field.as_str() {
        "picture" if found == "sequence" => "; a picture is one string, with \\n between its lines",
        "start" => "; starts are names in a list, such as [\"s\"]",
        "cells" => "; a cell is written as in {\"to\":[[\"1\",\"s\"]]}",
        _ if is_number => "; numbers are written as strings, such as \"1/2\"",
        "to" => {
            "; what may follow is written in pairs of a probability and a state, such as [[\"1\",\"s\"]]"
        }
        _ => "",
    };
    LineFault::Type { found: named(found), expected: named(expected), field, column, hint }.into()
}

/// The fault of an object with other fields than it should have: what the parser says, which says
/// it in a sentence alone.
fn wrong_field(message: &str, column: usize) -> Option<LineFault> {
    let (fault, rest) = message.split_once(" field `")?;
    let (field, rest) = rest.split_once('`')?;
    let field = field.to_owned();
    match fault {
        "missing" => Some(LineFault::Missing { field, column }),
        "duplicate" => Some(LineFault::Duplicate { field, column }),
        "unknown" => Some(LineFault::Unknown {
            field,
            expected: rest.strip_prefix(", expected ")?.to_owned(),
            column,
        }),
        _ => None,
    }
}

/// The last field that the beginning of a line names.
fn field_before(begin: &str) -> String {
    let fields = begin
        .rmatch_indices('"')
        .filter(|(quote, _)| begin[quote + 1..].trim_start().starts_with(':'));
    let names = fields.map(|(quote, _)| begin[..quote].rsplit('"').next().unwrap_or_default());
    sentence(&names.take(1).collect::<String>())
}

/// The name of a state whose line is malformed, if the line has one.
fn name_in(line: &[u8]) -> Option<String> {
    let line = str::from_utf8(line).ok()?;
    let name = line.split_once("\"id\"")?.1.trim_start().strip_prefix(':')?;
    serde_json::Deserializer::from_str(name).into_iter().next()?.ok()
}

impl StochasticGame {
    /// Reads a game from JSON Lines; `docs/game-format.md` describes the format.
    ///
    /// ```
    /// use stochastic_game::{Kind, StochasticGame};
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
    /// # Ok::<(), stochastic_game::Error>(())
    /// ```
    ///
    /// # Errors
    /// A [`StochasticGameError`] that names the line and the state.
    pub fn read(input: impl BufRead) -> Result<Self, StochasticGameError> {
        read_lines(input, u64::MAX, |_| Ok(()))
    }

    /// As [`Self::read`], with a memory limit in bytes: rejects a game while it is read if solving
    /// it would take more, by [`StochasticGameBuilder::memory`].
    ///
    /// # Errors
    /// The errors of [`read`](Self::read); [`WorkError::Memory`](crate::WorkError::Memory).
    pub fn read_within(input: impl BufRead, memory_limit: u64) -> Result<Self, Error> {
        read_lines(input, memory_limit, |builder| Ok(builder.check_memory(memory_limit)?))
    }

    /// Writes the game in the format that [`Self::read`] reads, numbers in lowest terms, without
    /// title, description and pictures.
    ///
    /// ```
    /// use stochastic_game::StochasticGame;
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
    /// Those of the system; a sentence for the rest of a game of kind target in which B collects,
    /// if no reward is left that says so ([`without`](Self::without)).
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if !self.shows_collector() {
            return Err(io::Error::other(
                "B collects, but no reward is left that says so in a file of kind target",
            ));
        }
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            kind: self.kind().to_string(),
            discount: (self.kind() == Kind::Discounted).then(|| self.discount().to_string()),
            nature: self.nature().map(|player| player.to_string()),
            start: self
                .starts()
                .iter()
                .map(|&start| self.name(start as usize).to_owned())
                .collect(),
            title: None,
            description: None,
        };
        write_line(out, &header)?;
        for state in self.states() {
            write_line(out, &self.state_line(state))?;
        }
        Ok(())
    }

    fn state_line<'g>(&self, state: StateView<'g>) -> StateLine<'g> {
        let name = |state: StateView<'g>| Text(state.name().into());
        let number = |number: &BigRational| Text(number.to_string().into());
        let id = name(state);
        let value = state.end_value().map(number);
        let empty =
            StateLine { id, value, a: None, b: None, endless: None, cells: None, picture: None };
        let Some([a, b]) = state.actions() else { return empty };
        let cell = |row: usize, column: usize| {
            let Turn { reward, successors } =
                state.turn_of(&self.cell(state.number(), row, column));
            let mut to = Vec::with_capacity(successors.len());
            for successor in successors {
                let probability = match successor.limits {
                    Some([least, most]) => Text(format!("[{least},{most}]").into()),
                    None => number(&successor.probability),
                };
                to.push((probability, name(successor.state)));
            }
            CellText { reward: (!reward.is_zero()).then(|| number(&reward)), to }
        };
        let endless = state.endless();
        StateLine {
            endless: (self.kind() == Kind::Recursive || !endless.is_zero())
                .then(|| number(endless)),
            cells: Some(
                (0..a.len())
                    .map(|row| (0..b.len()).map(|column| cell(row, column)).collect())
                    .collect(),
            ),
            a: Some(a.iter().map(|name| Text((**name).into())).collect()),
            b: Some(b.iter().map(|name| Text((**name).into())).collect()),
            ..empty
        }
    }
}

/// Reads a game, and checks the states so far after each: some threads parse a batch of lines, then
/// one adds their states.
fn read_lines<E: From<StochasticGameError>>(
    mut input: impl BufRead,
    memory_limit: u64,
    check: impl Fn(&StochasticGameBuilder) -> Result<(), E>,
) -> Result<StochasticGame, E> {
    let (mut number, mut lines) = (0, Vec::new());
    while lines.iter().all(u8::is_ascii_whitespace) {
        number += 1;
        lines.clear();
        if !read_line(&mut input, &mut lines, number, memory_limit)? {
            return Err(StochasticGameError::from(LineFault::Empty).into());
        }
        if number == 1 && lines.starts_with(BYTE_ORDER_MARK) {
            lines.drain(..BYTE_ORDER_MARK.len());
        }
    }
    let mut builder = read_header(&lines, number).map_err(|error| error.in_line(number))?;
    let mut threads = Threads::alone();
    for batch in 0.. {
        lines.clear();
        let (mut pieces, mut more) = (Vec::new(), Ok(true));
        while lines.len() < BATCH && matches!(more, Ok(true)) {
            if lines.len() >= pieces.last().map_or(0, |&(begin, _)| begin + PIECE) {
                pieces.push((lines.len(), number));
            }
            number += 1;
            more = read_line(&mut input, &mut lines, number, memory_limit);
        }
        if batch == 1 {
            let count = Threads::checked(None).map_or(1, |count| count.min(MOST_THREADS));
            // One thread suffices.
            threads = Threads::start(count).unwrap_or_else(|_| Threads::alone());
        }
        let ends = pieces.iter().skip(1).map(|&(begin, _)| begin).chain([lines.len()]);
        let pieces: Vec<_> = pieces
            .iter()
            .zip(ends)
            .map(|(&(begin, before), end)| (&lines[begin..end], before))
            .collect();
        let parsed = threads.map(&pieces, |(): &mut (), &(lines, before)| {
            let lines = lines.split_inclusive(|&byte| byte == b'\n').zip(before + 1..);
            let states = lines.filter(|(line, _)| !line.iter().all(u8::is_ascii_whitespace));
            states.map(|(line, number)| (number, parse_state(line))).collect::<Vec<_>>()
        });
        for (number, state) in parsed.into_iter().flatten() {
            builder.line = number;
            let added = state.and_then(|Parsed { id, number, actions, cells, picture }| {
                match actions {
                    None => builder.end(&id.0, number),
                    Some([a, b]) => builder.state(&id.0, [&a, &b], number, &cells),
                }?;
                if let Some(picture) = picture {
                    builder.picture(&picture.0);
                }
                Ok(())
            });
            added.map_err(|error| error.in_line(number))?;
            check(&builder)?;
        }
        if !more? {
            break;
        }
    }
    Ok(builder.finish()?)
}

/// Adds the next line to those read so far; `false` at the end of the file. Device files may have
/// lines without an end.
fn read_line(
    input: &mut impl BufRead,
    lines: &mut Vec<u8>,
    number: u64,
    memory_limit: u64,
) -> Result<bool, StochasticGameError> {
    let before = lines.len();
    let longest = LONGEST_LINE.min(memory_limit.saturating_add(1));
    let fault = match io::Read::take(input, longest).read_until(b'\n', lines) {
        Ok(length) if (length as u64) < longest => return Ok(length > 0),
        Ok(_) => LineFault::TooLong { most: longest - 1 },
        Err(error) => LineFault::Unreadable { reason: error.to_string() },
    };
    lines.truncate(before);
    Err(StochasticGameError::from(fault).in_line(number))
}

pub(crate) fn write_line(out: &mut dyn Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

fn read_header(line: &[u8], number: u64) -> Result<StochasticGameBuilder, StochasticGameError> {
    let header: Header = object(line, |error| unreadable(line, error)).map_err(|fault| {
        let is_header = line.windows(FORMAT.len()).any(|part| part == FORMAT.as_bytes());
        let is_state = !is_header && name_in(line).is_some();
        StochasticGameError::from(if is_state { LineFault::NoHeader.into() } else { fault })
    })?;
    if header.format != FORMAT {
        return Err(LineFault::Format { text: header.format, expected: FORMAT }.into());
    }
    if header.version != VERSION {
        return Err(LineFault::Version { version: header.version, known: VERSION }.into());
    }
    let kind: Kind = header.kind.parse()?;
    // Where there may be none, it is wrong whatever it says.
    let exact = |text: &str| {
        if kind == Kind::Discounted { exact_number(text) } else { Ok(Exact::default()) }
    };
    let discount = header.discount.as_deref().map(exact).transpose()?;
    let mut builder =
        StochasticGame::builder(kind, discount.map(|discount| discount.to_rational()))?;
    builder.line = number;
    match header.nature.as_deref() {
        None => {}
        Some("A") => builder.nature(Player::A),
        Some("B") => builder.nature(Player::B),
        Some(other) => return Err(LineFault::Nature { text: other.to_owned() }.into()),
    }
    (builder.game.texts.title, builder.game.texts.description) = (header.title, header.description);
    for start in &header.start {
        builder.start(start)?;
    }
    Ok(builder)
}

/// The numbers of an interval such as `[0.1,0.3]`.
fn limits(text: &str) -> Option<[&str; 2]> {
    let (least, most) = text.trim().strip_prefix('[')?.strip_suffix(']')?.split_once(',')?;
    Some([least, most])
}

fn parse_state(line: &[u8]) -> Result<Parsed<'_>, StochasticGameError> {
    let read = object(line, |error| unreadable(line, error));
    let StateLine { id, value, a, b, endless, cells, picture } =
        read.map_err(|fault| match name_in(line) {
            Some(name) => StochasticGameError::from(fault).in_state(&name),
            None => fault.into(),
        })?;
    let parsed = || {
        let (number, actions, rows) = match (value, a, b, cells) {
            (Some(value), None, None, None) if endless.is_none() => (Some(value), None, Vec::new()),
            (None, Some(a), Some(b), Some(rows)) => (endless, Some([a, b]), rows),
            _ => return Err(StochasticGameFault::from(LineFault::Parts)),
        };
        let exact = |number: Option<Text<'_>>| {
            number.map_or(Ok(Exact::default()), |number| exact_number(&number.0))
        };
        let number = exact(number)?.to_rational();
        let mut cells = CellTable::default();
        for row in rows {
            for CellText { reward, to } in row {
                for (probability, state) in to {
                    match limits(&probability.0) {
                        Some([least, most]) => {
                            cells.follow_between(
                                exact_number(least)?,
                                exact_number(most)?,
                                state.0,
                            );
                        }
                        None => cells.follow(exact_number(&probability.0)?, state.0),
                    }
                }
                cells.push(exact(reward)?);
            }
            cells.end_row();
        }
        Ok((number, actions, cells))
    };
    match parsed() {
        Ok((number, actions, cells)) => Ok(Parsed { id, number, actions, cells, picture }),
        Err(fault) => Err(StochasticGameError::from(fault).in_state(&id.0)),
    }
}
