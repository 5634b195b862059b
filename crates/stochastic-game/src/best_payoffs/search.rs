//! Finds the states from which a player gets the best payoff, component by component, successors
//! first.

use num_rational::BigRational;

use super::{Certainty, Claims, Hold, InfinitePlay, Obstacle, PlayerClaims, StateClaim, Way};
use crate::model::{Components, Graph, StochasticGame};
use crate::player::Player;

/// The search ends without a result once it has looked at this many times the cells of the game: it
/// stays near-linear.
const MOST_LOOKS: u64 = 200;

/// Small games may take this many looks.
const SOME_LOOKS: u64 = 1_000_000;

/// The claims for both players; `None` if the search takes too long.
pub(super) fn find(game: &StochasticGame) -> Option<Claims> {
    let components = Components::new(game);
    let entered_from = entered_from(game, &components);
    let a = Search::new(game, Player::A, &components, &entered_from).claims()?;
    let b = Search::new(game, Player::B, &components, &entered_from).claims()?;
    Some([Some(a), Some(b)])
}

/// The claims about one player; `None` if the search takes too long.
#[cfg(feature = "files")]
pub(super) fn find_of(game: &StochasticGame, player: Player) -> Option<PlayerClaims> {
    let components = Components::new(game);
    let entered_from = entered_from(game, &components);
    Search::new(game, player, &components, &entered_from).claims()
}

/// By state, those of its component from which play may come to it in one turn.
fn entered_from(game: &StochasticGame, components: &Components) -> Vec<Vec<u32>> {
    let mut entered_from: Vec<Vec<u32>> = vec![Vec::new(); game.len()];
    for state in 0..game.len() {
        for edge in game.edges(state) {
            let next = game.target(edge);
            let before = &mut entered_from[next];
            if components.of(next) == components.of(state) && before.last() != Some(&(state as u32))
            {
                before.push(state as u32);
            }
        }
    }
    entered_from
}

/// Where a state stands in the search of its component.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Not within: left for good, or in another component.
    Out,
    /// Still within, and not reached.
    Within,
    /// Within, and play is brought to the best payoff from it.
    Reached,
}

struct Search<'g> {
    game: &'g StochasticGame,
    player: Player,
    components: &'g Components,
    entered_from: &'g [Vec<u32>],
    payoffs: Vec<BigRational>,
    /// By state, the place of the best payoff.
    best: Vec<u32>,
    /// By state, how the player comes to the best payoff almost surely, or limit-surely, and why
    /// not almost surely.
    sure: Vec<Option<Way>>,
    approached: Vec<Option<Way>>,
    obstacles: Vec<Option<Obstacle>>,
    /// Of the component and the aim at work.
    standing: Vec<Standing>,
    rank: u32,
    layer: u32,
    looks: u64,
}

impl<'g> Search<'g> {
    fn new(
        game: &'g StochasticGame,
        player: Player,
        components: &'g Components,
        entered_from: &'g [Vec<u32>],
    ) -> Self {
        let states = game.len();
        let number = |state: usize| game.end_value(state).unwrap_or_else(|| game.endless(state));
        let mut payoffs: Vec<BigRational> =
            (0..states).map(|state| of_player(player, number(state))).collect();
        payoffs.sort_unstable();
        payoffs.dedup();
        Self {
            game,
            player,
            components,
            entered_from,
            payoffs,
            best: vec![0; states],
            sure: (0..states).map(|_| None).collect(),
            approached: (0..states).map(|_| None).collect(),
            obstacles: vec![None; states],
            standing: vec![Standing::Out; states],
            rank: 0,
            layer: 0,
            looks: SOME_LOOKS.saturating_add(MOST_LOOKS.saturating_mul(game.cells() as u64)),
        }
    }

    fn claims(mut self) -> Option<PlayerClaims> {
        for component in 0..self.components.len() {
            let states = self.components.states(component);
            if let &[state] = states
                && let Some(value) = self.game.end_value(state as usize)
            {
                self.best[state as usize] = self.place(value);
                self.sure[state as usize] = Some(Way { rank: 0, stages: Vec::new() });
                continue;
            }
            self.search(component, states)?;
        }
        let ways = self.sure.into_iter().zip(self.approached).zip(self.obstacles);
        let holds = ways.map(|((sure, approached), obstacle)| match (sure, approached, obstacle) {
            (Some(way), _, _) => Some(Hold::Sure(way)),
            (None, Some(way), Some(obstacle)) => Some(Hold::Approached(way, obstacle)),
            (None, _, obstacle) => obstacle.map(Hold::Open),
        });
        let heights = (0..self.game.len()).map(|state| self.components.of(state) as u32);
        let states = self.best.into_iter().zip(heights).zip(holds);
        let states =
            states.map(|((payoff, height), hold)| Some(StateClaim { payoff, height, hold: hold? }));
        Some(PlayerClaims { payoffs: self.payoffs, states: states.collect::<Option<_>>()? })
    }

