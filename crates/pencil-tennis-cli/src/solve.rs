//! The command `solve`: any game; of Tennis all states.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pencil_tennis::analysis::{Matchup, UniqueCount};
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::report::{Document, SolveReport};
use pencil_tennis::{Outcome, Player, Policy, Rules, Solution, Solver, TableFile, unwatched};

use super::any_game::{self, AnyGameArgs, GameTask};
use super::checkpoints::{self, CheckpointArgs, KeptFiles};
use super::fold::columns;
use super::game_args::{ExactArgs, GameArgs, RefineArgs, describe, hint};
use super::interrupt;
use super::matrix::{self, MatrixArgs, is_matrix};
use super::numbers::grouped;
use super::output::{Output, check_distinct};
use super::points::PointsArgs;
use super::ranks::{self, Rank};
use super::report::FormatArgs;
use super::screen::counted;
use super::strategies::{write_bids, write_refinement};
use super::usage::{check_options, refuse_options, wrong_usage};
use super::wanted::Wanted;
use super::word::Word;

/// Solve a game: Tennis, a game file, hidden information, a matrix, a model
#[derive(Debug, Args)]
#[command(after_help = "\
GAME is
  50 or 50:40        points in Tennis, with the options under Rules
  @soccer            a game of the gallery: an unknown name lists all
  my.jsonl           a game with states (docs/game-format.md)
  tree.efg           an extensive form of Gambit, with hidden information or not
  my.csv             one matrix: csv, tabs or spaces, with names of actions or
                     without; .nfg of Gambit, .npy, JSON rows, lrsnash's input
  60.table           a table or checkpoint of Tennis that `solve` wrote
  my.prism, my.tra   a model of PRISM or PRISM-games, with --property
  -                  standard input: a game with states, or a matrix
The content of a file says which of these it is. Every printed bound is proved. States of which nothing is proved are named and left out, with those
from which play can reach them; the exit status is 1 then. Entries of a matrix
are the row player's payoffs, read exactly: -2, 0.25, 1e-3 or 7/8.

A checkpoint holds the states solved so far. It replaces no file but the one of
--resume. When the solve is finished, --save writes the table and removes the
checkpoint; without --save the checkpoint becomes the table. `show`, `export`,
`prove` and `exploit` read it with --table.

Examples:
  pencil-tennis solve                   # 50 points each, two-one scoring
  pencil-tennis solve 50:40             # A starts with 50 points, B with 40
  pencil-tennis solve 50 --motion step --scoring 1,0,0,0,-1    # Footsteps
  pencil-tennis solve 50 --field 3 --motion step --scoring win-loss    # Oshi-Zumo
  pencil-tennis solve 100 --format json
  pencil-tennis solve --outcomes        # how optimal play ends
  pencil-tennis solve 60 --save 60.table && pencil-tennis show 55:50@-1 --table 60.table
  pencil-tennis solve 1000 --strategies again --checkpoint 1000.part
  pencil-tennis solve --resume 1000.part --checkpoint 1000.part   # after a crash
  mpirun -n 4 pencil-tennis solve 1000 --mpi --threads 1 --save 1000.table
  pencil-tennis solve @snowball
  pencil-tennis solve my.jsonl --exact  # fractions, where play cannot return
  pencil-tennis solve @leduc            # hidden information: poker
  pencil-tennis solve model.tra --property '<<1>>Pmax=? [ F s1=3 ]'
  pencil-tennis solve pennies.csv --row 1/3,2/3 --column 1,0   # what they pay
  echo '[[3,-1],[-2,1]]' | pencil-tennis solve - --all
  pencil-tennis solve game.nfg --payoffs nearest   # 0.30000000000000004 is 3/10")]
