(** * Bounds kept in columns, and security levels computed from them

    A column has A's security levels for one account of A: for every ball those by B's points. So the successors of one bid of A
    come from three lines: B's higher bids, the same bid, and lower bids move the ball each in one way. Every line is labelled, and
    a line with another label than expected is not used.

    This is the computation for A; B's is A's in the mirrored game. *)

From Coq Require Import ZArith NArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Game Check Tennis Limit Favoured Sums.
Import ListNotations.
Local Open Scope N_scope.

(** ** The computation *)

Notation "'given' x := e 'in' k" := (match e with Some x => k | None => None end)
  (x pattern, at level 200, k at level 200, right associativity).

(** A comparison that is fast in the extracted program, too. *)
Definition same_N (a b : N) : bool := match a ?= b with Eq => true | _ => false end.
Lemma same_spec a b : reflect (a = b) (same_N a b).
Proof. unfold same_N. destruct (a ?= b) eqn:E; constructor; [now apply N.compare_eq_iff| |]; intros ->; now rewrite N.compare_refl in E. Qed.
Lemma same_N_eq a b : same_N a b = true <-> a = b.
Proof. destruct (same_spec a b); split; congruence. Qed.

(** The least bid of a player with these points; [zero] says that bids of 0 are always legal. *)
Definition lowest (zero : bool) (points : N) : N := if zero then 0 else N.min 1 points.
Definition legal_bid (zero : bool) (points i : N) : bool := (lowest zero points <=? i) && (i <=? points).

(** A's security levels for one ball, by B's points. *)
Record line := { ball : Z; values : store; line_falls : bool }.
Record column := { own : N; lines : list line }.

Definition empty_line (x : Z) : line := {| ball := x; values := no_values; line_falls := true |}.
Definition push (v : Z) (ln : line) : line :=
  let h := height (values ln) in
  {| ball := ball ln; values := pushed v (values ln);
     line_falls := line_falls ln && ((h =? 0) || (v <=? at_height (values ln) (N.pred h))%Z) |}.

(** A ball, the balls that follow it, and their places in a column; a ball that is out has none. *)
Record spot := { here : Z; here_at : nat; up : Z; up_at : option nat; down : Z; down_at : option nat }.
Definition place (r : rules) (x : Z) : option nat :=
  if (Z.abs x <=? Z.of_N (field r))%Z then Some (Z.to_nat (x + Z.of_N (field r))) else None.
Definition spot_of (r : rules) (x : Z) : spot :=
  let up := moved (motion r) x 1 0 in
  let down := moved (motion r) x 0 1 in
  {| here := x; here_at := Z.to_nat (x + Z.of_N (field r)); up := up; up_at := place r up; down := down; down_at := place r down |}.

(** The values of a ball, if there are those of all heights below [k]. *)
Definition values_at (c : column) (at_place : nat) (x : Z) (k : N) : option source :=
  given ln := nth_error (lines c) at_place in
  if ((ball ln =? x)%Z && (k <=? height (values ln)))%bool then Some (Stored (values ln) (line_falls ln)) else None.

