"""The text of the demo's document, version by version."""

VERSIONS = (
    """\
The handbook

1. Count nothing twice.
2. Count nothing when somebody looks.
3. Ask the table, not your memory.
""",
    """\
The handbook

1. Count nothing twice.
2. Count while data arrives, not when somebody looks.
3. Ask the table, not your memory.
4. What can't be counted waits in the quarantine.
""",
    """\
The handbook

1. Count everything exactly once.
2. Count while data arrives, not when somebody looks.
3. What can't be counted waits in the quarantine.
4. Now and then, count everything anew and compare.
""",
)
