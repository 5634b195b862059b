//! Games of other rules than Tennis, for the commands that solve, show, export, prove and judge
//! them.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use clap::Args;
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::model_checking::is_model_text;
use pencil_tennis::report::{
    BestPayoffReport, Document, GameExploitReport, JudgementReport, ModelReport, NotProvedReport,
    StochasticGameReport, StochasticStateReport, read_file, read_game_policy,
    write_game_strategies, write_game_values,
};
use pencil_tennis::stochastic_game::{
    Kind, PolicyJudgement, StateView, StationaryPolicy, StochasticCheckpoint, StochasticExact,
    StochasticGame, StochasticGameError, StochasticGameFault, StochasticSolution, StochasticSolver,
};
use pencil_tennis::{Digits, Error, Player, Solver};

use super::certificate_file;
use super::checkpoints::{self, Keeper, KeptFiles, Reached, Resumed};
use super::fold::wrapped;
use super::game_args::{Refine, WorkArgs};
use super::game_source::{
    HiddenSource, KeptStates, MOST_BYTES, ModelArgs, read_game, read_hidden_game, read_player,
    state_of,
};
use super::hidden::HiddenTask;
use super::interrupt::{self, Interrupted};
use super::numbers::{gap, seconds};
use super::report::{FormatArgs, OneOrMany, check_all};
use super::screen::{Screen, bounded, counted, note};
use super::strategies::write_actions;
use super::usage::{check_options, wrong_usage};
use super::wanted::Wanted;
use super::word::Word;

const MOST_STARTS: usize = 5;

/// The most states that an error names of which nothing is proved.
const MOST_NOT_PROVED: usize = 20;

const LONGEST_FRACTION: usize = 20;

/// How a game of other rules than Tennis is read and solved.
#[derive(Debug, Args)]
#[command(next_help_heading = "Games of other rules")]
pub(super) struct AnyGameArgs {
    /// Where play can return: the width of bounds, in payoffs, that is narrow enough [default: as
    /// narrow as numbers allow]
    #[arg(long, value_name = "W", value_parser = gap)]
    width: Option<f64>,
    /// With hidden information: the width of bounds, as a share of the span of payoffs, at which
    /// solving ends [default: 1e-9]
    #[arg(long, value_name = "G", value_parser = gap)]
    gap: Option<f64>,
    /// With hidden information: seconds after which solving ends with the bounds reached
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<f64>,
    #[command(flatten)]
    model: ModelArgs,
}

/// The options of [`AnyGameArgs`], by name or group: clap gives no group to a struct in which
/// others are flattened.
pub(super) const OWN_OPTIONS: [&str; 5] = ["width", "gap", "seconds", "property", "ModelFiles"];

/// The options that a game of other rules takes, too, in every command that solves it.
const COMMON_OPTIONS: [&str; 2] = ["WorkArgs", "FormatArgs"];

/// Of these and of a command's own options, those that games with hidden information take.
const HIDDEN_OPTIONS: [&str; 12] = [
    "gap",
    "seconds",
    "probabilities",
    "WorkArgs",
    "FormatArgs",
    "refine",
    "resume",
    "table",
    "output",
    "format",
    "state",
    "CheckpointArgs",
];

/// A game of other rules than Tennis, and what is asked of it.
pub(super) struct GameTask<'t> {
    /// A file, `@NAME` of the gallery, or `-` for standard input.
    pub(super) file: &'t Path,
    pub(super) wanted: Wanted<'t>,
    pub(super) args: &'t AnyGameArgs,
    /// The options that the command takes for such games besides those of all commands, by name or
    /// group.
    pub(super) options: &'t [&'t str],
    pub(super) refine: Option<Refine>,
    /// Bits of exact values, if these are asked for.
    pub(super) exact: Option<usize>,
    /// Decimals of exact values, if these are asked for.
    pub(super) digits: Option<usize>,
    /// The checkpoint or table from which the solve goes on.
    pub(super) from: Option<&'t Path>,
    pub(super) kept: KeptFiles<'t>,
    pub(super) work: WorkArgs,
    pub(super) format: FormatArgs,
}

