//! Tennis with large accounts, bounded with proof: `cargo run --release --example large_accounts --
//! 2`.
//!
//! B bids shares of its account, by strategies that depend on the ratio of the accounts alone. What
//! they concede bounds the values of all large accounts at once, and every level halves the steps
//! of ratios and shares: `docs/limit.md` has the proof. The variable `STRATEGIES` names a file for
//! the strategies, which `docs/check_large_accounts.py` checks.

use std::error::Error;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use pencil_tennis::Rules;
use pencil_tennis::matrix_game::{Matrix, Simplex};
use pencil_tennis::report::{check_folder, write_file};
use rayon::prelude::*;

#[path = "shared/program.rs"]
mod program;
#[path = "shared/ratios.rs"]
mod ratios;
use program::{argument, run, say};
use ratios::{Bids, Ratios, Sums, UNIT, WEIGHT};

/// For every factor e of what B keeps, its bids are this many chunks, and those of a chunk are
/// equally likely. The first level has a step a chunk.
const CHUNKS: usize = 25;

/// B keeps at least this part of its account, except when it outbids A.
const LEAST_LEFT: f64 = 1.0 / 40.0;

/// Smaller improvements are not worth a turn: 3e-5.
const LEAST_GAIN: i64 = 1 << 17;

/// The most linear programmes for one strategy, each with the best replies to the one before.
const ROUNDS: usize = 5;

/// Later levels begin with good strategies: more passes gain little.
const PASSES: usize = 4;

/// Chunks beside B's bids are cut into this many parts; those farther than this from them are left
/// out.
const SPLIT: usize = 4;
const REACH: usize = 3;

/// The most turns with the same strategies: by then little is gained until the strategies are
/// better.
const TURNS: usize = 10;

fn main() -> ExitCode {
    run("large_accounts [LEVELS]", || {
        let levels = argument(1, "number of levels", 2, 1..=10)?;
        let strategies = std::env::var_os("STRATEGIES").map(PathBuf::from);
        if let Some(path) = &strategies {
            check_folder(path)?;
        }
        let mut ratios = Ratios::new(&Rules::tennis(), CHUNKS)?;
        for level in 0..levels {
            if level > 0 {
                ratios.halve();
            }
            let most = if level == 0 { usize::MAX } else { PASSES };
            let mut passes = 0..most;
            while passes.next().is_some() && improve(&mut ratios) > LEAST_GAIN {
                (0..TURNS).any(|_| ratios.sweep() <= LEAST_GAIN);
            }
            if std::io::stderr().is_terminal() {
                eprintln!("{} steps are done", ratios.steps);
            }
        }
        let mut proof = ratios.without_bounds();
        let mut turns = 1;
        while proof.sweep() > LEAST_GAIN / 16 {
            turns += 1;
        }
        print(&proof, turns)?;
        if let Some(path) = &strategies {
            write_file(path, |out| out.write_all(written(&proof, turns).as_bytes()))?;
        }
        Ok(())
    })
}

fn print(proof: &Ratios, turns: usize) -> Result<(), Box<dyn Error>> {
    let Ratios { steps, middle, .. } = *proof;
    let up = |bound: f64| (bound * 1e4).ceil() / 1e4;
    let last = proof.hits.len() - 1;
    let field = last as i32 / 2;
    // The accounts are N − turns and N in the cell above the ratio 1.
    let least = (-(turns as f64) / (-1.0 / steps as f64).exp_m1()).ceil();
    say!("{steps} steps, {turns} turns; for every N >= {least} the value lies between");
    for ball in 0..=last {
        let [lower, upper] =
            [-up(proof.bound(last - ball, middle + 1)), up(proof.bound(ball, middle + 1))];
        say!("  at N:N@{:<3} {lower:8.4} and {upper:8.4}", ball as i32 - field);
    }
    say!("\nFor large accounts in the ratio a:b, with the ball on B's first field, between");
    for [a, b] in [[1, 2], [2, 3], [4, 5], [5, 4], [3, 2], [2, 1]] {
        let cell = |ratio: f64| (middle as f64 + ratio.ln() * steps as f64).floor() as usize + 1;
        let ratio = f64::from(a) / f64::from(b);
        let [lower, upper] = [
            -up(proof.bound(field as usize - 1, cell(1.0 / ratio))),
            up(proof.bound(field as usize + 1, cell(ratio))),
        ];
        say!("  {a}:{b} {lower:8.4} and {upper:8.4}");
    }
    Ok(())
}

/// Steps, middle cell and turns, then a line for each ball and cell: both, and the parts of the
/// strategy.
fn written(proof: &Ratios, turns: usize) -> String {
    let part = |bids: &Bids| format!(" {} {} {}", bids.from, bids.to, bids.weight);
    let mut text = format!("{} {} {turns}\n", proof.steps, proof.middle);
    for (ball, strategies) in proof.strategies.iter().enumerate() {
        for (cell, strategy) in
            strategies.iter().enumerate().filter(|(_, strategy)| !strategy.is_empty())
        {
            text.extend(
                [format!("{ball} {cell}")]
                    .into_iter()
                    .chain(strategy.iter().map(part))
                    .chain(["\n".to_owned()]),
            );
        }
    }
    text
}

