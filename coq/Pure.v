(** * Payoffs that can be forced without chance

    A player who never randomises secures the payoff of backward induction with every move announced: [forced]. *)

From Coq Require Import ZArith QArith Qminmax List Lia.
From PencilTennis Require Import Numbers Game Symmetry.
Import ListNotations.

Local Open Scope Q_scope.

Definition smallest {T} (l : list T) (f : T -> Q) : Q :=
  match l with [] => 0 | i :: l => fold_left (fun s i => Qmin s (f i)) l (f i) end.
Definition largest {T} (l : list T) (f : T -> Q) : Q := - smallest l (fun i => - f i).

Fixpoint forced (G : game) (fuel : nat) (p : state G) : Q :=
  match fuel with
  | O => 0
  | S fuel => largest (moves_A G p) (fun i => smallest (moves_B G p) (fun j =>
      match after G p i j with Ends v => v | Goes_on p' => forced G fuel p' end))
  end.

Lemma smallest_spec {T} (l : list T) f : l <> [] ->
  (exists j, In j l /\ smallest l f == f j) /\ forall j, In j l -> smallest l f <= f j.
Proof.
  destruct l as [|i l]; [easy|]. intros _. simpl.
  enough (H : forall s, (fold_left (fun s i => Qmin s (f i)) l s == s \/
      exists j, In j l /\ fold_left (fun s i => Qmin s (f i)) l s == f j) /\
    fold_left (fun s i => Qmin s (f i)) l s <= s /\ forall j, In j l -> fold_left (fun s i => Qmin s (f i)) l s <= f j).
  { destruct (H (f i)) as [E [L M]]. split. destruct E as [E|(j & J & E)]; eauto. intros j [->|J]; auto. }
  induction l as [|k l IH]; simpl; intros s. split; [left; reflexivity|split; [apply Qle_refl|easy]].
  destruct (IH (Qmin s (f k))) as [E [L M]]. split; [|split].
  - destruct E as [E|(j & J & E)]; [|right; eauto]. destruct (Q.min_dec s (f k)) as [D|D]; rewrite D in E at 2; eauto.
  - eapply Qle_trans; [apply L|apply Q.le_min_l].
  - intros j [->|J]; auto. eapply Qle_trans; [apply L|apply Q.le_min_r].
Qed.

Lemma largest_spec {T} (l : list T) f : l <> [] ->
  (exists j, In j l /\ largest l f == f j) /\ forall j, In j l -> f j <= largest l f.
Proof.
  intros N. destruct (smallest_spec l (fun i => - f i) N) as [(j & J & E) L]. unfold largest. split.
  - exists j. split; auto. rewrite E. apply Qopp_opp.
  - intros k K. rewrite <- (Qopp_opp (f k)). now apply Qopp_le_compat, L.
Qed.

Local Open Scope Q_scope.

Section Pure.
Open Scope field_scope.
Variables (F : ordered_field) (G : game).

Theorem A_forces_exactly : forall n p (q : F), (turns G p < n)%nat -> A_forces F G p q <-> q <= ratio (forced G n p).
Proof.
  induction n as [|n IH]; intros p q N. lia.
  set (v := fun i j => match after G p i j with Ends v => v | Goes_on p' => forced G n p' end).
  change (forced G (S n) p) with (largest (moves_A G p) (fun i => smallest (moves_B G p) (v i))).
  assert (V : forall i j q, In i (moves_A G p) -> In j (moves_B G p) ->
    A_secures_after F G (pure F G) (after G p i j) q <-> q <= ratio (v i j)).
  { intros i j x I J. unfold v. destruct (after G p i j) as [w|p'] eqn:E; simpl. reflexivity.
    apply IH. pose proof (turns_fall G p i j p' I J E). lia. }
  destruct (largest_spec (moves_A G p) (fun i => smallest (moves_B G p) (v i)) (moves_A_exist G p)) as [(i & I & Ei) L].
  split.
  - intros H. apply A_secures_turn_only in H as (d & w & D & [k ->] & H & Q).
    assert (K : In k (moves_A G p)) by (destruct D as [D _]; apply (D k one); now left).
    destruct (smallest_spec (moves_B G p) (v k) (moves_B_exist G p)) as [(j & J & Ej) _].
    apply le_trans with (ratio (v k j)).
    + specialize (Q j J). rewrite mean_pure in Q. apply le_trans with (1 := Q). apply V; auto.
    + apply ratio_le. rewrite <- Ej. now apply (L k).
  - intros H. apply A_secures_turn with (d := [(i, one)]) (w := fun i j => ratio (v i j)).
    + easy.
    + now apply pure_distribution.
    + now exists i.
    + intros k j [<-|[]] J. apply V; auto. apply le_refl.
    + intros j J. rewrite mean_pure. apply le_trans with (1 := H). apply ratio_le. rewrite Ei.
      now apply smallest_spec; [apply moves_B_exist|].
Qed.
End Pure.

(** The payoffs that A and B force, with enough fuel. *)
Definition A_can_force (G : game) (p : state G) : Q := forced G (S (turns G p)) p.
Definition B_can_force (G : game) (p : state G) : Q := - forced (opposite G) (S (turns G p)) p.

Section Both.
Open Scope field_scope.
Variables (F : ordered_field) (G : game).

Theorem A_forces_iff p (q : F) : A_forces F G p q <-> q <= ratio (A_can_force G p).
Proof. apply A_forces_exactly. lia. Qed.

Theorem B_forces_iff p (q : F) : B_forces F G p q <-> ratio (B_can_force G p) <= q.
Proof.
  unfold B_forces. rewrite B_secures_opposite. unfold B_can_force. rewrite ratio_opp.
  pose proof (A_forces_exactly F (opposite G) (S (turns G p)) p (- q) ltac:(simpl; lia)) as H. unfold A_forces in H.
  rewrite (opp_le F _ q), opp_opp. exact H.
Qed.
End Both.
