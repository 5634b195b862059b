#!/usr/bin/env python3
"""How a solve scales on a cluster: a simulation of the schedule with measured state costs, and a model that is tested against it.

Reads what `pencil-tennis solve N --mpi --trace-layers L.csv --trace-states S.csv` wrote on one rank; `docs/large-games.md`
has the figures of these commands (`chrt` and root are needed only on a busy machine):

    chrt -f 10 mpirun -n 1 pencil-tennis solve 400 --mpi --threads 1 --strategies again \\
        --trace-layers layers.csv --trace-states states.csv
    .ci/two-machines target/release/pencil-tennis solve 200 --mpi --threads 1 --strategies again --trace-layers tcp.csv
    python3 docs/cluster_model.py scaling 4.0 layers.csv states.csv
    python3 docs/cluster_model.py exchange tcp.csv

Of several traces of one game, which differ by what else the machine did, the fastest time
of every state counts.

    cluster_model.py exchange L.csv ...             latency and bandwidth of traced exchanges
    cluster_model.py growth S.csv T.csv             how the work grows from one number of points to another
    cluster_model.py scaling EXPONENT L.csv S.csv ...    simulation and model, and the model's forecast for more points

A network is its latency in microseconds and its bandwidth in gigabytes a second.

THE MODEL. On p single-threaded processes, a layer of Tennis takes

    max(M, W/p + 0.69 M) + 3 a ceil(log2 p) + B (p - 1)/(p b) + 1.3 us * S

W is the time of the layer's states, M that of the slowest state, S the number of states, B the bytes of their records, a and b
latency and bandwidth. Work is divided among processes by predicted times: a state's is the time of the state with one point less for
both players. Wrong predictions delay a process by 0.69 of the slowest state's time on average (fitted). Entering a solved state into
the tables takes 1.3 us. The simulation agreed with the model within 4 % at 400 points on 32 and 512 processes.

Efficiency falls to one half near n/9 single-threaded processes for n points, since no layer is faster than its slowest state. Ethernet
costs at most 8 % more. Threads count like processes.

LARGE GAMES OF OTHER RULES. Goofspiel's states, matrix games and bytes are counted (payoff: points); times are a forecast. A k by k
matrix game takes 11.5 ns * k^2.5 on one core (fitted at 11 cards), and every process receives 16 bytes for each state that others
solve, at 12 or 1.1 GB/s (the last column: 1,000 cores with InfiniBand, with Ethernet).

    cards  states   matrix games  memory a rank  bytes received  1 core  16 cores  1,000 cores
    13     1.68e8   1.34e9        1.7 GiB        2.7 GB          48 min  3 min     3 s, 5 s
    14     9.00e8   7.73e9        9.9 GiB        14 GB           5.6 h   21 min    22 s, 33 s
    15     4.84e9   4.46e10       52 GiB         77 GB           39 h    2.4 h     2.4 min, 3.5 min
"""

import csv
import heapq
import math
import sys

NETWORKS = {"InfiniBand, 2 us, 12 GB/s": (2e-6, 12e9), "Ethernet, 30 us, 1.1 GB/s": (30e-6, 1.1e9)}
RANKS = (8, 16, 32, 64, 128, 256, 512)
# A rank that meets a state that takes longer than expected is late by a part of it: fitted at 200 points and 16 ranks.
SURPRISE = 0.69
# States with fewer points than this start from no factorised system, nor do those of the first two of every 32 layers.
LEAST_SIZE, BLOCK = 24, 32


def rows(path):
    with open(path, newline="") as file:
        yield from csv.DictReader(file)


def states(paths):
    """The layers: for each the states with the seconds that they took at least."""
    costs = {}
    for path in paths:
        for row in rows(path):
            key = (int(row["a"]), int(row["b"]), int(row["ball"]))
            costs[key] = min(float(row["seconds"]), costs.get(key, math.inf))
    layers = {}
    for (a, b, ball), seconds in costs.items():
        layers.setdefault(a + b, []).append((a, ball, seconds))
    return [sorted(layers[total]) for total in sorted(layers)]


def simulate(layers, ranks, ahead=False):
    """The seconds that every layer takes on so many ranks of one thread, exchanges left out, shared out as the program does.

    With `ahead` a rank that waits for others goes on with those states of the next layer that start from a system it has, which
    need nothing of the layer under way; as if a state that is not ready in time could be put aside, which is more than could be
    had.
    """
    field = max(ball for layer in layers for _, ball, _ in layer)
    before, last, times = {}, {}, []
    idle = [0.0] * ranks
    for total, layer in enumerate(layers, start=1):
        loads, free, owner, early = [0.0] * ranks, [], {}, [0.0] * ranks
        for a, ball, seconds in layer:
            known = before.get((a - 1, ball))
            expected = known[1] if known else 1e-6
            travels = abs(ball) == field and min(a, total - a) > LEAST_SIZE and total % BLOCK >= 2
            if known and travels:
                owner[a, ball] = known[0]
                loads[known[0]] += expected
                early[known[0]] += seconds
            else:
                free.append((expected, a, ball))
        early = [min(work, time) if ahead else 0.0 for work, time in zip(early, idle)]
        heap = [(load - done, rank) for rank, (load, done) in enumerate(zip(loads, early))]
        heapq.heapify(heap)
        for expected, a, ball in sorted(free, key=lambda state: -state[0]):
            load, rank = heap[0]
            owner[a, ball] = rank
            heapq.heapreplace(heap, (load + expected, rank))
        busy = [-done for done in early]
        for a, ball, seconds in layer:
            busy[owner[a, ball]] += seconds
        times.append(max(busy))
        idle = [times[-1] - time for time in busy]
        before, last = last, {(a, ball): (owner[a, ball], seconds) for a, ball, seconds in layer}
    return times


