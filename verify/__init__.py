"""Proof on a deployment: what a run sends is counted anew in plain Python and compared with what the API answers."""
