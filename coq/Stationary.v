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

Definition stationary (p : N) : strategy F := fun h => mix (fold_left (fun _ m => snd m) h p).
Let L p : F := ratio (bound p # units).
Let d : F := ratio (discount_of (rules_kind R)).

Hypothesis shape : forall p x i j, Is p -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  probabilities (chance x i j) /\ forall q k, In (q, k) (chance x i j) -> Is k.
Hypothesis mixes : forall p x, Is p -> at_state R p = inr x -> distribution F (count_A x) (mix p).
Hypothesis discount_nonneg : (0 <= discount_of (rules_kind R))%Q.

Lemma leads_is p h p' : leads R p h p' -> Is p -> Is p'.
Proof.
  induction 1 as [|p x i j k q h p' E I J K Q L' IH]; intros P; auto. apply IH. destruct (shape p x i j) as [_ S]; auto.
  eapply S, K.
Qed.

Lemma stationary_proper p : Is p -> proper_A F R p (stationary p).
Proof.
  intros P h p' x H E. assert (fold_left (fun _ m => snd m) h p = p') as S.
  { clear E. induction H; auto. apply IHleads. destruct (shape p x0 i j) as [_ S]; auto. eapply S; eauto. }
  unfold stationary. rewrite S. apply mixes; auto. now apply leads_is with p h.
Qed.

Lemma stationary_later p i j k : later F (stationary p) i j k = stationary k.
Proof. reflexivity. Qed.

Lemma proper_now p t x : proper_B F R p t -> at_state R p = inr x -> distribution F (count_B x) (t []).
Proof. intros P E. apply (P [] p x); auto. constructor. Qed.

Lemma proper_later p t x i j q k : proper_B F R p t -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  In (q, k) (chance x i j) -> (0 < q)%Q -> proper_B F R k (later F t i j k).
Proof. intros P E I J K Q h p' x' H. apply P. econstructor; eauto. Qed.

(** The states after a turn in which B takes an action, with their probabilities. *)
Definition onward (x : turn) (p : N) (j : nat) : list (N * F) :=
  flat_map (fun iy => map (fun kz => (fst kz, snd iy * snd kz)) (fractions F (chance x (fst iy) j))) (mix p).

Lemma mean_onward x p j f : mean (onward x p j) f = mean (mix p) (fun i => mean (fractions F (chance x i j)) f).
Proof.
  unfold onward. induction (mix p) as [|[i y] l IH]; simpl; auto. rewrite mean_app, IH. f_equal.
  rewrite <- mean_mul. induction (fractions F (chance x i j)) as [|[k z] m IHm]; simpl; auto. rewrite IHm. ring.
Qed.

Lemma onward_in x p j k y : Is p -> at_state R p = inr x -> (j < count_B x)%nat -> In (k, y) (onward x p j) ->
  0 <= y /\ Is k /\ (y = 0 \/ exists i q, (i < count_A x)%nat /\ In (q, k) (chance x i j) /\ (0 < q)%Q).
