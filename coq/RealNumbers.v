(** * The reals are an ordered field

    Coq's reals rest on three axioms of Coq's library: a property of natural numbers that can be
    decided for each of them holds for all or fails for one ([sig_forall_dec]); a statement is
    refuted, or its refutation is ([sig_not_dec]); functions with equal values are equal. These
    axioms show in what is said of this field, and nowhere else. *)

From Coq Require Import Rbase Lra ZArith QArith.
From PencilTennis Require Import Numbers.

Definition reals : ordered_field.
Proof.
  refine {| number := R; zero := 0%R; one := 1%R; add := Rplus; mul := Rmult; sub := Rminus;
    opp := Ropp; div := Rdiv; inv := Rinv;
    le := Rle |}.
  - exact Rfield.
  - exact Rle_refl.
  - exact Rle_trans.
  - exact Rle_antisym.
  - intros x y. destruct (Rle_or_lt x y); [left|right]; lra.
  - intros x y z H. lra.
  - exact Rmult_le_pos.
Defined.

(** Integers and fractions are those of Coq's reals. *)
Lemma integer_IZR z : integer z = IZR z :> reals.
Proof.
  destruct z as [|p|p]; [reflexivity| |].
  - assert (H : forall n, integer (Z.of_nat n) = IZR (Z.of_nat n) :> reals).
    { induction n as [|n IH]; [reflexivity|].
      rewrite Nat2Z.inj_succ, <- Z.add_1_r, integer_add, plus_IZR, IH. reflexivity. }
    specialize (H (Pos.to_nat p)). now rewrite positive_nat_Z in H.
  - assert (H : forall n, integer (Z.of_nat n) = IZR (Z.of_nat n) :> reals).
    { induction n as [|n IH]; [reflexivity|].
      rewrite Nat2Z.inj_succ, <- Z.add_1_r, integer_add, plus_IZR, IH. reflexivity. }
    specialize (H (Pos.to_nat p)). rewrite positive_nat_Z in H. change (Zneg p) with (- Zpos p)%Z.
    now rewrite integer_opp, opp_IZR, H.
Qed.

Lemma ratio_IZR q : ratio q = (IZR (Qnum q) / IZR (Zpos (Qden q)))%R :> reals.
Proof. unfold ratio. now rewrite !integer_IZR. Qed.

Lemma ratio_positive q : (0 < q)%Q -> (0 < (ratio q : reals))%R.
Proof.
  intros H. rewrite ratio_IZR. apply Rdiv_lt_0_compat; apply IZR_lt; [|reflexivity].
  unfold Qlt in H. simpl in H.
  now rewrite Z.mul_1_r in H.
Qed.

(** Every real above 0 exceeds a fraction above 0. *)
Lemma fraction_below (e : R) : (0 < e)%R -> exists q, (0 < q)%Q /\ ((ratio q : reals) < e)%R.
Proof.
  intros H. destruct (archimed (/ e)) as [A _].
  assert (P : (0 < / e)%R) by now apply Rinv_0_lt_compat.
  assert (Z : (0 < up (/ e))%Z) by (apply lt_IZR; lra). destruct (up (/ e)) as [|p|p] eqn:U;
    try easy.
  exists (1 # p)%Q. split; [reflexivity|]. rewrite ratio_IZR. cbn [Qnum Qden]. unfold Rdiv.
  rewrite Rmult_1_l, <- (Rinv_inv e).
  apply Rinv_lt_contravar; auto. apply Rmult_lt_0_compat; lra.
Qed.
