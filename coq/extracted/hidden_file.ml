(* The certificate of a game with hidden information: checked by the checker that is proved in coq/, its bounds printed as a table.

   Only the words and the table are written here; Hidden is extracted from HiddenFile.v and Hidden.v. *)

(* Hidden has a Z of its own. *)
module Integer = Z
open Hidden

let is_begun_by text =
  let first = {|{"format":"hidden-game-proof"|} in
  String.length text >= String.length first && String.sub text 0 (String.length first) = first

let number q = Integer.to_string q.qnum ^ if Integer.(equal q.qden one) then "" else "/" ^ Integer.to_string q.qden

let player = function A -> "A" | B -> "B"

let sentence = function
  | Not_written line -> Printf.sprintf "line %s is not of the form that the program writes" (Integer.to_string line)
  | Ends_early -> "the certificate ends too early"
  | Not_one_tree -> "the tree is not complete, or lines follow it"
  | Other_form -> "the certificate is not of the form that the program writes"
  | Names who -> Printf.sprintf "two information sets of %s, or two actions in one, have the same name" (player who)
  | Shape -> "the probabilities are negative or do not sum to 1, an information set has other actions before, or a payoff is too large"
  | Recall who -> Printf.sprintf "%s moved otherwise before other nodes of an information set: no perfect recall" (player who)
  | Weights who -> Printf.sprintf "the weights of %s are not those of all information sets, or sum to 0" (player who)
  | Bound A -> "A's strategy secures less than the lower bound"
  | Bound B -> "B's strategy concedes more than the upper bound"

(* Prints the bounds, or returns why there are none. *)
let check numbers =
  match verify_hidden numbers with
  | Unproved fault -> Some ("not valid: " ^ sentence fault)
  | Proved proof ->
      Printf.printf "lower,upper\n%s,%s\n" (number proof.claimed_lower) (number proof.claimed_upper);
      None
  (* The tree is that deep, or one node has that many successors. *)
  | exception Stack_overflow -> Some "not valid: the tree in the file is too deep for the stack of this program"