impl<'t> GameTask<'t> {
    /// The task to give this answer about a game that is solved as usual and not kept.
    pub(super) fn new(
        game: &'t Word,
        wanted: Wanted<'t>,
        args: &'t AnyGameArgs,
        work: WorkArgs,
    ) -> Self {
        Self {
            file: game.path(),
            wanted,
            args,
            options: &[],
            refine: None,
            exact: None,
            digits: None,
            from: None,
            kept: KeptFiles::default(),
            work,
            format: FormatArgs::default(),
        }
    }

    pub(super) fn run(self) -> anyhow::Result<()> {
        let checkpoint = self.kept.checkpoint_output();
        let outputs = [self.wanted.output(), self.kept.save, checkpoint.as_ref()];
        let policy = self.wanted.policy_file();
        let read: Vec<&Path> = [Some(self.file), policy].into_iter().flatten().collect();
        check_all(&outputs, &read, self.format)?;
        self.kept.check_new(self.from)?;
        // It knows how an interrupted command goes on, also while the game is read.
        let keeper = self.kept.keeper();
        let hidden = read_hidden_game(self.file, self.args.model.probabilities())?;
        if let Some(source) = hidden {
            self.check_hidden_options();
            return self.run_hidden(source, &keeper);
        }
        check_options(self.file.display(), &self.taken_options());
        if self.args.gap.is_some() {
            wrong_usage(
                "--gap is for games with hidden information; for all others there is --width, in payoffs",
            );
        }
        if self.refine.is_some() {
            wrong_usage(
                "--refine is for Tennis (dresher) and for games with hidden information (quasi-perfect)",
            );
        }
        if self.args.seconds.is_some() {
            wrong_usage(
                "--seconds is for games with hidden information; a checkpoint keeps what is solved of all others",
            );
        }
        match self.wanted {
            Wanted::Values(output) => output.check_only("the table of values", "csv"),
            Wanted::Strategies(output) => output.check_only("the table of strategies", "csv"),
            _ => {}
        }
        let mut resumed = self.from.map(Resumed::open).transpose()?;
        if let Some(resumed) = &resumed {
            keeper.note_states(resumed);
            if resumed.states.is_some() && !is_model_text(self.file) {
                let wanted = "it has the states of a model; expected the model, such as model.prism, and --property";
                anyhow::bail!("{}: {wanted}", self.from.unwrap_or(self.file).display());
            }
        }
        let kept = KeptStates::new(&keeper, resumed.as_mut());
        let (game, model) = match self.args.model.read(self.file, self.work, kept)? {
            Some((game, model)) => (game, Some(model)),
            None => (read_game(self.file, self.work.memory())?, None),
        };
        let policy = policy.map(|path| read_policies(&game, path)).transpose()?;
        for state in self.wanted.states() {
            state_of(&game, Some(state))?;
        }
        // A signal that comes when everything is solved does not prevent the writing.
        let checkpoint = resumed.and_then(|resumed| resumed.solve);
        let solved = interrupt::interruptible(|| self.solve_and_write(game, &keeper, checkpoint))?;
        let Solved { solution, not_proved, is_interrupted, became, bytes } = solved;
        let is_whole = not_proved.is_empty();
        // A policy is of the whole game.
        let judgements = if is_whole { self.judgements(&solution, policy)? } else { Vec::new() };
        let exact = self.exact.or(self.digits.map(|_| Solver::EXACT_BITS));
        let exact = exact
            .map(|bits| interrupt::with_progress("proving", |watch| solution.exact(bits, watch)))
            .transpose()?;
        let asked: Vec<usize> = self
            .wanted
            .states()
            .iter()
            .filter_map(|state| solution.game().place(state).ok())
            .collect();
        let answer = match self.wanted {
            Wanted::Start => Some(Answer::Game),
            Wanted::States(_) => {
                Some(Answer::States(self.shown(&solution, &asked, exact.as_ref())?))
            }
            Wanted::Values(_) | Wanted::Strategies(_) => None,
            // The error says why there is none.
            Wanted::Certificate(_) | Wanted::Judgement { .. } if !is_whole => None,
            Wanted::Certificate(output) => Some(Answer::Certificate { file: output.name(), bytes }),
            Wanted::Judgement { policy, .. } => Some(Answer::Judgement {
                policy,
                judgement: JudgementReport::new(&solution, &judgements, &asked)?,
            }),
        };
        if let Some(answer) = answer {
            let mut report = StochasticGameReport::new(&solution, exact.as_ref())?;
            report.model = model;
            report.not_proved.clone_from(&not_proved);
            self.print(&report, &answer, became.as_deref())?;
            if let (Answer::States(shown), true) = (&answer, self.digits.is_some()) {
                for state in shown.iter().filter(|state| state.digits.is_none()) {
                    note(&format!(
                        "note: no fraction is known of `{}`, so that --digits adds nothing to its bounds",
                        state.state
                    ));
                }
            }
        }
        if is_interrupted {
            let reached = "the bounds are those proved so far".to_owned();
            return Err(
                Interrupted(interrupt::remains_of(Some(reached)).unwrap_or_default()).into()
            );
        }
        if is_whole { Ok(()) } else { Err(self.not_proved(&not_proved)) }
    }

