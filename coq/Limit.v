(** * Large accounts: one small game bounds all its multiples

    In the game [lower] B may bid 0 and hits on ties, too; in [upper] A may and does. What A secures with a and b points in
    [lower], A secures in Tennis with k a and k b points, for every k: A bids k times as much as in the small game, where B is
    taken to bid ⌊y / k⌋ instead of y. In the same way B holds A to what [upper] says. *)

From Coq Require Import ZArith NArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Game Symmetry Tennis ZeroBids Monotone.
Import ListNotations.

(** ** The two games *)

(** The result once the bids are paid and the ball has moved. *)
Definition settled (r : rules) (p : position) : result position :=
  let '(At a b y) := p in
  if (Z.of_N (field r) <? y)%Z then Ends (out_a r)
  else if (y <? - Z.of_N (field r))%Z then Ends (out_b r)
  else if (N.eqb a 0 && N.eqb b 0)%bool then Ends (payoff r (stay y))
  else Goes_on (At a b y).

Lemma after_settled r a b x i j : after_bids r (At a b x) i j = settled r (At (a - i) (b - j) (moved (motion r) x i j)).
Proof.
  unfold after_bids, next, settled. cbv zeta. destruct (_ <? _)%Z; [reflexivity|]. destruct (_ <? _)%Z; [reflexivity|].
  now destruct (_ && _)%bool.
Qed.

Definition hit_by_A m x := moved m x 1 0.
Definition hit_by_B m x := moved m x 0 1.

Definition moved_lower m x (i j : N) : Z := if N.ltb j i then hit_by_A m x else hit_by_B m x.
Definition moved_upper m x (i j : N) : Z := if N.ltb i j then hit_by_B m x else hit_by_A m x.

Definition after_lower r p i j := let '(At a b x) := p in settled r (At (a - i) (b - j) (moved_lower (motion r) x i j)).
Definition after_upper r p i j := let '(At a b x) := p in settled r (At (a - i) (b - j) (moved_upper (motion r) x i j)).

(** Two bids of 0 move the ball, too: either points are spent or it comes nearer to the end of the player who gives ties away. *)
Definition turns_lower r p := let '(At a b x) := p in
  (N.to_nat (a + b) * (2 * N.to_nat (field r) + 2) + Z.to_nat (Z.of_N (field r) + 1 + x))%nat.
Definition turns_upper r p := let '(At a b x) := p in turns_lower r (At b a (- x)).

Lemma hits m x : (hit_by_B m x < x < hit_by_A m x)%Z.
Proof.
  unfold hit_by_A, hit_by_B, moved. cbn. destruct m; [|lia]. destruct (Z.leb_spec x 0), (Z.leb_spec 0 x); lia.
Qed.

Lemma settled_inside r p p' : settled r p = Goes_on p' ->
  p' = p /\ let '(At _ _ y) := p in (- Z.of_N (field r) <= y <= Z.of_N (field r))%Z.
Proof.
  destruct p as [a b y]. simpl. destruct (Z.ltb_spec (Z.of_N (field r)) y); [easy|].
  destruct (Z.ltb_spec y (- Z.of_N (field r))); [easy|]. destruct (_ && _)%bool; [easy|]. intros [= <-]. split; [reflexivity|lia].
Qed.

Lemma turns_fall_lower r a b x a' b' y : (- Z.of_N (field r) <= y <= Z.of_N (field r))%Z -> (a' <= a)%N -> (b' <= b)%N ->
  (a' + b' < a + b)%N \/ (y < x)%Z -> (turns_lower r (At a' b' y) < turns_lower r (At a b x))%nat.
Proof.
  intros Y A B [L|L]; unfold turns_lower; set (K := (2 * N.to_nat (field r) + 2)%nat).
  - assert ((N.to_nat (a' + b') * K + K <= N.to_nat (a + b) * K)%nat).
    { replace (N.to_nat (a' + b') * K + K)%nat with (S (N.to_nat (a' + b')) * K)%nat by lia. apply Nat.mul_le_mono_r. lia. }
    lia.
  - assert ((N.to_nat (a' + b') * K <= N.to_nat (a + b) * K)%nat) by (apply Nat.mul_le_mono_r; lia). lia.
Qed.

