(** * The checker, in integers, and why its bounds are true

    Bounds are integers in a fixed unit. The checker computes the security level of a strategy against every single move of the
    opponent, from bounds of the successors, rounded to A's disadvantage. It trusts nothing about the weights. *)

From Coq Require Import ZArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Game Symmetry.
Import ListNotations.

Definition bounds : Type := Z * Z.

(** ** The computation *)

Section Checker.
Context {move : Type}.
Definition weights := list (move * Z).

Fixpoint total (l : weights) : Z := match l with [] => 0 | (_, w) :: l => w + total l end.
Fixpoint weigh (l : weights) (f : move -> Z) : Z := match l with [] => 0 | (i, w) :: l => w * f i + weigh l f end.
Definition least (l : list move) (f : move -> Z) : Z :=
  match l with [] => 0 | i :: l => fold_left (fun s i => Z.min s (f i)) l (f i) end.
Definition valid (legal : move -> bool) (l : weights) : bool :=
  forallb (fun iw => legal (fst iw) && (0 <=? snd iw)%Z) l && (0 <? total l)%Z.

(** The security level of the weights against the moves [replies], if [next i j] is secured after the moves i and j; [worst] is
    secured without any strategy. *)
Definition secured (legal : move -> bool) (replies : list move) (worst : Z) (l : weights) (next : move -> move -> Z) : Z :=
  if valid legal l then (least replies (fun j => weigh l (fun i => next i j)) / total l)%Z else worst.

(** The bounds of a state, given those of its successors. B's side is A's with all signs changed. *)
Definition check_state (legal_A legal_B : move -> bool) (moves_A moves_B : list move) (worst : bounds)
    (next : move -> move -> bounds) (la lb : weights) : bounds :=
  (secured legal_A moves_B (fst worst) la (fun i j => fst (next i j)),
   - secured legal_B moves_A (- snd worst) lb (fun j i => - snd (next i j)))%Z.
End Checker.
Arguments weights : clear implicits.

(** ** Its correctness *)

Section Soundness.
Open Scope field_scope.
Variable F : ordered_field.
Variable unit : positive.

Section OneSide.
Variable G : game.
Implicit Types l : weights (move G).

Definition probabilities (t : positive) l : mixture F G := map (fun iw => (fst iw, ratio (snd iw # t))) l.

Lemma mean_probabilities t l (f : move G -> Z) :
  mean F G (probabilities t l) (fun i => ratio (f i # unit)) = ratio (weigh l f # t * unit).
Proof.
  induction l as [|[i w] l IH]; simpl.
  - rewrite <- ratio_0. apply ratio_eq. reflexivity.
  - rewrite IH, <- ratio_mul, <- ratio_add. apply ratio_eq. unfold Qeq. cbn [Qnum Qden Qmult Qplus]. rewrite !Pos2Z.inj_mul. ring.
Qed.

Lemma total_positive t l : (total l = Zpos t)%Z -> mean F G (probabilities t l) (fun _ => 1) = 1.
Proof.
  intros T. rewrite (mean_eq F G _ _ (fun _ => ratio (Zpos unit # unit))).
  2: { intros. rewrite <- ratio_1. apply ratio_eq. unfold Qeq. cbn [Qnum Qden]. lia. }
  rewrite mean_probabilities, <- ratio_1. apply ratio_eq.
  enough (E : (weigh l (fun _ => Zpos unit) = total l * Zpos unit)%Z) by (rewrite E, T; unfold Qeq; cbn [Qnum Qden]; lia).
  clear T. induction l as [|[i w] l IH]; simpl; lia.
Qed.

Lemma least_le (l : list (move G)) f j : In j l -> (least l f <= f j)%Z.
Proof.
  destruct l as [|i l]; simpl. tauto. intros J.
  enough (H : forall s, (fold_left (fun s i => Z.min s (f i)) l s <= s)%Z /\
    (In j l -> fold_left (fun s i => Z.min s (f i)) l s <= f j)%Z).
  { destruct J as [->|J]; [exact (proj1 (H (f j)))|exact (proj2 (H (f i)) J)]. }
  clear J. induction l as [|k l IH]; simpl; intros s. split; [lia|tauto].
  destruct (IH (Z.min s (f k))) as [H K]. split. lia. intros [->|J]; auto. lia.
Qed.

Lemma valid_spec (legal : move G -> bool) l : valid legal l = true ->
  (forall i w, In (i, w) l -> legal i = true /\ 0 <= w)%Z /\ (0 < total l)%Z.
Proof.
  unfold valid. rewrite andb_true_iff, forallb_forall, Z.ltb_lt. intros [H T]. split; auto.
  intros i w I. apply H in I. simpl in I. now rewrite andb_true_iff, Z.leb_le in I.
Qed.

Lemma rounding_down z s t : (z <= s)%Z -> (z / Zpos t # unit <= s # t * unit)%Q.
Proof.
  intros H. pose proof (Z.mul_div_le z (Zpos t) eq_refl). unfold Qle. cbn [Qnum Qden]. rewrite Pos2Z.inj_mul. nia.
Qed.

Theorem secured_sound legal p worst l (next : move G -> move G -> Z) : (forall i, legal i = true -> In i (moves_A G p)) ->
  A_secures F G p (ratio (worst # unit)) ->
  (forall i j, In i (moves_A G p) -> In j (moves_B G p) ->
    A_secures_after F G (mixed F G) (after G p i j) (ratio (next i j # unit))) ->
  A_secures F G p (ratio (secured legal (moves_B G p) worst l next # unit)).
Proof.
  intros L W H. unfold secured. destruct (valid legal l) eqn:V; auto. apply valid_spec in V as [V T].
  destruct (total l) as [|t|] eqn:E; try easy.
  assert (M : forall i x, In (i, x) (probabilities t l) -> In i (moves_A G p) /\ 0 <= x).
  { intros i x I. apply in_map_iff in I as ([k w] & [= <- <-] & I). apply V in I as [I P]. split; auto.
    rewrite <- ratio_0. apply ratio_le. unfold Qle; simpl. lia. }
  apply A_secures_turn with (d := probabilities t l) (w := fun i j => ratio (next i j # unit)); unfold mixed; auto.
  - split; auto. now apply total_positive.
  - intros i j I J. apply in_map_iff in I as ([k x] & <- & I). apply M in I as [I _]. now apply H.
  - intros j J. rewrite mean_probabilities. apply ratio_le, rounding_down.
    apply (least_le _ (fun j => weigh l (fun i => next i j)) j J).
Qed.
End OneSide.

Variable G : game.

(** Bounds are true if A secures the lower and B the upper one. *)
Definition true_bounds (p : state G) (v : bounds) : Prop :=
  A_secures F G p (ratio (fst v # unit)) /\ B_secures F G p (ratio (snd v # unit)).
Definition true_after (r : result (state G)) (v : bounds) : Prop :=
  match r with Ends w => (fst v # unit <= w)%Q /\ (w <= snd v # unit)%Q | Goes_on p => true_bounds p v end.

Lemma upper_as_lower p z : B_secures F G p (ratio (z # unit)) <-> A_secures F (opposite G) p (ratio (- z # unit)).
Proof. unfold B_secures. rewrite B_secures_opposite, <- ratio_opp. reflexivity. Qed.

Theorem check_state_sound p (legal_A legal_B : move G -> bool) worst next la lb :
  (forall i, legal_A i = true -> In i (moves_A G p)) -> (forall j, legal_B j = true -> In j (moves_B G p)) ->
  true_bounds p worst ->
  (forall i j, In i (moves_A G p) -> In j (moves_B G p) -> true_after (after G p i j) (next i j)) ->
  true_bounds p (check_state legal_A legal_B (moves_A G p) (moves_B G p) worst next la lb).
Proof.
  intros LA LB [WA WB] H. split; cbn [fst snd check_state].
  - apply secured_sound; auto. intros i j I J. specialize (H i j I J).
    destruct (after G p i j); simpl in *. now apply ratio_le. apply H.
  - apply (proj2 (upper_as_lower _ _)). rewrite Z.opp_involutive.
    apply (secured_sound (opposite G) legal_B p (- snd worst) lb (fun j i => (- snd (next i j))%Z)); auto.
    + now apply (proj1 (upper_as_lower _ _)).
    + intros j i J I. specialize (H i j I J). simpl after. destruct (after G p i j); simpl in *.
      * change (- snd (next i j) # unit)%Q with (- (snd (next i j) # unit))%Q. now apply ratio_le, Qopp_le_compat.
      * apply (proj1 (upper_as_lower _ _)), H.
Qed.
End Soundness.