    /// The states that are asked for, or else the starts.
    fn shown(
        &self,
        solution: &StochasticSolution,
        asked: &[usize],
        exact: Option<&StochasticExact<'_>>,
    ) -> anyhow::Result<Vec<StochasticStateReport>> {
        let starts: Vec<usize> =
            solution.game().starts().iter().map(|&start| start as usize).collect();
        let shown = if self.wanted.states().is_empty() { &starts } else { asked };
        let report = |&state: &usize| {
            Ok(StochasticStateReport::exactly(solution, state, exact, self.digits)?)
        };
        shown.iter().map(report).collect()
    }

    /// Prints an answer. As JSON, one state that was asked for is an object, and several are an
    /// array, as those of Tennis are.
    fn print(
        &self,
        report: &StochasticGameReport<'_>,
        answer: &Answer<'_>,
        became: Option<&str>,
    ) -> anyhow::Result<()> {
        let outputs = [self.wanted.output(), self.kept.save];
        let text = |out: &mut Screen| {
            write_game(out, report, answer)?;
            became.map_or(Ok(()), |became| writeln!(out, "\n{became}"))?;
            match answer {
                Answer::Judgement { judgement, .. } => {
                    write_judgement(out, judgement, report.start.len())
                }
                _ => Ok(()),
            }
        };
        let (model, game) = (report.model.as_ref(), report.solution.game());
        match answer {
            Answer::Game => self.format.print(&Document::of_no_game(report), &outputs, text),
            Answer::States(shown) => {
                let document = |state| {
                    Document::of_no_game(object! {
                        #[serde(flatten)]
                        model: model,
                        kind: game.kind().to_string(),
                        #[serde(flatten)]
                        state: state,
                    })
                };
                let documents: Vec<_> = shown.iter().map(document).collect();
                self.format.print(
                    &OneOrMany::new(&documents, self.wanted.states().len()),
                    &outputs,
                    text,
                )
            }
            Answer::Certificate { file, bytes } => {
                let certificate = object! {
                    #[serde(flatten)]
                    model: model,
                    kind: game.kind().to_string(),
                    file: file,
                    bytes: bytes,
                    states: game.len(),
                    widest_enclosure: report.solution.widest_enclosure(),
                    read_back: true,
                };
                self.format.print(&Document::of_no_game(certificate), &outputs, text)
            }
            Answer::Judgement { policy, judgement } => {
                let policy = policy.to_string();
                let report = GameExploitReport::new(&policy, model, judgement)?;
                self.format.print(&Document::of_no_game(report), &outputs, text)
            }
        }
    }

