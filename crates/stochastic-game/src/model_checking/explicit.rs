//! The files of an explicit export.

use std::io;
use std::path::{Path, PathBuf};

use hashbrown::{HashMap, HashSet};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use prism_model::{Definitions, Probability, Value, normalised};

use crate::atomic_file::read_whole;
use crate::error::{ModelError, Quoted};
use crate::excerpt::sentence;
use crate::model::exact_number;
use crate::written_as::written_as;

/// How printed probabilities are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Probabilities {
    /// As decimals: 0.8 is 4/5, and 0.333333 is 333333/1000000.
    #[default]
    Exact,
    /// As the fraction with the smallest denominator that rounds to the printed number: 0.333333 is
    /// 1/3, unless other probabilities of the file have more digits.
    Nearest,
    /// As decimals, which are [divided by their sum](prism_model::normalised) where that is 1 but
    /// for rounding.
    Normalised,
}

/// The end of the sentence about [normalised](Probabilities::Normalised) probabilities: long ones.
pub(super) const ROUNDED: &str =
    "; those whose common denominator has more than 62 bits are rounded to multiples of 2^-61";

/// The paths of an export's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplicitFiles {
    /// The transitions (`.tra`).
    pub transitions: PathBuf,
    /// The variables of the states (`.sta`); properties without variables need none.
    pub states: Option<PathBuf>,
    /// The labels (`.lab`), among them `init`; without it play starts at state 0.
    pub labels: Option<PathBuf>,
    /// Rewards of states (`.srew`) and of transitions (`.trew`), in any order.
    pub rewards: Vec<PathBuf>,
}

impl ExplicitFiles {
    /// A `.tra` file with the other files of its folder: for `model.tra`, `model.sta`, `model.lab`,
    /// `model.srew` and `model.trew`, or `model1.srew`, `model1.trew`, `model2.srew` and so on.
    pub fn beside(transitions: &Path) -> Self {
        let with = |ending: &str| {
            let stem = transitions.file_stem().unwrap_or_default().to_string_lossy();
            Some(transitions.with_file_name(format!("{stem}{ending}")))
                .filter(|path| path.is_file())
        };
        let numbered = (1..).map_while(|number| {
            let pair = [with(&format!("{number}.srew")), with(&format!("{number}.trew"))];
            pair.iter().any(Option::is_some).then_some(pair)
        });
        let rewards = [[with(".srew"), with(".trew")]]
            .into_iter()
            .chain(numbered)
            .flatten()
            .flatten()
            .collect();
        Self {
            transitions: transitions.to_owned(),
            states: with(".sta"),
            labels: with(".lab"),
            rewards,
        }
    }
}

/// The kinds of models that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ModelType {
    /// All players choose at once (CSG).
    Concurrent,
    /// Each state belongs to a player (SMG).
    TurnBased,
    /// One player chooses everywhere (MDP).
    DecisionProcess,
    /// Nobody chooses (DTMC).
    Chain,
}

impl ModelType {
    const ALL: [Self; 4] = [Self::Concurrent, Self::TurnBased, Self::DecisionProcess, Self::Chain];

    /// The name in the first line of an export.
    fn abbreviation(self) -> &'static str {
        match self {
            Self::Concurrent => "CSG",
            Self::TurnBased => "SMG",
            Self::DecisionProcess => "MDP",
            Self::Chain => "DTMC",
        }
    }

    fn article_and_name(self) -> &'static str {
        match self {
            Self::Concurrent => "a concurrent game",
            Self::TurnBased => "a turn-based game",
            Self::DecisionProcess => "a Markov decision process",
            Self::Chain => "a Markov chain",
        }
    }

    fn header(self) -> &'static str {
        match self {
            Self::Concurrent | Self::TurnBased => "STATES:PLAYERS CHOICES TRANSITIONS",
            Self::DecisionProcess => "STATES CHOICES TRANSITIONS",
            Self::Chain => "STATES TRANSITIONS",
        }
    }

    fn row(self) -> &'static str {
        match self {
            Self::Concurrent => "STATE CHOICE SUCCESSOR PROBABILITY [ACTION1,ACTION2,…]",
            Self::TurnBased => {
                "STATE:OWNER CHOICE SUCCESSOR PROBABILITY ACTION (the action may be missing)"
            }
            Self::DecisionProcess => {
                "STATE CHOICE SUCCESSOR PROBABILITY ACTION (the action may be missing)"
            }
            Self::Chain => "STATE SUCCESSOR PROBABILITY",
        }
    }

    /// Whether the export has a column with the numbers of choices.
    fn has_choices(self) -> bool {
        self != Self::Chain
    }
}

