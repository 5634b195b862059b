(** * Columns of both games of the family: with bids of 0, and without

    The computation of Columns.v, applied to Tennis, gives A's security levels. *)

From Coq Require Import ZArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Endless Game Symmetry Check Tennis ZeroBids Sums Columns.
Import ListNotations.

Section Sides.
Open Scope field_scope.
Variables (F : ordered_field) (unit : positive) (zero : bool) (r : rules).
Add Field laws : (field_laws F).

Definition A_has (p : position) (v : Z) : Prop :=
  if zero then A_keeps F (endless_tennis r) p (ratio (v # unit)) else A_secures F (tennis r) p (ratio (v # unit)).

(** The meaning of the numbers in columns: with empty accounts they are at most the payoff. *)
Definition has (a b : N) (x : Z) (v : Z) : Prop :=
  if (N.eqb a 0 && N.eqb b 0)%bool then (v # unit <= payoff r (stay x))%Q else A_has (At a b x) v.

Definition has_after (w : result position) (v : Z) : Prop := match w with Ends q => (v # unit <= q)%Q | Goes_on p => A_has p v end.

Variable e : worths_to_A.
Hypothesis worth_of_up : (worth_up e # unit <= out_a r)%Q.
Hypothesis worth_of_down : (worth_down e # unit <= out_b r)%Q.

Lemma has_next a b x i j v : (j <= b)%N -> true_after r e has a x i b (b - j) v -> has_after (after_bids r (At a b x) i j) v.
Proof.
  unfold true_after, after_bids, next. intros J. replace (b - (b - j))%N with j by lia.
  set (y := moved (motion r) x i j). intros [[L ->]|[[L ->]|[L H]]].
  - destruct (Z.ltb_spec (Z.of_N (field r)) y); [exact worth_of_up|lia].
  - destruct (Z.ltb_spec (Z.of_N (field r)) y); [lia|]. destruct (Z.ltb_spec y (- Z.of_N (field r))); [exact worth_of_down|lia].
  - destruct (Z.ltb_spec (Z.of_N (field r)) y); [lia|]. destruct (Z.ltb_spec y (- Z.of_N (field r))); [lia|].
    unfold has in H. destruct (_ && _)%bool; exact H.
Qed.

Lemma bids_lowest points i : In i (bids points) <-> (lowest false points <= i <= points)%N.
Proof. rewrite bids_spec. unfold lowest. lia. Qed.

(** ** Means *)

Lemma mean_weights G (l : weights (move G)) t : mean F G (probabilities F G t l) (fun _ => 1) = ratio (total l # t).
Proof.
  induction l as [|[i w] l IH]; simpl. rewrite <- ratio_0. now apply ratio_eq. rewrite IH.
  replace (ratio (w # t) * 1) with (ratio (w # t) : F) by ring. rewrite <- ratio_add. apply ratio_eq.
  unfold Qeq. cbn [Qnum Qden Qplus]. rewrite Pos2Z.inj_mul. ring.
Qed.

Lemma zero_plus (y : F) : 0 + y = y.
Proof. ring. Qed.

Lemma mean_app G t (l m : weights (move G)) f :
  mean F G (probabilities F G t (l ++ m)) f = mean F G (probabilities F G t l) f + mean F G (probabilities F G t m) f.
Proof. induction l as [|[i w] l IH]; simpl. ring. rewrite IH. ring. Qed.

Lemma total_nonneg {T} (l : weights T) : (forall i w, In (i, w) l -> (0 < w)%Z) -> (0 <= total l)%Z.
Proof.
  induction l as [|[i w] l IH]; intros H; simpl. lia. specialize (IH (fun i w I => H i w (or_intror I))).
  specialize (H i w (or_introl eq_refl)). lia.
Qed.

Lemma valid_total points l : valid zero points l = true -> exists t, total l = Zpos t.
Proof.
  intros V. destruct l as [|[i w] l]; [discriminate V|]. cbn [valid] in V. apply valid_from_spec in V as [_ V].
  assert (H : (0 <= total l)%Z) by (apply total_nonneg; intros j v I; destruct (V j v (or_intror I)); lia).
  destruct (V i w (or_introl eq_refl)) as (_ & _ & W). cbn [total].
  exists (Z.to_pos (w + total l)). rewrite Z2Pos.id; lia.
Qed.

Lemma distribution_of G (l : weights (move G)) t p : total l = Zpos t -> (forall i w, In (i, w) l -> In i (moves_A G p) /\ (0 < w)%Z) ->
  distribution F G (moves_A G p) (probabilities F G t l).
Proof.
  intros T H. split.
  - intros i y I. apply in_map_iff in I as ([k w] & [= <- <-] & I). apply H in I as [I P]. split; auto.
    rewrite <- ratio_0. apply ratio_le. unfold Qle; simpl. lia.
  - rewrite mean_weights, T, <- ratio_1. apply ratio_eq. unfold Qeq. cbn [Qnum Qden]. lia.
Qed.

(** ** Smallest bid 1 *)

Theorem once_secured columns a b x l v : zero = false -> (Z.abs x <= Z.of_N (field r))%Z ->
  Forall (true_column has) columns ->
  valid zero a l = true -> secured_once e (spot_of r x) columns a b l = Some v -> A_has (At a b x) v.
Proof.
  intros Z0 X C V S. destruct (valid_total a l V) as [t T]. unfold A_has. rewrite Z0 in V |- *.
  destruct (secured_once_true r e has a b x X columns l v C V S) as (n & N & M).
  assert (V' : valid_from false a 0 l = true) by now destruct l. apply valid_from_spec in V' as [_ V'].
  apply A_secures_turn with (G := tennis r) (d := probabilities F (tennis r) t l) (w := fun i j => ratio (n i j # unit)).
  - easy.
  - apply distribution_of; auto. intros i w I. apply V' in I as (_ & I & W). split; auto. now apply bids_lowest.
  - exact Logic.I.
  - intros i j I J. apply bids_lowest in J. apply in_map_iff in I as ([k y] & <- & I). apply in_map_iff in I as ([m w] & [= <- <-] & I).
    specialize (N m w j I J). apply has_next in N; [|lia]. unfold has_after, A_has in N. rewrite Z0 in N. cbn [fst].
    simpl after. destruct (after_bids r (At a b x) m j); simpl in *; auto. now apply ratio_le.
  - intros j J. apply bids_lowest in J. rewrite (mean_probabilities F unit (tennis r)). apply ratio_le.
    specialize (M j J). rewrite T in M. unfold Qle. cbn [Qnum Qden]. rewrite Pos2Z.inj_mul, Z.mul_assoc.
    apply Z.mul_le_mono_nonneg_r; [lia|exact M].
Qed.

(** ** Smallest bid 0 *)

Theorem endless_secured columns a b x l v stays : zero = true -> (Z.abs x <= Z.of_N (field r))%Z ->
  Forall (true_column has) columns ->
  (stays # unit <= payoff r (stay x))%Q ->
  valid zero a l = true -> secured_until_left e (spot_of r x) stays columns a b l = Some v -> A_has (At a b x) v.
Proof.
  intros Z0 X C E V S. destruct (valid_total a l V) as [t T]. unfold A_has. rewrite Z0 in V |- *.
  destruct (secured_until_left_true r e has a b x X stays columns l v C V S)
    as (n & idle & bids & L & IZ & BP & N & F1 & F2 & M).
  assert (V' : valid_from true a 0 l = true) by now destruct l. apply valid_from_spec in V' as [_ V'].
  set (G := endless_tennis r). set (d := probabilities F G t l).
  apply (A_keeps_turn F G) with (d := d) (w := fun i j => ratio (n i j # unit)).
  - apply (distribution_of (tennis_once r)); auto. intros i w I. apply V' in I as (_ & I & W). split; auto. apply bids_from_0_spec. lia.
  - intros i j I J R. apply bids_from_0_spec in J. apply in_map_iff in I as ([k y] & <- & I). apply in_map_iff in I as ([m w] & [= <- <-] & I).
    cbn [fst] in *. assert (K : m = 0%N -> j = 0%N -> False) by (intros -> ->; discriminate R). specialize (N m w j I J K).
    apply has_next in N; [|lia]. unfold has_after, A_has in N. rewrite Z0 in N. simpl after. change (stands_still m j = false) in R. rewrite R.
    destruct (after_bids r (At a b x) m j); simpl in *; auto. now apply ratio_le.
  - intros j J. apply bids_from_0_spec in J. unfold answered, leaving, left_for.
    assert (MA : forall f, mean F G d f = mean F G (probabilities F G t idle) f + mean F G (probabilities F G t bids) f).
    { intros f. unfold d. rewrite L. apply (mean_app (tennis_once r)). }
    destruct (N.eq_dec j 0) as [->|J0].
    + assert (MI : forall f, mean F G (probabilities F G t idle) (fun i => if repeats G (At a b x) i 0%N then 0 else f i) = 0).
      { intros f. rewrite (mean_eq F G _ _ (fun _ => 0)), mean_zero; auto. intros i y I.
        apply in_map_iff in I as ([k w] & [= <- <-] & I). now rewrite (IZ k w I). }
      assert (MB : forall f, mean F G (probabilities F G t bids) (fun i => if repeats G (At a b x) i 0%N then 0 else f i) =
        mean F G (probabilities F G t bids) f).
      { intros f. apply mean_eq. intros i y I. apply in_map_iff in I as ([k w] & [= <- <-] & I).
        cbn. unfold stands_still. specialize (BP k w I). destruct (N.eqb_spec k 0); [lia|reflexivity]. }
      destruct bids as [|[i0 w0] bids'].
      * right. split. { intros i I. apply in_map_iff in I as ([k y] & <- & I). apply in_map_iff in I as ([m w] & [= <- <-] & I).
          rewrite L, app_nil_r in I. apply IZ in I. now rewrite I. }
        eapply Qle_trans; [|exact E]. specialize (F1 eq_refl). unfold Qle. cbn [Qnum Qden]. nia.
      * left. set (moving := (i0, w0) :: bids') in *. rewrite !MA, !MI, !MB, mean_weights, (mean_probabilities F unit G).
        assert (W0 : (0 < total moving)%Z).
        { unfold moving. simpl. assert (H : (0 <= total bids')%Z).
          { apply total_nonneg. intros i w I. eapply V'. rewrite L. apply in_or_app. right. right. exact I. }
          enough (0 < w0)%Z by lia. eapply V'. rewrite L. apply in_or_app. right. left. reflexivity. }
        split.
        -- exists (Pos.to_nat t). rewrite zero_plus, <- ratio_of_count, <- ratio_mul, <- ratio_1. apply ratio_le.
           rewrite positive_nat_Z. unfold Qle, Qmult, inject_Z. cbn [Qnum Qden]. rewrite Pos.mul_1_l.
           pose proof (W0 : (0 < @total (move G) moving)%Z). nia.
        -- rewrite !zero_plus, <- ratio_mul. apply ratio_le. unfold Qle, Qmult. cbn [Qnum Qden]. rewrite !Pos2Z.inj_mul.
           rewrite (Z.mul_comm (Zpos unit) (Zpos t)). apply Z.mul_le_mono_nonneg_r; [lia|exact F2].
    + left. assert (R : forall i, repeats G (At a b x) i j = false).
      { intros i. cbn. unfold stands_still. destruct (N.eqb_spec j 0); [lia|]. now rewrite andb_false_r. }
      assert (MR : forall f, mean F G d (fun i => if repeats G (At a b x) i j then 0 else f i) = mean F G d f).
      { intros f. apply mean_eq. intros i y _. now rewrite R. }
      rewrite !MR. unfold d. rewrite mean_weights, (mean_probabilities F unit G).
      assert (O : ratio (@total (move G) l # t) = 1 :> F).
      { change (@total (move G) l) with (@total BinNums.N l). rewrite T, <- ratio_1. apply ratio_eq. unfold Qeq. cbn [Qnum Qden]. lia. }
      rewrite O. split.
      * exists 1%nat. replace (count F 1 * 1) with (1 * 1 : F) by reflexivity. replace (1 * 1) with (1 : F) by ring. apply le_refl.
      * replace (ratio (v # unit) * 1) with (ratio (v # unit) : F) by ring. apply ratio_le.
        specialize (M j ltac:(lia)). rewrite T in M. unfold Qle. cbn [Qnum Qden]. rewrite Pos2Z.inj_mul, Z.mul_assoc.
        apply Z.mul_le_mono_nonneg_r; [lia|exact M].
Qed.

(** ** All points spent *)

Lemma spent_has x v : (v # unit <= payoff r (stay x))%Q -> (Z.abs x <= Z.of_N (field r))%Z -> A_has (At 0 0 x) v.
Proof.
  intros H X. unfold A_has. destruct zero.
  - apply (A_keeps_turn F (endless_tennis r)) with (d := [(0%N, 1)]) (w := fun _ _ => 0).
    + apply (pure_distribution F (tennis_once r)). now left.
    + intros i j [<-|[]] [<-|[]]. discriminate.
    + intros j [<-|[]]. right. split. now intros i [<-|[]]. exact H.
  - apply A_secures_turn with (G := tennis r) (d := [(0%N, 1)]) (w := fun _ _ => ratio (v # unit)).
    + easy.
    + apply (pure_distribution F (tennis r)). now left.
    + exact Logic.I.
    + intros i j [<-|[]] [<-|[]]. cbn [fst]. simpl after. unfold after_bids, next. rewrite moved_same.
      destruct (Z.ltb_spec (Z.of_N (field r)) x); [lia|]. destruct (Z.ltb_spec x (- Z.of_N (field r))); [lia|]. simpl. now apply ratio_le.
    + intros j _. rewrite mean_pure. apply le_refl.
Qed.

Lemma has_has a b x v : (Z.abs x <= Z.of_N (field r))%Z -> has a b x v -> A_has (At a b x) v.
Proof.
  unfold has. intros X. destruct (N.eqb_spec a 0) as [->|], (N.eqb_spec b 0) as [->|]; simpl; auto. intros H. now apply spent_has.
Qed.
End Sides.
