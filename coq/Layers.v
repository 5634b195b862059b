(** * Layers: bounds that are stored, and checked one state at a time

    States have ranks, and every turn leads to a state of lower rank or ends the game. Bounds of each state
    are stored. If for each state the bounds that one turn recomputes from the stored bounds of its
    successors are contained in its own stored bounds, then all stored bounds are true in the whole
    game. Nothing is kept of a layer but its bounds, and states may be checked in any order. *)

From Coq Require Import ZArith QArith List Field Lia.
From PencilTennis Require Import Numbers Game Symmetry.
Import ListNotations.
Local Open Scope field_scope.

Section One_turn.
Variables (F : ordered_field) (G : game) (bound : state G -> F).

(** What a result is worth by stored bounds. *)
Definition stored_after (r : result (state G)) : F :=
  match r with Ends v => ratio v | Goes_on p => bound p end.

(** A mixture of A's moves is worth at least [q] by the stored bounds of the successors, and a mixture of
    B's moves at most [q]. *)
Definition recomputed_lower (p : state G) (q : F) : Prop :=
  exists d, distribution F G (moves_A G p) d /\
    forall j, In j (moves_B G p) -> q <= mean F G d (fun i => stored_after (after G p i j)).
Definition recomputed_upper (p : state G) (q : F) : Prop :=
  exists d, distribution F G (moves_B G p) d /\
    forall i, In i (moves_A G p) -> mean F G d (fun j => stored_after (after G p i j)) <= q.
End One_turn.

(** These states have ranks that fall at every turn, and every turn stays among them. *)
Definition ranked (G : game) (Is : state G -> Prop) (rank : state G -> nat) : Prop :=
  forall p i j p', Is p -> In i (moves_A G p) -> In j (moves_B G p) -> after G p i j = Goes_on p' ->
    Is p' /\ (rank p' < rank p)%nat.

Theorem layers_lower F G Is rank lower : ranked G Is rank ->
  (forall p, Is p -> exists q, recomputed_lower F G lower p q /\ lower p <= q) ->
  forall p, Is p -> A_secures F G p (lower p).
Proof.
  intros R C. enough (H : forall n p, (rank p < n)%nat -> Is p -> A_secures F G p (lower p)) by
    (intros p; apply (H (S (rank p))); lia).
  induction n as [|n IH]; intros p N I. lia.
  destruct (C p I) as (q & (d & D & Q) & L). apply A_secures_less with q; auto.
  apply A_secures_turn with d (fun i j => stored_after F G lower (after G p i j)); try exact Logic.I; auto.
  - intros e _. exact Logic.I.
  - intros i j M J. apply in_map_iff in M as ([i' x] & E & M). cbn [fst] in E. subst i'.
    apply D in M as [M _]. unfold A_secures_after, stored_after.
    destruct (after G p i j) as [v|p'] eqn:A. apply le_refl.
    destruct (R p i j p' I M J A). apply IH; auto. lia.
Qed.

Lemma mean_opposite F G d f : mean F (opposite G) d f = mean F G d f.
Proof. induction d as [|[i x] d IH]; simpl; [reflexivity|now rewrite IH]. Qed.

Theorem layers_upper F G Is rank upper : ranked G Is rank ->
  (forall p, Is p -> exists q, recomputed_upper F G upper p q /\ q <= upper p) ->
  forall p, Is p -> B_secures F G p (upper p).
Proof.
  intros R C p I. apply B_secures_opposite.
  apply (layers_lower F (opposite G) Is rank (fun p => - upper p)); auto.
  - intros p1 i j p2 I1 A B E. simpl in E. destruct (after G p1 j i) eqn:E'; [discriminate|].
    injection E as ->. exact (R p1 j i p2 I1 B A E').
  - intros p1 I1. destruct (C p1 I1) as (q & (d & D & Q) & L). exists (- q). split.
    + exists d. split. exact D. intros j J. rewrite mean_opposite.
      rewrite (mean_eq F G d _ (fun i => - stored_after F G upper (after G p1 j i))).
      rewrite mean_opp. apply (proj1 (opp_le F _ _)). now apply Q.
      intros i x M. simpl. destruct (after G p1 j i); simpl; auto. apply ratio_opp.
    + now apply (proj1 (opp_le F _ _)).
Qed.

(** Containment of all recomputed bounds in the stored ones makes the stored ones true; a value, if the game
    has one, lies between. *)
Theorem layers_sound F G Is rank lower upper : ranked G Is rank ->
  (forall p, Is p -> exists l u, recomputed_lower F G lower p l /\ recomputed_upper F G upper p u /\
    lower p <= l /\ u <= upper p) ->
  forall p, Is p -> A_secures F G p (lower p) /\ B_secures F G p (upper p) /\
    forall v, is_value F G p v -> lower p <= v /\ v <= upper p.
Proof.
  intros R C p I.
  assert (A : A_secures F G p (lower p)).
  { apply (layers_lower F G Is rank lower); auto. intros p1 I1. destruct (C p1 I1) as (l & u & ? & _ & ? & _). eauto. }
  assert (B : B_secures F G p (upper p)).
  { apply (layers_upper F G Is rank upper); auto. intros p1 I1. destruct (C p1 I1) as (l & u & _ & ? & _ & ?). eauto. }
  split; [exact A|]. split; [exact B|]. intros v [VA VB]. split; eapply secures_order; eauto.
Qed.