/// A stochastic game of any number of players, concurrent or turn-based, as a model checker
/// exported it; or a Markov decision process or chain.
#[derive(Clone, Debug)]
pub struct ExplicitModel {
    pub(super) file: String,
    pub(super) kind: ModelType,
    pub(super) players: usize,
    /// The players' names, if they are known.
    pub(super) player_names: Vec<String>,
    /// By state, the player who chooses there, counted from 0. Empty in a concurrent game.
    pub(super) owners: Vec<u32>,
    /// By state.
    pub(super) choices: Vec<Vec<Choice>>,
    pub(super) actions: Vec<String>,
    pub(super) probabilities: Vec<Probability>,
    pub(super) variables: Vec<String>,
    /// By state, in the order of the variables.
    pub(super) values: Vec<Vec<Value>>,
    pub(super) labels: Vec<String>,
    /// By state, the labels that hold.
    pub(super) holds: Vec<Vec<u32>>,
    pub(super) rewards: Vec<RewardStructure>,
    pub(super) initial: Vec<u32>,
    pub(super) assumptions: Vec<String>,
    /// Constants, formulas and further labels that properties may have.
    pub(super) definitions: Definitions,
}

/// A joint action of all players, or an action of the state's owner.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) line: u64,
    /// Each player's action; where states have owners, the owner's alone.
    pub(super) actions: Vec<u32>,
    /// Probabilities, by their numbers, and successors; those of an export in the order of the
    /// successors.
    pub(super) to: Vec<(u32, u32)>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct RewardStructure {
    pub(super) name: Option<String>,
    pub(super) states: HashMap<u32, BigRational>,
    /// By state and choice, whatever its successor.
    pub(super) choices: HashMap<[u32; 2], BigRational>,
    /// By state, choice and successor.
    pub(super) transitions: HashMap<[u32; 3], BigRational>,
}

/// The non-empty lines of a file, and its comments. An error names the line taken last; after the
/// end that is 0, none.
struct Lines<'t> {
    file: String,
    line: u64,
    rows: std::vec::IntoIter<(u64, &'t str)>,
    /// With their lines.
    comments: Vec<(u64, &'t str)>,
    /// The line that [`Self::next_row`] took last.
    row: &'t str,
}

/// Exports of more players are rejected: the largest of PRISM-games' models have some 10, and a
/// forged count must not take memory.
const MOST_PLAYERS: usize = 10_000;

/// The numbers in the first line of the transitions.
struct Sizes {
    states: usize,
    players: usize,
    choices: usize,
}

/// A line of the transitions.
struct Row<'t> {
    state: u32,
    owner: Option<u32>,
    choice: Option<&'t str>,
    successor: u32,
    probability: &'t str,
    /// Each player's action; where states have owners, the owner's alone, or the empty text.
    actions: Vec<&'t str>,
}

impl<'t> Lines<'t> {
    fn new(path: &Path, text: &'t str) -> Self {
        let numbered = (1..)
            .zip(text.trim_start_matches('\u{feff}').lines().map(str::trim))
            .filter(|(_, line)| !line.is_empty());
        let (comments, rows): (Vec<_>, Vec<_>) =
            numbered.partition(|(_, line)| line.starts_with('#'));
        Self {
            file: path.display().to_string(),
            line: 0,
            rows: rows.into_iter(),
            comments,
            row: "",
        }
    }

    fn refuse<T>(&self, reason: impl Into<String>) -> Result<T, ModelError> {
        ModelError::in_file(&self.file, self.line, reason)
    }

