"""Lambda's context object."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Context:
    """The context object, as far as handlers use it."""

    aws_request_id: str = "00000000-0000-4000-8000-000000000000"
    function_name: str = "simulated"
    function_version: str = "$LATEST"
    memory_limit_in_mb: int = 1024

    @property
    def invoked_function_arn(self) -> str:
        """The function's ARN."""
        return f"arn:aws:lambda:us-east-1:123456789012:function:{self.function_name}"

    def get_remaining_time_in_millis(self) -> int:
        """As if the invocation had just begun."""
        return 60_000
