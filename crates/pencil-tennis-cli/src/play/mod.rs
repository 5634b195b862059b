//! `play`: a person against a player, on a screen or in plain lines.
//!
//! [`table`] runs the game, [`judge`] evaluates bids, and [`lines`] and `screen` are two user
//! interfaces.

mod any_game;
mod args;
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

use pencil_tennis::blind::{BlindBestResponse, BlindPolicy, BlindSolver};
use pencil_tennis::{Ball, GameRecord, Rules, State};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

pub(super) use self::args::Play;
use self::judge::Judge;
use self::lines::Lines;
use self::table::Table;
use super::agent::{check_playouts, file_of, read_attended};
use super::blind::{self, read_policy};
use super::bot::{Bidder, command_of};
use super::checkpoints::{self, Keeper, Reached};
use super::game_source::{HiddenSource, read_hidden_game};
use super::interrupt;
use super::screen::{Screen, can_be_redrawn};
use super::usage::wrong_usage;

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
