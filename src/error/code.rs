//! Codes of errors, for programs: they stay as they are when a sentence is worded anew or a variant has another name.

#[cfg(any(test, feature = "mpi"))]
use super::DistributedError;
#[cfg(feature = "report")]
use super::ModelError;
use super::{
    AgentError, BlindError, Error, HiddenError, MethodError, PolicyError, SeriesError, StochasticGameError, StochasticGameFault,
};
use crate::game::GameError;

impl Error {
    /// The stable code of the fault: the part of the crate and the fault's name, such as `game.bid_illegal` or `work.cancelled`. In a
    /// later version an error may have a new code, but a code never means something else.
    ///
    /// ```
    /// use pencil_tennis::{Error, Rules};
    ///
    /// let refused = "field 0 motion net scoring two-one".parse::<Rules>().map_err(Error::from);
    /// assert_eq!(refused.map_err(|error| error.code()), Err("game.field_size"));
    /// ```
    pub fn code(&self) -> &'static str {
        match self {
            Self::Work(error) => error.code(),
            Self::Game(error) => error.code(),
            Self::Matrix(error) => error.code(),
            Self::Certificate { .. } => "certificate.invalid",
            Self::Method(error) => error.code(),
            #[cfg(feature = "report")]
            Self::Model(error) => error.code(),
            Self::TableFile { .. } => "table_file.unusable",
            Self::Policy(error) => error.code(),
            Self::Blind(error) => error.code(),
            Self::Hidden(error) => error.code(),
            Self::StochasticGame(error) => error.code(),
            Self::Series(error) => error.code(),
            Self::Agent(error) => error.code(),
            #[cfg(any(test, feature = "mpi"))]
            Self::Distributed(error) => error.code(),
        }
    }
}

impl StochasticGameError {
    /// The stable code of the fault, see [`Error::code`].
    pub fn code(&self) -> &'static str {
        self.fault().code()
    }
}

impl GameError {
    /// The stable code of the fault, see [`Error::code`].
    pub fn code(&self) -> &'static str {
        match self {
            Self::BallOutside { .. } => "game.ball_outside",
            Self::BallSyntax { .. } => "game.ball_syntax",
            Self::StateSyntax { .. } => "game.state_syntax",
            Self::NoPoints { .. } => "game.no_points",
            Self::TooManyPoints { .. } => "game.too_many_points",
            Self::Outside { .. } => "game.outside",
            Self::BidIllegal { .. } => "game.bid_illegal",
            Self::GameOver { .. } => "game.game_over",
            Self::RecordLine { .. } => "game.record_line",
            Self::OtherRules { .. } => "game.other_rules",
            Self::RulesSyntax { .. } => "game.rules_syntax",
            Self::FieldSize { .. } => "game.field_size",
            Self::MinBid { .. } => "game.min_bid",
            Self::ZeroBids { .. } => "game.zero_bids",
            Self::Favoured { .. } => "game.favoured",
            Self::Unnatural { .. } => "game.unnatural",
            Self::PlayerUnknown { .. } => "game.player_unknown",
            Self::OutcomeUnknown { .. } => "game.outcome_unknown",
            Self::MotionUnknown { .. } => "game.motion_unknown",
            Self::ScoringSyntax { .. } => "game.scoring_syntax",
            Self::ScoringNumber { .. } => "game.scoring_number",
            Self::ScoringSize { .. } => "game.scoring_size",
        }
    }
}

impl MethodError {
    /// The stable code of the fault, see [`Error::code`].
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "method.unknown",
            Self::Missing { .. } => "method.missing",
        }
    }
}

#[cfg(feature = "report")]
impl ModelError {
    /// The stable code of the fault, see [`Error::code`].
    pub fn code(&self) -> &'static str {
        match self {
            Self::File { .. } => "model.file",
            Self::Property { .. } => "model.property",
            Self::Checkpoint { .. } => "model.checkpoint",
        }
    }
}

