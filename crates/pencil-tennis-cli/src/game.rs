use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::report::{
    ActionReport, Document, JudgementReport, ModelReport, NotProvedReport, StochasticGameReport, StochasticStateReport,
    read_file, read_game_policy, write_game_strategies, write_game_values,
};
use pencil_tennis::stochastic_game::{
    Kind, PolicyJudgement, StochasticCheckpoint, StochasticGame, StochasticGameError, StochasticGameFault, StochasticSolution,
    StochasticSolver,
};
use pencil_tennis::{Digits, Error, Solution, Solver};

use super::again::Kept;
use super::blind::gap;
use super::checkpoints::{self, CheckpointArgs, Keeper};
use super::fold::{Bar, names_width, wrapped, write_bars};
use super::game_args::{ExactArgs, WorkArgs, quoted};
use super::game_source::{HiddenSource, MOST_BYTES, ModelArgs, read_game, read_hidden_game, state_of};
use super::hidden::{HiddenRefine, HiddenTask};
use super::interrupt::{self, Interrupted};
use super::numbers::between;
use super::output::{Output, check_all, write_to};
use super::screen::{bounded, counted};
use super::solve::seconds;
use super::{FormatArgs, certificate_file, check_options, wrong_usage};

const MOST_STARTS: usize = 5;

/// The most states that an error names of which nothing is proved.
const MOST_NOT_PROVED: usize = 20;

const LONGEST_FRACTION: usize = 20;

const MOST_ACTIONS: usize = 30;

/// Solve any two-player zero-sum game with simultaneous moves or hidden information, from a file
#[derive(Debug, Args)]
#[command(after_help = "\
The file is JSON Lines: a line that says what the game is, then a state a line.
docs/game-format.md describes it. Every bound that is printed is proved. States
of which nothing is proved are named, and left out with those from which play
can reach them. The exit status is 1 then, and no certificate is written.
A checkpoint holds the states solved so far, in the end the whole game: with
--resume it answers further questions at once. It replaces no file but the one
of --resume.

A STATE that begins with `-` follows `--`, as in `game my.jsonl -- '-2 tired'`.

Examples:
  pencil-tennis game @snowball                            # of the gallery
  pencil-tennis game snowball.jsonl
  pencil-tennis game snowball.jsonl s --format json
  pencil-tennis game snowball.jsonl --values values.csv --strategies how.csv
  pencil-tennis game snowball.jsonl --policy how.csv      # what it loses
  pencil-tennis game my.jsonl --checkpoint my.part && pencil-tennis game my.jsonl s --resume my.part
  pencil-tennis game my.jsonl --exact                      # fractions, where play cannot return
  pencil-tennis game model.tra --property '<<1>>Pmax=? [ F s1=3 ]'   # an export of PRISM-games
  pencil-tennis game tree.efg                              # an extensive form of Gambit
  pencil-tennis game @leduc 'K raise'                      # hidden information: an information set
  pencil-tennis game @kuhn --strategies how.csv && pencil-tennis game @kuhn --policy how.csv
  pencil-tennis game my.jsonl --prove my.proof && pencil-tennis verify my.proof")]
