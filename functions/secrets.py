"""Secrets, fetched when first needed and kept for the life of the process."""

from functools import cache

from edgewise import aws


@cache
def cursor_secret(arn: str) -> bytes:
    """What the key of cursors is made of."""
    secret: str = aws.client("secretsmanager").get_secret_value(SecretId=arn)["SecretString"]
    return secret.encode()
