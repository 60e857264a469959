"""How fresh aggregates are: until when they hold every change, told by the stream's consumer shard by shard."""
