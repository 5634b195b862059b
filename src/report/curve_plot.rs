//! Learning curves as pictures.

use std::fmt;

use plotters::prelude::*;

use crate::agents::CurvePoint;
use crate::figures::{FigureError, LINES, picture};

/// The picture's size in pixels, and the part of its height that the title takes.
const SIZE: (i32, i32) = (860, 556);
const TITLE: i32 = 36;

/// The quantity that a curve is drawn over, always on a logarithmic scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CurveX {
    /// Games played.
    #[default]
    Games,
    /// Seconds of playing and learning.
    Seconds,
    /// Numbers read.
    EntriesRead,
}

/// The quantity that is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CurveY {
    /// The gain of a best response, on a logarithmic scale.
    #[default]
    Exploitability,
    /// The payoff against optimal play.
    AgainstOptimum,
    /// The payoff against uniformly random bids.
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

/// A plot could not be drawn.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// No curve has a point that can be drawn.
    #[error("there is nothing to draw: no point has a positive number of {0}")]
    Nothing(&'static str),
    /// The drawing library gave up.
    #[error("cannot draw: {0}")]
    Drawing(String),
}

/// Draws named learning curves into one picture with a title, as SVG.
///
/// Axes are logarithmic where there is a power of ten on them to write a number at; payoffs are on a linear one.
///
/// # Errors
/// [`PlotError::Nothing`] if no point can be drawn.
///
/// ```
/// use pencil_tennis::report::{CurveX, CurveY, plot_curves};
/// use pencil_tennis::agents::{LearnerKind, LearnerOptions, LearningCurve, Training};
/// use pencil_tennis::Rules;
///
/// let mut learner = Training::new(LearnerKind::Simple, &Rules::tennis(), 6, LearnerOptions::default(), 1)?;
/// let solution = pencil_tennis::solve(6)?;
/// let mut curve = LearningCurve::new(&solution)?;
/// curve.train(&mut learner, 100)?;
/// let curves = [("a learner".to_owned(), curve.points().to_vec())];
/// assert!(plot_curves("Six points", &curves, CurveX::Games, CurveY::Exploitability)?.contains("a learner"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plot_curves(title: &str, curves: &[(String, Vec<CurvePoint>)], x: CurveX, y: CurveY) -> Result<String, PlotError> {
    let logarithmic = y == CurveY::Exploitability;
    let series: Vec<(&str, Vec<(f64, f64)>)> = curves
        .iter()
        .map(|(name, points)| {
            let drawn = points.iter().filter_map(|point| Some((x.of(point)?, y.of(point))));
            (name.as_str(), drawn.filter(|&(_, y)| !logarithmic || y > 0.0).collect())
        })
        .collect();
    let all = || series.iter().flat_map(|(_, points)| points);
    if all().next().is_none() {
        return Err(PlotError::Nothing(x.label()));
    }
    let [across, up] = [range(all().map(|point| point.0)), range(all().map(|point| point.1))];
    let labels = [x.label(), y.label()];
    let drawn = picture(SIZE, title, |area| {
        let area = area.margin(TITLE, 0, 0, 0);
        draw(&area, &series, across, up, labels, logarithmic).map_err(|error| FigureError::Drawing(error.to_string()))
    });
    drawn.map_err(|error| PlotError::Drawing(error.to_string()))
}

fn range(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    numbers.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], number| [least.min(number), most.max(number)])
}

type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// Whether a logarithmic axis has a number: those are written at powers of ten, and from there on.
fn has_power_of_ten(range: &std::ops::Range<f64>) -> bool {
    range.start.log10().ceil() <= range.end.log10()
}

fn draw(
    area: &Area<'_>,
    series: &[(&str, Vec<(f64, f64)>)],
    [left, right]: [f64; 2],
    [bottom, top]: [f64; 2],
    labels: [&str; 2],
    logarithmic: bool,
) -> Drawn {
    let mut chart = ChartBuilder::on(area);
    chart.margin(14).x_label_area_size(44).y_label_area_size(64);
    // A range of one number has no width to draw in.
    let across = left..(1.1 * right).max(1.5 * left);
    let room = (0.05 * (top - bottom)).max(0.01);
    let up = if logarithmic { 0.8 * bottom..1.25 * top } else { bottom - room..top + room };
    // Falling curves leave the lower left free, rising ones the lower right.
    let names = if logarithmic { SeriesLabelPosition::LowerLeft } else { SeriesLabelPosition::LowerRight };
    match (has_power_of_ten(&across), logarithmic && has_power_of_ten(&up)) {
        (true, true) => finish(chart.build_cartesian_2d(across.log_scale(), up.log_scale())?, series, labels, names),
        (true, false) => finish(chart.build_cartesian_2d(across.log_scale(), up)?, series, labels, names),
        (false, true) => finish(chart.build_cartesian_2d(across, up.log_scale())?, series, labels, names),
        (false, false) => finish(chart.build_cartesian_2d(across, up)?, series, labels, names),
    }
}

fn finish<'a, 'b, X, Y>(
    mut chart: ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, Y>>,
    series: &[(&str, Vec<(f64, f64)>)],
    [across, up]: [&str; 2],
    names: SeriesLabelPosition,
) -> Drawn
where
    'b: 'a,
    X: Ranged<ValueType = f64> + plotters::coord::ranged1d::ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + plotters::coord::ranged1d::ValueFormatter<f64>,
{
    chart
        .configure_mesh()
        .x_desc(across)
        .y_desc(up)
        .x_label_formatter(&|x| Power(*x).to_string())
        .y_label_formatter(&|y| format!("{}", (y * 1e6).round() / 1e6))
        .label_style(("sans-serif", 13))
        .axis_desc_style(("sans-serif", 15))
        .light_line_style(RGBColor(238, 238, 238))
        .bold_line_style(RGBColor(205, 205, 205))
        .draw()?;
    for (place, (name, points)) in series.iter().enumerate() {
        let colour = LINES[place % LINES.len()];
        // With more curves than colours the later ones are thin.
        let width = if place < LINES.len() { 2 } else { 1 };
        let style = colour.stroke_width(width);
        chart
            .draw_series(LineSeries::new(points.iter().copied(), style))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], style));
        chart.draw_series(points.iter().map(|&point| Circle::new(point, 2, colour.filled())))?;
    }
    chart
        .configure_series_labels()
        .position(names)
        .legend_area_size(28)
        .label_font(("sans-serif", 13))
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(205, 205, 205))
        .draw()
}

/// A number as people write large ones: 1,000,000 as 1M.
struct Power(f64);

impl fmt::Display for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unit, size) in [("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)] {
            if self.0 >= size {
                return write!(f, "{}{unit}", (self.0 / size * 1e3).round() / 1e3);
            }
        }
        write!(f, "{}", (self.0 * 1e9).round() / 1e9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Between 1.5 and 1.9 there is no power of ten, nor between 2 and 7: the axes have numbers all the same.
    #[test]
    fn short_curves_have_numbers_and_a_title() {
        let points = [(2, 1.9), (5, 1.6), (7, 1.5)];
        let points = points.map(|(games, exploitability)| CurvePoint::new(games, 0.1, None, exploitability, -1.0, 1.0));
        let svg =
            plot_curves("50 < 60", &[("short".to_owned(), points.to_vec())], CurveX::Games, CurveY::Exploitability).unwrap();
        let texts: Vec<&str> = svg.lines().filter(|line| !line.starts_with('<')).collect();
        for said in ["50 &lt; 60", "3", "6", "1.4", "1.8"] {
            assert!(texts.contains(&said), "{said} is not among {texts:?}");
        }
    }
}
