(** * Layers of games with chance

    As in Layers.v, for games whose turns pay rewards and lead to states by chance, and with a discount: states have ranks, every
    turn leads to states of lower rank, and bounds of each state are stored. If one turn, by the stored bounds of its successors,
    secures the stored bounds of each state, then these are true in the whole game. There may be infinitely many states. *)

From Coq Require Import ZArith QArith List Arith Field Lia.
From PencilTennis Require Import Numbers AnyGame Stationary Exchanged.
Import ListNotations.
Local Open Scope field_scope.

Section One_turn.
Variables (F : ordered_field) (R : rules) (bound : N -> Q).

(** A's expected payoff of a pair of actions if successors are worth their stored bounds. *)
Definition stored_after (x : turn) (i j : nat) : F :=
  ratio (reward_of x i j) +
  ratio (discount_of (rules_kind R)) * mean F (fractions F (chance x i j)) (fun k => ratio (bound k)).

(** An end is worth at least [q]; in a turn a mixture of A's actions is, by the stored bounds of the successors. *)
Definition recomputed_lower (p : N) (q : Q) : Prop :=
  match at_state R p with
  | inl v => (q <= v)%Q
  | inr x => exists d, distribution F (count_A x) d /\
      forall j, (j < count_B x)%nat -> ratio q <= mean F d (fun i => stored_after x i j)
  end.
(** As above for B: at most [q]. *)
Definition recomputed_upper (p : N) (q : Q) : Prop :=
  match at_state R p with
  | inl v => (v <= q)%Q
  | inr x => exists d, distribution F (count_B x) d /\
      forall i, (i < count_A x)%nat -> mean F d (fun j => stored_after x i j) <= ratio q
  end.
End One_turn.

(** These states have ranks that fall at every turn, and every turn stays among them. *)
Definition ranked (R : rules) (Is : N -> Prop) (rank : N -> nat) : Prop :=
  forall p x i j, Is p -> at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
    probabilities (chance x i j) /\
    forall q k, In (q, k) (chance x i j) -> (0 < q)%Q -> Is k /\ (rank k < rank p)%nat.

(** Plays are counted to their ends, with a discount if there is one. *)
Definition has_layers (R : rules) (Is : N -> Prop) (rank : N -> nat) : Prop :=
  ranked R Is rank /\ may_last (rules_kind R) = false /\ (0 <= discount_of (rules_kind R))%Q.

Lemma finite_choice {T U} (same : forall x y : T, {x = y} + {x <> y}) (u : U) (P : T -> U -> Prop) l :
  (forall x, In x l -> exists y, P x y) -> exists f, forall x, In x l -> P x (f x).
Proof.
  induction l as [|x l IH]; intros H. now exists (fun _ => u). destruct IH as [f K]. { intros y I. apply H. now right. }
  destruct (H x (or_introl eq_refl)) as [z Z]. exists (fun y => if same y x then z else f y).
  intros y I. destruct (same y x) as [->|N]; auto. destruct I as [<-|I]; [easy|auto].
Qed.

Section Lower.
Variables (F : ordered_field) (R : rules) (Is : N -> Prop) (rank : N -> nat) (lower : N -> Q).
Add Field laws : (field_laws F).
Hypothesis layers : has_layers R Is rank.
Hypothesis secured : forall p, Is p -> recomputed_lower F R lower p (lower p).

(** A strategy of A that wins the bound once more turns are played than the rank allows. *)
Definition wins_bound (p : N) (s : strategy F) : Prop := proper_A F R p s /\
  forall n t, (rank p < n)%nat -> proper_B F R p t -> ratio (lower p) <= won F R n s t p.

(** The pairs of actions in a turn, with the successors that chance may choose. *)
Definition outcomes (x : turn) : list (nat * nat * N) :=
  flat_map (fun i => flat_map (fun j => map (fun qk => (i, j, snd qk))
    (filter (fun qk => positive_Q (fst qk)) (chance x i j))) (seq 0 (count_B x))) (seq 0 (count_A x)).

Lemma positive_spec q : positive_Q q = true <-> (0 < q)%Q.
Proof. unfold positive_Q, Qlt. cbn [Qnum Qden]. rewrite Z.ltb_lt. lia. Qed.

Lemma outcomes_spec x i j k : In (i, j, k) (outcomes x) <->
  (i < count_A x)%nat /\ (j < count_B x)%nat /\ exists q, In (q, k) (chance x i j) /\ (0 < q)%Q.
Proof.
  unfold outcomes. rewrite in_flat_map. split.
  - intros (i' & A & I). apply in_flat_map in I as (j' & B & I). apply in_map_iff in I as ([q k'] & [= -> -> ->] & I).
    apply filter_In in I as [I P]. apply in_seq in A, B. cbn [fst] in P. apply positive_spec in P.
    split; [lia|]. split; [lia|]. now exists q.
  - intros (A & B & q & I & P). exists i. split. { apply in_seq. lia. } apply in_flat_map. exists j. split. { apply in_seq. lia. }
    apply in_map_iff. exists (q, k). split; auto. apply filter_In. split; auto. now apply positive_spec.
Qed.

Lemma same_outcome : forall x y : nat * nat * N, {x = y} + {x <> y}.
Proof. repeat decide equality. Qed.

(** A mixture of this turn, and strategies of the successors that win their bounds. *)
Definition compose (d : mixture F) (S : nat * nat * N -> strategy F) : strategy F :=
  fun h => match h with [] => d | m :: h => S m h end.

Lemma compose_wins p x d S : Is p -> at_state R p = inr x -> distribution F (count_A x) d ->
  (forall j, (j < count_B x)%nat -> ratio (lower p) <= mean F d (fun i => stored_after F R lower x i j)) ->
  (forall m, In m (outcomes x) -> wins_bound (snd m) (S m)) -> wins_bound p (compose d S).
Proof.
  destruct layers as (Ranks & _ & Discount). intros P E D Q W. split.
  - intros h p' x' L E'. inversion L as [|? y i j k q h' ? E1 I J K Pos L']; subst.
    + rewrite E in E'. injection E' as <-. exact D.
    + rewrite E in E1. injection E1 as <-. assert (O : In (i, j, k) (outcomes x)) by (apply outcomes_spec; eauto).
      exact (proj1 (W _ O) h' p' x' L' E').
  - intros n t N T. destruct n as [|n]; [lia|]. cbn [won]. rewrite E.
    assert (B : distribution F (count_B x) (t [])) by (apply (T [] p x); auto; constructor).
    change (compose d S []) with d. rewrite mean_swap.
    rewrite <- (mean_const F (t []) (ratio (lower p)) (proj2 B)). apply mean_le. intros j z J.
    destruct (proj1 B j z J) as [J' Z]. apply mul_le; auto. apply le_trans with (1 := Q j J').
    apply mean_le. intros i y I. destruct (proj1 D i y I) as [I' Y]. apply mul_le; auto. unfold stored_after.
    apply add_le, mul_le. { rewrite <- ratio_0. now apply ratio_le. }
    destruct (Ranks p x i j P E I' J') as [[Nonneg _] Fall]. apply mean_le. intros k u K.
    apply in_map_iff in K as ([q k'] & [= <- <-] & K). cbn [fst snd]. destruct (Qlt_le_dec 0 q) as [Pos|Zero].
    + apply mul_le. { rewrite <- ratio_0. apply ratio_le. now apply Qlt_le_weak. }
      change (later F (compose d S) i j k') with (S (i, j, k')).
      apply (W (i, j, k')). { apply outcomes_spec. split; auto. split; auto. now exists q. }
      * cbn [snd]. destruct (Fall q k' K Pos). lia.
      * intros h p' x' L. apply T. apply step with x q; auto.
    + assert (q == 0)%Q as Q0 by (apply Qle_antisym; [exact Zero|exact (Nonneg q k' K)]).
      rewrite (ratio_eq F _ _ Q0), ratio_0. match goal with |- ?a <= ?b => replace a with b by ring; apply le_refl end.
Qed.

Lemma bound_won : forall n p, (rank p < n)%nat -> Is p -> exists s, wins_bound p s.
Proof.
  induction n as [|n IH]; intros p N P; [lia|]. pose proof (secured p P) as H. unfold recomputed_lower in H.
  destruct (at_state R p) as [v|x] eqn:E.
  - exists (fun _ => []). split.
    + intros h p' x L E'. inversion L; subst; congruence.
    + intros m t _ _. assert (won F R m (fun _ => []) t p = ratio v) as -> by (destruct m; cbn [won]; now rewrite E).
      now apply ratio_le.
  - destruct H as (d & D & Q).
    destruct (finite_choice same_outcome (fun _ => [] : mixture F) (fun m s => wins_bound (snd m) s) (outcomes x)) as [S W].
    { intros [[i j] k] I. apply outcomes_spec in I as (I & J & q & K & Pos). cbn [snd].
      destruct (proj1 layers p x i j P E I J) as [_ Fall]. destruct (Fall q k K Pos). apply IH; auto. lia. }
    exists (compose d S). now apply compose_wins with x.
Qed.

Theorem chance_layers_lower p : Is p -> A_secures F R p (ratio (lower p)).
Proof.
  intros P. destruct (bound_won (S (rank p)) p (Nat.lt_succ_diag_r _) P) as (s & A & W).
  exists s. split; auto. exists 0%Q. intros large e _ E. exists (S (rank p)). intros n t N T.
  destruct layers as (_ & NL & _). unfold worth. rewrite NL. apply le_trans with (ratio (lower p)).
  - apply le_difference. replace (ratio (lower p) - (ratio (lower p) - ratio e)) with (ratio e : F) by ring.
    rewrite <- ratio_0. apply ratio_le. now apply Qlt_le_weak.
  - apply W; auto.
Qed.
End Lower.

(** B's bounds are A's in the game with the players exchanged. *)
Lemma ranked_exchanged R Is rank : has_layers R Is rank -> has_layers (exchanged R) Is rank.
Proof.
  intros (H & NL & D). split; [|split; auto]. intros p x i j P E I J. apply at_exchanged in E as (x' & E & ->).
  exact (H p x' j i P E J I).
Qed.

Section Both.
Variables (F : ordered_field) (R : rules) (Is : N -> Prop) (rank : N -> nat).
Add Field laws_of_both : (field_laws F).
Hypothesis layers : has_layers R Is rank.

Lemma recomputed_exchanged upper p q : recomputed_upper F R upper p q ->
  recomputed_lower F (exchanged R) (fun k => - upper k)%Q p (- q).
Proof.
  unfold recomputed_upper, recomputed_lower. simpl at_state. destruct (at_state R p) as [v|x]; [apply Qopp_le_compat|].
  intros (d & D & Q). exists d. split; [exact D|]. intros j J. rewrite ratio_opp.
  rewrite (mean_eq F d _ (fun i => - stored_after F R upper x j i)).
  - rewrite mean_opp. apply (proj1 (opp_le F _ _)). now apply Q.
  - intros i. unfold stored_after. cbn [exchanged_turn reward_of chance]. rewrite ratio_opp.
    rewrite (mean_eq F _ (fun k => ratio (- upper k)) (fun k => - ratio (upper k))) by (intros; apply ratio_opp).
    rewrite mean_opp. change (discount_of (rules_kind (exchanged R))) with (discount_of (rules_kind R)). ring.
Qed.

Theorem chance_layers_upper upper : (forall p, Is p -> recomputed_upper F R upper p (upper p)) ->
  forall p, Is p -> B_secures F R p (ratio (upper p)).
Proof.
  intros C p P. assert (A : A_secures F (exchanged R) p (ratio (- upper p)%Q)).
  { apply (chance_layers_lower F (exchanged R) Is rank (fun p => - upper p)%Q); auto. now apply ranked_exchanged.
    intros k K. now apply recomputed_exchanged, C. }
  destruct A as [s S]. exists (turned F s). rewrite ratio_opp in S. now apply B_secures_exchanged.
Qed.

Lemma recomputed_less bound p q q' : recomputed_lower F R bound p q -> (q' <= q)%Q -> recomputed_lower F R bound p q'.
Proof.
  unfold recomputed_lower. destruct (at_state R p) as [v|x]; intros H L. now apply Qle_trans with q.
  destruct H as (d & D & H). exists d. split; auto. intros j J. apply le_trans with (ratio q); auto. now apply ratio_le.
Qed.
Lemma recomputed_more bound p q q' : recomputed_upper F R bound p q -> (q <= q')%Q -> recomputed_upper F R bound p q'.
Proof.
  unfold recomputed_upper. destruct (at_state R p) as [v|x]; intros H L. now apply Qle_trans with q.
  destruct H as (d & D & H). exists d. split; auto. intros i I. apply le_trans with (ratio q); auto. now apply ratio_le.
Qed.

(** Containment of all recomputed bounds in the stored ones makes the stored ones true; a value lies between. *)
Theorem chance_layers_sound lower upper :
  (forall p, Is p -> exists l u, recomputed_lower F R lower p l /\ recomputed_upper F R upper p u /\
    (lower p <= l)%Q /\ (u <= upper p)%Q) ->
  forall p, Is p -> A_secures F R p (ratio (lower p)) /\ B_secures F R p (ratio (upper p)) /\
    forall v : Q, A_secures F R p (ratio v) -> B_secures F R p (ratio v) -> (lower p <= v <= upper p)%Q.
Proof.
  intros C p P. assert (A : A_secures F R p (ratio (lower p))).
  { apply (chance_layers_lower F R Is rank); auto. intros k K. destruct (C k K) as (l & u & L & _ & H & _).
    now apply recomputed_less with l. }
  assert (B : B_secures F R p (ratio (upper p))).
  { apply chance_layers_upper; auto. intros k K. destruct (C k K) as (l & u & _ & U & _ & H).
    now apply recomputed_more with u. }
  split; [exact A|]. split; [exact B|]. intros v VA VB. split; eapply any_secures_order; eauto.
Qed.
End Both.
