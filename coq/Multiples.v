(** * Certificates of the favoured games bound Tennis at all multiples

    A certificate with A as the favourite proves upper bounds of Tennis, one with B as the favourite lower bounds. The bounds of a
    position hold at all multiples of its points. With antisymmetric payoffs the first certificate proves both. *)

From Coq Require Import ZArith NArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Game Symmetry Check Tennis Monotone Limit Favoured Table Header Certificate Enclosures.
Import ListNotations.

(** ** The computation *)

Inductive limit_complaint := Not_favouring_A | Not_favouring_B | Not_natural | Other_rules | Asymmetric.
Inductive limit_verdict := Limits (l : list (position * bounds)) | No_limit (c : limit_complaint).

Definition favours (w : favourite) (x : proof) : bool :=
  match the_variant (about x), w with Favours For_A, For_A => true | Favours For_B, For_B => true | _, _ => false end.

Definition is_natural (r : rules) : bool :=
  (Qle_bool (out_b r) (stay_b r) && Qle_bool (stay_b r) (draw r) && Qle_bool (draw r) (stay_a r) &&
   Qle_bool (stay_a r) (out_a r))%bool.

Definition table_of (l : list (position * bounds)) : table := fold_left (fun m pv => put (fst pv) (snd pv) m) l Nothing.

(** The positions of [x] that have points and, by [lower], a lower bound; the last one first. *)
Definition join (lower : position -> option Z) (rows : list (position * bounds)) (pv : position * bounds) :
    list (position * bounds) :=
  let '(p, (_, u)) := pv in
  if is_spent p then rows else match lower p with Some l => (p, (l, u)) :: rows | None => rows end.
Definition joined (lower : position -> option Z) (x : proof) : list (position * bounds) :=
  fold_left (join lower) (proved x) [].

(** Bounds at all multiples, in the unit of [x]: from certificates with A and with B as the favourite, or from the first alone. *)
Definition limit_bounds (x : proof) (lower : option proof) : limit_verdict :=
  if negb (favours For_A x) then No_limit Not_favouring_A
  else if negb (is_natural (the_rules (about x))) then No_limit Not_natural
  else match lower with
  | Some y =>
      if negb (favours For_B y) then No_limit Not_favouring_B
      else if negb (same_rules (the_rules (about x)) (the_rules (about y))) then No_limit Other_rules
      else let m := table_of (proved y) in Limits (joined (fun p => option_map fst (get m p)) x)
  | None =>
      if negb (antisymmetric (the_rules (about x))) then No_limit Asymmetric
      else let m := table_of (proved x) in Limits (joined (fun p => option_map (fun v => - snd v)%Z (get m (mirror p))) x)
  end.

(** ** Its correctness *)

(** Some file without its checksum. *)
Definition accepted (x : proof) : Prop := exists fits content, verify_content fits content = Accepted x.

Lemma verify_accepted crc bytes x : verify_with crc bytes = Accepted x -> accepted x.
Proof.
  unfold verify_with. destruct (checksum_and_content bytes) as [sum content]. intros H.
  now exists (crc content =? sum)%N, content.
Qed.

Lemma is_natural_spec r : is_natural r = true -> natural r.
Proof. unfold is_natural, natural. rewrite !andb_true_iff, !Qle_bool_iff. tauto. Qed.

Lemma favours_spec w x : favours w x = true -> the_variant (about x) = Favours w.
Proof. unfold favours. destruct (the_variant (about x)) as [| |[]], w; easy. Qed.

Lemma table_of_spec l p v : get (table_of l) p = Some v -> In (p, v) l.
Proof.
  unfold table_of. enough (H : forall l m, get (fold_left (fun m pv => put (fst pv) (snd pv) m) l m) p = Some v ->
    In (p, v) l \/ get m p = Some v).
  { intros G. apply H in G as [G|G]; auto. destruct p as [a b x]. discriminate G. }
  clear l. induction l as [|[q w] l IH]; simpl; intros m G; auto. apply IH in G as [G|G]; auto.
  apply get_put in G as [[-> ->]|G]; auto.
Qed.

Lemma joined_spec lower x p l u : In (p, (l, u)) (joined lower x) ->
  is_spent p = false /\ lower p = Some l /\ exists l', In (p, (l', u)) (proved x).
