/* advisor/act/apply/: carrying recommendations out.
 *
 * apply.h apply.c: Applying recommendations: levers of chosen recommendations become an edited
 *     model, a compiler configuration and settings of the run
 * apply_choose.c: Which recommendations are to be applied
 * bundle.h bundle.c: The bundle beside the model: what else it takes to run a changed model on
 *     the card
 * crossing.c: What crosses the border between the application and the compiled model
 * quantize_py.c: One script that quantizes the model with all that was chosen
 * reproduce.c: The command that reproduces a result, from its tree */
