(** * Lists, tables and weights of certificates of any game

    The functions of the check, each by itself. *)

From Coq Require Import ZArith NArith Nnat QArith List Bool Field Lia.
From PencilTennis Require Import Numbers AnyGame Stationary Exchanged.
From PencilTennis Require Table.
Import ListNotations.

(** ** Numbers *)

Lemma plus_spec p q : (plus p q == p + q)%Q.
Proof.
  destruct p as [a b], q as [c d]. unfold plus.
  destruct (Z.eqb_spec (Zpos b mod Zpos d) 0) as [H|_].
  { apply Z_div_exact_full_2 in H; [|easy]. unfold Qeq, Qplus. cbn [Qnum Qden]. rewrite Pos2Z.inj_mul.
    set (e := (Zpos b / Zpos d)%Z) in *. rewrite H. ring. }
  destruct (Z.eqb_spec (Zpos d mod Zpos b) 0) as [H|_]; [|apply Qred_correct].
  apply Z_div_exact_full_2 in H; [|easy]. unfold Qeq, Qplus. cbn [Qnum Qden]. rewrite Pos2Z.inj_mul.
  set (e := (Zpos d / Zpos b)%Z) in *. rewrite H. ring.
Qed.

Lemma sum_spec {T} (f : T -> Q) l s : (fold_left (fun s x => plus s (f x)) l s == s + fold_right (fun x s => f x + s) 0 l)%Q.
Proof.
  revert s. induction l as [|x l IH]; simpl; intros s. ring. rewrite IH, plus_spec. ring.
Qed.

Lemma floor_spec q : (inject_Z (Qnum q / Zpos (Qden q)) <= q)%Q.
Proof.
  destruct q as [n d]. unfold Qle, inject_Z. cbn [Qnum Qden]. pose proof (Z.mul_div_le n (Zpos d) eq_refl). lia.
Qed.

(** ** Lists *)

Lemma same_length_spec {T U} (l : list T) (m : list U) : same_length l m = true -> length l = length m.
Proof. revert m. induction l as [|x l IH]; intros [|y m]; simpl; try easy. intros H. f_equal. auto. Qed.

Lemma is_empty_spec {T} (l : list T) : negb (is_empty l) = true -> l <> [].
Proof. now destruct l. Qed.

Lemma prepend_nth {T} (row : list T) columns j x : (j < length row)%nat -> (j < length columns)%nat ->
  nth j (prepend row columns) [] = nth j row x :: nth j columns [].
Proof.
  revert columns j. induction row as [|y row IH]; intros [|c columns] [|j] H K; simpl in *; try lia; auto. apply IH; lia.
Qed.

Lemma prepend_length {T} (row : list T) columns : length row = length columns -> length (prepend row columns) = length columns.
Proof. revert columns. induction row as [|y row IH]; intros [|c columns]; simpl; auto. Qed.

Lemma columns_spec {T U} (width : list U) (rows : list (list T)) : (forall row, In row rows -> length row = length width) ->
  length (columns width rows) = length width /\ forall j x, (j < length width)%nat ->
    length (nth j (columns width rows) []) = length rows /\
    forall i, (i < length rows)%nat -> nth i (nth j (columns width rows) []) x = nth j (nth i rows []) x.
Proof.
  induction rows as [|row rows IH]; intros H; simpl.
  - split. now rewrite map_length. intros j x J. split; [|intros; lia].
    clear H. simpl. revert j J. induction width as [|u width IH]; intros [|j] J; simpl in *; try lia; auto. apply IH. lia.
  - destruct IH as [L S]. { intros; apply H; now right. }
    assert (length row = length width) as R by (apply H; now left).
    split. rewrite prepend_length; lia. intros j x J. rewrite prepend_nth with (x := x) by lia. destruct (S j x J) as [SL SN].
    split. simpl. now rewrite SL. intros [|i] I; simpl; auto. apply SN. simpl in I. lia.
Qed.

