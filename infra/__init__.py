"""What is deployed, as CDK stacks."""
