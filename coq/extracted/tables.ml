(* Tables by numbers: what [map_to] of AnyGame.v is in the extracted program. A table never changes for those who look: the one made
   last is an array, and those that it was made from are differences from it (Baker, "Shallow binding makes functional arrays
   fast", 1991). *)

type 'value t = Empty | Table of 'value state ref
and 'value state = All of 'value option array | But of int * 'value option * 'value state ref

(* The array, which is this table's own from now on. *)
let rec all state =
  match !state with
  | All values -> values
  | But (place, value, other) ->
      let values = all other in
      other := But (place, values.(place), state);
      values.(place) <- value;
      state := All values;
      values

let look table place =
  match table with
  | Empty -> None
  | Table state ->
      let values = all state and place = Z.to_int place in
      if place < Array.length values then values.(place) else None

let put table place value =
  let values = match table with Empty -> [||] | Table state -> all state and place = Z.to_int place in
  let length = Array.length values in
  if place < length then begin
    let next = ref (All values) in
    (match table with Empty -> () | Table state -> state := But (place, values.(place), next));
    values.(place) <- Some value;
    Table next
  end
  else begin
    let longer = Array.append values (Array.make (place + 1 + (place / 2) - length) None) in
    longer.(place) <- Some value;
    Table (ref (All longer))
  end
