//! Codes of errors, for programs: they stay as they are when a sentence is worded anew or a variant
//! has another name. One list for each error gives the codes of its variants and the fields that
//! the sentence and the object of an error tell.

use ::stochastic_game::internal::codes;

use super::{
    AgentError, BidsFault, BlindError, CertificateFault, Error, HiddenError, HiddenFileFault,
    MethodError, PolicyError, SeriesError,
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
            Self::Distributed(error) => error.code(),
        }
    }
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
    UncertainGame {} => "agent.uncertain_game",
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
    UnknownAction { action, known } => "hidden.unknown_action",
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
