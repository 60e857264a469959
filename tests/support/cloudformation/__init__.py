"""What CloudFormation refuses of a change between two templates of a stack, judged without an account.

The rules are those of its guide, and of the services whose refusals it passes on; which properties can't change without
a replacement is what AWS's schemas say, which cfn-lint ships. What can't be resolved counts as changed.
"""
