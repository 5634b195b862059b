//! The confidence interval of a share estimated from a sample.

/// The normal distribution's 97.5 % point, to double precision: intervals then hold with 95 % confidence.
pub(super) const Z: f64 = 1.959_963_984_540_054;

/// The Wilson interval of a share that was seen `successes` times in `trials`, with 95 % confidence. Without trials it is
/// everything from 0 to 1.
///
/// *Source.* E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
pub(super) fn wilson_interval(successes: u64, trials: u64) -> [f64; 2] {
    if trials == 0 {
        return [0.0, 1.0];
    }
    let trials_f = trials as f64;
    let share = successes as f64 / trials_f;
    let whole = 1.0 + Z * Z / trials_f;
    let middle = (share + Z * Z / (2.0 * trials_f)) / whole;
    let half = Z / whole * (share * (1.0 - share) / trials_f + Z * Z / (4.0 * trials_f * trials_f)).sqrt();
    // The ends belong exactly to the samples without any success and with successes only.
    [
        if successes == 0 { 0.0 } else { (middle - half).max(0.0) },
        if successes == trials { 1.0 } else { (middle + half).min(1.0) },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), table I,
    /// method 3.
    #[test]
    fn intervals_are_those_of_the_literature() {
        for (successes, trials, lower, upper) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let interval = wilson_interval(successes, trials);
            assert!((interval[0] - lower).abs() <= 5e-5 && (interval[1] - upper).abs() <= 5e-5, "{interval:?}");
        }
        assert_eq!(wilson_interval(20, 20)[1], 1.0);
        assert_eq!(wilson_interval(0, 0), [0.0, 1.0]);
    }
}
