//! Matrix games in files.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use serde_json::value::RawValue;

use super::gambit::{Malformed, Tokens};
use super::stochastic_game_report::ActionReport;
use crate::error::{Error, MatrixError, Quoted};
use crate::stochastic_game::exact_number;

/// A matrix game from a file: exact payoffs, with the names of both players' actions.
///
/// Three formats are recognised by their first characters: csv, with names in the first row and column if these are no numbers; JSON,
/// an array of rows of numbers or of texts such as `"1/3"`; and the strategic form of Gambit (`NFG 1 …`), of two players whose
/// payoffs have a constant sum.
///
/// ```
/// use pencil_tennis::matrix_game::ExactSolution;
/// use pencil_tennis::report::WrittenMatrix;
///
/// let game = WrittenMatrix::read(b",heads,tails\nheads,1,-1\ntails,-1,1/2\n")?;
/// assert_eq!(*game.names(), [["heads", "tails"], ["heads", "tails"]]);
/// assert_eq!(ExactSolution::new(game.payoffs())?.value().to_string(), "-1/7");
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct WrittenMatrix {
    payoffs: Vec<Vec<BigRational>>,
    names: [Vec<String>; 2],
    sum: BigRational,
}

impl WrittenMatrix {
    /// Reads a matrix game.
    ///
    /// # Errors
    /// [`MatrixError::File`], [`MatrixError::Shape`].
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let text = std::str::from_utf8(bytes).map_err(|_| refused("it is no UTF-8 text"))?;
        let text = text.trim_start_matches('\u{feff}').trim();
        let read = match text.as_bytes() {
            [b'[', ..] => json(text)?,
            [b'N', b'F', b'G', ..] => strategic_form(text)?,
            _ => csv(text)?,
        };
        let columns = read.payoffs.first().map_or(0, Vec::len);
        if columns == 0 || read.payoffs.iter().any(|row| row.len() != columns) {
            return Err(MatrixError::Shape.into());
        }
        Ok(read)
    }

    /// The row player's payoffs.
    pub fn payoffs(&self) -> &[Vec<BigRational>] {
        &self.payoffs
    }

    /// The names of the row player's and of the column player's actions; numbers from 1 where the file has none.
    pub const fn names(&self) -> &[Vec<String>; 2] {
        &self.names
    }

    /// The sum of both players' payoffs: 0, except in some strategic forms.
    pub const fn sum(&self) -> &BigRational {
        &self.sum
    }

    /// A strategy of the row player or the column player, with names; actions of probability 0 are left out.
    pub fn actions<'p>(&self, of_column: bool, probabilities: impl Iterator<Item = &'p BigRational>) -> Vec<ActionReport> {
        let named = self.names[usize::from(of_column)].iter().zip(probabilities);
        let played = named.filter(|(_, probability)| !probability.is_zero());
        played.map(|(name, probability)| ActionReport::exactly(name.clone(), probability)).collect()
    }

    /// The opponent's best replies to a strategy of the row player or the column player, by name, and the row player's payoff then.
    ///
    /// The strategy is a list of probabilities separated by commas, one for each action, which sum to 1.
    ///
    /// # Errors
    /// [`MatrixError::File`].
    pub fn replies(&self, of_column: bool, strategy: &str) -> Result<(Vec<String>, BigRational), Error> {
        let probabilities = strategy.split(',').map(number).collect::<Result<Vec<_>, _>>()?;
        let own = self.names[usize::from(of_column)].len();
        if probabilities.len() != own {
            return Err(refused(format!("the strategy has {} probabilities; expected {own}", probabilities.len())).into());
        }
        if probabilities.iter().any(Signed::is_negative) || !probabilities.iter().sum::<BigRational>().is_one() {
            return Err(refused("the strategy's probabilities are negative or do not sum to 1").into());
        }
        let entry = |own: usize, reply: usize| if of_column { &self.payoffs[reply][own] } else { &self.payoffs[own][reply] };
        let paid = |reply: usize| -> BigRational {
            probabilities.iter().enumerate().map(|(own, share)| share * entry(own, reply)).sum()
        };
        let replies = &self.names[usize::from(!of_column)];
        let paid: Vec<BigRational> = (0..replies.len()).map(paid).collect();
        let best = if of_column { paid.iter().max() } else { paid.iter().min() }.cloned().unwrap_or_default();
        let names = replies.iter().zip(&paid).filter(|(_, paid)| **paid == best).map(|(name, _)| name.clone());
        Ok((names.collect(), best))
    }
}

impl From<Malformed> for MatrixError {
    fn from(Malformed { line, reason }: Malformed) -> Self {
        refused(if line > 0 { format!("line {line}: {reason}") } else { reason })
    }
}

