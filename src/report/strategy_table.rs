use std::collections::BTreeSet;
use std::io::{self, Write};

use crate::analysis::{BidProbability, StateAnalysis};
use crate::game::Player;

/// The markup of a table for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Markup {
    Markdown,
    /// A `tabular` environment of LaTeX.
    Latex,
}

/// Writes a row for every bid in the support at one of the states, and a column for each state and player, with probabilities in
/// per cent, or as fractions that are known and short.
///
/// ```
/// use pencil_tennis::analysis::StateAnalysis;
/// use pencil_tennis::report::{Markup, write_strategies};
///
/// let solution = pencil_tennis::solve(4)?;
/// let state = StateAnalysis::new(&solution, "4:3@-2".parse()?)?;
/// let mut table = Vec::new();
/// write_strategies(&[state], None, Markup::Markdown, &mut table)?;
/// assert!(String::from_utf8(table)?.ends_with("| 1 |  | 60.00 % |\n| 2 | 40.00 % |  |\n| 3 | 60.00 % | 40.00 % |\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_strategies(states: &[StateAnalysis], player: Option<Player>, markup: Markup, mut out: impl Write) -> io::Result<()> {
    let mut columns: Vec<(String, &[BidProbability])> = Vec::new();
    for state in states {
        for (own, name, bids) in [(Player::A, "A", &state.a), (Player::B, "B", &state.b)] {
            if player.is_none_or(|player| player == own) {
                columns.push((format!("{name} at {}", state.state), bids));
            }
        }
    }
    let bids: BTreeSet<u32> = columns.iter().flat_map(|(_, bids)| bids.iter().map(|bid| bid.bid)).collect();
    let head: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    match markup {
        Markup::Markdown => {
            writeln!(out, "| bid | {} |", head.join(" | "))?;
            writeln!(out, "|{}", "---:|".repeat(columns.len() + 1))?;
        }
        Markup::Latex => {
            writeln!(out, "\\begin{{tabular}}{{r{}}}", "r".repeat(columns.len()))?;
            writeln!(out, "bid & {} \\\\", head.join(" & "))?;
            writeln!(out, "\\hline")?;
        }
    }
    for bid in bids {
        let cells: Vec<String> = columns.iter().map(|(_, bids)| cell(bids, bid, markup)).collect();
        match markup {
            Markup::Markdown => writeln!(out, "| {bid} | {} |", cells.join(" | "))?,
            Markup::Latex => writeln!(out, "{bid} & {} \\\\", cells.join(" & "))?,
        }
    }
    if markup == Markup::Latex {
        writeln!(out, "\\end{{tabular}}")?;
    }
    Ok(())
}

/// A probability, empty for a bid outside the support.
fn cell(bids: &[BidProbability], bid: u32, markup: Markup) -> String {
    /// A longer fraction makes a column too wide.
    const LONGEST: usize = 12;
    let Some(BidProbability { probability, exact, .. }) = bids.iter().find(|own| own.bid == bid) else { return String::new() };
    let fraction = exact.as_deref().filter(|fraction| fraction.len() <= LONGEST);
    match (fraction, markup) {
        (Some(fraction), Markup::Markdown) => fraction.to_owned(),
        (Some(fraction), Markup::Latex) => match fraction.split_once('/') {
            Some((over, under)) => format!("$\\frac{{{over}}}{{{under}}}$"),
            None => format!("${fraction}$"),
        },
        (None, Markup::Markdown) => format!("{:.2} %", 100.0 * probability),
        (None, Markup::Latex) => format!("{:.2}\\,\\%", 100.0 * probability),
    }
}