Definition lower (r : rules) : game.
Proof.
  refine {| state := position; move := N; same_move := N.eq_dec; moves_A := bids_A; moves_B := all_bids_B;
    after := after_lower r; turns := turns_lower r |}; try (intros [a b x]; apply bids_exist || discriminate).
  intros [a b x] i j p' I J E. apply bids_spec in I. apply bids_from_0_spec in J. unfold after_lower in E. apply settled_inside in E as [-> Y].
  apply turns_fall_lower; try lia. destruct (N.eq_dec (i + j) 0) as [Z|]; [right|left; lia].
  assert (H := hits (motion r) x). unfold moved_lower. destruct (N.ltb_spec j i); lia.
Defined.

Definition upper (r : rules) : game.
Proof.
  refine {| state := position; move := N; same_move := N.eq_dec; moves_A := all_bids_A; moves_B := bids_B;
    after := after_upper r; turns := turns_upper r |}; try (intros [a b x]; apply bids_exist || discriminate).
  intros [a b x] i j p' I J E. apply bids_spec in J. apply bids_from_0_spec in I. unfold after_upper in E. apply settled_inside in E as [-> Y].
  change (turns_lower r (At (b - j) (a - i) (- moved_upper (motion r) x i j)) < turns_lower r (At b a (- x)))%nat.
  apply turns_fall_lower; try lia. destruct (N.eq_dec (i + j) 0) as [Z|]; [right|left; lia].
  assert (H := hits (motion r) x). unfold moved_upper. destruct (N.ltb_spec i j); lia.
Defined.

(** ** The simulation *)

