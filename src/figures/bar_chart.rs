//! Bars side by side.

use super::axes::Axes;
use super::svg::{Anchor, Colour, NORMAL, Point, SMALL, Svg};

const BAR: Colour = Colour(0, 114, 178);

/// A share for every number from `first` on, drawn into `axes`, in per cent.
pub(super) fn draw_shares(svg: &mut Svg, title: &str, axes: &Axes<'_>, first: f64, shares: &[f64]) {
    svg.text(title, (axes.left + axes.width / 2, axes.top - 22), NORMAL, Anchor::Middle);
    axes.draw(svg, true);
    for (number, share) in shares.iter().enumerate() {
        let middle = first + number as f64;
        svg.rectangle([(axes.x(middle - 0.4), axes.y(100.0 * share)), (axes.x(middle + 0.4), axes.y(0.0))], BAR);
    }
}

/// Named shares as horizontal bars, one below the other, each followed by its percentage.
pub(super) fn draw_named(svg: &mut Svg, (left, top): Point, bars: &[(&str, f64)]) {
    for (row, (name, share)) in (0..).zip(bars) {
        let y = top + row * 26;
        let end = left + (share * 300.0).round() as i32;
        svg.text(name, (left - 8, y), SMALL, Anchor::End);
        svg.rectangle([(left, y - 2), (end, y + 16)], BAR);
        let rare = *share > 0.0 && *share < 5e-5;
        let shown = if rare { "below 0.01 %".to_owned() } else { format!("{:.2} %", 100.0 * share) };
        svg.text(&shown, (end + 7, y), SMALL, Anchor::Start);
    }
}
