"""Counts again what was sent, and compares that with what the API of any stage answers."""
