#!/usr/bin/env python3
"""Checks a certificate of a game of any rules with nothing but Python, in fractions.

    check_game_proof.py FILE [BOUNDS.csv] [--rules MODULE:OBJECT]

A certificate that has a digest in place of the game is checked by rules in code: an object, or a class or function that makes
one, in a module that Python finds here, with the methods that games.md names.

The form of the file and what the digest is of stand in game-format.md; why the bounds hold, and the conditions on values that are
claimed to be approached and not attained, in paper/proofs.md. Slow and plain on purpose: some ten thousand cells a second.
"""

import argparse
import hashlib
import importlib
import json
import operator
import re
import sys
from collections.abc import Mapping
from decimal import ROUND_UP, Context, Decimal
from fractions import Fraction
from math import ceil, floor, lcm

# By version: the largest exponents of bounds and weights. Those of weights are 62 in version 1.
LARGEST_EXPONENT = {1: 126, 2: 2**14}
LARGEST_WORTH = 2**63
LARGEST_PAYOFF = 2**61
# The kinds of games in which play may go on for ever.
LASTING = "recursive", "total", "target"
LARGEST_DENOMINATOR = 2**62
LARGEST_POWER_OF_TEN = 1000
LONGEST_NUMBER = 10000
# Begins the second part of a certificate.
SECOND_FORMAT = "stochastic-game-best-payoffs"
# Heights, ranks, stages, layers and actions.
LARGEST_COUNT = 2**32 - 1
if hasattr(sys, "set_int_max_str_digits"):
    # Numbers in files have a limit of their own.
    sys.set_int_max_str_digits(0)


def fail(sentence):
    sys.exit(f"not valid: {sentence}")


def listed(found):
    return found if isinstance(found, list) else fail(f"{found!r} is no list")


def version(head, form, latest):
    known = head.get("format") == form and type(head.get("version")) is int and 1 <= head["version"] <= latest
    return head["version"] if known else fail(f"it is no {form} of version 1" + " or 2" * (latest > 1))


def are_names(texts):
    """Texts that can be written, no two of them the same."""
    return all(isinstance(text, str) and not re.search("[\ud800-\udfff]", text) for text in texts) and len(set(texts)) == len(texts)


def read(line, *fields):
    """An object of a line, with none but these fields, each once."""

    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            fail("a field twice in one object")
        return dict(pairs)

    # JSON's -0 is no integer.
    found = json.loads(line, object_pairs_hook=once, parse_int=lambda text: float(text) if text == "-0" else int(text))
    if set(found) - set(fields):
        fail(f"an unknown field: {line[:100]}")
    return found


def trimmed(text):
    if not isinstance(text, str):
        fail(f"{text!r} is no string")
    # Python takes four control characters for spaces, Unicode does not.
    return text if re.search("[\x1c-\x1f]", text) else text.strip()


def number(text):
    text = trimmed(text)
    form = re.fullmatch(r"[+-]?([0-9]+/[0-9]+|([0-9]+|[0-9]*[.][0-9]+)([eE]([+-]?[0-9]+))?)", text)
    if not form or len(text) > LONGEST_NUMBER or abs(int(form[4] or 0)) > LARGEST_POWER_OF_TEN:
        fail(f"{text[:100]!r} is no number")
    return Fraction(text)


def payoff(text):
    found = number(text)
    return found if abs(found) <= LARGEST_PAYOFF else fail(f"{text} is too large a payoff")


def told_number(value):
    """A number that rules tell, which may be of a type with a limit of its own."""
    found = Fraction(value.item() if hasattr(value, "item") else value)
    return Fraction(int(found.numerator), int(found.denominator))


def integer(text, longest=None):
    if not re.fullmatch("[+-]?[0-9]+", text) or (longest and len(text) > longest):
        fail(f"{text[:100]!r} is no integer")
    return int(text)


def exponent(head, name, largest):
    found = head[name]
    return found if type(found) is int and 0 <= found <= largest else fail(f"the {name} is out of range")


def probability(text):
    """A number, or the least and the largest one of an interval."""
    ends = re.fullmatch(r"\[([^,]*),(.*)\]", trimmed(text), re.DOTALL)
    return (number(ends[1]), number(ends[2])) if ends else number(text)


