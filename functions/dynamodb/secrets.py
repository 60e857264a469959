"""Secrets, fetched when first needed and kept for the life of the process."""

from functools import cache

import boto3


@cache
def cursor_secret(arn: str) -> bytes:
    """What the key of cursors is made of."""
    secret: str = boto3.client("secretsmanager").get_secret_value(SecretId=arn)["SecretString"]
    return secret.encode()
