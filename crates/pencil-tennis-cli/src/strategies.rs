//! Strategies as several commands print them: bars, and which of several optimal ones they are.

use std::io::{self, Write};

use pencil_tennis::Refined;
use pencil_tennis::analysis::{BidProbability, StateAnalysis};
use pencil_tennis::report::ActionReport;

use super::fold::{self, Bar, names_width};

/// The most actions of a strategy that are printed.
pub(super) const MOST_ACTIONS: usize = 30;

/// The longest fraction that is printed beside a bid.
const LONGEST_FRACTION: usize = 24;

/// The characters of the longest bar of a bid.
const BAR: f64 = 50.0;

/// Writes a strategy as bars, with fractions of at most this many characters.
pub(super) fn write_actions(
    out: &mut impl Write,
    actions: &[ActionReport],
    fraction: usize,
) -> io::Result<()> {
    let longest = names_width(actions.iter().map(|action| action.action.as_str()));
    let shown = actions.iter().take(MOST_ACTIONS);
    let bars: Vec<Bar<'_>> =
        shown.map(|bar| (bar.action.clone(), bar.probability, bar.exact.as_deref())).collect();
    fold::write_bars(out, &bars, longest, fraction, f64::INFINITY)?;
    if actions.len() > MOST_ACTIONS {
        writeln!(out, "  and {} more; --format json lists all", actions.len() - MOST_ACTIONS)?;
    }
    Ok(())
}

/// Writes A's and B's bids as small bar charts, once if they agree.
pub(super) fn write_bids(
    out: &mut impl Write,
    a: &[BidProbability],
    b: &[BidProbability],
) -> io::Result<()> {
    if a.iter().map(|bid| bid.bid).eq(b.iter().map(|bid| bid.bid))
        && a.iter().zip(b).all(|(a, b)| a.probability.to_bits() == b.probability.to_bits())
    {
        writeln!(out, "Both bid")?;
        return write_bars(out, a);
    }
    writeln!(out, "A bids")?;
    write_bars(out, a)?;
    writeln!(out, "B bids")?;
    write_bars(out, b)
}

pub(super) fn write_bars(out: &mut impl Write, bids: &[BidProbability]) -> io::Result<()> {
    let bars: Vec<Bar<'_>> = bids
        .iter()
        .map(|bid| (bid.bid.to_string(), bid.probability, bid.exact.as_deref()))
        .collect();
    fold::write_bars(out, &bars, 4, LONGEST_FRACTION, BAR)
}

pub(super) fn write_of_both(out: &mut impl Write, a: &str, b: &str) -> io::Result<()> {
    if a == b {
        writeln!(out, "Either player's strategy {a}")
    } else {
        writeln!(out, "A's strategy {a}, B's {b}")
    }
}

pub(super) fn write_refinement(out: &mut impl Write, report: &StateAnalysis) -> io::Result<()> {
    let Some(refinement) = &report.refinement else { return Ok(()) };
    let [a, b] = refinement.into_array().map(|refinement| match refinement {
        Refined::Changed => "gains more from errors than the usual one",
        Refined::Kept => "could not be refined and is the usual one",
        Refined::Unchanged => "gains as much from errors as any and is the usual one",
    });
    write_of_both(out, a, b)
}
