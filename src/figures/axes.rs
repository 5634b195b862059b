//! A rectangle of the picture with numbers along its sides.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::FigureError;

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Sizes of letters, in pixels.
pub(super) const SMALL: i32 = 13;
pub(super) const NORMAL: i32 = 15;
pub(super) const LARGE: i32 = 18;

const INK: RGBColor = RGBColor(34, 34, 34);
const GRID: RGBColor = RGBColor(228, 228, 228);

/// Draws into a picture of this size and returns its SVG, named by `title` for readers who cannot see it.
pub(crate) fn picture(
    (width, height): (i32, i32),
    title: &str,
    draw: impl FnOnce(&Area<'_>) -> Result<(), FigureError>,
) -> Result<String, FigureError> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width as u32, height as u32)).into_drawing_area();
        area.fill(&WHITE).map_err(failed)?;
        text(&area, title, (width / 2, 10), LARGE, HPos::Center)?;
        draw(&area)?;
        area.present().map_err(failed)?;
    }
    let named = format!("xmlns=\"http://www.w3.org/2000/svg\" role=\"img\">\n<title>{}</title>", escaped(title));
    Ok(svg.replacen("xmlns=\"http://www.w3.org/2000/svg\">", &named, 1))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

pub(super) fn failed(error: impl std::fmt::Display) -> FigureError {
    FigureError::Drawing(error.to_string())
}

/// Writes with the upper edge of the letters at a point.
pub(super) fn text(area: &Area<'_>, text: &str, at: (i32, i32), size: i32, across: HPos) -> Result<(), FigureError> {
    let style = ("sans-serif", size).into_font().color(&INK).pos(Pos::new(across, VPos::Top));
    area.draw(&Text::new(text.to_owned(), at, style)).map_err(failed)
}

pub(super) fn line(area: &Area<'_>, points: Vec<(i32, i32)>, colour: RGBColor, width: u32) -> Result<(), FigureError> {
    area.draw(&PathElement::new(points, colour.stroke_width(width))).map_err(failed)
}

pub(super) fn rectangle(area: &Area<'_>, corners: [(i32, i32); 2], colour: RGBColor) -> Result<(), FigureError> {
    area.draw(&Rectangle::new(corners, colour.filled())).map_err(failed)
}

/// A rectangle of pixels, and the numbers at its edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes<'t> {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) across: [f64; 2],
    pub(super) up: [f64; 2],
    pub(super) labels: [&'t str; 2],
}

impl Axes<'_> {
    pub(super) fn x(&self, number: f64) -> i32 {
        let [least, most] = self.across;
        self.left + ((number - least) / (most - least) * f64::from(self.width)).round() as i32
    }

    pub(super) fn y(&self, number: f64) -> i32 {
        let [least, most] = self.up;
        self.top + self.height - ((number - least) / (most - least) * f64::from(self.height)).round() as i32
    }

    /// Draws the frame with ticks and labels; `grid` continues the ticks as light lines.
    pub(super) fn draw(&self, area: &Area<'_>, grid: bool) -> Result<(), FigureError> {
        let (right, bottom) = (self.left + self.width, self.top + self.height);
        for number in ticks(self.across, self.width / 45) {
            let x = self.x(number);
            if grid {
                line(area, vec![(x, self.top), (x, bottom)], GRID, 1)?;
            }
            line(area, vec![(x, bottom), (x, bottom + 4)], INK, 1)?;
            text(area, &short(number), (x, bottom + 7), SMALL, HPos::Center)?;
        }
        for number in ticks(self.up, self.height / 30) {
            let y = self.y(number);
            if grid {
                line(area, vec![(self.left, y), (right, y)], GRID, 1)?;
            }
            line(area, vec![(self.left - 4, y), (self.left, y)], INK, 1)?;
            text(area, &short(number), (self.left - 7, y - SMALL / 2), SMALL, HPos::Right)?;
        }
        let frame = vec![(self.left, self.top), (self.left, bottom), (right, bottom), (right, self.top), (self.left, self.top)];
        line(area, frame, INK, 1)?;
        text(area, self.labels[0], (self.left + self.width / 2, bottom + 24), SMALL, HPos::Center)?;
        let style = ("sans-serif", SMALL).into_font().color(&INK).pos(Pos::new(HPos::Center, VPos::Top));
        let turned = style.transform(FontTransform::Rotate270);
        let at = (self.left - 48, self.top + self.height / 2);
        area.draw(&Text::new(self.labels[1].to_owned(), at, turned)).map_err(failed)
    }
}

/// About `count` round numbers in a range: multiples of 1, 2 or 5 times a power of ten.
pub(super) fn ticks([least, most]: [f64; 2], count: i32) -> Vec<f64> {
    let rough = (most - least) / f64::from(count.max(1));
    if !(rough > 0.0 && rough.is_finite()) {
        return vec![least];
    }
    let power = 10_f64.powi(rough.log10().floor() as i32);
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= rough * 0.999).unwrap_or(power);
    // A range that ends at a multiple shows it, whatever the rounding.
    let (first, last) = ((least / step - 1e-9).ceil() as i64, (most / step + 1e-9).floor() as i64);
    (first..=last).map(|multiple| multiple as f64 * step).collect()
}

/// A round number without the noise of its last bits, with a true minus sign.
pub(super) fn short(number: f64) -> String {
    let rounded = (number * 1e6).round() / 1e6;
    format!("{}", rounded + 0.0).replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::{short, ticks};

    #[test]
    fn ticks_are_round_and_few() {
        let shown = |range, count| ticks(range, count).into_iter().map(short).collect::<Vec<_>>().join(" ");
        assert_eq!(shown([0.0, 50.0], 5), "0 10 20 30 40 50");
        assert_eq!(shown([-2.0, 2.0], 4), "−2 −1 0 1 2");
        assert_eq!(shown([0.0, 0.3], 3), "0 0.1 0.2 0.3");
        assert_eq!(shown([7.0, 7.0], 3), "7");
    }
}
