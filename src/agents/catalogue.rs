//! Which learners there are.

use std::fmt;
use std::str::FromStr;

use super::memory::Memory;
use super::options::LearnerOptions;
use super::reinforcement::Reinforcement;
use crate::{Error, Rules};

/// The learners of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LearnerKind {
    /// The article's learner: bids drawn in proportion to weights; the winner's bids gain weight.
    Simple,
    /// The same with the article's proposals.
    Extended,
}

impl LearnerKind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Simple, Self::Extended];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Extended => "extended",
        }
    }

    /// What it does, in a line.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Simple => "the article's: bids drawn in proportion to weights, the winner's bids gain 1",
            Self::Extended => {
                "the same with the article's proposals: losses, rare bids, batches, the middle of the game, forgetting"
            }
        }
    }

    /// What is proved about it.
    pub const fn guarantee(self) -> &'static str {
        match self {
            Self::Simple | Self::Extended => "none for this game",
        }
    }

    /// The options it takes: names of the fields of [`LearnerOptions`].
    pub const fn options(self) -> &'static [&'static str] {
        match self {
            Self::Simple => &["reward"],
            Self::Extended => &["reward", "loss", "rare", "every", "middle", "close", "forget"],
        }
    }

    /// A learner that knows nothing yet.
    pub(super) fn build(self, rules: &Rules, points: u32, options: LearnerOptions, seed: u64) -> Result<Box<dyn Memory>, Error> {
        options.check()?;
        if let Some(option) = options.changed().find(|option| !self.options().contains(option)) {
            return Err(Error::LearnerLacksOption { learner: self.name(), option, options: self.options().join(", ") });
        }
        Ok(match self {
            Self::Simple | Self::Extended => Box::new(Reinforcement::new(rules, points, options, seed)?),
        })
    }
}

impl fmt::Display for LearnerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for LearnerKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| Error::LearnerUnknown { text: text.to_owned(), known: Self::ALL.map(Self::name).join(", ") })
    }
}
