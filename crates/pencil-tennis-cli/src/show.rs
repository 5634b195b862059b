//! The command `show`: states of any game.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, bail};
use clap::Args;
use pencil_tennis::analysis::{BidPayoff, StateAnalysis};
use pencil_tennis::report::Document;
use pencil_tennis::{ByPlayer, Error, Rules, Solution, Solver, State};

use super::any_game::{self, AnyGameArgs, GameTask};
use super::content::{is_game_file, is_table, names_game};
use super::fold::{WIDTH, Widths, accounts, write_court, write_folded};
use super::game_args::{ExactArgs, RefineArgs, SolvedArgs, covering, evidence};
use super::interrupt;
use super::matrix::is_matrix;
use super::numbers::{between, cost, short};
use super::report::{FormatArgs, OneOrMany};
use super::screen::{Screen, bounded};
use super::strategies::{write_bids, write_of_both, write_refinement};
use super::usage::{refuse_options, wrong_usage};
use super::wanted::Wanted;
use super::word::{Word, quoted};

const MATRIX_SIDE: usize = 12;

/// Show states: value, bounds, both strategies; of Tennis the payoff of every bid and the stage
/// matrix
#[derive(Debug, Args)]
#[command(after_help = "\
A state is POINTS_A:POINTS_B@BALL; a positive ball lies on B's side. Of several
states, --format json prints an array.

If the first word names a game of other rules, a file or @NAME, its states
follow (default: the starts), or its information sets. A state that begins with
`-` follows `--`, as in `show my.jsonl -- '-2 tired'`.

Examples:
  pencil-tennis show 4:3@-2                   # the article's example
  pencil-tennis show 50:50@-1 --format json
  pencil-tennis show 7:8@1 7:6@1 --exact      # as fractions
  pencil-tennis show 50:50@-1 --digits 100    # 100 proved decimals
  pencil-tennis show 5:5@2 --refine dresher   # gains most from errors
  pencil-tennis show 20:18@1 --scoring win-loss
  pencil-tennis solve 60 --save 60.table && pencil-tennis show 55:50@-1 --table 60.table
  printf '4:3@-2 5:5@2' | pencil-tennis show -
  pencil-tennis show @soccer 'b2 d3 A'
  pencil-tennis show @leduc 'K raise'         # an information set")]
