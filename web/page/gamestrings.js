// The words of the section on games of any rules.

// The gallery's texts in German; in English they are in the files.
const GALLERY = {
  'goofspiel-5': [
    'Goofspiel mit fünf Karten',
    'Beide halten die Karten 1 bis 5 und bieten je eine für die Preise 5, 4, 3, 2, 1 in dieser Reihenfolge; die höhere Karte gewinnt die Punkte des Preises, gleiche gewinnen nichts. Ross, Goofspiel, the game of pure strategy, 1971; mit fester Reihenfolge wie bei Bošanský und anderen, Algorithms for computing strategies in two-player simultaneous move games, 2016. Überraschend: Um den ersten Preis bietet man die 5 nur in 85 von hundert Fällen, sonst die 1 oder die 2; und haben beide sie geboten und noch 1 bis 4, so braucht niemand mehr den Zufall.',
  ],
  inspections: [
    'Inspektionen',
    'B kann in zehn Tagen einmal schmuggeln, A an drei davon kontrollieren: Ungesehen bringt das B 1, am Tag einer Kontrolle kostet es 1. Dresher, A sampling inspection problem in arms control agreements, RAND 1962; Werte als Brüche bei von Stengel, Recursive inspection games, 2016. Überraschend: Bei drei Kontrollen für zehn Tage gewinnt B im Mittel noch 21/44, und solange drei übrig sind, wartet B an neun von zehn Tagen, wie viele Tage auch bleiben.',
  ],
  'matching-pennies-3': [
    'Ungleiche Münzen, drei Runden',
    'Beide zeigen eine Münze: A erhält 3 für zweimal Kopf und 1 für zweimal Zahl, B erhält 2 für ungleiche Münzen, und wer nach drei Runden vorn liegt, gewinnt 1. Eine Runde um Punkte ist ein Beispiel aus Vorlesungen (Ferguson, Game theory, 2014, Teil II, als „Odd or Even“). Überraschend: B ist im Vorteil, um 527/3665, und ein Punkt Vorsprung vor der letzten Runde ist für A nichts wert.',
  ],
  'oshi-zumo': [
    'Oshi-Zumo mit Geboten von 0',
    'Beide bieten von je sechs Münzen, beide zahlen, und das höhere Gebot schiebt den Ringer um eins von drei Feldern zum Ende des anderen; auf wessen Seite er steht, wenn alles ausgegeben ist, der verliert. Buro, Solving the Oshi-Zumo game, 2003, mit Geboten von 0 wie in OpenSpiel. Überraschend: Alle Zahlen der Regeln sind ganz, doch 5:4@0 ist für A die Wurzel aus 3/5 wert, denn zwei Gebote von 0 wiederholen die Stellung.',
  ],
  pursuit: [
    'Verfolgung',
    'Zwei Könige auf 5 × 5 Feldern: Beide ziehen oder bleiben gleichzeitig, und A gewinnt 1, jeden Zug ein Zehntel weniger, wenn A auf dem Feld von B steht oder beide die Plätze tauschen. Ein diskontiertes Verfolgungsspiel (Isaacs, Games of pursuit, RAND 1951) auf einem Brett. Überraschend: Zöge man abwechselnd, finge A den König B in der Ecke sofort; ziehen beide zugleich, entkommt B zwei von drei Malen, und der Kampf um die Ecke braucht den Zufall.',
  ],
  rps: [
    'Schere, Stein, Papier',
    'Beide zeigen gleichzeitig ein Zeichen: Stein schlägt Schere, Schere schlägt Papier, Papier schlägt Stein, und wer gewinnt, erhält 1. Ein Beispiel bei von Neumann und Morgenstern, Theory of games and economic behavior, 1944. Überraschend: Gegen ein Drittel von jedem gewinnt und verliert nichts etwas; das Optimum bestraft also niemanden.',
  ],
  snowball: [
    'Verstecken oder Rennen',
    'A steht hinter einer Mauer, und B hat einen einzigen Schneeball: A kommt heim, wenn A rennt, während B wartet, oder sobald B an die Mauer geworfen hat; rennt A in den Wurf, so trifft er. Aus de Alfaro, Henzinger und Kupferman, Concurrent reachability games, 1998, nach Everett, Recursive games, 1957. Überraschend: A kommt so sicher heim, wie man will, aber keine Strategie erreicht die Wahrscheinlichkeit 1, und wer sich für immer versteckt, gewinnt nichts.',
  ],
  soccer: [
    'Littmans Fußball',
    'Auf 4 × 5 Feldern gehen oder stehen beide gleichzeitig, eine Münze entscheidet, wer zuerst zieht; wer auf das Feld des anderen tritt, verliert den Ball an ihn, und ein Tor ist 1 wert, jeden Zug ein Zehntel weniger. Littman, Markov games as a framework for multi-agent reinforcement learning, 1994, nach den Regeln von OpenSpiel. Überraschend: In allen bis auf 56 der 1444 Stellungen genügt ein bestimmter Zug, und ein Ball, der vor einem liegt, ist so viel wert wie einer, den man hat.',
  ],
};