pub(super) struct Game {
    /// The game, TREE.efg of Gambit, @NAME of the gallery, or a model with --property; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// States to show [default: the starts], or information sets
    #[arg(value_name = "STATE")]
    states: Vec<String>,
    /// Also write a table of all states: state,value,lower,upper
    #[arg(long, value_name = "CSV")]
    values: Option<Output>,
    /// Also write the strategies found: state,player,action,probability, or player,set,action,probability
    #[arg(long, value_name = "CSV")]
    strategies: Option<Output>,
    /// Also write a certificate, read it back and check it as `verify` does
    #[arg(long, value_name = "FILE")]
    prove: Option<Output>,
    /// Judge a policy against best responses: csv as --strategies writes it
    #[arg(long, value_name = "CSV")]
    policy: Option<PathBuf>,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    checkpoints: CheckpointArgs,
    /// Resume from a checkpoint of the same game
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    exact: ExactArgs,
    /// Also print exact values to N decimals
    #[arg(long, value_name = "N", value_parser = between::<usize>("a number of decimals", 1, Solution::MOST_DIGITS as u64))]
    digits: Option<usize>,
    /// Where play can return: the width of bounds, in payoffs, that is narrow enough [default: as narrow as numbers allow]
    #[arg(long, value_name = "W", value_parser = gap)]
    width: Option<f64>,
    /// With hidden information: the width of bounds, as a share of the span of payoffs, at which solving ends [default: 1e-9]
    #[arg(long, value_name = "G", value_parser = gap)]
    gap: Option<f64>,
    /// With hidden information: the optimal strategies that are also best replies where an opponent's mistakes lead
    #[arg(long, value_name = "SENSE")]
    refine: Option<HiddenRefine>,
    /// With hidden information: seconds after which solving ends with the bounds reached
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<f64>,
    #[command(flatten)]
    work: WorkArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl Game {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let checkpoint = self.checkpoints.output();
        let outputs = [self.values.as_ref(), self.strategies.as_ref(), self.prove.as_ref(), checkpoint.as_ref()];
        let read: Vec<&Path> = [Some(&self.file), self.policy.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
        check_all(&outputs, &read, self.format)?;
        self.checkpoints.check_new(self.resume.as_deref())?;
        // It knows how an interrupted command goes on, also while the game is read.
        let keeper = self.checkpoints.keeper();
        if let Some(source) = read_hidden_game(&self.file, self.model.probabilities())? {
            return self.run_hidden(source, &keeper);
        }
        if self.gap.is_some() {
            wrong_usage("--gap is for games with hidden information; for all others there is --width, in payoffs");
        }
        if self.refine.is_some() {
            wrong_usage("--refine is for games with hidden information; Tennis has `export strategies --refine dresher`");
        }
        if self.seconds.is_some() {
            wrong_usage("--seconds is for games with hidden information; a checkpoint keeps what is solved of all others");
        }
        for (output, table) in [(&self.values, "the table of values"), (&self.strategies, "the table of strategies")] {
            if let Some(output) = output {
                output.check_only(table, "csv");
            }
        }
        let limit = self.work.memory();
        let (game, model) = match self.model.read(&self.file, limit)? {
            Some((game, model)) => (game, Some(model)),
            None => (read_game(&self.file, limit)?, None),
        };
        let policies = match &self.policy {
            Some(path) => read_game_policy(&game, &read_file(path, MOST_BYTES)?).with_context(|| path.display().to_string())?,
            None => Vec::new(),
        };
        for state in &self.states {
            state_of(&game, Some(state))?;
        }
        // A signal that comes when everything is solved does not prevent the writing.
        let Solved { solution, not_proved, is_interrupted } = interrupt::interruptible(|| self.solve_and_write(game, &keeper))?;
        let is_whole = not_proved.is_empty();
        let certificate = self.prove.as_ref().filter(|_| is_whole);
        let shown: Vec<usize> = self.states.iter().filter_map(|state| solution.game().place(state).ok()).collect();
        let judge = |policy| interrupt::with_progress("judging", |watch| solution.judge(policy, watch));
        // A policy is of the whole game.
        let judgements = policies.iter().filter(|_| is_whole).map(judge).collect::<Result<Vec<_>, _>>()?;
        let exact = self.exact.exact.or(self.digits.map(|_| Solver::EXACT_BITS));
        let exact = exact.map(|bits| interrupt::with_progress("proving", |watch| solution.exact(bits, watch))).transpose()?;
        let asked = (!self.states.is_empty()).then_some(&*shown);
        let mut report = StochasticGameReport::new(&solution, asked, exact.as_ref(), self.digits)?;
        report.model = model;
        report.policy = (!judgements.is_empty()).then(|| JudgementReport::new(&solution, &judgements, &shown));
        report.certificate = certificate.map(Output::name);
        report.not_proved = not_proved;
        self.format.print(&Document::of_no_game(&report), &outputs, |out| {
            write_text(out, &report)?;
            if let Some(path) = self.checkpoints.path().filter(|_| is_whole && !is_interrupted) {
                let name = quoted(&path.display().to_string());
                writeln!(out, "\nThe checkpoint {name} has all of it: --resume {name} shows more")?;
            }
            report.policy.as_ref().map_or(Ok(()), |policy| write_judgement(out, policy, report.start.len()))
        })?;
        if is_interrupted {
            let reached = "the bounds are those proved so far".to_owned();
            return Err(Interrupted(interrupt::remains_of(Some(reached)).unwrap_or_default()).into());
        }
        if is_whole { Ok(()) } else { Err(self.not_proved(&report.not_proved)) }
    }

    fn run_hidden(&self, source: HiddenSource, keeper: &Keeper<'_>) -> anyhow::Result<()> {
        let allowed = [
            "strategies",
            "prove",
            "policy",
            "probabilities",
            "gap",
            "refine",
            "seconds",
            "threads",
            "memory",
            "checkpoint",
            "checkpoint_every",
            "resume",
            "format",
        ];
        check_options("a game with hidden information", &allowed);
        if let Some(output) = &self.strategies {
            output.check_only("the table of strategies", "csv");
        }
        let task = HiddenTask {
            sets: &self.states,
            strategies: self.strategies.as_ref(),
            prove: self.prove.as_ref(),
            policy: self.policy.as_ref(),
            gap: self.gap,
            refine: self.refine,
            seconds: self.seconds,
            memory: self.work.memory(),
            threads: self.work.threads,
            keeper,
            resume: self.resume.as_ref(),
            format: self.format,
        };
        task.run(source)
    }

    /// The error that names the states of which nothing is proved, and the outputs that are missing for that reason.
    fn not_proved(&self, states: &[NotProvedReport]) -> anyhow::Error {
        let mut lines: Vec<String> = states.iter().take(MOST_NOT_PROVED).map(NotProvedReport::to_string).collect();
        if states.len() > MOST_NOT_PROVED {
            let others = counted(states.len() - MOST_NOT_PROVED, "other state");
            lines.push(format!("and nothing is proved of {others}; --format json lists all"));
        }
        if let Some(output) = &self.prove {
            lines.push(format!("no certificate is written to {}: it would have to prove all states", output.name()));
        }
        if self.policy.is_some() {
            lines.push("the policy is not judged: best responses may need all states".to_owned());
        }
        anyhow::Error::msg(lines.join("\n"))
    }

    /// Solves the game without the states of which nothing is proved and those from which play can reach them.
    ///
    /// # Errors
    /// Any other fault; that nothing is left.
    fn solve_provable(&self, game: StochasticGame, keeper: &Keeper<'_>) -> anyhow::Result<Solved> {
        // All of an acyclic game is proved.
        let mut kept = (game.kind() != Kind::Acyclic).then(|| game.clone());
        let mut not_proved = Vec::new();
        let mut solved = self.solve(game, keeper);
        loop {
            let error = match solved {
                Ok((solution, is_interrupted)) => return Ok(Solved { solution, not_proved, is_interrupted }),
                Err(error) => error,
            };
            let Some((game, (state, failed))) = kept.take().zip(failed_state(&error)) else { return Err(error) };
            let rest = game.without(game.place(state)?);
            not_proved.extend(NotProvedReport::of_error(&game, failed, rest.as_ref()));
            let Some(rest) = rest else { return Err(self.not_proved(&not_proved)) };
            // A checkpoint is of the whole game.
            solved = checkpoints::solve_cyclic_game(self.solver(rest.clone()), &Keeper::default());
            kept = Some(rest);
        }
    }

    fn solver(&self, game: StochasticGame) -> StochasticSolver<'static> {
        let solver = StochasticSolver::new(game).width(self.width.unwrap_or(0.0));
        match self.work.threads {
            Some(threads) => solver.threads(threads),
            None => solver,
        }
    }

