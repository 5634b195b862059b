//! Charts of lines and bars.

use super::FigureError;
use super::axes::{Axes, GridLines, Range, ball_name, short, ticks};
use super::heat_map::LINES;
use super::svg::{Colour, END, Heading, INK, MIDDLE, NORMAL, Point, SMALL, START, Size, Svg};
use crate::analysis::{Endgame, ForcedPlay, Matchup};
use crate::error::Error;
use crate::game::{Ball, Outcome, Player, State};
use crate::policy::Policy;
use crate::solution::{Limit, Solution};
use crate::work::unwatched;

/// The colours of bars that are about A, or about neither player, and of those about B.
pub(super) const BAR: Colour = Colour(0, 114, 178);
pub(super) const BAR_OF_B: Colour = Colour(213, 94, 0);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    FromZero,
    Fitted,
    Logarithmic,
}

impl Scale {
    /// The range of an axis for numbers; `above` is the margin above the largest, as a share of it.
    fn range(self, numbers: impl Iterator<Item = f64>, above: f64) -> Range {
        let [least, most] = numbers
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], number| {
                [least.min(number), most.max(number)]
            });
        let room = (0.05 * (most - least)).max(0.01);
        match self {
            Self::FromZero => Range::new(0.0, (1.0 + above) * most.max(1.0)),
            Self::Fitted => Range::new(least - room, most + room),
            Self::Logarithmic => Range::new(0.8 * least, 1.25 * most),
        }
    }
}

/// The width of lines in pixels.
const LINE: u32 = 3;

/// The pixels of a letter.
pub(super) const LETTER: i32 = 8;

#[derive(Clone, Debug)]
pub(super) struct Line {
    name: String,
    colour: Colour,
    pub(super) points: Vec<(f64, f64)>,
}

impl Line {
    /// A line with the colour of its place among the lines of one picture.
    pub(super) fn numbered(index: usize, name: String, points: Vec<(f64, f64)>) -> Self {
        Self { name, colour: LINES[index % LINES.len()], points }
    }

    /// A line about a position of the ball, which has the same colour in every picture.
    fn of_ball(ball: Ball, points: Vec<(f64, f64)>) -> Self {
        let index = (ball.position() + 2).rem_euclid(LINES.len() as i32);
        Self::numbered(index as usize, ball_name(ball), points)
    }
}

/// For each segment of a line, whether a line before it has the same.
fn shared_segments(points: &[(f64, f64)], before: &[Line]) -> Vec<bool> {
    let is_shared = |segment: &[(f64, f64)]| {
        before.iter().any(|other| other.points.windows(2).any(|pair| pair == segment))
    };
    points.windows(2).map(is_shared).collect()
}

/// Draws lines, each with its name; the points of lines over a logarithmic axis are dots, too.
/// Where a line coincides with one before it, it is dashed, so that both are seen.
pub(super) fn draw_lines(
    heading: Heading<'_>,
    labels: [&str; 2],
    scales: [Scale; 2],
    lines: &[Line],
) -> String {
    let all = || lines.iter().flat_map(|line| &line.points);
    let axes = Axes {
        left: 66,
        top: 46,
        width: 500,
        height: 340,
        ranges: [
            scales[0].range(all().map(|point| point.0), 0.0),
            scales[1].range(all().map(|point| point.1), 0.04),
        ],
        logarithmic: scales.map(|scale| scale == Scale::Logarithmic),
        counts: scales.map(|scale| scale == Scale::FromZero),
        labels,
    };
    let dots = axes.logarithmic[0];
    let longest = lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0) as i32;
    let right = axes.left + axes.width;
    let size = Size { width: right + (LETTER * longest + 30).max(154), height: 440 };
    Svg::picture(size, heading, |svg| {
        axes.draw(svg, GridLines::Drawn);
        // Names from the top, each below the one before it.
        let mut ends: Vec<(i32, usize)> = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let drawn: Vec<Point> =
                line.points.iter().map(|&(x, y)| Point::new(axes.x(x), axes.y(y))).collect();
            let Some(&Point { y: end, .. }) = drawn.last() else { continue };
            // Ends at about the same height keep the order of the lines.
            ends.push((end / 24 * 24, index));
            let mut first = 0;
            for run in shared_segments(&line.points, &lines[..index]).chunk_by(bool::eq) {
                let part = &drawn[first..=first + run.len()];
                if run[0] {
                    svg.dashed_line(part, line.colour, LINE);
                } else {
                    svg.line(part, line.colour, LINE);
                }
                first += run.len();
            }
            drawn.into_iter().filter(|_| dots).for_each(|point| svg.dot(point, line.colour));
        }
        ends.sort_unstable();
        let mut free = i32::MIN;
        for (end, index) in ends {
            let y = end.max(free);
            free = y + SMALL + 4;
            svg.line(
                &[Point::new(right + 4, y), Point::new(right + 18, y)],
                lines[index].colour,
                LINE,
            );
            svg.text(&lines[index].name, Point::new(right + 23, y - SMALL / 2), SMALL, START);
        }
    })
}

