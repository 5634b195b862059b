(** * Tables of bounds of positions

    Positions are checked one after the other, in any order; a missing entry counts as the extreme payoff. *)

From Coq Require Import ZArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Game Symmetry Check Tennis.
Import ListNotations.

(** ** Maps from positive numbers, by their binary digits *)

Inductive map_to (V : Type) := Nothing | Node (even : map_to V) (here : option V) (odd : map_to V).
Arguments Nothing {_}. Arguments Node {_}.

Fixpoint find {V} (k : positive) (m : map_to V) {struct m} : option V :=
  match m with
  | Nothing => None
  | Node even here odd => match k with xH => here | xO k => find k even | xI k => find k odd end
  end.

Fixpoint add {V} (k : positive) (v : V) (m : map_to V) : map_to V :=
  let '(even, here, odd) := match m with Nothing => (Nothing, None, Nothing) | Node even here odd => (even, here, odd) end in
  match k with
  | xH => Node even (Some v) odd
  | xO k => Node (add k v even) here odd
  | xI k => Node even here (add k v odd)
  end.

(** ** The table: maps of maps of maps *)

Definition table := map_to (map_to (map_to bounds)).
Definition ball_key (x : Z) : positive := match x with Z0 => 1 | Zpos p => p~0 | Zneg p => p~1 end%positive.
Definition inner {V} (m : option (map_to V)) : map_to V := match m with Some m => m | None => Nothing end.

Definition get (m : table) (p : position) : option bounds :=
  let '(At a b x) := p in
  match find (N.succ_pos a) m with
  | None => None
  | Some m1 => match find (N.succ_pos b) m1 with None => None | Some m2 => find (ball_key x) m2 end
  end.

Definition put (p : position) (v : bounds) (m : table) : table :=
  let '(At a b x) := p in
  let m1 := inner (find (N.succ_pos a) m) in
  let m2 := inner (find (N.succ_pos b) m1) in
  add (N.succ_pos a) (add (N.succ_pos b) (add (ball_key x) v m2) m1) m.

(** ** The bounds of a position *)

(** The payoffs of the five ends, in units: rounded down, and up. *)
Definition rounded (unit : positive) (v : Q) : bounds :=
  (Qnum v * Zpos unit / Zpos (Qden v), - (- Qnum v * Zpos unit / Zpos (Qden v)))%Z.

Record worths := { worth_out_a : bounds; worth_stay_a : bounds; worth_draw : bounds; worth_stay_b : bounds; worth_out_b : bounds;
  worst : bounds }.
Definition worths_of (unit : positive) (r : rules) : worths :=
  let of e := rounded unit (payoff r e) in
  let extreme choose side := choose (choose (choose (choose (side (of Out_a)) (side (of Stay_a))) (side (of Draw)))
    (side (of Stay_b))) (side (of Out_b)) in
  {| worth_out_a := of Out_a; worth_stay_a := of Stay_a; worth_draw := of Draw; worth_stay_b := of Stay_b;
     worth_out_b := of Out_b; worst := (extreme Z.min fst, extreme Z.max snd) |}.
Definition worth (e : worths) (o : ending) : bounds :=
  match o with Out_a => worth_out_a e | Stay_a => worth_stay_a e | Draw => worth_draw e | Stay_b => worth_stay_b e
  | Out_b => worth_out_b e end.

Definition look (e : worths) (m : table) (p : position) : bounds := match get m p with Some v => v | None => worst e end.
Definition bounds_after (r : rules) (e : worths) (m : table) (p : position) (i j : N) : bounds :=
  match next r p i j with inl o => worth e o | inr p' => look e m p' end.

Definition legal (points i : N) : bool := if N.eqb points 0 then N.eqb i 0 else (N.leb 1 i && N.leb i points)%bool.

(** An entry of a certificate: a position and the weights of both players' bids. *)
Definition entry : Type := position * (weights N * weights N).

Definition bounds_of (r : rules) (e : worths) (m : table) (x : entry) : bounds :=
  let '(At a b ball, (la, lb)) := x in
  check_state (legal a) (legal b) (bids a) (bids b) (worst e) (bounds_after r e m (At a b ball)) la lb.

Definition mirrored_bounds (v : bounds) : bounds := (- snd v, - fst v)%Z.

(** One more entry; [both] says that its mirror image gets bounds as well. *)
Definition enter (r : rules) (e : worths) (both : bool) (m : table) (x : entry) : table :=
  let v := bounds_of r e m x in
  put (fst x) v (if both then put (mirror (fst x)) (mirrored_bounds v) m else m).

(** A whole certificate without mirror images. *)
Definition check (r : rules) (unit : positive) (l : list entry) : table :=
  let e := worths_of unit r in fold_left (enter r e false) l Nothing.

(** ** Reading inverts writing *)

Lemma ball_key_injective x y : ball_key x = ball_key y -> x = y.
Proof. destruct x, y; simpl; congruence. Qed.

Lemma succ_pos_injective a b : N.succ_pos a = N.succ_pos b -> a = b.
Proof. intros E. apply (f_equal Pos.pred_N) in E. now rewrite !N.pos_pred_succ in E. Qed.

Lemma find_add {V} k k' (v : V) m : find k (add k' v m) = if Pos.eqb k k' then Some v else find k m.
Proof.
  revert k m. induction k' as [k' IH|k' IH|]; intros [k|k|] [|even here odd]; simpl; rewrite ?IH; auto;
    now destruct (Pos.eqb _ _).
Qed.

Lemma find_inner {V} k (m : option (map_to V)) : find k (inner m) = match m with Some m => find k m | None => None end.
Proof. now destruct m. Qed.

