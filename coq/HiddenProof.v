(** * The check of a game with hidden information is sound

    By induction over the opponent's turns: a list of subtrees with probabilities is worth at least as
    much as [reply] says, whatever behaviour strategy the opponent uses. *)

From Coq Require Import ZArith QArith List Bool Lia Field.
From PencilTennis Require Import Numbers AnyGame AnyTables GameReader Hidden.
Import ListNotations.

(** ** Trees *)

Section Induction.
Variable P : tree -> Prop.
Hypothesis leaf : forall q, P (Leaf q).
Hypothesis chance : forall shares next, Forall P next -> P (Chance shares next).
Hypothesis choice : forall who k next, Forall P next -> P (Choice who k next).

Fixpoint tree_induction (T : tree) : P T :=
  let all := fix all (l : list tree) : Forall P l :=
    match l with
    | [] => Forall_nil _
    | T :: l => Forall_cons _ (tree_induction T) (all l)
    end in
  match T with
  | Leaf q => leaf q
  | Chance shares next => chance shares next (all next)
  | Choice who k next => choice who k next (all next)
  end.
End Induction.

Lemma same_player_eq x y : same_player x y = true <-> x = y.
Proof. destruct x, y; easy. Qed.

(** ** Tables *)

Lemma index_spec {V} (l : list V) : forall p m k, look (index p l m) k =
  if (k <? p)%N then look m k else
    match nth_error l (N.to_nat (k - p)) with Some v => Some v | None => look m k end.
Proof.
  induction l as [|x l IH]; intros p m k; cbn [index].
  - destruct (k <? p)%N; auto. now destruct (N.to_nat (k - p)).
  - rewrite IH, AnyTables.look_put.
    destruct (N.ltb_spec k (N.succ p)), (N.ltb_spec k p), (N.eqb_spec k p); try lia; auto.
    + subst k. now replace (p - p)%N with 0%N by lia.
    + now replace (N.to_nat (k - p)) with (S (N.to_nat (k - N.succ p))) by lia.
Qed.

Lemma by_number_spec {V} (l : list V) k : look (by_number l) k = nth_error l (N.to_nat k).
Proof.
  unfold by_number. rewrite index_spec. destruct (N.ltb_spec k 0); [lia|]. rewrite N.sub_0_r.
  now destruct (nth_error l (N.to_nat k)).
Qed.

Lemma same_length_eq {S T} (l : list S) (m : list T) : same_length l m = true -> length l = length m.
Proof. revert m. induction l as [|x l IH]; intros [|y m]; cbn; try easy. intros H. f_equal. auto. Qed.

(** ** Well-formed games *)

Lemma sum_of_spec l : (sum_of l == fold_right Qplus 0 l)%Q.
Proof.
  unfold sum_of. induction l as [|q l IH]; cbn [fold_right]. reflexivity.
  rewrite plus_spec. now rewrite IH.
Qed.

Lemma check_tree_fair G T :
  check_tree (by_number (sets_A G)) (by_number (sets_B G)) T = true -> fair G T.
Proof.
  induction T as [q|shares next IH|who k next IH] using tree_induction; cbn [check_tree]; intros H.
  - constructor.
  - rewrite !andb_true_iff in H. destruct H as [[[L P] S] N]. rewrite forallb_forall in P, N.
    rewrite Forall_forall in IH. apply fair_chance.
    + now apply same_length_eq.
    + intros q Q. apply P, Z.leb_le in Q. unfold Qle. cbn. lia.
    + rewrite <- sum_of_spec. unfold whole_sum in S. apply Z.eqb_eq in S.
      unfold Qeq. cbn [Qnum Qden]. lia.
    + auto.
  - rewrite andb_true_iff in H. destruct H as [S N]. rewrite forallb_forall in N.
    rewrite Forall_forall in IH.
    destruct (look match who with A => by_number (sets_A G) | B => by_number (sets_B G) end k)
      as [x|] eqn:E; [|discriminate S].
    rewrite andb_true_iff in S. destruct S as [D L]. apply fair_choice with x.
    + unfold set_at, sets_of. destruct who; now rewrite <- by_number_spec.
    + now destruct (actions x).
    + now apply same_length_eq.
    + auto.
Qed.

