//! Numbers read from bytes, in little-endian order.

/// There are fewer bytes than are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndsEarly;

impl From<EndsEarly> for String {
    fn from(EndsEarly: EndsEarly) -> Self {
        "it ends too early".to_owned()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Bytes<'b>(pub &'b [u8]);

impl Bytes<'_> {
    #[inline]
    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], EndsEarly> {
        let (head, rest) = self.0.split_first_chunk().ok_or(EndsEarly)?;
        self.0 = rest;
        Ok(*head)
    }

    #[inline]
    pub fn u16(&mut self) -> Result<u16, EndsEarly> {
        Ok(u16::from_le_bytes(self.take()?))
    }

    #[inline]
    pub fn u32(&mut self) -> Result<u32, EndsEarly> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    #[inline]
    pub fn u64(&mut self) -> Result<u64, EndsEarly> {
        Ok(u64::from_le_bytes(self.take()?))
    }
}
