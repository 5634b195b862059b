//! The learners of this crate: their names, numbers in files, guarantees and options.

use super::local_rule::LocalRule;
use super::options::LearnerOptions;
use crate::coded::coded;
use crate::error::{AgentError, Error};
use crate::written_as::written_as;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LearnerKind {
    Simple,
    /// The article's learner with the proposals of its section 4, and two of ours: the score as
    /// reward, and forgetting.
    Extended,
    RegretMatching,
    RegretMatchingPlus,
    /// CFR+ at every state: regret matching plus, the players updated in turn, later strategies
    /// weighted more.
    CfrPlus,
    FictitiousPlay,
    ExponentialWeights,
    /// Regret matching from the sampled payoffs of games alone.
    OutcomeSampling,
}

impl LearnerKind {
    pub const ALL: [Self; 8] = [
        Self::Simple,
        Self::Extended,
        Self::RegretMatching,
        Self::RegretMatchingPlus,
        Self::CfrPlus,
        Self::FictitiousPlay,
        Self::ExponentialWeights,
        Self::OutcomeSampling,
    ];

    pub const fn name(self) -> &'static str {
        self.text()
    }

    pub const fn description(self) -> &'static str {
        match self {
            Self::Simple => {
                "the article's: bids drawn in proportion to weights, the winner's bids gain 1"
            }
            Self::Extended => {
                "the same with the article's proposals (losses, rare bids, batches, the middle of the game, close scores) and \
                 ours (the score as reward, forgetting)"
            }
            Self::RegretMatching => "regret matching at every state",
            Self::RegretMatchingPlus => {
                "regret matching with regrets that never fall below 0, at every state"
            }
            Self::CfrPlus => {
                "the recipe of CFR+ at every state: regret matching plus, players in turn, later strategies count more"
            }
            Self::FictitiousPlay => {
                "fictitious play at every state: the best bid against all bids met so far"
            }
            Self::ExponentialWeights => "exponential weights at every state",
            Self::OutcomeSampling => {
                "regret matching at the states of self-played games, from their results alone"
            }
        }
    }

    /// The convergence guarantee that is proved for it.
    pub const fn guarantee(self) -> &'static str {
        match self {
            Self::Simple | Self::Extended => "none for this game",
            Self::RegretMatching | Self::RegretMatchingPlus | Self::ExponentialWeights => {
                "the average strategies tend to optimal ones; the regret at a state falls as 1/sqrt(lessons)"
            }
            Self::CfrPlus => {
                "the average strategies tend to optimal ones; proved as for rm, usually much faster"
            }
            Self::FictitiousPlay => {
                "the average strategies tend to optimal ones; no useful rate is proved"
            }
            Self::OutcomeSampling => {
                "the average strategies tend to near-optimal ones, up to what exploring costs"
            }
        }
    }

    /// The names of the [`LearnerOptions`] it takes.
    pub const fn options(self) -> &'static [&'static str] {
        match self {
            Self::Simple => &["reward"],
            Self::Extended => &["reward", "loss", "rare", "every", "middle", "close", "forget"],
            Self::RegretMatching
            | Self::RegretMatchingPlus
            | Self::CfrPlus
            | Self::FictitiousPlay
            | Self::ExponentialWeights => &["schedule", "explore"],
            Self::OutcomeSampling => &["explore"],
        }
    }

    /// Checks the options' ranges, and that the learner takes those that are not the usual ones.
    pub(super) fn check(self, options: &LearnerOptions) -> Result<(), Error> {
        options.check()?;
        if let Some(option) = options.changed().find(|option| !self.options().contains(option)) {
            return Err(AgentError::LearnerLacksOption {
                learner: self.name(),
                option,
                options: self.options().join(", "),
            }
            .into());
        }
        Ok(())
    }

    /// The rule of its learners in a game of any rules.
    ///
    /// # Errors
    /// [`AgentError::LearnerUnfit`]
    pub(super) fn local_rule(self) -> Result<LocalRule, AgentError> {
        match self {
            Self::RegretMatching => Ok(LocalRule::RegretMatching),
            Self::RegretMatchingPlus | Self::CfrPlus => Ok(LocalRule::RegretMatchingPlus),
            Self::ExponentialWeights => Ok(LocalRule::ExponentialWeights),
            Self::FictitiousPlay => Ok(LocalRule::FictitiousPlay),
            Self::Simple | Self::Extended | Self::OutcomeSampling => {
                Err(AgentError::LearnerUnfit {
                    learner: self.name(),
                    expected: "rm, rm-plus, cfr-plus, fictitious or exponential",
                })
            }
        }
    }
}

coded!(LearnerKind {
    Simple = 0,
    Extended = 1,
    RegretMatching = 2,
    RegretMatchingPlus = 3,
    CfrPlus = 4,
    FictitiousPlay = 5,
    ExponentialWeights = 6,
    OutcomeSampling = 7,
});

written_as!(
    LearnerKind {
        Simple => "simple",
        Extended => "extended",
        RegretMatching => "rm",
        RegretMatchingPlus => "rm-plus",
        CfrPlus => "cfr-plus",
        FictitiousPlay => "fictitious",
        ExponentialWeights => "exponential",
        OutcomeSampling => "outcome",
    },
    |text| AgentError::LearnerUnknown { text, known: LearnerKind::ALL.map(LearnerKind::name).join(", ") } => AgentError
);