impl PolicyError {
    /// The stable code of the fault, see [`Error::code`].
    pub fn code(&self) -> &'static str {
        match self {
            Self::Distribution { .. } => "policy.distribution",
            Self::OtherBids { .. } => "policy.other_bids",
            Self::Incomplete { .. } => "policy.incomplete",
            Self::File { .. } => "policy.file",
            Self::LacksPlayer { .. } => "policy.lacks_player",
            Self::OtherGame { .. } => "policy.other_game",
            Self::Mirror { .. } => "policy.mirror",
            Self::Lopsided { .. } => "policy.lopsided",
            Self::Precision { .. } => "policy.precision",
        }
    }
}

impl AgentError {
    /// The stable code of the fault, see [`Error::code`].
    pub fn code(&self) -> &'static str {
        match self {
            Self::LearnerUnknown { .. } => "agent.learner_unknown",
            Self::LearnerOption { .. } => "agent.learner_option",
            Self::LearnerLacksOption { .. } => "agent.learner_lacks_option",
            Self::LearnerScoring { .. } => "agent.learner_scoring",
            Self::TooManyGames { .. } => "agent.too_many_games",
            Self::TrainingFile { .. } => "agent.training_file",
            Self::LookaheadDepth { .. } => "agent.lookahead_depth",
            Self::LevelUnknown { .. } => "agent.level_unknown",
            Self::LevelOfTennis { .. } => "agent.level_of_tennis",
            Self::CurveFile { .. } => "agent.curve_file",
            Self::LearnerUnfit { .. } => "agent.learner_unfit",
        }
    }
}

impl SeriesError {
    /// The stable code of the fault, see [`Error::code`].
    pub fn code(&self) -> &'static str {
        match self {
            Self::Length { .. } => "series.length",
            Self::Scoring { .. } => "series.scoring",
            Self::ScoreSyntax { .. } => "series.score_syntax",
            Self::Outside { .. } => "series.outside",
        }
    }
}

impl BlindError {
    /// The stable code of the fault, see [`Error::code`].
    pub fn code(&self) -> &'static str {
        match self {
            Self::GuessUnknown { .. } => "blind.guess_unknown",
            Self::Gap { .. } => "blind.gap",
            Self::Memory { .. } => "blind.memory",
            Self::History { .. } => "blind.history",
            Self::Distribution { .. } => "blind.distribution",
            Self::Rules { .. } => "blind.rules",
            Self::File { .. } => "blind.file",
        }
    }
}

impl HiddenError {
    /// The stable code of the fault, see [`Error::code`].
    pub fn code(&self) -> &'static str {
        match self {
            Self::MethodUnknown { .. } => "hidden.method_unknown",
            Self::ImperfectRecall { .. } => "hidden.imperfect_recall",
            Self::UnlikeActions { .. } => "hidden.unlike_actions",
            Self::DuplicateAction { .. } => "hidden.duplicate_action",
            Self::NoSuccessor { .. } => "hidden.no_successor",
            Self::Complete { .. } => "hidden.complete",
            Self::Incomplete { .. } => "hidden.incomplete",
            Self::Empty { .. } => "hidden.empty",
            Self::Probabilities { .. } => "hidden.probabilities",
            Self::Payoff { .. } => "hidden.payoff",
            Self::TooLarge { .. } => "hidden.too_large",
            Self::Contradiction { .. } => "hidden.contradiction",
            Self::Observation { .. } => "hidden.observation",
            Self::Gap { .. } => "hidden.gap",
            Self::UnknownSet { .. } => "hidden.unknown_set",
            Self::Strategy { .. } => "hidden.strategy",
            Self::StrategyFile { .. } => "hidden.strategy_file",
            Self::Checkpoint { .. } => "hidden.checkpoint",
            Self::Certificate { .. } => "hidden.certificate",
            Self::RefinedSize { .. } => "hidden.refined_size",
            Self::TreeFile { .. } => "hidden.tree_file",
            Self::TestSequence { .. } => "hidden.test_sequence",
        }
    }
}

