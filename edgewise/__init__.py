"""Exact aggregates over one DynamoDB table, although every delivery of its stream may repeat."""
