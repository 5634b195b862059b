(** * Numbers: any ordered field

    Probabilities and what is won on average are numbers of an ordered field: of the rationals, of the reals, of any other. So
    nothing that is proved depends on which probabilities players can realise. Payoffs and bounds are rational, and [ratio]
    finds them in every ordered field. *)

From Coq Require Import ZArith QArith Qcanon Field InitialRing Lia.

Declare Scope field_scope.

Record ordered_field := {
  number :> Type;
  zero : number; one : number;
  add : number -> number -> number; mul : number -> number -> number; sub : number -> number -> number;
  opp : number -> number; div : number -> number -> number; inv : number -> number;
  le : number -> number -> Prop;
  field_laws : field_theory zero one add mul sub opp div inv eq;
  le_refl : forall x, le x x;
  le_trans : forall x y z, le x y -> le y z -> le x z;
  le_antisym : forall x y, le x y -> le y x -> x = y;
  le_total : forall x y, le x y \/ le y x;
  add_le : forall x y z, le x y -> le (add z x) (add z y);
  mul_nonneg : forall x y, le zero x -> le zero y -> le zero (mul x y) }.

Arguments zero {_}. Arguments one {_}. Arguments add {_}. Arguments mul {_}. Arguments sub {_}. Arguments opp {_}.
Arguments div {_}. Arguments inv {_}. Arguments le {_}.
Notation "0" := zero : field_scope.
Notation "1" := one : field_scope.
Infix "+" := add : field_scope.
Infix "*" := mul : field_scope.
Infix "-" := sub : field_scope.
Infix "/" := div : field_scope.
Infix "<=" := le : field_scope.
Notation "- x" := (opp x) : field_scope.

Section Field.
Variable F : ordered_field.
Open Scope field_scope.
Add Field laws : (field_laws F).
Implicit Types x y z : F.

(** ** Order *)

Lemma add_comm x y : x + y = y + x. Proof. ring. Qed.

Lemma add_le_both x y z w : x <= y -> z <= w -> x + z <= y + w.
Proof.
  intros H K. apply le_trans with (y + z); [|now apply add_le].
  rewrite (add_comm x), (add_comm y). now apply add_le.
Qed.

Lemma le_difference x y : x <= y <-> 0 <= y - x.
Proof.
  split; intros H.
  - apply (add_le _ _ _ (- x)) in H. replace (- x + x) with (0 : F) in H by ring. now replace (y - x) with (- x + y) by ring.
  - apply (add_le _ _ _ x) in H. replace (x + 0) with x in H by ring. now replace (x + (y - x)) with y in H by ring.
Qed.

Lemma opp_opp x : - - x = x. Proof. ring. Qed.

Lemma opp_le x y : x <= y <-> - y <= - x.
Proof. rewrite (le_difference x y), (le_difference (- y)). now replace (- x - - y) with (y - x) by ring. Qed.

Lemma mul_le x y z : 0 <= z -> x <= y -> z * x <= z * y.
Proof.
  intros Z H. apply le_difference. replace (z * y - z * x) with (z * (y - x)) by ring.
  apply mul_nonneg; auto. now apply (proj1 (le_difference _ _)).
Qed.

Lemma zero_le_one : (0 : F) <= 1.
Proof.
  destruct (le_total F 0 1) as [H|H]; auto. apply le_difference in H.
  replace (1 : F) with ((0 - 1) * (0 - 1) : F) by ring. now apply mul_nonneg.
Qed.

Lemma one_not_zero : (1 : F) <> 0.
Proof. exact (F_1_neq_0 (field_laws F)). Qed.

Lemma inv_nonneg x : 0 <= x -> x <> 0 -> 0 <= inv x.
Proof.
  intros H N. destruct (le_total F 0 (inv x)) as [|K]; auto. exfalso. apply one_not_zero.
  apply le_antisym; [|apply zero_le_one]. apply le_difference. apply opp_le in K. apply le_difference in K.
  replace (0 - 1) with (x * (- inv x - - 0)) by now field. now apply mul_nonneg.
Qed.

(** ** Integers and fractions in the field *)

Definition integer : Z -> F := gen_phiZ 0 1 add mul opp.
Definition ratio (q : Q) : F := integer (Qnum q) / integer (Zpos (Qden q)).

Let morphism := gen_phiZ_morph (Eqsth F) (Eq_ext add mul opp) (F_R (field_laws F)).
Lemma integer_add i j : integer (i + j) = integer i + integer j. Proof. apply (morph_add morphism). Qed.
Lemma integer_mul i j : integer (i * j) = integer i * integer j. Proof. apply (morph_mul morphism). Qed.
Lemma integer_sub i j : integer (i - j) = integer i - integer j. Proof. apply (morph_sub morphism). Qed.
Lemma integer_opp i : integer (- i) = - integer i. Proof. apply (morph_opp morphism). Qed.
Lemma integer_1 : integer 1 = 1. Proof. reflexivity. Qed.

