//! Questions and answers in lines, where a terminal cannot be drawn over.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::ops::ControlFlow;

use anyhow::Context;

use super::judge::Revealed;
use super::table::{Face, Move, Table};
use crate::fold::WIDTH;
use crate::fold::write_court;
use crate::numbers::whole;
use crate::screen::Screen;

const LONGEST_LINE: u64 = 1 << 12;

pub(super) struct Lines {
    pub(super) out: Screen,
}

impl Lines {
    fn court(&mut self, table: &Table<'_>) -> anyhow::Result<()> {
        Ok(write_court(
            &mut self.out,
            table.game.rules(),
            table.game.state().ball.position(),
            &table.accounts(),
            WIDTH,
        )?)
    }

    fn review(&mut self, table: &Table<'_>) -> anyhow::Result<()> {
        if table.is_begun() {
            writeln!(self.out)?;
        }
        table.write_review(&mut self.out)
    }
}

impl Face for Lines {
    fn ask(&mut self, table: &Table<'_>) -> anyhow::Result<Move> {
        writeln!(self.out, "\nTurn {}", table.game.turns().len() + 1)?;
        self.court(table)?;
        let account = table.game.state().points(table.args.player);
        let lowest = table.game.rules().lowest_bid(account);
        if account == 0 {
            writeln!(self.out, "You have no points left and bid 0")?;
            return Ok(table.nothing());
        }
        let wait = if lowest == 0 { "w to wait, " } else { "" };
        let question =
            format!("Your bid, {lowest} to {account} (? for a hint, ?rules, {wait}q to end): ");
        loop {
            let Some(line) = answer(&mut self.out, &question)? else { return Ok(Move::Leave) };
            match line.trim() {
                "" => {}
                "q" => return Ok(Move::Leave),
                "w" if lowest == 0 => return Ok(Move::Wait),
                "?" => table.write_hint(&mut self.out)?,
                "?rules" | "rules" => table.write_rules(&mut self.out)?,
                word => match read_bid(word, table, account) {
                    Ok(bid) => return Ok(Move::Bid(bid)),
                    Err(sentence) => writeln!(self.out, "{sentence}")?,
                },
            }
        }
    }

    fn reveal(&mut self, table: &Table<'_>, turn: &Revealed) -> anyhow::Result<()> {
        for (index, line) in table.turn_in_words(turn).into_iter().enumerate() {
            writeln!(self.out, "{:1$}{line}", "", 2 * index)?;
        }
        Ok(())
    }

    fn over(&mut self, table: &Table<'_>) -> anyhow::Result<ControlFlow<()>> {
        writeln!(self.out)?;
        self.court(table)?;
        writeln!(self.out, "{}", table.verdict())?;
        self.review(table)?;
        if let Some(standing) = table.standing() {
            writeln!(self.out, "\n{standing}")?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn left(&mut self, table: &Table<'_>) -> anyhow::Result<()> {
        writeln!(self.out, "\n{}", table.verdict())?;
        self.review(table)
    }
}

pub(super) fn read_bid(word: &str, table: &Table<'_>, account: u32) -> Result<u32, String> {
    let Some(bid) = whole(word).and_then(|bid| u32::try_from(bid).ok()) else {
        let lowest = table.game.rules().lowest_bid(account);
        let wait = if lowest == 0 { ", w" } else { "" };
        return Err(format!(
            "`{word}` is not a bid; expected a whole number from {lowest} to {account}, ?, ?rules{wait} or q"
        ));
    };
    table
        .game
        .rules()
        .check_bid(table.args.player, bid, account)
        .map_err(|error| error.to_string())?;
    Ok(bid)
}

/// Reads the line that answers a question, unless the input has ended.
pub(super) fn answer(out: &mut Screen, question: &str) -> anyhow::Result<Option<String>> {
    // Typing ends the line on a terminal; input from a pipe is not echoed.
    let end = if io::stdin().is_terminal() { "" } else { "\n" };
    write!(out, "{question}{end}")?;
    out.flush()?;
    let mut line = Vec::new();
    let mut input = io::stdin().lock().take(LONGEST_LINE);
    input.read_until(b'\n', &mut line).context("cannot read standard input")?;
    Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
}
