"""Logger, metrics and tracer of every function, configured by the POWERTOOLS_* variables that infra sets."""

from aws_lambda_powertools import Logger, Metrics, Tracer

logger = Logger()
metrics = Metrics()
tracer = Tracer()
