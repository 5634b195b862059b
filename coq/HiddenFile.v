(** * Certificates of games with hidden information as bytes

    [write_hidden] is the form in which the program writes the certificate of docs/hidden.md, lines of
    JSON. [verify_hidden] reads a file, and accepts it only if it is the written form of the certificate
    that was read: so nothing has to be proved about reading. *)

From Coq Require Import String ZArith NArith QArith List Bool Lia.
From PencilTennis Require Import Numbers AnyGame GameFile GameReader Hidden HiddenProof.
Import ListNotations.
Local Open Scope N_scope.

(** ** Writing *)

Definition in_hidden := Eval compute in letters "{""format"":""hidden-game-proof"",""lower"":".
Definition hidden_upper := Eval compute in letters ",""upper"":".
Definition hidden_version := Eval compute in (letters ",""version"":1}" ++ [10])%list.
Definition in_end := Eval compute in letters "[""end"",".
Definition in_chance := Eval compute in letters "[""chance"",".
Definition in_choice_A := Eval compute in letters "[""A"",".
Definition in_choice_B := Eval compute in letters "[""B"",".
Definition in_weights_A := Eval compute in letters "[""weights"",""A"",".
Definition in_weights_B := Eval compute in letters "[""weights"",""B"",".
Definition end_list : text := [close; ten].

Definition in_choice (who : player) : text := match who with A => in_choice_A | B => in_choice_B end.
Definition in_weights (who : player) : text :=
  match who with A => in_weights_A | B => in_weights_B end.

(** The nodes of a tree in prefix order: a node, then the trees of its actions. *)
Inductive item :=
| Leaf_item (payoff : Q)
| Chance_item (shares : list Q)
| Choice_item (who : player) (set : N) (count : nat).

Fixpoint prefix (T : tree) (rest : list item) : list item :=
  match T with
  | Leaf q => Leaf_item q :: rest
  | Chance shares next => Chance_item shares :: fold_right prefix rest next
  | Choice who k next => Choice_item who k (length next) :: fold_right prefix rest next
  end.

(** How many information sets of both players have come. Information sets are numbered in the order of
    their first nodes. *)
Record seen := { of_player_A : N; of_player_B : N }.
Definition count_seen (s : seen) (who : player) : N :=
  match who with A => of_player_A s | B => of_player_B s end.
Definition see (s : seen) (who : player) : seen :=
  match who with
  | A => {| of_player_A := N.succ (of_player_A s); of_player_B := of_player_B s |}
  | B => {| of_player_A := of_player_A s; of_player_B := N.succ (of_player_B s) |}
  end.
Definition none_seen : seen := {| of_player_A := 0; of_player_B := 0 |}.
Definition seen_after (s : seen) (x : item) : seen :=
  match x with
  | Choice_item who k _ => if k =? count_seen s who then see s who else s
  | _ => s
  end.

(** Whether all information sets of both players are those of some node: so they are as they are read, which is checked and not
    proved of reading. *)
Definition all_seen (G : hidden_game) : bool :=
  let s := fold_left seen_after (prefix (root G) []) none_seen in
  (of_player_A s =? N.of_nat (length (sets_A G))) && (of_player_B s =? N.of_nat (length (sets_B G))).

(** The line of a node: of the first node of an information set, with the names of its actions.
    [find] finds information sets by their numbers. *)
Definition write_item (find : player -> N -> option information_set) (s : seen) (x : item) : text :=
  match x with
  | Leaf_item q => in_end ++ quoted_Q q ++ end_list
  | Chance_item shares => in_chance ++ write_list quoted_Q shares ++ end_list
  | Choice_item who k _ =>
      let set := match find who k with
        | Some set => set
        | None => {| set_name := []; actions := [] |}
        end in
      in_choice who ++ write_text (set_name set) ++
        (if k =? count_seen s who then comma :: write_list write_text (actions set) else []) ++
        end_list
  end.

Fixpoint write_items (find : player -> N -> option information_set) (s : seen) (l : list item) : text :=
  match l with
  | [] => []
  | x :: l => write_item find s x ++ write_items find (seen_after s x) l
  end.

Definition quoted_N (n : N) : text := quoted (write_N n).
Fixpoint write_strategy (who : player) (sets : list information_set) (weights : list (list N)) :
    text :=
  match sets, weights with
  | x :: sets, w :: weights =>
      (in_weights who ++ write_text (set_name x) ++ comma :: write_list quoted_N w ++ end_list) ++
      write_strategy who sets weights
  | _, _ => []
  end.

