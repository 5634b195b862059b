"""Records of agents' results, and tables of them."""

from __future__ import annotations

import dataclasses
import json
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

from pencil_tennis._lines import lines, parsed

_FORMAT = "pencil-tennis benchmark record"

# Digits of a written bound; it is rounded outward, so that it is true as written.
_DIGITS = 20


@dataclass(frozen=True)
class Result:
    """The worth of a policy in one task, in payoffs of the game."""

    task: str
    """The name of the task."""
    exploitability: float
    """The gain of a best response, on average over the two players: 0 is optimal."""
    lower: Fraction
    """A proved lower bound of the exploitability."""
    upper: Fraction
    """A proved upper bound of the exploitability."""
    relative: float
    """The exploitability divided by that of uniform bidding: 0 is optimal, 1 is as bad as random."""
    value: float
    """The true value of the game to A."""
    best_response_a: float
    """A's payoff when A responds best to the policy's B."""
    best_response_b: float
    """A's payoff when B responds best to the policy's A."""
    loss_a: float | None
    """The mean loss of the policy as A against an optimal B; None for blind games and matches."""
    loss_b: float | None
    """The mean loss as B against an optimal A."""
    opening_a: dict[Any, float]
    """How the policy's A bids at the start."""
    opening_b: dict[Any, float]
    """How its B bids at the start."""
    games: int | None = None
    """The games that the agent has played to learn, as it says itself."""
    seconds: float | None = None
    """The seconds that it took to come to the policy."""
    seed: int | None = None
    """The seed that the agent was given."""
    turns: int | None = None
    """The turns that the simulator counted."""
    solver: bool = False
    """Whether the policy is that of the solver: within 1e-9 of it, and exploited by less than 1e-8."""
    policy: str = ""
    """The policy of both players, compressed; see `Task.unpacked`."""
    digest: str = ""
    """The SHA-256 of its bytes, in hexadecimal."""

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON has it: bounds as decimal numbers that are true as written."""
        written = dataclasses.asdict(self)
        written["lower"] = _decimal(self.lower, ROUND_FLOOR)
        written["upper"] = _decimal(self.upper, ROUND_CEILING)
        return written

    @classmethod
    def from_dict(cls, written: dict[str, Any]) -> Result:
        """The result that `to_dict` wrote.

        Raises
        ------
        ValueError
            For text that is no record.
        """
        try:
            read = dict(written)
            read["lower"], read["upper"] = Fraction(read["lower"]), Fraction(read["upper"])
            for opening in ("opening_a", "opening_b"):
                read[opening] = {int(bid): float(probability) for bid, probability in read[opening].items()}
            result = cls(**read)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            message = f"not a result of the benchmark: {error}"
            raise ValueError(message) from None
        if not (isinstance(result.task, str) and result.lower <= result.upper):
            message = f"not a result of the benchmark: the bounds of {result.task!r:.80} are none"
            raise ValueError(message)
        numbers = [result.exploitability, result.relative, result.value, result.best_response_a, result.best_response_b]
        numbers += [loss for loss in (result.loss_a, result.loss_b) if loss is not None]
        if not all(isinstance(number, int | float) and math.isfinite(number) for number in numbers):
            message = f"not a result of the benchmark: not all numbers of {result.task!r:.80} are finite ones"
            raise ValueError(message)
        check_claims(result)
        return result


def check_claims(result: Result) -> None:
    """Refuses what a result claims, besides what its policy proves, if it cannot be.

    Raises
    ------
    ValueError
        With the claim, and what is expected.
    """
    for name, least in (("games", 0), ("turns", 0), ("seed", None)):
        number = getattr(result, name)
        if number is not None and (type(number) is not int or (least is not None and number < least)):
            expected = "a whole number" if least is None else "a whole number from 0 on"
            raise ValueError(f"not a result of the benchmark: {name} of {result.task!r:.80} is {number!r:.80}; expected {expected}")
    seconds = result.seconds
    if seconds is not None and (type(seconds) not in (int, float) or not 0 <= seconds < math.inf):
        raise ValueError(f"not a result of the benchmark: seconds of {result.task!r:.80} are {seconds!r:.80}; expected a number from 0 on")
    if not (isinstance(result.policy, str) and isinstance(result.digest, str) and isinstance(result.solver, bool)):
        raise ValueError(f"not a result of the benchmark: policy, digest or solver of {result.task!r:.80} is of another type")


def _decimal(number: Fraction, rounding: str) -> str:
    return str(Context(prec=_DIGITS, rounding=rounding).divide(Decimal(number.numerator), Decimal(number.denominator)))


@dataclass(frozen=True)
class Record:
    """The results of an agent, and what is needed to repeat them."""

    name: str
    """The name of the agent."""
    results: Sequence[Result]
    """The results, one for each task."""
    benchmark: int
    """The version of the benchmark."""
    track: str = "model"
    """"model": the agent had the task, and may have solved it; "simulator": it could only play, and its turns were counted."""
    note: str = ""
    """Further information: settings, budgets, the agent's source."""
    versions: dict[str, str] = dataclasses.field(default_factory=dict)
    """The versions of the software it ran with."""

    def __getitem__(self, task: str) -> Result:
        """The first result of a task.

        Raises
        ------
        KeyError
            Where there is none.
        """
        for result in self.results:
            if result.task == task:
                return result
        raise KeyError(task)

    def to_json(self) -> str:
        """The record as one line of JSON."""
        written = dataclasses.asdict(self)
        written["results"] = [result.to_dict() for result in self.results]
        return json.dumps({"format": _FORMAT, **written}, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, line: str) -> Record:
        """The record that `to_json` wrote.

        Raises
        ------
        ValueError
            For text that is no record.
        """
        try:
            read = parsed(line)
        except ValueError as error:
            message = f"not a record of the benchmark: {error}"
            raise ValueError(message) from None
        if not isinstance(read, dict) or read.pop("format", None) != _FORMAT:
            message = f"not a record of the benchmark; expected an object with the format {_FORMAT!r}"
            raise ValueError(message)
        try:
            results = [Result.from_dict(result) for result in read.pop("results")]
            if not all(isinstance(read.get(field, ""), str) for field in ("name", "note", "track")):
                raise TypeError("a name, a note or a track is no text")
            if type(read["benchmark"]) is not int:
                raise TypeError(f"the version is {read['benchmark']!r:.80}; expected a whole number")
            record = cls(results=results, **read)
            if record.track not in ("model", "simulator"):
                raise TypeError(f"the track is {record.track!r:.80}; expected 'model' or 'simulator'")
            for result in results:
                if (result.turns is not None) != (record.track == "simulator"):
                    raise TypeError(f"{result.task} has {result.turns} turns in the track {record.track!r}")
            return record
        except (KeyError, TypeError) as error:
            message = f"not a record of the benchmark: {error}"
            raise ValueError(message) from None