    fn next(&mut self) -> Option<&'t str> {
        let next = self.rows.next();
        self.line = next.map_or(0, |(line, _)| line);
        next.map(|(_, row)| row)
    }

    /// Takes the next line; false at the end.
    fn next_row(&mut self) -> bool {
        self.row = self.next().unwrap_or_default();
        self.line != 0
    }

    fn first(&mut self, what: &str) -> Result<&'t str, ModelError> {
        self.next().map_or_else(|| self.refuse(format!("it is empty; expected {what}")), Ok)
    }

    /// A whole number below a limit.
    fn number(&self, text: &str, what: &str, limit: usize) -> Result<u32, ModelError> {
        match text.parse::<u32>() {
            Ok(number) if (number as usize) < limit => Ok(number),
            _ => self.refuse(format!(
                "{} is no {what}; expected 0 to {}",
                Quoted(text),
                limit.saturating_sub(1)
            )),
        }
    }

    /// A number, or an interval such as `[0.1,0.3]`.
    fn probability(&self, text: &str) -> Result<Probability, ModelError> {
        let limits = text
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .and_then(|inside| inside.split_once(','));
        let Some((least, most)) = limits else {
            return Ok(Probability::Known(self.fraction(text)?));
        };
        let (least, most) = (self.fraction(least)?, self.fraction(most)?);
        if least > most {
            return self.refuse(format!(
                "{} is no interval; expected its least number first",
                Quoted(text)
            ));
        }
        Ok(Probability::between(least, most))
    }

    fn fraction(&self, text: &str) -> Result<BigRational, ModelError> {
        exact_number(text)
            .map(|exact| exact.to_rational())
            .or_else(|fault| self.refuse(fault.to_string()))
    }
}

/// The transitions.
impl<'t> Lines<'t> {
    /// The kind of the model: the first comment names it; without one, the number of columns tells
    /// it.
    fn model_type(&self) -> Result<ModelType, ModelError> {
        for &(line, comment) in &self.comments {
            let Some((_, rest)) = comment.split_once("Transitions (") else { continue };
            let name = rest.trim_end_matches(')');
            // Those with intervals as probabilities begin with an I.
            let short = name.strip_prefix('I').unwrap_or(name);
            let known = ModelType::ALL.into_iter().find(|kind| kind.abbreviation() == short);
            let expected = "expected CSG, SMG, MDP or DTMC";
            let unknown = || format!("it is a model of the kind {}; {expected}", Quoted(name));
            return known.map_or_else(|| ModelError::in_file(&self.file, line, unknown()), Ok);
        }
        let mut rows = self.rows.as_slice().iter().map(|(_, row)| *row);
        let header = rows.next().unwrap_or_default();
        let is_turn_based = rows.next().unwrap_or_default().contains(':');
        let columns = header.split_whitespace().count();
        Ok(match (header.contains(':'), columns) {
            (true, _) if is_turn_based => ModelType::TurnBased,
            (false, 3) => ModelType::DecisionProcess,
            (false, 2) => ModelType::Chain,
            _ => ModelType::Concurrent,
        })
    }

    /// Reads the first line, and checks it against the number of lines that follow.
    fn sizes(&mut self, kind: ModelType) -> Result<Sizes, ModelError> {
        let header = kind.header();
        let has_players = matches!(kind, ModelType::Concurrent | ModelType::TurnBased);
        let wrong = format!(
            "it does not begin as the export of {}; expected {header}",
            kind.article_and_name()
        );
        let fields: Vec<&str> = self.first(header)?.split_whitespace().collect();
        let (states, players) = match fields.first().and_then(|states| states.split_once(':')) {
            Some((states, players)) if has_players => (states, players),
            None if !has_players && !fields.is_empty() => (fields[0], "1"),
            _ => return self.refuse(wrong),
        };
        if fields.len() != header.split_whitespace().count() {
            return self.refuse(wrong);
        }
        let most = u32::MAX as usize;
        let states = self.number(states, "count", most)? as usize;
        let players = self.number(players, "number of players", MOST_PLAYERS + 1)? as usize;
        let transitions = self.number(fields[fields.len() - 1], "count", most)? as usize;
        let choices = if kind.has_choices() {
            self.number(fields[1], "count", most)? as usize
        } else {
            states
        };
        // Every state has at least one line, so that a forged count cannot take much memory.
        if states == 0 || players == 0 || states > transitions || transitions != self.rows.len() {
            let rows = self.rows.len();
            return self.refuse(format!(
                "{rows} transitions follow, of {states} states; expected {transitions}"
            ));
        }
        Ok(Sizes { states, players, choices })
    }

