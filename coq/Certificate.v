(** * Certificates: the bytes that docs/certificate.md describes

    [verify] reads them, complains of the first thing that is wrong, or returns the rules and the bounds of all positions. *)

From Coq Require Import ZArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Game Check Tennis Table.
Import ListNotations.
Local Open Scope N_scope.

Inductive complaint := Too_short | Letters | Version (n : N) | Checksum | Field | Motion | Mirror_flag | Points | Denominator
  | Lowest_terms | Too_large | Not_antisymmetric | Too_short_for_points | Ends_early | No_bids | Illegal_bid | Bids_fall
  | Weight | Additional_bytes | Not_bytes.

Inductive verdict (T : Type) := Accepted (x : T) | Refused (c : complaint).
Arguments Accepted {_}. Arguments Refused {_}.
Notation "'let*' x := e 'in' k" := (match e with Accepted x => k | Refused c => Refused c end)
  (x pattern, at level 200, k at level 200, right associativity).
Notation "'require' b 'else' c ; k" := (if b then k else Refused c)
  (at level 200, b at level 99, c at level 99, right associativity).

(** ** Numbers *)

Fixpoint read_number (size : nat) (bytes : list N) : verdict (N * list N) :=
  match size, bytes with
  | O, _ => Accepted (0, bytes)
  | S size, [] => Refused Ends_early
  | S size, byte :: bytes => let* (n, rest) := read_number size bytes in Accepted (byte + 256 * n, rest)
  end.

Fixpoint read_numbers (sizes : list nat) (bytes : list N) : verdict (list N * list N) :=
  match sizes with
  | [] => Accepted ([], bytes)
  | size :: sizes => let* (n, bytes) := read_number size bytes in
      let* (l, bytes) := read_numbers sizes bytes in Accepted (n :: l, bytes)
  end.

Fixpoint write_number (size : nat) (n : N) : list N :=
  match size with O => [] | S size => N.modulo n 256 :: write_number size (n / 256) end.

