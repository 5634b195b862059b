//! A folder for a web server: the page as an installable app that works offline.

use super::{Page, PageError, html};

const MANIFEST: &str = include_str!("../../web/site/manifest.webmanifest");
const WORKER: &str = include_str!("../../web/site/sw.js");
const ICON: &str = include_str!("../../web/site/icon.svg");
const ICON_IN_PIXELS: &[u8] = include_bytes!("../../web/site/icon.png");

/// A picture of the page, 1200 by 630, for link previews.
const PICTURE: &[u8] = include_bytes!("../../web/site/picture.png");

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

/// The folder's files by name.
pub(super) fn files(page: &Page) -> Result<Vec<(&'static str, Vec<u8>)>, PageError> {
    let preview = page.address.as_ref().map(|address| PREVIEW.replace("{address}", address));
    let page = html::assemble(page, &(HEAD.to_owned() + &preview.unwrap_or_default()))?;
    let worker = WORKER.replace("{version}", &format!("{:08x}", crc32fast::hash(page.as_bytes())));
    Ok(vec![
        ("index.html", page.into_bytes()),
        ("manifest.webmanifest", MANIFEST.as_bytes().to_vec()),
        ("sw.js", worker.into_bytes()),
        ("icon.svg", ICON.as_bytes().to_vec()),
        ("icon.png", ICON_IN_PIXELS.to_vec()),
        ("picture.png", PICTURE.to_vec()),
    ])
}
