// The solver's errors in the page's language; the solver itself speaks English.

import { language } from 'page/strings.js';

// A sentence of the solver, and its German translation. Groups in brackets replace $1, $2 and so on.
/** @type {[RegExp, string][]} */
const GERMAN = [
  [/^ball (.+) is outside the field (.+?)(?:\.\.=| to )(.+)$/, 'Der Ball kann nicht auf $1 liegen: Das Feld reicht von $2 bis $3'],
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
  [/^with (\d+) points left bids are (\d+)(?:\.\.=| to )(\d+)$/, 'Mit $1 Punkten bietet man $2 bis $3'],
  [/^the game is over at (.+)$/, 'Bei $1 ist das Spiel zu Ende'],
  [/^`(.*)` are no rules; .*$/, '„$1“ sind keine Regeln; erwartet wird etwa „field 2 motion net scoring two-one“'],
  [
    /^a field of (\d+) positions a side is not possible; expected 1(?:\.\.=| to )(\d+)$/,
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
  [
    /^(\S+) is outside the game, which has 0 to (\d+) points for A and 0 to (\d+) for B$/,
    'Den Zustand $1 gibt es in diesem Spiel nicht: A hat 0 bis $2 Punkte, B 0 bis $3',
  ],
  [
    /^the game was played by other rules \((.*)\) than those of the solution \((.*)\)$/,
    'Das Spiel wurde mit anderen Regeln gespielt ($1) als denen der Lösung ($2)',
  ],
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
  // A matrix.
  [
    /^a matrix needs at least one row and one column, and rows of equal length$/,
    'Eine Matrix braucht mindestens eine Zeile und eine Spalte, und alle Zeilen sind gleich lang',
  ],
  [/^entry (\S+) in row (\d+), column (\d+) is not a finite number$/, 'In Zeile $2, Spalte $3 steht keine endliche Zahl: $1'],
  [/^a payoff is 2\^(\d+) or larger in size; .*$/, 'Eine Auszahlung hat mindestens die Größe 2^$1; erwartet werden kleinere'],
  [
    /^the strategies that were found do not secure the value: .*$/,
    'Die gefundenen Strategien sichern den Wert nicht: Von diesem Spiel ist nichts bewiesen',
  ],
  // Policies.
  [
    /^the policy is for a smallest bid of (\d+); the smallest bid of the game is (\d+)$/,
    'Die Strategie ist für Gebote ab $1, im Spiel bietet man ab $2',
  ],
  [
    /^one matrix of weights serves both players, but .*$/,
    'Eine Matrix von Gewichten dient beiden, doch die Gebote von B sind nicht das Spiegelbild derer von A',
  ],
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
  // Games of any rules, and policies of theirs.
  [
    /^the game has (\d+) pairs of actions; .*$/,
    'Das Spiel hat $1 Paare von Zügen; die Seite löst bis zu 100.000, beliebig viele das Programm: pencil-tennis solve DATEI',
  ],
  [/^the file is empty; .*$/, 'Die Datei ist leer; erwartet wird eine Zeile, die Format und Art des Spiels nennt'],
  [/^expected a JSON object in every line, in braces$/, 'Erwartet wird in jeder Zeile ein JSON-Objekt in geschweiften Klammern'],
  [/^the line ends too early; .*$/, 'Die Zeile endet zu früh; erwartet wird ein ganzes JSON-Objekt in einer Zeile'],
  [/^the first line must be the header, .*$/, 'In der ersten Zeile müssen format, version, kind und start stehen'],
  [/^missing field `(.*)` \(column (\d+)\)$/, 'Das Feld „$1“ fehlt (Spalte $2)'],
  [/^unknown field `(.*)`, expected (?:one of )?(.*) \(column (\d+)\)$/, 'Ein Feld „$1“ gibt es nicht; es gibt $2 (Spalte $3)'],
  [/^(`\w+`) or (`\w+`)$/, '$1 und $2'],
  [/^duplicate field `(.*)` \(column (\d+)\)$/, 'Das Feld „$1“ steht zweimal da (Spalte $2)'],
  [
    /^in `(.*)`: found .*, expected a string \(column (\d+)\).*$/,
    'In „$1“ wird ein Text in Anführungszeichen erwartet (Spalte $2); auch Zahlen stehen in Anführungszeichen, wie "1/2"',
  ],
  [
    /^.*tuple of size 2.* \(column (\d+)\).*$/,
    'Erwartet werden Paare aus einer Wahrscheinlichkeit und einem Zustand (Spalte $1)',
  ],
  [
    /^(?:in `|invalid|expected|trailing|key must|control).* \(column (\d+)\).*$/,
    'Das ist kein gültiges JSON dieses Formats (Spalte $1)',
  ],
  [/^the format is `(.*)`; expected `(.*)`$/, 'Das Format ist „$1“; erwartet wird „$2“'],
  [/^the format has version (\d+); .*$/, 'Das Format hat die Version $1; bekannt ist nur 1'],
  [/^expected either `value`, or .*$/, 'Ein Zustand hat entweder „value“ oder „a“, „b“ und „cells“'],
  [/^`(.*)` is no number; .*$/, '„$1“ ist keine Zahl; erwartet wird ein Bruch wie 7/8 oder eine Dezimalzahl wie -0.25'],
  [
    /^`(.*)` is no kind of game; .*$/,
    '„$1“ ist keine Art von Spiel; erwartet wird acyclic, discounted, stopping, recursive, total oder target',
  ],
  [/^a discounted game has a discount; .*$/, 'Zur Art discounted gehört ein Feld „discount“, etwa "9/10"'],
  [/^there is a discount; .*$/, '„discount“ gibt es nur bei der Art discounted'],
  [/^a discount of (\S+) is out of range; .*$/, '„discount“ ist $1; erwartet wird eine Zahl zwischen 0 und 1'],
  [/^there is a state of this name already$/, 'Einen Zustand dieses Namens gibt es schon'],
  [/^(.) has two actions `(.*)`$/, '$1 hat zwei Züge „$2“'],
  [/^(.) has no action; .*$/, '$1 hat keinen Zug; erwartet wird mindestens einer'],
  [
    /^the number of rows of cells is (\d+); expected (\d+), .*$/,
    '„cells“ hat $1 Zeilen; erwartet werden $2, eine für jeden Zug von A',
  ],
  [
    /^the number of cells in the row of `(.*)` is (\d+); expected (\d+), .*$/,
    'Die Zeile des Zugs „$1“ hat $2 Zellen; erwartet werden $3, eine für jeden Zug von B',
  ],
  [/^there is no state `(.*)`$/, 'Einen Zustand „$1“ gibt es nicht'],
  [/^there is no start; .*$/, 'Es ist kein Anfang genannt; erwartet wird der Name mindestens eines Zustands'],
  [/^a (payoff|reward) of (\S+) is too large; .*$/, '$2 ist zu groß; erwartet werden Beträge bis 2,3e18'],
  [
    /^play can return to this state, .* expected kind (\S+)\)?$/,
    'In diesen Zustand kann das Spiel zurückkehren, doch die Art ist acyclic; es passt $1',
  ],
  [
    /^the players can keep play among (.*) for ever, .*; expected kind (\S+)$/,
    'In $1 kann das Spiel für immer bleiben, doch die Art ist stopping; es passt $2',
  ],
  [
    /^endless play pays (\S+) here and (\S+) at `(.*)`, .*$/,
    'Endloses Spiel zahlt hier $1 und in „$2“ $3; in einem Zyklus muss es dasselbe zahlen',
  ],
  [/^play can take too many turns until it stops$/, 'Das Spiel kann zu lange dauern'],
  [/^no bounds are proved here: (.*)$/, 'Hier sind keine Schranken bewiesen: $1'],
  [/^the game is too large: (.*)$/, 'Das Spiel ist zu groß: $1'],
  [/^the number of (.+) is (\d+); expected (\d+), one for each action of (.)$/, '$1: $2; erwartet werden $3, eins für jeden Zug von $4'],
  [
    /^a probability may be (\S+) to (\S+); .*$/,
    'Eine Wahrscheinlichkeit reicht von $1 bis $2; erwartet werden zwei Zahlen, die erste über 0 und nicht größer als die zweite',
  ],
  [
    /^the least probabilities sum to (\S+) and the largest to (\S+); .*$/,
    'Die kleinsten Wahrscheinlichkeiten ergeben zusammen $1, die größten $2; die 1 muss dazwischen liegen',
  ],
  [
    /^a probability is an interval, and it is not said for whom .*$/,
    'Eine Wahrscheinlichkeit ist ein Intervall, und es ist nicht gesagt, für wen die Natur darin wählt; erwartet wird „nature“, A oder B',
  ],
  [/^the probability (\S+) is negative$/, 'Die Wahrscheinlichkeit $1 ist negativ'],
  [/^no state follows: .*$/, 'Es folgt kein Zustand'],
  [
    /^the least common denominator .* has (\d+) bits, .*; at most (\d+) .*$/,
    'Der gemeinsame Nenner von Wahrscheinlichkeiten und Gewinn hat $1 Bits; möglich sind $2',
  ],
  [
    /^there is a reward; recursive games .*\(expected kind (\S+)\)$/,
    'Bei der Art recursive gibt es keine Gewinne in Zellen; es passt $1',
  ],
  [/^there are rewards of both signs; .*$/, 'Die Gewinne haben beide Vorzeichen; dann passt die Art stopping oder discounted'],
  [/^play that misses its end pays .*$/, 'Bei der Art target gibt es kein „endless“'],
  [/^the value is infinite for (.) at (.*): .*$/, 'Der Wert ist für $1 unendlich in $2: Dort kann man für immer gewinnen'],
  [
    /^it is not decided whether the value is infinite for (.) at (.*): .*$/,
    'Ob der Wert für $1 in $2 unendlich ist, ließ sich nicht entscheiden',
  ],
  [/^state `(.*?)`: (.*)$/, 'Zustand „$1“: $2'],
  [/^`(.*?)` against `(.*?)`: (.*)$/, '„$1“ gegen „$2“: $3'],
  [/^(.)'s policy: (.*)$/, 'Die Strategie von $1: $2'],
  [/^nothing is said of how to play$/, 'Hier ist nicht gesagt, wie gespielt wird'],
  [/^the action `(.*)` is given twice$/, 'Der Zug „$1“ steht zweimal da'],
  [/^the probability (\S+) of `(.*)` is negative$/, 'Die Wahrscheinlichkeit $1 von „$2“ ist negativ'],
  [
    /^the probability of `(.*)` is too small .*$/,
    'Die Wahrscheinlichkeit von „$1“ ist zu klein; erwartet wird 0 oder mindestens 2^-62',
  ],
  [/^`(.*)` is no player; .*$/, '„$1“ ist kein Spieler; erwartet wird A oder B'],
  [/^`(.*)` is an end$/, 'In „$1“ ist das Spiel zu Ende'],
  [/^(.) has no action `(.*)` at `(.*)`$/, '$1 hat in „$3“ keinen Zug „$2“'],
  [/^there are no rows$/, 'Die Datei hat keine Zeilen'],
  [/^line (\d+) has (\d+) fields; expected (\d+)$/, 'Zeile $1 hat $2 Felder; erwartet werden $3'],
  [/^line (\d+) is not text$/, 'Zeile $1 ist kein Text'],
  [/^(.+) would take (\S+ \S+) of memory, above the limit of (.+)$/, 'Das braucht $2 Speicher; hier sind es höchstens $3'],
  [
    /^wide where play can go on for ever: no better .*$/,
    'Die Schranken sind weit, wo das Spiel endlos sein kann: Bessere Strategien wurden nicht gefunden',
  ],
  [
    /^wide where play can go on for ever: better strategies .*$/,
    'Die Schranken sind weit, wo das Spiel endlos sein kann: Bessere Strategien wählen Züge seltener, als hier versucht wird',
  ],
  [/^wide where probabilities are uncertain: .*$/, 'Die Schranken sind weit, wo Wahrscheinlichkeiten unbestimmt sind'],
  [/^wide where play can go on for very long: .*$/, 'Die Schranken sind weit, wo das Spiel sehr lange dauern kann'],
  [/^learners need a scoring .*; (.*) is not$/, 'Wer lernt, braucht eine Wertung, die für beide dieselbe ist; $1 ist es nicht'],
];

// What libraries say, in the words of the solver.
/** @type {[RegExp, string][]} */
const PLAIN = [
  [/CSV parse error: .*?line:? (\d+).*utf-8.*/i, 'line $1 is not text'],
  [/CSV error: .*?line:? (\d+).*?(\d+) fields?, but .*? (\d+) fields?.*/i, 'line $1 has $2 fields; expected $3'],
];

// A sentence of the solver in the page's language.
export function explain(said) {
  const sentence = PLAIN.reduce((text, [words, plain]) => text.replace(words, plain), said);
  if (language() !== 'de') return sentence;
  for (const [english, german] of GERMAN) if (english.test(sentence)) return part(sentence, english, german);
  return sentence;
}

// A part of a sentence may be a sentence itself, such as the bid that a line of a game cannot have.
function part(sentence, english, german) {
  const found = english.exec(sentence).slice(1);
  return german.replace(/\$(\d)/g, (_, place) => explain(found[place - 1]));
}
