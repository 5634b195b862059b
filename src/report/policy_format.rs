//! Policies as files.

use std::io::{self, Write};
use std::path::Path;

use super::policy_npz;
use super::rows::format_of;
use super::tables::TableFormat;
use super::{FileError, policy_rows, policy_weights, read_file};
use crate::error::Error;
use crate::game::Rules;
use crate::policy::Policy;

/// The format of a policy.
///
/// All formats are read back as the policy that was written, but for the last bits of a state's largest weight: probabilities
/// are written as the nearest numbers of double precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolicyFormat {
    /// A header line and a row for every legal bid: `a,b,ball,player,bid,probability`. Bids that are never made may be left out.
    Csv,
    /// An array of objects with the names of the csv header.
    Json,
    /// Arrays for numpy: `policy_a` and `policy_b` of shape (`points_a` + 1, `points_b` + 1, 2 · `field` + 1, `most` + 1), where
    /// `most` is the larger number of points.
    ///
    /// `policy_a[a, b, field + ball, bid]` is the probability that A, at the state `a:b@ball`, bids `bid`; the same for B. Either
    /// array may be missing. What is read may have any integer or floating-point type, and more columns if they are 0.
    Npz,
    /// The matrix of the article: a row of non-negative weights for every state, in proportion to which the player to whom
    /// A's place belongs bids 0, 1, 2, …; 13,005 rows and 51 columns with 50 points each, comma-separated, no header.
    ///
    /// Rows come by the own points, then the opponent's, then the ball (the article leaves the order open): the state `a:b@ball`
    /// has row `(a · (points + 1) + b) · (2 · field + 1) + field + ball`, counted from 0. The matrix serves both players: B bids
    /// at a state as A would at its mirror image, so that both need the same points.
    WeightsCsv,
    /// The same matrix as an array `weights` for numpy.
    WeightsNpz,
}

impl PolicyFormat {
    /// Writes a policy; the matrices of weights take probabilities for weights.
    ///
    /// # Errors
    /// What the writer reports; for the matrices of weights an [`io::Error`] that wraps
    /// [`crate::PolicyError::LacksPlayer`], [`crate::PolicyError::Mirror`], or [`crate::PolicyError::Lopsided`] where B's bids
    /// are not those of A seen from the other side.
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
            Self::Csv => policy_rows::write(policy, TableFormat::Csv, out),
            Self::Json => policy_rows::write(policy, TableFormat::Json, out),
            Self::WeightsCsv => policy_weights::write_csv(policy, out),
            Self::Npz => policy_npz::write(policy, out),
            Self::WeightsNpz => policy_npz::write_weights(policy, out),
        }
    }

    /// Reads and checks a policy for a game of these rules and points. (Only the field matters of the rules.)
    ///
    /// # Errors
    /// [`crate::PolicyError::File`] for what does not have the form, [`crate::PolicyError::Distribution`]
    /// for the first state where an illegal bid has weight or probabilities do not sum to 1 within [`Policy::SUM_TOLERANCE`],
    /// [`crate::PolicyError::Incomplete`] for missing states, [`crate::GameError`] and [`crate::GameError::Outside`] for states
    /// that the game does not have; [`crate::PolicyError::Mirror`], [`crate::GameError::NoPoints`],
    /// [`crate::GameError::TooManyPoints`], [`crate::WorkError::Memory`].
    pub fn read(self, bytes: &[u8], rules: &Rules, points: [u32; 2]) -> Result<Policy, Error> {
        match self {
            Self::Csv => policy_rows::read(bytes, TableFormat::Csv, rules, points),
            Self::Json => policy_rows::read(bytes, TableFormat::Json, rules, points),
            Self::WeightsCsv => policy_weights::read_csv(bytes, rules, points),
            Self::Npz => policy_npz::read(bytes, rules, points),
            Self::WeightsNpz => policy_npz::read_weights(bytes, rules, points),
        }
    }

    /// The format that a file has, by its content.
    ///
    /// # Errors
    /// [`crate::PolicyError::File`] for an archive without the arrays of a policy.
    pub fn of(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.starts_with(b"PK") {
            return policy_npz::format_of(bytes);
        }
        if format_of(bytes) == TableFormat::Json {
            return Ok(Self::Json);
        }
        let header = bytes.trim_ascii_start().split(|&byte| byte == b'\n').next().unwrap_or_default();
        let has_names = header.windows(6).any(|word| word == b"player");
        Ok(if has_names { Self::Csv } else { Self::WeightsCsv })
    }
}

const MOST_BYTES: u64 = Policy::MEMORY_LIMIT;

/// Reads and checks a policy file of any format: JSON where the name says so, else whatever the content looks like.
///
/// # Errors
/// [`FileError::Unreadable`], and [`FileError::Content`] as for [`PolicyFormat::of`] and [`PolicyFormat::read`].
pub fn read_policy(path: &Path, rules: &Rules, points: [u32; 2]) -> Result<Policy, FileError> {
    let bytes = read_file(path, MOST_BYTES)?;
    let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let format = if is_json { Ok(PolicyFormat::Json) } else { PolicyFormat::of(&bytes) };
    let read = format.and_then(|format| format.read(&bytes, rules, points));
    read.map_err(|error| FileError::Content { path: path.to_owned(), source: error.into() })
}
