(** * Wins in time

    In a recursive game with ends of at least 0 where infinite play pays at most 0, a number that A
    secures is won within finitely many turns, up to any fraction, whatever B does, and nature where
    probabilities are uncertain. So with ends of 0 and 1 a bound of exactly 1 is a strategy that wins
    almost surely. *)

From Coq Require Import ZArith NArith QArith List Field Lia.
From PencilTennis Require Import Numbers AnyGame Stationary Nature AnyProof GameFile GameReader AnyTheorem.
Import ListNotations.

Definition ends_are_wins (R : rules) : Prop :=
  (forall p v, at_state R p = inl v -> 0 <= v)%Q /\ (forall p x, at_state R p = inr x -> endless x <= 0)%Q.

Section In_time.
Open Scope field_scope.
Variables (F : ordered_field) (R : rules).
Add Field laws_in_time : (field_laws F).
Hypothesis recursive : rules_kind R = Recursive.
Hypothesis unpaid : rewards_are R (fun r => r == 0)%Q.
Hypothesis wins : ends_are_wins R.
Hypothesis decided : forall p x i j, at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  are_decided (limits (chance x i j) (at_most x i j)).

Lemma proper_A_later p s x i j q k : proper_A F R p s -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  In (q, k) (chance x i j) -> (0 < q)%Q -> proper_A F R k (later F s i j k).
Proof. intros P E I J K Q h p' x' H. apply P. econstructor; eauto. Qed.

Lemma nature_later p w x i j q k : proper_nature F R p w -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  In (q, k) (chance x i j) -> (0 < q)%Q -> proper_nature F R k (chosen_later F w i j k).
Proof. intros P E I J K Q h p' x' i' j' H. apply P. econstructor; eauto. Qed.

(** A comparison of all terms of a turn. *)
Lemma turn_le p x s t w f g : at_state R p = inr x -> proper_A F R p s -> proper_B F R p t -> proper_nature F R p w ->
  (forall i j q k, (i < count_A x)%nat -> (j < count_B x)%nat -> In (q, k) (chance x i j) -> (0 < q)%Q -> f i j k <= g i j k) ->
  mean F (s []) (fun i => mean F (t []) (fun j => mean F (w [] i j) (f i j))) <=
  mean F (s []) (fun i => mean F (t []) (fun j => mean F (w [] i j) (g i j))).