Proof.
  unfold joined. enough (H : forall l0 rows, In (p, (l, u)) (fold_left (join lower) l0 rows) ->
    In (p, (l, u)) rows \/ is_spent p = false /\ lower p = Some l /\ exists l', In (p, (l', u)) l0).
  { intros I. now apply H in I as [[]|I]. }
  induction l0 as [|[q [l' u']] l0 IH]; intros rows I; [now left|]. cbn [fold_left] in I. apply IH in I as [I|(S & L & v & I)].
  - unfold join in I. destruct (is_spent q) eqn:S; auto. destruct (lower q) eqn:L; auto.
    destruct I as [[= -> -> ->]|I]; auto. right. split; auto. split; auto. exists l'. now left.
  - right. split; auto. split; auto. exists v. now right.
Qed.

(** Whether a certificate alone gives these bounds at the multiples of some positions. *)
Definition bounds_multiples (bytes : list N) (r : rules) (some : list (position * bounds)) : bool :=
  match verify bytes with
  | Refused _ => false
  | Accepted x => same_rules (the_rules (about x)) r && match limit_bounds x None with
      | No_limit _ => false
      | Limits rows => forallb (fun pv => match found_at rows (fst pv) with
          | Some v => (fst v =? fst (snd pv))%Z && (snd v =? snd (snd pv))%Z
          | None => false
          end) some
      end
  end.

Section Bounds.
Variable F : ordered_field.
Open Scope field_scope.

(** What the bounds of a position say: of all positions that are no worse for their player than a multiple. *)
Definition secured_at_multiples (r : rules) (p : position) (l : F) : Prop :=
  forall k p', (1 <= k)%N -> copies k p p' -> A_secures F (tennis r) p' l.
Definition conceded_at_multiples (r : rules) (p : position) (u : F) : Prop :=
  forall k p', (1 <= k)%N -> at_most_copies k p p' -> B_secures F (tennis r) p' u.

