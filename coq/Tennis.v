(** * Tennis, and its relatives

    The rules as docs/certificate.md tells them: half-width of the field, motion, and what A wins at the five ends. *)

From Coq Require Import ZArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Game Symmetry.
Import ListNotations.

Inductive motion_rule := Net | Step.

Record rules := {
  field : N;
  motion : motion_rule;
  out_a : Q; stay_a : Q; draw : Q; stay_b : Q; out_b : Q }.

(** Points of A, points of B, and where the ball lies. *)
Inductive position := At (a b : N) (ball : Z).

Definition bids (points : N) : list N :=
  match points with 0%N => [0%N] | _ => map N.of_nat (seq 1 (N.to_nat points)) end.

Definition moved (m : motion_rule) (ball : Z) (bid_a bid_b : N) : Z :=
  match N.compare bid_a bid_b, m with
  | Gt, Net => if (ball <=? 0)%Z then 1 else ball + 1
  | Gt, Step => ball + 1
  | Lt, Net => if (0 <=? ball)%Z then -1 else ball - 1
  | Lt, Step => ball - 1
  | Eq, _ => ball
  end%Z.

(** The five ends: the ball is out, or lies somewhere when both have spent everything. *)
Inductive ending := Out_a | Stay_a | Draw | Stay_b | Out_b.

Definition payoff (r : rules) (e : ending) : Q :=
  match e with Out_a => out_a r | Stay_a => stay_a r | Draw => draw r | Stay_b => stay_b r | Out_b => out_b r end.

(** The end if both have spent everything while the ball is on the field. *)
Definition stay (ball : Z) : ending := match ball with Zpos _ => Stay_a | Z0 => Draw | Zneg _ => Stay_b end.

