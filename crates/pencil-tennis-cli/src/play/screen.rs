//! The screen of a played game, with the feature `tui`.

use std::io::Write;
use std::mem;
use std::ops::ControlFlow;
use std::time::Duration;

use anyhow::Context;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Paragraph, Wrap};
use ratatui::{DefaultTerminal, Frame};

use super::judge::{Revealed, cost_in_words};
use super::lines::read_bid;
use super::table::{Face, Move, Table};
use crate::fold::write_court;
use crate::interrupt::{self, Interrupted};
use crate::screen::Screen;

const LOOK: Duration = Duration::from_millis(100);

const SMALLEST: (u16, u16) = (36, 8);

/// The least height of a window with the court as a picture and the heading.
const TALL: u16 = 18;

/// The digits of the largest bid, and one more, so that a larger number is visible.
const LONGEST_BID: usize = 6;

/// Plays on a screen and prints the summary after leaving it.
pub(super) fn play(table: Table<'_>) -> anyhow::Result<()> {
    // Signals and panics also restore the terminal.
    interrupt::before_exit(restore);
    let terminal =
        ratatui::try_init().context("cannot draw on this terminal (--plain plays without)")?;
    let closing = format!("{}\n", table.heading().join("\n  ")).into_bytes();
    let mut screen = Drawn { terminal, view: View::default(), closing };
    let played = interrupt::interruptible(|| table.play(&mut screen));
    restore();
    Screen::new().write_all(&screen.closing)?;
    played
}

fn restore() {
    let _ = ratatui::try_restore();
}

#[derive(Default)]
struct Panel {
    title: &'static str,
    lines: Vec<String>,
    first: usize,
}

struct Drawn {
    terminal: DefaultTerminal,
    view: View,
    closing: Vec<u8>,
}

impl Drawn {
    fn key(&mut self, table: &Table<'_>) -> anyhow::Result<KeyCode> {
        loop {
            self.terminal
                .draw(|frame| self.view.draw(frame, table))
                .context("cannot draw on this terminal")?;
            if let Some(key) = pressed(LOOK)? {
                let panel = &mut self.view.panel;
                match key.code {
                    KeyCode::Up => panel.first = panel.first.saturating_sub(1),
                    // Wrapping adds lines; drawing stops at the last.
                    KeyCode::Down if panel.first < 4 * panel.lines.len() => panel.first += 1,
                    code => return Ok(code),
                }
            }
            if interrupt::check_cancel().is_break() {
                return Err(Interrupted(interrupt::remains()).into());
            }
        }
    }

    fn show(
        &mut self,
        title: &'static str,
        write: impl FnOnce(&mut Vec<u8>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut text = Vec::new();
        write(&mut text)?;
        let lines = String::from_utf8_lossy(&text).lines().map(str::to_owned).collect();
        self.view.panel = Panel { title, lines, first: 0 };
        Ok(())
    }
}

/// The next key pressed within this time. In raw mode Ctrl-C is a key, and stops the work as
/// elsewhere.
fn pressed(patience: Duration) -> anyhow::Result<Option<KeyEvent>> {
    if !event::poll(patience).context("cannot read the keyboard")? {
        return Ok(None);
    }
    match event::read().context("cannot read the keyboard")? {
        Event::Key(key) if key.kind == KeyEventKind::Press => {
            if key.modifiers.contains(KeyModifiers::CONTROL)
                && matches!(key.code, KeyCode::Char('c' | 'd'))
            {
                return Err(Interrupted(interrupt::remains()).into());
            }
            Ok(Some(key))
        }
        _ => Ok(None),
    }
}

impl Face for Drawn {
    fn ask(&mut self, table: &Table<'_>) -> anyhow::Result<Move> {
        if !table.is_begun() {
            self.view = View { message: vec!["A new game".to_owned()], ..View::default() };
        }
        let account = table.game.state().points(table.args.player);
        let lowest = table.game.rules().lowest_bid(account);
        if account == 0 {
            "You have no points left and bid 0".clone_into(&mut self.view.question);
            self.view.keys = "Enter bids · q ends the game";
        } else {
            self.view.question = format!("Your bid, {lowest} to {account}: ");
            self.view.keys = match lowest {
                0 => "Enter bids · w waits · ? hint · r rules · ↑ ↓ scroll · q ends the game",
                _ => "Enter bids · ? hint · r rules · ↑ ↓ scroll · q ends the game",
            };
        }
        loop {
            match self.key(table)? {
                KeyCode::Char('q') => return Ok(Move::Leave),
                KeyCode::Enter if account == 0 => return Ok(table.nothing()),
                KeyCode::Char('w') if account > 0 && lowest == 0 => return Ok(Move::Wait),
                KeyCode::Char('?') => self.show("Hint", |text| table.write_hint(text))?,
                // Typing `?rules` shows a hint first, which the rules replace.
                KeyCode::Char('r') => self.show("Rules", |text| table.write_rules(text))?,
                KeyCode::Char(digit)
                    if digit.is_ascii_digit()
                        && account > 0
                        && self.view.typed.len() < LONGEST_BID =>
                {
                    self.view.typed.push(digit);
                }
                KeyCode::Backspace => drop(self.view.typed.pop()),
                KeyCode::Esc => self.view.typed.clear(),
                KeyCode::Enter if !self.view.typed.is_empty() => {
                    match read_bid(&mem::take(&mut self.view.typed), table, account) {
                        Ok(bid) => return Ok(Move::Bid(bid)),
                        Err(sentence) => self.view.message = vec![sentence],
                    }
                }
                _ => {}
            }
        }
    }

