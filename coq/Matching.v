(** * Matching, from the bytes of its certificate to a theorem

    A game of kind target: each turn both players choose a side. The first time they choose alike play ends; before, each turn pays A
    1, so that infinite play pays infinitely much. The certificate is one that pencil-tennis wrote, quoted by coq/quote. *)

From Coq Require Import String ZArith NArith QArith List.
From PencilTennis Require Import Numbers AnyGame Exchanged AnyProof GameFile GameReader AnyTheorem Quoted.
Import ListNotations.

Definition matching_proof_0 : quotation := "
7b22666f726d6174223a2273746f636861737469632d67616d652d70726f6f66222c2276657273696f6e223a312c226578706f6e656e74223a35392c
22737461746573223a327d0a7b22666f726d6174223a2273746f636861737469632d67616d65222c2276657273696f6e223a312c226b696e64223a22
746172676574222c227374617274223a5b2273225d7d0a7b226964223a22656e64222c2276616c7565223a2230227d0a7b226964223a2273222c2261
223a5b226c656674222c227269676874225d2c2262223a5b226c656674222c227269676874225d2c2263656c6c73223a5b5b7b22746f223a5b5b2231
222c22656e64225d5d7d2c7b22726577617264223a2231222c22746f223a5b5b2231222c2273225d5d7d5d2c5b7b22726577617264223a2231222c22
746f223a5b5b2231222c2273225d5d7d2c7b22746f223a5b5b2231222c22656e64225d5d7d5d5d7d0a7b226c6f776572223a2230222c227570706572
223a2230227d0a7b226c6f776572223a22353736343630373532333033343233343830222c227570706572223a223537363436303735323330333432
33343838222c2261223a5b5b302c2232333035383433303039323133363933393532225d2c5b312c2232333035383433303039323133363933393532
225d5d2c2262223a5b5b302c2232333035383433303039323133363933393532225d2c5b312c2232333035383433303039323133363933393532225d
5d7d0a"%quoted.

Definition matching_proof : list quotation := [
  matching_proof_0].

Definition ends_now : cell := {| reward := 0; successors := [(1, 0%N)]; largest := [] |}.
Definition goes_on : cell := {| reward := 1; successors := [(1, 1%N)]; largest := [] |}.
Definition sides : list name := [letters "left"; letters "right"].
Definition matching : sgame := {| the_kind := Target; nature := None; starts := [1%N]; states := [
  (letters "end", End 0); (letters "s", Turn sides sides 0 [[ends_now; goes_on]; [goes_on; ends_now]])] |}.

Definition matching_certificate : certificate := Eval vm_compute in
  match verify_game (file matching_proof) with
  | Found c => c | _ => {| the_game := matching; exponent := 0; weight_exponent := None; the_verdict := None; lines := [] |} end.

Lemma matching_accepted : verify_game (file matching_proof) = Found matching_certificate.
Proof. vm_compute. reflexivity. Qed.

(** A wins 1 on average, up to 10^-16; and no more against a B who need not stop play, but does. *)
Theorem matching_value F : well_formed matching /\
  A_secures F (rules_of matching) 1 (ratio (1 - (1 # 10000000000000000))) /\ B_secures F (rules_of matching) 1 (ratio 1).
Proof.
  destruct (certificate_sound F _ _ matching_accepted eq_refl) as (_ & W & _ & S).
  change (the_game matching_certificate) with matching in *. split; [exact W|].
  destruct (S 1%N _ eq_refl) as [SA SB]. split.
  - eapply any_secures_less; [eexists; exact SA|]. apply ratio_le. vm_compute. discriminate.
  - eexists. erewrite ratio_eq; [exact SB|]. vm_compute. reflexivity.
Qed.

(** The strategies that the theorem speaks of have the weights that the file has: both players choose
    each side with probability 2305843009213693952 / 2^62, a half, at first and after a turn that
    did not end play. *)
Definition even F : mixture F := [(0%nat, ratio (1 # 2)); (1%nat, ratio (1 # 2))].
Definition nothing_yet : history := [].
Definition one_turn_later : history := [(0%nat, 1%nat, 1%N)].

Theorem matching_published F :
  published F matching_certificate of_A 1 nothing_yet =
    [(0%nat, ratio (2305843009213693952 # 4611686018427387904));
     (1%nat, ratio (2305843009213693952 # 4611686018427387904))] /\
  published F matching_certificate of_A 1 nothing_yet = even F /\
  published F matching_certificate of_A 1 one_turn_later = even F /\
  published F matching_certificate of_B 1 nothing_yet = even F /\
  published F matching_certificate of_B 1 one_turn_later = even F.
Proof.
  assert (ratio (2305843009213693952 # 4611686018427387904) = ratio (1 # 2) :> F) as Half
    by now apply ratio_eq.
  unfold even. rewrite <- Half. repeat split; reflexivity.
Qed.
