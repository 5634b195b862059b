//! Rows of csv about solved Tennis.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::npy::{self, NumberArray};
use super::proved_value::ProvedValue;
use super::rows::{Columns, TableFormat, WHOLE, read_csv};
use super::{FileError, read_file};
use crate::agents::CurvePoint;

use crate::error::{AgentError, TableFault};
use crate::game::{ByPlayer, Player, State};
use crate::matrix_game::Refined;
use crate::serde_object::object;
use crate::solution::{Solution, StateEquilibrium};

/// A filter of a table's rows by state and player; a field that is `None` excludes nothing.
///
/// ```
/// use pencil_tennis::report::{RowFilter, Table, TableFormat};
/// use pencil_tennis::{ByPlayer, Player};
///
/// let solution = pencil_tennis::solve(4)?;
/// let filter = RowFilter { ball: Some(-2), player: Some(Player::A), points: ByPlayer { a: Some(4..=4), b: Some(3..=3) }, ..RowFilter::default() };
/// let mut csv = Vec::new();
/// Table::Strategies.write_filtered(&solution, None, &filter, TableFormat::Csv, &mut csv)?;
/// assert_eq!(String::from_utf8(csv)?, "a,b,ball,player,bid,probability\n4,3,-2,A,2,0.4\n4,3,-2,A,3,0.6\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowFilter {
    pub ball: Option<i32>,
    pub player: Option<Player>,
    pub points: ByPlayer<Option<RangeInclusive<u32>>>,
    pub states: Option<Vec<State>>,
}

impl RowFilter {
    pub fn is_whole(&self) -> bool {
        *self == Self::default()
    }

    pub fn has_state(&self, state: State) -> bool {
        self.ball.is_none_or(|ball| ball == state.ball.position())
            && self.points.a.as_ref().is_none_or(|points| points.contains(&state.a))
            && self.points.b.as_ref().is_none_or(|points| points.contains(&state.b))
            && self.states.as_ref().is_none_or(|states| states.contains(&state))
    }

    pub fn has_player(&self, player: Player) -> bool {
        self.player.is_none_or(|wanted| wanted == player)
    }
}

/// The contents of a table, one row each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Table {
    /// Every state: `a,b,ball,value,lower,upper`, and `exact` where
    /// [`Solver::exact`](crate::Solver::exact) asked for it.
    ///
    /// The value is the double nearest to it. The bounds are decimal numbers, rounded outward, with
    /// more digits than a double has; in JSON they are doubles, rounded outward, and strings in
    /// `decimal`.
    Values,
    /// Every bid with positive probability: `a,b,ball,player,bid,probability`.
    Strategies,
    /// Every legal bid: `a,b,ball,player,bid,probability`.
    Policy,
}

#[derive(Serialize)]
struct ValueRow {
    a: u32,
    b: u32,
    ball: i32,
    /// The double, or more decimals where that is printed outside the bounds.
    value: serde_json::Value,
    lower: String,
    upper: String,
    /// Present, perhaps empty, when exact numbers were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object with a, b, ball, player, bid and probability")]
pub(super) struct BidRow {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) ball: i32,
    pub(super) player: Player,
    pub(super) bid: u32,
    #[serde(deserialize_with = "crate::serde_text::probability::deserialize")]
    pub(super) probability: f64,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) exact: Option<String>,
}

