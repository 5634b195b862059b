//! `play`: a person against a player, on a screen or in plain lines.
//!
//! [`table`] runs the game, [`judge`] evaluates bids, and [`lines`] and `screen` are two user
//! interfaces.

mod any_game;
mod hidden;
mod judge;
mod lines;
mod rules;
#[cfg(feature = "tui")]
mod screen;
mod table;

use std::io::{self, IsTerminal, Write};
use std::process::Stdio;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use pencil_tennis::blind::{BlindBestResponse, BlindPolicy, BlindSolver};
use pencil_tennis::{Ball, GameRecord, Player, Rules, State};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

use self::judge::Judge;
use self::lines::Lines;
use self::table::Table;
use super::agent::{AGENTS, check_playouts, file_of, read_attended};
use super::blind::{self, read_policy};
use super::bot::{BOTS, Bidder, BotArgs, command_of};
use super::checkpoints::{self, Keeper, Reached};
use super::game_args::SolvedArgs;
use super::game_source::{HiddenSource, read_hidden_game};
use super::interrupt;
use super::numbers::{between, roles};
use super::output::Output;
use super::points::PointsArgs;
use super::screen::{Screen, can_be_redrawn};
use super::usage::wrong_usage;
use crate::word::Word;

/// Play against the optimum, or another player
#[derive(Debug, Args)]
#[command(after_help = format!("\
How to play:
{}

Type a bid, `?` for a hint, `?rules` for the rules, `q` to end the game; so does
the end of the input.
The other's bid of every turn is drawn before yours is read: the same seed and
bids give the same game, and your bid never changes the bid that it meets. A
match of --to N ends when a player has N winning points; every game of it is bid
for its own sake, and uneven accounts are exchanged after every game.

With --min-bid 0, `w` waits: it bids 0 until the other bids more. Where the other
never does, and after 1,000 turns without a bid, the game ends where the ball
lies.

With --blind only the ball is announced, as in the game that `tennis blind`
solves: the other's bids are revealed after the game. The other then is `optimal`,
`uniform`, or a FILE that `tennis blind -o` wrote.

{AGENTS}

{BOTS}

In a game of other rules, as `solve` reads it, the other is `optimal`, `uniform`,
`quantal:PRECISION`, a csv of strategies, or `person`: two people, one keyboard.
With hidden information you see what your player knows; the other is `optimal`,
`uniform`, or a csv of strategies.

Examples:
  pencil-tennis play
  pencil-tennis play --against cmd:./my-bot
  pencil-tennis play 20 --as B --against uniform
  pencil-tennis play 9:8 --blind
  pencil-tennis play --to 5 --record match.txt
  pencil-tennis play @soccer        # another game: of the gallery, or my.jsonl
  pencil-tennis play @kuhn          # hidden information: poker
  pencil-tennis replay match.txt    # the games, judged bid by bid
  printf '2\\n1\\n' | pencil-tennis play 3 --seed 1",
rules::in_words(&Rules::tennis(), [50; 2]).iter().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")))]
pub(super) struct Play {
    #[command(flatten)]
    points: PointsArgs,
    /// Opponent
    #[arg(long, value_name = "PLAYER", default_value = "optimal")]
    against: Word,
    /// Role to play: A, who hits to the right, or B
    #[arg(long = "as", value_name = "PLAYER", default_value = "A", value_parser = roles(), ignore_case = true)]
    player: Player,
    /// Seed of the other's bids [default: from the clock]
    #[arg(long, value_name = "S", value_parser = between::<u64>("a seed", 0, u64::MAX))]
    seed: Option<u64>,
    /// The state at which play begins, in a game of other rules [default: its first start]
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    state: Option<String>,
    /// Play games until somebody has N winning points
    #[arg(long, value_name = "N", value_parser = between::<u32>("a number of winning points", 1, 1_000_000))]
    to: Option<u32>,
    /// Announce the ball alone, not the other's bids or account [default: 8 points]
    #[arg(long)]
    blind: bool,
    /// Plain lines, also where a screen could be drawn
    #[arg(long)]
    plain: bool,
    /// Write the games to a file, which `replay` reads; it is whole after every turn
    #[arg(long, value_name = "FILE")]
    record: Option<Output>,
    /// Sampled games for every leaf of a lookahead [default: the exact expectation]
    #[arg(long, value_name = "N", value_parser = between::<u32>("a number of games", 1, u32::MAX as u64))]
    playouts: Option<u32>,
    #[command(flatten)]
    bots: BotArgs,
    #[command(flatten)]
    solved: SolvedArgs,
}

