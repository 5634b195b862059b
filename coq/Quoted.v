(** * Files quoted in hexadecimal digits

    A literal is kept as its characters, one constructor each, which Coq reads fast. *)

From Coq Require Import NArith List Init.Byte Strings.Byte.
Import ListNotations.

Inductive quotation := Quotation (text : list byte).
Definition quote (text : list byte) : quotation := Quotation text.
Definition unquote (q : quotation) : list byte := let '(Quotation text) := q in text.

Declare Scope quoted_scope.
Delimit Scope quoted_scope with quoted.
String Notation quotation quote unquote : quoted_scope.

(** Digits 0 to 9 and a to f; everything else, as the ends of lines, is left out. *)
Definition digits (text : list byte) : list N :=
  flat_map (fun c => let n := to_N c in
    if (n <? 48)%N then [] else if (n <? 58)%N then [n - 48]%N else if (n <? 97)%N then [] else [n - 87]%N) text.

Fixpoint paired (l : list N) : list N := match l with a :: b :: l => (16 * a + b)%N :: paired l | _ => [] end.

(** The bytes of a file that is quoted in pieces of whole bytes. *)
Definition file (pieces : list quotation) : list N := flat_map (fun q => paired (digits (unquote q))) pieces.
