//! Written games: a table of turns, checked against the rules.

use std::fmt::Write;

use super::error::RecordFault;
use super::{Ball, GameError, Outcome, Payoff, Player, Rules, State};

/// One turn of a [`GameRecord`]: both bids and the state they led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Turn {
    pub bid_a: u32,
    pub bid_b: u32,
    /// The state after the turn; the ball is one beyond the field when it was hit out.
    pub after: State,
}

const RULES: &str = "# rules:";

/// The comment that ends a game where the ball lies.
const LIES: &str = "# decided where the ball lies";

/// A played game: a start and legal turns.
///
/// ```
/// use pencil_tennis::{GameRecord, Outcome, Rules};
///
/// let mut game = GameRecord::new(&Rules::tennis(), "4:3@-2".parse()?)?;
/// game.play(2, 1)?;
/// assert_eq!(game.state(), "2:2@1".parse()?);
/// assert!(game.play(0, 1).is_err(), "a bid of 0 with points left");
/// game.play(2, 2)?;
/// assert_eq!(game.outcome(), Some(Outcome::LiesWithB));
/// assert_eq!(game.payoff(), Some(1.into()));
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    rules: Rules,
    start: State,
    turns: Vec<Turn>,
    /// Whether it was ended where the ball lies, with points left.
    lies: bool,
}

impl GameRecord {
    /// A game about to start.
    ///
    /// # Errors
    /// [`GameError::BallOutside`] for a start outside the field.
    pub fn new(rules: &Rules, start: State) -> Result<Self, GameError> {
        rules.check(start)?;
        Ok(Self { rules: *rules, start, turns: Vec::new(), lies: false })
    }

    /// Replays a game from its pairs of bids, A's first. Fails as [`Self::play`] at the first
    /// illegal pair.
    pub fn replay(
        rules: &Rules,
        start: State,
        bids: impl IntoIterator<Item = (u32, u32)>,
    ) -> Result<Self, GameError> {
        let mut game = Self::new(rules, start)?;
        for (bid_a, bid_b) in bids {
            game.play(bid_a, bid_b)?;
        }
        Ok(game)
    }

    /// Reads and checks a table of a game: a line for each turn with the six numbers `turn bid_a
    /// bid_b points_a points_b ball`, after a first line `0 points_a points_b ball` for the start.
    /// Empty lines and comments (`#`) are skipped, except `# decided where the ball lies`, which
    /// [ends](Self::end_where_it_lies) the game, and the rules, which
    /// [`rules_of_table`](Self::rules_of_table) reads.
    ///
    /// # Errors
    /// [`GameError::RecordLine`] names the first line that does not follow from the ones before it,
    /// and why.
    ///
    /// ```
    /// use pencil_tennis::{GameRecord, Rules};
    ///
    /// let table = "0 4 3 -2\n1 2 1 2 2 1\n2 2 2 0 0 2";
    /// let error = GameRecord::from_table(&Rules::tennis(), table).unwrap_err();
    /// assert_eq!(error.to_string(), "line 3: bids 2 and 2 from 2:2@1 lead to 0:0@1, not to 0:0@2");
    /// ```
    pub fn from_table(rules: &Rules, table: &str) -> Result<Self, GameError> {
        let mut game: Option<Self> = None;
        for (index, text) in table.lines().enumerate() {
            let text = text.trim();
            let ends = text.starts_with(LIES);
            if text.is_empty() || (text.starts_with('#') && !ends) {
                continue;
            }
            let read = match &mut game {
                Some(game) if ends => {
                    game.end_where_it_lies().map(|_| ()).map_err(RecordFault::from)
                }
                None => Self::read_start(rules, text).map(|start| game = Some(start)),
                Some(game) => game.read_turn(text),
            };
            read.map_err(|reason| GameError::RecordLine { line: index + 1, reason })?;
        }
        game.ok_or(GameError::RecordLine { line: 1, reason: RecordFault::NoStart })
    }

    /// The rules in the first line of a table that [`to_table`](Self::to_table) wrote, if any.
    ///
    /// # Errors
    /// [`GameError::RecordLine`] for malformed rules.
    pub fn rules_of_table(table: &str) -> Result<Option<Rules>, GameError> {
        let rules = |(index, text): (usize, &str)| {
            let unreadable =
                |error: GameError| GameError::RecordLine { line: index + 1, reason: error.into() };
            Some(text.trim().strip_prefix(RULES)?.parse().map_err(unreadable))
        };
        table.lines().enumerate().find_map(rules).transpose()
    }

    /// Writes the game as a table for [`from_table`](Self::from_table), after a comment with the
    /// rules.
    ///
    /// ```
    /// use pencil_tennis::{GameRecord, Rules};
    ///
    /// let game = GameRecord::replay(&Rules::tennis(), "4:3@-2".parse()?, [(2, 1), (2, 2)])?;
    /// let table = game.to_table();
    /// assert_eq!(table, "# rules: field 2 motion net scoring two-one\n0 4 3 -2\n1 2 1 2 2 1\n2 2 2 0 0 1\n");
    /// let rules = GameRecord::rules_of_table(&table)?.expect("the first line names them");
    /// assert_eq!(GameRecord::from_table(&rules, &table)?, game);
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn to_table(&self) -> String {
        let (rules, start) = (&self.rules, self.start);
        let mut table = format!("{RULES} {rules}\n0 {} {} {}\n", start.a, start.b, start.ball);
        for (number, Turn { bid_a, bid_b, after }) in (1..).zip(&self.turns) {
            // Writing to a string does not fail.
            let _ =
                writeln!(table, "{number} {bid_a} {bid_b} {} {} {}", after.a, after.b, after.ball);
        }
        if self.lies {
            table += LIES;
            table.push('\n');
        }
        table
    }

