"""States of Amazon States Language, as its specification writes them; expressions are JSONata."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

State = Mapping[str, Any]
States = Mapping[str, State]

# How long AWS may take to answer a request.
REQUEST_SECONDS: Final = 60
# What Lambda answers when it has a fault of its own or no room: nothing was done, or it can be done again.
_LAMBDA_FAULTS: Final = (
    "Lambda.ClientExecutionTimeoutException",
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.TooManyRequestsException",
)


@dataclass(frozen=True)
class Function:
    """A Lambda function: its ARN, and how long it may take."""

    arn: str
    seconds: int

    def call(self, payload: Any, then: str | None) -> State:
        """Call it; `then`: None is the end."""
        return {
            "Type": "Task",
            "Resource": "arn:aws:states:::lambda:invoke",
            "Arguments": {"FunctionName": self.arn, "Payload": payload},
            "TimeoutSeconds": self.seconds + REQUEST_SECONDS,
            "Retry": [retry(*_LAMBDA_FAULTS)],
            **({"Next": then} if then else {"End": True}),
        }


def choice(condition: str, then: str, otherwise: str) -> State:
    """Go on with one state if the condition holds, else with another."""
    return {"Type": "Choice", "Choices": [case(condition, then)], "Default": otherwise}


def case(condition: str, then: str) -> State:
    """One case of a choice."""
    return {"Condition": f"{{% {condition} %}}", "Next": then}


def catch(then: str) -> list[State]:
    """Keep any error in a variable, and go on with this state."""
    return [{"ErrorEquals": ["States.ALL"], "Assign": {"error": "{% $states.errorOutput %}"}, "Next": then}]


def retry(*errors: str, seconds: int = 2, times: int = 5, slower: float = 2) -> State:
    """Try again after these errors, after so many seconds at first."""
    return {"ErrorEquals": list(errors), "IntervalSeconds": seconds, "MaxAttempts": times, "BackoffRate": slower}


def fail(error: str, cause: str) -> State:
    """End in an error."""
    return {"Type": "Fail", "Error": error, "Cause": cause}
