(** * Certificates: the bytes that docs/certificate.md describes

    [verify] reads them, complains of the first thing that is wrong, or returns the rules and the bounds of all positions. *)

From Coq Require Import ZArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Endless Game Symmetry Check Tennis ZeroBids Table Sums Columns Sides Header.
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
Let zero := zero_bids h.
Variables (e_A e_B : worths_to_A) (courts : list court).

(** ** The positions of two accounts *)

Definition secured (e : worths_to_A) (sp : spot) (stays : Z) (columns : list column) (own other : N) (l : weights N) : option Z :=
  if zero then secured_until_left e sp stays columns own other l else secured_once e sp columns own other l.

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
        let* (la, bytes) := read_strategy zero a bytes in
        let* (lb, bytes) := read_strategy zero b bytes in
        require valid zero a la && valid zero b lb else Own_tables;
        match secured e_A (for_A c) (stays_A c) columns_A a b la, secured e_B (for_B c) (stays_B c) columns_B b a lb with
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

Definition to_A (y : pair_of_bounds) : place_of * Z := (fst y, fst (snd y)).
Definition to_B (y : pair_of_bounds) : place_of * Z := let '((a, b, x), (_, w)) := y in ((b, a, - x)%Z, w).

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
      match push_columns to_come (map to_A layer) below,
        push_columns to_come_B (rev_append (map to_B layer) []) below_B with
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

Definition same_position (p q : position) : bool :=
  let '(At a b x) := p in let '(At a' b' x') := q in (same_N a a' && same_N b b' && (x =? x')%Z)%bool.
Fixpoint these_positions (l : list (position * bounds)) (m : list position) : bool :=
  match l, m with
  | [], [] => true
  | (p, _) :: l, q :: m => if same_position p q then these_positions l m else false
  | _, _ => false
  end.

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

(** ** Accepted bounds are true *)

Lemma fold_left_keeps {S T} (P : S -> Prop) (f : S -> T -> S) l :
  (forall s x, P s -> P (f s x)) -> forall s, P s -> P (fold_left f l s).
Proof. intros H. induction l; simpl; auto. Qed.

