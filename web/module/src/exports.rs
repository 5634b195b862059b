//! The functions that JavaScript calls.
//!
//! 1. `reserve(length)` makes room for a question and returns its address; the caller writes the
//!    JSON there, and the bytes of a file behind it.
//! 2. `answer(json_length)` answers it. Meanwhile the imported `env.progress` hears how much of a
//!    long computation is done.
//! 3. `json`, `json_length`, `numbers`, `numbers_length` say where the answer is, until the next
//!    question.
//!
//! Memory is only handed out as addresses; nothing here follows one that comes from outside, so
//! that no block has to be unsafe.

use std::cell::RefCell;

use crate::{Answer, Desk};

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static DESK: RefCell<Desk> = RefCell::default();
    static ANSWER: RefCell<Answer> = RefCell::default();
}

// SAFETY: the declaration is that of `worker.js` and `module.mjs`, which provide a function of one
// number that returns nothing.
#[allow(unsafe_code)]
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Hears how much of a computation is done, from 0 to 1.
    safe fn progress(share: f64);
}

/// Room for a question of this many bytes.
// SAFETY: the only symbol of this name in the module; nothing it links to is called `reserve`.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn reserve(length: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|question| {
        question.clear();
        question.resize(length, 0);
        question.as_mut_ptr()
    })
}

/// Answers the question, whose first `json_length` bytes are JSON.
// SAFETY: the only symbol of this name in the module.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn answer(json_length: usize) {
    let question = QUESTION.take();
    let (json, file) = question.split_at(json_length.min(question.len()));
    let json = String::from_utf8_lossy(json);
    ANSWER.set(DESK.with_borrow_mut(|desk| desk.answer(&json, file, |share| progress(share))));
}

/// The address of the answer's JSON.
// SAFETY: the only symbol of this name in the module.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn json() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.json.as_ptr())
}

/// The length of the answer's JSON in bytes.
// SAFETY: the only symbol of this name in the module.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn json_length() -> usize {
    ANSWER.with_borrow(|answer| answer.json.len())
}

/// The address of the answer's numbers.
// SAFETY: the only symbol of this name in the module.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn numbers() -> *const f64 {
    ANSWER.with_borrow(|answer| answer.numbers.as_ptr())
}

/// The number of numbers.
// SAFETY: the only symbol of this name in the module.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn numbers_length() -> usize {
    ANSWER.with_borrow(|answer| answer.numbers.len())
}
