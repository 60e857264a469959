"""The local cloud, and commands that work on no other stage. None of this is deployed."""