    /// Solves the game, as far as something is proved, and writes its files.
    fn solve_and_write(&self, game: StochasticGame, keeper: &Keeper<'_>) -> anyhow::Result<Solved> {
        let solved = self.solve_provable(game, keeper)?;
        let Solved { solution, not_proved, .. } = &solved;
        let certificate = self.prove.as_ref().filter(|_| not_proved.is_empty());
        interrupt::together([
            write_to(self.values.as_ref(), |out| write_game_values(solution, out)),
            write_to(self.strategies.as_ref(), |out| write_game_strategies(solution, out)),
            certificate.map_or(Ok(()), |output| certificate_file::write_game(output, solution)),
        ])?;
        interrupt::check()?;
        Ok(solved)
    }

    /// Solves the game, from a checkpoint if there is one, and writes a complete checkpoint on request. Tells whether Ctrl-C ended it
    /// with the bounds proved so far: an acyclic game has none of them before it is solved.
    fn solve(&self, game: StochasticGame, keeper: &Keeper<'_>) -> anyhow::Result<(StochasticSolution, bool)> {
        let is_acyclic = game.kind() == Kind::Acyclic;
        let mut solver = self.solver(game);
        if let Some(path) = &self.resume {
            let name = || path.display().to_string();
            let file = File::open(path).with_context(|| format!("cannot read {}", name()))?;
            solver = solver.resume(StochasticCheckpoint::read(file).with_context(name)?);
        }
        let is_of_checkpoint = |error: &anyhow::Error| match error.downcast_ref() {
            Some(Error::StochasticGame(error)) => matches!(error.fault(), StochasticGameFault::Checkpoint { .. }),
            _ => false,
        };
        let solved = if is_acyclic {
            checkpoints::solve_game(solver, keeper).map(|solution| (solution, false))
        } else {
            checkpoints::solve_cyclic_game(solver, keeper)
        };
        let (solution, is_interrupted) = solved.map_err(|error| match &self.resume {
            Some(path) if is_of_checkpoint(&error) => error.context(path.display().to_string()),
            _ => error,
        })?;
        if let Some(path) = self.checkpoints.path().filter(|_| !is_interrupted) {
            let checkpoint = solution.checkpoint()?;
            interrupt::write(path, None, &|out| checkpoint.write(out))?;
            interrupt::set_way_on(Some(Kept::CHECKPOINT.again(path)));
        }
        Ok((solution, is_interrupted))
    }
}

