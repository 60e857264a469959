"""What public examples do, for comparison: each module makes a stream handler that maintains the same numbers."""
