(** * The least of weighted sums

    Rows of values are multiplied by weights and added up, and the least of these sums is wanted, exactly. Most of the sums are
    found too large from estimates in small numbers, and only the others are computed. *)

From Coq Require Import ZArith List Bool Lia.
Import ListNotations.
Local Open Scope Z_scope.

Definition bits : Z := 31.

(** A number of at least [base], and an estimate of what it has above it in units of 2^31. *)
Definition value : Type := Z * Z.
Definition estimated (base v : Z) : value := (v, Z.shiftr (v - base) bits).
Definition good (base : Z) (y : value) : Prop := 0 <= snd y /\ snd y * 2 ^ 31 <= fst y - base.

Definition weighted : Type := list (Z * list value).

Definition two_31 : Z := 2 ^ 31.
Definition two_62 : Z := 2 ^ 62.

(** ** Sums *)

Fixpoint times (w : Z) (l : list value) : list Z := match l with [] => [] | y :: l => w * fst y :: times w l end.
Fixpoint plus (w : Z) (l : list value) (sums : list Z) : list Z :=
  match l, sums with y :: l, s :: sums => w * fst y + s :: plus w l sums | _, _ => [] end.
Fixpoint exact (rows : weighted) : list Z :=
  match rows with
  | [] => []
  | (w, l) :: rows => match rows with [] => times w l | _ :: _ => plus w l (exact rows) end
  end.

(** In units of 2^62 above [base], never too large. *)
Fixpoint times_estimates (w : Z) (l : list value) : list Z :=
  match l with [] => [] | y :: l => w * snd y :: times_estimates w l end.
Fixpoint plus_estimates (w : Z) (l : list value) (sums : list Z) : list Z :=
  match l, sums with y :: l, s :: sums => w * snd y + s :: plus_estimates w l sums | _, _ => [] end.
Fixpoint estimates (rows : weighted) : list Z :=
  match rows with
  | [] => []
  | (w, l) :: rows => match rows with
      | [] => times_estimates (Z.shiftr w bits) l
      | _ :: _ => plus_estimates (Z.shiftr w bits) l (estimates rows)
      end
  end.

(** The sums whose estimates are small. *)
Fixpoint begin_small (most : Z) (estimates : list Z) : list (option Z) :=
  match estimates with [] => [] | e :: l => (if e <=? most then Some 0 else None) :: begin_small most l end.
Fixpoint plus_small (w : Z) (l : list value) (sums : list (option Z)) : list (option Z) :=
  match l, sums with
  | y :: l, s :: sums => match s with Some s => Some (w * fst y + s) | None => None end :: plus_small w l sums
  | _, _ => []
  end.
Fixpoint small (rows : weighted) (begin : list (option Z)) : list (option Z) :=
  match rows with [] => begin | (w, l) :: rows => plus_small w l (small rows begin) end.

(** ** The least *)

Fixpoint least_from (m : Z) (l : list Z) : Z :=
  match l with [] => m | s :: l => least_from (if s <? m then s else m) l end.
Definition least_of (l : list Z) : option Z := match l with [] => None | s :: l => Some (least_from s l) end.
Fixpoint least_value (m : Z) (l : list value) : Z :=
  match l with [] => m | y :: l => least_value (if fst y <? m then fst y else m) l end.
Fixpoint least_small (m : option Z) (l : list (option Z)) : option Z :=
  match l with
  | [] => m
  | s :: l => least_small (match s, m with Some s, Some t => if s <? t then Some s else m | Some _, None => s | None, _ => m end) l
  end.

Fixpoint others_above (bar : Z) (estimates : list Z) (sums : list (option Z)) : bool :=
  match estimates, sums with
  | e :: estimates, s :: sums =>
      if match s with Some _ => true | None => bar <=? e end then others_above bar estimates sums else false
  | _, _ => true
  end.

Fixpoint sum_of_weights (rows : weighted) : Z := match rows with [] => 0 | (w, _) :: rows => w + sum_of_weights rows end.

Definition least_sum (base : Z) (rows : weighted) : option Z :=
  match rows with
  | [] => None
  | [(w, l)] => match l with [] => None | y :: l => Some (w * least_value (fst y) l) end
  | _ :: _ :: _ =>
      let e := estimates rows in
      match least_of e with
      | None => None
      | Some low =>
          (* What the estimates neglect is less than this for every row, and once more. *)
          let sums := small rows (begin_small (fold_left (fun n _ => n + two_31) rows (low + two_31)) e) in
          match least_small None sums with
          | None => None
          | Some m =>
              if others_above (- ((base * sum_of_weights rows - m) / two_62)) e sums then Some m else least_of (exact rows)
          end
      end
  end.

(** ** Why it is the least *)

Lemma least_from_le l : forall m, least_from m l <= m /\ Forall (fun s => least_from m l <= s) l.
Proof.
  induction l as [|s l IH]; simpl; intros m. split; [lia|constructor].
  destruct (IH (if s <? m then s else m)) as [H K]. destruct (Z.ltb_spec s m); (split; [lia|constructor; [lia|exact K]]).
