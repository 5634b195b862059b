//! Games with hidden information: poker, liar's dice, trees of Gambit.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::hidden::{
    BehaviourStrategy, GameTree, HiddenCheckpoint, HiddenRefinement, HiddenSolution, HiddenSolver, Judgement, SetId,
};
use pencil_tennis::report::{
    Document, HiddenJudgementReport, HiddenReport, SetReport, read_file, read_hidden_strategies, write_hidden_strategies,
};
use pencil_tennis::{Error, Player};

use super::any_game::{Wanted, write_actions};
use super::checkpoints::{self, Keeper};
use super::game_source::{HiddenSource, MOST_BYTES};
use super::interrupt::{self, Interrupted};
use super::output::Output;
use super::screen::{bounded, counted, note};
use super::{FormatArgs, certificate_file, grouped};

/// The most information sets of a player that are written as text unless some are asked for.
const MOST_SETS: usize = 12;

/// The longest fraction that is written as text.
const LONGEST_FRACTION: usize = 40;

/// The longest fraction of a probability that is written as text.
const LONGEST_SHARE: usize = 20;

/// What is asked of a game with hidden information.
pub(super) struct HiddenTask<'t> {
    pub(super) wanted: Wanted<'t>,
    pub(super) gap: Option<f64>,
    /// Whether the strategies are to be quasi-perfect.
    pub(super) is_refined: bool,
    pub(super) seconds: Option<f64>,
    pub(super) memory: u64,
    pub(super) threads: Option<usize>,
    pub(super) keeper: &'t Keeper<'t>,
    pub(super) resume: Option<&'t Path>,
    pub(super) format: FormatArgs,
}

impl HiddenTask<'_> {
    pub(super) fn run(self, source: HiddenSource) -> anyhow::Result<()> {
        let HiddenSource { tree, assumptions } = source;
        let asked = self.asked(&tree)?;
        let strategies = self.policy_of(&tree)?;
        // A signal that comes when everything is solved does not prevent the writing.
        let (solution, interrupted) = interrupt::interruptible(|| self.solve_and_write(tree))?;
        let judge = |strategy| Judgement::new(solution.tree(), strategy);
        let judgements: Vec<Judgement> = strategies.into_iter().map(judge).collect();
        let mut report = HiddenReport::new(&solution, (!asked.is_empty()).then_some(&*asked));
        report.assumptions = assumptions;
        report.policy = HiddenJudgementReport::of(&solution, judgements);
        report.certificate = self.wanted.certificate().map(Output::name);
        if self.is_refined && solution.test_sequence().is_none() {
            note("note: the strategies could not be refined; they are optimal, not more");
        }
        if self.wanted.is_reported() {
            self.format.print(&Document::of_no_game(&report), &[self.wanted.output()], |out| {
                write_value(out, &report)?;
                if self.wanted.shows_strategies() || !asked.is_empty() {
                    write_strategies(out, &report, !asked.is_empty())?;
                }
                report.policy.as_ref().map_or(Ok(()), |policy| write_judgement(out, policy))
            })?;
        }
        if interrupted {
            let reached = "the bounds are those reached so far".to_owned();
            return Err(Interrupted(interrupt::remains_of(Some(reached)).unwrap_or_default()).into());
        }
        Ok(())
    }

    /// The information sets that are asked for by name, of either player.
    fn asked(&self, tree: &GameTree) -> anyhow::Result<Vec<(Player, SetId)>> {
        let mut asked = Vec::new();
        for name in self.wanted.states() {
            let before = asked.len();
            asked.extend(Player::BOTH.into_iter().filter_map(|player| Some((player, tree.set(player, name).ok()?))));
            if asked.len() == before {
                let some = tree.information_sets(Player::A).iter().take(3).map(|set| format!("`{}`", set.name()));
                let some: Vec<String> = some.collect();
                anyhow::bail!("there is no information set `{name}`; A's begin with {}", some.join(", "));
            }
        }
        Ok(asked)
    }

    /// The strategies in the file to judge.
    fn policy_of(&self, tree: &GameTree) -> anyhow::Result<Vec<BehaviourStrategy>> {
        let Wanted::Judgement { policy: name, .. } = self.wanted else { return Ok(Vec::new()) };
        if name == "uniform" {
            return Ok(Player::BOTH.map(|player| BehaviourStrategy::uniform(tree, player)).into());
        }
        let Some(path) = self.wanted.policy_file() else {
            anyhow::bail!("`{name}` is no policy of a game with hidden information; expected uniform or a csv file");
        };
        let bytes = read_file(path, MOST_BYTES)?;
        read_hidden_strategies(tree, &bytes).map_err(Error::from).with_context(|| path.display().to_string())
    }

    /// Solves the game and writes the files. Returns whether Ctrl-C ended the solve.
    fn solve_and_write(&self, tree: GameTree) -> anyhow::Result<(HiddenSolution, bool)> {
        let gap = self.gap.unwrap_or(HiddenSolver::GAP);
        let mut solver = HiddenSolver::new(tree).gap(gap).memory_limit(self.memory);
        if self.is_refined {
            solver = solver.refinement(HiddenRefinement::QuasiPerfect);
        }
        if let Some(seconds) = self.seconds {
            solver = solver.time_limit(Duration::from_secs_f64(seconds));
        }
        if let Some(threads) = self.threads {
            solver = solver.threads(threads);
        }
        if let Some(path) = self.resume {
            let checkpoint = HiddenCheckpoint::read(&read_file(path, MOST_BYTES)?).map_err(Error::from);
            solver = solver.resume(checkpoint.with_context(|| path.display().to_string())?);
        }
        let (solution, interrupted) = checkpoints::solve_hidden(solver, gap, self.keeper)?;
        match self.wanted {
            Wanted::Strategies(output) => output.write(|out| write_hidden_strategies(&solution, out))?,
            Wanted::Certificate(output) => certificate_file::write_hidden(output, &solution)?,
            _ => {}
        }
        Ok((solution, interrupted))
    }
}