impl Table {
    /// Writes the table of a solution; states by A's points, then B's, then the ball.
    ///
    /// ```
    /// use pencil_tennis::report::{Table, TableFormat};
    ///
    /// let solution = pencil_tennis::solve(4)?;
    /// let mut csv = Vec::new();
    /// Table::Strategies.write(&solution, TableFormat::Csv, &mut csv)?;
    /// assert!(String::from_utf8(csv)?.contains("4,3,-2,A,2,0.4\n4,3,-2,A,3,0.6\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(
        self,
        solution: &Solution,
        format: TableFormat,
        out: impl Write,
    ) -> io::Result<()> {
        self.write_filtered(solution, None, &RowFilter::default(), format, out)
    }

    /// Writes a part of the table, with the strategies of [`Solution::refined_equilibria`] if
    /// given; changed strategies have no known fractions.
    pub fn write_filtered(
        self,
        solution: &Solution,
        refined: Option<&[StateEquilibrium]>,
        filter: &RowFilter,
        format: TableFormat,
        out: impl Write,
    ) -> io::Result<()> {
        let states = solution.states().filter(|&state| filter.has_state(state));
        let equilibria = states.map(|state| solution.certain_equilibrium(state));
        let rows = |equilibrium: &StateEquilibrium| bid_rows(self, solution, equilibrium, filter);
        match (self, format, refined) {
            (Self::Values, TableFormat::Csv, _) => write_rows(
                format,
                out,
                equilibria.map(|equilibrium| value_row(solution, &equilibrium)),
            ),
            (Self::Values, TableFormat::Json, _) => write_rows(
                format,
                out,
                equilibria.map(|equilibrium| value_object(solution, &equilibrium)),
            ),
            (_, _, None) => {
                write_rows(format, out, equilibria.flat_map(|equilibrium| rows(&equilibrium)))
            }
            (_, _, Some(refined)) => {
                let refined = refined.iter().filter(|refined| filter.has_state(refined.state));
                write_rows(format, out, refined.flat_map(rows))
            }
        }
    }
}

fn value_row(
    solution: &Solution,
    &StateEquilibrium { state, value, enclosure, .. }: &StateEquilibrium,
) -> ValueRow {
    let value = ProvedValue::new(value, &enclosure);
    ValueRow {
        a: state.a,
        b: state.b,
        ball: state.ball.position(),
        lower: value.lower.clone(),
        upper: value.upper.clone(),
        value: value.into_json(),
        exact: exact_value(solution, state),
    }
}

fn value_object(
    solution: &Solution,
    &StateEquilibrium { state, value, enclosure, .. }: &StateEquilibrium,
) -> impl Serialize + use<> {
    object! {
        "a": state.a,
        "b": state.b,
        "ball": state.ball.position(),
        "value": value,
        "lower": enclosure.lower(),
        "upper": enclosure.upper(),
        "decimal": enclosure.decimal(),
        "proved": solution.is_proved(),
        "exact" if known: exact_value(solution, state),
    }
}

/// The value as a fraction, empty if unknown, `None` unless requested.
fn exact_value(solution: &Solution, state: State) -> Option<String> {
    solution.is_exact_asked().then(|| {
        let exact = solution.exact_value(state).ok().flatten();
        exact.map_or(String::new(), |value| value.to_string())
    })
}

/// The bids of both players: every legal one in a policy, otherwise the supports. Changed
/// strategies have no known fractions.
fn bid_rows(
    table: Table,
    solution: &Solution,
    equilibrium: &StateEquilibrium,
    filter: &RowFilter,
) -> Vec<BidRow> {
    let state @ State { a, b, ball } = equilibrium.state;
    let exact = solution.exact(state).ok().flatten();
    let mut rows = Vec::new();
    for player in Player::BOTH {
        if !filter.has_player(player) {
            continue;
        }
        let exact = exact.as_ref().map(|exact| &exact.strategies[player]);
        let fraction = |bid| match exact.filter(|_| equilibrium.refined[player] != Refined::Changed)
        {
            None => String::new(),
            Some(exact) => exact
                .iter()
                .find(|(played, _)| *played == bid)
                .map_or("0".to_owned(), |(_, share)| share.to_string()),
        };
        for bid in solution.rules().legal_bids(state.points(player)) {
            let probability = equilibrium.strategy(player).probability(bid);
            if probability > 0.0 || table == Table::Policy {
                let exact = solution.is_exact_asked().then(|| fraction(bid));
                rows.push(BidRow { a, b, ball: ball.position(), player, bid, probability, exact });
            }
        }
    }
    rows
}

