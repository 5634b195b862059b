//! The options that choose a game of Tennis and the way to solve it.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, ValueEnum};
use pencil_tennis::analysis::{ForcedPlay, StateAnalysis};
use pencil_tennis::blind::BlindSolver;
use pencil_tennis::{
    Error, GameError, Method, Motion, Rules, Scoring, Solution, Solver, State, TableFile,
};

use super::checkpoints::{self, Keeper};
use super::interrupt;
use super::numbers::{between, named};
use super::points::{self, PointsArgs};
use super::screen::note;
use super::usage::wrong_usage;
use super::word::quoted;

#[derive(Debug, Args)]
pub(super) struct GameArgs {
    #[command(flatten)]
    pub(super) rules: RulesArgs,
    /// Method that solves stage games [default: simplex]
    #[arg(long, value_name = "METHOD", value_parser = named::<Method>(["simplex", "tableau", "lp"]), help_heading = "Solving")]
    method: Option<Method>,
    #[command(flatten)]
    work: WorkArgs,
}

/// Limits on threads and memory.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct WorkArgs {
    /// Threads [default: all there are]
    #[arg(long, value_name = "N", value_parser = between::<usize>("a number of threads", 1, Solver::MOST_THREADS as u64))]
    #[arg(help_heading = "Solving")]
    pub(super) threads: Option<usize>,
    /// Memory limit in GiB, or with a unit, such as 512MiB [default: 8]
    #[arg(long, value_name = "SIZE", value_parser = bytes, help_heading = "Solving")]
    memory: Option<u64>,
}

/// Reads a number of GiB, or an amount with a unit.
fn bytes(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u32); 4] = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40)];
    let unit = UNITS.into_iter().find_map(|(name, bits)| Some((text.strip_suffix(name)?, bits)));
    let (number, bits) = unit.unwrap_or((text, 30));
    let number = between::<u64>("a number", 0, u64::MAX >> bits)(number.trim_end());
    number
        .map(|number| number << bits)
        .map_err(|_| "expected an amount of memory, such as 8 (GiB) or 512MiB".to_owned())
}

impl WorkArgs {
    pub(super) fn memory(self) -> u64 {
        self.memory.unwrap_or(Solver::MEMORY_LIMIT)
    }
}

/// The rules of a game.
#[derive(Debug, Args)]
pub(super) struct RulesArgs {
    /// Positions on either side of the net [default: 2]
    #[arg(long, value_name = "K", value_parser = between::<i32>("a number of positions", 1, Rules::LARGEST_FIELD as u64))]
    #[arg(help_heading = "Rules")]
    field: Option<i32>,
    /// Motion of the ball: over the net, or one field [default: net]
    #[arg(long, value_name = "MOTION", value_parser = named::<Motion>(["net", "step"]), help_heading = "Rules")]
    motion: Option<Motion>,
    /// Payoffs to A at each end: two-one, win-loss or five numbers
    /// `OUT_A,STAY_A,DRAW,STAY_B,OUT_B` (integers, decimals, fractions) [default: two-one]
    #[arg(long, value_name = "SCORING", allow_hyphen_values = true, help_heading = "Rules")]
    scoring: Option<Scoring>,
    /// Smallest bid of players who have points left: 0 or 1 [default: 1]
    #[arg(long, value_name = "N", value_parser = between::<u32>("a smallest bid", 0, 1), help_heading = "Rules")]
    min_bid: Option<u32>,
}

impl RulesArgs {
    pub(super) fn get(&self) -> Result<Rules, GameError> {
        self.over(&Rules::tennis())
    }

    /// Other rules, changed as asked for.
    fn over(&self, rules: &Rules) -> Result<Rules, GameError> {
        let (field, motion) =
            (self.field.unwrap_or(rules.field()), self.motion.unwrap_or(rules.motion()));
        Rules::new(field, motion, self.scoring.unwrap_or(*rules.scoring()))?
            .with_min_bid(self.min_bid.unwrap_or(rules.min_bid()))
    }

    fn agree_with(&self, rules: &Rules) -> bool {
        self.over(rules).as_ref() == Ok(rules)
    }

    pub(super) const fn are_usual(&self) -> bool {
        self.field.is_none()
            && self.motion.is_none()
            && self.scoring.is_none()
            && self.min_bid.is_none()
    }
}

impl GameArgs {
    pub(super) fn work(&self) -> WorkArgs {
        self.work
    }

    pub(super) fn force(&self, rules: Rules, points: [u32; 2]) -> Result<ForcedPlay, Error> {
        ForcedPlay::within(&rules, points, self.work.memory())
    }

