//! The container of binary files: the name of a format, its version, and a checksum (CRC-32) after
//! every part.

use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};

use num_traits::ToBytes;

/// A format, with the name of its files in a sentence.
pub struct Format {
    pub magic: [u8; 8],
    /// The oldest and the newest version that are read.
    pub versions: [u32; 2],
    pub name: &'static str,
}

/// The reason why a file cannot be used, in words that follow its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealFault {
    #[error("ends too early")]
    TooShort,
    #[error("cannot be read: {0}")]
    Unreadable(String),
    #[error("does not begin as {0} does")]
    OtherFormat(&'static str),
    #[error("has another version of the format, {found}; {}", only(*.known))]
    OtherVersion { found: u32, known: [u32; 2] },
    #[error("has a wrong checksum")]
    Checksum,
    #[error("goes on after its end")]
    Longer,
}

/// Which versions are known.
pub fn only(versions: [u32; 2]) -> String {
    let [oldest, newest] = versions;
    if oldest == newest {
        format!("only version {newest} is known")
    } else {
        format!("only versions {oldest} to {newest} are known")
    }
}

impl From<io::Error> for SealFault {
    fn from(error: io::Error) -> Self {
        if error.kind() == ErrorKind::UnexpectedEof {
            Self::TooShort
        } else {
            Self::Unreadable(error.to_string())
        }
    }
}

/// In a sentence about the file.
impl From<SealFault> for String {
    fn from(fault: SealFault) -> Self {
        format!("it {fault}")
    }
}

pub fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// The bytes before their checksum.
pub fn unsealed(bytes: &[u8]) -> Result<&[u8], SealFault> {
    let (content, checksum) = bytes.split_last_chunk().ok_or(SealFault::TooShort)?;
    if crc32fast::hash(content).to_le_bytes() == *checksum {
        Ok(content)
    } else {
        Err(SealFault::Checksum)
    }
}

/// The integer of four bytes from a place on.
pub(crate) fn u32_at(bytes: &[u8], place: usize) -> u32 {
    bytes[place..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// The integer of eight bytes from a place on.
pub(crate) fn u64_at(bytes: &[u8], place: usize) -> u64 {
    bytes[place..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// A checksum of numbers of a few bytes, which are gathered: of many bytes at a time it takes a
/// tenth of the time.
#[derive(Debug, Default)]
struct Checksum {
    hasher: crc32fast::Hasher,
    gathered: Vec<u8>,
}

/// As many bytes are gathered.
const GATHERED: usize = 1 << 12;

impl Checksum {
    fn update(&mut self, bytes: &[u8]) {
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= GATHERED {
            self.hasher.update(&self.gathered);
            self.gathered.clear();
        }
    }

    /// The checksum of all bytes since the last time.
    fn take(&mut self) -> u32 {
        self.hasher.update(&self.gathered);
        self.gathered.clear();
        std::mem::take(&mut self.hasher).finalize()
    }
}

/// Writes parts, each followed by its checksum.
pub struct SealedWriter<W> {
    out: W,
    checksum: Checksum,
}

impl<W: Write> SealedWriter<W> {
    pub fn new(out: W, format: &Format, version: u32) -> io::Result<Self> {
        let mut writer = Self { out, checksum: Checksum::default() };
        writer.put(format.magic)?;
        writer.put(version.to_le_bytes())?;
        Ok(writer)
    }

    pub fn put(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.checksum.update(bytes.as_ref());
        self.out.write_all(bytes.as_ref())
    }

    pub fn numbers<N: ToBytes>(&mut self, numbers: impl IntoIterator<Item = N>) -> io::Result<()> {
        numbers.into_iter().try_for_each(|number| self.put(number.to_le_bytes()))
    }

    pub fn end_part(&mut self) -> io::Result<()> {
        self.out.write_all(&self.checksum.take().to_le_bytes())?;
        self.out.flush()
    }
}

/// Reads the parts of a [`SealedWriter`].
#[derive(Debug)]
pub struct SealedReader<R> {
    pub input: BufReader<R>,
    checksum: Checksum,
    /// The version of the format that the file says.
    pub version: u32,
}

impl<R: Read> SealedReader<R> {
    pub fn new(input: R, format: &Format) -> Result<Self, SealFault> {
        let mut reader =
            Self { input: BufReader::new(input), checksum: Checksum::default(), version: 0 };
        if reader.take()? != format.magic {
            return Err(SealFault::OtherFormat(format.name));
        }
        reader.version = reader.u32()?;
        let [oldest, newest] = format.versions;
        if (oldest..=newest).contains(&reader.version) {
            Ok(reader)
        } else {
            Err(SealFault::OtherVersion { found: reader.version, known: format.versions })
        }
    }

    pub fn take<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], SealFault> {
        let mut taken = [0; COUNT];
        self.input.read_exact(&mut taken)?;
        self.checksum.update(&taken);
        Ok(taken)
    }

    pub fn u32(&mut self) -> Result<u32, SealFault> {
        self.take().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, SealFault> {
        self.take().map(u64::from_le_bytes)
    }

    /// The next bytes, of this number; a file that ends before takes no more memory than it has
    /// bytes.
    #[cfg(feature = "files")]
    pub fn bytes(&mut self, count: u64) -> Result<Vec<u8>, SealFault> {
        let mut bytes = Vec::new();
        (&mut self.input).take(count).read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < count {
            return Err(SealFault::TooShort);
        }
        self.checksum.update(&bytes);
        Ok(bytes)
    }

    /// Compares the checksum of the part that ends here.
    pub fn end_part(&mut self) -> Result<(), SealFault> {
        let checksum = self.checksum.take();
        let stated = self.u32()?;
        self.checksum = Checksum::default();
        if stated == checksum { Ok(()) } else { Err(SealFault::Checksum) }
    }

    /// Goes on with the part that begins at this place.
    pub fn seek(&mut self, place: u64) -> Result<(), SealFault>
    where
        R: Seek,
    {
        self.checksum = Checksum::default();
        self.input.seek(SeekFrom::Start(place))?;
        Ok(())
    }

    /// The place of the next byte.
    pub fn place(&mut self) -> Result<u64, SealFault>
    where
        R: Seek,
    {
        Ok(self.input.stream_position()?)
    }

    pub fn end(&mut self) -> Result<(), SealFault> {
        if self.input.read(&mut [0])? == 0 { Ok(()) } else { Err(SealFault::Longer) }
    }
}
