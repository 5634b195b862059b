//! Nothing but the benches beside it: `cargo bench -p pencil-tennis-benches`.
