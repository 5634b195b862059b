(** * The check of a certificate's second part

    The second part of a certificate claims of each state the best payoff, and perhaps how it is got (docs/game-format.md). Here
    conditions 1 to 3 on a player's claims are a function that answers yes or no, and an answer of yes is proved to be enough. Claims
    that no strategy attains a payoff (condition 4) are not read, nor is the text of the second part. *)

From Coq Require Import String ZArith NArith QArith Qround List Bool Lia.
From PencilTennis Require Import Numbers AnyGame Stationary Exchanged AnyProof GameFile GameReader AnyTheorem InTime AlmostSure LimitSure.
From PencilTennis Require Import Quoted HideOrRun.
Import ListNotations.

(** A line: where there is a rank, there are the actions with their stages, too; [almost_sure], if there is no layer. *)
Record claim := { payoff : Q; height : nat; ranked : option (nat * list (nat * nat)); almost_sure : bool }.

Section Check.
Variables (R : rules) (size : nat) (claimed : list claim).

Definition unclaimed : claim := {| payoff := 0; height := 0; ranked := None; almost_sure := false |}.
Definition claim_at (p : N) : claim := nth (N.to_nat p) claimed unclaimed.
Definition payoff_at (p : N) : Q := payoff (claim_at p).
Definition height_at (p : N) : nat := height (claim_at p).

(** The claims in the words of the theorems. *)
Definition approached : approach := {| goal := payoff_at; steps := fun p => ranked (claim_at p) |}.
Definition sure : claims := {| best := payoff_at; way := fun p =>
  if almost_sure (claim_at p) then option_map (fun w => (fst w, map fst (snd w))) (ranked (claim_at p)) else None |}.

Definition targets (x : turn) (i j : nat) : list N := map snd (filter (fun qk => negb (Qle_bool (fst qk) 0)) (chance x i j)).
Definition is_claimed {T} (w : option T) : bool := match w with Some _ => true | None => false end.
Definition is_held (p k : N) : bool := Qeq_bool (payoff_at k) (payoff_at p) && is_claimed (steps approached k).
Definition is_surely_held (p k : N) : bool := Qeq_bool (payoff_at k) (payoff_at p) && is_claimed (way sure k).

(** Of all successors of listed actions. *)
Definition each (x : turn) (j : nat) (l : list (nat * nat)) (test : nat -> N -> bool) : bool :=
  forallb (fun a => forallb (test (snd a)) (targets x (fst a) j)) l.

Definition has_way (p : N) (x : turn) (l : list (nat * nat)) (j : nat) : bool :=
  existsb (fun a => existsb (fun k => is_held p k && (rank_at approached k <? rank_at approached p)%nat) (targets x (fst a) j) &&
    each x j l (fun s k => is_held p k || (snd a <? s)%nat)) l ||
  (Qle_bool (payoff_at p) (endless x) && each x j l (fun _ k => is_held p k && (rank_at approached k =? rank_at approached p)%nat)).

Definition has_sure_way (p : N) (x : turn) (l : list (nat * nat)) (j : nat) : bool :=
  each x j l (fun _ k => is_surely_held p k) &&
  (existsb (fun a => existsb (fun k => rank_of sure k <? rank_of sure p)%nat (targets x (fst a) j)) l ||
    Qle_bool (payoff_at p) (endless x)).

Definition is_limited (p : N) (x : turn) (k : N) : bool :=
  Qle_bool (payoff_at k) (payoff_at p) && (height_at k <=? height_at p)%nat &&
  (negb (height_at k =? height_at p)%nat || Qle_bool (endless x) (payoff_at p)).

Definition check_claim (p : N) : bool :=
  match at_state R p with
  | inl v => Qeq_bool (payoff_at p) v
  | inr x =>
    forallb (fun i => forallb (fun j => forallb (is_limited p x) (targets x i j)) (seq 0 (count_B x))) (seq 0 (count_A x)) &&
    match ranked (claim_at p) with
    | None => true
    | Some (_, l) => negb (match l with [] => true | _ => false end) &&
      forallb (fun a => (fst a <? count_A x)%nat && (1 <=? snd a)%nat) l &&
      forallb (fun j => has_way p x l j && (negb (almost_sure (claim_at p)) || has_sure_way p x l j)) (seq 0 (count_B x))
    end
  end.

