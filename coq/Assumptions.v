(** * What the theorems rest on: nothing but Coq's logic *)

From PencilTennis Require Import Numbers Game Symmetry Check Tennis Table Certificate.

Print Assumptions rationals.
Print Assumptions value_unique.
Print Assumptions play_fuel.
Print Assumptions best_reply.
Print Assumptions A_secures_turn_only.
Print Assumptions B_secures_mirror.
Print Assumptions check_sound.
Print Assumptions verify_sound.
