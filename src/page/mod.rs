//! The page that solves in the browser: one file, which needs no network, or a folder for a web
//! server.
//!
//! The page's sources are in `web/page`; the solver in it is the library itself, compiled to
//! WebAssembly by `web/build`.
//!
//! ```
//! use pencil_tennis::page::Page;
//!
//! let page = Page::new().with_address("https://example.org/tennis/")?;
//! assert!(page.html()?.starts_with("<!doctype html>"));
//! # Ok::<(), pencil_tennis::page::PageError>(())
//! ```

mod hidden;
mod html;
mod joined;
mod site;

use serde_json::Value;

use crate::Error;
use crate::hidden::HiddenSolution;

/// A page, with the place where it opens.
#[derive(Clone, Debug, Default)]
pub struct Page {
    start: Option<String>,
    game: Option<(String, String)>,
    hidden_game: Option<(String, Value)>,
    address: Option<String>,
}

/// A page that cannot be put together.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// A link or an address with a character that would end the attribute in which it stands.
    #[error(
        "{text} cannot be part of an address; expected ASCII without spaces, quotation marks and <>"
    )]
    Address {
        /// The link or the address.
        text: String,
    },
    /// A game that the page shows first could not be solved.
    #[error(transparent)]
    Solve(#[from] Error),
    /// A result that the page shows first could not be written as JSON.
    #[error(transparent)]
    Write(#[from] std::io::Error),
}

impl From<serde_json::Error> for PageError {
    fn from(error: serde_json::Error) -> Self {
        Self::Write(error.into())
    }
}

impl From<crate::stochastic_game::StochasticGameError> for PageError {
    fn from(error: crate::stochastic_game::StochasticGameError) -> Self {
        Self::Solve(error.into())
    }
}

impl From<crate::hidden::HiddenError> for PageError {
    fn from(error: crate::hidden::HiddenError) -> Self {
        Self::Solve(error.into())
    }
}

impl From<crate::GameError> for PageError {
    fn from(error: crate::GameError) -> Self {
        Self::Solve(error.into())
    }
}

impl Page {
    /// The page as it is for everybody.
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens the page at a link of its own, such as `#explore?points=20:20&state=20:20@0`.
    ///
    /// # Errors
    /// The link has a character that a link cannot have.
    pub fn opened_at(mut self, link: &str) -> Result<Self, PageError> {
        self.start = Some(checked(link)?);
        Ok(self)
    }

    /// Adds a game of other rules, in JSON Lines, under a name.
    #[must_use]
    pub fn with_game(mut self, name: &str, game: &str) -> Self {
        self.game = Some((name.to_owned(), game.to_owned()));
        self
    }

    /// Adds a solved game with hidden information under a name. The page has the proved bounds, and
    /// probabilities that are rounded to 1/10,000.
    #[must_use]
    pub fn with_hidden_game(mut self, name: &str, solution: &HiddenSolution) -> Self {
        self.hidden_game = Some((name.to_owned(), hidden::packed(solution)));
        self
    }

    /// Sets the address at which the page will be found, for links to games that are shared.
    ///
    /// # Errors
    /// The address has a character that an address cannot have.
    pub fn with_address(mut self, address: &str) -> Result<Self, PageError> {
        self.address = Some(checked(address)?);
        Ok(self)
    }

    /// The page as one file of HTML, some megabyte, with all that it needs.
    ///
    /// # Errors
    /// Too little memory for the games that the page shows first.
    pub fn html(&self) -> Result<String, PageError> {
        html::assemble(self, "")
    }

    /// The page as an installable app that works offline: files by name, for one folder of a web
    /// server.
    ///
    /// # Errors
    /// As [`html`](Self::html).
    pub fn site(&self) -> Result<Vec<(&'static str, Vec<u8>)>, PageError> {
        site::files(self)
    }
}

fn checked(text: &str) -> Result<String, PageError> {
    let plain = text.chars().all(|sign| sign.is_ascii_graphic() && !"\"<>".contains(sign));
    if plain { Ok(text.to_owned()) } else { Err(PageError::Address { text: text.to_owned() }) }
}
