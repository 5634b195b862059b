"""Trains PPO or DQN of stable-baselines3 on a task of the benchmark, and prints the exploitability while it learns.

    pip install 'pencil-tennis[env,sb3]'
    python python/examples/ppo.py [TASK] [TURNS] [ppo | maskable | dqn]

The learner plays against a mixture of its own earlier policies, half of them the last one (fictitious self-play in the large). A
turn is one bid of one game. As agents of the benchmark, from this folder:

    python -m pencil_tennis.benchmark run ppo:ppo ppo:dqn --tasks tennis-8 tennis-20 -o learned.jsonl
"""

from __future__ import annotations

import sys
from typing import Any

from pencil_tennis import LearningCurve, Policy
from pencil_tennis.benchmark import TASKS, Learned, Task
from pencil_tennis.gym import Mixture
from pencil_tennis.sb3 import TennisVecEnv, policy_of

TURNS = 200_000
"""The turns that agents of the benchmark train for."""

ROUNDS = 10
"""How often the opponent is exchanged, and the learner judged."""


def model_of(name: str, env: TennisVecEnv, seed: int) -> Any:
    """The learner, with the default settings of its package except those here."""
    if name == "dqn":
        from stable_baselines3 import DQN

        return DQN("MultiInputPolicy", env, seed=seed, learning_starts=1_000, gamma=1.0, train_freq=4, gradient_steps=4)
    if name == "maskable":
        from sb3_contrib import MaskablePPO

        return MaskablePPO("MultiInputPolicy", env, seed=seed, n_steps=64, batch_size=1_024, gamma=1.0, ent_coef=0.02)
    from stable_baselines3 import PPO

    return PPO("MultiInputPolicy", env, seed=seed, n_steps=64, batch_size=1_024, gamma=1.0, ent_coef=0.02)


def train(task: Task, turns: int, name: str = "ppo", seed: int = 1, curve: LearningCurve | None = None) -> Learned:
    """Trains for `turns` turns, and judges after every tenth of them."""
    env = TennisVecEnv(64, task.points, "uniform", task.rules)
    env.seed(seed)
    model = model_of(name, env, seed)
    earlier: list[Policy] = []
    for done in range(ROUNDS):
        model.learn(turns // ROUNDS, reset_num_timesteps=done == 0)
        policy = policy_of(model, task.points, task.rules)
        earlier.append(policy)
        env.set_opponent(Mixture(earlier, [1.0] * (len(earlier) - 1) + [max(1.0, len(earlier) - 1.0)]))
        learned = int(model.num_timesteps)
        if curve is not None:
            print(f"{learned:9,} turns: exploitability {curve.note(policy, learned).exploitability:.3f}", flush=True)
    # Turns were counted, not games.
    return Learned(earlier[-1])


def ppo(task: Task, seed: int) -> Learned | None:
    """PPO as an agent of the benchmark; open games with equal points."""
    return train(task, TURNS, seed=seed) if task.kind == "open" and task.points[0] == task.points[1] else None


def maskable(task: Task, seed: int) -> Learned | None:
    """sb3-contrib's PPO that knows the legal bids, as an agent of the benchmark."""
    return train(task, TURNS, "maskable", seed) if task.kind == "open" and task.points[0] == task.points[1] else None


def dqn(task: Task, seed: int) -> Learned | None:
    """DQN as an agent of the benchmark."""
    return train(task, TURNS, "dqn", seed) if task.kind == "open" and task.points[0] == task.points[1] else None


def main() -> None:
    """Trains on the task that the command line names."""
    name, turns, learner = [*sys.argv[1:], *["tennis-8", "100000", "ppo"][len(sys.argv) - 1 :]]
    if name not in TASKS:
        sys.exit(f"`{name}` is not a task; expected one of {', '.join(TASKS)}")
    task = TASKS[name]
    train(task, int(turns), learner, curve=LearningCurve(task.solution))


if __name__ == "__main__":
    main()
