(** * Games with hidden information, and the check of their certificates

    A game is a finite tree with chance, in which two players know of their own turns only the
    information set. This file has all definitions: trees, strategies, security levels, the
    certificate of docs/hidden.md and its check. [HiddenProof] proves that the check is sound. *)

From Coq Require Import ZArith QArith List Bool.
From PencilTennis Require Import Numbers AnyGame GameReader.
Import ListNotations.

(** ** Games *)

(** An information set: its name, and the names of the actions that its player has there. *)
Record information_set := { set_name : name; actions : list name }.

(** A tree: A's payoff; or a move of chance, with the probabilities of the subtrees; or a move of a
    player in the information set of this number, with a subtree for each action. *)
Inductive tree :=
| Leaf (payoff : Q)
| Chance (shares : list Q) (next : list tree)
| Choice (who : player) (set : N) (next : list tree).

(** Both players' information sets, by their numbers, which begin at 0, and the tree. *)
Record hidden_game := { sets_A : list information_set; sets_B : list information_set; root : tree }.

Definition sets_of (G : hidden_game) (who : player) : list information_set :=
  match who with A => sets_A G | B => sets_B G end.
Definition set_at (G : hidden_game) (who : player) (k : N) : option information_set :=
  nth_error (sets_of G who) (N.to_nat k).

(** Probabilities are not negative and sum to 1, one for each subtree; a choice has a subtree for
    each action of its information set, and at least one. *)
Inductive fair (G : hidden_game) : tree -> Prop :=
| fair_leaf q : fair G (Leaf q)
| fair_chance shares next : length shares = length next -> (forall q, In q shares -> 0 <= q)%Q ->
    (fold_right Qplus 0 shares == 1)%Q -> (forall T, In T next -> fair G T) ->
    fair G (Chance shares next)
| fair_choice who k x next : set_at G who k = Some x -> actions x <> [] ->
    length next = length (actions x) -> (forall T, In T next -> fair G T) ->
    fair G (Choice who k next).

Definition same_player (x y : player) : bool :=
  match x, y with A, A => true | B, B => true | _, _ => false end.

(** A player's own past: the information sets in which the player moved, with the numbers of the
    actions, the last one first. *)
Definition past := list (N * nat).

(** A player's nodes: the information set of each, and the player's own past before it. *)
Fixpoint decisions (who : player) (own : past) (T : tree) : list (N * past) :=
  match T with
  | Leaf _ => []
  | Chance _ next => flat_map (decisions who own) next
  | Choice w k next =>
      if same_player w who then
        (k, own) :: (fix after (i : nat) (l : list tree) : list (N * past) :=
          match l with
          | [] => []
          | T :: l => decisions who ((k, i) :: own) T ++ after (S i) l
          end) 0%nat next
      else flat_map (decisions who own) next
  end.

(** At all nodes of one information set the player has one and the same past. *)
Definition perfect_recall (G : hidden_game) (who : player) : Prop :=
  forall k h h', In (k, h) (decisions who [] (root G)) -> In (k, h') (decisions who [] (root G)) ->
    h = h'.

(** The information sets of one player have different names, and so have the actions of each. *)
Definition well_named_sets (l : list information_set) : Prop :=
  NoDup (map set_name l) /\ forall x, In x l -> NoDup (actions x).

Definition well_formed (G : hidden_game) : Prop :=
  fair G (root G) /\ perfect_recall G A /\ perfect_recall G B /\
  well_named_sets (sets_A G) /\ well_named_sets (sets_B G).

(** ** Strategies and what they secure *)

Section Play.
Open Scope field_scope.
Variables (F : ordered_field) (G : hidden_game).

