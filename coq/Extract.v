(** * The checker as a program

    OCaml code of [verify]. Integers become those of zarith, in the way that Coq's library has chosen. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
From PencilTennis Require Import Tennis Header Certificate.

Extraction "extracted/verify.ml" verify_with exponent the_rules.
