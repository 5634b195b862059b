//! Figures of games of any rules.

use std::collections::{BTreeMap, HashSet};

use super::FigureError;
use super::axes::Axes;
use super::charts::{BAR, LETTER, draw_bars};
use super::heat_map::{HeatMap, LINES, Panel, Scale};
use super::svg::{MIDDLE, NORMAL, Svg};
use crate::stochastic_game::{PolicyJudgement, StochasticGame, StochasticSolution};

/// The most maps in a picture, and pixels on the side of one.
const MOST_PANELS: usize = 12;
const MOST_SIDE: i32 = 200;

const BINS: usize = 40;

/// The most turns of a line, actions of a strategy and states of a list.
const MOST_TURNS: usize = 60;
const MOST_BARS: usize = 24;

/// The letters of an action's name and of a title that have room.
const MOST_LETTERS: usize = 30;
const MOST_TITLE: usize = 250;

/// Draws the value of every state that is no end. Where names have two whole numbers or more (`3 days, 2 left`), the first two are
/// the coordinates of maps; otherwise a histogram, and the values along the likeliest play of the strategies found.
pub fn game_value_figure(solution: &StochasticSolution) -> Result<String, FigureError> {
    let game = solution.game();
    let title = format!("Value to A of every state that is no end: {}", game.title().unwrap_or("a game"));
    let values = (0..game.len()).map(|state| solution.value(&state)).collect::<Result<Vec<f64>, _>>()?;
    let most = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    if let Some(panels) = panels(game, &values) {
        return Ok(HeatMap { labels: ["y", "x"], key: "value", scale: Scale::diverging(most), wide: false }.draw(&title, &panels));
    }
    let played: Vec<f64> = (0..game.len()).filter(|&state| game.actions(state).is_some()).map(|state| values[state]).collect();
    let [least, largest] =
        played.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[least, largest], &value| [least.min(value), largest.max(value)]);
    let wide = if largest > least { (largest - least) / BINS as f64 } else { 1.0 };
    let mut counts = [0_usize; BINS];
    for value in &played {
        counts[(((value - least) / wide) as usize).min(BINS - 1)] += 1;
    }
    let (line, caption) = likeliest_values(solution, &values)?;
    let room = 0.05 * (2.0 * most).max(0.1);
    let axes = |top, ranges, labels| Axes { left: 76, top, width: 560, height: 190, ranges, logarithmic: [false; 2], labels };
    let tallest = counts.iter().copied().max().unwrap_or(1) as f64;
    let histogram = axes(76, [[least, least + wide * BINS as f64], [0.0, 1.05 * tallest]], ["value", "states"]);
    let turns = (line.len() - 1).max(1) as f64;
    let course = axes(366, [[0.0, turns], [-most - room, most + room]], ["turns", "value"]);
    Ok(Svg::picture((670, 610), &title, |svg| {
        histogram.draw(svg, true);
        for (bin, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let [from, to] = [bin, bin + 1].map(|edge| histogram.x(least + wide * edge as f64));
            svg.rectangle([(from, histogram.y(count as f64)), (to - 1, histogram.y(0.0))], BAR);
        }
        svg.text(caption, (356, 336), NORMAL, MIDDLE);
        course.draw(svg, true);
        let points: Vec<_> = (0..).zip(&line).map(|(turn, &value)| (course.x(f64::from(turn)), course.y(value))).collect();
        svg.line(&points, LINES[1], 2);
        for point in points {
            svg.dot(point, LINES[0]);
        }
    }))
}

/// Draws both strategies at a state as bars.
pub fn game_strategy_figure(solution: &StochasticSolution, state: usize) -> Result<String, FigureError> {
    let game = solution.game();
    let Some(names) = game.actions(state) else { return Err(FigureError::Nothing("actions")) };
    let strategies = solution.strategies(&state)?;
    let own = [0, 1]
        .map(|player| strategies[player].iter().map(|&(action, share)| (names[player][action].to_string(), share)).collect());
    let value = solution.enclosure(&state)?.decimal();
    Ok(named_strategy_figure(&format!("{} is worth {value} to A", game.name(state)), own))
}

/// Draws strategies of A and of B as bars: the names of actions with their probabilities.
pub fn named_strategy_figure(title: &str, mut strategies: [Vec<(String, f64)>; 2]) -> String {
    for own in &mut strategies {
        if own.len() > MOST_BARS {
            own.sort_by(|one, other| other.1.total_cmp(&one.1));
        }
        own.truncate(MOST_BARS);
        for (name, _) in own {
            if let Some((end, _)) = name.char_indices().nth(MOST_LETTERS) {
                name.replace_range(end.., "…");
            }
        }
    }
    let [own, other] = strategies;
    let lower = 84 + 26 * own.len() as i32 + 40;
    let width = LETTER * title.chars().take(MOST_TITLE).count() as i32 + 20;
    Svg::picture((width.max(660), lower + 26 * other.len() as i32 + 20), title, |svg| {
        for (player, top, bars) in [("A", 84, own), ("B", lower, other)] {
            svg.text(&format!("{player} plays"), (330, top - 32), NORMAL, MIDDLE);
            draw_bars(svg, top, bars.iter().map(|(name, share)| (name.as_str(), *share, format!("{:.2} %", 100.0 * share))));
        }
    })
}