Qed.

Lemma least_of_le l m : least_of l = Some m -> Forall (fun s => m <= s) l.
Proof.
  destruct l as [|s l]; simpl; intros [= <-]. destruct (least_from_le l s). now constructor.
Qed.

Lemma least_value_le l : forall m, least_value m l <= m /\ Forall (fun y => least_value m l <= fst y) l.
Proof.
  induction l as [|y l IH]; simpl; intros m. split; [lia|constructor].
  destruct (IH (if fst y <? m then fst y else m)) as [H K]. destruct (Z.ltb_spec (fst y) m); (split; [lia|constructor; [lia|exact K]]).
Qed.

Lemma least_small_le l : forall m least, least_small m l = Some least ->
  (forall t, m = Some t -> least <= t) /\ forall s, In (Some s) l -> least <= s.
Proof.
  induction l as [|s l IH]; simpl; intros m least H. subst. split; [now intros t [= ->]|easy].
  apply IH in H as [H K]. split.
  - intros t ->. destruct s as [s|]; [|now apply H]. destruct (Z.ltb_spec s t); specialize (H _ eq_refl); lia.
  - intros u [->|I]; [|now apply K]. destruct m as [t|]; [|now apply H]. destruct (Z.ltb_spec u t); specialize (H _ eq_refl); lia.
Qed.

Section Estimates.
Variable base : Z.
Definition row_good (k : nat) (x : Z * list value) : Prop := 0 <= fst x /\ length (snd x) = k /\ Forall (good base) (snd x).

Definition below (weights : Z) (e s : Z) : Prop := e * 2 ^ 62 + base * weights <= s.

Lemma estimate_below w y : 0 <= w -> good base y -> below w (Z.shiftr w bits * snd y) (w * fst y).
Proof.
  unfold below, bits. intros W [P G]. rewrite Z.shiftr_div_pow2 by lia. pose proof (Z.mul_div_le w (2 ^ 31) eq_refl) as D.
  assert (0 <= w / 2 ^ 31) by (apply Z.div_pos; lia). set (h := w / 2 ^ 31) in *.
  assert (h * snd y * 2 ^ 62 <= w * (fst y - base)); [|lia].
  apply Z.le_trans with (w * (snd y * 2 ^ 31)); [|now apply Z.mul_le_mono_nonneg_l].
  replace (h * snd y * 2 ^ 62) with (2 ^ 31 * h * (snd y * 2 ^ 31)) by lia. apply Z.mul_le_mono_nonneg_r; lia.
Qed.

Lemma estimates_below k rows : Forall (row_good k) rows ->
  Forall2 (below (sum_of_weights rows)) (estimates rows) (exact rows).
Proof.
  induction 1 as [|[w l] rows (W & _ & G) _ IH]. constructor. cbn [fst snd] in W, G. destruct rows as [|x rows].
  - cbn [estimates exact sum_of_weights]. rewrite Z.add_0_r. clear IH.
    induction G; cbn [times times_estimates]; constructor; auto. now apply estimate_below.
  - cbn [estimates exact] in *. change (sum_of_weights ((w, l) :: x :: rows)) with (w + sum_of_weights (x :: rows)).
    revert IH. generalize (sum_of_weights (x :: rows)). intros W' IH. revert IH.
    match goal with |- _ -> Forall2 _ (plus_estimates _ _ ?e) (plus _ _ ?s) => generalize e s end. cbn [snd fst] in *.
    clear - G W. induction G as [|y l Y G IH]; intros e s; cbn [plus plus_estimates]. constructor. intros [|e0 s0 e' s' B H]; constructor; [|now apply IH].
    pose proof (estimate_below w y W Y). unfold below in *. lia.
Qed.

Lemma length_exact k rows : Forall (row_good k) rows -> rows <> [] -> length (exact rows) = k.
Proof.
  induction 1 as [|[w l] rows (_ & L & _) _ IH]. easy. intros _. cbn [exact]. destruct rows as [|x rows].
  - cbn [snd] in L. subst k. clear. induction l; simpl; congruence.
  - specialize (IH ltac:(easy)). cbn [snd] in L. revert L IH. generalize (exact (x :: rows)). clear. intros s. revert l k.
    induction s as [|s0 s IH]; intros [|y l] k; simpl; try congruence. destruct k; try discriminate. intros [= L] [= K]. f_equal. now apply IH.
Qed.

Definition known (o : option Z) (s : Z) : Prop := match o with Some t => t = s | None => True end.

Lemma small_known k rows begin : Forall (row_good k) rows -> rows <> [] -> length begin = k ->
  Forall (fun o => known o 0) begin -> Forall2 known (small rows begin) (exact rows).
