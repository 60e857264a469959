"""Lambda's event source mappings on the local cloud: a program that delivers tables' streams as AWS would."""
