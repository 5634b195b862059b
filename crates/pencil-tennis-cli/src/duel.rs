//! The command `duel`.

use std::io::{self, Write};
use std::process::Stdio;

use anyhow::Context;
use clap::Args;
use pencil_tennis::agents::{Duel as Games, GameDuel, HiddenDuel, SampledPlays, Tally};
use pencil_tennis::analysis::Matchup;
use pencil_tennis::hidden::{HiddenSolution, Judgement};
use pencil_tennis::report::{Document, DuelReport};
use pencil_tennis::{Ball, ByPlayer, GameRecord, Outcome, Player, Policy, Rules, State, unwatched};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};
use serde::Serialize;

use super::agent::{AGENTS, Agent, check_playouts, read_attended};
use super::bot::{BOTS, Bidder, BotArgs, STANDSTILL, command_of};
use super::content::names_game;
use super::fold::{Widths, columns, write_folded};
use super::game_args::{SolvedArgs, describe};
use super::game_source::{
    read_hidden_game, read_hidden_player, read_player, solve_game, solve_hidden_game, state_of,
};
use super::interrupt;
use super::interrupt::Interrupted;
use super::numbers::{between, grouped};
use super::points::{PointsOption, read_points};
use super::progress::Bar;
use super::report::FormatArgs;
use super::screen::counted;
use super::train::games;
use super::usage::{check_options, wrong_usage};
use super::word::{Word, quoted};

const PIECE: u64 = 10_000;

/// Fewer, since a play of another game may last for [`GameDuel::MOST_TURNS`].
const GAME_PIECE: u64 = 100;

/// Let players play many games, and compare the results with exact expectations
#[derive(Debug, Args)]
#[command(after_help = format!("\
Of two players the first plays A. More than two meet in a round robin: everybody
plays A against everybody else.

{AGENTS}

{BOTS}
A bot's policy is unknown, so that its games are sampled without an exact
expectation. With --min-bid 0 its games are decided where the ball lies after
1000 turns without a bid.

Examples:
  pencil-tennis duel optimal uniform
  pencil-tennis duel lookahead:2:nothing uniform 20
  pencil-tennis duel optimal uniform lookahead:1:uniform 10 --games 1e4
  pencil-tennis train simple --games 5e5 -o simple.npz
  pencil-tennis duel simple.npz optimal --games 1e6
  pencil-tennis duel cmd:./my-bot optimal 20 --games 1000
  pencil-tennis duel uniform optimal @soccer      # of another game; also csv files
  pencil-tennis duel uniform optimal @kuhn        # with hidden information"))]
pub(super) struct Duel {
    /// Two players or more; the points may follow: `50`, or `50:40` for A and B
    #[arg(value_name = "PLAYER", num_args = 2.., required = true)]
    players: Vec<Word>,
    /// Games to play, for each two players
    #[arg(long, value_name = "N", default_value = "100000", value_parser = games)]
    games: u64,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value = "1", value_parser = between::<u64>("a seed", 0, u64::MAX))]
    seed: u64,
    /// The state at which play begins, in a game of other rules [default: its first start]
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    state: Option<String>,
    /// Sampled games for every leaf of a lookahead [default: the exact expectation]
    #[arg(long, value_name = "N", value_parser = between::<u32>("a number of games", 1, u32::MAX as u64))]
    playouts: Option<u32>,
    #[command(flatten)]
    bots: BotArgs,
    #[command(flatten)]
    points: PointsOption,
    #[command(flatten)]
    solved: SolvedArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// Proved bounds of A's expected payoff: what A's policy secures, and what B's concedes.
#[derive(Clone, Copy, Serialize)]
struct Guaranteed {
    lower: f64,
    upper: f64,
}

/// A confidence interval, which proves nothing.
#[derive(Serialize)]
struct Interval {
    lower: f64,
    upper: f64,
}

impl Interval {
    fn new(bounds: [f64; 2]) -> Self {
        Self { lower: bounds[0], upper: bounds[1] }
    }
}

#[derive(Serialize)]
struct Standing {
    player: String,
    /// The player's exact expected payoff a game, over all opponents and both roles; `null` with a
    /// bot among them.
    exact: Option<f64>,
    mean: f64,
}

/// The matches of a command, which are played one after the other, and the bar of their games.
struct Matches {
    bar: Bar,
    played: usize,
    all: usize,
}

