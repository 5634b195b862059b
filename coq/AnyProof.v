(** * The check of certificates of any game is sound

    If [check] accepts a game, it is well-formed and its bounds are true: A secures the lower one and B the upper one, by
    the certificate's weights, against every strategy of the other player. *)

From Coq Require Import ZArith NArith Nnat QArith List Bool Field Lia.
From PencilTennis Require Import Numbers AnyGame Stationary Exchanged AnyTables.
From PencilTennis Require Table.
Import ListNotations.

(** ** A certificate that is accepted *)

Section Checked.
Variables (c : certificate) (l : list entry).
Let G := the_game c.
Let k := the_kind G.
Let m := table l.
Hypothesis entered : entries 0 (states G) (lines c) [] = Some l.
Hypothesis nodes_checked : forall e, In e l -> check_node k m (fst (snd e)) = true /\ check_line (largest_bound c) (snd (snd e)) = true.
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

Lemma at_entry p x y : In (p, (x, y)) l -> at_state (rules_of G) p = turn_of x.
Proof. intros I. apply entry_back in I as (nm & X & _). simpl. now rewrite X. Qed.

Lemma at_turn p t : at_state (rules_of G) p = inr t ->
  exists a b e cells y, In (p, (Turn a b e cells, y)) l /\ turn_of (Turn a b e cells) = inr t.
Proof.
  intros E. assert (Is p) as P. { unfold Is. apply nth_error_Some. intros N. simpl in E. now rewrite N in E. }
  destruct (entry_at p P) as (x & y & I). rewrite (at_entry _ _ _ I) in E. destruct x as [v|a b e cells]; [easy|].
  exists a, b, e, cells, y. auto.
Qed.

(** *** Cells *)

Lemma check_cell_spec d : check_cell k m d = true -> probabilities (successors d) /\
  (forall q p, In (q, p) (successors d) -> exists xy, look m p = Some xy) /\ (k = Recursive -> reward d == 0)%Q.
Proof.
  unfold check_cell. rewrite !andb_true_iff. intros ((((S & P) & _) & R) & _). rewrite forallb_forall in P.
  assert (forall q p, In (q, p) (successors d) -> (0 <= q)%Q /\ exists xy, look m p = Some xy) as Q.
  { intros q p I. apply P in I. simpl in I. apply andb_true_iff in I as [I J]. apply Z.leb_le in I. split.
    unfold Qle. simpl. lia. destruct (look m p) as [xy|]; [now exists xy|easy]. }
  split; [split|split].
  - intros q p I. now apply (Q q p).
  - apply Z.eqb_eq in S. pose proof (sum_spec fst (successors d) 0) as E. rewrite Qplus_0_l in E. rewrite <- E.
    unfold Qeq. simpl. lia.
  - intros q p I. now apply (Q q p).
  - intros K. rewrite K in R. apply Z.eqb_eq in R. unfold Qeq. simpl. lia.
Qed.

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

Lemma shaped : well_shaped G.
Proof.
  intros p nm a b e cells X. destruct (entry_at (N.of_nat p)) as (x & y & I).
  { unfold Is. rewrite Nat2N.id. apply nth_error_Some. now rewrite X. }
  destruct (entry_back _ _ _ I) as (nm' & X' & _). rewrite Nat2N.id, X in X'. injection X' as <- <-.
  destruct (turn_shape _ _ _ _ _ _ I) as (NA & NB & L & _ & R). repeat split; auto. now apply R.
  all: destruct (R _ H) as [_ C]; specialize (C _ H0); apply check_cell_spec in C as (P & S & _).
  apply P. apply P. intros q p' J. destruct (S q p' J) as [[x' y'] E]. apply table_spec in E. now apply entry_is in E.
Qed.