Proof.
  intros E S T W H. destruct (S [] p x (here R p) E) as [S' _], (T [] p x (here R p) E) as [T' _].
  apply mean_le. intros i y I. destruct (S' i y I) as [Li Y]. apply mul_le; auto.
  apply mean_le. intros j z J. destruct (T' j z J) as [Lj Z]. apply mul_le; auto.
  apply mean_le. intros k v K. destruct (W [] p x i j (here R p) E Li Lj) as [B _].
  destruct (between_entry F _ _ _ (decided p x i j E Li Lj) B k v K) as (q & Q & L & [Q0| ->]).
  - apply mul_le. apply le_trans with (2 := L). apply ratio_nonneg. now apply Qlt_le_weak. eapply H; eauto.
  - replace (0 * f i j k) with (0 * g i j k) by ring. apply le_refl.
Qed.

Lemma turn_mul s t c (f : nat -> nat -> N -> F) (d : nat -> nat -> list (N * F)) :
  mean F s (fun i => mean F t (fun j => mean F (d i j) (fun k => c * f i j k))) =
  c * mean F s (fun i => mean F t (fun j => mean F (d i j) (f i j))).
Proof.
  rewrite <- mean_mul. apply mean_eq. intros i. rewrite <- mean_mul. apply mean_eq. intros j. apply mean_mul.
Qed.

Lemma unpaid_turn p x s t c d (f : nat -> nat -> F) : at_state R p = inr x -> proper_A F R p s -> proper_B F R p t ->
  mean F (s []) (fun i => mean F (t []) (fun j => c * ratio (reward_of x i j) + d * f i j)) =
  mean F (s []) (fun i => mean F (t []) (fun j => d * f i j)).
Proof.
  intros E S T. destruct (S [] p x (here R p) E) as [S' _], (T [] p x (here R p) E) as [T' _].
  assert (H : forall i j, (i < count_A x)%nat -> (j < count_B x)%nat -> c * ratio (reward_of x i j) + d * f i j = d * f i j).
  { intros i j I J. rewrite (ratio_eq F _ _ (unpaid p x i j E I J)), ratio_0. ring. }
  apply le_antisym; apply mean_le; intros i y I; destruct (S' i y I) as [Li Y]; apply mul_le; auto;
    apply mean_le; intros j z J; destruct (T' j z J) as [Lj Z]; apply mul_le; auto; rewrite (H i j Li Lj); apply le_refl.
Qed.

Lemma ratio_minus p q : ratio (p - q)%Q = ratio p - ratio q :> F.
Proof. unfold Qminus. rewrite ratio_add, ratio_opp. ring. Qed.

Lemma discount_1 : ratio (discount_of (rules_kind R)) = 1 :> F.
Proof. rewrite recursive. apply ratio_1. Qed.

Lemma won_nonneg n : forall s t w p, proper_A F R p s -> proper_B F R p t -> proper_nature F R p w -> 0 <= won_by F R n s t w p.
Proof.
  induction n as [|n IH]; intros s t w p S T W; simpl; destruct (at_state R p) as [v|x] eqn:E.
  1, 3: apply ratio_nonneg; now apply wins in E. apply le_refl.
    rewrite (mean_eq F (s []) _ (fun i => mean F (t []) (fun j => 1 * ratio (reward_of x i j) + 1 *
    mean F (w [] i j) (fun k => won_by F R n (later F s i j k) (later F t i j k) (chosen_later F w i j k) k)))).
  2: { intros i. apply mean_eq. intros j. rewrite discount_1. ring. }
  rewrite (unpaid_turn p) by auto.
  apply le_trans with (mean F (s []) (fun i => mean F (t []) (fun j => mean F (w [] i j) (fun _ => 0)))).
  - rewrite (mean_eq F (s []) _ (fun _ => 0)). rewrite mean_zero. apply le_refl.
    intros i. rewrite (mean_eq F (t []) _ (fun _ => 0)). apply mean_zero. intros j. apply mean_zero.
  - rewrite (mean_eq F (s []) (fun i => mean F (t []) (fun j => 1 * _)) (fun i => mean F (t []) (fun j =>
      mean F (w [] i j) (fun k => won_by F R n (later F s i j k) (later F t i j k) (chosen_later F w i j k) k)))).
    2: { intros i. apply mean_eq. intros j. ring. }
    apply (turn_le p x); auto. intros i j q k I J K Q. apply IH.
    eapply proper_A_later; eauto. eapply proper_later; eauto. eapply nature_later; eauto.
Qed.

Lemma stayed_won large n : forall m s t w p, (n <= S m)%nat -> proper_A F R p s -> proper_B F R p t ->
  proper_nature F R p w -> stayed_by F R large n s t w p <= integer (Z.of_nat n) * won_by F R m s t w p.
Proof.
  induction n as [|n IH]; intros m s t w p L S T W.
  - cbn [stayed_by]. change (integer (Z.of_nat 0)) with (0 : F). replace (0 * won_by F R m s t w p) with (0 : F) by ring. apply le_refl.
  - rewrite Nat2Z.inj_succ, <- Z.add_1_l, integer_add, integer_1. pose proof (won_nonneg m s t w p S T W) as W0.
    assert ((0 : F) <= integer (Z.of_nat n)) as N0 by (apply integer_nonneg; lia).
    cbn [stayed_by]. destruct (at_state R p) as [v|x] eqn:E.
    + assert (forall k, won_by F R k s t w p = ratio v) as V by (intros []; simpl; now rewrite E). rewrite V.
      specialize (IH (Datatypes.S m) s t w p ltac:(lia) S T W). rewrite V in IH.
      replace ((1 + integer (Z.of_nat n)) * ratio v) with (ratio v + integer (Z.of_nat n) * ratio v : F) by ring. now apply add_le.
    + assert (ratio (infinite R large x) <= (0 : F)) as Z0.
      { unfold infinite. rewrite recursive, <- ratio_0. apply ratio_le. now apply wins in E. }
      set (u := mean F (s []) _). enough (u <= integer (Z.of_nat n) * won_by F R m s t w p) as U.
      { replace ((1 + integer (Z.of_nat n)) * won_by F R m s t w p) with
          (won_by F R m s t w p + integer (Z.of_nat n) * won_by F R m s t w p : F) by ring.
        apply add_le_both; auto. now apply le_trans with (1 := Z0). }
      unfold u. clear u.
      rewrite (mean_eq F (s []) _ (fun i => mean F (t []) (fun j => integer (Z.of_nat n) * ratio (reward_of x i j) + 1 *
        mean F (w [] i j) (fun k => stayed_by F R large n (later F s i j k) (later F t i j k) (chosen_later F w i j k) k)))).
      2: { intros i. apply mean_eq. intros j. ring. }
      rewrite (unpaid_turn p) by auto.
      rewrite (mean_eq F (s []) (fun i => mean F (t []) (fun j => 1 * _)) (fun i => mean F (t []) (fun j =>
        mean F (w [] i j) (fun k => stayed_by F R large n (later F s i j k) (later F t i j k) (chosen_later F w i j k) k)))).
      2: { intros i. apply mean_eq. intros j. ring. }
      destruct m as [|m].
      * assert (n = 0)%nat as -> by lia. change (integer (Z.of_nat 0)) with (0 : F).
        replace (0 * won_by F R 0 s t w p) with (0 : F) by ring.
        rewrite (mean_eq F (s []) _ (fun _ => 0)). rewrite mean_zero. apply le_refl.
        intros i. rewrite (mean_eq F (t []) _ (fun _ => 0)). apply mean_zero. intros j. apply mean_zero.
      * cbn [won_by]. rewrite E.
        rewrite (mean_eq F (s []) (fun i => mean F (t []) (fun j => ratio (reward_of x i j) + _)) (fun i => mean F (t []) (fun j =>
          1 * ratio (reward_of x i j) + 1 *
          mean F (w [] i j) (fun k => won_by F R m (later F s i j k) (later F t i j k) (chosen_later F w i j k) k)))).
        2: { intros i. apply mean_eq. intros j. rewrite discount_1. ring. }
        rewrite (unpaid_turn p) by auto.
        rewrite (mean_eq F (s []) (fun i => mean F (t []) (fun j => 1 * mean F _ (fun k => won_by F R m _ _ _ k)))
          (fun i => mean F (t []) (fun j =>
          mean F (w [] i j) (fun k => won_by F R m (later F s i j k) (later F t i j k) (chosen_later F w i j k) k)))).
        2: { intros i. apply mean_eq. intros j. ring. }
        rewrite <- turn_mul. apply (turn_le p x); auto. intros i j q k I J K Q. apply IH. lia.
        eapply proper_A_later; eauto. eapply proper_later; eauto. eapply nature_later; eauto.
Qed.

(** What is secured is won in time: in all large enough numbers of turns, up to any fraction. *)
Lemma in_time n s t w p : proper_A F R p s -> proper_B F R p t -> proper_nature F R p w -> forall large,
  worth_by F R large n s t w p <= won_by F R n s t w p.
Proof.
  intros S T W large. unfold worth_by. rewrite recursive. cbn [may_last].
  pose proof (stayed_won large (Datatypes.S n) n s t w p (le_n _) S T W) as K.
  set (c := integer (Z.of_nat (Datatypes.S n)) : F) in *.
  assert (c <> 0) as C0 by (unfold c; rewrite Nat2Z.inj_succ, <- Zpos_P_of_succ_nat; apply integer_not_0).
  assert (0 <= c) as C1 by (apply integer_nonneg; lia).
  apply (mul_le F _ _ (inv c)) in K; [|now apply inv_nonneg].
  replace (inv c * (c * won_by F R n s t w p)) with (won_by F R n s t w p) in K by now field.
  match goal with |- ?a <= _ => replace a with (inv c * stayed_by F R large (Datatypes.S n) s t w p) by now field end. exact K.
Qed.

Theorem secured_in_time s p q : proper_nature F R p (the_only_choice F R p) -> A_secures_with F R s p q -> forall e : Q, (0 < e)%Q ->
  exists m, forall n t, (m <= n)%nat -> proper_B F R p t -> q - ratio e <= won F R n s t p.
Proof.
  intros W (S & least & H) e E. destruct (H least e (Qle_refl _) E) as [m M]. exists m. intros n t L T.
  apply le_trans with (1 := M n t L T). rewrite worth_certain, won_certain. now apply in_time.
Qed.

Theorem secured_in_time_whatever s p q : A_secures_whatever F R s p q -> forall e : Q, (0 < e)%Q ->
  exists m, forall n t w, (m <= n)%nat -> proper_B F R p t -> proper_nature F R p w -> q - ratio e <= won_by F R n s t w p.
Proof.
  intros (S & least & H) e E. destruct (H least e (Qle_refl _) E) as [m M]. exists m. intros n t w L T W.
  apply le_trans with (1 := M n t w L T W). now apply in_time.
Qed.
End In_time.

Lemma cells_decided G p x i j : uncertainly_shaped G -> at_state (rules_of G) p = inr x ->
  (i < count_A x)%nat -> (j < count_B x)%nat -> are_decided (limits (chance x i j) (at_most x i j)).
Proof.
  intros Shape E I J. simpl in E. destruct (nth_error (states G) (N.to_nat p)) as [[nm [v|a b e' cells]]|] eqn:X; try discriminate E.
  simpl in E. injection E as <-. cbn [count_A count_B chance at_most] in *.
  destruct (Shape _ _ _ _ _ _ X) as (_ & _ & L & Rows).
  assert (IR : In (nth i cells []) cells) by (apply nth_In; lia). destruct (Rows _ IR) as [Lr Cells].
  assert (IC : In (nth j (nth i cells []) nothing) (nth i cells [])) by (apply nth_In; lia).
  destruct (Cells _ IC) as [[[[Pr _] M]|Lim] _]; fold (cell_at cells i j) in *.
  - rewrite M. now apply certain_decided.
  - now apply limits_decided.
Qed.

(** Of a certificate: the file's strategy of A wins the lower bound in time. If it is 1 and ends are worth 0 or 1, the probability
    of having won within n turns tends to 1, uniformly over B's strategies, and nature's where it chooses for B. *)
Theorem certified_in_time (F : ordered_field) bytes c : verify_game bytes = Found c -> the_kind (the_game c) = Recursive ->
  ends_are_wins (rules_of (the_game c)) -> forall p y, nth_error (lines c) (N.to_nat p) = Some y -> forall e : Q, (0 < e)%Q ->
  let bound := ratio ((lower y # unit c) - e)%Q : F in let s := published F c of_A p in let R := rules_of (the_game c) in
  match nature (the_game c) with
  | None => exists m, forall n t, (m <= n)%nat -> proper_B F R p t -> le bound (won F R n s t p)
  | Some B => exists m, forall n t w, (m <= n)%nat -> proper_B F R p t -> proper_nature F R p w -> le bound (won_by F R n s t w p)
  | Some A => exists w, proper_nature F R p w /\
      exists m, forall n t, (m <= n)%nat -> proper_B F R p t -> le bound (won_by F R n s t w p)
  end.
Proof.
  intros V K W p y Y e E. cbv zeta. apply certificate_written in V as [_ C]. destruct (check_sound F c C) as ([Shape Kind] & Form & _ & S).
  destruct (S p y Y) as [SA _]. set (R := rules_of (the_game c)) in *.
  assert (U : rewards_are R (fun r => r == 0)%Q).
  { unfold of_its_kind in Kind. change (rules_kind R) with (the_kind (the_game c)) in Kind. rewrite K in Kind. apply Kind. }
  assert (D : forall p x i j, at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
    are_decided (limits (chance x i j) (at_most x i j))) by (intros; eapply cells_decided; eauto).
  unfold A_gets in SA. cbv zeta in SA. fold R in SA. rewrite ratio_minus. destruct (nature (the_game c)) as [[|]|] eqn:N.
  - destruct SA as (w & P & SA & least & H). exists (fun h => w (arrived p h)). split; auto.
    destruct (H least e (Qle_refl _) E) as [m M]. exists m. intros n t L T.
    apply le_trans with (1 := M n t _ L T eq_refl). now apply in_time.
  - now apply secured_in_time_whatever.
  - apply secured_in_time; auto. apply only_choice_proper. intros h p' x i j _ E' I J. destruct (Form eq_refl) as [Sh _].
    simpl in E'. destruct (nth_error (states (the_game c)) (N.to_nat p')) as [[nm [v|a b e' cells]]|] eqn:X; try discriminate E'.
    simpl in E'. injection E' as <-. cbn [count_A count_B chance at_most] in *.
    destruct (Sh _ _ _ _ _ _ X) as (_ & _ & L & Rows).
    assert (IR : In (nth i cells []) cells) by (apply nth_In; lia). destruct (Rows _ IR) as [Lr Cells].
    assert (IC : In (nth j (nth i cells []) nothing) (nth i cells [])) by (apply nth_In; lia).
    exact (proj1 (Cells _ IC)).
Qed.