impl Matches {
    fn new(all: usize) -> Self {
        Self { bar: Bar::new("playing"), played: 0, all }
    }
}

/// The points of Tennis that a word is.
fn points_of(word: &Word) -> Option<[u32; 2]> {
    read_points(word.text()?).ok()
}

impl Duel {
    pub(super) fn run(mut self) -> anyhow::Result<()> {
        if let Some(game) =
            self.players.pop_if(|last| points_of(last).is_none() && names_game(last))
        {
            check_options(&game, &["games", "seed", "state", "format"]);
            return self.duel_of(&game);
        }
        if self.state.is_some() {
            wrong_usage("--state is about a game of other rules, which the last word names");
        }
        let points = self.points();
        check_playouts(self.playouts, &self.players);
        self.bots.check(self.players.iter());
        let game = self.solved.open(points, None)?;
        let (rules, points) = (game.rules, game.points);
        // A bot is known by its command only.
        let read = |name: &Word| {
            let agent = command_of(name)
                .is_none()
                .then(|| read_attended(name, &rules, points, self.playouts));
            agent.transpose()
        };
        let agents = self.players.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let optimal = agents.iter().flatten().any(|agent| matches!(agent, Agent::Solved(_)));
        if self.solved.table().is_some() && !optimal {
            wrong_usage("--table has no effect: none of the players is `optimal`");
        }
        let solution = if optimal { Some(game.solution()?) } else { None };
        let policy =
            |agent: Option<Agent>| agent.map(|agent| agent.policy(solution.as_ref())).transpose();
        let policies = agents.into_iter().map(policy).collect::<Result<Vec<_>, _>>()?;
        let pairs: Vec<[usize; 2]> = if policies.len() == 2 {
            vec![[0, 1]]
        } else {
            let all = 0..policies.len();
            all.clone()
                .flat_map(|a| all.clone().map(move |b| [a, b]))
                .filter(|[a, b]| a != b)
                .collect()
        };
        let mut matches = Matches::new(pairs.len());
        let play = |&pair| self.play(&rules, points, &policies, pair, &mut matches);
        let reports = pairs.iter().map(play).collect::<Result<Vec<_>, _>>()?;
        if let [report] = reports.as_slice() {
            return self
                .format
                .print(&Document::new(&rules, points, report), &[], |out| write_text(out, report));
        }
        let standings = self.standings(&pairs, &reports);
        let robin = object! { players: &standings, matches: &reports };
        let text = |out: &mut _| self.write_robin(out, &pairs, &standings, &reports);
        self.format.print(&Document::new(&rules, points, &robin), &[], text)
    }

    /// A duel in a game of other rules.
    fn duel_of(&self, game: &Word) -> anyhow::Result<()> {
        let [a, b] = self.players.as_slice() else {
            wrong_usage(format!(
                "a duel in {game} has two players; expected `duel PLAYER PLAYER {}`",
                quoted(game)
            ));
        };
        if let Some(source) = read_hidden_game(game.path(), None)? {
            return self.duel_hidden(game, [a, b], &solve_hidden_game(source.tree)?);
        }
        let solution = solve_game(game.path())?;
        let policies =
            [read_player(&solution, a, Player::A)?, read_player(&solution, b, Player::B)?];
        let start = state_of(solution.game(), self.state.as_deref())?;
        // The payoff that each policy secures against a best response.
        let guaranteed = Guaranteed {
            lower: interrupt::with_progress("judging", |watch| {
                solution.judge(&policies[0], watch)
            })?
            .state(start)?
            .secured
            .lower(),
            upper: interrupt::with_progress("judging", |watch| {
                solution.judge(&policies[1], watch)
            })?
            .state(start)?
            .secured
            .upper(),
        };
        let start = solution.game().state(start)?.name();
        let mut duel = GameDuel::new(&solution, policies.each_ref(), self.seed).start(start)?;
        self.play_pieces(&mut Matches::new(1), GAME_PIECE, |games| Ok(duel.play(games)?))?;
        // Plays that were cut off have no known payoff.
        let interval = duel.mean_interval().filter(|_| duel.unfinished() == 0);
        let report = object! {
            a: a.to_string(),
            b: b.to_string(),
            start: start,
            seed: self.seed,
            games: duel.plays(),
            mean: duel.mean(),
            mean_interval: interval.map(Interval::new),
            guaranteed: guaranteed,
            mean_turns: duel.mean_turns(),
            unfinished: duel.unfinished(),
        };
        self.format.print(&Document::of_no_game(&report), &[], |out| {
            writeln!(out, "{a} as A meets {b} as B from {}, in {game}", report.start)?;
            self.write_mean(out, duel.mean(), interval, guaranteed)?;
            writeln!(out, "  {:.4} turns a game", report.mean_turns)?;
            if report.unfinished > 0 {
                let most = grouped(GameDuel::MOST_TURNS as usize);
                writeln!(
                    out,
                    "  {} stopped after {most} turns",
                    counted(report.unfinished as usize, "game")
                )?;
            }
            Ok::<_, io::Error>(())
        })
    }

