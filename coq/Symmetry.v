(** * Games that resemble each other

    Two ways to carry security levels from one game to another: the players of a game change places
    ([opposite]), and one game imitates the other ([A_secures_simulated]). *)

From Coq Require Import ZArith QArith List Field Lia.
From PencilTennis Require Import Numbers Game.
Import ListNotations.
Local Open Scope field_scope.

(** ** The game with its players exchanged *)

Definition negate {T} (r : result T) : result T := match r with Ends v => Ends (- v)%Q | Goes_on p => Goes_on p end.

Definition opposite (G : game) : game.
Proof.
  refine {| state := state G; move := move G; same_move := same_move G; moves_A := moves_B G; moves_B := moves_A G;
    after := fun p i j => negate (after G p j i); turns := turns G |}; try apply G.
  intros p i j p' I J E. destruct (after G p j i) eqn:A; simpl in E; [discriminate|]. injection E as ->.
  now apply (turns_fall G p j i).
Defined.

Section Opposite.
Variables (F : ordered_field) (G : game).
Add Field laws : (field_laws F).
Notation strategy := (strategy F G).

Definition turn_over {M} (h : list (M * M)) := map (fun ij => (snd ij, fst ij)) h.

Lemma turn_over_twice {M} (h : list (M * M)) : turn_over (turn_over h) = h.
Proof. induction h as [|[i j] h IH]; simpl. reflexivity. now rewrite IH. Qed.

Lemma leads_opposite p h p' : leads G p h p' <-> leads (opposite G) p (turn_over h) p'.
Proof.
  split.
  - induction 1 as [p|p i j p1 h p2 I J E L IH]; [constructor|].
    apply (turn (opposite G) p j i p1); auto. simpl. now rewrite E.
  - intros L. rewrite <- (turn_over_twice h). induction L as [p|p i j p1 k p2 I J E L IH]; [constructor|].
    apply (turn G p j i p1); auto. simpl in E. destruct (after G p j i); simpl in E; congruence.
Qed.

Lemma play_opposite n : forall (s t u v : strategy) p, (forall h, u h = s (turn_over h)) -> (forall h, v h = t (turn_over h)) ->
  play F (opposite G) n v u p = - play F G n s t p.