    /// Splits the line taken last.
    fn row(&self, kind: ModelType, sizes: &Sizes) -> Result<Row<'t>, ModelError> {
        let unreadable = || self.refuse(format!("expected {}", kind.row()));
        let fields: Vec<&'t str> = self.row.split_whitespace().collect();
        let choice_columns = usize::from(kind.has_choices());
        let needed = 3 + choice_columns;
        if fields.len() < needed || fields.len() > needed + 1 {
            return unreadable();
        }
        let (state, owner) = match (kind, fields[0].split_once(':')) {
            (ModelType::TurnBased, Some((state, owner))) => {
                (state, Some(self.number(owner, "player", sizes.players)?))
            }
            (ModelType::TurnBased, None) | (_, Some(_)) => return unreadable(),
            (_, None) => (fields[0], None),
        };
        let state = self.number(state, "state", sizes.states)?;
        let successor = self.number(fields[1 + choice_columns], "state", sizes.states)?;
        let action = fields.get(needed).copied();
        let actions = match kind {
            ModelType::Concurrent => {
                let Some(joint) = action else { return unreadable() };
                let inside =
                    joint.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or("");
                let parts: Vec<&str> = inside.split(',').collect();
                if parts.len() != sizes.players || parts.iter().any(|part| part.is_empty()) {
                    let reason = format!(
                        "{} is no joint action of {} players",
                        Quoted(joint),
                        sizes.players
                    );
                    return self.refuse(format!("state {state}: {reason}"));
                }
                parts
            }
            // The actions of a chain are no choices, and those of one state may differ.
            ModelType::Chain => vec![""],
            ModelType::TurnBased | ModelType::DecisionProcess => {
                if action.is_some_and(|action| action.contains('#')) {
                    return self
                        .refuse("an action's name has a `#`; expected letters, digits and `_`");
                }
                vec![action.unwrap_or_default()]
            }
        };
        let choice = kind.has_choices().then(|| fields[1]);
        Ok(Row {
            state,
            owner,
            choice,
            successor,
            probability: fields[2 + choice_columns],
            actions,
        })
    }
}

fn read_text(path: &Path) -> Result<String, ModelError> {
    let unread = |error: io::Error| {
        ModelError::in_file(&path.display().to_string(), 0, format!("it cannot be read: {error}"))
    };
    let no_text =
        |_| io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8");
    read_whole(path, u64::MAX)
        .and_then(|bytes| String::from_utf8(bytes).map_err(no_text))
        .or_else(unread)
}

/// The number of a text among the distinct ones, in the order in which they first occurred.
fn number_of(known: &mut HashMap<String, u32>, text: &str) -> u32 {
    let next = known.len() as u32;
    *known.entry_ref(text).or_insert(next)
}

impl ExplicitModel {
    /// Reads the files of an export.
    ///
    /// # Errors
    /// [`ModelError::File`], with the file and the line.
    pub fn read(files: &ExplicitFiles, probabilities: Probabilities) -> Result<Self, ModelError> {
        let text = read_text(&files.transitions)?;
        let mut model = Self::transitions(Lines::new(&files.transitions, &text), probabilities)?;
        let with = |path: &Option<PathBuf>,
                    read: &mut dyn FnMut(Lines<'_>) -> Result<(), ModelError>| {
            path.as_ref().map_or(Ok(()), |path| read(Lines::new(path, &read_text(path)?)))
        };
        with(&files.states, &mut |lines| model.read_states(lines))?;
        with(&files.labels, &mut |lines| model.labels(lines))?;
        for path in &files.rewards {
            model.reward_structure(path, Lines::new(path, &read_text(path)?))?;
        }
        if let Some(init) = model.labels.iter().position(|label| label == "init") {
            let states = 0..model.choices.len() as u32;
            model.initial = states
                .filter(|&state| model.holds[state as usize].contains(&(init as u32)))
                .collect();
        }
        if model.initial.is_empty() {
            model.initial = vec![0];
            model
                .assumptions
                .push("play starts at state 0, since no label `init` says otherwise".to_owned());
        }
        Ok(model)
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.choices.len()
    }

    /// Assumptions beyond the files, a sentence each.
    pub fn assumptions(&self) -> &[String] {
        &self.assumptions
    }

    /// Lets properties have the constants, formulas and labels of a file of properties.
    pub fn define(&mut self, definitions: Definitions) {
        self.definitions = definitions;
    }

    /// Names the players, in the order of their numbers: an export has numbers alone.
    ///
    /// # Errors
    /// [`ModelError::Property`] if there are not as many names as players, or a name stands there
    /// twice.
    pub fn name_players(&mut self, names: Vec<String>) -> Result<(), ModelError> {
        let mut distinct = names.clone();
        distinct.sort_unstable();
        distinct.dedup();
        if names.len() != self.players || distinct.len() != names.len() {
            let reason =
                format!("expected {} different names of players, in their order", self.players);
            return Err(ModelError::Property { reason });
        }
        self.player_names = names;
        Ok(())
    }

