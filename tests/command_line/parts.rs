//! Parts of the program that stand by themselves, compiled along: their tests stand beside them. As tests of the program they would
//! have all of it built once more.

#![allow(dead_code)]

#[path = "../../src/cli/numbers.rs"]
mod numbers;
#[path = "../../src/cli/explore/page.rs"]
mod page;
#[path = "../../src/cli/play/rules.rs"]
mod rules;