    /// The options that a game without hidden information takes.
    fn taken_options(&self) -> Vec<&'t str> {
        [&OWN_OPTIONS[..], &COMMON_OPTIONS, self.options].concat()
    }

    /// Rejects all given options that a game with hidden information does not take.
    fn check_hidden_options(&self) {
        let mut taken = self.taken_options();
        // Of the options about models these games have one.
        taken.push("probabilities");
        taken.retain(|option| HIDDEN_OPTIONS.contains(option));
        check_options("a game with hidden information", &taken);
    }

    fn run_hidden(&self, source: HiddenSource, keeper: &Keeper<'_>) -> anyhow::Result<()> {
        if matches!(self.wanted, Wanted::Values(_)) {
            wrong_usage(
                "a game with hidden information has one value, which `solve` prints; expected `export strategies`",
            );
        }
        if let Wanted::Strategies(output) = self.wanted {
            output.check_only("the table of strategies", "csv");
        }
        if matches!(self.refine, Some(Refine::Dresher)) {
            wrong_usage(
                "--refine dresher is for Tennis; games with hidden information have --refine quasi-perfect",
            );
        }
        let task = HiddenTask {
            wanted: self.wanted,
            gap: self.args.gap,
            is_refined: self.refine.is_some(),
            seconds: self.args.seconds,
            memory: self.work.memory(),
            threads: self.work.threads,
            keeper,
            resume: self.from,
            format: self.format,
        };
        task.run(source)
    }

    /// How much is lost by the policy that is to be judged: read from a file, or named.
    fn judgements(
        &self,
        solution: &StochasticSolution,
        read: Option<Vec<StationaryPolicy>>,
    ) -> anyhow::Result<Vec<PolicyJudgement>> {
        let Wanted::Judgement { policy: name, .. } = self.wanted else { return Ok(Vec::new()) };
        let named =
            || Player::BOTH.into_iter().map(|player| read_player(solution, name, player)).collect();
        let policies = read.map_or_else(named, Ok)?;
        let judge =
            |policy| interrupt::with_progress("judging", |watch| solution.judge(policy, watch));
        policies.iter().map(judge).collect()
    }

    /// The error that names the states of which nothing is proved, and the outputs that are missing
    /// for that reason.
    fn not_proved(&self, states: &[NotProvedReport]) -> anyhow::Error {
        let mut lines: Vec<String> =
            states.iter().take(MOST_NOT_PROVED).map(NotProvedReport::to_string).collect();
        if states.len() > MOST_NOT_PROVED {
            let others = counted(states.len() - MOST_NOT_PROVED, "other state");
            lines.push(format!(
                "and nothing is proved of {others}; `solve` with --format json lists all"
            ));
        }
        match self.wanted {
            Wanted::Certificate(output) => {
                lines.push(format!(
                    "no certificate is written to {}: it would have to prove all states",
                    output.name()
                ));
            }
            Wanted::Judgement { .. } => {
                lines.push(
                    "the policy is not judged: best responses may need all states".to_owned(),
                );
            }
            _ => {}
        }
        anyhow::Error::msg(lines.join("\n"))
    }

    /// Solves the game without the states of which nothing is proved and those from which play can
    /// reach them.
    ///
    /// # Errors
    /// Any other fault; that nothing is left.
    fn solve_provable(
        &self,
        game: StochasticGame,
        keeper: &Keeper<'_>,
        checkpoint: Option<File>,
    ) -> anyhow::Result<Solved> {
        // All of an acyclic game is proved.
        let mut kept = (game.kind() != Kind::Acyclic).then(|| game.clone());
        let mut not_proved = Vec::new();
        let mut solved = self.solve(game, keeper, checkpoint);
        loop {
            let error = match solved {
                Ok(solved) => return Ok(Solved { not_proved, ..solved }),
                Err(error) => error,
            };
            let Some((game, (state, failed))) = kept.take().zip(failed_state(&error)) else {
                return Err(error);
            };
            let rest = game.without(game.place(state)?)?;
            not_proved.extend(NotProvedReport::of_error(&game, failed, rest.as_ref()));
            let Some(rest) = rest else { return Err(self.not_proved(&not_proved)) };
            // A checkpoint is of the whole game.
            let again =
                checkpoints::solve_cyclic_game(self.solver(rest.clone()), &Keeper::default());
            solved = again.map(Solved::whole);
            kept = Some(rest);
        }
    }

    fn solver(&self, game: StochasticGame) -> StochasticSolver<'static> {
        let solver = StochasticSolver::new(game).width(self.args.width.unwrap_or(0.0));
        match self.work.threads {
            Some(threads) => solver.threads(threads),
            None => solver,
        }
    }

    /// Solves the game, as far as something is proved, and writes its files.
    fn solve_and_write(
        &self,
        game: StochasticGame,
        keeper: &Keeper<'_>,
        checkpoint: Option<File>,
    ) -> anyhow::Result<Solved> {
        let mut solved = self.solve_provable(game, keeper, checkpoint)?;
        let Solved { solution, not_proved, .. } = &solved;
        match self.wanted {
            Wanted::Values(output) => output.write(|out| write_game_values(solution, out))?,
            Wanted::Strategies(output) => {
                output.write(|out| write_game_strategies(solution, out))?;
            }
            Wanted::Certificate(output) if not_proved.is_empty() => {
                solved.bytes = certificate_file::write_game(output, solution)?;
            }
            _ => {}
        }
        interrupt::check()?;
        Ok(solved)
    }

    /// Solves the game, from a checkpoint if there is one, and writes what is kept of it. Ctrl-C
    /// ends the solve of a game in which play can return with the bounds proved so far: an acyclic
    /// game has none of them before it is solved.
    fn solve(
        &self,
        game: StochasticGame,
        keeper: &Keeper<'_>,
        checkpoint: Option<File>,
    ) -> anyhow::Result<Solved> {
        let is_acyclic = game.kind() == Kind::Acyclic;
        let mut solver = self.solver(game);
        if let (Some(path), Some(checkpoint)) = (self.from, checkpoint) {
            let name = || path.display().to_string();
            solver = solver.resume(StochasticCheckpoint::read(checkpoint).with_context(name)?);
        }
        let is_of_checkpoint = |error: &anyhow::Error| match error.downcast_ref() {
            Some(Error::StochasticGame(error)) => {
                matches!(error.fault(), StochasticGameFault::Checkpoint { .. })
            }
            _ => false,
        };
        let solved = if is_acyclic {
            checkpoints::solve_game(solver, keeper)
                .map(|solution| Reached { solution, is_interrupted: false })
        } else {
            checkpoints::solve_cyclic_game(solver, keeper)
        };
        let reached = solved.map_err(|error| match self.from {
            Some(path) if is_of_checkpoint(&error) => error.context(path.display().to_string()),
            _ => error,
        })?;
        let mut solved = Solved::whole(reached);
        // After Ctrl-C the bounds are in the checkpoint already.
        if !solved.is_interrupted && self.kept.is_any() {
            let checkpoint = solved.solution.checkpoint()?;
            solved.became = self.kept.write(|out| checkpoint.write(out))?;
        }
        Ok(solved)
    }
}

