use crate::game::{Player, State};
use crate::induction::tables::{Tables, is_on_last_field};
use crate::matrix_game::Basis;

/// The basis from which a state is solved, guessed from its neighbours.
#[derive(Debug, Default)]
pub(crate) struct WarmStart {
    /// The likely place of a saddle point: one row and column beyond the nearest neighbour's, which has fewer points to bid; the
    /// first ones without such a neighbour. `None` if it randomises.
    pub(crate) pure: Option<(usize, usize)>,
    /// Empty if no neighbour randomises.
    pub(crate) basis: Basis,
    /// The neighbour with the same system of equations, except for a first row and column where the basis is larger.
    pub(crate) same_system: Option<State>,
}

impl WarmStart {
    /// Guesses from the neighbours with fewer points, of which the nearest predicts best.
    ///
    /// With the ball on the last field, a lost rally ends the game and the remaining points matter: the basis of `(a − 1, b − 1)`
    /// is taken with [higher bids](Self::raise). Elsewhere the bases of `(a − 1, b)`, `(a − 1, b − 1)` and `(a, b − 1)` are tried
    /// in this order, with unchanged bids.
    ///
    /// At 100 points this leaves half an exchange to a mixed state; unchanged neighbours' bases leave one (measured).
    ///
    /// Bids that are legal with fewer points are legal here; an empty account has no mixed basis.
    pub(crate) fn make(&mut self, tables: &Tables, state: State) {
        let State { a, b, ball } = state;
        let (order, lowest) = (tables.order, tables.lowest_bids(state));
        let neighbour = |less_a: u32, less_b: u32| {
            let neighbour = State::new(a.checked_sub(less_a)?, b.checked_sub(less_b)?, ball);
            let own = order.representative(neighbour);
            let bids = tables.bases.get(&own)?;
            let (bids_a, bids_b) = bids.split_at(bids.len() / 2);
            Some(if own == neighbour { [bids_a, bids_b] } else { [bids_b, bids_a] })
        };
        let mixed = |bids: &[&[u16]; 2]| bids[0].len() > 1;
        let on_last_field = is_on_last_field(order, state);
        let nearest = if on_last_field { neighbour(1, 1) } else { neighbour(1, 0) };
        self.pure = match nearest {
            None => Some((0, 0)),
            Some(bids) if mixed(&bids) => None,
            Some([a, b]) => Some((usize::from(a[0]) + 1 - lowest[0], usize::from(b[0]) + 1 - lowest[1])),
        };
        self.same_system = None;
        self.basis.clear();
        if let Some(bids) = nearest.filter(|bids| on_last_field && mixed(bids)) {
            let attacker = if ball.position() < 0 { Player::B } else { Player::A };
            let source = State::new(a - 1, b - 1, ball);
            let all_raised = self.raise(bids, attacker, lowest);
            self.same_system = Some(source).filter(|&source| all_raised && order.representative(source) == source);
        } else if let Some(bids) = [(1, 0), (1, 1), (0, 1)].into_iter().find_map(|(a, b)| neighbour(a, b).filter(mixed)) {
            self.basis = tables.basis(state, bids);
        }
    }

    /// Raises both players' bids by one; returns whether all were raised.
    ///
    /// If the attacker's bids begin with two consecutive ones, the lowest bids also remain, which enlarges the basis by one.
    /// Otherwise a lone bid of 1, which saves points, is unchanged.
    fn raise(&mut self, bids: [&[u16]; 2], attacker: Player, lowest: [usize; 2]) -> bool {
        let lone = |bids: &[u16]| bids[1] > bids[0] + 1;
        let grows = !lone(attacker.own_first(bids)[0]);
        let mut all = true;
        for ((list, bids), lowest) in [&mut self.basis.rows, &mut self.basis.columns].into_iter().zip(bids).zip(lowest) {
            let stays = !grows && usize::from(bids[0]) == lowest && lone(bids);
            if grows || stays {
                list.push(usize::from(bids[0]) - lowest);
            }
            list.extend(bids[usize::from(stays)..].iter().map(|&bid| usize::from(bid) + 1 - lowest));
            all &= !stays;
        }
        all
    }
}
