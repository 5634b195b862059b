#!/usr/bin/env python3
"""Writes the games of the gallery as game files (game-format.md): docs/gallery.py [FOLDER], by default assets/games.

Small games are plain text, the others gzipped by zopfli. The rules stand here; `pencil-tennis solve @NAME` solves the files.
"""

import json
import pathlib
import subprocess
import sys


def header(kind, starts, title, description, discount=None):
    fields = {"format": "stochastic-game", "version": 1, "kind": kind}
    if discount:
        fields["discount"] = discount
    return {**fields, "start": starts, "title": title, "description": description}


def end(name, value, picture=None):
    return {"id": name, "value": str(value), **({"picture": picture} if picture else {})}


def state(name, a, b, cell, picture=None, **fields):
    """A state; cell(i, j) is a successor or pairs of a probability and a successor, perhaps after a reward."""
    def written(found):
        reward, to = found if isinstance(found, tuple) else (0, found)
        to = [["1", to]] if isinstance(to, str) else [list(pair) for pair in to]
        return {**({"reward": str(reward)} if reward else {}), "to": to}

    cells = [[written(cell(i, j)) for j in range(len(b))] for i in range(len(a))]
    return {"id": name, "a": a, "b": b, **fields, "cells": cells, **({"picture": picture} if picture else {})}


def explored(starts, successors):
    """States in the order in which they are met; successors(state) gives its line and the states that follow."""
    waiting, met = list(starts), set(starts)
    while waiting:
        line, following = successors(waiting.pop(0))
        yield line
        for other in following:
            if other not in met:
                met.add(other)
                waiting.append(other)


def by_square_of_b(lines):
    """Lines in the order of B's square, A's square, the ball: gzip then packs a quarter better."""
    def key(line):
        a, *rest = line["id"].split()
        return [*rest[:1], a, *rest[1:]]

    return sorted(lines, key=key)


def rps():
    yield header(
        "acyclic", ["round"], "Rock, paper, scissors",
        "Both show a shape at the same time: rock beats scissors, scissors beat paper, paper beats rock, and the winner is paid 1. "
        "An example of von Neumann and Morgenstern, Theory of games and economic behavior, 1944. "
        "Surprising: whatever you do against a third of each wins nothing and loses nothing, so the optimum never punishes you.",
    )
    shapes = ["rock", "paper", "scissors"]
    yield state("round", shapes, shapes, lambda i, j: ["even", "A wins", "B wins"][(i - j) % 3])
    for name, value in [("A wins", 1), ("even", 0), ("B wins", -1)]:
        yield end(name, value)


def matching_pennies_3():
    yield header(
        "acyclic", ["0 after 0"], "Uneven pennies, three rounds",
        "Both show a penny: A scores 3 for two heads and 1 for two tails, B scores 2 for unlike pennies, and the one who is ahead after three "
        "rounds wins 1. One round for points is a classroom example (Ferguson, Game theory, 2014, part II, in the form Odd or Even). "
        "Surprising: B has the better of it, by 527/3665, and a lead of one point before the last round is worth nothing to A.",
    )
    sides, names = ["heads", "tails"], {}
    for rounds in range(3):
        for score in sorted({0} if rounds == 0 else names[rounds]):
            after = {(i, j): score + ((3, 1)[i] if i == j else -2) for i in (0, 1) for j in (0, 1)}
            names.setdefault(rounds + 1, set()).update(after.values())

            def following(i, j):
                ahead = after[i, j]
                return f"{ahead} after {rounds + 1}" if rounds < 2 else "A is ahead" if ahead > 0 else "B is ahead" if ahead < 0 else "even"

            yield state(f"{score} after {rounds}", sides, sides, following)
    for name, value in [("A is ahead", 1), ("even", 0), ("B is ahead", -1)]:
        yield end(name, value)


def snowball():
    yield header(
        "recursive", ["hidden"], "Hide or run",
        "A hides behind a wall and B has one snowball: A gets home by running while B waits, or once B has thrown at the wall, and a throw at "
        "a running A hits. From de Alfaro, Henzinger and Kupferman, Concurrent reachability games, 1998, after Everett, Recursive games, 1957. "
        "Surprising: A gets home with probability as near to 1 as you like, but no strategy of A reaches 1, and hiding for ever wins nothing.",
    )
    yield state("hidden", ["hide", "run"], ["wait", "throw"], lambda i, j: [["hidden", "home"], ["home", "hit"]][i][j],
                picture="  o|          B*\n", endless="0")
    yield end("home", 1, "home o|\n")
    yield end("hit", 0, "  x*|           B\n")


