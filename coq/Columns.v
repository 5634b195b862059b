(** * Bounds kept in columns, and what a player secures by them

    A column has what A secures wherever A has a certain number of points left: for every ball a list by falling points of B. So
    what follows one bid of A, and the bids of B in their order, are pieces of three such lists, which are walked along side by
    side: nothing is looked up. Every list is labelled, and a list with another label than expected is not used.

    Here is the computation for A. That for B is the same in the mirrored game. *)

From Coq Require Import ZArith NArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Game Check Tennis Sums.
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

(** What A secures where the ball lies, B having [height - 1], ..., 0 points. [marks] are the parts of this list that begin at some
    of the heights, so that it need not be walked along from its beginning. *)
Definition heights : Type := list (N * list value).
Record line := { ball : Z; height : N; values : list value; marks : heights }.
Record column := { own : N; lines : list line }.

(** A ball, the balls that follow it, and their places in a column; a ball that is out has none. *)
Record spot := { here : Z; here_at : nat; up : Z; up_at : option nat; down : Z; down_at : option nat }.
Definition place (r : rules) (x : Z) : option nat :=
  if (Z.abs x <=? Z.of_N (field r))%Z then Some (Z.to_nat (x + Z.of_N (field r))) else None.
Definition spot_of (r : rules) (x : Z) : spot :=
  let up := moved (motion r) x 1 0 in
  let down := moved (motion r) x 0 1 in
  {| here := x; here_at := Z.to_nat (x + Z.of_N (field r)); up := up; up_at := place r up; down := down; down_at := place r down |}.

(** The last [k] values of a list of [h]. *)
Fixpoint without (n : Z) (l : list value) : option (list value) :=
  if (n =? 0)%Z then Some l else match l with [] => None | _ :: l => without (Z.pred n) l end.
Fixpoint nearest (h : N) (l : list value) (marks : heights) (k : N) : N * list value :=
  match marks with (t, m) :: marks => if k <=? t then nearest t m marks k else (h, l) | [] => (h, l) end.
Definition lowest_values (ln : line) (k : N) : option (list value) :=
  let (h, l) := nearest (height ln) (values ln) (marks ln) k in without (Z.of_N h - Z.of_N k) l.

Definition values_at (c : column) (at_place : nat) (x : Z) (k : N) : option (list value) :=
  given ln := nth_error (lines c) at_place in
  if (ball ln =? x)%Z then lowest_values ln k else None.

Fixpoint all_be (y : value) (l : list value) : list value := match l with [] => [] | _ :: l => y :: all_be y l end.
Fixpoint first_of (n : Z) (l rest : list value) : list value :=
  if (n =? 0)%Z then rest else match l with [] => [] | y :: l => y :: first_of (Z.pred n) l rest end.

(** What the two outs and endless play are worth to A, rounded down, and the base of estimates. *)
Record worths_to_A := { worth_up : value; worth_down : value; base : Z }.

Section Turn.
Variables (e : worths_to_A) (sp : spot).

(** From balls that may be out; the values of the ball that stays say how many there are. *)
Definition from (c : column) (x : Z) (at_place : option nat) (out : value) (k : N) : option (list value) :=
  match at_place with
  | Some n => values_at c n x k
  | None => given l := values_at c (here_at sp) (here sp) k in Some (all_be out l)
  end.

(** What follows A's bid [i] if B, with [b] points, has [k - 1], ..., 0 of them left; [c] is the column with A's points then. *)
Definition following (c : column) (i b k : N) : option (list value) :=
  if b <? i then from c (up sp) (up_at sp) (worth_up e) k
  else
    let lower_bids := b - i in
    given rest := from c (down sp) (down_at sp) (worth_down e) lower_bids in
    if k <=? lower_bids then if same_N k lower_bids then Some rest else None
    else
      given same := values_at c (here_at sp) (here sp) (lower_bids + 1) in
      match same with
      | [] => None
      | y :: _ =>
          let n := k - (lower_bids + 1) in
          if same_N n 0 then Some (y :: rest)
          else given l := from c (up sp) (up_at sp) (worth_up e) k in Some (first_of (Z.of_N n) l (y :: rest))
      end.

