//! An SVG writer: rectangles, lines, dots and words at whole pixels.

use std::fmt::{self, Write};

/// A point in pixels, from the left and from the top.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) x: i32,
    pub(super) y: i32,
}

impl Point {
    pub(super) const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }
}

/// Pixels across and down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) width: i32,
    pub(super) height: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Colour(pub(super) u8, pub(super) u8, pub(super) u8);

pub(super) const BLACK: Colour = Colour(0, 0, 0);
pub(super) const INK: Colour = Colour(34, 34, 34);
const WHITE: Colour = Colour(255, 255, 255);

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

pub(super) const SMALL: i32 = 13;
pub(super) const NORMAL: i32 = 15;
pub(super) const LARGE: i32 = 18;

/// The part of a text that stands at its point.
pub(super) const START: &str = "start";
pub(super) const MIDDLE: &str = "middle";
pub(super) const END: &str = "end";

const MUTED: Colour = Colour(90, 90, 90);

/// A title, and a sentence that says how the picture is read; it may be empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heading<'t> {
    pub(super) title: &'t str,
    pub(super) reading: &'t str,
}

/// The most lines of a title and of its sentence.
const MOST_LINES: usize = 4;

/// The pixels between two lines of a title, and of its sentence.
const TITLE_LINE: i32 = 23;
const READING_LINE: i32 = 18;

pub(super) struct Svg(String);

impl Svg {
    /// Draws a picture of this size, which has room for a title of one line, and returns its text.
    /// More lines make it taller. The title names it for screen readers, and the sentence describes
    /// it.
    pub(super) fn picture(
        size: Size,
        heading: Heading<'_>,
        draw: impl FnOnce(&mut Self),
    ) -> String {
        let Heading { title, reading } = heading;
        let width = size.width;
        // A letter is at most so many tenths of a pixel wide, on average.
        let letters = |tenths: i32| (10 * (width - 20) / tenths).max(10) as usize;
        let (title_lines, reading_lines) =
            (wrapped(title, letters(95)), wrapped(reading, letters(67)));
        let title_height = TITLE_LINE * (title_lines.len() as i32 - 1).max(0);
        let more = title_height + READING_LINE * reading_lines.len() as i32;
        let height = size.height + more;
        let attributes =
            format!("width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\"");
        let mut svg =
            Self(format!("<svg {attributes} xmlns=\"http://www.w3.org/2000/svg\" role=\"img\">\n"));
        svg.push(format_args!("<title>{}</title>", escaped(title)));
        if !reading.is_empty() {
            svg.push(format_args!("<desc>{}</desc>", escaped(reading)));
        }
        svg.rectangle(Point::new(0, 0), Point::new(width, height), WHITE);
        for (line, text) in (0..).zip(&title_lines) {
            svg.text(text, Point::new(width / 2, 10 + TITLE_LINE * line), LARGE, MIDDLE);
        }
        for (line, text) in (0..).zip(&reading_lines) {
            let y = 34 + title_height + READING_LINE * line;
            svg.coloured_text(text, Point::new(width / 2, y), MUTED);
        }
        svg.push(format_args!("<g transform=\"translate(0, {more})\">"));
        draw(&mut svg);
        svg.0 + "</g>\n</svg>\n"
    }

    fn push(&mut self, element: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "{element}");
    }

    /// Writes with the upper edge of the letters at a point.
    pub(super) fn text(&mut self, text: &str, at: Point, size: i32, anchor: &str) {
        self.styled_text(text, at, size, anchor, &format!("fill=\"{INK}\""));
    }

    /// Writes small letters of a colour around a point.
    fn coloured_text(&mut self, text: &str, at: Point, colour: Colour) {
        self.styled_text(text, at, SMALL, MIDDLE, &format!("fill=\"{colour}\""));
    }

    /// Writes upward with the middle of the text at a point.
    pub(super) fn turned_text(&mut self, text: &str, at: Point, size: i32) {
        let Point { x, y } = at;
        let style = format!("fill=\"{INK}\" transform=\"rotate(270, {x}, {y})\"");
        self.styled_text(text, at, size, MIDDLE, &style);
    }

    fn styled_text(&mut self, text: &str, at: Point, size: i32, anchor: &str, style: &str) {
        let Point { x, y } = at;
        // Letters are taller than the font's nominal size.
        let size = f64::from(size) / 1.24;
        let text = escaped(text);
        self.push(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.76em\" text-anchor=\"{anchor}\" font-family=\"sans-serif\" font-size=\"{size}\" \
             opacity=\"1\" {style}>\n{text}\n</text>"
        ));
    }

    pub(super) fn line(&mut self, points: &[Point], colour: Colour, width: u32) {
        self.styled_line(points, colour, width, "");
    }

    /// Draws a line with gaps, through which a line below it is seen.
    pub(super) fn dashed_line(&mut self, points: &[Point], colour: Colour, width: u32) {
        self.styled_line(points, colour, width, " stroke-dasharray=\"7 7\"");
    }

    fn styled_line(&mut self, points: &[Point], colour: Colour, width: u32, style: &str) {
        let points =
            points.iter().fold(String::new(), |text, Point { x, y }| text + &format!("{x},{y} "));
        self.push(format_args!(
            "<polyline fill=\"none\" opacity=\"1\" stroke=\"{colour}\" stroke-width=\"{width}\"{style} points=\"{points}\"/>"
        ));
    }

    /// Fills a rectangle, given by its upper left and its lower right corner.
    pub(super) fn rectangle(&mut self, from: Point, to: Point, colour: Colour) {
        let Point { x: left, y: top } = from;
        let (width, height) = (to.x - left, to.y - top);
        // Where the picture is scaled, a smooth edge between two pixels would be a stripe of the
        // colour below.
        self.push(format_args!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{colour}\" shape-rendering=\"crispEdges\"/>"
        ));
    }

    pub(super) fn dot(&mut self, at: Point, colour: Colour) {
        let Point { x, y } = at;
        self.push(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"2\" fill=\"{colour}\"/>"));
    }
}

/// The lines of a text of at most so many letters each; a longer word, and what would be a line too
/// much, is cut.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word: String = if word.chars().count() > letters {
            word.chars().take(letters - 1).chain(['…']).collect()
        } else {
            word.to_owned()
        };
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                *line += &word;
            }
            _ => lines.push(word),
        }
    }
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        lines[MOST_LINES - 1] += " …";
    }
    lines
}

/// Text as XML has it, without the control characters that it cannot have.
fn escaped(text: &str) -> String {
    let signs = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('\'', "&apos;")];
    let text = text
        .replace(|sign: char| sign.is_control() || "\u{fffe}\u{ffff}".contains(sign), "\u{fffd}");
    signs.into_iter().fold(text, |text, (sign, name)| text.replace(sign, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_short_and_few() {
        assert_eq!(wrapped("", 10), Vec::<String>::new());
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("unbelievable", 6), ["unbel…"]);
        assert_eq!(wrapped("a b c d e f", 1), ["a", "b", "c", "d …"]);
    }

    /// A title of three lines and a sentence of one: two lines of 23 pixels and one of 18 more.
    #[test]
    fn a_long_title_makes_the_picture_taller() {
        let title = "ten letters ".repeat(3);
        let svg = Svg::picture(
            Size { width: 140, height: 100 },
            Heading { title: &title, reading: "how to read" },
            |_| {},
        );
        assert!(svg.contains("height=\"164\""), "{svg}");
        assert!(svg.contains("translate(0, 64)"), "{svg}");
    }
}
