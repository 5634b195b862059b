"""Computes in fractions the worth of a strategy of a game file against best replies.

Shares nothing with the program: this module reads the JSON lines itself, finds end components on
the graph, and best replies by policy iteration over python-flint's fractions (Howard 1960; for
total rewards Bertsekas and Tsitsiklis 1991). The worth of every strategy of A is a lower bound of
the value, the worth of every strategy of B an upper bound.
"""

import math
from dataclasses import dataclass

from flint import fmpq, fmpq_mat

ENDING_KINDS = ("acyclic", "discounted", "stopping")
ZERO, ONE = fmpq(0), fmpq(1)


def fraction(text):
    """The fraction that a string of a file states: `7/8`, `-0.25`, `1e-3`."""
    mantissa, _, power = text.lower().partition("e")
    numerator, _, denominator = mantissa.partition("/")
    whole, _, decimals = numerator.partition(".")
    digits = fmpq(int(whole + decimals), 10 ** len(decimals) * int(denominator or "1"))
    return digits * fmpq(10) ** int(power or "0")


@dataclass
class Option:
    """What an action costs at once, and the probabilities of its successors."""

    cost: fmpq
    successors: dict

    def moved(self, leaders):
        """The option with every successor replaced by the leader of its end component."""
        successors = {}
        for state, probability in self.successors.items():
            leader = leaders.get(state, state)
            successors[leader] = successors.get(leader, ZERO) + probability
        return Option(self.cost, successors)

    def worth(self, worths, discount):
        """The cost and the mean worth of the successors."""
        later = sum(
            (probability * worths[state] for state, probability in self.successors.items()), ZERO
        )
        return self.cost + discount * later


class ExactGame:
    """A game file in fractions, with payoffs to A."""

    def __init__(self, lines):
        header, *states = lines
        self.kind = header["kind"]
        self.discount = fraction(header.get("discount", "1"))
        self.ends = {line["id"]: fraction(line["value"]) for line in states if "value" in line}
        self.states = {line["id"]: line for line in states if "value" not in line}
        self.cells = {
            name: [[self.cell(cell) for cell in row] for row in line["cells"]]
            for name, line in self.states.items()
        }
        self.endless = {
            name: fraction(line.get("endless", "0")) for name, line in self.states.items()
        }
        rewards = [option.cost for rows in self.cells.values() for row in rows for option in row]
        # Of total rewards, which have one sign.
        self.collector = "A" if any(reward > 0 for reward in rewards) else "B"

    @staticmethod
    def cell(cell):
        successors = {}
        for probability, state in cell["to"]:
            probability = fraction(probability)
            if probability != 0:
                successors[state] = successors.get(state, ZERO) + probability
        return Option(fraction(cell.get("reward", "0")), successors)

    def worths(self, player, strategy):
        """A's payoff at every state if `player` plays `strategy` and the opponent a best reply.

        `strategy` maps a state to pairs of an action's number and its probability. Payoffs may be
        infinite (`math.inf`).
        """
        sign = 1 if player == "A" else -1
        process = DecisionProcess(
            kind=self.kind,
            discount=self.discount,
            options={
                name: self.replies(name, player, strategy[name], sign) for name in self.states
            },
            ends={name: sign * value for name, value in self.ends.items()},
            endless={name: sign * value for name, value in self.endless.items()},
            collects=self.collector != player,
        )
        return {name: sign * worth for name, worth in process.least_costs().items()}

    def replies(self, name, player, weights, sign):
        """The opponent's options at a state: each of its actions against the mixture."""
        rows = self.cells[name]
        table = rows if player == "A" else list(zip(*rows))
        options = []
        for reply in range(len(table[0])):
            cost, successors = ZERO, {}
            for action, weight in weights:
                if weight == 0:
                    continue
                cell = table[action][reply]
                cost += weight * cell.cost
                for state, probability in cell.successors.items():
                    successors[state] = successors.get(state, ZERO) + weight * probability
            options.append(Option(sign * cost, successors))
        return options


