//! Figures of games of any rules.

use std::collections::{BTreeMap, HashSet};

use super::FigureError;
use super::axes::{Axes, GridLines, Range, short};
use super::charts::{BAR, BAR_OF_B, BAR_STEP, Bar, draw_bar_axis, draw_bars};
use super::heat_map::{HeatMap, LINES, Panel, Scale};
use super::svg::{Heading, MIDDLE, NORMAL, Point, Size, Svg};
use crate::error::Error;
use crate::game::Player;
use crate::hidden::HiddenSolution;
use crate::stochastic_game::{PolicyJudgement, StochasticGame, StochasticSolution};

/// The most maps in a picture, and pixels on the side of one.
const MOST_PANELS: usize = 12;
const MOST_SIDE: i32 = 200;

const BINS: usize = 40;

/// The most turns of a line, actions of a strategy and states of a list.
const MOST_TURNS: usize = 60;
const MOST_BARS: usize = 24;

/// The letters of an action's name that have room.
const MOST_LETTERS: usize = 30;

/// Draws the value of every state that is no end. Where names have two whole numbers or more (`3
/// days, 2 left`), the first two are the coordinates of maps; otherwise a histogram, and the values
/// along the likeliest play of the strategies found.
pub fn game_value_figure(solution: &StochasticSolution) -> Result<String, FigureError> {
    let game = solution.game();
    let title = format!("What every state is worth to A: {}", game.title().unwrap_or("a game"));
    let values =
        (0..game.len()).map(|state| solution.value(&state)).collect::<Result<Vec<f64>, _>>()?;
    let most = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    if let Some(Maps { panels, labels: [across, up] }) = maps(game, &values) {
        let map = HeatMap {
            labels: [&across, &up],
            key: "value",
            scale: Scale::diverging(most),
            wide: false,
        };
        let heading =
            Heading { title: &title, reading: "Blue is good for A, brown for B; white is even." };
        return Ok(map.draw(heading, &panels));
    }
    let played: Vec<f64> = game
        .states()
        .filter(|state| state.actions().is_some())
        .map(|state| values[state.number()])
        .collect();
    let [least, largest] =
        played.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[least, largest], &value| {
            [least.min(value), largest.max(value)]
        });
    let wide = if largest > least { (largest - least) / BINS as f64 } else { 1.0 };
    let mut counts = [0_usize; BINS];
    for value in &played {
        counts[(((value - least) / wide) as usize).min(BINS - 1)] += 1;
    }
    let (line, caption) = likeliest_values(solution, &values)?;
    let room = 0.05 * (2.0 * most).max(0.1);
    let axes = |top, ranges, counts, labels| {
        let logarithmic = [false; 2];
        Axes { left: 76, top, width: 560, height: 190, ranges, logarithmic, counts, labels }
    };
    let tallest = counts.iter().copied().max().unwrap_or(1) as f64;
    let histogram = axes(
        76,
        [Range::new(least, least + wide * BINS as f64), Range::new(0.0, 1.05 * tallest)],
        [false, true],
        ["value to A", "states"],
    );
    let turns = (line.len() - 1).max(1) as f64;
    let play = axes(
        366,
        [Range::new(0.0, turns), Range::new(-most - room, most + room)],
        [true, false],
        ["turns", "value to A"],
    );
    let reading = "Above: how many states, ends left out, have which value. Below: how the value changes as the game is played.";
    Ok(Svg::picture(Size { width: 670, height: 610 }, Heading { title: &title, reading }, |svg| {
        svg.text("all states", Point::new(356, 46), NORMAL, MIDDLE);
        histogram.draw(svg, GridLines::Drawn);
        for (bin, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let [from, to] = [bin, bin + 1].map(|edge| histogram.x(least + wide * edge as f64));
            svg.rectangle(
                Point::new(from, histogram.y(count as f64)),
                Point::new(to - 1, histogram.y(0.0)),
                BAR,
            );
        }
        svg.text(caption, Point::new(356, 336), NORMAL, MIDDLE);
        play.draw(svg, GridLines::Drawn);
        let points: Vec<_> = (0..)
            .zip(&line)
            .map(|(turn, &value)| Point::new(play.x(f64::from(turn)), play.y(value)))
            .collect();
        svg.line(&points, LINES[1], 2);
        for point in points {
            svg.dot(point, LINES[0]);
        }
    }))
}

