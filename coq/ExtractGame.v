(** * The checker of any game's certificate as a program

    OCaml code of the reader and the check. Integers become those of zarith, in the way that Coq's library has chosen; comparisons,
    which it leaves out, too. Lists of a million states are mapped without a stack. *)

From Coq Require Import ZArith QArith List Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZBigInt.
From PencilTennis Require Import AnyGame GameReader BestPayoffs SecondPart Hidden HiddenFile.

(** Halves by a shift: quicker than by a division. *)
Extract Inductive positive => "Big_int_Z.big_int"
  [ "(fun p -> Big_int_Z.succ_big_int (Big_int_Z.shift_left_big_int p 1))" "(fun p -> Big_int_Z.shift_left_big_int p 1)"
    "Big_int_Z.unit_big_int" ]
  "(fun odd even one p -> if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then one () else
    let half = Big_int_Z.shift_right_big_int p 1 in
    if Big_int_Z.sign_big_int (Big_int_Z.and_big_int p Big_int_Z.unit_big_int) = 0 then even half else odd half)".
Extract Constant N.eqb => "Big_int_Z.eq_big_int".
Extract Constant N.leb => "Big_int_Z.le_big_int".
Extract Constant N.ltb => "Big_int_Z.lt_big_int".
Extract Constant Z.leb => "Big_int_Z.le_big_int".
Extract Constant Z.ltb => "Big_int_Z.lt_big_int".
Extract Inlined Constant fst => "Stdlib.fst".
Extract Inlined Constant snd => "Stdlib.snd".
Extract Constant map => "(fun f l -> Stdlib.List.rev (Stdlib.List.rev_map f l))".
Extract Constant Z.gcd => "Big_int_Z.gcd_big_int".
Extract Constant Z.ggcd => "(fun a b -> let g = Big_int_Z.gcd_big_int a b in
  if Big_int_Z.sign_big_int g = 0 then (g, (a, b)) else (g, (Big_int_Z.div_big_int a g, Big_int_Z.div_big_int b g)))".
(** The number of binary digits, which bounds recursions. *)
Extract Constant N.size_nat => "Z.numbits".

(** Tables in arrays. *)
Extract Constant map_to "'value" => "'value Tables.t".
Extract Constant no_entry => "Tables.Empty".
Extract Constant look => "Tables.look".
Extract Constant put => "Tables.put".

Extraction "extracted/game.ml" begun_parts take_part conclude_parts claims_of is_approached Qred.

(** The checker of games with hidden information, in the same way. *)
Extraction "extracted/hidden.ml" verify_hidden.
