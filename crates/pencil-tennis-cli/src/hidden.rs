//! Games with hidden information: poker, liar's dice, trees of Gambit.

use std::cell::LazyCell;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::hidden::{
    BehaviourStrategy, GameTree, HiddenCheckpoint, HiddenRefinement, HiddenSolution, HiddenSolver,
    Judgement, SetId,
};
use pencil_tennis::report::{
    ActionPayoffReport, Document, HiddenExploitReport, HiddenReport, SetReport, WriteCsv, read_file,
};
use pencil_tennis::{ByPlayer, Error, Player};
use serde::Serialize;

use super::certificate_file;
use super::checkpoints::{self, Keeper, Reached};
use super::fold::names_width;
use super::game_source::{HiddenSource, MOST_BYTES, read_strategies};
use super::interrupt::{self, Interrupted};
use super::numbers::grouped;
use super::output::Output;
use super::report::{FormatArgs, OneOrMany};
use super::screen::{Screen, bounded, counted, note};
use super::sentences::listed;
use super::strategies::{MOST_ACTIONS, write_actions};
use super::wanted::Wanted;

/// The most information sets of a player that are written as text unless some are asked for.
const MOST_SETS: usize = 12;

/// The most information sets of a player that an error names.
const MOST_NAMED_SETS: usize = 6;

/// The longest fraction that is written as text.
const LONGEST_FRACTION: usize = 40;

/// The longest fraction of a probability that is written as text.
const LONGEST_SHARE: usize = 20;