Proof.
  induction n as [|n IH]; intros s t u v p U V. simpl. ring.
  rewrite play_step. change (mean F G (v []) (fun j => mean F G (u []) (fun i => go_on F (opposite G) n
    (later F G v j i) (later F G u j i) (negate (after G p i j)))) = - play F G (S n) s t p).
  rewrite play_step, (U []), (V []), mean_swap. change (turn_over []) with (@nil (move G * move G)).
  rewrite <- (mean_opp F G). apply mean_eq. intros i x _. rewrite <- mean_opp. apply mean_eq. intros j y _.
  destruct (after G p i j) as [w|p']; simpl. apply ratio_opp.
  apply (IH (later F G s i j) (later F G t i j)); intros h; unfold later; [now rewrite U|now rewrite V].
Qed.

(** B secures in a game as A does in its opposite. *)
Theorem B_secures_opposite allowed p q :
  B_secures_by F G allowed p q <-> A_secures_by F (opposite G) allowed p (- q).
Proof.
  assert (N : forall x y : F, x <= y -> - y <= - x) by (intros x y; apply opp_le).
  split.
  - intros (t & T & H). exists (fun h => t (turn_over h)). split.
    { intros h p' L. apply (T (turn_over h)). apply leads_opposite. now rewrite turn_over_twice. }
    intros s S. unfold outcome. simpl turns.
    rewrite (play_opposite _ (fun h => s (turn_over h)) t); auto. 2: { intros h. now rewrite turn_over_twice. }
    apply N, (H (fun h => s (turn_over h))). intros h p' L. apply leads_opposite in L. exact (S _ _ L).
  - intros (t & T & H). exists (fun h => t (turn_over h)). split.
    { intros h p' L. apply (T (turn_over h)). now apply leads_opposite. }
    intros s S. specialize (H (fun h => s (turn_over h))).
    unfold outcome in H. simpl turns in H.
    rewrite (play_opposite _ s (fun h => t (turn_over h))) in H; auto. 2: { intros h. now rewrite turn_over_twice. }
    apply (proj2 (opp_le F _ _)), H. intros h p' L. apply (S (turn_over h)). apply leads_opposite. now rewrite turn_over_twice.
Qed.

Lemma B_secures_opposite_with (s : Game.strategy F (opposite G)) (t : strategy) p q :
  (forall h, t h = s (turn_over h)) ->
  A_secures_with F (opposite G) s p (- q) -> B_secures_with F G t p q.
Proof.
  intros E [S H]. split.
  { intros h p' L. rewrite E. apply (S (turn_over h)). now apply (proj1 (leads_opposite p h p')). }
  intros u U. specialize (H (fun h => u (turn_over h))). unfold outcome in H. simpl turns in H.
  rewrite (play_opposite _ u t) in H; auto.
  2: { intros h. now rewrite E, turn_over_twice. }
  apply (proj2 (opp_le F _ _)), H. intros h p' L. apply (U (turn_over h)). apply leads_opposite.
  now rewrite turn_over_twice.
Qed.
End Opposite.

(** ** One game imitates another

    The player of A's part in [G2] imagines a play of [G1]: A's own moves there are brought [up] into [G2], B's moves
    in [G2] are brought [down]. If A never stands worse in [G2], then A secures there what A secures in [G1]. *)

Section Simulation.
Variables (F : ordered_field) (G1 G2 : game).
Variable alike : state G1 -> state G2 -> Prop.
Variable up : state G1 -> state G2 -> move G1 -> move G2.
Variable back : state G1 -> state G2 -> move G2 -> move G1.
Variable down : state G1 -> state G2 -> move G2 -> move G1.

Definition no_worse (r1 : result (state G1)) (r2 : result (state G2)) : Prop :=
  match r1, r2 with
  | Ends v, Ends w => (v <= w)%Q
  | Goes_on p1, Goes_on p2 => alike p1 p2
  | Ends v, Goes_on p2 => A_forces F G2 p2 (ratio v)
  | Goes_on p1, Ends w => forall q, A_secures F G1 p1 q -> q <= ratio w
  end.

Hypothesis moves_up : forall p1 p2 i, alike p1 p2 -> In i (moves_A G1 p1) ->
  In (up p1 p2 i) (moves_A G2 p2) /\ back p1 p2 (up p1 p2 i) = i.
Hypothesis moves_down : forall p1 p2 j, alike p1 p2 -> In j (moves_B G2 p2) -> In (down p1 p2 j) (moves_B G1 p1).
Hypothesis results : forall p1 p2 i j, alike p1 p2 -> In i (moves_A G1 p1) -> In j (moves_B G2 p2) ->
  no_worse (after G1 p1 i (down p1 p2 j)) (after G2 p2 (up p1 p2 i) j).

Definition lift p1 p2 (d : mixture F G1) : mixture F G2 := map (fun ix => (up p1 p2 (fst ix), snd ix)) d.

Lemma mean_lift p1 p2 d f : mean F G2 (lift p1 p2 d) f = mean F G1 d (fun i => f (up p1 p2 i)).
Proof. induction d as [|[i x] d IH]; simpl. reflexivity. now rewrite IH. Qed.

Theorem A_secures_simulated p1 p2 q : alike p1 p2 -> A_secures F G1 p1 q -> A_secures F G2 p2 q.
Proof.
  assert (H : forall n p1 p2 q, (turns G1 p1 < n)%nat -> alike p1 p2 -> A_secures F G1 p1 q -> A_secures F G2 p2 q).
  { clear p1 p2 q. induction n as [|n IH]; intros p1 p2 q N R S. lia.
    apply A_secures_turn_only in S as (d & w & D & _ & H & Q). destruct D as [D1 D2].
    apply A_secures_turn with (d := lift p1 p2 d) (w := fun i j => w (back p1 p2 i) (down p1 p2 j)); unfold mixed; auto.
    - split. 2: { now rewrite mean_lift. }
      intros i x I. apply in_map_iff in I as ([k y] & [= <- <-] & I). apply D1 in I as [I P]. split; auto. now apply moves_up.
    - intros i j I J. apply in_map_iff in I as ([k y] & <- & I). apply in_map_iff in I as ([m z] & [= <- <-] & I).
      apply D1 in I as [I _]. simpl. rewrite (proj2 (moves_up p1 p2 m R I)).
      specialize (results p1 p2 m j R I J). specialize (H m (down p1 p2 j) I (moves_down p1 p2 j R J)).
      destruct (after G1 p1 m (down p1 p2 j)) as [v|p1'] eqn:E1; destruct (after G2 p2 (up p1 p2 m) j) as [u|p2'];
        simpl in *.
      + apply le_trans with (ratio v); auto. now apply ratio_le.
      + apply A_secures_less with (ratio v); auto. now apply forces_secures_A.
      + auto.
      + apply IH with p1'; auto. enough (turns G1 p1' < turns G1 p1)%nat by lia. eapply turns_fall; eauto.
    - intros j J. rewrite mean_lift. rewrite (mean_eq F G1 d _ (fun i => w i (down p1 p2 j))). now apply Q, moves_down.
      intros i x I. apply D1 in I as [I _]. now rewrite (proj2 (moves_up p1 p2 i R I)). }
  intros. eapply H; eauto.
Qed.
End Simulation.
