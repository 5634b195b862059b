//! Matrix games in files: `table` reads csv and its relatives, `brackets` JSON and arrays as numpy
//! prints them, `two_payoffs` the formats that name both players' payoffs.

mod brackets;
mod table;
mod two_payoffs;

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::npy::NumberArray;
use super::stochastic_game_report::ActionReport;
use crate::error::{Error, MatrixError, Quoted};
use crate::game::Player;
use crate::written_as::written_as;
use stochastic_game::internal::exact_number;
use stochastic_game::internal::simplest;

/// A matrix game from a file: exact payoffs, with the names of both players' actions.
///
/// The format is recognised by its content:
///
/// * a table whose cells are separated by commas, tabs, spaces or semicolons; between semicolons a
///   comma is the decimal point. `#` begins a line of comment;
/// * JSON, an array of rows of numbers or of texts such as `"1/3"`, and arrays as numpy prints
///   them;
/// * `.npy`, numpy's own format, whose doubles are read exactly;
/// * the strategic form of Gambit (`NFG 1 …`) and the input of lrsnash, of two players whose
///   payoffs have a constant sum.
///
/// A table's first row or column has names only where all of it is text, or where the corner is
/// blank or a text and the others are names of one kind: texts, or whole numbers that rise. Any
/// other line in which a cell is no number is refused with that cell.
/// [`assumptions`](Self::assumptions) tells what was taken for names.
///
/// ```
/// use pencil_tennis::matrix_game::ExactSolution;
/// use pencil_tennis::report::{PayoffReading, WrittenMatrix};
/// use pencil_tennis::unwatched;
///
/// let game = WrittenMatrix::read(b",heads,tails\nheads,1,-1\ntails,-1,1/2\n", PayoffReading::Exact)?;
/// assert_eq!(*game.names(), [["heads", "tails"], ["heads", "tails"]]);
/// assert_eq!(ExactSolution::new(game.payoffs(), &mut unwatched)?.value().to_string(), "-1/7");
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct WrittenMatrix {
    payoffs: Vec<Vec<BigRational>>,
    names: [Vec<String>; 2],
    sum: BigRational,
    assumptions: Vec<String>,
}

/// How payoffs are read that a program wrote with rounding errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PayoffReading {
    /// As written.
    #[default]
    Exact,
    /// As the fraction with the smallest denominator within 1e-12 of the largest payoff:
    /// 0.30000000000000004 is 3/10.
    Nearest,
    /// As written; where both players' payoffs are, the first player's count, and their sum may
    /// vary by 1e-9 of the largest payoff.
    First,
}

written_as! {
    PayoffReading { Exact => "exact", Nearest => "nearest", First => "first" },
    |text: String| refused(format!("{} is no reading of payoffs; expected exact, nearest or first", Quoted(&text))) => MatrixError
}

/// The most entries of an array: numbers of 8 bytes that fit the longest file.
const MOST_ENTRIES: usize = 1 << 25;

