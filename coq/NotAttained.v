(** * Payoffs that no strategy attains

    In a recursive game the best payoff that play can reach may be approached and not attained (de Alfaro, Henzinger and Kupferman
    2007). The second part of a certificate claims this by layers and replies of B (docs/game-format.md). Here the claims are stated
    as conditions on the successors, for any rules, and proved to be enough: no strategy of A secures the payoff, with whatever memory,
    in any ordered field, not even beside a nature that is known. *)

From Coq Require Import ZArith NArith QArith Qround Qminmax List Field Lia Lqa.
From PencilTennis Require Import Numbers AnyGame Stationary Nature AnyTables AnyProof InTime AlmostSure LimitSure.
Import ListNotations.

(** ** Claims

    A state may have a layer, with a reply of B. A successor is lower if it has a smaller payoff or a lower layer. *)
Definition lower_than (most : N -> Q) (layer : N -> option (nat * nat)) (p : N) (n : nat) (k : N) : Prop :=
  (most k < most p)%Q \/ exists m j, layer k = Some (m, j) /\ (m < n)%nat.
Definition kept_at (most : N -> Q) (layer : N -> option (nat * nat)) (p : N) (n : nat) (k : N) : Prop :=
  (most k < most p)%Q \/ exists m j, layer k = Some (m, j) /\ (m <= n)%nat.

(** Each action may lead to a lower successor against some reply; or it keeps play in the layer against the state's reply, and
    infinite play pays less than the payoff here, or the height falls. *)
Record hindered (R : rules) (size : nat) (most : N -> Q) (height : N -> nat) (layer : N -> option (nat * nat)) : Prop := {
  hindered_end : forall p v, inside size p -> at_state R p = inl v -> layer p = None;
  hindered_reply : forall p x n j, inside size p -> at_state R p = inr x -> layer p = Some (n, j) -> (j < count_B x)%nat;
  hindered_turn : forall p x n j i, inside size p -> at_state R p = inr x -> layer p = Some (n, j) -> (i < count_A x)%nat ->
    (exists j' k, (j' < count_B x)%nat /\ follows x i j' k /\ lower_than most layer p n k) \/
    ((forall k, follows x i j k -> kept_at most layer p n k) /\
      ((endless x < most p)%Q \/ forall k, follows x i j k -> (height k < height p)%nat)) }.

Section Sums.
Open Scope field_scope.
Variable F : ordered_field.
Add Field laws_of_sums : (field_laws F).

(** Terms are at most [b], but for unlikely ones, which are at most [b + c]. *)
Lemma mean_nearly {T} (d : list (T * F)) (f : T -> F) (b c small : F) : 0 <= c -> 0 <= small ->
  (forall i y, In (i, y) d -> 0 <= y /\ (f i <= b \/ y <= small /\ f i <= b + c)) ->
  mean F d f <= mean F d (fun _ => 1) * b + integer (Z.of_nat (length d)) * (small * c).
Proof.
  intros C S H. induction d as [|[i y] d IH]; cbn [mean length].
  - change (integer (Z.of_nat 0)) with (0 : F). replace (0 * b + 0 * (small * c)) with (0 : F) by ring. apply le_refl.
  - rewrite Nat2Z.inj_succ, <- Z.add_1_l, integer_add, integer_1.
    replace ((y * 1 + mean F d (fun _ => 1)) * b + (1 + integer (Z.of_nat (length d))) * (small * c)) with
      ((y * b + small * c) + (mean F d (fun _ => 1) * b + integer (Z.of_nat (length d)) * (small * c))) by ring.
    apply add_le_both; [|apply IH; intros; apply H; now right].
    destruct (H i y (or_introl eq_refl)) as [Y [L|[U L]]].
    + apply le_trans with (y * b + 0). { replace (y * b + 0) with (y * b) by ring. now apply mul_le. }
      apply add_le. now apply mul_nonneg.
    + apply le_trans with (y * (b + c)). now apply mul_le. replace (y * (b + c)) with (y * b + c * y) by ring.
      apply add_le. replace (small * c) with (c * small) by ring. now apply mul_le.
Qed.

(** Terms are at most [b], and a likely one is at most [v]. *)
Lemma mean_with_term {T} (d : list (T * F)) (f : T -> F) (b v c : F) i y : mean F d (fun _ => 1) = 1 ->
  (forall i y, In (i, y) d -> 0 <= y /\ (y = 0 \/ f i <= b)) -> In (i, y) d -> c <= y -> f i <= v -> v <= b ->
  mean F d f <= b - c * (b - v).
