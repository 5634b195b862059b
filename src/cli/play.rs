//! `play`: a person against a player, in plain lines.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use clap::Args;
use pencil_tennis::report::{BidReport, GameReport, StateReport};
use pencil_tennis::{Ball, GameError, GameRecord, Player, Rules, Solution, State, check_bid};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::Screen;
use super::agent::{AGENTS, check_playouts, file_of, read_attended};
use super::bot::{BOTS, Bidder, Bot, BotArgs, command_of};
use super::court::write_court;
use super::game_args::{SolvedArgs, describe};
use super::numbers::{between, whole};
use super::output::Output;
use super::points::PointsArgs;
use super::replay::{cost, write_costliest};
use super::show::write_bars;

/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 1 << 12;

/// Play against the optimum, or another player
#[derive(Debug, Args)]
#[command(after_help = format!("\
Type a bid, `?` for a hint, `q` to end the game; so does the end of the input.
The other's bid of every turn is drawn before yours is read: with the same seed
and the same bids the same game is played, and another bid of yours changes
nothing in the bid that it meets. A match of --to N goes on until somebody has
N winning points; every game of it is bid for its own sake.

{AGENTS}

{BOTS}

Examples:
  pencil-tennis play
  pencil-tennis play --against cmd:./my-bot
  pencil-tennis play 20 --as B --against uniform
  pencil-tennis play --to 5 --record match.txt
  pencil-tennis replay match.txt    # the games, judged bid by bid
  printf '2\\n1\\n' | pencil-tennis play 3 --seed 1"))]
pub(super) struct Play {
    #[command(flatten)]
    points: PointsArgs,
    /// Whom to play against
    #[arg(long, value_name = "PLAYER", default_value = "optimal")]
    against: String,
    /// Whom to play: A, who hits to the right, or B
    #[arg(long = "as", value_name = "A | B", default_value = "A", value_parser = player)]
    player: Player,
    /// Seed of the other's bids [default: from the clock]
    #[arg(long, value_name = "S", value_parser = between::<u64>("a seed", 0, u64::MAX))]
    seed: Option<u64>,
    /// Play games until somebody has N winning points
    #[arg(long, value_name = "N", value_parser = between::<u32>("a number of winning points", 1, 1_000_000))]
    to: Option<u32>,
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

fn player(text: &str) -> Result<Player, GameError> {
    text.to_ascii_uppercase().parse()
}

impl Play {
    pub(super) fn run(self) -> anyhow::Result<()> {
        self.bots.check(std::iter::once(&self.against));
        check_playouts(self.playouts, std::slice::from_ref(&self.against));
        if let Some(record) = &self.record {
            record.check(&file_of(&self.against).into_iter().chain(self.solved.table()).collect::<Vec<_>>())?;
        }
        let game = self.solved.open(self.points.asked(), None)?;
        let (rules, points) = (game.rules, game.points.both());
        let other = self.player.opponent();
        let opponent = match command_of(&self.against) {
            Some(command) => Err(Bot::start(command, other, &rules, points, self.bots.limit())?),
            None => Ok(read_attended(&self.against, &rules, points, self.playouts)?),
        };
        let solution = game.solution()?;
        let policy;
        let opponent = match opponent {
            Ok(agent) => {
                policy = agent.policy(Some(&solution))?;
                Bidder::Policy(&policy, other)
            }
            Err(bot) => Bidder::Bot(bot),
        };
        // The low bits of the nanoseconds differ from start to start.
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| u64::from(since.subsec_nanos()));
        let seed = self.seed.unwrap_or_else(clock);
        let table = Table {
            person: self.player,
            name: &self.against,
            rules,
            solution: &solution,
            opponent,
            generator: Pcg64::seed_from_u64(seed),
            record: self.record.as_ref(),
            games: Vec::new(),
            out: Screen::new(),
        };
        table.play(State::new(points[0], points[1], Ball::NET), self.to, seed)
    }
}

/// What the person does in a turn.
enum Move {
    Bid(u32),
    Leave,
}

/// A person and the other at the table.
struct Table<'p> {
    person: Player,
    name: &'p str,
    rules: Rules,
    solution: &'p Solution,
    opponent: Bidder<'p>,
    generator: Pcg64,
    record: Option<&'p Output>,
    /// The games that are over, and the one that is played.
    games: Vec<GameRecord>,
    out: Screen,
}

