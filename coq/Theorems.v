(** * Theorems about Tennis, by computation

    In all of them probabilities may come from any ordered field [F]. *)

From Coq Require Import ZArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Game Check Tennis Table Sums Columns Sides Header Certificate Pure Enclosures Multiples Quoted Tennis12 Favouring8.
Import ListNotations.

(** ** The smallest states *)

Definition game_two_one : game := tennis two_one.

(** The payoffs that either player forces, of all positions with up to 7 points together, at most 4 for one player. *)
Definition small_positions : list position :=
  filter (fun p => let '(At a b _) := p in (a + b <=? 7)%N) (positions two_one 4 4).

(** Who can force a win, or a draw: with 3 points at most, as the lost sentence says it. *)
Definition sentence (p : position) : bool :=
  let '(At a b x) := p in
  let '(A, B) := (A_can_force game_two_one p, B_can_force game_two_one p) in
  if (x =? 0)%Z then
    match (a ?= b)%N with Gt => Qle_bool 1 A | Lt => Qle_bool B (-1) | Eq => Qle_bool 0 A && Qle_bool B 0 end
  else Qle_bool 1 A || Qle_bool B (-1).

Lemma sentence_computed : forallb sentence (positions two_one 3 3) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma sentence_true p : within two_one 3 3 p -> sentence p = true.
Proof. intros W. exact (proj1 (forallb_forall _ _) sentence_computed p (positions_spec two_one 3 3 p W)). Qed.

Definition decided (p : position) : bool := Qeq_bool (A_can_force game_two_one p) (B_can_force game_two_one p).
Definition smallest_undecided (p : position) : bool :=
  match p with At 4 3 (-2) | At 3 4 2 => true | _ => false end.

Lemma decided_computed : forallb (fun p => decided p || smallest_undecided p) small_positions = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma decided_true p : In p small_positions -> (decided p || smallest_undecided p)%bool = true.
Proof. exact (proj1 (forallb_forall _ _) decided_computed p). Qed.

(** The weights of a position in a certificate. *)
Definition weights_at (bytes : list N) (p : position) : option (weights N * weights N) :=
  match verify bytes with
  | Accepted x =>
      let m := strategies_in (about x) (content_of bytes) in Some (weights_A x m p, weights_B x m p)
  | Refused _ => None
  end.

Lemma published_weights F bytes p l k : weights_at bytes p = Some (l, k) ->
  exists x, verify bytes = Accepted x /\
    let m := strategies_in (about x) (content_of bytes) in
    published_A F x m p [] = mixture_of F l /\ published_B F x m p [] = mixture_of F k.
Proof.
  unfold weights_at. destruct (verify bytes) as [x|]; [|discriminate]. intros H. exists x. split; auto.
  cbv zeta in *. apply (f_equal (fun o => match o with Some lk => lk | None => ([], []) end)) in H.
  pose proof (f_equal fst H) as L. pose proof (f_equal snd H) as K. cbn [fst snd] in L, K.
  rewrite <- L, <- K. split; reflexivity.
Qed.

Definition A_at_smallest : weights N := [(2, 1844674407370955162%Z); (3, 2767011611056432742%Z)]%N.
Definition B_at_smallest : weights N := [(1, 2767011611056432742%Z); (3, 1844674407370955162%Z)]%N.

Lemma weights_computed : weights_at (file tennis_12) (At 4 3 (-2)) = Some (A_at_smallest, B_at_smallest).
Proof. vm_cast_no_check (eq_refl (Some (A_at_smallest, B_at_smallest))). Qed.

Lemma eight_computed : bounds_multiples (file favouring_8) two_one
  [(At 8 8 2, (1004952116862942443, 2305843009213693952))%Z;
   (At 7 8 2, (30446183509536416, 2305843009213693952))%Z] = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Section Theorems.
Variable F : ordered_field.
Notation A_forces := (A_forces F game_two_one).
Notation B_forces := (B_forces F game_two_one).
Notation A_secures := (A_secures F game_two_one).
Notation B_secures := (B_secures F game_two_one).
Notation is_value := (is_value F game_two_one).

Lemma A_forces_by p q : Qle_bool q (A_can_force game_two_one p) = true -> A_forces p (ratio q).
Proof. intros H. apply A_forces_iff, ratio_le, Qle_bool_iff, H. Qed.

Lemma B_forces_by p q : Qle_bool (B_can_force game_two_one p) q = true -> B_forces p (ratio q).
Proof. intros H. apply B_forces_iff, ratio_le, Qle_bool_iff, H. Qed.

(** The encyclopedia's lost sentence: "If neither player has more than 3 points and the ball does not lie on the net, one of the
    players can always force the win." *)
Theorem one_player_forces_the_win a b x : (a <= 3)%N -> (b <= 3)%N -> (Z.abs x <= 2)%Z -> x <> 0%Z ->
  A_forces (At a b x) (ratio 1) \/ B_forces (At a b x) (ratio (-1)).
Proof.
  intros A B X N. pose proof (sentence_true (At a b x) (conj A (conj B X))) as H. unfold sentence in H.
  destruct (Z.eqb_spec x 0); [easy|]. apply orb_true_iff in H as [H|H].
  left; now apply A_forces_by. right; now apply B_forces_by.
Qed.

(** With the ball on the net the player with more points forces the win, and equal accounts force the draw. *)
Theorem on_the_net a b : (a <= 3)%N -> (b <= 3)%N ->
  match (a ?= b)%N with
  | Gt => A_forces (At a b 0) (ratio 1)
  | Lt => B_forces (At a b 0) (ratio (-1))
  | Eq => A_forces (At a b 0) (ratio 0) /\ B_forces (At a b 0) (ratio 0)
  end.
Proof.
  intros A B. assert (W : within two_one 3 3 (At a b 0)) by (simpl; lia). pose proof (sentence_true _ W) as H.
  clear W. unfold sentence in H. rewrite Z.eqb_refl in H. destruct (a ?= b)%N.
  - apply andb_true_iff in H as [H K]. split; [now apply A_forces_by|now apply B_forces_by].
  - now apply B_forces_by.
  - now apply A_forces_by.
Qed.

(** Up to 7 points together, at most 4 for one player, pure play of both secures one number, except for 4:3@-2 and its mirror
    image 3:4@2. *)
Theorem smallest_states_are_decided a b x : (a <= 4)%N -> (b <= 4)%N -> (a + b <= 7)%N -> (Z.abs x <= 2)%Z ->
  At a b x <> At 4 3 (-2) -> At a b x <> At 3 4 2 -> exists v : Q, A_forces (At a b x) (ratio v) /\ B_forces (At a b x) (ratio v).
Proof.
  intros A B S X N1 N2.
  assert (I : In (At a b x) small_positions).
  { apply filter_In. split; [apply positions_spec; exact (conj A (conj B X))|now apply N.leb_le]. }
  apply decided_true, orb_true_iff in I as [D|D].
  - unfold decided in D. exists (A_can_force game_two_one (At a b x)). split.
    + apply A_forces_by, Qle_bool_iff, Qle_refl.
    + apply B_forces_by, Qle_bool_iff. rewrite <- (Qeq_bool_eq _ _ D). apply Qle_refl.
  - exfalso. unfold smallest_undecided in D. repeat match type of D with
      | match ?y with _ => _ end = true => destruct y; try discriminate D end; congruence.
Qed.

(** At 4:3@-2 A forces -1 and no more, B forces 1 and no less. *)
Theorem smallest_undecided_state (q : F) :
  (A_forces (At 4 3 (-2)) q <-> le q (ratio (-1))) /\ (B_forces (At 4 3 (-2)) q <-> le (ratio 1) q).
Proof.
  rewrite (A_forces_iff F game_two_one), (B_forces_iff F game_two_one).
  assert (A : A_can_force game_two_one (At 4 3 (-2)) == -1) by (apply Qeq_bool_eq; vm_cast_no_check (eq_refl true)).
  assert (B : B_can_force game_two_one (At 4 3 (-2)) == 1) by (apply Qeq_bool_eq; vm_cast_no_check (eq_refl true)).
  rewrite (ratio_eq F _ _ A), (ratio_eq F _ _ B). split; reflexivity.
Qed.

(** ** 4:3@-2 is worth -1/5

    A certificate written by hand: where pure play decides, the best single bids; at 4:3@-2 itself A bids 2 and 3 with
    probabilities 2/5 and 3/5, B 1 and 3 with 3/5 and 2/5. *)

Definition best (l : list N) (f : N -> Z) : N :=
  fold_left (fun i j => if (f i <? f j)%Z then j else i) l (hd 0%N l).
Definition pure_entry (e : worths) (m : table) (p : position) : entry :=
  let '(At a b _) := p in
  let next i j := bounds_after two_one e m p i j in
  (p, ([(best (bids a) (fun i => least (bids b) (fun j => fst (next i j))), 1%Z)],
       [(best (bids b) (fun j => least (bids a) (fun i => - snd (next i j)))%Z, 1%Z)])).
Definition by_hand : table :=
  let e := worths_of 5 two_one in
  let decided := fold_left (fun m p => enter two_one e false m (pure_entry e m p)) (positions two_one 4 3) Nothing in
  enter two_one e false decided (At 4 3 (-2), ([(2%N, 2%Z); (3%N, 3%Z)], [(1%N, 3%Z); (3%N, 2%Z)])).

Theorem article_state : is_value (At 4 3 (-2)) (ratio (-1 # 5)).
Proof.
  assert (T : true_table F two_one 5 by_hand).
  { apply enter_true; [easy|]. apply fold_left_keeps; [|apply empty_true]. intros m p M. now apply enter_true. }
  apply (T (At 4 3 (-2)) (-1, -1)%Z). vm_cast_no_check (eq_refl (Some (-1, -1)%Z)).
Qed.

(** ** The 12-point game: all 845 positions are enclosed to within 4 units of 2^-60; 12:12@-1 is worth -0.857850... *)

Theorem twelve_points : enclosed F 12 12 4 /\ between F (At 12 12 (-1)) (-989034116375945428) (-989034116375945425).
Proof. apply (enclosed_by F (file tennis_12)). vm_cast_no_check (eq_refl true). Qed.

(** ** Large accounts, by the game of 8 points that favours A

    However large equal accounts are, A secures something if the ball lies on B's last field: 0.8716 with a multiple of 8 points
    each, and 0.0264 with any number from 42 on. *)

Theorem multiples_of_eight k : (1 <= k)%N -> A_secures (At (8 * k) (8 * k) 2) (ratio (8716 # 10000)).
Proof.
  intros K. destruct (bounds_multiples_sound F _ _ _ eight_computed (At 8 8 2) _ _ (or_introl eq_refl)) as [A _].
  apply A_secures_less with (ratio (1004952116862942443 # unit two_one)). { apply (A k); auto. cbn [Limit.copies]. lia. }
  apply ratio_le, Qle_bool_iff. reflexivity.
Qed.

Theorem from_42_points n : (42 <= n)%N -> A_secures (At n n 2) (ratio (264 # 10000)).
Proof.
  intros N. destruct (between_multiples 7 n) as (k & K & L); try lia.
  destruct (bounds_multiples_sound F _ _ _ eight_computed (At 7 8 2) _ _ (or_intror (or_introl eq_refl))) as [A _].
  apply A_secures_less with (ratio (30446183509536416 # unit two_one)). { apply (A k); auto. cbn [Limit.copies]. lia. }
  apply ratio_le, Qle_bool_iff. reflexivity.
Qed.

(** The strategies that the theorems about certificates speak of have the weights that the file has.
    At 4:3@-2 this file has the weights of 2/5 and 3/5, in units of 2^-62. *)
Theorem twelve_published : exists x, verify (file tennis_12) = Accepted x /\
  let m := strategies_in (about x) (content_of (file tennis_12)) in
  let p := At 4 3 (-2) in
  published_A F x m p [] = [(2%N, ratio (1844674407370955162 # 4611686018427387904));
    (3%N, ratio (2767011611056432742 # 4611686018427387904))] /\
  published_B F x m p [] = [(1%N, ratio (2767011611056432742 # 4611686018427387904));
    (3%N, ratio (1844674407370955162 # 4611686018427387904))].
Proof.
  destruct (published_weights F _ _ _ _ weights_computed) as (x & V & A & B). exists x.
  split; [exact V|]. split; [exact A|exact B].
Qed.
End Theorems.
