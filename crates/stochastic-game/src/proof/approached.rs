//! The second part of a certificate: witnesses that values are approached and not attained, which
//! no strategy can prove.
//!
//! A line for each state says what the player can hope for, how near strategies bring play to it,
//! and what stands against getting it almost surely. `docs/game-format.md` describes the lines, and
//! `paper/proofs.md` proves what they are checked for.

use std::io::{self, BufRead, Write};

use num_rational::BigRational;
use serde::{Deserialize, Serialize};

use super::certificate::{read_line, read_object, refuse};
use crate::best_payoffs::{BestPayoffs, Claims, Hold, Obstacle, PlayerClaims, StateClaim, Way};
use crate::error::StochasticGameError;
use crate::model::{StochasticGame, exact_number, given, write_line};
use crate::player::Player;

const FORMAT: &str = "stochastic-game-best-payoffs";

/// The first line of the part.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    /// Whose claims follow: `A`, `B`, or `AB`, those of A first.
    players: String,
}

/// The claim about a player at a state.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ClaimLine {
    /// To A, a fraction.
    payoff: String,
    height: u32,
    /// A rank, unless nothing is claimed of the player but that the payoff is not got almost
    /// surely.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    rank: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    stages: Vec<(u32, u32)>,
    /// A layer and a reply, unless the player gets the payoff almost surely.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    layer: Option<u32>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    reply: Option<u32>,
}

impl ClaimLine {
    fn new(player: Player, payoffs: &[BigRational], claim: &StateClaim) -> Self {
        let (way, obstacle) = match &claim.hold {
            Hold::Sure(way) => (Some(way), None),
            Hold::Approached(way, obstacle) => (Some(way), Some(obstacle)),
            Hold::Open(obstacle) => (None, Some(obstacle)),
        };
        Self {
            payoff: counted(player, &payoffs[claim.payoff as usize]).to_string(),
            height: claim.height,
            rank: way.map(|way| way.rank),
            stages: way.map(|way| way.stages.clone()).unwrap_or_default(),
            layer: obstacle.map(|obstacle| obstacle.layer),
            reply: obstacle.map(|obstacle| obstacle.reply),
        }
    }

    /// The claim; `None` where fields do not go together.
    fn hold(&mut self) -> Option<Hold> {
        let stages = std::mem::take(&mut self.stages);
        let obstacle = match (self.layer, self.reply) {
            (Some(layer), Some(reply)) => Some(Obstacle { layer, reply }),
            (None, None) => None,
            _ => return None,
        };
        match (self.rank, obstacle) {
            (Some(rank), None) => Some(Hold::Sure(Way { rank, stages })),
            (Some(rank), Some(obstacle)) => Some(Hold::Approached(Way { rank, stages }, obstacle)),
            (None, Some(obstacle)) if stages.is_empty() => Some(Hold::Open(obstacle)),
            (None, _) => None,
        }
    }
}

/// A payoff to A as the player counts it, or the other way round.
fn counted(player: Player, payoff: &BigRational) -> BigRational {
    match player {
        Player::A => payoff.clone(),
        Player::B => -payoff,
    }
}

/// Writes the claims about the players who approach some value and do not attain it; nothing if
/// neither does.
pub(super) fn write(best: &BestPayoffs, out: &mut dyn Write) -> io::Result<()> {
    let claims: Vec<(Player, &PlayerClaims)> = Player::BOTH
        .into_iter()
        .filter_map(|player| Some((player, best.claims_to_write(player)?)))
        .collect();
    if claims.is_empty() {
        return Ok(());
    }
    let players = claims.iter().map(|(player, _)| player.to_string()).collect();
    write_line(out, &Header { format: FORMAT.to_owned(), version: 1, players })?;
    for (player, claims) in claims {
        for claim in &claims.states {
            write_line(out, &ClaimLine::new(player, &claims.payoffs, claim))?;
        }
    }
    Ok(())
}

/// Whether a line is meant to begin such a part.
pub(super) fn is_begun_by(line: &[u8]) -> bool {
    line.windows(FORMAT.len()).any(|part| part == FORMAT.as_bytes())
}

/// Reads the claims that follow the first line, and has them checked.
pub(super) fn read(
    game: &StochasticGame,
    first: &[u8],
    mut input: impl BufRead,
) -> Result<BestPayoffs, StochasticGameError> {
    let header: Header = read_object(first)?;
    if (header.format.as_str(), header.version) != (FORMAT, 1) {
        return Err(refuse(
            "the line behind the proofs of the states does not begin claims of best payoffs of version 1",
        ));
    }
    let players: &[Player] = match header.players.as_str() {
        "A" => &[Player::A],
        "B" => &[Player::B],
        "AB" => &Player::BOTH,
        _ => return Err(refuse("claims of best payoffs are those of A, of B, or of both")),
    };
    let mut claims: Claims = [None, None];
    for &player in players {
        claims[player as usize] = Some(read_player(game, player, &mut input)?);
    }
    BestPayoffs::proved(game, claims)
}

fn read_player(
    game: &StochasticGame,
    player: Player,
    input: &mut impl BufRead,
) -> Result<PlayerClaims, StochasticGameError> {
    let mut read = Vec::with_capacity(game.len());
    for _ in 0..game.len() {
        let mut line = Vec::new();
        read_line(input, &mut line)?;
        let mut claim: ClaimLine = read_object(&line)?;
        let payoff = counted(player, &exact_number(&claim.payoff)?.to_rational());
        let hold =
            claim.hold().ok_or_else(|| refuse("a claim of a best payoff is not as described"))?;
        read.push((payoff, claim.height, hold));
    }
    let mut payoffs: Vec<BigRational> = read.iter().map(|(payoff, ..)| payoff.clone()).collect();
    payoffs.sort_unstable();
    payoffs.dedup();
    let place = |payoff: &BigRational| payoffs.partition_point(|other| other < payoff) as u32;
    let states = read
        .into_iter()
        .map(|(payoff, height, hold)| StateClaim { payoff: place(&payoff), height, hold })
        .collect();
    Ok(PlayerClaims { payoffs, states })
}