Lemma integer_nonneg i : (0 <= i)%Z -> 0 <= integer i.
Proof.
  revert i. apply natlike_ind. apply le_refl. intros i _ H. rewrite <- Z.add_1_r, integer_add, integer_1.
  replace (0 : F) with (0 + 0 : F) by ring. apply add_le_both. exact H. apply zero_le_one.
Qed.

Lemma integer_le i j : (i <= j)%Z -> integer i <= integer j.
Proof. intros H. apply le_difference. rewrite <- integer_sub. apply integer_nonneg. lia. Qed.

Lemma integer_not_0 p : integer (Zpos p) <> 0.
Proof.
  intros E. apply one_not_zero. apply le_antisym; [|apply zero_le_one].
  rewrite <- E, <- integer_1. apply integer_le. lia.
Qed.

Lemma ratio_le p q : (p <= q)%Q -> ratio p <= ratio q.
Proof.
  unfold Qle, ratio. intros H. pose proof (integer_not_0 (Qden p)). pose proof (integer_not_0 (Qden q)).
  apply le_difference.
  replace (integer (Qnum q) / integer (Zpos (Qden q)) - integer (Qnum p) / integer (Zpos (Qden p))) with
    (integer (Qnum q * Zpos (Qden p) - Qnum p * Zpos (Qden q)) * (inv (integer (Zpos (Qden p))) * inv (integer (Zpos (Qden q)))))
    by (rewrite integer_sub, !integer_mul; now field).
  repeat apply mul_nonneg; try apply inv_nonneg; auto; apply integer_nonneg; lia.
Qed.

Lemma ratio_eq p q : p == q -> ratio p = ratio q.
Proof. intros H. apply le_antisym; apply ratio_le; rewrite H; apply Qle_refl. Qed.

Lemma ratio_add p q : ratio (p + q) = ratio p + ratio q.
Proof.
  unfold ratio. cbn [Qnum Qden Qplus]. rewrite Pos2Z.inj_mul, !integer_add, !integer_mul. field. split; apply integer_not_0.
Qed.

Lemma ratio_mul p q : ratio (p * q) = ratio p * ratio q.
Proof. unfold ratio. cbn [Qnum Qden Qmult]. rewrite Pos2Z.inj_mul, !integer_mul. field. split; apply integer_not_0. Qed.

Lemma ratio_opp p : ratio (- p) = - ratio p.
Proof. unfold ratio. cbn [Qnum Qden Qopp]. rewrite integer_opp. field. apply integer_not_0. Qed.

Lemma ratio_0 : ratio 0 = 0. Proof. unfold ratio; simpl. change (0 / 1 = 0 :> F). field. apply one_not_zero. Qed.
Lemma ratio_1 : ratio 1 = 1. Proof. unfold ratio; simpl. change (1 / 1 = 1 :> F). field. apply one_not_zero. Qed.

(** Fractions are ordered in the field as they are among themselves. *)
Theorem ratio_le_iff p q : ratio p <= ratio q <-> (p <= q)%Q.
Proof.
  split; [|apply ratio_le]. intros H. apply Qnot_lt_le. intros L. apply Qlt_minus_iff in L.
  assert (E : ratio (p + - q) = 0).
  { apply le_antisym. rewrite ratio_add, ratio_opp. apply le_difference.
    replace (0 - (ratio p + - ratio q)) with (ratio q - ratio p) by ring. now apply (proj1 (le_difference _ _)).
    rewrite <- ratio_0. now apply ratio_le, Qlt_le_weak. }
  revert E L. generalize (p + - q)%Q. intros [n d]. unfold ratio, Qlt. cbn [Qnum Qden]. intros E L.
  destruct n as [|n|n]; try lia. apply (integer_not_0 n).
  replace (integer (Zpos n)) with (integer (Zpos n) / integer (Zpos d) * integer (Zpos d)) by (field; apply integer_not_0).
  rewrite E. ring.
Qed.
End Field.

Arguments ratio {F}. Arguments integer {F}.

(** ** The rationals are an ordered field *)

Definition rationals : ordered_field.
Proof.
  refine {| field_laws := Qcft; le := Qcle |}.
  - apply Qcle_refl.
  - apply Qcle_trans.
  - apply Qcle_antisym.
  - intros x y. destruct (Qclt_le_dec x y); auto using Qclt_le_weak.
  - intros x y z H. apply Qcplus_le_compat; auto using Qcle_refl.
  - intros x y H K. replace 0%Qc with (0 * y)%Qc by ring. now apply Qcmult_le_compat_r.
Defined.
