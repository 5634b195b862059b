(** * Bounds of all positions from one certificate *)

From Coq Require Import ZArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Game Check Tennis Table Columns Favoured Header Certificate.
Import ListNotations.

(** Tennis as it is played: a field of five, over the net, 2 for out and 1 for lying on the other side. *)
Definition two_one : rules :=
  {| field := 2; motion := Net; out_a := 2; stay_a := 1; draw := 0; stay_b := -1; out_b := -2 |}.

Definition same_rules (r s : rules) : bool :=
  N.eqb (field r) (field s) && match motion r, motion s with Net, Net => true | Step, Step => true | _, _ => false end
  && same_fraction (out_a r) (out_a s) && same_fraction (stay_a r) (stay_a s) && same_fraction (draw r) (draw s)
  && same_fraction (stay_b r) (stay_b s) && same_fraction (out_b r) (out_b s).

Lemma same_rules_eq r s : same_rules r s = true -> r = s.
Proof.
  unfold same_rules. rewrite !andb_true_iff, N.eqb_eq. intros [[[[[[A M] B] C] D] E] G].
  apply same_fraction_eq in B, C, D, E, G. destruct r, s; simpl in *. subst. f_equal. destruct motion, motion0; easy.
Qed.

(** All positions with up to that many points. *)
Definition positions (r : rules) (a b : N) : list position :=
  flat_map (fun a => flat_map (fun b => map (At a b) (balls r)) (from_to 0 b)) (from_to 0 a).

Definition within (r : rules) (a b : N) (p : position) : Prop :=
  let '(At a' b' x) := p in (a' <= a)%N /\ (b' <= b)%N /\ (Z.abs x <= Z.of_N (field r))%Z.

Lemma positions_spec r a b p : within r a b p -> In p (positions r a b).
Proof.
  destruct p as [a' b' x]. simpl. intros (A & B & X). unfold positions. apply in_flat_map. exists a'. split.
  apply from_to_spec; lia. apply in_flat_map. exists b'. split. apply from_to_spec; lia. apply in_map.
  apply in_map_iff. exists (Z.to_N (x + Z.of_N (field r))). split. lia. apply from_to_spec; lia.
Qed.

(** Whether a certificate is accepted, is about these rules, a smallest bid of 1, and these points, proves bounds no wider than so
    many units everywhere, and exactly these bounds of some positions. *)
Definition encloses (bytes : list N) (r : rules) (a b : N) (width : Z) (some : list (position * bounds)) : bool :=
  match verify bytes with
  | Accepted x => same_rules (the_rules (about x)) r && (match the_variant (about x) with Plain => true | _ => false end) &&
      (N.eqb (most_a (about x)) a && N.eqb (most_b (about x)) b) &&
      forallb (fun pv => let '(_, (lower, upper)) := pv in (upper - lower <=? width)%Z) (proved x) &&
      forallb (fun pv => let '(p, (lower, upper)) := pv in existsb (fun qv => let '(q, (l, u)) := qv in
        same_position p q && (lower =? l)%Z && (u =? upper)%Z) (proved x)) some
  | Refused _ => false
  end.

Lemma same_position_eq p q : same_position p q = true -> p = q.
Proof. destruct p, q. simpl. rewrite !andb_true_iff, !same_N_eq, Z.eqb_eq. now intros [[-> ->] ->]. Qed.

Theorem encloses_sound F bytes r a b width some : encloses bytes r a b width some = true ->
  (forall p, within r a b p -> exists lower upper, (upper - lower <= width)%Z /\
    A_secures F (tennis r) p (ratio (lower # unit r)) /\ B_secures F (tennis r) p (ratio (upper # unit r))) /\
  (forall p lower upper, In (p, (lower, upper)) some ->
    A_secures F (tennis r) p (ratio (lower # unit r)) /\ B_secures F (tennis r) p (ratio (upper # unit r))).
Proof.
  unfold encloses. destruct (verify bytes) as [x|] eqn:V; [|easy]. rewrite !andb_true_iff, !forallb_forall, !N.eqb_eq.
  intros [[[[R Z] [A B]] H] K]. apply same_rules_eq in R. subst r a b.
  destruct (the_variant (about x)) eqn:V0; try discriminate Z. clear Z. rename V0 into Z.
  pose proof (verify_with_sound F crc32 bytes x V) as (_ & _ & _ & P & _).
  assert (S : forall p lower upper, In (p, (lower, upper)) (proved x) ->
    A_secures F (tennis (the_rules (about x))) p (ratio (lower # unit_of x)) /\
    B_secures F (tennis (the_rules (about x))) p (ratio (upper # unit_of x))).
  { intros p lower upper I. destruct (verify_sound F bytes x V Z p lower upper I) as [SA SB].
    split; [exact (A_secures_some _ _ _ _ _ SA)|exact (B_secures_some _ _ _ _ _ SB)]. }
  split.
  - intros [a b z] W. apply (proj2 (positions_of_all (about x) a b z)) in W. rewrite <- P in W.
    apply in_map_iff in W as ([q [lower upper]] & <- & I).
    exists lower, upper. split. specialize (H _ I). now apply Z.leb_le. now apply S.
  - intros p lower upper I. specialize (K _ I). cbn in K. apply existsb_exists in K as ([q [l u]] & J & E).
    rewrite !andb_true_iff, !Z.eqb_eq in E. destruct E as [[E ->] ->]. apply same_position_eq in E. subst q. now apply S.
Qed.

(** All positions with up to [a] and [b] points, by two-one scoring, are enclosed to within [width] units of 2^-60. *)
Definition enclosed (F : ordered_field) (a b : N) (width : Z) : Prop :=
  forall a' b' x, (a' <= a)%N -> (b' <= b)%N -> (Z.abs x <= 2)%Z -> exists lower upper : Z, (upper - lower <= width)%Z /\
    A_secures F (tennis two_one) (At a' b' x) (ratio (lower # 2 ^ 60)) /\
    B_secures F (tennis two_one) (At a' b' x) (ratio (upper # 2 ^ 60)).

(** A position is worth something from [lower] to [upper] units of 2^-60. *)
Definition between (F : ordered_field) (p : position) (lower upper : Z) : Prop :=
  A_secures F (tennis two_one) p (ratio (lower # 2 ^ 60)) /\ B_secures F (tennis two_one) p (ratio (upper # 2 ^ 60)).

Lemma unit_two_one : unit two_one = (2 ^ 60)%positive.
Proof. reflexivity. Qed.

Theorem enclosed_by F bytes a b width p lower upper : encloses bytes two_one a b width [(p, (lower, upper))] = true ->
  enclosed F a b width /\ between F p lower upper.
Proof.
  intros H. apply encloses_sound with (F := F) in H as [H K]. rewrite unit_two_one in *. split.
  - intros a' b' x A B X. exact (H (At a' b' x) (conj A (conj B X))).
  - apply K. now left.
Qed.
