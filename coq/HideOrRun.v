(** * Hide or run, from the bytes of its certificate to a theorem

    A game without an end in sight (Everett 1957), as docs/game-format.md has it: B has one snowball. A wins if B throws while A hides,
    or waits while A runs. If B throws while A runs, A is hit, but for one time in eight, when nothing has changed. Whoever hides
    and waits for ever gets 0. The certificate is one that pencil-tennis wrote, quoted by coq/quote. *)

From Coq Require Import String ZArith NArith QArith List.
From PencilTennis Require Import Numbers AnyGame Exchanged AnyProof GameFile GameReader AnyTheorem Quoted.
Import ListNotations.

Definition hide_or_run_proof_0 : quotation := "
7b22666f726d6174223a2273746f636861737469632d67616d652d70726f6f66222c2276657273696f6e223a312c226578706f6e656e74223a36302c
22737461746573223a337d0a7b22666f726d6174223a2273746f636861737469632d67616d65222c2276657273696f6e223a312c226b696e64223a22
726563757273697665222c227374617274223a5b2273225d7d0a7b226964223a2277696e222c2276616c7565223a2231227d0a7b226964223a226869
74222c2276616c7565223a2230227d0a7b226964223a2273222c2261223a5b2268696465222c2272756e225d2c2262223a5b2277616974222c227468
726f77225d2c22656e646c657373223a2230222c2263656c6c73223a5b5b7b22746f223a5b5b2231222c2273225d5d7d2c7b22746f223a5b5b223122
2c2277696e225d5d7d5d2c5b7b22746f223a5b5b2231222c2277696e225d5d7d2c7b22746f223a5b5b22372f38222c22686974225d2c5b22312f3822
2c2273225d5d7d5d5d7d0a7b226c6f776572223a2231313532393231353034363036383436393736222c227570706572223a22313135323932313530
34363036383436393736227d0a7b226c6f776572223a2230222c227570706572223a2230227d0a7b226c6f776572223a223131353239323135303335
3331343330313330222c227570706572223a2231313532393231353034363036383436393736222c2261223a5b5b302c223436313136383630313335
3131313936363039225d2c5b312c2234393136313931323935225d5d2c2262223a5b5b302c2234363131363836303138343237333837393034225d5d
7d0a"%quoted.

Definition hide_or_run_proof : list quotation := [
  hide_or_run_proof_0].

Definition to_win : cell := {| reward := 0; successors := [(1, 0%N)]; largest := [] |}.
Definition hide_or_run : sgame := {| the_kind := Recursive; nature := None; starts := [2%N]; states := [
  (letters "win", End 1);
  (letters "hit", End 0);
  (letters "s", Turn [letters "hide"; letters "run"] [letters "wait"; letters "throw"] 0 [
    [{| reward := 0; successors := [(1, 2%N)]; largest := [] |}; to_win];
    [to_win; {| reward := 0; successors := [(7 # 8, 1%N); (1 # 8, 2%N)]; largest := [] |}]])] |}.

Definition hide_or_run_certificate : certificate := Eval vm_compute in
  match verify_game (file hide_or_run_proof) with Found c => c | _ => {| the_game := hide_or_run; exponent := 0; weight_exponent := None; the_verdict := None; lines := [] |} end.

Lemma hide_or_run_accepted : verify_game (file hide_or_run_proof) = Found hide_or_run_certificate.
Proof. vm_compute. reflexivity. Qed.

(** A wins with a probability of at least 1 - 10^-9, whatever B does; 1 is the upper limit. *)
Theorem hide_or_run_value F : well_formed hide_or_run /\
  A_secures F (rules_of hide_or_run) 2 (ratio (999999999 # 1000000000)) /\ B_secures F (rules_of hide_or_run) 2 (ratio 1).
Proof.
  destruct (certificate_sound F _ _ hide_or_run_accepted eq_refl) as (_ & W & _ & S).
  change (the_game hide_or_run_certificate) with hide_or_run in *. split; [exact W|].
  destruct (S 2%N _ eq_refl) as [SA SB]. split.
  - eapply any_secures_less; [eexists; exact SA|]. apply ratio_le. vm_compute. discriminate.
  - eexists. erewrite ratio_eq; [exact SB|]. vm_compute. reflexivity.
Qed.