/// A game that was solved as far as something is proved.
struct Solved {
    solution: StochasticSolution,
    /// The states that are left out.
    not_proved: Vec<NotProvedReport>,
    /// Whether Ctrl-C ended the solve with the bounds proved by then.
    is_interrupted: bool,
}

/// The state of which a solve proved nothing, with its error; `None` for any other error.
fn failed_state(error: &anyhow::Error) -> Option<(&str, &StochasticGameError)> {
    let Some(Error::StochasticGame(error)) = error.downcast_ref() else { return None };
    let is_unproved = matches!(error.fault(), StochasticGameFault::TooLong | StochasticGameFault::NotProved { .. });
    error.state().filter(|_| is_unproved).map(|state| (state, error))
}

fn write_judgement(out: &mut impl Write, report: &JudgementReport<'_>, starts: usize) -> io::Result<()> {
    let (from_starts, asked) = report.states.split_at(starts);
    let states = || from_starts.iter().take(MOST_STARTS).chain(asked).copied();
    let name = |state| report.solution.game().name(state);
    for judgement in report.judgements {
        let player = judgement.player();
        if judgement.is_rounded() {
            writeln!(out, "\n{player}'s probabilities were rounded to multiples of 2^-62")?;
        }
        for state in states() {
            writeln!(out, "\n{player}'s policy, against the best response from {}", name(state))?;
            let worth = judgement.worth(state).decimal();
            writeln!(out, "  A wins {worth} (proved: {} to {})", worth.lower, worth.upper)?;
            writeln!(out, "  {player} loses {} of the value", judgement.loss(report.solution, state).decimal())?;
        }
        let worst = report.worst(judgement);
        if !worst.is_empty() {
            writeln!(out, "  {:>20}  state", "gives away")?;
        }
        for (state, _) in worst {
            writeln!(out, "  {:>20}  {}", judgement.regret(state).decimal().upper, name(state))?;
        }
    }
    let several = report.states.len() > 1;
    for (place, state) in states().enumerate() {
        let Some(exploitability) = PolicyJudgement::exploitability(report.judgements, state) else { continue };
        let from = if several { format!(" from {}", name(state)) } else { String::new() };
        let twice = if place == 0 { " (NashConv is twice that)" } else { "" };
        writeln!(out, "{}Exploitability{from} {}{twice}", if place == 0 { "\n" } else { "" }, exploitability.decimal())?;
    }
    if starts > MOST_STARTS {
        writeln!(out, "\n{} more starts; --format json lists all", starts - MOST_STARTS)?;
    }
    Ok(())
}

