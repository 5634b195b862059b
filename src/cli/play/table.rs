//! The game at the table: who bids what, what is announced, and what it was worth. How that is shown is a [`Face`]'s matter.

use std::io::{self, Write};
use std::ops::ControlFlow;

use anyhow::Context;
use pencil_tennis::{GameRecord, Player, Rules, State};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use super::judge::{Judge, Revealed, said};
use super::rules;
use crate::cli::bot::Bidder;
use crate::cli::court::accounts;
use crate::cli::game_args::describe;
use crate::cli::interrupt;
use crate::cli::output::Output;

/// The person's choice in a turn.
pub(super) enum Move {
    Bid(u32),
    Leave,
}

/// A way to show a game to a person.
pub(super) trait Face {
    /// The match begins.
    fn begin(&mut self, table: &Table<'_>) -> anyhow::Result<()>;
    /// Asks the person for a bid; the other's is fixed already.
    fn ask(&mut self, table: &Table<'_>) -> anyhow::Result<Move>;
    /// Both bids were made.
    fn reveal(&mut self, table: &Table<'_>, turn: &Revealed) -> anyhow::Result<()>;
    /// The game is over, and so may be the match; whether the person goes on.
    fn over(&mut self, table: &Table<'_>) -> anyhow::Result<ControlFlow<()>>;
    /// The person leaves, in the middle of a game or between two.
    fn left(&mut self, table: &Table<'_>) -> anyhow::Result<()>;
    /// Called again and again while a bot thinks; whether to stop.
    fn idle(&mut self) -> ControlFlow<()> {
        interrupt::keep_going()
    }
}

/// A person and the other at the table.
pub(super) struct Table<'p> {
    pub(super) person: Player,
    pub(super) name: &'p str,
    pub(super) rules: Rules,
    pub(super) start: State,
    /// The winning points that take the match, if one is played.
    pub(super) to: Option<u32>,
    pub(super) seed: u64,
    pub(super) judge: Judge<'p>,
    pub(super) opponent: Bidder<'p>,
    pub(super) generator: Pcg64,
    pub(super) record: Option<&'p Output>,
    /// The games that are over, and the one that is played.
    pub(super) games: Vec<GameRecord>,
    /// The winning points of the person, and of the other.
    pub(super) score: [f64; 2],
}

impl Table<'_> {
    /// Plays a game, or a match to a number of winning points.
    pub(super) fn play(mut self, face: &mut dyn Face) -> anyhow::Result<()> {
        face.begin(&self)?;
        loop {
            self.games.push(GameRecord::new(&self.rules, self.start_of_game())?);
            while self.rules.outcome(self.state()).is_none() {
                // The other's bid is fixed before the person's is read.
                let bits = self.generator.next_u64();
                let game = self.games.last().context("no game is played")?;
                let other = self.opponent.bid(game, bits, &mut || face.idle())?;
                let Move::Bid(own) = face.ask(&self)? else { return face.left(&self) };
                let turn = self.turn(own, other)?;
                face.reveal(&self, &turn)?;
            }
            self.opponent.over(self.state())?;
            let payoff = self.payoff();
            self.score[usize::from(payoff < 0.0)] += payoff.abs();
            if face.over(&self)?.is_break() {
                return face.left(&self);
            }
            if self.is_decided() {
                return Ok(());
            }
        }
    }

    /// Makes both bids.
    fn turn(&mut self, own: u32, other: u32) -> anyhow::Result<Revealed> {
        let (a, b) = if self.person == Player::A { (own, other) } else { (other, own) };
        let game = self.games.last_mut().context("no game is played")?;
        let turn = self.judge.reveal(self.person, game, own, other)?;
        game.play(a, b)?;
        self.save()?;
        Ok(turn)
    }

    /// Whether there is no further game.
    pub(super) fn is_decided(&self) -> bool {
        self.to.is_none_or(|to| self.score.iter().any(|&score| score >= f64::from(to)))
    }

    /// The game that is played, or was played last.
    pub(super) fn game(&self) -> Option<&GameRecord> {
        self.games.last()
    }

    pub(super) fn state(&self) -> State {
        self.game().map_or(self.start, GameRecord::state)
    }

    /// The start of the next game: in a match uneven accounts are exchanged after every game.
    fn start_of_game(&self) -> State {
        let State { a, b, ball } = self.start;
        if self.games.len() % 2 == 0 { self.start } else { State::new(b, a, ball) }
    }

    /// The accounts in words; the other's is hidden in a blind game that goes on.
    pub(super) fn accounts(&self) -> [String; 2] {
        let state = self.state();
        let hidden = self.judge.is_blind()
            && self.rules.outcome(state).is_none()
            && self.game().is_some_and(|game| !game.turns().is_empty());
        let mut accounts = accounts(state);
        if hidden {
            accounts[self.person.opponent() as usize] = format!("{} ?", self.person.opponent());
        }
        accounts
    }

    /// The person's payoff of the game that is over.
    fn payoff(&self) -> f64 {
        let payoff = self.rules.payoff(self.state()).map_or(0.0, |payoff| *payoff.numer() as f64 / *payoff.denom() as f64);
        payoff * f64::from(self.person.direction())
    }

    /// The head of the match, in two lines.
    pub(super) fn heading(&self) -> [String; 2] {
        let tennis = if self.judge.is_blind() { "Blind Tennis" } else { "Tennis" };
        let direction = if self.person == Player::A { "right" } else { "left" };
        [
            format!("{tennis} from {}, {}", self.start, describe(&self.rules)),
            format!(
                "You are {} and hit to the {direction}; {} is {}, seed {}",
                self.person,
                self.name,
                self.person.opponent(),
                self.seed
            ),
        ]
    }

    /// Both bids and the ball in a sentence, and what they cost in another, where that is known.
    pub(super) fn told(&self, turn: &Revealed) -> Vec<String> {
        let goes = if turn.ball == turn.ball_before { "stays at" } else { "goes to" };
        let other = turn.other.map(|other| format!(", {} bids {other}", self.name)).unwrap_or_default();
        let mut lines = vec![format!("You bid {}{other}: the ball {goes} {}", turn.own, turn.ball)];
        let cost = match (turn.own_loss, turn.other_loss) {
            (Some(own), Some(other)) => format!("on average your bid cost you {}, the other one {}", said(own), said(other)),
            (Some(own), None) => format!("on average your bid cost you {}", said(own)),
            (None, _) => return lines,
        };
        lines.push(cost);
        lines
    }

    /// The way the game ended, in a sentence.
    pub(super) fn verdict(&self) -> String {
        let Some(outcome) = self.rules.outcome(self.state()) else { return format!("The game ends at {}", self.state()) };
        let verdict = match self.payoff() {
            0.0 => "nobody wins".to_owned(),
            own if own > 0.0 => format!("you win {own}"),
            own => format!("you lose {}", -own),
        };
        format!("The game is over, {outcome}: {verdict}")
    }

    /// The score of a match in a sentence.
    pub(super) fn standing(&self) -> Option<String> {
        let (to, [you, other]) = (self.to?, self.score);
        Some(match self.is_decided() {
            true if you > other => format!("You win the match, {you} to {other}"),
            true => format!("You lose the match, {you} to {other}"),
            false => format!("The score is {you} to {other}, and the match goes to {to}"),
        })
    }

    /// Looks back at the game that was played last.
    pub(super) fn write_review(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        match self.game().filter(|game| !game.turns().is_empty()) {
            Some(game) => self.judge.write_review(out, self.person, self.name, game),
            None => Ok(()),
        }
    }

    /// Tells the rules of the game.
    pub(super) fn write_rules(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        for line in rules::told(&self.rules, [self.start.a, self.start.b]) {
            writeln!(out, "  {line}")?;
        }
        if self.judge.is_blind() {
            writeln!(out, "  Played blind, only the ball is announced, not the bids.")?;
        }
        Ok(())
    }

    /// Says how an optimal player bids here.
    pub(super) fn write_hint(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.judge.write_hint(out, self.person, self.name, self.game().context("no game is played")?)
    }

    /// Writes all games so far.
    fn save(&self) -> anyhow::Result<()> {
        let Some(record) = self.record else { return Ok(()) };
        let tables: Vec<String> = self.games.iter().map(GameRecord::to_table).collect();
        record.write(|out: &mut dyn io::Write| out.write_all(tables.join("\n").as_bytes()))
    }
}
