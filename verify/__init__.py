"""Proof on a deployment: the data that a run sends is counted in plain Python and compared with the API's answers."""
