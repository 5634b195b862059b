//! Ways of writing the matrix [[3, -1], [-2, 1]] as text, and what becomes of each: that game, or a
//! refusal that names the cell.

use num_rational::BigRational;
use pencil_tennis::report::{PayoffReading, WrittenMatrix};

/// Forms of the one matrix.
const RIGHT: [(&str, &str); 50] = [
    ("csv", "3,-1\n-2,1\n"),
    ("spaces after commas", "3, -1\n-2, 1\n"),
    ("without an end of line", "3,-1\n-2,1"),
    ("ends of line of Windows", "3,-1\r\n-2,1\r\n"),
    ("ends of line of old machines", "3,-1\r-2,1\r"),
    ("a mark of byte order", "\u{feff}3,-1\n-2,1\n"),
    ("empty lines", "\n\n3,-1\n\n-2,1\n\n"),
    ("comments", "# payoffs of the first player\n3,-1\n# the second action\n-2,1\n"),
    ("tabs", "3\t-1\n-2\t1\n"),
    ("spaces", "3 -1\n-2 1\n"),
    ("aligned", "  3  -1\n -2   1\n"),
    (
        "numpy.savetxt",
        "3.000000000000000000e+00 -1.000000000000000000e+00\n-2.000000000000000000e+00 1.000000000000000000e+00\n",
    ),
    ("semicolons", "3;-1\n-2;1\n"),
    ("decimal commas", "3,0;-1,0\n-2,0;1,0\n"),
    ("decimals", "3.0,-1.0\n-2.0,1.0\n"),
    ("nothing after the point", "3.,-1.\n-2.,1.\n"),
    ("signs", "+3,-1\n-2,+1\n"),
    ("the minus sign of typesetters", "3,\u{2212}1\n\u{2212}2,1\n"),
    ("fractions", "6/2,-1\n-4/2,1\n"),
    ("exponents", "3e0,-1E0\n-20e-1,1e+0\n"),
    ("quoted numbers", "\"3\",\"-1\"\n\"-2\",\"1\"\n"),
    ("pandas without header and index", "3,-1\n-2,1\n"),
    ("pandas", ",0,1\n0,3,-1\n1,-2,1\n"),
    ("pandas without index, with names", "left,right\n3,-1\n-2,1\n"),
    ("pandas with names", ",left,right\nup,3,-1\ndown,-2,1\n"),
    ("pandas with names of columns", ",left,right\n0,3,-1\n1,-2,1\n"),
    ("pandas with names of rows", ",0,1\nup,3,-1\ndown,-2,1\n"),
    ("pandas with a name of the index", "row,0,1\n0,3,-1\n1,-2,1\n"),
    ("R, write.csv", "\"\",\"V1\",\"V2\"\n\"1\",3,-1\n\"2\",-2,1\n"),
    ("R, write.csv without names of rows", "\"V1\",\"V2\"\n3,-1\n-2,1\n"),
    ("R, write.csv2", "\"\";\"V1\";\"V2\"\n\"1\";3;-1\n\"2\";-2;1\n"),
    ("R, write.table", "\"V1\" \"V2\"\n\"1\" 3 -1\n\"2\" -2 1\n"),
    ("R, write.table without names", "3 -1\n-2 1\n"),
    ("bids under a blank corner", ",1,2\n1,3,-1\n2,-2,1\n"),
    ("bids under a text", "bid,0,5\n0,3,-1\n10,-2,1\n"),
    ("bids, tabs", "\t0\t1\n0\t3\t-1\n1\t-2\t1\n"),
    ("names of rows alone", "up,3,-1\ndown,-2,1\n"),
    ("names with commas", ",\"left, or so\",right\nup,3,-1\ndown,-2,1\n"),
    ("names of both under a text", "game,left,right\nup,3,-1\ndown,-2,1\n"),
    ("JSON", "[[3,-1],[-2,1]]"),
    ("JSON over lines", "[\n  [3, -1],\n  [-2, 1]\n]\n"),
    ("JSON texts", "[[\"3\",\"-1\"],[\"-4/2\",\"1\"]]"),
    ("numpy, integers", "[[ 3 -1]\n [-2  1]]"),
    ("numpy, doubles", "[[ 3. -1.]\n [-2.  1.]]"),
    ("numpy, repr", "array([[ 3., -1.],\n       [-2.,  1.]])"),
    ("numpy, repr with a type", "array([[ 3, -1],\n       [-2,  1]], dtype=int8)"),
    ("Python", "[[3., -1.], [-2., 1.]]"),
    ("MATLAB", "[3 -1; -2 1]"),
    ("Gambit", "NFG 1 R \"\" { \"A\" \"B\" } { 2 2 } 3 -3 -2 2 -1 1 1 -1"),
    ("lrsnash", "2 2\n\n3 -1\n-2 1\n\n-3 1\n2 -1\n"),
];

