(** * Nature's choice

    Uncertain probabilities lie within limits. The mean that [worst] computes is at most the mean by any probabilities within the
    limits, and the probabilities that [chosen] finds are such ones. *)

From Coq Require Import ZArith QArith List Bool Field Lia Lqa.
From PencilTennis Require Import Numbers AnyGame Stationary AnyTables.
Import ListNotations.

(** Whether successors are possible does not depend on nature. *)
Definition are_decided (l : list (Q * Q)) : Prop :=
  forall least most, In (least, most) l -> (0 < least \/ least == 0 /\ most == 0)%Q.

Lemma certain_decided l : (forall q k, In (q, k) l -> 0 <= q)%Q -> are_decided (limits l []).
Proof.
  induction l as [|[q k] l IH]; intros P least most; simpl; [easy|]. intros [[= <- <-]|I].
  - assert (0 <= q)%Q as H by (apply (P q k); now left). destruct (Qlt_le_dec 0 q); [now left|right]. split; lra.
  - apply IH; auto. intros q' k' I'. apply (P q' k'). now right.
Qed.

Lemma limits_decided l : are_limits l -> are_decided l.
Proof. intros (L & _) least most I. destruct (L _ _ I); [left|right]; lra. Qed.

Lemma check_limits_spec c : check_limits c = true -> are_limits (limits_of c).
Proof.
  unfold check_limits. cbv zeta. rewrite !andb_true_iff, !Qle_bool_iff, forallb_forall. intros ((L & S) & T). split; [|split].
  - intros least most I. specialize (L _ I). unfold check_limit in L. rewrite orb_true_iff, !andb_true_iff, !Qle_bool_iff in L.
    destruct L as [((P & Q) & R)|(P & Q)].
    + left. apply Z.ltb_lt in P. repeat split; auto. unfold Qlt. simpl. lia.
    + right. apply Z.eqb_eq in P, Q. unfold Qeq. simpl. lia.
  - apply Qle_trans with (2 := S). rewrite (sum_spec fst), Qplus_0_l. apply Qle_refl.
  - apply Qle_trans with (1 := T). rewrite (sum_spec snd), Qplus_0_l. apply Qle_refl.
Qed.

