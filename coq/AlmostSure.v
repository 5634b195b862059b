(** * Almost sure payoffs

    In a recursive game a player may get the best payoff that play can still reach with probability 1 (de Alfaro, Henzinger and
    Kupferman 2007), which the second part of a certificate claims by ranks and actions (docs/game-format.md). Here A's claims of
    states without a layer are stated as conditions on the successors, for any rules, and proved to be enough. So is
    the condition that there is no better payoff. Claims that a payoff is approached and not attained are not dealt with. *)

From Coq Require Import ZArith NArith QArith Qround List Field Lia Lqa.
From PencilTennis Require Import Numbers AnyGame Stationary Nature AnyTables AnyProof GameReader AnyTheorem InTime.
Import ListNotations.

(** ** Finitely many states *)

Section Finite.
Variable size : nat.
Definition inside (p : N) : Prop := (N.to_nat p < size)%nat.
Definition places : list N := map N.of_nat (seq 0 size).

Lemma places_in p : inside p -> In p places.
Proof. intros P. apply in_map_iff. exists (N.to_nat p). split. apply N2Nat.id. apply in_seq. unfold inside in P. lia. Qed.

Lemma bounded_Q (f : N -> Q) : exists top, (0 <= top)%Z /\ forall p, inside p -> (f p <= inject_Z top)%Q.
Proof.
  destruct (bounded (fun p => Z.to_nat (Qceiling (f p))) size) as [top H]. exists (Z.of_nat top). split. lia. intros p P.
  specialize (H p P). apply Qle_trans with (1 := Qle_ceiling _). rewrite <- Zle_Qle. lia.
Qed.

Lemma bounded_lists (f : N -> list positive) : exists most, (1 <= most)%Z /\
  forall p, inside p -> forall x, In x (f p) -> (Zpos x <= most)%Z.
Proof.
  destruct (bounded_list (flat_map f places)) as (most & M & H). exists most. split; auto. intros p P x I. apply H, in_flat_map.
  exists p. split; auto. now apply places_in.
Qed.

