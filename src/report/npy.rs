//! Arrays of numbers as numpy's `.npy` files, alone or as the members of a `.npz` archive.
//!
//! The format is numpy's own, versions 1.0 to 3.0 (`numpy.lib.format`). Crates that read it parse
//! the header with a grammar of Python's literals, whose compiler takes a C compiler to build; a
//! header of plain numbers has three keys.

use std::io::{self, Cursor, Read, Seek, Write};

use serde::Deserialize;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::error::TableFault;
use stochastic_game::internal::sentence;

/// The first bytes of a file, before the two of the version.
const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// The longest header of an array: numpy's have some hundred bytes.
const LONGEST_HEADER: u32 = 1024;

/// The alignment in bytes of the numbers in a written file, as numpy's.
const ALIGNMENT: usize = 64;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct NumberArray {
    pub(super) shape: Vec<usize>,
    /// The last index varies fastest.
    pub(super) numbers: Vec<f64>,
}

impl NumberArray {
    fn write(&self, mut out: impl Write) -> io::Result<()> {
        let header = format!(
            "{{'descr': '<f8', 'fortran_order': False, 'shape': {}, }}",
            shape_text(&self.shape)
        );
        // The header ends in a line feed after padding with spaces.
        let length =
            (MAGIC.len() + 4 + header.len() + 1).next_multiple_of(ALIGNMENT) - MAGIC.len() - 4;
        out.write_all(MAGIC)?;
        out.write_all(&[1, 0])?;
        out.write_all(&(length as u16).to_le_bytes())?;
        writeln!(out, "{header:width$}", width = length - 1)?;
        for number in &self.numbers {
            out.write_all(&number.to_le_bytes())?;
        }
        Ok(())
    }

    /// Reads an array of at most `most` numbers of any plain type.
    pub(super) fn read(mut input: impl Read, most: usize) -> Result<Self, String> {
        let mut head = [0; 8];
        input.read_exact(&mut head).map_err(|error| sentence(&error))?;
        let bytes = match head.strip_prefix(MAGIC).ok_or("it is no npy file")? {
            [1, _] => 2,
            [2 | 3, _] => 4,
            [version, _] => {
                return Err(format!("its format has the version {version}; expected 1 to 3"));
            }
            _ => return Err("it is no npy file".to_owned()),
        };
        let mut length = [0; 4];
        input.read_exact(&mut length[..bytes]).map_err(|error| sentence(&error))?;
        let length = u32::from_le_bytes(length);
        if length > LONGEST_HEADER {
            return Err(format!(
                "its header has {length} bytes; expected at most {LONGEST_HEADER}"
            ));
        }
        let mut header = String::new();
        let read = input
            .by_ref()
            .take(length.into())
            .read_to_string(&mut header)
            .map_err(|error| sentence(&error))?;
        if read < length as usize {
            return Err("it ends within its header".to_owned());
        }
        let Header { descr, fortran_order, shape } = Header::parse(&header)?;
        let descriptor = descr.as_str().ok_or("it is not an array of plain numbers")?;
        let plain = || {
            format!("its type is {}; expected numbers such as <f8 or <i4", sentence(&descriptor))
        };
        let element = Element::new(descriptor).ok_or_else(plain)?;
        let count = shape
            .iter()
            .try_fold(1_usize, |count, &side| count.checked_mul(side))
            .unwrap_or(usize::MAX);
        // An empty shape could otherwise have arbitrary lengths.
        if count == 0 {
            return Err("it has no numbers".to_owned());
        }
        // A small archive can unpack to any size.
        if count > most {
            return Err(format!("{count} numbers are too many; at most {most} are read"));
        }
        let numbers = element.read(input, count)?;
        let numbers = if fortran_order { last_fastest(&shape, &numbers) } else { numbers };
        Ok(Self { shape, numbers })
    }
}