Lemma in_limits l most least m : In (least, m) (limits l most) -> exists k, In (least, k) l.
Proof.
  revert most. induction l as [|[q k] l IH]; simpl; intros most; [easy|]. intros [[= <- _]|I].
  - exists k. now left.
  - apply IH in I as (k' & I). exists k'. now right.
Qed.

(** Some successor is possible. *)
Lemma some_possible c : has_limits c -> exists q k, In (q, k) (successors c) /\ (0 < q)%Q.
Proof.
  intros [[[_ S] _]|(L & _ & S)]. { apply some_probability. rewrite S. reflexivity. }
  assert (exists least most, In (least, most) (limits (successors c) (largest c)) /\ (0 < least)%Q) as (q & most & I & Q).
  { revert L S. generalize (limits (successors c) (largest c)). intros l. induction l as [|[least most] l IH]; intros L S.
    - simpl in S. lra.
    - destruct (L least most (or_introl eq_refl)) as [(P & _)|(_ & Z)].
      + exists least, most. split; auto. now left.
      + destruct IH as (q & m & I & Q). { intros a b I. apply L. now right. } { simpl in S. lra. }
        exists q, m. split; auto. now right. }
  apply in_limits in I as (k & I). eauto.
Qed.

(** Limits that coincide are probabilities. *)
Lemma sum_certain (f : Q * Q -> Q) l : (forall q, f (q, q) = q) ->
  (fold_right (fun x s => f x + s) 0 (limits l []) == fold_right (fun qk s => fst qk + s) 0 l)%Q.
Proof. intros E. induction l as [|[q k] l IH]; simpl. reflexivity. rewrite E, IH. reflexivity. Qed.

Lemma certain_limits c : has_limits c -> largest c = [] -> (forall q k, In (q, k) (successors c) -> 0 <= q)%Q -> is_certain c.
Proof.
  intros [H|(_ & L1 & L2)] E P; auto. split; auto. split; auto. rewrite E in *.
  rewrite (sum_certain fst) in L1 by auto. rewrite (sum_certain snd) in L2 by auto. now apply Qle_antisym.
Qed.

Section Between.
Open Scope field_scope.
Variable F : ordered_field.
Add Field laws_of_nature : (field_laws F).

(** Each successor has at least its least probability, and 0 if it is impossible. *)
Lemma between_entry l : forall most d, are_decided (limits l most) -> between F l most d -> forall k y, In (k, y) d ->
  exists q, In (q, k) l /\ ratio q <= y /\ ((0 < q)%Q \/ y = 0).
Proof.
  induction l as [|[q k] l IH]; intros most [|[k' x] d] D B; simpl in *; try easy. destruct B as (-> & X & B).
  intros k0 y [H|I].
  - injection H as <- <-. exists q. split; [now left|]. destruct (D _ _ (or_introl eq_refl)) as [P|[Z Z']].
    + destruct most as [|[m|] most]; try (destruct X); try subst; split; auto; apply le_refl.
    + assert (x = 0) as ->.
      { destruct most as [|[m|] most]; [| |]; cycle 1.
        - destruct X as [X1 X2]. rewrite (ratio_eq F _ _ Z), ratio_0 in X1. rewrite (ratio_eq F _ _ Z'), ratio_0 in X2.
          now apply le_antisym.
        - rewrite X, (ratio_eq F _ _ Z). apply ratio_0.
        - rewrite X, (ratio_eq F _ _ Z). apply ratio_0. }
      rewrite (ratio_eq F _ _ Z), ratio_0. split; [apply le_refl|auto].
  - apply IH with (1 := fun a b I' => D a b (or_intror I')) (2 := B) in I as (q' & I & H). exists q'. auto.
Qed.

Lemma between_has l : forall most d q k, between F l most d -> In (q, k) l -> exists y, In (k, y) d /\ ratio q <= y.
Proof.
  induction l as [|[q k] l IH]; intros most [|[k' x] d] q0 k0 B; simpl in *; try easy. destruct B as (-> & X & B).
  intros [[= <- <-]|I].
  - exists x. split; [now left|]. destruct most as [|[m|] most]; try (destruct X); try subst; auto; apply le_refl.
  - destruct (IH _ _ _ _ B I) as (y & Y & H). exists y. auto.
Qed.

Lemma between_certain l d : between F l [] d -> d = fractions F l.
Proof. revert d. induction l as [|[q k] l IH]; intros [|[k' x] d]; simpl; try easy. intros (-> & -> & B). f_equal. auto. Qed.

(** ** The worst choice *)

Lemma above_price_spec b t l : forall most d, between F l most d ->
  ratio (above_price t (limits l most) (map (fun qk => b (snd qk)) l)) <= mean F d (fun k => integer (b k) - integer t).
Proof.
  induction l as [|[q k] l IH]; intros most [|[k' x] d] B; simpl in *; try easy. rewrite ratio_0. apply le_refl.
  destruct B as (-> & X & B). rewrite (ratio_eq F _ _ (plus_spec _ _)), ratio_add, ratio_mul. unfold inject_Z at 1.
  rewrite ratio_integer. rewrite <- integer_sub. apply add_le_both; [|now apply IH].
  assert (ratio q <= x /\ x <= ratio (match most with Some m :: _ => m | _ => q end)) as [L M].
  { destruct most as [|[m|] most]; auto; subst; split; apply le_refl. }
  destruct (Z.leb_spec t (b k)) as [T|T].
  - replace (ratio q * integer (b k - t)) with (integer (b k - t) * ratio q : F) by ring.
    replace (x * integer (b k - t)) with (integer (b k - t) * x) by ring. apply mul_le; auto. apply integer_nonneg. lia.
  - apply le_difference. set (m := match most with Some m :: _ => m | _ => q end) in *.
    replace (x * integer (b k - t) - ratio m * integer (b k - t)) with (- integer (b k - t) * (ratio m - x) : F) by ring.
    apply mul_nonneg. rewrite <- integer_opp. apply integer_nonneg. lia. now apply (proj1 (le_difference F _ _)).
Qed.

Lemma by_price_spec b t l most d : between F l most d -> mean F d (fun _ => 1) = 1 ->
  ratio (by_price t (limits l most) (map (fun qk => b (snd qk)) l)) <= mean F d (fun k => integer (b k)).
Proof.
  intros B S. unfold by_price. rewrite (ratio_eq F _ _ (plus_spec _ _)), ratio_add. unfold inject_Z at 1. rewrite ratio_integer.
  apply le_trans with (integer t + mean F d (fun k => integer (b k) - integer t)). { now apply add_le, above_price_spec. }
  rewrite mean_sub, mean_const by exact S. apply le_difference.
  match goal with |- 0 <= ?x => replace x with (0 : F) by ring end. apply le_refl.
Qed.

Lemma worst_is l values : values <> [] -> exists t, worst l values = by_price t l values.
Proof.
  intros N. unfold worst. destruct values as [|t others]; [easy|]. clear N. set (all := t :: others).
  enough (forall ts q, (exists t, q = by_price t l all) -> exists t', fold_left (fun best t => let q := by_price t l all in
    if Qle_bool best q then q else best) ts q = by_price t' l all) as H by (apply H; eauto).
  induction ts as [|t' ts IH]; simpl; intros q Q; auto. apply IH. destruct (Qle_bool _ _); eauto.
Qed.

Theorem worst_spec b l most d : between F l most d -> mean F d (fun _ => 1) = 1 ->
  ratio (worst (limits l most) (map (fun qk => b (snd qk)) l)) <= mean F d (fun k => integer (b k)).
Proof.
  intros B S. destruct (worst_is (limits l most) (map (fun qk => b (snd qk)) l)) as [t ->].
  - destruct l as [|x l]; [|easy]. destruct d; [|easy]. simpl in S. now destruct (one_not_zero F).
  - now apply by_price_spec.
Qed.

(** ** The choice that is found *)

Definition with_shares (l : list (Q * N)) (shares : list Q) : list (N * F) :=
  combine (map snd l) (map ratio shares).

Lemma chosen_fits l values shares : chosen l values = Some shares ->
  fits l shares = true /\ (sum_of_shares shares == 1)%Q.
Proof.
  unfold chosen. enough (forall ts found, (forall s, found = Some s -> fits l s = true /\ (sum_of_shares s == 1)%Q) ->
    forall s, fold_left (fun found t => match found with Some _ => found | None => try_price l values t end) ts found = Some s ->
      fits l s = true /\ (sum_of_shares s == 1)%Q) as H by (apply H; easy).
  induction ts as [|t ts IH]; simpl; intros found H s E; auto. apply (IH _) in E; auto.
  destruct found as [x|]; auto. intros s' T. unfold try_price in T. destruct (fits _ _ && _) eqn:C; [|easy]. injection T as <-.
  apply andb_true_iff in C as [C D]. split; auto. now apply Qeq_bool_iff.
Qed.

Lemma with_shares_between l : forall most shares, fits (limits l most) shares = true -> between F l most (with_shares l shares).
Proof.
  induction l as [|[q k] l IH]; intros most [|x shares]; simpl; try easy. rewrite !andb_true_iff, !Qle_bool_iff.
  intros ((L & M) & H). split; auto. split; [|exact (IH _ _ H)].
  destruct most as [|[m|] most]; try (apply ratio_eq; lra). split; now apply ratio_le.
Qed.

Lemma with_shares_mean l f : forall most shares, fits (limits l most) shares = true ->
  mean F (with_shares l shares) (fun k => integer (f k)) =
    ratio (fold_right (fun qv s => fst qv * inject_Z (snd qv) + s) 0 (combine shares (map (fun qk => f (snd qk)) l)))%Q.
Proof.
  induction l as [|[q k] l IH]; intros most [|x shares]; simpl; try easy. now rewrite ratio_0.
  rewrite !andb_true_iff. intros ((_ & _) & H). change (combine (map snd l) (map ratio shares)) with (with_shares l shares).
  rewrite (IH _ _ H), ratio_add, ratio_mul. unfold inject_Z at 2. now rewrite ratio_integer.
Qed.

Lemma with_shares_sum l : forall most shares, fits (limits l most) shares = true ->
  mean F (with_shares l shares) (fun _ => 1) = ratio (fold_right Qplus 0 shares)%Q.
Proof.
  induction l as [|[q k] l IH]; intros most [|x shares]; simpl; try easy. now rewrite ratio_0.
  rewrite !andb_true_iff. intros ((_ & _) & H). change (combine (map snd l) (map ratio shares)) with (with_shares l shares).
  rewrite (IH _ _ H), ratio_add. ring.
Qed.

Theorem chosen_spec b l most shares : let values := map (fun qk => b (snd qk)) l in
  chosen (limits l most) values = Some shares ->
  between F l most (with_shares l shares) /\ mean F (with_shares l shares) (fun _ => 1) = 1 /\
  ratio (mean_of shares values) = mean F (with_shares l shares) (fun k => integer (b k)).
Proof.
  intros values C. apply chosen_fits in C as [H S]. split; [now apply with_shares_between|split].
  - rewrite (with_shares_sum _ _ _ H), <- ratio_1. apply ratio_eq. rewrite <- S. unfold sum_of_shares.
    pose proof (sum_spec (fun q => q) shares 0) as E. rewrite Qplus_0_l in E. now rewrite E.
  - rewrite (with_shares_mean _ _ _ _ H). apply ratio_eq. unfold mean_of.
    pose proof (sum_spec (fun qv => fst qv * inject_Z (snd qv))%Q (combine shares values) 0) as E. rewrite Qplus_0_l in E. now rewrite E.
Qed.
(** ** Some choice

    Between the least and the largest probabilities lie some that sum to 1. *)

Definition sum_by (f : Q * Q -> Q) (l : list (Q * Q)) : Q := fold_right (fun x s => f x + s)%Q 0%Q l.
Definition middle (l : list (Q * Q)) : list Q :=
  let part := ((1 - sum_by fst l) / (sum_by snd l - sum_by fst l))%Q in map (fun x => fst x + part * (snd x - fst x))%Q l.

Lemma middle_spec l : (forall least most, In (least, most) l -> least <= most)%Q -> (sum_by fst l <= 1)%Q -> (1 <= sum_by snd l)%Q ->
  fits l (middle l) = true /\ (fold_right Qplus 0 (middle l) == 1)%Q.
Proof.
  intros L S T. unfold middle. set (part := (_ / _)%Q).
  assert (Sums : forall part l, (fold_right Qplus 0 (map (fun x => fst x + part * (snd x - fst x)) l) ==
    sum_by fst l + part * (sum_by snd l - sum_by fst l))%Q).
  { clear. intros part l. unfold sum_by. induction l as [|[a b] l IH]; simpl. ring. rewrite IH. ring. }
  assert (Part : (0 <= part /\ part <= 1)%Q /\ (part * (sum_by snd l - sum_by fst l) == 1 - sum_by fst l)%Q).
  { destruct (Qlt_le_dec (sum_by fst l) (sum_by snd l)) as [Lt|Le].
    - unfold part. repeat split. apply Qle_shift_div_l; lra. apply Qle_shift_div_r; lra. field. lra.
    - assert (sum_by snd l - sum_by fst l == 0)%Q as Z by lra. assert (part == 0)%Q as -> by (unfold part, Qdiv; rewrite Z; change (/ 0)%Q with 0%Q; ring).
      repeat split; lra. }
  destruct Part as [[P0 P1] P]. split; [|rewrite Sums, P; ring]. clear - L P0 P1. clearbody part.
  induction l as [|[a b] l IH]; [easy|]. cbn [map fits fst snd]. assert (a <= b)%Q as AB by (apply L; now left).
  rewrite !andb_true_iff, !Qle_bool_iff. repeat split; [nra|nra|]. apply IH. intros. apply L. now right.
Qed.

Lemma some_choice c : has_limits c -> let d := with_shares (successors c) (middle (limits (successors c) (largest c))) in
  between F (successors c) (largest c) d /\ mean F d (fun _ => 1) = 1.
Proof.
  intros H. set (l := limits (successors c) (largest c)).
  assert (Limits : (forall least most, In (least, most) l -> least <= most)%Q /\ (sum_by fst l <= 1)%Q /\ (1 <= sum_by snd l)%Q).
  { destruct H as [[[_ S] M]|(L & S & T)].
    - unfold l, sum_by. rewrite M, (sum_certain fst), (sum_certain snd), S by auto. split; [|split; apply Qle_refl].
      clear. induction (successors c) as [|[q k] r IH]; simpl; [easy|]. intros a b [[= <- <-]|I]; auto using Qle_refl.
    - split; [|split; auto]. intros a b I. destruct (L a b I) as [(_ & Le & _)|[Z Z']]; [auto|]. rewrite Z, Z'. apply Qle_refl. }
  destruct Limits as (L & S & T). destruct (middle_spec l L S T) as [Fits Sum]. split. now apply with_shares_between.
  rewrite (with_shares_sum _ _ _ Fits), <- ratio_1. now apply ratio_eq.
Qed.
End Between.
