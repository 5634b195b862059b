//! Bases of neighbours, from which a stage game is solved.

use crate::game::{Player, State};
use crate::induction::tables::{Tables, is_on_last_field};
use crate::matrix_game::{Basis, BasisFactorisation, Start};

/// The basis from which a state is solved, guessed from its neighbours.
pub(super) struct WarmStart<'t> {
    /// The likely place of a saddle point: one row and column beyond the nearest neighbour's, which
    /// has fewer points to bid; the first ones without such a neighbour. `None` if it randomises.
    pub(super) pure: Option<(usize, usize)>,
    /// Empty if no neighbour randomises.
    basis: Basis,
    /// The kept system of the neighbour with the same equations, except for a first row and column
    /// where the basis is larger.
    system: Option<&'t BasisFactorisation>,
}

impl<'t> WarmStart<'t> {
    /// Guesses from the neighbours with fewer points, of which the nearest predicts best.
    ///
    /// With the ball on the last field, a lost rally ends the game and the remaining points matter:
    /// the basis of `(a − 1, b − 1)` is taken with [higher bids](raised). Elsewhere the bases of
    /// `(a − 1, b)`, `(a − 1, b − 1)` and `(a, b − 1)` are tried in this order, with unchanged
    /// bids.
    ///
    /// At 100 points this leaves half an exchange to a mixed state; unchanged neighbours' bases
    /// leave one (measured).
    ///
    /// Bids that are legal with fewer points are legal here; an empty account has no mixed basis.
    pub(super) fn new(tables: &'t Tables, state: State) -> Self {
        let State { a, b, ball } = state;
        let (order, lowest) = (tables.order, tables.lowest_bids(state));
        let neighbour = |less_a: u32, less_b: u32| {
            let neighbour = State::new(a.checked_sub(less_a)?, b.checked_sub(less_b)?, ball);
            let representative = order.representative(neighbour);
            let bids = tables.bases.get(&representative)?;
            let (bids_a, bids_b) = bids.split_at(bids.len() / 2);
            Some(if representative == neighbour { [bids_a, bids_b] } else { [bids_b, bids_a] })
        };
        let mixed = |bids: &[&[u16]; 2]| bids[0].len() > 1;
        let on_last_field = is_on_last_field(order, state);
        let nearest = if on_last_field { neighbour(1, 1) } else { neighbour(1, 0) };
        let pure = match nearest {
            None => Some((0, 0)),
            Some(bids) if mixed(&bids) => None,
            Some([a, b]) => {
                Some((usize::from(a[0]) + 1 - lowest[0], usize::from(b[0]) + 1 - lowest[1]))
            }
        };
        if let Some(bids) = nearest.filter(|bids| on_last_field && mixed(bids)) {
            let attacker = if ball.position() < 0 { Player::B } else { Player::A };
            let source = State::new(a - 1, b - 1, ball);
            let (raised, are_all) = raised(bids, attacker, lowest);
            let is_same = are_all && order.representative(source) == source;
            let system = if is_same { tables.systems.of(source) } else { None };
            return Self {
                pure,
                basis: tables.basis(state, raised.each_ref().map(Vec::as_slice)),
                system,
            };
        }
        let bids =
            [(1, 0), (1, 1), (0, 1)].into_iter().find_map(|(a, b)| neighbour(a, b).filter(mixed));
        Self {
            pure,
            basis: bids.map(|bids| tables.basis(state, bids)).unwrap_or_default(),
            system: None,
        }
    }

    /// The start from the mixed basis, if there is one, and its system.
    pub(super) fn mixed(&self) -> Option<Start<'_>> {
        let start = self
            .system
            .map_or(Start::Basis(&self.basis), |known| Start::Shifted(known, &self.basis));
        (self.basis.size() > 0).then_some(start)
    }
}

/// Both players' bids raised by one, and whether all were raised.
///
/// If the attacker's bids begin with two consecutive ones, the lowest bids also remain, which
/// enlarges the basis by one. Otherwise a lone bid of 1, which saves points, is unchanged.
fn raised(bids: [&[u16]; 2], attacker: Player, lowest: [usize; 2]) -> ([Vec<u16>; 2], bool) {
    let lone = |bids: &[u16]| bids[1] > bids[0] + 1;
    let grows = !lone(attacker.own_first(bids)[0]);
    let stays = [0, 1].map(|player| {
        !grows && usize::from(bids[player][0]) == lowest[player] && lone(bids[player])
    });
    let raised = [0, 1].map(|player| {
        let kept = bids[player].iter().take(usize::from(grows || stays[player])).copied();
        kept.chain(bids[player].iter().skip(usize::from(stays[player])).map(|bid| bid + 1))
            .collect()
    });
    (raised, stays == [false; 2])
}
