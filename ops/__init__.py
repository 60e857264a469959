"""Commands of `make` that work on any stage, and what they are made of. None of this is deployed."""
