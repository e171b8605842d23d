/* trace/: traces of every supported writer. Knows nothing of models. Rooms, bottom up: readers/
 * stats/ write/. */