/// Draws both strategies at a state as bars.
pub fn game_strategy_figure(
    solution: &StochasticSolution,
    state: usize,
) -> Result<String, FigureError> {
    let view = solution.game().state(state)?;
    let Some(names) = view.actions() else { return Err(FigureError::Nothing("actions")) };
    let strategies = solution.strategies(&state)?;
    let named_shares = [0, 1].map(|player| {
        strategies[player]
            .iter()
            .map(|&(action, share)| (names[player][action].to_string(), share))
            .collect()
    });
    let value = short(solution.value(&state)?);
    Ok(named_strategy_figure(&format!("{} is worth {value} to A", view.name()), named_shares))
}

/// Draws both players' strategies in a game with hidden information as bars, each with the
/// information set and an action: those of the information sets of this name, or of the first ones
/// of each player.
///
/// # Errors
/// [`HiddenError::UnknownSet`](crate::hidden::HiddenError::UnknownSet) if neither player has such a
/// set.
pub fn hidden_strategy_figure(
    solution: &HiddenSolution,
    asked: Option<&str>,
) -> Result<String, Error> {
    let tree = solution.tree();
    let mut is_cut = false;
    let mut strategies = [Vec::new(), Vec::new()];
    for player in Player::BOTH {
        let sets = tree.information_sets(player).iter().enumerate();
        let shown = sets.filter(|(_, set)| asked.is_none_or(|name| name == set.name()));
        let mut bars: Vec<(String, f64)> = Vec::new();
        for (number, set) in shown {
            for share in solution.shares(player, number)? {
                if share.probability > 0.0 {
                    bars.push((format!("{}: {}", set.name(), share.action), share.probability));
                }
            }
            if bars.len() > MOST_BARS {
                is_cut = true;
                break;
            }
        }
        bars.truncate(MOST_BARS);
        strategies[player as usize] = bars;
    }
    if let (Some(name), true) = (asked, strategies.iter().all(Vec::is_empty)) {
        return Err(tree.unknown_set(Player::A, name).into());
    }
    let title =
        format!("{} is worth {} to A", tree.title().unwrap_or("The game"), short(solution.value()));
    let reading = if is_cut {
        "How often each action is chosen by who knows this: the first information sets."
    } else {
        "How often each action is chosen by who knows this."
    };
    Ok(strategy_bars(Heading { title: &title, reading }, strategies))
}

/// Draws strategies of A and of B as bars: the names of actions with their probabilities.
pub fn named_strategy_figure(title: &str, strategies: [Vec<(String, f64)>; 2]) -> String {
    strategy_bars(Heading { title, reading: "How often each action is chosen." }, strategies)
}

fn strategy_bars(heading: Heading<'_>, mut strategies: [Vec<(String, f64)>; 2]) -> String {
    for bars in &mut strategies {
        if bars.len() > MOST_BARS {
            bars.sort_by(|one, other| other.1.total_cmp(&one.1));
        }
        bars.truncate(MOST_BARS);
        for (name, _) in bars {
            if let Some((end, _)) = name.char_indices().nth(MOST_LETTERS) {
                name.replace_range(end.., "…");
            }
        }
    }
    // A player without a set of the asked name has no part.
    let [of_a, of_b] = strategies;
    let parts = [("A", BAR, of_a), ("B", BAR_OF_B, of_b)]
        .into_iter()
        .filter(|(_, _, bars)| !bars.is_empty());
    let mut below = 44;
    let placed: Vec<_> = parts
        .map(|(player, colour, bars)| {
            let top = below + 40;
            below = top + BAR_STEP * bars.len() as i32;
            (top, player, colour, bars)
        })
        .collect();
    Svg::picture(Size { width: 660, height: below + 20 }, heading, |svg| {
        for (top, player, colour, bars) in placed {
            svg.text(&format!("{player} plays"), Point::new(330, top - 32), NORMAL, MIDDLE);
            let percent = |share: f64| format!("{:.2} %", 100.0 * share);
            draw_bars(
                svg,
                top,
                colour,
                bars.iter().map(|(name, share)| Bar { name, share: *share, text: percent(*share) }),
            );
        }
    })
}

