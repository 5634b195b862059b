//! Hints and the judgement of a bid while a game is played.

use std::io::Write;

use anyhow::Context;
use pencil_tennis::analysis::{BidProbability, JudgedGame};
use pencil_tennis::blind::{BlindBestResponse, BlindPolicy, BlindView};
use pencil_tennis::{Ball, GameRecord, Player, Solution};

use crate::numbers::cost;
use crate::replay::write_costliest;
use crate::sentences::listed;
use crate::strategies::write_bars;
use crate::word::Word;

pub(super) enum Judge<'p> {
    Open(&'p Solution),
    Blind {
        /// The strategies of the solved game, which hints prefer among the best bids.
        optimal: &'p BlindPolicy,
        /// The person's best response to the opponent's policy.
        response: &'p BlindBestResponse,
    },
}

pub(super) struct Revealed {
    pub(super) bid: u32,
    /// Hidden in a blind game.
    pub(super) other_bid: Option<u32>,
    pub(super) ball_before: Ball,
    pub(super) ball: Ball,
    pub(super) loss: Option<f64>,
    pub(super) other_loss: Option<f64>,
    /// The preceding turns in which both bid 0, not shown separately.
    pub(super) waited: u32,
}

/// A game as the person has it who plays it.
#[derive(Clone, Copy)]
pub(super) struct Seat<'t> {
    pub(super) game: &'t GameRecord,
    pub(super) player: Player,
    /// The name of the opponent.
    pub(super) against: &'t Word,
}

impl Seat<'_> {
    /// Turns A's item and B's into the person's and the opponent's, and back.
    pub(super) fn person_first<T>(self, a: T, b: T) -> (T, T) {
        if self.player == Player::A { (a, b) } else { (b, a) }
    }
}

impl Judge<'_> {
    /// Judges a turn that has not been played yet.
    pub(super) fn judged(
        &self,
        seat: Seat<'_>,
        bid: u32,
        other_bid: u32,
    ) -> anyhow::Result<Revealed> {
        let (a, b) = seat.person_first(bid, other_bid);
        let state = seat.game.state();
        let turn = GameRecord::replay(seat.game.rules(), state, [(a, b)])?;
        let (ball_before, ball) = (state.ball, turn.state().ball);
        let (other_bid, loss, other_loss) = match *self {
            Self::Open(solution) => {
                let judged = JudgedGame::new(solution, &turn)?;
                let (loss, other_loss) = seat.person_first(judged.losses.a, judged.losses.b);
                (Some(other_bid), Some(loss), Some(other_loss))
            }
            // The loss depends only on the person's information, and reveals no more.
            Self::Blind { response, .. } => {
                let (bids, balls) = seat.game.remembered(seat.player, seat.game.turns().len());
                let losses = response.losses(&bids, &balls)?;
                let loss = losses.and_then(|losses| losses.into_iter().find(|loss| loss.0 == bid));
                (None, loss.map(|(_, loss)| loss), None)
            }
        };
        Ok(Revealed { bid, other_bid, ball_before, ball, loss, other_loss, waited: 0 })
    }

    /// Writes an optimal player's bids in the person's place; in a blind game those of a best
    /// response to the opponent.
    pub(super) fn write_hint(&self, seat: Seat<'_>, mut out: &mut dyn Write) -> anyhow::Result<()> {
        let Seat { game, player, against: name } = seat;
        match *self {
            Self::Open(solution) => {
                let equilibrium = solution.equilibrium(game.state())?;
                let value = f64::from(player.direction()) * equilibrium.value;
                writeln!(
                    out,
                    "An optimal player in your place wins {value:.5} on average and bids"
                )?;
                write_bars(&mut out, &Vec::from(equilibrium.strategy(player)))?;
            }
            Self::Blind { optimal, response } => {
                let (bids, balls) = game.remembered(player, game.turns().len());
                let view = BlindView::of(game.rules(), game.start(), player, &bids, &balls)?;
                match (view.fewest, view.most) {
                    (fewest, most) if fewest == most => {
                        writeln!(out, "The other has {fewest} left, as the balls tell")?;
                    }
                    (fewest, most) => writeln!(
                        out,
                        "The other has {fewest} to {most} left, as far as the balls tell"
                    )?,
                }
                writeln!(out, "Against the way {name} bids it is best to bid")?;
                let best = response.best_bids(optimal, &bids, &balls)?.into_iter();
                let bids: Vec<BidProbability> = best.map(Into::into).collect();
                write_bars(&mut out, &bids)?;
            }
        }
        Ok(())
    }

    /// Writes what the bids of a game cost, once there are any.
    pub(super) fn write_review(
        &self,
        seat: Seat<'_>,
        mut out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        match *self {
            _ if seat.game.turns().is_empty() => {}
            Self::Open(solution) => {
                let report = JudgedGame::new(solution, seat.game)?;
                let (loss, other_loss) = seat.person_first(report.losses.a, report.losses.b);
                writeln!(
                    out,
                    "On average your bids cost you {}, those of {} {}",
                    cost_in_words(loss),
                    seat.against,
                    cost_in_words(other_loss)
                )?;
                write_costliest(&mut out, &report)?;
            }
            Self::Blind { response, .. } => write_blind_review(seat, out, response)?,
        }
        Ok(())
    }
}

/// Writes the bids of a blind game, and the person's losses against the opponent's policy.
fn write_blind_review(
    seat: Seat<'_>,
    out: &mut dyn Write,
    response: &BlindBestResponse,
) -> anyhow::Result<()> {
    let Seat { game, player, against: name } = seat;
    let (mut sum, mut costliest) = (0.0, Vec::new());
    let mut made = Vec::new();
    for (index, turn) in game.turns().iter().enumerate() {
        let (bid, other_bid) = seat.person_first(turn.bid_a, turn.bid_b);
        made.push(format!("{bid} to {other_bid}"));
        let (bids, balls) = game.remembered(player, index);
        let Some(losses) = response.losses(&bids, &balls)? else { continue };
        let loss = losses.iter().find(|loss| loss.0 == bid).context("a bid without a loss")?.1;
        sum += loss;
        if loss > 0.0 {
            let better = losses
                .iter()
                .filter(|&&(_, loss)| loss == 0.0)
                .map(|&(bid, _)| bid)
                .collect::<Vec<_>>();
            costliest.push((index + 1, bid, loss, better));
        }
    }
    writeln!(out, "Your bids, and those of {name}: {}", made.join(", "))?;
    writeln!(
        out,
        "On average your bids cost you {} against the way {name} bids",
        cost_in_words(sum)
    )?;
    costliest.sort_by(|one, other| other.2.total_cmp(&one.2));
    for (turn, bid, loss, better) in costliest.iter().take(JudgedGame::COSTLIEST) {
        writeln!(
            out,
            "  turn {turn}: you bid {bid}, which cost {}; better: {}",
            cost(*loss),
            listed(better)
        )?;
    }
    Ok(())
}

pub(super) fn cost_in_words(loss: f64) -> String {
    if loss == 0.0 { "nothing".to_owned() } else { cost(loss) }
}
