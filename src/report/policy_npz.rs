//! Policies as arrays for numpy.

use crate::policy::PolicyError;
use std::io::{self, Cursor, Read, Write};

use ndarray::{Array, Array2, Array3, Array4, Dimension};
use ndarray_npy::{NpzWriter, ReadDataError, ReadNpyExt, ReadableElement, WriteNpzError};
use py_literal::Value;
use zip::ZipArchive;

use super::PolicyFormat;
use super::excerpt::sentence;
use super::policy_weights;
use crate::policy::{Numbers, PolicyBuilder};
use crate::{Error, Player, Policy, Rules};

/// The names of the players' arrays.
const ARRAYS: [&str; 2] = ["policy_a", "policy_b"];

/// The name of the matrix of weights.
const WEIGHTS: &str = "weights";

/// The most bytes that the header of an array may have: numpy writes some hundred.
const LONGEST_HEADER: u32 = 1024;

pub(super) fn write(policy: &Policy, out: impl Write) -> io::Result<()> {
    let [a, b] = policy.points().map(|points| points as usize);
    let field = policy.field();
    let mut archive = NpzWriter::new_compressed(Cursor::new(Vec::new()));
    for (name, player) in ARRAYS.into_iter().zip(Player::BOTH).filter(|&(_, player)| policy.covers(player)) {
        let mut array = Array4::<f64>::zeros((a + 1, b + 1, 2 * field as usize + 1, a.max(b) + 1));
        for state in policy.states() {
            let position = (field + state.ball.position()) as usize;
            for (bid, probability) in policy.probabilities(state, player).into_iter().flatten() {
                array[(state.a as usize, state.b as usize, position, bid as usize)] = probability;
            }
        }
        archive.add_array(name, &array).map_err(unwritten)?;
    }
    finish(archive, out)
}

pub(super) fn write_weights(policy: &Policy, out: impl Write) -> io::Result<()> {
    policy_weights::check(policy).map_err(io::Error::other)?;
    let weights: Vec<f64> = policy_weights::rows(policy).flatten().collect();
    let columns = policy.points()[0] as usize + 1;
    let array = Array2::from_shape_vec((weights.len() / columns, columns), weights).map_err(io::Error::other)?;
    let mut archive = NpzWriter::new_compressed(Cursor::new(Vec::new()));
    archive.add_array(WEIGHTS, &array).map_err(unwritten)?;
    finish(archive, out)
}

/// Writes arrays by name.
pub(super) fn write_arrays<'a>(arrays: impl Iterator<Item = (&'a str, &'a Array3<f64>)>, out: impl Write) -> io::Result<()> {
    let mut archive = NpzWriter::new_compressed(Cursor::new(Vec::new()));
    for (name, array) in arrays {
        archive.add_array(name, array).map_err(unwritten)?;
    }
    finish(archive, out)
}

/// An archive is written with jumps back to its heads, which not every target allows.
fn finish(archive: NpzWriter<Cursor<Vec<u8>>>, mut out: impl Write) -> io::Result<()> {
    let bytes = archive.finish().map_err(unwritten)?;
    out.write_all(bytes.get_ref())
}

fn unwritten(error: WriteNpzError) -> io::Error {
    io::Error::other(error)
}

pub(super) fn read(bytes: &[u8], rules: &Rules, points: [u32; 2]) -> Result<Policy, Error> {
    let mut builder = PolicyBuilder::new(rules, points)?;
    let [a, b] = points.map(|points| points as usize + 1);
    let (positions, names) = (rules.positions(), names(bytes)?);
    for (name, player) in ARRAYS.into_iter().zip(Player::BOTH) {
        if !names.iter().any(|other| other == name) {
            continue;
        }
        let array: Array4<Number> = read_array(bytes, name)?;
        let (found, bids) = (array.dim(), points[player as usize] as usize + 1);
        if (found.0, found.1, found.2) != (a, b, positions) || found.3 < bids {
            let most = a.max(b);
            let reason = format!("the array {name} has shape {found:?}; expected ({a}, {b}, {positions}, {most})");
            return Err(Error::Policy(PolicyError::File { reason }));
        }
        for (state, row) in builder.space().states().zip(array.rows()) {
            for (bid, number) in (0..).zip(row) {
                builder.set(state, player, bid, number.0)?;
            }
        }
    }
    builder.finish(Numbers::Probabilities)
}

pub(super) fn read_weights(bytes: &[u8], rules: &Rules, points: [u32; 2]) -> Result<Policy, Error> {
    let array: Array2<Number> = read_array(bytes, WEIGHTS)?;
    let rows = array.rows().into_iter().map(|row| Ok(row.iter().map(|number| number.0).collect()));
    policy_weights::from_rows(rules, points, rows)
}