(** A behaviour strategy: the probabilities of the actions in each information set. A player with
    perfect recall knows nothing but the information set, which contains the player's own past. *)
Definition behaviour := N -> list F.

Fixpoint sum (p : list F) : F := match p with [] => 0 | x :: p => x + sum p end.
Fixpoint average (p values : list F) : F :=
  match p, values with x :: p, v :: values => x * v + average p values | _, _ => 0 end.

Definition probabilities (n : nat) (p : list F) : Prop :=
  length p = n /\ (forall x, In x p -> 0 <= x) /\ sum p = 1.

Definition proper (who : player) (s : behaviour) : Prop :=
  forall k x, set_at G who k = Some x -> probabilities (length (actions x)) (s k).

(** A's expected payoff if A plays by [s] and B by [t]. *)
Fixpoint expected_payoff (s t : behaviour) (T : tree) : F :=
  match T with
  | Leaf q => ratio q
  | Chance shares next => average (map ratio shares) (map (expected_payoff s t) next)
  | Choice A k next => average (s k) (map (expected_payoff s t) next)
  | Choice B k next => average (t k) (map (expected_payoff s t) next)
  end.

Definition A_secures_with (s : behaviour) (q : F) : Prop :=
  proper A s /\ forall t, proper B t -> q <= expected_payoff s t (root G).
Definition B_secures_with (t : behaviour) (q : F) : Prop :=
  proper B t /\ forall s, proper A s -> expected_payoff s t (root G) <= q.
Definition is_value (v : F) : Prop :=
  (exists s, A_secures_with s v) /\ (exists t, B_secures_with t v).

(** A mixed strategy: one of some behaviour strategies is drawn before play begins. *)
Definition mixed := list (F * behaviour).
Definition proper_mixed (who : player) (m : mixed) : Prop :=
  probabilities (length m) (map fst m) /\ forall s, In s (map snd m) -> proper who s.
Definition expected_of (payoff : behaviour -> F) (m : mixed) : F :=
  average (map fst m) (map payoff (map snd m)).
End Play.

(** ** Certificates *)

(** The claimed bounds, and the weights of the actions in each information set of both players. *)
Record hidden_certificate := {
  the_tree : hidden_game;
  claimed_lower : Q; claimed_upper : Q;
  weights_A : list (list N); weights_B : list (list N) }.

Definition total_of (weights : list N) : positive :=
  match fold_right N.add 0%N weights with N0 => 1%positive | Npos p => p end.

(** Weights divided by their sum. *)
Definition shares_of (weights : list N) : list Q :=
  let total := total_of weights in map (fun w => Z.of_N w # total) weights.

(** The strategy in a certificate: in each information set its weights, divided by their sum. *)
Definition published (F : ordered_field) (weights : list (list N)) : behaviour F :=
  fun k => match nth_error weights (N.to_nat k) with
    | Some w => map ratio (shares_of w)
    | None => []
    end.

(** ** The check *)

(** *** Tables of lists, by the places of their members *)

Fixpoint index {V} (p : N) (l : list V) (m : map_to V) : map_to V :=
  match l with [] => m | x :: l => index (N.succ p) l (put m p x) end.
Definition by_number {V} (l : list V) : map_to V := index 0 l no_entry.

(** *** The tree *)

Definition sum_of (l : list Q) : Q := fold_right plus 0%Q l.
Definition whole_sum (q : Q) : bool := (Qnum q =? Zpos (Qden q))%Z.

Fixpoint check_tree (a b : map_to information_set) (T : tree) : bool :=
  match T with
  | Leaf q => payoff_in_range q
  | Chance shares next =>
      same_length shares next && forallb (fun q => 0 <=? Qnum q)%Z shares &&
      whole_sum (sum_of shares) && forallb (check_tree a b) next
  | Choice who k next =>
      match look (match who with A => a | B => b end) k with
      | Some x => negb (is_empty (actions x)) && same_length next (actions x)
      | None => false
      end && forallb (check_tree a b) next
  end.

Fixpoint same_past (h h' : past) : bool :=
  match h, h' with
  | [], [] => true
  | (k, i) :: h, (k', i') :: h' => same_N k k' && Nat.eqb i i' && same_past h h'
  | _, _ => false
  end.

(** All nodes of an information set have the past that a table has of it. *)
Definition check_recall (who : player) (T : tree) : bool :=
  let l := decisions who [] T in
  let m := fold_left (fun m d => put m (fst d) (snd d)) l no_entry in
  forallb (fun d => match look m (fst d) with
    | Some h => same_past h (snd d)
    | None => false
    end) l.

Definition check_names (l : list information_set) : bool :=
  unlike (map set_name l) && forallb (fun x => unlike (actions x)) l.

(** *** Weights *)

Fixpoint check_weights (sets : list information_set) (weights : list (list N)) : bool :=
  match sets, weights with
  | [], [] => true
  | x :: sets, w :: weights =>
      same_length w (actions x) && (0 <? fold_right N.add 0 w)%N && check_weights sets weights
  | _, _ => false
  end.

(** *** The best reply to a strategy

    [me] plays by [mix]; the other player replies, and knows no more than the information set. The
    part of the tree that the other player may still be in, as far as the other player knows, is a
    list of subtrees with their probabilities (of chance and [me] alone). Ends and the other
    player's next information sets are gathered; in each of these sets the other player chooses the
    action that leaves [me] least. *)
Section Reply.
Variables (me : player) (mix : N -> list Q).

Definition bag := list (Q * tree).
Definition arrivals := list (Q * list tree).
Record view := { ends : Q; choices : list (N * arrivals) }.

Fixpoint arrive (k : N) (x : Q * list tree) (l : list (N * arrivals)) : list (N * arrivals) :=
  match l with
  | [] => [(k, [x])]
  | (k', xs) :: l =>
      if same_N k k' then (k', x :: xs) :: l else (k', xs) :: arrive k x l
  end.

(** Subtrees with their probabilities, one after the other; those of probability 0 do not count. *)
Definition each (spread : Q -> tree -> view -> view) (w : Q) :=
  fix go (next : list tree) (shares : list Q) (v : view) {struct next} : view :=
    match next, shares with
    | T :: next, q :: shares =>
        go next shares (if (Qnum q =? 0)%Z then v else spread (Qmult w q) T v)
    | _, _ => v
    end.

Fixpoint spread (w : Q) (T : tree) (v : view) {struct T} : view :=
  match T with
  | Leaf q => {| ends := plus (ends v) (Qmult w (signed me q)); choices := choices v |}
  | Chance shares next => each spread w next shares v
  | Choice who k next =>
      if same_player who me then each spread w next (mix k) v
      else {| ends := ends v; choices := arrive k (w, next) (choices v) |}
  end.

(** For each action, the subtrees that it leads to. *)
Fixpoint deal (w : Q) (next : list tree) (bags : list bag) : list bag :=
  match next, bags with
  | T :: next, b :: bags => ((w, T) :: b) :: deal w next bags
  | _, _ => []
  end.
Definition branches (xs : arrivals) : list bag :=
  match xs with
  | [] => []
  | x :: _ => fold_right (fun x bags => deal (fst x) (snd x) bags) (map (fun _ => []) (snd x)) xs
  end.

Fixpoint least (l : list (option Q)) : option Q :=
  match l with
  | [] => None
  | [x] => x
  | x :: l =>
      match x, least l with
      | Some p, Some q => Some (if Qle_bool p q then p else q)
      | _, _ => None
      end
  end.

Definition add_up (sum : option Q) (q : option Q) : option Q :=
  match sum, q with Some p, Some q => Some (plus p q) | _, _ => None end.

Definition seen_from (b : bag) : view :=
  fold_left (fun v x => spread (fst x) (snd x) v) b {| ends := 0; choices := [] |}.

(** The payoff to [me]; [fuel] is the largest number of the other player's turns, plus 1. *)
Fixpoint reply (fuel : nat) (b : bag) : option Q :=
  match fuel with
  | O => None
  | S fuel =>
      let v := seen_from b in
      fold_left (fun sum c => add_up sum (least (map (reply fuel) (branches (snd c)))))
        (choices v) (Some (ends v))
  end.
End Reply.

Fixpoint height (T : tree) : nat :=
  match T with
  | Leaf _ => 1
  | Chance _ next | Choice _ _ next => S (fold_right (fun T n => Nat.max (height T) n) 0%nat next)
  end.

(** Whether a player's weights secure a bound; B's bound has the other sign. *)
Definition check_bound (me : player) (weights : list (list N)) (T : tree) (bound : Q) : bool :=
  let m := by_number (map shares_of weights) in
  let mix k := match look m k with Some p => p | None => [] end in
  match reply me mix (S (height T)) [(1%Q, T)] with
  | Some q => Qle_bool bound q
  | None => false
  end.

(** The reason why a certificate proves nothing. *)
Inductive fault :=
| Not_written (line : N)                  (* this line is none of the written form *)
| Ends_early
| Not_one_tree                            (* the nodes are not those of one tree *)
| Other_form                              (* the certificate is not written like this *)
| Names (who : player)
| Shape
| Recall (who : player)
| Weights (who : player)
| Bound (who : player).

Definition unless_good (good : bool) (f : fault) (rest : option fault) : option fault :=
  if good then rest else Some f.

(** The first fault; none of a certificate that proves its bounds. *)
Definition fault_of (c : hidden_certificate) : option fault :=
  let G := the_tree c in
  let a := by_number (sets_A G) in let b := by_number (sets_B G) in
  unless_good (check_names (sets_A G)) (Names A) (
  unless_good (check_names (sets_B G)) (Names B) (
  unless_good (check_tree a b (root G)) Shape (
  unless_good (check_recall A (root G)) (Recall A) (
  unless_good (check_recall B (root G)) (Recall B) (
  unless_good (check_weights (sets_A G) (weights_A c)) (Weights A) (
  unless_good (check_weights (sets_B G) (weights_B c)) (Weights B) (
  unless_good (check_bound A (weights_A c) (root G) (claimed_lower c)) (Bound A) (
  unless_good (check_bound B (weights_B c) (root G) (Qopp (claimed_upper c))) (Bound B) None)))))))).
