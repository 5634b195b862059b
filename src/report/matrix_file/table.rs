//! Tables of text: cells between commas, tabs, spaces or semicolons, with names of actions or
//! without.

use num_rational::BigRational;

use super::two_payoffs::{TwoPayoffs, numbered_names};
use super::{PayoffReading, WrittenMatrix, no_number, numbered, parse, refused};
use crate::error::{MatrixError, Quoted};
use stochastic_game::internal::sentence;

/// The character between two cells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    Comma,
    Semicolon,
    Tab,
    Spaces,
}

/// A line of the file, with its number.
struct Line {
    number: usize,
    cells: Vec<String>,
    /// Whether empty lines stand before it.
    is_apart: bool,
}

struct Table {
    lines: Vec<Line>,
    separator: Separator,
}

/// The kinds of cells.
enum Content {
    Number(BigRational),
    Blank,
    /// Neither a number nor a name: `NaN`, `inf`, `3,000`, `1.2.3`.
    Malformed,
    Name,
}

/// The other readings of a blank first cell, and of a text there.
const NO_BLANK_CORNER: &str =
    ", or a blank corner with names to its right and below: texts, or whole numbers that rise";
const NO_CORNER: &str = ", or a corner with names to its right and below, or a line of names alone";

/// The lines that are names.
#[derive(Clone, Copy, Default)]
struct Names {
    first_row: bool,
    first_column: bool,
}

pub(super) fn read(text: &str, reading: PayoffReading) -> Result<WrittenMatrix, MatrixError> {
    let mut table = Table::split(text)?;
    if table.lines.is_empty() {
        return Err(MatrixError::Shape);
    }
    if table.is_lrsnash()? {
        return table.lrsnash(reading);
    }
    table.complete_corner();
    table.check_widths()?;
    let names = table.names()?;
    table.payoffs(names)
}

impl Table {
    fn split(text: &str) -> Result<Self, MatrixError> {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let is_content = |line: &str| !line.is_empty() && !line.starts_with('#');
        let separator = Separator::of(
            text.lines().map(str::trim_end).filter(|line| is_content(line.trim_start())),
        );
        let mut lines = Vec::new();
        let mut is_apart = false;
        for (line, number) in text.lines().zip(1..) {
            // Tabs at the ends separate cells.
            let trimmed =
                if separator == Separator::Tab { line.trim_matches(' ') } else { line.trim() };
            if !is_content(line.trim()) {
                is_apart |= line.trim().is_empty();
                continue;
            }
            let cells = separator
                .split(trimmed)
                .map_err(|reason| refused(format!("line {number}: {reason}")))?;
            lines.push(Line { number, cells, is_apart });
            is_apart = false;
        }
        Ok(Self { lines, separator })
    }

    fn content(&self, row: usize, column: usize) -> Content {
        let text = &self.lines[row].cells[column];
        if text.is_empty() {
            return Content::Blank;
        }
        match self.number(text) {
            Some(number) => Content::Number(number),
            None if is_malformed_number(text) => Content::Malformed,
            None => Content::Name,
        }
    }

    fn number(&self, text: &str) -> Option<BigRational> {
        // In countries with a decimal comma, semicolons separate cells.
        if self.separator == Separator::Semicolon
            && text.matches(',').count() == 1
            && !text.contains('.')
        {
            return parse(&text.replace(',', "."));
        }
        parse(text)
    }

    /// The refusal of a cell, with a reason.
    fn refuse<T>(&self, row: usize, column: usize, reason: &str) -> Result<T, MatrixError> {
        let Line { number, cells, .. } = &self.lines[row];
        let location = format!("line {number}, column {}: ", column + 1);
        Err(refused(location + &no_number(&cells[column]) + reason))
    }

    /// Adds the corner that R leaves out: its header has a cell less than the other lines.
    fn complete_corner(&mut self) {
        let [header, others @ ..] = &self.lines[..] else { return };
        let width = header.cells.len();
        let is_shorter =
            !others.is_empty() && others.iter().all(|line| line.cells.len() == width + 1);
        if is_shorter && (0..width).all(|column| matches!(self.content(0, column), Content::Name)) {
            self.lines[0].cells.insert(0, String::new());
        }
    }

    fn check_widths(&self) -> Result<(), MatrixError> {
        let width = self.lines[0].cells.len();
        match self.lines.iter().find(|line| line.cells.len() != width) {
            Some(Line { number, cells, .. }) => {
                let found = match cells.len() {
                    1 => "1 cell".to_owned(),
                    several => format!("{several} cells"),
                };
                let first = self.lines[0].number;
                Err(refused(format!(
                    "line {number} has {found}, and line {first} has {width}; expected rows of equal length"
                )))
            }
            None => Ok(()),
        }
    }

