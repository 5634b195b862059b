(** * A robot and nature, from the bytes of its certificate to a theorem

    The example of docs/game-format.md: told to go, a robot arrives with a probability between 7/10 and 9/10, is delayed with one
    between 1/20 and 1/4, and is else lost. The certificate is one that pencil-tennis wrote, quoted by coq/quote. *)

From Coq Require Import String ZArith NArith QArith List.
From PencilTennis Require Import Numbers AnyGame AnyProof GameFile GameReader AnyTheorem Quoted.
Import ListNotations.

Definition robot_proof_0 : quotation := "
7b22666f726d6174223a2273746f636861737469632d67616d652d70726f6f66222c2276657273696f6e223a312c226578706f6e656e74223a36302c
22737461746573223a337d0a7b22666f726d6174223a2273746f636861737469632d67616d65222c2276657273696f6e223a312c226b696e64223a22
73746f7070696e67222c226e6174757265223a2242222c227374617274223a5b2273225d7d0a7b226964223a2273222c2261223a5b22676f225d2c22
62223a5b222d225d2c2263656c6c73223a5b5b7b22746f223a5b5b225b372f31302c392f31305d222c227468657265225d2c5b225b312f32302c312f
345d222c2273225d2c5b22312f3230222c226c6f7374225d5d7d5d5d7d0a7b226964223a227468657265222c2276616c7565223a2231227d0a7b2269
64223a226c6f7374222c2276616c7565223a2230227d0a7b226c6f776572223a2231303736303630303730393636333930353130222c227570706572
223a2231303736303630303730393636333930353133222c2261223a5b5b302c2234363131363836303138343237333837393034225d5d2c2262223a
5b5b302c2234363131363836303138343237333837393034225d5d7d0a7b226c6f776572223a2231313532393231353034363036383436393736222c
227570706572223a2231313532393231353034363036383436393736227d0a7b226c6f776572223a2230222c227570706572223a2230227d0a"%quoted.

Definition robot_proof : list quotation := [
  robot_proof_0].

Definition going : cell := {| reward := 0; successors := [(7 # 10, 1%N); (1 # 20, 0%N); (1 # 20, 2%N)];
  largest := [Some (9 # 10); Some (1 # 4); None] |}.
Definition robot : sgame := {| the_kind := Stopping; nature := Some B; starts := [0%N]; states := [
  (letters "s", Turn [letters "go"] [letters "-"] 0 [[going]]); (letters "there", End 1); (letters "lost", End 0)] |}.

Definition robot_certificate : certificate := Eval vm_compute in
  match verify_game (file robot_proof) with
  | Found c => c
  | _ => {| the_game := robot; exponent := 0; weight_exponent := None; the_verdict := None; lines := [] |}
  end.

Lemma robot_accepted : verify_game (file robot_proof) = Found robot_certificate.
Proof. vm_compute. reflexivity. Qed.

(** Whatever nature does, and however it remembers, the robot arrives with a probability of 14/15, up to 10^-17; and some nature
    lets it arrive with no more. *)
Theorem robot_value F : uncertainly_formed robot /\
  (exists s, A_secures_whatever F (rules_of robot) s 0 (ratio ((14 # 15) - (1 # 100000000000000000)))) /\
  exists t w, B_secures_together F (rules_of robot) t w 0 (ratio ((14 # 15) + (1 # 100000000000000000))).
Proof.
  destruct (uncertain_certificate_for_B F _ _ robot_accepted eq_refl) as (_ & W & _ & _).
  change (the_game robot_certificate) with robot in W. split; [exact W|].
  destruct (certificate_written _ _ robot_accepted) as [_ C].
  destruct (check_sound F _ C) as (_ & _ & _ & S). destruct (S 0%N _ eq_refl) as [SA SB]. split.
  - eexists. refine (A_gets_less F robot_certificate 0 _ _ _ SA). vm_compute. discriminate.
  - assert (K : B_gets F robot_certificate 0 (ratio ((14 # 15) + (1 # 100000000000000000)))).
    { refine (B_gets_more F robot_certificate 0 _ _ _ SB). vm_compute. discriminate. }
    destruct K as (w & K). eexists. eexists. exact K.
Qed.
