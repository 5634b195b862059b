(** * The assumptions of the theorems: none but Coq's logic *)

From PencilTennis Require Import Numbers Endless Game Symmetry Pure Check Tennis ZeroBids Monotone Table Sums Columns Sides Header Certificate
  Enclosures Multiples Theorems AnyGame GameFile GameReader.
From PencilTennis Require Limit Favoured Layers.
From PencilTennis Require Stationary Exchanged ChanceLayers Nature AnyProof AnyTheorem HideOrRun Matching Robot InTime AlmostSure LimitSure
  NotAttained BestPayoffs SecondPart.
From PencilTennis Require HiddenProof HiddenFile HiddenText Kuhn.

(** The rationals are one of the fields, and every field has fractions. *)
Print Assumptions rationals.
Print Assumptions ratio_le_iff.

(** Games. *)
Print Assumptions secures_order.
Print Assumptions value_unique.
Print Assumptions play_fuel.
Print Assumptions best_reply.
Print Assumptions gets_turn.
Print Assumptions A_secures_turn_only.
Print Assumptions A_secures_simulated.
Print Assumptions A_forces_iff.
Print Assumptions B_forces_iff.

(** Games that may go on for ever. *)
Print Assumptions endless_order.
Print Assumptions keeps_secures.
Print Assumptions A_keeps_turn.
Print Assumptions Endless.B_secures_opposite.

(** Tennis and its relatives. *)
Print Assumptions B_secures_mirror.
Print Assumptions Tennis.B_secures_image.
Print Assumptions ZeroBids.B_secures_image.
Print Assumptions Favoured.B_secures_image.
Print Assumptions more_never_hurts.
Print Assumptions more_never_hurts_B.
Print Assumptions value_never_falls.
Print Assumptions overbid.

(** Large accounts. *)
Print Assumptions Limit.lower_secured.
Print Assumptions Limit.upper_secured.
Print Assumptions Limit.lower_grows.
Print Assumptions Limit.upper_falls.
Print Assumptions Limit.between.
Print Assumptions Limit.between_all.
Print Assumptions Favoured.A_secures_lower.
Print Assumptions Favoured.B_secures_upper.

(** Layers. *)
Print Assumptions Layers.layers_lower.
Print Assumptions Layers.layers_upper.
Print Assumptions Layers.layers_sound.
Print Assumptions ChanceLayers.chance_layers_lower.
Print Assumptions ChanceLayers.chance_layers_upper.
Print Assumptions ChanceLayers.chance_layers_sound.

(** The checker. *)
Print Assumptions check_state_sound.
Print Assumptions check_sound.
Print Assumptions least_sum_least.
Print Assumptions once_secured.
Print Assumptions endless_secured.
Print Assumptions header_bytes_injective.
Print Assumptions verify_content_sound.
Print Assumptions verify_with_sound.
Print Assumptions weights_sum.
Print Assumptions verify_sound.
Print Assumptions verify_sound_endless.
Print Assumptions verify_sound_favouring.
Print Assumptions limit_sound.
Print Assumptions bounds_multiples_sound.
Print Assumptions values_at_multiples.
Print Assumptions values_from_some_points_on.

(** Certificates of any game. *)
Print Assumptions write_injective.
Print Assumptions read_spec.
Print Assumptions verify_game_spec.

(** Games of any rules: security levels of stationary strategies. *)
Print Assumptions Stationary.ending_secures.
Print Assumptions Stationary.stopping_secures.
Print Assumptions Stationary.lasting_secures.
Print Assumptions Exchanged.B_secures_exchanged.
Print Assumptions Exchanged.any_secures_order.

(** Games of any rules: the check is sound. *)
Print Assumptions AnyProof.check_sound.
Print Assumptions AnyTheorem.certificate_sound.
Print Assumptions HideOrRun.hide_or_run_value.
Print Assumptions Matching.matching_value.

(** Uncertain probabilities. *)
Print Assumptions Nature.worst_spec.
Print Assumptions Nature.chosen_spec.
Print Assumptions Exchanged.uncertain_order.
Print Assumptions AnyTheorem.uncertain_certificate_for_A.
Print Assumptions AnyTheorem.uncertain_certificate_for_B.
Print Assumptions Robot.robot_value.

(** Verdicts, and wins in time. *)
Print Assumptions AnyTheorem.certified_verdict.
Print Assumptions AnyProof.verdict_of_value.
Print Assumptions InTime.certified_in_time.
Print Assumptions AlmostSure.almost_sure_secures.
Print Assumptions AlmostSure.certified_almost_sure.
Print Assumptions AlmostSure.no_better.
Print Assumptions AlmostSure.certified_best.
Print Assumptions LimitSure.limit_sure.
Print Assumptions LimitSure.certified_limit_sure.
Print Assumptions NotAttained.not_attained.
Print Assumptions NotAttained.A_does_not_attain.
Print Assumptions BestPayoffs.checked_best_payoffs.
Print Assumptions BestPayoffs.checked_best_payoffs_of_B.
Print Assumptions SecondPart.second_part_sound.
Print Assumptions SecondPart.write_second_injective.
Print Assumptions SecondPart.hide_or_run_approached.

(** The strategies that certificates publish, by their weights. *)
Print Assumptions Matching.matching_published.
Print Assumptions twelve_published.

(** Hidden information. *)
Print Assumptions HiddenProof.reply_sound.
Print Assumptions HiddenProof.check_sound.
Print Assumptions HiddenProof.hidden_order.
Print Assumptions HiddenProof.A_secures_mixed.
Print Assumptions HiddenProof.B_secures_mixed.
Print Assumptions HiddenFile.hidden_certificate_sound.
Print Assumptions HiddenText.write_hidden_injective.
Print Assumptions HiddenText.verify_hidden_unique.
Print Assumptions Kuhn.kuhn_value.
Print Assumptions Kuhn.kuhn_published.

(** Computed results. *)
Print Assumptions one_player_forces_the_win.
Print Assumptions on_the_net.
Print Assumptions smallest_states_are_decided.
Print Assumptions smallest_undecided_state.
Print Assumptions article_state.
Print Assumptions twelve_points.
Print Assumptions multiples_of_eight.
Print Assumptions from_42_points.
