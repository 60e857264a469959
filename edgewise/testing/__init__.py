"""Somebody's table in memory, whose stream a hostile Lambda delivers."""
