//! A component's claims, taken to the gate: bounds in short or in long numbers, with the strategies
//! that are to prove them.

use num_bigint::BigInt;

use super::cycle::CyclicState;
use super::local_game::{Side, long_outside};
use super::long::{LongState, LongStates};
use super::value_iteration::Component;
use crate::bounds::Bounds;
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::gate::{Claims, Gate, Members, Passed, Secured, Units};
use crate::matrix_game::DyadicStrategy;
use crate::matrix_game::exact::big_integer;
use crate::model::{NumberedGame, Outcome};

/// Short bounds have at most this many units, as in certificates.
const MOST: u64 = 1 << 62;

/// Margins in units; the largest one is 2^−41 of the largest value, below which bounds count as
/// wide.
pub(crate) const MARGINS: [i64; 6] = [0, 1 << 4, 1 << 8, 1 << 12, 1 << 16, 1 << 20];

/// The states that a thread checks at a time.
const STATES_A_TASK: usize = 1 << 10;

/// Bounds of a component's states, and of all states outside.
struct ShortComponent<'c> {
    members: Members<'c>,
    found: &'c [CyclicState],
    outside: &'c [Bounds],
}

impl Claims<i128> for ShortComponent<'_> {
    fn bounds(&self, state: usize) -> [i128; 2] {
        let Bounds { lower, upper } = match self.members.place(state as u32) {
            Some(place) => self.found[place].bounds,
            None => self.outside[state],
        };
        [lower.into(), upper.into()]
    }
}

/// As [`ShortComponent`], in a unit that is 2^`finer` times as fine.
struct LongComponent<'c> {
    members: Members<'c>,
    found: Vec<[BigInt; 2]>,
    outside: &'c [Bounds],
    long: &'c LongStates,
    finer: usize,
}

impl Claims<BigInt> for LongComponent<'_> {
    fn bounds(&self, state: usize) -> [BigInt; 2] {
        if let Some(place) = self.members.place(state as u32) {
            return self.found[place].clone();
        }
        if let Some(long) = self.long.get(&(state as u32)) {
            return Side::BOTH.map(|side| big_integer(&long.bound_in(side, self.finer)));
        }
        let Bounds { lower, upper } = self.outside[state];
        [lower, upper].map(|bound| BigInt::from(bound) << self.finer)
    }
}