(** The rank and every other number of finitely many states is bounded. *)
Lemma bounded (f : N -> nat) n : exists top, forall p, (N.to_nat p < n)%nat -> (f p <= top)%nat.
Proof.
  induction n as [|n [top H]]. exists 0%nat. intros; lia.
  exists (max top (f (N.of_nat n))). intros p P. destruct (Nat.eq_dec (N.to_nat p) n) as [<-|].
  rewrite N2Nat.id. lia. specialize (H p ltac:(lia)). lia.
Qed.

Lemma bounded_list (l : list positive) : exists most : Z, (1 <= most)%Z /\ forall x, In x l -> (Zpos x <= most)%Z.
Proof.
  induction l as [|x l (most & M & H)]. exists 1%Z. split. lia. easy.
  exists (Z.max most (Zpos x)). split. lia. intros y [<-|I]. lia. specialize (H y I). lia.
Qed.

(** ** The table *)

Lemma entries_spec : forall l lines p found e, entries p l lines found = Some e ->
  length l = length lines /\
  (forall n nm x y, nth_error l n = Some (nm, x) -> nth_error lines n = Some y -> In ((p + N.of_nat n)%N, (x, y)) e) /\
  (forall z, In z found -> In z e) /\
  (forall q x y, In (q, (x, y)) e -> In (q, (x, y)) found \/ exists n nm, q = (p + N.of_nat n)%N /\
    nth_error l n = Some (nm, x) /\ nth_error lines n = Some y).
