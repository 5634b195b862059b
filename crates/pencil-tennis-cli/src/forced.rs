//! The command `tennis forced`.

use std::io::{self, Write};

use clap::Args;
use pencil_tennis::analysis::{Endgame, ForcedPlay, PureComparison};
use pencil_tennis::report::{Document, ForcedReport};
use pencil_tennis::{Ball, Error, Payoff, Player, Solver, State};

use super::fold::{WIDTH, Widths, write_folded};
use super::game_args::{SolvedArgs, describe};
use super::interrupt;
use super::numbers::grouped;
use super::points::PointsArgs;
use super::report::FormatArgs;
use super::usage::wrong_usage;

const MAP_SIDE: usize = WIDTH - 9;

const NEEDED_LINES: usize = 10;

/// The letters by the number of payoffs, descending: capitals for the extremes, A's letters for A's
/// wins.
const LETTERS: [&str; 6] = ["=", "=", "AB", "A=B", "AabB", "Aa=bB"];

/// Show the payoffs that pure play can force, and where the endgame begins
#[derive(Debug, Args)]
#[command(after_help = "\
A state is decided if both players have pure optimal strategies, with which they
could announce every bid. Elsewhere a player has to randomise, now or later.

Examples:
  pencil-tennis tennis forced                # 50 points each, two-one scoring
  pencil-tennis tennis forced 20 --compare   # is pure play as good as optimal play?
  pencil-tennis tennis forced 20 --scoring win-loss    # who can force the win
  pencil-tennis tennis forced 50:40 --format json")]
pub(super) struct Forced {
    #[command(flatten)]
    points: PointsArgs,
    #[command(flatten)]
    solved: SolvedArgs,
    /// Also solve the game, and count the states in which pure play secures the value
    #[arg(long)]
    compare: bool,
    #[command(flatten)]
    format: FormatArgs,
}

impl Forced {
    pub(super) fn run(mut self) -> anyhow::Result<()> {
        self.solved.take_table(&mut self.points);
        let from_table = self.solved.table().is_some();
        if from_table && !self.compare {
            wrong_usage("--table has no effect without --compare: pure play needs no solution");
        }
        let game = self.solved.open(self.points.asked(), None)?;
        let (rules, points) = (game.rules, game.points);
        let forced =
            interrupt::with_spinner("searching", || self.solved.game.force(rules, points))?;
        let solution =
            if self.compare { Some(game.exact_solution(Solver::EXACT_BITS)?) } else { None };
        let report = interrupt::with_spinner("comparing", || {
            let mut report = ForcedReport::new(&forced)?;
            report.comparison =
                solution.map(|solution| PureComparison::new(&forced, &solution)).transpose()?;
            Ok::<_, Error>(report)
        })?;
        self.format.print(&Document::new(forced.rules(), forced.points(), &report), &[], |out| {
            write_text(out, &report)
        })
    }
}

