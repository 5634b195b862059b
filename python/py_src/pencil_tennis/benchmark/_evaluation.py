"""Agents and their evaluation."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import io
import json
import math
import platform
import time
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np

from pencil_tennis import _native
from pencil_tennis._blind import BlindPolicy
from pencil_tennis._game import whole
from pencil_tennis._lines import parsed
from pencil_tennis._match import Score
from pencil_tennis._native import __version__
from pencil_tennis._state import State
from pencil_tennis.benchmark._game_tasks import GAMES, GameTask, Simulator
from pencil_tennis.benchmark._record import Record, Result, check_claims
from pencil_tennis.benchmark._tasks import TASKS, VERSION, Task

AnyTask: TypeAlias = Task | GameTask
"""A game of the first edition, or one of the second."""

SEEDS = (1, 2, 3, 4, 5)
"""The seeds that agents are given unless others are."""

TURNS = 20_000
"""The turns of a simulator unless others are given."""

Agent: TypeAlias = Callable[[Any, int], Any] | Mapping[str, Any] | str
"""An agent: a function of a task (or `Simulator`) and a seed that returns a policy, a `Learned` one, or None for a task that it
leaves out; a mapping from names of tasks to policies; or the name of a player that `pencil_tennis.as_policy` knows, such as
``"lookahead:3:uniform"``."""


@dataclass(frozen=True)
class Learned:
    """A policy, and the cost of learning it."""

    policy: Any
    """The policy, as `Task.policy` takes it."""
    games: int | None = None
    """The games that were played."""
    seconds: float | None = None
    """The seconds that it took; measured unless given."""


def evaluate(
    agent: Agent,
    tasks: Iterable[str | AnyTask] | None = None,
    *,
    name: str,
    note: str = "",
    seeds: Iterable[int] = SEEDS,
    track: Literal["model", "simulator"] = "model",
    turns: int = TURNS,
    listener: Callable[[Result], object] | None = None,
) -> Record:
    """Lets an agent play the tasks of the benchmark, and judges its policies exactly.

    Parameters
    ----------
    agent
        A function of a task and a seed that returns a policy as `GameTask.policy` takes it (for `TASKS`: whatever
        `pencil_tennis.as_policy` takes, `as_blind_policy` for a blind task, or `Match.policies` for a match), perhaps as a
        `Learned`; the time is measured. It returns None for a task that it leaves out. Or a mapping from names of tasks to
        policies, or ``"uniform"``, or in open tasks the name of a player; these have no seed.
    tasks
        The tasks, or their names; all of `GAMES` unless given (of a mapping: those that it has).
    name, note
        The record's facts about the agent; see `Record`.
    seeds
        The seeds that the agent is given, one after the other; 1 to 5 unless given.
    track
        "model": the agent gets the task, and anything goes. "simulator": it gets a `Simulator` of a task of `GAMES` in its place.
    turns
        The turns of a simulator.
    listener
        A function that hears of every result as soon as it is there.

    Raises
    ------
    ValueError
        For a task or a track that there is not, and seeds or turns that are not possible.
    TypeError
        For an object that is no agent.
    PolicyError
        For an object that is no policy of its task.

    Examples
    --------
    >>> from pencil_tennis import benchmark
    >>> record = benchmark.evaluate({"blind-6": lambda known: {min(known.points, 1): 1.0}}, name="always 1")
    >>> record["blind-6"].exploitability
    2.0
    """
    given = [whole(seed, "a seed") for seed in seeds]
    if not given or len(set(given)) < len(given):
        message = f"the seeds are {given}; expected at least one, and unlike ones"
        raise ValueError(message)
    if track not in ("model", "simulator"):
        message = f"there is no track {track!r}; expected 'model' or 'simulator'"
        raise ValueError(message)
    if track == "simulator" and not callable(agent):
        message = "an agent of the track 'simulator' is a function of a simulator and a seed"
        raise TypeError(message)
    whole(turns, "the number of turns", 1, 10**12)
    for text, what in ((name, "the name"), (note, "the note")):
        if not isinstance(text, str):
            message = f"{what} is {text!r:.80}; expected a text"
            raise TypeError(message)
    if tasks is None:
        tasks = agent if isinstance(agent, Mapping) else GAMES
    results: list[Result] = []
    for task in [_known(task) for task in tasks]:
        if track == "simulator" and not isinstance(task, GameTask):
            message = f"{task.name} has no simulator; expected one of {', '.join(GAMES)}"
            raise ValueError(message)
        for seed in given if callable(agent) else [None]:
            result = _result(agent, task, seed, turns if track == "simulator" else None)
            if result is None:
                break
            results.append(result)
            if listener is not None:
                listener(result)
    versions = {"pencil_tennis": __version__, "python": platform.python_version(), "numpy": np.__version__}
    return Record(name=name, results=results, benchmark=VERSION, track=track, note=note, versions=versions)


def _result(agent: Agent, task: AnyTask, seed: int | None, turns: int | None) -> Result | None:
    """What an agent reaches with a seed."""
    simulator = None if turns is None or not isinstance(task, GameTask) else Simulator(task, seed or 0, turns)
    if simulator is not None:
        # The truth is known before the clock runs, so that it is not part of the agent's time.
        assert isinstance(task, GameTask)
        _ = task.solution
    # Agents may write over what they are given.
    spent: Callable[[], int] | None = None if simulator is None else simulator.spent
    begin = time.perf_counter()
    learned = _asked(agent, task, simulator, seed)
    elapsed = time.perf_counter() - begin
    if learned is None:
        return None
    if not isinstance(learned, Learned):
        learned = Learned(learned)
    packed = pack(task, task.policy(learned.policy))
    # Judges the stored policy, not the learner's.
    result = dataclasses.replace(
        task.judge(unpack(task, packed)),
        games=learned.games,
        seconds=elapsed if learned.seconds is None else learned.seconds,
        seed=seed,
        turns=None if spent is None else spent(),
        policy=base64.b64encode(packed).decode(),
        digest=hashlib.sha256(packed).hexdigest(),
    )
    check_claims(result)
    return result


def rejudge(record: Record) -> Record:
    """Computes every number of a record again from the policies in it.

    Raises
    ------
    ValueError
        For a record whose numbers are not those of its policies, with the task and what is wrong.
    """
    if record.benchmark != VERSION:
        message = f"the record is of version {record.benchmark} of the benchmark; expected {VERSION}"
        raise ValueError(message)
    for result in record.results:
        check_claims(result)
    judged: set[tuple[str, int | None]] = set()
    results = []
    for result in record.results:
        where = f"{record.name!r:.80}, {result.task}, seed {result.seed}"
        if (result.task, result.seed) in judged:
            message = f"{where}: there are two results"
            raise ValueError(message)
        judged.add((result.task, result.seed))
        task = _known(result.task)
        try:
            packed = base64.b64decode(result.policy, validate=True)
        except ValueError:
            packed = b""
        if not packed or hashlib.sha256(packed).hexdigest() != result.digest:
            message = f"{where}: the policy is missing, or not that of the digest"
            raise ValueError(message)
        again = task.judge(unpack(task, packed))
        for field in _JUDGED:
            found, computed = getattr(Result.from_dict(result.to_dict()), field), getattr(Result.from_dict(again.to_dict()), field)
            # Records of versions that compared probabilities may lack a star.
            if not _alike(found, computed) and not (field == "solver" and found is False):
                message = f"{where}: {field} is {found!r:.60}, but its policy has {computed!r:.60}"
                raise ValueError(message)
        facts = {name: getattr(result, name) for name in ("games", "seconds", "seed", "turns", "policy", "digest")}
        results.append(dataclasses.replace(again, **facts))
    return dataclasses.replace(record, results=results)


_JUDGED = (
    "exploitability", "lower", "upper", "relative", "value", "best_response_a", "best_response_b", "loss_a", "loss_b",
    "opening_a", "opening_b", "solver",
)  # fmt: skip


def _alike(found: Any, computed: Any) -> bool:
    """Whether two numbers are the same, but for last digits.

    Sums of doubles differ there on other machines, proved bounds of plays that may last in other versions. The new ones are kept.
    """
    if isinstance(found, dict):
        return found.keys() == computed.keys() and all(_alike(found[bid], computed[bid]) for bid in found)
    if isinstance(found, float | Fraction) and isinstance(computed, float | Fraction):
        return math.isclose(found, computed, rel_tol=1e-12, abs_tol=1e-15)
    return bool(found == computed) and isinstance(found, bool) == isinstance(computed, bool)


# The most bytes of an unpacked policy, so that a forged one does not fill the memory.
_MOST_BYTES = 1 << 28

# The bytes of the record that ends a zip file, without its comment.
_END_OF_ARCHIVE = 22


def pack(task: AnyTask, policy: Any) -> bytes:
    """The bytes of a checked policy: compressed arrays of numpy."""
    if isinstance(policy, BlindPolicy):
        arrays = {"rows": np.frombuffer(json.dumps(policy._native.rows()).encode(), np.uint8)}
    elif isinstance(policy, dict):
        arrays = {f"{a}-{b}-{c:d}-{player}": one.array(player) for (a, b, c), one in policy.items() for player in ("A", "B")}
    elif isinstance(policy, tuple):
        arrays = {"A": policy[0], "B": policy[1]}
    else:
        arrays = {player: policy.array(player) for player in ("A", "B")}
    with io.BytesIO() as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
        return file.getvalue()


def unpack(task: AnyTask, packed: bytes) -> Any:
    """The policy of which these are the bytes, checked.

    Raises
    ------
    ValueError
        For bytes that are no policy of the task.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _MOST_BYTES:
                raise ValueError("it is too large")
            # A reader of zip files passes over what stands before and behind.
            end = packed[len(packed) - len(archive.comment) - _END_OF_ARCHIVE :]
            if not packed.startswith(b"PK\3\4") or not end.startswith(b"PK\5\6"):
                raise ValueError("it goes on after its end, or begins before its beginning")
            arrays = {name.removesuffix(".npy"): _array(archive.read(name)) for name in archive.namelist()}
        if isinstance(task, Task) and task.kind == "blind":
            rows = parsed(arrays["rows"].tobytes().decode())
            return BlindPolicy(_native.BlindPolicy.from_rows(task.rules, State(task.points[0], task.points[1], 0), [tuple(row) for row in rows]))
        if task.kind == "match":
            scores = {name: [int(part) for part in name.split("-")[:3]] for name in arrays if name.endswith("-A")}
            pairs = {Score(a, b, bool(c)): (arrays[name], arrays[f"{a}-{b}-{c}-B"]) for name, (a, b, c) in scores.items()}
            return task.policy(pairs)
        return task.policy((arrays["A"], arrays["B"]))
    except (zipfile.BadZipFile, KeyError, TypeError, EOFError, OSError, ValueError) as error:
        message = f"the policy of {task.name} cannot be read: {error}"
        raise ValueError(message) from None