/// The policies of a csv file.
fn read_policies(game: &StochasticGame, path: &Path) -> anyhow::Result<Vec<StationaryPolicy>> {
    read_game_policy(game, &read_file(path, MOST_BYTES)?)
        .with_context(|| path.display().to_string())
}

/// The answer that is printed about a solved game.
enum Answer<'a> {
    /// The game and its starts.
    Game,
    States(Vec<StochasticStateReport>),
    /// The file of a certificate, which was read back and checked, with its size.
    Certificate {
        file: String,
        bytes: u64,
    },
    Judgement {
        policy: &'a Word,
        judgement: JudgementReport<'a>,
    },
}

/// A game that was solved as far as something is proved.
struct Solved {
    solution: StochasticSolution,
    /// The states that are left out.
    not_proved: Vec<NotProvedReport>,
    /// Whether Ctrl-C ended the solve with the bounds proved by then.
    is_interrupted: bool,
    /// A sentence about what became of the checkpoint.
    became: Option<String>,
    /// The size of the certificate that was written.
    bytes: u64,
}

impl Solved {
    /// A game of which no state is left out.
    fn whole(reached: Reached<StochasticSolution>) -> Self {
        let Reached { solution, is_interrupted } = reached;
        Self { solution, not_proved: Vec::new(), is_interrupted, became: None, bytes: 0 }
    }
}

