//! Every file that publishes proved bounds has its check in the table of docs/architecture.md, and
//! the other way round.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The way from integers to published bounds.
const PUBLISHING: &str = "Enclosure::proved(";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The files that publish, without those whose tests alone do and the room of `Enclosure` itself.
fn publishing() -> BTreeSet<String> {
    let mut all = Vec::new();
    sources(&root().join("src"), &mut all);
    sources(&root().join("crates"), &mut all);
    let publishes = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        code.contains(PUBLISHING)
    };
    let name =
        |path: PathBuf| path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
    all.into_iter()
        .filter(publishes)
        .map(name)
        .filter(|name| !name.starts_with("crates/matrix-game/src/bounds/"))
        .collect()
}

/// The files in backquotes of a cell.
fn files(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2).filter(|name| name.contains('/'))
}

#[test]
fn every_published_bound_has_its_check_and_its_forgery() {
    let page = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let table =
        page.split("## The gate").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.starts_with("| "))
        .skip(2)
        .map(|line| line.split('|').collect())
        .collect();
    assert!(rows.len() > 10);
    let listed: BTreeSet<String> =
        rows.iter().flat_map(|row| files(row[2])).map(str::to_owned).collect();
    assert_eq!(
        listed,
        publishing(),
        "left: listed in docs/architecture.md; right: files that publish bounds"
    );
    for row in rows {
        let forged: Vec<&str> = files(row[4]).collect();
        assert!(!forged.is_empty(), "no forgery: {row:?}");
        for file in forged {
            assert!(root().join(file).is_file(), "{file}");
        }
    }
}
