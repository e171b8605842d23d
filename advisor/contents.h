/* advisor/: advice and everything that is made of it. tests/house has the order of its folders. */
