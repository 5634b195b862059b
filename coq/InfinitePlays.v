(** * Infinite plays of any game have a payoff, and averages tend to its expectation

    Probabilities and payoffs are reals here. A play that is infinite pays what its states decide;
    what a strategy secures in the first n turns for all large n (AnyGame.v) it secures of the
    expected payoff of plays. *)

From Coq Require Import ZArith QArith Rbase Rfunctions Rseries SeqProp SeqSeries List Arith Lia Lra.
From PencilTennis Require Import Numbers AnyGame Stationary RealNumbers Convergence.
Import ListNotations.
Local Open Scope R_scope.

Section Games.
Variables (R : rules) (Is : N -> Prop).
Hypothesis shape : forall p x i j, Is p -> at_state R p = inr x -> (i < count_A x)%nat ->
  (j < count_B x)%nat ->
  probabilities (chance x i j) /\ forall q k, In (q, k) (chance x i j) -> Is k.

(** ** Plays as a process

    What happens depends on the state, and on what both strategies do from now on. An end stays as
    it is. *)

Record course := { by_A : strategy reals; by_B : strategy reals; place : N }.
Definition event : Type := nat * nat * N.

Definition moves (c : course) : list (event * Rdefinitions.R) :=
  match at_state R (place c) with
  | inl _ => [((O, O, place c), 1)]
  | inr x =>
      flat_map (fun iy => flat_map (fun jz =>
        map (fun kv => ((fst iy, fst jz, fst kv), snd iy * (snd jz * snd kv)))
          (fractions reals (chance x (fst iy) (fst jz)))) (by_B c [])) (by_A c [])
  end.
Definition next (c : course) (m : event) : course :=
  match at_state R (place c) with
  | inl _ => c
  | inr _ =>
      let '(i, j, k) := m in
      {| by_A := later reals (by_A c) i j k; by_B := later reals (by_B c) i j k; place := k |}
  end.
Definition fair (c : course) : Prop :=
  Is (place c) /\ proper_A reals R (place c) (by_A c) /\ proper_B reals R (place c) (by_B c).

Notation sum := (Convergence.mean).
Notation expect := (Convergence.expect moves next).
Notation play := (Convergence.play moves next).

Lemma sum_app {T} (l m : list (T * Rdefinitions.R)) v : sum (l ++ m) v = sum l v + sum m v.
Proof. induction l as [|[e x] l IH]; simpl; [|rewrite IH]; lra. Qed.

Lemma sum_in {T} (l : list (T * Rdefinitions.R)) u v : (forall i y, In (i, y) l -> u i = v i) ->
  sum l u = sum l v.
Proof.
  induction l as [|[i y] l IH]; simpl; intros H; auto. rewrite (H i y), IH; auto. intros; eapply H;
    eauto.
Qed.

Lemma sum_const {T} (l : list (T * Rdefinitions.R)) b : sum l (fun _ => 1) = 1 ->
  sum l (fun _ => b) = b.
Proof.
  intros H. transitivity (b * sum l (fun _ => 1)); [clear H|rewrite H; lra].
  induction l as [|[i y] l IH]; simpl; [|rewrite IH]; lra.
Qed.

Lemma sum_zero {T} (l : list (T * Rdefinitions.R)) : sum l (fun _ => 0) = 0.
Proof. induction l as [|[i y] l IH]; simpl; [|rewrite IH]; lra. Qed.

Lemma sum_moves c x v : at_state R (place c) = inr x -> sum (moves c) v =
  sum (by_A c []) (fun i => sum (by_B c []) (fun j => sum (fractions reals (chance x i j)) (fun k =>
    v (i, j, k)))).
Proof.
  unfold moves. intros ->. generalize (by_A c []) (by_B c []). intros l m.
  induction l as [|[i y] l IH]; simpl; auto.
  rewrite sum_app, IH. f_equal. clear IH. induction m as [|[j z] m IH]; simpl. lra.
  rewrite sum_app, IH, Rmult_plus_distr_l. f_equal. clear IH.
  induction (fractions reals (chance x i j)) as [|[k u] n IH]; simpl; [|rewrite IH]; lra.
Qed.

Lemma moves_in c x m y : fair c -> at_state R (place c) = inr x -> In (m, y) (moves c) ->
  exists i j k q, m = (i, j, k) /\
  (i < count_A x)%nat /\ (j < count_B x)%nat /\ In (q, k) (chance x i j) /\ (0 <= q)%Q /\ 0 <= y /\
    (0 < y -> (0 < q)%Q).
