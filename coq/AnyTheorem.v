(** * From a file to a theorem: certificates of any game *)

From Coq Require Import ZArith NArith QArith List.
From PencilTennis Require Import Numbers AnyGame AnyProof GameFile GameReader.

(** If [verify_game] accepts the bytes of a file, then the bytes are the written form of the game and of its lines, and no other
    game has these lines. *)
Definition written_alone (bytes : text) (c : certificate) : Prop :=
  bytes = write_certificate c /\ forall H, well_named H -> write_game H = write_game (the_game c) -> H = the_game c.

Lemma certificate_written bytes c : verify_game bytes = Found c -> written_alone bytes c /\ check c = true.
Proof.
  intros V. apply verify_game_spec in V as [R C]. destruct (read_spec bytes c R) as [W N]. repeat split; auto.
  intros H NH E. now apply write_injective.
Qed.

(** The strategies of the lines secure the bounds of every state against every strategy of the other player. *)
Theorem certificate_sound F bytes c : verify_game bytes = Found c -> nature (the_game c) = None ->
  written_alone bytes c /\ well_formed (the_game c) /\ length (lines c) = length (states (the_game c)) /\
  forall p y, nth_error (lines c) (N.to_nat p) = Some y ->
    A_secures_with F (rules_of (the_game c)) (published F c of_A p) p (ratio (lower y # unit c)) /\
    B_secures_with F (rules_of (the_game c)) (published F c of_B p) p (ratio (upper y # unit c)).
Proof.
  intros V N. apply certificate_written in V as [W C]. destruct (check_sound F c C) as (_ & Form & L & S).
  split; [|split; [|split]]; auto. intros p y Y. specialize (S p y Y). unfold A_gets, B_gets in S. now rewrite N in S.
Qed.

(** With uncertain probabilities that nature chooses for B: A's strategy secures the lower bound against every strategy of B and
    every nature, however they depend on the past; B's secures the upper bound together with some nature, which chooses by the state
    and the actions alone. *)
Theorem uncertain_certificate_for_B F bytes c : verify_game bytes = Found c -> nature (the_game c) = Some B ->
  written_alone bytes c /\ uncertainly_formed (the_game c) /\ length (lines c) = length (states (the_game c)) /\
  forall p y, nth_error (lines c) (N.to_nat p) = Some y ->
    A_secures_whatever F (rules_of (the_game c)) (published F c of_A p) p (ratio (lower y # unit c)) /\
    exists w, B_secures_together F (rules_of (the_game c)) (published F c of_B p) (fun h => w (arrived p h)) p (ratio (upper y # unit c)).
Proof.
  intros V N. apply certificate_written in V as [W C]. destruct (check_sound F c C) as (Form & _ & L & S).
  split; [|split; [|split]]; auto. intros p y Y. specialize (S p y Y). unfold A_gets, B_gets in S. now rewrite N in S.
Qed.

(** The same where nature chooses for A. *)
Theorem uncertain_certificate_for_A F bytes c : verify_game bytes = Found c -> nature (the_game c) = Some A ->
  written_alone bytes c /\ uncertainly_formed (the_game c) /\ length (lines c) = length (states (the_game c)) /\
  forall p y, nth_error (lines c) (N.to_nat p) = Some y ->
    (exists w, A_secures_together F (rules_of (the_game c)) (published F c of_A p) (fun h => w (arrived p h)) p (ratio (lower y # unit c))) /\
    B_secures_whatever F (rules_of (the_game c)) (published F c of_B p) p (ratio (upper y # unit c)).
Proof.
  intros V N. apply certificate_written in V as [W C]. destruct (check_sound F c C) as (Form & _ & L & S).
  split; [|split; [|split]]; auto. intros p y Y. specialize (S p y Y). unfold A_gets, B_gets in S. now rewrite N in S.
Qed.

(** A verdict in a certificate is true. *)
Theorem certified_verdict F bytes c v : verify_game bytes = Found c -> the_verdict c = Some v ->
  if is_kept v then forall p, In p (starts (the_game c)) -> verdict_means F c v p
  else exists p, In p (starts (the_game c)) /\ verdict_means F c v p.
Proof. intros V. apply certificate_written in V as [_ C]. now apply verdict_sound. Qed.