Proof.
  intros S H I C V B.
  assert (c * (b - v) <= mean F d (fun i => b - f i)) as K.
  { apply le_trans with (y * (b - v)).
    { replace (c * (b - v)) with ((b - v) * c) by ring. replace (y * (b - v)) with ((b - v) * y) by ring. apply mul_le; auto.
      now apply (proj1 (le_difference F _ _)). }
    apply le_trans with (y * (b - f i)). { destruct (H i y I) as [Y _]. apply mul_le; auto. now apply add_le_sub. }
    clear - H I. assert (forall d : list (T * F), (forall i y, In (i, y) d -> 0 <= y /\ (y = 0 \/ f i <= b)) ->
      0 <= mean F d (fun i => b - f i)) as N.
    { clear. induction d as [|[i y] d IH]; intros H; cbn [mean]. apply le_refl. replace (0 : F) with (0 + 0 : F) by ring.
      apply add_le_both; [|apply IH; intros; apply H; now right]. destruct (H i y (or_introl eq_refl)) as [Y [->|L]].
      - replace (0 * (b - f i)) with (0 : F) by ring. apply le_refl.
      - apply mul_nonneg; auto. now apply (proj1 (le_difference F _ _)). }
    induction d as [|[i' y'] d IH]; [easy|]. cbn [mean]. destruct I as [[= -> ->]|I].
    - apply le_trans with (y * (b - f i) + 0). { replace (y * (b - f i) + 0) with (y * (b - f i)) by ring. apply le_refl. }
      apply add_le, N. intros. apply H. now right.
    - apply le_trans with (0 + y * (b - f i)). { replace (0 + y * (b - f i)) with (y * (b - f i)) by ring. apply le_refl. }
      apply add_le_both.
      + specialize (N [(i', y')]). cbn [mean] in N.
        replace (y' * (b - f i')) with (y' * (b - f i') + 0) by ring. apply N. intros i0 y0 [[= <- <-]|[]]. apply H. now left.
      + apply IH; auto. intros. apply H. now right. }
  rewrite mean_sub, (mean_const F d b S) in K. apply le_difference. apply le_difference in K.
  match type of K with 0 <= ?u => match goal with |- 0 <= ?v => replace v with u by ring end end. exact K.
Qed.
End Sums.

(** ** No strategy attains the payoff *)

Section Hindered.
Open Scope field_scope.
Variables (F : ordered_field) (R : rules) (size : nat) (most : N -> Q) (height : N -> nat) (layer : N -> option (nat * nat)).
Add Field laws_of_hindered : (field_laws F).
Hypothesis sound : sound_rules R size.
Hypothesis claimed : limited R size most height.
Hypothesis obstacles : hindered R size most height layer.
Notation Is := (inside size).
Notation secures w s p := (A_secures_by F R (eq w) s p (ratio (most p))).

Definition turns (n : nat) : Q := inject_Z (Z.of_nat n).
Lemma turns_nonneg n : (0 <= turns n)%Q.
Proof. unfold turns. change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. lia. Qed.
Lemma turns_next n : (turns (S n) == turns n + 1)%Q.
Proof. unfold turns. rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus. reflexivity. Qed.
Lemma turns_le n m : (n <= m)%nat -> (turns n <= turns m)%Q.
Proof. intros L. unfold turns. rewrite <- Zle_Qle. lia. Qed.

Lemma many_turns q : exists m, forall n, (m <= n)%nat -> (q <= turns n)%Q.
Proof.
  exists (Z.to_nat (Qceiling q)). intros n L. apply Qle_trans with (1 := Qle_ceiling q). unfold turns. rewrite <- Zle_Qle. lia.
Qed.

(** What is at most the mean over the states is at most the sum, so many times. *)
Lemma worth_at_least q large n s t w p : ratio q <= worth_by F R large n s t w p <->
  ratio (turns (S n) * q)%Q <= stayed_by F R large (S n) s t w p.
Proof.
  unfold worth_by. rewrite (recursive _ _ sound). cbn [may_last]. set (v := stayed_by _ _ _ _ _ _ _ _).
  assert (Count : ratio (turns (Datatypes.S n)) = (integer (Z.of_nat (Datatypes.S n)) : F)) by apply ratio_integer.
  assert (Some_turn : (0 < turns (Datatypes.S n))%Q) by (pose proof (turns_nonneg n); pose proof (turns_next n); lra).
  pose proof (ratio_positive F _ Some_turn) as N0. rewrite Count in N0.
  assert (Whole : ratio (turns (Datatypes.S n)) * (v / integer (Z.of_nat (Datatypes.S n))) = v) by (rewrite Count; field; auto).
  rewrite ratio_mul. split; intros H.
  - rewrite <- Whole. apply mul_le; auto. apply ratio_nonneg. now apply Qlt_le_weak.
  - apply (cancel_positive F (turns (Datatypes.S n))); auto. now rewrite Whole.
Qed.

