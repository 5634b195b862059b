//! The solver as a WebAssembly module, for a page that solves in the browser.
//!
//! A [`Desk`] holds a solved game and answers questions about it. A question is a JSON object with
//! the member `ask`, perhaps followed by the bytes of a file; an [`Answer`] is a JSON object,
//! perhaps followed by an array of numbers. How the two cross the module's memory is described in
//! `exports.rs`; a native program calls [`Desk::answer`] directly:
//!
//! ```
//! use pencil_tennis_web::Desk;
//!
//! let mut desk = Desk::default();
//! let game = r#"{"ask": "solve", "points": [5, 5], "rules": {"field": 2, "motion": "net", "scoring": "two-one"}}"#;
//! desk.answer(game, &[], |_| ());
//! let answer = desk.answer(r#"{"ask": "state", "state": "4:3@-2"}"#, &[], |_| ());
//! assert!(answer.json.contains(r#""value":-0.2"#));
//! ```

mod any_game;
mod blind;
mod desk;
pub mod digest;
#[cfg(target_arch = "wasm32")]
mod exports;
mod played;
mod request;
mod stage;

pub use desk::{Answer, Desk};
