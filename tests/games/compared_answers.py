"""Compares the program's answers with exact worths of strategies, and forges answers.

Every function that is called `…faults` returns sentences, none if all is well.
"""

import copy
from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import fmpq

import game_families
from approached import approached
from best_replies import ExactGame
from program_answers import at_most, exact, json_bounds, shown

# A double that was rounded outward, and the decimal that stands for it, are off by less than this.
OUTWARD_ROUNDING = 2.0**-51
# Doubles are printed to the nearest, and up to four of them are summed.
ROUNDING_OF_DOUBLES = 1e-12


@dataclass
class Worths:
    """By state, what A's strategy secures and what B's strategy concedes against best replies."""

    secured: dict
    conceded: dict

    @staticmethod
    def of(game, strategies):
        """The worths of `{player: {state: [(action, probability)]}}`."""
        return Worths(game.worths("A", strategies["A"]), game.worths("B", strategies["B"]))


def answer_faults(game, answer, worths):
    """Finds bounds that do not contain the worths of the certificate, and illegal strategies."""
    faults, printed, payoffs = [], answer.bounds(), approached(game)
    for name, line in game.states.items():
        least, most = worths.secured[name], worths.conceded[name]
        if name in payoffs:
            # The certificate has what its strategies secure; all else is the value.
            proved, payoff = answer.proof[name].bounds, payoffs[name]
            faults += proved.faults(least, most) + proved.faults(payoff, payoff)
            values = [bounds for bounds in printed.pop(name) if bounds is not proved]
            faults += [fault for bounds in values for fault in bounds.faults(payoff, payoff)]
            faults += [f"{bounds.place}: it is approached" for bounds in values if wide(bounds)]
            faults += answer.proof[name].faults(line)
            continue
        if not at_most(least, most):
            faults.append(
                f"the oracle contradicts itself at {name}: {shown(least)} above {shown(most)}"
            )
        faults += [fault for bounds in printed.pop(name) for fault in bounds.faults(least, most)]
        faults += answer.proof[name].faults(line)
    for name, value in game.ends.items():
        faults += [fault for bounds in printed.pop(name) for fault in bounds.faults(value, value)]
    faults += [f"{name} is no state" for name in printed]
    for node in answer.report["start"]:
        for player in "AB":
            weights = {choice["action"]: choice["probability"] for choice in node[player.lower()]}
            place = f"{player}'s strategy at {node['state']} in JSON"
            faults += strategy_faults(place, weights, game.states[node["state"]][player.lower()])
    return faults + table_faults(game, answer.strategies) + widest_faults(answer, payoffs)


def partial_faults(lines, partial):
    """Compares what the program says of some states, where it refuses others.

    These states cannot reach the others: they are a game. The table's strategies, which are
    rounded, secure and concede worths between which the value lies.
    """
    refused = {part["state"] for part in partial.report["not_proved"]}
    header, *states = lines
    game = ExactGame([header, *(line for line in states if line["id"] not in refused)])
    rounded = {player: {name: [] for name in game.states} for player in "AB"}
    for row in partial.strategies:
        place = game.states[row["state"]][row["player"].lower()].index(row["action"])
        rounded[row["player"]][row["state"]].append((place, exact(row["probability"])))
    strategies = {
        player: {name: normalised(weights) for name, weights in found.items()}
        for player, found in rounded.items()
    }
    worths = Worths.of(game, strategies)
    faults, printed = table_faults(game, partial.strategies), partial.bounds()
    for name in game.states:
        least, most = worths.secured[name], worths.conceded[name]
        faults += [fault for bounds in printed.pop(name) for fault in bounds.misses(least, most)]
    for name, value in game.ends.items():
        faults += [
            fault for bounds in printed.pop(name, []) for fault in bounds.faults(value, value)
        ]
    return faults + [f"{name} is refused, or no state" for name in printed]