(** A's payoffs of the two outs, rounded down. *)
Record worths_to_A := { worth_up : Z; worth_down : Z }.

Section Turn.
Variables (v : variant) (e : worths_to_A) (sp : spot).

(** The values of a ball that may be out. *)
Definition from (c : column) (x : Z) (at_place : option nat) (out : Z) (k : N) : option source :=
  match at_place with Some n => values_at c n x k | None => Some (Always out) end.

(** The values of the ball after equal bids. *)
Definition from_tie (c : column) (k : N) : option source :=
  match v with
  | Favours For_A => from c (up sp) (up_at sp) (worth_up e) k
  | Favours For_B => from c (down sp) (down_at sp) (worth_down e) k
  | _ => values_at c (here_at sp) (here sp) k
  end.

(** The row of A's bid [i] with its weight: the successors if B, with [b] points, has fewer than [k] left; [c] is the column with
    A's points then. *)
Definition row_from (w : Z) (turning : N) (under there over : source) : row :=
  {| weight := w; turning := turning; under := under; there := there; over := over |}.
Definition rising (c : column) (i : N) (w : Z) (b k : N) : option row :=
  if b <? i then given o := from c (up sp) (up_at sp) (worth_up e) k in Some (row_from w k o o o)
  else
    let same := b - i in
    if k <=? same then given u := from c (down sp) (down_at sp) (worth_down e) k in Some (row_from w same u u u)
    else
      given u := from c (down sp) (down_at sp) (worth_down e) same in
      given t := from_tie c (same + 1) in
      given o := from c (up sp) (up_at sp) (worth_up e) k in
      Some (row_from w same u t o).

(** Where only the favourite has points, these are the last bids: what is left to the favourite does not count, unless it is
    nothing. *)
Definition following (c : column) (i : N) (w : Z) (b k : N) : option row :=
  match v with
  | Favours For_A =>
      if (same_N b 0 && negb (same_N (own c) 0))%bool then
        let o := Always (worth_up e) in Some (row_from w k o o o)
      else rising c i w b k
  | Favours For_B =>
      if (same_N (own c) 0 && same_N i 0)%bool then
        given t := from c (down sp) (down_at sp) (worth_down e) 1 in
        let o := Always (worth_down e) in Some (row_from w 0 o t o)
      else rising c i w b k
  | _ => rising c i w b k
  end.

(** Columns come by falling points. *)
Fixpoint seek (points : N) (columns : list column) : option (column * list column) :=
  match columns with [] => None | c :: rest => if same_N (own c) points then Some (c, columns) else seek points rest end.

Fixpoint rows_of (columns : list column) (a b k : N) (l : weights N) : option (list row) :=
  match l with
  | [] => Some []
  | (i, w) :: l =>
      given (c, columns) := seek (a - i) columns in
      given x := following c i w b k in
      given rows := rows_of columns a b k l in
      Some (x :: rows)
  end.

Definition quotient (k : N) (rows : list row) : option Z :=
  given m := least_sum k rows in
  let w := sum_of_weights rows in
  if (0 <? w)%Z then Some (m / w)%Z else None.

(** A's security level by weights of bids that rise, with [a] points against [b]; columns begin with A's points. *)
Definition secured_once (columns : list column) (a b : N) (l : weights N) : option Z :=
  let k := b + 1 - lowest (B_bids_0 v) b in given rows := rows_of columns a b k l in quotient k rows.

(** As above where two bids of 0 repeat the state: against the bid 0 of B only A's other bids count, and without any, infinite
    plays. *)
Definition against_zero (stays : Z) (sum : Z) (weight : Z) : Z := if (0 <? weight)%Z then (sum / weight)%Z else stays.

Definition secured_until_left (stays : Z) (columns : list column) (a b : N) (l : weights N) : option Z :=
  let (idle, bids) := match l with (0, w) :: l => ([(0, w)], l) | _ => ([], l) end in
  given rows := rows_of columns a b (b + 1) bids in
  let first := against_zero stays (exact rows b) (sum_of_weights rows) in
  if same_N b 0 then Some first
  else
    given rows0 := rows_of columns a b b idle in
    given z := quotient b (rows0 ++ rows) in
    Some (if (z <? first)%Z then z else first).
End Turn.

(** The number in a column for accounts with this security level: where only the favourite has points, the game is over. *)
Definition carried (v : variant) (e : worths_to_A) (a b : N) (z : Z) : Z :=
  match v with
  | Favours For_A => if same_N b 0 then worth_up e else z
  | Favours For_B => if same_N a 0 then worth_down e else z
  | _ => z
  end.

(** Weights are positive, of legal bids that rise. *)
Fixpoint valid_from (zero : bool) (points first : N) (l : weights N) : bool :=
  match l with
  | [] => true
  | (i, w) :: l => (first <=? i) && legal_bid zero points i && (0 <? w)%Z && valid_from zero points (i + 1) l
  end.
Definition valid (zero : bool) (points : N) (l : weights N) : bool :=
  match l with [] => false | _ :: _ => valid_from zero points 0 l end.

(** ** Computed bounds are true *)

Lemma valid_from_spec zero points l : forall first, valid_from zero points first l = true ->
  NoDup (map fst l) /\ forall i w, In (i, w) l -> (first <= i /\ lowest zero points <= i <= points /\ (0 < w)%Z)%N.
Proof.
  induction l as [|[i w] l IH]; cbn [valid_from]; intros first H. split; [constructor|easy].
  unfold legal_bid in H. rewrite !andb_true_iff, !N.leb_le, Z.ltb_lt in H. destruct H as [[[F L] W] H]. apply IH in H as [D H]. split.
  - constructor; auto. intros I. apply in_map_iff in I as ([j v] & E & I). simpl in E. subst j. apply H in I. lia.
  - intros j v [[= <- <-]|I]. auto. apply H in I. destruct I as (? & ? & ?). repeat split; auto; lia.
Qed.

Section Truth.
Variables (v : variant) (r : rules) (e : worths_to_A).

(** The proposition that A secures a number at the accounts [a] and [b] and the ball [x]. *)
Variable P : N -> N -> Z -> Z -> Prop.
Hypothesis over_up : v = Favours For_A -> forall a x, 0 < a -> P a 0 x (worth_up e).
Hypothesis over_down : v = Favours For_B -> forall b x, 0 < b -> P 0 b x (worth_down e).

Definition true_line (a : N) (ln : line) : Prop :=
  (forall k, k < height (values ln) -> P a k (ball ln) (at_height (values ln) k)) /\
  (line_falls ln = true -> forall k, N.succ k < height (values ln) -> (at_height (values ln) (N.succ k) <= at_height (values ln) k)%Z).
Definition true_column (c : column) : Prop := Forall (true_line (own c)) (lines c).

(** After the bids [i] and [b - k] of players with [a] and [b] points, A has [a - i] left, and B has [k]. *)
Definition true_after (a : N) (x : Z) (i b k : N) (z : Z) : Prop :=
  let x' := moved_in v (motion r) x i (b - k) in
  ((Z.of_N (field r) < x' /\ z = worth_up e) \/ (x' < - Z.of_N (field r) /\ z = worth_down e) \/
   (Z.abs x' <= Z.of_N (field r) /\ P (a - i) k x' z))%Z.

Definition true_row (a : N) (x : Z) (i b n : N) (y : row) : Prop := forall k, k < n -> true_after a x i b k (value_of (source_at y k) k).

Lemma true_empty a x : true_line a (empty_line x).
Proof. split; cbn; intros; lia. Qed.

Lemma true_push a ln z : true_line a ln -> P a (height (values ln)) (ball ln) z -> true_line a (push z ln).
Proof.
  intros [T F] Y. unfold true_line, push. cbn [ball values line_falls]. change (height (pushed z (values ln))) with (N.succ (height (values ln))).
  split.
  - intros k K. rewrite at_height_pushed. destruct (N.eqb_spec k (height (values ln))) as [->|]; auto. apply T. lia.
  - rewrite andb_true_iff, orb_true_iff, N.eqb_eq, Z.leb_le. intros [L H] k K. rewrite !at_height_pushed.
    destruct (N.eqb_spec k (height (values ln))); [lia|]. destruct (N.eqb_spec (N.succ k) (height (values ln))) as [E|E].
    + destruct H as [H|H]; [lia|]. rewrite <- E, N.pred_succ in H. exact H.
    + apply F; auto. lia.
Qed.

Lemma values_at_true c n x k o : true_column c -> values_at c n x k = Some o -> falling k o /\
  forall m, m < k -> P (own c) m x (value_of o m).
Proof.
  unfold values_at. intros T. destruct (nth_error (lines c) n) as [ln|] eqn:E; [|discriminate].
  destruct (_ && _)%bool eqn:B; [|discriminate]. apply andb_true_iff in B as [B H]. apply Z.eqb_eq in B as <-. apply N.leb_le in H.
  intros [= <-]. apply nth_error_In in E. apply (proj1 (Forall_forall _ _) T) in E as [E F]. split.
  - intros L m M. apply F; auto. lia.
  - intros m M. apply E. lia.
Qed.

Lemma moved_up m x i j : j < i -> moved m x i j = moved m x 1 0.
Proof. intros H. unfold moved. now rewrite (proj2 (N.compare_gt_iff i j) H). Qed.
Lemma moved_down m x i j : i < j -> moved m x i j = moved m x 0 1.
Proof. intros H. unfold moved. now rewrite (proj2 (N.compare_lt_iff i j) H). Qed.
Lemma moved_same m x i : moved m x i i = x.
Proof. unfold moved. now rewrite N.compare_refl. Qed.

Lemma some_variant w : exists w', w = w' :> variant. Proof. now exists w. Qed.

(** Balls after unequal bids, and after equal ones. *)
Lemma moved_in_up i j m x : j < i -> moved_in v m x i j = moved m x 1 0.
Proof.
  intros H. destruct v as [| |[]]; simpl; try now apply moved_up.
  - unfold moved_upper. destruct (N.ltb_spec i j); [lia|reflexivity].
  - unfold moved_lower. destruct (N.ltb_spec j i); [reflexivity|lia].
Qed.
Lemma moved_in_down i j m x : i < j -> moved_in v m x i j = moved m x 0 1.
Proof.
  intros H. destruct v as [| |[]]; simpl; try now apply moved_down.
  - unfold moved_upper. destruct (N.ltb_spec i j); [reflexivity|lia].
  - unfold moved_lower. destruct (N.ltb_spec j i); [lia|reflexivity].
Qed.
Lemma moved_in_same i m x : moved_in v m x i i =
  match v with Favours For_A => moved m x 1 0 | Favours For_B => moved m x 0 1 | _ => x end.
Proof.
  destruct v as [| |[]]; simpl; try apply moved_same; unfold moved_upper, moved_lower; now rewrite N.ltb_irrefl.
Qed.

Lemma moved_up_more m x : (x < moved m x 1 0)%Z.
Proof. unfold moved. simpl. destruct m; [destruct (Z.leb_spec x 0)|]; lia. Qed.
Lemma moved_down_less m x : (moved m x 0 1 < x)%Z.
Proof. unfold moved. simpl. destruct m; [destruct (Z.leb_spec 0 x)|]; lia. Qed.

Lemma falling_less n m o : m <= n -> falling n o -> falling m o.
Proof. intros L F T k K. apply F; auto. lia. Qed.

Section Row.
Variables (a b i : N) (x : Z) (c : column).
Hypothesis inside : (Z.abs x <= Z.of_N (field r))%Z.
Hypothesis is_true : true_column c.
Hypothesis is_own : own c = a - i.
Let sp := spot_of r x.

Lemma same_row x' n m k o : (Z.abs x' <= Z.of_N (field r))%Z -> values_at c n x' m = Some o -> k < m -> moved_in v (motion r) x i (b - k) = x' ->
  true_after a x i b k (value_of o k).
Proof.
  intros I H K M. apply values_at_true in H as [_ H]; auto. specialize (H k K). rewrite is_own in H. unfold true_after. rewrite M. auto.
Qed.

Lemma from_up m k o : from c (up sp) (up_at sp) (worth_up e) m = Some o -> k < m ->
  moved_in v (motion r) x i (b - k) = moved (motion r) x 1 0 -> true_after a x i b k (value_of o k).
Proof.
  unfold from, sp, spot_of. cbn [up up_at]. unfold place. intros E K L.
  destruct (Z.leb_spec (Z.abs (moved (motion r) x 1 0)) (Z.of_N (field r))) as [F|F].
  - eapply same_row; eauto.
  - injection E as <-. unfold true_after. rewrite L.
    pose proof (moved_up_more (motion r) x). left. cbn [value_of]. lia.
Qed.

Lemma from_down m k o : from c (down sp) (down_at sp) (worth_down e) m = Some o -> k < m ->
  moved_in v (motion r) x i (b - k) = moved (motion r) x 0 1 -> true_after a x i b k (value_of o k).
Proof.
  unfold from, sp, spot_of. cbn [down down_at]. unfold place. intros E K L.
  destruct (Z.leb_spec (Z.abs (moved (motion r) x 0 1)) (Z.of_N (field r))) as [F|F].
  - eapply same_row; eauto.
  - injection E as <-. unfold true_after. rewrite L.
    pose proof (moved_down_less (motion r) x). right. left. cbn [value_of]. lia.
Qed.

Lemma from_falls y at_place out m o : from c y at_place out m = Some o -> falling m o.
Proof.
  unfold from. destruct at_place. intros H. now apply values_at_true in H. intros [= <-] _ k _. cbn [value_of]. lia.
Qed.

Lemma from_tie_true m k o : from_tie v e sp c m = Some o -> k < m -> b - k = i -> true_after a x i b k (value_of o k).
Proof.
  intros E K L. pose proof (moved_in_same i (motion r) x) as M. unfold from_tie in E.
  assert (H : values_at c (here_at sp) (here sp) m = Some o -> moved_in v (motion r) x i i = x -> true_after a x i b k (value_of o k)).
  { intros V S. apply same_row with x (here_at sp) m; auto. now rewrite L. }
  destruct (some_variant v) as [v' V]. rewrite V in E, M.
  destruct v' as [| |[]]; auto; [apply H; congruence|apply H; congruence|apply from_up with m|apply from_down with m]; auto; now rewrite V, L.
Qed.

Lemma rising_true w k y : k <= b + 1 -> rising v e sp c i w b k = Some y ->
  weight y = w /\ (falling (N.min k (turning y)) (under y) /\ falling k (over y)) /\ true_row a x i b k y.
Proof.
  intros K. unfold rising. destruct (N.ltb_spec b i) as [L|L].
  { destruct (from c (up sp) _ _ _) as [o|] eqn:U; [|discriminate]. intros [= <-]. split; auto. cbn [turning under over row_from].
    pose proof (from_falls _ _ _ _ _ U). split. { split; auto. apply falling_less with k; auto. lia. } intros m M. unfold source_at.
    cbn [turning under there over row_from]. assert (true_after a x i b m (value_of o m)) by (apply from_up with k; auto; apply moved_in_up; lia). now destruct (m ?= k). }
  destruct (N.leb_spec k (b - i)).
  { destruct (from c (down sp) _ _ _) as [o|] eqn:D; [|discriminate]. intros [= <-]. split; auto. cbn [turning under over row_from].
    pose proof (from_falls _ _ _ _ _ D). split. { split; auto. apply falling_less with k; auto. lia. } intros m M. unfold source_at.
    cbn [turning under there over row_from]. assert (true_after a x i b m (value_of o m)) by (apply from_down with k; auto; apply moved_in_down; lia). now destruct (m ?= b - i). }
  destruct (from c (down sp) _ _ _) as [u|] eqn:D; [|discriminate]. destruct (from_tie _ _ _ _ _) as [t|] eqn:T; [|discriminate].
  destruct (from c (up sp) _ _ _) as [o|] eqn:U; [|discriminate]. intros [= <-]. split; auto. cbn [turning under over row_from].
  pose proof (from_falls _ _ _ _ _ D) as FD. pose proof (from_falls _ _ _ _ _ U). split.
  { split; auto. apply falling_less with (b - i); auto. lia. }
  intros m M. unfold source_at.
  cbn [turning under there over row_from]. destruct (N.compare_spec m (b - i)) as [->|F|F].
  - eapply from_tie_true; eauto; lia.
  - eapply from_down; eauto. apply moved_in_down. lia.
  - eapply from_up; eauto. apply moved_in_up. lia.
Qed.

Lemma falling_always k z : falling k (Always z).
Proof. intros _ m _. cbn [value_of]. lia. Qed.

Lemma following_true w k y : k <= b + 1 -> i <= a -> following v e sp c i w b k = Some y ->
  weight y = w /\ (falling (N.min k (turning y)) (under y) /\ falling k (over y)) /\ true_row a x i b k y.
Proof.
  intros K A. destruct (some_variant v) as [v' V]. unfold following. rewrite V.
  destruct v' as [| |[]]; cbv iota beta; try (rewrite <- V; now apply rising_true).
  - destruct (_ && _)%bool eqn:E; [|rewrite <- V; now apply rising_true]. apply andb_true_iff in E as [->%same_N_eq E].
    apply negb_true_iff in E. intros [= <-]. cbn [row_from weight turning under over]. split; auto.
    split; [split; apply falling_always|]. intros m M. assert (m = 0) as -> by lia.
    assert (H : true_after a x i 0 0 (worth_up e)).
    { unfold true_after. rewrite V.
      replace (moved_in _ _ x i (0 - 0)) with (moved (motion r) x 1 0)
        by (simpl; unfold moved_upper; now destruct (N.ltb_spec i 0); [lia|]).
      pose proof (moved_up_more (motion r) x).
      destruct (Z.leb_spec (Z.abs (moved (motion r) x 1 0)) (Z.of_N (field r))); [|left; lia].
      right. right. split; auto. apply over_up; auto. rewrite <- is_own. enough (own c <> 0) by lia.
      intros Z. apply same_N_eq in Z. congruence. }
    unfold source_at. cbn [turning under there over row_from]. now destruct (0 ?= k).
  - destruct (_ && _)%bool eqn:E; [|rewrite <- V; now apply rising_true]. apply andb_true_iff in E as [Z%same_N_eq I%same_N_eq].
    destruct (from c (down sp) _ _ _) as [t|] eqn:T; [|discriminate]. intros [= <-]. cbn [row_from weight turning under over].
    split; auto. split; [split; apply falling_always|].
    assert (S : forall m, moved_in v (motion r) x i (b - m) = moved (motion r) x 0 1).
    { intros m. rewrite V, I. simpl. unfold moved_lower. destruct (N.ltb_spec (b - m) 0); [lia|reflexivity]. }
    intros m M. unfold source_at. cbn [turning under there over row_from]. destruct (N.compare_spec m 0) as [->|L|L]; [|lia|].
    + apply from_down with 1; auto. lia.
    + unfold true_after. rewrite S. pose proof (moved_down_less (motion r) x).
      destruct (Z.leb_spec (Z.abs (moved (motion r) x 0 1)) (Z.of_N (field r))); [|right; left; cbn [value_of]; lia].
      right. right. split; auto. replace (a - i) with 0 by lia. now apply over_down.
Qed.
End Row.

(** ** Rows as functions *)

Section Sums.
Variables (a b : N) (x : Z).
Hypothesis inside : (Z.abs x <= Z.of_N (field r))%Z.
Let sp := spot_of r x.

Lemma seek_spec points columns c rest : Forall true_column columns -> seek points columns = Some (c, rest) ->
  true_column c /\ own c = points /\ Forall true_column rest.
Proof.
  induction columns as [|d columns IH]; cbn [seek]; intros T; [discriminate|]. inversion_clear T as [|? ? D T'].
  destruct (same_spec (own d) points) as [E|]; [|now apply IH]. intros [= <- <-]. auto.
Qed.

(** The row of one of A's bids: its weight, and values that are true, at all heights below [k]. *)
Definition row_is (n : N -> N -> Z) (k : N) (iw : N * Z) (y : row) : Prop :=
  snd iw = weight y /\ (falling (N.min k (turning y)) (under y) /\ falling k (over y)) /\
  true_row a x (fst iw) b k y /\ forall m, m < k -> n (fst iw) m = value_of (source_at y m) m.

Lemma rows_of_true k : k <= b + 1 -> forall l columns rows, Forall true_column columns -> NoDup (map fst l) ->
  (forall i w, In (i, w) l -> i <= a) -> rows_of v e sp columns a b k l = Some rows -> exists n, Forall2 (row_is n k) l rows.
Proof.
  intros K. induction l as [|[i w] l IH]; cbn [rows_of]; intros columns rows T D A.
  { intros [= <-]. exists (fun _ _ => 0%Z). constructor. }
  destruct (seek (a - i) columns) as [[c rest]|] eqn:S; [|discriminate]. apply seek_spec in S as (C & O & T'); auto.
  destruct (following v e sp c i w b k) as [y|] eqn:R; [|discriminate].
  apply (following_true a) in R as (W & F & R); auto; [|now apply (A i w); left].
  destruct (rows_of v e sp rest a b k l) as [rows'|] eqn:E; [|discriminate]. intros [= <-]. cbn [map fst] in D.
  inversion_clear D as [|? ? N D']. destruct (IH rest rows' T' D' (fun i w I => A i w (or_intror I)) E) as [n IHn].
  exists (fun j => if j =? i then fun m => value_of (source_at y m) m else n j). constructor.
  - unfold row_is. cbn [fst snd]. rewrite N.eqb_refl, W. auto 6.
  - clear - IHn N. induction IHn as [|[j u] y' l rows R _ IH]; constructor.
    + unfold row_is in *. cbn [fst snd] in *. destruct (N.eqb_spec j i) as [->|]; auto. exfalso. apply N. now left.
    + apply IH. intros I. apply N. now right.
Qed.

Lemma row_true n k l rows i w : Forall2 (row_is n k) l rows -> In (i, w) l -> forall m, m < k -> true_after a x i b m (n i m).
Proof.
  induction 1 as [|[j u] y l rows (_ & _ & T & V) _ IH]; intros I m M; [easy|].
  destruct I as [I|I]; auto. injection I as -> ->. cbn [fst] in *. rewrite V by auto. now apply T.
Qed.

Lemma rows_exact n k l rows m : Forall2 (row_is n k) l rows -> m < k -> exact rows m = weigh l (fun i => n i m).
Proof.
  intros R M. induction R as [|[i w] y l rows (W & _ & _ & V) _ IH]; cbn [exact weigh]; auto. cbn [fst snd] in *. rewrite IH, V, W; auto.
Qed.

Lemma rows_total n k l rows : Forall2 (row_is n k) l rows -> sum_of_weights rows = total l.
Proof. induction 1 as [|[i w] y l rows (E & _) H IH]; simpl in *; congruence. Qed.

Lemma rows_fewer n k m l rows : m <= k -> Forall2 (row_is n k) l rows -> Forall2 (row_is n m) l rows.
Proof.
  intros M. induction 1 as [|iw y l rows (W & (U & O) & T & V) _ IH]; constructor; auto. split; auto.
  split. { split; [apply falling_less with (2 := U)|apply falling_less with (2 := O)]; lia. }
  split; intros k' K'; [apply T|apply V]; lia.
Qed.

Lemma quotient_spec n k l rows z : (forall i w, In (i, w) l -> 0 < w)%Z -> Forall2 (row_is n k) l rows -> quotient k rows = Some z ->
  forall m, m < k -> (z * total l <= weigh l (fun i => n i m))%Z.
Proof.
  intros W R. unfold quotient. destruct (least_sum k rows) as [least|] eqn:L; [|discriminate].
  rewrite (rows_total n k l rows R). destruct (Z.ltb_spec 0 (total l)) as [T|]; [|discriminate]. intros [= <-] m M.
  assert (G : Forall (row_good k) rows).
  { clear - W R. induction R as [|[i w] y l rows (E & F & _) R IH]; constructor.
    - cbn [fst snd] in *. split; auto. enough (0 < w)%Z by lia. apply (W i w). now left.
    - apply IH. intros j u I. apply (W j u). now right. }
  pose proof (least_sum_least _ _ _ G L m M) as B. rewrite (rows_exact n k l rows m R M) in B.
  pose proof (Z.mul_div_le least (total l) T). lia.
Qed.

(** Security levels of A's weights: numbers [n] that A secures after each bid [i] and reply [j], and their means. *)
Theorem secured_once_true columns l z : Forall true_column columns -> valid (A_bids_0 v) a l = true ->
  secured_once v e sp columns a b l = Some z -> exists n,
    (forall i w j, In (i, w) l -> lowest (B_bids_0 v) b <= j <= b -> true_after a x i b (b - j) (n i j)) /\
    (forall j, lowest (B_bids_0 v) b <= j <= b -> (z * total l <= weigh l (fun i => n i j))%Z).
Proof.
  intros C V. assert (V' : valid_from (A_bids_0 v) a 0 l = true) by now destruct l. apply valid_from_spec in V' as [D V'].
  unfold secured_once. cbv zeta. destruct (rows_of _ _ _ _ _ _ _ _) as [rows|] eqn:R; [|discriminate]. intros Q.
  assert (LO : lowest (B_bids_0 v) b <= b) by (unfold lowest; destruct (B_bids_0 v); lia).
  apply rows_of_true in R as [n R]; auto. 2: lia. 2: { intros i w I. apply V' in I. lia. } exists (fun i j => n i (b - j)). split.
  - intros i w j I J. apply row_true with (1 := R) (2 := I). lia.
  - intros j J. apply (quotient_spec n (b + 1 - lowest (B_bids_0 v) b) l rows z); auto. intros i w I. now apply V' in I. lia.
Qed.

Lemma NoDup_parts {T} (l m : list T) : NoDup (l ++ m) -> NoDup l /\ NoDup m.
Proof.
  induction l as [|y l IH]; simpl; intros D. split; [constructor|exact D]. inversion_clear D as [|? ? N D']. apply IH in D' as [L M].
  split; auto. constructor; auto. intros I. apply N, in_or_app. now left.
Qed.

(** The weight of the bid 0, if there is one, and the other bids' weights. *)
Definition idle_and_bids (l : weights N) : weights N * weights N :=
  match l with (0, w) :: l => ([(0, w)], l) | _ => ([], l) end.

Theorem secured_until_left_true stays columns l z : Forall true_column columns -> valid true a l = true ->
  secured_until_left v e sp stays columns a b l = Some z -> exists n idle bids, l = idle ++ bids /\
    (forall i w, In (i, w) idle -> i = 0) /\ (forall i w, In (i, w) bids -> 0 < i) /\
    (forall i w j, In (i, w) l -> j <= b -> (i = 0 -> j = 0 -> False) -> true_after a x i b (b - j) (n i j)) /\
    (bids = [] -> (z <= stays)%Z) /\ (z * total bids <= weigh bids (fun i => n i 0%N))%Z /\
    (forall j, 0 < j <= b -> (z * total l <= weigh l (fun i => n i j))%Z).
Proof.
  intros C V. assert (V' : valid_from true a 0 l = true) by now destruct l. apply valid_from_spec in V' as [D V'].
  unfold secured_until_left. change (match l with (0, w) :: l => ([(0, w)], l) | _ => ([], l) end) with (idle_and_bids l).
  assert (S : exists idle bids, idle_and_bids l = (idle, bids) /\ l = idle ++ bids /\
    (forall i w, In (i, w) idle -> i = 0) /\ (forall i w, In (i, w) bids -> 0 < i)).
  { unfold idle_and_bids. destruct l as [|[[|i] w] l]; [exists [], []|exists [(0, w)], l|exists [], ((Npos i, w) :: l)].
    - easy.
    - repeat split; auto. intros i u [[= <- <-]|[]]. auto. intros i u I. cbn in D. inversion_clear D as [|? ? N _].
      destruct i; [|lia]. exfalso. apply N. now apply (in_map fst) in I.
    - repeat split; auto. easy. intros j u I. destruct j; [|lia]. exfalso. destruct I as [[= ]|I]. clear - V I. cbn in V.
      unfold legal_bid in V. rewrite !andb_true_iff in V. destruct V as [_ V].
      assert (H : forall l f, valid_from true a f l = true -> In (0, u) l -> f = 0).
      { clear. induction l as [|[j w] l IH]; [easy|]. cbn [valid_from]. intros f H. rewrite !andb_true_iff, N.leb_le in H.
        destruct H as [[[F _] _] H]. intros [[= -> ->]|I]. lia. apply IH in H; auto. lia. }
      apply H in V; auto. destruct i; discriminate V. }
  destruct S as (idle & bids & -> & E & IZ & BP). subst l.
  destruct (rows_of v e sp columns a b (b + 1) bids) as [rows|] eqn:R; [|discriminate].
  rewrite map_app in D. apply NoDup_parts in D as [DI DB].
  apply rows_of_true in R as [n1 R]; auto. 2: lia.
  2: { intros i w I. apply (V' i w), in_or_app. now right. }
  rewrite N.add_1_r in R.
  rewrite (rows_total _ _ _ _ R), (rows_exact _ _ _ _ b R) by lia.
  pose proof (rows_fewer n1 (N.succ b) b bids rows ltac:(lia) R) as TR.
  assert (W : forall i w, In (i, w) (idle ++ bids) -> (0 < w)%Z) by (intros i w I; now apply V' in I).
  assert (first_true : forall first, against_zero stays (weigh bids (fun i => n1 i b)) (total bids) = first ->
    (bids = [] -> (first <= stays)%Z) /\ (first * total bids <= weigh bids (fun i => n1 i b))%Z).
  { unfold against_zero. intros first <-. split.
    - intros ->. simpl. lia.
    - destruct (Z.ltb_spec 0 (total bids)) as [L|L].
      + pose proof (Z.mul_div_le (weigh bids (fun i => n1 i b)) (total bids) L). lia.
      + destruct bids as [|[i w] bids']; [simpl; lia|]. exfalso. assert (Q : forall m : weights N, (forall i w, In (i, w) m -> 0 < w)%Z -> (0 <= total m)%Z).
        { clear. induction m as [|[i w] m IH]; intros H; simpl. lia. specialize (IH (fun i w I => H i w (or_intror I))).
          specialize (H i w (or_introl eq_refl)). lia. }
        specialize (Q bids' (fun i w I => W i w (in_or_app idle (_ :: bids') _ (or_intror (or_intror I))))).
        specialize (W i w (in_or_app idle (_ :: bids') _ (or_intror (or_introl eq_refl)))). simpl in L. lia. }
  specialize (first_true _ eq_refl). set (first := against_zero _ _ _) in *. destruct first_true as [F1 F2].
  assert (TB : forall i w j, In (i, w) bids -> j <= b -> true_after a x i b (b - j) (n1 i (b - j))).
  { intros i w j I J. apply row_true with (1 := R) (2 := I). lia. }
  destruct (same_spec b 0) as [B|B].
  - intros [= <-]. exists (fun i j => n1 i (b - j)), idle, bids. rewrite N.sub_0_r. repeat split; auto.
    + intros i w j I J N. apply in_app_or in I as [I|I]. exfalso. apply N. now apply IZ in I. lia. eapply TB; eauto.
    + intros j J. lia.
  - destruct (rows_of v e sp columns a b b idle) as [rows0|] eqn:R0; [|discriminate].
    apply rows_of_true in R0 as [n0 R0]; auto. 2: lia.
    2: { intros i w I. apply (V' i w), in_or_app. now left. }
    set (n := fun i m => if i =? 0 then n0 i m else n1 i m).
    assert (All : Forall2 (row_is n b) (idle ++ bids) (rows0 ++ rows)).
    { apply Forall2_app.
      - clear - R0 IZ. induction R0 as [|[i w] row l rows Q R IH]; constructor. 2: { apply IH. intros j u I. apply (IZ j u). now right. }
        unfold row_is, n in *. cbn [fst] in *. rewrite (IZ i w (or_introl eq_refl)) in *. exact Q.
      - clear - TR BP. induction TR as [|[i w] row l rows Q R IH]; constructor. 2: { apply IH. intros j u I. apply (BP j u). now right. }
        unfold row_is, n in *. cbn [fst] in *. specialize (BP i w (or_introl eq_refl)). destruct (N.eqb_spec i 0); [lia|exact Q]. }
    destruct (quotient b (rows0 ++ rows)) as [q|] eqn:Q; [|discriminate]. intros Z.
    assert (ZL : (z <= q /\ z <= first)%Z) by (injection Z as <-; destruct (Z.ltb_spec q first); lia). clear Z.
    pose proof (quotient_spec n b _ _ q W All Q) as QS.
    assert (TP : forall m : weights N, (forall i w, In (i, w) m -> 0 < w)%Z -> (0 <= total m)%Z).
    { clear. induction m as [|[i w] m IH]; intros H; simpl. lia. specialize (IH (fun i w I => H i w (or_intror I))).
      specialize (H i w (or_introl eq_refl)). lia. }
    exists (fun i j => n i (b - j)), idle, bids. rewrite N.sub_0_r. repeat split; auto.
    + intros i w j I J N. apply in_app_or in I as [I|I].
      * assert (i = 0) as -> by now apply IZ in I. unfold n. cbn [N.eqb]. apply row_true with (1 := R0) (2 := I).
        destruct j; [exfalso; now apply N|lia].
      * unfold n. pose proof (BP _ _ I). destruct (N.eqb_spec i 0); [lia|]. eapply TB; eauto.
    + intros E. specialize (F1 E). lia.
    + assert (E : weigh bids (fun i => n i b) = weigh bids (fun i => n1 i b)).
      { clear - BP. unfold n. induction bids as [|[i w] l IH]; simpl; auto. rewrite IH by (intros j u I; apply (BP j u); now right).
        specialize (BP i w (or_introl eq_refl)). destruct (N.eqb_spec i 0); [lia|reflexivity]. }
      rewrite E. specialize (TP bids (fun i w I => W i w (in_or_app _ _ _ (or_intror I)))). nia.
    + intros j J. specialize (QS (b - j) ltac:(lia)). specialize (TP _ W). nia.
Qed.
End Sums.
End Truth.
