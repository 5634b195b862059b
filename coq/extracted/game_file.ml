(* The certificate of a game of any rules: checked by the checker that is proved in coq/, its bounds printed as a table.

   Only the words and the table are written here; Game is extracted from SecondPart.v and what it needs. *)

(* Game has a Z of its own. *)
module Integer = Z
open Game

let is_begun_by text =
  let first = {|{"format":"stochastic-game-proof"|} in
  String.length text >= String.length first && String.sub text 0 (String.length first) = first

let bytes = Array.init 256 Integer.of_int

let text_of name = String.of_seq (Seq.map (fun byte -> Char.chr (Integer.to_int byte)) (List.to_seq name))

let field name =
  let text = text_of name in
  if not (String.exists (fun c -> String.contains "\",\r\n" c) text) then text
  else "\"" ^ String.concat "\"\"" (String.split_on_char '"' text) ^ "\""

let print_bounds proof =
  print_string "state,lower,upper,exponent\n";
  let exponent = Integer.to_string proof.exponent in
  let print (name, _) line =
    Printf.printf "%s,%s,%s,%s\n" (field name) (Integer.to_string line.lower) (Integer.to_string line.upper) exponent in
  List.iter2 print proof.the_game.states proof.lines

let contains part text =
  let length = String.length part in
  let rec from place = place + length <= String.length text && (String.sub text place length = part || from (place + 1)) in
  from 0

(* Files that the reader does not know by their version; others are merely not of the written form. *)
let unread text line =
  let part = match List.nth_opt (String.split_on_char '\n' text) (line - 1) with Some part -> part | None -> "" in
  if line = 1 && contains {|"digest":|} part then "the game is one that rules in code give again; this program cannot ask them"
  else if line = 1 && not (contains {|"version":1,|} part || contains {|"version":2,|} part) then
    "it is no stochastic-game-proof of version 1 or 2"
  else Printf.sprintf "line %d is not of the form that the program writes" line

let number q = Integer.to_string q.qnum ^ if Integer.(equal q.qden one) then "" else "/" ^ Integer.to_string q.qden

(* The verdict of a certificate that has one, beside the table. *)
let print_verdict proof =
  let sign = function At_least -> ">=" | Above -> ">" | At_most -> "<=" | Below -> "<" in
  let print verdict =
    Printf.eprintf "value %s%s at every start: %b\n" (sign verdict.the_relation) (number verdict.threshold) verdict.is_kept in
  Option.iter print proof.the_verdict

(* As Python writes it where names have no quotation marks and no letters of their own. *)
let written names cell =
  let quoted text = "'" ^ text ^ "'" in
  let outcome place (share, state) =
    let share = match List.nth_opt cell.largest place with
      | Some (Some most) -> Printf.sprintf "[%s,%s]" (number share) (number most)
      | _ -> number share in
    Printf.sprintf "[%s, %s]" (quoted share) (quoted (text_of (List.nth names (Integer.to_int state)))) in
  let reward = if Integer.(equal cell.reward.qnum zero) then "" else "'reward': " ^ quoted (number cell.reward) ^ ", " in
  Printf.sprintf "{%s'to': [%s]}" reward (String.concat ", " (List.mapi outcome cell.successors))

let objection names o =
  let at state words = text_of (List.nth names (Integer.to_int state)) ^ ": " ^ words in
  match o with
  | Exponent -> "the exponent is out of range"
  | Weight_exponent -> "the weight_exponent is out of range"
  | Unlimited cell -> "no limits of probabilities: " ^ written names cell
  | Improbable cell -> "no probabilities: " ^ written names cell
  | Large payoff -> number payoff ^ " is too large a payoff"
  | Coarse cell -> "a common denominator of more than 62 bits: " ^ written names cell
  | No_table state -> "the cells of " ^ text_of (List.nth names (Integer.to_int state)) ^ " are no table of its actions"
  | Paid -> "a reward in a recursive game"
  | Kind Acyclic -> "play can return in an acyclic game"
  | Kind (Discounted _) -> "the discount is out of range"
  | Kind Stopping -> "play need not end"
  | Signs -> "rewards of both signs in a game of total reward"
  | Endless_paid -> "endless play has a payoff where it pays infinitely much"
  | Kind (Recursive | Total | Target) -> "endless play pays unlike numbers in one cycle"
  | Falling state -> at state "the actions do not rise"
  | Bound state -> at state "a bound is above 2^62"
  | End_outside state -> at state "the value is not within its bounds"
  | End_weights state -> at state "an end has weights"
  | Weights state -> at state "no weights"
  | Worth state -> at state "a cell is worth more than 2^63 units"
  | Unsecured (A, state) -> at state "the weights do not secure the lower bound"
  | Unsecured (B, state) -> at state "the weights do not secure the upper bound"
  | Undecided -> "the bounds do not prove the verdict"
  | Kept -> "play can be kept where the bound is better than what endless play pays"

let sentence text = function
  | Not_written line -> unread text (Integer.to_int line)
  | Ends_early -> "the certificate ends too early"
  | Too_many_or_few -> "it has not as many lines as it should"
  | Twice -> "two states have the same name, or one has none"
  | Names -> "two actions have the same name, or a state is referred to that is none"
  | Not_proved (names, o) -> objection names o

(* In the words of check_game_proof.py. *)
let claim_objection name player o =
  let at_state words = Printf.sprintf "%s: %s, for %s" name words (match player with A -> "A" | B -> "B") in
  match o with
  | Uncounted n -> Integer.to_string n ^ " is no number of anything"
  | Misshapen -> at_state "the claims are not as described"
  | Wrong_end -> at_state "an end is got almost surely, and its value is the best payoff"
  | Better_reached -> at_state "a better payoff can be reached than is claimed"
  | Not_brought -> at_state "the actions do not bring play to the best payoff"
  | Not_hindered -> at_state "the reply does not keep play from the best payoff"

let name_at proof state = text_of (fst (List.nth proof.the_game.states (Integer.to_int state)))

let second_sentence proof = function
  | Claim_not_written line ->
      let line = Integer.to_int line + 2 + (2 * List.length proof.the_game.states) in
      Printf.sprintf "line %d is not of the form that the program writes" line
  | Claims_too_many_or_few -> "it has not as many lines as it should"
  | Not_recursive -> "the best payoff that play can reach is proved of recursive games alone"
  | Claim_objection (player, state, o) -> claim_objection (name_at proof state) player o

(* The starts whose values are claimed to be approached and not attained, beside the table. *)
let print_approached proof part =
  let count = List.length proof.the_game.states in
  let claims = List.filter_map (claims_of count part) [ A; B ] in
  let print start =
    let claim_of claims = List.nth claims (Integer.to_int start) in
    match List.find_opt is_approached (List.map claim_of claims) with
    | Some claim ->
        let payoff = number (qred claim.payoff) in
        Printf.eprintf "%s: the value is %s, approached and not attained\n" (name_at proof start) payoff
    | None -> () in
  List.iter print proof.the_game.starts;
  prerr_endline "in Coq it is proved that strategies come as close to such a value as they like, and that none attains it"

(* Prints the bounds, or returns why there are none, as check_game_proof.py says it where it can. *)
let check text =
  match conclude_parts (String.fold_left (fun reading byte -> take_part reading bytes.(Char.code byte)) begun_parts text) with
  | First_fault fault -> Some ("not valid: " ^ sentence text fault)
  | Second_fault (proof, fault) -> Some ("not valid: " ^ second_sentence proof fault)
  | Checked (proof, part) ->
      print_bounds proof;
      print_verdict proof;
      Option.iter (print_approached proof) part;
      None
  (* One state has that many actions. *)
  | exception Stack_overflow -> Some "not valid: a list in the file is too long for the stack of this program"
