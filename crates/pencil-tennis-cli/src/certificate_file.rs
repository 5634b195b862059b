//! Certificates are read back: a file gets its name only after the checker of `verify` has accepted
//! its bytes on the disk.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use pencil_tennis::certificate::{self, Proof};
use pencil_tennis::hidden::{HiddenProof, HiddenSolution};
use pencil_tennis::stochastic_game::{StochasticProof, StochasticSolution, ValueBound};

use super::interrupt::{self, Interrupted, Refusal, check_cancel, remains};
use super::output::Output;

/// The fault of a file that is a certificate, but not the one that was to be written.
const OTHER: &str = "it is no certificate of this game with these bounds";

/// Writes a certificate of Tennis and reads it back; `agrees` compares what it proves with the
/// solution. Returns the proof.
pub(super) fn write_tennis(
    output: &Output,
    bytes: &[u8],
    agrees: impl Fn(&Proof) -> bool,
) -> anyhow::Result<Proof> {
    write_read_back(
        output,
        |out| out.write_all(bytes),
        |file| agreed(checked(file, read_tennis)?, &agrees),
    )
}

/// Writes a certificate of any other game and reads it back. Returns its size in bytes.
pub(super) fn write_game(output: &Output, solution: &StochasticSolution) -> anyhow::Result<u64> {
    let agrees = |proof: &StochasticProof| solution.agrees_with(proof);
    let check = |file: File| {
        let bytes = file.metadata()?.len();
        agreed(checked(file, read_game)?, agrees).map(|_| bytes)
    };
    write_read_back(output, |out| solution.write_certificate(out), check)
}

/// Writes a certificate of a verdict on a bound, or of the values without a bound, and reads it
/// back.
pub(super) fn write_verdict(
    output: &Output,
    certificate: &[u8],
    expected: Option<(&ValueBound, bool)>,
) -> anyhow::Result<()> {
    let agrees = |proof: &StochasticProof| proof.verdict() == expected;
    let check = |file| agreed(checked(file, read_game)?, agrees).map(drop);
    write_read_back(output, |out| out.write_all(certificate), check)
}

/// Writes a certificate of a game with hidden information and reads it back. Returns its size in
/// bytes.
pub(super) fn write_hidden(output: &Output, solution: &HiddenSolution) -> anyhow::Result<u64> {
    let agrees = |proof: &HiddenProof| proof.agrees_with(solution);
    let check = |file: File| {
        let bytes = file.metadata()?.len();
        agreed(checked(file, read_hidden)?, agrees).map(|_| bytes)
    };
    write_read_back(output, |out| solution.write_certificate(out), check)
}

fn read_tennis(mut file: File) -> Result<Proof, Refusal> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(certificate::verify(&bytes)?)
}

fn read_game(file: File) -> Result<StochasticProof, Refusal> {
    Ok(StochasticProof::verify(BufReader::new(file))?)
}

fn read_hidden(file: File) -> Result<HiddenProof, Refusal> {
    Ok(HiddenProof::verify(BufReader::new(file))?)
}

fn agreed<T>(proof: T, agrees: impl FnOnce(&T) -> bool) -> Result<T, Refusal> {
    if agrees(&proof) { Ok(proof) } else { Err(OTHER.into()) }
}

/// The time between two looks whether Ctrl-C was pressed, too short for a person to notice.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// The stack of the checking thread, as large as that of the main thread.
const STACK: usize = 8 << 20;

/// Checks a file on a thread of its own: no checker can be stopped, so that after Ctrl-C nobody
/// waits for it.
fn checked<T: Send + 'static>(
    file: File,
    check: fn(File) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    interrupt::with_spinner("checking", || {
        let (sender, receiver) = channel();
        thread::Builder::new().stack_size(STACK).spawn(move || {
            // After Ctrl-C nobody receives it.
            let _ = sender.send(check(file));
        })?;
        loop {
            match receiver.recv_timeout(BETWEEN_LOOKS) {
                Ok(checked) => return checked,
                Err(RecvTimeoutError::Timeout) if check_cancel().is_continue() => {}
                Err(RecvTimeoutError::Timeout) => return Err("interrupted".into()),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err("the checker stopped without a result".into());
                }
            }
        }
    })
}

/// Writes to a file that gets its name only once `check` has accepted what is on the disk. For
/// standard output the bytes are checked in a temporary file, and copied from there.
fn write_read_back<T>(
    output: &Output,
    write: impl Fn(&mut dyn Write) -> io::Result<()>,
    check: impl Fn(File) -> Result<T, Refusal>,
) -> anyhow::Result<T> {
    if let Output::File(path) = output {
        let checked = interrupt::write_read_back(path, &write, check)?;
        interrupt::check()?;
        return Ok(checked);
    }
    let copy = tempfile::tempfile().context("cannot write a temporary file")?;
    let mut buffered = BufWriter::new(&copy);
    write(&mut buffered)
        .and_then(|()| buffered.flush())
        .context("cannot write a temporary file")?;
    drop(buffered);
    let checked = interrupt::interruptible(|| check(rewound(&copy)?)).map_err(|refusal| {
        if check_cancel().is_break() {
            return Interrupted(remains()).into();
        }
        let what = "nothing is written to standard output: read back from the disk, the certificate does not pass its check";
        anyhow::Error::from_boxed(refusal).context(what)
    })?;
    output.write(|out| io::copy(&mut rewound(&copy)?, out).map(drop))?;
    Ok(checked)
}

/// The same file at its first byte.
fn rewound(file: &File) -> io::Result<File> {
    let mut file = file.try_clone()?;
    file.rewind()?;
    Ok(file)
}
