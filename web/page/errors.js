// The solver's errors in the page's language. The solver says each as an object: a code, its sentence in English, the fields of the
// sentence by their names, and where in a game it was found.

import { language } from 'page/strings.js';

// The bids from an account.
function bids({ lowest, highest }) {
  if (highest === 0) return 'Von einem leeren Konto bietet man 0';
  if (lowest === highest) return 'Mit dem letzten Punkt bietet man 1';
  if (highest === 1) return 'Mit dem letzten Punkt bietet man 0 oder 1';
  return `Mit ${highest} Punkten bietet man ${lowest} bis ${highest}`;
}

// The names of states.
const names = ({ states }) => states.map((name) => `„${name}“`).join(', ');

// A sentence for each code, in which a name in braces stands for the field, or a function of the fields.
/** @type {Record<string, string | ((fields: any) => string)>} */
const GERMAN = {
  'game.ball_outside': 'Der Ball kann nicht auf {ball} liegen: Das Feld reicht von -{field} bis {field}',
  'game.ball_syntax': '„{text}“ ist keine Stelle für den Ball; erwartet wird eine ganze Zahl wie -2',
  'game.state_syntax': '„{text}“ ist kein Zustand; erwartet wird PUNKTE_VON_A:PUNKTE_VON_B@BALL wie 50:50@0 oder 4:3@-2',
  'game.no_points': '{player} beginnt mit 0 Punkten; beide brauchen mindestens einen',
  'game.too_many_points': '{points} Punkte sind zu viele; möglich sind höchstens {most}',
  'game.outside': 'Den Zustand {state} gibt es in diesem Spiel nicht: A hat 0 bis {a} Punkte, B 0 bis {b}',
  'game.bid_illegal': (fields) => `${fields.player} kann nicht ${fields.bid} bieten: ${bids(fields)}`,
  'game.game_over': 'Bei {state} ist das Spiel zu Ende',
  'game.record_line': 'Zeile {line}: {reason}',
  'game.other_rules': 'Das Spiel wurde mit anderen Regeln gespielt ({played}) als denen der Lösung ({solved})',
  'game.rules_syntax': '„{text}“ sind keine Regeln; erwartet wird etwa „field 2 motion net scoring two-one“',
  'game.field_size': '{field} Felder auf jeder Seite sind nicht möglich; erlaubt sind 1 bis {largest}',
  'game.zero_bids': 'Das gibt es noch nicht, wo 0 geboten werden darf und ein Spiel ewig dauern kann',
  'game.motion_unknown': '„{text}“ ist keine Art zu schlagen; erwartet wird net oder step',
  'game.scoring_syntax': '„{text}“ ist keine Wertung; erwartet wird two-one, win-loss oder fünf Zahlen mit Kommas dazwischen',
  'game.scoring_number': '„{text}“ ist kein Gewinn; erwartet wird eine Zahl wie 2, -0.5 oder 1/3',
  'game.scoring_size': 'Der Gewinn {payoff} ist zu groß oder hat zu viele Stellen; erlaubt sind 18',
  'record.no_start': 'Es fehlt die Zeile mit dem Anfang, etwa „0 50 50 0“',
  'record.start': 'Erwartet wird der Anfang als „0 PUNKTE_VON_A PUNKTE_VON_B BALL“, da steht „{text}“',
  'record.count': 'Erwartet werden {expected} Zahlen, da stehen {found}: „{text}“',
  'record.number': '„{text}“ ist keine Zahl',
  'record.turn': 'Erwartet wird Zug {expected}, da steht Zug {found}',
  'record.bid': '{number} ist kein Gebot',
  'record.points': '{number} ist keine Zahl von Punkten',
  'record.ball': 'Der Ball liegt außerhalb jedes Feldes',
  'record.after': 'Die Gebote {bid_a} und {bid_b} führen von {before} nach {after}, nicht nach {written}',
  'work.memory': 'Das braucht {memory} Speicher; hier sind es höchstens {limit}',
  'blind.memory': 'Blind-Tennis mit {a}:{b} Punkten braucht zu viel Speicher; er reicht für {most}:{most} Punkte',
  'matrix.shape': 'Eine Matrix braucht mindestens eine Zeile und eine Spalte, und alle Zeilen sind gleich lang',
  'matrix.entry': 'In Zeile {row}, Spalte {column} steht keine endliche Zahl: {entry}',
  'matrix.size': 'Eine Auszahlung hat mindestens die Größe 2^{bits}; erwartet werden kleinere',
  'matrix.not_proved': 'Die gefundenen Strategien sichern den Wert nicht: Von diesem Spiel ist nichts bewiesen',
  'policy.other_bids': 'Die Strategie ist für Gebote ab {min_bid}, im Spiel bietet man ab {game_min_bid}',
  'policy.lopsided': 'Eine Matrix von Gewichten dient beiden, doch die Gebote von B sind nicht das Spiegelbild derer von A',
  'policy.distribution': 'Die Strategie von {player} bei {state}: {reason}',
  'policy.incomplete': ({ player, missing, named }) =>
    `Die Strategie von ${player} sagt nichts über ${missing === 1 ? 'einen Zustand' : `${missing} Zustände`}: ${named}`,
  'policy.file': 'Das ist keine Strategie: {reason}',
  'policy.lacks_player': 'Die Strategie sagt nicht, wie {player} bietet',
  'policy.other_game': 'Die Strategie ist für {a}:{b} Punkte und Feld {field}, das Spiel hat {game_a}:{game_b} Punkte und Feld {game_field}',
  'policy.mirror': 'Eine Strategie für {a}:{b} Punkte hat kein Spiegelbild; beide brauchen gleich viele Punkte',
  'bids.number': 'Gebot {bid} hat die Zahl {number}; erwartet wird eine, die nicht unter 0 liegt',
  'bids.weight': 'Gebot {bid} hat das Gewicht {number}; erwartet wird eines, das nicht unter 0 liegt',
  'bids.illegal': 'Gebot {bid} hat die Zahl {number}, aber: {fault}',
  'bids.twice': 'Gebot {bid} steht zweimal da',
  'bids.too_small': 'Gebot {bid} hat {number}, was zu klein ist; erwartet wird 0 oder mindestens 2^-62',
  'bids.no_weight': 'Kein Gebot hat ein Gewicht über 0',
  'bids.sum': 'Die Wahrscheinlichkeiten ergeben zusammen {sum} statt 1',
  'table.column': 'Die Spalte „{column}“ fehlt; erwartet werden {expected}',
  'table.fields': 'Zeile {line} hat {found} Felder; erwartet werden {expected}',
  'table.not_text': 'Zeile {line} ist kein Text',
  'table.entry': 'Zeile {line}, {column}: „{text}“ passt nicht in diese Spalte',
  'table.line': 'Zeile {line}: {reason}',
  'table.unreadable': 'Die Datei ist nicht lesbar ({reason})',
  'table.no_rows': 'Die Datei hat keine Zeilen',
  'table.no_bids': 'Es stehen keine Gebote darin',
  'table.weight': 'Zeile {line} der Gewichte: „{text}“ ist keine Zahl',
  'table.columns': 'Zeile {row} der Gewichte hat {found} Spalten; erwartet werden {expected}',
  'table.rows': 'Es sind {found} Zeilen; erwartet werden {expected}, eine für jeden Zustand',
  'table.arrays': 'Im Archiv steht {names}; erwartet wird policy_a, policy_b oder weights',
  'table.array': 'Das Feld {array} ist nicht lesbar ({reason})',
  'table.shape': 'Das Feld {array} hat die Form {found}; erwartet wird {expected}',
  'page.not_blind': 'Es ist noch kein blindes Spiel gelöst',
  'page.unsolved': 'Es ist noch kein Spiel gelöst',
  'page.no_policy': 'Es ist noch keine Strategie gelesen',
  'page.too_large':
    'Das Spiel hat {cells} Paare von Zügen; die Seite löst bis zu {most}, beliebig viele das Programm: pencil-tennis solve DATEI',
  'line.empty': 'Die Datei ist leer; erwartet wird eine Zeile, die Format und Art des Spiels nennt',
  'line.no_object': 'Erwartet wird in jeder Zeile ein JSON-Objekt in geschweiften Klammern',
  'line.ends': 'Die Zeile endet zu früh; erwartet wird ein ganzes JSON-Objekt in einer Zeile',
  'line.missing': 'Das Feld „{field}“ fehlt (Spalte {column})',
  'line.unknown': 'Ein Feld „{field}“ gibt es nicht (Spalte {column})',
  'line.duplicate': 'Das Feld „{field}“ steht zweimal da (Spalte {column})',
  'line.json': ({ column, hint }) =>
    hint
      ? `Erwartet werden Paare aus einer Wahrscheinlichkeit und einem Zustand (Spalte ${column})`
      : `Das ist kein gültiges JSON dieses Formats (Spalte ${column})`,
  'line.type': ({ field, expected, column }) =>
    expected === 'a string'
      ? `In „${field}“ wird ein Text in Anführungszeichen erwartet (Spalte ${column}); auch Zahlen stehen in Anführungszeichen, wie "1/2"`
      : `In „${field}“ steht etwas anderes als erwartet (Spalte ${column})`,
  'line.no_header': 'In der ersten Zeile müssen format, version, kind und start stehen',
  'line.format': 'Das Format ist „{text}“; erwartet wird „{expected}“',
  'line.version': 'Das Format hat die Version {version}; bekannt ist nur {known}',
  'line.nature': 'Die Natur wählt für „{text}“; erwartet wird "A" oder "B"',
  'line.parts': 'Ein Zustand hat entweder „value“ oder „a“, „b“ und „cells“',
  'line.too_long': 'Die Zeile hat mehr als {most} Bytes',
  'line.unreadable': 'Die Datei ist nicht lesbar ({reason})',
  'discount.range': '„discount“ ist {discount}; erwartet wird eine Zahl zwischen 0 und 1',
  'discount.missing': 'Zur Art discounted gehört ein Feld „discount“, etwa "9/10"',
  'discount.needless': '„discount“ gibt es nur bei der Art discounted',
  'actions.no_row': 'Zeile {row} der Strategie fehlt; erwartet werden {width} Zahlen für jeden Zustand',
  'actions.not_finite': 'Die Wahrscheinlichkeit {probability} von „{action}“ ist nicht endlich',
  'actions.negative': 'Die Wahrscheinlichkeit {probability} von „{action}“ ist negativ',
  'actions.nothing': 'Hier ist nicht gesagt, wie gespielt wird',
  'actions.too_large': 'Die Gewichte ergeben zusammen zu viel',
  'actions.sum': 'Die Wahrscheinlichkeiten ergeben zusammen {sum} statt 1',
  'actions.end': 'Hier ist das Spiel zu Ende',
  'actions.unknown': 'Einen Zug {action} gibt es nicht; es gibt 0 bis {last}',
  'actions.twice': 'Der Zug „{action}“ steht zweimal da',
  'actions.too_small': 'Die Wahrscheinlichkeit von „{action}“ ist zu klein; erwartet wird 0 oder mindestens 2^-62',
  'stochastic_game.number': '„{text}“ ist keine Zahl; erwartet wird ein Bruch wie 7/8 oder eine Dezimalzahl wie -0.25',
  'stochastic_game.kind':
    '„{text}“ ist keine Art von Spiel; erwartet wird acyclic, discounted, stopping, recursive, total oder target',
  'stochastic_game.duplicate_state': 'Einen Zustand dieses Namens gibt es schon',
  'stochastic_game.duplicate_action': '{player} hat zwei Züge „{action}“',
  'stochastic_game.no_action': '{player} hat keinen Zug; erwartet wird mindestens einer',
  'stochastic_game.shape': ({ row, found, expected, player }) =>
    row === null
      ? `„cells“ hat ${found} Zeilen; erwartet werden ${expected}, eine für jeden Zug von ${player}`
      : `Die Zeile des Zugs „${row}“ hat ${found} Zellen; erwartet werden ${expected}, eine für jeden Zug von ${player}`,
  'stochastic_game.unknown_state': 'Einen Zustand „{name}“ gibt es nicht',
  'stochastic_game.no_start': 'Es ist kein Anfang genannt; erwartet wird der Name mindestens eines Zustands',
  'stochastic_game.payoff': '{payoff} ist zu groß; erwartet werden Beträge bis 2,3e18',
  'stochastic_game.large_reward': '{reward} ist zu groß; erwartet werden Beträge bis 2,3e18',
  'stochastic_game.cycle': 'In diesen Zustand kann das Spiel zurückkehren, doch die Art ist acyclic; es passt {expected}',
  'stochastic_game.endless': (fields) =>
    `In ${names(fields)} kann das Spiel für immer bleiben, doch die Art ist stopping; es passt ${fields.expected}`,
  'stochastic_game.unlike_endless':
    'Endloses Spiel zahlt hier {here} und in „{other}“ {there}; in einem Zyklus muss es dasselbe zahlen',
  'stochastic_game.policy': 'Die Strategie von {player}: {reason}',
  'stochastic_game.too_long': 'Das Spiel kann zu lange dauern',
  'stochastic_game.not_proved': 'Hier sind keine Schranken bewiesen: {reason}',
  'stochastic_game.size': 'Das Spiel ist zu groß: {reason}',
  'stochastic_game.negative': 'Die Wahrscheinlichkeit {probability} ist negativ',
  'stochastic_game.sum': 'Die Wahrscheinlichkeiten ergeben zusammen {sum} statt 1',
  'stochastic_game.limits':
    'Eine Wahrscheinlichkeit reicht von {least} bis {most}; erwartet werden zwei Zahlen, die erste über 0 und nicht größer als die zweite',
  'stochastic_game.limit_sums':
    'Die kleinsten Wahrscheinlichkeiten ergeben zusammen {least}, die größten {most}; die 1 muss dazwischen liegen',
  'stochastic_game.no_nature':
    'Eine Wahrscheinlichkeit ist ein Intervall, und es ist nicht gesagt, für wen die Natur darin wählt; erwartet wird „nature“, A oder B',
  'stochastic_game.no_weight': 'Es folgt kein Zustand',
  'stochastic_game.denominator': 'Der gemeinsame Nenner von Wahrscheinlichkeiten und Gewinn hat {bits} Bits; möglich sind {most}',
  'stochastic_game.reward': 'Bei der Art recursive gibt es keine Gewinne in Zellen; es passt {expected}',
  'stochastic_game.signs': 'Die Gewinne haben beide Vorzeichen; dann passt die Art stopping oder discounted',
  'stochastic_game.target_endless': 'Bei der Art target gibt es kein „endless“',
  'stochastic_game.infinite': (fields) =>
    `Der Wert ist für ${fields.player} unendlich in ${names(fields)}: Dort kann man für immer gewinnen`,
  'stochastic_game.undecided': (fields) =>
    `Ob der Wert für ${fields.player} in ${names(fields)} unendlich ist, ließ sich nicht entscheiden`,
  'stochastic_game.player_unknown': '„{text}“ ist kein Spieler; erwartet wird A oder B',
  'stochastic_game.end': 'In „{name}“ ist das Spiel zu Ende',
  'stochastic_game.action_unknown': '{player} hat in „{name}“ keinen Zug „{action}“',
  'agent.learner_scoring': 'Wer lernt, braucht eine Wertung, die für beide dieselbe ist; {scoring} ist es nicht',
};

