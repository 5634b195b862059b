(** * Infinite plays of Tennis with bids of 0

    The theorems of InfinitePlays.v for the games of Endless.v: a play stays in one state from some
    turn on, or ends, and averages tend to the expectation of what this pays. *)

From Coq Require Import ZArith QArith Rbase Rfunctions Rseries SeqProp List Arith Lia Lra.
From PencilTennis Require Import Numbers Game Endless Tennis ZeroBids RealNumbers Convergence
  InfinitePlays.
Import ListNotations.
Local Open Scope R_scope.

Section Plays.
Variable G : endless_game.

(** Both players' bids, or nothing after the end. *)
Definition event : Type := option (move G * move G).
Record course := {
  by_A : Game.strategy reals G;
  by_B : Game.strategy reals G;
  place : result (state G) }.

Definition moves (c : course) : list (event * R) :=
  match place c with
  | Ends _ => [(None, 1)]
  | Goes_on _ =>
      flat_map (fun iy => map (fun jz => (Some (fst iy, fst jz), snd iy * snd jz)) (by_B c []))
        (by_A c [])
  end.
Definition moved (r : result (state G)) (m : event) : result (state G) :=
  match r, m with Goes_on p, Some (i, j) => follows G p i j | _, _ => r end.
Definition next (c : course) (m : event) : course :=
  match place c, m with
  | Goes_on _, Some (i, j) =>
      {| by_A := Game.later reals G (by_A c) i j; by_B := Game.later reals G (by_B c) i j;
         place := moved (place c) m |}
  | _, _ => c
  end.
Definition fair (c : course) : Prop :=
  match place c with
  | Ends _ => True
  | Goes_on p => Endless.proper_A reals G p (by_A c) /\ Endless.proper_B reals G p (by_B c)
  end.

Notation sum := (Convergence.mean).
Notation expect := (Convergence.expect moves next).
Notation play := (Convergence.play moves next).

Lemma mean_sum (l : mixture reals G) v : Game.mean reals G l v = sum l v.
Proof. induction l as [|[e x] l IH]; simpl; [|rewrite IH]; auto. Qed.

Lemma sum_moves c p v : place c = Goes_on p -> sum (moves c) v =
  sum (by_A c []) (fun i => sum (by_B c []) (fun j => v (Some (i, j)))).
Proof.
  unfold moves. intros ->. generalize (by_A c []) (by_B c []). intros l m.
  induction l as [|[i y] l IH]; simpl; auto.
  rewrite sum_app, IH. f_equal. clear IH. induction m as [|[j z] m IH]; simpl; [|rewrite IH]; lra.
Qed.

Lemma moves_in c p m y : fair c -> place c = Goes_on p -> In (m, y) (moves c) ->
  exists i j, m = Some (i, j) /\
  In i (moves_A G p) /\ In j (moves_B G p) /\ 0 <= y.
Proof.
  unfold fair, moves. intros F E I. rewrite E in *. destruct F as [A B].
  apply in_flat_map in I as ([i a] & IA & I). apply in_map_iff in I as ([j b] & [= <- <-] & IB).
  cbn [fst snd].
  destruct (proj1 (A [] p (Endless.start G p)) i a IA) as [Mi Ai].
  destruct (proj1 (B [] p (Endless.start G p)) j b IB) as [Mj Bj].
  exists i, j. repeat split; auto. now apply Rmult_le_pos.
Qed.

Lemma moves_nonneg c m y : fair c -> In (m, y) (moves c) -> 0 <= y.
Proof.
  intros F I. destruct (place c) as [v|p] eqn:E.
  - unfold moves in I. rewrite E in I. destruct I as [[= _ <-]|[]]. lra.
  - destruct (moves_in c p m y F E I) as (i & j & _ & _ & _ & Y). exact Y.
Qed.

Lemma moves_sum c : fair c -> sum (moves c) (fun _ => 1) = 1.
Proof.
  intros F. destruct (place c) as [v|p] eqn:E. { unfold moves. rewrite E. simpl. lra. }
  rewrite (sum_moves c p) by exact E. unfold fair in F. rewrite E in F. destruct F as [A B].
  destruct (A [] p (Endless.start G p)) as [_ SA]. destruct (B [] p (Endless.start G p)) as [_ SB].
  rewrite mean_sum in SA, SB. change (sum (by_B c []) (fun _ => 1) = 1) in SB.
  change (sum (by_A c []) (fun _ => 1) = 1) in SA.
  rewrite (sum_const (by_A c []) _ SA). exact SB.
Qed.

Lemma fair_next c m y : fair c -> In (m, y) (moves c) -> 0 < y -> fair (next c m).
Proof.
  intros F I Y. destruct (place c) as [v|p] eqn:E. { unfold next. now rewrite E. }
  destruct (moves_in c p m y F E I) as (i & j & -> & Mi & Mj & _). unfold next, fair in *.
  rewrite E in *. cbn [place by_A by_B moved].
  destruct (follows G p i j) as [v|p'] eqn:E'; auto. destruct F as [A B]. split.
  - intros h q L. apply A. econstructor; eauto.
  - intros h q L. apply B. econstructor; eauto.
Qed.

Lemma expect_constant n b c : fair c -> expect n (fun _ => b) c = b.
Proof. apply (expect_const moves next fair moves_nonneg moves_sum fair_next). Qed.

(** What a play pays that ends or stays. *)
Definition stay_there (r : result (state G)) : reals :=
  match r with Ends v => ratio v | Goes_on p => ratio (endless G p) end.
Definition reached (r : result (state G)) (h : list event) : result (state G) :=
  fold_left moved h r.
Lemma reached_end v h : reached (Ends v) h = Ends v.
Proof. unfold reached. induction h as [|m h IH]; auto. Qed.
Definition stays (r : result (state G)) (h : list event) : reals := stay_there (reached r h).

Lemma gain_expected n : forall c, fair c -> match place c with Ends v => INR n * (ratio v : reals)
  | Goes_on p => gain reals G n (by_A c) (by_B c) p end =
  total_of n (fun k => expect k (stays (place c)) c).
Proof.
  induction n as [|n IH]; intros c F. { destruct (place c); simpl; lra. }
  destruct (place c) as [v|p] eqn:E.
  - rewrite <- (total_of_const (S n)). apply total_of_ext. intros k.
    rewrite (expect_ext moves next k _ (fun _ => (ratio v : reals))). now rewrite expect_constant.
    intros h. unfold stays, reached. induction h as [|m h IHh]; auto.
  - cbn [total_of gain]. change (expect 0 (stays (Goes_on p)) c) with (ratio (endless G p) : reals).
    change (add ?u ?v) with (u + v).
    set (W m := match place (next c m) with
      | Ends v => INR n * (ratio v : reals)
      | Goes_on p' => gain reals G n (by_A (next c m)) (by_B (next c m)) p'
      end).
    f_equal. rewrite mean_sum. transitivity (sum (moves c) W).
    + rewrite (sum_moves c p _ E). apply mean_ext. intros i. rewrite mean_sum. apply mean_ext.
      intros j. unfold W, next. rewrite E.
      cbn [place by_A by_B moved]. destruct (follows G p i j) as [v|p']; auto. unfold count.
      now rewrite integer_INR.
    + rewrite (total_of_ext n _ (fun k => sum (moves c) (fun m =>
        expect k (stays (place (next c m))) (next c m)))).
      * rewrite total_of_sum. apply (mean_eq_good moves fair moves_nonneg c _ _ F). intros m y I Y.
        unfold W.
        apply (IH (next c m)). now apply (fair_next c m y).
      * intros k. change (expect (S k) ?f c) with
          (sum (moves c) (fun m => expect k (fun h => f (m :: h)) (next c m))).
        apply (mean_eq_good moves fair moves_nonneg c _ _ F). intros m y I Y.
        destruct (moves_in c p m y F E I) as (i & j & -> & _). apply expect_ext. intros h.
        unfold next. rewrite E. reflexivity.
Qed.

(** ** Along a play *)

Lemma along c w : fair c -> play c w -> forall n, fair (after next c (w n)) /\
  place (after next c (w n)) = reached (place c) (w n).
Proof.
  intros F0 [P0 P] n. induction n as [|n [F E]].
  - rewrite P0. split; [exact F0|reflexivity].
  - destruct (P n) as (m & y & I & Y & ->). unfold after, reached in *. rewrite !fold_left_app.
    cbn [fold_left]. split.
    + now apply (fair_next _ m y).
    + rewrite <- E. unfold next at 1. destruct (place (fold_left next (w n) c)) as [v|p] eqn:Q;
        [exact Q|].
      destruct (moves_in _ p m y F Q I) as (i & j & -> & _). reflexivity.
Qed.

(** Every turn lowers this number, or leaves all as it is. *)
Definition turns_left (r : result (state G)) : nat := match r with Ends _ => O
  | Goes_on p => S (turns G p) end.

Lemma along_falls c w : fair c -> play c w -> forall n, let r n := reached (place c) (w n) in
  r (S n) = r n \/ (turns_left (r (S n)) < turns_left (r n))%nat.
Proof.
  intros F0 W n r. destruct (along c w F0 W n) as [F E].
  destruct (proj2 W n) as (m & y & I & Y & Wn).
  assert (Next : r (S n) = moved (r n) m). { unfold r, reached. now rewrite Wn, fold_left_app. }
  rewrite Next. destruct (r n) as [v|p] eqn:Q; [left; reflexivity|]. unfold r in Q. rewrite Q in E.
  destruct (moves_in _ p m y F E I) as (i & j & -> & Mi & Mj & _). cbn [moved]. unfold follows.
  destruct (repeats G p i j); [now left|right]. destruct (Game.after G p i j) as [v|p'] eqn:A;
    cbn [turns_left]; [lia|].
  pose proof (turns_fall G p i j p' Mi Mj A). lia.
Qed.

Lemma settles c w : fair c -> play c w -> exists N, forall n, (N <= n)%nat ->
  reached (place c) (w n) = reached (place c) (w N).
Proof.
  intros F0 W. set (r n := reached (place c) (w n)).
  assert (H : forall b N, (turns_left (r N) < b)%nat -> exists N', forall n, (N' <= n)%nat ->
    r n = r N').
  { induction b as [|b IH]; intros N L; [lia|].
    destruct (all_or_not (fun k => turns_left (r (N + k)%nat) = turns_left (r N))) as [[k K]|K].
    { intros k. destruct (Nat.eq_dec (turns_left (r (N + k)%nat)) (turns_left (r N))); auto. }
    - apply (IH (N + k)%nat). assert (Le : forall k, (turns_left (r (N + k)%nat) <=
        turns_left (r N))%nat).
      { clear k K. induction k as [|k IHk]. now rewrite Nat.add_0_r.
        replace (N + S k)%nat with (S (N + k))%nat by lia.
        destruct (along_falls c w F0 W (N + k)%nat) as [E|E];
          fold (r (S (N + k))%nat) (r (N + k)%nat) in E; [rewrite E|]; lia. }
      specialize (Le k). lia.
    - exists N. intros n Ln. replace n with (N + (n - N))%nat by lia. generalize (n - N)%nat.
      clear n Ln.
      induction n as [|n IHn]. now rewrite Nat.add_0_r. rewrite <- IHn.
      replace (N + S n)%nat with (S (N + n))%nat by lia.
      destruct (along_falls c w F0 W (N + n)%nat) as [E|E]; [exact E|].
      fold (r (S (N + n))%nat) (r (N + n)%nat) in E.
      pose proof (K n) as K1. pose proof (K (S n)) as K2.
      replace (N + S n)%nat with (S (N + n))%nat in K2 by lia. lia. }
  apply (H (S (turns_left (r O))) O). lia.
Qed.

(** ** Averages *)

Variable most : R.
Hypothesis endless_bounded : forall p, Rabs (ratio (endless G p) : reals) <= most.
Hypothesis ends_bounded : forall p i j v, follows G p i j = Ends v -> Rabs (ratio v : reals) <=
  most.

(** The payoff of the end, or of the state in which play stays. *)
Definition settled (p : state G) (w : nat -> list event) (y : R) : Prop :=
  exists N, forall n, (N <= n)%nat -> stays (Goes_on p) (w n) = y.

Lemma settled_once p w y y' : settled p w y -> settled p w y' -> y = y'.
Proof. intros [N H] [N' H']. rewrite <- (H (max N N')), <- (H' (max N N')); auto; lia. Qed.

Lemma stays_bounded p h : Rabs (stays (Goes_on p) h) <= most.
Proof.
  unfold stays, reached. revert p. induction h as [|m h IH]; intros p; cbn [fold_left].
  { apply endless_bounded. }
  destruct m as [[i j]|]; [|apply IH]. cbn [moved]. destruct (follows G p i j) as [v|p'] eqn:E;
    [|apply IH].
  change (fold_left moved h (Ends v)) with (reached (Ends v) h). rewrite reached_end.
  now apply (ends_bounded p i j).
Qed.

Definition pair_at (s t : Game.strategy reals G) (p : state G) : course := {| by_A := s; by_B := t;
  place := Goes_on p |}.

Theorem averages_converge s t p : Endless.proper_A reals G p s -> Endless.proper_B reals G p t ->
  (forall w, play (pair_at s t p) w -> exists y, settled p w y) /\
  exists e, Convergence.expectation moves next (pair_at s t p) (settled p) e /\
    Un_cv (fun n => average reals G n s t p) e.
Proof.
  intros S T. assert (F0 : fair (pair_at s t p)) by now split.
  assert (Settle : forall w, play (pair_at s t p) w -> exists N, forall n, (N <= n)%nat ->
    stays (Goes_on p) (w n) = stays (Goes_on p) (w N)).
  { intros w W. destruct (settles _ w F0 W) as [N H]. exists N. intros n L. unfold stays. f_equal.
    now apply H. }
  split. { intros w W. destruct (Settle w W) as [N H]. exists (stays (Goes_on p) (w N)).
  now exists N. }
  destruct (expectation_exists moves next fair moves_nonneg moves_sum fair_next (pair_at s t p)
    (fun _ h => stays (Goes_on p) h) (settled p)
      most F0) as (e & C & E).
  - intros _ h. apply stays_bounded.
  - intros w W. destruct (Settle w W) as [N H]. exists (stays (Goes_on p) (w N)). split.
    now exists N.
    intros eps He. exists N. intros n L. rewrite (H n L). unfold R_dist.
    rewrite Rminus_diag_eq by reflexivity. now rewrite Rabs_R0.
  - exists e. split; auto. intros eps He. destruct (means_limit _ _ C eps He) as [N HN]. exists N.
    intros n L. specialize (HN n L).
    replace (average reals G n s t p : R) with
      (total_of (Datatypes.S n) (fun k => expect k (fun h => stays (Goes_on p) h) (pair_at s t p)) /
        INR (Datatypes.S n)); auto.
    unfold average, count. rewrite integer_INR.
    rewrite (gain_expected (Datatypes.S n) (pair_at s t p) F0 : gain reals G (Datatypes.S n) s t p =
      _). reflexivity.
Qed.

(** What is secured is secured of the expected payoff. *)
Theorem A_secures_expected s p q : Endless.A_secures_with reals G s p q ->
  forall t e, Endless.proper_B reals G p t ->
  Convergence.expectation moves next (pair_at s t p) (settled p) e -> q <= e.
Proof.
  intros [S H] t e T E. destruct (averages_converge s t p S T) as (_ & e' & E' & C).
  assert (e = e') as ->.
  { apply (expectation_unique moves next fair moves_nonneg moves_sum fair_next (pair_at s t p)
      (settled p)); auto. now split.
    intros w y y' _. apply settled_once. }
  apply (limit_at_least (fun n => average reals G n s t p)); auto. intros d D.
  destruct (H d D) as [N HN]. exists N. intros n L.
  now apply HN.
Qed.

Theorem B_secures_expected t p q : Endless.B_secures_with reals G t p q ->
  forall s e, Endless.proper_A reals G p s ->
  Convergence.expectation moves next (pair_at s t p) (settled p) e -> e <= q.
Proof.
  intros [T H] s e S E. destruct (averages_converge s t p S T) as (_ & e' & E' & C).
  assert (e = e') as ->.
  { apply (expectation_unique moves next fair moves_nonneg moves_sum fair_next (pair_at s t p)
      (settled p)); auto. now split.
    intros w y y' _. apply settled_once. }
  apply Ropp_le_cancel. apply (limit_at_least (fun n => - average reals G n s t p)).
  - intros d D. destruct (H d D) as [N HN]. exists N. intros n L. specialize (HN n s L S).
    change (average reals G n s t p <= q + (ratio d : reals)) in HN.
    change (- q - (ratio d : reals) <= - average reals G n s t p). lra.
  - exact (CV_opp (fun n => average reals G n s t p) e' C).
Qed.
End Plays.

(** ** Tennis *)

(** All payoffs of Tennis are payoffs of the five ends. *)
Lemma tennis_bounded r : exists most, (forall p, Rabs (ratio (endless (endless_tennis r) p) : reals)
  <= most) /\
  forall p i j v, follows (endless_tennis r) p i j = Ends v -> Rabs (ratio v : reals) <= most.
Proof.
  set (size e := Rabs (ratio (payoff r e) : reals)).
  exists (size Out_a + size Stay_a + size Draw + size Stay_b + size Out_b).
  assert (H : forall e, size e <= size Out_a + size Stay_a + size Draw + size Stay_b + size Out_b).
  { assert (P : forall e, 0 <= size e) by (intros e; apply Rabs_pos). pose proof (P Out_a).
    pose proof (P Stay_a). pose proof (P Draw).
    pose proof (P Stay_b). pose proof (P Out_b). intros []; lra. }
  split.
  - intros [a b x]. apply H.
  - intros [a b x] i j v E. unfold follows in E. simpl in E. destruct (stands_still i j);
      [discriminate|].
    unfold after_bids in E. destruct (Tennis.next r (At a b x) i j) as [e|p]; [|discriminate].
    injection E as <-. apply H.
Qed.

Theorem tennis_A_secures_expected r s p q : Endless.A_secures_with reals (endless_tennis r) s p q ->
  forall t e, Endless.proper_B reals (endless_tennis r) p t ->
  Convergence.expectation (moves (endless_tennis r)) (next (endless_tennis r))
    (pair_at (endless_tennis r) s t p) (settled (endless_tennis r) p) e ->
  q <= e.
Proof.
  destruct (tennis_bounded r) as (most & E & V). intros H.
  exact (A_secures_expected (endless_tennis r) most E V s p q H).
Qed.

Theorem tennis_B_secures_expected r t p q : Endless.B_secures_with reals (endless_tennis r) t p q ->
  forall s e, Endless.proper_A reals (endless_tennis r) p s ->
  Convergence.expectation (moves (endless_tennis r)) (next (endless_tennis r))
    (pair_at (endless_tennis r) s t p) (settled (endless_tennis r) p) e ->
  e <= q.
Proof.
  destruct (tennis_bounded r) as (most & E & V). intros H.
  exact (B_secures_expected (endless_tennis r) most E V t p q H).
Qed.

(** Every pair of strategies has an expected payoff, and averages tend to it. *)
Theorem tennis_averages r s t p : Endless.proper_A reals (endless_tennis r) p s ->
  Endless.proper_B reals (endless_tennis r) p t ->
  exists e, Convergence.expectation (moves (endless_tennis r)) (next (endless_tennis r))
    (pair_at (endless_tennis r) s t p)
    (settled (endless_tennis r) p) e /\ Un_cv (fun n => average reals (endless_tennis r) n s t p) e.
Proof.
  destruct (tennis_bounded r) as (most & E & V). intros S T.
  exact (proj2 (averages_converge (endless_tennis r) most E V s t p S T)).
Qed.
