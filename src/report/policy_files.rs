//! Policies of Tennis in csv, JSON and numpy files.

use std::io::{self, Write};
use std::path::Path;

use super::npy::{self, NumberArray};
use super::rows::TableFormat;
use super::rows::{Columns, Line, WHOLE, format_of, read_rows, unreadable};
use super::tables::{BidRow, write_csv, write_rows};
use super::{FileError, read_file};
use crate::error::{Error, PolicyError, TableFault};
use crate::game::{Ball, ByPlayer, Player, Rules, State};
use crate::policy::{Policy, PolicyBuilder, PolicyNumbers};
use crate::work::unwatched;

/// The format of a policy.
///
/// Every format reads back the policy written, except for the last bits of a state's largest
/// weight: probabilities are written as the nearest doubles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolicyFormat {
    /// A header line and a row for every legal bid: `a,b,ball,player,bid,probability`. Bids of
    /// probability 0 may be left out.
    Csv,
    /// An array of objects with the names of the csv header.
    Json,
    /// Arrays for numpy: `policy_a` and `policy_b` of shape (`points_a` + 1, `points_b` + 1, 2 ·
    /// `field` + 1, `most` + 1), where `most` is the larger number of points.
    ///
    /// `policy_a[a, b, field + ball, bid]` is the probability that A, at the state `a:b@ball`, bids
    /// `bid`; the same for B. Either array may be missing. Arrays are read in any integer or
    /// floating-point type, with more columns if they are 0.
    Npz,
    /// The matrix of the article: for every state a row of non-negative weights of the bids 0, 1,
    /// 2, … of the player in A's place; 13,005 rows and 51 columns with 50 points each,
    /// comma-separated, no header.
    ///
    /// Rows come by the own points, then the opponent's, then the ball (the article leaves the
    /// order open): the state `a:b@ball` has row `(a · (points + 1) + b) · (2 · field + 1) +
    /// field + ball`, counted from 0. The matrix serves both players: B bids at a state as A would
    /// at its mirror image, so that both need the same points.
    WeightsCsv,
    /// The same matrix as an array `weights` for numpy.
    WeightsNpz,
}

impl PolicyFormat {
    /// Writes a policy; the matrices of weights take probabilities for weights.
    ///
    /// # Errors
    /// For the matrices of weights an [`io::Error`] that wraps [`crate::PolicyError::LacksPlayer`],
    /// [`crate::PolicyError::Mirror`], or [`crate::PolicyError::Lopsided`] unless B's bids mirror
    /// A's.
    ///
    /// ```
    /// use pencil_tennis::report::PolicyFormat;
    /// use pencil_tennis::{Player, Policy, Rules};
    ///
    /// let uniform = Policy::uniform(&Rules::tennis(), [5, 4])?;
    /// let mut csv = Vec::new();
    /// PolicyFormat::Csv.write(&uniform, &mut csv)?;
    /// assert!(csv.starts_with(b"a,b,ball,player,bid,probability\n0,0,-2,A,0,1.0\n"));
    /// let read = PolicyFormat::Csv.read(&csv, &Rules::tennis(), [5, 4])?;
    /// assert_eq!(read.probability("5:4@0".parse()?, Player::A, 3)?, 0.2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(self, policy: &Policy, out: impl Write) -> io::Result<()> {
        match self {
            Self::Csv => write_bids(policy, TableFormat::Csv, out),
            Self::Json => write_bids(policy, TableFormat::Json, out),
            Self::WeightsCsv => write_csv(&[], out, weights(policy)?),
            Self::Npz => write_npz(policy, out),
            Self::WeightsNpz => write_weights_npz(policy, out),
        }
    }

    /// Reads and checks a policy for a game of these rules and points; of the rules only the field
    /// matters.
    ///
    /// # Errors
    /// [`crate::PolicyError::File`] for a malformed file, [`crate::PolicyError::Distribution`] for
    /// the first state where an illegal bid has weight or probabilities do not sum to 1 within
    /// [`Policy::SUM_TOLERANCE`], [`crate::PolicyError::Incomplete`] for missing states;
    /// [`crate::PolicyError::Mirror`].
    pub fn read(self, bytes: &[u8], rules: &Rules, points: [u32; 2]) -> Result<Policy, Error> {
        match self {
            Self::Csv => read_bids(bytes, TableFormat::Csv, rules, points),
            Self::Json => read_bids(bytes, TableFormat::Json, rules, points),
            Self::WeightsCsv => read_weights_csv(bytes, rules, points),
            Self::Npz => read_npz(bytes, rules, points),
            Self::WeightsNpz => read_weights_npz(bytes, rules, points),
        }
    }

    /// Detects the format of a file by its content.
    ///
    /// # Errors
    /// [`crate::PolicyError::File`] for an archive without the arrays of a policy.
    pub fn of(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.starts_with(b"PK") {
            let names = npy::names(bytes).map_err(refused)?;
            let has = |wanted: &[&str]| names.iter().any(|name| wanted.contains(&name.as_str()));
            return match (has(&ARRAYS), has(&[WEIGHTS])) {
                (true, _) => Ok(Self::Npz),
                (false, true) => Ok(Self::WeightsNpz),
                (false, false) => Err(refused(TableFault::Arrays { names: names.join(", ") })),
            };
        }
        if format_of(bytes) == TableFormat::Json {
            return Ok(Self::Json);
        }
        let header =
            bytes.trim_ascii_start().split(|&byte| byte == b'\n').next().unwrap_or_default();
        let has_names = header.windows(6).any(|word| word == b"player");
        Ok(if has_names { Self::Csv } else { Self::WeightsCsv })
    }
}

