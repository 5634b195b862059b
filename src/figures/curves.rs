use super::FigureError;
use super::charts::{Scale, draw_lines};
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
    fn of(self, point: &CurvePoint) -> Option<f64> {
        match self {
            Self::Games => Some(point.games as f64),
            Self::Seconds => Some(point.seconds),
            Self::EntriesRead => point.entries_read.map(|entries| entries as f64),
        }
        .filter(|&x| x > 0.0)
    }

    const fn label(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Seconds => "seconds",
            Self::EntriesRead => "numbers read",
        }
    }
}

impl CurveY {
    fn of(self, point: &CurvePoint) -> f64 {
        match self {
            Self::Exploitability => point.exploitability,
            Self::AgainstOptimum => point.against_optimum,
            Self::AgainstUniform => point.against_uniform,
        }
    }

    const fn label(self) -> &'static str {
        match self {
            Self::Exploitability => "exploitability (points a game)",
            Self::AgainstOptimum => "against optimal play (points a game)",
            Self::AgainstUniform => "against a player at random (points a game)",
        }
    }
}

/// Draws learning curves as SVG with a title; every curve is named at its right end.
///
/// # Errors
/// [`FigureError::Nothing`] if no point can be drawn.
///
/// ```
/// use pencil_tennis::figures::{CurveX, CurveY, curve_figure};
/// use pencil_tennis::agents::{LearnerKind, LearnerOptions, LearningCurve, Training};
/// use pencil_tennis::Rules;
///
/// let mut learner = Training::new(LearnerKind::Simple, &Rules::tennis(), 6, LearnerOptions::default(), 1)?;
/// let solution = pencil_tennis::solve(6)?;
/// let mut curve = LearningCurve::new(&solution)?;
/// curve.train(&mut learner, 100)?;
/// let curves = [("a learner".to_owned(), curve.points().to_vec())];
/// assert!(curve_figure("Six points", &curves, CurveX::Games, CurveY::Exploitability)?.contains("a learner"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn curve_figure(title: &str, curves: &[(String, Vec<CurvePoint>)], x: CurveX, y: CurveY) -> Result<String, FigureError> {
    let logarithmic = y == CurveY::Exploitability;
    let line = |(name, points): &(String, Vec<CurvePoint>)| {
        let drawn = points.iter().filter_map(|point| Some((x.of(point)?, y.of(point))));
        (name.clone(), drawn.filter(|&(_, y)| !logarithmic || y > 0.0).collect::<Vec<_>>())
    };
    let lines: Vec<_> = curves.iter().map(line).collect();
    if lines.iter().all(|(_, points)| points.is_empty()) {
        return Err(FigureError::Nothing(x.label()));
    }
    let scales = [Scale::Logarithmic, if logarithmic { Scale::Logarithmic } else { Scale::Fitted }];
    Ok(draw_lines(title, [x.label(), y.label()], scales, &lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranges without a power of ten, as 1.5 to 1.9 and 2 to 7, also get numbers.
    #[test]
    fn short_curves_have_numbers_and_a_title() {
        let points = [(2, 1.9), (5, 1.6), (7, 1.5)];
        let points = points.map(|(games, exploitability)| CurvePoint::new(games, 0.1, None, exploitability, -1.0, 1.0));
        let svg =
            curve_figure("50 < 60", &[("short".to_owned(), points.to_vec())], CurveX::Games, CurveY::Exploitability).unwrap();
        let texts: Vec<&str> = svg.lines().filter(|line| !line.starts_with('<')).collect();
        for said in ["50 &lt; 60", "3", "6", "1.4", "1.8"] {
            assert!(texts.contains(&said), "{said} is not among {texts:?}");
        }
    }
}