fn refused(reason: impl Into<String>) -> MatrixError {
    MatrixError::File { reason: reason.into() }
}

fn number(text: &str) -> Result<BigRational, MatrixError> {
    let text = text.trim();
    match exact_number(text) {
        Ok(number) => Ok(number.to_rational()),
        Err(_) => Err(refused(format!("{} is no number; expected one such as -2, 0.25, 1e-3 or 7/8", Quoted(text)))),
    }
}

fn numbered(count: usize) -> Vec<String> {
    (1..=count).map(|number| number.to_string()).collect()
}

fn unnamed(payoffs: Vec<Vec<BigRational>>) -> WrittenMatrix {
    let names = [numbered(payoffs.len()), numbered(payoffs.first().map_or(0, Vec::len))];
    WrittenMatrix { payoffs, names, sum: BigRational::zero() }
}

fn json(text: &str) -> Result<WrittenMatrix, MatrixError> {
    let rows: Vec<Vec<&RawValue>> =
        serde_json::from_str(text).map_err(|error| refused(format!("it is no JSON array of rows: {error}")))?;
    let entry = |entry: &&RawValue| number(entry.get().trim_matches('"'));
    Ok(unnamed(rows.iter().map(|row| row.iter().map(entry).collect()).collect::<Result<_, _>>()?))
}

fn csv(text: &str) -> Result<WrittenMatrix, MatrixError> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).trim(csv::Trim::All).from_reader(text.as_bytes());
    let rows = reader.deserialize().collect::<Result<Vec<Vec<String>>, _>>();
    let mut rows = rows.map_err(|error| refused(error.to_string()))?;
    let is_name = |text: &String| exact_number(text).is_err();
    let has_header = rows.first().is_some_and(|row| row.iter().skip(1).any(is_name) || row.len() == 1 && is_name(&row[0]));
    let header = if has_header { Some(rows.remove(0)) } else { None };
    let has_names = rows.iter().any(|row| row.first().is_some_and(is_name));
    let skipped = usize::from(has_names);
    let mut payoffs = Vec::with_capacity(rows.len());
    for (place, row) in rows.iter().enumerate() {
        let line = place + 1 + usize::from(has_header);
        let in_line = |error: MatrixError| refused(format!("line {line}: {error}"));
        payoffs.push(row.iter().skip(skipped).map(|text| number(text)).collect::<Result<Vec<_>, _>>().map_err(in_line)?);
    }
    let mut read = unnamed(payoffs);
    if has_names {
        read.names[0] = rows.into_iter().map(|row| row.into_iter().next().unwrap_or_default()).collect();
    }
    if let Some(header) = header {
        // Without names of rows there may still be a corner.
        read.names[1] = header.split_at(header.len().saturating_sub(read.names[1].len())).1.to_vec();
    }
    Ok(read)
}

/// Reads a strategic form, by payoffs or by outcomes (Gambit's documentation, "The strategic game (.nfg) file format").
fn strategic_form(text: &str) -> Result<WrittenMatrix, MatrixError> {
    let mut tokens = Tokens::new(text)?;
    let players = tokens.header("NFG", "1")?;
    if players != 2 {
        return Err(refused(format!("it has {players} players; a matrix game has two")));
    }
    let names = if tokens.next_are("{", "{") {
        tokens.take("{", "the names of the actions")?;
        let names = [tokens.list("\"", "an action's name")?, tokens.list("\"", "an action's name")?];
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
    let mut payoffs = vec![Vec::with_capacity(columns); rows];
    let mut sum: Option<BigRational> = None;
    for profile in 0..rows * columns {
        let [a, b] = if by_outcomes {
            let place = tokens.take("", "the number of an outcome")?;
            let known = place.parse::<usize>().ok().and_then(|place| outcomes.get(place));
            known
                .ok_or_else(|| refused(format!("{} is no outcome; expected 0 to {}", Quoted(&place), outcomes.len() - 1)))?
                .clone()
        } else {
            pair(&[tokens.take("", "a payoff")?, tokens.take("", "a payoff")?])?
        };
        // The first player's action changes fastest.
        let (row, column) = (profile % rows, profile / rows);
        let both = &a + b;
        let sum = sum.get_or_insert_with(|| both.clone());
        if *sum != both {
            return Err(refused(format!(
                "the players' payoffs sum to {both} for {} against {}, and to {sum} elsewhere; expected a constant sum",
                Quoted(&names[0][row]),
                Quoted(&names[1][column])
            )));
        }
        payoffs[row].push(a);
    }
    match tokens.0.next() {
        Some((line, token)) => Err(refused(format!("line {line}: {} stands after the last payoff", Quoted(&token)))),
        None => Ok(WrittenMatrix { payoffs, names, sum: sum.unwrap_or_default() }),
    }
}
