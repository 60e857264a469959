"""Runs of the batch side: begun, followed to their end, and told."""