/// Reads and checks a policy file: JSON if the name says so, else the format of its content.
///
/// # Errors
/// [`FileError::Unreadable`]; [`FileError::Content`] as for [`PolicyFormat::of`] and
/// [`PolicyFormat::read`].
pub fn read_policy(path: &Path, rules: &Rules, points: [u32; 2]) -> Result<Policy, FileError> {
    let bytes = read_file(path, Policy::MEMORY_LIMIT)?;
    let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let format = if is_json { Ok(PolicyFormat::Json) } else { PolicyFormat::of(&bytes) };
    let read = format.and_then(|format| format.read(&bytes, rules, points));
    read.map_err(|error| FileError::Content { path: path.to_owned(), source: error.into() })
}

/// The names of the players' arrays, and of the matrix of weights.
const ARRAYS: [&str; 2] = ["policy_a", "policy_b"];
const WEIGHTS: &str = "weights";

/// The most numbers read: the memory limit of a policy.
const MOST: usize = (Policy::MEMORY_LIMIT / 8) as usize;

const COLUMNS: &Columns = &[
    ("a", WHOLE),
    ("b", WHOLE),
    ("ball", "a position of the ball, a whole number such as -1"),
    ("player", "A or B"),
    ("bid", WHOLE),
    ("probability", "a number from 0 to 1 such as 0.25 or 1/3"),
];

fn refused(reason: TableFault) -> Error {
    PolicyError::File { reason }.into()
}

/// Rows of this length with a player's probabilities of the bids from 0, one for every state; zeros
/// if the policy does not cover the player.
fn dense_rows(policy: &Policy, player: Player, length: usize) -> impl Iterator<Item = Vec<f64>> {
    policy.states().map(move |state| {
        let mut row = vec![0.0; length];
        for (bid, probability) in policy.probabilities(state, player).into_iter().flatten() {
            row[bid as usize] = probability;
        }
        row
    })
}

fn write_bids(policy: &Policy, format: TableFormat, out: impl Write) -> io::Result<()> {
    let covered = |state| {
        Player::BOTH
            .map(|player| (state, player))
            .into_iter()
            .filter(|&(_, player)| policy.covers(player))
    };
    let rows = policy.states().flat_map(covered).flat_map(|(state, player)| {
        let State { a, b, ball } = state;
        let mut made = policy.probabilities(state, player).into_iter().flatten().peekable();
        policy.space.legal_bids(state.points(player)).map(move |bid| {
            let probability = made
                .next_if(|&(played, _)| played == bid)
                .map_or(0.0, |(_, probability)| probability);
            BidRow { a, b, ball: ball.position(), player, bid, probability, exact: None }
        })
    });
    write_rows(format, out, rows)
}

fn read_bids(
    bytes: &[u8],
    format: TableFormat,
    rules: &Rules,
    points: [u32; 2],
) -> Result<Policy, Error> {
    let mut builder = PolicyBuilder::new(rules, points)?;
    for row in read_rows(bytes, format, COLUMNS).map_err(refused)? {
        let BidRow { a, b, ball, player, bid, probability, .. } = row.map_err(refused)?;
        builder.set(State::new(a, b, Ball::new(ball)?), player, bid, probability)?;
    }
    builder.finish(PolicyNumbers::Probabilities, &mut unwatched)
}

/// The weights of A's bids from 0 for every state, if the policy is symmetric.
fn weights(policy: &Policy) -> io::Result<impl Iterator<Item = Vec<f64>>> {
    let symmetric =
        policy.only(Player::A).and_then(Policy::completed_by_mirror).map_err(io::Error::other)?;
    if policy.covers(Player::B) && symmetric != *policy {
        return Err(io::Error::other(Error::from(PolicyError::Lopsided)));
    }
    Ok(dense_rows(policy, Player::A, policy.points()[0] as usize + 1))
}

