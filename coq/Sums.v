(** * The least of weighted sums

    Rows of values are multiplied by weights and added up, and the least of these sums is wanted, exactly. Where values fall from
    height to height, most sums need not be computed. *)

From Coq Require Import ZArith List Bool Lia.
From PencilTennis Require Table.
Import ListNotations.
Local Open Scope Z_scope.

(** ** Values by heights

    In the extracted program these functions are those of store.ml, which keeps values in arrays. *)

Definition store : Type := N * Table.map_to Z.
Definition no_values : store := (0%N, Table.Nothing).
Definition height (s : store) : N := fst s.
Definition pushed (v : Z) (s : store) : store := (N.succ (fst s), Table.add (N.succ_pos (fst s)) v (snd s)).
Definition at_height (s : store) (k : N) : Z := match Table.find (N.succ_pos k) (snd s) with Some v => v | None => 0 end.

Lemma at_height_pushed v s k : at_height (pushed v s) k = if N.eqb k (height s) then v else at_height s k.
Proof.
  unfold at_height, pushed, height. cbn [snd]. rewrite Table.find_add. destruct (N.eqb_spec k (fst s)) as [->|H].
  - now rewrite Pos.eqb_refl.
  - destruct (Pos.eqb_spec (N.succ_pos k) (N.succ_pos (fst s))) as [E|]; auto. now apply Table.succ_pos_injective in E.
Qed.

(** ** Rows *)

(** Values of a store, of which we may know that they never rise, or one value. *)
Inductive source := Stored (s : store) (falls : bool) | Always (v : Z).
Definition value_of (o : source) (k : N) : Z := match o with Stored s _ => at_height s k | Always v => v end.
Definition falls (o : source) : bool := match o with Stored _ b => b | Always _ => true end.

(** A weight, and the sources of values below some height, there, and above. *)
Record row := { weight : Z; turning : N; under : source; there : source; over : source }.
Definition source_at (x : row) (k : N) : source :=
  match N.compare k (turning x) with Lt => under x | Eq => there x | Gt => over x end.

(** The sum at a height. *)
Fixpoint exact (rows : list row) (k : N) : Z :=
  match rows with [] => 0 | x :: rows => weight x * value_of (source_at x k) k + exact rows k end.
Fixpoint sum_of_weights (rows : list row) : Z := match rows with [] => 0 | x :: rows => weight x + sum_of_weights rows end.

(** ** The least *)

(** The heights below [n]; where values fall, only those after which a row turns to another source, and the last. *)
Definition add (n k : N) (l : list N) : list N :=
  if N.leb n k then l else match l with h :: _ => match N.compare h k with Eq => l | _ => k :: l end | [] => [k] end.
Definition turns (n : N) (rows : list row) : list N :=
  add n (N.pred n) (fold_right (fun x l => add n (turning x) (add n (N.pred (turning x)) l)) [] rows).
Definition all_below (n : N) : list N := snd (N.iter n (fun kl => (N.succ (fst kl), fst kl :: snd kl)) (0%N, [])).
Definition heights (n : N) (rows : list row) : list N :=
  if forallb (fun x => falls (under x) && falls (over x))%bool rows then turns n rows else all_below n.

(** The least of [m] and of the sums at these heights. *)
Fixpoint least_from (rows : list row) (m : Z) (l : list N) : Z :=
  match l with [] => m | k :: l => let s := exact rows k in least_from rows (if s <? m then s else m) l end.

(** The least sum at heights below [n]. *)
Definition least_sum (n : N) (rows : list row) : option Z :=
  match heights n rows with [] => None | k :: l => Some (least_from rows (exact rows k) l) end.

(** ** Why it is the least *)

Definition falling (n : N) (o : source) : Prop :=
  falls o = true -> forall k, (N.succ k < n)%N -> value_of o (N.succ k) <= value_of o k.
Definition row_good (n : N) (x : row) : Prop :=
  0 <= weight x /\ falling (N.min n (turning x)) (under x) /\ falling n (over x).

Lemma in_add n k l y : In y l \/ (y = k /\ (k < n)%N) -> In y (add n k l).
Proof.
  unfold add. destruct (N.leb_spec n k). { intros [I|[_ L]]; auto; lia. }
  destruct l as [|h l]; [intros [I|[-> _]]; [easy|now left]|].
  destruct (N.compare_spec h k) as [->|_|_]; intros [I|[-> _]]; auto; try (now left); now right.
Qed.

Lemma turns_last n rows : (0 < n)%N -> In (N.pred n) (turns n rows).
Proof. intros H. apply in_add. right. split; auto; lia. Qed.

