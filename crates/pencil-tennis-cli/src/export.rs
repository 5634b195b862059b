//! The command `export`: tables of any game.

use std::io::{self, Write};
use std::ops::RangeInclusive;

use clap::{Args, ValueEnum};
use pencil_tennis::report::{PolicyFormat, RowFilter, Table, write_values_npz};
use pencil_tennis::{
    ByPlayer, GameError, Player, Policy, Refined, Solution, State, StateEquilibrium, unwatched,
};

use super::any_game::{self, AnyGameArgs, GameTask};
use super::game_args::{ExactArgs, RefineArgs, SolvedArgs, SolvedGame, covering};
use super::matrix::is_matrix;
use super::output::{FileFormat, Output, settle};
use super::points::PointsArgs;
use super::screen::{is_watched, note};
use super::usage::{refuse_options, wrong_usage};
use super::wanted::Wanted;
use super::word::{Word, quoted};
use super::{interrupt, numbers};

/// Export a table of all states, or of some
#[derive(Debug, Args)]
#[command(after_help = "\
values      a,b,ball,value,lower,upper        every state
strategies  a,b,ball,player,bid,probability   the bids an optimal player makes
policy      a,b,ball,player,bid,probability   every legal bid
weights     a row for every state, a column for every bid from 0: one matrix
            for both players

Of a game of other rules, a file or @NAME: `values` has state,value,lower,upper
and `strategies` state,player,action,probability, or with hidden information
player,set,action,probability, as csv.

Arrays for numpy (--format npz): of `values` value, lower and upper with the
axes A's points, B's points, field + ball; of `strategies` and `policy`
policy_a and policy_b with one axis more, the bid; of `weights` the array
`weights`, whose rows come by the own points, the opponent's, the ball.

With --exact a column `exact` follows: a fraction where the number is known
exactly, else empty.

With --refine dresher the table has the optimal strategies that gain most from
the opponent's errors. Where none is proved to secure as much as the usual one,
the usual one is kept, and a line on standard error counts such cases.

Examples:
  pencil-tennis export values 50 -o values.csv
  pencil-tennis export strategies 20 -o strategies.json
  pencil-tennis export strategies 50 --refine dresher -o refined.csv
  pencil-tennis export policy 50 -o policy.npz
  pencil-tennis export values 50 --ball -1 --a 40..50 -o part.csv
  pencil-tennis export strategies --states 4:3@-2,5:5@2
  pencil-tennis export strategies @kuhn -o how.csv && pencil-tennis exploit how.csv @kuhn")]
pub(super) struct Export {
    /// The table to write
    #[arg(value_enum, value_name = "TABLE")]
    which: Which,
    #[command(flatten)]
    points: PointsArgs,
    #[command(flatten)]
    solved: SolvedArgs,
    #[command(flatten)]
    exact: ExactArgs,
    #[command(flatten)]
    refine: RefineArgs,
    #[command(flatten)]
    any: AnyGameArgs,
    /// Only states with the ball on this position
    #[arg(long, value_name = "X", help_heading = "Part of a table of Tennis")]
    ball: Option<i32>,
    /// Only this player's bids
    #[arg(long, value_parser = numbers::roles(), ignore_case = true, value_name = "PLAYER", help_heading = "Part of a table of Tennis")]
    player: Option<Player>,
    /// Only states in which A has this many points: N or FROM..TO
    #[arg(long, value_name = "RANGE", value_parser = range, help_heading = "Part of a table of Tennis")]
    a: Option<RangeInclusive<u32>>,
    /// Only states in which B has this many points: N or FROM..TO
    #[arg(long, value_name = "RANGE", value_parser = range, help_heading = "Part of a table of Tennis")]
    b: Option<RangeInclusive<u32>>,
    /// Only these states, such as 4:3@-2,5:5@2
    #[arg(
        long,
        value_name = "STATES",
        value_delimiter = ',',
        help_heading = "Part of a table of Tennis"
    )]
    states: Option<Vec<State>>,
    /// Format of the table [default: as the file's name ends, else csv]
    #[arg(long, value_enum)]
    format: Option<FileFormat>,
    /// The file to write; `-` is standard output, which is the default
    #[arg(short, long, value_name = "FILE")]
    output: Option<Output>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    Values,
    Strategies,
    Policy,
    Weights,
}

