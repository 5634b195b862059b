(** * The players exchanged

    B is A in the game with the players exchanged and all payoffs with the other sign. *)

From Coq Require Import ZArith QArith Qminmax List Field Lia Lqa.
From PencilTennis Require Import Numbers AnyGame Stationary.
Import ListNotations.

Definition exchanged_turn (x : turn) : turn := {| count_A := count_B x; count_B := count_A x; endless := - endless x;
  reward_of := fun i j => (- reward_of x j i)%Q; chance := fun i j => chance x j i; at_most := fun i j => at_most x j i |}.
Definition exchanged (R : rules) : rules := {| rules_kind := rules_kind R; at_state := fun p =>
  match at_state R p with inl v => inl (- v)%Q | inr x => inr (exchanged_turn x) end |}.
Definition exchanged_history (h : history) : history := map (fun m => let '(i, j, k) := m in (j, i, k)) h.

Lemma arrived_exchanged p h : arrived p (exchanged_history h) = arrived p h.
Proof.
  unfold arrived. revert p. induction h as [|[[i j] k] h IH]; intros p; simpl; auto.
Qed.

Lemma at_exchanged R p x : at_state (exchanged R) p = inr x -> exists x', at_state R p = inr x' /\ x = exchanged_turn x'.
Proof. simpl. destruct (at_state R p) as [v|x']; intros [= <-]. now exists x'. Qed.

Lemma leads_exchanged R p h p' : leads R p h p' -> leads (exchanged R) p (exchanged_history h) p'.
Proof.
  induction 1 as [|p x i j k q h p' E I J K Q L IH]; simpl. constructor.
  apply step with (x := exchanged_turn x) (q := q); auto. simpl. now rewrite E.
Qed.

Lemma leads_back R p h p' : leads (exchanged R) p h p' -> leads R p (exchanged_history h) p'.
Proof.
  induction 1 as [|p x i j k q h p' E I J K Q L IH]; simpl. constructor.
  apply at_exchanged in E as (x' & E & ->). apply step with (x := x') (q := q); auto.
Qed.

Section Exchanged.
Open Scope field_scope.
Variables (F : ordered_field) (R : rules).
Add Field laws : (field_laws F).

Definition turned (s : strategy F) : strategy F := fun h => s (exchanged_history h).

Lemma turned_A p s : proper_A F (exchanged R) p s -> proper_B F R p (turned s).
Proof.
  intros S h p' x L E. apply (S (exchanged_history h) p' (exchanged_turn x)). now apply leads_exchanged. simpl. now rewrite E.
Qed.

Lemma turned_B p s : proper_A F R p s -> proper_B F (exchanged R) p (turned s).
Proof.
  intros S h p' x L E. apply at_exchanged in E as (x' & E & ->). apply (S (exchanged_history h) p' x'); auto.
  now apply leads_back.
Qed.

Lemma won_exchanged n : forall s t p, won F R n s (turned t) p = - won F (exchanged R) n t (turned s) p.
Proof.
  induction n as [|n IH]; intros s t p; simpl; destruct (at_state R p) as [v|x]; try (rewrite ratio_opp; ring).
  ring. rewrite mean_swap, <- mean_opp. apply mean_eq. intros j. rewrite <- mean_opp. apply mean_eq. intros i.
  simpl. rewrite ratio_opp. match goal with |- ?r + ?d * ?a = - (- ?r + ?d * ?b) => enough (a = - b) as -> by ring end.
  rewrite <- mean_opp. apply mean_eq. intros k. apply (IH (later F s i j k) (later F t j i k)).
Qed.

Lemma stayed_exchanged large n : forall s t p,
  stayed F R large n s (turned t) p = - stayed F (exchanged R) large n t (turned s) p.
Proof.
  induction n as [|n IH]; intros s t p; simpl. ring. destruct (at_state R p) as [v|x].
  rewrite ratio_opp, IH. ring.
  assert (infinite (exchanged R) large (exchanged_turn x) == - infinite R large x)%Q as I
    by (unfold infinite; simpl; destruct (rules_kind R); ring).
  rewrite (ratio_eq F _ _ I), ratio_opp.
  match goal with |- ?r + ?a = - (- ?r + ?b) => enough (a = - b) as -> by ring end.
  rewrite mean_swap, <- mean_opp. apply mean_eq. intros j. rewrite <- mean_opp. apply mean_eq. intros i. simpl.
  rewrite ratio_opp. match goal with |- ?m * ?r + ?a = - (?m * - ?r + ?b) => enough (a = - b) as -> by ring end.
  rewrite <- mean_opp. apply mean_eq. intros k. apply (IH (later F s i j k) (later F t j i k)).
Qed.

Lemma worth_exchanged large n s t p : worth F R large n s (turned t) p = - worth F (exchanged R) large n t (turned s) p.
Proof.
  unfold worth. change (rules_kind (exchanged R)) with (rules_kind R). destruct (may_last (rules_kind R)); [|apply won_exchanged].
  rewrite stayed_exchanged. field. apply (integer_not_0 F (Pos.of_succ_nat n)).
Qed.

(** With uncertain probabilities. *)
Definition exchanged_choice (w : choice F) : choice F := fun h i j => w (exchanged_history h) j i.

Lemma exchanged_nature p w : proper_nature F R p w -> proper_nature F (exchanged R) p (exchanged_choice w).
Proof.
  intros W h p' x i j L E I J. apply at_exchanged in E as (x' & E & ->).
  apply (W (exchanged_history h) p' x' j i); auto. now apply leads_back.
Qed.

Lemma won_by_exchanged n : forall s t w p, won_by F R n s (turned t) w p =
  - won_by F (exchanged R) n t (turned s) (exchanged_choice w) p.
Proof.
  induction n as [|n IH]; intros s t w p; simpl; destruct (at_state R p) as [v|x]; try (rewrite ratio_opp; ring).
  ring. rewrite mean_swap, <- mean_opp. apply mean_eq. intros j. rewrite <- mean_opp. apply mean_eq. intros i.
  simpl. rewrite ratio_opp. match goal with |- ?r + ?d * ?a = - (- ?r + ?d * ?b) => enough (a = - b) as -> by ring end.
  rewrite <- mean_opp. apply mean_eq. intros k. apply (IH (later F s i j k) (later F t j i k) (chosen_later F w i j k)).
Qed.

Lemma stayed_by_exchanged large n : forall s t w p, stayed_by F R large n s (turned t) w p =
  - stayed_by F (exchanged R) large n t (turned s) (exchanged_choice w) p.
Proof.
  induction n as [|n IH]; intros s t w p; simpl. ring. destruct (at_state R p) as [v|x].
  rewrite ratio_opp, IH. ring.
  assert (infinite (exchanged R) large (exchanged_turn x) == - infinite R large x)%Q as I
    by (unfold infinite; simpl; destruct (rules_kind R); ring).
  rewrite (ratio_eq F _ _ I), ratio_opp.
  match goal with |- ?r + ?a = - (- ?r + ?b) => enough (a = - b) as -> by ring end.
  rewrite mean_swap, <- mean_opp. apply mean_eq. intros j. rewrite <- mean_opp. apply mean_eq. intros i. simpl.
  rewrite ratio_opp. match goal with |- ?m * ?r + ?a = - (?m * - ?r + ?b) => enough (a = - b) as -> by ring end.
  rewrite <- mean_opp. apply mean_eq. intros k. apply (IH (later F s i j k) (later F t j i k) (chosen_later F w i j k)).
Qed.

Lemma worth_by_exchanged large n s t w p : worth_by F R large n s (turned t) w p =
  - worth_by F (exchanged R) large n t (turned s) (exchanged_choice w) p.
Proof.
  unfold worth_by. change (rules_kind (exchanged R)) with (rules_kind R).
  destruct (may_last (rules_kind R)); [|apply won_by_exchanged].
  rewrite stayed_by_exchanged. field. apply (integer_not_0 F (Pos.of_succ_nat n)).
Qed.

Theorem B_secures_by_exchanged (W W' : choice F -> Prop) s p (q : F) : (forall w, W w -> W' (exchanged_choice w)) ->
  A_secures_by F (exchanged R) W' s p (- q) -> B_secures_by F R W (turned s) p q.
Proof.
  intros C (S & least & H). split. now apply turned_A. exists least. intros large e L E.
  destruct (H large e L E) as [m M]. exists m. intros n t w N T V. rewrite worth_by_exchanged. apply (proj2 (opp_le F _ _)).
  replace (- (q + ratio e)) with (- q - ratio e) by ring. rewrite opp_opp. apply M; auto. now apply turned_B.
Qed.

Theorem B_secures_exchanged s p (q : F) : A_secures_with F (exchanged R) s p (- q) ->
  B_secures_with F R (turned s) p q.
Proof.
  intros (S & least & H). split. now apply turned_A. exists least. intros large e L E.
  destruct (H large e L E) as [m M]. exists m. intros n t N T. rewrite worth_exchanged. apply (proj2 (opp_le F _ _)).
  replace (- (q + ratio e)) with (- q - ratio e) by ring. rewrite opp_opp. apply M; auto. now apply turned_B.
Qed.

Lemma any_secures_less p (q r : F) : A_secures F R p q -> r <= q -> A_secures F R p r.
Proof.
  intros (s & S & least & H) L. exists s. split; auto. exists least. intros large e G E. destruct (H large e G E) as [m M].
  exists m. intros n t N T.
  apply le_trans with (q - ratio e); auto. replace (q - ratio e) with (- ratio e + q) by ring.
  replace (r - ratio e) with (- ratio e + r) by ring. now apply add_le.
Qed.

(** A secures at most as much as B concedes. *)
Theorem any_secures_order p (q r : Q) : A_secures F R p (ratio q) -> B_secures F R p (ratio r) -> (q <= r)%Q.
Proof.
  intros (s & S & g & H) (t & T & g' & K). apply Qnot_lt_le. intros L. set (e := ((q - r) * (1 # 3))%Q).
  assert (0 < e)%Q as E by (unfold e; apply Qmult_lt_0_compat; [now apply -> Qlt_minus_iff|reflexivity]).
  assert (g <= Qmax g g' /\ g' <= Qmax g g')%Q as [G G'] by (split; [apply Q.le_max_l|apply Q.le_max_r]).
  destruct (H _ e G E) as [m M], (K _ e G' E) as [m' M']. specialize (M (max m m') t ltac:(lia) T).
  specialize (M' (max m m') s ltac:(lia) S).
  pose proof (le_trans _ _ _ _ M M') as C.
  replace (ratio q - ratio e) with (ratio (q + - e) : F) in C by (rewrite ratio_add, ratio_opp; ring).
  rewrite <- ratio_add in C. apply ratio_le_iff in C. unfold e in *. clear - E C.
  assert (q + - ((q - r) * (1 # 3)) == r + ((q - r) * (1 # 3)) + (q - r) * (1 # 3))%Q as X by field.
  rewrite X in C. rewrite <- (Qplus_0_r (r + (q - r) * (1 # 3))) in C at 2. apply Qplus_le_r in C. apply (Qlt_not_le _ _ E C).
Qed.

(** Where nature chooses for B, A secures whatever nature does at most as much as B concedes together with nature; where it chooses
    for A the other way round. *)
Theorem uncertain_order p (q r : Q) :
  (exists s t w, A_secures_whatever F R s p (ratio q) /\ B_secures_together F R t w p (ratio r)) \/
  (exists s t w, A_secures_together F R s w p (ratio q) /\ B_secures_whatever F R t p (ratio r)) -> (q <= r)%Q.
Proof.
  intros H. assert (exists s t w (V W : choice F -> Prop), V w /\ W w /\ A_secures_by F R V s p (ratio q) /\ B_secures_by F R W t p (ratio r))
    as (s & t & w & V & W & Vw & Ww & (S & g & H1) & (T & g' & K)).
  { destruct H as [(s & t & w & S & N & T)|(s & t & w & (N & S) & T)]; exists s, t, w.
    - exists (proper_nature F R p), (eq w). auto.
    - exists (eq w), (proper_nature F R p). auto. }
  apply Qnot_lt_le. intros L. set (e := ((q - r) * (1 # 3))%Q).
  assert (0 < e)%Q as E by (unfold e; apply Qmult_lt_0_compat; [now apply -> Qlt_minus_iff|reflexivity]).
  assert (g <= Qmax g g' /\ g' <= Qmax g g')%Q as [G G'] by (split; [apply Q.le_max_l|apply Q.le_max_r]).
  destruct (H1 _ e G E) as [m M], (K _ e G' E) as [m' M']. specialize (M (max m m') t w ltac:(lia) T Vw).
  specialize (M' (max m m') s w ltac:(lia) S Ww).
  pose proof (le_trans _ _ _ _ M M') as C.
  replace (ratio q - ratio e) with (ratio (q + - e) : F) in C by (rewrite ratio_add, ratio_opp; ring).
  rewrite <- ratio_add in C. apply ratio_le_iff in C. unfold e in *. lra.
Qed.
End Exchanged.
