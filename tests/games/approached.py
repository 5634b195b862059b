"""The states of a recursive game whose values are approached and not attained, by the graph alone.

A state is one if a player gets the best payoff that play can still reach with every probability
below 1, and by no strategy with probability 1 (de Alfaro, Henzinger and Kupferman 2007). The sets
are found in the whole game at once, without its strongly connected components.
"""


def approached(game):
    """By state, the payoff to A that is approached and not attained."""
    if game.kind != "recursive":
        return {}
    found = {}
    for player in "AB":
        graph = Graph(game, player)
        sure = graph.winning(is_sure=True)
        for name in graph.winning(is_sure=False) - sure:
            found[name] = graph.best[name] if player == "A" else -graph.best[name]
    return found


class Graph:
    """A game as one player sees it, who wins by the best payoff that play can still reach."""

    def __init__(self, game, player):
        sign = 1 if player == "A" else -1
        self.ends = {name: sign * value for name, value in game.ends.items()}
        endless = {name: sign * value for name, value in game.endless.items()}
        # By state, a row for each of the player's actions: for each reply the successors.
        self.rows = {}
        for name, rows in game.cells.items():
            table = rows if player == "A" else list(zip(*rows))
            self.rows[name] = [[set(cell.successors) for cell in row] for row in table]
        self.best, self.is_paid = dict(self.ends), {}
        for name in self.rows:
            after = self.reachable(name)
            payoffs = [self.ends[next] for next in after if next in self.ends]
            payoffs += [endless[next] for next in after if next in self.rows and self.returns(next)]
            self.best[name] = max(payoffs)
            self.is_paid[name] = endless[name] == self.best[name] and self.returns(name)

    def reachable(self, name):
        """The states and ends to which play may come from a state, in one turn or more."""
        met, open_states = set(), [name]
        while open_states:
            for row in self.rows.get(open_states.pop(), []):
                for next in set().union(*row) - met:
                    met.add(next)
                    open_states.append(next)
        return met

    def returns(self, name):
        return name in self.reachable(name)

    def winning(self, is_sure):
        """The states from which the player gets the best payoff almost surely, or limit-surely."""
        within = set(self.best)
        while True:
            reached = set(self.ends)
            while True:
                new = {
                    name
                    for name in within - reached
                    if self.advances(name, within, reached, is_sure)
                }
                new |= self.kept(within - reached, reached)
                if not new:
                    break
                reached |= new
            if reached == within:
                return within - set(self.ends)
            within = reached

    def comes_to(self, name, cell, states):
        """The successors of a cell that are among these states and have the same best payoff."""
        return {next for next in cell if next in states and self.best[next] == self.best[name]}

    def advances(self, name, within, reached, is_sure):
        """Whether every reply meets an action that is far likelier to advance than to leave."""
        rows, met, played = self.rows[name], set(), set()
        while True:
            new = {
                action
                for action, row in enumerate(rows)
                if action not in played
                and all(
                    reply in met or self.comes_to(name, cell, within) == cell
                    for reply, cell in enumerate(row)
                )
            }
            for action in new:
                for reply, cell in enumerate(rows[action]):
                    if self.comes_to(name, cell, reached):
                        met = met | {reply}
            played |= new
            if is_sure or not new:
                return len(met) == len(rows[0])

    def kept(self, states, reached):
        """The states in which play can be kept for ever for the best payoff, or advance."""
        kept = {name for name in states if name in self.rows and self.is_paid[name]}
        while True:
            stays = {
                name
                for name in kept
                if any(
                    all(self.comes_to(name, cell, kept | reached) == cell for cell in row)
                    for row in self.rows[name]
                )
            }
            if stays == kept:
                return kept
            kept = stays