/// A bar: its name, its length as a share of the longest possible, and a text behind it.
pub(super) struct Bar<'n> {
    pub(super) name: &'n str,
    pub(super) share: f64,
    pub(super) text: String,
}

/// The pixels where bars begin, and of the longest possible one; from one bar to the next.
const BARS: i32 = 240;
const LONGEST: i32 = 300;
pub(super) const BAR_STEP: i32 = 26;

/// Draws bars from a height downward.
pub(super) fn draw_bars<'n>(
    svg: &mut Svg,
    top: i32,
    colour: Colour,
    bars: impl Iterator<Item = Bar<'n>>,
) {
    for (row, Bar { name, share, text }) in (0..).zip(bars) {
        let (y, end) = (top + row * BAR_STEP, BARS + (share * f64::from(LONGEST)).round() as i32);
        svg.text(name, Point::new(BARS - 8, y), SMALL, END);
        svg.rectangle(Point::new(BARS, y - 2), Point::new(end, y + 16), colour);
        svg.text(&text, Point::new(end + 7, y), SMALL, START);
    }
}

/// Draws the axis below bars of which the longest possible one means `most`; `label` names the
/// quantity and its unit.
pub(super) fn draw_bar_axis(svg: &mut Svg, top: i32, most: f64, label: &str) {
    svg.line(&[Point::new(BARS, top), Point::new(BARS + LONGEST, top)], INK, 1);
    for number in ticks(Range::new(0.0, most), 5) {
        let x = BARS + (number / most * f64::from(LONGEST)).round() as i32;
        svg.line(&[Point::new(x, top), Point::new(x, top + 4)], INK, 1);
        svg.text(&short(number), Point::new(x, top + 7), SMALL, MIDDLE);
    }
    svg.text(label, Point::new(BARS + LONGEST / 2, top + 26), SMALL, MIDDLE);
}

/// The lines of a picture with one for every position of the ball.
const FIELDS: &str = "One line for each field on which the ball may lie: below 0 it lies on A’s side, above 0 on B’s.";

/// Draws the number of bids that A mixes with equal points, for every ball position.
pub fn support_figure(solution: &Solution) -> Result<String, FigureError> {
    let most = solution.points().into_iter().min().unwrap_or(1);
    let mut lines = Vec::new();
    for ball in solution.rules().balls().rev() {
        let size = |points| {
            let equilibrium = solution.equilibrium(State::new(points, points, ball))?;
            Ok((f64::from(points), equilibrium.a.probabilities().len() as f64))
        };
        let points = (1..=most).map(size).collect::<Result<_, FigureError>>()?;
        lines.push(Line::of_ball(ball, points));
    }
    let heading = Heading { title: "How many bids A mixes", reading: FIELDS };
    Ok(draw_lines(
        heading,
        ["points of each player", "bids that A mixes"],
        [Scale::FromZero; 2],
        &lines,
    ))
}

