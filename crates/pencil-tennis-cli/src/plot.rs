//! The command `plot`.

use std::path::Path;

use clap::{Args, Subcommand};
use pencil_tennis::analysis::PolicyEvaluation;
use pencil_tennis::figures::{
    FigureError, StateLine, forced_figure, game_regret_figure, game_strategy_figure,
    game_value_figure, hidden_strategy_figure, limit_density_figure, limit_figure, opening_figure,
    outcome_figure, regret_figure, strategy_figure, support_figure, value_figure,
};
use pencil_tennis::stochastic_game::StochasticSolution;
use pencil_tennis::{Ball, Player, Solution, Solver};

use super::agent::{file_of, read_attended};
use super::checkpoints::{self, Keeper};
use super::curves::Curves;
use super::game_args::{GameArgs, SolvedArgs};
use super::game_source::{read_hidden_game, read_player, solve_game, solve_hidden_game, state_of};
use super::numbers::roles;
use super::output::FigureFile;
use super::points::PointsArgs;
use super::usage::wrong_usage;
use super::word::Word;
use super::{interrupt, solve};

/// Draw figures: values, strategies, the opening, supports, outcomes, the endgame, the limit,
/// regrets, learning curves
#[derive(Debug, Args)]
#[command(after_help = "\
The ending of the file decides the format: .svg, or .png where the program was
built with the feature `png`. Of a game of other rules, as `solve` reads it,
`values`, `strategies` (with --state) and `regret` (with --player) are drawn.

Examples:
  pencil-tennis plot values 50 -o values.svg
  pencil-tennis plot opening 100 -o opening.svg
  pencil-tennis plot strategies 50 --ball -1 -o strategies.svg
  pencil-tennis plot strategies 50 --ball 2 --against 40 -o waiting.svg
  pencil-tennis plot regret uniform -o regret.svg
  pencil-tennis plot values @inspections -o values.svg     # of another game
  pencil-tennis plot strategies @soccer --state 'b2 d3 A' -o how.svg
  pencil-tennis plot regret uniform my.jsonl -o regret.svg")]
pub(super) struct Plot {
    #[command(subcommand)]
    figure: Figure,
}

#[derive(Debug, Subcommand)]
enum Figure {
    /// The value of every state, a map for every ball position
    Values(WholeGame),
    /// Strategies of a player along a line of states
    Strategies(Strategies),
    /// The opening bid, by the points of each player
    Opening(WholeGame),
    /// Number of bids that A mixes, by the points of each player
    Supports(WholeGame),
    /// Outcomes and lengths of optimal play
    Outcomes(WholeGame),
    /// Points with which A forces the best end by pure play
    Forced(Forced),
    /// Regrets of a policy, a map for every ball position
    Regret(Regret),
    /// Bounds of the value at all multiples of n points, and the value, by n
    Limit(LimitFigure),
    /// Learning curves that `train --curve` wrote
    Curves(Curves),
}

#[derive(Debug, Args)]
struct WholeGame {
    #[command(flatten)]
    points: PointsArgs,
    #[command(flatten)]
    solved: SolvedArgs,
    #[command(flatten)]
    file: FigureFile,
}

#[derive(Debug, Args)]
struct Strategies {
    #[command(flatten)]
    whole: WholeGame,
    /// Position of the ball
    #[arg(long, value_name = "BALL", default_value_t = 0)]
    ball: i32,
    /// Player whose bids are drawn; in a game of other rules both players' actions are
    #[arg(long, value_name = "PLAYER", value_parser = roles(), ignore_case = true, default_value = "A")]
    player: Player,
    /// The state, in a game of other rules [default: its start], or the information set [default:
    /// the first ones]
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    state: Option<String>,
    /// The opponent's points, the same in all states [default: as many as the player has]
    #[arg(long, value_name = "POINTS")]
    against: Option<u32>,
}

#[derive(Debug, Args)]
struct Forced {
    #[command(flatten)]
    points: PointsArgs,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    file: FigureFile,
}

#[derive(Debug, Args)]
struct LimitFigure {
    #[command(flatten)]
    points: PointsArgs,
    #[command(flatten)]
    game: GameArgs,
    /// Draw how A bids with large accounts instead, as a density over shares of the account
    #[arg(long)]
    density: bool,
    #[command(flatten)]
    file: FigureFile,
}

#[derive(Debug, Args)]
struct Regret {
    /// `uniform`, `optimal`, `lookahead:DEPTH:LEAVES`, or a file
    #[arg(value_name = "POLICY")]
    policy: Word,
    #[command(flatten)]
    points: PointsArgs,
    /// Player whose bids are drawn
    #[arg(long, value_name = "PLAYER", value_parser = roles(), ignore_case = true, default_value = "A")]
    player: Player,
    #[command(flatten)]
    solved: SolvedArgs,
    #[command(flatten)]
    file: FigureFile,
}

