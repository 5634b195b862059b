(** * The header of a certificate, as docs/certificate.md describes it

    [read_header] checks it and reads it. The first 106 bytes determine the game: [header_bytes_injective]. *)

From Coq Require Import ZArith NArith QArith List Bool Lia.
From PencilTennis Require Import Numbers Game Check Tennis Favoured Table.
Import ListNotations.
Local Open Scope N_scope.

Inductive complaint := Too_short | Letters | Version (n : N) | Checksum | Field | Motion | Mirror_flag | Points | Denominator
  | Lowest_terms | Too_large | Favoured_mirror | Not_antisymmetric | Too_short_for_points | Ends_early | No_bids | Illegal_bid | Bids_fall
  | Weight | Additional_bytes | Not_bytes | Own_tables.

Inductive verdict (T : Type) := Accepted (x : T) | Refused (c : complaint).
Arguments Accepted {_}. Arguments Refused {_}.
Notation "'let*' x := e 'in' k" := (match e with Accepted x => k | Refused c => Refused c end)
  (x pattern, at level 200, k at level 200, right associativity).
Notation "'require' b 'else' c ; k" := (if b then k else Refused c)
  (at level 200, b at level 99, c at level 99, right associativity).

(** ** Numbers *)

Fixpoint read_number (size : nat) (bytes : list N) : verdict (N * list N) :=
  match size, bytes with
  | O, _ => Accepted (0, bytes)
  | S size, [] => Refused Ends_early
  | S size, byte :: bytes => let* (n, rest) := read_number size bytes in Accepted (byte + 256 * n, rest)
  end.

Fixpoint read_numbers (sizes : list nat) (bytes : list N) : verdict (list N * list N) :=
  match sizes with
  | [] => Accepted ([], bytes)
  | size :: sizes => let* (n, bytes) := read_number size bytes in
      let* (l, bytes) := read_numbers sizes bytes in Accepted (n :: l, bytes)
  end.

Fixpoint write_number (size : nat) (n : N) : list N :=
  match size with O => [] | S size => N.modulo n 256 :: write_number size (n / 256) end.