impl Play {
    pub(super) fn run(mut self) -> anyhow::Result<()> {
        self.solved.take_table(&mut self.points);
        if let Some(game) =
            self.points.game(&["against", "player", "seed", "plain", "record", "state"])
        {
            return match read_hidden_game(game.path(), None)? {
                Some(HiddenSource { tree, .. }) => self.play_hidden(game, tree),
                None => self.play_any(game),
            };
        }
        if self.state.is_some() {
            wrong_usage("--state is about a game of other rules; Tennis begins with POINTS | A:B");
        }
        self.bots.check(std::iter::once(&self.against));
        check_playouts(self.playouts, std::slice::from_ref(&self.against));
        if let Some(record) = &self.record {
            let policy = file_of(&self.against);
            record.check(
                &policy.as_deref().into_iter().chain(self.solved.table()).collect::<Vec<_>>(),
            )?;
        }
        if self.blind { self.play_blind() } else { self.play_open() }
    }

    fn play_open(&self) -> anyhow::Result<()> {
        let asked = self.points.asked();
        // A match exchanges uneven accounts, so that both orders are solved.
        let both = |[a, b]: [u32; 2]| if self.to.is_some() { [a.max(b); 2] } else { [a, b] };
        let game = self.solved.open(asked.map(both), None)?;
        let (rules, points) = (game.rules, game.points);
        self.check_match(&rules);
        let start = asked.unwrap_or(game.points);
        let other = self.player.opponent();
        let (solution, policy);
        let opponent = if let Some(command) = command_of(&self.against) {
            // A drawn screen must not be disturbed.
            let errors = if self.is_drawn() { Stdio::null() } else { Stdio::inherit() };
            let bot = self.bots.start(&command, other, &rules, points, errors)?;
            solution = game.solution()?;
            Bidder::Bot(bot)
        } else {
            let agent = read_attended(&self.against, &rules, points, self.playouts)?;
            solution = game.solution()?;
            policy = agent.policy(Some(&solution))?;
            Bidder::Policy(&policy, other)
        };
        self.play(rules, start, Judge::Open(&solution), opponent)
    }

    fn check_match(&self, rules: &Rules) {
        if self.to.is_some() && rules.scoring().payoffs().iter().all(|payoff| *payoff.numer() == 0)
        {
            wrong_usage(format!(
                "with scoring {} nobody wins a point, and a match never ends",
                rules.scoring()
            ));
        }
    }

    fn play_blind(&self) -> anyhow::Result<()> {
        let [a, b] = self.points.asked().unwrap_or(blind::USUAL);
        if self.to.is_some() && a != b {
            wrong_usage(
                "a blind match needs the same points for both; expected no --to, or such points",
            );
        }
        let rules = self.solved.game.rules.get()?;
        self.check_match(&rules);
        let start = State::new(a, b, Ball::NET);
        let solver = self.solved.blind_solver(&rules).start(start);
        let read = match self.against.text() {
            Some("optimal") => None,
            Some("uniform") => Some(BlindPolicy::uniform(&rules, start)?),
            _ if self.against.path().exists() => {
                Some(read_policy(self.against.path(), &rules, start)?)
            }
            _ => {
                anyhow::bail!(
                    "`{}` cannot play blind: expected optimal, uniform, or a policy file that `tennis blind -o` wrote",
                    self.against
                )
            }
        };
        let Reached { solution, is_interrupted } =
            checkpoints::solve_blind(solver, BlindSolver::GAP, &Keeper::default())?;
        if is_interrupted {
            return Err(interrupt::Interrupted(interrupt::remains()).into());
        }
        let optimal = solution.policy();
        let policy = read.as_ref().unwrap_or(&optimal);
        let response =
            interrupt::with_spinner("judging", || BlindBestResponse::new(policy, self.player));
        let judge = Judge::Blind { optimal: &optimal, response: &response };
        self.play(rules, [a, b], judge, Bidder::Blind(policy, self.player.opponent()))
    }

    fn play(
        &self,
        rules: Rules,
        points: [u32; 2],
        judge: Judge<'_>,
        opponent: Bidder<'_>,
    ) -> anyhow::Result<()> {
        let (seed, start) = (self.seed(), State::new(points[0], points[1], Ball::NET));
        let table = Table {
            args: self,
            start,
            seed,
            judge,
            opponent,
            generator: Pcg64::seed_from_u64(seed),
            game: GameRecord::new(&rules, start)?,
            earlier: String::new(),
            score: [0.0; 2],
        };
        #[cfg(feature = "tui")]
        if self.is_drawn() {
            return screen::play(table);
        }
        let mut out = Screen::new();
        writeln!(out, "{}", table.heading().join("\n  "))?;
        table.play(&mut Lines { out })
    }

    fn seed(&self) -> u64 {
        // The low bits of the nanoseconds differ between runs.
        let clock = || {
            SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(1, |since| u64::from(since.subsec_nanos()))
        };
        self.seed.unwrap_or_else(clock)
    }

    fn is_drawn(&self) -> bool {
        cfg!(feature = "tui")
            && !self.plain
            && io::stdin().is_terminal()
            && can_be_redrawn(&io::stdout())
    }
}
