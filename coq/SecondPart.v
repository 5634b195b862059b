(** * Whole files: a certificate with its second part, from bytes to a theorem

    The bytes of a file are read one at a time: the certificate of GameReader.v, then perhaps the second part that
    docs/game-format.md describes, in exactly the form in which the program writes it. [second_part_sound] says what a file proves
    whose second part is accepted. *)

From Coq Require Import String ZArith NArith QArith List Bool Lia.
From PencilTennis Require Import Numbers AnyGame Stationary Exchanged AnyProof GameFile GameReader AnyTheorem AlmostSure LimitSure.
From PencilTennis Require Import NotAttained BestPayoffs Quoted HideOrRun.
Import ListNotations.
Local Open Scope N_scope.

(** ** The written form *)

(** Whose claims there are; in a file with those of both, A's come first. *)
Inductive whose := Of_A | Of_B | Of_both.
Record second_part := { claimants : whose; all_claims : list claim }.

(** A player's claims, of the [count] states of the game. *)
Definition claims_of (count : nat) (s : second_part) (p : player) : option (list claim) :=
  match claimants s, p with
  | Of_A, A | Of_B, B => Some (all_claims s)
  | Of_both, A => Some (firstn count (all_claims s))
  | Of_both, B => Some (skipn count (all_claims s))
  | _, _ => None
  end.

Definition in_best := Eval compute in letters "{""format"":""stochastic-game-best-payoffs"",""version"":1,""players"":""".
Definition only_A := Eval compute in letters "A""".
Definition only_B := Eval compute in letters "B""".
Definition both := Eval compute in letters "AB""".
Definition in_payoff := Eval compute in letters "{""payoff"":".
Definition then_height := Eval compute in letters ",""height"":".
Definition then_rank := Eval compute in letters ",""rank"":".
Definition then_stages := Eval compute in letters ",""stages"":".
Definition then_layer := Eval compute in letters ",""layer"":".
Definition then_reply := Eval compute in letters ",""reply"":".

Definition write_whose (w : whose) : text := match w with Of_A => only_A | Of_B => only_B | Of_both => both end.
Definition write_stage (a : N * N) : text := [open_list] ++ write_N (fst a) ++ [comma] ++ write_N (snd a) ++ [close].
Definition write_stages (l : list (N * N)) : text := match l with [] => [] | _ => then_stages ++ write_list write_stage l end.
Definition write_way (w : option (N * list (N * N))) : text :=
  match w with None => [] | Some (r, l) => then_rank ++ write_N r ++ write_stages l end.
Definition write_obstacle (o : option (N * N)) : text :=
  match o with None => [] | Some (n, j) => then_layer ++ write_N n ++ then_reply ++ write_N j end.
Definition write_claim (c : claim) : text :=
  in_payoff ++ quoted_Q (payoff c) ++ then_height ++ write_N (height c) ++ write_way (way_to c) ++ write_obstacle (obstacle c) ++ end_line.
Definition write_second_head (w : whose) : text := in_best ++ write_whose w ++ end_line.
Definition write_second (s : second_part) : text := write_second_head (claimants s) ++ flat_map write_claim (all_claims s).

(** ** Reading *)

Definition read_whose : reader whose := fun l =>
  match strip only_A l with
  | Some l => Some (Of_A, l)
  | None => match strip only_B l with
    | Some l => Some (Of_B, l)
    | None => let? l := strip both l in Some (Of_both, l)
    end
  end.
Definition read_second_head : reader whose := fun l =>
  let? l := strip in_best l in let? (w, l) := read_whose l in let? l := strip end_line l in Some (w, l).

Definition read_stage : reader (N * N) := fun l =>
  let? l := strip opening l in let? (i, l) := read_N l in let? l := strip comma_only l in
  let? (s, l) := read_N l in let? l := strip closing l in Some ((i, s), l).
Definition read_stages : reader (list (N * N)) := fun l =>
  match strip then_stages l with Some l => read_list read_stage l | None => Some ([], l) end.
Definition read_way : reader (option (N * list (N * N))) := fun l =>
  match strip then_rank l with
  | Some l => let? (r, l) := read_N l in let? (s, l) := read_stages l in Some (Some (r, s), l)
  | None => Some (None, l)
  end.
Definition read_obstacle : reader (option (N * N)) := fun l =>
  match strip then_layer l with
  | Some l => let? (n, l) := read_N l in let? l := strip then_reply l in let? (j, l) := read_N l in Some (Some (n, j), l)
  | None => Some (None, l)
  end.
Definition read_claim : reader claim := fun l =>
  let? l := strip in_payoff l in let? (q, l) := read_quoted read_Q l in
  let? l := strip then_height l in let? (h, l) := read_N l in
  let? (w, l) := read_way l in let? (o, l) := read_obstacle l in let? l := strip end_line l in
  Some ({| payoff := q; height := h; way_to := w; obstacle := o |}, l).

(** The parts read so far: the second part begins where a line behind the states begins as it does. Claims have the last one first. *)
Inductive parts :=
| First (r : reading)
| Second (r : reading) (w : whose) (found : list claim) (current : text)
| Broken (r : reading) (count : N).          (* a line that is not of the written form, of the second part *)
Definition begun_parts : parts := First begun.

Definition ended (r : reading) : reading := {| sofar := sofar r; line_count := line_count r; current := [] |}.
Definition is_behind_states (r : reading) : bool := match sofar r with Lines _ _ _ _ _ => true | _ => false end.
Definition take_part (s : parts) (c : N) : parts :=
  match s with
  | First r =>
      if (c =? ten) && is_behind_states r then
        let l := rev_append (current r) [ten] in
        match strip in_best l with
        | None => First (take r c)
        | Some _ => match whole_line read_second_head l with Some w => Second (ended r) w [] [] | None => Broken (ended r) 0 end
        end
      else First (take r c)
  | Second r w found line =>
      if c =? ten then
        match whole_line read_claim (rev_append line [ten]) with
        | Some x => Second r w (x :: found) []
        | None => Broken r (N.succ (count_N found))
        end
      else Second r w found (c :: line)
  | Broken r n => Broken r n
  end.

(** What is wrong with a second part. *)
Inductive second_fault :=
| Claim_not_written (line : N)                (* this line of the second part is not of the written form *)
| Claims_too_many_or_few
| Not_recursive
| Claim_objection (s : player) (p : N) (o : objection_to_claim).

Inductive file_outcome :=
| Checked (c : certificate) (s : option second_part)
| First_fault (f : fault)
| Second_fault (c : certificate) (f : second_fault).

(** Players' objections, those to the form of claims before all others. *)
Definition object_to_player (object : player -> list claim -> option (N * objection_to_claim)) (count : nat) (s : second_part) (p : player) :
    option second_fault :=
  match claims_of count s p with
  | None => None
  | Some l => option_map (fun po => Claim_objection p (fst po) (snd po)) (object p l)
  end.
Definition object_to_second (c : certificate) (s : second_part) : option second_fault :=
  let G := the_game c in
  let count := length (states G) in
  let lines := match claimants s with Of_both => (2 * count)%nat | _ => count end in
  if (length (all_claims s) =? lines)%nat then
    first_of [
      object_to_player (fun _ => first_state (fun _ => object_to_form) 0) count s A;
      object_to_player (fun _ => first_state (fun _ => object_to_form) 0) count s B;
      unless (match the_kind G with Recursive => true | _ => false end) Not_recursive;
      object_to_player (fun p => object_to_claims p G) count s A;
      object_to_player (fun p => object_to_claims p G) count s B]
  else Some Claims_too_many_or_few.

Definition conclude_parts (s : parts) : file_outcome :=
  match s with
  | First r => match conclude r with Found c => Checked c None | Fault f => First_fault f end
  | Broken r n => match conclude r with Found c => Second_fault c (Claim_not_written (N.succ n)) | Fault f => First_fault f end
  | Second r w found line => match conclude r with
      | Fault f => First_fault f
      | Found c => match line with
          | _ :: _ => Second_fault c (Claim_not_written (N.succ (N.succ (count_N found))))
          | [] =>
              let s := {| claimants := w; all_claims := reversed found |} in
              match object_to_second c s with None => Checked c (Some s) | Some f => Second_fault c f end
          end
      end
  end.
Definition verify_file (bytes : text) : file_outcome := conclude_parts (fold_left take_part bytes begun_parts).

(** ** Reading inverts writing *)

Lemma read_whose_reads : reads write_whose read_whose.
Proof.
  intros l w r H. unfold read_whose in H.
  destruct (strip only_A l) eqn:S; [apply strip_spec in S as ->; take_apart H; reflexivity|].
  destruct (strip only_B l) eqn:T; [apply strip_spec in T as ->; take_apart H; reflexivity|].
  clear S T. take_apart H. reflexivity.
Qed.

Lemma read_second_head_reads : reads write_second_head read_second_head.
Proof.
  intros l w r H. unfold read_second_head in H. take_apart H. apply read_whose_reads in R as ->. unfold write_second_head. written.
Qed.

Lemma read_stage_reads : reads write_stage read_stage.
Proof.
  intros l [i s] r H. unfold read_stage in H. take_apart H. apply read_N_reads in R as ->, R0 as ->. unfold write_stage. cbn [fst snd]. written.
Qed.

Lemma read_stages_reads : reads write_stages read_stages.
Proof.
  intros l x r H. unfold read_stages in H. destruct (strip then_stages l) eqn:S.
  - apply strip_spec in S as ->. assert (N : x <> []).
    { intros ->. now apply read_list_full in H. }
    apply (read_list_reads _ _ read_stage_reads) in H as ->. destruct x; [easy|]. cbn [write_stages]. written.
  - take_apart H. reflexivity.
Qed.

Lemma read_way_reads : reads write_way read_way.
Proof.
  intros l w r H. unfold read_way in H. destruct (strip then_rank l) eqn:S.
  - apply strip_spec in S as ->. take_apart H. apply read_N_reads in R as ->. apply read_stages_reads in R0 as ->. cbn [write_way]. written.
  - take_apart H. reflexivity.
Qed.

Lemma read_obstacle_reads : reads write_obstacle read_obstacle.
Proof.
  intros l o r H. unfold read_obstacle in H. destruct (strip then_layer l) eqn:S.
  - apply strip_spec in S as ->. take_apart H. apply read_N_reads in R as ->, R0 as ->. cbn [write_obstacle]. written.
  - take_apart H. reflexivity.
Qed.

Lemma read_claim_reads : reads write_claim read_claim.
Proof.
  intros l c r H. unfold read_claim in H. take_apart H. apply read_quoted_Q in R as ->. apply read_N_reads in R0 as ->.
  apply read_way_reads in R1 as ->. apply read_obstacle_reads in R2 as ->. unfold write_claim. cbn [payoff height way_to obstacle]. written.
Qed.

(** The bytes read so far, of which those before the second part are a certificate's. *)
Definition parts_hold (s : parts) (bytes : text) : Prop :=
  match s with
  | First r => r = fold_left take bytes begun
  | Second r w found line => exists first, r = fold_left take first begun /\
      bytes = first ++ write_second_head w ++ flat_map write_claim (rev found) ++ rev line
  | Broken _ _ => True
  end.

Lemma current_line bytes : let r := fold_left take bytes begun in
  exists first, fold_left take first begun = ended r /\ bytes = first ++ rev (current r).
Proof.
  induction bytes as [|c bytes IH] using rev_ind; [now exists []|]. cbn zeta. rewrite fold_left_app. cbn [fold_left].
  destruct IH as (first & Same & E). destruct (c =? ten) eqn:C.
  - exists (bytes ++ [c]). rewrite fold_left_app. cbn [fold_left]. unfold take. rewrite C. unfold ended. cbn [current sofar line_count rev].
    now rewrite app_nil_r.
  - exists first. unfold take. rewrite C. unfold ended in *. cbn [current sofar line_count rev]. split; auto.
    now rewrite E at 1; rewrite <- app_assoc.
Qed.

Lemma take_part_holds s bytes c : parts_hold s bytes -> parts_hold (take_part s c) (bytes ++ [c]).
Proof.
  destruct s as [r|r w found line|r n]; cbn [parts_hold take_part]; [| |easy].
  - intros ->. assert (Next : take (fold_left take bytes begun) c = fold_left take (bytes ++ [c]) begun) by now rewrite fold_left_app.
    destruct ((c =? ten) && is_behind_states (fold_left take bytes begun)) eqn:C; [|exact Next]. apply andb_true_iff in C as [C _].
    apply N.eqb_eq in C as ->. destruct (strip in_best _); [|exact Next].
    destruct (whole_line read_second_head _) as [w|] eqn:W; [|exact I]. apply (whole_line_spec _ _ _ _ read_second_head_reads) in W.
    destruct (current_line bytes) as (first & Same & E). exists first. split; [now rewrite Same|].
    rewrite rev_append_rev in W. rewrite E at 1. cbn [rev flat_map app]. now rewrite <- W, app_nil_r, <- app_assoc.
  - intros (first & E & ->). destruct (c =? ten) eqn:C.
    + apply N.eqb_eq in C as ->. destruct (whole_line read_claim _) as [x|] eqn:X; [|exact I].
      apply (whole_line_spec _ _ _ _ read_claim_reads) in X. rewrite rev_append_rev in X. exists first. split; auto.
      rewrite flat_map_last, <- X. cbn [rev]. rewrite app_nil_r. written.
    + exists first. split; auto. cbn [rev]. written.
Qed.

Lemma parts_reading_holds bytes : parts_hold (fold_left take_part bytes begun_parts) bytes.
Proof.
  induction bytes as [|c bytes IH] using rev_ind. reflexivity. rewrite fold_left_app. cbn [fold_left]. now apply take_part_holds.
Qed.

(** A file is a certificate, or a certificate and a second part. *)
Theorem verify_file_spec bytes c s : verify_file bytes = Checked c s ->
  match s with
  | None => verify_game bytes = Found c
  | Some s => exists first, bytes = first ++ write_second s /\ verify_game first = Found c /\ object_to_second c s = None
  end.
Proof.
  unfold verify_file. pose proof (parts_reading_holds bytes) as H. destruct (fold_left take_part bytes begun_parts) as [r|r w found line|r n];
    cbn [parts_hold conclude_parts] in *.
  - subst r. intros V. unfold verify_game. destruct (conclude _); [|easy]. now injection V as <- <-.
  - destruct H as (first & -> & ->). destruct (conclude _) as [d|] eqn:V; [|easy]. destruct line; [|easy].
    destruct (object_to_second _ _) eqn:O; [easy|]. intros [= <- <-]. exists first. split; [|split; auto].
    unfold write_second. cbn [claimants all_claims rev]. now rewrite reversed_rev, app_nil_r.
  - destruct (conclude r); easy.
Qed.

(** ** Different claims are written differently *)

Lemma write_obstacle_code o o' r s : write_obstacle o ++ end_line ++ r = write_obstacle o' ++ end_line ++ s -> o = o' /\ r = s.
Proof.
  destruct o as [[n j]|], o' as [[n' j']|]; cbn [write_obstacle]; intros H; try discriminate H; associate H.
  - apply literal in H. apply (write_N_end _ _ comma comma) in H as [<- H]; auto. apply (literal (l := then_reply)) in H.
    apply (write_N_end _ _ 125 125) in H as [<- H]; auto. apply (literal (l := end_line)) in H. auto.
  - split; auto. exact (literal (l := end_line) H).
Qed.

Lemma write_stage_code : code write_stage.
Proof.
  intros [i j] [i' j'] r s H. unfold write_stage in H. cbn [fst snd] in H. associate H. apply literal in H.
  apply (write_N_end _ _ comma comma) in H as [<- H]; auto. apply (literal (l := [comma])) in H.
  apply (write_N_end _ _ close close) in H as [<- H]; auto. apply (literal (l := [close])) in H. auto.
Qed.

Lemma write_stages_code l l' o o' r s :
  write_stages l ++ write_obstacle o ++ end_line ++ r = write_stages l' ++ write_obstacle o' ++ end_line ++ s -> l = l' /\ o = o' /\ r = s.
Proof.
  destruct l as [|x l], l' as [|x' l']; cbn [write_stages]; intros H; associate H.
  - apply write_obstacle_code in H as [<- <-]. auto.
  - destruct o as [[n j]|]; discriminate H.
  - destruct o' as [[n j]|]; discriminate H.
  - apply literal in H. apply (write_list_code _ write_stage_code) in H as [<- H]; [|opening].
    apply write_obstacle_code in H as [<- <-]. auto.
Qed.

Lemma write_way_code w w' o o' r s : write_way w ++ write_obstacle o ++ end_line ++ r = write_way w' ++ write_obstacle o' ++ end_line ++ s ->
  w = w' /\ o = o' /\ r = s.
Proof.
  assert (Next : forall l o r, exists c t, write_stages l ++ write_obstacle o ++ end_line ++ r = c :: t /\ is_digit c = false).
  { intros [|a l] [[n j]|] t; eexists; eexists; (split; [reflexivity|reflexivity]). }
  destruct w as [[n l]|], w' as [[n' l']|]; cbn [write_way]; intros H; associate H.
  - apply literal in H. destruct (Next l o r) as (c & t & E & D), (Next l' o' s) as (c' & t' & E' & D').
    rewrite E, E' in H. apply write_N_end in H as [<- H]; auto. rewrite <- E, <- E' in H.
    apply write_stages_code in H as (<- & <- & <-). auto.
  - destruct o' as [[m j]|]; discriminate H.
  - destruct o as [[m j]|]; discriminate H.
  - apply write_obstacle_code in H as [<- <-]. auto.
Qed.

Lemma write_claim_code : code write_claim.
Proof.
  intros [q h w o] [q' h' w' o'] r s H. unfold write_claim in H. cbn [payoff height way_to obstacle] in H. associate H.
  apply literal, quoted_Q_code in H as [<- H]. apply literal in H.
  assert (Next : forall w o r, exists c t, write_way w ++ write_obstacle o ++ end_line ++ r = c :: t /\ is_digit c = false).
  { intros [[n l]|] [[m j]|] t; eexists; eexists; (split; [reflexivity|reflexivity]). }
  destruct (Next w o r) as (c & t & E & D), (Next w' o' s) as (c' & t' & E' & D').
  rewrite E, E' in H. apply write_N_end in H as [<- H]; auto. rewrite <- E, <- E' in H.
  apply write_way_code in H as (<- & <- & <-). auto.
Qed.

Theorem write_second_injective s s' : write_second s = write_second s' -> s = s'.
Proof.
  destruct s as [w l], s' as [w' l']. unfold write_second, write_second_head. cbn [claimants all_claims]. intros H. associate H.
  apply literal in H.
  assert (Same : w = w' /\ flat_map write_claim l = flat_map write_claim l').
  { destruct w, w'; try discriminate H; apply literal, literal in H; auto. }
  destruct Same as [<- E]. f_equal. apply flat_map_code in E; auto using write_claim_code. intros c. eexists; eexists; reflexivity.
Qed.

(** ** What a file with a second part proves *)

Theorem second_part_sound F bytes c s : verify_file bytes = Checked c (Some s) ->
  (exists first, bytes = first ++ write_second s /\ verify_game first = Found c) /\
  (forall s', write_second s' = write_second s -> s' = s) /\ the_kind (the_game c) = Recursive /\
  let R := rules_of (the_game c) in let count := length (states (the_game c)) in
  (forall l, claims_of count s A = Some l -> length l = count /\ forall p y, nth_error l (N.to_nat p) = Some y ->
    (is_sure y = true -> A_secures_whatever F R (stationary F (evenly F A l) p) p (ratio (payoff y))) /\
    (forall e, way_to y <> None -> (0 < e)%Q -> exists mix, A_secures_whatever F R (stationary F mix p) p (ratio (payoff y - e))) /\
    (obstacle y <> None -> A_never_secures F R p (ratio (payoff y))) /\
    forall t, proper_B F R p t -> B_secures_whatever F R t p (ratio (payoff y))) /\
  (forall l, claims_of count s B = Some l -> length l = count /\ forall p y, nth_error l (N.to_nat p) = Some y ->
    (is_sure y = true -> B_secures_whatever F R (turned F (stationary F (evenly F B l) p)) p (ratio (payoff y))) /\
    (forall e, way_to y <> None -> (0 < e)%Q ->
      exists mix, B_secures_whatever F R (turned F (stationary F mix p)) p (ratio (payoff y + e))) /\
    (obstacle y <> None -> B_never_secures F R p (ratio (payoff y))) /\
    forall t, proper_A F R p t -> A_secures_whatever F R t p (ratio (payoff y))).
Proof.
  intros V. apply verify_file_spec in V as (first & E & V & O). split; [now exists first|]. split; [intros s'; apply write_second_injective|].
  apply certificate_written in V as [_ C]. unfold object_to_second in O.
  destruct (length (all_claims s) =? _)%nat eqn:Len in O; [|easy]. apply Nat.eqb_eq in Len. pose proof (first_of_none _ O) as None_of.
  cbn [In] in None_of.
  assert (K : the_kind (the_game c) = Recursive).
  { assert (H : unless (match the_kind (the_game c) with Recursive => true | _ => false end) Not_recursive = None) by auto.
    apply unless_none in H. now destruct (the_kind (the_game c)). }
  split; auto. cbn zeta.
  assert (Own : forall p l, claims_of (length (states (the_game c))) s p = Some l ->
    length l = length (states (the_game c)) /\ object_to_claims p (the_game c) l = None).
  { intros p l L. split.
    - unfold claims_of in L. destruct (claimants s), p; try discriminate L; injection L as <-; auto.
      rewrite firstn_length. lia. rewrite skipn_length. lia.
    - assert (H : object_to_player (fun p => object_to_claims p (the_game c)) (length (states (the_game c))) s p = None).
      { destruct p; auto 7. }
      unfold object_to_player in H. rewrite L in H. now destruct (object_to_claims p (the_game c) l). }
  assert (Is : forall (l : list claim) p y, length l = length (states (the_game c)) -> nth_error l (N.to_nat p) = Some y ->
    inside (length (states (the_game c))) p).
  { intros l p y L Y. unfold inside. rewrite <- L. apply nth_error_Some. congruence. }
  split; intros l L; destruct (Own _ _ L) as [Count None_in]; (split; [exact Count|]); intros p y Y.
  - apply (checked_best_payoffs F c l C K None_in p y); eauto.
  - apply (checked_best_payoffs_of_B F c l C K None_in p y); eauto.
Qed.

(** ** Hide or run, whose value is approached *)

Local Open Scope string_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.
Definition line_of (s : string) : text := letters s ++ [ten].

(** The file, with a given line about the state where the snowball is in hand. *)
Definition hide_or_run_with (start : string) : text := (file hide_or_run_proof
  ++ line_of "{""format"":""stochastic-game-best-payoffs"",""version"":1,""players"":""A""}"
  ++ line_of "{""payoff"":""1"",""height"":0,""rank"":0}"
  ++ line_of "{""payoff"":""0"",""height"":1,""rank"":0}"
  ++ line_of start)%list.
Definition approaching : string := "{""payoff"":""1"",""height"":2,""rank"":1,""stages"":[[0,1],[1,2]],""layer"":1,""reply"":0}".

Definition hide_or_run_claims : second_part := {| claimants := Of_A; all_claims := [
  {| payoff := 1; height := 0; way_to := Some (0, []); obstacle := None |};
  {| payoff := 0; height := 1; way_to := Some (0, []); obstacle := None |};
  {| payoff := 1; height := 2; way_to := Some (1, [(0, 1); (1, 2)]); obstacle := Some (1, 0) |}] |}.

Lemma hide_or_run_claims_accepted :
  verify_file (hide_or_run_with approaching) = Checked hide_or_run_certificate (Some hide_or_run_claims).
Proof. vm_compute. reflexivity. Qed.

(** A wins with every probability below 1, by a stationary strategy, whatever B does; by no strategy with probability 1; and nothing
    pays more than 1. *)
Theorem hide_or_run_approached F :
  (forall e, (0 < e)%Q -> exists mix, A_secures_whatever F (rules_of hide_or_run) (stationary F mix 2) 2 (ratio (1 - e))) /\
  A_never_secures F (rules_of hide_or_run) 2 (ratio 1) /\
  forall t, proper_B F (rules_of hide_or_run) 2 t -> B_secures_whatever F (rules_of hide_or_run) t 2 (ratio 1).
Proof.
  destruct (second_part_sound F _ _ _ hide_or_run_claims_accepted) as (_ & _ & _ & Claims & _).
  destruct (Claims _ eq_refl) as [_ Each]. destruct (Each 2 _ eq_refl) as (_ & Near & Never & No_better).
  split; [|split; [|exact No_better]]. { intros e. apply Near. discriminate. } apply Never. discriminate.
Qed.

(** Forged lines: both actions in the first stage; an almost sure state; a smaller payoff; a height that rises; a reply against which
    A wins; a layer that does not exist. *)
Definition objection_of (start : string) : option second_fault :=
  match verify_file (hide_or_run_with start) with Second_fault _ o => Some o | _ => None end.
Example hide_or_run_refused : map objection_of [
  "{""payoff"":""1"",""height"":2,""rank"":1,""stages"":[[0,1],[1,1]],""layer"":1,""reply"":0}";
  "{""payoff"":""1"",""height"":2,""rank"":1,""stages"":[[0,1],[1,2]]}";
  "{""payoff"":""9/10"",""height"":2,""layer"":1,""reply"":0}";
  "{""payoff"":""1"",""height"":0,""layer"":1,""reply"":0}";
  "{""payoff"":""1"",""height"":2,""rank"":1,""stages"":[[0,1],[1,2]],""layer"":1,""reply"":1}";
  "{""payoff"":""1"",""height"":2,""rank"":1,""stages"":[[0,1],[1,2]],""layer"":0,""reply"":0}";
  "{""payoff"":""1.0"",""height"":2,""rank"":1,""stages"":[[0,1],[1,2]],""layer"":1,""reply"":0}"] = [
  Some (Claim_objection A 2 Not_brought); Some (Claim_objection A 2 Not_brought); Some (Claim_objection A 2 Better_reached);
  Some (Claim_objection A 2 Misshapen); Some (Claim_objection A 2 Not_hindered); Some (Claim_objection A 2 Misshapen);
  Some (Claim_not_written 4)].
Proof. vm_compute. reflexivity. Qed.

(** B's claims: no play pays B more than 0 where the snowball is in hand; a claim of a way to it is refused. *)
Definition claims_of_B (way : option (N * list (N * N))) : list claim := [
  {| payoff := 1; height := 0; way_to := Some (0, []); obstacle := None |};
  {| payoff := 0; height := 1; way_to := Some (0, []); obstacle := None |};
  {| payoff := 0; height := 2; way_to := way; obstacle := Some (1, 0) |}].
Example hide_or_run_of_B : map (fun way => object_to_claims B hide_or_run (claims_of_B way)) [
  None; Some (1, [(1, 1)]); Some (1, [(0, 1); (1, 2)])] = [
  None; Some (2, Not_brought); Some (2, Not_brought)].
Proof. vm_compute. reflexivity. Qed.