def limits(share):
    """The least and the largest probability."""
    return share if isinstance(share, tuple) else (share, share)


class Game:
    """Ends, and states with tables of cells (reward, [(probability, state)]). A state ~p is p with the players exchanged.

    A probability that nature chooses is a pair, of the least and the largest one. `nature` is the player for whom nature chooses.
    """

    nature = None

    def __init__(self, kind, discount):
        self.kind, self.discount = kind, discount
        if kind not in ("acyclic", "discounted", "stopping", "recursive", "total", "target"):
            fail(f"no kind of game: {kind}")
        if kind == "discounted" and not 0 < discount < 1:
            fail("the discount is out of range")
        self.value, self.endless, self.cells = {}, {}, {}

    def check_kind(self):
        """Play certainly ends unless it is discounted, or of a kind that may last with one payoff for endless play in every cycle."""
        if self.kind == "acyclic":
            self.by_level()
        if self.kind == "stopping":
            any_cell = {place: [[cell] for row in rows for cell in row] for place, rows in self.cells.items()}
            if closed(set(self.cells), any_cell):
                fail("play need not end")
        if self.kind in LASTING:
            signs = {reward > 0 for rows in self.cells.values() for row in rows for reward, _ in row if reward}
            if signs and self.kind == "recursive":
                fail("a reward in a recursive game")
            if len(signs) > 1:
                fail("rewards of both signs in a game of total reward")
            self.collector = 1 if False in signs else 0
            if self.kind == "target" and any(self.endless.values()):
                fail("endless play has a payoff where it pays infinitely much")
            for component in self.components():
                if len({self.endless[place] for place in component}) > 1:
                    fail("endless play pays unlike numbers in one cycle")

    def components(self):
        """The strongly connected components of the states that are no ends, by two searches (Kosaraju)."""
        after = {p: {q for row in rows for _, outs in row for _, q in outs if q in self.cells} for p, rows in self.cells.items()}
        before = {place: set() for place in after}
        for place, nexts in after.items():
            for following in nexts:
                before[following].add(place)

        def search(root, edges, seen):
            seen.add(root)
            path, done = [(root, iter(edges[root]))], []
            while path:
                place, nexts = path[-1]
                following = next((q for q in nexts if q not in seen), None)
                if following is None:
                    done.append(path.pop()[0])
                else:
                    seen.add(following)
                    path.append((following, iter(edges[following])))
            return done

        seen, order = set(), []
        for place in after:
            if place not in seen:
                order += search(place, after, seen)
        seen = set()
        return [search(place, before, seen) for place in reversed(order) if place not in seen]

    def by_level(self):
        """The states by the longest way to an end, then by number."""
        after = {p: {max(q, ~q) for row in rows for _, outs in row for _, q in outs} for p, rows in self.cells.items()}
        before = {place: [] for place in self.numbers}
        for place, nexts in after.items():
            for following in nexts:
                before[following].append(place)
        left = {place: len(nexts) for place, nexts in after.items()}
        order, level = [], sorted(self.value)
        while level:
            order += level
            done = []
            for following in level:
                for place in before[following]:
                    left[place] -= 1
                    if not left[place]:
                        done.append(place)
            level = sorted(done)
        if len(order) < len(self.numbers):
            fail("play can return in an acyclic game")
        return order