@dataclass
class DecisionProcess:
    """A Markov decision process: one player chooses options to minimise costs and the end's cost.

    `endless` is the cost of infinite plays by state, equal within an end component. `collects` says
    whether costs in games of kind total and target are at most 0; otherwise they are at least 0.
    """

    kind: str
    discount: fmpq
    options: dict
    ends: dict
    endless: dict
    collects: bool

    def least_costs(self):
        """The least cost from every state; infinite where costs cannot but recur, or can fall."""
        if self.kind in ENDING_KINDS:
            return self.improve(self.options, dict.fromkeys(self.options, 0), self.ends)
        leaders, unbounded = self.collapse()
        options, ends = self.collapsed(leaders)
        unbounded = reaching(options, unbounded)
        bounded = {node: choices for node, choices in options.items() if node not in unbounded}
        bounded, choice = ending(bounded, ends)
        costs = self.improve(bounded, choice, ends)
        costs.update(dict.fromkeys(unbounded, -math.inf))
        return {state: costs.get(leaders.get(state, state), math.inf) for state in self.options}

    def collapse(self):
        """The leader of every state in an end component, and the leaders where costs fall for ever.

        A player who pays never stays where a cost recurs, so only components without costs count.
        """
        inner = {
            state: [
                place
                for place, option in enumerate(options)
                if (self.collects or option.cost == 0)
                and not any(after in self.ends for after in option.successors)
            ]
            for state, options in self.options.items()
        }
        leaders, unbounded = {}, set()
        for component in end_components(self.options, inner):
            leader = next(iter(component))
            leaders.update(dict.fromkeys(component, leader))
            pays = any(
                self.options[state][place].cost != 0
                for state, places in component.items()
                for place in places
            )
            if self.collects and (pays or self.kind == "target"):
                unbounded.add(leader)
        return leaders, unbounded

    def collapsed(self, leaders):
        """Options and ends in which each end component is one node; staying in it is one more end.

        Moves within a component cost nothing, or its leader is unbounded; they are left out.
        """
        options, ends = {}, dict(self.ends)
        for state, choices in self.options.items():
            node = leaders.get(state, state)
            kept = options.setdefault(node, [])
            for option in choices:
                moved = option.moved(leaders)
                stays = state in leaders and option.cost == 0 and set(moved.successors) == {node}
                if not stays:
                    kept.append(moved)
        for leader in set(leaders.values()):
            if self.kind != "target":
                ends["stay", leader] = self.endless[leader]
                options[leader].append(Option(ZERO, {("stay", leader): ONE}))
        return options, ends

    def improve(self, options, choice, ends):
        """Policy iteration, from choices under which play ends: the least costs."""
        while True:
            costs = self.evaluate(options, choice, ends)
            known = costs | ends
            changed = False
            for node, choices in options.items():
                best = costs[node]
                for place, option in enumerate(choices):
                    if any(after not in known for after in option.successors):
                        continue
                    cost = option.worth(known, self.discount)
                    if cost < best:
                        best, choice[node], changed = cost, place, True
            if not changed:
                return costs

    def evaluate(self, options, choice, ends):
        """The costs of the choices: a linear system for each strongly connected component."""
        chosen = {node: options[node][place] for node, place in choice.items()}
        costs = {}
        for component in components({node: option.successors for node, option in chosen.items()}):
            places = {node: place for place, node in enumerate(component)}
            matrix, right = fmpq_mat(len(component), len(component)), fmpq_mat(len(component), 1)
            for node, row in places.items():
                matrix[row, row] = ONE
                right[row, 0] = chosen[node].cost
                for after, probability in chosen[node].successors.items():
                    share = self.discount * probability
                    if after in places:
                        matrix[row, places[after]] -= share
                    else:
                        right[row, 0] += share * (ends[after] if after in ends else costs[after])
            solved = matrix.solve(right)
            costs.update({node: solved[row, 0] for node, row in places.items()})
        return costs


def components(graph):
    """Strongly connected components of `{node: successors}`, successors first (Tarjan 1972)."""
    number, low, stack, found = {}, {}, [], []
    inside = set()
    for root in graph:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        inside.add(root)
        path = [(root, iter(graph[root]))]
        while path:
            node, following = path[-1]
            entered = None
            for after in following:
                if after in graph and after not in number:
                    entered = after
                    break
                if after in inside:
                    low[node] = min(low[node], number[after])
            if entered is not None:
                number[entered] = low[entered] = len(number)
                stack.append(entered)
                inside.add(entered)
                path.append((entered, iter(graph[entered])))
                continue
            path.pop()
            if path:
                low[path[-1][0]] = min(low[path[-1][0]], low[node])
            if low[node] == number[node]:
                component = stack[stack.index(node) :]
                del stack[-len(component) :]
                inside.difference_update(component)
                found.append(component)
    return found


def end_components(options, inner):
    """The maximal end components of the options at the places `inner`, as `{state: places}`."""
    found, work = [], [set(options)]
    while work:
        states = work.pop()
        while True:
            kept = {
                state: [
                    place
                    for place in inner[state]
                    if set(options[state][place].successors) <= states
                ]
                for state in options
                if state in states
            }
            kept = {state: places for state, places in kept.items() if places}
            if set(kept) == states:
                break
            states = set(kept)
        graph = {
            state: [after for place in places for after in options[state][place].successors]
            for state, places in kept.items()
        }
        parts = components(graph)
        if len(parts) == 1:
            found.append(kept)
        else:
            work += [set(part) for part in parts]
    return found


def reaching(options, goal):
    """The nodes from which some options reach the goal with positive probability."""
    found = set(goal)
    while True:
        more = {
            node
            for node, choices in options.items()
            if node not in found
            and any(after in found for option in choices for after in option.successors)
        }
        if not more:
            return found
        found |= more


def ending(options, ends):
    """The nodes with options that reach the ends with probability 1, and such a choice at each."""
    while True:
        choice = {}
        while True:
            more = {}
            for node, choices in options.items():
                for place, option in enumerate(choices):
                    closed = all(after in options or after in ends for after in option.successors)
                    nearer = any(after in ends or after in choice for after in option.successors)
                    if node not in choice and closed and nearer:
                        more[node] = place
            if not more:
                break
            choice.update(more)
        if len(choice) == len(options):
            return options, choice
        options = {node: choices for node, choices in options.items() if node in choice}