/// Smaller losses are printed as none: their five decimals would be 0.
const LEAST_LOSS: f64 = 5e-6;

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
        let Solved { solution, bytes, is_interrupted } =
            interrupt::interruptible(|| self.solve_and_write(tree))?;
        if self.is_refined && solution.test_sequence().is_none() {
            note("note: the strategies could not be refined; they are optimal, not more");
        }
        let report = HiddenReport::new(&solution, assumptions);
        match self.wanted {
            Wanted::Values(_) | Wanted::Strategies(_) => {}
            Wanted::Start => self.print(&report, &Document::of_no_game(&report), |out| {
                write_strategies(out, &report)
            })?,
            Wanted::States(_) => self.print_sets(&report, &asked)?,
            Wanted::Certificate(output) => self.print_certificate(&report, output, bytes)?,
            Wanted::Judgement { policy, .. } => {
                let judge = |strategy| Judgement::new(solution.tree(), strategy);
                let judgements: Vec<Judgement> =
                    strategies.into_iter().map(judge).collect::<Result<_, _>>()?;
                let name = policy.to_string();
                let mut judged =
                    HiddenExploitReport::new(&name, &report.assumptions, &solution, &judgements);
                judged.sets = asked
                    .iter()
                    .map(|&(player, set)| SetReport::new(&solution, player, set))
                    .collect::<Result<_, _>>()?;
                self.print(&report, &Document::of_no_game(&judged), |out| {
                    judged.sets.iter().try_for_each(|set| write_set(out, set))?;
                    write_judgement(out, &judged, &judgements)
                })?;
            }
        }
        if is_interrupted {
            let reached = "the bounds are those reached so far".to_owned();
            return Err(
                Interrupted(interrupt::remains_of(Some(reached)).unwrap_or_default()).into()
            );
        }
        Ok(())
    }

    /// Prints a document, or as text what the game is worth and what is asked for besides.
    fn print(
        &self,
        report: &HiddenReport<'_>,
        document: &impl Serialize,
        write: impl FnOnce(&mut Screen) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        self.format.print(document, &[self.wanted.output()], |out| {
            write_value(out, report)?;
            write(out)
        })
    }

    /// Prints the information sets that are asked for, or all. As JSON, one is an object, and
    /// several are an array.
    fn print_sets(
        &self,
        report: &HiddenReport<'_>,
        asked: &[(Player, SetId)],
    ) -> anyhow::Result<()> {
        let solution = report.solution;
        // As text, a list of all sets is short.
        let reported = if asked.is_empty() && self.format.is_json() {
            all_sets(solution.tree())
        } else {
            asked.to_vec()
        };
        // A player's payoffs take a walk through the tree, which is made if one of the player's
        // sets is reported.
        let payoffs =
            ByPlayer::new(|player| LazyCell::new(move || solution.action_payoffs(player)));
        let set_report = |&(player, set): &(Player, SetId)| {
            SetReport::with_payoffs(solution, player, set, &payoffs[player])
        };
        let sets: Vec<SetReport> = reported.iter().map(set_report).collect::<Result<_, _>>()?;
        let assumptions = Some(&report.assumptions).filter(|assumptions| !assumptions.is_empty());
        let document = |set| {
            Document::of_no_game(object! {
                #[serde(skip_serializing_if = "super::report::is_null")]
                assumptions: assumptions,
                #[serde(skip_serializing_if = "super::report::is_null")]
                refinement: report.refinement(),
                #[serde(flatten)]
                set: set,
            })
        };
        let documents: Vec<_> = sets.iter().map(document).collect();
        self.print(report, &OneOrMany::new(&documents, self.wanted.states().len()), |out| {
            if asked.is_empty() {
                return write_strategies(out, report);
            }
            for set in &sets {
                write_set(out, set)?;
                write_payoffs(out, set)?;
            }
            Ok(())
        })
    }

    fn print_certificate(
        &self,
        report: &HiddenReport<'_>,
        output: &Output,
        bytes: u64,
    ) -> anyhow::Result<()> {
        let (tree, file) = (report.solution.tree(), output.name());
        let assumptions = Some(&report.assumptions).filter(|assumptions| !assumptions.is_empty());
        let certificate = object! {
            #[serde(skip_serializing_if = "super::report::is_null")]
            assumptions: assumptions,
            file: &file,
            bytes: bytes,
            nodes: tree.len(),
            information_sets: Player::BOTH.map(|player| tree.information_sets(player).len()),
            value: report.solution.value(),
            #[serde(flatten)]
            bounds: report.solution.enclosure(),
            read_back: true,
        };
        self.print(report, &Document::of_no_game(&certificate), |out| {
            writeln!(out, "  the certificate was read back and checked: {file}")
        })
    }

    /// The information sets that are asked for by name, of either player.
    fn asked(&self, tree: &GameTree) -> anyhow::Result<Vec<(Player, SetId)>> {
        let mut asked = Vec::new();
        for name in self.wanted.states() {
            let before = asked.len();
            asked.extend(
                Player::BOTH
                    .into_iter()
                    .filter_map(|player| Some((player, tree.set(player, name).ok()?))),
            );
            if asked.len() == before {
                anyhow::bail!(
                    "there is no information set `{name}`; {}",
                    Player::BOTH.map(|player| sets_of(tree, player)).join(", ")
                );
            }
        }
        Ok(asked)
    }

    /// The strategies in the file to judge.
    fn policy_of(&self, tree: &GameTree) -> anyhow::Result<Vec<BehaviourStrategy>> {
        let Wanted::Judgement { policy: name, .. } = self.wanted else { return Ok(Vec::new()) };
        if name.is("uniform") {
            return Ok(Player::BOTH.map(|player| BehaviourStrategy::uniform(tree, player)).into());
        }
        let Some(path) = self.wanted.policy_file() else {
            anyhow::bail!(
                "`{name}` is no policy of a game with hidden information; expected uniform or a csv file"
            );
        };
        read_strategies(tree, path)
    }

    /// Solves the game and writes the files.
    fn solve_and_write(&self, tree: GameTree) -> anyhow::Result<Solved> {
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
            let checkpoint =
                HiddenCheckpoint::read(&read_file(path, MOST_BYTES)?).map_err(Error::from);
            solver = solver.resume(checkpoint.with_context(|| path.display().to_string())?);
        }
        let Reached { solution, is_interrupted } =
            checkpoints::solve_hidden(solver, gap, self.keeper)?;
        let mut bytes = 0;
        match self.wanted {
            Wanted::Strategies(output) => {
                output.write(|out| solution.write_csv(out))?;
            }
            Wanted::Certificate(output) => {
                bytes = certificate_file::write_hidden(output, &solution)?;
            }
            _ => {}
        }
        Ok(Solved { solution, bytes, is_interrupted })
    }
}

/// The first information sets of a player, as an error lists them.
fn sets_of(tree: &GameTree, player: Player) -> String {
    let sets = tree.information_sets(player);
    let mut names: Vec<String> =
        sets.iter().take(MOST_NAMED_SETS).map(|set| format!("`{}`", set.name())).collect();
    if sets.len() > MOST_NAMED_SETS {
        names.push(counted(sets.len() - MOST_NAMED_SETS, "other"));
    }
    format!("{player}'s are {}", listed(names.into_iter()))
}

