use std::io::Write;

use anyhow::Context;
use pencil_tennis::analysis::{BidProbability, JudgedGame};
use pencil_tennis::blind::{BlindBestResponse, BlindPolicy, BlindView};
use pencil_tennis::{Ball, GameRecord, Player, Solution};

use crate::cli::replay::{cost, write_costliest};
use crate::cli::show::write_bars;

const COSTLIEST: usize = JudgedGame::COSTLIEST;

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
    pub(super) own: u32,
    /// Hidden in a blind game.
    pub(super) other: Option<u32>,
    pub(super) ball_before: Ball,
    pub(super) ball: Ball,
    pub(super) own_loss: Option<f64>,
    pub(super) other_loss: Option<f64>,
    /// The preceding turns in which both bid 0, not shown separately.
    pub(super) waited: u32,
}

impl Judge<'_> {
    pub(super) const fn is_blind(&self) -> bool {
        matches!(self, Self::Blind { .. })
    }

    pub(super) fn reveal(&self, person: Player, game: &GameRecord, own: u32, other: u32) -> anyhow::Result<Revealed> {
        let (a, b) = if person == Player::A { (own, other) } else { (other, own) };
        let state = game.state();
        let turn = GameRecord::replay(game.rules(), state, [(a, b)])?;
        let (ball_before, ball) = (state.ball, turn.state().ball);
        let (other, own_loss, other_loss) = match self {
            Self::Open(solution) => {
                let JudgedGame { loss_a, loss_b, .. } = JudgedGame::new(solution, &turn)?;
                let (own, others) = if person == Player::A { (loss_a, loss_b) } else { (loss_b, loss_a) };
                (Some(other), Some(own), Some(others))
            }
            // The loss depends only on the person's information, and reveals no more.
            Self::Blind { response, .. } => {
                let (bids, balls) = game.remembered(person, game.turns().len());
                let losses = response.losses(&bids, &balls)?;
                let loss = losses.and_then(|losses| losses.into_iter().find(|&(bid, _)| bid == own));
                (None, loss.map(|(_, loss)| loss), None)
            }
        };
        Ok(Revealed { own, other, ball_before, ball, own_loss, other_loss, waited: 0 })
    }

    /// Writes an optimal player's bids in the person's place; in a blind game those of a best response to the opponent.
    pub(super) fn write_hint(&self, out: &mut dyn Write, person: Player, name: &str, game: &GameRecord) -> anyhow::Result<()> {
        let mut out = out;
        match self {
            Self::Open(solution) => {
                let equilibrium = solution.equilibrium(game.state())?;
                let value = f64::from(person.direction()) * equilibrium.value;
                writeln!(out, "An optimal player in your place wins {value:.5} on average and bids")?;
                write_bars(&mut out, &Vec::from(equilibrium.strategy(person)))?;
            }
            Self::Blind { optimal, response } => {
                let (bids, balls) = game.remembered(person, game.turns().len());
                let view = BlindView::of(game.rules(), game.start(), person, &bids, &balls)?;
                match (view.fewest, view.most) {
                    (fewest, most) if fewest == most => writeln!(out, "The other has {fewest} left, as the balls tell")?,
                    (fewest, most) => writeln!(out, "The other has {fewest} to {most} left, as far as the balls tell")?,
                }
                writeln!(out, "Against the way {name} bids it is best to bid")?;
                let best = response.best_bids(optimal, &bids, &balls)?.into_iter();
                let bids: Vec<BidProbability> = best.map(Into::into).collect();
                write_bars(&mut out, &bids)?;
            }
        }
        Ok(())
    }

    pub(super) fn write_review(&self, out: &mut dyn Write, person: Player, name: &str, game: &GameRecord) -> anyhow::Result<()> {
        let mut out = out;
        match self {
            Self::Open(solution) => {
                let report = JudgedGame::new(solution, game)?;
                let (own, other) =
                    if person == Player::A { (report.loss_a, report.loss_b) } else { (report.loss_b, report.loss_a) };
                writeln!(out, "On average your bids cost you {}, those of {name} {}", said(own), said(other))?;
                write_costliest(&mut out, &report)?;
            }
            Self::Blind { response, .. } => write_blind_review(&mut out, response, person, name, game)?,
        }
        Ok(())
    }
}

/// Writes the bids of a blind game, and the person's losses against the opponent's policy.
fn write_blind_review(
    out: &mut impl Write,
    response: &BlindBestResponse,
    person: Player,
    name: &str,
    game: &GameRecord,
) -> anyhow::Result<()> {
    let (mut sum, mut costliest) = (0.0, Vec::new());
    let mut made = Vec::new();
    for (place, turn) in game.turns().iter().enumerate() {
        let (own, other) = if person == Player::A { (turn.bid_a, turn.bid_b) } else { (turn.bid_b, turn.bid_a) };
        made.push(format!("{own} to {other}"));
        let (bids, balls) = game.remembered(person, place);
        let Some(losses) = response.losses(&bids, &balls)? else { continue };
        let loss = losses.iter().find(|&&(bid, _)| bid == own).context("a bid without a loss")?.1;
        sum += loss;
        if loss > 0.0 {
            let better = losses.iter().filter(|&&(_, loss)| loss == 0.0).map(|&(bid, _)| bid).collect::<Vec<_>>();
            costliest.push((place + 1, own, loss, better));
        }
    }
    writeln!(out, "Your bids, and those of {name}: {}", made.join(", "))?;
    writeln!(out, "On average your bids cost you {} against the way {name} bids", said(sum))?;
    costliest.sort_by(|one, other| other.2.total_cmp(&one.2));
    for (turn, bid, loss, better) in costliest.iter().take(COSTLIEST) {
        writeln!(out, "  turn {turn}: you bid {bid}, which cost {}; better: {}", cost(*loss), crate::cli::listed(better))?;
    }
    Ok(())
}

pub(super) fn said(loss: f64) -> String {
    if loss == 0.0 { "nothing".to_owned() } else { cost(loss) }
}
