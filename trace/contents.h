/* trace/ reads and writes traces of every supported writer. It knows nothing of models. Its
 * folders, bottom up: readers/ stats/ write/. */
