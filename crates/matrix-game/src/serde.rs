//! Bounds and words for `serde`.

use serde::de::Error as _;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Enclosure, Uniqueness};

impl Serialize for Enclosure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Enclosure", 3)?;
        object.serialize_field("lower", &self.lower())?;
        object.serialize_field("upper", &self.upper())?;
        object.serialize_field("decimal", &self.decimal())?;
        object.end()
    }
}

/// As the text that `Display` writes and `FromStr` reads.
impl Serialize for Uniqueness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Uniqueness {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