Proof.
  intros R. induction R as [|[w l] rows (W & L & G) R IH]. easy. intros _ B K. cbn [small exact snd] in *. destruct rows as [|x rows].
  - cbn [small]. clear - L B K. subst k. revert begin B K. induction l as [|y l IH]; intros [|o begin] B K; try discriminate B; cbn [plus_small times]. constructor. injection B as B.
    inversion_clear K as [|? ? O K']. constructor; [|now apply IH]. destruct o; simpl in *; subst; lia.
  - specialize (IH ltac:(easy) B K). revert IH. generalize (small (x :: rows) begin) (exact (x :: rows)). clear.
    induction l as [|y l IH]; intros o s H; simpl. constructor. destruct H as [|o0 s0 o s O H]; constructor; [|now apply IH].
    destruct o0; simpl in *; lia.
Qed.

Lemma others_above_le W m bar e : forall sums s, Forall2 (below W) e s -> Forall2 known sums s ->
  (forall t, In (Some t) sums -> m <= t) -> m <= bar * 2 ^ 62 + base * W -> others_above bar e sums = true -> Forall (fun s => m <= s) s.
Proof.
  induction e as [|e0 e IH]; intros sums s E K L M; inversion E as [|? s0 ? s' B E']; subst; [constructor|].
  inversion K as [|o ? sums' ? O K']; subst. simpl. destruct o as [t|].
  - intros H. constructor. simpl in O. subst. apply L. now left. apply IH with sums'; auto. intros; apply L; now right.
  - destruct (Z.leb_spec bar e0); [|discriminate]. intros H'. constructor. unfold below in B. lia.
    apply IH with sums'; auto. intros; apply L; now right.
Qed.

Lemma begin_small_known most e : Forall (fun o => known o 0) (begin_small most e) /\ length (begin_small most e) = length e.
Proof. induction e as [|x e [IH L]]; simpl. auto. split; [constructor; auto; now destruct (x <=? most)|lia]. Qed.

Lemma same_length e s W : Forall2 (below W) e s -> length e = length s.
Proof. induction 1; simpl; congruence. Qed.

Theorem least_sum_least k rows m : Forall (row_good k) rows -> least_sum base rows = Some m -> Forall (fun s => m <= s) (exact rows).
Proof.
  intros R. unfold least_sum. destruct rows as [|[w l] rows]; [easy|]. destruct rows as [|x rows].
  - destruct l as [|y l]; [easy|]. intros [= <-]. inversion_clear R as [|? ? (W & _) _]. cbn [fst] in W.
    destruct (least_value_le l (fst y)) as [H K]. cbn [exact times]. constructor. now apply Z.mul_le_mono_nonneg_l.
    clear H. revert K. generalize (least_value (fst y) l). intros z K. induction K; simpl; constructor; auto. now apply Z.mul_le_mono_nonneg_l.
  - set (all := (w, l) :: x :: rows) in *. cbv zeta. destruct (least_of (estimates all)) as [low|]; [|easy].
    match goal with |- context [begin_small ?most ?e] => destruct (begin_small_known most e) as [B LB]; set (begin := begin_small most e) in * end.
    destruct (least_small None (small all begin)) as [least|] eqn:E; [|easy].
    destruct (others_above _ _ _) eqn:O. 2: { intros H. now apply least_of_le. }
    intros [= <-]. apply least_small_le in E as [_ E]. pose proof (estimates_below k all R) as BE.
    assert (LE : length (estimates all) = k) by (rewrite (same_length _ _ _ BE); now apply length_exact).
    assert (KS : Forall2 known (small all begin) (exact all)).
    { apply (small_known k); auto. easy. congruence. }
    eapply others_above_le with (W := sum_of_weights all); [exact BE|exact KS|exact E| |exact O].
    pose proof (Z.mul_div_le (base * sum_of_weights all - least) two_62 eq_refl). unfold two_62 in *. lia.
Qed.
End Estimates.

(** ** Lists of a function's values, from [k - 1] down to 0 *)

Inductive listed (f : N -> Z) : N -> list Z -> Prop :=
| listed_none : listed f 0 []
| listed_more k l : listed f k l -> listed f (N.succ k) (f k :: l).

Lemma listed_all f (P : Z -> Prop) n l : listed f n l -> Forall P l -> forall k, (k < n)%N -> P (f k).
Proof.
  induction 1 as [|n l L IH]; intros A k K. lia. inversion_clear A. destruct (N.eq_dec k n) as [->|]; auto. apply IH; auto. lia.
Qed.

Lemma listed_times f n l w : listed f n (map fst l) -> listed (fun k => w * f k) n (times w l).
Proof.
  revert n. induction l as [|y l IH]; intros n L; inversion L; subst; simpl. constructor.
  match goal with H : _ = fst y |- _ => rewrite <- H end. now apply (listed_more (fun k => w * f k)), IH.
Qed.

Lemma listed_plus f g n l s w : listed f n (map fst l) -> listed g n s -> listed (fun k => w * f k + g k) n (plus w l s).
Proof.
  revert n s. induction l as [|y l IH]; intros n s L S; inversion L; subst; simpl. constructor.
  inversion S as [|m s' S' E]; subst. lia. assert (m = k) as -> by lia.
  match goal with H : _ = fst y |- _ => rewrite <- H end. now apply (listed_more (fun k => w * f k + g k)), IH.
Qed.