// What is said of wide bounds, by how it begins.
const WIDE = {
  'wide where play can go on for ever: no better':
    'Die Schranken sind weit, wo das Spiel endlos sein kann: Bessere Strategien wurden nicht gefunden',
  'wide where play can go on for ever: better strategies':
    'Die Schranken sind weit, wo das Spiel endlos sein kann: Bessere Strategien wählen Züge seltener, als hier versucht wird',
  'wide where probabilities are uncertain': 'Die Schranken sind weit, wo Wahrscheinlichkeiten unbestimmt sind',
  'wide where play can go on for very long': 'Die Schranken sind weit, wo das Spiel sehr lange dauern kann',
};

// An error of the solver in the page's language; one without a translation as the solver says it.
export function explain(error) {
  const german = language() === 'de' && GERMAN[error.code];
  if (!german) return error.message;
  const words = (name) => (error[name]?.code ? explain(error[name]) : String(error[name]));
  const sentence = typeof german === 'function' ? german(error) : german.replace(/\{(\w+)\}/g, (_, name) => words(name));
  return place(error.at ?? {}) + sentence;
}

// Where in a game an error was found.
function place({ line, state, actions }) {
  const parts = [line && `Zeile ${line}`, state !== undefined && `Zustand „${state}“`, actions && `„${actions[0]}“ gegen „${actions[1]}“`];
  return parts.map((part) => (part ? `${part}: ` : '')).join('');
}

export function explainWidth(reason) {
  const known = language() === 'de' && Object.keys(WIDE).find((begin) => reason.startsWith(begin));
  return known ? WIDE[known] : reason;
}
