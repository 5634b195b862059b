use std::path::Path;

use clap::Args;

use super::output::{FileFormat, Output, settle};
use super::wrong_usage;

/// Pixels of a PNG for each unit of the SVG: sharp on dense screens and in print.
#[cfg(feature = "png")]
const PNG_SCALE: f32 = 2.0;

#[derive(Debug, Args)]
pub(super) struct FigureFile {
    /// The figure to write: .svg or .png; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Output,
}

impl FigureFile {
    /// Checks, before long work begins, that the figure can be written and its name determines the format.
    pub(super) fn check(&self, read: &[&Path]) -> anyhow::Result<()> {
        self.output.check(read)?;
        if self.format() == FileFormat::Png && !cfg!(feature = "png") {
            let name = self.output.name();
            wrong_usage(format!(
                "{name} would be a PNG, which this program was built without; expected an .svg, or a build with \
                     --features png"
            ));
        }
        Ok(())
    }

    fn format(&self) -> FileFormat {
        let usual = self.output.is_stdout().then_some(FileFormat::Svg);
        settle(Some(&self.output), None, usual, &[FileFormat::Svg, FileFormat::Png])
    }

    pub(super) fn write(&self, svg: &str) -> anyhow::Result<()> {
        #[cfg(feature = "png")]
        if self.format() == FileFormat::Png {
            let png = pencil_tennis::figures::to_png(svg, PNG_SCALE)?;
            return self.output.write(|out| out.write_all(&png));
        }
        self.output.write(|out| out.write_all(svg.as_bytes()))
    }
}
