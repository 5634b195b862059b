(** * Games of any rules and their certificates as bytes

    The lines of JSON that docs/game-format.md describes, in exactly the form in which the program writes them: [write_game] is this
    form. Different games are written as different bytes ([write_injective]), so that the bytes say which game is meant. *)

From Coq Require Import String Ascii ZArith NArith QArith List Bool Lia.
From PencilTennis Require Import AnyGame.
Import ListNotations.
Local Open Scope N_scope.

Definition text := list N.

(** Characters have names, so that the extracted program does not make their numbers anew each time. *)
Definition quote : N := 34.
Definition comma : N := 44.
Definition minus : N := 45.
Definition slash : N := 47.
Definition digit_0 : N := 48.
Definition digit_9 : N := 57.
Definition open_list : N := 91.
Definition backslash : N := 92.
Definition close : N := 93.
Definition space : N := 32.
Definition ten : N := 10.
Definition letters (s : string) : text := map N_of_ascii (list_ascii_of_string s).

(** ** Numbers and names *)

(** The decimal digits of a number, before the rest. *)
Fixpoint digits (fuel : nat) (n : N) (rest : text) : text :=
  match fuel with
  | O => rest
  | S fuel => if n <? ten then digit_0 + n :: rest else
      let (q, d) := N.div_eucl n ten in digits fuel q (digit_0 + d :: rest)
  end.
Definition write_N (n : N) : text := digits (S (N.size_nat n)) n [].
Definition write_Z (z : Z) : text := if (z <? 0)%Z then minus :: write_N (Z.abs_N z) else write_N (Z.abs_N z).
Definition write_Q (q : Q) : text :=
  match Qden q with 1%positive => write_Z (Qnum q) | d => write_Z (Qnum q) ++ slash :: write_N (Npos d) end.

(** The letter after a backslash, of a character that has one. *)
Definition short (c : N) : option N :=
  if c =? 34 then Some 34 else if c =? 92 then Some 92 else if 32 <=? c then None else
  if c =? 8 then Some 98 else if c =? 9 then Some 116 else if c =? 10 then Some 110 else
  if c =? 12 then Some 102 else if c =? 13 then Some 114 else None.
Definition hexadecimal (d : N) : N := if d <? 10 then 48 + d else 87 + d.
Definition escape (c : N) : text :=
  match short c with
  | Some letter => [92; letter]
  | None => if 32 <=? c then [c] else [92; 117; 48; 48; hexadecimal (c / 16); hexadecimal (N.modulo c 16)]
  end.

Definition quoted (t : text) : text := quote :: t ++ [quote].
Definition write_text (t : text) : text := quoted (flat_map escape t).
Definition quoted_Z (z : Z) : text := quoted (write_Z z).
Definition quoted_Q (q : Q) : text := quoted (write_Q q).

(** ** A game by the names of its states

    In a file states are referred to by their names, in a game by their numbers. *)

(** A probability, or the least and the largest one. *)
Definition share : Type := Q * option Q.
Record named_cell := { pays : Q; leads_to : list (share * name) }.
Inductive named_state :=
| Named_end (id : name) (value : Q)
| Named_turn (id : name) (a b : list name) (endless : Q) (cells : list (list named_cell)).
Definition named_id (s : named_state) : name := match s with Named_end id _ => id | Named_turn id _ _ _ _ => id end.
Record named_game := { kind_of : kind; chooser : option player; start_names : list name; named_states : list named_state }.

Fixpoint with_largest {T} (l : list (Q * T)) (most : list (option Q)) : list (share * T) :=
  match l with
  | [] => []
  | (q, k) :: l => ((q, match most with o :: _ => o | [] => None end), k) :: with_largest l (tl most)
  end.

Section Naming.
Variable names : N -> name.
Definition name_cell (c : cell) : named_cell :=
  {| pays := reward c; leads_to := map (fun x => (fst x, names (snd x))) (with_largest (successors c) (largest c)) |}.
Definition name_state (x : name * node) : named_state :=
  match snd x with
  | End v => Named_end (fst x) v
  | Turn a b e cells => Named_turn (fst x) a b e (map (map name_cell) cells)
  end.
End Naming.

Definition name_at (G : sgame) (p : N) : name := match nth_error (states G) (N.to_nat p) with Some x => fst x | None => [] end.
Definition named (G : sgame) : named_game :=
  {| kind_of := the_kind G; chooser := nature G; start_names := map (name_at G) (starts G); named_states := map (name_state (name_at G)) (states G) |}.

(** ** As bytes *)

Fixpoint write_more {T} (w : T -> text) (l : list T) : text :=
  match l with [] => [close] | x :: l => comma :: w x ++ write_more w l end.