impl WrittenMatrix {
    /// Reads a matrix game.
    ///
    /// ```
    /// use pencil_tennis::report::{PayoffReading, WrittenMatrix};
    ///
    /// let rounded = br#"NFG 1 R "" { "A" "B" } { 1 2 } 0.7 0.30000000000000004 1 0"#;
    /// assert!(WrittenMatrix::read(rounded, PayoffReading::Exact).is_err());
    /// let game = WrittenMatrix::read(rounded, PayoffReading::Nearest)?;
    /// assert_eq!((game.payoffs()[0][0].to_string(), game.sum().to_string()), ("7/10".into(), "1".into()));
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`MatrixError::File`], [`MatrixError::Shape`].
    pub fn read(bytes: &[u8], reading: PayoffReading) -> Result<Self, Error> {
        let mut read = Self::of_content(bytes, reading)?;
        let columns = read.payoffs.first().map_or(0, Vec::len);
        if columns == 0 || read.payoffs.iter().any(|row| row.len() != columns) {
            return Err(MatrixError::Shape.into());
        }
        if reading == PayoffReading::Nearest {
            read.simplify();
        }
        Ok(read)
    }

    fn of_content(bytes: &[u8], reading: PayoffReading) -> Result<Self, MatrixError> {
        if bytes.starts_with(b"\x93NUMPY") {
            return Self::of_array(&NumberArray::read(bytes, MOST_ENTRIES).map_err(refused)?);
        }
        let text = std::str::from_utf8(bytes)
            .map_err(|_| refused("it is no text in UTF-8; expected a file saved as UTF-8"))?;
        // A table may begin with a tab, after a blank corner.
        let table = text.trim_start_matches('\u{feff}');
        let text = table.trim();
        if ["[", "array(", "matrix("].iter().any(|begin| text.starts_with(begin)) {
            return brackets::read(text);
        }
        if text.starts_with("NFG") {
            two_payoffs::strategic_form(text, reading)
        } else {
            table::read(table, reading)
        }
    }

    /// The game of an array of doubles, which must be a matrix.
    fn of_array(array: &NumberArray) -> Result<Self, MatrixError> {
        // Larger integers were rounded to doubles.
        const LARGEST: f64 = 9_007_199_254_740_992.0;
        let [_, columns] = array.shape[..] else {
            let shape = super::npy::shape_text(&array.shape);
            return Err(refused(format!("the array has shape {shape}; expected rows and columns")));
        };
        let mut payoffs: Vec<Vec<BigRational>> = Vec::new();
        for (index, &entry) in array.numbers.iter().enumerate() {
            let number = BigRational::from_float(entry).filter(|_| entry.abs() < LARGEST);
            let Some(number) = number else {
                let (row, column) = (index / columns + 1, index % columns + 1);
                return Err(refused(format!(
                    "row {row}, column {column}: {entry} is no number below 2^53 in size"
                )));
            };
            if index % columns == 0 {
                payoffs.push(Vec::with_capacity(columns));
            }
            if let Some(row) = payoffs.last_mut() {
                row.push(number);
            }
        }
        Ok(unnamed(payoffs))
    }

    /// Replaces every payoff by a simpler fraction nearby.
    fn simplify(&mut self) {
        let mut payoffs = self.payoffs.iter_mut().flatten().collect::<Vec<_>>();
        let read = simplify(&mut payoffs);
        if read > 0 {
            self.assumptions
                .push(format!("{read} payoffs are read as the simplest fractions near them"));
        }
    }

    /// The row player's payoffs.
    pub fn payoffs(&self) -> &[Vec<BigRational>] {
        &self.payoffs
    }

    /// The names of the row player's and of the column player's actions; numbers from 1 where the
    /// file has none.
    pub const fn names(&self) -> &[Vec<String>; 2] {
        &self.names
    }

    /// The sum of both players' payoffs: 0, except in some strategic forms.
    pub const fn sum(&self) -> &BigRational {
        &self.sum
    }

    /// The assumptions beyond the payoffs, in sentences: the lines that were taken for names, and
    /// payoffs that were not read as written.
    pub fn assumptions(&self) -> &[String] {
        &self.assumptions
    }

    /// A strategy of A, who picks the row, or of B, who picks the column, with names; actions of
    /// probability 0 are left out.
    pub fn actions<'p>(
        &self,
        player: Player,
        probabilities: impl Iterator<Item = &'p BigRational>,
    ) -> Vec<ActionReport> {
        let named = self.names[player as usize].iter().zip(probabilities);
        let played = named.filter(|(_, probability)| !probability.is_zero());
        played.map(|(name, probability)| ActionReport::exactly(name.clone(), probability)).collect()
    }

    /// The actions that a strategy in doubles plays.
    pub fn approximate_actions(&self, player: Player, probabilities: &[f64]) -> Vec<ActionReport> {
        let named = self.names[player as usize].iter().zip(probabilities);
        let played = named.filter(|(_, probability)| **probability > 0.0);
        played
            .map(|(name, &probability)| ActionReport {
                action: name.clone(),
                probability,
                exact: None,
            })
            .collect()
    }

    /// The opponent's best replies to a player's strategy, by name, and the row player's payoff
    /// then.
    ///
    /// The strategy is a list of probabilities separated by commas, one for each action, which sum
    /// to 1.
    ///
    /// # Errors
    /// [`MatrixError::File`].
    pub fn replies(
        &self,
        player: Player,
        strategy: &str,
    ) -> Result<(Vec<String>, BigRational), Error> {
        let probabilities = self.strategy(player, strategy)?;
        let entry = |action: usize, reply: usize| match player {
            Player::A => &self.payoffs[action][reply],
            Player::B => &self.payoffs[reply][action],
        };
        let paid = |reply: usize| -> BigRational {
            probabilities
                .iter()
                .enumerate()
                .map(|(action, share)| share * entry(action, reply))
                .sum()
        };
        let replies = &self.names[player.opponent() as usize];
        let paid: Vec<BigRational> = (0..replies.len()).map(paid).collect();
        let best = match player {
            Player::A => paid.iter().min(),
            Player::B => paid.iter().max(),
        };
        let best = best.cloned().unwrap_or_default();
        let names = replies
            .iter()
            .zip(&paid)
            .filter(|(_, paid)| **paid == best)
            .map(|(name, _)| name.clone());
        Ok((names.collect(), best))
    }

    /// The row player's expected payoff of two given strategies, written as for [`Self::replies`].
    ///
    /// ```
    /// use pencil_tennis::report::{PayoffReading, WrittenMatrix};
    ///
    /// let game = WrittenMatrix::read(b"3,-1\n-2,1\n", PayoffReading::Exact)?;
    /// assert_eq!(game.expected_payoff("1/3,2/3", "1/2,0.5")?.to_string(), "0");
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`MatrixError::File`].
    pub fn expected_payoff(&self, row: &str, column: &str) -> Result<BigRational, Error> {
        let [rows, columns] = [self.strategy(Player::A, row)?, self.strategy(Player::B, column)?];
        let mut expected = BigRational::zero();
        for (payoffs, of_row) in self.payoffs.iter().zip(&rows) {
            let against: BigRational =
                payoffs.iter().zip(&columns).map(|(payoff, share)| payoff * share).sum();
            expected += of_row * against;
        }
        Ok(expected)
    }

    /// The probabilities of a player's strategy.
    fn strategy(&self, player: Player, strategy: &str) -> Result<Vec<BigRational>, MatrixError> {
        let probabilities = strategy.split(',').map(number).collect::<Result<Vec<_>, _>>()?;
        let count = self.names[player as usize].len();
        if probabilities.len() != count {
            return Err(refused(format!(
                "the strategy has {} probabilities; expected {count}",
                probabilities.len()
            )));
        }
        if probabilities.iter().any(Signed::is_negative)
            || !probabilities.iter().sum::<BigRational>().is_one()
        {
            return Err(refused("the strategy's probabilities are negative or do not sum to 1"));
        }
        Ok(probabilities)
    }
}

