// What the solver refuses, in the page's language: the solver itself speaks English.

import { language } from 'page/strings.js';

// A sentence of the solver, and the same in German. What stands in brackets is put in for $1, $2 and so on.
const GERMAN = [
  [/^ball (.+) is outside the field (.+)$/, 'Der Ball kann nicht auf $1 liegen: Das Feld reicht von $2'],
  [/^`(.*)` is not a ball position; .*$/, '„$1“ ist keine Stelle für den Ball; erwartet wird eine ganze Zahl wie -2'],
  [/^`(.*)` is not a state; .*$/, '„$1“ ist kein Zustand; erwartet wird PUNKTE_VON_A:PUNKTE_VON_B@BALL wie 50:50@0 oder 4:3@-2'],
  [/^(.) cannot bid (\d+): (.*)$/, '$1 kann nicht $2 bieten: $3'],
  [/^with an empty account the only bid is 0$/, 'Von einem leeren Konto bietet man 0'],
  [/^with 1 point left the only bid is 1$/, 'Mit dem letzten Punkt bietet man 1'],
  [/^with 1 point left bids are 0 and 1$/, 'Mit dem letzten Punkt bietet man 0 oder 1'],
  [
    /^.* cannot be had (?:yet )?where the smallest bid is 0 .*$/,
    'Das gibt es noch nicht, wo 0 geboten werden darf und ein Spiel ewig dauern kann',
  ],
  [/^with (\d+) points left bids are (\d+)\.\.=(\d+)$/, 'Mit $1 Punkten bietet man $2 bis $3'],
  [/^the game is over at (.+)$/, 'Bei $1 ist das Spiel zu Ende'],
  [/^`(.*)` are no rules; .*$/, '„$1“ sind keine Regeln; erwartet wird etwa „field 2 motion net scoring two-one“'],
  [
    /^a field of (\d+) positions a side is not possible; expected 1\.\.=(\d+)$/,
    '$1 Felder auf jeder Seite sind nicht möglich; erlaubt sind 1 bis $2',
  ],
  [/^`(.*)` is not a motion; .*$/, '„$1“ ist keine Art zu schlagen; erwartet wird net oder step'],
  [
    /^`(.*)` is not a scoring; .*$/,
    '„$1“ ist keine Wertung; erwartet wird two-one, win-loss oder fünf Zahlen mit Kommas dazwischen',
  ],
  [/^`(.*)` is not a payoff; .*$/, '„$1“ ist kein Gewinn; erwartet wird eine Zahl wie 2, -0.5 oder 1/3'],
  [/^payoff (.*) is out of range: .*$/, 'Der Gewinn $1 ist zu groß oder hat zu viele Stellen; erlaubt sind 18'],
  [/^(.) starts with 0 points; .*$/, '$1 beginnt mit 0 Punkten; beide brauchen mindestens einen'],
  [/^(\d+) points are too many; at most (\d+) are supported$/, '$1 Punkte sind zu viele; möglich sind höchstens $2'],
  [
    /^a game of (\S+) points would take (.+) of memory, above the limit of (.+)$/,
    'Ein Spiel mit $1 Punkten braucht $2 Speicher; hier sind es höchstens $3',
  ],
  [
    /^blind Tennis with (\S+) points has .* would take about (.+) of memory, above the limit of (.+); that is enough for (\S+) points$/,
    'Blind-Tennis mit $1 Punkten braucht etwa $2 Speicher, hier sind es höchstens $3; das reicht für $4 Punkte',
  ],
  [/^(\S+) is outside the solution, which covers .*$/, 'Den Zustand $1 gibt es in diesem Spiel nicht'],
  [/^no policy has been read$/, 'Es ist noch keine Strategie gelesen'],
  [/^no game has been solved$/, 'Es ist noch kein Spiel gelöst'],
  // Written games.
  [
    /^line (\d+): bids (\d+) and (\d+) from (\S+) lead to (\S+), not to (\S+)$/,
    'Zeile $1: Die Gebote $2 und $3 führen von $4 nach $5, nicht nach $6',
  ],
  [/^line (\d+): (.*)$/, 'Zeile $1: $2'],
  [/^the table has no start line$/, 'Es fehlt die Zeile mit dem Anfang, etwa „0 50 50 0“'],
  [
    /^expected the start as `.*`, found `(.*)`$/,
    'Erwartet wird der Anfang als „0 PUNKTE_VON_A PUNKTE_VON_B BALL“, da steht „$1“',
  ],
  [/^expected turn (\d+), found turn (-?\d+)$/, 'Erwartet wird Zug $1, da steht Zug $2'],
  [/^(\S+) is no bid$/, '$1 ist kein Gebot'],
  [/^expected (\d+) numbers, found (\d+): `(.*)`$/, 'Erwartet werden $1 Zahlen, da stehen $2: „$3“'],
  [/^`(.*)` is not a number$/, '„$1“ ist keine Zahl'],
  [/^(\S+) is no number of points$/, '$1 ist keine Zahl von Punkten'],
  [/^the ball is outside every field$/, 'Der Ball liegt außerhalb jedes Feldes'],
  // Policies.
  [/^(.)'s policy at (\S+): (.*)$/, 'Die Strategie von $1 bei $2: $3'],
  [/^(.)'s policy says nothing about (.*)$/, 'Die Strategie von $1 sagt nichts über $2'],
  [/^not a policy: (.*)$/, 'Das ist keine Strategie: $1'],
  [/^the policy does not say how (.) bids$/, 'Die Strategie sagt nicht, wie $1 bietet'],
  [/^(\S+) is outside the policy, which covers .*$/, 'Der Zustand $1 gehört nicht zur Strategie'],
  [
    /^the policy is for (\S+) points and field (\d+), the game has (\S+) points and field (\d+)$/,
    'Die Strategie ist für $1 Punkte und Feld $2, das Spiel hat $3 Punkte und Feld $4',
  ],
  [
    /^a policy for (\S+) points has no mirror image .*$/,
    'Eine Strategie für $1 Punkte hat kein Spiegelbild; beide brauchen gleich viele Punkte',
  ],
  [/^bid (\d+) has the number (\S+), but (.*)$/, 'Gebot $1 hat die Zahl $2, aber: $3'],
  [/^bid (\d+) has the (?:number|weight) (\S+); .*$/, 'Gebot $1 hat die Zahl $2; erwartet wird eine, die nicht unter 0 liegt'],
  [/^bid (\d+) is given twice$/, 'Gebot $1 steht zweimal da'],
  [/^no bid has a positive weight$/, 'Kein Gebot hat ein Gewicht über 0'],
  [/^the probabilities sum to (\S+); .*$/, 'Die Wahrscheinlichkeiten ergeben zusammen $1 statt 1'],
  [/^there are no bids in it$/, 'Es stehen keine Gebote darin'],
  [/^there is no column `(.*)`; expected (.*)$/, 'Die Spalte „$1“ fehlt; erwartet werden $2'],
  [/^the array (\S+) has shape (.*); expected (.*)$/, 'Das Feld $1 hat die Form $2; erwartet wird $3'],
  [/^the archive holds (.*); expected .*$/, 'Im Archiv steht $1; erwartet wird policy_a, policy_b oder weights'],
  [/^row (\d+) of the weights has (\d+) columns; expected (\d+)$/, 'Zeile $1 der Gewichte hat $2 Spalten; erwartet werden $3'],
  [
    /^the weights have (\d+) rows; expected (\d+), one for every state$/,
    'Es sind $1 Zeilen; erwartet werden $2, eine für jeden Zustand',
  ],
  [/^row (\d+) of the weights: (.*)$/, 'Zeile $1 der Gewichte: $2'],
  [/^learners need a scoring .*; (.*) is not$/, 'Wer lernt, braucht eine Wertung, die für beide dieselbe ist; $1 ist es nicht'],
];

// A sentence of the solver in the page's language.
export function explain(sentence) {
  if (language() !== 'de') return sentence;
  for (const [english, german] of GERMAN) if (english.test(sentence)) return part(sentence, english, german);
  return sentence;
}

// What stands in a sentence may be one itself, such as the bid that a line of a game cannot have.
function part(sentence, english, german) {
  const found = english.exec(sentence).slice(1);
  return german.replace(/\$(\d)/g, (_, place) => explain(found[place - 1]));
}
