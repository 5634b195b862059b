//! Every public type can be sent to another thread, and shared with it.
//!
//! The types stand here by name, and a test compares the names with those that the sources make
//! public, so that none is forgotten.

use std::collections::BTreeSet;
use std::path::Path;

fn is_shared<T: Send + Sync>() {}

/// Compiles for types that are `Send` and `Sync` alone.
macro_rules! shared {
    ($($kind:ty),* $(,)?) => {{ $(is_shared::<$kind>();)* }};
}

#[test]
fn types_of_matrix_game_bounds() {
    use matrix_game::bounds::*;

    shared![
        Bounds,
        DecimalBounds,
        Enclosure,
        FixedPoint<fn(i64, Side) -> Result<i64, ()>>,
        FixedPointScale,
        Rounding,
        Side,
    ];
}

#[test]
fn types_of_matrix_game_quick() {
    use matrix_game::quick::*;

    shared![QuickError, QuickSolver, SecurityLevels,];
}

#[test]
fn types_of_matrix_game() {
    use matrix_game::*;

    shared![
        Action,
        ApproximateSolution,
        Dominance,
        DyadicStrategy,
        Elimination,
        Equilibrium,
        Error,
        ExactSolution,
        LinearProgramme,
        Matrix,
        MatrixError,
        PayoffSensitivity,
        Refined,
        SaddlePoint,
        Simplex,
        Undominated,
        Uniqueness,
        WorkError,
    ];
}

#[cfg(feature = "report")]
#[test]
fn types_of_stochastic_game_model_checking() {
    use pencil_tennis::stochastic_game::model_checking::*;

    shared![
        Answer,
        Bound,
        ExplicitFiles,
        ExplicitModel,
        Exploration<'_>,
        ExplorationCheckpoint<'_>,
        Interval,
        ModelError,
        Probabilities,
        Property,
        Question,
        Verdict,
    ];
}

#[test]
fn types_of_stochastic_game() {
    use pencil_tennis::stochastic_game::*;

    shared![
        ActionsFault,
        BestPayoff,
        ByPlayer<u8>,
        CellTable<'_>,
        Certainty,
        DiscountFault,
        DistributedError,
        Error,
        Exact,
        Kind,
        LayerFolder,
        LineFault,
        Node,
        Outcomes<u8>,
        Player,
        PlayerError,
        PolicyJudgement,
        PolicyNumbers,
        Stages<'_>,
        StationaryPolicy,
        StochasticCheckpoint<'_>,
        StochasticExact<'_>,
        StochasticGame,
        StochasticGameBuilder,
        StochasticGameError,
        StochasticGameFault,
        StochasticProof,
        StochasticSolution,
        StochasticSolver<'_>,
        TableFault,
        ValueBound,
        ValueComparison,
    ];
}

#[test]
fn types_of_agents() {
    use pencil_tennis::agents::*;

    shared![
        AgentError,
        CurvePoint,
        Duel<'_>,
        Evaluation,
        GameDuel<'_>,
        GameTraining<'_>,
        HiddenDuel<'_>,
        HiddenTraining<'_>,
        LearnerKind,
        LearnerOptions,
        LearningCurve<'_>,
        Level,
        Lookahead,
        Reward,
        Schedule,
        Tally,
        Training,
    ];
}

#[test]
fn types_of_analysis() {
    use pencil_tennis::analysis::*;

    shared![
        BestResponse,
        BidPayoff,
        BidProbability,
        Endgame,
        Exploitability,
        ForcedPlay,
        JudgedGame,
        JudgedTurn,
        Matchup,
        Mistake,
        PolicyEvaluation,
        PureComparison,
        SampledGames<'_>,
        Score,
        Series,
        SeriesChances,
        SeriesError,
        SeriesSolver<'_>,
        SolvedScore<'_>,
        StateAnalysis,
        StateRegret,
        UniqueCount,
    ];
}

#[test]
fn types_of_blind() {
    use pencil_tennis::blind::*;

    shared![
        BlindBestResponse,
        BlindCheckpoint,
        BlindError,
        BlindMethod,
        BlindPolicy,
        BlindProgress,
        BlindRow,
        BlindSize,
        BlindSolution,
        BlindSolver<'_>,
        BlindView,
        BlindWork,
        Guess,
        Reductions,
        ValueOfInformation,
    ];
}

#[test]
fn types_of_certificate() {
    use pencil_tennis::certificate::*;

    shared![Proof,];
}

#[cfg(feature = "plot")]
#[test]
fn types_of_figures() {
    use pencil_tennis::figures::*;

    shared![CurveX, CurveY, FigureError, StateLine,];
}

#[test]
fn types_of_hidden_games() {
    use pencil_tennis::hidden::games::*;

    shared![
        BidState,
        DiceState,
        HiddenGoofspiel,
        InspectionState,
        KuhnPoker,
        KuhnState,
        LeducPoker,
        LeducState,
        LiarsDice,
        SecretInspection,
    ];
}