Definition check_best : bool := forallb check_claim (places size).

(** ** What an answer of yes means *)

Lemma in_targets x i j k : In k (targets x i j) <-> follows x i j k.
Proof.
  unfold targets, follows. rewrite in_map_iff. split.
  - intros ([q k'] & <- & I). apply filter_In in I as [I Q]. exists q. split; auto. apply Qnot_le_lt. intros H.
    apply Qle_bool_iff in H. cbn [fst] in Q. rewrite H in Q. discriminate.
  - intros (q & I & Q). exists (q, k). split; auto. apply filter_In. split; auto. cbn [fst].
    destruct (Qle_bool q 0) eqn:E; auto. apply Qle_bool_iff in E. exfalso. now apply (Qlt_not_le _ _ Q).
Qed.

Lemma each_spec x j l test : each x j l test = true -> forall i s k, In (i, s) l -> follows x i j k -> test s k = true.
Proof.
  unfold each. rewrite forallb_forall. intros H i s k I Fk. specialize (H _ I). rewrite forallb_forall in H. now apply H, in_targets.
Qed.

Lemma is_held_spec p k : is_held p k = true -> on_way approached p k.
Proof.
  unfold is_held, on_way. rewrite andb_true_iff. intros [E C]. split. now apply Qeq_bool_iff. now destruct (steps approached k).
Qed.

Lemma is_surely_held_spec p k : is_surely_held p k = true -> held sure p k.
Proof.
  unfold is_surely_held, held. rewrite andb_true_iff. intros [E C]. split. now apply Qeq_bool_iff. now destruct (way sure k).
Qed.

Lemma has_way_spec p x l j : has_way p x l j = true ->
  (exists i0 s0 k0, In (i0, s0) l /\ follows x i0 j k0 /\ on_way approached p k0 /\
    (rank_at approached k0 < rank_at approached p)%nat /\
    forall i s k, In (i, s) l -> follows x i j k -> on_way approached p k \/ (s0 < s)%nat) \/
  ((payoff_at p <= endless x)%Q /\
    forall i s k, In (i, s) l -> follows x i j k -> on_way approached p k /\ rank_at approached k = rank_at approached p).
Proof.
  unfold has_way. rewrite orb_true_iff. intros [H|H].
  - left. apply existsb_exists in H as ([i0 s0] & I & H). apply andb_true_iff in H as [K H].
    apply existsb_exists in K as (k0 & T & K). apply andb_true_iff in K as [K L]. exists i0, s0, k0.
    split; [exact I|]. split; [now apply in_targets|]. split; [now apply is_held_spec|]. split; [now apply Nat.ltb_lt|].
    intros i s k Is Fk. pose proof (each_spec _ _ _ _ H i s k Is Fk) as X. cbn beta in X. apply orb_true_iff in X as [X|X].
    left. now apply is_held_spec. right. now apply Nat.ltb_lt.
  - right. apply andb_true_iff in H as [E H]. split. now apply Qle_bool_iff. intros i s k I Fk.
    pose proof (each_spec _ _ _ _ H i s k I Fk) as X. cbn beta in X. apply andb_true_iff in X as [X Y]. split.
    now apply is_held_spec. now apply Nat.eqb_eq.
Qed.

Lemma checked_at p : check_best = true -> inside size p -> check_claim p = true.
Proof. unfold check_best. rewrite forallb_forall. intros H P. apply H. now apply places_in. Qed.

(** Of a state with a turn: its actions and all replies, if it has a rank. *)
Lemma checked_ranked p x r l : check_best = true -> inside size p -> at_state R p = inr x -> ranked (claim_at p) = Some (r, l) ->
  l <> [] /\ (forall i s, In (i, s) l -> (i < count_A x)%nat /\ (1 <= s)%nat) /\
  forall j, (j < count_B x)%nat -> has_way p x l j = true /\ (almost_sure (claim_at p) = true -> has_sure_way p x l j = true).
Proof.
  intros C P E W. pose proof (checked_at p C P) as H. unfold check_claim in H. rewrite E, W in H.
  apply andb_true_iff in H as [_ H]. apply andb_true_iff in H as [H J]. apply andb_true_iff in H as [N I].
  rewrite forallb_forall in I, J. split; [now destruct l|]. split.
  - intros i s In. specialize (I _ In). apply andb_true_iff in I as [A B]. split. now apply Nat.ltb_lt. now apply Nat.leb_le.
  - intros j Lj. specialize (J j). rewrite in_seq in J. specialize (J ltac:(lia)). apply andb_true_iff in J as [A B]. split; auto.
    intros S. now rewrite S in B.
Qed.

Lemma checked_approaches : check_best = true -> approaches R size approached.
Proof.
  intros C. split.
  - intros p v P E _. pose proof (checked_at p C P) as H. unfold check_claim in H. rewrite E in H. apply Qeq_bool_iff in H.
    simpl. rewrite H. apply Qle_refl.
  - intros p x P E W. unfold stages_at. simpl in *. destruct (ranked (claim_at p)) as [[r l]|] eqn:X; [|easy].
    destruct (checked_ranked p x r l C P E X) as (N & I & _). auto.
  - intros p x j P E W J. unfold stages_at. simpl in W |- *. destruct (ranked (claim_at p)) as [[r l]|] eqn:X; [|easy].
    destruct (checked_ranked p x r l C P E X) as (_ & _ & H). apply (has_way_spec p x l j). now apply H.
Qed.

Lemma checked_sure : check_best = true -> valid R size sure.
Proof.
  intros C. assert (Way : forall p, way sure p <> None -> exists r l, almost_sure (claim_at p) = true /\
    ranked (claim_at p) = Some (r, l) /\ actions sure p = map fst l).
  { intros p W. unfold actions. simpl in *. destruct (almost_sure (claim_at p)); [|easy].
    destruct (ranked (claim_at p)) as [[r l]|]; [|easy]. now exists r, l. }
  split.
  - intros p v P E _. pose proof (checked_at p C P) as H. unfold check_claim in H. rewrite E in H. apply Qeq_bool_iff in H.
    simpl. rewrite H. apply Qle_refl.
  - intros p x P E W. destruct (Way p W) as (r & l & S & X & ->). destruct (checked_ranked p x r l C P E X) as (N & I & _). split.
    now destruct l. intros i Hi. apply in_map_iff in Hi as ([i' s] & <- & Hi). now apply (I i' s).
  - intros p x j P E W J. destruct (Way p W) as (r & l & S & X & ->). destruct (checked_ranked p x r l C P E X) as (_ & _ & H).
    destruct (H j J) as [_ H']. specialize (H' S). apply andb_true_iff in H' as [A B]. split.
    + intros i k Hi Fk. apply in_map_iff in Hi as ([i' s] & <- & Hi). apply is_surely_held_spec.
      exact (each_spec _ _ _ _ A i' s k Hi Fk).
    + apply orb_true_iff in B as [B|B]; [left|right; now apply Qle_bool_iff].
      apply existsb_exists in B as ([i s] & I & B). apply existsb_exists in B as (k & T & B). exists i, k. repeat split.
      * apply in_map_iff. now exists (i, s).
      * now apply in_targets.
      * now apply Nat.ltb_lt.
Qed.

Lemma checked_limited : check_best = true -> limited R size payoff_at height_at.
Proof.
  intros C. split.
  - intros p v P E. pose proof (checked_at p C P) as H. unfold check_claim in H. rewrite E in H. apply Qeq_bool_iff in H.
    rewrite H. apply Qle_refl.
  - intros p x i j k P E I J Fk. pose proof (checked_at p C P) as H. unfold check_claim in H. rewrite E in H.
    apply andb_true_iff in H as [H _]. rewrite forallb_forall in H. specialize (H i). rewrite in_seq in H.
    specialize (H ltac:(lia)). rewrite forallb_forall in H. specialize (H j). rewrite in_seq in H. specialize (H ltac:(lia)).
    rewrite forallb_forall in H. specialize (H k (proj2 (in_targets x i j k) Fk)). unfold is_limited in H.
    apply andb_true_iff in H as [H En]. apply andb_true_iff in H as [A B]. split; [now apply Qle_bool_iff|]. split.
    now apply Nat.leb_le. intros Eq. apply Nat.eqb_eq in Eq. rewrite Eq in En. now apply Qle_bool_iff.
Qed.
End Check.

(** Of a game whose certificate is accepted, with A's claims: an almost sure state's actions, mixed evenly, secure exactly the payoff;
    with a rank, for every [e > 0] some stationary strategy secures the payoff less [e]; no play pays more. *)
Theorem checked_best_payoffs F bytes c l : verify_game bytes = Found c -> the_kind (the_game c) = Recursive ->
  check_best (rules_of (the_game c)) (length (states (the_game c))) l = true ->
  forall p, inside (length (states (the_game c))) p ->
    (way (sure l) p <> None ->
      A_secures_whatever F (rules_of (the_game c)) (stationary F (mixed F (even (sure l))) p) p (ratio (payoff_at l p))) /\
    (forall e, ranked (claim_at l p) <> None -> (0 < e)%Q ->
      exists mix, A_secures_whatever F (rules_of (the_game c)) (stationary F mix p) p (ratio (payoff_at l p - e))) /\
    forall t, proper_B F (rules_of (the_game c)) p t -> B_secures_whatever F (rules_of (the_game c)) t p (ratio (payoff_at l p)).
Proof.
  intros V K C p P.
  pose proof (checked_limited _ _ _ C) as L.
  destruct (certified_limit_sure F bytes c (approached l) (height_at l) V K (checked_approaches _ _ _ C) L p P) as [Near None_better].
  split; [|split; auto]. intros W. now apply (certified_almost_sure F bytes c (sure l) V K (checked_sure _ _ _ C)).
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

(** Payoffs depend on what strategies answer alone. *)
Lemma stayed_by_same F R large n : forall s t t' w p, (forall h, t h = t' h) ->
  stayed_by F R large n s t w p = stayed_by F R large n s t' w p.
Proof.
  induction n as [|n IH]; intros s t t' w p H; cbn [stayed_by]; auto. destruct (at_state R p) as [v|x].
  - now rewrite (IH s t t').
  - f_equal. apply mean_eq. intros i. rewrite H. apply mean_eq. intros j. f_equal. apply mean_eq. intros k. apply IH. intros h. apply H.
Qed.

Section Conceded.
Open Scope field_scope.
Variables (F : ordered_field) (R : rules).
Add Field laws_of_conceded : (field_laws F).

Lemma conceded_by_B s p (q : Q) : rules_kind R = Recursive -> proper_A F R p s ->
  B_secures_whatever F (exchanged R) (turned F s) p (ratio (- q)%Q) -> A_secures_whatever F R s p (ratio q).
Proof.
  intros K S (_ & least & H). split; auto. exists least. intros large e L E. destruct (H large e L E) as [m M]. exists m.
  intros n t w N T W.
  assert (proper_A F (exchanged R) p (turned F t)) as T'.
  { intros h p' x Lp Ep. apply at_exchanged in Ep as (x' & Ep & ->). apply (T (exchanged_history h) p' x'); auto. now apply leads_back. }
  specialize (M n (turned F t) (exchanged_choice F w) N T' (exchanged_nature F R p w W)).
  assert (worth_by F R large n s t w p = - worth_by F (exchanged R) large n (turned F t) (turned F s) (exchanged_choice F w) p) as ->.
  { rewrite <- worth_by_exchanged. unfold worth_by. rewrite K. cbn [may_last]. f_equal. apply stayed_by_same. intros h.
    unfold turned. now rewrite exchanged_twice. }
  apply (proj2 (opp_le F _ _)). rewrite opp_opp. apply le_trans with (1 := M). rewrite ratio_opp.
  match goal with |- ?u <= ?v => replace u with v by ring end. apply le_refl.
Qed.
End Conceded.

(** B's claims, with payoffs to B (those of A with the other sign). *)
Theorem checked_best_payoffs_of_B F bytes c l : verify_game bytes = Found c -> the_kind (the_game c) = Recursive ->
  check_best (exchanged (rules_of (the_game c))) (length (states (the_game c))) l = true ->
  forall p, inside (length (states (the_game c))) p ->
    (way (sure l) p <> None -> B_secures_whatever F (rules_of (the_game c))
      (turned F (stationary F (mixed F (even (sure l))) p)) p (ratio (- payoff_at l p))) /\
    (forall e, ranked (claim_at l p) <> None -> (0 < e)%Q -> exists mix,
      B_secures_whatever F (rules_of (the_game c)) (turned F (stationary F mix p)) p (ratio (- payoff_at l p + e))) /\
    forall s, proper_A F (rules_of (the_game c)) p s -> A_secures_whatever F (rules_of (the_game c)) s p (ratio (- payoff_at l p)).
Proof.
  intros V K C p P. apply certificate_written in V as [_ Ch]. pose proof (exchanged_sound _ _ (checked_rules c Ch K)) as S.
  split; [|split].
  - intros W. apply secured_by_B. rewrite (ratio_eq F (- - payoff_at l p) (payoff_at l p)) by apply Qopp_involutive.
    exact (almost_sure_secures F _ _ (sure l) S (checked_sure _ _ _ C) p P W).
  - intros e W E. destruct (limit_sure F _ _ (approached l) S (checked_approaches _ _ _ C) p e P W E) as [mix H]. exists mix.
    apply secured_by_B. rewrite (ratio_eq F (- (- payoff_at l p + e)) (payoff_at l p - e)) by ring. exact H.
  - intros s Ps. apply conceded_by_B; auto. rewrite (ratio_eq F (- - payoff_at l p) (payoff_at l p)) by apply Qopp_involutive.
    apply (no_better F _ _ _ (height_at l) S (checked_limited _ _ _ C) p (turned F s) P). now apply turned_B.
Qed.

(** ** Hide or run, whose value is approached *)

(** The lines of the second part, in the order of the states: win, hit, and the state where the snowball is in hand. *)
Definition hide_or_run_claims : list claim := [
  {| payoff := 1; height := 0; ranked := Some (0%nat, []); almost_sure := true |};
  {| payoff := 0; height := 1; ranked := Some (0%nat, []); almost_sure := true |};
  {| payoff := 1; height := 2; ranked := Some (1%nat, [(0%nat, 1%nat); (1%nat, 2%nat)]); almost_sure := false |}].

(** A wins with every probability below 1, by a stationary strategy, whatever B does; and nothing pays more than 1. *)
Theorem hide_or_run_approached F :
  (forall e, (0 < e)%Q -> exists mix, A_secures_whatever F (rules_of hide_or_run) (stationary F mix 2) 2 (ratio (1 - e))) /\
  forall t, proper_B F (rules_of hide_or_run) 2 t -> B_secures_whatever F (rules_of hide_or_run) t 2 (ratio 1).
Proof.
  destruct (checked_best_payoffs F _ _ hide_or_run_claims hide_or_run_accepted eq_refl) with (p := 2%N) as (_ & Near & No_better).
  - vm_compute. reflexivity.
  - vm_compute. lia.
  - split; [|exact No_better]. intros e. apply Near. discriminate.
Qed.

(** With both actions in the first stage, or as an almost sure state, the claim is refused; so is a smaller payoff. *)
Definition with_start (start : claim) : list claim := firstn 2 hide_or_run_claims ++ [start].
Example hide_or_run_refused : map (fun start => check_best (rules_of hide_or_run) 3 (with_start start)) [
  {| payoff := 1; height := 2; ranked := Some (1%nat, [(0%nat, 1%nat); (1%nat, 1%nat)]); almost_sure := false |};
  {| payoff := 1; height := 2; ranked := Some (1%nat, [(0%nat, 1%nat); (1%nat, 2%nat)]); almost_sure := true |};
  {| payoff := 9 # 10; height := 2; ranked := None; almost_sure := false |};
  {| payoff := 1; height := 0; ranked := None; almost_sure := false |}] = [false; false; false; false].
Proof. vm_compute. reflexivity. Qed.

(** B's claims: no play pays B more than 0 where the snowball is in hand; claims of a way to it are refused. *)
Definition claims_of_B (ways : option (nat * list (nat * nat))) : list claim := [
  {| payoff := -1; height := 0; ranked := Some (0%nat, []); almost_sure := true |};
  {| payoff := 0; height := 1; ranked := Some (0%nat, []); almost_sure := true |};
  {| payoff := 0; height := 2; ranked := ways; almost_sure := false |}].
Example hide_or_run_of_B : map (fun ways => check_best (exchanged (rules_of hide_or_run)) 3 (claims_of_B ways)) [
  None; Some (1%nat, [(1%nat, 1%nat)]); Some (1%nat, [(0%nat, 1%nat); (1%nat, 2%nat)])] = [true; false; false].
Proof. vm_compute. reflexivity. Qed.