    /// A duel in a game with hidden information.
    fn duel_hidden(
        &self,
        game: &Word,
        players: [&Word; 2],
        solution: &HiddenSolution,
    ) -> anyhow::Result<()> {
        let [a, b] = players;
        if self.state.is_some() {
            wrong_usage(
                "--state is not for games with hidden information, which begin at the root of their tree",
            );
        }
        let tree = solution.tree();
        let strategies = ByPlayer {
            a: read_hidden_player(solution, a, Player::A)?,
            b: read_hidden_player(solution, b, Player::B)?,
        };
        let guaranteed = Guaranteed {
            lower: Judgement::new(tree, strategies.a.clone())?.secured().lower(),
            upper: Judgement::new(tree, strategies.b.clone())?.secured().upper(),
        };
        let mut duel = HiddenDuel::new(tree, strategies.as_ref(), self.seed);
        self.play_pieces(&mut Matches::new(1), GAME_PIECE, |games| Ok(duel.play(games)?))?;
        let report = object! {
            a: a.to_string(),
            b: b.to_string(),
            seed: self.seed,
            games: duel.plays(),
            mean: duel.mean(),
            mean_interval: duel.mean_interval().map(Interval::new),
            guaranteed: guaranteed,
            mean_decisions: duel.mean_turns(),
        };
        self.format.print(&Document::of_no_game(&report), &[], |out| {
            writeln!(
                out,
                "{a} as A meets {b} as B in {}",
                tree.title().map_or_else(|| game.to_string(), str::to_owned)
            )?;
            self.write_mean(out, duel.mean(), duel.mean_interval(), guaranteed)?;
            writeln!(out, "  {:.4} decisions a game", report.mean_decisions)
        })
    }

    /// Writes A's mean payoff beside what both policies guarantee.
    fn write_mean(
        &self,
        out: &mut impl Write,
        mean: f64,
        interval: Option<[f64; 2]>,
        guaranteed: Guaranteed,
    ) -> io::Result<()> {
        writeln!(out, "  {}, seed {}", counted(self.games as usize, "game"), self.seed)?;
        let interval =
            interval.map(|[least, most]| format!(", 95 % interval {least:.6} to {most:.6}"));
        writeln!(out, "  A wins {mean:.6} a game{}", interval.unwrap_or_default())?;
        writeln!(out, "    proved by best responses: {} to {}", guaranteed.lower, guaranteed.upper)
    }

    fn points(&mut self) -> Option<[u32; 2]> {
        let is_points = |last: &mut Word| {
            let is_number = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
            points_of(last).is_some() || last.text().is_some_and(is_number) && !last.path().exists()
        };
        let Some(last) = self.players.pop_if(is_points) else { return self.points.points };
        let behind = read_points(&last.to_string())
            .unwrap_or_else(|reason| wrong_usage(format!("{last}: {reason}")));
        if self.players.len() < 2 {
            wrong_usage("a duel needs two players; expected another one before the points");
        }
        if self.points.points.is_some() {
            wrong_usage("the points are given twice; expected them once");
        }
        Some(behind)
    }

