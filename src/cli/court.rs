use std::io::{self, Write};

use pencil_tennis::{Player, Rules, State};

const CELL: usize = 5;

pub(super) fn accounts(state: State) -> [String; 2] {
    Player::BOTH.map(|player| format!("{player} {}", state.points(player)))
}

/// Draws the court with the ball, A's account on the left and B's on the right; a court wider than `width` becomes a line of
/// text.
pub(super) fn write_court(out: &mut impl Write, rules: &Rules, ball: i32, [a, b]: [&str; 2], width: usize) -> io::Result<()> {
    let field = rules.field();
    // Room for an account, and for a ball that was hit out.
    let margin = a.chars().count().max(b.chars().count()) + 5;
    if 2 * margin + CELL * rules.positions() + 1 > width {
        return writeln!(out, "  {a}, {b}, the ball lies at {ball} of {} to {field}", -field);
    }
    let line = |left: &str, between: &str, right: &str| {
        let fields = vec!["─".repeat(CELL - 1); rules.positions()];
        format!("{}{left}{}{right}", " ".repeat(margin), fields.join(between))
    };
    let mark = |lies: bool| if lies { "●" } else { " " };
    let cells: Vec<String> = (-field..=field).map(|place| format!(" {}  ", mark(place == ball))).collect();
    let places: Vec<String> = (-field..=field).map(|place| format!("{place:^CELL$}")).collect();
    writeln!(out, "{}", line("┌", "┬", "┐"))?;
    let (out_left, out_right) = (mark(ball < -field), mark(ball > field));
    let right = format!("  {out_right}  {b}");
    writeln!(out, "{a:>0$}  {out_left}  │{1}│{2}", margin - 5, cells.join("│"), right.trim_end())?;
    writeln!(out, "{}", line("└", "┴", "┘"))?;
    writeln!(out, "{}{}", " ".repeat(margin), places.concat().trim_end())
}
