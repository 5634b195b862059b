//! Players that are programs of their own, asked line by line; `docs/bots.md` describes what is said.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use pencil_tennis::{Player, Rules, State, legal_bids};

use super::interrupt::{self, Interrupted};

/// The beginning of a player's name that is a command.
pub(super) const PREFIX: &str = "cmd:";

/// The longest line that a program may write, in bytes.
const LONGEST_LINE: u64 = 1 << 10;

/// How long between two looks at the keyboard.
const LOOK: Duration = Duration::from_millis(50);

/// The command of a player that is a program.
pub(super) fn command_of(name: &str) -> Option<&str> {
    name.strip_prefix(PREFIX)
}

/// A running program that bids; it is killed when it is dropped.
pub(super) struct Bot {
    name: String,
    player: Player,
    limit: Duration,
    child: Child,
    input: ChildStdin,
    lines: Receiver<io::Result<Vec<u8>>>,
}

impl Bot {
    /// Starts the program of a command, the words of which are separated by spaces, and tells it the rules.
    pub(super) fn start(command: &str, player: Player, rules: &Rules, [a, b]: [u32; 2], limit: Duration) -> anyhow::Result<Self> {
        let mut words = command.split_whitespace();
        let Some(program) = words.next() else {
            bail!("`{PREFIX}` names no program; expected one such as {PREFIX}./my-bot");
        };
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start the bot {program}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("the bot {program} has no input or output");
        };
        // One line ahead: a program that writes without being asked waits.
        let (sender, lines) = sync_channel(1);
        thread::spawn(move || read_lines(output, &sender));
        let mut bot = Self { name: command.to_owned(), player, limit, child, input, lines };
        let (field, motion, scoring) = (rules.field(), rules.motion(), rules.scoring());
        bot.say(&format!("rules field {field} motion {motion} scoring {scoring} points {a}:{b} player {player}"))?;
        Ok(bot)
    }

    /// Asks for a bid.
    pub(super) fn bid(&mut self, state: State) -> anyhow::Result<u32> {
        self.say(&format!("bid {} {state}", self.player))?;
        let line = self.answer(state)?;
        let line = String::from_utf8_lossy(&line);
        let word = line.trim();
        let expected = || {
            let legal = legal_bids(state.points(self.player));
            format!("at {state}; expected a bid from {} to {}", legal.start(), legal.end())
        };
        let bid: u32 =
            word.parse().map_err(|_| anyhow::anyhow!("the bot {} answered `{}` {}", self.name, shortened(word), expected()))?;
        if !legal_bids(state.points(self.player)).contains(&bid) {
            bail!("the bot {} bid {bid} {}", self.name, expected());
        }
        Ok(bid)
    }

    /// Tells how a game ended.
    pub(super) fn over(&mut self, state: State) -> anyhow::Result<()> {
        self.say(&format!("over {state}"))
    }

    fn say(&mut self, line: &str) -> anyhow::Result<()> {
        // In one piece, for programs that read without waiting for the end of the line.
        let written = self.input.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.input.flush());
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => bail!("{}", self.ended()),
            other => other.with_context(|| format!("cannot write to the bot {}", self.name)),
        }
    }

    /// Waits for a line.
    fn answer(&mut self, state: State) -> anyhow::Result<Vec<u8>> {
        let since = Instant::now();
        loop {
            let left = self.limit.saturating_sub(since.elapsed());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(line) => return line.with_context(|| format!("cannot read from the bot {}", self.name)),
                Err(RecvTimeoutError::Disconnected) => bail!("{} at {state} without a bid", self.ended()),
                Err(RecvTimeoutError::Timeout) if interrupt::asked().is_break() => {
                    return Err(Interrupted(interrupt::left()).into());
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    let seconds = self.limit.as_secs_f64();
                    bail!("the bot {} made no bid at {state} within {seconds} s (--bot-seconds allows more)", self.name);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// How the program ended, as far as that is known so soon.
    fn ended(&mut self) -> String {
        for _ in 0..20 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return format!("the bot {} ended ({status})", self.name);
            }
            thread::sleep(Duration::from_millis(5));
        }
        format!("the bot {} closed its input or output", self.name)
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        // One that has ended already cannot be killed, which is as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Hands on the lines of a program until it ends or nobody listens.
fn read_lines(output: ChildStdout, lines: &SyncSender<io::Result<Vec<u8>>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        let line = match read {
            Ok(0) => return,
            Ok(_) => Ok(line),
            Err(error) => Err(error),
        };
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// The beginning of a line that may be long.
fn shortened(word: &str) -> String {
    const MOST: usize = 40;
    let begin: String = word.chars().take(MOST).collect();
    if word.chars().count() > MOST { begin + "…" } else { begin }
}
