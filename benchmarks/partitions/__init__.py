"""Hot keys: what DynamoDB's limits for each partition do to this project's items, simulated (docs/hot-keys.md)."""
