//! Solves that are spread over the ranks of an MPI job, by the real program under the real
//! `mpirun`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::program::{folder, stdout, text};

const PROGRAM: &str = env!("CARGO_BIN_EXE_pencil-tennis");

/// More ranks than cores, and as any user: what CI and a laptop need.
const MPIRUN: [&str; 2] = ["--oversubscribe", "--allow-run-as-root"];

/// A game of which factorised systems are handed on, one without symmetry, and one in which play
/// may stand still.
const GAMES: [&[&str]; 3] = [
    &["60"],
    &["30:60", "--field", "3", "--motion", "step", "--scoring", "1,1/2,1/3,0,-2"],
    &["30", "--min-bid", "0"],
];

/// An MPI job: programs with their numbers of ranks, and what follows `solve` for each.
fn job(folder: &Path, parts: &[(usize, &[&str])]) -> Command {
    let mut command = Command::new("mpirun");
    command.args(MPIRUN).current_dir(folder).stdin(Stdio::null()).env_remove("RUST_BACKTRACE");
    for (index, (ranks, args)) in parts.iter().enumerate() {
        command.args((index > 0).then_some(":"));
        command
            .args(["-n", &ranks.to_string(), PROGRAM, "solve", "--mpi", "--threads", "1"])
            .args(*args);
    }
    command
}

fn run(mut job: Command) -> Output {
    job.output().expect("mpirun is installed: Debian's package is openmpi-bin")
}

fn succeeds(job: Command) -> String {
    let output = run(job);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).expect("it was written")
}

#[test]
fn one_to_four_ranks_write_the_table_that_one_process_writes() {
    let folder = folder();
    let folder = folder.path();
    for game in GAMES {
        for strategies in ["keep", "again"] {
            let args = |file| [game, &["--strategies", strategies, "--save", file]].concat();
            stdout(folder, &[&["solve"], &args("alone")[..]].concat());
            for ranks in 1..=4 {
                succeeds(job(folder, &[(ranks, &args("together"))]));
                assert!(
                    read(folder, "together") == read(folder, "alone"),
                    "{ranks} ranks, {game:?}"
                );
            }
            // The last `--threads` would be one too many: ranks of one program may have different
            // ones.
            let two_threads =
                [&["solve", "--mpi", "--threads", "2"], &args("together")[..]].concat();
            let mut threaded = Command::new("mpirun");
            threaded.args(MPIRUN).args(["-n", "2", PROGRAM]).args(two_threads).current_dir(folder);
            succeeds(threaded);
            assert!(
                read(folder, "together") == read(folder, "alone"),
                "2 ranks of 2 threads, {game:?}"
            );
        }
    }
}

#[test]
fn rank_0_alone_speaks() {
    let folder = folder();
    let together = succeeds(job(folder.path(), &[(3, &["20", "--format", "json"])]));
    let report = crate::program::parse(&together);
    assert_eq!(report["states"], 2205, "one report in all");
}

/// A rank is killed, as by a machine that fails; what rank 0 left behind goes on, by other numbers
/// of ranks, to the same bytes.
#[test]
fn a_killed_rank_ends_the_job_and_the_checkpoint_goes_on() {
    let folder = folder();
    let folder = folder.path();
    stdout(folder, &["solve", "150", "--strategies", "again", "--save", "alone"]);
    let args = ["150", "--strategies", "again", "--checkpoint", "part", "--checkpoint-every", "0"];
    let mut command = job(folder, &[(3, &args)]);
    let mpirun =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("mpirun is installed");
    let patience = Instant::now();
    while !folder.join("part").exists() && patience.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let rank_1 = process_of_rank(mpirun.id(), 1).expect("mpirun started it");
    Command::new("kill")
        .args(["-KILL", &rank_1.to_string()])
        .status()
        .expect("a command of every system");
    let output = mpirun.wait_with_output().expect("an end");
    assert!(!output.status.success());
    let complaint = text(&output.stderr);
    assert!(complaint.contains("process rank 1") && complaint.contains("signal 9"), "{complaint}");
    let part = read(folder, "part");
    assert!(part.len() < read(folder, "alone").len(), "it was killed before the end");
    for ranks in [2, 4] {
        succeeds(job(folder, &[(ranks, &["--resume", "part", "--save", "resumed"])]));
        assert!(read(folder, "resumed") == read(folder, "alone"), "{ranks} ranks");
    }
    stdout(folder, &["solve", "--resume", "part", "--save", "resumed"]);
    assert!(read(folder, "resumed") == read(folder, "alone"), "without MPI");
}

