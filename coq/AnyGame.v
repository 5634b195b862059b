(** * Any game, and the check of its certificates

    A game is a list of states, the one that a file of docs/game-format.md contains; play may be infinite. This file has all
    definitions: the game, plays, security levels, the certificate and its check. [AnyProof] proves that the
    check is sound. *)

From Coq Require Import ZArith QArith List Bool.
From PencilTennis Require Import Numbers.
From PencilTennis Require Table.
Import ListNotations.

(** ** Games *)

(** The bytes of a name. Names mean nothing to the check; they are here so that a game can be written down. *)
Definition name := list N.

Inductive player := A | B.

(** Successors have probabilities, and the numbers of states. Where nature chooses probabilities within limits, these are the least
    ones, and [largest] has the largest one of each successor, or [None] if its probability is certain; in all other cells
    [largest] is empty. *)
Record cell := { reward : Q; successors : list (Q * N); largest : list (option Q) }.

(** A row of cells for each action of A, with a cell for each action of B. *)
Inductive node :=
| End (value : Q)
| Turn (actions_A actions_B : list name) (endless : Q) (cells : list (list cell)).

Inductive kind := Acyclic | Discounted (discount : Q) | Stopping | Recursive | Total | Target.

(** [nature] is the player for whom nature chooses uncertain probabilities. *)
Record sgame := { the_kind : kind; nature : option player; starts : list N; states : list (name * node) }.

(** ** Its rules, as functions *)

(** A turn in a state: the numbers of actions of both players (numbered from 0), the payoff of infinite plays through this state,
    and for each pair of actions a reward, the probabilities of the states that may follow, and as in a cell the largest ones. *)
Record turn := {
  count_A : nat; count_B : nat;
  endless : Q;
  reward_of : nat -> nat -> Q;
  chance : nat -> nat -> list (Q * N);
  at_most : nat -> nat -> list (option Q) }.

(** A state is an end with its value, or has a turn. *)
Record rules := { rules_kind : kind; at_state : N -> Q + turn }.

Definition nothing : cell := {| reward := 0; successors := []; largest := [] |}.
Definition cell_at (cells : list (list cell)) (i j : nat) : cell := nth j (nth i cells []) nothing.
Definition node_cells (x : node) : list cell := match x with End _ => [] | Turn _ _ _ cells => concat cells end.

(** The sign of the rewards: -1 if some turn pays less than 0. *)
Definition sign_of (G : sgame) : Q :=
  if existsb (fun x => existsb (fun c => (Qnum (reward c) <? 0)%Z) (node_cells (snd x))) (states G) then -1 else 1.

(** A game of kind target has no payoffs of infinite plays: [endless] is the sign of the infinite payoff. *)
Definition endless_of (G : sgame) (e : Q) : Q := match the_kind G with Target => sign_of G | _ => e end.

Definition turn_of (G : sgame) (x : node) : Q + turn :=
  match x with
  | End v => inl v
  | Turn a b e cells => inr {| count_A := length a; count_B := length b; endless := endless_of G e;
      reward_of := fun i j => reward (cell_at cells i j); chance := fun i j => successors (cell_at cells i j);
      at_most := fun i j => largest (cell_at cells i j) |}
  end.
Definition rules_of (G : sgame) : rules := {| rules_kind := the_kind G;
  at_state := fun p => match nth_error (states G) (N.to_nat p) with Some x => turn_of G (snd x) | None => inl 0 end |}.

Definition discount_of (k : kind) : Q := match k with Discounted d => d | _ => 1 end.

(** Whether play may be infinite and then has a payoff of its own. *)
Definition may_last (k : kind) : bool := match k with Recursive | Total | Target => true | _ => false end.

(** ** Play *)

(** A history: for each turn the actions of both players and the state chosen by chance, the first turn first. *)
Definition history := list (nat * nat * N).

Inductive leads (R : rules) : N -> history -> N -> Prop :=
| here p : leads R p [] p
| step p x i j k q h p' : at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat ->
    In (q, k) (chance x i j) -> (0 < q)%Q -> leads R k h p' -> leads R p ((i, j, k) :: h) p'.

(** ** Games that fulfil the conditions of their kind *)

(** Probabilities are not negative and sum to 1. *)
Definition probabilities (l : list (Q * N)) : Prop :=
  (forall q k, In (q, k) l -> 0 <= q)%Q /\ (fold_right (fun qk s => fst qk + s) 0 l == 1)%Q.

(** The limits of uncertain probabilities: the least and the largest one of each successor. *)
Fixpoint limits (l : list (Q * N)) (most : list (option Q)) : list (Q * Q) :=
  match l with
  | [] => []
  | (q, _) :: l => (q, match most with Some m :: _ => m | _ => q end) :: limits l (tl most)
  end.

(** Nature decides how likely a successor is, not whether it is possible; some probabilities within the limits sum to 1. *)
Definition are_limits (l : list (Q * Q)) : Prop :=
  (forall least most, In (least, most) l -> 0 < least /\ least <= most /\ most <= 1 \/ least == 0 /\ most == 0)%Q /\
  (fold_right (fun x s => fst x + s) 0 l <= 1)%Q /\ (1 <= fold_right (fun x s => snd x + s) 0 l)%Q.

