//! Heat maps with panels and a key of colours.

use super::axes::{Axes, GridLines, Range, short, ticks};
use super::svg::{BLACK, Colour, Heading, MIDDLE, NORMAL, Point, SMALL, START, Size, Svg};

const PANEL: i32 = 210;
const WIDE_PANEL: i32 = 560;

/// Pixels for the labels left of a panel and below it, and for its title.
const LABELS: (i32, i32, i32) = (62, 52, 26);

const TITLE: i32 = 44;

const KEY: i32 = 92;

#[derive(Clone, Debug)]
pub(super) struct Panel {
    pub(super) title: String,
    /// The numbers of the first cell across and up.
    pub(super) first: [i32; 2],
    /// Rows from the bottom; cells without a number are left blank.
    pub(super) cells: Vec<Vec<Option<f64>>>,
    /// Cells inside an outline; empty for none.
    pub(super) surrounded: Vec<Vec<bool>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct HeatMap<'t> {
    /// The quantities of the two axes, and that of the colours.
    pub(super) labels: [&'t str; 2],
    pub(super) key: &'t str,
    pub(super) scale: Scale,
    /// Whether panels are wide.
    pub(super) wide: bool,
}

const EMPTY: Colour = Colour(212, 212, 212);

impl HeatMap<'_> {
    pub(super) fn draw(&self, heading: Heading<'_>, panels: &[Panel]) -> String {
        let columns = panels
            .iter()
            .map(|panel| panel.cells.first().map_or(0, Vec::len))
            .max()
            .unwrap_or(0)
            .max(1) as i32;
        let rows = panels.iter().map(|panel| panel.cells.len()).max().unwrap_or(0).max(1) as i32;
        // Whole pixels give cells of one size with sharp edges.
        let side = ((if self.wide { WIDE_PANEL } else { PANEL }) / columns).max(1);
        let tall = if self.wide { (300 / rows).clamp(1, 2 * side) } else { side };
        let cell = Size { width: side, height: tall };
        let (width, height) = (side * columns, tall * rows);
        let across = (panels.len() as i32).min(3);
        let down = (panels.len() as i32 + across - 1) / across.max(1);
        let (left, below, above) = LABELS;
        let size = Size {
            width: across * (width + left) + KEY,
            height: TITLE + down * (height + below + above) + 8,
        };
        let range = |first: i32, count: i32| {
            Range::new(f64::from(first) - 0.5, f64::from(first) - 0.5 + f64::from(count))
        };
        Svg::picture(size, heading, |svg| {
            for (index, panel) in (0..).zip(panels) {
                let axes = Axes {
                    left: left + (index % across) * (width + left),
                    top: TITLE + above + (index / across) * (height + below + above),
                    width,
                    height,
                    ranges: [range(panel.first[0], columns), range(panel.first[1], rows)],
                    logarithmic: [false; 2],
                    counts: [true; 2],
                    labels: self.labels,
                };
                self.draw_panel(svg, panel, &axes, cell);
            }
            let (corner, length) =
                (Point::new(size.width - KEY + 16, TITLE + above), height.min(240));
            self.draw_key(svg, corner, length);
            if panels.iter().any(|panel| panel.cells.iter().flatten().any(Option::is_none)) {
                let top = corner.y + length + 14;
                svg.rectangle(
                    Point::new(corner.x, top),
                    Point::new(corner.x + 18, top + 14),
                    EMPTY,
                );
                svg.text("no state", Point::new(corner.x + 22, top), SMALL, START);
            }
        })
    }

    fn draw_panel(&self, svg: &mut Svg, panel: &Panel, axes: &Axes<'_>, cell: Size) {
        let Size { width: side, height: tall } = cell;
        svg.text(
            &panel.title,
            Point::new(axes.left + axes.width / 2, axes.top - 22),
            NORMAL,
            MIDDLE,
        );
        svg.rectangle(
            Point::new(axes.left, axes.top),
            Point::new(axes.left + axes.width, axes.top + axes.height),
            EMPTY,
        );
        let bottom = axes.top + axes.height;
        // Every colour is continued to the right and downward, and then covered; and edges are not
        // smoothed: so no seams are seen at any scale.
        for (row, cells) in panel.cells.iter().enumerate().rev() {
            let row_top = bottom - (row as i32 + 1) * tall;
            let colours: Vec<_> = cells
                .iter()
                .map(|cell| cell.map_or(EMPTY, |number| self.scale.colour(number)))
                .collect();
            let right = axes.left + colours.len() as i32 * side;
            let mut left = axes.left;
            for run in colours.chunk_by(Colour::eq) {
                svg.rectangle(Point::new(left, row_top), Point::new(right, bottom), run[0]);
                left += run.len() as i32 * side;
            }
        }
        let at = |column: usize, row: usize| {
            Point::new(axes.left + column as i32 * side, bottom - row as i32 * tall)
        };
        let inside = |column: usize, row: usize| {
            panel.surrounded.get(row).and_then(|cells| cells.get(column)).copied()
        };
        for (row, cells) in panel.surrounded.iter().enumerate() {
            for (column, &here) in cells.iter().enumerate() {
                for (beside, above) in [(column + 1, row), (column, row + 1)] {
                    if inside(beside, above).is_some_and(|next| next != here) {
                        svg.line(&[at(beside, above), at(column + 1, row + 1)], BLACK, 1);
                    }
                }
            }
        }
        axes.draw(svg, GridLines::Absent);
    }

