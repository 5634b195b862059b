(** * From a file to a theorem: certificates of any game *)

From Coq Require Import ZArith NArith QArith List.
From PencilTennis Require Import Numbers AnyGame AnyProof GameFile GameReader.

(** If [verify_game] accepts the bytes of a file, then the bytes are the written form of the game
    and of its lines, no other game has these lines, and the strategies of the lines secure the
    bounds of every state against every strategy of the other player. *)
Theorem certificate_sound F bytes c : verify_game bytes = Found c ->
  bytes = write_certificate c /\
  (forall H, well_named H -> write_game H = write_game (the_game c) -> H = the_game c) /\
  well_formed (the_game c) /\ length (lines c) = length (states (the_game c)) /\
  forall p y, nth_error (lines c) (N.to_nat p) = Some y ->
    A_secures_with F (rules_of (the_game c)) (published F c of_A p) p (ratio (lower y # unit c)) /\
    B_secures_with F (rules_of (the_game c)) (published F c of_B p) p (ratio (upper y # unit c)).
Proof.
  intros V. apply verify_game_spec in V as [R C]. destruct (read_spec bytes c R) as [W N]. split; auto. split. intros H NH E. now apply write_injective.
  now apply check_sound.
Qed.
