(** * The checker of any game's certificate as a program

    OCaml code of the reader and the check. Integers become those of zarith, in the way that Coq's library has chosen; comparisons,
    which it leaves out, too. Lists of a million states are mapped without a stack. *)

From Coq Require Import ZArith List Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
From PencilTennis Require Import GameReader.

Extract Constant N.eqb => "Big_int_Z.eq_big_int".
Extract Constant N.leb => "Big_int_Z.le_big_int".
Extract Constant N.ltb => "Big_int_Z.lt_big_int".
Extract Constant Z.leb => "Big_int_Z.le_big_int".
Extract Constant Z.ltb => "Big_int_Z.lt_big_int".
Extract Constant map => "(fun f l -> Stdlib.List.rev (Stdlib.List.rev_map f l))".
Extract Constant Z.gcd => "Big_int_Z.gcd_big_int".

Extraction "extracted/game.ml" begun take conclude.