/// Forms of no matrix, or of one that cannot be told: refused with these words.
const REFUSED: [(&str, &str, &str); 37] = [
    ("an empty corner", ",-1\n-2,1\n", "line 1, column 1: `` is no number"),
    ("an empty cell in the first row", "3,\n-2,1\n", "line 1, column 2: `` is no number"),
    ("an empty cell in the first column", "3,-1\n,1\n", "line 2, column 1: `` is no number"),
    ("an empty cell", "3,-1\n-2,\n", "line 2, column 2: `` is no number"),
    ("NaN in the corner", "NaN,-1\n-2,1\n", "line 1, column 1: `NaN` is no number"),
    ("NaN in the first row", "3,NaN\n-2,1\n", "line 1, column 2: `NaN` is no number"),
    ("NaN in the first column", "3,-1\nnan,1\n", "line 2, column 1: `nan` is no number"),
    ("NaN as the whole first row", "NaN,NaN\n-2,1\n", "line 1, column 1: `NaN` is no number"),
    ("infinity in the first row", "3,inf\n-2,1\n", "line 1, column 2: `inf` is no number"),
    ("infinity in the first column", "3,-1\n-inf,1\n", "line 2, column 1: `-inf` is no number"),
    (
        "infinities as the whole first column",
        "inf,-1\n-inf,1\n",
        "line 1, column 1: `inf` is no number",
    ),
    ("missing values of R", "NA,NA\n-2,1\n", "line 1, column 1: `NA` is no number"),
    ("a malformed number in the corner", "3x,-1\n-2,1\n", "line 1, column 1: `3x` is no number"),
    (
        "a malformed number in the first row",
        "3,1.2.3\n-2,1\n",
        "line 1, column 2: `1.2.3` is no number",
    ),
    (
        "a malformed number in the first column",
        "3,-1\n--2,1\n",
        "line 2, column 1: `--2` is no number",
    ),
    ("thousands", "\"3,000\",-1\n-2,1\n", "line 1, column 1: `3,000` is no number"),
    (
        "thousands as the whole first row",
        "\"3,000\",\"1,000\"\n-2,1\n",
        "line 1, column 1: `3,000` is no number",
    ),
    ("dashes for numbers", "-,-\n-2,1\n", "line 1, column 1: `-` is no number"),
    ("percent", "300%,-100%\n-2,1\n", "line 1, column 1: `300%` is no number"),
    ("a text in the first row", "3,left\n-2,1\n", "line 1, column 2: `left` is no number"),
    ("a text in the first column", "3,-1\ndown,1\n", "line 2, column 1: `down` is no number"),
    ("a text in the corner", "x,-1\n-2,1\n", "line 1, column 1: `x` is no number"),
    ("a text inside", "3,-1\n-2,x\n", "line 2, column 2: `x` is no number"),
    (
        "texts and numbers as names",
        ",0,left\n0,3,-1\n1,-2,1\n",
        "line 1, column 1: `` is no number",
    ),
    ("names that fall", ",1,0\n0,3,-1\n1,-2,1\n", "line 1, column 1: `` is no number"),
    ("a name twice", ",left,left\nup,3,-1\ndown,-2,1\n", "line 1, column 1: `` is no number"),
    (
        "names or payoffs",
        "bid,left,right\n0,3,-1\n1,-2,1\n",
        "line 2, column 1: `0` may be a name or a payoff",
    ),
    ("payoffs or names", "up,0,1\ndown,-2,1\n", "line 1, column 2: `0` may be a name or a payoff"),
    ("rows of unequal length", "3,-1\n\n-2\n", "line 3 has 1 cell, and line 1 has 2"),
    ("names alone", "left,right\n", "at least one row and one column"),
    (
        "a line of comment in a cell",
        "3,-1 # first\n-2,1\n",
        "line 1, column 2: `-1 # first` is no number",
    ),
    ("null", "[[3,-1],[-2,null]]", "row 2, column 2: `null` is no number"),
    ("numpy, shortened", "[[ 3 ... -1]\n [-2 ...  1]]", "row 1, column 2: `...` is no number"),
    ("a printed array with nan", "[[nan -1.]\n [-2.  1.]]", "row 1, column 1: `nan` is no number"),
    ("two arrays", "[[3 -1]\n [-2 1]]\n[[1 2]]", "stands after the array"),
    ("a list", "[3 -1 -2 1]", "expected rows in brackets of their own"),
    ("lrsnash or a row", "1 2\n3 -1\n-3 1\n", "may be the size of the two matrices of lrsnash"),
];