class WrittenGame(Game):
    """The game that a certificate has in it."""

    def __init__(self, lines):
        head = read(lines[0], "format", "version", "kind", "discount", "start", "nature")
        version(head, "stochastic-game", 1)
        self.nature = head.get("nature")
        if "nature" in head and self.nature not in ("A", "B"):
            fail("nature chooses for neither player")
        if ("discount" in head) != (head["kind"] == "discounted"):
            fail("a discount is there or not, unlike the kind of the game says")
        super().__init__(head["kind"], number(head.get("discount", "1")))
        self.states = [read(line, "id", "value", "a", "b", "endless", "cells") for line in lines[1:]]
        self.place = {state["id"]: place for place, state in enumerate(self.states)}
        if not are_names([state["id"] for state in self.states]):
            fail("two states have the same name, or one has none")
        self.start = [self.place[name] for name in listed(head["start"])]
        self.numbers = range(len(self.states))
        for place, state in enumerate(self.states):
            if "value" in state:
                if len(state) > 2:
                    fail(f"{state['id']}: an end has more than a value")
                self.value[place] = payoff(state["value"])
                continue
            for actions in (state["a"], state["b"]):
                if not are_names(listed(actions)):
                    fail(f"{state['id']}: two actions have the same name, or one has none")
            self.endless[place] = payoff(state.get("endless", "0"))
            self.cells[place] = [[self.cell(cell) for cell in listed(row)] for row in listed(state["cells"])]
            rows, columns = len(state["a"]), len(state["b"])
            if not rows or not columns or [len(row) for row in self.cells[place]] != [columns] * rows:
                fail(f"the cells of {state['id']} are no table of its actions")

    def cell(self, cell):
        if set(cell) - {"to", "reward"}:
            fail(f"an unknown field: {cell}")
        outcomes = [(probability(share), self.place[name]) for share, name in map(listed, listed(cell["to"]))]
        within = [limits(share) for share, _ in outcomes]
        is_uncertain = any(isinstance(share, tuple) for share, _ in outcomes)
        if is_uncertain and (self.nature is None or any(not 0 < least <= most <= 1 and (least, most) != (0, 0) for least, most in within)):
            fail(f"no limits of probabilities: {cell}")
        if not sum(least for least, _ in within) <= 1 <= sum(most for _, most in within) or any(least < 0 for least, _ in within):
            fail(f"no probabilities: {cell}")
        reward = payoff(cell.get("reward", "0"))
        parts = [reward, self.discount, *(end * self.discount for ends in within for end in ends)]
        if lcm(*(part.denominator for part in parts)) >= LARGEST_DENOMINATOR:
            fail(f"a common denominator of more than 62 bits: {cell}")
        return reward, [(share, place) for share, place in outcomes if limits(share)[1]]

    def name(self, place):
        return self.states[place]["id"]

    def in_order(self):
        return self.numbers


class ToldGame(Game):
    """The game that rules in code tell of."""

    def __init__(self, rules):
        super().__init__(getattr(rules, "kind", "acyclic"), told_number(getattr(rules, "discount", None) or 1))
        if self.kind != "discounted" and getattr(rules, "discount", None) is not None:
            fail("a discount is there or not, unlike the kind of the game says")
        self.rules, self.numbered, self.states = rules, {}, {}
        self.start = []
        for state in rules.starts():
            start = self.enter(state)
            self.start.append(start)
            stack = [max(start, ~start)]
            while stack:
                place = stack.pop()
                if place not in self.value and place not in self.cells:
                    self.ask(place)
                    follows = [max(q, ~q) for row in self.cells.get(place, []) for _, outs in row for _, q in outs]
                    stack += reversed(follows)
        self.numbers = sorted(self.states)

    def enter(self, state):
        """The number of a state, which is a new one where none with the same canonical state was met; ~number if exchanged."""
        canonical, exchanged = self.rules.canonical(state) if hasattr(self.rules, "canonical") else (state, False)
        if exchanged and self.kind != "acyclic":
            canonical, exchanged = state, False
        if canonical not in self.numbered:
            place = int(self.rules.index(canonical)) if hasattr(self.rules, "index") else len(self.states)
            if place in self.states or place < 0:
                fail(f"{canonical!r} has the index of another state, or none")
            self.numbered[canonical], self.states[place] = place, canonical
        place = self.numbered[canonical]
        return ~place if exchanged else place

    def ask(self, place):
        rules, state = self.rules, self.states[place]
        turn = rules.turn(state)
        if not isinstance(turn, tuple):
            self.value[place] = told_number(turn)
            return
        self.endless[place] = told_number(rules.endless(state)) if hasattr(rules, "endless") else Fraction(0)
        self.cells[place] = [[self.told(state, a, b) for b in turn[1]] for a in turn[0]]
        if not self.cells[place] or not self.cells[place][0]:
            fail(f"{state!r} has no actions")

    def told(self, state, a, b):
        after = self.rules.after(state, a, b)
        if not isinstance(after, (Mapping, list)):
            after = [(after, 1)]
        pairs = after.items() if isinstance(after, Mapping) else after
        shares = [(told_number(share), follows) for follows, share in pairs]
        if sum(share for share, _ in shares) != 1 or any(share < 0 for share, _ in shares):
            fail(f"{state!r}: no probabilities: {after}")
        reward = told_number(self.rules.reward(state, a, b) or 0) if hasattr(self.rules, "reward") else Fraction(0)
        return reward, [(share, self.enter(follows)) for share, follows in shares if share]

    def digest(self):
        """The SHA-256 of the game, of the bytes that game-format.md lists."""
        found = hashlib.sha256(f"game {self.kind} {self.discount} {len(self.numbers)}\n".encode())
        for start in self.start:
            found.update(reference(start))
        for place in self.numbers:
            found.update(place.to_bytes(8, "little"))
            if place in self.value:
                found.update(f"end {self.value[place]}\n".encode())
                continue
            rows = self.cells[place]
            found.update(f"state {len(rows)} {len(rows[0])} {self.endless[place]}\n".encode())
            for reward, outs in (cell for row in rows for cell in row):
                whole = lcm(reward.denominator, *(share.denominator for share, _ in outs))
                found.update(len(outs).to_bytes(8, "little") + whole.to_bytes(8, "little"))
                found.update(int(reward * whole).to_bytes(16, "little", signed=True))
                for share, following in outs:
                    found.update(int(share * whole).to_bytes(8, "little") + reference(following))
        return found.hexdigest()

    def name(self, place):
        return repr(self.states[place])

    def in_order(self):
        return self.by_level() if self.kind == "acyclic" else self.numbers