    fn transitions(mut lines: Lines<'_>, reading: Probabilities) -> Result<Self, ModelError> {
        let kind = lines.model_type()?;
        let sizes = lines.sizes(kind)?;
        let mut model = Self::empty(kind, lines.file.clone(), &sizes);
        let mut names = HashMap::new();
        let mut printed = HashMap::new();
        while lines.next_row() {
            let row = lines.row(kind, &sizes)?;
            let state = row.state;
            model.set_owner(&row, &lines)?;
            let choices = &mut model.choices[state as usize];
            let choice = match row.choice {
                Some(choice) => {
                    lines.number(choice, "choice in its order", choices.len() + 1)? as usize
                }
                None => 0,
            };
            let actions: Vec<u32> =
                row.actions.iter().map(|part| number_of(&mut names, part)).collect();
            for (&action, part) in actions.iter().zip(&row.actions) {
                if action as usize == model.actions.len() {
                    model.actions.push((*part).to_owned());
                }
            }
            if choice == choices.len() {
                choices.push(Choice { line: lines.line, actions, to: Vec::new() });
            } else if choices[choice].actions != actions {
                let line = choices[choice].line;
                return lines.refuse(format!(
                    "state {state}: choice {choice} has another action in line {line}"
                ));
            }
            let number = number_of(&mut printed, row.probability);
            if number as usize == model.probabilities.len() {
                let probability = lines.probability(row.probability)?;
                if !probability.least().is_positive() || *probability.most() > BigRational::one() {
                    return lines.refuse(format!(
                        "state {state}: {} is no probability",
                        Quoted(row.probability)
                    ));
                }
                model.probabilities.push(probability);
            }
            let to = &mut choices[choice].to;
            match to.binary_search_by_key(&row.successor, |&(_, other)| other) {
                Ok(_) => {
                    return lines.refuse(format!(
                        "state {state}: choice {choice} leads to {} twice",
                        row.successor
                    ));
                }
                Err(place) => to.insert(place, (number, row.successor)),
            }
        }
        match reading {
            Probabilities::Exact => {}
            Probabilities::Nearest => model.read_nearest(&printed),
            Probabilities::Normalised => model.normalise(),
        }
        model.check_choices(sizes.choices, reading)?;
        model.tell_choices_apart(names);
        Ok(model)
    }

    /// A model of this size without transitions.
    fn empty(kind: ModelType, file: String, sizes: &Sizes) -> Self {
        let mut model = Self::without_states(kind, file, sizes.players);
        if kind != ModelType::Concurrent {
            model.owners = vec![0; sizes.states];
        }
        model.choices = vec![Vec::new(); sizes.states];
        model.holds = vec![Vec::new(); sizes.states];
        model
    }

    pub(super) fn without_states(kind: ModelType, file: String, players: usize) -> Self {
        Self {
            file,
            kind,
            players,
            player_names: Vec::new(),
            owners: Vec::new(),
            choices: Vec::new(),
            actions: Vec::new(),
            probabilities: Vec::new(),
            variables: Vec::new(),
            values: Vec::new(),
            labels: Vec::new(),
            holds: Vec::new(),
            rewards: Vec::new(),
            initial: Vec::new(),
            assumptions: Vec::new(),
            definitions: Definitions::default(),
        }
    }

    /// Stores the owner of a row's state, which all rows of the state must name.
    fn set_owner(&mut self, row: &Row<'_>, lines: &Lines<'_>) -> Result<(), ModelError> {
        let Some(owner) = row.owner else { return Ok(()) };
        let known = &mut self.owners[row.state as usize];
        match self.choices[row.state as usize].first() {
            Some(Choice { line, .. }) if *known != owner => lines.refuse(format!(
                "state {} belongs to player {owner} here, to {known} in line {line}",
                row.state
            )),
            _ => {
                *known = owner;
                Ok(())
            }
        }
    }