(** A certificate: the claimed bounds, the tree, A's weights, B's weights. *)
Definition write_claim (c : hidden_certificate) : text :=
  in_hidden ++ quoted_Q (claimed_lower c) ++ hidden_upper ++ quoted_Q (claimed_upper c) ++
    hidden_version.
Definition write_hidden (c : hidden_certificate) : text :=
  let G := the_tree c in
  write_claim c ++ write_items (set_at G) none_seen (prefix (root G) []) ++
    write_strategy A (sets_A G) (weights_A c) ++ write_strategy B (sets_B G) (weights_B c).

(** ** Whether bytes are a written form

    Line by line; the rest of the bytes is returned. *)

Fixpoint strip_items (find : player -> N -> option information_set) (s : seen) (l : list item)
    (bytes : text) : option text :=
  match l with
  | [] => Some bytes
  | x :: l =>
      match strip (write_item find s x) bytes with
      | Some bytes => strip_items find (seen_after s x) l bytes
      | None => None
      end
  end.

Fixpoint strip_strategy (who : player) (sets : list information_set) (weights : list (list N))
    (bytes : text) : option text :=
  match sets, weights with
  | x :: sets, w :: weights =>
      match strip (in_weights who ++ write_text (set_name x) ++ comma :: write_list quoted_N w
        ++ end_list) bytes with
      | Some bytes => strip_strategy who sets weights bytes
      | None => None
      end
  | _, _ => Some bytes
  end.

Definition is_written (c : hidden_certificate) (bytes : text) : bool :=
  let G := the_tree c in
  let a := by_number (sets_A G) in let b := by_number (sets_B G) in
  let find who k := look (match who with A => a | B => b end) k in
  match strip (write_claim c) bytes with
  | None => false
  | Some bytes => match strip_items find none_seen (prefix (root G) []) bytes with
    | None => false
    | Some bytes => match strip_strategy A (sets_A G) (weights_A c) bytes with
      | None => false
      | Some bytes => match strip_strategy B (sets_B G) (weights_B c) bytes with
        | Some [] => true
        | _ => false
        end
      end
    end
  end.

Lemma strip_items_spec find find' s l bytes rest : (forall who k, find who k = find' who k) ->
  strip_items find s l bytes = Some rest -> bytes = write_items find' s l ++ rest.
Proof.
  intros E. revert s bytes. induction l as [|x l IH]; intros s bytes H; cbn [strip_items] in H.
  - now injection H as ->.
  - destruct (strip (write_item find s x) bytes) as [r|] eqn:S; [|discriminate H].
    apply strip_spec in S as ->. apply IH in H as ->. cbn [write_items]. rewrite <- app_assoc.
    f_equal. destruct x; auto. unfold write_item. now rewrite E.
Qed.

Lemma strip_strategy_spec who sets weights bytes rest :
  strip_strategy who sets weights bytes = Some rest ->
  bytes = write_strategy who sets weights ++ rest.
Proof.
  revert weights bytes. induction sets as [|x sets IH]; intros [|w weights] bytes H;
    cbn [strip_strategy] in H; try now injection H as ->.
  destruct (strip _ bytes) as [r|] eqn:S; [|discriminate H].
  apply strip_spec in S as ->. apply IH in H as ->. cbn [write_strategy]. apply app_assoc.
Qed.

Lemma is_written_spec c bytes : is_written c bytes = true -> bytes = write_hidden c.
Proof.
  unfold is_written, write_hidden. intros H.
  destruct (strip (write_claim c) bytes) as [r|] eqn:C; [|discriminate H].
  destruct (strip_items _ _ _ r) as [r1|] eqn:I; [|discriminate H].
  destruct (strip_strategy A _ _ r1) as [r2|] eqn:SA; [|discriminate H].
  destruct (strip_strategy B _ _ r2) as [[|]|] eqn:SB; try discriminate H.
  apply strip_spec in C as ->. apply strip_strategy_spec in SA as ->. apply strip_strategy_spec in SB as ->.
  apply (strip_items_spec _ (set_at (the_tree c))) in I as ->.
  - now rewrite app_nil_r.
  - intros who k. unfold set_at, sets_of. destruct who; apply by_number_spec.
Qed.

(** ** Reading *)

Inductive line_read :=
| Read_end (q : Q)
| Read_chance (shares : list Q)
| Read_choice (who : player) (set : name) (actions : option (list name))
| Read_weights (who : player) (weights : list N).

Definition read_end_list {T} (x : T) (l : text) : option T :=
  match strip end_list l with Some [] => Some x | _ => None end.

