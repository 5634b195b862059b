//! Players that are external programs; `docs/bots.md` describes the protocol.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use pencil_tennis::blind::BlindPolicy;
use pencil_tennis::{GameRecord, Player, Policy, Rules, State};

use super::interrupt::{self, Interrupted};
use super::numbers::between;
use super::usage::wrong_usage;
use super::word::Word;

pub(super) const BOTS: &str = "\
Here a player may also be cmd:COMMAND, a program that reads a line per turn and
writes a bid per line (docs/bots.md).";

pub(super) const PREFIX: &str = "cmd:";

const LONGEST_LINE: u64 = 1 << 10;

/// The time a program has to end after its input has ended.
const GRACE: Duration = Duration::from_millis(500);

/// The number of turns without a bid after which a game counts as infinite.
pub(super) const STANDSTILL: u32 = 1_000;

const LOOK: Duration = Duration::from_millis(50);

pub(super) fn command_of(name: &Word) -> Option<Word> {
    name.strip_prefix(PREFIX)
}

/// The time limit of bots.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct BotArgs {
    /// Seconds that a bot may take for a bid [default: 10]
    #[arg(long, value_name = "S", value_parser = between::<u64>("a number of seconds", 1, 86_400))]
    bot_seconds: Option<u64>,
}

impl BotArgs {
    pub(super) fn check<'n>(self, mut names: impl Iterator<Item = &'n Word>) {
        if self.bot_seconds.is_some() && !names.any(|name| command_of(name).is_some()) {
            wrong_usage("--bot-seconds has no effect without a bot, such as cmd:./my-bot");
        }
    }

    /// Starts the program of a command, whose words are separated by spaces, and sends it the
    /// rules. `errors` is the destination of its standard error.
    pub(super) fn start(
        self,
        command: &Word,
        player: Player,
        rules: &Rules,
        points: [u32; 2],
        errors: Stdio,
    ) -> anyhow::Result<Bot> {
        let limit = Duration::from_secs(self.bot_seconds.unwrap_or(10));
        let mut bot = Bot::run(command, player, limit, errors)?;
        let [a, b] = points;
        // If the program has already ended, the first bid reports it together with the state.
        bot.say(&format!("rules {rules} points {a}:{b} player {player}"), "before the first bid")
            .ok();
        Ok(bot)
    }
}

pub(super) enum Bidder<'p> {
    Policy(&'p Policy, Player),
    Blind(&'p BlindPolicy, Player),
    Bot(Bot),
}

impl Bidder<'_> {
    /// The next bid of a game; a policy draws it by these random bits. While a bot thinks, `idle`
    /// may stop the wait.
    pub(super) fn bid(
        &mut self,
        game: &GameRecord,
        bits: u64,
        idle: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> anyhow::Result<u32> {
        match self {
            Self::Policy(policy, player) => Ok(policy.draw(game.state(), *player, bits)?),
            Self::Blind(policy, player) => {
                let (bids, balls) = game.remembered(*player, game.turns().len());
                Ok(policy.draw(*player, &bids, &balls, bits)?)
            }
            Self::Bot(bot) => bot.bid(game, idle),
        }
    }

    pub(super) fn waits(&self, state: State) -> bool {
        let Self::Policy(policy, player) = self else { return false };
        policy.probability(state, *player, 0).is_ok_and(|probability| probability == 1.0)
    }

    pub(super) fn over(&mut self, state: State) -> anyhow::Result<()> {
        if let Self::Bot(bot) = self { bot.over(state) } else { Ok(()) }
    }
}

pub(super) struct Bot {
    name: String,
    player: Player,
    limit: Duration,
    child: Child,
    lines: Receiver<io::Result<Vec<u8>>>,
}

impl Bot {
    /// Runs the program of a command, and reads its lines. `limit` is its time for a bid.
    fn run(command: &Word, player: Player, limit: Duration, errors: Stdio) -> anyhow::Result<Self> {
        let Some(text) = command.text() else {
            bail!(
                "the bot {command} has a name that is no UTF-8; expected a link to it with another name"
            );
        };
        let mut words = text.split_whitespace();
        let Some(program) = words.next() else {
            bail!("`{PREFIX}` names no program; expected one such as {PREFIX}./my-bot");
        };
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .with_context(|| format!("cannot start the bot {program}"))?;
        let output =
            child.stdout.take().with_context(|| format!("the bot {program} has no output"))?;
        // A buffer of one line blocks programs that write unasked.
        let (sender, lines) = sync_channel(1);
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                let read = output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
                if matches!(read, Ok(0)) || sender.send(read.map(|_| line)).is_err() {
                    return;
                }
            }
        });
        Ok(Self { name: command.to_string(), player, limit, child, lines })
    }

    fn bid(
        &mut self,
        game: &GameRecord,
        idle: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> anyhow::Result<u32> {
        let state = game.state();
        let legal = game.rules().legal_bids(state.points(self.player));
        self.say(&format!("bid {} {state}", self.player), &format!("at {state} without a bid"))?;
        let line = self.answer(state, idle)?;
        let line = String::from_utf8_lossy(&line);
        let word = line.trim();
        let expected =
            || format!("at {state}; expected a bid from {} to {}", legal.start(), legal.end());
        let bid: u32 = word.parse().map_err(|_| {
            anyhow::anyhow!("the bot {} answered `{}` {}", self.name, shortened(word), expected())
        })?;
        if !legal.contains(&bid) {
            bail!("the bot {} bid {bid} {}", self.name, expected());
        }
        Ok(bid)
    }

    fn over(&mut self, state: State) -> anyhow::Result<()> {
        self.say(&format!("over {state}"), &format!("before it was told of the end, {state}"))
    }

    /// Sends a line to the program; `when` completes the error if it has ended.
    fn say(&mut self, line: &str, when: &str) -> anyhow::Result<()> {
        // One write, for programs that do not wait for the end of the line.
        let Some(input) = &mut self.child.stdin else { bail!("{} {when}", self.ended()) };
        let written = input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush());
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                bail!("{} {when}", self.ended())
            }
            other => other.with_context(|| format!("cannot write to the bot {}", self.name)),
        }
    }

    fn answer(
        &mut self,
        state: State,
        idle: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> anyhow::Result<Vec<u8>> {
        let since = Instant::now();
        loop {
            let left = self.limit.saturating_sub(since.elapsed());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(line) => {
                    return line.with_context(|| format!("cannot read from the bot {}", self.name));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    bail!("{} at {state} without a bid", self.ended())
                }
                Err(RecvTimeoutError::Timeout) if idle().is_break() => {
                    return Err(Interrupted(interrupt::remains()).into());
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    let seconds = self.limit.as_secs_f64();
                    bail!(
                        "the bot {} made no bid at {state} within {seconds} s (--bot-seconds allows more)",
                        self.name
                    );
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Describes how the program ended, as far as is known yet.
    fn ended(&mut self) -> String {
        match self.wait(Duration::from_millis(100)) {
            Some(status) => format!("the bot {} ended ({status})", self.name),
            None => format!("the bot {} closed its input or output", self.name),
        }
    }

    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let since = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(None) if since.elapsed() < patience => thread::sleep(Duration::from_millis(2)),
                ended => return ended.ok().flatten(),
            }
        }
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        // Closing its input tells the program that the session is over; it may still process
        // earlier lines.
        self.child.stdin = None;
        if self.wait(GRACE).is_none() {
            // Killing fails if it has already ended.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn shortened(word: &str) -> String {
    const MOST: usize = 40;
    let begin: String = word.chars().take(MOST).collect();
    if word.chars().count() > MOST { begin + "…" } else { begin }
}
