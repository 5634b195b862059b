//! Lines over a number.

use super::axes::Axes;
use super::colours::LINES;
use super::svg::{Anchor, Point, SMALL, Svg};

#[derive(Clone, Debug)]
pub(super) struct LineChart<'t> {
    pub(super) title: &'t str,
    pub(super) labels: [&'t str; 2],
    pub(super) scales: [Scale; 2],
    pub(super) dots: bool,
    pub(super) lines: Vec<(String, Vec<(f64, f64)>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// From 0, with all numbers.
    FromZero,
    /// About the numbers there are.
    Fitted,
    /// The same, for positive numbers.
    Logarithmic,
}

impl Scale {
    /// The range of an axis for numbers; `above` is the room above the largest as a part of it.
    fn range(self, numbers: impl Iterator<Item = f64>, above: f64) -> [f64; 2] {
        let [least, most] =
            numbers.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], number| [least.min(number), most.max(number)]);
        let room = (0.05 * (most - least)).max(0.01);
        match self {
            Self::FromZero => [0.0, (1.0 + above) * most.max(1.0)],
            Self::Fitted => [least - room, most + room],
            Self::Logarithmic => [0.8 * least, 1.25 * most],
        }
    }
}

const LETTER: i32 = 8;

impl<'t> LineChart<'t> {
    pub(super) fn new(title: &'t str, labels: [&'t str; 2], lines: Vec<(String, Vec<(f64, f64)>)>) -> Self {
        Self { title, labels, scales: [Scale::FromZero; 2], dots: false, lines }
    }

    pub(super) fn draw(&self) -> String {
        let all = || self.lines.iter().flat_map(|(_, points)| points);
        let axes = Axes {
            left: 66,
            top: 46,
            width: 500,
            height: 340,
            across: self.scales[0].range(all().map(|point| point.0), 0.0),
            up: self.scales[1].range(all().map(|point| point.1), 0.04),
            logarithmic: self.scales.map(|scale| scale == Scale::Logarithmic),
            labels: self.labels,
        };
        let longest = self.lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0) as i32;
        let right = axes.left + axes.width;
        Svg::picture((right + (LETTER * longest + 30).max(154), 440), self.title, |svg| {
            axes.draw(svg, true);
            // Names from the top, so that each stands below the one before it.
            let mut ends: Vec<(i32, usize)> = Vec::new();
            for (index, (_, points)) in self.lines.iter().enumerate() {
                let drawn: Vec<Point> = points.iter().map(|&(x, y)| (axes.x(x), axes.y(y))).collect();
                let Some(&(_, end)) = drawn.last() else { continue };
                // Ends of about the same height keep the order of the lines.
                ends.push((end / 24 * 24, index));
                let colour = LINES[index % LINES.len()];
                // A line that lies on another is thinner, so that both are seen.
                svg.line(&drawn, colour, if index < 2 && !self.dots { 4 } else { 2 });
                drawn.into_iter().filter(|_| self.dots).for_each(|point| svg.dot(point, colour));
            }
            ends.sort_unstable();
            let mut free = i32::MIN;
            for (end, index) in ends {
                let y = end.max(free);
                free = y + SMALL + 4;
                svg.line(&[(right + 4, y), (right + 18, y)], LINES[index % LINES.len()], 3);
                svg.text(&self.lines[index].0, (right + 23, y - SMALL / 2), SMALL, Anchor::Start);
            }
        })
    }
}
