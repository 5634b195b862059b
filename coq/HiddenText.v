(** * Different certificates of trees are written differently

    As bytes name one game of any rules ([write_injective]), they name one tree, its information sets and strategies: a file that is
    accepted is the written form of no other certificate. *)

From Coq Require Import ZArith NArith QArith List Bool Lia.
From PencilTennis Require Import AnyGame GameFile GameReader Hidden HiddenProof HiddenFile.
Import ListNotations.
Local Open Scope N_scope.

(** ** Lines *)

(** What a line says. *)
Inductive told :=
| Told_end (payoff : Q)
| Told_chance (shares : list Q)
| Told_choice (who : player) (set : name) (actions : option (list name))
| Told_weights (who : player) (set : name) (weights : list N).

Definition write_told (x : told) : text :=
  match x with
  | Told_end q => in_end ++ quoted_Q q ++ end_list
  | Told_chance shares => in_chance ++ write_list quoted_Q shares ++ end_list
  | Told_choice who n l =>
      in_choice who ++ write_text n ++ match l with Some l => comma :: write_list write_text l | None => [] end ++ end_list
  | Told_weights who n w => in_weights who ++ write_text n ++ comma :: write_list quoted_N w ++ end_list
  end.

Lemma quoted_N_code : code quoted_N.
Proof.
  intros n m r s H. unfold quoted_N, quoted in H. cbn [app] in H. injection H as H. rewrite <- !app_assoc in H.
  apply write_N_end in H as [-> H]; auto. injection H as <-. auto.
Qed.

Lemma shares_code : code (write_list quoted_Q).
Proof. apply write_list_code. apply quoted_Q_code. opening. Qed.
Lemma weights_code : code (write_list quoted_N).
Proof. apply write_list_code. apply quoted_N_code. opening. Qed.

Lemma write_told_code : code write_told.
Proof.
  assert (End : forall r s, end_list ++ r = end_list ++ s -> r = s) by (intros r s; apply app_inv_head).
  assert (Choice : forall n l n' l' r s,
    write_text n ++ match l with Some l => comma :: write_list write_text l | None => [] end ++ end_list ++ r =
    write_text n' ++ match l' with Some l => comma :: write_list write_text l | None => [] end ++ end_list ++ s ->
    n = n' /\ l = l' /\ r = s).
  { intros n [l|] n' [l'|] r s H; apply write_text_code in H as [-> H]; cbn [app] in H; try discriminate H.
    - apply (app_inv_head [comma]) in H. apply names_code in H as [-> H]. apply End in H. auto.
    - apply End in H. auto. }
  assert (Weights : forall n l n' l' r s, write_text n ++ comma :: write_list quoted_N l ++ end_list ++ r =
    write_text n' ++ comma :: write_list quoted_N l' ++ end_list ++ s -> n = n' /\ l = l' /\ r = s).
  { intros n l n' l' r s H. apply write_text_code in H as [-> H]. apply (app_inv_head [comma]) in H. apply weights_code in H as [-> H].
    apply End in H. auto. }
  intros x y r s H.
  destruct x as [q|l|[] n l|[] n w], y as [q'|l'|[] n' l'|[] n' w']; unfold write_told, in_choice, in_weights in H;
    repeat (rewrite <- ?app_assoc in H; cbn [app] in H); try discriminate H.
  - apply literal, quoted_Q_code in H as [-> H]. apply End in H. auto.
  - apply literal, shares_code in H as [-> H]. apply End in H. auto.
  - apply literal, Choice in H as (-> & -> & ->). auto.
  - apply literal, Choice in H as (-> & -> & ->). auto.
  - apply literal, Weights in H as (-> & -> & ->). auto.
  - apply literal, Weights in H as (-> & -> & ->). auto.
Qed.

Lemma write_told_begins x : exists c t, write_told x = c :: t.
Proof. destruct x as [| |[]|[]]; eexists; eexists; reflexivity. Qed.

(** ** The lines of a certificate *)

Definition told_item (G : hidden_game) (s : seen) (x : item) : told :=
  match x with
  | Leaf_item q => Told_end q
  | Chance_item shares => Told_chance shares
  | Choice_item who k _ =>
      let set := match set_at G who k with Some set => set | None => {| set_name := []; actions := [] |} end in
      Told_choice who (set_name set) (if k =? count_seen s who then Some (actions set) else None)
  end.
Fixpoint told_items (G : hidden_game) (s : seen) (l : list item) : list told :=
  match l with [] => [] | x :: l => told_item G s x :: told_items G (seen_after s x) l end.