def reference(place):
    """A state that is referred to."""
    return (2 * place if place >= 0 else 2 * ~place + 1).to_bytes(4, "little")


def rules_at(where):
    """The rules of the command line."""
    module, _, name = where.partition(":")
    sys.path.insert(0, "")
    try:
        rules = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        fail(f"there are no rules {where}, expected MODULE:OBJECT ({error})")
    return rules if hasattr(rules, "starts") and not isinstance(rules, type) else rules()


def closed(inside, choices):
    """The largest part of `inside` in which play can be kept; a choice of a state is a list of cells that must all stay."""
    while True:
        leads = {p: [{max(q, ~q) for _, outs in cells for _, q in outs} for cells in choices[p]] for p in inside}
        stays = {p for p in inside if any(nexts <= inside for nexts in leads[p])}
        if stays == inside:
            return inside
        inside = stays


def mean_by_nature(outs, values, nature):
    """The mean of the values, by the probabilities that nature chooses.

    Nature solves a linear programme: the values' mean, with probabilities within limits that sum to 1, is to be least (for B) or
    most (for A). By duality its optimum is the best bound of this form, at a price t that is one of the values.
    """
    if not any(isinstance(share, tuple) for share, _ in outs):
        return sum(share * values[q] for share, q in outs)
    inner, outer = (max, min) if nature == "A" else (min, max)

    def bound(price):
        return price + sum(inner(limit * (values[q] - price) for limit in limits(share)) for share, q in outs)

    return outer(bound(values[q]) for _, q in outs)


def read_weights(pairs, name, longest):
    """The weights of a strategy by the numbers of actions, which rise."""
    actions = [action for action, _ in map(listed, listed(pairs))]
    if any(type(action) is not int for action in actions) or actions != sorted(set(actions)):
        fail(f"{name}: the actions do not rise")
    return {action: integer(weight, longest) for action, weight in pairs}


