/* advisor/ turns facts into advice, writes every output and holds the command line; tests/house has
 * the order of its folders. */
