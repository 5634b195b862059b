(** * Games of simultaneous moves whose plays may never end

    Some pairs of moves leave the state as it is; every other turn brings the end nearer. So an infinite play stays in one state
    from some turn on, and A wins and B loses this state's [endless] payoff.

    No measure theory is needed. The payoff of a play is the limit of its averages: let A get the endless payoff of the present
    state in every turn, and the payoff of the end in every turn after it. A strategy secures [q] if, for every fraction above 0,
    from some number of turns on all averages are at least [q] less this fraction on average over chance, whatever the opponent
    does. *)

From Coq Require Import ZArith QArith Qround List Field Lia Lqa.
From PencilTennis Require Import Numbers Game Symmetry.
Import ListNotations.

(** [once] has the states, the moves, and the successors of the pairs of moves that do not repeat the state. *)
Record endless_game := {
  once :> game;
  repeats : state once -> move once -> move once -> bool;
  endless : state once -> Q }.

Section Play.
Open Scope field_scope.
Variable F : ordered_field.
Variable G : endless_game.
Add Field laws : (field_laws F).
Implicit Types (p : state G) (i j : move G) (s t : strategy F G) (d : mixture F G).
Notation mean := (mean F G).

Definition follows p i j : result (state G) := if repeats G p i j then Goes_on p else after G p i j.

(** The histories of legal moves, and the states they lead to. *)
Inductive leads : state G -> history G -> state G -> Prop :=
| start p : leads p [] p
| turn p i j p1 h p2 : In i (moves_A G p) -> In j (moves_B G p) -> follows p i j = Goes_on p1 ->
    leads p1 h p2 -> leads p ((i, j) :: h) p2.

