"""What public samples do, for comparison: one update for each record, without and with protection."""