#[test]
fn types_of_hidden() {
    use pencil_tennis::hidden::*;

    shared![
        ActionPayoff,
        ActionPayoffs<'_>,
        ActionShare,
        BehaviourStrategy,
        GameTree,
        GameTreeBuilder,
        HiddenCheckpoint,
        HiddenError,
        HiddenFileFault,
        HiddenPlay<'_>,
        HiddenProof,
        HiddenRefinement,
        HiddenSolution,
        HiddenSolver<'_>,
        InformationSet,
        Judgement,
        Move,
        Observations,
        PlayPlace,
        TestSequence,
        Turn,
    ];
}

#[cfg(feature = "page")]
#[test]
fn types_of_page() {
    use pencil_tennis::page::*;

    shared![Page, PageError,];
}

#[cfg(feature = "report")]
#[test]
fn types_of_report() {
    use pencil_tennis::report::*;

    shared![
        ActionPayoffReport,
        ActionReport,
        ActionWorth,
        BestPayoffReport,
        CellReport,
        Document<u8>,
        DuelReport,
        ExploitReport<'_>,
        ExtensiveForm,
        FileError,
        ForcedReport<'_>,
        GameExploitReport<'_>,
        GamePlay,
        HiddenExploitReport<'_>,
        HiddenReport<'_>,
        JudgedMove,
        JudgedPlay,
        JudgementReport<'_>,
        ModelReport,
        NotProvedReport,
        PayoffReading,
        PlayedAction,
        PolicyFormat,
        ProvedStartReport<'_>,
        RowFilter,
        SetReport,
        SolveReport<'_>,
        StageReport,
        StochasticGameReport<'_>,
        StochasticProofReport<'_>,
        StochasticStateReport,
        Table,
        TableFormat,
        WrittenMatrix,
    ];
}

#[test]
fn types_of_pencil_tennis() {
    use pencil_tennis::*;

    shared![
        Ball,
        BidStrategy,
        BidsFault,
        CertificateFault,
        Checkpoint<'_>,
        Digits,
        Error,
        Exact,
        GameError,
        GameRecord,
        HeaderFault,
        Limit,
        Method,
        MethodError,
        Motion,
        Outcome,
        Policy,
        PolicyBuilder,
        PolicyError,
        RecordFault,
        RefinedEquilibrium,
        Rules,
        Scoring,
        Seconds,
        Solution,
        SolveSettings,
        Solver<'_>,
        State,
        StateEquilibrium,
        TableFile,
        Turn,
    ];
}

/// Traits, names of other types, a solution whose rules may be any, and what the feature `mpi` has.
#[expect(dead_code, reason = "the names are looked up in this file's text")]
const NO_TYPES: [&str; 15] = [
    "GameRules",
    "HiddenRules",
    "Integer",
    "Learner",
    "Payoff",
    "Payoffs",
    "RankedRules",
    "SampledPlays",
    "SetId",
    "Solve",
    "StatesFound",
    "SweepLearner",
    "Watch",
    "RankedSolution",
    "LayerTrace",
];

/// The names with a lower-case letter, as types have, of the public items that a file declares or
/// re-exports.
fn public_names(file: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let source = std::fs::read_to_string(&path).expect("a source of the libraries");
    // The border to the other crates, which is hidden.
    let source = source.split("#[doc(hidden)]\npub mod internal").next().expect("a part");
    let mut names = BTreeSet::new();
    for item in source.split(';') {
        let Some((_, item)) = item.split_once("pub use ") else { continue };
        // `Original as Public` makes the second name public.
        for name in item.split([',', '{', '}']) {
            let name = name.rsplit([':', ' ']).next().unwrap_or_default().trim();
            names.insert(name.to_owned());
        }
    }
    for line in source.lines() {
        for kind in ["pub struct ", "pub enum "] {
            if let Some(item) = line.strip_prefix(kind) {
                let end = item.find(|letter: char| !letter.is_alphanumeric());
                names.insert(item[..end.unwrap_or(item.len())].to_owned());
            }
        }
    }
    names.retain(|name| name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase));
    names
}

#[test]
fn no_public_type_is_forgotten() {
    let listed = include_str!("shared_types.rs");
    let is_listed = |name: &str| {
        listed.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == name)
    };
    let mut count = 0;
    for file in [
        "src/lib.rs",
        "src/agents/mod.rs",
        "src/analysis/mod.rs",
        "src/blind/mod.rs",
        "src/certificate/mod.rs",
        "src/figures/mod.rs",
        "src/hidden/mod.rs",
        "src/hidden/games/mod.rs",
        "src/page/mod.rs",
        "src/report/mod.rs",
        "crates/matrix-game/src/lib.rs",
        "crates/matrix-game/src/bounds/mod.rs",
        "crates/matrix-game/src/quick/mod.rs",
        "crates/stochastic-game/src/lib.rs",
        "crates/stochastic-game/src/model_checking/mod.rs",
    ] {
        for name in public_names(file) {
            assert!(is_listed(&name), "{name} of {file} is to be listed in shared_types.rs");
            count += 1;
        }
    }
    assert!(count > 200, "only {count} public types were found");
}
