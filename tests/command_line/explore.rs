//! The command `explore`: the page is whole, and it is what stands in the sources.

use std::fs;

use crate::program::{folder, run, text};

#[test]
fn explore_writes_one_whole_page() {
    let folder = folder();
    let output = run(folder.path(), &["explore", "-o", "page.html"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "");
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert!(!page.contains("<!--{modules}-->") && !page.contains("/*{style}*/"), "every piece is in its place");
    assert_eq!(page.matches(" data-module=\"").count(), 21);
    // A gzip file begins with 1f 8b 08: in base64 `H4sI`.
    assert!(page.contains("id=\"module\">\nH4sI"));
    let piped = run(folder.path(), &["explore", "-o", "-"]);
    assert_eq!(text(&piped.stdout), page);
    let refused = run(folder.path(), &["explore", "-o", "no/such/page.html"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("there is no folder no/such"), "{}", text(&refused.stderr));
}
