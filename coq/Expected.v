(** * From a file to the expected payoff of plays

    The theorems about certificates, said of the expected payoffs of plays, finite or infinite;
    numbers are Coq's reals. *)

From Coq Require Import ZArith QArith Rbase Rfunctions Rseries SeqProp List Arith Lia Lra.
From PencilTennis Require Import Numbers Game Endless Tennis ZeroBids Header Certificate RealNumbers
  Convergence.
From PencilTennis Require InfiniteTennis AnyGame GameReader AnyTheorem InfinitePlays.
Local Open Scope R_scope.

(** ** Tennis with bids of 0 *)

Section Tennis.
Import InfiniteTennis.
Variable r : rules.
Let G := endless_tennis r.

(** The expectation of the payoff of the end, or of the position in which play stays for ever. *)
Definition expected_payoff (s t : Game.strategy reals G) (p : position) (e : R) : Prop :=
  Convergence.expectation (moves G) (next G) (pair_at G s t p) (settled G p) e.
End Tennis.

Theorem verify_expected bytes x : verify bytes = Accepted x -> the_variant (about x) = Favoured.Zeros ->
  forall p lower upper, In (p, (lower, upper)) (proved x) ->
  let r := the_rules (about x) in
  let m := strategies_in (about x) (content_of bytes) in
  (forall t, Endless.proper_B reals (endless_tennis r) p t ->
    exists e, expected_payoff r (published_A reals x m p) t p e /\
    Un_cv (fun n => average reals (endless_tennis r) n (published_A reals x m p) t p) e /\
      (ratio (lower # unit_of x) : reals) <= e) /\
  (forall s, Endless.proper_A reals (endless_tennis r) p s ->
    exists e, expected_payoff r s (published_B reals x m p) p e /\
    Un_cv (fun n => average reals (endless_tennis r) n s (published_B reals x m p) p) e /\
      e <= (ratio (upper # unit_of x) : reals)).
Proof.
  intros V Z p lower upper I r m. destruct (verify_sound_endless reals bytes x V Z p lower upper I)
    as [HA HB]. split.
  - intros t T. destruct (InfiniteTennis.tennis_averages r _ t p (proj1 HA) T) as (e & E & C).
    exists e. split; [exact E|]. split; [exact C|].
    exact (InfiniteTennis.tennis_A_secures_expected r _ p _ HA t e T E).
  - intros s S. destruct (InfiniteTennis.tennis_averages r s _ p S (proj1 HB)) as (e & E & C).
    exists e. split; [exact E|]. split; [exact C|].
    exact (InfiniteTennis.tennis_B_secures_expected r _ p _ HB s e S E).
Qed.

(** ** Any game *)

Import AnyGame InfinitePlays.

(** The expected discounted sum. *)
Definition expected_sum (G : sgame) (s t : strategy reals) (p : N) (e : R) : Prop :=
  Convergence.expectation (moves (rules_of G)) (next (rules_of G))
    {| by_A := s; by_B := t; place := p |} (discounted_sum G p) e.

(** The expectation of the end's value, or of the payoff of infinite plays. *)
Definition expected_end (G : sgame) (large : Q) (s t : strategy reals) (p : N) (e : R) : Prop :=
  Convergence.expectation (moves (rules_of G)) (next (rules_of G))
    {| by_A := s; by_B := t; place := p |} (settled G p large) e.

(** The expectation of all rewards: the limit of the expectations of the first n turns' rewards. *)
Definition expected_rewards (G : sgame) (s t : strategy reals) (p : N) (v : R) : Prop :=
  Un_cv (rewards G s t p) v.

Section Certificate.
Variables (bytes : list N) (c : certificate).
Hypothesis accepted : GameReader.verify_game bytes = GameReader.Found c.
Let G := the_game c.
Hypothesis certain : nature G = None.

Lemma is_state_of p y : nth_error (lines c) (N.to_nat p) = Some y -> is_state G p.
Proof.
  intros Y. destruct (AnyTheorem.certificate_sound reals bytes c accepted certain) as (_ & _ & L & _).
  unfold is_state, G. rewrite <- L.
  apply nth_error_Some. now rewrite Y.
Qed.

Theorem discounted_certificate discount : the_kind G = Discounted discount ->
  forall p y, nth_error (lines c) (N.to_nat p) = Some y ->
  (forall t, proper_B reals (rules_of G) p t -> exists e, expected_sum G (published reals c of_A p)
    t p e /\
    (ratio (lower y # unit c) : reals) <= e) /\
  (forall s, proper_A reals (rules_of G) p s ->
    exists e, expected_sum G s (published reals c of_B p) p e /\
    e <= (ratio (upper y # unit c) : reals)).
Proof.
  intros K p y Y. destruct (AnyTheorem.certificate_sound reals bytes c accepted certain)
    as (_ & W & _ & S). destruct (S p y Y) as [HA HB].
  pose proof (is_state_of p y Y) as P. split.
  - intros t T. destruct (discounted_expected G W discount K _ t p P (proj1 HA) T)
      as (_ & e & E & _). exists e. split; [exact E|].
    exact (discounted_secured_A G W discount K _ p _ P HA t e T E).
  - intros s SA. destruct (discounted_expected G W discount K s _ p P SA (proj1 HB))
      as (_ & e & E & _). exists e. split; [exact E|].
    exact (discounted_secured_B G W discount K _ p _ P HB s e SA E).
Qed.

(** Where play may be infinite: rewards and end together, for all large enough payoffs of infinite
    plays in games of kind target. A's expected rewards may be infinite where that is good for the
    player who uses the file. *)
Theorem lasting_certificate : may_last (the_kind G) = true ->
  forall p y, nth_error (lines c) (N.to_nat p) = Some y ->
  exists least, forall large, (least <= large)%Q ->
  (forall t, proper_B reals (rules_of G) p t -> let s := published reals c of_A p in
    exists e, expected_end G large s t p e /\
      ((exists v, expected_rewards G s t p v /\ (ratio (lower y # unit c) : reals) <= v + e) \/
        cv_infty (rewards G s t p))) /\
  (forall s, proper_A reals (rules_of G) p s -> let t := published reals c of_B p in
    exists e, expected_end G large s t p e /\
      ((exists v, expected_rewards G s t p v /\ v + e <= (ratio (upper y # unit c) : reals)) \/
        cv_infty (fun n => - rewards G s t p n))).
Proof.
  intros K p y Y. destruct (AnyTheorem.certificate_sound reals bytes c accepted certain)
    as (_ & W & _ & S). destruct (S p y Y) as [HA HB].
  pose proof (is_state_of p y Y) as P.
  assert (One : one_sign (rules_of G)).
  { destruct W as [_ Of]. unfold of_its_kind in Of. fold G in Of.
    replace (rules_kind (rules_of G)) with (the_kind G) in Of by reflexivity.
    destruct (the_kind G); try discriminate K; [left|apply Of|apply Of]. destruct Of as [Z _].
    intros q x i j E I J.
    rewrite (Z q x i j E I J). apply Qle_refl. }
  destruct (A_secures_expected G W _ p _ K P HA) as [a A].
  destruct (B_secures_expected G W _ p _ K P HB) as [b B].
  exists (Qminmax.Qmax a b). intros large L.
  assert (La : (a <= large)%Q) by (apply Qle_trans with (2 := L), Qminmax.Q.le_max_l).
  assert (Lb : (b <= large)%Q) by (apply Qle_trans with (2 := L), Qminmax.Q.le_max_r). split.
  - intros t T s. destruct (settled_expected G W s t p P (proj1 HA) T large K) as (_ & e & E & _).
    exists e. split; [exact E|].
    destruct (rewards_limit G W s t p P (proj1 HA) T One) as [[v V]|[I|I]]; auto.
    + left. exists v. split; [exact V|]. exact (A large t v e La T V E).
    + now destruct (A_secures_no_loss G W s t p _ K One P HA T).
  - intros s SA t. destruct (settled_expected G W s t p P SA (proj1 HB) large K) as (_ & e & E & _).
    exists e. split; [exact E|].
    destruct (rewards_limit G W s t p P SA (proj1 HB) One) as [[v V]|[I|I]]; auto.
    + left. exists v. split; [exact V|]. exact (B large s v e Lb SA V E).
    + now destruct (B_secures_no_loss G W s t p _ K One P HB SA).
Qed.
End Certificate.
