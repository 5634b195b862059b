(** * Security levels of stationary strategies

    A strategy of A is stationary if it mixes in each state in one way. Whatever it secures for one turn it secures for the whole
    game, if play ends, or is discounted, or cannot be kept where the bound is above what endless play pays. Each case is proved by
    a potential: an integer for each state that bounds an expected number of turns. *)

From Coq Require Import ZArith QArith List Field Lia.
From PencilTennis Require Import Numbers AnyGame.
Import ListNotations.

Section Means.
Open Scope field_scope.
Variable F : ordered_field.
Add Field laws : (field_laws F).
Context {T : Type}.
Implicit Types (d : list (T * F)) (f g : T -> F) (c : F).
Notation mean := (mean F).

Lemma mean_eq d f g : (forall i, f i = g i) -> mean d f = mean d g.
Proof. intros H. induction d as [|[i x] d IH]; simpl. reflexivity. now rewrite IH, H. Qed.

Lemma mean_mul d c f : mean d (fun i => c * f i) = c * mean d f.
Proof. induction d as [|[i x] d IH]; simpl. ring. rewrite IH. ring. Qed.

Lemma mean_add d f g : mean d (fun i => f i + g i) = mean d f + mean d g.
Proof. induction d as [|[i x] d IH]; simpl. ring. rewrite IH. ring. Qed.

Lemma mean_opp d f : mean d (fun i => - f i) = - mean d f.
Proof. induction d as [|[i x] d IH]; simpl. ring. rewrite IH. ring. Qed.

Lemma mean_sub d f g : mean d (fun i => f i - g i) = mean d f - mean d g.
Proof. induction d as [|[i x] d IH]; simpl. ring. rewrite IH. ring. Qed.

Lemma mean_const d c : mean d (fun _ => 1) = 1 -> mean d (fun _ => c) = c.
Proof. intros D. rewrite (mean_eq d _ (fun _ => c * 1)) by (intros; ring). rewrite mean_mul, D. ring. Qed.

Lemma mean_app d e f : mean (d ++ e) f = mean d f + mean e f.
Proof. induction d as [|[i x] d IH]; simpl. ring. rewrite IH. ring. Qed.

Lemma mean_le d f g : (forall i x, In (i, x) d -> x * f i <= x * g i) -> mean d f <= mean d g.
Proof.
  induction d as [|[i x] d IH]; simpl; intros H. apply le_refl. apply add_le_both. apply H. now left. apply IH. intros.
  apply H. now right.
Qed.

Lemma mean_nonneg d f : (forall i x, In (i, x) d -> 0 <= x /\ 0 <= f i) -> 0 <= mean d f.
Proof.
  induction d as [|[i x] d IH]; simpl; intros H. apply le_refl. replace (0 : F) with (0 + 0 : F) by ring. apply add_le_both.
  - destruct (H i x). now left. now apply mul_nonneg.
  - apply IH. intros. apply H. now right.
Qed.

(** One of the terms of a mean. *)
Lemma mean_ge_term d f k y : (forall i x, In (i, x) d -> 0 <= x /\ 0 <= f i) -> In (k, y) d -> y * f k <= mean d f.
Proof.
  induction d as [|[i x] d IH]; simpl; intros H I. easy. destruct I as [[= -> ->]|I].
  - apply le_trans with (y * f k + 0). replace (y * f k + 0) with (y * f k) by ring. apply le_refl.
    apply add_le, mean_nonneg. intros. apply H. now right.
  - apply le_trans with (0 + y * f k). replace (0 + y * f k) with (y * f k) by ring. apply le_refl. apply add_le_both.
    + destruct (H i x). now left. now apply mul_nonneg.
    + apply IH; auto.
Qed.
End Means.

Section Swap.
Open Scope field_scope.
Variable F : ordered_field.
Add Field laws_again : (field_laws F).

Lemma mean_zero {T} (d : list (T * F)) : mean F d (fun _ => 0) = 0.
Proof. induction d as [|[i x] d IH]; simpl. ring. rewrite IH. ring. Qed.

Lemma mean_swap {T U} (d : list (T * F)) (e : list (U * F)) f :
  mean F d (fun i => mean F e (fun j => f i j)) = mean F e (fun j => mean F d (fun i => f i j)).
Proof. induction d as [|[i x] d IH]; simpl. now rewrite mean_zero. rewrite IH, <- mean_mul. now rewrite <- mean_add. Qed.
End Swap.

(** ** One stationary strategy *)

Section Stationary.
Open Scope field_scope.
Variables (F : ordered_field) (R : rules).
Add Field laws_here : (field_laws F).
Notation mean := (mean F).

Lemma ratio_nonneg q : (0 <= q)%Q -> (0 : F) <= ratio q.
Proof. intros H. rewrite <- ratio_0. now apply ratio_le. Qed.

Lemma add_le_sub (x y z : F) : y <= z -> x - z <= x - y.
Proof. intros H. apply le_difference. replace (x - y - (x - z)) with (z - y) by ring. now apply (proj1 (le_difference F _ _)).
Qed.

