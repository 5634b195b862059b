//! Codes of errors, for programs: they stay as they are when a sentence is worded anew or a variant
//! has another name. One list for each error gives the codes of its variants and the fields that
//! the sentence and the object of an error tell.

#[cfg(feature = "files")]
use super::ModelError;
use super::{
    ActionsFault, DiscountFault, DistributedError, Error, LineFault, StochasticGameError,
    StochasticGameFault, TableFault,
};

impl Error {
    /// The stable code of the fault: the part of the crate and the fault's name, such as
    /// `stochastic_game.no_start` or `work.cancelled`. In a later version an error may have a new
    /// code, but a code never means something else.
    ///
    /// ```
    /// use stochastic_game::{Error, Kind, StochasticGame};
    ///
    /// let unfinished = StochasticGame::builder(Kind::Acyclic, None)?;
    /// let refused = unfinished.finish().map_err(Error::from).unwrap_err();
    /// assert_eq!(refused.code(), "stochastic_game.no_start");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn code(&self) -> &'static str {
        match self {
            Self::Work(error) => error.code(),
            Self::Matrix(error) => error.code(),
            Self::StochasticGame(error) => error.code(),
            #[cfg(feature = "files")]
            Self::Model(error) => error.code(),
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
#[doc(hidden)]
#[macro_export]
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

        $crate::fault_object!($error $(of $($wrapper),*)? { $($variant { $($field),* })* });
    };
}

/// The object of an error, where errors have objects.
#[cfg(feature = "files")]
#[doc(hidden)]
#[macro_export]
macro_rules! fault_object {
    ($error:ident $(of $($wrapper:ident),*)? { $($variant:ident { $($field:ident),* })* }) => {
        impl $crate::internal::Fault for $error {
            fn code(&self) -> &'static str {
                self.code()
            }

            #[allow(unused_variables, reason = "some errors have no fields")]
            fn tell(&self, object: &mut $crate::internal::Object) {
                match self {
                    $(Self::$variant { $($field),* } => {
                        $crate::tell!(object, $($field),*);
                    })*
                    $($(Self::$wrapper(fault) => $crate::internal::Fault::tell(fault, object),)*)?
                }
            }
        }
    };
}

/// The object of an error, where errors have no objects: nothing.
#[cfg(not(feature = "files"))]
#[doc(hidden)]
#[macro_export]
macro_rules! fault_object {
    ($($list:tt)*) => {};
}

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
    Claim { reason } => "stochastic_game.claim",
    Packed { reason } => "stochastic_game.packed",
    Turn { turn, reason } => "stochastic_game.turn",
    Comparison { text } => "stochastic_game.comparison",
    PolicyPayoff { reason } => "stochastic_game.policy_payoff",
    UnknownGame { reason } => "stochastic_game.unknown_game",
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
    Precision { precision } => "stochastic_game.precision",
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

#[cfg(feature = "files")]
codes!(ModelError {
    File { file, line, reason } => "model.file",
    Property { reason } => "model.property",
    Checkpoint { reason } => "model.checkpoint",
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

codes!(DistributedError {
    OtherProgram { rank } => "distributed.other_program",
    OtherGame { rank } => "distributed.other_game",
    Rank { rank, reason } => "distributed.rank",
    Exact {} => "distributed.exact",
    Message { bytes, most } => "distributed.message",
    Garbled { rank } => "distributed.garbled",
});
