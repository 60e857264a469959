"""A run of the proof in memory: what arrives and what is done to the consumer follow from a seed and a script."""
