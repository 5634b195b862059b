(** * The check of a certificate's second part

    The second part of a certificate claims of each state the best payoff, and perhaps how it is got, or why it is not got almost
    surely (docs/game-format.md). Here the conditions on a player's claims (paper/proofs.md) are a function that finds the first
    claim that does not hold, and it is proved that claims without one are true: conditions 1 to 3 say what is secured, and that no
    play pays more; condition 4 that no strategy attains a payoff. *)

From Coq Require Import ZArith NArith QArith Qround List Bool Lia.
From PencilTennis Require Import Numbers AnyGame Stationary Exchanged AnyTables AnyProof GameFile GameReader AnyTheorem.
From PencilTennis Require Import InTime AlmostSure LimitSure NotAttained.
Import ListNotations.

(** Of a state, the payoff is counted as the player's own here. A way has a rank and the actions with their stages, an obstacle a
    layer and the opponent's reply. *)
Record claim := { payoff : Q; height : N; way_to : option (N * list (N * N)); obstacle : option (N * N) }.
Definition is_sure (c : claim) : bool := is_some (way_to c) && negb (is_some (obstacle c)).
Definition is_approached (c : claim) : bool := is_some (way_to c) && is_some (obstacle c).

(** What a player sees of a state: the end's value, or the payoff of infinite play, the number of replies, and for each own action
    and reply the states that may follow. *)
Inductive view := Ended (value : Q) | Moves (beyond : Q) (replies : nat) (next : list (list (list N))).
Definition view_of (s : player) (x : node) : view :=
  match x with
  | End v => Ended (signed s v)
  | Turn a b e cells =>
      let next := map (map targets) cells in
      match s with A => Moves e (length b) next | B => Moves (Qopp e) (length a) (columns b next) end
  end.
Definition nexts (next : list (list (list N))) (i : N) (j : nat) : list N := nth j (nth (N.to_nat i) next []) [].

Inductive objection_to_claim :=
| Uncounted (n : N)      (* a number that is too large *)
| Misshapen | Wrong_end | Better_reached | Not_brought | Not_hindered.

Definition largest_count : N := 4294967295.
Definition too_large (n : N) : option objection_to_claim := unless (n <=? largest_count)%N (Uncounted n).

Section Check.
Variable claim_at : N -> claim.

(** *** The form of a claim *)

Definition object_to_form (c : claim) : option objection_to_claim :=
  first_of [
    too_large (height c);
    match way_to c with None => None | Some (_, l) => first_in (fun a => first_of [too_large (fst a); too_large (snd a)]) l end;
    match way_to c with None => None | Some (r, _) => too_large r end;
    unless (is_some (way_to c) || is_some (obstacle c)) Misshapen;
    match obstacle c with None => None | Some (n, j) => first_of [too_large n; too_large j] end].

(** *** Condition 1: an end *)

Definition object_to_end_claim (p : N) (v : view) : option objection_to_claim :=
  match v with
  | Moves _ _ _ => None
  | Ended q => unless (is_sure (claim_at p) && same_Q (payoff (claim_at p)) q &&
      match way_to (claim_at p) with Some (_, l) => is_empty l | None => false end) Wrong_end
  end.

(** *** Condition 2: no better payoff *)

Definition everywhere (next : list (list (list N))) (test : N -> bool) : bool := forallb (forallb (forallb test)) next.
Definition somewhere (next : list (list (list N))) (test : N -> bool) : bool := existsb (existsb (existsb test)) next.
Definition falls (p : N) (next : list (list (list N))) : bool :=
  everywhere next (fun k => height (claim_at k) <=? height (claim_at p))%N.
Definition is_best (p : N) (next : list (list (list N))) : bool :=
  everywhere next (fun k => Qle_bool (payoff (claim_at k)) (payoff (claim_at p))).
Definition may_stay (p : N) (next : list (list (list N))) : bool :=
  somewhere next (fun k => height (claim_at k) =? height (claim_at p))%N.

(** *** Condition 3: a way to the payoff *)

Definition rank_here (p : N) : N := match way_to (claim_at p) with Some (r, _) => r | None => 0 end.
Definition is_held (p k : N) : bool :=
  same_Q (payoff (claim_at k)) (payoff (claim_at p)) &&
  if is_sure (claim_at p) then is_sure (claim_at k) else is_some (way_to (claim_at k)).

(** Of all successors of listed actions. *)
Definition each (next : list (list (list N))) (j : nat) (l : list (N * N)) (test : N -> N -> bool) : bool :=
  forallb (fun a => forallb (test (snd a)) (nexts next (fst a) j)) l.

(** Whether the actions bring play on: some action to a lower rank, earlier than all that may leave the way; or, where infinite play
    pays as much, none leaves the rank. *)
Definition brings_on (p : N) (beyond : Q) (next : list (list (list N))) (l : list (N * N)) (j : nat) : bool :=
  existsb (fun a =>
    existsb (fun k => is_held p k && (rank_here k <? rank_here p)%N) (nexts next (fst a) j) &&
    each next j l (fun s k => is_held p k || (negb (is_sure (claim_at p)) && (snd a <? s)%N))) l ||
  (same_Q (payoff (claim_at p)) beyond && each next j l (fun _ k => is_held p k && (rank_here k =? rank_here p)%N)).

Fixpoint are_rising (l : list (N * N)) : bool :=
  match l with (i, _) :: (((j, _) :: _) as rest) => (i <? j)%N && are_rising rest | _ => true end.
Definition are_stages (next : list (list (list N))) (l : list (N * N)) : bool :=
  negb (is_empty l) && are_rising l && forallb (fun a => (N.to_nat (fst a) <? length next)%nat && (1 <=? snd a)%N) l.

(** *** Condition 4: an obstacle *)

(** The layer of a successor, 0 if its payoff is smaller. *)
Definition layer_of (p k : N) : option N :=
  if Qle_bool (payoff (claim_at p)) (payoff (claim_at k)) then option_map fst (obstacle (claim_at k)) else Some 0%N.
Definition is_lower (p n k : N) : bool := match layer_of p k with Some m => (m <? n)%N | None => false end.
Definition is_kept (p n k : N) : bool := match layer_of p k with Some m => (m <=? n)%N | None => false end.
Definition hinders (p : N) (beyond : Q) (next : list (list (list N))) (n j : N) : bool :=
  let pays_less := negb (may_stay p next) || negb (Qle_bool (payoff (claim_at p)) beyond) in
  forallb (fun row => existsb (existsb (is_lower p n)) row || pays_less && forallb (is_kept p n) (nth (N.to_nat j) row [])) next.

Definition object_to_turn_claim (p : N) (v : view) : option objection_to_claim :=
  match v with
  | Ended _ => None
  | Moves beyond replies next => first_of [
      unless (falls p next) Misshapen;
      unless (is_best p next) Better_reached;
      unless (negb (may_stay p next) || Qle_bool beyond (payoff (claim_at p))) Better_reached;
      match way_to (claim_at p) with
      | None => None
      | Some (_, l) => first_of [unless (are_stages next l) Misshapen;
          unless (forallb (brings_on p beyond next l) (seq 0 replies)) Not_brought]
      end;
      match obstacle (claim_at p) with
      | None => None
      | Some (n, j) => first_of [unless ((1 <=? n)%N && (N.to_nat j <? replies)%nat) Misshapen;
          unless (hinders p beyond next n j) Not_hindered]
      end]
  end.

(** The first state, from number [p] on, to which there is an objection. *)
Fixpoint first_state {T} (object : N -> T -> option objection_to_claim) (p : N) (l : list T) : option (N * objection_to_claim) :=
  match l with
  | [] => None
  | x :: l => match object p x with Some o => Some (p, o) | None => first_state object (N.succ p) l end
  end.
End Check.

(** A player's claims, whose payoffs are to A in a file. *)
Definition own (s : player) (c : claim) : claim :=
  {| payoff := signed s (payoff c); height := height c; way_to := way_to c; obstacle := obstacle c |}.
Definition unclaimed : claim := {| payoff := 0; height := 0; way_to := None; obstacle := None |}.
Definition claims_table (l : list claim) : map_to claim :=
  snd (fold_left (fun nm c => (N.succ (fst nm), put (snd nm) (fst nm) c)) l (0%N, no_entry)).
Definition claim_in (m : map_to claim) (p : N) : claim := match look m p with Some c => c | None => unclaimed end.

(** The first objection to a player's claims about the states of a game. *)
Definition object_to_claims (s : player) (G : sgame) (l : list claim) : option (N * objection_to_claim) :=
  let m := claims_table (map (own s) l) in
  match first_state (fun p x => object_to_end_claim (claim_in m) p (view_of s (snd x))) 0 (states G) with
  | Some o => Some o
  | None => first_state (fun p x => object_to_turn_claim (claim_in m) p (view_of s (snd x))) 0 (states G)
  end.

(** ** What it means that there is no objection *)

Lemma first_of_none {T} (l : list (option T)) : first_of l = None -> forall o, In o l -> o = None.
Proof.
  unfold first_of.
  assert (Kept : forall (l : list (option T)) x,
    fold_left (fun found o => match found with Some _ => found | None => o end) l (Some x) = Some x).
  { clear. induction l; simpl; auto. }
  induction l as [|o l IH]; simpl; intros H o' I; [easy|]. destruct o as [x|]; [rewrite Kept in H; discriminate H|].
  destruct I as [<-|I]; auto.
Qed.

Lemma unless_none {T} (b : bool) (o : T) : unless b o = None -> b = true.
Proof. now destruct b. Qed.

Lemma first_state_none {T} object (l : list T) : forall p, first_state object p l = None ->
  forall n x, nth_error l n = Some x -> object (p + N.of_nat n)%N x = None.
Proof.
  induction l as [|y l IH]; intros p H [|n] x X; simpl in *; try easy; destruct (object p y) eqn:O; try discriminate H.
  - injection X as <-. now rewrite N.add_0_r.
  - replace (p + N.pos (Pos.of_succ_nat n))%N with (N.succ p + N.of_nat n)%N by lia. now apply IH.
Qed.

Lemma same_Q_spec p q : same_Q p q = true <-> (p == q)%Q.
Proof. unfold same_Q, Qeq. apply Z.eqb_eq. Qed.

Lemma claims_table_spec l p : look (claims_table l) p = nth_error l (N.to_nat p).
Proof.
  unfold claims_table. enough (H : forall l n (m : map_to claim),
    look (snd (fold_left (fun nm c => (N.succ (fst nm), put (snd nm) (fst nm) c)) l (n, m))) p =
    if (p <? n)%N then look m p else match nth_error l (N.to_nat (p - n)) with Some c => Some c | None => look m p end).
  { rewrite H, N.sub_0_r. destruct (N.ltb_spec p 0); [lia|]. destruct (nth_error l _); auto. }
  clear l. induction l as [|c l IH]; intros n m; simpl.
  - destruct (p <? n)%N; auto. now destruct (N.to_nat (p - n)).
  - rewrite IH, AnyTables.look_put. destruct (N.ltb_spec p n), (N.ltb_spec p (N.succ n)), (N.eqb_spec p n); try lia; auto.
    + subst. now rewrite N.sub_diag.
    + now replace (N.to_nat (p - n)) with (S (N.to_nat (p - N.succ n))) by lia.
Qed.

(** *** Views *)

(** A view has what the rules say. *)
Definition shows (R : rules) (p : N) (v : view) : Prop :=
  match at_state R p with
  | inl q => v = Ended q
  | inr x => exists next, v = Moves (endless x) (count_B x) next /\ length next = count_A x /\
      forall i, (i < count_A x)%nat -> length (nth i next []) = count_B x /\
        forall j k, (j < count_B x)%nat -> In k (nth j (nth i next []) []) <-> follows x i j k
  end.

Lemma nth_targets cells i j : nth j (nth i (map (map targets) cells) []) [] = targets (cell_at cells i j).
Proof.
  unfold cell_at. change (@nil (list N)) with (map targets []). rewrite map_nth.
  change (@nil N) with (targets nothing). apply map_nth.
Qed.

Lemma nth_row cells i : length (nth i (map (map targets) cells) []) = length (nth i cells []).
Proof. change (@nil (list N)) with (map targets []). rewrite map_nth. apply map_length. Qed.

Lemma view_shows good G p nm x : shaped_by good G -> the_kind G = Recursive -> nth_error (states G) (N.to_nat p) = Some (nm, x) ->
  shows (rules_of G) p (view_of A x) /\ shows (exchanged (rules_of G)) p (view_of B x).
Proof.
  intros Shape K X. unfold shows. cbn [exchanged rules_of at_state]. rewrite X. cbn [snd].
  destruct x as [v|a b e cells]; cbn [turn_of view_of signed]; [now split|].
  unfold endless_of. rewrite K. destruct (Shape _ _ _ _ _ _ X) as (_ & _ & Len & Rows).
  assert (Row : forall i, (i < length a)%nat -> length (nth i cells []) = length b).
  { intros i I. apply (Rows (nth i cells [])). apply nth_In. lia. }
  split.
  - exists (map (map targets) cells). split; [reflexivity|]. cbn [count_A count_B]. split; [now rewrite map_length|].
    intros i I. rewrite nth_row. split; auto. intros j k J. rewrite nth_targets. apply targets_spec.
  - exists (columns b (map (map targets) cells)). split; [reflexivity|]. cbn [exchanged_turn count_A count_B].
    destruct (columns_spec b (map (map targets) cells)) as [Width Column].
    { intros row I. apply in_map_iff in I as (r & <- & I). rewrite map_length. now apply (Rows r). }
    split; auto. intros j J. destruct (Column j [] J) as [Height Entry]. rewrite map_length in Height, Entry. split; [lia|].
    intros i k I. rewrite Entry by lia. rewrite nth_targets. apply targets_spec.
Qed.

(** *** The conditions in the words of the theorems *)

Section Sound.
Variables (R : rules) (size : nat) (claim_at : N -> claim) (view_at : N -> view).
Hypothesis shown : forall p, inside size p -> shows R p (view_at p).
Hypothesis ends_claimed : forall p, inside size p -> object_to_end_claim claim_at p (view_at p) = None.
Hypothesis turns_claimed : forall p, inside size p -> object_to_turn_claim claim_at p (view_at p) = None.

Definition small (a : N * N) : nat * nat := (N.to_nat (fst a), N.to_nat (snd a)).
Definition payoff_at (p : N) : Q := payoff (claim_at p).
Definition height_at (p : N) : nat := N.to_nat (height (claim_at p)).
Definition approached : approach := {| goal := payoff_at;
  steps := fun p => option_map (fun w => (N.to_nat (fst w), map small (snd w))) (way_to (claim_at p)) |}.
Definition sure : claims := {| best := payoff_at; way := fun p =>
  if is_sure (claim_at p) then option_map (fun w => (N.to_nat (fst w), map fst (map small (snd w)))) (way_to (claim_at p)) else None |}.

Definition layer_at (p : N) : option (nat * nat) := option_map small (obstacle (claim_at p)).

Lemma claimed_end p v : inside size p -> at_state R p = inl v -> (payoff_at p == v)%Q.
Proof.
  intros P E. pose proof (shown p P) as V. unfold shows in V. rewrite E in V. pose proof (ends_claimed p P) as H. rewrite V in H.
  apply unless_none in H. rewrite !andb_true_iff in H. destruct H as [[_ H] _]. now apply same_Q_spec.
Qed.

(** An end is almost sure. *)
Lemma claimed_end_layer p v : inside size p -> at_state R p = inl v -> layer_at p = None.
Proof.
  intros P E. pose proof (shown p P) as V. unfold shows in V. rewrite E in V. pose proof (ends_claimed p P) as H. rewrite V in H.
  apply unless_none in H. rewrite !andb_true_iff in H. destruct H as [[H _] _]. unfold is_sure in H. apply andb_true_iff in H as [_ H].
  unfold layer_at. now destruct (obstacle (claim_at p)).
Qed.

Lemma claimed_turn p x : inside size p -> at_state R p = inr x -> exists next,
  (forall i j k, (i < count_A x)%nat -> (j < count_B x)%nat -> In k (nth j (nth i next []) []) <-> follows x i j k) /\
  (forall i, (i < count_A x)%nat -> In (nth i next []) next /\ length (nth i next []) = count_B x /\
    forall j, (j < count_B x)%nat -> In (nth j (nth i next []) []) (nth i next [])) /\
  length next = count_A x /\ falls claim_at p next = true /\ is_best claim_at p next = true /\
  negb (may_stay claim_at p next) || Qle_bool (endless x) (payoff_at p) = true /\
  (forall r l, way_to (claim_at p) = Some (r, l) -> are_stages next l = true /\
    forall j, (j < count_B x)%nat -> brings_on claim_at p (endless x) next l j = true) /\
  forall n j, obstacle (claim_at p) = Some (n, j) -> (N.to_nat j < count_B x)%nat /\ hinders claim_at p (endless x) next n j = true.
Proof.
  intros P E. pose proof (shown p P) as V. unfold shows in V. rewrite E in V. destruct V as (next & V & Len & Cells).
  pose proof (turns_claimed p P) as H. rewrite V in H. unfold object_to_turn_claim in H.
  pose proof (first_of_none _ H) as O. cbn [In] in O. exists next. split; [|split; [|split; [|split; [|split; [|split; [|split]]]]]]; auto.
  - intros i j k I J. now apply (Cells i I).
  - intros i I. destruct (Cells i I) as [Row _]. split; [apply nth_In; lia|split; [exact Row|]]. intros j J. apply nth_In. lia.
  - apply (unless_none _ Misshapen), O. auto.
  - apply (unless_none _ Better_reached), O. auto.
  - apply (unless_none _ Better_reached), O. auto.
  - intros r l W. assert (S : first_of [unless (are_stages next l) Misshapen;
      unless (forallb (brings_on claim_at p (endless x) next l) (seq 0 (count_B x))) Not_brought] = None).
    { apply O. rewrite W. auto. }
    pose proof (first_of_none _ S) as O'. cbn [In] in O'. split; [apply (unless_none _ Misshapen), O'; auto|].
    assert (B : forallb (brings_on claim_at p (endless x) next l) (seq 0 (count_B x)) = true).
    { apply (unless_none _ Not_brought), O'. auto. }
    intros j J. rewrite forallb_forall in B. apply B, in_seq. lia.
  - intros n j Ob. assert (S : first_of [unless ((1 <=? n)%N && (N.to_nat j <? count_B x)%nat) Misshapen;
      unless (hinders claim_at p (endless x) next n j) Not_hindered] = None).
    { apply O. rewrite Ob. auto 7. }
    pose proof (first_of_none _ S) as O'. cbn [In] in O'. split; [|apply (unless_none _ Not_hindered), O'; auto].
    assert (L : (1 <=? n)%N && (N.to_nat j <? count_B x)%nat = true) by (apply (unless_none _ Misshapen), O'; auto).
    apply andb_true_iff in L as [_ L]. now apply Nat.ltb_lt.
Qed.

Lemma is_held_spec p k : is_held claim_at p k = true -> on_way approached p k /\ (is_sure (claim_at p) = true -> held sure p k).
Proof.
  unfold is_held, on_way, held. simpl. rewrite andb_true_iff, same_Q_spec. intros [E C].
  assert (Way : forall c, is_sure c = true -> is_some (way_to c) = true).
  { intros c S. unfold is_sure in S. now apply andb_true_iff in S. }
  split; [split; auto|intros S; rewrite S in C; split; auto; rewrite C].
  - destruct (is_sure (claim_at p)); [apply Way in C|]; now destruct (way_to (claim_at k)).
  - apply Way in C. now destruct (way_to (claim_at k)).
Qed.

Lemma rank_small p : rank_at approached p = N.to_nat (rank_here claim_at p).
Proof. unfold rank_at, rank_here. simpl. now destruct (way_to (claim_at p)) as [[r l]|]. Qed.
Lemma rank_sure p : way sure p <> None -> rank_of sure p = N.to_nat (rank_here claim_at p).
Proof. unfold rank_of, rank_here. simpl. destruct (is_sure (claim_at p)); [|easy]. now destruct (way_to (claim_at p)) as [[r l]|]. Qed.

(** The stages of a state with a rank, which are as claimed. *)
Lemma claimed_stages p x r l : inside size p -> at_state R p = inr x -> way_to (claim_at p) = Some (r, l) ->
  map small l <> [] /\ forall i s, In (i, s) (map small l) -> (i < count_A x)%nat /\ (1 <= s)%nat.
Proof.
  intros P E W. destruct (claimed_turn p x P E) as (next & _ & _ & Len & _ & _ & _ & Way & _). destruct (Way r l W) as [S _].
  unfold are_stages in S. rewrite !andb_true_iff, forallb_forall in S. destruct S as [[N _] S]. split; [now destruct l|].
  intros i s I. apply in_map_iff in I as ([i' s'] & [= <- <-] & I). specialize (S _ I). apply andb_true_iff in S as [A B].
  simpl in A, B. apply Nat.ltb_lt in A. apply N.leb_le in B. lia.
Qed.

(** Against every reply the actions bring play on. *)
Lemma claimed_way p x r l j : inside size p -> at_state R p = inr x -> way_to (claim_at p) = Some (r, l) -> (j < count_B x)%nat ->
  (exists i0 s0 k0, In (i0, s0) (map small l) /\ follows x i0 j k0 /\ is_held claim_at p k0 = true /\
    (rank_here claim_at k0 < rank_here claim_at p)%N /\
    forall i s k, In (i, s) (map small l) -> follows x i j k -> is_held claim_at p k = true \/ is_sure (claim_at p) = false /\ (s0 < s)%nat) \/
  ((payoff_at p == endless x)%Q /\ forall i s k, In (i, s) (map small l) -> follows x i j k ->
    is_held claim_at p k = true /\ rank_here claim_at k = rank_here claim_at p).
Proof.
  intros P E W J. destruct (claimed_stages p x r l P E W) as [_ Legal].
  destruct (claimed_turn p x P E) as (next & Follow & _ & _ & _ & _ & _ & Way & _). destruct (Way r l W) as [_ B]. specialize (B j J).
  assert (Each : forall test, each next j l test = true -> forall i s k, In (i, s) (map small l) -> follows x i j k ->
    exists s', s = N.to_nat s' /\ test s' k = true).
  { intros test T i s k I Fk. destruct (Legal i s I) as [Li _]. apply in_map_iff in I as ([i' s'] & [= <- <-] & I).
    exists s'. split; auto. unfold each in T. rewrite forallb_forall in T. specialize (T _ I). rewrite forallb_forall in T.
    apply T. unfold nexts. now apply Follow. }
  unfold brings_on in B. apply orb_true_iff in B as [B|B].
  - left. apply existsb_exists in B as ([i0 s0] & I0 & B). apply andb_true_iff in B as [K B].
    apply existsb_exists in K as (k0 & T & K). apply andb_true_iff in K as [K L]. apply N.ltb_lt in L.
    assert (I : In (N.to_nat i0, N.to_nat s0) (map small l)) by (apply (in_map small l (i0, s0)); auto).
    exists (N.to_nat i0), (N.to_nat s0), k0. split; [exact I|]. split; [|split; [exact K|split; [exact L|]]].
    + apply Follow; auto. now apply (Legal _ _ I).
    + intros i s k Is Fk. destruct (Each _ B i s k Is Fk) as (s' & -> & X). apply orb_true_iff in X as [X|X]; auto.
      apply andb_true_iff in X as [S X]. right. split; [now apply negb_true_iff|]. simpl in X. apply N.ltb_lt in X. lia.
  - right. apply andb_true_iff in B as [Q B]. split; [now apply same_Q_spec|]. intros i s k Is Fk.
    destruct (Each _ B i s k Is Fk) as (s' & -> & X). apply andb_true_iff in X as [H X]. split; auto. now apply N.eqb_eq.
Qed.

Lemma checked_approaches : approaches R size approached.
Proof.
  split.
  - intros p v P E _. simpl. rewrite (claimed_end p v P E). apply Qle_refl.
  - intros p x P E W. unfold stages_at. simpl in *. destruct (way_to (claim_at p)) as [[r l]|] eqn:X; [|easy].
    exact (claimed_stages p x r l P E X).
  - intros p x j P E W J. unfold stages_at. simpl in W |- *. destruct (way_to (claim_at p)) as [[r l]|] eqn:X; [|easy].
    cbn [option_map snd]. destruct (claimed_way p x r l j P E X J) as [(i0 & s0 & k0 & I0 & F0 & H0 & L0 & Rest)|[Q Rest]].
    + left. exists i0, s0, k0. apply is_held_spec in H0 as [H0 _]. rewrite !rank_small. repeat split; auto; try apply H0. lia.
      intros i s k I Fk. destruct (Rest i s k I Fk) as [H|[_ H]]; auto. left. now apply is_held_spec.
    + right. split. rewrite Q. apply Qle_refl. intros i s k I Fk. destruct (Rest i s k I Fk) as [H Eq]. rewrite !rank_small, Eq.
      split; auto. now apply is_held_spec.
Qed.

Lemma checked_sure : valid R size sure.
Proof.
  assert (Way : forall p, way sure p <> None -> is_sure (claim_at p) = true /\ exists r l, way_to (claim_at p) = Some (r, l) /\
    actions sure p = map fst (map small l)).
  { intros p W. unfold actions. simpl in *. destruct (is_sure (claim_at p)); [|easy]. split; auto.
    destruct (way_to (claim_at p)) as [[r l]|]; [|easy]. now exists r, l. }
  split.
  - intros p v P E _. simpl. rewrite (claimed_end p v P E). apply Qle_refl.
  - intros p x P E W. destruct (Way p W) as (_ & r & l & X & ->). destruct (claimed_stages p x r l P E X) as [N I]. split.
    now destruct (map small l). intros i Hi. apply in_map_iff in Hi as ([i' s] & <- & Hi). now apply (I i' s).
  - intros p x j P E W J. destruct (Way p W) as (S & r & l & X & ->).
    destruct (claimed_way p x r l j P E X J) as [(i0 & s0 & k0 & I0 & F0 & H0 & L0 & Rest)|[Q Rest]].
    + assert (Held : forall i s k, In (i, s) (map small l) -> follows x i j k -> held sure p k).
      { intros i s k I Fk. destruct (Rest i s k I Fk) as [H|[H _]]; [now apply is_held_spec|congruence]. }
      split.
      * intros i k Hi Fk. apply in_map_iff in Hi as ([i' s] & <- & Hi). now apply (Held i' s).
      * left. exists i0, k0. repeat split; auto. apply in_map_iff. now exists (i0, s0).
        rewrite !rank_sure; auto. lia. now apply (Held i0 s0).
    + split; [|right; simpl; rewrite Q; apply Qle_refl]. intros i k Hi Fk. apply in_map_iff in Hi as ([i' s] & <- & Hi).
      destruct (Rest i' s k Hi Fk) as [H _]. now apply is_held_spec.
Qed.

Lemma checked_limited : limited R size payoff_at height_at.
Proof.
  split.
  - intros p v P E. rewrite (claimed_end p v P E). apply Qle_refl.
  - intros p x i j k P E I J Fk. destruct (claimed_turn p x P E) as (next & Follow & Rows & _ & Fall & Best & Stay & _).
    destruct (Rows i I) as (Ri & _ & Rj). specialize (Rj j J). apply (Follow i j k I J) in Fk.
    assert (Every : forall test, everywhere next test = true -> test k = true).
    { intros test T. unfold everywhere in T. rewrite forallb_forall in T. specialize (T _ Ri). rewrite forallb_forall in T.
      specialize (T _ Rj). rewrite forallb_forall in T. now apply T. }
    apply Every in Fall, Best. apply N.leb_le in Fall. apply Qle_bool_iff in Best. unfold height_at. split; [exact Best|].
    split; [lia|]. intros Eq. apply orb_true_iff in Stay as [Stay|Stay]; [|now apply Qle_bool_iff].
    apply negb_true_iff in Stay. exfalso. unfold may_stay, somewhere in Stay. apply not_true_iff_false in Stay. apply Stay.
    apply existsb_exists. exists (nth i next []). split; auto. apply existsb_exists. exists (nth j (nth i next []) []). split; auto.
    apply existsb_exists. exists k. split; auto. apply N.eqb_eq. lia.
Qed.

Lemma layer_of_spec p k m : layer_of claim_at p k = Some m -> (payoff_at k < payoff_at p)%Q \/
  exists j, layer_at k = Some (N.to_nat m, j).
Proof.
  unfold layer_of, payoff_at, layer_at. destruct (Qle_bool _ _) eqn:L in *; intros H.
  - right. destruct (obstacle (claim_at k)) as [[m' j]|]; [|easy]. cbn [option_map fst] in H. injection H as <-. now exists (N.to_nat j).
  - left. apply Qnot_le_lt. intros Le. apply Qle_bool_iff in Le. congruence.
Qed.

Lemma checked_hindered : hindered R size payoff_at height_at layer_at.
Proof.
  split; [exact claimed_end_layer| |].
  - intros p x n j P E Y. destruct (claimed_turn p x P E) as (next & _ & _ & _ & _ & _ & _ & _ & Ob). unfold layer_at in Y.
    destruct (obstacle (claim_at p)) as [[m j']|]; [|easy]. injection Y as _ <-. now apply (Ob m j').
  - intros p x n j i P E Y I. destruct (claimed_turn p x P E) as (next & Follow & Rows & _ & Fall & _ & _ & _ & Ob).
    destruct (Rows i I) as (Row & Width & _). unfold layer_at in Y. destruct (obstacle (claim_at p)) as [[m j']|]; [|easy].
    injection Y as <- <-. destruct (Ob m j' eq_refl) as [J H]. unfold hinders in H. rewrite forallb_forall in H. specialize (H _ Row).
    apply orb_true_iff in H as [H|H].
    + left. apply existsb_exists in H as (l & L & H). apply existsb_exists in H as (k & K & H).
      apply (In_nth _ _ []) in L as (j'' & J'' & <-). rewrite Width in J''. exists j'', k. split; [exact J''|]. split; [now apply Follow|].
      unfold is_lower in H. destruct (layer_of claim_at p k) as [m'|] eqn:Lk; [|easy]. apply N.ltb_lt in H.
      apply layer_of_spec in Lk as [Lk|(j0 & Lk)]; [now left|right]. exists (N.to_nat m'), j0. split; auto. lia.
    + right. apply andb_true_iff in H as [Less H]. rewrite forallb_forall in H. split.
      * intros k Fk. apply (Follow i _ k I J), H in Fk. unfold is_kept in Fk. destruct (layer_of claim_at p k) as [m'|] eqn:Lk; [|easy].
        apply N.leb_le in Fk. apply layer_of_spec in Lk as [Lk|(j0 & Lk)]; [now left|right]. exists (N.to_nat m'), j0. split; auto. lia.
      * apply orb_true_iff in Less as [Less|Less]; apply negb_true_iff in Less.
        -- right. intros k Fk. apply (limited_turn _ _ _ _ checked_limited p x i _ k P E I J) in Fk as Lim. destruct Lim as (_ & Hk & _).
           enough (height_at k <> height_at p) by lia. intros Eq. apply not_true_iff_false in Less. apply Less. unfold may_stay, somewhere.
           apply existsb_exists. exists (nth i next []). split; auto. apply existsb_exists. exists (nth (N.to_nat j') (nth i next []) []).
           split; [now apply (Rows i I)|]. apply existsb_exists. exists k. split; [now apply Follow|]. apply N.eqb_eq.
           unfold height_at in Eq. lia.
        -- left. apply Qnot_le_lt. intros Le. apply Qle_bool_iff in Le. unfold payoff_at in Le. congruence.
Qed.
End Sound.

(** Claims to which there is no objection. *)
Definition claims_at (s : player) (l : list claim) : N -> claim := claim_in (claims_table (map (own s) l)).
Definition view_in (s : player) (G : sgame) (p : N) : view :=
  match nth_error (states G) (N.to_nat p) with Some x => view_of s (snd x) | None => Ended 0 end.
Definition seen_by (s : player) (G : sgame) : rules := match s with A => rules_of G | B => exchanged (rules_of G) end.

Lemma claims_at_spec s l p y : nth_error l (N.to_nat p) = Some y -> claims_at s l p = own s y.
Proof. intros Y. unfold claims_at, claim_in. rewrite claims_table_spec. apply (map_nth_error (own s)) in Y. now rewrite Y. Qed.

Theorem claims_hold c s l : check c = true -> the_kind (the_game c) = Recursive -> object_to_claims s (the_game c) l = None ->
  let R := seen_by s (the_game c) in let size := length (states (the_game c)) in let at_ := claims_at s l in
  approaches R size (approached at_) /\ valid R size (sure at_) /\ limited R size (payoff_at at_) (height_at at_) /\
  hindered R size (payoff_at at_) (height_at at_) (layer_at at_).
Proof.
  intros C K O R size at_. destruct (check_sound rationals c C) as ([Shape _] & _).
  unfold object_to_claims in O. destruct (first_state _ _ _) eqn:Ends in O; [easy|].
  assert (Shown : forall p, inside size p -> shows R p (view_in s (the_game c) p)).
  { intros p P. unfold view_in. destruct (nth_error (states (the_game c)) (N.to_nat p)) as [[nm x]|] eqn:X.
    - pose proof (view_shows _ _ _ _ _ Shape K X) as [SA SB]. now destruct s.
    - apply nth_error_None in X. unfold inside, size in P. lia. }
  assert (None_of : forall object,
    first_state (fun p (x : name * node) => object (claim_in (claims_table (map (own s) l))) p (view_of s (snd x))) 0 (states (the_game c)) = None -> forall p, inside size p -> object at_ p (view_in s (the_game c) p) = None).
  { intros object H p P. unfold view_in. destruct (nth_error (states (the_game c)) (N.to_nat p)) as [x|] eqn:X.
    - pose proof (first_state_none _ _ _ H _ _ X) as N. rewrite N2Nat.id in N. exact N.
    - apply nth_error_None in X. unfold inside, size in P. lia. }
  pose proof (None_of _ Ends) as HE. pose proof (None_of _ O) as HT.
  split; [|split; [|split]].
  - exact (checked_approaches R size at_ _ Shown HE HT).
  - exact (checked_sure R size at_ _ Shown HE HT).
  - exact (checked_limited R size at_ _ Shown HE HT).
  - exact (checked_hindered R size at_ _ Shown HE HT).
Qed.

(** All actions of a state's stages, mixed evenly. *)
Definition evenly (F : ordered_field) (s : player) (l : list claim) : N -> mixture F := mixed F (even (sure (claims_at s l))).

Lemma sure_way at_ p : is_sure (at_ p) = true -> way (sure at_) p <> None.
Proof. intros S. simpl. rewrite S. unfold is_sure in S. now destruct (way_to (at_ p)). Qed.

(** Beside an accepted certificate, with A's claims: an almost sure state's actions, mixed evenly, secure exactly the payoff; with a
    rank, for every [e > 0] some stationary strategy secures the payoff less [e]; with a layer, no strategy secures the payoff; no play
    pays more. *)
Theorem checked_best_payoffs F c l : check c = true -> the_kind (the_game c) = Recursive -> object_to_claims A (the_game c) l = None ->
  forall p y, inside (length (states (the_game c))) p -> nth_error l (N.to_nat p) = Some y ->
    (is_sure y = true -> A_secures_whatever F (rules_of (the_game c)) (stationary F (evenly F A l) p) p (ratio (payoff y))) /\
    (forall e, way_to y <> None -> (0 < e)%Q ->
      exists mix, A_secures_whatever F (rules_of (the_game c)) (stationary F mix p) p (ratio (payoff y - e))) /\
    (obstacle y <> None -> A_never_secures F (rules_of (the_game c)) p (ratio (payoff y))) /\
    forall t, proper_B F (rules_of (the_game c)) p t -> B_secures_whatever F (rules_of (the_game c)) t p (ratio (payoff y)).
Proof.
  intros C K O p y P Y. destruct (claims_hold c A l C K O) as (Ap & Va & Li & Hi). cbn [seen_by] in *.
  pose proof (checked_rules c C K) as S. pose proof (claims_at_spec A l p y Y) as At.
  assert (payoff_at (claims_at A l) p = payoff y) as <- by (unfold payoff_at; now rewrite At).
  split; [|split; [|split]].
  - intros Sure. apply (almost_sure_secures F _ _ (sure (claims_at A l)) S Va p P).
    apply sure_way. now rewrite At.
  - intros e W E. apply (limit_sure F _ _ (approached (claims_at A l)) S Ap p e P); auto. simpl. rewrite At. simpl. now destruct (way_to y).
  - intros Ob. destruct (check_sound rationals c C) as ([Shape _] & _). apply (A_does_not_attain F _ _ _ _ _ S Li Hi p P).
    + destruct (some_nature F _ Shape) as [w W]. now exists (w p).
    + unfold layer_at. rewrite At. simpl. now destruct (obstacle y).
  - intros t T. exact (no_better F _ _ _ (height_at (claims_at A l)) S Li p t P T).
Qed.

(** ** Player B *)

(** The rules stay sound when the players are exchanged. *)
Lemma exchanged_sound R size : sound_rules R size -> sound_rules (exchanged R) size.
Proof.
  intros S. split.
  - apply (recursive _ _ S).
  - intros p x i j E I J. apply at_exchanged in E as (x' & E & ->). simpl in *.
    pose proof (unpaid_rules _ _ S p x' j i E J I) as U. simpl in U. rewrite U. reflexivity.
  - intros p x i j E I J. apply at_exchanged in E as (x' & E & ->). now apply (decided_rules _ _ S p x' j i).
  - intros p x E. apply at_exchanged in E as (x' & E & ->). simpl. destruct (some_actions _ _ S p x' E). now split.
  - intros p x i j q k E I J. apply at_exchanged in E as (x' & E & ->). now apply (known _ _ S p x' j i q k).
  - destruct (levelled _ _ S) as (level & Level). exists level. intros p x i j k E I J Fk.
    apply at_exchanged in E as (x' & E & ->). destruct (Level p x' j i k E J I Fk) as [Le Same]. split; auto.
    intros Eq y E'. apply at_exchanged in E' as (y' & E' & ->). simpl. now rewrite (Same Eq y' E').
Qed.

Lemma secured_by_B F R s p (q : Q) : A_secures_whatever F (exchanged R) s p (ratio (- q)) ->
  B_secures_whatever F R (turned F s) p (ratio q).
Proof.
  intros H. rewrite ratio_opp in H. revert H. apply B_secures_by_exchanged. apply exchanged_nature.
Qed.

Lemma exchanged_twice h : exchanged_history (exchanged_history h) = h.
Proof. induction h as [|[[i j] k] h IH]; simpl; congruence. Qed.

(** Payoffs depend on what strategies and nature answer alone. *)
Lemma stayed_by_same F R large n : forall s t t' w w' p, (forall h, t h = t' h) -> (forall h i j, w h i j = w' h i j) ->
  stayed_by F R large n s t w p = stayed_by F R large n s t' w' p.
Proof.
  induction n as [|n IH]; intros s t t' w w' p H K; cbn [stayed_by]; auto. destruct (at_state R p) as [v|x].
  - now rewrite (IH s t t' w w').
  - f_equal. apply mean_eq. intros i. rewrite H. apply mean_eq. intros j. f_equal. rewrite K. apply mean_eq. intros k. apply IH.
    intros h. apply H. intros h. apply K.
Qed.

Section Conceded.
Open Scope field_scope.
Variables (F : ordered_field) (R : rules).
Add Field laws_of_conceded : (field_laws F).

Lemma turned_from_B p s : proper_B F (exchanged R) p s -> proper_A F R p (turned F s).
Proof.
  intros S h p' x L E. apply (S (exchanged_history h) p' (exchanged_turn x)). now apply leads_exchanged. simpl. now rewrite E.
Qed.

Lemma conceded_by_B s p (q : Q) : rules_kind R = Recursive -> proper_A F R p s ->
  B_secures_whatever F (exchanged R) (turned F s) p (ratio (- q)%Q) -> A_secures_whatever F R s p (ratio q).
Proof.
  intros K S (_ & least & H). split; auto. exists least. intros large e L E. destruct (H large e L E) as [m M]. exists m.
  intros n t w N T W.
  assert (proper_A F (exchanged R) p (turned F t)) as T'.
  { intros h p' x Lp Ep. apply at_exchanged in Ep as (x' & Ep & ->). apply (T (exchanged_history h) p' x'); auto. now apply leads_back. }
  specialize (M n (turned F t) (exchanged_choice F w) N T' (exchanged_nature F R p w W)).
  assert (worth_by F R large n s t w p = - worth_by F (exchanged R) large n (turned F t) (turned F s) (exchanged_choice F w) p) as ->.
  { rewrite <- worth_by_exchanged. unfold worth_by. rewrite K. cbn [may_last]. f_equal. apply stayed_by_same; auto.
    intros h. unfold turned. now rewrite exchanged_twice. }
  apply (proj2 (opp_le F _ _)). rewrite opp_opp. apply le_trans with (1 := M). rewrite ratio_opp.
  match goal with |- ?u <= ?v => replace u with v by ring end. apply le_refl.
Qed.

(** What B secures, B secures as A with the players exchanged. *)
Lemma secured_when_exchanged (V V' : choice F -> Prop) t p (q : Q) : rules_kind R = Recursive ->
  (forall w', V' w' -> exists w, V w /\ forall h i j, exchanged_choice F w h i j = w' h i j) ->
  B_secures_by F R V t p (ratio q) -> A_secures_by F (exchanged R) V' (turned F t) p (ratio (- q)%Q).
Proof.
  intros K C (T & least & H). split.
  { intros h p' x Lp Ep. apply at_exchanged in Ep as (x' & Ep & ->). apply (T (exchanged_history h) p' x'); auto. now apply leads_back. }
  exists least. intros large e L E. destruct (H large e L E) as [m M]. exists m. intros n s w' N S W'.
  destruct (C w' W') as (w & W & Same). specialize (M n (turned F s) w N ltac:(now apply turned_from_B) W).
  assert (worth_by F R large n (turned F s) t w p = - worth_by F (exchanged R) large n (turned F t) s w' p) as X.
  { transitivity (worth_by F R large n (turned F s) (turned F (turned F t)) w p).
    - unfold worth_by. rewrite K. cbn [may_last]. f_equal. apply stayed_by_same; auto. intros h. unfold turned. now rewrite exchanged_twice.
    - rewrite worth_by_exchanged. f_equal. unfold worth_by. change (rules_kind (exchanged R)) with (rules_kind R). rewrite K.
      cbn [may_last]. f_equal. apply stayed_by_same; auto. intros h. unfold turned. now rewrite exchanged_twice. }
  rewrite X in M. apply opp_le in M. rewrite opp_opp in M. apply le_trans with (2 := M). rewrite ratio_opp.
  match goal with |- ?u <= ?v => replace u with v by ring end. apply le_refl.
Qed.

Lemma never_secured_by_B p (q : Q) : rules_kind R = Recursive -> A_never_secures F (exchanged R) p (ratio (- q)%Q) ->
  B_never_secures F R p (ratio q).
Proof.
  intros K H t. destruct (H (turned F t)) as [H1 H2]. split.
  - intros T. apply H1. revert T. apply secured_when_exchanged; auto. intros w' W'. exists (exchanged_choice F w'). split.
    + intros h p' x i j L E I J. unfold exchanged_choice.
      apply (W' (exchanged_history h) p' (exchanged_turn x) j i); auto. now apply leads_exchanged. simpl. now rewrite E.
    + intros h i j. unfold exchanged_choice. now rewrite exchanged_twice.
  - intros w [W T]. apply (H2 (exchanged_choice F w)). split. now apply exchanged_nature. revert T.
    apply secured_when_exchanged; auto. intros w' <-. now exists w.
Qed.
End Conceded.

(** B's claims; payoffs are those to A. *)
Theorem checked_best_payoffs_of_B F c l : check c = true -> the_kind (the_game c) = Recursive -> object_to_claims B (the_game c) l = None ->
  forall p y, inside (length (states (the_game c))) p -> nth_error l (N.to_nat p) = Some y ->
    (is_sure y = true ->
      B_secures_whatever F (rules_of (the_game c)) (turned F (stationary F (evenly F B l) p)) p (ratio (payoff y))) /\
    (forall e, way_to y <> None -> (0 < e)%Q ->
      exists mix, B_secures_whatever F (rules_of (the_game c)) (turned F (stationary F mix p)) p (ratio (payoff y + e))) /\
    (obstacle y <> None -> B_never_secures F (rules_of (the_game c)) p (ratio (payoff y))) /\
    forall s, proper_A F (rules_of (the_game c)) p s -> A_secures_whatever F (rules_of (the_game c)) s p (ratio (payoff y)).
Proof.
  intros C K O p y P Y. destruct (claims_hold c B l C K O) as (Ap & Va & Li & Hi). cbn [seen_by] in *.
  pose proof (exchanged_sound _ _ (checked_rules c C K)) as S. pose proof (claims_at_spec B l p y Y) as At.
  assert (payoff_at (claims_at B l) p = - payoff y)%Q as Pay by (unfold payoff_at; now rewrite At).
  split; [|split; [|split]].
  - intros Sure. apply secured_by_B. rewrite <- Pay. apply (almost_sure_secures F _ _ (sure (claims_at B l)) S Va p P).
    apply sure_way. now rewrite At.
  - intros e W E. destruct (limit_sure F _ _ (approached (claims_at B l)) S Ap p e P) as [mix H]; auto.
    { simpl. rewrite At. simpl. now destruct (way_to y). }
    exists mix. apply secured_by_B. cbn [goal approached] in H. rewrite Pay in H.
    rewrite (ratio_eq F (- (payoff y + e)) (- payoff y - e)) by ring. exact H.
  - intros Ob. destruct (check_sound rationals c C) as ([Shape _] & _). apply never_secured_by_B; auto. rewrite <- Pay.
    apply (A_does_not_attain F _ _ _ _ _ S Li Hi p P).
    + destruct (some_nature F _ Shape) as [w W]. exists (exchanged_choice F (w p)). now apply exchanged_nature.
    + unfold layer_at. rewrite At. simpl. now destruct (obstacle y).
  - intros s Ps. apply conceded_by_B; auto. rewrite <- Pay.
    apply (no_better F _ _ _ (height_at (claims_at B l)) S Li p (turned F s) P). now apply turned_B.
Qed.