def check(game, unit, whole, bounds, weights, largest_worth):
    for place, value in game.value.items():
        if not bounds[place][0] <= value * unit <= bounds[place][1]:
            fail(f"{game.name(place)}: the value is not within its bounds")
        if any(weights[place]):
            fail(f"{game.name(place)}: an end has weights")
    # Every cell is rounded once to whole units, against the bound that it is to prove.
    rounded = floor, ceil
    seen = bounds | {~place: (-upper, -lower) for place, (lower, upper) in bounds.items()}
    for side, sign in ((0, 1), (1, -1)):
        replies = {}
        of_side = {place: ends[side] for place, ends in seen.items()}
        for place, rows in game.cells.items():
            name = game.name(place)
            table = rows if side == 0 else [list(column) for column in zip(*rows)]
            own = weights[place][side]
            if sum(own.values()) != whole or any(weight <= 0 or not 0 <= action < len(table) for action, weight in own.items()):
                fail(f"{name}: no weights")
            for other in range(len(table[0])):
                worths = [
                    rounded[side](reward * unit + game.discount * mean_by_nature(outs, of_side, game.nature))
                    for action in own
                    for reward, outs in [table[action][other]]
                ]
                if largest_worth and any(abs(worth) > largest_worth for worth in worths):
                    fail(f"{name}: a cell is worth more than 2^63 units")
                expected = sum(weight * worth for weight, worth in zip(own.values(), worths))
                if sign * expected < sign * bounds[place][side] * whole:
                    fail(f"{name}: the weights do not secure the {('lower', 'upper')[side]} bound")
            replies[place] = [[table[action][other] for action in own] for other in range(len(table[0]))]
        if game.kind in LASTING:
            if game.kind == "target":
                # Endless play pays the collector infinitely much: more than any of its bounds, and better than any of the other one's.
                better = set(game.cells) if side != game.collector else set()
            else:
                better = {p for p in game.cells if sign * bounds[p][side] > sign * game.endless[p] * unit}
            # Play in which rewards come again and again is not finite, and has no part in this.
            free = {p: [cells for cells in replies[p] if not any(reward for reward, _ in cells)] for p in replies}
            if closed(better, free):
                fail("play can be kept where the bound is better than what endless play pays")


class BestPayoffs:
    """What is claimed of the best payoff that a player can still get, by state.

    Payoffs are counted as the player's own. `way` has the rank and the stages by action of states from which the player is said to
    come to the payoff, `obstacle` the layer and the reply of states from which no strategy is said to get it almost surely.
    """

    def __init__(self, game, player, lines):
        self.game, self.player, self.sign = game, player, 1 if player == "A" else -1
        self.payoff, self.height, self.way, self.obstacle = {}, {}, {}, {}
        for place, line in zip(game.in_order(), lines):
            claim = read(line, "payoff", "height", "rank", "stages", "layer", "reply")
            self.payoff[place] = self.sign * number(claim["payoff"])
            self.height[place] = count_of(claim["height"])
            stages = [(count_of(action), count_of(stage)) for action, stage in map(listed, listed(claim.get("stages", [])))]
            if "rank" in claim:
                self.way[place] = count_of(claim["rank"]), stages
            elif stages:
                self.fail(place, "the claims are not as described")
            if ("layer" in claim) != ("reply" in claim) or not ("rank" in claim or "layer" in claim):
                self.fail(place, "the claims are not as described")
            if "layer" in claim:
                self.obstacle[place] = count_of(claim["layer"]), count_of(claim["reply"])
        # By state and own action a list by reply of the states that may follow.
        self.after = {}
        for place, rows in game.cells.items():
            table = rows if player == "A" else [list(column) for column in zip(*rows)]
            self.after[place] = [[{q for _, q in outs} for _, outs in row] for row in table]

    def fail(self, place, words):
        fail(f"{self.game.name(place)}: {words}, for {self.player}")

    def approached(self):
        """The states whose values are approached and not attained, with the values."""
        return {place: self.sign * self.payoff[place] for place in self.way if place in self.obstacle}

    def check(self):
        for place, value in self.game.value.items():
            is_sure = place in self.way and place not in self.obstacle and not self.way[place][1]
            if not is_sure or self.payoff[place] != self.sign * value:
                self.fail(place, "an end is got almost surely, and its value is the best payoff")
        for place in self.game.cells:
            self.check_payoff(place)
            if place in self.way:
                self.check_way(place)
            if place in self.obstacle:
                self.check_obstacle(place)

    def endless(self, place):
        return self.sign * self.game.endless[place]

    def may_stay(self, place):
        """Whether some turn leads to a state of the same height, so that play may come back."""
        return any(self.height[q] == self.height[place] for row in self.after[place] for nexts in row for q in nexts)

    def check_payoff(self, place):
        """No play from here pays more than the payoff claimed."""
        nexts = {q for row in self.after[place] for cell in row for q in cell}
        if any(self.height[q] > self.height[place] for q in nexts):
            self.fail(place, "the claims are not as described")
        if any(self.payoff[q] > self.payoff[place] for q in nexts):
            self.fail(place, "a better payoff can be reached than is claimed")
        if self.may_stay(place) and self.endless(place) > self.payoff[place]:
            self.fail(place, "a better payoff can be reached than is claimed")

    def check_way(self, place):
        """Strategies come to the payoff almost surely, or as nearly so as one likes."""
        rank, stages = self.way[place]
        actions = [action for action, _ in stages]
        table, is_sure = self.after[place], place not in self.obstacle
        if not actions or actions != sorted(set(actions)) or actions[-1] >= len(table) or any(stage == 0 for _, stage in stages):
            self.fail(place, "the claims are not as described")

        def is_held(q):
            """Whether play is still on its way to the same payoff."""
            return self.payoff[q] == self.payoff[place] and q in self.way and not (is_sure and q in self.obstacle)

        for reply in range(len(table[0])):
            nexts = [(stage, q) for action, stage in stages for q in table[action][reply]]
            falls = [stage for stage, q in nexts if is_held(q) and self.way[q][0] < rank]
            leaves = [stage for stage, q in nexts if not is_held(q)]
            rises = any(is_held(q) and self.way[q][0] > rank for _, q in nexts)
            # Actions that may leave are played ever so much more rarely than some action that brings play further.
            if leaves and (is_sure or not falls or min(leaves) <= min(falls)):
                self.fail(place, "the actions do not bring play to the best payoff")
            if not falls and (rises or self.endless(place) != self.payoff[place]):
                self.fail(place, "the actions do not bring play to the best payoff")

    def check_obstacle(self, place):
        """No strategy gets the payoff almost surely."""
        layer, reply = self.obstacle[place]
        table = self.after[place]
        if layer == 0 or reply >= len(table[0]):
            self.fail(place, "the claims are not as described")

        def layer_of(q):
            """0 where less can be got, and none where nothing stands against the player."""
            if self.payoff[q] < self.payoff[place]:
                return 0
            return self.obstacle[q][0] if q in self.obstacle else None

        def is_within(q, most):
            found = layer_of(q)
            return found is not None and found <= most

        # Where play comes back, staying in the layer for ever has to be worse than the payoff.
        is_bad_to_stay = not self.may_stay(place) or self.endless(place) < self.payoff[place]
        for row in table:
            may_fall = any(is_within(q, layer - 1) for cell in row for q in cell)
            is_kept = is_bad_to_stay and all(is_within(q, layer) for q in row[reply])
            if not may_fall and not is_kept:
                self.fail(place, "the reply does not keep play from the best payoff")