fn write_text(out: &mut impl Write, report: &ForcedReport<'_>) -> anyhow::Result<()> {
    let forced = report.forced;
    let [a, b] = forced.points();
    let letters: Vec<(char, Payoff)> =
        LETTERS[forced.payoffs().count()].chars().zip(forced.payoffs()).collect();
    writeln!(out, "{a}:{b} points, {}\n", describe(forced.rules()))?;
    let (decided, states) = (grouped(report.decided_states()), grouped(forced.states().count()));
    writeln!(out, "  {decided} of {states} states are decided by pure play")?;
    writeln!(
        out,
        "  with at most {} points on either side every state is decided",
        report.decided_to()
    )?;
    if let Some(comparison) = &report.comparison {
        writeln!(out, "  states in which pure play gets what optimal play gets")?;
        let rows = [
            ("for both players (the decided ones)", comparison.both),
            ("for A alone", comparison.a_alone),
            ("for B alone", comparison.b_alone),
            ("for neither", comparison.neither),
            ("not known: the bounds do not tell", comparison.unknown),
        ];
        for (what, states) in rows {
            writeln!(out, "    {what:<36} {:>12}", grouped(states))?;
        }
    }
    writeln!(out)?;
    let endgames = &report.endgames;
    write_balls(out, endgames)?;
    writeln!(out)?;
    // Under an antisymmetric scoring, B's half of everything mirrors A's.
    let mirrored = forced.rules().is_antisymmetric() && a == b;
    write_needed(out, endgames, Player::A, letters[0].1)?;
    if mirrored {
        writeln!(
            out,
            "B forces {} from as many points on, with the ball and the roles exchanged",
            letters[letters.len() - 1].1
        )?;
    } else {
        write_needed(out, endgames, Player::B, letters[letters.len() - 1].1)?;
    }
    if a.max(b) as usize > MAP_SIDE {
        return Ok(writeln!(out, "\n--format json has the maps")?);
    }
    for ball in
        endgames.iter().map(|endgame| endgame.ball).filter(|ball| ball.position() <= 0 || !mirrored)
    {
        write_map(out, forced, ball, &letters)?;
    }
    writeln!(out)?;
    if mirrored {
        writeln!(
            out,
            "The map of a ball on B's side is its mirror image's, payoffs and roles exchanged"
        )?;
    }
    let legend: Vec<String> =
        letters.iter().map(|(letter, payoff)| format!("{letter} {payoff}")).collect();
    Ok(writeln!(out, "What A wins: {}; · undecided", legend.join(", "))?)
}

fn write_balls(out: &mut impl Write, endgames: &[Endgame]) -> io::Result<()> {
    writeln!(
        out,
        "{:>6}  {:>9}  {:>9}  {:<21}  last decided between",
        "ball", "decided", "all up to", "first undecided"
    )?;
    for Endgame { ball, decided_states, decided_to, first_undecided, last_between, .. } in endgames
    {
        let (decided, first, last) =
            (grouped(*decided_states), few(first_undecided), few(last_between));
        writeln!(
            out,
            "{:>6}  {decided:>9}  {decided_to:>9}  {first:<21}  {last}",
            ball.position()
        )?;
    }
    writeln!(out, "`all up to`: up to this many points on either side every state is decided;")?;
    writeln!(out, "`between`: for neither the best nor the worst end")
}

fn few(states: &[State]) -> String {
    match states {
        [] => "nowhere".to_owned(),
        [one] => one.to_string(),
        [one, two] => format!("{one} {two}"),
        [one, .., other] => format!("{one} … {other}"),
    }
}

fn write_needed(
    out: &mut impl Write,
    endgames: &[Endgame],
    player: Player,
    best: Payoff,
) -> io::Result<()> {
    writeln!(
        out,
        "The points from which on {player} forces {best}, by {}'s points and the ball",
        player.opponent()
    )?;
    let columns = endgames.iter().map(|endgame| format!("ball {}", endgame.ball));
    let lines = endgames.first().map_or(0, |endgame| endgame.needed[player].len());
    let fewest = |needed: Option<u32>| needed.map_or("-".to_owned(), |fewest| fewest.to_string());
    let row = |points: usize| {
        (points, endgames.iter().map(move |endgame| fewest(endgame.needed[player][points])))
    };
    write_folded(
        out,
        Widths { names: 8, cell: 9 },
        columns,
        (0..lines).step_by(lines.div_ceil(NEEDED_LINES).max(1)).map(row),
    )
}

/// Writes a letter for every state with this ball: B's points rise to the right, A's upward, as in
/// every figure.
fn write_map(
    out: &mut impl Write,
    forced: &ForcedPlay,
    ball: Ball,
    letters: &[(char, Payoff)],
) -> anyhow::Result<()> {
    writeln!(out, "\nBall {ball}: B's points to the right from 0, A's upward")?;
    let [most_a, most_b] = forced.points();
    for a in (0..=most_a).rev() {
        let mut line = String::new();
        for b in 0..=most_b {
            let value = forced.value(State::new(a, b, ball))?;
            let letter = letters.iter().find(|&&(_, payoff)| Some(payoff) == value);
            line.push(letter.map_or('·', |&(letter, _)| letter));
        }
        writeln!(out, "{a:>6}  {line}")?;
    }
    Ok(())
}