Lemma ratio_integer z : ratio (z # 1) = integer z :> F.
Proof. unfold ratio. cbn [Qnum Qden]. change (integer 1) with (1 : F). field. apply one_not_zero. Qed.

Lemma fractions_sum l : mean (fractions F l) (fun _ => 1) = ratio (fold_right (fun qk s => fst qk + s) 0 l)%Q.
Proof. induction l as [|[q k] l IH]; simpl. now rewrite ratio_0. rewrite IH, ratio_add. ring. Qed.

Lemma fractions_in l k y : In (k, y) (fractions F l) -> exists q, In (q, k) l /\ y = ratio q.
Proof. intros I. apply in_map_iff in I as ([q k'] & [= <- <-] & I). now exists q. Qed.

(** States of the game, the mixtures of A, and bounds in units. *)
Variable Is : N -> Prop.
Variable mix : N -> mixture F.
Variable bound : N -> Z.
Variable units : positive.

(** The probabilities of the successors that nature may choose. *)
Variable may : turn -> nat -> nat -> list (N * F) -> Prop.
Definition natural (p : N) (w : choice F) : Prop := forall h p' x i j, leads R p h p' -> at_state R p' = inr x ->
  (i < count_A x)%nat -> (j < count_B x)%nat -> may x i j (w h i j).
(** An action of B, and the probabilities that nature then chooses for each action of A. *)
Definition reply (x : turn) (j : nat) (g : nat -> list (N * F)) : Prop :=
  (j < count_B x)%nat /\ forall i, (i < count_A x)%nat -> may x i j (g i).

Definition stationary (p : N) : strategy F := fun h => mix (arrived p h).
Let L p : F := ratio (bound p # units).
Let d : F := ratio (discount_of (rules_kind R)).

Hypothesis shape : forall p x i j, Is p -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  (forall q k, In (q, k) (chance x i j) -> Is k) /\ forall d, may x i j d -> mean d (fun _ => 1) = 1 /\
    forall k y, In (k, y) d -> 0 <= y /\ Is k /\ (y = 0 \/ exists q, In (q, k) (chance x i j) /\ (0 < q)%Q).
Hypothesis mixes : forall p x, Is p -> at_state R p = inr x -> distribution F (count_A x) (mix p).
Hypothesis discount_nonneg : (0 <= discount_of (rules_kind R))%Q.

Lemma leads_is p h p' : leads R p h p' -> Is p -> Is p'.
Proof.
  induction 1 as [|p x i j k q h p' E I J K Q L' IH]; intros P; auto. apply IH. destruct (shape p x i j) as [S _]; auto.
  eapply S, K.
Qed.

Lemma stationary_proper p : Is p -> proper_A F R p (stationary p).
Proof.
  intros P h p' x H E. assert (arrived p h = p') as S.
  { clear E. induction H; auto. apply IHleads. destruct (shape p x0 i j) as [S _]; auto. eapply S; eauto. }
  unfold stationary. rewrite S. apply mixes; auto. now apply leads_is with p h.
Qed.

Lemma stationary_later p i j k : later F (stationary p) i j k = stationary k.
Proof. reflexivity. Qed.

Lemma proper_now p t x : proper_B F R p t -> at_state R p = inr x -> distribution F (count_B x) (t []).
Proof. intros P E. apply (P [] p x); auto. constructor. Qed.

Lemma proper_later p t x i j q k : proper_B F R p t -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  In (q, k) (chance x i j) -> (0 < q)%Q -> proper_B F R k (later F t i j k).
Proof. intros P E I J K Q h p' x' H. apply P. econstructor; eauto. Qed.

Lemma natural_later p w x i j q k : natural p w -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  In (q, k) (chance x i j) -> (0 < q)%Q -> natural k (chosen_later F w i j k).
Proof. intros P E I J K Q h p' x' i' j' H. apply P. econstructor; eauto. Qed.

(** The states after a turn in which B and nature reply so, with their probabilities. *)
Definition onward (p : N) (g : nat -> list (N * F)) : list (N * F) :=
  flat_map (fun iy => map (fun kz => (fst kz, snd iy * snd kz)) (g (fst iy))) (mix p).

Lemma mean_onward p g f : mean (onward p g) f = mean (mix p) (fun i => mean (g i) f).
Proof.
  unfold onward. induction (mix p) as [|[i y] l IH]; simpl; auto. rewrite mean_app, IH. f_equal.
  rewrite <- mean_mul. induction (g i) as [|[k z] m IHm]; simpl; auto. rewrite IHm. ring.
Qed.

Lemma onward_in x p j g k y : Is p -> at_state R p = inr x -> reply x j g -> In (k, y) (onward p g) ->
  0 <= y /\ Is k /\ (y = 0 \/ exists i q, (i < count_A x)%nat /\ In (q, k) (chance x i j) /\ (0 < q)%Q).
Proof.
  intros P E [J G] I. apply in_flat_map in I as ([i z] & I & K). apply in_map_iff in K as ([k' w] & [= <- <-] & K).
  cbn [fst snd] in *. destruct (proj1 (mixes p x P E) i z I) as [Li Lz].
  destruct (shape p x i j P E Li J) as [_ S]. destruct (S _ (G i Li)) as [_ T]. destruct (T k' w K) as (W & Ik & H). split; [|split].
  - now apply mul_nonneg.
  - exact Ik.
  - destruct H as [->|(q & Q & Q0)]. left. ring. right. now exists i, q.
Qed.

Lemma onward_sum x p j g : Is p -> at_state R p = inr x -> reply x j g -> mean (onward p g) (fun _ => 1) = 1.
Proof.
  intros P E [J G]. rewrite mean_onward. destruct (mixes p x P E) as [M S]. transitivity (mean (mix p) (fun _ => 1)); auto.
  apply le_antisym; apply mean_le; intros i y I.
  all: destruct (M i y I) as [Li Ly]; destruct (shape p x i j P E Li J) as [_ T]; rewrite (proj1 (T _ (G i Li))); apply le_refl.
Qed.

(** A bound of every step holds on average: [low] bounds the successors, [paid] is the reward of this turn. *)
Lemma mean_turn p x t w (value : nat -> nat -> N -> F) (low : N -> F) (paid : nat -> nat -> F) (c q : F) :
  Is p -> at_state R p = inr x -> proper_B F R p t -> natural p w -> 0 <= c ->
  (forall i j r k, (i < count_A x)%nat -> (j < count_B x)%nat -> In (r, k) (chance x i j) -> (0 < r)%Q ->
    low k <= value i j k) ->
  (forall j g, reply x j g -> q <= mean (mix p) (fun i => paid i j) + c * mean (onward p g) low) ->
  q <= mean (stationary p []) (fun i => mean (t []) (fun j => paid i j + c * mean (w [] i j) (value i j))).
Proof.
  intros P E T W C V H. change (stationary p []) with (mix p). destruct (proper_now p t x T E) as [TB TS].
  assert (WN : forall i j, (i < count_A x)%nat -> (j < count_B x)%nat -> may x i j (w [] i j)).
  { intros i j. apply (W [] p x); auto. constructor. }
  destruct (mixes p x P E) as [MA MS]. rewrite mean_swap. rewrite <- (mean_const F (t []) q TS). apply mean_le. intros j y J.
  destruct (TB j y J) as [Lj Ly]. apply mul_le; auto.
  apply le_trans with (1 := H j (fun i => w [] i j) (conj Lj (fun i Li => WN i j Li Lj))).
  rewrite mean_onward, <- mean_mul, <- mean_add. apply mean_le. intros i z I. destruct (MA i z I) as [Li Lz].
  apply mul_le; auto. apply add_le. apply mul_le; auto. apply mean_le. intros k v K.
  destruct (shape p x i j P E Li Lj) as [_ S]. destruct (proj2 (S _ (WN i j Li Lj)) k v K) as (V0 & _ & [->|(r & R0 & Rp)]).
  - replace (0 * low k) with (0 * value i j k) by ring. apply le_refl.
  - apply mul_le; auto. eapply V; eauto.
Qed.

(** Security levels of the mixtures for one turn if the successors are worth their bounds, and ends. *)
Hypothesis one_turn : forall p x j g, Is p -> at_state R p = inr x -> reply x j g ->
  L p <= mean (mix p) (fun i => ratio (reward_of x i j)) + d * mean (onward p g) L.
Hypothesis ends : forall p v, Is p -> at_state R p = inl v -> L p <= ratio v.
Variable largest : Z.
Hypothesis bounds_small : forall p, Is p -> (Z.abs (bound p) <= largest)%Z.

(** ** Where play ends, or is discounted

    [left] bounds the expected number of turns that are left, discounted. *)
Section Ending.
Variables (left : N -> Z) (most : positive).
Hypothesis left_range : forall p, Is p -> (0 <= left p <= Zpos most)%Z.
Hypothesis left_turn : forall p x, Is p -> at_state R p = inr x -> (1 <= left p)%Z.
Hypothesis left_falls : forall p x j g, Is p -> at_state R p = inr x -> reply x j g ->
  d * mean (onward p g) (fun k => integer (left k)) <= integer (left p) - 1.

Let share (n : nat) : Q := (largest * Zpos (most + 1) # Pos.of_succ_nat n + most).

Lemma won_at_least n : forall p t w, Is p -> proper_B F R p t -> natural p w ->
  L p - ratio (share n) * integer (left p) <= won_by F R n (stationary p) t w p.
Proof.
  assert (D : 0 <= d) by now apply ratio_nonneg.
  assert (G : forall p, Is p -> (0 <= largest)%Z) by (intros p P; specialize (bounds_small p P); lia).
  assert (S0 : forall m p, Is p -> (0 : F) <= ratio (share m) * integer (left p)).
  { intros m p P. apply mul_nonneg. apply ratio_nonneg. unfold share, Qle. cbn [Qnum Qden]. specialize (G p P). nia.
    apply integer_nonneg. now apply left_range. }
  assert (below : forall m p, Is p -> L p - ratio (share m) * integer (left p) <= L p).
  { intros m p P. apply le_difference.
    match goal with |- 0 <= L p - (L p - ?s) => replace (L p - (L p - s)) with s by ring end; auto. }
  induction n as [|n IH]; intros p t w P T W; simpl; destruct (at_state R p) as [v|x] eqn:E.
  - apply le_trans with (2 := ends p v P E). now apply below.
  - unfold L. rewrite <- ratio_integer, <- ratio_mul. apply le_difference.
    replace (0 - (ratio (bound p # units) - ratio (share 0 * (left p # 1))) : F) with
      (ratio (share 0 * (left p # 1)) - ratio (bound p # units) : F) by ring.
    apply (proj1 (le_difference F _ _)). apply ratio_le. unfold share, Qle, Qmult. cbn [Qnum Qden].
    pose proof (left_turn p x P E). pose proof (bounds_small p P). pose proof (left_range p P).
    rewrite !Pos2Z.inj_mul, !Pos2Z.inj_add. change (Zpos (Pos.of_succ_nat 0)) with 1%Z.
    assert (largest <= largest * left p)%Z by nia. assert (largest * left p <= largest * left p * Zpos units)%Z by nia.
    assert (bound p <= largest * left p * Zpos units)%Z by lia. nia.
  - apply le_trans with (2 := ends p v P E). now apply below.
  - apply mean_turn with (x := x) (low := fun k => L k - ratio (share n) * integer (left k)); auto.
    + intros i j r k I J K Q. apply IH. eapply (proj1 (shape p x i j P E I J)); eauto. eapply proper_later; eauto. eapply natural_later; eauto.
    + intros j g J. rewrite (mean_sub F), (mean_mul F). apply le_trans with (L p - ratio (share n) * (integer (left p) - 1)).
      * apply add_le_sub. rewrite <- integer_1, <- integer_sub, <- !ratio_integer, <- !ratio_mul. apply ratio_le.
        unfold share, Qle, Qmult. cbn [Qnum Qden]. pose proof (left_range p P). pose proof (G p P).
        rewrite !Pos2Z.inj_mul, !Pos2Z.inj_add, !Zpos_P_of_succ_nat, Nat2Z.inj_succ. set (m := Z.of_nat n).
        assert (0 <= m)%Z by lia.
        generalize (largest * (Zpos most + 1))%Z (ltac:(nia) : (0 <= largest * (Zpos most + 1))%Z). intros X X0.
        assert ((left p - 1) * (Z.succ (Z.succ m) + Zpos most) <= left p * (Z.succ m + Zpos most))%Z by nia. nia.
      * apply le_difference. fold d.
                match goal with |- 0 <= ?a + d * (?b - ?s * ?c) - (L p - ?s * (integer (left p) - 1)) =>
          replace (a + d * (b - s * c) - (L p - s * (integer (left p) - 1))) with
            ((a + d * b - L p) + s * (integer (left p) - 1 - d * c)) by ring end.
        replace (0 : F) with (0 + 0 : F) by ring. apply add_le_both.
        apply (proj1 (le_difference F _ _)). now apply (one_turn p x j). apply mul_nonneg. 
        { apply ratio_nonneg. unfold share, Qle. cbn [Qnum Qden]. specialize (G p P). nia. }
        apply (proj1 (le_difference F _ _)). now apply (left_falls p x j).
Qed.

Theorem ending_secures p : may_last (rules_kind R) = false -> Is p ->
  A_secures_by F R (natural p) (stationary p) p (L p).
Proof.
  intros NR P. split. now apply stationary_proper. exists 0%Q. intros large [a b] _ E.
  unfold Qlt in E. cbn [Qnum Qden] in E.
  exists (Z.to_nat (largest * Zpos (most + 1) * Zpos most * Zpos b)). intros n t w N T W.
  assert (worth_by F R large n (stationary p) t w p = won_by F R n (stationary p) t w p) as -> by (unfold worth_by; now rewrite NR).
  apply le_trans with (2 := won_at_least n p t w P T W). apply add_le_sub.
  rewrite <- ratio_integer, <- ratio_mul. apply ratio_le. unfold share, Qle, Qmult. cbn [Qnum Qden].
  pose proof (left_range p P). pose proof (bounds_small p P). rewrite !Pos2Z.inj_mul, !Pos2Z.inj_add in *.
  rewrite !Zpos_P_of_succ_nat. apply (Nat2Z.inj_le) in N. rewrite Z2Nat.id in N by (repeat apply Z.mul_nonneg_nonneg; lia).
  generalize dependent (Z.of_nat n). intros m N.
  assert (0 <= largest * (Zpos most + 1))%Z by nia. generalize dependent (largest * (Zpos most + 1))%Z. intros X N X0.
  assert (X * left p <= X * Zpos most)%Z by nia. assert (X * left p * Zpos b <= X * Zpos most * Zpos b)%Z by nia.
  assert (m <= a * (Z.succ m + Zpos most))%Z by nia. lia.
Qed.
End Ending.

(** ** Ranks

    From a state of a positive rank play comes with some probability to a state of a lower rank. So an integer bounds the
    expected number of turns until it comes to rank 0. *)
Section Ranks.
Variables (rank : N -> nat) (top : nat) (parts : Z).
Hypothesis parts_positive : (1 <= parts)%Z.
Hypothesis rank_range : forall p, Is p -> (rank p <= top)%nat.
Definition may_fall (p : N) (g : nat -> list (N * F)) : Prop :=
  exists k y, In (k, y) (onward p g) /\ 1 <= integer parts * y /\ (rank k < rank p)%nat.

Fixpoint height (n : nat) : Z := match n with O => 0 | S n => parts * (height n + 1) end.
Definition left_by (p : N) : Z := height top - height (top - rank p).

Lemma height_step n : (0 <= height n /\ height n + 1 <= height (S n))%Z.
Proof. induction n as [|n IH]; simpl in *; nia. Qed.

Lemma height_le n m : (n <= m)%nat -> (height n <= height m)%Z.
Proof. induction 1. lia. pose proof (height_step m). lia. Qed.

Lemma left_by_range p : (0 <= left_by p <= height top)%Z.
Proof. unfold left_by. pose proof (height_le (top - rank p) top ltac:(lia)). pose proof (height_step (top - rank p)). lia. Qed.

Lemma left_by_0 p : rank p = 0%nat -> left_by p = 0%Z.
Proof. unfold left_by. intros ->. rewrite Nat.sub_0_r. lia. Qed.

Lemma left_by_positive p : Is p -> (0 < rank p)%nat -> (1 <= left_by p)%Z.
Proof.
  intros P H. unfold left_by. specialize (rank_range p P). pose proof (height_le (S (top - rank p)) top ltac:(lia)).
  pose proof (height_step (top - rank p)). lia.
Qed.

Lemma left_by_falls p x j g : Is p -> at_state R p = inr x -> reply x j g -> may_fall p g ->
  mean (onward p g) (fun k => integer (left_by k)) <= integer (left_by p) - 1.
Proof.
  intros P E J (k & y & I & Y & K).
  rewrite (mean_eq F _ _ (fun k => integer (height top) - integer (height (top - rank k))))
    by (intros; unfold left_by; now rewrite integer_sub).
  rewrite mean_sub, mean_const by now apply (onward_sum x p j). unfold left_by. rewrite integer_sub.
  set (up k := integer (height (top - rank k)) : F).
  assert (y * up k <= mean (onward p g) up) as M.
  { apply mean_ge_term; auto. intros i z Z. destruct (onward_in x p j g i z P E J Z) as [Z0 _]. split; auto.
    apply integer_nonneg, height_step. }
  assert (up p + 1 <= y * up k) as B.
  { apply le_trans with (y * integer (parts * (height (top - rank p) + 1))).
    - rewrite integer_mul, integer_add, integer_1. fold (up p).
      replace (y * (integer parts * (up p + 1))) with ((integer parts * y) * (up p + 1)) by ring.
      replace (up p + 1) with ((up p + 1) * 1) at 1 by ring.
      replace (integer parts * y * (up p + 1)) with ((up p + 1) * (integer parts * y)) by ring.
      apply mul_le; auto. rewrite <- integer_1. unfold up. rewrite <- integer_add. apply integer_nonneg.
      pose proof (height_step (top - rank p)). lia.
    - apply mul_le. now apply (onward_in x p j g k y). apply integer_le.
      change (height (S (top - rank p)) <= height (top - rank k))%Z.
      apply height_le. specialize (rank_range p P). lia. }
  pose proof (le_trans _ _ _ _ B M) as C. apply le_difference in C. apply le_difference.
  match goal with |- 0 <= ?a => replace a with (mean (onward p g) up - (up p + 1)) by (unfold up; ring) end. exact C.
Qed.

(** In a game in which every state that is no end has a positive rank play ends. *)
Theorem stopping_secures p : may_last (rules_kind R) = false -> (discount_of (rules_kind R) <= 1)%Q ->
  (forall p x, Is p -> at_state R p = inr x -> (0 < rank p)%nat) ->
  (forall p x j g, Is p -> at_state R p = inr x -> reply x j g -> may_fall p g) -> Is p ->
  A_secures_by F R (natural p) (stationary p) p (L p).
Proof.
  intros NR D T Falls P. apply ending_secures with (left := left_by) (most := Z.to_pos (height top + 1)); auto.
  - intros k K. pose proof (left_by_range k). rewrite Z2Pos.id by lia. lia.
  - intros k x K E. apply left_by_positive; eauto.
  - intros k x j g K E J. apply le_trans with (mean (onward k g) (fun k => integer (left_by k))).
    + set (m := mean _ _). assert (0 <= m) as M.
      { apply mean_nonneg. intros i z I. split. now apply (onward_in x k j g i z). apply integer_nonneg, left_by_range. }
      replace (d * m) with (m * d) by ring. apply le_trans with (m * 1). apply mul_le; auto. unfold d. rewrite <- ratio_1.
      now apply ratio_le.
      replace (m * 1) with m by ring. apply le_refl.
    + apply (left_by_falls k x j); eauto.
Qed.

(** ** Where play may be infinite

    A state is good if its bound is at most the payoff of infinite plays there; the others have positive ranks. Where nothing is
    paid, play comes from a good state to another one only if the bound changes or the level falls. The bound never falls on
    average, and is an integer; so its square rises on average by at least the probability that it changes. Therefore an integer,
    [budget], falls on average by the probability of being in a state that is not good.

    Where something is paid, the budget may rise, up to [ceiling]. All payments have one sign, and a payment moves the bound: the
    bound falls on average by what is paid, but for the [rise] of rewards and bound together. So [reserve], the budget with a
    multiple of the bound, falls as the budget does, but for a multiple of the rise. The rise of one turn counts in all later
    states, and soon outweighs this. *)
Section Lasting.
Variables (large : Q) (level : N -> nat) (levels : nat) (gap way most_pay : Z).
Let pay (x : turn) (p : N) (j : nat) : F := mean (mix p) (fun i => ratio (reward_of x i j)).
Hypothesis lasting : may_last (rules_kind R) = true.
Hypothesis way_is : way = 1%Z \/ way = (-1)%Z.
(** A choice of B pays nothing, or at least [1 / parts]. *)
Hypothesis choices : forall p x j g, Is p -> at_state R p = inr x -> reply x j g ->
  pay x p j = 0 /\ ((0 < rank p)%nat -> may_fall p g) \/ 1 <= integer parts * (integer way * pay x p j).
Hypothesis most_pay_nonneg : (0 <= most_pay)%Z.
Hypothesis pay_range : forall p x j g, Is p -> at_state R p = inr x -> reply x j g -> pay x p j <= integer most_pay.
Hypothesis good : forall p x, Is p -> at_state R p = inr x -> rank p = 0%nat -> (bound p # units <= infinite R large x)%Q.
Hypothesis others : forall p, Is p -> (0 < rank p)%nat ->
  exists x, at_state R p = inr x /\ (infinite R large x < bound p # units)%Q.
Hypothesis levels_fall : forall p x i j q k, Is p -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  In (q, k) (chance x i j) -> (0 < q)%Q -> (level k <= level p)%nat /\
  (level k = level p -> forall x', at_state R k = inr x' -> (infinite R large x' == infinite R large x)%Q).
Hypothesis level_range : forall p, Is p -> (level p <= levels)%nat.
Hypothesis gap_nonneg : (0 <= gap)%Z.
Hypothesis gap_range : forall p x, Is p -> at_state R p = inr x ->
  ((bound p # units) + - infinite R large x <= inject_Z gap)%Q.

Let above (p : N) : Z := bound p + largest.
Definition budget (p : N) : Z := left_by p + height top * (4 * largest * largest - above p * above p + Z.of_nat (level p)).
Definition ceiling : Z := height top * (1 + 4 * largest * largest + Z.of_nat levels).

Lemma budget_range p : Is p -> (0 <= budget p <= ceiling)%Z.
Proof.
  intros P. unfold budget, ceiling. pose proof (left_by_range p). pose proof (bounds_small p P). unfold above.
  pose proof (level_range p P).
  assert (0 <= 4 * largest * largest - (bound p + largest) * (bound p + largest))%Z by nia.
  assert (0 <= (bound p + largest) * (bound p + largest))%Z by nia.
  generalize dependent ((bound p + largest) * (bound p + largest))%Z. intros. nia.
Qed.

Lemma in_units z : integer (Zpos units) * ratio (z # units) = integer z :> F.
Proof. rewrite <- !ratio_integer, <- ratio_mul. apply ratio_eq. unfold Qeq, Qmult. cbn [Qnum Qden]. lia. Qed.

(** By how much rewards and bound together rise on average. *)
Let rise (x : turn) (p : N) (j : nat) (g : nat -> list (N * F)) : F := pay x p j + mean (onward p g) L - L p.

Lemma rise_nonneg p x j g : Is p -> at_state R p = inr x -> reply x j g -> 0 <= rise x p j g.
Proof.
  intros P E J. apply (proj1 (le_difference F _ _)). apply le_trans with (1 := one_turn p x j g P E J).
  assert (d = 1) as -> by (unfold d; rewrite <- ratio_1; apply ratio_eq; now destruct (rules_kind R)).
  fold (pay x p j). replace (1 * mean (onward p g) L) with (mean (onward p g) L) by ring. apply le_refl.
Qed.

Lemma rise_in_units x p j g : mean (onward p g) (fun k => integer (bound k)) =
  integer (Zpos units) * rise x p j g - integer (Zpos units) * pay x p j + integer (bound p).
Proof.
  rewrite <- (in_units (bound p)). rewrite (mean_eq F _ _ (fun k => integer (Zpos units) * L k))
    by (intros; unfold L; now rewrite in_units).
  rewrite mean_mul. unfold rise. fold (L p). ring.
Qed.

Lemma bound_rises p x j g : Is p -> at_state R p = inr x -> reply x j g -> pay x p j = 0 ->
  integer (bound p) <= mean (onward p g) (fun k => integer (bound k)).
Proof.
  intros P E J Z. rewrite (rise_in_units x p j), Z. apply le_difference.
  match goal with |- 0 <= ?u => replace u with (integer (Zpos units) * rise x p j g) by ring end.
  apply mul_nonneg. now apply integer_nonneg. now apply (rise_nonneg p x j).
Qed.

Let bad (p : N) : Z := if Nat.eqb (rank p) 0 then 0 else 1.

Lemma budget_falls p x j g : Is p -> at_state R p = inr x -> reply x j g -> pay x p j = 0 ->
  ((0 < rank p)%nat -> may_fall p g) ->
  mean (onward p g) (fun k => integer (budget k)) <= integer (budget p) - integer (bad p).
Proof.
  intros P E J Unpaid Fall. set (h := height top). set (a := above p).
  set (rest := (h * (4 * largest * largest - a * a + Z.of_nat (level p)))%Z).
  assert (0 <= a)%Z by (unfold a, above; specialize (bounds_small p P); lia).
  assert (0 <= h)%Z by apply height_step.
  (* Of each state that may follow. *)
  assert (forall i y, In (i, y) (onward p g) ->
    y * integer (budget i) <= y * (integer (if Nat.eqb (rank p) 0 then 0 else left_by i) + integer rest -
      integer (2 * h * a) * (integer (bound i) - integer (bound p)))) as S.
  { intros k y I. destruct (onward_in x p j g k y P E J I) as (Y & K & [->|(i & q & Li & Q & Q0)]).
    { match goal with |- 0 * ?u <= 0 * ?v => replace (0 * u) with (0 * v) by ring end. apply le_refl. }
    apply mul_le; auto. rewrite <- integer_sub, <- integer_mul, <- integer_add, <- integer_sub. apply integer_le.
    destruct (levels_fall p x i j q k P E Li (proj1 J) Q Q0) as [Lv Same]. pose proof (left_by_range k) as Range. fold h in Range.
    unfold budget, rest. fold h. set (z := (bound k - bound p)%Z).
    replace (above k) with (a + z)%Z by (unfold a, above, z; lia).
    destruct (Nat.eqb_spec (rank p) 0) as [Z|Z].
    - destruct (Nat.eq_dec (rank k) 0) as [Zk|Zk].
      + rewrite left_by_0 by auto. assert (Z.of_nat (level k) <= Z.of_nat (level p) + z * z)%Z by nia. nia.
      + assert (Z.of_nat (level k) + 1 <= Z.of_nat (level p) + z * z)%Z.
        { destruct (Z.eq_dec z 0) as [Ez|]; [|nia]. enough (level k <> level p) by nia. intros Eq. unfold z in *.
          destruct (others k K ltac:(lia)) as (x' & E' & Bk). specialize (Same Eq x' E'). pose proof (good p x P E Z) as G.
          replace (bound k) with (bound p) in Bk by lia. apply (Qlt_irrefl (infinite R large x)). rewrite <- Same at 1.
          now apply Qlt_le_trans with (1 := Bk). }
        nia.
    - assert (Z.of_nat (level k) <= Z.of_nat (level p) + z * z)%Z by nia. nia. }
  apply le_trans with (1 := mean_le F _ _ _ S). pose proof (bound_rises p x j g P E J Unpaid) as Rise.
  rewrite mean_sub, mean_add, mean_mul, mean_sub, !mean_const by now apply (onward_sum x p j). unfold budget. fold h a rest. fold a.
  rewrite integer_add.
  assert (0 <= integer (2 * h * a) * (mean (onward p g) (fun i => integer (bound i)) - integer (bound p))) as Gain.
  { apply mul_nonneg. apply integer_nonneg. nia. now apply (proj1 (le_difference F _ _)). }
  destruct (Nat.eqb_spec (rank p) 0) as [Z|Z].
  - unfold bad. rewrite Z, Nat.eqb_refl. rewrite mean_const by now apply (onward_sum x p j). rewrite (left_by_0 p Z). apply le_difference.
    change (integer 0) with (0 : F).
    match goal with |- 0 <= ?u => replace u with (integer (2 * h * a) * (mean (onward p g) (fun i => integer (bound i)) -
      integer (bound p))) by ring end.
    exact Gain.
  - unfold bad. rewrite (proj2 (Nat.eqb_neq _ _) Z), integer_1.
    pose proof (left_by_falls p x j g P E J (Fall ltac:(lia))) as Less. apply le_difference in Less. apply le_difference.
    match goal with |- 0 <= ?u => replace u with ((integer (left_by p) - 1 - mean (onward p g) (fun k => integer (left_by
      k))) +
      integer (2 * h * a) * (mean (onward p g) (fun i => integer (bound i)) - integer (bound p))) by ring end.
    replace (0 : F) with (0 + 0 : F) by ring. now apply add_le_both.
Qed.

Definition cost : Z := parts * (ceiling + 1).
Definition reserve (p : N) : Z := budget p + cost * (largest + way * bound p).

Lemma cost_nonneg p : Is p -> (0 <= ceiling /\ 0 <= cost)%Z.
Proof. intros P. pose proof (budget_range p P). unfold cost. nia. Qed.

Lemma reserve_nonneg p : Is p -> (0 <= reserve p)%Z.
Proof.
  intros P. unfold reserve. pose proof (budget_range p P). pose proof (cost_nonneg p P). pose proof (bounds_small p P).
  assert (0 <= largest + way * bound p)%Z by (destruct way_is as [-> | ->]; lia). nia.
Qed.

Lemma reserve_falls p x j g : Is p -> at_state R p = inr x -> reply x j g ->
  mean (onward p g) (fun k => integer (reserve k)) <=
  integer (reserve p) - integer (bad p) + integer (cost * Zpos units) * rise x p j g.
Proof.
  intros P E J. pose proof (cost_nonneg p P) as [C0 C1]. pose proof (rise_nonneg p x j g P E J) as Up.
  set (mb := mean (onward p g) (fun k => integer (budget k))).
  assert (mean (onward p g) (fun k => integer (reserve k)) =
    mb + integer cost * (integer largest + integer way * mean (onward p g) (fun k => integer (bound k)))) as ->.
  { unfold mb. rewrite (mean_eq F _ _ (fun k => integer (budget k) + (integer (cost * largest) + integer (cost * way) *
      integer (bound k)))).
    rewrite !mean_add, mean_mul, mean_const by now apply (onward_sum x p j). rewrite !integer_mul. ring.
    intros k. unfold reserve. rewrite <- integer_mul, <- !integer_add. f_equal. ring. }
  rewrite (rise_in_units x p j). unfold reserve. rewrite !integer_add, !integer_mul, !integer_add, !integer_mul.
  set (r := rise x p j g) in *. set (y := pay x p j). set (c := integer cost : F). set (u := integer (Zpos units) : F).
  set (w := integer way : F). apply le_difference.
  match goal with |- 0 <= ?v => replace v with ((integer (budget p) - integer (bad p) - mb + c * (u * (w * y))) +
    (c * u) * ((1 - w) * r)) by (unfold w; ring) end.
  assert (0 <= u) as U0 by (apply integer_nonneg; lia). assert (0 <= c) as C2 by now apply integer_nonneg.
  replace (0 : F) with (0 + 0 : F) by ring. apply add_le_both.
  2: { apply mul_nonneg. now apply mul_nonneg. apply mul_nonneg; auto. unfold w. rewrite <- integer_1, <- integer_sub.
       apply integer_nonneg. destruct way_is as [-> | ->]; lia. }
  destruct (choices p x j g P E J) as [[Unpaid Fall]|Paid].
  - fold (pay x p j) in Unpaid. unfold y. rewrite Unpaid. pose proof (budget_falls p x j g P E J Unpaid Fall) as H.
    apply le_difference in H. fold mb in H.
    match goal with |- 0 <= ?v => replace v with (integer (budget p) - integer (bad p) - mb) by ring end. exact H.
  - fold (pay x p j) in Paid. fold y w in Paid.
    assert (mb <= integer ceiling) as M.
    { unfold mb. rewrite <- (mean_const F (onward p g) (integer ceiling)) by now apply (onward_sum x p j). apply mean_le.
      intros k z I. destruct (onward_in x p j g k z P E J I) as (Z0 & K & _). apply mul_le; auto. apply integer_le.
      now apply budget_range. }
    assert (integer (ceiling + 1) <= c * (u * (w * y))) as B.
    { unfold c, cost. rewrite integer_mul.
      replace (integer parts * integer (ceiling + 1) * (u * (w * y))) with
        (integer (ceiling + 1) * (u * (integer parts * (w * y)))) by ring.
      replace (integer (ceiling + 1)) with (integer (ceiling + 1) * 1 : F) at 1 by ring. apply mul_le. apply integer_nonneg. lia.
      apply le_trans with (u * 1). unfold u. replace (integer (Zpos units) * 1) with (integer (Zpos units) : F) by ring.
      rewrite <- integer_1. apply integer_le. lia. now apply mul_le. }
    assert ((integer (bad p) : F) <= integer (budget p) + 1) as D.
    { rewrite <- integer_1, <- integer_add. apply integer_le. pose proof (budget_range p P). unfold bad.
      destruct (Nat.eqb _ _); lia. }
    rewrite integer_add, integer_1 in B. apply le_difference in B, M, D.
    match goal with |- 0 <= ?v => replace v with ((integer ceiling - mb) + (integer (budget p) + 1 - integer (bad p) +
      (c * (u * (w * y)) - (integer ceiling + 1)))) by ring end.
    replace (0 : F) with (0 + (0 + 0) : F) by ring. apply add_le_both; auto. apply add_le_both; auto.
Qed.

Definition price : Z := gap * (cost * Zpos units).
Definition slack : Z := price * (most_pay + 2 * largest).
Definition owed (n : nat) (p : N) : Z := gap * reserve p + slack * Z.of_nat (Nat.min n (Z.to_nat price)).

Lemma rise_most p x j g : Is p -> at_state R p = inr x -> reply x j g -> rise x p j g <= integer (most_pay + 2 * largest).
Proof.
  intros P E J.
  assert (forall k, Is k -> L k <= integer largest) as S.
  { intros k K. unfold L. rewrite <- ratio_integer. apply ratio_le. unfold Qle. cbn [Qnum Qden]. pose proof (bounds_small k K). nia. }
  assert (- L p <= integer largest) as S'.
  { unfold L. rewrite <- ratio_integer, <- ratio_opp. apply ratio_le. unfold Qle. cbn [Qnum Qden Qopp].
    pose proof (bounds_small p P). nia. }
  replace (most_pay + 2 * largest)%Z with (most_pay + (largest + largest))%Z by ring. rewrite !integer_add.
  unfold rise. replace (pay x p j + mean (onward p g) L - L p) with (pay x p j + (mean (onward p g) L + - L p)) by ring.
  apply add_le_both. now apply (pay_range p x j g). apply add_le_both; auto.
  rewrite <- (mean_const F (onward p g) (integer largest)) by now apply (onward_sum x p j). apply mean_le.
  intros k z I. destruct (onward_in x p j g k z P E J I) as (Z0 & K & _). apply mul_le; auto.
Qed.

Lemma price_nonneg p : Is p -> (0 <= price /\ 0 <= slack)%Z.
Proof.
  intros P. pose proof (cost_nonneg p P). pose proof (bounds_small p P). unfold slack, price.
  assert (0 <= gap * (cost * Zpos units))%Z by (repeat apply Z.mul_nonneg_nonneg; lia). nia.
Qed.

Lemma owed_step n p : Is p -> (0 <= owed n p <= owed (S n) p)%Z.
Proof.
  intros P. unfold owed. pose proof (price_nonneg p P). pose proof (reserve_nonneg p P).
  assert (0 <= gap * reserve p)%Z by nia. nia.
Qed.

Lemma stayed_at_least n : forall p t w, Is p -> proper_B F R p t -> natural p w ->
  integer (Z.of_nat n) * L p - integer (owed n p) <= stayed_by F R large n (stationary p) t w p.
Proof.
  induction n as [|n IH]; intros p t w P T W.
  - simpl. pose proof (owed_step 0 p P) as [O _]. apply (integer_nonneg F) in O. apply opp_le in O.
    replace (- 0 : F) with (0 : F) in O by ring. change (integer (Z.of_nat 0)) with (0 : F).
    replace (0 * L p - integer (owed 0 p)) with (- integer (owed 0 p) : F) by ring. exact O.
  - pose proof (owed_step n p P) as Owed. rewrite Nat2Z.inj_succ, <- Z.add_1_l, integer_add, integer_1. cbn [stayed_by]. destruct (at_state R p) as [v|x] eqn:E.
    + specialize (IH p t w P T W). pose proof (ends p v P E) as V. apply le_trans with (2 := add_le_both F _ _ _ _ V IH).
      replace ((1 + integer (Z.of_nat n)) * L p - integer (owed (S n) p)) with
        (L p + (integer (Z.of_nat n) * L p - integer (owed (S n) p))) by ring.
      apply add_le, add_le_sub, integer_le, Owed.
    + set (m := integer (Z.of_nat n)) in *.
      set (u := (1 + m) * L p - integer (owed (S n) p) - ratio (infinite R large x)).
      enough (u <= mean (stationary p []) (fun i => mean (t []) (fun j => m * ratio (reward_of x i j) + 1 *
        mean (w [] i j) (fun k => stayed_by F R large n (later F (stationary p) i j k) (later F t i j k) (chosen_later F w i j k) k)))) as H.
      { apply (add_le F _ _ (ratio (infinite R large x))) in H.
        match type of H with ?v <= ?y => match goal with |- ?v' <= ?y' =>
          replace v' with v by (unfold u; ring); replace y' with y; auto end end.
        f_equal. apply mean_eq. intros i. apply mean_eq. intros j. ring. }
      apply mean_turn with (x := x) (low := fun k => m * L k - integer (owed n k)) (paid := fun i j => m * ratio (reward_of x i j)); auto.
      apply zero_le_one.
      * intros i j r k I J K Q. apply IH. eapply (proj1 (shape p x i j P E I J)); eauto. eapply proper_later; eauto. eapply natural_later; eauto.
      * intros j g J. rewrite mean_sub, !mean_mul. fold (pay x p j).
        set (z := (slack * Z.of_nat (Nat.min n (Z.to_nat price)))%Z).
        assert (mean (onward p g) (fun k => integer (owed n k)) =
          integer gap * mean (onward p g) (fun k => integer (reserve k)) + integer z) as ->.
        { rewrite (mean_eq F _ _ (fun k => integer gap * integer (reserve k) + integer z)).
          rewrite mean_add, mean_mul, mean_const by now apply (onward_sum x p j). reflexivity.
          intros k. unfold owed. fold z. now rewrite integer_add, integer_mul. }
        pose proof (reserve_falls p x j g P E J) as Fall. pose proof (rise_nonneg p x j g P E J) as Up.
        pose proof (rise_most p x j g P E J) as Most. destruct (price_nonneg p P) as [P0 S0].
        set (r := rise x p j g) in *. set (mr := mean (onward p g) (fun k => integer (reserve k))) in *.
        (* Leaving a state that is not good costs at most the gap. *)
        assert (0 <= ratio (infinite R large x) - L p + integer gap * integer (bad p)) as Here.
        { unfold bad. destruct (Nat.eqb_spec (rank p) 0) as [Z|Z].
          - change (integer 0) with (0 : F). replace (ratio (infinite R large x) - L p + integer gap * 0) with
              (ratio (infinite R large x) - L p) by ring. apply (proj1 (le_difference F _ _)). apply ratio_le. exact (good p x P E Z).
          - rewrite integer_1. replace (ratio (infinite R large x) - L p + integer gap * 1) with
              (integer gap - (L p + - ratio (infinite R large x))) by ring.
            apply (proj1 (le_difference F _ _)). unfold L. rewrite <- ratio_opp, <- ratio_add, <- ratio_integer. apply ratio_le.
            eapply gap_range; eauto. }
        (* The rise of this turn counts [n] times; as long as that is too little, [slack] is added. *)
        assert (0 <= m * r - integer price * r + (integer (owed (S n) p) - integer gap * integer (reserve p) - integer z)) as There.
        { replace (integer (owed (S n) p) - integer gap * integer (reserve p) - integer z) with
            (integer (slack * Z.of_nat (Nat.min (S n) (Z.to_nat price)) - z) : F)
            by (unfold owed; rewrite !integer_sub, integer_add, (integer_mul F gap); ring).
          destruct (le_lt_dec (Z.to_nat price) n) as [Le|Lt].
          - replace (slack * Z.of_nat (Nat.min (S n) (Z.to_nat price)) - z)%Z with 0%Z
              by (unfold z; rewrite !Nat.min_r by lia; ring). change (integer 0) with (0 : F).
            replace (m * r - integer price * r + 0) with ((m - integer price) * r) by ring. apply mul_nonneg; auto.
            unfold m. rewrite <- integer_sub. apply integer_nonneg. lia.
          - replace (slack * Z.of_nat (Nat.min (S n) (Z.to_nat price)) - z)%Z with slack
              by (unfold z; rewrite !Nat.min_l by lia; rewrite Nat2Z.inj_succ; ring).
            unfold slack. rewrite integer_mul. replace (m * r - integer price * r + integer price * integer (most_pay + 2 * largest))
              with (m * r + integer price * (integer (most_pay + 2 * largest) - r)) by ring.
            replace (0 : F) with (0 + 0 : F) by ring. apply add_le_both; apply mul_nonneg; auto.
            apply integer_nonneg. lia. now apply integer_nonneg. now apply (proj1 (le_difference F _ _)). }
        apply (mul_le F _ _ (integer gap)) in Fall; [|now apply integer_nonneg]. apply le_difference in Fall.
        apply le_difference.
        match goal with |- 0 <= ?w => replace w with
          ((ratio (infinite R large x) - L p + integer gap * integer (bad p)) +
          ((m * r - integer price * r + (integer (owed (S n) p) - integer gap * integer (reserve p) - integer z)) +
          (integer gap * (integer (reserve p) - integer (bad p) + integer (cost * Zpos units) * r) - integer gap * mr)))
          by (unfold u, price, r, rise; rewrite (integer_mul F gap); ring) end.
        replace (0 : F) with (0 + (0 + 0) : F) by ring. apply add_le_both; auto. apply add_le_both; auto.
Qed.

Theorem lasting_secures p : Is p -> forall e : Q, (0 < e)%Q ->
  exists m, forall n t w, (m <= n)%nat -> proper_B F R p t -> natural p w ->
    L p - ratio e <= worth_by F R large n (stationary p) t w p.
Proof.
  intros P e E. set (most := (gap * reserve p + slack * price)%Z).
  destruct (price_nonneg p P) as [P0 S0]. pose proof (reserve_nonneg p P) as R0.
  assert (0 <= most)%Z as M0 by (unfold most; nia).
  exists (Z.to_nat (most * Zpos (Qden e))). intros n t w N T W. unfold worth_by. rewrite lasting.
  pose proof (stayed_at_least (S n) p t w P T W) as H. set (m := integer (Z.of_nat (S n)) : F) in *.
  assert (m <> 0) as MN by (unfold m; rewrite Nat2Z.inj_succ, <- Zpos_P_of_succ_nat; apply integer_not_0).
  assert (0 <= m) as MP by (apply integer_nonneg; lia).
  assert (m * (L p - ratio e) <= stayed_by F R large (S n) (stationary p) t w p) as K.
  { apply le_trans with (2 := H). replace (m * (L p - ratio e)) with (m * L p - m * ratio e) by ring. apply add_le_sub.
    apply le_trans with (integer most).
    - apply integer_le. unfold owed, most. assert (Z.of_nat (Nat.min (S n) (Z.to_nat price)) <= price)%Z by lia. nia.
    - unfold m. rewrite <- !ratio_integer, <- !ratio_mul. apply ratio_le. destruct e as [a b].
      unfold Qle, Qlt, Qmult in *. cbn [Qnum Qden] in *. apply Nat2Z.inj_le in N.
      rewrite Z2Nat.id in N by (apply Z.mul_nonneg_nonneg; lia). rewrite Nat2Z.inj_succ, !Pos2Z.inj_mul.
      assert (Z.of_nat n <= Z.succ (Z.of_nat n) * a)%Z by nia. lia. }
  apply (mul_le F _ _ (inv m)) in K; [|now apply inv_nonneg].
  replace (inv m * (m * (L p - ratio e))) with (L p - ratio e) in K by now field.
  replace (stayed_by F R large (S n) (stationary p) t w p / m) with (inv m * stayed_by F R large (S n) (stationary p) t w p) by now field.
  exact K.
Qed.
End Lasting.
End Ranks.
End Stationary.

(** ** Strategies that mix alike

    Two lists of weights may be one mixture: actions may come in another order, or with a
    probability of 0. *)
Section Alike.
Open Scope field_scope.
Variables (F : ordered_field) (R : rules).
Implicit Types (s t : strategy F).

Definition alike s s' : Prop := forall h f, mean F (s h) f = mean F (s' h) f.

Lemma alike_refl s : alike s s.
Proof. easy. Qed.

Lemma alike_later s s' i j k : alike s s' -> alike (later F s i j k) (later F s' i j k).
Proof. intros S h. apply S. Qed.

Lemma won_by_alike n : forall s s' t t' w p, alike s s' -> alike t t' -> won_by F R n s t w p = won_by F R n s' t' w p.
Proof.
  induction n as [|n IH]; intros s s' t t' w p S T; simpl; destruct (at_state R p) as [v|x]; auto.
  rewrite S. apply mean_eq. intros i. rewrite T. apply mean_eq. intros j. f_equal. f_equal.
  apply mean_eq. intros k. apply IH; now apply alike_later.
Qed.

Lemma stayed_by_alike large n : forall s s' t t' w p, alike s s' -> alike t t' ->
  stayed_by F R large n s t w p = stayed_by F R large n s' t' w p.
Proof.
  induction n as [|n IH]; intros s s' t t' w p S T; simpl; auto. destruct (at_state R p) as [v|x].
  - f_equal. now apply IH.
  - f_equal. rewrite S. apply mean_eq. intros i. rewrite T. apply mean_eq. intros j. f_equal.
    apply mean_eq. intros k. apply IH; now apply alike_later.
Qed.

Lemma worth_by_alike large n s s' t t' w p : alike s s' -> alike t t' -> worth_by F R large n s t w p = worth_by F R large n s' t' w p.
Proof.
  intros S T. unfold worth_by. destruct (may_last (rules_kind R));
    [f_equal; now apply stayed_by_alike|now apply won_by_alike].
Qed.

Lemma A_secures_by_fewer (W W' : choice F -> Prop) s p q : (forall w, W' w -> W w) -> A_secures_by F R W s p q -> A_secures_by F R W' s p q.
Proof.
  intros C (S & least & H). split; auto. exists least. intros large e L E. destruct (H large e L E) as [m M].
  exists m. intros n t w N T V. now apply M; auto.
Qed.

Theorem A_secures_alike W s s' p q : alike s s' -> proper_A F R p s' -> A_secures_by F R W s p q -> A_secures_by F R W s' p q.
Proof.
  intros S P (_ & least & H). split; auto. exists least. intros large e L E. destruct (H large e L E) as [m M].
  exists m. intros n t w N T V. rewrite <- (worth_by_alike large n s s' t t w p S (alike_refl t)). now apply M.
Qed.

Theorem B_secures_alike W t t' p q : alike t t' -> proper_B F R p t' -> B_secures_by F R W t p q -> B_secures_by F R W t' p q.
Proof.
  intros T P (_ & least & H). split; auto. exists least. intros large e L E. destruct (H large e L E) as [m M].
  exists m. intros n s w N S V. rewrite <- (worth_by_alike large n s s t t' w p (alike_refl s) T). now apply M.
Qed.
End Alike.

(** ** Certain probabilities

    They leave nature one choice. *)
Section Certain.
Open Scope field_scope.
Variables (F : ordered_field) (R : rules).
Add Field laws_of_certain : (field_laws F).

Lemma leads_arrived p h p' : leads R p h p' -> arrived p h = p'.
Proof. induction 1; auto. Qed.

Definition the_only_choice (p : N) : choice F := fun h i j =>
  match at_state R (arrived p h) with inr x => fractions F (chance x i j) | inl _ => [] end.

Lemma won_certain n : forall s t p, won F R n s t p = won_by F R n s t (the_only_choice p) p.
Proof.
  induction n as [|n IH]; intros s t p; simpl; destruct (at_state R p) as [v|x] eqn:E; auto.
  apply mean_eq. intros i. apply mean_eq. intros j. unfold the_only_choice at 1. simpl. rewrite E. f_equal. f_equal.
  apply mean_eq. intros k. apply IH.
Qed.

Lemma stayed_certain large n : forall s t p, stayed F R large n s t p = stayed_by F R large n s t (the_only_choice p) p.
Proof.
  induction n as [|n IH]; intros s t p; simpl; auto. destruct (at_state R p) as [v|x] eqn:E. now rewrite IH.
  f_equal. apply mean_eq. intros i. apply mean_eq. intros j. unfold the_only_choice at 1. simpl. rewrite E. f_equal.
  apply mean_eq. intros k. apply IH.
Qed.

Lemma worth_certain large n s t p : worth F R large n s t p = worth_by F R large n s t (the_only_choice p) p.
Proof. unfold worth, worth_by. now rewrite stayed_certain, won_certain. Qed.

Lemma between_fractions l : between F l [] (fractions F l).
Proof. induction l as [|[q k] l IH]; simpl; auto. Qed.

Lemma only_choice_proper p : (forall h p' x i j, leads R p h p' -> at_state R p' = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  probabilities (chance x i j) /\ at_most x i j = []) -> proper_nature F R p (the_only_choice p).
Proof.
  intros H h p' x i j L E I J. destruct (H h p' x i j L E I J) as [[_ S] M]. unfold the_only_choice, allowed.
  rewrite (leads_arrived _ _ _ L), E, M. split. apply between_fractions. rewrite fractions_sum, (ratio_eq F _ 1 S). apply ratio_1.
Qed.

(** What is secured against every nature is secured with certain probabilities. *)
Theorem A_secures_certain s p q : proper_nature F R p (the_only_choice p) -> A_secures_whatever F R s p q -> A_secures_with F R s p q.
Proof.
  intros P (S & least & H). split; auto. exists least. intros large e L E. destruct (H large e L E) as [m M].
  exists m. intros n t N T. rewrite worth_certain. now apply M.
Qed.
Theorem B_secures_certain t p q : proper_nature F R p (the_only_choice p) -> B_secures_whatever F R t p q -> B_secures_with F R t p q.
Proof.
  intros P (T & least & H). split; auto. exists least. intros large e L E. destruct (H large e L E) as [m M].
  exists m. intros n s N S. rewrite worth_certain. now apply M.
Qed.
End Certain.
