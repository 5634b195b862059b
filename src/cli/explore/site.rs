//! A folder for a web server: the page as an installable app that works offline.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::Context;

use super::page;
use crate::cli::output::Output;

const MANIFEST: &str = include_str!("../../../web/site/manifest.webmanifest");
const WORKER: &str = include_str!("../../../web/site/sw.js");
const ICON: &str = include_str!("../../../web/site/icon.svg");
const ICON_IN_PIXELS: &[u8] = include_bytes!("../../../web/site/icon.png");

/// A picture of the page, 1200 by 630, for link previews.
const PICTURE: &[u8] = include_bytes!("../../../web/site/picture.png");

const HEAD: &str = "\
<link rel=\"manifest\" href=\"manifest.webmanifest\">
<link rel=\"apple-touch-icon\" href=\"icon.png\">
<meta property=\"og:title\" content=\"Tennis, solved\">
<meta property=\"og:description\" content=\"The pencil game Tennis, played perfectly and proved in your browser\">
<meta property=\"og:type\" content=\"website\">
<script>navigator.serviceWorker?.register('sw.js');</script>
";

/// Link previews need the picture's absolute address.
const PREVIEW: &str = "\
<meta property=\"og:url\" content=\"{address}\">
<meta property=\"og:image\" content=\"{address}picture.png\">
<meta property=\"og:image:width\" content=\"1200\">
<meta property=\"og:image:height\" content=\"630\">
<meta name=\"twitter:card\" content=\"summary_large_image\">
";

/// Writes the folder, creating it if necessary and replacing files of these names.
pub(super) fn write(folder: &Path, start: Option<&str>, game: Option<(&str, &str)>, address: Option<&str>) -> anyhow::Result<()> {
    let preview = address.map(|address| PREVIEW.replace("{address}", address));
    let page = page::assemble(start, game, address, &(HEAD.to_owned() + &preview.unwrap_or_default()))?;
    let worker = WORKER.replace("{version}", &format!("{:08x}", crc32fast::hash(page.as_bytes())));
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let files: [(&str, &[u8]); 6] = [
        ("index.html", page.as_bytes()),
        ("manifest.webmanifest", MANIFEST.as_bytes()),
        ("sw.js", worker.as_bytes()),
        ("icon.svg", ICON.as_bytes()),
        ("icon.png", ICON_IN_PIXELS),
        ("picture.png", PICTURE),
    ];
    for (name, bytes) in files {
        Output::File(folder.join(name)).write(|out: &mut dyn io::Write| out.write_all(bytes))?;
    }
    Ok(())
}
