"""What public examples do, for comparison: each module makes a handler of stream events that keeps the same numbers."""