fn fraction(number: i64) -> BigRational {
    BigRational::from_integer(number.into())
}

#[test]
fn every_form_is_the_game_that_was_written() {
    let matrix = [[3, -1], [-2, 1]].map(|row| row.map(fraction).to_vec());
    for (form, text) in RIGHT {
        let read = WrittenMatrix::read(text.as_bytes(), PayoffReading::Exact)
            .unwrap_or_else(|error| panic!("{form}: {error}"));
        assert_eq!(read.payoffs(), matrix, "{form}");
        let named = form.contains("names")
            || form.starts_with("pandas")
            || form.starts_with("bids")
            || form.starts_with("R,");
        let plain =
            ["pandas without header and index", "R, write.table without names"].contains(&form);
        assert_eq!(
            read.assumptions().iter().any(|assumed| assumed.contains("names the")),
            named && !plain,
            "{form}"
        );
    }
}

#[test]
fn every_other_form_is_refused_with_its_cell() {
    for (form, text, words) in REFUSED {
        let refusal = WrittenMatrix::read(text.as_bytes(), PayoffReading::Exact)
            .map(|read| format!("{read:?}"))
            .expect_err(form)
            .to_string();
        assert!(refusal.contains(words), "{form}: {refusal}");
    }
}

/// Any one cell of a table that is spoilt is refused, wherever it stands, and never becomes a name.
#[test]
fn no_spoilt_cell_becomes_a_name() {
    let cells = [["3", "-1", "0"], ["-2", "1", "4"], ["5", "7", "-3"]];
    for separator in [",", ";", "\t"] {
        for spoilt in ["", "NaN", "inf", "-", "1.2.3", "1 000", "left", "0x10", "1,5,0"] {
            for place in 0..9 {
                let mut spoilt_cells = cells;
                spoilt_cells[place / 3][place % 3] = spoilt;
                let mut text = String::new();
                for row in spoilt_cells {
                    let cells = row.map(|cell| {
                        if cell.contains(separator) {
                            format!("\"{cell}\"")
                        } else {
                            cell.to_owned()
                        }
                    });
                    text += &(cells.join(separator) + "\n");
                }
                let read = WrittenMatrix::read(text.as_bytes(), PayoffReading::Exact);
                let refusal = read.expect_err(&text).to_string();
                assert!(
                    refusal.contains(&format!("column {}", place % 3 + 1))
                        || refusal.contains("column 1:"),
                    "{refusal}"
                );
            }
        }
    }
}