// Title and description of a game of the gallery in the page's language, where there is a translation.
export const translated = (language, name) => (language === 'de' ? GALLERY[name] : undefined);

// The words of its actions and states.
const WORDS = {
  after: 'nach', ahead: 'vorn', caught: 'gefasst', days: 'Tage', down: 'runter', even: 'unentschieden', happened: 'geschehen',
  heads: 'Kopf', hidden: 'versteckt', hide: 'verstecken', hit: 'getroffen', home: 'daheim', inspect: 'kontrollieren',
  inspections: 'Kontrollen', is: 'ist', left: 'links', nothing: 'nichts', over: 'vorbei', paper: 'Papier', right: 'rechts',
  rock: 'Stein', round: 'Runde', run: 'laufen', scissors: 'Schere', scores: 'trifft', smuggle: 'schmuggeln',
  smuggled: 'geschmuggelt', stand: 'stehen', stay: 'nichts tun', tails: 'Zahl', throw: 'werfen', up: 'hoch', wait: 'warten',
  wins: 'gewinnt',
}; // prettier-ignore

// An action or a state of a game, as it is shown: the gallery speaks the reader's language, other games speak for themselves.
export const said = (language, name, text) =>
  language === 'de' && Object.hasOwn(GALLERY, name) ? text.replace(/[a-z]{2,}/g, (word) => WORDS[word] ?? word) : text;

const common = (one, other) => {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
};

// A text that is searched for, in the game's own words: a word or its beginning becomes what those that it may be have in common.
export const unsaid = (language, name, text) => {
  if (said(language, name, 'is') === 'is') return text;
  return text.replace(/\p{L}{2,}/gu, (part) => {
    const known = Object.keys(WORDS).filter((word) => WORDS[word].toLowerCase().startsWith(part.toLowerCase()));
    return (known.length && known.reduce(common)) || part;
  });
};

