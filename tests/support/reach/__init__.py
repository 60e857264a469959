"""Which files of the project each test reaches, and which tests a change reaches."""