    /// Gives the choices of each owner names of their own: an action that is unnamed, or named as
    /// another one of the state, gets the number of its choice, as in `#0` or `send#2`.
    pub(super) fn tell_choices_apart(&mut self, mut names: HashMap<String, u32>) {
        if self.kind == ModelType::Concurrent {
            return;
        }
        for choices in &mut self.choices {
            let actions: Vec<u32> = choices.iter().map(|choice| choice.actions[0]).collect();
            let mut sorted = actions.clone();
            sorted.sort_unstable();
            for (number, choice) in choices.iter_mut().enumerate() {
                let action = actions[number];
                let first = sorted.partition_point(|&other| other < action);
                let is_repeated = sorted.get(first + 1) == Some(&action);
                let name = &self.actions[action as usize];
                if name.is_empty() || is_repeated {
                    let unique_name = format!("{name}#{number}");
                    let unique = number_of(&mut names, &unique_name);
                    if unique as usize == self.actions.len() {
                        self.actions.push(unique_name);
                    }
                    choice.actions[0] = unique;
                }
            }
        }
    }

    /// Reads printed probabilities as the simplest fractions that round to them.
    fn read_nearest(&mut self, printed: &HashMap<String, u32>) {
        let decimals = || printed.iter().filter(|(text, _)| !text.contains('/'));
        let digits = decimals().map(|(text, _)| digits(text)).max().unwrap_or(0).max(SIGNIFICANT);
        let mut guessed = 0;
        for (_, &number) in decimals() {
            // Limits need not sum to 1.
            let Probability::Known(exact) = &mut self.probabilities[number as usize] else {
                continue;
            };
            let read = nearest(exact, digits);
            guessed += usize::from(read != *exact);
            *exact = read;
        }
        if guessed > 0 {
            self.assumptions.push(format!(
                "{guessed} of {} different probabilities are read as the simplest fractions that round to them",
                self.probabilities.len()
            ));
        }
    }

    /// Divides the probabilities of every choice by their sum where that is 1 but for rounding.
    fn normalise(&mut self) {
        let mut changed = 0_u64;
        let mut numbers: HashMap<Probability, u32> = HashMap::new();
        for choice in self.choices.iter_mut().flatten() {
            let known: Option<Vec<BigRational>> = choice
                .to
                .iter()
                .map(|&(number, _)| match &self.probabilities[number as usize] {
                    Probability::Known(probability) => Some(probability.clone()),
                    Probability::Between(_) => None,
                })
                .collect();
            let Some(known) = known else { continue };
            let Some(shares) = normalised(&known).filter(|shares| *shares != known) else {
                continue;
            };
            changed += 1;
            for ((number, _), share) in choice.to.iter_mut().zip(shares) {
                let share = Probability::Known(share);
                *number = *numbers.entry(share).or_insert_with_key(|share| {
                    self.probabilities.push(share.clone());
                    (self.probabilities.len() - 1) as u32
                });
            }
        }
        if changed > 0 {
            let choices =
                if changed == 1 { "one choice".to_owned() } else { format!("{changed} choices") };
            self.assumptions
                .push(format!("the probabilities of {choices} are divided by their sum{ROUNDED}"));
        }
    }

    /// Checks that every state has choices and all probabilities sum to 1.
    fn check_choices(&self, expected: usize, reading: Probabilities) -> Result<(), ModelError> {
        let refuse = |line: u64, reason: String| ModelError::in_file(&self.file, line, reason);
        let found: usize = self.choices.iter().map(Vec::len).sum();
        if found != expected {
            return refuse(0, format!("it has {found} choices; its first line says {expected}"));
        }
        for (state, choices) in self.choices.iter().enumerate() {
            if choices.is_empty() {
                return refuse(
                    0,
                    format!(
                        "state {state} has no choice (a deadlock); export the model with a loop there"
                    ),
                );
            }
            if self.kind == ModelType::Concurrent {
                self.check_joint_actions(state, choices)?;
            }
            for Choice { line, to, .. } in choices {
                let all =
                    || to.iter().map(|&(probability, _)| &self.probabilities[probability as usize]);
                let sum: BigRational = all().map(Probability::least).sum();
                let most: BigRational = all().map(Probability::most).sum();
                if sum != most {
                    if sum > BigRational::one() || most < BigRational::one() {
                        let sum = sentence(&sum);
                        let most = sentence(&most);
                        let found = format!(
                            "the least probabilities of the choice sum to {sum}, the largest to {most}"
                        );
                        return refuse(
                            *line,
                            format!("state {state}: {found}; expected 1 between them"),
                        );
                    }
                } else if !sum.is_one() {
                    let is_rounded = (&sum - BigRational::one()).abs()
                        < BigRational::new(1.into(), 1_000.into());
                    let hint = if reading == Probabilities::Exact && is_rounded {
                        "; with nearest probabilities, each is read as the simplest fraction that rounds to it; normalised ones are divided by their sum"
                    } else {
                        ""
                    };
                    let sum = sentence(&sum);
                    let reason = format!(
                        "state {state}: the probabilities of the choice sum to {sum}; expected 1{hint}"
                    );
                    return refuse(*line, reason);
                }
            }
        }
        Ok(())
    }