Definition read_choice (who : player) (l : text) : option line_read :=
  let? (n, l) := read_text l in
  match l with
  | c :: rest =>
      if c =? comma then let? (actions, rest) := read_list read_text rest in
        read_end_list (Read_choice who n (Some actions)) rest
      else read_end_list (Read_choice who n None) l
  | [] => None
  end.
Definition read_weights_of (who : player) (l : text) : option line_read :=
  let? (_, l) := read_text l in let? l := strip comma_only l in
  let? (w, l) := read_list (read_quoted read_N) l in read_end_list (Read_weights who w) l.

Definition read_hidden_line (l : text) : option line_read :=
  match strip in_end l with
  | Some l => let? (q, l) := read_quoted read_Q l in read_end_list (Read_end q) l
  | None => match strip in_chance l with
    | Some l => let? (shares, l) := read_list (read_quoted read_Q) l in
        read_end_list (Read_chance shares) l
    | None => match strip in_choice_A l with
      | Some l => read_choice A l
      | None => match strip in_choice_B l with
        | Some l => read_choice B l
        | None => match strip in_weights_A l with
          | Some l => read_weights_of A l
          | None => let? l := strip in_weights_B l in read_weights_of B l
          end
        end
      end
    end
  end.

Record claim := { claims_lower : Q; claims_upper : Q }.
Definition read_claim (l : text) : option claim :=
  let? l := strip in_hidden l in let? (low, l) := read_quoted read_Q l in
  let? l := strip hidden_upper l in let? (up, l) := read_quoted read_Q l in
  match strip hidden_version l with
  | Some [] => Some {| claims_lower := low; claims_upper := up |}
  | _ => None
  end.

(** The lines read so far, the last one first. *)
Inductive stage := At_begin | In_lines (c : claim) (found : list line_read) | Stopped (line : N).
Record hidden_reading := { stage_of : stage; lines_taken : N; unfinished : text }.

Definition take_hidden (s : hidden_reading) (c : N) : hidden_reading :=
  if c =? ten then
    let l := rev_append (unfinished s) [ten] in
    let n := N.succ (lines_taken s) in
    {| stage_of := match stage_of s with
         | At_begin => match read_claim l with Some x => In_lines x [] | None => Stopped n end
         | In_lines x found => match read_hidden_line l with
             | Some y => In_lines x (y :: found)
             | None => Stopped n
             end
         | Stopped k => Stopped k
         end;
       lines_taken := n; unfinished := [] |}
  else {| stage_of := stage_of s; lines_taken := lines_taken s; unfinished := c :: unfinished s |}.

(** *** Numbers of information sets

    What the lines so far say of one player; lists have the last one first. *)
Record known := { table_of : names; known_count : N; known_sets : list information_set;
  known_weights : list (list N) }.
Definition buckets : N := 65521.
Definition none_known : known :=
  {| table_of := (buckets, no_entry); known_count := 0; known_sets := []; known_weights := [] |}.

Record assembly := { items_read : list item; known_A : known; known_B : known }.
Definition known_of (s : assembly) (who : player) : known :=
  match who with A => known_A s | B => known_B s end.
Definition with_known (s : assembly) (who : player) (k : known) : assembly :=
  match who with
  | A => {| items_read := items_read s; known_A := k; known_B := known_B s |}
  | B => {| items_read := items_read s; known_A := known_A s; known_B := k |}
  end.
Definition with_item (s : assembly) (x : item) : assembly :=
  {| items_read := x :: items_read s; known_A := known_A s; known_B := known_B s |}.

Definition count_of (k : known) (n : N) (counts : map_to nat) : nat :=
  match look counts n with Some c => c | None => 0%nat end.

(** The number of actions of each information set is kept beside the names. *)
Record counted := { so_far : assembly; counts_A : map_to nat; counts_B : map_to nat }.