(** What play is paid from a turn on, in which rewards are 0. *)
Lemma stayed_turn large n s t w p x : at_state R p = inr x -> proper_A F R p s -> proper_B F R p t ->
  stayed_by F R large (S n) s t w p = ratio (endless x) + mean F (s []) (fun i => mean F (t []) (fun j =>
    mean F (w [] i j) (fun k => stayed_by F R large n (later F s i j k) (later F t i j k) (chosen_later F w i j k) k))).
Proof.
  intros E S T. cbn [stayed_by]. rewrite E.
  assert (infinite R large x = endless x) as -> by (unfold infinite; now rewrite (recursive _ _ sound)). f_equal.
  rewrite (mean_eq F (s []) _ (fun i => mean F (t []) (fun j => integer (Z.of_nat n) * ratio (reward_of x i j) + 1 *
    mean F (w [] i j) (fun k => stayed_by F R large n (later F s i j k) (later F t i j k) (chosen_later F w i j k) k)))).
  2: { intros i. apply mean_eq. intros j. ring. }
  rewrite (unpaid_turn F R (unpaid_rules _ _ sound) p x) by auto. apply mean_eq. intros i. apply mean_eq. intros j. ring.
Qed.

(** What the successors pay on average, which have these probabilities. *)
Lemma successors_at_most p x i j d (f : N -> F) q : Is p -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  allowed F x i j d -> (forall k, follows x i j k -> f k <= q) -> mean F d f <= q.
Proof.
  intros P E I J A H. destruct (shape_here F R size sound p x i j P E I J) as [_ S]. destruct (S d A) as [S1 D].
  rewrite <- (mean_const F d q S1). apply mean_le. intros k y Y. destruct (D k y Y) as (Y0 & _ & [->|Fk]).
  - replace (0 * f k) with (0 * q) by ring. apply le_refl.
  - apply mul_le; auto.
Qed.

(** What endless play pays at most. *)
Lemma debts : exists gap, (0 <= gap)%Q /\ forall p x, Is p -> at_state R p = inr x -> (endless x <= most p + gap)%Q.
Proof.
  destruct (bounded_Q size (fun p => match at_state R p with inr x => endless x - most p | inl _ => 0 end)%Q) as (gap & G0 & Gap).
  exists (inject_Z gap). split. change 0%Q with (inject_Z 0). now rewrite <- Zle_Qle.
  intros p x P E. specialize (Gap p P). rewrite E in Gap. lra.
Qed.

(** Some strategy of B. *)
Definition any_reply : strategy F := fun _ => [(0%nat, 1)].
Lemma certainly n j : (j < n)%nat -> distribution F n [(j, 1 : F)].
Proof. intros J. split; [|cbn [mean]; ring]. intros i y [[= <- <-]|[]]. split; auto. apply zero_le_one. Qed.
Lemma any_reply_proper p : proper_B F R p any_reply.
Proof. intros h p' x _ E. apply certainly. now destruct (some_actions _ _ sound p' x E). Qed.

