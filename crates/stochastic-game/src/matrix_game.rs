//! One zero-sum matrix game: what games of any rules take from the crate `matrix-game`.

pub(crate) use ::matrix_game::{DyadicStrategy, Matrix, MatrixError, Payoffs, Simplex};

pub(crate) use ::matrix_game::internal::{
    EnclosedMatrix, EnclosedSimplex, ProvedPair, ROUNDING_UNITS, exact, proof,
};
