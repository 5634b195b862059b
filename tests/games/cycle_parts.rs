//! The last part of a checkpoint, a cycle that is being solved, number by number, so that tests can
//! forge it.

use num_bigint::BigInt;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Number {
    Short(u32),
    Count(u64),
    Double(f64),
    Long(BigInt),
}

/// A checkpoint, with the numbers of the cycle in its last part, each with its name.
#[derive(Clone, Debug)]
pub(crate) struct CyclePart {
    /// All parts before.
    pub(crate) before: Vec<u8>,
    /// The states of the cycle in the first part.
    pub(crate) states: u64,
    /// Where the first bound of each of them begins.
    pub(crate) places: Vec<usize>,
    /// 1 for sweeps, 2 for Newton steps, 3 for longer numbers; without it there is no last part.
    pub(crate) method: Option<u32>,
    pub(crate) numbers: Vec<(&'static str, Number)>,
}

struct Input<'b> {
    bytes: &'b [u8],
    at: usize,
    numbers: Vec<(&'static str, Number)>,
}

impl Input<'_> {
    fn take<const COUNT: usize>(&mut self) -> [u8; COUNT] {
        self.at += COUNT;
        self.bytes[self.at - COUNT..self.at].try_into().unwrap()
    }

    fn short(&mut self, name: &'static str) -> u32 {
        let number = u32::from_le_bytes(self.take());
        self.numbers.push((name, Number::Short(number)));
        number
    }

    fn count(&mut self, name: &'static str) -> u64 {
        let number = u64::from_le_bytes(self.take());
        self.numbers.push((name, Number::Count(number)));
        number
    }

    fn doubles(&mut self, names: [&'static str; 2]) {
        for _ in 0..self.count(names[0]) {
            let number = f64::from_le_bytes(self.take());
            self.numbers.push((names[1], Number::Double(number)));
        }
    }

    fn long(&mut self, name: &'static str) {
        let length = u32::from_le_bytes(self.take()) as usize;
        self.at += length;
        let integer = BigInt::from_signed_bytes_le(&self.bytes[self.at - length..self.at]);
        self.numbers.push((name, Number::Long(integer)));
    }

    fn longs(&mut self, names: [&'static str; 2]) -> u64 {
        let count = self.count(names[0]);
        (0..count).for_each(|_| self.long(names[1]));
        count
    }

    fn weights(&mut self) {
        for _ in 0..self.short("actions") {
            self.short("action");
            self.long("weight");
        }
    }

    /// States in short numbers; returns where each begins.
    fn states(&mut self) -> Vec<usize> {
        let mut places = Vec::new();
        for _ in 0..self.count("short states") {
            places.push(self.at);
            self.count("short lower");
            self.count("short upper");
            let actions = self.short("short actions") + self.short("short actions");
            for _ in 0..actions {
                self.short("short action");
                self.count("short weight");
            }
        }
        places
    }

    fn homotopy(&mut self) {
        for _ in 0..2 {
            self.short("weight bits");
            self.short("side finer");
            (0..self.longs(["bounds", "bound"])).for_each(|_| self.weights());
        }
        for name in ["bits", "step", "mark", "finer"] {
            self.short(name);
        }
        self.longs(["values", "value"]);
        if self.short("has newton") == 1 {
            self.short("is slow");
            self.short("newton steps");
            self.longs(["newton values", "newton value"]);
            if self.short("has swept") == 1 {
                self.longs(["swept values", "swept value"]);
                self.long("residual");
            }
        }
        if self.short("has narrowing") == 1 {
            for name in ["is limited", "side", "margin", "proof steps"] {
                self.short(name);
            }
            for _ in 0..self.count("replies") {
                self.short("reply");
            }
            self.long("width before");
        }
        if self.short("has short") == 1 {
            self.states();
            self.long("short width");
        }
        if self.short("has marked") == 1 {
            self.long("marked");
        }
    }
}

impl CyclePart {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut input = Input { bytes, at: 8, numbers: Vec::new() };
        let version = input.short("version");
        for _ in 0..2 {
            input.count("game");
        }
        input.states();
        for _ in 0..2 {
            input.count("rounds");
        }
        for _ in 0..input.count("widths") {
            input.count("width");
        }
        let places = input.states();
        input.at += 4;
        let states = places.len() as u64;
        let is_begun = version == 3;
        if !is_begun {
            return Self {
                before: bytes.to_vec(),
                states,
                places,
                method: None,
                numbers: Vec::new(),
            };
        }
        for _ in 0..input.count("solved in long numbers") {
            for _ in 0..3 {
                input.short("solved");
            }
            for _ in 0..2 {
                input.long("solved");
                input.weights();
            }
        }
        input.at += 4;
        let before = bytes[..input.at].to_vec();
        input.numbers.clear();
        let method = input.short("method");
        match method {
            1 => {
                input.short("turns");
                input.doubles(["changes", "change"]);
                input.doubles(["sweep values", "sweep value"]);
            }
            2 => {
                input.short("steps");
                for _ in 0..input.count("guesses") {
                    input.count("guess");
                    input.count("guess");
                }
            }
            _ => input.homotopy(),
        }
        assert_eq!(input.at + 4, bytes.len());
        let part = Self { before, states, places, method: Some(method), numbers: input.numbers };
        assert!(part.bytes() == bytes);
        part
    }

    /// The bytes, with the checksum of the last part.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut part = Vec::new();
        for (_, number) in &self.numbers {
            match number {
                Number::Short(number) => part.extend(number.to_le_bytes()),
                Number::Count(number) => part.extend(number.to_le_bytes()),
                Number::Double(number) => part.extend(number.to_le_bytes()),
                Number::Long(number) => {
                    let bytes = number.to_signed_bytes_le();
                    part.extend((bytes.len() as u32).to_le_bytes());
                    part.extend(bytes);
                }
            }
        }
        part.extend(crc32fast::hash(&part).to_le_bytes());
        [self.before.clone(), part].concat()
    }

    /// The places of the numbers of this name.
    pub(crate) fn named(&self, name: &str) -> Vec<usize> {
        (0..self.numbers.len()).filter(|&place| self.numbers[place].0 == name).collect()
    }
}