Lemma common_unit (f : N -> Q) : exists (units : positive) (b : N -> Z), forall p, inside p -> (f p == b p # units)%Q.
Proof.
  set (u := fold_right Pos.mul 1%positive (map (fun p => Qden (f p)) places)).
  exists u, (fun p => Qnum (f p) * (Zpos u / Zpos (Qden (f p))))%Z.
  intros p P. apply places_in in P.
  assert ((Zpos (Qden (f p)) | Zpos u)%Z) as D.
  { unfold u. clear u. induction places as [|k l IH]; simpl in *; [easy|]. rewrite Pos2Z.inj_mul. destruct P as [->|P].
    apply Z.divide_factor_l. apply Z.divide_mul_r. auto. }
  destruct D as [d D]. unfold Qeq. cbn [Qnum Qden]. rewrite D, Z.div_mul by easy. ring.
Qed.
End Finite.

Section Fields.
Open Scope field_scope.
Variable F : ordered_field.
Add Field laws_of_fields : (field_laws F).

Lemma ratio_positive q : (0 < q)%Q -> ratio q <> (0 : F).
Proof.
  intros Q E. apply (Qlt_not_le _ _ Q). apply (ratio_le_iff F). rewrite E, ratio_0. apply le_refl.
Qed.

Lemma cancel_positive q (x y : F) : (0 < q)%Q -> ratio q * x <= ratio q * y -> x <= y.
Proof.
  intros Q H. pose proof (ratio_positive q Q) as N. apply (mul_le F _ _ (inv (ratio q))) in H.
  - replace (inv (ratio q) * (ratio q * x)) with x in H by now field. now replace (inv (ratio q) * (ratio q * y)) with y in H by now field.
  - apply inv_nonneg; auto. apply ratio_nonneg. now apply Qlt_le_weak.
Qed.

End Fields.

(** ** A recursive game *)

Definition follows (x : turn) (i j : nat) (k : N) : Prop := exists q, In (q, k) (chance x i j) /\ (0 < q)%Q.

(** What the first part of a certificate makes sure of. *)
Record sound_rules (R : rules) (size : nat) : Prop := {
  recursive : rules_kind R = Recursive;
  unpaid_rules : rewards_are R (fun r => r == 0)%Q;
  decided_rules : forall p x i j, at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
    are_decided (limits (chance x i j) (at_most x i j));
  some_actions : forall p x, at_state R p = inr x -> (0 < count_A x)%nat /\ (0 < count_B x)%nat;
  known : forall p x i j q k, at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
    In (q, k) (chance x i j) -> inside size k;
  levelled : exists level : N -> nat, forall p x i j k, at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
    follows x i j k -> (level k <= level p)%nat /\
      (level k = level p -> forall x', at_state R k = inr x' -> (endless x' == endless x)%Q) }.

Section Plan.
Open Scope field_scope.
Variables (F : ordered_field) (R : rules) (size : nat).
Add Field laws_of_plan : (field_laws F).
Hypothesis sound : sound_rules R size.
Notation Is := (inside size).

Lemma shape_here p x i j : Is p -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  (forall q k, In (q, k) (chance x i j) -> Is k) /\ forall d, allowed F x i j d -> mean F d (fun _ => 1) = 1 /\
    forall k y, In (k, y) d -> 0 <= y /\ Is k /\ (y = 0 \/ exists q, In (q, k) (chance x i j) /\ (0 < q)%Q).
Proof.
  intros P E I J. assert (K : forall q k, In (q, k) (chance x i j) -> Is k) by (intros q k; now apply (known _ _ sound) with p).
  split; auto. intros d [B S]. split; auto. intros k y Y.
  destruct (between_entry F _ _ _ (decided_rules _ _ sound p x i j E I J) B k y Y) as (q & Q & L & Z). split; [|split; [eauto|]].
  - destruct Z as [Z| ->]; [|apply le_refl]. apply le_trans with (2 := L). apply ratio_nonneg. now apply Qlt_le_weak.
  - destruct Z as [Z| ->]; eauto.
Qed.

(** *** A stationary strategy with fractions for weights, and what it secures *)

Variables (weights : N -> list (nat * Q)) (L : N -> Q) (rank : N -> nat).
Definition total_weight (p : N) : Q := fold_right (fun iw s => snd iw + s)%Q 0%Q (weights p).
Definition raw (p : N) : mixture F := map (fun iw => (fst iw, ratio (snd iw))) (weights p).
Definition mixed (p : N) : mixture F := map (fun iw => (fst iw, ratio (snd iw / total_weight p))) (weights p).

Hypothesis some_weight : forall p x, Is p -> at_state R p = inr x -> weights p <> [] /\
  forall i w, In (i, w) (weights p) -> (i < count_A x)%nat /\ (0 < w)%Q.
Hypothesis turns : forall p x j g, Is p -> at_state R p = inr x -> reply F (allowed F) x j g ->
  0 <= mean F (raw p) (fun i => mean F (g i) (fun k => ratio (L k)) - ratio (L p)).
Hypothesis at_ends : forall p v, Is p -> at_state R p = inl v -> (L p <= v)%Q.
Hypothesis falls : forall p x j, Is p -> at_state R p = inr x -> (endless x < L p)%Q -> (j < count_B x)%nat ->
  exists i w k, In (i, w) (weights p) /\ follows x i j k /\ (rank k < rank p)%nat.

Lemma total_positive p x : Is p -> at_state R p = inr x -> (0 < total_weight p)%Q.
Proof.
  intros P E. destruct (some_weight p x P E) as [N W]. unfold total_weight. destruct (weights p) as [|[i w] l]; [easy|]. simpl.
  destruct (W i w) as [_ W0]. now left.
  assert (0 <= fold_right (fun iw s => snd iw + s)%Q 0%Q l)%Q as S.
  { assert (forall i w, In (i, w) l -> 0 < w)%Q as Wl by (intros i' w' I; apply (W i' w'); now right). clear - Wl.
    induction l as [|[i w] l IH]; simpl. apply Qle_refl.
    assert (0 < w)%Q by (apply (Wl i w); now left). assert (0 <= fold_right (fun iw s => snd iw + s)%Q 0%Q l)%Q.
    { apply IH. intros i' w' I. apply (Wl i' w'). now right. } lra. }
  lra.
Qed.

Lemma mean_mixed p x f : Is p -> at_state R p = inr x -> ratio (total_weight p) * mean F (mixed p) f = mean F (raw p) f.
Proof.
  intros P E. pose proof (total_positive p x P E) as T. unfold mixed, raw. generalize (weights p) as l. intros l.
  induction l as [|[i w] l IH]; cbn [map mean fst snd]. ring. rewrite <- IH.
  rewrite <- (ratio_eq F (total_weight p * (w / total_weight p)) w) by (field; lra). rewrite ratio_mul. ring.
Qed.

Lemma raw_sum p : mean F (raw p) (fun _ => 1) = ratio (total_weight p).
Proof.
  unfold raw, total_weight. induction (weights p) as [|[i w] l IH]; simpl. now rewrite ratio_0. rewrite IH, ratio_add. ring.
Qed.

Lemma mixed_distribution p x : Is p -> at_state R p = inr x -> distribution F (count_A x) (mixed p).
Proof.
  intros P E. pose proof (total_positive p x P E) as T. split.
  - intros i y I. apply in_map_iff in I as ([i' w] & [= <- <-] & I). destruct (some_weight p x P E) as [_ W].
    destruct (W i' w I) as [Li W0]. split; auto. apply ratio_nonneg. cbn [snd]. apply Qlt_le_weak. unfold Qdiv.
    apply Qmult_lt_0_compat; auto. now apply Qinv_lt_0_compat.
  - apply le_antisym; apply (cancel_positive F (total_weight p)); auto; rewrite (mean_mixed p x) by auto; rewrite raw_sum;
      replace (ratio (total_weight p) * 1) with (ratio (total_weight p) : F) by ring; apply le_refl.
Qed.

Lemma unpaid_mixture p x j d : at_state R p = inr x -> (j < count_B x)%nat -> distribution F (count_A x) d ->
  mean F d (fun i => ratio (reward_of x i j)) = 0.
Proof.
  intros E J [D _]. rewrite <- (mean_zero F d).
  assert (forall i y, In (i, y) d -> ratio (reward_of x i j) = (0 : F)) as Z.
  { intros i y I. rewrite (ratio_eq F _ _ (unpaid_rules _ _ sound p x i j E (proj1 (D i y I)) J)). apply ratio_0. }
  apply le_antisym; apply mean_le; intros i y I; rewrite (Z i y I); apply le_refl.
Qed.

Theorem plan_secures p : Is p -> A_secures_by F R (natural F R (allowed F) p) (stationary F mixed p) p (ratio (L p)).
Proof.
  intros P. destruct (common_unit size L) as (units & b & Eq).
  assert (EqF : forall k, Is k -> ratio (b k # units) = (ratio (L k) : F)).
  { intros k K. apply ratio_eq. symmetry. auto. }
  destruct (bounded (fun k => Z.to_nat (Z.abs (b k))) size) as [top Top].
  destruct (bounded rank size) as [high High]. destruct (levelled _ _ sound) as (level & Level).
  destruct (bounded level size) as [levels Levels].
  destruct (bounded_Q size (fun k => match at_state R k with inr x => L k - endless x | inl _ => 0 end)%Q) as (gap & G0 & Gap).
  (* The least probability of a step. *)
  set (shares k := match at_state R k with
    | inr x => flat_map (fun iw => flat_map (fun j => map (fun qk => Qden (snd iw / total_weight k * fst qk)) (chance x (fst iw) j))
        (seq 0 (count_B x))) (weights k)
    | inl _ => [] end).
  destruct (bounded_lists size shares) as (parts & P1 & Parts).
  set (rank' k := match at_state R k with inr x => if Qlt_le_dec (endless x) (L k) then S (rank k) else 0%nat | inl _ => 0%nat end).
  assert (Rank' : forall k, (rank' k <= S (rank k))%nat).
  { intros k. unfold rank'. destruct (at_state R k) as [|x]; [lia|]. destruct (Qlt_le_dec _ _); lia. }
  assert (D1 : ratio (discount_of (rules_kind R)) = (1 : F)) by (rewrite (recursive _ _ sound); apply ratio_1).
  assert (Mixes : forall p x, Is p -> at_state R p = inr x -> distribution F (count_A x) (mixed p)) by apply mixed_distribution.
  assert (One : forall p x j g, Is p -> at_state R p = inr x -> reply F (allowed F) x j g ->
    ratio (b p # units) <= mean F (mixed p) (fun i => ratio (reward_of x i j)) +
      ratio (discount_of (rules_kind R)) * mean F (onward F mixed p g) (fun k => ratio (b k # units))).
  { intros k x j g K E Rp. rewrite D1, (unpaid_mixture k x j) by (auto; apply Rp). rewrite EqF by auto.
    pose proof (turns k x j g K E Rp) as T. rewrite mean_onward.
    assert (mean F (mixed k) (fun i => mean F (g i) (fun k => ratio (b k # units))) =
      mean F (mixed k) (fun i => mean F (g i) (fun k => ratio (L k)))) as ->.
    { assert (forall i y, In (i, y) (mixed k) -> mean F (g i) (fun k => ratio (b k # units)) = mean F (g i) (fun k => ratio (L k))) as M.
      { intros i y I. destruct (proj1 (Mixes k x K E) i y I) as [Li _].
        destruct (shape_here k x i j K E Li (proj1 Rp)) as [_ S]. destruct (S _ (proj2 Rp i Li)) as [_ S'].
        apply le_antisym; apply mean_le; intros k' z Z; rewrite EqF; try (eapply S'; eauto); apply le_refl. }
      apply le_antisym; apply mean_le; intros i y I; rewrite (M i y I); apply le_refl. }
    apply (cancel_positive F (total_weight k)). now apply (total_positive k x).
    replace (ratio (total_weight k) * (0 + 1 * mean F (mixed k) (fun i => mean F (g i) (fun k => ratio (L k))))) with
      (ratio (total_weight k) * mean F (mixed k) (fun i => mean F (g i) (fun k => ratio (L k))) : F) by ring.
    rewrite (mean_mixed k x) by auto. apply le_difference. rewrite mean_sub in T.
    rewrite (mean_eq F (raw k) (fun _ => ratio (L k)) (fun _ => ratio (L k) * 1)) in T by (intros; ring).
    rewrite mean_mul, raw_sum in T.
    match goal with |- 0 <= ?u => match type of T with 0 <= ?v => replace u with v by ring end end. exact T. }
  assert (Ends : forall p v, Is p -> at_state R p = inl v -> ratio (b p # units) <= (ratio v : F)).
  { intros k v K E. rewrite EqF by auto. now apply ratio_le, at_ends. }
  assert (Small : forall p, Is p -> (Z.abs (b p) <= Z.of_nat top)%Z) by (intros k K; specialize (Top k K); simpl in Top; lia).
  assert (D0 : (0 <= discount_of (rules_kind R))%Q) by (rewrite (recursive _ _ sound); discriminate).
  split. now apply stationary_proper with (Is := Is) (may := allowed F); auto; apply shape_here.
  exists 0%Q. intros large e _ E0. rewrite <- EqF by auto.
  assert (Inf : forall x, infinite R large x = endless x) by (intros x; unfold infinite; now rewrite (recursive _ _ sound)).
  revert e E0.
  apply (lasting_secures F R Is mixed b units (allowed F) shape_here Mixes D0 One Ends (Z.of_nat top) Small rank' (S high) parts P1)
    with (level := level) (levels := levels) (gap := gap) (way := 1%Z) (most_pay := 0%Z); auto.
  - intros k K. specialize (Rank' k). specialize (High k K). lia.
  - now rewrite (recursive _ _ sound).
  - intros k x j g K E Rp. left. split. { apply (unpaid_mixture k x j); auto. apply Rp. }
    intros R0. unfold rank' in R0. rewrite E in R0. destruct (Qlt_le_dec (endless x) (L k)) as [Lt|]; [|lia].
    destruct (falls k x j K E Lt (proj1 Rp)) as (i & w & k' & I & (q & Q & Q0) & Fall).
    destruct (some_weight k x K E) as [_ W]. destruct (W i w I) as [Li W0].
    destruct (proj2 Rp i Li) as [Bt _]. destruct (between_has F _ _ _ _ _ Bt Q) as (v & V & Le).
    exists k', (ratio (w / total_weight k) * v). split; [|split].
    + unfold onward. apply in_flat_map. exists (i, ratio (w / total_weight k)). split. apply in_map_iff. now exists (i, w).
      apply in_map_iff. now exists (k', v).
    + pose proof (total_positive k x K E) as T0.
      assert (0 < w / total_weight k)%Q as Wt by (unfold Qdiv; apply Qmult_lt_0_compat; auto; now apply Qinv_lt_0_compat).
      apply le_trans with (integer parts * (ratio (w / total_weight k) * ratio q)).
      2: { apply mul_le. apply integer_nonneg. lia. apply mul_le; auto. apply ratio_nonneg. now apply Qlt_le_weak. }
      rewrite <- ratio_mul, <- ratio_integer, <- ratio_mul, <- ratio_1. apply ratio_le.
      assert (0 < w / total_weight k * q)%Q as Pos by now apply Qmult_lt_0_compat.
      assert (Zpos (Qden (w / total_weight k * q)) <= parts)%Z as Dn.
      { apply (Parts k K). unfold shares. rewrite E. apply in_flat_map. exists (i, w). split; auto. apply in_flat_map. exists j. split.
        apply in_seq. destruct Rp. lia. apply in_map_iff. now exists (q, k'). }
      revert Pos Dn. generalize (w / total_weight k * q)%Q. intros [n d] Pos Dn. unfold Qlt, Qle, Qmult in *. cbn [Qnum Qden] in *. nia.
    + unfold rank'. rewrite E. destruct (Qlt_le_dec _ _) as [|N]; [|exfalso; lra]. specialize (Rank' k'). unfold rank' in Rank'. lia.
  - reflexivity.
  - intros k x j g K E Rp. rewrite (unpaid_mixture k x j) by (auto; apply Rp). apply le_refl.
  - intros k x K E R0. rewrite Inf, <- Eq by auto. unfold rank' in R0. rewrite E in R0. destruct (Qlt_le_dec _ _); [lia|auto].
  - intros k K R0. unfold rank' in R0. destruct (at_state R k) as [|x] eqn:E; [lia|]. exists x. split; auto. rewrite Inf, <- Eq by auto.
    destruct (Qlt_le_dec _ _); [auto|lia].
  - intros k x i j q k' K E I J Q Q0. destruct (Level k x i j k' E I J) as [Le Same]. now exists q. split; auto.
    intros El x' E'. rewrite !Inf. now apply Same.
  - intros k x K E. rewrite Inf, <- Eq by auto. specialize (Gap k K). rewrite E in Gap. exact Gap.
Qed.
End Plan.

(** ** Claims about the best payoff of A *)

(** Of each state the best payoff, and perhaps a way to it, a rank with the actions that are played. *)
Record claims := { best : N -> Q; way : N -> option (nat * list nat) }.
Definition rank_of (c : claims) (p : N) : nat := match way c p with Some (r, _) => r | None => 0%nat end.
Definition actions (c : claims) (p : N) : list nat := match way c p with Some (_, l) => l | None => [] end.

(** A successor that is still on its way to the same payoff. *)
Definition held (c : claims) (p k : N) : Prop := (best c k == best c p)%Q /\ way c k <> None.

(** No action may leave; against every reply some action may bring play to a lower rank, or infinite play pays the payoff. *)
Record valid (R : rules) (size : nat) (c : claims) : Prop := {
  valid_end : forall p v, inside size p -> at_state R p = inl v -> way c p <> None -> (best c p <= v)%Q;
  valid_actions : forall p x, inside size p -> at_state R p = inr x -> way c p <> None -> actions c p <> [] /\
    forall i, In i (actions c p) -> (i < count_A x)%nat;
  valid_way : forall p x j, inside size p -> at_state R p = inr x -> way c p <> None -> (j < count_B x)%nat ->
    (forall i k, In i (actions c p) -> follows x i j k -> held c p k) /\
    ((exists i k, In i (actions c p) /\ follows x i j k /\ (rank_of c k < rank_of c p)%nat) \/ (best c p <= endless x)%Q) }.

Section Ways.
Open Scope field_scope.
Variables (F : ordered_field) (R : rules) (size : nat) (c : claims).
Add Field laws_of_ways : (field_laws F).
Hypothesis sound : sound_rules R size.
Hypothesis claimed : valid R size c.
Notation Is := (inside size).

(** The mean of a number that is at least [a] at all successors. *)
Lemma mean_at_least p x i j d (f : N -> Q) a : Is p -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  allowed F x i j d -> (forall k, Is k -> follows x i j k -> (a <= f k)%Q) -> ratio a <= mean F d (fun k => ratio (f k)).
Proof.
  intros P E I J A H. destruct (shape_here F R size sound p x i j P E I J) as [_ S]. destruct (S d A) as [Sum D].
  rewrite <- (mean_const F d (ratio a) Sum). apply mean_le. intros k y Y. destruct (D k y Y) as (Y0 & K & [->|Q]).
  - replace (0 * ratio a) with (0 * ratio (f k) : F) by ring. apply le_refl.
  - apply mul_le; auto. apply ratio_le. now apply H.
Qed.

(** *** Their soundness *)

(** A number below all payoffs, those that are claimed and those of infinite plays and ends. *)
Lemma small_number : exists least, forall p, Is p -> (inject_Z least <= best c p)%Q /\
  (forall v, at_state R p = inl v -> (inject_Z least <= v)%Q) /\ forall x, at_state R p = inr x -> (inject_Z least <= endless x)%Q.
Proof.
  destruct (bounded_Q size (fun p => - best c p)%Q) as (m1 & M1 & H1).
  destruct (bounded_Q size (fun p => match at_state R p with inr x => - endless x | inl v => - v end)%Q) as (m2 & M2 & H2).
  exists (- (m1 + m2))%Z. intros p P. specialize (H1 p P). specialize (H2 p P). rewrite inject_Z_opp, inject_Z_plus.
  rewrite Zle_Qle in M1, M2. change (inject_Z 0) with 0%Q in *. split; [lra|]. split; intros z E; rewrite E in H2; lra.
Qed.

Definition even (p : N) : list (nat * Q) := match way c p with Some (_, l) => map (fun i => (i, 1%Q)) l | None => [(0%nat, 1%Q)] end.

(** All actions of a way, mixed evenly, secure the payoff: exactly, with ranks of any kind. *)
Theorem almost_sure_secures p : Is p -> way c p <> None ->
  A_secures_by F R (natural F R (allowed F) p) (stationary F (mixed F even) p) p (ratio (best c p)).
Proof.
  intros P W. destruct small_number as (least & Least).
  set (bound p := match way c p with Some _ => best c p | None => inject_Z least end).
  assert (bound p = best c p) as <- by (unfold bound; now destruct (way c p)).
  assert (Low : forall p, Is p -> (inject_Z least <= bound p)%Q).
  { intros k K. unfold bound. destruct (way c k). now apply Least. apply Qle_refl. }
  assert (Cases : forall p, way c p <> None /\ bound p = best c p /\ even p = map (fun i => (i, 1%Q)) (actions c p) \/
    bound p = inject_Z least /\ even p = [(0%nat, 1%Q)]).
  { intros k. unfold bound, even, actions. destruct (way c k) as [[r l]|]; auto. left. repeat split; auto. discriminate. }
  apply (plan_secures F R size sound even bound (rank_of c)); auto; clear p P W.
  - intros p x P E. destruct (Cases p) as [(W & _ & ->)|[_ ->]].
    + destruct (valid_actions _ _ _ claimed p x P E W) as [N H]. split. now destruct (actions c p).
      intros i w I. apply in_map_iff in I as (i' & [= <- <-] & I). split; [auto|reflexivity].
    + destruct (some_actions _ _ sound p x E) as [CA _]. split; [discriminate|]. intros i w [[= <- <-]|[]]. split; [auto|reflexivity].
  - intros p x j g P E [J A]. apply mean_nonneg. intros i w I. unfold raw in I.
    destruct (Cases p) as [(W & Eb & Ew)|[Eb Ew]]; rewrite Ew in I.
    + apply in_map_iff in I as ([i' w'] & [= <- <-] & I). apply in_map_iff in I as (i0 & [= <- <-] & I). cbn [fst snd].
      split. rewrite ratio_1. apply zero_le_one. destruct (valid_actions _ _ _ claimed p x P E W) as [_ H].
      apply (proj1 (le_difference F _ _)). apply (mean_at_least p x i0 j); auto. intros k K Fk. rewrite Eb.
      destruct (valid_way _ _ _ claimed p x j P E W J) as [Hd _]. destruct (Hd i0 k I Fk) as [Same Wk].
      unfold bound. destruct (way c k); [|easy]. rewrite Same. apply Qle_refl.
    + destruct I as [[= <- <-]|[]]. cbn [fst snd]. split. rewrite ratio_1. apply zero_le_one.
      apply (proj1 (le_difference F _ _)). rewrite Eb. destruct (some_actions _ _ sound p x E) as [CA _].
      apply (mean_at_least p x 0 j); auto.
  - intros p v P E. destruct (Cases p) as [(W & -> & _)|[-> _]]. now apply (valid_end _ _ _ claimed p v). now apply (Least p P).
  - intros p x j P E Lt J. destruct (Cases p) as [(W & Eb & Ew)|[Eb _]]; rewrite Eb in Lt.
    + destruct (valid_way _ _ _ claimed p x j P E W J) as [_ [(i & k & I & Fk & Fall)|En]]; [|lra].
      exists i, 1%Q, k. split; auto. rewrite Ew. apply in_map_iff. now exists i.
    + destruct (Least p P) as (_ & _ & En). specialize (En x E). lra.
Qed.
End Ways.

(** ** Of a certificate *)

(** The rules of a recursive game whose certificate is accepted. *)
Theorem checked_rules c : check c = true -> the_kind (the_game c) = Recursive ->
  sound_rules (rules_of (the_game c)) (length (states (the_game c))).
Proof.
  intros C K. destruct (check_sound rationals c C) as ([Shape Kind] & _).
  unfold of_its_kind in Kind. change (rules_kind (rules_of (the_game c))) with (the_kind (the_game c)) in Kind. rewrite K in Kind.
  assert (Turns : forall p x, at_state (rules_of (the_game c)) p = inr x -> exists nm a b e cells,
    nth_error (states (the_game c)) (N.to_nat p) = Some (nm, Turn a b e cells) /\ count_A x = length a /\ count_B x = length b /\
    forall i j, chance x i j = successors (cell_at cells i j)).
  { intros p x E. simpl in E. destruct (nth_error _ _) as [[nm [v|a b e cells]]|] eqn:X; try discriminate E.
    simpl in E. injection E as <-. now exists nm, a, b, e, cells. }
  split; auto.
  - apply Kind.
  - intros p x i j E I J. eapply cells_decided; eauto.
  - intros p x E. destruct (Turns p x E) as (nm & a & b & e & cells & X & -> & -> & _). destruct (Shape _ _ _ _ _ _ X) as (NA & NB & _).
    destruct a, b; try easy. split; simpl; lia.
  - intros p x i j q k E I J Q. destruct (Turns p x E) as (nm & a & b & e & cells & X & CA & CB & Ch). rewrite Ch in Q.
    destruct (Shape _ _ _ _ _ _ X) as (_ & _ & Len & Rows). assert (In (nth i cells []) cells) as IR by (apply nth_In; lia).
    destruct (Rows _ IR) as [Lr Cells]. assert (In (nth j (nth i cells []) nothing) (nth i cells [])) as IC by (apply nth_In; lia).
    destruct (Cells _ IC) as [_ S]. now apply (S q k).
  - apply check_spec in C as (l & En & Nodes & Nt & Kc & Players & _).
    destruct (lasting_levels c l En Nodes Kc) as (level & Level). { now rewrite K. }
    exists level. intros p x i j k E I J (q & Q & Q0). apply (Level p x i j q k). repeat split; auto.
Qed.

(** A's claims of payoffs that are got almost surely, beside a certificate that is accepted, are true: some stationary strategy secures
    exactly the payoff, whatever nature does. *)
Theorem certified_almost_sure F bytes c claimed : verify_game bytes = Found c -> the_kind (the_game c) = Recursive ->
  valid (rules_of (the_game c)) (length (states (the_game c))) claimed ->
  forall p, inside (length (states (the_game c))) p -> way claimed p <> None ->
    A_secures_whatever F (rules_of (the_game c)) (stationary F (mixed F (even claimed)) p) p (ratio (best claimed p)).
Proof.
  intros V K Vd p P W. apply certificate_written in V as [_ C]. pose proof (checked_rules c C K) as S.
  pose proof (almost_sure_secures F _ _ claimed S Vd p P W) as H. exact H.
Qed.

(** ** No better payoff *)

(** Neither the payoff nor the height of a state rises in a turn; where the height may stay, infinite play pays no more. *)
Record limited (R : rules) (size : nat) (most : N -> Q) (height : N -> nat) : Prop := {
  limited_end : forall p v, inside size p -> at_state R p = inl v -> (v <= most p)%Q;
  limited_turn : forall p x i j k, inside size p -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
    follows x i j k -> (most k <= most p)%Q /\ (height k <= height p)%nat /\ (height k = height p -> (endless x <= most p)%Q) }.

Section Limited.
Open Scope field_scope.
Variables (F : ordered_field) (R : rules) (size : nat) (most : N -> Q) (height : N -> nat).
Add Field laws_of_limited : (field_laws F).
Hypothesis sound : sound_rules R size.
Hypothesis claimed : limited R size most height.
Notation Is := (inside size).

Lemma turn_at_most p x s t w (f : nat -> nat -> N -> F) q : Is p -> at_state R p = inr x -> proper_A F R p s -> proper_B F R p t ->
  proper_nature F R p w ->
  (forall i j r k, (i < count_A x)%nat -> (j < count_B x)%nat -> In (r, k) (chance x i j) -> (0 < r)%Q -> f i j k <= q) ->
  mean F (s []) (fun i => mean F (t []) (fun j => mean F (w [] i j) (f i j))) <= q.
Proof.
  intros P E S T W H. apply le_trans with (mean F (s []) (fun i => mean F (t []) (fun j => mean F (w [] i j) (fun _ => q)))).
  - apply (turn_le F R (decided_rules _ _ sound) p x); auto.
  - destruct (S [] p x (here R p) E) as [S' S1], (T [] p x (here R p) E) as [T' T1].
    apply le_trans with (mean F (s []) (fun _ => q)); [|rewrite (mean_const F (s []) q S1); apply le_refl].
    apply mean_le. intros i y I. destruct (S' i y I) as [Li Y]. apply mul_le; auto.
   
    apply le_trans with (mean F (t []) (fun _ => q)); [|rewrite (mean_const F (t []) q T1); apply le_refl].
    apply mean_le. intros j z J. destruct (T' j z J) as [Lj Z]. apply mul_le; auto.
    destruct (W [] p x i j (here R p) E Li Lj) as [_ W1]. rewrite (mean_const F _ q W1). apply le_refl.
Qed.

Lemma stayed_at_most gap : (0 <= gap)%Q -> (forall p x, Is p -> at_state R p = inr x -> (endless x <= most p + gap)%Q) ->
  forall large n s t w p, Is p -> proper_A F R p s -> proper_B F R p t -> proper_nature F R p w ->
  stayed_by F R large n s t w p <= ratio (inject_Z (Z.of_nat n) * most p + gap * inject_Z (Z.of_nat (S (height p))))%Q.
Proof.
  intros G0 Gap large. induction n as [|n IH]; intros s t w p P S T W.
  - cbn [stayed_by]. rewrite <- ratio_0. apply ratio_le. change (inject_Z (Z.of_nat 0)) with 0%Q.
    assert (0 <= inject_Z (Z.of_nat (Datatypes.S (height p))))%Q by (change 0%Q with (inject_Z 0); rewrite <- Zle_Qle; lia). nra.
  - rewrite (Nat2Z.inj_succ n), <- Z.add_1_l, inject_Z_plus. change (inject_Z 1) with 1%Q. cbn [stayed_by].
    set (m := inject_Z (Z.of_nat n)). assert (0 <= m)%Q as M0 by (unfold m; change 0%Q with (inject_Z 0); rewrite <- Zle_Qle; lia).
    destruct (at_state R p) as [v|x] eqn:E.
    + apply le_trans with (ratio v + ratio (m * most p + gap * inject_Z (Z.of_nat (Datatypes.S (height p))))%Q).
      { apply add_le. now apply IH. }
      rewrite <- ratio_add. apply ratio_le. pose proof (limited_end _ _ _ _ claimed p v P E). lra.
    + assert (infinite R large x = endless x) as -> by (unfold infinite; now rewrite (recursive _ _ sound)).
      set (top := if Qlt_le_dec (most p) (endless x) then height p else Datatypes.S (height p)).
      set (q := (m * most p + gap * inject_Z (Z.of_nat top))%Q).
      apply le_trans with (ratio (endless x) + ratio q).
      2: { rewrite <- ratio_add. apply ratio_le. unfold q, top. specialize (Gap p x P E). rewrite (Nat2Z.inj_succ (height p)), <- Z.add_1_l.
        rewrite inject_Z_plus. change (inject_Z 1) with 1%Q. destruct (Qlt_le_dec _ _).
        - lra.
        - rewrite (Nat2Z.inj_succ (height p)), <- Z.add_1_l, inject_Z_plus. change (inject_Z 1) with 1%Q. lra. }
      apply add_le.
      rewrite (mean_eq F (s []) _ (fun i => mean F (t []) (fun j => integer (Z.of_nat n) * ratio (reward_of x i j) + 1 *
        mean F (w [] i j) (fun k => stayed_by F R large n (later F s i j k) (later F t i j k) (chosen_later F w i j k) k)))).
      2: { intros i. apply mean_eq. intros j. ring. }
      rewrite (unpaid_turn F R (unpaid_rules _ _ sound) p x) by auto.
      rewrite (mean_eq F (s []) (fun i => mean F (t []) (fun j => 1 * _)) (fun i => mean F (t []) (fun j =>
        mean F (w [] i j) (fun k => stayed_by F R large n (later F s i j k) (later F t i j k) (chosen_later F w i j k) k)))).
      2: { intros i. apply mean_eq. intros j. ring. }
      apply (turn_at_most p x s t w
        (fun i j k => stayed_by F R large n (later F s i j k) (later F t i j k) (chosen_later F w i j k) k)); auto.
      intros i j r k I J K Q.
      apply le_trans with (ratio (m * most k + gap * inject_Z (Z.of_nat (Datatypes.S (height k))))%Q).
      * apply IH. now apply (known _ _ sound p x i j r k).
        eapply proper_A_later; eauto. eapply proper_later; eauto. eapply nature_later; eauto.
      * apply ratio_le. destruct (limited_turn _ _ _ _ claimed p x i j k P E I J) as (Mk & Hk & En). now exists r.
        unfold q. assert (inject_Z (Z.of_nat (Datatypes.S (height k))) <= inject_Z (Z.of_nat top))%Q.
        { rewrite <- Zle_Qle. unfold top. destruct (Qlt_le_dec _ _); [|lia].
          assert (height k <> height p) by (intros Eq; specialize (En Eq); lra). lia. }
        assert (m * most k <= m * most p)%Q by nra. nra.
Qed.

(** No strategy of A gets more, whatever B and nature do. *)
Theorem no_better p t : Is p -> proper_B F R p t -> B_secures_whatever F R t p (ratio (most p)).
Proof.
  intros P T. destruct (bounded_Q size (fun p => match at_state R p with inr x => endless x - most p | inl _ => 0 end)%Q)
    as (gap & G0 & Gap).
  split; auto. exists 0%Q. intros large e _ E0.
  set (debt := (inject_Z gap * inject_Z (Z.of_nat (S (height p))))%Q).
  destruct (bounded_Q 1 (fun _ => debt / e)%Q) as (top & T0 & Top). specialize (Top 0%N ltac:(unfold inside; simpl; lia)).
  exists (Z.to_nat top). intros n s w N S W. unfold worth_by. rewrite (recursive _ _ sound). cbn [may_last].
  pose proof (stayed_at_most (inject_Z gap)) as H.
  assert (G0' : (0 <= inject_Z gap)%Q) by (change 0%Q with (inject_Z 0); now rewrite <- Zle_Qle).
  assert (Gap' : forall p x, Is p -> at_state R p = inr x -> (endless x <= most p + inject_Z gap)%Q).
  { intros k x K E. specialize (Gap k K). rewrite E in Gap. lra. }
  specialize (H G0' Gap' large (Datatypes.S n) s t w p P S T W). fold debt in H.
  assert (0 < inject_Z (Z.of_nat (Datatypes.S n)))%Q as M0 by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
  apply (cancel_positive F (inject_Z (Z.of_nat (Datatypes.S n)))); auto.
  assert (ratio (inject_Z (Z.of_nat (Datatypes.S n))) = (integer (Z.of_nat (Datatypes.S n)) : F)) as R1 by apply ratio_integer.
  pose proof (ratio_positive F _ M0) as NZ. rewrite R1 in NZ. rewrite R1 at 1.
  match goal with |- _ * (?u / _) <= _ => match goal with |- ?l <= _ => replace l with u by (field; auto) end end.
  apply le_trans with (1 := H). rewrite <- ratio_add, <- ratio_mul. apply ratio_le. rewrite Qmult_plus_distr_r.
  assert (debt <= inject_Z (Z.of_nat (Datatypes.S n)) * e)%Q.
  { assert (debt == debt / e * e)%Q as -> by (field; lra). apply Qmult_le_compat_r; [|lra]. apply Qle_trans with (1 := Top).
    rewrite <- Zle_Qle. lia. }
  lra.
Qed.
End Limited.

(** So the payoffs that are claimed of almost sure states, and are limited, are values. *)
Theorem certified_best F bytes c claimed height : verify_game bytes = Found c -> the_kind (the_game c) = Recursive ->
  valid (rules_of (the_game c)) (length (states (the_game c))) claimed ->
  limited (rules_of (the_game c)) (length (states (the_game c))) (best claimed) height ->
  forall p, inside (length (states (the_game c))) p ->
    (way claimed p <> None ->
      A_secures_whatever F (rules_of (the_game c)) (stationary F (mixed F (even claimed)) p) p (ratio (best claimed p))) /\
    forall t, proper_B F (rules_of (the_game c)) p t -> B_secures_whatever F (rules_of (the_game c)) t p (ratio (best claimed p)).
Proof.
  intros V K Vd Lm p P. split. now apply (certified_almost_sure F bytes). intros t T.
  apply certificate_written in V as [_ C]. apply (no_better F _ _ _ height (checked_rules c C K) Lm p t P T).
Qed.
