"""Items as systems declare them: a typed dataclass, and templates of its key and of its entries in the indexes."""