    fn reveal(&mut self, table: &Table<'_>, turn: &Revealed) -> anyhow::Result<()> {
        let [loss, other_loss] =
            [turn.loss, turn.other_loss].map(|loss| loss.map(cost_in_words).unwrap_or_default());
        let other_bid = turn.other_bid.map_or("?".to_owned(), |bid| bid.to_string());
        let number = self.view.turns.len() + 1;
        let balls = format!("{} → {}", turn.ball_before, turn.ball);
        self.view.turns.push(
            format!(
                "{number:>4}  {balls:<9} {:>6}  {other_bid:>6}  {loss:>9}  {other_loss:>9}",
                turn.bid
            )
            .trim_end()
            .to_owned(),
        );
        self.view.message = table.turn_in_words(turn);
        self.view.panel = Panel::default();
        Ok(())
    }

    fn over(&mut self, table: &Table<'_>) -> anyhow::Result<ControlFlow<()>> {
        self.show("Looking back", |text| {
            writeln!(text, "{}", table.verdict())?;
            table.write_review(text)?;
            table.standing().map_or(Ok(()), |standing| Ok(writeln!(text, "{standing}")?))
        })?;
        for line in std::iter::once("").chain(self.view.panel.lines.iter().map(String::as_str)) {
            writeln!(self.closing, "{line}")?;
        }
        self.view.question = table.verdict();
        self.view.keys = if table.is_decided() {
            "Enter leaves · ↑ ↓ scroll"
        } else {
            "Enter plays the next game · ↑ ↓ scroll · q ends the match"
        };
        loop {
            match self.key(table)? {
                KeyCode::Enter => return Ok(ControlFlow::Continue(())),
                KeyCode::Char('q') => return Ok(ControlFlow::Break(())),
                _ => {}
            }
        }
    }

    fn left(&mut self, table: &Table<'_>) -> anyhow::Result<()> {
        writeln!(self.closing, "\n{}", table.verdict())?;
        table.write_review(&mut self.closing)
    }

