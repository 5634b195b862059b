(** * Payoffs with every probability below 1

    In a recursive game a player may get the best payoff that play can still reach with every probability below 1, and perhaps not
    with 1 (de Alfaro, Henzinger and Kupferman 2007). The second part of a certificate claims this by ranks and stages
    (docs/game-format.md). Here A's claims are stated as conditions on the successors, for any rules, and proved to be enough. That no
    strategy attains the payoff is proved in [NotAttained]. *)

From Coq Require Import ZArith NArith QArith Qround List Field Lia Lqa.
From PencilTennis Require Import Numbers AnyGame Stationary Nature AnyTables AnyProof GameReader AnyTheorem InTime AlmostSure.
Import ListNotations.

Lemma positive_part q most : (0 < q)%Q -> (Zpos (Qden q) <= most)%Z -> (1 # Z.to_pos most <= q)%Q.
Proof. intros Q M. destruct q as [n d]. unfold Qlt, Qle in *. cbn [Qnum Qden] in *. rewrite Z2Pos.id by lia. nia. Qed.

(** Powers. *)
Fixpoint power (e : Q) (n : nat) : Q := match n with O => 1 | S n => e * power e n end.

Lemma power_range e n : (0 < e)%Q -> (e <= 1)%Q -> (0 < power e n /\ power e n <= 1)%Q.
Proof.
  intros E L. induction n as [|n [P Q]]; simpl. split; [reflexivity|apply Qle_refl]. split.
  - now apply Qmult_lt_0_compat.
  - apply Qle_trans with (e * 1)%Q. apply Qmult_le_l; auto. lra.
Qed.

Lemma power_falls e n m : (0 < e)%Q -> (e <= 1)%Q -> (n <= m)%nat -> (power e m <= power e n)%Q.
Proof.
  intros E L. induction 1 as [|m _ IH]; [apply Qle_refl|]. apply Qle_trans with (2 := IH). simpl.
  pose proof (power_range e m E L) as [P _]. nra.
Qed.

Section Terms.
Open Scope field_scope.
Variable F : ordered_field.
Add Field laws_of_terms : (field_laws F).

(** A sum of terms of which none is below [- b], and one is [a] above it. *)
Lemma mean_one_term {T} (d : list (T * F)) f (a b : F) i0 x0 : 0 <= b -> (forall i x, In (i, x) d -> 0 <= x * f i + b) ->
  In (i0, x0) d -> a <= x0 * f i0 + b -> a <= mean F d f + integer (Z.of_nat (length d)) * b.
Proof.
  intros B. induction d as [|[i x] d IH]; intros H I A; [easy|]. cbn [mean length].
  rewrite Nat2Z.inj_succ, <- Z.add_1_l, integer_add, integer_1.
  replace (x * f i + mean F d f + (1 + integer (Z.of_nat (length d))) * b) with
    ((x * f i + b) + (mean F d f + integer (Z.of_nat (length d)) * b)) by ring.
  destruct I as [[= -> ->]|I].
  - replace a with (a + 0) by ring. apply add_le_both; auto.
    assert (forall d : list (T * F), (forall i x, In (i, x) d -> 0 <= x * f i + b) ->
      0 <= mean F d f + integer (Z.of_nat (length d)) * b) as S.
    { clear. induction d as [|[i x] d IH]; intros H; cbn [mean length]. change (integer (Z.of_nat 0)) with (0 : F).
      replace (0 + 0 * b) with (0 : F) by ring. apply le_refl. rewrite Nat2Z.inj_succ, <- Z.add_1_l, integer_add, integer_1.
      replace (x * f i + mean F d f + (1 + integer (Z.of_nat (length d))) * b) with
        ((x * f i + b) + (mean F d f + integer (Z.of_nat (length d)) * b)) by ring.
      replace (0 : F) with (0 + 0 : F) by ring. apply add_le_both. apply H. now left. apply IH. intros. apply H. now right. }
    apply S. intros. apply H. now right.
  - replace a with (0 + a) by ring. apply add_le_both. apply H. now left. apply IH; auto. intros. apply H. now right.
Qed.
End Terms.

(** ** Claims *)

(** Of each state the best payoff, and perhaps a rank, with the stages of the actions that are played. *)
Record approach := { goal : N -> Q; steps : N -> option (nat * list (nat * nat)) }.
Definition rank_at (c : approach) (p : N) : nat := match steps c p with Some (r, _) => r | None => 0%nat end.
Definition stages_at (c : approach) (p : N) : list (nat * nat) := match steps c p with Some (_, l) => l | None => [] end.
Definition on_way (c : approach) (p k : N) : Prop := (goal c k == goal c p)%Q /\ steps c k <> None.

(** Against every reply some action may bring play to a lower rank, and actions that may leave have later stages; or infinite play
    pays the payoff, and play stays on its way at the same rank. *)
Record approaches (R : rules) (size : nat) (c : approach) : Prop := {
  approach_end : forall p v, inside size p -> at_state R p = inl v -> steps c p <> None -> (goal c p <= v)%Q;
  approach_stages : forall p x, inside size p -> at_state R p = inr x -> steps c p <> None -> stages_at c p <> [] /\
    forall i s, In (i, s) (stages_at c p) -> (i < count_A x)%nat /\ (1 <= s)%nat;
  approach_way : forall p x j, inside size p -> at_state R p = inr x -> steps c p <> None -> (j < count_B x)%nat ->
    (exists i0 s0 k0, In (i0, s0) (stages_at c p) /\ follows x i0 j k0 /\ on_way c p k0 /\ (rank_at c k0 < rank_at c p)%nat /\
      forall i s k, In (i, s) (stages_at c p) -> follows x i j k -> on_way c p k \/ (s0 < s)%nat) \/
    ((goal c p <= endless x)%Q /\
      forall i s k, In (i, s) (stages_at c p) -> follows x i j k -> on_way c p k /\ rank_at c k = rank_at c p) }.

Section Approach.
Open Scope field_scope.
Variables (F : ordered_field) (R : rules) (size : nat) (c : approach).
Add Field laws_of_approach : (field_laws F).
Hypothesis sound : sound_rules R size.
Hypothesis claimed : approaches R size c.
Notation Is := (inside size).
Notation best := (goal c).
Notation stages := (stages_at c).

Lemma mean_at_least_one p x i j d (f : N -> Q) a b least k0 : Is p -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  allowed F x i j d -> (forall k, Is k -> follows x i j k -> (a <= f k)%Q) -> (0 <= b)%Q ->
  (exists q, In (q, k0) (chance x i j) /\ (least <= q)%Q /\ (0 <= least)%Q) -> (a + b <= f k0)%Q ->
  ratio (a + least * b) <= mean F d (fun k => ratio (f k)).
Proof.
  intros P E I J A H B (q & Q & Le & L0) K0. destruct (shape_here F R size sound p x i j P E I J) as [_ S]. destruct (S d A) as [Sum D].
  destruct (between_has F _ _ _ _ _ (proj1 A) Q) as (y & Y & Qy).
  apply le_trans with (ratio a + mean F d (fun k => (ratio (f k) - ratio a : F))).
  2: { rewrite mean_sub, (mean_const F d (ratio a) Sum). match goal with |- ?u <= ?v => replace u with v by ring end. apply le_refl. }
  rewrite ratio_add. apply add_le.
  apply le_trans with (y * (ratio (f k0) - ratio a)).
  - rewrite ratio_mul. apply le_trans with (ratio least * (ratio (f k0) - ratio a)).
    + apply mul_le. now apply ratio_nonneg. apply le_difference.
      replace (ratio (f k0) - ratio a - ratio b) with (ratio (f k0) - (ratio a + ratio b) : F) by ring.
      apply (proj1 (le_difference F _ _)). rewrite <- ratio_add. now apply ratio_le.
    + replace (ratio least * (ratio (f k0) - ratio a)) with ((ratio (f k0) - ratio a) * ratio least : F) by ring.
      replace (y * (ratio (f k0) - ratio a)) with ((ratio (f k0) - ratio a) * y) by ring. apply mul_le.
      * apply (proj1 (le_difference F _ _)). apply ratio_le. lra.
      * apply le_trans with (2 := Qy). now apply ratio_le.
  - rewrite (mean_eq F d _ (fun k => (1 * (ratio (f k) - ratio a) : F))) by (intros; ring).
    set (g := fun k => ratio (f k) - ratio a : F). change (y * g k0 <= mean F d (fun k => 1 * g k)).
    (* Terms with a probability of 0 may be anything. *)
    clear - D H Y. revert D Y. induction d as [|[k z] d IH]; intros D Y; [easy|]. cbn [mean].
    assert (forall k z, In (k, z) d -> 0 <= z * (1 * g k)) as N.
    { intros k' z' I'. destruct (D k' z' (or_intror I')) as (Z0 & K & [->|Q']).
      - replace (0 * (1 * g k')) with (0 : F) by ring. apply le_refl.
      - apply mul_nonneg; auto. replace (1 * g k') with (g k') by ring. unfold g. apply (proj1 (le_difference F _ _)). apply ratio_le.
        now apply H. }
    destruct Y as [[= -> ->]|Y].
    + replace (y * g k0) with (y * (1 * g k0) + 0) by ring. apply add_le. clear - N.
      induction d as [|[k z] d IH]; cbn [mean]. apply le_refl. replace (0 : F) with (0 + 0 : F) by ring. apply add_le_both.
      apply N. now left. apply IH. intros. apply N. now right.
    + replace (y * g k0) with (0 + y * g k0) by ring. apply add_le_both.
      * destruct (D k z (or_introl eq_refl)) as (Z0 & K & [->|Q']).
        { replace (0 * (1 * g k)) with (0 : F) by ring. apply le_refl. }
        apply mul_nonneg; auto. replace (1 * g k) with (g k) by ring. unfold g. apply (proj1 (le_difference F _ _)). apply ratio_le.
        now apply H.
      * apply IH; auto. intros k' z' I'. apply D. now right.
Qed.

Section Nearly.
Variables (most least_part count last : Z) (start : Q).
Hypothesis most_nonneg : (0 <= most)%Z.
Hypothesis most_large : forall p, Is p -> (best p <= inject_Z most)%Q /\ (- inject_Z most <= best p)%Q /\
  forall x, at_state R p = inr x -> (- inject_Z most <= endless x)%Q.
Let least : Q := 1 # Z.to_pos least_part.
Hypothesis least_is : forall p x i j q k, Is p -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  In (q, k) (chance x i j) -> (0 < q)%Q -> (least <= q)%Q.
Hypothesis count_is : (1 <= count)%Z /\ forall p, Is p -> (Z.of_nat (length (stages p)) <= count)%Z.
Hypothesis last_is : forall p i s, Is p -> In (i, s) (stages p) -> (s <= Z.to_nat last)%nat.
Hypothesis start_range : (0 < start /\ start <= 1)%Q.
Hypothesis ends_large : forall p v, Is p -> at_state R p = inl v -> (- inject_Z (most + 1) <= v)%Q.

Let span : Q := inject_Z (2 * most + 1).
Let number : Q := inject_Z count.
Definition eps (y : Q) : Q := least * y / (4 * span * number).
Definition next (y : Q) : Q := power (eps y) (Z.to_nat last) * (least * y) / (4 * number).
Fixpoint gain (r : nat) : Q := match r with O => start | S r => next (gain r) end.

Lemma constants : (0 < least /\ least <= 1 /\ 1 <= span /\ 1 <= number)%Q.
Proof.
  repeat split. unfold least, Qle. cbn [Qnum Qden]. lia. unfold span. change 1%Q with (inject_Z 1). rewrite <- Zle_Qle. lia.
  unfold number. change 1%Q with (inject_Z 1). rewrite <- Zle_Qle. lia.
Qed.

Lemma quotient_le a b d : (0 < d)%Q -> (a <= b * d)%Q -> (a / d <= b)%Q.
Proof. intros D H. apply Qle_shift_div_r; auto. Qed.

Lemma eps_range y : (0 < y)%Q -> (y <= 1)%Q -> (0 < eps y /\ eps y <= 1)%Q.
Proof.
  intros Y L. destruct constants as (C0 & C1 & S1 & N1). assert (0 < 4 * span * number)%Q by nra. unfold eps. split.
  - apply Qlt_shift_div_l; auto. assert (0 < least * y)%Q by nra. lra.
  - apply quotient_le; auto. assert (least * y <= 1)%Q by nra. nra.
Qed.

Lemma next_range y : (0 < y)%Q -> (y <= 1)%Q -> (0 < next y /\ next y <= y)%Q.
Proof.
  intros Y L. destruct constants as (C0 & C1 & S1 & N1). destruct (eps_range y Y L) as [E0 E1].
  destruct (power_range (eps y) (Z.to_nat last) E0 E1) as [P0 P1]. unfold next. set (p := power _ _) in *.
  assert (0 < least * y)%Q as LY by nra. assert (least * y <= y)%Q as LY' by nra. set (ly := (least * y)%Q) in *. clearbody ly p. split.
  - apply Qlt_shift_div_l. lra. assert (0 < p * ly)%Q by nra. lra.
  - apply quotient_le. lra. assert (p * ly <= ly)%Q by nra. nra.
Qed.

Lemma gain_range r : (0 < gain r /\ gain r <= start)%Q.
Proof.
  induction r as [|r [G L]]; simpl. split; [apply start_range|apply Qle_refl].
  destruct (next_range (gain r)) as [N1 N2]; auto. destruct start_range. lra. split; auto. lra.
Qed.

Lemma gain_falls r n : (r <= n)%nat -> (gain n <= gain r)%Q.
Proof.
  induction 1 as [|n _ IH]. apply Qle_refl. apply Qle_trans with (2 := IH). simpl. destruct (gain_range n) as [G L].
  apply next_range; auto. destruct start_range. lra.
Qed.

(** What outweighs what: [u] is the weight of the action by which play comes to a lower rank. *)
Lemma outweighed y u : (0 < y)%Q -> (y <= 1)%Q -> (power (eps y) (Z.to_nat last) <= u)%Q ->
  (number * (next y + span * u * eps y) <= u * (least * y))%Q.
Proof.
  intros Y L U. destruct constants as (C0 & C1 & S1 & N1). destruct (eps_range y Y L) as [E0 E1].
  destruct (power_range (eps y) (Z.to_nat last) E0 E1) as [P0 P1]. assert (0 < least * y)%Q as LY by nra.
  assert (X1 : (number * next y == power (eps y) (Z.to_nat last) * (least * y) * (1 # 4))%Q) by (unfold next; field; lra).
  assert (X2 : (number * (span * u * eps y) == u * (least * y) * (1 # 4))%Q) by (unfold eps; field; split; lra).
  rewrite Qmult_plus_distr_r, X1, X2. set (ly := (least * y)%Q) in *. set (p := power _ _) in *. clearbody ly p.
  assert (p * ly <= u * ly)%Q by nra. assert (0 < u * ly)%Q by nra. lra.
Qed.

Definition bound (p : N) : Q := match steps c p with Some (r, _) => best p - start + gain r | None => - inject_Z (most + 1) end.
Definition weight (r s : nat) : Q := match r with O => 1 | S r => power (eps (gain r)) (pred s) end.
Definition plan (p : N) : list (nat * Q) :=
  match steps c p with Some (r, l) => map (fun a => (fst a, weight r (snd a))) l | None => [(0%nat, 1%Q)] end.

Lemma plan_cases p : steps c p <> None /\ bound p = (best p - start + gain (rank_at c p))%Q /\
    plan p = map (fun a => (fst a, weight (rank_at c p) (snd a))) (stages p) \/
  bound p = (- inject_Z (most + 1))%Q /\ plan p = [(0%nat, 1%Q)].
Proof. unfold bound, plan, rank_at, stages_at. destruct (steps c p) as [[r l]|]; auto. left. repeat split; auto. discriminate. Qed.

Lemma eps_gain r : (0 < eps (gain r) /\ eps (gain r) <= 1)%Q.
Proof. destruct (gain_range r). destruct start_range. apply eps_range; auto. lra. Qed.

Lemma weight_range r s : (0 < weight r s /\ weight r s <= 1)%Q.
Proof. unfold weight. destruct r as [|r]. split; [reflexivity|apply Qle_refl]. destruct (eps_gain r). now apply power_range. Qed.

Lemma bound_low p : Is p -> (- inject_Z (most + 1) <= bound p)%Q.
Proof.
  intros P. destruct (plan_cases p) as [(_ & -> & _)|[-> _]]; [|apply Qle_refl]. destruct (most_large p P) as (_ & Lo & _).
  destruct (gain_range (rank_at c p)). destruct start_range. rewrite inject_Z_plus. change (inject_Z 1) with 1%Q. lra.
Qed.

Lemma bound_high p : Is p -> (bound p <= inject_Z most)%Q.
Proof.
  intros P. destruct (plan_cases p) as [(_ & -> & _)|[-> _]].
  - destruct (most_large p P) as (Hi & _). destruct (gain_range (rank_at c p)). lra.
  - rewrite inject_Z_plus. change (inject_Z 1) with 1%Q. pose proof most_nonneg as M0. rewrite Zle_Qle in M0.
    change (inject_Z 0) with 0%Q in M0. lra.
Qed.

Lemma span_enough p k : Is p -> Is k -> (bound p - span <= bound k)%Q.
Proof.
  intros P K. pose proof (bound_low k K). pose proof (bound_high p P). unfold span. rewrite inject_Z_plus in *.
  rewrite inject_Z_mult. change (inject_Z 1) with 1%Q in *. change (inject_Z 2) with 2%Q. lra.
Qed.

Lemma held_bound p k : on_way c p k -> (bound k == best p - start + gain (rank_at c k))%Q.
Proof. intros [S W]. unfold bound, rank_at. destruct (steps c k) as [[r l]|]; [|easy]. rewrite S. reflexivity. Qed.

Lemma turn_here p x j g : Is p -> at_state R p = inr x -> reply F (allowed F) x j g ->
  0 <= mean F (raw F plan p) (fun i => mean F (g i) (fun k => ratio (bound k)) - ratio (bound p)).
Proof.
  intros P E [J A]. destruct (some_actions _ _ sound p x E) as [CA _]. destruct (plan_cases p) as [(W & Eb & Ew)|[Eb Ew]].
  2: { apply mean_nonneg. intros i w I. unfold raw in I. rewrite Ew in I. destruct I as [[= <- <-]|[]]. cbn [fst snd].
    split. rewrite ratio_1. apply zero_le_one. apply (proj1 (le_difference F _ _)). rewrite Eb.
    apply (mean_at_least F R size sound p x 0 j); auto. intros k K _. now apply bound_low. }
  destruct (approach_stages _ _ _ claimed p x P E W) as [_ St].
  destruct (approach_way _ _ _ claimed p x j P E W J) as [(i0 & s0 & k0 & I0 & F0 & H0 & Fall & Hd)|[_ Hd]].
  - destruct (rank_at c p) as [|r] eqn:Rk; [lia|]. destruct (gain_range r) as [Y0 Y1], start_range as [T0 T1], (eps_gain r) as [E0 E1].
    set (y := gain r) in *. set (u := power (eps y) (pred s0)). destruct (power_range (eps y) (pred s0) E0 E1) as [U0 U1]. fold u in U0, U1.
    destruct (next_range y) as [N0 N1]; [auto|lra|]. destruct constants as (C0 & C1 & S1 & Nn).
    assert (B0 : (0 <= next y + span * u * eps y)%Q).
    { assert (0 < span * u)%Q by nra. assert (0 < span * u * eps y)%Q by nra. lra. }
    assert (Eb' : (bound p == best p - start + next y)%Q) by (rewrite Eb; reflexivity).
    destruct (St i0 s0 I0) as [Li0 Ls0].
    pose proof (mean_one_term F (raw F plan p) (fun i => mean F (g i) (fun k => ratio (bound k)) - ratio (bound p))
      (ratio (u * (least * y))%Q) (ratio (next y + span * u * eps y)%Q) i0 (ratio u)) as M.
    assert (M' : ratio (u * (least * y))%Q <= mean F (raw F plan p) (fun i => mean F (g i) (fun k => ratio (bound k)) - ratio (bound p)) +
      integer (Z.of_nat (length (raw F plan p))) * ratio (next y + span * u * eps y)%Q).
    { apply M; clear M.
      - now apply ratio_nonneg.
      - intros i w I. unfold raw in I. rewrite Ew in I. apply in_map_iff in I as ([i' w'] & [= <- <-] & I).
        apply in_map_iff in I as ([i s] & [= <- <-] & I). cbn [fst snd weight]. fold y. set (v := power (eps y) (pred s)).
        destruct (power_range (eps y) (pred s) E0 E1) as [V0 V1]. fold v in V0, V1. destruct (St i s I) as [Li Ls].
        assert (exists low, (0 <= v * low + (next y + span * u * eps y))%Q /\ forall k, Is k -> follows x i j k ->
          (low + bound p <= bound k)%Q)
          as (low & Lw & Below).
        { destruct (le_lt_dec s s0) as [Le|Lt].
          - exists (- next y)%Q. split. assert (0 < span * u)%Q by nra. assert (0 < span * u * eps y)%Q by nra. nra.
            intros k K Fk. destruct (Hd i s k I Fk) as [H|]; [|lia]. rewrite (held_bound p k H), Eb'. destruct (gain_range (rank_at c k)).
            lra.
          - exists (- span)%Q. split.
            + assert (v <= u * eps y)%Q.
              { unfold v, u. apply Qle_trans with (power (eps y) (S (pred s0))). apply power_falls; auto; lia. simpl. lra. }
              assert (v * span <= u * eps y * span)%Q by nra. nra.
            + intros k K _. pose proof (span_enough p k P K). lra. }
        rewrite <- (ratio_0 F). apply le_trans with (ratio (v * low + (next y + span * u * eps y))%Q). now apply ratio_le.
        rewrite ratio_add, ratio_mul. apply add_le_both; [|apply le_refl]. apply mul_le. apply ratio_nonneg. lra.
        pose proof (mean_at_least F R size sound p x i j (g i) bound (low + bound p)%Q P E Li J (A i Li) Below) as Mn.
        rewrite ratio_add in Mn.
        apply le_difference. apply le_difference in Mn.
        match goal with |- 0 <= ?z => match type of Mn with 0 <= ?z' => replace z with z' by ring end end.
        exact Mn.
      - unfold raw. rewrite Ew. apply in_map_iff. exists (i0, u). split; auto. apply in_map_iff. now exists (i0, s0).
      - destruct F0 as (q & Q & Q0).
        assert (Mn : ratio (bound p - next y + least * y)%Q <= mean F (g i0) (fun k => ratio (bound k))).
        { apply (mean_at_least_one p x i0 j (g i0) bound (bound p - next y)%Q y least k0); auto.
          - intros k K Fk. destruct (Hd i0 s0 k I0 Fk) as [H|]; [|lia]. rewrite (held_bound p k H), Eb'.
            destruct (gain_range (rank_at c k)). lra.
          - lra.
          - exists q. split; auto. split; [|lra]. now apply (least_is p x i0 j q k0).
          - rewrite (held_bound p k0 H0), Eb'. pose proof (gain_falls (rank_at c k0) r ltac:(lia)) as Gf. fold y in Gf. lra. }
        apply le_trans with (ratio (u * (least * y - next y) + (next y + span * u * eps y))%Q).
        + apply ratio_le. assert (0 < span * u)%Q by nra. assert (0 < span * u * eps y)%Q by nra. nra.
        + rewrite ratio_add, ratio_mul. apply add_le_both; [|apply le_refl]. apply mul_le. apply ratio_nonneg. lra.
          assert (X : (bound p - next y + least * y == (least * y - next y) + bound p)%Q) by ring.
          rewrite (ratio_eq F _ _ X), ratio_add in Mn.
          apply le_difference. apply le_difference in Mn.
          match goal with |- 0 <= ?z => match type of Mn with 0 <= ?z' => replace z with z' by ring end end.
          exact Mn. }
    assert (Few : integer (Z.of_nat (length (raw F plan p))) * ratio (next y + span * u * eps y)%Q <= (ratio (u * (least * y))%Q : F)).
    { apply le_trans with (ratio (number * (next y + span * u * eps y))%Q).
      - rewrite ratio_mul. replace (ratio number : F) with (integer count : F) by (symmetry; apply ratio_integer).
        match goal with |- ?n * ?b <= ?n' * ?b => replace (n * b) with (b * n) by ring; replace (n' * b) with (b * n') by ring end.
        apply mul_le. now apply ratio_nonneg. apply integer_le. unfold raw. rewrite Ew, !map_length. now apply count_is.
      - apply ratio_le. apply outweighed; [auto|lra|]. unfold u. apply power_falls; auto. pose proof (last_is p i0 s0 P I0). lia. }
    apply le_difference in M'. apply le_difference in Few. pose proof (add_le_both F _ _ _ _ M' Few) as Sum.
    replace (0 + 0 : F) with (0 : F) in Sum by ring.
    match goal with |- 0 <= ?z => match type of Sum with 0 <= ?z' => replace z with z' by ring end end.
    exact Sum.
  - apply mean_nonneg. intros i w I. unfold raw in I. rewrite Ew in I. apply in_map_iff in I as ([i' w'] & [= <- <-] & I).
    apply in_map_iff in I as ([i s] & [= <- <-] & I). cbn [fst snd]. split. apply ratio_nonneg. apply Qlt_le_weak, weight_range.
    destruct (St i s I) as [Li _]. apply (proj1 (le_difference F _ _)). apply (mean_at_least F R size sound p x i j); auto. intros k K Fk.
    destruct (Hd i s k I Fk) as [H Eq]. rewrite (held_bound p k H), Eq, Eb. apply Qle_refl.
Qed.

Theorem nearly_secures p : Is p -> steps c p <> None ->
  A_secures_whatever F R (stationary F (mixed F plan) p) p (ratio (best p - start)).
Proof.
  intros P W. assert (Low : (best p - start <= bound p)%Q).
  { destruct (plan_cases p) as [(_ & -> & _)|[Eb _]]. destruct (gain_range (rank_at c p)). lra.
    unfold bound in *. destruct (steps c p) as [[r l]|]; [|easy]. destruct (gain_range r). lra. }
  assert (S : A_secures_whatever F R (stationary F (mixed F plan) p) p (ratio (bound p))).
  { apply (plan_secures F R size sound plan bound (rank_at c)); auto; clear p P W Low.
    - intros p x P E. destruct (some_actions _ _ sound p x E) as [CA _]. destruct (plan_cases p) as [(W & _ & ->)|[_ ->]].
      + destruct (approach_stages _ _ _ claimed p x P E W) as [N H]. split. now destruct (stages p).
        intros i w I. apply in_map_iff in I as ([i' s] & [= <- <-] & I). split; [now apply (H i' s)|apply weight_range].
      + split; [discriminate|]. intros i w [[= <- <-]|[]]. split; [auto|reflexivity].
    - apply turn_here.
    - intros p v P E. destruct (plan_cases p) as [(W & -> & _)|[_ _]].
      + pose proof (approach_end _ _ _ claimed p v P E W). destruct (gain_range (rank_at c p)). lra.
      + destruct (steps c p) as [[r l]|] eqn:St.
        * pose proof (approach_end _ _ _ claimed p v P E ltac:(now rewrite St)). unfold bound. rewrite St. destruct (gain_range r). lra.
        * unfold bound. rewrite St. now apply ends_large with p.
    - intros p x j P E Lt J. destruct (plan_cases p) as [(W & Eb & Ew)|[Eb _]]; rewrite Eb in Lt.
      + destruct (approach_way _ _ _ claimed p x j P E W J) as [(i0 & s0 & k0 & I0 & F0 & _ & Fall & _)|[En _]].
        * exists i0, (weight (rank_at c p) s0), k0. split; auto. rewrite Ew. apply in_map_iff. now exists (i0, s0).
        * destruct (gain_range (rank_at c p)). lra.
      + destruct (most_large p P) as (_ & _ & En). specialize (En x E). rewrite inject_Z_plus in Lt. change (inject_Z 1) with 1%Q in Lt.
        lra. }
  destruct S as (Pr & g & H). split; auto. exists g. intros large e G E. destruct (H large e G E) as [m M]. exists m. intros n t w N T V.
  apply le_trans with (2 := M n t w N T V). apply le_difference.
  replace (ratio (bound p) - ratio e - (ratio (best p - start) - ratio e)) with (ratio (bound p) - ratio (best p - start)%Q : F) by ring.
  apply (proj1 (le_difference F _ _)). now apply ratio_le.
Qed.
End Nearly.

(** For every [e] above 0 some stationary strategy secures the payoff less [e], whatever B and nature do. *)
Theorem limit_sure p e : Is p -> steps c p <> None -> (0 < e)%Q ->
  exists mix, A_secures_whatever F R (stationary F mix p) p (ratio (best p - e)).
Proof.
  intros P W E0.
  destruct (bounded_Q size best) as (m1 & M1 & H1). destruct (bounded_Q size (fun p => - best p)%Q) as (m2 & M2 & H2).
  destruct (bounded_Q size (fun p => match at_state R p with inr x => - endless x | inl v => - v end)%Q) as (m3 & M3 & H3).
  set (most := (m1 + m2 + m3)%Z).
  destruct (bounded_lists size (fun p => match at_state R p with
    | inr x => flat_map (fun i => flat_map (fun j => map (fun qk => Qden (fst qk)) (chance x i j)) (seq 0 (count_B x))) (seq 0 (count_A x))
    | inl _ => [] end)) as (part & Part1 & Part).
  destruct (bounded (fun p => length (stages p)) size) as [count Count].
  destruct (bounded (fun p => list_max (map snd (stages p))) size) as [last Last].
  set (start := if Qlt_le_dec e 1 then e else 1%Q).
  assert (Start : (0 < start /\ start <= 1 /\ start <= e)%Q) by (unfold start; destruct (Qlt_le_dec e 1); lra).
  assert (Most : (0 <= most)%Z) by (unfold most; lia).
  assert (Large : forall p, Is p -> (best p <= inject_Z most)%Q /\ (- inject_Z most <= best p)%Q /\
    (forall v, at_state R p = inl v -> (- inject_Z most <= v)%Q) /\ forall x, at_state R p = inr x -> (- inject_Z most <= endless x)%Q).
  { intros k K. specialize (H1 k K). specialize (H2 k K). specialize (H3 k K). unfold most. rewrite !inject_Z_plus.
    rewrite Zle_Qle in M1, M2, M3. change (inject_Z 0) with 0%Q in *. repeat split; try lra; intros z E; rewrite E in H3; lra. }
  exists (mixed F (plan most part (Z.of_nat (S count)) (Z.of_nat last) start)).
  assert (S : A_secures_whatever F R (stationary F (mixed F (plan most part (Z.of_nat (S count)) (Z.of_nat last) start)) p) p
    (ratio (best p - start))).
  { apply nearly_secures; auto.
    - intros k K. destruct (Large k K) as (L1 & L2 & _ & L3). auto.
    - intros k x i j q k' K E I J Q Q0. apply positive_part; auto. apply (Part k K). rewrite E. apply in_flat_map. exists i. split.
      apply in_seq. lia. apply in_flat_map. exists j. split. apply in_seq. lia. apply in_map_iff. now exists (q, k').
    - split. lia. intros k K. specialize (Count k K). lia.
    - intros k i s K I. rewrite Nat2Z.id. apply Nat.le_trans with (2 := Last k K).
      pose proof (proj1 (list_max_le (map snd (stages k)) _) (Nat.le_refl _)) as Fa. rewrite Forall_forall in Fa. apply Fa.
      apply in_map_iff. now exists (i, s).
    - split; apply Start.
    - intros k v K E. destruct (Large k K) as (_ & _ & Le & _). specialize (Le v E). rewrite inject_Z_plus. change (inject_Z 1) with 1%Q.
      lra. }
  destruct S as (Pr & g & H). split; auto. exists g. intros large e' G E. destruct (H large e' G E) as [m M]. exists m. intros n t w N T V.
  apply le_trans with (2 := M n t w N T V). apply le_difference.
  replace (ratio (best p - start) - ratio e' - (ratio (best p - e) - ratio e')) with
    (ratio (best p - start)%Q - ratio (best p - e)%Q : F) by ring.
  apply (proj1 (le_difference F _ _)). apply ratio_le. lra.
Qed.
End Approach.

(** Of a certificate that is accepted: with payoffs that are limited, those of states with a rank are values, in the limit. *)
Theorem certified_limit_sure F bytes c claimed height : verify_game bytes = Found c -> the_kind (the_game c) = Recursive ->
  approaches (rules_of (the_game c)) (length (states (the_game c))) claimed ->
  limited (rules_of (the_game c)) (length (states (the_game c))) (goal claimed) height ->
  forall p, inside (length (states (the_game c))) p ->
    (forall e, steps claimed p <> None -> (0 < e)%Q ->
      exists mix, A_secures_whatever F (rules_of (the_game c)) (stationary F mix p) p (ratio (goal claimed p - e))) /\
    forall t, proper_B F (rules_of (the_game c)) p t -> B_secures_whatever F (rules_of (the_game c)) t p (ratio (goal claimed p)).
Proof.
  intros V K Vd Lm p P. apply certificate_written in V as [_ C]. pose proof (checked_rules c C K) as S. split.
  - intros e W E. now apply (limit_sure F _ _ claimed S Vd p e P W E).
  - intros t T. apply (no_better F _ _ _ height S Lm p t P T).
Qed.