/// Draws the points with which A forces the best end by pure play, over B's points, for every ball
/// position.
pub fn forced_figure(forced: &ForcedPlay) -> Result<String, FigureError> {
    let mut lines = Vec::new();
    for ball in forced.rules().balls() {
        let endgame = Endgame::of(forced, ball)?;
        let needed = endgame.needed[Player::A].iter().enumerate();
        let points = needed
            .filter_map(|(opponent_points, points)| {
                points.map(|points| (opponent_points as f64, f64::from(points)))
            })
            .collect();
        lines.push(Line::of_ball(ball, points));
    }
    let reading =
        format!("On a line and above it A wins as much as can be won, whatever B bids. {FIELDS}");
    let heading = Heading { title: "Points with which A forces the best end", reading: &reading };
    Ok(draw_lines(heading, ["B’s points", "A’s points"], [Scale::FromZero; 2], &lines))
}

/// Rarer numbers of turns are left out at the end.
const RARE: f64 = 1e-3;

/// Draws the outcomes of a game between two optimal players, and the number of its turns.
///
/// # Errors
/// [`FigureError::Refused`] for a game whose policies are too large to keep.
pub fn outcome_figure(solution: &Solution) -> Result<String, FigureError> {
    let optimal = Policy::optimal(solution, &mut unwatched).map_err(Error::from)?;
    let matchup =
        Matchup::new(solution.rules(), solution.start(), &optimal, &optimal, &mut unwatched)?;
    let [a, b] = solution.points();
    let title = format!("How games of {a}:{b} points between perfect players end");
    let names = Outcome::EACH.map(|outcome| outcome.to_string().replace('\'', "’"));
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
        ranges: [Range::new(0.0, last as f64 + 1.0), Range::new(0.0, 105.0 * most)],
        logarithmic: [false; 2],
        counts: [true, false],
        labels: ["turns", "games, %"],
    };
    let reading = "Above: how likely each end is. Below: how many turns games take.";
    Ok(Svg::picture(Size { width: 660, height: 500 }, Heading { title: &title, reading }, |svg| {
        svg.text("how they end", Point::new(330, 46), NORMAL, MIDDLE);
        let percent = |share: f64| {
            if share > 0.0 && share < 5e-5 {
                "below 0.01 %".to_owned()
            } else {
                format!("{:.2} %", 100.0 * share)
            }
        };
        let bars =
            names.iter().zip(shares).map(|(name, share)| Bar { name, share, text: percent(share) });
        draw_bars(svg, 78, BAR, bars);
        svg.text(
            "how many turns they take",
            Point::new(axes.left + axes.width / 2, axes.top - 22),
            NORMAL,
            MIDDLE,
        );
        axes.draw(svg, GridLines::Drawn);
        for (number, share) in (0..).zip(shown) {
            let middle = f64::from(number);
            svg.rectangle(
                Point::new(axes.x(middle - 0.4), axes.y(100.0 * share)),
                Point::new(axes.x(middle + 0.4), axes.y(0.0)),
                BAR,
            );
        }
    }))
}

