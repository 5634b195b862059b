//! The rules of the game in words.

use pencil_tennis::{Motion, Outcome, Rules};

/// The lines that tell a player the rules, and both accounts at the start.
pub(super) fn in_words(rules: &Rules, points: [u32; 2]) -> Vec<String> {
    let [a, b] = points;
    let field = rules.field();
    let accounts = if a == b {
        format!("Both have {a} points")
    } else {
        format!("A has {a} points and B {b}")
    };
    let way = match rules.motion() {
        Motion::Step => [
            "hits the ball one field, A to the right and B to the left.",
            "Equal bids leave it where it is.",
        ],
        Motion::Net => [
            "hits the ball, A to the right and B to the left: over the net onto the first",
            "field, or a field farther where it lies there already. Equal bids leave it.",
        ],
    };
    let [out_by_a, lies_with_b, draw, lies_with_a, out_by_b] =
        [Outcome::OutByA, Outcome::LiesWithB, Outcome::Draw, Outcome::LiesWithA, Outcome::OutByB]
            .map(|outcome| rules.scoring().payoff(outcome));
    let ends = if rules.is_antisymmetric() {
        [
            format!(
                "Beyond the last field it is out: that wins the hitter {out_by_a} and ends the game."
            ),
            format!(
                "When all is spent, the ball stays. The player on whose side it lies loses {lies_with_b};"
            ),
            "on the net nobody wins.".to_owned(),
        ]
    } else {
        [
            "Beyond the last field it is out, which ends the game; so does spending all."
                .to_owned(),
            format!(
                "A wins {out_by_a} by hitting out and {out_by_b} when B does, {lies_with_b} when the ball stays with B,"
            ),
            format!("{lies_with_a} when it stays with A, and {draw} when it stays on the net."),
        ]
    };
    let [end, stays, rest] = ends;
    let least =
        if rules.min_bid() == 0 { "0 or more" } else { "at least 1 while they have points" };
    let mut lines = vec![
        format!("{accounts} for the whole game. In every turn both bid in secret,"),
        format!("{least}. Both bids are spent, and the higher one"),
        way[0].to_owned(),
        way[1].to_owned(),
        format!(
            "A has the fields -{field} to -1, B has 1 to {field}, and between them, at 0, is the net."
        ),
        end,
        stays,
        rest,
    ];
    if rules.min_bid() == 0 {
        lines.push(
            "Two bids of 0 change nothing; if nobody bids any more, the ball stays, too."
                .to_owned(),
        );
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_a_terminal() {
        for (field, motion, scoring) in
            [(2, "net", "two-one"), (20, "step", "win-loss"), (3, "net", "1,1/2,1/3,0,-2")]
        {
            let rules =
                Rules::new(field, motion.parse().unwrap(), scoring.parse().unwrap()).unwrap();
            for rules in [rules, rules.with_min_bid(0).unwrap()] {
                for line in in_words(&rules, [50, 40]) {
                    assert!(line.len() <= 78, "{line}");
                }
            }
        }
    }

    #[test]
    fn payoffs_are_those_of_the_scoring() {
        let text = in_words(&Rules::tennis(), [50, 50]).join(" ");
        assert!(
            text.contains("wins the hitter 2")
                && text.contains("loses 1;")
                && text.contains("Both have 50"),
            "{text}"
        );
        assert!(text.contains("at least 1 while") && !text.contains("nobody bids"), "{text}");
        let text = in_words(&Rules::tennis().with_min_bid(0).unwrap(), [50, 50]).join(" ");
        assert!(
            text.contains("0 or more") && text.contains("nobody bids any more, the ball stays"),
            "{text}"
        );
        let text = in_words(&Rules::footsteps(), [9, 8]).join(" ");
        assert!(
            text.contains("one field")
                && text.contains("loses 0;")
                && text.contains("A has 9 points and B 8"),
            "{text}"
        );
    }
}
