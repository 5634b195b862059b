//! Inner loops over rows of numbers: scaling, sums of multiples, scalar products.

/// The power of two that brings a magnitude into [1, 2); 1 for 0.
#[inline]
pub(crate) fn power_of_two_scale(magnitude: f64) -> f64 {
    if magnitude > 0.0 && magnitude.is_finite() {
        (-magnitude.log2().floor()).clamp(-1000.0, 1000.0).exp2()
    } else {
        1.0
    }
}

/// Sums that run side by side in a [`dot`] product: one alone would wait for each addition before
/// the next (eight measured best).
const LANES: usize = 8;

/// The sum of products over the shorter of the two.
#[inline]
pub fn dot(left: &[f64], right: &[f64]) -> f64 {
    let length = left.len().min(right.len());
    let (left, right) = (&left[..length], &right[..length]);
    let (left_lanes, right_lanes) = (left.chunks_exact(LANES), right.chunks_exact(LANES));
    let rest: f64 =
        left_lanes.remainder().iter().zip(right_lanes.remainder()).map(|(l, r)| l * r).sum();
    let mut sums = [0.0; LANES];
    for (l, r) in left_lanes.zip(right_lanes) {
        for lane in 0..LANES {
            sums[lane] += l[lane] * r[lane];
        }
    }
    sums.into_iter().sum::<f64>() + rest
}

/// Subtracts four scaled lines, loading and storing the target once.
#[inline]
pub(crate) fn subtract_four(target: &mut [f64], sources: [&[f64]; 4], factors: [f64; 4]) {
    let [first, second, third, fourth] = sources;
    let [f, g, h, k] = factors;
    for ((((target, first), second), third), fourth) in
        target.iter_mut().zip(first).zip(second).zip(third).zip(fourth)
    {
        *target = *target - f * first - g * second - h * third - k * fourth;
    }
}

#[inline]
pub(crate) fn subtract_scaled(target: &mut [f64], source: &[f64], factor: f64) {
    if factor != 0.0 {
        for (target, source) in target.iter_mut().zip(source) {
            *target -= factor * source;
        }
    }
}

/// Adds `factor · run` to the sums from `start` on; returns the end of the run, where a walk goes
/// on.
#[inline]
pub(crate) fn add_scaled(sums: &mut [f64], start: usize, run: &[f64], factor: f64) -> usize {
    let end = start + run.len();
    for (sum, entry) in sums[start..end].iter_mut().zip(run) {
        *sum += factor * entry;
    }
    end
}

/// As [`add_scaled`] for two runs, loading and storing the sums once.
#[inline]
pub(crate) fn add_two_scaled(
    sums: &mut [f64],
    start: usize,
    runs: [&[f64]; 2],
    factors: [f64; 2],
) -> usize {
    let [first, second] = runs;
    let [f, g] = factors;
    let end = start + first.len();
    for ((sum, first), second) in sums[start..end].iter_mut().zip(first).zip(second) {
        *sum += f * first + g * second;
    }
    end
}