Lemma floor_true unit q : (floor_of unit q # unit <= q)%Q.
Proof. apply rounded_true. Qed.

Section Truth.
Variables (F : ordered_field) (h : header).
Hypothesis symmetric : mirror_flag h = true -> mirrored (the_rules h) = the_rules h.
Let r := the_rules h.
Let u := unit r.
Let e_A := worths_to u r.
Let e_B := worths_to u (mirrored r).
Notation has_A := (has F u (zero_bids h) r).
Notation has_B := (has F u (zero_bids h) (mirrored r)).

Definition inside (x : Z) : Prop := (Z.abs x <= Z.of_N (field r))%Z.
Definition true_pair (y : pair_of_bounds) : Prop :=
  let '((a, b, x), (v, w)) := y in inside x /\ has_A a b x v /\ has_B b a (- x)%Z w.
Definition true_found (f : found) : Prop := Forall true_pair (fst f) /\ Forall true_pair (snd f).
Definition true_court (c : court) : Prop := exists x, inside x /\ c = court_of u r x.

Lemma has_state s a b x v : ((a =? 0) && (b =? 0))%bool = false -> A_has F u (zero_bids h) s (At a b x) v ->
  has F u (zero_bids h) s a b x v.
Proof. intros N H. unfold has. now rewrite N. Qed.

Lemma secured_has s e a b x stays columns l v : e = worths_to u s -> (Z.abs x <= Z.of_N (field s))%Z ->
  Forall (true_column (has F u (zero_bids h) s)) columns -> (stays # u <= payoff s (stay x))%Q ->
  valid (zero_bids h) a l = true -> secured h e (spot_of s x) stays columns a b l = Some v -> A_has F u (zero_bids h) s (At a b x) v.
Proof.
  intros -> X C S V. unfold secured. destruct (zero_bids h) eqn:Z; intros E.
  - eapply endless_secured with (e := worths_to u s); eauto; apply floor_true.
  - eapply once_secured with (e := worths_to u s); eauto; apply floor_true.
Qed.

Lemma read_balls_true both a b l m courts : ((a =? 0) && (b =? 0))%bool = false -> (both = true -> mirror_flag h = true) ->
  Forall (true_column has_A) l -> Forall (true_column has_B) m -> Forall true_court courts ->
  forall f bytes f' rest, true_found f -> read_balls h e_A e_B both a b l m courts f bytes = Accepted (f', rest) -> true_found f'.
Proof.
  intros N B L M C. induction C as [|c courts (x & X & ->) C IH]; cbn [read_balls]; intros f bytes f' rest T.
  - now intros [= <- _].
  - destruct (both && _)%bool; [now apply IH|].
    destruct (read_strategy (zero_bids h) a bytes) as [[la bytes1]|]; [|discriminate].
    destruct (read_strategy (zero_bids h) b bytes1) as [[lb bytes2]|]; [|discriminate].
    destruct (valid (zero_bids h) a la && valid (zero_bids h) b lb)%bool eqn:V; [|discriminate]. apply andb_true_iff in V as [VA VB].
    cbn [court_of for_A for_B stays_A stays_B here spot_of].
    destruct (secured h e_A _ _ l a b la) as [v|] eqn:SA; [|discriminate].
    destruct (secured h e_B _ _ m b a lb) as [w|] eqn:SB; [|discriminate].
    apply (secured_has r) in SA; auto. 2: apply floor_true.
    apply (secured_has (mirrored r)) in SB; auto. 2: unfold inside in X; cbn [field mirrored]; lia. 2: apply floor_true.
    apply has_state in SA; auto. apply has_state in SB; auto. 2: now rewrite andb_comm.
    destruct f as [direct images], T as [T1 T2]. apply IH. split; cbn [fst snd] in *.
    + constructor; auto. unfold true_pair. auto.
    + destruct (both && _)%bool eqn:E; auto. constructor; auto. apply andb_true_iff in E as [E _].
      assert (R : mirrored r = r) by (apply symmetric; auto). unfold true_pair. rewrite R in *.
      unfold inside in *. rewrite Z.opp_involutive. split; [lia|]. auto.
Qed.

Lemma sweep_true total to_come courts : forall below m f bytes f' rest, Forall (true_column has_A) to_come ->
  Forall (true_column has_A) below -> Forall (true_column has_B) m -> Forall true_court courts -> true_found f ->
  sweep h e_A e_B courts total to_come below m f bytes = Accepted (f', rest) -> true_found f'.
Proof.
  induction to_come as [|c to_come IH]; cbn [sweep]; intros below m f bytes f' rest A B M C T. now intros [= <- _].
  inversion_clear A as [|? ? Tc A']. destruct (negb _) eqn:N; [|discriminate]. apply negb_true_iff in N.
  destruct (read_balls _ _ _ _ _ _ _ _ _ _ _) as [[f1 bytes1]|] eqn:R; [|discriminate].
  apply read_balls_true in R; auto. 2: { intros Q. rewrite !andb_true_iff in Q. tauto. }
  apply IH; auto. destruct M; simpl; auto.
Qed.

Lemma merge_true l : forall m, Forall true_pair l -> Forall true_pair m -> Forall true_pair (merge l m).
Proof.
  induction l as [|y l IH]; intros m L M; [exact M|]. inversion_clear L as [|? ? Y L']. induction M as [|z m Z M IHm]; simpl.
  - now constructor.
  - destruct (before (fst y) (fst z)); constructor; auto.
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

Definition true_bounds (pv : position * bounds) : Prop :=
  let '(At a b x, (lower, upper)) := pv in inside x /\ has_A a b x lower /\ has_B b a (- x)%Z (- upper)%Z.
Definition true_progress (s : verdict progress) : Prop := match s with
  | Refused _ => True
  | Accepted s => Forall (true_column has_A) (columns_A s) /\ Forall (true_column has_B) (columns_B s) /\
      Forall true_bounds (gathered s)
  end.

Lemma rev_append_forall {T} (P : T -> Prop) l m : Forall P l -> Forall P m -> Forall P (rev_append l m).
Proof. intros L. revert m. induction L; simpl; auto. Qed.

Lemma read_total_true courts s total : Forall true_court courts -> true_progress s ->
  true_progress (read_total h e_A e_B courts s total).
Proof.
  intros C. unfold read_total. destruct s as [s|]; [|easy]. intros (A & B & T).
  pose proof (split_true has_A (total - most_b h) _ [] (extended_true has_A courts for_A (most_a h) total _ A) (Forall_nil _)) as [S1 S2].
  destruct (split _ _ _) as [to_come below]. cbn [fst snd] in *.
  pose proof (extended_true has_B (rev courts) for_B (most_b h) total _ B) as EB. set (all_B := extended _ for_B _ _ _) in *.
  destruct (sweep _ _ _ _ _ _ _ _ _ _) as [[f bytes]|] eqn:W; [|exact I].
  apply sweep_true in W as [W1 W2]; auto. 2: split; constructor.
  assert (L : Forall true_pair (merge (rev_append (fst f) []) (snd f))) by (apply merge_true; auto; apply rev_append_forall; auto).
  set (layer := merge _ _) in *.
  pose proof (split_true has_B (total - most_a h) all_B [] EB (Forall_nil _)) as [S3 S4].
  destruct (split (total - most_a h) all_B []) as [to_come_B below_B]. cbn [fst snd] in *.
  destruct (push_columns to_come _ _) as [l|] eqn:PA; [|exact I].
  destruct (push_columns to_come_B _ _) as [m|] eqn:PB; [|exact I].
  assert (LA : Forall (true_place has_A) (map to_A layer)).
  { apply Forall_map. eapply Forall_impl; [|exact L]. intros [[[a b] x] [v w]] (_ & H & _). exact H. }
  assert (LB : Forall (true_place has_B) (map to_B layer)).
  { apply Forall_map. eapply Forall_impl; [|exact L]. intros [[[a b] x] [v w]] (_ & _ & H). exact H. }
  apply push_columns_true with (P := has_A) in PA; auto. apply push_columns_true with (P := has_B) in PB; auto.
  2: now apply rev_append_forall. split; [exact PA|]. split; [exact PB|]. cbn [gathered]. apply rev_append_forall; auto.
  apply Forall_map. eapply Forall_impl; [|exact L]. intros [[[a b] x] [v w]] (X & HA & HB). cbn [entry_of true_bounds].
  rewrite Z.opp_involutive. auto.
Qed.

Lemma spent_column_true s courts side stays : (forall c, In c courts -> (stays c # u <= payoff s (stay (here (side c))))%Q) ->
  true_column (has F u (zero_bids h) s) (spent_column courts side stays).
Proof.
  intros H. unfold true_column, spent_column. cbn [own lines]. apply Forall_forall. intros ln I.
  apply in_map_iff in I as (c & <- & I). apply true_push. apply true_empty. now apply H.
Qed.

Lemma spent_true courts bytes : Forall true_court courts -> true_progress (Accepted (spent courts bytes)).
Proof.
  intros C. rewrite Forall_forall in C. split; [|split].
  - constructor; auto. apply spent_column_true. intros c I. destruct (C c I) as (x & X & ->). apply floor_true.
  - constructor; auto. apply spent_column_true. intros c I. apply in_rev in I. destruct (C c I) as (x & X & ->). apply floor_true.
  - apply rev_append_forall; auto. apply Forall_forall. intros pv I. apply in_map_iff in I as (c & <- & I).
    destruct (C c I) as (x & X & ->). cbn. rewrite Z.opp_involutive. split; [exact X|]. split; apply floor_true.
Qed.

Lemma from_to_bound first last n : In n (from_to first last) -> (first <= n <= last)%N.
Proof.
  unfold from_to. intros H. enough (K : (first <= n < first + N.of_nat (N.to_nat (last + 1 - first)))%N) by lia.
  revert H. generalize (N.to_nat (last + 1 - first)). intros count. revert first.
  induction count as [|count IH]; intros first H; [easy|]. simpl in H. destruct H as [->|H]. lia. apply IH in H. lia.
Qed.

Lemma read_positions_true bytes : true_progress (read_positions h bytes).
Proof.
  unfold read_positions, read_all. assert (C : Forall true_court (map (court_of u r) (balls r))).
  { apply Forall_map, Forall_forall. intros x I. apply in_map_iff in I as (k & <- & I). apply from_to_bound in I.
    eexists. split; [|reflexivity]. unfold inside. lia. }
  apply (fold_left_keeps true_progress). intros s total S. now apply read_total_true. now apply spent_true.
Qed.

(** The meaning of the bounds of a position. *)
Definition bounded (p : position) (lower upper : Z) : Prop :=
  if zero_bids h then
    Endless.A_secures F (endless_tennis r) p (ratio (lower # u)) /\ Endless.B_secures F (endless_tennis r) p (ratio (upper # u))
  else A_secures F (tennis r) p (ratio (lower # u)) /\ B_secures F (tennis r) p (ratio (upper # u)).

Lemma true_bounds_bounded p lower upper : true_bounds (p, (lower, upper)) -> bounded p lower upper.
Proof.
  destruct p as [a b x]. intros (X & A & B). unfold inside in X.
  assert (A' : A_has F u (zero_bids h) r (At a b x) lower) by (apply has_has; auto).
  assert (B' : A_has F u (zero_bids h) (mirrored r) (mirror (At a b x)) (- upper)) by (apply has_has; auto; cbn [field mirrored]; lia).
  unfold bounded, A_has in *. change (- upper # u)%Q with (- (upper # u))%Q in B'. rewrite ratio_opp in B'. destruct (zero_bids h).
  - split; [now apply keeps_secures|]. rewrite <- (opp_opp F (ratio (upper # u))). apply B_secures_image. exact B'.
  - split; [exact A'|]. now apply B_secures_mirror.
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

(** The bounds of a certificate that is accepted are true, of all its positions. Its first 106 bytes are the header of the rules
    that they are about, whose numbers are in range, so that no other rules have these bytes ([header_bytes_injective]). *)
Theorem verify_content_sound F fits content x : verify_content fits content = Accepted x ->
  firstn 106 content = header_bytes (about x) /\ in_range (about x) /\
  Zpos (unit_of x) = (2 ^ Z.of_N (exponent (the_rules (about x))))%Z /\
  map fst (proved x) = positions_of (about x) /\
  forall p lower upper, In (p, (lower, upper)) (proved x) -> bounded F (about x) p lower upper.
Proof.
  unfold verify_content. intros H. requirement H. rename R into RH. destruct (read_positions h l) as [s|] eqn:RP; [|discriminate].
  requirement H. requirement H. injection H as <-. apply read_header_spec in RH as (I & B & S).
  split; [exact B|]. split; [exact I|]. split; [apply unit_is_power|]. split; [now apply these_positions_eq|].
  intros p lower upper P. apply true_bounds_bounded.
  pose proof (read_positions_true F h S l) as T. rewrite RP in T. destruct T as (_ & _ & T). cbn [proved about] in *.
  apply (rev_append_forall _ _ []) in T; auto. exact (proj1 (Forall_forall _ _) T _ P).
Qed.

(** As above, for the whole file. *)
Corollary verify_with_sound F crc bytes x : verify_with crc bytes = Accepted x ->
  firstn 106 bytes = header_bytes (about x) /\ in_range (about x) /\
  Zpos (unit_of x) = (2 ^ Z.of_N (exponent (the_rules (about x))))%Z /\
  map fst (proved x) = positions_of (about x) /\
  forall p lower upper, In (p, (lower, upper)) (proved x) -> bounded F (about x) p lower upper.
Proof.
  unfold verify_with. destruct (checksum_and_content bytes) as [checksum content] eqn:E. intros H.
  apply verify_content_sound with (F := F) in H as (B & R). split; [|exact R]. rewrite <- B.
  apply (f_equal snd) in E. apply content_begins in E as [rest ->]. cbn [snd]. rewrite firstn_app.
  assert (L : length (firstn 106 content) = 106%nat) by (rewrite B; apply header_bytes_length).
  rewrite firstn_length in L. replace (106 - length content)%nat with 0%nat by lia. now rewrite app_nil_r.
Qed.

(** The smallest bid is 1. *)
Corollary verify_sound F bytes x : verify bytes = Accepted x -> zero_bids (about x) = false ->
  forall p lower upper, In (p, (lower, upper)) (proved x) ->
    A_secures F (tennis (the_rules (about x))) p (ratio (lower # unit_of x)) /\
    B_secures F (tennis (the_rules (about x))) p (ratio (upper # unit_of x)).
Proof.
  intros V Z p lower upper P. apply verify_with_sound with (F := F) in V as (_ & _ & _ & _ & V). apply V in P.
  unfold bounded in P. now rewrite Z in P.
Qed.

(** The smallest bid is 0. *)
Corollary verify_sound_endless F bytes x : verify bytes = Accepted x -> zero_bids (about x) = true ->
  forall p lower upper, In (p, (lower, upper)) (proved x) ->
    Endless.A_secures F (endless_tennis (the_rules (about x))) p (ratio (lower # unit_of x)) /\
    Endless.B_secures F (endless_tennis (the_rules (about x))) p (ratio (upper # unit_of x)).
Proof.
  intros V Z p lower upper P. apply verify_with_sound with (F := F) in V as (_ & _ & _ & _ & V). apply V in P.
  unfold bounded in P. now rewrite Z in P.
Qed.