(** A position of the large game and one of the small game: A has at least k times the points, B at most. *)
Definition copies (k : N) (p p' : position) : Prop :=
  let '(At a b x) := p in let '(At a' b' x') := p' in (k * a <= a' /\ b' <= k * b)%N /\ (x <= x')%Z.

(** A bids k times as much; with nothing left to imitate, a point. *)
Definition times (k own own' bid : N) : N := if N.eqb own 0 then N.min own' 1 else (k * bid)%N.

Lemma settled_compared r k (P : result position -> result position -> Prop) p p' : natural r -> (1 <= k)%N -> copies k p p' ->
  (forall v w, (v <= w)%Q -> P (Ends v) (Ends w)) ->
  (forall p', P (Ends (out_b r)) (Goes_on p')) ->
  (forall p, P (Goes_on p) (Ends (out_a r))) ->
  (forall a x x', a <> 0%N -> (- Z.of_N (field r) <= x')%Z -> (x <= x')%Z -> P (Ends (payoff r (stay x))) (Goes_on (At a 0 x'))) ->
  (forall b x x', (x <= Z.of_N (field r))%Z -> (x <= x')%Z -> P (Goes_on (At 0 b x)) (Ends (payoff r (stay x')))) ->
  (forall p p', copies k p p' -> P (Goes_on p) (Goes_on p')) -> P (settled r p) (settled r p').
Proof.
  intros N K C ends lost won alone_A alone_B on. destruct p as [a b x], p' as [a' b' x']. pose proof C as [[A B] X]. unfold settled.
  destruct (Z.ltb_spec (Z.of_N (field r)) x), (Z.ltb_spec (Z.of_N (field r)) x'); try lia; try (apply ends, Qle_refl).
  { destruct (Z.ltb_spec x (- Z.of_N (field r))); [now apply ends, (natural_most r Out_b)|].
    destruct (_ && _)%bool; [now apply ends, natural_most|apply won]. }
  destruct (Z.ltb_spec x (- Z.of_N (field r))), (Z.ltb_spec x' (- Z.of_N (field r))); try lia; try (apply ends, Qle_refl).
  { destruct (_ && _)%bool; [now apply ends, natural_least|apply lost]. }
  destruct (N.eqb_spec a 0) as [->|], (N.eqb_spec b 0) as [->|], (N.eqb_spec a' 0) as [->|], (N.eqb_spec b' 0) as [->|];
    cbn [andb]; try lia; try (apply on; exact C); try now apply ends, natural_stay.
  - now apply alone_A.
  - now apply alone_B.
Qed.

Section Bounds.
Variable F : ordered_field.
Open Scope field_scope.

Lemma A_forces_least G v : (forall p i j w, after G p i j = Ends w -> (v <= w)%Q) -> forall p, A_forces F G p (ratio v).
Proof.
  intros H. enough (K : forall n p, (turns G p < n)%nat -> A_forces F G p (ratio v)) by eauto.
  induction n as [|n IH]; intros p N. lia. destruct (moves_A G p) as [|i l] eqn:M. now apply moves_A_exist in M.
  apply A_secures_turn with (d := [(i, one)]) (w := fun _ _ => ratio v).
  - easy.
  - apply pure_distribution. rewrite M. now left.
  - now exists i.
  - intros k j [<-|[]] J. cbn [fst]. destruct (after G p i j) as [u|p'] eqn:E; simpl.
    { apply ratio_le. now apply (H p i j). }
    apply IH. enough (turns G p' < turns G p)%nat by lia. eapply turns_fall; eauto. rewrite M. now left.
  - intros j J. rewrite mean_pure. apply le_refl.
Qed.

Lemma A_secures_at_most G v : (forall p i j w, after G p i j = Ends w -> (w <= v)%Q) -> forall p q, A_secures F G p q -> q <= ratio v.
Proof.
  intros H. enough (K : forall n p q, (turns G p < n)%nat -> A_secures F G p q -> q <= ratio v) by eauto.
  induction n as [|n IH]; intros p q N S. lia. apply A_secures_turn_only in S as (d & w & D & _ & S & Q).
  destruct (moves_B G p) as [|j l] eqn:M. now apply moves_B_exist in M.
  apply le_trans with (1 := Q j (or_introl eq_refl)). rewrite <- (mean_const F G (moves_A G p) d (ratio v) D).
  apply mean_le with (moves_A G p); auto. intros i I. specialize (S i j I (or_introl eq_refl)).
  destruct (after G p i j) as [u|p'] eqn:E; simpl in S.
  - apply le_trans with (1 := S). apply ratio_le. now apply (H p i j).
  - apply IH with p'; auto. enough (turns G p' < turns G p)%nat by lia. eapply turns_fall; eauto. rewrite M. now left.
Qed.

Lemma settled_payoff r p w : settled r p = Ends w -> exists e, w = payoff r e.
Proof.
  destruct p as [a b y]. simpl. destruct (_ <? _)%Z; [intros [= <-]; now exists Out_a|].
  destruct (_ <? _)%Z; [intros [= <-]; now exists Out_b|]. destruct (_ && _)%bool; intros [= <-]. eauto.
Qed.

Lemma lower_least r p : natural r -> A_forces F (lower r) p (ratio (out_b r)).
Proof.
  intros N. apply A_forces_least. intros [a b x] i j w E.
  apply (settled_payoff r (At (a - i) (b - j) (moved_lower (motion r) x i j))) in E as [e ->]. now apply natural_least.
Qed.

Lemma lower_most r p q : natural r -> A_secures F (lower r) p q -> q <= ratio (out_a r).
Proof.
  intros N. apply (A_secures_at_most (lower r)). intros [a b x] i j w E.
  apply (settled_payoff r (At (a - i) (b - j) (moved_lower (motion r) x i j))) in E as [e ->]. now apply natural_most.
Qed.

(** Against an account that is empty nobody loses ground, and whose account is empty, gains none. *)
Lemma alone_lower r : natural r -> forall a x, a <> 0%N -> (- Z.of_N (field r) <= x)%Z ->
  A_forces F (lower r) (At a 0 x) (ratio (payoff r (stay x))).
Proof.
  intros N. induction a as [a IH] using (well_founded_induction N.lt_wf_0). intros x A X.
  assert (I : In 1%N (bids a)) by (apply bids_spec; lia).
  apply A_secures_turn with (d := [(1%N, one)]) (w := fun _ _ => ratio (payoff r (stay x))).
  - easy.
  - now apply pure_distribution.
  - now exists 1%N.
  - intros i j [<-|[]] [<-|[]]. cbn [fst]. change (after (lower r) (At a 0 x) 1%N (N.of_nat 0)) with
      (settled r (At (a - 1) 0 (hit_by_A (motion r) x))).
    assert (H := hits (motion r) x). set (y := hit_by_A (motion r) x) in *. unfold settled.
    destruct (Z.ltb_spec (Z.of_N (field r)) y). now apply ratio_le, natural_most.
    destruct (Z.ltb_spec y (- Z.of_N (field r))). lia.
    destruct (N.eqb_spec (a - 1) 0); cbn [andb N.eqb]. apply ratio_le, natural_stay; [easy|lia].
    simpl. apply A_secures_less with (ratio (payoff r (stay y))). apply IH; lia. apply ratio_le, natural_stay; [easy|lia].
  - intros j J. rewrite mean_pure. apply le_refl.
Qed.

Lemma helpless_lower r : natural r -> forall b x q, (x <= Z.of_N (field r))%Z ->
  A_secures F (lower r) (At 0 b x) q -> q <= ratio (payoff r (stay x)).
Proof.
  intros N b x q X S. apply A_secures_turn_only in S as (d & w & D & _ & S & Q).
  assert (J : In b (bids_from_0 b)) by (apply bids_from_0_spec; lia).
  apply le_trans with (1 := Q b J). rewrite <- (mean_const F (lower r) _ d (ratio (payoff r (stay x))) D).
  apply mean_le with (1 := D). intros i I. specialize (S i b I J). destruct I as [<-|[]].
  simpl after in S. replace (moved_lower (motion r) x 0 b) with (hit_by_B (motion r) x) in S by
    (unfold moved_lower; destruct (N.ltb_spec b 0); [lia|reflexivity]).
  assert (H := hits (motion r) x). set (y := hit_by_B (motion r) x) in *. rewrite N.sub_diag in S. unfold settled in S.
  destruct (Z.ltb_spec (Z.of_N (field r)) y). lia.
  destruct (Z.ltb_spec y (- Z.of_N (field r))); simpl in S; apply le_trans with (1 := S), ratio_le.
  now apply natural_least. apply natural_stay; [easy|lia].
Qed.

(** If A outbids B in the large game wherever it does in the lower one, the ball never lies worse. *)
Lemma lower_behind m x x' i j i' j' : (x <= x')%Z -> ((j < i)%N -> (j' < i')%N) ->
  (moved_lower m x i j <= moved_lower m x' i' j')%Z /\ (moved_lower m x i j <= moved m x' i' j')%Z.
Proof.
  intros X O. assert (H := hits m x'). assert (B := moved_further m x x' 0 0 1 1 ltac:(lia) ltac:(lia) X).
  assert (A := moved_further m x x' 1 1 0 0 ltac:(lia) ltac:(lia) X).
  fold (hit_by_A m x) (hit_by_A m x') (hit_by_B m x) (hit_by_B m x') in A, B.
  replace (moved m x' i' j') with (match N.compare i' j' with Gt => hit_by_A m x' | Eq => x' | Lt => hit_by_B m x' end)
    by (unfold hit_by_A, hit_by_B, moved; now destruct (N.compare i' j'), m).
  unfold moved_lower. destruct (N.ltb_spec j i), (N.ltb_spec j' i'), (N.compare_spec i' j'); lia.
Qed.

Lemma times_legal r k a b x a' b' x' i : (1 <= k)%N -> copies k (At a b x) (At a' b' x') -> In i (bids a) ->
  In (times k a a' i) (bids a') /\ (if N.eqb a 0 then 0 else times k a a' i / k)%N = i /\
  (k * (a - i) <= a' - times k a a' i)%N /\ forall j', (j' <= b')%N -> (b' - j' <= k * (b - j' / k))%N /\
    (moved_lower (motion r) x i (j' / k) <= moved_lower (motion r) x' (times k a a' i) j')%Z /\
    (moved_lower (motion r) x i (j' / k) <= moved (motion r) x' (times k a a' i) j')%Z.
Proof.
  intros K [[A B] X] I. apply bids_spec in I. unfold times.
  assert (P : forall j', (b' - j' <= k * (b - j' / k))%N).
  { intros j'. assert (D := N.div_mod j' k ltac:(lia)). rewrite N.mul_sub_distr_l.
    generalize dependent (k * (j' / k))%N. generalize (j' mod k)%N. intros m q D. lia. }
  destruct (N.eqb_spec a 0) as [->|Z].
  - assert (i = 0)%N as -> by lia. split; [apply bids_spec; lia|]. split; [reflexivity|].
    split; [replace (0 - 0)%N with 0%N by lia; lia|]. intros j' J. split; [apply P|]. apply lower_behind; [easy|].
    intros O. now apply N.nlt_0_r in O.
  - split; [apply bids_spec; nia|]. split; [rewrite N.mul_comm; apply N.div_mul; lia|].
    split; [rewrite N.mul_sub_distr_l; lia|]. intros j' J. split; [apply P|]. apply lower_behind; [easy|].
    intros O. assert (D := N.div_mod j' k ltac:(lia)). assert (M := N.mod_lt j' k ltac:(lia)). nia.
Qed.

(** A's security levels in the lower game hold with k times the points and more, against k times the points and fewer. *)
Theorem lower_secured r k : natural r -> (1 <= k)%N -> forall p p' q, copies k p p' ->
  A_secures F (lower r) p q -> A_secures F (tennis r) p' q.
Proof.
  intros N K p p' q. apply (A_secures_simulated F (lower r) (tennis r) (copies k)
    (fun p p' i => let '(At a _ _) := p in let '(At a' _ _) := p' in times k a a' i)
    (fun p _ i => let '(At a _ _) := p in if N.eqb a 0 then 0 else i / k)%N (fun _ _ j => j / k)%N); clear p p' q.
  - intros [a b x] [a' b' x'] i C I. destruct (times_legal r k a b x a' b' x' i K C I) as (L & E & _). auto.
  - intros [a b x] [a' b' x'] j [[A B] X] J. apply bids_spec in J. apply bids_from_0_spec.
    apply N.div_le_upper_bound; lia.
  - intros [a b x] [a' b' x'] i j C I J. apply bids_spec in J.
    destruct (times_legal r k a b x a' b' x' i K C I) as (L & _ & A & M). destruct (M j ltac:(lia)) as (B & _ & X).
    change (after (tennis r)) with (after_bids r). rewrite after_settled.
    apply (settled_compared r k (no_worse F (lower r) (tennis r) (copies k))
      (At (a - i) (b - j / k) (moved_lower (motion r) x i (j / k)))); auto.
    + simpl. repeat split; auto.
    + intros p'. apply A_secures_least. intros w W. apply payoffs_payoff in W as [e ->]. now apply natural_least.
    + intros p q. now apply lower_most.
    + intros c y y' Z Y H. simpl. apply A_secures_less with (ratio (payoff r (stay y'))). now apply alone.
      now apply ratio_le, natural_stay.
    + intros c y y' Y H q S. apply le_trans with (ratio (payoff r (stay y))). now apply helpless_lower with (2 := Y) in S.
      now apply ratio_le, natural_stay.
Qed.

(** The bound never falls when all points are multiplied. *)
Theorem lower_grows r k : natural r -> (1 <= k)%N -> forall p p' q, copies k p p' ->
  A_secures F (lower r) p q -> A_secures F (lower r) p' q.
Proof.
  intros N K p p' q. apply (A_secures_simulated F (lower r) (lower r) (copies k)
    (fun p p' i => let '(At a _ _) := p in let '(At a' _ _) := p' in times k a a' i)
    (fun p _ i => let '(At a _ _) := p in if N.eqb a 0 then 0 else i / k)%N (fun _ _ j => j / k)%N); clear p p' q.
  - intros [a b x] [a' b' x'] i C I. destruct (times_legal r k a b x a' b' x' i K C I) as (L & E & _). auto.
  - intros [a b x] [a' b' x'] j [[A B] X] J. apply bids_from_0_spec in J. apply bids_from_0_spec.
    apply N.div_le_upper_bound; lia.
  - intros [a b x] [a' b' x'] i j C I J. apply bids_from_0_spec in J.
    destruct (times_legal r k a b x a' b' x' i K C I) as (L & _ & A & M). destruct (M j J) as (B & X & _).
    apply (settled_compared r k (no_worse F (lower r) (lower r) (copies k))
      (At (a - i) (b - j / k) (moved_lower (motion r) x i (j / k)))
      (At (a' - times k a a' i) (b' - j) (moved_lower (motion r) x' (times k a a' i) j))); auto.
    + simpl. repeat split; auto.
    + intros p'. now apply lower_least.
    + intros p q. now apply lower_most.
    + intros c y y' Z Y H. simpl. apply A_secures_less with (ratio (payoff r (stay y'))). now apply alone_lower.
      now apply ratio_le, natural_stay.
    + intros c y y' Y H q S. apply le_trans with (ratio (payoff r (stay y))). now apply helpless_lower with (2 := Y) in S.
      now apply ratio_le, natural_stay.
Qed.

(** ** The upper game is the lower one's mirror image *)

Lemma settled_mirror r a b y : settled (mirrored r) (At b a (- y)) = mirror_result (negate (settled r (At a b y))).
Proof.
  unfold settled. cbn [field mirrored].
  destruct (Z.ltb_spec (Z.of_N (field r)) (- y)), (Z.ltb_spec (- y) (- Z.of_N (field r))),
    (Z.ltb_spec (Z.of_N (field r)) y), (Z.ltb_spec y (- Z.of_N (field r))); try lia; try reflexivity.
  rewrite andb_comm. destruct (_ && _)%bool; [|reflexivity]. now destruct y.
Qed.

Lemma after_lower_mirror r p i j : after_lower (mirrored r) (mirror p) j i = mirror_result (negate (after_upper r p i j)).
Proof.
  destruct p as [a b x]. unfold after_lower, after_upper, mirror. rewrite <- settled_mirror. repeat f_equal.
  unfold moved_lower, moved_upper, hit_by_A, hit_by_B. cbn [motion mirrored]. destruct (_ <? _)%N; apply moved_mirror.
Qed.

Theorem upper_mirror r p q : A_secures F (lower (mirrored r)) (mirror p) (- q) <-> B_secures F (upper r) p q.
Proof.
  unfold B_secures. rewrite B_secures_opposite. split; intros H.
  - apply (A_secures_simulated F (lower (mirrored r)) (opposite (upper r)) (fun p p' => p = mirror p')
      (fun _ _ i => i) (fun _ _ i => i) (fun _ _ i => i)) with (mirror p); auto.
    + intros p1 [a b x] i -> I. split; auto.
    + intros p1 [a b x] i -> I. auto.
    + intros p1 p2 i j -> I J. simpl. rewrite after_lower_mirror.
      destruct (negate (after_upper r p2 j i)); simpl; auto. apply Qle_refl.
  - apply (A_secures_simulated F (opposite (upper r)) (lower (mirrored r)) (fun p p' => p' = mirror p)
      (fun _ _ i => i) (fun _ _ i => i) (fun _ _ i => i)) with p; auto.
    + intros [a b x] p2 i -> I. split; auto.
    + intros [a b x] p2 i -> I. auto.
    + intros p1 p2 i j -> I J. simpl. rewrite after_lower_mirror.
      destruct (negate (after_upper r p1 j i)); simpl; auto. apply Qle_refl.
Qed.

(** A position of the large game and one of the upper game: A has at most k times the points, B at least. *)
Definition at_most_copies (k : N) (p p' : position) : Prop :=
  let '(At a b x) := p in let '(At a' b' x') := p' in (a' <= k * a /\ k * b <= b')%N /\ (x' <= x)%Z.

Theorem upper_secured r k : natural r -> (1 <= k)%N -> forall p p' q, at_most_copies k p p' ->
  B_secures F (upper r) p q -> B_secures F (tennis r) p' q.
Proof.
  intros N K p p' q C S. apply upper_mirror in S. apply B_secures_mirror. revert S. apply (lower_secured _ k); auto.
  now apply natural_mirrored. destruct p, p'. simpl in *. lia.
Qed.

Theorem upper_falls r k : natural r -> (1 <= k)%N -> forall p p' q, at_most_copies k p p' ->
  B_secures F (upper r) p q -> B_secures F (upper r) p' q.
Proof.
  intros N K p p' q C S. apply upper_mirror in S. apply upper_mirror. revert S. apply (lower_grows _ k); auto.
  now apply natural_mirrored. destruct p, p'. simpl in *. lia.
Qed.

(** The theorem: at every multiple the value lies between the two. *)
Corollary between r k a b x l v u : natural r -> (1 <= k)%N -> A_secures F (lower r) (At a b x) l ->
  B_secures F (upper r) (At a b x) u -> is_value F (tennis r) (At (k * a) (k * b) x) v -> l <= v /\ v <= u.
Proof.
  intros N K L U [A B]. split.
  - eapply secures_order; [|exact B]. eapply (lower_secured r k); eauto. simpl. lia.
  - eapply secures_order; [exact A|]. eapply (upper_secured r k); eauto. simpl. lia.
Qed.

(** All accounts of n points with k m <= n <= k (m + 1), by one point more and less. *)
Corollary between_all r k m n x l v u : natural r -> (1 <= k)%N -> (k * m <= n <= k * (m + 1))%N ->
  A_secures F (lower r) (At m (m + 1) x) l -> B_secures F (upper r) (At (m + 1) m x) u ->
  is_value F (tennis r) (At n n x) v -> l <= v /\ v <= u.
Proof.
  intros N K M L U [A B]. split.
  - eapply secures_order; [|exact B]. eapply (lower_secured r k); eauto. simpl. lia.
  - eapply secures_order; [exact A|]. eapply (upper_secured r k); eauto. simpl. lia.
Qed.
End Bounds.