/// The policy of a matrix of weights with these rows.
fn from_weights(
    rules: &Rules,
    points: [u32; 2],
    mut rows: impl Iterator<Item = Result<Vec<f64>, Error>>,
) -> Result<Policy, Error> {
    let mut builder = PolicyBuilder::new(rules, points)?;
    let [a, b] = points;
    if a != b {
        return Err(PolicyError::Mirror { a, b }.into());
    }
    let (columns, mut states, expected) =
        (a as usize + 1, builder.space.states(), builder.space.len());
    // Counts excess rows for the message.
    let found = rows.try_fold(0, |found, row| {
        let (row, found) = (row?, found + 1);
        if row.len() != columns {
            return Err(refused(TableFault::Columns {
                row: found,
                found: row.len(),
                expected: columns,
            }));
        }
        if let Some(state) = states.next() {
            (0..)
                .zip(&row)
                .try_for_each(|(bid, &weight)| builder.set(state, Player::A, bid, weight))?;
        }
        Ok(found)
    })?;
    if found != expected {
        return Err(refused(TableFault::Rows { found, expected }));
    }
    builder.finish(PolicyNumbers::Weights, &mut unwatched)?.completed_by_mirror()
}

fn read_weights_csv(bytes: &[u8], rules: &Rules, points: [u32; 2]) -> Result<Policy, Error> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(bytes);
    let rows = reader.records().map(|record| {
        let record = record.map_err(|error| refused(unreadable(&error, bytes)))?;
        let line = Line::of(record.position(), bytes).number();
        let no_number = |text: &str| refused(TableFault::Weight { line, text: text.to_owned() });
        record.iter().map(|text| text.parse().map_err(|_| no_number(text))).collect()
    });
    from_weights(rules, points, rows)
}

fn write_npz(policy: &Policy, out: impl Write) -> io::Result<()> {
    let [a, b] = policy.points().map(|points| points as usize);
    let shape = vec![a + 1, b + 1, 2 * policy.field() as usize + 1, a.max(b) + 1];
    let covered = ARRAYS.into_iter().zip(Player::BOTH).filter(|&(_, player)| policy.covers(player));
    // The states are in the order of the array's rows.
    let array = |player| NumberArray {
        shape: shape.clone(),
        numbers: dense_rows(policy, player, shape[3]).flatten().collect(),
    };
    npy::write_archive(covered.map(|(name, player)| (name, array(player))), out)
}

fn write_weights_npz(policy: &Policy, out: impl Write) -> io::Result<()> {
    let numbers: Vec<f64> = weights(policy)?.flatten().collect();
    let columns = policy.points()[0] as usize + 1;
    npy::write_archive(
        [(WEIGHTS, NumberArray { shape: vec![numbers.len() / columns, columns], numbers })],
        out,
    )
}

fn read_npz(bytes: &[u8], rules: &Rules, points: [u32; 2]) -> Result<Policy, Error> {
    let mut builder = PolicyBuilder::new(rules, points)?;
    let [a, b] = points.map(|points| points as usize + 1);
    let (positions, names) = (rules.positions(), npy::names(bytes).map_err(refused)?);
    for (name, player) in ARRAYS
        .into_iter()
        .zip(Player::BOTH)
        .filter(|(name, _)| names.iter().any(|other| other == name))
    {
        let NumberArray { shape, numbers } =
            npy::read_from_archive(bytes, name, MOST).map_err(refused)?;
        let bids = ByPlayer::from(points)[player] as usize + 1;
        if shape.len() != 4 || shape[..3] != [a, b, positions] || shape[3] < bids {
            let expected = npy::shape_text(&[a, b, positions, a.max(b)]);
            return Err(refused(TableFault::Shape {
                array: name.to_owned(),
                found: npy::shape_text(&shape),
                expected,
            }));
        }
        for (state, row) in builder.space.states().zip(numbers.chunks_exact(shape[3])) {
            (0..)
                .zip(row)
                .try_for_each(|(bid, &number)| builder.set(state, player, bid, number))?;
        }
    }
    builder.finish(PolicyNumbers::Probabilities, &mut unwatched)
}

fn read_weights_npz(bytes: &[u8], rules: &Rules, points: [u32; 2]) -> Result<Policy, Error> {
    let NumberArray { shape, numbers } =
        npy::read_from_archive(bytes, WEIGHTS, MOST).map_err(refused)?;
    let &[_, columns] = shape.as_slice() else {
        let (array, found, expected) =
            (WEIGHTS.to_owned(), npy::shape_text(&shape), "rows and columns".to_owned());
        return Err(refused(TableFault::Shape { array, found, expected }));
    };
    from_weights(rules, points, numbers.chunks_exact(columns).map(|row| Ok(row.to_vec())))
}
