"""The optional stack that checks the table against itself, by a job over exports of it."""
