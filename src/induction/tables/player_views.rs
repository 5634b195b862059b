//! Grids as each player sees the game, kept once where both see the same.

use crate::game::Player;

/// A grid for each player's view, or one for both.
///
/// Where mirror images have opposite values and both accounts are equally large, B sees in every state what A sees in its mirror
/// image: the same security levels, and values with the other sign.
#[derive(Clone, Debug)]
pub(crate) struct PlayerViews<G> {
    a: G,
    b: Option<G>,
}

impl<G> PlayerViews<G> {
    /// The grids that `make` gives each player, or A's for both.
    pub(crate) fn new(shared: bool, mut make: impl FnMut(Player) -> G) -> Self {
        Self { a: make(Player::A), b: (!shared).then(|| make(Player::B)) }
    }

    pub(crate) const fn are_shared(&self) -> bool {
        self.b.is_none()
    }

    /// The grid in which a player's view is read.
    pub(crate) fn of(&self, player: Player) -> &G {
        self.b.as_ref().filter(|_| player == Player::B).unwrap_or(&self.a)
    }

    /// The grid in which a player's view is entered; none where it is entered with A's view of the mirror image.
    pub(crate) fn entered(&mut self, player: Player) -> Option<&mut G> {
        match player {
            Player::A => Some(&mut self.a),
            Player::B => self.b.as_mut(),
        }
    }
}