Fixpoint told_weights (who : player) (sets : list information_set) (weights : list (list N)) : list told :=
  match sets, weights with
  | x :: sets, w :: weights => Told_weights who (set_name x) w :: told_weights who sets weights
  | _, _ => []
  end.
Definition told_of (c : hidden_certificate) : list told :=
  let G := the_tree c in
  told_items G none_seen (prefix (root G) []) ++ told_weights A (sets_A G) (weights_A c) ++ told_weights B (sets_B G) (weights_B c).

Lemma write_items_told G l : forall s, write_items (set_at G) s l = flat_map write_told (told_items G s l).
Proof.
  induction l as [|x l IH]; intros s; cbn [write_items told_items flat_map]; auto. rewrite IH. f_equal.
  destruct x as [q|shares|who k n]; auto. cbn [write_item told_item write_told]. now destruct (k =? count_seen s who).
Qed.

Lemma write_strategy_told who sets : forall weights,
  write_strategy who sets weights = flat_map write_told (told_weights who sets weights).
Proof.
  induction sets as [|x sets IH]; intros [|w weights]; cbn [write_strategy told_weights flat_map]; auto. now rewrite IH.
Qed.

Lemma write_hidden_told c : write_hidden c = write_claim c ++ flat_map write_told (told_of c).
Proof.
  unfold write_hidden, told_of. cbv zeta. now rewrite !flat_map_app, write_items_told, !write_strategy_told.
Qed.

Lemma write_claim_code c c' r s : write_claim c ++ r = write_claim c' ++ s ->
  claimed_lower c = claimed_lower c' /\ claimed_upper c = claimed_upper c' /\ r = s.
Proof.
  unfold write_claim. rewrite <- !app_assoc. intros H. apply literal, quoted_Q_code in H as [L H].
  apply literal, quoted_Q_code in H as [U H]. apply literal in H. auto.
Qed.

(** *** Their parts *)

Definition is_node (x : told) : bool := match x with Told_weights _ _ _ => false | _ => true end.
Definition weights_in (who : player) (l : list told) : list (name * list N) :=
  flat_map (fun x => match x with Told_weights w n v => if same_player w who then [(n, v)] else [] | _ => [] end) l.

Lemma nodes_of_items G l : forall s, filter is_node (told_items G s l) = told_items G s l.
Proof. induction l as [|x l IH]; intros s; simpl; auto. destruct x; simpl; now rewrite IH. Qed.
Lemma nodes_of_weights who sets : forall weights, filter is_node (told_weights who sets weights) = [].
Proof. induction sets as [|x sets IH]; intros [|w weights]; simpl; auto. Qed.
Lemma weights_in_items who G l : forall s, weights_in who (told_items G s l) = [].
Proof. induction l as [|x l IH]; intros s; simpl; auto. destruct x; simpl; apply IH. Qed.
Lemma weights_in_weights who w sets : forall weights, weights_in who (told_weights w sets weights) =
  if same_player w who then combine (map set_name sets) weights else [].
Proof.
  induction sets as [|x sets IH]; intros [|v weights]; simpl; try now destruct (same_player w who).
  fold (weights_in who (told_weights w sets weights)). rewrite IH. now destruct (same_player w who).
Qed.

Definition weights_of (c : hidden_certificate) (who : player) : list (list N) :=
  match who with A => weights_A c | B => weights_B c end.

Lemma weights_in_told who c : weights_in who (told_of c) = combine (map set_name (sets_of (the_tree c) who)) (weights_of c who).
Proof.
  unfold told_of. cbv zeta. unfold weights_in. rewrite !flat_map_app.
  change (weights_in who (told_items (the_tree c) none_seen (prefix (root (the_tree c)) [])) ++
    weights_in who (told_weights A (sets_A (the_tree c)) (weights_A c)) ++
    weights_in who (told_weights B (sets_B (the_tree c)) (weights_B c)) =
    combine (map set_name (sets_of (the_tree c) who)) (weights_of c who)).
  rewrite weights_in_items, !weights_in_weights. destruct who; cbn [same_player app sets_of weights_of]; auto using app_nil_r.
Qed.

Lemma nodes_in_told c : filter is_node (told_of c) = told_items (the_tree c) none_seen (prefix (root (the_tree c)) []).
Proof. unfold told_of. cbv zeta. now rewrite !filter_app, nodes_of_items, !nodes_of_weights, !app_nil_r. Qed.