    /// Checks that no two choices of a concurrent game's state have the same joint action.
    fn check_joint_actions(&self, state: usize, choices: &[Choice]) -> Result<(), ModelError> {
        let mut seen = HashSet::new();
        for Choice { line, actions, .. } in choices {
            if !seen.insert(actions) {
                let names: Vec<&str> =
                    actions.iter().map(|&action| self.actions[action as usize].as_str()).collect();
                let joint = names.join(",");
                let reason =
                    format!("state {state}: the joint action [{joint}] is a choice already");
                return ModelError::in_file(&self.file, *line, reason);
            }
        }
        Ok(())
    }

    fn read_states(&mut self, mut lines: Lines<'_>) -> Result<(), ModelError> {
        fn inside(text: &str) -> Option<Vec<&str>> {
            let inside = text.strip_prefix('(')?.strip_suffix(')')?;
            Some(if inside.is_empty() { Vec::new() } else { inside.split(',').collect() })
        }
        const HEADER: &str = "the names of the variables, such as (s,t)";
        let Some(names) = inside(lines.first(HEADER)?) else {
            return lines.refuse(format!("expected {HEADER}"));
        };
        self.variables = names.into_iter().map(str::to_owned).collect();
        let mut values = vec![None; self.choices.len()];
        while let Some(row) = lines.next() {
            let parts =
                row.split_once(':').and_then(|(state, values)| Some((state, inside(values)?)));
            let Some((state, texts)) =
                parts.filter(|(_, texts)| texts.len() == self.variables.len())
            else {
                return lines.refuse(format!(
                    "expected a state with {} values, such as 0:(1,true)",
                    self.variables.len()
                ));
            };
            let state = lines.number(state, "state", values.len())?;
            let value = |text: &&str| match *text {
                "true" | "false" => Ok(Value::Truth(*text == "true")),
                _ => Ok(Value::of_number(lines.fraction(text)?)),
            };
            let of_state = texts.iter().map(value).collect::<Result<Vec<_>, ModelError>>()?;
            if values[state as usize].replace(of_state).is_some() {
                return lines.refuse(format!("state {state} stands there twice"));
            }
        }
        match values.iter().position(Option::is_none) {
            Some(state) => lines.refuse(format!("state {state} is missing")),
            None => {
                self.values = values.into_iter().flatten().collect();
                Ok(())
            }
        }
    }

    fn labels(&mut self, mut lines: Lines<'_>) -> Result<(), ModelError> {
        const HEADER: &str = "numbered labels, such as 0=\"init\" 1=\"deadlock\"";
        for (number, part) in lines.first(HEADER)?.split_whitespace().enumerate() {
            let name =
                part.strip_prefix(&format!("{number}=\"")).and_then(|rest| rest.strip_suffix('"'));
            let Some(name) = name else { return lines.refuse(format!("expected {HEADER}")) };
            self.labels.push(name.to_owned());
        }
        while let Some(row) = lines.next() {
            let Some((state, labels)) = row.split_once(':') else {
                return lines
                    .refuse("expected a state and the numbers of its labels, such as 12: 0 2");
            };
            let state = lines.number(state, "state", self.choices.len())? as usize;
            for label in labels.split_whitespace() {
                let label = lines.number(label, "label", self.labels.len())?;
                self.holds[state].push(label);
            }
        }
        Ok(())
    }