impl StochasticGameFault {
    /// The stable code of the fault, see [`Error::code`].
    pub fn code(&self) -> &'static str {
        match self {
            Self::Number { .. } => "stochastic_game.number",
            Self::Kind { .. } => "stochastic_game.kind",
            Self::Discount { .. } => "stochastic_game.discount",
            Self::DuplicateState { .. } => "stochastic_game.duplicate_state",
            Self::DuplicateAction { .. } => "stochastic_game.duplicate_action",
            Self::NoAction { .. } => "stochastic_game.no_action",
            Self::Shape { .. } => "stochastic_game.shape",
            Self::UnknownState { .. } => "stochastic_game.unknown_state",
            Self::NoStart { .. } => "stochastic_game.no_start",
            Self::Payoff { .. } => "stochastic_game.payoff",
            Self::PayoffBound { .. } => "stochastic_game.payoff_bound",
            Self::Rank { .. } => "stochastic_game.rank",
            Self::Cycle { .. } => "stochastic_game.cycle",
            Self::Endless { .. } => "stochastic_game.endless",
            Self::UnlikeEndless { .. } => "stochastic_game.unlike_endless",
            Self::Policy { .. } => "stochastic_game.policy",
            Self::TooLong { .. } => "stochastic_game.too_long",
            Self::NotProved { .. } => "stochastic_game.not_proved",
            Self::Contradiction { .. } => "stochastic_game.contradiction",
            Self::Index { .. } => "stochastic_game.index",
            Self::Symmetry { .. } => "stochastic_game.symmetry",
            Self::Checkpoint { .. } => "stochastic_game.checkpoint",
            Self::Size { .. } => "stochastic_game.size",
            Self::Text { .. } => "stochastic_game.text",
            Self::Negative { .. } => "stochastic_game.negative",
            Self::Sum { .. } => "stochastic_game.sum",
            Self::Limits { .. } => "stochastic_game.limits",
            Self::LimitSums { .. } => "stochastic_game.limit_sums",
            Self::NoNature { .. } => "stochastic_game.no_nature",
            Self::NoWeight { .. } => "stochastic_game.no_weight",
            Self::RewardDenominator { .. } => "stochastic_game.reward_denominator",
            Self::Denominator { .. } => "stochastic_game.denominator",
            Self::Reward { .. } => "stochastic_game.reward",
            Self::Signs { .. } => "stochastic_game.signs",
            Self::TargetEndless { .. } => "stochastic_game.target_endless",
            Self::Infinite { .. } => "stochastic_game.infinite",
            Self::Undecided { .. } => "stochastic_game.undecided",
            Self::LargeReward { .. } => "stochastic_game.large_reward",
            Self::Width { .. } => "stochastic_game.width",
        }
    }
}

#[cfg(any(test, feature = "mpi"))]
impl DistributedError {
    /// The stable code of the fault, see [`Error::code`].
    pub fn code(&self) -> &'static str {
        match self {
            Self::OtherProgram { .. } => "distributed.other_program",
            Self::OtherGame { .. } => "distributed.other_game",
            Self::Rank { .. } => "distributed.rank",
            Self::Exact { .. } => "distributed.exact",
            Self::Message { .. } => "distributed.message",
            Self::Garbled { .. } => "distributed.garbled",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn every_code_is_one_faults() {
        let source = include_str!("code.rs");
        let quoted = |line: &'static str| Some(line.split_once("=> \"")?.1.split_once('"')?.0);
        let codes: Vec<&str> = source.lines().filter_map(quoted).collect();
        let named = |word: &str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
        let is_code = |code: &str| code.split_once('.').is_some_and(|(part, fault)| named(part) && named(fault));
        assert!(codes.len() > 100 && codes.iter().all(|code| is_code(code)), "{codes:?}");
        assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len());
    }
}
