//! Tables of all states.

use std::io::{self, Write};

use serde::Serialize;

use crate::{Bid, BidStrategy, Player, Solution, State, StateEquilibrium};

/// What a table contains, a row each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Every state: `a,b,ball,value,lower,upper`.
    Values,
    /// Every bid that is made with positive probability: `a,b,ball,player,bid,probability`.
    Strategies,
    /// Every legal bid, also those never made: `a,b,ball,player,bid,probability`.
    Policy,
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// A header line and comma-separated numbers, each with all its digits.
    Csv,
    /// An array of objects with the names of the csv header.
    Json,
}

#[derive(Serialize)]
struct ValueRow {
    a: u32,
    b: u32,
    ball: i32,
    value: f64,
    lower: f64,
    upper: f64,
}

#[derive(Serialize)]
struct BidRow {
    a: u32,
    b: u32,
    ball: i32,
    player: &'static str,
    bid: u32,
    probability: f64,
}

impl Table {
    /// Writes the table of a solution; states by A's points, then B's, then the ball.
    ///
    /// # Errors
    /// What the writer reports.
    ///
    /// ```
    /// use pencil_tennis::report::{Table, TableFormat};
    ///
    /// let solution = pencil_tennis::solve(4)?;
    /// let mut csv = Vec::new();
    /// Table::Strategies.write(&solution, TableFormat::Csv, &mut csv)?;
    /// assert!(String::from_utf8(csv)?.contains("4,3,-2,A,2,0.4\n4,3,-2,A,3,0.6\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(self, solution: &Solution, format: TableFormat, out: impl Write) -> io::Result<()> {
        match self {
            Self::Values => write_rows(format, out, solution.equilibria().map(|equilibrium| value_row(&equilibrium))),
            Self::Strategies => {
                write_rows(format, out, solution.equilibria().flat_map(|equilibrium| bid_rows(&equilibrium, played)))
            }
            Self::Policy => write_rows(format, out, solution.equilibria().flat_map(|equilibrium| bid_rows(&equilibrium, legal))),
        }
    }
}

fn value_row(equilibrium: &StateEquilibrium) -> ValueRow {
    let State { a, b, ball } = equilibrium.state;
    let (lower, upper) = (equilibrium.enclosure.lower(), equilibrium.enclosure.upper());
    ValueRow { a, b, ball: ball.position(), value: equilibrium.value, lower, upper }
}

fn bid_rows(equilibrium: &StateEquilibrium, bids: fn(&BidStrategy, u32) -> Vec<(u32, f64)>) -> Vec<BidRow> {
    let State { a, b, ball } = equilibrium.state;
    let ball = ball.position();
    let of = |player: Player, name: &'static str, strategy| {
        let row = move |(bid, probability)| BidRow { a, b, ball, player: name, bid, probability };
        bids(strategy, equilibrium.state.points(player)).into_iter().map(row)
    };
    of(Player::A, "A", &equilibrium.a).chain(of(Player::B, "B", &equilibrium.b)).collect()
}

fn played(strategy: &BidStrategy, _: u32) -> Vec<(u32, f64)> {
    strategy.probabilities().collect()
}

fn legal(strategy: &BidStrategy, points: u32) -> Vec<(u32, f64)> {
    let mut probabilities: Vec<(u32, f64)> = Bid::legal(points).map(|bid| (bid, 0.0)).collect();
    let lowest = *Bid::legal(points).start();
    for (bid, probability) in strategy.probabilities() {
        probabilities[(bid - lowest) as usize].1 = probability;
    }
    probabilities
}

fn write_rows(format: TableFormat, mut out: impl Write, rows: impl Iterator<Item = impl Serialize>) -> io::Result<()> {
    match format {
        TableFormat::Csv => {
            let mut writer = csv::Writer::from_writer(out);
            for row in rows {
                writer.serialize(row).map_err(io::Error::from)?;
            }
            writer.flush()
        }
        TableFormat::Json => {
            let mut separator = "[\n";
            for row in rows {
                out.write_all(separator.as_bytes())?;
                serde_json::to_writer(&mut out, &row)?;
                separator = ",\n";
            }
            out.write_all(b"\n]\n")
        }
    }
}