Lemma get_put p v m q w : get (put p v m) q = Some w -> p = q /\ v = w \/ get m q = Some w.
Proof.
  destruct p as [a b x], q as [a' b' x']. unfold get, put. rewrite find_add.
  destruct (Pos.eqb_spec (N.succ_pos a') (N.succ_pos a)) as [E|]; [|auto].
  apply succ_pos_injective in E. subst a'. rewrite find_add.
  destruct (Pos.eqb_spec (N.succ_pos b') (N.succ_pos b)) as [E|].
  2: { rewrite find_inner. destruct (find (N.succ_pos a) m); auto. }
  apply succ_pos_injective in E. subst b'. rewrite find_add, !find_inner.
  destruct (Pos.eqb_spec (ball_key x') (ball_key x)) as [E|].
  - apply ball_key_injective in E. subst x'. intros [= <-]. auto.
  - destruct (find (N.succ_pos a) m); auto.
Qed.

(** ** Soundness *)

Section Soundness.
Variables (F : ordered_field) (r : rules) (unit : positive).
Let e := worths_of unit r.
Notation true_bounds := (true_bounds F unit (tennis r)).

Definition true_table (m : table) : Prop := forall p v, get m p = Some v -> true_bounds p v.

Lemma empty_true : true_table Nothing.
Proof. intros [a b x] v H. discriminate H. Qed.

Lemma put_true p v m : true_table m -> true_bounds p v -> true_table (put p v m).
Proof. intros M V q w H. apply get_put in H as [[<- <-]|H]; auto. Qed.

Lemma rounded_true v : (fst (rounded unit v) # unit <= v <= snd (rounded unit v) # unit)%Q.
Proof.
  destruct v as [n d]. unfold rounded, Qle. cbn [fst snd Qnum Qden].
  pose proof (Z.mul_div_le (n * Zpos unit) (Zpos d) eq_refl). pose proof (Z.mul_div_le (- n * Zpos unit) (Zpos d) eq_refl). lia.
Qed.

Lemma worth_rounded o : worth e o = rounded unit (payoff r o).
Proof. now destruct o. Qed.

Lemma worst_true p : true_bounds p (worst e).
Proof.
  assert (H : forall w, In w (payoffs r) -> (fst (worst e) # unit <= w <= snd (worst e) # unit)%Q).
  { assert (K : forall o,
      (fst (worst e) <= fst (rounded unit (payoff r o)) /\ snd (rounded unit (payoff r o)) <= snd (worst e))%Z).
    { unfold e, worths_of, worst. cbv zeta. cbn [fst snd]. destruct o; lia. }
    assert (L : forall o, (fst (worst e) # unit <= payoff r o <= snd (worst e) # unit)%Q).
    { intros o. specialize (K o). pose proof (rounded_true (payoff r o)) as [H1 H2].
      split; [eapply Qle_trans, H1|eapply Qle_trans; [apply H2|]]; unfold Qle; cbn [Qnum Qden]; nia. }
    unfold payoffs. simpl. intros w [<-|[<-|[<-|[<-|[<-|[]]]]]];
      [apply (L Out_a)|apply (L Stay_a)|apply (L Draw)|apply (L Stay_b)|apply (L Out_b)]. }
  split; [apply forces_secures_A, A_secures_least|apply B_secures_most]; intros w W; apply H; auto.
Qed.

Lemma look_true m p : true_table m -> true_bounds p (look e m p).
Proof. intros M. unfold look. destruct (get m p) eqn:G; auto. apply worst_true. Qed.

Lemma legal_spec points i : legal points i = true -> In i (bids points).
Proof.
  unfold legal. rewrite bids_spec. destruct (N.eqb_spec points 0). rewrite N.eqb_eq; lia.
  rewrite andb_true_iff, !N.leb_le. lia.
Qed.

Lemma bounds_of_true m x : true_table m -> true_bounds (fst x) (bounds_of r e m x).
Proof.
  destruct x as [[a b ball] [la lb]]. intros M.
  apply (check_state_sound F unit (tennis r) (At a b ball)); try apply legal_spec. apply worst_true.
  intros i j _ _. simpl. unfold after_bids, bounds_after. destruct (next r (At a b ball) i j) as [o|p]; simpl.
  rewrite worth_rounded. apply rounded_true. now apply look_true.
Qed.

Lemma enter_true both m x : (both = true -> mirrored r = r) -> true_table m -> true_table (enter r e both m x).
Proof.
  intros B M. pose proof (bounds_of_true m x M) as V. unfold enter. apply put_true; auto. destruct both; auto.
  apply put_true; auto. destruct V as [VA VB]. split; cbn [fst snd mirrored_bounds]; change (- ?z # unit)%Q with (- (z # unit))%Q;
    rewrite ratio_opp.
  - apply B_secures_mirror in VB. now rewrite (B eq_refl) in VB.
  - apply A_secures_mirror in VA. now rewrite (B eq_refl) in VA.
Qed.

(** For all entries, in any order. *)
Theorem check_true l : true_table (check r unit l).
Proof.
  unfold check. fold e. assert (E : true_table Nothing) by apply empty_true. revert E.
  generalize (@Nothing (map_to (map_to bounds))).
  induction l as [|x l IH]; simpl; intros m M; auto. apply IH. now apply enter_true.
Qed.

Theorem check_sound l p lower upper : get (check r unit l) p = Some (lower, upper) ->
  A_secures F (tennis r) p (ratio (lower # unit)) /\ B_secures F (tennis r) p (ratio (upper # unit)).
Proof. intros H. now apply (check_true l p (lower, upper)). Qed.
End Soundness.
