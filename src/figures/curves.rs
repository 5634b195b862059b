//! Learning curves as a figure.

use super::FigureError;
use super::charts::{Line, Scale, draw_lines};
use super::svg::Heading;
use crate::agents::CurvePoint;

/// The quantity on the horizontal axis, always logarithmic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CurveX {
    #[default]
    Games,
    Seconds,
    EntriesRead,
}

/// The quantity on the vertical axis, logarithmic for exploitability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CurveY {
    #[default]
    Exploitability,
    AgainstOptimum,
    AgainstUniform,
}

impl CurveX {
    /// The label of the axis, and a point's place on it.
    fn axis(self) -> (&'static str, fn(&CurvePoint) -> Option<f64>) {
        match self {
            Self::Games => ("games", |point| Some(point.games as f64)),
            Self::Seconds => ("seconds", |point| Some(point.seconds)),
            Self::EntriesRead => {
                ("numbers read", |point| point.entries_read.map(|entries| entries as f64))
            }
        }
    }
}

impl CurveY {
    fn axis(self) -> (&'static str, fn(&CurvePoint) -> f64) {
        match self {
            Self::Exploitability => {
                ("exploitability (points a game)", |point| point.exploitability)
            }
            Self::AgainstOptimum => {
                ("against optimal play (points a game)", |point| point.against_optimum)
            }
            Self::AgainstUniform => {
                ("against a player at random (points a game)", |point| point.against_uniform)
            }
        }
    }
}

/// Draws learning curves as SVG with a title; every curve is named at its right end.
///
/// # Errors
/// [`FigureError::Nothing`] if no point can be drawn.
///
/// ```
/// use std::ops::ControlFlow;
/// use pencil_tennis::figures::{CurveX, CurveY, curve_figure};
/// use pencil_tennis::agents::{LearnerKind, LearnerOptions, LearningCurve, Training};
/// use pencil_tennis::Rules;
///
/// let mut learner = Training::new(LearnerKind::Simple, &Rules::tennis(), 6, LearnerOptions::default(), 1)?;
/// let solution = pencil_tennis::solve(6)?;
/// let mut curve = LearningCurve::new(&solution)?;
/// curve.train(&mut learner, 100, |_| ControlFlow::Continue(()))?;
/// let curves = [("a learner".to_owned(), curve.points().to_vec())];
/// assert!(curve_figure("Six points", &curves, CurveX::Games, CurveY::Exploitability)?.contains("a learner"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn curve_figure(
    title: &str,
    curves: &[(String, Vec<CurvePoint>)],
    x: CurveX,
    y: CurveY,
) -> Result<String, FigureError> {
    let ((across, x), (up, of_y)) = (x.axis(), y.axis());
    let y_scale = if y == CurveY::Exploitability { Scale::Logarithmic } else { Scale::Fitted };
    let mut lines = Vec::new();
    for (index, (name, points)) in curves.iter().enumerate() {
        let drawn =
            points.iter().filter_map(|point| Some((x(point).filter(|&x| x > 0.0)?, of_y(point))));
        let drawn = drawn.filter(|&(_, y)| y_scale == Scale::Fitted || y > 0.0).collect();
        lines.push(Line::numbered(index, name.clone(), drawn));
    }
    if lines.iter().all(|line| line.points.is_empty()) {
        return Err(FigureError::Nothing(across));
    }
    let reading = match y {
        CurveY::Exploitability => {
            "What the best opponent wins against each learner on average; lower is better."
        }
        CurveY::AgainstOptimum | CurveY::AgainstUniform => {
            "What each learner wins on average; higher is better."
        }
    };
    Ok(draw_lines(Heading { title, reading }, [across, up], [Scale::Logarithmic, y_scale], &lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranges without a power of ten, as 1.5 to 1.9 and 2 to 7, also get numbers.
    #[test]
    fn short_curves_have_numbers_and_a_title() {
        let points = [(2, 1.9), (5, 1.6), (7, 1.5)];
        let (seconds, entries_read, against_optimum, against_uniform) = (0.1, None, -1.0, 1.0);
        let points = points.map(|(games, exploitability)| CurvePoint {
            games,
            seconds,
            entries_read,
            exploitability,
            against_optimum,
            against_uniform,
        });
        let svg = curve_figure(
            "50 < 60",
            &[("short".to_owned(), points.to_vec())],
            CurveX::Games,
            CurveY::Exploitability,
        )
        .unwrap();
        let texts: Vec<&str> = svg.lines().filter(|line| !line.starts_with('<')).collect();
        for label in ["50 &lt; 60", "3", "6", "1.4", "1.8"] {
            assert!(texts.contains(&label), "{label} is not among {texts:?}");
        }
    }
}
