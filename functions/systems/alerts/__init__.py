"""Alerts: which declared conditions on aggregates hold now."""
