//! Lines over a number.

use plotters::style::text_anchor::HPos;

use super::FigureError;
use super::axes::{Axes, SMALL, line, picture, text};
use super::colours::LINES;

/// Named lines over one pair of axes.
#[derive(Clone, Debug)]
pub(super) struct LineChart<'t> {
    pub(super) title: &'t str,
    pub(super) labels: [&'t str; 2],
    pub(super) lines: Vec<(String, Vec<(f64, f64)>)>,
}

impl LineChart<'_> {
    /// Draws it, each line named at its right end; both axes begin at 0.
    pub(super) fn draw(&self) -> Result<String, FigureError> {
        let all = || self.lines.iter().flat_map(|(_, points)| points);
        let most = |of: fn(&(f64, f64)) -> f64| all().map(of).fold(1.0, f64::max);
        let [right, top] = [most(|point| point.0), most(|point| point.1)];
        let axes =
            Axes { left: 66, top: 46, width: 500, height: 340, across: [0.0, right], up: [0.0, 1.04 * top], labels: self.labels };
        picture((720, 440), self.title, |area| {
            axes.draw(area, true)?;
            // Names from the top, so that each stands below the one before it.
            let mut ends: Vec<(i32, usize)> = Vec::new();
            for (index, (_, points)) in self.lines.iter().enumerate() {
                let drawn: Vec<(i32, i32)> = points.iter().map(|&(x, y)| (axes.x(x), axes.y(y))).collect();
                if let Some(&(_, end)) = drawn.last() {
                    // Ends of about the same height keep the order of the lines.
                    ends.push((end / 24 * 24, index));
                    // A line that lies on another is thinner, so that both are seen.
                    line(area, drawn, LINES[index % LINES.len()], if index < 2 { 4 } else { 2 })?;
                }
            }
            ends.sort_unstable();
            let mut free = i32::MIN;
            let right = axes.left + axes.width;
            for (end, index) in ends {
                let y = end.max(free);
                free = y + SMALL + 4;
                let colour = LINES[index % LINES.len()];
                line(area, vec![(right + 4, y), (right + 18, y)], colour, 3)?;
                text(area, &self.lines[index].0, (right + 23, y - SMALL / 2), SMALL, HPos::Left)?;
            }
            Ok(())
        })
    }
}