Proof.
  intros (P & A & B) E I. unfold moves in I. rewrite E in I.
  apply in_flat_map in I as ([i a] & IA & I). apply in_flat_map in I as ([j b] & IB & I).
  apply in_map_iff in I as ([k u] & [= <- <-] & IK). cbn [fst snd] in *.
  destruct (fractions_in reals _ k u IK) as (q & IK' & ->).
  destruct (A [] (place c) x (here R _) E) as [DA _]. destruct (B [] (place c) x (here R _) E)
    as [DB _].
  destruct (DA i a IA) as [Li La], (DB j b IB) as [Lj Lb].
  destruct (shape _ _ i j P E Li Lj) as [[Q _] _].
  specialize (Q q k IK'). pose proof (ratio_nonneg reals q Q) as Qr. change (0 <= a) in La.
  change (0 <= b) in Lb. change (0 <= (ratio q : reals)) in Qr.
  exists i, j, k, q. repeat split; auto.
  - apply Rmult_le_pos; auto. now apply Rmult_le_pos.
  - intros Y. apply Qnot_le_lt. intros L. assert (q == 0)%Q as Z by now apply Qle_antisym.
    rewrite (ratio_eq reals q 0 Z), ratio_0 in Y. change (0 < a * (b * 0)) in Y. lra.
Qed.

Lemma moves_nonneg c m y : fair c -> In (m, y) (moves c) -> 0 <= y.
Proof.
  intros G I. destruct (at_state R (place c)) as [v|x] eqn:E.
  - unfold moves in I. rewrite E in I. destruct I as [[= _ <-]|[]]. lra.
  - destruct (moves_in c x m y G E I) as (i & j & k & q & _ & _ & _ & _ & _ & Y & _). exact Y.
Qed.

Lemma mean_sum {T} (l : list (T * Rdefinitions.R)) v : AnyGame.mean reals l v = sum l v.
Proof. induction l as [|[e x] l IH]; simpl; [|rewrite IH]; auto. Qed.

Lemma moves_sum c : fair c -> sum (moves c) (fun _ => 1) = 1.
Proof.
  intros (P & A & B). destruct (at_state R (place c)) as [v|x] eqn:E.
  - unfold moves. rewrite E. simpl. lra.
  - rewrite (sum_moves c x) by exact E. destruct (A [] (place c) x (here R _) E) as [DA SA].
    destruct (B [] (place c) x (here R _) E) as [DB SB].
    rewrite mean_sum in SA, SB. transitivity (sum (by_A c []) (fun _ => 1)); [|exact SA].
    apply sum_in. intros i y I. transitivity (sum (by_B c []) (fun _ => 1)); [|exact SB].
    apply sum_in. intros j z J.
    destruct (DA i y I) as [Li _], (DB j z J) as [Lj _].
    destruct (shape _ _ i j P E Li Lj) as [[_ Q] _].
    rewrite <- mean_sum. exact (eq_trans (fractions_sum reals _) (eq_trans (ratio_eq reals _ 1 Q)
      (ratio_1 reals))).
Qed.

Lemma fair_next c m y : fair c -> In (m, y) (moves c) -> 0 < y -> fair (next c m).
Proof.
  intros G I Y. unfold next. destruct (at_state R (place c)) as [v|x] eqn:E; auto.
  destruct (moves_in c x m y G E I) as (i & j & k & q & -> & Li & Lj & IK & _ & _ & Q).
  destruct G as (P & A & B).
  split; [|split]; cbn [place by_A by_B].
  - now apply (shape _ _ i j P E Li Lj) in IK.
  - intros h p' x' L. apply A. econstructor; eauto.
  - intros h p' x' L. apply B. econstructor; eauto.
Qed.

(** ** What the first turns pay *)

(** The payoff of a play that stays in a state. *)
Definition stay_there (large : Q) (p : N) : reals :=
  match at_state R p with inl v => ratio v | inr x => ratio (infinite R large x) end.

(** All rewards of a history. *)
Fixpoint paid (p : N) (h : history) : reals :=
  match at_state R p, h with
  | inr x, (i, j, k) :: h => add (ratio (reward_of x i j)) (paid k h)
  | _, _ => 0
  end.

(** Discounted rewards, and the value of an end. *)
Fixpoint collected (p : N) (h : history) : reals :=
  match at_state R p, h with
  | inl v, _ => ratio v
  | inr x, [] => 0
  | inr x, (i, j, k) :: h =>
      add (ratio (reward_of x i j)) (mul (ratio (discount_of (rules_kind R))) (collected k h))
  end.

Definition reward_in (x : turn) (m : event) : Rdefinitions.R :=
  (ratio (reward_of x (fst (fst m)) (snd (fst m))) : reals).

Lemma turn_value c x (a d : Rdefinitions.R) W : fair c -> at_state R (place c) = inr x ->
  sum (moves c) (fun m => a * reward_in x m + d * W m) =
    sum (by_A c []) (fun i => sum (by_B c []) (fun j =>
    a * (ratio (reward_of x i j) : reals) + d * sum (fractions reals (chance x i j)) (fun k =>
      W (i, j, k)))).
Proof.
  intros (P & A & B) E. rewrite (sum_moves c x) by exact E. destruct (A [] (place c) x (here R _) E)
    as [DA _].
  destruct (B [] (place c) x (here R _) E) as [DB _]. apply sum_in. intros i y I. apply sum_in.
  intros j z J.
  destruct (DA i y I) as [Li _], (DB j z J) as [Lj _].
  destruct (shape _ _ i j P E Li Lj) as [[_ Q] _].
  assert (One : sum (fractions reals (chance x i j)) (fun _ => 1) = 1).
  { rewrite <- mean_sum. exact (eq_trans (fractions_sum reals _) (eq_trans (ratio_eq reals _ 1 Q)
      (ratio_1 reals))). }
  unfold reward_in. cbn [fst snd]. now rewrite mean_add, !mean_mul, (sum_const _ _ One).
Qed.

Lemma expect_turn n f c : expect (S n) f c = sum (moves c) (fun m => expect n (fun h => f (m :: h))
  (next c m)).
Proof. reflexivity. Qed.

Lemma expect_shift n b d f c : fair c -> expect n (fun h => b + d * f h) c = b + d * expect n f c.
Proof.
  intros G. rewrite expect_add, expect_mul. f_equal.
  apply (expect_const moves next fair moves_nonneg moves_sum fair_next n b c G).
Qed.

Lemma ended_next c v : at_state R (place c) = inl v -> moves c = [((O, O, place c), 1)] /\
  forall m, next c m = c.
Proof. intros E. unfold moves, next. now rewrite E. Qed.

(** [won] and [stayed] are expectations. *)
Lemma won_expected n : forall c, fair c -> won reals R n (by_A c) (by_B c) (place c) =
  expect n (collected (place c)) c.
Proof.
  induction n as [|n IH]; intros c G. { simpl. destruct (at_state R (place c)); reflexivity. }
  rewrite expect_turn. destruct (at_state R (place c)) as [v|x] eqn:E.
  - destruct (ended_next c v E) as [-> Next]. cbn [Convergence.mean]. rewrite Next. cbn [won].
    rewrite E.
    rewrite (expect_ext moves next n _ (fun _ => (ratio v : reals))) by (intros h; simpl;
      now rewrite E).
    rewrite (expect_const moves next fair moves_nonneg moves_sum fair_next n _ c G).
    rewrite Rmult_1_l, Rplus_0_r. reflexivity.
  - set (d := (ratio (discount_of (rules_kind R)) : reals)).
    set (W m := won reals R n (by_A (next c m)) (by_B (next c m)) (place (next c m))).
    transitivity (sum (moves c) (fun m => 1 * reward_in x m + d * W m)).
    + rewrite (turn_value c x 1 d W G E). cbn [won]. rewrite E, mean_sum. apply mean_ext. intros i.
      rewrite mean_sum.
      apply mean_ext. intros j. rewrite mean_sum, Rmult_1_l.
      change (add ?u (mul ?v ?w)) with (u + v * w). f_equal. f_equal. apply mean_ext. intros k.
      unfold W, next. now rewrite E.
    + apply (mean_eq_good moves fair moves_nonneg c _ _ G). intros m y I Y. unfold W.
      rewrite IH by now apply (fair_next c m y).
      rewrite <- expect_shift by now apply (fair_next c m y). apply expect_ext. intros h.
      rewrite Rmult_1_l.
      destruct m as [[i j] k]. cbn [collected]. rewrite E. unfold next. rewrite E. reflexivity.
Qed.

(** The payoff by the first [n] turns if the play then stays in its state. *)
Definition so_far (large : Q) (p : N) (h : history) : reals :=
  paid p h + stay_there large (arrived p h).

Fixpoint total_of (n : nat) (u : nat -> Rdefinitions.R) : Rdefinitions.R :=
  match n with O => 0 | S n => u O + total_of n (fun k => u (S k)) end.

Lemma total_of_ext n : forall u v, (forall k, u k = v k) -> total_of n u = total_of n v.
Proof.
  induction n as [|n IH]; simpl; intros u v H; auto. rewrite H, (IH _ (fun k => v (S k))); auto.
Qed.

Lemma total_of_add n : forall u v, total_of n (fun k => u k + v k) = total_of n u + total_of n v.
Proof. induction n as [|n IH]; simpl; intros u v; [|rewrite IH]; lra. Qed.

Lemma total_of_const n b : total_of n (fun _ => b) = INR n * b.
Proof. induction n as [|n IH]; [simpl; lra|]. rewrite S_INR. simpl total_of. rewrite IH. lra. Qed.

Lemma total_of_sum {T} (l : list (T * Rdefinitions.R)) n : forall u,
  total_of n (fun k => sum l (u k)) = sum l (fun m => total_of n (fun k => u k m)).
Proof.
  induction n as [|n IH]; intros u; simpl.
  - induction l as [|[m x] l IH]; simpl; [|rewrite <- IH]; lra.
  - rewrite IH, <- mean_add. reflexivity.
Qed.

Lemma integer_INR n : integer (Z.of_nat n) = INR n :> reals.
Proof. now rewrite integer_IZR, INR_IZR_INZ. Qed.

Lemma paid_nothing p : paid p [] = 0.
Proof. simpl. now destruct (at_state R p). Qed.

Lemma paid_ended p v h : at_state R p = inl v -> paid p h = 0.
Proof. intros E. destruct h; simpl; now rewrite E. Qed.

Lemma stayed_expected large n : forall c, fair c ->
  stayed reals R large n (by_A c) (by_B c) (place c) =
    total_of n (fun k => expect k (so_far large (place c)) c).
Proof.
  induction n as [|n IH]; intros c G; [reflexivity|]. cbn [total_of].
  assert (First : expect 0 (so_far large (place c)) c = stay_there large (place c)).
  { simpl. unfold so_far. rewrite paid_nothing. change (arrived (place c) []) with (place c).
    rewrite Rplus_0_l. reflexivity. }
  rewrite First. cbn [stayed]. unfold stay_there. destruct (at_state R (place c)) as [v|x] eqn:E.
  - change (add ?u ?v) with (u + v). f_equal. rewrite IH by exact G. apply total_of_ext. intros k.
    rewrite expect_turn.
    destruct (ended_next c v E) as [-> Next]. cbn [Convergence.mean].
    rewrite Next, Rmult_1_l, Rplus_0_r. apply expect_ext.
    intros h. unfold so_far. now rewrite !(paid_ended _ v _ E).
  - change (add ?u ?v) with (u + v). f_equal.
    set (W m := stayed reals R large n (by_A (next c m)) (by_B (next c m)) (place (next c m))).
    transitivity (sum (moves c) (fun m => INR n * reward_in x m + 1 * W m)).
    + rewrite (turn_value c x (INR n) 1 W G E). rewrite mean_sum. apply mean_ext. intros i.
      rewrite mean_sum.
      apply mean_ext. intros j. rewrite mean_sum, integer_INR, Rmult_1_l.
      change (add (mul ?u ?v) ?w) with (u * v + w). f_equal. apply mean_ext. intros k.
      unfold W, next. now rewrite E.
    + rewrite (total_of_ext n _ (fun k => sum (moves c) (fun m => reward_in x m +
        expect k (so_far large (place (next c m))) (next c m)))).
      * rewrite total_of_sum. apply (mean_eq_good moves fair moves_nonneg c _ _ G). intros m y I Y.
        rewrite total_of_add, total_of_const. unfold W. rewrite IH by now apply (fair_next c m y).
        lra.
      * intros k. rewrite expect_turn. apply (mean_eq_good moves fair moves_nonneg c _ _ G).
        intros m y I Y.
        pose proof (expect_shift k (reward_in x m) 1 (so_far large (place (next c m))) (next c m)
          (fair_next c m y G I Y)) as Sh.
        rewrite Rmult_1_l in Sh. rewrite <- Sh. apply expect_ext. intros h. destruct m as [[i j] q].
        unfold so_far.
        simpl paid. rewrite E. unfold next. rewrite E. cbn [place]. unfold reward_in. cbn [fst snd].
        change (arrived (place c) ((i, j, q) :: h)) with (arrived q h).
        change (add ?u ?v) with (u + v). rewrite Rmult_1_l, Rplus_assoc.
        reflexivity.
Qed.

(** [worth] where play may be infinite: the mean of the expectations of what the first turns pay. *)
Lemma worth_expected large n c : may_last (rules_kind R) = true -> fair c ->
  worth reals R large n (by_A c) (by_B c) (place c) =
    total_of (S n) (fun k => expect k (so_far large (place c)) c) / INR (S n).
Proof.
  intros L G. unfold worth. rewrite L, (stayed_expected large (S n) c G), integer_INR. reflexivity.
Qed.

(** ** Along a play *)

Section Along.
Variables (c : course) (w : nat -> history).
Hypothesis fair0 : fair c.
Hypothesis is_play : play c w.
Let state (n : nat) : N := arrived (place c) (w n).

Lemma along n : fair (after next c (w n)) /\ place (after next c (w n)) = state n.
Proof.
  destruct is_play as [P0 P]. unfold state. induction n as [|n [G E]].
  - rewrite P0. split; [exact fair0|reflexivity].
  - destruct (P n) as (m & x & I & X & ->). unfold after in *. rewrite fold_left_app.
    cbn [fold_left]. split.
    + now apply (fair_next _ m x).
    + unfold arrived in *. rewrite fold_left_app. cbn [fold_left]. unfold next at 1.
      unfold moves in I.
      destruct (at_state R (place (fold_left next (w n) c))) as [v|y] eqn:A.
      * destruct I as [[= <- _]|[]]. reflexivity.
      * destruct m as [[i j] k]. reflexivity.
Qed.

(** A turn leads to a successor; an end stays. *)
Lemma along_step n : (forall v, at_state R (state n) = inl v -> state (S n) = state n) /\
  forall x, at_state R (state n) = inr x -> exists i j q, (i < count_A x)%nat /\
    (j < count_B x)%nat /\
    In (q, state (S n)) (chance x i j) /\ (0 < q)%Q /\ w (S n) = w n ++ [(i, j, state (S n))].
Proof.
  destruct (along n) as [G E]. destruct (along (S n)) as [_ E'].
  destruct (proj2 is_play n) as (m & y & I & Y & W).
  assert (Sn : state (S n) = snd m). { unfold state, arrived. now rewrite W, fold_left_app. }
  split.
  - intros v A. rewrite <- E in A. destruct (ended_next _ v A) as [M _]. rewrite M in I.
    destruct I as [[= <- _]|[]].
    rewrite Sn. exact E.
  - intros x A. rewrite <- E in A. destruct (moves_in _ x m y G A I) as (i & j & k & q & ->
      & Li & Lj & IK & _ & _ & Q).
    exists i, j, q. rewrite Sn. cbn [snd]. repeat split; auto.
Qed.

Lemma along_end n v : at_state R (state n) = inl v -> forall m, (n <= m)%nat -> state m = state n.
Proof.
  intros A m L. induction L as [|m L IH]; auto. rewrite <- IH in A.
  rewrite (proj1 (along_step m) v A). exact IH.
Qed.

Lemma leads_more p h q x i j y k : leads R p h q -> at_state R q = inr x -> (i < count_A x)%nat ->
  (j < count_B x)%nat ->
  In (y, k) (chance x i j) -> (0 < y)%Q -> leads R p (h ++ [(i, j, k)]) k.
Proof. intros L E I J K Y. induction L; simpl; econstructor; eauto. constructor. Qed.

(** While play goes on, later states are reached. *)
Lemma along_leads n m : (n <= m)%nat -> (forall k v, at_state R (state k) <> inl v) ->
  exists h, leads R (state n) h (state m).
Proof.
  intros L G. induction L as [|m L (h & H)]. exists []. constructor.
  destruct (at_state R (state m)) as [v|x] eqn:E; [now apply G in E|].
  destruct (proj2 (along_step m) x E) as (i & j & q & Li & Lj & I & Q & _).
  exists (h ++ [(i, j, state (S m))]).
  now apply leads_more with (state m) x q.
Qed.

(** From some turn on every state that play visits it visits again and again. *)
Variable count : nat.
Hypothesis finite : forall p, Is p -> (N.to_nat p < count)%nat.

Lemma recurrent : exists N, forall n m, (N <= n)%nat -> exists k, (m <= k)%nat /\ state k = state n.
Proof.
  assert (H : forall b, exists N, forall n m, (N <= n)%nat -> (N.to_nat (state n) < b)%nat ->
    exists k, (m <= k)%nat /\ state k = state n).
  { induction b as [|b (N & IH)]. { exists O. intros n m _ L. lia. }
    destruct (eventually_or_often (fun n => state n <> N.of_nat b)) as [[N' H]|O].
    - intros n. destruct (N.eq_dec (state n) (N.of_nat b)); [right; auto|left; auto].
    - exists (max N N'). intros n m L B. apply IH; [lia|]. specialize (H n ltac:(lia)). lia.
    - exists N. intros n m L B. destruct (Nat.eq_dec (N.to_nat (state n)) b) as [Eb|];
        [|apply IH; lia].
      destruct (O m) as (k & K & Sk). exists k. split; auto.
      destruct (N.eq_dec (state k) (N.of_nat b)); [lia|now destruct Sk]. }
  destruct (H count) as (N & HN). exists N. intros n m L. apply HN; auto.
  destruct (along n) as [(P & _) E]. apply finite.
  now rewrite <- E.
Qed.

(** So the payoff of staying does not change any more. *)
Lemma settles large : (forall p h p' h' x x', leads R p h p' -> leads R p' h' p ->
  at_state R p = inr x -> at_state R p' = inr x' ->
    (infinite R large x == infinite R large x')%Q) ->
  exists N, forall n, (N <= n)%nat -> stay_there large (state n) = stay_there large (state N).
Proof.
  intros Same. destruct (all_or_not (fun n => forall v, at_state R (state n) <> inl v))
    as [[n H]|H].
  { intros n. destruct (at_state R (state n)) as [v|x]; [right|left; easy]. intros H.
    now apply (H v). }
  - exists n. intros m L. destruct (at_state R (state n)) as [v|x] eqn:E; [|exfalso; apply H;
      intros v E0; congruence].
    now rewrite (along_end n v E m L).
  - destruct recurrent as (N & HN). exists N. intros n L. unfold stay_there.
    destruct (at_state R (state n)) as [v|x] eqn:E; [now apply H in E|].
    destruct (at_state R (state N)) as [v|x'] eqn:E'; [now apply H in E'|].
    apply ratio_eq. destruct (along_leads N n L H) as (h & Lh).
    destruct (HN N n (le_n _)) as (k & K & Sk).
    destruct (along_leads n k K H) as (h' & Lh'). rewrite Sk in Lh'.
    now apply (Same _ h' _ h _ _ Lh' Lh).
Qed.
End Along.
End Games.

(** ** Limits *)

Lemma Rabs_range x b : Rabs x <= b -> - b <= x <= b.
Proof. unfold Rabs. destruct (Rcase_abs x); lra. Qed.

(** What is secured up to every fraction bounds the limit. *)
Lemma limit_at_least (u : nat -> Rdefinitions.R) (q l : reals) : (forall e, (0 < e)%Q ->
  exists m, forall n, (m <= n)%nat ->
  le (sub q (ratio e)) (u n)) -> Un_cv u l -> q <= l.
Proof.
  intros H C. apply Rnot_lt_le. intros L. set (d := (q - l) / 2). assert (D : 0 < d) by (unfold d;
    lra).
  destruct (fraction_below d D) as (e & E0 & E). destruct (H e E0) as [m M].
  destruct (C d D) as [N HN].
  specialize (M (max m N) ltac:(lia)). specialize (HN (max m N) ltac:(lia)). unfold R_dist in HN.
  apply Rabs_def2 in HN.
  change (q - (ratio e : reals) <= u (max m N)) in M. unfold d in *. lra.
Qed.

Lemma total_of_sum_f n : forall u, total_of (S n) u = sum_f_R0 u n.
Proof.
  assert (Last : forall n u, total_of (S n) u = total_of n u + u n).
  { clear n. induction n as [|n IH]; intros u; [simpl; lra|].
    change (total_of (S (S n)) u) with (u O + total_of (S n) (fun k => u (S k))).
    rewrite IH. simpl. lra. }
  induction n as [|n IH]; intros u; [simpl; lra|]. rewrite Last, IH. reflexivity.
Qed.

(** Means of a sequence with a limit have the same limit. *)
Lemma means_limit u l : Un_cv u l -> Un_cv (fun n => total_of (S n) u / INR (S n)) l.
Proof.
  intros C. pose proof (Cesaro_1 u l C) as H. intros eps He. destruct (H eps He) as [N HN].
  exists N. intros n L.
  specialize (HN (S n) ltac:(lia)). now rewrite total_of_sum_f.
Qed.

(** A sequence that rises has a limit, or exceeds every number. *)
Lemma rises_to u : Un_growing u -> (exists l, Un_cv u l) \/ cv_infty u.
Proof.
  intros G. destruct (all_or_not (fun b => ~ forall n, u n <= INR b)) as [[b B]|B].
  { intros b. destruct (all_decided (fun n => u n <= INR b)) as [H|H]. intros n. apply Rle_dec.
    right; auto. left; auto. }
  - left. assert (Ub : forall n, u n <= INR b).
    { destruct (all_decided (fun n => u n <= INR b)) as [H|H]. intros n. apply Rle_dec. auto.
      now destruct B. }
    destruct (growing_cv u G) as [l L]; [|now exists l]. exists (INR b). intros y [n ->]. apply Ub.
  - right. intros M. set (b := Z.to_nat (up M)). assert (Hb : M < INR b).
    { destruct (archimed M) as [A _]. rewrite INR_IZR_INZ. apply Rlt_le_trans with (1 := A), IZR_le.
      unfold b. lia. }
    specialize (B b).
    destruct (all_or_not (fun n => u n <= INR b)) as [[N H]|H];
      [intros n; apply Rle_dec| |now destruct B].
    exists N. intros n L. apply Rlt_le_trans with (u N); [lra|].
    apply Rge_le, (growing_prop u n N G). lia.
Qed.

(** ** Games of a file *)

Section Game.
Variable G : sgame.
Hypothesis formed : well_formed G.
Let R := rules_of G.
Definition is_state (p : N) : Prop := (N.to_nat p < length (states G))%nat.

Lemma state_of p : is_state p -> exists nm x, nth_error (states G) (N.to_nat p) = Some (nm, x) /\
  at_state R p = turn_of G x.
Proof.
  intros P. destruct (nth_error (states G) (N.to_nat p)) as [[nm x]|] eqn:E.
  - exists nm, x. split; auto. simpl. rewrite E. reflexivity.
  - apply nth_error_None in E. unfold is_state in P. lia.
Qed.

Lemma no_state p : ~ is_state p -> at_state R p = inl 0%Q.
Proof.
  intros P. simpl. destruct (nth_error (states G) (N.to_nat p)) eqn:E; [|reflexivity]. exfalso.
  apply P. unfold is_state. apply nth_error_Some. now rewrite E.
Qed.

Lemma game_shape p x i j : is_state p -> at_state R p = inr x -> (i < count_A x)%nat ->
  (j < count_B x)%nat ->
  probabilities (chance x i j) /\ forall q k, In (q, k) (chance x i j) -> is_state k.
Proof.
  intros P E I J. destruct (state_of p P) as (nm & [v|a b e cells] & X & T); rewrite T in E;
    [discriminate|].
  injection E as <-. cbn [count_A count_B chance] in *. destruct formed as [F _].
  destruct (F _ _ _ _ _ _ X) as (_ & _ & L & Rows). unfold cell_at.
  assert (IR : In (nth i cells []) cells) by (apply nth_In; lia).
  destruct (Rows _ IR) as [Lr Cells].
  assert (IC : In (nth j (nth i cells []) nothing) (nth i cells [])) by (apply nth_In; lia).
  destruct (Cells _ IC) as [[Pr _] S]. split; [exact Pr|]. intros q k K. now apply (S q).
Qed.

Section Pair.
Variables (s t : strategy reals) (p : N).
Hypothesis P : is_state p.
Hypothesis SA : proper_A reals R p s.
Hypothesis TB : proper_B reals R p t.
Let c : course := {| by_A := s; by_B := t; place := p |}.
Let fair0 : fair R is_state c := conj P (conj SA TB).
Notation expected n f := (Convergence.expect (moves R) (next R) n f c).
Notation play := (Convergence.play (moves R) (next R) c).

(** Payoffs are bounded. *)
Lemma finite_most (v : node -> Rdefinitions.R) : exists most, 0 <= most /\
  forall nm x, In (nm, x) (states G) -> Rabs (v x) <= most.
Proof.
  induction (states G) as [|[nm x] l (most & M & H)]. { exists 0. split; [lra|easy]. }
  exists (Rmax most (Rabs (v x))). split. { apply Rle_trans with (1 := M), Rmax_l. }
  intros nm' x' [[= _ <-]|I]. apply Rmax_r. apply Rle_trans with (1 := H nm' x' I), Rmax_l.
Qed.

Lemma stay_bounded large : exists most, forall q, Rabs (stay_there R large q) <= most.
Proof.
  destruct (finite_most (fun x => match turn_of G x with inl v => (ratio v : reals)
    | inr x => (ratio (infinite R large x) : reals) end))
    as (most & M & H). exists most. intros q. unfold stay_there.
  destruct (nth_error (states G) (N.to_nat q)) as [[nm x]|] eqn:E.
  - apply nth_error_In in E as I. specialize (H nm x I). simpl. rewrite E. exact H.
  - rewrite (no_state q). 2: { unfold is_state. now apply nth_error_None in E; lia. }
    rewrite ratio_0. change (Rabs 0 <= most). now rewrite Rabs_R0.
Qed.

(** The end or the payoff of infinite plays, which is the same in all states from some turn on. *)
Definition settled (large : Q) (w : nat -> history) (y : Rdefinitions.R) : Prop :=
  exists N, forall n, (N <= n)%nat -> stay_there R large (arrived p (w n)) = y.

Lemma settled_once large w y y' : settled large w y -> settled large w y' -> y = y'.
Proof. intros [N H] [N' H']. rewrite <- (H (max N N')), <- (H' (max N N')); auto; lia. Qed.

Lemma same_endless large : may_last (the_kind G) = true -> forall p h p' h' x x', leads R p h p' ->
  leads R p' h' p ->
  at_state R p = inr x -> at_state R p' = inr x' -> (infinite R large x == infinite R large x')%Q.
Proof.
  intros K p0 h p' h' x x' L L' E E'. destruct formed as [_ F]. unfold of_its_kind in F.
  unfold infinite.
  replace (rules_kind R) with (the_kind G) by reflexivity.
  replace (rules_kind (rules_of G)) with (the_kind G) in F by reflexivity.
  destruct (the_kind G) eqn:Kind; try discriminate K.
  - destruct F as [_ F]. now apply (F p0 h x p' h' x').
  - destruct F as [_ F]. now apply (F p0 h x p' h' x').
  - assert (T : forall q z, at_state R q = inr z -> endless z = sign_of G).
    { intros q z Q. simpl in Q. destruct (nth_error (states G) (N.to_nat q))
        as [[nm [v|a b e cells]]|]; simpl in Q; try discriminate.
      injection Q as <-. cbn [endless]. unfold endless_of. now rewrite Kind. }
    now rewrite (T _ _ E), (T _ _ E').
Qed.

(** Every play has such a payoff, and a strategy pair an expectation of it: the limit of the
    expectations after n turns. *)
Theorem settled_expected large : may_last (the_kind G) = true ->
  (forall w, play w -> exists y, settled large w y) /\
  exists e, Convergence.expectation (moves R) (next R) c (settled large) e /\
    Un_cv (fun n => expected n (fun h => stay_there R large (arrived p h))) e.
Proof.
  intros K. destruct (stay_bounded large) as [most M].
  assert (S : forall w, play w -> exists N, forall n, (N <= n)%nat ->
    stay_there R large (arrived p (w n)) = stay_there R large (arrived p (w N))).
  { intros w W. apply (settles R is_state game_shape c w fair0 W (length (states G)) (fun q Q => Q)
      large). now apply same_endless. }
  split.
  - intros w W. destruct (S w W) as [N H]. exists (stay_there R large (arrived p (w N))).
    now exists N.
  - destruct (expectation_exists (moves R) (next R) (fair R is_state)
      (moves_nonneg R is_state game_shape) (moves_sum R is_state game_shape)
      (fair_next R is_state game_shape) c (fun _ h => stay_there R large (arrived p h))
        (settled large) most fair0) as (e & C & E).
    + intros _ h. apply M.
    + intros w W. destruct (S w W) as [N H]. exists (stay_there R large (arrived p (w N))). split.
      now exists N.
      intros eps He. exists N. intros n L. rewrite (H n L). unfold R_dist.
      rewrite Rminus_diag_eq by reflexivity. now rewrite Rabs_R0.
    + now exists e.
Qed.

(** Averages over the first turns tend to the expected payoff: rewards, and the payoff of staying.
    *)
Definition rewards (n : nat) : Rdefinitions.R := expected n (paid R p).

Theorem averages_converge large v e : may_last (the_kind G) = true ->
  Convergence.expectation (moves R) (next R) c (settled large) e -> Un_cv rewards v ->
  Un_cv (fun n => worth reals R large n s t p) (v + e).
Proof.
  intros K E V. destruct (settled_expected large K) as (_ & e' & E' & C).
  assert (e = e') as ->.
  { apply (expectation_unique (moves R) (next R) (fair R is_state)
      (moves_nonneg R is_state game_shape) (moves_sum R is_state game_shape)
      (fair_next R is_state game_shape) c (settled large)); auto. intros w y y' _.
      apply settled_once. }
  pose proof (means_limit _ _ (CV_plus _ _ _ _ V C)) as H. intros eps He.
  destruct (H eps He) as [N HN]. exists N. intros n L.
  specialize (HN n L). rewrite (worth_expected R is_state game_shape large n c K fair0 :
    worth reals R large n s t p = _).
  rewrite (total_of_ext (S n) _ (fun k => rewards k +
    expected k (fun h => stay_there R large (arrived p h)))); auto.
  intros k. unfold rewards. rewrite <- expect_add. reflexivity.
Qed.
End Pair.

(** ** What is secured is secured of the expected payoff *)

Theorem A_secures_expected s p q : may_last (the_kind G) = true -> is_state p ->
  A_secures_with reals R s p q ->
  exists least, forall large t v e, (least <= large)%Q -> proper_B reals R p t ->
    Un_cv (rewards s t p) v -> Convergence.expectation (moves R) (next R) {| by_A := s; by_B := t;
      place := p |} (settled p large) e ->
    q <= v + e.
Proof.
  intros K P (S & least & H). exists least. intros large t v e L T V E.
  apply (limit_at_least (fun n => worth reals R large n s t p)).
  - intros d D. destruct (H large d L D) as [m M]. exists m. intros n N. now apply M.
  - now apply averages_converge.
Qed.

Theorem B_secures_expected t p q : may_last (the_kind G) = true -> is_state p ->
  B_secures_with reals R t p q ->
  exists least, forall large s v e, (least <= large)%Q -> proper_A reals R p s ->
    Un_cv (rewards s t p) v -> Convergence.expectation (moves R) (next R) {| by_A := s; by_B := t;
      place := p |} (settled p large) e ->
    v + e <= q.
Proof.
  intros K P (T & least & H). exists least. intros large s v e L S V E. apply Ropp_le_cancel.
  apply (limit_at_least (fun n => - worth reals R large n s t p)).
  - intros d D. destruct (H large d L D) as [m M]. exists m. intros n N. specialize (M n s N S).
    change (worth reals R large n s t p <= q + (ratio d : reals)) in M.
    change (- q - (ratio d : reals) <= - worth reals R large n s t p). lra.
  - apply (CV_opp (fun n => worth reals R large n s t p)). now apply averages_converge.
Qed.

(** *** Rewards *)

Section Rewards.
Variables (s t : strategy reals) (p : N).
Hypothesis P : is_state p.
Hypothesis SA : proper_A reals R p s.
Hypothesis TB : proper_B reals R p t.
Let c0 : course := {| by_A := s; by_B := t; place := p |}.
Let fair0 : fair R is_state c0 := conj P (conj SA TB).
Notation expected n f c := (Convergence.expect (moves R) (next R) n f c).

Lemma paid_turn n c : fair R is_state c -> expected (S n) (paid R (place c)) c =
  match at_state R (place c) with
  | inl _ => 0
  | inr x => Convergence.mean (moves R c) (fun m => reward_in x m +
    expected n (paid R (place (next R c m))) (next R c m))
  end.
Proof.
  intros F. rewrite expect_turn. destruct (at_state R (place c)) as [v|x] eqn:E.
  - destruct (ended_next R c v E) as [-> Next]. cbn [Convergence.mean].
    rewrite Next, Rmult_1_l, Rplus_0_r.
    rewrite (expect_ext _ _ n _ (fun _ => 0)) by (intros h; now apply (paid_ended R _ v)).
    now apply (expect_const _ _ _ (moves_nonneg R is_state game_shape)
      (moves_sum R is_state game_shape) (fair_next R is_state game_shape)).
  - apply (mean_eq_good _ _ (moves_nonneg R is_state game_shape) c _ _ F). intros m y I Y.
    pose proof (expect_shift R is_state game_shape n (reward_in x m) 1 (paid R (place (next R c m)))
      (next R c m)
      (fair_next R is_state game_shape c m y F I Y)) as Sh.
    rewrite Rmult_1_l in Sh. rewrite <- Sh. apply expect_ext. intros h. destruct m as [[i j] k].
    cbn [paid]. rewrite E. unfold next.
    rewrite E. cbn [place]. unfold reward_in. cbn [fst snd]. rewrite Rmult_1_l. reflexivity.
Qed.

(** Rewards of one sign: their expectation rises or falls with the number of turns. *)
Lemma rewards_rise (way : Z) : rewards_are R (fun r => 0 <= inject_Z way * r)%Q ->
  forall n c, fair R is_state c -> IZR way * expected n (paid R (place c)) c <=
    IZR way * expected (S n) (paid R (place c)) c.
Proof.
  intros W. induction n as [|n IH]; intros c F;
    [rewrite (paid_turn O c F)|rewrite (paid_turn n c F), (paid_turn (S n) c F)].
  - change (expected 0 (paid R (place c)) c) with (paid R (place c) []). rewrite paid_nothing.
    destruct (at_state R (place c)) as [v|x] eqn:E; [lra|]. rewrite Rmult_0_r, <- mean_mul.
    rewrite <- (sum_zero (moves R c)). apply mean_le. intros m y.
    now apply (moves_nonneg R is_state game_shape).
    intros m y I Y. destruct (moves_in R is_state game_shape c x m y F E I) as (i & j & k & q & ->
      & Li & Lj & _).
    change (expected 0 ?f ?g) with (f []). rewrite paid_nothing, Rplus_0_r. unfold reward_in.
    cbn [fst snd].
    pose proof (ratio_nonneg reals _ (W _ x i j E Li Lj)) as H. rewrite ratio_mul in H.
    unfold inject_Z in H.
    rewrite (Stationary.ratio_integer reals way), integer_IZR in H. exact H.
  - destruct (at_state R (place c)) as [v|x] eqn:E; [lra|]. rewrite <- !mean_mul. apply mean_le.
    intros m y. now apply (moves_nonneg R is_state game_shape).
    intros m y I Y. specialize (IH (next R c m) (fair_next R is_state game_shape c m y F I Y)). lra.
Qed.

Lemma no_rewards : the_kind G = Recursive -> forall n, rewards s t p n = 0.
Proof.
  intros K n. destruct formed as [_ Of]. unfold of_its_kind in Of.
  change (rules_kind (rules_of G)) with (the_kind G) in Of.
  rewrite K in Of. destruct Of as [W _]. unfold rewards. change p with (place c0) at 1.
  change (expected n (paid R (place c0)) c0 = 0).
  generalize c0 fair0. clear c0 fair0. induction n as [|n IH]; intros c F. { apply paid_nothing. }
  rewrite (paid_turn n c F). destruct (at_state R (place c)) as [v|x] eqn:E; auto.
  rewrite <- (sum_zero (moves R c)).
  apply (mean_eq_good _ _ (moves_nonneg R is_state game_shape) c _ _ F). intros m y I Y.
  rewrite IH by now apply (fair_next R is_state game_shape c m y).
  destruct (moves_in R is_state game_shape c x m y F E I) as (i & j & k & q & -> & Li & Lj & _).
  unfold reward_in. cbn [fst snd].
  rewrite (ratio_eq reals _ 0 (W _ x i j E Li Lj)), ratio_0. apply Rplus_0_r.
Qed.
End Rewards.

(** What a player secures excludes infinite losses. *)
Lemma rewards_grow s t p : is_state p -> proper_A reals R p s -> proper_B reals R p t ->
  one_sign R ->
  Un_growing (rewards s t p) \/ Un_growing (fun n => - rewards s t p n).
Proof.
  intros P SA TB W. set (c := {| by_A := s; by_B := t; place := p |}).
  assert (F : fair R is_state c) by (split; [exact P|split; assumption]).
  destruct W as [W|W]; [left|right]; intros n.
  - assert (W' : rewards_are R (fun r => 0 <= inject_Z 1 * r)%Q).
    { intros q x i j E I J. change (inject_Z 1) with 1%Q. rewrite Qmult_1_l.
      exact (W q x i j E I J). }
    pose proof (rewards_rise 1 W' n c F) as H.
    change (1 * rewards s t p n <= 1 * rewards s t p (S n)) in H. lra.
  - assert (W' : rewards_are R (fun r => 0 <= inject_Z (-1) * r)%Q).
    { intros q x i j E I J. specialize (W q x i j E I J). cbv beta in *.
      setoid_replace (inject_Z (-1) * reward_of x i j)%Q with
        (- reward_of x i j)%Q by (unfold inject_Z; ring). now apply Qopp_le_compat in W. }
    pose proof (rewards_rise (-1) W' n c F) as H.
    change (-1 * rewards s t p n <= -1 * rewards s t p (S n)) in H. lra.
Qed.

(** So their expectation has a limit, or is infinite. *)
Theorem rewards_limit s t p : is_state p -> proper_A reals R p s -> proper_B reals R p t ->
  one_sign R ->
  (exists v, Un_cv (rewards s t p) v) \/ cv_infty (rewards s t p) \/
    cv_infty (fun n => - rewards s t p n).
Proof.
  intros P SA TB W. destruct (rewards_grow s t p P SA TB W) as [Gr|Gr];
    apply rises_to in Gr as [[l L]|L]; auto.
  - left. now exists l.
  - left. exists (- l). apply CV_opp in L. intros eps He. destruct (L eps He) as [N HN]. exists N.
    intros n Ln.
    specialize (HN n Ln). unfold opp_seq in HN. now rewrite Ropp_involutive in HN.
Qed.

Lemma rewards_infinite s t p way : (way = 1 \/ way = -1) -> is_state p -> proper_A reals R p s ->
  proper_B reals R p t -> one_sign R ->
  may_last (the_kind G) = true -> cv_infty (fun n => way * rewards s t p n) ->
  forall large most m, exists n, (m <= n)%nat /\ most <= way * worth reals R large n s t p.
Proof.
  intros Way P SA TB W K Inf large most m. set (u n := way * rewards s t p n).
  assert (U0 : u O = 0).
  { unfold u, rewards. change (Convergence.expect (moves R) (next R) 0 (paid R p) _)
      with (paid R p []). rewrite paid_nothing. lra. }
  assert (Grow : Un_growing u).
  { destruct (rewards_grow s t p P SA TB W) as [Gr|Gr], Way as [-> | ->].
    - intros n. unfold u. specialize (Gr n). lra.
    - exfalso. destruct (Inf 0) as [N H]. specialize (H N (le_n _)).
      pose proof (growing_prop _ N O Gr ltac:(lia)) as Q. unfold u in U0. lra.
    - exfalso. destruct (Inf 0) as [N H]. specialize (H N (le_n _)).
      pose proof (growing_prop _ N O Gr ltac:(lia)) as Q. unfold u in U0. lra.
    - intros n. unfold u. specialize (Gr n). lra. }
  destruct (stay_bounded large) as [b B]. set (c := {| by_A := s; by_B := t; place := p |}).
  assert (F : fair R is_state c) by (split; [exact P|split; assumption]).
  destruct (Inf (2 * (most + b))) as [N0 HN]. set (N := S (max N0 m)).
  specialize (HN N ltac:(unfold N; lia)). fold (u N) in HN.
  exists (N + N - 1)%nat. split; [unfold N; lia|].
  rewrite (worth_expected R is_state game_shape large _ c K F : worth reals R large _ s t p = _).
  replace (S (N + N - 1)) with (N + N)%nat by (unfold N; lia).
  set (y k := Convergence.expect (moves R) (next R) k (fun h => stay_there R large (arrived p h))
    c).
  rewrite (total_of_ext (N + N) _ (fun k => rewards s t p k + y k)).
  2: { intros k. unfold rewards, y. rewrite <- expect_add. reflexivity. }
  assert (Y : forall k, Rabs (y k) <= b).
  { intros k. unfold y. apply Rabs_le. split.
    - rewrite <- (expect_const (moves R) (next R) (fair R is_state)
        (moves_nonneg R is_state game_shape) (moves_sum R is_state game_shape)
        (fair_next R is_state game_shape) k (- b) c F).
        apply (expect_le _ _ _ (moves_nonneg R is_state game_shape)
          (fair_next R is_state game_shape)); auto.
      intros h _. specialize (B (arrived p h)). apply Rabs_range in B. lra.
    - rewrite <- (expect_const (moves R) (next R) (fair R is_state)
        (moves_nonneg R is_state game_shape) (moves_sum R is_state game_shape)
        (fair_next R is_state game_shape) k b c F).
        apply (expect_le _ _ _ (moves_nonneg R is_state game_shape)
          (fair_next R is_state game_shape)); auto.
      intros h _. specialize (B (arrived p h)). apply Rabs_range in B. lra. }
  assert (Low : forall n v l, (forall k, l <= v k) -> INR n * l <= total_of n v).
  { induction n as [|n IH]; intros v l L; [simpl; lra|]. rewrite S_INR. cbn [total_of].
    specialize (IH (fun k => v (S k)) l (fun k => L (S k))).
    specialize (L O). lra. }
  assert (Two : forall n n' v, total_of (n + n') v = total_of n v +
    total_of n' (fun k => v (n + k)%nat)).
  { induction n as [|n IH]; intros n' v; [symmetry; apply Rplus_0_l|].
    change (v O + total_of (n + n') (fun k => v (Datatypes.S k)) = total_of (Datatypes.S n) v +
      total_of n' (fun k => v (Datatypes.S n + k)%nat)).
    rewrite IH. simpl total_of. rewrite Rplus_assoc. reflexivity. }
  assert (Pos : 0 < INR N) by (apply lt_0_INR; unfold N; lia).
  assert (A : INR N * u N <= total_of (N + N) u).
  { rewrite Two. pose proof (Low N u 0) as L1.
    pose proof (Low N (fun k => u (N + k)%nat) (u N)) as L2.
    assert (0 <= total_of N u). { rewrite <- (Rmult_0_r (INR N)). apply L1. intros k. rewrite <- U0.
    apply Rge_le, (growing_prop u k O Grow). lia. }
    assert (INR N * u N <= total_of N (fun k => u (N + k)%nat)). { apply L2. intros k.
    apply Rge_le, (growing_prop u _ N Grow). lia. }
    lra. }
  assert (A' : INR (N + N) * - b <= total_of (N + N) (fun k => way * y k)).
  { apply Low. intros k. specialize (Y k). apply Rabs_range in Y. destruct Way as [-> | ->]; lra. }
  assert (E : way * (total_of (N + N) (fun k => rewards s t p k + y k) / INR (N + N)) =
    (total_of (N + N) u + total_of (N + N) (fun k => way * y k)) / INR (N + N)).
  { rewrite <- total_of_add. rewrite (total_of_ext (N + N) (fun k => u k + way * y k) (fun k =>
      way * (rewards s t p k + y k)))
      by (intros; unfold u; lra).
    assert (M : forall n v, total_of n (fun k => way * v k) = way * total_of n v).
    { induction n as [|n IH]; intros v; cbn [total_of]; [lra|]. rewrite IH. lra. }
    rewrite M. unfold Rdiv. ring. }
  rewrite E. rewrite plus_INR in *. apply Rmult_le_reg_r with (INR N + INR N); [lra|]. unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. assert (INR N * (2 * (most + b)) <= INR N * u N)
    by (apply Rmult_le_compat_l; lra). lra.
Qed.

Theorem A_secures_no_loss s t p q : may_last (the_kind G) = true -> one_sign R -> is_state p ->
  A_secures_with reals R s p q ->
  proper_B reals R p t -> ~ cv_infty (fun n => - rewards s t p n).
Proof.
  intros K W P (S & least & H) T Inf. destruct (H least 1%Q (Qle_refl _) eq_refl) as [m M].
  destruct (rewards_infinite s t p (-1) (or_intror eq_refl) P S T W K) with (large :=
    least) (most := - q + 2) (m := m) as (n & L & Hn).
  { intros y. destruct (Inf y) as [N HN]. exists N. intros k Lk. specialize (HN k Lk). lra. }
  specialize (M n t L T). rewrite ratio_1 in M. change (q - 1 <= worth reals R least n s t p) in M.
  lra.
Qed.

Theorem B_secures_no_loss s t p q : may_last (the_kind G) = true -> one_sign R -> is_state p ->
  B_secures_with reals R t p q ->
  proper_A reals R p s -> ~ cv_infty (rewards s t p).
Proof.
  intros K W P (T & least & H) S Inf. destruct (H least 1%Q (Qle_refl _) eq_refl) as [m M].
  destruct (rewards_infinite s t p 1 (or_introl eq_refl) P S T W K) with (large := least) (most :=
    q + 2) (m := m) as (n & L & Hn).
  { intros y. destruct (Inf y) as [N HN]. exists N. intros k Lk. specialize (HN k Lk). lra. }
  specialize (M n s L S). rewrite ratio_1 in M. change (worth reals R least n s t p <= q + 1) in M.
  lra.
Qed.

(** In recursive games averages tend to the expected payoff, and what is secured is secured of it.
    *)
Theorem recursive_averages s t p large e : the_kind G = Recursive -> is_state p ->
  proper_A reals R p s -> proper_B reals R p t ->
  Convergence.expectation (moves R) (next R) {| by_A := s; by_B := t;
    place := p |} (settled p large) e ->
  Un_cv (fun n => worth reals R large n s t p) e.
Proof.
  intros K P S T E. rewrite <- (Rplus_0_l e). apply averages_converge; auto. now rewrite K.
  intros eps He. exists O. intros n _. rewrite no_rewards by auto. unfold R_dist.
  rewrite Rminus_0_r. now rewrite Rabs_R0.
Qed.

(** *** Discounted games

    The discounted rewards of an infinite play have a sum; it is the play's payoff. *)

Section Discounted.
Variable discount : Q.
Hypothesis kind : the_kind G = Discounted discount.
Let d : Rdefinitions.R := (ratio discount : reals).

Lemma discount_range : 0 < d < 1.
Proof.
  destruct formed as [_ F]. unfold of_its_kind in F.
  change (rules_kind (rules_of G)) with (the_kind G) in F. rewrite kind in F.
  destruct F as [F0 F1]. split. now apply ratio_positive. apply Qlt_minus_iff in F1.
  apply ratio_positive in F1.
  rewrite ratio_add, ratio_opp, ratio_1 in F1. change (0 < 1 + - d) in F1. lra.
Qed.

Lemma pays_bounded : exists most, 0 <= most /\ (forall q v, at_state R q = inl v ->
  Rabs (ratio v : reals) <= most) /\
  forall q x i j, at_state R q = inr x -> Rabs (ratio (reward_of x i j) : reals) <= most.
Proof.
  set (size := fun x => match x with
    | End v => Rabs (ratio v : reals)
    | Turn _ _ _ cells => fold_right (fun c sum => Rabs (ratio (reward c) : reals) + sum) 0
      (concat cells)
    end).
  destruct (finite_most size) as (most & M & H). exists most. split; [exact M|].
  assert (Le : forall nm x, In (nm, x) (states G) -> size x <= most).
  { intros nm x I. apply Rle_trans with (2 := H nm x I), Rle_abs. }
  assert (Cells : forall l, 0 <= fold_right (fun c sum => Rabs (ratio (reward c) : reals) + sum) 0 l
    /\
    forall c, In c l -> Rabs (ratio (reward c) : reals) <=
      fold_right (fun c sum => Rabs (ratio (reward c) : reals) + sum) 0 l).
  { induction l as [|c l [N IH]]; cbn [fold_right In]. split; [lra|easy].
    pose proof (Rabs_pos (ratio (reward c) : reals)) as A. split; [lra|].
    intros c' [<-|I]. lra. specialize (IH c' I). lra. }
  assert (Z : Rabs (ratio 0 : reals) <= most) by (rewrite ratio_0; change (Rabs 0 <= most);
    rewrite Rabs_R0; exact M).
  split.
  - intros q v E. simpl in E. destruct (nth_error (states G) (N.to_nat q))
      as [[nm [u|a b e cells]]|] eqn:X; simpl in E; try discriminate.
    + injection E as <-. apply nth_error_In in X. exact (Le _ _ X).
    + injection E as <-. exact Z.
  - intros q x i j E. simpl in E. destruct (nth_error (states G) (N.to_nat q))
      as [[nm [u|a b e cells]]|] eqn:X; simpl in E; try discriminate.
    injection E as <-. cbn [reward_of]. apply nth_error_In, Le in X. cbn [size] in X.
    unfold cell_at.
    destruct (nth_in_or_default i cells []) as [I| ->]; [|now destruct j].
    destruct (nth_in_or_default j (nth i cells []) nothing) as [J| ->]; [|exact Z].
    apply Rle_trans with (2 := X), (proj2 (Cells (concat cells))). apply in_concat. eauto.
Qed.

Lemma collected_turn q x i j k h : at_state R q = inr x ->
  collected R q ((i, j, k) :: h) = (ratio (reward_of x i j) : reals) + d * collected R k h.
Proof.
  intros E. cbn [collected]. rewrite E. change (rules_kind R) with (the_kind G). rewrite kind.
  reflexivity.
Qed.

Lemma collected_end q v h : at_state R q = inl v -> collected R q h = ratio v.
Proof. intros E. destruct h; cbn [collected]; rewrite E; reflexivity. Qed.

Lemma collected_range : exists most, forall h q h', Rabs (collected R q h) <= most /\
  Rabs (collected R q (h ++ h') - collected R q h) <= d ^ length h * most.
Proof.
  pose proof discount_range as D. destruct pays_bounded as (m & M & V & W). exists (m / (1 - d)).
  set (most := m / (1 - d)). assert (Eq : m + d * most = most) by (unfold most; field; lra).
  assert (Most : 0 <= most) by (unfold most; apply Rmult_le_pos;
    [lra|apply Rlt_le, Rinv_0_lt_compat; lra]).
  assert (Mm : m <= most) by (assert (0 <= d * most) by (apply Rmult_le_pos; lra); lra).
  assert (B : forall h q, Rabs (collected R q h) <= most).
  { induction h as [|[[i j] k] h IH]; intros q; destruct (at_state R q) as [v|x] eqn:E.
    1, 3: rewrite (collected_end q v _ E); apply Rle_trans with m; auto; now apply (V q).
    - cbn [collected]. rewrite E. change (Rabs 0 <= most). now rewrite Rabs_R0.
    - rewrite (collected_turn q x i j k h E). apply Rle_trans with (1 := Rabs_triang _ _).
      rewrite <- Eq. apply Rplus_le_compat.
      now apply (W q). rewrite Rabs_mult, (Rabs_right d) by lra. apply Rmult_le_compat_l;
        [lra|auto]. }
  intros h q h'. split; auto. revert q. induction h as [|[[i j] k] h IH]; intros q;
    destruct (at_state R q) as [v|x] eqn:E.
  1, 3: rewrite !(collected_end q v _ E); unfold Rminus; rewrite Rplus_opp_r, Rabs_R0;
          apply Rmult_le_pos; auto; apply pow_le; lra.
  - cbn [app length pow]. rewrite Rmult_1_l. replace (collected R q []) with 0 by (cbn [collected];
      now rewrite E). rewrite Rminus_0_r. apply B.
  - cbn [app length pow]. rewrite !(collected_turn q x i j k _ E).
    replace (_ + d * collected R k (h ++ h') - (_ + d * collected R k h))
      with (d * (collected R k (h ++ h') - collected R k h)) by
      (set (r := (ratio (reward_of x i j) : reals) : Rdefinitions.R);
        change ((ratio (reward_of x i j) : reals)) with r; ring).
    rewrite Rabs_mult, (Rabs_right d) by lra. rewrite Rmult_assoc. apply Rmult_le_compat_l;
      [lra|auto].
Qed.

Definition discounted_sum (p : N) (w : nat -> history) (y : Rdefinitions.R) : Prop :=
  Un_cv (fun n => collected R p (w n)) y.

Theorem discounted_expected s t p : is_state p -> proper_A reals R p s -> proper_B reals R p t ->
  let c := {| by_A := s; by_B := t; place := p |} in
  (forall w, Convergence.play (moves R) (next R) c w -> exists y, discounted_sum p w y) /\
  exists e, Convergence.expectation (moves R) (next R) c (discounted_sum p) e /\
    forall large, Un_cv (fun n => worth reals R large n s t p) e.
Proof.
  intros P S T c. destruct collected_range as [most H]. pose proof discount_range as D.
  assert (fair0 : fair R is_state c) by (split; [exact P|split; assumption]).
  assert (Sums : forall w, Convergence.play (moves R) (next R) c w ->
    exists y, discounted_sum p w y).
  { intros w W. destruct (R_complete (fun n => collected R p (w n))) as [y Y]; [|now exists y].
    assert (M : 0 <= most) by (apply Rle_trans with (2 := proj1 (H [] p [])), Rabs_pos).
    intros eps He. destruct (pow_lt_1_zero d ltac:(rewrite Rabs_right;
      lra) (eps / (2 * (most + 1)))) as [N HN].
    { apply Rdiv_lt_0_compat; lra. }
    exists N. specialize (HN N (le_n _)). rewrite Rabs_right in HN by (apply Rle_ge, pow_le; lra).
    assert (Near : forall n, (N <= n)%nat -> Rabs (collected R p (w n) - collected R p (w N)) < eps
      / 2).
    { intros n L. pose proof (play_firstn (moves R) (next R) c w W N (n - N)) as Pre.
      replace (N + (n - N))%nat with n in Pre by lia. rewrite <- (firstn_skipn N (w n)), Pre.
      destruct (H (w N) p (skipn N (w n))) as [_ Tail].
      assert (Len : length (w N : history) = N) by exact (play_length (moves R) (next R) c w W N).
      rewrite Len in Tail.
      apply Rle_lt_trans with (1 := Tail). apply Rle_lt_trans with (d ^ N * (most + 1)).
      - apply Rmult_le_compat_l; [apply pow_le; lra|lra].
      - apply Rlt_le_trans with (eps / (2 * (most + 1)) * (most + 1)). apply Rmult_lt_compat_r; lra.
        right. field. lra. }
    intros n m Ln Lm. unfold R_dist. pose proof (Near n Ln) as A1. pose proof (Near m Lm) as A2.
    apply Rabs_def2 in A1, A2.
    apply Rabs_def1; lra. }
  split; [exact Sums|].
  destruct (expectation_exists (moves R) (next R) (fair R is_state)
    (moves_nonneg R is_state game_shape) (moves_sum R is_state game_shape)
      (fair_next R is_state game_shape) c (fun _ h => collected R p h) (discounted_sum p) most
        fair0) as (e & C & E).
  - intros _ h. apply (H h p []).
  - intros w W. destruct (Sums w W) as [y Y]. now exists y.
  - exists e. split; auto. intros large eps He. destruct (C eps He) as [N HN]. exists N. intros n L.
    replace (worth reals R large n s t p : Rdefinitions.R)
      with (Convergence.expect (moves R) (next R) n (collected R p) c); [now apply HN|].
    unfold worth. change (rules_kind R) with (the_kind G). rewrite kind. cbn [may_last].
    symmetry. exact (won_expected R is_state game_shape n c fair0).
Qed.
Theorem discounted_secured_A s p q : is_state p -> A_secures_with reals R s p q ->
  forall t e, proper_B reals R p t ->
  Convergence.expectation (moves R) (next R) {| by_A := s; by_B := t;
    place := p |} (discounted_sum p) e -> q <= e.
Proof.
  intros P (S & least & H) t e T E. destruct (discounted_expected s t p P S T) as (_ & e' & E' & C).
  assert (e = e') as ->.
  { apply (expectation_unique (moves R) (next R) (fair R is_state)
      (moves_nonneg R is_state game_shape) (moves_sum R is_state game_shape)
      (fair_next R is_state game_shape) _ (discounted_sum p)) with (2 :=
        fun w y y' _ => UL_sequence _ y y') (3 := E) (4 := E').
    split; [exact P|split; assumption]. }
  apply (limit_at_least (fun n => worth reals R least n s t p)); auto. intros d0 D.
  destruct (H least d0 (Qle_refl _) D) as [m M].
  exists m. intros n L. now apply M.
Qed.

Theorem discounted_secured_B t p q : is_state p -> B_secures_with reals R t p q ->
  forall s e, proper_A reals R p s ->
  Convergence.expectation (moves R) (next R) {| by_A := s; by_B := t;
    place := p |} (discounted_sum p) e -> e <= q.
Proof.
  intros P (T & least & H) s e S E. destruct (discounted_expected s t p P S T) as (_ & e' & E' & C).
  assert (e = e') as ->.
  { apply (expectation_unique (moves R) (next R) (fair R is_state)
      (moves_nonneg R is_state game_shape) (moves_sum R is_state game_shape)
      (fair_next R is_state game_shape) _ (discounted_sum p)) with (2 :=
        fun w y y' _ => UL_sequence _ y y') (3 := E) (4 := E').
    split; [exact P|split; assumption]. }
  apply Ropp_le_cancel. apply (limit_at_least (fun n => - worth reals R least n s t p)).
  - intros d0 D. destruct (H least d0 (Qle_refl _) D) as [m M]. exists m. intros n L.
    specialize (M n s L S).
    change (worth reals R least n s t p <= q + (ratio d0 : reals)) in M.
    change (- q - (ratio d0 : reals) <= - worth reals R least n s t p). lra.
  - exact (CV_opp _ _ (C least)).
Qed.
End Discounted.
End Game.
