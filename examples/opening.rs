//! The opening: the optimal bids of the 50-point game, and the value of the first hit.

use pencil_tennis::{Ball, State};

fn main() -> Result<(), pencil_tennis::Error> {
    let solution = pencil_tennis::solve(50)?;
    let start = solution.equilibrium(solution.start())?;
    println!("{} is worth {} to A; bid", start.state, start.value);
    for (bid, probability) in start.a.probabilities() {
        println!("  {bid} in {:5.2} % of the games", 100.0 * probability);
    }
    println!("\nWith equal points the ball decides:");
    for ball in -2..=2 {
        let state = State::new(50, 50, Ball::new(ball)?);
        let enclosure = solution.enclosure(state)?;
        println!("  {state:<8} {:>20}   proved to within {:.1e}", enclosure.middle(), enclosure.width());
    }
    Ok(())
}
