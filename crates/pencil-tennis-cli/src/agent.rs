//! Players by their names on the command line.

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::bail;
use pencil_tennis::agents::{AgentError, Evaluation, Level, Lookahead};
use pencil_tennis::report::read_policy;
use pencil_tennis::{Policy, Rules, Solution, unwatched};

use super::bot::command_of;
use super::content::names_game;
use super::usage::wrong_usage;
use super::word::Word;
use super::{interrupt, numbers};

pub(super) const AGENTS: &str = "\
A player is
  uniform                  every legal bid with the same probability
  simple:GAMES             the article's learner after that many games against itself,
                           such as simple:1000, simple:1e5 or simple:1e7 (seed 1)
  quantal:PRECISION        bids as people might: one that costs c on average against
                           the optimum is made in proportion to exp(-PRECISION·c)
  optimal                  the solver's optimal strategies
  lookahead:DEPTH:LEAVES   searches DEPTH turns ahead with a matrix game at every
                           position; LEAVES says what the last positions are
                           worth: `nothing` (0), or the result of a game in which
                           both bid as `uniform` or as a policy file says
  FILE                     a policy (see `export policy`)

With --playouts N the leaves are worth the mean of N sampled games rather than
the exact expectation.";

const BUILT_IN: &str = "uniform, optimal, lookahead:DEPTH:LEAVES (such as lookahead:2:uniform), simple:GAMES \
     (such as simple:1e5), quantal:PRECISION (such as quantal:10)";

/// The seed of sampled leaves, so that a search does not depend on other random draws.
const LEAVES_SEED: u64 = 1;

/// A player, read as far as possible before the game is solved.
pub(super) enum Agent {
    /// A player that depends on the solution.
    Solved(Level),
    Other(Policy),
}

pub(super) fn check_playouts(playouts: Option<u32>, names: &[Word]) {
    let samples = |name: &Word| {
        name.strip_prefix("lookahead:").is_some()
            && name.text().is_none_or(|name| !name.ends_with(":nothing"))
    };
    if playouts.is_some() && !names.iter().any(samples) {
        wrong_usage(
            "--playouts has no effect without a lookahead whose leaves are played out, such as lookahead:2:uniform",
        );
    }
}

impl Agent {
    pub(super) fn policy(self, solution: Option<&Solution>) -> anyhow::Result<Policy> {
        match (self, solution) {
            (Self::Other(policy), _) => Ok(policy),
            (Self::Solved(level), Some(solution)) => Ok(level.policy(solution, &mut unwatched)?),
            (Self::Solved(_), None) => bail!("the game was not solved"),
        }
    }
}

/// Reads a player for this game, with a spinner, since a lookahead searches now.
pub(super) fn read_attended(
    name: &Word,
    rules: &Rules,
    points: [u32; 2],
    playouts: Option<u32>,
) -> anyhow::Result<Agent> {
    interrupt::with_spinner("searching", || {
        if name.strip_prefix("lookahead:").is_none() {
            return named(name, rules, points);
        }
        let parts = lookahead_of(name);
        let depth = parts
            .as_ref()
            .and_then(|(depth, _)| numbers::whole(depth))
            .and_then(|depth| u32::try_from(depth).ok());
        let Some((depth, (_, leaves))) = depth.zip(parts) else {
            wrong_usage(format!(
                "`{name}` is not a player; expected lookahead:DEPTH:LEAVES such as lookahead:2:uniform"
            ))
        };
        if depth == 0 {
            wrong_usage(AgentError::LookaheadDepth.to_string());
        }
        let policy = if leaves.is("nothing") { None } else { Some(named(&leaves, rules, points)?) };
        let evaluation = match (policy, playouts) {
            (None, _) => Evaluation::nothing(rules, points)?,
            (Some(Agent::Other(policy)), None) => Evaluation::expected(rules, &policy)?,
            (Some(Agent::Other(policy)), Some(games)) => {
                Evaluation::sampled(rules, &policy, games, LEAVES_SEED)?
            }
            (Some(Agent::Solved(_)), _) => {
                bail!("{leaves} bids by the solution, and cannot say what leaves are worth")
            }
        };
        Ok(Agent::Other(Lookahead::new(&evaluation, depth)?.policy))
    })
}

/// DEPTH and LEAVES of a player lookahead:DEPTH:LEAVES; the leaves may be a file of any name.
fn lookahead_of(name: &Word) -> Option<(String, Word)> {
    let printed = name.to_string();
    let (depth, _) = printed.strip_prefix("lookahead:")?.split_once(':')?;
    let leaves = name.strip_prefix(&format!("lookahead:{depth}:"))?;
    Some((depth.to_owned(), leaves))
}

fn named(name: &Word, rules: &Rules, points: [u32; 2]) -> anyhow::Result<Agent> {
    let is_level = |text: &&str| {
        matches!(*text, "uniform" | "optimal")
            || text.starts_with("simple:")
            || text.starts_with("quantal:")
    };
    if let Some(text) = name.text().filter(is_level) {
        let level: Level = text.parse()?;
        let policy = level.policy_unsolved(rules, points, &mut |_| ControlFlow::Continue(()))?;
        return Ok(policy.map_or(Agent::Solved(level), Agent::Other));
    }
    if command_of(name).is_some() {
        bail!("{name} is a bot, whose policy is not known; expected {BUILT_IN} or a policy file");
    }
    if names_game(name) {
        wrong_usage(format!(
            "{name} is a game; expected a policy before it, such as `uniform {name}`"
        ));
    }
    let path = name.path();
    if !path.exists() {
        bail!(
            "cannot read {name}: there is no such file and no player of this name; expected {BUILT_IN} or a policy file"
        );
    }
    Ok(Agent::Other(read_policy(path, rules, points)?))
}

/// The file that a player is, or the leaves of its search.
pub(super) fn file_of(name: &Word) -> Option<PathBuf> {
    let leaves = lookahead_of(name).map(|(_, leaves)| leaves);
    Some(leaves.as_ref().unwrap_or(name).path().to_owned()).filter(|path| path.exists())
}