fn write_text(out: &mut impl Write, report: &StochasticGameReport<'_>) -> io::Result<()> {
    let StochasticGameReport { solution, start, shown, .. } = report;
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
    let discount = if kind == Kind::Discounted { format!(" at {}", game.discount()) } else { String::new() };
    writeln!(out, "{kind} game{discount}: {}, {} of them", counted(game.len(), "state"), counted(report.ends(), "end"))?;
    writeln!(out, "  the strategies found randomise in {}", counted(report.randomised_states, "state"))?;
    let every = if report.not_proved.is_empty() { "every" } else { "every other" };
    if !report.not_proved.is_empty() {
        writeln!(out, "  left out: {} of which nothing is proved", counted(report.not_proved.len(), "state"))?;
    }
    if widest == 0.0 {
        writeln!(out, "  {every} value is proved exactly")?;
    } else {
        let (widest, state) = (rounded_up(widest), report.widest_state());
        writeln!(out, "  {every} value is proved to within {widest}, the widest at {state}")?;
    }
    if let Some(file) = &report.certificate {
        writeln!(out, "  the certificate was read back and checked: {file}")?;
    }
    if let Some(reason) = solution.width_reason() {
        writeln!(out, "  {reason}")?;
    }
    if let Some(exact) = report.exact_states {
        writeln!(out, "  values known as fractions: {exact}")?;
    }
    let states = shown.as_ref().unwrap_or(start);
    let most = if shown.is_some() { states.len() } else { MOST_STARTS };
    for state in states.iter().take(most) {
        writeln!(out)?;
        let picture = game.place(&state.state).ok().and_then(|place| game.picture(place));
        write_state(out, state, picture)?;
    }
    if states.len() > most {
        writeln!(out, "\n{} more starts; --format json lists all", states.len() - most)?;
    }
    Ok(())
}

fn write_state(out: &mut impl Write, report: &StochasticStateReport, picture: Option<&str>) -> io::Result<()> {
    if report.over {
        writeln!(out, "{} is an end, worth {} to A", report.state, report.bounds.decimal())?;
        return write_exact(out, report);
    }
    writeln!(out, "{} is worth {} to A", report.state, report.bounds.decimal())?;
    picture.into_iter().flat_map(str::lines).try_for_each(|line| writeln!(out, "    {line}"))?;
    writeln!(out, "  proved: {}", bounded(&report.bounds, "value"))?;
    write_exact(out, report)?;
    for (player, actions) in [("A", &report.a), ("B", &report.b)] {
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

/// Writes a strategy as bars, with fractions of at most this many characters.
pub(super) fn write_actions(out: &mut impl Write, actions: &[ActionReport], fraction: usize) -> io::Result<()> {
    let longest = names_width(actions.iter().map(|action| action.action.as_str()));
    let shown = actions.iter().take(MOST_ACTIONS);
    let bars: Vec<Bar<'_>> = shown.map(|bar| (bar.action.clone(), bar.probability, bar.exact.as_deref())).collect();
    write_bars(out, &bars, longest, fraction, f64::INFINITY)?;
    if actions.len() > MOST_ACTIONS {
        writeln!(out, "  and {} more; --format json lists all", actions.len() - MOST_ACTIONS)?;
    }
    Ok(())
}
