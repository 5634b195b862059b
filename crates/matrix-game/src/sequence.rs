//! Reproducible numbers for tests.

use super::Matrix;

/// Numbers below the one that is asked for, from a congruential sequence.
pub(crate) fn sequence(mut seed: u64) -> impl FnMut(u64) -> u64 {
    move |below| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    }
}

/// A matrix of this size (rows and columns) with entries in −range..=range.
pub(crate) fn matrix(
    mut draw: impl FnMut(u64) -> u64,
    size: [usize; 2],
    range: u64,
) -> Vec<Vec<i64>> {
    let [rows, columns] = size;
    let mut entry = || draw(2 * range + 1) as i64 - range as i64;
    (0..rows).map(|_| (0..columns).map(|_| entry()).collect()).collect()
}

pub(crate) fn doubles(rows: &[Vec<i64>]) -> Matrix {
    let rows: Vec<Vec<f64>> =
        rows.iter().map(|row| row.iter().map(|&entry| entry as f64).collect()).collect();
    Matrix::from_rows(&rows).expect("rows of one length")
}