fn write_value(out: &mut impl Write, report: &HiddenReport<'_>) -> io::Result<()> {
    let solution = report.solution;
    let tree = solution.tree();
    if let Some(title) = tree.title() {
        writeln!(out, "{title}")?;
    }
    for assumption in &report.assumptions {
        writeln!(out, "  assumed: {assumption}")?;
    }
    let [nodes, ends] = [tree.len(), tree.ends()].map(grouped);
    let [a, b] = Player::BOTH.map(|player| grouped(tree.information_sets(player).len()));
    writeln!(out, "hidden information: {nodes} nodes, {ends} of them ends; {a} information sets of A, {b} of B")?;
    let bounds = solution.enclosure();
    writeln!(out, "  the value is proved to within {}", rounded_up(bounds.width()))?;
    if solution.test_sequence().is_some() {
        writeln!(out, "  the strategies are proved to be quasi-perfect")?;
    }
    if let Some(file) = &report.certificate {
        writeln!(out, "  the certificate was read back and checked: {file}")?;
    }
    writeln!(out, "\nThe game is worth {} to A", bounds.decimal())?;
    writeln!(out, "  proved: {}", bounded(&bounds, "value"))?;
    if let Some(exact) = solution.exact().map(ToString::to_string).filter(|exact| exact.len() <= LONGEST_FRACTION) {
        writeln!(out, "  exactly {exact}")?;
    }
    Ok(())
}

fn write_strategies(out: &mut impl Write, report: &HiddenReport<'_>, are_asked: bool) -> io::Result<()> {
    for player in Player::BOTH {
        let sets: Vec<&SetReport> = report.sets.iter().filter(|set| set.player == player).collect();
        let most = if are_asked { sets.len() } else { MOST_SETS };
        for set in sets.iter().take(most) {
            writeln!(out, "\n{player} at {} ({})", set.set, counted(set.nodes, "node"))?;
            write_actions(out, &set.actions, LONGEST_SHARE)?;
        }
        if sets.len() > most {
            let others = counted(sets.len() - most, "other information set");
            writeln!(out, "\n{others} of {player}; `export strategies` writes all, --format json lists all")?;
        }
    }
    Ok(())
}

fn write_judgement(out: &mut impl Write, report: &HiddenJudgementReport<'_>) -> io::Result<()> {
    for judgement in &report.judgements {
        let player = judgement.player();
        let worth = judgement.worth().decimal();
        writeln!(out, "\n{player}'s strategy, against the best response")?;
        match judgement.exact().map(ToString::to_string).filter(|exact| exact.len() <= LONGEST_FRACTION) {
            Some(exact) => writeln!(out, "  A wins {worth} (exactly {exact})")?,
            None => writeln!(out, "  A wins {worth} (proved: {} to {})", worth.lower, worth.upper)?,
        }
        writeln!(out, "  {player} loses {} of the value", report.loss(judgement).decimal())?;
    }
    if let Some(exploitability) = report.exploitability() {
        writeln!(out, "\nExploitability {} (NashConv is twice that)", exploitability.decimal())?;
    }
    Ok(())
}