    fn read_start(rules: &Rules, text: &str) -> Result<Self, RecordFault> {
        let [0, a, b, ball] = numbers(text)? else {
            return Err(RecordFault::Start { text: text.to_owned() });
        };
        Ok(Self::new(rules, state(a, b, ball)?)?)
    }

    fn read_turn(&mut self, text: &str) -> Result<(), RecordFault> {
        let [turn, bid_a, bid_b, a, b, ball] = numbers(text)?;
        let expected = self.turns.len() + 1;
        if usize::try_from(turn) != Ok(expected) {
            return Err(RecordFault::Turn { expected, found: turn });
        }
        let bid = |number: i64| u32::try_from(number).map_err(|_| RecordFault::Bid { number });
        let written = state(a, b, ball)?;
        let before = self.state();
        let (bid_a, bid_b) = (bid(bid_a)?, bid(bid_b)?);
        let after = self.play(bid_a, bid_b)?;
        if after != written {
            return Err(RecordFault::After { bid_a, bid_b, before, after, written });
        }
        Ok(())
    }

    /// Plays one turn and returns the state after it.
    ///
    /// # Errors
    /// [`GameError::GameOver`], or [`GameError::BidIllegal`] for the illegal bid; the record is
    /// then unchanged.
    pub fn play(&mut self, bid_a: u32, bid_b: u32) -> Result<State, GameError> {
        let before = self.state();
        if self.lies {
            return Err(GameError::GameOver { state: before });
        }
        let after = self.rules.play(before, bid_a, bid_b)?;
        self.turns.push(Turn { bid_a, bid_b, after });
        Ok(after)
    }

    /// Ends the game where the ball lies, as if everything were spent: an infinite play of 0 bids,
    /// or a game cut off at a horizon.
    ///
    /// ```
    /// use pencil_tennis::{GameRecord, Outcome, Rules};
    ///
    /// let rules = Rules::oshi_zumo(3)?.with_min_bid(0)?;
    /// let mut game = GameRecord::replay(&rules, "5:4@0".parse()?, [(2, 1), (0, 0)])?;
    /// assert_eq!(game.end_where_it_lies()?, Outcome::LiesWithB);
    /// assert_eq!((game.state(), game.payoff()), ("3:3@1".parse()?, Some(1.into())));
    /// assert!(game.to_table().ends_with("2 0 0 3 3 1\n# decided where the ball lies\n"));
    /// assert!(game.play(1, 0).is_err(), "the game is over");
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn end_where_it_lies(&mut self) -> Result<Outcome, GameError> {
        let state = self.state();
        if self.outcome().is_some() {
            return Err(GameError::GameOver { state });
        }
        self.lies = true;
        Ok(self.rules.end_at(state.ball.position()))
    }

    /// Whether it was [ended](Self::end_where_it_lies) where the ball lies, with points left.
    pub const fn ended_where_it_lies(&self) -> bool {
        self.lies
    }

    pub fn state(&self) -> State {
        self.turns.last().map_or(self.start, |turn| turn.after)
    }

    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    pub const fn start(&self) -> State {
        self.start
    }

    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// A player's own bids in the first `turns` turns, and the balls from the start on: the
    /// player's information set in blind Tennis.
    pub fn remembered(&self, player: Player, turns: usize) -> (Vec<u32>, Vec<i32>) {
        let turns = || self.turns.iter().take(turns);
        let bids =
            turns().map(|turn| if player == Player::A { turn.bid_a } else { turn.bid_b }).collect();
        let balls = std::iter::once(self.start)
            .chain(turns().map(|turn| turn.after))
            .map(|state| state.ball.position());
        (bids, balls.collect())
    }

    /// The outcome of the game, or `None` while it continues.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.lies {
            Some(self.rules.end_at(self.state().ball.position()))
        } else {
            self.rules.outcome(self.state())
        }
    }

    /// The payoff to A, or `None` while the game continues.
    pub fn payoff(&self) -> Option<Payoff> {
        self.outcome().map(|outcome| self.rules.scoring().payoff(outcome))
    }
}

fn numbers<const N: usize>(text: &str) -> Result<[i64; N], RecordFault> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut numbers = [0; N];
    if words.len() != N {
        return Err(RecordFault::Count { expected: N, found: words.len(), text: text.to_owned() });
    }
    for (number, word) in numbers.iter_mut().zip(words) {
        *number = word.parse().map_err(|_| RecordFault::Number { text: word.to_owned() })?;
    }
    Ok(numbers)
}

fn state(a: i64, b: i64, ball: i64) -> Result<State, RecordFault> {
    let points = |number: i64| u32::try_from(number).map_err(|_| RecordFault::Points { number });
    let ball = i32::try_from(ball).ok().and_then(|ball| Ball::new(ball).ok());
    let ball = ball.ok_or(RecordFault::Ball)?;
    Ok(State::new(points(a)?, points(b)?, ball))
}