    /// Plays the games of two players, a match of some; one without a policy is a bot.
    fn play(
        &self,
        rules: &Rules,
        points: [u32; 2],
        policies: &[Option<Policy>],
        pair: [usize; 2],
        matches: &mut Matches,
    ) -> anyhow::Result<DuelReport> {
        let (names, seed) = (pair.map(|player| self.players[player].to_string()), self.seed);
        let start = State::new(points[0], points[1], Ball::NET);
        let policies = pair.map(|player| policies[player].as_ref());
        if let [Some(a), Some(b)] = policies {
            let mut duel = Games::new(rules, start, a, b, seed, &mut unwatched)?;
            self.play_pieces(matches, PIECE, |games| Ok(duel.play(games)?))?;
            let (tally, matchup) = (duel.tally().clone(), Some(duel.matchup().clone()));
            return Ok(DuelReport { names, start, seed, tally, matchup });
        }
        let bidder = |player: Player| match policies[player as usize] {
            Some(policy) => Ok(Bidder::Policy(policy, player)),
            None => {
                let command = command_of(&self.players[pair[player as usize]])
                    .context("a player without a policy is a bot")?;
                self.bots.start(&command, player, rules, points, Stdio::inherit()).map(Bidder::Bot)
            }
        };
        let mut bidders = [bidder(Player::A)?, bidder(Player::B)?];
        // Two random numbers a turn, A's first, as in a duel of policies.
        let mut generator = Pcg64Mcg::seed_from_u64(seed);
        let mut tally = Tally::new(rules);
        self.play_pieces(matches, 1, |_| {
            play_game(rules, start, &mut bidders, &mut generator, &mut tally)
        })?;
        Ok(DuelReport { names, start, seed, tally, matchup: None })
    }

    /// Plays the next match in pieces of `piece` games. Ctrl-C ends the program.
    fn play_pieces(
        &self,
        matches: &mut Matches,
        piece: u64,
        mut play: impl FnMut(u64) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let before = matches.played as u64 * self.games;
        let all = matches.all as f64 * self.games as f64;
        let mut played = 0;
        interrupt::interruptible(|| {
            while played < self.games {
                let games = piece.min(self.games - played);
                let done = play(games);
                played += if done.is_ok() { games } else { 0 };
                matches.bar.show((before + played) as f64 / all);
                if interrupt::check_cancel().is_break() {
                    let games = counted((before + played) as usize, "game");
                    return Err(
                        Interrupted(format!("{games} were played; nothing was written")).into()
                    );
                }
                done?;
            }
            matches.played += 1;
            Ok(())
        })
    }

    fn standings(&self, pairs: &[[usize; 2]], reports: &[DuelReport]) -> Vec<Standing> {
        let of = |player: usize| {
            let [mut mean, mut matches] = [0.0; 2];
            let mut exact = Some(0.0);
            for (&[a, b], report) in pairs.iter().zip(reports) {
                let sign = if a == player { 1.0 } else { -1.0 };
                if a == player || b == player {
                    exact = exact.zip(report.exact()).map(|(sum, exact)| sum + sign * exact);
                    mean += sign * report.tally.mean();
                    matches += 1.0;
                }
            }
            Standing {
                player: self.players[player].to_string(),
                exact: exact.map(|exact| exact / matches),
                mean: mean / matches,
            }
        };
        (0..self.players.len()).map(of).collect()
    }

    fn write_robin(
        &self,
        out: &mut impl Write,
        pairs: &[[usize; 2]],
        standings: &[Standing],
        matches: &[DuelReport],
    ) -> io::Result<()> {
        let DuelReport { start, tally, .. } = &matches[0];
        writeln!(out, "Round robin from {start}, {}", describe(tally.rules()))?;
        writeln!(
            out,
            "  {} for each two players, seed {}",
            counted(self.games as usize, "game"),
            self.seed
        )?;
        writeln!(out, "\nWhat a player wins a game, on average over all others and both roles")?;
        writeln!(out, "  {:>3}  {:>12} {:>12}  player", "", "exactly", "played")?;
        for (rank, Standing { player, exact, mean }) in (1..).zip(standings) {
            let exact = exact.map_or("-".to_owned(), |exact| format!("{exact:.6}"));
            writeln!(out, "  {rank:>3}  {exact:>12} {mean:>12.6}  {player}")?;
        }
        let exact = matches.iter().all(|game| game.matchup.is_some());
        let exactly = if exact { " exactly" } else { "" };
        writeln!(out, "\nWhat A wins a game{exactly}, by the player who is A (rows) and who is B")?;
        if !exact {
            writeln!(out, "(~ in the games played: a bot's policy is not known)")?;
        }
        let players = 0..standings.len();
        let cell = |a: usize, b: usize| {
            let index = pairs.iter().position(|&pair| pair == [a, b]);
            index.map_or("-".to_owned(), |index| match matches[index].exact() {
                Some(exact) => format!("{exact:.4}"),
                None => format!("~{:.4}", matches[index].tally.mean()),
            })
        };
        let row = |a: usize| (a + 1, players.clone().map(move |b| cell(a, b)));
        write_folded(
            out,
            Widths { names: 5, cell: 10 },
            1..=players.len(),
            players.clone().map(row),
        )
    }
}

