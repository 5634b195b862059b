//! Values as arrays for numpy.

use std::io::{self, Write};

use super::npy::{self, NumberArray};
use crate::solution::Solution;

/// Writes the arrays `value`, `lower` and `upper` of shape (`points_a` + 1, `points_b` + 1, 2 · `field` + 1).
///
/// `value[a, b, field + ball]` is the value of the state `a:b@ball` to A; the bounds are the nearest doubles outside the proved
/// ones.
///
/// # Errors
/// What the writer reports.
///
/// ```
/// let solution = pencil_tennis::solve(4)?;
/// let mut archive = Vec::new();
/// pencil_tennis::report::write_values_npz(&solution, &mut archive)?;
/// assert!(archive.starts_with(b"PK"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_values_npz(solution: &Solution, out: impl Write) -> io::Result<()> {
    let [a, b] = solution.points().map(|points| points as usize + 1);
    let field = solution.rules().field();
    let shape = [a, b, 2 * field as usize + 1];
    let mut arrays = [(); 3].map(|()| NumberArray::zeros(&shape));
    // The states are in the order of the numbers.
    for (place, state) in solution.states().enumerate() {
        let enclosure = solution.enclosure(state).map_err(io::Error::other)?;
        let value = solution.value(state).map_err(io::Error::other)?;
        let [lower, upper] = enclosure.nearest_outward();
        for (array, number) in arrays.iter_mut().zip([value, lower, upper]) {
            array.numbers[place] = number;
        }
    }
    npy::write_archive(["value", "lower", "upper"].into_iter().zip(&arrays), out)
}
