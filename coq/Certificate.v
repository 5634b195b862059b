(** * Certificates: the bytes that docs/certificate.md describes

    [verify] reads them, complains of the first thing that is wrong, or returns the rules and the bounds of all positions. *)

From Coq Require Import ZArith QArith List FinFun Bool Lia.
From PencilTennis Require Import Numbers Endless Game Symmetry Check Tennis ZeroBids Favoured Table Sums Columns Sides Header.
Import ListNotations.
Local Open Scope N_scope.

(** ** Strategies *)

Definition whole : Z := 2 ^ 62.

(** [read_number] of two and of eight bytes, without a pair for each of them. *)
Definition two_8 : N := 256.      (* named, so that the extracted program does not make it anew each time *)
Definition read_2 (bytes : list N) : verdict (N * list N) :=
  match bytes with c0 :: c1 :: bytes => Accepted (c0 + two_8 * c1, bytes) | _ => Refused Ends_early end.
Definition read_8 (bytes : list N) : verdict (N * list N) :=
  match bytes with
  | c0 :: c1 :: c2 :: c3 :: c4 :: c5 :: c6 :: c7 :: bytes =>
      Accepted (c0 + two_8 * (c1 + two_8 * (c2 + two_8 * (c3 + two_8 * (c4 + two_8 * (c5 + two_8 * (c6 + two_8 * c7)))))), bytes)
  | _ => Refused Ends_early
  end.

Fixpoint read_bids (zero : bool) (count : nat) (points : N) (lowest : N) (left : Z) (bytes : list N) : verdict (weights N * list N) :=
  match count with
  | O => Accepted ([], bytes)
  | S others =>
      let* (bid, bytes) := read_2 bytes in
      require legal_bid zero points bid else Illegal_bid;
      require lowest <=? bid else Bids_fall;
      let* (weight, bytes) := match others with
        | O => Accepted (left, bytes)
        | S _ => let* (n, bytes) := read_8 bytes in Accepted (Z.of_N n, bytes)
        end in
      require (0 <? weight)%Z else Weight;
      let* (l, bytes) := read_bids zero others points (bid + 1) (left - weight) bytes in
      Accepted ((bid, weight) :: l, bytes)
  end.

Definition read_strategy (zero : bool) (points : N) (bytes : list N) : verdict (weights N * list N) :=
  let* (count, bytes) := read_2 bytes in
  require 1 <=? count else No_bids;
  read_bids zero (N.to_nat count) points 0 whole bytes.

(** ** All positions *)

Definition from_to (first last : N) : list N := range first (N.to_nat (last + 1 - first)).
Definition balls (r : rules) : list Z := map (fun k => Z.of_N k - Z.of_N (field r))%Z (from_to 0 (2 * field r)).

(** The largest exponent for which no payoff exceeds 2^61 units of 2^-exponent: at most 121, since no denominator exceeds 2^60. *)
Fixpoint exponent_from (tries : nat) (e : N) (payoffs : list (Z * Z)) : N :=
  match tries with
  | O => e
  | S tries =>
      let payoffs := map (fun nd => (2 * fst nd, snd nd))%Z payoffs in
      if forallb (fun nd => fst nd <=? snd nd)%Z payoffs then exponent_from tries (e + 1) payoffs else e
  end.
Definition exponent (r : rules) : N :=
  if forallb (fun q => Z.eqb (Qnum q) 0) (payoffs r) then 61 else
    exponent_from 121 0 (map (fun q => (Z.abs (Qnum q), Zpos (Qden q) * 2 ^ 61))%Z (payoffs r)).
Definition unit (r : rules) : positive := Pos.shiftl 1 (exponent r).

(** A number of units of at most this fraction. *)
Definition floor_of (unit : positive) (q : Q) : Z := fst (rounded unit q).

Definition worths_to (unit : positive) (r : rules) : worths_to_A :=
  {| worth_up := floor_of unit (out_a r); worth_down := floor_of unit (out_b r) |}.

(** The bounds at the accounts [a] and [b] and a ball: a lower bound for A, and one for B in the
    mirrored game. *)
Definition place_of : Type := N * N * Z.
Definition pair_of_bounds : Type := place_of * (Z * Z).

(** A ball as each player sees it, and their payoffs of infinite plays. *)
Record court := { for_A : spot; for_B : spot; stays_A : Z; stays_B : Z }.

Section Positions.
Variable h : header.
Let r := the_rules h.
Let kind := the_variant h.
Variables (e_A e_B : worths_to_A) (courts : list court).

(** ** The positions of two accounts *)

Definition secured (v : variant) (e : worths_to_A) (sp : spot) (stays : Z) (columns : list column) (own other : N)
    (l : weights N) : option Z :=
  match v with
  | Zeros => secured_until_left v e sp stays columns own other l
  | _ => secured_once v e sp columns own other l
  end.

(** Bounds of positions that are in the file, and of the mirror images of these. *)
Definition found : Type := list pair_of_bounds * list pair_of_bounds.

Fixpoint read_balls (both : bool) (a b : N) (columns_A columns_B : list column) (courts : list court) (f : found) (bytes : list N) :
    verdict (found * list N) :=
  match courts with
  | [] => Accepted (f, bytes)
  | c :: courts =>
      let x := here (for_A c) in
      if (both && ((a <? b) || ((a =? b) && (0 <? x)%Z)))%bool then read_balls both a b columns_A columns_B courts f bytes
      else
        let* (la, bytes) := read_strategy (A_bids_0 kind) a bytes in
        let* (lb, bytes) := read_strategy (B_bids_0 kind) b bytes in
        require valid (A_bids_0 kind) a la && valid (B_bids_0 kind) b lb else Own_tables;
        match secured kind e_A (for_A c) (stays_A c) columns_A a b la,
          secured (exchanged kind) e_B (for_B c) (stays_B c) columns_B b a lb with
        | Some v, Some w =>
            let (direct, images) := f in
            let images := if (both && negb ((a =? b) && (x =? 0)%Z))%bool then ((b, a, - x)%Z, (w, v)) :: images else images in
            read_balls both a b columns_A columns_B courts (((a, b, x), (v, w)) :: direct, images) bytes
        | _, _ => Refused Own_tables
        end
  end.

(** All positions with [total] points. A's columns rise from the accounts that are to come on, and fall below them; those
    of B fall. *)
Fixpoint sweep (total : N) (to_come below columns_B : list column) (f : found) (bytes : list N) : verdict (found * list N) :=
  match to_come with
  | [] => Accepted (f, bytes)
  | c :: to_come =>
      let a := own c in
      let b := total - a in
      require negb ((a =? 0) && (b =? 0)) else Own_tables;
      let both := (mirror_flag h && (b <=? most_a h) && (a <=? most_b h))%bool in
      let* (f, bytes) := read_balls both a b (c :: below) columns_B courts f bytes in
      sweep total to_come (c :: below) (tl columns_B) f bytes
  end.

(** ** The columns grow *)