def count_of(found):
    """A number that counts something, as JSON has it."""
    return found if type(found) is int and 0 <= found <= LARGEST_COUNT else fail(f"{found!r} is no number of anything")


def check_best_payoffs(game, lines):
    """The values that are approached and not attained, by the claims of the certificate's second part."""
    if not lines:
        return {}
    head = read(lines[0], "format", "version", "players")
    version(head, SECOND_FORMAT, 1)
    if head["players"] not in ("A", "B", "AB"):
        fail("claims of best payoffs are those of A, of B, or of both")
    count = len(game.numbers)
    if len(lines) != 1 + count * len(head["players"]):
        fail("it has not as many lines as it should")
    all_claims = [BestPayoffs(game, player, lines[1 + place * count :][:count]) for place, player in enumerate(head["players"])]
    if game.kind != "recursive":
        fail("the best payoff that play can reach is proved of recursive games alone")
    found = {}
    for claims in all_claims:
        claims.check()
        found |= claims.approached()
    return found


def check_verdict(head, starts):
    """A sentence about the bound that the values at all starts keep or not, if the certificate has a verdict."""
    if "bound" not in head and "holds" not in head:
        return None
    form = re.fullmatch("(<=|>=|<|>)(.*)", head["bound"], re.DOTALL)
    if type(head["holds"]) is not bool or not form:
        fail("no verdict on a bound")
    bound, keeps = number(form[2]), {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}[form[1]]
    # Of a bound from above the upper bound decides that it is kept, and the lower one that it is not.
    kept, broken = (1, 0) if form[1][0] == "<" else (0, 1)
    is_proved = all(keeps(ends[kept], bound) for ends in starts) if head["holds"] else any(not keeps(ends[broken], bound) for ends in starts)
    if not is_proved:
        fail("the bounds do not prove the verdict")
    return f"value {head['bound']} at every start: {'true' if head['holds'] else 'false'}"


