//! One zero-sum matrix game: the crate `matrix-game`, and what Tennis and games of other rules take
//! from it.

#[cfg(feature = "lp")]
pub use ::matrix_game::LinearProgramme;
pub use ::matrix_game::{
    Action, ApproximateSolution, Dominance, DyadicStrategy, Elimination, Equilibrium,
    ExactSolution, Matrix, MatrixError, PayoffSensitivity, Payoffs, Refined, SaddlePoint, Simplex,
    Undominated, Uniqueness, quick, saddle_point,
};

pub(crate) use ::matrix_game::internal::{
    Basis, BasisFactorisation, BestReply, Candidate, EnclosedMatrix, EnclosedPayoffs,
    EnclosedSimplex, Judgement, Ladder, Provable, ProvedPair, Prover, ROUNDING_UNITS, Start,
    TieBreaking, Trembling, decide_uniqueness, dot, exact, expected_payoffs, proof,
    proves_strict_complementarity, rate, refine_dresher,
};
