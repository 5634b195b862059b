(** * Games of simultaneous moves whose plays end

    A game has states; in a state both players choose a move at the same time; the result is an end with A's payoff, which B
    loses, or another state. [turns] falls with every turn, so every play ends. *)

From Coq Require Import ZArith QArith List Field Lia.
From PencilTennis Require Import Numbers.
Import ListNotations.

Inductive result (State : Type) := Ends (payoff : Q) | Goes_on (p : State).
Arguments Ends {_}. Arguments Goes_on {_}.

Record game := {
  state : Type;
  move : Type;
  same_move : forall i j : move, {i = j} + {i <> j};
  moves_A : state -> list move;
  moves_B : state -> list move;
  after : state -> move -> move -> result state;
  turns : state -> nat;
  moves_A_exist : forall p, moves_A p <> [];
  moves_B_exist : forall p, moves_B p <> [];
  turns_fall : forall p i j p', In i (moves_A p) -> In j (moves_B p) -> after p i j = Goes_on p' -> (turns p' < turns p)%nat }.

(** The state that the moves of a history lead to. *)
Fixpoint arrived {State Move} (step : State -> Move -> Move -> result State) (p : State) (h :
  list (Move * Move)) : State :=
  match h with
  | [] => p
  | (i, j) :: h => match step p i j with Goes_on p' => arrived step p' h | Ends _ => p end
  end.

Section Play.
Open Scope field_scope.
Variable F : ordered_field.
Variable G : game.
Add Field laws : (field_laws F).
Implicit Types (p : state G) (i j : move G) (q : F).

(** ** Strategies

    A mixture is a list of moves with their probabilities. A strategy maps every history, the moves of both players from the
    first turn on, to a mixture: it may depend on the whole past. *)

Definition mixture := list (move G * F).
Definition history := list (move G * move G).
Definition strategy := history -> mixture.
Implicit Types (s t : strategy) (h : history) (d e : mixture) (allowed : mixture -> Prop).

Fixpoint mean d (f : move G -> F) : F :=
  match d with [] => 0 | (i, x) :: d => x * f i + mean d f end.

Definition distribution (l : list (move G)) d : Prop :=
  (forall i x, In (i, x) d -> In i l /\ 0 <= x) /\ mean d (fun _ => 1) = 1.

(** The histories of legal moves, and the states they lead to. *)
Inductive leads : state G -> history -> state G -> Prop :=
| start p : leads p [] p
| turn p i j p1 h p2 : In i (moves_A G p) -> In j (moves_B G p) -> after G p i j = Goes_on p1 ->
    leads p1 h p2 -> leads p ((i, j) :: h) p2.

(** A strategy is proper if it mixes legal moves wherever the play can come to, in an allowed way: any ([mixed]), or one move
    with certainty ([pure]). *)
Definition mixed d : Prop := True.
Definition pure d : Prop := exists i, d = [(i, 1)].
Definition proper_A (allowed : mixture -> Prop) p s :=
  forall h p', leads p h p' -> distribution (moves_A G p') (s h) /\ allowed (s h).
Definition proper_B (allowed : mixture -> Prop) p t :=
  forall h p', leads p h p' -> distribution (moves_B G p') (t h) /\ allowed (t h).

(** ** A's expected payoff *)

Definition later s i j : strategy := fun h => s ((i, j) :: h).

Fixpoint play (fuel : nat) s t p : F :=
  match fuel with
  | O => 0
  | S fuel => mean (s []) (fun i => mean (t []) (fun j =>
      match after G p i j with
      | Ends v => ratio v
      | Goes_on p' => play fuel (later s i j) (later t i j) p'
      end))
  end.

(** The fuel suffices: see [play_fuel]. *)
Definition outcome s t p : F := play (S (turns G p)) s t p.

(** ** Security levels of the players *)

Definition A_secures_by allowed p q := exists s, proper_A allowed p s /\ forall t, proper_B mixed p t -> q <= outcome s t p.
Definition B_secures_by allowed p q := exists t, proper_B allowed p t /\ forall s, proper_A mixed p s -> outcome s t p <= q.
Definition A_secures := A_secures_by mixed.
Definition B_secures := B_secures_by mixed.
Definition A_forces := A_secures_by pure.
Definition B_forces := B_secures_by pure.
(** As above, with this strategy. *)
Definition A_secures_with s p q := proper_A mixed p s /\ forall t, proper_B mixed p t ->
  q <= outcome s t p.
Definition B_secures_with t p q := proper_B mixed p t /\ forall s, proper_A mixed p s ->
  outcome s t p <= q.
Definition is_value p q := A_secures p q /\ B_secures p q.

Lemma A_secures_some s p q : A_secures_with s p q -> A_secures p q.
Proof. intros H. now exists s. Qed.

Lemma B_secures_some t p q : B_secures_with t p q -> B_secures p q.
Proof. intros H. now exists t. Qed.

Lemma forces_secures_A p q : A_forces p q -> A_secures p q.
Proof. intros (s & S & H). exists s. split; auto. intros h p' L. split; [now apply (S h)|exact I]. Qed.

Lemma A_secures_less allowed p q r : A_secures_by allowed p q -> r <= q -> A_secures_by allowed p r.
Proof. intros (s & S & H) L. exists s. split; auto. intros t T. apply le_trans with q; auto. Qed.

(** A secures at most as much as B concedes. *)
Theorem secures_order p q r : A_secures p q -> B_secures p r -> q <= r.
Proof. intros (s & S & H) (t & T & K). eapply le_trans; eauto. Qed.

Corollary value_unique p q r : is_value p q -> is_value p r -> q = r.
Proof. intros [] []. apply le_antisym; eapply secures_order; eauto. Qed.

(** ** Means *)

Lemma mean_eq d f g : (forall i x, In (i, x) d -> f i = g i) -> mean d f = mean d g.
Proof. induction d as [|[i x] d IH]; simpl; intros H. reflexivity. rewrite IH, (H i x); eauto. Qed.

Lemma mean_mul d c f : mean d (fun i => c * f i) = c * mean d f.
Proof. induction d as [|[i x] d IH]; simpl. ring. rewrite IH. ring. Qed.

Lemma mean_add d f g : mean d (fun i => f i + g i) = mean d f + mean d g.
Proof. induction d as [|[i x] d IH]; simpl. ring. rewrite IH. ring. Qed.

Lemma mean_opp d f : mean d (fun i => - f i) = - mean d f.
Proof. induction d as [|[i x] d IH]; simpl. ring. rewrite IH. ring. Qed.

Lemma mean_zero d : mean d (fun _ => 0) = 0.
Proof. induction d as [|[i x] d IH]; simpl. ring. rewrite IH. ring. Qed.

Lemma mean_swap d e f : mean d (fun i => mean e (fun j => f i j)) = mean e (fun j => mean d (fun i => f i j)).
Proof.
  induction d as [|[i x] d IH]; simpl. now rewrite mean_zero. rewrite IH, <- mean_mul. now rewrite <- mean_add.
Qed.

Lemma mean_const l d c : distribution l d -> mean d (fun _ => c) = c.
Proof. intros [_ D]. rewrite (mean_eq d _ (fun _ => c * 1)) by (intros; ring). rewrite mean_mul, D. ring. Qed.

Lemma mean_le_support d f g : (forall i x, In (i, x) d -> 0 <= x) -> (forall i x, In (i, x) d -> f i <= g i) ->
  mean d f <= mean d g.
Proof.
  induction d as [|[i x] d IH]; simpl; intros D H. apply le_refl. apply add_le_both.
  apply mul_le; eauto. apply IH; eauto.
Qed.

Lemma mean_le l d f g : distribution l d -> (forall i, In i l -> f i <= g i) -> mean d f <= mean d g.
Proof. intros [D _] H. apply mean_le_support. apply D. intros i x I. apply H, (D i x I). Qed.

Lemma mean_ge l d f q : distribution l d -> (forall i, In i l -> q <= f i) -> q <= mean d f.
Proof. intros D H. rewrite <- (mean_const l d q D). now apply mean_le with l. Qed.

(** ** Playing on *)

Definition go_on (n : nat) s t (r : result (state G)) : F :=
  match r with Ends v => ratio v | Goes_on p => play n s t p end.

Lemma play_step n s t p : play (S n) s t p =
  mean (s []) (fun i => mean (t []) (fun j => go_on n (later s i j) (later t i j) (after G p i j))).
Proof. reflexivity. Qed.

Lemma proper_A_now allowed p s : proper_A allowed p s -> distribution (moves_A G p) (s []) /\ allowed (s []).
Proof. intros S. apply (S []). constructor. Qed.

Lemma proper_B_now allowed p t : proper_B allowed p t -> distribution (moves_B G p) (t []) /\ allowed (t []).
Proof. intros T. apply (T []). constructor. Qed.

Lemma proper_A_later allowed p s i j p' : proper_A allowed p s -> In i (moves_A G p) -> In j (moves_B G p) ->
  after G p i j = Goes_on p' -> proper_A allowed p' (later s i j).
Proof. intros S I J A h p2 L. apply S. econstructor; eauto. Qed.

Lemma proper_B_later allowed p t i j p' : proper_B allowed p t -> In i (moves_A G p) -> In j (moves_B G p) ->
  after G p i j = Goes_on p' -> proper_B allowed p' (later t i j).
Proof. intros T I J A h p2 L. apply T. econstructor; eauto. Qed.

(** The fuel does not matter once it exceeds the turns that are left. *)
Lemma play_any_fuel aA aB : forall n m p s t, (turns G p < n)%nat -> (turns G p < m)%nat ->
  proper_A aA p s -> proper_B aB p t -> play n s t p = play m s t p.
Proof.
  induction n as [|n IH]; intros [|m] p s t N M S T; try lia. rewrite !play_step.
  pose proof (proper_A_now _ _ _ S) as [[DA _] _]. pose proof (proper_B_now _ _ _ T) as [[DB _] _].
  apply mean_eq. intros i x I. apply DA in I as [I _]. apply mean_eq. intros j y J. apply DB in J as [J _].
  destruct (after G p i j) as [v|p'] eqn:A; simpl. reflexivity. pose proof (turns_fall G p i j p' I J A).
  apply IH; try lia; [eapply proper_A_later|eapply proper_B_later]; eauto.
Qed.

Theorem play_fuel aA aB n p s t : (turns G p < n)%nat -> proper_A aA p s -> proper_B aB p t -> play n s t p = outcome s t p.
Proof. intros. apply play_any_fuel with aA aB; auto. Qed.

(** ** Strategies, turn by turn *)

Definition compose d (S : move G -> move G -> strategy) : strategy :=
  fun h => match h with [] => d | (i, j) :: h => S i j h end.

Lemma compose_A allowed p d (S : move G -> move G -> strategy) : distribution (moves_A G p) d -> allowed d ->
  (forall i j p', In i (moves_A G p) -> In j (moves_B G p) -> after G p i j = Goes_on p' -> proper_A allowed p' (S i j)) ->
  proper_A allowed p (compose d S).
Proof. intros D A H h p2 L. inversion L; subst; simpl. now split. eapply H; eauto. Qed.

Lemma compose_B allowed p d (S : move G -> move G -> strategy) : distribution (moves_B G p) d -> allowed d ->
  (forall i j p', In i (moves_A G p) -> In j (moves_B G p) -> after G p i j = Goes_on p' -> proper_B allowed p' (S i j)) ->
  proper_B allowed p (compose d S).
Proof. intros D A H h p2 L. inversion L; subst; simpl. now split. eapply H; eauto. Qed.

(** From finitely many moves on, that something exists for each gives a function. *)
Lemma choice {T} (x : T) (P : move G -> T -> Prop) l :
  (forall i, In i l -> exists y, P i y) -> exists f, forall i, In i l -> P i (f i).
Proof.
  induction l as [|i l IH]; intros H. exists (fun _ => x); simpl; tauto.
  destruct IH as [f K]. { intros; apply H; now right. }
  destruct (H i) as [y Y]. now left.
  exists (fun k => if same_move G k i then y else f k). intros k [->|I]. now destruct (same_move G k k).
  destruct (same_move G k i) as [->|]; auto.
Qed.

Lemma choice2 {T} (x : T) (P : move G -> move G -> T -> Prop) l m : (forall i j, In i l -> In j m -> exists y, P i j y) ->
  exists f, forall i j, In i l -> In j m -> P i j (f i j).
Proof.
  intros H. destruct (choice (fun _ => x) (fun i f => forall j, In j m -> P i j (f j)) l) as [f K].
  intros i I. now apply (choice x); auto. exists f. auto.
Qed.

(** Numbers that A can secure from a result on. *)
Definition A_secures_after allowed (r : result (state G)) q :=
  match r with Ends v => q <= ratio v | Goes_on p => A_secures_by allowed p q end.

Let idle : strategy := fun _ => [].

Lemma pure_distribution l j : In j l -> distribution l [(j, 1)].
Proof. intros J. split. intros i x [[= <- <-]|[]]. split; auto. apply zero_le_one. simpl. ring. Qed.

Lemma mean_pure j f : mean [(j, 1)] f = f j.
Proof. simpl. ring. Qed.

Lemma some_strategy : forall n p, (turns G p < n)%nat -> exists s, proper_A pure p s.
Proof.
  induction n as [|n IH]; intros p N. lia.
  destruct (choice2 idle (fun i j s => match after G p i j with Ends _ => True | Goes_on p' => proper_A pure p' s end)
    (moves_A G p) (moves_B G p)) as [s S].
  { intros i j I J. destruct (after G p i j) as [v|p'] eqn:E. now exists idle.
    pose proof (turns_fall G p i j p' I J E). apply IH. lia. }
  destruct (moves_A G p) as [|i l] eqn:M. now apply moves_A_exist in M.
  exists (compose [(i, 1)] s). apply compose_A; rewrite ?M. apply pure_distribution. now left. now exists i.
  intros k j p' K J E. specialize (S k j K J). now rewrite E in S.
Qed.

(** A mixture of this turn and strategies for the successors secure the mean. *)
Theorem A_secures_turn allowed p q d (w : move G -> move G -> F) : (forall e, pure e -> allowed e) ->
  distribution (moves_A G p) d -> allowed d ->
  (forall i j, In i (map fst d) -> In j (moves_B G p) -> A_secures_after allowed (after G p i j) (w i j)) ->
  (forall j, In j (moves_B G p) -> q <= mean d (fun i => w i j)) -> A_secures_by allowed p q.
Proof.
  intros P D A H Q.
  destruct (choice2 idle (fun i j s => match after G p i j with
    | Ends v => In i (map fst d) -> w i j <= ratio v
    | Goes_on p' => proper_A allowed p' s /\ (In i (map fst d) -> forall t, proper_B mixed p' t -> w i j <= outcome s t p')
    end) (moves_A G p) (moves_B G p)) as [S K].
  { intros i j I J. specialize (fun I => H i j I J). destruct (in_dec (same_move G) i (map fst d)) as [M|M].
    - specialize (H M). destruct (after G p i j). now exists idle. destruct H as (s & ? & ?). now exists s.
    - destruct (after G p i j) as [v|p']. now exists idle. destruct (some_strategy (Datatypes.S (turns G p')) p') as [s K]. lia.
      exists s. split; [|tauto]. intros h p2 L. destruct (K h p2 L). auto. }
  assert (R : proper_A allowed p (compose d S)).
  { apply compose_A; auto. intros i j p' I J E. specialize (K i j I J). rewrite E in K. apply K. }
  exists (compose d S). split; auto. intros t T. unfold outcome. rewrite play_step, mean_swap.
  pose proof (proper_B_now _ _ _ T) as [DB _]. apply mean_ge with (moves_B G p); auto.
  intros j J. apply le_trans with (1 := Q j J). apply mean_le_support. apply D. intros i x I. pose proof (proj1 D i x I) as [M _].
  apply (in_map fst) in I. specialize (K i j M J). destruct (after G p i j) as [v|p'] eqn:E; simpl. now apply K.
  change (later (compose d S) i j) with (S i j). rewrite (play_fuel allowed mixed); try apply K; auto.
  eapply proper_B_later; eauto. now apply (turns_fall G p i j). eapply proper_B_later; eauto.
Qed.

(** ** Stationary strategies

    They mix by the present state alone. What they secure follows turn by turn from what they secure
    afterwards. *)

Section Stationary.
Variables (Is : state G -> Prop) (mix : state G -> mixture).
Hypothesis stays : forall p i j p', Is p -> In i (moves_A G p) -> In j (moves_B G p) ->
  after G p i j = Goes_on p' -> Is p'.
Hypothesis mixes : forall p, Is p -> distribution (moves_A G p) (mix p).

Definition stationary p : strategy := fun h => mix (arrived (after G) p h).

Lemma stationary_later p i j p' : after G p i j = Goes_on p' -> later (stationary p) i j =
  stationary p'.
Proof. intros E. unfold later, stationary. cbn [arrived]. now rewrite E. Qed.

Lemma stationary_proper p : Is p -> proper_A mixed p (stationary p).
Proof.
  intros P h p' L. split; [|exact I]. induction L as [p|p i j p1 h p2 I J E L IH].
  - now apply mixes.
  - unfold stationary. cbn [arrived]. rewrite E. apply IH. eapply stays; eauto.
Qed.

Definition gets p q := forall t, proper_B mixed p t -> q <= outcome (stationary p) t p.
Definition gets_after (r : result (state G)) q := match r with Ends v => q <= ratio v
  | Goes_on p => gets p q end.

Theorem gets_turn p q (w : move G -> move G -> F) : Is p ->
  (forall i j, In i (map fst (mix p)) -> In j (moves_B G p) -> gets_after (after G p i j) (w i j))
    ->
  (forall j, In j (moves_B G p) -> q <= mean (mix p) (fun i => w i j)) -> gets p q.
Proof.
  intros P H Q t T. pose proof (mixes p P) as D. unfold outcome. rewrite play_step, mean_swap.
  pose proof (proper_B_now _ _ _ T) as [DB _]. apply mean_ge with (moves_B G p); auto.
  intros j J. apply le_trans with (1 := Q j J). change (stationary p []) with (mix p).
  apply mean_le_support. apply D. intros i x I. pose proof (proj1 D i x I) as [M _].
  apply (in_map fst) in I. specialize (H i j I J). destruct (after G p i j) as [v|p'] eqn:E; simpl;
    auto.
  rewrite (stationary_later p i j p' E). assert (T' : proper_B mixed p' (later t i j))
    by (eapply proper_B_later; eauto).
  rewrite (play_fuel mixed mixed); auto. now apply (turns_fall G p i j).
  eapply stationary_proper, stays; eauto.
Qed.

Lemma gets_secures p q : Is p -> gets p q -> A_secures_with (stationary p) p q.
Proof. intros P H. split; [now apply stationary_proper|exact H]. Qed.
End Stationary.

(** The least of finitely many numbers. *)
Lemma least_exists (f : move G -> F) l : l <> [] -> exists j, In j l /\ forall k, In k l -> f j <= f k.
Proof.
  induction l as [|i [|k l] IH]; intros N. easy.
  - exists i. split. now left. intros k [->|[]]. apply le_refl.
  - destruct IH as (j & J & H). easy. destruct (le_total F (f i) (f j)) as [L|L].
    + exists i. split. now left. intros m [->|M]. apply le_refl. apply le_trans with (f j); auto.
    + exists j. split. now right. intros m [->|M]; auto.
Qed.

(** The payoff left to A and B's strategy are a best response to [s] from a result on. *)
Definition best_against s (r : result (state G)) (x : F * strategy) := match r with
  | Ends v => fst x = ratio v
  | Goes_on p => (forall t, proper_B mixed p t -> fst x <= outcome s t p) /\
      proper_B pure p (snd x) /\ outcome s (snd x) p = fst x
  end.
Definition replies p s W := forall i j, In i (moves_A G p) -> In j (moves_B G p) ->
  best_against (later s i j) (after G p i j) (W i j).

Definition reply_by j (W : move G -> move G -> F * strategy) : strategy := compose [(j, 1)] (fun i k => snd (W i k)).

Lemma reply_by_pure p s W j : replies p s W -> In j (moves_B G p) -> proper_B pure p (reply_by j W).
Proof.
  intros R J. apply compose_B. now apply pure_distribution. now exists j.
  intros i k p' I K E. specialize (R i k I K). rewrite E in R. apply R.
Qed.

Lemma reply_by_outcome allowed p s W j : proper_A allowed p s -> replies p s W -> In j (moves_B G p) ->
  outcome s (reply_by j W) p = mean (s []) (fun i => fst (W i j)).
Proof.
  intros S R J. unfold outcome. rewrite play_step. pose proof (proper_A_now _ _ _ S) as [[DA _] _].
  apply mean_eq. intros i x I. apply DA in I as [I _]. unfold reply_by at 1. simpl compose. rewrite mean_pure.
  change (later (reply_by j W) i j) with (snd (W i j)). specialize (R i j I J).
  destruct (after G p i j) as [v|p'] eqn:E; simpl. easy.
  rewrite (play_fuel allowed pure). apply R. now apply (turns_fall G p i j). eapply proper_A_later; eauto. apply R.
Qed.

(** Against every strategy there is a best reply, and it needs no chance. *)
Theorem best_reply allowed : forall n p s, (turns G p < n)%nat -> proper_A allowed p s -> exists q,
  (forall t, proper_B mixed p t -> q <= outcome s t p) /\ exists t, proper_B pure p t /\ outcome s t p = q.
Proof.
  induction n as [|n IH]; intros p s N S. lia. pose proof (proper_A_now _ _ _ S) as [DA _].
  assert (R : exists W, replies p s W).
  { apply (choice2 (0 : F, idle) (fun i j => best_against (later s i j) (after G p i j))).
    intros i j I J. destruct (after G p i j) as [v|p'] eqn:E. now exists (ratio v, idle).
    pose proof (turns_fall G p i j p' I J E). destruct (IH p' (later s i j)) as (q & L & t & T & Q). lia.
    eapply proper_A_later; eauto. now exists (q, t). }
  destruct R as [W R]. destruct (least_exists (fun j => mean (s []) (fun i => fst (W i j))) (moves_B G p)) as (j & J & L).
  apply moves_B_exist. exists (mean (s []) (fun i => fst (W i j))). split.
  - intros t T. unfold outcome. rewrite play_step, mean_swap. pose proof (proper_B_now _ _ _ T) as [DB _].
    apply mean_ge with (moves_B G p); auto. intros k K. apply le_trans with (1 := L k K).
    apply mean_le with (moves_A G p); auto. intros i I. specialize (R i k I K).
    destruct (after G p i k) as [v|p'] eqn:E; simpl. rewrite R. apply le_refl.
    rewrite (play_fuel allowed mixed). apply R. eapply proper_B_later; eauto. now apply (turns_fall G p i k).
    eapply proper_A_later; eauto. eapply proper_B_later; eauto.
  - exists (reply_by j W). split. now apply reply_by_pure with s. now apply reply_by_outcome with allowed.
Qed.

(** Security levels hold turn by turn. *)
Theorem A_secures_turn_only allowed p q : A_secures_by allowed p q -> exists d w, distribution (moves_A G p) d /\ allowed d /\
  (forall i j, In i (moves_A G p) -> In j (moves_B G p) -> A_secures_after allowed (after G p i j) (w i j)) /\
  (forall j, In j (moves_B G p) -> q <= mean d (fun i => w i j)).
Proof.
  intros (s & S & H). pose proof (proper_A_now _ _ _ S) as [DA A].
  assert (R : exists W, replies p s W).
  { apply (choice2 (0 : F, idle) (fun i j => best_against (later s i j) (after G p i j))).
    intros i j I J. destruct (after G p i j) as [v|p'] eqn:E. now exists (ratio v, idle).
    destruct (best_reply allowed (Datatypes.S (turns G p')) p' (later s i j)) as (r & L & t & T & Q). lia.
    eapply proper_A_later; eauto. now exists (r, t). }
  destruct R as [W R]. exists (s []), (fun i j => fst (W i j)). split; [exact DA|split; [exact A|split]].
  - intros i j I J. specialize (R i j I J). destruct (after G p i j) as [v|p'] eqn:E; simpl. rewrite R. apply le_refl.
    exists (later s i j). split. eapply proper_A_later; eauto. apply R.
  - intros j J. rewrite <- (reply_by_outcome allowed p s W j); auto. apply H.
    intros h p2 L. split; [|exact I]. now apply (reply_by_pure p s W j R J).
Qed.

End Play.