/// Reads `20` or `10..20`, both ends included.
fn range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| {
        numbers::whole(text.trim_start_matches('=')).and_then(|number| u32::try_from(number).ok())
    };
    match (number(from), number(to)) {
        (Some(from), Some(to)) if from <= to => Ok(from..=to),
        _ => Err(
            "expected a number of points such as 20, or two, the smaller one first, such as 10..20"
                .to_owned(),
        ),
    }
}

impl Export {
    pub(super) fn run(mut self) -> anyhow::Result<()> {
        self.solved.take_table(&mut self.points);
        let output = self.output.clone().unwrap_or(Output::Stdout);
        if let Some(game) = self.points.other() {
            return self.export_other(game, &output);
        }
        refuse_options("Tennis", &any_game::OWN_OPTIONS);
        self.refine.check_tennis();
        output.check(self.solved.table().as_slice())?;
        let format = self.format();
        let (a, b, states) = (self.a.clone(), self.b.clone(), self.states.clone());
        let filter =
            RowFilter { ball: self.ball, player: self.player, points: ByPlayer { a, b }, states };
        self.check(format, &filter);
        // Single states need no larger game than the smallest that contains them.
        let covered = self
            .states
            .as_deref()
            .filter(|states| !states.is_empty() && self.solved.table().is_none())
            .map(covering);
        let game = self.solved.open(self.points.asked().or(covered), self.exact.exact)?;
        let [a, b] = game.points;
        for &state in filter.states.iter().flatten() {
            game.rules.check(state)?;
            if state.a > a || state.b > b {
                anyhow::bail!("{state} is not part of the game with {a}:{b} points");
            }
        }
        self.check_game(&game, &filter);
        let solution = game.solution()?;
        let refine =
            |_| interrupt::with_progress("refining", |watch| solution.refined_equilibria(watch));
        let refined = self.refine.refine.map(refine).transpose()?;
        note_kept(refined.as_deref().unwrap_or_default());
        let refined = refined.as_deref();
        let as_rows = format.of_table();
        let rows = |table: Table, out: &mut dyn Write| {
            table.write_filtered(&solution, refined, &filter, as_rows, out)
        };
        let bids = |format: PolicyFormat, out: &mut dyn Write| {
            format.write(&policy(&solution, refined, &filter)?, out)
        };
        output.write(|out| match (self.which, format) {
            (Which::Values, FileFormat::Npz) => write_values_npz(&solution, out),
            (Which::Values, _) => rows(Table::Values, out),
            (Which::Weights, FileFormat::Npz) => bids(PolicyFormat::WeightsNpz, out),
            (Which::Weights, _) => bids(PolicyFormat::WeightsCsv, out),
            (_, FileFormat::Npz) => bids(PolicyFormat::Npz, out),
            (Which::Strategies, _) => rows(Table::Strategies, out),
            (Which::Policy, _) => rows(Table::Policy, out),
        })
    }

    fn export_other(&self, game: &Word, output: &Output) -> anyhow::Result<()> {
        if is_matrix(game.path()) {
            wrong_usage(format!(
                "one matrix game has no table; `pencil-tennis solve {}` prints all",
                quoted(game)
            ));
        }
        settle(self.output.as_ref(), self.format, Some(FileFormat::Csv), &[FileFormat::Csv]);
        let wanted = match self.which {
            Which::Values => Wanted::Values(output),
            Which::Strategies => Wanted::Strategies(output),
            Which::Policy | Which::Weights => wrong_usage(
                "`policy` and `weights` are tables of Tennis; other games have `values` and `strategies`",
            ),
        };
        let task = GameTask {
            options: &["refine", "table", "output", "format"],
            refine: self.refine.refine,
            from: self.solved.table(),
            ..GameTask::new(game, wanted, &self.any, self.solved.game.work())
        };
        task.run()
    }

