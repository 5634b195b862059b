(** * Reading the certificate of a game

    Bytes are taken one at a time and read line by line. Only the exact written form is read: [read_spec]
    says that the bytes are those of the certificate that comes out. *)

From Coq Require Import ZArith NArith QArith List Bool Lia.
From PencilTennis Require Import Table AnyGame GameFile.
Import ListNotations.
Local Open Scope N_scope.

Notation "'let?' x := e 'in' k" := (match e with Some x => k | None => None end)
  (x pattern, at level 200, k at level 200, right associativity).
Notation "'only' b ; k" := (if b then k else None) (at level 200, b at level 99, right associativity).

Definition reversed {T} (l : list T) : list T := rev_append l [].

(** A reader takes something from the beginning of the bytes, exactly as [w] writes it. *)
Definition reader (T : Type) : Type := text -> option (T * text).
Definition reads {T} (w : T -> text) (p : reader T) : Prop := forall l x r, p l = Some (x, r) -> l = w x ++ r.

Fixpoint strip (lit l : text) : option text :=
  match lit with
  | [] => Some l
  | c :: lit => match l with d :: l => if c =? d then strip lit l else None | [] => None end
  end.

(** ** Numbers *)

Definition most_digits : N := 10000.
Definition ten_4000 : Z := 10 ^ 4000.

(** The number whose digits stand here. *)
Fixpoint scan (left v : N) (l : text) : N :=
  match l with
  | c :: l => if is_digit c && (0 <? left) then scan (N.pred left) (ten * v + (c - digit_0)) l else v
  | [] => v
  end.
Definition read_N : reader N := fun l =>
  let n := scan most_digits 0 l in let? r := strip (write_N n) l in Some (n, r).
Definition read_Z : reader Z := fun l =>
  match l with
  | c :: rest =>
      if c =? minus then let? (n, r) := read_N rest in only (0 <? n); Some (- Z.of_N n, r)%Z
      else let? (n, r) := read_N l in Some (Z.of_N n, r)
  | [] => None
  end.
