"""Checks the whole table against itself: every aggregate is counted anew from an export, and compared with it."""