/// Draws the value with the ball on B's first field and equal points, and the bounds that hold for
/// all multiples of these points.
///
/// The horizontal axis starts at a tenth of the most points, where the bounds become informative.
/// The solution must have at least as many points.
pub fn limit_figure(limit: &Limit, solution: &Solution) -> Result<String, FigureError> {
    let most = limit.points().into_iter().min().unwrap_or(1);
    let mut points_of = [const { Vec::new() }; 3];
    for points in most.div_ceil(10)..=most {
        let state = State::new(points, points, Ball::at(1));
        let (bounds, value) = (limit.bounds(state)?, solution.value(state)?);
        for (line, number) in points_of.iter_mut().zip([bounds.upper(), value, bounds.lower()]) {
            line.push((f64::from(points), number));
        }
    }
    let names = ["upper bound", "value", "lower bound"];
    let mut lines = Vec::new();
    for (index, (name, points)) in names.into_iter().zip(points_of).enumerate() {
        lines.push(Line::numbered(index, name.to_owned(), points));
    }
    let reading = "What A wins on average if the ball lies on B’s first field. For every multiple of n points the value lies \
                   between the bounds over n; the blue line is the value for n itself.";
    let heading = Heading { title: "Bounds for all multiples of n points", reading };
    Ok(draw_lines(
        heading,
        ["points of each player, n", "value to A"],
        [Scale::FromZero, Scale::Fitted],
        &lines,
    ))
}

/// Draws A's bids in the limit, as a density over the share of the account, for the three middle
/// fields: the strategies that secure the lower bound at all multiples of the most points.
pub fn limit_density_figure(limit: &Limit) -> Result<String, FigureError> {
    let [a, b] = limit.points();
    let mut lines = Vec::new();
    for ball in [-1, 0, 1].map(Ball::at) {
        let strategy = limit.strategy(Player::A, State::new(a, b, ball))?;
        let most = strategy.probabilities().map(|(bid, _)| bid).max().unwrap_or(0);
        let account = f64::from(a);
        let density = |bid: u32| (f64::from(bid) / account, strategy.probability(bid) * account);
        lines.push(Line::of_ball(ball, (0..=(most + 1).min(a)).map(density).collect()));
    }
    let reading = "The higher a line, the more often A bids about that share of what is left; below each line lies an area of 1. \
                   The ball lies on the net (0), on A’s first field (−1) or on B’s (1).";
    let heading = Heading { title: "How A bids with large accounts", reading };
    Ok(draw_lines(
        heading,
        ["bid, as a share of the account", "density"],
        [Scale::Fitted, Scale::FromZero],
        &lines,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines have the middle segment in common, and nothing else.
    #[test]
    fn only_what_coincides_is_dashed() {
        let points = vec![(0.0, 1.0), (1.0, 2.0), (2.0, 2.0), (3.0, 5.0)];
        let one = Line::numbered(0, "one".to_owned(), points);
        let other = vec![(0.0, 0.0), (1.0, 2.0), (2.0, 2.0), (3.0, 4.0)];
        assert_eq!(shared_segments(&other, &[one]), [false, true, false]);
        assert_eq!(shared_segments(&other, &[]), [false; 3]);
    }

    /// The colours of the legend's lines by their names.
    fn legend(svg: &str) -> std::collections::BTreeMap<String, String> {
        let mut stroke = "";
        let mut colours = std::collections::BTreeMap::new();
        for line in svg.lines() {
            if let Some((_, rest)) = line.split_once(" stroke=\"") {
                stroke = rest.split('"').next().unwrap_or_default();
            } else if line.starts_with("ball ") {
                colours.insert(line.to_owned(), stroke.to_owned());
            }
        }
        colours
    }

    #[test]
    fn a_ball_has_one_colour_in_every_picture() {
        let solution = crate::solve(6).unwrap();
        let forced = ForcedPlay::new(solution.rules(), [6, 6]).unwrap();
        let limit = crate::Solver::new(solution.rules()).points([6, 6]).limit().unwrap();
        let colours = legend(&support_figure(&solution).unwrap());
        assert_eq!(colours.len(), 5, "{colours:?}");
        assert_eq!(legend(&forced_figure(&forced).unwrap()), colours);
        for (ball, colour) in legend(&limit_density_figure(&limit).unwrap()) {
            assert_eq!(colours[&ball], colour, "{ball}");
        }
    }

    #[test]
    fn apostrophes_are_curved() {
        let svg = outcome_figure(&crate::solve(4).unwrap()).unwrap();
        assert!(svg.contains("the ball lies on B’s side"));
    }
}
