(* The certificate of a game of any rules: checked by the checker that is proved in coq/, its bounds printed as a table.

   Only the words and the table are written here; Game is extracted from GameReader.v and AnyGame.v. *)

(* Game has a Z of its own. *)
module Integer = Z
open Game

let is_begun_by text =
  let first = {|{"format":"stochastic-game-proof"|} in
  String.length text >= String.length first && String.sub text 0 (String.length first) = first

let bytes = Array.init 256 Integer.of_int

let field name =
  let text = String.of_seq (Seq.map (fun byte -> Char.chr (Integer.to_int byte)) (List.to_seq name)) in
  if not (String.exists (fun c -> String.contains "\",\r\n" c) text) then text
  else "\"" ^ String.concat "\"\"" (String.split_on_char '"' text) ^ "\""

let print_bounds proof =
  print_string "state,lower,upper,exponent\n";
  let exponent = Integer.to_string proof.exponent in
  let print (name, _) line =
    Printf.printf "%s,%s,%s,%s\n" (field name) (Integer.to_string line.lower) (Integer.to_string line.upper) exponent in
  List.iter2 print proof.the_game.states proof.lines

let sentence = function
  | Not_written line -> Printf.sprintf "line %s is not of the form that the program writes" (Integer.to_string line)
  | Ends_early -> "the certificate ends too early"
  | Too_many_or_few -> "the certificate has not as many lines as it says that the game has states"
  | Names -> "two states or two actions have the same name, or a state is referred to that is none"
  | Not_proved -> "the game is not of its kind, or the weights do not prove the bounds"

(* Prints the bounds, or returns why there are none. *)
let check text =
  match conclude (String.fold_left (fun reading byte -> take reading bytes.(Char.code byte)) begun text) with
  | Fault fault -> Some (sentence fault)
  | Found proof -> print_bounds proof; None
  (* One state has that many actions. *)
  | exception Stack_overflow -> Some "a list in the file is too long for the stack of this program"