pub(super) struct Solve {
    #[command(flatten)]
    points: PointsArgs,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    exact: ExactArgs,
    #[command(flatten)]
    refine: RefineArgs,
    /// Write the solution to a table file; `-` is standard output
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    save: Option<Output>,
    #[command(flatten)]
    checkpoints: CheckpointArgs,
    /// Resume from a checkpoint; one of Tennis determines the game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["exact", "strategies", "method"], help_heading = "Files")]
    resume: Option<PathBuf>,
    /// Keep strategies, or recompute them on demand, which takes less memory
    #[arg(long, value_enum, default_value_t, help_heading = "Solving")]
    strategies: Strategies,
    /// Solve together with the other ranks of an MPI job; needs a build with the feature mpi
    #[arg(long, conflicts_with = "exact", help_heading = "Solving")]
    mpi: bool,
    /// Write the times of every layer, as csv
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    trace_layers: Option<PathBuf>,
    /// Write the time of every state, as csv
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    trace_states: Option<PathBuf>,
    /// Also count the states that have only one optimal strategy; --exact decides more of them
    #[arg(long)]
    unique: bool,
    /// Also report the outcomes, lengths and remaining points of optimal play; takes about three
    /// times as long
    #[arg(long, conflicts_with = "resume")]
    outcomes: bool,
    #[command(flatten)]
    any: AnyGameArgs,
    #[command(flatten)]
    matrix: MatrixArgs,
    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Strategies {
    #[default]
    Keep,
    Again,
}

impl Solve {
    pub(super) fn run(mut self) -> anyhow::Result<()> {
        if let Some(table) = self.points.take_table() {
            if self.resume.is_some() {
                wrong_usage(
                    "two tables are given; expected one, either as the game or with --resume",
                );
            }
            refuse_options(
                "a table, which determines the game",
                &["exact", "strategies", "method"],
            );
            self.resume = Some(table);
        }
        if let Some(game) = self.points.other() {
            return self.solve_other(game);
        }
        refuse_options("Tennis", &[&any_game::OWN_OPTIONS[..], &matrix::OWN_OPTIONS].concat());
        if self.save.is_some() && self.refine.refine.is_some() {
            wrong_usage("a table has the usual strategies; expected either --save or --refine");
        }
        self.refine.check_tennis();
        if self.outcomes && self.strategies == Strategies::Again {
            wrong_usage(
                "--outcomes needs strategies that are kept; expected no --strategies again",
            );
        }
        for (flag, given) in
            [("--trace-layers", &self.trace_layers), ("--trace-states", &self.trace_states)]
        {
            if given.is_some() && !self.mpi {
                wrong_usage(format!(
                    "{flag} describes an MPI job; expected --mpi, and a build with the feature mpi"
                ));
            }
        }
        let checkpoint = self.checkpoints.output();
        check_distinct(&[self.save.as_ref(), checkpoint.as_ref()]);
        for output in [&self.save, &checkpoint].into_iter().flatten() {
            self.format.check_room(output);
        }
        // A signal that comes when everything is solved does not prevent the writing.
        let Some((solution, became)) = interrupt::interruptible(|| self.solve_and_keep())? else {
            return Ok(());
        };
        interrupt::check()?;
        self.report(&solution, became)
    }

    /// Solves a game of other rules: a matrix, or one with states or a tree.
    fn solve_other(&self, game: &Word) -> anyhow::Result<()> {
        let file = game.path();
        if is_matrix(file) {
            check_options("one matrix game", &[&matrix::OWN_OPTIONS[..], &["FormatArgs"]].concat());
            return self.matrix.run(file, &game.to_string(), self.format);
        }
        let task = GameTask {
            options: &["exact", "refine", "save", "CheckpointArgs", "resume"],
            refine: self.refine.refine,
            exact: self.exact.exact,
            from: self.resume.as_deref(),
            kept: self.kept(),
            format: self.format,
            ..GameTask::new(game, Wanted::Start, &self.any, self.game.work())
        };
        task.run()
    }

    fn kept(&self) -> KeptFiles<'_> {
        KeptFiles { checkpoints: Some(&self.checkpoints), save: self.save.as_ref() }
    }

    /// Solves and writes the table; returns a sentence about the checkpoint, too. Of several ranks
    /// only the first has a solution.
    fn solve_and_keep(&self) -> anyhow::Result<Option<(Solution, Option<String>)>> {
        let solution = if self.mpi {
            let traces = [self.trace_layers.as_deref(), self.trace_states.as_deref()];
            ranks::solve(|rank| self.solver(rank), || self.checkpoints.keeper(), traces)?
        } else {
            ranks::check_alone();
            let (solver, keeper) = (self.solver(Rank::Root)?, self.checkpoints.keeper());
            Some(checkpoints::solve(solver, &keeper)?)
        };
        let Some(solution) = solution else { return Ok(None) };
        let became = self.kept().write(|out| solution.write_table(out))?;
        Ok(Some((solution, became)))
    }

    /// The solver, which resumes the checkpoint, if there is one; first checks that files can be
    /// written. Ranks but the root need no files.
    fn solver(&self, rank: Rank) -> anyhow::Result<Solver<'static>> {
        if rank == Rank::Root {
            let checkpoint = self.checkpoints.output();
            for output in [&self.save, &checkpoint].into_iter().flatten() {
                output.check(&[])?;
            }
            self.checkpoints.check_new(self.resume.as_deref())?;
        }
        let Some(path) = self.resume.as_ref().filter(|_| rank == Rank::Root) else {
            let solver = Solver::new(&self.game.rules.get()?).points(self.points.get());
            return Ok(self
                .game
                .set(solver, self.exact.exact)
                .keep_strategies(self.strategies == Strategies::Keep));
        };
        let file = TableFile::open(path)?;
        self.game.check_agrees(self.points.asked(), &file)?;
        Ok(self.game.set(Solver::new(&Rules::tennis()).resume(file), self.exact.exact))
    }

    fn report(&self, solution: &Solution, became: Option<String>) -> anyhow::Result<()> {
        let mut report = SolveReport::new(solution)?;
        if self.unique {
            report.unique_states = Some(interrupt::with_progress("comparing", |watch| {
                UniqueCount::of_all(solution, watch)
            })?);
        }
        if self.outcomes {
            let optimal = Policy::optimal(solution, &mut unwatched)?;
            report.outcomes = Some(interrupt::with_progress("playing", |watch| {
                Matchup::new(solution.rules(), solution.start(), &optimal, &optimal, watch)
            })?);
        }
        if self.refine.refine.is_some() {
            report.start = self.refine.report(solution, solution.start())?;
        }
        self.format.print(
            &Document::new(solution.rules(), solution.points(), &report),
            &[self.save.as_ref()],
            |out| {
                write_text(out, &report)?;
                if let Some(became) = became {
                    writeln!(out, "{became}")?;
                }
                let [a, b] = solution.points();
                let saved = self.save.as_ref().map_or(self.checkpoints.path(), Output::path);
                let example = hint(&format!("show {a}:{b}@-1"), solution.rules(), saved);
                writeln!(out, "Look at any state with `show`, for example: {example}")
            },
        )
    }
}