    fn reward_structure(&mut self, path: &Path, mut lines: Lines<'_>) -> Result<(), ModelError> {
        let of_states = path.extension().is_some_and(|ending| ending == "srew");
        let names =
            lines.comments.iter().filter_map(|(_, comment)| comment.split_once("Reward structure"));
        let name = names.map(|(_, name)| name.trim().trim_matches('"').to_owned()).next();
        let is_new = |known: &RewardStructure| {
            if of_states { known.states.is_empty() } else { known.transitions.is_empty() }
        };
        // The state and the transition rewards of a structure have the same name, or follow each
        // other.
        let known = self
            .rewards
            .iter()
            .position(|known| known.name == name && (name.is_some() || is_new(known)));
        let place = known.unwrap_or_else(|| {
            self.rewards.push(RewardStructure { name, ..RewardStructure::default() });
            self.rewards.len() - 1
        });
        let header = lines.first("the numbers of states and of rewards")?;
        let counts: Vec<Option<usize>> =
            header.split_whitespace().map(|field| field.parse().ok()).collect();
        let fits = counts.first() == Some(&Some(self.choices.len()))
            && counts.last() == Some(&Some(lines.rows.len()));
        let has_choices = !of_states && self.kind.has_choices();
        if !fits || counts.len() != if has_choices { 3 } else { 2 } {
            let header = if has_choices { "STATES CHOICES REWARDS" } else { "STATES REWARDS" };
            return lines.refuse(format!(
                "expected {header} of this model, {} and {} rewards",
                self.choices.len(),
                lines.rows.len()
            ));
        }
        while let Some(row) = lines.next() {
            let fields: Vec<&str> = row.split_whitespace().collect();
            let (state, step, reward) = match (of_states, has_choices, fields.as_slice()) {
                (true, _, [state, reward]) => (state, None, reward),
                (false, true, [state, choice, successor, reward]) => {
                    (state, Some([*choice, *successor]), reward)
                }
                (false, false, [state, successor, reward]) => {
                    (state, Some(["0", *successor]), reward)
                }
                (true, ..) => return lines.refuse("expected STATE REWARD"),
                (false, true, _) => return lines.refuse("expected STATE CHOICE SUCCESSOR REWARD"),
                (false, false, _) => return lines.refuse("expected STATE SUCCESSOR REWARD"),
            };
            let state = lines.number(state, "state", self.choices.len())?;
            let is_new = if let Some([choice, successor]) = step {
                let choices = &self.choices[state as usize];
                let choice = lines.number(choice, "choice of the state", choices.len())?;
                let successor = lines.number(successor, "state", self.choices.len())?;
                if !choices[choice as usize].to.iter().any(|&(_, to)| to == successor) {
                    return lines.refuse(format!(
                        "choice {choice} of state {state} does not lead to {successor}"
                    ));
                }
                self.rewards[place]
                    .transitions
                    .insert([state, choice, successor], lines.fraction(reward)?)
                    .is_none()
            } else {
                self.rewards[place].states.insert(state, lines.fraction(reward)?).is_none()
            };
            if !is_new {
                return lines.refuse("the same reward stands there twice");
            }
        }
        Ok(())
    }
}

/// Files are printed with at least this many significant digits, without trailing zeros.
pub const SIGNIFICANT: usize = 6;

/// The number of significant digits of a printed decimal.
pub fn digits(text: &str) -> usize {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    mantissa.trim_start_matches(['0', '.']).bytes().filter(u8::is_ascii_digit).count()
}

/// The fraction with the smallest denominator that rounds to a decimal of a file printed with so
/// many significant digits: within half a unit of the last or, if that is less than a double
/// resolves, within four roundings of one.
pub fn nearest(exact: &BigRational, digits: usize) -> BigRational {
    let ten = BigRational::from_integer(10.into());
    let zeros =
        (1..=1_000).find(|&zeros| exact * ten.pow(zeros) >= BigRational::one()).unwrap_or(1_000)
            - 1;
    let half_unit = ten.pow(-zeros - digits as i32) / BigInt::from(2);
    let within = half_unit.max(exact / BigRational::from_integer(BigInt::one() << 51));
    simplest(&(exact - &within), &(exact + &within))
}

/// The fraction with the smallest denominator between two numbers, the upper one not negative, by
/// continued fractions; 0 if the lower one is negative.
pub fn simplest(low: &BigRational, high: &BigRational) -> BigRational {
    let whole = low.ceil();
    if whole <= *high {
        return if whole.is_negative() { BigRational::zero() } else { whole };
    }
    let floor = low.floor();
    &floor + simplest(&(high - &floor).recip(), &(low - &floor).recip()).recip()
}

written_as! {
    Probabilities { Exact => "exact", Nearest => "nearest", Normalised => "normalised" },
    |text: String| ModelError::Property {
        reason: format!(
            "{} is no reading of probabilities; expected exact, nearest or normalised",
            Quoted(&text)
        ),
    } => ModelError
}
