"""Certificates that break one rule each, as `forged.json` has them, for `docs/check_game_proof.py` and the Python package.

    python3 tests/games/forged.py FOLDER     writes them into a folder, and compares what the checker says of them
"""

import contextlib
import io
import itertools
import json
import re
import runpy
import sys
import types
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).parent
CHECKER = HERE.parents[1] / "docs" / "check_game_proof.py"

# Certificates of version 2 have longer numbers than Python converts unasked.
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)

# In finer units by so much the same is a certificate of version 2.
LONGER = 300


class Table:
    """The rules of a game that is written down; states are their names, and actions their names."""

    def __init__(self, base):
        self.kind, self.discount = base["game"]["kind"], base["game"].get("discount")
        self.start = base["game"]["start"]
        self.states = {state["id"]: state for state in base["states"]}
        self.numbers = {name: number for number, name in enumerate(self.states)}
        self.exchanged = base.get("exchanged", {})

    def starts(self):
        return self.start

    def turn(self, name):
        state = self.states[name]
        return Fraction(state["value"]) if "value" in state else (state["a"], state["b"])

    def cell(self, name, a, b):
        state = self.states[name]
        return state["cells"][state["a"].index(a)][state["b"].index(b)]

    def after(self, name, a, b):
        return [(following, Fraction(share)) for share, following in self.cell(name, a, b)["to"]]

    def reward(self, name, a, b):
        return Fraction(self.cell(name, a, b).get("reward", "0"))

    def endless(self, name):
        return Fraction(self.states[name].get("endless", "0"))

    def canonical(self, name):
        return self.exchanged.get(name, name), name in self.exchanged

    def index(self, name):
        return self.numbers[name]


def changed(fields, change):
    """An object with other fields; one that becomes nothing goes."""
    return {name: value for name, value in {**fields, **change}.items() if value is not None}


def in_finer_units(number, finer):
    """A number in units that are 2^finer times finer; before it as many zeros as it says, as in `0*20:7`."""
    if not isinstance(number, str):
        return number
    found = re.fullmatch("0[*]([0-9]+):(.*)", number)
    zeros, digits = (int(found[1]), found[2]) if found else (0, number)
    return "0" * zeros + (str(int(digits) << finer) if finer and re.fullmatch("[+-]?[0-9]+", digits) else digits)


def finer(proof, bounds, weights):
    """The proof of a state with bounds and weights in finer units."""

    def value(found):
        return [[action, in_finer_units(weight, weights)] for action, weight in found] if isinstance(found, list) else in_finer_units(found, bounds)

    return {name: value(found) for name, found in proof.items()}


def certificate(base, change, by_digest, longer):
    """The certificate of a game, with one change; one of version 1 becomes one of version 2 if it is to be longer."""
    by = change.get("finer", [0, 0])
    by = [by[0], by[1] + LONGER * longer]
    weights = 62 if longer else base.get("weight_exponent")
    header = {"format": "stochastic-game-proof", "version": 1 + (weights is not None), "states": len(base["states"])}
    header["exponent"] = base["exponent"] + by[0]
    if weights is not None:
        header["weight_exponent"] = weights + by[1]
    game = [changed({"format": "stochastic-game", "version": 1, **base["game"]}, change.get("game", {}))]
    game += [changed(state, change.get("states", {}).get(state["id"], {})) for state in base["states"]]
    game += [None] * change.get("empty line", False)
    # With a digest one line is for all states that are the same.
    names = [name for name in base["proofs"] if not (by_digest and name in base.get("exchanged", {}))]
    if by_digest:
        header, game = {**header, "states": len(names), "digest": base["digest"]}, []
    proofs = [finer(changed(base["proofs"][name], change.get("proofs", {}).get(name, {})), *by) for name in names]
    lines = [changed(header, change.get("header", {})), *game, *proofs, *best_payoffs(base, change)]
    lines = lines[: len(lines) - change.get("without", 0)] + lines[-1:] * change.get("twice", 0)
    text = "".join("\n" if line is None else json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    return text.replace(*change["replace"], 1) if "replace" in change else text


def best_payoffs(base, change):
    """The second part of a certificate: the claims of best payoffs, with one change."""
    if "best" not in base:
        return []
    claims, changes = base["best"], change.get("best", {})
    header = {"format": "stochastic-game-best-payoffs", "version": 1, "players": "".join(claims).upper()}
    lines = [changed(header, changes.get("header", {}))]
    for player, states in claims.items():
        lines += [changed(claim, changes.get(player, {}).get(name, {})) for name, claim in states.items()]
    return lines


def repeat_first_actions(state):
    """Writes out the table of a state with very many actions: a player's first action is there as often as `times` says."""
    for player, times in state.pop("times", {}).items():
        first, *others = state[player]
        state[player] = [f"{first}{number}" for number in range(times)] + others
        rows = state["cells"]
        if player == "a":
            state["cells"] = rows[:1] * times + rows[1:]
        else:
            state["cells"] = [row[:1] * times + row[1:] for row in rows]


def all_certificates():
    """Each with a name, the rules if it has a digest, the true values, and the words with which each program refuses it."""
    for base in json.loads((HERE / "forged.json").read_text()):
        for state in base["states"]:
            repeat_first_actions(state)
        for change in [{"rule": "sound"}, *base["changed"]]:
            for by_digest, longer in itertools.product((False, True), (False, True)):
                # Other rules have another digest; rules in code know no uncertain probabilities, and have none.
                if by_digest and ("game" in change or "states" in change or "digest" not in base) or longer and ("weight_exponent" in base or "version" in change):
                    continue
                name = f"{base['name']}: {change['rule']}" + " (digest)" * by_digest + " (longer)" * longer
                words = {program: change[program] for program in ("verify", "python") if program in change}
                words |= change.get("with digest" if by_digest else "with game", {})
                words |= change.get("longer", {}) if longer else {}
                values = {state: Fraction(value) for state, value in base["values"].items()}
                yield name, certificate(base, change, by_digest, longer), Table(base) if by_digest else None, values, words


def refusal(path, rules):
    """Why the checker refuses a file, or None."""
    sys.modules["forged_rules"] = types.SimpleNamespace(RULES=rules)
    arguments = [] if rules is None else ["--rules", "forged_rules:RULES"]
    sys.argv = [str(CHECKER), str(path), *arguments]
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            runpy.run_path(str(CHECKER), run_name="__main__")
        except SystemExit as end:
            return end.code
    return None


def main(folder):
    """Prints the number of certificates on which the checker says what it should."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for name, text, rules, _, words in all_certificates():
        path = folder / (name.replace(" ", "-").replace(":", "").replace(",", "") + ".proof")
        path.write_text(text)
        said = refusal(path, rules)
        if not (said.startswith("not valid: ") and words["python"] in said if said and words else said is None and not words):
            sys.exit(f"{name}: {said or 'valid'}")
        if said is None and rules is None:
            # Other rules prove nothing about the game in a certificate, and are not let through unread.
            said = refusal(path, object()) or "valid"
            if "which rules are not compared with" not in said:
                sys.exit(f"{name}, by rules: {said}")
        count += 1
    print(count)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