fn write_text(out: &mut impl Write, report: &SolveReport<'_>) -> io::Result<()> {
    let solution = report.solution;
    let ([a, b], seconds) = (solution.points(), solution.seconds());
    let (states, randomised) = (solution.states().len(), solution.randomised_states());
    writeln!(out, "{a}:{b} points, {}", describe(solution.rules()))?;
    writeln!(out, "\n  {} solved in {:.3} s", counted(states, "state"), seconds.total)?;
    let (method, solve, certify) = (solution.method(), seconds.solve, seconds.certify);
    writeln!(
        out,
        "    strategies {solve:.3} s (method {method}), proof of the bounds {certify:.3} s"
    )?;
    let widest = rounded_up(solution.widest_enclosure());
    if solution.is_proved() {
        writeln!(out, "    widest guaranteed interval of any value: {widest}")?;
    } else {
        writeln!(
            out,
            "    widest interval of any value: {widest}; the checkpoint it goes on from"
        )?;
        writeln!(out, "    has no strategies, so that its bounds are stored, not proved")?;
    }
    if solution.is_exact_asked() {
        writeln!(out, "  exact values within the limit: {}", grouped(solution.exact_states()))?;
        if solution.rules().min_bid() == 0 {
            writeln!(
                out,
                "  values that are proved to be no fractions: {}",
                grouped(solution.irrational_states())
            )?;
        }
    }
    writeln!(
        out,
        "  {} in which an optimal player has to randomise",
        counted(randomised, "state")
    )?;
    writeln!(
        out,
        "  {} in which one bid is best, even if it is announced",
        counted(states - randomised, "state")
    )?;
    if let Some(counts) = report.unique_states {
        let line = columns(" ", [32, 12, 12, 12]);
        writeln!(
            out,
            "  {}",
            line([
                &"a player's optimal strategy is  ",
                &"the only one",
                &"one of some",
                &"undecided"
            ])
        )?;
        for (player, count) in [("A", counts.a), ("B", counts.b)] {
            let [unique, several, unknown] =
                [count.unique, count.several, count.unknown].map(grouped);
            writeln!(out, "  {}", line([&player, &unique, &several, &unknown]))?;
        }
    }
    writeln!(
        out,
        "\nThe start, {}, is worth {} to A\n",
        report.start.state,
        report.start.bounds.decimal()
    )?;
    write_bids(out, &report.start.strategies.a, &report.start.strategies.b)?;
    write_refinement(out, &report.start)?;
    writeln!(out)?;
    if let Some(outcomes) = &report.outcomes {
        write_outcomes(out, solution.rules(), outcomes)?;
    }
    Ok(())
}

fn write_outcomes(out: &mut impl Write, rules: &Rules, matchup: &Matchup) -> io::Result<()> {
    writeln!(out, "If both players bid optimally")?;
    for &outcome in Outcome::ALL {
        writeln!(out, "  {outcome:<26} {:>9.4} %", 100.0 * matchup.probability(outcome))?;
    }
    writeln!(out)?;
    let left = |player| (matchup.mean_points_left(player), matchup.points_left(player));
    let rows = [
        ("turns", (matchup.mean_turns(), matchup.turns())),
        ("points A has left", left(Player::A)),
        ("points B has left", left(Player::B)),
    ];
    let line = columns(" ", [-18, 7, 7, 7, 7]);
    writeln!(out, "  {}", line([&"", &"mean", &"5 %", &"median", &"95 %"]))?;
    for (what, (mean, probabilities)) in rows {
        let [low, middle, high] =
            [0.05, 0.5, 0.95].map(|share| Matchup::quantile(probabilities, share));
        writeln!(out, "  {}", line([&what, &format!("{mean:.2}"), &low, &middle, &high]))?;
    }
    if rules.min_bid() == 0 {
        let (endless, standstills) = (100.0 * matchup.endless(), matchup.mean_standstills());
        writeln!(
            out,
            "  {endless:.4} % of the games stand still for ever, decided where the ball lies"
        )?;
        writeln!(
            out,
            "  {standstills:.2} turns a game change nothing before it goes on, and are not counted"
        )?;
    }
    writeln!(out)
}