Definition before (p q : place_of) : bool :=
  let '(a, _, x) := p in let '(a', _, x') := q in (if a <? a' then true else same_N a a' && (x <? x')%Z)%bool.
Fixpoint merge (l : list pair_of_bounds) : list pair_of_bounds -> list pair_of_bounds :=
  match l with
  | [] => fun m => m
  | y :: l' => fix with_l (m : list pair_of_bounds) := match m with
      | [] => l
      | z :: m' => if before (fst y) (fst z) then y :: merge l' m else z :: with_l m'
      end
  end.

Definition to_A (y : pair_of_bounds) : place_of * Z :=
  let '((a, b, x), (v, _)) := y in ((a, b, x), carried kind e_A a b v).
Definition to_B (y : pair_of_bounds) : place_of * Z :=
  let '((a, b, x), (_, w)) := y in ((b, a, - x)%Z, carried (exchanged kind) e_B b a w).

Fixpoint push_lines (own : N) (lines : list line) (l : list (place_of * Z)) : option (list line * list (place_of * Z)) :=
  match lines, l with
  | [], _ => Some ([], l)
  | ln :: lines, ((a, b, x), v) :: l =>
      if (same_N a own && same_N b (height (values ln)) && (x =? ball ln)%Z)%bool then
        given (lines, l) := push_lines own lines l in
        Some (push v ln :: lines, l)
      else None
  | _ :: _, [] => None
  end.
Fixpoint push_columns (columns : list column) (l : list (place_of * Z)) (below : list column) : option (list column) :=
  match columns with
  | [] => match l with [] => Some below | _ :: _ => None end
  | c :: columns =>
      given (lines, l) := push_lines (own c) (lines c) l in
      push_columns columns l ({| own := own c; lines := lines |} :: below)
  end.

(** The columns of at least [least] points by rising points, and the others. *)
Fixpoint split (least : N) (columns above : list column) : list column * list column :=
  match columns with
  | [] => (above, [])
  | c :: rest => if least <=? own c then split least rest (c :: above) else (above, columns)
  end.

Definition empty_column (courts : list court) (side : court -> spot) (points : N) : column :=
  {| own := points; lines := map (fun c => empty_line (here (side c))) courts |}.
Definition extended (courts : list court) (side : court -> spot) (most total : N) (columns : list column) : list column :=
  if total <=? most then empty_column courts side total :: columns else columns.

(** ** All positions *)

Record progress := { columns_A : list column; columns_B : list column; gathered : list (position * bounds); unread : list N }.

Definition entry_of (y : pair_of_bounds) : position * bounds := let '((a, b, x), (v, w)) := y in (At a b x, (v, - w)%Z).

(** Courts as B sees them: the other way round. *)
Definition read_total (s : verdict progress) (total : N) : verdict progress :=
  match s with
  | Refused c => Refused c
  | Accepted s =>
      let (to_come, below) := split (total - most_b h) (extended courts for_A (most_a h) total (columns_A s)) [] in
      let all_B := extended (rev courts) for_B (most_b h) total (columns_B s) in
      let* (f, bytes) := sweep total to_come below all_B ([], []) (unread s) in
      let layer := merge (rev_append (fst f) []) (snd f) in
      let (to_come_B, below_B) := split (total - most_a h) all_B [] in
      match push_columns to_come (map (to_A) layer) below,
        push_columns to_come_B (rev_append (map (to_B) layer) []) below_B with
      | Some l, Some m =>
          Accepted {| columns_A := l; columns_B := m; gathered := rev_append (map entry_of layer) (gathered s); unread := bytes |}
      | _, _ => Refused Own_tables
      end
  end.

(** With all points spent the play is over. *)
Definition spent_column (courts : list court) (side : court -> spot) (stays : court -> Z) : column :=
  {| own := 0; lines := map (fun c => push (stays c) (empty_line (here (side c)))) courts |}.
Definition spent (bytes : list N) : progress :=
  {| columns_A := [spent_column courts for_A stays_A]; columns_B := [spent_column (rev courts) for_B stays_B];
     gathered := rev_append (map (fun c => (At 0 0 (here (for_A c)), (stays_A c, - stays_B c)%Z)) courts) []; unread := bytes |}.

Definition read_all (bytes : list N) : verdict progress :=
  fold_left read_total (from_to 1 (most_a h + most_b h)) (Accepted (spent bytes)).
End Positions.

Definition court_of (unit : positive) (r : rules) (x : Z) : court :=
  {| for_A := spot_of r x; for_B := spot_of (mirrored r) (- x);
     stays_A := floor_of unit (payoff r (stay x)); stays_B := floor_of unit (payoff (mirrored r) (stay (- x))) |}.

Definition read_positions (h : header) (bytes : list N) : verdict progress :=
  let r := the_rules h in
  let u := unit r in
  read_all h (worths_to u r) (worths_to u (mirrored r)) (map (court_of u r) (balls r)) bytes.

(** All positions of a certificate, in the order of the file. *)
Definition positions_of (h : header) : list position :=
  flat_map (fun total => flat_map (fun a => map (At a (total - a)) (balls (the_rules h)))
    (from_to (total - most_b h) (N.min total (most_a h)))) (from_to 0 (most_a h + most_b h)).

(** ** The strategies in a file

    They follow the header, A's and B's of each position. If both mirror images are within the
    points, then one of them is left out. *)

Definition both_images (h : header) (a b : N) : bool :=
  (mirror_flag h && (b <=? most_a h) && (a <=? most_b h))%bool.
Definition in_file (h : header) (p : position) : bool :=
  let '(At a b x) := p in
  (negb ((a =? 0) && (b =? 0)) &&
   negb (both_images h a b && ((a <? b) || ((a =? b) && (0 <? x)%Z))))%bool.

Definition strategies : Type := list entry.

Fixpoint read_each (v : variant) (l : list position) (bytes : list N) :
    verdict (strategies * list N) :=
  match l with
  | [] => Accepted ([], bytes)
  | At a b x :: l =>
      let* (la, bytes) := read_strategy (A_bids_0 v) a bytes in
      let* (lb, bytes) := read_strategy (B_bids_0 v) b bytes in
      let* (m, bytes) := read_each v l bytes in
      Accepted ((At a b x, (la, lb)) :: m, bytes)
  end.

(** The strategies of a file without its checksum. *)
Definition strategies_in (h : header) (content : list N) : strategies :=
  match read_each (the_variant h) (filter (in_file h) (positions_of h)) (skipn 106 content) with
  | Accepted (m, _) => m
  | Refused _ => []
  end.

Definition same_position (p q : position) : bool :=
  let '(At a b x) := p in let '(At a' b' x') := q in (same_N a a' && same_N b b' && (x =? x')%Z)%bool.
Fixpoint these_positions (l : list (position * bounds)) (m : list position) : bool :=
  match l, m with
  | [], [] => true
  | (p, _) :: l, q :: m => if same_position p q then these_positions l m else false
  | _, _ => false
  end.

Fixpoint found_at {T} (l : list (position * T)) (p : position) : option T :=
  match l with [] => None | (q, y) :: l => if same_position p q then Some y else found_at l p end.

(** The bounds of all positions, in units of 2^-exponent. *)
Record proof := { about : header; proved : list (position * bounds) }.

(** [content] is the file without its last four bytes, the checksum, and [fits] says whether that fits. The theorem holds
    in either case. *)
Definition verify_content (fits : bool) (content : list N) : verdict proof :=
  let* (h, bytes) := read_header fits content in
  match read_positions h bytes with
  | Refused c => Refused c
  | Accepted s =>
      require match unread s with [] => true | _ => false end else Additional_bytes;
      let table := rev_append (gathered s) [] in
      require these_positions table (positions_of h) else Own_tables;
      Accepted {| about := h; proved := table |}
  end.
Definition verify_with (crc : list N -> N) (bytes : list N) : verdict proof :=
  let (checksum, content) := checksum_and_content bytes in verify_content (crc content =? checksum) content.
Definition verify : list N -> verdict proof := verify_with crc32.

Definition unit_of (x : proof) : positive := unit (the_rules (about x)).

(** ** How the players use the strategies

    A position that is left out is played as its mirror image, with the players exchanged; without
    points there is one bid. Where a position is its own mirror image, the file has two strategies
    for one situation. Both players use the one with the better bound, and their own if the bounds
    are equal. *)

Section Play.
Variables (x : proof) (m : strategies).

(** Above 0 if A's strategy has the better bound, below 0 if B's has. *)
Definition balance (p : position) : Z :=
  if (mirror_flag (about x) && same_position p (mirror p))%bool then
    match found_at (proved x) p with Some (lower, upper) => (lower + upper)%Z | None => 0%Z end
  else 0%Z.

Definition weights_A (p : position) : weights N :=
  match found_at m p with
  | Some (la, lb) => if (balance p <? 0)%Z then lb else la
  | None => match found_at m (mirror p) with Some (_, lb) => lb | None => [(0, whole)] end
  end.
Definition weights_B (p : position) : weights N :=
  match found_at m p with
  | Some (la, lb) => if (0 <? balance p)%Z then la else lb
  | None => match found_at m (mirror p) with Some (la, _) => la | None => [(0, whole)] end
  end.
End Play.

(** ** Accepted bounds are true *)

Lemma fold_left_keeps {S T} (P : S -> Prop) (f : S -> T -> S) l :
  (forall s x, P s -> P (f s x)) -> forall s, P s -> P (fold_left f l s).
Proof. intros H. induction l; simpl; auto. Qed.

Lemma floor_true unit q : (floor_of unit q # unit <= q)%Q.
Proof. apply rounded_true. Qed.

Lemma from_to_bound first last n : In n (from_to first last) -> (first <= n <= last)%N.
Proof.
  unfold from_to. intros H. enough (K : (first <= n < first +
    N.of_nat (N.to_nat (last + 1 - first)))%N) by lia.
  revert H. generalize (N.to_nat (last + 1 - first)). intros count. revert first.
  induction count as [|count IH]; intros first H; [easy|]. simpl in H. destruct H as [->|H]. lia.
  apply IH in H. lia.
Qed.

(** What is known of each position in the file: its strategies, and their security levels for their
    player. *)
Definition reading : Type := place_of * (weights N * weights N) * (Z * Z).
Definition key (y : reading) : position := let '((a, b, x), _, _) := y in At a b x.
Definition strategies_of (y : reading) : entry := let '(_, l, _) := y in (key y, l).
Definition levels_of (y : reading) : pair_of_bounds := let '(p, _, v) := y in (p, v).
Definition row_of (y : reading) : position * bounds :=
  let '(_, _, (v, w)) := y in (key y, (v, - w)%Z).

(** The weights by which both players play. *)
Record players := { of_A : position -> weights N; of_B : position -> weights N }.

(** A's side and B's side of one proof: B is A in the mirrored game. With the mirror flag that is
    the same game. *)
Section Truth.
Variables (F : ordered_field) (h : header).
Hypothesis symmetric : mirror_flag h = true ->
  mirrored (the_rules h) = the_rules h /\ exchanged (the_variant h) = the_variant h.
Let r := the_rules h.
Let u := unit r.
Let kind := the_variant h.
Let kind' := exchanged kind.
Let e_A := worths_to u r.
Let e_B := worths_to u (mirrored r).

Section Players.
Variable W : players.
Definition as_B (p : position) : weights N := of_B W (mirror p).

(** Of both sides' weights, if they are those of one game; of columns, and of positions. *)
Definition has_A a b x v : Prop := has F u kind r (most_a h) (most_b h) (of_A W) a b x v /\
  (mirror_flag h = true -> has F u kind r (most_b h) (most_a h) as_B a b x v).
Definition has_B a b x v : Prop := has F u kind' (mirrored r) (most_b h) (most_a h) as_B a b x v /\
  (mirror_flag h = true -> has F u kind' (mirrored r) (most_a h) (most_b h) (of_A W) a b x v).
Definition holds_A a b x v : Prop := holds F u kind r (most_a h) (most_b h) (of_A W) a b x v /\
  (mirror_flag h = true -> holds F u kind r (most_b h) (most_a h) as_B a b x v).
Definition holds_B a b x v : Prop := holds F u kind' (mirrored r) (most_b h) (most_a h) as_B a b x v /\
  (mirror_flag h = true -> holds F u kind' (mirrored r) (most_a h) (most_b h) (of_A W) a b x v).

Definition valid_players : Prop :=
  (forall a b x, inside r (most_a h) (most_b h) (At a b x) ->
    valid (A_bids_0 kind) a (of_A W (At a b x)) = true) /\
  (forall a b x, inside r (most_b h) (most_a h) (At a b x) ->
    valid (B_bids_0 kind) a (as_B (At a b x)) = true).

(** The players use the strategies of the file, those of a mirror image with the players exchanged,
    and the better one of two. *)
Definition agrees (y : reading) : Prop :=
  let '((a, b, x), (la, lb), (v, w)) := y in let p := At a b x in
  if (mirror_flag h && (a =? b) && (x =? 0)%Z)%bool then
    (of_A W p = la /\ (w <= v)%Z \/ of_A W p = lb /\ (v <= w)%Z) /\
    (of_B W p = lb /\ (v <= w)%Z \/ of_B W p = la /\ (w <= v)%Z)
  else
    of_A W p = la /\ of_B W p = lb /\
    (both_images h a b = true -> of_A W (mirror p) = lb /\ of_B W (mirror p) = la).

Definition true_pair (y : pair_of_bounds) : Prop :=
  let '((a, b, x), (v, w)) := y in (Z.abs x <= Z.of_N (field r))%Z /\ is_spent (At a b x) = false /\
    holds_A a b x v /\ holds_B b a (- x)%Z w.
Definition true_found (f : found) : Prop := Forall true_pair (fst f) /\ Forall true_pair (snd f).
End Players.

Definition true_court (c : court) : Prop := exists x, (Z.abs x <= Z.of_N (field r))%Z /\
  c = court_of u r x.

Lemma same_sides W a b x v : mirror_flag h = true -> holds_A W a b x v <-> holds_B W a b x v.
Proof.
  intros M. unfold holds_A, holds_B, kind', kind. unfold r at 3 4. destruct (symmetric M) as [R V]. rewrite R, V. fold r. tauto.
Qed.

Lemma true_column_impl (P Q : N -> N -> Z -> Z -> Prop) c : (forall a b x v, P a b x v ->
  Q a b x v) ->
  true_column P c -> true_column Q c.
Proof.
  intros H. apply Forall_impl. intros ln [T D]. split; auto. 
Qed.

(** Computed numbers are security levels of weights that are played. *)
Lemma secured_holds k s a_most b_most W e a b x stays columns l v :
  (forall a b x, inside s a_most b_most (At a b x) -> valid (A_bids_0 k) a (W (At a b x)) = true) ->
  e = worths_to u s -> (Z.abs x <= Z.of_N (field s))%Z -> (a <= a_most -> b <= b_most ->
    W (At a b x) = l) ->
  Forall (true_column (has F u k s a_most b_most W)) columns ->
    (stays # u <= payoff s (stay x))%Q ->
  valid (A_bids_0 k) a l = true -> secured k e (spot_of s x) stays columns a b l = Some v ->
  is_spent (At a b x) = false -> holds F u k s a_most b_most W a b x v.
Proof.
  intros VW -> X L C S V H N A B. unfold secured in H. specialize (L A B).
  assert (P : inside s a_most b_most (At a b x)) by (unfold inside; auto).
  destruct k as [| |w].
  - eapply once_secured with (e := worths_to u s); eauto; try apply floor_true. discriminate.
  - eapply endless_secured with (e := worths_to u s); eauto; apply floor_true.
  - eapply once_secured with (e := worths_to u s); eauto; try apply floor_true. discriminate.
Qed.

Lemma mirror_At a b x : mirror (At b a (- x)) = At a b x.
Proof. simpl. now rewrite Z.opp_involutive. Qed.

(** With the mirror flag all weights are valid for both sides. *)
Lemma valid_both W : valid_players W -> mirror_flag h = true ->
  (forall a b x, inside r (most_b h) (most_a h) (At a b x) -> valid (A_bids_0 kind) a (as_B W (At a b x)) = true) /\
  (forall a b x, inside r (most_a h) (most_b h) (At a b x) -> valid (A_bids_0 kind') a (of_A W (At a b x)) = true).
Proof.
  intros [VA VB] Q. split; intros a b x I.
  - apply VB in I. unfold B_bids_0, kind in I. now rewrite (proj2 (symmetric Q)) in I.
  - apply VA in I. unfold kind', kind. now rewrite (proj2 (symmetric Q)).
Qed.

Lemma reading_true W a b x l m la lb v w : valid_players W -> is_spent (At a b x) = false ->
  (Z.abs x <= Z.of_N (field r))%Z -> Forall (true_column (has_A W)) l ->
    Forall (true_column (has_B W)) m ->
  valid (A_bids_0 kind) a la = true -> valid (B_bids_0 kind) b lb = true ->
  secured kind e_A (spot_of r x) (floor_of u (payoff r (stay x))) l a b la = Some v ->
  secured kind' e_B (spot_of (mirrored r) (- x)) (floor_of u (payoff (mirrored r) (stay (- x)))) m b a
    lb = Some w ->
  agrees W ((a, b, x), (la, lb), (v, w)) -> holds_A W a b x v /\ holds_B W b a (- x)%Z w.
Proof.
  intros V N X L M La Lb SA SB G. pose proof (valid_both W V) as Both. destruct V as [VA VB].
  assert (N' : is_spent (At b a (- x)) = false) by (unfold is_spent in *; now rewrite andb_comm).
  (* Of all weights that agree. *)
  assert (KA : forall a_most b_most P, (forall c, true_column (has_A W) c ->
    true_column (has F u kind r a_most b_most P) c) ->
    (forall a b x, inside r a_most b_most (At a b x) -> valid (A_bids_0 kind) a (P (At a b x)) = true) ->
    (a <= a_most -> b <= b_most -> P (At a b x) = la) -> holds F u kind r a_most b_most P a b x v).
  { intros a_most b_most P C V E.
    apply (secured_holds kind r a_most b_most P e_A a b x (floor_of u (payoff r (stay x))) l la v); auto.
    - eapply Forall_impl; eauto.
    - apply floor_true. }
  assert (KB : forall a_most b_most P, (forall c, true_column (has_B W) c ->
    true_column (has F u kind' (mirrored r) a_most b_most P) c) ->
    (forall a b x, inside r a_most b_most (At a b x) -> valid (A_bids_0 kind') a (P (At a b x)) = true) ->
    (b <= a_most -> a <= b_most -> P (At b a (- x)%Z) = lb) ->
      holds F u kind' (mirrored r) a_most b_most P b a (- x)%Z w).
  { intros a_most b_most P C V E.
    apply (secured_holds kind' (mirrored r) a_most b_most P e_B b a (- x)
      (floor_of u (payoff (mirrored r) (stay (- x)))) m lb w); auto.
    - cbn [field mirrored]. lia.
    - eapply Forall_impl; eauto.
    - apply floor_true. }
  assert (A1 : forall c, true_column (has_A W) c ->
    true_column (has F u kind r (most_a h) (most_b h) (of_A W)) c)
    by (intros c; apply true_column_impl; now intros a' b' x' v' [H _]).
  assert (B1 : forall c, true_column (has_B W) c ->
    true_column (has F u kind' (mirrored r) (most_b h) (most_a h) (as_B W)) c)
    by (intros c; apply true_column_impl; now intros a' b' x' v' [H _]).
  assert (A2 : mirror_flag h = true -> forall c, true_column (has_A W) c ->
    true_column (has F u kind r (most_b h) (most_a h) (as_B W)) c)
    by (intros Q c; apply true_column_impl; intros a' b' x' v' H; now apply H).
  assert (B2 : mirror_flag h = true -> forall c, true_column (has_B W) c ->
    true_column (has F u kind' (mirrored r) (most_a h) (most_b h) (of_A W)) c)
    by (intros Q c; apply true_column_impl; intros a' b' x' v' H; now apply H).
  unfold agrees in G. destruct (mirror_flag h && (a =? b) && (x =? 0)%Z)%bool eqn:Self.
  - rewrite !andb_true_iff, N.eqb_eq, Z.eqb_eq in Self. destruct Self as [[Q <-] ->].
    destruct G as [GA GB].
    rewrite Q in *. specialize (A2 eq_refl). specialize (B2 eq_refl).
    destruct (symmetric eq_refl) as [R K]. fold r in R. fold kind kind' in K.
    unfold B_bids_0 in VB, Lb. fold kind' in VB, Lb. unfold holds_A, holds_B. rewrite R, K in *.
    change (- 0)%Z with 0%Z in *.
    assert (EB : as_B W (At a a 0) = of_B W (At a a 0)) by reflexivity.
    (* A player's weights are those of the better level. *)
    assert (All : forall a_most b_most P,
      (forall c, true_column (has_A W) c -> true_column (has F u kind r a_most b_most P) c) ->
      (forall c, true_column (has_B W) c -> true_column (has F u kind r a_most b_most P) c) ->
      (forall a b x, inside r a_most b_most (At a b x) -> valid (A_bids_0 kind) a (P (At a b x)) = true) ->
      (P (At a a 0%Z) = la /\ (w <= v)%Z \/ P (At a a 0%Z) = lb /\ (v <= w)%Z) ->
      holds F u kind r a_most b_most P a a 0 v /\ holds F u kind r a_most b_most P a a 0 w).
    { intros a_most b_most P CA CB V [[E Le]|[E Le]].
      - assert (H : holds F u kind r a_most b_most P a a 0 v) by (apply KA; auto). split; auto.
        intros A B. apply (A_has_less F u kind r P (At a a 0) v w Le). now apply H.
      - assert (H : holds F u kind r a_most b_most P a a 0 w) by (apply KB; auto). split; auto.
        intros A B. apply (A_has_less F u kind r P (At a a 0) w v Le). now apply H. }
    destruct (All _ _ (of_A W) A1 (B2) VA GA) as [A3 A4].
    destruct (All _ _ (as_B W) A2 B1 VB) as [B3 B4]. { rewrite EB. tauto. }
    repeat split; auto.
  - destruct G as (EA & EB & G). split; split.
    + apply KA; auto.
    + intros Q. apply KA; auto. { now apply Both. }
      intros A B. apply G. unfold both_images. rewrite Q, !(proj2 (N.leb_le _ _)); auto.
    + apply KB; auto. intros _ _. unfold as_B. now rewrite mirror_At.
    + intros Q. apply KB; auto. { now apply Both. }
      intros A B. apply G. unfold both_images. rewrite Q, !(proj2 (N.leb_le _ _)); auto.
Qed.

(** ** What was read *)

Lemma read_each_app l1 l2 bytes m1 rest1 m2 rest2 : read_each kind l1 bytes =
  Accepted (m1, rest1) ->
  read_each kind l2 rest1 = Accepted (m2, rest2) -> read_each kind (l1 ++ l2) bytes =
    Accepted (m1 ++ m2, rest2).
Proof.
  revert bytes m1. induction l1 as [|[a b x] l1 IH]; cbn [read_each app]; intros bytes m1 E1 E2.
  now injection E1 as <- <-.
  destruct (read_strategy (A_bids_0 kind) a bytes) as [[la bytes1]|]; [|discriminate].
  destruct (read_strategy (B_bids_0 kind) b bytes1) as [[lb bytes2]|]; [|discriminate].
  destruct (read_each kind l1 bytes2) as [[m rest]|] eqn:E; [|discriminate]. injection E1 as <- ->.
  rewrite (IH bytes2 m E E2). reflexivity.
Qed.

Definition valid_reading (y : reading) : Prop :=
  let '((a, b, _), (la, lb), _) := y in valid (A_bids_0 kind) a la = true /\ valid (B_bids_0 kind) b lb = true.
Definition good_reading (y : reading) : Prop := in_file h (key y) = true /\ valid_reading y.

(** An image is of a position in the file. *)
Definition image_of (l : list pair_of_bounds) (y : pair_of_bounds) : Prop :=
  exists a b x v, In ((a, b, x), v) l /\
  fst y = (b, a, (- x)%Z) /\ both_images h a b = true /\ in_file h (At a b x) = true /\
    (a = b -> x = 0%Z -> False).

Lemma image_more l m y : image_of l y -> image_of (m ++ l) y.
Proof.
  intros (a & b & x & v & I & E). exists a, b, x, v. split; auto. apply in_or_app. now right.
Qed.

Definition read_well (f : found) (bytes : list N) (f' : found) (rest : list N) (truth : players ->
  Prop) : Prop :=
  exists g, read_each kind (map key g) bytes = Accepted (map strategies_of g, rest) /\
    Forall good_reading g /\
    fst f' = rev (map levels_of g) ++ fst f /\
    (Forall (image_of (fst f)) (snd f) -> Forall (image_of (fst f')) (snd f')) /\
    forall W, valid_players W -> Forall (agrees W) g -> truth W -> true_found W f ->
      true_found W f'.

Lemma read_well_nothing f bytes truth : read_well f bytes f bytes truth.
Proof. exists []. repeat split; auto; try now destruct H2. Qed.

Lemma read_well_then f bytes f1 bytes1 f2 bytes2 (truth1 truth2 : players -> Prop) :
  read_well f bytes f1 bytes1 truth1 ->
  read_well f1 bytes1 f2 bytes2 truth2 -> read_well f bytes f2 bytes2 (fun W => truth1 W /\
    truth2 W).
Proof.
  intros (g1 & R1 & G1 & D1 & I1 & T1) (g2 & R2 & G2 & D2 & I2 & T2). exists (g1 ++ g2).
  rewrite !map_app. split.
  { now apply read_each_app with bytes1. } split. { now apply Forall_app. } split.
  { now rewrite D2, D1, rev_app_distr, app_assoc. } split; auto.
  intros W V G [H1 H2] T. apply Forall_app in G as [GA GB]. auto.
Qed.

Lemma read_well_truth f bytes f' rest (truth truth' : players -> Prop) : (forall W, truth' W ->
  truth W) ->
  read_well f bytes f' rest truth -> read_well f bytes f' rest truth'.
Proof. intros H (g & R & G & D & I & T). exists g. repeat split; auto; now apply T; auto. Qed.

Definition columns_true l m (W : players) : Prop := Forall (true_column (has_A W)) l /\
  Forall (true_column (has_B W)) m.

Lemma read_balls_well a b l m courts : ((a =? 0) && (b =? 0))%bool = false ->
  Forall true_court courts ->
  forall f bytes f' rest, read_balls h e_A e_B (both_images h a b) a b l m courts f bytes =
    Accepted (f', rest) ->
  read_well f bytes f' rest (columns_true l m).
Proof.
  intros N C. induction C as [|c courts (x & X & ->) C IH]; cbn [read_balls];
    intros f bytes f' rest.
  { intros [= <- <-]. apply read_well_nothing. }
  cbn [court_of for_A for_B stays_A stays_B here spot_of].
  destruct (both_images h a b && _)%bool eqn:Out; [now apply IH|].
  destruct (read_strategy (A_bids_0 (the_variant h)) a bytes) as [[la bytes1]|] eqn:RA; [|discriminate].
  destruct (read_strategy (B_bids_0 (the_variant h)) b bytes1) as [[lb bytes2]|] eqn:RB; [|discriminate].
  destruct (valid (A_bids_0 (the_variant h)) a la && valid (B_bids_0 (the_variant h)) b lb)%bool eqn:V; [|discriminate].
  apply andb_true_iff in V as [VA VB].
  destruct (secured _ e_A _ _ l a b la) as [v|] eqn:SA; [|discriminate].
  destruct (secured _ e_B _ _ m b a lb) as [w|] eqn:SB; [|discriminate].
  destruct f as [direct images]. intros H. apply IH in H. clear IH.
  set (images' := if (both_images h a b && negb ((a =? b) && (x =? 0)%Z))%bool then
    ((b, a, (- x)%Z), (w, v)) :: images else images) in H.
  apply read_well_truth with (fun W => columns_true l m W /\ columns_true l m W); [tauto|].
  refine (read_well_then _ _ _ _ _ _ _ _ _ H).
  assert (F0 : in_file h (At a b x) = true) by (unfold in_file; now rewrite N, Out).
  exists [((a, b, x), (la, lb), (v, w))]. cbn [map key strategies_of levels_of rev app fst snd
    read_each].
  unfold kind. rewrite RA, RB. split; [reflexivity|]. split; [repeat constructor; auto|].
  split; [reflexivity|]. split.
  - intros I. assert (I' : Forall (image_of (((a, b, x), (v, w)) :: direct)) images).
    { eapply Forall_impl; [|exact I]. intros y. apply (image_more direct [_]). }
    unfold images'. destruct (both_images h a b && negb ((a =? b) && (x =? 0)%Z))%bool eqn:E; auto.
    constructor; auto.
    apply andb_true_iff in E as [E S]. exists a, b, x, (v, w). split; [now left|]. repeat split;
      auto.
    intros -> ->. now rewrite N.eqb_refl in S.
  - intros W VW G [L M] [T1 T2]. inversion_clear G as [|? ? G' _].
    destruct (reading_true W a b x l m la lb v w) as [HA HB]; auto. split; cbn [fst snd].
    + constructor; auto. unfold true_pair. auto.
    + unfold images'. destruct (both_images h a b && negb ((a =? b) && (x =? 0)%Z))%bool eqn:E;
        auto. constructor; auto. apply andb_true_iff in E as [E _].
      assert (Q : mirror_flag h = true) by (unfold both_images in E;
        now rewrite !andb_true_iff in E).
      unfold true_pair. rewrite Z.opp_involutive. split; [lia|]. split; [unfold is_spent; now rewrite andb_comm|].
      split; now apply (same_sides W).
Qed.

Lemma sweep_well total to_come courts : Forall true_court courts -> forall below m f bytes f' rest,
  sweep h e_A e_B courts total to_come below m f bytes = Accepted (f', rest) ->
  read_well f bytes f' rest (fun W => columns_true to_come m W /\ columns_true below m W).
Proof.
  intros C. induction to_come as [|c to_come IH]; cbn [sweep]; intros below m f bytes f' rest H.
  { injection H as <- <-. apply read_well_nothing. }
  destruct (negb _) eqn:N; [|discriminate]. apply negb_true_iff in N.
  destruct (read_balls _ _ _ _ _ _ _ _ _ _ _) as [[f1 bytes1]|] eqn:R; [|discriminate].
  apply read_balls_well in R; auto. apply IH in H. eapply read_well_truth;
    [|exact (read_well_then _ _ _ _ _ _ _ _ R H)].
  intros W ((A & B) & (L & _)). inversion_clear A as [|? ? Tc A']. unfold columns_true.
  assert (Forall (true_column (has_B W)) (tl m)) by (destruct B; simpl; auto). repeat split; auto.
Qed.

Lemma merge_all (P : pair_of_bounds -> Prop) l : forall m, Forall P l -> Forall P m ->
  Forall P (merge l m).
Proof.
  induction l as [|y l IH]; intros m L M; [exact M|]. inversion_clear L as [|? ? Y L']. induction M as [|z m Z M IHm]; simpl.
  - now constructor.
  - destruct (before (fst y) (fst z)); constructor; auto.
Qed.

Lemma merge_in y l : forall m, In y (merge l m) <-> In y l \/ In y m.
Proof.
  induction l as [|z l IH]; intros m. simpl; tauto. induction m as [|z' m IHm]; simpl. tauto.
  destruct (before (fst z) (fst z')); simpl; [rewrite IH; simpl|rewrite IHm; simpl]; tauto.
Qed.

Lemma merge_filter (f : pair_of_bounds -> bool) l : forall m, (forall y, In y l -> f y = true) ->
  (forall y, In y m -> f y = false) ->
  filter f (merge l m) = l.
Proof.
  assert (Nothing : forall m, (forall y, In y m -> f y = false) -> filter f m = []).
  { induction m as [|z m IHm]; simpl; intros M; auto. rewrite (M z (or_introl eq_refl)). auto. }
  induction l as [|y l IH]; intros m L M. { simpl. auto. }
  assert (All : filter f l = l). { specialize (IH [] (fun z I => L z (or_intror I)) (fun z I =>
    match I with end)). now destruct l. }
  induction m as [|z m IHm]; simpl.
  - now rewrite (L y (or_introl eq_refl)), All.
  - destruct (before (fst y) (fst z)); simpl.
    + rewrite (L y (or_introl eq_refl)), IH; auto. intros. apply L. now right.
    + rewrite (M z (or_introl eq_refl)). apply IHm. intros. apply M. now right.
Qed.

Section Push.
Variable P : N -> N -> Z -> Z -> Prop.
Definition true_place (y : place_of * Z) : Prop := let '((a, b, x), v) := y in P a b x v.

Lemma push_lines_true own lines : forall l lines' l', Forall (true_line P own) lines -> Forall true_place l ->
  push_lines own lines l = Some (lines', l') -> Forall (true_line P own) lines' /\ Forall true_place l'.
Proof.
  induction lines as [|ln lines IH]; cbn [push_lines]; intros l lines' l' T L. intros [= <- <-]. auto.
  destruct l as [|[[[a b] x] v] l]; [discriminate|]. destruct (_ && _)%bool eqn:E; [|discriminate].
  rewrite !andb_true_iff, !same_N_eq, Z.eqb_eq in E. destruct E as [[-> ->] ->].
  inversion_clear T as [|? ? Tl T']. inversion_clear L as [|? ? Y L'].
  destruct (push_lines own lines l) as [[lines1 l1]|] eqn:R; [|discriminate]. intros [= <- <-].
  apply IH in R as [R1 R2]; auto. split; auto. constructor; auto. apply true_push; auto.
Qed.

Lemma push_columns_true columns : forall l below result, Forall (true_column P) columns -> Forall true_place l ->
  Forall (true_column P) below -> push_columns columns l below = Some result -> Forall (true_column P) result.
Proof.
  induction columns as [|c columns IH]; cbn [push_columns]; intros l below result T L B.
  - destruct l; [|discriminate]. now intros [= <-].
  - inversion_clear T as [|? ? Tc T']. destruct (push_lines _ _ _) as [[lines l1]|] eqn:R; [|discriminate].
    apply push_lines_true in R as [R1 R2]; auto. intros H. apply (IH l1 ({| own := own c; lines := lines |} :: below)); auto.
Qed.

Lemma split_true least columns : forall above, Forall (true_column P) columns -> Forall (true_column P) above ->
  Forall (true_column P) (fst (split least columns above)) /\ Forall (true_column P) (snd (split least columns above)).
Proof.
  induction columns as [|c columns IH]; cbn [split]; intros above T A. auto. inversion_clear T as [|? ? Tc T'].
  destruct (least <=? own c); auto. cbn [fst snd]. auto.
Qed.

Lemma extended_true courts side most total columns : Forall (true_column P) columns ->
  Forall (true_column P) (extended courts side most total columns).
Proof.
  unfold extended. destruct (total <=? most); auto. constructor; auto. unfold true_column, empty_column. cbn [own lines].
  apply Forall_forall. intros ln I. apply in_map_iff in I as (c & <- & _). apply true_empty.
Qed.
End Push.

Definition true_bounds W (pv : position * bounds) : Prop :=
  let '(At a b x, (lower, upper)) := pv in
  (Z.abs x <= Z.of_N (field r))%Z /\ holds_A W a b x lower /\ holds_B W b a (- x)%Z (- upper)%Z.

Definition at_most (p : position) : Prop := let '(At a b _) := p in (a <= most_a h)%N /\
  (b <= most_b h)%N.

(** What has been read, and what follows for players that use it. *)
Definition progress_well (bytes : list N) (s : verdict progress) : Prop := match s with
  | Refused _ => True
  | Accepted s => exists g, read_each kind (map key g) bytes = Accepted (map strategies_of g,
    unread s) /\
      Forall good_reading g /\ (forall y, In y g -> In (row_of y) (gathered s)) /\
      (Forall at_most (map fst (gathered s)) -> filter (in_file h) (map fst (rev (gathered s))) =
        map key g) /\
      forall W, valid_players W -> Forall (agrees W) g ->
        columns_true (columns_A s) (columns_B s) W /\ Forall (true_bounds W) (gathered s)
  end.

Lemma rev_append_forall {T} (P : T -> Prop) l m : Forall P l -> Forall P m -> Forall P (rev_append l m).
Proof. intros L. revert m. induction L; simpl; auto. Qed.

Lemma filter_map_comm {S T} (f : S -> T) (p : T -> bool) l : filter p (map f l) =
  map f (filter (fun y => p (f y)) l).
Proof. induction l as [|y l IH]; simpl; auto. destruct (p (f y)); simpl; now rewrite IH. Qed.

(** Of two different mirror images one is left out. *)
Lemma mirror_left_out a b x : in_file h (At a b x) = true -> both_images h a b = true ->
  at_most (At a b x) ->
  (a = b -> x = 0%Z -> False) -> in_file h (mirror (At a b x)) = false.
Proof.
  intros In Both [A B] N. unfold in_file, mirror in *. apply andb_true_iff in In as [_ In].
  rewrite Both in In.
  apply negb_true_iff in In. cbn [andb] in In.
  assert (Both' : both_images h b a = true).
  { unfold both_images in *. rewrite !andb_true_iff, !N.leb_le in *. tauto. }
  rewrite Both'. apply andb_false_iff. right. apply negb_false_iff. cbn [andb].
  apply orb_false_iff in In as [L1 L2]. apply N.ltb_ge in L1. apply orb_true_iff.
  rewrite N.ltb_lt, andb_true_iff, N.eqb_eq, Z.ltb_lt.
  destruct (N.eqb_spec a b) as [->|]; [right|left; lia]. apply Z.ltb_ge in L2. split; auto.
  enough (x <> 0%Z) by lia. intros ->. now apply N.
Qed.

Lemma image_left_out l y : image_of l y -> Forall at_most (map (fun y => fst (entry_of y)) l) ->
  in_file h (fst (entry_of y)) = false.
Proof.
  intros (a & b & x & v & I & E & Both & In & N) L. rewrite Forall_forall in L.
  assert (K : at_most (fst (entry_of ((a, b, x), v)))) by (apply L;
    now apply (in_map (fun y => fst (entry_of y)))).
  destruct y as [p [v' w']], v as [v w]. cbn [fst] in E. subst p. cbn [entry_of fst] in *.
  now apply (mirror_left_out a b x).
Qed.

(** Security levels, in columns. *)
Lemma carried_A W a b x v : is_spent (At a b x) = false -> holds_A W a b x v -> has_A W a b x (carried kind e_A a b v).
Proof.
  intros S [H K]. split; [|intros Q]; apply has_carried; auto; apply floor_true.
Qed.
Lemma carried_B W a b x w : is_spent (At a b x) = false -> holds_B W a b x w -> has_B W a b x (carried kind' e_B a b w).
Proof.
  intros S [H K]. split; [|intros Q]; apply has_carried; auto; apply floor_true.
Qed.

Lemma read_total_well bytes0 courts s total : Forall true_court courts -> progress_well bytes0 s ->
  progress_well bytes0 (read_total h e_A e_B courts s total).
Proof.
  intros C. unfold read_total. destruct s as [s|]; [|easy]. intros (g0 & R0 & G0 & B0 & K0 & T0).
  set (all_A := extended _ for_A _ _ _). set (all_B := extended _ for_B _ _ _).
  destruct (split (total - most_b h) all_A []) as [to_come below] eqn:SA.
  destruct (sweep _ _ _ _ _ _ _ _ _ _) as [[f bytes]|] eqn:Sw; [|exact I].
  apply sweep_well in Sw as (g & R & G & D & Im & T); auto. cbn [fst snd] in D, Im.
  rewrite app_nil_r in D.
  specialize (Im (Forall_nil _)). set (layer := merge (rev_append (fst f) []) (snd f)).
  destruct (split (total - most_a h) all_B []) as [to_come_B below_B] eqn:SB.
  destruct (push_columns to_come _ _) as [l|] eqn:PA; [|exact I].
  destruct (push_columns to_come_B _ _) as [m|] eqn:PB; [|exact I].
  assert (Direct : rev_append (fst f) [] = map levels_of g) by now rewrite rev_append_rev,
    app_nil_r, D, rev_involutive.
  assert (Kept : forall W, valid_players W -> Forall (agrees W) g0 ->
    (Forall (true_column (has_A W)) to_come /\ Forall (true_column (has_A W)) below) /\
    Forall (true_column (has_B W)) all_B).
  { intros W V Ag. destruct (T0 W V Ag) as [[L M] _]. split.
    - pose proof (split_true (has_A W) (total - most_b h) all_A [] (extended_true (has_A W) courts
        for_A (most_a h) total _ L)
        (Forall_nil _)) as S. now rewrite SA in S.
    - now apply extended_true. }
  exists (g0 ++ g). cbn [unread gathered columns_A columns_B]. rewrite !map_app.
  split; [now apply read_each_app with (unread s)|].
  split; [now apply Forall_app|]. split; [|split].
  - intros y I. rewrite rev_append_rev. apply in_or_app. apply in_app_or in I as [I|I];
      [right; now apply B0|left].
    apply -> in_rev.
    replace (row_of y) with (entry_of (levels_of y)) by now destruct y
      as [[[[a b] x] [la lb]] [v w]].
    apply in_map, merge_in. left. rewrite Direct. now apply in_map.
  - rewrite rev_append_rev, rev_app_distr, rev_involutive, !map_app, filter_app, Forall_app.
    intros [L1 L2].
    rewrite K0 by exact L2. f_equal.
    assert (L : Forall at_most (map (fun y => fst (entry_of y)) layer)).
    { rewrite map_rev in L1. apply Forall_rev in L1. now rewrite rev_involutive, map_map in L1. }
    rewrite map_map, (filter_map_comm (fun y => fst (entry_of y))). unfold layer.
    rewrite merge_filter, Direct.
    + rewrite map_map. apply map_ext. now intros [[[[a b] x] [la lb]] [v w]].
    + rewrite Direct. intros y I. apply in_map_iff in I as (z & <- & I).
      apply (proj1 (Forall_forall _ _) G) in I as [I _].
      now destruct z as [[[[a b] x] [la lb]] [v w]].
    + intros y I. apply image_left_out with (fst f).
      * exact (proj1 (Forall_forall _ _) Im y I).
      * apply Forall_forall. intros p J. apply in_map_iff in J as (z & <- & J).
        apply (proj1 (Forall_forall _ _) L).
        apply (in_map (fun y => fst (entry_of y))). apply merge_in. left.
        rewrite rev_append_rev, app_nil_r. now apply -> in_rev.
  - intros W V Ag. apply Forall_app in Ag as [Ag0 Ag]. destruct (Kept W V Ag0) as [[S1 S2] EB].
    destruct (T0 W V Ag0) as [_ TG].
    destruct (T W V Ag) as [W1 W2]; [repeat split; auto|repeat split; constructor|].
    assert (L : Forall (true_pair W) layer) by (apply merge_all; auto; apply rev_append_forall;
      auto).
    pose proof (split_true (has_B W) (total - most_a h) all_B [] EB (Forall_nil _)) as [S3 S4].
    rewrite SB in S3, S4.
    cbn [fst snd] in S3, S4.
    assert (LA : Forall (true_place (has_A W)) (map (to_A h e_A) layer)).
    { apply Forall_map. eapply Forall_impl; [|exact L]. intros [[[a b] x] [v w]] (_ & S & H & _).
      now apply carried_A. }
    assert (LB : Forall (true_place (has_B W)) (map (to_B h e_B) layer)).
    { apply Forall_map. eapply Forall_impl; [|exact L]. intros [[[a b] x] [v w]] (_ & S & _ & H).
      apply carried_B; auto. unfold is_spent in *. now rewrite andb_comm. }
    apply push_columns_true with (P := has_A W) in PA; auto.
    apply push_columns_true with (P := has_B W) in PB; auto.
    2: now apply rev_append_forall. split; [now split|]. apply rev_append_forall; auto.
    apply Forall_map. eapply Forall_impl; [|exact L]. intros [[[a b] x] [v w]] (X & _ & HA & HB).
    cbn [entry_of true_bounds].
    rewrite Z.opp_involutive. auto.
Qed.

Lemma spent_column_true (P : N -> N -> Z -> Z -> Prop) s courts side stays :
  (forall x v, (v # u <= payoff s (stay x))%Q -> P 0 0 x v) ->
  (forall c, In c courts -> (stays c # u <= payoff s (stay (here (side c))))%Q) ->
    true_column P (spent_column courts side stays).
Proof.
  intros S H. unfold true_column, spent_column. cbn [own lines]. apply Forall_forall. intros ln I.
  apply in_map_iff in I as (c & <- & I). apply true_push. apply true_empty. now apply S, H.
Qed.

Lemma spent_well courts bytes : Forall true_court courts ->
  progress_well bytes (Accepted (spent courts bytes)).
Proof.
  intros C. rewrite Forall_forall in C. exists [].
  cbn [map read_each spent unread gathered columns_A columns_B].
  split; [reflexivity|]. split; [constructor|]. split; [easy|]. split.
  - intros _. rewrite rev_append_rev, app_nil_r, rev_involutive, map_map. cbn [fst]. clear C.
    induction courts; simpl; auto.
  - intros W V _. split; [split|].
    + constructor; auto. apply (spent_column_true _ r). { intros x v H.
      now split; intros; intros _ _. }
      intros c I. destruct (C c I) as (x & X & ->). apply floor_true.
    + constructor; auto. apply (spent_column_true _ (mirrored r)). { intros x v H.
      now split; intros; intros _ _. }
      intros c I. apply in_rev in I. destruct (C c I) as (x & X & ->). apply floor_true.
    + apply rev_append_forall; auto. apply Forall_forall. intros pv I.
      apply in_map_iff in I as (c & <- & I).
      destruct (C c I) as (x & X & ->). cbn. rewrite Z.opp_involutive. split; [exact X|].
      pose proof (valid_both W V) as Both. destruct V as [VA VB].
      assert (X' : (Z.abs (- x) <= Z.of_N (field (mirrored r)))%Z) by (cbn [field mirrored]; lia).
      repeat split; [|intros Q| |intros Q]; intros _ _.
      * apply spent_has with (most_a h) (most_b h); auto. apply floor_true.
      * apply spent_has with (most_b h) (most_a h); auto. now apply Both. apply floor_true.
      * apply spent_has with (most_b h) (most_a h); auto. apply floor_true.
      * apply spent_has with (most_a h) (most_b h); auto. now apply Both. apply floor_true.
Qed.

Lemma read_positions_well bytes : progress_well bytes (read_positions h bytes).
Proof.
  unfold read_positions, read_all. assert (C : Forall true_court (map (court_of u r) (balls r))).
  { apply Forall_map, Forall_forall. intros x I. apply in_map_iff in I as (k & <- & I).
    apply from_to_bound in I.
    eexists. split; [|reflexivity]. lia. }
  apply (fold_left_keeps (progress_well bytes)). intros s total S. now apply read_total_well.
  now apply spent_well.
Qed.
End Truth.

Lemma these_positions_eq l m : these_positions l m = true -> map fst l = m.
Proof.
  revert m. induction l as [|[[a b x] v] l IH]; intros [|[a' b' x'] m]; simpl; try easy.
  destruct (_ && _)%bool eqn:E; [|discriminate]. rewrite !andb_true_iff, !same_N_eq, Z.eqb_eq in E. destruct E as [[-> ->] ->].
  intros H. f_equal. now apply IH.
Qed.

(** The unit is 2^-exponent. *)
Lemma unit_is_power r : Zpos (unit r) = (2 ^ Z.of_N (exponent r))%Z.
Proof.
  unfold unit, Pos.shiftl. destruct (exponent r) as [|e]; [reflexivity|]. now rewrite (Pos.iter_swap_gen _ _ Zpos xO (Z.mul 2)).
Qed.

(** ** The positions of a certificate *)

Lemma from_to_spec first last n : (first <= n <= last)%N <-> In n (from_to first last).
Proof.
  split; [|apply from_to_bound]. unfold from_to. intros H.
  assert (K : (first <= n < first + N.of_nat (N.to_nat (last + 1 - first)))%N) by lia.
  revert K. clear H. generalize (N.to_nat (last + 1 - first)). intros count. revert first.
  induction count as [|count IH]; intros first K. lia. simpl. destruct (N.eq_dec first n); auto.
  right. apply IH. lia.
Qed.

Lemma positions_of_all h a b x : In (At a b x) (positions_of h) <->
  inside (the_rules h) (most_a h) (most_b h) (At a b x).
Proof.
  unfold positions_of, inside. rewrite in_flat_map. split.
  - intros (t & T & I). apply in_flat_map in I as (a' & A & I).
    apply in_map_iff in I as (x' & [= <- <- <-] & I).
    apply from_to_spec in T, A. apply in_map_iff in I as (k & <- & I). apply from_to_spec in I. lia.
  - intros (A & B & X). exists (a + b)%N. split. { apply from_to_spec; lia. } apply in_flat_map.
    exists a. split.
    { apply from_to_spec; lia. } replace (a + b - a)%N with b by lia. apply in_map.
      apply in_map_iff.
    exists (Z.to_N (x + Z.of_N (field (the_rules h)))). split. lia. apply from_to_spec. lia.
Qed.

Lemma from_to_distinct first last : NoDup (from_to first last).
Proof.
  unfold from_to. generalize (N.to_nat (last + 1 - first)). intros count. revert first.
  assert (K : forall count first n, In n (range first count) -> first <= n).
  { clear. induction count as [|count IH]; intros first n I; [easy|]. destruct I as [->|I]. lia.
    apply IH in I. lia. }
  induction count as [|count IH]; intros first; constructor; auto. intros I. apply K in I. lia.
Qed.

Lemma flat_map_distinct {S T} (f : S -> list T) l : NoDup l -> (forall x, NoDup (f x)) ->
  (forall x y z, In x l -> In y l -> In z (f x) -> In z (f y) -> x = y) -> NoDup (flat_map f l).
Proof.
  intros L F D. induction L as [|x l N L IH]; simpl. constructor.
  assert (K : forall m, NoDup m -> (forall z, In z m -> ~ In z (flat_map f l)) ->
    NoDup (m ++ flat_map f l)).
  { specialize (IH (fun x y z I J => D x y z (or_intror I) (or_intror J))). clear - IH.
    induction m as [|z m IHm]; simpl; auto.
    intros M H. inversion_clear M as [|? ? Z M']. constructor; auto. intros I.
    apply in_app_or in I as [I|I]; auto.
    now apply (H z (or_introl eq_refl)). }
  apply K; auto. intros z Z I. apply in_flat_map in I as (y & Y & I).
  assert (x = y) as <- by (apply (D x y z); auto; [now left|now right]). easy.
Qed.

Lemma positions_distinct h : NoDup (positions_of h).
Proof.
  assert (Balls : NoDup (balls (the_rules h))).
  { unfold balls. apply Injective_map_NoDup; [|apply from_to_distinct]. intros j k E. lia. }
  apply flat_map_distinct. apply from_to_distinct.
  - intros t. apply flat_map_distinct. apply from_to_distinct.
    + intros a. apply Injective_map_NoDup; auto. now intros x y [= ->].
    + intros a a' p _ _ I I'. apply in_map_iff in I as (x & <- & _).
      now apply in_map_iff in I' as (x' & [= ->] & _).
  - intros t t' p T T' I I'. apply in_flat_map in I as (a & A & I).
    apply in_flat_map in I' as (a' & A' & I').
    apply in_map_iff in I as (x & <- & _). apply in_map_iff in I' as (x' & [= -> E _] & _).
    apply from_to_spec in A, A'. lia.
Qed.

Lemma same_position_spec p q : reflect (p = q) (same_position p q).
Proof.
  destruct p as [a b x], q as [a' b' x']. unfold same_position.
  destruct (same_spec a a') as [->|]; [|now constructor; intros [= ]].
  destruct (same_spec b b') as [->|]; [|now constructor; intros [= ]].
  destruct (Z.eqb_spec x x') as [->|]; constructor; congruence.
Qed.

Lemma found_in {T} (l : list (position * T)) p y : found_at l p = Some y -> In (p, y) l.
Proof.
  induction l as [|[q z] l IH]; simpl; [easy|]. destruct (same_position_spec p q) as [->|]; auto.
  intros [= ->]. now left.
Qed.

Lemma in_found {T} (l : list (position * T)) p y : NoDup (map fst l) -> In (p, y) l ->
  found_at l p = Some y.
Proof.
  induction l as [|[q z] l IH]; simpl; [easy|]. intros D I. inversion_clear D as [|? ? N D'].
  destruct (same_position_spec p q) as [->|E].
  - destruct I as [[= ->]|I]; auto. exfalso. apply N. now apply (in_map fst) in I.
  - destruct I as [[= <- _]|I]; auto. easy.
Qed.

Lemma not_found {T} (l : list (position * T)) p : ~ In p (map fst l) -> found_at l p = None.
Proof.
  intros N. destruct (found_at l p) as [y|] eqn:E; auto. apply found_in, (in_map fst) in E. easy.
Qed.

(** ** Accepted bounds are true

    The strategies of the file secure them: [stationary] strategies mix by the weights of the
    present position. *)

Section Accepted.
Variables (F : ordered_field) (x : proof) (g : list reading).
Let h := about x.
Let r := the_rules h.
Let m := map strategies_of g.
Let W := {| of_A := weights_A x m; of_B := weights_B x m |}.
Hypothesis symmetric : mirror_flag h = true -> mirrored r = r /\ exchanged (the_variant h) = the_variant h.
Hypothesis positions : map fst (proved x) = positions_of h.
Hypothesis keys : filter (in_file h) (positions_of h) = map key g.
Hypothesis good : Forall (good_reading h) g.
Hypothesis known : forall y, In y g -> In (row_of y) (proved x).

Lemma keys_of : map fst m = map key g.
Proof. unfold m. rewrite map_map. apply map_ext. now intros [[[[a b] z] [la lb]] [v w]]. Qed.

Lemma read_entry a b z la lb v w : In ((a, b, z), (la, lb), (v, w)) g -> found_at m (At a b z) =
  Some (la, lb) /\
  found_at (proved x) (At a b z) = Some (v, (- w)%Z) /\ in_file h (At a b z) = true /\
    inside r (most_a h) (most_b h) (At a b z) /\
  valid (A_bids_0 (the_variant h)) a la = true /\ valid (B_bids_0 (the_variant h)) b lb = true.
Proof.
  intros I. assert (K : In (At a b z) (positions_of h)).
  { rewrite <- positions. apply (in_map fst _ _ (known _ I)). }
  split; [|split; [|split; [|split]]].
  - apply in_found. rewrite keys_of, <- keys. apply NoDup_filter, positions_distinct.
    now apply (in_map strategies_of) in I.
  - apply in_found. rewrite positions. apply positions_distinct. exact (known _ I).
  - exact (proj1 (proj1 (Forall_forall _ _) good _ I)).
  - now apply positions_of_all.
  - exact (proj2 (proj1 (Forall_forall _ _) good _ I)).
Qed.

Lemma not_read p : in_file h p = false -> found_at m p = None.
Proof. intros N. apply not_found. rewrite keys_of, <- keys, filter_In, N. now intros []. Qed.

(** A position is spent, or it is in the file, or its mirror image is. *)
Lemma cases a b z : inside r (most_a h) (most_b h) (At a b z) ->
  a = 0 /\ b = 0 /\ found_at m (At a b z) = None /\ found_at m (mirror (At a b z)) = None \/
  (exists la lb v w, In ((a, b, z), (la, lb), (v, w)) g) \/
  mirror_flag h = true /\ found_at m (At a b z) = None /\ exists la lb v w, In ((b, a, (- z)%Z), (la, lb), (v, w)) g.
Proof.
  intros P. assert (Read : forall a b z, inside r (most_a h) (most_b h) (At a b z) ->
    in_file h (At a b z) = true ->
    exists la lb v w, In ((a, b, z), (la, lb), (v, w)) g).
  { clear a b z P. intros a b z P I. assert (J : In (At a b z) (map key g)).
    { rewrite <- keys. apply filter_In. split; auto. now apply positions_of_all. }
    apply in_map_iff in J as ([[[[a' b'] z'] [la lb]] [v w]] & [= <- <- <-] & J).
    now exists la, lb, v, w. }
  destruct (in_file h (At a b z)) eqn:I; auto.
  destruct ((a =? 0) && (b =? 0))%bool eqn:S.
  - left. pose proof S as S'. apply andb_true_iff in S' as [->%N.eqb_eq ->%N.eqb_eq]. repeat split;
      apply not_read; auto.
  - right. right. assert (Out := not_read _ I). destruct P as (A & B & X). unfold in_file in I.
    rewrite S in I. cbn [negb andb] in I.
    apply negb_false_iff, andb_true_iff in I as [Both L].
    split. { unfold both_images in Both. now rewrite !andb_true_iff in Both. }
    split; [exact Out|]. apply Read.
    + unfold both_images in Both. rewrite !andb_true_iff, !N.leb_le in Both. unfold inside. lia.
    + unfold in_file. rewrite (andb_comm (b =? 0)), S. cbn [negb andb].
      apply negb_true_iff, andb_false_iff. right.
      apply orb_true_iff in L. rewrite N.ltb_lt, andb_true_iff, N.eqb_eq, Z.ltb_lt in L.
      apply orb_false_iff. rewrite N.ltb_ge, andb_false_iff, N.eqb_neq, Z.ltb_ge. lia.
Qed.

Lemma balance_own a b z : (balance x (At a b z) <> 0)%Z -> mirror_flag h = true /\ a = b.
Proof.
  unfold balance. fold h. destruct (same_position_spec (At a b z) (mirror (At a b z))) as [E|].
  - destruct (mirror_flag h); [|easy]. split; auto. now injection E.
  - now rewrite andb_false_r.
Qed.

Lemma bids_agree : mirror_flag h = true -> B_bids_0 (the_variant h) = A_bids_0 (the_variant h).
Proof. intros M. unfold B_bids_0. now rewrite (proj2 (symmetric M)). Qed.

Lemma spent_valid zero : valid zero 0 [(0, whole)] = true.
Proof. now destruct zero. Qed.

Lemma weights_valid : valid_players h W.
Proof.
  split; intros a b z P.
  - cbn [of_A W]. unfold weights_A. destruct (cases a b z P)
      as [(-> & -> & -> & ->)|[(la & lb & v & w & I)|(M & -> & la & lb & v & w & I)]].
    + apply spent_valid.
    + destruct (read_entry _ _ _ _ _ _ _ I) as (-> & _ & _ & _ & VA & VB).
      destruct (Z.ltb_spec (balance x (At a b z)) 0); auto.
      destruct (balance_own a b z) as [M ->]; [lia|]. rewrite <- (bids_agree M). exact VB.
    + destruct (read_entry _ _ _ _ _ _ _ I) as (E & _ & _ & _ & VA & VB). cbn [mirror].
      rewrite E. now rewrite <- (bids_agree M).
  - unfold as_B. cbn [of_B W]. assert (P' : inside r (most_a h) (most_b h) (At b a (- z))).
    { destruct P as (A & B & Z). split; [exact B|split; [exact A|now rewrite Z.abs_opp]]. }
    change (mirror (At a b z)) with (At b a (- z)%Z). unfold weights_B.
    destruct (cases b a (- z) P') as [(-> & -> & -> & ->)|[(la & lb & v & w & I)|(M & ->
      & la & lb & v & w & I)]].
    + apply spent_valid.
    + destruct (read_entry _ _ _ _ _ _ _ I) as (-> & _ & _ & _ & VA & VB).
      destruct (Z.ltb_spec 0 (balance x (At b a (- z)))); auto.
      destruct (balance_own b a (- z)) as [M ->]; [lia|]. rewrite (bids_agree M). exact VA.
    + destruct (read_entry _ _ _ _ _ _ _ I) as (E & _ & _ & _ & VA & VB). cbn [mirror].
      rewrite E. now rewrite (bids_agree M).
Qed.

Lemma weights_agree : Forall (agrees h W) g.
Proof.
  apply Forall_forall. intros [[[[a b] z] [la lb]] [v w]] I.
  destruct (read_entry _ _ _ _ _ _ _ I) as (E & B & In & P & _).
  unfold agrees. cbn [of_A of_B W]. unfold weights_A, weights_B, balance. rewrite E, B. fold h.
  destruct (mirror_flag h && (a =? b) && (z =? 0)%Z)%bool eqn:Self.
  - rewrite !andb_true_iff, N.eqb_eq, Z.eqb_eq in Self. destruct Self as [[-> <-] ->].
    destruct (same_position_spec (At a a 0) (mirror (At a a 0))); [|easy]. cbn [andb].
    split; [destruct (Z.ltb_spec (v + - w) 0)|destruct (Z.ltb_spec 0 (v + - w))];
      [right|left|right|left]; split; auto; lia.
  - assert (Other : (mirror_flag h && same_position (At a b z) (mirror (At a b z)))%bool = false).
    { destruct (mirror_flag h); auto. cbn [andb] in *.
      destruct (same_position_spec (At a b z) (mirror (At a b z))) as [[= <- _ Z]|]; auto.
      rewrite N.eqb_refl in Self. cbn [andb] in Self. apply Z.eqb_neq in Self. lia. }
    rewrite Other. split; [reflexivity|]. split; [reflexivity|]. intros Both.
    assert (Out : in_file h (mirror (At a b z)) = false).
    { apply mirror_left_out; auto. destruct P as (A & C & _). now split. intros -> ->.
      unfold both_images in Both. rewrite !andb_true_iff in Both. destruct Both as [[M _] _].
      rewrite M, N.eqb_refl in Self. easy. }
    rewrite (not_read _ Out), mirror_twice, E. auto.
Qed.
End Accepted.

(** ** The meaning of bounds *)

Section Meaning.
Variables (F : ordered_field) (x : proof) (m : strategies).
Let r := the_rules (about x).

(** The strategies of both players from a position on: mixtures by the weights of the position that
    a history leads to. *)
Definition follows_in (v : variant) : position -> N -> N -> result position :=
  match v with Plain => after_bids r | Zeros => follows (endless_tennis r) | Favours w => after_favouring w r end.
Definition plays (W : position -> weights N) (p : position) : list (N * N) -> list (N * F) :=
  fun h => mixture_of F (W (arrived (follows_in (the_variant (about x))) p h)).
Definition published_A := plays (weights_A x m).
Definition published_B := plays (weights_B x m).

Definition bounded (p : position) (lower upper : Z) : Prop :=
  let l := ratio (lower # unit_of x) in
  let u := ratio (upper # unit_of x) in
  match the_variant (about x) with
  | Plain =>
      A_secures_with F (tennis r) (published_A p) p l /\ B_secures_with F (tennis r) (published_B p) p u
  | Zeros =>
      Endless.A_secures_with F (endless_tennis r) (published_A p) p l /\
      Endless.B_secures_with F (endless_tennis r) (published_B p) p u
  | Favours w =>
      A_secures_with F (favouring w r) (published_A p) p l /\ B_secures_with F (favouring w r) (published_B p) p u
  end.
End Meaning.

Lemma arrived_image (step image : position -> N -> N -> result position) p h :
  (forall p i j, image (mirror p) j i = mirror_result (negate (step p i j))) ->
  arrived image (mirror p) (turn_over h) = mirror (arrived step p h).
Proof.
  intros H. revert p. induction h as [|[i j] h IH]; intros p; cbn [arrived turn_over map fst snd]; auto.
  rewrite H. destruct (step p i j) as [v|p']; cbn [negate mirror_result]; auto.
Qed.

Lemma follows_image r p i j : follows (endless_tennis (mirrored r)) (mirror p) j i =
  mirror_result (negate (follows (endless_tennis r) p i j)).
Proof. now rewrite follows_mirror, follows_opposite. Qed.

(** B's strategy at a history is A's of the mirrored game at the history with the players exchanged. *)
Lemma mixes_image F (W : position -> weights N) (step image : position -> N -> N -> result position) p h :
  (forall p i j, image (mirror p) j i = mirror_result (negate (step p i j))) ->
  mixture_of F (W (arrived step p h)) = mixture_of F (W (mirror (arrived image (mirror p) (turn_over h)))).
Proof. intros H. now rewrite (arrived_image step image p h H), mirror_twice. Qed.

Lemma true_bounds_bounded F x m p lower upper :
  let W := {| of_A := weights_A x m; of_B := weights_B x m |} in
  valid_players (about x) W -> inside (the_rules (about x)) (most_a (about x)) (most_b (about x)) p
    ->
  true_bounds F (about x) W (p, (lower, upper)) -> bounded F x m p lower upper.
Proof.
  intros W [VA VB] P. destruct p as [a b z].
  intros (_ & [HA _] & [HB _]). pose proof P as (A & B & Z).
  specialize (HA A B). specialize (HB B A).
  set (r := the_rules (about x)) in *.
  assert (P' : inside (mirrored r) (most_b (about x)) (most_a (about x)) (At b a (- z)))
    by (unfold inside; cbn [field mirrored]; fold r; lia).
  assert (Q : ratio (- upper # unit r) = opp (ratio (upper # unit r)) :> F)
    by (change (- upper # unit r)%Q with (- (upper # unit r))%Q; apply ratio_opp).
  unfold bounded, A_has, published_A, published_B, plays, follows_in, unit_of, B_bids_0 in *. fold r in HA, HB |- *.
  cbv zeta. destruct (the_variant (about x)) as [| |w] eqn:V; cbn [exchanged] in VB, HB; rewrite Q in HB.
  - assert (MA := fun p => mixes_plain F Plain r _ _ (weights_A x m) VA p eq_refl).
    assert (MB := fun p => mixes_plain F Plain (mirrored r) _ _ (as_B W) VB p eq_refl). split.
    + apply (gets_secures F (tennis r) _ _ (inside_plain r _ _) MA _ _ P HA).
    + apply (gets_secures F (tennis (mirrored r)) _ _ (inside_plain (mirrored r) _ _) MB _ _ P') in HB.
      revert HB. apply (Tennis.B_secures_image F r _ _ (At a b z)). intros k.
      apply (mixes_image F (weights_B x m) (after_bids r) (after_bids (mirrored r)) (At a b z)), after_mirror.
  - assert (MA := fun p => mixes_endless F Zeros r _ _ (weights_A x m) VA p eq_refl).
    assert (MB := fun p => mixes_endless F Zeros (mirrored r) _ _ (as_B W) VB p eq_refl). split.
    + apply (A_keeps_secures F (endless_tennis r) _ _ (inside_endless r _ _) MA _ _ P HA).
    + apply (A_keeps_secures F (endless_tennis (mirrored r)) _ _ (inside_endless (mirrored r) _ _) MB _ _ P') in HB.
      revert HB. apply (ZeroBids.B_secures_image F r _ _ (At a b z)). intros k.
      apply (mixes_image F (weights_B x m) (follows (endless_tennis r)) (follows (endless_tennis (mirrored r))) (At a b z)),
        follows_image.
  - assert (MA := fun p => mixes_favouring F (Favours w) r _ _ (weights_A x m) VA w p eq_refl).
    assert (MB := fun p => mixes_favouring F (Favours (other w)) (mirrored r) _ _ (as_B W) VB (other w) p eq_refl). split.
    + apply (gets_secures F (favouring w r) _ _ (inside_favouring r _ _ w) MA _ _ P HA).
    + apply (gets_secures F (favouring (other w) (mirrored r)) _ _ (inside_favouring (mirrored r) _ _ (other w)) MB _ _ P') in HB.
      revert HB. apply (Favoured.B_secures_image F w r _ _ (At a b z)). intros k.
      apply (mixes_image F (weights_B x m) (after_favouring w r) (after_favouring (other w) (mirrored r)) (At a b z)),
        after_favouring_mirror.
Qed.

(** The weights of a strategy sum to 2^62. *)
Lemma read_bids_total zero count points : forall lowest left bytes l rest, (0 < count)%nat ->
  read_bids zero count points lowest left bytes = Accepted (l, rest) -> total l = left.
Proof.
  induction count as [|count IH]; intros lowest left bytes l rest C; [lia|]. cbn [read_bids].
  intros H.
  destruct (read_2 bytes) as [[bid bytes1]|]; [|discriminate]. do 2 requirement H.
  destruct count as [|count].
  - requirement H. cbn [read_bids] in H. injection H as <- _. cbn [total]. lia.
  - destruct (read_8 bytes1) as [[n bytes2]|]; [|discriminate]. requirement H.
    destruct (read_bids zero (S count) points (bid + 1) (left - Z.of_N n)%Z bytes2)
      as [[m bytes3]|] eqn:E; [|discriminate].
    injection H as <- _. apply IH in E; [|lia]. cbn [total]. lia.
Qed.

Lemma read_strategy_total zero points bytes l rest : read_strategy zero points bytes =
  Accepted (l, rest) -> total l = whole.
Proof.
  unfold read_strategy. intros H. destruct (read_2 bytes) as [[count bytes1]|]; [|discriminate].
  requirement H.
  apply N.leb_le in R. apply read_bids_total in H; [easy|lia].
Qed.

Theorem weights_sum h content p la lb : In (p, (la, lb)) (strategies_in h content) ->
  total la = whole /\ total lb = whole.
Proof.
  unfold strategies_in. generalize (filter (in_file h) (positions_of h)) (skipn 106 content).
  intros l bytes.
  destruct (read_each (the_variant h) l bytes) as [[m rest]|] eqn:E; [|easy]. revert bytes m rest E.
  induction l as [|[a b x] l IH]; cbn [read_each]; intros bytes m rest. now intros [= <- _].
  destruct (read_strategy (A_bids_0 (the_variant h)) a bytes) as [[la' bytes1]|] eqn:A; [|discriminate].
  destruct (read_strategy (B_bids_0 (the_variant h)) b bytes1) as [[lb' bytes2]|] eqn:B; [|discriminate].
  destruct (read_each (the_variant h) l bytes2) as [[m' rest']|] eqn:E; [|discriminate].
  intros [= <- _].
  intros [[= _ <- <-]|I]; [|now apply (IH bytes2 m' rest')]. apply read_strategy_total in A, B.
  auto.
Qed.

(** ** The theorem

    Of a certificate that is accepted the first 106 bytes are the header of the rules, whose numbers
    are in range, so that no other rules have these bytes ([header_bytes_injective]). The other
    bytes are the strategies of all positions in the file. They secure the bounds of all positions,
    against every strategy of the other player. *)
Theorem verify_content_sound F fits content x : verify_content fits content = Accepted x ->
  firstn 106 content = header_bytes (about x) /\ in_range (about x) /\
  Zpos (unit_of x) = (2 ^ Z.of_N (exponent (the_rules (about x))))%Z /\
  map fst (proved x) = positions_of (about x) /\
  read_each (the_variant (about x)) (filter (in_file (about x)) (positions_of (about x)))
    (skipn 106 content) =
    Accepted (strategies_in (about x) content, []) /\
  forall p lower upper, In (p, (lower, upper)) (proved x) ->
    bounded F x (strategies_in (about x) content) p lower upper.
Proof.
  unfold verify_content. intros H. requirement H. rename R into RH. destruct (read_positions h l) as [s|] eqn:RP; [|discriminate].
  requirement H. requirement H. injection H as <-. apply read_header_spec in RH as (I & B & S & ->).
  destruct (unread s) as [|? ?] eqn:U; [|discriminate]. apply these_positions_eq in R0.
  pose proof (read_positions_well F h S (skipn 106 content)) as T. rewrite RP in T.
  destruct T as (g & Rg & Gg & Kg & Pg & Tg).
  rewrite U in Rg. rewrite rev_append_rev, app_nil_r in *.
  set (x := {| about := h; proved := rev (gathered s) |}) in *.
  assert (At_most : Forall (at_most h) (map fst (gathered s))).
  { apply Forall_forall. intros [a b z] J. assert (J' : In (At a b z) (positions_of h)).
    { rewrite <- R0, map_rev. now apply -> in_rev. } apply positions_of_all in J'.
      now split; apply J'. }
  specialize (Pg At_most). rewrite R0 in Pg.
  assert (E : strategies_in h (content) = map strategies_of g) by (unfold strategies_in;
    cbn [about x] in *; now rewrite Pg, Rg).
  split; [exact B|]. split; [exact I|]. split; [apply unit_is_power|]. split; [exact R0|].
  cbn [about x] in *. rewrite E.
  split; [now rewrite Pg|].
  assert (Known : forall y, In y g -> In (row_of y) (proved x)) by (intros y J; cbn [proved x];
    apply -> in_rev; auto).
  pose proof (weights_valid x g S R0 Pg Gg Known) as V.
  pose proof (weights_agree x g S R0 Pg Gg Known) as A.
  intros p lower upper P. apply true_bounds_bounded; auto.
  - destruct p as [a b z]. apply positions_of_all. cbn [about x]. rewrite <- R0.
    now apply (in_map fst) in P.
  - destruct (Tg _ V A) as [_ TB]. apply (proj1 (Forall_forall _ _) TB). now apply in_rev.
Qed.

(** As above, for the whole file: [content_of] is all but the checksum. *)
Definition content_of (bytes : list N) : list N := snd (checksum_and_content bytes).

Corollary verify_with_sound F crc bytes x : verify_with crc bytes = Accepted x ->
  firstn 106 bytes = header_bytes (about x) /\ in_range (about x) /\
  Zpos (unit_of x) = (2 ^ Z.of_N (exponent (the_rules (about x))))%Z /\
  map fst (proved x) = positions_of (about x) /\
  forall p lower upper, In (p, (lower, upper)) (proved x) ->
    bounded F x (strategies_in (about x) (content_of bytes)) p lower upper.
Proof.
  unfold verify_with, content_of. destruct (checksum_and_content bytes) as [checksum content] eqn:E.
  intros H.
  apply verify_content_sound with (F := F) in H as (B & I & U & P & _ & R). split; [|auto].
  rewrite <- B.
  apply (f_equal snd) in E. apply content_begins in E as [rest ->]. cbn [snd]. rewrite firstn_app.
  assert (L : length (firstn 106 content) = 106%nat) by (rewrite B; apply header_bytes_length).
  rewrite firstn_length in L. replace (106 - length content)%nat with 0%nat by lia. now rewrite app_nil_r.
Qed.

(** The smallest bid is 1. *)
Corollary verify_sound F bytes x : verify bytes = Accepted x -> the_variant (about x) = Plain ->
  forall p lower upper, In (p, (lower, upper)) (proved x) -> let m :=
    strategies_in (about x) (content_of bytes) in
    A_secures_with F (tennis (the_rules (about x))) (published_A F x m p) p
      (ratio (lower # unit_of x)) /\
    B_secures_with F (tennis (the_rules (about x))) (published_B F x m p) p
      (ratio (upper # unit_of x)).
Proof.
  intros V K p lower upper P. apply verify_with_sound with (F := F) in V as (_ & _ & _ & _ & V). apply V in P.
  unfold bounded in P. now rewrite K in P.
Qed.

(** The smallest bid is 0. *)
Corollary verify_sound_endless F bytes x : verify bytes = Accepted x -> the_variant (about x) = Zeros ->
  forall p lower upper, In (p, (lower, upper)) (proved x) -> let m :=
    strategies_in (about x) (content_of bytes) in
    Endless.A_secures_with F (endless_tennis (the_rules (about x))) (published_A F x m p) p
      (ratio (lower # unit_of x)) /\
    Endless.B_secures_with F (endless_tennis (the_rules (about x))) (published_B F x m p) p
      (ratio (upper # unit_of x)).
Proof.
  intros V K p lower upper P. apply verify_with_sound with (F := F) in V as (_ & _ & _ & _ & V). apply V in P.
  unfold bounded in P. now rewrite K in P.
Qed.

(** A player is the favourite. *)
Corollary verify_sound_favouring F bytes x w : verify bytes = Accepted x -> the_variant (about x) = Favours w ->
  forall p lower upper, In (p, (lower, upper)) (proved x) -> let m :=
    strategies_in (about x) (content_of bytes) in
    A_secures_with F (favouring w (the_rules (about x))) (published_A F x m p) p
      (ratio (lower # unit_of x)) /\
    B_secures_with F (favouring w (the_rules (about x))) (published_B F x m p) p
      (ratio (upper # unit_of x)).
Proof.
  intros V K p lower upper P. apply verify_with_sound with (F := F) in V as (_ & _ & _ & _ & V). apply V in P.
  unfold bounded in P. now rewrite K in P.
Qed.
