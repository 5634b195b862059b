(** * Rules that favour a player

    The favourite may bid 0 and hits on equal bids. The game is over as soon as nobody else has points: bids of 0 hit the ball
    out. Apart from this early end the games are those of Limit.v, [upper] with A as the favourite and [lower] with B. *)

From Coq Require Import ZArith NArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Game Symmetry Tennis ZeroBids Monotone Limit.
Import ListNotations.

(** ** The game *)

Inductive favourite := For_A | For_B.
Definition other (w : favourite) : favourite := match w with For_A => For_B | For_B => For_A end.

(** The rules of a version of certificates: the smallest bid is 1, or 0, or a player is the favourite. *)
Inductive variant := Plain | Zeros | Favours (w : favourite).
Definition exchanged (v : variant) : variant := match v with Favours w => Favours (other w) | _ => v end.

Definition A_bids_0 (v : variant) : bool := match v with Zeros | Favours For_A => true | _ => false end.
Definition B_bids_0 (v : variant) : bool := A_bids_0 (exchanged v).

(** Where the ball goes. *)
Definition moved_in (v : variant) (m : motion_rule) (x : Z) (i j : N) : Z :=
  match v with
  | Favours For_A => moved_upper m x i j
  | Favours For_B => moved_lower m x i j
  | _ => moved m x i j
  end.

(** A result, or the end if only the favourite has points left. *)
Definition ended_early (w : favourite) (r : rules) (x : result position) : result position :=
  match x, w with
  | Goes_on (At a b y), For_A => if N.eqb b 0 then Ends (out_a r) else x
  | Goes_on (At a b y), For_B => if N.eqb a 0 then Ends (out_b r) else x
  | Ends _, _ => x
  end.