(** The result of a pair of bids: an end, or a position. *)
Definition next (r : rules) (p : position) (bid_a bid_b : N) : ending + position :=
  let '(At a b ball) := p in
  let ball' := moved (motion r) ball bid_a bid_b in
  if (Z.of_N (field r) <? ball')%Z then inl Out_a
  else if (ball' <? - Z.of_N (field r))%Z then inl Out_b
  else if (N.eqb (a - bid_a) 0 && N.eqb (b - bid_b) 0)%bool then inl (stay ball')
  else inr (At (a - bid_a) (b - bid_b) ball').

Definition after_bids (r : rules) (p : position) (bid_a bid_b : N) : result position :=
  match next r p bid_a bid_b with inl e => Ends (payoff r e) | inr p => Goes_on p end.

Definition bids_A p := let '(At a _ _) := p in bids a.
Definition bids_B p := let '(At _ b _) := p in bids b.
Definition points_left p := let '(At a b _) := p in N.to_nat (a + b).

Lemma bids_spec points i : In i (bids points) <-> (points = 0 /\ i = 0 \/ 1 <= i <= points)%N.
Proof.
  unfold bids. destruct points as [|p]. simpl; lia. rewrite in_map_iff. split.
  - intros (k & <- & H). apply in_seq in H. lia.
  - intros H. exists (N.to_nat i). split. lia. apply in_seq. lia.
Qed.

Lemma bids_exist points : bids points <> [].
Proof.
  intros E. assert (H : In (N.min points 1) (bids points)) by (apply bids_spec; lia). now rewrite E in H.
Qed.

Definition tennis (r : rules) : game.
Proof.
  refine {| state := position; move := N; same_move := N.eq_dec; moves_A := bids_A; moves_B := bids_B;
    after := after_bids r; turns := points_left |}; try (intros [a b x]; apply bids_exist).
  intros [a b x] i j p' I J. apply bids_spec in I. apply bids_spec in J. unfold after_bids, next.
  destruct (_ <? _)%Z; [easy|]. destruct (_ <? _)%Z; [easy|].
  destruct (N.eqb_spec (a - i) 0), (N.eqb_spec (b - j) 0); simpl; intros [= <-]; simpl; lia.
Defined.

(** ** The mirror image

    Exchanging the players, the sides of the court and the signs of the payoffs leads from a game of this family to another. *)

Definition mirrored (r : rules) : rules :=
  {| field := field r; motion := motion r;
     out_a := - out_b r; stay_a := - stay_b r; draw := - draw r; stay_b := - stay_a r; out_b := - out_a r |}.
Definition mirror (p : position) : position := let '(At a b x) := p in At b a (- x).

Lemma mirrored_twice r : mirrored (mirrored r) = r.
Proof.
  destruct r as [f m [] [] [] [] []]. unfold mirrored, Qopp. simpl. now rewrite !Z.opp_involutive.
Qed.

Lemma mirror_twice p : mirror (mirror p) = p.
Proof. destruct p. simpl. now rewrite Z.opp_involutive. Qed.

Definition mirror_result (r : result position) : result position :=
  match r with Ends v => Ends v | Goes_on p => Goes_on (mirror p) end.

Lemma moved_mirror m x i j : moved m (- x) j i = (- moved m x i j)%Z.
Proof.
  unfold moved. rewrite (N.compare_antisym i j).
  destruct (N.compare i j), m; cbn [CompOpp]; try lia; destruct (Z.leb_spec 0 x), (Z.leb_spec x 0),
    (Z.leb_spec (- x) 0), (Z.leb_spec 0 (- x)); lia.
Qed.

Lemma after_mirror r p i j : after_bids (mirrored r) (mirror p) j i = mirror_result (negate (after_bids r p i j)).
Proof.
  destruct p as [a b x]. unfold after_bids, next, mirror. cbn [motion field mirrored]. rewrite moved_mirror.
  set (y := moved (motion r) x i j).
  destruct (Z.ltb_spec (Z.of_N (field r)) (- y)), (Z.ltb_spec (- y) (- Z.of_N (field r))),
    (Z.ltb_spec (Z.of_N (field r)) y), (Z.ltb_spec y (- Z.of_N (field r))); try lia; try reflexivity.
  rewrite andb_comm. destruct (_ && _)%bool; [|reflexivity]. now destruct y.
Qed.

Section Mirror.
Variable F : ordered_field.
Open Scope field_scope.

(** A's security level at a position is B's at its mirror image in the mirrored game, with the sign changed. *)
Theorem B_secures_mirror r p q : A_secures F (tennis (mirrored r)) (mirror p) (- q) <-> B_secures F (tennis r) p q.
Proof.
  unfold B_secures. rewrite B_secures_opposite.
  assert (E : forall p i j, after_bids (mirrored r) (mirror p) j i = mirror_result (negate (after_bids r p i j)))
    by apply after_mirror.
  split; intros H.
  - apply (A_secures_simulated F (tennis (mirrored r)) (opposite (tennis r)) (fun p p' => p = mirror p')
      (fun _ _ i => i) (fun _ _ i => i) (fun _ _ i => i)) with (mirror p); auto.
    + intros p1 [a b x] i -> I. split; auto.
    + intros p1 [a b x] i -> I. auto.
    + intros p1 p2 i j -> I J. simpl. rewrite E. destruct (negate (after_bids r p2 j i)); simpl; auto. apply Qle_refl.
  - apply (A_secures_simulated F (opposite (tennis r)) (tennis (mirrored r)) (fun p p' => p' = mirror p)
      (fun _ _ i => i) (fun _ _ i => i) (fun _ _ i => i)) with p; auto.
    + intros [a b x] p2 i -> I. split; auto.
    + intros [a b x] p2 i -> I. auto.
    + intros p1 p2 i j -> I J. simpl. rewrite E. destruct (negate (after_bids r p1 j i)); simpl; auto. apply Qle_refl.
Qed.

Corollary A_secures_mirror r p q : A_secures F (tennis r) p q <-> B_secures F (tennis (mirrored r)) (mirror p) (- q).
Proof. rewrite <- B_secures_mirror, mirrored_twice, mirror_twice, opp_opp. reflexivity. Qed.

(** What a strategy secures for A at the mirror image it secures for B. *)
Lemma leads_to_image r p h p' : leads (opposite (tennis r)) p h p' ->
  leads (tennis (mirrored r)) (mirror p) h (mirror p').
Proof.
  induction 1 as [p|p i j p1 h p2 I J E L IH]; [exact (start (tennis (mirrored r)) (mirror p))|].
  apply (turn (tennis (mirrored r)) (mirror p) i j (mirror p1)); auto. 1, 2: now destruct p.
  simpl in *. now rewrite after_mirror, E.
Qed.

Lemma leads_from_image r p h p' : leads (tennis (mirrored r)) p h p' ->
  leads (opposite (tennis r)) (mirror p) h (mirror p').
Proof.
  induction 1 as [p|p i j p1 h p2 I J E L IH]; [exact (start (opposite (tennis r)) (mirror p))|].
  simpl in E. rewrite <- (mirror_twice p), after_mirror in E.
  apply (turn (opposite (tennis r)) (mirror p) i j (mirror p1)); auto. 1, 2: now destruct p.
  simpl. destruct (negate (after_bids r (mirror p) j i)); simpl in E; [discriminate|].
  injection E as <-. now rewrite mirror_twice.
Qed.

Lemma play_mirror r n : forall s t p, play F (tennis (mirrored r)) n s t (mirror p) =
  play F (opposite (tennis r)) n s t p.
Proof.
  induction n as [|n IH]; intros s t p; [reflexivity|]. rewrite !play_step.
  apply (mean_eq F (tennis (mirrored r))). intros i x _. apply (mean_eq F (tennis (mirrored r))).
  intros j y _.
  simpl after. rewrite after_mirror. destruct (negate (after_bids r p j i)); simpl; auto.
Qed.

Theorem B_secures_image r (s t : strategy F (tennis r)) p q : (forall h, t h = s (turn_over h)) ->
  A_secures_with F (tennis (mirrored r)) s (mirror p) (- q) -> B_secures_with F (tennis r) t p q.
Proof.
  intros E [S H]. apply (B_secures_opposite_with F (tennis r) s t p q E). split.
  - intros h p' L. apply leads_to_image, S in L. now destruct p'.
  - intros u U. assert (K : proper_B F (tennis (mirrored r)) (mixed F (tennis (mirrored r)))
      (mirror p) u).
    { intros h p' L. apply leads_from_image in L. rewrite mirror_twice in L. apply U in L.
      now destruct p'. }
    specialize (H u K). unfold outcome in *. rewrite play_mirror in H.
    replace (turns (opposite (tennis r)) p) with
      (turns (tennis (mirrored r)) (mirror p)); [exact H|]. destruct p as [a b x]. simpl.
      now rewrite N.add_comm.
Qed.

(** ** No play is worth less than the least payoff, or more than the largest *)

Definition payoffs r := [out_a r; stay_a r; draw r; stay_b r; out_b r].

Lemma after_payoff r p i j v : after_bids r p i j = Ends v -> In v (payoffs r).
Proof.
  unfold after_bids, payoffs. destruct (next r p i j) as [e|]; intros [= <-]. destruct e; simpl; tauto.
Qed.

Lemma A_secures_least r v : (forall w, In w (payoffs r) -> v <= w)%Q -> forall p, A_forces F (tennis r) p (ratio v).
Proof.
  intros H. enough (K : forall n p, (points_left p < n)%nat -> A_forces F (tennis r) p (ratio v)) by eauto.
  induction n as [|n IH]; intros p N. lia.
  destruct (moves_A (tennis r) p) as [|i l] eqn:M. now apply moves_A_exist in M.
  apply A_secures_turn with (d := [(i, 1)]) (w := fun _ _ => ratio v).
  - easy.
  - apply pure_distribution. rewrite M. now left.
  - now exists i.
  - intros k j [<-|[]] J. destruct (after (tennis r) p (fst (i, 1)) j) as [u|p'] eqn:E; simpl.
    apply ratio_le, H. now apply after_payoff in E.
    apply IH. enough (points_left p' < points_left p)%nat by lia. eapply (turns_fall (tennis r)); eauto. rewrite M. now left.
  - intros j J. rewrite mean_pure. apply le_refl.
Qed.

Lemma B_secures_most r v : (forall w, In w (payoffs r) -> w <= v)%Q -> forall p, B_secures F (tennis r) p (ratio v).
Proof.
  intros H p. apply B_secures_mirror. rewrite <- ratio_opp. apply forces_secures_A, A_secures_least.
  assert (K : forall w, In w (payoffs r) -> (- v <= - w)%Q) by (intros; now apply Qopp_le_compat, H).
  unfold payoffs in *. simpl in *. intros w [<-|[<-|[<-|[<-|[<-|[]]]]]]; apply K; auto 7.
Qed.
End Mirror.