/// Draws what a policy gives away by its choice at each state: maps as for the values, or the worst states as bars.
pub fn game_regret_figure(
    solution: &StochasticSolution,
    judgement: &PolicyJudgement,
    policy: &str,
) -> Result<String, FigureError> {
    let game = solution.game();
    let title = format!("What {}’s actions give away: {policy}", judgement.player());
    let noise = solution.widest_enclosure();
    let regret = |state: usize| Some(judgement.regret(state).upper()).filter(|&regret| regret > noise).unwrap_or(0.0);
    let regrets: Vec<f64> = (0..game.len()).map(regret).collect();
    let most = regrets.iter().copied().fold(0.0, f64::max);
    let scale = if most > 0.0 { most } else { 1.0 };
    if let Some(panels) = panels(game, &regrets) {
        let map = HeatMap { labels: ["y", "x"], key: "regret", scale: Scale::sequential(scale), wide: false };
        return Ok(map.draw(&title, &panels));
    }
    let worst: Vec<usize> = judgement.worst_states().into_iter().filter(|&state| regrets[state] > 0.0).take(MOST_BARS).collect();
    Ok(Svg::picture((660, 90 + 26 * worst.len().max(1) as i32), &title, |svg| {
        if worst.is_empty() {
            svg.text("nothing is given away anywhere", (330, 60), NORMAL, MIDDLE);
        }
        draw_bars(
            svg,
            60,
            worst.iter().map(|&state| (game.name(state), regrets[state] / scale, format!("{:.6}", regrets[state]))),
        );
    }))
}

/// The values along the likeliest play from the first start, until it ends or a state repeats, with a caption.
fn likeliest_values(solution: &StochasticSolution, values: &[f64]) -> Result<(Vec<f64>, &'static str), FigureError> {
    let game = solution.game();
    let (mut state, mut line, mut met) = (game.starts()[0] as usize, Vec::new(), HashSet::new());
    while line.len() < MOST_TURNS {
        if !met.insert(state) {
            return Ok((line, "along the likeliest play, until a state repeats"));
        }
        line.push(values[state]);
        let likeliest =
            |strategy: &Vec<(usize, f64)>| strategy.iter().max_by(|one, other| one.1.total_cmp(&other.1)).map(|best| best.0);
        let strategies = solution.strategies(&state)?;
        let (Some(a), Some(b)) = (likeliest(&strategies[0]), likeliest(&strategies[1])) else {
            return Ok((line, "along the likeliest play, to its end"));
        };
        let (_, outcomes) = game.turn(state, a, b);
        state = outcomes.into_iter().max_by(|one, other| one.0.cmp(&other.0)).map_or(state, |(_, next)| next);
    }
    Ok((line, "along the likeliest play, its first turns"))
}

/// The maps of a game whose names have coordinates: one for each text around the first two numbers.
fn panels(game: &StochasticGame, numbers: &[f64]) -> Option<Vec<Panel>> {
    let mut maps: BTreeMap<String, Vec<([i32; 2], f64)>> = BTreeMap::new();
    for state in (0..game.len()).filter(|&state| game.actions(state).is_some()) {
        let (text, at) = coordinates(game.name(state))?;
        maps.entry(text).or_default().push((at, numbers[state]));
    }
    let all = || maps.values().flatten().map(|(at, _)| at);
    let range = |axis: usize| Some((all().map(|at| at[axis]).min()?, all().map(|at| at[axis]).max()?));
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
    Some(maps.into_iter().map(panel).collect())
}

/// The first two whole numbers of a name, and its text with `x` and `y` for them.
fn coordinates(name: &str) -> Option<(String, [i32; 2])> {
    let (mut rest, mut text, mut found) = (name, String::new(), Vec::new());
    while found.len() < 2 {
        let digit = rest.find(|sign: char| sign.is_ascii_digit())?;
        // Between two numbers it is a hyphen.
        let is_sign =
            |before: &str| before.is_empty() && found.is_empty() || before.ends_with(|sign: char| !sign.is_alphanumeric());
        let is_negative = rest[..digit].strip_suffix('-').is_some_and(is_sign);
        let begin = digit - usize::from(is_negative);
        let end = rest[digit..].find(|sign: char| !sign.is_ascii_digit()).map_or(rest.len(), |length| digit + length);
        found.push(rest[begin..end].parse().ok()?);
        text += &rest[..begin];
        text.push(if found.len() == 1 { 'x' } else { 'y' });
        rest = &rest[end..];
    }
    Some((text + rest, [found[0], found[1]]))
}

#[cfg(test)]
mod tests {
    use super::coordinates;

    #[test]
    fn names_have_coordinates() {
        assert_eq!(coordinates("10 days, 3 left"), Some(("x days, y left".into(), [10, 3])));
        assert_eq!(coordinates("-2 after 1"), Some(("x after y".into(), [-2, 1])));
        assert_eq!(coordinates("4-3@-2"), Some(("x-y@-2".into(), [4, 3])));
        assert_eq!((coordinates("round"), coordinates("b2 A"), coordinates("99999999999 1")), (None, None, None));
    }
}
