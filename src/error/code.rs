//! Codes of errors, for programs: they stay as they are when a sentence is worded anew or a variant
//! has another name. One list for each error gives the codes of its variants and the fields that
//! the sentence and the object of an error tell.

#[cfg(any(test, feature = "mpi"))]
use super::DistributedError;
#[cfg(feature = "report")]
use super::ModelError;
#[cfg(feature = "report")]
use super::object::{Fault, Field, Object, tell};
use super::{
    ActionsFault, AgentError, BidsFault, BlindError, CertificateFault, DiscountFault, Error,
    HiddenError, HiddenFileFault, LineFault, MethodError, PolicyError, SeriesError,
    StochasticGameError, StochasticGameFault, TableFault,
};
use crate::game::{GameError, HeaderFault, RecordFault};

impl Error {
    /// The stable code of the fault: the part of the crate and the fault's name, such as
    /// `game.bid_illegal` or `work.cancelled`. In a later version an error may have a new code, but
    /// a code never means something else.
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

/// Gives every variant of an error its code, and its object the fields; variants behind `of` wrap a
/// fault, and have those of it. Variants and fields are named exhaustively, so that a new one does
/// not compile without.
macro_rules! codes {
    ($error:ident $(of $($wrapper:ident),*)? { $($variant:ident { $($field:ident),* } => $code:literal,)* }) => {
        impl $error {
            /// The stable code of the fault, see [`Error::code`].
            pub fn code(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $code,)*
                    $($(Self::$wrapper(fault) => fault.code(),)*)?
                }
            }
        }

        #[cfg(feature = "report")]
        impl Fault for $error {
            fn code(&self) -> &'static str {
                self.code()
            }

            #[allow(unused_variables, reason = "some errors have no fields")]
            fn tell(&self, object: &mut Object) {
                match self {
                    $(Self::$variant { $($field),* } => {
                        tell!(object, $($field),*);
                    })*
                    $($(Self::$wrapper(fault) => fault.tell(object),)*)?
                }
            }
        }
    };
}

codes!(GameError {
    BallOutside { ball, field } => "game.ball_outside",
    BallSyntax { text } => "game.ball_syntax",
    StateSyntax { text } => "game.state_syntax",
    NoPoints { player } => "game.no_points",
    TooManyPoints { points, most } => "game.too_many_points",
    Outside { state, a, b } => "game.outside",
    BidIllegal { player, bid, lowest, highest } => "game.bid_illegal",
    GameOver { state } => "game.game_over",
    RecordLine { line, reason } => "game.record_line",
    OtherRules { played, solved } => "game.other_rules",
    RulesSyntax { text } => "game.rules_syntax",
    FieldSize { field, largest } => "game.field_size",
    MinBid { min_bid } => "game.min_bid",
    ZeroBids { wanted } => "game.zero_bids",
    Favoured { wanted } => "game.favoured",
    Unnatural { scoring } => "game.unnatural",
    PlayerUnknown { text } => "game.player_unknown",
    OutcomeUnknown { text } => "game.outcome_unknown",
    MotionUnknown { text } => "game.motion_unknown",
    ScoringSyntax { text } => "game.scoring_syntax",
    ScoringNumber { text } => "game.scoring_number",
    ScoringSize { payoff } => "game.scoring_size",
});

codes!(RecordFault of Game {
    NoStart {} => "record.no_start",
    Start { text } => "record.start",
    Count { expected, found, text } => "record.count",
    Number { text } => "record.number",
    Turn { expected, found } => "record.turn",
    Bid { number } => "record.bid",
    Points { number } => "record.points",
    Ball {} => "record.ball",
    After { bid_a, bid_b, before, after, written } => "record.after",
});

codes!(HeaderFault of Rules {
    Ends {} => "header.ends",
    Motion { number } => "header.motion",
    MirrorFlag { flag } => "header.mirror_flag",
    Points { a, b } => "header.points",
    Asymmetric {} => "header.asymmetric",
});

codes!(CertificateFault of Header {
    Short {} => "certificate.short",
    Ends {} => "certificate.ends",
    Checksum {} => "certificate.checksum",
    Letters {} => "certificate.letters",
    Version { version, latest } => "certificate.version",
    RulesVersion { version, needed } => "certificate.rules_version",
    FewStates {} => "certificate.few_states",
    Surplus { bytes } => "certificate.surplus",
    Size { state, player, size } => "certificate.size",
    Bid { state, player, bid } => "certificate.bid",
    Weights { state, player } => "certificate.weights",
});

codes!(MethodError {
    Unknown { text } => "method.unknown",
    Missing { method } => "method.missing",
});

#[cfg(feature = "report")]
codes!(ModelError {
    File { file, line, reason } => "model.file",
    Property { reason } => "model.property",
    Checkpoint { reason } => "model.checkpoint",
});