impl Component<'_> {
    /// Takes the bounds of all states, rising, to the gate.
    ///
    /// # Errors
    /// The first state whose bounds the strategies do not prove.
    pub(crate) fn check(&self, found: &[CyclicState]) -> Result<Passed, StochasticGameError> {
        self.check_count(found.len())?;
        let is_short = |state: &CyclicState| {
            [state.bounds.lower, state.bounds.upper]
                .iter()
                .all(|bound| bound.unsigned_abs() <= MOST)
        };
        if !found.iter().all(is_short) {
            return Err(self.refuse("bounds are beyond 2^62 units"));
        }
        let claims = ShortComponent { members: Members(self.states), found, outside: self.outside };
        let units = Units { exponent: self.exponent, weight_exponent: DyadicStrategy::WHOLE_BITS };
        let tasks: Vec<_> =
            self.states.chunks(STATES_A_TASK).zip(found.chunks(STATES_A_TASK)).collect();
        let checked = self.threads.map(&tasks, |(): &mut (), &(states, found)| {
            let mut gate = Gate::new(self.game, units);
            gate.check_states(
                states.iter().zip(found).map(|(&state, found)| (state as usize, mixtures(found))),
                &claims,
            )
        });
        let secured = Secured::of_parts(checked)?;
        Gate::new(self.game, units).check_waiting(
            self.states,
            |place| mixtures(&found[place]),
            &claims,
            secured,
        )
    }

    /// The bounds moved outward by the first of some margins with which they pass the gate; `None`
    /// if they pass with none.
    ///
    /// Two of nature's choices may be equally good to a unit, so that bounds proved by one of them
    /// miss the other by rounding.
    pub(crate) fn proved_outward(
        &self,
        found: &[CyclicState],
    ) -> Option<(Vec<CyclicState>, Passed)> {
        MARGINS.into_iter().find_map(|margin| {
            let mut moved = found.to_vec();
            for state in &mut moved {
                let Bounds { lower, upper } = state.bounds;
                state.bounds =
                    Bounds::new(lower.saturating_sub(margin), upper.saturating_add(margin));
            }
            let passed = self.check(&moved).ok()?;
            Some((moved, passed))
        })
    }

    /// Checks bounds in longer numbers, in the finest unit of these and of those outside.
    pub(crate) fn check_long(&self, found: &[LongState]) -> Result<Passed, StochasticGameError> {
        self.check_count(found.len())?;
        let LongState { weight_bits, finer, .. } = found[0];
        if found.iter().any(|state| state.weight_bits != weight_bits || state.finer != finer) {
            return Err(self.refuse("its long numbers are of different lengths"));
        }
        let finer = self.finest_outside().map_or(finer, |finest| finest.max(finer));
        let in_unit =
            |state: &LongState| Side::BOTH.map(|side| big_integer(&state.bound_in(side, finer)));
        let bounds = found.iter().map(in_unit).collect();
        let (members, outside, long) = (Members(self.states), self.outside, self.long);
        let claims = LongComponent { members, found: bounds, outside, long, finer };
        let units =
            Units { exponent: self.exponent + finer as u32, weight_exponent: weight_bits as u32 };
        let weights: Vec<[Vec<(u32, BigInt)>; 2]> = found
            .iter()
            .map(|state| {
                let long = |side: usize| {
                    state.sides[side]
                        .1
                        .iter()
                        .map(|(action, weight)| (*action, big_integer(weight)))
                };
                [long(0).collect(), long(1).collect()]
            })
            .collect();
        let mixtures = |place: usize| weights[place].each_ref().map(Vec::as_slice);
        let mut gate = Gate::new(self.game, units);
        let states =
            self.states.iter().enumerate().map(|(place, &state)| (state as usize, mixtures(place)));
        let secured = gate.check_states(states, &claims)?;
        gate.check_waiting(self.states, mixtures, &claims, secured)
    }

    /// Whether all weights are those of actions that are there.
    pub(crate) fn are_legal(&self, found: &[CyclicState]) -> bool {
        let is_legal = |(&state, found): (&u32, &CyclicState)| {
            found.weights.iter().zip(self.game.sizes(state as usize)).all(|(weights, actions)| {
                let is_legal =
                    |&(action, weight): &(u32, u64)| (action as usize) < actions && weight > 0;
                // An end has neither actions nor weights.
                weights.is_empty() == (actions == 0) && weights.iter().all(is_legal)
            })
        };
        found.len() == self.states.len() && self.states.iter().zip(found).all(is_legal)
    }

    /// The bits by which the finest bounds outside are finer than the unit.
    fn finest_outside(&self) -> Option<usize> {
        let cells = self.states.iter().flat_map(|&state| self.game.all_cells(state as usize));
        let members = Members(self.states);
        let is_outside = |outcome: &&Outcome| members.place(outcome.state).is_none();
        long_outside(cells.flat_map(|cell| cell.outcomes), is_outside, self.long)
            .map(|state| state.finer)
            .max()
    }

    fn check_count(&self, found: usize) -> Result<(), StochasticGameError> {
        if found == self.states.len() {
            Ok(())
        } else {
            Err(self.refuse("there are not bounds of all states"))
        }
    }

    fn refuse(&self, reason: &str) -> StochasticGameError {
        self.game.refuse(
            self.states[0] as usize,
            StochasticGameFault::Claim { reason: reason.to_owned() },
        )
    }
}

