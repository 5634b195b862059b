//! `plot`: figures that a browser can show, from the numbers of the solution.

use std::fs;

use pencil_tennis::{Rules, Solver, State};

use crate::program::{assert_refused, folder, stdout};

/// The figure that these arguments draw.
fn drawn(args: &[&str]) -> String {
    let folder = folder();
    assert_eq!(
        stdout(folder.path(), &[&["plot"], args, &["-o", "figure.svg"]].concat()),
        "",
        "{args:?}"
    );
    let svg = fs::read_to_string(folder.path().join("figure.svg")).expect("a figure");
    assert!(
        svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>") && svg.contains("<title>"),
        "{args:?}"
    );
    svg
}

/// The rectangles in the order in which they are drawn: left, top, width and height, and the
/// colour.
fn rectangles(svg: &str) -> Vec<([i32; 4], String)> {
    let number = |line: &str, name: &str| -> i32 {
        let (_, rest) = line.split_once(&format!(" {name}=\"")).expect("an attribute");
        rest.split('"').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    let colour = |line: &str| {
        line.split_once(" fill=\"").and_then(|(_, rest)| rest.split('"').next().map(str::to_owned))
    };
    let lines = svg.lines().filter(|line| line.starts_with("<rect "));
    lines
        .map(|line| {
            (
                ["x", "y", "width", "height"].map(|name| number(line, name)),
                colour(line).expect("a colour"),
            )
        })
        .collect()
}

/// The colour that is seen at a point: of the last rectangle that covers it.
fn seen(rectangles: &[([i32; 4], String)], point: [i32; 2]) -> &str {
    let [x, y] = point;
    let covers = |[left, top, width, height]: [i32; 4]| {
        (left..left + width).contains(&x) && (top..top + height).contains(&y)
    };
    rectangles
        .iter()
        .rfind(|(rectangle, _)| covers(*rectangle))
        .map_or("none", |(_, colour)| colour)
}

/// Cells have the colours of the values: as many cells of the darkest blue as there are states
/// worth (nearly) 2.
#[test]
fn values_are_drawn_where_they_are() {
    for min_bid in [1, 0] {
        let svg = drawn(&["values", "7", "--min-bid", &min_bid.to_string()]);
        // The panels have 8 × 8 cells, and begin with a grey rectangle below them.
        let (side, all) = (210 / 8, rectangles(&svg));
        let is_panel = |(rectangle, colour): &&([i32; 4], String)| {
            rectangle[2..] == [8 * side; 2] && colour == "#D4D4D4"
        };
        let corners: Vec<[i32; 2]> =
            all.iter().filter(is_panel).map(|([left, top, ..], _)| [*left, *top]).collect();
        assert_eq!(corners.len(), 5, "a panel for each ball");
        let middles = |[left, top]: [i32; 2]| {
            (0..64).map(move |cell| {
                [left + cell % 8 * side + side / 2, top + cell / 8 * side + side / 2]
            })
        };
        let cells =
            corners.into_iter().flat_map(middles).filter(|at| seen(&all, *at) == "#053061").count();
        let rules = Rules::tennis().with_min_bid(min_bid).expect("0 or 1");
        let solution = Solver::new(&rules).points([7; 2]).solve().expect("a small game");
        let states: Vec<State> = solution.states().collect();
        // The last of 32 steps begins half a step below 2.
        let expected = states
            .iter()
            .filter(|&&state| solution.value(state).expect("a state") >= 2.0 - 4.0 / 64.0)
            .count();
        assert_eq!(cells, expected, "smallest bid {min_bid}");
    }
}

#[test]
fn every_figure_is_drawn_and_drawn_again_to_the_same_bytes() {
    for args in [
        &["opening", "12"][..],
        &["strategies", "12", "--ball", "-1"],
        &["strategies", "12:9", "--ball", "2", "--player", "b", "--against", "5"],
        &["supports", "12"],
        &["outcomes", "12"],
        &["forced", "12"],
        &["limit", "12"],
        &["limit", "12:9", "--density", "--scoring", "win-loss"],
        &["regret", "uniform", "--points", "6:5", "--player", "b"],
        &["values", "4:3", "--field", "1", "--motion", "step", "--scoring", "0,0,0,0,0"],
        &["strategies", "7", "--min-bid", "0"],
        &["outcomes", "7", "--min-bid", "0"],
        &["regret", "uniform", "--points", "6:5", "--min-bid", "0"],
    ] {
        assert_eq!(drawn(args), drawn(args), "{args:?}");
    }
}

#[test]
fn what_cannot_be_drawn_is_said_before_anything_is_solved() {
    let folder = folder();
    let refused = |args: &[&str], words: &[&str]| {
        assert_refused(folder.path(), &[&["plot"], args].concat(), 1, words);
    };
    assert_refused(
        folder.path(),
        &["plot", "values", "5000", "-o", "values.gif"],
        2,
        &["values.gif", ".svg or .png"],
    );
    refused(&["values", "5000", "-o", "nowhere/values.svg"], &["no folder nowhere"]);
    refused(&["strategies", "5", "--ball", "3", "-o", "a.svg"], &["ball 3", "-2 to 2"]);
    refused(&["strategies", "5", "--against", "6", "-o", "a.svg"], &["1:6@0"]);
    refused(&["regret", "nobody.csv", "-o", "a.svg"], &["nobody.csv"]);
    #[cfg(not(feature = "png"))]
    assert_refused(
        folder.path(),
        &["plot", "values", "5000", "-o", "values.png"],
        2,
        &["values.png", "--features png"],
    );
}
