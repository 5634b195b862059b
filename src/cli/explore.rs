//! `explore`: the page that solves in the browser.

mod page;

use clap::Args;

use super::output::Output;

/// Write a page to explore, play, judge and learn: the solver itself, in one file for any browser
#[derive(Debug, Args)]
#[command(after_help = "\
The page works offline, opened from disk. It solves any game of the family
itself, with the same results to the last bit.

Examples:
  pencil-tennis explore -o explorer.html
  pencil-tennis explore -o - > explorer.html")]
pub(super) struct Explore {
    /// The file to write; - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "explorer.html")]
    output: Output,
}

impl Explore {
    pub(super) fn run(self) -> anyhow::Result<()> {
        self.output.check_only("the page", "html");
        self.output.check(&[])?;
        let page = page::assemble();
        self.output.write(|out| out.write_all(page.as_bytes()))?;
        if let Some(path) = self.output.path() {
            eprintln!("{}: {} kB, to be opened in a browser", path.display(), page.len() / 1000);
        }
        Ok(())
    }
}
