//! Bars side by side.

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use super::FigureError;
use super::axes::{Area, Axes, NORMAL, SMALL, rectangle, text};

const BAR: RGBColor = RGBColor(0, 114, 178);

/// A share for every number from `first` on, drawn into `axes`, in per cent.
pub(super) fn draw_shares(area: &Area<'_>, title: &str, axes: &Axes<'_>, first: f64, shares: &[f64]) -> Result<(), FigureError> {
    text(area, title, (axes.left + axes.width / 2, axes.top - 22), NORMAL, HPos::Center)?;
    axes.draw(area, true)?;
    for (number, share) in shares.iter().enumerate() {
        let middle = first + number as f64;
        rectangle(area, [(axes.x(middle - 0.4), axes.y(100.0 * share)), (axes.x(middle + 0.4), axes.y(0.0))], BAR)?;
    }
    Ok(())
}

/// Named shares as horizontal bars, one below the other, each followed by its percentage.
pub(super) fn draw_named(area: &Area<'_>, (left, top): (i32, i32), bars: &[(&str, f64)]) -> Result<(), FigureError> {
    for (row, (name, share)) in (0..).zip(bars) {
        let y = top + row * 26;
        let end = left + (share * 300.0).round() as i32;
        text(area, name, (left - 8, y), SMALL, HPos::Right)?;
        rectangle(area, [(left, y - 2), (end, y + 16)], BAR)?;
        let rare = *share > 0.0 && *share < 5e-5;
        let shown = if rare { "below 0.01 %".to_owned() } else { format!("{:.2} %", 100.0 * share) };
        text(area, &shown, (end + 7, y), SMALL, HPos::Left)?;
    }
    Ok(())
}