    /// Applies the settings to a solver; with `exact_bits`, it also finds exact values up to that
    /// size.
    pub(super) fn set(
        &self,
        solver: Solver<'static>,
        exact_bits: Option<usize>,
    ) -> Solver<'static> {
        let mut solver =
            solver.method(self.method.unwrap_or_default()).memory_limit(self.work.memory());
        if let Some(threads) = self.work.threads {
            solver = solver.threads(threads);
        }
        match exact_bits {
            Some(bits) => solver.exact(bits),
            None => solver,
        }
    }

    /// Checks that a table file holds the requested game, as far as one was requested.
    pub(super) fn check_agrees(
        &self,
        points: Option<[u32; 2]>,
        file: &TableFile,
    ) -> anyhow::Result<()> {
        let [a, b] = file.points();
        if !self.rules.agree_with(file.rules()) || points.is_some_and(|points| points != [a, b]) {
            bail!(
                "the table file is of another game than asked for: {a}:{b} points, {}",
                describe(file.rules())
            );
        }
        Ok(())
    }
}

/// A game that is solved now or read from a table file.
#[derive(Debug, Args)]
pub(super) struct SolvedArgs {
    /// Read the solution from a table file, which `solve --save` wrote, instead of solving
    #[arg(long, value_name = "FILE", help_heading = "Solving")]
    table: Option<PathBuf>,
    #[command(flatten)]
    pub(super) game: GameArgs,
}

impl SolvedArgs {
    /// Opens the requested game: that of the table file, if there is one.
    pub(super) fn open(
        &self,
        points: Option<[u32; 2]>,
        exact_bits: Option<usize>,
    ) -> anyhow::Result<SolvedGame<'_>> {
        self.open_played(None, points, exact_bits)
    }

    /// As [`open`](Self::open); a game was played by these rules, if they are known.
    pub(super) fn open_played(
        &self,
        played: Option<Rules>,
        points: Option<[u32; 2]>,
        exact_bits: Option<usize>,
    ) -> anyhow::Result<SolvedGame<'_>> {
        if let Some(rules) = played.filter(|rules| !self.game.rules.agree_with(rules)) {
            bail!("the game was played by other rules than asked for: {}", describe(&rules));
        }
        let Some(path) = &self.table else {
            let rules = played.map_or_else(|| self.game.rules.get(), Ok)?;
            return Ok(SolvedGame {
                args: self,
                rules,
                points: points.unwrap_or(points::USUAL),
                exact_bits,
                file: None,
            });
        };
        let given = [
            ("--method", self.game.method.is_some()),
            ("--memory", self.game.work.memory.is_some()),
        ];
        refuse_without_effect(given, "a solution that --table reads");
        if exact_bits.is_some() {
            wrong_usage("a table holds no exact values; expected either --table or --exact");
        }
        let file = TableFile::open(path)?;
        self.game.check_agrees(points, &file)?;
        if let Some(rules) = played.filter(|rules| rules != file.rules()) {
            bail!(
                "the game was played by other rules than those of the table file: {}",
                describe(&rules)
            );
        }
        Ok(SolvedGame {
            args: self,
            rules: *file.rules(),
            points: file.points(),
            exact_bits,
            file: Some(file),
        })
    }

    pub(super) fn blind_solver(&self, rules: &Rules) -> BlindSolver<'static> {
        let given = [("--method", self.game.method.is_some()), ("--table", self.table.is_some())];
        refuse_without_effect(given, "blind Tennis");
        let solver = BlindSolver::new(rules).memory_limit(self.game.work.memory());
        match self.game.work.threads {
            Some(threads) => solver.threads(threads),
            None => solver,
        }
    }

    /// Reads the table that was named in the place of points, if one was.
    pub(super) fn take_table(&mut self, points: &mut PointsArgs) {
        if let Some(named) = points.take_table() {
            self.set_table(named);
        }
    }

    /// Reads this table, which was named in the place of a game.
    pub(super) fn set_table(&mut self, named: PathBuf) {
        if self.table.is_some() {
            wrong_usage("two tables are given; expected one, either as the game or with --table");
        }
        self.table = Some(named);
    }

    pub(super) fn table(&self) -> Option<&Path> {
        self.table.as_deref()
    }
}

fn refuse_without_effect(options: [(&str, bool); 2], on: &str) {
    if let Some((name, _)) = options.into_iter().find(|&(_, given)| given) {
        wrong_usage(format!("{name} has no effect on {on}"));
    }
}

pub(super) struct SolvedGame<'a> {
    args: &'a SolvedArgs,
    pub(super) rules: Rules,
    pub(super) points: [u32; 2],
    exact_bits: Option<usize>,
    file: Option<TableFile>,
}

