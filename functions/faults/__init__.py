"""Faults that somebody has asked for: they strike the real consumer, in stages that have them (docs/breaking.md)."""
