"""Where the results of runs are, for the functions that read them."""

BUCKET = "batch"