def _array(member: bytes) -> np.ndarray[Any, Any]:
    """The array that is all of a member of an archive."""
    stream = io.BytesIO(member)
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ValueError("an array is of another version of the format than 1.0")
    shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    # A header may promise any number of bytes, for which `numpy.load` would make room.
    promised, found = math.prod(shape) * dtype.itemsize, len(member) - stream.tell()
    if dtype.hasobject or promised != found:
        raise ValueError(f"the header of an array promises {promised} bytes, but {found} follow")
    array: np.ndarray[Any, Any] = np.load(io.BytesIO(member), allow_pickle=False)
    return array


def _known(task: str | AnyTask) -> AnyTask:
    if isinstance(task, (Task, GameTask)):
        return task
    if task not in TASKS and task not in GAMES:
        message = f"`{task}` is not a task; expected one of {', '.join([*TASKS, *GAMES])}"
        raise ValueError(message)
    return TASKS[task] if task in TASKS else GAMES[task]


def _asked(agent: Agent, task: AnyTask, simulator: Simulator | None, seed: int | None) -> Any:
    """The policy that an agent hands in."""
    if isinstance(agent, str):
        return agent
    if isinstance(agent, Mapping):
        return agent.get(task.name)
    if callable(agent):
        return agent(simulator or task, seed or 0)
    message = f"{agent!r:.80} is no agent; expected a function of a task, a mapping from names of tasks to policies, or a name"
    raise TypeError(message)