// Title and rules of games with hidden information; `{size}` stands for the number at the end of a name. Games from files have a
// title of their own.
export const HIDDEN = {
  en: {
    kuhn: [
      'Kuhn poker',
      'Both put in a chip and get one of three cards: jack, queen, king. A passes or bets a second chip; B answers, and after B’s bet A once more. Who passes after a bet folds; otherwise the higher card wins the pot.',
    ],
    leduc: [
      'Leduc poker',
      'Two jacks, two queens, two kings. Both put in a chip and get a card; after a round of betting with raises of 2 a card is laid on the table, then raises are 4. A pair with the table wins, then the higher card.',
    ],
    'liars-dice': [
      'Liar’s dice, {size} sides',
      'Both roll a die of {size} sides that only they see. In turn each bids more than before: how many of the two dice show a face; a {size} counts as every face. Or one calls the last bidder a liar: if the bid was true, the caller loses 1, otherwise the bidder.',
    ],
    'secret-inspection': [
      'A secret inspection',
      'A may cross a border in one of four nights, B has one patrol for all of them. Crossing unseen wins 1, meeting the patrol loses 1. Who waits hears the dog of every other patrol; B sees nothing.',
    ],
    'hidden-goofspiel': [
      'Goofspiel with hidden bids, {size} cards',
      'Prizes from 1 to {size} are turned up in random order. For each of them both bid a card of their own; the higher card wins the prize, and only the winner is told, not the cards.',
    ],
  },
  de: {
    kuhn: [
      'Kuhn-Poker',
      'Beide setzen einen Chip und erhalten eine von drei Karten: Bube, Dame, König. A passt oder setzt einen zweiten Chip; B antwortet, und setzt erst B, so antwortet A noch einmal. Wer nach einem Einsatz passt, gibt auf; sonst gewinnt die höhere Karte den Topf.',
    ],
    leduc: [
      'Leduc-Poker',
      'Zwei Buben, zwei Damen, zwei Könige. Beide setzen einen Chip und erhalten eine Karte; nach einer Bietrunde mit Erhöhungen um 2 kommt eine Karte auf den Tisch, dann wird um 4 erhöht. Ein Paar mit dem Tisch gewinnt, dann die höhere Karte.',
    ],
    'liars-dice': [
      'Bluff mit Würfeln, {size} Seiten',
      'Beide würfeln verdeckt mit einem Würfel von {size} Seiten. Reihum wird mehr geboten als zuvor: wie viele der beiden Würfel eine Augenzahl zeigen; eine {size} zählt als jede. Oder man nennt den letzten Bieter einen Lügner: War das Gebot wahr, so verliert man 1, sonst der Bieter.',
    ],
    'secret-inspection': [
      'Eine geheime Kontrolle',
      'A kann in einer von vier Nächten über eine Grenze gehen, B hat für alle zusammen eine Streife. Ungesehen gewinnt A 1, bei der Streife verliert A 1. Wer wartet, hört den Hund jeder zweiten Streife; B sieht nichts.',
    ],
    'hidden-goofspiel': [
      'Goofspiel mit verdeckten Geboten, {size} Karten',
      'Die Preise 1 bis {size} werden in zufälliger Reihenfolge aufgedeckt. Für jeden bieten beide eine eigene Karte; die höhere gewinnt den Preis, und nur der Sieger wird genannt, nicht die Karten.',
    ],
  },
};

