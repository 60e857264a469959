"""The local cloud, the demo, and most of the commands of `make`. None of this is deployed."""
