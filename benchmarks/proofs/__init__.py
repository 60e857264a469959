"""The proof in numbers: that aggregates are exact, whatever comes again, in whatever order."""