fn mixtures(found: &CyclicState) -> [&[(u32, u64)]; 2] {
    found.weights.each_ref().map(Vec::as_slice)
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use dashu_int::IBig;

    use super::*;
    use crate::cycles::local_game::only_cycle;
    use crate::model::StochasticGame;
    use crate::work::Threads;

    const EXPONENT: u32 = 20;

    /// A play of three turns at a time, each of which costs A 1, is left with probability 10^-11
    /// once in them; B could also be paid less. States in the order of the file: z, s0, s1, c0.
    const LONG_PLAY: &str = r#"{"format":"stochastic-game","version":1,"kind":"stopping","start":["s0"]}
        {"id":"z","value":"0"}
        {"id":"s0","a":["x"],"b":["x"],"cells":[[{"to":[["99999999999/100000000000","c0"],["1/100000000000","z"]],"reward":"-1"}]]}
        {"id":"s1","a":["x"],"b":["x","y"],"cells":[[{"to":[["1","s0"]],"reward":"-1"},
            {"to":[["99999999999/100000000000","s1"],["1/100000000000","z"]],"reward":"1"}]]}
        {"id":"c0","a":["x"],"b":["x","y"],"cells":[[{"to":[["1","s1"]],"reward":"-1"},{"to":[["1","s0"]],"reward":"1"}]]}"#;

    /// v(s0) = -1 + (1 - e) v(c0), v(c0) = -1 + v(s1), v(s1) = -1 + v(s0) with e = 10^-11: v(s0) =
    /// -3/e + 2.
    const VALUES: [i64; 3] = [-299_999_999_998, -299_999_999_999, -300_000_000_000];

    fn game(text: &str) -> StochasticGame {
        // A state a line.
        StochasticGame::read(text.replace(",\n", ",").as_bytes()).unwrap()
    }

    fn check(game: &StochasticGame, found: &[CyclicState]) -> Result<(), StochasticGameError> {
        let (outside, threads) = (vec![Bounds::default(); game.len()], Threads::alone());
        let (states, long) = (&[1, 2, 3], LongStates::new());
        let endless = Bounds::default();
        Component {
            game,
            states,
            endless,
            exponent: EXPONENT,
            outside: &outside,
            long: &long,
            threads: &threads,
        }
        .check(found)
        .map(|_| ())
    }

    /// The values moved outward by this part of them, in per mille, with the strategies of the
    /// first actions.
    fn around_values(per_mille: i64) -> Vec<CyclicState> {
        let around = |value: &i64| {
            let (value, reserve) = (value << EXPONENT, (-value << EXPONENT) / 1000 * per_mille);
            CyclicState::with_any_strategy(Bounds::new(value - reserve, value + reserve))
        };
        VALUES.iter().map(around).collect()
    }

    #[test]
    fn bounds_around_the_values_of_a_long_play_pass() {
        check(&game(LONG_PLAY), &around_values(1)).unwrap();
    }

    /// Bounds that a solver once published, and each of them alone beside a true one.
    #[test]
    fn false_bounds_of_a_long_play_are_refused() {
        let game = game(LONG_PLAY);
        let [lower, upper] = [-137_438_953_472_i64, -19_506_195_459].map(|bound| bound << EXPONENT);
        let published = vec![CyclicState::with_any_strategy(Bounds::new(lower, upper)); 3];
        assert!(check(&game, &published).is_err());
        for side in [0, 1] {
            let mut one_sided = around_values(1);
            for state in &mut one_sided {
                if side == 0 {
                    state.bounds.lower = lower;
                } else {
                    state.bounds.upper = -310_000_000_000 << EXPONENT;
                }
            }
            assert!(check(&game, &one_sided).is_err(), "{side}");
        }
        // Bounds on the wrong side of the values.
        assert!(check(&game, &around_values(-1)).is_err());
    }

    /// A wins 1 by leaving, and infinite plays pay 0.
    const STAY_OR_GO: &str = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}
        {"id":"won","value":"1"}
        {"id":"s","a":["stay","go"],"b":["x"],"cells":[[{"to":[["1","s"]]}],[{"to":[["1","won"]]}]]}"#;

    /// Passes the only cycle of a game to a test; all states outside have this value, in units.
    fn with_cycle(text: &str, outside: i64, test: impl FnOnce(&Component<'_>)) {
        let (game, components, cycle, _) = only_cycle(text, Bounds::default());
        let (outside, threads) =
            (vec![Bounds::new(outside, outside); game.len()], Threads::alone());
        let (states, endless, long) =
            (components.states(cycle), Bounds::default(), LongStates::new());
        let (game, outside, long, threads) = (&game, &outside, &long, &threads);
        test(&Component { game, states, endless, exponent: EXPONENT, outside, long, threads });
    }

    /// A low bound of a game that stays or ends is true, but no certificate could say it.
    #[test]
    fn bounds_beyond_all_units_are_refused() {
        let one = 1 << EXPONENT;
        with_cycle(STAY_OR_GO, one, |component| {
            let check = |lower: i64| {
                component.check(&[CyclicState::with_any_strategy(Bounds::new(lower, one))]).is_ok()
            };
            assert!(check(-(1 << 62)));
            assert!(!check(-(1 << 62) - 1));
        });
    }

    #[test]
    fn weights_that_are_no_strategies_are_refused() {
        let game = game(LONG_PLAY);
        let whole = DyadicStrategy::WHOLE;
        for weights in [
            vec![],
            vec![(0, whole - 1)],
            vec![(1, whole)],
            vec![(0, whole / 2), (0, whole / 2)],
            vec![(0, whole), (0, 0)],
        ] {
            let mut found = around_values(1);
            found[1].weights[0].clone_from(&weights);
            assert!(check(&game, &found).is_err(), "{weights:?}");
        }
        assert!(check(&game, &around_values(1)[..2]).is_err(), "a state is missing");
    }

    /// With the weights that stay, no bound above 0 is proved, in short or in long numbers, though
    /// every turn keeps it.
    #[test]
    fn a_bound_that_waiting_alone_supports_is_refused() {
        let (one, whole) = (1_i64 << EXPONENT, DyadicStrategy::WHOLE);
        with_cycle(STAY_OR_GO, one, |component| {
            let check = |lower: i64, action: u32| {
                let weights = [vec![(action, whole)], vec![(0, whole)]];
                let short =
                    component.check(&[CyclicState { bounds: Bounds::new(lower, one), weights }]);
                let long_weights = |action: u32| vec![(action, IBig::ONE << 70)];
                let sides = [
                    (IBig::from(lower) << 9, long_weights(action)),
                    (IBig::from(one) << 9, long_weights(0)),
                ];
                let long = component.check_long(&[LongState { weight_bits: 70, finer: 9, sides }]);
                assert_eq!(short.is_ok(), long.is_ok());
                short.is_ok()
            };
            let (stay, go) = (0, 1);
            assert!(check(one, go), "leaving wins");
            assert!(!check(one + 1, go), "and no unit more");
            assert!(check(0, stay), "waiting for ever pays 0");
            assert!(!check(1, stay), "and no unit more");
        });
    }

    /// Where play goes on outside to a state that is known in longer numbers, bounds are proved up
    /// to these, and refused one of their units beyond, where the short bounds of that state would
    /// prove less, or be equal.
    #[test]
    fn longer_numbers_outside_are_counted_to_their_unit() {
        let (game, components, cycle, _) = only_cycle(STAY_OR_GO, Bounds::default());
        let one = 1_i64 << EXPONENT;
        let (outside, threads) = (vec![Bounds::new(one, one + 1); game.len()], Threads::alone());
        let half = (one << 9) + 256;
        let known = LongState {
            weight_bits: 62,
            finer: 9,
            sides: [(half.into(), Vec::new()), (half.into(), Vec::new())],
        };
        let won = game.place("won").unwrap() as u32;
        let check = |long: &LongStates, lower: i64, upper: i64| {
            let (states, endless) = (components.states(cycle), Bounds::default());
            let (game, outside, threads) = (&game, &outside, &threads);
            let component =
                Component { game, states, endless, exponent: EXPONENT, outside, long, threads };
            let weights = |action: u32| vec![(action, IBig::ONE << 62)];
            let sides = [(IBig::from(lower), weights(1)), (IBig::from(upper), weights(0))];
            component.check_long(&[LongState { weight_bits: 62, finer: 9, sides }]).is_ok()
        };
        let long = LongStates::from([(won, known)]);
        assert!(check(&long, half, half));
        assert!(!check(&long, half + 1, half + 1) && !check(&long, half - 1, half - 1));
        let none = LongStates::new();
        assert!(check(&none, one << 9, (one + 1) << 9));
        assert!(!check(&none, half, (one + 1) << 9) && !check(&none, one << 9, half));
    }

    /// Bounds in longer numbers are refused one of their own units beyond the truth, where the
    /// short ones are equal.
    #[test]
    fn long_numbers_are_checked_in_their_own_unit() {
        let text = r#"{"format":"stochastic-game","version":1,"kind":"stopping","start":["s"]}
            {"id":"end","value":"0"}
            {"id":"s","a":["x"],"b":["x"],"cells":[[{"to":[["1/2","s"],["1/2","end"]],"reward":"1"}]]}"#;
        with_cycle(text, 0, |component| {
            let check = |lower: i64, upper: i64| {
                let two = IBig::from(2) << (EXPONENT as usize + 30);
                let weights = || vec![(0, IBig::ONE << 62)];
                let sides = [(&two + lower, weights()), (&two + upper, weights())];
                component.check_long(&[LongState { weight_bits: 62, finer: 30, sides }]).is_ok()
            };
            assert!(check(0, 0) && check(-5, 5));
            assert!(!check(1, 5) && !check(-5, -1) && !check(1, -1));
        });
    }
}
