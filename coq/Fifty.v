(** * The 50-point game, in the kernel

    All 13,005 positions are enclosed to within 9 units of 2^-60. Not part of [make]: [make fifty] writes the certificate, quotes
    it as Tennis50.v, and checks this theorem in three minutes. *)

From Coq Require Import ZArith.
From PencilTennis Require Import Numbers Tennis Enclosures Quoted Tennis50.

Theorem fifty_points F : enclosed F 50 50 9 /\ between F (At 50 50 (-1)) (-872956143718629388) (-872956143718629380).
Proof. apply (enclosed_by F (file tennis_50)). vm_cast_no_check (eq_refl true). Qed.

Print Assumptions fifty_points.
