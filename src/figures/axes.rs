//! Axes and curves of one diagram.

use super::svg::{Colour, END, INK, MIDDLE, Point, SMALL, Svg};
use crate::game::Ball;

const GRID: Colour = Colour(228, 228, 228);

/// The numbers that an axis or a scale of colours covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) least: f64,
    pub(super) most: f64,
}

impl Range {
    pub(super) const fn new(least: f64, most: f64) -> Self {
        Self { least, most }
    }
}

/// Whether the ticks of axes continue as light lines across the diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GridLines {
    Drawn,
    Absent,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Axes<'t> {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: i32,
    pub(super) height: i32,
    /// Of both axes, the horizontal one first, as all that follows.
    pub(super) ranges: [Range; 2],
    pub(super) logarithmic: [bool; 2],
    /// Whether an axis counts something, so that its ticks are whole numbers.
    pub(super) counts: [bool; 2],
    pub(super) labels: [&'t str; 2],
}

impl Axes<'_> {
    pub(super) fn x(&self, number: f64) -> i32 {
        self.left + (self.share(0, number) * f64::from(self.width)).round() as i32
    }

    pub(super) fn y(&self, number: f64) -> i32 {
        self.top + self.height - (self.share(1, number) * f64::from(self.height)).round() as i32
    }

    /// The relative position of a number on an axis; 0 is horizontal, 1 vertical.
    fn share(&self, axis: usize, number: f64) -> f64 {
        let Range { least, most } = self.ranges[axis];
        let [number, least, most] = [number, least, most]
            .map(|number| if self.logarithmic[axis] { number.log10() } else { number });
        (number - least) / (most - least)
    }

    fn ticks(&self, axis: usize, count: i32) -> Vec<f64> {
        let range = self.ranges[axis];
        let most =
            if self.counts[axis] { count.min((range.most - range.least) as i32) } else { count };
        if self.logarithmic[axis] { logarithmic_ticks(range, count) } else { ticks(range, most) }
    }

    /// Draws the frame with ticks and labels.
    pub(super) fn draw(&self, svg: &mut Svg, grid: GridLines) {
        let (right, bottom) = (self.left + self.width, self.top + self.height);
        for number in self.ticks(0, self.width / 45) {
            let x = self.x(number);
            if grid == GridLines::Drawn {
                svg.line(&[Point::new(x, self.top), Point::new(x, bottom)], GRID, 1);
            }
            svg.line(&[Point::new(x, bottom), Point::new(x, bottom + 4)], INK, 1);
            svg.text(&short(number), Point::new(x, bottom + 7), SMALL, MIDDLE);
        }
        for number in self.ticks(1, self.height / 30) {
            let y = self.y(number);
            if grid == GridLines::Drawn {
                svg.line(&[Point::new(self.left, y), Point::new(right, y)], GRID, 1);
            }
            svg.line(&[Point::new(self.left - 4, y), Point::new(self.left, y)], INK, 1);
            svg.text(&short(number), Point::new(self.left - 7, y - SMALL / 2), SMALL, END);
        }
        let frame = [
            Point::new(self.left, self.top),
            Point::new(self.left, bottom),
            Point::new(right, bottom),
            Point::new(right, self.top),
            Point::new(self.left, self.top),
        ];
        svg.line(&frame, INK, 1);
        svg.text(
            self.labels[0],
            Point::new(self.left + self.width / 2, bottom + 24),
            SMALL,
            MIDDLE,
        );
        svg.turned_text(
            self.labels[1],
            Point::new(self.left - 48, self.top + self.height / 2),
            SMALL,
        );
    }
}

/// Powers of ten and, where they are few, their doubles and fivefolds; round numbers where there is
/// only one power or none.
fn logarithmic_ticks(range: Range, count: i32) -> Vec<f64> {
    let Range { least, most } = range;
    let (first, last) = (least.log10().ceil() as i32, most.log10().floor() as i32);
    if last <= first {
        return ticks(range, count);
    }
    let multiples: &[f64] = if last - first < 3 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let all = (first - 1..=last)
        .flat_map(|power| multiples.iter().map(move |multiple| multiple * 10_f64.powi(power)));
    all.filter(|number| (least..=most).contains(number)).collect()
}

/// About `count` round numbers in a range: multiples of 1, 2 or 5 times a power of ten.
pub(super) fn ticks(range: Range, count: i32) -> Vec<f64> {
    let Range { least, most } = range;
    let rough = (most - least) / f64::from(count.max(1));
    if !(rough > 0.0 && rough.is_finite()) {
        return vec![least];
    }
    let power = 10_f64.powi(rough.log10().floor() as i32);
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= rough * 0.999)
        .unwrap_or(power);
    // A range that ends at a multiple shows it despite rounding.
    let (first, last) = ((least / step - 1e-9).ceil() as i64, (most / step + 1e-9).floor() as i64);
    (first..=last).map(|multiple| multiple as f64 * step).collect()
}

pub(super) fn ball_name(ball: Ball) -> String {
    format!("ball {}", short(f64::from(ball.position())))
}

/// Writes a round number without rounding noise, with a true minus sign, and large ones in short:
/// 1,000,000 as 1M.
pub(super) fn short(number: f64) -> String {
    let (unit, size) = [("T", 1e12), ("G", 1e9), ("M", 1e6)]
        .into_iter()
        .find(|&(_, size)| number >= size)
        .unwrap_or(("", 1.0));
    let rounded = (number / size * 1e6).round() / 1e6;
    format!("{}{unit}", rounded + 0.0).replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::{Range, short, ticks};

    #[test]
    fn ticks_are_round_and_few() {
        let shown =
            |range, count| ticks(range, count).into_iter().map(short).collect::<Vec<_>>().join(" ");
        assert_eq!(shown(Range::new(0.0, 50.0), 5), "0 10 20 30 40 50");
        assert_eq!(shown(Range::new(-2.0, 2.0), 4), "−2 −1 0 1 2");
        assert_eq!(shown(Range::new(0.0, 0.3), 3), "0 0.1 0.2 0.3");
        assert_eq!(shown(Range::new(7.0, 7.0), 3), "7");
    }
}
