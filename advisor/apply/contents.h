/* advisor/apply/: carrying recommendations out.
 *
 * apply.h apply.c: Applying recommendations: levers of chosen recommendations become an edited
 *     model, a compiler configuration and settings of the run
 * apply_choose.c: Which recommendations are to be applied
 * reproduce.c: The command that reproduces a result, from its tree */
