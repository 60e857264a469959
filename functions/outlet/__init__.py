"""The outlet: tells the world outside of changes of the entities that a stage names, by events on a bus."""