(** *** A player's side *)

Definition rules_for (s : player) : rules := match s with A => rules_of G | B => exchanged (rules_of G) end.
Definition cell_for (s : player) cells i j : cell := match s with A => cell_at cells i j | B => cell_at cells j i end.
Definition own {T} (s : player) (a b : T) : T := match s with A => a | B => b end.

Lemma at_for s p t : at_state (rules_for s) p = inr t -> exists a b e cells y, In (p, (Turn a b e cells, y)) l /\
  t = {| count_A := length (own s a b); count_B := length (own s b a); endless := signed s e;
         reward_of := fun i j => signed s (reward (cell_for s cells i j));
           chance := fun i j => successors (cell_for s cells i j) |}.
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

Definition stand_at (s : player) (p : N) : option stand :=
  match nth_error (states G) (N.to_nat p), nth_error (lines c) (N.to_nat p) with
  | Some x, Some y => stand_of s (unit c) (p, (snd x, y)) | _, _ => None end.
Definition bound_at (s : player) (p : N) : Z :=
  match nth_error (lines c) (N.to_nat p) with Some y => bound_of s y | None => 0%Z end.
Let worth_for s := cell_worth s (unit c) (largest_worth c) (discount_of k) m.
Let all : Z := Zpos (whole c).

Lemma bound_entry s p x y : In (p, (x, y)) l -> bound_at s p = bound_of s y.
Proof. intros I. apply entry_back in I as (nm & _ & Y). unfold bound_at. now rewrite Y. Qed.

Lemma entry_checked s e : In e l -> check_entry s all (worth_for s) (unit c) e = true.
Proof.
  intros I. specialize (player_checked s). unfold check_player in player_checked.
  apply andb_true_iff in player_checked as [H _].
  rewrite forallb_forall in H. now apply H.
Qed.

(** All that is known of a player's weights in a state. *)
Lemma stand_spec s p t : at_state (rules_for s) p = inr t -> exists x,
  stand_at s p = Some x /\ (exists e, In e l /\ stand_of s (unit c) e = Some x) /\ number_of x = p /\
  length (weights x) = count_A t /\ (forall z, In z (weights x) -> 0 <= z)%Z /\ sum_of (weights x) = all /\
  (better x = negb (Qle_bool (inject_Z (bound_at s p)) (endless t * inject_Z (Zpos (unit c))))) /\
  forall j, (j < count_B t)%nat -> exists reply, In reply (replies x) /\ length reply = count_A t /\
    (bound_at s p * all <= weigh (worth_for s) (weights x) reply)%Z /\
    forall i, (i < count_A t)%nat -> check_cell k m (nth i reply nothing) = true /\
      reward_of t i j = signed s (reward (nth i reply nothing)) /\ chance t i j = successors (nth i reply nothing).
Proof.
  intros E. apply at_for in E as (a & b & e & cells & y & I & ->). cbn [count_A count_B reward_of chance endless].
  pose proof (entry_checked s _ I) as C. destruct (entry_back _ _ _ I) as (nm & X & Y). unfold stand_at. rewrite X, Y.
  cbn [snd].
  assert (exists x, stand_of s (unit c) (p, (Turn a b e cells, y)) = Some x /\
    check_stand all (worth_for s) x = true) as (x & S & K).
  { unfold check_entry in C. destruct (stand_of s (unit c) (p, (Turn a b e cells, y))) as [x|]; [now exists x|easy]. }
  clear C. exists x. split; auto. split. now exists (p, (Turn a b e cells, y)).
  destruct (turn_shape _ _ _ _ _ _ I) as (_ & _ & L & _ & R).
  unfold check_stand in K. apply andb_true_iff in K as [T W]. apply Z.eqb_eq in T. rewrite total_spec in T.
  rewrite forallb_forall in W.
  rewrite (bound_entry s _ _ _ I).
  destruct s; cbn [own signed bound_of cell_for]; unfold stand_of in S.
  - destruct (dense 0 a (of_A y)) as [w|] eqn:D; [|easy]. apply dense_spec in D as [Lw Pw]. injection S as <-.
    cbn [number_of bound weights replies better] in *. repeat split; auto. intros j J.
    destruct (columns_spec b cells) as [Lc Sc]. { intros row Hr. now apply R. } destruct (Sc j nothing J) as [Lj Nj].
    assert (In (nth j (columns b cells) []) (columns b cells)) as Ij by (apply nth_In; lia).
    exists (nth j (columns b cells) []). repeat split; auto. now rewrite Lj. apply W in Ij. now apply Z.leb_le in Ij.
    all: rewrite Nj by lia; auto. now apply (cell_in _ _ _ _ _ _ i j I).
  - destruct (dense 0 b (of_B y)) as [w|] eqn:D; [|easy]. apply dense_spec in D as [Lw Pw]. injection S as <-.
    cbn [number_of bound weights replies better] in *. repeat split; auto.
    { f_equal. apply eq_true_iff_eq. rewrite !Qle_bool_iff. unfold Qle, inject_Z, Qopp, Qmult. cbn [Qnum Qden]. lia. }
    intros j J. assert (In (nth j cells []) cells) as Ij by (apply nth_In; lia).
    exists (nth j cells []). repeat split; auto. now apply R. apply W in Ij. now apply Z.leb_le in Ij.
    now apply (cell_in _ _ _ _ _ _ j i I).
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

Lemma recursive_levels : k = Recursive -> exists level : N -> nat, forall p t i j q p', steps_to (rules_of G) p t i j q p' ->
  (level p' <= level p)%nat /\
  (level p' = level p -> forall t', at_state (rules_of G) p' = inr t' -> (endless t' == endless t)%Q).
Proof.
  intros K. pose proof kind_checked as C. rewrite K in C. unfold check_kind, check_cycles in C. rewrite forallb_forall in C.
  set (lv := find_levels (edges_of m l)) in *.
  exists (fun p => match at_state (rules_of G) p with inr _ => N.to_nat (rank lv p) | inl _ => 0%nat end).
  intros p t i j q p' H. rewrite (proj1 H). destruct (at_state (rules_of G) p') as [v|t'] eqn:E'.
  { split. lia. easy. }
  destruct (edge_in _ _ _ _ _ _ _ H E') as (ks & I & J). apply C in I. cbn [fst snd] in I. rewrite forallb_forall in I.
  apply I in J.
  destruct (N.compare_spec (rank lv p') (rank lv p)) as [Eq|Lt|Gt]; [|split; lia|easy].
  split. lia. intros _ t'' [= <-]. unfold same_Q in J. apply Z.eqb_eq in J.
  destruct H as (E & _). apply at_turn in E as (a & b & e & cells & y & In_l & E). simpl in E. injection E as <-.
  apply at_turn in E' as (a' & b' & e' & cells' & y' & In_l' & E'). simpl in E'. injection E' as <-.
  unfold endless_at in J. rewrite (look_complete _ _ _ In_l), (look_complete _ _ _ In_l') in J. exact J.
Qed.

(** The ranks of states where a bound is above the payoff of infinite plays. *)
Lemma better_ranks s : k = Recursive -> exists rank : N -> nat,
  (forall p, (0 < rank p)%nat -> exists x t, at_state (rules_for s) p = inr t /\ stand_at s p = Some x /\ better x = true) /\
  forall p t x, at_state (rules_for s) p = inr t -> stand_at s p = Some x -> better x = true ->
    forall reply, In reply (replies x) -> exists p', In p' (reached (weights x) reply) /\ (rank p' < rank p)%nat.
Proof.
  intros K. pose proof (player_checked s) as C. unfold check_player in C. cbv zeta in C. change (the_kind (the_game c)) with k in C. rewrite K in C.
  apply andb_true_iff in C as [_ C].
  unfold is_left in C. rewrite forallb_forall in C. set (r := ranks (better_places s (unit c) l)) in *.
  exists (fun p => match at_state (rules_for s) p, stand_at s p with
    | inr _, Some x => if better x then N.to_nat (rank r p) else 0%nat | _, _ => 0%nat end). split.
  - intros p H. destruct (at_state (rules_for s) p) as [|t]; [lia|]. destruct (stand_at s p) as [x|]; [|lia].
    destruct (better x) eqn:Bt; [|lia]. now exists x, t.
  - intros p t x E St Bt reply Rp. rewrite E, St, Bt. destruct (stand_spec s p t E) as (x' & St' & (e & In_e & Se) & Nx & _).
    rewrite St in St'. injection St' as <-.
    assert (In (p, map (reached (weights x)) (replies x)) (better_places s (unit c) l)) as P.
    { unfold better_places. eapply fold_in; [exact In_e|intros found; rewrite Se, Bt, Nx; now left|].
      intros found e' H. destruct (stand_of s (unit c) e') as [x'|]; auto. destruct (better x'); auto. now right. }
    apply C in P. apply leads_down_spec with (choice := reached (weights x) reply) in P as (p' & T & Lt).
    + exists p'. split; auto. destruct (at_state (rules_for s) p') as [|t']; [lia|]. destruct (stand_at s p') as [x'|]; [|lia].
      destruct (better x'); lia.
    + now apply in_map.
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
  destruct (cell_in _ _ _ _ _ _ i j In_l I J) as (_ & _ & C). apply check_cell_spec in C as (_ & _ & C). now apply C.
Qed.

Lemma kind_true : of_its_kind (rules_of G).
Proof.
  unfold of_its_kind. change (rules_kind (rules_of G)) with k. pose proof kind_checked as C. pose proof acyclic_ranks as HA.
  pose proof stopping_ranks as HS. pose proof recursive_levels as HR. pose proof no_rewards_here as HN. destruct k.
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
  - split; [now apply HN|]. destruct (HR eq_refl) as (lv & H).
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

(** *** Security levels of the weights *)

Let delta : Q := discount_of k.

Lemma cell_worth_spec s d : check_cell k m d = true ->
  (inject_Z (worth_for s d) <= signed s (reward d) * inject_Z (Zpos (unit c)) +
    fold_right (fun qk sum => delta * fst qk * inject_Z (bound_at s (snd qk)) + sum) 0 (successors d))%Q.
Proof.
  intros C. apply check_cell_spec in C as (_ & S & _). unfold worth_for, cell_worth. cbv zeta.
  set (bd p := match look m p with Some (_, y) => bound_of s y | None => 0%Z end).
  set (sum := fold_left _ _ _).
  apply Qle_trans with sum.
  - apply Qle_trans with (2 := floor_spec sum). destruct (largest_worth c) as [most|]; [|apply Qle_refl]. destruct (within _ _). apply Qle_refl. unfold Qle, inject_Z. cbn [Qnum Qden].
    lia.
  - assert (sum == _)%Q as -> by exact (sum_spec (fun qk => discount_of k * fst qk * inject_Z (bd (snd qk)))%Q _ _).
    apply Qplus_le_compat. apply Qle_refl.
    fold delta. clear sum. induction (successors d) as [|[q p] r IH]; simpl. apply Qle_refl. apply Qplus_le_compat.
    + destruct (S q p) as [[x y] E]. now left. unfold bd. rewrite E. apply table_spec in E. rewrite (bound_entry s _ _ _ E).
      apply Qle_refl.
    + apply IH. intros q' p' I. apply (S q' p'). now right.
Qed.

Lemma bounds_small_for s p : Is p -> (Z.abs (bound_at s p) <= largest_bound c)%Z.
Proof.
  intros P. destruct (entry_at p P) as (x & y & I). rewrite (bound_entry s _ _ _ I). apply nodes_checked in I as [_ C].
  unfold check_line, within in C. simpl in C. apply andb_true_iff in C as [Cl Cu]. apply Z.leb_le in Cl, Cu.
  destruct s; simpl; lia.
Qed.

Lemma end_spec s p v : Is p -> at_state (rules_for s) p = inl v -> (bound_at s p # unit c <= v)%Q.
Proof.
  intros P E. destruct (end_for s p v P E) as (v' & y & I & ->). rewrite (bound_entry s _ _ _ I).
  pose proof (entry_checked s _ I) as C. simpl in C. apply andb_true_iff in C as [C _]. apply Qle_bool_iff in C.
  unfold Qle, inject_Z, Qmult in *. cbn [Qnum Qden] in *. lia.
Qed.

Lemma shape_for s p t i j : Is p -> at_state (rules_for s) p = inr t -> (i < count_A t)%nat -> (j < count_B t)%nat ->
  probabilities (chance t i j) /\ forall q p', In (q, p') (chance t i j) -> Is p'.
Proof.
  intros P E I J. destruct (stand_spec s p t E) as (x & _ & _ & _ & _ & _ & _ & _ & Rp).
  destruct (Rp j J) as (reply & _ & _ & _ & C).
  destruct (C i I) as (Cc & _ & ->). apply check_cell_spec in Cc as (Pr & S & _). split; auto. intros q p' H.
  destruct (S q p' H) as [[x' y'] L]. apply table_spec in L. now apply entry_is in L.
Qed.

Lemma delta_range : (0 <= delta <= 1)%Q.
Proof.
  unfold delta. pose proof kind_checked as C. destruct k; simpl in *; try easy. apply andb_true_iff in C as [C0 C1].
  apply Z.ltb_lt in C0, C1. unfold Qle. simpl. lia.
Qed.

(** A bound of the denominators of all probabilities. *)
Definition denominators : list positive := flat_map (fun e : entry => map (fun qk => Qden (fst qk))
  (flat_map successors (node_cells (fst (snd e))))) l.

Lemma denominators_in p a b e cells y i j q p' : In (p, (Turn a b e cells, y)) l -> (i < length a)%nat -> (j < length b)%nat ->
  In (q, p') (successors (cell_at cells i j)) -> In (Qden q) denominators.
Proof.
  intros In_l I J K. unfold denominators. apply in_flat_map. exists (p, (Turn a b e cells, y)). split; auto.
  apply in_map_iff. exists (q, p'). split; auto. apply in_flat_map. destruct (cell_in _ _ _ _ _ _ i j In_l I J) as (R & D & _).
  exists (cell_at cells i j). split; auto. simpl. apply in_concat. eauto.
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

Lemma one_turn_for p t j : Is p -> at_state (rules_for s) p = inr t -> (j < count_B t)%nat ->
  ratio (bound_at s p # unit c) <= mean F (mix p) (fun i => ratio (reward_of t i j)) +
    ratio (discount_of (rules_kind (rules_for s))) * mean F (onward F mix t p j) (fun p' => ratio (bound_at s p' # unit c)).
Proof.
  intros P E J. replace (discount_of (rules_kind (rules_for s))) with delta by now destruct s.
  destruct (stand_spec s p t E) as (x & St & _ & _ & Lw & Pw & Sw & _ & Rp). destruct (Rp j J) as (reply & _ & Lr & W & C).
  set (U := integer (Zpos (unit c)) : F). set (L p' := ratio (bound_at s p' # unit c) : F).
  apply (cancel U). now apply integer_nonneg. apply integer_not_0. unfold U at 1, L at 1. rewrite in_units.
  apply le_trans with (ratio (weigh (worth_for s) (weights x) reply # whole c)).
  { rewrite <- ratio_integer. apply ratio_le. unfold Qle. cbn [Qnum Qden]. unfold all in W. lia. }
  apply le_trans with (mean F (mix p) (fun i => U * (ratio (reward_of t i j) + ratio delta * mean F (fractions F (chance t i
    j)) L))).
  - unfold mix. rewrite St. apply weigh_spec; auto. lia. intros i I. rewrite Nat.add_0_l.
    destruct (C i ltac:(lia)) as (Cc & -> & ->).
    rewrite <- ratio_integer. change (worth_for s (nth i reply nothing) # 1)%Q with (inject_Z (worth_for s (nth i reply
      nothing))).
    apply le_trans with (1 := ratio_le F _ _ (cell_worth_spec s _ Cc)). rewrite ratio_add, ratio_mul, expected_spec.
    rewrite (mean_eq F _ (fun p' => integer (bound_at s p')) (fun p' => U * L p')) by (intros; unfold U, L;
      now rewrite in_units).
    rewrite mean_mul. unfold inject_Z at 1. rewrite ratio_integer. fold U.
    match goal with |- ?a <= ?b => replace a with b by ring end. apply le_refl.
  - rewrite mean_mul, mean_add, mean_mul, mean_onward. apply le_refl.
Qed.

(** Each successor of an action with a weight has a probability of at least 1 in [all * most]. *)
Lemma onward_part most p t x i z j q p' : (1 <= most)%Z -> (forall y, In y denominators -> Zpos y <= most)%Z ->
  at_state (rules_for s) p = inr t -> stand_at s p = Some x -> nth_error (weights x) i = Some z -> (0 < z)%Z ->
  (i < count_A t)%nat -> (j < count_B t)%nat -> In (q, p') (chance t i j) -> (0 < q)%Q ->
  exists y, In (p', y) (onward F mix t p j) /\ 1 <= integer (all * most) * y.
Proof.
  intros M D E St W Z0 I J K Q0. exists (ratio (z # whole c) * ratio q). split.
  - unfold onward, mix. rewrite St. apply in_flat_map. exists (i, ratio (z # whole c)). split.
    exact (in_mixture F (whole c) (weights x) 0 i z W).
    apply in_map_iff. exists (p', ratio q). split; auto. apply in_map_iff. now exists (q, p').
  - rewrite <- ratio_mul, <- ratio_integer, <- ratio_mul, <- ratio_1. apply ratio_le.
    assert (Zpos (Qden q) <= most)%Z as Dq.
    { apply D. apply at_for in E as (a & b & e & cells & y & In_l & ->). cbn [count_A count_B chance] in *.
      destruct s; cbn [own cell_for] in *; eapply denominators_in; eauto. }
    destruct q as [n d]. unfold Qle, Qlt, Qmult in *. cbn [Qnum Qden] in *. rewrite !Pos2Z.inj_mul.
    unfold all. assert (1 <= z * n)%Z by nia. assert (Zpos d <= most * (z * n))%Z by nia.
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

Theorem player_secures p : Is p -> A_secures F (rules_for s) p (ratio (bound_at s p # unit c)).
Proof.
  intros P. destruct (bounded_list denominators) as (most & M & D).
  assert (K : rules_kind (rules_for s) = k) by now destruct s.
  assert (D0 : (0 <= discount_of (rules_kind (rules_for s)) <= 1)%Q) by (rewrite K; apply delta_range).
  assert (parts : (1 <= all * most)%Z) by (unfold all; lia).
  pose proof (shape_for s) as Shape. pose proof mixes_for as Mixes. pose proof one_turn_for as One.
  assert (Ends : forall p v, Is p -> at_state (rules_for s) p = inl v -> ratio (bound_at s p # unit c) <= (ratio v : F)).
  { intros p' v P' E. now apply ratio_le, end_spec. }
  pose proof (bounds_small_for s) as Small.
  (* In acyclic and stopping games. *)
  assert (Falls : forall rank : N -> nat, (k = Acyclic \/ k = Stopping) ->
    (forall p t i j, at_state (rules_of G) p = inr t -> (i < count_A t)%nat -> (j < count_B t)%nat ->
      exists q p', steps_to (rules_of G) p t i j q p' /\ (rank p' < rank p)%nat) ->
    A_secures F (rules_for s) p (ratio (bound_at s p # unit c))).
  { intros rank KK H.
    assert (H' : forall p t i j, at_state (rules_for s) p = inr t -> (i < count_A t)%nat -> (j < count_B t)%nat ->
      exists q p', In (q, p') (chance t i j) /\ (0 < q)%Q /\ (rank p' < rank p)%nat).
    { intros p0 t i j E I J. destruct s; simpl rules_for in E.
      - destruct (H p0 t i j E I J) as (q & p' & (_ & _ & _ & Q & Q0) & Lt). eauto.
      - apply at_exchanged in E as (t' & E & ->). destruct (H p0 t' j i E J I) as (q & p' & (_ & _ & _ & Q & Q0) & Lt). eauto. }
    destruct (bounded rank (length (states G))) as [top Top].
    apply (stopping_secures F (rules_for s) Is mix (bound_at s) (unit c) Shape Mixes (proj1 D0) One Ends (largest_bound c) Small
      rank top
      (all * most)%Z parts); auto; try apply D0.
    - intros p0 t j P0 E J _. destruct (some_own p0 t E) as (x & i & z & St & W & Z0 & I).
      destruct (H' p0 t i j E I J) as (q & p' & Q & Q0 & Lt).
      destruct (onward_part most p0 t x i z j q p') as (y & Iy & Py); auto. exists p', y. auto.
    - rewrite K. destruct KK as [-> | ->]; easy.
    - intros p0 t P0 E. destruct (some_own p0 t E) as (x & i & z & St & W & Z0 & I).
      assert (0 < count_B t)%nat as J.
      { apply at_for in E as (a & b & e & cells & y & In_l & ->). destruct (turn_shape _ _ _ _ _ _ In_l) as (NA & NB & _).
        cbn [count_B]. destruct s; simpl; [destruct b|destruct a]; simpl; try easy; lia. }
      destruct (H' p0 t i 0%nat E I J) as (q & p' & Q & Q0 & Lt). lia. }
  pose proof acyclic_ranks as HA. pose proof stopping_ranks as HS. pose proof recursive_levels as HR.
  pose proof no_rewards_here as HN. pose proof (better_ranks s) as HB.
  assert (Cases : k = Acyclic \/ (exists d, k = Discounted d) \/ k = Stopping \/ k = Recursive) by (destruct k; eauto).
  destruct Cases as [Kk|[[d Kk]|[Kk|Kk]]].
  - destruct (HA Kk) as (rank & H). apply (Falls rank); auto. intros p0 t i j E I J.
    destruct (shape_for A p0 t i j) as [[_ Sum] _]; auto. { apply at_turn in E as (? & ? & ? & ? & ? & In_l & _).
    now apply entry_is in In_l. }
    destruct (some_probability (chance t i j)) as (q & p' & Q & Q0). { rewrite Sum. easy. }
    exists q, p'. assert (steps_to (rules_of G) p0 t i j q p') as St by (repeat split; auto). split; auto. eapply H, St.
  - pose proof kind_checked as C. rewrite Kk in C. simpl in C. apply andb_true_iff in C as [C0 C1]. apply Z.ltb_lt in C0, C1.
    apply (ending_secures F (rules_for s) Is mix (bound_at s) (unit c) Shape Mixes (proj1 D0) One Ends (largest_bound c) Small
      (fun _ => Zpos (Qden d)) (Qden d)); auto; try (intros; lia).
    + intros p0 t j P0 E J. rewrite K, Kk, mean_const by now apply onward_sum with (rules_for s) Is. cbn [discount_of].
      rewrite <- integer_1, <- integer_sub, <- !ratio_integer, <- ratio_mul. apply ratio_le. unfold Qle, Qmult. cbn [Qnum Qden].
      rewrite Pos2Z.inj_mul. nia.
    + now rewrite K, Kk.
  - destruct (HS Kk) as (rank & H). apply (Falls rank); auto.
  - destruct (HB Kk) as (rank & Better & Leave), (HR Kk) as (level & Level). clear Falls.
    destruct (bounded rank (length (states G))) as [top Top].
    assert (Rank0 : forall p t x, at_state (rules_for s) p = inr t -> stand_at s p = Some x -> better x = true ->
      (0 < rank p)%nat).
    { intros p0 t x E St Bt. destruct (stand_spec s p0 t E) as (x' & St' & _ & _ & _ & _ & _ & _ & Rp).
      rewrite St in St'. injection St' as <-.
      assert (0 < count_B t)%nat as J.
      { pose proof E as E0. apply at_for in E0 as (a & b & e & cells & y & In_l & ->).
        destruct (turn_shape _ _ _ _ _ _ In_l) as (NA & NB & _).
        cbn [count_B]. destruct s; simpl; [destruct b|destruct a]; simpl; try easy; lia. }
      destruct (Rp 0%nat J) as (reply & Ir & _). destruct (Leave p0 t x E St Bt reply Ir) as (p' & _ & Lt). lia. }
    apply (recursive_secures F (rules_for s) Is mix (bound_at s) (unit c) Shape Mixes One Ends (largest_bound c) Small rank top
      (all * most)%Z parts) with (level := level) (gap := inject_Z (two_62 + 2 ^ 61)); auto.
    + intros p0 t j P0 E J R0. destruct (Better p0 R0) as (x & t' & E' & St & Bt). rewrite E in E'. injection E' as <-.
      destruct (stand_spec s p0 t E) as (x' & St' & _ & _ & Lw & Pw & _ & _ & Rp). rewrite St in St'. injection St' as <-.
      destruct (Rp j J) as (reply & Ir & Lr & _ & C). destruct (Leave p0 t x E St Bt reply Ir) as (p' & T & Lt).
      apply reached_spec in T as (i & z & W & Z0 & I & T). apply targets_spec in T as (q & Q & Q0). rewrite Lr in I.
      destruct (C i I) as (_ & _ & Ch). assert (0 < z)%Z by (apply nth_error_In in W; specialize (Pw z W); lia).
      destruct (onward_part most p0 t x i z j q p') as (y & Iy & Py); auto. now rewrite Ch. exists p', y. auto.
    + now rewrite K.
    + intros p0 t i j P0 E I J. destruct (stand_spec s p0 t E) as (x & _ & _ & _ & _ & _ & _ & _ & Rp).
      destruct (Rp j J) as (reply & _ & _ & _ & C). destruct (C i I) as (Cc & -> & _).
      apply check_cell_spec in Cc as (_ & _ & Z0).
      specialize (Z0 Kk). destruct s; simpl; rewrite Z0; reflexivity.
    + intros p0 t P0 E R0. destruct (stand_spec s p0 t E) as (x & St & _ & _ & _ & _ & _ & Bt & _).
      destruct (better x) eqn:Bx. specialize (Rank0 p0 t x E St Bx). lia. symmetry in Bt.
      apply negb_false_iff, Qle_bool_iff in Bt.
      unfold Qle, inject_Z, Qmult in *. cbn [Qnum Qden] in *. lia.
    + intros p0 P0 R0. destruct (Better p0 R0) as (x & t & E & St & Bx). exists t. split; auto.
      destruct (stand_spec s p0 t E) as (x' & St' & _ & _ & _ & _ & _ & Bt & _). rewrite St in St'. injection St' as <-.
      rewrite Bx in Bt. symmetry in Bt. apply negb_true_iff in Bt. apply Qnot_le_lt. intros Le.
      apply not_true_iff_false in Bt. apply Bt.
      apply Qle_bool_iff. unfold Qle, inject_Z, Qmult in *. cbn [Qnum Qden] in *. lia.
    + intros p0 t i j q p' P0 E I J Q Q0.
      destruct (steps_for s p0 t i j q p') as (t1 & i1 & j1 & St & En). { repeat split; auto. }
      destruct (Level _ _ _ _ _ _ St) as [Le Same]. split; auto. intros Eq t' E'. rewrite En. destruct s; simpl in E' |- *.
      * now apply Same.
      * destruct (match nth_error _ _ with Some x => _ | None => _ end) as [v|t2] eqn:E2; [easy|]. injection E' as <-.
        cbn [endless].
        change (- endless t2 == - endless t1)%Q. apply Qopp_comp. now apply Same.
    + easy.
    + intros p0 t P0 E. pose proof (bounds_small_for s p0 P0) as Sb. apply at_for in E as (a & b & e & cells & y & In_l & ->).
      destruct (turn_shape _ _ _ _ _ _ In_l) as (_ & _ & _ & Pe & _). unfold payoff_in_range, within in Pe.
      apply Z.leb_le in Pe.
      cbn [endless]. assert (Z.abs (bound_at s p0) <= two_62 * Zpos (unit c))%Z as Sb' by (clear - Sb; unfold largest_bound in Sb;
        destruct (weight_exponent c); [exact Sb|]; apply Z.le_trans with (1 := Sb); unfold two_62; lia).
      clear Sb. rename Sb' into Sb. unfold largest_payoff in *. destruct e as [n d]. generalize dependent (bound_at s p0).
      intros b0 Sb.
      assert (Z.abs (Qnum (signed s (n # d))) <= 2 ^ 61 * Zpos d)%Z as Pn by (destruct s; simpl in *; lia).
      assert (Qden (signed s (n # d)) = d) as Dn by (destruct s; reflexivity).
      destruct (signed s (n # d)) as [n' d']. simpl in Dn. subst d'. cbn [Qnum] in Pn.
      unfold Qle, Qplus, Qopp, inject_Z. cbn [Qnum Qden]. rewrite Pos2Z.inj_mul. revert Sb. generalize (unit c). intros u Sb.
      assert (b0 * Zpos d <= two_62 * Zpos u * Zpos d)%Z by (apply Z.mul_le_mono_nonneg_r; lia).
      assert (- n' * Zpos u <= 2 ^ 61 * (Zpos u * Zpos d))%Z by nia. lia.
Qed.
End Secured.
End Checked.

(** ** The theorem *)

Theorem check_sound F c : check c = true ->
  well_formed (the_game c) /\ length (lines c) = length (states (the_game c)) /\
  forall p y, nth_error (lines c) (N.to_nat p) = Some y ->
    A_secures F (rules_of (the_game c)) p (ratio (lower y # unit c)) /\
    B_secures F (rules_of (the_game c)) p (ratio (upper y # unit c)).
Proof.
  unfold check. cbv zeta. rewrite andb_true_iff. intros [_ H]. revert H.
  destruct (entries 0 (states (the_game c)) (lines c) []) as [l|] eqn:E; [|easy].
  rewrite !andb_true_iff. intros (((((_ & _) & N) & K) & PA) & PB).
  rewrite forallb_forall in N. assert (forall e, In e l -> check_node (the_kind (the_game c)) (table l) (fst (snd e)) = true /\
    check_line (largest_bound c) (snd (snd e)) = true) as Nodes by (intros e I; now apply andb_true_iff, N).
  assert (forall s, check_player s c (table l) l = true) as Players by (intros []; auto).
  split; [|split].
  { split. now apply (shaped c l). now apply (kind_true c l). }
  { symmetry. now destruct (entries_spec _ _ _ _ _ E). }
  intros p y Y. assert (Is c p) as P.
  { unfold Is. destruct (entries_spec _ _ _ _ _ E) as [-> _]. apply nth_error_Some. now rewrite Y. }
  pose proof (player_secures c l E Nodes K Players F A p P) as SA.
  pose proof (player_secures c l E Nodes K Players F B p P) as SB.
  unfold bound_at in SA, SB. rewrite Y in SA, SB. split; [exact SA|]. apply B_secures_exchanged.
  rewrite <- ratio_opp. exact SB.
Qed.