pub(super) struct Show {
    /// The states, `POINTS_A:POINTS_B@BALL`, `-` reads a list from standard input; or a game, then
    /// its states
    #[arg(value_name = "STATE | GAME", required = true)]
    words: Vec<Word>,
    #[command(flatten)]
    solved: SolvedArgs,
    #[command(flatten)]
    exact: ExactArgs,
    #[command(flatten)]
    refine: RefineArgs,
    /// Print the value and proved bounds to N decimals
    #[arg(long, value_name = "N", value_parser = between::<usize>("a number of decimals", 1, Solution::MOST_DIGITS as u64))]
    digits: Option<usize>,
    #[command(flatten)]
    any: AnyGameArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl Show {
    pub(super) fn run(mut self) -> anyhow::Result<()> {
        // The states follow a table as they follow a game.
        if self.words.len() > 1 && state_of(&self.words[0]).is_none() && is_table(&self.words[0]) {
            self.solved.set_table(self.words.remove(0).path().to_owned());
        }
        if let Some((game, states)) =
            self.words.split_first().filter(|(word, _)| is_other_game(word))
        {
            return self.show_other(game, states);
        }
        refuse_options("Tennis", &any_game::OWN_OPTIONS);
        self.refine.check_tennis();
        let states = self.states()?;
        let mut points = None;
        if self.solved.table().is_none() {
            let rules = self.solved.game.rules.get()?;
            for &state in &states {
                rules.check(state)?;
            }
            points = Some(covering(&states));
        }
        // The bounds of a short decimal such as -0.2 agree only if the value is known exactly.
        let usual_exact =
            self.digits.filter(|_| self.solved.table().is_none()).map(|_| Solver::EXACT_BITS);
        let solution = self.solved.open(points, self.exact.exact.or(usual_exact))?.stored()?;
        let reports = states
            .iter()
            .map(|&state| self.report(&solution, state))
            .collect::<Result<Vec<_>, _>>()?;
        // A list from standard input stays a list, however many states it has.
        let asked = if self.words[0].is(STANDARD_INPUT) { 0 } else { self.words.len() };
        let shown = reports.iter().map(|report| {
            let shown = object! { #[serde(flatten)] report: report, bids: &report.bids };
            Document::new(solution.rules(), [report.state.a, report.state.b], shown)
        });
        let documents: Vec<_> = shown.collect();
        let text = |out: &mut Screen| self.print(out, &solution, &reports);
        self.format.print(&OneOrMany::new(&documents, asked), &[], text)
    }

    fn show_other(&self, game: &Word, states: &[Word]) -> anyhow::Result<()> {
        if is_matrix(game.path()) {
            wrong_usage(format!(
                "one matrix game has no states; `pencil-tennis solve {}` solves it",
                quoted(game)
            ));
        }
        let states: Vec<String> = states.iter().map(name_of_state).collect();
        let task = GameTask {
            options: &["exact", "digits", "refine", "table"],
            refine: self.refine.refine,
            exact: self.exact.exact,
            digits: self.digits,
            from: self.solved.table(),
            format: self.format,
            ..GameTask::new(game, Wanted::States(&states), &self.any, self.solved.game.work())
        };
        task.run()
    }

    fn states(&self) -> anyhow::Result<Vec<State>> {
        let mut states = Vec::new();
        for word in &self.words {
            if word.is(STANDARD_INPUT) {
                let list = io::read_to_string(io::stdin().take(LONGEST_LIST))
                    .context("cannot read standard input")?;
                for word in list.split([' ', ',', '\t', '\r', '\n']).filter(|word| !word.is_empty())
                {
                    states.push(word.parse::<State>()?);
                }
                continue;
            }
            match word.to_string().parse() {
                Ok(state) => states.push(state),
                Err(error) => {
                    wrong_usage(format!("invalid value '{word}' for '<STATE | GAME>...': {error}"))
                }
            }
        }
        if states.is_empty() {
            bail!("there is no state on standard input; expected states such as 4:3@-2");
        }
        Ok(states)
    }

    fn report(&self, solution: &Solution, state: State) -> anyhow::Result<StateAnalysis> {
        let mut report = self.refine.report(solution, state)?;
        if let Some(digits) = self.digits {
            let digits =
                interrupt::with_progress("proving", |watch| solution.digits(state, digits, watch))?;
            // Decimals are proved whatever a table says.
            if digits.contradicts(&report.bounds) {
                let (table, bounds) = (
                    self.solved.table().unwrap_or(Path::new("")),
                    bounded(&report.bounds, "value"),
                );
                let reason = format!(
                    "at {state} the bounds {bounds} contradict the proved decimals {}",
                    digits.lower
                );
                return Err(Error::TableFile { path: table.to_owned(), reason }.into());
            }
            report.digits = Some(digits);
        }
        Ok(report)
    }

    fn print(
        &self,
        out: &mut Screen,
        solution: &Solution,
        reports: &[StateAnalysis],
    ) -> io::Result<()> {
        for (index, report) in reports.iter().enumerate() {
            let state = report.state;
            if index > 0 {
                writeln!(out, "\n{}\n", "─".repeat(WIDTH))?;
            }
            if let Some(outcome) = solution.rules().outcome(state) {
                writeln!(out, "{state}: the game is over, {outcome}; A wins {}", report.value)?;
                continue;
            }
            let rules = solution.rules();
            write_court(out, rules, state.ball.position(), &accounts(state), WIDTH)?;
            writeln!(out)?;
            write_text(out, solution.rules(), report)?;
            if let Some(table) = self.solved.table().filter(|_| !solution.is_proved()) {
                writeln!(out)?;
                write_trust(out, table, solution)?;
            }
            if let (Some(bits), None) = (self.exact.exact, &report.exact) {
                writeln!(out)?;
                if report.irrational {
                    writeln!(
                        out,
                        "There is no fraction: a repeated state counts, and the value is the irrational"
                    )?;
                    writeln!(
                        out,
                        "root of a quadratic equation (--digits N proves N decimals of it)"
                    )?;
                } else if solution.rules().min_bid() == 0 {
                    writeln!(
                        out,
                        "No exact value is known: one that it depends on is no fraction or not known,"
                    )?;
                    writeln!(
                        out,
                        "or a denominator has more than {bits} bits (--digits N proves N decimals of it)"
                    )?;
                } else {
                    writeln!(
                        out,
                        "No exact value: its denominator, or one it depends on, has more than {bits} bits"
                    )?;
                    writeln!(
                        out,
                        "(two points more make denominators ten times as long; --exact=BITS allows more)"
                    )?;
                }
            }
        }
        Ok(())
    }
}

/// The word for states from standard input.
const STANDARD_INPUT: &str = "-";

/// Whether the first word names a game of other rules rather than a state.
fn is_other_game(word: &Word) -> bool {
    state_of(word).is_none() && (names_game(word) || !word.is(STANDARD_INPUT) && is_game_file(word))
}

/// The state of Tennis that a word is.
fn state_of(word: &Word) -> Option<State> {
    word.text()?.parse().ok()
}

/// The name of a state or information set of another game, which is text.
fn name_of_state(word: &Word) -> String {
    let Some(name) = word.text() else {
        wrong_usage(format!("`{word}` is no text in UTF-8, and names no state"));
    };
    name.to_owned()
}

const LONGEST_LIST: u64 = 1 << 24;

const MOST_BIDS: usize = 60;

fn write_bid_payoffs(out: &mut impl Write, payoffs: &ByPlayer<Vec<BidPayoff>>) -> io::Result<()> {
    let lines = payoffs.a.len().max(payoffs.b.len());
    if lines > MOST_BIDS {
        return writeln!(out, "--format json lists what each of the {lines} bids is worth");
    }
    writeln!(
        out,
        "What A wins by each bid against the other's optimal strategy, and what the\nbidder loses by it"
    )?;
    writeln!(
        out,
        "{:>6}{:>14}{:>12}{:>20}{:>12}",
        "bid", "A bids it", "A loses", "B bids it", "B loses"
    )?;
    let bids: BTreeSet<u32> = payoffs.iter().flatten().map(|bid| bid.bid).collect();
    for bid in bids {
        write!(out, "{bid:>6}")?;
        for (bids, width) in [(&payoffs.a, 14), (&payoffs.b, 20)] {
            match bids.iter().find(|payoff| payoff.bid == bid) {
                Some(BidPayoff { value, loss, .. }) => {
                    write!(out, "{:>width$}{:>12}", short(*value, 5e-6), cost(*loss))?;
                }
                None => write!(out, "{:>width$}{:>12}", "", "")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_text(out: &mut impl Write, rules: &Rules, report: &StateAnalysis) -> io::Result<()> {
    writeln!(out, "{} is worth {} to A", report.state, report.bounds.decimal())?;
    writeln!(out, "  {}: {}", evidence(report.proved), bounded(&report.bounds, "value"))?;
    if let Some(digits) = &report.digits {
        if let Some(value) = &digits.value {
            writeln!(out, "  to nearest  {value}")?;
        }
        writeln!(out, "  lower bound {}\n  upper bound {}", digits.lower, digits.upper)?;
    }
    if let Some(exact) = &report.exact {
        let why = if rules.is_even(report.state) {
            ", by symmetry: both players are in the same position"
        } else {
            ""
        };
        writeln!(out, "  exactly {exact}{why}")?;
    }
    if report.deterministic {
        writeln!(out, "  decided by pure play: from here on neither player has to randomise")?;
    }
    writeln!(out)?;
    write_bids(out, &report.strategies.a, &report.strategies.b)?;
    let [a, b] = [report.unique.a, report.unique.b].map(|unique| match unique {
        Some(true) => "is the only optimal one",
        Some(false) => "is one of several optimal ones",
        None => "may be one of several optimal ones",
    });
    write_of_both(out, a, b)?;
    write_refinement(out, report)?;
    writeln!(out)?;
    write_bid_payoffs(out, &report.bids)?;
    writeln!(out)?;
    write_matrix(out, rules, report)
}

fn write_trust(out: &mut impl Write, table: &Path, solution: &Solution) -> io::Result<()> {
    writeln!(
        out,
        "All this rests on what {} says of later states{}",
        table.display(),
        if solution.keeps_strategies() { "," } else { "." }
    )?;
    if solution.keeps_strategies() {
        writeln!(out, "over which these strategies secure these bounds.")?;
    }
    writeln!(out, "To prove the whole table: verify {}", quoted(table))
}

fn write_matrix(out: &mut impl Write, rules: &Rules, report: &StateAnalysis) -> io::Result<()> {
    let (rows, columns) = (report.matrix.len(), report.matrix.first().map_or(0, Vec::len));
    if rows.max(columns) > MATRIX_SIDE {
        return writeln!(
            out,
            "The stage matrix has {rows} rows and {columns} columns; --format json has it in full"
        );
    }
    writeln!(out, "What A wins, by A's bid (rows) and B's bid (columns)")?;
    let cell =
        |entry: &f64| format!("{entry:.5}").trim_end_matches('0').trim_end_matches('.').to_owned();
    let rows =
        rules.legal_bids(report.state.a).zip(report.matrix.iter().map(|row| row.iter().map(cell)));
    write_folded(out, Widths { names: 6, cell: 9 }, rules.legal_bids(report.state.b), rows)
}