/// Unwraps the system's error, so that a closed pipe is recognised.
fn system_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// Writes rows with a header: the given one, or without one the names of the rows' fields, which
/// lists do not have.
pub(super) fn write_csv(
    header: &[&str],
    out: impl Write,
    rows: impl Iterator<Item = impl Serialize>,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    if !header.is_empty() {
        writer.write_record(header)?;
    }
    for row in rows {
        writer.serialize(row).map_err(system_error)?;
    }
    writer.flush()
}

pub(super) fn write_rows(
    format: TableFormat,
    mut out: impl Write,
    rows: impl Iterator<Item = impl Serialize>,
) -> io::Result<()> {
    match format {
        TableFormat::Csv => write_csv(&[], out, rows),
        TableFormat::Json => {
            let mut separator = "[\n";
            for row in rows {
                out.write_all(separator.as_bytes())?;
                serde_json::to_writer(&mut out, &row)?;
                separator = ",\n";
            }
            out.write_all(b"\n]\n")
        }
    }
}

/// Writes the arrays `value`, `lower` and `upper` of shape (`points_a` + 1, `points_b` + 1, 2 ·
/// `field` + 1).
///
/// `value[a, b, field + ball]` is the value of the state `a:b@ball` to A; the bounds are rounded
/// outward to doubles.
pub fn write_values_npz(solution: &Solution, out: impl Write) -> io::Result<()> {
    let [a, b] = solution.points().map(|points| points as usize + 1);
    let shape = vec![a, b, 2 * solution.rules().field() as usize + 1];
    let mut arrays = ["value", "lower", "upper"]
        .map(|name| (name, NumberArray { shape: shape.clone(), numbers: Vec::new() }));
    // The states are in the order of the numbers.
    for state in solution.states() {
        let [lower, upper] = solution.enclosure(state).map_err(io::Error::other)?.nearest_outward();
        let value = solution.value(state).map_err(io::Error::other)?;
        arrays
            .iter_mut()
            .zip([value, lower, upper])
            .for_each(|((_, array), number)| array.numbers.push(number));
    }
    npy::write_archive(arrays, out)
}

/// A table that is written as csv: a line of names, then the rows.
pub trait WriteCsv {
    /// Writes the table.
    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// A learner's curve: `games,seconds,entries_read,exploitability,against_optimum,against_uniform`.
impl WriteCsv for [CurvePoint] {
    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        write_rows(TableFormat::Csv, out, self.iter())
    }
}

/// The longest curve file: far more evaluations than a curve has.
const MOST_BYTES: u64 = 1 << 26;

/// Reads a curve: rows in which games rise and all numbers are finite.
///
/// # Errors
/// [`FileError::Unreadable`], and [`FileError::Content`] with [`AgentError::CurveFile`].
pub fn read_curve(path: &Path) -> Result<Vec<CurvePoint>, FileError> {
    let bytes = read_file(path, MOST_BYTES)?;
    parse(&bytes).map_err(|reason| FileError::Content {
        path: path.to_owned(),
        source: AgentError::CurveFile { reason }.into(),
    })
}

const COLUMNS: &Columns = &[
    ("games", WHOLE),
    ("seconds", "a number"),
    ("entries_read", WHOLE),
    ("exploitability", "a number"),
    ("against_optimum", "a number"),
    ("against_uniform", "a number"),
];

fn parse(bytes: &[u8]) -> Result<Vec<CurvePoint>, String> {
    let mut points: Vec<CurvePoint> = Vec::new();
    let refuse = |fault: TableFault| fault.to_string();
    for point in read_csv::<CurvePoint>(bytes, csv::Trim::All, COLUMNS).map_err(refuse)? {
        let (line, point) = point.map_err(refuse)?;
        let line = line.number();
        let numbers =
            [point.seconds, point.exploitability, point.against_optimum, point.against_uniform];
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(format!("line {line} has a number that is not finite"));
        }
        if points.last().is_some_and(|last| last.games >= point.games) {
            return Err(format!(
                "line {line} has {} games, no more than the line before",
                point.games
            ));
        }
        points.push(point);
    }
    if points.is_empty() { Err("there is no point in it".to_owned()) } else { Ok(points) }
}
