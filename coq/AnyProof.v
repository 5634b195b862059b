(** * The check of certificates of any game is sound

    If [check] accepts a game, it is well-formed and its bounds are true: A secures the lower one and B the upper one, by
    the certificate's weights, against every strategy of the other player. *)

From Coq Require Import ZArith NArith Nnat QArith List Bool Field Lia Lqa.
From PencilTennis Require Import Numbers AnyGame Stationary Exchanged AnyTables Nature.
From PencilTennis Require Table.
Import ListNotations.

Lemma extreme_gap s (sign large : Q) : (sign = 1 \/ sign = -1)%Q ->
  (- (large * signed s sign) <= inject_Z (2 ^ 61 + Z.abs (Qnum large)))%Q.
Proof.
  intros H. assert (- (large * signed s sign) == large \/ - (large * signed s sign) == - large)%Q as C.
  { destruct s, H as [-> | ->]; cbn [signed]; [right|left|left|right]; ring. }
  destruct large as [n d]. destruct C as [-> | ->]; unfold Qle, Qopp, inject_Z; cbn [Qnum Qden]; nia.
Qed.

Lemma endless_gap s e z : (Z.abs (Qnum e) <= largest_payoff * Zpos (Qden e))%Z ->
  (- signed s e <= inject_Z (2 ^ 61 + Z.abs z))%Q.
Proof.
  unfold largest_payoff. destruct e as [n d]. intros H. destruct s; unfold Qle, Qopp, inject_Z; cbn [Qnum Qden signed Qopp] in *; nia.
Qed.

(** ** A certificate that is accepted *)

Section Checked.
Variables (c : certificate) (l : list entry).
Let G := the_game c.
Let k := the_kind G.
Let chooser := nature G.
Let m := table l.
Hypothesis entered : entries 0 (states G) (lines c) [] = Some l.
Hypothesis nodes_checked : forall e, In e l -> check_node k m (fst (snd e)) = true /\ check_line (largest_bound c) (snd (snd e)) = true.
Hypothesis nature_checked : check_nature chooser l = true.
Hypothesis kind_checked : check_kind k m l = true.
Hypothesis player_checked : forall s, check_player s c m l = true.

Definition Is (p : N) : Prop := (N.to_nat p < length (states G))%nat.

Lemma entry_back p x y : In (p, (x, y)) l ->
  exists nm, nth_error (states G) (N.to_nat p) = Some (nm, x) /\ nth_error (lines c) (N.to_nat p) = Some y.
Proof.
  intros I. apply (proj2 (proj2 (proj2 (entries_spec _ _ _ _ _ entered)))) in I as [[]|(n & nm & -> & X & Y)].
  exists nm. now rewrite N.add_0_l, Nat2N.id.
Qed.

Lemma entry_at p : Is p -> exists x y, In (p, (x, y)) l.
Proof.
  intros P. destruct (entries_spec _ _ _ _ _ entered) as (L & I & _).
  destruct (nth_error (states G) (N.to_nat p)) as [[nm x]|] eqn:X. 2: now apply nth_error_None in X; unfold Is in P; lia.
  destruct (nth_error (lines c) (N.to_nat p)) as [y|] eqn:Y. 2: apply nth_error_None in Y; unfold Is in P; lia.
  exists x, y. specialize (I _ _ _ _ X Y). now rewrite N.add_0_l, N2Nat.id in I.
Qed.

Lemma entry_is p x y : In (p, (x, y)) l -> Is p.
Proof. intros I. apply entry_back in I as (nm & X & _). unfold Is. apply nth_error_Some. now rewrite X. Qed.

Lemma entry_unique p x y x' y' : In (p, (x, y)) l -> In (p, (x', y')) l -> x = x' /\ y = y'.
Proof.
  intros I J. apply entry_back in I as (nm & X & Y). apply entry_back in J as (nm' & X' & Y'). rewrite X in X'. rewrite Y in Y'.
  injection X' as <- <-. injection Y' as <-. auto. Qed.

Lemma at_entry p x y : In (p, (x, y)) l -> at_state (rules_of G) p = turn_of G x.
Proof. intros I. apply entry_back in I as (nm & X & _). simpl. now rewrite X. Qed.

Lemma at_turn p t : at_state (rules_of G) p = inr t ->
  exists a b e cells y, In (p, (Turn a b e cells, y)) l /\ turn_of G (Turn a b e cells) = inr t.
Proof.
  intros E. assert (Is p) as P. { unfold Is. apply nth_error_Some. intros N. simpl in E. now rewrite N in E. }
  destruct (entry_at p P) as (x & y & I). rewrite (at_entry _ _ _ I) in E. destruct x as [v|a b e cells]; [easy|].
  exists a, b, e, cells, y. auto.
Qed.

Lemma endless_plain e : k <> Target -> endless_of G e = e.
Proof. unfold endless_of. change (the_kind G) with k. now destruct k. Qed.

(** *** Cells *)

Lemma check_cell_spec d : check_cell k m d = true -> has_limits d /\ are_decided (limits (successors d) (largest d)) /\
  (forall q p, In (q, p) (successors d) -> (0 <= q)%Q /\ exists xy, look m p = Some xy) /\ (k = Recursive -> reward d == 0)%Q.
Proof.
  unfold check_cell. rewrite !andb_true_iff. intros ((((S & P) & _) & R) & _). rewrite forallb_forall in P.
  assert (forall q p, In (q, p) (successors d) -> (0 <= q)%Q /\ exists xy, look m p = Some xy) as Q.
  { intros q p I. apply P in I. simpl in I. apply andb_true_iff in I as [I J]. apply Z.leb_le in I. split.
    unfold Qle. simpl. lia. destruct (look m p) as [xy|]; [now exists xy|easy]. }
  assert (has_limits d /\ are_decided (limits (successors d) (largest d))) as [L D].
  { destruct (largest d) as [|o most] eqn:M; simpl is_empty in S.
    - split; [left; split; [split|exact M]|].
      + intros q p I. now apply (Q q p).
      + apply Z.eqb_eq in S. pose proof (sum_spec fst (successors d) 0) as E. rewrite Qplus_0_l in E. rewrite <- E.
        unfold Qeq. simpl. lia.
      + apply certain_decided. intros q p I. now apply (Q q p).
    - apply check_limits_spec in S. unfold limits_of in S. split; [now right|]. rewrite <- M. now apply limits_decided. }
  split; [|split; [|split]]; auto.
  intros K. rewrite K in R. apply Z.eqb_eq in R. unfold Qeq. simpl. lia.
Qed.

Lemma check_cell_pay d : check_cell k m d = true -> (Z.abs (Qnum (reward d)) <= 2 ^ 61 * Zpos (Qden (reward d)))%Z.
Proof. unfold check_cell. rewrite !andb_true_iff. intros (((_ & P) & _) & _). now apply Z.leb_le in P. Qed.

Lemma turn_shape p a b e cells y : In (p, (Turn a b e cells, y)) l -> a <> [] /\ b <> [] /\ length cells = length a /\
  payoff_in_range e = true /\ forall row, In row cells -> length row = length b /\ forall d, In d row ->
    check_cell k m d = true.
Proof.
  intros I. apply nodes_checked in I as [H _]. simpl in H. rewrite !andb_true_iff in H.
  destruct H as ((((NA & NB) & E) & L) & R).
  apply is_empty_spec in NA, NB. apply same_length_spec in L. repeat split; auto; rewrite forallb_forall in R.
  - apply R in H. apply andb_true_iff in H as [H _]. now apply same_length_spec.
  - apply R in H. apply andb_true_iff in H as [_ H]. now apply forallb_forall.
Qed.

Lemma cell_in p a b e cells y i j : In (p, (Turn a b e cells, y)) l -> (i < length a)%nat -> (j < length b)%nat ->
  In (nth i cells []) cells /\ In (cell_at cells i j) (nth i cells []) /\ check_cell k m (cell_at cells i j) = true.
Proof.
  intros I Hi Hj. destruct (turn_shape _ _ _ _ _ _ I) as (_ & _ & L & _ & R). assert (In (nth i cells []) cells) as In_row.
  { apply nth_In. lia. } destruct (R _ In_row) as [Lr C]. assert (In (cell_at cells i j) (nth i cells [])) as In_cell.
  { apply nth_In. lia. } auto.
Qed.

Lemma shaped_with (good : cell -> Prop) : (forall p a b e cells y i j, In (p, (Turn a b e cells, y)) l -> (i < length a)%nat -> (j < length b)%nat ->
  good (cell_at cells i j)) -> shaped_by good G.
Proof.
  intros Good.
  intros p nm a b e cells X. destruct (entry_at (N.of_nat p)) as (x & y & I).
  { unfold Is. rewrite Nat2N.id. apply nth_error_Some. now rewrite X. }
  destruct (entry_back _ _ _ I) as (nm' & X' & _). rewrite Nat2N.id, X in X'. injection X' as <- <-.
  destruct (turn_shape _ _ _ _ _ _ I) as (NA & NB & L & _ & R). repeat split; auto; try now apply R.
  all: destruct (R _ H) as [Lr C].
  - apply In_nth with (d := []) in H as (i & Hi & <-). apply In_nth with (d := nothing) in H0 as (j & Hj & <-).
    apply (Good _ _ _ _ _ _ i j I); congruence.
  - intros q p' J. specialize (C _ H0). apply check_cell_spec in C as (_ & _ & S & _).
    destruct (S q p' J) as [_ [[x' y'] E]]. apply table_spec in E. now apply entry_is in E.
Qed.

Lemma shaped_uncertainly : uncertainly_shaped G.
Proof.
  apply shaped_with. intros p a b e cells y i j I Hi Hj. destruct (cell_in _ _ _ _ _ _ i j I Hi Hj) as (_ & _ & C).
  now apply check_cell_spec in C as (L & _).
Qed.

Lemma certain_cell p a b e cells y i j : chooser = None -> In (p, (Turn a b e cells, y)) l -> (i < length a)%nat -> (j < length b)%nat ->
  is_certain (cell_at cells i j).
Proof.
  intros N I Hi Hj. destruct (cell_in _ _ _ _ _ _ i j I Hi Hj) as (R & D & C). pose proof nature_checked as H. rewrite N in H. simpl in H.
  rewrite forallb_forall in H. specialize (H _ I). cbn [fst snd node_cells] in H. rewrite forallb_forall in H.
  assert (largest (cell_at cells i j) = []) as E.
  { assert (In (cell_at cells i j) (concat cells)) as J by (apply in_concat; eauto). apply H in J.
    destruct (largest (cell_at cells i j)); [reflexivity|discriminate J]. }
  apply check_cell_spec in C as (L & _ & S & _). apply certain_limits; auto. intros q p' J. now apply (S q p').
Qed.

Lemma shaped : chooser = None -> well_shaped G.
Proof. intros N. apply shaped_with. intros p a b e cells y i j. now apply certain_cell. Qed.

(** *** A player's side *)

Definition rules_for (s : player) : rules := match s with A => rules_of G | B => exchanged (rules_of G) end.
Definition cell_for (s : player) cells i j : cell := match s with A => cell_at cells i j | B => cell_at cells j i end.
Definition own {T} (s : player) (a b : T) : T := match s with A => a | B => b end.

Lemma at_for s p t : at_state (rules_for s) p = inr t -> exists a b e cells y, In (p, (Turn a b e cells, y)) l /\
  t = {| count_A := length (own s a b); count_B := length (own s b a); endless := signed s (endless_of G e);
         reward_of := fun i j => signed s (reward (cell_for s cells i j));
           chance := fun i j => successors (cell_for s cells i j);
           at_most := fun i j => largest (cell_for s cells i j) |}.
Proof.
  destruct s; simpl rules_for; intros E.
  - apply at_turn in E as (a & b & e & cells & y & I & E). exists a, b, e, cells, y. split; auto. simpl in E.
    now injection E as <-.
  - apply at_exchanged in E as (t' & E & ->). apply at_turn in E as (a & b & e & cells & y & I & E). exists a, b, e, cells, y.
    split; auto. simpl in E. now injection E as <-.
Qed.

Lemma end_for s p v : Is p -> at_state (rules_for s) p = inl v -> exists v' y, In (p, (End v', y)) l /\ v = signed s v'.
Proof.
  intros P. destruct (entry_at p P) as (x & y & I). pose proof (at_entry _ _ _ I) as E. destruct x as [v'|]; simpl turn_of in E.
  - intros H. exists v', y. split; auto. destruct s; simpl rules_for in H. rewrite E in H. now injection H as <-.
    unfold exchanged in H. cbn [at_state] in H. rewrite E in H. now injection H as <-.
  - destruct s; simpl rules_for; intros H. now rewrite E in H. unfold exchanged in H. cbn [at_state] in H. now rewrite E in H.
Qed.

Definition weights_of (s : player) (y : line) : list (N * Z) := match s with A => of_A y
  | B => of_B y end.
Definition stand_at (s : player) (p : N) : option stand :=
  match nth_error (states G) (N.to_nat p), nth_error (lines c) (N.to_nat p) with
  | Some x, Some y => stand_of s (p, (snd x, y)) | _, _ => None end.
Definition bound_at (s : player) (p : N) : Z :=
  match nth_error (lines c) (N.to_nat p) with Some y => bound_of s y | None => 0%Z end.
Let worth_for s := cell_worth s (on_side s chooser) (unit c) (largest_worth c) (discount_of k) m.
Let all : Z := Zpos (whole c).

Lemma bound_entry s p x y : In (p, (x, y)) l -> bound_at s p = bound_of s y.
Proof. intros I. apply entry_back in I as (nm & _ & Y). unfold bound_at. now rewrite Y. Qed.

Lemma entry_checked s e : In e l -> check_entry s all (worth_for s) (unit c) e = true.
Proof.
  intros I. specialize (player_checked s). unfold check_player in player_checked.
  apply andb_true_iff in player_checked as [H _]. apply andb_true_iff in H as [H _].
  rewrite forallb_forall in H. now apply H.
Qed.

Lemma settled_cell s p a b e cells y i j : on_side s chooser = true -> In (p, (Turn a b e cells, y)) l ->
  (i < length a)%nat -> (j < length b)%nat -> is_settled s m (cell_at cells i j) = true.
Proof.
  intros O I Hi Hj. specialize (player_checked s). unfold check_player in player_checked. cbv zeta in player_checked.
  change (nature (the_game c)) with chooser in player_checked. rewrite O in player_checked.
  apply andb_true_iff in player_checked as [H _]. apply andb_true_iff in H as [_ H].
  rewrite forallb_forall in H. specialize (H _ I). cbn [fst snd node_cells] in H. rewrite forallb_forall in H. apply H.
  destruct (cell_in _ _ _ _ _ _ i j I Hi Hj) as (R & D & _). apply in_concat. eauto.
Qed.

(** All that is known of a player's weights in a state. *)
Lemma stand_spec s p t : at_state (rules_for s) p = inr t -> exists x,
  stand_at s p = Some x /\ (exists e, In e l /\ stand_of s e = Some x) /\ number_of x = p /\
  length (weights x) = count_A t /\ (forall z, In z (weights x) -> 0 <= z)%Z /\ sum_of (weights x) = all /\
  bound x = bound_at s p /\
  forall j, (j < count_B t)%nat -> exists reply, In reply (replies x) /\ length reply = count_A t /\
    (bound_at s p * all <= weigh (worth_for s) (weights x) reply)%Z /\
    forall i, (i < count_A t)%nat -> check_cell k m (nth i reply nothing) = true /\
      reward_of t i j = signed s (reward (nth i reply nothing)) /\ chance t i j = successors (nth i reply nothing) /\
      at_most t i j = largest (nth i reply nothing).
Proof.
  intros E. apply at_for in E as (a & b & e & cells & y & I & ->). cbn [count_A count_B reward_of chance at_most endless].
  pose proof (entry_checked s _ I) as C. destruct (entry_back _ _ _ I) as (nm & X & Y). unfold stand_at. rewrite X, Y.
  cbn [snd].
  assert (exists x, stand_of s (p, (Turn a b e cells, y)) = Some x /\
    check_stand all (worth_for s) x = true) as (x & S & K).
  { unfold check_entry in C. destruct (stand_of s (p, (Turn a b e cells, y))) as [x|]; [now exists x|easy]. }
  clear C. exists x. split; auto. split. now exists (p, (Turn a b e cells, y)).
  destruct (turn_shape _ _ _ _ _ _ I) as (_ & _ & L & _ & R).
  unfold check_stand in K. apply andb_true_iff in K as [T W]. apply Z.eqb_eq in T. rewrite total_spec in T.
  rewrite forallb_forall in W.
  rewrite (bound_entry s _ _ _ I).
  destruct s; cbn [own signed bound_of cell_for]; unfold stand_of in S.
  - destruct (dense 0 a (of_A y)) as [w|] eqn:D; [|easy]. apply dense_spec in D as [Lw Pw]. injection S as <-.
    cbn [number_of bound weights replies beyond] in *. repeat split; auto. intros j J.
    destruct (columns_spec b cells) as [Lc Sc]. { intros row Hr. now apply R. } destruct (Sc j nothing J) as [Lj Nj].
    assert (In (nth j (columns b cells) []) (columns b cells)) as Ij by (apply nth_In; lia).
    exists (nth j (columns b cells) []). repeat split; auto. now rewrite Lj. apply W in Ij. now apply Z.leb_le in Ij.
    all: rewrite Nj by lia; auto. now apply (cell_in _ _ _ _ _ _ i j I).
  - destruct (dense 0 b (of_B y)) as [w|] eqn:D; [|easy]. apply dense_spec in D as [Lw Pw]. injection S as <-.
    cbn [number_of bound weights replies beyond] in *. repeat split; auto.
    intros j J. assert (In (nth j cells []) cells) as Ij by (apply nth_In; lia).
    exists (nth j cells []). repeat split; auto. now apply R. apply W in Ij. now apply Z.leb_le in Ij.
    now apply (cell_in _ _ _ _ _ _ j i I).
Qed.

Lemma stand_beyond s p t x : at_state (rules_for s) p = inr t -> stand_at s p = Some x -> k <> Target -> beyond x = endless t.
Proof.
  intros E St K. apply at_for in E as (a & b & e & cells & y & I & ->). destruct (entry_back _ _ _ I) as (nm & X & Y).
  unfold stand_at in St. rewrite X, Y in St. cbn [snd endless] in *. rewrite (endless_plain e K).
  destruct s; unfold stand_of in St; [destruct (dense 0 a (of_A y))|destruct (dense 0 b (of_B y))]; try easy;
    now injection St as <-.
Qed.

(** *** Ranks and levels *)

Lemma look_complete p x y : In (p, (x, y)) l -> look m p = Some (x, y).
Proof.
  intros I. enough (exists v, look m p = Some v) as [[x' y'] E].
  { rewrite E. apply table_spec in E. now destruct (entry_unique _ _ _ _ _ I E) as [-> ->]. }
  unfold m, table. generalize (@no_entry (node * line)). clear - I. induction l as [|[q v] l' IH]; simpl. easy. intros m.
  destruct I as [[= -> ->]|I]; [|now apply IH]. clear IH.
  assert (exists v, look (put m p (x, y)) p = Some v) as H by (rewrite look_put, N.eqb_refl; eauto).
  revert H. generalize (put m p (x, y)). induction l' as [|[q' v'] l' IH]; simpl; intros m' [w H]; eauto. apply IH.
  rewrite look_put. destruct (N.eqb p q'); eauto.
Qed.

Definition steps_to (R : rules) p t i j q p' : Prop := at_state R p = inr t /\ (i < count_A t)%nat /\ (j < count_B t)%nat /\
  In (q, p') (chance t i j) /\ (0 < q)%Q.

Lemma steps_for s p t i j q p' : steps_to (rules_for s) p t i j q p' ->
  exists t' i' j', steps_to (rules_of G) p t' i' j' q p' /\ endless t = signed s (endless t').
Proof.
  destruct s; simpl rules_for. intros H. now exists t, i, j. intros (E & I & J & K & Q).
  apply at_exchanged in E as (t' & E & ->).
  exists t', j, i. repeat split; auto.
Qed.

Lemma edge_in p t i j q p' t' : steps_to (rules_of G) p t i j q p' -> at_state (rules_of G) p' = inr t' ->
  exists ks, In (p, ks) (edges_of m l) /\ In p' ks.
Proof.
  intros (E & I & J & K & Q) E'. apply at_turn in E as (a & b & e & cells & y & In_l & E). simpl in E. injection E as <-.
  apply at_turn in E' as (a' & b' & e' & cells' & y' & In_l' & _). cbn [count_A count_B chance] in *.
  exists (flat_map (fun d => filter (is_turn m) (targets d)) (node_cells (Turn a b e cells))). split.
  - unfold edges_of. eapply fold_in; [exact In_l|intros; now left|]. intros found [p0 [[|] y0]] H; auto. now right.
  - apply in_flat_map. destruct (cell_in _ _ _ _ _ _ i j In_l I J) as (R & D & _). exists (cell_at cells i j). split.
    simpl. apply in_concat. eauto. apply filter_In. split. apply targets_spec. eauto. unfold is_turn.
    now rewrite (look_complete _ _ _ In_l').
Qed.

Lemma acyclic_ranks : k = Acyclic -> exists rank : N -> nat, forall p t i j q p', steps_to (rules_of G) p t i j q p' ->
  (rank p' < rank p)%nat.
Proof.
  intros K. pose proof kind_checked as C. rewrite K in C. unfold check_kind, check_acyclic in C. rewrite forallb_forall in C.
  set (lv := find_levels (edges_of m l)) in *.
  exists (fun p => match at_state (rules_of G) p with inr _ => S (N.to_nat (rank lv p)) | inl _ => 0%nat end).
  intros p t i j q p' H. rewrite (proj1 H). destruct (at_state (rules_of G) p') as [v|t'] eqn:E'; [lia|].
  destruct (edge_in _ _ _ _ _ _ _ H E') as (ks & I & J). apply C in I. simpl in I. rewrite forallb_forall in I. apply I in J.
  apply N.ltb_lt in J. lia.
Qed.

Lemma stopping_ranks : k = Stopping -> exists rank : N -> nat, forall p t i j, at_state (rules_of G) p = inr t ->
  (i < count_A t)%nat -> (j < count_B t)%nat -> exists q p', steps_to (rules_of G) p t i j q p' /\ (rank p' < rank p)%nat.
Proof.
  intros K. pose proof kind_checked as C. rewrite K in C. unfold check_kind, is_left in C. rewrite forallb_forall in C.
  set (r := ranks (both_places l)) in *. exists (fun p => N.to_nat (rank r p)). intros p t i j E I J. pose proof E as E0.
  apply at_turn in E as (a & b & e & cells & y & In_l & E). simpl in E. injection E as <-. cbn [count_A count_B] in I, J.
  assert (In (p, map targets (node_cells (Turn a b e cells))) (both_places l)) as P.
  { unfold both_places. eapply fold_in; [exact In_l|intros; now left|]. intros found [p0 [[|] y0]] H; auto. now right. }
  apply C in P. destruct (cell_in _ _ _ _ _ _ i j In_l I J) as (R & D & _).
  apply leads_down_spec with (choice := targets (cell_at cells i j)) in P as (p' & T & Lt).
  - apply targets_spec in T as (q & T & Q). exists q, p'. split; [|lia]. repeat split; auto.
  - apply in_map. simpl. apply in_concat. eauto.
Qed.

Lemma cycle_levels : check_cycles m l = true -> k <> Target -> exists level : N -> nat,
  forall p t i j q p', steps_to (rules_of G) p t i j q p' -> (level p' <= level p)%nat /\
  (level p' = level p -> forall t', at_state (rules_of G) p' = inr t' -> (endless t' == endless t)%Q).
Proof.
  intros C K. unfold check_cycles in C. rewrite forallb_forall in C.
  set (lv := find_levels (edges_of m l)) in *.
  exists (fun p => match at_state (rules_of G) p with inr _ => N.to_nat (rank lv p) | inl _ => 0%nat end).
  intros p t i j q p' H. rewrite (proj1 H). destruct (at_state (rules_of G) p') as [v|t'] eqn:E'.
  { split. lia. easy. }
  destruct (edge_in _ _ _ _ _ _ _ H E') as (ks & I & J). apply C in I. cbn [fst snd] in I. rewrite forallb_forall in I.
  apply I in J.
  destruct (N.compare_spec (rank lv p') (rank lv p)) as [Eq|Lt|Gt]; [|split; lia|easy].
  split. lia. intros _ t'' [= <-]. unfold same_Q in J. apply Z.eqb_eq in J.
  destruct H as (E & _). apply at_turn in E as (a & b & e & cells & y & In_l & E). unfold turn_of in E. injection E as <-.
  apply at_turn in E' as (a' & b' & e' & cells' & y' & In_l' & E'). unfold turn_of in E'. injection E' as <-.
  unfold endless_at in J. rewrite (look_complete _ _ _ In_l), (look_complete _ _ _ In_l') in J. cbn [endless].
  rewrite !endless_plain by exact K. exact J.
Qed.

Lemma endless_target s p t : k = Target -> at_state (rules_for s) p = inr t -> endless t = signed s (sign_of G).
Proof.
  intros K E. apply at_for in E as (a & b & e & cells & y & I & ->). cbn [endless]. unfold endless_of.
  change (the_kind G) with k. now rewrite K.
Qed.

Lemma lasting_levels : may_last k = true -> exists level : N -> nat, forall p t i j q p', steps_to (rules_of G) p t i j q p' ->
  (level p' <= level p)%nat /\
  (level p' = level p -> forall t', at_state (rules_of G) p' = inr t' -> (endless t' == endless t)%Q).
Proof.
  intros K. pose proof kind_checked as C.
  assert (k = Target \/ check_cycles m l = true /\ k <> Target) as [T|[H T]].
  { destruct k; try easy; simpl in C; auto; right; split; try easy. now apply andb_true_iff in C. }
  - exists (fun _ => 0%nat). intros p t i j q p' (E & _). split. lia. intros _ t' E'.
    rewrite (endless_target A p t T E), (endless_target A p' t' T E'). reflexivity.
  - now apply cycle_levels.
Qed.

Lemma sign_cases : sign_of G = 1%Q \/ sign_of G = (-1)%Q.
Proof. unfold sign_of. destruct (existsb _ _); auto. Qed.

Lemma bounds_small_for s p : Is p -> (Z.abs (bound_at s p) <= largest_bound c)%Z.
Proof.
  intros P. destruct (entry_at p P) as (x & y & I). rewrite (bound_entry s _ _ _ I). apply nodes_checked in I as [_ C].
  unfold check_line, within in C. simpl in C. apply andb_true_iff in C as [Cl Cu]. apply Z.leb_le in Cl, Cu.
  destruct s; simpl; lia.
Qed.

Lemma bound_range s p : Is p -> (- inject_Z two_62 <= bound_at s p # unit c <= inject_Z two_62)%Q.
Proof.
  intros P. pose proof (bounds_small_for s p P) as S. assert (Z.abs (bound_at s p) <= two_62 * Zpos (unit c))%Z as S'.
  { unfold largest_bound in S. destruct (weight_exponent c); [exact S|]. apply Z.le_trans with (1 := S). unfold two_62. lia. }
  unfold Qle, Qopp, inject_Z. cbn [Qnum Qden]. lia.
Qed.

(** The check compares bounds with what infinite plays pay, in a game of kind target with any number above all bounds. *)
Lemma better_spec s p t x large : Is p -> at_state (rules_for s) p = inr t -> stand_at s p = Some x ->
  (inject_Z (two_62 + 1) <= large)%Q ->
  better (extreme s G) (unit c) x = true <-> (infinite (rules_for s) large t < bound_at s p # unit c)%Q.
Proof.
  intros P E St Lg. destruct (stand_spec s p t E) as (x' & St' & _ & _ & _ & _ & _ & Bd & _). rewrite St in St'.
  injection St' as <-. pose proof (bound_range s p P) as [R0 R1]. unfold better. rewrite Bd, negb_true_iff.
  assert (forall q, Qle_bool (inject_Z (bound_at s p)) (q * inject_Z (Zpos (unit c))) = false <->
    (q < bound_at s p # unit c)%Q) as Le.
  { intros q. rewrite <- not_true_iff_false, Qle_bool_iff. split; intros H.
    - apply Qnot_le_lt. intros N. apply H. unfold Qle, inject_Z, Qmult in *. cbn [Qnum Qden] in *. lia.
    - intros N. apply (Qlt_not_le _ _ H). unfold Qle, inject_Z, Qmult in *. cbn [Qnum Qden] in *. lia. }
  rewrite Le. assert (k = Target \/ k <> Target) as [K|K] by (destruct k; auto; right; discriminate).
  - assert (infinite (rules_for s) large t = (large * endless t)%Q) as ->.
    { unfold infinite. replace (rules_kind (rules_for s)) with k by now destruct s. now rewrite K. }
    rewrite (endless_target s p t K E). unfold extreme. change (the_kind G) with k. rewrite K.
    change (inject_Z (two_62 + 1)) with (inject_Z two_62 + 1)%Q in *. revert R0 R1 Lg. generalize (inject_Z two_62).
    generalize (bound_at s p # unit c)%Q. intros b0 u R0 R1 Lg. destruct s; unfold signed; destruct sign_cases as [-> | ->];
      split; intros; lra.
  - replace (infinite (rules_for s) large t) with (endless t).
    2: { unfold infinite. replace (rules_kind (rules_for s)) with k by now destruct s. now destruct k. }
    rewrite <- (stand_beyond s p t x E St K). unfold extreme. change (the_kind G) with k. destruct k; try easy.
Qed.

(** The ranks of states where a bound is above the payoff of infinite plays. *)
Lemma better_ranks s : may_last k = true -> exists rank : N -> nat,
  (forall p, (0 < rank p)%nat ->
    exists x t, at_state (rules_for s) p = inr t /\ stand_at s p = Some x /\ better (extreme s G) (unit c) x = true) /\
  forall p t x, at_state (rules_for s) p = inr t -> stand_at s p = Some x -> better (extreme s G) (unit c) x = true ->
    forall reply, In reply (replies x) -> unpaid (weights x) reply = true ->
    exists p', In p' (reached (weights x) reply) /\ (rank p' < rank p)%nat.
Proof.
  intros K. pose proof (player_checked s) as C. unfold check_player in C. cbv zeta in C. change (the_kind (the_game c)) with k in C. rewrite K in C.
  apply andb_true_iff in C as [_ C].
  unfold is_left in C. rewrite forallb_forall in C. set (r := ranks (better_places s (the_game c) (unit c) l)) in *.
  set (is_better x := better (extreme s G) (unit c) x) in *.
  exists (fun p => match at_state (rules_for s) p, stand_at s p with
    | inr _, Some x => if is_better x then N.to_nat (rank r p) else 0%nat | _, _ => 0%nat end). split.
  - intros p H. destruct (at_state (rules_for s) p) as [|t]; [lia|]. destruct (stand_at s p) as [x|]; [|lia].
    destruct (is_better x) eqn:Bt; [|lia]. now exists x, t.
  - intros p t x E St Bt reply Rp U. rewrite E, St. change (is_better x = true) in Bt. rewrite Bt.
    destruct (stand_spec s p t E) as (x' & St' & (e & In_e & Se) & Nx & _).
    rewrite St in St'. injection St' as <-.
    assert (In (p, map (reached (weights x)) (filter (unpaid (weights x)) (replies x)))
      (better_places s (the_game c) (unit c) l)) as P.
    { unfold better_places. cbv zeta. eapply fold_in; [exact In_e|intros found; rewrite Se;
        change (better (extreme s (the_game c)) (unit c) x) with (is_better x); rewrite Bt, Nx; now left|].
      intros found e' H. destruct (stand_of s e') as [x'|]; auto. destruct (better _ _ x'); auto. now right. }
    apply C in P. apply leads_down_spec with (choice := reached (weights x) reply) in P as (p' & T & Lt).
    + exists p'. split; auto. destruct (at_state (rules_for s) p') as [|t']; [lia|]. destruct (stand_at s p') as [x'|]; [|lia].
      destruct (is_better x'); lia.
    + apply in_map, filter_In. auto.
Qed.

(** *** The kind *)

Lemma leads_steps R (P : N -> N -> Prop) : (forall p, P p p) ->
  (forall p t i j q p1 p2, steps_to R p t i j q p1 -> P p1 p2 -> P p p2) -> forall p h p', leads R p h p' -> P p p'.
Proof. intros Z S p h p' L. induction L; auto. eapply S; eauto. repeat split; eauto. Qed.

Lemma no_rewards_here : k = Recursive -> forall p t i j, at_state (rules_of G) p = inr t -> (i < count_A t)%nat ->
  (j < count_B t)%nat ->
  (reward_of t i j == 0)%Q.
Proof.
  intros K p t i j E I J. apply at_turn in E as (a & b & e & cells & y & In_l & E). simpl in E. injection E as <-.
  destruct (cell_in _ _ _ _ _ _ i j In_l I J) as (_ & _ & C). apply check_cell_spec in C as (_ & _ & _ & C). now apply C.
Qed.

Lemma rewards_checked (good : Z -> bool) : check_rewards good l = true ->
  rewards_are (rules_of G) (fun r => good (Qnum r) = true).
Proof.
  unfold check_rewards. rewrite forallb_forall. intros C p t i j E I J.
  apply at_turn in E as (a & b & e & cells & y & In_l & E). unfold turn_of in E. injection E as <-. cbn [count_A count_B reward_of] in *.
  destruct (cell_in _ _ _ _ _ _ i j In_l I J) as (R & D & _). apply C in In_l. cbn [fst snd node_cells] in In_l.
  rewrite forallb_forall in In_l. apply In_l. apply in_concat. eauto.
Qed.

Lemma sign_checked : check_sign l = true -> one_sign (rules_of G).
Proof.
  unfold check_sign. rewrite orb_true_iff. intros [C|C]; [left|right]; apply rewards_checked in C; intros p t i j E I J;
    specialize (C p t i j E I J); apply Z.leb_le in C; unfold Qle; cbn [Qnum Qden]; lia.
Qed.

Lemma cycles_by_levels : (exists level : N -> nat, forall p t i j q p', steps_to (rules_of G) p t i j q p' ->
  (level p' <= level p)%nat /\
  (level p' = level p -> forall t', at_state (rules_of G) p' = inr t' -> (endless t' == endless t)%Q)) ->
  endless_by_cycle (rules_of G).
Proof.
  intros (lv & H).
  assert (forall p h p', leads (rules_of G) p h p' -> (lv p' <= lv p)%nat /\
    (forall v, at_state (rules_of G) p = inl v -> p' = p) /\ (lv p' = lv p -> forall x x',
    at_state (rules_of G) p = inr x -> at_state (rules_of G) p' = inr x' -> (endless x == endless x')%Q)) as D.
  { apply leads_steps. repeat split; auto. intros _ x x' E E'. rewrite E in E'. injection E' as <-. reflexivity.
    intros p t i j q p1 p2 S (Le & Stay & Same). destruct (H _ _ _ _ _ _ S) as [Le1 Same1]. split. lia. split.
    { intros v E. now rewrite (proj1 S) in E. }
    intros Eq x x' E E'. rewrite (proj1 S) in E. injection E as <-. destruct (at_state (rules_of G) p1) as [v|x1] eqn:E1.
    - rewrite (Stay v eq_refl), E1 in E'. easy.
    - rewrite <- (Same1 ltac:(lia) x1 eq_refl). apply Same; auto. lia. }
  intros p h x p' h' x' L L' E E'. apply D in L as (Le & _ & Same). apply D in L' as (Le' & _). apply Same; auto. lia.
Qed.

Lemma kind_sign : may_last k = true -> one_sign (rules_of G).
Proof.
  intros K. pose proof kind_checked as C. pose proof no_rewards_here as HN.
  pose proof sign_checked as HS. destruct k; try easy; simpl in C.
  - left. intros p t i j E I J. rewrite (HN eq_refl p t i j E I J). apply Qle_refl.
  - apply HS. now apply andb_true_iff in C.
  - apply HS. now apply andb_true_iff in C.
Qed.

Lemma kind_true : of_its_kind (rules_of G).
Proof.
  unfold of_its_kind. change (rules_kind (rules_of G)) with k. pose proof kind_checked as C. pose proof acyclic_ranks as HA.
  pose proof stopping_ranks as HS. pose proof lasting_levels as HR.
  pose proof no_rewards_here as HN. pose proof kind_sign as HK. pose proof cycles_by_levels as HC. destruct k.
  - destruct (HA eq_refl) as (r & H).
    assert (forall p h p', leads (rules_of G) p h p' -> (r p' <= r p)%nat) as D.
    { apply leads_steps. lia. intros p t i j q p1 p2 S Le. apply H in S. lia. }
    intros p h L. inversion L as [|p0 x i j p1 q h' p' E I J Kq Q L']; auto. subst. exfalso.
    apply D in L'. assert (r p1 < r p)%nat by (eapply H; repeat split; eauto). lia.
  - simpl in C. apply andb_true_iff in C as [C0 C1]. apply Z.ltb_lt in C0, C1. unfold Qlt. simpl. lia.
  - destruct (HS eq_refl) as (r & H). intros S Kept p. remember (r p) as n eqn:Rn.
    revert p Rn. induction n as [n IH] using (well_founded_induction Wf_nat.lt_wf). intros p -> Sp.
    destruct (Kept p Sp) as (x & i & j & E & I & J & A). destruct (H p x i j E I J) as (q & p' & (_ & _ & _ & Q & Q0) & Lt).
    exact (IH (r p') Lt p' eq_refl (A q p' Q Q0)).
  - split; [exact (HN eq_refl)|]. now apply HC, HR.
  - split; [now apply HK|]. now apply HC, HR.
  - now apply HK.
Qed.

(** *** Security levels of the weights *)

Let delta : Q := discount_of k.

Lemma end_spec s p v : Is p -> at_state (rules_for s) p = inl v -> (bound_at s p # unit c <= v)%Q.
Proof.
  intros P E. destruct (end_for s p v P E) as (v' & y & I & ->). rewrite (bound_entry s _ _ _ I).
  pose proof (entry_checked s _ I) as C. simpl in C. apply andb_true_iff in C as [C _]. apply Qle_bool_iff in C.
  unfold Qle, inject_Z, Qmult in *. cbn [Qnum Qden] in *. lia.
Qed.

Lemma known_for s p t i j q p' : at_state (rules_for s) p = inr t -> (i < count_A t)%nat -> (j < count_B t)%nat ->
  In (q, p') (chance t i j) -> Is p'.
Proof.
  intros E I J K. destruct (stand_spec s p t E) as (x & _ & _ & _ & _ & _ & _ & _ & Rp).
  destruct (Rp j J) as (reply & _ & _ & _ & C).
  destruct (C i I) as (Cc & _ & Ch & _). rewrite Ch in K. apply check_cell_spec in Cc as (_ & _ & S & _).
  destruct (S q p' K) as [_ [[x' y'] L]]. apply table_spec in L. now apply entry_is in L.
Qed.

Lemma possible_for s p t i j : at_state (rules_for s) p = inr t -> (i < count_A t)%nat -> (j < count_B t)%nat ->
  are_decided (limits (chance t i j) (at_most t i j)) /\ exists q p', In (q, p') (chance t i j) /\ (0 < q)%Q.
Proof.
  intros E I J. destruct (stand_spec s p t E) as (x & _ & _ & _ & _ & _ & _ & _ & Rp).
  destruct (Rp j J) as (reply & _ & _ & _ & C).
  destruct (C i I) as (Cc & _ & -> & ->). apply check_cell_spec in Cc as (L & D & _). split; auto. now apply some_possible.
Qed.

Lemma delta_range : (0 <= delta <= 1)%Q.
Proof.
  unfold delta. pose proof kind_checked as C. destruct k; simpl in *; try easy. apply andb_true_iff in C as [C0 C1].
  apply Z.ltb_lt in C0, C1. unfold Qle. simpl. lia.
Qed.

(** A bound of the denominators of all probabilities and rewards. *)
Definition denominators : list positive := flat_map (fun e : entry => flat_map (fun d => Qden (reward d) ::
  map (fun qk => Qden (fst qk)) (successors d)) (node_cells (fst (snd e)))) l.

Lemma denominators_in p a b e cells y i j x : In (p, (Turn a b e cells, y)) l -> (i < length a)%nat -> (j < length b)%nat ->
  In x (Qden (reward (cell_at cells i j)) :: map (fun qk => Qden (fst qk)) (successors (cell_at cells i j))) -> In x denominators.
Proof.
  intros In_l I J K. unfold denominators. apply in_flat_map. exists (p, (Turn a b e cells, y)). split; auto.
  apply in_flat_map. destruct (cell_in _ _ _ _ _ _ i j In_l I J) as (R & D & _). exists (cell_at cells i j). split; auto.
  simpl. apply in_concat. eauto.
Qed.

Section Secured.
Open Scope field_scope.
Variable F : ordered_field.
Variable s : player.
Add Field laws_of_F : (field_laws F).

Definition mix (p : N) : mixture F := match stand_at s p with Some x => mixture_of F (whole c) 0 (weights x) | None => [] end.

Lemma mixes_for p t : Is p -> at_state (rules_for s) p = inr t -> distribution F (count_A t) (mix p).
Proof.
  intros P E. destruct (stand_spec s p t E) as (x & St & _ & _ & Lw & Pw & Sw & _). unfold mix. rewrite St, <- Lw.
  now apply mixture_distribution.
Qed.

(** What nature may choose: probabilities within the limits. Where it takes the player's side, the choice that the check finds. *)
Definition may (t : turn) (i j : nat) (d : list (N * F)) : Prop :=
  allowed F t i j d /\ (on_side s chooser = true -> at_most t i j <> [] -> exists shares,
    chosen (limits (chance t i j) (at_most t i j)) (map (fun qk => bound_at s (snd qk)) (chance t i j)) = Some shares /\
    d = with_shares F (chance t i j) shares).
Notation reply_of := (reply F may).

Lemma shape_for p t i j : Is p -> at_state (rules_for s) p = inr t -> (i < count_A t)%nat -> (j < count_B t)%nat ->
  (forall q p', In (q, p') (chance t i j) -> Is p') /\ forall d, may t i j d -> mean F d (fun _ => 1) = 1 /\
    forall p' y, In (p', y) d -> 0 <= y /\ Is p' /\ (y = 0 \/ exists q, In (q, p') (chance t i j) /\ (0 < q)%Q).
Proof.
  intros P E I J. assert (K : forall q p', In (q, p') (chance t i j) -> Is p') by (intros q p'; now apply known_for with s p).
  split; auto. intros d [[B S] _]. split; auto. intros p' y Y. destruct (possible_for s p t i j E I J) as [D _].
  destruct (between_entry F _ _ _ D B p' y Y) as (q & Q & L & Z). split; [|split; [eauto|]].
  - destruct Z as [Z| ->]; [|apply le_refl]. apply le_trans with (2 := L). apply ratio_nonneg. now apply Qlt_le_weak.
  - destruct Z as [Z| ->]; eauto.
Qed.

Lemma expected_spec (b : N -> Z) (r : list (Q * N)) :
  ratio (fold_right (fun qk sum => delta * fst qk * inject_Z (b (snd qk)) + sum) 0 r)%Q =
  ratio delta * mean F (fractions F r) (fun p => integer (b p)).
Proof.
  induction r as [|[q p] r IH]; simpl. rewrite ratio_0. ring. rewrite ratio_add, IH, !ratio_mul. unfold inject_Z.
  rewrite ratio_integer. ring.
Qed.

Lemma cancel (u x y : F) : 0 <= u -> u <> 0 -> u * x <= u * y -> x <= y.
Proof.
  intros U N H. apply (mul_le F _ _ (inv u)) in H; [|now apply inv_nonneg].
  replace (inv u * (u * x)) with x in H by now field. now replace (inv u * (u * y)) with y in H by now field.
Qed.

Lemma values_known d : check_cell k m d = true -> values_in s m d = map (fun qk => bound_at s (snd qk)) (successors d).
Proof.
  intros C. apply check_cell_spec in C as (_ & _ & S & _). unfold values_in. apply map_ext_in. intros [q p] I.
  destruct (S q p I) as [_ [[x y] E]]. unfold bound_in. cbn [snd]. rewrite E. apply table_spec in E.
  now rewrite (bound_entry s _ _ _ E).
Qed.

(** Whatever nature may choose, a cell is worth at least what the check says. *)
Lemma cell_worth_spec t i j e d : check_cell k m e = true -> chance t i j = successors e -> at_most t i j = largest e -> may t i j d ->
  integer (worth_for s e) <= ratio (signed s (reward e)) * integer (Zpos (unit c)) + ratio delta * mean F d (fun p => integer (bound_at s p)).
Proof.
  intros C Ch Mo [[B S] Own]. rewrite Ch, Mo in *. pose proof (values_known e C) as V.
  unfold worth_for, cell_worth. cbv zeta. set (sum := if is_empty (largest e) then _ else _).
  assert (integer (Qnum sum / Zpos (Qden sum)) <= (ratio sum : F)) as Down.
  { rewrite <- ratio_integer. apply ratio_le. apply Qle_trans with (2 := floor_spec sum). apply Qle_refl. }
  apply le_trans with (integer (Qnum sum / Zpos (Qden sum))).
  { apply integer_le. destruct (largest_worth c) as [most|]; [|lia]. destruct (within _ _); lia. }
  apply le_trans with (1 := Down). clear Down. unfold sum. clear sum.
  destruct (largest e) as [|o most] eqn:M; simpl is_empty; cbv iota.
  - apply between_certain in B as ->. rewrite (ratio_eq F _ _ (sum_spec _ _ _)), ratio_add.
    replace (ratio (signed s (reward e) * inject_Z (Zpos (unit c)))) with (ratio (signed s (reward e)) * integer (Zpos (unit c)) : F)
      by (rewrite ratio_mul; unfold inject_Z; now rewrite ratio_integer).
    apply add_le_both; [apply le_refl|]. rewrite <- expected_spec. apply ratio_le. fold delta.
    apply check_cell_spec in C as (_ & _ & T & _). revert T. generalize (successors e). intros r T.
    induction r as [|[q p] r IH]; simpl. apply Qle_refl. apply Qplus_le_compat.
    + destruct (T q p) as [_ [[x y] E]]. now left. unfold bound_in. rewrite E. apply table_spec in E. rewrite (bound_entry s _ _ _ E).
      apply Qle_refl.
    + apply IH. intros q' p' I. apply (T q' p'). now right.
  - rewrite (ratio_eq F _ _ (plus_spec _ _)), ratio_add, !ratio_mul. unfold inject_Z. rewrite ratio_integer.
    apply add_le_both; [apply le_refl|]. fold delta. apply mul_le. apply ratio_nonneg, delta_range.
    unfold limits_of. rewrite V, M. unfold mean_by_nature. destruct (on_side s chooser) eqn:O.
    + destruct (Own eq_refl) as (shares & H & ->). easy. rewrite H. destruct (chosen_spec F (bound_at s) _ _ _ H) as (_ & _ & <-).
      apply le_refl.
    + now apply worst_spec.
Qed.

Lemma one_turn_for p t j g : Is p -> at_state (rules_for s) p = inr t -> reply_of t j g ->
  ratio (bound_at s p # unit c) <= mean F (mix p) (fun i => ratio (reward_of t i j)) +
    ratio (discount_of (rules_kind (rules_for s))) * mean F (onward F mix p g) (fun p' => ratio (bound_at s p' # unit c)).
Proof.
  intros P E [J Nt]. replace (discount_of (rules_kind (rules_for s))) with delta by now destruct s.
  destruct (stand_spec s p t E) as (x & St & _ & _ & Lw & Pw & Sw & _ & Rp). destruct (Rp j J) as (reply & _ & Lr & W & C).
  set (U := integer (Zpos (unit c)) : F). set (L p' := ratio (bound_at s p' # unit c) : F).
  apply (cancel U). now apply integer_nonneg. apply integer_not_0. unfold U at 1, L at 1. rewrite in_units.
  apply le_trans with (ratio (weigh (worth_for s) (weights x) reply # whole c)).
  { rewrite <- ratio_integer. apply ratio_le. unfold Qle. cbn [Qnum Qden]. unfold all in W. lia. }
  apply le_trans with (mean F (mix p) (fun i => U * (ratio (reward_of t i j) + ratio delta * mean F (g i) L))).
  - unfold mix. rewrite St. apply weigh_spec; auto. lia. intros i I. rewrite Nat.add_0_l.
    destruct (C i ltac:(lia)) as (Cc & -> & Ch & Mo).
    apply le_trans with (1 := cell_worth_spec t i j _ (g i) Cc Ch Mo (Nt i ltac:(lia))).
    rewrite (mean_eq F _ (fun p' => integer (bound_at s p')) (fun p' => U * L p')) by (intros; unfold U, L;
      now rewrite in_units).
    rewrite mean_mul. fold U.
    match goal with |- ?a <= ?b => replace a with b by ring end. apply le_refl.
  - rewrite mean_mul, mean_add, mean_mul, mean_onward. apply le_refl.
Qed.

(** Each successor of an action with a weight has a probability of at least 1 in [all * most]. *)
Lemma onward_part most p t x i z j g q p' : (1 <= most)%Z -> (forall y, In y denominators -> Zpos y <= most)%Z ->
  at_state (rules_for s) p = inr t -> stand_at s p = Some x -> nth_error (weights x) i = Some z -> (0 < z)%Z ->
  (i < count_A t)%nat -> reply_of t j g -> In (q, p') (chance t i j) -> (0 < q)%Q ->
  exists y, In (p', y) (onward F mix p g) /\ 1 <= integer (all * most) * y.
Proof.
  intros M D E St W Z0 I [J Nt] K Q0. destruct (Nt i I) as [[B _] _]. destruct (between_has F _ _ _ _ _ B K) as (v & V & Le).
  exists (ratio (z # whole c) * v). split.
  - unfold onward, mix. rewrite St. apply in_flat_map. exists (i, ratio (z # whole c)). split.
    exact (in_mixture F (whole c) (weights x) 0 i z W).
    apply in_map_iff. now exists (p', v).
  - apply le_trans with (integer (all * most) * (ratio (z # whole c) * ratio q)).
    2: { apply mul_le. apply integer_nonneg. unfold all. lia. apply mul_le; auto. apply ratio_nonneg. unfold Qle. cbn [Qnum Qden]. lia. }
    rewrite <- ratio_mul, <- ratio_integer, <- ratio_mul, <- ratio_1. apply ratio_le.
    assert (Zpos (Qden q) <= most)%Z as Dq.
    { apply D. apply at_for in E as (a & b & e & cells & y & In_l & ->). cbn [count_A count_B chance] in *.
      destruct s; cbn [own cell_for] in *; eapply denominators_in; eauto; right; apply in_map_iff; now exists (q, p'). }
    destruct q as [h d]. unfold Qle, Qlt, Qmult in *. cbn [Qnum Qden] in *. rewrite !Pos2Z.inj_mul.
    unfold all. assert (1 <= z * h)%Z by nia. assert (Zpos d <= most * (z * h))%Z by nia.
    nia.
Qed.

Lemma some_own p t : at_state (rules_for s) p = inr t ->
  exists x i z, stand_at s p = Some x /\ nth_error (weights x) i = Some z /\
  (0 < z)%Z /\ (i < count_A t)%nat.
Proof.
  intros E. destruct (stand_spec s p t E) as (x & St & _ & _ & Lw & Pw & Sw & _).
  destruct (some_weight (weights x)) as (i & z & W & Z0); auto. rewrite Sw. easy. exists x, i, z. repeat split; auto.
  rewrite <- Lw. apply nth_error_Some. now rewrite W.
Qed.

(** *** Payments *)

Lemma one_way : may_last k = true -> exists way : Z, (way = 1 \/ way = -1)%Z /\
  forall p t i j, at_state (rules_for s) p = inr t -> (i < count_A t)%nat -> (j < count_B t)%nat ->
    (0 <= inject_Z way * reward_of t i j)%Q.
Proof.
  intros K. assert (exists way : Z, (way = 1 \/ way = -1)%Z /\
    rewards_are (rules_of G) (fun r => (0 <= inject_Z way * r)%Q)) as (way & W & H).
  { destruct (kind_sign K) as [H|H]; [exists 1%Z|exists (-1)%Z]; split; auto; intros p t i j E I J; specialize (H p t i j E I J);
      cbv beta in *; unfold inject_Z; lra. }
  destruct s; [now exists way|]. exists (- way)%Z. split. lia. intros p t i j E I J.
  apply at_exchanged in E as (t' & E & ->). cbn [exchanged_turn reward_of count_A count_B] in *.
  specialize (H p t' j i E J I). cbv beta in H. rewrite inject_Z_opp. lra.
Qed.

Lemma in_mix p t x i y : at_state (rules_for s) p = inr t -> stand_at s p = Some x -> In (i, y) (mix p) ->
  exists z, nth_error (weights x) i = Some z /\ y = ratio (z # whole c) /\ (0 <= z)%Z /\ (i < count_A t)%nat.
Proof.
  intros E St I. destruct (stand_spec s p t E) as (x' & St' & _ & _ & Lw & Pw & _). rewrite St in St'. injection St' as <-.
  unfold mix in I. rewrite St in I. apply mixture_in in I as (n & z & -> & W & ->). exists z. repeat split; auto.
  apply nth_error_In in W. now apply Pw. rewrite <- Lw. apply nth_error_Some. simpl. now rewrite W.
Qed.

(** What a choice of the opponent pays: nothing, or at least 1 in [all * most]. *)
Lemma unpaid_none p t j x reply : at_state (rules_for s) p = inr t -> stand_at s p = Some x -> (j < count_B t)%nat ->
  length reply = count_A t ->
  (forall i, (i < count_A t)%nat -> reward_of t i j = signed s (reward (nth i reply nothing))) ->
  unpaid (weights x) reply = true -> mean F (mix p) (fun i => ratio (reward_of t i j)) = 0.
Proof.
  intros E St J Lr C U. rewrite <- (mean_zero F (mix p)).
  assert (forall i y, In (i, y) (mix p) -> y * ratio (reward_of t i j) = y * 0) as Z.
  { intros i y I. destruct (in_mix p t x i y E St I) as (z & W & -> & Z0 & Li). destruct (Z.eq_dec z 0) as [->|N].
    - rewrite (ratio_eq F (0 # whole c) 0) by reflexivity. rewrite ratio_0. ring.
    - rewrite (C i Li). assert (signed s (reward (nth i reply nothing)) == 0)%Q as ->%(ratio_eq F).
      { pose proof (unpaid_spec _ _ i z U W N ltac:(lia)) as R. destruct s; unfold Qeq; simpl; lia. }
      now rewrite ratio_0. }
  apply le_antisym; apply mean_le; intros i y I; rewrite (Z i y I); apply le_refl.
Qed.

Lemma paid_some most way p t j x reply : (1 <= most)%Z -> (forall y, In y denominators -> Zpos y <= most)%Z ->
  (forall i, (i < count_A t)%nat -> 0 <= inject_Z way * reward_of t i j)%Q -> (way = 1 \/ way = -1)%Z ->
  at_state (rules_for s) p = inr t -> stand_at s p = Some x -> (j < count_B t)%nat -> length reply = count_A t ->
  (forall i, (i < count_A t)%nat -> reward_of t i j = signed s (reward (nth i reply nothing))) ->
  unpaid (weights x) reply = false ->
  1 <= integer (all * most) * (integer way * mean F (mix p) (fun i => ratio (reward_of t i j))).
Proof.
  intros M D Pos Way E St J Lr C U. apply paid_spec in U as (i & z & W & Z & Li & R).
  destruct (stand_spec s p t E) as (x' & St' & _ & _ & Lw & Pw & _). rewrite St in St'. injection St' as <-.
  assert (0 < z)%Z as Z0 by (apply nth_error_In in W; specialize (Pw z W); lia). rewrite Lr in Li.
  rewrite <- mean_mul. set (f i := integer way * ratio (reward_of t i j) : F).
  assert (f_ratio : forall i, f i = ratio (inject_Z way * reward_of t i j)).
  { intros i'. unfold f. rewrite ratio_mul. unfold inject_Z. now rewrite ratio_integer. }
  assert (In (i, ratio (z # whole c)) (mix p)) as I by (unfold mix; rewrite St; exact (in_mixture F (whole c) (weights x) 0 i z W)).
  apply le_trans with (integer (all * most) * (ratio (z # whole c) * f i)).
  2: { apply mul_le. apply integer_nonneg. unfold all. lia. apply (mean_ge_term F (mix p) f i (ratio (z # whole c))); auto.
       intros i' y I'. destruct (in_mix p t x i' y E St I') as (z' & _ & -> & Z' & Li'). split.
       apply ratio_nonneg. unfold Qle. cbn [Qnum Qden]. lia. rewrite f_ratio. apply ratio_nonneg. now apply Pos. }
  rewrite f_ratio, <- ratio_integer, <- !ratio_mul, <- ratio_1. apply ratio_le.
  assert (Zpos (Qden (reward_of t i j)) <= most)%Z as Dq.
  { apply D. apply at_for in E as (a & b & e & cells & y & In_l & ->). cbn [count_A count_B reward_of] in *.
    replace (Qden (signed s (reward (cell_for s cells i j)))) with (Qden (reward (cell_for s cells i j))) by now destruct s.
    destruct s; cbn [own cell_for] in *; eapply denominators_in; eauto; now left. }
  specialize (Pos i Li). specialize (C i Li).
  assert (Qnum (reward_of t i j) <> 0)%Z as N by (rewrite C; destruct s; simpl; lia).
  clear f f_ratio C. revert Pos Dq N. generalize (reward_of t i j). intros [n d] Pos Dq N. unfold Qle, Qmult, inject_Z in *. cbn [Qnum Qden] in *.
  rewrite !Pos2Z.inj_mul. assert (1 <= way * n)%Z as V by (destruct Way as [-> | ->]; lia). unfold all.
  assert (1 <= z * (way * n))%Z as U by (revert V; generalize (way * n)%Z; intros; nia).
  revert U. generalize (z * (way * n))%Z. intros u U. assert (Zpos d <= most * u)%Z by nia.
  assert (Zpos (whole c) * Zpos d <= Zpos (whole c) * (most * u))%Z by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

(** The listed weights mix as the rows of all weights do. *)
Lemma listed p t : at_state (rules_for s) p = inr t -> exists y, nth_error (lines c) (N.to_nat p) =
  Some y /\
  (forall f, mean F (mix p) f = mean F (mixture_by F c (weights_of s y)) f) /\
  distribution F (count_A t) (mixture_by F c (weights_of s y)).
Proof.
  intros E. pose proof (mixes_for p t) as M. destruct (stand_spec s p t E) as (x & St & _).
  apply at_for in E as H. destruct H as (a & b & e & cells & y & I & T).
  specialize (M (entry_is _ _ _ I) E). destruct (entry_back _ _ _ I) as (nm & X & Y). exists y.
  split; auto.
  assert (D : dense 0 (own s a b) (weights_of s y) = Some (weights x)).
  { unfold stand_at in St. rewrite X, Y in St. cbn [snd stand_of] in St.
    destruct s; cbn [own weights_of]; destruct (dense _ _ _); try easy; injection St as <-;
      reflexivity. }
  assert (Same : forall f, mean F (mix p) f = mean F (mixture_by F c (weights_of s y)) f).
  { intros f. unfold mix, mixture_by. rewrite St. symmetry.
    exact (dense_mean F (whole c) (own s a b) f 0 _ _ D). }
  split; auto. split. 2: { rewrite <- Same. apply M. }
  intros i z J. apply in_map_iff in J as ([n v] & [= <- <-] & J).
  destruct (dense_in _ _ _ _ _ _ D J) as [L V].
  rewrite T. cbn [count_A fst snd]. simpl N.to_nat in L. split; [lia|].
  apply ratio_nonneg. unfold Qle. cbn [Qnum Qden]. lia.
Qed.

Lemma unlisted p : (forall t, at_state (rules_for s) p <> inr t) -> mix p = [] /\
  forall y, nth_error (lines c) (N.to_nat p) = Some y -> weights_of s y = [].
Proof.
  intros N. destruct (stand_at s p) as [x|] eqn:St.
  - exfalso. unfold stand_at in St. destruct (nth_error (states G) (N.to_nat p))
      as [[nm [v|a b e cells]]|] eqn:X; try easy.
    + now destruct (nth_error (lines c) (N.to_nat p)).
    + destruct s; eapply N; unfold rules_for, exchanged, rules_of; cbn [at_state]; rewrite X;
        reflexivity.
  - split. unfold mix. now rewrite St. intros y Y.
    assert (P : Is p). { unfold Is. destruct (entries_spec _ _ _ _ _ entered) as [-> _].
    apply nth_error_Some. now rewrite Y. }
    destruct (entry_at p P) as (x & y' & I). destruct (entry_back _ _ _ I) as (nm & X & Y').
    rewrite Y in Y'. injection Y' as <-.
    destruct x as [v|a b e cells].
    + pose proof (entry_checked s _ I) as C. simpl in C. apply andb_true_iff in C as [_ C].
      destruct s; cbn [weights_of]; [destruct (of_A y)|destruct (of_B y)]; easy.
    + destruct s; exfalso; eapply N; unfold rules_for, exchanged, rules_of; cbn [at_state];
        rewrite X; reflexivity.
Qed.

Lemma published_alike p : alike F (stationary F mix p) (published F c (weights_of s) p).
Proof.
  intros h f. unfold stationary, published. generalize (arrived p h). intros q.
  destruct (at_state (rules_for s) q) as [v|t] eqn:E.
  - destruct (unlisted q) as [-> N]. { now rewrite E. } destruct (nth_error (lines c) (N.to_nat q))
      as [y|] eqn:Y; auto.
    now rewrite (N y).
  - destruct (listed q t E) as (y & -> & M & _). apply M.
Qed.

Lemma published_proper p : Is p -> proper_A F (rules_for s) p (published F c (weights_of s) p).
Proof.
  intros P h p' t L E. replace p' with (arrived p h) in E.
  - unfold published. destruct (listed _ t E) as (y & -> & _ & D). exact D.
  - clear E. induction L as [p|p x i j k0 q h p' E I J K Q L IH]; auto. apply IH.
    now apply (shape_for p x i j P E I J) in K.
Qed.

Theorem stationary_secures p : Is p -> A_secures_by F (rules_for s) (natural F (rules_for s) may p) (stationary F mix p) p
  (ratio (bound_at s p # unit c)).
Proof.
  intros P. destruct (bounded_list denominators) as (most & M & D).
  assert (K : rules_kind (rules_for s) = k) by now destruct s.
  assert (D0 : (0 <= discount_of (rules_kind (rules_for s)) <= 1)%Q) by (rewrite K; apply delta_range).
  assert (parts : (1 <= all * most)%Z) by (unfold all; lia).
  pose proof shape_for as Shape. pose proof mixes_for as Mixes. pose proof one_turn_for as One.
  assert (Ends : forall p v, Is p -> at_state (rules_for s) p = inl v -> ratio (bound_at s p # unit c) <= (ratio v : F)).
  { intros p' v P' E. now apply ratio_le, end_spec. }
  pose proof (bounds_small_for s) as Small.
  (* In acyclic and stopping games. *)
  assert (Falls : forall rank : N -> nat, (k = Acyclic \/ k = Stopping) ->
    (forall p t i j, at_state (rules_of G) p = inr t -> (i < count_A t)%nat -> (j < count_B t)%nat ->
      exists q p', steps_to (rules_of G) p t i j q p' /\ (rank p' < rank p)%nat) ->
    A_secures_by F (rules_for s) (natural F (rules_for s) may p) (stationary F mix p) p (ratio (bound_at s p # unit c))).
  { intros rank KK H. assert (NR : may_last (rules_kind (rules_for s)) = false) by (rewrite K; now destruct KK as [-> | ->]).
    assert (H' : forall p t i j, at_state (rules_for s) p = inr t -> (i < count_A t)%nat -> (j < count_B t)%nat ->
      exists q p', In (q, p') (chance t i j) /\ (0 < q)%Q /\ (rank p' < rank p)%nat).
    { intros p0 t i j E I J. destruct s; simpl rules_for in E.
      - destruct (H p0 t i j E I J) as (q & p' & (_ & _ & _ & Q & Q0) & Lt). eauto.
      - apply at_exchanged in E as (t' & E & ->). destruct (H p0 t' j i E J I) as (q & p' & (_ & _ & _ & Q & Q0) & Lt). eauto. }
    destruct (bounded rank (length (states G))) as [top Top].
    apply (stopping_secures F (rules_for s) Is mix (bound_at s) (unit c) may Shape Mixes (proj1 D0) One Ends (largest_bound c) Small
      rank top (all * most)%Z parts); auto; try apply D0.
    2: { intros p0 t j g P0 E J. destruct (some_own p0 t E) as (x & i & z & St & W & Z0 & I).
      destruct (H' p0 t i j E I (proj1 J)) as (q & p' & Q & Q0 & Lt).
      destruct (onward_part most p0 t x i z j g q p') as (y & Iy & Py); auto. exists p', y. auto. }
    - intros p0 t P0 E. destruct (some_own p0 t E) as (x & i & z & St & W & Z0 & I).
      assert (0 < count_B t)%nat as J.
      { apply at_for in E as (a & b & e & cells & y & In_l & ->). destruct (turn_shape _ _ _ _ _ _ In_l) as (NA & NB & _).
        cbn [count_B]. destruct s; simpl; [destruct b|destruct a]; simpl; try easy; lia. }
      destruct (H' p0 t i 0%nat E I J) as (q & p' & Q & Q0 & Lt). lia. }
  pose proof acyclic_ranks as HA. pose proof stopping_ranks as HS.
  assert (Cases : k = Acyclic \/ (exists d, k = Discounted d) \/ k = Stopping \/ may_last k = true) by (destruct k; eauto).
  destruct Cases as [Kk|[[d Kk]|[Kk|Kk]]].
  - destruct (HA Kk) as (rank & H). apply (Falls rank); auto. intros p0 t i j E I J.
    destruct (possible_for A p0 t i j E I J) as (_ & q & p' & Q & Q0).
    exists q, p'. assert (steps_to (rules_of G) p0 t i j q p') as St by (repeat split; auto). split; auto. eapply H, St.
  - pose proof kind_checked as C. rewrite Kk in C. simpl in C. apply andb_true_iff in C as [C0 C1]. apply Z.ltb_lt in C0, C1.
    apply (ending_secures F (rules_for s) Is mix (bound_at s) (unit c) may Shape Mixes (proj1 D0) One Ends (largest_bound c) Small
      (fun _ => Zpos (Qden d)) (Qden d)); auto; try (intros; lia).
    + intros p0 t j g P0 E J. rewrite K, Kk, mean_const by now apply onward_sum with (rules_for s) Is may t j. cbn [discount_of].
      rewrite <- integer_1, <- integer_sub, <- !ratio_integer, <- ratio_mul. apply ratio_le. unfold Qle, Qmult. cbn [Qnum Qden].
      rewrite Pos2Z.inj_mul. nia.
    + now rewrite K, Kk.
  - destruct (HS Kk) as (rank & H). apply (Falls rank); auto.
  - destruct (better_ranks s Kk) as (rank & Better & Leave), (lasting_levels Kk) as (level & Level).
    destruct (one_way Kk) as (way & Way & Signs). clear Falls HA HS.
    destruct (bounded rank (length (states G))) as [top Top]. destruct (bounded level (length (states G))) as [levels Levels].
    split. { now apply stationary_proper with (Is := Is) (may := may). }
    exists (inject_Z (two_62 + 1)). intros large e Lg. revert e.
    assert (Far : forall p t x, Is p -> at_state (rules_for s) p = inr t -> stand_at s p = Some x ->
      better (extreme s G) (unit c) x = true <-> (infinite (rules_for s) large t < bound_at s p # unit c)%Q).
    { intros p0 t x P0 E St. now apply better_spec. }
    assert (Stand : forall p t, at_state (rules_for s) p = inr t -> exists x, stand_at s p = Some x).
    { intros p0 t E. destruct (stand_spec s p0 t E) as (x & St & _). eauto. }
    assert (Next : forall p t x j, at_state (rules_for s) p = inr t -> stand_at s p = Some x -> (j < count_B t)%nat ->
      exists reply, In reply (replies x) /\ length reply = count_A t /\ forall i, (i < count_A t)%nat ->
        check_cell k m (nth i reply nothing) = true /\ reward_of t i j = signed s (reward (nth i reply nothing)) /\
        chance t i j = successors (nth i reply nothing)).
    { intros p0 t x j E St J. destruct (stand_spec s p0 t E) as (x' & St' & _ & _ & _ & _ & _ & _ & Rp). rewrite St in St'.
      injection St' as <-. destruct (Rp j J) as (reply & Ir & Lr & _ & C). exists reply. repeat split; auto; now apply C. }
    (* Ranks from 1 on: those of the check may be 0 where all choices pay. *)
    set (rank' p := match at_state (rules_for s) p, stand_at s p with
      | inr _, Some x => if better (extreme s G) (unit c) x then S (rank p) else 0%nat | _, _ => 0%nat end).
    assert (Rank1 : forall p t x, at_state (rules_for s) p = inr t -> stand_at s p = Some x ->
      better (extreme s G) (unit c) x = true -> rank' p = S (rank p)).
    { intros p0 t x E St Bt. unfold rank'. now rewrite E, St, Bt. }
    assert (Rank2 : forall p t x, at_state (rules_for s) p = inr t -> stand_at s p = Some x ->
      rank' p = 0%nat -> better (extreme s G) (unit c) x = false).
    { intros p0 t x E St. unfold rank'. rewrite E, St. now destruct (better _ _ x). }
    assert (Rank3 : forall p, (0 < rank' p)%nat -> exists x t, at_state (rules_for s) p = inr t /\ stand_at s p = Some x /\
      better (extreme s G) (unit c) x = true).
    { intros p0. unfold rank'. destruct (at_state (rules_for s) p0) as [|t]; [lia|]. destruct (stand_at s p0) as [x|]; [|lia].
      destruct (better _ _ x) eqn:Bt; [|lia]. intros _. now exists x, t. }
    assert (Rank4 : forall p, (rank' p <= S (rank p))%nat).
    { intros p0. unfold rank'. destruct (at_state _ _); [lia|]. destruct (stand_at s p0) as [x|]; [|lia]. destruct (better _ _ x); lia. }
    apply (lasting_secures F (rules_for s) Is mix (bound_at s) (unit c) may Shape Mixes (proj1 D0) One Ends (largest_bound c) Small rank' (S top)
      (all * most)%Z parts) with (level := level) (levels := levels) (way := way) (most_pay := (2 ^ 61)%Z)
      (gap := (two_62 + 2 ^ 61 + Z.abs (Qnum large))%Z); auto.
    + intros p0 P0. specialize (Rank4 p0). specialize (Top p0 P0). lia.
    + now rewrite K.
    + intros p0 t j g P0 E Rg. pose proof (proj1 Rg) as J. destruct (Stand p0 t E) as (x & St).
      destruct (Next p0 t x j E St J) as (reply & Ir & Lr & C).
      destruct (unpaid (weights x) reply) eqn:U; [left|right].
      * split. { apply (unpaid_none p0 t j x reply); auto. intros i I. now apply C. }
        intros R0. destruct (Rank3 p0 R0) as (x' & t' & E' & St' & Bt). rewrite E in E'. injection E' as <-.
        rewrite St in St'. injection St' as <-. destruct (Leave p0 t x E St Bt reply Ir U) as (p' & T & Lt).
        apply reached_spec in T as (i & z & W & Z0 & I & T). apply targets_spec in T as (q & Q & Q0). rewrite Lr in I.
        destruct (C i I) as (_ & _ & Ch). destruct (stand_spec s p0 t E) as (x' & St' & _ & _ & Lw & Pw & _).
        rewrite St in St'. injection St' as <-. assert (0 < z)%Z by (apply nth_error_In in W; specialize (Pw z W); lia).
        destruct (onward_part most p0 t x i z j g q p') as (y & Iy & Py); auto. now rewrite Ch.
        exists p', y. repeat split; auto. rewrite (Rank1 p0 t x E St Bt). specialize (Rank4 p'). lia.
      * apply (paid_some most way p0 t j x reply); auto. intros i I. now apply (Signs p0). intros i I. now apply C.
    + lia.
    + intros p0 t j g P0 E [J _]. destruct (Stand p0 t E) as (x & St). destruct (Next p0 t x j E St J) as (reply & _ & _ & C).
      destruct (Mixes p0 t P0 E) as [M1 M2]. rewrite <- (mean_const F (mix p0) (integer (2 ^ 61)) M2). apply mean_le.
      intros i y I. destruct (M1 i y I) as [Li Ly]. apply mul_le; auto. destruct (C i Li) as (Cc & -> & _).
      apply check_cell_pay in Cc. rewrite <- ratio_integer. apply ratio_le.
      destruct (reward (nth i reply nothing)) as [n d]. destruct s; unfold Qle; cbn [signed Qopp Qnum Qden] in *; lia.
    + intros p0 t P0 E R0. destruct (Stand p0 t E) as (x & St). apply Qnot_lt_le. intros Lt.
      apply (Far p0 t x P0 E St) in Lt. rewrite (Rank2 p0 t x E St R0) in Lt. easy.
    + intros p0 P0 R0. destruct (Rank3 p0 R0) as (x & t & E & St & Bt). exists t. split; auto. now apply (Far p0 t x P0 E St).
    + intros p0 t i j q p' P0 E I J Q Q0.
      destruct (steps_for s p0 t i j q p') as (t1 & i1 & j1 & St & En). { repeat split; auto. }
      destruct (Level _ _ _ _ _ _ St) as [Le Same]. split; auto. intros Eq t' E'.
      assert (endless t' == endless t)%Q as H.
      { rewrite En. destruct s; simpl rules_for in E'.
        - now apply Same.
        - apply at_exchanged in E' as (t2 & E2 & ->). cbn [exchanged_turn endless signed]. apply Qopp_comp. now apply Same. }
      unfold infinite. destruct (rules_kind (rules_for s)); auto. now rewrite H.
    + unfold two_62. lia.
    + intros p0 t P0 E. pose proof (bound_range s p0 P0) as [_ R1].
      assert (- infinite (rules_for s) large t <= inject_Z (2 ^ 61 + Z.abs (Qnum large)))%Q as R2.
      { assert (k = Target \/ k <> Target) as [T|T] by (destruct k; auto; right; discriminate).
        - assert (infinite (rules_for s) large t = (large * endless t)%Q) as ->.
          { unfold infinite. rewrite K, T. reflexivity. }
          rewrite (endless_target s p0 t T E). apply extreme_gap, sign_cases.
        - assert (infinite (rules_for s) large t = endless t) as ->. { unfold infinite. rewrite K. now destruct k. }
          apply at_for in E as (a & b & e & cells & y & In_l & ->). cbn [endless]. rewrite (endless_plain e T).
          destruct (turn_shape _ _ _ _ _ _ In_l) as (_ & _ & _ & Pe & _). unfold payoff_in_range, within in Pe.
          apply Z.leb_le in Pe. now apply endless_gap. }
      rewrite <- Z.add_assoc, inject_Z_plus. now apply Qplus_le_compat.
Qed.

Theorem player_secures p : Is p -> A_secures_by F (rules_for s) (natural F (rules_for s) may p) (published F c (weights_of s) p) p
  (ratio (bound_at s p # unit c)).
Proof.
  intros P. apply A_secures_alike with (stationary F mix p). apply published_alike.
  now apply published_proper.
  now apply stationary_secures.
Qed.
(** *** Nature *)

Lemma any_natural p w : on_side s chooser = false -> proper_nature F (rules_for s) p w -> natural F (rules_for s) may p w.
Proof. intros O W h p' x i j L E I J. split. now apply (W h p'). now rewrite O. Qed.

(** The choice that the check finds for this player. *)
Definition choose (x : turn) (i j : nat) : list (N * F) :=
  match at_most x i j with
  | [] => fractions F (chance x i j)
  | _ => match chosen (limits (chance x i j) (at_most x i j)) (map (fun qk => bound_at s (snd qk)) (chance x i j)) with
      | Some shares => with_shares F (chance x i j) shares
      | None => []
      end
  end.
Definition own_choice (p : N) (i j : nat) : list (N * F) :=
  match at_state (rules_of G) p with inr x => choose x i j | inl _ => [] end.

Lemma choose_may p x i j : on_side s chooser = true -> at_state (rules_of G) p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
  may x i j (choose x i j).
Proof.
  intros O E I J. apply at_turn in E as (a & b & e & cells & y & In_l & E). simpl in E. injection E as <-.
  cbn [count_A count_B] in I, J. destruct (cell_in _ _ _ _ _ _ i j In_l I J) as (_ & _ & C).
  pose proof (settled_cell s _ _ _ _ _ _ i j O In_l I J) as St. pose proof (values_known _ C) as V.
  apply check_cell_spec in C as (L & _ & S & _). unfold may, allowed, choose. cbn [chance at_most].
  set (d := cell_at cells i j) in *. destruct (largest d) as [|o most] eqn:M.
  - split; [|easy]. split. apply between_fractions. destruct (certain_limits d L M) as [[_ Sum] _].
    { intros q k' K. now apply (S q k'). } rewrite fractions_sum, (ratio_eq F _ 1 Sum). apply ratio_1.
  - unfold is_settled, limits_of in St. rewrite M, V in St. simpl is_empty in St. cbn [orb] in St.
    destruct (chosen _ _) as [shares|] eqn:H; [|easy]. destruct (chosen_spec F (bound_at s) _ _ _ H) as (B & Sum & _).
    split; [auto|]. intros _ _. now exists shares.
Qed.

Lemma own_proper p : on_side s chooser = true -> proper_nature F (rules_of G) p (fun h => own_choice (arrived p h)).
Proof.
  intros O h p' x i j L E I J. unfold own_choice. rewrite (leads_arrived _ _ _ _ L), E. now apply (choose_may p' x i j).
Qed.
End Secured.

Lemma own_natural_A F p : on_side A chooser = true -> natural F (rules_of G) (may F A) p (fun h => own_choice F A (arrived p h)).
Proof.
  intros O h p' x i j L E I J. unfold own_choice. rewrite (leads_arrived _ _ _ _ L), E. now apply (choose_may F A p' x i j).
Qed.
Lemma own_natural_B F p : on_side B chooser = true ->
  natural F (exchanged (rules_of G)) (may F B) p (exchanged_choice F (fun h => own_choice F B (arrived p h))).
Proof.
  intros O h p' x i j L E I J. apply at_exchanged in E as (x' & E & ->). unfold exchanged_choice. rewrite arrived_exchanged.
  unfold own_choice. rewrite (leads_arrived _ _ _ _ L), E. apply (choose_may F B p' x' j i); auto.
Qed.
End Checked.

(** ** The theorem *)

Lemma check_spec c : check c = true -> exists l, entries 0 (states (the_game c)) (lines c) [] = Some l /\
  (forall e, In e l -> check_node (the_kind (the_game c)) (table l) (fst (snd e)) = true /\
    check_line (largest_bound c) (snd (snd e)) = true) /\
  check_nature (nature (the_game c)) l = true /\ check_kind (the_kind (the_game c)) (table l) l = true /\
  (forall s, check_player s c (table l) l = true) /\ check_verdict c (table l) = true.
Proof.
  unfold check. cbv zeta. rewrite andb_true_iff. intros [_ H]. revert H.
  destruct (entries 0 (states (the_game c)) (lines c) []) as [l|] eqn:E; [|easy].
  rewrite !andb_true_iff. intros (((((((_ & Nt) & _) & N) & K) & PA) & PB) & V). exists l.
  rewrite forallb_forall in N. repeat split; auto; try (apply N in H; now apply andb_true_iff in H). now intros [].
Qed.

(** What a player's strategy of the file secures. Where nature chooses for B, A secures a number whatever nature chooses, and B
    together with some nature that depends on the state and the actions alone; where it chooses for A the other way round. *)
Definition A_gets (F : ordered_field) (c : certificate) (p : N) (q : F) : Prop :=
  let R := rules_of (the_game c) in let s := published F c of_A p in
  match nature (the_game c) with
  | None => A_secures_with F R s p q
  | Some A => exists w, A_secures_together F R s (fun h => w (arrived p h)) p q
  | Some B => A_secures_whatever F R s p q
  end.
Definition B_gets (F : ordered_field) (c : certificate) (p : N) (q : F) : Prop :=
  let R := rules_of (the_game c) in let t := published F c of_B p in
  match nature (the_game c) with
  | None => B_secures_with F R t p q
  | Some A => B_secures_whatever F R t p q
  | Some B => exists w, B_secures_together F R t (fun h => w (arrived p h)) p q
  end.

Theorem check_sound F c : check c = true ->
  uncertainly_formed (the_game c) /\ (nature (the_game c) = None -> well_formed (the_game c)) /\
  length (lines c) = length (states (the_game c)) /\
  forall p y, nth_error (lines c) (N.to_nat p) = Some y ->
    A_gets F c p (ratio (lower y # unit c)) /\ B_gets F c p (ratio (upper y # unit c)).
Proof.
  intros H. apply check_spec in H as (l & E & Nodes & Nt & K & Players & _).
  split; [|split; [|split]].
  { split. now apply (shaped_uncertainly c l). now apply (kind_true c l). }
  { intros N. split. now apply (shaped c l). now apply (kind_true c l). }
  { symmetry. now destruct (entries_spec _ _ _ _ _ E). }
  intros p y Y. assert (Is c p) as P.
  { unfold Is. destruct (entries_spec _ _ _ _ _ E) as [-> _]. apply nth_error_Some. now rewrite Y. }
  pose proof (player_secures c l E Nodes K Players F A p P) as SA.
  pose proof (player_secures c l E Nodes K Players F B p P) as SB.
  unfold bound_at in SA, SB. rewrite Y in SA, SB.
  change (bound_of B y # unit c)%Q with (- (upper y # unit c))%Q in SB. rewrite ratio_opp in SB.
  change (bound_of A y # unit c)%Q with (lower y # unit c)%Q in SA. cbn [rules_for weights_of] in SA, SB.
  (* B's strategy in the game as it is. *)
  assert (forall W : choice F -> Prop, (forall w, W w -> natural F (exchanged (rules_of (the_game c))) (may c F B) p (exchanged_choice F w)) ->
    B_secures_by F (rules_of (the_game c)) W (published F c of_B p) p (ratio (upper y # unit c))) as SB'.
  { intros W HW. apply (B_secures_by_exchanged F _ W _ _ p _ HW) in SB. revert SB. apply B_secures_alike.
    - intros h f. unfold turned, published. cbn [weights_of]. now rewrite arrived_exchanged.
    - intros h p' x L E'.
      replace (published F c of_B p h) with (published F c (weights_of B) p (exchanged_history h))
        by (unfold published; now rewrite arrived_exchanged).
      apply (published_proper c l E Nodes Players F B p P (exchanged_history h) p' (exchanged_turn x)).
      now apply leads_exchanged. cbn [rules_for exchanged at_state]. now rewrite E'. }
  assert (on_side A (nature (the_game c)) = false -> A_secures_whatever F (rules_of (the_game c)) (published F c of_A p) p
    (ratio (lower y # unit c))) as WA.
  { intros O. revert SA. apply A_secures_by_fewer. intros w. now apply (any_natural c F A). }
  assert (on_side B (nature (the_game c)) = false -> B_secures_whatever F (rules_of (the_game c)) (published F c of_B p) p
    (ratio (upper y # unit c))) as WB.
  { intros O. apply SB'. intros w W. apply (any_natural c F B); auto. now apply exchanged_nature. }
  unfold A_gets, B_gets. cbv zeta. destruct (nature (the_game c)) as [[|]|] eqn:Nc.
  - split; [|now apply WB]. exists (own_choice c F A). split.
    + apply (own_proper c l E Nodes Players F A p). now rewrite Nc.
    + revert SA. apply A_secures_by_fewer. intros w <-. apply (own_natural_A c l E Nodes Players F p). now rewrite Nc.
  - split; [now apply WA|]. exists (own_choice c F B). split.
    + apply (own_proper c l E Nodes Players F B p). now rewrite Nc.
    + apply SB'. intros w <-. apply (own_natural_B c l E Nodes Players F p). now rewrite Nc.
  - assert (proper_nature F (rules_of (the_game c)) p (the_only_choice F (rules_of (the_game c)) p)) as O.
    { apply only_choice_proper. intros h p' x i j _ E' I J. rewrite <- Nc in Nt.
      apply (at_turn c l E) in E' as (a & b & e & cells & z & In_l & E'). simpl in E'. injection E' as <-.
      exact (certain_cell c l Nodes Nt p' a b e cells z i j Nc In_l I J). }
    split. now apply A_secures_certain, WA. now apply B_secures_certain, WB.
Qed.

(** ** Verdicts *)

(** What a verdict says of a start: whether a player secures the number, or one beyond it. *)
Definition verdict_means (F : ordered_field) (c : certificate) (v : verdict) (p : N) : Prop :=
  let number := threshold v in
  match the_relation v, is_kept v with
  | At_least, true | Below, false => A_gets F c p (ratio number)
  | Above, true | At_most, false => exists q, (number < q)%Q /\ A_gets F c p (ratio q)
  | At_most, true | Above, false => B_gets F c p (ratio number)
  | Below, true | At_least, false => exists q, (q < number)%Q /\ B_gets F c p (ratio q)
  end.

Section Verdicts.
Open Scope field_scope.
Variables (F : ordered_field) (c : certificate).
Add Field laws_of_verdicts : (field_laws F).

Lemma A_gets_less p (q r : Q) : (r <= q)%Q -> A_gets F c p (ratio q) -> A_gets F c p (ratio r).
Proof.
  intros L. apply (ratio_le F) in L.
  assert (M : forall W s, A_secures_by F (rules_of (the_game c)) W s p (ratio q) -> A_secures_by F (rules_of (the_game c)) W s p (ratio r)).
  { intros W s (S & least & H). split; auto. exists least. intros large e G E. destruct (H large e G E) as [m K]. exists m.
    intros n t w N T V. apply le_trans with (2 := K n t w N T V). apply le_difference.
    replace (ratio q - ratio e - (ratio r - ratio e)) with (ratio q - ratio r : F) by ring. now apply (proj1 (le_difference F _ _)). }
  unfold A_gets. cbv zeta. destruct (nature (the_game c)) as [[|]|].
  - intros (w & P & S). exists w. split; auto.
  - apply M.
  - intros (S & least & H). split; auto. exists least. intros large e G E. destruct (H large e G E) as [m K]. exists m.
    intros n t N T. apply le_trans with (2 := K n t N T). apply le_difference.
    replace (ratio q - ratio e - (ratio r - ratio e)) with (ratio q - ratio r : F) by ring. now apply (proj1 (le_difference F _ _)).
Qed.

Lemma B_gets_more p (q r : Q) : (q <= r)%Q -> B_gets F c p (ratio q) -> B_gets F c p (ratio r).
Proof.
  intros L. apply (ratio_le F) in L.
  assert (M : forall W s, B_secures_by F (rules_of (the_game c)) W s p (ratio q) -> B_secures_by F (rules_of (the_game c)) W s p (ratio r)).
  { intros W s (S & least & H). split; auto. exists least. intros large e G E. destruct (H large e G E) as [m K]. exists m.
    intros n t w N T V. apply le_trans with (1 := K n t w N T V). now apply add_le_both, le_refl. }
  unfold B_gets. cbv zeta. destruct (nature (the_game c)) as [[|]|].
  - apply M.
  - intros (w & P & S). exists w. split; auto.
  - intros (S & least & H). split; auto. exists least. intros large e G E. destruct (H large e G E) as [m K]. exists m.
    intros n t N T. apply le_trans with (1 := K n t N T). now apply add_le_both, le_refl.
Qed.

(** A verdict of a certificate is true: at all starts the bound is kept, or at one of them it is not. *)
Theorem verdict_sound v : check c = true -> the_verdict c = Some v ->
  if is_kept v then forall p, In p (starts (the_game c)) -> verdict_means F c v p
  else exists p, In p (starts (the_game c)) /\ verdict_means F c v p.
Proof.
  intros H V. destruct (check_sound F c H) as (_ & _ & _ & S). apply check_spec in H as (l & E & _ & _ & _ & _ & C).
  unfold check_verdict in C. rewrite V in C. set (decides := fun p : N => _) in C.
  assert (D : forall p, decides p = true -> verdict_means F c v p).
  { intros p. unfold decides. destruct (look (table l) p) as [[x y]|] eqn:Lo; [|easy]. rewrite eqb_true_iff. intros Kp.
    apply table_spec in Lo. apply (entry_back c l E) in Lo as (nm & _ & Y). destruct (S p y Y) as [SA SB].
    unfold verdict_means. cbv zeta. destruct (the_relation v), (is_kept v); simpl in Kp;
      rewrite ?negb_true_iff, ?negb_false_iff, ?Qle_bool_iff in Kp;
      try (apply not_true_iff_false in Kp; rewrite Qle_bool_iff in Kp; apply Qnot_le_lt in Kp);
      eauto using A_gets_less, B_gets_more. }
  destruct (is_kept v).
  - rewrite forallb_forall in C. auto.
  - apply existsb_exists in C as (p & I & C). eauto.
Qed.

(** If the value is a fraction, it keeps the bound as the verdict says. *)
Theorem verdict_of_value v p (x : Q) : nature (the_game c) = None -> verdict_means F c v p ->
  A_secures F (rules_of (the_game c)) p (ratio x) -> B_secures F (rules_of (the_game c)) p (ratio x) ->
  keeps (the_relation v) (threshold v) x = is_kept v.
Proof.
  intros N V SA SB.
  assert (LA : forall q, A_gets F c p (ratio q) -> (q <= x)%Q).
  { unfold A_gets. rewrite N. intros q S. apply (any_secures_order F (rules_of (the_game c)) p); auto. eexists. exact S. }
  assert (LB : forall q, B_gets F c p (ratio q) -> (x <= q)%Q).
  { unfold B_gets. rewrite N. intros q S. apply (any_secures_order F (rules_of (the_game c)) p); auto. eexists. exact S. }
  unfold verdict_means in V. cbv zeta in V. destruct (the_relation v), (is_kept v); simpl;
    rewrite ?negb_true_iff, ?negb_false_iff; try (apply Qle_bool_iff); try (apply not_true_iff_false; rewrite Qle_bool_iff; apply Qlt_not_le).
  all: try (now apply LA); try (now apply LB).
  all: destruct V as (q & L & V); (apply LA in V || apply LB in V); lra.
Qed.
End Verdicts.
