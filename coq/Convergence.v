(** * Bounded convergence, for what happens turn by turn

    A process draws one of finitely many moves in every turn. Let functions of the first n moves be
    bounded, and converge along every infinite play. Then their expectations converge, and the limit
    depends on the limits along the plays alone ([expectation_unique]). So it is the expectation of
    the limits, and needs no measure on infinite plays. *)

From Coq Require Import Rbase Rfunctions Rseries SeqProp List Arith Lia Lra.
From Coq Require ClassicalDedekindReals.
Import ListNotations.
Local Open Scope R_scope.

(** ** Decisions

    A statement about all numbers holds, or some number contradicts it. *)

Lemma all_or_not (P : nat -> Prop) : (forall n, {P n} + {~ P n}) -> {n | ~ P n} + {forall n, P n}.
Proof. exact (ClassicalDedekindReals.sig_forall_dec P). Qed.

Lemma all_decided (P : nat -> Prop) : (forall n, {P n} + {~ P n}) -> {forall n, P n} +
  {~ forall n, P n}.
Proof. intros D. destruct (all_or_not P D) as [[n N]|H]; auto. Qed.

(** From some number on, or again and again. *)
Lemma eventually_or_often (P : nat -> Prop) : (forall n, {P n} + {~ P n}) ->
  {N | forall n, (N <= n)%nat -> P n} + {forall N, exists n, (N <= n)%nat /\ ~ P n}.