impl SolvedGame<'_> {
    /// Solves or reads the game. Proves a table that has strategies; otherwise notes that its
    /// bounds are unproved.
    pub(super) fn solution(self) -> anyhow::Result<Solution> {
        let table = self.args.table();
        let mut solution = self.stored()?;
        let Some(path) = table else { return Ok(solution) };
        if solution.keeps_strategies() {
            interrupt::with_progress("proving", |watch| solution.prove(watch))?;
        } else {
            note_stored(path);
        }
        Ok(solution)
    }

    /// As [`Self::solution`], with exact values of up to this many bits, also of a table's game:
    /// everything in it is solved for.
    pub(super) fn exact_solution(mut self, bits: usize) -> anyhow::Result<Solution> {
        let Some(file) = self.file.take() else {
            self.exact_bits = Some(bits);
            return self.solution();
        };
        let solver = self.args.game.set(Solver::new(&self.rules).resume(file), Some(bits));
        let solution = checkpoints::solve(solver, &Keeper::default())?;
        if let Some(path) = self.args.table().filter(|_| !solution.is_proved()) {
            note_stored(path);
        }
        Ok(solution)
    }

    /// Solves or reads the game without proving a table, for callers that mark unproved answers
    /// themselves.
    pub(super) fn stored(self) -> anyhow::Result<Solution> {
        let game = &self.args.game;
        let Some(file) = self.file else {
            let solver = game.set(Solver::new(&self.rules).points(self.points), self.exact_bits);
            return checkpoints::solve(solver, &Keeper::default());
        };
        let mut solution = file.into_solution()?;
        if let Some(threads) = game.work.threads {
            solution.set_threads(threads)?;
        }
        Ok(solution)
    }
}

fn note_stored(table: &Path) {
    let path = quoted(table);
    note(&format!(
        "note: {path} has no strategies: its bounds are stored, not proved; to prove them: verify {path}"
    ));
}

pub(super) const fn evidence(proved: bool) -> &'static str {
    if proved { "proved" } else { "stored, not proved" }
}

#[derive(Clone, Copy, Debug, Args)]
pub(super) struct ExactArgs {
    /// Also find exact fractions, with denominators of up to BITS bits [default: 4096]
    #[arg(long, value_name = "BITS", num_args = 0..=1, require_equals = true, default_missing_value = "4096")]
    #[arg(value_parser = between::<usize>("a number of bits", 1, u32::MAX as u64 - 1), help_heading = "Solving")]
    pub(super) exact: Option<usize>,
}

#[derive(Clone, Copy, Debug, Args)]
pub(super) struct RefineArgs {
    /// Of several optimal strategies, select one that gains more from the opponent's errors, by
    /// this rule
    #[arg(long, value_enum, value_name = "RULE", help_heading = "Solving")]
    pub(super) refine: Option<Refine>,
}

impl RefineArgs {
    /// Rejects the refinement that Tennis does not have.
    pub(super) fn check_tennis(self) {
        if matches!(self.refine, Some(Refine::QuasiPerfect)) {
            wrong_usage(
                "--refine quasi-perfect is for games with hidden information; Tennis has --refine dresher",
            );
        }
    }

    pub(super) fn report(self, solution: &Solution, state: State) -> Result<StateAnalysis, Error> {
        if self.refine.is_some() {
            StateAnalysis::refined(solution, state)
        } else {
            StateAnalysis::new(solution, state)
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Refine {
    /// Tennis: maximise the smallest gain from any error, then the next (Dresher 1961)
    Dresher,
    /// Hidden information: best replies at every information set to an opponent who makes every
    /// mistake with a very small probability (van Damme 1984)
    QuasiPerfect,
}

pub(super) fn describe(rules: &Rules) -> String {
    let motion = match rules.motion() {
        Motion::Net => "over the net",
        Motion::Step => "one step at a time",
    };
    let bids = match (rules.min_bid(), rules.favoured()) {
        (0, _) => ", smallest bid 0".to_owned(),
        (_, None) => String::new(),
        (_, Some(player)) => format!(", {player} may bid 0 and hits on ties"),
    };
    format!("field {}, {motion}, scoring {}{bids}", rules.field(), rules.scoring())
}

/// A command to continue with, in the same game: its rules as flags, or its table file.
pub(super) fn hint(command: &str, rules: &Rules, table: Option<&Path>) -> String {
    if let Some(table) = table {
        return format!("{command} --table {}", quoted(table));
    }
    let flags = [
        (rules.field() != 2).then(|| format!(" --field {}", rules.field())),
        (rules.motion() != Motion::Net).then(|| format!(" --motion {}", rules.motion())),
        (*rules.scoring() != Scoring::two_one()).then(|| format!(" --scoring {}", rules.scoring())),
        (rules.min_bid() != 1).then(|| format!(" --min-bid {}", rules.min_bid())),
    ];
    command.to_owned() + &flags.into_iter().flatten().collect::<String>()
}

pub(super) fn covering(states: &[State]) -> [u32; 2] {
    let most = |points: fn(&State) -> u32| states.iter().map(points).max().unwrap_or(0).max(1);
    [most(|state| state.a), most(|state| state.b)]
}
