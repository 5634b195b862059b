use crate::game::Player;

/// A grid for each player's view, or one for both where the views agree.
///
/// If mirror images have opposite values and both accounts are equal, B's view of a state is A's view of its mirror image, with
/// the same security levels and opposite values.
#[derive(Clone, Debug)]
pub(crate) struct PlayerViews<G> {
    a: G,
    b: Option<G>,
}

impl<G> PlayerViews<G> {
    /// Calls `make` for each player, or for A on behalf of both.
    pub(crate) fn new(shared: bool, mut make: impl FnMut(Player) -> G) -> Self {
        Self { a: make(Player::A), b: (!shared).then(|| make(Player::B)) }
    }

    pub(crate) const fn are_shared(&self) -> bool {
        self.b.is_none()
    }

    pub(crate) fn of(&self, player: Player) -> &G {
        self.b.as_ref().filter(|_| player == Player::B).unwrap_or(&self.a)
    }

    /// The grid that stores a player's view; `None` if A's view of the mirror image stores it.
    pub(crate) fn entered(&mut self, player: Player) -> Option<&mut G> {
        match player {
            Player::A => Some(&mut self.a),
            Player::B => self.b.as_mut(),
        }
    }
}
