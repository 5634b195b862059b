//! The check of best payoffs: finite conditions on the cells of the game, without a number but the
//! payoffs.
//!
//! It shares no code with the search. `paper/proofs.md` proves that the conditions are enough.

use num_rational::BigRational;

use super::{Certainty, Claims, Hold, InfinitePlay, Obstacle, PlayerClaims, StateClaim, Way};
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::model::{NumberedGame, StochasticGame};
use crate::player::Player;

/// Claims that the check has proved; made here alone.
pub(super) struct Proved(Claims);

impl std::fmt::Debug for Proved {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let claimed = self.0.iter().flatten().map(|claims| claims.states.len());
        formatter.debug_struct("Proved").field("claims", &claimed.sum::<usize>()).finish()
    }
}

impl Proved {
    /// How surely a player gets the best payoff from a state; `None` if nothing is claimed.
    pub(super) fn certainty(&self, state: usize, player: Player) -> Option<Certainty> {
        match self.claims(player)?.states[state].hold {
            Hold::Sure(_) => Some(Certainty::AlmostSure),
            Hold::Approached(..) => Some(Certainty::LimitSure),
            Hold::Open(_) => None,
        }
    }

    /// The best payoff for a player that play can reach from a state, as a payoff to A; `None` if
    /// nothing is claimed of the player.
    pub(super) fn payoff(&self, state: usize, player: Player) -> Option<BigRational> {
        let PlayerClaims { payoffs, states } = self.claims(player)?;
        let payoff = &payoffs[states[state].payoff as usize];
        Some(if player == Player::A { payoff.clone() } else { -payoff })
    }

    /// The claims about a player.
    pub(super) const fn claims(&self, player: Player) -> Option<&PlayerClaims> {
        self.0[player as usize].as_ref()
    }
}

const NOT_THE_BEST: &str = "a better payoff can be reached than is claimed";
const NOT_HELD: &str = "the actions do not bring play to the best payoff";
const NOT_HINDERED: &str = "the reply does not keep play from the best payoff";
const MISSHAPEN: &str = "the claims are not as described";

/// Checks all claims.
///
/// # Errors
/// The first claim that does not hold, with the state.
pub(super) fn prove(game: &StochasticGame, claims: Claims) -> Result<Proved, StochasticGameError> {
    for player in Player::BOTH {
        let Some(claims) = &claims[player as usize] else { continue };
        let is_rising = claims.payoffs.windows(2).all(|pair| pair[0] < pair[1]);
        if !is_rising || claims.states.len() != game.len() {
            return Err(refuse(game, 0, MISSHAPEN));
        }
        let check = PlayerCheck { game, player, claims };
        for state in 0..game.len() {
            check.check(state).map_err(|reason| refuse(game, state, reason))?;
        }
    }
    Ok(Proved(claims))
}

fn refuse(game: &StochasticGame, state: usize, reason: &str) -> StochasticGameError {
    game.refuse(state, StochasticGameFault::Claim { reason: reason.to_owned() })
}

/// The check of one player's claims.
struct PlayerCheck<'c> {
    game: &'c StochasticGame,
    player: Player,
    claims: &'c PlayerClaims,
}