    /// Finds the lines that are names, or refuses a cell that is neither a number nor one of these.
    fn names(&self) -> Result<Names, MatrixError> {
        let row: Vec<_> = (0..self.lines[0].cells.len()).map(|column| (0, column)).collect();
        let column: Vec<_> = (0..self.lines.len()).map(|row| (row, 0)).collect();
        let both = Names { first_row: true, first_column: true };
        match self.content(0, 0) {
            Content::Number(_) => Ok(Names::default()),
            Content::Malformed => self.refuse(0, 0, ""),
            Content::Blank => {
                if row.len() < 2
                    || column.len() < 2
                    || !self.are_labels(&row[1..])
                    || !self.are_labels(&column[1..])
                {
                    return self.refuse(0, 0, NO_BLANK_CORNER);
                }
                Ok(both)
            }
            Content::Name => {
                let (names_row, names_column) = (self.are_texts(&row), self.are_texts(&column));
                let numbers_row = row.len() > 1 && self.are_rising(&row[1..]);
                let numbers_column = column.len() > 1 && self.are_rising(&column[1..]);
                match (names_row, names_column) {
                    (true, true) => Ok(both),
                    (true, false) if numbers_column && row.len() > 1 => {
                        self.ambiguous("column", &column)
                    }
                    (false, true) if numbers_row && column.len() > 1 => self.ambiguous("row", &row),
                    (true, false) => Ok(Names { first_row: true, first_column: false }),
                    (false, true) => Ok(Names { first_row: false, first_column: true }),
                    (false, false) if numbers_row && numbers_column => Ok(both),
                    (false, false) => self.refuse(0, 0, NO_CORNER),
                }
            }
        }
    }

    /// Refuses a line of whole numbers that rise under a corner that is a text: they may be names
    /// or payoffs.
    fn ambiguous<T>(&self, line: &str, cells: &[(usize, usize)]) -> Result<T, MatrixError> {
        let (row, column) = cells[1];
        let Line { number, cells, .. } = &self.lines[row];
        Err(refused(format!(
            "line {number}, column {}: {} may be a name or a payoff; leave the first cell of the file blank if the first {line} has \
             names, or give names to both rows and columns",
            column + 1,
            Quoted(&cells[column])
        )))
    }