    fn format(&self) -> FileFormat {
        let allowed: &[FileFormat] = match self.which {
            Which::Values | Which::Strategies | Which::Policy => {
                &[FileFormat::Csv, FileFormat::Json, FileFormat::Npz]
            }
            Which::Weights => &[FileFormat::Csv, FileFormat::Npz],
        };
        settle(self.output.as_ref(), self.format, Some(FileFormat::Csv), allowed)
    }

    fn check(&self, format: FileFormat, filter: &RowFilter) {
        let (is_values, is_weights) = (self.which == Which::Values, self.which == Which::Weights);
        let (is_npz, has_player) = (format == FileFormat::Npz, filter.player.is_some());
        let is_arrays = is_npz || is_weights;
        let has_part =
            !RowFilter { player: None, ..filter.clone() }.is_whole() || is_weights && has_player;
        let faults = [
            (
                is_arrays && self.exact.exact.is_some(),
                "--exact has no place in arrays and matrices",
            ),
            (
                is_values && self.refine.refine.is_some(),
                "values are the same for all optimal strategies; --refine has no effect",
            ),
            (is_values && has_player, "values are those of both players; --player has no effect"),
            (
                is_arrays && has_part,
                "arrays and matrices have all states; expected csv or json for a part of them",
            ),
            (
                is_npz && self.output.is_none() && is_watched(),
                "a terminal cannot show an npz archive; expected -o FILE",
            ),
        ];
        if let Some((_, fault)) = faults.into_iter().find(|&(is_there, _)| is_there) {
            wrong_usage(fault);
        }
    }

    fn check_game(&self, game: &SolvedGame<'_>, filter: &RowFilter) {
        let [a, b] = game.points;
        if self.which == Which::Weights && a != b {
            wrong_usage(format!(
                "one matrix of weights serves both players; expected the same points for both, not {a}:{b}, or `export policy`"
            ));
        }
        let field = game.rules.field();
        if let Some(ball) = filter.ball.filter(|ball| ball.abs() > field) {
            wrong_usage(GameError::BallOutside { ball, field }.to_string());
        }
        for (flag, range, most) in [("--a", &filter.points.a, a), ("--b", &filter.points.b, b)] {
            if let Some(range) = range.as_ref().filter(|range| *range.start() > most) {
                wrong_usage(format!(
                    "{flag} {}: the game has {most} points at most there",
                    range.start()
                ));
            }
        }
        if filter
            .states
            .as_ref()
            .is_some_and(|states| !states.iter().any(|&state| filter.has_state(state)))
        {
            wrong_usage("none of the --states agrees with --ball, --a and --b; expected others");
        }
    }
}

fn policy(
    solution: &Solution,
    refined: Option<&[StateEquilibrium]>,
    filter: &RowFilter,
) -> io::Result<Policy> {
    let policy = match refined {
        None => Policy::optimal(solution, &mut unwatched).map_err(io::Error::other)?,
        Some(refined) => Policy::refined(solution, refined).map_err(io::Error::other)?,
    };
    match filter.player {
        None => Ok(policy),
        Some(player) => policy.only(player).map_err(io::Error::other),
    }
}

fn note_kept(refined: &[StateEquilibrium]) {
    let kept = refined
        .iter()
        .flat_map(|equilibrium| equilibrium.refined.into_array())
        .filter(|&refined| refined == Refined::Kept)
        .count();
    if kept > 0 {
        note(&format!(
            "note: {kept} of {} strategies could not be refined; they are the usual ones",
            2 * refined.len()
        ));
    }
}
