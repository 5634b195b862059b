(** * Certificates: the bytes that docs/certificate.md describes

    [verify] reads them, complains of the first thing that is wrong, or returns the rules and the bounds of all positions. *)

From Coq Require Import ZArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Game Check Tennis Table Header.
Import ListNotations.
Local Open Scope N_scope.

(** ** Strategies *)

Definition whole : Z := 2 ^ 62.

Fixpoint read_bids (count : nat) (points : N) (lowest : N) (left : Z) (bytes : list N) : verdict (weights N * list N) :=
  match count with
  | O => Accepted ([], bytes)
  | S others =>
      let* (bid, bytes) := read_number 2 bytes in
      require legal points bid else Illegal_bid;
      require lowest <=? bid else Bids_fall;
      let* (weight, bytes) := match others with
        | O => Accepted (left, bytes)
        | S _ => let* (n, bytes) := read_number 8 bytes in Accepted (Z.of_N n, bytes)
        end in
      require (0 <? weight)%Z else Weight;
      let* (l, bytes) := read_bids others points (bid + 1) (left - weight) bytes in
      Accepted ((bid, weight) :: l, bytes)
  end.

Definition read_strategy (points : N) (bytes : list N) : verdict (weights N * list N) :=
  let* (count, bytes) := read_number 2 bytes in
  require 1 <=? count else No_bids;
  read_bids (N.to_nat count) points 0 whole bytes.

(** ** All positions *)

Definition from_to (first last : N) : list N := range first (N.to_nat (last + 1 - first)).
Definition balls (r : rules) : list Z := map (fun k => Z.of_N k - Z.of_N (field r))%Z (from_to 0 (2 * field r)).

(** The largest exponent for which no payoff exceeds 2^61 units of 2^-exponent: at most 121, since no denominator exceeds 2^60. *)
Fixpoint exponent_from (tries : nat) (e : N) (r : rules) : N :=
  match tries with
  | O => e
  | S tries =>
      if forallb (fun q => Z.abs (Qnum q) * 2 ^ Z.of_N (e + 1) <=? Zpos (Qden q) * 2 ^ 61)%Z (payoffs r)
      then exponent_from tries (e + 1) r else e
  end.
Definition exponent (r : rules) : N :=
  if forallb (fun q => Z.eqb (Qnum q) 0) (payoffs r) then 61 else exponent_from 121 0 r.
Definition unit (r : rules) : positive := Pos.shiftl 1 (exponent r).

Section Positions.
Variables (h : header) (e : worths).
Let r := the_rules h.

(** The table grows while the bytes become fewer. *)
Definition progress : Type := verdict (table * list N).

Definition read_position (s : progress) (p : position) : progress :=
  let '(At a b ball) := p in
  let* (m, bytes) := s in
  let both := (mirror_flag h && (b <=? most_a h) && (a <=? most_b h))%bool in
  if (both && ((a <? b) || ((a =? b) && (0 <? ball)%Z)))%bool then s
  else
    let* (la, bytes) := read_strategy a bytes in
    let* (lb, bytes) := read_strategy b bytes in
    Accepted (enter r e both m (p, (la, lb)), bytes).

Definition read_total (s : progress) (total : N) : progress :=
  fold_left (fun s a => fold_left (fun s ball => read_position s (At a (total - a) ball)) (balls r) s)
    (from_to (total - most_b h) (N.min total (most_a h))) s.

(** With all points spent the play is over: both bid 0. *)
Definition spent : table :=
  fold_left (fun m ball => enter r e false m (At 0 0 ball, ([(0, 1%Z)], [(0, 1%Z)]))) (balls r) Nothing.

Definition read_all (bytes : list N) : progress :=
  fold_left read_total (from_to 1 (most_a h + most_b h)) (Accepted (spent, bytes)).
End Positions.

Definition read_positions (h : header) : list N -> progress := read_all h (worths_of (unit (the_rules h)) (the_rules h)).

Record proof := { about : header; proved : table }.