def rounded_up(width):
    """A width with two digits."""
    return f"{Context(prec=2, rounding=ROUND_UP).divide(Decimal(width.numerator), Decimal(width.denominator)):g}"


def quoted(name):
    """A name as csv has it."""
    return '"' + name.replace('"', '""') + '"' if re.search('[",\r\n]', name) else name


def main(certificate, table=None, rules=None):
    with open(certificate, encoding="utf-8", newline="\n") as file:
        lines = [line.removesuffix("\n") for line in file]
    head = read(lines[0], "format", "version", "exponent", "weight_exponent", "states", "bound", "holds", "digest")
    is_long = version(head, "stochastic-game-proof", 2) == 2
    if ("weight_exponent" in head) != is_long:
        fail("weight_exponent is there or not, unlike the version says")
    if "digest" in head and rules is None:
        fail("the game is one that rules in code give again; expected --rules MODULE:OBJECT")
    if "digest" not in head and rules is not None:
        fail("the certificate has the game in it, which rules are not compared with")
    unit = 2 ** exponent(head, "exponent", LARGEST_EXPONENT[head["version"]])
    whole = 2 ** exponent(head, "weight_exponent", LARGEST_EXPONENT[2]) if is_long else 2**62
    largest_bound, longest = (2**62 * unit, LONGEST_NUMBER) if is_long else (2**62, None)
    if type(head["states"]) is not int:
        fail("the number of states is none")
    count = head["states"]
    written = 0 if "digest" in head else count + 1
    behind = 1 + written + count
    if len(lines) < behind or (len(lines) > behind and SECOND_FORMAT not in lines[behind]):
        fail("it has not as many lines as it should")
    if "digest" in head:
        game = ToldGame(rules_at(rules))
        if len(game.numbers) != count or game.digest() != head["digest"]:
            fail("it is of another game, or of other rules")
    else:
        game = WrittenGame(lines[1 : count + 2])
    if not game.start:
        fail("there is no start")
    game.check_kind()
    bounds, weights = {}, {}
    for place, line in zip(game.in_order(), lines[1 + written : behind]):
        proof = read(line, "lower", "upper", "a", "b")
        bounds[place] = (integer(proof["lower"], longest), integer(proof["upper"], longest))
        if any(abs(bound) > largest_bound for bound in bounds[place]):
            fail(f"{game.name(place)}: a bound is above 2^62")
        weights[place] = [read_weights(proof.get(player, []), game.name(place), longest) for player in "ab"]
    check(game, unit, whole, bounds, weights, None if is_long else LARGEST_WORTH)
    starts = [bounds[start] if start >= 0 else (-bounds[~start][1], -bounds[~start][0]) for start in game.start]
    approached = check_best_payoffs(game, lines[behind:])
    verdict = check_verdict(head, [(Fraction(lower, unit), Fraction(upper, unit)) for lower, upper in starts])
    widest = max([upper - lower for place, (lower, upper) in bounds.items() if place not in approached], default=0)
    print(f"valid: {game.kind} game, {count} states, every value to within {rounded_up(Fraction(widest, unit))}")
    if verdict:
        print(f"  {verdict}")
    for start, (lower, upper) in zip(game.start, starts):
        name = game.name(start) if start >= 0 else f"{game.name(~start)} with the players exchanged"
        print(f"  {name}: between {lower} and {upper} times 2^-{head['exponent']}")
        if start in approached:
            print(f"    the value is {approached[start]}, approached and not attained")
    if table:
        with open(table, "w", newline="", encoding="utf-8") as file:
            file.write("state,lower,upper,exponent\n")
            for place in game.numbers:
                lower, upper = bounds[place]
                file.write(f"{quoted(game.name(place))},{lower},{upper},{head['exponent']}\n")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("certificate", metavar="FILE")
    arguments.add_argument("table", metavar="BOUNDS.csv", nargs="?")
    arguments.add_argument("--rules", metavar="MODULE:OBJECT")
    try:
        main(**vars(arguments.parse_args()))
    except OSError as error:
        fail(error)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        fail(f"the file is not as described ({type(error).__name__}: {error})")