struct Solved {
    solution: HiddenSolution,
    /// The size of the certificate that was written.
    bytes: u64,
    /// Whether Ctrl-C ended the solve.
    is_interrupted: bool,
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
    writeln!(
        out,
        "hidden information: {nodes} nodes, {ends} of them ends; {a} information sets of A, {b} of B"
    )?;
    let bounds = solution.enclosure();
    writeln!(out, "  the value is proved to within {}", rounded_up(bounds.width()))?;
    if solution.test_sequence().is_some() {
        writeln!(out, "  the strategies are proved to be quasi-perfect")?;
    }
    writeln!(out, "\nThe game is worth {} to A", bounds.decimal())?;
    writeln!(out, "  proved: {}", bounded(&bounds, "value"))?;
    if let Some(exact) =
        solution.exact().map(ToString::to_string).filter(|exact| exact.len() <= LONGEST_FRACTION)
    {
        writeln!(out, "  exactly {exact}")?;
    }
    Ok(())
}

fn write_set(out: &mut impl Write, set: &SetReport) -> io::Result<()> {
    writeln!(out, "\n{} at {} ({})", set.player, set.set, counted(set.nodes, "node"))?;
    write_actions(out, &set.actions, LONGEST_SHARE)
}

/// The information sets of A, then those of B.
fn all_sets(tree: &GameTree) -> Vec<(Player, SetId)> {
    let of_player = |player| (0..tree.information_sets(player).len()).map(move |set| (player, set));
    Player::BOTH.into_iter().flat_map(of_player).collect()
}

/// Writes the payoff of each action at a set against the opponent's strategy.
fn write_payoffs(out: &mut impl Write, set: &SetReport) -> io::Result<()> {
    let (player, opponent) = (set.player, set.player.opponent());
    let Some(payoffs) = &set.payoffs else {
        // Where probabilities had to be rounded, a set may be reached too rarely for payoffs.
        let how_often = if set.reach == Some(0.0) { "never" } else { "hardly ever" };
        return writeln!(
            out,
            "  {opponent}'s strategy {how_often} leads here, so that no action has a payoff against it"
        );
    };
    writeln!(
        out,
        "  What A wins by each action against {opponent}'s strategy, and what {player} loses by it"
    )?;
    let longest = names_width(payoffs.iter().map(|payoff| payoff.action.as_str()));
    for ActionPayoffReport { action, value, loss, exact, .. } in payoffs.iter().take(MOST_ACTIONS) {
        let loss = if *loss < LEAST_LOSS { "-".to_owned() } else { format!("{loss:.5}") };
        let exact =
            exact.as_ref().filter(|exact| exact.len() <= LONGEST_SHARE).map_or("", String::as_str);
        writeln!(
            out,
            "{}",
            format!("  {action:>longest$}  {value:>12.5}  {loss:>12}  {exact}").trim_end()
        )?;
    }
    if payoffs.len() > MOST_ACTIONS {
        writeln!(out, "  and {} more; --format json lists all", payoffs.len() - MOST_ACTIONS)?;
    }
    Ok(())
}

/// Writes the first information sets of both players.
fn write_strategies(out: &mut impl Write, report: &HiddenReport<'_>) -> io::Result<()> {
    for player in Player::BOTH {
        let mut sets = report.sets(player);
        let others = sets.len().saturating_sub(MOST_SETS);
        sets.by_ref().take(MOST_SETS).try_for_each(|set| write_set(out, &set))?;
        if others > 0 {
            let others = counted(others, "other information set");
            writeln!(
                out,
                "\n{others} of {player}; `export strategies` writes all, --format json lists all"
            )?;
        }
    }
    Ok(())
}

fn write_judgement(
    out: &mut impl Write,
    report: &HiddenExploitReport<'_>,
    judgements: &[Judgement],
) -> io::Result<()> {
    for judgement in judgements {
        let player = judgement.player();
        let payoff = judgement.secured().decimal();
        writeln!(out, "\n{player}'s strategy, against the best response")?;
        match judgement
            .exact()
            .map(ToString::to_string)
            .filter(|exact| exact.len() <= LONGEST_FRACTION)
        {
            Some(exact) => writeln!(out, "  A wins {payoff} (exactly {exact})")?,
            None => {
                writeln!(out, "  A wins {payoff} (proved: {} to {})", payoff.lower, payoff.upper)?;
            }
        }
        if let Some(loss) = report.loss(player) {
            writeln!(out, "  {player} loses {} of the value", loss.decimal())?;
        }
    }
    if let Some(exploitability) = report.exploitability() {
        writeln!(out, "\nExploitability {} (NashConv is twice that)", exploitability.decimal())?;
    }
    Ok(())
}
