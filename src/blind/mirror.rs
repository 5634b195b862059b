//! Equal points and a fair scoring: what serves one player serves the other.

use super::plan::Plan;
use super::tree::{NOWHERE, Tree};
use crate::game::Player;

impl Tree {
    pub(super) fn is_symmetric(&self) -> bool {
        self.start.mirrored() == self.start && self.rules.scoring().is_antisymmetric()
    }

    /// A plan of one player, followed by the other; for a symmetric game.
    pub(super) fn mirrored(&self, player: Player, plan: &Plan) -> Plan {
        let opponent = player.opponent();
        let mut weights = vec![0; self.player_tree(opponent).sequences];
        weights[0] = plan.weights()[0];
        let mut open = vec![(0, 0)];
        while let Some((node, image)) = open.pop() {
            for (own, other) in self.entries(node, player).zip(self.entries(image, opponent)) {
                let (own, other) = (self.player_tree(player).entries[own], self.player_tree(opponent).entries[other]);
                for bid in own.bids().filter(|_| !own.is_forced()) {
                    weights[other.sequence_of(bid)] = plan.weights()[own.sequence_of(bid)];
                }
            }
            let children = self.nodes[node].children.iter().zip(self.nodes[image].children.iter().rev());
            open.extend(
                children.filter(|&(&child, _)| child != NOWHERE).map(|(&child, &image)| (child as usize, image as usize)),
            );
        }
        Plan::from_weights(weights)
    }
}