Lemma combine_injective {S T} (l l' : list S) : forall m m' : list T, length m = length l -> length m' = length l' ->
  combine l m = combine l' m' -> l = l' /\ m = m'.
Proof.
  revert l'. induction l as [|x l IH]; intros [|x' l'] [|y m] [|y' m'] L L' E; try discriminate; auto.
  cbn in *. injection E as -> -> E. injection L as L. injection L' as L'. destruct (IH l' m m' L L' E) as [-> ->]. auto.
Qed.

(** ** Information sets by their names *)

Definition in_game (G : hidden_game) (x : item) : Prop :=
  match x with
  | Choice_item who k n => exists set, set_at G who k = Some set /\ n = length (actions set)
  | _ => True
  end.

Lemma prefix_in_game G T : fair G T -> forall rest, Forall (in_game G) rest -> Forall (in_game G) (prefix T rest).
Proof.
  assert (All : forall next rest,
    Forall (fun T => fair G T -> forall rest, Forall (in_game G) rest -> Forall (in_game G) (prefix T rest)) next ->
    (forall T, In T next -> fair G T) -> Forall (in_game G) rest -> Forall (in_game G) (fold_right prefix rest next)).
  { intros next rest. induction 1 as [|T' next H _ IH]; intros W R; cbn [fold_right]; auto. apply H. apply W. now left.
    apply IH; auto. intros T'' I. apply W. now right. }
  induction T as [q|shares next IH|who k next IH] using tree_induction; intros W rest R; cbn [prefix]; inversion W; subst;
    constructor; cbn [in_game]; auto. eauto.
Qed.

(** Of two nodes all but the number of actions. *)
Definition alike (x y : item) : Prop :=
  match x, y with
  | Leaf_item q, Leaf_item q' => q = q'
  | Chance_item l, Chance_item l' => l = l'
  | Choice_item who k _, Choice_item who' k' _ => who = who' /\ k = k'
  | _, _ => False
  end.

Section Two_games.
Variables (G H : hidden_game).
Hypothesis names : forall who, map set_name (sets_of G who) = map set_name (sets_of H who).
Hypothesis unlike : forall who, NoDup (map set_name (sets_of G who)).

Lemma same_number who k k' x x' : set_at G who k = Some x -> set_at H who k' = Some x' -> set_name x = set_name x' -> k = k'.
Proof.
  unfold set_at. intros X X' E. apply (map_nth_error set_name) in X, X'. rewrite <- names in X'.
  apply N2Nat.inj, (proj1 (NoDup_nth_error _) (unlike who)). { apply nth_error_Some. congruence. } congruence.
Qed.

Lemma see_own s who : count_seen (see s who) who = N.succ (count_seen s who). Proof. now destruct who. Qed.
Lemma see_other s who w : w <> who -> count_seen (see s who) w = count_seen s w. Proof. now destruct who, w. Qed.

Lemma items_agree : forall l m s, told_items G s l = told_items H s m -> Forall (in_game G) l -> Forall (in_game H) m ->
  Forall2 alike l m /\ forall who k, count_seen s who <= k < count_seen (fold_left seen_after l s) who ->
    option_map actions (set_at G who k) = option_map actions (set_at H who k).
Proof.
  induction l as [|x l IH]; intros [|y m] s E X Y; try discriminate E.
  { split; [constructor|]. cbn [fold_left]. lia. }
  cbn [told_items] in E. apply (f_equal (fun l => match l with z :: l => (z, l) | [] => (Told_end 0, []) end)) in E.
  injection E as E T. inversion_clear X as [|? ? Xx X']. inversion_clear Y as [|? ? Yy Y'].
  assert (A : alike x y /\ forall who k n, x = Choice_item who k n -> k = count_seen s who ->
    option_map actions (set_at G who k) = option_map actions (set_at H who k)).
  { destruct x as [q|shares|who k n], y as [q'|shares'|who' k' n']; cbn [told_item] in E; try discriminate E.
    - injection E as ->. split; [reflexivity|discriminate].
    - injection E as ->. split; [reflexivity|discriminate].
    - destruct Xx as (x & X & _), Yy as (y & Y & _). rewrite X, Y in E. injection E as -> En Ea.
      assert (k = k') as <- by now apply (same_number who' k k' x y). split; [split; auto|].
      intros w k0 n0 [= <- <- _] K. rewrite <- K, N.eqb_refl in Ea. rewrite X, Y. exact Ea. }
  destruct A as [A Acts].
  assert (S : seen_after s y = seen_after s x).
  { destruct x, y; cbn in A; try easy. destruct A as [-> ->]. reflexivity. }
  rewrite S in T. destruct (IH m (seen_after s x) T X' Y') as [Alike Rest]. split; [now constructor|].
  intros who k K. cbn [fold_left] in K. destruct (N.le_gt_cases (count_seen (seen_after s x) who) k) as [L|L].
  - apply Rest. lia.
  - destruct x as [q|shares|w k0 n0]; cbn [seen_after] in L; try lia. destruct (N.eqb_spec k0 (count_seen s w)) as [K0|]; [|lia].
    destruct (same_player w who) eqn:W.
    + apply same_player_eq in W as <-. rewrite see_own in L. assert (k = k0) as -> by lia. now apply (Acts w k0 n0).
    + rewrite see_other in L; [lia|]. intros ->. now destruct w.
Qed.

Lemma nth_error_eq {T} (l : list T) : forall m, (forall i, nth_error l i = nth_error m i) -> l = m.
Proof.
  induction l as [|x l IH]; intros [|y m] E; auto; try now specialize (E O).
  assert (E0 := E O). injection E0 as ->. f_equal. apply IH. intros i. apply (E (S i)).
Qed.

Lemma all_seen_spec who : all_seen G = true ->
  count_seen (fold_left seen_after (prefix (root G) []) none_seen) who = N.of_nat (length (sets_of G who)).
Proof. unfold all_seen. rewrite andb_true_iff, !N.eqb_eq. now destruct who. Qed.

Lemma sets_agree who : all_seen G = true -> fair G (root G) -> fair H (root H) ->
  told_items G none_seen (prefix (root G) []) = told_items H none_seen (prefix (root H) []) -> sets_of G who = sets_of H who.
Proof.
  intros S FG FH E. apply items_agree in E as [_ E]; try (apply prefix_in_game; auto).
  assert (L : length (sets_of G who) = length (sets_of H who)) by (rewrite <- !(map_length set_name); now f_equal).
  apply nth_error_eq. intros i. destruct (nth_error (sets_of G who) i) as [x|] eqn:X.
  - assert (I : (i < length (sets_of G who))%nat) by (apply nth_error_Some; congruence).
    specialize (E who (N.of_nat i)). rewrite (all_seen_spec who S) in E. unfold set_at in E. rewrite Nat2N.id, X in E.
    assert (Names : nth_error (map set_name (sets_of H who)) i = Some (set_name x)).
    { rewrite <- names. now apply map_nth_error. }
    destruct (nth_error (sets_of H who) i) as [y|] eqn:Y.
    + apply (map_nth_error set_name) in Y. rewrite Y in Names. injection Names as Names.
      assert (Range : count_seen none_seen who <= N.of_nat i < N.of_nat (length (sets_of G who))).
      { replace (count_seen none_seen who) with 0 by now destruct who. lia. }
      apply E in Range. cbn [option_map] in Range. injection Range as Acts.
      f_equal. destruct x, y. cbn in *. congruence.
    + apply nth_error_None in Y. lia.
  - apply nth_error_None in X. symmetry. apply nth_error_None. lia.
Qed.
End Two_games.

(** ** Trees by their nodes *)

Lemma prefix_code G H T : fair G T -> forall T' r s, fair H T' -> prefix T r = prefix T' s -> T = T' /\ r = s.
Proof.
  assert (All : forall next,
    Forall (fun T => fair G T -> forall T' r s, fair H T' -> prefix T r = prefix T' s -> T = T' /\ r = s) next ->
    (forall T, In T next -> fair G T) -> forall next' r s, length next = length next' -> (forall T, In T next' -> fair H T) ->
    fold_right prefix r next = fold_right prefix s next' -> next = next' /\ r = s).
  { intros next. induction 1 as [|T1 next K _ IH]; intros W [|T2 next'] r s L W' E; try discriminate L; cbn [fold_right] in E; auto.
    apply K in E as [-> E]; [|now apply W; left|now apply W'; left].
    apply IH in E as [-> ->]; auto; [intros T0 I; apply W; now right|intros T0 I; apply W'; now right]. }
  induction T as [q|shares next IH|who k next IH] using tree_induction; intros W T' r s W' E;
    destruct T' as [q'|shares' next'|who' k' next']; cbn [prefix] in E; try discriminate E; inversion W; inversion W'; subst.
  - injection E as -> ->. auto.
  - injection E as -> E. apply All in E as [-> ->]; auto. congruence.
  - injection E as -> -> L E. apply All in E as [-> ->]; auto.
Qed.

(** ** Certificates *)

(** All information sets are those of nodes, and each has weights. *)
Definition orderly (c : hidden_certificate) : Prop :=
  let G := the_tree c in
  well_formed G /\ all_seen G = true /\
  length (weights_A c) = length (sets_A G) /\ length (weights_B c) = length (sets_B G).

Lemma alike_equal G H l m : (forall who k, set_at G who k = set_at H who k) -> Forall2 alike l m ->
  Forall (in_game G) l -> Forall (in_game H) m -> l = m.
Proof.
  intros S. induction 1 as [|x y l m A _ IH]; intros X Y; auto. inversion_clear X as [|? ? Xx X'].
  inversion_clear Y as [|? ? Yy Y']. f_equal; auto.
  destruct x as [q|shares|who k n], y as [q'|shares'|who' k' n']; cbn in A; try easy; try now subst.
  destruct A as [-> ->]. destruct Xx as (x & X & ->), Yy as (y & Y & ->). rewrite S in X. congruence.
Qed.

Theorem write_hidden_injective c c' : orderly c -> orderly c' -> write_hidden c = write_hidden c' -> c = c'.
Proof.
  intros ((Fair & _ & _ & [UA _] & [UB _]) & Seen & WA & WB) ((Fair' & _) & _ & WA' & WB') E.
  rewrite !write_hidden_told in E. apply write_claim_code in E as (CL & CU & E).
  apply flat_map_code in E; [|apply write_told_code|apply write_told_begins].
  assert (Items := f_equal (filter is_node) E). rewrite !nodes_in_told in Items.
  assert (Named : forall who, map set_name (sets_of (the_tree c) who) = map set_name (sets_of (the_tree c') who) /\
    weights_of c who = weights_of c' who).
  { intros who. assert (W := f_equal (weights_in who) E). rewrite !weights_in_told in W.
    apply combine_injective in W; auto; rewrite map_length; now destruct who. }
  assert (Names := fun who => proj1 (Named who)).
  assert (Unlike : forall who, NoDup (map set_name (sets_of (the_tree c) who))) by now destruct who.
  assert (Sets : forall who, sets_of (the_tree c) who = sets_of (the_tree c') who).
  { intros who. now apply sets_agree. }
  assert (Roots : root (the_tree c) = root (the_tree c')).
  { assert (In := prefix_in_game _ _ Fair [] (Forall_nil _)). assert (In' := prefix_in_game _ _ Fair' [] (Forall_nil _)).
    destruct (items_agree _ _ Names Unlike _ _ _ Items In In') as [Alike _].
    apply alike_equal with (G := the_tree c) (H := the_tree c') in Alike; auto.
    - now apply (prefix_code (the_tree c) (the_tree c')) in Alike as [R _].
    - intros who k. unfold set_at. now rewrite Sets. }
  assert (SA := Sets A). assert (SB := Sets B). assert (VA := proj2 (Named A)). assert (VB := proj2 (Named B)).
  destruct c as [[sA sB T] l u wA wB], c' as [[sA' sB' T'] l' u' wA' wB']. cbn in *. congruence.
Qed.

Lemma check_weights_length sets : forall weights, check_weights sets weights = true -> length weights = length sets.
Proof.
  induction sets as [|x sets IH]; intros [|w weights] H; cbn in *; try easy. rewrite !andb_true_iff in H. f_equal. now apply IH.
Qed.

(** A file that is accepted is the written form of one certificate, and of no other. *)
Theorem verify_hidden_unique bytes c : verify_hidden bytes = Proved c ->
  orderly c /\ write_hidden c = bytes /\ forall c', orderly c' -> write_hidden c' = bytes -> c' = c.
Proof.
  intros V. assert (W := V). apply (hidden_certificate_sound Numbers.rationals) in W as (W & Well & _).
  assert (O : orderly c).
  { split; auto. unfold verify_hidden in V. destruct (stage_of _) as [|claim found|n]; try discriminate V.
    destruct (fold_left grow _ _) as [[|T [|]]|]; try discriminate V.
    match type of V with context [fault_of ?d] => set (d' := d) in V end.
    destruct (fault_of d') eqn:E; [discriminate V|].
    destruct (is_written d' bytes && all_seen (the_tree d')) eqn:S; [|discriminate V]. injection V as <-.
    apply andb_true_iff in S as [_ S]. split; auto. unfold fault_of in E. cbv zeta in E.
    apply unless_none in E as [_ E]. apply unless_none in E as [_ E]. apply unless_none in E as [_ E].
    apply unless_none in E as [_ E]. apply unless_none in E as [_ E]. apply unless_none in E as [A E].
    apply unless_none in E as [B _]. split; now apply check_weights_length. }
  split; auto. split; auto. intros c' O' E. apply write_hidden_injective; auto. congruence.
Qed.
