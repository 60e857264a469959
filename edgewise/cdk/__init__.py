"""Wires a consumer to the stream of a table, with CDK: nothing else needs what `edgewise[cdk]` installs."""