Proof.
  induction l as [|[nm x] l IH]; intros [|y lines] p found e H; simpl in H; try easy.
  - injection H as <-. repeat split; auto. intros [|n]; easy.
  - apply IH in H as (L & I & Old & C). repeat split.
    + simpl. now rewrite L.
    + intros [|n] nm' x' y' X Y; simpl in *.
      * injection X as <- <-. injection Y as <-. replace (p + 0)%N with p by lia. apply Old. now left.
      * replace (p + N.pos (Pos.of_succ_nat n))%N with (N.succ p + N.of_nat n)%N by lia. eauto.
    + intros z Z. apply Old. now right.
    + intros q x' y' Q. apply C in Q as [[[= <- <- <-]|Q]|(n & nm' & -> & X & Y)]; auto.
      * right. exists 0%nat, nm. repeat split; auto. simpl. lia.
      * right. exists (S n), nm'. repeat split; auto. lia.
Qed.

Lemma look_put {V} (m : map_to V) k p v : look (put m p v) k = if N.eqb k p then Some v else look m k.
Proof.
  unfold look, put. rewrite Table.find_add. destruct (N.eqb_spec k p) as [->|H]. now rewrite Pos.eqb_refl.
  destruct (Pos.eqb_spec (N.succ_pos k) (N.succ_pos p)) as [E|]; auto. now apply Table.succ_pos_injective in E.
Qed.

Lemma table_spec l p v : look (table l) p = Some v -> In (p, v) l.
Proof.
  unfold table. enough (H : forall m : map_to (node * line),
    look (fold_left (fun m e => put m (fst e) (snd e)) l m) p = Some v ->
    In (p, v) l \/ look m p = Some v).
  { intros E. apply H in E as [E|E]; auto. unfold look in E. now destruct (N.succ_pos p). }
  induction l as [|[k w] l IH]; simpl; intros m E; auto. apply IH in E as [E|E]; auto. rewrite look_put in E.
  destruct (N.eqb_spec p k) as [->|]; auto. injection E as ->. auto.
Qed.

(** ** Choices *)

Lemma targets_spec c k : In k (targets c) <-> exists q, In (q, k) (successors c) /\ (0 < q)%Q.
Proof.
  unfold targets. rewrite in_map_iff. split.
  - intros ([q k'] & <- & I). apply filter_In in I as [I P]. exists q. split; auto. unfold positive_Q in P. simpl in P.
    apply Z.ltb_lt in P. unfold Qlt. simpl. lia.
  - intros (q & I & P). exists (q, k). split; auto. apply filter_In. split; auto. unfold positive_Q, Qlt in *. simpl in *.
    apply Z.ltb_lt. lia.
Qed.

Lemma reached_spec w cells k : In k (reached w cells) ->
  exists i z, nth_error w i = Some z /\ z <> 0%Z /\ (i < length cells)%nat /\ In k (targets (nth i cells nothing)).
Proof.
  revert cells. induction w as [|z w IH]; intros [|c cells]; simpl; try easy.
  destruct (Z.eqb_spec z 0) as [->|Z]; intros I; [|apply in_app_or in I as [I|I]].
  1, 3: destruct (IH cells I) as (i & z' & W & Z' & L & T); exists (Datatypes.S i), z'; simpl; repeat split; auto; lia.
  exists 0%nat, z. simpl. repeat split; auto. lia.
Qed.

Lemma unpaid_spec w cells i z : unpaid w cells = true -> nth_error w i = Some z -> z <> 0%Z -> (i < length cells)%nat ->
  Qnum (reward (nth i cells nothing)) = 0%Z.
Proof.
  revert cells i. induction w as [|z' w IH]; intros [|c cells] [|i]; simpl; try easy; try lia.
  - rewrite andb_true_iff, orb_true_iff, !Z.eqb_eq. intros [[->|E] _] [= <-]; easy.
  - rewrite andb_true_iff. intros [_ U] W Z I. apply IH; auto. lia.
Qed.

Lemma paid_spec w cells : unpaid w cells = false -> exists i z, nth_error w i = Some z /\ z <> 0%Z /\ (i < length cells)%nat /\
  Qnum (reward (nth i cells nothing)) <> 0%Z.
Proof.
  revert cells. induction w as [|z w IH]; intros [|c cells]; simpl; try easy.
  rewrite andb_false_iff, orb_false_iff, !Z.eqb_neq. intros [[Z R]|U].
  - exists 0%nat, z. simpl. repeat split; auto. lia.
  - destruct (IH cells U) as (i & z' & W & Z & I & R). exists (S i), z'. simpl. repeat split; auto. lia.
Qed.

Lemma leads_down_spec m p choices choice : leads_down m (p, choices) = true -> In choice choices ->
  exists k, In k choice /\ (rank m k < rank m p)%N.
Proof.
  unfold leads_down. simpl. rewrite forallb_forall. intros H I. apply H in I. apply existsb_exists in I as (k & K & L).
  exists k. split; auto. now apply N.ltb_lt.
Qed.

(** ** Weights *)

Lemma dense_spec {T} (actions : list T) : forall i l w, dense i actions l = Some w ->
  length w = length actions /\ forall z, In z w -> (0 <= z)%Z.
Proof.
  induction actions as [|a actions IH]; intros i [|[k v] l] w; simpl; try easy.
  - intros [= <-]. easy.
  - destruct (dense _ actions []) as [w'|] eqn:D; simpl; intros [= <-]. apply IH in D as [L P]. simpl. rewrite L. split; auto.
    intros z [<-|I]; auto. lia.
  - destruct (same_N i k).
    + destruct (Z.ltb_spec 0 v); [|easy]. destruct (dense _ actions l) as [w'|] eqn:D; simpl; intros [= <-].
      apply IH in D as [L P]. simpl. rewrite L. split; auto. intros z [<-|I]; auto. lia.
    + destruct (dense _ actions (_ :: l)) as [w'|] eqn:D; simpl; intros [= <-].
      apply IH in D as [L P]. simpl. rewrite L. split; auto. intros z [<-|I]; auto. lia.
Qed.

(** The listed actions are among all actions, and their weights positive. *)
Lemma dense_in {T} (actions : list T) : forall i l w n v, dense i actions l = Some w ->
  In (n, v) l ->
  (N.to_nat i <= N.to_nat n < N.to_nat i + length actions)%nat /\ (0 < v)%Z.
Proof.
  induction actions as [|a actions IH]; intros i [|[k u] l] w n v; simpl; try easy.
  destruct (same_N i k) eqn:E.
  - destruct (Z.ltb_spec 0 u); [|easy]. destruct (dense _ actions l) as [w'|] eqn:D; simpl;
      intros [= <-].
    unfold same_N in E. destruct (N.compare_spec i k) as [<-|_|_]; try easy.
    intros [[= <- <-]|I]; [lia|]. destruct (IH _ _ _ _ _ D I). lia.
  - destruct (dense _ actions (_ :: l)) as [w'|] eqn:D; simpl; intros [= <-] I.
    destruct (IH _ _ _ _ _ D I). lia.
Qed.

Definition sum_of (w : list Z) : Z := fold_right Z.add 0%Z w.
Lemma total_spec w : total w = sum_of w.
Proof.
  unfold total. enough (H : forall s, fold_left Z.add w s = (s + sum_of w)%Z) by now rewrite H.
  induction w as [|z w IH]; simpl; intros s. lia. rewrite IH. lia.
Qed.

Lemma some_weight w : (0 < sum_of w)%Z -> (forall z, In z w -> 0 <= z)%Z -> exists i z, nth_error w i = Some z /\ (0 < z)%Z.
Proof.
  induction w as [|z w IH]; simpl; intros H P. lia. destruct (Z.eq_dec z 0) as [->|].
  - destruct IH as (i & z & W & Z). lia. auto. now exists (S i), z.
  - exists 0%nat, z. simpl. split; auto. specialize (P z). lia.
Qed.

Section Mixtures.
Open Scope field_scope.
Variables (F : ordered_field) (whole : positive).
Add Field laws : (field_laws F).

Fixpoint mixture_of (i : nat) (w : list Z) : mixture F :=
  match w with [] => [] | z :: w => (i, ratio (z # whole)) :: mixture_of (S i) w end.

(** A list of actions with their weights is the mixture of the row of all weights. *)
Lemma dense_mean {T} (actions : list T) f : forall i l w, dense i actions l = Some w ->
  mean F (map (fun iw => (N.to_nat (fst iw), ratio (snd iw # whole))) l) f =
    mean F (mixture_of (N.to_nat i) w) f.
Proof.
  assert (Z : ratio (0 # whole) = 0 :> F) by (rewrite <- ratio_0; now apply ratio_eq).
  induction actions as [|a actions IH]; intros i [|[k u] l] w; simpl; try easy.
  - now intros [= <-].
  - destruct (dense _ actions []) as [w'|] eqn:D; simpl; intros [= <-]. simpl. apply IH in D.
    rewrite N2Nat.inj_succ in D.
    rewrite <- D, Z. simpl. ring.
  - destruct (same_N i k) eqn:E.
    + destruct (0 <? u)%Z; [|easy]. destruct (dense _ actions l) as [w'|] eqn:D; simpl;
        intros [= <-]. simpl.
      apply IH in D. rewrite N2Nat.inj_succ in D. rewrite D. unfold same_N in E.
      now destruct (N.compare_spec i k) as [<-|_|_].
    + destruct (dense _ actions (_ :: l)) as [w'|] eqn:D; simpl; intros [= <-]. simpl.
      apply IH in D.
      rewrite N2Nat.inj_succ in D. simpl in D. rewrite <- D, Z. ring.
Qed.

Lemma mixture_in w : forall i n y, In (n, y) (mixture_of i w) ->
  exists k z, n = (i + k)%nat /\ nth_error w k = Some z /\ y = ratio (z # whole).
Proof.
  induction w as [|z w IH]; simpl; intros i n y I. easy. destruct I as [[= <- <-]|I].
  - exists 0%nat, z. repeat split; auto.
  - apply IH in I as (k & z' & -> & W & ->). exists (S k), z'. repeat split; auto. lia.
Qed.

Lemma in_mixture w : forall i k z, nth_error w k = Some z -> In ((i + k)%nat, ratio (z # whole)) (mixture_of i w).
Proof.
  induction w as [|z' w IH]; intros i [|k] z; simpl; try easy.
  - intros [= ->]. left. f_equal. lia.
  - intros H. right. replace (i + S k)%nat with (S i + k)%nat by lia. now apply IH.
Qed.

Lemma mixture_sum w i : mean F (mixture_of i w) (fun _ => 1) = ratio (sum_of w # whole).
Proof.
  revert i. induction w as [|z w IH]; simpl; intros i.
  - rewrite <- ratio_0. apply ratio_eq. reflexivity.
  - rewrite IH. replace (ratio (z # whole) * 1) with (ratio (z # whole) : F) by ring. rewrite <- ratio_add. apply ratio_eq.
    unfold Qeq, Qplus. cbn [Qnum Qden]. rewrite Pos2Z.inj_mul. ring.
Qed.

Lemma mixture_distribution w : (sum_of w = Zpos whole) -> (forall z, In z w -> 0 <= z)%Z ->
  distribution F (length w) (mixture_of 0 w).
Proof.
  intros S P. split.
  - intros n y I. apply mixture_in in I as (k & z & -> & W & ->). split. apply nth_error_Some. simpl. now rewrite W.
    apply ratio_nonneg. apply nth_error_In in W. specialize (P z W). unfold Qle. cbn [Qnum Qden]. lia.
  - rewrite mixture_sum, S, <- ratio_1. apply ratio_eq. unfold Qeq. cbn [Qnum Qden]. lia.
Qed.

(** The sum of weighted cells that are worth at most [f]. *)
Lemma weigh_spec worth w (f : nat -> F) : forall cells i, length w = length cells -> (forall z, In z w -> 0 <= z)%Z ->
  (forall n, (n < length cells)%nat -> integer (worth (nth n cells nothing)) <= f (i + n)%nat) ->
  ratio (weigh worth w cells # whole) <= mean F (mixture_of i w) f.
Proof.
  induction w as [|z w IH]; intros [|c cells] i; simpl; try easy; intros L P H.
  - rewrite <- ratio_0. apply ratio_le. easy.
  - assert (ratio (weigh worth w cells # whole) <= mean F (mixture_of (S i) w) f) as T.
    { apply IH; auto. intros n Hn. specialize (H (S n) ltac:(lia)). simpl in H.
      now replace (S i + n)%nat with (i + S n)%nat by lia. }
    assert (0 <= z)%Z as Z0 by auto.
    assert (ratio (z * worth c # whole) <= ratio (z # whole) * f i) as U.
    { specialize (H 0%nat ltac:(lia)). simpl in H. rewrite Nat.add_0_r in H.
      apply le_trans with (ratio (z # whole) * integer (worth c)). rewrite <- ratio_integer, <- ratio_mul. apply ratio_le.
      unfold Qle, Qmult. cbn [Qnum Qden]. lia. apply mul_le; auto. apply ratio_nonneg. unfold Qle. cbn [Qnum Qden]. lia. }
    destruct (Z.eqb_spec z 0) as [->|].
    + apply le_trans with (1 := T). replace (mean F (mixture_of (S i) w) f) with (0 + mean F (mixture_of (S i) w) f) at 1 by
        ring.
      apply add_le_both; [|apply le_refl]. apply le_trans with (2 := U). rewrite <- ratio_0. apply ratio_le. easy.
    + apply le_trans with (2 := add_le_both F _ _ _ _ U T). rewrite <- ratio_add. apply ratio_le.
      unfold Qle, Qplus. cbn [Qnum Qden]. rewrite !Pos2Z.inj_mul. generalize (z * worth c)%Z (weigh worth w cells). intros. nia.
Qed.
End Mixtures.

Lemma some_probability (l : list (Q * N)) : (0 < fold_right (fun qk s => fst qk + s) 0 l)%Q ->
  exists q k, In (q, k) l /\ (0 < q)%Q.
Proof.
  induction l as [|[q k] l IH]; simpl; intros H. now apply Qlt_irrefl in H. destruct (Qlt_le_dec 0 q) as [Q|Q].
  - exists q, k. auto.
  - destruct IH as (q' & k' & I & Q'). 2: exists q', k'; auto. apply Qlt_le_trans with (1 := H).
    rewrite <- (Qplus_0_l (fold_right _ _ _)) at 2.
    apply Qplus_le_compat; auto. apply Qle_refl.
Qed.

Lemma fold_in {E Z} (add : list Z -> E -> list Z) l e z : In e l -> (forall found, In z (add found e)) ->
  (forall found e, In z found -> In z (add found e)) -> forall found, In z (fold_left add l found).
Proof.
  intros I H K. assert (forall l found, In z found -> In z (fold_left add l found)) as Keep.
  { clear - K. induction l as [|e l IH]; simpl; auto. }
  induction l as [|e' l IH]; simpl. easy. destruct I as [->|I]; auto.
Qed.
