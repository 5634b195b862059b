use super::FigureError;
use super::axes::{Axes, ball_name};
use super::heat_map::LINES;
use super::svg::{Colour, END, MIDDLE, NORMAL, Point, SMALL, START, Svg};
use crate::analysis::{Endgame, ForcedPlay, Matchup};
use crate::game::{Ball, Outcome, Player, State};
use crate::policy::Policy;
use crate::solution::{Limit, Solution};

pub(super) const BAR: Colour = Colour(0, 114, 178);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    FromZero,
    Fitted,
    Logarithmic,
}

impl Scale {
    /// The range of an axis for numbers; `above` is the margin above the largest, as a share of it.
    fn range(self, numbers: impl Iterator<Item = f64>, above: f64) -> [f64; 2] {
        let [least, most] =
            numbers.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], number| [least.min(number), most.max(number)]);
        let room = (0.05 * (most - least)).max(0.01);
        match self {
            Self::FromZero => [0.0, (1.0 + above) * most.max(1.0)],
            Self::Fitted => [least - room, most + room],
            Self::Logarithmic => [0.8 * least, 1.25 * most],
        }
    }
}

/// The pixels of a letter.
pub(super) const LETTER: i32 = 8;

/// Draws lines, each with its name; the points of lines over a logarithmic axis are dots, too.
pub(super) fn draw_lines(title: &str, labels: [&str; 2], scales: [Scale; 2], lines: &[(String, Vec<(f64, f64)>)]) -> String {
    let all = || lines.iter().flat_map(|(_, points)| points);
    let axes = Axes {
        left: 66,
        top: 46,
        width: 500,
        height: 340,
        ranges: [scales[0].range(all().map(|point| point.0), 0.0), scales[1].range(all().map(|point| point.1), 0.04)],
        logarithmic: scales.map(|scale| scale == Scale::Logarithmic),
        labels,
    };
    let dots = axes.logarithmic[0];
    let longest = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0) as i32;
    let right = axes.left + axes.width;
    Svg::picture((right + (LETTER * longest + 30).max(154), 440), title, |svg| {
        axes.draw(svg, true);
        // Names from the top, each below the one before it.
        let mut ends: Vec<(i32, usize)> = Vec::new();
        for (index, (_, points)) in lines.iter().enumerate() {
            let drawn: Vec<Point> = points.iter().map(|&(x, y)| (axes.x(x), axes.y(y))).collect();
            let Some(&(_, end)) = drawn.last() else { continue };
            // Ends at about the same height keep the order of the lines.
            ends.push((end / 24 * 24, index));
            let colour = LINES[index % LINES.len()];
            // Overlapping lines differ in width, so that both are visible.
            svg.line(&drawn, colour, if index < 2 && !dots { 4 } else { 2 });
            drawn.into_iter().filter(|_| dots).for_each(|point| svg.dot(point, colour));
        }
        ends.sort_unstable();
        let mut free = i32::MIN;
        for (end, index) in ends {
            let y = end.max(free);
            free = y + SMALL + 4;
            svg.line(&[(right + 4, y), (right + 18, y)], LINES[index % LINES.len()], 3);
            svg.text(&lines[index].0, (right + 23, y - SMALL / 2), SMALL, START);
        }
    })
}

/// Draws bars from a height downward: names left of them, their lengths as shares, texts behind.
pub(super) fn draw_bars<'n>(svg: &mut Svg, top: i32, bars: impl Iterator<Item = (&'n str, f64, String)>) {
    for (row, (name, share, text)) in (0..).zip(bars) {
        let (y, end) = (top + row * 26, 240 + (share * 300.0).round() as i32);
        svg.text(name, (232, y), SMALL, END);
        svg.rectangle([(240, y - 2), (end, y + 16)], BAR);
        svg.text(&text, (end + 7, y), SMALL, START);
    }
}

/// Draws the number of bids that A mixes with equal points, for every ball position.
pub fn support_figure(solution: &Solution) -> Result<String, FigureError> {
    let most = solution.points().into_iter().min().unwrap_or(1);
    let mut lines = Vec::new();
    for ball in solution.rules().balls().rev() {
        let size = |points| {
            let equilibrium = solution.equilibrium(State::new(points, points, ball))?;
            Ok((f64::from(points), equilibrium.a.support_size() as f64))
        };
        lines.push((ball_name(ball), (1..=most).map(size).collect::<Result<_, FigureError>>()?));
    }
    let labels = ["points of each player", "bids in the support"];
    Ok(draw_lines("How many bids A mixes", labels, [Scale::FromZero; 2], &lines))
}

