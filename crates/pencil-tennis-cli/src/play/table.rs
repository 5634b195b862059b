//! Runs a game or a match; a [`Face`] shows it.

use std::io::Write;
use std::ops::ControlFlow;

use pencil_tennis::{GameRecord, Player, State};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use super::args::Play;
use super::judge::{Judge, Revealed, Seat, cost_in_words};
use super::rules;
use crate::bot::{Bidder, STANDSTILL};
use crate::fold::accounts;
use crate::game_args::describe;
use crate::interrupt;

pub(super) enum Move {
    Bid(u32),
    /// To bid 0 until the opponent bids more.
    Wait,
    Leave,
}

pub(super) trait Face {
    /// Asks the person for a bid; the opponent's is already fixed.
    fn ask(&mut self, table: &Table<'_>) -> anyhow::Result<Move>;
    fn reveal(&mut self, table: &Table<'_>, turn: &Revealed) -> anyhow::Result<()>;
    /// Shows the end of a game; returns whether the person continues.
    fn over(&mut self, table: &Table<'_>) -> anyhow::Result<ControlFlow<()>>;
    /// Shows a game that the person leaves.
    fn left(&mut self, table: &Table<'_>) -> anyhow::Result<()>;
    /// Called repeatedly while a bot thinks; returns whether to stop.
    fn idle(&mut self) -> ControlFlow<()> {
        interrupt::check_cancel()
    }
}

pub(super) struct Table<'p> {
    pub(super) args: &'p Play,
    pub(super) start: State,
    pub(super) seed: u64,
    pub(super) judge: Judge<'p>,
    pub(super) opponent: Bidder<'p>,
    pub(super) generator: Pcg64,
    pub(super) game: GameRecord,
    /// The tables of the match's earlier games.
    pub(super) earlier: String,
    /// The winning points of the person, and of the opponent.
    pub(super) score: [f64; 2],
}

impl Table<'_> {
    pub(super) fn play(mut self, face: &mut dyn Face) -> anyhow::Result<()> {
        loop {
            while !self.is_over() {
                // The opponent's bid is fixed before the person's is read.
                let other_bid = self.other_bid(face)?;
                let turn = match face.ask(&self)? {
                    Move::Bid(bid) => self.turn(bid, other_bid)?,
                    Move::Wait => self.wait(other_bid, face)?,
                    Move::Leave => return face.left(&self),
                };
                face.reveal(&self, &turn)?;
            }
            self.opponent.over(self.game.state())?;
            let payoff = self.payoff();
            self.score[usize::from(payoff < 0.0)] += payoff.abs();
            if face.over(&self)?.is_break() || self.is_decided() {
                return Ok(());
            }
            self.earlier.extend([&*self.game.to_table(), "\n"]);
            let State { a, b, ball } = self.game.start();
            self.game = GameRecord::new(self.game.rules(), State::new(b, a, ball))?;
        }
    }

    fn other_bid(&mut self, face: &mut dyn Face) -> anyhow::Result<u32> {
        let bits = self.generator.next_u64();
        self.opponent.bid(&self.game, bits, &mut || face.idle())
    }

    /// Bids 0 until the opponent bids more, or the game ends where the ball lies because neither
    /// will; returns the last turn.
    fn wait(&mut self, first: u32, face: &mut dyn Face) -> anyhow::Result<Revealed> {
        let (mut other_bid, mut waited) = (first, 0);
        loop {
            let turn = self.turn(0, other_bid)?;
            if other_bid == 0 && !self.is_over() && self.opponent.waits(self.game.state()) {
                self.game.end_where_it_lies()?;
                self.save()?;
            }
            if other_bid > 0 || self.is_over() {
                return Ok(Revealed { waited, ..turn });
            }
            other_bid = self.other_bid(face)?;
            waited += 1;
        }
    }

    fn turn(&mut self, bid: u32, other_bid: u32) -> anyhow::Result<Revealed> {
        let turn = self.judge.judged(self.seat(), bid, other_bid)?;
        let (a, b) = self.seat().person_first(bid, other_bid);
        self.game.play(a, b)?;
        let still =
            self.game.turns().iter().rev().take_while(|turn| turn.bid_a + turn.bid_b == 0).count();
        if still == STANDSTILL as usize && !self.is_over() {
            self.game.end_where_it_lies()?;
        }
        self.save()?;
        Ok(turn)
    }

    fn seat(&self) -> Seat<'_> {
        Seat { game: &self.game, player: self.args.player, against: &self.args.against }
    }

    const fn is_blind(&self) -> bool {
        matches!(self.judge, Judge::Blind { .. })
    }

    pub(super) fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    pub(super) fn is_decided(&self) -> bool {
        self.args.to.is_none_or(|to| self.score.iter().any(|&score| score >= f64::from(to)))
    }

    pub(super) fn nothing(&self) -> Move {
        if self.game.rules().min_bid() == 0 { Move::Wait } else { Move::Bid(0) }
    }

    pub(super) fn is_begun(&self) -> bool {
        !self.game.turns().is_empty()
    }

    /// Writes the accounts; the opponent's is hidden during a blind game.
    pub(super) fn accounts(&self) -> [String; 2] {
        let mut accounts = accounts(self.game.state());
        if self.is_blind() && !self.is_over() && self.is_begun() {
            accounts[self.args.player.opponent() as usize] =
                format!("{} ?", self.args.player.opponent());
        }
        accounts
    }

    fn payoff(&self) -> f64 {
        let payoff = self
            .game
            .payoff()
            .map_or(0.0, |payoff| *payoff.numer() as f64 / *payoff.denom() as f64);
        payoff * f64::from(self.args.player.direction())
    }

    pub(super) fn heading(&self) -> [String; 2] {
        let tennis = if self.is_blind() { "Blind Tennis" } else { "Tennis" };
        let direction = if self.args.player == Player::A { "right" } else { "left" };
        let (player, name, seed) = (self.args.player, &self.args.against, self.seed);
        [
            format!("{tennis} from {}, {}", self.start, describe(self.game.rules())),
            format!(
                "You are {player} and hit to the {direction}; {name} is {}, seed {seed}",
                player.opponent()
            ),
        ]
    }

    /// Writes both bids and the ball in a sentence, and their losses in another, if known.
    pub(super) fn turn_in_words(&self, turn: &Revealed) -> Vec<String> {
        let mut lines = match turn.waited {
            0 => Vec::new(),
            1 => vec!["You bid 0, and nothing changed".to_owned()],
            waited => vec![format!("You bid 0 in {waited} turns, and nothing changed")],
        };
        let goes = if turn.ball == turn.ball_before { "stays at" } else { "goes to" };
        let other = turn
            .other_bid
            .map(|bid| format!(", {} bids {bid}", self.args.against))
            .unwrap_or_default();
        lines.push(format!("You bid {}{other}: the ball {goes} {}", turn.bid, turn.ball));
        let other = turn
            .other_loss
            .map(|loss| format!(", the other one {}", cost_in_words(loss)))
            .unwrap_or_default();
        lines
            .extend(turn.loss.map(|loss| {
                format!("on average your bid cost you {}{other}", cost_in_words(loss))
            }));
        lines
    }

    pub(super) fn verdict(&self) -> String {
        let Some(outcome) = self.game.outcome() else {
            return format!("The game ends at {}", self.game.state());
        };
        let verdict = match self.payoff() {
            0.0 => "nobody wins".to_owned(),
            payoff if payoff > 0.0 => format!("you win {payoff}"),
            payoff => format!("you lose {}", -payoff),
        };
        if self.game.ended_where_it_lies() {
            return format!("Nobody bids any more: {outcome}, and {verdict}");
        }
        format!("The game is over, {outcome}: {verdict}")
    }

    pub(super) fn standing(&self) -> Option<String> {
        let (to, [you, other]) = (self.args.to?, self.score);
        Some(match self.is_decided() {
            true if you > other => format!("You win the match, {you} to {other}"),
            true => format!("You lose the match, {you} to {other}"),
            false => format!("The score is {you} to {other}, and the match goes to {to}"),
        })
    }

    pub(super) fn write_rules(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        for line in rules::in_words(self.game.rules(), [self.start.a, self.start.b]) {
            writeln!(out, "  {line}")?;
        }
        if self.is_blind() {
            writeln!(out, "  Played blind, only the ball is announced, not the bids.")?;
        }
        Ok(())
    }

    /// Writes the best bids in the person's place.
    pub(super) fn write_hint(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.judge.write_hint(self.seat(), out)
    }

    /// Writes what the bids of the game cost.
    pub(super) fn write_review(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.judge.write_review(self.seat(), out)
    }

    fn save(&self) -> anyhow::Result<()> {
        let Some(record) = &self.args.record else { return Ok(()) };
        record.write(|out: &mut dyn Write| write!(out, "{}{}", self.earlier, self.game.to_table()))
    }
}