fn refused(reason: impl Into<String>) -> MatrixError {
    MatrixError::File { reason: reason.into() }
}

/// Reads a fraction or a decimal, also with the minus sign of typesetters, and with nothing after
/// the point, as numpy writes `3.`.
fn parse(text: &str) -> Option<BigRational> {
    let plain = text.trim().replace('\u{2212}', "-").replace(".e", "e").replace(".E", "E");
    let plain = match plain.strip_suffix('.') {
        Some(whole) if whole.ends_with(|last: char| last.is_ascii_digit()) => whole,
        _ => &plain,
    };
    exact_number(plain).ok().map(|number| number.to_rational())
}

fn number(text: &str) -> Result<BigRational, MatrixError> {
    parse(text).ok_or_else(|| refused(no_number(text)))
}

fn no_number(text: &str) -> String {
    format!("{} is no number; expected one such as -2, 0.25, 1e-3 or 7/8", Quoted(text.trim()))
}

/// Replaces payoffs by simpler fractions within 1e-12 of the largest one; returns the number of
/// those that changed.
fn simplify(payoffs: &mut [&mut BigRational]) -> usize {
    let largest = payoffs.iter().map(|payoff| payoff.abs()).max().unwrap_or_default();
    let within = largest * BigRational::new(1.into(), 1_000_000_000_000_i64.into());
    let mut changed = 0;
    for payoff in payoffs {
        let size = payoff.abs();
        let near = simplest(&(&size - &within), &(&size + &within));
        let near = if payoff.is_negative() { -near } else { near };
        changed += usize::from(near != **payoff);
        **payoff = near;
    }
    changed
}

fn numbered(count: usize) -> Vec<String> {
    (1..=count).map(|number| number.to_string()).collect()
}

fn unnamed(payoffs: Vec<Vec<BigRational>>) -> WrittenMatrix {
    let names = [numbered(payoffs.len()), numbered(payoffs.first().map_or(0, Vec::len))];
    WrittenMatrix { payoffs, names, sum: BigRational::zero(), assumptions: Vec::new() }
}