/// Looks for better strategies in all cells, and takes their bounds. Returns the largest gain.
fn improve(ratios: &mut Ratios) -> i64 {
    let sums = ratios.sums();
    let found = |cell: usize| -> Vec<Option<(i64, Vec<Bids>)>> {
        let kept = ratios.kept(cell, most_replies(ratios));
        let better = |ball: usize| {
            let bound = ratios.bounds[ball][cell];
            let stage = Stage {
                sums: ratios.hits[ball].map(|ball| &sums[ball]),
                kept: &kept,
                current: &ratios.strategies[ball][cell],
            };
            // Nothing is below A's worst payoff.
            let found = if bound > ratios.ends[0] { stage.solve(ratios) } else { None };
            found.filter(|(better, _)| better + LEAST_GAIN < bound)
        };
        (0..ratios.hits.len()).map(better).collect()
    };
    let found: Vec<_> = (0..ratios.cells()).into_par_iter().map(found).collect();
    let mut gain = 0;
    for (cell, found) in found.into_iter().enumerate() {
        for (ball, found) in found.into_iter().enumerate() {
            let Some((better, strategy)) = found else { continue };
            gain = gain.max(ratios.bounds[ball][cell] - better);
            (ratios.bounds[ball][cell], ratios.strategies[ball][cell]) = (better, strategy);
        }
    }
    gain
}

fn most_bids(ratios: &Ratios) -> usize {
    (-LEAST_LEFT.ln() * ratios.steps as f64) as usize
}

/// As many replies as A has below any ratio under 1: bid `ln(steps) · steps` outbids A there, and
/// `ln(steps) < 4 ln 40`.
fn most_replies(ratios: &Ratios) -> usize {
    4 * most_bids(ratios)
}

/// One cell with one ball: B's columns are chunks of bids, A's rows some replies.
struct Stage<'s> {
    sums: [&'s Sums; 2],
    kept: &'s [i64],
    current: &'s [Bids],
}

impl Stage<'_> {
    /// B's columns: chunks or parts of them, the least bid, and the least one above all of A's
    /// replies.
    fn columns(&self, ratios: &Ratios) -> Vec<[usize; 2]> {
        let (replies, chunk) = (self.kept.len(), ratios.steps / CHUNKS);
        let chunks = (replies / chunk + 1).min(most_bids(ratios) / chunk);
        let single = [0, replies]
            .into_iter()
            .filter(|&bid| (chunk > 1 || bid >= chunks) && bid < most_replies(ratios));
        let is_near = |[from, to]: [usize; 2], reach: usize| {
            self.current
                .iter()
                .any(|bids| bids.from < to + reach * chunk && from < bids.to + reach * chunk)
        };
        let parts = |[from, to]: [usize; 2]| {
            let parts = if is_near([from, to], 1) { SPLIT.min(chunk) } else { 1 };
            let size = (to - from) / parts;
            (0..parts).map(move |part| [from + part * size, from + (part + 1) * size])
        };
        let chunks = (0..chunks).map(|number| [number * chunk, (number + 1) * chunk]);
        let wanted = chunks.filter(|&chunk| self.current.is_empty() || is_near(chunk, REACH));
        wanted.flat_map(parts).chain(single.map(|bid| [bid, bid + 1])).collect()
    }

    fn row(&self, reply: usize, columns: &[[usize; 2]]) -> Vec<f64> {
        let entry = |&[from, to]: &[usize; 2]| {
            Ratios::reply(self.sums, self.kept, reply, &[Bids { from, to, weight: 1 }]) as f64
                / ((to - from) as f64 * UNIT)
        };
        columns.iter().map(entry).collect()
    }

    /// A strategy and its bound. Rows are added until the linear programme knows A's best replies
    /// (cutting planes).
    fn solve(&self, ratios: &Ratios) -> Option<(i64, Vec<Bids>)> {
        let columns = self.columns(ratios);
        let replies = self.kept.len();
        let ends = columns
            .iter()
            .flat_map(|&[from, to]| [from, usize::midpoint(from, to), to - 1])
            .chain([replies - 1]);
        let mut replies: Vec<usize> = ends.filter(|&reply| reply < replies).collect();
        let mut rows: Vec<Vec<f64>> = Vec::new();
        let mut best: Option<(i64, Vec<Bids>)> = None;
        for _ in 0..ROUNDS {
            replies.sort_unstable();
            replies.dedup();
            rows.extend(replies.iter().map(|&reply| self.row(reply, &columns)));
            let solved = Simplex::new().solve(&Matrix::from_rows(&rows).ok()?);
            let bids = |(&[from, to], share): (&[usize; 2], &f64)| Bids {
                from,
                to,
                weight: (share / (to - from) as f64 * WEIGHT) as i64,
            };
            let mut strategy: Vec<Bids> = columns
                .iter()
                .zip(solved.column_strategy())
                .map(bids)
                .filter(|bids| bids.weight > 0)
                .collect();
            strategy.sort_unstable_by_key(|bids| bids.from);
            let answers = Ratios::best_replies(self.sums, self.kept, &strategy);
            let bound = answers.iter().map(|&(payoff, _)| payoff).max()?;
            if best.as_ref().is_none_or(|&(least, _)| bound < least) {
                best = Some((bound, strategy));
            }
            let known = (solved.value() * UNIT) as i64 + LEAST_GAIN / 16;
            replies = answers
                .into_iter()
                .filter(|&(payoff, _)| payoff > known)
                .map(|(_, reply)| reply)
                .collect();
            if replies.is_empty() {
                break;
            }
        }
        best
    }
}