def inspections():
    yield header(
        "acyclic", ["10 days, 3 inspections"], "Inspections",
        "B may smuggle once within ten days and A may inspect on three of them: smuggling unseen wins B 1, smuggling on a day of inspection costs B 1. "
        "Dresher, A sampling inspection problem in arms control agreements, RAND 1962; values in fractions in von Stengel, Recursive inspection games, 2016. "
        "Surprising: with three inspections for ten days B still wins 21/44 on average, and while three are left waits nine days in ten, however many days are left.",
    )
    name = lambda days, left: f"{days} days, {left} inspections"
    for days in range(10, 0, -1):
        for left in range(min(days, 3), -1, -1):
            a = ["stay", "inspect"] if left else ["stay"]

            def following(i, j):
                if j == 1:
                    return "caught" if i == 1 else "smuggled"
                return name(days - 1, min(left - i, days - 1)) if days > 1 else "nothing happened"

            yield state(name(days, left), a, ["wait", "smuggle"], following, "." * (10 - days) + "?" * days + "\n")
    for ending, value in [("smuggled", -1), ("caught", 1), ("nothing happened", 0)]:
        yield end(ending, value)


def square(column, row):
    return "abcde"[column] + str(row + 1)


def board(width, height, pieces):
    return "".join(" ".join(pieces.get((x, y), ".") for x in range(width)) + "\n" for y in reversed(range(height)))


def soccer():
    yield header(
        "discounted", ["b2 d3 @c2", "b2 d3 @c3"], "Littman's soccer",
        "On 4 x 5 squares both step or stand at the same time, a coin decides who moves first, whoever steps onto the other's square loses the ball to "
        "the other, and a goal is worth 1, a tenth less every turn. Littman, Markov games as a framework for multi-agent reinforcement learning, 1994, in the rules of OpenSpiel. "
        "Surprising: pure choices suffice in all but 56 of the 1,444 positions, and a ball that lies in front of you is worth as much as one that you have.",
        "9/10",
    )
    steps = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0), "stand": (0, 0)}

    def name(position):
        if isinstance(position, str):
            return position
        players, ball = position
        return " ".join([*(square(*player) for player in players), "AB"[ball] if ball in (0, 1) else f"@{square(*ball)}"])

    def moved(position, own, by):
        if isinstance(position, str):
            return position
        players, ball = position
        x, y = to = tuple(map(sum, zip(players[own], by)))
        if ball == own and x == (5, -1)[own] and y in (1, 2):
            return ("A scores", "B scores")[own]
        if to == players[own] or not (0 <= x < 5 and 0 <= y < 4):
            return position
        if to == players[1 - own]:
            return players, 1 - own if ball == own else ball
        return tuple(to if player == own else players[player] for player in (0, 1)), own if ball == to else ball

    def successors(position):
        if isinstance(position, str):
            return end(position, 1 if position == "A scores" else -1), []
        players, ball = position
        following = []

        def cell(i, j):
            by = [list(steps.values())[k] for k in (i, j)]
            both = [moved(moved(position, first, by[first]), 1 - first, by[1 - first]) for first in (0, 1)]
            following.extend(both)
            return name(both[0]) if both[0] == both[1] else [("1/2", name(each)) for each in both]

        pieces = {player: letter if ball == own else letter.lower() for own, (player, letter) in enumerate(zip(players, "AB"))}
        line = state(name(position), list(steps), list(steps), cell, board(5, 4, {ball: "o", **pieces}))
        return line, following

    yield from by_square_of_b(explored([(((1, 1), (3, 2)), ball) for ball in [(2, 1), (2, 2)]], successors))


