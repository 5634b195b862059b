(** * More never hurts

    If the payoffs rank the five ends in the natural order, then A secures at least as much with more points, against fewer, and
    with the ball further toward B's end. So a bid beyond the opponent's largest bid by more than one is never better than that
    bid by one: it wins the same turns and leaves less. *)

From Coq Require Import ZArith NArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Game Symmetry Tennis.
Import ListNotations.

Definition natural (r : rules) : Prop :=
  (out_b r <= stay_b r /\ stay_b r <= draw r /\ draw r <= stay_a r /\ stay_a r <= out_a r)%Q.

Lemma natural_mirrored r : natural r -> natural (mirrored r).
Proof. unfold natural. cbn. intros (A & B & C & D). repeat apply conj; now apply Qopp_le_compat. Qed.

Lemma natural_least r e : natural r -> (out_b r <= payoff r e)%Q.
Proof. unfold natural. intros (A & B & C & D). destruct e; simpl; eauto using Qle_trans, Qle_refl. Qed.

Lemma natural_most r e : natural r -> (payoff r e <= out_a r)%Q.
Proof. unfold natural. intros (A & B & C & D). destruct e; simpl; eauto using Qle_trans, Qle_refl. Qed.

Lemma natural_stay r x y : natural r -> (x <= y)%Z -> (payoff r (stay x) <= payoff r (stay y))%Q.
Proof. unfold natural. intros (A & B & C & D) H. destruct x, y; simpl; try easy; eauto using Qle_trans, Qle_refl. Qed.