Definition assemble (s : counted) (x : line_read) : counted :=
  let keep a := {| so_far := a; counts_A := counts_A s; counts_B := counts_B s |} in
  match x with
  | Read_end q => keep (with_item (so_far s) (Leaf_item q))
  | Read_chance shares => keep (with_item (so_far s) (Chance_item shares))
  | Read_weights who w =>
      let k := known_of (so_far s) who in
      keep (with_known (so_far s) who {| table_of := table_of k; known_count := known_count k;
        known_sets := known_sets k; known_weights := w :: known_weights k |})
  | Read_choice who nm actions =>
      let k := known_of (so_far s) who in
      let counts := match who with A => counts_A s | B => counts_B s end in
      match number (table_of k) (pack nm) with
      | Some n => keep (with_item (so_far s) (Choice_item who n (count_of k n counts)))
      | None =>
          let l := match actions with Some l => l | None => [] end in
          let n := known_count k in
          let a := with_item (with_known (so_far s) who {|
            table_of := enter (table_of k) (pack nm) n; known_count := N.succ n;
            known_sets := {| set_name := nm; actions := l |} :: known_sets k;
            known_weights := known_weights k |}) (Choice_item who n (length l)) in
          match who with
          | A => {| so_far := a; counts_A := put (counts_A s) n (length l); counts_B := counts_B s |}
          | B => {| so_far := a; counts_A := counts_A s; counts_B := put (counts_B s) n (length l) |}
          end
      end
  end.

(** *** The tree of the nodes

    From the last node on, so that the trees after a node are at hand. *)

Fixpoint split_at (n : nat) (l front : list tree) : option (list tree * list tree) :=
  match n with
  | O => Some (reversed front, l)
  | S n => match l with T :: l => split_at n l (T :: front) | [] => None end
  end.
Definition grow (stack : option (list tree)) (x : item) : option (list tree) :=
  match stack with
  | None => None
  | Some stack => match x with
    | Leaf_item q => Some (Leaf q :: stack)
    | Chance_item shares =>
        let? (next, stack) := split_at (length shares) stack [] in Some (Chance shares next :: stack)
    | Choice_item who k count =>
        let? (next, stack) := split_at count stack [] in Some (Choice who k next :: stack)
    end
  end.

Inductive hidden_outcome := Proved (c : hidden_certificate) | Unproved (f : fault).

Definition verify_hidden (bytes : text) : hidden_outcome :=
  let s := fold_left take_hidden bytes
    {| stage_of := At_begin; lines_taken := 0; unfinished := [] |} in
  match stage_of s with
  | At_begin => Unproved Ends_early
  | Stopped n => Unproved (Not_written n)
  | In_lines claim found =>
      let a := so_far (fold_left assemble (reversed found)
        {| so_far := {| items_read := []; known_A := none_known; known_B := none_known |};
           counts_A := no_entry; counts_B := no_entry |}) in
      match fold_left grow (items_read a) (Some []) with
      | Some [T] =>
          let c := {| the_tree := {| sets_A := reversed (known_sets (known_A a));
                        sets_B := reversed (known_sets (known_B a)); root := T |};
                      claimed_lower := claims_lower claim; claimed_upper := claims_upper claim;
                      weights_A := reversed (known_weights (known_A a));
                      weights_B := reversed (known_weights (known_B a)) |} in
          match fault_of c with
          | Some f => Unproved f
          | None => if is_written c bytes && all_seen (the_tree c) then Proved c else Unproved Other_form
          end
      | _ => Unproved Not_one_tree
      end
  end.

(** ** From a file to a theorem

    If [verify_hidden] accepts the bytes of a file, then the bytes are the written form of a game tree
    with perfect recall, of both players' strategies and of two bounds; the strategies with the weights
    in the file secure the bounds against every behaviour strategy of the other player; and the value,
    if there is one, lies between. *)
Theorem hidden_certificate_sound F bytes c : verify_hidden bytes = Proved c ->
  bytes = write_hidden c /\ well_formed (the_tree c) /\
  A_secures_with F (the_tree c) (published F (weights_A c)) (ratio (claimed_lower c)) /\
  B_secures_with F (the_tree c) (published F (weights_B c)) (ratio (claimed_upper c)) /\
  forall v, is_value F (the_tree c) v ->
    le (ratio (claimed_lower c)) v /\ le v (ratio (claimed_upper c)).
Proof.
  unfold verify_hidden. intros H. destruct (stage_of _) as [|claim found|n]; try discriminate H.
  destruct (fold_left grow _ _) as [[|T [|]]|]; try discriminate H.
  match type of H with context [fault_of ?d] => set (c' := d) in H end.
  destruct (fault_of c') eqn:E; [discriminate H|].
  destruct (is_written c' bytes && all_seen (the_tree c')) eqn:W; [|discriminate H]. injection H as <-.
  apply andb_true_iff in W as [W _].
  apply is_written_spec in W. apply (HiddenProof.check_sound F) in E as (N & SA & SB).
  split; [exact W|]. split; [exact N|]. split; [exact SA|]. split; [exact SB|].
  intros v [[s S] [t T']]. split.
  - exact (hidden_order F _ _ _ _ _ SA T').
  - exact (hidden_order F _ _ _ _ _ S SB).
Qed.