codes!(PolicyError {
    Distribution { player, state, reason } => "policy.distribution",
    OtherBids { min_bid, game_min_bid } => "policy.other_bids",
    Incomplete { player, missing, named } => "policy.incomplete",
    File { reason } => "policy.file",
    LacksPlayer { player } => "policy.lacks_player",
    OtherGame { a, b, field, game_a, game_b, game_field } => "policy.other_game",
    Mirror { a, b } => "policy.mirror",
    Lopsided {} => "policy.lopsided",
    Precision { precision } => "policy.precision",
});

codes!(BidsFault {
    Number { bid, number } => "bids.number",
    Weight { bid, number } => "bids.weight",
    Illegal { bid, number, fault } => "bids.illegal",
    Twice { bid } => "bids.twice",
    TooSmall { bid, number } => "bids.too_small",
    NoWeight {} => "bids.no_weight",
    Sum { sum, tolerance } => "bids.sum",
    NotRefined {} => "bids.not_refined",
    Weights {} => "bids.weights",
});

codes!(TableFault {
    Column { column, expected } => "table.column",
    Fields { line, found, expected } => "table.fields",
    NotText { line } => "table.not_text",
    Entry { line, column, text, expected } => "table.entry",
    Line { line, reason } => "table.line",
    Unreadable { reason } => "table.unreadable",
    NoRows {} => "table.no_rows",
    NoBids {} => "table.no_bids",
    Weight { line, text } => "table.weight",
    Columns { row, found, expected } => "table.columns",
    Rows { found, expected } => "table.rows",
    Arrays { names } => "table.arrays",
    Array { array, reason } => "table.array",
    Shape { array, found, expected } => "table.shape",
});

codes!(AgentError {
    LearnerUnknown { text, known } => "agent.learner_unknown",
    LearnerOption { option, value, range } => "agent.learner_option",
    LearnerLacksOption { learner, option, options } => "agent.learner_lacks_option",
    LearnerScoring { scoring } => "agent.learner_scoring",
    TooManyGames { games, most } => "agent.too_many_games",
    TrainingFile { reason } => "agent.training_file",
    LookaheadDepth {} => "agent.lookahead_depth",
    LevelUnknown { text } => "agent.level_unknown",
    LevelOfTennis { text } => "agent.level_of_tennis",
    CurveFile { reason } => "agent.curve_file",
    LearnerUnfit { learner, expected } => "agent.learner_unfit",
});

codes!(SeriesError {
    Length { to, longest } => "series.length",
    Scoring { scoring } => "series.scoring",
    ScoreSyntax { text } => "series.score_syntax",
    Outside { score, to } => "series.outside",
});

codes!(BlindError {
    GuessUnknown { text } => "blind.guess_unknown",
    Gap { gap } => "blind.gap",
    Memory { a, b, information_sets, bytes, limit, most } => "blind.memory",
    History { player, reason } => "blind.history",
    Distribution { player, memory, reason } => "blind.distribution",
    Rules {} => "blind.rules",
    File { reason } => "blind.file",
});

codes!(HiddenError {
    MethodUnknown { text } => "hidden.method_unknown",
    ImperfectRecall { player, set, first, second } => "hidden.imperfect_recall",
    UnlikeActions { player, set, first, second } => "hidden.unlike_actions",
    DuplicateAction { node, name } => "hidden.duplicate_action",
    NoSuccessor { node } => "hidden.no_successor",
    Complete { node } => "hidden.complete",
    Incomplete { node, missing } => "hidden.incomplete",
    Empty {} => "hidden.empty",
    Probabilities { node, sum } => "hidden.probabilities",
    Payoff { payoff } => "hidden.payoff",
    TooLarge { limit } => "hidden.too_large",
    Contradiction { node } => "hidden.contradiction",
    Observation { node, text } => "hidden.observation",
    Gap { gap } => "hidden.gap",
    UnknownSet { player, name, known } => "hidden.unknown_set",
    Strategy { player, set, reason } => "hidden.strategy",
    StrategyFile { reason } => "hidden.strategy_file",
    Checkpoint { reason } => "hidden.checkpoint",
    Certificate { line, reason } => "hidden.certificate",
    RefinedSize { sequences, limit } => "hidden.refined_size",
    TreeFile { line, reason } => "hidden.tree_file",
    TestSequence { reason } => "hidden.test_sequence",
});

codes!(HiddenFileFault of Game, Number {
    Empty {} => "hidden_file.empty",
    Unreadable { reason } => "hidden_file.unreadable",
    Json { reason } => "hidden_file.json",
    Format { expected } => "hidden_file.format",
    Version { known } => "hidden_file.version",
    Type { expected } => "hidden_file.type",
    Weights { player, set } => "hidden_file.weights",
    Weight {} => "hidden_file.weight",
    End {} => "hidden_file.end",
    Lower { lower } => "hidden_file.lower",
    Upper { upper } => "hidden_file.upper",
});