Lemma moved_further m x x' i i' j j' : (i <= i')%N -> (j' <= j)%N -> (x <= x')%Z -> (moved m x i j <= moved m x' i' j')%Z.
Proof.
  intros I J X. unfold moved. destruct (N.compare_spec i j), (N.compare_spec i' j'), m; try lia;
    destruct (Z.leb_spec 0 x), (Z.leb_spec x 0), (Z.leb_spec 0 x'), (Z.leb_spec x' 0); lia.
Qed.

Section Monotone.
Variable F : ordered_field.
Open Scope field_scope.

Lemma payoffs_payoff r w : In w (payoffs r) -> exists e, w = payoff r e.
Proof.
  simpl. intros [<-|[<-|[<-|[<-|[<-|[]]]]]]; [exists Out_a|exists Stay_a|exists Draw|exists Stay_b|exists Out_b]; easy.
Qed.

(** Against an opponent without points nobody loses ground. *)
Lemma alone r : natural r -> forall a x, (- Z.of_N (field r) <= x)%Z ->
  A_forces F (tennis r) (At a 0 x) (ratio (payoff r (stay x))).
Proof.
  intros N. induction a as [a IH] using (well_founded_induction N.lt_wf_0). intros x X.
  assert (I : In (N.min a 1) (bids a)) by (apply bids_spec; lia).
  apply A_secures_turn with (d := [(N.min a 1, one)]) (w := fun _ _ => ratio (payoff r (stay x))).
  - easy.
  - now apply pure_distribution.
  - now exists (N.min a 1).
  - intros i j [<-|[]] [<-|[]]. cbn [fst].
    assert (H := moved_further (motion r) x x 0 (N.min a 1) 0 0 ltac:(lia) ltac:(lia) ltac:(lia)).
    replace (moved (motion r) x 0 0) with x in H by reflexivity.
    simpl after. unfold after_bids, next. set (y := moved (motion r) x (N.min a 1) 0) in *.
    destruct (Z.ltb_spec (Z.of_N (field r)) y). now apply ratio_le, natural_most.
    destruct (Z.ltb_spec y (- Z.of_N (field r))). lia.
    destruct (_ && _)%bool eqn:E. now apply ratio_le, natural_stay.
    assert (a <> 0)%N. { intros ->. discriminate. }
    simpl. apply A_secures_less with (ratio (payoff r (stay y))). apply IH; lia. now apply ratio_le, natural_stay.
  - intros j J. rewrite mean_pure. apply le_refl.
Qed.

Lemma alone_B r : natural r -> forall b x, (x <= Z.of_N (field r))%Z ->
  B_secures F (tennis r) (At 0 b x) (ratio (payoff r (stay x))).
Proof.
  intros N b x X. apply B_secures_mirror. rewrite <- ratio_opp. simpl mirror.
  replace (- payoff r (stay x))%Q with (payoff (mirrored r) (stay (- x))) by now destruct x.
  apply forces_secures_A, alone. now apply natural_mirrored. simpl. lia.
Qed.

Definition no_better (p p' : position) : Prop :=
  let '(At a b x) := p in let '(At a' b' x') := p' in (a <= a')%N /\ (b' <= b)%N /\ (x <= x')%Z.

(** The spare point is spent where there is nothing to imitate. *)
Definition imitated (own other bid : N) : N := if N.eqb own 0 then N.min other 1 else bid.

Theorem more_never_hurts r : natural r -> forall p p' q, no_better p p' ->
  A_secures F (tennis r) p q -> A_secures F (tennis r) p' q.
Proof.
  intros N p p' q. apply (A_secures_simulated F (tennis r) (tennis r) no_better
    (fun p p' i => let '(At a _ _) := p in let '(At a' _ _) := p' in imitated a a' i)
    (fun p _ i => let '(At a _ _) := p in if N.eqb a 0 then 0%N else i)
    (fun p p' j => let '(At _ b _) := p in let '(At _ b' _) := p' in imitated b' b j)); clear p p' q.
  - intros [a b x] [a' b' x'] i (A & B & X) I. apply bids_spec in I. unfold imitated. split.
    + apply bids_spec. destruct (N.eqb_spec a 0); lia.
    + destruct (N.eqb_spec a 0); lia.
  - intros [a b x] [a' b' x'] j (A & B & X) J. apply bids_spec in J. apply bids_spec. unfold imitated.
    destruct (N.eqb_spec b' 0); lia.
  - intros [a b x] [a' b' x'] i j' (A & B & X) I J. apply bids_spec in I. apply bids_spec in J.
    set (i' := imitated a a' i). set (j := imitated b' b j').
    assert (Hi : (i <= i' /\ a - i <= a' - i')%N) by (unfold i', imitated; destruct (N.eqb_spec a 0); lia).
    assert (Hj : (j' <= j /\ b' - j' <= b - j)%N) by (unfold j, imitated; destruct (N.eqb_spec b' 0); lia).
    clearbody i' j. simpl after. unfold after_bids, next.
    assert (Y := moved_further (motion r) x x' i i' j j' ltac:(lia) ltac:(lia) X).
    set (y := moved (motion r) x i j) in *. set (y' := moved (motion r) x' i' j') in *. clearbody y y'.
    assert (least : forall w, In w (payoffs r) -> (out_b r <= w)%Q).
    { intros w W. apply payoffs_payoff in W as [e ->]. now apply natural_least. }
    assert (most : forall w, In w (payoffs r) -> (w <= out_a r)%Q).
    { intros w W. apply payoffs_payoff in W as [e ->]. now apply natural_most. }
    destruct (Z.ltb_spec (Z.of_N (field r)) y), (Z.ltb_spec (Z.of_N (field r)) y'); try lia; try apply Qle_refl.
    + destruct (Z.ltb_spec y (- Z.of_N (field r))); [now apply natural_most|].
      destruct (_ && _)%bool; [now apply natural_most|].
      intros q Q. apply secures_order with (1 := Q). now apply B_secures_most.
    + destruct (Z.ltb_spec y (- Z.of_N (field r))), (Z.ltb_spec y' (- Z.of_N (field r))); try lia; try apply Qle_refl.
      * destruct (_ && _)%bool; [now apply natural_least|]. now apply A_secures_least.
      * destruct (N.eqb_spec (a - i) 0) as [Ea|Ea], (N.eqb_spec (b - j) 0) as [Eb|Eb], (N.eqb_spec (a' - i') 0),
          (N.eqb_spec (b' - j') 0) as [Eb'|]; cbn [andb]; try (simpl; lia); try now apply natural_stay.
        -- rewrite Eb'. simpl. apply A_secures_less with (ratio (payoff r (stay y'))). apply alone; [easy|lia].
           now apply ratio_le, natural_stay.
        -- rewrite Ea. intros q Q. apply le_trans with (ratio (payoff r (stay y))).
           apply secures_order with (1 := Q). now apply alone_B. now apply ratio_le, natural_stay.
Qed.
(** As above for B, with the inequality reversed. *)
Corollary more_never_hurts_B r : natural r -> forall p p' q, no_better p p' ->
  B_secures F (tennis r) p' q -> B_secures F (tennis r) p q.
Proof.
  intros N p p' q H S. apply B_secures_mirror. apply B_secures_mirror in S. revert S. apply more_never_hurts.
  now apply natural_mirrored. destruct p, p'. simpl in *. lia.
Qed.

Corollary value_never_falls r : natural r -> forall p p' v v', no_better p p' ->
  is_value F (tennis r) p v -> is_value F (tennis r) p' v' -> v <= v'.
Proof. intros N p p' v v' H [A _] [_ B]. eapply secures_order; [eapply more_never_hurts|]; eauto. Qed.

(** Against a bid of at most k, whatever A secures after a bid beyond k + 1 is secured after k + 1, too. *)
Theorem overbid r : natural r -> forall a b x i j k q, (j <= k)%N -> (k + 1 <= i <= a)%N ->
  A_secures_after F (tennis r) (mixed F (tennis r)) (after (tennis r) (At a b x) i j) q ->
  A_secures_after F (tennis r) (mixed F (tennis r)) (after (tennis r) (At a b x) (k + 1)%N j) q.
Proof.
  intros N a b x i j k q J I. simpl after. unfold after_bids, next.
  assert (E : moved (motion r) x (k + 1)%N j = moved (motion r) x i j).
  { unfold moved. destruct (N.compare_spec (k + 1)%N j), (N.compare_spec i j); lia || reflexivity. }
  rewrite E. set (y := moved (motion r) x i j). destruct (_ <? y)%Z; auto.
  destruct (Z.ltb_spec y (- Z.of_N (field r))%Z); auto.
  destruct (N.eqb_spec (a - i)%N 0%N), (N.eqb_spec (b - j)%N 0%N) as [B|], (N.eqb_spec (a - (k + 1))%N 0%N);
    cbn [andb]; try lia; auto; try (apply more_never_hurts; auto; simpl; lia).
  intros S. rewrite B. simpl in *. apply A_secures_less with (2 := S). now apply forces_secures_A, alone.
Qed.
End Monotone.