/// Draws what a policy gives away by its choice at each state: maps as for the values, or the worst
/// states as bars.
pub fn game_regret_figure(
    solution: &StochasticSolution,
    judgement: &PolicyJudgement,
    policy: &str,
) -> Result<String, FigureError> {
    let game = solution.game();
    let title = format!(
        "What {}’s actions give away: {policy}, {}",
        judgement.player(),
        game.title().unwrap_or("a game")
    );
    let noise = solution.widest_enclosure();
    let mut regrets = Vec::with_capacity(game.len());
    for state in 0..game.len() {
        let regret = judgement.state(state)?.regret.upper();
        regrets.push(if regret > noise { regret } else { 0.0 });
    }
    let most = regrets.iter().copied().fold(0.0, f64::max);
    let scale = if most > 0.0 { most } else { 1.0 };
    if let Some(Maps { panels, labels: [across, up] }) = maps(game, &regrets) {
        let map = HeatMap {
            labels: [&across, &up],
            key: "regret",
            scale: Scale::sequential(scale),
            wide: false,
        };
        let reading = "The darker a state, the more the policy’s choice there loses on average if both play perfectly afterwards.";
        return Ok(map.draw(Heading { title: &title, reading }, &panels));
    }
    let mut worst = Vec::new();
    for number in judgement.worst_states() {
        let state = game.state(number)?;
        if regrets[number] > 0.0 {
            worst.push(state);
        }
        if worst.len() == MOST_BARS {
            break;
        }
    }
    let reading = "The states where the policy’s choice loses most on average if both play perfectly afterwards.";
    let below = 60 + BAR_STEP * worst.len().max(1) as i32;
    Ok(Svg::picture(
        Size { width: 660, height: below + 50 },
        Heading { title: &title, reading },
        |svg| {
            if worst.is_empty() {
                return svg.text(
                    "nothing is given away anywhere",
                    Point::new(330, 60),
                    NORMAL,
                    MIDDLE,
                );
            }
            let mut bars = Vec::with_capacity(worst.len());
            for state in &worst {
                let regret = regrets[state.number()];
                let text = format!("{regret:.4}");
                bars.push(Bar { name: state.name(), share: regret / scale, text });
            }
            draw_bars(svg, 60, BAR, bars.into_iter());
            draw_bar_axis(svg, below, scale, "value given away, in the game’s payoffs");
        },
    ))
}

/// The values along the likeliest play from the first start, until it ends or a state repeats, with
/// a caption.
fn likeliest_values(
    solution: &StochasticSolution,
    values: &[f64],
) -> Result<(Vec<f64>, &'static str), FigureError> {
    let game = solution.game();
    let (mut state, mut line, mut visited) =
        (game.starts()[0] as usize, Vec::new(), HashSet::new());
    while line.len() < MOST_TURNS {
        if !visited.insert(state) {
            return Ok((line, "along the likeliest play, until a state repeats"));
        }
        line.push(values[state]);
        let likeliest = |strategy: &Vec<(usize, f64)>| {
            strategy.iter().max_by(|one, other| one.1.total_cmp(&other.1)).map(|best| best.0)
        };
        let strategies = solution.strategies(&state)?;
        let (Some(a), Some(b)) = (likeliest(&strategies[0]), likeliest(&strategies[1])) else {
            return Ok((line, "along the likeliest play, to its end"));
        };
        let successors = game.state(state)?.turn([a, b])?.successors;
        state = successors
            .into_iter()
            .max_by(|one, other| one.probability.cmp(&other.probability))
            .map_or(state, |likeliest| likeliest.state.number());
    }
    Ok((line, "along the likeliest play, its first turns"))
}

/// Maps with the names of their two axes, the horizontal one first.
struct Maps {
    panels: Vec<Panel>,
    labels: [String; 2],
}