(** A list that is not empty, in brackets. *)
Definition write_list {T} (w : T -> text) (l : list T) : text :=
  open_list :: match l with [] => [close] | x :: l => w x ++ write_more w l end.

Definition in_reward := Eval compute in letters "{""reward"":".
Definition in_to := Eval compute in letters "{""to"":".
Definition then_to := Eval compute in letters ",""to"":".
Definition in_id := Eval compute in letters "{""id"":".
Definition then_value := Eval compute in letters ",""value"":".
Definition then_a := Eval compute in letters ",""a"":".
Definition then_b := Eval compute in letters ",""b"":".
Definition then_endless := Eval compute in letters ",""endless"":".
Definition then_cells := Eval compute in letters ",""cells"":".
Definition in_game := Eval compute in letters "{""format"":""stochastic-game"",""version"":1,""kind"":""".
Definition kind_acyclic := Eval compute in letters "acyclic""".
Definition kind_discounted := Eval compute in letters "discounted"",""discount"":".
Definition kind_stopping := Eval compute in letters "stopping""".
Definition kind_recursive := Eval compute in letters "recursive""".
Definition kind_total := Eval compute in letters "total""".
Definition kind_target := Eval compute in letters "target""".
Definition nature_A := Eval compute in letters ",""nature"":""A""".
Definition nature_B := Eval compute in letters ",""nature"":""B""".
Definition then_start := Eval compute in letters ",""start"":".
Definition in_proof := Eval compute in letters "{""format"":""stochastic-game-proof"",""version"":1,""exponent"":".
Definition in_long_proof := Eval compute in letters "{""format"":""stochastic-game-proof"",""version"":2,""exponent"":".
Definition then_weight_exponent := Eval compute in letters ",""weight_exponent"":".
Definition then_states := Eval compute in letters ",""states"":".
Definition then_bound := Eval compute in letters ",""bound"":""".
Definition at_least := Eval compute in letters ">=".
Definition above := Eval compute in letters ">".
Definition at_most_sign := Eval compute in letters "<=".
Definition below_sign := Eval compute in letters "<".
Definition then_holds := Eval compute in letters """,""holds"":".
Definition is_true := Eval compute in letters "true".
Definition is_false := Eval compute in letters "false".
Definition in_lower := Eval compute in letters "{""lower"":".
Definition then_upper := Eval compute in letters ",""upper"":".
Definition end_line : text := [125; 10].

Definition write_share (s : share) : text :=
  match snd s with
  | None => write_Q (fst s)
  | Some most => [open_list] ++ write_Q (fst s) ++ [comma] ++ write_Q most ++ [close]
  end.
Definition write_outcome (o : share * name) : text :=
  [open_list] ++ quoted (write_share (fst o)) ++ [comma] ++ write_text (snd o) ++ [close].
(** A missing number is 0. *)
Definition is_zero (q : Q) : bool := match q with 0%Z # 1 => true | _ => false end.
Definition write_cell (c : named_cell) : text :=
  (if is_zero (pays c) then in_to else in_reward ++ quoted_Q (pays c) ++ then_to) ++ write_list write_outcome (leads_to c) ++ [125].

(** In a recursive game every state has a payoff of infinite plays. *)
Definition writes_endless (k : kind) (q : Q) : bool := match k with Recursive => true | _ => negb (is_zero q) end.
Definition write_state (k : kind) (s : named_state) : text :=
  match s with
  | Named_end id value => in_id ++ write_text id ++ then_value ++ quoted_Q value ++ end_line
  | Named_turn id a b endless cells =>
      in_id ++ write_text id ++ then_a ++ write_list write_text a ++ then_b ++ write_list write_text b
        ++ (if writes_endless k endless then then_endless ++ quoted_Q endless else [])
        ++ then_cells ++ write_list (write_list write_cell) cells ++ end_line
  end.

Definition write_kind (k : kind) : text :=
  match k with
  | Acyclic => kind_acyclic
  | Discounted d => kind_discounted ++ quoted_Q d
  | Stopping => kind_stopping
  | Recursive => kind_recursive
  | Total => kind_total
  | Target => kind_target
  end.
Definition write_nature (n : option player) : text := match n with None => [] | Some A => nature_A | Some B => nature_B end.
Definition write_head (k : kind) (n : option player) (l : list name) : text :=
  in_game ++ write_kind k ++ write_nature n ++ then_start ++ write_list write_text l ++ end_line.
Definition write_named (g : named_game) : text :=
  write_head (kind_of g) (chooser g) (start_names g) ++ flat_map (write_state (kind_of g)) (named_states g).

(** The file of a game. *)
Definition write_game (G : sgame) : text := write_named (named G).

Definition write_weight (w : N * Z) : text := [open_list] ++ write_N (fst w) ++ [comma] ++ quoted_Z (snd w) ++ [close].
Definition write_weights (field : text) (l : list (N * Z)) : text :=
  match l with [] => [] | _ => field ++ write_list write_weight l end.
Definition write_line (l : line) : text :=
  in_lower ++ quoted_Z (lower l) ++ then_upper ++ quoted_Z (upper l)
    ++ write_weights then_a (of_A l) ++ write_weights then_b (of_B l) ++ end_line.
(** The exponents of the unit and of weights; without the latter it is version 1. *)
Definition exponents : Type := N * option N.
Definition write_exponents (e : exponents) : text :=
  match snd e with
  | None => in_proof ++ write_N (fst e)
  | Some weights => in_long_proof ++ write_N (fst e) ++ then_weight_exponent ++ write_N weights
  end.
Definition write_relation (r : relation) : text :=
  match r with At_least => at_least | Above => above | At_most => at_most_sign | Below => below_sign end.
Definition write_verdict (v : option verdict) : text :=
  match v with
  | None => []
  | Some v => then_bound ++ write_relation (the_relation v) ++ write_Q (threshold v) ++ then_holds ++ (if is_kept v then is_true else is_false)
  end.
Definition write_first (e : exponents) (count : N) (v : option verdict) : text :=
  write_exponents e ++ then_states ++ write_N count ++ write_verdict v ++ end_line.

(** A certificate: its first line, the file of the game, and a line for each state. *)
Definition write_certificate (c : certificate) : text :=
  write_first (exponent c, weight_exponent c) (N.of_nat (length (states (the_game c)))) (the_verdict c) ++ write_game (the_game c) ++ flat_map write_line (lines c).

(** ** Different things are written differently

    [w] is a prefix code: no text of [w] is the beginning of another. *)

Definition code {T} (w : T -> text) : Prop := forall x y r s, w x ++ r = w y ++ s -> x = y /\ r = s.

Lemma literal {l r s : text} : l ++ r = l ++ s -> r = s.
Proof. apply app_inv_head. Qed.

(** *** Numbers *)

Definition is_digit (c : N) : bool := (digit_0 <=? c) && (c <=? digit_9).
Definition value (l : text) (n : N) : N := fold_left (fun v c => ten * v + (c - digit_0)) l n.

Lemma digits_step fuel n rest : digits (S fuel) n rest =
  if n <? 10 then 48 + n :: rest else digits fuel (n / 10) (48 + N.modulo n 10 :: rest).
Proof. cbn [digits]. unfold ten, digit_0. destruct (n <? 10); auto. unfold N.div, N.modulo. now destruct (N.div_eucl n 10). Qed.

Lemma value_digits fuel n rest : n < 2 ^ N.of_nat fuel -> value (digits fuel n rest) 0 = value rest n.
Proof.
  revert n rest. induction fuel as [|fuel IH]; intros n rest H.
  - change (2 ^ N.of_nat 0) with 1 in H. now replace n with 0 by lia.
  - rewrite digits_step. assert (E : forall v m, value (48 + m :: rest) v = value rest (10 * v + m)).
    { intros v m. unfold value, ten, digit_0. cbn [fold_left]. f_equal. lia. }
    destruct (n <? 10) eqn:L.
    + rewrite E. f_equal.
    + rewrite IH. rewrite E. f_equal. symmetry. apply N.div_mod. lia.
      rewrite Nat2N.inj_succ, N.pow_succ_r' in H. apply N.div_lt_upper_bound; lia.
Qed.

Lemma size_nat_lt n : n < 2 ^ N.of_nat (N.size_nat n).
Proof.
  destruct n as [|p]. reflexivity. cbn [N.size_nat].
  induction p as [p IH|p IH|]; cbn [Pos.size_nat]; try reflexivity; rewrite Nat2N.inj_succ, N.pow_succ_r'; lia.
Qed.

Lemma value_write_N n : value (write_N n) 0 = n.
Proof.
  unfold write_N. rewrite value_digits. reflexivity. rewrite Nat2N.inj_succ, N.pow_succ_r'. pose proof (size_nat_lt n). lia.
Qed.

Lemma digits_are fuel n rest : forallb is_digit rest = true -> forallb is_digit (digits fuel n rest) = true.
Proof.
  revert n rest. induction fuel as [|fuel IH]; intros n rest H; auto. rewrite digits_step.
  assert (D : forall m, m < 10 -> forallb is_digit (48 + m :: rest) = true).
  { intros m M. cbn [forallb]. rewrite H, andb_true_r. unfold is_digit, digit_0, digit_9. apply andb_true_iff. split; apply N.leb_le; lia. }
  destruct (n <? 10) eqn:L; [apply D; now apply N.ltb_lt|]. apply IH, D, N.mod_lt. lia.
Qed.
Lemma write_N_digits n : forallb is_digit (write_N n) = true.
Proof. now apply digits_are. Qed.

(** Digits end where another character begins. *)
Lemma digits_end l m c d r s : forallb is_digit l = true -> forallb is_digit m = true -> is_digit c = false -> is_digit d = false ->
  l ++ c :: r = m ++ d :: s -> l = m /\ c :: r = d :: s.
Proof.
  revert m. induction l as [|x l IH]; intros [|y m] L M C D; cbn [app forallb] in *; auto.
  - intros [= -> _]. rewrite andb_true_iff in M. destruct M as [M _]. congruence.
  - intros [= -> _]. rewrite andb_true_iff in L. destruct L as [L _]. congruence.
  - rewrite andb_true_iff in L, M. intros [= -> H]. destruct (IH m) as [-> K]; tauto || auto.
Qed.

Lemma write_N_end n m c d r s : is_digit c = false -> is_digit d = false ->
  write_N n ++ c :: r = write_N m ++ d :: s -> n = m /\ c :: r = d :: s.
Proof.
  intros C D H. apply digits_end in H; auto using write_N_digits. destruct H as [H K]. split; auto.
  now rewrite <- (value_write_N n), H, value_write_N.
Qed.

Lemma write_N_head n : exists c l, write_N n = c :: l /\ is_digit c = true.
Proof.
  assert (D := write_N_digits n). assert (V := value_write_N n). destruct (write_N n) as [|c l] eqn:E.
  - cbn in V. subst n. discriminate E.
  - exists c, l. split; auto. cbn [forallb] in D. now rewrite andb_true_iff in D.
Qed.

Lemma write_Z_end n m c d r s : is_digit c = false -> is_digit d = false ->
  write_Z n ++ c :: r = write_Z m ++ d :: s -> n = m /\ c :: r = d :: s.
Proof.
  intros C D. unfold write_Z. destruct (write_N_head (Z.abs_N n)) as (x & l & E & X), (write_N_head (Z.abs_N m)) as (y & k & K & Y).
  destruct (n <? 0)%Z eqn:N, (m <? 0)%Z eqn:M; intros H; rewrite ?Z.ltb_lt, ?Z.ltb_ge in *.
  - injection H as H. apply write_N_end in H; auto. split; [lia|tauto].
  - rewrite K in H. injection H as <- _. discriminate Y.
  - rewrite E in H. injection H as -> _. discriminate X.
  - apply write_N_end in H; auto. split; [lia|tauto].
Qed.

(** The text after the numerator. *)
Definition below (d : positive) : text := match d with 1%positive => [] | _ => slash :: write_N (Npos d) end.

Lemma below_head d e r : is_digit e = false -> exists c l, below d ++ e :: r = c :: l /\ is_digit c = false.
Proof. intros E. destruct d; cbn [below app]; eexists; eexists; (split; [reflexivity|auto]). Qed.

Lemma write_Q_below q : write_Q q = write_Z (Qnum q) ++ below (Qden q).
Proof. destruct q as [n d]. unfold write_Q. cbn [Qnum Qden]. now destruct d; cbn [below]; rewrite ?app_nil_r. Qed.

(** A fraction ends where a character follows that is no digit and no slash. *)
Lemma write_Q_end p q c r s : is_digit c = false -> c <> slash -> write_Q p ++ c :: r = write_Q q ++ c :: s -> p = q /\ r = s.
Proof.
  intros Dc Sl H. destruct p as [n d], q as [m e].
  rewrite !write_Q_below, <- !app_assoc in H. cbn [Qnum Qden app] in H.
  destruct (below_head d c r Dc) as (x & l & C & C'), (below_head e c s Dc) as (x' & l' & D & D').
  pose proof H as H'. rewrite C, D in H'. apply write_Z_end in H' as [<- H']; auto. rewrite <- C, <- D in H'. clear - H' Dc Sl.
  destruct d as [d|d|], e as [e|e|]; cbn [below app] in H';
    try (injection H' as H'; apply write_N_end in H' as [K H']; auto; injection K as <-; injection H' as <-; auto);
    first [injection H' as <-; now auto | exfalso; apply Sl; congruence].
Qed.

Lemma write_Q_head q : exists c l, write_Q q = c :: l /\ c <> open_list.
Proof.
  rewrite write_Q_below. unfold write_Z. destruct (write_N_head (Z.abs_N (Qnum q))) as (x & l & E & X).
  destruct (Qnum q <? 0)%Z. { eexists; eexists; split; [reflexivity|discriminate]. }
  rewrite E. exists x, (l ++ below (Qden q)). split; auto. intros ->. discriminate X.
Qed.

Lemma quoted_Q_code : code quoted_Q.
Proof.
  intros p q r s H. unfold quoted_Q, quoted in H. cbn [app] in H. injection H as H. rewrite <- !app_assoc in H. cbn [app] in H.
  now apply write_Q_end in H.
Qed.

Lemma quoted_Z_code : code quoted_Z.
Proof.
  intros n m r s H. unfold quoted_Q, quoted_Z, quoted in H. cbn [app] in H. injection H as H. rewrite <- !app_assoc in H.
  apply write_Z_end in H as [-> H]; auto. injection H as <-. auto.
Qed.

(** *** Names *)

(** The character that an escape stands for. *)
Definition unescape (l : text) : option (N * text) :=
  match l with
  | c :: rest =>
      if c =? 92 then
        match rest with
        | e :: rest =>
            if e =? 117 then
              match rest with
              | _ :: _ :: h :: k :: rest =>
                  let d x := if x <? 58 then x - 48 else x - 87 in Some (16 * d h + d k, rest)
              | _ => None
              end
            else Some (if e =? 98 then 8 else if e =? 116 then 9 else if e =? 110 then 10 else if e =? 102 then 12
              else if e =? 114 then 13 else e, rest)
        | [] => None
        end
      else Some (c, rest)
  | [] => None
  end.

Lemma unescape_escape c r : unescape (escape c ++ r) = Some (c, r).
Proof.
  destruct (N.lt_ge_cases c 93) as [L|L].
  - assert (I : In c (map N.of_nat (seq 0 93))).
    { rewrite <- (N2Nat.id c). apply in_map, in_seq. lia. }
    cbn in I. repeat (destruct I as [<-|I]; [reflexivity|]). easy.
  - unfold escape, short. replace (c =? 34) with false by (symmetry; apply N.eqb_neq; lia).
    replace (c =? 92) with false by (symmetry; apply N.eqb_neq; lia). replace (32 <=? c) with true by (symmetry; apply N.leb_le; lia).
    cbn [app unescape]. now replace (c =? 92) with false by (symmetry; apply N.eqb_neq; lia).
Qed.

Lemma escape_head c : exists d l, escape c = d :: l /\ d <> quote.
Proof.
  unfold escape. destruct (short c) eqn:S; [|destruct (32 <=? c)]; eexists; eexists; (split; [reflexivity|]); try discriminate.
  intros ->. discriminate S.
Qed.

Lemma write_text_code : code write_text.
Proof.
  intros x y r s. unfold write_text, quoted. cbn [app]. intros [= H]. rewrite <- !app_assoc in H. cbn [app] in H.
  revert y H. induction x as [|c x IH]; intros [|d y] H; cbn [flat_map app] in H.
  - injection H as <-. auto.
  - destruct (escape_head d) as (e & l & E & D). rewrite E in H. cbn [app] in H. congruence.
  - destruct (escape_head c) as (e & l & E & D). rewrite E in H. cbn [app] in H. congruence.
  - rewrite <- !app_assoc in H. assert (K := f_equal unescape H). rewrite !unescape_escape in K. injection K as <- K.
    apply IH in K as [<- K]. auto.
Qed.

(** *** Lists *)

(** Nothing that is in a list begins like its end. *)
Definition opens {T} (w : T -> text) : Prop := forall x, exists c l, w x = c :: l /\ c <> close.
Ltac opening := intros ?; eexists; eexists; split; [reflexivity|discriminate].

Lemma write_list_code {T} (w : T -> text) : code w -> opens w -> code (write_list w).
Proof.
  intros W O. assert (M : code (write_more w)).
  { intros l. induction l as [|x l IH]; intros [|y m] r s H; cbn [write_more app] in H; try discriminate H.
    - injection H as <-. auto.
    - injection H as H. rewrite <- !app_assoc in H. apply W in H as [<- H]. apply IH in H as [<- H]. auto. }
  intros [|x l] [|y m] r s H; unfold write_list in H; cbn [app] in H; injection H as H.
  - auto.
  - destruct (O y) as (c & t & E & C). rewrite E in H. cbn [app] in H. congruence.
  - destruct (O x) as (c & t & E & C). rewrite E in H. cbn [app] in H. congruence.
  - rewrite <- !app_assoc in H. apply W in H as [<- H]. apply M in H as [<- H]. auto.
Qed.

Lemma names_code : code (write_list write_text).
Proof. apply write_list_code. apply write_text_code. opening. Qed.

(** *** Cells, states, games *)

Ltac associate H := repeat rewrite <- app_assoc in H.

Lemma write_share_code : forall x y r s, write_share x ++ quote :: r = write_share y ++ quote :: s -> x = y /\ r = s.
Proof.
  assert (O : forall q t, exists c l, write_Q q ++ t = c :: l /\ c <> open_list).
  { intros q t. pose proof (write_Q_head q) as (c & l & E & N). rewrite E. now exists c, (l ++ t). }
  intros [p [x|]] [q [y|]] r s H; unfold write_share in H; cbn [fst snd] in H.
  - associate H. apply literal in H. apply (write_Q_end p q comma) in H as [<- H]; [|reflexivity|discriminate].
    apply (write_Q_end x y close) in H as [<- H]; [|reflexivity|discriminate].
    injection H as H. auto.
  - destruct (O q (quote :: s)) as (c & l & E & N). rewrite E in H. cbn [app] in H. congruence.
  - destruct (O p (quote :: r)) as (c & l & E & N). rewrite E in H. cbn [app] in H. congruence.
  - apply write_Q_end in H as [<- H]; [|reflexivity|discriminate]. auto.
Qed.

Lemma write_outcome_code : code write_outcome.
Proof.
  intros [p x] [q y] r s H. unfold write_outcome, quoted in H. cbn [fst snd] in H. associate H. apply literal in H.
  assert (K : forall t m, (quote :: t ++ [quote]) ++ m = [quote] ++ t ++ quote :: m) by (intros t m; cbn [app]; now rewrite <- app_assoc).
  rewrite !K in H. apply literal, write_share_code in H as [<- H].
  apply literal, write_text_code in H as [<- H]. apply literal in H. auto.
Qed.

Lemma is_zero_eq q : is_zero q = true -> q = 0%Q.
Proof. destruct q as [[] []]; now cbn. Qed.

Lemma write_cell_code : code write_cell.
Proof.
  intros [p x] [q y] r s H. unfold write_cell in *. cbn [pays leads_to] in *.
  assert (L : forall r s, write_list write_outcome x ++ [125] ++ r = write_list write_outcome y ++ [125] ++ s -> x = y /\ r = s).
  { intros r' s' H'. apply write_list_code in H' as [<- H']. apply literal in H'; auto. apply write_outcome_code. opening. }
  destruct (is_zero p) eqn:P, (is_zero q) eqn:Q; try discriminate H; associate H; apply literal in H.
  - apply is_zero_eq in P as ->, Q as ->. apply L in H as [<- <-]. auto.
  - apply quoted_Q_code in H as [<- H]. apply literal, L in H as [<- <-]. auto.
Qed.

Lemma write_cell_opens : opens write_cell.
Proof. intros [q l]. unfold write_cell. cbn [pays]. destruct (is_zero q); eexists; eexists; (split; [reflexivity|discriminate]). Qed.

Lemma cells_code : code (write_list (write_list write_cell)).
Proof. repeat apply write_list_code. apply write_cell_code. apply write_cell_opens. opening. Qed.

Lemma write_state_code k : code (write_state k).
Proof.
  intros [i v|i a b e c] [i' v'|i' a' b' e' c'] r s H; cbn [write_state] in *; associate H;
    apply literal, write_text_code in H as [<- H]; try discriminate H; apply literal in H.
  - apply quoted_Q_code in H as [<- H]. apply literal in H. auto.
  - apply names_code in H as [<- H]. apply literal, names_code in H as [<- H].
    assert (L : forall r s, then_cells ++ write_list (write_list write_cell) c ++ end_line ++ r
      = then_cells ++ write_list (write_list write_cell) c' ++ end_line ++ s -> c = c' /\ r = s).
    { intros r' s' H'. apply literal, cells_code in H' as [<- H']. apply literal in H'. auto. }
    destruct (writes_endless k e) eqn:E, (writes_endless k e') eqn:E'; try discriminate H; associate H.
    + apply literal, quoted_Q_code in H as [<- H]. apply L in H as [<- <-]. auto.
    + apply L in H as [<- <-].
      assert (Z : forall q, writes_endless k q = false -> q = 0%Q).
      { intros q. destruct k; cbn; try easy; rewrite negb_false_iff; apply is_zero_eq. }
      now rewrite (Z e), (Z e').
Qed.

Lemma write_nature_code n n' r s : write_nature n ++ then_start ++ r = write_nature n' ++ then_start ++ s -> n = n' /\ r = s.
Proof.
  destruct n as [[|]|], n' as [[|]|]; cbn [write_nature]; intros H; try discriminate H; try (apply literal, literal in H; auto).
Qed.

Lemma write_kind_code k k' n n' r s : write_kind k ++ write_nature n ++ then_start ++ r = write_kind k' ++ write_nature n' ++ then_start ++ s ->
  k = k' /\ n = n' /\ r = s.
Proof.
  destruct k, k'; cbn [write_kind]; intros H; try discriminate H; try (apply literal, write_nature_code in H; tauto).
  associate H. apply literal, quoted_Q_code in H as [<- H]. apply write_nature_code in H. tauto.
Qed.

Lemma flat_map_code {T} (w : T -> text) l m : code w -> (forall x, exists c t, w x = c :: t) -> flat_map w l = flat_map w m -> l = m.
Proof.
  intros W H. revert m. induction l as [|x l IH]; intros [|y m] E; cbn [flat_map] in E; auto.
  - destruct (H y) as (c & t & K). rewrite K in E. discriminate E.
  - destruct (H x) as (c & t & K). rewrite K in E. discriminate E.
  - apply W in E as [<- E]. f_equal. auto.
Qed.

Lemma write_named_injective g h : write_named g = write_named h -> g = h.
Proof.
  destruct g as [k n l m], h as [k' n' l' m']. intros H. unfold write_named, write_head in H.
  cbn [kind_of chooser start_names named_states] in *. associate H. apply literal, write_kind_code in H as (<- & <- & H).
  apply names_code in H as [<- H]. apply literal in H. apply flat_map_code in H as <-; auto using write_state_code.
  intros []; eexists; eexists; reflexivity.
Qed.

(** *** Numbers and names of states *)

(** Names of states are unique, and all references are to states. *)
Definition is_state (G : sgame) (p : N) : Prop := (N.to_nat p < length (states G))%nat.
(** The largest probabilities are as many as the successors, or none, where all probabilities are certain. *)
Definition tidy (c : cell) : Prop := largest c = [] \/
  length (largest c) = length (successors c) /\ exists q, In (Some q) (largest c).
Definition known_cell (G : sgame) (c : cell) : Prop := Forall (fun qk => is_state G (snd qk)) (successors c) /\ tidy c.
Definition well_named (G : sgame) : Prop :=
  NoDup (map fst (states G)) /\ Forall (is_state G) (starts G) /\
  forall nm a b e cells, In (nm, Turn a b e cells) (states G) -> Forall (Forall (known_cell G)) cells.

Lemma with_largest_successors {T} (l : list (Q * T)) most : map (fun x => (fst (fst x), snd x)) (with_largest l most) = l.
Proof. revert most. induction l as [|[q k] l IH]; intros most; cbn; congruence. Qed.

Lemma with_largest_none {T} (l : list (Q * T)) : Forall (fun x => snd (fst x) = None) (with_largest l []).
Proof. induction l as [|[q k] l IH]; cbn; constructor; auto. Qed.

Lemma with_largest_all {T} (l : list (Q * T)) most : length most = length l -> map (fun x => snd (fst x)) (with_largest l most) = most.
Proof. revert most. induction l as [|[q k] l IH]; intros [|o most] L; cbn in *; try easy. rewrite IH; congruence. Qed.

Lemma with_largest_injective c d : tidy c -> tidy d ->
  with_largest (successors c) (largest c) = with_largest (successors d) (largest d) -> successors c = successors d /\ largest c = largest d.
Proof.
  intros C D E. split. { rewrite <- (with_largest_successors (successors c) (largest c)), E. apply with_largest_successors. }
  assert (K : forall (l l' : list (Q * N)) most, length most = length l -> (exists q, In (Some q) most) ->
    with_largest l most <> with_largest l' []).
  { intros l l' most L (q & I) E'. pose proof (with_largest_none l') as F. rewrite <- E', Forall_forall in F.
    rewrite <- (with_largest_all l most L) in I. apply in_map_iff in I as (x & X & I). apply F in I. congruence. }
  destruct C as [C|[C C']], D as [D|[D D']].
  - congruence.
  - rewrite C in E. symmetry in E. now apply K in E.
  - rewrite D in E. now apply K in E.
  - rewrite <- (with_largest_all _ _ C), E. now apply with_largest_all.
Qed.

Lemma in_with_largest {T} (l : list (Q * T)) most x : In x (with_largest l most) -> In (fst (fst x), snd x) l.
Proof. intros I. rewrite <- (with_largest_successors l most). apply (in_map (fun x => (fst (fst x), snd x))) in I. exact I. Qed.

Lemma named_name names x : named_id (name_state names x) = fst x.
Proof. now destruct x as [i []]. Qed.

Lemma map_eq {S T U} (P : S -> Prop) (Q : T -> Prop) (f : S -> U) (g : T -> U) (R : S -> T -> Prop) l m :
  (forall x y, P x -> Q y -> f x = g y -> R x y) -> Forall P l -> Forall Q m -> map f l = map g m -> Forall2 R l m.
Proof.
  intros H L. revert m. induction L as [|x l X L IH]; intros [|y m] M E; try discriminate E; constructor; inversion M; subst;
    injection E as E E'; auto.
Qed.
Lemma Forall2_eq {T} (l m : list T) : Forall2 eq l m -> l = m.
Proof. induction 1; congruence. Qed.

Lemma name_at_injective G H p q : map fst (states G) = map fst (states H) -> NoDup (map fst (states G)) ->
  is_state G p -> is_state H q -> name_at G p = name_at H q -> p = q.
Proof.
  unfold name_at, is_state. intros E U P Q K.
  assert (A : forall l n, option_map fst (nth_error l n) = nth_error (map (@fst name node) l) n).
  { intros l n. revert l. induction n; intros [|x l]; cbn; auto. }
  pose proof (A (states G) (N.to_nat p)) as A1. pose proof (A (states H) (N.to_nat q)) as A2.
  destruct (nth_error (states G) (N.to_nat p)) as [x|] eqn:X; [|apply nth_error_None in X; lia].
  destruct (nth_error (states H) (N.to_nat q)) as [y|] eqn:Y; [|apply nth_error_None in Y; lia].
  cbn in A1, A2. apply N2Nat.inj. apply (proj1 (NoDup_nth_error _) U).
  - rewrite map_length. exact P.
  - rewrite <- A1, E, <- A2. congruence.
Qed.

Theorem write_injective G H : well_named G -> well_named H -> write_game G = write_game H -> G = H.
Proof.
  intros (U & S & C) (U' & S' & C') E. unfold write_game in E. apply write_named_injective in E. unfold named in E.
  injection E as K Nt E E'.
  assert (I : map fst (states G) = map fst (states H)).
  { assert (M : forall f l, map named_id (map (name_state f) l) = map fst l).
    { intros f l. rewrite map_map. apply map_ext, named_name. }
    rewrite <- (M (name_at G)), <- (M (name_at H)). now f_equal. }
  assert (R : forall p q, is_state G p -> is_state H q -> name_at G p = name_at H q -> p = q).
  { intros p q. now apply name_at_injective. }
  assert (A : starts G = starts H). { apply Forall2_eq. apply (map_eq _ _ _ _ _ _ _ R S S' E). }
  assert (B : states G = states H).
  { apply Forall2_eq. revert E'.
    apply (map_eq (fun x => In x (states G)) (fun x => In x (states H))); try (apply Forall_forall; auto).
    assert (D : forall x y, known_cell G x -> known_cell H y -> name_cell (name_at G) x = name_cell (name_at H) y -> x = y).
    { intros x y [X Tx] [Y Ty] Z. unfold name_cell in Z. injection Z as Z' Z. rewrite Forall_forall in X, Y.
      assert (W : with_largest (successors x) (largest x) = with_largest (successors y) (largest y)).
      { apply Forall2_eq. revert Z.
        apply (map_eq (fun o => is_state G (snd o)) (fun o => is_state H (snd o))).
        - intros [a k] [b m] X' Y' Z. cbn [fst snd] in *. injection Z as <- Z. f_equal. now apply R.
        - apply Forall_forall. intros o J. apply in_with_largest in J. now apply X in J.
        - apply Forall_forall. intros o J. apply in_with_largest in J. now apply Y in J. }
      apply with_largest_injective in W as [W W']; auto. destruct x, y. cbn in *. congruence. }
    intros [i x] [i' y] X Y Z. unfold name_state in Z. cbn [fst snd] in Z.
    destruct x as [v|a b e c], y as [v'|a' b' e' c']; try discriminate Z.
    - now injection Z as <- <-.
    - injection Z as <- <- <- <- Z. do 2 f_equal. apply C in X. apply C' in Y. apply Forall2_eq.
      revert Z. refine (map_eq _ _ _ _ _ _ _ _ X Y). intros l m L M Z. apply Forall2_eq. exact (map_eq _ _ _ _ _ _ _ D L M Z). }
  destruct G, H. cbn in *. congruence.
Qed.