(** Both players have an action, and there is a cell for each pair of actions; successors are states, and their probabilities are
    such ones. *)
Definition shaped_by (good : cell -> Prop) (G : sgame) : Prop :=
  forall p nm a b e cells, nth_error (states G) p = Some (nm, Turn a b e cells) ->
    a <> [] /\ b <> [] /\ length cells = length a /\
    forall row, In row cells -> length row = length b /\
      forall c, In c row -> good c /\
        forall q k, In (q, k) (successors c) -> (N.to_nat k < length (states G))%nat.
Definition is_certain (c : cell) : Prop := probabilities (successors c) /\ largest c = [].
Definition has_limits (c : cell) : Prop := is_certain c \/ are_limits (limits (successors c) (largest c)).

(** A game of certain probabilities, and one of uncertain ones. *)
Definition well_shaped (G : sgame) : Prop := shaped_by is_certain G.
Definition uncertainly_shaped (G : sgame) : Prop := shaped_by has_limits G.

(** Play can be kept in a set of states: in each of them some pair of actions leads to none but states of the set. *)
Definition kept_in (R : rules) (S : N -> Prop) : Prop :=
  forall p, S p -> exists x i j, at_state R p = inr x /\ (i < count_A x)%nat /\ (j < count_B x)%nat /\
    forall q k, In (q, k) (chance x i j) -> (0 < q)%Q -> S k.

(** All rewards are such numbers. *)
Definition rewards_are (R : rules) (P : Q -> Prop) : Prop :=
  forall p x i j, at_state R p = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat -> P (reward_of x i j).
Definition one_sign (R : rules) : Prop := rewards_are R (fun r => 0 <= r)%Q \/ rewards_are R (fun r => r <= 0)%Q.

