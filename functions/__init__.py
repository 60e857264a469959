"""The code of the Lambda functions."""

from functions import startup

startup.begin()
