"""Absurd sizes and malformed inputs raise clear exceptions and never end the interpreter.

Everything runs in a process of its own with little memory, since a failure ends the process.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

# A gigabyte beyond the imports' memory.
LIMIT = """
import resource, sys
import numpy as np
import pencil_tennis as pt
from pencil_tennis import benchmark, figures, matrix_game
pt.solve(3).policy()
taken = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + 2**30, taken + 2**30))
"""

# Every call that takes a size, with `n` for it.
CALLS = [
    "pt.Games(n)",
    "pt.Games(5, n)",
    "pt.Games(5, (n, 3))",
    "pt.Games(3, 5, start=(n, n, 0))",
    "pt.Games(3, 5, start=(1, 1, n))",
    "pt.Games(3, 5).reset([[n, n, n]] * 3)",
    "pt.Games(3, 5).step([n] * 3, [1] * 3)",
    "pt.Games(3, 5).step([1] * 3, np.array([n % 2**64] * 3, np.uint64))",
    "pt.solve(n)",
    "pt.solve((n, 2))",
    "pt.solve(n, memory_limit=2**62)",
    "pt.solve(3, threads=n)",
    "pt.solve(3, exact=n)",
    "pt.solve(3, memory_limit=n)",
    "pt.solve(3, checkpoint='/dev/null', checkpoint_every=n)",
    "s.digits(s.start, n)",
    "s.digits((n, n, n), 10)",
    "pt.solve(5, exact=True).digits('5:5@0', n)",
    "s[n, 1, 0]",
    "s[(1, 1, n)]",
    "s.uniqueness((n, n, 0))",
    "s.stage_game((n, n, 0))",
    "pt.as_policy('uniform', n)",
    "pt.as_policy('uniform', (n, 3))",
    "pt.as_policy(lambda state: {n: 1.0}, 3)",
    "pt.as_policy(lambda state: {1: 1.0}, n)",
    "pt.as_policy({(n, n, 0): {1: 1.0}}, 3)",
    "pt.exploitability('uniform', n)",
    "pt.best_response('uniform', 'A', n)",
    "pt.best_response('uniform', 'A', 3)[n, n, n]",
    "s.judge('uniform').costliest(n)",
    "pt.meeting('uniform', 'uniform', n)",
    "pt.meeting('uniform', 'uniform', 3, start=(n, n, 0))",
    "pt.duel('uniform', 'uniform', min(n, 1000), n)",
    "pt.duel('uniform', 'uniform', 10, 3, seed=n)",
    "pt.duel('uniform', 'uniform', -n, 3)",
    "pt.Training('simple', n)",
    "pt.Training('cfr-plus', n)",
    "pt.Training('simple', 5, seed=n, loss=n, rare=n, every=n, forget=n)",
    "pt.Training('extended', 5, rare=n)",
    "pt.Training('extended', 5, every=n)",
    "pt.Training('extended', 5, middle=float(n))",
    "pt.LearningCurve(s).ladder(n)",
    "pt.LearningCurve(s).note('uniform', n)",
    "pt.Training('simple', 5).play(-n)",
    "pt.Rules(n)",
    "pt.Rules(2, 'net', [n, n, 0, -n, -n])",
    "pt.Rules.oshi_zumo(n)",
    "len(pt.Rules().legal_bids(n))",
    "pt.Rules.tennis().play((n, n, 0), n, n)",
    "pt.Rules.tennis().play((5, 5, 0), n, 1)",
    "pt.Rules.tennis().outcome((n, n, n))",
    "pt.solve_blind(n)",
    "pt.solve_blind((n, 2))",
    "pt.solve_blind(4, threads=n)",
    "pt.solve_blind(4, gap=float(n))",
    "pt.solve_blind(4, time_limit=n)",
    "pt.solve_blind(4, memory_limit=n)",
    "pt.as_blind_policy('uniform', n)",
    "pt.as_blind_policy(lambda known: {n: 1.0}, 3)",
    "pt.solve_match(n, 2)",
    "pt.solve_match(2, n)",
    "pt.solve_match(2, 3).chance((n, 0))",
    "pt.ForcedPlay(n)",
    "pt.ForcedPlay((n, 3))",
    "pt.ForcedPlay(4).endgame(n)",
    "pt.ForcedPlay(4).bounds((n, n, n))",
    "pt.ForcedPlay(4).forcing_bids('A', (n, n, n))",
    "pt.figures.strategy(s, 'A', n)",
    "pt.figures.strategy(s, 'A', 0, n)",
    "pt.as_policy(f'lookahead:{n}:nothing', 3)",
    "pt.as_policy('lookahead:2:nothing', n)",
    "pt.benchmark.judge_transcript({'task': 'tennis-8', 'a': [n], 'b': [n]})",
    "pt.State.parse((n, n, n))",
    "pt.State.parse(f'{n}:{n}@{n}')",
    "matrix_game.solve([[n, 1], [1, -n]])",
    "matrix_game.solve([[float(n), 1.5], [1.5, -float(n)]])",
]
SIZES = [-1, 0, 60, 20_000, 70_000, 2**31, 2**32, 10**12, 2**61, 2**63, 2**64, 10**30]

PROGRAM = (
    LIMIT
    + """
s = pt.solve(3)
for n in SIZES:
    for call in CALLS:
        long = n == 20_000 and call in ("pt.solve((n, 2))", "pt.ForcedPlay((n, 3))")
        if n == 60 and "solve" in call or n in (60, 20_000) and "digits" in call or long:
            continue  # Possible, and long.
        try:
            eval(call)
        except (ValueError, TypeError, MemoryError, OverflowError, IndexError) as error:
            assert str(error), (call, n)
        except BaseException as error:
            print(call, n, type(error), error)
print("whole")
"""
)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits on memory are those of Linux")
def test_everything_with_hostile_sizes_under_a_memory_limit() -> None:
    program = f"SIZES = {SIZES!r}\nCALLS = {CALLS!r}\n{PROGRAM}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.stdout == "whole\n" and done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "panicked" not in done.stderr, done.stderr[-2000:]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits on memory are those of Linux")
def test_what_there_is_no_memory_for_is_named() -> None:
    program = LIMIT + """
for call in (lambda: pt.Games(10**12), lambda: pt.as_policy("uniform", 700), lambda: pt.solve(2000, keep_strategies=True)):
    try:
        call()
    except (MemoryError, pt.Error) as error:
        print(type(error).__name__, error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    games, policy, _ = done.stdout.splitlines()
    assert games.startswith("MemoryError 1000000000000 games would take 28000000000000 bytes"), done
    assert policy.startswith("MemoryError a policy for 700:700 points would take"), done