(** No strategy secures more than is claimed. *)
Lemma too_much q s w p : Is p -> proper_nature F R p w -> A_secures_by F R (eq w) s p (ratio q) -> (q <= most p)%Q.
Proof.
  intros P W (S & g & H). apply Qnot_lt_le. intros L. set (e := ((q - most p) * (1 # 3))%Q). assert (0 < e)%Q as E by (unfold e; lra).
  destruct (no_better F R size most height sound claimed p any_reply P (any_reply_proper p)) as (T & g' & K).
  destruct (H (Qmax g g') e) as [m M], (K (Qmax g g') e) as [m' M']; auto using Q.le_max_l, Q.le_max_r.
  specialize (M (max m m') any_reply w ltac:(lia) T eq_refl). specialize (M' (max m m') s w ltac:(lia) S W).
  pose proof (le_trans _ _ _ _ M M') as C. rewrite <- ratio_minus, <- ratio_add in C. apply ratio_le_iff in C. unfold e in C. lra.
Qed.

(** B plays [j], and goes on with [t] where play comes to [k]. *)
Definition first_then (j : nat) (k : N) (t : strategy F) : strategy F := fun h =>
  match h with [] => [(j, 1)] | (_, _, k') :: h => if (k' =? k)%N then t h else any_reply h end.

Lemma first_then_proper p x j k t : at_state R p = inr x -> (j < count_B x)%nat -> proper_B F R k t -> proper_B F R p (first_then j k t).
Proof.
  intros E J T h p' x' L E'. destruct L as [p|p x0 i0 j0 k0 q h p' E0 I0 J0 K0 Q0 L]; cbn [first_then].
  - rewrite E in E'. injection E' as <-. now apply certainly.
  - destruct (N.eqb_spec k0 k) as [->|]. now apply (T h p' x'). now apply (any_reply_proper k0 h p' x').
Qed.

(** A strategy that secures the payoff secures as much after each turn that it makes likely, whatever B plays in it. *)
Lemma rest_secures s w p x i j k y small : Is p -> at_state R p = inr x -> proper_nature F R p w -> secures w s p ->
  In (i, y) (s []) -> ratio small <= y -> (0 < small)%Q -> (j < count_B x)%nat -> follows x i j k ->
  A_secures_by F R (eq (chosen_later F w i j k)) (later F s i j k) k (ratio (most p)).
Proof.
  intros P E W (S & g & H) Y Small S0 J Fk. destruct (S [] p x (here R p) E) as [D D1]. destruct (D i y Y) as [I Y0].
  destruct Fk as (q & Q & Q0). pose proof (proper_A_later F R p s x i j q k S E I J Q Q0) as S'.
  pose proof (nature_later F R p w x i j q k W E I J Q Q0) as W'. split; [exact S'|].
  destruct debts as (gap & G0 & Gap). destruct (bounded height size) as [high High].
  set (c := (small * q)%Q). assert (0 < c)%Q as C0 by (now apply Qmult_lt_0_compat).
  set (debt := (gap * turns (Datatypes.S high))%Q). assert (0 <= debt)%Q as D0 by (apply Qmult_le_0_compat; auto; apply turns_nonneg).
  exists g. intros large e L E0. destruct (H large (c * e * (1 # 4))%Q L) as [m M]. { nra. }
  destruct (many_turns ((gap + debt) * 2 / (c * e))%Q) as [m' M'].
  exists (max m m'). intros n t w' N T <-. rewrite <- ratio_minus. apply worth_at_least.
  set (T' := first_then j k t). assert (proper_B F R p T') as PT by now apply first_then_proper with x.
  specialize (M (Datatypes.S n) T' w ltac:(lia) PT eq_refl). rewrite <- ratio_minus in M. apply worth_at_least in M.
  rewrite (stayed_turn large _ s T' w p x E S PT) in M.
  set (b := (turns (Datatypes.S n) * most p + debt)%Q).
  set (v := stayed_by F R large (Datatypes.S n) (later F s i j k) t (chosen_later F w i j k) k) in *.
  set (f := fun i' => mean F (T' []) (fun j' => mean F (w [] i' j') (fun k' =>
    stayed_by F R large (Datatypes.S n) (later F s i' j' k') (later F T' i' j' k') (chosen_later F w i' j' k') k'))) in *.
  assert (Each : forall i', f i' = mean F (w [] i' j) (fun k' =>
    stayed_by F R large (Datatypes.S n) (later F s i' j k') (later F T' i' j k') (chosen_later F w i' j k') k')).
  { intros i'. unfold f, T'. cbn [first_then mean]. ring. }
  assert (Crude : forall i' k', (i' < count_A x)%nat -> follows x i' j k' ->
    stayed_by F R large (Datatypes.S n) (later F s i' j k') (later F T' i' j k') (chosen_later F w i' j k') k' <= ratio b).
  { intros i' k' I' Fk'. pose proof Fk' as (q' & Q' & Qp').
    apply le_trans with (ratio (turns (Datatypes.S n) * most k' + gap * turns (Datatypes.S (height k')))%Q).
    - apply (stayed_at_most F R size most height sound claimed gap G0 Gap).
      + now apply (known _ _ sound p x i' j q' k').
      + eapply proper_A_later; eauto.
      + eapply proper_later; eauto.
      + eapply nature_later; eauto.
    - apply ratio_le. destruct (limited_turn _ _ _ _ claimed p x i' j k' P E I' J Fk') as (Mk & _).
      assert (turns (Datatypes.S (height k')) <= turns (Datatypes.S high))%Q as Hk.
      { apply turns_le, le_n_S, High. now apply (known _ _ sound p x i' j q' k'). }
      pose proof (turns_nonneg (Datatypes.S n)). unfold b, debt.
      assert (turns (Datatypes.S n) * most k' <= turns (Datatypes.S n) * most p)%Q
        by (rewrite !(Qmult_comm (turns _)); now apply Qmult_le_compat_r).
      assert (gap * turns (Datatypes.S (height k')) <= gap * turns (Datatypes.S high))%Q
        by (rewrite !(Qmult_comm gap); now apply Qmult_le_compat_r).
      lra. }
  assert (later F T' i j k = t) as Rest by (unfold later, T'; cbn [first_then]; now rewrite N.eqb_refl).
  assert (V : v <= ratio b). { specialize (Crude i k I ltac:(now exists q)). rewrite Rest in Crude. exact Crude. }
  assert (Here : f i <= ratio b - ratio q * (ratio b - v)).
  { rewrite Each. pose proof (W [] p x i j (here R p) E I J) as A. destruct (shape_here F R size sound p x i j P E I J) as [_ Sh].
    destruct (Sh _ A) as [Sum Dk]. destruct (between_has F _ _ _ _ _ (proj1 A) Q) as (z & Z & Qz).
    apply mean_with_term with (i := k) (y := z); auto.
    - intros k' z' Z'. destruct (Dk k' z' Z') as (Z0 & _ & [->|Fk']); auto.
    - unfold v. rewrite Rest. apply le_refl. }
  assert (Whole : mean F (s []) f <= ratio b - ratio small * (ratio b - (ratio b - ratio q * (ratio b - v)))).
  { apply mean_with_term with (i := i) (y := y); auto.
    - intros i' y' Y'. destruct (D i' y' Y') as [I' Y0']. split; auto. right. rewrite Each.
      apply (successors_at_most p x i' j); auto. exact (W [] p x i' j (here R p) E I' J).
    - apply le_difference. replace (ratio b - (ratio b - ratio q * (ratio b - v))) with (ratio q * (ratio b - v)) by ring.
      apply mul_nonneg. apply ratio_nonneg. now apply Qlt_le_weak. now apply (proj1 (le_difference F _ _)). }
  assert (C : ratio c = ratio small * ratio q :> F) by apply ratio_mul.
  pose proof (le_trans _ _ _ _ M (add_le F _ _ (ratio (endless x)) Whole)) as K.
  apply le_difference in K. apply (cancel_positive F c); auto. apply le_difference.
  set (spare := ((turns (Datatypes.S (Datatypes.S n)) * (most p - c * e * (1 # 4))) - endless x - b + c * b -
    c * (turns (Datatypes.S n) * (most p - e)))%Q).
  assert (0 <= spare)%Q as Sp.
  { specialize (Gap p x P E). specialize (M' (Datatypes.S n) ltac:(lia)). assert (0 < c * e)%Q as CE by nra.
    assert (gap + debt <= turns (Datatypes.S n) * (c * e) * (1 # 2))%Q as Enough.
    { assert (gap + debt == (gap + debt) * 2 / (c * e) * (c * e) * (1 # 2))%Q as -> by (field; lra).
      apply Qmult_le_compat_r; [|discriminate]. apply Qmult_le_compat_r; lra. }
    assert (0 <= c * debt)%Q by nra.
    assert (turns (Datatypes.S n) * (c * e) >= 1 * (c * e))%Q.
    { apply Qmult_le_compat_r; [|lra]. pose proof (turns_nonneg n). rewrite turns_next. lra. }
    unfold spare, b. rewrite (turns_next (Datatypes.S n)). lra. }
  apply le_trans with (1 := K), le_difference. match goal with |- 0 <= ?u => replace u with (ratio spare : F) end.
  - now apply ratio_nonneg.
  - unfold spare. repeat (rewrite ratio_minus || rewrite ratio_add || rewrite ratio_mul). rewrite C. ring.
Qed.

(** *** Play that stays in a layer *)

(** B's replies: those of the layers. *)
Definition obstructive : N -> mixture F := fun p => [(match layer p with Some (_, j) => j | None => 0%nat end, 1)].
Lemma obstructive_proper p : Is p -> proper_B F R p (stationary F obstructive p).
Proof.
  intros P h p' x L E. unfold stationary. rewrite (leads_arrived R p h p' L). apply certainly.
  assert (Is p') as P'.
  { clear E. induction L as [|p x0 i j k q h p' E I J K Q L IH]; auto. apply IH. now apply (known _ _ sound p x0 i j q k). }
  destruct (layer p') as [[n j]|] eqn:Y. now apply (hindered_reply _ _ _ _ _ obstacles p' x n j).
  now destruct (some_actions _ _ sound p' x E).
Qed.

Section Layer.
Variable n : nat.
Hypothesis lower_layers : forall m j k, (m < n)%nat -> layer k = Some (m, j) -> Is k ->
  forall s w, proper_nature F R k w -> ~ secures w s k.

(** A strategy that secures the payoff keeps play in the layer against B's reply, but for what it makes unlikely. *)
Lemma stays_in_layer s w p x i j y small : Is p -> at_state R p = inr x -> layer p = Some (n, j) -> proper_nature F R p w ->
  secures w s p -> In (i, y) (s []) -> ratio small <= y -> (0 < small)%Q ->
  (forall k, follows x i j k -> (most k == most p)%Q /\ exists j', layer k = Some (n, j')) /\
  ((endless x < most p)%Q \/ forall k, follows x i j k -> (height k < height p)%nat).
Proof.
  intros P E Y W S I L S0. destruct (proj1 S [] p x (here R p) E) as [D _]. destruct (D i y I) as [Li _].
  pose proof (hindered_reply _ _ _ _ _ obstacles p x n j P E Y) as J.
  assert (Same : forall j' k, (j' < count_B x)%nat -> follows x i j' k -> (most k == most p)%Q /\
    forall m j'', layer k = Some (m, j'') -> ~ (m < n)%nat).
  { intros j' k J' Fk. pose proof Fk as (q & Q & Q0). assert (Is k) as K by now apply (known _ _ sound p x i j' q k).
    pose proof (nature_later F R p w x i j' q k W E Li J' Q Q0) as W'.
    pose proof (rest_secures s w p x i j' k y small P E W S I L S0 J' Fk) as Rest.
    assert (most k == most p)%Q as Eq.
    { apply Qle_antisym. now apply (limited_turn _ _ _ _ claimed p x i j' k P E Li J'). apply (too_much _ _ _ k K W' Rest). }
    split; auto. intros m j'' Yk Lm. apply (lower_layers m j'' k Lm Yk K (later F s i j' k) _ W'). now rewrite (ratio_eq F _ _ Eq). }
  destruct (hindered_turn _ _ _ _ _ obstacles p x n j i P E Y Li) as [(j' & k & J' & Fk & Low)|[Kept Less]].
  - destruct (Same j' k J' Fk) as [Eq No]. exfalso. destruct Low as [Low|(m & j'' & Yk & Lm)]. lra. now apply (No m j'').
  - split; auto. intros k Fk. destruct (Same j k J Fk) as [Eq No]. split; auto.
    destruct (Kept k Fk) as [Low|(m & j'' & Yk & Lm)]. lra. exists j''. rewrite Yk. specialize (No m j'' Yk). repeat f_equal. lia.
Qed.

Variables (gap less : Q).
Hypothesis gap_nonneg : (0 <= gap)%Q.
Hypothesis gap_most : forall p x, Is p -> at_state R p = inr x -> (endless x <= most p + gap)%Q.
Hypothesis less_positive : (0 < less)%Q.
Hypothesis less_least : forall p x, Is p -> at_state R p = inr x -> (endless x < most p)%Q -> (endless x <= most p - less)%Q.

Lemma layer_pays_less large turn_count : forall s w p j rest, Is p -> layer p = Some (n, j) -> proper_nature F R p w -> secures w s p ->
  (0 < rest)%Q -> stayed_by F R large turn_count s (stationary F obstructive p) w p <=
    ratio (turns turn_count * (most p - less) + (gap + less) * turns (S (height p)) + rest)%Q.
Proof.
  induction turn_count as [|turn_count IH]; intros s w p j rest P Y W S R0.
  { cbn [stayed_by]. rewrite <- ratio_0. apply ratio_le. pose proof (turns_nonneg (Datatypes.S (height p))).
    assert (0 <= (gap + less) * turns (Datatypes.S (height p)))%Q by (apply Qmult_le_0_compat; lra). change (turns 0) with 0%Q. lra. }
  destruct (at_state R p) as [v|x] eqn:E. { pose proof (hindered_end _ _ _ _ _ obstacles p v P E). congruence. }
  pose proof (hindered_reply _ _ _ _ _ obstacles p x n j P E Y) as J. pose proof (obstructive_proper p P) as T.
  destruct (proj1 S [] p x (here R p) E) as [D D1].
  rewrite (stayed_turn large _ s _ w p x E (proj1 S) T).
  set (top := if Qlt_le_dec (endless x) (most p) then turns (Datatypes.S (height p)) else turns (height p)).
  set (b := (turns turn_count * (most p - less) + (gap + less) * top + rest * (1 # 2))%Q).
  set (c := (turns turn_count * less + gap * turns (Datatypes.S (height p)) + 1)%Q).
  assert (0 < c)%Q as C0.
  { unfold c. pose proof (turns_nonneg turn_count). pose proof (turns_nonneg (Datatypes.S (height p))).
    assert (0 <= turns turn_count * less)%Q by (apply Qmult_le_0_compat; lra).
    assert (0 <= gap * turns (Datatypes.S (height p)))%Q by (apply Qmult_le_0_compat; lra). lra. }
  assert (0 <= top)%Q as Top0 by (unfold top; destruct (Qlt_le_dec _ _); apply turns_nonneg).
  set (len := turns (length (s []))). assert (0 <= len)%Q as Len0 by apply turns_nonneg.
  set (small := (rest * (1 # 2) / ((len + 1) * c))%Q).
  assert (0 < (len + 1) * c)%Q as LC by (apply Qmult_lt_0_compat; lra).
  assert (0 < small)%Q as Small by (unfold small; apply Qlt_shift_div_l; lra).
  set (f := fun i => mean F (stationary F obstructive p []) _).
  assert (Each : forall i, f i = mean F (w [] i j) (fun k => stayed_by F R large turn_count (later F s i j k)
    (stationary F obstructive k) (chosen_later F w i j k) k)).
  { intros i. unfold f, stationary at 1, obstructive at 1. cbn [arrived fold_left]. rewrite Y. cbn [mean]. unfold arrived. cbn [fold_left].
    match goal with |- 1 * ?u + 0 = ?v => change u with v end. ring. }
  assert (Sum : mean F (s []) f <= ratio b + ratio (len * (small * c))%Q).
  { apply le_trans with (mean F (s []) (fun _ => 1) * ratio b + integer (Z.of_nat (length (s []))) * (ratio small * ratio c)).
    2: { rewrite D1. apply le_difference.
      replace (ratio (len * (small * c))) with (integer (Z.of_nat (length (s []))) * (ratio small * ratio c) : F).
      2: { rewrite !ratio_mul. f_equal. symmetry. apply ratio_integer. }
      match goal with |- 0 <= ?u => replace u with (0 : F) by ring end. apply le_refl. }
    apply mean_nearly; try (apply ratio_nonneg; lra).
    intros i y I. destruct (D i y I) as [Li Y0]. split; auto. rewrite Each.
    destruct (le_total F (ratio small) y) as [L|L]; [left|right; split; auto]; apply (successors_at_most p x i j); auto;
      try exact (W [] p x i j (here R p) E Li J); intros k Fk; pose proof Fk as (q & Q & Q0);
      assert (Is k) as K by (now apply (known _ _ sound p x i j q k));
      destruct (limited_turn _ _ _ _ claimed p x i j k P E Li J Fk) as (Mk & Hk & _);
      pose proof (nature_later F R p w x i j q k W E Li J Q Q0) as W'.
    - destruct (stays_in_layer s w p x i j y small P E Y W S I L Small) as [Stay Less].
      destruct (Stay k Fk) as [Eq (j' & Yk)].
      apply le_trans with (1 := IH _ _ k j' (rest * (1 # 2))%Q K Yk W' ltac:(
        rewrite (ratio_eq F _ _ Eq); exact (rest_secures s w p x i j k y small P E W S I L Small J Fk)) ltac:(lra)).
      apply ratio_le. unfold b. rewrite Eq.
      assert (turns (Datatypes.S (height k)) <= top)%Q as Hk'.
      { unfold top. destruct (Qlt_le_dec _ _); apply turns_le. lia. destruct Less as [Less|Less]. lra. apply (Less k Fk). }
      assert ((gap + less) * turns (Datatypes.S (height k)) <= (gap + less) * top)%Q
        by (rewrite !(Qmult_comm (gap + less)); apply Qmult_le_compat_r; lra).
      lra.
    - rewrite <- ratio_add.
      apply le_trans with (ratio (turns turn_count * most k + gap * turns (Datatypes.S (height k)))%Q).
      + apply (stayed_at_most F R size most height sound claimed gap gap_nonneg gap_most); auto.
        eapply proper_A_later; eauto. apply S. now apply obstructive_proper.
      + apply ratio_le. unfold b, c. pose proof (turns_nonneg turn_count).
        assert (turns turn_count * most k <= turns turn_count * most p)%Q by (rewrite !(Qmult_comm (turns _)); now apply Qmult_le_compat_r).
        assert (gap * turns (Datatypes.S (height k)) <= gap * turns (Datatypes.S (height p)))%Q.
        { rewrite !(Qmult_comm gap). apply Qmult_le_compat_r; auto. apply turns_le. lia. }
        assert (0 <= (gap + less) * top)%Q by (apply Qmult_le_0_compat; lra). lra. }
  apply le_trans with (1 := add_le F _ _ (ratio (endless x)) Sum). rewrite <- !ratio_add. apply ratio_le.
  assert (len * (small * c) <= rest * (1 # 2))%Q as Rest.
  { assert (len * (small * c) == len / (len + 1) * (rest * (1 # 2)))%Q as -> by (unfold small; field; split; lra).
    assert (len / (len + 1) <= 1)%Q by (apply Qle_shift_div_r; lra).
    apply Qle_trans with (1 * (rest * (1 # 2)))%Q; [|lra]. apply Qmult_le_compat_r; lra. }
  rewrite (turns_next turn_count). unfold b, top. specialize (gap_most p x P E). specialize (less_least p x P E).
  destruct (Qlt_le_dec _ _) as [Lt|Ge]. { specialize (less_least Lt). lra. }
  rewrite (turns_next (height p)). lra.
Qed.
End Layer.

(** The least amount by which infinite play pays less, where it does. *)
Lemma least_loss : exists less, (0 < less)%Q /\
  forall p x, Is p -> at_state R p = inr x -> (endless x < most p)%Q -> (endless x <= most p - less)%Q.
Proof.
  destruct (bounded_lists size (fun p => match at_state R p with inr x => [Qden (most p - endless x)] | inl _ => [] end))
    as (parts & P1 & H).
  exists (1 # Z.to_pos parts). split; [reflexivity|]. intros p x P E L.
  assert (1 # Z.to_pos parts <= most p - endless x)%Q; [|lra]. apply positive_part. lra. apply (H p P). rewrite E. now left.
Qed.

(** A state with a layer: no strategy of A secures the payoff, not even beside a given nature. *)
Theorem not_attained n : forall p j, layer p = Some (n, j) -> Is p -> forall s w, proper_nature F R p w -> ~ secures w s p.
Proof.
  induction n as [n IH] using lt_wf_ind. intros p j Y P s w W S.
  destruct debts as (gap & G0 & Gap). destruct least_loss as (less & L0 & Less).
  pose proof (layer_pays_less n (fun m j k Lt Yk K => IH m Lt k j Yk K) gap less G0 Gap L0 Less) as Pays.
  pose proof S as (_ & g & H). destruct (H g (less * (1 # 2))%Q (Qle_refl _)) as [m M]. lra.
  set (debt := ((gap + less) * turns (Datatypes.S (height p)) + 1)%Q).
  destruct (many_turns ((debt + 1) * 2 / less)%Q) as [m' M'].
  specialize (M (max m m') (stationary F obstructive p) w ltac:(lia) (obstructive_proper p P) eq_refl).
  specialize (M' (Datatypes.S (max m m')) ltac:(lia)).
  rewrite <- ratio_minus in M. apply worth_at_least in M.
  pose proof (le_trans _ _ _ _ M (Pays g (Datatypes.S (max m m')) s w p j 1%Q P Y W S ltac:(reflexivity))) as C. apply ratio_le_iff in C.
  assert ((debt + 1) <= turns (Datatypes.S (max m m')) * less * (1 # 2))%Q.
  { assert (debt + 1 == (debt + 1) * 2 / less * less * (1 # 2))%Q as -> by (field; lra).
    apply Qmult_le_compat_r; [|discriminate]. apply Qmult_le_compat_r; lra. }
  unfold debt in *. lra.
Qed.
End Hindered.

(** ** In the words of security levels *)

(** No strategy secures the number, whatever nature does; nor beside any nature that is given. *)
Definition A_never_secures (F : ordered_field) (R : rules) (p : N) (q : F) : Prop := forall s,
  ~ A_secures_whatever F R s p q /\ forall w, ~ A_secures_together F R s w p q.
Definition B_never_secures (F : ordered_field) (R : rules) (p : N) (q : F) : Prop := forall t,
  ~ B_secures_whatever F R t p q /\ forall w, ~ B_secures_together F R t w p q.

(** Nature has a choice. *)
Lemma some_nature F G : uncertainly_shaped G -> exists w, forall p, proper_nature F (rules_of G) p (w p).
Proof.
  intros Shape. exists (fun p h i j => match at_state (rules_of G) (arrived p h) with
    | inr x => with_shares F (chance x i j) (middle (limits (chance x i j) (at_most x i j))) | inl _ => [] end).
  intros p h p' x i j L E I J. unfold allowed. rewrite (leads_arrived _ p h p' L), E. simpl in E.
  destruct (nth_error (states G) (N.to_nat p')) as [[nm [v|a b e cells]]|] eqn:X; try discriminate E. simpl in E.
  injection E as <-. cbn [count_A count_B chance at_most] in *. destruct (Shape _ _ _ _ _ _ X) as (_ & _ & Len & Rows).
  assert (IR : In (nth i cells []) cells) by (apply nth_In; lia). destruct (Rows _ IR) as [Lr Cells].
  assert (IC : In (nth j (nth i cells []) nothing) (nth i cells [])) by (apply nth_In; lia).
  destruct (Cells _ IC) as [Good _]. exact (some_choice F _ Good).
Qed.

Theorem A_does_not_attain F R size most height layer : sound_rules R size -> limited R size most height ->
  hindered R size most height layer -> forall p, inside size p -> (exists w, proper_nature F R p w) -> layer p <> None ->
  A_never_secures F R p (ratio (most p)).
Proof.
  intros S L H p P (w & W) Y. destruct (layer p) as [[n j]|] eqn:Lp; [|easy].
  assert (Never : forall s w, proper_nature F R p w -> ~ A_secures_by F R (eq w) s p (ratio (most p)))
    by exact (not_attained F R size most height layer S L H n p j Lp P).
  intros s. split.
  - intros A. apply (Never s w W). revert A. apply A_secures_by_fewer. now intros w' <-.
  - intros w' [W' A]. now apply (Never s w').
Qed.