Lemma turns_row n rows x k : In x rows -> (k = turning x \/ k = N.pred (turning x)) -> (k < n)%N -> In k (turns n rows).
Proof.
  intros I E K. apply in_add. left. induction rows as [|y rows IH]; cbn [fold_right]; [easy|]. destruct I as [->|I].
  - destruct E as [->| ->]; apply in_add; auto. left. apply in_add. auto.
  - apply in_add. left. apply in_add. auto.
Qed.

Lemma all_below_spec n k : (k < n)%N -> In k (all_below n).
Proof.
  unfold all_below. set (f := fun kl : N * list N => _). enough (fst (N.iter n f (0%N, [])) = n /\
    forall k, (k < n)%N -> In k (snd (N.iter n f (0%N, [])))) by (intros; now apply H).
  clear k. induction n as [|n (E & H)] using N.peano_ind. { cbn. split; easy || lia. }
  rewrite N.iter_succ. unfold f at 1 3. cbn [fst snd]. rewrite E. split; auto.
  intros k L. destruct (N.eq_dec k n) as [->|]; [now left|right]. apply H. lia.
Qed.

(** Between turns the sums fall. *)
Lemma exact_falls n rows k : Forall (row_good n) rows -> forallb (fun x => falls (under x) && falls (over x))%bool rows = true ->
  (N.succ k < n)%N -> ~ In k (turns n rows) -> exact rows (N.succ k) <= exact rows k.
Proof.
  intros R F K N. assert (T : forall x, In x rows -> turning x <> k /\ N.pred (turning x) <> k).
  { intros x I. split; intros E; apply N, (turns_row n rows x); auto; lia. }
  clear N. induction R as [|x rows (W & U & O) _ IH]; cbn [exact]; [lia|]. cbn [forallb] in F.
  rewrite !andb_true_iff in F. destruct F as [[FU FO] F]. specialize (IH F (fun y I => T y (or_intror I))).
  destruct (T x (or_introl eq_refl)) as [T1 T2].
  enough (value_of (source_at x (N.succ k)) (N.succ k) <= value_of (source_at x k) k) as H
    by (apply (Z.mul_le_mono_nonneg_l _ _ (weight x)) in H; lia).
  unfold source_at. destruct (N.compare_spec k (turning x)) as [E|L|L]; [now destruct T1| |].
  - destruct (N.compare_spec (N.succ k) (turning x)); try lia. apply U; auto. lia.
  - destruct (N.compare_spec (N.succ k) (turning x)); try lia. now apply O.
Qed.

Lemma heights_enough n rows k : Forall (row_good n) rows -> (k < n)%N -> exists m, In m (heights n rows) /\ exact rows m <= exact rows k.
Proof.
  intros R K. unfold heights. destruct (forallb _ rows) eqn:F.
  - remember (N.to_nat (n - k)) as d eqn:D. revert k K D. induction d as [|d IH]; intros k K D; [lia|].
    destruct (in_dec N.eq_dec k (turns n rows)) as [I|I]. { exists k. split; auto. lia. }
    destruct (N.eq_dec (N.succ k) n) as [E|E]. { exfalso. apply I. replace k with (N.pred n) by lia. apply turns_last. lia. }
    destruct (IH (N.succ k)) as (m & M & L); try lia. exists m. split; auto.
    pose proof (exact_falls n rows k R F ltac:(lia) I). lia.
  - exists k. split. now apply all_below_spec. lia.
Qed.

Lemma least_from_least rows l : forall m, least_from rows m l <= m /\ forall k, In k l -> least_from rows m l <= exact rows k.
Proof.
  induction l as [|k l IH]; intros m; cbn [least_from]. split; [lia|easy]. cbv zeta.
  destruct (IH (if exact rows k <? m then exact rows k else m)) as [L K]. destruct (Z.ltb_spec (exact rows k) m);
    (split; [lia|]; intros j [<-|I]; [lia|now apply K]).
Qed.

Theorem least_sum_least n rows m : Forall (row_good n) rows -> least_sum n rows = Some m -> forall k, (k < n)%N -> m <= exact rows k.
Proof.
  intros R L k K. destruct (heights_enough n rows k R K) as (h & I & Le). apply Z.le_trans with (2 := Le). unfold least_sum in L.
  destruct (heights n rows) as [|j l]; [easy|]. injection L as <-. destruct (least_from_least rows l (exact rows j)) as [L1 L2].
  destruct I as [<-|I]; auto.
Qed.
