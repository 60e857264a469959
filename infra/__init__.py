"""The deployment, as CDK stacks."""
