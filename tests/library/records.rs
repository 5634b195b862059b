//! The example games of the encyclopedia replay to their printed tables, and a game that breaks the
//! rules is refused.

use pencil_tennis::{Ball, GameError, GameRecord, Outcome, Payoff, Player, Rules, Scoring, State};

const GAME_1: &str = include_str!("data/game_1.txt");
const GAME_2: &str = include_str!("data/game_2.txt");
const GAME_2_MISPRINTED: &str = include_str!("data/game_2_misprinted.txt");

/// The printed turns: both bids and the state after them, read without the library's reader.
fn printed(table: &str) -> Vec<((u32, u32), State)> {
    let turns = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    turns
        .map(|line| {
            let numbers: Vec<i32> =
                line.split(' ').map(|word| word.parse().expect("a number")).collect();
            let [_, bid_a, bid_b, a, b, ball] = numbers[..] else {
                panic!("six numbers in `{line}`")
            };
            let after = State::new(a as u32, b as u32, Ball::new(ball).expect("a ball"));
            ((bid_a as u32, bid_b as u32), after)
        })
        .collect()
}

fn state(text: &str) -> State {
    text.parse().expect("a state")
}

fn tennis(scoring: Scoring) -> Rules {
    Rules::tennis().with_scoring(scoring)
}

#[test]
fn example_games_replay_to_their_tables() {
    for (table, turns) in [(GAME_1, 5), (GAME_2, 11)] {
        let game = GameRecord::from_table(&Rules::tennis(), table).expect("a correct table");
        assert_eq!(game.start(), state("50:50@0"));
        let replayed: Vec<_> =
            game.turns().iter().map(|turn| ((turn.bid_a, turn.bid_b), turn.after)).collect();
        assert_eq!(replayed.len(), turns);
        assert_eq!(replayed, printed(table));
    }
}

#[test]
fn example_games_follow_from_their_bids_alone() {
    for table in [GAME_1, GAME_2] {
        let printed = printed(table);
        let mut game = GameRecord::new(&Rules::tennis(), state("50:50@0")).expect("a start");
        for &((bid_a, bid_b), after) in &printed {
            assert_eq!(game.outcome(), None, "the game is not over before {after}");
            assert_eq!(game.play(bid_a, bid_b), Ok(after));
            assert_eq!(game.state(), after);
        }
        let bids = printed.iter().map(|&(bids, _)| bids);
        assert_eq!(GameRecord::replay(&Rules::tennis(), state("50:50@0"), bids), Ok(game.clone()));
        assert_eq!(GameRecord::from_table(&Rules::tennis(), table), Ok(game));
    }
}

#[test]
fn example_games_are_won_by_player_one() {
    for (table, outcome, two_one, win_loss) in
        [(GAME_1, Outcome::LiesWithB, 1, 1), (GAME_2, Outcome::OutByA, 2, 1)]
    {
        for (scoring, payoff) in [(Scoring::two_one(), two_one), (Scoring::win_loss(), win_loss)] {
            let game = GameRecord::from_table(&tennis(scoring), table).expect("a correct table");
            assert_eq!(game.outcome(), Some(outcome));
            assert_eq!(game.payoff(), Some(Payoff::from(payoff)));
        }
    }
}

#[test]
fn a_game_with_the_players_exchanged_is_won_by_the_other() {
    for table in [GAME_1, GAME_2] {
        for scoring in [Scoring::two_one(), Scoring::win_loss()] {
            let game = GameRecord::from_table(&tennis(scoring), table).expect("a correct table");
            let bids = game.turns().iter().map(|turn| (turn.bid_b, turn.bid_a));
            let mirrored = GameRecord::replay(&tennis(scoring), game.start().mirrored(), bids)
                .expect("a legal game");
            for (turn, other) in game.turns().iter().zip(mirrored.turns()) {
                assert_eq!(other.after, turn.after.mirrored());
            }
            assert_eq!(mirrored.outcome(), game.outcome().map(Outcome::mirrored));
            assert_eq!(mirrored.payoff(), game.payoff().map(|payoff| -payoff));
        }
    }
}

#[test]
fn the_misprinted_table_is_refused_where_it_stops_making_sense() {
    // Turn 9 as printed is a legal turn, though not the one that was played: a bid of 2 that leaves
    // 1 point. It is the tenth turn, on line 12 of the file, that does not follow.
    let error = GameRecord::from_table(&Rules::tennis(), GAME_2_MISPRINTED).unwrap_err();
    assert_eq!(error.to_string(), "line 12: bids 1 and 0 from 1:0@1 lead to 0:0@2, not to 1:0@2");
    let GameError::RecordLine { line, .. } = error else {
        panic!("{error:?} does not name a line")
    };
    assert_eq!(GAME_2_MISPRINTED.lines().nth(line - 1), Some("10 1 0 1 0 2"));
}

