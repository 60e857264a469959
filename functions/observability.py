"""Logger and metrics of every function, configured by the POWERTOOLS_* variables that infra sets."""

from aws_lambda_powertools import Logger, Metrics

logger = Logger()
metrics = Metrics()