#[test]
fn numpys_own_files_are_read_exactly() {
    let file = |header: &str, elements: &[u8]| {
        [b"\x93NUMPY\x01\x00v\x00".as_slice(), format!("{header:117}\n").as_bytes(), elements]
            .concat()
    };
    let bytes =
        file("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 2), }", &[3, 255, 254, 1]);
    let read = WrittenMatrix::read(&bytes, PayoffReading::Exact).expect("a matrix");
    assert_eq!(read.payoffs(), [[3, -1], [-2, 1]].map(|row| row.map(fraction).to_vec()));
    let tenth =
        file("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }", &0.1_f64.to_le_bytes());
    let exact = WrittenMatrix::read(&tenth, PayoffReading::Exact).expect("a matrix").payoffs()[0]
        [0]
    .to_string();
    assert_eq!(exact, "3602879701896397/36028797018963968");
    let nearest = WrittenMatrix::read(&tenth, PayoffReading::Nearest).expect("a matrix").payoffs()
        [0][0]
        .to_string();
    assert_eq!(nearest, "1/10");
    for (shape, element, words) in [
        ("(1,)", 1.0, "the array has shape (1,)"),
        ("(1, 1)", f64::NAN, "row 1, column 1: NaN"),
        ("(1, 1)", 1e300, "2^53"),
    ] {
        let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
        let refusal =
            WrittenMatrix::read(&file(&header, &element.to_le_bytes()), PayoffReading::Exact)
                .map(|_| ())
                .expect_err(shape)
                .to_string();
        assert!(refusal.contains(words), "{refusal}");
    }
}

/// Payoffs that a program wrote: 0.7 + 0.30000000000000004 is 1 for people alone.
#[test]
fn a_sum_that_is_constant_up_to_rounding_is_read_if_that_is_asked_for() {
    let nfg = |payoffs: &str| format!("NFG 1 R \"\" {{ \"A\" \"B\" }} {{ 1 2 }} {payoffs}");
    let read = |text: &str, reading| {
        WrittenMatrix::read(text.as_bytes(), reading).map_err(|error| error.to_string())
    };
    let rounded = nfg("0.7 0.30000000000000004 -0.1 1.1");
    let refusal = read(&rounded, PayoffReading::Exact).map(|_| ()).expect_err("the sums differ");
    assert!(
        refusal.contains("with nearest payoffs") && refusal.contains("with first payoffs"),
        "{refusal}"
    );
    for reading in [PayoffReading::Nearest, PayoffReading::First] {
        let game = read(&rounded, reading).expect("a constant sum up to rounding");
        let payoffs: Vec<String> = game.payoffs()[0].iter().map(ToString::to_string).collect();
        assert_eq!(
            (payoffs, game.sum().to_string()),
            (vec!["7/10".into(), "-1/10".into()], "1".into()),
            "{reading}"
        );
        assert_eq!(game.assumptions().len(), 1, "{reading}: {:?}", game.assumptions());
    }
    // Nothing is rounded about these.
    for reading in [PayoffReading::Exact, PayoffReading::Nearest, PayoffReading::First] {
        let refusal =
            read(&nfg("0.7 0.3 -0.1 1.101"), reading).map(|_| ()).expect_err("no constant sum");
        assert!(refusal.ends_with("expected a constant sum"), "{refusal}");
    }
    let lrsnash = "1 3\n\n1/3 0 1\n\n0.66666666666666663 1 0\n";
    let refusal = read(lrsnash, PayoffReading::Exact).map(|_| ()).expect_err("the sums differ");
    assert!(refusal.contains("`1` against `2`"), "{refusal}");
    assert_eq!(read(lrsnash, PayoffReading::Nearest).expect("thirds").sum().to_string(), "1");
    // Numbers with all digits keep theirs.
    let kept = read("0.123456789012,-0.5\n", PayoffReading::Nearest).expect("a matrix");
    assert!(
        (&kept.payoffs()[0][0]
            - BigRational::new(123_456_789_012_i64.into(), 1_000_000_000_000_i64.into()))
            <= BigRational::new(1.into(), 2_000_000_000_000_i64.into())
    );
}