def goofspiel_5():
    yield header(
        "acyclic", ["12345 12345"], "Goofspiel with five cards",
        "Both hold the cards 1 to 5 and bid one of them for the prizes 5, 4, 3, 2, 1 in this order; the higher card wins the prize's points, equal cards win nothing. "
        "Ross, Goofspiel, the game of pure strategy, 1971; with a fixed order as in Bosansky and others, Algorithms for computing strategies in two-player simultaneous move games, 2016. "
        "Surprising: for the first prize one bids the 5 only 85 times in a hundred, otherwise the 1 or the 2; and once both have bid it, with 1 to 4 left, nobody needs chance.",
    )
    text = lambda cards: "".join(map(str, cards))

    def successors(hands):
        if hands == "over":
            return end("over", 0), []
        (a, b), following = hands, []

        def cell(i, j):
            after = (a[:i] + a[i + 1:], b[:j] + b[j + 1:]) if len(a) > 1 else "over"
            following.append(after)
            return len(a) * ((a[i] > b[j]) - (a[i] < b[j])), after if after == "over" else " ".join(map(text, after))

        picture = f"prize {len(a)}\nA {text(a)}\nB {text(b)}\n"
        return state(" ".join(map(text, hands)), list(text(a)), list(text(b)), cell, picture), following

    yield from explored([((1, 2, 3, 4, 5), (1, 2, 3, 4, 5))], successors)


def pursuit():
    yield header(
        "discounted", ["a1 e5", "b2 a1"], "Pursuit",
        "Two kings on 5 x 5 squares: both step or stay at the same time, and A wins 1, a tenth less every turn, when it stands on B's square or they change places. "
        "A discounted game of pursuit (Isaacs, Games of pursuit, RAND 1951) on a board. "
        "Surprising: taking turns, A catches B in the corner at once; moving together, B escapes two times in three, and the fight for the corner needs a mixture.",
        "9/10",
    )

    def near(x, y):
        return [(i, j) for j in range(max(y - 1, 0), min(y + 1, 4) + 1) for i in range(max(x - 1, 0), min(x + 1, 4) + 1)]

    def name(position):
        return position if isinstance(position, str) else " ".join(square(*king) for king in position)

    def successors(position):
        if isinstance(position, str):
            return end(position, 1), []
        a, b = position
        following = []

        def cell(i, j):
            to = near(*a)[i], near(*b)[j]
            after = "caught" if to[0] == to[1] or to == (b, a) else to
            following.append(after)
            return name(after)

        names = [[square(*to) for to in near(*king)] for king in position]
        return state(name(position), *names, cell, board(5, 5, {a: "A", b: "B"})), following

    yield from by_square_of_b(explored([((0, 0), (4, 4)), ((1, 1), (0, 0))], successors))


def oshi_zumo():
    yield header(
        "recursive", ["6:6@0", "5:4@0"], "Oshi-Zumo with bids of 0",
        "Both bid coins from six each, both pay, and the higher bid pushes the wrestler one of three fields toward the other's end; whoever's side he stands on when all is "
        "spent loses. Buro, Solving the Oshi-Zumo game, 2003, with bids of 0 as in OpenSpiel. "
        "Surprising: all numbers of the rules are whole, yet 5:4@0 is worth the square root of 3/5 to A, since two bids of 0 repeat the position.",
    )

    def result(ball):
        return "even" if ball == 0 else "A wins" if ball > 0 else "B wins"

    def successors(position):
        if isinstance(position, str):
            return end(position, {"A wins": 1, "even": 0, "B wins": -1}[position]), []
        a, b, ball = position
        following = []

        def cell(i, j):
            at = ball + (i > j) - (i < j)
            over = abs(at) > 1 or a == i and b == j
            after = result(at) if over else (a - i, b - j, at)
            following.append(after)
            return after if over else name(after)

        bids = [[str(bid) for bid in range(coins + 1)] for coins in (a, b)]
        picture = f"A {'o' * a}\n" + "|" + "".join("W" if at == ball else "." for at in (-1, 0, 1)) + f"|\nB {'o' * b}\n"
        endless = str((ball > 0) - (ball < 0))
        return state(name(position), *bids, cell, picture, endless=endless), following

    def name(position):
        return position if isinstance(position, str) else "{}:{}@{}".format(*position)

    yield from explored([(6, 6, 0), (5, 4, 0)], successors)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "assets" / "games")
    for rules in [rps, matching_pennies_3, snowball, inspections, soccer, goofspiel_5, pursuit, oshi_zumo]:
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in rules()).encode()
        name = rules.__name__.replace("_", "-") + ".jsonl"
        (folder / name).write_bytes(text)
        if len(text) > 20_000:
            subprocess.run(["zopfli", folder / name], check=True)
            (folder / name).unlink()


if __name__ == "__main__":
    main()