#[test]
fn illegal_bids_are_refused_and_leave_the_game_as_it_was() {
    let refused = [
        ("50:50@0", (0, 1), "A cannot bid 0: with 50 points left bids are 1 to 50"),
        ("50:50@0", (1, 0), "B cannot bid 0: with 50 points left bids are 1 to 50"),
        ("50:40@0", (51, 1), "A cannot bid 51: with 50 points left bids are 1 to 50"),
        ("50:40@0", (50, 41), "B cannot bid 41: with 40 points left bids are 1 to 40"),
        ("1:2@0", (2, 1), "A cannot bid 2: with 1 point left the only bid is 1"),
        ("1:2@0", (0, 1), "A cannot bid 0: with 1 point left the only bid is 1"),
        ("2:0@-1", (1, 1), "B cannot bid 1: with an empty account the only bid is 0"),
        ("0:2@-1", (1, 1), "A cannot bid 1: with an empty account the only bid is 0"),
        ("0:0@0", (0, 0), "the game is over at 0:0@0"),
        ("0:0@2", (0, 0), "the game is over at 0:0@2"),
        ("0:0@-1", (1, 1), "the game is over at 0:0@-1"),
    ];
    for (start, (bid_a, bid_b), sentence) in refused {
        let mut game = GameRecord::new(&Rules::tennis(), state(start)).expect("a start");
        let before = game.clone();
        let error = game.play(bid_a, bid_b).unwrap_err();
        assert_eq!(error.to_string(), sentence);
        assert_eq!(game, before);
    }
}

#[test]
fn nothing_is_played_after_the_end() {
    for (table, sentence) in
        [(GAME_1, "the game is over at 0:0@2"), (GAME_2, "the game is over at 0:0@3")]
    {
        let mut game = GameRecord::from_table(&Rules::tennis(), table).expect("a correct table");
        let error = game.play(0, 0).unwrap_err();
        assert_eq!(error, GameError::GameOver { state: game.state() });
        assert_eq!(error.to_string(), sentence);
    }
    // Out is out, whatever points are left.
    let mut game = GameRecord::new(&Rules::tennis(), state("9:9@2")).expect("a start");
    assert_eq!(game.play(2, 1), Ok(state("7:8@3")));
    assert_eq!(game.outcome(), Some(Outcome::OutByA));
    assert_eq!(game.play(1, 1).unwrap_err().to_string(), "the game is over at 7:8@3");
}

#[test]
fn a_replay_stops_at_the_first_wrong_pair_of_bids() {
    let replay = |bids: &[(u32, u32)]| {
        GameRecord::replay(&Rules::tennis(), state("4:3@-2"), bids.iter().copied())
    };
    assert_eq!(
        replay(&[(2, 1), (2, 3), (9, 9)]).unwrap_err(),
        GameError::BidIllegal { player: Player::B, bid: 3, lowest: 1, highest: 2 }
    );
    assert_eq!(
        replay(&[(1, 2), (1, 1)]).unwrap_err(),
        GameError::GameOver { state: state("3:1@-3") }
    );
}

#[test]
fn a_wrong_line_is_named_with_its_reason() {
    let refused = [
        ("", "line 1: the table has no start line"),
        ("# nothing but a comment\n\n", "line 1: the table has no start line"),
        ("1 5 10 45 40 -1", "line 1: expected 4 numbers, found 6: `1 5 10 45 40 -1`"),
        (
            "1 50 50 0",
            "line 1: expected the start as `0 points_a points_b ball`, found `1 50 50 0`",
        ),
        ("0 50 50 3", "line 1: ball 3 is outside the field -2 to 2"),
        ("0 50 50 1000", "line 1: the ball is outside every field"),
        ("0 -1 50 0", "line 1: -1 is no number of points"),
        ("0 50 50 0\n1 5 10 45 40", "line 2: expected 6 numbers, found 5: `1 5 10 45 40`"),
        ("0 50 50 0\n1 5 ten 45 40 -1", "line 2: `ten` is not a number"),
        ("0 50 50 0\n2 5 10 45 40 -1", "line 2: expected turn 1, found turn 2"),
        ("0 50 50 0\n1 5 10 45 40 -1\n1 5 10 40 30 -2", "line 3: expected turn 2, found turn 1"),
        ("0 50 50 0\n1 -5 10 55 40 -1", "line 2: -5 is no bid"),
        (
            "0 50 50 0\n1 5 10 44 40 -1",
            "line 2: bids 5 and 10 from 50:50@0 lead to 45:40@-1, not to 44:40@-1",
        ),
        (
            "0 50 50 0\n1 5 10 45 41 -1",
            "line 2: bids 5 and 10 from 50:50@0 lead to 45:40@-1, not to 45:41@-1",
        ),
        (
            "0 50 50 0\n1 5 10 45 40 1",
            "line 2: bids 5 and 10 from 50:50@0 lead to 45:40@-1, not to 45:40@1",
        ),
        (
            "0 50 50 0\n1 0 10 50 40 -1",
            "line 2: A cannot bid 0: with 50 points left bids are 1 to 50",
        ),
        ("# start\n0 2 2 0\n\n1 2 2 0 0 0\n2 0 0 0 0 0", "line 5: the game is over at 0:0@0"),
    ];
    for (table, sentence) in refused {
        let error = GameRecord::from_table(&Rules::tennis(), table).unwrap_err();
        assert_eq!(error.to_string(), sentence, "table:\n{table}");
    }
}
