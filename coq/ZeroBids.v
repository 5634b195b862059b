(** * Tennis in which bids of 0 are always legal

    Two bids of 0 leave everything as it is, so that a play may never end. It is then worth what the place of the ball is worth
    when everything is spent. *)

From Coq Require Import ZArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Game Symmetry Endless Tennis.
Import ListNotations.

Definition bids_from_0 (points : N) : list N := map N.of_nat (seq 0 (S (N.to_nat points))).

Lemma bids_from_0_spec points i : In i (bids_from_0 points) <-> (i <= points)%N.
Proof.
  unfold bids_from_0. rewrite in_map_iff. split.
  - intros (k & <- & H). apply in_seq in H. lia.
  - intros H. exists (N.to_nat i). split. lia. apply in_seq. lia.
Qed.

Definition all_bids_A p := let '(At a _ _) := p in bids_from_0 a.
Definition all_bids_B p := let '(At _ b _) := p in bids_from_0 b.

Definition stands_still (i j : N) : bool := (N.eqb i 0 && N.eqb j 0)%bool.
Definition standstill (r : rules) (p : position) : Q := let '(At _ _ ball) := p in payoff r (stay ball).

Definition tennis_once (r : rules) : game.
Proof.
  refine {| state := position; move := N; same_move := N.eq_dec; moves_A := all_bids_A; moves_B := all_bids_B;
    after := fun p i j => if stands_still i j then Ends (standstill r p) else after_bids r p i j; turns := points_left |};
    try (intros [a b x]; discriminate).
  intros [a b x] i j p' I J. apply bids_from_0_spec in I. apply bids_from_0_spec in J. unfold stands_still, after_bids, next.
  destruct (N.eqb_spec i 0), (N.eqb_spec j 0); [discriminate| | |];
    (destruct (_ <? _)%Z; [easy|]; destruct (_ <? _)%Z; [easy|]; cbn [andb];
     destruct (N.eqb_spec (a - i) 0), (N.eqb_spec (b - j) 0); simpl; intros [= <-]; simpl; lia).
Defined.

Definition endless_tennis (r : rules) : endless_game :=
  {| once := tennis_once r; repeats := fun _ => stands_still; endless := standstill r |}.

(** ** The mirror image *)

Section Mirror.
Variables (F : ordered_field) (r : rules).
Open Scope field_scope.
Let image := endless_tennis (mirrored r).
Let turned := opposite_endless (endless_tennis r).

Lemma follows_mirror p i j : follows image (mirror p) i j = mirror_result (follows turned p i j).
Proof.
  unfold follows. cbn. unfold stands_still. rewrite (andb_comm (N.eqb j 0)). destruct (N.eqb i 0 && N.eqb j 0)%bool; [reflexivity|].
  apply after_mirror.
Qed.

Lemma moves_A_mirror p : moves_A image (mirror p) = moves_A turned p. Proof. now destruct p. Qed.
Lemma moves_B_mirror p : moves_B image (mirror p) = moves_B turned p. Proof. now destruct p. Qed.

Lemma leads_to_image p h p' : leads turned p h p' -> leads image (mirror p) h (mirror p').
Proof.
  induction 1 as [p|p i j p1 h p2 I J E L IH]; [exact (start image (mirror p))|]. apply (turn image (mirror p) i j (mirror p1)); auto.
  now rewrite moves_A_mirror. now rewrite moves_B_mirror. now rewrite follows_mirror, E.
Qed.

Lemma leads_from_image p h p' : leads image p h p' -> leads turned (mirror p) h (mirror p').
Proof.
  induction 1 as [p|p i j p1 h p2 I J E L IH]; [exact (start turned (mirror p))|].
  rewrite <- (mirror_twice p), follows_mirror in E. rewrite <- (mirror_twice p) in I, J. rewrite moves_A_mirror in I. rewrite moves_B_mirror in J.
  apply (turn turned (mirror p) i j (mirror p1)); auto. destruct (follows turned (mirror p) i j); simpl in E; [discriminate|].
  injection E as <-. now rewrite mirror_twice.
Qed.

Lemma gain_mirror n : forall s t p, gain F image n s t (mirror p) = gain F turned n s t p.
Proof.
  induction n as [|n IH]; intros s t p; [reflexivity|]. cbn [gain]. f_equal.
  - f_equal. destruct p as [a b [|x|x]]; reflexivity.
  - apply (mean_eq F image). intros i x _. apply (mean_eq F image). intros j y _. rewrite follows_mirror.
    destruct (follows turned p i j); simpl; auto.
Qed.

Lemma A_secures_turned s p q : A_secures_with F image s (mirror p) q ->
  A_secures_with F turned s p q.
Proof.
  intros (S & H). split.
  - intros h p' L. rewrite <- moves_A_mirror. apply S. now apply leads_to_image.
  - intros e E. destruct (H e E) as [N K]. exists N. intros n t L T. unfold average.
    rewrite <- gain_mirror. apply K; auto.
    intros h p' L'. rewrite <- (mirror_twice p'), moves_B_mirror. apply T.
    apply leads_from_image in L'. now rewrite mirror_twice in L'.
Qed.

(** What a strategy secures for A at the mirror image it secures for B. *)
Theorem B_secures_image (s t : Game.strategy F (endless_tennis r)) p q :
  (forall h, t h = s (turn_over h)) ->
  A_secures_with F image s (mirror p) (- q) -> B_secures_with F (endless_tennis r) t p q.
Proof.
  intros E H. apply (B_secures_opposite F (endless_tennis r) s t p q E). now apply A_secures_turned.
Qed.
End Mirror.