def partial_forgeries(partial):
    """Answers with the first state's bounds moved away from its value, and of a refused state."""
    row = next(place for place, row in enumerate(partial.values) if row["state"].startswith("s"))
    lower, upper = exact(partial.values[row]["lower"]), exact(partial.values[row]["upper"])
    # The rounded strategies lose less than this.
    loss = 1 + abs(upper)
    for lower, upper in ((upper + loss, upper + 2 * loss), (lower - 2 * loss, lower - loss)):
        values = with_text(partial.values, f"{lower.p}/{lower.q}", row, "lower")
        yield replace(partial, values=with_text(values, f"{upper.p}/{upper.q}", row, "upper"))
    refused = partial.report["not_proved"][0]["state"]
    yield replace(partial, values=[*partial.values, partial.values[row] | {"state": refused}])


def normalised(weights):
    """Weights that sum to 1."""
    whole = sum((weight for _, weight in weights), fmpq(0))
    return [(action, weight / whole) for action, weight in weights]


def wide(bounds):
    """Whether bounds are farther apart than outward rounding makes those of a known number."""
    return bounds.upper - bounds.lower > exact(ROUNDING_OF_DOUBLES) * max(1, abs(bounds.upper))


def widest_faults(answer, payoffs):
    """Compares the widest enclosure with the certificate's bounds, where the value is attained."""
    others = [proved.bounds for name, proved in answer.proof.items() if name not in payoffs]
    widest = max((bounds.upper - bounds.lower for bounds in others), default=exact(0))
    printed = exact(answer.report["widest_enclosure"])
    if widest <= printed <= widest * (1 + exact(OUTWARD_ROUNDING)):
        return []
    return [f"widest enclosure: {shown(printed)}, in truth {shown(widest)}"]


def table_faults(game, rows):
    """Illegal strategies in the table of strategies."""
    tables = defaultdict(dict)
    for row in rows:
        tables[row["state"], row["player"]][row["action"]] = Fraction(row["probability"])
    faults = []
    for name, line in game.states.items():
        for player in "AB":
            weights = tables.pop((name, player), {})
            faults += strategy_faults(
                f"{player}'s strategy at {name} in csv", weights, line[player.lower()]
            )
    return faults + [f"a strategy of {places}, which is no state with actions" for places in tables]


def strategy_faults(place, weights, actions):
    """What is wrong with probabilities of actions."""
    legal = set(weights) <= set(actions) and all(0 <= weight <= 1 for weight in weights.values())
    if legal and abs(sum(weights.values()) - 1) <= ROUNDING_OF_DOUBLES:
        return []
    return [f"{place}: {weights} is no distribution over {actions}"]