def shape_of(layers):
    """The work, the longest state and the number of states of every layer."""
    return [(sum(s for _, _, s in layer), max(s for _, _, s in layer), len(layer)) for layer in layers]


def exchange(ranks, size, latency, bandwidth):
    """Counts, records and the decision to go on: three collective calls, of which one is large."""
    return 0.0 if ranks == 1 else 3 * latency * math.ceil(math.log2(ranks)) + size * (ranks - 1) / ranks / bandwidth


def model(shape, sizes, rest, scale, exponent, ranks, network):
    """The seconds of a game with `scale` times the points of the measured one: in all, and those of solving alone."""
    computing = others = 0.0
    for (work, longest, count), size in zip(shape, sizes):
        work, longest = work * scale ** (exponent - 1), longest * scale ** (exponent - 2)
        # A layer takes its longest state at least; and a share of the work, and a part of a state that nobody expected.
        computing += work if ranks == 1 else max(longest, work / ranks + SURPRISE * longest)
        others += exchange(ranks, size * scale ** 2, *network) + rest * count * scale
    return scale * (computing + others), scale * computing


def least_squares(points):
    """The line through points, and its value at 0."""
    n = len(points)
    mean_x, mean_y = (sum(p[i] for p in points) / n for i in (0, 1))
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return slope, mean_y - slope * mean_x


def show_exchange(paths):
    for path in paths:
        pairs = sorted((int(row["bytes"]), float(row["exchange"])) for row in rows(path))
        # Medians of groups of like size: what else the machine does makes some exchanges long.
        group = max(1, len(pairs) // 12)
        medians = []
        for start in range(0, len(pairs), group):
            part = pairs[start:start + group]
            medians.append((part[len(part) // 2][0], sorted(seconds for _, seconds in part)[len(part) // 2]))
        slope, latency = least_squares(medians)
        print(f"{path}: {len(pairs)} exchanges, medians of twelfths by size")
        for size, seconds in medians:
            print(f"  {size:>10} bytes {1e6 * seconds:>10.1f} us")
        print(f"  line: {1e6 * latency:.0f} us and {1e-9 / slope:.2f} GB/s")


def show_growth(small, large):
    small, large = states([small]), states([large])
    points = [max(a for layer in layers for a, _, _ in layer) for layers in (small, large)]
    work = [sum(row[0] for row in shape_of(layers)) for layers in (small, large)]
    exponent = math.log(work[1] / work[0]) / math.log(points[1] / points[0])
    print(f"{points[0]} points: {work[0]:.2f} s, {points[1]} points: {work[1]:.2f} s, exponent {exponent:.2f}")


def show_scaling(exponent, layers_path, paths):
    layers = states(paths)
    points = max(a for layer in layers for a, _, _ in layer)
    shape = shape_of(layers)
    work = sum(row[0] for row in shape)
    totals = {}
    rest = 0.0
    for row in rows(layers_path):
        totals[int(row["total"])] = totals.get(int(row["total"]), 0) + int(row["bytes"])
        rest += float(row["rest"])
    sizes = [totals[total] for total in sorted(totals)]
    rest /= sum(row[2] for row in shape)
    print(f"{points} points: {work:.2f} s of work, {len(shape)} layers, longest states {sum(row[1] for row in shape):.2f} s,")
    print(f"{sum(sizes) / len(sizes) / 1e3:.0f} kB a layer, {1e6 * rest:.2f} us a state to enter what was solved")
    free = (0.0, math.inf)
    print(f"\nsimulation and model of {points} points, without exchanges: speed-up")
    print("ranks  simulated  model  simulated, going ahead")
    for ranks in (1, 2, 4, *RANKS):
        simulated, ahead = (sum(simulate(layers, ranks, ahead)) for ahead in (False, True))
        _, modelled = model(shape, sizes, rest, 1.0, exponent, ranks, free)
        print(f"{ranks:>5} {work / simulated:>10.1f} {work / modelled:>6.1f} {work / ahead:>23.1f}")
    for more in (1000, 2000, 5000):
        scale = more / points
        total = work * scale ** exponent
        print(f"\n{more} points: {total / 3600:.1f} hours of one core; hours on so many ranks of one thread (efficiency)")
        print("ranks  " + "  ".join(f"{name:>26}" for name in NETWORKS))
        for ranks in RANKS:
            cells = []
            for network in NETWORKS.values():
                seconds, _ = model(shape, sizes, rest, scale, exponent, ranks, network)
                cells.append(f"{seconds / 3600:>16.4f} ({100 * total / seconds / ranks:>5.1f} %)")
            print(f"{ranks:>5}  " + "  ".join(f"{cell:>26}" for cell in cells))


def main(arguments):
    match arguments:
        case ["exchange", *paths] if paths:
            show_exchange(paths)
        case ["growth", small, large]:
            show_growth(small, large)
        case ["scaling", exponent, layers_path, *paths] if paths:
            show_scaling(float(exponent), layers_path, paths)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