    /// The place of a payoff, which is one of the game.
    fn place(&self, payoff: &BigRational) -> u32 {
        let (Ok(place) | Err(place)) = self.payoffs.binary_search(&of_player(self.player, payoff));
        place as u32
    }

    /// Searches a component whose successors have been searched; `None` if it takes too long.
    fn search(&mut self, component: usize, states: &[u32]) -> Option<()> {
        let endless = self
            .components
            .is_cyclic(component)
            .then(|| self.place(self.game.endless(states[0] as usize)));
        let edges = states.iter().flat_map(|&state| self.game.edges(state as usize));
        let successors = edges
            .map(|edge| self.game.target(edge))
            .filter(|&next| self.components.of(next) != component);
        let outside = successors.map(|next| self.best[next]).max();
        let best = outside.max(endless).unwrap_or_default();
        for &state in states {
            self.best[state as usize] = best;
        }
        // Where infinite play is the best payoff, staying is enough; otherwise play has to leave.
        let infinite = if endless == Some(best) { InfinitePlay::Best } else { InfinitePlay::Worse };
        self.fixed_point(states, Certainty::AlmostSure, infinite)?;
        if states.iter().any(|&state| self.sure[state as usize].is_none()) {
            self.fixed_point(states, Certainty::LimitSure, infinite)?;
        }
        for &state in states {
            self.standing[state as usize] = Standing::Out;
        }
        Some(())
    }

    /// The largest set of states of a component in which play can be kept until it is brought to
    /// the best payoff.
    fn fixed_point(
        &mut self,
        states: &[u32],
        aim: Certainty,
        infinite: InfinitePlay,
    ) -> Option<()> {
        for &state in states {
            self.standing[state as usize] = Standing::Within;
        }
        loop {
            self.leave(states, aim)?;
            let reached = match infinite {
                InfinitePlay::Best => self.kept(states, aim)?,
                InfinitePlay::Worse => self.reached(states, aim)?,
            };
            let mut has_lost = false;
            self.layer += 1;
            for &state in states {
                if self.standing[state as usize] == Standing::Within {
                    has_lost = true;
                    if aim == Certainty::AlmostSure {
                        let reply = self.stages(state as usize, aim)?.err().unwrap_or_default();
                        self.obstacles[state as usize] =
                            Some(Obstacle { layer: self.layer, reply });
                    }
                }
            }
            for &state in states {
                let standing = &mut self.standing[state as usize];
                *standing =
                    if *standing == Standing::Reached { Standing::Within } else { Standing::Out };
            }
            if has_lost {
                continue;
            }
            for (state, way) in reached {
                let ways = if aim == Certainty::AlmostSure {
                    &mut self.sure
                } else {
                    &mut self.approached
                };
                ways[state as usize] = Some(way);
            }
            return Some(());
        }
    }

    /// Leaves states where every action may lead to some that were left, until there are none: one
    /// at a time, so that a long row of them takes no rounds of its own.
    fn leave(&mut self, states: &[u32], aim: Certainty) -> Option<()> {
        let mut to_ask: Vec<u32> = states.to_vec();
        while let Some(state) = to_ask.pop() {
            if self.standing[state as usize] != Standing::Within {
                continue;
            }
            let turn = self.turn(state as usize, aim)?;
            if !turn.actions_unless_left(&vec![false; turn.replies]).is_empty() {
                continue;
            }
            self.standing[state as usize] = Standing::Out;
            if aim == Certainty::AlmostSure {
                self.layer += 1;
                self.obstacles[state as usize] = Some(Obstacle { layer: self.layer, reply: 0 });
            }
            to_ask.extend(&self.entered_from[state as usize]);
        }
        Some(())
    }

    /// The states within by which play leaves to the best payoff, or comes to such states, each
    /// with a rank of its own. The states that were found to be almost sure come first.
    fn reached(&mut self, states: &[u32], aim: Certainty) -> Option<Vec<(u32, Way)>> {
        let mut reached = Vec::new();
        if aim == Certainty::LimitSure {
            for &state in states {
                if self.sure[state as usize].is_some() {
                    self.standing[state as usize] = Standing::Reached;
                }
            }
        }
        let mut to_ask: Vec<u32> = states.to_vec();
        while let Some(state) = to_ask.pop() {
            if self.standing[state as usize] != Standing::Within {
                continue;
            }
            if let Ok(stages) = self.stages(state as usize, aim)? {
                self.standing[state as usize] = Standing::Reached;
                self.rank += 1;
                reached.push((state, Way { rank: self.rank, stages }));
                let entered_from = &self.entered_from[state as usize];
                to_ask.extend(
                    entered_from
                        .iter()
                        .filter(|&&before| self.standing[before as usize] == Standing::Within),
                );
            }
        }
        Some(reached)
    }

