(* Checks a certificate with the checker that is proved in coq/, and prints the bounds of all positions as a table. Of certificates
   that favour a player, it prints the bounds at all multiples of the points.

   Only reading, the checksum, printing and the words are written here; Verify is extracted from Certificate.v and Multiples.v. What begins as the certificate
   of a game of any rules is left to Game_file, and of a game with hidden information to Hidden_file. *)

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
  | Favoured_mirror -> "the mirror flag is set, but the rules favour a player"
  | Not_antisymmetric -> "the mirror flag is set, but the scoring is not antisymmetric"
  | Too_short_for_points -> "the file is too short for its number of points"
  | Ends_early -> "the file ends before its last strategy"
  | No_bids -> "a strategy has no bids"
  | Illegal_bid -> "a strategy has an illegal bid"
  | Bids_fall -> "the bids of a strategy do not rise"
  | Weight -> "a strategy has a weight that is not positive"
  | Additional_bytes -> "the file has additional bytes after the last strategy"
  | Not_bytes -> "the header is not what its numbers are written as"
  | Own_tables -> "the checker's own tables do not fit the file"

let limit_sentence = function
  | Not_favouring_A -> "the first certificate does not favour A"
  | Not_favouring_B -> "the second certificate does not favour B"
  | Not_natural -> "the payoffs do not rank the ends in their natural order"
  | Other_rules -> "the certificates have different rules"
  | Asymmetric -> "the scoring is not antisymmetric, so that a certificate that favours B is needed"

(* A pipe has no length, so the file is read until it ends. *)
let read path =
  let file = open_in_bin path and text = Buffer.create 65536 in
  let rec until_end () = Buffer.add_channel text file 65536; until_end () in
  Fun.protect ~finally:(fun () -> close_in file) (fun () -> try until_end () with End_of_file -> Buffer.contents text)

(* The bytes as numbers; from the end, so that no stack is needed. *)
let bytes = Array.init 256 Integer.of_int
let numbers text =
  let rec from index rest = if index < 0 then rest else from (index - 1) (bytes.(Char.code text.[index]) :: rest) in
  from (String.length text - 1) []

(* The checksum of zip and PNG. The theorem holds for any result of this function. *)
let crc32_table =
  let bit c = if c land 1 = 1 then (c lsr 1) lxor 0xEDB88320 else c lsr 1 in
  Array.init 256 (fun n -> bit (bit (bit (bit (bit (bit (bit (bit n))))))))
let crc32 text =
  let sum = ref 0xFFFFFFFF in
  String.iter (fun byte -> sum := crc32_table.((!sum lxor Char.code byte) land 255) lxor (!sum lsr 8)) text;
  !sum lxor 0xFFFFFFFF

(* The last four bytes are the checksum of those before. *)
let verify text =
  let length = max 0 (String.length text - 4) in
  let content = String.sub text 0 length in
  let fits = length > 0 && crc32 content = Int32.to_int (String.get_int32_le text length) land 0xFFFFFFFF in
  verify_content fits (numbers content)

(* By rising points of A, then of B, then by ball. *)
let print_bounds rules bounds =
  let exponent = Integer.to_string (exponent rules) in
  (* Points are below 2^16, and balls from -99 to 99, so that one number has the order of all three. *)
  let place (At (a, b, ball)) = (((Integer.to_int a lsl 16) lor Integer.to_int b) lsl 8) + Integer.to_int ball + 128 in
  let rows = Array.of_list (List.rev_map (fun (position, bounds) -> place position, bounds) bounds) in
  Array.stable_sort (fun (p, _) (q, _) -> Int.compare p q) rows;
  print_string "a,b,ball,lower,upper,exponent\n";
  let print (place, (lower, upper)) =
    List.iter print_string
      [string_of_int (place lsr 24); ","; string_of_int ((place lsr 8) land 0xFFFF); ","; string_of_int ((place land 255) - 128);
       ","; Integer.to_string lower; ","; Integer.to_string upper; ","; exponent; "\n"] in
  Array.iter print rows

(* Most allocations are soon garbage; in games, after some more of them. *)
let heap minor_heap_size = Gc.set { (Gc.get ()) with minor_heap_size; space_overhead = 1000 }

let print_checked text =
  if Game_file.is_begun_by text then (heap (1 lsl 22); Game_file.check text)
  else if Hidden_file.is_begun_by text then (heap (1 lsl 22); Hidden_file.check (numbers text))
  else match heap (1 lsl 20); verify text with
    | Accepted proof -> print_bounds proof.about.the_rules proof.proved; None
    | Refused complaint -> Some ("refused: " ^ sentence complaint)

(* The bounds at all multiples, by the certificate that favours A and, if there is one, by that which favours B. *)
let print_limit upper lower =
  heap (1 lsl 20);
  match verify upper, Option.map verify lower with
  | Refused complaint, _ | _, Some (Refused complaint) -> Some ("refused: " ^ sentence complaint)
  | Accepted upper, lower -> (
      let lower = match lower with Some (Accepted lower) -> Some lower | _ -> None in
      match limit_bounds upper lower with
      | Limits bounds -> print_bounds upper.about.the_rules bounds; None
      | No_limit complaint -> Some ("refused: " ^ limit_sentence complaint))

let () =
  let print () =
    match List.tl (Array.to_list Sys.argv) with
    | [ "--limit"; upper ] -> print_limit (read upper) None
    | [ "--limit"; upper; lower ] -> print_limit (read upper) (Some (read lower))
    | [ path ] when path <> "--limit" -> print_checked (read path)
    | _ -> prerr_endline "usage: check FILE > BOUNDS.csv\n       check --limit UPPER [LOWER] > BOUNDS.csv"; exit 2 in
  try
    match print () with
    | None -> flush stdout
    | Some sentence -> prerr_endline sentence; exit 1
  with Sys_error error ->
    prerr_endline ("error: " ^ error);
    (* A failed write is not tried again. *)
    close_out_noerr stdout;
    exit 1