pub(super) fn shape_text(shape: &[usize]) -> String {
    match shape {
        [side] => format!("({side},)"),
        sides => {
            format!("({})", sides.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Converts from an order in which the first index varies fastest to one in which the last does.
fn last_fastest(shape: &[usize], numbers: &[f64]) -> Vec<f64> {
    let strides: Vec<usize> = shape
        .iter()
        .scan(1, |stride, &side| Some(std::mem::replace(stride, *stride * side)))
        .collect();
    let source = |index: usize| {
        let digit = |(rest, source): (usize, usize), (&side, stride): (&usize, &usize)| {
            (rest / side, source + rest % side * stride)
        };
        shape.iter().zip(&strides).rev().fold((index, 0), digit).1
    };
    (0..numbers.len()).map(|index| numbers[source(index)]).collect()
}

struct Element {
    size: usize,
    highest_first: bool,
    /// The number of a little-endian element.
    number: fn(u64) -> f64,
}

impl Element {
    /// Reads a descriptor: a byte order and a kind, such as `<f8`.
    fn new(descriptor: &str) -> Option<Self> {
        let (order, kind) = descriptor.split_at_checked(1)?;
        let (number, size): (fn(u64) -> f64, usize) = match kind {
            "f8" => (f64::from_bits, 8),
            "f4" => (|bits| f64::from(f32::from_bits(bits as u32)), 4),
            "u1" => (|bits| bits as f64, 1),
            "u2" => (|bits| bits as f64, 2),
            "u4" => (|bits| bits as f64, 4),
            "u8" => (|bits| bits as f64, 8),
            "i1" => (|bits| f64::from(bits as i8), 1),
            "i2" => (|bits| f64::from(bits as i16), 2),
            "i4" => (|bits| f64::from(bits as i32), 4),
            "i8" => (|bits| bits as i64 as f64, 8),
            _ => return None,
        };
        matches!(order, "<" | ">" | "|" | "=").then_some(Self {
            size,
            highest_first: order == ">",
            number,
        })
    }

    /// Reads `count` elements, which must exhaust the input.
    fn read(&self, input: impl Read, count: usize) -> Result<Vec<f64>, String> {
        let wanted = count * self.size;
        let mut bytes = Vec::new();
        // One more byte reveals excess input.
        input.take(wanted as u64 + 1).read_to_end(&mut bytes).map_err(|error| sentence(&error))?;
        if bytes.len() != wanted {
            let than = if bytes.len() < wanted { "fewer" } else { "more" };
            return Err(format!("it has {than} bytes than its shape says"));
        }
        let element = |bytes: &[u8]| {
            let mut lowest_first = [0; 8];
            lowest_first[..self.size].copy_from_slice(bytes);
            if self.highest_first {
                lowest_first[..self.size].reverse();
            }
            (self.number)(u64::from_le_bytes(lowest_first))
        };
        Ok(bytes.chunks_exact(self.size).map(element).collect())
    }
}

/// The header of a file, such as `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    descr: serde_json::Value,
    fortran_order: bool,
    shape: Vec<usize>,
}

impl Header {
    /// Reads Python's dictionary as JSON, which differs in quotes, brackets, capitals and a comma
    /// before the end of a list.
    fn parse(text: &str) -> Result<Self, String> {
        let mut json = String::new();
        for part in text.split(',') {
            let is_last = json.is_empty() || part.trim_start().starts_with(['}', ')']);
            json.extend([if is_last { "" } else { "," }, part]);
        }
        let json = json
            .replace('\'', "\"")
            .replace('(', "[")
            .replace(')', "]")
            .replace("True", "true")
            .replace("False", "false");
        serde_json::from_str(&json)
            .map_err(|_| format!("its header cannot be read: {}", sentence(&text.trim_end())))
    }
}

pub(super) fn write_archive(
    arrays: impl IntoIterator<Item = (&'static str, NumberArray)>,
    mut out: impl Write,
) -> io::Result<()> {
    // Writing an archive seeks back to its headers, which not every target allows.
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, array) in arrays {
        // A member may exceed the size field of an ordinary archive.
        let is_large = array.numbers.len() as u64 * 8 >= u64::from(u32::MAX) / 2;
        archive.start_file(format!("{name}.npy"), options.large_file(is_large))?;
        array.write(&mut archive)?;
    }
    out.write_all(archive.finish()?.get_ref())
}

pub(super) fn names(bytes: &[u8]) -> Result<Vec<String>, TableFault> {
    let archive = open(bytes).map_err(|reason| TableFault::Unreadable { reason })?;
    Ok(archive
        .file_names()
        .map(|name| name.strip_suffix(".npy").unwrap_or(name).to_owned())
        .collect())
}

pub(super) fn read_from_archive(
    bytes: &[u8],
    name: &str,
    most: usize,
) -> Result<NumberArray, TableFault> {
    let refuse = |reason: String| TableFault::Array { array: name.to_owned(), reason };
    let mut archive = open(bytes).map_err(refuse)?;
    let file = archive.by_name(&format!("{name}.npy")).map_err(|error| refuse(sentence(&error)))?;
    NumberArray::read(file, most).map_err(refuse)
}

/// The bytes of the record that ends an archive, without its comment, which comes last and whose
/// length the last two of them tell.
const END: usize = 22;
const END_MAGIC: &[u8] = b"PK\x05\x06";

/// Whether this is the record that ends an archive at its place, with a comment of this length: the
/// list of members ends there, unless it is too long to say so.
fn is_end(record: &[u8], offset: usize, comment: usize) -> bool {
    let number = |at: usize| {
        record[at..at + 4].iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte))
    };
    let [size, begin] = [number(12), number(16)];
    let is_behind_the_list =
        size + begin == offset as u64 || size.max(begin) == u64::from(u32::MAX);
    record.starts_with(END_MAGIC)
        && record[END - 2..END] == (comment as u16).to_le_bytes()
        && is_behind_the_list
}

/// Opens an archive that is all of the bytes. A reader of zip files looks for the end from behind
/// and for the beginning from there, so that it passes over whatever stands before and after.
fn open(bytes: &[u8]) -> Result<ZipArchive<impl Read + Seek>, String> {
    let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| sentence(&error))?;
    if archive.offset() > 0 {
        return Err("it does not begin as an archive does".to_owned());
    }
    let comment = archive.comment().len();
    let offset = bytes.len().checked_sub(END + comment);
    if offset.is_none_or(|offset| !is_end(&bytes[offset..], offset, comment)) {
        return Err("it goes on after its end".to_owned());
    }
    Ok(archive)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file as numpy 2.4 writes it: the header in 118 bytes, then the elements.
    fn file(header: &str, elements: &[u8]) -> Vec<u8> {
        [b"\x93NUMPY\x01\x00v\x00".as_slice(), format!("{header:117}\n").as_bytes(), elements]
            .concat()
    }

    fn read(header: &str, elements: &[u8]) -> Result<NumberArray, String> {
        NumberArray::read(file(header, elements).as_slice(), 100)
    }

    fn array(shape: &[usize], numbers: &[f64]) -> NumberArray {
        NumberArray { shape: shape.to_vec(), numbers: numbers.to_vec() }
    }

    #[test]
    fn what_numpy_writes_is_read() {
        let columns_first = b"\x00\x01\x00\x04\x00\x02\x00\x05\x00\x03\x00\x06";
        let read_back =
            read("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }", columns_first);
        assert_eq!(read_back, Ok(array(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])));
        let single = b"\x00\x00\xc0?\x00\x00\x00\xc0";
        assert_eq!(
            read("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", single),
            Ok(array(&[2], &[1.5, -2.0]))
        );
        let bytes =
            read("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2, 1), }", b"\x07\xc8");
        assert_eq!(bytes, Ok(array(&[1, 2, 1], &[7.0, 200.0])));
        let one = read(
            "{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
            b"\x00\x00\x00\x00\x00\x00\x08@",
        );
        assert_eq!(one, Ok(array(&[], &[3.0])));
        // The dictionary may be written in any way that Python reads.
        let other = read("{\"shape\":(2,1,),'descr':\"|i1\" , 'fortran_order':False}", b"\xff\x01");
        assert_eq!(other, Ok(array(&[2, 1], &[-1.0, 1.0])));
    }

    /// Bytes before an archive, behind it, or in its comment's place are no part of it; a comment
    /// is.
    #[test]
    fn an_archive_is_all_of_its_bytes() {
        let mut sound = Vec::new();
        write_archive([("a", array(&[2], &[1.0, 2.0]))], &mut sound)
            .expect("memory takes everything");
        let read = |bytes: &[u8]| {
            let array = read_from_archive(bytes, "a", 100).map_err(|fault| fault.to_string());
            array.map(|array| array.numbers)
        };
        assert_eq!(read(&sound), Ok(vec![1.0, 2.0]));
        for behind in [&[0][..], b"PK", &sound[sound.len() - END..], &vec![0; 70_000]] {
            assert!(read(&[&sound, behind].concat()).is_err(), "{} bytes behind", behind.len());
        }
        assert_eq!(
            read(&[&sound[..], &[0]].concat()),
            Err("the array a: it goes on after its end".to_owned())
        );
        for before in [&[0][..], b"PK\x03\x04"] {
            let result = read(&[before, &sound].concat());
            assert_eq!(result, Err("the array a: it does not begin as an archive does".to_owned()));
        }
        let length = sound.len();
        sound[length - 2] = 4;
        assert_eq!(read(&[&sound[..], b"note"].concat()), Ok(vec![1.0, 2.0]));
        assert_eq!(
            read(&[&sound[..], b"notes"].concat()),
            Err("the array a: it goes on after its end".to_owned())
        );
    }

    #[test]
    fn what_is_written_is_what_numpy_writes() {
        let mut bytes = Vec::new();
        array(&[2, 1], &[1.0, -0.5]).write(&mut bytes).expect("memory takes everything");
        let elements = b"\x00\x00\x00\x00\x00\x00\xf0?\x00\x00\x00\x00\x00\x00\xe0\xbf";
        assert_eq!(
            bytes,
            file("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }", elements)
        );
    }

    #[test]
    fn what_is_no_array_of_numbers_is_refused() {
        let refused = |header: &str, elements: &[u8]| read(header, elements).expect_err(header);
        let shape = |text: &str| {
            refused(
                &format!("{{'descr': '|u1', 'fortran_order': False, 'shape': {text}, }}"),
                b"\x01\x02",
            )
        };
        assert_eq!(shape("(3,)"), "it has fewer bytes than its shape says");
        assert_eq!(shape("(1,)"), "it has more bytes than its shape says");
        assert_eq!(shape("(0, 9)"), "it has no numbers");
        assert_eq!(shape("(101,)"), "101 numbers are too many; at most 100 are read");
        assert!(
            shape("(99999999999, 99999999999)").ends_with("are too many; at most 100 are read")
        );
        for text in ["(-1,)", "(2", "2", "(1 2)", "((2,),)"] {
            assert!(shape(text).starts_with("its header cannot be read: {'descr'"), "{text}");
        }
        let kind = |text: &str| {
            refused(
                &format!("{{'descr': {text}, 'fortran_order': False, 'shape': (2,), }}"),
                b"\x01\x02",
            )
        };
        assert_eq!(kind("'|b1'"), "its type is |b1; expected numbers such as <f8 or <i4");
        assert_eq!(kind("[('a', '<f8')]"), "it is not an array of plain numbers");
        for header in [
            "{'descr': '|u1', 'shape': (2,)}",
            "{}",
            "{",
            "",
            "{'descr': '|u1', 'fortran_order': Maybe, 'shape': (2,)}",
        ] {
            assert!(
                refused(header, b"\x01\x02").starts_with("its header cannot be read"),
                "{header}"
            );
        }
        let whole = file("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", b"\x01\x02");
        for end in 0..whole.len() {
            assert!(NumberArray::read(&whole[..end], 100).is_err(), "{end}");
        }
        assert_eq!(
            NumberArray::read(
                [b"\x93NUMPY\x09\x00".as_slice(), &whole[8..]].concat().as_slice(),
                100
            )
            .unwrap_err(),
            "its format has the version 9; expected 1 to 3"
        );
    }
}
