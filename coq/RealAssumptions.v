(** * The assumptions of what is said of Coq's reals: the axioms of Coq's reals *)

From PencilTennis Require RealNumbers Convergence InfinitePlays InfiniteTennis Expected.

(** The reals are one of the fields. *)
Print Assumptions RealNumbers.reals.

(** Bounded convergence. *)
Print Assumptions Convergence.null_convergence.
Print Assumptions Convergence.expectation_unique.
Print Assumptions Convergence.expectation_exists.

(** Infinite plays have payoffs, and averages tend to their expectation. *)
Print Assumptions InfinitePlays.settled_expected.
Print Assumptions InfinitePlays.averages_converge.
Print Assumptions InfinitePlays.recursive_averages.
Print Assumptions InfinitePlays.rewards_limit.
Print Assumptions InfinitePlays.discounted_expected.
Print Assumptions InfiniteTennis.tennis_averages.

(** The strategies of certificates secure their bounds of the expected payoff. *)
Print Assumptions Expected.verify_expected.
Print Assumptions Expected.discounted_certificate.
Print Assumptions Expected.lasting_certificate.
