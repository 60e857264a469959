"""The context object for handlers that are called in this process."""

from dataclasses import dataclass

from ops.local_cloud import ACCOUNT, REGION


@dataclass(frozen=True)
class Context:
    """Stands in for Lambda's context object."""

    function_name: str
    memory_limit_in_mb: int = 1024
    aws_request_id: str = "00000000-0000-0000-0000-000000000000"

    @property
    def invoked_function_arn(self) -> str:
        """The ARN that the function would have on the local cloud."""
        return f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{self.function_name}"

    def get_remaining_time_in_millis(self) -> int:
        """The whole time of the slowest function, as if the invocation had just begun."""
        return 300_000
