//! The most even of all mixtures of some strategies: that of maximum entropy.
//!
//! The entropy −Σ pᵢ·ln pᵢ is strictly concave, so that one point of a polytope has the most. The
//! pairwise Frank–Wolfe method (Lacoste-Julien and Jaggi 2015) finds it among mixtures of the
//! vertices: each step moves weight from the vertex along which the entropy rises least to the one
//! along which it rises most, as far as it rises.

use dashu_ratio::RBig;

/// The slopes of two vertices that are so close are the same: within rounding, no mixture is more
/// even.
const CLOSE: f64 = 1e-13;

/// A bound of the time; the method converges linearly.
const MOST_STEPS: usize = 100_000;

/// The halvings of a step's length: as many as a double has digits.
const HALVINGS: usize = 60;

/// The most even mixture of some strategies. The weights are found in doubles; the strategy is
/// exactly a mixture of those given.
pub(super) fn most_even(vertices: &[Vec<RBig>]) -> Vec<RBig> {
    let doubles: Vec<Vec<f64>> = vertices
        .iter()
        .map(|vertex| vertex.iter().map(|share| share.to_f64().value()).collect())
        .collect();
    let weights: Vec<RBig> = weights(&doubles)
        .into_iter()
        .map(|weight| RBig::try_from(weight).unwrap_or_default())
        .collect();
    let whole = weights.iter().fold(RBig::ZERO, |sum, weight| sum + weight);
    let share = |action: usize| {
        let mixed = vertices
            .iter()
            .zip(&weights)
            .fold(RBig::ZERO, |sum, (vertex, weight)| sum + &vertex[action] * weight);
        mixed / &whole
    };
    (0..vertices[0].len()).map(share).collect()
}

/// The weights of the vertices in the most even mixture.
fn weights(vertices: &[Vec<f64>]) -> Vec<f64> {
    let mut weights = vec![1.0 / vertices.len() as f64; vertices.len()];
    for _ in 0..MOST_STEPS {
        let mixture = mixed(vertices, &weights);
        let slopes: Vec<f64> = vertices.iter().map(|vertex| slope(&mixture, vertex)).collect();
        let by_slope = |one: &usize, other: &usize| slopes[*one].total_cmp(&slopes[*other]);
        let best = (0..vertices.len()).max_by(by_slope).unwrap_or(0);
        let worst = (0..vertices.len())
            .filter(|&vertex| weights[vertex] > 0.0)
            .min_by(by_slope)
            .unwrap_or(0);
        if slopes[best] - slopes[worst] <= CLOSE {
            break;
        }
        let moved = step(&mixture, &vertices[best], &vertices[worst], weights[worst]);
        weights[best] += moved;
        // All of it leaves no rest of rounding behind.
        weights[worst] = if moved == weights[worst] { 0.0 } else { weights[worst] - moved };
    }
    weights
}

fn mixed(vertices: &[Vec<f64>], weights: &[f64]) -> Vec<f64> {
    let mut mixture = vec![0.0; vertices[0].len()];
    for (vertex, weight) in vertices.iter().zip(weights) {
        mixture.iter_mut().zip(vertex).for_each(|(sum, share)| *sum += weight * share);
    }
    mixture
}

/// The derivative of the entropy at a mixture towards a strategy, but for what is the same towards
/// all: −Σ sᵢ·ln pᵢ.
fn slope(mixture: &[f64], towards: &[f64]) -> f64 {
    let played = mixture.iter().zip(towards).filter(|(_, share)| **share > 0.0);
    played.map(|(probability, share)| -share * probability.max(f64::MIN_POSITIVE).ln()).sum()
}

/// How much weight, at most all of `most`, moves from one vertex to another until the entropy rises
/// no more.
fn step(mixture: &[f64], to: &[f64], from: &[f64], most: f64) -> f64 {
    let rises = |moved: f64| {
        let moved = mixture
            .iter()
            .zip(to)
            .zip(from)
            .map(|((probability, to), from)| probability + moved * (to - from));
        let moved: Vec<f64> = moved.collect();
        slope(&moved, to) > slope(&moved, from)
    };
    if rises(most) {
        return most;
    }
    let (mut low, mut high) = (0.0, most);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if rises(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strategy(shares: &[(u32, u32)]) -> Vec<RBig> {
        shares
            .iter()
            .map(|&(numerator, denominator)| RBig::from_parts(numerator.into(), denominator.into()))
            .collect()
    }

    fn near(found: &[RBig], expected: &[f64]) -> bool {
        let distance = |(found, expected): (&RBig, &f64)| (found.to_f64().value() - expected).abs();
        found.len() == expected.len()
            && found.iter().zip(expected).all(|pair| distance(pair) < 1e-9)
    }

    #[test]
    fn pure_strategies_are_mixed_evenly() {
        let pure: Vec<Vec<RBig>> = (0..4_usize)
            .map(|one| (0..4_usize).map(|other| RBig::from(u8::from(one == other))).collect())
            .collect();
        assert!(near(&most_even(&pure), &[0.25; 4]));
    }

    /// Between (1, 0, 0) and (0, 1/2, 1/2) lies (1/3, 1/3, 1/3), and between (1/2, 1/2, 0) and (0,
    /// 1/2, 1/2) lies (1/4, 1/2, 1/4).
    #[test]
    fn the_most_even_point_may_be_no_middle() {
        let found =
            most_even(&[strategy(&[(1, 1), (0, 1), (0, 1)]), strategy(&[(0, 1), (1, 2), (1, 2)])]);
        assert!(near(&found, &[1.0 / 3.0; 3]), "{found:?}");
        let found =
            most_even(&[strategy(&[(1, 2), (1, 2), (0, 1)]), strategy(&[(0, 1), (1, 2), (1, 2)])]);
        assert!(near(&found, &[0.25, 0.5, 0.25]), "{found:?}");
    }

    /// Two vertices of which one is best alone: (1/2, 1/2, 0) against (9/10, 0, 1/10); by a scan of
    /// the segment between them.
    #[test]
    fn a_point_inside_agrees_with_a_scan_of_the_segment() {
        let vertices = [strategy(&[(1, 2), (1, 2), (0, 1)]), strategy(&[(9, 10), (0, 1), (1, 10)])];
        let found: Vec<f64> =
            most_even(&vertices).iter().map(|share| share.to_f64().value()).collect();
        let entropy = |mixture: &[f64]| -> f64 {
            mixture.iter().filter(|share| **share > 0.0).map(|share| -share * share.ln()).sum()
        };
        let on_segment = |weight: f64| [0.5 + 0.4 * weight, 0.5 - 0.5 * weight, 0.1 * weight];
        let best = (0..=100_000)
            .map(|step| entropy(&on_segment(f64::from(step) / 1e5)))
            .fold(0.0, f64::max);
        assert!((entropy(&found) - best).abs() < 1e-9, "{found:?}");
        let total: RBig =
            most_even(&vertices).into_iter().fold(RBig::ZERO, |sum, share| sum + share);
        assert_eq!(total, RBig::ONE);
    }
}