Proof.
  intros D. assert (D' : forall N n, {(N <= n)%nat -> P n} + {~ ((N <= n)%nat -> P n)}).
  { intros N n. destruct (le_dec N n) as [L|L]; [|left; lia]. destruct (D n); [left|right]; auto. }
  set (Q N := ~ forall n, (N <= n)%nat -> P n).
  assert (DQ : forall N, {Q N} + {~ Q N}) by (intros N; unfold Q; destruct (all_decided _ (D' N));
    auto).
  destruct (all_or_not Q DQ) as [[N H]|H].
  - left. exists N. destruct (all_decided _ (D' N)); auto. now destruct H.
  - right. intros N. destruct (all_or_not _ (D' N)) as [[n Hn]|Hn]; [|now destruct (H N)].
    exists n. destruct (le_dec N n); [|exfalso; apply Hn; lia]. split; auto.
Qed.

(** A bounded sequence has a number that no later one exceeds by more than [eta], if it rises. *)
Lemma nearly_highest (u : nat -> R) most eta : 0 < eta -> (forall n, u n <= most) ->
  {N | forall n, u n <= u N + eta}.
Proof.
  intros He B. destruct (completeness (fun y => exists n, y = u n)) as [l [Up Least]].
  - exists most. intros y [n ->]. apply B.
  - now exists (u O), O.
  - destruct (all_or_not (fun n => u n <= l - eta)) as [[N H]|H]. { intros n. apply Rle_dec. }
    + exists N. intros n. assert (u n <= l) by (apply Up; now exists n). lra.
    + exfalso. assert (l <= l - eta) by (apply Least; intros y [n ->]; apply H). lra.
Qed.

Lemma Rabs_minus x : Rabs ((-1) * x) = Rabs x.
Proof. replace ((-1) * x) with (- x) by lra. apply Rabs_Ropp. Qed.

(** ** Processes *)

Section Process.
Context {State Move : Type}.
Variables (K : State -> list (Move * R)) (next : State -> Move -> State) (Good : State -> Prop).
Implicit Types (s : State) (m : Move) (h : list Move) (f g : list Move -> R) (w : nat -> list Move).

Fixpoint mean (l : list (Move * R)) (v : Move -> R) : R :=
  match l with [] => 0 | (m, x) :: l => x * v m + mean l v end.

Hypothesis weights_nonneg : forall s m x, Good s -> In (m, x) (K s) -> 0 <= x.
Hypothesis weights_sum : forall s, Good s -> mean (K s) (fun _ => 1) = 1.
Hypothesis good_next : forall s m x, Good s -> In (m, x) (K s) -> 0 < x -> Good (next s m).

(** The expectation of a function of the next [n] moves. *)
Fixpoint expect (n : nat) f s : R :=
  match n with
  | O => f []
  | S n => mean (K s) (fun m => expect n (fun h => f (m :: h)) (next s m))
  end.

(** An infinite play, by its first n moves; each move has a positive probability. *)
Definition after s h : State := fold_left next h s.
Definition play s w : Prop :=
  w O = [] /\ forall n, exists m x, In (m, x) (K (after s (w n))) /\ 0 < x /\ w (S n) = w n ++ [m].

Lemma mean_le l u v : (forall m x, In (m, x) l -> 0 <= x) -> (forall m x, In (m, x) l -> 0 < x ->
  u m <= v m) ->
  mean l u <= mean l v.
Proof.
  induction l as [|[m x] l IH]; simpl; intros P H. lra.
  assert (mean l u <= mean l v) by (apply IH; intros; [apply (P m0)|apply (H m0 x0)]; auto).
  assert (X : 0 <= x) by (apply (P m); auto). destruct (Rle_lt_or_eq_dec 0 x X) as [X'|<-]; [|lra].
  assert (u m <= v m) by (apply (H m x); auto).
  assert (x * u m <= x * v m) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma mean_add l u v : mean l (fun m => u m + v m) = mean l u + mean l v.
Proof. induction l as [|[m x] l IH]; simpl; [|rewrite IH]; lra. Qed.
Lemma mean_mul l c v : mean l (fun m => c * v m) = c * mean l v.
Proof. induction l as [|[m x] l IH]; simpl; [|rewrite IH]; lra. Qed.
Lemma mean_ext l u v : (forall m, u m = v m) -> mean l u = mean l v.
Proof. intros H. induction l as [|[m x] l IH]; simpl; [|rewrite IH, H]; auto. Qed.
Lemma mean_const s c : Good s -> mean (K s) (fun _ => c) = c.
Proof.
  intros G. rewrite (mean_ext _ _ (fun _ => c * 1)) by (intros; lra). rewrite mean_mul, weights_sum;
    auto. lra.
Qed.

Lemma expect_ext n : forall f g s, (forall h, f h = g h) -> expect n f s = expect n g s.
Proof.
  induction n as [|n IH]; simpl; intros f g s H; auto. apply mean_ext. intros m. apply IH. auto.
Qed.

Lemma expect_le n : forall f g s, Good s -> (forall h, length h = n -> f h <= g h) ->
  expect n f s <= expect n g s.
Proof.
  induction n as [|n IH]; simpl; intros f g s G H; auto. apply mean_le. intros m x I.
  now apply (weights_nonneg s m x).
  intros m x I X. apply IH. now apply (good_next s m x). intros h L. apply H. simpl. now rewrite L.
Qed.

Lemma expect_add n : forall f g s, expect n (fun h => f h + g h) s = expect n f s + expect n g s.
Proof.
  induction n as [|n IH]; simpl; intros f g s; auto. rewrite <- mean_add. apply mean_ext. intros m.
  apply IH.
Qed.

Lemma expect_mul n c : forall f s, expect n (fun h => c * f h) s = c * expect n f s.
Proof.
  induction n as [|n IH]; simpl; intros f s; auto. rewrite <- mean_mul. apply mean_ext. intros m.
  apply IH.
Qed.

Lemma mean_eq_good s u v : Good s -> (forall m x, In (m, x) (K s) -> 0 < x -> u m = v m) ->
  mean (K s) u = mean (K s) v.
Proof.
  intros G H. apply Rle_antisym; apply mean_le; intros m x I; try now apply (weights_nonneg s m x).
  all: intros X; rewrite (H m x I X); lra.
Qed.

Lemma expect_const n c : forall s, Good s -> expect n (fun _ => c) s = c.
Proof.
  induction n as [|n IH]; simpl; intros s G; auto. transitivity (mean (K s) (fun _ => c));
    [|now apply mean_const]. apply mean_eq_good; auto.
  intros m x I X. apply IH. now apply (good_next s m x).
Qed.

(** Functions of the first [d] moves. *)
Definition early (d : nat) f : Prop := forall h, f h = f (firstn d h).

Lemma early_later d f m : early (S d) f -> early d (fun h => f (m :: h)).
Proof. intros H h. now rewrite (H (m :: h)). Qed.
Lemma early_more d d' f : (d <= d')%nat -> early d f -> early d' f.
Proof. intros L H h. rewrite (H h), (H (firstn d' h)), firstn_firstn. now rewrite Nat.min_l. Qed.

Lemma expect_more n : forall d f s, Good s -> early d f -> (d <= n)%nat -> expect (S n) f s =
  expect n f s.
Proof.
  induction n as [|n IH]; intros d f s G H L.
  - simpl. transitivity (mean (K s) (fun _ => f [])); [|now apply mean_const]. apply mean_ext.
    intros m. rewrite (H [m]). now replace d with O by lia.
  - change (expect (S (S n)) f s) with (mean (K s) (fun m => expect (S n) (fun h => f (m :: h))
      (next s m))).
    change (expect (S n) f s) with (mean (K s) (fun m => expect n (fun h => f (m :: h))
      (next s m))).
    apply mean_eq_good; auto. intros m x I X. apply IH with (pred d). now apply (good_next s m x).
    2: lia.
    apply early_later. apply early_more with d; auto. lia.
Qed.

Lemma expect_enough n n' d f s : Good s -> early d f -> (d <= n)%nat -> (d <= n')%nat ->
  expect n f s = expect n' f s.
Proof.
  intros G H L L'. assert (A : forall k, (d <= k)%nat -> expect k f s = expect d f s).
  { intros k D. induction D as [|k D IH]; auto. rewrite <- IH. now apply expect_more with d. }
  now rewrite (A n L), (A n' L').
Qed.

(** *** Plays *)

Lemma play_length s w : play s w -> forall n, length (w n) = n.
Proof.
  intros [P0 P] n. induction n as [|n IH]. now rewrite P0. destruct (P n) as (m & x & _ & _ & ->).
  rewrite app_length, IH. simpl. lia.
Qed.

Lemma play_firstn s w : play s w -> forall n k, firstn n (w (n + k)%nat) = w n.
Proof.
  intros P n k. pose proof (play_length s w P) as Len. induction k as [|k IH].
  - rewrite Nat.add_0_r, <- (Len n) at 1. apply firstn_all.
  - replace (n + S k)%nat with (S (n + k)) by lia.
    destruct (proj2 P (n + k)%nat) as (m & x & _ & _ & ->).
    rewrite firstn_app, Len. replace (n - (n + k))%nat with O by lia. now rewrite app_nil_r.
Qed.

(** *** A play along which something happens again and again

    [B] is a sequence of events, of the first [n] moves. If events of a probability of at least
    [delta] come again and again, then there is a play with infinitely many of the events. *)
Section Often.
Variables (B : nat -> list Move -> bool) (s0 : State) (delta : R).
Hypothesis good0 : Good s0.
Hypothesis delta_positive : 0 < delta.

Definition ind (b : bool) : R := if b then 1 else 0.
Definition at_ (n : nat) h : bool := B n (firstn n h).
Hypothesis likely : forall N, exists n, (N <= n)%nat /\ delta <= expect n (fun h => ind (B n h)) s0.

(** One of the events from [k] to [k + n] happens. *)
Definition some (k n : nat) h : bool := existsb (fun j => at_ j h) (seq k (S n)).
Definition chance_of (k n : nat) : R := expect (k + n) (fun h => ind (some k n h)) s0.

Lemma ind_range b : 0 <= ind b <= 1. Proof. destruct b; simpl; lra. Qed.

Lemma some_firstn k n d h : (k + n <= d)%nat -> some k n (firstn d h) = some k n h.
Proof.
  intros L. apply Bool.eq_iff_eq_true. unfold some. rewrite !existsb_exists.
  split; intros (j & J & H); exists j; split; auto; apply in_seq in J; unfold at_ in *;
    rewrite firstn_firstn, Nat.min_l in *; auto; lia.
Qed.

Lemma some_early k n : early (k + n) (fun h => ind (some k n h)).
Proof. intros h. now rewrite some_firstn. Qed.

Lemma chance_most k n : chance_of k n <= 1.
Proof.
  unfold chance_of. apply Rle_trans with (expect (k + n) (fun _ => 1) s0); [|rewrite expect_const;
    auto; lra].
  apply expect_le; auto. intros h _. apply ind_range.
Qed.

(** After [length_of k] events nearly all has happened. *)
Definition spare (k : nat) : R := delta * (/ 2) ^ (k + 2).
Lemma spare_positive k : 0 < spare k. Proof. apply Rmult_lt_0_compat; auto. apply pow_lt. lra. Qed.
Definition length_of (k : nat) : nat := proj1_sig (nearly_highest (chance_of k) 1 (spare k)
  (spare_positive k) (chance_most k)).
Lemma length_enough k n : chance_of k n <= chance_of k (length_of k) + spare k.
Proof. unfold length_of. destruct (nearly_highest _ _ _ _ _) as [N H]. apply H. Qed.

Definition one_of (k : nat) h : bool := some k (length_of k) h.
Fixpoint each (n : nat) h : bool :=
  match n with O => one_of 0 h | S n => (each n h && one_of (S n) h)%bool end.
Fixpoint depth (n : nat) : nat :=
  match n with O => length_of 0 | S k => Nat.max (depth k) (n + length_of n) end.
Fixpoint excess (n N : nat) h : R :=
  ind (some n (N - n) h) - ind (one_of n h) + match n with O => 0 | S n => excess n N h end.

Lemma depth_enough n k : (k <= n)%nat -> (k + length_of k <= depth n)%nat.
Proof.
  induction n as [|n IH]; intros L; simpl. now replace k with O by lia.
  destruct (Nat.eq_dec k (S n)) as [->|]; lia.
Qed.

Lemma some_more k n k' n' h : (k' <= k)%nat -> (k + n <= k' + n')%nat -> some k n h = true ->
  some k' n' h = true.
Proof.
  unfold some. rewrite !existsb_exists. intros L L' (j & J & H). exists j. split; auto.
  apply in_seq in J. apply in_seq. lia.
Qed.

Lemma excess_each n N h : (depth n <= N)%nat -> 0 <= excess n N h /\ ind (some n (N - n) h) <=
  ind (each n h) + excess n N h.
Proof.
  assert (T : forall k, (k + length_of k <= N)%nat ->
    0 <= ind (some k (N - k) h) - ind (one_of k h)).
  { intros k L. unfold one_of. destruct (some k (length_of k) h) eqn:E;
      [|pose proof (ind_range (some k (N - k) h)); simpl; lra].
    rewrite (some_more k (length_of k) k (N - k) h); auto; simpl; lra || lia. }
  induction n as [|n IH]; intros L.
  - simpl in *. specialize (T O ltac:(lia)). lra.
  - pose proof (depth_enough (S n) (S n) (le_n _)) as D. cbn [depth] in L. destruct IH as [I1 I2];
      [lia|].
    specialize (T (S n) ltac:(lia)). cbn [each excess]. split; [lra|].
    destruct (one_of (S n) h) eqn:O.
    + rewrite Bool.andb_true_r. unfold ind in T at 2.
      enough (ind (some (S n) (N - S n) h) <= ind (some n (N - n) h)) by (simpl in *; lra).
      destruct (some (S n) (N - S n) h) eqn:E; [|apply ind_range].
      rewrite (some_more (S n) (N - S n) n (N - n) h); auto; simpl; lra || lia.
    + rewrite Bool.andb_false_r. simpl. lra.
Qed.

Lemma excess_small n N : (depth n <= N)%nat -> expect N (excess n N) s0 <= delta / 2 - spare n.
Proof.
  assert (T : forall k, (k + length_of k <= N)%nat ->
    expect N (fun h => ind (some k (N - k) h) - ind (one_of k h)) s0 <= spare k).
  { intros k L. rewrite (expect_ext N _ (fun h => ind (some k (N - k) h) + (-1) * ind (one_of k h)))
      by (intros; lra).
    rewrite expect_add, expect_mul. pose proof (length_enough k (N - k)) as E.
    unfold chance_of in E.
    rewrite (expect_enough (k + (N - k)) N (k + (N - k)) _ s0 good0 (some_early k (N - k))) in E
      by lia.
    rewrite (expect_enough (k + length_of k) N (k + length_of k) _ s0 good0
      (some_early k (length_of k))) in E by lia.
    unfold one_of. lra. }
  induction n as [|n IH]; intros L.
  - cbn [excess]. rewrite (expect_ext N _ (fun h => ind (some 0 (N - 0) h) - ind (one_of 0 h)))
      by (intros; lra).
    specialize (T O ltac:(simpl in L; lia)). unfold spare in *. simpl in *. lra.
  - pose proof (depth_enough (S n) (S n) (le_n _)) as D. cbn [depth] in L.
    specialize (IH ltac:(lia)). specialize (T (S n) ltac:(lia)).
    cbn [excess]. rewrite expect_add. unfold spare in *. replace (S n + 2)%nat with (S (n + 2)) in *
      by lia. simpl pow in *. lra.
Qed.

Lemma each_firstn n d h : (depth n <= d)%nat -> each n (firstn d h) = each n h.
Proof.
  revert h. induction n as [|n IH]; intros h L; cbn [each]; unfold one_of.
  - apply some_firstn. exact L.
  - pose proof (depth_enough (S n) (S n) (le_n _)). cbn [depth] in L. rewrite IH by lia. f_equal.
    apply some_firstn. lia.
Qed.

Lemma each_early n : early (depth n) (fun h => ind (each n h)).
Proof. intros h. now rewrite each_firstn. Qed.

Lemma each_likely n : 0 < expect (depth n) (fun h => ind (each n h)) s0.
Proof.
  destruct (likely (n + depth n)) as (N & J & L).
  rewrite (expect_enough (depth n) N (depth n) _ s0 good0 (each_early n)) by lia.
  assert (A : expect N (fun h => ind (B N h)) s0 <= expect N (fun h => ind (each n h) +
    excess n N h) s0).
  { apply expect_le; auto. intros h Lh. destruct (excess_each n N h) as [_ X]; [lia|].
    apply Rle_trans with (2 := X).
    destruct (B N h) eqn:E; [|apply ind_range]. enough (some n (N - n) h = true) as -> by (simpl;
      lra).
    apply existsb_exists. exists N. split. apply in_seq. lia. unfold at_.
    now rewrite <- Lh, firstn_all, Lh. }
  rewrite expect_add in A. pose proof (excess_small n N ltac:(lia)). pose proof (spare_positive n).
  lra.
Qed.

(** **** Following these events *)

Definition still (n : nat) (past : list Move) : R :=
  expect (depth n) (fun h => ind (each n (past ++ h))) (after s0 past).
Definition possible (past : list Move) : Prop := Good (after s0 past) /\ forall n, 0 < still n past.

Lemma after_app past m : after s0 (past ++ [m]) = next (after s0 past) m.
Proof. unfold after. now rewrite fold_left_app. Qed.

Lemma each_fewer n n' h : (n <= n')%nat -> each n' h = true -> each n h = true.
Proof.
  induction 1 as [|n' L IH]; auto. cbn [each]. rewrite Bool.andb_true_iff. intros [E _]. auto.
Qed.

Lemma early_past n past : early (depth n) (fun h => ind (each n (past ++ h))).
Proof.
  intros h. pose proof (each_early n (past ++ h)) as E1.
  pose proof (each_early n (past ++ firstn (depth n) h)) as E2.
  cbv beta in E1, E2. rewrite E1, E2. do 2 f_equal. rewrite !firstn_app, firstn_firstn. f_equal.
  f_equal. lia.
Qed.

Lemma still_range n past : Good (after s0 past) -> 0 <= still n past.
Proof.
  intros G. unfold still. apply Rle_trans with (expect (depth n) (fun _ => 0) (after s0 past));
    [rewrite expect_const; auto; lra|].
  apply expect_le; auto. intros h _. apply ind_range.
Qed.

Lemma still_step n past : Good (after s0 past) ->
  still n past = mean (K (after s0 past)) (fun m => still n (past ++ [m])).
Proof.
  intros G. unfold still. rewrite <- (expect_more (depth n) (depth n) _ _ G (early_past n past)
    (le_n _)). simpl.
  apply mean_ext. intros m. rewrite after_app. apply expect_ext. intros h. now rewrite <- app_assoc.
Qed.

Lemma still_fewer n n' past : Good (after s0 past) -> (n <= n')%nat ->
  still n' past <= still n past.
Proof.
  intros G L. unfold still. set (N := (depth n + depth n')%nat).
  rewrite (expect_enough (depth n) N (depth n) _ _ G (early_past n past)) by (unfold N; lia).
  rewrite (expect_enough (depth n') N (depth n') _ _ G (early_past n' past)) by (unfold N; lia).
  apply expect_le; auto. intros h _. destruct (each n' (past ++ h)) eqn:E; [|apply ind_range].
  rewrite (each_fewer n n' _ L E). lra.
Qed.

(** The first move after which all remains possible, or a number that none of the moves leaves
    possible. *)
Lemma next_move past (l : list (Move * R)) : (forall m x, In (m, x) l -> 0 < x ->
  Good (after s0 (past ++ [m]))) ->
  {m | exists x, In (m, x) l /\ 0 < x /\ forall n, 0 < still n (past ++ [m])} +
  {n | forall m x, In (m, x) l -> 0 < x -> still n (past ++ [m]) <= 0}.
Proof.
  induction l as [|[m x] l IH]; intros G. { right. now exists O. }
  destruct IH as [[m' H]|[n H]]. { intros m' x' I. apply (G m' x'). now right. }
  { left. exists m'. destruct H as (x' & I & H). exists x'. split; auto. now right. }
  destruct (Rlt_dec 0 x) as [X|X].
  2: { right. exists n. intros m' x' [[= <- <-]|I] X'; [easy|]. now apply (H m' x'). }
  destruct (all_or_not (fun n => 0 < still n (past ++ [m]))) as [[n' H']|H']. { intros n'.
  apply Rlt_dec. }
  - right. exists (max n n'). intros m' x' I X'.
    assert (G' : Good (after s0 (past ++ [m']))) by (apply (G m' x'); auto).
    destruct I as [[= <- <-]|I].
    + apply Rle_trans with (still n' (past ++ [m])). apply still_fewer; auto. lia. cbv beta in H'.
      lra.
    + apply Rle_trans with (still n (past ++ [m'])). apply still_fewer; auto. lia.
      now apply (H m' x').
  - left. exists m. exists x. split; auto. now left.
Qed.

Lemma good_more past m x : Good (after s0 past) -> In (m, x) (K (after s0 past)) -> 0 < x ->
  Good (after s0 (past ++ [m])).
Proof. intros G I X. rewrite after_app. now apply (good_next _ m x). Qed.

Definition possible_past : Type := {past | possible past}.

Definition follow (p : possible_past) : {q : possible_past | exists m x,
  proj1_sig q = proj1_sig p ++ [m] /\ In (m, x) (K (after s0 (proj1_sig p))) /\ 0 < x}.
Proof.
  destruct p as [past [G P]]. cbn [proj1_sig].
  destruct (next_move past (K (after s0 past))) as [[m H]|[n H]]. { intros m x I X.
  now apply (good_more past m x). }
  - assert (Q : possible (past ++ [m])). { destruct H as (x & I & X & H). split; auto.
    now apply (good_more past m x). }
    exists (exist _ _ Q). destruct H as (x & I & X & _). now exists m, x.
  - exfalso. specialize (P n). rewrite still_step in P by exact G.
    assert (mean (K (after s0 past)) (fun m => still n (past ++ [m])) <=
      mean (K (after s0 past)) (fun _ => 0)).
    { apply mean_le; auto. intros m x I. now apply (weights_nonneg (after s0 past) m x). }
    rewrite mean_const in H0; auto. lra.
Qed.

Lemma possible_at_first : possible [].
Proof.
  split; [exact good0|]. intros n. unfold still. apply Rlt_le_trans with (1 := each_likely n).
  simpl. lra.
Qed.

Fixpoint followed (n : nat) : possible_past :=
  match n with
  | O => exist _ _ possible_at_first
  | S n => proj1_sig (follow (followed n))
  end.
Definition often (n : nat) : list Move := proj1_sig (followed n).

Lemma often_play : play s0 often.
Proof.
  split; [reflexivity|]. intros n. unfold often. cbn [followed].
  destruct (follow (followed n)) as [q (m & x & E & I & X)].
  cbn [proj1_sig]. now exists m, x.
Qed.

Theorem play_often : exists w, play s0 w /\ forall N, exists n, (N <= n)%nat /\ B n (w n) = true.
Proof.
  exists often. split; [exact often_play|]. intros N. pose proof (play_length s0 often often_play)
    as Len.
  assert (H : each N (often (depth N)) = true).
  { destruct (proj2_sig (followed (depth N))) as [_ P]. specialize (P N).
    fold (often (depth N)) in P. unfold still in P.
    destruct (each N (often (depth N))) eqn:E; auto. exfalso. revert P.
    rewrite (expect_ext _ _ (fun _ => 0)).
    - rewrite expect_const; [lra|]. apply (proj2_sig (followed (depth N))).
    - intros h. pose proof (each_early N (often (depth N) ++ h)) as A. cbv beta in A.
      rewrite A, firstn_app, Len, Nat.sub_diag.
      rewrite app_nil_r, <- (Len (depth N)) at 1. rewrite firstn_all, E. reflexivity. }
  assert (O : one_of N (often (depth N)) = true).
  { destruct N; [exact H|]. cbn [each] in H. now apply andb_prop in H. }
  apply existsb_exists in O as (j & J & O). apply in_seq in J. exists j. split; [lia|].
  unfold at_ in O.
  pose proof (depth_enough N N (le_n _)) as D. replace (depth N) with (j + (depth N - j))%nat in O
    by lia.
  now rewrite (play_firstn s0 often often_play) in O.
Qed.
End Often.

(** ** Bounded convergence *)

Theorem null_convergence s (f : nat -> list Move -> R) most : Good s ->
  (forall n h, Rabs (f n h) <= most) ->
  (forall w, play s w -> Un_cv (fun n => f n (w n)) 0) -> Un_cv (fun n => expect n (f n) s) 0.
Proof.
  intros G Bd C eps He.
  assert (M : 0 <= most) by (apply Rle_trans with (2 := Bd O []); apply Rabs_pos).
  set (d := eps / 2). set (B n h := if Rlt_dec d (Rabs (f n h)) then true else false).
  set (delta := eps / (4 * (most + 1))). assert (D0 : 0 < delta) by (apply Rdiv_lt_0_compat; lra).
  destruct (eventually_or_often (fun n => expect n (fun h => ind (B n h)) s < delta)) as [[N H]|H].
  { intros n. apply Rlt_dec. }
  - exists N. intros n L. unfold R_dist. rewrite Rminus_0_r. specialize (H n L).
    assert (A : expect n (fun h => Rabs (f n h)) s <= d + most * expect n (fun h => ind (B n h)) s).
    { rewrite <- expect_mul. rewrite <- (expect_const n d s G), <- expect_add.
      apply expect_le; auto. intros h _.
      unfold B. specialize (Bd n h). destruct (Rlt_dec d (Rabs (f n h))); simpl; unfold d in *; lra.
      }
    assert (U : Rabs (expect n (f n) s) <= expect n (fun h => Rabs (f n h)) s).
    { apply Rabs_le. split.
      - replace (- expect n (fun h => Rabs (f n h)) s)
          with (expect n (fun h => (-1) * Rabs (f n h)) s)
          by (rewrite expect_mul; lra). apply expect_le; auto. intros h _.
          pose proof (Rle_abs (- f n h)). rewrite Rabs_Ropp in *. lra.
      - apply expect_le; auto. intros h _. apply Rle_abs. }
    assert (most * expect n (fun h => ind (B n h)) s <= most * delta) by (apply Rmult_le_compat_l;
      lra).
    assert (most * delta < d).
    { unfold delta, d. apply Rle_lt_trans with ((most + 1) * (eps / (4 * (most + 1)))).
      apply Rmult_le_compat_r; [apply Rlt_le, D0|lra].
      replace ((most + 1) * (eps / (4 * (most + 1)))) with (eps / 4) by (field; lra). lra. }
    unfold d in *. lra.
  - destruct (play_often B s delta G D0) as (w & P & O).
    { intros N. destruct (H N) as (n & L & Hn). exists n. split; auto. lra. }
    exfalso. destruct (C w P d) as [N HN]. { unfold d. lra. } destruct (O N) as (n & L & Bn).
    specialize (HN n L).
    unfold R_dist in HN. rewrite Rminus_0_r in HN. unfold B in Bn.
    destruct (Rlt_dec d (Rabs (f n (w n)))); [lra|easy].
Qed.

(** A payoff is a property of plays and numbers: every play has one payoff. Its expectation is the
    limit of the expectations of bounded functions of the first n moves that tend to it along every
    play. *)
Definition expectation s (payoff : (nat -> list Move) -> R -> Prop) (e : R) : Prop :=
  exists (f : nat -> list Move -> R) most, (forall n h, Rabs (f n h) <= most) /\
    (forall w, play s w -> exists y, payoff w y /\ Un_cv (fun n => f n (w n)) y) /\
    Un_cv (fun n => expect n (f n) s) e.

(** It does not matter by which functions. *)
Theorem expectation_unique s (payoff : (nat -> list Move) -> R -> Prop) e e' : Good s ->
  (forall w y y', play s w -> payoff w y -> payoff w y' -> y = y') ->
  expectation s payoff e -> expectation s payoff e' -> e = e'.
Proof.
  intros G One (f & most & Bf & Cf & Ef) (g & most' & Bg & Cg & Eg). apply Rminus_diag_uniq.
  apply (UL_sequence (fun n => expect n (fun h => f n h + (-1) * g n h) s)).
  - intros eps He. destruct (CV_minus _ _ _ _ Ef Eg eps He) as [N H]. exists N. intros n L.
    specialize (H n L).
    rewrite expect_add, expect_mul. unfold R_dist in *. replace (_ + (-1) * _ - (e - e')) with
      (expect n (f n) s - expect n (g n) s - (e - e')) by lra. exact H.
  - apply (null_convergence s (fun n h => f n h + (-1) * g n h) (most + most')); auto.
    + intros n h. apply Rle_trans with (1 := Rabs_triang _ _). apply Rplus_le_compat; auto.
      rewrite Rabs_minus. apply Bg.
    + intros w P eps He. destruct (Cf w P) as (y & Y & Cy), (Cg w P) as (y' & Y' & Cy').
      rewrite (One w y' y P Y' Y) in Cy'. destruct (CV_minus _ _ _ _ Cy Cy' eps He) as [N H].
      exists N. intros n L.
      specialize (H n L). unfold R_dist in *.
      replace (_ + (-1) * _ - 0) with (f n (w n) - g n (w n) - (y - y)) by lra. exact H.
Qed.

(** And there is one. *)
Section Exists.
Variables (s : State) (f : nat -> list Move -> R) (payoff : (nat -> list Move) -> R ->
  Prop) (most : R).
Hypothesis good : Good s.
Hypothesis bounded : forall n h, Rabs (f n h) <= most.
Hypothesis converges : forall w, play s w -> exists y, payoff w y /\ Un_cv (fun n => f n (w n)) y.
Let a n := expect n (f n) s.

(** The last number up to [n] with an expectation of at least [c]. *)
Fixpoint last (c : R) (n : nat) : nat := match n with O => O
  | S k => if Rle_dec c (a n) then n else last c k end.

Lemma last_le c n : (last c n <= n)%nat.
Proof. induction n as [|n IH]; cbn [last]; auto. destruct (Rle_dec c (a (S n))); lia. Qed.

Lemma last_spec c j : c <= a j -> forall n, (j <= n)%nat -> (j <= last c n)%nat /\
  c <= a (last c n).
Proof.
  intros A n L. induction L as [|n L IH].
  - destruct j; cbn [last]; auto. destruct (Rle_dec c (a (S j))); [auto|easy].
  - cbn [last]. destruct (Rle_dec c (a (S n))); [|exact IH]. split; [lia|auto].
Qed.

Lemma expect_firstn k n : (k <= n)%nat -> expect n (fun h => f k (firstn k h)) s = a k.
Proof.
  intros L. rewrite (expect_enough n k k _ s good); auto.
  - unfold a. apply Rle_antisym; apply expect_le; auto; intros h E; rewrite <- E, firstn_all; lra.
  - intros h. now rewrite firstn_firstn, Nat.min_id.
Qed.

Lemma no_fall c delta : 0 < delta -> (forall N, exists n, (N <= n)%nat /\ c <= a n) ->
  exists N, forall n, (N <= n)%nat -> c - delta <= a n.
Proof.
  intros D O. assert (Z : Un_cv (fun n => expect n (fun h => f n h +
    (-1) * f (last c n) (firstn (last c n) h)) s) 0).
  { apply (null_convergence s _ (most + most)); auto.
    - intros n h. apply Rle_trans with (1 := Rabs_triang _ _). apply Rplus_le_compat; auto.
      rewrite Rabs_minus. apply bounded.
    - intros w P eps He. destruct (converges w P) as (y & _ & C). destruct (C (eps / 2)) as [N HN];
        [lra|]. destruct (O N) as (j & J & A).
      exists j. intros n Ln. destruct (last_spec c j A n Ln) as [Le _]. pose proof (last_le c n).
      pose proof (HN n ltac:(lia)) as H1. pose proof (HN (last c n) ltac:(lia)) as H2.
      assert (E : firstn (last c n) (w n) = w (last c n)).
      { replace n with (last c n + (n - last c n))%nat at 2 by lia. apply (play_firstn s w P). }
      rewrite E. unfold R_dist in *. apply Rabs_def2 in H1, H2. apply Rabs_def1; lra. }
  destruct (Z delta D) as [N HN]. destruct (O N) as (j & J & A). exists j. intros n Ln.
  specialize (HN n ltac:(lia)).
  rewrite expect_add, expect_mul, (expect_firstn _ _ (last_le c n)) in HN. fold (a n) in HN.
  destruct (last_spec c j A n Ln) as [_ C]. unfold R_dist in HN. apply Rabs_def2 in HN. lra.
Qed.

Theorem expectation_exists : exists e, Un_cv (fun n => expect n (f n) s) e /\
  expectation s payoff e.
Proof.
  enough (X : exists e, Un_cv a e). { destruct X as [e E]. exists e. split; auto.
  now exists f, most. }
  assert (Ba : forall n, - most <= a n <= most).
  { intros n. assert (Bd : forall h, - most <= f n h <= most).
    { intros h. specialize (bounded n h). revert bounded. unfold Rabs.
      destruct (Rcase_abs (f n h)); lra. }
    unfold a. pose proof (expect_const n (- most) s good) as E1.
    pose proof (expect_const n most s good) as E2.
    split; [rewrite <- E1|rewrite <- E2]; apply expect_le; auto; intros h _; apply Bd. }
  destruct (completeness (fun c => forall N, exists n, (N <= n)%nat /\ c <= a n)) as [e [Up Least]].
  - exists most. intros c C. destruct (C O) as (n & _ & A). specialize (Ba n). lra.
  - exists (- most). intros N. exists N. split; auto. apply Ba.
  - exists e. intros eps He. destruct (eventually_or_often (fun n => a n < e + eps / 2))
      as [[N HN]|O]. { intros n. apply Rlt_dec. }
    2: { exfalso. assert (e + eps / 2 <= e); [|lra]. apply Up. intros N.
         destruct (O N) as (n & L & A). exists n. split; auto. lra. }
    destruct (no_fall (e - eps / 4) (eps / 4)) as [N' HN']. { lra. }
    { intros M. destruct (eventually_or_often (fun n => a n < e - eps / 4)) as [[M' HM]|O].
      { intros n. apply Rlt_dec. }
      - exfalso. assert (e <= e - eps / 4); [|lra]. apply Least. intros c C.
        destruct (C M') as (n & L & A). specialize (HM n L). lra.
      - destruct (O M) as (n & L & A). exists n. split; auto. lra. }
    exists (max N N'). intros n L. specialize (HN n ltac:(lia)). specialize (HN' n ltac:(lia)).
    unfold R_dist. apply Rabs_def1; lra.
Qed.
End Exists.
End Process.