(** Two's complement. *)
Definition two_64 : Z := 2 ^ 64.
Definition signed (n : N) : Z := if n <? 2 ^ 63 then Z.of_N n else (Z.of_N n - two_64)%Z.
Definition unsigned (z : Z) : N := Z.to_N (z mod two_64).

Definition length_N {T} (l : list T) : N := fold_left (fun n _ => n + 1) l 0.

Fixpoint range (first : N) (count : nat) : list N :=
  match count with O => [] | S count => first :: range (first + 1) count end.

(** The checksum of zip and PNG. *)
Definition polynomial : N := 0xEDB88320.
Definition ones : N := 0xFFFFFFFF.
Definition crc32_bit (c : N) : N := if N.odd c then N.lxor (N.div2 c) polynomial else N.div2 c.
Definition crc32_table : map_to N :=
  fold_left (fun m n => add (N.succ_pos n) (N.iter 8 crc32_bit n) m) (range 0 256) Nothing.
Definition crc32_byte (c byte : N) : N :=
  match find (N.succ_pos (N.lxor (c mod 256) byte)) crc32_table with Some n => N.lxor n (c / 256) | None => 0 end.
Definition crc32 (bytes : list N) : N := N.lxor (fold_left crc32_byte bytes ones) ones.

(** ** The header *)

Record header := { the_rules : rules; mirror_flag : bool; most_a : N; most_b : N }.

Definition letters : list N := [84; 69; 78; 78; 73; 83; 80; 70].
Definition header_sizes : list nat := [4; 4; 1; 1; 4; 4; 8; 8; 8; 8; 8; 8; 8; 8; 8; 8]%nat.

Definition header_numbers (h : header) : list N :=
  let r := the_rules h in
  [1; field r; match motion r with Net => 0 | Step => 1 end; if mirror_flag h then 1 else 0; most_a h; most_b h]
  ++ flat_map (fun q => [unsigned (Qnum q); unsigned (Zpos (Qden q))]) (payoffs r).

(** The first 106 bytes of a certificate about this game. *)
Definition header_bytes (h : header) : list N :=
  letters ++ concat (map (fun x => write_number (fst x) (snd x)) (combine header_sizes (header_numbers h))).

Fixpoint same (l m : list N) : bool :=
  match l, m with [], [] => true | x :: l, y :: m => (x =? y) && same l m | _, _ => false end.

Definition same_fraction (p q : Q) : bool := ((Qnum p =? Qnum q)%Z && Pos.eqb (Qden p) (Qden q))%bool.
Definition antisymmetric (r : rules) : bool :=
  (same_fraction (- out_b r) (out_a r) && same_fraction (- stay_b r) (stay_a r) && same_fraction (- draw r) (draw r))%bool.

Fixpoint pairs {T} (l : list T) : list (T * T) := match l with x :: y :: l => (x, y) :: pairs l | _ => [] end.
Definition largest_number : Z := 2 ^ 60.

Definition decode_header (bytes : list N) : verdict (header * list N) :=
  require 110 <=? length_N bytes else Too_short;
  require same (firstn 8 bytes) letters else Letters;
  let* (numbers, rest) := read_numbers header_sizes (skipn 8 bytes) in
  match numbers with
  | version :: field :: motion :: flag :: a :: b :: payoffs =>
      require version =? 1 else Version version;
      let (checksum, content) := match rev_append bytes [] with
        | b3 :: b2 :: b1 :: b0 :: content => (b0 + 256 * (b1 + 256 * (b2 + 256 * b3)), rev_append content [])
        | _ => (0, [])
        end in
      require crc32 content =? checksum else Checksum;
      require (1 <=? field) && (field <=? 99) else Field;
      require motion <=? 1 else Motion;
      require flag <=? 1 else Mirror_flag;
      require (1 <=? a) && (a <=? 65535) && (1 <=? b) && (b <=? 65535) else Points;
      let terms := pairs (map signed payoffs) in
      require forallb (fun nd => 0 <? snd nd)%Z terms else Denominator;
      require forallb (fun nd => Z.gcd (fst nd) (snd nd) =? 1)%Z terms else Lowest_terms;
      require forallb (fun nd => (Z.abs (fst nd) <=? largest_number) && (snd nd <=? largest_number))%Z terms else Too_large;
      match map (fun nd => fst nd # Z.to_pos (snd nd)) terms with
      | [out_a; stay_a; draw; stay_b; out_b] =>
          let r := {| field := field; motion := if motion =? 0 then Net else Step;
            out_a := out_a; stay_a := stay_a; draw := draw; stay_b := stay_b; out_b := out_b |} in
          Accepted ({| the_rules := r; mirror_flag := flag =? 1; most_a := a; most_b := b |}, rest)
      | _ => Refused Not_bytes
      end
  | _ => Refused Not_bytes
  end.

(** Reads the header of a whole file; the rest begins with the strategies and ends with the checksum. The header is written
    once more to be certain that it says what was read. *)
Definition read_header (bytes : list N) : verdict (header * list N) :=
  let* (h, rest) := decode_header bytes in
  require negb (mirror_flag h) || antisymmetric (the_rules h) else Not_antisymmetric;
  let positions := ((most_a h + 1) * (most_b h + 1) - 1) * (2 * field (the_rules h) + 1) in
  require 8 * (positions / 2) <=? length_N bytes else Too_short_for_points;
  require same (firstn 106 bytes) (header_bytes h) else Not_bytes;
  Accepted (h, rest).

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

Ltac requirement H := match type of H with
  | (if ?b then _ else Refused _) = _ => let E := fresh "R" in destruct b eqn:E; [|discriminate H]
  | match ?e with Accepted _ => _ | Refused _ => _ end = _ =>
      let E := fresh "R" in destruct e as [[? ?]|] eqn:E; [|discriminate H]
  end.

Lemma same_eq l m : same l m = true -> l = m.
Proof.
  revert m. induction l as [|x l IH]; intros [|y m]; simpl; try easy. rewrite andb_true_iff, N.eqb_eq.
  intros [-> H]. f_equal. now apply IH.
Qed.

Lemma same_fraction_eq p q : same_fraction p q = true -> p = q.
Proof.
  unfold same_fraction. rewrite andb_true_iff, Z.eqb_eq, Pos.eqb_eq. destruct p, q; simpl. now intros [-> ->].
Qed.

Lemma antisymmetric_mirrored r : antisymmetric r = true -> mirrored r = r.
Proof.
  unfold antisymmetric. rewrite !andb_true_iff. intros [[A B] C]. apply same_fraction_eq in A, B, C.
  assert (T : forall q, (- - q)%Q = q) by (intros [n d]; unfold Qopp; simpl; now rewrite Z.opp_involutive).
  assert (A' : (- out_a r)%Q = out_b r) by (rewrite <- A; apply T).
  assert (B' : (- stay_a r)%Q = stay_b r) by (rewrite <- B; apply T).
  unfold mirrored. rewrite A, B, C, A', B'. now destruct r.
Qed.

Lemma read_header_spec bytes h rest : read_header bytes = Accepted (h, rest) ->
  firstn 106 bytes = header_bytes h /\ (mirror_flag h = true -> mirrored (the_rules h) = the_rules h).
Proof.
  unfold read_header. intros H. repeat requirement H. injection H as -> ->. split. now apply same_eq.
  intros M. apply antisymmetric_mirrored. now rewrite M in R0.
Qed.

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

(** The bounds of a certificate that is accepted are true, and its first 106 bytes tell the rules that they are about. *)
Theorem verify_sound F bytes x : verify bytes = Accepted x ->
  firstn 106 bytes = header_bytes (about x) /\
  forall p lower upper, bounds_at x p = (lower, upper) ->
    A_secures F (tennis (the_rules (about x))) p (ratio (lower # unit_of x)) /\
    B_secures F (tennis (the_rules (about x))) p (ratio (upper # unit_of x)).
Proof.
  unfold verify. intros H. repeat requirement H. injection H as <-. apply read_header_spec in R as [R S]. split; auto.
  intros p lower upper E. assert (T := read_positions_true F h S (rev_append (skipn 4 (rev_append l [])) [])).
  rewrite R0 in T. apply (look_true F (the_rules h) (unit (the_rules h)) t p) in T.
  unfold bounds_at in E. cbn [about proved] in E. rewrite E in T. exact T.
Qed.
