#!/usr/bin/env bash
# All runs that docs/learning.md speaks of, some twelve minutes of an idle core: learning_runs.sh FOLDER PROGRAM...
# for example: docs/learning_runs.sh runs target/release/pencil-tennis. What is there already is not run again.
set -euo pipefail
folder=$1
shift
program=("$@")
mkdir -p "$folder"

# train NAME SEEDS GAMES LEARNER [OPTION...]: curves NAME-SEED.csv, policies NAME-SEED.npz.
train() {
    local name=$1 seeds=$2 games=$3
    shift 3
    for seed in $seeds; do
        local file="$folder/$name-$seed"
        [ -e "$file.npz" ] || "${program[@]}" train "$@" --games "$games" --seed "$seed" --curve "$file.csv" -o "$file.npz" >"$file.txt"
    done
}

# Sweeps draw no random numbers: one seed is all of them.
for learner in rm rm-plus cfr-plus fictitious exponential; do
    train $learner 1 1e7 $learner
done
train cfr-plus-long 1 1e8 cfr-plus
train simple "1 2 3 4 5" 1e7 simple
train points "1 2 3" 1e7 simple --reward points
train win-loss "1 2 3" 1e7 simple --scoring win-loss
train loss "1 2 3" 1e7 extended --loss 1
train rare "1 2 3" 1e7 extended --rare 100
train every "1 2 3" 1e7 extended --every 1000
train middle "1 2 3" 1e7 extended --middle 0.5
train close "1 2 3" 1e7 extended --middle 0.5 --close
train forget "1 2 3" 1e7 extended --forget 100000
train forget-more "1 2 3" 1e7 extended --forget 10000
train together "1 2 3" 1e7 extended --reward points --loss 1 --rare 100
train outcome "1 2 3" 1e7 outcome
train outcome-more "1 2 3" 1e6 outcome --explore 0.3
train cfr-plus-games "1 2 3" 1e6 cfr-plus --schedule games
train cfr-plus-games-more "1 2 3" 1e6 cfr-plus --schedule games --explore 0.5
train billion 1 1e9 simple
# Smaller games, where the end can be seen: no luck is needed in most states of 8 points; in 12 it is.
for points in 8 12; do
    train "win-loss-of-$points" "1 2 3" 1e8 simple --scoring win-loss --points $points
done