@dataclass
class Judged:
    """The exact worths of a policy, and those of the certificate, between which the value lies."""

    policy: Worths
    value: Worths

    def worth(self, player, name):
        return (self.policy.secured if player == "A" else self.policy.conceded)[name]

    def faults(self, report):
        """Printed worths, losses and exploitabilities that do not contain the exact ones."""
        faults = self.state_faults(report)
        for worst in report["worst"]:
            faults += self.worth_faults(worst["player"], worst["state"], worst["guaranteed"])
        for state in report["states"]:
            faults += self.state_faults(state)
        return faults

    def state_faults(self, state):
        """Compares the worths, the losses, and what both best replies gain together."""
        name, judged = state["state"], state["guaranteed"]
        faults = self.gain_faults(name, judged["exploitability"], 2)
        faults += self.gain_faults(name, judged["nash_conv"], 1)
        for player, responder in (("A", "b"), ("B", "a")):
            faults += self.worth_faults(player, name, judged["best_response_value"][responder])
            faults += self.loss_faults(player, name, judged["loss"][player.lower()])
        return faults

    def loss_faults(self, player, name, printed):
        """Compares a loss, the distance of the worth from the value, which is known to an interval."""
        worth, secured, conceded = (
            self.worth(player, name),
            self.value.secured[name],
            self.value.conceded[name],
        )
        least, most = (
            (secured - worth, conceded - worth)
            if player == "A"
            else (worth - conceded, worth - secured)
        )
        losses = json_bounds(f"{player}'s loss at {name}", printed)
        return [fault for loss in losses for fault in loss.misses(least, most)]

    def worth_faults(self, player, name, worth):
        found = self.worth(player, name)
        return [
            fault
            for bounds in json_bounds(f"{player}'s worth at {name}", worth)
            for fault in bounds.faults(found, found)
        ]

    def gain_faults(self, name, report, parts):
        """Compares this part of what best replies gain: all is NashConv, half is the exploitability."""
        found = (self.policy.conceded[name] - self.policy.secured[name]) / parts
        return [
            fault
            for bounds in json_bounds(f"gain of best replies over {parts} at {name}", report)
            for fault in bounds.faults(found, found)
        ]

    def is_infinite(self):
        worths = [*self.policy.secured.values(), *self.policy.conceded.values()]
        return any(isinstance(worth, float) for worth in worths)

    def forgeries(self, report):
        """Reports with one bound moved past the truth by a part in 1e30."""
        worth = self.worth("A", report["state"])
        # A's policy meets B's best response.
        path = ("guaranteed", "best_response_value", "b", "decimal")
        for side, sign in (("lower", 1), ("upper", -1)):
            yield with_text(report, past(worth, sign), "states", 0, *path, side)
            yield with_text(report, past(worth, sign), *path, side)
        # A loss is at least 0, and an exploitability.
        for number in (("loss", "a"), ("exploitability",), ("nash_conv",)):
            yield with_text(report, "-1", "guaranteed", *number, "decimal", "upper")


def forgeries(game, answer, worths):
    """Answers with one bound moved past the truth by a part in 1e30, or with one wrong strategy."""
    name = next(iter(game.states))
    row = next(place for place, row in enumerate(answer.values) if row["state"] == name)
    for side, sign, worth in (
        ("lower", 1, worths.conceded[name]),
        ("upper", -1, worths.secured[name]),
    ):
        text = past(worth, sign)
        yield replace(answer, values=with_text(answer.values, text, row, side))
        yield replace(answer, report=with_text(answer.report, text, "start", 0, "decimal", side))
        bounds = replace(answer.proof[name].bounds, **{side: exact(text)})
        yield replace(
            answer, proof=answer.proof | {name: replace(answer.proof[name], bounds=bounds)}
        )
    yield replace(answer, report=with_text(answer.report, -1, "widest_enclosure"))
    yield replace(answer, report=with_text(answer.report, "none", "start", 0, "b", 0, "action"))
    yield replace(answer, strategies=with_text(answer.strategies, "4/3", 0, "probability"))
    yield replace(answer, proof=answer.proof | {name: replace(answer.proof[name], whole=1)})


def past(number, sign):
    """A number moved by a part in 1e30."""
    moved = number + sign * (abs(number) + 1) / fmpq(10) ** 30
    return f"{moved.p}/{moved.q}"


def with_text(found, text, *path):
    """A copy with another text at a path of keys."""
    found = copy.deepcopy(found)
    inner = found
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = text
    return found


def infinite_faults(game, sentence, policies):
    """Finds policies that keep a value finite which the program calls infinite."""
    if "the value is infinite for" not in sentence:
        return []
    collector = sentence.partition("the value is infinite for ")[2][0]
    # Names after the first few are counted only.
    names = [name for name in game.states if f"`{name}`" in sentence.partition(" at ")[2]]
    payer = "B" if collector == "A" else "A"
    faults = (
        []
        if collector == game.collector and names
        else [f"of another player, or of no state: {sentence}"]
    )
    for policy in policies:
        worths = game.worths(payer, strategy_of(policy, payer))
        faults += [
            f"finite against a policy at {name}: {sentence}"
            for name in names
            if isinstance(worths[name], fmpq)
        ]
    return faults


def strategy_of(policy, player):
    return {
        name: [
            (action, fmpq(weight, game_families.WHOLE))
            for action, weight in enumerate(weights[player])
        ]
        for name, weights in policy.items()
    }