/// The state of which a solve proved nothing, with its error; `None` for any other error.
fn failed_state(error: &anyhow::Error) -> Option<(&str, &StochasticGameError)> {
    let Some(Error::StochasticGame(error)) = error.downcast_ref() else { return None };
    let is_unproved = matches!(
        error.fault(),
        StochasticGameFault::TooLong | StochasticGameFault::NotProved { .. }
    );
    error.state().filter(|_| is_unproved).map(|state| (state, error))
}

fn write_judgement(
    out: &mut impl Write,
    report: &JudgementReport<'_>,
    starts: usize,
) -> io::Result<()> {
    let (from_starts, asked) = report.states.split_at(starts);
    let states = || from_starts.iter().take(MOST_STARTS).chain(asked).copied();
    if let Some(nature) = report.solution.game().nature() {
        writeln!(
            out,
            "\nNature chooses uncertain probabilities against the policy; in the value, for {nature}"
        )?;
    }
    for judgement in report.judgements {
        let player = judgement.player();
        if judgement.is_rounded() {
            writeln!(out, "\n{player}'s probabilities were rounded to multiples of 2^-62")?;
        }
        for state in states() {
            writeln!(out, "\n{player}'s policy, against the best response from {}", state.name())?;
            let judged = judgement.state(state.number()).map_err(io::Error::other)?;
            let payoff = judged.secured.decimal();
            writeln!(out, "  A wins {payoff} (proved: {} to {})", payoff.lower, payoff.upper)?;
            writeln!(out, "  {player} loses {} of the value", judged.loss.decimal())?;
        }
        let worst = report.worst(judgement);
        if !worst.is_empty() {
            writeln!(
                out,
                "  its worst choices, and what they lose by themselves, with optimal play afterwards"
            )?;
            writeln!(out, "  {:>20}  state", "regret")?;
        }
        for (state, _) in worst {
            let judged = judgement.state(state.number()).map_err(io::Error::other)?;
            writeln!(out, "  {:>20}  {}", judged.regret.decimal().upper, state.name())?;
        }
    }
    let several = report.states.len() > 1;
    for (index, state) in states().enumerate() {
        let exploitability = PolicyJudgement::exploitability(report.judgements, state.number())
            .map_err(io::Error::other)?;
        let Some(exploitability) = exploitability else { continue };
        let from = if several { format!(" from {}", state.name()) } else { String::new() };
        let twice = if index == 0 { " (NashConv is twice that)" } else { "" };
        writeln!(
            out,
            "{}Exploitability{from} {}{twice}",
            if index == 0 { "\n" } else { "" },
            exploitability.decimal()
        )?;
    }
    if starts > MOST_STARTS {
        writeln!(out, "\n{} more starts; --format json lists all", starts - MOST_STARTS)?;
    }
    Ok(())
}

