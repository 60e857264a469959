"""The access patterns, each with an example; one module per system."""
