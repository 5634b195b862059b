//! Players as they are named on the command line.

use std::path::Path;

use pencil_tennis::report::read_policy;
use pencil_tennis::{Evaluation, Lookahead, Policy, Rules, Solution};

/// How to name a player, for the help.
pub(super) const AGENTS: &str = "\
A player is `uniform`, `optimal`, a policy file (see `export`), or `lookahead:DEPTH:LEAVES`, who searches DEPTH turns ahead with a matrix
game at every position and takes for what the last positions are worth: `nothing` (0), or what comes out when both bid as `uniform` or as a policy file says.
With --playouts N that is the mean of N sampled games rather than the exact expectation.";

/// Sampled leaves have a seed of their own, so that a search does not depend on who else draws.
const LEAVES_SEED: u64 = 1;

/// A player, read as far as possible before a game is solved.
pub(super) enum Agent {
    Optimal,
    Other(Policy),
}

impl Agent {
    /// Reads a player for this game; lookahead searches here.
    pub(super) fn read(name: &str, rules: &Rules, points: [u32; 2], playouts: Option<u32>) -> anyhow::Result<Self> {
        if name == "optimal" {
            return Ok(Self::Optimal);
        }
        let Some(search) = name.strip_prefix("lookahead:") else {
            return Ok(Self::Other(policy(name, rules, points)?));
        };
        let syntax = || anyhow::anyhow!("`{name}` is not a player; expected lookahead:DEPTH:LEAVES such as lookahead:2:uniform");
        let (depth, leaves) = search.split_once(':').ok_or_else(syntax)?;
        let depth = depth.parse().map_err(|_| syntax())?;
        let evaluation = match (leaves, playouts) {
            ("nothing", _) => Evaluation::nothing(rules, points)?,
            (leaves, None) => Evaluation::expected(rules, &policy(leaves, rules, points)?)?,
            (leaves, Some(games)) => Evaluation::sampled(rules, &policy(leaves, rules, points)?, games, LEAVES_SEED)?,
        };
        Ok(Self::Other(Lookahead::new(&evaluation, depth)?.into_policy()))
    }

    /// Whether the game must be solved to know how to bid.
    pub(super) const fn is_optimal(&self) -> bool {
        matches!(self, Self::Optimal)
    }

    /// How the player bids; the game was solved if anybody's bids ask for that.
    pub(super) fn policy(self, solution: Option<&Solution>) -> anyhow::Result<Policy> {
        match (self, solution) {
            (Self::Other(policy), _) => Ok(policy),
            (Self::Optimal, Some(solution)) => Ok(Policy::optimal(solution)),
            (Self::Optimal, None) => anyhow::bail!("the game was not solved"),
        }
    }
}

fn policy(name: &str, rules: &Rules, points: [u32; 2]) -> anyhow::Result<Policy> {
    Ok(match name {
        "uniform" => Policy::uniform(rules, points)?,
        path => read_policy(Path::new(path), rules, points)?,
    })
}