Definition verify (bytes : list N) : verdict proof :=
  let* (h, bytes) := read_header bytes in
  let* (m, bytes) := read_positions h (rev_append (skipn 4 (rev_append bytes [])) []) in
  require match bytes with [] => true | _ => false end else Additional_bytes;
  Accepted {| about := h; proved := m |}.

(** The bounds of a position in units of 2^-exponent. *)
Definition bounds_at (x : proof) : position -> bounds :=
  look (worths_of (unit (the_rules (about x))) (the_rules (about x))) (proved x).
Definition unit_of (x : proof) : positive := unit (the_rules (about x)).

(** ** What is accepted is true *)

Section Truth.
Variables (F : ordered_field) (h : header).
Hypothesis symmetric : mirror_flag h = true -> mirrored (the_rules h) = the_rules h.
Notation true_table := (true_table F (the_rules h) (unit (the_rules h))).

Let e := worths_of (unit (the_rules h)) (the_rules h).
Definition true_progress (s : progress) : Prop := match s with Accepted (m, _) => true_table m | Refused _ => True end.

Lemma read_position_true s p : true_progress s -> true_progress (read_position h e s p).
Proof.
  destruct p as [a b ball]. unfold read_position. destruct s as [[m bytes]|]; auto. intros M.
  destruct (_ && _)%bool; auto. destruct (read_strategy a bytes) as [[la bytes1]|]; simpl; auto.
  destruct (read_strategy b bytes1) as [[lb bytes2]|]; simpl; auto. apply enter_true; auto.
  rewrite !andb_true_iff. tauto.
Qed.

Lemma fold_left_keeps {S T} (P : S -> Prop) (f : S -> T -> S) l :
  (forall s x, P s -> P (f s x)) -> forall s, P s -> P (fold_left f l s).
Proof. intros H. induction l; simpl; auto. Qed.

Lemma read_positions_true bytes : true_progress (read_positions h bytes).
Proof.
  unfold read_positions, read_all. apply (fold_left_keeps true_progress).
  - intros s total S. unfold read_total. apply (fold_left_keeps true_progress); auto. intros t a T.
    apply (fold_left_keeps true_progress); auto. intros u ball U. now apply read_position_true.
  - simpl. unfold spent. apply (fold_left_keeps true_table); [|apply empty_true]. intros m ball M. now apply enter_true.
Qed.
End Truth.

(** The unit is 2^-exponent. *)
Lemma unit_is_power r : Zpos (unit r) = (2 ^ Z.of_N (exponent r))%Z.
Proof.
  unfold unit, Pos.shiftl. destruct (exponent r) as [|e]; [reflexivity|]. now rewrite (Pos.iter_swap_gen _ _ Zpos xO (Z.mul 2)).
Qed.

(** The bounds of a certificate that is accepted are true. Its first 106 bytes are the header of the rules that they are about,
    whose numbers are in range, so that no other rules have these bytes ([header_bytes_injective]). *)
Theorem verify_sound F bytes x : verify bytes = Accepted x ->
  firstn 106 bytes = header_bytes (about x) /\ in_range (about x) /\
  Zpos (unit_of x) = (2 ^ Z.of_N (exponent (the_rules (about x))))%Z /\
  forall p lower upper, bounds_at x p = (lower, upper) ->
    A_secures F (tennis (the_rules (about x))) p (ratio (lower # unit_of x)) /\
    B_secures F (tennis (the_rules (about x))) p (ratio (upper # unit_of x)).
Proof.
  unfold verify. intros H. repeat requirement H. injection H as <-. apply read_header_spec in R as (I & R & S).
  split; [exact R|]. split; [exact I|]. split; [apply unit_is_power|].
  intros p lower upper E. assert (T := read_positions_true F h S (rev_append (skipn 4 (rev_append l [])) [])).
  rewrite R0 in T. apply (look_true F (the_rules h) (unit (the_rules h)) t p) in T.
  unfold bounds_at in E. cbn [about proved] in E. rewrite E in T. exact T.
Qed.