/// Draws the points with which A forces the best end by pure play, over B's points, for every ball position.
pub fn forced_figure(forced: &ForcedPlay) -> Result<String, FigureError> {
    let mut lines = Vec::new();
    for ball in forced.rules().balls() {
        let endgame = Endgame::of(forced, ball)?;
        let needed = endgame.needed[Player::A].iter().enumerate();
        let points = needed.filter_map(|(other, own)| own.map(|own| (other as f64, f64::from(own)))).collect();
        lines.push((ball_name(ball), points));
    }
    let title = "Points with which A forces the best end";
    Ok(draw_lines(title, ["B’s points", "A’s points"], [Scale::FromZero; 2], &lines))
}

/// Rarer numbers of turns are left out at the end.
const RARE: f64 = 1e-3;

/// Draws the outcomes of a game between two optimal players, and the number of its turns.
///
/// # Errors
/// [`FigureError::Refused`] for a game whose policies are too large to keep.
pub fn outcome_figure(solution: &Solution) -> Result<String, FigureError> {
    let optimal = Policy::optimal(solution);
    let matchup = Matchup::new(solution.rules(), solution.start(), &optimal, &optimal)?;
    let [a, b] = solution.points();
    let title = format!("Games of {a}:{b} points between perfect players");
    let names = Outcome::EACH.map(|outcome| outcome.to_string());
    let shares = Outcome::EACH.map(|outcome| matchup.probability(outcome));
    let turns = matchup.turns();
    let last = turns.iter().rposition(|&share| share >= RARE).unwrap_or(0);
    let shown = &turns[..=last];
    let most = shown.iter().copied().fold(0.01, f64::max);
    let axes = Axes {
        left: 66,
        top: 260,
        width: 560,
        height: 180,
        ranges: [[0.0, last as f64 + 1.0], [0.0, 105.0 * most]],
        logarithmic: [false; 2],
        labels: ["turns", "games, %"],
    };
    Ok(Svg::picture((660, 500), &title, |svg| {
        svg.text("how they end", (330, 46), NORMAL, MIDDLE);
        let percent =
            |share: f64| if share > 0.0 && share < 5e-5 { "below 0.01 %".to_owned() } else { format!("{:.2} %", 100.0 * share) };
        draw_bars(svg, 78, names.iter().zip(shares).map(|(name, share)| (name.as_str(), share, percent(share))));
        svg.text("how many turns they take", (axes.left + axes.width / 2, axes.top - 22), NORMAL, MIDDLE);
        axes.draw(svg, true);
        for (number, share) in (0..).zip(shown) {
            let middle = f64::from(number);
            svg.rectangle([(axes.x(middle - 0.4), axes.y(100.0 * share)), (axes.x(middle + 0.4), axes.y(0.0))], BAR);
        }
    }))
}

/// Draws the value with the ball on B's first field and equal points, and the bounds that hold for all multiples of these points.
///
/// The horizontal axis starts at a tenth of the most points, where the bounds become informative. The solution must have at least
/// as many points.
pub fn limit_figure(limit: &Limit, solution: &Solution) -> Result<String, FigureError> {
    let most = limit.points().into_iter().min().unwrap_or(1);
    let mut lines = ["upper bound", "value", "lower bound"].map(|name| (name.to_owned(), Vec::new()));
    for points in most.div_ceil(10)..=most {
        let state = State::new(points, points, Ball::at(1));
        let (bounds, value) = (limit.bounds(state)?, solution.value(state)?);
        for ((_, line), number) in lines.iter_mut().zip([bounds.upper(), value, bounds.lower()]) {
            line.push((f64::from(points), number));
        }
    }
    let labels = ["points of each player, n", "value at kn:kn@1"];
    Ok(draw_lines("Bounds for all multiples of n points", labels, [Scale::FromZero, Scale::Fitted], &lines))
}

/// Draws A's bids in the limit, as a density over the share of the account, for the three middle fields: the strategies that
/// secure the lower bound at all multiples of the most points.
pub fn limit_density_figure(limit: &Limit) -> Result<String, FigureError> {
    let [a, b] = limit.points();
    let mut lines = Vec::new();
    for position in [-1, 0, 1] {
        let strategy = limit.strategy(Player::A, State::new(a, b, Ball::at(position)))?;
        let most = strategy.probabilities().map(|(bid, _)| bid).max().unwrap_or(0);
        let account = f64::from(a);
        let density = |bid: u32| (f64::from(bid) / account, strategy.probability(bid) * account);
        lines.push((format!("ball {position}"), (0..=(most + 1).min(a)).map(density).collect()));
    }
    let labels = ["share of the account", "density"];
    Ok(draw_lines("How A bids with large accounts", labels, [Scale::Fitted, Scale::FromZero], &lines))
}