codes!(StochasticGameFault of Discount, Line, Table {
    Number { text } => "stochastic_game.number",
    Kind { text } => "stochastic_game.kind",
    DuplicateState {} => "stochastic_game.duplicate_state",
    DuplicateAction { player, action } => "stochastic_game.duplicate_action",
    NoAction { player } => "stochastic_game.no_action",
    Shape { row, found, expected, player } => "stochastic_game.shape",
    UnknownState { name } => "stochastic_game.unknown_state",
    NoStart {} => "stochastic_game.no_start",
    Payoff { payoff } => "stochastic_game.payoff",
    PayoffBound {} => "stochastic_game.payoff_bound",
    Rank { reason } => "stochastic_game.rank",
    Cycle { expected } => "stochastic_game.cycle",
    Endless { states, expected } => "stochastic_game.endless",
    UnlikeEndless { here, other, there } => "stochastic_game.unlike_endless",
    Policy { player, reason } => "stochastic_game.policy",
    TooLong {} => "stochastic_game.too_long",
    NotProved { reason } => "stochastic_game.not_proved",
    Contradiction {} => "stochastic_game.contradiction",
    Index {} => "stochastic_game.index",
    Symmetry { own, canonical } => "stochastic_game.symmetry",
    Checkpoint { reason } => "stochastic_game.checkpoint",
    Size { reason } => "stochastic_game.size",
    Text { reason } => "stochastic_game.text",
    Negative { probability } => "stochastic_game.negative",
    Sum { sum } => "stochastic_game.sum",
    Limits { least, most } => "stochastic_game.limits",
    LimitSums { least, most } => "stochastic_game.limit_sums",
    NoNature {} => "stochastic_game.no_nature",
    NoWeight {} => "stochastic_game.no_weight",
    RewardDenominator {} => "stochastic_game.reward_denominator",
    Denominator { bits, most } => "stochastic_game.denominator",
    Reward { expected } => "stochastic_game.reward",
    Signs {} => "stochastic_game.signs",
    TargetEndless {} => "stochastic_game.target_endless",
    Infinite { player, states } => "stochastic_game.infinite",
    Undecided { player, states } => "stochastic_game.undecided",
    LargeReward { reward } => "stochastic_game.large_reward",
    Width { width } => "stochastic_game.width",
    PlayerUnknown { text } => "stochastic_game.player_unknown",
    End { name } => "stochastic_game.end",
    ActionUnknown { player, action, name, known } => "stochastic_game.action_unknown",
});

codes!(DiscountFault {
    Range { discount } => "discount.range",
    Missing {} => "discount.missing",
    Needless {} => "discount.needless",
});

codes!(ActionsFault {
    NoRow { row, width } => "actions.no_row",
    NotFinite { probability, action } => "actions.not_finite",
    Negative { probability, action } => "actions.negative",
    Nothing {} => "actions.nothing",
    TooLarge {} => "actions.too_large",
    Sum { sum } => "actions.sum",
    End {} => "actions.end",
    Unknown { action, last } => "actions.unknown",
    Twice { action } => "actions.twice",
    TooSmall { action } => "actions.too_small",
});

codes!(LineFault {
    Empty {} => "line.empty",
    NoObject {} => "line.no_object",
    Ends {} => "line.ends",
    Missing { field, column } => "line.missing",
    Unknown { field, expected, column } => "line.unknown",
    Duplicate { field, column } => "line.duplicate",
    Json { reason, column, hint } => "line.json",
    Type { field, found, expected, column, hint } => "line.type",
    NoHeader {} => "line.no_header",
    Format { text, expected } => "line.format",
    Version { version, known } => "line.version",
    Nature { text } => "line.nature",
    Parts {} => "line.parts",
    TooLong { most } => "line.too_long",
    Unreadable { reason } => "line.unreadable",
});

#[cfg(any(test, feature = "mpi"))]
codes!(DistributedError {
    OtherProgram { rank } => "distributed.other_program",
    OtherGame { rank } => "distributed.other_game",
    Rank { rank, reason } => "distributed.rank",
    Exact {} => "distributed.exact",
    Message { bytes, most } => "distributed.message",
    Garbled { rank } => "distributed.garbled",
});

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn every_code_is_one_faults() {
        let source = include_str!("code.rs");
        let quoted = |line: &'static str| Some(line.split_once("=> \"")?.1.split_once('"')?.0);
        let codes: Vec<&str> = source.lines().filter_map(quoted).collect();
        let named = |word: &str| {
            !word.is_empty()
                && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_')
        };
        let is_code = |code: &str| {
            code.split_once('.').is_some_and(|(part, fault)| named(part) && named(fault))
        };
        assert!(codes.len() > 100 && codes.iter().all(|code| is_code(code)), "{codes:?}");
        assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len());
    }
}