    fn idle(&mut self) -> ControlFlow<()> {
        // Keys pressed while the opponent thinks are dropped.
        match pressed(Duration::ZERO) {
            Ok(_) => interrupt::check_cancel(),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

#[derive(Default)]
struct View {
    turns: Vec<String>,
    panel: Panel,
    message: Vec<String>,
    question: String,
    typed: String,
    keys: &'static str,
}

impl View {
    fn draw(&self, frame: &mut Frame<'_>, table: &Table<'_>) {
        let area = frame.area();
        let (width, height) = SMALLEST;
        if area.width < width || area.height < height {
            let sentence = format!(
                "{}×{} is too small; a window of {width}×{height} or more is drawn",
                area.width, area.height
            );
            frame.render_widget(Paragraph::new(sentence).wrap(Wrap { trim: true }), area);
            return;
        }
        let tall = area.height >= TALL;
        let court = court(table, if tall { usize::from(area.width) } else { 0 });
        let [first, second] = table.heading();
        let score = table.standing().filter(|_| !table.is_decided()).map(Line::from);
        let head = [Line::from(first.bold()), Line::from(second)]
            .into_iter()
            .chain(score)
            .chain([Line::default()]);
        let head: Vec<Line<'_>> = head.filter(|_| tall).collect();
        let mut message = wrapped(&self.message, area.width);
        message.extend(
            (!table.is_over())
                .then(|| format!("{} has bid, hidden until you have", table.args.against)),
        );
        let panel = wrapped(&self.panel.lines, area.width.saturating_sub(2));
        let most = if tall { area.height / 2 - 2 } else { area.height.saturating_sub(5) };
        let panel_height = if panel.is_empty() { 0 } else { (panel.len() as u16 + 2).min(most) };
        let [top, picture, sentences, middle, below, question, keys] = Layout::vertical([
            Constraint::Length(head.len() as u16),
            Constraint::Length(court.len() as u16),
            Constraint::Length(message.len() as u16),
            Constraint::Min(0),
            Constraint::Length(panel_height),
            Constraint::Length(1),
            Constraint::Length(1),
        ])
        .areas(area);
        frame.render_widget(Paragraph::new(Text::from(head)), top);
        frame.render_widget(Paragraph::new(Text::from(court)), picture);
        frame.render_widget(Paragraph::new(text(&message)), sentences);
        let [room, panel_room] =
            [middle, below].map(|area| usize::from(area.height.saturating_sub(2)));
        let (player, other) = (table.args.player, table.args.player.opponent());
        let names = format!("turn  ball        you {player}  other {other}   cost you  the other");
        let last = &self.turns[self.turns.len().saturating_sub(room)..];
        let first = self.panel.first.min(panel.len().saturating_sub(panel_room));
        let more = if panel.len() > panel_room { " ↑ ↓ " } else { "" };
        let below_turns = Block::bordered().title(self.panel.title).title_bottom(more);
        for (lines, block, area) in
            [(last, Block::bordered().title(names), middle), (&panel[first..], below_turns, below)]
        {
            if area.height > 2 {
                frame.render_widget(Paragraph::new(text(lines)).block(block), area);
            }
        }
        let asked = Line::from(vec![self.question.as_str().bold(), Span::raw(&self.typed)]);
        let end = question.x + (asked.width() as u16).min(question.width.saturating_sub(1));
        frame.render_widget(Paragraph::new(asked), question);
        frame.set_cursor_position((end, question.y));
        frame.render_widget(Paragraph::new(self.keys.dim()), keys);
    }
}

/// The court as a picture, or as a line where the width is too small; the ball is highlighted.
fn court(table: &Table<'_>, width: usize) -> Vec<Line<'static>> {
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = write_court(
        &mut text,
        table.game.rules(),
        table.game.state().ball.position(),
        &table.accounts(),
        width,
    );
    let line = |line: &str| match line.split_once('●') {
        Some((before, after)) => Line::from(vec![
            Span::raw(before.to_owned()),
            Span::styled("●", Style::new().fg(Color::Yellow).bold()),
            Span::raw(after.to_owned()),
        ]),
        None => Line::from(line.to_owned()),
    };
    String::from_utf8_lossy(&text).lines().map(line).collect()
}

fn text(lines: &[String]) -> Text<'_> {
    lines.iter().map(|line| Line::from(line.as_str())).collect()
}

fn wrapped(lines: &[String], width: u16) -> Vec<String> {
    let mut broken = Vec::new();
    for line in lines {
        let mut rest = line.as_str();
        while let Some((end, _)) = rest.char_indices().nth(usize::from(width.max(1))) {
            let cut = rest[..end]
                .trim_start()
                .rfind(' ')
                .map_or(end, |_| rest[..end].rfind(' ').unwrap_or(end));
            broken.push(rest[..cut].to_owned());
            rest = rest[cut..].trim_start();
        }
        broken.push(rest.to_owned());
    }
    broken
}