    /// The states within where an action keeps play within, or leaves to the best payoff, whatever
    /// the opponent does; one rank.
    fn kept(&mut self, states: &[u32], aim: Certainty) -> Option<Vec<(u32, Way)>> {
        self.rank += 1;
        let mut kept = Vec::new();
        for &state in states {
            if self.standing[state as usize] != Standing::Within {
                continue;
            }
            let turn = self.turn(state as usize, aim)?;
            let safe = turn.actions_unless_left(&vec![false; turn.replies]);
            if !safe.is_empty() {
                kept.push((
                    state,
                    Way {
                        rank: self.rank,
                        stages: safe.into_iter().map(|action| (action, 1)).collect(),
                    },
                ));
            }
        }
        for (state, _) in &kept {
            self.standing[*state as usize] = Standing::Reached;
        }
        Some(kept)
    }

    /// The actions by which every reply may bring play to states that are reached, each with its
    /// stage, or a reply that does not.
    ///
    /// An action may leave the states within against replies that actions of earlier stages bring
    /// further, since it is played ever so much more rarely than these. Almost surely, none may.
    fn stages(&mut self, state: usize, aim: Certainty) -> Option<Result<Vec<(u32, u32)>, u32>> {
        let turn = self.turn(state, aim)?;
        let mut is_covered = vec![false; turn.replies];
        let mut stages: Vec<(u32, u32)> = Vec::new();
        for stage in 1.. {
            let all = turn.actions_unless_left(&is_covered);
            let new: Vec<u32> = all
                .into_iter()
                .filter(|action| stages.iter().all(|(earlier, _)| earlier != action))
                .collect();
            for &action in &new {
                let gains = &turn.gains[action as usize * turn.replies..][..turn.replies];
                for (is_covered, gains) in is_covered.iter_mut().zip(gains) {
                    *is_covered |= gains;
                }
                stages.push((action, stage));
            }
            if new.is_empty() || aim == Certainty::AlmostSure || !is_covered.contains(&false) {
                break;
            }
        }
        stages.sort_unstable();
        let missed = is_covered.iter().position(|is_covered| !is_covered);
        Some(missed.map_or(Ok(stages), |reply| Err(reply as u32)))
    }

    /// What the pairs of actions of a state may do, as the states stand; `None` if that is one look
    /// too many.
    fn turn(&mut self, state: usize, aim: Certainty) -> Option<Turn> {
        let sizes = self.game.sizes(state);
        let [actions, replies] =
            if self.player == Player::A { sizes } else { [sizes[1], sizes[0]] };
        self.looks = self.looks.checked_sub((actions * replies) as u64)?;
        let mut turn = Turn {
            actions,
            replies,
            leaves: vec![false; actions * replies],
            gains: vec![false; actions * replies],
        };
        for (place, cell) in self.game.all_cells(state).enumerate() {
            let (a, b) = (place / sizes[1], place % sizes[1]);
            let pair = if self.player == Player::A { a * replies + b } else { b * replies + a };
            for outcome in cell.outcomes {
                match self.standing_of(state, outcome.state as usize, aim) {
                    Standing::Out => turn.leaves[pair] = true,
                    Standing::Within => (),
                    Standing::Reached => turn.gains[pair] = true,
                }
            }
        }
        Some(turn)
    }

    /// How a successor of a state stands, in the component or outside of it.
    fn standing_of(&self, state: usize, next: usize, aim: Certainty) -> Standing {
        if self.components.of(next) == self.components.of(state) {
            return self.standing[next];
        }
        let is_held = self.sure[next].is_some()
            || (aim == Certainty::LimitSure && self.approached[next].is_some());
        if is_held && self.best[next] == self.best[state] {
            Standing::Reached
        } else {
            Standing::Out
        }
    }
}

/// What the pairs of actions of a state may do, by the player's action and the reply.
struct Turn {
    actions: usize,
    replies: usize,
    /// Whether play may leave the states within.
    leaves: Vec<bool>,
    /// Whether play may come to a state that is reached.
    gains: Vec<bool>,
}

impl Turn {
    /// The actions by which play leaves the states within against these replies alone.
    fn actions_unless_left(&self, replies: &[bool]) -> Vec<u32> {
        let is_safe = |action: &usize| {
            let leaves = &self.leaves[action * self.replies..(action + 1) * self.replies];
            leaves.iter().zip(replies).all(|(&leaves, &may_leave)| !leaves || may_leave)
        };
        (0..self.actions).filter(is_safe).map(|action| action as u32).collect()
    }
}

/// A payoff as a player counts it.
fn of_player(player: Player, payoff: &BigRational) -> BigRational {
    match player {
        Player::A => payoff.clone(),
        Player::B => -payoff,
    }
}
