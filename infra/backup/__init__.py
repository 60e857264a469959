"""Copies of the table in another region: what is left if the stage's own region is lost."""
