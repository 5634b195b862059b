//! Formats with both players' payoffs: Gambit's strategic form, and the input of lrsnash.

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::{PayoffReading, WrittenMatrix, number, numbered, refused, simplify};
use crate::error::{MatrixError, Quoted};
use crate::report::gambit::{Malformed, Tokens};
use stochastic_game::internal::simplest;

/// Both players' payoffs, by rows.
pub(super) struct TwoPayoffs {
    pub(super) first: Vec<Vec<BigRational>>,
    pub(super) second: Vec<Vec<BigRational>>,
    pub(super) names: [Vec<String>; 2],
}

pub(super) fn numbered_names(rows: usize, columns: usize) -> [Vec<String>; 2] {
    [numbered(rows), numbered(columns)]
}

impl TwoPayoffs {
    /// The game of the first player, if the payoffs have a constant sum, up to rounding where that
    /// is asked for.
    pub(super) fn into_matrix(
        mut self,
        reading: PayoffReading,
    ) -> Result<WrittenMatrix, MatrixError> {
        let mut assumptions = Vec::new();
        if reading == PayoffReading::Nearest {
            let mut payoffs: Vec<&mut BigRational> =
                self.first.iter_mut().chain(&mut self.second).flatten().collect();
            let read = simplify(&mut payoffs);
            if read > 0 {
                assumptions
                    .push(format!("{read} payoffs are read as the simplest fractions near them"));
            }
        }
        let mut sums = Vec::new();
        let mut largest = BigRational::zero();
        for (a, b) in self.first.iter().flatten().zip(self.second.iter().flatten()) {
            sums.push(a + b);
            largest = largest.max(a.abs()).max(b.abs());
        }
        let least = sums.iter().min().cloned().unwrap_or_default();
        let most = sums.into_iter().max().unwrap_or_default();
        let spread = &most - &least;
        let is_rounded = spread <= largest * BigRational::new(1.into(), 1_000_000_000.into());
        let is_allowed = spread.is_zero() || (reading == PayoffReading::First && is_rounded);
        if !is_allowed {
            return Err(self.not_constant(if is_rounded { rounding_hint(reading) } else { "" }));
        }
        let sum =
            if most.is_negative() { -simplest(&-&most, &-&least) } else { simplest(&least, &most) };
        if !spread.is_zero() {
            assumptions.push(format!(
                "the first player's payoffs count; both players' sum to {sum} up to rounding"
            ));
        }
        Ok(WrittenMatrix { payoffs: self.first, names: self.names, sum, assumptions })
    }

    /// The refusal of payoffs whose sum varies, at the first place where it does.
    fn not_constant(&self, hint: &str) -> MatrixError {
        let sum_at =
            |row: usize, column: usize| &self.first[row][column] + &self.second[row][column];
        let elsewhere = sum_at(0, 0);
        let columns = self.names[1].len();
        let mut positions =
            (0..columns).flat_map(|column| (0..self.names[0].len()).map(move |row| (row, column)));
        let (row, column) =
            positions.find(|&(row, column)| sum_at(row, column) != elsewhere).unwrap_or_default();
        refused(format!(
            "the players' payoffs sum to {} for {} against {}, and to {elsewhere} elsewhere; expected a constant sum{hint}",
            sum_at(row, column),
            Quoted(&self.names[0][row]),
            Quoted(&self.names[1][column])
        ))
    }
}

/// Says which readings accept payoffs whose sum varies by rounding.
const fn rounding_hint(reading: PayoffReading) -> &'static str {
    match reading {
        PayoffReading::Exact => {
            "; with nearest payoffs each is read as the simplest fraction near it, with first payoffs the first player's count"
        }
        PayoffReading::Nearest => "; with first payoffs the first player's count",
        PayoffReading::First => "",
    }
}

impl From<Malformed> for MatrixError {
    fn from(Malformed { line, reason }: Malformed) -> Self {
        refused(if line > 0 { format!("line {line}: {reason}") } else { reason })
    }
}

/// Reads a strategic form, by payoffs or by outcomes (Gambit's documentation, "The strategic game
/// (.nfg) file format").
pub(super) fn strategic_form(
    text: &str,
    reading: PayoffReading,
) -> Result<WrittenMatrix, MatrixError> {
    let mut tokens = Tokens::new(text)?;
    let players = tokens.header("NFG", "1")?.players;
    if players != 2 {
        return Err(refused(format!("it has {players} players; a matrix game has two")));
    }
    let names = if tokens.next_are("{", "{") {
        tokens.take("{", "the names of the actions")?;
        let names =
            [tokens.list("\"", "an action's name")?, tokens.list("\"", "an action's name")?];
        tokens.take("}", "a closing brace")?;
        names
    } else {
        let counts = tokens.list("", "a number of actions")?;
        let count = |text: &String| text.parse::<usize>().ok().filter(|&count| count < 1 << 20);
        match counts.iter().map(count).collect::<Option<Vec<usize>>>().as_deref() {
            Some(&[rows, columns]) => [numbered(rows), numbered(columns)],
            _ => return Err(refused("the numbers of both players' actions are not two numbers")),
        }
    };
    if tokens.next_is("\"") {
        tokens.take("\"", "a comment")?;
    }
    let pair = |texts: &[String]| match texts {
        [a, b] => Ok([number(a)?, number(b)?]),
        _ => Err(refused(format!("an outcome has {} payoffs; expected 2", texts.len()))),
    };
    let mut outcomes = vec![[BigRational::zero(), BigRational::zero()]];
    let by_outcomes = tokens.next_is("{");
    if by_outcomes {
        tokens.take("{", "the outcomes")?;
        while tokens.next_is("{") {
            outcomes.push(pair(tokens.list("", "a payoff")?.get(1..).unwrap_or_default())?);
        }
        tokens.take("}", "a closing brace")?;
    }
    let [rows, columns] = [names[0].len(), names[1].len()];
    let mut first = vec![Vec::with_capacity(columns); rows];
    let mut second = first.clone();
    for profile in 0..rows * columns {
        let [a, b] = if by_outcomes {
            let index = tokens.take("", "the number of an outcome")?;
            let known = index.parse::<usize>().ok().and_then(|index| outcomes.get(index));
            known
                .ok_or_else(|| {
                    refused(format!(
                        "{} is no outcome; expected 0 to {}",
                        Quoted(&index),
                        outcomes.len() - 1
                    ))
                })?
                .clone()
        } else {
            pair(&[tokens.take("", "a payoff")?, tokens.take("", "a payoff")?])?
        };
        // The first player's action changes fastest.
        first[profile % rows].push(a);
        second[profile % rows].push(b);
    }
    match tokens.0.next() {
        Some((line, token)) => {
            Err(refused(format!("line {line}: {} stands after the last payoff", Quoted(&token))))
        }
        None => TwoPayoffs { first, second, names }.into_matrix(reading),
    }
}