Lemma lower_at_multiples y p l u : accepted y -> favours For_B y = true -> natural (the_rules (about y)) -> is_spent p = false ->
  In (p, (l, u)) (proved y) -> secured_at_multiples (the_rules (about y)) p (ratio (l # unit_of y)).
Proof.
  intros (fits & content & V) W N S I k p' K C. apply verify_content_sound with (F := F) in V as (_ & _ & _ & _ & _ & V).
  apply V in I. unfold bounded in I. rewrite (favours_spec For_B y W) in I. destruct I as [I _].
  apply (lower_secured F _ k N K p p' _ C). apply A_secures_lower; auto. exact (A_secures_some _ _ _ _ _ I).
Qed.

Lemma upper_at_multiples x p l u : accepted x -> favours For_A x = true -> natural (the_rules (about x)) -> is_spent p = false ->
  In (p, (l, u)) (proved x) -> conceded_at_multiples (the_rules (about x)) p (ratio (u # unit_of x)).
Proof.
  intros (fits & content & V) W N S I k p' K C. apply verify_content_sound with (F := F) in V as (_ & _ & _ & _ & _ & V).
  apply V in I. unfold bounded in I. rewrite (favours_spec For_A x W) in I. destruct I as [_ I].
  apply (upper_secured F _ k N K p p' _ C). apply B_secures_upper; auto. exact (B_secures_some _ _ _ _ _ I).
Qed.

(** In a game that is its own mirror image, what B concedes A secures at the mirror image. *)
Lemma mirrored_multiples r p u : mirrored r = r -> conceded_at_multiples r (mirror p) u -> secured_at_multiples r p (- u).
Proof.
  intros R H k p' K C. rewrite <- (mirror_twice p'), <- R. apply B_secures_mirror. apply (H k); auto.
  destruct p, p'. simpl in *. lia.
Qed.

(** The bounds of [limit_bounds] are true. *)
Theorem limit_sound x lower rows : accepted x -> (forall y, lower = Some y -> accepted y) -> limit_bounds x lower = Limits rows ->
  forall p l u, In (p, (l, u)) rows -> let r := the_rules (about x) in
    secured_at_multiples r p (ratio (l # unit_of x)) /\ conceded_at_multiples r p (ratio (u # unit_of x)).
Proof.
  intros X Y. unfold limit_bounds. destruct (favours For_A x) eqn:A; [|discriminate].
  destruct (is_natural (the_rules (about x))) eqn:N; [|discriminate]. apply is_natural_spec in N. cbn [negb].
  destruct lower as [y|].
  - destruct (favours For_B y) eqn:B; [|discriminate]. destruct (same_rules _ _) eqn:R; [|discriminate].
    apply same_rules_eq in R. cbn [negb]. cbv zeta. intros [= <-] p l u I. apply joined_spec in I as (S & L & u' & I). split.
    + destruct (get _ p) as [[l' u'']|] eqn:G; [|discriminate]. injection L as ->. apply table_of_spec in G.
      unfold unit_of. rewrite R in N |- *. now apply (lower_at_multiples y p l u''); auto.
    + now apply (upper_at_multiples x p u').
  - destruct (antisymmetric (the_rules (about x))) eqn:R; [|discriminate]. apply antisymmetric_mirrored in R.
    cbn [negb]. cbv zeta. intros [= <-] p l u I. apply joined_spec in I as (S & L & u' & I). split.
    + destruct (get _ _) as [[l' u'']|] eqn:G; [|discriminate]. injection L as <-. apply table_of_spec in G.
      change (- u'' # unit_of x)%Q with (- (u'' # unit_of x))%Q. rewrite ratio_opp. apply mirrored_multiples; auto.
      apply (upper_at_multiples x (mirror p) l'); auto. destruct p. simpl in *. now rewrite andb_comm.
    + now apply (upper_at_multiples x p u').
Qed.

Theorem bounds_multiples_sound bytes r some : bounds_multiples bytes r some = true -> forall p l u, In (p, (l, u)) some ->
  secured_at_multiples r p (ratio (l # unit r)) /\ conceded_at_multiples r p (ratio (u # unit r)).
Proof.
  unfold bounds_multiples. destruct (verify bytes) as [x|] eqn:V; [|easy]. rewrite andb_true_iff. intros [R H] p l u I.
  apply same_rules_eq in R. destruct (limit_bounds x None) as [rows|] eqn:L; [|easy].
  apply (proj1 (forallb_forall _ _) H) in I. cbn [fst snd] in I. destruct (found_at rows p) as [[l' u']|] eqn:E; [|easy].
  cbn [fst snd] in I. apply andb_true_iff in I as [<-%Z.eqb_eq <-%Z.eqb_eq]. apply found_in in E. rewrite <- R.
  apply (limit_sound x None rows); auto; [now apply verify_accepted in V|easy].
Qed.

(** The values at all multiples. *)
Corollary values_at_multiples x lower rows : accepted x -> (forall y, lower = Some y -> accepted y) ->
  limit_bounds x lower = Limits rows -> forall a b ball l u k v, In (At a b ball, (l, u)) rows -> (1 <= k)%N ->
  is_value F (tennis (the_rules (about x))) (At (k * a) (k * b) ball) v ->
  ratio (l # unit_of x) <= v /\ v <= ratio (u # unit_of x).
Proof.
  intros X Y H a b ball l u k v I K [VA VB]. destruct (limit_sound x lower rows X Y H _ _ _ I) as [L U]. split.
  - eapply secures_order; [|exact VB]. apply (L k); auto. simpl. lia.
  - eapply secures_order; [exact VA|]. apply (U k); auto. simpl. lia.
Qed.

(** All accounts of [n] points from m (m - 1) on lie between k m and k (m + 1), for some k. *)
Lemma between_multiples m n : (1 <= m)%N -> (1 <= n)%N -> (m * (m - 1) <= n)%N -> exists k, (1 <= k /\ k * m <= n <= k * (m + 1))%N.
Proof.
  intros M N L. exists (n / m)%N. assert (D := N.div_mod n m ltac:(lia)). assert (R := N.mod_lt n m ltac:(lia)).
  assert (Q : (m - 1 <= n / m)%N) by (apply N.div_le_lower_bound; [lia|exact L]). split.
  - destruct (N.eq_dec m 1) as [->|]; [rewrite N.div_1_r|]; lia.
  - rewrite N.mul_add_distr_l, (N.mul_comm (n / m) m), N.mul_1_r. clear L. revert D R Q.
    generalize (m * (n / m))%N (n / m)%N (n mod m)%N. intros s q t D R Q. lia.
Qed.

Corollary values_from_some_points_on x lower rows : accepted x -> (forall y, lower = Some y -> accepted y) ->
  limit_bounds x lower = Limits rows -> forall m ball l l' u u' n v,
  In (At m (m + 1) ball, (l, u')) rows -> In (At (m + 1) m ball, (l', u)) rows ->
  (1 <= m)%N -> (1 <= n)%N -> (m * (m - 1) <= n)%N -> is_value F (tennis (the_rules (about x))) (At n n ball) v ->
  ratio (l # unit_of x) <= v /\ v <= ratio (u # unit_of x).
Proof.
  intros X Y H m ball l l' u u' n v I J M N P [VA VB]. destruct (between_multiples m n M N P) as (k & K & C).
  destruct (limit_sound x lower rows X Y H _ _ _ I) as [L _]. destruct (limit_sound x lower rows X Y H _ _ _ J) as [_ U]. split.
  - eapply secures_order; [|exact VB]. apply (L k); auto. simpl. lia.
  - eapply secures_order; [exact VA|]. apply (U k); auto. simpl. lia.
Qed.
End Bounds.
