"""Summaries of the graph, filled in by a job that is run now and then: what no request should have to compute."""