impl Plot {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.figure {
            Figure::Values(whole) => match whole.points.game(&["output"]) {
                Some(game) => {
                    whole.file.draw_game(game, &[], |solution| Ok(game_value_figure(solution)?))
                }
                None => whole.draw(value_figure),
            },
            Figure::Opening(solved) => solved.draw(opening_figure),
            Figure::Supports(solved) => solved.draw(support_figure),
            Figure::Outcomes(solved) => solved.draw(outcome_figure),
            Figure::Strategies(Strategies { whole, state, ball, player, against }) => {
                if let Some(game) = whole.points.game(&["output", "state"]) {
                    if let Some(source) = read_hidden_game(game.path(), None)? {
                        whole.file.check(&[])?;
                        return whole.file.write(&hidden_strategy_figure(
                            &solve_hidden_game(source.tree)?,
                            state.as_deref(),
                        )?);
                    }
                    return whole.file.draw_game(game, &[], |solution| {
                        let state = state_of(solution.game(), state.as_deref())?;
                        let view = solution.game().state(state)?;
                        anyhow::ensure!(
                            view.actions().is_some(),
                            "play is over at `{}`: there is nothing to choose",
                            view.name()
                        );
                        Ok(game_strategy_figure(solution, state)?)
                    });
                }
                if state.is_some() {
                    wrong_usage(
                        "--state is about a game of other rules; Tennis has --ball and --against",
                    );
                }
                let ball = Ball::new(ball)?;
                let line = against.map_or(StateLine::Equal, StateLine::Against);
                whole.draw(|solution| strategy_figure(solution, player, ball, line))
            }
            Figure::Forced(Forced { points, game, file }) => {
                file.check(&[])?;
                let forced = game.force(game.rules.get()?, points.get())?;
                file.write(&forced_figure(&forced)?)
            }
            Figure::Limit(LimitFigure { points, game, density, file }) => {
                file.check(&[])?;
                let points = points.get();
                let limit = game.limit(points, solve::Strategies::Again)?;
                if density {
                    return file.write(&limit_density_figure(&limit)?);
                }
                let solver = game
                    .set(Solver::new(limit.rules()).points(points), None)
                    .keep_strategies(false);
                file.write(&limit_figure(&limit, &checkpoints::solve(solver, &Keeper::default())?)?)
            }
            Figure::Regret(regret) => regret.run(),
            Figure::Curves(curves) => curves.run(),
        }
    }
}

impl FigureFile {
    /// Solves a game of other rules, and draws it.
    fn draw_game(
        &self,
        game: &Word,
        read: &[&Path],
        figure: impl FnOnce(&StochasticSolution) -> anyhow::Result<String>,
    ) -> anyhow::Result<()> {
        self.check(read)?;
        self.write(&figure(&solve_game(game.path())?)?)
    }
}

impl WholeGame {
    fn draw(
        mut self,
        figure: impl FnOnce(&Solution) -> Result<String, FigureError>,
    ) -> anyhow::Result<()> {
        self.solved.take_table(&mut self.points);
        self.file.check(&self.solved.table().into_iter().collect::<Vec<_>>())?;
        let solution = self.solved.open(self.points.asked(), None)?.solution()?;
        self.file.write(&figure(&solution)?)
    }
}

impl Regret {
    fn run(mut self) -> anyhow::Result<()> {
        self.solved.take_table(&mut self.points);
        if let Some(game) = self.points.game(&["output", "player"]) {
            return self.file.draw_game(game, &[self.policy.as_ref(), game.as_ref()], |solution| {
                let policy = read_player(solution, &self.policy, self.player)?;
                let judgement =
                    interrupt::with_progress("judging", |watch| solution.judge(&policy, watch))?;
                Ok(game_regret_figure(solution, &judgement, &self.policy.to_string())?)
            });
        }
        let policy_file = file_of(&self.policy);
        self.file.check(
            &[policy_file.as_deref(), self.solved.table()]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>(),
        )?;
        let game = self.solved.open(self.points.asked(), None)?;
        let agent = read_attended(&self.policy, &game.rules, game.points, None)?;
        let solution = game.solution()?;
        let policy = agent.policy(Some(&solution))?;
        let evaluation = interrupt::with_progress("judging", |watch| {
            PolicyEvaluation::new(&solution, &policy, watch)
        })?;
        self.file.write(&regret_figure(
            &solution,
            &evaluation,
            self.player,
            &self.policy.to_string(),
        )?)
    }
}
