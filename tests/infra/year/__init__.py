"""The first year of a stage, on templates: what CloudFormation would refuse of it (`make year`)."""