(** Columns come by falling points. *)
Fixpoint seek (points : N) (columns : list column) : option (column * list column) :=
  match columns with [] => None | c :: rest => if same_N (own c) points then Some (c, columns) else seek points rest end.

Fixpoint rows_of (columns : list column) (a b k : N) (l : weights N) : option weighted :=
  match l with
  | [] => Some []
  | (i, w) :: l =>
      given (c, columns) := seek (a - i) columns in
      given row := following c i b k in
      given rows := rows_of columns a b k l in
      Some ((w, row) :: rows)
  end.

(** The first value of every row, and the others. *)
Fixpoint heads (rows : weighted) : option (Z * weighted) :=
  match rows with
  | [] => Some (0%Z, [])
  | (w, row) :: rows =>
      match row with
      | [] => None
      | y :: row => given (sum, tails) := heads rows in Some ((w * fst y + sum)%Z, (w, row) :: tails)
      end
  end.

Definition quotient (base : Z) (rows : weighted) : option Z :=
  given m := least_sum base rows in
  let w := sum_of_weights rows in
  if (0 <? w)%Z then Some (m / w)%Z else None.

(** What A secures by weights of bids that rise, with [a] points against [b]; columns begin with A's points. *)
Definition secured_once (columns : list column) (a b : N) (l : weights N) : option Z :=
  given rows := rows_of columns a b (b + 1 - lowest false b) l in quotient (base e) rows.

(** The same where two bids of 0 repeat the state: against the bid 0 of B only A's other bids count, and without any, endless
    play. *)
Definition against_zero (stays : Z) (sum : Z) (weight : Z) : Z := if (0 <? weight)%Z then (sum / weight)%Z else stays.

Definition secured_until_left (stays : Z) (columns : list column) (a b : N) (l : weights N) : option Z :=
  let (idle, bids) := match l with (0, w) :: l => ([(0, w)], l) | _ => ([], l) end in
  given rows := rows_of columns a b (b + 1) bids in
  given (sum, tails) := heads rows in
  let first := against_zero stays sum (sum_of_weights rows) in
  if same_N b 0 then Some first
  else
    given rows0 := rows_of columns a b b idle in
    given z := quotient (base e) (rows0 ++ tails) in
    Some (if (z <? first)%Z then z else first).
End Turn.

(** Weights are positive, of legal bids that rise. *)
Fixpoint valid_from (zero : bool) (points first : N) (l : weights N) : bool :=
  match l with
  | [] => true
  | (i, w) :: l => (first <=? i) && legal_bid zero points i && (0 <? w)%Z && valid_from zero points (i + 1) l
  end.
Definition valid (zero : bool) (points : N) (l : weights N) : bool :=
  match l with [] => false | _ :: _ => valid_from zero points 0 l end.

(** ** What is computed is true *)

Lemma valid_from_spec zero points l : forall first, valid_from zero points first l = true ->
  NoDup (map fst l) /\ forall i w, In (i, w) l -> (first <= i /\ lowest zero points <= i <= points /\ (0 < w)%Z)%N.
Proof.
  induction l as [|[i w] l IH]; cbn [valid_from]; intros first H. split; [constructor|easy].
  unfold legal_bid in H. rewrite !andb_true_iff, !N.leb_le, Z.ltb_lt in H. destruct H as [[[F L] W] H]. apply IH in H as [D H]. split.
  - constructor; auto. intros I. apply in_map_iff in I as ([j v] & E & I). simpl in E. subst j. apply H in I. lia.
  - intros j v [[= <- <-]|I]. auto. apply H in I. destruct I as (? & ? & ?). repeat split; auto; lia.
Qed.

Section Truth.
Variables (r : rules) (e : worths_to_A).

(** What it means that A secures a number where A has [a] points, B has [b], and the ball lies at [x]. *)
Variable P : N -> N -> Z -> Z -> Prop.

Inductive true_values (a : N) (x : Z) : N -> list value -> Prop :=
| true_none : true_values a x 0 []
| true_more k y l : P a k x (fst y) -> good (base e) y -> true_values a x k l -> true_values a x (N.succ k) (y :: l).
Definition true_line (a : N) (ln : line) : Prop :=
  true_values a (ball ln) (height ln) (values ln) /\ Forall (fun m => true_values a (ball ln) (fst m) (snd m)) (marks ln).
Definition true_column (c : column) : Prop := Forall (true_line (own c)) (lines c).

(** After the bids [i] and [b - k] of players with [a] and [b] points, A has [a - i] left, and B has [k]. *)
Definition true_after (a : N) (x : Z) (i b k : N) (v : Z) : Prop :=
  let x' := moved (motion r) x i (b - k) in
  ((Z.of_N (field r) < x' /\ v = fst (worth_up e)) \/ (x' < - Z.of_N (field r) /\ v = fst (worth_down e)) \/
   (Z.abs x' <= Z.of_N (field r) /\ P (a - i) k x' v))%Z.

(** A row that is true where [C] holds of the points that B has left. *)
Inductive true_row (C : N -> Prop) (a : N) (x : Z) (i b : N) : N -> list value -> Prop :=
| true_row_none : true_row C a x i b 0 []
| true_row_more k y l : (C k -> true_after a x i b k (fst y)) -> good (base e) y -> true_row C a x i b k l ->
    true_row C a x i b (N.succ k) (y :: l).
Definition everywhere (k : N) : Prop := True.

Hypothesis good_up : good (base e) (worth_up e).
Hypothesis good_down : good (base e) (worth_down e).

Lemma nearest_true a x marks k : Forall (fun m => true_values a x (fst m) (snd m)) marks -> forall h l, true_values a x h l ->
  true_values a x (fst (nearest h l marks k)) (snd (nearest h l marks k)).
Proof. induction 1 as [|[t m] marks M _ IH]; intros h l T; cbn [nearest]; auto. destruct (k <=? t); auto. Qed.

Lemma without_true a x l h k l' : true_values a x h l -> without (Z.of_N h - Z.of_N k) l = Some l' -> true_values a x k l'.
Proof.
  revert h. induction l as [|y l IH]; intros h T; cbn [without].
  - destruct (Z.eqb_spec (Z.of_N h - Z.of_N k) 0); [|discriminate]. intros [= <-]. now replace k with h by lia.
  - destruct (Z.eqb_spec (Z.of_N h - Z.of_N k) 0). intros [= <-]. now replace k with h by lia.
    inversion T as [|m y' l1 Y G T']; subst. replace (Z.pred (Z.of_N (N.succ m) - Z.of_N k)) with (Z.of_N m - Z.of_N k)%Z by lia.
    now apply IH.
Qed.

Lemma values_at_true c n x k l : true_column c -> values_at c n x k = Some l -> true_values (own c) x k l.
Proof.
  unfold values_at. intros T. destruct (nth_error (lines c) n) as [ln|] eqn:E; [|discriminate].
  destruct (Z.eqb_spec (ball ln) x) as [<-|]; [|discriminate]. unfold lowest_values.
  apply nth_error_In in E. apply (proj1 (Forall_forall _ _) T) in E as [V M].
  apply (nearest_true _ _ _ k) with (h := height ln) (l := values ln) in M; auto.
  destruct (nearest _ _ _ _) as [h l']. now apply without_true.
Qed.

Lemma moved_up m x i j : j < i -> moved m x i j = moved m x 1 0.
Proof. intros H. unfold moved. now rewrite (proj2 (N.compare_gt_iff i j) H). Qed.
Lemma moved_down m x i j : i < j -> moved m x i j = moved m x 0 1.
Proof. intros H. unfold moved. now rewrite (proj2 (N.compare_lt_iff i j) H). Qed.
Lemma moved_same m x i : moved m x i i = x.
Proof. unfold moved. now rewrite N.compare_refl. Qed.

Lemma moved_up_more m x : (x < moved m x 1 0)%Z.
Proof. unfold moved. simpl. destruct m; [destruct (Z.leb_spec x 0)|]; lia. Qed.
Lemma moved_down_less m x : (moved m x 0 1 < x)%Z.
Proof. unfold moved. simpl. destruct m; [destruct (Z.leb_spec 0 x)|]; lia. Qed.

Section Row.
Variables (a b i : N) (x : Z) (c : column).
Hypothesis inside : (Z.abs x <= Z.of_N (field r))%Z.
Hypothesis is_true : true_column c.
Hypothesis is_own : own c = a - i.
Let sp := spot_of r x.

Lemma same_row (C : N -> Prop) x' k l : (Z.abs x' <= Z.of_N (field r))%Z -> (forall m, C m -> moved (motion r) x i (b - m) = x') ->
  true_values (own c) x' k l -> true_row C a x i b k l.
Proof.
  intros I H T. induction T as [|k y l Y G T IH]; constructor; auto.
  intros K. unfold true_after. rewrite H by auto. rewrite is_own in Y. auto.
Qed.

Lemma out_row (C : N -> Prop) y k l : good (base e) y -> (forall m, C m -> true_after a x i b m (fst y)) ->
  true_values (own c) x k l -> true_row C a x i b k (all_be y l).
Proof. intros G H T. induction T as [|k z l _ _ T IH]; cbn [all_be]; constructor; auto. Qed.

Lemma from_up k l : from sp c (up sp) (up_at sp) (worth_up e) k = Some l -> true_row (fun m => b - m < i) a x i b k l.
Proof.
  unfold from, sp, spot_of. cbn [up up_at here here_at]. unfold place.
  destruct (Z.leb_spec (Z.abs (moved (motion r) x 1 0)) (Z.of_N (field r))) as [L|L].
  - intros E. apply values_at_true in E; auto. eapply same_row; eauto. intros m M. now apply moved_up.
  - destruct (values_at _ _ _ _) as [l'|] eqn:E; [|discriminate]. intros [= <-]. apply values_at_true in E; auto.
    apply out_row; auto. intros m M. unfold true_after. rewrite moved_up by auto. pose proof (moved_up_more (motion r) x). left. lia.
Qed.

Lemma from_down k l : from sp c (down sp) (down_at sp) (worth_down e) k = Some l -> true_row (fun m => i < b - m) a x i b k l.
Proof.
  unfold from, sp, spot_of. cbn [down down_at here here_at]. unfold place.
  destruct (Z.leb_spec (Z.abs (moved (motion r) x 0 1)) (Z.of_N (field r))) as [L|L].
  - intros E. apply values_at_true in E; auto. eapply same_row; eauto. intros m M. now apply moved_down.
  - destruct (values_at _ _ _ _) as [l'|] eqn:E; [|discriminate]. intros [= <-]. apply values_at_true in E; auto.
    apply out_row; auto. intros m M. unfold true_after. rewrite moved_down by auto. pose proof (moved_down_less (motion r) x).
    right. left. lia.
Qed.

Lemma all_true (C : N -> Prop) k l : (forall m, m < k -> C m) -> true_row C a x i b k l -> true_row everywhere a x i b k l.
Proof. intros H T. induction T as [|k y l Y G T IH]; constructor; auto. intros _. apply Y, H. lia. apply IH. intros; apply H; lia. Qed.

Lemma first_of_true (C : N -> Prop) m rest k l : true_row C a x i b k l -> true_row everywhere a x i b m rest -> m <= k ->
  (forall m', m <= m' -> C m') -> true_row everywhere a x i b k (first_of (Z.of_N (k - m)) l rest).
Proof.
  intros T R. induction T as [|k y l Y G T IH]; intros M H; cbn [first_of].
  - replace m with 0 in * by lia. exact R.
  - destruct (Z.eqb_spec (Z.of_N (N.succ k - m)) 0) as [E|E].
    + replace (N.succ k) with m by lia. exact R.
    + replace (Z.pred (Z.of_N (N.succ k - m))) with (Z.of_N (k - m)) by lia. constructor; auto. intros _. apply Y, H. lia.
      apply IH; auto. lia.
Qed.

Lemma following_true k l : k <= b + 1 -> following e sp c i b k = Some l -> true_row everywhere a x i b k l.
Proof.
  intros K. unfold following. destruct (N.ltb_spec b i) as [L|L].
  { intros H. apply from_up in H. apply all_true with (2 := H). lia. }
  destruct (from sp c (down sp) _ _ _) as [rest|] eqn:R; [|discriminate]. apply from_down in R.
  assert (R' : true_row everywhere a x i b (b - i) rest) by (apply all_true with (2 := R); lia). clear R.
  destruct (N.leb_spec k (b - i)). destruct (same_spec k (b - i)) as [->|]; [|discriminate]. now intros [= <-].
  destruct (values_at c _ _ _) as [[|y same]|] eqn:S; try discriminate. apply values_at_true in S; auto.
  assert (Y : true_row everywhere a x i b (b - i + 1) (y :: rest)).
  { rewrite N.add_1_r in *. inversion S as [|m y' l' Y G T]; subst. replace m with (b - i) in * by lia. constructor; auto.
    intros _. unfold true_after. replace (b - (b - i)) with i by lia. rewrite moved_same. rewrite <- is_own. auto. }
  destruct (same_spec (k - (b - i + 1)) 0). intros [= <-]. now replace k with (b - i + 1) by lia.
  destruct (from sp c (up sp) _ _ _) as [l'|] eqn:U; [|discriminate]. apply from_up in U. intros [= <-].
  apply first_of_true with (1 := U); auto. lia. intros; lia.
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

(** The row of one of A's bids: its weight, and values that are true, of all points that B may have left. *)
Definition row_is (n : N -> N -> Z) (k : N) (iw : N * Z) (row : Z * list value) : Prop :=
  snd iw = fst row /\ Forall (good (base e)) (snd row) /\ listed (n (fst iw)) k (map fst (snd row)) /\
  forall m, m < k -> true_after a x (fst iw) b m (n (fst iw) m).

Lemma rows_of_true k : k <= b + 1 -> forall l columns rows, Forall true_column columns -> rows_of e sp columns a b k l = Some rows ->
  Forall2 (fun iw row => snd iw = fst row /\ true_row everywhere a x (fst iw) b k (snd row)) l rows.
Proof.
  intros K. induction l as [|[i w] l IH]; cbn [rows_of]; intros columns rows T. intros [= <-]. constructor.
  destruct (seek (a - i) columns) as [[c rest]|] eqn:S; [|discriminate]. apply seek_spec in S as (C & O & T'); auto.
  destruct (following e sp c i b k) as [row|] eqn:R; [|discriminate]. apply (following_true a) in R; auto.
  destruct (rows_of e sp rest a b k l) as [rows'|] eqn:E; [|discriminate]. intros [= <-]. constructor; auto. eapply IH; eauto.
Qed.

Lemma row_listed i k l : true_row everywhere a x i b k l -> Forall (good (base e)) l /\
  exists f, listed f k (map fst l) /\ forall m, m < k -> true_after a x i b m (f m).
Proof.
  induction 1 as [|k y l Y G T (A & f & L & H)]. split; [constructor|]. exists (fun _ => 0%Z). split. constructor. lia.
  split; [now constructor|]. exists (fun m => if m =? k then fst y else f m). split.
  - set (g := fun m => if m =? k then fst y else f m). assert (E : g k = fst y) by (unfold g; now rewrite N.eqb_refl).
    cbn [map]. rewrite <- E. apply (listed_more g). assert (H' : forall m, m < k -> g m = f m).
    { intros m M. unfold g. destruct (N.eqb_spec m k); auto; lia. }
    clearbody g. clear - L H'. revert k L H'. generalize (map fst l). intros s k L. induction L as [|k s L IH]; intros H. constructor.
    rewrite <- (H k) by lia. constructor. apply IH. intros; apply H; lia.
  - intros m M. destruct (N.eqb_spec m k) as [->|]. now apply Y. apply H. lia.
Qed.

Lemma choose k l rows : NoDup (map fst l) ->
  Forall2 (fun iw row => snd iw = fst row /\ true_row everywhere a x (fst iw) b k (snd row)) l rows ->
  exists n, Forall2 (row_is n k) l rows.
Proof.
  intros D H. induction H as [|[i w] [w' row] l rows [E T] H IH]. exists (fun _ _ => 0%Z). constructor.
  cbn [map fst snd] in *. inversion_clear D as [|? ? N D']. destruct (IH D') as [n IHn]. apply row_listed in T as (G & f & L & A).
  exists (fun j => if j =? i then f else n j). constructor.
  - unfold row_is. cbn [fst snd]. rewrite N.eqb_refl. auto.
  - clear - IHn N. induction IHn as [|[j v] row l rows R _ IH]; constructor.
    + unfold row_is in *. cbn [fst snd] in *. destruct (N.eqb_spec j i) as [->|]; auto. exfalso. apply N. now left.
    + apply IH. intros I. apply N. now right.
Qed.

Lemma rows_exact n k l rows : Forall2 (row_is n k) l rows -> rows <> [] ->
  listed (fun m => weigh l (fun i => n i m)) k (exact rows).
Proof.
  induction 1 as [|[i w] [w' row] l rows (E & _ & L & _) H IH]; [easy|]. intros _. cbn [fst snd] in *. subst w'. cbn [exact].
  destruct H as [|iw0 row0 l rows R0 H].
  - cbn [weigh]. assert (Q : forall s, listed (fun m => w * n i m)%Z k s -> listed (fun m => w * n i m + 0)%Z k s).
    { clear. induction 1 as [|k s _ IH]. constructor. rewrite <- (Z.add_0_r (w * n i k)) at 1. now apply (listed_more (fun m => w * n i m + 0)%Z). }
    apply Q. now apply listed_times.
  - apply (listed_plus (n i) (fun m => weigh (iw0 :: l) (fun i => n i m))); auto. apply IH. easy.
Qed.

Lemma rows_total n k l rows : Forall2 (row_is n k) l rows -> sum_of_weights rows = total l.
Proof. induction 1 as [|[i w] [w' row] l rows (E & _) H IH]; simpl in *; congruence. Qed.

Lemma rows_good n k l rows : (forall i w, In (i, w) l -> 0 < w)%Z -> Forall2 (row_is n k) l rows ->
  Forall (row_good (base e) (N.to_nat k)) rows.
Proof.
  intros W H. induction H as [|[i w] [w' row] l rows (E & G & L & _) H IH]; constructor.
  - cbn [fst snd] in *. subst w'. split; [|split]; auto. cbn. enough (0 < w)%Z by lia. apply (W i w). now left.
    cbn [snd]. transitivity (length (map fst row)). now rewrite map_length. clear - L. induction L; simpl; lia.
  - apply IH. intros j v I. apply (W j v). now right.
Qed.

Lemma quotient_spec n k l rows z : (forall i w, In (i, w) l -> 0 < w)%Z -> Forall2 (row_is n k) l rows -> quotient (base e) rows = Some z ->
  forall m, m < k -> (z * total l <= weigh l (fun i => n i m))%Z.
Proof.
  intros W R. unfold quotient. destruct (least_sum (base e) rows) as [least|] eqn:L; [|discriminate].
  rewrite (rows_total n k l rows R). destruct (Z.ltb_spec 0 (total l)) as [T|]; [|discriminate]. intros [= <-] m M.
  apply least_sum_least with (k := N.to_nat k) in L. 2: eapply rows_good; eauto.
  assert (N : rows <> []) by (destruct R; [simpl in T; lia|easy]).
  pose proof (listed_all _ (fun s => least <= s)%Z k (exact rows) (rows_exact n k l rows R N) L m M) as H. cbn beta in H.
  pose proof (Z.mul_div_le least (total l) T). lia.
Qed.

(** What A's weights secure: numbers [n] that A secures after each bid [i] and reply [j], and their means. *)
Theorem secured_once_true columns l z : Forall true_column columns -> valid false a l = true ->
  secured_once e sp columns a b l = Some z -> exists n,
    (forall i w j, In (i, w) l -> lowest false b <= j <= b -> true_after a x i b (b - j) (n i j)) /\
    (forall j, lowest false b <= j <= b -> (z * total l <= weigh l (fun i => n i j))%Z).
Proof.
  intros C V. assert (V' : valid_from false a 0 l = true) by now destruct l. apply valid_from_spec in V' as [D V'].
  unfold secured_once. destruct (rows_of _ _ _ _ _ _ _) as [rows|] eqn:R; [|discriminate]. intros Q.
  assert (LO : lowest false b <= b) by (unfold lowest; lia).
  apply rows_of_true in R; auto. 2: lia. apply choose in R as [n R]; auto. exists (fun i j => n i (b - j)). split.
  - intros i w j I J. assert (K : exists row, In row rows /\ row_is n (b + 1 - lowest false b) (i, w) row).
    { clear - R I. induction R as [|iw row l rows H R IH]. easy. destruct I as [->|I]. exists row; split; auto. now left.
      destruct (IH I) as (row' & ? & ?). exists row'. split; auto. now right. }
    destruct K as (row & _ & _ & _ & _ & T). apply T. lia.
  - intros j J. apply (quotient_spec n (b + 1 - lowest false b) l rows z); auto. intros i w I. now apply V' in I. lia.
Qed.

Lemma heads_spec n k l rows sum tails : Forall2 (row_is n (N.succ k)) l rows -> heads rows = Some (sum, tails) ->
  sum = weigh l (fun i => n i k) /\ Forall2 (row_is n k) l tails.
Proof.
  intros H. revert sum tails. induction H as [|[i w] [w' row] l rows (E & G & L & T) H IH]; cbn [heads]; intros sum tails.
  - intros [= <- <-]. split; [reflexivity|constructor].
  - destruct row as [|y row]; [discriminate|]. destruct (heads rows) as [[s t]|]; [|discriminate]. intros [= <- <-].
    destruct (IH s t eq_refl) as [-> F]. cbn [fst snd map] in *. subst w'. inversion L as [|m l' L' Em]; subst.
    apply N.succ_inj in Em. subst m. inversion_clear G. split; [reflexivity|]. constructor; auto. unfold row_is. cbn [fst snd].
    repeat split; auto. intros m M. apply T. lia.
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
  secured_until_left e sp stays columns a b l = Some z -> exists n idle bids, l = idle ++ bids /\
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
    - repeat split; auto. intros i v [[= <- <-]|[]]. auto. intros i v I. cbn in D. inversion_clear D as [|? ? N _].
      destruct i; [|lia]. exfalso. apply N. now apply (in_map fst) in I.
    - repeat split; auto. easy. intros j v I. destruct j; [|lia]. exfalso. destruct I as [[= ]|I]. clear - V I. cbn in V.
      unfold legal_bid in V. rewrite !andb_true_iff in V. destruct V as [_ V].
      assert (H : forall l f, valid_from true a f l = true -> In (0, v) l -> f = 0).
      { clear. induction l as [|[j w] l IH]; [easy|]. cbn [valid_from]. intros f H. rewrite !andb_true_iff, N.leb_le in H.
        destruct H as [[[F _] _] H]. intros [[= -> ->]|I]. lia. apply IH in H; auto. lia. }
      apply H in V; auto. destruct i; discriminate V. }
  destruct S as (idle & bids & -> & E & IZ & BP). subst l.
  destruct (rows_of e sp columns a b (b + 1) bids) as [rows|] eqn:R; [|discriminate].
  apply rows_of_true in R; auto. 2: lia.
  rewrite map_app in D. apply NoDup_parts in D as [DI DB].
  apply choose in R as [n1 R]; auto. rewrite N.add_1_r in R.
  destruct (heads rows) as [[sum tails]|] eqn:H; [|discriminate]. pose proof (rows_total _ _ _ _ R) as T1.
  destruct (heads_spec n1 b bids rows sum tails R H) as [-> TR].
  rewrite T1.
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
  { intros i w j I J. clear - R I J. induction R as [|iw row l rows Q R IH]. easy. destruct I as [->|I]; auto.
    destruct Q as (_ & _ & _ & T). apply T. lia. }
  destruct (same_spec b 0) as [B|B].
  - intros [= <-]. exists (fun i j => n1 i (b - j)), idle, bids. rewrite N.sub_0_r. repeat split; auto.
    + intros i w j I J N. apply in_app_or in I as [I|I]. exfalso. apply N. now apply IZ in I. lia. eapply TB; eauto.
    + intros j J. lia.
  - destruct (rows_of e sp columns a b b idle) as [rows0|] eqn:R0; [|discriminate].
    apply rows_of_true in R0; auto. 2: lia. apply choose in R0 as [n0 R0]; auto.
    set (n := fun i m => if i =? 0 then n0 i m else n1 i m).
    assert (All : Forall2 (row_is n b) (idle ++ bids) (rows0 ++ tails)).
    { apply Forall2_app.
      - clear - R0 IZ. induction R0 as [|[i w] row l rows Q R IH]; constructor. 2: { apply IH. intros j v I. apply (IZ j v). now right. }
        unfold row_is, n in *. cbn [fst] in *. rewrite (IZ i w (or_introl eq_refl)) in *. exact Q.
      - clear - TR BP. induction TR as [|[i w] row l rows Q R IH]; constructor. 2: { apply IH. intros j v I. apply (BP j v). now right. }
        unfold row_is, n in *. cbn [fst] in *. specialize (BP i w (or_introl eq_refl)). destruct (N.eqb_spec i 0); [lia|exact Q]. }
    destruct (quotient (base e) (rows0 ++ tails)) as [q|] eqn:Q; [|discriminate]. intros Z.
    assert (ZL : (z <= q /\ z <= first)%Z) by (injection Z as <-; destruct (Z.ltb_spec q first); lia). clear Z.
    pose proof (quotient_spec n b _ _ q W All Q) as QS.
    assert (TP : forall m : weights N, (forall i w, In (i, w) m -> 0 < w)%Z -> (0 <= total m)%Z).
    { clear. induction m as [|[i w] m IH]; intros H; simpl. lia. specialize (IH (fun i w I => H i w (or_intror I))).
      specialize (H i w (or_introl eq_refl)). lia. }
    exists (fun i j => n i (b - j)), idle, bids. rewrite N.sub_0_r. repeat split; auto.
    + intros i w j I J N. apply in_app_or in I as [I|I].
      * assert (i = 0) as -> by now apply IZ in I. unfold n. cbn [N.eqb]. clear - R0 I J N.
        induction R0 as [|iw row l rows Q R IH]. easy. destruct I as [->|I]; auto. destruct Q as (_ & _ & _ & T). apply T.
        destruct j; [exfalso; now apply N|lia].
      * unfold n. pose proof (BP _ _ I). destruct (N.eqb_spec i 0); [lia|]. eapply TB; eauto.
    + intros E. specialize (F1 E). lia.
    + assert (E : weigh bids (fun i => n i b) = weigh bids (fun i => n1 i b)).
      { clear - BP. unfold n. induction bids as [|[i w] l IH]; simpl; auto. rewrite IH by (intros j v I; apply (BP j v); now right).
        specialize (BP i w (or_introl eq_refl)). destruct (N.eqb_spec i 0); [lia|reflexivity]. }
      rewrite E. specialize (TP bids (fun i w I => W i w (in_or_app _ _ _ (or_intror I)))). nia.
    + intros j J. specialize (QS (b - j) ltac:(lia)). specialize (TP _ W). nia.
Qed.
End Sums.
End Truth.