impl PlayerCheck<'_> {
    fn check(&self, state: usize) -> Result<(), &'static str> {
        let StateClaim { payoff, hold, .. } = &self.claims.states[state];
        let payoff = self.claims.payoffs.get(*payoff as usize).ok_or(MISSHAPEN)?;
        if let Some(value) = self.game.end_value(state) {
            // An end has its own value, and nothing stands against it.
            let is_sure = matches!(hold, Hold::Sure(way) if way.stages.is_empty());
            return if is_sure && *payoff == self.counted(value) {
                Ok(())
            } else {
                Err(NOT_THE_BEST)
            };
        }
        let endless = self.counted(self.game.endless(state));
        let can_return = self.check_payoff(state)?;
        if can_return && endless > *payoff {
            return Err(NOT_THE_BEST);
        }
        if let Hold::Sure(way) | Hold::Approached(way, _) = hold {
            let infinite =
                if endless == *payoff { InfinitePlay::Best } else { InfinitePlay::Worse };
            self.check_way(state, way, infinite)?;
        }
        if let Hold::Open(obstacle) | Hold::Approached(_, obstacle) = hold {
            let infinite = if can_return && endless >= *payoff {
                InfinitePlay::Best
            } else {
                InfinitePlay::Worse
            };
            self.check_obstacle(state, *obstacle, infinite)?;
        }
        Ok(())
    }

    /// A payoff of A as the player counts it.
    fn counted(&self, payoff: &BigRational) -> BigRational {
        if self.player == Player::A { payoff.clone() } else { -payoff }
    }

    /// The numbers of the player's actions and of the replies at a state.
    fn actions(&self, state: usize) -> [usize; 2] {
        let [a, b] = self.game.sizes(state);
        if self.player == Player::A { [a, b] } else { [b, a] }
    }

    /// The states that may follow an action of the player and a reply.
    fn successors(&self, state: usize, action: usize, reply: usize) -> impl Iterator<Item = usize> {
        let [a, b] = if self.player == Player::A { [action, reply] } else { [reply, action] };
        self.game.cell(state, a, b).outcomes.iter().map(|outcome| outcome.state as usize)
    }

    /// Checks that neither the best payoff nor the height rises in a turn; returns whether the
    /// height may stay.
    fn check_payoff(&self, state: usize) -> Result<bool, &'static str> {
        let [actions, replies] = self.actions(state);
        let mut can_return = false;
        for action in 0..actions {
            for reply in 0..replies {
                for next in self.successors(state, action, reply) {
                    let [before, after] = [state, next].map(|state| &self.claims.states[state]);
                    if after.height > before.height {
                        return Err(MISSHAPEN);
                    }
                    can_return |= after.height == before.height;
                    if after.payoff > before.payoff {
                        return Err(NOT_THE_BEST);
                    }
                }
            }
        }
        Ok(can_return)
    }

    /// Checks that the player's actions bring play to the best payoff. Where infinite play is as
    /// good, waiting is allowed.
    fn check_way(
        &self,
        state: usize,
        way: &Way,
        infinite: InfinitePlay,
    ) -> Result<(), &'static str> {
        let [actions, replies] = self.actions(state);
        let is_rising = way.stages.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if way.stages.is_empty()
            || !is_rising
            || way.stages.iter().any(|&(action, stage)| action as usize >= actions || stage == 0)
        {
            return Err(MISSHAPEN);
        }
        let certainty = match self.claims.states[state].hold {
            Hold::Sure(_) => Certainty::AlmostSure,
            Hold::Approached(..) | Hold::Open(_) => Certainty::LimitSure,
        };
        for reply in 0..replies {
            // The first stage by which play may come to a lower rank, and the first by which it may
            // leave.
            let (mut gains, mut leaves, mut rises) = (None::<u32>, None::<u32>, false);
            let earlier = |known: Option<u32>, stage: u32| {
                Some(known.map_or(stage, |known| known.min(stage)))
            };
            for &(action, stage) in &way.stages {
                for next in self.successors(state, action as usize, reply) {
                    match self.held_rank(state, next, certainty) {
                        None => leaves = earlier(leaves, stage),
                        Some(rank) if rank < way.rank => gains = earlier(gains, stage),
                        Some(rank) => rises |= rank > way.rank,
                    }
                }
            }
            let is_outweighed = match (gains, leaves) {
                (_, None) => true,
                (Some(gains), Some(leaves)) => certainty == Certainty::LimitSure && gains < leaves,
                (None, Some(_)) => false,
            };
            let goes_on = gains.is_some() || (infinite == InfinitePlay::Best && !rises);
            if !is_outweighed || !goes_on {
                return Err(NOT_HELD);
            }
        }
        Ok(())
    }

    /// The rank of a successor from which the player holds the same best payoff, at least as surely
    /// as this.
    fn held_rank(&self, state: usize, next: usize, certainty: Certainty) -> Option<u32> {
        let claim = &self.claims.states[next];
        if claim.payoff != self.claims.states[state].payoff {
            return None;
        }
        match &claim.hold {
            Hold::Sure(way) => Some(way.rank),
            Hold::Approached(way, _) if certainty == Certainty::LimitSure => Some(way.rank),
            _ => None,
        }
    }

    /// Checks that every action of the player may lead to lower layers against some reply, or never
    /// leaves the layer against the obstacle's, where play that stays there for ever does not get
    /// the best payoff.
    fn check_obstacle(
        &self,
        state: usize,
        obstacle: Obstacle,
        infinite: InfinitePlay,
    ) -> Result<(), &'static str> {
        let [actions, replies] = self.actions(state);
        if obstacle.layer == 0 || obstacle.reply as usize >= replies {
            return Err(MISSHAPEN);
        }
        for action in 0..actions {
            let mut all = (0..replies).flat_map(|reply| self.successors(state, action, reply));
            let may_fall =
                all.any(|next| self.layer(state, next).is_some_and(|layer| layer < obstacle.layer));
            let mut successors = self.successors(state, action, obstacle.reply as usize);
            let is_kept = infinite == InfinitePlay::Worse
                && successors.all(|next| {
                    self.layer(state, next).is_some_and(|layer| layer <= obstacle.layer)
                });
            if !may_fall && !is_kept {
                return Err(NOT_HINDERED);
            }
        }
        Ok(())
    }

    /// The layer of a successor, 0 if the best payoff of the state cannot be reached from there;
    /// `None` if nothing stands against the player there.
    fn layer(&self, state: usize, next: usize) -> Option<u32> {
        let claim = &self.claims.states[next];
        if claim.payoff < self.claims.states[state].payoff {
            return Some(0);
        }
        match claim.hold {
            Hold::Open(obstacle) | Hold::Approached(_, obstacle) => Some(obstacle.layer),
            Hold::Sure(_) => None,
        }
    }
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::super::search;
    use super::*;

    /// The states of all games here: the ends first.
    const HEAD: &str = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}
        {"id":"won","value":"1"}
        {"id":"lost","value":"0"}"#;
    const STATE: usize = 2;
    const SECOND: usize = 3;

    fn game(states: &[&str]) -> StochasticGame {
        let text = std::iter::once(&HEAD).chain(states).copied().collect::<Vec<_>>().join("\n");
        StochasticGame::read(text.as_bytes()).unwrap()
    }

    /// A state with two actions of each player, and certain successors.
    fn two_by_two(id: &str, cells: [[&str; 2]; 2]) -> String {
        let cell = |to: &str| format!(r#"{{"to":[["1","{to}"]]}}"#);
        let rows = cells.map(|row| format!("[{}]", row.map(cell).join(",")));
        format!(r#"{{"id":"{id}","a":["0","1"],"b":["0","1"],"cells":[{}]}}"#, rows.join(","))
    }

    /// Hide or run: A, who hides, wins against a throw; who runs, against waiting alone.
    fn hide_or_run() -> StochasticGame {
        game(&[&two_by_two("s", [["s", "won"], ["won", "lost"]])])
    }

    /// A goes, or stays for ever and gets nothing.
    fn stay_or_go() -> StochasticGame {
        game(&[&two_by_two("s", [["s", "s"], ["won", "won"]])])
    }

    /// A has to name what B hides.
    fn pennies() -> StochasticGame {
        game(&[&two_by_two("s", [["won", "lost"], ["lost", "won"]])])
    }

    /// Checks what the search finds, after a change of A's claims.
    fn forged(
        game: &StochasticGame,
        change: impl FnOnce(&mut PlayerClaims),
    ) -> Result<Proved, String> {
        let mut claims = search::find(game).unwrap();
        change(claims[0].as_mut().unwrap());
        prove(game, claims).map_err(|error| error.to_string())
    }

    fn refused(game: &StochasticGame, reason: &str, change: impl FnOnce(&mut PlayerClaims)) {
        let refusal = forged(game, change).expect_err("a forged claim");
        assert!(refusal.contains(reason), "{refusal}; expected {reason}");
    }

    const fn way(rank: u32, stages: Vec<(u32, u32)>) -> Way {
        Way { rank, stages }
    }

    const OBSTACLE: Obstacle = Obstacle { layer: 1, reply: 0 };

    #[test]
    fn what_is_found_is_proved() {
        for (game, expected) in [
            (hide_or_run(), Some(Certainty::LimitSure)),
            (stay_or_go(), Some(Certainty::AlmostSure)),
            (pennies(), None),
        ] {
            let proved = forged(&game, |_| ()).unwrap();
            assert_eq!(proved.certainty(STATE, Player::A), expected);
            assert_eq!(proved.payoff(STATE, Player::A), Some(BigRational::from_integer(1.into())));
        }
    }

    /// To run mostly and hide rarely loses against a throw; to run alone, or to hide alone, brings
    /// A to no end by himself.
    #[test]
    fn stages_in_the_wrong_order_are_refused() {
        for stages in [vec![(0, 2), (1, 1)], vec![(0, 1), (1, 1)], vec![(1, 1)], vec![(0, 1)]] {
            refused(&hide_or_run(), NOT_HELD, |claims| {
                claims.states[STATE].hold = Hold::Approached(way(1, stages), OBSTACLE);
            });
        }
    }

    #[test]
    fn stages_that_are_none_are_refused() {
        for stages in [
            vec![],
            vec![(1, 2), (0, 1)],
            vec![(0, 1), (0, 1), (1, 2)],
            vec![(0, 1), (2, 2)],
            vec![(0, 0), (1, 2)],
        ] {
            refused(&hide_or_run(), MISSHAPEN, |claims| {
                claims.states[STATE].hold = Hold::Approached(way(1, stages), OBSTACLE);
            });
        }
    }

    #[test]
    fn what_is_approached_is_not_attained() {
        refused(&hide_or_run(), NOT_HELD, |claims| {
            claims.states[STATE].hold = Hold::Sure(way(1, vec![(0, 1), (1, 2)]));
        });
    }

    #[test]
    fn what_is_attained_has_no_obstacle() {
        for reply in [0, 1] {
            refused(&stay_or_go(), NOT_HINDERED, |claims| {
                claims.states[STATE].hold =
                    Hold::Approached(way(1, vec![(1, 1)]), Obstacle { layer: 1, reply });
            });
        }
        refused(&hide_or_run(), MISSHAPEN, |claims| {
            claims.states[STATE].hold = Hold::Open(Obstacle { layer: 0, reply: 0 });
        });
        refused(&hide_or_run(), MISSHAPEN, |claims| {
            claims.states[STATE].hold = Hold::Open(Obstacle { layer: 1, reply: 2 });
        });
        // Against a throw, hiding wins.
        refused(&hide_or_run(), NOT_HINDERED, |claims| {
            claims.states[STATE].hold = Hold::Open(Obstacle { layer: 1, reply: 1 });
        });
    }

    #[test]
    fn an_equal_chance_is_not_approached() {
        for stages in [vec![(0, 1), (1, 1)], vec![(0, 1), (1, 2)]] {
            refused(&pennies(), NOT_HELD, |claims| {
                claims.states[STATE].hold = Hold::Approached(way(1, stages), OBSTACLE);
            });
        }
    }

    /// Waiting is as good as the best payoff only if infinite play pays it.
    #[test]
    fn waiting_alone_brings_nothing() {
        let waits = |claims: &mut PlayerClaims| {
            claims.states[STATE].hold = Hold::Sure(way(1, vec![(0, 1)]));
        };
        refused(&stay_or_go(), NOT_HELD, waits);
        let paid = two_by_two("s", [["s", "s"], ["won", "won"]])
            .replace(r#""a":"#, r#""endless":"1","a":"#);
        assert!(forged(&game(&[&paid]), waits).is_ok());
    }

    /// Two states that send play to each other, each of which has the lower rank by its own
    /// account.
    #[test]
    fn ranks_fall() {
        let (first, second) = (
            two_by_two("s", [["t", "t"], ["won", "lost"]]),
            two_by_two("t", [["s", "s"], ["lost", "won"]]),
        );
        refused(&game(&[&first, &second]), NOT_HELD, |claims| {
            claims.states[STATE].hold = Hold::Sure(way(2, vec![(0, 1)]));
            claims.states[SECOND].hold = Hold::Sure(way(1, vec![(0, 1)]));
        });
    }

    /// Play goes round by two states, and infinite play pays 1: at the first A has no choice, at
    /// the second she hides or runs, and comes back. What she risks is little each time, and
    /// everything in the end.
    #[test]
    fn waiting_does_not_raise_the_rank() {
        let paid = |line: String| line.replace(r#""a":"#, r#""endless":"1","a":"#);
        let (first, second) = (
            paid(two_by_two("s", [["t"; 2]; 2])),
            paid(two_by_two("t", [["t", "s"], ["s", "lost"]])),
        );
        refused(&game(&[&first, &second]), NOT_HELD, |claims| {
            claims.states[STATE].hold = Hold::Approached(way(1, vec![(0, 1)]), OBSTACLE);
            claims.states[SECOND].hold = Hold::Approached(way(2, vec![(0, 1), (1, 2)]), OBSTACLE);
        });
    }

    /// Before hide or run nothing is surer than there.
    #[test]
    fn what_leads_to_an_approached_value_does_not_attain_it() {
        let before = two_by_two("t", [["s"; 2]; 2]);
        let game = game(&[&two_by_two("s", [["s", "won"], ["won", "lost"]]), &before]);
        assert_eq!(
            forged(&game, |_| ()).unwrap().certainty(SECOND, Player::A),
            Some(Certainty::LimitSure)
        );
        refused(&game, NOT_HELD, |claims| {
            claims.states[SECOND].hold = Hold::Sure(way(9, vec![(0, 1)]));
        });
    }

    /// Staying for ever is no obstacle where infinite play pays best.
    #[test]
    fn a_paid_stay_hinders_nobody() {
        let paid = two_by_two("s", [["s"; 2]; 2]).replace(r#""a":"#, r#""endless":"1","a":"#);
        refused(&game(&[&paid]), NOT_HINDERED, |claims| {
            claims.states[STATE].hold = Hold::Open(OBSTACLE);
        });
    }

    /// Nor is another layer that is higher.
    #[test]
    fn obstacles_do_not_lead_to_higher_layers() {
        let half = two_by_two("t", [["s", "s"], ["won", "half"]])
            .replace(r#"["1","half"]"#, r#"["1/2","s"],["1/2","won"]"#);
        let (first, second) = (two_by_two("s", [["t"; 2]; 2]), half);
        refused(&game(&[&first, &second]), NOT_HINDERED, |claims| {
            claims.states[STATE].hold = Hold::Open(OBSTACLE);
            claims.states[SECOND].hold = Hold::Open(Obstacle { layer: 2, reply: 0 });
        });
    }

    #[test]
    fn a_payoff_below_the_best_is_refused() {
        refused(&stay_or_go(), NOT_THE_BEST, |claims| claims.states[STATE].payoff = 0);
        refused(&stay_or_go(), NOT_THE_BEST, |claims| claims.states[0].payoff = 0);
        let paid = two_by_two("s", [["s", "s"], ["won", "won"]])
            .replace(r#""a":"#, r#""endless":"2","a":"#);
        // The payoffs are 0, 1, 2.
        refused(&game(&[&paid]), NOT_THE_BEST, |claims| {
            let StateClaim { payoff, hold, .. } = &mut claims.states[STATE];
            (*payoff, *hold) = (1, Hold::Sure(way(1, vec![(1, 1)])));
        });
        refused(&stay_or_go(), MISSHAPEN, |claims| claims.states[STATE].payoff = 2);
        refused(&stay_or_go(), MISSHAPEN, |claims| claims.payoffs.reverse());
    }

    /// Else every state before it could be said to be hindered.
    #[test]
    fn an_end_is_attained() {
        refused(&stay_or_go(), NOT_THE_BEST, |claims| {
            for state in 0..=STATE {
                claims.states[state].hold = Hold::Open(OBSTACLE);
            }
        });
    }

    /// Heights that rise would hide that play can return.
    #[test]
    fn heights_do_not_rise() {
        refused(&stay_or_go(), MISSHAPEN, |claims| {
            claims.states[0].height = claims.states[STATE].height + 1;
        });
    }
}
