#!/usr/bin/env python3
"""Compares the program with exact best replies, on random games of every kind and a policy of each.

    python3 tests/games/random_games.py PROGRAM [--games N] [--seed SEED] [--family NAME]...
        [--keep FOLDER]

Needs python-flint. The families of `game_families.py` take turns; `--family` chooses one by its
name, or those whose names contain a text.

For each game, `best_replies.py` computes in fractions what the certificate's strategies are worth.
A's strategy proves a lower bound of the value, B's an upper bound, and every printed interval must
contain both: those of the csv table, of the JSON report and of the certificate. The intervals of
the policy's worth, loss and exploitability must contain the exact numbers. Strategies must be
legal. `verify` must accept every certificate, and `docs/check_game_proof.py` one in five. If the
program refuses a game, it must say why; what it prints of other states must meet the value; a value
that it calls infinite must be infinite against two policies of the player who pays. The first answer of each family is
also forged, one number at a time, and the comparison must notice every forgery. The games of
`kept_games/`, which the program once misjudged or refused in part, come first.

The script prints each fault with the seed that repeats its game (`--family NAME --seed SEED
--games 1`) and copies the game to FOLDER; at the end, or after Ctrl-C, it prints widths and
refusals by family. It fails if there is a fault, if bounds are wide in a family that always has
narrow ones, or if the program refuses more games of a family than `game_families.py` allows.
"""

import argparse
import math
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import game_families
from best_replies import ExactGame
from compared_answers import (
    Judged,
    Worths,
    answer_faults,
    forgeries,
    infinite_faults,
    partial_faults,
    partial_forgeries,
    strategy_of,
)
from program_answers import LONGEST_SECONDS, Bounds, Program, Refusal, exact, relative_width


@dataclass
class Tally:
    """What was found in a family."""

    games: int = 0
    values: int = 0
    policies: int = 0
    widths: Counter = field(default_factory=Counter)
    policy_widths: Counter = field(default_factory=Counter)
    refusals: Counter = field(default_factory=Counter)
    # The widest bounds, and the seed of their game.
    widest: tuple = (0.0, 0)
    slowest: float = 0.0
    faults: int = 0

    def refuse(self, sentence):
        """Counts a refusal by its sentence without file, line, and names of states."""
        sentence = re.sub("[^ ]*game.jsonl: (line [0-9]+: )?", "", sentence)
        self.refusals[re.sub("`[^`]*`(, `[^`]*`)*( and [0-9,]+ others)?", "…", sentence)] += 1

    def lines(self, name):
        counts = f"{self.games} games, {self.values} values, {self.policies} policies"
        width, seed = self.widest
        yield f"{name}: {counts}, widest {width:.1e} (seed {seed}), slowest {self.slowest:.2f} s"
        yield f"    widths: {histogram(self.widths)}; of policies: {histogram(self.policy_widths)}"
        for sentence, count in self.refusals.most_common():
            yield f"    {count} refused: {sentence}"

    def complaints(self, name, family):
        """Why the script fails."""
        if self.faults:
            yield f"{name}: {self.faults} faults"
        wide = [
            power
            for power in [*self.widths, *self.policy_widths]
            if power is not None and 10.0**power > family.widest
        ]
        if wide:
            yield f"{name}: bounds are wide"
        for sentence, count in self.refusals.items():
            share = max([share for part, share in family.refusals if part in sentence], default=0)
            # Few games may have more than their share.
            if count > share * self.games + 3 * math.sqrt(share * self.games):
                yield f"{name}: {count} of {self.games} refused: {sentence}"

    def add(self, other):
        for name, found in vars(other).items():
            if name in ("slowest", "widest"):
                setattr(self, name, max(getattr(self, name), found))
            else:
                setattr(self, name, getattr(self, name) + found)


def decade(width):
    """The least power of ten above a width."""
    return math.floor(math.log10(width)) + 1 if width else None


def histogram(widths):
    ordered = sorted(widths.items(), key=lambda pair: -math.inf if pair[0] is None else pair[0])
    return (
        ", ".join(
            f"{count} {'exact' if power is None else f'below 1e{power}'}"
            for power, count in ordered
        )
        or "none"
    )


