//! Tables and texts that fit a narrow screen.

use std::fmt::Display;
use std::io::{self, Write};

use pencil_tennis::{Player, Rules, State};

/// The width of the narrowest screen.
pub(super) const WIDTH: usize = 80;

/// The widths of a table's columns: of the row names, and of each cell.
#[derive(Clone, Copy)]
pub(super) struct Widths {
    pub(super) names: usize,
    pub(super) cell: usize,
}

/// Writes a table in blocks of as many columns as fit, each with the row names.
pub(super) fn write_folded<Cells: IntoIterator<Item: Display>>(
    out: &mut impl Write,
    widths: Widths,
    columns: impl IntoIterator<Item = impl Display>,
    rows: impl IntoIterator<Item = (impl Display, Cells)>,
) -> io::Result<()> {
    let mut table = vec![(String::new(), texts(columns))];
    table.extend(rows.into_iter().map(|(name, cells)| (name.to_string(), texts(cells))));
    let Widths { names, cell } = widths;
    let room = ((WIDTH - names) / cell).max(1);
    for first in (0..table[0].1.len()).step_by(room) {
        if first > 0 {
            writeln!(out)?;
        }
        for (name, cells) in &table {
            write!(out, "{name:>names$}")?;
            cells
                .iter()
                .skip(first)
                .take(room)
                .try_for_each(|text| write!(out, "{text:>cell$}"))?;
            writeln!(out)?;
        }
    }
    Ok(())
}

fn texts(cells: impl IntoIterator<Item = impl Display>) -> Vec<String> {
    cells.into_iter().map(|cell| cell.to_string()).collect()
}

/// Formats the lines of a table: cells of these widths, right-aligned, or left-aligned for negative
/// widths.
pub(super) fn columns<const N: usize>(
    between: &'static str,
    widths: [i8; N],
) -> impl Fn([&dyn Display; N]) -> String {
    move |cells| {
        let cell = |(width, cell): (i8, &dyn Display)| {
            let (cell, room) = (cell.to_string(), usize::from(width.unsigned_abs()));
            if width < 0 { format!("{cell:<room$}") } else { format!("{cell:>room$}") }
        };
        let line = widths.into_iter().zip(cells).map(cell).collect::<Vec<_>>().join(between);
        line.trim_end().to_owned()
    }
}

pub(super) type Bar<'b> = (String, f64, Option<&'b str>);

/// Writes probabilities as bars of at most `most` blocks after names of this width; a column of
/// fractions, if any are short enough, takes its room from the bars.
pub(super) fn write_bars(
    out: &mut impl Write,
    bars: &[Bar<'_>],
    name: usize,
    fraction: usize,
    most: f64,
) -> io::Result<()> {
    let short = |exact: Option<&'_ str>| {
        exact.filter(|exact| exact.len() <= fraction).unwrap_or_default().to_owned()
    };
    let widest =
        bars.iter().map(|&(.., exact)| short(exact).len()).max().filter(|&widest| widest > 0);
    let room = most.min((WIDTH - 15 - name - widest.map_or(0, |widest| widest + 2)) as f64);
    for (label, probability, exact) in bars {
        let percent = match 100.0 * probability {
            percent if percent >= 0.01 => format!("{percent:.2} %"),
            _ => format!("{probability:.1e}"),
        };
        let exact = widest.map_or(String::new(), |widest| format!("{:>widest$}  ", short(*exact)));
        writeln!(out, "  {label:>name$}  {percent:>9}  {exact}{}", bar(probability * room))?;
    }
    Ok(())
}

fn bar(length: f64) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (length * 8.0).round() as usize;
    "█".repeat(eighths / 8) + PARTS[eighths % 8]
}

/// The columns that names of bars take.
pub(super) fn names_width<'n>(names: impl Iterator<Item = &'n str>) -> usize {
    names.map(|name| name.chars().count()).max().unwrap_or(0).clamp(4, 40)
}

/// Breaks a text into lines of at most [`WIDTH`] characters, between words.
pub(super) fn wrapped(text: &str) -> String {
    let (mut lines, mut length) = (String::new(), 0);
    for word in text.split_whitespace() {
        let letters = word.chars().count();
        if length > 0 {
            let fits = length + 1 + letters <= WIDTH;
            lines.push(if fits { ' ' } else { '\n' });
            length = if fits { length + 1 } else { 0 };
        }
        lines += word;
        length += letters;
    }
    lines
}

const CELL: usize = 5;

pub(super) fn accounts(state: State) -> [String; 2] {
    Player::BOTH.map(|player| format!("{player} {}", state.points(player)))
}

/// Draws the court with the ball, A's account on the left and B's on the right, as [`accounts`] writes them; a court wider than
/// `width` becomes a line of text.
pub(super) fn write_court(
    out: &mut impl Write,
    rules: &Rules,
    ball: i32,
    accounts: &[String; 2],
    width: usize,
) -> io::Result<()> {
    let [a, b] = accounts;
    let field = rules.field();
    // Room for an account, and for a ball that was hit out.
    let margin = a.chars().count().max(b.chars().count()) + 5;
    if 2 * margin + CELL * rules.positions() + 1 > width {
        return writeln!(out, "  {a}, {b}, the ball lies at {ball} of {} to {field}", -field);
    }
    let line = |left: &str, between: &str, right: &str| {
        let fields = vec!["─".repeat(CELL - 1); rules.positions()];
        format!("{}{left}{}{right}", " ".repeat(margin), fields.join(between))
    };
    let mark = |lies: bool| if lies { "●" } else { " " };
    let cells: Vec<String> =
        (-field..=field).map(|position| format!(" {}  ", mark(position == ball))).collect();
    let numbers: Vec<String> =
        (-field..=field).map(|position| format!("{position:^CELL$}")).collect();
    writeln!(out, "{}", line("┌", "┬", "┐"))?;
    let (out_left, out_right) = (mark(ball < -field), mark(ball > field));
    let right = format!("  {out_right}  {b}");
    writeln!(out, "{a:>0$}  {out_left}  │{1}│{2}", margin - 5, cells.join("│"), right.trim_end())?;
    writeln!(out, "{}", line("└", "┴", "┘"))?;
    writeln!(out, "{}{}", " ".repeat(margin), numbers.concat().trim_end())
}