(** Nothing moves a ball once all points are spent. *)
Definition is_spent (p : position) : bool := let '(At a b _) := p in (N.eqb a 0 && N.eqb b 0)%bool.
Definition after_favouring (w : favourite) (r : rules) (p : position) (i j : N) : result position :=
  if is_spent p then Ends (let '(At _ _ x) := p in payoff r (stay x))
  else ended_early w r match w with For_A => after_upper r p i j | For_B => after_lower r p i j end.

Lemma goes_on_early w r x p : ended_early w r x = Goes_on p -> x = Goes_on p.
Proof. destruct x as [|[a b y]], w; simpl; auto; now destruct (N.eqb _ 0). Qed.

Definition favoured_A w p := match w with For_A => all_bids_A p | For_B => bids_A p end.
Definition favoured_B w p := match w with For_A => bids_B p | For_B => all_bids_B p end.

Definition favouring (w : favourite) (r : rules) : game.
Proof.
  refine {| state := position; move := N; same_move := N.eq_dec; moves_A := favoured_A w; moves_B := favoured_B w;
    after := after_favouring w r; turns := match w with For_A => turns_upper r | For_B => turns_lower r end |};
    try (intros [a b x]; destruct w; apply bids_exist || discriminate).
  intros p i j p' I J E. unfold after_favouring in E. destruct (is_spent p); [discriminate|]. apply goes_on_early in E. destruct w.
  - now apply (turns_fall (upper r) p i j p').
  - now apply (turns_fall (lower r) p i j p').
Defined.

(** The result of a pair of bids in each variant, but for two bids of 0 that repeat a position. *)
Definition after_in (v : variant) (r : rules) (p : position) (i j : N) : result position :=
  match v with Favours w => after_favouring w r p i j | _ => after_bids r p i j end.

(** The payoff if the game is over with these accounts and the ball on the field. *)
Definition final (v : variant) (r : rules) (a b : N) (x : Z) : option Q :=
  if (N.eqb a 0 && N.eqb b 0)%bool then Some (payoff r (stay x))
  else match v with
  | Favours For_A => if N.eqb b 0 then Some (out_a r) else None
  | Favours For_B => if N.eqb a 0 then Some (out_b r) else None
  | _ => None
  end.

Lemma after_in_spec v r a b x i j : is_spent (At a b x) = false -> after_in v r (At a b x) i j =
  let y := moved_in v (motion r) x i j in
  if (Z.of_N (field r) <? y)%Z then Ends (out_a r)
  else if (y <? - Z.of_N (field r))%Z then Ends (out_b r)
  else match final v r (a - i) (b - j) y with Some q => Ends q | None => Goes_on (At (a - i) (b - j) y) end.
Proof.
  intros S. destruct v as [| |[]]; unfold after_in, after_bids, next, after_favouring, after_upper, after_lower, settled, final;
    rewrite ?S; cbv zeta; unfold moved_in;
    (destruct (_ <? _)%Z; [reflexivity|]); (destruct (_ <? _)%Z; [reflexivity|]); destruct (_ && _)%bool; try reflexivity;
    simpl; now destruct (N.eqb _ 0).
Qed.

(** ** The mirror image *)

Section Mirror.
Variables (F : ordered_field) (w : favourite) (r : rules).
Open Scope field_scope.
Let image := favouring (other w) (mirrored r).
Let turned := opposite (favouring w r).

Lemma after_upper_mirror p i j : after_upper (mirrored r) (mirror p) j i = mirror_result (negate (after_lower r p i j)).
Proof.
  destruct p as [a b x]. unfold after_lower, after_upper, mirror. rewrite <- settled_mirror. repeat f_equal.
  unfold moved_lower, moved_upper, hit_by_A, hit_by_B. cbn [motion mirrored]. destruct (_ <? _)%N; apply moved_mirror.
Qed.

Lemma ended_early_mirror x :
  ended_early (other w) (mirrored r) (mirror_result (negate x)) = mirror_result (negate (ended_early w r x)).
Proof. destruct x as [|[a b y]], w; simpl; auto; now destruct (N.eqb _ 0). Qed.

Lemma after_favouring_mirror p i j :
  after_favouring (other w) (mirrored r) (mirror p) j i = mirror_result (negate (after_favouring w r p i j)).
Proof.
  unfold after_favouring. replace (is_spent (mirror p)) with (is_spent p) by (destruct p; apply andb_comm).
  destruct (is_spent p). { destruct p as [a b x]. simpl. f_equal. now destruct x. }
  rewrite <- ended_early_mirror. f_equal. destruct w; [apply after_lower_mirror|apply after_upper_mirror].
Qed.

Lemma favoured_A_mirror p : favoured_A (other w) (mirror p) = favoured_B w p. Proof. now destruct p, w. Qed.
Lemma favoured_B_mirror p : favoured_B (other w) (mirror p) = favoured_A w p. Proof. now destruct p, w. Qed.

Lemma leads_to_image p h p' : leads turned p h p' -> leads image (mirror p) h (mirror p').
Proof.
  induction 1 as [p|p i j p1 h p2 I J E L IH]; [exact (start image (mirror p))|]. apply (turn image (mirror p) i j (mirror p1)); auto.
  - change (In i (favoured_A (other w) (mirror p))). now rewrite favoured_A_mirror.
  - change (In j (favoured_B (other w) (mirror p))). now rewrite favoured_B_mirror.
  - change (after_favouring (other w) (mirrored r) (mirror p) i j = Goes_on (mirror p1)). simpl in E.
    now rewrite after_favouring_mirror, E.
Qed.

Lemma leads_from_image p h p' : leads image p h p' -> leads turned (mirror p) h (mirror p').
Proof.
  induction 1 as [p|p i j p1 h p2 I J E L IH]; [exact (start turned (mirror p))|].
  change (after_favouring (other w) (mirrored r) p i j = Goes_on p1) in E.
  change (In i (favoured_A (other w) p)) in I. change (In j (favoured_B (other w) p)) in J.
  rewrite <- (mirror_twice p) in I, J, E. rewrite favoured_A_mirror in I. rewrite favoured_B_mirror in J.
  rewrite after_favouring_mirror in E.
  apply (turn turned (mirror p) i j (mirror p1)); auto.
  simpl. destruct (negate (after_favouring w r (mirror p) j i)); simpl in E; [discriminate|].
  injection E as <-. now rewrite mirror_twice.
Qed.

Lemma play_mirror n : forall s t p, play F image n s t (mirror p) = play F turned n s t p.
Proof.
  induction n as [|n IH]; intros s t p; [reflexivity|]. rewrite !play_step.
  apply (mean_eq F image). intros i x _. apply (mean_eq F image). intros j y _.
  change (after image (mirror p) i j) with (after_favouring (other w) (mirrored r) (mirror p) i j).
  rewrite after_favouring_mirror. simpl after. destruct (negate (after_favouring w r p j i)); simpl; auto.
Qed.

(** What a strategy secures for A at the mirror image it secures for B. *)
Theorem B_secures_image (s t : strategy F (favouring w r)) p q : (forall h, t h = s (turn_over h)) ->
  A_secures_with F image s (mirror p) (- q) -> B_secures_with F (favouring w r) t p q.
Proof.
  intros E [S H]. apply (B_secures_opposite_with F (favouring w r) s t p q E). split.
  - intros h p' L. change (moves_A (opposite (favouring w r)) p') with (favoured_B w p'). rewrite <- favoured_A_mirror.
    apply S. now apply leads_to_image.
  - intros u U. assert (K : proper_B F image (mixed F image) (mirror p) u).
    { intros h p' L. change (moves_B image p') with (favoured_B (other w) p'). rewrite <- (mirror_twice p'), favoured_B_mirror.
      apply U. apply leads_from_image in L. now rewrite mirror_twice in L. }
    specialize (H u K). unfold outcome in *. rewrite play_mirror in H.
    replace (turns (opposite (favouring w r)) p) with (turns image (mirror p)); [exact H|].
    destruct p as [a b x], w; simpl; rewrite ?Z.opp_involutive; now try rewrite (N.add_comm a b).
Qed.
End Mirror.

(** ** The early end changes nothing for the opponent of the favourite

    With natural payoffs the favourite's best end is the one to come. *)

Section Limit.
Variable F : ordered_field.
Open Scope field_scope.

Lemma lower_not_spent r p i j p' : after_lower r p i j = Goes_on p' -> is_spent p' = false.
Proof.
  destruct p as [a b x]. unfold after_lower, settled. destruct (_ <? _)%Z; [easy|]. destruct (_ <? _)%Z; [easy|].
  destruct (_ && _)%bool eqn:E; [easy|]. intros [= <-]. exact E.
Qed.

Theorem A_secures_lower r p q : natural r -> is_spent p = false ->
  A_secures F (favouring For_B r) p q -> A_secures F (lower r) p q.
Proof.
  intros N S. apply (A_secures_simulated F (favouring For_B r) (lower r) (fun p p' => p = p' /\ is_spent p = false)
    (fun _ _ i => i) (fun _ _ i => i) (fun _ _ i => i)); auto.
  - intros p1 p2 i [<- _] I. auto.
  - intros p1 p2 i [<- _] I. auto.
  - intros p1 p2 i j [<- P] I J. change (after (favouring For_B r) p1 i j) with (after_favouring For_B r p1 i j).
    change (after (lower r) p1 i j) with (after_lower r p1 i j). unfold after_favouring. rewrite P.
    destruct (after_lower r p1 i j) as [v|[a b y]] eqn:E; simpl; [apply Qle_refl|]. apply lower_not_spent in E.
    destruct (N.eqb_spec a 0); simpl; auto. now apply lower_least.
Qed.

(** What a strategy secures for B in the mirrored game is A's. *)
Lemma favouring_mirror r p q :
  B_secures F (favouring For_A r) p q -> A_secures F (favouring For_B (mirrored r)) (mirror p) (- q).
Proof.
  unfold B_secures. rewrite B_secures_opposite.
  apply (A_secures_simulated F (opposite (favouring For_A r)) (favouring For_B (mirrored r)) (fun p p' => p' = mirror p)
      (fun _ _ i => i) (fun _ _ i => i) (fun _ _ i => i)); auto.
  - intros [a b x] p2 i -> I. split; auto.
  - intros [a b x] p2 i -> I. auto.
  - intros p1 p2 i j -> I J.
    change (after (favouring For_B (mirrored r)) (mirror p1) i j) with (after_favouring (other For_A) (mirrored r) (mirror p1) i j).
    rewrite after_favouring_mirror. simpl after. destruct (negate (after_favouring For_A r p1 j i)); simpl; auto. apply Qle_refl.
Qed.

Theorem B_secures_upper r p q : natural r -> is_spent p = false -> B_secures F (favouring For_A r) p q -> B_secures F (upper r) p q.
Proof.
  intros N S H. apply upper_mirror, A_secures_lower; [now apply natural_mirrored| |now apply favouring_mirror].
  destruct p. simpl in *. now rewrite andb_comm.
Qed.
End Limit.
