//! An SVG writer: rectangles, lines, dots and words at whole pixels.

use std::fmt::{self, Write};

/// A point in pixels, from the left and from the top.
pub(super) type Point = (i32, i32);

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

pub(super) struct Svg(String);

impl Svg {
    /// Draws a picture of this size and returns its text; `title` names it for screen readers.
    pub(super) fn picture((width, height): (i32, i32), title: &str, draw: impl FnOnce(&mut Self)) -> String {
        let size = format!("width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\"");
        let named = escaped(title);
        let mut svg = Self(format!("<svg {size} xmlns=\"http://www.w3.org/2000/svg\" role=\"img\">\n<title>{named}</title>\n"));
        svg.rectangle([(0, 0), (width, height)], WHITE);
        svg.text(title, (width / 2, 10), LARGE, MIDDLE);
        draw(&mut svg);
        svg.0 + "</svg>\n"
    }

    fn push(&mut self, element: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "{element}");
    }

    /// Writes with the upper edge of the letters at a point.
    pub(super) fn text(&mut self, text: &str, at: Point, size: i32, anchor: &str) {
        self.transformed_text(text, at, size, anchor, "");
    }

    /// Writes upward with the middle of the text at a point.
    pub(super) fn turned_text(&mut self, text: &str, (x, y): Point, size: i32) {
        self.transformed_text(text, (x, y), size, MIDDLE, &format!(" transform=\"rotate(270, {x}, {y})\""));
    }

    fn transformed_text(&mut self, text: &str, (x, y): Point, size: i32, anchor: &str, transform: &str) {
        // Letters are taller than the font's nominal size.
        let size = f64::from(size) / 1.24;
        let text = escaped(text);
        self.push(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.76em\" text-anchor=\"{anchor}\" font-family=\"sans-serif\" font-size=\"{size}\" \
             opacity=\"1\" fill=\"{INK}\"{transform}>\n{text}\n</text>"
        ));
    }

    pub(super) fn line(&mut self, points: &[Point], colour: Colour, width: u32) {
        let points = points.iter().fold(String::new(), |text, (x, y)| text + &format!("{x},{y} "));
        self.push(format_args!(
            "<polyline fill=\"none\" opacity=\"1\" stroke=\"{colour}\" stroke-width=\"{width}\" points=\"{points}\"/>"
        ));
    }

    pub(super) fn rectangle(&mut self, [(left, top), (right, bottom)]: [Point; 2], colour: Colour) {
        let (width, height) = (right - left, bottom - top);
        self.push(format_args!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" opacity=\"1\" fill=\"{colour}\" stroke=\"none\"/>"
        ));
    }

    pub(super) fn dot(&mut self, (x, y): Point, colour: Colour) {
        self.push(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"2\" fill=\"{colour}\"/>"));
    }
}

/// Text as XML has it, without the control characters that it cannot have.
fn escaped(text: &str) -> String {
    let signs = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('\'', "&apos;")];
    let text = text.replace(|sign: char| sign.is_control() || "\u{fffe}\u{ffff}".contains(sign), "\u{fffd}");
    signs.into_iter().fold(text, |text, (sign, name)| text.replace(sign, name))
}
