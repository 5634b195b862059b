//! `train` in games of other rules: learners at every state or information set, judged by best
//! responses on the way.

use std::io::{self, Write};
use std::time::Instant;

use pencil_tennis::agents::{
    GameTraining, HiddenTraining, LearnerKind, LearningCurve, SweepLearner,
};
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::hidden::Judgement;
use pencil_tennis::report::{Document, WriteCsv};
use pencil_tennis::stochastic_game::{
    PolicyJudgement, StochasticGame, StochasticSolution, StochasticSolver,
};
use pencil_tennis::{ByPlayer, Enclosure, Player};
use serde::Serialize;

use super::checkpoints::{self, Keeper};
use super::fold::columns;
use super::game_source::{read_game, read_hidden_game};
use super::interrupt::{self, Interrupted};
use super::matrix::is_matrix;
use super::numbers::{grouped, number};
use super::output::{Output, write_to};
use super::progress::Bar;
use super::report::{FormatArgs, beside};
use super::screen::{Screen, counted};
use super::usage::wrong_usage;
use super::word::{Word, quoted};

/// Trains a learner in a game of other rules than Tennis, and writes what it has learned.
pub(super) fn train(
    kind: Option<LearnerKind>,
    game: &Word,
    games: u64,
    output: Option<&Output>,
    format: FormatArgs,
) -> anyhow::Result<()> {
    let Some(kind) = kind else {
        wrong_usage("a learner is missing, such as `pencil-tennis train cfr-plus GAME`")
    };
    if is_matrix(game.path()) {
        wrong_usage(format!(
            "one matrix game leaves nothing to learn; `pencil-tennis solve {}` solves it",
            quoted(game)
        ));
    }
    if let Some(output) = output {
        output.check_only("what was learned", "csv");
        format.check_room(output);
        output.check(&[game.path()])?;
    }
    let wanted = Wanted { kind, game, games, output, format };
    if let Some(source) = read_hidden_game(game.path(), None)? {
        return wanted.train(&mut HiddenTraining::new(kind, &source.tree)?);
    }
    let game = read_game(game.path(), StochasticGame::MEMORY_LIMIT)?;
    // A learner that is not for this game is refused before the game is solved.
    GameTraining::new(kind, &game)?;
    let solution = checkpoints::solve_game(StochasticSolver::new(game), &Keeper::default())?;
    let training = GameTraining::new(kind, solution.game())?;
    wanted.train(&mut Judged { training, solution: &solution })
}

/// A learner and the judge of what it has learned.
trait JudgedLearner {
    fn learner(&mut self) -> &mut dyn SweepLearner;

    /// The mean gain of both best responses to what was learned, with proved bounds.
    fn exploitability(&self) -> anyhow::Result<Enclosure>;

    fn write(&self, out: &mut dyn Write) -> io::Result<()>;
}

impl JudgedLearner for HiddenTraining<'_> {
    fn learner(&mut self) -> &mut dyn SweepLearner {
        self
    }

    fn exploitability(&self) -> anyhow::Result<Enclosure> {
        let ByPlayer { a, b } = self.strategies()?;
        let [a, b] = [Judgement::new(self.tree(), a)?, Judgement::new(self.tree(), b)?];
        Ok(Judgement::exploitability(&ByPlayer { a, b }))
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_csv(out)
    }
}

/// A learner beside the solution by which it is judged.
struct Judged<'s> {
    training: GameTraining<'s>,
    solution: &'s StochasticSolution,
}

impl JudgedLearner for Judged<'_> {
    fn learner(&mut self) -> &mut dyn SweepLearner {
        &mut self.training
    }

    fn exploitability(&self) -> anyhow::Result<Enclosure> {
        let judge = |player| {
            let policy = self.training.policy(player)?;
            interrupt::with_progress("judging", |watch| self.solution.judge(&policy, watch))
        };
        let judgements = [judge(Player::A)?, judge(Player::B)?];
        let start = self.solution.game().starts()[0] as usize;
        let exploitability = PolicyJudgement::exploitability(&judgements, start)?;
        exploitability.ok_or_else(|| anyhow::anyhow!("a learner plays both sides"))
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.training.write_csv(out)
    }
}

