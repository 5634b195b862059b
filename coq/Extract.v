(** * The checker as a program

    OCaml code of [verify] and of [limit_bounds]. Integers become those of zarith, in the way that Coq's library has chosen; comparisons, which it leaves
    out, too. *)

From Coq Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
From PencilTennis Require Import Tennis Sums Header Certificate Multiples.

Extract Constant N.leb => "Big_int_Z.le_big_int".
Extract Constant N.ltb => "Big_int_Z.lt_big_int".
Extract Constant Z.leb => "Big_int_Z.le_big_int".
Extract Constant Z.ltb => "Big_int_Z.lt_big_int".
Extract Inlined Constant fst => "Stdlib.fst".
Extract Inlined Constant snd => "Stdlib.snd".

(** Values in arrays. *)
Extract Constant store => "Store.t".
Extract Constant no_values => "Store.empty".
Extract Constant height => "Store.height".
Extract Constant pushed => "Store.pushed".
Extract Constant at_height => "Store.value".

Extraction "extracted/verify.ml" verify_content exponent the_rules limit_bounds.