export const GAMES = {
  en: {
    'section.games': 'More games',
    'footer.games': 'Values are what A wins on average; what is good for A is blue, what is good for B is orange.',
    'games.title': 'Games of any rules',
    'games.intro':
      'Any two-player zero-sum game with simultaneous moves: from the gallery, or your own file. It is solved here, in your browser, and every bound is proved. And some games in which more is hidden, such as poker, to look at and to play.',
    'editor.title': 'A matrix of your own',
    'editor.hint':
      'What A wins for each pair of choices: numbers such as -2, 0.25 or 7/8. Type, or paste a table; it is solved and proved as you type.',
    'editor.cell': 'A {a}, B {b}',
    'editor.moreRows': '+ row',
    'editor.fewerRows': '− row',
    'editor.moreColumns': '+ column',
    'editor.fewerColumns': '− column',
    'editor.wrong': 'A field is no number yet; expected one such as -2, 0.25 or 7/8.',
    'editor.large': 'Here a table has at most {most} rows and columns; a file may have more.',
    'games.drop': 'Drop or choose a game file (JSON Lines) or a matrix (csv)',
    'games.format':
      'Up to 100,000 pairs of actions; the program solves more. docs/game-format.md describes the format. A table of numbers (csv) is a single matrix game.',
    'games.tree': 'The page cannot solve trees of Gambit; the program writes a page with this game: pencil-tennis explore {name}',
    'games.large': 'The file is larger than {most} MB; the program reads larger ones: pencil-tennis solve FILE',
    'games.progress': 'Progress of solving',
    'games.solving': '{name} is being solved …',
    'games.summary': '{kind}. {states} states, {cells} pairs of actions; every value is proved to within {widest}.',
    'games.kind.acyclic': 'No state repeats',
    'games.kind.discounted': 'After each turn later rewards count {discount}',
    'games.kind.stopping': 'States may repeat, and play surely ends',
    'games.kind.recursive': 'States may repeat, and play may last for ever',
    'games.kind.total': 'States may repeat, and rewards add up',
    'games.kind.target': 'Rewards add up until an end is reached',
    'thumb.heads': 'H',
    'thumb.tails': 'T',
    'games.noTurn': 'No turn has been played yet.',
    'games.barsHint':
      'A bar shows how often the optimum chooses an action. A number with a minus is what the action loses against the optimum.',
    'games.toA': 'what A wins on average',
    'games.bounds': 'proved: {lower} ≤ value ≤ {upper}',
    'games.worth': 'is worth exactly {value}',
    'games.over': 'The play is over: A receives {value}.',
    'games.sums': 'In sum, A’s actions have cost {a}, B’s {b}.',
    'games.plays': '{player} plays',
    'games.drawn': '{player}’s action is drawn.',
    'games.take': 'Choose for {player} yourself',
    'games.more': 'and {rest} more actions, which the optimum hardly or never uses',
    'games.draw': 'Draw a turn',
    'games.again': 'Back to the start',
    'games.hide': 'Hide the solution while playing',
    'games.matrix': 'What each pair of actions leads to',
    'games.matrixHint':
      'Rows are A’s actions, columns B’s; the optimum uses those in bold. A number is what A wins on average from there.',
    'games.players': 'Who plays',
    'games.player': '{player} is',
    'games.csv': 'its strategies (csv)',
    'games.reads': 'plays as {name} says',
    'games.playersHint':
      'A person chooses with the buttons beside the bars; every other player’s action is drawn at the same moment. With two persons a turn is played once both have chosen.',
    'games.level.person': 'a person',
    'games.level.optimal': 'the optimum',
    'games.level.quantal:30': 'careful (quantal:30)',
    'games.level.quantal:5': 'careless (quantal:5)',
    'games.level.uniform': 'random (uniform)',
    'games.level.file': 'a file',
    'games.noFile': 'There is no file for {player} yet; choose one, or another player.',
    'games.noPart': 'The file does not say how {player} plays.',
    'games.log': 'The play so far',
    'games.reward': '; A receives {reward}',
    'games.cost': 'cost {cost}',
    'games.save': 'Save for pencil-tennis replay',
    'games.judge': 'Judge a policy',
    'games.judgeHint': 'A csv file: state,player,action,probability',
    'games.judged': '{name}: {player}',
    'games.loses': '{player} loses {loss} of the value against a best response; A then wins {lower} to {upper}.',
    'games.nothing': 'Nothing is given away at any state.',
    'games.near': 'What can follow within two turns',
    'games.nearMany': 'Too many states for a picture that can be read; the table of pairs of actions and the list of states lead on.',
    'games.states': 'States',
    'games.unknown':
      'This page has no game “{name}”; here is another one. Games from files are in the page that was opened with them.',
    'games.nowhere': 'This game has no state “{state}”; here is another one.',
    'games.search': 'Search by name',
    'games.found': '{count} found',
    'hidden.group': 'With hidden information',
    'hidden.group.open': 'Nothing hidden but the choice',
    'hidden.summary':
      '{nodes} nodes; A may know {a} different things, B {b}. Solved and proved by the program that wrote this page.',
    'hidden.rounded': 'Probabilities are rounded here to 1/10,000.',
    'hidden.play': 'You against the optimum',
    'hidden.are': 'You are',
    'hidden.you': 'You',
    'hidden.know': 'What you know',
    'hidden.knows': 'What {player} knows',
    'hidden.nothing': 'Nothing yet.',
    'hidden.hint': 'What would the optimum do?',
    'hidden.win': 'You win {amount}.',
    'hidden.lose': 'You lose {amount}.',
    'hidden.even': 'Nobody wins anything.',
    'hidden.again': 'Play again',
    'hidden.score': 'Games: {games}, your balance: {won}.',
    'hidden.revealed': 'Who knew what, and chose:',
    'hidden.youKnew': 'You knew',
    'hidden.heKnew': '{player} knew',
    'hidden.youChose': 'You chose:',
    'hidden.heChose': '{player} chose:',
    'hidden.chosen': 'chosen',
    'hidden.optimum': 'The optimum there',
    'hidden.sets': 'All that one may know',
    'hidden.setsHint':
      'Whoever moves knows only this, and plays alike wherever it looks the same. The worth of an action is what A wins on average from there, if the other player is the optimum.',
    'hidden.whose': 'Whose knowledge',
    'hidden.nodes': 'So it looks in {count} different places of the game.',
    'hidden.action': 'Action',
    'hidden.often': 'How often',
    'hidden.worth': 'Worth to A',
    'hidden.loss': 'Costs',
    'hidden.ownNever': 'The optimum of {player} never comes here by its own choices.',
    'hidden.never': '{player} never lets it come to this, so that nothing is known of the worth of actions.',
    'hidden.holds': 'Own card',
    'hidden.table': 'On the table',
    'hidden.rolled': 'Own die',
    'hidden.night': 'Night {night}',
    'hidden.prize': 'Prize',
    'hidden.bid': 'Own card',
    'hidden.outcome': 'Outcome',
    'hidden.won': '{winner} wins',
    'hidden.jack': 'jack',
    'hidden.queen': 'queen',
    'hidden.king': 'king',
    'hidden.card': 'card {number}',
    'hidden.die': 'a die with {face}',
    'hidden.move.pass': 'pass',
    'hidden.move.bet': 'bet',
    'hidden.move.fold': 'fold',
    'hidden.move.call': 'call',
    'hidden.move.raise': 'raise',
    'hidden.move.liar': 'liar!',
    'hidden.move.wait': 'wait',
    'hidden.move.cross': 'cross',
    'hidden.move.rest': 'rest',
    'hidden.move.patrol': 'patrol',
    'hidden.move.quiet': 'all quiet',
    'hidden.move.dog': 'a dog barks',
    'hidden.move.tie': 'equal',
  },
  de: {
    'section.games': 'Mehr Spiele',
    'footer.games': 'Werte sind das, was A im Mittel gewinnt; Blau ist gut für A, Orange gut für B.',
    'games.title': 'Spiele mit beliebigen Regeln',
    'games.intro':
      'Jedes Nullsummenspiel für zwei, die gleichzeitig ziehen: aus der Sammlung oder aus einer eigenen Datei. Es wird hier in Ihrem Browser gelöst, und jede Schranke ist bewiesen. Dazu einige, in denen mehr verborgen ist, wie Poker, zum Ansehen und Spielen.',
    'editor.title': 'Eine eigene Matrix',
    'editor.hint':
      'Was A für jedes Paar von Wahlen gewinnt: Zahlen wie -2, 0,25 oder 7/8. Tippen Sie, oder fügen Sie eine Tabelle ein; gelöst und bewiesen wird dabei sofort.',
    'editor.cell': 'A {a}, B {b}',
    'editor.moreRows': '+ Zeile',
    'editor.fewerRows': '− Zeile',
    'editor.moreColumns': '+ Spalte',
    'editor.fewerColumns': '− Spalte',
    'editor.wrong': 'Ein Feld ist noch keine Zahl; erwartet wird eine wie -2, 0,25 oder 7/8.',
    'editor.large': 'Hier hat eine Tabelle höchstens {most} Zeilen und Spalten; eine Datei darf mehr haben.',
    'games.drop': 'Spieldatei (JSON Lines) oder Matrix (csv) hierher ziehen oder wählen',
    'games.format':
      'Bis zu 100.000 Paare von Zügen; das Programm löst mehr. docs/game-format.md beschreibt das Format. Eine Tabelle von Zahlen (csv) ist ein einziges Matrixspiel.',
    'games.tree':
      'Bäume von Gambit löst die Seite nicht; das Programm schreibt eine Seite mit diesem Spiel: pencil-tennis explore {name}',
    'games.large': 'Die Datei ist größer als {most} MB; größere liest das Programm: pencil-tennis solve DATEI',
    'games.progress': 'Fortschritt des Lösens',
    'games.solving': '{name} wird gelöst …',
    'games.summary': '{kind}. {states} Zustände, {cells} Paare von Zügen; jeder Wert ist auf {widest} genau bewiesen.',
    'games.kind.acyclic': 'Kein Zustand kehrt wieder',
    'games.kind.discounted': 'Nach jedem Zug zählt alles Spätere {discount}',
    'games.kind.stopping': 'Zustände können wiederkehren, das Spiel endet sicher',
    'games.kind.recursive': 'Zustände können wiederkehren, das Spiel kann endlos sein',
    'games.kind.total': 'Zustände können wiederkehren, Gewinne summieren sich',
    'games.kind.target': 'Gewinne summieren sich bis zum Ende',
    'thumb.heads': 'K',
    'thumb.tails': 'Z',
    'games.noTurn': 'Noch ist kein Zug gespielt.',
    'games.barsHint':
      'Ein Balken zeigt, wie oft das Optimum einen Zug wählt. Eine Zahl mit Minus ist, was der Zug gegen das Optimum verliert.',
    'games.toA': 'gewinnt A im Mittel',
    'games.bounds': 'bewiesen: {lower} ≤ Wert ≤ {upper}',
    'games.worth': 'ist genau {value} wert',
    'games.over': 'Das Spiel ist zu Ende: A erhält {value}.',
    'games.sums': 'Zusammen haben die Züge von A {a} gekostet, die von B {b}.',
    'games.plays': '{player} spielt',
    'games.drawn': 'Der Zug von {player} wird ausgelost.',
    'games.take': 'Selbst für {player} wählen',
    'games.more': 'und {rest} weitere Züge, die das Optimum kaum oder nie macht',
    'games.draw': 'Einen Zug auslosen',
    'games.again': 'Zurück zum Anfang',
    'games.hide': 'Lösung beim Spielen verbergen',
    'games.matrix': 'Wohin jedes Paar von Zügen führt',
    'games.matrixHint':
      'Zeilen sind Züge von A, Spalten die von B; fette macht das Optimum. Die Zahl ist, was A von dort an im Mittel gewinnt.',
    'games.players': 'Wer spielt',
    'games.player': '{player} ist',
    'games.csv': 'seine Strategien (csv)',
    'games.reads': 'spielt nach {name}',
    'games.playersHint':
      'Ein Mensch wählt mit den Knöpfen neben den Balken; im selben Augenblick wird der Zug des anderen ausgelost. Zu zweit wird gezogen, sobald beide gewählt haben.',
    'games.level.person': 'ein Mensch',
    'games.level.optimal': 'das Optimum',
    'games.level.quantal:30': 'sorgfältig (quantal:30)',
    'games.level.quantal:5': 'sorglos (quantal:5)',
    'games.level.uniform': 'zufällig (uniform)',
    'games.level.file': 'eine Datei',
    'games.noFile': 'Für {player} gibt es noch keine Datei; wählen Sie eine oder einen anderen Spieler.',
    'games.noPart': 'Die Datei sagt nicht, wie {player} spielt.',
    'games.log': 'Das bisherige Spiel',
    'games.reward': '; A erhält {reward}',
    'games.cost': 'kostet {cost}',
    'games.save': 'Für pencil-tennis replay sichern',
    'games.judge': 'Eine Spielweise beurteilen',
    'games.judgeHint': 'Eine csv-Datei: state,player,action,probability',
    'games.judged': '{name}: {player}',
    'games.loses': '{player} verliert {loss} vom Wert gegen die beste Antwort; A gewinnt dann {lower} bis {upper}.',
    'games.nothing': 'In keinem Zustand wird etwas verschenkt.',
    'games.near': 'Was in zwei Zügen folgen kann',
    'games.nearMany':
      'Zu viele Zustände für ein Bild, das man lesen kann; die Tabelle der Paare von Zügen und die Liste der Zustände führen weiter.',
    'games.states': 'Zustände',
    'games.unknown':
      'Diese Seite hat kein Spiel „{name}“; hier ist ein anderes. Spiele aus Dateien sind nur in der Seite, die mit ihnen geöffnet wurde.',
    'games.nowhere': 'Dieses Spiel hat keinen Zustand „{state}“; hier ist ein anderer.',
    'games.search': 'Nach Namen suchen',
    'games.found': '{count} gefunden',
    'hidden.group': 'Mit verborgenem Wissen',
    'hidden.group.open': 'Nichts verborgen als die Wahl',
    'hidden.summary':
      '{nodes} Knoten; A kann {a} verschiedene Dinge wissen, B {b}. Gelöst und bewiesen von dem Programm, das diese Seite geschrieben hat.',
    'hidden.rounded': 'Wahrscheinlichkeiten sind hier auf 1/10.000 gerundet.',
    'hidden.play': 'Sie gegen das Optimum',
    'hidden.are': 'Sie sind',
    'hidden.you': 'Sie',
    'hidden.know': 'Was Sie wissen',
    'hidden.knows': 'Was {player} weiß',
    'hidden.nothing': 'Noch nichts.',
    'hidden.hint': 'Was täte das Optimum?',
    'hidden.win': 'Sie gewinnen {amount}.',
    'hidden.lose': 'Sie verlieren {amount}.',
    'hidden.even': 'Niemand gewinnt etwas.',
    'hidden.again': 'Noch einmal',
    'hidden.score': 'Partien: {games}, Ihr Stand: {won}.',
    'hidden.revealed': 'Wer was wusste und wählte:',
    'hidden.youKnew': 'Sie wussten',
    'hidden.heKnew': '{player} wusste',
    'hidden.youChose': 'Sie wählten:',
    'hidden.heChose': '{player} wählte:',
    'hidden.chosen': 'gewählt',
    'hidden.optimum': 'Das Optimum dort',
    'hidden.sets': 'Alles, was man wissen kann',
    'hidden.setsHint':
      'Wer am Zug ist, weiß nur dies und spielt gleich, wo es gleich aussieht. Der Wert eines Zuges ist, was A von dort an im Mittel gewinnt, wenn der andere das Optimum ist.',
    'hidden.whose': 'Wessen Wissen',
    'hidden.nodes': 'So sieht es an {count} verschiedenen Stellen des Spiels aus.',
    'hidden.action': 'Zug',
    'hidden.often': 'Wie oft',
    'hidden.worth': 'Wert für A',
    'hidden.loss': 'Kostet',
    'hidden.ownNever': 'Das Optimum von {player} kommt durch eigene Wahl nie hierher.',
    'hidden.never': '{player} lässt es nie dazu kommen; vom Wert der Züge ist darum nichts bekannt.',
    'hidden.holds': 'Eigene Karte',
    'hidden.table': 'Auf dem Tisch',
    'hidden.rolled': 'Eigener Würfel',
    'hidden.night': 'Nacht {night}',
    'hidden.prize': 'Preis',
    'hidden.bid': 'Eigene Karte',
    'hidden.outcome': 'Ausgang',
    'hidden.won': '{winner} gewinnt',
    'hidden.jack': 'Bube',
    'hidden.queen': 'Dame',
    'hidden.king': 'König',
    'hidden.card': 'Karte {number}',
    'hidden.die': 'ein Würfel mit {face}',
    'hidden.move.pass': 'passen',
    'hidden.move.bet': 'setzen',
    'hidden.move.fold': 'aussteigen',
    'hidden.move.call': 'mitgehen',
    'hidden.move.raise': 'erhöhen',
    'hidden.move.liar': 'Lügner!',
    'hidden.move.wait': 'warten',
    'hidden.move.cross': 'hinüber',
    'hidden.move.rest': 'ruhen',
    'hidden.move.patrol': 'Streife',
    'hidden.move.quiet': 'alles still',
    'hidden.move.dog': 'ein Hund bellt',
    'hidden.move.tie': 'gleich',
  },
};