/// Plays a game of bots, or of a bot and a policy.
fn play_game(
    rules: &Rules,
    start: State,
    bidders: &mut [Bidder<'_>; 2],
    generator: &mut Pcg64Mcg,
    tally: &mut Tally,
) -> anyhow::Result<()> {
    let [a, b] = bidders;
    let mut game = GameRecord::new(rules, start)?;
    let (mut turns, mut waited) = (0, 0);
    while game.outcome().is_none() && waited < STANDSTILL {
        let bits = [generator.next_u64(), generator.next_u64()];
        let bid_a = a.bid(&game, bits[0], &mut interrupt::check_cancel)?;
        let bid_b = b.bid(&game, bits[1], &mut interrupt::check_cancel)?;
        game.play(bid_a, bid_b)?;
        let moved = bid_a + bid_b > 0;
        turns += u64::from(moved);
        waited = if moved { 0 } else { waited + 1 };
    }
    match game.outcome() {
        Some(outcome) => tally.add(outcome, turns),
        None => tally.add_endless(game.end_where_it_lies()?, turns),
    }
    a.over(game.state())?;
    b.over(game.state())
}

fn write_text(
    out: &mut impl Write,
    DuelReport { names, start, seed, tally, matchup }: &DuelReport,
) -> io::Result<()> {
    writeln!(out, "{} as A meets {} as B from {start}", names[0], names[1])?;
    writeln!(out, "  {}", describe(tally.rules()))?;
    writeln!(out, "  {}, seed {seed}\n", counted(tally.games() as usize, "game"))?;
    let line = columns(" ", [-25, 12, 9, 20, 8]);
    writeln!(
        out,
        "  {}",
        line([
            &"",
            &"games",
            &"share",
            &"95 % interval",
            &if matchup.is_some() { "exact" } else { "" }
        ])
    )?;
    let percent = |share: f64| format!("{:.3} %", 100.0 * share);
    for &outcome in Outcome::ALL {
        let (count, [lower, upper]) = (tally.count(outcome), tally.interval(outcome));
        let interval = format!("{:.3} to {}", 100.0 * lower, percent(upper));
        let exact = matchup
            .as_ref()
            .map(|matchup| percent(matchup.probability(outcome)))
            .unwrap_or_default();
        writeln!(
            out,
            "  {}",
            line([
                &outcome,
                &grouped(count as usize),
                &percent(tally.share(count)),
                &interval,
                &exact
            ])
        )?;
    }
    writeln!(out)?;
    match tally.mean_interval() {
        Some([lower, upper]) => {
            writeln!(
                out,
                "  A wins {:.6} a game, 95 % interval {lower:.6} to {upper:.6}",
                tally.mean()
            )?;
        }
        None => writeln!(out, "  A wins {}", tally.mean())?,
    }
    if let Some(matchup) = matchup {
        writeln!(
            out,
            "    exactly {}, in probabilities that are multiples of 2^-62",
            matchup.value().decimal()
        )?;
        writeln!(
            out,
            "  {:.4} turns a game, exactly {:.4}",
            tally.mean_turns(),
            matchup.mean_turns()
        )?;
    } else {
        writeln!(out, "    sampled only: the policy of a bot is not known")?;
        writeln!(out, "  {:.4} turns a game", tally.mean_turns())?;
    }
    if tally.rules().min_bid() > 0 {
        return Ok(());
    }
    let exactly = matchup
        .as_ref()
        .map(|matchup| format!(", exactly {}", percent(matchup.endless())))
        .unwrap_or_default();
    let share = percent(tally.share(tally.endless()));
    writeln!(
        out,
        "  {share} of the games stand still for ever, decided where the ball lies{exactly}"
    )?;
    match matchup.as_ref().map(Matchup::mean_standstills) {
        Some(standstills) => {
            writeln!(
                out,
                "  {standstills:.4} turns a game change nothing before it goes on, and are not counted"
            )
        }
        None => writeln!(
            out,
            "  a game stands still for ever when nothing was bid in {STANDSTILL} turns, which are not counted"
        ),
    }
}
