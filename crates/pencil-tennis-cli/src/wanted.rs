//! The answers that commands want about games of other rules than Tennis.

use std::path::Path;

use super::output::Output;
use super::word::Word;

/// The answer that a command wants about a game of other rules than Tennis.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted<'w> {
    /// A report about the starts.
    Start,
    /// A report about these states, or information sets; about the starts, or all sets, if there
    /// are none.
    States(&'w [String]),
    /// A table: state,value,lower,upper.
    Values(&'w Output),
    /// A table: state,player,action,probability, or player,set,action,probability.
    Strategies(&'w Output),
    /// A certificate, which is read back and checked as `verify` does.
    Certificate(&'w Output),
    /// The judgement of a policy against best responses, from the starts and these states.
    Judgement { policy: &'w Word, states: &'w [String] },
}

impl<'w> Wanted<'w> {
    pub(super) fn output(self) -> Option<&'w Output> {
        match self {
            Self::Values(output) | Self::Strategies(output) | Self::Certificate(output) => {
                Some(output)
            }
            Self::Start | Self::States(_) | Self::Judgement { .. } => None,
        }
    }

    /// The names of the states that are asked for; none if the starts are.
    pub(super) fn states(self) -> &'w [String] {
        match self {
            Self::States(states) | Self::Judgement { states, .. } => states,
            Self::Start | Self::Values(_) | Self::Strategies(_) | Self::Certificate(_) => &[],
        }
    }

    /// The file of the policy that is to be judged, unless it is a name.
    pub(super) fn policy_file(self) -> Option<&'w Path> {
        let Self::Judgement { policy, .. } = self else { return None };
        Some(policy.path()).filter(|path| path.exists() || path.extension().is_some())
    }
}