Lemma same_past_eq h h' : same_past h h' = true -> h = h'.
Proof.
  revert h'. induction h as [|[k i] h IH]; intros [|[k' i'] h']; cbn; try easy.
  rewrite !andb_true_iff, Nat.eqb_eq. intros [[K ->] H]. unfold same_N in K.
  destruct (N.compare_spec k k') as [->| |]; try discriminate K. f_equal. auto.
Qed.

Lemma check_recall_spec G who : check_recall who (root G) = true -> perfect_recall G who.
Proof.
  unfold check_recall, perfect_recall.
  set (m := fold_left _ _ _). intros H k h h' I J. rewrite forallb_forall in H.
  apply H in I. apply H in J. cbn [fst snd] in *. destruct (look m k); [|discriminate I].
  apply same_past_eq in I, J. congruence.
Qed.

Lemma unlike_NoDup l : unlike l = true -> NoDup l.
Proof.
  unfold unlike. destruct (numbered _ (map pack l)) as [t|] eqn:E; [|discriminate]. intros _.
  apply numbered_spec in E as [U _]. eapply NoDup_map_inv, U.
Qed.

Lemma check_names_spec l : check_names l = true -> well_named_sets l.
Proof.
  unfold check_names. rewrite andb_true_iff, forallb_forall. intros [N U]. split.
  - now apply unlike_NoDup.
  - intros x I. now apply unlike_NoDup, U.
Qed.

Section Proof.
Open Scope field_scope.
Variables (F : ordered_field) (G : hidden_game).
Add Field field_of_hidden : (field_laws F).

(** ** Averages *)

Notation average := (average F).
Notation sum := (sum F).

Lemma average_zero {T} (p : list F) (l : list T) : average p (map (fun _ => 0) l) = 0.
Proof.
  revert l. induction p as [|x p IH]; intros [|y l]; cbn; auto. rewrite IH. ring.
Qed.

Lemma average_opp (p l : list F) : average p (map opp l) = - average p l.
Proof.
  revert l. induction p as [|x p IH]; intros [|y l]; cbn; try ring. rewrite IH. ring.
Qed.

Lemma average_at_least (p l : list F) m : (forall x, In x p -> 0 <= x) -> length p = length l ->
  (forall v, In v l -> m <= v) -> m * sum p <= average p l.
Proof.
  revert l. induction p as [|x p IH]; intros [|v l] P L H; cbn in *; try discriminate L.
  - replace (m * 0) with (0 : F) by ring. apply le_refl.
  - replace (m * (x + sum p)) with (x * m + m * sum p) by ring. apply add_le_both.
    + apply mul_le; auto.
    + apply IH; auto.
Qed.

Lemma average_least n (p l : list F) m : probabilities F n p -> length l = n ->
  (forall v, In v l -> m <= v) -> m <= average p l.
Proof.
  intros (L & P & S) N H. pose proof (average_at_least p l m P (eq_trans L (eq_sym N)) H) as K.
  rewrite S in K. now replace (m * 1) with m in K by ring.
Qed.

(** ** The payoff to the player who is checked *)

Section Reply.
Variables (me : player) (mix : N -> list Q) (s t : behaviour F).
Definition opponent : player := match me with A => B | B => A end.
Hypothesis mixes : forall k, s k = map ratio (mix k).
Hypothesis proper_t : proper F G opponent t.

Fixpoint gain (T : tree) : F :=
  match T with
  | Leaf q => ratio (signed me q)
  | Chance shares next => average (map ratio shares) (map gain next)
  | Choice who k next => average (if same_player who me then s k else t k) (map gain next)
  end.

Fixpoint worth_of (b : bag) : F :=
  match b with [] => 0 | x :: b => ratio (fst x) * gain (snd x) + worth_of b end.

(** The gain of some arrivals at an information set, if the opponent mixes by [p] there. *)
Fixpoint worth_at (p : list F) (xs : arrivals) : F :=
  match xs with
  | [] => 0
  | x :: xs => ratio (fst x) * average p (map gain (snd x)) + worth_at p xs
  end.
Fixpoint worth_choices (l : list (N * arrivals)) : F :=
  match l with [] => 0 | c :: l => worth_at (t (fst c)) (snd c) + worth_choices l end.
Definition worth_view (v : view) : F := ratio (ends v) + worth_choices (choices v).

Lemma same_N_true k k' : same_N k k' = true -> k = k'.
Proof. unfold same_N. destruct (N.compare_spec k k') as [->| |]; easy. Qed.

Lemma arrive_worth k x l : worth_choices (arrive k x l) =
  worth_choices l + ratio (fst x) * average (t k) (map gain (snd x)).
Proof.
  induction l as [|[k' xs] l IH]; cbn [arrive worth_choices worth_at fst snd]. ring.
  destruct (same_N k k') eqn:E; cbn [worth_choices worth_at fst snd].
  - apply same_N_true in E as <-. ring.
  - rewrite IH. ring.
Qed.

Definition spreads (T : tree) : Prop := forall w v, worth_view (spread me mix w T v) =
  worth_view v + ratio w * gain T.

Lemma each_worth next : Forall spreads next -> forall w shares v,
  worth_view (each (spread me mix) w next shares v) =
    worth_view v + ratio w * average (map ratio shares) (map gain next).
Proof.
  induction 1 as [|T next S _ IH]; intros w [|q shares] v; cbn [each map Hidden.average]; try ring.
  rewrite IH. destruct (Z.eqb_spec (Qnum q) 0) as [Z|_].
  - assert (ratio q = 0 :> F) as ->.
    { rewrite <- ratio_0. apply ratio_eq. unfold Qeq. rewrite Z. reflexivity. }
    ring.
  - rewrite S, ratio_mul. ring.
Qed.

Lemma spread_worth T : spreads T.
Proof.
  induction T as [q|shares next IH|who k next IH] using tree_induction; intros w v; cbn [spread gain].
  - unfold worth_view. cbn [ends choices]. rewrite (ratio_eq F _ _ (plus_spec _ _)).
    rewrite ratio_add, ratio_mul. ring.
  - now apply each_worth.
  - destruct (same_player who me).
    + rewrite mixes. now apply each_worth.
    + unfold worth_view. cbn [ends choices]. rewrite arrive_worth. cbn [fst snd]. ring.
Qed.

Lemma seen_from_worth b : worth_view (seen_from me mix b) = worth_of b.
Proof.
  unfold seen_from. assert (E : forall v, worth_view (fold_left (fun v x =>
    spread me mix (fst x) (snd x) v) b v) = worth_view v + worth_of b).
  { induction b as [|x b IH]; intros v; cbn [fold_left worth_of]. ring.
    rewrite IH, spread_worth. ring. }
  rewrite E. unfold worth_view. cbn [ends choices worth_choices]. rewrite ratio_0. ring.
Qed.

(** ** Subtrees stay well-formed *)

Definition fair_choices (l : list (N * arrivals)) : Prop :=
  forall k xs w next, In (k, xs) l -> In (w, next) xs -> fair G (Choice opponent k next).

Lemma arrive_fair k w next l : fair G (Choice opponent k next) -> fair_choices l ->
  fair_choices (arrive k (w, next) l).
Proof.
  intros N. induction l as [|[k' ys] l IH]; intros H j xs w' next' I J; cbn [arrive] in I.
  - destruct I as [I|[]]. injection I as <- <-. destruct J as [J|[]]. now injection J as <- <-.
  - assert (fair_choices l) as H' by (intros ? ? ? ? ? ?; eapply H; [right; eauto|eauto]).
    destruct (same_N k k') eqn:E.
    + apply same_N_true in E as <-. destruct I as [I|I].
      * injection I as <- <-. destruct J as [J|J]; [now injection J as <- <-|].
        eapply H; [now left|eauto].
      * eapply H; [right; eauto|eauto].
    + destruct I as [I|I].
      * injection I as <- <-. eapply H; [now left|eauto].
      * eapply IH; eauto.
Qed.

Definition keeps_fair (T : tree) : Prop := fair G T -> forall w v, fair_choices (choices v) ->
  fair_choices (choices (spread me mix w T v)).

Lemma each_fair next : Forall keeps_fair next -> (forall T, In T next -> fair G T) ->
  forall w shares v, fair_choices (choices v) ->
  fair_choices (choices (each (spread me mix) w next shares v)).
Proof.
  induction 1 as [|T next S _ IH]; intros N w [|q shares] v V; cbn [each]; auto.
  apply IH. intros U I. apply N. now right. destruct (Qnum q =? 0)%Z; auto.
  apply S; auto. apply N. now left.
Qed.

Lemma spread_fair T : keeps_fair T.
Proof.
  induction T as [q|shares next IH|who k next IH] using tree_induction; intros N w v V;
    cbn [spread]; auto; inversion N as [|? ? ? ? ? Sub|? ? ? ? ? ? ? Sub]; subst.
  - now apply each_fair.
  - destruct (same_player who me) eqn:E.
    + now apply each_fair.
    + cbn [choices]. apply arrive_fair; auto. unfold opponent.
      destruct who, me; try discriminate E; exact N.
Qed.

Lemma seen_from_fair b : (forall x, In x b -> fair G (snd x)) ->
  fair_choices (choices (seen_from me mix b)).
Proof.
  unfold seen_from. intros N. assert (E : forall v, fair_choices (choices v) ->
    fair_choices (choices (fold_left (fun v x => spread me mix (fst x) (snd x) v) b v))).
  { induction b as [|x b IH]; intros v V; cbn [fold_left]; auto. apply IH.
    intros y Y. apply N. now right. apply spread_fair; auto. apply N. now left. }
  apply E. intros ? ? ? ? [].
Qed.

(** ** The subtrees after each action *)

Lemma deal_length w next bags : length next = length bags ->
  length (deal w next bags) = length bags.
Proof.
  revert bags. induction next as [|T next IH]; intros [|b bags] L; cbn in *; try easy. f_equal. auto.
Qed.

Lemma deal_worth w next bags p : length next = length bags ->
  average p (map worth_of (deal w next bags)) =
    ratio w * average p (map gain next) + average p (map worth_of bags).
Proof.
  revert bags p. induction next as [|T next IH]; intros [|b bags] [|x p] L; cbn in *; try easy;
    try ring. rewrite IH by lia. ring.
Qed.

Lemma deal_in w next bags b x : In b (deal w next bags) -> In x b ->
  In (snd x) next \/ exists c, In c bags /\ In x c.
Proof.
  revert bags. induction next as [|T next IH]; intros [|c bags] I J; cbn in I; try easy.
  destruct I as [<-|I].
  - destruct J as [<-|J]; [left; now left|]. right. exists c. split; [now left|exact J].
  - destruct (IH _ I J) as [H|(d & D & H)]; [left; now right|]. right. exists d. split; [now right|exact H].
Qed.

Definition gathered (xs : arrivals) (empty : list bag) : list bag :=
  fold_right (fun x bags => deal (fst x) (snd x) bags) empty xs.

Lemma gathered_length n xs empty : length empty = n -> (forall x, In x xs -> length (snd x) = n) ->
  length (gathered xs empty) = n.
Proof.
  intros E. induction xs as [|x xs IH]; intros H; cbn [gathered fold_right]; auto.
  fold (gathered xs empty). assert (H' : forall x, In x xs -> length (snd x) = n) by auto with datatypes.
  rewrite deal_length; rewrite (IH H'); auto with datatypes.
Qed.

Lemma gathered_worth n xs empty p : length empty = n -> (forall x, In x xs -> length (snd x) = n) ->
  average p (map worth_of (gathered xs empty)) = worth_at p xs + average p (map worth_of empty).
Proof.
  intros E. induction xs as [|x xs IH]; intros H; cbn [gathered fold_right worth_at]. ring.
  fold (gathered xs empty). assert (H' : forall x, In x xs -> length (snd x) = n) by auto with datatypes.
  rewrite deal_worth.
  - rewrite (IH H'). ring.
  - rewrite (gathered_length n); auto with datatypes.
Qed.

Lemma gathered_in xs empty b x : In b (gathered xs empty) -> In x b ->
  (exists y, In y xs /\ In (snd x) (snd y)) \/ exists c, In c empty /\ In x c.
Proof.
  revert b. induction xs as [|y xs IH]; cbn; intros b I J; [right; eauto|].
  destruct (deal_in _ _ _ _ _ I J) as [H|(c & C & H)].
  - left. exists y. auto.
  - destruct (IH _ C H) as [(z & Z & K)|K]; [left; exists z; auto|now right].
Qed.

Lemma branches_spec n xs p : xs <> [] -> (forall x, In x xs -> length (snd x) = n) ->
  length (branches xs) = n /\ average p (map worth_of (branches xs)) = worth_at p xs /\
  forall b x, In b (branches xs) -> In x b -> exists y, In y xs /\ In (snd x) (snd y).
Proof.
  intros N H. destruct xs as [|x0 xs]; [easy|]. set (ys := x0 :: xs) in *.
  assert (E : length (map (fun _ : tree => [] : bag) (snd x0)) = n)
    by (rewrite map_length; apply H; now left).
  change (branches ys) with (gathered ys (map (fun _ => []) (snd x0))). split; [|split].
  - now apply gathered_length.
  - rewrite (gathered_worth n); auto. rewrite map_map. cbn [worth_of]. rewrite average_zero. ring.
  - intros b x I J. destruct (gathered_in _ _ _ _ I J) as [K|(c & C & K)]; auto.
    apply in_map_iff in C as (? & <- & _). destruct K.
Qed.

(** ** The best reply *)

Lemma least_spec l m : least l = Some m -> forall o, In o l -> exists q, o = Some q /\ (m <= q)%Q.
Proof.
  revert m. induction l as [|x l IH]; intros m H o I; [destruct I|]. cbn [least] in H.
  destruct l as [|y l].
  - destruct I as [<-|[]]. exists m. split; auto. apply Qle_refl.
  - destruct x as [p|]; [|discriminate H].
    destruct (least (y :: l)) as [q|] eqn:E; [|discriminate H]. injection H as <-.
    assert ((if Qle_bool p q then p else q) <= p /\ (if Qle_bool p q then p else q) <= q)%Q as [P Q].
    { destruct (Qle_bool p q) eqn:C.
      - apply Qle_bool_iff in C. split; auto. apply Qle_refl.
      - split; [|apply Qle_refl]. destruct (Qlt_le_dec q p) as [L|L]; [now apply Qlt_le_weak|].
        apply Qle_bool_iff in L. congruence. }
    destruct I as [<-|I].
    + exists p. auto.
    + destruct (IH q eq_refl o I) as (r & -> & R). exists r. split; auto. eapply Qle_trans; eauto.
Qed.

Lemma fold_None l f : fold_left (fun sum (c : N * arrivals) => add_up sum (f c)) l None = None.
Proof. induction l; cbn; auto. Qed.

Theorem reply_sound fuel : forall b q, (forall x, In x b -> fair G (snd x)) ->
  reply me mix fuel b = Some q -> ratio q <= worth_of b.
Proof.
  induction fuel as [|fuel IH]; intros b q N H; [discriminate H|]. cbn [reply] in H.
  rewrite <- seen_from_worth. pose proof (seen_from_fair b N) as V.
  set (v := seen_from me mix b) in *. unfold worth_view.
  assert (One : forall c m, fair_choices [c] ->
    least (map (reply me mix fuel) (branches (snd c))) = Some m ->
    ratio m <= worth_at (t (fst c)) (snd c)).
  { intros [k xs] m C L. cbn [fst snd] in *. destruct xs as [|[w0 next0] xs]; [discriminate L|].
    set (ys := (w0, next0) :: xs) in *.
    assert (K : forall w next, In (w, next) ys -> fair G (Choice opponent k next))
      by (intros w next I; eapply C; [now left|exact I]).
    pose proof (K w0 next0 (or_introl eq_refl)) as K0.
    inversion K0 as [|? ? ? ? ? Sub|? ? x ? Set_ Some_ Length_ Sub]; subst.
    assert (Len : forall y, In y ys -> length (snd y) = length (actions x)).
    { intros [w next] I. pose proof (K w next I) as N'.
      inversion N' as [| |? ? x' ? Set' ? Length' ?]; subst. cbn [snd]. congruence. }
    destruct (branches_spec (length (actions x)) ys (t k) ltac:(discriminate) Len) as (BL & BW & BI).
    rewrite <- BW. apply average_least with (length (actions x)).
    - exact (proper_t k x Set_).
    - now rewrite map_length.
    - intros u U. apply in_map_iff in U as (c & <- & I).
      destruct (least_spec _ _ L _ (in_map _ _ _ I)) as (r & R & M).
      apply le_trans with (ratio r). now apply ratio_le. apply IH; auto.
      intros z Z. destruct (BI c z I Z) as ([w next] & Y & D). cbn [snd] in D.
      pose proof (K w next Y) as N'. inversion N' as [| |? ? ? ? ? ? ? Sub']; subst. auto. }
  revert H. generalize (ends v) as a. revert V. generalize (choices v) as l. clear - One.
  induction l as [|c l IH]; intros V a H; cbn [fold_left worth_choices] in *.
  - injection H as <-. replace (ratio a + 0) with (ratio a : F) by ring. apply le_refl.
  - destruct (least (map (reply me mix fuel) (branches (snd c)))) as [m|] eqn:L.
    + apply IH in H.
      * apply le_trans with (1 := H). rewrite (ratio_eq F _ _ (plus_spec a m)), ratio_add.
        replace (ratio a + (worth_at (t (fst c)) (snd c) + worth_choices l)) with
          (ratio a + worth_choices l + worth_at (t (fst c)) (snd c)) by ring.
        replace (ratio a + ratio m + worth_choices l) with
          (ratio a + worth_choices l + ratio m) by ring.
        apply add_le, One; auto. intros k xs w next [I|[]]. eapply V. left. exact I.
      * intros k xs w next I. eapply V. right. exact I.
    + cbn [add_up] in H. rewrite fold_None in H. discriminate H.
Qed.
End Reply.

Lemma gain_A s t T : gain A s t T = expected_payoff F s t T.
Proof.
  induction T as [q|shares next IH|who k next IH] using tree_induction;
    cbn [gain expected_payoff signed]; auto.
  - f_equal. apply map_ext_in, Forall_forall. exact IH.
  - destruct who; cbn [same_player]; f_equal; apply map_ext_in, Forall_forall; exact IH.
Qed.

Lemma gain_B s t T : gain B t s T = - expected_payoff F s t T.
Proof.
  induction T as [q|shares next IH|who k next IH] using tree_induction;
    cbn [gain expected_payoff signed].
  - apply ratio_opp.
  - rewrite <- average_opp, map_map. f_equal. apply map_ext_in, Forall_forall. exact IH.
  - destruct who; cbn [same_player]; rewrite <- average_opp, map_map; f_equal;
      apply map_ext_in, Forall_forall; exact IH.
Qed.

(** ** The strategies in the certificate *)

Lemma published_mixes weights k : published F weights k =
  map ratio match look (by_number (map shares_of weights)) k with Some p => p | None => [] end.
Proof.
  unfold published. rewrite by_number_spec, nth_error_map.
  now destruct (nth_error weights (N.to_nat k)).
Qed.

Lemma sum_shares w n : sum (map ratio (map (fun x => Z.of_N x # n) w)) =
  ratio (Z.of_N (fold_right N.add 0%N w) # n).
Proof.
  induction w as [|x w IH]; cbn [map Hidden.sum fold_right].
  - rewrite <- ratio_0. now apply ratio_eq.
  - rewrite IH, <- ratio_add. apply ratio_eq. unfold Qeq, Qplus. cbn [Qnum Qden].
    rewrite N2Z.inj_add, Pos2Z.inj_mul. ring.
Qed.

Lemma shares_probabilities w : (0 < fold_right N.add 0 w)%N ->
  probabilities F (length w) (map ratio (shares_of w)).
Proof.
  intros P. unfold shares_of. split; [now rewrite !map_length|]. split.
  - intros x I. apply in_map_iff in I as (q & <- & I). apply in_map_iff in I as (n & <- & _).
    rewrite <- ratio_0. apply ratio_le. unfold Qle. cbn. lia.
  - rewrite sum_shares. unfold total_of. destruct (fold_right N.add 0%N w) as [|n]; [lia|].
    rewrite <- ratio_1. apply ratio_eq. unfold Qeq. cbn. lia.
Qed.

Lemma check_weights_proper who weights : check_weights (sets_of G who) weights = true ->
  proper F G who (published F weights).
Proof.
  unfold proper, set_at, published. generalize (sets_of G who) as sets. intros sets H k x.
  generalize (N.to_nat k) as n. intros n. revert weights n H.
  induction sets as [|y sets IH]; intros [|w weights] [|n] H E; try discriminate.
  - cbn in H, E. rewrite !andb_true_iff in H. destruct H as [[L P] _]. injection E as ->. cbn.
    apply same_length_eq in L. rewrite <- L. apply shares_probabilities. now apply N.ltb_lt.
  - cbn in H. rewrite !andb_true_iff in H. destruct H as [_ H]. exact (IH _ _ H E).
Qed.

Lemma check_bound_sound me weights t bound : fair G (root G) ->
  check_bound me weights (root G) bound = true -> proper F G (opponent me) t ->
  ratio bound <= gain me (published F weights) t (root G).
Proof.
  intros N H T. unfold check_bound in H.
  destruct (reply _ _ _ _) as [q|] eqn:R; [|discriminate H]. apply Qle_bool_iff in H.
  apply le_trans with (ratio q). now apply ratio_le.
  apply (reply_sound me _ (published F weights) t (published_mixes weights) T) in R.
  - cbn [worth_of fst snd] in R. rewrite ratio_1 in R.
    match type of R with _ <= ?v => replace v with (gain me (published F weights) t (root G)) in R
      by ring end. exact R.
  - intros x [<-|[]]. exact N.
Qed.
End Proof.

(** ** The theorem *)

Lemma unless_none good f rest : unless_good good f rest = None -> good = true /\ rest = None.
Proof. destruct good; cbn; [auto|discriminate]. Qed.

(** Whoever secures more than the other concedes contradicts the other. *)
Theorem hidden_order F G s t p q : A_secures_with F G s p -> B_secures_with F G t q -> le p q.
Proof. intros [S A] [T B]. exact (le_trans F _ _ _ (A t T) (B s S)). Qed.

Theorem check_sound F c : fault_of c = None ->
  let G := the_tree c in
  well_formed G /\
  A_secures_with F G (published F (weights_A c)) (ratio (claimed_lower c)) /\
  B_secures_with F G (published F (weights_B c)) (ratio (claimed_upper c)).
Proof.
  unfold fault_of. cbv zeta. intros H.
  apply unless_none in H as [NA H]. apply unless_none in H as [NB H].
  apply unless_none in H as [T H]. apply unless_none in H as [RA H].
  apply unless_none in H as [RB H]. apply unless_none in H as [WA H].
  apply unless_none in H as [WB H]. apply unless_none in H as [BA H].
  apply unless_none in H as [BB _].
  set (G := the_tree c) in *. apply check_tree_fair in T.
  split; [|split].
  - split; [exact T|]. split; [now apply check_recall_spec|]. split; [now apply check_recall_spec|].
    split; now apply check_names_spec.
  - split; [now apply (check_weights_proper F G A)|]. intros t P. rewrite <- gain_A.
    now apply (check_bound_sound F G A).
  - split; [now apply (check_weights_proper F G B)|]. intros s P.
    apply (check_bound_sound F G B _ s) in BB; auto. rewrite gain_B, ratio_opp in BB.
    now apply opp_le.
Qed.

(** A bound against every behaviour strategy is one against every mixed strategy. *)
Theorem A_secures_mixed F G s q m : A_secures_with F G s q -> proper_mixed F G B m ->
  le q (expected_of F (fun t => expected_payoff F s t (root G)) m).
Proof.
  intros [_ A] [P M]. apply (average_least F (length m)); auto. now rewrite !map_length.
  intros v I. apply in_map_iff in I as (t & <- & I). auto.
Qed.

Theorem B_secures_mixed F G t q m : B_secures_with F G t q -> proper_mixed F G A m ->
  le (expected_of F (fun s => expected_payoff F s t (root G)) m) q.
Proof.
  intros [_ B] [P M]. apply opp_le. unfold expected_of. rewrite <- average_opp.
  apply (average_least F (length m)); auto. now rewrite !map_length.
  intros v I. apply in_map_iff in I as (u & <- & I). apply in_map_iff in I as (s & <- & I).
  apply -> opp_le. auto.
Qed.
