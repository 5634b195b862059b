//! Digests of the native program's solutions, a line for each game.

use pencil_tennis_web::digest;

fn main() -> Result<(), pencil_tennis::Error> {
    for game in 0.. {
        let Some((name, digest)) = digest::of_game(game)? else { break };
        println!("{digest}  {name}");
    }
    Ok(())
}
