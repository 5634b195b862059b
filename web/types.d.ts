// Types of the page for the TypeScript checker alone: `.ci/web` runs `tsc --project web`. Nothing of this file is in the page.

// Not there yet: null until a game is solved, opened or played. Whoever reads such a field is called after that.
type NotYet = never;

type Player = 'A' | 'B';
type Side = 'a' | 'b';

// Of A and of B.
type Pair<T> = [T, T];

type Colour = number[];

// A state of Tennis: points left, and the ball's position, negative on A's side.
interface State {
  a: number;
  b: number;
  ball: number;
}

interface Rules {
  points: number[];
  field: number;
  motion: string;
  scoring: string;
  min_bid: number;
}

// What a bid loses on average against a perfect opponent.
interface BidLoss {
  bid: number;
  loss: number;
}

interface BidShare {
  bid: number;
  probability: number;
}

// The answer to the question `state`.
interface Stage {
  a: BidShare[];
  b: BidShare[];
  matrix: number[][];
  worth: Record<Side, BidLoss[]>;
  exact: string;
  [field: string]: any;
}

// The answer to the question `solve`.
interface Summary {
  points: number[];
  rules: Omit<Rules, 'points'>;
  payoffs: number[];
  states: number;
  randomised: number;
  widest: number;
  milliseconds: number;
}

interface Turn {
  state: string;
  bids: Pair<number>;
  after: string;
  // Null where the solver does not judge the bid.
  cost: Pair<number | null>;
  value: number;
  [field: string]: any;
}

// The answer to the question `replay`.
interface Played {
  start: string;
  state: string;
  turns: Turn[];
  outcome: number | null;
  payoff: number;
  value: number;
  // The written game.
  table: string;
}

// The bid that the page has drawn before the person bids, and the sentence that promises it.
interface FixedBid {
  bid: number;
  waits: boolean;
  text: string;
  sha256: string;
}

// A game or a result that a link shows.
interface SharedGame {
  rules: Rules;
  bids: Pair<number>[];
  you: Player;
  start: string;
  against: string | null;
}

interface SharedResult {
  rules: Rules;
  as: Player;
  against: string;
  won: number;
  told?: string;
  turns?: number;
  gave?: number;
}

// An action in a state of a game of other rules.
interface ActionWorth {
  action: string;
  probability: number;
  loss: number;
}

// The answer to the question `any_stage`.
interface AnyStage {
  state: string;
  over: boolean;
  value: number;
  decimal: { lower: string; upper: string };
  a: ActionWorth[];
  b: ActionWorth[];
  cells: any[][];
  picture?: string;
}

// What a player of a game with hidden information may know, with the optimum there.
interface HiddenSet {
  player: Side;
  place: number;
  name: string;
  actions: string[];
  // Null where the optimum never comes by its own choices.
  mixture: number[] | null;
  parent: { set: HiddenSet; action: number } | null;
  nodes: number[];
  // The probability that chance and the opponent lead here, if the player wants to get there.
  reach: number;
  // What each action is worth to A and loses; nothing where the opponent never lets it come to this.
  worth: { payoff: number; loss: number }[];
}

// The answer to the question `any_open`.
interface AnySummary {
  start: string[];
  title?: string;
  description?: string;
  kind: string;
  discount: string;
  states: number;
  cells: number;
  widest: string;
  reason?: string;
}

// What `index.html` unpacks.
declare var packed: {
  modules: [string, string][];
  worker: string;
  style: string;
  games: Record<string, string>;
  hidden: Record<string, any>;
  first: any;
  lesson: Stage;
};
declare function unpack(id: string): Promise<Response>;
