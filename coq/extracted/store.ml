(* Values by heights: what [store] of Sums.v is in the extracted program. A store never changes: the next value goes behind the
   others where no other store has one yet, else into a copy. *)

type values = { all : Z.t array; mutable used : int }
type t = { values : values; height : int }

let empty = { values = { all = [||]; used = 0 }; height = 0 }
let height store = Z.of_int store.height

let pushed value { values; height } =
  let values =
    if values.used = height && height < Array.length values.all then values
    else { all = Array.append (Array.sub values.all 0 height) (Array.make (height + 4) Z.zero); used = height } in
  values.all.(height) <- value;
  values.used <- height + 1;
  { values; height = height + 1 }

let value { values; height } place = let place = Z.to_int place in if place < height then values.all.(place) else Z.zero