/// A judgement of the learner after a number of games.
#[derive(Serialize)]
struct Point {
    games: u64,
    /// The seconds of learning, without judging.
    seconds: f64,
    exploitability: f64,
    guaranteed: Guaranteed,
}

#[derive(Serialize)]
struct Guaranteed {
    exploitability: Enclosure,
}

/// A request to train: the learner, the game, and where the result goes.
struct Wanted<'w> {
    kind: LearnerKind,
    game: &'w Word,
    games: u64,
    output: Option<&'w Output>,
    format: FormatArgs,
}

impl Wanted<'_> {
    fn train(&self, judged: &mut impl JudgedLearner) -> anyhow::Result<()> {
        let mut out = beside(&[self.output]);
        if !self.format.is_json() {
            writeln!(out, "{} learns {}", self.kind, self.game)?;
            writeln!(out, "  guarantee: {}", judged.learner().guarantee())?;
            writeln!(out, "\n{}", row([&"games", &"seconds", &"exploitability", &"at most"]))?;
        }
        let (played, curve) = interrupt::interruptible(|| self.learn(judged, &mut out))?;
        let is_interrupted = interrupt::check_cancel().is_break();
        if is_interrupted {
            // The strategies are written; a second Ctrl-C interrupts the writing.
            interrupt::acknowledge();
        }
        write_to(self.output, |out| judged.write(out))?;
        if is_interrupted {
            let kept = self.output.map_or_else(
                || "nothing was written".to_owned(),
                |output| format!("{} has them", output.name()),
            );
            return Err(Interrupted(format!(
                "{} were played; {kept}",
                counted(played as usize, "game")
            ))
            .into());
        }
        let report = object! {
            learner: self.kind,
            guarantee: judged.learner().guarantee(),
            games: played,
            sweeps: judged.learner().sweeps(),
            curve: &curve,
        };
        self.format.print(&Document::of_no_game(&report), &[self.output], |out| {
            let Some(last) = curve.last() else { return Ok::<_, io::Error>(()) };
            let after = format!(
                "{}, {}",
                counted(played as usize, "game"),
                counted(judged.learner().sweeps() as usize, "sweep")
            );
            writeln!(out, "\n  exploitability {} after {after}", number(last.exploitability))
        })
    }

    /// Trains, and judges after 1, 2, 5, 10, 20, … games, or the first sweep beyond. Returns the
    /// games played and the judgements; Ctrl-C ends it before the next one.
    fn learn(
        &self,
        judged: &mut impl JudgedLearner,
        out: &mut Screen,
    ) -> anyhow::Result<(u64, Vec<Point>)> {
        let lessons = judged.learner().lessons().max(1) as u64;
        let (mut bar, mut curve) = (Bar::new("learning"), Vec::new());
        let (mut games, mut seconds) = (0, 0.0);
        for step in LearningCurve::ladder(self.games) {
            if games >= step {
                continue;
            }
            let begin = Instant::now();
            while games < step {
                judged.learner().sweep();
                games += lessons;
                bar.show(games as f64 / self.games as f64);
                if interrupt::check_cancel().is_break() {
                    return Ok((games, curve));
                }
            }
            seconds += begin.elapsed().as_secs_f64();
            let exploitability = match judged.exploitability() {
                Err(_) if interrupt::check_cancel().is_break() => return Ok((games, curve)),
                judged => judged?,
            };
            let point = Point {
                games,
                seconds,
                exploitability: exploitability.middle(),
                guaranteed: Guaranteed { exploitability },
            };
            if !self.format.is_json() {
                bar.aside(|| {
                    let (games, seconds) = (grouped(games as usize), format!("{seconds:.3}"));
                    let middle = format!("{:.6}", point.exploitability);
                    Ok(writeln!(
                        out,
                        "{}",
                        row([&games, &seconds, &middle, &rounded_up(exploitability.upper())])
                    )?)
                })?;
            }
            curve.push(point);
        }
        Ok((games, curve))
    }
}

fn row(cells: [&dyn std::fmt::Display; 4]) -> String {
    columns(" ", [15, 10, 16, 16])(cells)
}
