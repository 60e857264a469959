"""The access patterns with an example each, one module a system."""