impl Table<'_> {
    /// Plays a game, or a match to so many winning points.
    fn play(mut self, start: State, to: Option<u32>, seed: u64) -> anyhow::Result<()> {
        let (person, name) = (self.person, self.name);
        writeln!(self.out, "Tennis from {start}, {}", describe(&self.rules))?;
        let direction = if person == Player::A { "right" } else { "left" };
        writeln!(self.out, "  You are {person} and hit to the {direction}; {name} is {}, seed {seed}", person.opponent())?;
        let mut score = [0.0; 2];
        loop {
            let Some(payoff) = self.play_game(start)? else {
                writeln!(self.out, "\nThe game ends at {}", self.state())?;
                self.review()?;
                return Ok(());
            };
            self.review()?;
            let Some(to) = to else { return Ok(()) };
            let own = if person == Player::A { payoff } else { -payoff };
            score[usize::from(own < 0.0)] += own.abs();
            let [you, other] = score;
            if score.iter().any(|&score| score >= f64::from(to)) {
                let verdict = if you > other { "You win the match" } else { "You lose the match" };
                writeln!(self.out, "\n{verdict}, {you} to {other}")?;
                return Ok(());
            }
            writeln!(self.out, "\nThe score is {you} to {other}, and the match goes to {to}")?;
        }
    }

    /// Plays a game to its end and returns what A wins, or nothing if the person leaves.
    fn play_game(&mut self, start: State) -> anyhow::Result<Option<f64>> {
        self.games.push(GameRecord::new(&self.rules, start)?);
        for turn in 1.. {
            let state = self.state();
            writeln!(self.out)?;
            if let Some(outcome) = self.rules.outcome(state) {
                self.opponent.over(state)?;
                write_court(&mut self.out, &self.rules, state)?;
                let value = self.report()?.value;
                let own = if self.person == Player::A { value } else { -value };
                let verdict = match own {
                    0.0 => "nobody wins".to_owned(),
                    own if own > 0.0 => format!("you win {own}"),
                    own => format!("you lose {}", -own),
                };
                writeln!(self.out, "The game is over, {outcome}: {verdict}")?;
                return Ok(Some(value));
            }
            writeln!(self.out, "Turn {turn}")?;
            write_court(&mut self.out, &self.rules, state)?;
            // The other's bid is fixed before the person's is read.
            let bits = self.generator.next_u64();
            let other = self.opponent.bid(state, bits)?;
            let own = match self.ask(state)? {
                Move::Bid(own) => own,
                Move::Leave => return Ok(None),
            };
            self.reveal(state, own, other)?;
        }
        Ok(None)
    }

    /// Both bids are made, shown and judged.
    fn reveal(&mut self, state: State, own: u32, other: u32) -> anyhow::Result<()> {
        let (a, b) = if self.person == Player::A { (own, other) } else { (other, own) };
        let Some(game) = self.games.last_mut() else { return Ok(()) };
        let after = game.play(a, b)?;
        self.save()?;
        let turn = GameReport::new(self.solution, &GameRecord::replay(&self.rules, state, [(a, b)])?)?;
        let (own_loss, other_loss) =
            if self.person == Player::A { (turn.loss_a, turn.loss_b) } else { (turn.loss_b, turn.loss_a) };
        let goes = if after.ball == state.ball { "stays at" } else { "goes to" };
        writeln!(self.out, "You bid {own}, {} bids {other}: the ball {goes} {}", self.name, after.ball)?;
        writeln!(self.out, "  on average your bid cost you {}, the other one {}", said(own_loss), said(other_loss))?;
        Ok(())
    }

    /// Asks the person for a legal bid.
    fn ask(&mut self, state: State) -> anyhow::Result<Move> {
        let account = state.points(self.person);
        if account == 0 {
            writeln!(self.out, "You have no points left and bid 0")?;
            return Ok(Move::Bid(0));
        }
        loop {
            write!(self.out, "Your bid, 1 to {account} (? for a hint, q to end): ")?;
            // What is typed ends the line; what comes from a pipe is not seen.
            if !io::stdin().is_terminal() {
                writeln!(self.out)?;
            }
            self.out.flush()?;
            let Some(line) = read_line()? else { return Ok(Move::Leave) };
            match line.trim() {
                "" => {}
                "q" => return Ok(Move::Leave),
                "?" => self.hint(state)?,
                word => match whole(word).and_then(|bid| u32::try_from(bid).ok()) {
                    None => writeln!(self.out, "`{word}` is not a bid; expected a whole number from 1 to {account}, ? or q")?,
                    Some(bid) => match check_bid(self.person, bid, account) {
                        Ok(()) => return Ok(Move::Bid(bid)),
                        Err(error) => writeln!(self.out, "{error}")?,
                    },
                },
            }
        }
    }

    /// How an optimal player bids here.
    fn hint(&mut self, state: State) -> anyhow::Result<()> {
        let report = StateReport::new(self.solution, state)?;
        let (bids, value): (&[BidReport], f64) =
            if self.person == Player::A { (&report.a, report.value) } else { (&report.b, -report.value) };
        writeln!(self.out, "An optimal player in your place wins {value:.5} on average and bids")?;
        write_bars(&mut self.out, bids)?;
        Ok(())
    }

    /// Looks back at the game that was played last.
    fn review(&mut self) -> anyhow::Result<()> {
        let report = self.report()?;
        if report.turns.is_empty() {
            return Ok(());
        }
        let (own, other) = if self.person == Player::A { (report.loss_a, report.loss_b) } else { (report.loss_b, report.loss_a) };
        writeln!(self.out, "\nOn average your bids cost you {}, those of {} {}", said(own), self.name, said(other))?;
        write_costliest(&mut self.out, &report)?;
        Ok(())
    }

    fn report(&self) -> anyhow::Result<GameReport> {
        let game = self.games.last().context("no game was played")?;
        Ok(GameReport::new(self.solution, game)?)
    }

    fn state(&self) -> State {
        self.games.last().map_or(self.solution.start(), GameRecord::state)
    }

    /// Writes all games so far.
    fn save(&self) -> anyhow::Result<()> {
        let Some(record) = self.record else { return Ok(()) };
        let tables: Vec<String> = self.games.iter().map(GameRecord::to_table).collect();
        record.write(|out| out.write_all(tables.join("\n").as_bytes()))
    }
}

/// A loss in a sentence.
fn said(loss: f64) -> String {
    if loss == 0.0 { "nothing".to_owned() } else { cost(loss) }
}

/// A line of standard input, or nothing at its end.
fn read_line() -> anyhow::Result<Option<String>> {
    let mut line = Vec::new();
    let mut input = io::stdin().lock().take(LONGEST_LINE);
    input.read_until(b'\n', &mut line).context("cannot read standard input")?;
    Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
}