Definition length_N (l : text) : N := fold_left (fun n _ => N.succ n) l 0.
Definition read_Q : reader Q := fun l =>
  let? (n, r) := read_Z l in
  match r with
  | c :: rest =>
      if c =? slash then
        let? (d, r) := read_N rest in
        only 1 <? d;
        let q := (n # N.succ_pos (N.pred d))%Q in
        only ((Z.abs n <? ten_4000) && (Z.of_N d <? ten_4000))%Z || (length_N (write_Q q) <=? most_digits);
        Some (q, r)
      else Some ((n # 1)%Q, r)
  | [] => None
  end.

Definition read_quoted {T} (p : reader T) : reader T := fun l =>
  match l with
  | c :: l =>
      only c =? quote;
      let? (x, r) := p l in
      match r with c :: r => only c =? quote; Some (x, r) | [] => None end
  | [] => None
  end.

(** ** Names

    While a file is read, a name is one number, so that it takes little memory: its bytes are the digits to the base 256, after a 1. *)

Definition base : N := 256.
Definition pack (t : name) : N := fold_left (fun v c => base * v + c) t 1.
Fixpoint unpacked (fuel : nat) (n : N) (rest : name) : name :=
  match fuel with
  | O => rest
  | S fuel => if n <? 2 then rest else let (q, c) := N.div_eucl n base in unpacked fuel q (c :: rest)
  end.
Definition unpack (n : N) : name := unpacked (N.size_nat n) n [].

Definition is_byte (c : N) : bool := c <? base.

(** Whether bytes are characters in UTF-8; [left] bytes of one are still to come, the next of them from [low] to [high]. *)
Definition u128 : N := 128. Definition u143 : N := 143. Definition u144 : N := 144. Definition u159 : N := 159.
Definition u160 : N := 160. Definition u191 : N := 191. Definition u194 : N := 194. Definition u224 : N := 224.
Definition u237 : N := 237. Definition u240 : N := 240. Definition u244 : N := 244.
Fixpoint utf8 (left low high : N) (l : text) : bool :=
  match l with
  | [] => left =? 0
  | c :: l =>
      if left =? 0 then
        if c <? u128 then utf8 0 low high l
        else if c <? u194 then false
        else if c <? u224 then utf8 1 u128 u191 l
        else if c <? u240 then utf8 2 (if c =? u224 then u160 else u128) (if c =? u237 then u159 else u191) l
        else if c <=? u244 then utf8 3 (if c =? u240 then u144 else u128) (if c =? u244 then u143 else u191) l
        else false
      else (low <=? c) && (c <=? high) && utf8 (N.pred left) u128 u191 l
  end.

(** The characters up to the closing quotation mark, the last one first. *)
Definition is_plain (c : N) : bool := (space <=? c) && negb (c =? quote) && negb (c =? backslash).
Fixpoint read_body (fuel : text) (found l : text) : option (text * text) :=
  match fuel, l with
  | _ :: fuel, c :: rest =>
      if is_plain c then read_body fuel (c :: found) rest
      else if c =? quote then Some (found, rest)
      else let? (d, _) := unescape l in let? rest := strip (escape d) l in read_body fuel (d :: found) rest
  | _, _ => None
  end.
Definition read_text : reader name := fun l =>
  match l with
  | c :: l =>
      only c =? quote;
      let? (t, r) := read_body l [] l in
      let t := reversed t in
      only utf8 0 0 0 t;
      Some (t, r)
  | [] => None
  end.
Definition read_name : reader N := fun l => let? (t, r) := read_text l in only forallb is_byte t; Some (pack t, r).

(** ** Non-empty lists *)

Fixpoint read_more {T} (p : reader T) (fuel : text) (found : list T) (l : text) : option (list T * text) :=
  match fuel, l with
  | _ :: fuel, c :: rest =>
      if c =? comma then let? (x, rest) := p rest in read_more p fuel (x :: found) rest
      else only c =? close; Some (reversed found, rest)
  | _, _ => None
  end.
Definition read_list {T} (p : reader T) : reader (list T) := fun l =>
  match l with c :: l => only c =? open_list; let? (x, r) := p l in read_more p r [x] r | [] => None end.

(** ** Lines *)

Definition closed_brace : text := [125].
Definition opening : text := [open_list].
Definition comma_only : text := [comma].
Definition closing : text := [close].

Definition read_share : reader share := fun l =>
  match strip opening l with
  | Some l =>
      let? (least, l) := read_Q l in let? l := strip comma_only l in
      let? (most, l) := read_Q l in let? l := strip closing l in Some ((least, Some most), l)
  | None => let? (q, l) := read_Q l in Some ((q, None), l)
  end.
Definition read_outcome : reader (share * N) := fun l =>
  let? l := strip opening l in let? (q, l) := read_quoted read_share l in let? l := strip comma_only l in
  let? (n, l) := read_name l in let? l := strip closing l in Some ((q, n), l).

Definition is_some {T} (o : option T) : bool := match o with Some _ => true | None => false end.
Definition cell_of (q : Q) (l : list (share * N)) : cell :=
  {| reward := q; successors := map (fun x => (fst (fst x), snd x)) l;
     largest := if existsb (fun x => is_some (snd (fst x))) l then map (fun x => snd (fst x)) l else [] |}.

(** The "numbers" of states are packed names here. *)
Definition read_cell : reader cell := fun l =>
  match strip in_to l with
  | Some l => let? (o, l) := read_list read_outcome l in let? l := strip closed_brace l in Some (cell_of 0 o, l)
  | None =>
      let? l := strip in_reward l in
      let? (q, l) := read_quoted read_Q l in
      only negb (is_zero q);
      let? l := strip then_to l in
      let? (o, l) := read_list read_outcome l in
      let? l := strip closed_brace l in
      Some (cell_of q o, l)
  end.

Definition read_state (k : kind) : reader (N * node) := fun l =>
  let? l := strip in_id l in
  let? (id, l) := read_name l in
  match strip then_value l with
  | Some l => let? (v, l) := read_quoted read_Q l in let? l := strip end_line l in Some ((id, End v), l)
  | None =>
      let? l := strip then_a l in
      let? (a, l) := read_list read_text l in
      let? l := strip then_b l in
      let? (b, l) := read_list read_text l in
      let? (e, l) := match strip then_endless l with
        | Some l => let? (e, l) := read_quoted read_Q l in only writes_endless k e; Some (e, l)
        | None => only negb (writes_endless k 0); Some (0%Q, l)
        end in
      let? l := strip then_cells l in
      let? (cells, l) := read_list (read_list read_cell) l in
      let? l := strip end_line l in
      Some ((id, Turn a b e cells), l)
  end.

Definition read_kind : reader kind := fun l =>
  match strip kind_acyclic l with
  | Some l => Some (Acyclic, l)
  | None => match strip kind_stopping l with
    | Some l => Some (Stopping, l)
    | None => match strip kind_recursive l with
      | Some l => Some (Recursive, l)
      | None => match strip kind_total l with
        | Some l => Some (Total, l)
        | None => match strip kind_target l with
          | Some l => Some (Target, l)
          | None => let? l := strip kind_discounted l in let? (d, l) := read_quoted read_Q l in Some (Discounted d, l)
          end
        end
      end
    end
  end.
Definition read_nature : reader (option player) := fun l =>
  match strip nature_A l with
  | Some l => Some (Some A, l)
  | None => match strip nature_B l with Some l => Some (Some B, l) | None => Some (None, l) end
  end.

(** The kind of a game, and for whom nature chooses. *)
Definition header : Type := kind * option player.
Definition read_head : reader (header * list N) := fun l =>
  let? l := strip in_game l in let? (k, l) := read_kind l in let? (n, l) := read_nature l in let? l := strip then_start l in
  let? (starts, l) := read_list read_name l in let? l := strip end_line l in Some (((k, n), starts), l).

Definition read_weight : reader (N * Z) := fun l =>
  let? l := strip opening l in let? (i, l) := read_N l in let? l := strip comma_only l in
  let? (w, l) := read_quoted read_Z l in let? l := strip closing l in Some ((i, w), l).
Definition read_weights (field : text) : reader (list (N * Z)) := fun l =>
  match strip field l with Some l => read_list read_weight l | None => Some ([], l) end.
Definition read_line : reader line := fun l =>
  let? l := strip in_lower l in let? (lower, l) := read_quoted read_Z l in
  let? l := strip then_upper l in let? (upper, l) := read_quoted read_Z l in
  let? (a, l) := read_weights then_a l in let? (b, l) := read_weights then_b l in
  let? l := strip end_line l in Some ({| lower := lower; upper := upper; of_A := a; of_B := b |}, l).
Definition read_exponents : reader exponents := fun l =>
  match strip in_proof l with
  | Some l => let? (e, l) := read_N l in Some ((e, None), l)
  | None =>
      let? l := strip in_long_proof l in let? (e, l) := read_N l in let? l := strip then_weight_exponent l in
      let? (w, l) := read_N l in Some ((e, Some w), l)
  end.
Definition read_relation : reader relation := fun l =>
  match strip at_least l with
  | Some l => Some (At_least, l)
  | None => match strip above l with
    | Some l => Some (Above, l)
    | None => match strip at_most_sign l with
      | Some l => Some (At_most, l)
      | None => let? l := strip below_sign l in Some (Below, l)
      end
    end
  end.
Definition read_truth : reader bool := fun l =>
  match strip is_true l with Some l => Some (true, l) | None => let? l := strip is_false l in Some (false, l) end.
Definition read_verdict : reader (option verdict) := fun l =>
  match strip then_bound l with
  | None => Some (None, l)
  | Some l =>
      let? (r, l) := read_relation l in let? (q, l) := read_Q l in
      let? l := strip then_holds l in let? (b, l) := read_truth l in
      Some (Some {| the_relation := r; threshold := q; is_kept := b |}, l)
  end.

(** The exponents, the number of states, and a verdict. *)
Definition first_line : Type := exponents * N * option verdict.
Definition read_first : reader first_line := fun l =>
  let? (e, l) := read_exponents l in let? l := strip then_states l in
  let? (n, l) := read_N l in let? (v, l) := read_verdict l in let? l := strip end_line l in Some ((e, n, v), l).

(** ** From the numbers of names to those of states

    Names are found by their remainders modulo a number that is about that of the states. *)

Definition names := (N * map_to (list (N * N)))%type.
Fixpoint pick (n : N) (l : list (N * N)) : option N :=
  match l with [] => None | (m, p) :: l => if n =? m then Some p else pick n l end.
Definition bucket (t : names) (n : N) : list (N * N) := match look (snd t) (N.modulo n (fst t)) with Some l => l | None => [] end.
Definition number (t : names) (n : N) : option N := pick n (bucket t n).
Definition enter (t : names) (n p : N) : names := (fst t, put (snd t) (N.modulo n (fst t)) ((n, p) :: bucket t n)).

(** Numbers the names from [p] on, unless one comes twice. *)
Fixpoint enter_all (p : N) (l : list N) (t : names) : option names :=
  match l with
  | [] => Some t
  | n :: l => match number t n with Some _ => None | None => enter_all (N.succ p) l (enter t n p) end
  end.
Definition numbered (size : N) (l : list N) : option names := enter_all 0 l (size, no_entry).

Fixpoint all {T U} (f : T -> option U) (found : list U) (l : list T) : option (list U) :=
  match l with [] => Some (reversed found) | x :: l => let? y := f x in all f (y :: found) l end.
Definition number_outcome (t : names) (o : Q * N) : option (Q * N) := let? p := number t (snd o) in Some (fst o, p).
Definition is_tidy (c : cell) : bool :=
  is_empty (largest c) || (same_length (largest c) (successors c) && existsb is_some (largest c)).
Definition number_cell (t : names) (c : cell) : option cell :=
  only is_tidy c;
  let? l := all (number_outcome t) [] (successors c) in Some {| reward := reward c; successors := l; largest := largest c |}.

(** Whether some actions have names of their own each. *)
Definition unlike (l : list name) : bool :=
  let l := map pack l in match numbered (N.succ (fold_left (fun n _ => N.succ n) l 0)) l with Some _ => true | None => false end.
Definition number_state (t : names) (x : N * node) : option (name * node) :=
  match x with
  | (id, x) =>
      let nm := unpack id in
      only pack nm =? id;
      match x with
      | End v => Some (nm, End v)
      | Turn a b e cells =>
          only unlike a && unlike b;
          let? cells := all (all (number_cell t) []) [] cells in Some (nm, Turn a b e cells)
      end
  end.

(** ** The whole file *)

(** The part read so far; lists have the last one first. [more] lines of states are still to come. *)
Inductive progress :=
| Begun
| Header (e : first_line)
| States (e : first_line) (k : header) (starts : list N) (more : N) (found : list (N * node))
| Lines (e : first_line) (k : header) (starts : list N) (states : list (N * node)) (found : list line)
| Failed (after : N).                        (* the number of lines read *)

(** The number of lines so far; [None] where one is not of the written form. *)
Definition whole_line {T} (p : reader T) (l : text) : option T :=
  match p l with Some (x, []) => Some x | _ => None end.
Definition take_line (s : progress) (l : text) : option progress :=
  match s with
  | Begun => let? e := whole_line read_first l in Some (Header e)
  | Header e => let? (k, starts) := whole_line read_head l in Some (States e k starts (snd (fst e)) [])
  | States e k starts more found =>
      if 0 <? more then let? x := whole_line (read_state (fst k)) l in Some (States e k starts (N.pred more) (x :: found))
      else let? y := whole_line read_line l in Some (Lines e k starts found [y])
  | Lines e k starts states found => let? y := whole_line read_line l in Some (Lines e k starts states (y :: found))
  | Failed n => Some (Failed n)
  end.

(** The part read so far, the number of lines, and the bytes of the unfinished line, the last one first. *)
Record reading := { sofar : progress; line_count : N; current : text }.
Definition begun : reading := {| sofar := Begun; line_count := 0; current := [] |}.
Definition take (s : reading) (c : N) : reading :=
  if c =? ten then
    {| sofar := match take_line (sofar s) (rev_append (current s) [ten]) with Some p => p | None => Failed (line_count s) end;
       line_count := N.succ (line_count s); current := [] |}
  else {| sofar := sofar s; line_count := line_count s; current := c :: current s |}.

(** An objection to a certificate, of a state where there is one, in the order of check_game_proof.py. The theorems do not need
    them. *)
Inductive objection :=
| Exponent | Weight_exponent | Unlimited (c : cell) | Improbable (c : cell) | Large (q : Q) | Coarse (c : cell) | No_table (p : N)
| Paid | Signs | Endless_paid | Kind (k : kind) | Bound (p : N) | Falling (p : N) | End_outside (p : N) | End_weights (p : N)
| Weights (p : N) | Worth (p : N) | Unsecured (s : player) (p : N) | Kept | Undecided.

Definition first_of {T} (l : list (option T)) : option T :=
  fold_left (fun found o => match found with Some _ => found | None => o end) l None.
Definition first_in {S T} (f : S -> option T) (l : list S) : option T :=
  fold_left (fun found x => match found with Some _ => found | None => f x end) l None.
Definition unless {T} (good : bool) (o : T) : option T := if good then None else Some o.

Definition object_to_cell (n : option player) (d : Q) (c : cell) : option objection :=
  let sum := fold_left (fun s qk => plus s (fst qk)) (successors c) 0%Q in
  first_of [
    unless (is_empty (largest c) || is_some n && forallb check_limit (limits_of c)) (Unlimited c);
    if negb (is_empty (largest c)) then unless (check_limits c) (Improbable c) else unless ((Qnum sum =? Zpos (Qden sum))%Z && forallb (fun qk => (0 <=? Qnum (fst qk))%Z) (successors c)) (Improbable c);
    unless (payoff_in_range (reward c)) (Large (reward c));
    unless (denominator_in_range d c) (Coarse c)].
Definition object_to_node (n : option player) (d : Q) (e : entry) : option objection :=
  match fst (snd e) with
  | End v => unless (payoff_in_range v) (Large v)
  | Turn a b q cells => first_of [
      unless (payoff_in_range q) (Large q); first_in (first_in (object_to_cell n d)) cells;
      unless (negb (is_empty a) && negb (is_empty b) && same_length cells a && forallb (fun row => same_length row b) cells)
        (No_table (fst e))]
  end.

Definition object_to_kind (k : kind) (m : map_to (node * line)) (l : list entry) : option objection :=
  match k with
  | Recursive => first_of [unless (check_rewards (Z.eqb 0) l) Paid; unless (check_kind k m l) (Kind k)]
  | Total => first_of [unless (check_sign l) Signs; unless (check_kind k m l) (Kind k)]
  | Target => first_of [unless (check_sign l) Signs; unless (no_endless l) Endless_paid]
  | _ => unless (check_kind k m l) (Kind k)
  end.

Fixpoint rising (l : list (N * Z)) : bool :=
  match l with (i, _) :: (((j, _) :: _) as rest) => (i <? j) && rising rest | _ => true end.
Definition object_to_line (most : Z) (e : entry) : option objection :=
  let y := snd (snd e) in
  first_of [unless (check_line most y) (Bound (fst e)); unless (rising (of_A y) && rising (of_B y)) (Falling (fst e))].

Definition object_to_end (units : positive) (e : entry) : option objection :=
  match e with
  | (p, (End v, y)) =>
      let outside s := Qle_bool (inject_Z (bound_of s y)) (Qmult (signed s v) (inject_Z (Zpos units))) in
      first_of [unless (outside A && outside B) (End_outside p); unless (is_empty (of_A y) && is_empty (of_B y)) (End_weights p)]
  | _ => None
  end.

(** Whether a cell that has a weight is worth more than the most units. *)
Fixpoint exceeds (worth : cell -> Z) (most : Z) (l : list Z) (cells : list cell) : bool :=
  match l, cells with
  | w :: l, c :: cells => (negb (w =? 0)%Z && negb (within (worth c) most)) || exceeds worth most l cells
  | _, _ => false
  end.
Definition object_to_turn (c : certificate) (m : map_to (node * line)) (s : player) (e : entry) : option objection :=
  match e with
  | (_, (End _, _)) => None
  | (p, _) => match stand_of s e with
    | None => Some (Weights p)
    | Some x =>
        let worth := cell_worth s (on_side s (nature (the_game c))) (unit c) None (discount_of (the_kind (the_game c))) m in
        if (total (weights x) =? Zpos (whole c))%Z then first_in (fun cells => first_of [
          unless (match largest_worth c with Some most => negb (exceeds worth most (weights x) cells) | None => true end) (Worth p);
          unless (bound x * Zpos (whole c) <=? weigh worth (weights x) cells)%Z (Unsecured s p)]) (replies x)
        else Some (Weights p)
    end
  end.

(** The first objection, if [check] is false. *)
Definition objection_to (c : certificate) : objection :=
  let k := the_kind (the_game c) in
  match (if check_exponents c then entries 0 (states (the_game c)) (lines c) [] else None) with
  | None => match weight_exponent c with                     (* before all else, whose numbers would be that long *)
    | Some _ => if exponent c <=? 16384 then Weight_exponent else Exponent
    | None => Exponent
    end
  | Some l =>
      let m := table l in let l := reversed l in
      let player s := first_of [
        first_in (object_to_turn c m s) l;
        (if may_last k then unless (is_left (better_places s (the_game c) (unit c) l)) Kept else None)] in
      match first_of [
        match k with Discounted _ => object_to_kind k m l | _ => None end;
        first_in (object_to_node (nature (the_game c)) (discount_of k)) l;
        object_to_kind k m l;
        first_in (object_to_line (largest_bound c)) l;
        first_in (object_to_end (unit c)) l] with
      | Some o => o
      | None => match player A with Some o => o | None => match player B with Some o => o | None => Undecided end end
      end
  end.

Inductive fault :=
| Not_written (line : N)           (* this line is not of the written form *)
| Ends_early
| Too_many_or_few                  (* the lines of bounds are not as many as the states *)
| Twice                            (* two states have the same name *)
| Names                            (* two actions have the same name, or a name is that of no state *)
| Not_proved (names : list name) (o : objection).

Inductive outcome := Found (c : certificate) | Fault (f : fault).

Definition count_N {T} (l : list T) : N := fold_left (fun n _ => N.succ n) l 0.
Definition finish (s : reading) : outcome :=
  match sofar s with
  | Failed n => Fault (Not_written (N.succ n))
  | Lines e k starts states found =>
      match current s with
      | _ :: _ => Fault (Not_written (N.succ (line_count s)))
      | [] =>
          let n := snd (fst e) in
          if (count_N states =? n) && (count_N found =? n) then
            let states := reversed states in
            match numbered (N.succ (2 * n)) (map fst states) with
            | Some t => match all (number t) [] starts, all (number_state t) [] states with
              | Some starts, Some states => Found {| the_game := {| the_kind := fst k; nature := snd k; AnyGame.starts := starts; AnyGame.states := states |};
                  exponent := fst (fst (fst e)); weight_exponent := snd (fst (fst e)); the_verdict := snd e; lines := reversed found |}
              | _, _ => Fault Names
              end
            | None => Fault Twice
            end
          else Fault Too_many_or_few
      end
  | _ => Fault (match current s with [] => Ends_early | _ => Not_written (N.succ (line_count s)) end)
  end.

Definition read (bytes : text) : outcome := finish (fold_left take bytes begun).

(** The result after all bytes, taken one after the other. *)
Definition conclude (s : reading) : outcome :=
  match finish s with Found c => if check c then Found c else Fault (Not_proved (map fst (states (the_game c))) (objection_to c)) | fault => fault end.
Definition verify_game (bytes : text) : outcome := conclude (fold_left take bytes begun).

Lemma verify_game_spec bytes c : verify_game bytes = Found c <-> read bytes = Found c /\ check c = true.
Proof.
  unfold verify_game, conclude, read. destruct (finish (fold_left take bytes begun)) as [d|f]; [|easy].
  destruct (check d) eqn:C; split; [intros [= <-]; auto|intros [[= <-] _]; auto|easy|intros [[= <-] D]; congruence].
Qed.

(** ** Reading inverts writing *)

Lemma strip_spec lit l r : strip lit l = Some r -> l = lit ++ r.
Proof.
  revert l. induction lit as [|c lit IH]; intros [|d l] H; cbn in *; try congruence.
  destruct (c =? d) eqn:E; [|easy]. apply N.eqb_eq in E as <-. f_equal. auto.
Qed.

Lemma reversed_rev {T} (l : list T) : reversed l = rev l.
Proof. unfold reversed. now rewrite rev_append_rev, app_nil_r. Qed.

Lemma Some_pair {S T} (x y : S) (a b : T) : Some (x, a) = Some (y, b) -> x = y /\ a = b.
Proof. now intros [= <- <-]. Qed.

(** Takes one step of a reader apart. *)
Ltac take_step H :=
  match type of H with
  | None = Some _ => discriminate H
  | Some (_, _) = Some (_, _) => apply Some_pair in H; destruct H as [H ?]; first [injection H as ? ?; subst|subst]
  | (if ?b then _ else None) = Some _ => let E := fresh "B" in destruct b eqn:E; [|discriminate H]
  | match strip ?a ?b with Some _ => _ | None => None end = Some _ =>
      let E := fresh "E" in destruct (strip a b) eqn:E; [apply strip_spec in E; try subst|discriminate H]
  | match ?e with Some _ => _ | None => None end = Some _ => let E := fresh "R" in destruct e as [[? ?]|] eqn:E; [|discriminate H]
  end.
Ltac take_apart H := repeat take_step H.
(** Uses the specification of a reader. *)
Ltac known L := match goal with R : _ = Some _ |- _ => apply L in R; subst end.

Lemma read_N_reads : reads write_N read_N.
Proof. intros l n r H. unfold read_N in H. take_apart H. exact E. Qed.

Lemma read_Z_reads : reads write_Z read_Z.
Proof.
  intros [|c l] z r H; unfold read_Z in H; [easy|]. destruct (c =? minus) eqn:C; take_apart H; known read_N_reads.
  - apply N.eqb_eq in C as ->. apply N.ltb_lt in B. unfold write_Z.
    replace (- Z.of_N n <? 0)%Z with true by (symmetry; apply Z.ltb_lt; lia). now replace (Z.abs_N (- Z.of_N n)) with n by lia.
  - unfold write_Z. replace (Z.of_N n <? 0)%Z with false by (symmetry; apply Z.ltb_ge; lia). rewrite R. now replace (Z.abs_N (Z.of_N n)) with n by lia.
Qed.

Lemma read_Q_reads : reads write_Q read_Q.
Proof.
  intros l q r H. unfold read_Q in H. take_step H. destruct t as [|c t]; [easy|]. apply read_Z_reads in R.
  destruct (c =? slash) eqn:C.
  - take_apart H. apply read_N_reads in R0. apply N.eqb_eq in C. apply N.ltb_lt in B. subst.
    rewrite write_Q_below. cbn [Qnum Qden]. rewrite <- app_assoc. f_equal.
    assert (D : Npos (N.succ_pos (N.pred n)) = n) by (rewrite N.succ_pos_spec; lia). unfold below.
    destruct (N.succ_pos (N.pred n)); [now rewrite D..|lia].
  - take_apart H. rewrite write_Q_below. cbn [Qden below]. now rewrite app_nil_r.
Qed.

Lemma read_quoted_reads {T} (w : T -> text) p : reads w p -> reads (fun x => quoted (w x)) (read_quoted p).
Proof.
  intros W [|c l] x r H; unfold read_quoted in H; [easy|]. take_step H. take_step H.
  match type of H with match ?r with _ => _ end = _ => destruct r as [|]; [easy|] end. take_apart H.
  apply W in R as ->. apply N.eqb_eq in B as ->, B0 as ->. unfold quoted. cbn [app]. now rewrite <- app_assoc.
Qed.
Lemma read_quoted_Q : reads quoted_Q (read_quoted read_Q). Proof. apply read_quoted_reads, read_Q_reads. Qed.
Lemma read_quoted_Z : reads quoted_Z (read_quoted read_Z). Proof. apply read_quoted_reads, read_Z_reads. Qed.

(** *** Names *)

Lemma is_plain_escape c : is_plain c = true -> escape c = [c].
Proof.
  unfold is_plain, escape, short. rewrite !andb_true_iff, !negb_true_iff. intros [[S Q] B]. unfold quote, backslash, space in *.
  now rewrite Q, B, S.
Qed.

Lemma read_body_spec fuel found l t r : read_body fuel found l = Some (t, r) ->
  exists m, rev t = rev found ++ m /\ l = flat_map escape m ++ quote :: r.
Proof.
  revert found l. induction fuel as [|f fuel IH]; intros found [|c l] H; cbn [read_body] in H; try easy.
  destruct (is_plain c) eqn:P; [|destruct (c =? quote) eqn:Q].
  - apply IH in H as (m & E & ->). exists (c :: m). cbn [rev flat_map] in *. rewrite (is_plain_escape _ P).
    rewrite E, <- app_assoc. auto.
  - take_apart H. apply N.eqb_eq in Q as ->. exists []. rewrite app_nil_r. auto.
  - take_step H. match type of H with match strip ?a ?b with _ => _ end = _ => destruct (strip a b) eqn:E; [|easy] end.
    apply strip_spec in E. apply IH in H as (m & K & ->). exists (n :: m). cbn [rev flat_map] in *. rewrite K, <- !app_assoc, E. auto.
Qed.

Lemma read_text_reads : reads write_text read_text.
Proof.
  intros [|c l] t r H; unfold read_text in H; [easy|]. take_apart H. apply read_body_spec in R as (m & E & ->).
  apply N.eqb_eq in B as ->. rewrite reversed_rev. cbn [rev app] in E. rewrite E. unfold write_text, quoted. cbn [app].
  now rewrite <- app_assoc.
Qed.

Lemma pack_last t c : pack (t ++ [c]) = 256 * pack t + c.
Proof. unfold pack. now rewrite fold_left_app. Qed.

Lemma unpack_pack t : forallb is_byte t = true -> unpack (pack t) = t.
Proof.
  assert (P : forall t, 1 <= pack t).
  { intros u. induction u as [|c u IH] using rev_ind; [easy|]. rewrite pack_last. lia. }
  enough (E : forall fuel rest, forallb is_byte t = true -> pack t < 2 ^ N.of_nat fuel -> unpacked fuel (pack t) rest = t ++ rest).
  { intros H. unfold unpack. rewrite E; [apply app_nil_r|exact H|apply size_nat_lt]. }
  induction t as [|c t IH] using rev_ind; intros fuel rest B L.
  - destruct fuel; reflexivity.
  - rewrite forallb_app, andb_true_iff in B. destruct B as [B C]. cbn [forallb] in C. rewrite andb_true_r in C.
    unfold is_byte, base in C. apply N.ltb_lt in C. specialize (P t).
    rewrite pack_last in *.
    destruct fuel as [|fuel]; [change (2 ^ N.of_nat 0) with 1 in L; lia|]. cbn [unpacked].
    replace (256 * pack t + c <? 2) with false by (symmetry; apply N.ltb_ge; lia).
    pose proof (N.div_eucl_spec (256 * pack t + c) base) as S. pose proof (N.mod_lt (256 * pack t + c) base) as M.
    unfold N.modulo in M. destruct (N.div_eucl (256 * pack t + c) base) as [q d]. cbn [snd] in M. unfold base in *.
    specialize (M ltac:(lia)). assert (D : q = pack t /\ d = c) by lia. destruct D as [-> ->].
    rewrite <- app_assoc. apply IH; auto. rewrite Nat2N.inj_succ, N.pow_succ_r' in L. lia.
Qed.

Lemma read_name_reads : reads (fun n => write_text (unpack n)) read_name.
Proof.
  intros l n r H. unfold read_name in H. take_apart H. apply read_text_reads in R as ->. now rewrite unpack_pack.
Qed.

(** *** Lists and lines *)

Lemma read_list_reads {T} (w : T -> text) p : reads w p -> reads (write_list w) (read_list p).
Proof.
  intros W. assert (M : forall fuel found l x r, read_more p fuel found l = Some (x, r) ->
    exists m, x = rev found ++ m /\ l = write_more w m ++ r).
  { intros fuel. induction fuel as [|f fuel IH]; intros found [|c l] x r H; cbn [read_more] in H; try easy.
    destruct (c =? comma) eqn:C.
    - take_step H. apply IH in H as (m & E & ->). apply W in R as ->. apply N.eqb_eq in C as ->.
      exists (t :: m). cbn [rev] in E. rewrite <- app_assoc in E. cbn [write_more app]. rewrite <- app_assoc. auto.
    - take_apart H. apply N.eqb_eq in B as ->. exists []. rewrite app_nil_r, reversed_rev. auto. }
  intros [|c l] x r H; unfold read_list in H; [easy|]. take_step H. take_step H. apply M in H as (m & E & ->). apply W in R as ->.
  apply N.eqb_eq in B as ->. cbn [rev app] in E. subst x. unfold write_list. cbn [app]. now rewrite <- app_assoc.
Qed.

Lemma read_list_full {T} (p : reader T) l r : read_list p l <> Some ([], r).
Proof.
  assert (M : forall fuel found l, found <> [] -> read_more p fuel found l <> Some ([], r)).
  { intros fuel. induction fuel as [|f fuel IH]; intros found [|c m] N; cbn [read_more]; try easy. destruct (c =? comma).
    - destruct (p m) as [[? ?]|]; [|easy]. now apply IH.
    - destruct (c =? close); [|easy]. rewrite reversed_rev. intros [= E _]. apply N. now rewrite <- (rev_involutive found), E. }
  unfold read_list. destruct l as [|c l]; [easy|]. destruct (c =? open_list); [|easy]. destruct (p l) as [[? ?]|]; [|easy]. now apply M.
Qed.

Definition unpack_outcome (o : share * N) : share * name := (fst o, unpack (snd o)).

Ltac written := repeat rewrite <- app_assoc; try reflexivity.

Lemma read_share_reads : reads write_share read_share.
Proof.
  intros l q r H. unfold read_share in H. destruct (strip opening l) as [m|] eqn:S.
  - apply strip_spec in S as ->. take_apart H. apply read_Q_reads in R as ->, R0 as ->. unfold write_share. cbn [fst snd]. written.
  - clear S. take_apart H. apply read_Q_reads in R as ->. reflexivity.
Qed.

Lemma read_outcome_reads : reads (fun o => write_outcome (unpack_outcome o)) read_outcome.
Proof.
  intros l [q n] r H. unfold read_outcome in H. take_apart H. apply (read_quoted_reads _ _ read_share_reads) in R as ->.
  apply read_name_reads in R0 as ->.
  unfold write_outcome, unpack_outcome. cbn [fst snd]. written.
Qed.

Lemma write_list_map {S T} (w : T -> text) (f : S -> T) l : write_list (fun x => w (f x)) l = write_list w (map f l).
Proof.
  unfold write_list. destruct l as [|x l]; auto. cbn [map]. do 2 f_equal. induction l; cbn [map write_more]; congruence.
Qed.

Lemma cell_of_outcomes q l : with_largest (successors (cell_of q l)) (largest (cell_of q l)) = l.
Proof.
  unfold cell_of. cbn [successors largest]. destruct (existsb (fun x => is_some (snd (fst x))) l) eqn:E.
  - clear E. induction l as [|[[p o] k] l IH]; cbn in *; auto. now rewrite IH.
  - induction l as [|[[p o] k] l IH]; cbn in *; auto. apply orb_false_iff in E as [E E']. destruct o; [discriminate E|].
    now rewrite (IH E').
Qed.

Lemma read_cell_reads : reads (fun c => write_cell (name_cell unpack c)) read_cell.
Proof.
  intros l c r H. unfold read_cell in H.
  assert (O : forall l x r, read_list read_outcome l = Some (x, r) -> l = write_list write_outcome (map unpack_outcome x) ++ r).
  { intros l' x r' R. rewrite <- write_list_map. revert R. apply read_list_reads, read_outcome_reads. }
  destruct (strip in_to l) as [m|] eqn:S.
  - apply strip_spec in S as ->. take_apart H. apply O in R as ->. unfold write_cell, name_cell. rewrite cell_of_outcomes.
    cbn [pays leads_to reward cell_of is_zero]. written.
  - clear S. take_apart H. apply read_quoted_Q in R as ->. apply O in R0 as ->. unfold write_cell, name_cell.
    rewrite cell_of_outcomes. cbn [pays leads_to reward cell_of]. rewrite negb_true_iff in B. rewrite B. written.
Qed.

Lemma write_list_ext {T} (w w' : T -> text) l : (forall x, w x = w' x) -> write_list w l = write_list w' l.
Proof.
  intros E. unfold write_list. destruct l as [|x l]; auto. rewrite E. do 2 f_equal. induction l; cbn [write_more]; congruence.
Qed.

Definition unpack_state (x : N * node) : named_state := name_state unpack (unpack (fst x), snd x).

Lemma read_state_reads k : reads (fun x => write_state k (unpack_state x)) (read_state k).
Proof.
  intros l x r H. unfold read_state in H. take_step H. take_step H. apply read_name_reads in R as ->.
  destruct (strip then_value t0) as [m|] eqn:S.
  - apply strip_spec in S as ->. take_apart H. apply read_quoted_Q in R as ->. unfold unpack_state, name_state. cbn [fst snd write_state].
    written.
  - clear S. do 4 take_step H. apply (read_list_reads _ _ read_text_reads) in R as ->, R0 as ->.
    assert (N : forall e l m, match strip then_endless l with
        | Some l => let? (e, l) := read_quoted read_Q l in only writes_endless k e; Some (e, l)
        | None => only negb (writes_endless k 0); Some (0%Q, l)
        end = Some (e, m) -> l = (if writes_endless k e then then_endless ++ quoted_Q e else []) ++ m).
    { intros e l' m. destruct (strip then_endless l') as [l''|] eqn:S; intros K.
      - apply strip_spec in S as ->. take_apart K. apply read_quoted_Q in R as ->. rewrite B. written.
      - take_apart K. rewrite negb_true_iff in B. now rewrite B. }
    take_step H. apply N in R as ->. take_apart H.
    apply (read_list_reads _ _ (read_list_reads _ _ read_cell_reads)) in R as ->.
    unfold unpack_state, name_state. cbn [fst snd write_state]. rewrite <- write_list_map.
    rewrite (write_list_ext (fun row => write_list write_cell (map (name_cell unpack) row))
      (write_list (fun c => write_cell (name_cell unpack c)))); [written|].
    intros row. symmetry. apply write_list_map.
Qed.

Lemma read_kind_reads : reads write_kind read_kind.
Proof.
  intros l k r H. unfold read_kind in H.
  destruct (strip kind_acyclic l) eqn:A; [apply strip_spec in A as ->; take_apart H; reflexivity|].
  destruct (strip kind_stopping l) eqn:S; [apply strip_spec in S as ->; take_apart H; reflexivity|].
  destruct (strip kind_recursive l) eqn:R; [apply strip_spec in R as ->; take_apart H; reflexivity|].
  destruct (strip kind_total l) eqn:T; [apply strip_spec in T as ->; take_apart H; reflexivity|].
  destruct (strip kind_target l) eqn:G; [apply strip_spec in G as ->; take_apart H; reflexivity|].
  clear A S R T G. take_apart H. apply read_quoted_Q in R as ->. cbn [write_kind]. written.
Qed.

Lemma read_nature_reads : reads write_nature read_nature.
Proof.
  intros l n r H. unfold read_nature in H.
  destruct (strip nature_A l) eqn:S; [apply strip_spec in S as ->; take_apart H; reflexivity|].
  destruct (strip nature_B l) eqn:T; [apply strip_spec in T as ->; take_apart H; reflexivity|].
  clear S T. take_apart H. reflexivity.
Qed.

Lemma read_head_reads : reads (fun x => write_head (fst (fst x)) (snd (fst x)) (map unpack (snd x))) read_head.
Proof.
  intros l [[k n] starts] r H. unfold read_head in H. take_apart H. apply read_kind_reads in R as ->.
  apply read_nature_reads in R0 as ->.
  apply (read_list_reads _ _ read_name_reads) in R1 as ->. rewrite write_list_map. unfold write_head. cbn [fst snd]. written.
Qed.

Lemma read_weight_reads : reads write_weight read_weight.
Proof.
  intros l [i w] r H. unfold read_weight in H. take_apart H. apply read_N_reads in R as ->. apply read_quoted_Z in R0 as ->.
  unfold write_weight. cbn [fst snd]. written.
Qed.

Lemma read_weights_reads field : reads (write_weights field) (read_weights field).
Proof.
  intros l x r H. unfold read_weights in H. destruct (strip field l) eqn:S.
  - apply strip_spec in S as ->. assert (N : x <> []).
    { intros ->. now apply read_list_full in H. }
    apply (read_list_reads _ _ read_weight_reads) in H as ->. destruct x; [easy|]. cbn [write_weights]. written.
  - take_apart H. reflexivity.
Qed.

Lemma read_line_reads : reads write_line read_line.
Proof.
  intros l y r H. unfold read_line in H. take_apart H. apply read_quoted_Z in R as ->, R0 as ->.
  apply read_weights_reads in R1 as ->, R2 as ->. unfold write_line. cbn [lower upper of_A of_B]. written.
Qed.

Lemma read_exponents_reads : reads write_exponents read_exponents.
Proof.
  intros l [e w] r H. unfold read_exponents in H. unfold write_exponents. destruct (strip in_proof l) as [m|] eqn:S.
  - apply strip_spec in S as ->. take_apart H. apply read_N_reads in R as ->. cbn [fst snd]. written.
  - clear S. take_apart H. apply read_N_reads in R as ->, R0 as ->. cbn [fst snd]. written.
Qed.

Lemma read_relation_reads : reads write_relation read_relation.
Proof.
  intros l v r H. unfold read_relation in H.
  destruct (strip at_least l) eqn:S; [apply strip_spec in S as ->; take_apart H; reflexivity|].
  destruct (strip above l) eqn:T; [apply strip_spec in T as ->; take_apart H; reflexivity|].
  destruct (strip at_most_sign l) eqn:U; [apply strip_spec in U as ->; take_apart H; reflexivity|].
  clear S T U. take_apart H. reflexivity.
Qed.

Lemma read_truth_reads : reads (fun b : bool => if b then is_true else is_false) read_truth.
Proof.
  intros l b r H. unfold read_truth in H.
  destruct (strip is_true l) eqn:S; [apply strip_spec in S as ->; take_apart H; reflexivity|].
  clear S. take_apart H. reflexivity.
Qed.

Lemma read_verdict_reads : reads write_verdict read_verdict.
Proof.
  intros l v r H. unfold read_verdict in H. destruct (strip then_bound l) as [m|] eqn:S.
  - apply strip_spec in S as ->. take_apart H. apply read_relation_reads in R as ->. apply read_Q_reads in R0 as ->.
    apply read_truth_reads in R1 as ->. unfold write_verdict. cbn [the_relation threshold is_kept]. written.
  - clear S. take_apart H. reflexivity.
Qed.

Definition write_the_first (e : first_line) : text := write_first (fst (fst e)) (snd (fst e)) (snd e).
Lemma read_first_reads : reads write_the_first read_first.
Proof.
  intros l [[e n] v] r H. unfold read_first in H. take_apart H. apply read_exponents_reads in R as ->. apply read_N_reads in R0 as ->.
  apply read_verdict_reads in R1 as ->. unfold write_the_first, write_first. cbn [fst snd]. written.
Qed.

(** *** Numbers of states *)

Lemma look_put {V} (m : map_to V) p q v : look (put m q v) p = if p =? q then Some v else look m p.
Proof.
  unfold look, put. rewrite find_add. destruct (N.eqb_spec p q) as [->|E].
  - now rewrite Pos.eqb_refl.
  - destruct (Pos.eqb_spec (N.succ_pos p) (N.succ_pos q)) as [K|K]; auto. apply (f_equal Npos) in K. rewrite !N.succ_pos_spec in K. lia.
Qed.

Lemma number_enter t n p m : number (enter t n p) m = if m =? n then Some p else number t m.
Proof.
  unfold number, enter, bucket. cbn [fst snd]. rewrite look_put. destruct (N.eqb_spec m n) as [->|E].
  - rewrite N.eqb_refl. cbn [pick]. now rewrite N.eqb_refl.
  - destruct (N.eqb_spec (N.modulo m (fst t)) (N.modulo n (fst t))) as [K|K]; auto. cbn [pick].
    apply N.eqb_neq in E. rewrite E, <- K. reflexivity.
Qed.

Lemma enter_all_spec l before t t' : NoDup before -> (forall n, In n before -> number t n <> None) ->
  (forall n p, number t n = Some p -> nth_error before (N.to_nat p) = Some n) ->
  enter_all (N.of_nat (length before)) l t = Some t' ->
  NoDup (before ++ l) /\ (forall n p, number t' n = Some p -> nth_error (before ++ l) (N.to_nat p) = Some n).
Proof.
  revert before t. induction l as [|n l IH]; intros before t U I S H; cbn [enter_all] in H.
  - injection H as <-. now rewrite app_nil_r.
  - destruct (number t n) eqn:E; [easy|]. assert (A : before ++ n :: l = (before ++ [n]) ++ l) by now rewrite <- app_assoc. rewrite A.
    apply IH with (t := enter t n (N.of_nat (length before))).
    + apply NoDup_rev in U. rewrite <- (rev_involutive (before ++ [n])), rev_app_distr. apply NoDup_rev. constructor; auto.
      intros K. apply in_rev in K. now apply I in K.
    + intros m K. rewrite number_enter. destruct (N.eqb_spec m n); [easy|]. apply I. apply in_app_or in K as [K|[K|[]]]; congruence.
    + intros m p. rewrite number_enter. destruct (N.eqb_spec m n) as [->|K].
      * intros [= <-]. rewrite Nat2N.id, nth_error_app2, Nat.sub_diag; auto.
      * intros F. apply S in F. rewrite nth_error_app1; auto. apply nth_error_Some. congruence.
    + rewrite app_length. cbn [length]. now replace (N.of_nat (length before + 1)) with (N.succ (N.of_nat (length before))) by lia.
Qed.

Lemma numbered_spec size l t : numbered size l = Some t ->
  NoDup l /\ forall n p, number t n = Some p -> nth_error l (N.to_nat p) = Some n.
Proof.
  intros H. apply (enter_all_spec l []) in H; [exact H|constructor|easy|].
  intros n p. unfold number, bucket, look. cbn. easy.
Qed.

Lemma all_spec {T U} (f : T -> option U) l m : all f [] l = Some m -> Forall2 (fun x y => f x = Some y) l m.
Proof.
  enough (H : forall found, all f found l = Some m -> exists k, m = rev found ++ k /\ Forall2 (fun x y => f x = Some y) l k).
  { intros K. apply H in K as (k & -> & K). exact K. }
  induction l as [|x l IH]; intros found H; cbn [all] in H.
  - injection H as <-. exists []. rewrite app_nil_r, reversed_rev. auto.
  - destruct (f x) as [y|] eqn:E; [|easy]. apply IH in H as (k & -> & K). exists (y :: k). cbn [rev]. rewrite <- app_assoc. auto.
Qed.

Lemma Forall2_map {T U V} (f : T -> V) (g : U -> V) (R : T -> U -> Prop) l m : (forall x y, R x y -> f x = g y) ->
  Forall2 R l m -> map f l = map g m.
Proof. intros H. induction 1; cbn [map]; f_equal; auto. Qed.
Lemma Forall2_right {T U} (P : U -> Prop) (R : T -> U -> Prop) l m : (forall x y, R x y -> P y) -> Forall2 R l m -> Forall P m.
Proof. intros H. induction 1; constructor; eauto. Qed.

Section Numbered.
Variables (G : sgame) (t : names) (found : list (N * node)).
Hypothesis U : NoDup (map fst found).
Hypothesis N : forall n p, number t n = Some p -> nth_error (map fst found) (N.to_nat p) = Some n.
Hypothesis S : Forall2 (fun x y => number_state t x = Some y) found (states G).

Lemma number_state_name x y : number_state t x = Some y -> unpack (fst x) = fst y /\ pack (fst y) = fst x.
Proof.
  destruct x as [n x]. unfold number_state. cbn [fst]. destruct (pack (unpack n) =? n) eqn:E; [|easy]. apply N.eqb_eq in E.
  destruct x as [v|a b e c]. now intros [= <-].
  destruct (unlike a && unlike b); [|easy]. destruct (all (all (number_cell t) []) [] c); [|easy]. now intros [= <-].
Qed.

Lemma names_of_states : map unpack (map fst found) = map fst (states G).
Proof. rewrite map_map. revert S. apply Forall2_map. intros x y E. now apply number_state_name. Qed.
Lemma packed_states : map fst found = map pack (map fst (states G)).
Proof. rewrite map_map. revert S. apply Forall2_map. intros x y E. symmetry. now apply number_state_name. Qed.

Lemma number_name n p : number t n = Some p -> is_state G p /\ unpack n = name_at G p.
Proof.
  intros E. apply N in E. assert (K := E). apply (map_nth_error unpack) in K. rewrite names_of_states in K. unfold name_at, is_state.
  split.
  - rewrite <- (map_length fst). apply nth_error_Some. congruence.
  - destruct (nth_error (states G) (N.to_nat p)) as [x|] eqn:X.
    + apply (map_nth_error fst) in X. congruence.
    + apply nth_error_None in X. rewrite <- (map_length fst) in X. apply nth_error_None in X. congruence.
Qed.

Lemma number_cell_known c c' : number_cell t c = Some c' -> known_cell G c' /\ name_cell unpack c = name_cell (name_at G) c'.
Proof.
  unfold number_cell. destruct (is_tidy c) eqn:T; [|easy].
  destruct (all (number_outcome t) [] (successors c)) as [l|] eqn:E; [|easy]. intros [= <-]. apply all_spec in E.
  assert (O : forall x y, number_outcome t x = Some y -> is_state G (snd y) /\ (fst x, unpack (snd x)) = (fst y, name_at G (snd y))).
  { intros [q n] y. unfold number_outcome. cbn [fst snd]. destruct (number t n) as [p|] eqn:P; [|easy]. intros [= <-].
    apply number_name in P as [P Q]. cbn [fst snd]. now rewrite Q. }
  unfold known_cell, name_cell, tidy. cbn [successors reward largest]. split; [split|].
  - revert E. apply Forall2_right. intros x y. apply O.
  - unfold is_tidy in T. rewrite orb_true_iff, andb_true_iff in T. destruct T as [T|[T X]].
    + left. now destruct (largest c).
    + right. split. { transitivity (length (successors c)); [clear - T; revert T|clear - E; induction E; simpl; auto]. generalize (largest c) (successors c).
        intros u v. revert v. induction u as [|o u IH]; intros [|y v]; simpl; try easy. intros H. f_equal. auto. }
      apply existsb_exists in X as ([q|] & I & X); [eauto|easy].
  - f_equal. revert E. generalize (largest c). intros most F. revert most.
    induction F as [|[q n] [q' p] u v X F IH]; intros most; [reflexivity|]. apply O in X as [_ X]. cbn [fst snd] in X.
    injection X as <- X. cbn [with_largest map fst snd]. f_equal; [congruence|apply IH].
Qed.

Lemma number_state_known x y : number_state t x = Some y -> unpack_state x = name_state (name_at G) y /\
  forall nm a b e cells, y = (nm, Turn a b e cells) -> Forall (Forall (known_cell G)) cells.
Proof.
  intros E. assert (K := number_state_name _ _ E). destruct K as [K _]. destruct x as [n x]. unfold number_state in E.
  cbn [fst] in K. destruct (pack (unpack n) =? n); [|easy]. unfold unpack_state, name_state. cbn [fst snd].
  destruct x as [v|a b e c].
  - injection E as <-. split; easy.
  - destruct (unlike a && unlike b); [|easy]. destruct (all (all (number_cell t) []) [] c) as [c'|] eqn:C; [|easy].
    injection E as <-. cbn [fst snd]. apply all_spec in C. split.
    + f_equal. revert C. apply Forall2_map. intros l m L. apply all_spec in L. revert L. apply Forall2_map.
      intros d d'. apply number_cell_known.
    + intros nm a' b' e' cells [= <- <- <- <- <-]. revert C. apply Forall2_right. intros l m L. apply all_spec in L.
      revert L. apply Forall2_right. intros d d'. apply number_cell_known.
Qed.

Lemma NoDup_packed : NoDup (map fst (states G)).
Proof. apply (NoDup_map_inv pack). now rewrite <- packed_states. Qed.

Lemma states_known : (forall nm a b e cells, In (nm, Turn a b e cells) (states G) -> Forall (Forall (known_cell G)) cells).
Proof.
  intros nm a b e cells I. assert (F := Forall2_right _ _ _ _ (fun x y E => proj2 (number_state_known x y E)) S).
  rewrite Forall_forall in F. now apply (F _ I nm a b e).
Qed.

Lemma states_written : map unpack_state found = map (name_state (name_at G)) (states G).
Proof. refine (Forall2_map _ _ _ _ _ _ S). intros x y. apply number_state_known. Qed.
End Numbered.

(** *** The whole file *)

Definition count_spec : forall {T} (l : list T), count_N l = N.of_nat (length l).
Proof.
  intros T l. unfold count_N. enough (H : forall n, fold_left (fun n (_ : T) => N.succ n) l n = n + N.of_nat (length l)) by (rewrite H; lia).
  induction l as [|x l IH]; intros n; cbn [fold_left length]; [lia|]. rewrite IH. lia.
Qed.

(** The bytes of the lines so far. *)
Definition lines_of_states (k : kind) (found : list (N * node)) : text :=
  flat_map (fun x => write_state k (unpack_state x)) (rev found).
Definition bytes_of (s : progress) : text :=
  match s with
  | Begun | Failed _ => []
  | Header e => write_the_first e
  | States e k starts _ found => write_the_first e ++ write_head (fst k) (snd k) (map unpack starts) ++ lines_of_states (fst k) found
  | Lines e k starts states found => write_the_first e ++ write_head (fst k) (snd k) (map unpack starts) ++ lines_of_states (fst k) states
      ++ flat_map write_line (rev found)
  end.
Definition holds (s : reading) (bytes : text) : Prop :=
  match sofar s with Failed _ => True | p => bytes = bytes_of p ++ rev (current s) end.

Lemma whole_line_spec {T} (w : T -> text) p l x : reads w p -> whole_line p l = Some x -> l = w x.
Proof.
  intros W. unfold whole_line. destruct (p l) as [[y [|]]|] eqn:E; try easy. intros [= <-]. apply W in E. now rewrite app_nil_r in E.
Qed.

Lemma flat_map_last {T} (w : T -> text) x l : flat_map w (rev (x :: l)) = flat_map w (rev l) ++ w x.
Proof. cbn [rev]. rewrite flat_map_app. cbn [flat_map]. now rewrite app_nil_r. Qed.

Lemma take_line_spec s l s' : take_line s l = Some s' -> match s' with Failed _ => True | _ => bytes_of s' = bytes_of s ++ l end.
Proof.
  destruct s as [|e|e k starts more found|e k starts states found|n]; cbn [take_line]; intros H.
  - destruct (whole_line read_first l) as [e|] eqn:E; [|easy]. injection H as <-. apply (whole_line_spec _ _ _ _ read_first_reads) in E as ->.
    reflexivity.
  - destruct (whole_line read_head l) as [[k starts]|] eqn:E; [|easy]. injection H as <-.
    apply (whole_line_spec _ _ _ _ read_head_reads) in E as ->. cbn. now rewrite app_nil_r.
  - destruct (0 <? more).
    + destruct (whole_line (read_state (fst k)) l) as [x|] eqn:E; [|easy]. injection H as <-.
      apply (whole_line_spec _ _ _ _ (read_state_reads (fst k))) in E as ->. cbn [bytes_of]. unfold lines_of_states. rewrite flat_map_last. written.
    + destruct (whole_line read_line l) as [y|] eqn:E; [|easy]. injection H as <-.
      apply (whole_line_spec _ _ _ _ read_line_reads) in E as ->. cbn [bytes_of rev app flat_map]. rewrite app_nil_r. written.
  - destruct (whole_line read_line l) as [y|] eqn:E; [|easy]. injection H as <-.
    apply (whole_line_spec _ _ _ _ read_line_reads) in E as ->. cbn [bytes_of]. rewrite flat_map_last. written.
  - injection H as <-. exact I.
Qed.

Lemma take_holds s bytes c : holds s bytes -> holds (take s c) (bytes ++ [c]).
Proof.
  destruct s as [p n l]. unfold holds, take. cbn [sofar current]. intros H. destruct (c =? ten) eqn:C; cbn [sofar current].
  - apply N.eqb_eq in C as ->. destruct (take_line p (rev_append l [ten])) as [q|] eqn:E; [|exact I].
    assert (F : match p with Failed _ => exists n, q = Failed n | _ => True end).
    { destruct p; auto. cbn in E. injection E as <-. eauto. }
    apply take_line_spec in E. rewrite rev_append_rev in E. cbn [rev]. rewrite app_nil_r.
    destruct q; auto; (destruct p; [..|destruct F as [? F]; discriminate F]); rewrite E, H; written.
  - cbn [rev]. destruct p; auto; rewrite H; written.
Qed.

Lemma reading_holds bytes : holds (fold_left take bytes begun) bytes.
Proof.
  induction bytes as [|c bytes IH] using rev_ind. reflexivity. rewrite fold_left_app. cbn [fold_left]. now apply take_holds.
Qed.

(** The bytes that are read are those of the certificate, in which different states have different names. *)
Theorem read_spec bytes c : read bytes = Found c -> bytes = write_certificate c /\ well_named (the_game c).
Proof.
  intros H. assert (B := reading_holds bytes). unfold read, finish in H. unfold holds in B.
  destruct (fold_left take bytes begun) as [s n l]. cbn [sofar current line_count] in *.
  destruct s as [| | |[[e m] v] k starts found ys|]; try (destruct l; discriminate H).
  destruct l; [|discriminate H]. cbn [fst snd] in H.
  destruct ((count_N found =? m) && (count_N ys =? m)) eqn:M; [|discriminate H]. rewrite andb_true_iff, !N.eqb_eq, !count_spec in M.
  destruct M as [M M']. rewrite !reversed_rev in H.
  destruct (numbered (N.succ (2 * m)) (map fst (rev found))) as [t|] eqn:T; [|discriminate H]. apply numbered_spec in T as [U N].
  destruct (all (number t) [] starts) as [starts'|] eqn:A; [|discriminate H].
  destruct (all (number_state t) [] (rev found)) as [states'|] eqn:S; [|discriminate H]. injection H as <-.
  apply all_spec in A, S. set (G := {| the_kind := fst k; nature := snd k; AnyGame.starts := starts'; states := states' |}).
  change states' with (states G) in S. cbn [bytes_of rev] in B. rewrite app_nil_r in B.
  assert (D : forall p q, number t p = Some q -> is_state G q /\ unpack p = name_at G q) by (intros p q; now apply number_name with (found := rev found)).
  split.
  - rewrite B. unfold write_certificate, write_game, write_named, named, lines_of_states. cbn [the_game exponent weight_exponent lines]. rewrite <- surjective_pairing.
    assert (L : N.of_nat (length (states G)) = m).
    { rewrite <- (map_length fst), <- (names_of_states G t (rev found)), !map_length, rev_length; auto. }
    rewrite L. unfold write_the_first. cbn [fst snd the_verdict]. f_equal. cbn [kind_of chooser start_names named_states]. rewrite <- app_assoc. f_equal.
    + f_equal. revert A. apply Forall2_map. intros x y. apply D.
    + f_equal. rewrite <- (states_written G t (rev found)); auto. now rewrite flat_map_concat_map, flat_map_concat_map, map_map.
  - split; [|split].
    + eapply NoDup_packed; eauto.
    + revert A. apply Forall2_right. intros x y. apply D.
    + eapply states_known; eauto.
Qed.
