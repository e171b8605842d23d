/* advisor/fleet/: many models in one run.
 *
 * models.h models.c: The models that a command line names: files, folders, patterns
 * part.h part.c: What came of each as lines, and the lines of several parts put together
 * fleet.h fleet.c: One process for each model, and what it left */
