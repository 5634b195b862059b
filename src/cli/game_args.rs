//! The flags that say which game is solved, and how.

use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use pencil_tennis::{
    Error, ForcedPlay, Method, Motion, Player, RefinedEquilibrium, Rules, Score, Scoring, Series, SeriesSolver, Solution, Solver,
    State, TableFile,
};

use super::interrupt;

/// The points both players start with: `50`, or `50:40` for A and B.
#[derive(Clone, Copy, Debug)]
pub(super) struct Points {
    pub(super) a: u32,
    pub(super) b: u32,
}

impl FromStr for Points {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (a, b) = text.split_once(':').unwrap_or((text, text));
        let points =
            |text: &str| text.parse().map_err(|_| "expected a number of points such as 50, or A:B such as 50:40".to_owned());
        let points = Self { a: points(a)?, b: points(b)? };
        for (player, own) in [(Player::A, points.a), (Player::B, points.b)] {
            if own == 0 {
                return Err(Error::NoPoints { player }.to_string());
            }
        }
        Ok(points)
    }
}

/// Rules and way of solving.
#[derive(Debug, Args)]
pub(super) struct GameArgs {
    /// Positions on either side of the net
    #[arg(long, value_name = "K", default_value_t = 2, help_heading = "Rules")]
    field: u32,
    /// Whether a hit goes over the net or one field: net, step
    #[arg(long, value_name = "MOTION", default_value_t = Motion::Net, help_heading = "Rules")]
    motion: Motion,
    /// What A wins at each end: two-one, win-loss or five numbers `OUT_A,STAY_A,DRAW,STAY_B,OUT_B` (integers, decimals, fractions)
    #[arg(long, value_name = "SCORING", default_value_t = Scoring::two_one(), allow_hyphen_values = true, help_heading = "Rules")]
    scoring: Scoring,
    /// How stage games are solved: simplex, tableau, lp
    #[arg(long, value_name = "METHOD", default_value_t = Method::default(), help_heading = "Solving")]
    method: Method,
    /// Threads [default: all there are]
    #[arg(long, value_name = "N", value_parser = threads, help_heading = "Solving")]
    threads: Option<usize>,
    /// Memory that solving may take, in GiB
    #[arg(long, value_name = "GIB", default_value_t = Solver::MEMORY_LIMIT >> 30, help_heading = "Solving")]
    memory: u64,
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if threads == 0 || threads > Solver::MOST_THREADS => {
            Err(Error::ThreadCount { threads, most: Solver::MOST_THREADS }.to_string())
        }
        Ok(threads) => Ok(threads),
        Err(_) => Err("expected a number of threads".to_owned()),
    }
}

impl GameArgs {
    /// The rules asked for.
    pub(super) fn rules(&self) -> Result<Rules, Error> {
        Rules::new(self.field, self.motion, self.scoring)
    }

    /// What pure play can force up to these points.
    pub(super) fn force(&self, points: Points) -> anyhow::Result<ForcedPlay> {
        Ok(ForcedPlay::within(self.memory.saturating_mul(1 << 30), self.rules()?, points.a, points.b)?)
    }

    /// A solver for the game up to these points. With `exact_bits`, exact values up to that size are found, too.
    pub(super) fn solver(&self, points: Points, exact_bits: Option<usize>) -> anyhow::Result<Solver<'static>> {
        let mut solver = Solver::new(self.rules()?)
            .points(points.a, points.b)
            .method(self.method)
            .memory_limit(self.memory.saturating_mul(1 << 30));
        if let Some(threads) = self.threads {
            solver = solver.threads(threads);
        }
        if let Some(bits) = exact_bits {
            solver = solver.exact(bits);
        }
        Ok(solver)
    }

    /// Solves the game; shows how far it is where a person watches, and stops on Ctrl-C.
    pub(super) fn solve(&self, points: Points, exact_bits: Option<usize>) -> anyhow::Result<Solution> {
        interrupt::solve(self.solver(points, exact_bits)?, None)
    }

    /// The optimal strategies of all states that gain most when the opponent errs.
    pub(super) fn refine(&self, solution: &Solution) -> Result<Vec<RefinedEquilibrium>, Error> {
        solution.refined_equilibria(self.threads)
    }

    /// Checks that a table file is of the game that was asked for, so far as one was: flags that were left alone agree with every file.
    pub(super) fn check_agrees(&self, points: Option<Points>, file: &TableFile) -> anyhow::Result<()> {
        let (asked, usual, has) = (self.rules()?, Rules::tennis(), file.rules());
        let differs = asked != usual && asked != *has;
        let [a, b] = file.points();
        if differs || points.is_some_and(|points| [points.a, points.b] != [a, b]) {
            bail!("the table file is of another game than asked for: {a}:{b} points, {}", describe(has));
        }
        Ok(())
    }

    /// Solves a match to so many winning points; refuses a score that is not part of it before anything is solved.
    pub(super) fn solve_series(&self, points: Points, to: u32, score: Option<Score>) -> anyhow::Result<Series> {
        if let Some(score) = score.filter(|score| score.a >= to || score.b >= to) {
            return Err(Error::OutsideSeries { score, to }.into());
        }
        let mut solver = SeriesSolver::new(self.rules()?, to)
            .points(points.a, points.b)
            .method(self.method)
            .memory_limit(self.memory.saturating_mul(1 << 30));
        if let Some(threads) = self.threads {
            solver = solver.threads(threads);
        }
        interrupt::solve_series(solver)
    }

    /// Solves as much of the game as a state depends on.
    pub(super) fn solve_state(&self, state: State, exact_bits: Option<usize>) -> anyhow::Result<Solution> {
        self.rules()?.check(state)?;
        self.solve(Points { a: state.a.max(1), b: state.b.max(1) }, exact_bits)
    }
}

/// Exact values, and how large they may get.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct ExactArgs {
    /// Also find exact fractions, with denominators of up to BITS bits (4096)
    #[arg(long, value_name = "BITS", num_args = 0..=1, require_equals = true, default_missing_value = "4096", help_heading = "Solving")]
    pub(super) exact: Option<usize>,
}

/// Which of several optimal strategies is given.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct RefineArgs {
    /// Where a player has several optimal strategies, give the one that gains most when the opponent errs, by this rule
    #[arg(long, value_enum, value_name = "RULE", help_heading = "Solving")]
    pub(super) refine: Option<Refine>,
}

/// A rule that selects among optimal strategies.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Refine {
    /// The smallest gain from any error is raised first, then the next (Dresher 1961)
    Dresher,
}

/// Opens a table file; an error says which.
pub(super) fn open_table(path: &Path) -> anyhow::Result<TableFile> {
    TableFile::open(path).with_context(|| path.display().to_string())
}

/// An error; one about a table file that was opened says which.
pub(super) fn name_table(error: anyhow::Error, path: Option<&Path>) -> anyhow::Error {
    match path {
        Some(path) if matches!(error.downcast_ref(), Some(Error::TableFile { .. })) => error.context(path.display().to_string()),
        _ => error,
    }
}

/// The rules in a line for people.
pub(super) fn describe(rules: &Rules) -> String {
    let motion = match rules.motion() {
        Motion::Net => "over the net",
        Motion::Step => "one step at a time",
    };
    format!("field {}, {motion}, scoring {}", rules.field(), rules.scoring())
}