    /// Whether all cells are names and unlike each other.
    fn are_texts(&self, cells: &[(usize, usize)]) -> bool {
        let are_names =
            cells.iter().all(|&(row, column)| matches!(self.content(row, column), Content::Name));
        let mut texts: Vec<&String> =
            cells.iter().map(|&(row, column)| &self.lines[row].cells[column]).collect();
        texts.sort_unstable();
        are_names && texts.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// Whether all cells are whole numbers from 0 that rise; a single one is 0 or 1. A payoff in a
    /// corner that was left blank by mistake rarely looks so.
    fn are_rising(&self, cells: &[(usize, usize)]) -> bool {
        let whole = |&(row, column): &(usize, usize)| {
            let text = &self.lines[row].cells[column];
            text.parse::<u64>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
        };
        match cells.iter().map(whole).collect::<Option<Vec<u64>>>().as_deref() {
            None | Some([]) => false,
            Some(&[single]) => single < 2,
            Some(several) => several.windows(2).all(|pair| pair[0] < pair[1]),
        }
    }

    fn are_labels(&self, cells: &[(usize, usize)]) -> bool {
        self.are_texts(cells) || self.are_rising(cells)
    }

    fn payoffs(&self, names: Names) -> Result<WrittenMatrix, MatrixError> {
        let (top, left) = (usize::from(names.first_row), usize::from(names.first_column));
        let mut payoffs = Vec::with_capacity(self.lines.len() - top);
        for (row, line) in self.lines.iter().enumerate().skip(top) {
            let mut numbers = Vec::with_capacity(line.cells.len() - left);
            for column in left..line.cells.len() {
                match self.content(row, column) {
                    Content::Number(number) => numbers.push(number),
                    _ => return self.refuse(row, column, ""),
                }
            }
            payoffs.push(numbers);
        }
        let mut assumptions = Vec::new();
        let mut names_of = [numbered(payoffs.len()), numbered(payoffs.first().map_or(0, Vec::len))];
        if names.first_column {
            names_of[0] = self.lines.iter().skip(top).map(|line| line.cells[0].clone()).collect();
            assumptions.push(taken_for_names("column", &names_of[0]));
        }
        if names.first_row {
            names_of[1] = self.lines[0].cells[left..].to_vec();
            assumptions.push(taken_for_names("row", &names_of[1]));
        }
        if self.has_decimal_commas() {
            assumptions.push("commas are decimal points".to_owned());
        }
        Ok(WrittenMatrix { payoffs, names: names_of, sum: BigRational::default(), assumptions })
    }

    fn has_decimal_commas(&self) -> bool {
        let mut cells = self.lines.iter().flat_map(|line| &line.cells);
        self.separator == Separator::Semicolon
            && cells.any(|cell| cell.contains(',') && self.number(cell).is_some())
    }

    /// Whether this is the input of lrsnash: a line with the numbers of rows and columns, then both
    /// players' matrices.
    fn is_lrsnash(&self) -> Result<bool, MatrixError> {
        let [size, others @ ..] = &self.lines[..] else { return Ok(false) };
        let Some([rows, columns]) = self.size() else { return Ok(false) };
        if others.len() != 2 * rows || others.iter().any(|line| line.cells.len() != columns) {
            return Ok(false);
        }
        // With two columns the first line may be a row like any other.
        if columns == 2 && others.iter().all(|line| !line.is_apart) {
            return Err(refused(format!(
                "line {}: {} may be the size of the two matrices of lrsnash, or a row of payoffs; put an empty line after the \
                 size, or commas between payoffs",
                size.number,
                Quoted(&size.cells.join(" "))
            )));
        }
        Ok(true)
    }

    fn size(&self) -> Option<[usize; 2]> {
        let [rows, columns] = &self.lines.first()?.cells[..] else { return None };
        let size = [rows.parse().ok()?, columns.parse().ok()?];
        (self.separator == Separator::Spaces && size.iter().all(|&side: &usize| side > 0))
            .then_some(size)
    }

    fn lrsnash(&self, reading: PayoffReading) -> Result<WrittenMatrix, MatrixError> {
        let [rows, columns] = self.size().unwrap_or_default();
        let mut numbers = Vec::with_capacity(2 * rows);
        for row in 1..self.lines.len() {
            let mut line = Vec::with_capacity(columns);
            for column in 0..columns {
                match self.content(row, column) {
                    Content::Number(number) => line.push(number),
                    _ => return self.refuse(row, column, ""),
                }
            }
            numbers.push(line);
        }
        let second = numbers.split_off(rows);
        TwoPayoffs { first: numbers, second, names: numbered_names(rows, columns) }
            .into_matrix(reading)
    }
}

impl Separator {
    /// The separator of these lines: the first of semicolon, tab and comma that stands outside
    /// quotation marks, else spaces.
    fn of<'t>(lines: impl Iterator<Item = &'t str>) -> Self {
        let mut found = [false; 3];
        for line in lines {
            let mut is_quoted = false;
            for character in line.chars() {
                match character {
                    '"' => is_quoted = !is_quoted,
                    ';' if !is_quoted => found[0] = true,
                    '\t' if !is_quoted => found[1] = true,
                    ',' if !is_quoted => found[2] = true,
                    _ => {}
                }
            }
        }
        match found {
            [true, ..] => Self::Semicolon,
            [_, true, _] => Self::Tab,
            [_, _, true] => Self::Comma,
            _ => Self::Spaces,
        }
    }

    /// The cells of a line, without spaces around them and quotation marks.
    fn split(self, line: &str) -> Result<Vec<String>, String> {
        let byte = match self {
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Tab => b'\t',
            Self::Spaces => return words(line),
        };
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .delimiter(byte)
            .trim(csv::Trim::All)
            .from_reader(line.as_bytes());
        match reader.records().next() {
            Some(Ok(record)) => Ok(record.iter().map(str::to_owned).collect()),
            Some(Err(error)) => Err(sentence(&error)),
            None => Ok(Vec::new()),
        }
    }
}

/// The words of a line between spaces; quotation marks hold a word together.
fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let (word, after) = if first == '"' {
            rest[1..].split_once('"').ok_or("a text lacks its closing quotation mark")?
        } else {
            rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()))
        };
        words.push(word.trim().to_owned());
        rest = after.trim_start();
    }
    Ok(words)
}

/// Whether a text that is no number was probably meant as one.
fn is_malformed_number(text: &str) -> bool {
    const NO_NUMBERS: [&str; 10] =
        ["nan", "inf", "infinity", "na", "n/a", "#n/a", "null", "none", "-", "?"];
    let word = text.trim_start_matches(['+', '-', '\u{2212}']).to_lowercase();
    if word.is_empty() || NO_NUMBERS.contains(&&*word) {
        return true;
    }
    let mut has_digit = false;
    for character in word.chars() {
        has_digit |= character.is_ascii_digit();
        if !character.is_ascii_digit()
            && !".,+-/_'\u{2212}\u{2019}%$€ex".contains(character)
            && !character.is_whitespace()
        {
            return false;
        }
    }
    has_digit
}

fn taken_for_names(line: &str, names: &[String]) -> String {
    const MOST: usize = 8;
    let listed: Vec<String> =
        names.iter().take(MOST).map(|name| Quoted(name).to_string()).collect();
    let more = if names.len() > MOST { ", …" } else { "" };
    let of = if line == "row" { "columns" } else { "rows" };
    format!("the first {line} names the {of}: {}{more}", listed.join(", "))
}