(** States that reach each other have one payoff of infinite plays. *)
Definition endless_by_cycle (R : rules) : Prop :=
  forall p h x p' h' x', leads R p h p' -> leads R p' h' p -> at_state R p = inr x -> at_state R p' = inr x' ->
    (endless x == endless x')%Q.

Definition of_its_kind (R : rules) : Prop :=
  match rules_kind R with
  | Acyclic => forall p h, leads R p h p -> h = []
  | Discounted d => (0 < d < 1)%Q
  | Stopping => forall S, kept_in R S -> forall p, ~ S p
  | Recursive => rewards_are R (fun r => r == 0)%Q /\ endless_by_cycle R
  | Total => one_sign R /\ endless_by_cycle R
  | Target => one_sign R
  end.

Definition well_formed (G : sgame) : Prop := well_shaped G /\ of_its_kind (rules_of G).
Definition uncertainly_formed (G : sgame) : Prop := uncertainly_shaped G /\ of_its_kind (rules_of G).

(** ** Strategies and their security levels *)

Section Play.
Open Scope field_scope.
Variables (F : ordered_field) (R : rules).

(** A strategy maps every history to a mixture: it may depend on the whole past. *)
Definition mixture := list (nat * F).
Definition strategy := history -> mixture.
Fixpoint mean {T} (d : list (T * F)) (f : T -> F) : F := match d with [] => 0 | (i, x) :: d => x * f i + mean d f end.
Definition distribution (n : nat) (d : mixture) : Prop :=
  (forall i x, In (i, x) d -> (i < n)%nat /\ 0 <= x) /\ mean d (fun _ => 1) = 1.
Definition fractions (l : list (Q * N)) : list (N * F) := map (fun qk => (snd qk, ratio (fst qk))) l.

Definition proper_A (p : N) (s : strategy) : Prop :=
  forall h p' x, leads R p h p' -> at_state R p' = inr x -> distribution (count_A x) (s h).
Definition proper_B (p : N) (t : strategy) : Prop :=
  forall h p' x, leads R p h p' -> at_state R p' = inr x -> distribution (count_B x) (t h).
Definition later (s : strategy) i j k : strategy := fun h => s ((i, j, k) :: h).

(** A's expected payoff of the first [n] turns: discounted rewards, and the value of an end. *)
Fixpoint won (n : nat) (s t : strategy) (p : N) : F :=
  match at_state R p, n with
  | inl v, _ => ratio v
  | inr x, O => 0
  | inr x, S n => mean (s []) (fun i => mean (t []) (fun j => ratio (reward_of x i j) + ratio (discount_of (rules_kind R)) *
      mean (fractions (chance x i j)) (fun k => won n (later s i j k) (later t i j k) k)))
  end.

(** The payoff of infinite plays through a state; in a game of kind target [large] stands for an infinite payoff. *)
Definition infinite (large : Q) (x : turn) : Q := match rules_kind R with Target => large * endless x | _ => endless x end.

(** Where play may be infinite: the expected sum, over the first [n] states, of the payoff of a play that stays there: all rewards
    so far, and the value of an end or the payoff of infinite plays. The reward of the first turn counts at all states but the
    first. *)
Fixpoint stayed (large : Q) (n : nat) (s t : strategy) (p : N) : F :=
  match n with
  | O => 0
  | S n => match at_state R p with
    | inl v => ratio v + stayed large n s t p
    | inr x => ratio (infinite large x) + mean (s []) (fun i => mean (t []) (fun j => integer (Z.of_nat n) * ratio (reward_of x i j) +
        mean (fractions (chance x i j)) (fun k => stayed large n (later s i j k) (later t i j k) k)))
    end
  end.

(** A's payoff by the first [n] turns; where play may be infinite the mean over the states. *)
Definition worth (large : Q) (n : nat) s t p : F :=
  if may_last (rules_kind R) then stayed large (S n) s t p / integer (Z.of_nat (S n)) else won n s t p.

(** No measure and no limit is needed: a number is secured if it is secured in the first [n] turns for all large [n], up to any
    fraction, uniformly over the opponents; in a game of kind target for all large payoffs of infinite plays. *)
Definition A_secures_with (s : strategy) (p : N) (q : F) : Prop := proper_A p s /\ exists least : Q,
  forall large e, (least <= large)%Q -> (0 < e)%Q ->
  exists m, forall n t, (m <= n)%nat -> proper_B p t -> q - ratio e <= worth large n s t p.
Definition B_secures_with (t : strategy) (p : N) (q : F) : Prop := proper_B p t /\ exists least : Q,
  forall large e, (least <= large)%Q -> (0 < e)%Q ->
  exists m, forall n s, (m <= n)%nat -> proper_A p s -> worth large n s t p <= q + ratio e.
Definition A_secures (p : N) (q : F) : Prop := exists s, A_secures_with s p q.
Definition B_secures (p : N) (q : F) : Prop := exists t, B_secures_with t p q.

(** *** Uncertain probabilities

    Nature chooses the probabilities of the successors after both actions, within the limits, anew at every visit. Like a strategy
    it may depend on the whole past. *)

Definition choice := history -> nat -> nat -> list (N * F).

(** The successors of a cell, with probabilities within the limits. *)
Fixpoint between (l : list (Q * N)) (most : list (option Q)) (d : list (N * F)) : Prop :=
  match l, d with
  | [], [] => True
  | (q, k) :: l, (k', x) :: d => k' = k /\ (match most with Some m :: _ => le (ratio q) x /\ le x (ratio m) | _ => x = ratio q end) /\
      between l (tl most) d
  | _, _ => False
  end.
Definition allowed (x : turn) (i j : nat) (d : list (N * F)) : Prop :=
  between (chance x i j) (at_most x i j) d /\ mean d (fun _ => 1) = 1.
Definition proper_nature (p : N) (w : choice) : Prop :=
  forall h p' x i j, leads R p h p' -> at_state R p' = inr x -> (i < count_A x)%nat -> (j < count_B x)%nat -> allowed x i j (w h i j).
Definition chosen_later (w : choice) i j k : choice := fun h => w ((i, j, k) :: h).

(** Payoffs as above, with the probabilities that nature chooses. *)
Fixpoint won_by (n : nat) (s t : strategy) (w : choice) (p : N) : F :=
  match at_state R p, n with
  | inl v, _ => ratio v
  | inr x, O => 0
  | inr x, S n => mean (s []) (fun i => mean (t []) (fun j => ratio (reward_of x i j) + ratio (discount_of (rules_kind R)) *
      mean (w [] i j) (fun k => won_by n (later s i j k) (later t i j k) (chosen_later w i j k) k)))
  end.
Fixpoint stayed_by (large : Q) (n : nat) (s t : strategy) (w : choice) (p : N) : F :=
  match n with
  | O => 0
  | S n => match at_state R p with
    | inl v => ratio v + stayed_by large n s t w p
    | inr x => ratio (infinite large x) + mean (s []) (fun i => mean (t []) (fun j => integer (Z.of_nat n) * ratio (reward_of x i j) +
        mean (w [] i j) (fun k => stayed_by large n (later s i j k) (later t i j k) (chosen_later w i j k) k)))
    end
  end.
Definition worth_by (large : Q) (n : nat) s t w p : F :=
  if may_last (rules_kind R) then stayed_by large (S n) s t w p / integer (Z.of_nat (S n)) else won_by n s t w p.

(** A number is secured against any strategy of the opponent and any nature of some class: all of them, or a given one. *)
Definition A_secures_by (natures : choice -> Prop) (s : strategy) (p : N) (q : F) : Prop := proper_A p s /\ exists least : Q,
  forall large e, (least <= large)%Q -> (0 < e)%Q ->
  exists m, forall n t w, (m <= n)%nat -> proper_B p t -> natures w -> q - ratio e <= worth_by large n s t w p.
Definition B_secures_by (natures : choice -> Prop) (t : strategy) (p : N) (q : F) : Prop := proper_B p t /\ exists least : Q,
  forall large e, (least <= large)%Q -> (0 < e)%Q ->
  exists m, forall n s w, (m <= n)%nat -> proper_A p s -> natures w -> worth_by large n s t w p <= q + ratio e.
Definition A_secures_whatever s p q := A_secures_by (proper_nature p) s p q.
Definition B_secures_whatever t p q := B_secures_by (proper_nature p) t p q.
Definition A_secures_together s w p q := proper_nature p w /\ A_secures_by (eq w) s p q.
Definition B_secures_together t w p q := proper_nature p w /\ B_secures_by (eq w) t p q.
End Play.

(** ** Certificates *)

(** Bounds in units, and weights of both players' actions, by their numbers. *)
Record line := { lower : Z; upper : Z; of_A : list (N * Z); of_B : list (N * Z) }.

(** A verdict says whether the values at all starts keep a bound. *)
Inductive relation := At_least | Above | At_most | Below.
Record verdict := { the_relation : relation; threshold : Q; is_kept : bool }.

Record certificate := { the_game : sgame; exponent : N; weight_exponent : option N; the_verdict : option verdict; lines : list line }.

(** How many units 1 has: 2^exponent. *)
Definition unit (c : certificate) : positive := Pos.shiftl 1 (exponent c).

(** The sum of a strategy's weights: 2^62 in version 1 of the format, which has no exponent of weights. *)
Definition whole (c : certificate) : positive := Pos.shiftl 1 (match weight_exponent c with Some e => e | None => 62 end).

(** *** The strategies that a certificate contains

    The state that a history leads to decides how its player mixes: by the weights of the state's
    line. *)

Definition arrived (p : N) (h : history) : N := fold_left (fun _ turn => snd turn) h p.

Definition mixture_by (F : ordered_field) (c : certificate) (weights : list (N * Z)) : mixture F :=
  map (fun iw => (N.to_nat (fst iw), ratio (snd iw # whole c))) weights.

Definition published (F : ordered_field) (c : certificate) (weights : line -> list (N * Z))
    (p : N) : strategy F :=
  fun h => match nth_error (lines c) (N.to_nat (arrived p h)) with
    | Some y => mixture_by F c (weights y)
    | None => []
    end.

(** ** The check *)

Definition two_62 : Z := 2 ^ 62.
Definition largest_bound (c : certificate) : Z := match weight_exponent c with Some _ => two_62 * Zpos (unit c) | None => two_62 end.
Definition largest_worth (c : certificate) : option Z :=      (* of a cell that has a weight, in units *)
  match weight_exponent c with Some _ => None | None => Some (2 ^ 63)%Z end.
Definition largest_payoff : Z := 2 ^ 61.
Definition largest_denominator : Z := 2 ^ 62.
Definition check_exponents (c : certificate) : bool :=
  match weight_exponent c with Some e => (exponent c <=? 16384)%N && (e <=? 16384)%N | None => (exponent c <=? 126)%N end.

Definition positive_Q (q : Q) : bool := (0 <? Qnum q)%Z.
Definition same_N (a b : N) : bool := match N.compare a b with Eq => true | _ => false end.
Definition within (z most : Z) : bool := (Z.abs z <=? most)%Z.
Definition payoff_in_range (q : Q) : bool := within (Qnum q) (largest_payoff * Zpos (Qden q)).

(** The sum of fractions, which mostly have a denominator in common. *)
Definition plus (p q : Q) : Q :=
  let '(a # b, c # d) := (p, q) in
  if (Zpos b mod Zpos d =? 0)%Z then (a + c * (Zpos b / Zpos d) # b)%Q
  else if (Zpos d mod Zpos b =? 0)%Z then (a * (Zpos d / Zpos b) + c # d)%Q
  else Qred (p + q).

(** *** Tables by the numbers of states

    In the extracted program these four definitions are those of tables.ml, which keeps arrays. *)

Definition map_to := Table.map_to.
Definition no_entry {V} : map_to V := Table.Nothing.
Definition look {V} (m : map_to V) (p : N) : option V := Table.find (N.succ_pos p) m.
Definition put {V} (m : map_to V) (p : N) (v : V) : map_to V := Table.add (N.succ_pos p) v m.

Definition entry : Type := N * (node * line).

(** States with their numbers and their lines, unless these are not as many. *)
Fixpoint entries (p : N) (l : list (name * node)) (lines : list line) (found : list entry) : option (list entry) :=
  match l, lines with
  | [], [] => Some found
  | x :: l, y :: lines => entries (N.succ p) l lines ((p, (snd x, y)) :: found)
  | _, _ => None
  end.

Definition table (l : list entry) : map_to (node * line) := fold_left (fun m e => put m (fst e) (snd e)) l no_entry.

(** *** The form of the game *)

(** The denominator that a cell's reward, discounted probabilities and the discount have in common. *)
Definition common (a b : Z) : Z := if (a mod b =? 0)%Z then a else if (b mod a =? 0)%Z then b else Z.lcm a b.
Definition denominator (reduce : Q -> Q) (d : Q) (c : cell) : Z :=
  fold_left (fun m o => match o with Some q => common m (Zpos (Qden (reduce (Qmult d q)))) | None => m end) (largest c)
    (fold_left (fun m qk => common m (Zpos (Qden (reduce (Qmult d (fst qk)))))) (successors c)
      (common (Zpos (Qden (reduce d))) (Zpos (Qden (reduce (reward c)))))).
Definition denominator_in_range (d : Q) (c : cell) : bool :=
  (denominator (fun q => q) d c <? largest_denominator)%Z || (denominator Qred d c <? largest_denominator)%Z.

Fixpoint same_length {T U} (l : list T) (m : list U) : bool :=
  match l, m with [], [] => true | _ :: l, _ :: m => same_length l m | _, _ => false end.
Definition is_empty {T} (l : list T) : bool := match l with [] => true | _ => false end.

(** Whether nature can choose: the limits of uncertain probabilities, and probabilities within them that sum to 1. *)
Definition limits_of (c : cell) : list (Q * Q) := limits (successors c) (largest c).
Definition check_limit (x : Q * Q) : bool :=
  let '(least, most) := x in
  (0 <? Qnum least)%Z && Qle_bool least most && Qle_bool most 1 || (Qnum least =? 0)%Z && (Qnum most =? 0)%Z.
Definition check_limits (c : cell) : bool :=
  let l := limits_of c in
  forallb check_limit l && Qle_bool (fold_left (fun s x => plus s (fst x)) l 0%Q) 1 &&
  Qle_bool 1 (fold_left (fun s x => plus s (snd x)) l 0%Q).

Definition check_cell {V} (k : kind) (m : map_to V) (c : cell) : bool :=
  let sum := fold_left (fun s qk => plus s (fst qk)) (successors c) 0%Q in
  (if is_empty (largest c) then (Qnum sum =? Zpos (Qden sum))%Z else check_limits c) &&
  forallb (fun qk => (0 <=? Qnum (fst qk))%Z && match look m (snd qk) with Some _ => true | None => false end) (successors c) &&
  payoff_in_range (reward c) && match k with Recursive => (Qnum (reward c) =? 0)%Z | _ => true end &&
  denominator_in_range (discount_of k) c.

Definition check_node {V} (k : kind) (m : map_to V) (x : node) : bool :=
  match x with
  | End v => payoff_in_range v
  | Turn a b e cells => negb (is_empty a) && negb (is_empty b) && payoff_in_range e && same_length cells a &&
      forallb (fun row => same_length row b && forallb (check_cell k m) row) cells
  end.

(** *** Ways out

    Where play cannot be kept, states have ranks: from a state of a positive rank some state of a lower rank follows, whichever of
    its choices the opponent takes. A choice is the list of the states that may follow it. The ranks are found by any means, and
    checked. *)

Definition targets (c : cell) : list N := map snd (filter (fun qk => positive_Q (fst qk)) (successors c)).
Definition place : Type := N * list (list N).       (* a state and its choices *)
Definition rank (m : map_to N) (p : N) : N := match look m p with Some r => r | None => 0%N end.

(** Takes states out of a set, one after the other, that play has to leave with some probability; states of rank 0 are inside. *)
Definition is_outside (m : map_to N) (k : N) : bool := match look m k with Some N0 => false | _ => true end.
Definition sift (found : list place * (N * map_to N)) (x : place) : list place * (N * map_to N) :=
  let '(kept, (r, m)) := found in
  if forallb (existsb (is_outside m)) (snd x) then (kept, (N.succ r, put m (fst x) (N.succ r))) else (x :: kept, (r, m)).
Fixpoint sifted (fuel : list place) (inside : list place) (r : N) (m : map_to N) : map_to N :=
  match fuel with
  | [] => m
  | _ :: fuel => let '(inside', (r', m')) := fold_left sift inside ([], (r, m)) in
      if same_N r r' then m else sifted fuel inside' r' m'
  end.
Definition ranks (l : list place) : map_to N := sifted l l 0 (fold_left (fun m x => put m (fst x) 0%N) l no_entry).

Definition leads_down (m : map_to N) (x : place) : bool :=
  forallb (existsb (fun k => (rank m k <? rank m (fst x))%N)) (snd x).
Definition is_left (l : list place) : bool := let m := ranks l in forallb (leads_down m) l.

(** *** Cycles

    Levels of states that do not rise along any step, found by Kosaraju's two searches: states that reach each other have the same
    one, and no others. They are checked, too. *)

Definition graph := map_to (list N).
Definition neighbours (g : graph) (p : N) : list N := match look g p with Some l => l | None => [] end.

Record search := { open : list (N * list N); seen : map_to Datatypes.unit; closed : list N }.
Definition search_step (g : graph) (s : search) : search :=
  match open s with
  | [] => s
  | (p, []) :: rest => {| open := rest; seen := seen s; closed := p :: closed s |}
  | (p, k :: l) :: rest => match look (seen s) k with
      | Some _ => {| open := (p, l) :: rest; seen := seen s; closed := closed s |}
      | None => {| open := (k, neighbours g k) :: (p, l) :: rest; seen := put (seen s) k tt; closed := closed s |}
      end
  end.

Record gathering := { roots : list N; work : list N; level : N; levels : map_to N }.
Definition gathering_step (back : graph) (s : gathering) : gathering :=
  match work s, roots s with
  | k :: work, _ => match look (levels s) k with
      | Some _ => {| roots := roots s; work := work; level := level s; levels := levels s |}
      | None => {| roots := roots s; work := rev_append (neighbours back k) work; level := level s;
          levels := put (levels s) k (level s) |}
      end
  | [], p :: roots => match look (levels s) p with
      | Some _ => {| roots := roots; work := []; level := level s; levels := levels s |}
      | None => {| roots := roots; work := [p]; level := N.pred (level s); levels := levels s |}
      end
  | [], [] => s
  end.

Definition iterate {T} (f : T -> T) (n : N) (x : T) : T := match n with N0 => x | Npos p => Pos.iter f x p end.

(** The levels of states with the states that may follow them. *)
Definition find_levels (edges : list (N * list N)) : map_to N :=
  let g : graph := fold_left (fun m x => put m (fst x) (snd x)) edges no_entry in
  let back : graph := fold_left (fun m x =>
    fold_left (fun m k => put m k (fst x :: neighbours m k)) (snd x) m) edges no_entry in
  let count := fold_left (fun n _ => N.succ n) edges 0%N in
  let steps := fold_left (fun n x => fold_left (fun n _ => N.succ n) (snd x) (N.succ (N.succ n))) edges 2%N in
  let first := iterate (search_step g) (steps + count)%N    (* the last to be closed is none of the states *)
    {| open := [(count, fold_left (fun l x => fst x :: l) edges [])]; seen := no_entry; closed := [] |} in
  levels (iterate (gathering_step back) (steps + count)%N
    {| roots := tl (closed first); work := []; level := N.succ count; levels := no_entry |}).

(** Steps from a state to states that are no ends. *)
Definition is_turn (m : map_to (node * line)) (p : N) : bool := match look m p with Some (Turn _ _ _ _, _) => true | _ => false end.
Definition edges_of (m : map_to (node * line)) (l : list entry) : list (N * list N) :=
  fold_left (fun found e => match e with
    | (p, (Turn _ _ _ cells as x, _)) => (p, flat_map (fun c => filter (is_turn m) (targets c)) (node_cells x)) :: found
    | _ => found
    end) l [].

(** *** The kind *)

Definition endless_at (m : map_to (node * line)) (p : N) : Q := match look m p with Some (Turn _ _ e _, _) => e | _ => 0 end.
Definition same_Q (p q : Q) : bool := (Qnum p * Zpos (Qden q) =? Qnum q * Zpos (Qden p))%Z.

Definition check_acyclic (m : map_to (node * line)) (l : list entry) : bool :=
  let edges := edges_of m l in let levels := find_levels edges in
  forallb (fun x => forallb (fun k => (rank levels k <? rank levels (fst x))%N) (snd x)) edges.

Definition check_cycles (m : map_to (node * line)) (l : list entry) : bool :=
  let edges := edges_of m l in let levels := find_levels edges in
  forallb (fun x => let r := rank levels (fst x) in let e := endless_at m (fst x) in
    forallb (fun k => match N.compare (rank levels k) r with
      | Lt => true | Eq => same_Q (endless_at m k) e | Gt => false end) (snd x)) edges.

(** Where play can be kept if both players want it. *)
Definition both_places (l : list entry) : list place :=
  fold_left (fun found e => match e with
    | (p, (Turn _ _ _ cells as x, _)) => (p, map targets (node_cells x)) :: found
    | _ => found
    end) l [].

(** All rewards are such numbers, and all payoffs of infinite plays. *)
Definition check_rewards (good : Z -> bool) (l : list entry) : bool :=
  forallb (fun e => forallb (fun c => good (Qnum (reward c))) (node_cells (fst (snd e)))) l.
Definition check_sign (l : list entry) : bool := check_rewards (Z.leb 0) l || check_rewards (fun r => (r <=? 0)%Z) l.
Definition no_endless (l : list entry) : bool :=
  forallb (fun e => match fst (snd e) with Turn _ _ q _ => (Qnum q =? 0)%Z | _ => true end) l.

Definition check_kind (k : kind) (m : map_to (node * line)) (l : list entry) : bool :=
  match k with
  | Acyclic => check_acyclic m l
  | Discounted d => (0 <? Qnum d)%Z && (Qnum d <? Zpos (Qden d))%Z
  | Stopping => is_left (both_places l)
  | Recursive => check_cycles m l
  | Total => check_sign l && check_cycles m l
  | Target => check_sign l && no_endless l
  end.

(** *** One player's bounds

    A's are the lower ones. B's are the upper ones with the other sign: B is A in the game with the players exchanged. *)

(** The weights of all actions, by rising numbers: 0 where none is given. *)
Fixpoint dense {T} (i : N) (actions : list T) (l : list (N * Z)) : option (list Z) :=
  match actions, l with
  | [], [] => Some []
  | [], _ => None
  | _ :: actions, [] => option_map (cons 0%Z) (dense (N.succ i) actions [])
  | _ :: actions, (k, w) :: rest =>
      if same_N i k then if (0 <? w)%Z then option_map (cons w) (dense (N.succ i) actions rest) else None
      else option_map (cons 0%Z) (dense (N.succ i) actions l)
  end.

(** The columns of a table as rows. *)
Fixpoint prepend {T} (row : list T) (columns : list (list T)) : list (list T) :=
  match row, columns with x :: row, column :: columns => (x :: column) :: prepend row columns | _, _ => [] end.
Fixpoint columns {T U} (width : list U) (rows : list (list T)) : list (list T) :=
  match rows with [] => map (fun _ => []) width | row :: rows => prepend row (columns width rows) end.

Definition signed (s : player) (q : Q) : Q := match s with A => q | B => Qopp q end.
Definition bound_of (s : player) (y : line) : Z := match s with A => lower y | B => - upper y end.

(** *** Nature's choice

    Of values of the successors in whole units, [worst] is the least mean that nature can choose: by duality the best of the lower
    bounds that a price [t] gives, each of which is one whatever nature chooses. Where nature takes the player's side, its choice is
    found with a price, too: a successor that is worth more than [t] is as likely as can be, one that is worth less as unlikely. *)

Fixpoint above_price (t : Z) (l : list (Q * Q)) (values : list Z) : Q :=
  match l, values with
  | (least, most) :: l, v :: values => plus (Qmult (if (t <=? v)%Z then least else most) (inject_Z (v - t))) (above_price t l values)
  | _, _ => 0
  end.
Definition by_price (t : Z) (l : list (Q * Q)) (values : list Z) : Q := plus (inject_Z t) (above_price t l values).
Definition worst (l : list (Q * Q)) (values : list Z) : Q :=
  match values with
  | [] => 0
  | t :: others => fold_left (fun best t => let q := by_price t l values in if Qle_bool best q then q else best) others (by_price t l values)
  end.

(** The probabilities by a price, if [left] of them is left for the successors that are worth it. *)
Fixpoint share_out (t : Z) (left : Q) (l : list (Q * Q)) (values : list Z) : list Q :=
  match l, values with
  | (least, most) :: l, v :: values => match (v ?= t)%Z with
      | Gt => most :: share_out t left l values
      | Lt => least :: share_out t left l values
      | Eq => let q := if Qle_bool (Qred (Qminus most least)) left then most else plus least left in
          q :: share_out t (Qred (Qminus left (Qminus q least))) l values
      end
  | _, _ => []
  end.
Definition left_at (t : Z) (l : list (Q * Q)) (values : list Z) : Q :=
  fold_left (fun left x => Qred (Qminus left (if (t <? snd x)%Z then snd (fst x) else fst (fst x)))) (combine l values) 1.
Fixpoint fits (l : list (Q * Q)) (shares : list Q) : bool :=
  match l, shares with
  | [], [] => true
  | (least, most) :: l, q :: shares => Qle_bool least q && Qle_bool q most && fits l shares
  | _, _ => false
  end.
Definition sum_of_shares (shares : list Q) : Q := fold_left plus shares 0.
Definition try_price (l : list (Q * Q)) (values : list Z) (t : Z) : option (list Q) :=
  let shares := share_out t (left_at t l values) l values in
  if fits l shares && Qeq_bool (sum_of_shares shares) 1 then Some shares else None.
Definition chosen (l : list (Q * Q)) (values : list Z) : option (list Q) :=
  fold_left (fun found t => match found with Some _ => found | None => try_price l values t end) values None.
Definition mean_of (shares : list Q) (values : list Z) : Q :=
  fold_left (fun sum qv => plus sum (Qmult (fst qv) (inject_Z (snd qv)))) (combine shares values) 0.

(** Whether nature chooses for this player. *)
Definition on_side (s : player) (n : option player) : bool := match s, n with A, Some A => true | B, Some B => true | _, _ => false end.
Definition mean_by_nature (helps : bool) (l : list (Q * Q)) (values : list Z) : Q :=
  if helps then match chosen l values with Some shares => mean_of shares values | None => 0 end else worst l values.

Definition bound_in (s : player) (m : map_to (node * line)) (k : N) : Z := match look m k with Some (_, y) => bound_of s y | None => 0%Z end.
Definition values_in (s : player) (m : map_to (node * line)) (c : cell) : list Z := map (fun qk => bound_in s m (snd qk)) (successors c).

(** The lower bound of a cell for the player, in whole units: rounded down, once. A cell of more than the most units counts as
    too bad for any bound. *)
Definition cell_worth (s : player) (helps : bool) (units : positive) (most : option Z) (d : Q) (m : map_to (node * line)) (c : cell) : Z :=
  let pay := Qmult (signed s (reward c)) (inject_Z (Zpos units)) in
  let sum := if is_empty (largest c)
    then fold_left (fun sum qk => plus sum (Qmult (Qmult d (fst qk)) (inject_Z (bound_in s m (snd qk))))) (successors c) pay
    else plus pay (Qmult d (mean_by_nature helps (limits_of c) (values_in s m c))) in
  let z := (Qnum sum / Zpos (Qden sum))%Z in
  match most with Some most => if within z most then z else Z.min z (- 2 ^ 200) | None => z end.

Fixpoint weigh (worth : cell -> Z) (l : list Z) (cells : list cell) : Z :=
  match l, cells with
  | w :: l, c :: cells => if (w =? 0)%Z then weigh worth l cells else (w * worth c + weigh worth l cells)%Z
  | _, _ => 0%Z
  end.
Fixpoint reached (l : list Z) (cells : list cell) : list N :=
  match l, cells with
  | w :: l, c :: cells => if (w =? 0)%Z then reached l cells else targets c ++ reached l cells
  | _, _ => []
  end.

(** Whether no cell that has a weight pays. *)
Fixpoint unpaid (l : list Z) (cells : list cell) : bool :=
  match l, cells with w :: l, c :: cells => ((w =? 0)%Z || (Qnum (reward c) =? 0)%Z) && unpaid l cells | _, _ => true end.

(** A state's number, its bound, its player's weights, for each action of the opponent the cells of the player's actions, and the
    payoff of infinite plays. *)
Record stand := { number_of : N; bound : Z; weights : list Z; replies : list (list cell); beyond : Q }.

Definition total (l : list Z) : Z := fold_left Z.add l 0%Z.
Definition stand_of (s : player) (e : entry) : option stand :=
  match e with
  | (_, (End _, _)) => None
  | (p, (Turn a b endless cells, y)) =>
      match s with
      | A => match dense 0 a (of_A y) with
          | Some w => Some {| number_of := p; bound := lower y; weights := w; replies := columns b cells; beyond := endless |}
          | None => None
          end
      | B => match dense 0 b (of_B y) with
          | Some w => Some {| number_of := p; bound := - upper y; weights := w; replies := cells; beyond := Qopp endless |}
          | None => None
          end
      end
  end.

Definition check_stand (whole : Z) (worth : cell -> Z) (x : stand) : bool :=
  (total (weights x) =? whole)%Z &&
  let least := (bound x * whole)%Z in forallb (fun cells => (least <=? weigh worth (weights x) cells)%Z) (replies x).

(** Ends are within their bounds. *)
Definition check_entry (s : player) (whole : Z) (worth : cell -> Z) (units : positive) (e : entry) : bool :=
  match e with
  | (_, (End v, y)) => Qle_bool (inject_Z (bound_of s y)) (Qmult (signed s v) (inject_Z (Zpos units))) &&
      match s with A => is_empty (of_A y) | B => is_empty (of_B y) end
  | _ => match stand_of s e with Some x => check_stand whole worth x | None => false end
  end.

(** In a game of kind target a payoff of infinite plays that is better than any bound, or worse. *)
Definition extreme (s : player) (G : sgame) : option Q :=
  match the_kind G with Target => Some (signed s (Qmult (sign_of G) (inject_Z (two_62 + 1)))) | _ => None end.

(** Whether the bound is above the payoff of infinite plays. *)
Definition better (o : option Q) (units : positive) (x : stand) : bool :=
  negb (Qle_bool (inject_Z (bound x)) (Qmult (match o with Some q => q | None => beyond x end) (inject_Z (Zpos units)))).

(** The states where a bound is better, with the choices by which the opponent may keep play there: those that pay nothing. *)
Definition better_places (s : player) (G : sgame) (units : positive) (l : list entry) : list place :=
  let o := extreme s G in
  fold_left (fun found e => match stand_of s e with
    | Some x => if better o units x
        then (number_of x, map (reached (weights x)) (filter (unpaid (weights x)) (replies x))) :: found else found
    | None => found
    end) l [].

(** Whether nature's choice for this player is found. *)
Definition is_settled (s : player) (m : map_to (node * line)) (c : cell) : bool :=
  is_empty (largest c) || match chosen (limits_of c) (values_in s m c) with Some _ => true | None => false end.

Definition check_player (s : player) (c : certificate) (m : map_to (node * line)) (l : list entry) : bool :=
  let k := the_kind (the_game c) in let units := unit c in
  let helps := on_side s (nature (the_game c)) in
  let worth := cell_worth s helps units (largest_worth c) (discount_of k) m in
  forallb (check_entry s (Zpos (whole c)) worth units) l &&
  (if helps then forallb (fun e => forallb (is_settled s m) (node_cells (fst (snd e)))) l else true) &&
  if may_last k then is_left (better_places s (the_game c) units l) else true.

(** *** The whole certificate *)

Definition check_line (most : Z) (y : line) : bool := within (lower y) most && within (upper y) most.

(** Without nature all probabilities are certain. *)
Definition check_nature (n : option player) (l : list entry) : bool :=
  match n with
  | Some _ => true
  | None => forallb (fun e => forallb (fun c => is_empty (largest c)) (node_cells (fst (snd e)))) l
  end.

(** Whether a number keeps the bound of a verdict; of a bound from below the lower bound of a value decides that it does, and the
    upper one that it does not. *)
Definition keeps (r : relation) (bound x : Q) : bool :=
  match r with
  | At_least => Qle_bool bound x | Above => negb (Qle_bool x bound)
  | At_most => Qle_bool x bound | Below => negb (Qle_bool bound x)
  end.
Definition deciding (r : relation) (truth : bool) (y : line) : Z :=
  match r, truth with At_least, true | Above, true | At_most, false | Below, false => lower y | _, _ => upper y end.
Definition check_verdict (c : certificate) (m : map_to (node * line)) : bool :=
  match the_verdict c with
  | None => true
  | Some v =>
      let decides p := match look m p with
        | Some (_, y) => eqb (keeps (the_relation v) (threshold v) (deciding (the_relation v) (is_kept v) y # unit c)) (is_kept v)
        | None => false
        end in
      if is_kept v then forallb decides (starts (the_game c)) else existsb decides (starts (the_game c))
  end.

Definition check (c : certificate) : bool :=
  let G := the_game c in let k := the_kind G in
  check_exponents c &&
  match entries 0 (states G) (lines c) [] with
  | None => false
  | Some l =>
      let m := table l in let most := largest_bound c in
      negb (is_empty (starts G)) && check_nature (nature G) l &&
      forallb (fun p => match look m p with Some _ => true | None => false end) (starts G) &&
      forallb (fun e => check_node k m (fst (snd e)) && check_line most (snd (snd e))) l &&
      check_kind k m l && check_player A c m l && check_player B c m l && check_verdict c m
  end.