/// Whether an archive holds probabilities or weights.
pub(super) fn format_of(bytes: &[u8]) -> Result<PolicyFormat, Error> {
    let names = names(bytes)?;
    if names.iter().any(|name| ARRAYS.contains(&name.as_str())) {
        return Ok(PolicyFormat::Npz);
    }
    if names.iter().any(|name| name == WEIGHTS) {
        return Ok(PolicyFormat::WeightsNpz);
    }
    let reason = format!("the archive holds {}; expected policy_a, policy_b or {WEIGHTS}", sentence(&names.join(", ")));
    Err(Error::Policy(PolicyError::File { reason }))
}

/// The names of an archive's arrays.
fn names(bytes: &[u8]) -> Result<Vec<String>, Error> {
    let archive =
        ZipArchive::new(Cursor::new(bytes)).map_err(|error| Error::Policy(PolicyError::File { reason: sentence(&error) }))?;
    Ok(archive.file_names().map(|name| name.strip_suffix(".npy").unwrap_or(name).to_owned()).collect())
}

fn read_array<D: Dimension>(bytes: &[u8], name: &str) -> Result<Array<Number, D>, Error> {
    let refuse = |reason: String| Error::Policy(PolicyError::File { reason: format!("the array {name}: {reason}") });
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| refuse(sentence(&error)))?;
    let mut file = archive.by_name(&format!("{name}.npy")).map_err(|error| refuse(sentence(&error)))?;
    // Six bytes of magic, two of the version, two or four with the length of the header.
    let mut head = vec![0; 12];
    file.read_exact(&mut head).map_err(|error| refuse(sentence(&error)))?;
    let (begin, length) = match head[6] {
        1 => (10, u32::from(u16::from_le_bytes([head[8], head[9]]))),
        _ => (12, u32::from_le_bytes([head[8], head[9], head[10], head[11]])),
    };
    if length > LONGEST_HEADER {
        return Err(refuse(format!("its header has {length} bytes; expected at most {LONGEST_HEADER}")));
    }
    file.by_ref().take(length.into()).read_to_end(&mut head).map_err(|error| refuse(sentence(&error)))?;
    // A dictionary and in it a shape. What is nested more deeply is no array of numbers, and takes the reader of headers very
    // long.
    if head[begin..].iter().take(length as usize).filter(|byte| b"([{".contains(byte)).count() > 2 {
        return Err(refuse("it is not an array of plain numbers".to_owned()));
    }
    Array::read_npy(head.as_slice().chain(file)).map_err(|error| refuse(sentence(&error)))
}

/// A number of any type that numpy knows, as it is read.
#[derive(Clone, Copy)]
struct Number(f64);

impl Number {
    /// The most numbers that are read: what the memory of a policy allows. A small file can unpack to any size.
    const MOST: usize = (Policy::MEMORY_LIMIT / 8) as usize;

    /// The conversion of an element's bytes, lowest first, to a number, for types such as `f4` and `u1`.
    fn from_bytes(kind: &str) -> Option<fn(u64) -> f64> {
        Some(match kind {
            "f8" => f64::from_bits,
            "f4" => |bits| f64::from(f32::from_bits(bits as u32)),
            "u1" | "u2" | "u4" | "u8" => |bits| bits as f64,
            "i1" => |bits| f64::from(bits as i8),
            "i2" => |bits| f64::from(bits as i16),
            "i4" => |bits| f64::from(bits as i32),
            "i8" => |bits| bits as i64 as f64,
            _ => return None,
        })
    }
}

impl ReadableElement for Number {
    fn read_to_end_exact_vec<R: Read>(reader: R, descriptor: &Value, len: usize) -> Result<Vec<Self>, ReadDataError> {
        let wrong = || ReadDataError::WrongDescriptor(descriptor.clone());
        // An order of bytes and a type, such as `<f8`.
        let (order, kind) = descriptor.as_string().and_then(|text| text.split_at_checked(1)).ok_or_else(wrong)?;
        let number = Self::from_bytes(kind).ok_or_else(wrong)?;
        let size = usize::from(kind.as_bytes()[1] - b'0');
        // Without numbers the other sides of a shape could be of any length, unchecked.
        if len == 0 {
            return Err(ReadDataError::MissingData);
        }
        if len > Self::MOST {
            return Err(ReadDataError::Io(io::Error::other(format!(
                "{len} numbers are too many; at most {} are read",
                Self::MOST
            ))));
        }
        let mut bytes = Vec::new();
        // One byte more shows that there is more.
        reader.take((len * size + 1) as u64).read_to_end(&mut bytes)?;
        match bytes.len().checked_sub(len * size) {
            None => return Err(ReadDataError::MissingData),
            Some(0) => {}
            Some(extra) => return Err(ReadDataError::ExtraBytes(extra)),
        }
        let element = |bytes: &[u8]| {
            let mut lowest_first = [0; 8];
            lowest_first[..size].copy_from_slice(bytes);
            if order == ">" {
                lowest_first[..size].reverse();
            }
            Self(number(u64::from_le_bytes(lowest_first)))
        };
        Ok(bytes.chunks_exact(size).map(element).collect())
    }
}
