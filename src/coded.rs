//! Variants as numbers in files.

/// The numbers by which files know the variants of a type, both ways from one list. A new variant
/// does not compile without one, and no two variants can share one.
macro_rules! coded {
    ($type:ident { $($variant:ident = $code:literal),+ $(,)? }) => {
        impl $type {
            /// All variants, in the order of the list.
            #[cfg(test)]
            pub(crate) const CODED: &'static [Self] = &[$(Self::$variant),+];

            pub(crate) const fn code(self) -> u8 {
                match self {
                    $(Self::$variant => $code),+
                }
            }

            pub(crate) const fn of_code(code: u64) -> Option<Self> {
                match code {
                    $($code => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use coded;

#[cfg(test)]
mod tests {
    use crate::agents::{Learner, LearnerKind, LearnerOptions, Reward, Schedule, Training};
    use crate::certificate;
    use crate::work::unwatched;
    use crate::{Method, Motion, Rules, Scoring, Solver, TableFile};

    fn rules(motion: Motion) -> Rules {
        Rules::new(2, motion, Scoring::two_one()).expect("rules")
    }

    /// Certificates and tables of every motion, by every method of this build, are of the game that
    /// was solved.
    #[test]
    fn every_motion_and_method_is_read_back_as_it_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        for (&motion, &method) in Motion::CODED
            .iter()
            .flat_map(|motion| Method::CODED.iter().map(move |method| (motion, method)))
        {
            assert_eq!(Motion::of_code(motion.code().into()), Some(motion));
            assert_eq!(Method::of_code(method.code().into()), Some(method));
            if !method.is_available() {
                continue;
            }
            let solution = Solver::new(&rules(motion))
                .points([3, 4])
                .method(method)
                .solve()
                .expect("a solution");
            let proof =
                certificate::verify(&solution.certificate(&mut unwatched).expect("nobody cancels"))
                    .expect("a proof");
            assert_eq!(
                (proof.rules(), proof.points()),
                (solution.rules(), [3, 4]),
                "{motion} {method}"
            );

            let path = folder.path().join("table");
            solution.write_table(std::fs::File::create(&path).expect("room")).expect("room");
            let read = TableFile::open(&path).and_then(TableFile::into_solution).expect("a table");
            assert_eq!(
                (read.rules(), read.points()),
                (solution.rules(), [3, 4]),
                "{motion} {method}"
            );
            assert_eq!(
                read.certificate(&mut unwatched).expect("nobody cancels"),
                solution.certificate(&mut unwatched).expect("nobody cancels"),
                "{motion} {method}"
            );
        }
    }

    /// A saved learner of every kind goes on as what it was.
    #[test]
    fn every_learner_and_its_options_are_read_back_as_they_were_saved() {
        assert_eq!(LearnerKind::ALL.as_slice(), LearnerKind::CODED, "all learners are offered");
        for kind in LearnerKind::ALL {
            let training = Training::new(kind, &Rules::tennis(), 4, LearnerOptions::default(), 1);
            assert!(training.is_ok(), "{kind} begins to learn");
        }
        for (&kind, &motion) in LearnerKind::CODED
            .iter()
            .flat_map(|kind| Motion::CODED.iter().map(move |motion| (kind, motion)))
        {
            assert_eq!(LearnerKind::of_code(kind.code().into()), Some(kind));
            for (&reward, &schedule) in Reward::CODED
                .iter()
                .flat_map(|reward| Schedule::CODED.iter().map(move |schedule| (reward, schedule)))
            {
                let options = LearnerOptions { reward, schedule, ..LearnerOptions::default() };
                // Not every learner takes every option.
                let Ok(mut training) = Training::new(kind, &rules(motion), 4, options, 1) else {
                    continue;
                };
                training.play(20).expect("room for counts");
                let read = Training::from_bytes(&training.to_bytes()).expect("what was saved");
                assert_eq!(
                    (read.kind(), read.rules(), read.options()),
                    (kind, &rules(motion), &options)
                );
                assert_eq!(
                    read.policy().expect("a policy"),
                    training.policy().expect("a policy"),
                    "{kind} {reward} {schedule}"
                );
            }
        }
    }
}
