(* Checks a certificate with the checker that is proved in coq/, and prints the bounds of all positions as a table.

   Only reading, printing and the words are written here; Verify is extracted from Certificate.v. What begins as the certificate
   of a game of any rules is left to Game_file. *)

(* Verify has a Z of its own. *)
module Integer = Z
open Verify

let sentence = function
  | Too_short -> "the file is too short for a certificate"
  | Letters -> "the file does not begin with the letters TENNISPF"
  | Version n -> Printf.sprintf "version %s of the format is not known" (Integer.to_string n)
  | Checksum -> "the checksum does not fit"
  | Field -> "the half-width of the field is not from 1 to 99"
  | Motion -> "the motion is none of this version"
  | Mirror_flag -> "the mirror flag is neither 0 nor 1"
  | Points -> "the points are not from 1 to 65535"
  | Denominator -> "a denominator is not positive"
  | Lowest_terms -> "a payoff is not in lowest terms"
  | Too_large -> "a payoff has a number above 2^60"
  | Not_antisymmetric -> "the mirror flag is set, but the scoring is not antisymmetric"
  | Too_short_for_points -> "the file is too short for its number of points"
  | Ends_early -> "the file ends before its last strategy"
  | No_bids -> "a strategy has no bids"
  | Illegal_bid -> "a strategy has an illegal bid"
  | Bids_fall -> "the bids of a strategy do not rise"
  | Weight -> "a strategy has a weight that is not positive"
  | Additional_bytes -> "the file has additional bytes after the last strategy"
  | Not_bytes -> "the header is not what its numbers are written as"

(* A pipe has no length, so the file is read until it ends. *)
let read path =
  let file = open_in_bin path and text = Buffer.create 65536 in
  let rec until_end () = Buffer.add_channel text file 65536; until_end () in
  Fun.protect ~finally:(fun () -> close_in file) (fun () -> try until_end () with End_of_file -> Buffer.contents text)

(* The bytes as numbers; from the end, so that no stack is needed. *)
let numbers text =
  let rec from index rest = if index < 0 then rest else from (index - 1) (Integer.of_int (Char.code text.[index]) :: rest) in
  from (String.length text - 1) []

let print_bounds proof =
  let header = proof.about in
  let field = Integer.to_int header.the_rules.field and exponent = Integer.to_string (exponent header.the_rules) in
  let bounds = bounds_at proof in
  print_string "a,b,ball,lower,upper,exponent\n";
  for a = 0 to Integer.to_int header.most_a do
    for b = 0 to Integer.to_int header.most_b do
      for ball = -field to field do
        let lower, upper = bounds (At (Integer.of_int a, Integer.of_int b, Integer.of_int ball)) in
        Printf.printf "%d,%d,%d,%s,%s,%s\n" a b ball (Integer.to_string lower) (Integer.to_string upper) exponent
      done
    done
  done

let () =
  match Sys.argv with
  | [| _; path |] -> (
      let print text =
        if Game_file.is_begun_by text then Game_file.check text
        else match verify (numbers text) with
          | Accepted proof -> print_bounds proof; None
          | Refused complaint -> Some (sentence complaint) in
      try
        match print (read path) with
        | None -> flush stdout
        | Some sentence -> prerr_endline ("refused: " ^ sentence); exit 1
      with Sys_error error ->
        prerr_endline ("error: " ^ error);
        (* What could not be written is not tried once more. *)
        close_out_noerr stdout;
        exit 1)
  | _ -> prerr_endline "usage: check FILE > BOUNDS.csv"; exit 2
