#!/usr/bin/env bash
# The tables of findings.md that no command prints alone, from the tables that `export` writes.
#
#   docs/findings.sh PROGRAM FOLDER    writes FOLDER/values.csv and strategies.csv where they are missing: half a minute, 57 MB
set -euo pipefail
program=${1:?usage: docs/findings.sh PROGRAM FOLDER}
folder=${2:?usage: docs/findings.sh PROGRAM FOLDER}
values=$folder/values.csv
strategies=$folder/strategies.csv
[ -e "$values" ] || "$program" export values 400 -o "$values"
[ -e "$strategies" ] || "$program" export strategies 100 -o "$strategies"

echo "opening of 50 points: what every bid gains against the optimal opening"
"$program" show 50:50@0 --format json | python3 -c "
import json, sys
start = json.load(sys.stdin)
for bid, row in enumerate(start['matrix'], 1):
    print(bid, round(sum(b['probability'] * row[b['bid'] - 1] for b in start['b']), 4))"

echo "points, lowest and highest opening bid, share of odd bids"
awk -F, '$1==$2 && $3==0 && $4=="A" {if ($5%2) odd[$1]+=$6; if (!low[$1]) low[$1]=$5; high[$1]=$5}
  END {for (n=1; n<=100; n++) printf "%d %d..%d %.1f %%\n", n, low[n], high[n], 100*odd[n]}' "$strategies"

echo "points, ball, value with equal accounts or gain from one more point"
awk -F, '$2 ~ /^(10|20|50|100|200)$/ {
    if ($1 == $2) { value[$2, $3] = $4; print $2, $3, $4, "equal" }
    if ($1 == $2 + 1) print $2, $3, $4 - value[$2, $3]
}' "$values"

echo "ball, states in which A randomises, those in which A may bid 1, those in which 1 is the likeliest bid"
awk -F, '$4=="A" && $1<=50 && $2<=50 && $6<1 {s=$1","$2","$3; if ($6>most[s]) {most[s]=$6; bid[s]=$5} if ($5==1) one[s]=1}
  END {for (s in most) {split(s, at, ","); x=at[3]; n[x]++; may[x]+=s in one; likeliest[x]+=bid[s]==1;}
  for (x=-2; x<=2; x++) print x, n[x], may[x], likeliest[x]}' "$strategies"
