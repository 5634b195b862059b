(** * Columns of all games of the family

    The computation of Columns.v, applied to Tennis with smallest bids of 1 or of 0, or with a favourite, gives A's security
    levels. They are those of one stationary strategy: [played] has A's weights of every position. *)

From Coq Require Import ZArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Endless Game Symmetry Check Tennis ZeroBids Favoured Sums Columns.
Import ListNotations.

Section Sides.
Open Scope field_scope.
Variables (F : ordered_field) (unit : positive) (kind : variant) (r : rules).
Add Field laws : (field_laws F).

(** Positions with at most these points of A and of B, and A's weights there. *)
Variables (most_a most_b : N) (played : position -> weights N).
Definition inside (p : position) : Prop :=
  let '(At a b x) := p in (a <= most_a)%N /\ (b <= most_b)%N /\ (Z.abs x <= Z.of_N (field r))%Z.
Hypothesis played_valid : forall a b x, inside (At a b x) ->
  valid (A_bids_0 kind) a (played (At a b x)) = true.

(** The mixture of a list of bids with their weights. *)
Definition mixture_of (l : weights N) : list (N * F) :=
  map (fun iw => (fst iw, ratio (snd iw # Z.to_pos (total l)))) l.
Definition mix (p : position) : list (N * F) := mixture_of (played p).

Definition A_has (p : position) (v : Z) : Prop :=
  match kind with
  | Plain => gets F (tennis r) mix p (ratio (v # unit))
  | Zeros => A_keeps F (endless_tennis r) mix p (ratio (v # unit))
  | Favours w => gets F (favouring w r) mix p (ratio (v # unit))
  end.

(** The meaning of the numbers in columns: where the game is over they are at most the payoff. *)
Definition has (a b : N) (x : Z) (v : Z) : Prop := (a <= most_a)%N -> (b <= most_b)%N ->
  match final kind r a b x with Some q => (v # unit <= q)%Q | None => A_has (At a b x) v end.

Definition has_after (w : result position) (v : Z) : Prop := match w with Ends q => (v # unit <= q)%Q | Goes_on p => A_has p v end.

Variable e : worths_to_A.
Hypothesis worth_of_up : (worth_up e # unit <= out_a r)%Q.
Hypothesis worth_of_down : (worth_down e # unit <= out_b r)%Q.

Lemma has_next a b x i j v : is_spent (At a b x) = false -> (a <= most_a)%N -> (b <= most_b)%N -> (j <= b)%N ->
  true_after kind r e has a x i b (b - j) v -> has_after (after_in kind r (At a b x) i j) v.
Proof.
  intros S A B J. unfold true_after. rewrite (after_in_spec kind r a b x i j S). replace (b - (b - j))%N with j by lia.
  cbv zeta. set (y := moved_in kind (motion r) x i j). intros [[L ->]|[[L ->]|[L H]]].
  - destruct (Z.ltb_spec (Z.of_N (field r)) y); [exact worth_of_up|lia].
  - destruct (Z.ltb_spec (Z.of_N (field r)) y); [lia|]. destruct (Z.ltb_spec y (- Z.of_N (field r))); [exact worth_of_down|lia].
  - destruct (Z.ltb_spec (Z.of_N (field r)) y); [lia|]. destruct (Z.ltb_spec y (- Z.of_N (field r))); [lia|].
    specialize (H ltac:(lia) ltac:(lia)). destruct (final _ _ _ _ _); exact H.
Qed.

(** Where only the favourite has points, the game is over. *)
Lemma over_up : kind = Favours For_A -> forall a x, (0 < a)%N -> has a 0 x (worth_up e).
Proof.
  intros K a x A _ _. unfold final. rewrite K. destruct (N.eqb_spec a 0); [lia|]. exact worth_of_up.
Qed.
Lemma over_down : kind = Favours For_B -> forall b x, (0 < b)%N -> has 0 b x (worth_down e).
Proof.
  intros K b x B _ _. unfold final. rewrite K. destruct (N.eqb_spec b 0); [lia|]. exact worth_of_down.
Qed.

Lemma legal_lowest (zero : bool) points i :
  In i (if zero then bids_from_0 points else bids points) <-> (lowest zero points <= i <= points)%N.
Proof. unfold lowest. destruct zero; [rewrite bids_from_0_spec|rewrite bids_spec]; lia. Qed.

(** ** Means *)

Lemma mean_weights G (l : weights (move G)) t : mean F G (probabilities F G t l) (fun _ => 1) = ratio (total l # t).
Proof.
  induction l as [|[i w] l IH]; simpl. rewrite <- ratio_0. now apply ratio_eq. rewrite IH.
  replace (ratio (w # t) * 1) with (ratio (w # t) : F) by ring. rewrite <- ratio_add. apply ratio_eq.
  unfold Qeq. cbn [Qnum Qden Qplus]. rewrite Pos2Z.inj_mul. ring.
Qed.

Lemma zero_plus (y : F) : 0 + y = y.
Proof. ring. Qed.

Lemma mean_app G t (l m : weights (move G)) f :
  mean F G (probabilities F G t (l ++ m)) f = mean F G (probabilities F G t l) f + mean F G (probabilities F G t m) f.
Proof. induction l as [|[i w] l IH]; simpl. ring. rewrite IH. ring. Qed.

Lemma total_nonneg {T} (l : weights T) : (forall i w, In (i, w) l -> (0 < w)%Z) -> (0 <= total l)%Z.
Proof.
  induction l as [|[i w] l IH]; intros H; simpl. lia. specialize (IH (fun i w I => H i w (or_intror I))).
  specialize (H i w (or_introl eq_refl)). lia.
Qed.

Lemma valid_total zero points l : valid zero points l = true -> exists t, total l = Zpos t.
Proof.
  intros V. destruct l as [|[i w] l]; [discriminate V|]. cbn [valid] in V. apply valid_from_spec in V as [_ V].
  assert (H : (0 <= total l)%Z) by (apply total_nonneg; intros j v I; destruct (V j v (or_intror I)); lia).
  destruct (V i w (or_introl eq_refl)) as (_ & _ & W). cbn [total].
  exists (Z.to_pos (w + total l)). rewrite Z2Pos.id; lia.
Qed.

Lemma distribution_of G (l : weights (move G)) t p : total l = Zpos t -> (forall i w, In (i, w) l -> In i (moves_A G p) /\ (0 < w)%Z) ->
  distribution F G (moves_A G p) (probabilities F G t l).
Proof.
  intros T H. split.
  - intros i y I. apply in_map_iff in I as ([k w] & [= <- <-] & I). apply H in I as [I P]. split; auto.
    rewrite <- ratio_0. apply ratio_le. unfold Qle; simpl. lia.
  - rewrite mean_weights, T, <- ratio_1. apply ratio_eq. unfold Qeq. cbn [Qnum Qden]. lia.
Qed.

(** ** The strategy is proper *)

Lemma mixes a b x : inside (At a b x) ->
  distribution F (tennis r) (if A_bids_0 kind then bids_from_0 a else bids a) (mix (At a b x)).
Proof.
  intros P. pose proof (played_valid a b x P) as V. destruct (valid_total _ a _ V) as [t T].
  assert (D : distribution F (tennis r) (map fst (played (At a b x))) (mix (At a b x))).
  { unfold mix, mixture_of. rewrite T. split.
    - intros i y I. apply in_map_iff in I as ([k w] & [= <- <-] & I). split; [now apply (in_map fst) in I|].
      rewrite <- ratio_0. apply ratio_le. destruct (played (At a b x)); [easy|]. cbn [valid] in V.
      apply valid_from_spec in V as [_ V]. destruct (V k w I) as (_ & _ & W). unfold Qle; simpl. lia.
    - change (mean F (tennis r) (probabilities F (tennis r) t (played (At a b x))) (fun _ => 1) = 1).
      rewrite mean_weights. change (@total (move (tennis r)) (played (At a b x))) with (total (played (At a b x))).
      rewrite T, <- ratio_1. apply ratio_eq. unfold Qeq. cbn [Qnum Qden]. lia. }
  split; [|apply D]. intros i y I. apply D in I as [I Y]. split; auto. apply legal_lowest.
  apply in_map_iff in I as ([k w] & <- & I). destruct (played (At a b x)); [easy|]. cbn [valid] in V.
  apply valid_from_spec in V as [_ V]. now destruct (V k w I) as (_ & L & _).
Qed.

Lemma mixes_plain p : kind = Plain -> inside p -> distribution F (tennis r) (moves_A (tennis r) p) (mix p).
Proof. intros K. destruct p as [a b x]. intros P. apply mixes in P. rewrite K in P. exact P. Qed.

Lemma mixes_endless p : kind = Zeros -> inside p ->
  distribution F (endless_tennis r) (moves_A (endless_tennis r) p) (mix p).
Proof. intros K. destruct p as [a b x]. intros P. apply mixes in P. rewrite K in P. exact P. Qed.

Lemma mixes_favouring w p : kind = Favours w -> inside p ->
  distribution F (favouring w r) (moves_A (favouring w r) p) (mix p).
Proof. intros K. destruct p as [a b x]. intros P. apply mixes in P. rewrite K in P. destruct w; exact P. Qed.

Lemma inside_after v p i j p' : inside p -> after_in v r p i j = Goes_on p' -> inside p'.
Proof.
  destruct p as [a b x]. intros (A & B & X). destruct (is_spent (At a b x)) eqn:S.
  - destruct v as [| |w]; simpl after_in; [| |unfold after_favouring; now rewrite S].
    all: unfold after_bids, next; destruct (Z.ltb_spec (Z.of_N (field r)) (moved (motion r) x i j)); [easy|];
      destruct (Z.ltb_spec (moved (motion r) x i j) (- Z.of_N (field r))); [easy|];
      destruct (_ && _)%bool; [easy|]; intros [= <-]; unfold inside; lia.
  - rewrite (after_in_spec v r a b x i j S). cbv zeta.
    destruct (Z.ltb_spec (Z.of_N (field r)) (moved_in v (motion r) x i j)); [easy|].
    destruct (Z.ltb_spec (moved_in v (motion r) x i j) (- Z.of_N (field r))); [easy|].
    destruct (final _ _ _ _ _); [easy|]. intros [= <-]. unfold inside. lia.
Qed.

Lemma inside_plain p i j p' : inside p -> In i (moves_A (tennis r) p) -> In j (moves_B (tennis r) p) ->
  after (tennis r) p i j = Goes_on p' -> inside p'.
Proof. intros P _ _. now apply (inside_after Plain p i j p'). Qed.

Lemma inside_favouring w p i j p' : inside p -> In i (moves_A (favouring w r) p) -> In j (moves_B (favouring w r) p) ->
  after (favouring w r) p i j = Goes_on p' -> inside p'.
Proof. intros P _ _. now apply (inside_after (Favours w) p i j p'). Qed.

(** ** Games that end *)

Theorem once_secured columns a b x l v : kind <> Zeros -> is_spent (At a b x) = false -> inside (At a b x) ->
  played (At a b x) = l -> Forall (true_column has) columns -> valid (A_bids_0 kind) a l = true ->
  secured_once kind e (spot_of r x) columns a b l = Some v -> A_has (At a b x) v.
Proof.
  intros NZ Sp P L C V S. destruct (valid_total _ a l V) as [t T]. pose proof P as (A & B & X).
  destruct (secured_once_true kind r e has over_up over_down a b x X columns l v C V S) as (n & N & M).
  assert (V' : valid_from (A_bids_0 kind) a 0 l = true) by now destruct l. apply valid_from_spec in V' as [_ V'].
  assert (M0 : mix (At a b x) = probabilities F (tennis r) t l) by (unfold mix, mixture_of; now rewrite L, T).
  assert (J0 : forall j, In j (if B_bids_0 kind then bids_from_0 b else bids b) -> (lowest (B_bids_0 kind) b <= j <= b)%N)
    by (intros j; apply legal_lowest).
  assert (After : forall i j, In i (map fst (mix (At a b x))) -> In j (if B_bids_0 kind then bids_from_0 b else bids b) ->
    has_after (after_in kind r (At a b x) i j) (n i j)).
  { intros i j I J. apply J0 in J. rewrite M0 in I. apply in_map_iff in I as ([k y] & <- & I).
    apply in_map_iff in I as ([m w] & [= <- <-] & I). apply has_next; auto; [lia|]. exact (N m w j I J). }
  assert (Mean : forall j, In j (if B_bids_0 kind then bids_from_0 b else bids b) ->
    ratio (v # unit) <= mean F (tennis r) (mix (At a b x)) (fun i => ratio (n i j # unit))).
  { intros j J. apply J0 in J. rewrite M0, (mean_probabilities F unit (tennis r)). apply ratio_le.
    specialize (M j J). rewrite T in M. unfold Qle. cbn [Qnum Qden]. rewrite Pos2Z.inj_mul, Z.mul_assoc.
    apply Z.mul_le_mono_nonneg_r; [lia|exact M]. }
  unfold has_after, A_has in After |- *. destruct (some_variant kind) as [kind' K]. rewrite K in NZ, After, Mean |- *.
  destruct kind' as [| |w]; [|easy|].
  - apply (gets_turn F (tennis r) inside mix) with (w := fun i j => ratio (n i j # unit)); auto.
    + exact inside_plain.
    + intros p. now apply mixes_plain.
    + intros i j I J. specialize (After i j I J). simpl after. simpl after_in in After.
      destruct (after_bids r (At a b x) i j); simpl in *; auto. now apply ratio_le.
  - assert (Moves : moves_B (favouring w r) (At a b x) = (if B_bids_0 (Favours w) then bids_from_0 b else bids b))
      by now destruct w.
    apply (gets_turn F (favouring w r) inside mix) with (w := fun i j => ratio (n i j # unit)); rewrite ?Moves; auto.
    + exact (inside_favouring w).
    + intros p. now apply mixes_favouring.
    + intros i j I J. specialize (After i j I J). simpl after. simpl after_in in After.
      destruct (after_favouring w r (At a b x) i j); simpl in *; auto. now apply ratio_le.
Qed.

(** ** Smallest bid 0 *)

Lemma inside_endless p i j p' : inside p -> In i (moves_A (endless_tennis r) p) ->
  In j (moves_B (endless_tennis r) p) ->
  follows (endless_tennis r) p i j = Goes_on p' -> inside p'.
Proof.
  intros P I J. unfold follows. simpl repeats. destruct (stands_still i j) eqn:E;
    [now intros [= <-]|]. simpl after. rewrite E.
  destruct p as [a b x]. destruct P as (A & B & X). unfold after_bids, next.
  destruct (Z.ltb_spec (Z.of_N (field r)) (moved (motion r) x i j)); [easy|].
  destruct (Z.ltb_spec (moved (motion r) x i j) (- Z.of_N (field r))); [easy|].
  destruct (_ && _)%bool; [easy|]. intros [= <-]. unfold inside. lia.
Qed.

Theorem endless_secured columns a b x l v stays : kind = Zeros -> is_spent (At a b x) = false -> inside (At a b x) ->
  played (At a b x) = l ->
  Forall (true_column has) columns ->
  (stays # unit <= payoff r (stay x))%Q ->
  valid true a l = true -> secured_until_left kind e (spot_of r x) stays columns a b l = Some v -> A_has (At a b x) v.
Proof.
  intros Z0 Sp P PL C E V S. destruct (valid_total true a l V) as [t T]. pose proof P as (A & B & X).
  destruct (secured_until_left_true kind r e has over_up over_down a b x X stays columns l v C V S)
    as (n & idle & bids & L & IZ & BP & N & F1 & F2 & M).
  assert (V' : valid_from true a 0 l = true) by now destruct l. apply valid_from_spec in V' as [_ V'].
  assert (After : forall i w j, In (i, w) l -> (j <= b)%N -> (i = 0%N -> j = 0%N -> False) ->
    has_after (after_bids r (At a b x) i j) (n i j)).
  { intros i w j I J K. specialize (N i w j I J K). apply has_next in N; auto. rewrite Z0 in N. exact N. }
  unfold A_has. rewrite Z0.
  set (G := endless_tennis r). set (d := probabilities F G t l).
  assert (M0 : mix (At a b x) = d) by (unfold mix, mixture_of; now rewrite PL, T).
  apply (A_keeps_turn F G inside mix) with (w := fun i j => ratio (n i j # unit)); rewrite ?M0.
  - intros p. now apply mixes_endless.
  - unfold inside. auto.
  - intros i j I J R. apply bids_from_0_spec in J. apply in_map_iff in I as ([k y] & <- & I). apply in_map_iff in I as ([m w] & [= <- <-] & I).
    cbn [fst] in *. assert (K : m = 0%N -> j = 0%N -> False) by (intros -> ->; discriminate R). specialize (After m w j I J K).
    unfold has_after, A_has in After. rewrite Z0 in After. simpl after.
    change (stands_still m j = false) in R. rewrite R.
    destruct (after_bids r (At a b x) m j); simpl in *; auto. now apply ratio_le.
  - intros j J. apply bids_from_0_spec in J. unfold answered, leaving, left_for.
    assert (MA : forall f, mean F G d f = mean F G (probabilities F G t idle) f + mean F G (probabilities F G t bids) f).
    { intros f. unfold d. rewrite L. apply (mean_app (tennis_once r)). }
    destruct (N.eq_dec j 0) as [->|J0].
    + assert (MI : forall f, mean F G (probabilities F G t idle) (fun i => if repeats G (At a b x) i 0%N then 0 else f i) = 0).
      { intros f. rewrite (mean_eq F G _ _ (fun _ => 0)), mean_zero; auto. intros i y I.
        apply in_map_iff in I as ([k w] & [= <- <-] & I). now rewrite (IZ k w I). }
      assert (MB : forall f, mean F G (probabilities F G t bids) (fun i => if repeats G (At a b x) i 0%N then 0 else f i) =
        mean F G (probabilities F G t bids) f).
      { intros f. apply mean_eq. intros i y I. apply in_map_iff in I as ([k w] & [= <- <-] & I).
        cbn. unfold stands_still. specialize (BP k w I). destruct (N.eqb_spec k 0); [lia|reflexivity]. }
      destruct bids as [|[i0 w0] bids'].
      * right. split. { intros i I. apply in_map_iff in I as ([k y] & <- & I). apply in_map_iff in I as ([m w] & [= <- <-] & I).
          rewrite L, app_nil_r in I. apply IZ in I. now rewrite I. }
        eapply Qle_trans; [|exact E]. specialize (F1 eq_refl). unfold Qle. cbn [Qnum Qden]. nia.
      * left. set (moving := (i0, w0) :: bids') in *. rewrite !MA, !MI, !MB, mean_weights, (mean_probabilities F unit G).
        assert (W0 : (0 < total moving)%Z).
        { unfold moving. simpl. assert (H : (0 <= total bids')%Z).
          { apply total_nonneg. intros i w I. eapply V'. rewrite L. apply in_or_app. right. right. exact I. }
          enough (0 < w0)%Z by lia. eapply V'. rewrite L. apply in_or_app. right. left. reflexivity. }
        split.
        -- exists (Pos.to_nat t). rewrite zero_plus, <- ratio_of_count, <- ratio_mul, <- ratio_1. apply ratio_le.
           rewrite positive_nat_Z. unfold Qle, Qmult, inject_Z. cbn [Qnum Qden]. rewrite Pos.mul_1_l.
           pose proof (W0 : (0 < @total (move G) moving)%Z). nia.
        -- rewrite !zero_plus, <- ratio_mul. apply ratio_le. unfold Qle, Qmult. cbn [Qnum Qden]. rewrite !Pos2Z.inj_mul.
           rewrite (Z.mul_comm (Zpos unit) (Zpos t)). apply Z.mul_le_mono_nonneg_r; [lia|exact F2].
    + left. assert (R : forall i, repeats G (At a b x) i j = false).
      { intros i. cbn. unfold stands_still. destruct (N.eqb_spec j 0); [lia|]. now rewrite andb_false_r. }
      assert (MR : forall f, mean F G d (fun i => if repeats G (At a b x) i j then 0 else f i) = mean F G d f).
      { intros f. apply mean_eq. intros i y _. now rewrite R. }
      rewrite !MR. unfold d. rewrite mean_weights, (mean_probabilities F unit G).
      assert (O : ratio (@total (move G) l # t) = 1 :> F).
      { change (@total (move G) l) with (@total BinNums.N l). rewrite T, <- ratio_1. apply ratio_eq. unfold Qeq. cbn [Qnum Qden]. lia. }
      rewrite O. split.
      * exists 1%nat. replace (count F 1 * 1) with (1 * 1 : F) by reflexivity. replace (1 * 1) with (1 : F) by ring. apply le_refl.
      * replace (ratio (v # unit) * 1) with (ratio (v # unit) : F) by ring. apply ratio_le.
        specialize (M j ltac:(lia)). rewrite T in M. unfold Qle. cbn [Qnum Qden]. rewrite Pos2Z.inj_mul, Z.mul_assoc.
        apply Z.mul_le_mono_nonneg_r; [lia|exact M].
Qed.

(** ** All points spent *)

Lemma spent_weights x : inside (At 0 0 x) -> exists t, mix (At 0 0 x) = [(0%N, ratio (Zpos t # t))].
Proof.
  intros P. pose proof (played_valid 0 0 x P) as V. destruct (valid_total _ 0 _ V) as [t T].
  unfold mix, mixture_of. rewrite T.
  destruct (played (At 0 0 x)) as [|[i w] l]; [easy|].
  assert (V' : valid_from (A_bids_0 kind) 0 0 ((i, w) :: l) = true) by exact V.
  apply valid_from_spec in V' as [D V'].
  assert (Z : forall j u, In (j, u) ((i, w) :: l) -> j = 0%N) by (intros j u I; apply V' in I; lia).
  destruct l as [|[j u] l].
  - exists t. cbn [map fst snd]. rewrite (Z i w (or_introl eq_refl)). cbn [total] in T.
    now rewrite Z.add_0_r in T; subst w.
  - exfalso. rewrite (Z i w (or_introl eq_refl)), (Z j u (or_intror (or_introl eq_refl))) in D.
    inversion_clear D as [|? ? N _].
    apply N. now left.
Qed.

Lemma spent_has x v : (v # unit <= payoff r (stay x))%Q -> (Z.abs x <= Z.of_N (field r))%Z -> A_has (At 0 0 x) v.
Proof.
  intros H X. assert (P : inside (At 0 0 x)) by (unfold inside; lia).
  destruct (spent_weights x P) as [t M]. unfold A_has. destruct (some_variant kind) as [kind' K]. rewrite K.
  destruct kind' as [| |w].
  - apply (gets_turn F (tennis r) inside mix) with (w := fun _ _ => ratio (v # unit)); auto.
    + exact inside_plain.
    + intros p. now apply mixes_plain.
    + rewrite M. intros i j [<-|[]] [<-|[]]. cbn [fst]. simpl after. unfold after_bids, next. rewrite moved_same.
      destruct (Z.ltb_spec (Z.of_N (field r)) x); [lia|].
      destruct (Z.ltb_spec x (- Z.of_N (field r))); [lia|]. simpl.
      now apply ratio_le.
    + intros j _. rewrite (mean_const F (tennis r) (moves_A (tennis r) (At 0 0 x))); [apply le_refl|].
      now apply mixes_plain.
  - apply (A_keeps_turn F (endless_tennis r) inside mix) with (w := fun _ _ => 0); rewrite ?M; auto.
    + intros p. now apply mixes_endless.
    + intros i j [<-|[]] [<-|[]]. discriminate.
    + intros j [<-|[]]. right. split. now intros i [<-|[]]. exact H.
  - apply (gets_turn F (favouring w r) inside mix) with (w := fun _ _ => ratio (v # unit)); auto.
    + exact (inside_favouring w).
    + intros p. now apply mixes_favouring.
    + intros i j _ _. now apply ratio_le.
    + intros j _. rewrite (mean_const F (favouring w r) (moves_A (favouring w r) (At 0 0 x))); [apply le_refl|].
      now apply mixes_favouring.
Qed.

(** Numbers that are secured are in columns where play goes on. *)
Definition holds (a b : N) (x : Z) (v : Z) : Prop := (a <= most_a)%N -> (b <= most_b)%N -> A_has (At a b x) v.

Lemma has_carried a b x v : is_spent (At a b x) = false -> holds a b x v -> has a b x (carried kind e a b v).
Proof.
  clear played_valid. intros S H A B. specialize (H A B). unfold final, carried. unfold is_spent in S. rewrite S.
  destruct kind as [| |[]]; auto.
  - destruct (same_spec b 0) as [->|N]; [exact worth_of_up|]. now destruct (N.eqb_spec b 0).
  - destruct (same_spec a 0) as [->|N]; [exact worth_of_down|]. now destruct (N.eqb_spec a 0).
Qed.

(** Less is secured, too. *)
Lemma A_has_less p v w : (w <= v)%Z -> A_has p v -> A_has p w.
Proof.
  clear played_valid. intros L H. assert (Q : (w # unit <= v # unit)%Q) by (unfold Qle; cbn [Qnum Qden]; nia).
  assert (Once : forall G m p, gets F G m p (ratio (v # unit)) -> gets F G m p (ratio (w # unit))).
  { intros G m p' K t T. apply le_trans with (2 := K t T). now apply ratio_le. }
  unfold A_has in *. destruct kind; auto.
  destruct H as [c H]. exists c. intros n t T. apply le_trans with (2 := H n t T).
  apply le_difference.
  replace (count F n * ratio (v # unit) - count F c - (count F n * ratio (w # unit) - count F c))
    with
    (count F n * (ratio (v # unit) - ratio (w # unit))) by ring.
  apply mul_nonneg. apply count_nonneg. now apply (proj1 (le_difference F _ _)), ratio_le.
Qed.
End Sides.
