//! Figures as PNG, with the font that they need.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

use super::FigureError;

/// `DejaVu` Sans, reduced to Latin scripts and some signs; its licence is in the same folder.
const FONT: &[u8] = include_bytes!("../../assets/DejaVuSans.ttf");

static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    fonts.load_font_data(FONT.to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    Arc::new(fonts)
});

/// Renders an SVG as a PNG with `scale` pixels for each of its own and the same font on every
/// machine. Needs the feature `png`.
///
/// # Errors
/// [`FigureError::Drawing`] for a text that is no SVG, or a scale that leaves no pixels or more
/// than 100 million.
///
/// ```
/// let svg = pencil_tennis::figures::support_figure(&pencil_tennis::solve(5)?)?;
/// let png = pencil_tennis::figures::to_png(&svg, 2.0)?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_png(svg: &str, scale: f32) -> Result<Vec<u8>, FigureError> {
    /// About 400 MB in memory.
    const MOST_PIXELS: f32 = 1e8;
    let options = Options {
        fontdb: FONTS.clone(),
        font_family: "DejaVu Sans".to_owned(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(failed)?;
    let [width, height] = [tree.size().width() * scale, tree.size().height() * scale];
    if !(width >= 1.0 && height >= 1.0 && width * height <= MOST_PIXELS) {
        return Err(failed(format!(
            "{width} × {height} pixels are not possible; expected 1 to {MOST_PIXELS} in all"
        )));
    }
    let mut pixels = Pixmap::new(width.ceil() as u32, height.ceil() as u32)
        .ok_or_else(|| failed("no memory for the pixels"))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(failed)
}

fn failed(error: impl std::fmt::Display) -> FigureError {
    FigureError::Drawing(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At a scale that leaves edges between pixels, no colour shines through another's edge: of the
    /// rectangles alone, without frames and words, a picture has their colours and no mixtures of
    /// them.
    #[test]
    fn maps_have_no_seams_at_any_scale() {
        let solution = crate::solve(20).expect("Tennis is solved");
        let svg = crate::figures::opening_figure(&solution).expect("a figure");
        let (head, rest) = svg.split_once('>').expect("an element");
        let rectangles: Vec<&str> =
            rest.split('<').filter(|element| element.starts_with("rect ")).map(str::trim).collect();
        let alone = format!("{head}><{}</svg>", rectangles.join("<"));
        let colour = |rectangle: &&str| {
            let (_, rest) = rectangle.split_once(" fill=\"#").expect("a colour");
            u32::from_str_radix(&rest[..6], 16).expect("a colour")
        };
        let colours: std::collections::BTreeSet<u32> = rectangles.iter().map(colour).collect();
        assert!(colours.len() > 10, "{colours:x?}");
        let pixels =
            Pixmap::decode_png(&to_png(&alone, 1.37).expect("a picture")).expect("a picture");
        for pixel in pixels.pixels().iter().filter(|pixel| pixel.alpha() > 0) {
            let seen = u32::from_be_bytes([0, pixel.red(), pixel.green(), pixel.blue()]);
            assert!(colours.contains(&seen), "{seen:06x} is none of {colours:x?}");
        }
    }
}