/// The maps of a game whose names have coordinates: one for each text around the first two numbers.
fn maps(game: &StochasticGame, numbers: &[f64]) -> Option<Maps> {
    let mut maps: BTreeMap<String, Vec<([i32; 2], f64)>> = BTreeMap::new();
    for state in game.states().filter(|state| state.actions().is_some()) {
        let (text, at) = coordinates(state.name())?;
        maps.entry(text).or_default().push((at, numbers[state.number()]));
    }
    let all = || maps.values().flatten().map(|(at, _)| at);
    let range =
        |axis: usize| Some((all().map(|at| at[axis]).min()?, all().map(|at| at[axis]).max()?));
    let ((low, high), (left, right)) = (range(0)?, range(1)?);
    let (rows, columns) = (high.checked_sub(low)? + 1, right.checked_sub(left)? + 1);
    // One row is no map, and one that is mostly empty shows nothing.
    let sides = [rows, columns].map(|side| (2..=MOST_SIDE).contains(&side));
    let is_full = all().count() * 4 >= (rows as usize).checked_mul(columns as usize)? * maps.len();
    if maps.len() > MOST_PANELS || sides.contains(&false) || !is_full {
        return None;
    }
    let panel = |(title, states): (String, Vec<([i32; 2], f64)>)| {
        let mut cells = vec![vec![None; columns as usize]; rows as usize];
        for ([up, across], number) in states {
            cells[(up - low) as usize][(across - left) as usize] = Some(number);
        }
        Panel { title, first: [left, low], cells, surrounded: Vec::new() }
    };
    let [up, across] = axis_names(maps.keys().next()?);
    let mut panels: Vec<_> = maps.into_iter().map(panel).collect();
    if let [only] = &mut panels[..] {
        // Its text is in the names of the axes.
        only.title.clear();
    }
    Some(Maps { panels, labels: [across, up] })
}

/// What the two numbers of a text count: the words behind them, as in `x days, y left`, or else
/// their places.
fn axis_names(text: &str) -> [String; 2] {
    let word_behind = |number: char, place: &str| {
        let is_number = |word: &&str| {
            word.trim_matches(|sign: char| !sign.is_alphanumeric()) == number.to_string()
        };
        let mut words = text.split(' ').skip_while(|word| !is_number(word));
        let behind =
            words.nth(1).map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric()));
        let is_word = |word: &&str| word.len() > 1 && word.chars().all(char::is_alphabetic);
        behind.filter(is_word).map_or_else(|| format!("{place} number of the name"), str::to_owned)
    };
    [word_behind('x', "first"), word_behind('y', "second")]
}

/// The first two whole numbers of a name, and its text with `x` and `y` for them.
fn coordinates(name: &str) -> Option<(String, [i32; 2])> {
    let (mut rest, mut text, mut found) = (name, String::new(), Vec::new());
    while found.len() < 2 {
        let digit = rest.find(|sign: char| sign.is_ascii_digit())?;
        // Between two numbers it is a hyphen.
        let is_sign = |before: &str| {
            before.is_empty() && found.is_empty()
                || before.ends_with(|sign: char| !sign.is_alphanumeric())
        };
        let is_negative = rest[..digit].strip_suffix('-').is_some_and(is_sign);
        let begin = digit - usize::from(is_negative);
        let end = rest[digit..]
            .find(|sign: char| !sign.is_ascii_digit())
            .map_or(rest.len(), |length| digit + length);
        found.push(rest[begin..end].parse().ok()?);
        text += &rest[..begin];
        text.push(if found.len() == 1 { 'x' } else { 'y' });
        rest = &rest[end..];
    }
    Some((text + rest, [found[0], found[1]]))
}

#[cfg(test)]
mod tests {
    use super::{axis_names, coordinates};

    #[test]
    fn axes_are_named_by_what_they_count() {
        assert_eq!(axis_names("x days, y inspections"), ["days", "inspections"]);
        assert_eq!(axis_names("x-y@-2"), ["first number of the name", "second number of the name"]);
        assert_eq!(axis_names("x left after y"), ["left", "second number of the name"]);
    }

    #[test]
    fn names_have_coordinates() {
        assert_eq!(coordinates("10 days, 3 left"), Some(("x days, y left".into(), [10, 3])));
        assert_eq!(coordinates("-2 after 1"), Some(("x after y".into(), [-2, 1])));
        assert_eq!(coordinates("4-3@-2"), Some(("x-y@-2".into(), [4, 3])));
        assert_eq!(
            (coordinates("round"), coordinates("b2 A"), coordinates("99999999999 1")),
            (None, None, None)
        );
    }
}