Definition proper_A p s := forall h p', leads p h p' -> distribution F G (moves_A G p') (s h).
Definition proper_B p t := forall h p', leads p h p' -> distribution F G (moves_B G p') (t h).

Definition count (n : nat) : F := integer (Z.of_nat n).

(** A's total payoff of [n] turns. *)
Fixpoint gain (n : nat) s t p : F :=
  match n with
  | O => 0
  | S n => ratio (endless G p) + mean (s []) (fun i => mean (t []) (fun j =>
      match follows p i j with
      | Ends v => count n * ratio v
      | Goes_on p' => gain n (later F G s i j) (later F G t i j) p'
      end))
  end.
Definition average (n : nat) s t p : F := gain (S n) s t p / count (S n).

Definition A_secures_with s p (q : F) := proper_A p s /\ forall e : Q, (0 < e)%Q ->
  exists N, forall n t, (N <= n)%nat -> proper_B p t -> q - ratio e <= average n s t p.
Definition B_secures_with t p (q : F) := proper_B p t /\ forall e : Q, (0 < e)%Q ->
  exists N, forall n s, (N <= n)%nat -> proper_A p s -> average n s t p <= q + ratio e.
Definition A_secures p (q : F) := exists s, A_secures_with s p q.
Definition B_secures p (q : F) := exists t, B_secures_with t p q.

(** ** Numbers of turns *)

Lemma count_S n : count (S n) = 1 + count n.
Proof. unfold count. rewrite Nat2Z.inj_succ, <- Z.add_1_l, integer_add, integer_1. reflexivity. Qed.

Lemma count_nonneg n : 0 <= count n.
Proof. apply integer_nonneg. lia. Qed.

Lemma count_not_0 n : count (S n) <> 0.
Proof. unfold count. rewrite Nat2Z.inj_succ. destruct (Z.succ (Z.of_nat n)) eqn:E; try lia. apply integer_not_0. Qed.

Lemma le_div n x y : count (S n) * x <= y -> x <= y / count (S n).
Proof.
  intros H. apply le_difference. replace (y / count (S n) - x) with (inv (count (S n)) * (y - count (S n) * x))
    by (field; apply count_not_0).
  apply mul_nonneg. apply inv_nonneg. apply count_nonneg. apply count_not_0. now apply (proj1 (le_difference F _ _)).
Qed.

Lemma ratio_of_count n : ratio (inject_Z (Z.of_nat n)) = count n.
Proof. unfold ratio, inject_Z, count. cbn [Qnum Qden]. rewrite integer_1. field. apply one_not_zero. Qed.

(** ** A constant below

    A player who gets at least [n q] less a constant in [n] turns secures [q]. *)

Definition keeps p s (q : F) (c : nat) := forall n t, proper_B p t -> count n * q - count c <= gain n s t p.

Theorem keeps_secures s p q c : proper_A p s -> keeps p s q c -> A_secures_with s p q.
Proof.
  intros S H. split; [exact S|]. intros e E.
  exists (Z.to_nat (Qceiling (inject_Z (Z.of_nat c) / e))). intros n t N T. apply le_div.
  apply le_trans with (2 := H (Datatypes.S n) t T). apply le_difference.
  replace (count (Datatypes.S n) * q - count c - count (Datatypes.S n) * (q - ratio e)) with (count (Datatypes.S n) * ratio e - count c) by ring.
  apply (proj1 (le_difference F _ _)). rewrite <- !ratio_of_count, <- ratio_mul. apply ratio_le.
  apply Qle_trans with (inject_Z (Z.of_nat c) / e * e)%Q.
  - rewrite Qmult_comm, Qmult_div_r. apply Qle_refl. intros Z. rewrite Z in E. discriminate E.
  - apply Qmult_le_compat_r; [|now apply Qlt_le_weak]. eapply Qle_trans; [apply Qle_ceiling|]. rewrite <- Zle_Qle. lia.
Qed.

(** ** Stationary strategies *)

Section Stationary.
Variables (Is : state G -> Prop) (mix : state G -> mixture F G).
Hypothesis stays : forall p i j p', Is p -> In i (moves_A G p) -> In j (moves_B G p) ->
  follows p i j = Goes_on p' -> Is p'.
Hypothesis mixes : forall p, Is p -> distribution F G (moves_A G p) (mix p).

Definition stationary p : strategy F G := fun h => mix (arrived follows p h).

Lemma stationary_later p i j p' : follows p i j = Goes_on p' -> later F G (stationary p) i j =
  stationary p'.
Proof. intros E. unfold later, stationary. cbn [arrived]. now rewrite E. Qed.

Lemma stationary_proper p : Is p -> proper_A p (stationary p).
Proof.
  intros P h p' L. induction L as [p|p i j p1 h p2 I J E L IH].
  - now apply mixes.
  - unfold stationary. cbn [arrived]. rewrite E. apply IH. eapply stays; eauto.
Qed.

Definition A_keeps p (q : F) := exists c, keeps p (stationary p) q c.

Lemma A_keeps_secures p q : Is p -> A_keeps p q -> A_secures_with (stationary p) p q.
Proof. intros P [c H]. apply keeps_secures with c; auto. now apply stationary_proper. Qed.

Lemma proper_B_later p t i j p' : proper_B p t -> In i (moves_A G p) -> In j (moves_B G p) -> follows p i j = Goes_on p' ->
  proper_B p' (later F G t i j).
Proof. intros T I J E h p2 L. apply T. econstructor; eauto. Qed.

Lemma proper_B_now p t : proper_B p t -> distribution F G (moves_B G p) (t []).
Proof. intros T. apply (T []). constructor. Qed.

(** From finitely many pairs of moves on, one constant serves all. *)
Lemma one_for_all (P : move G -> move G -> nat -> Prop) (l m : list (move G)) :
  (forall i j c c', P i j c -> (c <= c')%nat -> P i j c') ->
  (forall i j, In i l -> In j m -> exists c, P i j c) -> exists c, forall i j, In i l -> In j m -> P i j c.
Proof.
  intros M H. induction l as [|i l IH]. exists O; easy.
  destruct IH as [c C]. { intros; apply H; auto. now right. }
  assert (K : exists c, forall j, In j m -> P i j c).
  { clear C. assert (H' : forall j, In j m -> exists c, P i j c) by (intros; apply H; auto; now left). clear H.
    induction m as [|j m IHm]. exists O; easy. destruct IHm as [c1 C1]. intros; apply H'; now right.
    destruct (H' j) as [c2 C2]. now left. exists (c1 + c2)%nat. intros k [<-|I]; [apply M with c2|apply M with c1]; auto; lia. }
  destruct K as [c' C']. exists (c + c')%nat. intros k j [<-|I] J; [apply M with c'|apply M with c]; auto; lia.
Qed.

Definition A_keeps_after (r : result (state G)) (q : F) :=
  match r with Ends v => q <= ratio v | Goes_on p => A_keeps p q end.

(** The probability that a mixture leaves the state against the move [j], and its payoff then. *)
Definition leaving p d j : F := mean d (fun i => if repeats G p i j then 0 else 1).
Definition left_for p d (w : move G -> move G -> F) j : F := mean d (fun i => if repeats G p i j then 0 else w i j).
Definition answered p d w (q : Q) j :=
  (exists T, 1 <= count T * leaving p d j) /\ ratio q * leaving p d j <= left_for p d w j \/
  (forall i, In i (map fst d) -> repeats G p i j = true) /\ (q <= endless G p)%Q.

(** The mixture [mix p], until the state is left, and what follows. *)
Theorem A_keeps_turn p (q : Q) (w : move G -> move G -> F) : Is p ->
  (forall i j, In i (map fst (mix p)) -> In j (moves_B G p) -> repeats G p i j = false ->
    A_keeps_after (after G p i j) (w i j)) ->
  (forall j, In j (moves_B G p) -> answered p (mix p) w q j) -> A_keeps p (ratio q).
Proof.
  intros P0 H Q. pose proof (mixes p P0) as D. set (d := mix p) in *.
  (* One constant serves all pairs of moves. *)
  assert (C : exists c, forall i j, In i (moves_A G p) -> In j (moves_B G p) -> repeats G p i j = false -> In i (map fst d) ->
    match after G p i j with Ends v => w i j <= ratio v
      | Goes_on p' => keeps p' (stationary p') (w i j) c end).
  { apply (one_for_all (fun i j c => repeats G p i j = false -> In i (map fst d) ->
      match after G p i j with Ends v => w i j <= ratio v
        | Goes_on p' => keeps p' (stationary p') (w i j) c end)).
    - intros i j c c' K L R I. specialize (K R I). destruct (after G p i j) as [|p']; auto.
      intros n t P.
      apply le_trans with (2 := K n t P).
      apply le_difference. replace (count n * w i j - count c - (count n * w i j - count c'))
        with (count c' - count c) by ring.
      apply (proj1 (le_difference F _ _)), integer_le. lia.
    - intros i j I J. destruct (in_dec (same_move G) i (map fst d)) as [M|M]. 2: now exists O.
      destruct (repeats G p i j) eqn:R. now exists O. specialize (H i j M J R).
      destruct (after G p i j) as [v|p'].
      now exists O. destruct H as [c H]. now exists c. }
  destruct C as [c C].
  assert (T : exists T, forall j, In j (moves_B G p) -> answered p d w q j ->
    1 <= count T * leaving p d j /\ ratio q * leaving p d j <= left_for p d w j \/
    (forall i, In i (map fst d) -> repeats G p i j = true) /\ (q <= endless G p)%Q).
  { destruct (moves_A G p) as [|i l] eqn:M. now apply moves_A_exist in M.
    destruct (one_for_all (fun _ j T => answered p d w q j -> 1 <= count T * leaving p d j /\
      ratio q * leaving p d j <= left_for p d w j \/ (forall i, In i (map fst d) -> repeats G p i j = true) /\ (q <= endless G p)%Q)
      [i] (moves_B G p)) as [T HT].
    - intros _ j T T' L N A. destruct (L A) as [[L1 L2]|L1]; auto. left. split; auto. apply le_trans with (1 := L1).
      replace (count T * leaving p d j) with (leaving p d j * count T) by ring.
      replace (count T' * leaving p d j) with (leaving p d j * count T') by ring. apply mul_le. 2: apply integer_le; lia.
      apply mean_ge with (moves_A G p); [now rewrite M|]. intros k _. destruct (repeats G p k j). apply le_refl. apply zero_le_one.
    - intros _ j _ J. destruct (Q j J) as [[[T A] B]|A]; [exists T|exists O]; auto.
    - exists T. intros j J. apply (HT i j); auto. now left. }
  destruct T as [T HT].
  set (K0 := Z.to_nat (Qceiling (q - endless G p))).
  assert (E : ratio q <= ratio (endless G p) + count K0).
  { rewrite <- ratio_of_count, <- ratio_add. apply ratio_le. apply Qle_trans with (endless G p + (q - endless G p))%Q.
    ring_simplify. apply Qle_refl. apply Qplus_le_compat. apply Qle_refl. eapply Qle_trans. apply Qle_ceiling.
    rewrite <- Zle_Qle. unfold K0. lia. }
  exists (c + K0 * T)%nat.
  set (k := (c + K0 * T)%nat).
  assert (Ek : count k = count c + count K0 * count T).
  { unfold k, count. now rewrite Nat2Z.inj_add, Nat2Z.inj_mul, integer_add, integer_mul. }
  intros n. induction n as [|n IH]; intros t P.
  { simpl gain. apply le_difference. replace (0 - (count 0 * ratio q - count k)) with (count k).
    apply count_nonneg. change (count 0) with (0 : F). ring. }
  cbn [gain]. change (stationary p []) with d. rewrite mean_swap.
  pose proof (proper_B_now p t P) as DB. rewrite count_S.
  (* Against every single move of B. *)
  enough (X : forall j, In j (moves_B G p) -> count n * ratio q - count k + ratio q - ratio (endless G p) <=
    mean d (fun i => match follows p i j with Ends v => count n * ratio v
      | Goes_on p' => gain n (later F G (stationary p) i j) (later F G t i j) p' end)).
  { apply (mean_ge F G (moves_B G p) (t [])) in X; auto. apply (add_le F _ _ (ratio (endless G p))) in X.
    refine (le_trans F _ _ _ _ X). apply le_difference. match goal with |- 0 <= ?x => replace x with (0 : F) by ring end. apply le_refl. }
  intros j J.
  set (low := count n * ratio q - count k).
  assert (Y : mean d (fun i => if repeats G p i j then low else count n * w i j - count c) <=
    mean d (fun i => match follows p i j with Ends v => count n * ratio v
      | Goes_on p' => gain n (later F G (stationary p) i j) (later F G t i j) p' end)).
  { apply mean_le_support. apply D. intros i x I. pose proof (proj1 D i x I) as [M _]. apply (in_map fst) in I. cbn [fst] in I.
    specialize (C i j M J).
    assert (TL : forall p', follows p i j = Goes_on p' -> proper_B p' (later F G t i j)) by (intros; eapply proper_B_later; eauto).
    pose proof (stationary_later p i j) as SL. unfold follows in *. destruct (repeats G p i j).
    { rewrite (SL p eq_refl). now apply IH, TL. }
    specialize (C eq_refl I). destruct (after G p i j) as [v|p']. 2: { rewrite (SL p' eq_refl).
    now apply C, TL. }
    apply le_trans with (count n * w i j).
    - apply le_difference. replace (count n * w i j - (count n * w i j - count c)) with (count c) by ring. apply count_nonneg.
    - apply mul_le; auto. apply count_nonneg. }
  refine (le_trans F _ _ _ _ Y). clear Y.
  destruct (HT j J (Q j J)) as [[A B]|[A B]].
  - set (lambda := leaving p d j) in *.
    rewrite (mean_eq F G d _ (fun i => low +
      ((- low - count c) * (if repeats G p i j then 0 else 1) + count n * (if repeats G p i j then 0 else w i j)))).
    2: { intros i x _. destruct (repeats G p i j); ring. }
    rewrite !mean_add, !mean_mul. fold (leaving p d j). fold (left_for p d w j). fold lambda. rewrite (mean_const F G _ _ _ D).
    apply le_trans with (low + (- low - count c) * lambda + count n * (ratio q * lambda)).
    + apply le_trans with (low + count K0).
      * fold low. replace (low + ratio q - ratio (endless G p)) with (low + (ratio q - ratio (endless G p))) by ring. apply add_le.
        apply le_difference. replace (count K0 - (ratio q - ratio (endless G p))) with (ratio (endless G p) + count K0 - ratio q) by ring.
        now apply (proj1 (le_difference F _ _)).
      * replace (low + (- low - count c) * lambda + count n * (ratio q * lambda)) with (low + count K0 * (count T * lambda))
          by (unfold low; rewrite Ek; ring).
        apply add_le. replace (count K0) with (count K0 * 1) at 1 by ring. apply mul_le; auto. apply count_nonneg.
    + replace (low + ((- low - count c) * lambda + count n * left_for p d w j)) with
        (low + (- low - count c) * lambda + count n * left_for p d w j) by ring.
      apply add_le. apply mul_le; auto. apply count_nonneg.
  - rewrite (mean_eq F G d _ (fun _ => low)). 2: { intros i x I. apply (in_map fst) in I. cbn [fst] in I. now rewrite (A i I). }
    rewrite (mean_const F G _ _ _ D). fold low. apply le_difference.
    replace (low - (low + ratio q - ratio (endless G p))) with (ratio (endless G p) - ratio q : F) by ring.
    apply (proj1 (le_difference F (ratio q) (ratio (endless G p)))). now apply ratio_le.
Qed.
End Stationary.
End Play.

(** ** The players exchanged *)

Definition opposite_endless (G : endless_game) : endless_game :=
  {| once := opposite (once G); repeats := fun p j i => repeats G p i j; endless := fun p => (- endless G p)%Q |}.

Section Opposite.
Open Scope field_scope.
Variables (F : ordered_field) (G : endless_game).
Add Field laws' : (field_laws F).
Implicit Types (s t u v : strategy F G).

Lemma follows_opposite p i j : follows (opposite_endless G) p j i = negate (follows G p i j).
Proof. unfold follows. simpl. now destruct (repeats G p i j). Qed.

Lemma leads_opposite p h p' : leads G p h p' -> leads (opposite_endless G) p (turn_over h) p'.
Proof.
  induction 1 as [p|p i j p1 h p2 I J E L IH]; [constructor|].
  apply (turn (opposite_endless G) p j i p1); auto. now rewrite follows_opposite, E.
Qed.

Lemma leads_opposite_back p h p' : leads (opposite_endless G) p h p' -> leads G p (turn_over h) p'.
Proof.
  induction 1 as [p|p j i p1 h p2 J I E L IH]; [constructor|].
  apply (turn G p i j p1); auto. rewrite follows_opposite in E. destruct (follows G p i j); simpl in E; congruence.
Qed.

Lemma gain_opposite n : forall s t u v (p : state G), (forall h, u h = s (turn_over h)) -> (forall h, v h = t (turn_over h)) ->
  gain F (opposite_endless G) n v u p = - gain F G n s t p.
Proof.
  induction n as [|n IH]; intros s t u v p U V. simpl. ring.
  change (ratio (- endless G p) + mean F G (v []) (fun j => mean F G (u []) (fun i =>
    match follows (opposite_endless G) p j i with
    | Ends w => count F n * ratio w
    | Goes_on p' => gain F (opposite_endless G) n (later F G v j i) (later F G u j i) p'
    end)) = - gain F G (S n) s t p).
  cbn [gain]. rewrite (U []), (V []), ratio_opp, (mean_swap F G (t [])). change (turn_over []) with (@nil (move G * move G)).
  match goal with |- _ + ?x = - (_ + ?y) => replace x with (- y) end.
  - ring.
  - rewrite <- (mean_opp F G). apply mean_eq. intros i x _. rewrite <- mean_opp. apply mean_eq. intros j y _.
    rewrite follows_opposite. destruct (follows G p i j) as [w|p']; simpl. rewrite ratio_opp. ring.
    symmetry. apply (IH (later F G s i j) (later F G t i j)); intros h; unfold later; [now rewrite U|now rewrite V].
Qed.

Theorem B_secures_opposite (s t : strategy F G) (p : state G) q : (forall h, t h = s (turn_over h))
  ->
  A_secures_with F (opposite_endless G) s p (- q) -> B_secures_with F G t p q.
Proof.
  intros Et (T & H). split.
  { intros h p' L. rewrite Et. apply (T (turn_over h)). now apply leads_opposite. }
  intros e E. destruct (H e E) as [N K]. exists N. intros n u L U.
  assert (U' : proper_B F (opposite_endless G) p (fun h => u (turn_over h))).
  { intros h p' L'. apply (U (turn_over h)). now apply leads_opposite_back. }
  specialize (K n _ L U'). unfold average in *.
  rewrite (gain_opposite (Datatypes.S n) u t) in K; auto.
  2: { intros h. now rewrite Et, turn_over_twice. }
  apply (proj2 (opp_le F _ _)).
  change (- (q + ratio e) <= - (gain F G (Datatypes.S n) u t p / count F (Datatypes.S n))).
  replace (- (q + ratio e)) with (- q - ratio e) by ring.
  set (x := gain F G (Datatypes.S n) u t p) in *. pose proof (count_not_0 F n) as C.
  replace (- (x / count F (Datatypes.S n))) with (- x / count F (Datatypes.S n)) by now field.
  exact K.
Qed.
End Opposite.

(** A secures at most as much as B concedes. *)
Section Order.
Open Scope field_scope.
Variables (F : ordered_field) (G : endless_game).
Add Field laws'' : (field_laws F).

Theorem endless_order p (q r : Q) : A_secures F G p (ratio q) -> B_secures F G p (ratio r) -> (q <= r)%Q.
Proof.
  intros (s & S & H) (t & T & K). apply Qnot_lt_le. intros L. apply Qlt_minus_iff in L.
  set (e := ((q + - r) * (1 # 3))%Q). assert (E : (0 < e)%Q) by (unfold e; now apply Qmult_lt_0_compat).
  destruct (H e E) as [N HN], (K e E) as [M KM].
  specialize (HN (N + M)%nat t ltac:(lia) T). specialize (KM (N + M)%nat s ltac:(lia) S).
  pose proof (le_trans F _ _ _ HN KM) as X.
  replace (ratio q - ratio e) with (ratio q + - ratio e : F) in X by ring.
  rewrite <- ratio_opp, <- !ratio_add in X. apply ratio_le_iff in X.
  apply (Qplus_le_l _ _ (e + - r)) in X. assert (Y : (q + - r <= 2 * e)%Q).
  { eapply Qle_trans; [|eapply Qle_trans; [exact X|]]; ring_simplify; apply Qle_refl. }
  unfold e in Y. revert L Y. generalize (q + - r)%Q. intros x L Y. lra.
Qed.
End Order.