    fn draw_key(&self, svg: &mut Svg, corner: Point, height: i32) {
        let Point { x: left, y: top } = corner;
        let Range { least, most } = self.scale.range;
        svg.text(self.key, Point::new(left - 6, top - 22), SMALL, START);
        let y = |number: f64| {
            top + height
                - ((number - least) / (most - least).max(f64::MIN_POSITIVE) * f64::from(height))
                    as i32
        };
        for step in (0..40).rev() {
            let [from, to] =
                [step, step + 1].map(|step| least + (most - least) * f64::from(step) / 40.0);
            svg.rectangle(
                Point::new(left, y(to)),
                Point::new(left + 18, top + height),
                self.scale.colour(f64::midpoint(from, to)),
            );
        }
        svg.line(
            &[
                Point::new(left, top),
                Point::new(left + 18, top),
                Point::new(left + 18, top + height),
                Point::new(left, top + height),
                Point::new(left, top),
            ],
            BLACK,
            1,
        );
        for number in ticks(self.scale.range, 4) {
            svg.text(&short(number), Point::new(left + 24, y(number) - SMALL / 2), SMALL, START);
        }
    }
}

/// Brown for B, white for even, blue for A: after `ColorBrewer`'s diverging schemes, which are safe
/// for all common kinds of colour vision.
const DIVERGING: [Colour; 5] = [
    Colour(127, 59, 8),
    Colour(224, 130, 20),
    Colour(247, 247, 247),
    Colour(67, 147, 195),
    Colour(5, 48, 97),
];

/// White to dark blue: `ColorBrewer`'s sequential scheme.
const SEQUENTIAL: [Colour; 5] = [
    Colour(255, 255, 255),
    Colour(198, 219, 239),
    Colour(107, 174, 214),
    Colour(33, 113, 181),
    Colour(8, 48, 107),
];

/// Colours for lines that people with any colour vision tell apart (M. Okabe and K. Ito, 2008),
/// darkest first.
pub(super) const LINES: [Colour; 7] = [
    Colour(0, 0, 0),
    Colour(0, 114, 178),
    Colour(213, 94, 0),
    Colour(0, 158, 115),
    Colour(204, 121, 167),
    Colour(86, 180, 233),
    Colour(230, 159, 0),
];

/// The steps of a scale: more cannot be distinguished, and neighbours of one colour are drawn as
/// one.
const STEPS: f64 = 32.0;

/// How colours follow numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Steepness {
    Even,
    /// As the square root, which tells small numbers apart.
    SquareRoot,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    range: Range,
    stops: [Colour; 5],
    steepness: Steepness,
}

impl Scale {
    pub(super) const fn diverging(most: f64) -> Self {
        Self { range: Range::new(-most, most), stops: DIVERGING, steepness: Steepness::Even }
    }

    pub(super) const fn sequential(most: f64) -> Self {
        Self { range: Range::new(0.0, most), stops: SEQUENTIAL, steepness: Steepness::Even }
    }

    /// The scale of probabilities: small ones, which mixed bids have, are seen beside 1.
    pub(super) const fn probabilities() -> Self {
        Self { range: Range::new(0.0, 1.0), stops: SEQUENTIAL, steepness: Steepness::SquareRoot }
    }

    fn colour(&self, number: f64) -> Colour {
        let Range { least, most } = self.range;
        let share =
            if most > least { ((number - least) / (most - least)).clamp(0.0, 1.0) } else { 0.5 };
        let share = match self.steepness {
            Steepness::Even => share,
            Steepness::SquareRoot => share.sqrt(),
        };
        let position = (share * STEPS).round() / STEPS * (self.stops.len() - 1) as f64;
        let below = (position as usize).min(self.stops.len() - 2);
        let rest = position - below as f64;
        let mix = |from: u8, to: u8| {
            (f64::from(from) + rest * (f64::from(to) - f64::from(from))).round() as u8
        };
        let (from, to) = (self.stops[below], self.stops[below + 1]);
        Colour(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_middle_of_a_scale() {
        let scale = Scale::diverging(2.0);
        assert_eq!(
            [-3.0, -2.0, 0.0, 2.0, 9.0].map(|number| scale.colour(number)),
            [0, 0, 2, 4, 4].map(|stop| DIVERGING[stop])
        );
        // By hand: 1/16 lies at a fourth of the colours, 1/4 in the middle.
        let scale = Scale::probabilities();
        assert_eq!([0.0, 0.0625, 0.25, 0.5625, 1.0].map(|number| scale.colour(number)), SEQUENTIAL);
        let scale = Scale::sequential(0.0);
        assert_eq!(scale.colour(1.0), SEQUENTIAL[2], "a scale without width has one colour");
    }
}
