(** * What a certificate proves of all positions at once *)

From Coq Require Import ZArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Game Check Tennis Table Header Certificate.
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

Lemma from_to_spec first last n : (first <= n <= last)%N -> In n (from_to first last).
Proof.
  unfold from_to. intros H. assert (K : (first <= n < first + N.of_nat (N.to_nat (last + 1 - first)))%N) by lia.
  revert K. clear H. generalize (N.to_nat (last + 1 - first)). intros count. revert first.
  induction count as [|count IH]; intros first K. lia. simpl. destruct (N.eq_dec first n); auto. right. apply IH. lia.
Qed.

Lemma positions_spec r a b p : within r a b p -> In p (positions r a b).
Proof.
  destruct p as [a' b' x]. simpl. intros (A & B & X). unfold positions. apply in_flat_map. exists a'. split.
  apply from_to_spec; lia. apply in_flat_map. exists b'. split. apply from_to_spec; lia. apply in_map.
  apply in_map_iff. exists (Z.to_N (x + Z.of_N (field r))). split. lia. apply from_to_spec; lia.
Qed.

(** Whether a certificate is accepted, is about these rules, proves bounds no wider than so many units everywhere, and exactly
    these bounds of some positions. *)
Definition encloses (bytes : list N) (r : rules) (a b : N) (width : Z) (some : list (position * bounds)) : bool :=
  match verify bytes with
  | Accepted x => same_rules (the_rules (about x)) r &&
      forallb (fun p => let '(lower, upper) := bounds_at x p in (upper - lower <=? width)%Z) (positions r a b) &&
      forallb (fun pv => let '(p, (lower, upper)) := pv in let '(l, u) := bounds_at x p in (lower =? l)%Z && (u =? upper)%Z) some
  | Refused _ => false
  end.

Theorem encloses_sound F bytes r a b width some : encloses bytes r a b width some = true ->
  (forall p, within r a b p -> exists lower upper, (upper - lower <= width)%Z /\
    A_secures F (tennis r) p (ratio (lower # unit r)) /\ B_secures F (tennis r) p (ratio (upper # unit r))) /\
  (forall p lower upper, In (p, (lower, upper)) some ->
    A_secures F (tennis r) p (ratio (lower # unit r)) /\ B_secures F (tennis r) p (ratio (upper # unit r))).
Proof.
  unfold encloses. destruct (verify bytes) as [x|] eqn:V; [|easy]. rewrite !andb_true_iff, !forallb_forall. intros [[R H] K].
  apply same_rules_eq in R. subst r. apply verify_sound with (F := F) in V as (_ & _ & _ & V). split.
  - intros p P. specialize (H p (positions_spec _ a b p P)). destruct (bounds_at x p) as [lower upper] eqn:E.
    exists lower, upper. split. now apply Z.leb_le. now apply V.
  - intros p lower upper I. specialize (K _ I). simpl in K. destruct (bounds_at x p) as [l u] eqn:E.
    rewrite andb_true_iff, !Z.eqb_eq in K. destruct K as [-> ->]. now apply V.
Qed.

(** All positions with up to [a] and [b] points, by two-one scoring, are enclosed to within so many units of 2^-60. *)
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
