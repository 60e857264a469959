"""A release computes again what the running one has kept, before it is deployed (docs/rehearsing.md)."""