(** Two's complement. *)
Definition two_64 : Z := 2 ^ 64.
Definition signed (n : N) : Z := if n <? 2 ^ 63 then Z.of_N n else (Z.of_N n - two_64)%Z.
Definition unsigned (z : Z) : N := Z.to_N (z mod two_64).

Definition length_N {T} (l : list T) : N := fold_left (fun n _ => n + 1) l 0.

Fixpoint range (first : N) (count : nat) : list N :=
  match count with O => [] | S count => first :: range (first + 1) count end.

(** The checksum of zip and PNG. *)
Definition polynomial : N := 0xEDB88320.
Definition ones : N := 0xFFFFFFFF.
Definition crc32_bit (c : N) : N := if N.odd c then N.lxor (N.div2 c) polynomial else N.div2 c.
Definition crc32_table : map_to N :=
  fold_left (fun m n => add (N.succ_pos n) (N.iter 8 crc32_bit n) m) (range 0 256) Nothing.
Definition crc32_byte (c byte : N) : N :=
  match find (N.succ_pos (N.lxor (c mod 256) byte)) crc32_table with Some n => N.lxor n (c / 256) | None => 0 end.
Definition crc32 (bytes : list N) : N := N.lxor (fold_left crc32_byte bytes ones) ones.

(** ** The header *)

Record header := { the_rules : rules; the_variant : variant; mirror_flag : bool; most_a : N; most_b : N }.

(** The version of the format, and what is added to the number of the motion. *)
Definition version_of (v : variant) : N := match v with Plain => 1 | Zeros => 2 | Favours _ => 3 end.
Definition motion_from (v : variant) : N := match v with Plain => 0 | Zeros => 2 | Favours For_A => 4 | Favours For_B => 8 end.
Definition variant_of (version motion : N) : option variant :=
  List.find (fun v => (version =? version_of v) && (motion_from v <=? motion) && (motion <=? motion_from v + 1))
    [Plain; Zeros; Favours For_A; Favours For_B].
Definition is_favouring (v : variant) : bool := match v with Favours _ => true | _ => false end.

(** The ranges of a header's numbers. Payoffs are in lowest terms. *)
Definition payoff_fits (q : Q) : Prop :=
  (Z.abs (Qnum q) <= 2 ^ 60 /\ Zpos (Qden q) <= 2 ^ 60 /\ Z.gcd (Qnum q) (Zpos (Qden q)) = 1)%Z.
Definition in_range (h : header) : Prop :=
  1 <= field (the_rules h) <= 99 /\ 1 <= most_a h <= 65535 /\ 1 <= most_b h <= 65535 /\
  Forall payoff_fits (payoffs (the_rules h)).

Definition letters : list N := [84; 69; 78; 78; 73; 83; 80; 70].
Definition header_sizes : list nat := [4; 4; 1; 1; 4; 4; 8; 8; 8; 8; 8; 8; 8; 8; 8; 8]%nat.

Definition header_numbers (h : header) : list N :=
  let r := the_rules h in
  [version_of (the_variant h); field r;
   match motion r with Net => 0 | Step => 1 end + motion_from (the_variant h); if mirror_flag h then 1 else 0; most_a h; most_b h]
  ++ flat_map (fun q => [unsigned (Qnum q); unsigned (Zpos (Qden q))]) (payoffs r).

(** The first 106 bytes of a certificate about this game. *)
Definition header_bytes (h : header) : list N :=
  letters ++ concat (map (fun x => write_number (fst x) (snd x)) (combine header_sizes (header_numbers h))).

Fixpoint same (l m : list N) : bool :=
  match l, m with [], [] => true | x :: l, y :: m => (x =? y) && same l m | _, _ => false end.

Definition same_fraction (p q : Q) : bool := ((Qnum p =? Qnum q)%Z && Pos.eqb (Qden p) (Qden q))%bool.
Definition antisymmetric (r : rules) : bool :=
  (same_fraction (- out_b r) (out_a r) && same_fraction (- stay_b r) (stay_a r) && same_fraction (- draw r) (draw r))%bool.

Fixpoint pairs {T} (l : list T) : list (T * T) := match l with x :: y :: l => (x, y) :: pairs l | _ => [] end.
Definition largest_number : Z := 2 ^ 60.

(** The last four bytes as a number, and the bytes before them. *)
Definition checksum_and_content (bytes : list N) : N * list N :=
  match rev_append bytes [] with
  | b3 :: b2 :: b1 :: b0 :: content => (b0 + 256 * (b1 + 256 * (b2 + 256 * b3)), rev_append content [])
  | _ => (0, [])
  end.

Lemma content_begins bytes content : snd (checksum_and_content bytes) = content -> exists rest, bytes = content ++ rest.
Proof.
  unfold checksum_and_content. rewrite rev_append_rev, app_nil_r. intros H. rewrite <- (rev_involutive bytes). revert H.
  destruct (rev bytes) as [|b3 [|b2 [|b1 [|b0 l]]]]; cbn [snd]; intros <-; try (now eexists).
  rewrite rev_append_rev, app_nil_r. cbn [rev]. rewrite <- !app_assoc. now eexists.
Qed.

(** [content] is the file without its checksum, and [fits] says whether that fits. *)
Definition decode_header (fits : bool) (length : N) (content : list N) : verdict (header * list N) :=
  require 106 <=? length else Too_short;
  require same (firstn 8 content) letters else Letters;
  let* (numbers, rest) := read_numbers header_sizes (skipn 8 content) in
  match numbers with
  | version :: field :: motion :: flag :: a :: b :: payoffs =>
      require (1 <=? version) && (version <=? 3) else Version version;
      require fits else Checksum;
      require (1 <=? field) && (field <=? 99) else Field;
      let* (v, _) := match variant_of version motion with Some v => Accepted (v, tt) | None => Refused Motion end in
      require flag <=? 1 else Mirror_flag;
      require (1 <=? a) && (a <=? 65535) && (1 <=? b) && (b <=? 65535) else Points;
      let terms := pairs (map signed payoffs) in
      require forallb (fun nd => 0 <? snd nd)%Z terms else Denominator;
      require forallb (fun nd => Z.gcd (fst nd) (snd nd) =? 1)%Z terms else Lowest_terms;
      require forallb (fun nd => (Z.abs (fst nd) <=? largest_number) && (snd nd <=? largest_number))%Z terms else Too_large;
      match map (fun nd => fst nd # Z.to_pos (snd nd)) terms with
      | [out_a; stay_a; draw; stay_b; out_b] =>
          let r := {| field := field; motion := if N.even motion then Net else Step;
            out_a := out_a; stay_a := stay_a; draw := draw; stay_b := stay_b; out_b := out_b |} in
          Accepted ({| the_rules := r; the_variant := v; mirror_flag := flag =? 1; most_a := a; most_b := b |}, rest)
      | _ => Refused Not_bytes
      end
  | _ => Refused Not_bytes
  end.

(** Reads the header; the rest are the strategies. Writing the header again makes certain that it was read rightly. *)
Definition read_header (fits : bool) (content : list N) : verdict (header * list N) :=
  let length := length_N content in
  let* (h, rest) := decode_header fits length content in
  require negb (mirror_flag h && is_favouring (the_variant h)) else Favoured_mirror;
  require negb (mirror_flag h) || antisymmetric (the_rules h) else Not_antisymmetric;
  let positions := ((most_a h + 1) * (most_b h + 1) - 1) * (2 * field (the_rules h) + 1) in
  require 8 * (positions / 2) <=? length + 4 else Too_short_for_points;
  require same (firstn 106 content) (header_bytes h) else Not_bytes;
  Accepted (h, rest).

(** ** Accepted headers *)

Ltac requirement H := match type of H with
  | (if ?b then _ else Refused _) = _ => let E := fresh "R" in destruct b eqn:E; [|discriminate H]
  | match ?e with Accepted _ => _ | Refused _ => _ end = _ =>
      let E := fresh "R" in destruct e as [[? ?]|] eqn:E; [|discriminate H]
  end.

Lemma same_eq l m : same l m = true -> l = m.
Proof.
  revert m. induction l as [|x l IH]; intros [|y m]; simpl; try easy. rewrite andb_true_iff, N.eqb_eq.
  intros [-> H]. f_equal. now apply IH.
Qed.

Lemma same_fraction_eq p q : same_fraction p q = true -> p = q.
Proof.
  unfold same_fraction. rewrite andb_true_iff, Z.eqb_eq, Pos.eqb_eq. destruct p, q; simpl. now intros [-> ->].
Qed.

Lemma antisymmetric_mirrored r : antisymmetric r = true -> mirrored r = r.
Proof.
  unfold antisymmetric. rewrite !andb_true_iff. intros [[A B] C]. apply same_fraction_eq in A, B, C.
  assert (T : forall q, (- - q)%Q = q) by (intros [n d]; unfold Qopp; simpl; now rewrite Z.opp_involutive).
  assert (A' : (- out_a r)%Q = out_b r) by (rewrite <- A; apply T).
  assert (B' : (- stay_a r)%Q = stay_b r) by (rewrite <- B; apply T).
  unfold mirrored. rewrite A, B, C, A', B'. now destruct r.
Qed.

(** ** The bytes determine the header *)

Lemma read_write size n rest : n < 256 ^ N.of_nat size -> read_number size (write_number size n ++ rest) = Accepted (n, rest).
Proof.
  revert n. induction size as [|size IH]; intros n H.
  - simpl in *. f_equal. f_equal. lia.
  - rewrite Nat2N.inj_succ, N.pow_succ_r' in H. cbn [write_number app read_number].
    rewrite IH by (apply N.div_lt_upper_bound; lia). f_equal. f_equal. pose proof (N.div_mod n 256). lia.
Qed.

Definition write_numbers (sizes : list nat) (l : list N) : list N :=
  concat (map (fun x => write_number (fst x) (snd x)) (combine sizes l)).

Lemma read_write_all sizes l : Forall2 (fun size n => n < 256 ^ N.of_nat size) sizes l ->
  read_numbers sizes (write_numbers sizes l) = Accepted (l, []).
Proof.
  induction 1 as [|size n sizes l H _ IH]. reflexivity. unfold write_numbers. cbn [combine map concat fst snd read_numbers].
  rewrite read_write by exact H. fold (write_numbers sizes l). now rewrite IH.
Qed.

Lemma unsigned_below z : unsigned z < 256 ^ 8.
Proof. unfold unsigned. pose proof (Z.mod_pos_bound z two_64 eq_refl). unfold two_64 in *. lia. Qed.

Lemma unsigned_injective x y : (Z.abs x <= 2 ^ 60 -> Z.abs y <= 2 ^ 60 -> unsigned x = unsigned y -> x = y)%Z.
Proof.
  unfold unsigned, two_64. intros X Y E. pose proof (Z.mod_pos_bound x (2 ^ 64) eq_refl).
  pose proof (Z.mod_pos_bound y (2 ^ 64) eq_refl). apply Z2N.inj in E; try lia.
  pose proof (Z.div_mod x (2 ^ 64)). pose proof (Z.div_mod y (2 ^ 64)). lia.
Qed.

Lemma fraction_injective p q : payoff_fits p -> payoff_fits q -> unsigned (Qnum p) = unsigned (Qnum q) ->
  unsigned (Zpos (Qden p)) = unsigned (Zpos (Qden q)) -> p = q.
Proof.
  destruct p as [n d], q as [n' d']. intros (P1 & P2 & _) (Q1 & Q2 & _) N D. cbn [Qnum Qden] in *.
  apply unsigned_injective in N; auto. apply unsigned_injective in D; try lia. now injection D as ->; subst.
Qed.

Lemma header_numbers_fit h : in_range h -> Forall2 (fun size n => n < 256 ^ N.of_nat size) header_sizes (header_numbers h).
Proof.
  intros (F & A & B & _). unfold header_sizes, header_numbers, payoffs. cbn [app flat_map].
  assert (T : forall n, n <= 65535 -> n < 256 ^ N.of_nat 4) by (intros; change (256 ^ N.of_nat 4) with 4294967296; lia).
  repeat apply Forall2_cons; try apply unsigned_below; try (apply T; lia); try constructor;
    now destruct (motion (the_rules h)), (the_variant h) as [| |[]], (mirror_flag h).
Qed.

Lemma write_number_length size n : length (write_number size n) = size.
Proof. revert n. induction size; intros; cbn [write_number length]; auto. Qed.

Lemma header_bytes_length h : length (header_bytes h) = 106%nat.
Proof.
  unfold header_bytes, header_sizes, header_numbers, payoffs. cbn [app flat_map combine map concat fst snd].
  rewrite !app_length, !write_number_length. reflexivity.
Qed.

(** Within the ranges the bytes of the header determine the game, its size and the flag. *)
Theorem header_bytes_injective h k : in_range h -> in_range k -> header_bytes h = header_bytes k -> h = k.
Proof.
  intros H K E. apply app_inv_head in E. apply (f_equal (read_numbers header_sizes)) in E.
  change (read_numbers header_sizes (write_numbers header_sizes (header_numbers h)) =
    read_numbers header_sizes (write_numbers header_sizes (header_numbers k))) in E.
  rewrite !read_write_all in E by now apply header_numbers_fit. apply (f_equal (fun v => match v with
    | Accepted x => fst x | Refused _ => [] end)) in E. cbn [fst] in E.
  destruct H as (_ & _ & _ & P), K as (_ & _ & _ & P').
  destruct h as [[f m o1 o2 o3 o4 o5] v flag a b], k as [[f' m' o1' o2' o3' o4' o5'] v' flag' a' b'].
  unfold header_numbers, payoffs in *.
  cbn [the_rules field motion out_a stay_a draw stay_b out_b the_variant mirror_flag most_a most_b app flat_map] in *.
  repeat match goal with H : Forall _ (_ :: _) |- _ => inversion_clear H end.
  injection E as V -> M G -> -> N1 D1 N2 D2 N3 D3 N4 D4 N5 D5.
  assert (v = v' /\ m = m') as [-> ->] by (clear - V M; now destruct m, m', v as [| |[]], v' as [| |[]]).
  assert (flag = flag') as -> by (clear - G; now destruct flag, flag').
  apply fraction_injective in N1, N2, N3, N4, N5; auto. now subst.
Qed.

Lemma terms_fit terms : forallb (fun nd => 0 <? snd nd)%Z terms = true ->
  forallb (fun nd => Z.gcd (fst nd) (snd nd) =? 1)%Z terms = true ->
  forallb (fun nd => (Z.abs (fst nd) <=? largest_number) && (snd nd <=? largest_number))%Z terms = true ->
  Forall payoff_fits (map (fun nd => fst nd # Z.to_pos (snd nd)) terms).
Proof.
  rewrite !forallb_forall. intros P G L. apply Forall_forall. intros q I. apply in_map_iff in I as ([n d] & <- & I).
  specialize (P _ I). specialize (G _ I). specialize (L _ I). cbn [fst snd] in *. unfold largest_number in L.
  rewrite andb_true_iff, !Z.leb_le in L. apply Z.ltb_lt in P. apply Z.eqb_eq in G. unfold payoff_fits. cbn [Qnum Qden].
  rewrite Z2Pos.id by exact P. tauto.
Qed.

(** What is left after numbers are read. *)
Lemma read_number_rest size : forall bytes n rest, read_number size bytes = Accepted (n, rest) ->
  rest = skipn size bytes.
Proof.
  induction size as [|size IH]; intros [|byte bytes] n rest; cbn [read_number skipn];
    try discriminate; try now intros [= _ <-].
  destruct (read_number size bytes) as [[n' rest']|] eqn:E; [|discriminate]. intros [= _ <-].
  now apply IH in E.
Qed.

Lemma skipn_more {T} (k n : nat) (l : list T) : skipn k (skipn n l) = skipn (n + k) l.
Proof. revert l. induction n as [|n IH]; intros [|x l]; simpl; auto. now rewrite skipn_nil. Qed.

Lemma read_numbers_rest sizes : forall bytes l rest, read_numbers sizes bytes =
  Accepted (l, rest) ->
  rest = skipn (fold_right Nat.add 0%nat sizes) bytes.
Proof.
  induction sizes as [|size sizes IH]; intros bytes l rest; cbn [read_numbers fold_right].
  now intros [= _ <-].
  destruct (read_number size bytes) as [[n bytes']|] eqn:E; [|discriminate].
  destruct (read_numbers sizes bytes') as [[l' rest']|] eqn:E'; [|discriminate]. intros [= _ <-].
  apply read_number_rest in E. apply IH in E'. now rewrite E', E, skipn_more.
Qed.

Lemma decode_header_rest fits length content h rest : decode_header fits length content =
  Accepted (h, rest) ->
  rest = skipn 106 content.
Proof.
  unfold decode_header. intros H. requirement H. requirement H. requirement H.
  destruct l as [|version [|f [|m [|flag [|a [|b numbers]]]]]]; try discriminate H.
  do 6 requirement H.
  set (terms := pairs (map signed numbers)) in *. do 3 requirement H.
  destruct (map _ terms) as [|o1 [|o2 [|o3 [|o4 [|o5 [|]]]]]]; try discriminate H.
  injection H as _ <-.
  apply read_numbers_rest in R1. rewrite R1, skipn_more. reflexivity.
Qed.

Lemma decode_header_in_range fits length content h rest : decode_header fits length content = Accepted (h, rest) -> in_range h.
Proof.
  unfold decode_header. intros H. requirement H. requirement H. requirement H. destruct l as [|version [|f [|m [|flag [|a [|b numbers]]]]]]; try discriminate H. do 6 requirement H.
  set (terms := pairs (map signed numbers)) in *. do 3 requirement H. pose proof (terms_fit terms R8 R9 R10) as T.
  destruct (map _ terms) as [|o1 [|o2 [|o3 [|o4 [|o5 [|]]]]]]; try discriminate H. injection H as <- _.
  rewrite !andb_true_iff, !N.leb_le in *. unfold in_range, payoffs. cbn. repeat split; try tauto.
Qed.

Lemma read_header_spec fits content h rest : read_header fits content = Accepted (h, rest) -> in_range h /\
  firstn 106 content = header_bytes h /\ (mirror_flag h = true -> mirrored (the_rules h) =
    the_rules h /\ exchanged (the_variant h) = the_variant h) /\
  rest = skipn 106 content.
Proof.
  unfold read_header. intros H. repeat requirement H. injection H as -> ->. split. now apply decode_header_in_range in R.
  split. now apply same_eq. split; [|now apply decode_header_rest in R]. intros M. rewrite M in R0, R1. split.
  - now apply antisymmetric_mirrored.
  - now destruct (the_variant h).
Qed.