fn write_game(
    out: &mut impl Write,
    report: &StochasticGameReport<'_>,
    answer: &Answer<'_>,
) -> io::Result<()> {
    let StochasticGameReport { solution, start, .. } = report;
    let (game, widest) = (solution.game(), solution.widest_enclosure());
    let kind = game.kind();
    if let Some(ModelReport { property, assumptions, .. }) = &report.model {
        writeln!(out, "{property}")?;
        assumptions.iter().try_for_each(|assumption| writeln!(out, "  assumed: {assumption}"))?;
    }
    if let Some(title) = game.title() {
        writeln!(out, "{title}")?;
    }
    if let Some(description) = game.description() {
        writeln!(out, "{}\n", wrapped(description))?;
    }
    let discount =
        if kind == Kind::Discounted { format!(" at {}", game.discount()) } else { String::new() };
    writeln!(
        out,
        "{kind} game{discount}: {}, {} of them",
        counted(game.len(), "state"),
        counted(report.ends(), "end")
    )?;
    writeln!(
        out,
        "  the strategies found randomise in {}",
        counted(report.randomised_states, "state")
    )?;
    let every = if report.not_proved.is_empty() { "every" } else { "every other" };
    if !report.not_proved.is_empty() {
        writeln!(
            out,
            "  left out: {} of which nothing is proved",
            counted(report.not_proved.len(), "state")
        )?;
    }
    if widest == 0.0 {
        writeln!(out, "  {every} value is proved exactly")?;
    } else {
        let (widest, state) = (rounded_up(widest), report.widest_state());
        writeln!(out, "  {every} value is proved to within {widest}, the widest at {state}")?;
    }
    if solution.approached_states() > 0 {
        writeln!(
            out,
            "  approached and not attained: {}",
            counted(solution.approached_states(), "value")
        )?;
    }
    if let Answer::Certificate { file, .. } = answer {
        writeln!(out, "  the certificate was read back and checked: {file}")?;
    }
    if let Some(reason) = solution.width_reason() {
        writeln!(out, "  {reason}")?;
    }
    if let Some(exact) = report.exact_states {
        writeln!(out, "  values known as fractions: {exact}")?;
    }
    let (states, most) = match answer {
        Answer::States(shown) => (shown, shown.len()),
        _ => (start, MOST_STARTS),
    };
    for state in states.iter().take(most) {
        writeln!(out)?;
        if matches!(answer, Answer::Certificate { .. } | Answer::Judgement { .. }) {
            write_value(out, state)?;
            continue;
        }
        let view = game.place(&state.state).and_then(|number| game.state(number)).ok();
        let picture = view.and_then(StateView::picture);
        write_state(out, state, picture)?;
    }
    if states.len() > most {
        writeln!(out, "\n{} more starts; --format json lists all", states.len() - most)?;
    }
    Ok(())
}

/// The sentence about a state's value.
fn value_sentence(report: &StochasticStateReport) -> String {
    let is_approached = report.best_payoff.as_ref().is_some_and(|best| !best.attained);
    let approached = if is_approached { ", approached and not attained" } else { "" };
    format!("{} is worth {} to A{approached}", report.state, report.bounds.decimal())
}

/// Writes a state without its strategies.
fn write_value(out: &mut impl Write, report: &StochasticStateReport) -> io::Result<()> {
    writeln!(out, "{}", value_sentence(report))?;
    writeln!(out, "  proved: {}", bounded(&report.bounds, "value"))?;
    if let Some(best) = report.best_payoff.as_ref().filter(|best| !best.attained) {
        writeln!(out, "  the strategies secure: {}", bounded(&best.secured, "value"))?;
    }
    Ok(())
}

fn write_state(
    out: &mut impl Write,
    report: &StochasticStateReport,
    picture: Option<&str>,
) -> io::Result<()> {
    if report.over {
        writeln!(out, "{} is an end, worth {} to A", report.state, report.bounds.decimal())?;
        return write_exact(out, report);
    }
    writeln!(out, "{}", value_sentence(report))?;
    picture.into_iter().flat_map(str::lines).try_for_each(|line| writeln!(out, "    {line}"))?;
    writeln!(out, "  proved: {}", bounded(&report.bounds, "value"))?;
    write_exact(out, report)?;
    if let Some(BestPayoffReport { player, payoff, attained, secured, .. }) = &report.best_payoff {
        let how = if *attained {
            "with probability 1"
        } else {
            "with every probability below 1, and by no strategy with 1"
        };
        writeln!(out, "  {player} gets {payoff}, the best payoff from here, {how}")?;
        if !attained {
            writeln!(out, "  the strategies below secure: {}", bounded(secured, "value"))?;
        }
    }
    for (player, actions) in [("A", &report.actions.a), ("B", &report.actions.b)] {
        writeln!(out, "{player} plays")?;
        write_actions(out, actions, LONGEST_FRACTION)?;
    }
    Ok(())
}

fn write_exact(out: &mut impl Write, report: &StochasticStateReport) -> io::Result<()> {
    if let Some(exact) = &report.exact {
        writeln!(out, "  exactly {exact}")?;
    }
    if let Some(Digits { lower, value, upper, .. }) = &report.digits {
        writeln!(out, "  in decimals {}", value.as_ref().unwrap_or(lower))?;
        writeln!(out, "  lower bound {lower}\n  upper bound {upper}")?;
    }
    Ok(())
}