Proof.
  intros P E J I. apply in_flat_map in I as ([i z] & I & K). apply in_map_iff in K as ([k' w] & [= <- <-] & K).
  apply fractions_in in K as (q & K & ->). cbn [fst snd] in *. destruct (proj1 (mixes p x P E) i z I) as [Li Lz].
  destruct (shape p x i j P E Li J) as [[Q _] S]. pose proof (Q q k' K) as Q'. split; [|split].
  - apply mul_nonneg; auto. now apply ratio_nonneg.
  - eapply S, K.
  - destruct (Qlt_le_dec 0 q) as [H|H]. right. now exists i, q. left. assert (q == 0)%Q as Z by now apply Qle_antisym.
    rewrite (ratio_eq F q 0 Z), ratio_0. ring.
Qed.

Lemma onward_sum x p j : Is p -> at_state R p = inr x -> (j < count_B x)%nat -> mean (onward x p j) (fun _ => 1) = 1.
Proof.
  intros P E J. rewrite mean_onward. destruct (mixes p x P E) as [M S]. transitivity (mean (mix p) (fun _ => 1)); auto.
  apply le_antisym; apply mean_le; intros i y I.
  all: destruct (M i y I) as [Li Ly]; destruct (shape p x i j P E Li J) as [[_ Q] _]; rewrite fractions_sum;
    rewrite (ratio_eq F _ 1 Q), ratio_1; apply le_refl.
Qed.

(** A bound of every step holds on average: [stay] bounds the successors, [now] the reward of this turn. *)
Lemma mean_turn p x t (value : nat -> nat -> N -> F) (low : N -> F) (paid : nat -> nat -> F) (c q : F) :
  Is p -> at_state R p = inr x -> proper_B F R p t -> 0 <= c ->
  (forall i j r k, (i < count_A x)%nat -> (j < count_B x)%nat -> In (r, k) (chance x i j) -> (0 < r)%Q ->
    low k <= value i j k) ->
  (forall j, (j < count_B x)%nat -> q <= mean (mix p) (fun i => paid i j) + c * mean (onward x p j) low) ->
  q <= mean (stationary p []) (fun i => mean (t []) (fun j => paid i j + c * mean (fractions F (chance x i j)) (value i j))).
Proof.
  intros P E T C V H. change (stationary p []) with (mix p). destruct (proper_now p t x T E) as [TB TS].
  destruct (mixes p x P E) as [MA MS]. rewrite mean_swap. rewrite <- (mean_const F (t []) q TS). apply mean_le. intros j y J.
  destruct (TB j y J) as [Lj Ly]. apply mul_le; auto. apply le_trans with (1 := H j Lj).
  rewrite mean_onward, <- mean_mul, <- mean_add. apply mean_le. intros i z I. destruct (MA i z I) as [Li Lz].
  apply mul_le; auto. apply add_le. apply mul_le; auto. apply mean_le. intros k w K. apply fractions_in in K as (r & K & ->).
  destruct (shape p x i j P E Li Lj) as [[N _] _]. pose proof (N r k K) as R0. destruct (Qlt_le_dec 0 r) as [Rp|Rn].
  - apply mul_le. now apply ratio_nonneg. eapply V; eauto.
  - rewrite (ratio_eq F r 0) by now apply Qle_antisym. rewrite ratio_0. replace (0 * low k) with (0 * value i j k) by ring.
    apply le_refl.
Qed.

(** Security levels of the mixtures for one turn if the successors are worth their bounds, and ends. *)
Hypothesis one_turn : forall p x j, Is p -> at_state R p = inr x -> (j < count_B x)%nat ->
  L p <= mean (mix p) (fun i => ratio (reward_of x i j)) + d * mean (onward x p j) L.
Hypothesis ends : forall p v, Is p -> at_state R p = inl v -> L p <= ratio v.
Variable largest : Z.
Hypothesis bounds_small : forall p, Is p -> (Z.abs (bound p) <= largest)%Z.

(** ** Where play ends, or is discounted

    [left] bounds the expected number of turns that are left, discounted. *)
Section Ending.
Variables (left : N -> Z) (most : positive).
Hypothesis left_range : forall p, Is p -> (0 <= left p <= Zpos most)%Z.
Hypothesis left_turn : forall p x, Is p -> at_state R p = inr x -> (1 <= left p)%Z.
Hypothesis left_falls : forall p x j, Is p -> at_state R p = inr x -> (j < count_B x)%nat ->
  d * mean (onward x p j) (fun k => integer (left k)) <= integer (left p) - 1.

Let share (n : nat) : Q := (largest * Zpos (most + 1) # Pos.of_succ_nat n + most).

Lemma won_at_least n : forall p t, Is p -> proper_B F R p t ->
  L p - ratio (share n) * integer (left p) <= won F R n (stationary p) t p.
Proof.
  assert (D : 0 <= d) by now apply ratio_nonneg.
  assert (G : forall p, Is p -> (0 <= largest)%Z) by (intros p P; specialize (bounds_small p P); lia).
  assert (S0 : forall m p, Is p -> (0 : F) <= ratio (share m) * integer (left p)).
  { intros m p P. apply mul_nonneg. apply ratio_nonneg. unfold share, Qle. cbn [Qnum Qden]. specialize (G p P). nia.
    apply integer_nonneg. now apply left_range. }
  assert (below : forall m p, Is p -> L p - ratio (share m) * integer (left p) <= L p).
  { intros m p P. apply le_difference.
    match goal with |- 0 <= L p - (L p - ?s) => replace (L p - (L p - s)) with s by ring end; auto. }
  induction n as [|n IH]; intros p t P T; simpl; destruct (at_state R p) as [v|x] eqn:E.
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
  - apply mean_turn with (low := fun k => L k - ratio (share n) * integer (left k)); auto.
    + intros i j r k I J K Q. apply IH. eapply shape; eauto. eapply proper_later; eauto.
    + intros j J. rewrite (mean_sub F), (mean_mul F). apply le_trans with (L p - ratio (share n) * (integer (left p) - 1)).
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
        apply (proj1 (le_difference F _ _)). now apply one_turn. apply mul_nonneg. 
        { apply ratio_nonneg. unfold share, Qle. cbn [Qnum Qden]. specialize (G p P). nia. }
        apply (proj1 (le_difference F _ _)). now apply left_falls.
Qed.

Theorem ending_secures p : rules_kind R <> Recursive -> Is p -> A_secures F R p (L p).
Proof.
  intros NR P. exists (stationary p). split. now apply stationary_proper. intros [a b] E. unfold Qlt in E. cbn [Qnum Qden] in E.
  exists (Z.to_nat (largest * Zpos (most + 1) * Zpos most * Zpos b)). intros n t N T.
  assert (worth F R n (stationary p) t p = won F R n (stationary p) t p) as -> by (unfold worth; now destruct (rules_kind R)).
  apply le_trans with (2 := won_at_least n p t P T). apply add_le_sub.
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

    From a state of a positive rank play comes with some probability to a state of a lower rank, whatever B does. So an integer
    bounds the expected number of turns until it comes to rank 0. *)
Section Ranks.
Variables (rank : N -> nat) (top : nat) (parts : Z).
Hypothesis parts_positive : (1 <= parts)%Z.
Hypothesis rank_range : forall p, Is p -> (rank p <= top)%nat.
Hypothesis rank_falls : forall p x j, Is p -> at_state R p = inr x -> (j < count_B x)%nat -> (0 < rank p)%nat ->
  exists k y, In (k, y) (onward x p j) /\ 1 <= integer parts * y /\ (rank k < rank p)%nat.

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

Lemma left_by_falls p x j : Is p -> at_state R p = inr x -> (j < count_B x)%nat -> (0 < rank p)%nat ->
  mean (onward x p j) (fun k => integer (left_by k)) <= integer (left_by p) - 1.
Proof.
  intros P E J H. destruct (rank_falls p x j P E J H) as (k & y & I & Y & K).
  rewrite (mean_eq F _ _ (fun k => integer (height top) - integer (height (top - rank k))))
    by (intros; unfold left_by; now rewrite integer_sub).
  rewrite mean_sub, mean_const by now apply onward_sum. unfold left_by. rewrite integer_sub.
  set (g k := integer (height (top - rank k)) : F).
  assert (y * g k <= mean (onward x p j) g) as M.
  { apply mean_ge_term; auto. intros i z Z. destruct (onward_in x p j i z P E J Z) as [Z0 _]. split; auto.
    apply integer_nonneg, height_step. }
  assert (g p + 1 <= y * g k) as B.
  { apply le_trans with (y * integer (parts * (height (top - rank p) + 1))).
    - rewrite integer_mul, integer_add, integer_1. fold (g p).
      replace (y * (integer parts * (g p + 1))) with ((integer parts * y) * (g p + 1)) by ring.
      replace (g p + 1) with ((g p + 1) * 1) at 1 by ring.
      replace (integer parts * y * (g p + 1)) with ((g p + 1) * (integer parts * y)) by ring.
      apply mul_le; auto. rewrite <- integer_1. unfold g. rewrite <- integer_add. apply integer_nonneg.
      pose proof (height_step (top - rank p)). lia.
    - apply mul_le. now apply (onward_in x p j k y). apply integer_le.
      change (height (S (top - rank p)) <= height (top - rank k))%Z.
      apply height_le. specialize (rank_range p P). lia. }
  pose proof (le_trans _ _ _ _ B M) as C. apply le_difference in C. apply le_difference.
  match goal with |- 0 <= ?a => replace a with (mean (onward x p j) g - (g p + 1)) by (unfold g; ring) end. exact C.
Qed.

(** In a game in which every state that is no end has a positive rank play ends. *)
Theorem stopping_secures p : (rules_kind R <> Recursive) -> (discount_of (rules_kind R) <= 1)%Q ->
  (forall p x, Is p -> at_state R p = inr x -> (0 < rank p)%nat) -> Is p -> A_secures F R p (L p).
Proof.
  intros NR D T P. apply ending_secures with (left := left_by) (most := Z.to_pos (height top + 1)); auto.
  - intros k K. pose proof (left_by_range k). rewrite Z2Pos.id by lia. lia.
  - intros k x K E. apply left_by_positive; eauto.
  - intros k x j K E J. apply le_trans with (mean (onward x k j) (fun k => integer (left_by k))).
    + set (m := mean _ _). assert (0 <= m) as M.
      { apply mean_nonneg. intros i z I. split. now apply (onward_in x k j i z). apply integer_nonneg, left_by_range. }
      replace (d * m) with (m * d) by ring. apply le_trans with (m * 1). apply mul_le; auto. unfold d. rewrite <- ratio_1.
      now apply ratio_le.
      replace (m * 1) with m by ring. apply le_refl.
    + apply left_by_falls; eauto.
Qed.

(** ** Recursive games

    A state is good if its bound is at most the payoff of infinite plays there; the others have positive ranks. From a good state play
    comes to another one only where the bound changes or the level falls. The bound never falls on average, and is an integer; so
    its square rises on average by at least the probability that it changes. Therefore an integer, [budget], bounds the expected
    number of turns in states that are not good. *)
Section Recursive.
Variable level : N -> nat.
Variable gap : Q.
Hypothesis recursive : rules_kind R = Recursive.
Hypothesis no_rewards : forall p x i j, Is p -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  (reward_of x i j == 0)%Q.
Hypothesis good : forall p x, Is p -> at_state R p = inr x -> rank p = 0%nat -> (bound p # units <= endless x)%Q.
Hypothesis others : forall p, Is p -> (0 < rank p)%nat -> exists x, at_state R p = inr x /\ (endless x < bound p # units)%Q.
Hypothesis levels_fall : forall p x i j q k, Is p -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  In (q, k) (chance x i j) -> (0 < q)%Q -> (level k <= level p)%nat /\
  (level k = level p -> forall x', at_state R k = inr x' -> (endless x' == endless x)%Q).
Hypothesis gap_nonneg : (0 <= gap)%Q.
Hypothesis gap_range : forall p x, Is p -> at_state R p = inr x -> ((bound p # units) + - endless x <= gap)%Q.

Let above (p : N) : Z := bound p + largest.
Definition budget (p : N) : Z := left_by p + height top * (4 * largest * largest - above p * above p + Z.of_nat (level p)).

Lemma budget_nonneg p : Is p -> (0 <= budget p)%Z.
Proof.
  intros P. unfold budget. pose proof (left_by_range p). pose proof (bounds_small p P). unfold above.
  assert (0 <= 4 * largest * largest - (bound p + largest) * (bound p + largest) + Z.of_nat (level p))%Z by nia. nia.
Qed.

Lemma in_units z : integer (Zpos units) * ratio (z # units) = integer z :> F.
Proof. rewrite <- !ratio_integer, <- ratio_mul. apply ratio_eq. unfold Qeq, Qmult. cbn [Qnum Qden]. lia. Qed.

Lemma bound_rises_here p x j : Is p -> at_state R p = inr x -> (j < count_B x)%nat -> L p <= mean (onward x p j) L.
Proof.
  intros P E J. apply le_trans with (1 := one_turn p x j P E J). destruct (mixes p x P E) as [M _].
  replace d with (1 : F) by (unfold d; rewrite recursive; now rewrite ratio_1).
  apply le_trans with (mean (mix p) (fun _ => 0) + mean (onward x p j) L).
  - rewrite (add_comm F _ (1 * _)), (add_comm F _ (mean _ L)).
    replace (1 * mean (onward x p j) L) with (mean (onward x p j) L) by ring.
    apply add_le. apply mean_le. intros i y I. rewrite (ratio_eq F _ 0), ratio_0. apply le_refl.
    apply no_rewards with p; auto. now apply (M i y).
  - rewrite mean_zero. replace (0 + mean (onward x p j) L) with (mean (onward x p j) L) by ring. apply le_refl.
Qed.

Lemma bound_rises p x j : Is p -> at_state R p = inr x -> (j < count_B x)%nat ->
  integer (bound p) <= mean (onward x p j) (fun k => integer (bound k)).
Proof.
  intros P E J. rewrite <- in_units. rewrite (mean_eq F _ _ (fun k => integer (Zpos units) * L k)) by (intros; unfold L;
    now rewrite in_units).
  rewrite mean_mul. apply mul_le. now apply integer_nonneg. now apply bound_rises_here.
Qed.

Lemma budget_falls p x j : Is p -> at_state R p = inr x -> (j < count_B x)%nat ->
  mean (onward x p j) (fun k => integer (budget k)) <= integer (budget p) - (if Nat.eqb (rank p) 0 then 0 else 1).
Proof.
  intros P E J. set (h := height top). set (a := above p).
  set (rest := (h * (4 * largest * largest - a * a + Z.of_nat (level p)))%Z).
  assert (0 <= a)%Z by (unfold a, above; specialize (bounds_small p P); lia).
  assert (0 <= h)%Z by apply height_step.
  (* Of each state that may follow. *)
  assert (forall i y, In (i, y) (onward x p j) ->
    y * integer (budget i) <= y * (integer (if Nat.eqb (rank p) 0 then 0 else left_by i) + integer rest -
      integer (2 * h * a) * (integer (bound i) - integer (bound p)))) as S.
  { intros k y I. destruct (onward_in x p j k y P E J I) as (Y & K & [->|(i & q & Li & Q & Q0)]).
    { match goal with |- 0 * ?u <= 0 * ?v => replace (0 * u) with (0 * v) by ring end. apply le_refl. }
    apply mul_le; auto. rewrite <- integer_sub, <- integer_mul, <- integer_add, <- integer_sub. apply integer_le.
    destruct (levels_fall p x i j q k P E Li J Q Q0) as [Lv Same]. pose proof (left_by_range k) as Range. fold h in Range.
    unfold budget, rest. fold h. set (z := (bound k - bound p)%Z).
    replace (above k) with (a + z)%Z by (unfold a, above, z; lia).
    destruct (Nat.eqb_spec (rank p) 0) as [Z|Z].
    - destruct (Nat.eq_dec (rank k) 0) as [Zk|Zk].
      + rewrite left_by_0 by auto. assert (Z.of_nat (level k) <= Z.of_nat (level p) + z * z)%Z by nia. nia.
      + assert (Z.of_nat (level k) + 1 <= Z.of_nat (level p) + z * z)%Z.
        { destruct (Z.eq_dec z 0) as [Ez|]; [|nia]. enough (level k <> level p) by nia. intros Eq. unfold z in *.
          destruct (others k K ltac:(lia)) as (x' & E' & Bk). specialize (Same Eq x' E'). pose proof (good p x P E Z) as G.
          replace (bound k) with (bound p) in Bk by lia. apply (Qlt_irrefl (endless x)). rewrite <- Same at 1.
          now apply Qlt_le_trans with (1 := Bk). }
        nia.
    - assert (Z.of_nat (level k) <= Z.of_nat (level p) + z * z)%Z by nia. nia. }
  apply le_trans with (1 := mean_le F _ _ _ S). pose proof (bound_rises p x j P E J) as Rise.
  rewrite mean_sub, mean_add, mean_mul, mean_sub, !mean_const by now apply onward_sum. unfold budget. fold h a rest. fold a.
  rewrite integer_add.
  assert (0 <= integer (2 * h * a) * (mean (onward x p j) (fun i => integer (bound i)) - integer (bound p))) as Gain.
  { apply mul_nonneg. apply integer_nonneg. nia. now apply (proj1 (le_difference F _ _)). }
  destruct (Nat.eqb_spec (rank p) 0) as [Z|Z].
  - rewrite mean_const by now apply onward_sum. rewrite (left_by_0 p Z). apply le_difference.
    match goal with |- 0 <= ?u => replace u with (integer (2 * h * a) * (mean (onward x p j) (fun i => integer (bound i)) -
      integer (bound p))) by ring end.
    exact Gain.
  - pose proof (left_by_falls p x j P E J ltac:(lia)) as Fall. apply le_difference in Fall. apply le_difference.
    match goal with |- 0 <= ?u => replace u with ((integer (left_by p) - 1 - mean (onward x p j) (fun k => integer (left_by
      k))) +
      integer (2 * h * a) * (mean (onward x p j) (fun i => integer (bound i)) - integer (bound p))) by ring end.
    replace (0 : F) with (0 + 0 : F) by ring. now apply add_le_both.
Qed.

Lemma stayed_at_least n : forall p t, Is p -> proper_B F R p t ->
  integer (Z.of_nat n) * L p - ratio gap * integer (budget p) <= stayed F R n (stationary p) t p.
Proof.
  assert (forall p, Is p -> (0 : F) <= ratio gap * integer (budget p)) as Nonneg.
  { intros p P. apply mul_nonneg. now apply ratio_nonneg. now apply integer_nonneg, budget_nonneg. }
  induction n as [|n IH]; intros p t P T.
  - simpl. specialize (Nonneg p P). apply opp_le in Nonneg. replace (- 0 : F) with (0 : F) in Nonneg by ring.
    change (integer (Z.of_nat 0)) with (0 : F).
    replace (0 * L p - ratio gap * integer (budget p)) with (- (ratio gap * integer (budget p)) : F) by ring.
    exact Nonneg.
  - rewrite Nat2Z.inj_succ, <- Z.add_1_l, integer_add, integer_1. simpl. destruct (at_state R p) as [v|x] eqn:E.
    + specialize (IH p t P T). pose proof (ends p v P E) as V. apply le_trans with (2 := add_le_both F _ _ _ _ V IH).
      match goal with |- ?u <= ?v => replace u with v by ring end. apply le_refl.
    + set (m := integer (Z.of_nat n)) in *. set (u := (1 + m) * L p - ratio gap * integer (budget p) - ratio (endless x)).
      enough (u <= mean (stationary p []) (fun i => mean (t []) (fun j => 0 + 1 *
        mean (fractions F (chance x i j)) (fun k => stayed F R n (later F (stationary p) i j k) (later F t i j k) k)))) as H.
      { apply (add_le F _ _ (ratio (endless x))) in H.
        match type of H with ?v <= ?w => match goal with |- ?v' <= ?w' =>
          replace v' with v by (unfold u; ring); replace w' with w; auto end end.
        f_equal. apply mean_eq. intros i. apply mean_eq. intros j. ring. }
      apply mean_turn with (low := fun k => m * L k - ratio gap * integer (budget k)); auto. apply zero_le_one.
      * intros i j r k I J K Q. apply IH. eapply shape; eauto. eapply proper_later; eauto.
      * intros j J. rewrite mean_zero, mean_sub, !mean_mul. pose proof (bound_rises_here p x j P E J) as Rise.
        pose proof (budget_falls p x j P E J) as Fall. unfold u.
        set (rise := mean (onward x p j) L) in *. set (fall := mean (onward x p j) (fun k => integer (budget k))) in *.
        apply le_trans with (m * L p - ratio gap * (integer (budget p) - (if Nat.eqb (rank p) 0 then 0 else 1))).
        { apply le_difference. destruct (Nat.eqb_spec (rank p) 0) as [Z|Z].
          - match goal with |- 0 <= ?w => replace w with (ratio (endless x) - L p) by ring end.
            apply (proj1 (le_difference F _ _)). apply ratio_le. exact (good p x P E Z).
          - match goal with |- 0 <= ?w => replace w with (ratio gap - (L p - ratio (endless x))) by ring end.
            apply (proj1 (le_difference F _ _)). replace (L p - ratio (endless x)) with (L p + - ratio (endless x)) by ring.
            unfold L. rewrite <- ratio_opp, <- ratio_add. apply ratio_le. eapply gap_range; eauto. }
        replace (0 + 1 * (m * rise - ratio gap * fall)) with (m * rise + - (ratio gap * fall)) by ring.
        match goal with |- ?a - ?b <= _ => replace (a - b) with (a + - b) by ring end.
        apply add_le_both. apply mul_le; auto. unfold m. apply integer_nonneg. lia. apply (proj1 (opp_le F _ _)).
        apply mul_le; auto.
        now apply ratio_nonneg.
Qed.

Theorem recursive_secures p : Is p -> A_secures F R p (L p).
Proof.
  intros P. exists (stationary p). split. now apply stationary_proper. intros e E.
  exists (Z.to_nat (Qnum gap * budget p * Zpos (Qden e))). intros n t N T. unfold worth. rewrite recursive.
  pose proof (stayed_at_least (S n) p t P T) as H. set (m := integer (Z.of_nat (S n)) : F) in *.
  assert (m <> 0) as M0 by (unfold m; rewrite Nat2Z.inj_succ, <- Zpos_P_of_succ_nat; apply integer_not_0).
  assert (0 <= m) as M1 by (apply integer_nonneg; lia).
  assert (m * (L p - ratio e) <= stayed F R (S n) (stationary p) t p) as K.
  { apply le_trans with (2 := H). replace (m * (L p - ratio e)) with (m * L p - m * ratio e) by ring. apply add_le_sub.
    unfold m. rewrite <- !ratio_integer, <- !ratio_mul. apply ratio_le. pose proof (budget_nonneg p P).
    destruct e as [a b], gap as [g c]. unfold Qle, Qlt, Qmult in *. cbn [Qnum Qden] in *.
    apply Nat2Z.inj_le in N. rewrite Z2Nat.id in N by (repeat apply Z.mul_nonneg_nonneg; lia).
    rewrite Nat2Z.inj_succ. rewrite !Pos2Z.inj_mul.
    assert (Z.of_nat n <= Z.succ (Z.of_nat n) * a * Zpos c)%Z by nia. nia. }
  apply (mul_le F _ _ (inv m)) in K; [|now apply inv_nonneg].
  replace (inv m * (m * (L p - ratio e))) with (L p - ratio e) in K by now field.
  replace (stayed F R (S n) (stationary p) t p / m) with (inv m * stayed F R (S n) (stationary p) t p) by now field. exact K.
Qed.
End Recursive.
End Ranks.
End Stationary.