/// A launcher that is asked to end tells the ranks; rank 0 leaves a checkpoint, which nothing else
/// asked for, and says how to go on.
#[test]
fn a_launcher_that_is_asked_to_end_leaves_a_checkpoint_and_the_message() {
    let folder = folder();
    let folder = folder.path();
    let args =
        ["600", "--strategies", "again", "--checkpoint", "part", "--checkpoint-every", "3600"];
    let mut command = job(folder, &[(2, &args)]);
    // The usual second before ranks are killed is not enough for a machine that has much else to
    // do.
    command.env("OMPI_MCA_odls_base_sigkill_timeout", "3");
    let mpirun =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("mpirun is installed");
    let patience = Instant::now();
    while !listens(mpirun.id(), 0) && patience.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    Command::new("kill")
        .args(["-TERM", &mpirun.id().to_string()])
        .status()
        .expect("a command of every system");
    let output = mpirun.wait_with_output().expect("an end");
    assert!(!output.status.success());
    let printed = text(&output.stderr);
    let resuming =
        "solve --mpi --threads 1 600 --checkpoint-every 3600 --resume part --checkpoint part";
    assert!(
        printed.contains(&format!("pencil-tennis: interrupted; go on with: {resuming}")),
        "{printed}"
    );
    // A checkpoint is read whole before it is looked at whether it is of this game.
    let refusal = run(job(folder, &[(1, &["12", "--resume", "part"])]));
    let reason = text(&refusal.stderr);
    assert!(reason.contains("600:600"), "{reason}");
}

/// Whether a rank has begun and catches SIGTERM itself, by the mask of signals that the system
/// shows.
fn listens(mpirun: u32, rank: u32) -> bool {
    const SIGTERM: u32 = 15;
    let Some(process) = process_of_rank(mpirun, rank) else { return false };
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status
        .lines()
        .find_map(|line| u64::from_str_radix(line.strip_prefix("SigCgt:")?.trim(), 16).ok());
    caught.is_some_and(|mask| mask >> (SIGTERM - 1) & 1 == 1)
}

/// The process among the children of `mpirun` that has this rank.
fn process_of_rank(mpirun: u32, rank: u32) -> Option<u32> {
    let children =
        fs::read_to_string(format!("/proc/{mpirun}/task/{mpirun}/children")).expect("Linux");
    let is_rank = |child: &&str| {
        let environment = fs::read(format!("/proc/{child}/environ")).unwrap_or_default();
        let variable = format!("OMPI_COMM_WORLD_RANK={rank}");
        environment.split(|&byte| byte == 0).any(|entry| entry == variable.as_bytes())
    };
    children.split_whitespace().find(is_rank)?.parse().ok()
}

#[test]
fn ranks_that_do_not_fit_together_are_refused() {
    let folder = folder();
    let folder = folder.path();
    let refusal = |job: Command| {
        let output = run(job);
        assert!(!output.status.success());
        assert_eq!(text(&output.stdout), "");
        text(&output.stderr)
    };
    let rules = refusal(job(folder, &[(1, &["12"]), (2, &["12", "--field", "3"])]));
    let sentence =
        "pencil-tennis: rank 1 was asked to solve another game, or in another way, than rank 0\n";
    assert!(rules.contains(sentence) && rules.matches("pencil-tennis:").count() == 1, "{rules}");
    let missing = refusal(job(folder, &[(3, &["--resume", "missing"])]));
    assert!(missing.contains("pencil-tennis: the table file missing cannot be used"), "{missing}");
    let memory = refusal(job(folder, &[(1, &["12"]), (1, &["12", "--memory", "0"])]));
    assert!(
        memory.contains("pencil-tennis: rank 1: a game of 12:12 points would take"),
        "{memory}"
    );
    // Another file is another program, though one byte at its end does not change what it does.
    let other = folder.join("other");
    fs::copy(PROGRAM, &other).expect("room");
    let mut bytes = fs::read(&other).expect("it was written");
    bytes.push(0);
    fs::write(&other, bytes).expect("room");
    let mut mixed = job(folder, &[(1, &["12"])]);
    mixed.args([":", "-n", "1"]).arg(&other).args(["solve", "12", "--mpi"]);
    let program = refusal(mixed);
    assert!(program.contains("rank 1 runs another program than rank 0"), "{program}");
    // A job of processes each of which would solve everything.
    let mut alone = Command::new("mpirun");
    alone.args(MPIRUN).args(["-n", "2", PROGRAM, "solve", "12"]).current_dir(folder);
    assert!(refusal(alone).contains("this is one of 2 processes of an MPI job"));
}