class Trial:
    """One game of a family, with everything that is compared."""

    def __init__(self, program, name, family, seed):
        self.program, self.seed = program, seed
        self.rng = random.Random(f"{name}, {seed}")
        self.lines = family.lines(self.rng)
        self.game = ExactGame(self.lines)

    def run(self, tally, is_first, is_sample):
        """Compares the program's answer with the exact worths; returns faults.

        The family's first answer is also forged; a sample of certificates is also checked in
        Python.
        """
        tally.games += 1
        policies = [
            game_families.uniform_policy(self.lines),
            game_families.random_policy(self.lines, self.rng),
        ]
        policy = self.rng.choice(policies)
        try:
            answer, refused_policy = self.program.answer(self.lines, policy)
        except subprocess.TimeoutExpired:
            return [f"not solved in {LONGEST_SECONDS} s"]
        if isinstance(answer, Refusal):
            tally.refuse(answer.sentence)
            faults = [f"{file} is written of a game that is refused" for file in answer.files]
            if answer.partial:
                faults += partial_faults(self.lines, answer.partial)
                for place, forgery in enumerate(partial_forgeries(answer.partial)):
                    if not partial_faults(self.lines, forgery):
                        faults.append(f"forgery {place} of some states is not noticed")
            return faults + answer.faults + infinite_faults(self.game, answer.sentence, policies)
        strategies = {
            player: {name: answer.proof[name].strategy(player) for name in self.game.states}
            for player in "AB"
        }
        worths = Worths.of(self.game, strategies)
        faults = answer_faults(self.game, answer, worths) + self.program.verified(is_sample)
        if is_first and not faults:
            for place, forgery in enumerate(forgeries(self.game, answer, worths)):
                if not answer_faults(self.game, forgery, worths):
                    faults.append(f"forgery {place} is not noticed")
        tally.widths[decade(answer.width())] += 1
        tally.widest = max(tally.widest, (answer.width(), self.seed))
        tally.slowest = max(tally.slowest, answer.seconds)
        tally.values += len(answer.values)
        judged = Judged(
            Worths.of(self.game, {player: strategy_of(policy, player) for player in "AB"}), worths
        )
        if refused_policy is None:
            return faults + self.judge(tally, judged, answer.report["policy"], is_first)
        worth = "infinite" if judged.is_infinite() else "finite"
        tally.refuse(f"a policy of {worth} worth: {refused_policy.sentence}")
        return faults + refused_policy.faults

    def judge(self, tally, judged, report, is_first):
        """Compares what the program says of a policy."""
        if judged.is_infinite():
            return ["a policy of infinite worth is judged"]
        tally.policies += 1
        worths = [
            worth["decimal"]
            for state in report["states"]
            for worth in state["guaranteed"]["best_response_value"].values()
        ]
        width = relative_width(
            [Bounds("", exact(worth["lower"]), exact(worth["upper"])) for worth in worths]
        )
        tally.policy_widths[decade(width)] += 1
        faults = judged.faults(report)
        if is_first and not faults:
            for place, forgery in enumerate(judged.forgeries(report)):
                if not judged.faults(forgery):
                    faults.append(f"forged judgement {place} is not noticed")
        return faults


def chosen_families(names):
    """The families of these names; a name that is none chooses those that contain it."""
    families = game_families.families()
    if not names:
        return families
    found = {}
    for text in names:
        some = [text] if text in families else [name for name in families if text in name]
        if not some:
            sys.exit(
                f"no family is called {text}; expected a part of one of: {'; '.join(families)}"
            )
        found |= {name: families[name] for name in some}
    return found


def try_one(program, name, family, tally, seed, keep):
    """The next game of a family."""
    trial = Trial(program, name, family, seed + tally.games)
    faults = trial.run(tally, is_first=tally.games == 0, is_sample=tally.games % 5 == 0)
    tally.faults += len(faults)
    for fault in faults[:5]:
        print(f"FAULT: {name}, seed {trial.seed}: {fault}", flush=True)
    if faults and keep:
        program.keep(Path(keep), f"{name}-{trial.seed}".replace(" ", "-"))


def main(program, games, seed, family, keep):
    """Runs the games; exits with an error if anything is wrong."""
    families = chosen_families(family)
    kept = {} if family else game_families.kept_games()
    print(
        f"{len(kept)} kept games, {games} games of {len(families)} families, seed {seed}",
        flush=True,
    )
    tallies = {name: Tally() for name in kept | families}
    with tempfile.TemporaryDirectory() as folder:
        program = Program(program, folder)
        try:
            for name, found in kept.items():
                try_one(program, name, found, tallies[name], seed, keep)
            for turn in range(games):
                name = list(families)[turn % len(families)]
                try_one(program, name, families[name], tallies[name], seed, keep)
        except KeyboardInterrupt:
            print("interrupted")
    whole = Tally()
    for name, tally in tallies.items():
        print("\n".join(tally.lines(name)))
        whole.add(tally)
    print("\n".join(whole.lines("all")))
    complaints = [
        complaint
        for name, tally in tallies.items()
        for complaint in tally.complaints(name, (kept | families)[name])
    ]
    if complaints:
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("program", metavar="PROGRAM")
    arguments.add_argument("--games", type=int, default=1000)
    arguments.add_argument("--seed", type=int, default=36)
    arguments.add_argument("--family", action="append", metavar="NAME")
    arguments.add_argument("--keep", metavar="FOLDER")
    main(**vars(arguments.parse_args()))