def read_records(path: str | os.PathLike[str]) -> list[Record]:
    """The records of a file, one in every line.

    Raises
    ------
    ValueError
        For a line that is no record; the message names it.
    OSError
        For a file that cannot be read.
    """
    records = []
    for number, line in lines(path):
        try:
            records.append(Record.from_json(line))
        except ValueError as error:
            message = f"{os.fspath(path)}, line {number}: {error}"
            raise ValueError(message) from None
    return records


def table(records: Iterable[Record], *, relative: bool = False) -> str:
    """The exploitabilities of several agents side by side, as a Markdown table with a row for each task.

    Every record is judged again (`rejudge`). Several seeds give the mean and half the width of its 95 % interval (Student's t);
    a policy that was handed in for several seeds counts once. A policy that is optimal to within a millionth has a star, as the
    solver's own have. Below stands what a record claims and nobody has measured: names, the track, seeds.

    Parameters
    ----------
    records
        The records, of one track.
    relative
        Whether exploitabilities are divided by that of uniform bidding.

    Raises
    ------
    ValueError
        For records of different versions or tracks, which cannot be compared, and for one that `rejudge` refuses.

    Examples
    --------
    >>> from pencil_tennis import benchmark
    >>> record = benchmark.evaluate("uniform", tasks=["tennis-8"], name="uniform")
    >>> print(benchmark.table([record]))
    | task | uniform |
    | --- | ---: |
    | tennis-8 | 1.944 |
    <BLANKLINE>
    Numbers are computed from the policies. Claimed: names, the track "model", seeds.
    """
    from pencil_tennis.benchmark._evaluation import rejudge

    records = list(records)
    for name, kinds in (("versions", {record.benchmark for record in records}), ("tracks", {r.track for r in records})):
        if len(kinds) > 1:
            message = f"records of several {name}, {sorted(kinds, key=str)}, cannot be compared"
            raise ValueError(message)
    records = [rejudge(record) for record in records]
    tasks = list(dict.fromkeys(result.task for record in records for result in record.results))
    rows = [f"| task | {' | '.join(_text(record.name) for record in records)} |", f"| --- |{' ---: |' * len(records)}"]
    for task in tasks:
        cells = [_cell([result for result in record.results if result.task == task], relative) for record in records]
        rows.append(f"| {task} | {' | '.join(cells)} |")
    tracks = "".join(f"the track \"{track}\", " for track in {record.track for record in records})
    return "\n".join([*rows, "", f"Numbers are computed from the policies. Claimed: names, {tracks}seeds."])


def _text(name: str) -> str:
    """A name in a cell of Markdown: a line of at most 80 characters that nothing in it ends."""
    shown = "".join(letter if letter.isprintable() else " " for letter in name)
    shown = " ".join(shown.split())
    shown = shown if len(shown) <= 80 else shown[:79] + "…"
    return "".join(f"\\{letter}" if letter in "\\|`*_[]<>&~#" else letter for letter in shown)


# The 97.5 % quantiles of Student's t for 1 to 9 degrees of freedom; later the normal one is near enough.
_STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)


def interval(numbers: Sequence[float]) -> tuple[float, float]:
    """The mean, and half the width of its 95 % interval; 0 for a single number."""
    count = len(numbers)
    mean = math.fsum(numbers) / count
    if count == 1:
        return mean, 0.0
    deviation = math.sqrt(math.fsum((number - mean) ** 2 for number in numbers) / (count - 1))
    return mean, (_STUDENT[count - 2] if count < 11 else 1.96) * deviation / math.sqrt(count)


def _cell(results: list[Result], relative: bool) -> str:
    if not results:
        return "–"
    policies = {result.digest: result for result in results}.values()
    mean, half = interval([result.relative if relative else result.exploitability for result in policies])
    star = "*" if any(result.solver for result in results) else ""
    return _short(mean) + (f" ± {_short(half)}" if half else "") + star


def _short(number: float) -> str:
    return f"{number:.4g}" if number >= 1e-3 or number == 0 else f"{number:.0e}"
