"""What `make run` shows. None of this is deployed."""
